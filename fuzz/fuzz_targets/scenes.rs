#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| ligament_fuzz::scenes(data));

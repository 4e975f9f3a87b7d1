//! The codes of limits on what a conversion makes, and of memory that the system refuses. Readers have codes of their own.

crate::report::codes! {
    MADE = "LM001", "memory limit",
        "What the conversion would make of the file exceeds the limit of memory: copies of a mesh for each of its instances, frames of a long clip, or what the proof needs for them. The sums are made before anything is allocated. The limit protects against small files that become enormous ones.",
        "a mesh of a million vertices that ten thousand nodes draw, converted to a format without instances",
        "If the file is genuine, raise the limit with --max-memory; a format with instances (glTF, BOGLE) needs no copies, and a lower --fps or fewer clips give fewer frames.";
    NO_ROOM = "LM002", "out of memory",
        "The operating system refused the memory for a file, its unpacked contents, copies of instances, frames, or an image. The sum is below ligament's own limits, so the machine, or a limit set for the process, has less than these allow.",
        "ulimit -v 500000; ligament convert city.glb city.pfobj",
        "Close other programs, raise the limits of the process (ulimit, containers), or use a machine with more memory; --max-memory makes ligament refuse earlier.";
}

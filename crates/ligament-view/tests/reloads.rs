//! Memory is freed after a file is reloaded. Alone in its process, because it measures the process's memory.

use ligament::formats::ReadOptions;
use ligament_render::{Gpu, RenderError};
use ligament_view::shortcuts::Action;
use ligament_view::{Event, Jobs, Painter, Recent, State};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// The process's resident memory in bytes.
fn resident() -> u64 {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    text.split(' ').nth(1).and_then(|pages| pages.parse::<u64>().ok()).unwrap_or(0) * 4096
}

fn reload(state: &mut State, painter: &mut Painter, times: u64) -> u64 {
    let before = state.slots[0].times_read;
    for _ in 0..times {
        state.update(Event::Do(Action::Reload));
        assert!(state.finish_work(Duration::from_secs(60)));
        painter.draw(state).expect("drawn");
    }
    painter.picture().expect("everything is drawn");
    assert_eq!(state.slots[0].times_read, before + times);
    resident()
}

#[test]
fn a_thousand_reloads_do_not_grow_memory() {
    let painter = Gpu::new().and_then(Painter::new);
    let mut painter = match painter {
        Ok(painter) => painter,
        Err(RenderError::NoAdapter(why)) => {
            assert!(std::env::var("CI").as_deref() != Ok("true"), "no graphics driver under CI=true: {why}");
            println!("skipped: a_thousand_reloads_do_not_grow_memory: no graphics driver ({why})");
            return;
        }
        Err(error) => panic!("{error}"),
    };
    let jobs = Jobs::new(painter.renderer().loader(), ReadOptions::default(), Arc::new(|| {}));
    let mut state = State::new(jobs, Recent::at(None), None);
    state.update(Event::Resize([64, 64]));
    // A model of a quarter of a megabyte on the device, with its texture.
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/own/pfobj/bend_tube.pfobj");
    state.update(Event::Open(vec![file]));
    assert!(state.finish_work(Duration::from_secs(60)));
    let before = reload(&mut state, &mut painter, 100);
    let after = reload(&mut state, &mut painter, 1000);
    println!("{before} bytes, and {after} after 1000 reloads");
    // If all had been kept, this would be some hundred megabytes more.
    assert!(after < before + (16 << 20), "{before} bytes, and {after} after 1000 reloads");
}

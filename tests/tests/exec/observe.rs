//! Observers: what they see, and that they can stop a run.

use std::ops::ControlFlow;

use isa_exec::fault::FaultKind;
use isa_exec::group::WorkGroup;
use isa_exec::memory::Regions;
use isa_exec::observe::{Observer, Site};
use isa_exec::wave::Wave;

use crate::machine::{LIMIT, program, wave};

/// Records instructions with s0 before and after them, and stops at an address.
#[derive(Default)]
struct Recorder {
    before: Vec<(u64, &'static str, u32)>,
    after: Vec<u32>,
    stop: Option<u64>,
}

impl Observer for Recorder {
    fn before(&mut self, site: &Site, wave: &Wave) -> ControlFlow<()> {
        if self.stop.take_if(|stop| *stop == site.pc).is_some() {
            return ControlFlow::Break(());
        }
        self.before.push((site.pc, site.name, wave.sgpr(0)));
        ControlFlow::Continue(())
    }

    fn after(&mut self, _: &Site, wave: &Wave) {
        self.after.push(wave.sgpr(0));
    }
}

#[test]
fn observers_see_each_instruction_and_stop() {
    let program = program(&["s_mov_b32 s0, 5", "s_add_u32 s0, s0, 1", "s_endpgm"], rdna3::Wave::W32);
    let mut group = WorkGroup { waves: vec![wave(&program)], lds: Vec::new() };
    let mut recorder = Recorder { stop: Some(0x1004), ..Recorder::default() };
    let memory = Regions::new();
    let fault = group.run_observed(&program, &memory, LIMIT, &mut recorder).expect_err("it stops");
    assert_eq!((fault.pc, fault.kind), (0x1004, FaultKind::Stopped));
    assert_eq!(recorder.after, [5]);
    group.run_observed(&program, &memory, LIMIT, &mut recorder).expect("it continues");
    assert_eq!(recorder.before, [(0x1000, "S_MOV_B32", 0), (0x1004, "S_ADD_U32", 5), (0x1008, "S_ENDPGM", 6)]);
    assert_eq!(recorder.after, [5, 6, 6]);
}

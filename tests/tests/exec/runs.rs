//! Steps of consecutive instructions that are joined do what the instructions do one by one.

use std::ops::ControlFlow;

use isa_exec::group::WorkGroup;
use isa_exec::memory::Regions;
use isa_exec::observe::{Observer, Site};
use isa_exec::wave::Wave;

use crate::machine::{LIMIT, Random, assembled, program, wave};

const LINES: [&str; 24] = [
    "s_or_b32 s5, s5, exec_lo",
    "s_mov_b32 s6, exec_lo",
    "s_and_saveexec_b32 s7, s8",
    "s_or_b32 exec_lo, exec_lo, s7",
    "s_and_not1_b32 exec_lo, exec_lo, s9",
    "s_mov_b32 exec_lo, s6",
    "s_and_b32 s9, s5, s6",
    "s_xor_b32 s8, s1, vcc_lo",
    "s_not_b32 s3, s1",
    "s_add_u32 s2, s3, s1",
    "s_addc_u32 s1, s2, s3",
    "s_cselect_b32 s4, s1, s2",
    "s_cmp_lt_i32 s1, s2",
    "s_lshl_b32 s3, s2, 5",
    "v_add_f32 v0, v1, v2",
    "v_mul_f32 v1, s3, v0",
    "v_add_nc_u32 v2, s1, v3",
    "v_mov_b32 v3, v0",
    "v_dual_mul_f32 v0, v4, v5 :: v_dual_add_f32 v1, v2, v3",
    "v_mad_u64_u32 v[4:5], s10, v1, v2, v[4:5]",
    "v_perm_b32 v5, v1, v2, v3",
    "v_cmp_gt_u32 vcc_lo, v1, v2",
    "v_cmpx_ne_u32 v3, v1",
    "v_cndmask_b32 v3, v1, v2, vcc_lo",
];

/// An observer, before which instructions are executed one by one.
struct Watcher;

impl Observer for Watcher {
    fn before(&mut self, _: &Site, _: &Wave) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// The registers that the lines name, and SCC.
fn registers(wave: &Wave) -> (Vec<u32>, Vec<u32>, bool) {
    let scalars = (0..11).chain([106, 126]).map(|register| wave.sgpr(register)).collect();
    let lanes = (0..6).flat_map(|register| (0..32).map(move |lane| (register, lane)));
    (scalars, lanes.map(|(register, lane)| wave.vgpr(register, lane)).collect(), wave.scc())
}

#[test]
fn joined_steps_do_what_single_instructions_do() {
    let mut random = Random(39);
    for _ in 0..60 {
        let mut lines: Vec<String> = Vec::new();
        for _ in 0..12 {
            let line = LINES[random.next() as usize % LINES.len()];
            if random.next().is_multiple_of(6) {
                // Over the line, so that a branch leads into straight-line code.
                lines.push(format!("s_cbranch_scc{} {}", random.next() % 2, dwords(line)));
            }
            lines.push(line.into());
        }
        lines.push("s_endpgm".into());
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let program = program(&lines, rdna3::Wave::W32);
        let mut pc = 0x1000;
        for line in &lines {
            let mut begin = wave(&program);
            random.fill(&mut begin);
            begin.pc = pc;
            let run = |is_watched: bool| {
                let mut group = WorkGroup { waves: vec![begin.clone()], lds: Vec::new() };
                let memory = Regions::new();
                let end = match is_watched {
                    true => group.run_observed(&program, &memory, LIMIT, &mut Watcher),
                    false => group.run(&program, &memory, LIMIT),
                };
                end.unwrap_or_else(|fault| panic!("{lines:?}: {fault}"));
                (registers(&group.waves[0]), group.waves[0].executed())
            };
            assert_eq!(run(false), run(true), "{lines:#?} from {line} on");
            pc += 4 * dwords(line) as u64;
        }
    }
}

fn dwords(line: &str) -> usize {
    assembled(&[line], rdna3::Wave::W32).len() / 4
}

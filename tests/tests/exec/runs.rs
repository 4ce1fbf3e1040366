//! Steps of consecutive instructions that are joined do what the instructions do one by one.

use std::ops::ControlFlow;

use isa_exec::group::WorkGroup;
use isa_exec::memory::Regions;
use isa_exec::observe::{Observer, Site};
use isa_exec::wave::Wave;
use rdna3::Wave as WaveSize;

use crate::machine::{LIMIT, Random, assembled, program, wave};

const LINES: [&str; 28] = [
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
    "v_cmp_le_f32 s6, v1, v2",
    "v_cmpx_nlt_f32 v1, v2",
    "v_cndmask_b32 v4, v2, v1, s6",
    "v_add_co_ci_u32 v1, vcc_lo, v1, v2, vcc_lo",
];

/// Lines for waves of 64 lanes: masks have two dwords, which operations on either half of the lanes access.
const LINES_OF_64: [&str; 28] = [
    "s_or_b64 s[4:5], s[4:5], exec",
    "s_mov_b64 s[6:7], exec",
    "s_mov_b32 s8, exec_hi",
    "s_and_saveexec_b64 s[2:3], s[8:9]",
    "s_or_b64 exec, exec, s[2:3]",
    "s_mov_b32 s6, s1",
    "s_mov_b32 s9, vcc_hi",
    "s_and_b32 vcc_lo, s1, s2",
    "s_add_u32 s2, s3, s7",
    "s_cselect_b32 s4, s1, s2",
    "s_cmp_lt_i32 s1, s6",
    "v_add_f32 v0, v1, v2",
    "v_mul_f32 v1, s3, v0",
    "v_add_nc_u32 v2, vcc_lo, v3",
    "v_add_nc_u32 v3, vcc_hi, v2",
    "v_add_nc_u32 v2, s6, v3",
    "v_add_nc_u32 v3, s7, v0",
    "v_perm_b32 v5, v1, v2, v3",
    "v_cmp_gt_u32 vcc, v1, v2",
    "v_cmp_nge_f32 vcc, v1, v2",
    "v_cmp_ge_i32 s[6:7], v1, v2",
    "v_cmp_o_f32 s[8:9], v1, v2",
    "v_cmpx_ne_u32 v3, v1",
    "v_cndmask_b32 v3, v1, v2, vcc",
    "v_cndmask_b32 v4, v1, v2, s[6:7]",
    "v_cndmask_b32 v1, v4, v3, s[8:9]",
    "v_add_co_ci_u32 v1, vcc, v1, v2, vcc",
    "v_sub_co_u32 v2, s[6:7], v1, v3",
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
    let scalars = (0..11).chain([106, 107, 126, 127]).map(|register| wave.sgpr(register)).collect();
    let lanes = (0..6).flat_map(|register| (0..wave.lanes()).map(move |lane| (register, lane)));
    (scalars, lanes.map(|(register, lane)| wave.vgpr(register, lane)).collect(), wave.scc())
}

#[test]
fn joined_steps_do_what_single_instructions_do() {
    let mut random = Random(39);
    for _ in 0..60 {
        compare(&mut random, &LINES, WaveSize::W32);
        compare(&mut random, &LINES_OF_64, WaveSize::W64);
    }
}

/// Executes a program of some of the lines from each of them on, in joined steps and one by one.
fn compare(random: &mut Random, of: &[&str], wave_size: WaveSize) {
    let dwords = |line: &str| assembled(&[line], wave_size).len() / 4;
    let mut lines: Vec<String> = Vec::new();
    for _ in 0..12 {
        let line = of[random.next() as usize % of.len()];
        if random.next().is_multiple_of(6) {
            // Over the line, so that a branch leads into straight-line code.
            lines.push(format!("s_cbranch_scc{} {}", random.next() % 2, dwords(line)));
        }
        lines.push(line.into());
    }
    lines.push("s_endpgm".into());
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let program = program(&lines, wave_size);
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

//! How many instructions of scalar code are executed a second.

use anyhow::Result;
use cpu_time::ThreadTime;
use isa_exec::group::WorkGroup;
use isa_exec::memory::Regions;
use isa_exec::program::Program;
use isa_exec::wave::Wave as State;
use rdna3::Wave;
use rdna3::exec::Rdna3Machine;

use super::Times;

/// Random numbers by shifts, and the sum of those that are odd: a branch of the loop cannot be predicted.
const CODE: [u32; 16] = rdna3::asm! {
    again:
    s_lshl_b32 s2, s0, 13
    s_xor_b32 s0, s0, s2
    s_lshr_b32 s2, s0, 17
    s_xor_b32 s0, s0, s2
    s_lshl_b32 s2, s0, 5
    s_xor_b32 s0, s0, s2
    s_bitcmp1_b32 s0, 0
    s_cbranch_scc0 even
    s_add_u32 s4, s4, s0
    s_addc_u32 s5, s5, 0
    even:
    s_and_b32 s6, s0, s4
    s_max_u32 s7, s7, s6
    s_sub_i32 s1, s1, 1
    s_cmp_lg_i32 s1, 0
    s_cbranch_scc1 again
    s_endpgm
};
const ITERATIONS: u32 = 300_000;

/// Measures and prints.
pub fn run(runs: usize) -> Result<()> {
    let code: Vec<u8> = CODE.into_iter().flat_map(u32::to_le_bytes).collect();
    let program = Program::new::<Rdna3Machine>(code, 0, Wave::W32, 0);
    let mut times = Times::new("scalar code, one thread", 0.0, "M instructions/s");
    for _ in 0..runs.max(1) {
        let mut wave = State::new(&program, 0);
        wave.set_sgpr(0, 0x1234_5678);
        wave.set_sgpr(1, ITERATIONS);
        let mut group = WorkGroup { waves: vec![wave], lds: Vec::new() };
        let begin = ThreadTime::now();
        group.run(&program, &Regions::new(), u64::MAX)?;
        times.rounds.push(begin.elapsed().as_secs_f64());
        times.amount = group.waves.first().map_or(0, State::executed) as f64 / 1e6;
    }
    times.print();
    println!("{:<44} goal 150", "");
    Ok(())
}

//! How many lane-operations a second are executed; not a test of anything else.

use isa_exec::group::WorkGroup;
use isa_exec::memory::Regions;

use crate::machine::{program, wave};

/// Runs a loop whose counter is s0, and prints the rate of its vector instructions.
fn measure(name: &str, body: &[&str], rounds: u32) {
    let vector = body.iter().filter(|line| line.starts_with("v_")).count();
    let mut lines = body.to_vec();
    lines.extend(["s_sub_u32 s0, s0, 1", "s_cmp_lg_u32 s0, 0"]);
    let length: usize =
        lines.iter().map(|line| rdna3::Instr::parse(line, rdna3::Wave::W32).expect("assembly").encode().len()).sum();
    let branch = format!("s_cbranch_scc1 -{}", length + 1);
    lines.push(&branch);
    let program = program(&lines, rdna3::Wave::W32);
    let mut wave = wave(&program);
    wave.set_sgpr(0, rounds);
    let mut group = WorkGroup { waves: vec![wave], lds: Vec::new() };
    let begun = cpu();
    group.run(&program, &Regions::new(), u64::MAX).expect("no fault");
    let operations = f64::from(rounds) * vector as f64 * 32.0;
    println!("{name}: {:.0} M lane-operations/s", operations / (cpu() - begun) / 1e6);
}

#[test]
#[ignore = "a measurement: cargo test --release -p isa-tests --test exec -- --ignored --nocapture speed"]
fn speed() {
    let md5 = [
        "v_bfi_b32 v4, v1, v2, v3",
        "v_add3_u32 v0, v0, v4, s4",
        "v_add_nc_u32_e32 v0, 0xd76aa478, v0",
        "v_alignbit_b32 v0, v0, v0, 25",
        "v_add_nc_u32_e32 v0, v1, v0",
        "v_xor_b32_e32 v4, v1, v2",
        "v_xor3_b32 v4, v4, v3, v0",
        "v_and_or_b32 v3, v4, v1, v2",
        "v_not_b32_e32 v5, v3",
        "v_or_b32_e32 v5, v5, v2",
    ];
    measure("integers as in MD5", &md5, 200_000);
    measure("add f32", &["v_add_f32_e32 v0, v0, v1", "v_mul_f32_e32 v2, v0, v1"], 500_000);
    measure("fma f32", &["v_fma_f32 v0, v0, v1, v2", "v_fmac_f32_e32 v3, v0, v1"], 500_000);
    measure("fma f64", &["v_fma_f64 v[0:1], v[2:3], v[4:5], v[6:7]"], 200_000);
    measure(
        "compare and select",
        &["v_cmp_lt_f32_e32 vcc_lo, v0, v1", "v_cndmask_b32_e32 v2, v3, v4, vcc_lo"],
        500_000,
    );
}

fn cpu() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").expect("schedstat");
    text.split(' ').next().and_then(|n| n.parse::<f64>().ok()).expect("a number") / 1e9
}

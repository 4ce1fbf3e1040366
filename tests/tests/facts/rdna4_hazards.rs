//! The hazards that only RDNA4 has, and those of RDNA3 that it lacks.

use rdna4::lint::{Program, Rule};
use rdna4::{Instr, Wave};

type Brief = (Rule, usize, String);

/// The certain findings, and the others.
fn found(code: &str, wave: Wave) -> [Vec<Brief>; 2] {
    let line = |line: &str| Instr::parse(line.trim(), wave).unwrap_or_else(|error| panic!("{line}: {error}"));
    let code: Vec<Instr> = code.split(';').map(line).collect();
    let program = Program::new(&code, wave, &[]);
    let brief = |f: &rdna4::lint::Finding| (f.rule, f.at, f.help().to_string());
    let certain: Vec<Brief> = program.certain().iter().map(brief).collect();
    let others = program.possible().iter().map(brief).filter(|f| !certain.contains(f)).collect();
    [certain, others]
}

fn rewritten(at: usize, counter: &str) -> Brief {
    (Rule::ScalarRewritten, at, format!("s_wait_alu {counter}(0)"))
}

/// The rules of the certain findings in wave32.
fn rules(code: &str) -> Vec<Rule> {
    found(code, Wave::W32)[0].iter().map(|finding| finding.0).collect()
}

#[test]
fn scalar_registers_that_vector_instructions_have_read_are_written_late() {
    let w32 = |between: &str, last: &str| found(&format!("v_mov_b32 v0, s5; {between} {last}"), Wave::W32);
    let scalar = |at| [vec![rewritten(at, "depctr_sa_sdst")], vec![]];
    let nothing = [vec![], vec![]];
    let write = "s_mov_b32 s5, s8;";
    // The reader may be a vector instruction or a scalar one.
    assert_eq!(w32(write, "v_mov_b32 v1, s5"), scalar(2));
    assert_eq!(w32(write, "s_mov_b32 s9, s5"), scalar(2));
    // The other register of the pair counts, those of other pairs do not.
    assert_eq!(w32("s_mov_b32 s4, s8;", "s_mov_b32 s9, s4"), scalar(2));
    assert_eq!(w32("s_mov_b32 s6, s8;", "s_mov_b32 s9, s6"), nothing);
    // M0 and EXEC have no such hazard.
    assert_eq!(found("v_mov_b32 v0, m0; s_mov_b32 m0, s8; s_mov_b32 s9, m0", Wave::W32), nothing);
    // The register has to be read before it is written.
    assert_eq!(found("s_mov_b32 s4, s8; s_mov_b32 s9, s4; v_mov_b32 v0, s4", Wave::W32), nothing);
    // Waits, and accesses to memory but for FLAT and LDS, let it finish.
    let after = |between: &str| w32(&format!("{write} {between};"), "s_mov_b32 s9, s5");
    assert_eq!(after("s_wait_alu depctr_sa_sdst(0)"), nothing);
    assert_eq!(after("s_wait_alu depctr_va_sdst(0)"), scalar(3));
    assert_eq!(after("s_load_b32 s20, s[2:3], 0"), nothing);
    assert_eq!(after("buffer_load_b32 v9, off, s[12:15], null"), nothing);
    assert_eq!(after("global_load_b32 v9, v8, s[2:3]"), scalar(3));
    // Scalar instructions let it finish for ACO, not for LLVM since version 20.
    let eleven = ["s_mov_b32 s20, s22"; 11].join("; ");
    assert_eq!(after(&eleven), [vec![], vec![rewritten(13, "depctr_sa_sdst")]]);
}

#[test]
fn callers_may_have_read_the_scalar_registers_of_functions() {
    let w32 = |code: &str| found(code, Wave::W32);
    let write = "s_mov_b32 s5, s8; s_mov_b32 s9, s5;";
    assert_eq!(w32(&format!("{write} s_endpgm")), [vec![], vec![]]);
    assert_eq!(w32(&format!("{write} s_setpc_b64 s[30:31]")), [vec![], vec![rewritten(1, "depctr_sa_sdst")]]);
    assert_eq!(
        w32(&format!("s_swappc_b64 s[30:31], s[2:3]; {write} s_endpgm")),
        [vec![], vec![rewritten(2, "depctr_sa_sdst")]]
    );
    // A read on one of two paths makes it possible.
    let paths = "s_cbranch_scc1 1; v_mov_b32 v0, s5; s_mov_b32 s5, s8; s_mov_b32 s9, s5; s_endpgm";
    assert_eq!(w32(paths), [vec![], vec![rewritten(3, "depctr_sa_sdst")]]);
}

#[test]
fn vector_instructions_write_scalar_registers_late_for_vector_instructions() {
    let write = "v_mov_b32 v0, s4; v_cmp_eq_u32 s4, v1, v2;";
    assert_eq!(found(&format!("{write} v_mov_b32 v1, s4"), Wave::W32)[0], [rewritten(2, "depctr_va_sdst")]);
    // A scalar instruction waits for the result that it reads.
    assert_eq!(found(&format!("{write} s_mov_b32 s9, s4; v_mov_b32 v1, s4"), Wave::W32), [vec![], vec![]]);
    let vcc = "v_cndmask_b32 v0, v1, v2, vcc; v_cmp_eq_u32 vcc, v1, v2; v_cndmask_b32 v0, v1, v2, vcc";
    assert_eq!(found(vcc, Wave::W64), [vec![rewritten(2, "depctr_va_vcc")], vec![]]);
}

/// In wave32, the upper half of VCC is a register like others. LLVM tracks one unit for both halves, the one that wrote one last.
#[test]
fn llvm_forgets_a_write_of_one_half_of_vcc_after_one_of_the_other() {
    let reread = |between: &str| {
        let code =
            format!("v_cndmask_b32 v0, v1, v2, vcc_lo; s_mov_b32 vcc_hi, exec_lo; {between} s_mov_b32 s9, vcc_hi");
        found(&code, Wave::W32)
    };
    assert_eq!(reread(""), [vec![rewritten(2, "depctr_sa_sdst")], vec![]]);
    assert_eq!(reread("s_mov_b32 vcc_lo, s8;"), [vec![rewritten(3, "depctr_sa_sdst")], vec![]]);
    let vector = "v_cmp_eq_u32 vcc_lo, v1, v2; s_wait_alu depctr_va_vcc(0);";
    assert_eq!(reread(vector), [vec![], vec![rewritten(4, "depctr_sa_sdst")]]);
}

/// A scalar instruction that writes one of the registers waits for the vector results that it reads, and so for that of the other register.
#[test]
fn a_scalar_instruction_between_two_writes_waits_for_the_first() {
    let address = |between: &str| {
        rules(&format!(
            "v_mov_b32 v8, s0; v_readfirstlane_b32 s0, v3; v_readfirstlane_b32 s2, v2; s_mov_b32 s1, {between}; \
             s_wait_alu depctr_sa_sdst(0); v_cmp_eq_u64 s20, s[0:1], v[0:1]"
        ))
    };
    assert_eq!(address("s2"), []);
    assert_eq!(address("0"), [Rule::ScalarRewritten]);
}

/// RDNA4 has one type of clause for loads of images and of other memory, RDNA3 has several.
#[test]
fn clauses_unite_images_and_other_memory() {
    let load = "image_load v[0:3], [v8, v9], s[0:7] dmask:0xf dim:SQ_RSRC_IMG_2D";
    let sample = "image_sample v[4:7], [v8, v9], s[0:7], s[8:11] dmask:0xf dim:SQ_RSRC_IMG_2D";
    let buffer = "buffer_load_b32 v12, off, s[12:15], null";
    let store = "buffer_store_b32 v12, off, s[12:15], null";
    let clause = |members: [&str; 2]| rules(&format!("s_clause 0x1; {}; {}", members[0], members[1]));
    for other in [sample, buffer, "s_trap 3"] {
        assert_eq!(clause([load, other]), [], "{other}");
    }
    // §16.5 lists S_SLEEP, which is legal in RDNA3's clauses.
    for other in [store, "flat_load_b32 v12, v[8:9]", "s_mov_b32 s0, 0", "s_sleep 1", "s_sleep_var s0"] {
        assert_eq!(clause([load, other]), [Rule::ClauseMember], "{other}");
    }
    assert_eq!(clause(["s_trap 3", load]), []);
}

/// Ray intersections return the ray's origin and direction. The other registers of the address are free once the instruction is issued.
#[test]
fn ray_intersections_write_the_origin_and_the_direction_only() {
    let ray = "image_bvh8_intersect_ray v[42:51], [v[38:39], v[8:9], v[58:60], v[0:2], v7], s[12:15]";
    let write = |register: u8| rules(&format!("{ray}; v_mov_b32 v{register}, 0"));
    for register in [7, 8, 9, 38, 39] {
        assert_eq!(write(register), [], "v{register}");
    }
    for register in [0, 2, 42, 51, 58, 60] {
        assert_eq!(write(register), [Rule::WriteTooEarly], "v{register}");
    }
}

/// The trap handler decides whether a wave goes on after S_TRAP.
#[test]
fn code_may_end_in_a_trap() {
    let ends = |text: &str| {
        let code: Vec<Instr> = text.split("; ").map(|line| line.parse().unwrap()).collect();
        let program = Program::new(&code, Wave::W32, &[]).whole();
        [program.certain(), program.possible()].map(|findings| findings.iter().any(|f| f.rule == Rule::RunsOff))
    };
    assert_eq!(ends("s_nop 0; s_trap 2"), [false, true]);
    assert_eq!(ends("s_trap 2; s_nop 0; s_mov_b32 s0, 0"), [true, true]);
    assert_eq!(ends("s_trap 2; s_endpgm"), [false, false]);
}

#[test]
fn direct_loads_from_lds_wait_for_memory_by_a_field() {
    let load = |wait: u8| {
        rules(&format!("global_store_b32 v8, v1, s[2:3]; ds_direct_load v1 wait_va_vdst:0 wait_vm_vsrc:{wait}"))
    };
    assert_eq!((load(1), load(0)), (vec![Rule::LdsDirectOverMemory], vec![]));
}

#[test]
fn the_index_of_a_sparse_matrix_is_not_the_result_of_the_matrix_instruction_before() {
    let index = |index: u8| {
        rules(&format!(
            "v_wmma_f32_16x16x16_f16 v[8:15], v[16:19], v[24:27], v[8:15]; \
             v_swmmac_f32_16x16x32_f16 v[40:47], v[16:19], v[24:31], v{index}"
        ))
    };
    assert_eq!((index(9), index(16)), (vec![Rule::MatrixBackToBack], vec![]));
}

#[test]
fn hazards_of_rdna3_are_gone() {
    // Results of transcendental instructions, and results from both sides of a write of EXEC.
    assert_eq!(rules("v_exp_f32 v1, v2; v_add_f32 v5, v1, v1"), []);
    let exec = "v_mov_b32 v1, v9; s_mov_b64 exec, s[2:3]; v_mov_b32 v2, v9; v_add_f32 v3, v1, v2";
    assert_eq!(found(exec, Wave::W64)[0], []);
}

//! Each rule over a few lines: what draws a finding, and the nearest that does not.

use alloc::vec::Vec;
use std::{format, vec};

use super::*;

/// The instructions of text, a line each.
fn code(text: &str) -> Vec<Instr> {
    text.lines()
        .map(str::trim)
        .filter(|l| !l.is_empty())
        .map(|l| l.parse().unwrap_or_else(|e| panic!("{l}: {e}")))
        .collect()
}

fn found(text: &str) -> Vec<(Rule, usize)> {
    lint(&code(text), Wave::W32).iter().map(|f| (f.rule, f.at)).collect()
}

fn helps(text: &str) -> Vec<alloc::string::String> {
    lint(&code(text), Wave::W32).iter().map(|f| format!("{}", f.help())).collect()
}

/// The findings that are at least possible.
fn possible(text: &str) -> Vec<(Rule, usize)> {
    Program::new(&code(text), Wave::W32, &[]).possible().iter().map(|f| (f.rule, f.at)).collect()
}

fn possible_helps(text: &str) -> Vec<alloc::string::String> {
    Program::new(&code(text), Wave::W32, &[]).possible().iter().map(|f| format!("{}", f.help())).collect()
}

#[test]
fn loads_are_waited_for() {
    let load = "global_load_b32 v1, v0, s[2:3]\nglobal_load_b32 v2, v0, s[2:3] offset:4\n";
    let read = |wait: &str| found(&format!("{load}{wait}\nv_mov_b32 v3, v1\ns_endpgm"));
    assert_eq!(read("s_nop 0"), [(Rule::ReadTooEarly, 3)]);
    assert_eq!(read("s_waitcnt vmcnt(2)"), [(Rule::ReadTooEarly, 3)]);
    assert_eq!(read("s_waitcnt vmcnt(1)"), []);
    assert_eq!(read("s_waitcnt_vmcnt null, 1"), []);
    assert_eq!(read("s_waitcnt lgkmcnt(0)"), [(Rule::ReadTooEarly, 3)]);
    assert_eq!(helps(&format!("{load}v_mov_b32 v3, v1")), ["s_waitcnt vmcnt(1)"]);
    assert_eq!(read("s_wait_idle"), []);
    let text = format!("{load}v_mov_b32 v1, 0");
    assert_eq!(found(&text), [(Rule::WriteTooEarly, 2)]);
    assert_eq!(
        format!("{}", lint(&code(&text), Wave::W32)[0]),
        "2: a register is written before its pending result arrives (v1) (guide §5.6): v_mov_b32_e32 v1, 0; \
         0: global_load_b32 v1, v0, s[2:3]; help: s_waitcnt vmcnt(1)"
    );
}

#[test]
fn loads_of_one_queue_replace_each_other() {
    assert_eq!(found("ds_load_u16_d16 v1, v0\nds_load_u16_d16_hi v1, v0"), []);
    assert_eq!(found("ds_load_b32 v1, v0\nglobal_load_b32 v1, v0, s[2:3]"), [(Rule::WriteTooEarly, 1)]);
    assert_eq!(found("s_load_b32 s1, s[2:3], null\ns_load_b32 s1, s[4:5], null"), [(Rule::WriteTooEarly, 1)]);
}

#[test]
fn halves_are_registers_of_their_own() {
    let load = |name: &str| format!("{name} v1, v0, s[2:3]\n");
    for (load, reads_high) in [
        (load("global_load_d16_b16"), false),
        (load("global_load_d16_hi_u8"), true),
        ("ds_load_u16_d16_hi v1, v0\n".into(), true),
        ("buffer_load_d16_hi_b16 v1, v0, s[4:7], 0 offen\n".into(), true),
        ("scratch_load_d16_b16 v1, v0, off\n".into(), false),
    ] {
        for (user, rule, low, high) in [
            ("ds_store_b16 v9, v1", Rule::ReadTooEarly, true, false),
            ("global_store_b8 v9, v1, s[2:3]", Rule::ReadTooEarly, true, false),
            ("ds_store_b16_d16_hi v9, v1", Rule::ReadTooEarly, false, true),
            ("global_store_d16_hi_b8 v9, v1, s[2:3]", Rule::ReadTooEarly, false, true),
            ("v_add_f16 v8.l, v1.h, v9.h", Rule::ReadTooEarly, true, true),
            ("v_mov_b16 v1.l, v8.l", Rule::WriteTooEarly, true, true),
            ("ds_store_b32 v9, v1", Rule::ReadTooEarly, true, true),
            ("v_fma_mix_f32 v8, v1, v9, v9 op_sel_hi:[1,0,0]", Rule::ReadTooEarly, true, true),
            ("v_mov_b32 v1, 0", Rule::WriteTooEarly, true, true),
        ] {
            let expected = if if reads_high { high } else { low } { vec![(rule, 1)] } else { vec![] };
            assert_eq!(found(&format!("{load}{user}")), expected, "{load}{user}");
        }
    }
    // Two halves arrive in order, and one wait is for one of them.
    let both =
        "global_load_d16_b16 v1, v0, s[2:3]\nglobal_load_d16_hi_b16 v1, v0, s[2:3] offset:2\ns_waitcnt vmcnt(1)\n";
    assert_eq!(found(&format!("{both}ds_store_b16 v9, v1")), []);
    assert_eq!(found(&format!("{both}ds_store_b16_d16_hi v9, v1")), [(Rule::ReadTooEarly, 3)]);
    // Another queue may write the other half meanwhile.
    assert_eq!(found("ds_load_u16_d16 v1, v0\nglobal_load_d16_hi_b16 v1, v0, s[2:3]"), []);
    assert_eq!(found("ds_load_u16_d16 v1, v0\nglobal_load_d16_b16 v1, v0, s[2:3]"), [(Rule::WriteTooEarly, 1)]);
}

#[test]
fn scalar_memory_comes_in_any_order() {
    let text = "s_load_b32 s4, s[0:1], null\ns_load_b64 s[6:7], s[0:1], 8\ns_waitcnt lgkmcnt(2)\ns_mov_b32 s5, s4";
    assert_eq!(found(text), [(Rule::ReadTooEarly, 3)]);
    // LDS keeps its order beside other accesses.
    let text =
        "ds_load_b32 v1, v0\nds_load_b32 v2, v0\ns_load_b32 s4, s[0:1], null\ns_waitcnt lgkmcnt(1)\nv_mov_b32 v3, v1";
    assert_eq!(found(text), []);
}

#[test]
fn flat_accesses_need_both_counters() {
    let read = |wait: &str| helps(&format!("flat_load_b32 v1, v[2:3]\n{wait}\nv_mov_b32 v3, v1"));
    assert_eq!(read("s_nop 0"), ["s_waitcnt vmcnt(0)", "s_waitcnt lgkmcnt(0)"]);
    assert_eq!(read("s_waitcnt vmcnt(0)"), ["s_waitcnt lgkmcnt(0)"]);
    assert_eq!(read("s_waitcnt vmcnt(0) lgkmcnt(0)"), Vec::<&str>::new());
}

#[test]
fn answers_of_messages_are_waited_for() {
    let read =
        |wait: &str| found(&format!("s_sendmsg_rtn_b32 s2, sendmsg(MSG_RTN_GET_DOORBELL)\n{wait}\ns_mov_b32 s3, s2"));
    assert_eq!(read("s_waitcnt lgkmcnt(1)"), [(Rule::ReadTooEarly, 2)]);
    assert_eq!(read("s_waitcnt lgkmcnt(0)"), []);
}

#[test]
fn exports_read_late() {
    let write = |wait: &str| found(&format!("exp mrt0 v0, v1, v2, v3 done\n{wait}\nv_mov_b32 v2, 0\ns_endpgm"));
    assert_eq!(write("s_nop 0"), [(Rule::ExportOverwritten, 2)]);
    assert_eq!(write("s_waitcnt expcnt(0)"), []);
    assert_eq!(found("exp pos0 v0, v1, v2, v3 done\ns_mov_b32 exec_lo, 0"), [(Rule::ExportOverwritten, 1)]);
    // Exports of different types come in any order, so that a later one does not tell of an earlier one.
    let text = "exp prim v0, off, off, off\nexp pos0 v1, v1, v1, v1 done\ns_waitcnt expcnt(1)\nv_mov_b32 v0, 0";
    assert_eq!(found(text), [(Rule::ExportOverwritten, 3)]);
    // But for colours and depth, of which LLVM keeps one order.
    let text = "exp mrt7 v0, v1, v1, v1\nexp mrtz v1, off, off, off done\ns_waitcnt expcnt(1)\nv_mov_b32 v0, 0";
    assert_eq!(found(text), []);
}

#[test]
fn done_is_the_last_export() {
    assert_eq!(found("exp mrt0 v0, v0, v0, v0 done\nexp mrtz v0, off, off, off"), [(Rule::ExportAfterDone, 1)]);
    assert_eq!(found("exp prim v0, off, off, off done\nexp pos0 v0, v0, v0, v0 done"), []);
    let program = Program::new(&code("exp pos0 v0, v0, v0, v0\ns_endpgm"), Wave::W32, &[]).whole();
    assert_eq!(program.certain().first().map(|f| f.rule), Some(Rule::ExportWithoutDone));
}

#[test]
fn paths_are_followed() {
    // Read on both ways.
    let both = "s_load_b32 s4, s[0:1], null\ns_cbranch_scc1 1\ns_mov_b32 s5, s4\ns_mov_b32 s6, s4\ns_endpgm";
    assert_eq!(found(both), [(Rule::ReadTooEarly, 2), (Rule::ReadTooEarly, 3)]);
    // Waited for on one way, which cannot be told from the other after the place where they meet: who comes along the
    // other edge still reads too early.
    let one = "s_load_b32 s4, s[0:1], null\ns_cbranch_scc1 1\ns_waitcnt lgkmcnt(0)\ns_mov_b32 s6, s4\ns_endpgm";
    assert_eq!(found(one), [(Rule::ReadTooEarly, 3)]);
    // The same, but whoever comes along that edge may turn away before the read.
    let turns = "s_load_b32 s4, s[0:1], null\ns_cbranch_scc1 1\ns_waitcnt lgkmcnt(0)\ns_cbranch_vccz 1\ns_mov_b32 s6, s4\ns_endpgm";
    assert_eq!(found(turns), []);
    let possible = Program::new(&code(turns), Wave::W32, &[]).possible();
    assert_eq!(possible.iter().map(|f| (f.rule, f.at)).collect::<Vec<_>>(), [(Rule::ReadTooEarly, 4)]);
    // A loop reads at its top what it has loaded at its bottom.
    let round = "s_mov_b32 s4, 0\ns_add_u32 s5, s5, s4\ns_load_b32 s4, s[0:1], null\ns_cbranch_scc1 0xfffc\ns_endpgm";
    assert_eq!(found(round), [(Rule::ReadTooEarly, 1)]);
}

#[test]
fn work_of_different_queues_is_not_joined() {
    // After the wait the load from LDS is done, the access to GDS is not; then control may turn away from the read.
    let rest = "ds_load_b32 v9, v0\ns_waitcnt lgkmcnt(1)\ns_cbranch_vccz 1\nv_mov_b32 v3, v1\ns_endpgm";
    let (lds, gds) = ("ds_load_b32 v1, v0", "ds_add_rtn_u32 v1, v0, v2 gds");
    for [one, other] in [[lds, gds], [gds, lds]] {
        let text = format!("s_cbranch_scc1 3\n{one}\ns_branch 2\n{other}\n{rest}");
        assert_eq!(found(&text), [], "{text}");
        assert_eq!(Program::new(&code(&text), Wave::W32, &[]).possible().len(), 1, "{text}");
    }
    // Loads and samples are in one queue, but write their registers in any order.
    let sample = "image_sample v1, v[4:5], s[0:7], s[8:11] dmask:0x1 dim:SQ_RSRC_IMG_2D";
    let load = "global_load_b32 v1, v0, s[2:3]";
    let both = |last: &str| {
        found(&format!("s_cbranch_scc1 3\n{sample}\ns_branch 2\n{load}\ns_cbranch_vccz 3\n{last}\ns_endpgm"))
    };
    assert_eq!(both("v_mov_b32 v3, v1\ns_nop 0\ns_nop 0"), [(Rule::ReadTooEarly, 5)]);
    assert_eq!(both(sample), []);
    assert_eq!(both(&format!("{load}\ns_nop 0")), []);
}

#[test]
fn work_is_followed_to_where_paths_first_meet_again() {
    // The read is executed once before the wait of the loop.
    let text = "s_load_b32 s4, s[0:1], null\ns_cbranch_scc1 1\ns_waitcnt lgkmcnt(0)\ns_cbranch_vccz 1\ns_nop 0\n\
                s_mov_b32 s6, s4\ns_waitcnt lgkmcnt(0)\ns_cbranch_scc0 0xfffd\ns_endpgm";
    assert_eq!(found(text), [(Rule::ReadTooEarly, 5)]);
}

#[test]
fn clauses() {
    let load = "global_load_b32 v1, v0, s[2:3]\nglobal_load_b32 v2, v0, s[2:3]\n";
    assert_eq!(found(&format!("s_clause 0x1\n{load}s_endpgm")), []);
    assert_eq!(found(&format!("s_clause 0x0\n{load}s_endpgm")), [(Rule::ClauseLength, 0)]);
    assert_eq!(found(&format!("s_clause 0x2\n{load}s_endpgm")), [(Rule::ClauseMember, 3)]);
    assert_eq!(found(&format!("s_clause 0x2\ns_nop 0\n{load}s_endpgm")), [(Rule::ClauseStart, 1)]);
    assert_eq!(
        found(&format!("s_clause 0x1\nglobal_store_b32 v0, v0, s[2:3]\n{load}s_endpgm")),
        [(Rule::ClauseMember, 2)]
    );
    assert_eq!(found("s_clause 0x2\nv_nop\ns_delay_alu instid0(VALU_DEP_1)\nv_nop"), [(Rule::ClauseDelay, 2)]);
    assert_eq!(found("s_clause 0x203\nv_nop\ns_nop 0\nv_nop\nv_nop"), [(Rule::ClauseSpan, 1)]);
    assert_eq!(found("s_clause 0x203\nv_nop\nv_nop\nv_nop\nv_nop"), []);
}

#[test]
fn pairs_that_are_kept_apart() {
    let permute = "v_permlane16_b32 v1, v0, s0, s1";
    assert_eq!(found(&format!("v_cmpx_eq_u32 v0, v1\n{permute}")), [(Rule::PermlaneAfterCmpx, 1)]);
    assert_eq!(found(&format!("v_cmpx_eq_u32 v0, v1\ns_nop 0\n{permute}")), [(Rule::PermlaneAfterCmpx, 2)]);
    assert_eq!(found(&format!("v_cmpx_eq_u32 v0, v1\nv_nop\n{permute}")), []);
    let first = "v_wmma_f32_16x16x16_f16 v[16:23], v[0:7], v[8:15], v[16:23]";
    let second = "v_wmma_f32_16x16x16_f16 v[32:39], v[16:23], v[8:15], v[32:39]";
    assert_eq!(found(&format!("{first}\n{second}")), [(Rule::MatrixBackToBack, 1)]);
    assert_eq!(found(&format!("{first}\nv_nop\n{second}")), []);
    assert_eq!(found(&format!("{first}\n{first}")), []);
}

#[test]
fn direct_loads_from_lds() {
    let load = |wait: u8| format!("v_add_f32 v1, v2, v3\nv_nop\nlds_param_load v2, attr0.x wait_vdst:{wait}");
    assert_eq!(found(&load(2)), [(Rule::LdsDirectOverVector, 2)]);
    assert_eq!(found(&load(1)), []);
    let store = "global_store_b32 v0, v2, s[0:1]\n";
    assert_eq!(found(&format!("{store}lds_param_load v2, attr0.x")), [(Rule::LdsDirectOverMemory, 1)]);
    assert_eq!(found(&format!("{store}v_nop\nlds_param_load v2, attr0.x")), []);
    let interp =
        |wait: u8| found(&format!("lds_param_load v2, attr0.x\nv_interp_p10_f32 v4, v2, v1, v2 wait_exp:{wait}"));
    assert_eq!(interp(0), []);
    assert_eq!(interp(1), [(Rule::ReadTooEarly, 1)]);
}

#[test]
fn synchronization_and_messages() {
    assert_eq!(found("ds_add_u32 v0, v1 gds\nds_gws_barrier v0 gds\ns_waitcnt lgkmcnt(0)"), [(Rule::GwsBefore, 1)]);
    assert_eq!(found("ds_gws_barrier v0 gds\ns_nop 0"), [(Rule::GwsAfter, 1)]);
    let message = "s_nop 0\ns_sendmsg sendmsg(MSG_DEALLOC_VGPRS)\n";
    assert_eq!(found(&format!("{message}s_nop 0\ns_endpgm")), [(Rule::DeallocThenEnd, 2)]);
    assert_eq!(found(&format!("{message}s_endpgm")), []);
    // The numbers of S_SENDMSG mean nothing in S_SENDMSG_RTN, but it has an answer.
    let reserved = "s_sendmsg_rtn_b32 s4, sendmsg(MSG_DEALLOC_VGPRS)\n";
    assert_eq!(found(&format!("{reserved}s_waitcnt lgkmcnt(0)\ns_mov_b32 s5, s4\ns_endpgm")), []);
    assert_eq!(found(&format!("{reserved}s_mov_b32 s5, s4\ns_endpgm")), [(Rule::ReadTooEarly, 1)]);
    assert_eq!(found("s_load_b32 s4, s[0:1], null\ns_dcache_inv"), [(Rule::InvalidateApart, 1)]);
}

#[test]
fn the_end_of_code() {
    let rules = |text: &str, pad: usize| {
        let mut code = code(text);
        code.extend(std::iter::repeat_n("s_code_end".parse::<Instr>().unwrap(), pad));
        let program = Program::new(&code, Wave::W32, &[]).whole().padded();
        program.certain().iter().map(|f| f.rule).collect::<Vec<_>>()
    };
    assert_eq!(rules("s_endpgm", 64), []);
    assert_eq!(rules("s_endpgm", 63), [Rule::Padding]);
    assert_eq!(rules("s_nop 0\nv_nop", 0), [Rule::RunsOff]);
}

#[test]
fn any_order_of_instructions_is_taken() {
    // Branches out of the slice, into instructions, and nothing at all.
    assert_eq!(found(""), []);
    assert_eq!(found("s_branch 0x7fff"), []);
    assert_eq!(found("s_branch 1\nv_mov_b32 v0, 0x12345678\ns_branch 0xffff"), []);
}

#[test]
fn lanes_that_are_off_need_no_wait() {
    let load = "s_and_saveexec_b32 s4, vcc_lo\nglobal_load_b32 v1, v0, s[2:3]\n";
    // The other lanes alone write their part of the register.
    assert_eq!(found(&format!("{load}s_xor_b32 exec_lo, exec_lo, s4\nv_mov_b32 v1, 0")), []);
    assert_eq!(found(&format!("{load}s_mov_b32 exec_lo, s9\nv_mov_b32 v1, 0")), []);
    // All lanes, and some of those that load.
    assert_eq!(found(&format!("{load}s_or_b32 exec_lo, exec_lo, s4\nv_mov_b32 v1, 0")), [(Rule::WriteTooEarly, 3)]);
    assert_eq!(found(&format!("{load}v_cmpx_eq_u32 v0, v2\nv_mov_b32 v3, v1")), [(Rule::ReadTooEarly, 3)]);
    // Restoring a mask that was saved activates the lanes again. An unknown mask may activate none of them.
    let back = |saved: &str| {
        found(&format!(
            "global_load_b32 v1, v0, s[2:3]\ns_and_saveexec_b32 s4, s8\ns_or_b32 exec_lo, exec_lo, {saved}\n\
         s_and_saveexec_b32 s5, s9\nv_mov_b32 v3, v1"
        ))
    };
    assert_eq!(back("s4"), [(Rule::ReadTooEarly, 4)]);
    assert_eq!(back("s7"), []);
    // An if and its else, as compilers write them: both are within what was on before.
    let text = "global_load_b32 v1, v0, s[2:3]\ns_and_saveexec_b32 s4, vcc_lo\ns_xor_b32 s4, exec_lo, s4\n\
                s_and_not1_saveexec_b32 s4, s4\nv_mov_b32 v3, v1";
    assert_eq!(found(text), [(Rule::ReadTooEarly, 4)]);
}

#[test]
fn waits_count_to_the_maximum_minus_one() {
    let loads = |n: usize, load: &str| format!("{load}\n").repeat(n) + "v_mov_b32 v5, v1";
    // The first load writes v1, the others v2.
    let lds = |n: usize| format!("ds_load_b32 v1, v0\n{}", loads(n - 1, "ds_load_b32 v2, v0"));
    assert_eq!(helps(&lds(63)), ["s_waitcnt lgkmcnt(62)"]);
    // The counter holds no more than 63, so that it is not certain that the first one is pending; LLVM waits.
    assert_eq!(helps(&lds(64)), [""; 0]);
    assert_eq!(helps(&lds(90)), [""; 0]);
    assert_eq!(possible_helps(&lds(90)), ["s_waitcnt lgkmcnt(62)"]);
    let fixed = lds(90).replace("v_mov", "s_waitcnt lgkmcnt(62)\nv_mov");
    assert_eq!(possible(&fixed), []);
    let void = lds(90).replace("v_mov", "s_waitcnt_lgkmcnt null, 63\nv_mov");
    assert_eq!(possible(&void), [(Rule::ReadTooEarly, 91)]);
    let memory =
        |n: usize| format!("global_load_b32 v1, v0, s[0:1]\n{}", loads(n - 1, "global_load_b32 v2, v0, s[0:1]"));
    assert_eq!(helps(&memory(63)), ["s_waitcnt vmcnt(62)"]);
    assert_eq!(possible_helps(&memory(90)), ["s_waitcnt vmcnt(62)"]);
    // LLVM takes exports that the counter cannot hold as done.
    let exports =
        |n: usize| format!("exp mrt0 v1, v1, v1, v1\n{}v_mov_b32 v1, 0", "exp mrt1 v2, v2, v2, v2\n".repeat(n - 1));
    assert_eq!(helps(&exports(7)), ["s_waitcnt expcnt(6)"]);
    assert_eq!(found(&exports(8)), []);
}

#[test]
fn only_zero_proves_that_scalar_loads_arrived() {
    for load in ["s_load_b32 s4, s[0:1], null", "s_load_b64 s[4:5], s[0:1], null", "s_load_b512 s[4:19], s[0:1], null"]
    {
        let read = |wait: &str| found(&format!("{load}\n{wait}\ns_mov_b32 s32, s4"));
        assert_eq!(read("s_waitcnt lgkmcnt(1)"), [(Rule::ReadTooEarly, 2)], "{load}");
        assert_eq!(read("s_waitcnt lgkmcnt(0)"), [], "{load}");
        assert_eq!(helps(&format!("{load}\ns_mov_b32 s32, s4")), ["s_waitcnt lgkmcnt(0)"], "{load}");
        // Other increments of the counter may follow.
        let others = [
            "ds_load_b32 v1, v0",
            "ds_add_u32 v0, v1 gds",
            "s_sendmsg sendmsg(MSG_INTERRUPT)",
            "s_sendmsg_rtn_b32 s40, sendmsg(MSG_RTN_GET_DOORBELL)",
            "flat_load_b32 v1, v[2:3]",
            "s_load_b32 s40, s[0:1], 4",
        ];
        for other in others {
            let text = format!("{load}\n{other}\ns_mov_b32 s32, s4");
            assert_eq!(helps(&text), ["s_waitcnt lgkmcnt(0)"], "{text}");
        }
    }
    // A message with an answer that is pending has counted down once when it was sent, and a later one too.
    let answers = "s_sendmsg_rtn_b32 s4, sendmsg(MSG_RTN_GET_DOORBELL)\n\
                   s_sendmsg_rtn_b32 s5, sendmsg(MSG_RTN_GET_REALTIME)\ns_mov_b32 s6, s4";
    assert_eq!(helps(answers), ["s_waitcnt lgkmcnt(1)"]);
}

#[test]
fn implicit_reads_count() {
    let load = "s_load_b64 vcc, s[0:1], null";
    let cases64 = [
        "s_cbranch_vccz 0",
        "s_cbranch_vccnz 0",
        "v_cndmask_b32 v0, v1, v2, vcc",
        "v_add_co_ci_u32 v0, vcc, v1, v2, vcc",
        "v_div_fmas_f32 v0, v1, v2, v3",
        "v_div_fmas_f64 v[0:1], v[2:3], v[4:5], v[6:7]",
    ];
    let parse = |text: &str, wave| -> Instr {
        use rdna_rows::isa::{Options, parse};
        parse::<rdna_rows::Rdna3>(text, Options::from(wave)).unwrap_or_else(|e| panic!("{text}: {e}"))
    };
    for user in cases64 {
        let code = [parse(load, Wave::W64), parse(user, Wave::W64)];
        let rules: Vec<_> = lint(&code, Wave::W64).iter().map(|f| (f.rule, f.at)).collect();
        assert_eq!(rules, [(Rule::ReadTooEarly, 1)], "{user}");
    }
    for user in ["s_cbranch_vccz 0", "s_cbranch_vccnz 0", "v_div_fmas_f32 v0, v1, v2, v3"] {
        assert_eq!(found(&format!("s_load_b32 vcc_lo, s[0:1], null\n{user}")), [(Rule::ReadTooEarly, 1)], "{user}");
        // The other half is not read in wave32.
        assert_eq!(found(&format!("s_load_b32 vcc_hi, s[0:1], null\n{user}")), [], "{user}");
    }
    let message = |to: &str| format!("s_sendmsg_rtn_b32 {to}, sendmsg(MSG_RTN_GET_DOORBELL)\n");
    for user in ["v_mov_b32 v0, 0", "s_cbranch_execz 0", "s_and_saveexec_b32 s4, s5", "global_load_b32 v1, v0, s[0:1]"]
    {
        assert_eq!(found(&(message("exec_lo") + user)), [(Rule::ReadTooEarly, 1)], "{user}");
    }
    let readers_of_m0 = [
        "s_sendmsg sendmsg(MSG_INTERRUPT)",
        "s_movrels_b32 s4, s5",
        "v_movreld_b32 v0, v1",
        "lds_param_load v0, attr0.x",
        "ds_load_addtid_b32 v0",
        "ds_append v0",
        "ds_add_u32 v0, v1 gds",
    ];
    for user in readers_of_m0 {
        assert!(found(&(message("m0") + user)).contains(&(Rule::ReadTooEarly, 1)), "{user}");
        assert_eq!(found(&(message("s9") + user)), [], "{user}");
    }
}

#[test]
fn indexed_registers_are_not_certain() {
    let text = "global_load_b32 v1, v0, s[0:1]\nv_movrels_b32 v2, v1";
    assert_eq!(found(text), []);
    assert_eq!(Program::new(&code(text), Wave::W32, &[]).possible().len(), 1);
}

#[test]
fn msaa_loads_are_loads_and_samples() {
    let msaa = "image_msaa_load v[0:3], v[4:6], s[0:7] dmask:0x1 dim:SQ_RSRC_IMG_2D_MSAA";
    let sample = "image_sample v[8:11], v[4:5], s[0:7], s[8:11] dmask:0xf dim:SQ_RSRC_IMG_2D";
    let load = "image_load v[12:15], v[4:5], s[0:7] dmask:0xf dim:SQ_RSRC_IMG_2D";
    for both in [[msaa, sample], [sample, msaa], [msaa, load], [load, msaa]] {
        assert_eq!(found(&format!("s_clause 0x1\n{}\n{}\ns_endpgm", both[0], both[1])), [], "{both:?}");
    }
    // One clause has one type.
    let three = format!("s_clause 0x2\n{msaa}\n{sample}\n{load}\ns_endpgm");
    assert_eq!(found(&three), [(Rule::ClauseMember, 3)]);
    let other = format!("s_clause 0x1\n{sample}\n{load}\ns_endpgm");
    assert_eq!(found(&other), [(Rule::ClauseMember, 2)]);
}

#[test]
fn branches_out_of_the_program_may_turn_away() {
    let load = "s_load_b32 s4, s[0:1], null\ns_cbranch_scc1 1\ns_waitcnt lgkmcnt(0)\n";
    // The second branch is taken to a place outside, so that the read is not certain along the edge without a wait.
    assert_eq!(found(&format!("{load}s_cbranch_scc0 0x7000\ns_mov_b32 s6, s4\ns_endpgm")), []);
    assert_eq!(found(&format!("{load}s_nop 0\ns_mov_b32 s6, s4\ns_endpgm")), [(Rule::ReadTooEarly, 4)]);
    let text = code(&format!("{load}s_cbranch_scc0 0\ns_mov_b32 s6, s4\ns_endpgm"));
    assert_eq!(Program::new(&text, Wave::W32, &[]).certain().len(), 1);
    assert_eq!(Program::with_unresolved(&text, Wave::W32, &[], &[3]).certain(), []);
}

#[test]
fn flat_accesses_overtake_each_other() {
    // §11.1.1: if one flat access finds its data in memory and the next one in LDS, the second may complete first; if both return
    // data to the same VGPR, the result is unknown.
    let loads = ["flat_load_b32 v1, v[2:3]", "global_load_b32 v1, v0, s[2:3]", "ds_load_b32 v1, v0"];
    let flat =
        ["flat_load_b32 v1, v[2:3]", "flat_load_d16_hi_b16 v1, v[2:3]", "flat_atomic_add_u32 v1, v[2:3], v4 glc"];
    for load in loads {
        for later in flat {
            assert_eq!(
                found(&format!("{load}\n{later}")),
                vec![(Rule::WriteTooEarly, 1); waits_of(load)],
                "{load} {later}"
            );
            let waits = "s_waitcnt vmcnt(0) lgkmcnt(0)";
            assert_eq!(found(&format!("{load}\n{waits}\n{later}")), [], "{load} {later}");
        }
    }
    assert_eq!(found(&format!("{}\n{}", flat[0], loads[1])), [(Rule::WriteTooEarly, 1); 2]);
    // The part in LDS is done, and the part in memory is in the order of other loads.
    assert_eq!(found(&format!("{}\ns_waitcnt lgkmcnt(0)\n{}", flat[0], loads[1])), []);
    assert_eq!(found(&format!("{}\ns_waitcnt vmcnt(0)\n{}", flat[0], loads[2])), []);
    // Both counters decrease in order, so that a wait may count past later accesses, as in LLVM's code.
    let text = "flat_load_b32 v1, v[2:3]\nflat_load_b32 v5, v[2:3]\ns_waitcnt vmcnt(1) lgkmcnt(1)\nv_mov_b32 v6, v1";
    assert_eq!(found(text), []);
}

/// Returns the number of counters that an instruction raises.
fn waits_of(text: &str) -> usize {
    crate::counter::raises(&code(text)[0]).count()
}

#[test]
fn direct_loads_follow_what_waits_for_vector_instructions() {
    let after = |between: &str| {
        found(&format!("v_add_f32 v1, v2, v3\n{between}\nlds_direct_load v2 wait_vdst:15\ns_waitcnt vmcnt(0)"))
    };
    assert_eq!(after("s_nop 0"), [(Rule::LdsDirectOverVector, 2)]);
    // Memory instructions and exports are issued after the vector instructions before them are done.
    for drain in [
        "scratch_store_b32 off, v9, off offset:12",
        "global_load_b32 v9, v8, s[0:1]",
        "buffer_store_b32 v9, off, s[0:3], 0",
        "image_load v9, v[7:8], s[0:7] dmask:0x1 dim:SQ_RSRC_IMG_2D",
        "ds_store_b32 v9, v9",
        "flat_store_b32 v[8:9], v9",
        "exp mrt0 v9, v9, v9, v9",
        "s_waitcnt_depctr depctr_va_vdst(0)",
    ] {
        assert_eq!(after(drain), [], "{drain}");
    }
    // So is an earlier direct load, as far as its own field says.
    assert_eq!(after("lds_direct_load v9 wait_vdst:0"), []);
    assert_eq!(after("lds_direct_load v9 wait_vdst:1"), [(Rule::LdsDirectOverVector, 2)]);
    assert_eq!(after("v_nop\nlds_direct_load v9 wait_vdst:1"), []);
    assert_eq!(after("v_nop\nlds_direct_load v9 wait_vdst:2"), [(Rule::LdsDirectOverVector, 3)]);
    assert_eq!(after("s_load_b32 s4, s[0:1], null"), [(Rule::LdsDirectOverVector, 2)]);
}

#[test]
fn waits_precede_clauses() {
    let source = "ds_load_b32 v0, v9\ns_clause 0x1\nglobal_load_b32 v1, v0, s[2:3]\nglobal_load_b32 v2, v0, s[2:3]";
    let lines = code(source);
    let findings = lint(&lines, Wave::W32);
    assert_eq!(findings.iter().map(|f| (f.rule, f.at, f.insert_at)).collect::<Vec<_>>(), [(Rule::ReadTooEarly, 2, 1)]);
    assert!(format!("{}", findings[0]).ends_with("; help: s_waitcnt lgkmcnt(0) before 1"), "{}", findings[0]);
    let insert = |at: usize| {
        let mut lines: Vec<&str> = source.lines().collect();
        lines.insert(at, "s_waitcnt lgkmcnt(0)");
        found(&lines.join("\n"))
    };
    assert_eq!(insert(1), []);
    assert_eq!(insert(2), [(Rule::ClauseStart, 2)]);
    // In the middle of a clause, and where a branch enters it, the wait directly precedes the instruction.
    let middle = "ds_load_b32 v0, v9\ns_clause 0x1\nglobal_load_b32 v1, v9, s[2:3]\nglobal_load_b32 v2, v0, s[2:3]";
    assert_eq!(lint(&code(middle), Wave::W32)[0].insert_at, 3);
    let entered = format!("s_cbranch_scc1 3\n{source}");
    let program = Program::new(&code(&entered), Wave::W32, &[]);
    assert_eq!(program.possible().iter().map(|f| (f.at, f.insert_at)).collect::<Vec<_>>(), [(3, 3)]);
}

#[test]
fn waits_of_synchronization_are_suggested() {
    for text in ["ds_add_u32 v0, v1 gds\nds_gws_barrier v0 gds\ns_waitcnt lgkmcnt(0)", "ds_gws_barrier v0 gds\ns_nop 0"]
    {
        let findings = lint(&code(text), Wave::W32);
        assert_eq!(findings.iter().map(|f| f.wait).collect::<Vec<_>>(), [Some((Counter::Lgkm, 0))], "{text}");
        let mut lines: Vec<&str> = text.lines().collect();
        lines.insert(findings[0].insert_at, "s_waitcnt lgkmcnt(0)");
        assert_eq!(found(&lines.join("\n")), [], "{text}");
    }
}

/// The findings of wave64 that are certain, and those that are possible, with their advice.
fn in_wave64(text: &str) -> [Vec<(Rule, usize, alloc::string::String)>; 2] {
    use rdna_rows::isa::{Options, parse};
    let line = |l| parse::<rdna_rows::Rdna3>(l, Options::from(Wave::W64)).unwrap_or_else(|e| panic!("{l}: {e}"));
    let code: Vec<Instr> = text.lines().map(line).collect();
    let program = Program::new(&code, Wave::W64, &[]);
    let brief = |f: &Finding| (f.rule, f.at, format!("{}", f.help()));
    let certain: Vec<_> = program.certain().iter().map(brief).collect();
    let possible = program.possible().iter().map(brief).filter(|f| !certain.contains(f)).collect();
    [certain, possible]
}

#[test]
fn hazards_reach_across_branches() {
    // The second matrix instruction of a turn is the one before the first of the next.
    let matrices = "v_wmma_f32_16x16x16_f16 v[0:7], v[8:15], v[16:23], v[0:7]\n\
                    v_wmma_f32_16x16x16_f16 v[8:15], v[24:31], v[32:39], v[8:15]\n";
    assert_eq!(found(&format!("{matrices}s_cbranch_scc1 0xfffb\ns_endpgm")), [(Rule::MatrixBackToBack, 0)]);
    assert_eq!(found(&format!("{matrices}v_nop\ns_cbranch_scc1 0xfffa\ns_endpgm")), []);
    let permutation = "v_permlane16_b32 v0, v1, s0, s1\ns_endpgm";
    let cmpx = "v_cmpx_eq_u32 v0, v2\ns_cbranch_execz 2\n";
    assert_eq!(found(&format!("{cmpx}{permutation}")), [(Rule::PermlaneAfterCmpx, 2)]);
    assert_eq!(found(&format!("{cmpx}v_mov_b32 v9, v9\n{permutation}")), []);
    // On one path only, which is certain where its edge is taken.
    let one = format!("s_cbranch_scc1 1\nv_cmpx_eq_u32 v0, v2\n{permutation}");
    assert_eq!(found(&one), [(Rule::PermlaneAfterCmpx, 2)]);
    // On one path, whose edge is shared, and which may turn away.
    let turns = format!("s_cbranch_scc1 1\nv_cmpx_eq_u32 v0, v2\ns_nop 0\ns_cbranch_vccz 1\n{permutation}");
    assert_eq!(found(&turns), []);
    assert_eq!(possible(&turns), [(Rule::PermlaneAfterCmpx, 4)]);
    let head = "v_add_f32 v1, v2, v3\ns_cbranch_scc1 0\nlds_direct_load v2 wait_vdst:15\ns_endpgm";
    assert_eq!(found(head), [(Rule::LdsDirectOverVector, 2)]);
    let export = "exp mrt0 v0, v0, v0, v0 done\ns_cbranch_scc1 0\nexp mrt0 v0, v0, v0, v0\ns_endpgm";
    assert_eq!(found(export), [(Rule::ExportAfterDone, 2)]);
}

#[test]
fn results_of_transcendental_instructions_need_distance() {
    let after = |between: &str| found(&format!("v_exp_f32 v1, v2\n{between}v_add_f32 v5, v1, v1\ns_endpgm"));
    assert_eq!(after(""), [(Rule::TranscendentalUse, 1)]);
    assert_eq!(helps("v_exp_f32 v1, v2\nv_add_f32 v5, v1, v1"), ["s_waitcnt_depctr depctr_va_vdst(0)"]);
    assert_eq!(after(&"v_nop\n".repeat(5)), [(Rule::TranscendentalUse, 6)]);
    assert_eq!(after(&"v_nop\n".repeat(6)), []);
    assert_eq!(after("v_log_f32 v8, v9\n"), [(Rule::TranscendentalUse, 2)]);
    assert_eq!(after("v_log_f32 v8, v9\nv_log_f32 v8, v9\n"), []);
    for drain in ["s_waitcnt_depctr depctr_va_vdst(0)\n", "ds_store_b32 v9, v9\n", "exp mrt0 v9, v9, v9, v9\n"] {
        assert_eq!(after(drain), [], "{drain}");
    }
    assert_eq!(after("s_waitcnt_depctr depctr_va_vdst(1)\n"), [(Rule::TranscendentalUse, 2)]);
    assert_eq!(found("v_exp_f32 v1, v2\nv_exp_f32 v1, v3\nv_mov_b32 v4, v3"), []);
    // LLVM tells the halves of a register from each other, ACO does not.
    let halves = "v_sqrt_f16 v3.h, v2.h\nv_add_f16 v5.l, v3.l, v4.l";
    assert_eq!((found(halves), possible(halves)), (vec![], vec![(Rule::TranscendentalUse, 1)]));
    assert_eq!(found("v_sqrt_f16 v3.h, v2.h\nv_add_f16 v5.l, v3.h, v4.l"), [(Rule::TranscendentalUse, 1)]);
    assert_eq!(found("v_sqrt_f16 v3.h, v2.h\nv_mov_b32 v5, v3"), [(Rule::TranscendentalUse, 1)]);
}

#[test]
fn masks_are_not_rewritten_under_vector_instructions() {
    let found = |between: &str, last: &str| {
        in_wave64(&format!("v_cndmask_b32_e64 v0, v1, v2, s[4:5]\n{between}\n{last}\ns_endpgm"))
    };
    let wait = |at, dependency: &str| vec![(Rule::MaskRewritten, at, format!("s_waitcnt_depctr {dependency}(0)"))];
    let sa = |at| wait(at, "depctr_sa_sdst");
    assert_eq!(found("s_mov_b64 s[4:5], s[6:7]", "s_mov_b32 s9, s5"), [sa(2), vec![]]);
    assert_eq!(found("s_mov_b64 s[4:5], s[6:7]", "v_mov_b32_e32 v3, s4"), [sa(2), vec![]]);
    assert_eq!(found("s_mov_b32 s5, s6", "s_mov_b32 s9, s5"), [sa(2), vec![]]);
    assert_eq!(found("s_mov_b32 s5, s6", "s_mov_b32 s9, s4"), [vec![], vec![]]);
    assert_eq!(found("v_cmp_eq_u32_e64 s[4:5], v1, v2", "s_mov_b32 s9, s5"), [wait(2, "depctr_va_sdst"), vec![]]);
    let waited = |wait: &str| found(&format!("s_mov_b64 s[4:5], s[6:7]\ns_waitcnt_depctr {wait}"), "s_mov_b32 s9, s5");
    assert_eq!(waited("depctr_sa_sdst(0)"), [vec![], vec![]]);
    assert_eq!(waited("depctr_va_sdst(0)"), [sa(3), vec![]]);
    // ACO takes the mask as read once a vector instruction reads another scalar register, LLVM does not.
    assert_eq!(found("v_mov_b32_e32 v8, s9\ns_mov_b64 s[4:5], s[6:7]", "s_mov_b32 s9, s5"), [vec![], sa(3)]);
    // VCC has its own counter.
    let vcc = "v_cndmask_b32_e32 v0, v1, v2, vcc\nv_cmp_eq_u32_e32 vcc, v1, v2\nv_cndmask_b32_e32 v0, v1, v2, vcc";
    assert_eq!(in_wave64(vcc), [wait(2, "depctr_va_vcc"), vec![]]);
    // EXEC does not count as such a mask, and wave32 does not have the hazard.
    assert_eq!(
        in_wave64("v_cndmask_b32_e64 v0, v1, v2, exec\ns_mov_b64 exec, s[6:7]\nv_mov_b32_e32 v3, v4"),
        [vec![], vec![]]
    );
    assert_eq!(possible("v_cndmask_b32_e64 v0, v1, v2, s4\ns_mov_b32 s4, s6\ns_mov_b32 s9, s4"), []);
}

#[test]
fn results_from_both_sides_of_exec_need_distance() {
    let found = |first: usize, second: usize, third: usize| {
        let nops = |n: usize| "v_nop\n".repeat(n);
        let text = format!(
            "v_mov_b32_e32 v1, 0\n{}s_mov_b64 exec, s[2:3]\n{}v_mov_b32_e32 v2, 0\n{}v_add_f32_e32 v5, v1, v2\ns_endpgm",
            nops(first),
            nops(second),
            nops(third)
        );
        in_wave64(&text)[0].iter().map(|f| f.0).collect::<Vec<_>>()
    };
    let hazard = vec![Rule::PartialForwarding];
    assert_eq!(found(0, 0, 0), hazard);
    assert_eq!(found(2, 0, 4), hazard);
    assert_eq!(found(1, 1, 4), hazard);
    assert_eq!(found(0, 0, 5), []);
    assert_eq!(found(3, 0, 0), []);
    assert_eq!(found(2, 1, 0), []);
}

#[test]
fn memory_instructions_have_read_what_a_wait_proves() {
    let after = |between: &str| {
        found(&format!(
            "buffer_store_b32 v1, off, s[0:3], 0\n{between}\nlds_param_load v1, attr0.x wait_vdst:15\ns_endpgm"
        ))
    };
    assert_eq!(after("s_waitcnt lgkmcnt(0)"), [(Rule::LdsDirectOverMemory, 2)]);
    assert_eq!(after("s_waitcnt_vscnt null, 0x1"), [(Rule::LdsDirectOverMemory, 2)]);
    assert_eq!(after("s_waitcnt_vscnt null, 0x0"), []);
    assert_eq!(after("s_waitcnt_depctr depctr_vm_vsrc(0)"), []);
    // Loads are done in order.
    let load = "global_load_b32 v5, v1, s[0:1]\nglobal_load_b32 v6, v9, s[0:1]\n";
    let after = |wait: &str| found(&format!("{load}{wait}\nlds_param_load v1, attr0.x wait_vdst:15\ns_endpgm"));
    assert_eq!(after("s_waitcnt vmcnt(1)"), []);
    assert_eq!(after("s_waitcnt vmcnt(2)"), [(Rule::LdsDirectOverMemory, 3)]);
}

#[test]
fn direct_loads_wait_for_writers_and_transcendental_instructions() {
    let direct = |before: &str, wait: u8| found(&format!("{before}\nlds_direct_load v2 wait_vdst:{wait}\ns_endpgm"));
    assert_eq!(direct("v_mov_b32 v2, v9", 1), [(Rule::LdsDirectOverVector, 1)]);
    assert_eq!(direct("v_mov_b32 v8, v2\nv_mov_b32 v8, v9", 1), []);
    assert_eq!(direct("v_mov_b32 v8, v2\nv_exp_f32 v8, v9", 1), [(Rule::LdsDirectOverVector, 2)]);
    assert_eq!(direct("v_mov_b32 v8, v2\nv_exp_f32 v8, v9", 0), []);
}

#[test]
fn the_end_of_a_wave_frees_scratch_memory() {
    let end = "s_nop 0\ns_sendmsg sendmsg(MSG_DEALLOC_VGPRS)\ns_endpgm";
    assert_eq!(found(&format!("scratch_store_b32 off, v9, off\n{end}")), [(Rule::ScratchBeforeDealloc, 2)]);
    assert_eq!(found(&format!("scratch_store_b32 off, v9, off\ns_waitcnt_vscnt null, 0x0\n{end}")), []);
    assert_eq!(found(&format!("global_store_b32 v8, v9, s[0:1]\n{end}")), []);
    // The counter cannot hold more than 63 stores: LLVM does not wait after as many later ones.
    let after =
        |count| format!("scratch_store_b32 off, v9, off\n{}{end}", "global_store_b32 v8, v9, s[0:1]\n".repeat(count));
    assert_eq!(found(&after(62)), [(Rule::ScratchBeforeDealloc, 64)]);
    assert_eq!((found(&after(63)), possible(&after(63))), (vec![], vec![(Rule::ScratchBeforeDealloc, 65)]));
    assert_eq!(
        found(&format!("{}{}", "scratch_store_b32 off, v9, off\n".repeat(80), end)),
        [(Rule::ScratchBeforeDealloc, 81)]
    );
}

#[test]
fn long_products_do_not_overlap_their_sources() {
    assert_eq!(found("v_mad_u64_u32 v[0:1], null, v4, s2, v[0:1]"), [(Rule::LateSources, 0)]);
    assert_eq!(found("v_mad_i64_i32 v[0:1], null, v1, s2, v[4:5]"), [(Rule::LateSources, 0)]);
    assert_eq!(found("v_mad_u64_u32 v[0:1], null, v4, s2, v[2:3]"), []);
    // Compilers do this where v1 is undefined.
    let upper = "v_mad_u64_u32 v[1:2], null, v4, s2, v[0:1]";
    assert_eq!((found(upper), possible(upper)), (vec![], vec![(Rule::LateSources, 0)]));
}

#[test]
fn pairs_read_registers_of_both_parities() {
    let pair = |y: u8| {
        possible(&format!(
            "v_mul_f32 v1, v8, v9\nv_mul_f32 v{y}, v8, v9\nv_dual_add_f32 v4, v1, v6 :: v_dual_add_f32 v5, v{y}, v7"
        ))
    };
    assert_eq!(pair(3), [(Rule::PairParity, 2)]);
    assert_eq!(pair(2), []);
}

#[test]
fn what_only_the_meaning_of_a_program_makes_wrong_is_possible() {
    let text = "ds_store_b32 v0, v1\ns_barrier\nds_load_b32 v2, v3";
    assert_eq!((found(text), possible(text)), (vec![], vec![(Rule::PendingAtBarrier, 1)]));
    assert_eq!(possible_helps(text), ["s_waitcnt lgkmcnt(0)"]);
    assert_eq!(possible("ds_store_b32 v0, v1\ns_waitcnt lgkmcnt(0)\ns_barrier"), []);
    // The load is done in order.
    assert_eq!(possible("ds_store_b32 v0, v1\nds_bpermute_b32 v5, v6, v7\ns_waitcnt lgkmcnt(1)\ns_barrier"), []);
    assert_eq!(possible("ds_ordered_count v2, v2 offset:768 gds\nv_mov_b32 v7, 0"), [(Rule::OrderedCountAfter, 1)]);
    let gds = "ds_add_u32 v0, v1 gds\nv_mov_b32 v1, 0";
    assert_eq!((found(gds), possible(gds)), (vec![], vec![(Rule::GdsOverwritten, 1)]));
    assert_eq!(possible("ds_add_u32 v0, v1 gds\ns_waitcnt expcnt(0)\nv_mov_b32 v1, 0"), []);
    let stores = "global_store_b32 v8, v9, s[0:1]\nexp pos0 v0, v0, v0, v0 done";
    assert_eq!((found(stores), possible(stores)), (vec![], vec![(Rule::StoreBeforeExport, 1)]));
}

#[test]
fn streamout_registers_have_one_dword_or_two() {
    // The first half of the registers has 32 bits (guide §12.6.1, table 61).

    assert_eq!(found("ds_add_gs_reg_rtn v[5:6], v5 gds\nv_mov_b32 v6, s21\ns_waitcnt lgkmcnt(0)"), []);
    let wide = "ds_add_gs_reg_rtn v[5:6], v5 offset:32 gds\nv_mov_b32 v6, s21\ns_waitcnt lgkmcnt(0)";
    assert_eq!(found(wide), [(Rule::WriteTooEarly, 1)]);
}

/// Findings cite the section of the guide of the instruction's generation.
#[test]
fn rules_have_the_sections_of_each_guide() {
    use rdna_rows::Family;

    let sections = |rule: Rule| [Family::Gfx11, Family::Gfx12].map(|family| rule.authority_in(family));
    assert_eq!(sections(Rule::ReadTooEarly), ["5.6", "5.7"].map(Authority::Guide));
    assert_eq!(sections(Rule::ClauseMember), ["5.2", "5.3"].map(Authority::Guide));
    assert_eq!(sections(Rule::PermlaneAfterCmpx), ["7.2.8"; 2].map(Authority::Guide));
    assert_eq!(sections(Rule::ScalarRewritten), ["LLVM and ACO"; 2].map(Authority::Compilers));
}

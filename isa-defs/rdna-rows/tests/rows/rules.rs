//! For each rule an instruction that breaks it and one at its edge that does not.

use rdna_rows::__private::{Verdicts, verdicts};
use rdna_rows::isa;
use rdna_rows::rdna3::Instr;
use rdna_rows::{Authority, Rule, Violation, Wave};

/// An instruction that breaks a rule.
enum Broken {
    /// This text.
    Text(&'static str),
    /// The words of the legal instruction with these bits inverted, for violations without text.
    Bits([u32; 2]),
}
use Broken::{Bits, Text};

struct Case {
    rule: Rule,
    operand: &'static str,
    wave: Wave,
    broken: Broken,
    kept: &'static str,
}

const fn case(rule: Rule, operand: &'static str, broken: Broken, kept: &'static str) -> Case {
    Case { rule, operand, wave: Wave::W32, broken, kept }
}

const CASES: &[Case] = &[
    case(Rule::ConstantBus, "s2", Text("v_fma_f32 v0, s1, s2, s3"), "v_fma_f32 v0, s1, s2, s1"),
    case(Rule::ConstantBus, "s2", Text("v_fma_f32 v0, s1, 0x1234, s3"), "v_fma_f32 v0, s1, 0x1234, s1"),
    case(Rule::ConstantBus, "s1", Text("v_lshlrev_b64 v[0:1], s1, s[2:3]"), "v_lshlrev_b64 v[0:1], 1, s[2:3]"),
    case(
        Rule::BankOfSource0,
        "s0",
        Text("v_dual_mul_f32 v0, v1, v2 :: v_dual_mul_f32 v3, v5, v3"),
        "v_dual_mul_f32 v0, v1, v2 :: v_dual_mul_f32 v3, v2, v3",
    ),
    case(
        Rule::BankOfSource1,
        "s1",
        Text("v_dual_mul_f32 v0, v1, v2 :: v_dual_mul_f32 v3, v2, v6"),
        "v_dual_mul_f32 v0, v1, v2 :: v_dual_mul_f32 v3, v2, v3",
    ),
    case(
        Rule::BankOfSource2,
        "s2",
        Text("v_dual_fmamk_f32 v0, v1, 0x1234, v2 :: v_dual_fmamk_f32 v3, v2, 0x1234, v4"),
        "v_dual_fmamk_f32 v0, v1, 0x1234, v2 :: v_dual_fmamk_f32 v3, v2, 0x1234, v5",
    ),
    case(
        Rule::PairScalars,
        "s2",
        Text("v_dual_cndmask_b32 v0, s1, v2 :: v_dual_mov_b32 v3, v4"),
        "v_dual_cndmask_b32 v0, v1, v2 :: v_dual_mov_b32 v3, s4",
    ),
    case(Rule::VgprRange, "d", Bits([1, 0]), "v_add_f64 v[254:255], v[0:1], v[2:3]"),
    case(Rule::VgprRange, "d", Bits([0, 1 << 24]), "ds_add_gs_reg_rtn v[254:255], v2 gds"),
    case(Rule::DppSource, "s1", Bits([0, 1 << 17]), "v_add_f32_e64_dpp v0, v1, v2 row_shl:1"),
    case(Rule::HalfLiteral, "s0", Bits([0, 0x1_0000]), "v_add_f16_e32 v0.l, 0x1234, v1.l"),
    case(Rule::ScalarDestination, "d", Text("v_cmp_eq_u32_e64 exec_lo, v0, v1"), "v_cmp_eq_u32_e64 null, v0, v1"),
    case(Rule::ScalarDestination, "d", Text("v_readlane_b32 exec_lo, v0, 1"), "v_readlane_b32 vcc_lo, v0, 1"),
    case(Rule::MaskHalf, "d", Text("v_cmp_eq_u32_e64 vcc_hi, v0, v1"), "v_cmp_eq_u32_e64 s105, v0, v1"),
    Case {
        wave: Wave::W64,
        ..case(
            Rule::MaskOverwrites,
            "s0",
            Text("v_cmp_eq_u32_e64 s[2:3], s2, v1"),
            "v_add_co_ci_u32_e64 v0, s[2:3], s4, v1, s[2:3]",
        )
    },
    case(
        Rule::HalfSelect,
        "d",
        Text("v_cvt_pk_norm_i16_f16 v5, v1, v2 op_sel:[0,0,1]"),
        "v_cvt_pk_norm_i16_f16 v5, v1, v2 op_sel:[0,1,0]",
    ),
    case(Rule::IntegerSign, "s0", Text("v_pk_add_i16 v0, v1, v2 neg_lo:[1,0]"), "v_pk_add_f16 v0, v1, v2 neg_lo:[1,0]"),
    case(Rule::OutputScale, "omod", Text("v_cvt_i32_f32_e64 v0, v1 mul:2"), "v_cvt_f64_f32_e64 v[0:1], v1 mul:2"),
    case(
        Rule::IntegerMatrixSign,
        "neg_lo",
        Text("v_dot4_i32_iu8 v0, v1, v2, v3 neg_lo:[0,0,1]"),
        "v_dot4_i32_iu8 v0, v1, v2, v3 neg_lo:[1,1,0]",
    ),
    case(
        Rule::MatrixOverlap,
        "s0",
        Text("v_wmma_f32_16x16x16_f16 v[0:7], v[0:7], v[8:15], v[0:7]"),
        "v_wmma_f32_16x16x16_f16 v[16:23], v[0:7], v[8:15], v[0:7]",
    ),
    case(Rule::Wave64Only, "instruction", Text("v_permlane64_b32 v0, v1"), "v_permlane16_b32 v0, v1, s0, s1"),
    case(Rule::WaitRegister, "s0", Text("s_waitcnt_vscnt s0, 0x0"), "s_waitcnt_vscnt null, 0x0"),
    case(Rule::BufferOffset, "offset", Text("s_buffer_load_b32 s0, s[0:3], -0x4"), "s_load_b32 s0, s[0:1], -0x4"),
    case(Rule::LoadAddress, "soffset", Text("s_load_b32 s0, s[0:1], exec_lo"), "s_load_b32 s0, s[0:1], m0"),
    case(Rule::LoadDestination, "d", Text("s_load_b32 null, s[0:1], 0x0"), "s_load_b32 vcc_lo, s[0:1], 0x0"),
    case(Rule::IndexedRegister, "s0", Text("s_movrels_b32 s0, m0"), "s_movrels_b32 m0, vcc_lo"),
    case(Rule::IndexedRegister, "d", Text("s_movreld_b32 exec_lo, s0"), "s_movreld_b32 s0, exec_lo"),
    case(Rule::ExecTwice, "d", Text("s_and_not0_wrexec_b32 exec_lo, s0"), "s_and_not0_wrexec_b32 s0, exec_lo"),
    case(Rule::OneDword, "s0", Text("s_swappc_b64 s[0:1], 0x1234"), "s_swappc_b64 s[0:1], s[2:3]"),
    case(Rule::ReservedBits, "imm", Text("s_version 0x100"), "s_version 0xff"),
    case(Rule::ReservedBits, "imm", Text("s_set_inst_prefetch_distance 0x4"), "s_set_inst_prefetch_distance 0x3"),
    case(Rule::ReservedBits, "imm", Text("s_wait_event 0x2"), "s_wait_event 0x1"),
    case(Rule::ClauseLength, "imm", Text("s_clause 0x0"), "s_clause 0x1"),
    case(Rule::ClauseLength, "imm", Text("s_clause 0x43f"), "s_clause 0x43e"),
    case(Rule::TrapId, "imm", Text("s_trap 0"), "s_trap 1"),
    case(Rule::Message, "imm", Text("s_sendmsg 0"), "s_sendmsg sendmsg(MSG_INTERRUPT)"),
    case(
        Rule::Message,
        "imm",
        Text("s_sendmsg_rtn_b32 s0, sendmsg(MSG_INTERRUPT)"),
        "s_sendmsg_rtn_b32 s0, sendmsg(MSG_RTN_GET_TBA)",
    ),
    case(Rule::RegisterBits, "imm", Text("s_getreg_b32 s0, hwreg(1, 16, 17)"), "s_getreg_b32 s0, hwreg(1, 16, 16)"),
    case(Rule::RegisterAccess, "imm", Text("s_setreg_b32 hwreg(HW_REG_HW_ID1), s0"), "s_setreg_b32 hwreg(14), s0"),
    case(Rule::RegisterAccess, "imm", Text("s_getreg_b32 s0, hwreg(14)"), "s_getreg_b32 s0, hwreg(HW_REG_HW_ID1)"),
    case(Rule::LocalOnly, "gds", Text("ds_load_addtid_b32 v0 gds"), "ds_load_addtid_b32 v0"),
    case(Rule::AppendOffset, "offset0", Text("ds_append v0 offset:258"), "ds_append v0 offset:260"),
    case(Rule::AppendOffset, "offset0", Text("ds_append v0 offset:4 gds"), "ds_append v0 gds"),
    case(
        Rule::MustReturn,
        "glc",
        Text("buffer_atomic_csub_u32 v0, off, s[0:3], s4"),
        "buffer_atomic_csub_u32 v0, off, s[0:3], s4 glc",
    ),
    case(
        Rule::ScratchOffset,
        "offset",
        Text("scratch_load_b32 v0, off, off offset:-4"),
        "scratch_load_b32 v0, off, s0 offset:-4",
    ),
    case(
        Rule::BufferRegister,
        "soffset",
        Text("buffer_load_b32 v0, off, s[0:3], exec_lo"),
        "buffer_load_b32 v0, off, s[0:3], 64",
    ),
    case(
        Rule::ElementFormat,
        "format",
        Text("tbuffer_load_format_x v0, off, s[0:3], s4 format:64"),
        "tbuffer_load_format_x v0, off, s[0:3], s4 format:63",
    ),
    case(
        Rule::StoreStatus,
        "tfe",
        Text("buffer_store_b32 v[0:1], off, s[0:3], s4 tfe"),
        "buffer_load_b32 v[0:1], off, s[0:3], s4 tfe",
    ),
    case(
        Rule::GatherMask,
        "d",
        Bits([0x200, 0]),
        "image_gather4 v[0:3], v[4:5], s[0:7], s[8:11] dmask:0x1 dim:SQ_RSRC_IMG_2D",
    ),
    case(
        Rule::AtomicMask,
        "data",
        Bits([0x400, 0]),
        "image_atomic_add v0, v1, s[0:7] dmask:0x1 dim:SQ_RSRC_IMG_1D unorm",
    ),
    case(
        Rule::ImageData,
        "d",
        Bits([1 << 17, 1 << 21]),
        "image_gather4 v[0:3], v[4:5], s[0:7], s[8:11] dmask:0x1 dim:SQ_RSRC_IMG_2D",
    ),
    case(Rule::ImageAddress, "addr", Bits([4, 0]), "image_load v0, v255, s[0:7] dmask:0x1 dim:SQ_RSRC_IMG_1D"),
    case(
        Rule::SampledImage,
        "dim",
        Bits([0x10, 0]),
        "image_msaa_load v[0:3], v[4:6], s[0:7] dmask:0x1 dim:SQ_RSRC_IMG_2D_MSAA",
    ),
    case(
        Rule::ImageDimension,
        "dim",
        Text("image_sample v[0:3], v[4:6], s[0:7], s[8:11] dmask:0xf dim:SQ_RSRC_IMG_2D_MSAA"),
        "image_sample v[0:3], v[4:6], s[0:7], s[8:11] dmask:0xf dim:SQ_RSRC_IMG_2D_ARRAY",
    ),
    case(
        Rule::ImageDimension,
        "dim",
        Text("image_gather4 v[0:3], v[4:6], s[0:7], s[8:11] dmask:0x1 dim:SQ_RSRC_IMG_3D"),
        "image_gather4 v[0:3], v[4:6], s[0:7], s[8:11] dmask:0x1 dim:SQ_RSRC_IMG_CUBE",
    ),
    case(
        Rule::ImageDimension,
        "dim",
        Text("image_atomic_add v0, v[1:3], s[0:7] dmask:0x1 dim:SQ_RSRC_IMG_CUBE unorm"),
        "image_atomic_add v0, v[1:3], s[0:7] dmask:0x1 dim:SQ_RSRC_IMG_3D unorm",
    ),
    case(
        Rule::Unnormalized,
        "unorm",
        Text("image_store v0, v1, s[0:7] dmask:0x1 dim:SQ_RSRC_IMG_1D"),
        "image_store v0, v1, s[0:7] dmask:0x1 dim:SQ_RSRC_IMG_1D unorm",
    ),
];

/// Text that states sizes is held to them while it is read, so no instruction comes of these.
const UNREADABLE: &[(Rule, &str)] = &[
    (Rule::RayData, "image_bvh_intersect_ray v[0:4], v[5:15], s[0:3]"),
    (Rule::RayAddress, "image_bvh_intersect_ray v[0:3], v[5:14], s[0:3]"),
];

fn lenient(text: &str, wave: Wave) -> Instr {
    let options = isa::Options { mode: wave, lenient: true };
    Instr::parse(text, options).unwrap_or_else(|e| panic!("{text}: {e}"))
}

impl Case {
    fn kept(&self) -> Instr {
        lenient(self.kept, self.wave)
    }

    fn broken(&self) -> Instr {
        match self.broken {
            Text(text) => lenient(text, self.wave),
            Bits(bits) => {
                let mut words = self.kept().words();
                for (word, bits) in words.iter_mut().zip(bits) {
                    *word ^= bits;
                }
                Instr::decode(&words, self.wave).unwrap_or_else(|e| panic!("{}: {e}", self.kept)).0
            }
        }
    }
}

#[test]
fn each_rule_is_broken_and_kept() {
    for case in CASES {
        let (kept, broken) = (case.kept(), case.broken());
        assert_eq!(kept.check(case.wave), Ok(()), "{}", kept.display(case.wave));
        let Case { rule, operand, .. } = *case;
        assert_eq!(broken.check(case.wave), Err(Violation::new(rule, operand)), "{}", broken.display(case.wave));
    }
}

#[test]
fn the_parser_holds_what_the_assembler_holds() {
    for case in CASES {
        let Text(text) = case.broken else { continue };
        // Which of several forms gives the message is the parser's affair.
        let passes = case.rule.authority() == Authority::Guide;
        assert_eq!(Instr::parse(text, case.wave).is_ok(), passes, "{text}");
    }
    for (rule, text) in UNREADABLE {
        let read = Instr::parse(text, isa::Options { mode: Wave::W32, lenient: true });
        assert_eq!(read.map_err(|e| e.kind), Err(isa::ErrorKind::Rule(rule.text())), "{text}");
    }
}

/// Rules of RDNA4: the rule, the operand, an instruction that breaks it, and one that does not.
const RDNA4_CASES: &[(Rule, &str, &str, &str)] = &[
    (Rule::PseudoScalar, "s0", "v_s_exp_f32 s0, v1", "v_s_exp_f32 s0, s1"),
    (Rule::PseudoScalar, "d", "v_s_exp_f32 vcc_lo, s1", "v_s_exp_f32 null, s1"),
    (Rule::ScalarDestination, "d", "v_s_exp_f16 m0, s1", "v_s_exp_f16 s0, -|s1|"),
    (
        Rule::BankOfSource0,
        "s0",
        "v_dual_mov_b32 v0, v1 :: v_dual_add_f32 v3, v5, v2",
        "v_dual_mov_b32 v0, v1 :: v_dual_mov_b32 v3, v5",
    ),
    (
        Rule::RegisterAccess,
        "imm",
        "s_setreg_b32 hwreg(HW_REG_WAVE_STATUS), s0",
        "s_setreg_b32 hwreg(HW_REG_WAVE_TRAP_CTRL), s0",
    ),
    (
        Rule::Message,
        "imm",
        "s_sendmsg_rtn_b32 s0, sendmsg(MSG_RTN_GET_TBA_TO_PC)",
        "s_sendmsg_rtn_b32 s0, sendmsg(MSG_RTN_GET_SE_AID_ID)",
    ),
];

/// A rule has the section of the guide of the instruction's generation, and scalar loads of RDNA4 may go to NULL.
#[test]
fn violations_name_the_section_of_the_generation() {
    let text = "s_sendmsg 0x0";
    let rdna3 = rdna_rows::rdna3::Instr::parse(text, Wave::W32).unwrap().check(Wave::W32).unwrap_err();
    let rdna4 = rdna_rows::rdna4::Instr::parse(text, Wave::W32).unwrap().check(Wave::W32).unwrap_err();
    assert_eq!((rdna3.rule, rdna3.section, rdna4.section), (Rule::Message, "5.3", "5.4"));
    assert!(rdna4.to_string().ends_with("(guide §5.4)"), "{rdna4}");
    let load = rdna_rows::rdna4::Instr::parse("s_load_b32 null, s[0:1], 0x0", Wave::W32).unwrap();
    assert_eq!(load.check(Wave::W32), Ok(()));
}

#[test]
fn rules_of_rdna4_are_broken_and_kept() {
    for (rule, operand, broken, kept) in RDNA4_CASES {
        let check = |text: &str| {
            rdna_rows::rdna4::Instr::parse(text, Wave::W32).unwrap_or_else(|e| panic!("{text}: {e}")).check(Wave::W32)
        };
        assert_eq!(check(kept), Ok(()), "{kept}");
        if rule.authority() == Authority::Guide {
            let violation = Violation::new(*rule, operand).in_later_guide();
            assert_eq!(check(broken), Err(violation), "{broken}");
            assert_eq!(violation.section, rule.later_section());
        } else {
            assert!(rdna_rows::rdna4::Instr::parse(broken, Wave::W32).is_err(), "{broken}");
        }
    }
}

#[test]
fn no_rule_is_without_a_case() {
    let others = [Rule::WaveSize, Rule::ReservedCode];
    let tried = CASES.iter().map(|c| c.rule).chain(UNREADABLE.iter().map(|(rule, _)| *rule)).chain(others);
    let tried = tried.chain(RDNA4_CASES.iter().map(|(rule, ..)| *rule));
    let tried: Vec<Rule> = tried.collect();
    for rule in Rule::ALL {
        assert!(tried.contains(rule), "{rule:?}");
    }
}

#[test]
fn an_instruction_belongs_to_a_wave_size() {
    let rule = |text, from, to| lenient(text, from).check(to).map_err(|v| v.rule);
    let pair = "v_dual_mul_f32 v0, v1, v2 :: v_dual_mul_f32 v3, v2, v3";
    assert_eq!(rule(pair, Wave::W32, Wave::W32), Ok(()));
    assert_eq!(rule(pair, Wave::W32, Wave::W64), Err(Rule::WaveSize));
    assert_eq!(rule("v_cmp_eq_u32_e64 s3, v0, v1", Wave::W32, Wave::W64), Err(Rule::WaveSize));
    assert_eq!(rule("v_cmp_eq_u32_e64 s2, v0, v1", Wave::W32, Wave::W64), Ok(()));
    assert_eq!(rule("v_permlane64_b32 v0, v1", Wave::W64, Wave::W64), Ok(()));
}

#[test]
fn what_no_assembler_writes_is_not_legal() {
    let mut words = lenient("s_mov_b64 s[2:3], s[4:5]", Wave::W32).words();
    words[0] ^= 1 << 16;
    let odd = Instr::decode(&words, Wave::W32).err().and_then(|e| e.noncanonical());
    let found = odd.map(|instr| instr.check(Wave::W32));
    assert_eq!(found, Some(Err(Violation::new(Rule::ReservedCode, "SDST"))));
}

#[test]
fn rules_of_the_assembler_come_first() {
    let both = lenient("v_add_co_ci_u32_e64 v0, vcc_hi, s0, s1, vcc_hi", Wave::W32);
    assert_eq!(both.check(Wave::W32).map_err(|v| v.rule), Err(Rule::ConstantBus));
}

#[test]
fn a_violation_says_operand_rule_mend_and_section() {
    let text = Violation::new(Rule::VgprRange, "d").to_string();
    assert_eq!(text, "d: vector registers end at v255; begin at a lower register (guide §3.3.2.2)");
    for rule in Rule::ALL {
        let text = Violation::new(*rule, "d").to_string();
        for part in ["d: ", rule.text(), rule.help(), rule.section()] {
            assert!(text.contains(part), "{text}");
        }
    }
}

/// Compares the fast paths with the rules. Returns whether the assembler's fast path accepts the instruction, whether it breaks a
/// rule of the assembler, and its suffix dword.
fn compared(instr: &Instr, wave: Wave) -> Option<(bool, bool, Option<&'static str>)> {
    let Verdicts { fast, rules: [assembler, guide] } = verdicts(instr, wave)?;
    assert!(!fast[0] || assembler.is_ok(), "{instr}: {assembler:?}");
    assert!(!fast[1] || guide.is_ok(), "{instr} in {wave:?}: {guide:?}");
    Some((fast[0], assembler.is_err(), instr.suffix_dword()))
}

/// Instructions with literals that the fast path accepts break no rule, in any row of a vector format and for each source.
#[test]
fn fast_path_accepts_no_illegal_literal() {
    // The first opcode, how many there are, the opcode's lowest bit.
    const SHORT: [(u32, u32, u32); 3] =
        [(0x7e00_00ff, 1 << 8, 9), (0x0000_00ff, 1 << 6, 25), (0x7c00_00ff, 1 << 8, 17)];
    const LONG: [(u32, u32, u32); 2] = [(0xd400_0000, 1 << 10, 16), (0xcc00_0000, 1 << 7, 16)];
    let vgprs = 0x100 | 0x101 << 9 | 0x102 << 18;
    let short = SHORT.iter().flat_map(|(base, count, lo)| (0..*count).map(move |op| (base | op << lo, None)));
    let long = LONG.iter().flat_map(|(base, count, lo)| {
        (0..*count)
            .flat_map(move |op| [0, 9, 18].map(|at| (base | op << lo, Some(vgprs & !(0x1ff << at) | 0xff << at))))
    });
    let (mut accepted, mut broken) = (0, 0);
    for (first, second) in short.chain(long) {
        for literal in [0x3f80_0001, 0xc2f4_0000, 0x1234_5678, 0xffff_8000, 0x0001_0000, 0x8001] {
            let words = second.map_or([first, literal, 0], |second| [first, second, literal]);
            count(&words, &mut accepted, &mut broken);
        }
    }
    assert!(accepted > 3_000 && broken > 1_000, "{accepted} accepted, {broken} broken");
}

/// Counts the instruction that these words are in each wave size, if it is one.
fn count(words: &[u32], accepted: &mut u32, broken: &mut u32) {
    for wave in [Wave::W32, Wave::W64] {
        let Ok((instr, _)) = Instr::decode(words, wave) else { continue };
        let Some((is_accepted, is_broken, _)) = compared(&instr, wave) else { continue };
        *broken += u32::from(is_broken);
        *accepted += u32::from(is_accepted);
    }
}

/// The same in any row of a vector format, with registers at the end of the file in the place of each operand.
#[test]
fn fast_path_accepts_no_illegal_registers() {
    // The words, the opcode's lowest bit and how many there are, and where registers and sources stand.
    const FORMATS: [(u64, u32, u32, &[u32]); 5] = [
        (0x7e00_0100, 9, 1 << 8, &[0, 17]),
        (0x0000_0100, 25, 1 << 6, &[0, 9, 17]),
        (0x7c00_0100, 17, 1 << 8, &[0, 9]),
        (0x0402_0100_d400_0000, 16, 1 << 10, &[0, 32, 41, 50]),
        (0x0402_0100_cc00_0000, 16, 1 << 7, &[0, 32, 41, 50]),
    ];
    let (mut accepted, mut broken) = (0, 0);
    for (base, lo, rows, places) in FORMATS {
        for (op, place) in (0..rows).flat_map(|op| places.iter().map(move |place| (op, place))) {
            for register in 240..256 {
                let all = base & !(0xff << place) | u64::from(op) << lo | register << place;
                count(&[all as u32, (all >> 32) as u32, 0], &mut accepted, &mut broken);
            }
        }
    }
    assert!(accepted > 25_000 && broken > 400, "{accepted} accepted, {broken} broken");
}

/// The same of all pairs of rows, with sources of every sort and registers of all banks.
#[test]
fn fast_path_accepts_no_illegal_pair() {
    const SOURCES: [u64; 12] = [0, 1, 105, 106, 124, 126, 128, 242, 253, 256, 257, 260];
    const SECOND: [u64; 4] = [0, 1, 4, 5];
    let (mut accepted, mut broken) = (0, 0);
    for (x, y) in (0..14).flat_map(|x| (0..19).map(move |y| (x, y))) {
        let rows = 0b110010 << 26 | x << 22 | y << 17;
        let sources = SOURCES.iter().flat_map(|x| SOURCES.iter().map(move |y| x | y << 32));
        for (nth, sources) in sources.enumerate() {
            // V_DUAL_MOV_B32 has no second source.
            let second = |of: u64, nth: usize| if of == 8 { 0 } else { SECOND[nth % SECOND.len()] };
            for destinations in [0x0000_0000, 0x0102_0000] {
                let all = rows | sources | second(x, nth) << 9 | second(y, nth / 2) << 41 | destinations << 32;
                let Ok((instr, _)) = Instr::decode(&[all as u32, (all >> 32) as u32, 0x3f80_0001], Wave::W32) else {
                    continue;
                };
                let Some((is_accepted, is_broken, _)) = compared(&instr, Wave::W32) else { continue };
                broken += u32::from(is_broken);
                accepted += u32::from(is_accepted);
            }
        }
    }
    assert!(accepted > 10_000 && broken > 10_000, "{accepted} accepted, {broken} broken");
}

/// The fast path accepts only legal instructions, for random words near the edges of the rules.
#[test]
fn fast_path_accepts_no_illegal_instruction() {
    // xorshift: the same words in every run.
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let mut accepted = [0; 64];
    let (mut broken, mut literals) = (0, 0);
    for nth in 0..1_200_000u64 {
        let [mut first, mut second] = [random() as u32, random() as u32];
        // Every prefix comes as often: six bits of it are those of most formats.
        first = first & 0x03ff_ffff | (nth as u32 & 63) << 26;
        // Sources and registers at the end of the file, and few modifiers.
        if nth & 64 != 0 {
            second |= 0xe0 << (8 * (random() & 3));
            first |= 0xfc;
        }
        if nth & 128 != 0 {
            second &= 0x07ff_ffff;
            first &= !0xff00;
        }
        let wave = if nth & 256 == 0 { Wave::W32 } else { Wave::W64 };
        // Literals, small ones and others.
        let mut third = 0x3f80_0001;
        if nth & 512 != 0 {
            let long = first >> 26 == 0b11_0101;
            (first, second) = if long { (first, second | 0xff) } else { (first | 0xff, second) };
            if nth & 1024 != 0 {
                (second, third) = if long { (second, 0x8001) } else { (second & 0xffff, third) };
            }
        }
        // Reserved bits, which random words have, are not the subject of these rules.
        let read = Instr::decode(&[first, second, third], wave);
        let Some(instr) = read.map_or_else(|e| e.noncanonical(), |(instr, _)| Some(instr)) else { continue };
        let Some((is_accepted, is_broken, suffix_dword)) = compared(&instr, wave) else { continue };
        broken += u32::from(is_broken);
        accepted[usize::from(instr.format_index())] += u32::from(is_accepted);
        literals += u32::from(is_accepted && suffix_dword == Some("LITERAL"));
    }
    // A fast path that declines everything would pass, so it has to accept instructions of these formats.
    let formats = accepted.iter().filter(|count| **count > 10).count();
    assert!(formats == 17 && broken > 1000, "{formats} formats, {broken} broken: {accepted:?}");
    assert!(literals > 1000, "{literals} with a literal");
}

#[test]
fn a_literal_counts_once_where_halves_read_it_and_twice_where_pairs_do() {
    for text in [
        "v_alignbit_b32 v0, s1, 0x1234, 0x1234",
        "v_mad_u32_u16 v0, 0x1234, s1, 0x1234",
        "v_dot2_bf16_bf16 v196.l, s93, 0xafa2, -|0xafa2|",
    ] {
        assert!(Instr::parse(text, Wave::W32).is_ok(), "{text}");
    }
    let fault = Instr::parse("v_mad_u64_u32 v[0:1], vcc_lo, s1, 0x1234, 0x1234", Wave::W32).map_err(|e| e.kind);
    assert!(matches!(fault, Err(isa::ErrorKind::Rule(_) | isa::ErrorKind::Forbidden(_))), "{fault:?}");
}

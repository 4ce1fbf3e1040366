//! RDNA3.5 as users see it: builders, `asm!`, `check` and `Inst` with what RDNA3 lacks.

use isa::Op;
use isa_tests::vectors::golden;
use isa_tests::{property, vectors};
use proptest::prelude::*;
use rdna3_5::build::*;
use rdna3_5::{Inst, Instr, Opcode, Wave, modifiers};

fn text(instr: &Instr) -> String {
    instr.display(Wave::W32).to_string()
}

#[test]
fn builders_have_the_mnemonics_of_the_generation() -> Result<(), BuildError> {
    for (built, expected) in [
        (s_add_f32(sgpr!(0), sgpr!(1), 1.0).instr()?, "s_add_f32 s0, s1, 1.0"),
        (s_fmac_f32(sgpr!(0), sgpr!(1), 0.3).instr()?, "s_fmac_f32 s0, s1, 0x3e99999a"),
        (s_cvt_f32_u32(sgpr!(0), sgpr!(1)).instr()?, "s_cvt_f32_u32 s0, s1"),
        (s_cmp_lt_f16(sgpr!(0), sgpr!(1)).instr()?, "s_cmp_lt_f16 s0, s1"),
        (s_cvt_pk_rtz_f16_f32(sgpr!(0), sgpr!(1), sgpr!(2)).instr()?, "s_cvt_pk_rtz_f16_f32 s0, s1, s2"),
        // RDNA3 has both of these without the scalar source beside DPP.
        (v_pk_add_f16(v(0), v(1), v(2)).instr()?, "v_pk_add_f16 v0, v1, v2"),
        (
            v_add_f32(v(0), v(1), sgpr!(2)).dpp16(DppCtrl::row_mirror()).instr()?,
            "v_add_f32_e64_dpp v0, v1, s2 row_mirror row_mask:0xf bank_mask:0xf",
        ),
        (
            v_add_f32(v(0), v(1), 1.0).dpp16(DppCtrl::row_mirror()).instr()?,
            "v_add_f32_e64_dpp v0, v1, 1.0 row_mirror row_mask:0xf bank_mask:0xf",
        ),
    ] {
        assert_eq!(text(&built), expected);
        assert_eq!(Instr::parse(expected, Wave::W32), Ok(built));
        assert_eq!(built.check(Wave::W32), Ok(()), "{expected}");
        assert_eq!(built.to_inst().encode(Wave::W32), Ok(built), "{expected}");
    }
    // Neither set takes a literal beside DPP.
    assert!(v_add_f32(v(0), v(1), 0.3).dpp16(DppCtrl::row_mirror()).instr().is_err());
    let rdna3 = rdna3::build::v_add_f32(v(0), v(1), sgpr!(2)).dpp16(DppCtrl::row_mirror()).instr();
    assert!(rdna3.is_err());
    Ok(())
}

#[test]
fn asm_assembles_them() -> Result<(), isa::LineError> {
    const CODE: &[u32] = &rdna3_5::asm! {
        again:
        s_mul_f32 s0, s0, 2.0;
        v_add_f32 v0, v1, s2 row_mirror;
        s_cmp_lt_f32 s0, 1.0;
        s_cbranch_scc1 again;
        s_endpgm;
    };
    let lines = lines_of(CODE);
    assert_eq!(lines[0], "s_mul_f32 s0, s0, 2.0");
    assert_eq!(lines[1], "v_add_f32_e64_dpp v0, v1, s2 row_mirror row_mask:0xf bank_mask:0xf");
    assert_eq!(lines[3], "s_cbranch_scc1 65530");
    let [max] = rdna3_5::instrs! { s_max_f32 s0, s1, {0.5f32} }?;
    assert_eq!(text(&max), "s_max_f32 s0, s1, 0.5");
    Ok(())
}

/// Returns the text of all instructions in code.
fn lines_of(code: &[u32]) -> Vec<String> {
    let bytes: Vec<u8> = code.iter().flat_map(|dword| dword.to_le_bytes()).collect();
    let decoded = rdna3_5::Decoder::new(&bytes, Wave::W32);
    decoded.map(|at| at.result.map_or_else(|error| error.to_string(), |instr| text(&instr))).collect()
}

#[test]
fn inst_and_check_follow_the_generation() {
    let add = Inst::new(Opcode::S_ADD_F16, [sgpr!(0).into(), sgpr!(1).into(), Op::float(0.5)]);
    assert_eq!(add.encode(Wave::W32).map(|instr| text(&instr)), Ok("s_add_f16 s0, s1, 0.5".into()));
    // A constant of a scalar f16 instruction has 16 bits.
    let half = Inst::new(Opcode::S_ADD_F16, [sgpr!(0).into(), sgpr!(1).into(), Op::float(0.3)]);
    assert_eq!(half.encode(Wave::W32).map(|instr| text(&instr)), Ok("s_add_f16 s0, s1, 0x34cd".into()));
    let dpp =
        Inst::new(Opcode::V_ADD_F32, [v(0).into(), v(1).into(), sgpr!(2).into()]).with(modifiers::DPP_CTRL, 0x140);
    assert!(dpp.encode(Wave::W32).is_ok());
    // The first source beside DPP is a vector register in both generations.
    let first =
        Inst::new(Opcode::V_ADD_F32, [v(0).into(), sgpr!(2).into(), v(1).into()]).with(modifiers::DPP_CTRL, 0x140);
    assert_eq!(first.encode(Wave::W32).unwrap_err().operand, Some("s0"));
    let masked = Inst::new(Opcode::S_ADD_F32, [sgpr!(0).into(), v(1).into(), sgpr!(2).into()]);
    assert_eq!(masked.encode(Wave::W32).unwrap_err().operand, Some("s0"));
    assert_eq!(Opcode::S_ADD_F32.pipeline(), rdna3_5::Pipeline::Salu);
    assert_eq!(Opcode::S_ADD_F32.commuted(), Some(Opcode::S_ADD_F32));
    // Two scalar registers and a literal read too much over the constant bus.
    let line = "v_fma_f32 v0, s1, s2, 0x12345678";
    assert!(Instr::parse(line, Wave::W32).is_err());
}

proptest! {
    #![proptest_config(property::config(20_000))]

    #[test]
    fn words_with_the_generations_opcodes_survive_lifting(words in words()) {
        let Ok((instr, len)) = Instr::decode(&words, Wave::W32) else { return Ok(()) };
        prop_assert_eq!(&words[..len], &instr.encode()[..]);
        let usual = instr.with_unused_fields(isa::UnusedFields::Usual);
        prop_assert_eq!(instr.to_inst().encode_unchecked(Wave::W32), Ok(usual), "{}", text(&instr));
        // LLVM prints the inline constants of 16-bit comparisons as bits, which it reads as literals.
        let has_bits = instr.flags() & rdna3_5::flags::BIT_CONSTANTS != 0;
        if instr.check(Wave::W32).is_ok() && !has_bits {
            let parsed = Instr::parse(&text(&instr), Wave::W32);
            prop_assert_eq!(parsed.map(|instr| text(&instr)), Ok(text(&instr)));
        }
    }
}

#[test]
fn lint_knows_the_generations_instructions() -> Result<(), isa::ParseError> {
    use rdna3_5::counter::{Counter, raises, waits};
    use rdna3_5::lint::{Rule, lint};

    let code = |lines: &[&str]| -> Result<Vec<Instr>, isa::ParseError> {
        lines.iter().map(|line| Instr::parse(line, Wave::W32)).collect()
    };
    let early = lint(&code(&["s_load_b32 s4, s[0:1], null", "s_add_f32 s4, s4, s5", "s_endpgm"])?, Wave::W32);
    assert_eq!((early[0].rule, early[0].at, early[0].wait), (Rule::ReadTooEarly, 1, Some((Counter::Lgkm, 0))));
    assert_eq!(early[0].help(), "s_waitcnt lgkmcnt(0)");
    let second = [
        "global_load_b32 v2, v0, s[2:3]",
        "s_load_b32 s4, s[0:1], null",
        "v_add_f32 v1, v1, s4 row_mirror",
        "s_endpgm",
    ];
    let early = lint(&code(&second)?, Wave::W32);
    assert_eq!((early.len(), early[0].at), (1, 2));
    let waiting = code(&["s_load_b32 s4, s[0:1], null", "s_waitcnt lgkmcnt(0)", "s_add_f32 s4, s4, s5", "s_endpgm"])?;
    assert!(lint(&waiting, Wave::W32).is_empty());
    assert_eq!(raises(&waiting[0]).map(|raise| raise.counter).collect::<Vec<_>>(), [Counter::Lgkm]);
    assert_eq!(waits(&waiting[1]).most(Counter::Lgkm), Some(0));
    Ok(())
}

/// The findings about words that both generations have do not depend on the generation, but for the faults of some processors.
#[test]
fn lint_finds_the_same_in_both_generations() -> std::io::Result<()> {
    use rdna3::lint::Rule;

    let lines: Vec<vectors::Line> = golden()?.into_iter().filter(|line| line.mode() == Wave::W32).collect();
    let (mut sample, mut found) = (property::sample(), 0);
    for _ in 0..property::count(500) {
        let words: Vec<Vec<u32>> = (0..60).map(|_| sample.of(&lines).words()).collect();
        let both = words.iter().filter_map(|words| {
            let old = rdna3::Instr::decode(words, Wave::W32).ok()?.0;
            Some((old, Instr::decode(words, Wave::W32).ok()?.0))
        });
        let (old, new): (Vec<_>, Vec<_>) = both.unzip();
        let old = rdna3::lint::Program::new(&old, Wave::W32, &[]).whole().padded();
        let new = rdna3_5::lint::Program::new(&new, Wave::W32, &[]).whole().padded();
        for (old, new) in [(old.certain(), new.certain()), (old.possible(), new.possible())] {
            found += old.len();
            let is_common = |rule| !matches!(rule, Rule::TranscendentalUse | Rule::LateSources | Rule::ExportPriority);
            let old: Vec<_> = old.iter().filter(|f| is_common(f.rule)).map(ToString::to_string).collect();
            let new: Vec<_> = new.iter().filter(|f| is_common(f.rule)).map(ToString::to_string).collect();
            assert_eq!(old, new);
        }
    }
    assert!(found > 1000, "only {found} findings were compared");
    Ok(())
}

/// Returns words of scalar floating-point instructions, and of vector instructions with DPP and a scalar second source.
fn words() -> impl Strategy<Value = [u32; 3]> {
    let scalar = (prop_oneof![Just(0xa000_0000u32), Just(0xbe80_6400), Just(0xbf40_0000)], any::<[u32; 3]>())
        .prop_map(|(base, [low, literal, rest])| [base | low & 0x1fff_ffff, literal, rest]);
    let dpp = (any::<[u32; 3]>(), 0..128u32, 0..256u32).prop_map(|([low, high, control], s1, first)| {
        [0xd503_0000 | low & 0xff, 250 | s1 << 9 | high & 0x6000_0000, first | (control & 0x1ff) << 8 | 0xff << 24]
    });
    prop_oneof![scalar, dpp]
}

#[test]
fn related_opcodes_are_both_scalar_or_both_vector() {
    let mut checked = 0;
    for opcode in Opcode::ALL {
        let in_place = |position| [opcode.with_literal(position), opcode.with_constant(position)];
        let constants = (0..5).flat_map(in_place).chain([opcode.without_literal(), opcode.without_constant()]);
        let addresses = [opcode.two_address(), opcode.three_address()];
        let twins = [opcode.commuted(), opcode.inverse()];
        for other in constants.chain(addresses).chain(twins).flatten() {
            assert_eq!(other.to_string()[..2], opcode.to_string()[..2], "{opcode} and {other}");
            checked += 1;
        }
    }
    assert!(checked > 500, "{checked}");
    assert_eq!(Opcode::S_FMAC_F16.three_address(), None);
    assert_eq!(Opcode::V_FMA_F16.two_address(), Some(Opcode::V_FMAC_F16));
    // V_DUAL_DOT2ACC_F32_BF16 exists in pairs only.
    assert_eq!(Opcode::V_DOT2_F32_BF16.two_address(), None);
}

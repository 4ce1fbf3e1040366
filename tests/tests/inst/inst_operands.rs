//! Operands of operand-level instructions: encoding keeps each operand as it is given, or refuses it.

use isa::inst::{File, RegHalf};
use isa::{Op, Reg};
use isa_tests::property;
use isa_tests::sample::Sample;
use isa_tests::sets::Set;
use isa_tests::vectors::golden_of;
use rdna3::{Inst, Instr, Opcode, Wave, modifiers};

/// Registers of a file that text calls `s`, `v` or `ttmp`.
const fn registers(file: rdna3::File, number: u32, count: u8) -> Op {
    Op::reg(Reg::new(File(file as u8), number, count))
}

const fn sgprs(number: u32, count: u8) -> Op {
    registers(rdna3::File::Sgpr, number, count)
}

const fn vgprs(number: u32, count: u8) -> Op {
    registers(rdna3::File::Vgpr, number, count)
}

const fn virtual_vgpr(number: u32) -> Op {
    Op::reg(Reg::new_virtual(File(rdna3::File::Vgpr as u8), number, 1))
}

const fn half(number: u32, half: RegHalf) -> Op {
    Op::reg(Reg { half: Some(half), ..Reg::new(File(rdna3::File::Vgpr as u8), number, 1) })
}

/// Returns the text of an encoded instruction, or the error.
fn encoded(inst: Inst) -> Result<String, String> {
    inst.encode(Wave::W32).map(|instr| instr.display(Wave::W32).to_string()).map_err(|error| error.to_string())
}

/// Returns the instruction of a line without its encoding, with another operand in a place.
fn with_operand(line: &str, at: usize, op: Op) -> Inst {
    let mut inst = Instr::parse(line, Wave::W32).unwrap().to_inst_in(Wave::W32).shortest();
    inst.ops_mut()[at] = op;
    inst
}

fn refused(inst: Inst) -> String {
    encoded(inst).expect_err("the instruction must be refused")
}

#[test]
fn an_image_address_has_vector_registers_only() {
    let line = "image_load v[0:3], [v4, v5, v9], s[8:15] dmask:0xf dim:SQ_RSRC_IMG_CUBE unorm";
    assert_eq!(encoded(with_operand(line, 3, vgprs(7, 1))), Ok(line.replace("v9", "v7")));
    for other in
        [sgprs(7, 1), registers(rdna3::File::Special, 236, 1), registers(rdna3::File::Ttmp, 7, 1), vgprs(256, 1)]
    {
        assert_eq!(refused(with_operand(line, 3, other)), "addr: expected vector registers");
    }
    // One range is not a list of ranges whose other registers are v0.
    let line = "image_sample_d v255, v[246:252], s[8:15], s[12:15] dmask:0x3 dim:SQ_RSRC_IMG_CUBE d16";
    let past = with_operand(line, 1, vgprs(254, 8));
    assert!(past.encode(Wave::W32).is_err() && past.encode_slow(Wave::W32, true).is_err());
}

#[test]
fn an_image_resource_begins_with_a_multiple_of_four() {
    let line = "image_load v[5:6], v1, s[8:15] dmask:0x3 dim:SQ_RSRC_IMG_1D";
    assert_eq!(encoded(with_operand(line, 2, sgprs(12, 8))), Ok(line.replace("s[8:15]", "s[12:19]")));
    for number in [9, 10, 11] {
        let error = refused(with_operand(line, 2, sgprs(number, 8)));
        assert_eq!(error, "rsrc: expected scalar registers that begin with a multiple of four");
    }
}

#[test]
fn the_second_destination_of_a_pair_is_the_one_that_is_given() {
    let pair = |y| {
        let first = Inst::new(Opcode::V_MUL_F32, [vgprs(4, 1), vgprs(1, 1), vgprs(2, 1)]);
        Inst::pair(first, Inst::new(Opcode::V_ADD_F32, [y, vgprs(6, 1), vgprs(7, 1)]))
    };
    let text = "v_dual_mul_f32 v4, v1, v2 :: v_dual_add_f32 v9, v6, v7";
    assert_eq!(encoded(pair(vgprs(9, 1))), Ok(text.into()));
    assert_eq!(refused(pair(vgprs(8, 1))), "d: one destination of a pair is an even register, the other an odd one");
    assert_eq!(refused(pair(vgprs(9, 2))), "d: this operand takes 1 register");
}

#[test]
fn half_a_pair_has_no_encoding() {
    let half = Inst::new(Opcode::V_DUAL_DOT2ACC_F32_BF16, [vgprs(2, 1), Op::float(0.5), vgprs(1, 1)]);
    for result in [half.encode(Wave::W32), half.encode_unchecked(Wave::W32), half.encode_slow(Wave::W32, false)] {
        assert!(result.is_err_and(|error| error.to_string().contains("one of a pair")));
    }
}

#[test]
fn signs_of_integers_are_those_of_floats() {
    let add = |op| encoded(Inst::new(Opcode::V_ADD_F32, [vgprs(0, 1), op, vgprs(2, 1)]));
    assert_eq!(add(Op::int(500).neg()), Ok("v_add_f32_e32 v0, 0x800001f4, v2".into()));
    // The integer has bits that the operand lacks.
    assert!(add(Op::int(0x3ff0_0000_0000_0000).abs()).is_err());
    assert!(add(Op::int(1 << 32).neg()).is_err());
    let scalar = |op| encoded(Inst::new(Opcode::S_ADD_U32, [sgprs(0, 1), op, sgprs(2, 1)]));
    assert!(scalar(Op::int(4).neg()).is_err_and(|error| error.starts_with("s0: this operand takes no signs here")));
    assert_eq!(scalar(Op::float(0.5).neg()), Ok("s_add_u32 s0, -0.5, s2".into()));
    // A selection moves floats, too: its long form has signs.
    let mask = registers(rdna3::File::Vcc, 0, 1);
    let select = Inst::new(Opcode::V_CNDMASK_B32, [vgprs(0, 1), Op::int(5).neg(), vgprs(2, 1), mask]);
    let parsed = Instr::parse("v_cndmask_b32 v0, neg(5), v2, vcc_lo", Wave::W32).unwrap();
    assert_eq!(select.encode(Wave::W32), Ok(parsed));
    assert_eq!(select.encode_slow(Wave::W32, true), Ok(parsed));
}

#[test]
fn a_comparison_of_unsigned_numbers_takes_no_negative_one() {
    let compare = |opcode, n| encoded(Inst::new(opcode, [sgprs(0, 1), Op::int(n)]));
    assert_eq!(compare(Opcode::S_CMPK_EQ_U32, 0xffff), Ok("s_cmpk_eq_u32 s0, 0xffff".into()));
    assert_eq!(compare(Opcode::S_CMPK_EQ_U32, -1), Err("imm: the constant lies between 0 and 65535".into()));
    assert_eq!(compare(Opcode::S_CMPK_EQ_I32, -1), Ok("s_cmpk_eq_i32 s0, 0xffff".into()));
}

#[test]
fn a_number_in_place_of_counters_may_be_negative() {
    let wait = |n| encoded(Inst::new(Opcode::S_WAITCNT_DEPCTR, [Op::int(n)]));
    assert_eq!(wait(-17), wait(0xffef));
    assert_eq!(wait(-17), Ok("s_waitcnt_depctr 0xffef".into()));
    assert!(wait(-0x8001).is_err() && wait(0x1_0000).is_err());
}

#[test]
fn a_16_bit_integer_takes_no_bits_of_a_32_bit_float() {
    let compare = |x| encoded(Inst::new(Opcode::V_CMP_LT_I16, [sgprs(5, 1), Op::float(x), sgprs(9, 1)]));
    // LLVM writes an inline float as its 16 bits.
    assert_eq!(compare(1.0), Ok("v_cmp_lt_i16_e64 s5, 0x3c00, s9".into()));
    assert!(compare(3.0).is_err_and(|error| error.contains("state its 16 bits as an integer")));
}

#[test]
fn infinities_and_nans_are_those_of_the_operand() {
    let literal = |inst: Inst| inst.encode(Wave::W32).map(|instr| *instr.encode().last().unwrap()).ok();
    let infinity = Op::from(f32::INFINITY);
    let f64s = |op| literal(Inst::new(Opcode::V_CVT_F32_F64, [vgprs(0, 1), op]));
    assert_eq!(f64s(infinity), Some(0x7ff0_0000));
    assert_eq!(f64s(Op::from(f32::NAN)), Some(0x7ff8_0000));
    assert_eq!(f64s(Op::from(f64::NEG_INFINITY)), Some(0xfff0_0000));
    let f32s = |op| literal(Inst::new(Opcode::V_MOV_B32, [vgprs(0, 1), op]));
    assert_eq!(f32s(infinity), Some(0x7f80_0000));
    assert_eq!(f32s(Op::from(f64::INFINITY)), Some(0x7f80_0000));
    assert_eq!(f32s(Op::from(f32::from_bits(0xff80_0001))), Some(0xff80_0001));
    // The payload has more bits than an f32.
    assert_eq!(f32s(Op::from(f64::from_bits(0x7ff0_0000_0000_0001))), None);
    let low = RegHalf::Low;
    let f16s = |op| literal(Inst::new(Opcode::V_ADD_F16, [half(0, low), op, half(2, low)]));
    assert_eq!(f16s(infinity.neg()), Some(0xfc00));
    assert_eq!(f16s(Op::from(f32::NAN)), Some(0x7e00));
    let packed = |op| literal(Inst::new(Opcode::V_PK_ADD_F16, [vgprs(0, 1), vgprs(1, 1), op]));
    assert_eq!(packed(infinity), Some(0x7c00));
}

#[test]
fn a_half_agrees_with_the_modifier_that_selects_it() {
    let ceil = |d, s| Inst::new(Opcode::V_CEIL_F16, [half(5, d), half(1, s)]).with(modifiers::CLAMP, 1);
    let (low, high) = (RegHalf::Low, RegHalf::High);
    for inst in [ceil(low, low).with(modifiers::OP_SEL, 1), ceil(low, high).with(modifiers::OP_SEL, 9)] {
        assert!(inst.encode(Wave::W32).is_err() && inst.encode_slow(Wave::W32, true).is_err(), "{inst:?}");
    }
    let both = ceil(low, high).with(modifiers::OP_SEL, 1);
    assert_eq!(both.encode(Wave::W32), ceil(low, high).encode(Wave::W32));
    assert!(both.encode(Wave::W32).is_ok());
}

#[test]
fn an_offset_that_is_too_wide_is_no_negative_one() {
    let load = |offset| {
        let inst = Inst::new(Opcode::BUFFER_LOAD_B32, [vgprs(0, 1), Op::OFF, sgprs(4, 4), sgprs(3, 1)]);
        encoded(inst.try_with(modifiers::OFFSET, offset).unwrap())
    };
    assert_eq!(load(4095), Ok("buffer_load_b32 v0, off, s[4:7], s3 offset:4095".into()));
    let error = "offset: the field of this instruction has fewer bits than the value";
    assert_eq!(load(7308), Err(error.into()));
}

#[test]
fn the_inline_reciprocal_of_two_pi_is_one_of_every_type() {
    let matrix = [vgprs(16, 8), vgprs(0, 8), vgprs(8, 8), Op::float(0.15915494309189532)];
    for opcode in [Opcode::V_WMMA_BF16_16X16X16_BF16, Opcode::V_WMMA_F16_16X16X16_F16, Opcode::V_WMMA_F32_16X16X16_F16]
    {
        let instr = Inst::new(opcode, matrix).encode(Wave::W32).unwrap();
        assert_eq!(instr.to_inst().encode(Wave::W32), Ok(instr));
    }
}

#[test]
fn register_classes_are_those_of_the_instructions_encodings() {
    let range = |inst: &Inst, at, file: rdna3::File| {
        inst.register_class(at, Wave::W32).unwrap().range(File(file as u8)).map(|range| (range.first, range.last))
    };
    let (scalar, vector) = (rdna3::File::Sgpr, rdna3::File::Vgpr);
    let add = Inst::new(Opcode::V_ADD_F32, [vgprs(0, 1), vgprs(1, 1), vgprs(2, 1)]);
    assert_eq!(range(&add, 1, scalar), Some((0, 105)));
    let shifted = add.with(modifiers::DPP_CTRL, 0x101);
    assert_eq!((range(&shifted, 1, scalar), range(&shifted, 1, vector)), (None, Some((0, 255))));
    let pair = Inst::pair(add, Inst::new(Opcode::V_MUL_F32, [vgprs(3, 1), vgprs(4, 1), vgprs(5, 1)]));
    for at in [2, 5] {
        assert_eq!((range(&pair, at, scalar), range(&pair, at, vector)), (None, Some((0, 255))), "{at}");
    }
    // Either destination of a pair may be the odd one.
    let second = pair.register_class(3, Wave::W32).unwrap().range(File(vector as u8));
    assert_eq!(second.map(|range| (range.first, range.last, range.align)), Some((0, 255, 1)));
    // M0 is one register.
    let copy = Inst::new(Opcode::S_MOV_B64, [sgprs(0, 2), sgprs(2, 2)]);
    assert_eq!((range(&copy, 0, rdna3::File::M0), range(&copy, 0, scalar)), (None, Some((0, 104))));
    // R128 decides the number of registers: it is that of the operand.
    let load = with_operand("image_load v[5:6], v1, s[8:15] dmask:0x3 dim:SQ_RSRC_IMG_1D", 2, sgprs(12, 8));
    assert_eq!((load.register_class(2, Wave::W32).unwrap().count, range(&load, 2, scalar)), (0, Some((0, 98))));
    let ops = [half(0, RegHalf::Low), half(1, RegHalf::Low), Op::int(500), half(2, RegHalf::Low)];
    let fused = Inst::new(Opcode::V_FMAMK_F16, ops);
    assert_eq!(range(&fused, 0, vector), Some((0, 127)));
    assert_eq!(range(&fused, 1, scalar), Some((0, 105)));
}

#[test]
fn a_scalar_offset_of_gcn_is_one_register() {
    use gcn::gcn1_2::{Inst, Opcode};
    let s = |number, count| Op::reg(Reg::new(File(gcn::File::Sgpr as u8), number, count));
    let load = |offset| Inst::new(Opcode::S_LOAD_DWORD, [s(5, 1), s(2, 2), offset]).encode(gcn::Wave::W64);
    assert!(load(s(7, 1)).is_ok());
    assert_eq!(load(s(7, 2)).unwrap_err().to_string(), "offset: this operand takes 1 register");
}

/// A register with another number, file, half or count more often than not.
fn other(reg: Reg, sample: &mut Sample) -> Reg {
    let number = match sample.below(3) {
        0 => sample.below(16) as u32,
        1 => sample.below(262) as u32,
        _ => reg.number ^ 1 << sample.below(4),
    };
    match sample.below(6) {
        0 => Reg { file: File(sample.below(13) as u8), ..reg },
        1 => Reg { count: 1 + sample.below(9) as u8, ..reg },
        2 => Reg { half: [None, Some(RegHalf::Low), Some(RegHalf::High)][sample.below(3)], ..reg },
        3 => Reg { file: File(sample.below(13) as u8), number: 0, ..reg },
        _ => Reg { number, ..reg },
    }
}

/// Encodes instructions with other registers: an instruction that is encoded has the registers that were given.
fn keeps_registers<S: Set>() -> usize {
    let (mut sample, mut encoded) = (property::sample(), 0);
    let lines = golden_of::<S>().unwrap();
    for line in lines.iter().flat_map(|line| std::iter::repeat_n(line, property::count(12))) {
        let Some(mode) = S::mode(&line.wave) else { continue };
        let Ok((instr, len)) = isa::decode::<S>(&line.words(), mode) else { continue };
        let mut given = isa::inst::lift::<S>(&instr, len as u8, mode).unwrap().shortest();
        let count = given.ops().len();
        let at = sample.below(count.max(1));
        let Some(reg) = given.ops().get(at).and_then(|op| op.as_reg()) else { continue };
        given.ops_mut()[at] = given.ops()[at].with_reg(other(reg, &mut sample));
        let Ok(instr) = given.encode(mode) else { continue };
        let (format, words) = S::parts(&instr);
        let lifted = isa::inst::lift::<S>(&instr, isa::length::<S>(format, &words) as u8, mode).unwrap();
        encoded += 1;
        // NULL switches an address off, and VCC may be implied.
        for ((given, row), lifted) in given.operands().zip(lifted.ops()) {
            let (Some(given), Some(lifted)) = (given.as_reg(), lifted.as_reg()) else { continue };
            // A modifier selects the half of a register that is given without one. Images and lane masks take several counts.
            let is_same_half = given.half == lifted.half || given.half.is_none();
            let is_same_count =
                given.count == lifted.count || given.count * lifted.count == 0 || row.class().starts_with("Image");
            let is_same = (given.file, given.number) == (lifted.file, lifted.number) && is_same_half && is_same_count;
            assert!(is_same, "{}: {given:?} became {lifted:?}", line.text);
        }
    }
    encoded
}

#[test]
fn an_encoded_instruction_has_the_registers_that_were_given() {
    let counts = [
        keeps_registers::<rdna3::Rdna3>(),
        keeps_registers::<rdna3_5::Rdna3_5>(),
        keeps_registers::<gcn::gcn1_2::Gcn1_2>(),
        keeps_registers::<gcn::gcn1_4::Gcn1_4>(),
    ];
    assert!(counts[0] > 20_000 && counts[1] > 20_000 && counts[2] > 500 && counts[3] > 500, "{counts:?}");
}

/// Compares what register classes say about constants with what encodes. Returns the numbers of operands that can be constants,
/// and of those that cannot.
fn constants_are_those_of_register_classes<S: Set>() -> [usize; 2] {
    let mut counts = [0; 2];
    let constants = [Op::int(0), Op::float(1.0), Op::int(0x1234_5678), Op::int(1).literal()];
    for line in golden_of::<S>().unwrap() {
        let Some(mode) = S::mode(&line.wave) else { continue };
        let Ok((instr, len)) = isa::decode::<S>(&line.words(), mode) else { continue };
        let inst = isa::inst::lift::<S>(&instr, len as u8, mode).unwrap().shortest();
        for at in 0..inst.ops().len() {
            let class = inst.register_class(at, mode).unwrap();
            // The register class does not say that the second source of V_FMA_MIX with DPP takes no constants.
            let is_mixed_dpp = line.text.starts_with("v_fma_mix") && line.text.contains("_dpp") && at == 2;
            if class.files.iter().next().is_none() || is_mixed_dpp {
                continue;
            }
            let with = |op| {
                let mut other = inst;
                other.ops_mut()[at] = op;
                other.encode_unchecked(mode)
            };
            let can_be = constants.map(with).iter().any(Result::is_ok);
            assert_eq!(class.takes_constants, can_be, "operand {at} of {}", line.text);
            counts[usize::from(!can_be)] += 1;
        }
    }
    counts
}

#[test]
fn register_classes_say_which_operands_can_be_constants() {
    for [can_be, cannot_be] in [
        constants_are_those_of_register_classes::<rdna3::Rdna3>(),
        constants_are_those_of_register_classes::<rdna3_5::Rdna3_5>(),
    ] {
        assert!(can_be > 5_000 && cannot_be > 5_000, "{can_be} {cannot_be}");
    }
    let [can_be, cannot_be] = constants_are_those_of_register_classes::<gcn::gcn1_2::Gcn1_2>();
    assert!(can_be > 100 && cannot_be > 100, "{can_be} {cannot_be}");
}

#[test]
fn an_instruction_is_rewritten_only_if_the_result_has_an_encoding() {
    let opcode = |inst: Option<Inst>| inst.map(|inst| inst.opcode());
    let fma = |ops| Inst::new(Opcode::V_FMA_F32, ops);
    let constant = Op::int(0x3fc0_1234);
    // The second source of the short form is a vector register, the first may be a scalar one.
    for [s0, s2] in [[sgprs(1, 1), vgprs(2, 1)], [virtual_vgpr(1), virtual_vgpr(2)]] {
        assert_eq!(opcode(fma([vgprs(0, 1), s0, constant, s2]).with_literal()), Some(Opcode::V_FMAMK_F32));
    }
    assert_eq!(opcode(fma([vgprs(0, 1), vgprs(1, 1), constant, sgprs(2, 1)]).with_literal()), None);
    assert_eq!(opcode(fma([vgprs(0, 1), sgprs(1, 1), sgprs(2, 1), constant]).with_literal()), None);
    let packed = |ops| Inst::new(Opcode::V_PK_FMAC_F16, ops);
    assert_eq!(opcode(packed([vgprs(0, 1), vgprs(1, 1), vgprs(2, 1)]).commuted()), Some(Opcode::V_PK_FMAC_F16));
    assert_eq!(opcode(packed([vgprs(0, 1), sgprs(1, 1), vgprs(2, 1)]).commuted()), None);
    let compare = |s0| Inst::new(Opcode::S_CMP_EQ_I32, [s0, Op::int(500)]);
    assert_eq!(opcode(compare(sgprs(1, 1)).with_constant()), Some(Opcode::S_CMPK_EQ_I32));
    assert_eq!(opcode(compare(Op::int(5)).with_constant()), None);
    let set = Inst::new(Opcode::S_SETREG_IMM32_B32, [Op::int(1), Op::int(7)]);
    assert!(set.encode(Wave::W32).is_ok());
    assert_eq!(opcode(set.without_literal()), None);
}

#[test]
fn pairs_of_physical_and_virtual_registers_have_an_encoding() {
    let add = |ops| Inst::new(Opcode::V_ADD_F32, ops);
    let y = add([virtual_vgpr(0), virtual_vgpr(1), virtual_vgpr(2)]);
    for d in 0..4 {
        for s in 0..16 {
            let x = add([vgprs(d, 1), vgprs(s % 4, 1), vgprs(s / 4, 1)]);
            assert!(Inst::pair(x, y).encode_with_any_registers(Wave::W32).is_ok(), "{x:?}");
        }
    }
    // Two physical destinations that are both even.
    let pair =
        Inst::pair(add([vgprs(0, 1), vgprs(1, 1), virtual_vgpr(0)]), add([vgprs(2, 1), virtual_vgpr(1), vgprs(6, 1)]));
    assert!(pair.encode_with_any_registers(Wave::W32).is_err());
}

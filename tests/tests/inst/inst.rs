//! The operand-level form of instructions: lifting and lowering are inverse, and the encoding is the parser's choice.

use std::collections::{BTreeMap, HashMap};

use ::rdna3::{Inst, Instr, Wave};
use isa::inst::OpKind;
use isa::{Isa, Op, Reg, UnusedFields};
use isa_tests::property;
use isa_tests::sets::usual;
use isa_tests::vectors::{golden, golden_of};

/// The failures by mnemonic: their number, and one example.
#[derive(Default)]
struct Failures(BTreeMap<String, (usize, String)>);

impl Failures {
    fn add(&mut self, key: String, example: String) {
        self.0.entry(key).or_insert((0, example)).0 += 1;
    }

    fn assert_none(&self, checked: usize) {
        let all: usize = self.0.values().map(|(count, _)| count).sum();
        let some: Vec<_> = self.0.iter().take(40).collect();
        assert!(some.is_empty(), "{all} of {checked}, {} kinds: {some:#?}", self.0.len());
    }
}

/// Numbers that look random.
fn next(state: &mut u32) -> u32 {
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    *state
}

/// The text with the mnemonic's suffix removed.
fn bare(text: &str) -> String {
    let (mnemonic, rest) = text.split_once(' ').unwrap_or((text, ""));
    let mnemonic = mnemonic.trim_end_matches("_dpp").trim_end_matches("_e64").trim_end_matches("_e32");
    format!("{mnemonic} {rest}")
}

/// The tests of lifting and lowering for a set of RDNA.
macro_rules! lifting {
    ($module:ident, $set:ident) => {
        mod $module {
            use ::$module::Instr;

            use super::*;

            /// Lifts and lowers an instruction; the words must be the same, but for fields that it does not use.
            fn round_trip(instr: &Instr, wave: Wave, failures: &mut Failures) {
                let key = || format!("{} {} {:?}", instr.opcode(), instr.format(), instr.suffix_dword());
                let lifted = instr.to_inst_in(wave);
                let open = instr.to_inst().encode_unchecked(wave);
                let instr = &instr.with_unused_fields(UnusedFields::Usual);
                if open != Ok(*instr) {
                    return failures.add(key(), format!("{} in any mode: {open:?}", instr.display(wave)));
                }
                match lifted.encode_unchecked(wave) {
                    Ok(same) if same == *instr => {}
                    Ok(other) => failures
                        .add(key(), format!("{} became {}: {lifted:?}", instr.display(wave), other.display(wave))),
                    Err(error) => failures.add(key(), format!("{}: {error}: {lifted:?}", instr.display(wave))),
                }
            }

            #[test]
            fn lowering_undoes_lifting_of_golden_lines() {
                let mut failures = Failures::default();
                let mut checked = 0;
                for line in golden_of::<::$module::$set>().unwrap() {
                    let Ok((instr, _)) = Instr::decode(&line.words(), line.mode()) else { continue };
                    round_trip(&instr, line.mode(), &mut failures);
                    checked += 1;
                }
                failures.assert_none(checked);
                assert!(checked > 5000, "{checked}");
            }

            #[test]
            fn lowering_undoes_lifting_of_random_words() {
                let mut failures = Failures::default();
                let (mut state, mut checked) = (1, 0);
                let lines = golden_of::<::$module::$set>().unwrap();
                let rounds = property::count(5);
                for line in lines.iter().flat_map(|line| std::iter::repeat_n(line, rounds)) {
                    let mut words = line.words();
                    words.resize(3, next(&mut state));
                    // A few fields change, or all of what follows the opcode.
                    let flips = next(&mut state) % 4;
                    for word in words.iter_mut().skip(usize::from(flips == 3)) {
                        let mask = match flips {
                            0 => next(&mut state) & next(&mut state) & next(&mut state),
                            1 => 0xff << (next(&mut state) & 31),
                            _ => next(&mut state),
                        };
                        *word ^= next(&mut state) & mask;
                    }
                    let Ok((instr, _)) = Instr::decode(&words, line.mode()) else { continue };
                    round_trip(&instr, line.mode(), &mut failures);
                    checked += 1;
                }
                failures.assert_none(checked);
                assert!(checked > 10_000, "{checked}");
            }

            #[test]
            fn a_freed_instruction_has_the_encoding_that_the_parser_chooses() {
                let mut failures = Failures::default();
                let mut checked = 0;
                for line in golden_of::<::$module::$set>().unwrap() {
                    let wave = line.mode();
                    let Ok((instr, _)) = Instr::decode(&line.words(), wave) else { continue };
                    let text = bare(&instr.display(wave).to_string());
                    let Ok(parsed) = Instr::parse(&text, wave) else { continue };
                    // A list of halves that registers tell anyway asks for an encoding that has it.
                    let untold = text.split_once(" op_sel:[").and_then(|(before, rest)| {
                        Instr::parse(&format!("{before}{}", rest.split_once(']')?.1), wave).ok()
                    });
                    let inst = instr.to_inst_in(wave);
                    checked += 1;
                    let key = format!("{} {} {:?}", instr.opcode(), instr.format(), instr.suffix_dword());
                    match inst.shortest().encode(wave) {
                        Ok(same) if same == parsed || untold == Some(same) => {}
                        Ok(other) => failures
                            .add(key, format!("{text} parsed {} built {}", parsed.display(wave), other.display(wave))),
                        Err(error) => {
                            failures.add(key, format!("{text} parsed {}: {error}: {inst:?}", parsed.display(wave)))
                        }
                    }
                }
                failures.assert_none(checked);
                assert!(checked > 5000, "{checked}");
            }
        }
    };
}

lifting!(rdna3, Rdna3);
lifting!(rdna4, Rdna4);

#[test]
fn an_instruction_is_small() {
    assert!(size_of::<Inst>() <= 96 && size_of::<Op>() == 10, "{} {}", size_of::<Inst>(), size_of::<Op>());
}

#[test]
fn virtual_registers_are_renamed_and_never_encoded() {
    let mut renamed = 0;
    for line in golden().unwrap().iter().step_by(7) {
        let wave = line.mode();
        let Ok((instr, _)) = Instr::decode(&line.words(), wave) else { continue };
        let inst = instr.to_inst_in(wave);
        let hidden = inst.map_registers(|reg, _| Reg { is_virtual: true, ..reg });
        let registers = inst.operands().filter(|(op, _)| matches!(op.kind(), OpKind::Reg(_))).count();
        if registers == 0 {
            continue;
        }
        let error = hidden.encode_unchecked(wave).unwrap_err();
        assert!(error.to_string().contains("virtual"), "{error}: {}", instr.display(wave));
        assert!(hidden.operands().any(|(_, row)| Some(row.role) == error.operand));
        let back = hidden.map_registers(|reg, _| Reg { is_virtual: false, ..reg });
        assert_eq!(back.encode_unchecked(wave), Ok(instr));
        renamed += 1;
    }
    assert!(renamed > 500, "{renamed}");
}

/// Lifts and lowers all instructions of a set that some words begin with.
fn round_trips<S: Isa>(words: impl IntoIterator<Item = (Vec<u32>, S::Mode)>) -> usize {
    let mut checked = 0;
    for (words, mode) in words {
        let Ok((instr, len)) = isa::decode::<S>(&words, mode) else { continue };
        let inst = isa::inst::lift::<S>(&instr, len as u8, mode).unwrap_or_else(|e| panic!("{words:08x?}: {e}"));
        let instr = usual::<S>(&instr);
        let back = inst.encode_unchecked(mode);
        assert!(back == Ok(instr), "{words:08x?}: {inst:?} became {back:?}");
        assert_eq!(inst.shortest().encode_unchecked(mode), Ok(instr), "{inst:?}");
        checked += 1;
    }
    checked
}

/// Words with these upper bits, with all kinds of other bits.
fn random(seed: u32, count: usize, mask: u32, value: u32) -> impl Iterator<Item = Vec<u32>> {
    let mut state = seed;
    (0..count).map(move |_| vec![next(&mut state) & !mask | value, next(&mut state), next(&mut state)])
}

#[test]
fn lowering_undoes_lifting_in_gcn_and_rv32i() {
    use gcn::Wave::W64;
    let golden: Vec<Vec<u32>> = golden_of::<gcn::gcn1_4::Gcn1_4>().unwrap().iter().map(|line| line.words()).collect();
    let words = || {
        let smem = random(1, property::count(40_000), 0xfc00_0000, 0xc000_0000);
        let mubuf = random(2, property::count(40_000), 0xfe00_0000, 0xe000_0000);
        golden.iter().cloned().chain(smem).chain(mubuf).map(|words| (words, W64))
    };
    let counts = [
        round_trips::<gcn::gcn1_0::Gcn1_0>(words()),
        round_trips::<gcn::gcn1_1::Gcn1_1>(words()),
        round_trips::<gcn::gcn1_2::Gcn1_2>(words()),
        round_trips::<gcn::gcn1_4::Gcn1_4>(words()),
    ];
    assert!(counts.iter().all(|count| *count > 500), "{counts:?}");
    let rv32i = random(3, property::count(125_000), 3, 3).map(|words| (words, isa_tests::rv32i::Mode::Rv32));
    let checked = round_trips::<isa_tests::rv32i::Rv32i>(rv32i);
    assert!(checked > 12_500, "{checked}");
}

#[test]
fn operands_have_the_names_of_their_class_and_field() {
    let names = |line: &str| -> Vec<String> {
        let inst = Instr::parse(line, Wave::W32).unwrap().to_inst();
        inst.operands().map(|(_, row)| format!("{} {} {:?}", row.role, row.class(), row.field())).collect()
    };
    let three =
        ["d Vdst3 Some(\"VDST\")", "s0 Src3 Some(\"SRC0\")", "s1 Src3 Some(\"SRC1\")", "s2 Src3 Some(\"SRC2\")"];
    assert_eq!(names("v_fma_f32 v0, v1, s2, 1.0"), three);
    let implied = ["d Vgpr Some(\"VDST\")", "s0 Src Some(\"SRC0\")", "s1 Vsrc1 Some(\"VSRC1\")", "s2 Vcc None"];
    assert_eq!(names("v_cndmask_b32 v0, v1, v2, vcc_lo"), implied);
    let formats = <::rdna3::Rdna3 as Isa>::tables().formats;
    for row in ::rdna3::Opcode::ALL.iter().flat_map(|opcode| opcode.operands()) {
        assert!(!row.class().is_empty(), "{row:?}");
        let is_field = |name| formats.iter().any(|format| format.fields.iter().any(|field| field.name == name));
        assert!(row.field().is_none_or(is_field), "{row:?}");
    }
}

#[test]
fn rv32i_is_built_from_opcodes_and_operands() {
    use isa_tests::rv32i::{Inst, Mode, Opcode};
    let x = |n| Op::reg(Reg::new(isa::inst::File(0), n, 1));
    let text = |inst: Inst| inst.encode(Mode::Rv32).map(|instr| instr.to_string()).map_err(|e| e.to_string());
    assert_eq!(text(Inst::new(Opcode::ADDI, [x(10), x(11), Op::int(-1)])), Ok("addi a0, a1, -1".into()));
    assert_eq!(text(Inst::new(Opcode::BEQ, [x(0), x(1), Op::int(-4096)])), Ok("beq zero, ra, -4096".into()));
    let odd = text(Inst::new(Opcode::BEQ, [x(0), x(1), Op::int(3)]));
    assert_eq!(odd, Err("imm: a branch goes -4096 to 4094 bytes, an even number".into()));
    assert_eq!(text(Inst::new(Opcode::ADDI, [x(10), Op::int(1), Op::int(0)])), Err("s0: expected a register".into()));
    let few = text(Inst::new(Opcode::ADDI, [x(10)]));
    assert!(few.is_err_and(|e| e.contains("number of operands")));
    const ADD: Inst = Inst::new(Opcode::ADD, [Op::reg(Reg::new(isa::inst::File(0), 1, 1)), Op::NONE, Op::NONE]);
    assert_eq!(text(ADD), Err("s0: expected another operand".into()));
}

/// A random operand, which resembles a given one more often than not.
fn altered(op: Op, state: &mut u32) -> Op {
    const NUMBERS: [u32; 12] = [0, 1, 2, 3, 60, 100, 104, 105, 106, 128, 254, 255];
    let n = next(state);
    let number = if n & 64 == 0 { NUMBERS[n as usize % NUMBERS.len()] } else { n >> 8 & 0x1ff };
    match (op.as_reg(), n >> 20 & 15) {
        (_, 0) => Op::OFF,
        (_, 1) => Op::int(i64::from(number) - 20),
        (_, 2) => Op::int(i64::from(n as i32 >> (n >> 27))),
        (_, 3) => Op::from(f32::from_bits(n & 0xff80_0000)),
        (_, 4) => Op::int(i64::from(number)).literal(),
        (_, 5) => Op::reg(Reg::new(isa::inst::File((n >> 16) as u8 % 10), number, (n >> 12) as u8 % 5)),
        (Some(reg), 6) => op.with_reg(Reg { count: (n >> 12) as u8 % 9, number, ..reg }),
        (Some(_), 7) => op.neg(),
        (Some(_), 8) => op.abs(),
        (Some(reg), 9) => op.with_reg(Reg { half: None, ..reg }),
        (Some(reg), _) => op.with_reg(Reg { number, ..reg }),
        (None, _) => op,
    }
}

/// Compares the fast path of encoding with the slow one, on lifted instructions and on altered ones.
fn compare_paths<S: Isa>(all: impl IntoIterator<Item = (Vec<u32>, S::Mode)>, rounds: u32) -> [usize; 2] {
    let (mut state, mut encoded, mut refused) = (7, 0, 0);
    for (words, mode) in all {
        let Ok((instr, len)) = isa::decode::<S>(&words, mode) else { continue };
        let Ok(lifted) = isa::inst::lift::<S>(&instr, len as u8, mode) else { continue };
        for round in 0..rounds {
            let mut inst = if round & 1 == 0 { lifted } else { lifted.shortest() };
            for op in inst.ops_mut() {
                if round > 1 && next(&mut state) & 1 == 0 {
                    *op = altered(*op, &mut state);
                }
            }
            let modifiers = S::inst_tables().modifiers;
            if round > 1 && !modifiers.is_empty() && next(&mut state) & 3 == 0 {
                let own: Vec<_> = modifiers.iter().filter(|m| lifted.has_modifier(**m)).collect();
                let any = next(&mut state) as usize;
                let modifier = if any & 256 == 0 || own.is_empty() {
                    &modifiers[any % modifiers.len()]
                } else {
                    own[any % own.len()]
                };
                inst = inst.with(*modifier, next(&mut state) >> (next(&mut state) & 31));
            }
            for checked in [false, true] {
                let fast = if checked { inst.encode(mode) } else { inst.encode_unchecked(mode) };
                let slow = inst.encode_slow(mode, checked);
                assert_eq!(fast, slow, "{words:08x?} {mode:?} {inst:?}");
                *(if fast.is_ok() { &mut encoded } else { &mut refused }) += 1;
            }
        }
    }
    [encoded, refused]
}

#[test]
fn fast_and_slow_paths_of_encoding_agree() {
    let rounds = property::count(4) as u32;
    let rdna3 = golden().unwrap();
    let both = [Wave::W32, Wave::W64];
    let words = rdna3.iter().flat_map(|line| both.map(|wave| (line.words(), wave)));
    let counts = compare_paths::<::rdna3::Rdna3>(words, rounds);
    assert!(counts.iter().all(|count| *count > 30_000), "{counts:?}");
    let rdna4 = golden_of::<::rdna4::Rdna4>().unwrap();
    let words = rdna4.iter().flat_map(|line| both.map(|wave| (line.words(), wave)));
    let counts = compare_paths::<::rdna4::Rdna4>(words, rounds);
    assert!(counts.iter().all(|count| *count > 30_000), "{counts:?}");
    let golden: Vec<Vec<u32>> = golden_of::<gcn::gcn1_4::Gcn1_4>().unwrap().iter().map(|line| line.words()).collect();
    let words = || golden.iter().cloned().map(|words| (words, gcn::Wave::W64));
    let counts = [
        compare_paths::<gcn::gcn1_0::Gcn1_0>(words(), rounds),
        compare_paths::<gcn::gcn1_2::Gcn1_2>(words(), rounds),
        compare_paths::<gcn::gcn1_4::Gcn1_4>(words(), rounds),
    ];
    assert!(counts.iter().flatten().all(|count| *count > 150), "{counts:?}");
    let rv32i = random(5, property::count(25_000), 3, 3).map(|words| (words, isa_tests::rv32i::Mode::Rv32));
    let counts = compare_paths::<isa_tests::rv32i::Rv32i>(rv32i, 8);
    assert!(counts.iter().all(|count| *count > 1000), "{counts:?}");
}

#[test]
fn no_bit_of_a_modifier_is_lost() {
    let (mut kept, mut refused) = (0, 0);
    let step = 3 * property::stride(3);
    for line in golden().unwrap().iter().step_by(step) {
        let wave = line.mode();
        let Ok((instr, _)) = Instr::decode(&line.words(), wave) else { continue };
        let inst = instr.to_inst_in(wave);
        // Registers with a half decide bits of `op_sel`, regardless of its value.
        if inst.operands().any(|(op, _)| op.as_reg().is_some_and(|reg| reg.half.is_some())) {
            continue;
        }
        for modifier in
            <::rdna3::Rdna3 as Isa>::inst_tables().modifiers.iter().filter(|modifier| inst.has_modifier(**modifier))
        {
            let mut encoded = HashMap::new();
            for value in (0..32).map(|bit| 1 << bit) {
                let changed = inst.with(*modifier, value);
                if changed.modifier(*modifier) != Some(value) {
                    break;
                }
                let Ok(instr) = changed.encode_unchecked(wave) else {
                    refused += 1;
                    continue;
                };
                let other = encoded.insert(instr, value);
                assert_eq!(other, None, "{} {value} of {}", modifier.name, instr.display(wave));
                kept += 1;
            }
        }
    }
    assert!(kept > 3_000 && refused > 300, "{kept} {refused}");
}

#[test]
fn modifiers_of_other_opcodes_are_refused() {
    let (mut refused, mut named, mut wide) = (0, 0, 0);
    let step = property::stride(20);
    for line in golden().unwrap().iter().step_by(step) {
        let wave = line.mode();
        let Ok((instr, _)) = Instr::decode(&line.words(), wave) else { continue };
        let inst = instr.to_inst_in(wave);
        let encodings = |inst: &Inst| {
            [
                inst.encode(wave),
                inst.encode_unchecked(wave),
                inst.encode_slow(wave, true),
                inst.encode_slow(wave, false),
            ]
        };
        if encodings(&inst) != [Ok(instr); 4] {
            continue;
        }
        for modifier in <::rdna3::Rdna3 as Isa>::inst_tables().modifiers {
            if inst.has_modifier(*modifier) {
                let Some(bit) = (0..32).find(|bit| inst.try_with(*modifier, 1 << bit).is_err()) else { continue };
                assert!(
                    encodings(&inst.with(*modifier, 1 << bit)).iter().all(Result::is_err),
                    "{} {instr}",
                    modifier.name
                );
                wide += 1;
                continue;
            }
            for value in [0, 1] {
                let changed = inst.with(*modifier, value);
                for encoded in encodings(&changed) {
                    match encoded {
                        // Its default, in the opcode's group.
                        Ok(same) => assert_eq!(same, instr, "{}:{value}", modifier.name),
                        Err(error) => {
                            assert!(
                                error.operand.is_none_or(|name| name == modifier.name),
                                "{}:{value}: {error}: {changed:?}",
                                modifier.name
                            );
                            refused += 1;
                            named += usize::from(error.operand.is_some());
                        }
                    }
                }
            }
        }
    }
    assert!(refused > 125_000 && named > refused / 3 && wide > 2_500, "{refused} {named} {wide}");
}

#[test]
fn pairs_have_the_modifiers_of_the_first() {
    use ::rdna3::{Opcode, build::v, modifiers};
    let half = |opcode| Inst::new(opcode, [v(0).op(), v(1).op(), v(3).op()]);
    let (first, second) = (half(Opcode::V_ADD_F32), half(Opcode::V_MUL_F32));
    let error = Inst::pair(first, second.with(modifiers::CLAMP, 1)).encode(Wave::W32).unwrap_err();
    assert!(error.to_string().starts_with("the modifiers of a pair are those of its first instruction"), "{error}");
}

#[test]
fn the_data_of_a_sample_have_the_status_of_lwe() {
    for (text, count) in [
        ("image_sample v[0:3], v[5:6], s[8:15], s[4:7] dmask:0xf dim:SQ_RSRC_IMG_2D lwe", 5),
        ("image_sample v[0:4], v[5:6], s[8:15], s[4:7] dmask:0xf dim:SQ_RSRC_IMG_2D tfe lwe", 5),
        ("image_sample v[0:3], v[5:6], s[8:15], s[4:7] dmask:0xf dim:SQ_RSRC_IMG_2D", 4),
        ("image_load v[0:3], v[5:6], s[8:15] dmask:0xf dim:SQ_RSRC_IMG_2D lwe", 4),
    ] {
        let instr = Instr::parse(text, Wave::W32).unwrap();
        let inst = instr.to_inst();
        assert_eq!(inst.ops()[0].as_reg().map(|reg| reg.count), Some(count), "{text}");
        assert_eq!(inst.encode(Wave::W32), Ok(instr), "{text}");
        // As text has them: without the status.
        let reg = inst.ops()[0].as_reg().unwrap();
        let mut bare = inst;
        bare.ops_mut()[0] = Op::reg(Reg { count: 4, ..reg });
        assert_eq!(bare.encode(Wave::W32).ok(), (!text.contains("tfe")).then_some(instr), "{text}");
    }
}

#[test]
fn try_with_refuses_modifiers_that_the_opcode_lacks() {
    let modifier =
        |name: &str| *<::rdna3::Rdna3 as Isa>::inst_tables().modifiers.iter().find(|m| m.name == name).unwrap();
    let inst = Instr::parse("v_add_f32_e64 v0, v1, v2", Wave::W32).unwrap().to_inst();
    let error = |name, value| inst.try_with(modifier(name), value).unwrap_err().to_string();
    assert_eq!(inst.try_with(modifier("clamp"), 1), Ok(inst.with(modifier("clamp"), 1)));
    assert_eq!(error("offset0", 1), "offset0: this instruction has no such operand or modifier");
    assert_eq!(error("clamp", 2), "clamp: the value has more bits than this modifier");
}

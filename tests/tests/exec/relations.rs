//! Opcodes that are related compute what the relation says, on random inputs.

use isa_exec::memory::Regions;
use isa_exec::program::Program;
use isa_exec::wave::Wave;

use crate::machine::{self, Random};

/// How often each pair is tried.
const ROUNDS: usize = 4;

/// How many opcodes of a set are compared, at least or exactly.
struct Counts {
    commuted: usize,
    compares: usize,
    accumulating: usize,
    literals: usize,
    constants: usize,
    dual: usize,
}

/// The tests of one set. `subtract`: its S_SUB_U32.
macro_rules! relations {
    ($set:ident, $machine:ident, $subtract:ident, $counts:expr) => {
        mod $set {
            use ::$set::isa::inst::File;
            use ::$set::isa::{Access, Op, Reg};
            use ::$set::{Inst, Instr, Opcode, files};

            use super::*;

            /// Returns an instruction whose operand `n` begins in register `8 * n`, in a vector register where that is possible. Constants
            /// are `constant`.
            fn instruction(opcode: Opcode, constant: i64) -> Option<Inst> {
                let mut ops = Vec::new();
                for (index, operand) in opcode.operands().enumerate() {
                    let class = opcode.register_class(index, ::$set::Wave::W32);
                    let files: Vec<u8> =
                        class.iter().flat_map(|class| class.files.iter().map(|range| range.file.0)).collect();
                    let file = [files::VGPR, files::SGPR].into_iter().find(|file| files.contains(file));
                    let count = class.map_or(1, |class| class.count.max(1));
                    ops.push(match file {
                        Some(file) => Op::reg(Reg::new(File(file), 8 * index as u32, count)),
                        // VCC, which the encoding implies.
                        None if operand.ty.bits() == 0 => continue,
                        None => Op::int(constant),
                    });
                }
                let inst = match *ops.as_slice() {
                    [a] => Inst::new(opcode, [a]),
                    [a, b] => Inst::new(opcode, [a, b]),
                    [a, b, c] => Inst::new(opcode, [a, b, c]),
                    [a, b, c, d] => Inst::new(opcode, [a, b, c, d]),
                    [a, b, c, d, e] => Inst::new(opcode, [a, b, c, d, e]),
                    _ => return None,
                };
                inst.encode(::$set::Wave::W32).ok().map(|_| inst)
            }

            /// Returns a program of one instruction, a mark in s100 that a branch by one dword jumps over, and the end.
            fn program(inst: &Inst) -> Program<'static> {
                let instr = inst.encode(::$set::Wave::W32).unwrap_or_else(|error| panic!("{inst:?}: {error}"));
                let mut code: Vec<u8> = instr.encode().iter().flat_map(|word| word.to_le_bytes()).collect();
                for line in ["s_movk_i32 s100, 0x77", "s_endpgm"] {
                    let instr =
                        Instr::parse(line, ::$set::Wave::W32).unwrap_or_else(|error| panic!("`{line}`: {error}"));
                    code.extend(instr.encode().iter().flat_map(|word| word.to_le_bytes()));
                }
                Program::new::<::$set::exec::$machine>(code, 0x1000, ::$set::Wave::W32, 256)
            }

            /// Runs instructions on the same random state, and returns it and the states after them. Only the first source has NaNs, so
            /// that it does not matter which of two a result is.
            fn runs<const N: usize>(random: &mut Random, insts: [&Inst; N]) -> (Wave, [Wave; N]) {
                let programs = insts.map(program);
                let mut start = machine::wave(&programs[0]);
                random.fill(&mut start);
                let is_nan = |dword: u32| [dword, dword >> 16].into_iter().any(|half| half & 0x7C00 == 0x7C00);
                let first =
                    8 * usize::from(insts[0].operands().next().is_some_and(|(_, row)| row.access == Access::Write));
                for register in (0..48).filter(|register| !(first..first + 8).contains(register)) {
                    for lane in 0..32 {
                        if is_nan(start.vgpr(register as u16, lane)) {
                            start.set_vgpr(register as u16, lane, 0x1234_4321);
                        }
                    }
                }
                let after = programs.each_ref().map(|program| {
                    let copy = |wave: &mut Wave| {
                        (0..129).for_each(|register| wave.set_sgpr(register, start.sgpr(register)));
                        wave.set_scc(start.scc());
                        for register in 0..48 {
                            (0..32).for_each(|lane| wave.set_vgpr(register, lane, start.vgpr(register, lane)));
                        }
                    };
                    machine::run(program, &Regions::new(), copy).unwrap_or_else(|fault| panic!("{insts:?}: {fault}"))
                });
                (start, after)
            }

            /// Returns the first register in which two states differ.
            fn difference(a: &Wave, b: &Wave) -> Option<String> {
                let scalar = (0..129).find(|r| a.sgpr(*r) != b.sgpr(*r)).map(|r| format!("s{r}"));
                let vector = || {
                    (0..48).find(|r| (0..32).any(|lane| a.vgpr(*r, lane) != b.vgpr(*r, lane))).map(|r| format!("v{r}"))
                };
                scalar.or_else(vector).or_else(|| (a.scc() != b.scc()).then(|| "scc".to_string()))
            }

            /// Checks that two instructions compute the same.
            fn assert_equal(random: &mut Random, a: &Inst, b: &Inst) {
                for _ in 0..ROUNDS {
                    let (_, [x, y]) = runs(random, [a, b]);
                    assert_eq!(difference(&x, &y), None, "{a:?} and {b:?}");
                }
            }

            #[test]
            fn commuted_opcodes_compute_the_same_with_exchanged_sources() {
                let mut random = Random(11);
                let mut checked = 0;
                for opcode in Opcode::ALL {
                    assert_eq!(
                        opcode.commuted().and_then(Opcode::commuted),
                        opcode.commuted().map(|_| opcode),
                        "{opcode}"
                    );
                    let Some(inst) = instruction(opcode, 5) else { continue };
                    let Some(commuted) = inst.commuted() else { continue };
                    assert_eq!(Some(commuted.opcode()), opcode.commuted());
                    assert_equal(&mut random, &inst, &commuted);
                    checked += 1;
                }
                assert!(checked >= $counts.commuted, "{checked} opcodes were checked");
            }

            #[test]
            fn sources_that_cannot_be_exchanged_matter() {
                let mut random = Random(12);
                // No opcode has these with exchanged sources, and the order of their sources matters.
                for opcode in [
                    Opcode::V_SUB_F32,
                    Opcode::V_LSHLREV_B32,
                    Opcode::$subtract,
                    Opcode::V_CNDMASK_B32,
                    Opcode::V_BFE_U32,
                ] {
                    let inst = instruction(opcode, 5).expect("an instruction");
                    let mut exchanged = inst;
                    exchanged.ops_mut().swap(1, 2);
                    assert!(opcode.commuted() != Some(opcode), "{opcode}");
                    let differs = (0..ROUNDS).any(|_| {
                        let (_, [a, b]) = runs(&mut random, [&inst, &exchanged]);
                        difference(&a, &b).is_some()
                    });
                    assert!(differs, "{opcode}");
                }
            }

            #[test]
            fn inverse_opcodes_compute_the_complement() {
                let mut random = Random(13);
                let (mut compares, mut branches) = (0, 0);
                for opcode in Opcode::ALL {
                    let Some(other) = opcode.inverse() else { continue };
                    assert_eq!(other.inverse(), Some(opcode), "{opcode}");
                    let [Some(a), Some(b)] = [opcode, other].map(|opcode| instruction(opcode, 1)) else {
                        panic!("{opcode} and {other}");
                    };
                    for _ in 0..ROUNDS {
                        let (start, [a, b]) = runs(&mut random, [&a, &b]);
                        if opcode.is_conditional_branch() {
                            let taken = [&a, &b].map(|wave| wave.sgpr(100) == start.sgpr(100));
                            assert!(taken[0] != taken[1], "{opcode} and {other}: {taken:?}");
                            branches += 1;
                            continue;
                        }
                        let lanes = start.exec() as u32;
                        let mask = match opcode.operands().next() {
                            Some(row) if row.access == Access::Write => [&a, &b].map(|wave| wave.sgpr(0)),
                            _ if opcode.effects().writes(::$set::isa::body::State::Exec) => {
                                [&a, &b].map(|wave| wave.exec() as u32)
                            }
                            _ => {
                                assert!(a.scc() != b.scc(), "{opcode} and {other}");
                                continue;
                            }
                        };
                        assert_eq!(mask[0] ^ mask[1], lanes, "{opcode} and {other}");
                        compares += 1;
                    }
                }
                assert!(
                    branches >= 6 * ROUNDS && compares >= $counts.compares * ROUNDS,
                    "{branches} branches, {compares} comparisons"
                );
            }

            #[test]
            fn accumulating_opcodes_compute_the_same_as_those_with_three_sources() {
                let mut random = Random(14);
                let mut checked = 0;
                for opcode in Opcode::ALL {
                    let Some(short) = opcode.two_address() else { continue };
                    assert_eq!(short.three_address(), Some(opcode), "{opcode}");
                    let (Some(short), Some(mut long)) = (instruction(short, 5), instruction(opcode, 5)) else {
                        continue;
                    };
                    let destination = long.ops()[0];
                    *long.ops_mut().last_mut().expect("operands") = destination;
                    assert_eq!((long.two_address(), short.three_address()), (Some(short), Some(long)));
                    assert_equal(&mut random, &short, &long);
                    checked += 1;
                }
                assert!(checked >= $counts.accumulating, "{checked} opcodes were checked");
            }

            #[test]
            fn opcodes_with_literals_compute_the_same_as_those_with_sources() {
                let mut random = Random(15);
                let mut checked = 0;
                for opcode in Opcode::ALL {
                    for source in 0..4 {
                        let Some(other) = opcode.with_literal(source) else { continue };
                        assert_eq!(other.without_literal(), Some(opcode));
                        let Some(mut inst) = instruction(opcode, 5) else { continue };
                        let is_half = opcode.operands().nth(source).is_some_and(|row| row.ty.bits() == 16);
                        inst.ops_mut()[source] = Op::int(if is_half { 0x3c12 } else { 0x3fc0_1234 });
                        let Some(with) = inst.with_literal() else { panic!("{opcode} with the literal {source}") };
                        // S_SETREG_B32 takes registers only.
                        let is_encodable = inst.encode(::$set::Wave::W32).is_ok();
                        assert_eq!(
                            (with.opcode(), with.without_literal()),
                            (other, Some(inst).filter(|_| is_encodable))
                        );
                        if is_encodable {
                            assert_equal(&mut random, &inst, &with);
                            checked += 1;
                        }
                    }
                }
                assert_eq!(checked, $counts.literals);
            }

            #[test]
            fn short_forms_compute_the_same_as_long_ones() {
                let mut random = Random(17);
                let mut checked = Vec::new();
                for opcode in Opcode::ALL {
                    let Some(other) = (0..4).find_map(|source| opcode.with_constant(source)) else { continue };
                    let Some(mut inst) = instruction(opcode, 5) else { panic!("{opcode}") };
                    let is_tied = other.operands().count() < opcode.operands().count();
                    if is_tied {
                        inst.ops_mut()[1] = inst.ops()[0];
                    }
                    let last = inst.ops().len() - 1;
                    let is_unsigned = other.operands().nth(1).expect("a constant").ty.to_string() == "u16";
                    for (constant, fits) in [
                        (0x1234, true),
                        (-5, !is_unsigned),
                        (0x8000, is_unsigned),
                        (0xffff_fffb, !is_unsigned),
                        (0x1_0000, false),
                    ] {
                        inst.ops_mut()[last] = Op::int(constant);
                        let short = inst.with_constant();
                        assert_eq!(short.is_some(), fits, "{inst:?}");
                        let Some(short) = short else { continue };
                        assert_eq!(short.opcode(), other);
                        let long = short.without_constant().unwrap_or_else(|| panic!("{short:?}"));
                        assert_eq!(long.opcode(), opcode);
                        assert_equal(&mut random, &inst, &short);
                        assert_equal(&mut random, &long, &short);
                    }
                    if is_tied {
                        // The constant may be the first source, and the other source has to be the destination.
                        inst.ops_mut().swap(1, 2);
                        inst.ops_mut()[1] = Op::int(77);
                        assert_eq!(inst.with_constant().map(|short| short.opcode()), Some(other), "{inst:?}");
                        inst.ops_mut()[2] = Op::reg(Reg::new(File(files::SGPR), 50, 1));
                        assert_eq!(inst.with_constant(), None, "{inst:?}");
                    }
                    checked.push(other);
                }
                assert_eq!(checked.len(), $counts.constants, "{checked:?}");
            }

            #[test]
            fn components_of_dual_issue_compute_the_same_as_single_instructions() {
                let mut random = Random(16);
                let nothing = Inst::new(Opcode::V_MOV_B32, [Op::reg(Reg::new(File(files::VGPR), 41, 1)), Op::int(0)]);
                let mut checked = 0;
                for opcode in Opcode::ALL {
                    if opcode.dual_components() == [false; 2] {
                        continue;
                    }
                    let Some(mut inst) = instruction(opcode, 0x3fc0_1234) else { continue };
                    // The banks of the registers differ, and a mask is VCC.
                    for (index, op) in inst.ops_mut().iter_mut().enumerate() {
                        if let Some(reg) = op.as_reg().filter(|reg| reg.file == File(files::VGPR)) {
                            *op = Op::reg(Reg { number: reg.number + index as u32 * 2, ..reg });
                        }
                    }
                    if let Some(mask) =
                        inst.ops_mut().iter_mut().find(|op| op.as_reg().is_some_and(|r| r.file == File(files::SGPR)))
                    {
                        *mask = Op::reg(Reg::new(File(files::VCC), 0, 1));
                    }
                    let Some(pair) = ::$set::dual_issue(&inst, &nothing) else { continue };
                    let (_, [alone, both]) = runs(&mut random, [&inst, &pair]);
                    for register in (0..40).filter(|register| *register != 41) {
                        for lane in 0..32 {
                            assert_eq!(alone.vgpr(register, lane), both.vgpr(register, lane), "{inst:?}: v{register}");
                        }
                    }
                    checked += 1;
                }
                assert!(checked >= $counts.dual, "{checked} opcodes were checked");
            }
        }
    };
}

relations!(rdna3, Rdna3Machine, S_SUB_U32, super::RDNA3);
relations!(rdna4, Rdna4Machine, S_SUB_CO_U32, super::RDNA4);

const RDNA3: Counts = Counts { commuted: 301, compares: 151, accumulating: 4, literals: 4, constants: 16, dual: 12 };
// RDNA4 has no S_CMPK_*.
const RDNA4: Counts = Counts { commuted: 301, compares: 151, accumulating: 3, literals: 4, constants: 4, dual: 12 };

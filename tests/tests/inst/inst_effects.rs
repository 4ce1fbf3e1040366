//! Effects of operand-level instructions: those of the encoded instruction, whether registers are physical or not.

use ::rdna3::build::*;
use ::rdna3::{Inst, Opcode, RegisterEffects, RegisterSet, Unit, Wave, files};
use isa::inst::{File, InstEffect, InstResource};
use isa::{Access, Op, Reg, Resource};
use isa_tests::vectors::golden_of;

/// Adds the registers of an operand to a set. A count of 0 is that of a lane mask. SCC is one register, however wide the operand.
fn insert(set: &mut RegisterSet, reg: Reg, wave: Wave) {
    let mask = if wave == Wave::W64 { 2 } else { 1 };
    let count = match reg.count {
        _ if reg.file == File(files::SCC) => 1,
        0 => mask,
        count => count,
    };
    if let Some(first) = Unit::of_file(reg.file.0, reg.number as u8) {
        set.insert_run(first, count);
    }
}

/// The comparison for a set of RDNA.
macro_rules! comparison {
    ($module:ident, $set:ident) => {
        mod $module {
            use ::$module::{Inst, Instr};

            use super::*;

            /// Returns the registers of operands in the effects of an operand-level instruction.
            fn of_inst(inst: &Inst, wave: Wave) -> RegisterEffects {
                let mut all = RegisterEffects::default();
                for (effect, reg) in inst.effects().filter_map(|effect| Some((effect, effect.reg()?))) {
                    if effect.access != Access::Write {
                        insert(&mut all.read, reg, wave);
                    }
                    if effect.is_written() {
                        insert(&mut all.written, reg, wave);
                    }
                    if effect.is_partial {
                        insert(&mut all.partial, reg, wave);
                    }
                }
                all
            }

            #[test]
            fn effects_before_encoding_are_those_after_it() {
                let mut wrong = Vec::new();
                let mut checked = 0;
                for line in golden_of::<::$module::$set>().unwrap() {
                    let wave = line.mode();
                    let Ok((instr, _)) = Instr::decode(&line.words(), wave) else { continue };
                    // The status that LWE writes has a register that text does not name, so an operand has one less.
                    if instr.to_string().contains(" lwe") {
                        continue;
                    }
                    // The operand has the two registers of its type, as in text; a register of streamout of 32 bits writes the first.
                    if instr.flags() & ::$module::flags::STREAMOUT != 0 {
                        continue;
                    }
                    // An operand-level instruction has one access for the whole address of a ray; these write back a part.
                    let text = instr.to_string();
                    if text.starts_with("image_bvh8") || text.starts_with("image_bvh_dual") {
                        continue;
                    }
                    let inst = instr.to_inst_in(wave);
                    let operands = instr.effects(wave).filter(|effect| matches!(effect.resource, Resource::Operand(_)));
                    let expected = RegisterEffects::of(operands, if wave == Wave::W64 { 2 } else { 1 });
                    // It follows from what the instruction reads by itself, which is compared below.
                    let expected = RegisterEffects { scc_is_operand: false, ..expected };
                    let found = of_inst(&inst, wave);
                    if found != expected {
                        wrong.push(format!("{}: {found:?}, not {expected:?}", instr.display(wave)));
                    }
                    let rest = |effect: InstEffect| match effect.resource {
                        InstResource::Register(_) => None,
                        InstResource::State(state) => Some((format!("{state:?}"), effect.access, effect.is_partial)),
                        InstResource::Memory(space) => Some((format!("{space:?}"), effect.access, effect.is_partial)),
                    };
                    let found: Vec<_> = inst.effects().filter_map(rest).collect();
                    let expected = instr.effects(wave).filter_map(|effect| match effect.resource {
                        Resource::Operand(_) => None,
                        Resource::State(state) => Some((format!("{state:?}"), effect.access, effect.is_partial)),
                        Resource::Memory(space) => Some((format!("{space:?}"), effect.access, effect.is_partial)),
                    });
                    let expected: Vec<_> = expected.collect();
                    if found != expected {
                        wrong.push(format!("{}: {found:?}, not {expected:?}", instr.display(wave)));
                    }
                    checked += 1;
                }
                assert!(wrong.is_empty(), "{} of {checked}: {:#?}", wrong.len(), &wrong[..wrong.len().min(20)]);
                assert!(checked > 5000, "{checked}");
            }
        }
    };
}

comparison!(rdna3, Rdna3);
comparison!(rdna4, Rdna4);

#[test]
fn virtual_registers_have_effects() -> Result<(), BuildError> {
    let vector = |number| Op::reg(Reg::new_virtual(File(files::VGPR), number, 1));
    let scalar = |number| Op::reg(Reg::new_virtual(File(files::SGPR), number, 1));
    let uses = |inst: Inst| -> Vec<(u32, Access, bool, bool)> {
        let of = |effect: InstEffect| {
            Some((effect.reg()?.number, effect.access, effect.is_masked, effect.needs_old_value()))
        };
        inst.effects().filter_map(of).collect()
    };
    use Access::{Read, ReadWrite, Write};
    // Each lane writes its own element, so the lanes that EXEC excludes keep theirs.
    let add = v_add_f32(vector(1), vector(2), scalar(3)).inst()?;
    assert_eq!(uses(add), [(1, Write, true, true), (2, Read, false, true), (3, Read, false, true)]);
    let load = global_load_b32(vector(1), vector(2), Op::reg(Reg::new_virtual(File(files::SGPR), 4, 2))).inst()?;
    assert_eq!(uses(load)[0], (1, Write, true, true));
    // The result is a whole mask, and a whole scalar register.
    let compare = v_cmp_lt_f32(scalar(1), vector(2), 1.0).inst()?;
    assert_eq!(uses(compare)[0], (1, Write, false, false));
    let sum = s_add_i32(scalar(1), scalar(1), 1).inst()?;
    assert_eq!(uses(sum), [(1, Write, false, false), (1, Read, false, true)]);
    // An accumulator, and one lane of a register.
    assert_eq!(uses(v_fmac_f32(vector(1), vector(2), vector(3)).inst()?)[0], (1, ReadWrite, true, true));
    let lane = v_writelane_b32(vector(1), scalar(2), 3).inst()?;
    assert_eq!(uses(lane)[0], (1, ReadWrite, false, true));
    // No encoding has two literals, yet the effects are known.
    let two = Inst::new(Opcode::V_ADD_F32, [vector(1), Op::from(0.3), Op::from(0.7)]);
    assert!(two.encode_with_any_registers(Wave::W32).is_err());
    assert_eq!(uses(two), [(1, Write, true, true)]);
    Ok(())
}

#[test]
fn any_registers_show_whether_an_encoding_exists() -> Result<(), BuildError> {
    let vector = |number, count| Op::reg(Reg::new_virtual(File(files::VGPR), number, count));
    let scalar = |number, count| Op::reg(Reg::new_virtual(File(files::SGPR), number, count));
    let length = |inst: Inst| inst.encode_with_any_registers(Wave::W32).map(|instr| instr.len());
    assert_eq!(length(v_add_f32(vector(700, 1), scalar(9, 1), vector(700, 1)).inst()?), Ok(1));
    assert_eq!(length(v_add_f32(vector(1, 1), vector(2, 1), scalar(3, 1)).inst()?), Ok(2));
    // Two scalar registers are admitted, three are not, unless two of them are the same.
    let fma = |a, b, c| Inst::new(Opcode::V_FMA_F32, [vector(1, 1), scalar(a, 1), scalar(b, 1), scalar(c, 1)]);
    assert_eq!(length(fma(1, 2, 1)), Ok(2));
    assert!(length(fma(1, 2, 3)).is_err());
    // Pairs are aligned.
    assert_eq!(length(s_and_b64(scalar(5, 2), scalar(7, 2), scalar(8, 2)).inst()?), Ok(1));
    assert_eq!(length(s_load_b512(scalar(5, 16), scalar(7, 2), NULL, 0).inst()?), Ok(2));
    let wrong = Inst::new(Opcode::S_ADD_U32, [scalar(1, 1), vector(2, 1), scalar(3, 1)]);
    assert_eq!(wrong.encode_with_any_registers(Wave::W32).unwrap_err().operand, Some("s0"));
    Ok(())
}

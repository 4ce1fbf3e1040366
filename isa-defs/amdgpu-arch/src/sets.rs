//! The types of the sets, which expansions of `with_set!` name, and the trait for each.

use amdgpu_operands::RegisterEffects;
pub use gcn_rows::gcn1_0::Gcn1_0;
pub use gcn_rows::gcn1_1::Gcn1_1;
pub use gcn_rows::gcn1_2::Gcn1_2;
pub use gcn_rows::gcn1_4::Gcn1_4;
pub use rdna_rows::rdna3::Rdna3;
pub use rdna_rows::rdna3_5::Rdna3_5;
pub use rdna_rows::rdna4::Rdna4;

use crate::Wave;
use crate::instr::{Instr, InstructionSet, RegisterCounts};
use crate::operands::{OperandValue, Violation};

macro_rules! rdna {
    ($($set:ident)*) => {$(
        impl InstructionSet for $set {
            fn mode(wave: Wave) -> Wave {
                wave
            }

            fn wrap(instr: Self::Instr, wave: Wave) -> Instr {
                Instr::$set(instr, wave)
            }

            fn of_any(instr: &Instr) -> Option<(Self::Instr, Wave)> {
                if let Instr::$set(instr, wave) = *instr { Some((instr, wave)) } else { None }
            }

            fn register_effects(instr: &Self::Instr, wave: Wave) -> RegisterEffects {
                instr.register_effects(wave)
            }

            fn register_counts(instr: &Self::Instr, wave: Wave) -> RegisterCounts {
                use rdna_rows::{File, Value};

                let mut counts = RegisterCounts::default();
                for operand in instr.operands(wave) {
                    match operand.value {
                        Value::Registers(r) if r.file == File::Vgpr => counts.add_vector(r.first, r.count),
                        Value::Registers(r) if r.file == File::Sgpr => counts.add_scalar(r.first, r.count),
                        Value::Scattered { groups, first, count } => {
                            let groups = first.into_iter().zip(count).take(usize::from(groups));
                            groups.for_each(|(first, count)| counts.add_vector(first, count));
                        }
                        _ => {}
                    }
                }
                counts
            }

            #[inline]
            fn branch_offset(instr: &Self::Instr) -> Option<i16> {
                instr.branch_offset()
            }

            fn check(instr: &Self::Instr, wave: Wave) -> Result<(), Violation> {
                instr.check(wave).map_err(|violation| Violation::new(&violation))
            }

            fn operand_value(value: Self::Value) -> OperandValue {
                use rdna_rows::Value;

                match value {
                    Value::Registers(r) => {
                        OperandValue::Registers { file: r.file as u8, first: r.first, count: r.count, half: r.half }
                    }
                    Value::Scattered { groups, first, count } => OperandValue::Scattered { groups, first, count },
                    Value::Integer(number) => OperandValue::Integer(number),
                    Value::Float(bits) => OperandValue::Float(bits),
                    Value::Literal(bits) => OperandValue::Literal(bits),
                    Value::Immediate(number) => OperandValue::Immediate(number),
                    Value::Branch(dwords) => OperandValue::Branch(dwords),
                    Value::Off => OperandValue::Off,
                }
            }
        }
    )*};
}

rdna!(Rdna3 Rdna3_5 Rdna4);

macro_rules! gcn {
    ($($set:ident)*) => {$(
        impl InstructionSet for $set {
            fn mode(_: Wave) -> gcn_rows::Wave {
                gcn_rows::Wave::W64
            }

            fn wrap(instr: Self::Instr, wave: Wave) -> Instr {
                Instr::$set(instr, wave)
            }

            fn of_any(instr: &Instr) -> Option<(Self::Instr, Wave)> {
                if let Instr::$set(instr, wave) = *instr { Some((instr, wave)) } else { None }
            }

            fn register_effects(instr: &Self::Instr, _: Wave) -> RegisterEffects {
                instr.register_effects()
            }

            fn register_counts(instr: &Self::Instr, _: Wave) -> RegisterCounts {
                use gcn_rows::{File, Value};

                let mut counts = RegisterCounts::default();
                for operand in instr.operands(gcn_rows::Wave::W64) {
                    match operand.value {
                        Value::Registers(r) if r.file == File::Vgpr => counts.add_vector(r.first, r.count),
                        Value::Registers(r) if r.file == File::Sgpr => counts.add_scalar(r.first, r.count),
                        _ => {}
                    }
                }
                counts
            }

            fn check(instr: &Self::Instr, _: Wave) -> Result<(), Violation> {
                instr.check().map_err(|violation| Violation::new(&violation))
            }

            fn operand_value(value: Self::Value) -> OperandValue {
                use gcn_rows::Value;

                match value {
                    Value::Registers(r) => {
                        OperandValue::Registers { file: r.file as u8, first: r.first, count: r.count, half: None }
                    }
                    Value::Integer(number) => OperandValue::Integer(number),
                    Value::Float(bits) => OperandValue::Float(bits),
                    Value::Immediate(number) => OperandValue::Immediate(number),
                    Value::Off => OperandValue::Off,
                }
            }

            fn encoding(word: u32) -> Option<(&'static str, usize)> {
                gcn_rows::encoding::<Self>(word).map(|encoding| (encoding.name, encoding.dwords))
            }
        }
    )*};
}

gcn!(Gcn1_0 Gcn1_1 Gcn1_2 Gcn1_4);

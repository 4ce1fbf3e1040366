//! How operands are placed in an instruction, and read back: `isa::Inst` interprets these tables.

use amdgpu_operands::{CONSTANTS, files};
use isa::inst::{BitOf, ConstantPlace, Count, File as RegisterFile, NumberPlace, OpList, Placing, Reg, RegisterPlace};
use isa::{Case, Op};

use super::registers::{Registers, Value};
use crate::{Generation, flags};

type Cases = &'static [(Case, &'static [RegisterPlace])];

const fn place(file: u8, last: u16, code: u16) -> RegisterPlace {
    RegisterPlace::new(file, 0, last, code)
}

const VCC: RegisterPlace = place(files::VCC, 1, 106);
const TBA: RegisterPlace = place(files::TBA, 1, 108);
const TMA: RegisterPlace = place(files::TMA, 1, 110);
const M0: RegisterPlace = place(files::M0, 0, 124);
const EXEC: RegisterPlace = place(files::EXEC, 1, 126);
const TTMPS: RegisterPlace = place(files::TTMP, 11, 112);
const LONG_SGPRS: RegisterPlace = place(files::SGPR, 103, 0);
const SGPRS: RegisterPlace = place(files::SGPR, 101, 0);
const SCC: RegisterPlace = place(files::SCC, 0, 253).of_any_count();
const STATUS: RegisterPlace = RegisterPlace::new(files::SPECIAL, 251, 252, 251);
const APERTURES: RegisterPlace = RegisterPlace::new(files::SPECIAL, 235, 239, 235).of_any_count();

/// The cases of the generations, each with its registers and with further ones.
macro_rules! by_generation {
    ($($more:expr),*) => {
        &[
            (Case::Flag(flags::GCN1_0), &[LONG_SGPRS, VCC, TBA, TMA, TTMPS, M0, EXEC $(, $more)*]),
            (
                Case::Flag(flags::GCN1_1),
                &[LONG_SGPRS, place(files::FLAT_SCRATCH, 1, 104), VCC, TBA, TMA, TTMPS, M0, EXEC $(, $more)*],
            ),
            (
                Case::Flag(flags::GCN1_2),
                &[SGPRS, place(files::FLAT_SCRATCH, 1, 102), VCC, TBA, TMA, TTMPS, M0, EXEC $(, $more)*],
            ),
            (
                Case::Else,
                &[
                    SGPRS,
                    place(files::FLAT_SCRATCH, 1, 102),
                    place(files::XNACK_MASK, 1, 104),
                    VCC,
                    place(files::TTMP, 15, 108),
                    M0,
                    EXEC
                    $(, $more)*
                ],
            ),
        ]
    };
}

const SCALARS: Cases = by_generation!();
const SOURCES: Cases = by_generation!(APERTURES, STATUS, SCC);
const fn registers(cases: Cases, expects: &'static str) -> Placing {
    Placing::of_registers(cases, expects)
}

/// Scalar registers.
const SCALAR_REGISTERS: Placing = registers(SCALARS, "a scalar register");
/// `BufferSoffset`.
pub(super) const BUFFER_SOFFSET: Placing = Placing {
    count: Count::Fixed(1),
    constants: Some(ConstantPlace { constants: &CONSTANTS, meaning: &[] }),
    ..registers(SOURCES, "a scalar register or an inline constant")
};
/// `BufferData`.
pub(super) const BUFFER_DATA: Placing = Placing {
    count: Count::Dependent,
    ..registers(&[(Case::Else, &[place(files::VGPR, 255, 0)])], "vector registers")
};
/// `BufferAddr`.
pub(super) const BUFFER_ADDR: Placing = Placing { off: Some(0), expects: "`off` or vector registers", ..BUFFER_DATA };
/// `SmemSoffset`.
pub(super) const SMEM_SOFFSET: Placing = Placing {
    count: Count::Fixed(1),
    off: Some(0),
    present: Some(BitOf::new("soe", 0)),
    expects: "`off` or a scalar register",
    ..SCALAR_REGISTERS
};
/// `SmemOffset`: a constant or a register, as a modifier says.
pub(super) const fn smem_offset<I: Generation>() -> Placing {
    let (low, high) = I::FEATURES.smem_offset;
    Placing {
        count: Count::Fixed(1),
        number: Some(NumberPlace::new(low, high, I::FEATURES.smem_rule)),
        number_bit: Some(BitOf::new("imm_offset", 0)),
        off: Some(0),
        expects: "a constant or one scalar register",
        ..SCALAR_REGISTERS
    }
}

/// The operands that a value stands for.
pub(super) fn op_list(value: Option<Value>) -> OpList {
    OpList::one(match value {
        Some(Value::Registers(Registers { file, first, count })) => {
            Op::reg(Reg::new(RegisterFile(file as u8), first.into(), count))
        }
        Some(Value::Integer(n)) => Op::int(n.into()),
        Some(Value::Immediate(n)) => Op::int(n.into()),
        Some(Value::Float(bits)) => Op::float(f32::from_bits(bits).into()),
        Some(Value::Off) | None => Op::OFF,
    })
}

/// The operands of classes whose registers other fields decide.
macro_rules! dependents {
    ($($(#[$doc:meta])* $name:ident: $class:ident, $rule:expr;)*) => {$(
        $(#[$doc])*
        pub(super) const fn $name<I: Generation>() -> Option<isa::inst::Dependent<I>> {
            Some(isa::inst::Dependent {
                operands: |cx, code| op_list(<super::$class as isa::Operand<I>>::value(cx, code)),
                check: |cx, code, given| {
                    let expected = op_list(<super::$class as isa::Operand<I>>::value(cx, code));
                    isa::inst::same_registers(&expected, given, $rule)
                },
            })
        }
    )*};
}

dependents! {
    /// `BufferAddr`.
    buffer_addr: BufferAddr,
        Some("the address is a register with `offen` or `idxen`, two with both or with `addr64`, `off` without");
    /// `BufferData`.
    buffer_data: BufferData, None;
}

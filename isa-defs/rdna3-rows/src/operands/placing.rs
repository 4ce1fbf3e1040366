//! How operands are placed in an instruction, and read back: registers with their codes, constants, signs and halves.
//! `isa::Inst` interprets these tables.

use amdgpu_operands::{CONSTANTS, files};
use isa::inst::{
    BitOf, ConstantPlace, Count, CountBase, CountSum, CountTerm, Meaning, OpList, Placing, Reg, RegHalf, RegisterPlace,
};
use isa::{Case, Op};

use super::regs::{Half, Registers, Value};
use crate::flags;

/// Vector registers by their numbers.
const NUMBERED_VGPRS: RegisterPlace = RegisterPlace::new(files::VGPR, 0, 255, 0).with_halves();
const VECTORS: &[(Case, &[RegisterPlace])] = &[(Case::Else, &[NUMBERED_VGPRS])];

const fn constants(meaning: &'static [(Case, Meaning)]) -> Option<ConstantPlace> {
    Some(ConstantPlace { constants: &CONSTANTS, meaning })
}

/// Registers whose number other fields decide.
pub(super) const OPEN_VGPRS: Placing =
    Placing { count: Count::Dependent, ..Placing::of_registers(VECTORS, "a vector register") };
/// `ImageResource`: the field has a quarter of the code.
pub(super) const IMAGE_RESOURCE: Placing = Placing {
    count: Count::Dependent,
    ..Placing::of_registers(
        &[(
            Case::Else,
            &[
                RegisterPlace::new(files::SGPR, 0, 105, 0).aligned().by(2),
                RegisterPlace::new(files::TTMP, 0, 15, 27).aligned().by(2),
            ],
        )],
        "scalar registers that begin with a multiple of four",
    )
};
/// `VdstY`: the number without its lowest bit.
pub(super) const VDST_Y: Placing = Placing { registers: &[(Case::Else, &[NUMBERED_VGPRS.by(1)])], ..OPEN_VGPRS };
/// `WmmaDst`: twice the lanes of wave64 hold half as much each.
pub(super) const WMMA_DST: Placing = Placing { count: Count::Part(&[1, 2]), ..OPEN_VGPRS };
/// `WmmaAcc`.
pub(super) const WMMA_ACC: Placing = Placing {
    registers: &[(Case::Else, &[RegisterPlace::new(files::VGPR, 0, 255, 256).with_halves()])],
    constants: constants(&[(Case::Else, Meaning::Element)]),
    expects: "vector registers or an inline constant",
    ..WMMA_DST
};
/// `ScratchAddr`.
pub(super) const SCRATCH_ADDR: Placing = Placing {
    count: Count::Fixed(1),
    off: Some(0),
    present: Some(BitOf::new("sve", 0)),
    expects: "`off` or a vector register",
    ..OPEN_VGPRS
};
/// `ExportSource`.
pub(super) const EXPORT_SOURCE: Placing =
    Placing { present: Some(BitOf::new("en", BitOf::LAST_DIGIT)), ..SCRATCH_ADDR };
/// `GlobalAddr`: one register with an offset from SADDR, two with all of the address.
pub(super) const GLOBAL_ADDR: Placing = Placing { count: Count::Sum(GLOBAL_DWORDS), ..OPEN_VGPRS };
const GLOBAL_DWORDS: &CountSum = &CountSum::new(
    &[(Case::Else, CountBase::Fixed(1))],
    &[CountTerm { name: "saddr", code: super::flat::NULL as u16, adds: 1 }],
);
/// `BufferAddr`.
pub(super) const BUFFER_ADDR: Placing =
    Placing { off: Some(0), expects: "`off` or vector registers", count: Count::Sum(BUFFER_DWORDS), ..OPEN_VGPRS };
const BUFFER_DWORDS: &CountSum = &CountSum {
    rule: Some("the address is a register with `offen` or `idxen`, two with both, `off` without"),
    ..CountSum::new(&[], &[CountTerm::flag("idxen"), CountTerm::flag("offen")])
};
/// `BufferData`: whole registers, even where a half is moved.
pub(super) const BUFFER_DATA: Placing = Placing {
    count: Count::Sum(&CountSum::new(&[(Case::Else, CountBase::Type)], &[CountTerm::flag("tfe")])),
    ..OPEN_VGPRS
};
/// `ImageAddr` and `RayAddr`.
pub(super) const IMAGE_ADDR: Placing =
    Placing { list: &["addr1", "addr2", "addr3", "addr4"], expects: "vector registers", ..OPEN_VGPRS };

/// `Literal` and `LiteralConstant`: the literal itself.
pub(super) const LITERAL: Placing = Placing {
    number: None,
    constants: constants(&[(Case::Else, Meaning::Literal)]),
    expects: "a constant",
    ..Placing::CODE
};

/// A modifier whose default is not 0.
pub(super) const fn modifier(default: &'static [(Case, u32)]) -> Placing {
    Placing { default, ..Placing::CODE }
}

/// `OpSelHi2`.
pub(super) const OPSEL_HI2: Placing = modifier(&[(Case::Flag(flags::MIX), 0), (Case::Else, 1)]);

/// The operands that a value stands for.
pub(super) fn op_list(value: Option<Value>) -> OpList {
    let vector = |first: u8, count: u8| Op::reg(Reg::new(isa::inst::File(files::VGPR), first.into(), count));
    match value {
        Some(Value::Registers(registers)) => OpList::one(op(registers)),
        Some(Value::Scattered { groups, first, count }) => {
            let mut ops = [Op::NONE; OpList::MOST];
            for ((op, first), count) in ops.iter_mut().zip(first).zip(count).take(groups.into()) {
                *op = vector(first, count);
            }
            OpList { ops, len: groups }
        }
        Some(Value::Off) => OpList::one(Op::OFF),
        Some(Value::Integer(n)) => OpList::one(Op::int(n.into())),
        Some(Value::Immediate(n)) => OpList::one(Op::int(n.into())),
        Some(Value::Branch(n)) => OpList::one(Op::int(n.into())),
        Some(Value::Literal(n)) => OpList::one(Op::int(n.into())),
        Some(Value::Float(bits)) => OpList::one(Op::float(f32::from_bits(bits).into())),
        None => OpList::one(Op::NONE),
    }
}

/// Registers as an operand.
fn op(Registers { file, first, count, half }: Registers) -> Op {
    let half = half.map(|half| if half == Half::High { RegHalf::High } else { RegHalf::Low });
    Op::reg(Reg { half, ..Reg::new(isa::inst::File(file as u8), first.into(), count) })
}

/// The operands of classes whose registers other fields decide: those of [`Operand::value`](isa::Operand::value). A rule says
/// what is wrong with others.
macro_rules! dependents {
    ($($(#[$doc:meta])* $name:ident: $class:ident, $rule:expr;)*) => {$(
        $(#[$doc])*
        pub(super) const fn $name<I: crate::Generation>() -> Option<isa::inst::Dependent<I>> {
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
    /// `RayAddr`.
    ray_addr: RayAddr, Some(crate::Rule::RayAddress.text());
    /// `VdstY`.
    vdst_y: VdstY, Some(super::vector::PARITY);
}

/// `ImageResource`: eight registers stand for the four of R128 too, as in text.
pub(super) const fn image_resource<I: crate::Generation>() -> Option<isa::inst::Dependent<I>> {
    Some(isa::inst::Dependent {
        operands: |cx, code| op_list(super::image::resource(cx, code)),
        check: |cx, code, given| match given {
            [op] if op.as_reg().is_some_and(|reg| reg.count == 8) => Ok(()),
            _ => isa::inst::same_registers(&op_list(super::image::resource(cx, code)), given, None),
        },
    })
}

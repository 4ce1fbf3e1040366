//! How operands are placed in an instruction, and read back: registers with their codes, constants, signs and halves.
//! `isa::Inst` interprets these tables.

use amdgpu_operands::{CONSTANTS, files};
use isa::inst::{
    BitOf, ConstantPlace, Count, HalfPlace, Meaning, NumberPlace, OpList, Placing, Reg, RegHalf, RegisterPlace,
};
use isa::{Case, Op};

use super::regs::{File, Half, Registers, Value};
use crate::flags;

type Registry = &'static [(Case, &'static [RegisterPlace])];

const fn place(file: u8, last: u16, code: u16) -> RegisterPlace {
    RegisterPlace::new(file, 0, last, code)
}

const SGPRS: RegisterPlace = place(files::SGPR, 105, 0).aligned();
const VCC: RegisterPlace = place(files::VCC, 1, 106);
const TTMPS: RegisterPlace = place(files::TTMP, 15, 108).aligned();
const NULL: RegisterPlace = place(files::NULL, 0, 124).of_any_count();
const M0: RegisterPlace = place(files::M0, 0, 125);
const EXEC: RegisterPlace = place(files::EXEC, 1, 126);
const APERTURES: RegisterPlace = RegisterPlace::new(files::SPECIAL, 235, 238, 235).of_any_count();
const SCC: RegisterPlace = place(files::SCC, 0, 253).of_any_count();
/// Vector registers by their source codes.
const SOURCE_VGPRS: RegisterPlace = place(files::VGPR, 255, 256).with_halves();
/// Vector registers by their numbers.
const NUMBERED_VGPRS: RegisterPlace = place(files::VGPR, 255, 0).with_halves();

const VECTORS: &[RegisterPlace] = &[NUMBERED_VGPRS];
const SOURCE_VECTORS: &[RegisterPlace] = &[SOURCE_VGPRS];
const SCALARS: &[RegisterPlace] = &[SGPRS, VCC, TTMPS, NULL, M0, EXEC];
const MASKS: &[RegisterPlace] = &[SGPRS, VCC, TTMPS, NULL, M0, EXEC, APERTURES, SCC];
const SOURCES: &[RegisterPlace] = &[SOURCE_VGPRS, SGPRS, VCC, TTMPS, NULL, M0, EXEC, APERTURES, SCC];

/// As many registers as the type takes; a lane mask is one in wave32 and two in wave64.
const BY_TYPE: Count = Count::Type(&[1, 2]);

const CONSTANT: ConstantPlace = ConstantPlace { constants: &CONSTANTS, meaning: &[] };

const fn constants(meaning: &'static [(Case, Meaning)]) -> Option<ConstantPlace> {
    Some(ConstantPlace { meaning, ..CONSTANT })
}

const fn registers(registers: Registry, expects: &'static str) -> Placing {
    Placing { count: BY_TYPE, ..Placing::of_registers(registers, expects) }
}

const VECTOR: &str = "a vector register";
const SCALAR: &str = "a scalar register";
const SOURCE: &str = "a register or a constant";
const SCALAR_SOURCE: &str = "a scalar register or a constant";

const NEG: [&[(Case, BitOf)]; 3] = [
    &[(Case::Flag(flags::MIX), BitOf::new("neg_lo", 0)), (Case::Else, BitOf::new("neg0", 0))],
    &[(Case::Flag(flags::MIX), BitOf::new("neg_lo", 1)), (Case::Else, BitOf::new("neg1", 0))],
    &[(Case::Flag(flags::MIX), BitOf::new("neg_lo", 2)), (Case::Else, BitOf::new("neg2", 0))],
];
const ABS: [&[(Case, BitOf)]; 3] = [
    &[(Case::Flag(flags::MIX), BitOf::new("neg_hi", 0)), (Case::Else, BitOf::new("abs0", 0))],
    &[(Case::Flag(flags::MIX), BitOf::new("neg_hi", 1)), (Case::Else, BitOf::new("abs1", 0))],
    &[(Case::Flag(flags::MIX), BitOf::new("neg_hi", 2)), (Case::Else, BitOf::new("abs2", 0))],
];

const fn op_sel(bit: u8) -> HalfPlace {
    HalfPlace::Modifier(BitOf::new("op_sel", bit))
}

/// `Vgpr`: the half is in the number.
pub(super) const VGPR: Placing = Placing { half: HalfPlace::Number, ..WHOLE_VGPR };
/// `Vsrc1`.
pub(super) const VSRC1: Placing = Placing { neg: NEG[1], abs: ABS[1], ..VGPR };
/// `WholeVgpr` and `DataVgpr`.
pub(super) const WHOLE_VGPR: Placing = registers(&[(Case::Else, VECTORS)], VECTOR);
/// Registers whose number other fields decide.
pub(super) const OPEN_VGPRS: Placing = Placing { count: Count::Dependent, ..WHOLE_VGPR };
/// `VgprSrc`.
pub(super) const VGPR_SRC: Placing =
    Placing { half: HalfPlace::Number, ..registers(&[(Case::Else, SOURCE_VECTORS)], VECTOR) };
/// `DppSrc`.
pub(super) const DPP_SRC: Placing = Placing { neg: NEG[0], abs: ABS[0], half: op_sel(0), ..WHOLE_VGPR };

const VECTOR_SOURCES: Registry =
    &[(Case::Mask, MASKS), (Case::Flag(flags::VGPR_ONLY), SOURCE_VECTORS), (Case::Else, SOURCES)];

/// `Src`.
pub(super) const SRC: Placing = Placing {
    constants: constants(&[
        (Case::Flag(flags::SPLAT), Meaning::BothHalves),
        (Case::Flag(flags::FLOAT_TEXT), Meaning::HalfFloat),
    ]),
    neg: NEG[0],
    abs: ABS[0],
    half: HalfPlace::Number,
    ..registers(VECTOR_SOURCES, SOURCE)
};

/// `Src3`.
pub(super) const fn src3(n: usize) -> Placing {
    Placing {
        constants: constants(&[
            (Case::Flag(flags::MIX), Meaning::AnyHalfFloat),
            (Case::Flag(flags::FLOAT_TEXT), Meaning::HalfFloat),
        ]),
        neg: NEG[n],
        abs: ABS[n],
        half: op_sel(n as u8),
        ..registers(VECTOR_SOURCES, SOURCE)
    }
}

/// `SrcP`: halves are chosen by modifiers.
pub(super) const fn srcp(n: usize) -> Placing {
    Placing { half: HalfPlace::None, neg: MIX_NEG[n], abs: MIX_ABS[n], ..src3(n) }
}

const MIX_NEG: [&[(Case, BitOf)]; 3] = [
    &[(Case::Flag(flags::MIX), BitOf::new("neg_lo", 0))],
    &[(Case::Flag(flags::MIX), BitOf::new("neg_lo", 1))],
    &[(Case::Flag(flags::MIX), BitOf::new("neg_lo", 2))],
];
const MIX_ABS: [&[(Case, BitOf)]; 3] = [
    &[(Case::Flag(flags::MIX), BitOf::new("neg_hi", 0))],
    &[(Case::Flag(flags::MIX), BitOf::new("neg_hi", 1))],
    &[(Case::Flag(flags::MIX), BitOf::new("neg_hi", 2))],
];

/// `InterpSrc`.
pub(super) const fn interp_src(n: usize) -> Placing {
    Placing { neg: NEG[n], abs: ABS[n], half: op_sel(n as u8), ..registers(&[(Case::Else, SOURCE_VECTORS)], VECTOR) }
}

/// `ScalarSrc` and `LaneSel`.
pub(super) const SCALAR_SRC: Placing =
    Placing { constants: constants(&[]), ..registers(&[(Case::Else, MASKS)], SCALAR_SOURCE) };
/// `Ssrc`: constants of up to 32 bits are dwords, but in some rows.
pub(super) const SSRC: Placing = Placing {
    constants: constants(&[
        (Case::Flag(flags::HALF_CONSTANTS), Meaning::Type),
        (Case::Flag(flags::BIT_CONSTANTS), Meaning::HalfBits),
        (Case::Else, Meaning::Dword),
    ]),
    ..SCALAR_SRC
};
/// `SsrcRegister`.
pub(super) const SSRC_REGISTER: Placing = registers(&[(Case::Else, MASKS)], SCALAR);
/// `Sdst`, `SmemData` and `MaskDst`.
pub(super) const SDST: Placing = registers(&[(Case::Else, SCALARS)], SCALAR);
/// One scalar register.
pub(super) const ONE_SCALAR: Placing = Placing { count: Count::Fixed(1), ..SDST };
/// `SmemBase`: the field has half of the code.
pub(super) const SMEM_BASE: Placing = registers(
    &[(
        Case::Else,
        &[
            SGPRS.by(1),
            place(files::VCC, 1, 53).by(1),
            place(files::TTMP, 15, 54).by(1),
            place(files::NULL, 0, 62).of_any_count(),
            place(files::EXEC, 1, 63).by(1),
        ],
    )],
    "scalar registers that begin with an even one",
);
/// `ResourceSgprs`: the field has a quarter of the code.
pub(super) const RESOURCE: Placing = registers(
    &[(Case::Else, &[SGPRS.by(2), place(files::TTMP, 15, 27).by(2)])],
    "scalar registers that begin with a multiple of four",
);
/// `ImageResource`.
pub(super) const IMAGE_RESOURCE: Placing = Placing { count: Count::Dependent, ..RESOURCE };
/// `BufferSoffset`.
pub(super) const BUFFER_SOFFSET: Placing = Placing { expects: "a scalar register or an inline constant", ..SCALAR_SRC };

const DESTINATIONS: Registry = &[(Case::Mask, MASKS), (Case::Flag(flags::SCALAR_D), SCALARS), (Case::Else, VECTORS)];

/// `Vdst`.
pub(super) const VDST: Placing = Placing { half: HalfPlace::Number, ..registers(DESTINATIONS, VECTOR) };
/// `Vdst3`.
pub(super) const VDST3: Placing = Placing { half: op_sel(3), ..registers(DESTINATIONS, VECTOR) };
/// `VdstY`: the number without its lowest bit.
pub(super) const VDST_Y: Placing =
    Placing { count: Count::Dependent, ..registers(&[(Case::Else, &[NUMBERED_VGPRS.by(1)])], VECTOR) };
/// `Vcc`, which has no bits.
pub(super) const VCC_IMPLIED: Placing =
    registers(&[(Case::Else, &[place(files::VCC, 0, 0)])], "vcc, or vcc_lo in wave32");
/// `WmmaDst`: twice the lanes of wave64 hold half as much each.
pub(super) const WMMA_DST: Placing = Placing { count: Count::Part(&[1, 2]), ..WHOLE_VGPR };
/// `WmmaAcc`.
pub(super) const WMMA_ACC: Placing = Placing {
    count: Count::Part(&[1, 2]),
    constants: constants(&[(Case::Else, Meaning::Element)]),
    ..registers(&[(Case::Else, SOURCE_VECTORS)], "vector registers or an inline constant")
};

/// `GlobalSaddr`.
pub(super) const GLOBAL_SADDR: Placing = Placing {
    count: Count::Fixed(2),
    off: Some(124),
    ..registers(&[(Case::Else, SCALARS)], "`off` or a pair of scalar registers that begins with an even one")
};
/// `ScratchSaddr`.
pub(super) const SCRATCH_SADDR: Placing =
    Placing { off: Some(124), expects: "`off` or a scalar register", ..ONE_SCALAR };
/// `ScratchAddr`.
pub(super) const SCRATCH_ADDR: Placing = Placing {
    count: Count::Fixed(1),
    off: Some(0),
    present: Some(BitOf::new("sve", 0)),
    expects: "`off` or a vector register",
    ..WHOLE_VGPR
};
/// `ExportSource`.
pub(super) const EXPORT_SOURCE: Placing =
    Placing { present: Some(BitOf::new("en", BitOf::LAST_DIGIT)), ..SCRATCH_ADDR };
/// `BufferAddr`.
pub(super) const BUFFER_ADDR: Placing = Placing { off: Some(0), expects: "`off` or vector registers", ..OPEN_VGPRS };
/// `ImageAddr` and `RayAddr`.
pub(super) const IMAGE_ADDR: Placing =
    Placing { list: &["addr1", "addr2", "addr3", "addr4"], expects: "vector registers", ..OPEN_VGPRS };

const EITHER16: &str = "the constant has 16 bits: it lies between -32768 and 65535";

/// A number of 16 bits, with or without a sign.
pub(super) const IMM16: Placing =
    Placing::of_number(NumberPlace { signed: None, ..NumberPlace::new(-0x8000, 0xffff, EITHER16) });
/// `Branch`.
pub(super) const BRANCH: Placing = Placing::of_number(NumberPlace::new(-0x8000, 0xffff, EITHER16));
/// `SmemOffset`.
pub(super) const SMEM_OFFSET: Placing = Placing::of_number(NumberPlace::new(
    -0x10_0000,
    0xf_ffff,
    "the offset has 21 bits: it lies between -1048576 and 1048575",
));
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

/// A modifier that is a number from `low` to `high`; `rule` says so in words.
pub(super) const fn number_in(low: i64, high: i64, rule: &'static str) -> Placing {
    Placing::of_number(NumberPlace::new(low, high, rule))
}

/// A modifier without a default.
pub(super) const REQUIRED: Placing = Placing { required: true, ..Placing::CODE };

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
    Op::reg(Reg { half, ..Reg::new(isa::inst::File(number(file)), first.into(), count) })
}

/// The number of a file.
const fn number(file: File) -> u8 {
    match file {
        File::Sgpr => files::SGPR,
        File::Vgpr => files::VGPR,
        File::Ttmp => files::TTMP,
        File::Vcc => files::VCC,
        File::Exec => files::EXEC,
        File::M0 => files::M0,
        File::Null => files::NULL,
        File::Scc => files::SCC,
        File::Special => files::SPECIAL,
    }
}

/// An operand whose registers other fields decide: those of [`Operand::value`](isa::Operand::value). A rule says what is
/// wrong with others.
macro_rules! dependent {
    ($rule:expr) => {
        Some(isa::inst::Dependent {
            operands: |cx, code| super::placing::op_list(<Self as isa::Operand<I>>::value(cx, code)),
            check: |cx, code, given| {
                let expected = super::placing::op_list(<Self as isa::Operand<I>>::value(cx, code));
                isa::inst::same_registers(&expected, given, $rule)
            },
        })
    };
}
pub(super) use dependent;

/// The operands of classes that are tables and depend on other fields: as `dependent`, for a class that is named.
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
    /// `GlobalAddr`.
    global_addr: GlobalAddr, None;
    /// `BufferAddr`.
    buffer_addr: BufferAddr,
        Some("the address is a register with `offen` or `idxen`, two with both, `off` without");
}

/// `BufferData`: whole registers, even where a half is moved.
pub(super) const fn buffer_data<I: crate::Generation>() -> Option<isa::inst::Dependent<I>> {
    const fn registers(code: u32, dwords: u8) -> Option<Value> {
        Some(super::regs::vgpr_value(code, dwords))
    }
    Some(isa::inst::Dependent {
        operands: |cx, code| op_list(registers(code, super::buffer::data_dwords(cx))),
        check: |cx, code, given| {
            isa::inst::same_registers(&op_list(registers(code, super::buffer::data_dwords(cx))), given, None)
        },
    })
}

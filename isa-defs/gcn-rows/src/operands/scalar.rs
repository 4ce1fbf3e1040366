//! Operands of SMEM: data, bases, and the three ways to give an offset.

use amdgpu_operands::{Number, constant, constant_bits, expression_in, in_range, key};
use isa::inst::{Dependent, OpList, Placing};
use isa::tables::AbsentFn;
use isa::{Asm, Cx, Fault, Op, Operand, ParseError, Plain, Text, Type};

use super::placing;
use super::read::{self, registers};
use super::regs::{PLAIN_SGPRS, Value, aligned, printable, scalar, scalar_code, write_scalar};
use crate::{Generation, gcn1_4, words};

/// The fields of SMEM that both generations have in the same places, and those that GCN 1.2 has reserved.
const fn fields<I: Generation>(cx: &Cx<'_, I>) -> gcn1_4::raw::Smem {
    gcn1_4::raw::Smem::from_bits(cx.low64())
}

/// A type for the code of a field of up to 8 bits.
macro_rules! field_code {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub struct $name(u8);

        impl $name {
            /// The code in the field.
            #[must_use]
            pub const fn code(self) -> u8 {
                self.0
            }
        }

        impl isa::Code for $name {
            fn from_code(code: u32) -> Self {
                $name(code as u8)
            }

            fn into_code(self) -> u32 {
                u32::from(self.0)
            }
        }
    };
}

/// The bits of a register's code.
const REGISTER: u32 = 0x7f;

field_code! {
    /// The registers that scalar memory fills or stores, by the code of the first.
    SmemData
}

const ALIGNED: &str = "these registers cannot stand here: a pair begins with an even one, more with a multiple of four";

impl<I: Generation> Operand<I> for SmemData {
    type Get = SmemData;

    const PLACING: &'static Placing = &placing::SMEM_DATA;

    const PLAIN: &'static Plain = &PLAIN_SGPRS;

    fn codes(ty: Type) -> Option<&'static isa::CodeSet> {
        Some(I::FEATURES.data(ty.dwords()))
    }

    fn printable(cx: &Cx<'_, I>, code: u32) -> bool {
        let dwords = cx.ty.dwords();
        printable(I::FEATURES, code, dwords, I::FEATURES.data(dwords))
    }

    fn write(cx: &Cx<'_, I>, code: u32, out: &mut Text) {
        let dwords = cx.ty.dwords();
        write_scalar(I::FEATURES, aligned(code, dwords), dwords, out);
    }

    fn value(cx: &Cx<'_, I>, code: u32) -> Option<Value> {
        let dwords = cx.ty.dwords();
        scalar(I::FEATURES, aligned(code, dwords), dwords).map(Value::Registers)
    }

    fn parse(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
        let dwords = asm.ty.dwords();
        read::scalar(asm, dwords, I::FEATURES.data(dwords), ALIGNED).map(Some)
    }
}

/// A number in the place of the data: what a probe is to find out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Imm7;

impl<I: Generation> Operand<I> for Imm7 {
    type Get = u8;

    const PLACING: &'static Placing = &placing::IMM7;

    const CHECKED: bool = false;

    fn write(_cx: &Cx<'_, I>, code: u32, out: &mut Text) {
        if code <= 64 { out.dec(code) } else { out.hex(code) }
    }

    fn value(_cx: &Cx<'_, I>, code: u32) -> Option<Value> {
        Some(Value::Immediate(code as i32))
    }

    /// Of a floating-point number LLVM takes the lowest bits of the double.
    fn parse(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
        let start = asm.input.at();
        match constant(asm)? {
            Number::Integer(n) => in_range(asm, start, n, 0, 127, "the constant lies between 0 and 127").map(Some),
            Number::Float(f) => Ok(Some(f.to_bits() as u32 & REGISTER)),
        }
    }
}

field_code! {
    /// The base of an address: a pair that holds a pointer, or four registers that hold a buffer resource. The field
    /// leaves out the lowest bit of the register's code.
    SmemBase
}

impl<I: Generation> Operand<I> for SmemBase {
    type Get = SmemBase;

    const PLACING: &'static Placing = &placing::SMEM_BASE;

    const PLAIN: &'static Plain = &Plain { aligned: 1, ..PLAIN_SGPRS };

    fn check(cx: &Cx<'_, I>, code: u32) -> bool {
        I::FEATURES.registers(cx.ty.dwords()).has(code * 2)
    }

    fn printable(cx: &Cx<'_, I>, code: u32) -> bool {
        let dwords = cx.ty.dwords();
        code * 2 != 124 && printable(I::FEATURES, code * 2, dwords, I::FEATURES.registers(dwords))
    }

    fn write(cx: &Cx<'_, I>, code: u32, out: &mut Text) {
        let dwords = cx.ty.dwords();
        write_scalar(I::FEATURES, aligned(code * 2, dwords), dwords, out);
    }

    fn value(cx: &Cx<'_, I>, code: u32) -> Option<Value> {
        let dwords = cx.ty.dwords();
        scalar(I::FEATURES, aligned(code * 2, dwords), dwords).map(Value::Registers)
    }

    fn parse(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
        let dwords = asm.ty.dwords();
        read::scalar(asm, dwords, I::FEATURES.registers(dwords), ALIGNED).map(|code| Some(code / 2))
    }
}

/// A bit that says how others are read; text shows it by what it writes there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choice;

impl<I: Generation> Operand<I> for Choice {
    type Get = bool;

    const CHECKED: bool = false;

    fn write(_cx: &Cx<'_, I>, _code: u32, _out: &mut Text) {}
}

/// Whether the address has a register of its own field besides the offset: IMM and SOE choose.
fn has_soffset<I: Generation>(cx: &Cx<'_, I>) -> bool {
    cx.has(words::GCN1_4) && fields(cx).soe()
}

/// What is added to the base: a constant (IMM), or the register whose code stands in the lowest bits; nothing where SOE
/// names the register of another field instead.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SmemOffset;

impl SmemOffset {
    fn constant<I: Generation>(code: u32) -> i32 {
        let bits = if I::FEATURES.smem_offset.0 < 0 { 21 } else { 20 };
        if bits == 21 { (code << 11) as i32 >> 11 } else { code as i32 }
    }

    fn write_constant<I: Generation>(code: u32, out: &mut Text) {
        let value = Self::constant::<I>(code);
        if value < 0 {
            out.push_ascii(b'-');
        }
        out.hex(value.unsigned_abs());
    }
}

impl<I: Generation> Operand<I> for SmemOffset {
    /// The bits of the field.
    type Get = u32;

    const PLACING: &'static Placing = &placing::smem_offset::<I>();
    const DEPENDENT: Option<Dependent<I>> = Some(Dependent {
        operands: |cx, code| match (fields(cx).imm(), has_soffset(cx)) {
            (false, true) => OpList::one(Op::OFF),
            _ => placing::op_list(<Self as Operand<I>>::value(cx, code)),
        },
        check: |cx, _, given| {
            let only_soffset = !fields(cx).imm() && has_soffset(cx);
            match given {
                [op] if (*op == Op::OFF) == only_soffset => Ok(()),
                _ => Err(Fault::Expected("a constant or one scalar register, or `off` beside another register")),
            }
        },
    });

    fn check(cx: &Cx<'_, I>, code: u32) -> bool {
        match (fields(cx).imm(), has_soffset(cx)) {
            (true, _) => true,
            (false, true) => code == 0,
            (false, false) => I::FEATURES.registers(1).has(code),
        }
    }

    fn printable(cx: &Cx<'_, I>, code: u32) -> bool {
        let code = code & REGISTER;
        has_soffset(cx) || scalar(I::FEATURES, code, 1).is_some()
    }

    fn write(cx: &Cx<'_, I>, code: u32, out: &mut Text) {
        let soffset = has_soffset(cx);
        if soffset {
            write_scalar(I::FEATURES, u32::from(fields(cx).soffset()), 1, out);
        }
        match (fields(cx).imm(), soffset) {
            (true, true) => {
                out.push(" offset:");
                Self::write_constant::<I>(code, out);
            }
            (true, false) => Self::write_constant::<I>(code, out),
            (false, false) => write_scalar(I::FEATURES, code & REGISTER, 1, out),
            (false, true) => {}
        }
    }

    fn value(cx: &Cx<'_, I>, code: u32) -> Option<Value> {
        match (fields(cx).imm(), has_soffset(cx)) {
            (true, _) => Some(Value::Immediate(Self::constant::<I>(code))),
            (false, false) => scalar(I::FEATURES, code & REGISTER, 1).map(Value::Registers),
            (false, true) => None,
        }
    }

    /// A constant, a register, or a register and `offset:` after it. All fields of the offset are set here.
    fn parse(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
        let start = asm.input.at();
        let (low, high) = I::FEATURES.smem_offset;
        let rule = I::FEATURES.smem_rule;
        let mask = (high as u32) << u32::from(low < 0) | 1;
        let word = asm.input.peek_word();
        if asm.input.done() || matches!(word.strip_prefix("no").unwrap_or(word), "glc" | "nv") {
            return Ok(<Self as Operand<I>>::ABSENT.and_then(|absent| absent(asm)));
        }
        let Some(register) = registers(asm)? else {
            let value = constant_bits(asm)?;
            let offset = in_range(asm, start, value, low, high, rule)?;
            asm.set_field("IMM", 1);
            return Ok(Some(offset & mask));
        };
        let code = scalar_code(I::FEATURES, register).filter(|_| register.count == 1);
        let Some(code) = code.filter(|code| I::FEATURES.registers(1).has(*code)) else {
            asm.input.go(start);
            return Err(asm.expected("a constant or one scalar register"));
        };
        let after = asm.input.at();
        asm.input.eat(",");
        if !asm.has(words::GCN1_4) || !key(asm, "offset") {
            asm.input.go(after);
            return Ok(Some(code));
        }
        let offset = expression_in(asm, low, high, rule)?;
        asm.set_field("IMM", 1);
        asm.set_field("SOE", 1);
        asm.set_field("SOFFSET", code);
        Ok(Some(offset & mask))
    }

    /// Without an offset it is the constant 0.
    const ABSENT: Option<AbsentFn<I>> = Some(|asm| {
        asm.set_field("IMM", 1);
        Some(0)
    });
}

field_code! {
    /// A register that is added to the base besides a constant, or in the place of one, where SOE is set.
    SmemSoffset
}

impl<I: Generation> Operand<I> for SmemSoffset {
    type Get = SmemSoffset;

    const PLACING: &'static Placing = &placing::SMEM_SOFFSET;

    fn check(cx: &Cx<'_, I>, code: u32) -> bool {
        if has_soffset(cx) { I::FEATURES.registers(1).has(code) } else { code == 0 }
    }

    fn printable(_cx: &Cx<'_, I>, code: u32) -> bool {
        scalar(I::FEATURES, code, 1).is_some()
    }

    /// [`SmemOffset`] has written it.
    fn write(_cx: &Cx<'_, I>, _code: u32, _out: &mut Text) {}

    fn value(cx: &Cx<'_, I>, code: u32) -> Option<Value> {
        if has_soffset(cx) { scalar(I::FEATURES, code, 1).map(Value::Registers) } else { None }
    }

    /// What [`SmemOffset`] has read.
    fn parse(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
        Ok(Some(asm.field("SOFFSET")))
    }

    const ABSENT: Option<AbsentFn<I>> = Some(|asm| Some(asm.field("SOFFSET")));
}

//! Operands of SMEM that depend on each other: the three ways to give an offset.

use amdgpu_operands::{Llvm, Number, constant, constant_bits, expression_in, in_range, key};
use isa::DefaultCodeFn;
use isa::class::is_valid;
use isa::inst::{Dependent, OpList, Placing};
use isa::{Asm, Cx, Fault, Op, Operand, ParseError, Text};

use super::{AddressRegister, Value, placing, space};
use crate::{Generation, flags, gcn1_4};

/// The fields of SMEM that both generations have in the same places, and those that GCN 1.2 has reserved.
const fn fields<I: Generation>(cx: &Cx<'_, I>) -> gcn1_4::raw::Smem {
    gcn1_4::raw::Smem::from_bits(cx.low64())
}

/// The bits of a register's code.
const REGISTER: u32 = 0x7f;

/// Whether a code is that of a scalar register.
fn is_register<I: Generation>(cx: &Cx<'_, I>, code: u32) -> bool {
    is_valid(<AddressRegister as Operand<I>>::VALID_CODES, cx, code)
}

fn write_register<I: Generation>(cx: &Cx<'_, I>, code: u32, out: &mut Text) {
    space::<I>().write::<Llvm>(code, 1, cx.ty, 0, out);
}

/// Reads what a probe is to find out. Of a floating-point number LLVM takes the lowest bits of the double.
pub(super) fn read_probe<I: Generation>(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
    let start = asm.input.at();
    match constant(asm)? {
        Number::Integer(n) => in_range(asm, start, n, 0, 127, "the constant lies between 0 and 127").map(Some),
        Number::Float(f) => Ok(Some(f.to_bits() as u32 & REGISTER)),
    }
}

/// Whether the address has a register of its own field besides the offset: IMM and SOE choose.
fn has_soffset<I: Generation>(cx: &Cx<'_, I>) -> bool {
    cx.has(flags::GCN1_4) && fields(cx).soe()
}

/// The offset of a scalar address: a constant (IMM), or the register whose code the lowest bits hold. It is empty if SOE selects
/// the register of another field.
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
            (false, false) => is_register(cx, code),
        }
    }

    fn printable(cx: &Cx<'_, I>, code: u32) -> bool {
        let code = code & REGISTER;
        has_soffset(cx) || space::<I>().run(code).is_some()
    }

    fn write(cx: &Cx<'_, I>, code: u32, out: &mut Text) {
        let soffset = has_soffset(cx);
        if soffset {
            write_register(cx, u32::from(fields(cx).soffset()), out);
        }
        match (fields(cx).imm(), soffset) {
            (true, true) => {
                out.push(" offset:");
                Self::write_constant::<I>(code, out);
            }
            (true, false) => Self::write_constant::<I>(code, out),
            (false, false) => write_register(cx, code & REGISTER, out),
            (false, true) => {}
        }
    }

    fn value(cx: &Cx<'_, I>, code: u32) -> Option<Value> {
        match (fields(cx).imm(), has_soffset(cx)) {
            (true, _) => Some(Value::Immediate(Self::constant::<I>(code))),
            (false, false) => space::<I>().meaning(code & REGISTER, 1).map(Value::of),
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
            return Ok(<Self as Operand<I>>::DEFAULT_CODE.and_then(|absent| absent(asm)));
        }
        let Some(register) = space::<I>().registers::<I, Llvm>(asm)? else {
            let value = constant_bits(asm)?;
            let offset = in_range(asm, start, value, low, high, rule)?;
            asm.set_field("IMM", 1);
            return Ok(Some(offset & mask));
        };
        let code = register.code;
        if register.count != 1 || !is_register(&asm.cx(), code) {
            asm.input.go(start);
            return Err(asm.expected("a constant or one scalar register"));
        }
        let after = asm.input.at();
        asm.input.eat(",");
        if !asm.has(flags::GCN1_4) || !key(asm, "offset") {
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
    const DEFAULT_CODE: Option<DefaultCodeFn<I>> = Some(|asm| {
        asm.set_field("IMM", 1);
        Some(0)
    });
}

/// A register that is added to the base besides a constant, or in the place of one, where SOE is set: its code.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SmemSoffset(u8);

impl SmemSoffset {
    /// Returns the code of the register.
    #[must_use]
    pub const fn code(self) -> u8 {
        self.0
    }
}

impl isa::Code for SmemSoffset {
    fn from_code(code: u32) -> Self {
        SmemSoffset(code as u8)
    }

    fn into_code(self) -> u32 {
        u32::from(self.0)
    }
}

impl<I: Generation> Operand<I> for SmemSoffset {
    type Get = SmemSoffset;

    const PLACING: &'static Placing = &placing::SMEM_SOFFSET;

    fn check(cx: &Cx<'_, I>, code: u32) -> bool {
        if has_soffset(cx) { is_register(cx, code) } else { code == 0 }
    }

    fn printable(_cx: &Cx<'_, I>, code: u32) -> bool {
        space::<I>().run(code).is_some()
    }

    /// [`SmemOffset`] has written it.
    fn write(_cx: &Cx<'_, I>, _code: u32, _out: &mut Text) {}

    fn value(cx: &Cx<'_, I>, code: u32) -> Option<Value> {
        if has_soffset(cx) { space::<I>().meaning(code, 1).map(Value::of) } else { None }
    }

    /// What [`SmemOffset`] has read.
    fn parse(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
        Ok(Some(asm.field("SOFFSET")))
    }

    const DEFAULT_CODE: Option<DefaultCodeFn<I>> = Some(|asm| Some(asm.field("SOFFSET")));
}

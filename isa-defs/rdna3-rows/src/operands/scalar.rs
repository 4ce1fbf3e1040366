//! Functions of scalar operands: sources, scalar memory addresses, and the one-bit flag that every format uses.

use super::placing;
use isa::inst::{Count, Placing};
use isa::tables::DefaultCodeFn;
use isa::{Asm, Class, Code, Cx, Operand, ParseError, Text, Type};

use super::expression::{constant_bits, expression_in, in_range};
use super::immediates::write_constant;
use super::read::{key, registers, source};
use super::tables0::{CLASS_SSRC, SPACE};
use super::{Sdst, Ssrc, Value};
use crate::Generation;

const NULL: u32 = 124;

/// The code that selects a literal.
const LITERAL: u32 = 255;

/// Reads a flag: `glc` sets it; `noglc` says that it is not set, where LLVM takes that.
pub(super) fn read_flag<I: Generation>(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
    let never = matches!(asm.name, "idxen" | "offen" | "done" | "row_en")
        || asm.name == "tfe" && matches!(asm.format.name, "MUBUF" | "MTBUF");
    if never {
        let name = asm.name;
        return Ok(asm.input.eat_word(name).then_some(1));
    }
    Ok(isa::class::flag(asm, asm.name))
}

/// Returns the type that decides how a constant of a scalar source is read, in a row with these flags.
pub(crate) fn constant_type(ty: Type, flags: u128) -> Type {
    isa::class::constants_in(CLASS_SSRC.constants, ty, flags, 0).of_type(ty)
}

/// Reads a source of a scalar instruction.
pub(super) fn read_source<I: Generation>(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
    let start = asm.input.at();
    let ty = constant_type(asm.ty, asm.shape.flags());
    let code = source(asm, ty)?;
    if code <= LITERAL {
        return Ok(Some(code));
    }
    asm.input.go(start);
    Err(asm.rule("a scalar instruction reads no vector registers"))
}

/// Writes a source that has to be a register. LLVM marks constants as wrong.
pub(super) fn write_register<I: Generation>(cx: &Cx<'_, I>, code: u32, out: &mut Text) {
    match code {
        LITERAL => write_constant(cx.suffix_dword_value(), out),
        128..=208 | 240..=248 => {
            SPACE.write::<amdgpu_operands::Llvm>(code, 1, Type::new(Class::Bits, 32, 1), 0, out);
        }
        _ => return Ssrc::write(cx, code, out),
    }
    out.push("/*Invalid immediate*/");
}

/// The constant in the address of a scalar load: 21 bits, signed. It is written in the place of a register that is
/// NULL, and as `offset:` after one that is not.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SmemOffset;

const fn signed21(code: u32) -> i32 {
    (code << 11) as i32 >> 11
}

fn write_signed_hex(value: i32, out: &mut Text) {
    if value < 0 {
        out.push_ascii(b'-');
    }
    out.hex(value.unsigned_abs());
}

impl<I: Generation> Operand<I> for SmemOffset {
    type Get = i32;

    const PLACING: &'static Placing = &placing::SMEM_OFFSET;

    const CHECKED: bool = false;

    fn get(code: u32) -> i32 {
        signed21(code)
    }

    fn code(value: i32) -> u32 {
        value as u32 & 0x1f_ffff
    }

    fn write(cx: &Cx<'_, I>, code: u32, out: &mut Text) {
        let register = cx.sibling("soffset").is_some_and(|(code, _)| code != NULL);
        if register && code != 0 {
            out.push(" offset:");
            write_signed_hex(signed21(code), out);
        }
    }

    fn value(_cx: &Cx<'_, I>, code: u32) -> Option<Value> {
        Some(Value::Immediate(signed21(code)))
    }

    /// What [`SmemSoffset`] has read.
    fn parse(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
        Ok(Some(asm.field("OFFSET")))
    }

    const DEFAULT_CODE: Option<DefaultCodeFn<I>> = Some(|asm| Some(asm.field("OFFSET")));
}

const OFFSET21: &str = "the offset has 21 bits: it lies between -1048576 and 1048575";
const OFFSETS: core::ops::RangeInclusive<i64> = -0x10_0000..=0xf_ffff;

/// The register in the address of a scalar load; NULL where there is none.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SmemSoffset(u8);

impl SmemSoffset {
    /// Returns the code in the field.
    #[must_use]
    pub const fn code(self) -> u8 {
        self.0
    }
}

impl Code for SmemSoffset {
    fn from_code(code: u32) -> Self {
        SmemSoffset(code as u8)
    }

    fn into_code(self) -> u32 {
        u32::from(self.0)
    }
}

impl<I: Generation> Operand<I> for SmemSoffset {
    type Get = SmemSoffset;

    const PLACING: &'static Placing = &Placing { count: Count::Fixed(1), ..*<Sdst as Operand<I>>::PLACING };

    const CHECKED: bool = false;

    fn write(cx: &Cx<'_, I>, code: u32, out: &mut Text) {
        match cx.sibling("offset") {
            Some((offset, _)) if code == NULL && offset != 0 => write_signed_hex(signed21(offset), out),
            _ => {
                SPACE.write::<amdgpu_operands::Llvm>(code, 1, cx.ty, 0, out);
            }
        }
    }

    fn value(_cx: &Cx<'_, I>, code: u32) -> Option<Value> {
        SPACE.meaning(code, 1).map(Value::of)
    }

    /// A register and perhaps `offset:` after it, or the constant alone. Which of the two it is decides what may
    /// follow, so the offset is read here too.
    fn parse(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
        let start = asm.input.at();
        let (low, high) = (*OFFSETS.start(), *OFFSETS.end());
        // A flag in the place of the offset is a flag, even if a symbol has its name, and the offset is 0.
        let word = asm.input.peek_word();
        if matches!(word.strip_prefix("no").unwrap_or(word), "glc" | "dlc" | "slc") {
            return Ok(Some(NULL));
        }
        let Some(register) = registers(asm)? else {
            let value = constant_bits(asm)?;
            let offset = in_range(asm, start, value, low, high, OFFSET21)?;
            asm.set_field("OFFSET", offset);
            return Ok(Some(NULL));
        };
        let code = register.code;
        if register.count > 1 || code >= 128 {
            asm.input.go(start);
            return Err(asm.expected("a constant or one scalar register"));
        }
        let after = asm.input.at();
        asm.input.eat(",");
        if key(asm, "offset") {
            let offset = expression_in(asm, low, high, OFFSET21)?;
            asm.set_field("OFFSET", offset);
        } else {
            asm.input.go(after);
        }
        Ok(Some(code))
    }

    const DEFAULT_CODE: Option<DefaultCodeFn<I>> = Some(|_asm| Some(NULL));
}

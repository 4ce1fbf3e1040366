//! Operands of the scalar formats: registers, sources, scalar memory addresses, and the one-bit flag that every format
//! uses.

use super::placing;
use isa::inst::Placing;
use isa::tables::AbsentFn;
use isa::{Asm, Case, Class, Code, CodeSet, Cx, Literal, Names, Operand, ParseError, Plain, Sure, Text, Type, Values};

use super::{PLAIN_SCALARS, PLAIN_SGPRS, SCALAR_NAMES, SCALAR_VALUES, SGPR_DESTS, SURE_SOURCES};

use super::expression::{constant_bits, expression_in, in_range};
use super::immediates::write_constant;
use super::read::{key, registers, scalar, scalar_code, source};
use super::regs::{
    LITERAL, sgpr_value, source_codes, source_printable, source_value, write_literal, write_sgpr, write_source,
};
use crate::{Generation, Value, flags};

const NULL: u32 = 124;
const SCC: u32 = 253;

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

        impl Code for $name {
            fn from_code(code: u32) -> Self {
                $name(code as u8)
            }

            fn into_code(self) -> u32 {
                u32::from(self.0)
            }
        }
    };
}

field_code! {
    /// A source of a scalar instruction by its 8-bit code: a register, an inline constant or the literal.
    Ssrc
}

const DWORD: Type = Type::new(Class::Bits, 32, 1);
const BITS16: Type = Type::new(Class::Bits, 16, 1);

/// The type that decides how a scalar constant reads: bytes and halves are taken from whole registers, so anything up
/// to 32 bits reads as a dword.
const fn whole(ty: Type) -> Type {
    if ty.dwords() == 1 { DWORD } else { ty }
}

/// Reads scalar registers and holds their code against those that the operand can have.
fn scalar_in<I: Generation>(
    asm: &mut Asm<'_, '_, I>,
    dwords: u8,
    codes: &CodeSet,
    rule: &'static str,
) -> Result<u32, ParseError> {
    let start = asm.input.at();
    let code = scalar(asm, dwords)?;
    if codes.has(code) {
        return Ok(code);
    }
    asm.input.go(start);
    Err(asm.rule(rule))
}

/// The type that decides how a constant of a source reads; `has` tests the flags of the row.
pub(crate) fn constant_type(ty: Type, has: impl Fn(u128) -> bool) -> Type {
    if has(flags::BIT_CONSTANTS) {
        BITS16
    } else if has(flags::HALF_CONSTANTS) {
        ty
    } else {
        whole(ty)
    }
}

const ALIGNED: &str = "these registers cannot stand here: a pair begins with an even one, more with a multiple of four";

impl<I: Generation> Operand<I> for Ssrc {
    type Get = Ssrc;

    const PLACING: &'static Placing = &placing::SSRC;

    const PLAIN: &'static Plain = &Plain { unless: flags::HALF_CONSTANTS | flags::BIT_CONSTANTS, ..PLAIN_SCALARS };

    const NAMES: Names = Names {
        literal: Some(Literal {
            code: LITERAL as u16,
            unless: flags::HALF_CONSTANTS,
            make: |value, ty, out| write_literal(value, whole(ty), out),
        }),
        unless: flags::BIT_CONSTANTS,
        ..SCALAR_NAMES
    };
    const VALUES: Values<Value> = Values {
        literal: Some(Literal {
            code: LITERAL as u16,
            unless: 0,
            make: |value, ty| source_value(LITERAL, whole(ty), Some(value)),
        }),
        ..SCALAR_VALUES
    };

    const SURE: Sure = SURE_SOURCES;

    fn codes(ty: Type) -> Option<&'static CodeSet> {
        Some(source_codes(whole(ty)))
    }

    /// The code of the literal needs the dword that holds it.
    fn check(cx: &Cx<'_, I>, code: u32) -> bool {
        code != LITERAL || cx.suffix_dword_name() == Some("LITERAL")
    }

    fn printable(cx: &Cx<'_, I>, code: u32) -> bool {
        source_printable(code, cx.ty.dwords())
    }

    fn write(cx: &Cx<'_, I>, code: u32, out: &mut Text) {
        write_source(code, constant_type(cx.ty, |flag| cx.has(flag)), Some(cx.suffix_dword_value()), out);
    }

    fn value(cx: &Cx<'_, I>, code: u32) -> Option<Value> {
        Some(source_value(code, whole(cx.ty), Some(cx.suffix_dword_value())))
    }

    fn parse(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
        let start = asm.input.at();
        let ty = constant_type(asm.ty, |flag| asm.has(flag));
        let code = source(asm, ty)?;
        if code <= LITERAL {
            return Ok(Some(code));
        }
        asm.input.go(start);
        Err(asm.rule("a scalar instruction reads no vector registers"))
    }
}

static SINGLE: CodeSet = CodeSet::NONE.with(0, 127).with(SCC, SCC);

/// A source of a scalar instruction that has to be a register, since the instruction reads others relative to it or
/// goes where it points; SCC counts as one of 32 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SsrcRegister;

impl<I: Generation> Operand<I> for SsrcRegister {
    type Get = Ssrc;

    const PLACING: &'static Placing = &placing::SSRC_REGISTER;

    const PLAIN: &'static Plain = &PLAIN_SGPRS;

    const SURE: Sure = Sure::Cases(&[(Case::Dwords(1), Sure::Only(&SINGLE)), (Case::Else, SGPR_DESTS)]);

    fn printable(cx: &Cx<'_, I>, code: u32) -> bool {
        Ssrc::printable(cx, code) || <Ssrc as Operand<I>>::codes(cx.ty).is_some_and(|set| set.has(code))
    }

    fn write(cx: &Cx<'_, I>, code: u32, out: &mut Text) {
        match code {
            LITERAL => write_constant(cx.suffix_dword_value(), out),
            128..=208 | 240..=248 => write_source(code, DWORD, None, out),
            _ => return Ssrc::write(cx, code, out),
        }
        out.push("/*Invalid immediate*/");
    }

    fn value(cx: &Cx<'_, I>, code: u32) -> Option<Value> {
        Ssrc::value(cx, code)
    }

    fn parse(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
        let dwords = asm.ty.dwords();
        if dwords == 1 && asm.input.eat_word("src_scc") {
            return Ok(Some(SCC));
        }
        let codes = <Self as Operand<I>>::codes(asm.ty).unwrap_or(&CodeSet::NONE);
        scalar_in(asm, dwords, codes, ALIGNED).map(Some)
    }
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

    const ABSENT: Option<AbsentFn<I>> = Some(|asm| Some(asm.field("OFFSET")));
}

const OFFSET21: &str = "the offset has 21 bits: it lies between -1048576 and 1048575";
const OFFSETS: core::ops::RangeInclusive<i64> = -0x10_0000..=0xf_ffff;

field_code! {
    /// The register in the address of a scalar load; NULL where there is none.
    SmemSoffset
}

impl<I: Generation> Operand<I> for SmemSoffset {
    type Get = SmemSoffset;

    const PLACING: &'static Placing = &placing::ONE_SCALAR;

    const CHECKED: bool = false;

    fn write(cx: &Cx<'_, I>, code: u32, out: &mut Text) {
        match cx.sibling("offset") {
            Some((offset, _)) if code == NULL && offset != 0 => write_signed_hex(signed21(offset), out),
            _ => write_sgpr(code, 1, out),
        }
    }

    fn value(_cx: &Cx<'_, I>, code: u32) -> Option<Value> {
        Some(sgpr_value(code, 1))
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
        let Some(code) = scalar_code(register).filter(|code| register.count <= 1 && *code < 128) else {
            asm.input.go(start);
            return Err(asm.expected("a constant or one scalar register"));
        };
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

    const ABSENT: Option<AbsentFn<I>> = Some(|_asm| Some(NULL));
}

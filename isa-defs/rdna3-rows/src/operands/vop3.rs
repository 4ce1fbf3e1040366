//! Operands and modifiers of VOP3, VOP3SD and VINTERP.

use isa::inst::Placing;
use isa::{Access, Asm, Case, Class, CodeSet, Cx, Names, Operand, ParseError, Plain, Sure, Text, Type, Values};

use super::dpp::{SIGNS, opsel, text_type, write_signed};
use super::expression::expression;
use super::placing;
use super::read::{integer_in, key, mask};
use super::vector::{
    LANE_DESTS, MASK_SPECIALS, Src, VGPR_CODES, VGPRS, is_half, is_lane_dest, is_mask_code, lane_dest, literal,
};
use super::vector_read::{Place, names_halves, source_n, special, whole_or_half};
use super::{
    LANE_MASKS, LITERAL, MASK_NAMES, PLAIN_SOURCES, PLAIN_VGPRS, SOURCE_NAMES, SOURCE_VALUES, SURE_SOURCES, VGPR_NAMES,
    VGPR_VALUES, dwords_in, is_inline, sgpr_value, source_codes, source_value, vector_source_printable,
    vgpr_half_value, vgpr_value, write_sgpr, write_source, write_vgpr, write_vgpr_half,
};
use crate::{Generation, Value, flags};

/// Whether a sign before this source would join a number: so `neg(1)`, but `-lit(0x1)`.
pub(super) fn is_number(code: u32, ty: Type, literal: Option<u32>) -> bool {
    match code {
        128..=208 | 240..=248 => true,
        // An f64 shows inline constants by name, never as `lit(…)`.
        LITERAL => ty.bits() == 64 && ty.is_float() || !is_inline(literal.unwrap_or(0), ty),
        _ => false,
    }
}

/// Source `N` with its signs; OPSEL chooses the half of a 16-bit one.
pub struct Src3<const N: usize>;

impl<I: Generation, const N: usize> Operand<I> for Src3<N> {
    type Get = Src;

    const PLACING: &'static Placing = &placing::src3(N);

    const PLAIN: &'static Plain = &Plain { unless: flags::VGPR_ONLY, ..PLAIN_SOURCES };

    const NAMES: Names = Names { altered_by: SIGNS[N], ..SOURCE_NAMES };
    const VALUES: Values<Value> = SOURCE_VALUES;

    const SURE: Sure = Sure::Cases(&[
        (Case::Mask, LANE_MASKS),
        (Case::Flag(flags::VGPR_ONLY), Sure::With(&VGPR_CODES)),
        (Case::Dwords(2), SURE_SOURCES),
        (Case::Else, Sure::With(&VGPR_CODES)),
    ]);

    fn codes(ty: Type) -> Option<&'static CodeSet> {
        match ty.class() {
            // The width of a mask depends on the wave, so `check` looks at it.
            Class::Mask => None,
            _ if ty.dwords() > 2 => Some(&VGPR_CODES),
            _ => Some(source_codes(ty)),
        }
    }

    fn check(cx: &Cx<'_, I>, code: u32) -> bool {
        match cx.ty.class() {
            Class::Mask => is_mask_code(code, cx.mode) || MASK_SPECIALS.has(code),
            _ if code < VGPRS && cx.has(flags::VGPR_ONLY) => false,
            _ => code != LITERAL || literal(cx).is_some(),
        }
    }

    fn printable(cx: &Cx<'_, I>, code: u32) -> bool {
        let sized = cx.ty.class() != Class::Mask && cx.ty.dwords() <= 2;
        sized && !cx.has(flags::VGPR_ONLY) && vector_source_printable(code, cx.ty.dwords())
    }

    fn write(cx: &Cx<'_, I>, code: u32, out: &mut Text) {
        let (ty, literal) = (text_type(cx), literal(cx));
        write_signed(
            cx,
            N,
            || is_number(code, ty, literal),
            out,
            |out| match code.checked_sub(VGPRS) {
                Some(number) if is_half(cx.ty) => write_vgpr_half(number, opsel(cx, N), out),
                None if is_mask_register(cx, code) => write_sgpr(code, dwords_in(cx.ty, cx.mode), out),
                _ => write_source(code, ty, literal, out),
            },
        );
    }

    fn value(cx: &Cx<'_, I>, code: u32) -> Option<Value> {
        Some(match code.checked_sub(VGPRS) {
            Some(number) if is_half(cx.ty) => vgpr_half_value(number, opsel(cx, N)),
            None if is_mask_register(cx, code) => sgpr_value(code, dwords_in(cx.ty, cx.mode)),
            _ => source_value(code, cx.ty, literal(cx)),
        })
    }

    fn parse(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
        source_n(asm, N, Place::OpSel(N as u32)).map(Some)
    }
}

/// Whether the operand is a lane mask and the code names scalar registers, not a constant or a status bit.
fn is_mask_register<I: Generation>(cx: &Cx<'_, I>, code: u32) -> bool {
    cx.ty.class() == Class::Mask && !MASK_SPECIALS.has(code)
}

/// Source `N` of VINTERP: as [`Src3`], but always a VGPR.
pub struct InterpSrc<const N: usize>;

impl<I: Generation, const N: usize> Operand<I> for InterpSrc<N> {
    type Get = Src;

    const PLACING: &'static Placing = &placing::interp_src(N);

    const SURE: Sure = Sure::Only(&VGPR_CODES);

    fn write(cx: &Cx<'_, I>, code: u32, out: &mut Text) {
        Src3::<N>::write(cx, code, out);
    }

    fn value(cx: &Cx<'_, I>, code: u32) -> Option<Value> {
        Src3::<N>::value(cx, code)
    }

    fn parse(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
        Src3::<N>::parse(asm)
    }
}

/// VDST: VGPRs, or scalar registers that take the lane mask of a comparison or, with the word `scalar_d`, a value.
pub struct Vdst3;

/// Whether VDST names scalar registers here.
fn to_scalar<I: Generation>(cx: &Cx<'_, I>) -> bool {
    cx.ty.class() == Class::Mask || cx.has(flags::SCALAR_D)
}

/// Which OPSEL bit chooses the destination's half.
const DEST: usize = 3;

impl<I: Generation> Operand<I> for Vdst3 {
    type Get = u8;

    const PLACING: &'static Placing = &placing::VDST3;

    const PLAIN: &'static Plain = &Plain { unless: flags::SCALAR_D, ..PLAIN_VGPRS };

    const NAMES: Names = Names { unless: flags::SCALAR_D, masks: MASK_NAMES, ..VGPR_NAMES };
    const VALUES: Values<Value> = Values { unless: flags::SCALAR_D, ..VGPR_VALUES };

    const SURE: Sure = Sure::Cases(&[
        (Case::Mask, LANE_MASKS),
        (Case::Flag(flags::SCALAR_D), Sure::With(&LANE_DESTS)),
        (Case::Else, Sure::All),
    ]);

    fn check(cx: &Cx<'_, I>, code: u32) -> bool {
        match cx.ty.class() {
            Class::Mask => is_mask_code(code, cx.mode) || MASK_SPECIALS.has(code),
            _ => !to_scalar(cx) || is_lane_dest(code),
        }
    }

    fn write(cx: &Cx<'_, I>, code: u32, out: &mut Text) {
        if MASK_SPECIALS.has(code) && cx.ty.class() == Class::Mask {
            write_source(code, cx.ty, None, out);
        } else if to_scalar(cx) {
            write_sgpr(code, dwords_in(cx.ty, cx.mode), out);
        } else if is_half(cx.ty) {
            write_vgpr_half(code, opsel(cx, DEST), out);
        } else {
            write_vgpr(code, cx.ty.dwords(), out);
        }
    }

    fn value(cx: &Cx<'_, I>, code: u32) -> Option<Value> {
        Some(if MASK_SPECIALS.has(code) && cx.ty.class() == Class::Mask {
            source_value(code, cx.ty, None)
        } else if to_scalar(cx) {
            sgpr_value(code, dwords_in(cx.ty, cx.mode))
        } else if is_half(cx.ty) {
            vgpr_half_value(code, opsel(cx, DEST))
        } else {
            vgpr_value(code, cx.ty.dwords())
        })
    }

    fn parse(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
        if asm.ty.class() == Class::Mask {
            let special = special(asm, |code| MASK_SPECIALS.has(code));
            return if special.is_some() { Ok(special) } else { mask(asm).map(Some) };
        }
        if asm.has(flags::SCALAR_D) {
            let dwords = asm.ty.dwords();
            return lane_dest(asm, dwords).map(Some);
        }
        whole_or_half(asm, Place::OpSel(DEST as u32)).map(Some)
    }
}

/// OPSEL: the halves of 16-bit operands, a bit for each source and the highest for the destination.
pub struct OpSel;

/// What OPSEL's bits stand for in one instruction.
struct Halves {
    /// How many entries for sources the list has.
    sources: usize,
    /// Whether an entry for the destination follows them.
    dest: bool,
    /// The bits that may be set.
    allowed: u32,
}

fn halves<I: Generation>(cx: &Cx<'_, I>) -> Halves {
    if cx.has(flags::FETCH) {
        // V_PERMLANE16: the first two bits are fetch-inactive and bound-control.
        return Halves { sources: 2, dest: false, allowed: 0b11 };
    }
    let mut halves = Halves { sources: 0, dest: false, allowed: 0 };
    for (n, name) in ["s0", "s1", "s2"].into_iter().enumerate() {
        if let Some((_, ty)) = cx.sibling(name) {
            halves.sources += 1;
            if ty.class() != Class::Mask && ty.lanes() == 1 {
                halves.allowed |= 1 << n;
            }
        }
    }
    if let Some((_, ty)) = cx.sibling("d") {
        if ty.class() == Class::Mask {
            // LLVM writes an entry for a mask, which has no halves, but not behind DPP.
            halves.dest = !matches!(cx.suffix_dword_name(), Some("DPP16_VOP3" | "DPP8"));
        } else {
            halves.dest = true;
            halves.allowed |= 1 << DEST;
        }
        // A destination that is read as well stands among the sources too, though its bit there does nothing.
        if reads_dest(cx) {
            halves.sources += 1;
        }
    }
    halves
}

fn reads_dest<I: Generation>(cx: &Cx<'_, I>) -> bool {
    // In VOP3 only the destination can be read and written.
    cx.form.bound::<I>().any(|b| b.access == Access::ReadWrite)
}

const CONTRADICTS: &str = "op_sel does not agree with the halves of the registers";

impl<I: Generation> Operand<I> for OpSel {
    type Get = u8;

    const SILENT: bool = true;

    const SURE: Sure = Sure::Within(0);

    fn check(cx: &Cx<'_, I>, code: u32) -> bool {
        // Where text leaves the list out, only halves of registers show the bits.
        let hidden = |n: usize, name| code >> n & 1 == 1 && cx.sibling(name).is_none_or(|(held, _)| held < VGPRS);
        // Beside DPP the first source is a register, in the suffix dword.
        let dpp = cx.suffix_dword != 0 && literal(cx).is_none();
        let untold = cx.has(flags::OPSEL_UNTOLD) && (!dpp && hidden(0, "s0") || hidden(1, "s1"));
        code == 0 || code & !halves(cx).allowed == 0 && !untold
    }

    fn printable(cx: &Cx<'_, I>, code: u32) -> bool {
        cx.has(flags::OPSEL_UNTOLD) && code & !halves(cx).allowed == 0
    }

    fn write(cx: &Cx<'_, I>, code: u32, out: &mut Text) {
        if code == 0 || cx.has(flags::OPSEL_UNTOLD) {
            return;
        }
        let Halves { sources, dest, .. } = halves(cx);
        let bits = (0..sources).chain(dest.then_some(DEST)).map(|n| code >> n & 1);
        write_list(" op_sel:", bits, out);
    }

    fn parse(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
        let start = asm.input.at();
        if asm.has(flags::OPSEL_UNTOLD) {
            return Ok(None);
        }
        let Some(list) = read_bits(asm, "op_sel")? else { return Ok(None) };
        // What the registers' own halves have put there.
        let told = asm.field("OPSEL");
        let halves = names_halves(asm);
        let dpp = matches!(asm.suffix_dword_name(), Some("DPP16_VOP3" | "DPP8"));
        let mut code = 0;
        let mut place = 0;
        let mut fault = None;
        for (n, name) in ["s0", "s1", "s2", "d"].into_iter().enumerate() {
            let Some((ty, held)) = role(asm, name) else { continue };
            // A destination that is read as well stands among the sources too.
            if n == DEST && place < 3 && reads(asm) {
                let differs = dpp && halves && list != 0 && list >> place & 1 != told >> DEST & 1;
                fault = fault.or(differs.then_some(CONTRADICTS));
                place += 1;
            }
            let bit = list >> place & 1;
            place += 1;
            // Beside DPP the first source is a register of the last dword, whose field has no codes of constants.
            let vgpr = is_half(ty) && (held >= VGPRS || n == DEST || n == 0 && dpp);
            if vgpr && halves && list != 0 && bit != told >> n & 1 {
                fault = Some(CONTRADICTS);
            } else if vgpr && !halves && with_halves_only(asm) {
                fault = Some("the halves of this instruction's registers are written with the registers (`.l`, `.h`)");
            }
            let none = n == DEST && ty.class() == Class::Mask;
            code |= if none { 0 } else { bit << n };
        }
        match fault {
            None => Ok(Some(if list == 0 { told } else { code })),
            Some(rule) => {
                asm.input.go(start);
                Err(asm.rule(rule))
            }
        }
    }
}

/// The type of an operand that the form has, and its code.
pub(super) fn role<I: Generation>(asm: &Asm<'_, '_, I>, name: &str) -> Option<(Type, u32)> {
    let component = asm.format.components.first()?;
    asm.form.bound::<I>().find_map(|b| {
        let c = component.carriers.get(usize::from(b.carrier))?;
        (c.name == name).then(|| (b.ty, c.bits.get(asm.words)))
    })
}

/// Whether the instruction reads its destination too.
fn reads<I: Generation>(asm: &Asm<'_, '_, I>) -> bool {
    asm.form.bound::<I>().any(|b| b.access == Access::ReadWrite)
}

/// The VOP3 opcodes below this one are those of VOPC, VOP2 and VOP1.
const LONG_ONLY: u32 = 0x200;

/// Whether text may have OPSEL only beside registers that name their halves: so it is where the instruction has a
/// one-dword form too, and in the rows with the word `opsel_halves`.
fn with_halves_only<I: Generation>(asm: &Asm<'_, '_, I>) -> bool {
    asm.has(flags::OPSEL_HALVES) || asm.format.name == "VOP3" && asm.field("OP") < LONG_ONLY
}

/// Reads `name:[0,1,1]`: one to four bits, the lowest first. `None` if something else comes next.
pub(super) fn read_bits<I: Generation>(asm: &mut Asm<'_, '_, I>, name: &str) -> Result<Option<u32>, ParseError> {
    Ok(if key(asm, name) { Some(read_list(asm, 1, 1, 4)?.0) } else { None })
}

/// Reads `[0,1,2]`: up to `most` numbers of `width` bits, the first in the lowest bits; and how many there are.
pub(super) fn read_list<I: Generation>(
    asm: &mut Asm<'_, '_, I>,
    width: u32,
    least: u32,
    most: u32,
) -> Result<(u32, u32), ParseError> {
    if !asm.input.eat("[") {
        return Err(asm.expected("`[`"));
    }
    let (mut bits, mut count) = (0, 0);
    loop {
        if count == most {
            return Err(asm.expected("`]`"));
        }
        let last = (1i64 << width) - 1;
        bits |=
            (integer_in(asm, 0, last, "a number of the list is too large or below zero")? as u32) << (count * width);
        count += 1;
        if asm.input.eat("]") {
            break;
        }
        if !asm.input.eat(",") {
            return Err(asm.expected("`,` or `]`"));
        }
    }
    if count < least { Err(asm.rule("the list is too short")) } else { Ok((bits, count)) }
}

/// Writes ` name:[0,1,1]`.
pub(super) fn write_list(name: &str, bits: impl Iterator<Item = u32>, out: &mut Text) {
    out.push(name);
    for (i, bit) in bits.enumerate() {
        out.push_ascii(if i == 0 { b'[' } else { b',' });
        out.dec(bit);
    }
    out.push_ascii(b']');
}

/// Reads OMOD: `mul:2`, `div:2`, and what multiplies by 1.
pub(super) fn read_omod<I: Generation>(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
    let factor = key(asm, "mul");
    if !factor && !key(asm, "div") {
        return Ok(None);
    }
    let start = asm.input.at();
    match (factor, expression(asm)?) {
        (_, 1) => Ok(Some(0)),
        (true, 2) => Ok(Some(1)),
        (true, 4) => Ok(Some(2)),
        (false, 2) => Ok(Some(3)),
        _ => {
            asm.input.go(start);
            Err(asm.rule("the result is multiplied by 2 or 4, or divided by 2"))
        }
    }
}

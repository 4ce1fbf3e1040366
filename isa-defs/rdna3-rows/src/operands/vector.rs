//! Operands of the one-dword vector formats and of VOPD, and kinds that several vector formats share.

use super::placing::{self, dependent};
use isa::inst::{Dependent, Placing};
use isa::{
    Asm, Case, Class, Code, CodeSet, Cx, Fault, Names, Operand, ParseError, Plain, Sure, Text, Type, Values, Word,
};

use super::Vgpr;
use super::dpp::{SIGNS, write_signed};
use super::read::{mask, scalar, source, vector};
use super::vector_read::{Place, source_n, vgpr_n, whole_or_half};
use super::{
    LITERAL, PLAIN_SCALARS, PLAIN_SOURCES, PLAIN_VGPRS, SOURCE_NAMES, SOURCE_VALUES, SURE_SOURCES, VGPR_NAMES,
    VGPR_VALUES, dwords_in, is_inline, sgpr_dest_codes, sgpr_value, source_codes, source_value,
    vector_source_printable, vgpr_half_value, vgpr_value, write_sgpr, write_source, write_vgpr, write_vgpr_half,
};
use crate::{Generation, Value, Wave, flags, raw};

/// The first source code that is a VGPR.
pub(super) const VGPRS: u32 = 256;

/// In one-dword formats, the bit of a VGPR number that chooses the high half of a 16-bit operand.
const HIGH: u32 = 0x80;

/// Whether an operand takes half a register.
pub(super) fn is_half(ty: Type) -> bool {
    ty.total_bits() == 16
}

/// The literal that follows, if one does.
pub(super) fn literal<I: Generation>(cx: &Cx<'_, I>) -> Option<u32> {
    (cx.suffix_dword_name() == Some("LITERAL")).then(|| cx.suffix_dword_value())
}

/// Writes the VGPR of an 8-bit field of a one-dword format.
pub(super) fn write_short_vgpr(number: u32, ty: Type, out: &mut Text) {
    if is_half(ty) {
        write_vgpr_half(number & !HIGH, number & HIGH != 0, out);
    } else {
        write_vgpr(number, ty.dwords(), out);
    }
}

/// What the VGPR of an 8-bit field of a one-dword format comes to.
pub(super) fn short_vgpr_value(number: u32, ty: Type) -> Value {
    if is_half(ty) { vgpr_half_value(number & !HIGH, number & HIGH != 0) } else { vgpr_value(number, ty.dwords()) }
}

/// A source by its 9-bit code: scalar register, constant, literal or VGPR.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Src(u16);

impl Src {
    /// The inline constant 0.
    pub const ZERO: Src = Src(128);
    /// The literal constant that follows the instruction.
    pub const LITERAL: Src = Src(LITERAL as u16);

    /// What it comes to as an operand of this type, given the literal that follows, if one does.
    #[must_use]
    pub fn value(self, ty: Type, literal: Option<u32>) -> Value {
        source_value(self.code(), ty, literal)
    }

    /// The source with this 9-bit code; higher bits are dropped.
    #[must_use]
    pub const fn new(code: u32) -> Self {
        Src(code as u16 & 0x1ff)
    }

    /// Its 9-bit code.
    #[must_use]
    pub const fn code(self) -> u32 {
        self.0 as u32
    }
}

impl Code for Src {
    fn from_code(code: u32) -> Self {
        Src::new(code)
    }

    fn into_code(self) -> u32 {
        self.code()
    }
}

impl<I: Generation> Operand<I> for Src {
    type Get = Self;

    const PLACING: &'static Placing = &placing::SRC;

    const PLAIN: &'static Plain = &Plain { unless: flags::VGPR_ONLY | flags::SPLAT, ..PLAIN_SOURCES };

    const NAMES: Names = Names { altered_by: SIGNS[0], ..SOURCE_NAMES };
    const VALUES: Values<Value> = SOURCE_VALUES;

    const SURE: Sure =
        Sure::Cases(&[(Case::Flag(flags::VGPR_ONLY), Sure::With(&VGPR_CODES)), (Case::Else, SURE_SOURCES)]);

    fn codes(ty: Type) -> Option<&'static CodeSet> {
        Some(source_codes(ty))
    }

    fn check(cx: &Cx<'_, I>, code: u32) -> bool {
        code >= VGPRS || !cx.has(flags::VGPR_ONLY)
    }

    fn printable(cx: &Cx<'_, I>, code: u32) -> bool {
        !cx.has(flags::VGPR_ONLY) && vector_source_printable(code, cx.ty.dwords())
    }

    fn write(cx: &Cx<'_, I>, code: u32, out: &mut Text) {
        match code.checked_sub(VGPRS) {
            Some(number) => write_short_vgpr(number, cx.ty, out),
            None if code == LITERAL && cx.has(flags::SPLAT) => write_splat(cx.suffix_dword_value(), out),
            None => write_source(code, cx.ty, literal(cx), out),
        }
    }

    fn value(cx: &Cx<'_, I>, code: u32) -> Option<Value> {
        Some(match code.checked_sub(VGPRS) {
            Some(number) => short_vgpr_value(number, cx.ty),
            None => source_value(code, cx.ty, literal(cx)),
        })
    }

    fn parse(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
        let start = asm.input.at();
        let code = source_n(asm, 0, Place::Number)?;
        if asm.has(flags::VGPR_ONLY) && code < VGPRS {
            asm.input.go(start);
            return Err(asm.expected("a vector register"));
        }
        Ok(Some(code))
    }
}

/// Writes a literal of the word `splat`: an inline constant stands in both halves of the register there.
fn write_splat(value: u32, out: &mut Text) {
    const HALF: Type = Type::new(Class::Float, 16, 1);
    let low = value & 0xffff;
    let halves = low == value >> 16 && low < 0xfff0 && is_inline(low, HALF);
    // Of other values only the small integers could be inline.
    if halves || (-16..=64).contains(&(value as i32)) {
        out.push("lit(");
        out.hex(value);
        out.push_ascii(b')');
    } else {
        out.hex(value);
    }
}

/// The second source of VOP2 and VOPC: a VGPR, with the signs that a DPP16 dword gives it.
pub struct Vsrc1;

impl<I: Generation> Operand<I> for Vsrc1 {
    type Get = Vgpr;

    const PLACING: &'static Placing = &placing::VSRC1;

    const PLAIN: &'static Plain = &PLAIN_VGPRS;

    const NAMES: Names = Names { altered_by: SIGNS[1], ..VGPR_NAMES };
    const VALUES: Values<Value> = VGPR_VALUES;

    const CHECKED: bool = false;

    fn write(cx: &Cx<'_, I>, code: u32, out: &mut Text) {
        write_signed(cx, 1, || false, out, |out| write_short_vgpr(code, cx.ty, out));
    }

    fn value(cx: &Cx<'_, I>, code: u32) -> Option<Value> {
        Some(short_vgpr_value(code, cx.ty))
    }

    fn parse(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
        vgpr_n(asm, 1, Place::Number).map(Some)
    }
}

pub(super) static VGPR_CODES: CodeSet = CodeSet::NONE.with(VGPRS, 511);

const fn scalars_and_constants() -> CodeSet {
    CodeSet::NONE.with(0, 208).with(235, 238).with(240, 248).with(253, 253)
}

static LANE_SELECT: CodeSet = scalars_and_constants();
static SCALAR_SOURCE: CodeSet = scalars_and_constants().with(LITERAL, LITERAL);

/// A source that is the same for all lanes: a scalar register or a constant, but no VGPR.
pub struct ScalarSrc;

impl<I: Generation> Operand<I> for ScalarSrc {
    type Get = Src;

    const PLACING: &'static Placing = &placing::SCALAR_SRC;

    const PLAIN: &'static Plain = &PLAIN_SCALARS;

    const SURE: Sure = Sure::With(&SCALAR_SOURCE);

    fn codes(_ty: Type) -> Option<&'static CodeSet> {
        Some(&SCALAR_SOURCE)
    }

    fn check(cx: &Cx<'_, I>, code: u32) -> bool {
        code != LITERAL || literal(cx).is_some()
    }

    fn printable(cx: &Cx<'_, I>, code: u32) -> bool {
        vector_source_printable(code, cx.ty.dwords())
    }

    fn write(cx: &Cx<'_, I>, code: u32, out: &mut Text) {
        write_source(code, cx.ty, literal(cx), out);
    }

    fn value(cx: &Cx<'_, I>, code: u32) -> Option<Value> {
        Some(source_value(code, cx.ty, literal(cx)))
    }

    fn parse(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
        scalar_source(asm, &SCALAR_SOURCE)
    }
}

/// Reads a source that must be one of these.
fn scalar_source<I: Generation>(asm: &mut Asm<'_, '_, I>, codes: &CodeSet) -> Result<Option<u32>, ParseError> {
    let start = asm.input.at();
    let code = source(asm, asm.ty)?;
    if codes.has(code) {
        return Ok(Some(code));
    }
    asm.input.go(start);
    Err(asm.expected("a scalar register or a constant"))
}

/// The number of a lane: as [`ScalarSrc`], but a literal cannot give it.
pub struct LaneSel;

impl<I: Generation> Operand<I> for LaneSel {
    type Get = Src;

    const PLACING: &'static Placing = &placing::SCALAR_SRC;

    const PLAIN: &'static Plain = &PLAIN_SCALARS;

    const NAMES: Names = SOURCE_NAMES;
    const VALUES: Values<Value> = SOURCE_VALUES;

    const SURE: Sure = Sure::Only(&LANE_SELECT);

    fn printable(cx: &Cx<'_, I>, code: u32) -> bool {
        code == LITERAL && literal(cx).is_some() || vector_source_printable(code, cx.ty.dwords())
    }

    fn write(cx: &Cx<'_, I>, code: u32, out: &mut Text) {
        write_source(code, cx.ty, literal(cx), out);
    }

    fn value(cx: &Cx<'_, I>, code: u32) -> Option<Value> {
        Some(source_value(code, cx.ty, literal(cx)))
    }

    fn parse(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
        scalar_source(asm, &LANE_SELECT)
    }
}

/// The scalar registers that can take the value of one lane; M0 cannot.
pub(super) static LANE_DESTS: CodeSet = CodeSet::NONE.with(0, 124).with(126, 127);

/// Whether `code` names one of them.
pub(super) fn is_lane_dest(code: u32) -> bool {
    LANE_DESTS.has(code)
}

/// Reads a scalar register that can take the value of one lane.
pub(super) fn lane_dest<I: Generation>(asm: &mut Asm<'_, '_, I>, dwords: u8) -> Result<u32, ParseError> {
    without_suffix(asm)?;
    let start = asm.input.at();
    let code = scalar(asm, dwords)?;
    if is_lane_dest(code) {
        return Ok(code);
    }
    asm.input.go(start);
    Err(asm.rule("m0 cannot take the value of a lane"))
}

/// Refuses the suffix `_e64` of the instructions that read single lanes: LLVM has no such names.
fn without_suffix<I: Generation>(asm: &mut Asm<'_, '_, I>) -> Result<(), ParseError> {
    let line = asm.input.text().trim_start_matches([' ', '\t']);
    let mnemonic = line.split([' ', '\t']).next().unwrap_or_default();
    if !mnemonic.ends_with("_e64") {
        return Ok(());
    }
    let start = asm.input.text().len() - line.len();
    let fault = Fault::Rule("the name of this instruction has no suffix `_e64`");
    Err(ParseError { start, end: start + mnemonic.len(), fault })
}

/// Reads VDST of VOP1.
pub(super) fn read_vdst<I: Generation>(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
    if asm.has(flags::SCALAR_D) {
        let dwords = asm.ty.dwords();
        return lane_dest(asm, dwords).map(Some);
    }
    whole_or_half(asm, Place::Number).map(Some)
}

/// Reads a VGPR of a one-dword format.
pub(super) fn read_vgpr<I: Generation>(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
    whole_or_half(asm, Place::Number).map(Some)
}

/// The code of VCC's first register.
const VCC: u32 = 106;

static PLAIN_VCC: Plain = Plain { names: &[Word::new("vcc_lo", 1, 0), Word::new("vcc", 2, 0)], ..Plain::NONE };

/// VCC as a lane mask that no bits name.
pub struct Vcc;

impl<I: Generation> Operand<I> for Vcc {
    type Get = ();

    const PLACING: &'static Placing = &placing::VCC_IMPLIED;

    const PLAIN: &'static Plain = &Plain { mask: Some((&PLAIN_VCC, [1, 2])), ..Plain::NONE };

    const CHECKED: bool = false;

    fn get(_code: u32) {}

    fn code((): ()) -> u32 {
        0
    }

    fn write(cx: &Cx<'_, I>, _code: u32, out: &mut Text) {
        write_sgpr(VCC, dwords_in(cx.ty, cx.mode), out);
    }

    fn value(cx: &Cx<'_, I>, _code: u32) -> Option<Value> {
        Some(sgpr_value(VCC, dwords_in(cx.ty, cx.mode)))
    }

    fn parse(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
        let start = asm.input.at();
        if mask(asm)? == VCC {
            return Ok(Some(0));
        }
        asm.input.go(start);
        Err(asm.expected("vcc, or vcc_lo in wave32"))
    }
}

/// Constants and status bits that LLVM takes for a lane mask, as a source and as the destination of a comparison; the
/// guide names registers only, so
/// `Instr::check` says that it forbids such a destination.
pub(super) static MASK_SPECIALS: CodeSet = CodeSet::NONE.with(235, 238).with(253, 253);

/// Whether scalar registers from `code` on can hold a lane mask in this wave size.
pub(super) fn is_mask_code(code: u32, wave: Wave) -> bool {
    sgpr_dest_codes(if wave == Wave::W64 { 2 } else { 1 }).has(code)
}

/// The destination of VOPD's second instruction: its lowest bit is the opposite of that of the first's.
pub struct VdstY;

const PARITY: &str = "one destination of a pair is an even register, the other an odd one";

impl VdstY {
    fn number<I: Generation>(cx: &Cx<'_, I>, code: u32) -> u32 {
        let x = u32::from(raw::Vopd::from_bits(cx.low64()).vdstx());
        code << 1 | (!x & 1)
    }
}

impl<I: Generation> Operand<I> for VdstY {
    type Get = u8;

    const PLACING: &'static Placing = &placing::VDST_Y;
    const DEPENDENT: Option<Dependent<I>> = dependent!(Some(PARITY));

    const CHECKED: bool = false;

    fn write(cx: &Cx<'_, I>, code: u32, out: &mut Text) {
        write_vgpr(Self::number(cx, code), cx.ty.dwords(), out);
    }

    fn value(cx: &Cx<'_, I>, code: u32) -> Option<Value> {
        Some(vgpr_value(Self::number(cx, code), cx.ty.dwords()))
    }

    fn parse(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
        let start = asm.input.at();
        let number = vector(asm, asm.ty.dwords())?;
        if number & 1 == asm.field("VDSTX") & 1 {
            asm.input.go(start);
            return Err(asm.rule(PARITY));
        }
        Ok(Some(number >> 1))
    }
}

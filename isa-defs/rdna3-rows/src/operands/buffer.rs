//! Operands of MUBUF and MTBUF instructions: data, addresses, resources.

use isa::inst::{Dependent, Placing, same_registers};
use isa::{Asm, Case, CodeSet, Cx, Operand, ParseError, Plain, Sure, Text, Word};

use super::ds::{data_value, write_unless_zero};
use super::flat::OFFSET;
use super::placing::{self, dependent, op_list};
use super::read;
use super::regs::{
    PLAIN_LATE, PLAIN_SCALARS, PLAIN_SGPRS, sgpr_value, source_printable, source_value, vgpr_value, write_sgpr,
    write_source, write_vgpr,
};
use crate::{Generation, Value, raw};

/// The bits that MUBUF and MTBUF have in the same places.
const fn fields<I: Generation>(cx: &Cx<'_, I>) -> raw::Mubuf {
    raw::Mubuf::from_bits(cx.low64())
}

/// The constant offset of a buffer address: twelve bits, unsigned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BufferOffset;

impl<I: Generation> Operand<I> for BufferOffset {
    type Get = u16;

    const PLAIN: &'static Plain = &Plain { key: Some((OFFSET, 0, 0xfff)), ..Plain::NONE };

    const SILENT: bool = true;

    const CHECKED: bool = false;

    fn write(_cx: &Cx<'_, I>, code: u32, out: &mut Text) {
        write_unless_zero(" offset:", code, out);
    }

    fn parse(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
        read::keyed(asm, "offset", 0, 0xfff, "the offset is a number from 0 to 4095")
    }
}

/// The registers of a buffer address: an index if IDXEN is set, then an offset if OFFEN is set; `off` without either.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BufferAddr;

const ADDRESS: &str = "the address is a register with `offen` or `idxen`, two with both, `off` without";

impl BufferAddr {
    fn dwords<I: Generation>(cx: &Cx<'_, I>) -> u8 {
        let fields = fields(cx);
        u8::from(fields.idxen()) + u8::from(fields.offen())
    }
}

impl<I: Generation> Operand<I> for BufferAddr {
    type Get = super::Vgpr;

    const PLACING: &'static Placing = &placing::BUFFER_ADDR;
    const DEPENDENT: Option<Dependent<I>> = dependent!(Some(ADDRESS));

    const PLAIN: &'static Plain = &Plain { names: &[Word::new("off", 0, 0)], ..PLAIN_LATE };

    const SURE: Sure = Sure::Within(0);

    const LATE: bool = true;

    fn check(cx: &Cx<'_, I>, code: u32) -> bool {
        code == 0 || Self::dwords(cx) > 0
    }

    fn printable(_cx: &Cx<'_, I>, _code: u32) -> bool {
        true
    }

    fn write(cx: &Cx<'_, I>, code: u32, out: &mut Text) {
        match Self::dwords(cx) {
            0 => out.push("off"),
            n => write_vgpr(code, n, out),
        }
    }

    fn parse(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
        let start = asm.input.at();
        let off = asm.input.eat_word("off");
        if asm.late && off != (Self::dwords(&asm.cx()) == 0) {
            asm.input.go(start);
            return Err(asm.rule(ADDRESS));
        }
        if off { Ok(Some(0)) } else { read::late_vector(asm, Self::dwords).map(Some) }
    }

    fn value(cx: &Cx<'_, I>, code: u32) -> Option<Value> {
        Some(match Self::dwords(cx) {
            0 => Value::Off,
            n => vgpr_value(code, n),
        })
    }
}

/// The registers that a buffer instruction moves: as many as the type has dwords, and one for the status if TFE is set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BufferData;

impl BufferData {
    fn dwords<I: Generation>(cx: &Cx<'_, I>) -> u8 {
        cx.ty.dwords().saturating_add(u8::from(fields(cx).tfe()))
    }
}

impl<I: Generation> Operand<I> for BufferData {
    type Get = super::Vgpr;

    const PLACING: &'static Placing = &placing::OPEN_VGPRS;
    const DEPENDENT: Option<Dependent<I>> = Some(Dependent {
        operands: |cx, code| op_list(Some(vgpr_value(code, Self::dwords(cx)))),
        check: |cx, code, given| same_registers(&op_list(Some(vgpr_value(code, Self::dwords(cx)))), given, None),
    });

    const PLAIN: &'static Plain = &PLAIN_LATE;

    const CHECKED: bool = false;
    const LATE: bool = true;

    fn write(cx: &Cx<'_, I>, code: u32, out: &mut Text) {
        write_vgpr(code, Self::dwords(cx), out);
    }

    fn parse(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
        read::late_vector(asm, Self::dwords).map(Some)
    }

    fn value(cx: &Cx<'_, I>, code: u32) -> Option<Value> {
        Some(data_value(cx, code, Self::dwords(cx)))
    }
}

/// The codes of groups of four scalar registers from which `dwords` of one file follow.
const fn groups(dwords: u32) -> CodeSet {
    CodeSet::NONE.with(0, (104 - dwords) / 4).with(27, 31 - dwords / 4)
}

static GROUPS_OF_4: CodeSet = groups(4);
static GROUPS_OF_8: CodeSet = groups(8);

/// What code 31 stands for, by its place NULL: LLVM prints it, and no resource can be there.
const NO_GROUP: u32 = 31;

/// The scalar registers of a resource or a sampler, four or eight by the type. The field counts groups of four.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ResourceSgprs;

impl<I: Generation> Operand<I> for ResourceSgprs {
    /// The code of the first register.
    type Get = u8;

    const PLACING: &'static Placing = &placing::RESOURCE;

    const PLAIN: &'static Plain = &Plain { aligned: 2, names: &[], ..PLAIN_SGPRS };

    const SURE: Sure =
        Sure::Cases(&[(Case::Dwords(4), Sure::Only(&GROUPS_OF_4)), (Case::Else, Sure::Only(&GROUPS_OF_8))]);

    fn get(code: u32) -> u8 {
        (code << 2) as u8
    }

    fn code(first: u8) -> u32 {
        u32::from(first >> 2)
    }

    fn printable(_cx: &Cx<'_, I>, code: u32) -> bool {
        code == NO_GROUP
    }

    fn write(cx: &Cx<'_, I>, code: u32, out: &mut Text) {
        write_sgpr(code << 2, cx.ty.dwords(), out);
    }

    fn parse(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
        let start = asm.input.at();
        let dwords = asm.ty.dwords();
        let code = read::scalar(asm, dwords)?;
        if code % 4 == 0 && code < NO_GROUP << 2 {
            return Ok(Some(code >> 2));
        }
        asm.input.go(start);
        Err(asm.rule("the scalar registers of a resource or sampler begin with a multiple of four"))
    }

    fn value(cx: &Cx<'_, I>, code: u32) -> Option<Value> {
        Some(sgpr_value(code << 2, cx.ty.dwords()))
    }
}

static SCALARS: CodeSet = CodeSet::NONE.with(0, 208).with(235, 238).with(240, 248).with(253, 253);

/// The scalar offset of a buffer address: a scalar register or an inline constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BufferSoffset;

impl<I: Generation> Operand<I> for BufferSoffset {
    type Get = u8;

    const PLACING: &'static Placing = &placing::BUFFER_SOFFSET;

    const PLAIN: &'static Plain = &PLAIN_SCALARS;

    const SURE: Sure = Sure::Only(&SCALARS);

    fn printable(_cx: &Cx<'_, I>, code: u32) -> bool {
        code > 127 && source_printable(code, 1)
    }

    fn write(cx: &Cx<'_, I>, code: u32, out: &mut Text) {
        write_source(code, cx.ty, None, out);
    }

    fn parse(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
        let start = asm.input.at();
        let ty = asm.ty;
        let code = read::source(asm, ty)?;
        if SCALARS.has(code) {
            return Ok(Some(code));
        }
        asm.input.go(start);
        Err(asm.expected("a scalar register or an inline constant"))
    }

    fn value(cx: &Cx<'_, I>, code: u32) -> Option<Value> {
        Some(source_value(code, cx.ty, None))
    }
}

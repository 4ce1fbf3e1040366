//! Operands of MUBUF: data, addresses, resources, and the flags that every format has.

use amdgpu_operands::{keyed, write_range};
use isa::inst::{Dependent, Placing, same_registers};
use isa::{Asm, Cx, Operand, ParseError, Plain, Text, Type, Word};

use super::regs::{
    File, PLAIN_FLAG, PLAIN_LATE, PLAIN_SGPRS, PLAIN_SOURCES, Registers, Value, printable, scalar, source_value,
    write_scalar, write_source,
};
use super::{placing, read};
use crate::{Generation, gcn1_0, words};

/// The fields of MUBUF that all generations have in the same places, OFFEN, IDXEN, LDS and TFE, and ADDR64, whose bit
/// the later ones have reserved.
const fn fields<I: Generation>(cx: &Cx<'_, I>) -> gcn1_0::raw::Mubuf {
    gcn1_0::raw::Mubuf::from_bits(cx.low64())
}

/// A modifier of one bit that is written as its own name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Flag;

impl<I: Generation> Operand<I> for Flag {
    type Get = bool;

    const PLAIN: &'static Plain = &PLAIN_FLAG;

    const CHECKED: bool = false;

    fn write(cx: &Cx<'_, I>, code: u32, out: &mut Text) {
        if code != 0 {
            out.push_ascii(b' ');
            out.push(cx.name);
        }
    }

    /// `glc` sets it; `noglc` says that it is not set.
    fn parse(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
        let word = asm.input.peek_word();
        let set = word == asm.name;
        if !set && word.strip_prefix("no") != Some(asm.name) {
            return Ok(None);
        }
        asm.input.word();
        Ok(Some(u32::from(set)))
    }
}

/// Whether the address is one of 64 bits, without an index and an offset from registers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Addr64;

impl<I: Generation> Operand<I> for Addr64 {
    type Get = bool;

    const PLAIN: &'static Plain = &PLAIN_FLAG;

    fn check(cx: &Cx<'_, I>, code: u32) -> bool {
        let fields = fields(cx);
        code == 0 || !(fields.offen() || fields.idxen())
    }

    fn write(cx: &Cx<'_, I>, code: u32, out: &mut Text) {
        <Flag as Operand<I>>::write(cx, code, out);
    }

    fn parse(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
        <Flag as Operand<I>>::parse(asm)
    }
}

/// Whether a status comes back in one more register. What goes to LDS has none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tfe;

impl<I: Generation> Operand<I> for Tfe {
    type Get = bool;

    const PLAIN: &'static Plain = &PLAIN_FLAG;

    fn check(cx: &Cx<'_, I>, code: u32) -> bool {
        code == 0 || !(cx.has(words::TO_LDS) && fields(cx).lds())
    }

    fn write(cx: &Cx<'_, I>, code: u32, out: &mut Text) {
        <Flag as Operand<I>>::write(cx, code, out);
    }

    fn parse(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
        <Flag as Operand<I>>::parse(asm)
    }
}

/// The constant offset of a buffer address: twelve bits, unsigned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BufferOffset;

impl<I: Generation> Operand<I> for BufferOffset {
    type Get = u16;

    const PLAIN: &'static Plain = &Plain { key: Some((Word::new("offset:", 0, 0), 0, 0xfff)), ..Plain::NONE };

    const CHECKED: bool = false;

    fn write(_cx: &Cx<'_, I>, code: u32, out: &mut Text) {
        if code != 0 {
            out.push(" offset:");
            out.dec(code);
        }
    }

    fn parse(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
        keyed(asm, "offset", 0, 0xfff, "the offset is a number from 0 to 4095")
    }
}

/// A vector register by its number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Vgpr(u8);

impl Vgpr {
    /// The number.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }
}

impl isa::Code for Vgpr {
    fn from_code(code: u32) -> Self {
        Vgpr(code as u8)
    }

    fn into_code(self) -> u32 {
        u32::from(self.0)
    }
}

/// The registers of a buffer address: a 64-bit address, or an index if IDXEN is set, then an offset if OFFEN is set;
/// `off` without any.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BufferAddr;

const ADDRESS: &str =
    "the address is a register with `offen` or `idxen`, two with both or with `addr64`, `off` without";

impl BufferAddr {
    fn dwords<I: Generation>(cx: &Cx<'_, I>) -> u8 {
        let fields = fields(cx);
        if cx.has(words::GCN1_0 | words::GCN1_1) && fields.addr64() {
            return 2;
        }
        u8::from(fields.idxen()) + u8::from(fields.offen())
    }
}

impl<I: Generation> Operand<I> for BufferAddr {
    type Get = Vgpr;

    const PLACING: &'static Placing = &placing::BUFFER_ADDR;
    const DEPENDENT: Option<Dependent<I>> = Some(Dependent {
        operands: |cx, code| placing::op_list(<Self as Operand<I>>::value(cx, code)),
        check: |cx, code, given| {
            let expected = placing::op_list(<Self as Operand<I>>::value(cx, code));
            same_registers(&expected, given, Some(ADDRESS))
        },
    });

    const PLAIN: &'static Plain = &Plain { names: &[Word::new("off", 0, 0)], ..PLAIN_LATE };

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
            n => write_range("v", code, n, out),
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
            n => Value::Registers(Registers::new(File::Vgpr, code as u8, n)),
        })
    }
}

/// The registers that a buffer instruction moves: as many as the type has dwords, and one for the status if TFE is set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BufferData;

impl BufferData {
    fn dwords<I: Generation>(cx: &Cx<'_, I>) -> u8 {
        let unpacked = I::FEATURES.unpacked_d16 && cx.has(words::D16);
        let elements = if unpacked { cx.ty.lanes() } else { cx.ty.dwords() };
        elements.saturating_add(u8::from(fields(cx).tfe()))
    }
}

impl<I: Generation> Operand<I> for BufferData {
    type Get = Vgpr;

    const PLACING: &'static Placing = &placing::BUFFER_DATA;
    const DEPENDENT: Option<Dependent<I>> = Some(Dependent {
        operands: |cx, code| placing::op_list(<Self as Operand<I>>::value(cx, code)),
        check: |cx, code, given| {
            let expected = placing::op_list(<Self as Operand<I>>::value(cx, code));
            same_registers(&expected, given, None)
        },
    });

    const PLAIN: &'static Plain = &PLAIN_LATE;

    const CHECKED: bool = false;
    const LATE: bool = true;

    fn write(cx: &Cx<'_, I>, code: u32, out: &mut Text) {
        write_range("v", code, Self::dwords(cx), out);
    }

    fn parse(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
        read::late_vector(asm, Self::dwords).map(Some)
    }

    fn value(cx: &Cx<'_, I>, code: u32) -> Option<Value> {
        Some(Value::Registers(Registers::new(File::Vgpr, code as u8, Self::dwords(cx))))
    }
}

/// The four scalar registers of a resource. The field counts groups of four.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ResourceSgprs;

const RESOURCE: u8 = 4;

impl<I: Generation> Operand<I> for ResourceSgprs {
    /// The code of the first register.
    type Get = u8;

    const PLACING: &'static Placing = &placing::RESOURCE;

    const PLAIN: &'static Plain = &Plain { aligned: 2, ..PLAIN_SGPRS };

    fn get(code: u32) -> u8 {
        (code << 2) as u8
    }

    fn code(first: u8) -> u32 {
        u32::from(first >> 2)
    }

    fn check(_cx: &Cx<'_, I>, code: u32) -> bool {
        I::FEATURES.registers(RESOURCE).has(code << 2)
    }

    fn printable(_cx: &Cx<'_, I>, code: u32) -> bool {
        printable(I::FEATURES, code << 2, RESOURCE, I::FEATURES.registers(RESOURCE))
    }

    fn write(_cx: &Cx<'_, I>, code: u32, out: &mut Text) {
        write_scalar(I::FEATURES, code << 2, RESOURCE, out);
    }

    fn parse(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
        const RULE: &str = "the scalar registers of a resource begin with a multiple of four";
        read::scalar(asm, RESOURCE, I::FEATURES.registers(RESOURCE), RULE).map(|code| Some(code >> 2))
    }

    fn value(_cx: &Cx<'_, I>, code: u32) -> Option<Value> {
        scalar(I::FEATURES, code << 2, RESOURCE).map(Value::Registers)
    }
}

/// The scalar offset of a buffer address: a scalar register, a status bit or an inline constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BufferSoffset;

impl<I: Generation> Operand<I> for BufferSoffset {
    type Get = u8;

    const PLACING: &'static Placing = &placing::BUFFER_SOFFSET;

    const PLAIN: &'static Plain = &PLAIN_SOURCES;

    fn codes(_ty: Type) -> Option<&'static isa::CodeSet> {
        Some(&I::FEATURES.sources)
    }

    /// From the third generation on LLVM has a disassembler, which names what other generations have there.
    fn printable(cx: &Cx<'_, I>, code: u32) -> bool {
        cx.has(words::GCN1_2 | words::GCN1_4) && matches!(code, 104 | 105 | 125 | 230 | 231 | 235..=239)
    }

    fn write(_cx: &Cx<'_, I>, code: u32, out: &mut Text) {
        write_source(I::FEATURES, code, out);
    }

    fn parse(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
        read::source(asm).map(Some)
    }

    fn value(_cx: &Cx<'_, I>, code: u32) -> Option<Value> {
        source_value(I::FEATURES, code)
    }
}

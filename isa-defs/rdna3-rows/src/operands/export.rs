//! Operands of EXP: where the values go and which there are.

use isa::inst::Placing;
use isa::{Asm, CodeSet, Cx, Operand, ParseError, Sure, Text};

use super::placing;
use super::read;
use super::regs::{vgpr_value, write_vgpr};
use crate::{Generation, Value, raw};

/// The targets of exports, with their names in text. Guide §15.10.1.
pub static EXPORT_TARGETS: [(u32, &str); 17] = [
    (0, "mrt0"),
    (1, "mrt1"),
    (2, "mrt2"),
    (3, "mrt3"),
    (4, "mrt4"),
    (5, "mrt5"),
    (6, "mrt6"),
    (7, "mrt7"),
    (8, "mrtz"),
    (12, "pos0"),
    (13, "pos1"),
    (14, "pos2"),
    (15, "pos3"),
    (16, "pos4"),
    (20, "prim"),
    (21, "dual_src_blend0"),
    (22, "dual_src_blend1"),
];

static TARGETS: CodeSet = {
    let mut set = CodeSet::NONE;
    let mut i = 0;
    while i < EXPORT_TARGETS.len() {
        set = set.with(EXPORT_TARGETS[i].0, EXPORT_TARGETS[i].0);
        i += 1;
    }
    set
};

/// Where an export goes. LLVM writes the codes without a name as `invalid_target_N`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExportTarget;

impl<I: Generation> Operand<I> for ExportTarget {
    type Get = u8;

    const SURE: Sure = Sure::Only(&TARGETS);

    fn printable(_cx: &Cx<'_, I>, _code: u32) -> bool {
        true
    }

    fn write(_cx: &Cx<'_, I>, code: u32, out: &mut Text) {
        out.push_ascii(b' ');
        match EXPORT_TARGETS.iter().find(|(c, _)| *c == code) {
            Some((_, name)) => out.push(name),
            None => {
                out.push("invalid_target_");
                out.dec(code);
            }
        }
    }

    /// A comma may follow.
    fn parse(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
        let word = asm.input.peek_word();
        let Some((code, _)) = EXPORT_TARGETS.iter().find(|(_, name)| *name == word) else {
            let what = "a target of exports: mrt0 to mrt7, mrtz, pos0 to pos4, prim, dual_src_blend0 or 1";
            return Err(asm.expected(what));
        };
        asm.input.word();
        asm.input.eat(",");
        Ok(Some(*code))
    }
}

/// Which of the four sources are there, a bit each. Text shows it by the sources themselves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExportEnable;

impl<I: Generation> Operand<I> for ExportEnable {
    type Get = u8;

    const CHECKED: bool = false;

    fn write(_cx: &Cx<'_, I>, _code: u32, _out: &mut Text) {}
}

/// A source of an export, `s0` to `s3`: a vector register, or `off` if its bit in EN is not set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExportSource;

impl ExportSource {
    /// The bit of EN that belongs to the source of this name.
    fn bit(name: &str) -> u8 {
        1 << (name.bytes().last().unwrap_or(b'0').wrapping_sub(b'0') & 3)
    }

    fn is_there<I: Generation>(cx: &Cx<'_, I>) -> bool {
        raw::Exp::from_bits(cx.low64()).en() & Self::bit(cx.name) != 0
    }
}

impl<I: Generation> Operand<I> for ExportSource {
    type Get = super::Vgpr;

    const PLACING: &'static Placing = &placing::EXPORT_SOURCE;

    const SURE: Sure = Sure::Within(0);

    fn check(cx: &Cx<'_, I>, code: u32) -> bool {
        code == 0 || Self::is_there(cx)
    }

    fn printable(_cx: &Cx<'_, I>, _code: u32) -> bool {
        true
    }

    fn write(cx: &Cx<'_, I>, code: u32, out: &mut Text) {
        if Self::is_there(cx) { write_vgpr(code, 1, out) } else { out.push("off") }
    }

    fn parse(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
        let (all, mine) = (asm.field("EN"), u32::from(Self::bit(asm.name)));
        if asm.input.eat_word("off") {
            asm.set_field("EN", all & !mine);
            return Ok(Some(0));
        }
        asm.set_field("EN", all | mine);
        read::vector(asm, 1).map(Some)
    }

    fn value(cx: &Cx<'_, I>, code: u32) -> Option<Value> {
        Some(if Self::is_there(cx) { vgpr_value(code, 1) } else { Value::Off })
    }
}

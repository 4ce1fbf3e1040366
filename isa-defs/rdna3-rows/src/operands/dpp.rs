//! Data-parallel primitives: the source, the controls, and the signs of sources.

use super::placing;
use isa::inst::Placing;
use isa::tables::DefaultCodeFn;
use isa::{Asm, Cx, Operand, ParseError, Text};

use super::read::{Number, constant_value, integer_in, key};
use super::vector_read::{Place, vgpr_n};
use super::vop3::{self, read_list, write_list};
use crate::{Generation, flags};

const NEG: [&str; 3] = ["neg0", "neg1", "neg2"];
const ABS: [&str; 3] = ["abs0", "abs1", "abs2"];

/// Whether source `n` is negated, and whether its absolute value is taken first.
fn signs<I: Generation>(cx: &Cx<'_, I>, n: usize) -> (bool, bool) {
    // Mostly none of the bits that can hold signs is set, and the search for those of this instruction can be saved.
    let any = if in_opsel(cx) { cx.words[1] >> 29 | cx.words[0] >> 8 & 7 } else { cx.suffix_dword_value() >> 20 & 15 };
    if any == 0 {
        return (false, false);
    }
    let bit = |names: &[&'static str; 3], mask: &str| {
        // FMA_MIX has the bits of all sources in one field.
        let all = if cx.has(flags::MIX) { cx.sibling(mask).map(|(bits, _)| bits >> n & 1) } else { None };
        all.or_else(|| Some(cx.sibling(names.get(n)?)?.0)).unwrap_or(0) != 0
    };
    (bit(&NEG, "neg_lo"), bit(&ABS, "neg_hi"))
}

/// Writes source `n` between its signs; `number`: whether it is a constant, which `-` would make another one.
pub(super) fn write_signed<I: Generation>(
    cx: &Cx<'_, I>,
    n: usize,
    number: impl Fn() -> bool,
    out: &mut Text,
    write: impl Fn(&mut Text),
) {
    let (neg, abs) = signs(cx, n);
    match (neg, abs) {
        (false, false) => write(out),
        (true, false) if number() => {
            out.push("neg(");
            write(out);
            out.push_ascii(b')');
        }
        (true, false) => {
            out.push_ascii(b'-');
            write(out);
        }
        (neg, true) => {
            out.push(if neg { "-|" } else { "|" });
            write(out);
            out.push_ascii(b'|');
        }
    }
}

/// Whether the operand's half is chosen by OPSEL: so it is in two-dword formats.
fn in_opsel<I: Generation>(cx: &Cx<'_, I>) -> bool {
    cx.format.dwords == 2
}

/// Splits the code of the first source into its register and its half: OPSEL chooses it where the format has it, bit 7 of
/// the code elsewhere.
pub(super) fn half<I: Generation>(cx: &Cx<'_, I>, code: u32) -> (u32, bool) {
    if in_opsel(cx) { vop3::half::<0, I>(cx, code) } else { (code & !0x80, code & 0x80 != 0) }
}

/// Reads the first source.
pub(super) fn read_source<I: Generation>(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
    let place = match (asm.format.dwords, asm.has(flags::MIX)) {
        (_, true) => Place::Whole,
        (2, _) => Place::OpSel(0),
        _ => Place::Number,
    };
    vgpr_n(asm, 0, place).map(Some)
}

/// A range of DPP_CTRL codes: the first code, how many, what is written, and the number that follows for the first
/// code (`None`: no number).
#[derive(Clone, Copy, Debug)]
pub struct DppControl {
    /// The first code.
    pub first: u32,
    /// How many codes.
    pub count: u32,
    /// The text.
    pub name: &'static str,
    /// The number behind the name that goes with the first code.
    pub number: Option<u32>,
}

const fn control(first: u32, count: u32, name: &'static str, number: Option<u32>) -> DppControl {
    DppControl { first, count, name, number }
}

/// The DPP_CTRL codes from 0x100 on; those below are quad permutations.
pub static DPP_CONTROLS: [DppControl; 7] = [
    control(0x101, 15, "row_shl:", Some(1)),
    control(0x111, 15, "row_shr:", Some(1)),
    control(0x121, 15, "row_ror:", Some(1)),
    control(0x140, 1, "row_mirror", None),
    control(0x141, 1, "row_half_mirror", None),
    control(0x150, 16, "row_share:", Some(0)),
    control(0x160, 16, "row_xmask:", Some(0)),
];

fn find_control(code: u32) -> Option<&'static DppControl> {
    DPP_CONTROLS.iter().find(|c| code.wrapping_sub(c.first) < c.count)
}

/// DPP_CTRL: which lane of a row each lane reads.
pub struct DppCtrl;

impl<I: Generation> Operand<I> for DppCtrl {
    type Get = u16;

    const PLACING: &'static Placing = &placing::REQUIRED;

    fn check(_cx: &Cx<'_, I>, code: u32) -> bool {
        code < 0x100 || find_control(code).is_some()
    }

    fn write(_cx: &Cx<'_, I>, code: u32, out: &mut Text) {
        if code < 0x100 {
            return write_lanes(" quad_perm:", code, 2, 4, out);
        }
        if let Some(c) = find_control(code) {
            out.push_ascii(b' ');
            out.push(c.name);
            if let Some(number) = c.number {
                out.dec(number + code - c.first);
            }
        }
    }

    fn parse(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
        if key(asm, "quad_perm") {
            return Ok(Some(read_list(asm, 2, 4, 4)?.0));
        }
        for c in &DPP_CONTROLS {
            let Some(first) = c.number else {
                if asm.input.eat_word(c.name) {
                    return Ok(Some(c.first));
                }
                continue;
            };
            if key(asm, c.name.trim_end_matches(':')) {
                let (first, count) = (i64::from(first), i64::from(c.count));
                let n = integer_in(asm, first, first + count - 1, "a row has 16 lanes")?;
                return Ok(Some(c.first + (n - first) as u32));
            }
        }
        Ok(None)
    }

    /// A code that stands for nothing, so that text has to have a control.
    const DEFAULT_CODE: Option<DefaultCodeFn<I>> = Some(|_asm| Some(0x1ff));
}

fn write_lanes(name: &str, code: u32, width: u32, count: u32, out: &mut Text) {
    write_list(name, (0..count).map(|i| code >> (i * width) & ((1 << width) - 1)), out);
}

/// LANE_SEL0 to LANE_SEL7 of DPP8, and `fi:1` if SRC0 holds the code that fetches from inactive lanes too.
pub struct Dpp8Lanes;

/// The code in SRC0 that selects DPP8 with fetch of inactive lanes.
const DPP8FI: u32 = 234;

/// A source code that stands for nothing.
const NO_SOURCE: u32 = 209;

/// Reads `fi:` and a constant, of which all bits are kept: one written as a floating-point number counts by its own.
fn read_fetch_inactive<I: Generation>(asm: &mut Asm<'_, '_, I>) -> Result<Option<u64>, ParseError> {
    if !key(asm, "fi") {
        return Ok(None);
    }
    match constant_value(asm)? {
        Some(Number::Integer(n)) => Ok(Some(n as u64)),
        Some(Number::Float(f)) => Ok(Some(f.to_bits())),
        None => Err(asm.expected("0 or 1")),
    }
}

impl<I: Generation> Operand<I> for Dpp8Lanes {
    type Get = u32;

    const PLACING: &'static Placing = &Placing { selector_flag: Some("fi"), ..placing::REQUIRED };

    const CHECKED: bool = false;

    fn write(cx: &Cx<'_, I>, code: u32, out: &mut Text) {
        write_lanes(" dpp8:", code, 3, 8, out);
        // SRC0 is the lowest field of the last dword before the suffix dword, in every format that has DPP.
        let last = if in_opsel(cx) { cx.words[1] } else { cx.words[0] };
        if last & 0x1ff == DPP8FI {
            out.push(" fi:1");
        }
    }

    fn parse(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
        if !key(asm, "dpp8") {
            return Ok(None);
        }
        let (lanes, _) = read_list(asm, 3, 8, 8)?;
        asm.input.eat(",");
        // It is no field of its own, so it comes right behind the lanes.
        if let Some(bits) = read_fetch_inactive(asm)?
            && bits as u32 != 0
        {
            asm.set_field("SRC0", DPP8FI);
        }
        Ok(Some(lanes))
    }

    /// Text has to have the lanes; a code in SRC0 that names nothing refuses it without.
    const DEFAULT_CODE: Option<DefaultCodeFn<I>> = Some(|asm| {
        asm.set_field("SRC0", NO_SOURCE);
        Some(0)
    });
}

/// Reads FI.
pub(super) fn read_fi<I: Generation>(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
    Ok(read_fetch_inactive(asm)?.map(|bits| bits as u32 & 1))
}

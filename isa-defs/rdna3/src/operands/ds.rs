//! Operands of LDS and GDS instructions, and the data registers of all instructions on memory.

use isa::{CodeSet, Cx, Operand, Text, Type};

use super::regs::{vgpr_half_value, vgpr_value, write_vgpr};
use crate::{Rdna3, Value, raw, words};

/// Writes ` name` and a number, unless it is 0.
pub(super) fn write_unless_zero(name: &str, number: u32, out: &mut Text) {
    if number != 0 {
        out.push(name);
        out.dec(number);
    }
}

/// What the registers of an operand come to: a half of one where 16 bits or fewer are moved.
pub(super) fn data_value(cx: &Cx<'_, Rdna3>, first: u32, dwords: u8) -> Value {
    if cx.ty.total_bits() <= 16 && dwords == 1 {
        vgpr_half_value(first, cx.has(words::D16_HI))
    } else {
        vgpr_value(first, dwords)
    }
}

/// Vector registers that an instruction on memory moves or takes its address from, as many as the row's type has
/// dwords. Text shows whole registers even where only a half is moved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DataVgpr;

impl Operand<Rdna3> for DataVgpr {
    type Get = u8;

    const CHECKED: bool = false;

    fn get(code: u32) -> u8 {
        code as u8
    }

    fn code(first: u8) -> u32 {
        u32::from(first)
    }

    fn write(cx: &Cx<'_, Rdna3>, code: u32, out: &mut Text) {
        write_vgpr(code, cx.ty.dwords(), out);
    }

    fn value(cx: &Cx<'_, Rdna3>, code: u32) -> Option<Value> {
        Some(data_value(cx, code, cx.ty.dwords()))
    }
}

/// OFFSET0: the first offset of a row with two, otherwise the low half of the only one, which it writes as a whole.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DsOffset0;

/// Both offset fields as one number.
fn whole_offset(cx: &Cx<'_, Rdna3>) -> u16 {
    let fields = raw::Ds::from_bits(cx.low64());
    u16::from_le_bytes([fields.offset0(), fields.offset1()])
}

impl Operand<Rdna3> for DsOffset0 {
    type Get = u8;

    fn get(code: u32) -> u8 {
        code as u8
    }

    fn code(value: u8) -> u32 {
        u32::from(value)
    }

    /// A swizzle has bits that change nothing, and several codes for some patterns.
    fn check(cx: &Cx<'_, Rdna3>, _code: u32) -> bool {
        let offset = whole_offset(cx);
        !cx.has(words::SWIZZLE) || Swizzle::from_offset(offset).offset() == offset
    }

    fn printable(_cx: &Cx<'_, Rdna3>, _code: u32) -> bool {
        true
    }

    fn write(cx: &Cx<'_, Rdna3>, code: u32, out: &mut Text) {
        if cx.has(words::TWO_OFFSETS) {
            return write_unless_zero(" offset0:", code, out);
        }
        let offset = whole_offset(cx);
        // Offset 0, under which all lanes read the first, is the default of a swizzle too.
        if cx.has(words::SWIZZLE) && offset != 0 {
            Swizzle::from_offset(offset).write(out);
        } else {
            write_unless_zero(" offset:", u32::from(offset), out);
        }
    }
}

/// OFFSET1: the second offset of a row with two, otherwise the high half of the only one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DsOffset1;

impl Operand<Rdna3> for DsOffset1 {
    type Get = u8;

    const CHECKED: bool = false;

    fn get(code: u32) -> u8 {
        code as u8
    }

    fn code(value: u8) -> u32 {
        u32::from(value)
    }

    fn write(_cx: &Cx<'_, Rdna3>, code: u32, out: &mut Text) {
        write_unless_zero(" offset1:", code, out);
    }
}

/// What happens to one bit of a lane's number in [`Swizzle::BitmaskPerm`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LaneBit {
    /// It becomes 0.
    Zero,
    /// It becomes 1.
    One,
    /// It stays.
    Keep,
    /// It becomes the opposite.
    Invert,
}

impl LaneBit {
    /// Each with the character that stands for it in text.
    pub const CHARACTERS: [(LaneBit, u8); 4] =
        [(LaneBit::Zero, b'0'), (LaneBit::One, b'1'), (LaneBit::Keep, b'p'), (LaneBit::Invert, b'i')];

    /// What three masks do to the bit with this number: the lane's number is first and-ed, then or-ed, then xor-ed.
    const fn of(bit: u16, and: u16, or: u16, xor: u16) -> Self {
        // What becomes of a 0, and of a 1.
        match ((or ^ xor) >> bit & 1, ((and | or) ^ xor) >> bit & 1) {
            (0, 0) => LaneBit::Zero,
            (0, _) => LaneBit::Keep,
            (_, 0) => LaneBit::Invert,
            _ => LaneBit::One,
        }
    }
}

/// Which lane each lane of `DS_SWIZZLE_B32` reads.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Swizzle {
    /// The order of a fast Fourier transform; the number is the mode.
    Fft(u8),
    /// Lanes move round by a count, to the right if `right`.
    Rotate {
        /// The direction.
        right: bool,
        /// By how many lanes.
        count: u8,
    },
    /// Each group of four lanes reads these four of it.
    QuadPerm([u8; 4]),
    /// Neighbouring groups of this many lanes change places.
    Swap(u8),
    /// Each group of this many lanes is read backwards.
    Reverse(u8),
    /// All lanes of a group read one of it.
    Broadcast {
        /// How many lanes a group has.
        group: u8,
        /// Which one is read.
        lane: u8,
    },
    /// The bits of a lane's number are changed one by one, the highest first.
    BitmaskPerm([LaneBit; 5]),
    /// A code without a name.
    Other(u16),
}

impl Swizzle {
    /// From this offset on: Fourier mode.
    const FFT: u16 = 0xe000;
    /// From this offset on: rotation.
    const ROTATE: u16 = 0xc000;
    /// This in the high byte: groups of four.
    const QUAD_PERM: u16 = 0x8000;

    /// What an offset means.
    #[must_use]
    pub const fn from_offset(offset: u16) -> Self {
        if offset >= Self::FFT {
            return Swizzle::Fft((offset & 31) as u8);
        }
        if offset >= Self::ROTATE {
            return Swizzle::Rotate { right: offset >> 10 & 1 != 0, count: (offset >> 5 & 31) as u8 };
        }
        if offset & 0xff00 == Self::QUAD_PERM {
            return Swizzle::QuadPerm([
                (offset & 3) as u8,
                (offset >> 2 & 3) as u8,
                (offset >> 4 & 3) as u8,
                (offset >> 6 & 3) as u8,
            ]);
        }
        if offset >= Self::QUAD_PERM {
            return Swizzle::Other(offset);
        }
        let (and, or, xor) = (offset & 31, offset >> 5 & 31, offset >> 10 & 31);
        if and == 31 && or == 0 && xor.is_power_of_two() {
            return Swizzle::Swap(xor as u8);
        }
        if and == 31 && or == 0 && xor != 0 && (xor + 1).is_power_of_two() {
            return Swizzle::Reverse(xor as u8 + 1);
        }
        let group = 32 - and;
        if group > 1 && group.is_power_of_two() && or < group && xor == 0 {
            return Swizzle::Broadcast { group: group as u8, lane: or as u8 };
        }
        Swizzle::BitmaskPerm([
            LaneBit::of(4, and, or, xor),
            LaneBit::of(3, and, or, xor),
            LaneBit::of(2, and, or, xor),
            LaneBit::of(1, and, or, xor),
            LaneBit::of(0, and, or, xor),
        ])
    }

    /// The offset that an assembler writes for it.
    #[must_use]
    pub fn offset(self) -> u16 {
        let masks = |and: u16, or: u16, xor: u16| and & 31 | (or & 31) << 5 | (xor & 31) << 10;
        match self {
            Swizzle::Fft(mode) => Self::FFT | u16::from(mode & 31),
            Swizzle::Rotate { right, count } => Self::ROTATE | u16::from(right) << 10 | u16::from(count & 31) << 5,
            Swizzle::QuadPerm(lanes) => {
                let code = lanes.iter().rev().fold(0, |code, lane| code << 2 | u16::from(lane & 3));
                Self::QUAD_PERM | code
            }
            Swizzle::Swap(lanes) => masks(31, 0, u16::from(lanes)),
            Swizzle::Reverse(lanes) => masks(31, 0, u16::from(lanes).wrapping_sub(1)),
            Swizzle::Broadcast { group, lane } => masks(32u16.wrapping_sub(u16::from(group)), u16::from(lane), 0),
            Swizzle::BitmaskPerm(bits) => {
                let mask = |of: &[LaneBit]| bits.iter().fold(0, |mask, b| mask << 1 | u16::from(of.contains(b)));
                masks(mask(&[LaneBit::Keep, LaneBit::Invert]), mask(&[LaneBit::One]), mask(&[LaneBit::Invert]))
            }
            Swizzle::Other(offset) => offset,
        }
    }

    /// Writes it as a modifier.
    fn write(self, out: &mut Text) {
        let named = |name: &str, numbers: &[u8], out: &mut Text| {
            out.push(" offset:swizzle(");
            out.push(name);
            for number in numbers {
                out.push_ascii(b',');
                out.dec(u32::from(*number));
            }
            out.push_ascii(b')');
        };
        match self {
            Swizzle::Fft(mode) => named("FFT", &[mode], out),
            Swizzle::Rotate { right, count } => named("ROTATE", &[u8::from(right), count], out),
            Swizzle::QuadPerm(lanes) => named("QUAD_PERM", &lanes, out),
            Swizzle::Swap(lanes) => named("SWAP", &[lanes], out),
            Swizzle::Reverse(lanes) => named("REVERSE", &[lanes], out),
            Swizzle::Broadcast { group, lane } => named("BROADCAST", &[group, lane], out),
            Swizzle::BitmaskPerm(bits) => {
                out.push(" offset:swizzle(BITMASK_PERM,\"");
                for bit in bits {
                    if let Some((_, character)) = LaneBit::CHARACTERS.iter().find(|(b, _)| *b == bit) {
                        out.push_ascii(*character);
                    }
                }
                out.push("\")");
            }
            Swizzle::Other(offset) => write_unless_zero(" offset:", u32::from(offset), out),
        }
    }
}

static ATTRIBUTES: CodeSet = CodeSet::NONE.with(0, 32);

/// Which pixel attribute `LDS_PARAM_LOAD` loads: `attr0` to `attr32`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Attr;

impl Operand<Rdna3> for Attr {
    type Get = u8;

    fn get(code: u32) -> u8 {
        code as u8
    }

    fn code(value: u8) -> u32 {
        u32::from(value)
    }

    fn codes(_ty: Type) -> Option<&'static CodeSet> {
        Some(&ATTRIBUTES)
    }

    fn printable(_cx: &Cx<'_, Rdna3>, _code: u32) -> bool {
        true
    }

    fn write(_cx: &Cx<'_, Rdna3>, code: u32, out: &mut Text) {
        out.push("attr");
        out.dec(code);
    }

    fn value(_cx: &Cx<'_, Rdna3>, code: u32) -> Option<Value> {
        Some(Value::Immediate(code as i32))
    }
}

/// Which channel of a pixel attribute: `.x`, `.y`, `.z` or `.w`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AttrChannel;

impl Operand<Rdna3> for AttrChannel {
    type Get = u8;

    const CHECKED: bool = false;

    fn get(code: u32) -> u8 {
        code as u8
    }

    fn code(value: u8) -> u32 {
        u32::from(value)
    }

    fn write(_cx: &Cx<'_, Rdna3>, code: u32, out: &mut Text) {
        out.push_ascii(b'.');
        out.push_ascii(b"xyzw"[(code & 3) as usize]);
    }

    fn value(_cx: &Cx<'_, Rdna3>, code: u32) -> Option<Value> {
        Some(Value::Immediate(code as i32))
    }
}

/// How many vector instructions may still be under way when the load begins; always written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WaitVdst;

impl Operand<Rdna3> for WaitVdst {
    type Get = u8;

    const CHECKED: bool = false;

    fn get(code: u32) -> u8 {
        code as u8
    }

    fn code(value: u8) -> u32 {
        u32::from(value)
    }

    fn write(_cx: &Cx<'_, Rdna3>, code: u32, out: &mut Text) {
        out.push(" wait_vdst:");
        out.dec(code);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_assembler_writes_is_canonical() {
        for offset in 0..=u16::MAX {
            let written = Swizzle::from_offset(offset).offset();
            assert_eq!(Swizzle::from_offset(written).offset(), written, "{offset:#06x}");
        }
    }
}

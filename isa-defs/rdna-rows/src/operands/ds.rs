//! Operands of LDS and GDS instructions, and the data registers of all instructions on memory.

#[cfg(feature = "parse")]
use isa::class::expression::expression_in;
#[cfg(feature = "parse")]
use isa::{Asm, ParseError};
use isa::{Cx, Text};

use super::BufferData;
use super::regs::{vgpr_half_value, vgpr_value};
use crate::{Generation, Value, flags, raw};

/// Writes ` name` and a number, unless it is 0.
pub(super) fn write_unless_zero(name: &str, number: u32, out: &mut Text) {
    if number != 0 {
        out.push(name);
        out.dec(number);
    }
}

/// The value of registers that an instruction on memory moves: a half of one if 16 bits or fewer are moved.
pub(super) fn data<I: Generation>(cx: &Cx<'_, I>, code: u32) -> Value {
    // The registers of streamout whose numbers are below 8 have one dword (guide §12.6.1, table 61); LLVM's text has two.
    let is_one = cx.has(flags::STREAMOUT) && raw::Ds::from_bits(cx.low64()).offset0() >> 2 & 15 < 8;
    data_value(cx, code, if is_one { 1 } else { cx.ty.dwords() })
}

/// The same for a buffer instruction, which may move a status as well.
pub(super) fn buffer_data<I: Generation>(cx: &Cx<'_, I>, code: u32) -> Value {
    data_value(cx, code, BufferData::dwords(cx))
}

fn data_value<I: Generation>(cx: &Cx<'_, I>, first: u32, dwords: u8) -> Value {
    if cx.ty.total_bits() <= 16 && dwords == 1 {
        vgpr_half_value(first, cx.has(flags::D16_HI))
    } else {
        vgpr_value(first, dwords)
    }
}

/// Both offset fields as one number.
fn whole_offset<I: Generation>(cx: &Cx<'_, I>) -> u16 {
    let fields = raw::Ds::from_bits(cx.low64());
    u16::from_le_bytes([fields.offset0(), fields.offset1()])
}

/// Returns whether a swizzle is the one that an assembler writes: some bits change nothing, and some patterns have
/// several codes.
pub(super) fn is_swizzle<I: Generation>(cx: &Cx<'_, I>, _code: u32) -> bool {
    let offset = whole_offset(cx);
    Swizzle::from_offset(offset).offset() == offset
}

/// Writes the first offset of a row with two, otherwise both fields as the only one.
pub(super) fn write_offset0<I: Generation>(cx: &Cx<'_, I>, code: u32, out: &mut Text) {
    if cx.has(flags::TWO_OFFSETS) {
        return write_unless_zero(" offset0:", code, out);
    }
    let offset = whole_offset(cx);
    // Offset 0, under which all lanes read the first, is the default of a swizzle too.
    if cx.has(flags::SWIZZLE) && offset != 0 {
        Swizzle::from_offset(offset).write(out);
    } else {
        write_unless_zero(" offset:", u32::from(offset), out);
    }
}

/// Reads the first offset of a row with two, otherwise the only one, whose high half goes to OFFSET1.
#[cfg(feature = "parse")]
pub(super) fn read_offset0<I: Generation>(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
    if asm.has(flags::TWO_OFFSETS) {
        if !asm.input.eat_key("offset0") {
            return Ok(None);
        }
        return expression_in(asm, 0, 0xff, EIGHT_BITS).map(Some);
    }
    if !asm.input.eat_key("offset") {
        return Ok(None);
    }
    let offset = if asm.has(flags::SWIZZLE) && asm.input.eat_word("swizzle") {
        Swizzle::read(asm)?.offset()
    } else {
        asm.state_bits();
        expression_in(asm, 0, 0xffff, "the offset is a number from 0 to 65535")? as u16
    };
    let [low, high] = offset.to_le_bytes();
    asm.set_field("OFFSET1", u32::from(high));
    Ok(Some(u32::from(low)))
}

/// The error for an offset out of range in a row with two offsets.
const EIGHT_BITS: &str = "each of the two offsets is a number from 0 to 255";

/// The change of one bit of a lane's number in [`Swizzle::BitmaskPerm`].
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

    /// Returns the change of the bit with this number by three masks: the lane's number is and-ed, then or-ed, then xor-ed.
    const fn of(bit: u16, and: u16, or: u16, xor: u16) -> Self {
        // The results for a 0 and for a 1.
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

    /// Decodes an offset.
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

    /// The offset that an assembler writes for it; `None` if it has no such lanes, or groups of no such size.
    #[cfg(feature = "build")]
    pub(crate) fn checked_offset(self) -> Option<u16> {
        self.exists().then(|| self.offset())
    }

    /// Returns whether there are such lanes, and groups of such a size.
    fn exists(self) -> bool {
        let is_group = |lanes: u8, least: u8, most: u8| lanes.is_power_of_two() && (least..=most).contains(&lanes);
        match self {
            Swizzle::Fft(mode) => mode < 32,
            Swizzle::Rotate { count, .. } => count < 32,
            Swizzle::QuadPerm(lanes) => lanes.iter().all(|lane| *lane < 4),
            Swizzle::Swap(lanes) => is_group(lanes, 1, 16),
            Swizzle::Reverse(lanes) => is_group(lanes, 2, 32),
            Swizzle::Broadcast { group, lane } => is_group(group, 2, 32) && lane < group,
            Swizzle::BitmaskPerm(_) | Swizzle::Other(_) => true,
        }
    }

    /// The modes whose arguments are numbers, in text: the name, how many numbers, and the rule for them.
    const MODES: [(&'static str, usize, &'static str); 6] = [
        ("FFT", 1, "the mode is a number from 0 to 31"),
        ("ROTATE", 2, "the direction is 0 for left or 1 for right, and lanes move by 0 to 31 places"),
        ("QUAD_PERM", 4, "a group has lanes 0 to 3"),
        ("SWAP", 1, GROUP),
        ("REVERSE", 1, GROUP),
        ("BROADCAST", 2, "a group has 2, 4, 8, 16 or 32 lanes, and one of them is read"),
    ];

    /// Returns the swizzle of a mode of [`MODES`](Self::MODES) and its numbers, if there is one.
    fn of_mode(name: &str, numbers: [u8; 4]) -> Option<Self> {
        let [first, second, ..] = numbers;
        let swizzle = match name {
            "FFT" => Swizzle::Fft(first),
            "ROTATE" if first < 2 => Swizzle::Rotate { right: first == 1, count: second },
            "QUAD_PERM" => Swizzle::QuadPerm(numbers),
            "SWAP" => Swizzle::Swap(first),
            "REVERSE" => Swizzle::Reverse(first),
            "BROADCAST" => Swizzle::Broadcast { group: first, lane: second },
            _ => return None,
        };
        swizzle.exists().then_some(swizzle)
    }

    /// Returns the mode of [`MODES`](Self::MODES) and its numbers, `None` for other swizzles.
    const fn mode(self) -> Option<(&'static str, [u8; 4])> {
        Some(match self {
            Swizzle::Fft(mode) => ("FFT", [mode, 0, 0, 0]),
            Swizzle::Rotate { right, count } => ("ROTATE", [right as u8, count, 0, 0]),
            Swizzle::QuadPerm(lanes) => ("QUAD_PERM", lanes),
            Swizzle::Swap(lanes) => ("SWAP", [lanes, 0, 0, 0]),
            Swizzle::Reverse(lanes) => ("REVERSE", [lanes, 0, 0, 0]),
            Swizzle::Broadcast { group, lane } => ("BROADCAST", [group, lane, 0, 0]),
            Swizzle::BitmaskPerm(_) | Swizzle::Other(_) => return None,
        })
    }

    /// Reads what stands in text after `swizzle`.
    #[cfg(feature = "parse")]
    fn read<I: Generation>(asm: &mut Asm<'_, '_, I>) -> Result<Self, ParseError> {
        if !asm.input.eat("(") {
            return Err(asm.expected("`(` and the mode of the swizzle"));
        }
        let name = asm.input.peek_word();
        let swizzle = if asm.input.eat_word("BITMASK_PERM") {
            Swizzle::BitmaskPerm(bitmask(asm)?)
        } else {
            let Some((_, count, rule)) = Self::MODES.iter().find(|(mode, ..)| *mode == name) else {
                return Err(asm.expected("QUAD_PERM, BITMASK_PERM, BROADCAST, SWAP, REVERSE, FFT or ROTATE"));
            };
            asm.input.word();
            let start = asm.input.at();
            let mut numbers = [0; 4];
            for number in numbers.iter_mut().take(*count) {
                asm.expect(",", "`,` and a number")?;
                *number = expression_in(asm, 0, 32, rule)? as u8;
            }
            let Some(swizzle) = Self::of_mode(name, numbers) else {
                return Err(asm.rule_at(start, rule));
            };
            swizzle
        };
        if asm.input.eat(")") { Ok(swizzle) } else { Err(asm.expected("`)`")) }
    }

    /// Writes it as a modifier.
    pub(crate) fn write(self, out: &mut Text) {
        match (self, self.mode()) {
            (Swizzle::Other(offset), _) => return write_unless_zero(" offset:", u32::from(offset), out),
            (Swizzle::BitmaskPerm(bits), _) => {
                out.push(" offset:swizzle(BITMASK_PERM,\"");
                for (_, character) in
                    bits.iter().flat_map(|bit| LaneBit::CHARACTERS.iter().filter(move |(b, _)| b == bit))
                {
                    out.push_ascii(*character);
                }
                out.push_ascii(b'"');
            }
            (_, mode) => {
                let (name, numbers) = mode.unwrap_or_default();
                let count = Self::MODES.iter().find(|(mode, ..)| *mode == name).map_or(0, |(_, count, _)| *count);
                out.push(" offset:swizzle(");
                out.push(name);
                for number in numbers.iter().take(count) {
                    out.push_ascii(b',');
                    out.dec(u32::from(*number));
                }
            }
        }
        out.push_ascii(b')');
    }
}

/// The rule for groups of lanes that change places or are turned round.
const GROUP: &str = "a group has 2, 4, 8, 16 or 32 lanes, and those that change places are of 1 to 16";

/// Reads what becomes of the five bits of a lane's number, `"01pip"`, with the comma before it.
#[cfg(feature = "parse")]
fn bitmask<I: Generation>(asm: &mut Asm<'_, '_, I>) -> Result<[LaneBit; 5], ParseError> {
    const WHAT: &str = "five of the characters 0, 1, p and i in double quotes";
    asm.expect(",", "`,` and a mask")?;
    let rest = asm.input.rest();
    let mask = rest.get(..7).filter(|mask| mask.starts_with('"') && mask.ends_with('"'));
    let mut bits = [LaneBit::Zero; 5];
    for (bit, character) in bits.iter_mut().zip(mask.unwrap_or_default().bytes().skip(1)) {
        let Some((named, _)) = LaneBit::CHARACTERS.iter().find(|(_, c)| *c == character) else {
            return Err(asm.expected(WHAT));
        };
        *bit = *named;
    }
    if mask.is_some_and(|mask| asm.input.eat(mask)) { Ok(bits) } else { Err(asm.expected(WHAT)) }
}

/// Reads a pixel attribute: takes the number and leaves the point and the channel.
#[cfg(feature = "parse")]
pub(super) fn read_attribute<I: Generation>(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
    let word = asm.input.peek_word();
    let (attribute, channel) = word.split_once('.').unwrap_or_default();
    let digits = attribute.strip_prefix("attr").unwrap_or_default();
    let there = CHANNELS.iter().any(|c| channel.as_bytes() == [*c]);
    if !there || digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(asm.expected("an attribute and its channel, such as `attr0.x`"));
    }
    let Some(code) = digits.parse().ok().filter(|n| *n <= LAST_ATTRIBUTE) else {
        return Err(asm.rule("attributes have the numbers 0 to 32"));
    };
    asm.input.eat(attribute);
    Ok(Some(code))
}

/// The channels of a pixel attribute.
const CHANNELS: [u8; 4] = *b"xyzw";

/// The highest number of a pixel attribute.
const LAST_ATTRIBUTE: u32 = 32;

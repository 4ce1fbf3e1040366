//! Hardware registers as S_GETREG and S_SETREG name them (guide §3.4), and the version word of S_VERSION.

use isa::{Asm, Code, Cx, Operand, ParseError, Text};

use super::expression::{constant_bits, expression_in, in_range, with_names};
use super::read::{call, unknown_name};
use crate::{Generation, Value};

/// The hardware registers that have a name in text.
pub static HW_REGISTERS: [(u8, &str); 15] = [
    (1, "HW_REG_MODE"),
    (2, "HW_REG_STATUS"),
    (3, "HW_REG_TRAPSTS"),
    (5, "HW_REG_GPR_ALLOC"),
    (6, "HW_REG_LDS_ALLOC"),
    (7, "HW_REG_IB_STS"),
    (15, "HW_REG_SH_MEM_BASES"),
    (18, "HW_REG_PERF_SNAPSHOT_PC_LO"),
    (19, "HW_REG_PERF_SNAPSHOT_PC_HI"),
    (20, "HW_REG_FLAT_SCR_LO"),
    (21, "HW_REG_FLAT_SCR_HI"),
    (23, "HW_REG_HW_ID1"),
    (24, "HW_REG_HW_ID2"),
    (27, "HW_REG_PERF_SNAPSHOT_DATA"),
    (29, "HW_REG_SHADER_CYCLES"),
];

/// Bits of a hardware register.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct HwRegister {
    /// The register's number, below 64.
    pub id: u8,
    /// The lowest bit, below 32.
    pub offset: u8,
    /// How many bits, 1 to 32.
    pub size: u8,
}

/// Registers that can only be read: the bases of the memory apertures and where the wave runs.
const READ_ONLY: [u8; 3] = [15, 23, 24];

/// The register that can only be written: it empties the instruction buffers.
const WRITE_ONLY: u8 = 14;

impl HwRegister {
    /// Whether reading it gives something.
    #[must_use]
    pub const fn can_be_read(self) -> bool {
        self.id != WRITE_ONLY
    }

    /// Whether some program, a trap handler at least, can write it.
    #[must_use]
    pub fn can_be_written(self) -> bool {
        !READ_ONLY.contains(&self.id)
    }

    /// The register's name, if it has one.
    #[must_use]
    pub fn name(self) -> Option<&'static str> {
        HW_REGISTERS.iter().find(|(id, _)| *id == self.id).map(|(_, name)| *name)
    }
}

impl Code for HwRegister {
    fn from_code(code: u32) -> Self {
        HwRegister { id: (code & 63) as u8, offset: (code >> 6 & 31) as u8, size: (code >> 11 & 31) as u8 + 1 }
    }

    fn into_code(self) -> u32 {
        let size = u32::from(self.size).wrapping_sub(1) & 31;
        u32::from(self.id) & 63 | (u32::from(self.offset) & 31) << 6 | size << 11
    }
}

impl<I: Generation> Operand<I> for HwRegister {
    type Get = HwRegister;

    const CHECKED: bool = false;

    fn write(_cx: &Cx<'_, I>, code: u32, out: &mut Text) {
        let bits = HwRegister::from_code(code);
        out.push("hwreg(");
        match bits.name() {
            Some(name) => out.push(name),
            None => out.dec(u32::from(bits.id)),
        }
        if (bits.offset, bits.size) != (0, 32) {
            out.push(", ");
            out.dec(u32::from(bits.offset));
            out.push(", ");
            out.dec(u32::from(bits.size));
        }
        out.push_ascii(b')');
    }

    fn value(_cx: &Cx<'_, I>, code: u32) -> Option<Value> {
        Some(Value::Immediate(code as i32))
    }

    /// `hwreg(HW_REG_MODE)`, `hwreg(1, 0, 4)`, `{id: 1, offset: 0, size: 4}`, or the number that the field holds.
    fn parse(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
        let bits = if call(asm, "hwreg") {
            macro_form(asm)?
        } else if asm.input.eat("{") {
            braced_form(asm)?
        } else {
            return expression_in(asm, 0, 0xffff, "the constant lies between 0 and 65535").map(Some);
        };
        Ok(Some(bits.into_code()))
    }
}

/// The whole of register `id`.
const fn whole(id: u8) -> HwRegister {
    HwRegister { id, offset: 0, size: 32 }
}

fn id<I: Generation>(asm: &mut Asm<'_, '_, I>) -> Result<u8, ParseError> {
    expression_in(asm, 0, 63, "hardware registers have the numbers 0 to 63").map(|n| n as u8)
}

fn offset<I: Generation>(asm: &mut Asm<'_, '_, I>) -> Result<u8, ParseError> {
    expression_in(asm, 0, 31, "the first bit lies between 0 and 31").map(|n| n as u8)
}

fn size<I: Generation>(asm: &mut Asm<'_, '_, I>) -> Result<u8, ParseError> {
    expression_in(asm, 1, 32, "a bit field has 1 to 32 bits").map(|n| n as u8)
}

/// The rest of `hwreg(id)` or `hwreg(id, offset, size)` behind the parenthesis; the register may have its name.
fn macro_form<I: Generation>(asm: &mut Asm<'_, '_, I>) -> Result<HwRegister, ParseError> {
    let word = asm.input.peek_word();
    let mut bits = match HW_REGISTERS.iter().find(|(_, name)| *name == word) {
        Some((id, _)) => {
            asm.input.word();
            whole(*id)
        }
        None => {
            let what = "the name or the number of a hardware register";
            let names = HW_REGISTERS.iter().map(|r| r.1);
            whole(id(asm).or_else(|error| unknown_name(asm, error, what, names))?)
        }
    };
    if asm.input.eat(",") {
        bits.offset = offset(asm)?;
        if !asm.input.eat(",") {
            return Err(asm.expected("`,` and the number of bits"));
        }
        bits.size = size(asm)?;
    }
    if asm.input.eat(")") { Ok(bits) } else { Err(asm.expected("`)`")) }
}

/// A part of the braced form: its name, the field that it sets, and the function that reads its number.
type BracedPart<I> = (&'static str, fn(&mut HwRegister) -> &mut u8, fn(&mut Asm<'_, '_, I>) -> Result<u8, ParseError>);

/// The rest of `{id: 1, offset: 0, size: 32}`: any of the three in any order, each at most once.
fn braced_form<I: Generation>(asm: &mut Asm<'_, '_, I>) -> Result<HwRegister, ParseError> {
    let parts: [BracedPart<I>; 3] =
        [("id", |b| &mut b.id, id), ("offset", |b| &mut b.offset, offset), ("size", |b| &mut b.size, size)];
    let mut bits = whole(0);
    let mut seen = 0u8;
    if asm.input.eat("}") {
        return Ok(bits);
    }
    loop {
        let name = asm.input.peek_word();
        let Some((at, (_, place, read))) = parts.iter().enumerate().find(|(_, (part, ..))| *part == name) else {
            return Err(asm.expected("`id:`, `offset:` or `size:`"));
        };
        if seen >> at & 1 == 1 {
            return Err(asm.rule("this part is already stated"));
        }
        seen |= 1 << at;
        asm.input.word();
        if !asm.input.eat(":") {
            return Err(asm.expected("`:`"));
        }
        *place(&mut bits) = read(asm)?;
        if asm.input.eat("}") {
            return Ok(bits);
        }
        if !asm.input.eat(",") {
            return Err(asm.expected("`,` or `}`"));
        }
    }
}

/// Generations of the microcode that S_VERSION can name.
pub static CODE_VERSIONS: [(u8, &str); 4] =
    [(0, "UC_VERSION_GFX7"), (4, "UC_VERSION_GFX10"), (6, "UC_VERSION_GFX11"), (9, "UC_VERSION_GFX12")];

/// The flags of S_VERSION beside the generation.
pub static CODE_VERSION_BITS: [(u16, &str); 3] =
    [(0x2000, "UC_VERSION_W64_BIT"), (0x4000, "UC_VERSION_W32_BIT"), (0x8000, "UC_VERSION_MDP_BIT")];

/// The version of the microcode that a program was made for: a generation in the low byte and flags at the top.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CodeVersion;

impl<I: Generation> Operand<I> for CodeVersion {
    type Get = u16;

    const CHECKED: bool = false;

    fn write(_cx: &Cx<'_, I>, code: u32, out: &mut Text) {
        let is_set = |bit: u16| code & u32::from(bit) != 0;
        let known = CODE_VERSION_BITS.iter().fold(0xff, |all, (bit, _)| all | u32::from(*bit));
        if code & !known != 0 {
            return out.hex(code);
        }
        // Each `|` but the last is closed in parentheses with what stands before it.
        let bits = CODE_VERSION_BITS.iter().filter(|(bit, _)| is_set(*bit)).count();
        for _ in 1..bits {
            out.push_ascii(b'(');
        }
        match CODE_VERSIONS.iter().find(|(version, _)| u32::from(*version) == code & 0xff) {
            Some((_, name)) => out.push(name),
            None => out.dec(code & 0xff),
        }
        for (nth, (_, name)) in CODE_VERSION_BITS.iter().filter(|(bit, _)| is_set(*bit)).enumerate() {
            out.push_ascii(b'|');
            out.push(name);
            if nth + 1 < bits {
                out.push_ascii(b')');
            }
        }
    }

    fn value(_cx: &Cx<'_, I>, code: u32) -> Option<Value> {
        Some(Value::Immediate(code as i32))
    }

    fn parse(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
        let start = asm.input.at();
        let forced = asm.input.peek_word().starts_with("lit");
        let value = if forced { constant_bits(asm)? } else { with_names(asm, version_bits)? };
        in_range(asm, start, value, -0x8000, 0xffff, "the version has 16 bits").map(Some)
    }
}

/// The bits that a name of a generation or of a flag stands for.
fn version_bits(name: &str) -> Option<i64> {
    let version = CODE_VERSIONS.iter().find(|(_, n)| *n == name).map(|(version, _)| i64::from(*version));
    version.or_else(|| CODE_VERSION_BITS.iter().find(|(_, n)| *n == name).map(|(bit, _)| i64::from(*bit)))
}

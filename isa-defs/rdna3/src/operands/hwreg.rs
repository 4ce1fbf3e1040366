//! Hardware registers as S_GETREG and S_SETREG name them (guide §3.4), and the version word of S_VERSION.

use isa::{Cx, Operand, Text};

use crate::{Rdna3, Value};

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

impl HwRegister {
    /// The register's name, if it has one.
    #[must_use]
    pub fn name(self) -> Option<&'static str> {
        HW_REGISTERS.iter().find(|(id, _)| *id == self.id).map(|(_, name)| *name)
    }
}

impl Operand<Rdna3> for HwRegister {
    type Get = HwRegister;

    const CHECKED: bool = false;

    fn get(code: u32) -> HwRegister {
        HwRegister { id: (code & 63) as u8, offset: (code >> 6 & 31) as u8, size: (code >> 11 & 31) as u8 + 1 }
    }

    fn code(value: HwRegister) -> u32 {
        let size = u32::from(value.size).wrapping_sub(1) & 31;
        u32::from(value.id) & 63 | (u32::from(value.offset) & 31) << 6 | size << 11
    }

    fn write(_cx: &Cx<'_, Rdna3>, code: u32, out: &mut Text) {
        let bits = Self::get(code);
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

    fn value(_cx: &Cx<'_, Rdna3>, code: u32) -> Option<Value> {
        Some(Value::Immediate(code as i32))
    }
}

/// Generations of the microcode that S_VERSION can name.
pub static CODE_VERSIONS: [(u8, &str); 4] =
    [(0, "UC_VERSION_GFX7"), (4, "UC_VERSION_GFX10"), (6, "UC_VERSION_GFX11"), (9, "UC_VERSION_GFX12")];

/// What S_VERSION can say beside the generation.
pub static CODE_VERSION_BITS: [(u16, &str); 3] =
    [(0x2000, "UC_VERSION_W64_BIT"), (0x4000, "UC_VERSION_W32_BIT"), (0x8000, "UC_VERSION_MDP_BIT")];

/// The version of the microcode that a program was made for: a generation in the low byte and flags at the top.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CodeVersion;

impl Operand<Rdna3> for CodeVersion {
    type Get = u16;

    const CHECKED: bool = false;

    fn get(code: u32) -> u16 {
        code as u16
    }

    fn code(value: u16) -> u32 {
        u32::from(value)
    }

    fn write(_cx: &Cx<'_, Rdna3>, code: u32, out: &mut Text) {
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

    fn value(_cx: &Cx<'_, Rdna3>, code: u32) -> Option<Value> {
        Some(Value::Immediate(code as i32))
    }
}

//! A set of 15 instructions of one or two dwords whose operand classes are tables: text in both directions and values,
//! without an `impl Operand`.

#![allow(missing_docs)]
use isa::{isa, isa_set};

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mode {
    Only,
}
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum File {
    R,
    Pc,
}
pub type Value = isa::Meaning<File>;

mod operands {
    use super::{File, Tiny};
    use isa::isa;

    isa! {
        operands CLASSES for Tiny;
        value crate::Value of File;

        values {
            0..=30   r   "r{}";
            31       pc  "pc";
            32..=63  int 0..=31;
            64..=79  int -1..=-16;
            127      literal WIDE;
        }
        general = r, called "a general register";

        /// A general register.
        operand Reg -> u8 = general;
        /// A register or a constant.
        operand Src -> u8 = general | pc | int | literal;
        /// An offset.
        number Offset -> i16 = -512..=511, signed;
        /// A target.
        number Target = -0x2000..=0x1fff, signed, says "a jump goes -8192 to 8191 dwords";
        /// The constant.
        number Const -> u32 = -0x8000_0000..=0xffff_ffff, text "{x}";
        /// Keep flags.
        modifier Keep = flag;
        /// Rounding.
        modifier Round -> u8 = names " rnd:{}" { 1 "up", 2 "down", 3 "zero" };
    }
}

isa! {
    /// Arithmetic.
    format ALU: 32 {
        ENCODING [31:30] = 0b00,
        OP [29:26] = opcode,
        D [25:21]: out d: Reg,
        A [20:14]: a: Src,
        B [13:7]: b: Src,
        KEEP [6]: mod keep: Keep,
        RND [5:4]: mod rnd: Round,
        RESERVED [3:0] reserved,
    }
    dword WIDE when A == 127 | B == 127;
    text "{d}, {a}, {b}{keep}{rnd}";
    0 => ADD (d: u32, a: u32, b: u32);
    1 => SUB (d: u32, a: u32, b: u32);
    2 => AND (d: b32, a: b32, b: b32);
    3 => OR (d: b32, a: b32, b: b32);
    4 => XOR (d: b32, a: b32, b: b32);
    5 => SHL (d: u32, a: u32, b: u32);
    6 => SHR (d: u32, a: u32, b: u32);
    7 => MOV (d: b32, a: b32);
}
isa! {
    /// A constant.
    dword WIDE { VALUE [31:0]: k: Const, }
}
isa! {
    /// Memory.
    format MEM: 32 {
        ENCODING [31:30] = 0b01,
        OP [29:27] = opcode,
        D [26:22]: data | out d: Reg,
        ADDR [21:17]: addr: Reg,
        OFF [16:7]: off: Offset,
        RESERVED [6:0] reserved,
    }
    text "{d}, {data}, {off}({addr})";
    0 => LOAD (d: b32, addr: u32, off: i12);
    1 => STORE (data: b32, addr: u32, off: i12);
    2 => LOADB (d: u8, addr: u32, off: i12);
    3 => STOREB (data: b8, addr: u32, off: i12);
}
isa! {
    /// Jumps.
    format JMP: 32 {
        ENCODING [31:30] = 0b10,
        OP [29:28] = opcode,
        COND [27:23]: c: Reg,
        T [22:9]: t: Target,
        RESERVED [8:0] reserved,
    }
    text "{c}, {t}";
    0 => JMP (t: i16);
    1 => JNZ (c: b32, t: i16);
    2 => JZ (c: b32, t: i16);
}
isa_set! {
    /// Tiny.
    set Tiny;
    mode crate::Mode { Only };
    value crate::Value;
    operands crate::operands;
    formats { ALU, MEM, JMP, WIDE, crate::operands::CLASSES }
}

fn main() {
    for line in [
        "add r1, r2, 5",
        "add r1, pc, 0x12345678",
        "sub r30, -16, r3 keep rnd:up",
        "mov r3, 0x20",
        "load r1, -512(r2)",
        "jnz r1, -8192",
    ] {
        let instr = Instr::parse(line, Mode::Only).unwrap_or_else(|e| panic!("{line}: {e}"));
        assert_eq!(instr.to_string(), line);
        assert_eq!(Instr::decode(&instr.encode(), Mode::Only), Ok((instr, instr.len())));
    }
    for (line, error) in [
        ("mov r3, r31", "no such register: the last one is r30"),
        ("add pc, r1, r1", "this register does not fit: this operand is a general register"),
        ("load 5, 1(r2)", "expected a general register"),
        ("load r1, 512(r2)", "the number must be between -512 and 511"),
        ("add r1, 100, 200", "an instruction holds one such constant"),
    ] {
        assert_eq!(Instr::parse(line, Mode::Only).map_err(|e| e.to_string()), Err(error.to_string()), "{line}");
    }
}

//! RV32I: a second instruction set, to show that the macros know nothing of GPUs.
//!
//! Formats and numbers follow the RISC-V unprivileged specification, chapter 2 and its opcode tables; text is LLVM's
//! with `-M no-aliases`. FENCE, ECALL and EBREAK are there; hints and the Zifencei instructions are not.

use isa::{Cx, Text, isa, isa_set};

/// The only way to read RV32I.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mode {
    /// Thirty-two bits.
    Rv32,
}

/// The files of registers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum File {
    /// x0 to x31.
    X,
}

/// The value of an operand.
pub type Value = isa::Meaning<File>;

/// A register as an argument of the functions of [`build`].
#[must_use]
pub const fn x(number: u32) -> isa::Reg {
    isa::Reg::of(File::X as u8, number)
}

/// The operand classes.
pub mod operands {
    use super::*;

    isa! {
        operands CLASSES for Rv32i;
        value super::Value of File;

        values {
            0..=31 x "zero" "ra" "sp" "gp" "tp" "t0" "t1" "t2" "s0" "s1" "a0" "a1" "a2" "a3" "a4" "a5" "a6" "a7"
                "s2" "s3" "s4" "s5" "s6" "s7" "s8" "s9" "s10" "s11" "t3" "t4" "t5" "t6";
        }

        /// A register.
        operand X -> u8 = x;
        /// A signed immediate of 12 bits.
        number Imm12 = -2048..=2047, signed;
        /// The distance of a branch in bytes, kept without its lowest bit.
        number Near = -4096..=4094, signed, by 2, says "a branch goes -4096 to 4094 bytes, an even number";
        /// The distance of a jump in bytes, kept without its lowest bit.
        number Far = -0x10_0000..=0xf_fffe, signed, by 2, says "a jump goes -1048576 to 1048574 bytes, an even number";
        /// A shift amount.
        number Shift = 0..=31;
        /// The upper 20 bits of a constant.
        number Upper = 0..=0xf_ffff;
        /// The accesses that a fence orders: any of i, o, r, w.
        number Order -> u8 = 1..=15, write order, read read_order, without plain;
    }

    /// The letters of a fence, the lowest bit first.
    const LETTERS: [u8; 4] = *b"wroi";

    fn order(_: &Cx<'_, Rv32i>, code: u32, out: &mut Text) {
        for (bit, letter) in LETTERS.iter().enumerate().rev() {
            if code >> bit & 1 == 1 {
                out.push_ascii(*letter);
            }
        }
    }

    fn read_order(asm: &mut isa::Asm<'_, '_, Rv32i>) -> Result<Option<u32>, isa::ParseError> {
        let code = asm
            .input
            .peek_word()
            .bytes()
            .try_fold(0, |code, letter| Some(code | 1 << LETTERS.iter().position(|known| *known == letter)?));
        match code.filter(|code| *code != 0) {
            Some(code) => {
                asm.input.word();
                Ok(Some(code))
            }
            None => Err(asm.expected("any of the letters `i`, `o`, `r` and `w`")),
        }
    }
}

isa! {
    /// Register and register.
    format R: 32 {
        FUNCT  [31:25, 14:12] = opcode,
        RS2    [24:20]: s1: X,
        RS1    [19:15]: s0: X,
        RD     [11:7]:  out d: X,
        OPCODE [6:0]    = 0b0110011,
    }
    text "{d}, {s0}, {s1}";

    0x000 => ADD  (d: u32, s0: u32, s1: u32) { d = s0 + s1; }
    0x100 => SUB  (d: u32, s0: u32, s1: u32) { d = s0 - s1; }
    0x001 => SLL  (d: u32, s0: u32, s1: u32) { d = s0 << s1[4:0]; }
    0x002 => SLT  (d: u32, s0: i32, s1: i32) { d = (s0 < s1) as u32; }
    0x003 => SLTU (d: u32, s0: u32, s1: u32) { d = (s0 < s1) as u32; }
    0x004 => XOR  (d: b32, s0: b32, s1: b32) { d = s0 ^ s1; }
    0x005 => SRL  (d: u32, s0: u32, s1: u32) { d = s0 >> s1[4:0]; }
    0x105 => SRA  (d: i32, s0: i32, s1: u32) { d = s0 >> s1[4:0]; }
    0x006 => OR   (d: b32, s0: b32, s1: b32) { d = s0 | s1; }
    0x007 => AND  (d: b32, s0: b32, s1: b32) { d = s0 & s1; }
}

isa! {
    /// Register and a 12-bit immediate.
    format I: 32 {
        IMM    [31:20]: imm: Imm12,
        RS1    [19:15]: s0: X,
        FUNCT3 [14:12]  = opcode,
        RD     [11:7]:  out d: X,
        OPCODE [6:0]    = 0b0010011,
    }
    text "{d}, {s0}, {imm}";

    0 => ADDI  (d: u32, s0: u32, imm: i32) { d = s0 + imm as u32; }
    2 => SLTI  (d: u32, s0: i32, imm: i32) { d = (s0 < imm) as u32; }
    3 => SLTIU (d: u32, s0: u32, imm: i32) { d = (s0 < imm as u32) as u32; }
    4 => XORI  (d: b32, s0: b32, imm: i32) { d = s0 ^ imm as b32; }
    6 => ORI   (d: b32, s0: b32, imm: i32) { d = s0 | imm as b32; }
    7 => ANDI  (d: b32, s0: b32, imm: i32) { d = s0 & imm as b32; }
}

isa! {
    /// Shifts by a constant: the upper part of the immediate is part of the opcode.
    format SHIFT: 32 {
        FUNCT  [31:25, 14:12] = opcode,
        SHAMT  [24:20]: imm: Shift,
        RS1    [19:15]: s0: X,
        RD     [11:7]:  out d: X,
        OPCODE [6:0]    = 0b0010011,
    }
    text "{d}, {s0}, {imm}";

    0x001 => SLLI (d: u32, s0: u32, imm: u5) { d = s0 << imm; }
    0x005 => SRLI (d: u32, s0: u32, imm: u5) { d = s0 >> imm; }
    0x105 => SRAI (d: i32, s0: i32, imm: u5) { d = s0 >> imm; }
}

isa! {
    /// Loads.
    format LOAD: 32 {
        IMM    [31:20]: imm: Imm12,
        RS1    [19:15]: addr: X,
        FUNCT3 [14:12]  = opcode,
        RD     [11:7]:  out d: X,
        OPCODE [6:0]    = 0b0000011,
    }
    text "{d}, {imm}({addr})";
    address mem in global = addr + imm as u32;

    0 => LB  (d: i32, addr: u32, imm: i12) { d = mem.i8 as i32; }
    1 => LH  (d: i32, addr: u32, imm: i12) { d = mem.i16 as i32; }
    2 => LW  (d: b32, addr: u32, imm: i12) { d = mem.b32; }
    4 => LBU (d: u32, addr: u32, imm: i12) { d = mem.u8 as u32; }
    5 => LHU (d: u32, addr: u32, imm: i12) { d = mem.u16 as u32; }
}

isa! {
    /// Stores: the immediate is split around the registers.
    format S: 32 {
        IMM    [31:25, 11:7]: imm: Imm12,
        RS2    [24:20]: data: X,
        RS1    [19:15]: addr: X,
        FUNCT3 [14:12]  = opcode,
        OPCODE [6:0]    = 0b0100011,
    }
    text "{data}, {imm}({addr})";
    address mem in global = addr + imm as u32;

    0 => SB (data: b8,  addr: u32, imm: i12) { mem.b8 = data; }
    1 => SH (data: b16, addr: u32, imm: i12) { mem.b16 = data; }
    2 => SW (data: b32, addr: u32, imm: i12) { mem.b32 = data; }
}

isa! {
    /// Branches: the immediate counts halfwords and is split in four.
    format B: 32 {
        IMM    [31, 7, 30:25, 11:8]: imm: Near,
        RS2    [24:20]: s1: X,
        RS1    [19:15]: s0: X,
        FUNCT3 [14:12]  = opcode,
        OPCODE [6:0]    = 0b1100011,
    }
    text "{s0}, {s1}, {imm}";

    0 => BEQ  (s0: b32, s1: b32, imm: i32) { if s0 == s1 { pc = pc - 4 + imm as u64; } }
    1 => BNE  (s0: b32, s1: b32, imm: i32) { if s0 != s1 { pc = pc - 4 + imm as u64; } }
    4 => BLT  (s0: i32, s1: i32, imm: i32) { if s0 < s1 { pc = pc - 4 + imm as u64; } }
    5 => BGE  (s0: i32, s1: i32, imm: i32) { if s0 >= s1 { pc = pc - 4 + imm as u64; } }
    6 => BLTU (s0: u32, s1: u32, imm: i32) { if s0 < s1 { pc = pc - 4 + imm as u64; } }
    7 => BGEU (s0: u32, s1: u32, imm: i32) { if s0 >= s1 { pc = pc - 4 + imm as u64; } }
}

isa! {
    /// Upper immediates.
    format U: 32 {
        IMM    [31:12]: imm: Upper,
        RD     [11:7]:  out d: X,
        OPCODE [6:0]    = opcode,
    }
    text "{d}, {imm}";

    0x37 => LUI   (d: u32, imm: u20) { d = imm as u32 << 12; }
    0x17 => AUIPC (d: u32, imm: u20) { d = (pc - 4) as u32 + (imm as u32 << 12); }
}

isa! {
    /// Jump and link: the immediate is split in four.
    format J: 32 {
        IMM    [31, 19:12, 20, 30:21]: imm: Far,
        RD     [11:7]: out d: X,
        OPCODE [6:0]   = 0b1101111,
    }
    text "{d}, {imm}";

    0 => JAL (d: u32, imm: i21) { d, pc = pc as u32, pc - 4 + imm as u64; }
}

isa! {
    /// Jump to a register and link.
    format JR: 32 {
        IMM    [31:20]: imm: Imm12,
        RS1    [19:15]: addr: X,
        FUNCT3 [14:12]  = 0b000,
        RD     [11:7]:  out d: X,
        OPCODE [6:0]    = 0b1100111,
    }
    text "{d}, {imm}({addr})";

    0 => JALR (d: u32, addr: u32, imm: i12) { d, pc = pc as u32, (addr + imm as u32 & !1) as u64; }
}

isa! {
    /// Memory order.
    format FENCE: 32 {
        FM     [31:28]  = 0b0000,
        PRED   [27:24]: s0: Order,
        SUCC   [23:20]: s1: Order,
        RS1    [19:15]  reserved,
        FUNCT3 [14:12]  = 0b000,
        RD     [11:7]   reserved,
        OPCODE [6:0]    = 0b0001111,
    }
    text "{s0}, {s1}";

    0 => FENCE (s0: b4, s1: b4);
}

isa! {
    /// Calls of the environment.
    format SYSTEM: 32 {
        FUNCT12 [31:20]  = opcode,
        RS1     [19:15]  reserved,
        FUNCT3  [14:12]  = 0b000,
        RD      [11:7]   reserved,
        OPCODE  [6:0]    = 0b1110011,
    }

    0 => ECALL  ();
    1 => EBREAK ();
}

isa_set! {
    /// The base integer instruction set of RISC-V, 32 bits.
    set Rv32i;
    mode self::Mode { Rv32 };
    value self::Value;
    operands self::operands;
    build;
    formats { R, I, SHIFT, LOAD, S, B, U, J, JR, FENCE, SYSTEM, self::operands::CLASSES }
}

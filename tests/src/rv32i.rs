//! RV32I: a second instruction set, to show that the macros know nothing of GPUs.
//!
//! Formats and numbers follow the RISC-V unprivileged specification, chapter 2 and its opcode tables; text is LLVM's
//! with `-M no-aliases`. FENCE, ECALL and EBREAK are there; hints and the Zifencei instructions are not.

use isa::inst::{Count, NumberPlace, Placing, RegisterPlace};
use isa::{Case, Cx, Operand, Text, Type, isa, isa_set};

/// The only way to read RV32I.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mode {
    /// Thirty-two bits.
    Rv32,
}

/// What an operand comes to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Value {
    /// A register, x0 to x31.
    Register(u8),
    /// An immediate, as the instruction uses it.
    Immediate(i32),
}

/// The kinds of operand.
pub mod operands {
    use super::*;

    const ABI: [&str; 32] = [
        "zero", "ra", "sp", "gp", "tp", "t0", "t1", "t2", "s0", "s1", "a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7",
        "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6",
    ];

    /// A register.
    pub struct X;

    impl Operand<Rv32i> for X {
        type Get = u8;
        const PLACING: &'static Placing = &Placing {
            count: Count::Fixed(1),
            ..Placing::of_registers(&[(Case::Else, &[RegisterPlace::new(0, 0, 31, 0)])], "a register")
        };
        fn write(_: &Cx<'_, Rv32i>, code: u32, out: &mut Text) {
            out.push(ABI.get(code as usize).copied().unwrap_or("?"));
        }
        fn value(_: &Cx<'_, Rv32i>, code: u32) -> Option<Value> {
            Some(Value::Register(code as u8))
        }
    }

    /// A signed immediate of `BITS` bits, kept without its `ZEROS` lowest bits.
    pub struct Signed<const BITS: u32, const ZEROS: u32>;

    impl<const BITS: u32, const ZEROS: u32> Operand<Rv32i> for Signed<BITS, ZEROS> {
        type Get = i32;
        const PLACING: &'static Placing = &Placing::of_number(NumberPlace {
            shift: ZEROS as u8,
            ..NumberPlace::new(-(1 << (BITS - 1)), (1 << (BITS - 1)) - 1, "the immediate is out of range, or odd")
        });
        fn get(code: u32) -> i32 {
            let unused = 32 - BITS;
            ((code << ZEROS << unused) as i32) >> unused
        }
        fn code(value: i32) -> u32 {
            (value as u32) << (32 - BITS) >> (32 - BITS) >> ZEROS
        }
        fn write(_: &Cx<'_, Rv32i>, code: u32, out: &mut Text) {
            out.signed(Self::get(code));
        }
        fn value(_: &Cx<'_, Rv32i>, code: u32) -> Option<Value> {
            Some(Value::Immediate(Self::get(code)))
        }
    }

    /// A number without a sign: a shift amount, the upper 20 bits.
    pub struct Number;

    impl Operand<Rv32i> for Number {
        type Get = u32;
        fn write(_: &Cx<'_, Rv32i>, code: u32, out: &mut Text) {
            out.dec(code);
        }
        fn value(_: &Cx<'_, Rv32i>, code: u32) -> Option<Value> {
            Some(Value::Immediate(code as i32))
        }
    }

    /// What a fence orders: any of i, o, r, w.
    pub struct Order;

    impl Operand<Rv32i> for Order {
        type Get = u8;
        fn write(_: &Cx<'_, Rv32i>, code: u32, out: &mut Text) {
            for (i, letter) in b"wroi".iter().enumerate().rev() {
                if code >> i & 1 == 1 {
                    out.push_ascii(*letter);
                }
            }
        }
        fn value(_: &Cx<'_, Rv32i>, code: u32) -> Option<Value> {
            Some(Value::Immediate(code as i32))
        }
        fn codes(_: Type) -> Option<&'static isa::CodeSet> {
            static SOME: isa::CodeSet = isa::CodeSet::NONE.with(1, 15);
            Some(&SOME)
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
        IMM    [31:20]: imm: Signed<12, 0>,
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
        SHAMT  [24:20]: imm: Number,
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
        IMM    [31:20]: imm: Signed<12, 0>,
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
        IMM    [31:25, 11:7]: imm: Signed<12, 0>,
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
        IMM    [31, 7, 30:25, 11:8]: imm: Signed<13, 1>,
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
        IMM    [31:12]: imm: Number,
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
        IMM    [31, 19:12, 20, 30:21]: imm: Signed<21, 1>,
        RD     [11:7]: out d: X,
        OPCODE [6:0]   = 0b1101111,
    }
    text "{d}, {imm}";

    0 => JAL (d: u32, imm: i21) { d, pc = pc as u32, pc - 4 + imm as u64; }
}

isa! {
    /// Jump to a register and link.
    format JR: 32 {
        IMM    [31:20]: imm: Signed<12, 0>,
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
    formats { R, I, SHIFT, LOAD, S, B, U, J, JR, FENCE, SYSTEM }
}

//! A small set whose operands have signs, expressions and numbers in parts, all from tables.

/// The set.
mod set {
    #![allow(dead_code, missing_docs)]

    use isa::{isa, isa_set};

    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    pub enum Mode {
        Only,
    }

    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    pub enum File {
        Reg,
    }

    pub type Value = isa::Meaning<File>;

    pub mod operands {
        use super::*;

        isa! {
            operands CLASSES for Small;
            value super::Value of File;
            flags super::flags;

            values {
                0..=15  reg "r{}";
                16..=31 int 0..=15;
            }

            /// A register.
            operand Reg -> u8 = reg;
            /// A register or a small integer, with signs.
            operand Src -> u8 = reg | int, neg "neg0", abs "abs0";
            /// A bit that the text of the source shows.
            modifier Hidden = hidden;
            /// One bit.
            modifier Flag = flag;
            /// One bit that text cannot clear.
            modifier Switch = flag, without no, zero beside fast;
            /// A number of eight bits.
            number Bits = -128..=255, floats bits, unsigned if positive says "the number is not negative";
            /// When something happens.
            parts When(unit: u8, after: u8) = call "when" { unit [3:0], after [7:4] + 1 absent 1 };
        }
    }

    isa! {
        /// A destination and a source.
        format MOVE: 32 {
            ENCODING [31:30] = 0b01,
            OP       [29:28] = opcode,
            D        [27:24]: out d: Reg,
            S        [20:16]: s: Src,
            NEG      [15]:    mod neg0: Hidden,
            ABS      [14]:    mod abs0: Hidden,
            FAST     [13]:    mod fast: Flag,
            WIDE     [12]:    mod wide: Switch,
            RESERVED [23:21, 11:0] reserved,
        }
        text "{d}, {s}{fast}{wide}";

        0 => MOVE (d: f32, s: f32);
    }

    isa! {
        /// A number.
        format NUMBER: 32 {
            ENCODING [31:30] = 0b10,
            OP       [29:28] = opcode,
            N        [7:0]:   n: Bits,
            RESERVED [27:8]   reserved,
        }
        flags positive;
        text "{n}";

        0 => PUT  (n: u8);
        1 => PUTP (n: u8) positive;
        2 => WAIT (n: u8 as When);
    }

    isa_set! {
        /// A small set.
        set Small;
        mode self::Mode { Only };
        value self::Value;
        operands self::operands;
        formats { MOVE, NUMBER, self::operands::CLASSES }
    }
}

use isa::Code;
use set::operands::When;
use set::{Instr, Mode};

/// Returns the word of a line, or the error.
fn word(line: &str) -> Result<u32, String> {
    Instr::parse(line, Mode::Only).map(|instr| instr.encode()[0]).map_err(|error| error.to_string())
}

/// Asserts that a line has this word, and that the word prints as `text`.
fn reads(line: &str, code: u32, text: &str) {
    assert_eq!(word(line), Ok(code), "{line}");
    let (instr, _) = Instr::decode(&[code], Mode::Only).expect(line);
    assert_eq!(instr.to_string(), text, "{line}");
}

#[test]
fn sources_have_signs() {
    reads("move r1, r2", 0x4102_0000, "move r1, r2");
    reads("move r1, -r2", 0x4102_8000, "move r1, -r2");
    reads("move r1, neg(r2)", 0x4102_8000, "move r1, -r2");
    reads("move r1, |r2|", 0x4102_4000, "move r1, |r2|");
    reads("move r1, -|r2|", 0x4102_c000, "move r1, -|r2|");
    reads("move r1, neg(3)", 0x4113_8000, "move r1, neg(3)");
    reads("move r1, |3|", 0x4113_4000, "move r1, |3|");
    assert_eq!(word("move -r1, r2"), Err("expected a register".into()));
    assert_eq!(word("move r1, |r2"), Err("expected `|`".into()));
}

#[test]
fn numbers_are_expressions_and_floats() {
    reads("move r1, 1 + 2 * 3", 0x4117_0000, "move r1, 7");
    reads("move r1, (1 << 3) - 8", 0x4110_0000, "move r1, 0");
    reads("put (1 << 4) + 2", 0x8000_0012, "put 18");
    reads("put -1", 0x8000_00ff, "put 255");
    // The lowest bits of an `f64`.
    reads("put 0.5", 0x8000_0000, "put 0");
    reads("putp 255", 0x9000_00ff, "putp 255");
    assert_eq!(word("put 256"), Err("the number must be between -128 and 255".into()));
    assert_eq!(word("putp -1"), Err("the number is not negative".into()));
}

#[test]
fn flags_exclude_each_other() {
    reads("move r1, r2 fast", 0x4102_2000, "move r1, r2 fast");
    reads("move r1, r2 nofast wide", 0x4102_1000, "move r1, r2 wide");
    assert!(word("move r1, r2 nowide").is_err());
    assert!(word("move r1, r2 fast wide").is_err());
    assert!(Instr::decode(&[0x4102_3000], Mode::Only).is_err());
}

#[test]
fn parts_are_fields() {
    reads("wait when(3, 4)", 0xa000_0033, "wait when(3, 4)");
    reads("wait when(3)", 0xa000_0003, "wait when(3)");
    for code in 0..=255 {
        assert_eq!(When::from_code(code).into_code(), code);
    }
    assert_eq!(When::from_code(0x33), When { unit: 3, after: 4 });
    assert_eq!(When { unit: 3, after: 4 }.into_code(), 0x33);
}

#[test]
fn the_code_space_has_constants() {
    use set::operands::codes;
    assert_eq!((codes::REG, codes::INT), (0..=15, 16..=31));
    use rdna3::operands::codes as rdna3_codes;
    // Two runs that follow each other are one range.
    assert_eq!(rdna3_codes::INT, 128..=208);
    assert_eq!((rdna3_codes::NULL, rdna3_codes::M0, rdna3_codes::VCC), (124, 125, 106..=107));
    // Codes that all generations have: M0 is another one than in RDNA3.
    use gcn::operands::codes as gcn_codes;
    assert_eq!((gcn_codes::M0, gcn_codes::VCC), (124, 106..=107));
}

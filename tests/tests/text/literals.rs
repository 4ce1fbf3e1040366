//! Literals in the default syntax: each has a text that reads back as the same dwords, `lit(…)` where the number alone would be
//! an inline constant.

/// The set.
mod set {
    #![allow(dead_code, missing_docs)]

    use isa::{isa, isa_set};

    pub mod operands {
        use isa_tests::toy::{File, Value};

        use super::*;

        isa! {
            operands CLASSES for Literals;
            value Value of File;

            values {
                0..=15  reg "r{}";
                16..=31 int -2..=13;
                32..=39 float 0.5 -0.5 1.0 -1.0 2.0 -2.0 4.0 -4.0;
                63      literal LIT;
            }

            /// A register.
            operand Reg -> u8 = reg;
            /// A register or a constant, with signs.
            operand Src -> u8 = reg | int | float | literal, neg "neg0", abs "abs0";
            /// A bit that the text of the source shows.
            modifier Hidden = hidden;
            /// A constant of 32 bits.
            number Literal = -0x8000_0000..=0xffff_ffff, text "{x}";
        }
    }

    isa! {
        /// The dword after an instruction whose source has the code 63.
        dword LIT {
            VALUE [31:0]: k: Literal,
        }
    }

    isa! {
        /// A destination and a source.
        format MOVE: 32 {
            ENCODING [31:30] = 0b01,
            OP       [29:24] = opcode,
            D        [23:20]: out d: Reg,
            S        [19:14]: s: Src,
            NEG      [13]:    mod neg0: Hidden,
            ABS      [12]:    mod abs0: Hidden,
            RESERVED [11:0]   reserved,
        }
        dword LIT when S == 63;
        text "{d}, {s}";

        0 => MOVE_U32  (d: u32, s: u32);
        1 => MOVE_I32  (d: i32, s: i32);
        2 => MOVE_B32  (d: b32, s: b32);
        3 => MOVE_F32  (d: f32, s: f32);
        4 => MOVE_F16  (d: f16, s: f16);
        5 => MOVE_BF16 (d: bf16, s: bf16);
        6 => MOVE_U16  (d: u16, s: u16);
        7 => MOVE_I16  (d: i16, s: i16);
        8 => MOVE_U16X2 (d: u16x2, s: u16x2);
        9 => MOVE_F16X2 (d: f16x2, s: f16x2);
        10 => MOVE_U64 (d: u64, s: u64);
        11 => MOVE_I64 (d: i64, s: i64);
        12 => MOVE_F64 (d: f64, s: f64);
    }

    isa_set! {
        /// Moves of every type.
        set Literals;
        mode isa_tests::toy::Mode { Narrow, Wide };
        value isa_tests::toy::Value;
        operands self::operands;
        formats { LIT, MOVE, self::operands::CLASSES }
    }
}

use isa::Isa;
use isa_tests::toy::Mode;
use proptest::prelude::*;
use set::{Instr, Literals};

/// The opcodes, one for each type.
fn opcodes() -> std::ops::Range<u32> {
    0..Literals::tables().mnemonics.len() as u32
}

/// The values around those that are inline constants in some type, and around the limits of the types.
fn values() -> impl Iterator<Item = u32> {
    let floats = [0.5_f64, 1.0, 2.0, 4.0];
    let bits = floats.into_iter().flat_map(|x| {
        let single = (x as f32).to_bits();
        // f16: an exponent of 5 bits above 10 bits of fraction, all 0.
        let half = ((x.log2() as i32 + 15) as u32) << 10;
        [single, single >> 16, (x.to_bits() >> 32) as u32, half, half | half << 16, half << 16]
    });
    let limits = [0, 1, 13, 14, 0x7fff, 0x8000, 0xffff, 0x1_0000, 0xffff_8000, 0xffff_0000, 0x7fff_ffff, 0x8000_0000];
    bits.flat_map(|bits| [bits, bits | 0x8000_0000, bits | 0x8000])
        .chain(limits)
        .chain((0..=16).map(|n: u32| n.wrapping_neg()))
        .flat_map(|value| [value.wrapping_sub(1), value, value.wrapping_add(1)])
}

/// Returns the text of an instruction with a literal if it reads back as other dwords, and as which.
fn changed(opcode: u32, signs: u32, literal: u32) -> Option<(String, Result<Vec<u32>, String>)> {
    let words = [0x4010_0000 | opcode << 24 | 63 << 14 | signs << 12, literal];
    let (instr, dwords) = Instr::decode(&words, Mode::Narrow).expect("a move with a literal");
    assert_eq!(dwords, 2);
    let text = instr.to_string();
    let read =
        Instr::parse(&text, Mode::Narrow).map(|instr| instr.encode().to_vec()).map_err(|error| error.to_string());
    (read.as_deref() != Ok(&words[..])).then_some((text, read))
}

#[test]
fn every_literal_has_a_text_that_reads_back() {
    for opcode in opcodes() {
        for (literal, signs) in values().flat_map(|literal| (0..4).map(move |signs| (literal, signs))) {
            assert_eq!(changed(opcode, signs, literal), None, "opcode {opcode}, literal {literal:#x}, signs {signs}");
        }
    }
}

proptest! {
    #[test]
    fn any_literal_has_a_text_that_reads_back(opcode in opcodes(), literal: u32, signs in 0..4u32) {
        prop_assert_eq!(changed(opcode, signs, literal), None);
    }
}

#[test]
fn lit_asks_for_a_literal() {
    let read = |line: &str| {
        Instr::parse(line, Mode::Narrow).map(|instr| instr.encode().to_vec()).map_err(|error| error.to_string())
    };
    assert_eq!(read("move_u32 r1, 5"), Ok(vec![0x4015_c000]));
    assert_eq!(read("move_u32 r1, lit(5)"), Ok(vec![0x401f_c000, 5]));
    assert_eq!(read("move_u32 r1, lit ( 2 + 3 )"), Ok(vec![0x401f_c000, 5]));
    assert_eq!(read("move_f32 r1, -lit(1.0)"), Ok(vec![0x431f_e000, 0x3f80_0000]));
    assert_eq!(read("move_f32 r1, |lit(1.0)|"), Ok(vec![0x431f_d000, 0x3f80_0000]));
    assert_eq!(read("move_u32 r1, 300"), Ok(vec![0x401f_c000, 300]));
    assert_eq!(read("move_u32 r1, lit(5"), Err("expected `)`".into()));
    assert_eq!(read("move_u32 r1, lit()"), Err("expected a number".into()));
}

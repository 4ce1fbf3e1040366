//! Sets of several generations: one table of rows, of which each has its own columns and fields.

use isa::Isa;
use isa_tests::ages::{early, late, middle};
use isa_tests::toy::Mode;

macro_rules! text {
    ($age:ident, $($word:expr),+) => {
        match $age::Instr::decode(&[$($word),+], Mode::Narrow) {
            Ok((instr, _)) => instr.to_string(),
            Err(e) => e.to_string(),
        }
    };
}

/// Opcode in bits 27 to 24, as early and middle have it.
const fn short(op: u32, rest: u32) -> u32 {
    0x5000_0000 | op << 24 | 3 << 19 | 2 << 15 | rest
}

const fn long(op: u32, rest: u32) -> u32 {
    0x5000_0000 | op << 23 | 3 << 19 | 2 << 15 | rest
}

#[test]
fn a_row_has_its_number_of_each_generation() {
    assert_eq!(text!(early, short(1, 0)), "store r3, r2");
    assert_eq!(text!(middle, short(2, 0x4000)), "store r3, 0(r2)");
    assert_eq!(text!(late, long(18, 0x4000)), "store r3, 0(r2)");
    // One number is that of all.
    assert_eq!(text!(early, short(0, 0)), "load r3, r2");
    assert_eq!(text!(middle, short(0, 0x4000 | 5 << 1)), "load r3, 5(r2)");
    assert_eq!(text!(late, long(0, 0x4000 | 300 << 1)), "load r3, 300(r2)");
}

#[test]
fn a_row_is_not_there_in_a_column_without_a_number() {
    let names = |opcodes: &[&'static str]| opcodes.join(" ");
    assert_eq!(names(Early::tables().mnemonics), "LOAD STORE LOAD_B LOAD_H FLUSH FAR_LOAD FAR_MOVE");
    assert_eq!(names(Middle::tables().mnemonics), "LOAD STORE SWAP PEEK LOAD_B LOAD_H NEG FAR_LOAD FAR_MOVE FAR_SWAP");
    assert_eq!(
        names(Late::tables().mnemonics),
        "LOAD STORE SWAP PEEK TOUCH LOAD_B LOAD_H NEG NOT FAR_LOAD FAR_COPY FAR_SWAP FAR_CLEAR"
    );
    assert_eq!(text!(early, short(3, 0)), "early: MEM has no opcode 3 (OP)");
    assert_eq!(text!(middle, short(6, 0x4000)), "middle: MEM has no opcode 6 (OP)");
    use {early::Early, late::Late, middle::Middle};
}

#[test]
fn a_word_and_a_name_in_text_can_be_of_some_generations() {
    assert_eq!(text!(middle, short(3, 0x4000)), "swap r3, 0(r2)");
    assert_eq!(text!(late, long(3, 0x4000)), "exchange r3, 0(r2)");
    let words = |instr: late::Instr| instr.flags() & late::flags::ATOMIC;
    let (swap, _) = late::Instr::decode(&[long(3, 0x4000)], Mode::Narrow).unwrap_or_else(|e| panic!("{e}"));
    assert_ne!(words(swap), 0);
    let (swap, _) = middle::Instr::decode(&[short(3, 0x4000)], Mode::Narrow).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(swap.flags() & middle::flags::ATOMIC, 0);
}

#[test]
fn a_role_is_there_only_while_a_field_is_zero() {
    assert_eq!(text!(middle, short(7, 0x4000)), "peek r3, 0(r2)");
    assert_eq!(text!(middle, short(7, 0x4001) & !(15 << 19)), "peek 0(r2) glc");
    // The field of the role that is not there.
    assert_eq!(text!(middle, short(7, 0x4001)), "peek 0(r2) glc");
}

#[test]
fn a_field_lies_where_its_generation_has_it() {
    assert_eq!(text!(early, short(1, 1 << 14)), "store r3, r2 glc");
    assert_eq!(text!(early, short(1, 1 << 23)), "store r3, r2 wide");
    assert_eq!(text!(middle, short(2, 0x4001)), "store r3, 0(r2) glc");
    assert_eq!(text!(early, short(1, 1)), "early: non-canonical MEM: RESERVED holds 1 (0x1), which is reserved");
    assert_eq!(
        text!(middle, short(2, 0x4000 | 1 << 23)),
        "middle: non-canonical MEM: STAY holds 1 (0x1), which is reserved"
    );
    assert_eq!(early::raw::Mem::new().into_bits(), 0x5000_0000);
    assert_eq!(late::raw::Mem::new().into_bits(), 0x5000_4000);
    for (bits, [first, last]) in [(0x5000_4000, [true, false]), (0x5000_4001, [true, true]), (1, [false, true])] {
        assert_eq!([early::raw::Mem::from_bits(bits).glc(), late::raw::Mem::from_bits(bits).glc()], [first, last]);
    }
    // A format or a suffix dword of other generations is not there.
    assert_eq!(text!(early, 0x6400_0000), "early: no microcode format begins with 0x64000000");
    assert_eq!(text!(middle, 0x6404_0800 | 64 << 10), "neg r1, 2");
    let with_suffix = long(0, 0x4000) | 15 << 15;
    assert_eq!(text!(late, with_suffix, 0x1234), "load r3, 0(0x1234)");
    assert_eq!(text!(middle, short(0, 0x4000) | 15 << 15), "load r3, 0(r15)");
}

#[test]
fn a_generation_is_a_word_of_conditions_and_kinds() {
    assert_eq!(text!(late, long(16, 0x4000 | 7 << 1)), "load_b r3, [r2] late");
    assert_eq!(text!(late, long(4, 0x4001 | 7 << 1) & !(15 << 19)), "touch [r2]");
    assert_eq!(late::flags::LATE & late::flags::EARLY, 0);
    // Blocks that a generation has not declare their words all the same.
    assert_eq!((early::flags::LOAD, early::flags::LATE), (late::flags::LOAD, late::flags::LATE));
    let (load, _) = late::Instr::decode(&[long(0, 0x4000)], Mode::Narrow).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(load.flags(), late::flags::LATE | late::flags::LOAD);
    assert_eq!((early::Early::generation(), late::Late::generation()), (Some("early"), Some("late")));
    assert_eq!(isa_tests::toy::Toy::generation(), None);
}

#[test]
fn generations_can_share_a_column() {
    assert_eq!(text!(early, 0x7131_0000, 5), "far_move r3, 5(r1)");
    assert_eq!(text!(middle, 0x7131_0000, 5), "far_move r3, 5(r1)");
    assert_eq!(text!(middle, 0x7331_0000, 5), "far_swap r3, 5(r1)");
    // `in` takes a row away from a generation of the column.
    assert_eq!(text!(early, 0x7331_0000, 5), "early: FAR has no opcode 3 (OP)");
    assert_eq!(text!(late, 0x7131_0000, 6, 5), "late: FAR has no opcode 1 (OP)");
}

#[test]
fn a_format_can_be_wider_in_a_generation() {
    let words = [0x7231_0000, 6, 5];
    assert_eq!(text!(late, words[0], words[1], words[2]), "far_copy r3, 5(r1)");
    let (instr, dwords) = late::Instr::decode(&words, Mode::Narrow).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!((dwords, *instr.encode() == words), (3, true));
    let cut = late::Instr::decode(&words[..2], Mode::Narrow).expect_err("two of three dwords");
    assert!(matches!(cut, isa::DecodeError::Truncated { need: 3, have: 2 }), "{cut}");
    // What the field without a meaning holds does not matter to the decoder; encoders write its value.
    assert_eq!(text!(late, 0x7431_0000, 1, 4095), "far_clear r3, 4095(r1) glc");
    let parsed = late::Instr::parse("far_copy r3, 5(r1)", Mode::Narrow).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(*parsed.encode(), words);
    let raw = late::raw::Far::new();
    assert_eq!(raw.into_bits(), 0x7000_0000);
    assert_eq!(late::raw::Far::from_bits(0x1234 << 64).offset(), 0x1234);
}

#[test]
fn a_row_can_have_another_name_in_a_generation() {
    let parse = |text: &str| late::Instr::parse(text, Mode::Narrow).map(|instr| instr.to_string());
    // The old name is read too, and one more that only this generation has.
    for name in ["far_copy", "far_move", "far_take"] {
        assert_eq!(parse(&format!("{name} r3, 5(r1)")).as_deref(), Ok("far_copy r3, 5(r1)"), "{name}");
    }
    assert!(middle::Instr::parse("far_take r3, 5(r1)", Mode::Narrow).is_err());
    assert_eq!(
        middle::Instr::parse("far_move r3, 5(r1)", Mode::Narrow).map(|i| i.to_string()).as_deref(),
        Ok("far_move r3, 5(r1)")
    );
}

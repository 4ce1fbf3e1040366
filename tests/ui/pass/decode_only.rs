//! A set without a parser and without operand-level instructions, although `isa` has both: other crates may enable its features.

#![allow(missing_docs)]
use isa::{isa, isa_set};

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mode {
    Only,
}
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum File {
    R,
}
pub type Value = isa::Meaning<File>;

mod operands {
    use super::{File, Tiny};
    use isa::isa;

    isa! {
        operands for Tiny;
        value crate::Value of File;
        #[cfg(any())]
        parse;
        #[cfg(any())]
        inst;

        values {
            0..=31  r   "r{}";
            32..=63 int 0..=31;
        }
        /// A register.
        operand Reg -> u8 = r;
        /// A register that a function parses, which does not exist without the parser.
        operand Src -> u8 = r | int, read read_source;
        /// An offset.
        number Offset -> i16 = -8..=7, signed;
        /// Keep flags.
        modifier Keep = flag;
    }
}

isa! {
    /// Arithmetic.
    format ALU: 32 {
        OP [31:26] = opcode,
        D [25:21]: out d: Reg,
        A [20:15]: a: Src,
        N [14:11]: n: Offset,
        KEEP [10]: mod keep: Keep,
        RESERVED [9:0] reserved,
    }
    text "{d}, {a}, {n}{keep}";
    1 => ADD (d: i32, a: i32, n: i32) { d = a + n; }
}

#[cfg(any())]
fn no_rules(_: &Instr, _: Mode) -> Result<(), isa::Forbidden> {
    Ok(())
}

isa_set! {
    /// One instruction.
    set Tiny;
    mode crate::Mode { Only };
    value crate::Value;
    operands crate::operands;
    #[cfg(any())]
    legal crate::no_rules;
    #[cfg(any())]
    parse;
    #[cfg(any())]
    inst;
    #[cfg(any())]
    build;
    formats { ALU }
}

fn main() {
    let word = 1 << 26 | 2 << 21 | 33 << 15 | 15 << 11 | 1 << 10;
    let (instr, dwords) = Instr::decode(&[word], Mode::Only).unwrap();
    assert_eq!((instr.to_string().as_str(), dwords), ("add r2, 1, -1 keep", 1));
    assert_eq!(instr.operands(Mode::Only).count(), 3);
    let error = isa::parse::<Tiny>("add r2, 1, -1", Mode::Only.into()).unwrap_err();
    assert_eq!(error.kind, isa::ErrorKind::Mnemonic(None));
    assert!(isa::Inst::<Tiny>::new(Opcode::ADD, []).encode(Mode::Only).is_err());
}

//! The other encodings of these generations: what their words begin with, and how many of them make an instruction.
//! So a listing stays in step with code that this crate reads in part.

use crate::Generation;

/// An encoding that this crate does not read.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Encoding {
    /// Its name in the guides.
    pub name: &'static str,
    /// How many dwords the instruction takes.
    pub dwords: usize,
}

/// The suffix dword that may follow an encoding.
#[derive(Clone, Copy, Debug)]
enum SuffixDword {
    /// Nothing.
    None,
    /// A literal where one of the fields of this many bits from these bits on holds 255.
    Literal(&'static [(u32, u32)]),
    /// The same for the first source of a vector instruction, whose code has nine bits; from GCN 1.2 on its codes 249
    /// and 250 select the controls of sub-dwords and of other lanes.
    Source,
    /// A literal after the one instruction of SOPK that sets a hardware register to a constant; [`SuffixDword::None`] for the
    /// others.
    SetRegister,
    /// As [`SuffixDword::Source`], or a literal after the instructions of VOP2 whose name says so.
    Constant,
    /// A literal in GCN 1.1 where no constant is in the word and the field of the register holds 255.
    ScalarLoad,
}

/// A row of [`ENCODINGS`].
struct Row {
    /// The highest bits of the first dword: how many, and their value.
    begins: (u32, u32),
    name: &'static str,
    dwords: usize,
    suffix_dword: SuffixDword,
    /// The generations that have it, the first and the last, by their place in the order of generations.
    since: usize,
    until: usize,
}

const fn row(begins: (u32, u32), name: &'static str, dwords: usize, suffix_dword: SuffixDword) -> Row {
    Row { begins, name, dwords, suffix_dword, since: 0, until: 3 }
}

/// The literal's code in the sources of scalar instructions.
const SCALAR: SuffixDword = SuffixDword::Literal(&[(0, 8)]);
const SCALARS: SuffixDword = SuffixDword::Literal(&[(0, 8), (8, 8)]);

/// More specific ones first.
static ENCODINGS: [Row; 21] = [
    row((9, 0b1_0111_1101), "SOP1", 1, SCALAR),
    row((9, 0b1_0111_1110), "SOPC", 1, SCALARS),
    row((9, 0b1_0111_1111), "SOPP", 1, SuffixDword::None),
    row((4, 0b1011), "SOPK", 1, SuffixDword::SetRegister),
    row((2, 0b10), "SOP2", 1, SCALARS),
    row((7, 0b011_1111), "VOP1", 1, SuffixDword::Source),
    row((7, 0b011_1110), "VOPC", 1, SuffixDword::Source),
    row((1, 0b0), "VOP2", 1, SuffixDword::Constant),
    Row { until: 1, ..row((5, 0b1_1000), "SMRD", 1, SuffixDword::ScalarLoad) },
    Row { since: 2, ..row((6, 0b11_0000), "SMEM", 2, SuffixDword::None) },
    Row { since: 3, ..row((9, 0b1_1010_0111), "VOP3P", 2, SuffixDword::None) },
    row((6, 0b11_0100), "VOP3", 2, SuffixDword::None),
    Row { until: 1, ..row((6, 0b11_0010), "VINTRP", 1, SuffixDword::None) },
    Row { since: 2, ..row((6, 0b11_0101), "VINTRP", 1, SuffixDword::None) },
    row((6, 0b11_0110), "DS", 2, SuffixDword::None),
    Row { since: 1, ..row((6, 0b11_0111), "FLAT", 2, SuffixDword::None) },
    row((6, 0b11_1000), "MUBUF", 2, SuffixDword::None),
    row((6, 0b11_1010), "MTBUF", 2, SuffixDword::None),
    row((6, 0b11_1100), "MIMG", 2, SuffixDword::None),
    Row { until: 1, ..row((6, 0b11_1110), "EXP", 2, SuffixDword::None) },
    Row { since: 2, ..row((6, 0b11_0001), "EXP", 2, SuffixDword::None) },
];

const LITERAL: u32 = 255;

fn bits(word: u32, lo: u32, width: u32) -> u32 {
    word >> lo & (u32::MAX >> (32 - width))
}

impl SuffixDword {
    /// Whether a dword follows, in the generation with this place in the order of generations.
    fn follows(self, word: u32, nth: usize) -> bool {
        /// GCN 1.2 gave opcodes other numbers.
        const RENUMBERED: usize = 2;
        match self {
            SuffixDword::None => false,
            SuffixDword::Literal(sources) => sources.iter().any(|&(lo, width)| bits(word, lo, width) == LITERAL),
            SuffixDword::Source => match bits(word, 0, 9) {
                LITERAL => true,
                249 | 250 => nth >= RENUMBERED,
                _ => false,
            },
            SuffixDword::SetRegister => bits(word, 23, 5) == if nth >= RENUMBERED { 20 } else { 21 },
            SuffixDword::Constant => {
                let opcode = bits(word, 25, 6);
                let constant =
                    if nth >= RENUMBERED { matches!(opcode, 23 | 24 | 36 | 37) } else { matches!(opcode, 32 | 33) };
                constant || SuffixDword::Source.follows(word, nth)
            }
            SuffixDword::ScalarLoad => nth == 1 && bits(word, 0, 8) == LITERAL && bits(word, 8, 1) == 0,
        }
    }
}

/// The encoding that a word begins, whether this crate reads it or not, and the length of the instruction; `None` if no
/// encoding of the generation begins so. What follows the word does not matter.
///
/// ```
/// use gcn_rows::{Encoding, encoding, gcn1_0::Gcn1_0, gcn1_4::Gcn1_4};
///
/// // A move of a literal takes two dwords.
/// assert_eq!(encoding::<Gcn1_4>(0x7e00_02ff), Some(Encoding { name: "VOP1", dwords: 2 }));
/// // GCN 1.0 has no flat addresses.
/// assert_eq!(encoding::<Gcn1_0>(0xdc00_0000), None);
/// ```
#[must_use]
pub fn encoding<I: Generation>(word: u32) -> Option<Encoding> {
    let nth = I::FEATURES.nth;
    let begins = |r: &&Row| {
        let (width, value) = r.begins;
        word >> (32 - width) == value && (r.since..=r.until).contains(&nth)
    };
    let found = ENCODINGS.iter().find(begins)?;
    Some(Encoding { name: found.name, dwords: found.dwords + usize::from(found.suffix_dword.follows(word, nth)) })
}

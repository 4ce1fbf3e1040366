//! The tables of a set, by the stages that read them.
//!
//! Optimizing compilers read the references from these structs at compile time, so a program links the tables that it uses.

#[cfg(feature = "inst")]
use isa_body::Relations;

#[cfg(feature = "inst")]
use super::Bodies;
use super::{Bound, EncodingVariant, Format, Isa, UsedFn, VariantBits};
#[cfg(feature = "parse")]
use crate::Entry;
use crate::Label;
#[cfg(feature = "inst")]
use crate::inst::{Modifier, plan::Lowering};
use crate::operands::OperandTables;
#[cfg(feature = "parse")]
use crate::parse::match_plan::Reading;
use crate::print::Printing;

/// The tables that decoding, printing and the lists of operands read.
pub struct Tables<I: Isa> {
    /// The microcode formats, in the order of `isa_set!`.
    pub formats: &'static [Format<I>],
    /// The bits of the first dword that distinguish formats: lowest bit and width.
    pub window: (u8, u8),
    /// For each value of the window the index in `candidate_lists`.
    pub candidates: &'static [u8],
    /// Lists of formats to try, the most specific first.
    pub candidate_lists: &'static [&'static [u8]],
    /// The encoding variants of all shapes.
    pub variants: &'static [EncodingVariant],
    /// The operands and modifiers of all variants: indices in `distinct_bounds`.
    pub bounds: &'static [u16],
    /// All different operands and modifiers.
    pub distinct_bounds: &'static [Bound],
    /// The variants of each shape: an index in `variants` plus one, or 0.
    pub variants_of_shapes: &'static [u16],
    /// The flags of shapes.
    pub flags_of_shapes: &'static [u128],
    /// The bits of variants that hold neither the opcode nor an operand.
    pub fixed: &'static [VariantBits],
    /// The functions that return whether the instruction uses an operand, for each component and carrier. Not a part of
    /// [`Carrier`](super::Carrier), so that programs which only decode do without them.
    #[doc(hidden)]
    pub usages: &'static [&'static [Option<UsedFn<I>>]],
    /// The tables of the printer.
    pub printing: &'static Printing<I>,
    /// The tables that list operands.
    pub operand_tables: &'static OperandTables<I>,
    /// The mnemonics of assembly text, without suffixes.
    pub labels: &'static [Label],
    /// The guide's names of all opcodes, in the order of the generated `Opcode`.
    pub mnemonics: &'static [&'static str],
    /// The doc comment of each format's block.
    pub docs: &'static [&'static str],
}

impl<I: Isa> Tables<I> {
    /// Returns the formats to try for a value of the window, the most specific first.
    #[inline]
    #[must_use]
    pub(crate) fn candidates_of(&self, window: u32) -> &'static [u8] {
        let list = self.candidates.get(window as usize).and_then(|at| self.candidate_lists.get(usize::from(*at)));
        list.copied().unwrap_or(&[])
    }
}

/// The tables of the parser.
#[cfg(feature = "parse")]
pub struct ParserTables<I: Isa> {
    /// The tables that read the text after a mnemonic.
    pub reading: &'static Reading<I>,
    /// All rows under all their mnemonics, sorted by mnemonic and then by format.
    pub entries: &'static [Entry],
}

#[cfg(feature = "parse")]
impl<I: Isa> ParserTables<I> {
    /// The tables of a set without a parser.
    pub const NONE: Self = ParserTables { reading: const { &Reading::NONE }, entries: &[] };
}

/// The tables of operand-level instructions and of bodies.
#[cfg(feature = "inst")]
pub struct InstTables<I: Isa> {
    /// The modifiers, by their index in [`Inst`](crate::Inst).
    pub modifiers: &'static [Modifier],
    /// The tables that encode operand-level instructions.
    pub lowering: &'static Lowering<I>,
    /// The bodies of rows.
    pub bodies: &'static Bodies,
    /// The relations between opcodes.
    pub relations: Relations,
}

#[cfg(feature = "inst")]
impl<I: Isa> InstTables<I> {
    /// The tables of a set without operand-level instructions.
    pub const NONE: Self = InstTables {
        modifiers: &[],
        lowering: const { &Lowering::NONE },
        bodies: &Bodies::NONE,
        relations: Relations::new(&[]),
    };
}

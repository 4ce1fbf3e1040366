//! The runtime of the crates that `isa!` and `isa_set!` generate. Depend on `isa-core`, which re-exports it with the macros.
//!
//! The macros generate the static tables of [`tables`]. The functions here read them: [`decode()`] decodes dwords,
//! [`write_text`] prints an instruction, [`parse()`] parses a line, and [`operands()`] lists the operands. None of them knows an
//! instruction set, allocates or panics.
#![no_std]
// Helpers that the parser or operand-level instructions alone call.
#![cfg_attr(not(all(feature = "parse", feature = "inst")), allow(dead_code))]

#[cfg(test)]
extern crate std;

mod branch;
#[cfg(feature = "inst")]
pub mod build;
pub mod class;
mod const_tables;
mod decode;
mod dwords;
#[cfg(feature = "inst")]
mod effects;
mod encode;
mod error;
#[cfg(feature = "inst")]
pub mod facts;
mod generated;
#[cfg(feature = "inst")]
pub mod inst;
#[cfg(any(feature = "parse", feature = "inst"))]
mod modifier;
mod op;
mod operands;
#[cfg(feature = "parse")]
mod parse;
mod print;
pub mod tables;
mod text;
mod unused;

#[doc(inline)]
pub use isa_body::{self as body, Class, Type};

pub use branch::{TooFar, reach};
pub use class::Meaning;
pub use decode::error::DecodeError;
pub use decode::{Cursor, Decoded, Decoder, decode};
pub use dwords::InstrDwords;
#[cfg(feature = "inst")]
pub use effects::{Effect, Effects, Resource, effects, field};
pub use encode::with_code;
pub use error::{ErrorKind, Forbidden};
#[cfg(feature = "inst")]
pub use inst::{EncodeError, Inst};
pub use isa_schema::RowTypes;
#[cfg(any(feature = "parse", feature = "inst"))]
pub use modifier::Modifier;
pub use op::{File, Op, Reg, RegHalf};
pub use operands::class::{Code, Operand};
pub use operands::constants::{self, Constant, Constants, EncodedConstant, InlineFloat, InlineIntegers};
pub use operands::{OperandInfo, Operands, RowOperand, operands};
#[cfg(feature = "parse")]
pub use parse::{
    Options,
    asm::{Asm, DefaultCodeFn},
    error::ParseError,
    fast_syntax::{FastPart, FastParts, FastSyntax, NumberKey, NumberedFile, Word},
    hex_float::hex_float,
    lines::{LineError, LinePart, instructions},
    mnemonic::{Entry, nearest},
    parse, parse_line_fast, parse_with_symbols,
    scan::{Scanner, character, integer_suffix},
    swar::numbered,
    symbols::{Deferred, DeferredField, Extent, Resolution, Resolved, Symbolic, Symbols},
    variant_modifier,
};
pub use print::to_text::ToText;
pub use print::{Display, write_operand, write_text};
pub use tables::summary::row_summary;
pub use tables::view::{flags, length, opcode, suffix_dword, surroundings};
pub use tables::{
    Access, Case, CodeSet, Cx, Literal, MAX_DWORDS, Names, PartCodes, ValidCodes, ValueLists, ValueRange, Values,
};
#[cfg(feature = "inst")]
pub use tables::{BodyEffects, Semantics, semantics};
pub use text::{Label, Name, Short, Text};
pub use unused::{UnusedField, UnusedFields, is_canonical, unused_field, with_unused_fields};

/// An instruction set: its types and its tables. `isa_set!` implements it.
pub trait Isa: Copy + Eq + core::hash::Hash + core::fmt::Debug + 'static {
    /// The instruction enum.
    type Instr: Copy + Eq + core::hash::Hash + core::fmt::Debug + 'static;
    /// The mode in which dwords are decoded, such as the wave size.
    type Mode: Copy + Eq + core::hash::Hash + core::fmt::Debug + 'static;
    /// The value of an operand: registers, a constant …
    type Value: Copy + core::fmt::Debug + 'static;
    /// The enum of all mnemonics.
    type Opcode: Copy + Eq + core::hash::Hash + core::fmt::Debug + 'static;
    /// All modes, in the order of `isa_set!`.
    const ALL_MODES: &'static [Self::Mode];
    /// The generation of the set, or an empty string if no block covers several generations.
    const GENERATION: &'static str = "";
    /// Returns the tables of the set.
    // Functions instead of constants: rustc validates a constant in each crate that uses it, and evaluates the statics to which it refers
    // again (0.5 s for RDNA3).
    fn tables() -> &'static tables::Tables<Self>;
    /// Returns the tables of the parser. They are empty for a set without one.
    #[cfg(feature = "parse")]
    #[inline(always)]
    fn parser_tables() -> &'static tables::ParserTables<Self> {
        const { &tables::ParserTables::NONE }
    }
    /// Returns the tables of operand-level instructions and of bodies. They are empty for a set without them.
    #[cfg(feature = "inst")]
    #[inline(always)]
    fn inst_tables() -> &'static tables::InstTables<Self> {
        const { &tables::InstTables::NONE }
    }
    /// Returns the summaries of the rows of each format, for legality rules.
    #[doc(hidden)]
    #[inline(always)]
    fn summaries() -> &'static [tables::summary::FormatSummary] {
        &[]
    }
    /// Returns the index of an opcode in [`mnemonics`](tables::Tables::mnemonics).
    fn opcode_index(opcode: Self::Opcode) -> u16;
    /// Returns the opcode with an index.
    fn opcode_at(index: u16) -> Option<Self::Opcode>;
    /// [`Inst::encode`], compiled once in the crate of the tables. `checked` says whether to check the
    /// legality rules.
    #[doc(hidden)]
    #[cfg(feature = "inst")]
    fn encode_inst(inst: &Inst<Self>, mode: Self::Mode, checked: bool) -> Result<Self::Instr, EncodeError> {
        inst::encode_by_plans(inst, mode, checked)
    }
    /// The fast path of [`encode_inst`](Self::encode_inst), without legality rules. Returns no instruction if the slow path
    /// has to encode it.
    #[doc(hidden)]
    #[cfg(feature = "inst")]
    fn encode_inst_fast(inst: &Inst<Self>, mode: Self::Mode) -> dwords::EncodedInstr {
        inst::encode_by_fast_plans(inst, mode)
    }
    /// Returns the instruction of a format with the first `len` of these dwords, or `None` for an unknown format.
    #[inline]
    fn instr(format: u8, words: [u32; MAX_DWORDS], len: u8) -> Option<Self::Instr> {
        Self::from_packed(format, dwords::PackedDwords::new(words, len))
    }
    /// Returns the instruction of a format with these dwords, or `None` for an unknown format.
    #[doc(hidden)]
    fn from_packed(format: u8, words: dwords::PackedDwords) -> Option<Self::Instr>;
    /// Returns the format of an instruction and its dwords.
    fn parts(instr: &Self::Instr) -> (u8, [u32; MAX_DWORDS]);
    /// Decodes an instruction on the fast path; `low` is the first two dwords. Returns it and its length. Returns `None` if the
    /// slow path has to decode it.
    fn decode_fast(low: u64, third: u32, mode: Self::Mode) -> Option<(Self::Instr, usize)>;
    /// Returns whether no row has the opcode in a first dword.
    fn is_undefined_opcode(word: u32) -> bool;
    /// Checks the legality rules that assembly text must obey.
    ///
    /// # Errors
    /// The broken rule.
    fn legal(_instr: &Self::Instr, _mode: Self::Mode) -> Result<(), Forbidden> {
        Ok(())
    }
    /// Returns the index of a mode in `isa_set!`.
    fn mode_index(mode: Self::Mode) -> usize;
    /// Returns the name of a mode.
    fn mode_name(mode: Self::Mode) -> &'static str;
    /// Returns the generation of the set, if it has one.
    #[must_use]
    fn generation() -> Option<&'static str> {
        Some(Self::GENERATION).filter(|name| !name.is_empty())
    }
}

/// Items that expansions of the macros use: here those of several stages, and a module for each stage. Not for direct use.
#[doc(hidden)]
pub mod __private {
    pub use crate::const_tables::{
        Bounds, EncodingVariants, Fact, OpcodeLookups, ShapeVariants, carriers, facts, format_lookups, labels,
        may_be_unused, opcode_lookups, shapes, usages, variants,
    };
    pub use crate::dwords::{EncodedInstr, InstrRest, PackedDwords};
    pub use crate::operands::class::ClassFacts;
    pub use crate::tables::FormatLookup;
    pub use core;
    pub use isa_schema as schema;

    /// The decoder.
    pub mod decoder {
        pub use crate::decode::decode_slow;
        pub use crate::decode::fast::{DecoderTables, FurtherChecks, further, tables};
    }

    /// The printer.
    pub mod printer {
        pub use crate::const_tables::{
            PrintPlans, PrintPlansSource, context_free_writers, print_operands, print_plans, print_steps, shorts,
            writers, writers_of_literals,
        };
        pub use crate::print::{PrintStep, Printing, SharedLists, write_packed, write_text_slow};
    }

    /// The lists of operands.
    pub mod operands {
        pub use crate::const_tables::{operand_lists, operand_steps, valuers, values};
        pub use crate::operands::{OperandList, OperandNames, OperandStep, OperandTables, operands_slow};

        /// The import of sets without precomputed values. The function of the same name in the module of a set's operands hides it.
        pub mod no_values {
            /// Returns no values.
            #[must_use]
            pub const fn __value_lists<I: crate::Isa>() -> crate::ValueLists<I::Value> {
                [&[]; 3]
            }
        }
    }

    /// The parser.
    #[cfg(feature = "parse")]
    pub mod parser {
        pub use crate::const_tables::{entries, readers, steps};
        pub use crate::parse::{
            asm::Reader,
            match_plan::{MatchPlan, MatchStep, MatchTables, Reading, StepChecks, match_plans, match_steps, syntaxes},
            parse_fast, parse_slow,
        };
    }

    /// Operand-level instructions.
    #[cfg(feature = "inst")]
    pub mod lowering {
        pub use crate::const_tables::dependents;
        pub use crate::inst::plan::{
            Lowering, ModifierStep, OpPlace, OpStep, Term,
            fast::FastStep,
            tables::{fast_modifiers, fast_plans, fast_steps, is_number, modifier_steps, op_places, op_steps, sums},
        };
        pub use crate::inst::{encode_by_fast_plans, encode_by_plans};
    }

    /// The summaries of rows that legality rules read.
    pub mod summaries {
        pub use crate::tables::summary::{FormatSummary, format_summaries};
    }
}

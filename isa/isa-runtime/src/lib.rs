//! The runtime of the crates that `isa!` and `isa_set!` generate. Depend on `isa-core`, which re-exports it with the macros.
//!
//! The macros generate the static tables of [`tables`]. The functions here read them: [`decode()`] decodes dwords,
//! [`write_text`] prints an instruction, [`parse()`] parses a line, and [`operands()`] lists the operands. None of them knows an
//! instruction set, allocates or panics.
#![no_std]

#[cfg(test)]
extern crate std;

mod branch;
pub mod build;
pub mod class;
mod decode;
mod effects;
mod encode;
pub mod facts;
pub mod inst;
mod operands;
mod parse;
mod print;
pub mod tables;

#[doc(inline)]
pub use isa_body::{self as body, Class, Type};

pub use branch::{TooFar, reach};
pub use class::Meaning;
pub use decode::error::DecodeError;
pub use decode::{Cursor, Decoded, Decoder, decode};
pub use effects::{Effect, Effects, Resource, effects, field};
pub use encode::{Words, with_code};
pub use inst::{EncodeError, Inst, Modifier, Op, Reg};
pub use operands::class::{Code, Operand};
pub use operands::codes::DefaultCodeFn;
pub use operands::constants::{self, Constant, Constants, EncodedConstant, InlineFloat, InlineIntegers};
pub use operands::{OperandInfo, Operands, RowOperand, operands};
pub use parse::asm::Asm;
pub use parse::error::{Fault, Forbidden, ParseError};
pub use parse::fast_syntax::{FastSyntax, Part as FastPart, Parts as FastParts, Word};
pub use parse::lines::{LineError, Part, instructions};
pub use parse::mnemonic::{Entry, nearest};
pub use parse::scan::Scanner;
pub use parse::swar::numbered;
pub use parse::symbols::{Deferred, DeferredField, Extent, Resolution, Resolved, Symbolic, Symbols};
pub use parse::{Options, parse, parse_line_fast, parse_with_symbols};
pub use print::text::{Label, Name, Short, Text};
pub use print::to_text::ToText;
pub use print::{Display, write_text};
pub use tables::summary::{RowTypes, row_summary};
pub use tables::view::{flags, length, opcode, suffix_dword, surroundings};
pub use tables::{
    Access, BodyEffects, Case, CodeSet, Cx, Isa, Literal, MAX_DWORDS, Names, Semantics, ValidCodes, Values, semantics,
};

/// Items that expansions of the macros use. Not for direct use.
#[doc(hidden)]
pub mod __private {
    pub use crate::decode::decode_slow;
    pub use crate::decode::fast::{Built, Source, Tables, build, decode as decode_fast, is_undefined_opcode, tables};
    pub use crate::encode::PackedWords;
    pub use crate::inst::plan::{
        Lowering, ModifierStep, OpStep, Plan, RowPlan, Term,
        fast::{FastModifier, FastPlan, FastStep, fast_plans},
        pack::{
            FormatFact, ModifierTables, OpTables, PlaceFact, Source as PlanSource, dependents, modifier_tables,
            op_tables, opcode_rows, place_facts, plans, rows, sums,
        },
    };
    pub use crate::inst::{Encoded, encode_by_fast_plans, encode_by_plans};
    pub use crate::operands::{OperandList, OperandStep, OperandTables, operands_slow};
    pub use crate::parse::match_plan::{
        MatchPlan, MatchStep, MatchTables, MnemonicEntry, StepChecks, match_plans, match_steps, mnemonic_entries,
        name_index, syntaxes,
    };
    pub use crate::parse::{parse_fast, parse_slow};
    pub use crate::print::{Masks, PrintPlan, PrintStep, Printing, SharedLists, write_packed, write_text_slow};
    pub use crate::tables::pack::{
        Bounds, Fact, Forms, PrintPlans, PrintPlansSource, Variants, bounds, carriers, context_free_writers, entries,
        facts, format_lookups, forms, labels, opcode_lookups, operand_lists, operand_steps, print_plans, print_steps,
        readers, selected_by_code, shapes, shorts, slots, steps, texts, valuers, values, writers, writers_of_literals,
    };
    pub use crate::tables::summary::{FormatSummary, RowSummary, format_summaries, row_summaries};
    pub use crate::tables::{FormatLookup, Rest};
    pub use core;
}

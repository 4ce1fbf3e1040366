//! The syntax tree of `isa!` blocks.

use isa_schema::Access;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use isa_body::Run;

use super::body::{Body, BodyFact, CompiledBody, OperandClause};
use super::cond::Cond;
use crate::error::Errors;
use crate::spanned::{Number, SpannedStr};
use crate::ty::Type;

/// An attribute, in most cases a line of documentation.
#[derive(Clone)]
pub struct Attr {
    /// The tokens of the attribute.
    pub tokens: TokenStream,
    /// The text of a line of documentation.
    pub doc: Option<String>,
}

/// Returns the attributes of an item.
pub(crate) fn attrs(attrs: &[Attr]) -> TokenStream {
    let all = attrs.iter().map(|a| &a.tokens);
    quote!(#(#all)*)
}

/// An operand class (LLVM's `RegisterClass` or `AsmOperandClass`): a Rust type that gives the codes of a field their
/// meaning and their text. Modifiers have an operand class too.
#[derive(Clone)]
pub struct OperandClass {
    /// The tokens of the type.
    pub tokens: TokenStream,
    /// The tokens as a string. Two classes are equal if these strings are.
    pub text: String,
}

impl OperandClass {
    /// Returns the name of the type, without its path and its arguments.
    pub fn name(&self) -> &str {
        self.path().rsplit("::").next().unwrap_or_default().trim()
    }

    /// Returns the name of a type that is in the module of the set's classes; `None` for one of another module.
    pub fn name_in_module(&self) -> Option<&str> {
        let path = self.path();
        (!path.contains("::")).then_some(path)
    }

    /// Returns the const argument of the type, which is 0 for a type without one.
    pub fn argument(&self) -> u8 {
        let digits = self.text.split('<').nth(1).unwrap_or_default().split('>').next().unwrap_or_default();
        digits.trim().parse().unwrap_or(0)
    }

    /// Returns the path of the type without arguments.
    fn path(&self) -> &str {
        self.text.split('<').next().unwrap_or_default().trim()
    }
}

/// An `isa!` block: a microcode format, or a suffix dword that may follow a format.
///
/// A *suffix dword* is a literal constant, or the DPP controls. A code in a field of the format *selects* it.
#[derive(Clone)]
pub struct Block {
    /// The documentation.
    pub docs: Vec<Attr>,
    /// Whether the block is a suffix dword.
    pub is_suffix_dword: bool,
    /// The name.
    pub name: Ident,
    /// The width in bits, without suffix dwords. In a block that is not specialized, the first of `widths`.
    pub width: Number,
    /// The width in each column of generations, or one for all.
    pub widths: Vec<Number>,
    /// The generations that the block covers. Empty for a block with one layout.
    pub generations: Vec<SpannedStr>,
    /// How many of the generations share each opcode column of the rows, in order.
    pub columns: Vec<usize>,
    /// In a block that is specialized for one generation: the names of fields, roles and modifiers that only other
    /// generations have.
    pub other_generations: Vec<String>,
    /// The fields and implied operands.
    pub fields: Vec<FieldDecl>,
    /// The flags that rows may have (`flags`), among them the names of the generations.
    pub flags: Vec<SpannedStr>,
    /// The flags among them that follow from the bodies of rows (`flags NAME = FACT`).
    pub derived_flags: Vec<(SpannedStr, BodyFact)>,
    /// The flags among them that follow from a condition (`flags NAME if COND`).
    pub conditional_flags: Vec<(SpannedStr, Cond)>,
    /// The flags among them that state a quirk of LLVM's text (`quirks`).
    pub quirks: Vec<SpannedStr>,
    /// The lists of operands that rows share (`operands NAME = (…)`).
    pub operand_lists: Vec<OperandList>,
    /// The conditions that every row must satisfy (`require`).
    pub requirements: Vec<Cond>,
    /// The text templates (`text`).
    pub texts: Vec<TextClause>,
    /// The mnemonic suffix of rows that several formats encode (`suffix`).
    pub suffix: Option<SpannedStr>,
    /// The suffix dwords that may follow (`dword`).
    pub suffix_dwords: Vec<SuffixDwordClause>,
    /// The formats to which the rows are promoted (`promotes to`).
    pub promotions: Vec<Promotion>,
    /// The only mode in which the format exists (`only`).
    pub only_mode: Option<SpannedStr>,
    /// The names of the two instructions of a dual-issue format (`components`).
    pub components: Vec<SpannedStr>,
    /// The separator between the texts of the components.
    pub separator: Option<SpannedStr>,
    /// How often the bodies of rows are evaluated (`run`).
    pub run: Option<Run>,
    /// The clauses that say what the format does to the operands of its rows.
    pub operand_clauses: Vec<OperandClause>,
    /// The rows.
    pub rows: Vec<Row>,
    /// The errors of the parser.
    pub parsed: ParseOutcome,
}

/// The errors that the parser found in a block, and which of its parts are incomplete because of them.
///
/// The parser continues after an error, so that one expansion reports all errors. Validation leaves out those checks
/// that an incomplete part would fail.
#[derive(Clone, Default)]
pub struct ParseOutcome {
    /// The errors.
    pub errors: Errors,
    /// Whether a field is missing: its bits would be reported as unassigned.
    pub fields_incomplete: bool,
    /// Whether a clause is missing: its flags would be reported as undeclared.
    pub clauses_incomplete: bool,
}

/// A range of bits as a block writes it: `[hi:lo]`, both inclusive.
#[derive(Clone)]
pub struct SpannedBitRange {
    /// The highest bit.
    pub hi: u32,
    /// The lowest bit.
    pub lo: u32,
    /// The span of the range.
    pub span: Span,
}

impl SpannedBitRange {
    /// Returns the number of bits.
    pub(crate) fn width(&self) -> u32 {
        self.hi - self.lo + 1
    }
}

/// A field of a block, or an operand that the encoding implies.
#[derive(Clone)]
pub struct FieldDecl {
    /// The documentation.
    pub docs: Vec<Attr>,
    /// The name.
    pub name: SpannedStr,
    /// The bits, the most significant range first. Empty for an implied operand.
    pub bits: Vec<SpannedBitRange>,
    /// The meaning of the bits.
    pub content: FieldContent,
    /// The generations that have this field. Empty if all of them do.
    pub generations: Vec<SpannedStr>,
    /// The span of the value after `reserved =` or `else`.
    pub value_span: Option<Span>,
}

impl FieldDecl {
    /// Returns the number of bits.
    pub(crate) fn width(&self) -> u32 {
        self.bits.iter().map(SpannedBitRange::width).sum()
    }

    /// Returns whether the field holds an operand or a modifier of this name.
    pub(crate) fn has_role(&self, name: &SpannedStr) -> bool {
        match &self.content {
            FieldContent::Operand(operand) => operand.roles.iter().any(|(_, role)| role == name),
            _ => false,
        }
    }
}

/// Returns the largest number that fits in `width` bits.
pub fn max_value(width: u32) -> u64 {
    1u64.checked_shl(width).map_or(u64::MAX, |n| n - 1)
}

/// The meaning of a field's bits.
#[derive(Clone)]
pub enum FieldContent {
    /// A constant that identifies the format.
    Fixed(Number),
    /// The opcode, in a dual-issue format that of the named component.
    Opcode(Option<SpannedStr>),
    /// A constant that does not identify the format: other values decode as non-canonical.
    Reserved(u64),
    /// Bits without a meaning: what encoders write. Every value decodes.
    Ignored(u64),
    /// An operand or a modifier.
    Operand(Box<OperandDecl>),
}

/// The operands or modifiers that a field holds: `role: Class`.
#[derive(Clone)]
pub struct OperandDecl {
    /// The component that the field belongs to.
    pub component: Option<SpannedStr>,
    /// The roles, of which a row lists one, or the modifier.
    pub roles: Vec<(Access, SpannedStr)>,
    /// The operand class.
    pub class: OperandClass,
    /// The rows for which the field holds an operand.
    pub cond: Option<Cond>,
    /// The bits in rows that have none of the roles.
    pub unused: Unused,
}

/// The bits of a field in instructions that do not use it: `else reserved = 0x7E`, `else 0 newer 0x80`.
#[derive(Clone)]
pub struct Unused {
    /// What encoders write.
    pub value: u64,
    /// What encoders write that do as newer assemblers.
    pub newer: u64,
    /// Whether the bits must have the value to decode as canonical.
    pub is_reserved: bool,
}

/// `operands NAME = (role: type, …);`: operands that rows list as `..NAME`.
#[derive(Clone)]
pub struct OperandList {
    /// The name of the list.
    pub name: SpannedStr,
    /// The operands.
    pub roles: Vec<Role>,
}

/// `text "…" if COND;`
#[derive(Clone)]
pub struct TextClause {
    /// The template.
    pub template: SpannedStr,
    /// The rows that use the template.
    pub cond: Option<Cond>,
}

/// `dword NAME when FIELD == code if COND suffix "…";`
#[derive(Clone)]
pub struct SuffixDwordClause {
    /// The name of the suffix dword.
    pub name: SpannedStr,
    /// The fields and the codes in them that select the suffix dword. Empty if only `always` in a row does.
    pub when: Vec<(SpannedStr, Number)>,
    /// The rows that can have the suffix dword.
    pub cond: Option<Cond>,
    /// The mnemonic suffix of instructions with the suffix dword.
    pub suffix: Option<SpannedStr>,
}

/// `promotes to NAME at 0x100 if COND;`: the block's rows are promoted to another format, as VOP2 is to VOP3.
#[derive(Clone)]
pub struct Promotion {
    /// The name of the other format.
    pub format: SpannedStr,
    /// The number that is added to the opcode.
    pub offset: Number,
    /// The rows that are promoted.
    pub cond: Option<Cond>,
}

/// A row: an instruction of a block.
#[derive(Clone)]
pub struct Row {
    /// The documentation.
    pub docs: Vec<Attr>,
    /// The component that the row belongs to.
    pub component: Option<SpannedStr>,
    /// The opcode number.
    pub number: Number,
    /// The opcode number in each column of generations, `None` where the row does not exist. A single number applies to all
    /// generations.
    pub columns: Vec<Option<Number>>,
    /// The generations that have the row (`in`). Empty if all do whose column has a number.
    pub generations: Vec<SpannedStr>,
    /// The mnemonic in the guide's spelling.
    pub name: SpannedStr,
    /// In a dual-issue format: the mnemonic of the row whose roles this row has.
    pub base: Option<SpannedStr>,
    /// The operands.
    pub roles: Vec<Role>,
    /// The formats to which the row is not promoted, and the suffix dwords that it cannot have (`no`).
    pub excluded: Vec<SpannedStr>,
    /// The suffix dword that always follows (`always`).
    pub always: Option<SpannedStr>,
    /// Whether the mnemonic never has the format's suffix (`bare`).
    pub is_bare: bool,
    /// The mnemonic in assembly text, if it is not the lower-case name (`as`).
    pub text_name: Option<SpannedStr>,
    /// Other mnemonics that the parser accepts (`also`).
    pub aliases: Vec<SpannedStr>,
    /// The text template, if the row does not use the format's (`text`).
    pub template: Option<SpannedStr>,
    /// The only mode in which the row exists (`only`).
    pub only_mode: Option<SpannedStr>,
    /// Fields with a constant value (`fix`).
    pub fixed_fields: Vec<(SpannedStr, Number)>,
    /// The flags.
    pub flags: Vec<SpannedStr>,
    /// The properties that apply to some generations only.
    pub generation_properties: Vec<GenerationProperty>,
    /// How often the body is evaluated, if not as the format's `run` clause says (`wave`, `lanes`).
    pub run: Option<Run>,
    /// The body.
    pub body: Option<Body>,
    /// The body as `isa!` hands it to `isa_set!`.
    pub compiled: Option<CompiledBody>,
    /// The statement of a source that contradicts the body (`disputed`).
    pub disputed: Option<SpannedStr>,
}

/// A property of a row that applies to some generations only: `as "name" in gcn1_1`.
#[derive(Clone)]
pub struct GenerationProperty {
    /// The generations.
    pub generations: Vec<SpannedStr>,
    /// The property.
    pub property: RowProperty,
}

/// A property that a row may restrict to some generations.
#[derive(Clone)]
pub enum RowProperty {
    /// A flag.
    Flag(SpannedStr),
    /// The mnemonic in the guide's spelling (`named`).
    Name(SpannedStr),
    /// The mnemonic in assembly text.
    TextName(SpannedStr),
    /// Another mnemonic that the parser accepts.
    Alias(SpannedStr),
}

/// An operand as a row lists it: `s0: f32`.
#[derive(Clone)]
pub struct Role {
    /// The name.
    pub name: SpannedStr,
    /// Whether the operand is read and written (`inout`).
    pub is_inout: bool,
    /// The type.
    pub ty: Type,
    /// The operand class, if it is not the field's (`as Class`).
    pub class: Option<OperandClass>,
    /// The one-bit field that decides whether the operand exists (`if FIELD`).
    pub exists_if: Option<SpannedStr>,
    /// Whether the operand exists when the field `exists_if` is 0, instead of 1 (`if !FIELD`).
    pub exists_if_zero: bool,
    /// The one-bit field that, when 1, makes the operand written as well (`out if FIELD`).
    pub written_if: Option<SpannedStr>,
}

impl Block {
    /// Returns the index of the opcode column of a generation.
    pub(crate) fn column_of(&self, generation: &SpannedStr) -> Option<usize> {
        let at = self.generations.iter().position(|g| g == generation)?;
        let mut end = 0;
        self.columns.iter().position(|count| {
            end += count;
            at < end
        })
    }
}

impl Row {
    /// Returns what a source states that contradicts the body.
    pub(crate) fn dispute(&self) -> Option<&str> {
        self.disputed.as_ref().map(SpannedStr::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn largest_value_of_a_width() {
        assert_eq!([1, 8, 32, 63].map(max_value), [1, 255, 0xffff_ffff, u64::MAX >> 1]);
        assert_eq!(max_value(64), u64::MAX);
    }
}

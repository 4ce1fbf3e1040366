//! The data types of a resolved set.

use isa_body::Run;
use isa_schema::{BitRange, FixedBits};

use crate::ast::{self, Access, Block, OperandClass, Promotion, Row, SuffixDwordClause};
use crate::facts::RowFacts;
use crate::operand_tables::class_codes::Classes;
use crate::template::Step;
use crate::ty::Type;

/// The bits of an encoding variant that hold neither the opcode nor an operand or modifier of the row. They have the layout of
/// `isa::tables::VariantBits`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct VariantBits {
    /// The bits and what encoders write in them.
    pub written: FixedBits,
    /// Those of the bits that canonical instructions must have. The instruction does not use the others.
    pub required: FixedBits,
}

impl VariantBits {
    /// Sets the bits of a field that every canonical instruction has.
    pub fn require(&mut self, bits: &[BitRange], value: u64) {
        self.required.set(bits, value);
        self.leave(bits, value);
    }

    /// Sets the bits of a field that the instruction does not use.
    pub fn leave(&mut self, bits: &[BitRange], value: u64) {
        self.written.set(bits, value);
    }
}

/// A field of a format or of one of its suffix dwords.
pub struct Field<'a> {
    pub decl: &'a ast::FieldDecl,
    pub bits: Vec<BitRange>,
    /// The index in [`Format::suffix_dwords`] of the suffix dword that the field belongs to.
    pub suffix_dword: Option<usize>,
}

/// An operand or modifier that a component can have.
pub struct Operand<'a> {
    /// The role, or the name of the modifier.
    pub name: String,
    pub access: Access,
    /// The index in [`Format::fields`] of its field. `None` for an implied operand.
    pub field: Option<usize>,
    pub decl: &'a ast::OperandDecl,
    /// The operand class: that of `decl`, or the one that a row writes instead.
    pub class: OperandClass,
    /// The bits of the field.
    pub bits: Vec<BitRange>,
    /// The index of the suffix dword that the field belongs to.
    pub suffix_dword: Option<usize>,
}

/// The encoding of a row in a component.
pub struct Encoding {
    /// The opcode number.
    pub number: u64,
    /// The index in [`Set::mnemonics`].
    pub mnemonic: usize,
    /// The index in [`Component::shapes`].
    pub shape: usize,
    /// The mnemonic in assembly text.
    pub text: String,
    /// Other mnemonics that the parser accepts.
    pub aliases: Vec<String>,
    /// The compiled clauses that apply to the body: without a suffix dword, then with each suffix dword of the format.
    pub clauses: Vec<Vec<u8>>,
}

/// One of the two instructions of a dual-issue format; the only instruction of any other format.
pub struct Component<'a> {
    pub name: Option<String>,
    /// The bits of the opcode field.
    pub opcode: Vec<BitRange>,
    pub operands: Vec<Operand<'a>>,
    pub encodings: Vec<Encoding>,
    /// Maps an opcode number to the index of its encoding plus one, or to 0.
    pub by_number: Vec<u16>,
    pub shapes: Vec<Shape>,
}

impl Component<'_> {
    /// Returns the encoding with an opcode number.
    pub fn encoding(&self, number: u64) -> Option<&Encoding> {
        let index = self.by_number.get(usize::try_from(number).ok()?)?;
        self.encodings.get(usize::from(index.checked_sub(1)?))
    }
}

/// A microcode format with all rows that it encodes.
pub struct Format<'a> {
    pub block: &'a Block,
    /// The number of dwords without suffix dwords.
    pub dwords: u8,
    /// The fields of the format and, after them, of its suffix dwords.
    pub fields: Vec<Field<'a>>,
    pub suffix_dwords: Vec<(&'a SuffixDwordClause, &'a Block)>,
    pub components: Vec<Component<'a>>,
    /// The indices of the fields whose codes select suffix dwords.
    pub selector_fields: Vec<usize>,
    /// The bits that identify the format.
    pub fixed: FixedBits,
}

/// A mnemonic of the set.
pub struct Mnemonic<'a> {
    /// The name in the guide's spelling.
    pub name: String,
    pub row: &'a Row,
    /// The block that has the row.
    pub block: &'a Block,
    /// The formats that encode the row, each with the opcode number.
    pub encoded_in: Vec<(String, u64)>,
    /// How often the body is evaluated.
    pub run: Run,
}

/// A resolved set.
pub struct Set<'a> {
    pub formats: Vec<Format<'a>>,
    pub suffix_dwords: Vec<&'a Block>,
    /// The flags, in the order of their bits in [`Shape::flags`].
    pub flags: Vec<String>,
    pub mnemonics: Vec<Mnemonic<'a>>,
    /// The operand classes; `None` if the set lists no tables of them.
    pub classes: Option<Classes<'a>>,
}

/// A row that is to be encoded in a format: one of the format's own rows, or a row that is promoted to the format.
pub struct FormatRow<'a> {
    /// The format.
    pub format: &'a Block,
    pub row: &'a Row,
    /// The row that lists the roles: `row` itself, or the row that a component refers to.
    pub base: &'a Row,
    /// The opcode number in the format.
    pub number: u64,
    /// The `promotes to` clause by which the row is promoted to the format. `None` for the format's own rows.
    pub promotion: Option<&'a Promotion>,
    /// Whether several formats encode the row, so that its mnemonic gets the format's suffix.
    pub is_shared: bool,
    /// The index in [`Set::mnemonics`].
    pub mnemonic: usize,
}

impl FormatRow<'_> {
    /// Returns whether the row is promoted from another format.
    pub fn is_promoted(&self) -> bool {
        self.promotion.is_some()
    }

    /// Returns the facts that conditions test.
    pub fn facts(&self) -> RowFacts<'_> {
        RowFacts::new(self.row, self.base, self.is_promoted()).in_format(self.format)
    }
}

/// An operand or modifier of an encoding variant.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BoundOperand {
    /// The index in [`Component::operands`].
    pub operand: usize,
    pub ty: Type,
    pub access: Access,
}

/// An encoding variant of a row: the row with a particular suffix dword or none, and with a particular value of the variant
/// bit ([`Shape::variant_bit`]).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Variant {
    /// The bits that hold neither the opcode nor an operand.
    pub fixed: VariantBits,
    /// The mnemonic suffix.
    pub suffix: String,
    /// The operands in the order of the row and, after them, the modifiers.
    pub bound: Vec<BoundOperand>,
    /// The steps that print the operands. A step's index is one in `bound`.
    pub text: Vec<Step>,
}

/// The properties of a row in one format, except its mnemonic and opcode number. Rows with equal properties share a
/// shape.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shape {
    /// The flags, a bit each.
    pub flags: u128,
    /// The index of the suffix dword that always follows plus one, or 0.
    pub always: usize,
    /// A bit for each of [`Format::selector_fields`]: whether the field can select a suffix dword of the row.
    pub selectors: u8,
    pub only_mode: Option<String>,
    /// A one-bit field that decides which operands the row has, such as GLC of atomics.
    pub variant_bit: Option<BitRange>,
    /// The encoding variants, `None` where the row cannot have the suffix dword: first those with the variant bit 0 (without a
    /// suffix dword, then with each suffix dword of the format), then those with the variant bit 1.
    pub variants: Vec<Option<Variant>>,
}

//! Blocks as they are written, with every span.

use std::fmt;
use std::hash::{Hash, Hasher};

use proc_macro2::{Ident, Span, TokenStream};

use crate::cond::Cond;
use crate::fault::Faults;
use crate::ty::Ty;

/// A number with its place.
#[derive(Clone)]
pub struct Num {
    /// The number.
    pub value: u64,
    /// Where it stands.
    pub span: Span,
}

/// A word or a text with its place. What compares words compares nothing but text, which it would first have to make of an
/// [`Ident`] each time.
#[derive(Clone, Debug)]
pub struct Text {
    text: String,
    span: Span,
}

impl Text {
    /// This text at this place.
    #[must_use]
    pub fn new(text: String, span: Span) -> Text {
        Text { text, span }
    }

    /// What it says.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Where it stands.
    #[must_use]
    pub fn span(&self) -> Span {
        self.span
    }

    /// The text of one that may be missing, which is as good as empty.
    pub(crate) fn or_empty(text: Option<&Text>) -> &str {
        text.map_or("", Text::as_str)
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl PartialEq for Text {
    fn eq(&self, other: &Text) -> bool {
        self.text == other.text
    }
}

impl Eq for Text {}

impl Hash for Text {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.text.hash(state);
    }
}

impl PartialEq<str> for Text {
    fn eq(&self, other: &str) -> bool {
        self.text == other
    }
}

impl PartialEq<Ident> for Text {
    fn eq(&self, other: &Ident) -> bool {
        *other == self.text
    }
}

impl AsRef<str> for Text {
    fn as_ref(&self) -> &str {
        &self.text
    }
}

impl PartialEq<String> for Text {
    fn eq(&self, other: &String) -> bool {
        self.text == *other
    }
}

/// An attribute, mostly a line of documentation.
#[derive(Clone)]
pub struct Attr {
    /// As it is written.
    pub tokens: TokenStream,
    /// The text of a line of documentation.
    pub doc: Option<String>,
}

/// The type of what a field's codes mean.
#[derive(Clone)]
pub struct Kind {
    /// As it is written.
    pub tokens: TokenStream,
    /// The same as text, to tell kinds apart.
    pub text: String,
}

/// A block: a format or a tail.
#[derive(Clone)]
pub struct Block {
    /// Its documentation.
    pub docs: Vec<Attr>,
    /// Whether it is a tail.
    pub tail: bool,
    /// Its name.
    pub name: Ident,
    /// Width in bits.
    pub width: Num,
    /// The generations that it covers, in the order of the rows' columns; none where there is but one layout.
    pub generations: Vec<Text>,
    /// Names of fields, roles and modifiers that other generations have and this one has not.
    pub elsewhere: Vec<String>,
    /// What its bits are.
    pub fields: Vec<Field>,
    /// The words that its rows may carry.
    pub words: Vec<Text>,
    /// What holds of all its rows.
    pub require: Vec<Cond>,
    /// The templates of its text.
    pub texts: Vec<TextClause>,
    /// What stands behind mnemonics that other formats have too.
    pub suffix: Option<Text>,
    /// The dwords that may follow.
    pub tails: Vec<TailClause>,
    /// The formats that carry its rows as well.
    pub rides: Vec<Rides>,
    /// The one mode that has it.
    pub only: Option<Text>,
    /// The names of its instructions, where it holds two.
    pub components: Vec<Text>,
    /// What stands between the texts of these.
    pub join: Option<Text>,
    /// Its instructions.
    pub rows: Vec<Row>,
    /// How far it could be read.
    pub read: Reading,
}

/// How far a block could be read: reading goes on after a fault, so that one run reports all of them.
#[derive(Clone, Default)]
pub struct Reading {
    /// What was wrong.
    pub faults: Faults,
    /// Some field was not understood, so bits may look free that are not.
    pub fields_lost: bool,
    /// Some clause was not understood, so words may look undeclared that are not.
    pub clauses_lost: bool,
}

/// A run of bits as written, `[hi:lo]`.
#[derive(Clone)]
pub struct Run {
    /// The highest bit.
    pub hi: u32,
    /// The lowest bit.
    pub lo: u32,
    /// Where it stands.
    pub span: Span,
}

/// A field of a block, or an operand that it implies.
#[derive(Clone)]
pub struct Field {
    /// Its documentation.
    pub docs: Vec<Attr>,
    /// Its name.
    pub name: Text,
    /// Empty for an implied operand.
    pub bits: Vec<Run>,
    /// What the bits hold.
    pub what: What,
    /// The generations in which it lies so; empty for all.
    pub within: Vec<Text>,
    /// Where the value after `reserved =` or `else` stands.
    pub value: Option<Span>,
}

/// What a field's bits hold.
#[derive(Clone)]
pub enum What {
    /// Always this number.
    Fixed(Num),
    /// The opcode, perhaps that of a component.
    Opcode(Option<Text>),
    /// This number, which has no meaning.
    Reserved(u64),
    /// Operands or modifiers.
    Carrier(Box<Carrier>),
}

/// What an instruction does with an operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Access {
    /// It reads it.
    Read,
    /// It writes it.
    Write,
    /// It reads and writes it.
    ReadWrite,
    /// It is no operand, but says how operands are taken.
    Modifier,
}

/// What a field carries: `role: Kind`.
#[derive(Clone)]
pub struct Carrier {
    /// The component that it belongs to.
    pub component: Option<Text>,
    /// The roles or modifiers.
    pub names: Vec<(Access, Text)>,
    /// What its codes mean.
    pub kind: Kind,
    /// For which rows.
    pub cond: Option<Cond>,
    /// What the bits hold where a row has none of the roles.
    pub otherwise: u64,
}

/// `text "…" if COND;`
#[derive(Clone)]
pub struct TextClause {
    /// The template.
    pub text: Text,
    /// For which rows.
    pub cond: Option<Cond>,
}

/// `tail NAME when FIELD == code if COND suffix "…";`
#[derive(Clone)]
pub struct TailClause {
    /// The block that follows.
    pub name: Text,
    /// The codes that announce it.
    pub when: Vec<(Text, Num)>,
    /// For which rows.
    pub cond: Option<Cond>,
    /// What stands behind the mnemonic then.
    pub suffix: Option<Text>,
}

/// `rides NAME at 0x100 if COND;`
#[derive(Clone)]
pub struct Rides {
    /// The format that carries the rows.
    pub name: Text,
    /// What is added to their numbers.
    pub at: Num,
    /// Which rows.
    pub cond: Option<Cond>,
}

/// An instruction of a block.
#[derive(Clone)]
pub struct Row {
    /// Its documentation.
    pub docs: Vec<Attr>,
    /// The component that it belongs to.
    pub component: Option<Text>,
    /// Its opcode.
    pub number: Num,
    /// A number for each generation, none where the row is not there; one for all of them.
    pub columns: Vec<Option<Num>>,
    /// Its mnemonic.
    pub name: Text,
    /// The row that a component carries instead of stating roles.
    pub like: Option<Text>,
    /// Its operands.
    pub roles: Vec<Role>,
    /// Formats that it does not ride, tails that do not follow it.
    pub no: Vec<Text>,
    /// The tail that always follows it.
    pub always: Option<Text>,
    /// Its mnemonic stands without the format's suffix.
    pub bare: bool,
    /// The mnemonic in text, where it is another one.
    pub alias: Option<Text>,
    /// Other names under which text may have it.
    pub also: Vec<Text>,
    /// The template of its text, where it has its own.
    pub text: Option<Text>,
    /// The one mode that has it.
    pub only: Option<Text>,
    /// Fields that hold a certain number.
    pub fix: Vec<(Text, Num)>,
    /// The words that it carries.
    pub words: Vec<Text>,
    /// Words and mnemonics in text of some generations only.
    pub within: Vec<Within>,
}

/// What a row says of some generations only.
#[derive(Clone)]
pub struct Within {
    /// These.
    pub generations: Vec<Text>,
    /// What it says.
    pub what: Fact,
}

/// See [`Within`].
#[derive(Clone)]
pub enum Fact {
    /// A word of the row.
    Word(Text),
    /// The mnemonic in text.
    Alias(Text),
}

/// An operand as a row lists it.
#[derive(Clone)]
pub struct Role {
    /// Its name.
    pub name: Text,
    /// Written as well as read.
    pub inout: bool,
    /// Its type.
    pub ty: Ty,
    /// Its kind, where it is another than the field's.
    pub kind: Option<Kind>,
    /// There only when this one-bit field is 1.
    pub if_field: Option<Text>,
    /// Of `if_field`: there only when it is 0.
    pub unless: bool,
    /// Written too when this one-bit field is 1.
    pub out_if: Option<Text>,
}

//! Expressions over symbols and addresses.

use std::ops::Range;

use amdgpu_object::RelocationKind;

use crate::layout::address::Address;

/// The index of a symbol. A variable gets a new one whenever it is assigned: expressions keep the value that they saw.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SymbolId(pub u32);

/// An expression.
#[derive(Debug, Clone)]
pub enum Expr {
    /// A number.
    Number(i64),
    /// A symbol with a specifier.
    Symbol { id: SymbolId, specifier: Option<Specifier>, span: Range<usize> },
    /// `.`: an address.
    Here(Address),
    /// An operator before an expression.
    Unary(u8, Box<Expr>),
    /// An operator between two expressions.
    Binary(Op, Box<Expr>, Box<Expr>),
    /// One of AMDGPU's functions.
    Call(Function, Vec<Expr>),
}

/// The specifier after the `@` of a symbol: it selects how a linker computes the value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is LLVM's specifier of the same name")]
pub enum Specifier {
    Abs32Lo,
    Abs32Hi,
    Abs64,
    Rel32Lo,
    Rel32Hi,
    Rel64,
    Gotpcrel,
    Gotpcrel32Lo,
    Gotpcrel32Hi,
}

/// Their spellings and relocations.
pub const SPECIFIERS: [(&str, Specifier, RelocationKind); 9] = [
    ("rel32@lo", Specifier::Rel32Lo, RelocationKind::Rel32Lo),
    ("rel32@hi", Specifier::Rel32Hi, RelocationKind::Rel32Hi),
    ("gotpcrel32@lo", Specifier::Gotpcrel32Lo, RelocationKind::Gotpcrel32Lo),
    ("gotpcrel32@hi", Specifier::Gotpcrel32Hi, RelocationKind::Gotpcrel32Hi),
    ("abs32@lo", Specifier::Abs32Lo, RelocationKind::Abs32Lo),
    ("abs32@hi", Specifier::Abs32Hi, RelocationKind::Abs32Hi),
    ("gotpcrel", Specifier::Gotpcrel, RelocationKind::Gotpcrel),
    ("rel64", Specifier::Rel64, RelocationKind::Rel64),
    ("abs64", Specifier::Abs64, RelocationKind::Abs64),
];

impl Specifier {
    /// The relocation that it asks for.
    pub fn relocation(self) -> RelocationKind {
        let found = SPECIFIERS.iter().find(|(_, specifier, _)| *specifier == self);
        found.map_or(RelocationKind::Abs32, |(.., kind)| *kind)
    }
}

/// An operator between two expressions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "their names say it")]
pub enum Op {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Shl,
    Shr,
    And,
    Or,
    Xor,
    OrNot,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    Both,
    Either,
}

/// The functions that LLVM gives AMDGPU's expressions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "their names say it")]
pub enum Function {
    Max,
    Or,
    AlignTo,
    ExtraSgprs,
    TotalNumVgprs,
    Occupancy,
    InstPrefSize,
}

impl Expr {
    /// Calls `each` for all symbols in it and where they are written.
    pub fn symbols(&self, each: &mut impl FnMut(SymbolId, &Range<usize>)) {
        match self {
            Self::Number(_) | Self::Here(_) => {}
            Self::Symbol { id, span, .. } => each(*id, span),
            Self::Unary(_, x) => x.symbols(each),
            Self::Binary(_, a, b) => {
                a.symbols(each);
                b.symbols(each);
            }
            Self::Call(_, arguments) => arguments.iter().for_each(|x| x.symbols(each)),
        }
    }

    /// Gives all symbols in it a specifier. Returns whether it has any.
    ///
    /// # Errors
    /// One of them cannot have it.
    pub fn specify(&mut self, new: Specifier) -> Result<bool, &'static str> {
        match self {
            Self::Number(_) | Self::Call(..) => Ok(false),
            Self::Here(_) => Err("`.` takes no relocation specifier"),
            Self::Symbol { specifier: Some(_), .. } => {
                Err("a symbol of the expression has a relocation specifier already")
            }
            Self::Symbol { specifier, .. } => {
                *specifier = Some(new);
                Ok(true)
            }
            Self::Unary(_, x) => x.specify(new),
            Self::Binary(_, a, b) => Ok(a.specify(new)? | b.specify(new)?),
        }
    }

    /// Whether it names anything: a symbol, a function or `.`.
    pub fn has_names(&self) -> bool {
        match self {
            Self::Number(_) => false,
            Self::Symbol { .. } | Self::Here(_) | Self::Call(..) => true,
            Self::Unary(_, x) => x.has_names(),
            Self::Binary(_, a, b) => a.has_names() || b.has_names(),
        }
    }

    /// Where it names this symbol.
    pub fn find(&self, symbol: SymbolId) -> Option<Range<usize>> {
        let mut found = None;
        self.symbols(&mut |id, span| {
            if id == symbol {
                found.get_or_insert_with(|| span.clone());
            }
        });
        found
    }

    /// Whether LLVM takes the value of an instruction's literal relative to the literal's address: if the expression names a
    /// symbol outside of a difference, and without `@abs32@lo` or `@abs32@hi`.
    pub fn is_pc_relative(&self) -> bool {
        match self {
            Self::Symbol { specifier, .. } => !matches!(specifier, Some(Specifier::Abs32Lo | Specifier::Abs32Hi)),
            Self::Here(_) => true,
            Self::Unary(_, x) => x.is_pc_relative(),
            Self::Binary(op, a, b) => *op != Op::Sub && (a.is_pc_relative() || b.is_pc_relative()),
            Self::Number(_) | Self::Call(..) => false,
        }
    }
}

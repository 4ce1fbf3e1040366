//! Expressions: how they are read, with the precedence that LLVM gives the operators (that of the GNU assembler).

use std::ops::Range;

use amdgpu_object::RelocationKind;

use crate::asm::cursor::Cursor;
use crate::asm::report::Diagnostic;
use crate::asm::section::Address;
use crate::asm::symbols::{SymbolId, Symbols};

/// Deepest nesting that is read.
const MAX_DEPTH: u32 = 64;
/// Most operators of one expression: a chain of them is a tree as deep, which is walked recursively.
const MAX_OPERATORS: u32 = 100;

/// The names that an expression can refer to.
#[derive(Debug, Clone, Copy)]
pub struct Scope<'a> {
    /// The value of `.`.
    pub here: Address,
    /// The symbol table.
    pub symbols: &'a Symbols,
}

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

/// The specifier behind the `@` of a symbol: it selects how a linker computes the value.
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
const SPECIFIERS: [(&str, Specifier, RelocationKind); 9] = [
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
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    Both,
    Either,
}

/// Spellings, longer ones first, and how tightly they bind.
const OPS: [(&str, Op, u8); 19] = [
    ("<<", Op::Shl, 6),
    (">>", Op::Shr, 6),
    ("==", Op::Eq, 3),
    ("!=", Op::Ne, 3),
    ("<>", Op::Ne, 3),
    ("<=", Op::Le, 3),
    (">=", Op::Ge, 3),
    ("&&", Op::Both, 2),
    ("||", Op::Either, 1),
    ("+", Op::Add, 4),
    ("-", Op::Sub, 4),
    ("*", Op::Mul, 6),
    ("/", Op::Div, 6),
    ("%", Op::Rem, 6),
    ("&", Op::And, 5),
    ("|", Op::Or, 5),
    ("^", Op::Xor, 5),
    ("<", Op::Lt, 3),
    (">", Op::Gt, 3),
];

/// The functions that LLVM gives AMDGPU's expressions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "their names say it")]
pub enum Function {
    Max,
    Or,
    AlignTo,
    ExtraSgprs,
    TotalNumVgprs,
    InstPrefSize,
    Occupancy,
}

/// Their names and how many arguments they take: at least and at most.
const FUNCTIONS: [(&str, Function, usize, usize); 7] = [
    ("max", Function::Max, 1, usize::MAX),
    ("or", Function::Or, 1, usize::MAX),
    ("alignto", Function::AlignTo, 2, 2),
    ("extrasgprs", Function::ExtraSgprs, 3, 3),
    ("totalnumvgprs", Function::TotalNumVgprs, 2, 2),
    ("instprefsize", Function::InstPrefSize, 1, 1),
    ("occupancy", Function::Occupancy, 1, usize::MAX),
];

impl Expr {
    /// Takes an expression.
    pub fn parse(input: &mut Cursor<'_>, scope: Scope<'_>) -> Result<Self, Diagnostic> {
        Reader { input, scope, depth: 0, operators: 0 }.binary(1)
    }

    /// Takes a number, a symbol or an expression in parentheses, with the signs before it.
    pub fn parse_primary(input: &mut Cursor<'_>, scope: Scope<'_>) -> Result<Self, Diagnostic> {
        Reader { input, scope, depth: 0, operators: 0 }.unary()
    }

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

struct Reader<'c, 'a> {
    input: &'c mut Cursor<'a>,
    scope: Scope<'c>,
    depth: u32,
    operators: u32,
}

impl Reader<'_, '_> {
    fn binary(&mut self, lowest: u8) -> Result<Expr, Diagnostic> {
        let mut left = self.unary()?;
        loop {
            let rest = self.input.rest();
            let next = OPS.iter().find(|(text, ..)| rest.starts_with(text));
            let Some((text, op, binds)) = next.filter(|(.., binds)| *binds >= lowest) else { return Ok(left) };
            self.operators += 1;
            if self.operators > MAX_OPERATORS {
                return Err(self.input.expected("a shorter expression"));
            }
            self.input.eat(text);
            let right = self.binary(binds + 1)?;
            left = Expr::Binary(*op, Box::new(left), Box::new(right));
        }
    }

    fn unary(&mut self) -> Result<Expr, Diagnostic> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.input.expected("an expression that nests less deep"));
        }
        let expr = self.primary();
        self.depth -= 1;
        expr
    }

    fn primary(&mut self) -> Result<Expr, Diagnostic> {
        let start = self.input.place();
        if let Some((number, behind)) = self.input.numbered() {
            let span = start..self.input.end();
            return match self.scope.symbols.numbered(number, behind) {
                Some(id) => Ok(Expr::Symbol { id, specifier: None, span }),
                None => Err(Diagnostic::new(span, format!("no label `{number}` stands before this"))),
            };
        }
        if let Some(number) = self.input.number() {
            return number.map(Expr::Number);
        }
        for op in ["-", "~", "!", "+"] {
            if self.input.eat(op) {
                return Ok(Expr::Unary(op.as_bytes()[0], Box::new(self.unary()?)));
            }
        }
        if self.input.eat("(") {
            let expr = self.binary(1)?;
            return if self.input.eat(")") { Ok(expr) } else { Err(self.input.expected("`)`")) };
        }
        let quoted = self.input.rest().starts_with('"');
        let Ok((name, mut span)) = self.input.name() else { return Err(self.input.expected("an expression")) };
        if !quoted && name == "." {
            return Ok(Expr::Here(self.scope.here));
        }
        if !quoted && self.input.eat("(") {
            return self.call(&name, span);
        }
        let mut specifier = None;
        if self.input.eat("@") {
            let rest = self.input.rest();
            let found = SPECIFIERS.iter().find(|(text, ..)| {
                let ends = |rest: &str| !rest.starts_with(|c: char| c == '@' || c == '_' || c.is_ascii_alphanumeric());
                rest.strip_prefix(text).is_some_and(ends)
            });
            let Some((text, found, _)) = found else {
                let known = SPECIFIERS.map(|(text, ..)| text).join(", ");
                return Err(self.input.expected("a relocation specifier").help(Some(format!("there are {known}"))));
            };
            self.input.eat(text);
            specifier = Some(*found);
            span.end = self.input.end();
        }
        Ok(Expr::Symbol { id: self.scope.symbols.intern(&name), specifier, span })
    }

    fn call(&mut self, name: &str, span: Range<usize>) -> Result<Expr, Diagnostic> {
        let found = FUNCTIONS.iter().find(|(text, ..)| *text == name);
        let Some((_, function, least, most)) = found else {
            let known = FUNCTIONS.map(|(text, ..)| text).join(", ");
            return Err(Diagnostic::new(span, "unknown function").help(Some(format!("there are {known}"))));
        };
        let mut arguments = Vec::new();
        while !self.input.eat(")") {
            if !arguments.is_empty() && !self.input.eat(",") {
                return Err(self.input.expected("`,` or `)`"));
            }
            arguments.push(self.binary(1)?);
        }
        if arguments.len() < *least || arguments.len() > *most {
            let counted = format!("`{name}` takes {least} arguments, not {}", arguments.len());
            return Err(Diagnostic::new(span.start..self.input.end(), counted));
        }
        Ok(Expr::Call(*function, arguments))
    }
}

//! Expressions: how they are read, with the precedence that LLVM gives the operators (that of the GNU assembler).

use std::ops::Range;

use crate::asm::cursor::Cursor;
use crate::asm::report::Diagnostic;
use crate::asm::symbols::Symbols;

/// Deepest nesting that is read.
const DEEPEST: u32 = 64;
/// Most operators of one expression: a chain of them is a tree as deep, and whoever walks it needs a stack.
const MOST_OPERATORS: u32 = 100;

/// A place in a section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// The number of the section.
    pub section: usize,
    /// Bytes from its beginning.
    pub offset: u64,
}

/// What an expression can mean by itself.
#[derive(Debug, Clone, Copy)]
pub struct Scope<'a> {
    /// What `.` means.
    pub here: Place,
    /// Which numbered labels there are.
    pub symbols: &'a Symbols,
}

/// An expression.
#[derive(Debug, Clone)]
pub enum Expr {
    /// A number.
    Number(i64),
    /// A symbol, and how a linker is to take it, as after `@`.
    Symbol { name: String, kind: Option<Kind>, span: Range<usize> },
    /// `.`: where the statement begins.
    Here(Place),
    /// An operator before an expression.
    Unary(u8, Box<Expr>),
    /// An operator between two expressions.
    Binary(Op, Box<Expr>, Box<Expr>),
    /// One of AMDGPU's functions.
    Call(Function, Vec<Expr>),
}

/// What a relocation makes of a symbol: LLVM's name after `@` and that of the relocation.
pub type Kind = (&'static str, &'static str);

const KINDS: [Kind; 10] = [
    ("rel32@lo", "R_AMDGPU_REL32_LO"),
    ("rel32@hi", "R_AMDGPU_REL32_HI"),
    ("gotpcrel32@lo", "R_AMDGPU_GOTPCREL32_LO"),
    ("gotpcrel32@hi", "R_AMDGPU_GOTPCREL32_HI"),
    ("abs32@lo", "R_AMDGPU_ABS32_LO"),
    ("abs32@hi", "R_AMDGPU_ABS32_HI"),
    ("gotpcrel", "R_AMDGPU_GOTPCREL"),
    ("rel32", "R_AMDGPU_REL32"),
    ("rel64", "R_AMDGPU_REL64"),
    ("abs64", "R_AMDGPU_ABS64"),
];

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

    /// Calls `each` for all symbols in it.
    pub fn symbols<'a>(&'a self, each: &mut impl FnMut(&'a str, Option<Kind>)) {
        match self {
            Self::Number(_) | Self::Here(_) => {}
            Self::Symbol { name, kind, .. } => each(name, *kind),
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

    /// Whether its value, as the literal of an instruction, counts from the literal's own place. LLVM decides that by
    /// the operators: a difference does not, a symbol and any other operation over one does.
    pub fn counts_from_place(&self) -> bool {
        match self {
            Self::Symbol { kind, .. } => kind.is_none(),
            Self::Here(_) => true,
            Self::Number(_) | Self::Call(..) | Self::Binary(Op::Sub, ..) => false,
            Self::Unary(_, x) => x.counts_from_place(),
            Self::Binary(_, a, b) => a.counts_from_place() || b.counts_from_place(),
        }
    }

    /// Whether `.` stands in it.
    pub fn has_here(&self) -> bool {
        match self {
            Self::Number(_) | Self::Symbol { .. } => false,
            Self::Here(_) => true,
            Self::Unary(_, x) => x.has_here(),
            Self::Binary(_, a, b) => a.has_here() || b.has_here(),
            Self::Call(_, arguments) => arguments.iter().any(Self::has_here),
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
            if self.operators > MOST_OPERATORS {
                return Err(self.input.expected("a shorter expression"));
            }
            self.input.eat(text);
            let right = self.binary(binds + 1)?;
            left = Expr::Binary(*op, Box::new(left), Box::new(right));
        }
    }

    fn unary(&mut self) -> Result<Expr, Diagnostic> {
        self.depth += 1;
        if self.depth > DEEPEST {
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
                Some(name) => Ok(Expr::Symbol { name, kind: None, span }),
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
        if quoted {
            return Ok(Expr::Symbol { name, kind: None, span });
        }
        if name == "." {
            return Ok(Expr::Here(self.scope.here));
        }
        if self.input.eat("(") {
            return self.call(&name, span);
        }
        let mut kind = None;
        if self.input.eat("@") {
            let rest = self.input.rest();
            let found = KINDS.iter().find(|(text, _)| {
                let ends = |rest: &str| !rest.starts_with(|c: char| c == '@' || c == '_' || c.is_ascii_alphanumeric());
                rest.strip_prefix(text).is_some_and(ends)
            });
            let Some(found) = found else {
                let known = KINDS.map(|(text, _)| text).join(", ");
                return Err(self.input.expected("a kind of relocation").help(Some(format!("there are {known}"))));
            };
            self.input.eat(found.0);
            kind = Some(*found);
            span.end = self.input.end();
        }
        Ok(Expr::Symbol { name, kind, span })
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

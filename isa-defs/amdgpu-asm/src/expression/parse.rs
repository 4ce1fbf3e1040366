//! Parses expressions, with the precedence that LLVM gives the operators (that of the GNU assembler).

use std::ops::Range;

use crate::diagnostic::Diagnostic;
use crate::expression::tree::{Expr, Function, Op, SPECIFIERS, Specifier};
use crate::layout::address::Address;
use crate::lex::cursor::Cursor;
use crate::symbol_table::Symbols;

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

/// Spellings, longer ones first, and how tightly they bind.
const OPS: [(&str, Op, u8); 20] = [
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
    ("!", Op::OrNot, 5),
    ("<", Op::Lt, 3),
    (">", Op::Gt, 3),
];

/// Their names and how many arguments they take: at least and at most.
const FUNCTIONS: [(&str, Function, usize, usize); 7] = [
    ("max", Function::Max, 1, usize::MAX),
    ("or", Function::Or, 1, usize::MAX),
    ("alignto", Function::AlignTo, 2, 2),
    ("extrasgprs", Function::ExtraSgprs, 3, 3),
    ("totalnumvgprs", Function::TotalNumVgprs, 2, 2),
    ("occupancy", Function::Occupancy, 7, 7),
    ("instprefsize", Function::InstPrefSize, 1, 1),
];

impl Expr {
    /// Takes an expression.
    pub fn parse(input: &mut Cursor<'_>, scope: Scope<'_>) -> Result<Self, Diagnostic> {
        Reader { input, scope, depth: 0, operators: 0 }.whole()
    }

    /// Takes a number, a symbol or an expression in parentheses, with the signs before it.
    pub fn parse_primary(input: &mut Cursor<'_>, scope: Scope<'_>) -> Result<Self, Diagnostic> {
        Reader { input, scope, depth: 0, operators: 0 }.unary()
    }
}

struct Reader<'c, 'a> {
    input: &'c mut Cursor<'a>,
    scope: Scope<'c>,
    depth: u32,
    operators: u32,
}

impl Reader<'_, '_> {
    /// Takes an expression and a specifier after it, which is that of all its symbols: `(a+4)@rel32@lo`.
    fn whole(&mut self) -> Result<Expr, Diagnostic> {
        let mut expr = self.binary(1)?;
        if self.input.rest().starts_with('@') {
            let start = self.input.place();
            let specifier = self.spaced_specifier()?;
            let span = start..self.input.end();
            match expr.specify(specifier) {
                Ok(true) => {}
                Ok(false) => return Err(Diagnostic::new(span, "no symbol precedes this relocation specifier")),
                Err(why) => return Err(Diagnostic::new(span, why)),
            }
        }
        Ok(expr)
    }

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
            let mut span = start..self.input.end();
            return match self.scope.symbols.numbered(number, behind) {
                Some(id) => Ok(Expr::Symbol { id, specifier: self.specifier(&mut span)?, span }),
                None => Err(Diagnostic::new(span, format!("no label `{number}` precedes this"))),
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
        for (open, close, missing) in [("(", ")", "`)`"), ("[", "]", "`]`")] {
            if self.input.eat(open) {
                let expr = self.whole()?;
                return if self.input.eat(close) { Ok(expr) } else { Err(self.input.expected(missing)) };
            }
        }
        let quoted = self.input.rest().starts_with('"');
        let Ok((name, mut span)) = self.input.symbol_or_dot() else { return Err(self.input.expected("an expression")) };
        if name.is_empty() {
            return Err(Diagnostic::new(span, "expected the name of a symbol"));
        }
        if !quoted && name == "." {
            return Ok(Expr::Here(self.scope.here));
        }
        let is_joined = self.input.unread().starts_with('@');
        if !quoted && self.input.eat("(") {
            return self.call(&name, span);
        }
        // After a name without quotes and a blank, the specifier is that of the whole expression.
        let specifier = if !quoted {
            if is_joined { self.specifier(&mut span)? } else { None }
        } else if self.input.rest().starts_with('@') {
            let specifier = self.spaced_specifier()?;
            span.end = self.input.end();
            Some(specifier)
        } else {
            None
        };
        Ok(Expr::Symbol { id: self.scope.symbols.intern(&name), specifier, span })
    }

    /// Takes a relocation specifier, if one follows without a blank, and extends the span of the symbol over it.
    fn specifier(&mut self, span: &mut Range<usize>) -> Result<Option<Specifier>, Diagnostic> {
        if !self.input.unread().starts_with('@') {
            return Ok(None);
        }
        self.input.eat("@");
        let found = self.known_specifier(self.input.unread())?;
        span.end = self.input.end();
        Ok(Some(found))
    }

    /// Takes `@` and a relocation specifier, with blanks before each or not.
    fn spaced_specifier(&mut self) -> Result<Specifier, Diagnostic> {
        self.input.eat("@");
        let rest = self.input.rest();
        self.known_specifier(rest)
    }

    /// Takes the relocation specifier that the rest of the statement begins with.
    fn known_specifier(&mut self, rest: &str) -> Result<Specifier, Diagnostic> {
        let found = SPECIFIERS.iter().find(|(text, ..)| {
            let ends = |rest: &str| !rest.starts_with(|c: char| c == '@' || c == '_' || c.is_ascii_alphanumeric());
            let begin = rest.split_at_checked(text.len());
            begin.is_some_and(|(begin, rest)| begin.eq_ignore_ascii_case(text) && ends(rest))
        });
        let Some((text, found, _)) = found else {
            let known = SPECIFIERS.map(|(text, ..)| text).join(", ");
            let help = format!("there are {known}; a name with `@` in it is written in quotes here");
            return Err(self.input.expected("a relocation specifier").help(Some(help)));
        };
        self.input.eat(rest.get(..text.len()).unwrap_or_default());
        Ok(*found)
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
            arguments.push(self.whole()?);
        }
        if arguments.len() < *least || arguments.len() > *most {
            let counted = format!("`{name}` takes {least} arguments, not {}", arguments.len());
            return Err(Diagnostic::new(span.start..self.input.end(), counted));
        }
        Ok(Expr::Call(*function, arguments))
    }
}

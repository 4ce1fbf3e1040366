//! The syntax tree of bodies, and of the clauses that say what a format does to the operands of its rows.

use isa_body::{BinaryOp, OperandFact, Place, Space, State, UnaryOp};
use proc_macro2::Span;

use super::cond::Cond;
use crate::spanned::SpannedStr;
use crate::ty::Type;

/// The body of a row: what the instruction computes.
#[derive(Clone)]
pub struct Body {
    /// The statements.
    pub statements: Vec<Statement>,
    /// The span of the body.
    pub span: Span,
}

/// A statement.
#[derive(Clone)]
pub enum Statement {
    /// `let name = expr;`
    Let(SpannedStr, Expr),
    /// `place, place = expr, expr;`
    Assign(Vec<Expr>, Vec<Expr>),
    /// `if expr { … } else { … }`
    If(Expr, Vec<Statement>, Vec<Statement>),
    /// A call of an action: `barrier();`
    Action(Expr),
}

/// An expression with its span. Places of assignments are expressions too.
#[derive(Clone)]
pub struct Expr {
    /// The kind of expression.
    pub kind: ExprKind,
    /// The span of its first token, or of its operator.
    pub span: Span,
}

impl Expr {
    /// Collects the names that the expression reads.
    pub(crate) fn names<'a>(&'a self, out: &mut Vec<&'a SpannedStr>) {
        match &self.kind {
            ExprKind::Name(name) => out.push(name),
            ExprKind::Read(name, _) | ExprKind::Is(name, _) => out.push(name),
            ExprKind::Int(..) | ExprKind::Float(..) | ExprKind::Bool(_) => {}
            ExprKind::Unary(_, a)
            | ExprKind::Cast(a, _)
            | ExprKind::Slice(a, ..)
            | ExprKind::Half(_, a)
            | ExprKind::Closure(_, a) => a.names(out),
            ExprKind::Binary(_, a, b) | ExprKind::Logic(_, a, b) | ExprKind::Index(a, b) => {
                a.names(out);
                b.names(out);
            }
            ExprKind::Memory(_, address, _) => address.iter().for_each(|a| a.names(out)),
            ExprKind::Call(_, args) => args.iter().for_each(|a| a.names(out)),
            ExprKind::If(c, a, b) => [c, a, b].into_iter().for_each(|e| e.names(out)),
        }
    }
}

/// The kinds of expressions.
#[derive(Clone)]
pub enum ExprKind {
    /// An integer, with the type of its suffix.
    Int(u128, Option<Type>),
    /// A floating-point number, with the type of its suffix.
    Float(f64, Option<Type>),
    /// `true` or `false`.
    Bool(bool),
    /// A role, a local value, state or a modifier.
    Name(SpannedStr),
    /// An operator with one operand.
    Unary(UnaryOp, Box<Expr>),
    /// An operator with two operands.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `a && b` or, if the flag is set, `a || b`.
    Logic(bool, Box<Expr>, Box<Expr>),
    /// `a as ty`.
    Cast(Box<Expr>, Type),
    /// `a[index]`: a bit or an element.
    Index(Box<Expr>, Box<Expr>),
    /// `a[hi:lo]`: consecutive bits.
    Slice(Box<Expr>, u16, u16),
    /// `a.lo` or, if the flag is set, `a.hi`.
    Half(bool, Box<Expr>),
    /// `role.ty`: an operand as a value of another type of the same width.
    Read(SpannedStr, Type),
    /// `role is fact`.
    Is(SpannedStr, OperandFact),
    /// `mem.ty` or `mem[address].ty`.
    Memory(Place, Option<Box<Expr>>, Type),
    /// `name(arguments)`.
    Call(SpannedStr, Vec<Expr>),
    /// `if c { a } else { b }`.
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `|name| expr`, an argument of `rmw`.
    Closure(SpannedStr, Box<Expr>),
}

/// A fact of a body from which a flag follows: `flags NAME = FACT`.
#[derive(Clone)]
pub enum BodyFact {
    /// `loads`: it reads memory and does not write it.
    Loads,
    /// `stores`: it writes memory and does not read it.
    Stores,
    /// `updates`: it reads and writes memory.
    Updates,
    /// `branches`: it branches relative to the program counter.
    Branches,
    /// `high_half`: it reads or writes the high half of a register.
    HighHalf,
    /// `moves ROLE`: it reads or writes another register than the one in the field.
    Moves(SpannedStr),
    /// `duplicates STATE`: it writes one value to state and to an operand.
    Duplicates(State),
}

/// A body in the form in which `isa!` hands it to `isa_set!`.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct CompiledBody {
    /// The roles of the row, which operations name by index.
    pub roles: Vec<String>,
    /// The bytecode.
    pub code: Vec<u8>,
}

/// A clause that says what a format or a suffix dword does to the operands of its rows.
#[derive(Clone)]
pub struct OperandClause {
    /// The clause.
    pub kind: OperandClauseKind,
    /// The rows to which it applies.
    pub cond: Option<Cond>,
    /// The value, which `tied` and `reads` lack.
    pub value: Option<Expr>,
    /// The span of the keyword.
    pub span: Span,
}

/// The kinds of [`OperandClause`].
#[derive(Clone)]
pub enum OperandClauseKind {
    /// `source role = expr;`
    Source(SpannedStr),
    /// `result role = expr;`
    Result(SpannedStr),
    /// `saturate role = expr;`
    Saturate(SpannedStr),
    /// `inactive role = false;`
    Inactive(SpannedStr),
    /// `tied role;`
    Tied(SpannedStr),
    /// `active = expr;`
    Active,
    /// `address place in space when FIELD = expr;`
    Address(Place, Space, Option<SpannedStr>),
    /// `reads STATE when FIELD;`
    Reads(State, SpannedStr),
}

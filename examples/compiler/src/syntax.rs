//! The language: its syntax tree, and the grammar that reads it.

pub use rdna3::isa::body::BinaryOp as Operator;

use crate::Result;

/// A type of values. Variables and memory hold numbers: only conditions are `Bool`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// A floating-point number of 32 bits.
    F32,
    /// An unsigned integer of 32 bits.
    U32,
    /// A condition.
    Bool,
}

impl Type {
    /// Returns the name in the language, and that of conditions in errors.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Type::F32 => "f32",
            Type::U32 => "u32",
            Type::Bool => "bool",
        }
    }
}

/// A parameter of a kernel: a number, or the address of numbers in global memory.
#[derive(Clone, PartialEq, Debug)]
pub struct Parameter {
    /// The name.
    pub name: String,
    /// The type of the number, or of an array's elements.
    pub ty: Type,
    /// Whether it is the address of an array.
    pub is_array: bool,
}

/// An expression.
#[derive(Clone, PartialEq, Debug)]
pub enum Expression {
    /// A number, by its bits.
    Number(Type, u32),
    /// A variable or a parameter that is a number.
    Name(String),
    /// `id()`: the number of the work-item in the grid.
    WorkItem,
    /// `array[index]`
    Load(String, Box<Expression>),
    /// `f32(x)` or `u32(x)`: a conversion that rounds and saturates as Rust's `as` does.
    Convert(Type, Box<Expression>),
    /// `!condition`
    Not(Box<Expression>),
    /// Integers wrap around; shifts use the lowest five bits of the distance.
    Binary(Operator, Box<Expression>, Box<Expression>),
}

/// A statement.
#[derive(Clone, PartialEq, Debug)]
pub enum Statement {
    /// `let name = value;`: declares a variable up to the end of the block.
    Let(String, Expression),
    /// `name = value;`
    Assign(String, Expression),
    /// `array[index] = value;`
    Store(String, Expression, Expression),
    /// `if condition { … } else { … }`
    If(Expression, Vec<Statement>, Vec<Statement>),
    /// `while condition { … }`
    While(Expression, Vec<Statement>),
    /// Statements in a separate scope.
    Block(Vec<Statement>),
}

/// A kernel: what each work-item does.
#[derive(Clone, PartialEq, Debug)]
pub struct Kernel {
    /// The name.
    pub name: String,
    /// The parameters, in their order.
    pub parameters: Vec<Parameter>,
    /// The statements.
    pub body: Vec<Statement>,
}

/// Reads a kernel.
///
/// # Errors
/// The text is not a kernel: the message names the place.
pub fn parse(source: &str) -> Result<Kernel> {
    Ok(grammar::kernel(source)?)
}

fn binary(operator: Operator, a: Expression, b: Expression) -> Expression {
    Expression::Binary(operator, Box::new(a), Box::new(b))
}

/// Returns `for name in first..end { body }` as a `while` loop. No name of the source has a blank.
fn for_loop(name: String, first: Expression, end: Expression, body: Vec<Statement>) -> Statement {
    let end_name = format!("end of {name}");
    let variable = || Expression::Name(name.clone());
    let condition = binary(Operator::Lt, variable(), Expression::Name(end_name.clone()));
    let next = binary(Operator::Add, variable(), Expression::Number(Type::U32, 1));
    let body = vec![Statement::Block(body), Statement::Assign(name.clone(), next)];
    Statement::Block(vec![
        Statement::Let(end_name, end),
        Statement::Let(name, first),
        Statement::While(condition, body),
    ])
}

peg::parser! {
    grammar grammar() for str {
        rule _ = quiet!{ ([' ' | '\t' | '\r' | '\n'] / ("//" [^ '\n']*))* }
        rule text() -> &'input str = $(['a'..='z' | 'A'..='Z' | '_'] ['a'..='z' | 'A'..='Z' | '_' | '0'..='9']*)
        rule name() -> String = n:text() { n.to_owned() }
        rule word(word: &'static str) = text:text() {? if text == word { Ok(()) } else { Err(word) } }

        pub rule kernel() -> Kernel
            = _ word("kernel") _ name:name() _ "(" _ parameters:parameter() ** (_ "," _) _ ")" _ body:block() _
            { Kernel { name, parameters, body } }
        rule parameter() -> Parameter
            = name:name() _ ":" _ "[" _ ty:number_type() _ "]" { Parameter { name, ty, is_array: true } }
            / name:name() _ ":" _ ty:number_type() { Parameter { name, ty, is_array: false } }
        rule number_type() -> Type = word("f32") { Type::F32 } / word("u32") { Type::U32 }

        rule block() -> Vec<Statement> = "{" _ body:(s:statement() _ { s })* "}" { body }
        rule statement() -> Statement
            = word("let") _ x:name() _ "=" _ e:expression() _ ";" { Statement::Let(x, e) }
            / word("if") _ c:expression() _ yes:block() no:(_ word("else") _ no:block() { no })?
                { Statement::If(c, yes, no.unwrap_or_default()) }
            / word("while") _ c:expression() _ body:block() { Statement::While(c, body) }
            / word("for") _ x:name() _ word("in") _ a:expression() _ ".." _ b:expression() _ body:block()
                { for_loop(x, a, b, body) }
            / a:name() _ "[" _ i:expression() _ "]" _ "=" _ e:expression() _ ";" { Statement::Store(a, i, e) }
            / x:name() _ "=" _ e:expression() _ ";" { Statement::Assign(x, e) }

        rule expression() -> Expression = precedence!{
            a:(@) _ "==" _ b:@ { binary(Operator::Eq, a, b) }
            a:(@) _ "!=" _ b:@ { binary(Operator::Ne, a, b) }
            a:(@) _ "<=" _ b:@ { binary(Operator::Le, a, b) }
            a:(@) _ ">=" _ b:@ { binary(Operator::Ge, a, b) }
            a:(@) _ "<" !"<" _ b:@ { binary(Operator::Lt, a, b) }
            a:(@) _ ">" !">" _ b:@ { binary(Operator::Gt, a, b) }
            --
            a:(@) _ "|" _ b:@ { binary(Operator::Or, a, b) }
            --
            a:(@) _ "^" _ b:@ { binary(Operator::Xor, a, b) }
            --
            a:(@) _ "&" _ b:@ { binary(Operator::And, a, b) }
            --
            a:(@) _ "<<" _ b:@ { binary(Operator::Shl, a, b) }
            a:(@) _ ">>" _ b:@ { binary(Operator::Shr, a, b) }
            --
            a:(@) _ "+" _ b:@ { binary(Operator::Add, a, b) }
            a:(@) _ "-" _ b:@ { binary(Operator::Sub, a, b) }
            --
            a:(@) _ "*" _ b:@ { binary(Operator::Mul, a, b) }
            --
            "!" _ x:@ { Expression::Not(Box::new(x)) }
            n:number() { n }
            word("id") _ "(" _ ")" { Expression::WorkItem }
            ty:number_type() _ "(" _ x:expression() _ ")" { Expression::Convert(ty, Box::new(x)) }
            a:name() _ "[" _ i:expression() _ "]" { Expression::Load(a, Box::new(i)) }
            x:name() { Expression::Name(x) }
            "(" _ x:expression() _ ")" { x }
        }
        rule digits() = ['0'..='9']+
        rule number() -> Expression
            = n:$(digits() "." digits()) {?
                n.parse().map(|x: f32| Expression::Number(Type::F32, x.to_bits())).or(Err("a number"))
            }
            / n:$(digits()) {? n.parse().map(|x| Expression::Number(Type::U32, x)).or(Err("a number below 2^32")) }
    }
}

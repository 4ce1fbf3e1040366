//! The parser of bodies, `{ d = s0 + s1; }`, and of their expressions.

use isa_codegen::ast::{Body, Expr, ExprKind, Statement};
use isa_codegen::isa_body::{BinaryOp, OperandFact, Place, UnaryOp};
use isa_codegen::spanned::SpannedStr;
use isa_codegen::ty::{self, Type};
use proc_macro2::{Ident, Span, TokenStream};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Lit, LitInt, Token, braced, bracketed, parenthesized};

use super::tokens::{any_identifier, error, identifier, peek_keyword};

/// The variables of families around a body.
/// The value of a family's variable: a number for opcodes, a name for mnemonics and an expression for bodies.
#[derive(Clone)]
pub(super) struct Binding {
    pub(super) variable: String,
    pub(super) number: u64,
    pub(super) name: String,
    /// The tokens of the expression, if the family gives one.
    pub(super) value: Option<TokenStream>,
}

type Bindings<'a> = &'a [Binding];

/// Parses a body in braces. Consumes the braces in any case, so that parsing continues after a body with an error.
pub(super) fn body(input: ParseStream, bindings: Bindings) -> syn::Result<Body> {
    let span = input.span();
    let inner;
    braced!(inner in input);
    let tokens: TokenStream = inner.parse()?;
    let statements = (|input: ParseStream| statements(input, bindings)).parse2(tokens)?;
    Ok(Body { statements, span })
}

fn statements(input: ParseStream, bindings: Bindings) -> syn::Result<Vec<Statement>> {
    let mut statements = Vec::new();
    while !input.is_empty() {
        statements.push(statement(input, bindings)?);
    }
    Ok(statements)
}

fn block(input: ParseStream, bindings: Bindings) -> syn::Result<Vec<Statement>> {
    if !input.peek(syn::token::Brace) {
        return Err(error(input.span(), "expected a block", "write `{ … }`"));
    }
    let inner;
    braced!(inner in input);
    statements(&inner, bindings)
}

fn statement(input: ParseStream, bindings: Bindings) -> syn::Result<Statement> {
    if input.parse::<Option<Token![let]>>()?.is_some() {
        let name = identifier(input)?;
        input.parse::<Token![=]>()?;
        let value = expr(input, bindings)?;
        end(input, value.span)?;
        return Ok(Statement::Let(name, value));
    }
    if input.peek(Token![if]) {
        return conditional(input, bindings);
    }
    let mut places = vec![expr(input, bindings)?];
    while input.parse::<Option<Token![,]>>()?.is_some() {
        places.push(expr(input, bindings)?);
    }
    if input.parse::<Option<Token![=]>>()?.is_none() {
        let action = places.swap_remove(0);
        if !matches!(action.kind, ExprKind::Call(..)) || !places.is_empty() {
            let help = "write `d = …;`, `if … { … }`, `let name = …;` or a call of an action";
            return Err(error(action.span, "this is not a statement", help));
        }
        end(input, action.span)?;
        return Ok(Statement::Action(action));
    }
    let mut values = vec![expr(input, bindings)?];
    while input.parse::<Option<Token![,]>>()?.is_some() {
        values.push(expr(input, bindings)?);
    }
    end(input, values.last().map_or_else(|| input.span(), |value| value.span))?;
    Ok(Statement::Assign(places, values))
}

/// Parses `if c { … } else { … }` as a statement.
fn conditional(input: ParseStream, bindings: Bindings) -> syn::Result<Statement> {
    input.parse::<Token![if]>()?;
    let condition = expr(input, bindings)?;
    let yes = block(input, bindings)?;
    let no = if input.parse::<Option<Token![else]>>()?.is_none() {
        Vec::new()
    } else if input.peek(Token![if]) {
        vec![conditional(input, bindings)?]
    } else {
        block(input, bindings)?
    };
    Ok(Statement::If(condition, yes, no))
}

/// Parses the `;` of a statement. At the end of a body, where no token is left, the error is reported at `statement`.
fn end(input: ParseStream, statement: Span) -> syn::Result<()> {
    if input.parse::<Option<Token![;]>>()?.is_some() {
        return Ok(());
    }
    let span = if input.is_empty() { statement } else { input.span() };
    Err(error(span, "expected `;` at the end of the statement", "write `;` after each statement"))
}

/// Parses an expression.
pub(super) fn expr(input: ParseStream, bindings: Bindings) -> syn::Result<Expr> {
    if input.peek(Token![if]) {
        return choice(input, bindings);
    }
    if input.peek(Token![|]) {
        let span = input.parse::<Token![|]>()?.spans[0];
        let name = identifier(input)?;
        input.parse::<Token![|]>()?;
        let value = expr(input, bindings)?;
        return Ok(Expr { kind: ExprKind::Closure(name, Box::new(value)), span });
    }
    binary(input, bindings, 0)
}

/// Parses `if c { a } else { b }` as an expression.
fn choice(input: ParseStream, bindings: Bindings) -> syn::Result<Expr> {
    let span = input.parse::<Token![if]>()?.span;
    let condition = expr(input, bindings)?;
    let value = |input: ParseStream| {
        if !input.peek(syn::token::Brace) {
            return Err(error(input.span(), "expected a value in braces", "write `if c { a } else { b }`"));
        }
        let inner;
        braced!(inner in input);
        let value = expr(&inner, bindings)?;
        if inner.is_empty() {
            return Ok(value);
        }
        Err(error(
            inner.span(),
            "expected `}` after the value",
            "an `if` with a value has one expression in each branch",
        ))
    };
    let yes = value(input)?;
    if input.parse::<Option<Token![else]>>()?.is_none() {
        return Err(error(span, "this `if` has no value without an `else`", "write `if c { a } else { b }`"));
    }
    let no = if input.peek(Token![if]) { choice(input, bindings)? } else { value(input)? };
    Ok(Expr { kind: ExprKind::If(Box::new(condition), Box::new(yes), Box::new(no)), span })
}

/// An operator with two operands.
enum Operator {
    Binary(BinaryOp),
    Logic(bool),
}

/// Returns the operator that follows, with its number of tokens' worth of precedence. Precedences are Rust's.
fn peek_operator(input: ParseStream) -> Option<(Operator, u8)> {
    use BinaryOp as B;
    use Operator::{Binary, Logic};
    // Longer operators precede those that they begin with.
    Some(if input.peek(Token![||]) {
        (Logic(true), 1)
    } else if input.peek(Token![&&]) {
        (Logic(false), 2)
    } else if input.peek(Token![==]) {
        (Binary(B::Eq), 3)
    } else if input.peek(Token![!=]) {
        (Binary(B::Ne), 3)
    } else if input.peek(Token![<<]) {
        (Binary(B::Shl), 7)
    } else if input.peek(Token![>>]) {
        (Binary(B::Shr), 7)
    } else if input.peek(Token![<=]) {
        (Binary(B::Le), 3)
    } else if input.peek(Token![>=]) {
        (Binary(B::Ge), 3)
    } else if input.peek(Token![<]) {
        (Binary(B::Lt), 3)
    } else if input.peek(Token![>]) {
        (Binary(B::Gt), 3)
    } else if input.peek(Token![|]) {
        (Binary(B::Or), 4)
    } else if input.peek(Token![^]) {
        (Binary(B::Xor), 5)
    } else if input.peek(Token![&]) {
        (Binary(B::And), 6)
    } else if input.peek(Token![+]) {
        (Binary(B::Add), 8)
    } else if input.peek(Token![-]) {
        (Binary(B::Sub), 8)
    } else if input.peek(Token![*]) {
        (Binary(B::Mul), 9)
    } else if input.peek(Token![/]) {
        (Binary(B::Div), 9)
    } else if input.peek(Token![%]) {
        (Binary(B::Rem), 9)
    } else {
        return None;
    })
}

/// Consumes the operator that `peek_operator` has found.
fn take_operator(input: ParseStream, operator: &Operator) -> syn::Result<proc_macro2::Span> {
    let span = input.span();
    let length = match operator {
        Operator::Logic(_) => 2,
        Operator::Binary(op) => op.name().len(),
    };
    for _ in 0..length {
        input.parse::<proc_macro2::Punct>()?;
    }
    Ok(span)
}

fn binary(input: ParseStream, bindings: Bindings, least: u8) -> syn::Result<Expr> {
    let mut left = cast(input, bindings)?;
    let mut last_compared = false;
    while let Some((operator, precedence)) = peek_operator(input) {
        if precedence <= least {
            break;
        }
        let span = take_operator(input, &operator)?;
        let compares = matches!(operator, Operator::Binary(op) if op.compares());
        if compares && last_compared {
            return Err(error(span, "comparisons cannot be chained", "write `a < b && b < c`"));
        }
        last_compared = compares;
        let right =
            if input.peek(Token![if]) { choice(input, bindings)? } else { binary(input, bindings, precedence)? };
        let (left_box, right) = (Box::new(left), Box::new(right));
        let kind = match operator {
            Operator::Binary(op) => ExprKind::Binary(op, left_box, right),
            Operator::Logic(is_or) => ExprKind::Logic(is_or, left_box, right),
        };
        left = Expr { kind, span };
    }
    Ok(left)
}

fn cast(input: ParseStream, bindings: Bindings) -> syn::Result<Expr> {
    let mut value = unary(input, bindings)?;
    loop {
        if input.peek(Token![as]) {
            let span = input.parse::<Token![as]>()?.span;
            value = Expr { kind: ExprKind::Cast(Box::new(value), value_type(input)?), span };
        } else if peek_keyword(input, "is") {
            value = fact(value, input)?;
        } else {
            return Ok(value);
        }
    }
}

/// Parses `is FACT` after a role.
fn fact(value: Expr, input: ParseStream) -> syn::Result<Expr> {
    let span = any_identifier(input)?.span();
    let ExprKind::Name(role) = value.kind else {
        return Err(error(span, "only an operand has facts", "write a role before `is`"));
    };
    let name = any_identifier(input)?;
    let Some(fact) = OperandFact::from_name(name.as_str()) else {
        let known: Vec<&str> = OperandFact::ALL.iter().map(|fact| fact.name()).collect();
        let help = format!("operands are `{}`", known.join("` or `"));
        return Err(error(name.span(), format!("`{name}` is not a fact of an operand"), help));
    };
    Ok(Expr { kind: ExprKind::Is(role, fact), span })
}

/// Parses the type of a value.
fn value_type(input: ParseStream) -> syn::Result<Type> {
    let name = any_identifier(input)?;
    ty::parse_value(&name).map_err(|e| syn::Error::new(e.span, e.message))
}

fn unary(input: ParseStream, bindings: Bindings) -> syn::Result<Expr> {
    let span = input.span();
    let op = if input.peek(Token![-]) {
        UnaryOp::Neg
    } else if input.peek(Token![!]) {
        UnaryOp::Not
    } else {
        return postfix(input, bindings);
    };
    input.parse::<proc_macro2::Punct>()?;
    Ok(Expr { kind: ExprKind::Unary(op, Box::new(unary(input, bindings)?)), span })
}

fn postfix(input: ParseStream, bindings: Bindings) -> syn::Result<Expr> {
    let mut value = primary(input, bindings)?;
    loop {
        if input.peek(Token![.]) && !input.peek(Token![..]) {
            let span = input.parse::<Token![.]>()?.span;
            value = member(value, input, span)?;
        } else if input.peek(syn::token::Bracket) {
            let span = input.span();
            let inner;
            bracketed!(inner in input);
            let kind = index(value, &inner, bindings)?;
            value = Expr { kind, span };
        } else {
            return Ok(value);
        }
    }
}

/// Returns the memory that a name means.
fn place(value: &Expr) -> Option<Place> {
    match &value.kind {
        ExprKind::Name(name) => Place::from_name(name.as_str()),
        _ => None,
    }
}

/// Parses what follows a `.`: a half, or the type of an access to memory.
fn member(value: Expr, input: ParseStream, span: proc_macro2::Span) -> syn::Result<Expr> {
    let access = match value.kind {
        ExprKind::Index(ref base, ref address) => place(base).map(|place| (place, Some(address.clone()))),
        _ => place(&value).map(|place| (place, None)),
    };
    if let Some((place, address)) = access {
        let kind = ExprKind::Memory(place, address, value_type(input)?);
        return Ok(Expr { kind, span: value.span });
    }
    let name = any_identifier(input)?;
    let is_high = match name.as_str() {
        "lo" => false,
        "hi" => true,
        _ => {
            if let (ExprKind::Name(role), Ok(ty)) = (&value.kind, ty::parse_value(&name)) {
                return Ok(Expr { kind: ExprKind::Read(role.clone(), ty), span: value.span });
            }
            let message = format!("`.{name}` is not a part of a value");
            return Err(error(name.span(), message, "write `.lo`, `.hi`, `[bit]` or `[high:low]`"));
        }
    };
    Ok(Expr { kind: ExprKind::Half(is_high, Box::new(value)), span })
}

/// Parses what is between brackets: an index, or `high:low`.
fn index(value: Expr, input: ParseStream, bindings: Bindings) -> syn::Result<ExprKind> {
    if !(input.peek(LitInt) && input.peek2(Token![:])) {
        let index = expr(input, bindings)?;
        if !input.is_empty() {
            return Err(error(input.span(), "expected `]` after the index", "write `[bit]` or `[31:16]` with numbers"));
        }
        return Ok(ExprKind::Index(Box::new(value), Box::new(index)));
    }
    let high: LitInt = input.parse()?;
    input.parse::<Token![:]>()?;
    let low: LitInt = input.parse()?;
    let (hi, lo) = (high.base10_parse()?, low.base10_parse()?);
    if lo > hi {
        let help = format!("write the highest bit first: [{lo}:{hi}]");
        return Err(error(high.span(), "the range begins with its lowest bit", help));
    }
    Ok(ExprKind::Slice(Box::new(value), hi, lo))
}

fn primary(input: ParseStream, bindings: Bindings) -> syn::Result<Expr> {
    let span = input.span();
    if input.peek(syn::token::Paren) {
        let inner;
        parenthesized!(inner in input);
        let value = expr(&inner, bindings)?;
        if inner.is_empty() {
            return Ok(value);
        }
        return Err(error(inner.span(), "expected `)` after the expression", "write one expression in parentheses"));
    }
    if input.peek(Lit) {
        return literal(input);
    }
    if !input.peek(Ident::peek_any) {
        let help = "write a role, a number, a local value, state such as `scc`, memory such as `mem.b32`, or a call";
        return Err(error(span, "expected a value", help));
    }
    let name = any_identifier(input)?;
    if input.peek(syn::token::Paren) {
        let inner;
        parenthesized!(inner in input);
        let mut args = Vec::new();
        while !inner.is_empty() {
            args.push(expr(&inner, bindings)?);
            if !inner.is_empty() {
                inner.parse::<Token![,]>()?;
            }
        }
        return Ok(Expr { kind: ExprKind::Call(name, args), span });
    }
    named(name, bindings)
}

/// Returns the value of a name: the expression or the number of a family's variable, or the name itself.
fn named(name: SpannedStr, bindings: Bindings) -> syn::Result<Expr> {
    let span = name.span();
    let Some(at) = bindings.iter().rposition(|b| name == b.variable) else {
        return Ok(Expr { kind: ExprKind::Name(name), span });
    };
    match &bindings[at].value {
        // The expression can name the variables of families further out.
        Some(tokens) => (|input: ParseStream| expr(input, &bindings[..at])).parse2(tokens.clone()),
        None => Ok(Expr { kind: ExprKind::Int(bindings[at].number.into(), None), span }),
    }
}

fn literal(input: ParseStream) -> syn::Result<Expr> {
    let span = input.span();
    let suffix = |suffix: &str| match suffix {
        "" => Ok(None),
        _ => ty::parse_value(&SpannedStr::new(suffix.to_string(), span)).map(Some),
    };
    let converted = |e: isa_codegen::error::Error| syn::Error::new(e.span, e.message);
    let kind = match input.parse::<Lit>()? {
        Lit::Int(n) => ExprKind::Int(n.base10_parse()?, suffix(n.suffix()).map_err(converted)?),
        Lit::Float(n) => ExprKind::Float(n.base10_parse()?, suffix(n.suffix()).map_err(converted)?),
        Lit::Bool(b) => ExprKind::Bool(b.value),
        _ => return Err(error(span, "expected a number", "write an integer, a floating-point number, or `true`")),
    };
    Ok(Expr { kind, span })
}

#[cfg(test)]
mod tests {
    use syn::parse::Parser;

    /// Compiles the row of a format in which bodies run in lanes if `run` is `lanes`. Returns the operations of the
    /// body, or the message and the help of the first error.
    fn compile(run: &str, row: &str) -> Result<Vec<String>, String> {
        let text = format!(
            "format F: 32 {{ D [31:24]: out d: Reg, E [23:20]: out e: Reg, S0 [19:12]: s0: Reg, S1 [11:4]: s1: Reg,
                 GLC [3]: mod glc: Flag, OFF [2:0]: mod off: Number }} run {run}; 0 => X {row}"
        );
        let block = crate::parse::block.parse_str(&text).map_err(|e| e.to_string())?;
        let bytes = isa_codegen::check(&block).map_err(|e| e.as_slice()[0].message.clone())?;
        let body = isa_codegen::body::decode_all(&bytes).swap_remove(0).map(|body| body.code).unwrap_or_default();
        Ok(isa_codegen::isa_body::ops(&body).map(|op| format!("{op:?}")).collect())
    }

    /// Returns the number of operations of a valid row.
    fn operations(run: &str, row: &str) -> usize {
        compile(run, row).unwrap_or_else(|e| panic!("{row}: {e}")).len()
    }

    #[test]
    fn bodies_become_operations() {
        assert_eq!(operations("lanes", "(d: f32, s0: f32, s1: f32) { d = s0 + s1; }"), 4);
        assert_eq!(operations("lanes", "() { }"), 0);
        // Equal operations are emitted once: two sources, a sum, a write.
        assert_eq!(operations("wave", "(d: u32, s0: u32, s1: u32) { d, scc = s0 + s1, s0 + s1 != 0; }"), 7);
        assert_eq!(operations("lanes", "(d: f32, s0: f32) { d = if s0 < 1.0 { s0 } else { -s0 }; }"), 6);
        assert_eq!(operations("lanes", "(d: u32, s0: u32) { d = rmw(mem.u32, |m| m + s0); }"), 5);
    }

    #[test]
    fn precedence_is_that_of_rust() {
        let same = |a: &str, b: &str| {
            let row = |e: &str| format!("(d: u32, s0: u32, s1: u32) {{ d = {e}; }}");
            assert_eq!(compile("lanes", &row(a)), compile("lanes", &row(b)), "{a}");
        };
        same("s0 + s1 * 2", "s0 + (s1 * 2)");
        same("s0 << s1 | s0", "(s0 << s1) | s0");
        same("s0 << s1 + 1", "s0 << (s1 + 1)");
        same("s0 & s1 ^ s0 | s1", "((s0 & s1) ^ s0) | s1");
        same("(s0 < s1 && s0 == s1 || s1 > s0) as u32", "(((s0 < s1) && (s0 == s1)) || (s1 > s0)) as u32");
    }
}

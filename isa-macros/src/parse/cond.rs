//! The parser of conditions: `clamp | d is float & !s2`.

use isa_codegen::ast::Cond;
use isa_codegen::ty;
use proc_macro2::Ident;
use syn::parse::ParseStream;
use syn::{Lit, Token};

use super::tokens::{error, identifier, peek_keyword, take_keyword};

/// Parses `if COND`, if it is there.
pub fn optional(input: ParseStream) -> syn::Result<Option<Cond>> {
    Ok(if take_keyword(input, "if")? { Some(parse(input)?) } else { None })
}

/// Parses a condition. `|` has the lowest precedence, `!` the highest.
pub fn parse(input: ParseStream) -> syn::Result<Cond> {
    let mut left = and(input)?;
    while input.peek(Token![|]) {
        input.parse::<Token![|]>()?;
        left = Cond::Or(Box::new(left), Box::new(and(input)?));
    }
    Ok(left)
}

fn and(input: ParseStream) -> syn::Result<Cond> {
    let mut left = unary(input)?;
    while input.peek(Token![&]) {
        input.parse::<Token![&]>()?;
        left = Cond::And(Box::new(left), Box::new(unary(input)?));
    }
    Ok(left)
}

fn unary(input: ParseStream) -> syn::Result<Cond> {
    if input.peek(Token![!]) {
        input.parse::<Token![!]>()?;
        return Ok(Cond::Not(Box::new(unary(input)?)));
    }
    if input.peek(syn::token::Paren) {
        let inner;
        syn::parenthesized!(inner in input);
        return parse(&inner);
    }
    if !input.peek(syn::Ident) {
        let help = "write a declared flag, a role, `role is float`, or `promoted`";
        return Err(error(input.span(), "expected a condition", help));
    }
    let name = identifier(input)?;
    if !peek_keyword(input, "is") {
        return Ok(Cond::Name(name));
    }
    input.parse::<Ident>()?;
    let test = if input.peek(Lit) {
        input.parse::<syn::LitInt>()?.base10_digits().to_string()
    } else {
        let test = identifier(input)?;
        if ty::is(ty::MODIFIER, test.as_str()).is_none() {
            let help = "write `float`, `int`, `bits`, `mask`, `packed` or a width in bits after `is`";
            return Err(error(test.span(), format!("`{test}` is not a group of operand types"), help));
        }
        test.to_string()
    };
    Ok(Cond::Is(name, test))
}

#[cfg(test)]
mod tests {
    use isa_codegen::facts::RowFacts;
    use syn::parse::Parser;

    use super::*;

    /// Evaluates a condition for a row with the flag `fast` and the roles `d: f16x2`, `s0: u64` and `m: mask`.
    fn holds(text: &str, is_promoted: bool) -> bool {
        let row = "format F: 32 { A [31:0] reserved } flags fast; 0 => X (d: f16x2, s0: u64, m: mask) fast;";
        let block = crate::parse::block.parse_str(row).unwrap_or_else(|e| panic!("{e}"));
        let cond = parse.parse_str(text).unwrap_or_else(|e| panic!("{text}: {e}"));
        cond.holds(&RowFacts::new(&block.rows[0], &block.rows[0], is_promoted))
    }

    #[test]
    fn names_and_types_are_tested() {
        for yes in ["fast", "d", "d is float", "d is 16", "d is packed", "s0 is int", "s0 is 64", "m is mask"] {
            assert!(holds(yes, false), "{yes}");
            assert!(!holds(&format!("!{yes}"), false), "!{yes}");
        }
        for no in ["slow", "s1", "d is 32", "s0 is packed", "s0 is bits", "s1 is float", "m is int", "promoted"] {
            assert!(!holds(no, false), "{no}");
        }
        assert!(holds("promoted", true));
    }

    #[test]
    fn not_binds_tighter_than_and_and_tighter_than_or() {
        assert!(holds("fast | slow & slow", false));
        assert!(!holds("(fast | slow) & slow", false));
        assert!(holds("!slow & fast", false));
        assert!(!holds("!(slow | fast)", false));
        assert!(holds("!!fast", false));
    }

    #[test]
    fn unknown_type_groups_are_rejected() {
        assert!(parse.parse_str("d is floating").is_err());
        assert!(parse.parse_str("d |").is_err());
    }
}

//! Conditions as they are written: `if clamp | d is float & !s2`.

use isa_blocks::cond::Cond;
use isa_blocks::ty::Ty;
use proc_macro2::Ident;
use syn::parse::ParseStream;
use syn::{Lit, Token};

use crate::parse::{peek_word, word};

/// Reads a condition.
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
        return Err(input.error("expected a condition: a declared word, a role, `role is float`, `rider`"));
    }
    let name = word(input)?;
    if peek_word(input, "is") {
        input.parse::<Ident>()?;
        let of = if input.peek(Lit) {
            input.parse::<syn::LitInt>()?.base10_digits().to_string()
        } else {
            let class = word(input)?;
            if Ty::WORD.is(class.as_str()).is_none() {
                let say = format!("`{class}` is no class: write float, int, bits, mask, packed or a width in bits");
                return Err(syn::Error::new(class.span(), say));
            }
            class.to_string()
        };
        return Ok(Cond::Is(name, of));
    }
    Ok(Cond::Name(name))
}

#[cfg(test)]
mod tests {
    use isa_blocks::cond::Facts;
    use syn::parse::Parser;

    use super::*;

    /// Whether a condition holds for a row with the word `quick` and the roles `d: f16x2`, `s0: u64` and `m: mask`.
    fn holds(text: &str, rider: bool) -> bool {
        let row = "format F: 32 { A [31:0] reserved } words quick; 0 => X (d: f16x2, s0: u64, m: mask) quick;";
        let block = crate::parse::block.parse_str(row).unwrap_or_else(|e| panic!("{e}"));
        let cond = parse.parse_str(text).unwrap_or_else(|e| panic!("{text}: {e}"));
        cond.holds(&Facts::new(&block.rows[0], &block.rows[0], rider))
    }

    #[test]
    fn names_and_types_are_asked() {
        for yes in ["quick", "d", "d is float", "d is 16", "d is packed", "s0 is int", "s0 is 64", "m is mask"] {
            assert!(holds(yes, false), "{yes}");
            assert!(!holds(&format!("!{yes}"), false), "!{yes}");
        }
        for no in ["slow", "s1", "d is 32", "s0 is packed", "s0 is bits", "s1 is float", "m is int", "rider"] {
            assert!(!holds(no, false), "{no}");
        }
        assert!(holds("rider", true));
    }

    #[test]
    fn and_binds_more_than_or_and_not_most() {
        assert!(holds("quick | slow & slow", false));
        assert!(!holds("(quick | slow) & slow", false));
        assert!(holds("!slow & quick", false));
        assert!(!holds("!(slow | quick)", false));
        assert!(holds("!!quick", false));
    }

    #[test]
    fn a_class_that_is_none_is_refused() {
        assert!(parse.parse_str("d is floating").is_err());
        assert!(parse.parse_str("d |").is_err());
    }
}

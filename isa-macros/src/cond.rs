//! Conditions: `if clamp | d is float & !s2`, evaluated for each row when the macro runs.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::Ident;
use syn::parse::ParseStream;
use syn::{Lit, Token};

use crate::ty::Ty;

#[derive(Clone)]
pub enum Cond {
    Name(Ident),
    Is(Ident, String),
    Not(Box<Cond>),
    And(Box<Cond>, Box<Cond>),
    Or(Box<Cond>, Box<Cond>),
}

/// What a condition can ask of a row.
pub struct Facts<'a> {
    pub words: &'a BTreeSet<String>,
    pub roles: &'a BTreeMap<String, Ty>,
    pub rider: bool,
}

impl Cond {
    pub fn parse(input: ParseStream) -> syn::Result<Cond> {
        let mut left = Self::and(input)?;
        while input.peek(Token![|]) {
            input.parse::<Token![|]>()?;
            left = Cond::Or(Box::new(left), Box::new(Self::and(input)?));
        }
        Ok(left)
    }

    fn and(input: ParseStream) -> syn::Result<Cond> {
        let mut left = Self::unary(input)?;
        while input.peek(Token![&]) {
            input.parse::<Token![&]>()?;
            left = Cond::And(Box::new(left), Box::new(Self::unary(input)?));
        }
        Ok(left)
    }

    fn unary(input: ParseStream) -> syn::Result<Cond> {
        if input.peek(Token![!]) {
            input.parse::<Token![!]>()?;
            return Ok(Cond::Not(Box::new(Self::unary(input)?)));
        }
        if input.peek(syn::token::Paren) {
            let inner;
            syn::parenthesized!(inner in input);
            return Self::parse(&inner);
        }
        if !input.peek(syn::Ident) {
            return Err(input.error("expected a condition: a declared word, a role, `role is float`, `rider`"));
        }
        let name: Ident = input.parse()?;
        if crate::parse::peek_word(input, "is") {
            input.parse::<Ident>()?;
            let of = if input.peek(Lit) {
                input.parse::<syn::LitInt>()?.base10_digits().to_string()
            } else {
                let class: Ident = input.parse()?;
                if Ty::WORD.is(&class.to_string()).is_none() {
                    let say = format!("`{class}` is no class: write float, int, bits, mask, packed or a width in bits");
                    return Err(syn::Error::new(class.span(), say));
                }
                class.to_string()
            };
            return Ok(Cond::Is(name, of));
        }
        Ok(Cond::Name(name))
    }

    pub fn holds(&self, facts: &Facts) -> bool {
        match self {
            Cond::Name(n) => {
                let n = n.to_string();
                if n == "rider" { facts.rider } else { facts.words.contains(&n) || facts.roles.contains_key(&n) }
            }
            Cond::Is(role, of) => facts.roles.get(&role.to_string()).is_some_and(|ty| ty.is(of).unwrap_or(false)),
            Cond::Not(c) => !c.holds(facts),
            Cond::And(a, b) => a.holds(facts) && b.holds(facts),
            Cond::Or(a, b) => a.holds(facts) || b.holds(facts),
        }
    }

    /// The roles whose type it asks for.
    pub fn roles<'a>(&'a self, out: &mut Vec<&'a Ident>) {
        match self {
            Cond::Name(_) => {}
            Cond::Is(n, _) => out.push(n),
            Cond::Not(c) => c.roles(out),
            Cond::And(a, b) | Cond::Or(a, b) => {
                a.roles(out);
                b.roles(out);
            }
        }
    }

    /// The names it asks for, to be held against declared words and roles.
    pub fn names<'a>(&'a self, out: &mut Vec<&'a Ident>) {
        match self {
            Cond::Name(n) | Cond::Is(n, _) => out.push(n),
            Cond::Not(c) => c.names(out),
            Cond::And(a, b) | Cond::Or(a, b) => {
                a.names(out);
                b.names(out);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::parse::Parser;

    /// Whether a condition holds for a row with the word `quick` and the roles `d: f16x2`, `s0: u64` and `m: mask`.
    fn holds(text: &str, rider: bool) -> bool {
        let ty = |name: &str| Ty::parse(&Ident::new(name, proc_macro2::Span::call_site())).unwrap_or(Ty::WORD);
        let words = BTreeSet::from(["quick".to_string()]);
        let roles = BTreeMap::from([("d".into(), ty("f16x2")), ("s0".into(), ty("u64")), ("m".into(), ty("mask"))]);
        let cond = Cond::parse.parse_str(text).unwrap_or_else(|e| panic!("{text}: {e}"));
        cond.holds(&Facts { words: &words, roles: &roles, rider })
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
        assert!(Cond::parse.parse_str("d is floating").is_err());
        assert!(Cond::parse.parse_str("d |").is_err());
    }
}

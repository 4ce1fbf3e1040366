//! Conditions such as `clamp | d is float & !s2`.

use crate::spanned::SpannedStr;

/// A condition on rows.
#[derive(Clone)]
pub enum Cond {
    /// A flag or a role that the row has, or the keyword `promoted`: the row is promoted from another format.
    Name(SpannedStr),
    /// `role is NAME`: a test of the role's type, see [`is`](crate::ty::is).
    Is(SpannedStr, String),
    /// `!a`.
    Not(Box<Cond>),
    /// `a & b`.
    And(Box<Cond>, Box<Cond>),
    /// `a | b`.
    Or(Box<Cond>, Box<Cond>),
}

impl Cond {
    /// Collects the roles whose types the condition tests.
    pub fn tested_roles<'a>(&'a self, out: &mut Vec<&'a SpannedStr>) {
        match self {
            Cond::Name(_) => {}
            Cond::Is(n, _) => out.push(n),
            Cond::Not(c) => c.tested_roles(out),
            Cond::And(a, b) | Cond::Or(a, b) => {
                a.tested_roles(out);
                b.tested_roles(out);
            }
        }
    }

    /// Collects all names of the condition: flags, roles and keywords.
    pub fn names<'a>(&'a self, out: &mut Vec<&'a SpannedStr>) {
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

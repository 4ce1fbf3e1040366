//! Conditions: `if clamp | d is float & !s2`, evaluated for each row when the macro runs.

use crate::tree::{Row, Text};
use crate::ty::Ty;

/// A condition on rows.
#[derive(Clone)]
pub enum Cond {
    /// A word that the row carries, a role that it has, or `rider`.
    Name(Text),
    /// The type of a role.
    Is(Text, String),
    /// The contrary.
    Not(Box<Cond>),
    /// Both.
    And(Box<Cond>, Box<Cond>),
    /// One of the two, or both.
    Or(Box<Cond>, Box<Cond>),
}

/// The name under which a condition asks for the operand at hand: `Vdst3 if it is mask => LaneMask`.
pub const IT: &str = "it";

/// What a condition can ask of a row.
#[derive(Clone, Copy)]
pub struct Facts<'a> {
    row: &'a Row,
    base: &'a Row,
    rider: bool,
    it: Option<Ty>,
}

impl<'a> Facts<'a> {
    /// A row in its own format or, as a rider, in another one. It has the operands of `base`: of itself, or of the row that
    /// it names.
    #[must_use]
    pub fn new(row: &'a Row, base: &'a Row, rider: bool) -> Facts<'a> {
        Facts { row, base, rider, it: None }
    }

    /// The same, asked about an operand of this type.
    #[must_use]
    pub fn about(self, it: Ty) -> Facts<'a> {
        Facts { it: Some(it), ..self }
    }

    /// Whether the row carries a word.
    pub(crate) fn word(&self, name: &str) -> bool {
        self.row.words.iter().chain(&self.base.words).any(|word| word == name)
    }

    /// The type of a role that it has.
    fn role(&self, name: &str) -> Option<Ty> {
        let role = || self.base.roles.iter().find(|role| role.name == *name).map(|role| role.ty);
        self.it.filter(|_| name == IT).or_else(role)
    }
}

impl Cond {
    /// Whether it is true of a row.
    #[must_use]
    pub fn holds(&self, facts: &Facts) -> bool {
        match self {
            Cond::Name(name) if name == "rider" => facts.rider,
            Cond::Name(name) => facts.word(name.as_str()) || facts.role(name.as_str()).is_some(),
            Cond::Is(role, of) => facts.role(role.as_str()).is_some_and(|ty| ty.is(of).unwrap_or(false)),
            Cond::Not(c) => !c.holds(facts),
            Cond::And(a, b) => a.holds(facts) && b.holds(facts),
            Cond::Or(a, b) => a.holds(facts) || b.holds(facts),
        }
    }

    /// The roles whose type it asks for.
    pub fn roles<'a>(&'a self, out: &mut Vec<&'a Text>) {
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
    pub fn names<'a>(&'a self, out: &mut Vec<&'a Text>) {
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

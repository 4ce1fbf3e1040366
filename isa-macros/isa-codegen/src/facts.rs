//! Evaluation of conditions, when the macro runs, for each row.

use crate::ast::{Block, Cond, Row};
use crate::spanned::SpannedStr;
use crate::ty::{self, Type};

/// The keyword for the current operand in conditions of a `build` clause: `Vdst3 if it is mask => LaneMask`.
pub const CURRENT_OPERAND: &str = "it";

/// The facts about a row that conditions test.
#[derive(Clone, Copy)]
pub struct RowFacts<'a> {
    row: &'a Row,
    base: &'a Row,
    is_promoted: bool,
    /// The flags of the format that follow from conditions.
    conditional_flags: &'a [(SpannedStr, Cond)],
    current_operand: Option<Type>,
}

impl<'a> RowFacts<'a> {
    /// Creates the facts of a row in its own format or, if `is_promoted`, in another one. `base` is the row that lists
    /// the roles: `row` itself, or the row that a component of a dual-issue format refers to.
    #[must_use]
    pub fn new(row: &'a Row, base: &'a Row, is_promoted: bool) -> RowFacts<'a> {
        RowFacts { row, base, is_promoted, conditional_flags: &[], current_operand: None }
    }

    /// Sets the format that encodes the row, whose conditions give the row flags.
    #[must_use]
    pub fn in_format(self, format: &'a Block) -> RowFacts<'a> {
        RowFacts { conditional_flags: &format.conditional_flags, ..self }
    }

    /// Sets the type of the current operand, `it`.
    #[must_use]
    pub fn with_current_operand(self, ty: Type) -> RowFacts<'a> {
        RowFacts { current_operand: Some(ty), ..self }
    }

    /// Returns whether the row has a flag.
    pub(crate) fn has_flag(&self, name: &str) -> bool {
        let is_stated = self.row.flags.iter().chain(&self.base.flags).any(|flag| flag == name);
        let follows = |(index, (flag, cond)): (usize, &(SpannedStr, Cond))| {
            // A condition tests the flags before it only, so the evaluation ends.
            flag == name && cond.holds(&RowFacts { conditional_flags: &self.conditional_flags[..index], ..*self })
        };
        is_stated || self.conditional_flags.iter().enumerate().any(follows)
    }

    /// Returns the type of a role, or `None` if the row does not list the role.
    fn role_type(&self, name: &str) -> Option<Type> {
        let role = || self.base.roles.iter().find(|role| role.name == *name).map(|role| role.ty);
        self.current_operand.filter(|_| name == CURRENT_OPERAND).or_else(role)
    }
}

impl Cond {
    /// Evaluates the condition.
    #[must_use]
    pub fn holds(&self, facts: &RowFacts) -> bool {
        match self {
            Cond::Name(name) if name == "promoted" => facts.is_promoted,
            Cond::Name(name) => facts.has_flag(name.as_str()) || facts.role_type(name.as_str()).is_some(),
            Cond::Is(role, test) => facts.role_type(role.as_str()).is_some_and(|of| ty::is(of, test).unwrap_or(false)),
            Cond::Not(c) => !c.holds(facts),
            Cond::And(a, b) => a.holds(facts) && b.holds(facts),
            Cond::Or(a, b) => a.holds(facts) || b.holds(facts),
        }
    }
}

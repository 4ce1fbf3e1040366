//! The rules between the operands of an instruction.

use core::fmt;

/// Who forbids it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Authority {
    /// LLVM's assembler.
    Llvm,
    /// The texts; LLVM's assembler lets it pass, and so does the parser.
    Guide,
}

/// A rule between the operands of one instruction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Rule {
    /// Registers end at v255.
    VgprRange,
    /// A store has no status to bring back.
    StatusOfStore,
    /// The offset into a buffer resource is not negative.
    BufferOffset,
    /// In GCN 1.2 the offset of a scalar store is a constant or M0.
    StoreOffset,
}

impl Rule {
    const fn words(self) -> (&'static str, &'static str, Authority) {
        match self {
            Rule::VgprRange => ("vector registers end at v255", "begin at a lower register", Authority::Llvm),
            Rule::StatusOfStore => ("a store has no status: `tfe` is for loads", "remove `tfe`", Authority::Llvm),
            Rule::BufferOffset => {
                ("the offset into a buffer must not be negative", "add to the base or to the register", Authority::Llvm)
            }
            Rule::StoreOffset => (
                "the register in the address of a scalar store must be m0",
                "move the offset to m0, or write it as a constant",
                Authority::Guide,
            ),
        }
    }

    /// The rule in a sentence.
    #[must_use]
    pub const fn text(self) -> &'static str {
        self.words().0
    }

    /// Returns the advice that follows the rule in errors.
    #[must_use]
    pub const fn help(self) -> &'static str {
        self.words().1
    }

    /// Who forbids it.
    #[must_use]
    pub const fn authority(self) -> Authority {
        self.words().2
    }
}

/// A rule that an instruction breaks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Violation {
    /// The rule.
    pub rule: Rule,
    /// The role of the operand that breaks the rule.
    pub operand: &'static str,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}; {}", self.operand, self.rule.text(), self.rule.help())
    }
}

impl core::error::Error for Violation {}

//! Legality rules between the operands of an instruction, which decoding does not check.
//!
//! Each rule is stated once, for all generations; flags of rows select the instructions that it applies to.

use core::fmt;

use isa::{Forbidden, MAX_DWORDS, Operands};

use crate::{File, Generation, Value, flags, gcn1_0, roles};

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

/// Checks an instruction with these operands, flags of its row and dwords. What LLVM forbids comes
/// first, since the parser asks for that.
pub(crate) fn check<I: Generation>(
    operands: Operands<I>,
    row: u128,
    dwords: &[u32; MAX_DWORDS],
) -> Result<(), Violation> {
    let at_fault = |rule, operand| Err(Violation { rule, operand });
    let beyond = |value| matches!(value, Value::Registers(r) if r.file == File::Vgpr && u16::from(r.first) + u16::from(r.count) > 256);
    let vector = |o: &isa::OperandInfo<I>| matches!(o.value, Value::Registers(r) if r.file == File::Vgpr);
    if let Some(o) = operands.clone().find(|o| beyond(o.value)) {
        return at_fault(Rule::VgprRange, o.role);
    }
    let negative = |o: &isa::OperandInfo<I>| matches!(o.value, Value::Immediate(n) if n < 0);
    if row & flags::BUFFER != 0
        && let Some(o) = operands.clone().find(negative)
    {
        return at_fault(Rule::BufferOffset, o.role);
    }
    if row & flags::STORE == 0 {
        return Ok(());
    }
    // TFE has the same place in all generations.
    let low = u64::from(dwords[0]) | u64::from(dwords[1]) << 32;
    if operands.clone().any(|o| vector(&o)) && gcn1_0::raw::Mubuf::from_bits(low).tfe() {
        return at_fault(Rule::StatusOfStore, "data");
    }
    let register = |o: &isa::OperandInfo<I>| {
        o.role == roles::OFFSET && matches!(o.value, Value::Registers(r) if r.file != File::M0)
    };
    match operands.clone().find(register) {
        Some(o) if row & flags::GCN1_2 != 0 => at_fault(Rule::StoreOffset, o.role),
        _ => Ok(()),
    }
}

/// Returns the error of the parser, which applies only the rules that LLVM's assembler applies.
pub(crate) fn for_text(checked: Result<(), Violation>) -> Result<(), Forbidden> {
    match checked {
        Err(Violation { rule, operand }) if rule.authority() == Authority::Llvm => {
            Err(Forbidden { operand, rule: rule.text(), help: rule.help() })
        }
        _ => Ok(()),
    }
}

//! What decodes and is forbidden all the same: rules between the operands of one instruction.
//!
//! Each rule stands here once: [`Instr::check`] asks it of a finished instruction, and the parser asks `check`. A rule
//! reads [`Instr::operands`], so it holds for every row whose operands it concerns; where it concerns some rows only, a
//! word of those rows says so.

use core::fmt;

use isa::{Access, Forbidden};

use crate::{File, Instr, OperandInfo, Registers, Value, Wave, words};

/// What code is made for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Target {
    /// The wave size.
    pub wave: Wave,
}

impl From<Wave> for Target {
    fn from(wave: Wave) -> Self {
        Target { wave }
    }
}

/// Who forbids it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Authority {
    /// The guide and LLVM's assembler.
    Both,
    /// LLVM's assembler; the guide does not speak of it or allows it.
    Llvm,
    /// The guide; LLVM's assembler lets it pass, and so does the parser.
    Guide,
}

/// A rule between the operands of one instruction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Rule {
    /// A vector instruction reads at most two different scalar values, a literal among them; 64-bit shifts one.
    ConstantBus,
    /// The first sources of a dual-issue pair are in different VGPR banks.
    BankOfSource0,
    /// The second sources of a dual-issue pair are in different VGPR banks.
    BankOfSource1,
    /// The third sources of a dual-issue pair, accumulators among them, are one even and one odd.
    BankOfSource2,
    /// Registers end at v255.
    VgprRange,
    /// A counter that is waited for takes NULL beside the number.
    WaitRegister,
    /// The offset of a buffer load is not negative.
    BufferOffset,
    /// The second source of an instruction with DPP is a VGPR.
    DppSource,
    /// A lane mask goes to scalar registers.
    MaskDestination,
}

/// What is said of a rule.
struct Words {
    text: &'static str,
    mend: &'static str,
    section: &'static str,
    authority: Authority,
}

impl Rule {
    const fn words(self) -> Words {
        use Authority::{Both, Guide, Llvm};
        let (text, mend, section, authority) = match self {
            Rule::ConstantBus => (
                "an instruction reads at most two different scalar values (a 64-bit shift one), a literal among them",
                "move one of them to a VGPR first",
                "7.2.2.3",
                Both,
            ),
            Rule::BankOfSource0 => (
                "the first sources of a pair must be in different VGPR banks (the number modulo 4)",
                "choose other registers, or swap the sources where the operation allows it",
                "7.6",
                Both,
            ),
            Rule::BankOfSource1 => (
                "the second sources of a pair must be in different VGPR banks (the number modulo 4)",
                "choose other registers, or swap the sources where the operation allows it",
                "7.6",
                Both,
            ),
            Rule::BankOfSource2 => (
                "the third sources of a pair (accumulators among them) must be one even and one odd",
                "choose other registers",
                "7.6",
                Both,
            ),
            Rule::VgprRange => ("vector registers end at v255", "begin at a lower register", "3.3.2.2", Both),
            Rule::WaitRegister => ("the register beside the count must be null", "write null", "15.1.2", Llvm),
            Rule::BufferOffset => (
                "the offset of a buffer load must not be negative",
                "add to the base or to the register",
                "8.1.2",
                Both,
            ),
            Rule::DppSource => {
                ("the second source beside DPP must be a vector register", "move it to a VGPR first", "7.7", Llvm)
            }
            Rule::MaskDestination => {
                ("a lane mask is written to scalar registers", "name an SGPR, VCC or null", "15.3.4", Guide)
            }
        };
        Words { text, mend, section, authority }
    }

    /// The rule in a sentence.
    #[must_use]
    pub const fn text(self) -> &'static str {
        self.words().text
    }

    /// What to do about it.
    #[must_use]
    pub const fn mend(self) -> &'static str {
        self.words().mend
    }

    /// The section of the guide that it is about.
    #[must_use]
    pub const fn section(self) -> &'static str {
        self.words().section
    }

    /// Who forbids it.
    #[must_use]
    pub const fn authority(self) -> Authority {
        self.words().authority
    }
}

/// A rule that an instruction breaks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Violation {
    /// The rule.
    pub rule: Rule,
    /// The role of the operand at fault.
    pub operand: &'static str,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Violation { rule, operand } = self;
        write!(f, "{operand}: {}; {} (guide §{})", rule.text(), rule.mend(), rule.section())
    }
}

impl core::error::Error for Violation {}

/// How many different scalar values are told apart: more than any instruction may read.
const MOST_SCALARS: usize = 8;

/// What one scalar source reads through the constant bus.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scalar {
    Registers(Registers),
    /// VCC that the encoding implies, which counts apart from a VCC that is written.
    Implied,
    /// A literal, by the width of the operand: one that is used at two widths counts twice.
    Literal(u16),
}

fn scalar(operand: &OperandInfo) -> Option<Scalar> {
    match operand.value {
        Value::Registers(r) if !matches!(r.file, File::Vgpr | File::Null) => Some(Scalar::Registers(r)),
        Value::Literal(_) => Some(Scalar::Literal(operand.ty.bits())),
        _ => None,
    }
}

fn vgpr(value: Value) -> Option<u8> {
    match value {
        Value::Registers(r) if r.file == File::Vgpr => Some(r.first),
        _ => None,
    }
}

impl Instr {
    /// Whether the instruction obeys the rules of its target.
    ///
    /// # Errors
    /// The first rule it breaks.
    pub fn check(&self, target: impl Into<Target>) -> Result<(), Violation> {
        let wave = target.into().wave;
        self.constant_bus(wave)?;
        self.banks(wave)?;
        self.ranges(wave)?;
        self.dpp_source(wave)?;
        self.mask_destination(wave)?;
        self.scalar_rules(wave)
    }

    /// Whether it is a vector instruction, which reads scalars through the constant bus.
    const fn reads_constant_bus(&self) -> bool {
        matches!(
            self,
            Instr::Vop1(_)
                | Instr::Vop2(_)
                | Instr::Vopc(_)
                | Instr::Vop3(_)
                | Instr::Vop3sd(_)
                | Instr::Vop3p(_)
                | Instr::Vopd(_)
        )
    }

    /// Whether a mask that it reads is VCC because the format has no field for it.
    const fn implies_vcc(&self) -> bool {
        matches!(self, Instr::Vop2(_) | Instr::Vopd(_))
    }

    fn constant_bus(&self, wave: Wave) -> Result<(), Violation> {
        if !self.reads_constant_bus() {
            return Ok(());
        }
        let limit = if self.row_words() & words::ONE_SCALAR != 0 { 1 } else { 2 };
        let mut seen = [None; MOST_SCALARS];
        let mut count = 0;
        for operand in self.operands(wave).filter(|o| o.access != Access::Write) {
            let Some(mut read) = scalar(&operand) else { continue };
            if operand.ty.class() == isa::Class::Mask && (operand.role == "vcc" || self.implies_vcc()) {
                read = Scalar::Implied;
            }
            if seen.contains(&Some(read)) {
                continue;
            }
            if let Some(free) = seen.get_mut(count) {
                *free = Some(read);
            }
            count += 1;
            if count > limit {
                return Err(Violation { rule: Rule::ConstantBus, operand: operand.role });
            }
        }
        Ok(())
    }

    fn banks(&self, wave: Wave) -> Result<(), Violation> {
        if !matches!(self, Instr::Vopd(_)) {
            return Ok(());
        }
        const FOUR: u8 = 3;
        const PARITY: u8 = 1;
        let (x, y) = (self.pair_sources(wave, 0), self.pair_sources(wave, 1));
        let rules =
            [(Rule::BankOfSource0, "s0", FOUR), (Rule::BankOfSource1, "s1", FOUR), (Rule::BankOfSource2, "s2", PARITY)];
        for ((x, y), (rule, operand, mask)) in x.into_iter().zip(y).zip(rules) {
            if let (Some(x), Some(y)) = (x, y)
                && (x ^ y) & mask == 0
            {
                return Err(Violation { rule, operand });
            }
        }
        Ok(())
    }

    /// The VGPRs that one half of a pair reads through each of its three ports. An accumulator takes the third; so does
    /// the source that stands behind a constant.
    fn pair_sources(&self, wave: Wave, component: u8) -> [Option<u8>; 3] {
        let mut ports = [None; 3];
        let mut next = 0;
        for operand in self.operands(wave).filter(|o| o.component == component) {
            let port = match operand.access {
                Access::ReadWrite => 2,
                Access::Read => {
                    next += 1;
                    next - 1
                }
                _ => continue,
            };
            if let Some(to) = ports.get_mut(port) {
                *to = vgpr(operand.value);
            }
        }
        ports
    }

    fn dpp_source(&self, wave: Wave) -> Result<(), Violation> {
        if !self.tail().is_some_and(|tail| tail.starts_with("DPP")) {
            return Ok(());
        }
        let scalar = |o: &OperandInfo| o.role == "s1" && vgpr(o.value).is_none();
        match self.operands(wave).find(scalar) {
            Some(o) => Err(Violation { rule: Rule::DppSource, operand: o.role }),
            None => Ok(()),
        }
    }

    fn mask_destination(&self, wave: Wave) -> Result<(), Violation> {
        let wrong = |o: &OperandInfo| {
            let special = |r: Registers| matches!(r.file, File::Special | File::Scc);
            o.access == Access::Write && matches!(o.value, Value::Registers(r) if special(r))
        };
        match self.operands(wave).find(wrong) {
            Some(o) => Err(Violation { rule: Rule::MaskDestination, operand: o.role }),
            None => Ok(()),
        }
    }

    fn ranges(&self, wave: Wave) -> Result<(), Violation> {
        let beyond = |o: &OperandInfo| match o.value {
            Value::Registers(r) => r.file == File::Vgpr && u16::from(r.first) + u16::from(r.count) > 256,
            Value::Scattered { groups, first, count } => first
                .iter()
                .zip(count)
                .take(usize::from(groups))
                .any(|(first, count)| u16::from(*first) + u16::from(count) > 256),
            _ => false,
        };
        match self.operands(wave).find(beyond) {
            Some(o) => Err(Violation { rule: Rule::VgprRange, operand: o.role }),
            None => Ok(()),
        }
    }

    fn scalar_rules(&self, wave: Wave) -> Result<(), Violation> {
        let mut operands = self.operands(wave);
        if self.row_words() & words::WAITS != 0 {
            let waits = |o: &OperandInfo| matches!(o.value, Value::Registers(r) if r.file != File::Null);
            if let Some(o) = operands.find(waits) {
                return Err(Violation { rule: Rule::WaitRegister, operand: o.role });
            }
        } else if self.row_words() & words::BUFFER != 0 {
            let negative = |o: &OperandInfo| o.role == "offset" && matches!(o.value, Value::Immediate(n) if n < 0);
            if let Some(o) = operands.find(negative) {
                return Err(Violation { rule: Rule::BufferOffset, operand: o.role });
            }
        }
        Ok(())
    }
}

/// What the parser asks: the rules that LLVM's assembler holds too.
pub(crate) fn for_text(instr: &Instr, wave: Wave) -> Result<(), Forbidden> {
    match instr.check(wave) {
        Err(Violation { rule, operand }) if rule.authority() != Authority::Guide => {
            Err(Forbidden { operand, rule: rule.text(), mend: rule.mend() })
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;

    fn checked(text: &str) -> Result<(), Rule> {
        let options = isa::Options { mode: Wave::W32, lenient: true };
        let instr = Instr::parse(text, options).unwrap_or_else(|e| panic!("{text}: {e}"));
        instr.check(Wave::W32).map_err(|v| v.rule)
    }

    #[test]
    fn scalars_of_a_vector_instruction_are_counted_once_each() {
        assert_eq!(checked("v_fma_f32 v0, s1, s2, v3"), Ok(()));
        assert_eq!(checked("v_fma_f32 v0, s1, s2, s1"), Ok(()));
        assert_eq!(checked("v_fma_f32 v0, s1, 0x1234, s1"), Ok(()));
        assert_eq!(checked("v_fma_f32 v0, s1, s2, s3"), Err(Rule::ConstantBus));
        assert_eq!(checked("v_fma_f32 v0, s1, 0x1234, s3"), Err(Rule::ConstantBus));
        assert_eq!(checked("v_fma_f32 v0, s1, 1.0, s3"), Ok(()));
        assert_eq!(checked("v_lshlrev_b64 v[0:1], s1, s[2:3]"), Err(Rule::ConstantBus));
    }

    #[test]
    fn pairs_read_from_different_banks() {
        assert_eq!(checked("v_dual_mul_f32 v0, v1, v2 :: v_dual_mul_f32 v3, v2, v3"), Ok(()));
        assert_eq!(checked("v_dual_mul_f32 v0, v1, v2 :: v_dual_mul_f32 v3, v5, v3"), Err(Rule::BankOfSource0));
        assert_eq!(checked("v_dual_mul_f32 v0, v1, v2 :: v_dual_mul_f32 v3, v2, v6"), Err(Rule::BankOfSource1));
        assert_eq!(checked("v_dual_fmac_f32 v0, v1, v2 :: v_dual_fmac_f32 v3, v2, v3"), Ok(()));
    }

    #[test]
    fn a_violation_says_rule_mend_and_section() {
        let text = std::string::ToString::to_string(&Violation { rule: Rule::VgprRange, operand: "d" });
        assert_eq!(text, "d: vector registers end at v255; begin at a lower register (guide §3.3.2.2)");
    }
}

//! Rules of scalar instructions: arithmetic, control, loads.

use isa::Code;
use isa::constants::literal_half;

use super::{Facts, Finding, forbid, is_in, registers};
use crate::operands::{HwRegister, constant_type, is_listed_message};
use crate::{File, Format, Generation, Rule, Value, flags, roles};

/// The registers that others follow, which M0 can therefore index.
const INDEXED: &[File] = &[File::Sgpr, File::Vcc, File::Ttmp];

/// How many bits of S_CLAUSE's constant say how long it is, and the longest.
const CLAUSE_MASK: i32 = 63;
const LONGEST: i32 = 62;

impl<I: Generation> Facts<'_, I> {
    pub(super) fn scalar(&self) -> Finding {
        if self.has(flags::WAITS) {
            let waits = |r: crate::Registers| r.file != File::Null;
            Self::forbid(self.operands(), Rule::WaitRegister, |o| registers(o).is_some_and(waits))
        } else if self.has(flags::BUFFER) {
            Self::forbid(self.operands(), Rule::BufferOffset, |o| {
                o.role == roles::OFFSET && matches!(o.value, Value::Immediate(n) if n < 0)
            })
        } else if self.has(flags::HALF_CONSTANTS | flags::BIT_CONSTANTS) {
            Self::forbid(self.reads(), Rule::HalfLiteral, |o| match o.value {
                Value::Literal(bits) => !literal_half(bits, constant_type(o.ty, self.cx.shape.flags()), false),
                _ => false,
            })
        } else {
            Ok(())
        }
    }

    pub(super) fn scalar_guide(&self) -> Finding {
        if self.is(Format::Smem) {
            Self::forbid(self.reads(), Rule::LoadAddress, |o| is_in(o, &[File::Exec]))?;
            // RDNA4's guide allows NULL, for a prefetch that is waited for (§8.1).
            let is_forbidden = I::FAMILY == crate::Family::Gfx11;
            return Self::forbid(self.writes(), Rule::LoadDestination, |o| is_forbidden && is_in(o, &[File::Null]));
        }
        let indexes = [(roles::S0, flags::INDEX_S), (roles::D, flags::INDEX_D)];
        for (role, _) in indexes.into_iter().filter(|(_, word)| self.has(*word)) {
            Self::forbid(self.operands(), Rule::IndexedRegister, |o| o.role == role && !is_in(o, INDEXED))?;
        }
        if self.has(flags::WREXEC) {
            Self::forbid(self.writes(), Rule::ExecTwice, |o| is_in(o, &[File::Exec]))?;
        }
        if self.has(flags::ONE_DWORD) {
            Self::forbid(self.reads(), Rule::OneDword, |o| matches!(o.value, Value::Literal(_)))?;
        }
        self.constants()
    }

    /// Checks the rules about constants: message, hardware register, clause length, trap.
    fn constants(&self) -> Finding {
        let Some(operand) = self.operand(roles::IMM) else { return Ok(()) };
        let Value::Immediate(number) = operand.value else { return Ok(()) };
        let low = number & 0xff;
        let bits = operand.ty.bits();
        forbid(bits < 16 && !self.has(flags::MESSAGE) && number >> bits != 0, Rule::ReservedBits, "imm")?;
        if self.has(flags::CLAUSE) {
            forbid(!(1..=LONGEST).contains(&(number & CLAUSE_MASK)), Rule::ClauseLength, "imm")?;
        }
        forbid(self.has(flags::TRAP) && low == 0, Rule::TrapId, "imm")?;
        let returns = self.operand(roles::D).is_some();
        if self.has(flags::MESSAGE) {
            forbid(!is_listed_message(I::FEATURES, low as u8, returns), Rule::Message, "imm")?;
        }
        if self.has(flags::HWREG) {
            let register = HwRegister::from_code(number as u32);
            forbid(register.offset + register.size > 32, Rule::RegisterBits, "imm")?;
            let can =
                if returns { register.can_be_read() } else { !I::FEATURES.read_only_registers.contains(&register.id) };
            forbid(!can, Rule::RegisterAccess, "imm")?;
        }
        Ok(())
    }
}

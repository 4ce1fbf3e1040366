//! Rules of vector instructions.

use isa::constants::literal_half;
use isa::{Access, Class, OperandInfo};

use super::fast::both;
use super::{Facts, Finding, Violation, forbid, is_in, overlap, registers};
use crate::{File, Format, Generation, Instruction, Registers, Rule, Value, Wave, flags, modifiers, raw, roles};

/// How many different scalar values are told apart: more than any instruction may read.
const MOST_SCALARS: usize = 8;

/// The sources by their number, and their signs.
const SOURCES: [(&str, [isa::Modifier; 2]); 3] = [
    (roles::S0, [modifiers::NEG0, modifiers::ABS0]),
    (roles::S1, [modifiers::NEG1, modifiers::ABS1]),
    (roles::S2, [modifiers::NEG2, modifiers::ABS2]),
];

/// Everything scalar that a vector instruction cannot write.
const NO_DESTINATION: &[File] = &[File::Special, File::Scc, File::M0, File::Exec];

/// A value that a scalar source reads through the constant bus.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scalar {
    Registers(Registers),
    /// VCC as a pair, which the encoding may imply: half of it that is written counts apart.
    Implied,
    /// A literal, by how many registers the operand takes: one that is used as one and as two counts twice.
    Literal(u8),
}

fn scalar<I: Generation>(operand: &OperandInfo<I>) -> Option<Scalar> {
    match operand.value {
        Value::Registers(r) if !matches!(r.file, File::Vgpr | File::Null) => Some(Scalar::Registers(r)),
        Value::Literal(_) => Some(Scalar::Literal(operand.ty.dwords())),
        _ => None,
    }
}

fn vgpr<I: Generation>(operand: &OperandInfo<I>) -> Option<u8> {
    registers(operand).filter(|r| r.file == File::Vgpr).map(|r| r.first)
}

fn is_mask<I: Generation>(operand: &OperandInfo<I>) -> bool {
    operand.ty.class() == Class::Mask
}

impl<I: Generation> Facts<'_, I> {
    pub(super) fn vector(&self) -> Finding {
        if self.cx.suffix_dword != 0 {
            self.dpp_source()?;
            self.half_literal()?;
        }
        self.constant_bus()?;
        if self.is(Format::Vopd) { self.banks() } else { Ok(()) }
    }

    pub(super) fn vector_guide(&self) -> Finding {
        Self::forbid(self.writes(), Rule::ScalarDestination, |o| is_in(o, NO_DESTINATION))?;
        self.masks()?;
        if self.has(flags::UNIFORM) {
            Self::forbid(self.reads(), Rule::PseudoScalar, |o| is_in(o, &[File::Vgpr]))?;
            Self::forbid(self.writes(), Rule::PseudoScalar, |o| is_in(o, &[File::Vcc]))?;
        }
        match self.instr.microcode() {
            Format::Vopd => self.pair_scalars(),
            Format::Vop3p => self.packed_modifiers(),
            _ => self.modifiers(),
        }
    }

    /// Whether a mask that it reads is VCC because the format has no field for it.
    fn implies_vcc(&self) -> bool {
        matches!(self.instr.microcode(), Format::Vop2 | Format::Vopd)
    }

    fn constant_bus(&self) -> Finding {
        let limit = if self.has(flags::ONE_SCALAR) { 1 } else { 2 };
        let mut seen = [None; MOST_SCALARS];
        let mut count = 0;
        for operand in self.reads() {
            let Some(mut read) = scalar(operand) else { continue };
            let pair = matches!(read, Scalar::Registers(r) if r.file == File::Vcc && r.count == 2);
            if pair || is_mask(operand) && (operand.role == roles::VCC || self.implies_vcc()) {
                read = Scalar::Implied;
            }
            if seen.contains(&Some(read)) {
                continue;
            }
            if let Some(free) = seen.get_mut(count) {
                *free = Some(read);
            }
            count += 1;
            forbid(count > limit, Rule::ConstantBus, operand.role)?;
        }
        Ok(())
    }

    fn banks(&self) -> Finding {
        const FOUR: u8 = 3;
        const PARITY: u8 = 1;
        let (x, mut y) = (self.pair_sources(0), self.pair_sources(1));
        let fields = raw::Vopd::from_bits(self.instr.low64());
        if I::FEATURES.copies_use_third_port && both(fields, flags::vopd::COPIES) {
            y.swap(0, 2);
        }
        let rules = [
            (Rule::BankOfSource0, roles::S0, FOUR),
            (Rule::BankOfSource1, roles::S1, FOUR),
            (Rule::BankOfSource2, roles::S2, PARITY),
        ];
        for ((x, y), (rule, operand, mask)) in x.into_iter().zip(y).zip(rules) {
            if let (Some(x), Some(y)) = (x, y) {
                forbid((x ^ y) & mask == 0, rule, operand)?;
            }
        }
        Ok(())
    }

    /// Returns the VGPRs that one half of a pair reads through each of its three ports. The third port reads an accumulator, or
    /// the source after a mandatory literal.
    fn pair_sources(&self, component: u8) -> [Option<u8>; 3] {
        let mut ports = [None; 3];
        let mut next = 0;
        for operand in self.operands().filter(|o| o.component == component) {
            let port = match operand.access {
                Access::ReadWrite => 2,
                Access::Read => {
                    next += 1;
                    next - 1
                }
                _ => continue,
            };
            if let Some(to) = ports.get_mut(port) {
                *to = vgpr(operand);
            }
        }
        ports
    }

    fn dpp_source(&self) -> Finding {
        let scalar = I::FEATURES.scalar_dpp_source && !self.has(flags::MIX);
        if scalar || !self.cx.suffix_dword_name().is_some_and(|suffix_dword| suffix_dword.starts_with("DPP")) {
            return Ok(());
        }
        Self::forbid(self.operands(), Rule::DppSource, |o| o.role == roles::S1 && vgpr(o).is_none())
    }

    fn half_literal(&self) -> Finding {
        // Text has these as f16, regardless of the row.
        let text = self.has(flags::MIX | flags::FLOAT_TEXT);
        Self::forbid(self.reads(), Rule::HalfLiteral, |o| match o.value {
            Value::Literal(bits) => !literal_half(bits, o.ty, text),
            _ => false,
        })
    }

    /// Each half of a pair reads one scalar register at most.
    fn pair_scalars(&self) -> Finding {
        for half in 0..2 {
            let scalars = self.reads().filter(|o| o.component == half);
            let mut scalars = scalars.filter(|o| matches!(scalar(o), Some(Scalar::Registers(_))));
            let first = scalars.next().map(|o| o.value);
            Self::forbid(scalars, Rule::PairScalars, |o| Some(o.value) != first)?;
        }
        Ok(())
    }

    fn masks(&self) -> Finding {
        match self.wave {
            Wave::W32 => Self::forbid(self.operands(), Rule::MaskHalf, |o| {
                is_mask(o) && registers(o).is_some_and(|r| matches!(r.file, File::Vcc | File::Exec) && r.first == 1)
            }),
            Wave::W64 => {
                let written = self.writes().filter(|o| is_mask(o)).filter_map(registers);
                for mask in written.filter(|r| !matches!(r.file, File::Null | File::Vgpr)) {
                    let plain = self.reads().filter(|o| !is_mask(o));
                    Self::forbid(plain, Rule::MaskOverwrites, |o| registers(o).is_some_and(|r| overlap(r, mask)))?;
                }
                Ok(())
            }
        }
    }

    /// Signs, halves and output modifiers of the formats but VOP3P.
    fn modifiers(&self) -> Finding {
        forbid(self.has(flags::WAVE64) && self.wave == Wave::W32, Rule::Wave64Only, "instruction")?;
        let op_sel = if self.has(flags::FETCH | flags::BYTE_SOURCE | flags::BYTE_RESULT) {
            0
        } else {
            self.modifier(modifiers::OP_SEL)
        };
        for (n, (role, signs)) in SOURCES.into_iter().enumerate() {
            let Some(source) = self.operand(role) else { continue };
            forbid(op_sel >> n & 1 != 0 && source.ty.total_bits() != 16, Rule::HalfSelect, role)?;
            let float = source.ty.is_float() || self.has(flags::SIGNS);
            forbid(!float && signs.iter().any(|sign| self.modifier(*sign) != 0), Rule::IntegerSign, role)?;
        }
        let Some(d) = self.operand(roles::D) else { return Ok(()) };
        forbid(op_sel >> 3 & 1 != 0 && d.ty.total_bits() != 16, Rule::HalfSelect, roles::D)?;
        let scaled = d.ty.is_float() && d.ty.lanes() == 1;
        forbid(!scaled && self.modifier(modifiers::OMOD) != 0, Rule::OutputScale, modifiers::OMOD.name)
    }

    fn packed_modifiers(&self) -> Finding {
        if self.has(flags::MIX) {
            return Ok(());
        }
        let (op_sel, neg_lo, neg_hi) =
            (self.modifier(modifiers::OP_SEL), self.modifier(modifiers::NEG_LO), self.modifier(modifiers::NEG_HI));
        let either = self.operand(roles::S0).is_some_and(|o| o.ty.class() == Class::EitherSign);
        if either {
            forbid(neg_lo >> 2 != 0, Rule::IntegerMatrixSign, modifiers::NEG_LO.name)?;
            forbid(neg_hi != 0, Rule::IntegerMatrixSign, modifiers::NEG_HI.name)?;
        }
        for (n, (role, _)) in SOURCES.into_iter().enumerate() {
            let Some(source) = self.operand(role) else { continue };
            forbid(op_sel >> n & 1 != 0 && source.ty.lanes() == 1, Rule::HalfSelect, role)?;
            forbid(!either && !source.ty.is_float() && (neg_lo | neg_hi) >> n & 1 != 0, Rule::IntegerSign, role)?;
        }
        self.matrices()
    }

    /// Matrices are the only operands of more registers than two here.
    fn matrices(&self) -> Finding {
        let matrix = |role| self.operand(role).and_then(registers).filter(|r| r.file == File::Vgpr && r.count > 2);
        let (Some(d), Some(c)) = (matrix(roles::D), matrix(roles::S2)) else { return Ok(()) };
        if I::FEATURES.matrices_overlap || !overlap(c, d) {
            return Ok(());
        }
        for role in [roles::S0, roles::S1] {
            if matrix(role).is_some_and(|factor| overlap(factor, c)) {
                return Err(Violation::new(Rule::MatrixOverlap, role));
            }
        }
        Ok(())
    }
}

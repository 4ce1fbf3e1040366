//! What the rules ask of each instruction: the registers it reads and writes, what it raises and what it waits for.

use alloc::vec::Vec;
use core::fmt;

use rdna3_rows::isa::{Access, Class};
use rdna3_rows::{File, Instr, Registers, Value, Wave, words};

use crate::counter::{Raise, Waits, raises, waits};

/// The number of v0 among all registers; scalar ones have their codes.
const VGPRS: u16 = 128;
/// EXEC.
pub(super) const EXEC: Span = Span { first: 126, end: 128 };

/// Registers one behind the other.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Span {
    first: u16,
    end: u16,
}

impl Span {
    fn of(registers: Registers) -> Option<Self> {
        let base = match registers.file {
            File::Sgpr => 0,
            File::Vcc => 106,
            File::Ttmp => 108,
            File::M0 => 125,
            File::Exec => 126,
            File::Vgpr => VGPRS,
            File::Null | File::Scc | File::Special => return None,
        };
        let first = base + u16::from(registers.first);
        Some(Span { first, end: first + u16::from(registers.count) })
    }

    /// Whether some register is in both.
    #[must_use]
    pub const fn meets(self, other: Span) -> bool {
        self.first < other.end && other.first < self.end
    }

    /// The registers that are in both, if there are any.
    #[must_use]
    pub fn common(self, other: Span) -> Option<Span> {
        let both = Span { first: self.first.max(other.first), end: self.end.min(other.end) };
        (both.first < both.end).then_some(both)
    }

    /// What is left on either side when `other` is taken away.
    pub(super) fn without(self, other: Span) -> impl Iterator<Item = Span> {
        let left = Span { first: self.first, end: self.end.min(other.first) };
        let right = Span { first: self.first.max(other.end), end: self.end };
        [left, right].into_iter().filter(|s| s.first < s.end)
    }

    /// Whether they are vector registers.
    #[must_use]
    pub const fn vector(self) -> bool {
        self.first >= VGPRS
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, base) = match self.first {
            0..106 => ("s", 0),
            106 | 107 => return f.write_str("vcc"),
            108..124 => ("ttmp", 108),
            125 => return f.write_str("m0"),
            124..128 => return f.write_str("exec"),
            _ => ("v", VGPRS),
        };
        if self.end - self.first == 1 {
            write!(f, "{name}{}", self.first - base)
        } else {
            write!(f, "{name}[{}:{}]", self.first - base, self.end - 1 - base)
        }
    }
}

/// Registers that an instruction reads or writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Touch {
    pub span: Span,
    pub reads: bool,
    pub writes: bool,
    /// The name of the role is `d`, `s0` …
    pub role: &'static str,
}

/// What one instruction does.
#[derive(Clone, Debug)]
pub(super) struct Fact {
    pub touches: Vec<Touch>,
    pub raises: [Option<Raise>; 2],
    pub waits: Waits,
    /// It is a call: when it has come back nothing is known of what was under way.
    pub call: bool,
    /// What it makes of lane masks.
    pub mask: Option<MaskStep>,
}

/// What the result of an instruction is of lane masks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct MaskStep {
    op: MaskOp,
    /// The scalar codes of the sources, 128 for what is none.
    of: [u8; 2],
    /// The scalar code of the result.
    to: u8,
    /// Gets what EXEC was.
    saved: Option<u8>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum MaskOp {
    And,
    Or,
    Xor,
    AndNot,
    Copy,
}

impl MaskStep {
    fn of(instr: &Instr, wave: Wave, row: u128) -> Option<Self> {
        const EXEC: u8 = 126;
        // Half of a mask is none.
        let width = if wave == Wave::W64 { 2 } else { 1 };
        let code = |role: &str| {
            instr.operands(wave).find(|o| o.role == role).and_then(|o| match o.value {
                Value::Registers(r) => {
                    Span::of(r).filter(|s| !s.vector() && s.end - s.first == width).map(|s| s.first as u8)
                }
                _ => None,
            })
        };
        if row & words::CMPX != 0 {
            // What is left of EXEC.
            return Some(MaskStep { op: MaskOp::And, of: [EXEC, 128], to: EXEC, saved: None });
        }
        if matches!(instr, Instr::Vopc(_) | Instr::Vop3(_)) {
            // A comparison gives zero for lanes that are off.
            let masks = |o: &rdna3_rows::OperandInfo| o.role == "d" && o.ty.class() == Class::Mask;
            let to = code("d").filter(|_| instr.operands(wave).any(|o| masks(&o)))?;
            return Some(MaskStep { op: MaskOp::And, of: [EXEC, 128], to, saved: None });
        }
        let ops = [
            (words::MASK_AND, MaskOp::And),
            (words::MASK_OR, MaskOp::Or),
            (words::MASK_XOR, MaskOp::Xor),
            (words::MASK_AND_NOT, MaskOp::AndNot),
            (words::MASK_COPY, MaskOp::Copy),
        ];
        if row & (words::SAVEEXEC | words::WREXEC) != 0 {
            // Nothing is known of what other rows make of EXEC.
            let known = ops.into_iter().find(|(word, _)| row & word != 0);
            let of = if known.is_some() { [code("s0").unwrap_or(128), EXEC] } else { [128; 2] };
            let saved = code("d").filter(|_| row & words::SAVEEXEC != 0);
            return Some(MaskStep { op: known.map_or(MaskOp::Copy, |(_, op)| op), of, to: EXEC, saved });
        }
        let (_, op) = ops.into_iter().find(|(word, _)| row & word != 0)?;
        let source = |role| code(role).unwrap_or(128);
        Some(MaskStep { op, of: [source("s0"), source("s1")], to: code("d")?, saved: None })
    }
}

/// Which scalar registers hold masks whose lanes all are among those of some work, and which hold masks that have all
/// lanes of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Lanes {
    within: u128,
    around: u128,
}

impl Lanes {
    /// When the work begins, EXEC is its lanes.
    pub const START: Lanes = Lanes { within: 1 << 126, around: 1 << 126 };

    /// Whether lanes that execute now and those of the work can be told to have some in common.
    pub const fn shared(self) -> bool {
        (self.within | self.around) >> 126 & 1 == 1
    }

    /// What both know.
    pub const fn common(self, other: Lanes) -> Lanes {
        Lanes { within: self.within & other.within, around: self.around & other.around }
    }

    pub fn step(&mut self, fact: &Fact) {
        let next = fact.mask.map(|m| (m, m.apply(self.within, true), m.apply(self.around, false)));
        let exec = (self.within >> 126 & 1, self.around >> 126 & 1);
        for touch in fact.touches.iter().filter(|t| t.writes && !t.span.vector()) {
            for code in touch.span.first..touch.span.end.min(128) {
                self.within &= !(1 << code);
                self.around &= !(1 << code);
            }
        }
        if let Some((mask, within, around)) = next {
            self.within |= u128::from(within) << mask.to;
            self.around |= u128::from(around) << mask.to;
            if let Some(saved) = mask.saved {
                self.within |= exec.0 << saved;
                self.around |= exec.1 << saved;
            }
        }
    }
}

impl MaskStep {
    /// Whether the result is within the lanes, or around them, if the registers in `known` are.
    fn apply(self, known: u128, within: bool) -> bool {
        let [a, b] = self.of.map(|code| code < 128 && known >> code & 1 == 1);
        match (self.op, within) {
            (MaskOp::And, true) | (MaskOp::Or, false) => a || b,
            (MaskOp::Or | MaskOp::Xor, true) | (MaskOp::And, false) => a && b,
            (MaskOp::AndNot, true) | (MaskOp::Copy, _) => a,
            (MaskOp::AndNot | MaskOp::Xor, false) => false,
        }
    }
}

impl Fact {
    fn new(instr: &Instr, wave: Wave) -> Self {
        let mut touches = Vec::new();
        let mut touch = |role, access, registers| {
            if let Some(span) = Span::of(registers) {
                let (reads, writes) = (access != Access::Write, access != Access::Read);
                touches.push(Touch { span, reads, writes, role });
            }
        };
        for operand in instr.operands(wave) {
            match operand.value {
                Value::Registers(registers) => touch(operand.role, operand.access, registers),
                Value::Scattered { groups, first, count } => {
                    for (first, count) in first.into_iter().zip(count).take(usize::from(groups)) {
                        touch(operand.role, operand.access, Registers::new(File::Vgpr, first, count));
                    }
                }
                _ => {}
            }
        }
        let row = instr.row_words();
        let mask = MaskStep::of(instr, wave, row);
        if row & (words::CMPX | words::SAVEEXEC | words::WREXEC) != 0 {
            touches.push(Touch { span: EXEC, reads: false, writes: true, role: "exec" });
        }
        let mut raised = raises(instr);
        let raises = [raised.next(), raised.next()];
        Fact { touches, raises, waits: waits(instr), call: row & words::CALL != 0, mask }
    }
}

/// What all instructions do.
#[derive(Debug)]
pub(super) struct Facts(pub Vec<Fact>);

impl Facts {
    pub fn new(instrs: &[Instr], wave: Wave) -> Self {
        Facts(instrs.iter().map(|i| Fact::new(i, wave)).collect())
    }

    pub fn replace(&mut self, at: usize, instr: &Instr, wave: Wave) {
        if let Some(place) = self.0.get_mut(at) {
            *place = Fact::new(instr, wave);
        }
    }

    pub fn get(&self, at: usize) -> Option<&Fact> {
        self.0.get(at)
    }
}

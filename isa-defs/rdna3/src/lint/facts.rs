//! What the rules ask of each instruction: the registers it reads and writes, what it raises and what it waits for.

use alloc::vec::Vec;
use core::fmt;

use rdna3_rows::isa::Access;
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
        if row & words::CMPX != 0 {
            touches.push(Touch { span: EXEC, reads: false, writes: true, role: "exec" });
        }
        let mut raised = raises(instr);
        let raises = [raised.next(), raised.next()];
        Fact { touches, raises, waits: waits(instr), call: row & words::CALL != 0 }
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

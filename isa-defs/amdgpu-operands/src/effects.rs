//! The 32-bit registers that an instruction reads and writes.

use core::fmt;

use isa_runtime::body::{Space, State};
use isa_runtime::{Access, Effect, Isa, Resource};

use crate::files;

/// A 32-bit register, or a part of the state of the wave.
///
/// The numbers are those of source codes for scalar registers, from 256 on for vector registers, and then the state that
/// no operand names.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Unit(u16);

/// The source code of VCC_LO.
const VCC: u16 = 106;
/// The source code of TTMP0.
const TTMP: u16 = 108;
/// The source code of M0.
const M0: u16 = 125;
/// The source code of EXEC_LO.
const EXEC: u16 = 126;
/// The number of V0.
const VGPR: u16 = 256;

/// The state that no operand names, from this number on.
const STATE: u16 = 512;
const STATE_NAMES: [&str; 12] = [
    "scc",
    "mode",
    "status",
    "pc",
    "flat_scratch_lo",
    "flat_scratch_hi",
    "xnack_mask_lo",
    "xnack_mask_hi",
    "tba_lo",
    "tba_hi",
    "tma_lo",
    "tma_hi",
];
/// The number of units: one more than the highest number.
const UNITS: u16 = STATE + STATE_NAMES.len() as u16;
const XNACK_MASK: u16 = STATE + 6;
const TBA: u16 = STATE + 8;
const TMA: u16 = STATE + 10;

impl Unit {
    /// The scalar condition code.
    pub const SCC: Unit = Unit(STATE);
    /// The mode register.
    pub const MODE: Unit = Unit(STATE + 1);
    /// The status register.
    pub const STATUS: Unit = Unit(STATE + 2);
    /// The program counter.
    pub const PC: Unit = Unit(STATE + 3);
    /// The low dword of FLAT_SCRATCH.
    pub const FLAT_SCRATCH_LO: Unit = Unit(STATE + 4);
    /// The high dword of FLAT_SCRATCH.
    pub const FLAT_SCRATCH_HI: Unit = Unit(STATE + 5);
    /// M0.
    pub const M0: Unit = Unit(M0);
    /// The low dword of VCC.
    pub const VCC_LO: Unit = Unit(VCC);
    /// The high dword of VCC.
    pub const VCC_HI: Unit = Unit(VCC + 1);
    /// The low dword of EXEC.
    pub const EXEC_LO: Unit = Unit(EXEC);
    /// The high dword of EXEC.
    pub const EXEC_HI: Unit = Unit(EXEC + 1);

    /// Returns a vector register.
    #[must_use]
    pub const fn vgpr(number: u8) -> Unit {
        Unit(VGPR + number as u16)
    }

    /// Returns a scalar register, `None` above s105.
    #[must_use]
    pub const fn sgpr(number: u8) -> Option<Unit> {
        if (number as u16) < VCC { Some(Unit(number as u16)) } else { None }
    }

    /// Returns the number of the register: the source code of a scalar register, 256 and more for vector registers, 512 and more
    /// for state that no operand names. It does not change between versions.
    #[must_use]
    pub const fn number(self) -> u16 {
        self.0
    }

    /// Returns the register with a [number](Self::number), `None` for a number that no register has.
    #[must_use]
    pub const fn from_number(number: u16) -> Option<Unit> {
        match number {
            124 | 128..VGPR | UNITS.. => None,
            _ => Some(Unit(number)),
        }
    }

    /// Returns a register of a file, by the number of the file in [`files`]. `None` for what holds nothing that is written:
    /// NULL and constants.
    #[must_use]
    pub const fn of_file(file: u8, number: u8) -> Option<Unit> {
        let number = number as u16;
        Some(Unit(match file {
            files::VGPR => VGPR + number,
            files::SGPR => number,
            files::VCC => VCC + number,
            files::TTMP => TTMP + number,
            files::M0 => M0,
            files::EXEC => EXEC + number,
            files::SCC => Self::SCC.0,
            files::FLAT_SCRATCH => Self::FLAT_SCRATCH_LO.0 + number,
            files::XNACK_MASK => XNACK_MASK + number,
            files::TBA => TBA + number,
            files::TMA => TMA + number,
            _ => return None,
        }))
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            n @ 0..VCC => write!(f, "s{n}"),
            VCC => f.write_str("vcc_lo"),
            107 => f.write_str("vcc_hi"),
            n @ TTMP..=123 => write!(f, "ttmp{}", n - TTMP),
            M0 => f.write_str("m0"),
            EXEC => f.write_str("exec_lo"),
            127 => f.write_str("exec_hi"),
            n @ VGPR..STATE => write!(f, "v{}", n - VGPR),
            n => f.write_str(STATE_NAMES.get(usize::from(n.saturating_sub(STATE))).unwrap_or(&"null")),
        }
    }
}

impl fmt::Debug for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The number of `u64`s in a [`RegisterSet`].
const LEN: usize = (STATE as usize + 64) / 64;

/// How many registers a set has.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Pressure {
    /// Vector registers.
    pub vector: u32,
    /// Scalar registers s0 to s105.
    pub scalar: u32,
}

/// A set of 32-bit registers with a bit for each.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct RegisterSet([u64; LEN]);

impl RegisterSet {
    /// The empty set.
    pub const EMPTY: RegisterSet = RegisterSet([0; LEN]);

    /// Adds a register.
    pub const fn insert(&mut self, unit: Unit) {
        self.0[unit.0 as usize / 64] |= 1 << (unit.0 % 64);
    }

    /// Returns whether the set has a register.
    #[must_use]
    pub const fn contains(&self, unit: Unit) -> bool {
        self.0[unit.0 as usize / 64] >> (unit.0 % 64) & 1 != 0
    }

    /// Returns whether the set has no registers.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0 == [0; LEN]
    }

    /// Returns whether two sets have a register in common.
    #[must_use]
    pub fn overlaps(&self, other: &RegisterSet) -> bool {
        self.0.iter().zip(other.0).any(|(a, b)| a & b != 0)
    }

    /// Adds all registers of another set.
    pub fn extend(&mut self, other: &RegisterSet) {
        self.0.iter_mut().zip(other.0).for_each(|(a, b)| *a |= b);
    }

    /// Removes all registers of another set.
    pub fn remove(&mut self, other: &RegisterSet) {
        self.0.iter_mut().zip(other.0).for_each(|(a, b)| *a &= !b);
    }

    /// Returns how many registers of each kind there are that a kernel has to allocate.
    #[must_use]
    pub fn pressure(&self) -> Pressure {
        let count =
            |words: core::ops::Range<usize>| self.0.get(words).unwrap_or_default().iter().map(|w| w.count_ones()).sum();
        let vector: u32 = count(usize::from(VGPR) / 64..usize::from(STATE) / 64);
        // Those below VCC.
        let low: u32 = count(0..1);
        let high = self.0[1] & ((1 << (VCC - 64)) - 1);
        Pressure { vector, scalar: low + high.count_ones() }
    }

    /// Returns the registers in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = Unit> + Clone + '_ {
        let bits = |(index, word): (usize, &u64)| {
            let mut rest = *word;
            core::iter::from_fn(move || {
                let bit = rest.trailing_zeros();
                rest &= rest.checked_sub(1)?;
                Some(Unit(index as u16 * 64 + bit as u16))
            })
        };
        self.0.iter().enumerate().flat_map(bits)
    }

    /// Adds consecutive registers, up to the last of the register file: `v[255:256]`, which decodes, is v255 alone.
    pub fn insert_run(&mut self, first: Unit, count: u8) {
        let end = match first.0 {
            0..VGPR => VGPR,
            VGPR..STATE => STATE,
            _ => UNITS,
        };
        let numbers = first.0..end.min(first.0.saturating_add(u16::from(count)));
        numbers.filter_map(Unit::from_number).for_each(|unit| self.insert(unit));
    }
}

impl fmt::Debug for RegisterSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// The registers that an instruction reads and writes, named by its text or not.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RegisterEffects {
    /// The registers that are read, those of `partial` among them.
    pub read: RegisterSet,
    /// The registers that are written.
    pub written: RegisterSet,
    /// The registers that are written in part, or on some paths only, so that they keep a part of their old value.
    pub partial: RegisterSet,
    /// Whether SCC is among `read` only because an operand names it, as `src_scc`.
    ///
    /// LLVM has two registers: the instruction reads SCC by itself, or SRC_SCC as an operand.
    pub scc_is_operand: bool,
}

/// The values of operands that [`RegisterEffects`] can list.
pub trait OperandRegisters: PartialEq + Eq {
    /// Adds the registers that the operand consists of.
    fn add_to(&self, set: &mut RegisterSet);

    /// Adds the registers that change if an instruction writes the operand: all of them by default.
    fn add_written_to(&self, set: &mut RegisterSet) {
        self.add_to(set);
    }
}

impl RegisterEffects {
    /// Returns the registers of effects in code whose lane masks have this many registers.
    pub fn of<I: Isa<Value: OperandRegisters>>(effects: impl Iterator<Item = Effect<I>>, mask: u8) -> RegisterEffects {
        let mut all = RegisterEffects::default();
        effects.for_each(|effect| all.add(&effect, mask));
        all
    }

    /// Adds an effect.
    fn add<I: Isa<Value: OperandRegisters>>(&mut self, effect: &Effect<I>, mask: u8) {
        let is_read = effect.access != Access::Write;
        let is_written = matches!(effect.access, Access::Write | Access::ReadWrite);
        let insert = |set: &mut RegisterSet, is_written: bool| match &effect.resource {
            Resource::Operand(operand) if is_written => operand.value.add_written_to(set),
            Resource::Operand(operand) => operand.value.add_to(set),
            Resource::State(state) => insert_state(set, *state, mask),
            Resource::Memory(_) => {}
        };
        if is_read {
            let had_scc = self.read.contains(Unit::SCC);
            insert(&mut self.read, false);
            match &effect.resource {
                Resource::State(State::Scc) => self.scc_is_operand = false,
                _ if !had_scc && self.read.contains(Unit::SCC) => self.scc_is_operand = true,
                _ => {}
            }
        }
        if is_written {
            insert(&mut self.written, true);
        }
        if effect.is_partial {
            insert(&mut self.partial, true);
        }
        if let Resource::Memory(Space::Scratch | Space::Flat) = effect.resource {
            self.read.insert_run(Unit::FLAT_SCRATCH_LO, 2);
        }
    }
}

/// Adds the registers that hold state of the wave.
fn insert_state(set: &mut RegisterSet, state: State, mask: u8) {
    match state {
        State::Scc => set.insert(Unit::SCC),
        State::Vcc | State::Vccz => set.insert_run(Unit::VCC_LO, mask),
        // EXEC is one register to allocators and schedulers, also where an instruction changes its low dword.
        State::Exec | State::ExecLo | State::Execz => set.insert_run(Unit::EXEC_LO, mask),
        State::VccLo => set.insert(Unit::VCC_LO),
        State::M0 => set.insert(Unit::M0),
        State::Pc => set.insert(Unit::PC),
        State::Mode => set.insert(Unit::MODE),
        State::Status => set.insert(Unit::STATUS),
        State::FlatScratch => set.insert_run(Unit::FLAT_SCRATCH_LO, 2),
    }
}

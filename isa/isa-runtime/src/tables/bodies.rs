//! The bodies of a set's rows, the clauses that apply to them, and their effects.

use core::fmt;

use isa_body::{Clause, Fidelity, Ops, Place, State, clauses, ops};

use crate::tables::view::Rows;
use crate::tables::{Format, Isa, MAX_DWORDS};

/// The tables of bodies. Strings of bytes begin with two bytes of length; the number of a string is where it begins,
/// and 0 is none.
#[derive(Debug)]
pub struct Bodies {
    /// The bytecode of all bodies.
    pub code: &'static [u8],
    /// For each opcode the number of its body.
    pub starts: &'static [u32],
    /// Lists of roles.
    pub roles: &'static [&'static [&'static str]],
    /// For each opcode the index of its roles.
    pub roles_of: &'static [u16],
    /// The effects of bodies, in the layout of [`BodyEffects`].
    pub effects: &'static [[u16; 7]],
    /// For each opcode the index of its effects.
    pub effects_of: &'static [u16],
    /// The opcodes whose bodies a source contradicts, in ascending order, with what it states.
    pub disputed: &'static [(u16, &'static str)],
    /// The bytecode of all clauses.
    pub clauses: &'static [u8],
    /// For each component the numbers of the clauses of its rows: without a suffix dword, then with each suffix dword of the format.
    pub clauses_of: &'static [&'static [u32]],
}

/// Returns a string of bytes.
fn string(bytes: &'static [u8], number: u32) -> Option<&'static [u8]> {
    let rest = bytes.get(number as usize..)?;
    let (len, rest) = rest.split_first_chunk::<2>()?;
    rest.get(..usize::from(u16::from_le_bytes(*len)))
}

impl Bodies {
    /// No bodies.
    pub(crate) const NONE: Bodies = Bodies {
        code: &[],
        starts: &[],
        roles: &[],
        roles_of: &[],
        effects: &[],
        effects_of: &[],
        disputed: &[],
        clauses: &[],
        clauses_of: &[],
    };

    /// Returns the body of an opcode, `None` if its row has none.
    #[must_use]
    pub fn body(&self, opcode: u16) -> Option<Ops<'static>> {
        let start = *self.starts.get(usize::from(opcode))?;
        if start == 0 { None } else { string(self.code, start).map(ops) }
    }

    /// Returns the roles of an opcode's row, which operations name by their index. Empty for a row without a body.
    #[must_use]
    pub fn roles(&self, opcode: u16) -> &'static [&'static str] {
        let index = self.roles_of.get(usize::from(opcode)).copied().unwrap_or(0);
        self.roles.get(usize::from(index)).copied().unwrap_or(&[])
    }

    /// Returns what a source states that contradicts the body of an opcode.
    #[must_use]
    pub fn dispute(&self, opcode: u16) -> Option<&'static str> {
        let index = self.disputed.binary_search_by_key(&opcode, |(of, _)| *of).ok()?;
        self.disputed.get(index).map(|(_, dispute)| *dispute)
    }

    /// Returns how closely the body of an opcode describes what the instruction does, `None` if the row has no body.
    #[must_use]
    pub fn fidelity(&self, opcode: u16) -> Option<Fidelity> {
        let body = self.body(opcode)?;
        Some(if self.dispute(opcode).is_some() { Fidelity::Disputed } else { Fidelity::of(body) })
    }

    /// Returns what the body of an opcode reads and writes.
    #[must_use]
    pub fn effects(&self, opcode: u16) -> BodyEffects {
        let index = self.effects_of.get(usize::from(opcode)).copied().unwrap_or(0);
        BodyEffects(self.effects.get(usize::from(index)).copied().unwrap_or_default())
    }
}

/// The effects of a body besides the operands that its row lists.
///
/// Definite assignment finds them: a place that is written in part, or on some paths only, keeps a part of its old value, so
/// it counts as read too.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct BodyEffects([u16; 7]);

/// Lists the names of state, of memory and of facts.
impl fmt::Debug for BodyEffects {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let facts: &[(&str, bool)] = &[
            ("external", self.is_external()),
            ("ends", self.ends()),
            ("barrier", self.is_barrier()),
            ("crosses lanes", self.crosses_lanes()),
            ("jumps", self.jumps()),
            ("saves pc", self.saves_pc()),
            ("jumps indirectly", self.jumps_indirectly()),
            ("acts", self.acts()),
        ];
        let states = || State::ALL.iter().copied();
        let places = || Place::ALL.iter().copied();
        f.debug_struct("BodyEffects")
            .field("reads", &Listed(|| states().filter(|state| self.reads(*state))))
            .field("writes", &Listed(|| states().filter(|state| self.writes(*state))))
            .field("writes_partly", &Listed(|| states().filter(|state| self.writes_partly(*state))))
            .field("loads", &Listed(|| places().filter(|place| self.loads(*place))))
            .field("stores", &Listed(|| places().filter(|place| self.stores(*place))))
            .field("facts", &Listed(|| facts.iter().filter(|(_, holds)| *holds).map(|(name, _)| *name)))
            .finish()
    }
}

/// A list to be shown, from an iterator.
struct Listed<F>(F);

impl<F: Fn() -> I, I: Iterator<Item: fmt::Debug>> fmt::Debug for Listed<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0()).finish()
    }
}

impl BodyEffects {
    const fn has(self, set: usize, bit: u8) -> bool {
        self.0[set] >> bit & 1 != 0
    }

    /// Returns whether the body reads state of the wave. A body that runs in lanes reads EXEC.
    #[must_use]
    pub const fn reads(self, state: State) -> bool {
        self.has(0, state as u8) || self.has(2, state as u8)
    }

    /// Returns whether the body writes state of the wave.
    #[must_use]
    pub const fn writes(self, state: State) -> bool {
        self.has(1, state as u8)
    }

    /// Returns whether the body writes state in part, or on some paths only.
    #[must_use]
    pub const fn writes_partly(self, state: State) -> bool {
        self.has(2, state as u8)
    }

    /// Returns whether the body writes a role in part, or on some paths only. Roles are numbered as in
    /// [`Bodies::roles`].
    #[must_use]
    pub const fn writes_role_partly(self, role: u8) -> bool {
        self.has(3, role)
    }

    /// Returns whether the body writes a role in part, or on some paths only.
    #[must_use]
    pub const fn keeps_old_values(self) -> bool {
        self.0[3] != 0
    }

    /// Returns whether the body reads memory by an access.
    #[must_use]
    pub const fn loads(self, place: Place) -> bool {
        self.has(4, place as u8)
    }

    /// Returns whether the body writes memory by an access.
    #[must_use]
    pub const fn stores(self, place: Place) -> bool {
        self.has(5, place as u8)
    }

    /// Returns whether the instruction does something that no body describes, such as an export.
    #[must_use]
    pub const fn is_external(self) -> bool {
        self.has(6, 0)
    }

    /// Returns whether the instruction ends the wave.
    #[must_use]
    pub const fn ends(self) -> bool {
        self.has(6, 1)
    }

    /// Returns whether the instruction waits for the other waves of the work-group.
    #[must_use]
    pub const fn is_barrier(self) -> bool {
        self.has(6, 2)
    }

    /// Returns whether lanes read values of other lanes.
    #[must_use]
    pub const fn crosses_lanes(self) -> bool {
        self.has(6, 3)
    }

    /// Returns whether the instruction may continue elsewhere than at the next one. Traps do not count.
    #[must_use]
    pub const fn jumps(self) -> bool {
        self.has(6, 4)
    }

    /// Returns whether the instruction keeps the address of the next one in an operand when it jumps.
    #[must_use]
    pub const fn saves_pc(self) -> bool {
        self.has(6, 5)
    }

    /// Returns whether the target of a jump is independent of the program counter.
    #[must_use]
    pub const fn jumps_indirectly(self) -> bool {
        self.has(6, 6)
    }

    /// Returns whether the instruction acts on something other than operands, state and memory: exports, messages. So
    /// does an instruction that computes nothing, such as a wait.
    #[must_use]
    pub const fn acts(self) -> bool {
        self.has(6, 7)
    }
}

/// The semantics of one component of an instruction.
#[derive(Clone, Copy)]
pub struct Semantics {
    /// The index of the opcode in [`Tables::mnemonics`](crate::tables::Tables::mnemonics).
    pub opcode: u16,
    bodies: &'static Bodies,
    clauses: &'static [u8],
}

/// Shows the opcode, not the tables of the set.
impl fmt::Debug for Semantics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Semantics").field("opcode", &self.opcode).finish_non_exhaustive()
    }
}

impl Semantics {
    /// Returns the operations of the body, `None` if the row has none.
    #[must_use]
    pub fn body(&self) -> Option<Ops<'static>> {
        self.bodies.body(self.opcode)
    }

    /// Returns the roles that operations name by their index. An operand of the instruction names its role by
    /// [`RowOperand::role`](crate::RowOperand::role); a role without an operand is not read, and its writes are
    /// dropped.
    #[must_use]
    pub fn roles(&self) -> &'static [&'static str] {
        self.bodies.roles(self.opcode)
    }

    /// Returns the clauses that apply to the instruction.
    pub fn clauses(&self) -> impl Iterator<Item = Clause<'static>> + Clone {
        clauses(self.clauses)
    }

    /// Returns what the body reads and writes.
    #[must_use]
    pub fn effects(&self) -> BodyEffects {
        self.bodies.effects(self.opcode)
    }
}

/// Returns what a component of an instruction computes; `None` if the dwords name no row there.
#[must_use]
pub fn semantics<I: Isa>(format: u8, words: &[u32; MAX_DWORDS], component: u8) -> Option<Semantics> {
    let format = Format::<I>::at(format)?;
    let rows = Rows::find(format, words).ok()?;
    let nth = usize::from(component);
    let (component, (slot, _)) = (format.components.get(nth)?, rows.rows.get(nth).copied().flatten()?);
    let number = component.opcode.get(words) as usize;
    let index = usize::from(component.table.get(number)?.checked_sub(1)?);
    let bodies = I::inst_tables().bodies;
    let numbers = bodies.clauses_of.get(usize::from(component.nth))?;
    let number =
        numbers.get(index * (format.suffix_dwords.len() + 1) + usize::from(rows.suffix_dword)).copied().unwrap_or(0);
    let clauses = string(bodies.clauses, number).unwrap_or_default();
    Some(Semantics { opcode: slot.opcode, bodies, clauses })
}

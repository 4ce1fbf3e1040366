//! Undefined values: where they decide something.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use isa_runtime::body::Space;

use crate::check::finding::{AccessKind, Finding, Kind, Origin, Register, Unwritten};
use crate::check::shadow::{ITSELF, OriginId, Shadow};
use crate::check::{Checker, number_of};
use crate::layout::Image;
use crate::operation::{Argument, dwords};
use crate::registers::Rows;
use crate::rows::{LANES, Wide};
use crate::step::{Access, Addressing, Checked, Conversion, Step, Update};
use crate::wave::Wave;

/// What an undefined value decides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Decides {
    Address,
    Resource,
    Exec,
    Branch,
    Target,
    Index,
    Stored,
    Atomic,
}

impl Decides {
    const fn help(self) -> &'static str {
        match self {
            Decides::Address => "an undefined value is part of an address: write the register before",
            Decides::Resource => "an undefined value is part of a resource: write the registers before",
            Decides::Exec => "an undefined value is written to EXEC: write the register before",
            Decides::Branch => "an undefined value decides a branch: write the register before",
            Decides::Target => "an undefined value is the target of a branch: write the registers before",
            Decides::Index => "an undefined value selects a register or a lane: write the register before",
            Decides::Stored => {
                "all bytes that the lane stores are undefined: write the register before, in all lanes that store"
            }
            Decides::Atomic => "an undefined value is the operand of an atomic: write the register before",
        }
    }
}

impl Checker {
    /// Checks what a step decides by undefined values, and follows the values, before the step.
    pub(super) fn before_step(&mut self, checked: &Checked, step: &Step, wave: &mut Wave) {
        match step {
            Step::Load(access) => {
                self.begin_access(access, false);
                self.check_address(checked, access, wave);
            }
            Step::Store(access) => {
                self.begin_access(access, false);
                self.check_address(checked, access, wave);
                self.gather_stored(access, wave);
            }
            Step::Update(update) => {
                self.begin_access(&update.access, true);
                self.access.swaps = !depends_on_old(update);
                self.check_address(checked, &update.access, wave);
                self.check_operand(checked, update, wave);
            }
            Step::Branch { src, condition, target, .. } => {
                if let Some(condition) = condition {
                    let count = if condition.is_mask { wave.wide.len().max(1) as u16 } else { 1 };
                    self.decide_scalars(checked, Decides::Branch, condition.row, count, wave);
                }
                if target.is_none() {
                    self.decide_scalars(checked, Decides::Target, *src, 2, wave);
                }
            }
            Step::ReadRelative(relative) | Step::WriteRelative(relative) => {
                self.fly_relative(checked, relative, matches!(step, Step::WriteRelative(_)), wave);
                if relative.lanes {
                    self.decide_lanes(checked, Decides::Index, relative.distance, 1 << wave.first_lane(), wave);
                } else {
                    self.decide_scalars(checked, Decides::Index, relative.distance, 1, wave);
                }
                self.apply(step, wave);
            }
            Step::ReadLane { lane, .. } | Step::WriteLane { lane, .. } => {
                self.decide_scalars(checked, Decides::Index, *lane, 1, wave);
                self.apply(step, wave);
            }
            step => self.apply(step, wave),
        }
        self.check_exec(checked, step, wave);
    }

    /// Follows the values of a step after it.
    pub(super) fn after_step(&mut self, checked: &Checked, step: &Step, wave: &Wave) {
        let access = match step {
            Step::Load(access) | Step::Store(access) => access,
            Step::Update(update) => &update.access,
            _ => return,
        };
        self.report_wrong();
        self.report_races();
        let lanes = self.access.stored;
        match step {
            Step::Store(_) if lanes != 0 => self.decided(checked, Decides::Stored, lanes, None, wave),
            Step::Update(_) if lanes != 0 => self.update_of_unwritten(lanes),
            _ => {}
        }
        if !matches!(step, Step::Store(_)) {
            self.loaded(access, wave);
        }
    }

    fn begin_access(&mut self, access: &Access, atomic: bool) {
        let is_converted = access.conversion != Conversion::None || matches!(access.address, Addressing::Image { .. });
        self.access.begin(atomic, access.bytes(), is_converted);
    }

    /// Reports an atomic that computes with memory that nobody wrote.
    fn update_of_unwritten(&mut self, lanes: u64) {
        let Some(memory) = self.access.origin else { return };
        let origin = Origin { pc: self.pc, source: Unwritten::Memory(memory) };
        let help = "the atomic computes with memory that nobody wrote: initialise it before";
        let finding = Finding {
            count: lanes.count_ones().into(),
            memory: Some(memory),
            access: Some(AccessKind::Atomic),
            origin: Some(origin),
            ..Finding::new(Kind::UnwrittenMemory, self.place(lanes), Cow::Borrowed(help))
        };
        self.report(finding);
    }

    fn apply(&mut self, step: &Step, wave: &mut Wave) {
        let Checker { current, wave: number, origins, numbers, pc, .. } = self;
        let Some(state) = current.waves.get_mut(*number) else { return };
        let pc = *pc;
        state.shadow.apply(step, wave, &mut |shadow, wide, row| origin_of(shadow, wide, row, pc, origins, numbers));
    }

    /// EXEC is never undefined: what would make it so is a finding.
    fn check_exec(&mut self, checked: &Checked, step: &Step, wave: &Wave) {
        let exec = wave.layout.exec;
        let of_exec = Rows { wide: false, first: exec, count: 2 };
        if !step.writes().is_some_and(|rows| rows.overlaps(of_exec)) {
            return;
        }
        self.decide_scalars(checked, Decides::Exec, exec, wave.wide.len().max(1) as u16, wave);
    }

    /// Checks scalar rows that decide something.
    fn decide_scalars(&mut self, checked: &Checked, decides: Decides, first: u16, count: u16, wave: &Wave) {
        let Some(state) = self.state() else { return };
        let mut rows = first..first.saturating_add(count);
        let Some(row) = rows.find(|row| state.shadow.scalar(*row) != 0) else { return };
        for row in first..first.saturating_add(count) {
            state.shadow.define_scalar(row);
        }
        self.decided(checked, decides, wave.exec(), Some((false, row)), wave);
    }

    /// Checks a wide row that decides something in lanes.
    fn decide_lanes(&mut self, checked: &Checked, decides: Decides, row: u16, lanes: u64, wave: &Wave) {
        let Some(state) = self.state() else { return };
        let found = state.shadow.all_lanes(row) & lanes;
        if found != 0 {
            state.shadow.define_lanes(row, found);
            self.decided(checked, decides, found, Some((true, row)), wave);
        }
    }

    /// Checks the registers that an address is made of.
    fn check_address(&mut self, checked: &Checked, access: &Access, wave: &Wave) {
        let active = access.active(wave);
        if active == 0 {
            return;
        }
        match &access.address {
            Addressing::Sum(sum) => {
                if access.space == Space::Scalar {
                    self.check_scalar_address(access.sum(wave, *sum, 0), access.bytes() as u32);
                }
                self.decide(checked, Decides::Address, access.lanes, (sum.row.row, dwords(sum.row.ty)), active, wave);
                if let Some(scalar) = sum.scalar {
                    self.decide_scalars(checked, Decides::Address, scalar.row, dwords(scalar.ty), wave);
                }
            }
            &Addressing::Buffer { resource, vaddr, soffset, idxen, offen, .. } => {
                self.decide_scalars(checked, Decides::Resource, resource, 4, wave);
                self.decide_scalars(checked, Decides::Address, soffset, 1, wave);
                // The index comes first, and the offset after it.
                let count = u16::from(idxen) + u16::from(offen);
                self.decide(checked, Decides::Address, access.lanes, (vaddr, count), active, wave);
                self.check_alignment(access, active, wave);
            }
            Addressing::Image { resource, sampler, image, .. } => {
                let count = if image.is_short { 4 } else { 8 };
                self.decide(checked, Decides::Resource, access.lanes, (*resource, count), active, wave);
                if let Some(sampler) = sampler {
                    self.decide(checked, Decides::Resource, access.lanes, (*sampler, 4), active, wave);
                }
                self.check_coordinates(checked, image, active, wave);
            }
            &Addressing::ScalarBuffer { resource, offset } => {
                self.decide(checked, Decides::Resource, access.lanes, (resource, 4), active, wave);
                self.decide(checked, Decides::Address, access.lanes, (offset, 2), active, wave);
            }
        }
    }

    /// Checks the alignment of atomics and typed elements in buffers: the hardware drops others.
    fn check_alignment(&mut self, access: &Access, active: u64, wave: &Wave) {
        let is_typed = access.conversion != Conversion::None;
        if !access.lanes || !(is_typed || self.access.atomic) {
            return;
        }
        for lane in (0..wave.lanes()).filter(|lane| active >> lane & 1 != 0) {
            let found = match is_typed {
                true => access.element(wave, lane).misaligned,
                false => access.pieces(wave, lane).misaligned,
            };
            if let Some(address) = found {
                self.dropped(address, lane, access.bytes());
            }
        }
    }

    fn check_coordinates(&mut self, checked: &Checked, image: &Image, active: u64, wave: &Wave) {
        for coordinate in image.coordinates.iter().chain([&image.level]).flatten() {
            let Some(state) = self.state() else { return };
            let half = match coordinate.high {
                None => u32::MAX,
                Some(false) => 0xFFFF,
                Some(true) => 0xFFFF_0000,
            };
            let lanes = state.shadow.lanes_with(coordinate.register, half) & active;
            if lanes != 0 {
                self.decided(checked, Decides::Address, lanes, Some((true, coordinate.register)), wave);
            }
        }
    }

    fn decide(
        &mut self,
        checked: &Checked,
        decides: Decides,
        lanes: bool,
        (first, count): (u16, u16),
        active: u64,
        wave: &Wave,
    ) {
        if lanes {
            for row in first..first.saturating_add(count) {
                self.decide_lanes(checked, decides, row, active, wave);
            }
        } else {
            self.decide_scalars(checked, decides, first, count, wave);
        }
    }

    /// Checks the operands of an atomic.
    fn check_operand(&mut self, checked: &Checked, update: &Update, wave: &Wave) {
        let active = update.access.active(wave);
        let data = update.access.data..update.access.data.saturating_add(dwords(update.access.ty));
        let mut rows: Vec<u16> = Vec::new();
        let args = update.operations.iter().flat_map(|primitive| primitive.operation.args.iter());
        for arg in args {
            rows.extend(arg.row..arg.row.saturating_add(dwords(arg.ty)));
        }
        rows.extend(update.value..update.value.saturating_add(dwords(update.access.ty)));
        let made: Vec<u16> = update
            .operations
            .iter()
            .flat_map(|primitive| primitive.dst..primitive.dst.saturating_add(dwords(primitive.operation.ty)))
            .collect();
        for row in rows {
            if !data.contains(&row) && !made.contains(&row) && update.access.lanes {
                self.decide_lanes(checked, Decides::Atomic, row, active, wave);
            }
        }
    }

    /// Collects which bytes of what a store writes are undefined.
    fn gather_stored(&mut self, access: &Access, wave: &Wave) {
        let active = access.active(wave);
        let count = dwords(access.ty);
        let Checker { current, wave: number, access: store, .. } = self;
        let Some(state) = current.waves.get(*number) else { return };
        for n in 0..count.min(16) {
            let row = access.data.saturating_add(n);
            let mut lanes = state.shadow.all_lanes(row) & active;
            if !access.lanes {
                lanes = u64::from(state.shadow.scalar(row) != 0);
            }
            if store.is_converted {
                // What is stored depends on all of the data.
                continue;
            }
            while lanes != 0 {
                let lane = lanes.trailing_zeros() as usize;
                lanes &= lanes - 1;
                let bits = if access.lanes {
                    state.shadow.wide.get(lane / LANES).map_or(0, |file| file.get(row, lane % LANES))
                } else {
                    state.shadow.scalar(row)
                };
                store.set(lane, 4 * usize::from(n), &bits.to_le_bytes());
            }
        }
    }

    /// Marks what a load has written to its rows.
    fn loaded(&mut self, access: &Access, wave: &Wave) {
        let Checker { current, wave: number, access: load, origins, numbers, pc, .. } = self;
        let Some(state) = current.waves.get_mut(*number) else { return };
        let count = match &access.address {
            Addressing::Image { image, .. } => u16::from(image.registers).max(1),
            _ => dwords(access.ty),
        };
        let origin = load.origin.map(|bytes| Origin { pc: *pc, source: Unwritten::Memory(bytes) });
        let id = origin.map(|origin| number_of(origins, numbers, origin));
        // Components and texels depend on all bytes that are read for them.
        let is_converted = load.is_converted;
        let active = access.active(wave);
        let dword = |lane: usize, n: u16| -> u32 {
            let bytes = load.of_lane(lane);
            if is_converted {
                return if bytes.iter().any(|bits| *bits != 0) { u32::MAX } else { 0 };
            }
            bytes.as_chunks().0.get(usize::from(n)).map_or(0, |bytes| u32::from_le_bytes(*bytes))
        };
        for n in 0..count {
            let row = access.data.saturating_add(n);
            if access.lanes {
                for half in 0..state.shadow.wide.len() {
                    let lanes = (active >> (LANES * half)) as u32;
                    if id.is_none() {
                        state.shadow.clear_lanes(half, row, u32::MAX);
                        continue;
                    }
                    let bits = Wide(core::array::from_fn(|lane| {
                        if lanes >> lane & 1 != 0 { dword(LANES * half + lane, n) } else { 0 }
                    }));
                    state.shadow.set_wide(half, row, bits);
                }
                if let Some(id) = id {
                    state.shadow.set_origin(true, row, id);
                }
            } else {
                state.shadow.set_scalar(row, dword(0, n));
                if let Some(id) = id {
                    state.shadow.set_origin(false, row, id);
                }
            }
        }
    }

    /// Reports an undefined value that decides something. `row` is the row that decides; without it, one that is stored.
    fn decided(&mut self, checked: &Checked, decides: Decides, lanes: u64, row: Option<(bool, u16)>, wave: &Wave) {
        let Checker { current, wave: number, origins, numbers, pc, .. } = &mut *self;
        let Some(state) = current.waves.get_mut(*number) else { return };
        let shadow = &mut state.shadow;
        let mut registers = Vec::new();
        let mut first = None;
        for rows in &checked.reads {
            for at in rows.first..rows.first.saturating_add(rows.count) {
                let is_undefined = if rows.wide { shadow.all_lanes(at) & lanes != 0 } else { shadow.scalar(at) != 0 };
                let is_row = row == Some((rows.wide, at));
                if (is_undefined || is_row)
                    && let Some(register) = shadow.register(rows.wide, at)
                    && !registers.contains(&register)
                {
                    registers.push(register);
                    first.get_or_insert((rows.wide, at));
                }
            }
        }
        let from = row.filter(|(wide, row)| shadow.origin(*wide, *row) != ITSELF).or(first).or(row);
        let id = from.map(|(wide, row)| origin_of(shadow, wide, row, *pc, origins, numbers));
        let origin = id.and_then(|id| origins.get(id as usize)).copied();
        // One report is enough: what follows from the value is not reported again.
        for rows in &checked.reads {
            for at in rows.first..rows.first.saturating_add(rows.count) {
                if rows.wide {
                    shadow.define_lanes(at, lanes);
                } else if shadow.register(false, at).is_some_and(|register| registers.contains(&register)) {
                    shadow.define_scalar(at);
                }
            }
        }
        if registers.is_empty()
            && let Some((wide, at)) = row
        {
            registers.extend(shadow.register(wide, at));
        }
        let memory = match origin {
            Some(Origin { source: Unwritten::Memory(bytes), .. }) => Some(bytes),
            _ => None,
        };
        let kind = if memory.is_some() { Kind::UnwrittenMemory } else { Kind::UnwrittenRegister };
        let is_scalar = matches!(row, Some((false, _)));
        let lanes = if is_scalar { wave.exec() } else { lanes };
        let count = if is_scalar { 1 } else { lanes.count_ones().max(1).into() };
        let place = self.place(lanes);
        let finding = Finding {
            count,
            registers,
            memory,
            access: memory.map(|_| AccessKind::Read),
            origin,
            ..Finding::new(kind, place, Cow::Borrowed(decides.help()))
        };
        self.report(finding);
    }
}

/// Whether the new value of an atomic depends on the old one.
fn depends_on_old(update: &Update) -> bool {
    let data = update.access.data..update.access.data.saturating_add(dwords(update.access.ty));
    let reads = |arg: &Argument| (arg.row..arg.row.saturating_add(dwords(arg.ty))).any(|row| data.contains(&row));
    let of_lanes = update.operations.iter().any(|primitive| primitive.operation.args.iter().any(reads));
    of_lanes || update.scalar.iter().any(|primitive| primitive.operation.args.iter().any(reads))
}

/// The number of the origin of a row's undefined bits. A register that was not written is the origin itself.
fn origin_of(
    shadow: &Shadow,
    wide: bool,
    row: u16,
    pc: u64,
    origins: &mut Vec<Origin>,
    numbers: &mut alloc::collections::BTreeMap<(u64, Unwritten), OriginId>,
) -> OriginId {
    let id = shadow.origin(wide, row);
    if id != ITSELF {
        return id;
    }
    let register = shadow.register(wide, row).unwrap_or(Register::Scalar(row));
    number_of(origins, numbers, Origin { pc, source: Unwritten::Register(register) })
}

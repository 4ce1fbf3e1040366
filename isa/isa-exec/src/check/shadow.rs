//! Which bits of the registers of a wave are undefined.
//!
//! A shadow has the rows of a wave's files: an undefined bit is 1. Steps that move values move their undefined bits in the same
//! way; operations have the rules of [`depends`](super::depends).

use alloc::vec;
use alloc::vec::Vec;

use isa_runtime::body::{BinaryOp, Builtin};

use crate::check::depends::{Partial, undefined};
use crate::check::finding::Register;
use crate::eval::Typed;
use crate::operation::{Argument, Operation, OperationKind, dwords, format, low_bits};
use crate::primitive::Primitive;
use crate::registers::RegisterSet;
use crate::rows::{File, LANES, Row, Single, Wide};
use crate::step::{Commit, Cross, Matrix, MatrixLayout, Relative, Step};
use crate::wave::Wave;

/// The number of an origin: where an undefined value came from.
pub(crate) type OriginId = u32;

/// The origin of a register that was not written yet: the register itself.
pub(crate) const ITSELF: OriginId = u32::MAX;

/// The undefined bits of a wave's registers and temporaries, and where they came from.
#[derive(Clone, Debug)]
pub(crate) struct Shadow {
    pub scalar: File<Single>,
    pub wide: Vec<File<Wide>>,
    /// For each 32 lanes: those in which a wide row has an undefined bit.
    lanes: Vec<Vec<u32>>,
    /// The origins of wide rows and scalar rows. Those of defined rows mean nothing.
    origins: [Vec<OriginId>; 2],
    /// Registers: the rows below are not temporaries.
    registers: [u16; 2],
    /// The registers with undefined bits.
    undefined: RegisterSet,
}

impl Shadow {
    /// The shadow of a wave of which nothing is defined but the state that the hardware sets.
    pub fn new(wave: &Wave) -> Self {
        let [scalars, wides] = wave.rows();
        let registers = [wave.vectors, wave.layout.scalar_temporaries()];
        let mut shadow = Shadow {
            scalar: File::new(scalars),
            wide: wave.wide.iter().map(|_| File::new(wides)).collect(),
            lanes: vec![vec![0; wides]; wave.wide.len()],
            origins: [vec![ITSELF; wides], vec![ITSELF; scalars]],
            registers,
            undefined: RegisterSet::default(),
        };
        // By whole rows, since short kernels have many waves.
        for row in 0..registers[0] {
            shadow.wide.iter_mut().for_each(|file| file.set_row(row, Wide([u32::MAX; LANES])));
            shadow.undefined.set(true, row, true);
        }
        for lanes in &mut shadow.lanes {
            lanes.iter_mut().take(registers[0].into()).for_each(|lanes| *lanes = u32::MAX);
        }
        for row in (0..wave.layout.vcc + 2).chain([wave.layout.m0]) {
            shadow.set_scalar(row, u32::MAX);
        }
        let read_only = wave.layout.read_only();
        for row in read_only {
            shadow.set_scalar(row, 0);
        }
        shadow.set_scalar(wave.layout.scc(), 1);
        shadow
    }

    /// Declares a scalar register defined.
    pub fn define_scalar(&mut self, register: u16) {
        self.set_scalar(register, 0);
    }

    /// Declares lanes of a vector register defined.
    pub fn define_lanes(&mut self, register: u16, lanes: u64) {
        for half in 0..self.wide.len() {
            self.clear_lanes(half, register, (lanes >> (LANES * half)) as u32);
        }
    }

    /// Replaces the undefined bits of a scalar row.
    pub fn set_scalar(&mut self, row: u16, bits: u32) {
        self.undefined.set(false, row, bits != 0);
        self.scalar.set_row(row, Single([bits]));
    }

    /// The lanes in which bits of a wide row are undefined.
    pub fn lanes_with(&self, row: u16, bits: u32) -> u64 {
        let mut lanes = 0;
        for (half, file) in self.wide.iter().enumerate() {
            for (lane, undefined) in file.row(row).0.iter().enumerate() {
                lanes |= u64::from(undefined & bits != 0) << (LANES * half + lane);
            }
        }
        lanes
    }

    /// The lanes of 32 in which a wide row has undefined bits.
    #[inline]
    pub fn lanes(&self, half: usize, row: u16) -> u32 {
        self.lanes.get(half).and_then(|rows| rows.get(usize::from(row))).copied().unwrap_or(0)
    }

    /// The lanes in which a wide row has undefined bits.
    pub fn all_lanes(&self, row: u16) -> u64 {
        (0..self.wide.len()).fold(0, |all, half| all | u64::from(self.lanes(half, row)) << (LANES * half))
    }

    /// The undefined bits of a scalar row.
    #[inline]
    pub fn scalar(&self, row: u16) -> u32 {
        self.scalar.row(row).0[0]
    }

    /// The origin of a row's undefined bits.
    pub fn origin(&self, wide: bool, row: u16) -> OriginId {
        let [wides, scalars] = &self.origins;
        let origins = if wide { wides } else { scalars };
        origins.get(usize::from(row)).copied().unwrap_or(ITSELF)
    }

    /// Replaces the origin of a row's undefined bits.
    pub fn set_origin(&mut self, wide: bool, row: u16, origin: OriginId) {
        let [wides, scalars] = &mut self.origins;
        let origins = if wide { wides } else { scalars };
        if let Some(to) = origins.get_mut(usize::from(row)) {
            *to = origin;
        }
    }

    /// Returns the register of a row, or `None` for a temporary.
    pub fn register(&self, wide: bool, row: u16) -> Option<Register> {
        let [wides, scalars] = self.registers;
        let (count, register) = if wide { (wides, Register::Vector(row)) } else { (scalars, Register::Scalar(row)) };
        (row < count).then_some(register)
    }

    /// Replaces a wide row.
    pub fn set_wide(&mut self, half: usize, row: u16, bits: Wide) {
        let mut mask = 0;
        for (lane, bits) in bits.0.iter().enumerate() {
            mask |= u32::from(*bits != 0) << lane;
        }
        if let Some(to) = self.lanes.get_mut(half).and_then(|rows| rows.get_mut(usize::from(row))) {
            *to = mask;
        }
        if let Some(file) = self.wide.get_mut(half) {
            file.set_row(row, bits);
        }
        let is_undefined = self.any_wide(row, 1);
        self.undefined.set(true, row, is_undefined);
    }

    /// The registers with undefined bits, of some.
    #[inline]
    pub fn undefined_of(&self, registers: &RegisterSet) -> RegisterSet {
        self.undefined.and(registers)
    }

    /// Replaces lanes of a wide row.
    pub fn set_lanes(&mut self, half: usize, row: u16, mask: u32, bits: Wide) {
        let Some(file) = self.wide.get(half) else { return };
        let bits = Wide::blend(mask, &bits, file.row(row));
        self.set_wide(half, row, bits);
    }

    /// Declares lanes of a wide row defined.
    #[inline]
    pub fn clear_lanes(&mut self, half: usize, row: u16, mask: u32) {
        let found = self.lanes.get_mut(half).and_then(|rows| rows.get_mut(usize::from(row)));
        let Some(lanes) = found.filter(|lanes| **lanes & mask != 0) else { return };
        *lanes &= !mask;
        if let Some(file) = self.wide.get_mut(half) {
            file.set_lanes(row, mask, Wide::ZERO);
        }
        let is_undefined = self.any_wide(row, 1);
        self.undefined.set(true, row, is_undefined);
    }

    /// Declares a half of lanes of a wide row defined.
    pub fn clear_half(&mut self, half: usize, row: u16, mask: u32, high: bool) {
        if self.lanes(half, row) & mask != 0 {
            let kept = if high { 0xFFFF } else { 0xFFFF_0000 };
            let bits = self.wide.get(half).map_or(Wide::ZERO, |file| *file.row(row));
            self.set_lanes(half, row, mask, Wide(bits.0.map(|bits| bits & kept)));
        }
    }

    /// A row of the shadow; zero for constants.
    fn wide_row(&self, half: usize, row: u16) -> Wide {
        self.wide.get(half).map_or(Wide::ZERO, |file| *file.row(row))
    }

    /// Whether a file of wide rows has an undefined bit in some rows.
    fn any_wide(&self, first: u16, count: u16) -> bool {
        (first..first.saturating_add(count)).any(|row| (0..self.wide.len()).any(|half| self.lanes(half, row) != 0))
    }

    /// The first row with an undefined bit of the arguments of an operation.
    fn undefined_argument(&self, wide: bool, args: &[Argument]) -> Option<u16> {
        let mut rows = args.iter().flat_map(|arg| arg.row..arg.row.saturating_add(dwords(arg.ty)));
        rows.find(|row| if wide { self.any_wide(*row, 1) } else { self.scalar(*row) != 0 })
    }

    /// What a step that moves or computes values makes of undefined bits, before the step. `origin` says where the undefined bits of a
    /// row came from.
    pub fn apply(&mut self, step: &Step, wave: &mut Wave, origin: &mut dyn FnMut(&Shadow, bool, u16) -> OriginId) {
        match step {
            Step::Lanes(primitive) => self.operation_of_lanes(primitive, wave, origin),
            Step::Wave(primitive) => self.operation_of_wave(primitive, wave, origin),
            Step::Broadcast { dst, src } => {
                let bits = self.scalar(*src);
                self.move_origin((false, *src), (true, *dst), origin);
                for half in 0..self.wide.len() {
                    self.set_wide(half, *dst, Wide([bits; LANES]));
                }
            }
            Step::Expand { dst, src } => {
                for half in 0..self.wide.len() {
                    let src = src.saturating_add(half as u16);
                    let bits = self.scalar(src);
                    if bits != 0 {
                        self.move_origin((false, src), (true, *dst), origin);
                    }
                    self.set_wide(half, *dst, Wide::of_bits(bits));
                }
            }
            Step::IsZero { dst, src } => {
                let count = self.wide.len().max(1) as u16;
                let rows = || *src..src.saturating_add(count);
                let is_known = rows().any(|row| wave.sgpr(row) & !self.scalar(row) != 0);
                let row = rows().find(|row| self.scalar(*row) != 0).filter(|_| !is_known);
                if let Some(row) = row {
                    self.move_origin((false, row), (false, *dst), origin);
                }
                self.set_scalar(*dst, row.is_some().into());
            }
            Step::Cross(cross) => self.cross(cross, wave, origin),
            Step::ReadLane { dst, src, lane } => {
                let lane = wave.sgpr(*lane) as usize % wave.lanes().max(1);
                let bits = self.wide.get(lane / LANES).map_or(0, |file| file.get(*src, lane % LANES));
                self.move_origin((true, *src), (false, *dst), origin);
                self.set_scalar(*dst, bits);
            }
            Step::Matrix(matrix) => self.matrix(matrix, origin),
            Step::Merge(commit) => self.merge(commit, wave, origin),
            Step::MergeHalf { commit, high } => {
                self.move_origin((true, commit.src), (true, commit.dst), origin);
                let masks = self.written(commit.condition, wave);
                for (half, mask) in (0..self.wide.len()).zip(masks) {
                    if self.lanes(half, commit.src) | self.lanes(half, commit.dst) == 0 {
                        continue;
                    }
                    let (new, old) = (self.wide_row(half, commit.src), self.wide_row(half, commit.dst));
                    let (kept, shift) = if *high { (0xFFFF, 16) } else { (0xFFFF_0000, 0) };
                    let merged = Wide::from_fn(|lane| old.0[lane] & kept | (new.0[lane] & 0xFFFF) << shift);
                    self.set_lanes(half, commit.dst, mask, merged);
                }
            }
            Step::WriteMask { commit, inactive } => {
                let masks = self.written(commit.condition, wave);
                for (half, mask) in (0..self.wide.len()).zip(masks) {
                    let dst = commit.dst.saturating_add(half as u16);
                    let new = self.lanes(half, commit.src);
                    if new & mask != 0 {
                        self.move_origin((true, commit.src), (false, dst), origin);
                    }
                    let others = if inactive.is_some() { 0 } else { self.scalar(dst) };
                    self.set_scalar(dst, new & mask | others & !mask);
                }
            }
            Step::Move(commit) => self.copy(commit, wave, origin),
            Step::MoveHalf { commit, high } if holds(commit.condition, wave) => {
                self.move_origin((false, commit.src), (false, commit.dst), origin);
                let (old, new) = (self.scalar(commit.dst), self.scalar(commit.src));
                let bits = if *high { old & 0xFFFF | new << 16 } else { old & 0xFFFF_0000 | new & 0xFFFF };
                self.set_scalar(commit.dst, bits);
            }
            Step::WriteLane { commit, lane } if holds(commit.condition, wave) => {
                let lane = wave.sgpr(*lane) as usize % wave.lanes().max(1);
                for n in 0..commit.count {
                    let (src, dst) = (commit.src.saturating_add(n), commit.dst.saturating_add(n));
                    let bits = self.scalar(src);
                    if bits != 0 {
                        self.move_origin((false, src), (true, dst), origin);
                    }
                    self.set_lanes(lane / LANES, dst, 1 << (lane % LANES), Wide([bits; LANES]));
                }
            }
            Step::ReadRelative(relative) => self.read_relative(relative, wave, origin),
            Step::WriteRelative(relative) => {
                let dst = relative.commit.dst.saturating_add(wave.distance(relative));
                if dst.saturating_add(relative.commit.count) <= wave.registers(relative.vector) {
                    let commit = Commit { dst, ..relative.commit };
                    if relative.vector {
                        self.merge(&commit, wave, origin);
                    } else {
                        self.copy(&commit, wave, origin);
                    }
                }
            }
            Step::FirstLane { dst } | Step::Getreg { dst, .. } | Step::BarrierState { dst } => self.set_scalar(*dst, 0),
            Step::Realtime { dst, count, .. } => {
                (*dst..dst.saturating_add(*count)).for_each(|row| self.set_scalar(row, 0));
            }
            // Lowering joins others of several steps only for code that is not checked.
            _ => {}
        }
    }

    fn move_origin(
        &mut self,
        (wide, src): (bool, u16),
        (to_wide, dst): (bool, u16),
        origin: &mut dyn FnMut(&Shadow, bool, u16) -> OriginId,
    ) {
        let is_undefined = if wide { self.any_wide(src, 1) } else { self.scalar(src) != 0 };
        if is_undefined {
            let id = origin(self, wide, src);
            self.set_origin(to_wide, dst, id);
        }
    }

    /// An operation on wide rows.
    fn operation_of_lanes(
        &mut self,
        primitive: &Primitive<Wide>,
        wave: &Wave,
        origin: &mut dyn FnMut(&Shadow, bool, u16) -> OriginId,
    ) {
        let operation = &primitive.operation;
        let (dst, count) = (primitive.dst, dwords(operation.ty));
        let Some(row) = self.undefined_argument(true, &operation.args) else {
            for row in dst..dst.saturating_add(count) {
                (0..self.wide.len()).for_each(|half| self.clear_lanes(half, row, u32::MAX));
            }
            return;
        };
        let id = origin(self, true, row);
        for half in 0..self.wide.len() {
            let rows = operation.args.iter().flat_map(|arg| arg.row..arg.row.saturating_add(dwords(arg.ty)));
            let concerned = rows.fold(0, |all, row| all | self.lanes(half, row));
            let mut result = [Wide::ZERO; 4];
            if let (Some(values), Some(shadow)) = (wave.wide.get(half), self.wide.get(half)) {
                if let Some(rows) = slices(operation, shadow) {
                    result = rows;
                } else {
                    for lane in (0..LANES).filter(|lane| concerned >> lane & 1 != 0) {
                        let bits = of_lane(operation, values, shadow, lane);
                        for (n, to) in result.iter_mut().enumerate() {
                            to.set(lane, (bits >> (32 * n)) as u32);
                        }
                    }
                }
            }
            for (row, bits) in (dst..).zip(result).take(count.into()) {
                self.set_wide(half, row, bits);
            }
        }
        for row in dst..dst.saturating_add(count) {
            self.set_origin(true, row, id);
        }
    }

    /// An operation on scalar rows.
    fn operation_of_wave(
        &mut self,
        primitive: &Primitive<Single>,
        wave: &Wave,
        origin: &mut dyn FnMut(&Shadow, bool, u16) -> OriginId,
    ) {
        let operation = &primitive.operation;
        let count = dwords(operation.ty);
        let bits = match self.undefined_argument(false, &operation.args) {
            Some(row) => {
                let id = origin(self, false, row);
                for row in primitive.dst..primitive.dst.saturating_add(count) {
                    self.set_origin(false, row, id);
                }
                of_lane(operation, &wave.scalar, &self.scalar, 0)
            }
            None => 0,
        };
        for n in 0..count {
            self.set_scalar(primitive.dst.saturating_add(n), (bits >> (32 * n)) as u32);
        }
    }

    /// An exchange between lanes: undefined bits of the values are exchanged in the same way.
    fn cross(&mut self, cross: &Cross, wave: &mut Wave, origin: &mut dyn FnMut(&Shadow, bool, u16) -> OriginId) {
        let count = dwords(cross.ty);
        let is_value = |n: usize| match cross.builtin {
            Builtin::LaneId | Builtin::FirstLane | Builtin::MbcntLo | Builtin::MbcntHi | Builtin::Dpp16Writes => false,
            Builtin::Permlane16 | Builtin::Permlanex16 => n == 0 || n == 3,
            _ => n == 0,
        };
        let found = self.undefined_argument(true, &cross.args);
        let id = found.map(|row| origin(self, true, row));
        let controls = cross.args.iter().enumerate().filter(|(n, _)| !is_value(*n));
        let rows: Vec<u16> = controls.flat_map(|(_, arg)| arg.row..arg.row.saturating_add(dwords(arg.ty))).collect();
        let values = cross.args.iter().enumerate().filter(|(n, _)| is_value(*n));
        let values: Vec<u16> = values.flat_map(|(_, arg)| arg.row..arg.row.saturating_add(dwords(arg.ty))).collect();
        let mut results: Vec<Vec<Wide>> = vec![vec![Wide::ZERO; count.into()]; self.wide.len()];
        if values.iter().any(|row| self.any_wide(*row, 1)) {
            // The values are replaced by their undefined bits for a moment.
            let real: Vec<Vec<Wide>> =
                wave.wide.iter().map(|file| values.iter().map(|row| *file.row(*row)).collect()).collect();
            for (half, file) in wave.wide.iter_mut().enumerate() {
                values.iter().for_each(|row| file.set_row(*row, self.wide_row(half, *row)));
            }
            let moved = Cross { commits: false, ..cross.clone() };
            moved.run_for(wave);
            for (half, (file, real)) in wave.wide.iter_mut().zip(&real).enumerate() {
                for (to, row) in results.get_mut(half).into_iter().flatten().zip(cross.dst..) {
                    *to = *file.row(row);
                }
                values.iter().zip(real).for_each(|(row, real)| file.set_row(*row, *real));
            }
        }
        for (half, rows_of_half) in results.into_iter().enumerate() {
            let unknown = rows.iter().fold(0, |all, row| all | self.lanes(half, *row));
            for (row, bits) in (cross.dst..).zip(rows_of_half) {
                self.set_wide(half, row, Wide::blend(unknown, &Wide([u32::MAX; LANES]), &bits));
            }
        }
        for row in cross.dst..cross.dst.saturating_add(count) {
            self.set_origin(true, row, id.unwrap_or(ITSELF));
        }
    }

    /// A matrix product: an element depends on a row of the first matrix, a column of the second and an element of the third.
    fn matrix(&mut self, matrix: &Matrix, origin: &mut dyn FnMut(&Shadow, bool, u16) -> OriginId) {
        let halves = self.wide.len();
        let rows = |n: usize| {
            let first = matrix.args[n].row;
            first..first.saturating_add(matrix.registers(n, halves))
        };
        let index = matrix.index.map(|index| index.row);
        let mut all = (0..3).flat_map(rows).chain(index);
        if let Some(row) = all.find(|row| self.any_wide(*row, 1)) {
            let id = origin(self, true, row);
            let count = dwords(matrix.ty);
            (matrix.dst..matrix.dst.saturating_add(count)).for_each(|row| self.set_origin(true, row, id));
        }
        // Lanes `n` and `n + 16` may have parts of the same row or column.
        let is_split = matrix.layout == MatrixLayout::Split;
        let lanes = |row| match is_split {
            true => (0..halves).fold(0, |all, half| all | self.lanes(half, row) | self.lanes(half, row) >> 16),
            false => self.lanes(0, row),
        };
        let [a, b] = [0, 1].map(|n| rows(n).fold(0, |all, row| all | lanes(row)));
        let a = index.map_or(a, |row| a | lanes(row));
        matrix.shadow(&mut self.wide, a, b);
        for half in 0..self.wide.len() {
            for row in matrix.dst..matrix.dst.saturating_add(dwords(matrix.ty)) {
                let bits = self.wide_row(half, row);
                self.set_wide(half, row, bits);
            }
        }
    }

    fn merge(&mut self, commit: &Commit, wave: &Wave, origin: &mut dyn FnMut(&Shadow, bool, u16) -> OriginId) {
        let masks = self.written(commit.condition, wave);
        for n in 0..commit.count {
            let (src, dst) = (commit.src.saturating_add(n), commit.dst.saturating_add(n));
            for (half, mask) in (0..self.wide.len()).zip(masks) {
                if self.lanes(half, src) & mask == 0 {
                    self.clear_lanes(half, dst, mask);
                    continue;
                }
                self.move_origin((true, src), (true, dst), origin);
                let bits = self.wide_row(half, src);
                self.set_lanes(half, dst, mask, bits);
            }
        }
    }

    fn copy(&mut self, commit: &Commit, wave: &Wave, origin: &mut dyn FnMut(&Shadow, bool, u16) -> OriginId) {
        if holds(commit.condition, wave) {
            for n in 0..commit.count {
                let (src, dst) = (commit.src.saturating_add(n), commit.dst.saturating_add(n));
                self.move_origin((false, src), (false, dst), origin);
                let bits = self.scalar(src);
                self.set_scalar(dst, bits);
            }
        }
    }

    fn read_relative(
        &mut self,
        relative: &Relative,
        wave: &Wave,
        origin: &mut dyn FnMut(&Shadow, bool, u16) -> OriginId,
    ) {
        let Commit { dst, src, count, .. } = relative.commit;
        let first = Some(src.saturating_add(wave.distance(relative)));
        let first = first.filter(|first| first.saturating_add(count) <= wave.registers(relative.vector)).unwrap_or(0);
        for n in 0..count {
            let (from, to) = (first.saturating_add(n), dst.saturating_add(n));
            self.move_origin((relative.vector, from), (relative.lanes, to), origin);
            match (relative.vector, relative.lanes) {
                (true, _) => {
                    for half in 0..self.wide.len() {
                        let bits = self.wide_row(half, from);
                        self.set_wide(half, to, bits);
                    }
                }
                (false, true) => {
                    let bits = Wide([self.scalar(from); LANES]);
                    (0..self.wide.len()).for_each(|half| self.set_wide(half, to, bits));
                }
                (false, false) => {
                    let bits = self.scalar(from);
                    self.set_scalar(to, bits);
                }
            }
        }
    }

    /// The lanes that a write reaches, for each 32.
    fn written(&self, condition: Option<u16>, wave: &Wave) -> [u32; 2] {
        let holding = condition.map_or([u32::MAX; 2], |row| wave.lanes_of_row(row));
        [wave.writing[0] & holding[0], wave.writing[1] & holding[1]]
    }
}

/// Whether a condition of a body that runs once a wave holds.
fn holds(condition: Option<u16>, wave: &Wave) -> bool {
    condition.is_none_or(|row| wave.sgpr(row) & 1 != 0)
}

/// Whether an operation subtracts a number from itself, or combines it with itself by XOR: the result is zero for any number.
fn is_zero(operation: &Operation) -> bool {
    let is_difference = matches!(operation.kind, OperationKind::Binary(BinaryOp::Sub | BinaryOp::Xor));
    is_difference && format(operation.ty).is_none() && matches!(&*operation.args, [a, b] if a == b)
}

/// The undefined bits of an operation's result in a lane.
fn of_lane<R: Row>(operation: &Operation, values: &File<R>, shadow: &File<R>, lane: usize) -> u128 {
    if is_zero(operation) {
        return 0;
    }
    let mut args = [Partial { value: Typed { bits: 0, ty: operation.ty }, undefined: 0 }; 16];
    for (to, arg) in args.iter_mut().zip(&operation.args) {
        let number = |file: &File<R>| {
            low_bits(file.number(arg.row, dwords(arg.ty), lane), u32::from(arg.ty.total_bits().max(1)))
        };
        *to = Partial { value: Typed { bits: number(values), ty: arg.ty }, undefined: number(shadow) };
    }
    undefined(operation.kind, operation.ty, args.get(..operation.args.len()).unwrap_or(&args))
}

/// The undefined bits of slices of a dword, for all lanes: code for halves of registers has many.
fn slices(operation: &Operation, shadow: &File<Wide>) -> Option<[Wide; 4]> {
    let is_dword = |ty: isa_runtime::body::Type| ty.total_bits() == 32;
    let [arg] = &*operation.args else { return None };
    if !is_dword(arg.ty) {
        return None;
    }
    let bits = shadow.row(arg.row);
    let width = operation.ty.total_bits().min(32);
    let mask = if width == 32 { u32::MAX } else { (1 << width) - 1 };
    let row = match operation.kind {
        OperationKind::Slice(lo) if lo < 32 && operation.ty.total_bits() <= 32 => {
            Wide::from_fn(|lane| bits.0[lane] >> lo & mask)
        }
        _ => return None,
    };
    Some([row, Wide::ZERO, Wide::ZERO, Wide::ZERO])
}

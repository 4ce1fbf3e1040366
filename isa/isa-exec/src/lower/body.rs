//! Lowers the operations of a body and of fragments.

use alloc::boxed::Box;
use alloc::format;
use alloc::vec::Vec;
use core::ops::Range;

use isa_runtime::body::{
    BinaryOp, Builtin, Class, Clause, Op, OperandFact, Ops, Part, Place, Run, State, Target, Type,
};

use crate::layout::{Bound, HardwareRegister, HardwareWrite, Location, RegisterBits, Role};
use crate::lower::values::{DWORD, Value};
use crate::lower::write::{To, Write};
use crate::lower::{Broadcast, Clauses, Context, wide};
use crate::operation::{Argument, OperationKind, dwords, low_bits};
use crate::step::{Access, Commit, Cross, Matrix, MatrixLayout, Query, Relative, Sources, SparseIndex, Step, Writers};

/// The number of the barrier of the work-group.
const GROUP_BARRIER: i16 = -1;

/// The number of the barrier of the trap handlers of a work-group.
const TRAP_BARRIER: i16 = -2;

/// A body or a fragment while it is lowered.
pub(super) struct Lowerer<'a, 'c, 'p> {
    pub(super) context: &'c mut Context<'p>,
    pub(super) bound: &'c Bound<'a>,
    pub(super) clauses: &'c Clauses<'c, 'a>,
    /// The results of the operations so far.
    values: Vec<Value>,
    /// In a fragment: the value that it changes.
    input: Option<Value>,
    /// Whether integers are computed exactly, to be saturated.
    pub(super) saturates: bool,
    /// The start of the atomic that is being lowered, and the number of steps before it.
    pub(super) update: Option<(Access, usize)>,
    /// Consecutive rows for what the loads of a body read, in their order: a value that joins them is these rows.
    pub(super) loads: Option<Range<u16>>,
}

/// Lowers a body: steps up to its writes, and the writes.
pub(crate) fn lower(context: &mut Context<'_>, bound: &Bound<'_>) {
    let clauses = Clauses { all: &bound.clauses };
    let saturates = match clauses.saturates(None) {
        Some(code) => fragment(context, bound, &clauses, code, None).known.is_some_and(|bit| bit & 1 != 0),
        None => false,
    };
    for clause in clauses.all {
        if let Clause::Active(code) = clause {
            let value = fragment(context, bound, &clauses, code.clone(), None);
            if let Some(writers) = value.writers {
                // Before all operations, so that the last one can write registers itself.
                context.steps.insert(0, Step::Restrict(writers));
            } else if value.known != Some(1) {
                let src = context.row(&value);
                context.writes.push(Write { to: To::Active, src: Value::rows(Type::BOOL, src), condition: None });
            }
        }
    }
    let is_wide = bound.image.is_some_and(|image| wide::is_wide_atomic(bound, &image));
    let loads = loads(context, bound);
    let mut lowerer =
        Lowerer { context, bound, clauses: &clauses, values: Vec::new(), input: None, saturates, update: None, loads };
    for op in bound.body.clone() {
        let op = if is_wide { wide::widened(op) } else { op };
        let value = lowerer.op(&op);
        lowerer.values.push(value);
    }
}

/// Rows for what the loads of a body read, if there are several.
fn loads(context: &mut Context<'_>, bound: &Bound<'_>) -> Option<Range<u16>> {
    let of_load = |op| match op {
        Op::Load { ty, .. } => Some(ty.total_bits().next_multiple_of(32)),
        _ => None,
    };
    let bits: Vec<u16> = bound.body.clone().filter_map(of_load).collect();
    let ty = Type::new(Class::Bits, 32, u8::try_from(bits.iter().sum::<u16>() / 32).ok()?);
    let first = (bits.len() > 1 && bound.image.is_none()).then(|| context.temporary(ty))?;
    Some(first..first.saturating_add(dwords(ty)))
}

/// Lowers a fragment and returns its value.
pub(super) fn fragment<'a>(
    context: &mut Context<'_>,
    bound: &Bound<'a>,
    clauses: &Clauses<'_, 'a>,
    code: Ops<'a>,
    input: Option<Value>,
) -> Value {
    let mut lowerer =
        Lowerer { context, bound, clauses, values: Vec::new(), input, saturates: false, update: None, loads: None };
    for op in code {
        if let Op::Return { value } = op {
            return lowerer.value(value);
        }
        let value = lowerer.op(&op);
        lowerer.values.push(value);
    }
    context.fail("a clause of its format has no value");
    Value::known(Type::BOOL, 0)
}

impl<'a> Lowerer<'a, '_, '_> {
    pub(super) fn value(&mut self, id: u8) -> Value {
        match self.values.get(usize::from(id)) {
            Some(value) => value.clone(),
            None => {
                self.context.fail("its body is damaged");
                Value::known(Type::BOOL, 0)
            }
        }
    }

    pub(super) fn values(&mut self, ids: &[u8]) -> Vec<Value> {
        ids.iter().map(|id| self.value(*id)).collect()
    }

    /// Computes an operation, exactly if the body saturates.
    fn compute(&mut self, kind: OperationKind, ty: Type, ids: &[u8]) -> Value {
        let args = self.values(ids);
        if self.saturates
            && let Some(value) = self.context.compute_exactly(kind, ty, &args)
        {
            return value;
        }
        self.context.compute(kind, ty, &args)
    }

    /// The row of a condition; `None`: it always holds. `Err`: it never does.
    fn condition(&mut self, id: Option<u8>) -> Result<Option<Value>, ()> {
        let Some(id) = id else { return Ok(None) };
        let value = self.value(id);
        match value.known {
            Some(bit) if bit & 1 == 0 => Err(()),
            Some(_) => Ok(None),
            None => Ok(Some(value)),
        }
    }

    /// Lowers an operation and returns its value.
    fn op(&mut self, op: &Op<'a>) -> Value {
        match *op {
            Op::Const { ty, bits } => Value::known(ty, bits),
            Op::Role { ty, role, part } => self.role(ty, role, part),
            Op::Relative { ty, role, distance } => self.relative(ty, role, distance),
            Op::Field { ty, name } => match (self.bound.field)(name) {
                Some(code) => Value::known(ty, code.into()),
                None => Value::known(ty, 0),
            },
            Op::State { ty, state } => self.state(ty, state),
            Op::Input { ty } => match self.input.clone() {
                Some(value) => value.read_as(ty),
                None => {
                    self.context.fail("a clause of its format has no input");
                    Value::known(ty, 0)
                }
            },
            Op::Is { role, fact } => Value::known(Type::BOOL, has_fact(&self.role_of(role).location, fact).into()),
            Op::Unary { op, ty, a } => self.compute(OperationKind::Unary(op), ty, &[a]),
            Op::Binary { op, ty, a, b } if op.compares() => {
                let args = self.values(&[a, b]);
                let _ = ty;
                self.context.compute(OperationKind::Binary(op), Type::BOOL, &args)
            }
            Op::Binary { op, ty, a, b } => self.compute(OperationKind::Binary(op), ty, &[a, b]),
            Op::Cast { ty, a } => {
                let value = self.value(a);
                // Registers of a wave as another type.
                if value.vector.is_some() && (ty.class() == Class::Bits || value.ty.class() == Class::Bits) {
                    return Value { ty, ..value };
                }
                self.compute(OperationKind::Cast, ty, &[a])
            }
            Op::Slice { ty, a, lo } => self.compute(OperationKind::Slice(lo), ty, &[a]),
            Op::Bit { a, index } => self.compute(OperationKind::Bit, Type::BOOL, &[a, index]),
            Op::Select { ty, condition, yes, no } => self.compute(OperationKind::Select, ty, &[condition, yes, no]),
            Op::Insert { ty, a, lo, bits } => self.compute(OperationKind::Insert(lo), ty, &[a, bits]),
            Op::InsertBit { ty, a, index, bit } => self.compute(OperationKind::InsertBit, ty, &[a, index, bit]),
            Op::Call { ty, builtin, args, condition } => self.call(ty, builtin, args, condition),
            Op::Load { ty, place, address } => self.load(ty, place, address),
            Op::Store { ty, place, address, value, condition } => {
                if let Ok(condition) = self.condition(condition) {
                    let value = self.value(value);
                    // The conversion of texels reads whole rows.
                    let data = match place {
                        Place::Texel => self.context.row(&value),
                        _ => self.context.stored(ty, &value),
                    };
                    let access = self.access(ty, place, address, data, condition.as_ref());
                    if self.has(Builtin::StoreBlock) {
                        for access in self.elements(&access) {
                            self.context.steps.push(Step::Store(Box::new(access)));
                        }
                    } else {
                        self.context.steps.push(Step::Store(Box::new(access)));
                    }
                }
                Value::none()
            }
            Op::RmwBegin { ty, place, address } => {
                let data = self.context.temporary(ty);
                let access = Access { atomic: true, ..self.access(ty, place, address, data, None) };
                self.update = Some((access, self.context.steps.len()));
                Value::rows(ty, data)
            }
            Op::RmwEnd { ty, begin, value } => self.update(ty, begin, value),
            Op::Write { target, value, condition } => {
                if let Ok(condition) = self.condition(condition) {
                    self.write(target, value, condition);
                }
                Value::none()
            }
            Op::Return { .. } => Value::none(),
        }
    }

    pub(super) fn in_lanes(&self) -> bool {
        self.context.run == Run::Lanes
    }

    fn role_of(&mut self, role: u8) -> Role {
        match self.bound.roles.get(usize::from(role)) {
            Some(role) => *role,
            None => Role { ty: DWORD, location: Location::Null, is_written: false },
        }
    }

    /// The rows of scalar registers, in a body of either kind.
    fn scalar(&mut self, ty: Type, register: u16) -> Value {
        if !self.in_lanes() {
            return self.masked(ty, register);
        }
        // Reads come before writes: a register is the same wherever it is read.
        let count = dwords(ty);
        let known = self.context.broadcasts.iter().find(|known| (known.scalar, known.count) == (register, count));
        if let Some(Broadcast { row, .. }) = known {
            return self.masked(ty, *row);
        }
        let dst = self.context.temporary(ty);
        for (src, dst) in (register..register.saturating_add(count)).zip(dst..) {
            self.context.steps.push(Step::Broadcast { dst, src });
        }
        self.context.broadcasts.push(Broadcast { scalar: register, count, row: dst });
        self.masked(ty, dst)
    }

    /// A value of a type in rows that may hold further bits.
    fn masked(&mut self, ty: Type, row: u16) -> Value {
        let bits = ty.total_bits();
        if bits.is_multiple_of(32) {
            return Value::rows(ty, row);
        }
        if bits < 32 {
            return Value::low_bits(ty, row);
        }
        let whole = Value::rows(Type::new(Class::Bits, 32 * dwords(ty), 1), row);
        self.context.compute(OperationKind::Slice(0), ty, &[whole])
    }

    /// 1 if a mask in scalar registers has no bit of the wave, and else 0.
    fn mask_is_zero(&mut self, src: u16) -> Value {
        const NUMBER: Type = Type::new(Class::Unsigned, 32, 1);
        let row = self.context.temporary(NUMBER);
        if !self.in_lanes() {
            self.context.steps.push(Step::IsZero { dst: row, src });
            return Value::rows(NUMBER, row);
        }
        let (scalars, vectors) = (self.context.program.layout.scalar_temporaries(), self.context.program.vectors);
        let scalar = scalars.saturating_add(row.saturating_sub(vectors));
        self.context.steps.push(Step::IsZero { dst: scalar, src });
        self.context.steps.push(Step::Broadcast { dst: row, src: scalar });
        self.context.broadcasts.push(Broadcast { scalar, count: 1, row });
        Value::rows(NUMBER, row)
    }

    /// Each lane's bit of a mask in scalar rows.
    fn lane_bit(&mut self, register: u16) -> Value {
        let dst = self.context.temporary(Type::BOOL);
        self.context.steps.push(Step::Expand { dst, src: register });
        Value::rows(Type::BOOL, dst)
    }

    /// An operand, after the clauses of the format.
    fn role(&mut self, ty: Type, index: u8, part: Part) -> Value {
        let role = self.role_of(index);
        let value = self.fetched(ty, role, part);
        let clauses = self.clauses;
        // Within a fragment, a role has the register's value, without the clauses.
        if self.input.is_some() {
            return value;
        }
        clauses.sources(index).fold(value, |value, code| {
            let changed = fragment(self.context, self.bound, clauses, code, Some(value));
            Value { ty, ..changed }
        })
    }

    /// Returns the value in an operand's register or constant, before the clauses of the format.
    fn fetched(&mut self, ty: Type, role: Role, part: Part) -> Value {
        let is_mask = role.ty.class() == Class::Mask;
        match role.location {
            Location::Null => Value::known(ty, 0),
            Location::Constant(constant) if is_mask && self.in_lanes() => self.constant_mask(constant.bits(role.ty)),
            Location::Constant(constant) => match part {
                Part::Whole => Value::constant(ty, constant),
                Part::High => Value::known(ty, low_bits(constant.bits(role.ty) >> 16, u32::from(ty.total_bits()))),
            },
            // SCC and status bits are 0 or 1.
            Location::Scc | Location::IsZero(_) if part == Part::High => Value::known(ty, 0),
            Location::Scc => {
                let scc = self.context.program.layout.scc();
                self.scalar(ty, scc)
            }
            Location::IsZero(mask) => {
                let number = self.mask_is_zero(mask);
                if dwords(ty) == 1 {
                    Value { ty, ..number }
                } else {
                    self.context.compute(OperationKind::Cast, ty, &[number])
                }
            }
            Location::Scalar(register) if is_mask && self.in_lanes() => self.lane_bit(register),
            Location::Scalar(register) => {
                let ty32 = if part == Part::High { DWORD } else { ty };
                let value = self.scalar(ty32, register);
                self.half(ty, value, part)
            }
            Location::ScalarHigh(register) => {
                let value = self.scalar(DWORD, register);
                self.half(ty, value, Part::High)
            }
            Location::Vector(register) if !self.in_lanes() => Value::vector(ty, register),
            Location::Vector(register) if part == Part::Whole => self.masked(ty, register),
            Location::Vector(register) | Location::VectorHigh(register) => {
                self.half(ty, Value::rows(DWORD, register), Part::High)
            }
        }
    }

    fn half(&mut self, ty: Type, value: Value, part: Part) -> Value {
        match part {
            Part::Whole => value,
            Part::High => self.context.compute(OperationKind::Slice(16), ty, &[value]),
        }
    }

    /// Each lane's bit of a constant mask.
    fn constant_mask(&mut self, bits: u128) -> Value {
        let all = if self.context.program.wave64 { u128::from(u64::MAX) } else { u128::from(u32::MAX) };
        match bits & all {
            0 => Value::known(Type::BOOL, 0),
            bits if bits == all => Value::known(Type::BOOL, 1),
            bits => {
                let row = self.context.scalar_constant(bits, Type::new(Class::Bits, 64, 1));
                self.lane_bit(row)
            }
        }
    }

    /// A register at a distance.
    fn relative(&mut self, ty: Type, role: u8, distance: u8) -> Value {
        let distance = self.value(distance);
        let (vector, src) = match self.role_of(role).location {
            Location::Vector(register) => (true, register),
            Location::Scalar(register) => (false, register),
            _ => return self.role(ty, role, Part::Whole),
        };
        let distance = self.context.row(&distance);
        let dst = self.context.temporary(ty);
        let commit = Commit { dst, src, count: dwords(ty), condition: None };
        let lanes = self.in_lanes();
        self.context.steps.push(Step::ReadRelative(Relative { commit, distance, vector, lanes }));
        Value::rows(ty, dst)
    }

    pub(super) fn state(&mut self, ty: Type, state: State) -> Value {
        let layout = self.context.program.layout;
        let wave64 = self.context.program.wave64;
        match state {
            State::Vcc if self.in_lanes() => self.lane_bit(layout.vcc),
            State::Exec if self.in_lanes() => self.lane_bit(layout.exec),
            State::Vcc => self.scalar(ty, layout.vcc),
            State::Exec => self.scalar(ty, layout.exec),
            State::VccLo => self.scalar(ty, layout.vcc),
            State::ExecLo => self.scalar(ty, layout.exec),
            State::Vccz | State::Execz => {
                let src = if state == State::Vccz { layout.vcc } else { layout.exec };
                Value { ty: Type::BOOL, ..self.mask_is_zero(src) }
            }
            // The row holds 0 or 1.
            State::Scc if !self.in_lanes() => Value::rows(ty, layout.scc()),
            State::Scc => self.scalar(ty, layout.scc()),
            State::M0 => self.scalar(ty, layout.m0),
            State::Mode => self.scalar(ty, layout.mode()),
            State::Status => self.scalar(ty, layout.status()),
            State::FlatScratch => self.scalar(ty, layout.flat_scratch()),
            State::Pc => {
                let _ = wave64;
                Value::known(ty, low_bits(self.context.next.into(), ty.total_bits().into()))
            }
        }
    }

    fn call(&mut self, ty: Type, builtin: Builtin, ids: &[u8], condition: Option<u8>) -> Value {
        use Builtin as B;
        match builtin {
            B::End | B::Barrier | B::BarrierSignal | B::BarrierWait | B::Sleep | B::Setreg => {
                let Ok(condition) = self.condition(condition) else { return Value::none() };
                let condition = condition.map(|value| self.context.row(&value));
                let step = match builtin {
                    B::End => Step::End { condition },
                    B::Barrier => Step::Barrier { condition },
                    B::BarrierSignal | B::BarrierWait => {
                        if self.barrier(ids) != Some(GROUP_BARRIER) {
                            return Value::none();
                        }
                        if builtin == B::BarrierSignal { Step::Signal { condition } } else { Step::Await { condition } }
                    }
                    B::Sleep => {
                        let args = self.values(ids);
                        Step::Sleep { units: args.first().map_or(0, |arg| self.context.row(arg)), condition }
                    }
                    _ => {
                        let Some(step) = self.write_register(ids, condition) else { return Value::none() };
                        step
                    }
                };
                self.context.steps.push(step);
                Value::none()
            }
            B::BarrierState => match self.barrier(ids) {
                Some(GROUP_BARRIER) => {
                    let dst = self.context.temporary(ty);
                    self.context.steps.push(Step::BarrierState { dst });
                    Value::rows(ty, dst)
                }
                _ => Value::known(ty, 0),
            },
            B::AllocVgprs => {
                // A wave has all registers, and gives none up.
                let vectors = Value::known(Type::new(Class::Unsigned, 32, 1), self.context.program.vectors.into());
                let count = ids.first().map_or(vectors.clone(), |id| self.value(*id));
                self.context.compute(OperationKind::Binary(BinaryOp::Le), Type::BOOL, &[count, vectors])
            }
            B::Getreg => self.read_register(ty, ids),
            B::Wave64 => Value::known(ty, u128::from(self.context.program.wave64)),
            B::Lane | B::FirstLane if !self.in_lanes() => self.lane_of_wave(ty, builtin, ids),
            B::GlobalAddress => self.global_address(ty, ids),
            B::ScratchAddress => {
                let args = self.values(ids);
                let add = OperationKind::Binary(BinaryOp::Add);
                args.iter().fold(Value::known(ty, 0), |sum, arg| {
                    let part = self.context.compute(OperationKind::Cast, ty, core::slice::from_ref(arg));
                    if sum.known == Some(0) { part } else { self.context.compute(add, ty, &[sum, part]) }
                })
            }
            B::ImageAddress => self.image_address(ty, ids),
            B::ImageInfo => self.image_query(ids, Query::Info),
            B::ImageLod => self.image_query(ids, Query::Lod),
            // The load through the sampler has filtered the texels.
            B::Sample | B::SampleQuad => ids.first().map_or(Value::known(ty, 0), |id| self.value(*id)),
            B::LdsDirect => self.lds_direct(ty, ids),
            B::LoadBlock => self.load_block(ty, ids),
            // The store writes the elements of the mask.
            B::StoreBlock => ids.last().map_or(Value::known(ty, 0), |id| self.value(*id)),
            B::BufferAddress | B::ScalarBufferAddress => self.descriptor(ty, builtin, ids),
            B::Wmma | B::WmmaSigned | B::WmmaSplit | B::Swmmac => self.matrix(ty, builtin, ids),
            _ if is_cross(builtin) => self.cross(ty, builtin, ids),
            _ => self.compute(OperationKind::Call(builtin), ty, ids),
        }
    }

    /// The number of a barrier. In a kernel the barrier of trap handlers and barrier 0 have no effect; named barriers fail.
    fn barrier(&mut self, ids: &[u8]) -> Option<i16> {
        let number = self.values(ids).first().and_then(|number| number.known).map(|bits| bits as i16);
        match number {
            Some(GROUP_BARRIER..=0 | TRAP_BARRIER) => {}
            Some(_) | None => self.context.fail("it uses a named barrier, which this generation does not have"),
        }
        number
    }

    /// The hardware register and its bits that the constant of S_GETREG or S_SETREG selects.
    fn selected(&mut self, ids: &[u8]) -> Option<(HardwareRegister, RegisterBits)> {
        let Some(selector) = self.values(ids).first().and_then(|selector| selector.known) else {
            self.context.fail("its body computes the number of a hardware register");
            return None;
        };
        let (id, bits) = RegisterBits::of_selector(selector as u32);
        let found = self.context.program.layout.hardware.iter().find(|register| register.id == id);
        if found.is_none() {
            self.context.fail(format!("there is no hardware register {id}"));
        }
        Some((*found?, bits))
    }

    /// Reads bits of a hardware register.
    fn read_register(&mut self, ty: Type, ids: &[u8]) -> Value {
        let Some((register, bits)) = self.selected(ids) else { return Value::none() };
        let is_known = (bits.mask << bits.offset) & !register.known == 0;
        let Some(value) = register.value.filter(|_| is_known) else {
            self.context.fail(format!("reads the hardware register {}, whose value is not known here", register.name));
            return Value::none();
        };
        let dst = self.context.temporary(ty);
        self.context.steps.push(Step::Getreg { dst, bits, value, index: 0 });
        Value::rows(ty, dst)
    }

    /// Writes bits of a hardware register; `None` if that has no effect, or fails.
    fn write_register(&mut self, ids: &[u8], condition: Option<u16>) -> Option<Step> {
        let (register, bits) = self.selected(ids)?;
        match register.written {
            HardwareWrite::Mode => {
                let values = self.values(ids);
                let src = values.get(1).map_or(0, |value| self.context.row(value));
                Some(Step::SetMode { bits, src, condition })
            }
            HardwareWrite::Ignored => None,
            HardwareWrite::Refused => {
                self.context
                    .fail(format!("writes the hardware register {}, which a kernel cannot write", register.name));
                None
            }
        }
    }

    /// A builtin that depends on the lane or on others.
    fn cross(&mut self, ty: Type, builtin: Builtin, ids: &[u8]) -> Value {
        if !self.in_lanes() {
            self.context.fail(format!("its body uses `{}` once a wave", builtin.name()));
        }
        // A wave of 32 lanes is one half.
        let builtin = match builtin {
            Builtin::PermuteWave if !self.context.program.wave64 => Builtin::Permute,
            Builtin::BpermuteWave if !self.context.program.wave64 => Builtin::Bpermute,
            builtin => builtin,
        };
        // The elements of a matrix are spread over all lanes.
        let ty = match builtin {
            Builtin::TransposeB16 | Builtin::TransposeB8 if self.context.program.wave64 => {
                Type::new(ty.class(), ty.bits() / 2, ty.lanes())
            }
            _ => ty,
        };
        let args = self.values(ids);
        let known: Vec<_> = args.iter().map(|arg| arg.known).collect();
        let sources = Sources::of_constants(builtin, &known);
        let writers = if builtin == Builtin::Dpp16Writes { Writers::of_constants(&known) } else { None };
        if writers.as_ref().is_some_and(Writers::are_all) {
            return Value::known(ty, 1);
        }
        let args = args.iter().map(|arg| Argument { row: self.context.row(arg), ty: arg.ty }).collect();
        let dst = self.context.temporary(ty);
        self.context.steps.push(Step::Cross(Box::new(Cross { builtin, ty, args, dst, commits: false, sources })));
        Value { writers: writers.map(Box::new), ..Value::rows(ty, dst) }
    }

    /// One lane of a vector register, in a body that runs once a wave.
    fn lane_of_wave(&mut self, ty: Type, builtin: Builtin, ids: &[u8]) -> Value {
        let dst = self.context.temporary(ty);
        if builtin == Builtin::FirstLane {
            self.context.steps.push(Step::FirstLane { dst });
            return Value::rows(ty, dst);
        }
        let args = self.values(ids);
        let [Some(value), Some(lane)] = [args.first(), args.get(1)] else { return Value::known(ty, 0) };
        // A scalar operand is the same in all lanes.
        let Some(src) = value.vector else { return value.clone() };
        let lane = self.context.row(lane);
        for n in 0..dwords(ty) {
            self.context.steps.push(Step::ReadLane { dst: dst + n, src: src.saturating_add(n), lane });
        }
        Value::rows(ty, dst)
    }

    /// A matrix product.
    fn matrix(&mut self, ty: Type, builtin: Builtin, ids: &[u8]) -> Value {
        let args = self.values(ids);
        let dst = self.context.program.vectors;
        let operand = |n: usize| args.get(n).map(|arg| (arg.vector, arg.known, arg.ty));
        let mut registers = [Argument { row: 0, ty }; 3];
        for (n, to) in registers.iter_mut().enumerate() {
            let Some((vector, known, ty)) = operand(n) else { continue };
            let row = match (vector, known) {
                (Some(row), _) => row,
                (None, Some(bits)) => {
                    let first = self.context.program.wide_constants();
                    // A constant is in all elements of the operand.
                    let dword = if ty.bits() == 16 { bits as u32 & 0xFFFF | (bits as u32) << 16 } else { bits as u32 };
                    let rows = self.context.program.wide.repeated(dword, dwords(ty));
                    first.saturating_add(rows)
                }
                (None, None) => {
                    self.context.fail("a matrix operand is in scalar registers");
                    0
                }
            };
            *to = Argument { row, ty };
        }
        let known = |n: usize| args.get(n).and_then(|arg| arg.known);
        let (layout, index, modifiers) = match builtin {
            Builtin::Wmma | Builtin::WmmaSigned => (MatrixLayout::Repeated, None, None),
            Builtin::Swmmac => {
                let row = args.get(3).and_then(|arg| arg.vector);
                if row.is_none() {
                    self.context.fail("the index of a matrix is not in a vector register");
                }
                let index = SparseIndex { row: row.unwrap_or(0), key: known(4).unwrap_or(0) as u8 };
                (MatrixLayout::Split, Some(index), Some(5))
            }
            _ => (MatrixLayout::Split, None, Some(3)),
        };
        // The modifiers are those of floats, or say which integers are signed.
        let modifiers = modifiers.map(|first| [0, 1].map(|n| known(first + n).unwrap_or(0) as u8));
        let has_floats = args.first().is_some_and(|arg| arg.ty.is_float());
        let signs = modifiers.filter(|_| has_floats).unwrap_or([0; 2]);
        let signed = match modifiers {
            Some([signed, _]) => [0, 1].map(|n| Some(signed >> n & 1 != 0)),
            None => [3, 4].map(|n| known(n).map(|bit| bit & 1 != 0)),
        };
        let destination = self.bound.roles.first().and_then(|role| match role.location {
            Location::Vector(register) => Some(register),
            _ => None,
        });
        let high = (self.bound.field)("op_sel").is_some_and(|code| code & 4 != 0);
        let saturates = self.saturates;
        let matrix = Matrix { ty, args: registers, layout, index, signed, signs, destination, high, saturates, dst };
        self.context.steps.push(Step::Matrix(Box::new(matrix)));
        Value::vector(ty, dst)
    }

    fn write(&mut self, target: Target, value: u8, condition: Option<Value>) {
        if let Target::Role(role) | Target::High(role) = target
            && !self.role_of(role).is_written
        {
            return;
        }
        let value = self.value(value);
        let layout = self.context.program.layout;
        let (to, value) = match target {
            Target::Role(role) | Target::High(role) => {
                let value = self.result(role, value);
                let bound = self.role_of(role);
                let high = matches!(target, Target::High(_));
                (self.register(bound, role, &value, high), value)
            }
            Target::Relative(role, distance) => {
                let value = self.result(role, value);
                let distance = self.value(distance);
                let distance = self.context.row(&distance);
                let to = match self.role_of(role).location {
                    Location::Vector(register) => To::Relative { register, distance, vector: true },
                    Location::Scalar(register) => To::Relative { register, distance, vector: false },
                    _ => To::Nothing,
                };
                (to, value)
            }
            Target::Lane(role, lane) => {
                let lane = self.value(lane);
                let lane = self.context.row(&lane);
                let to = match self.role_of(role).location {
                    Location::Vector(register) => To::Lane { register, lane },
                    _ => To::Nothing,
                };
                (to, value)
            }
            Target::State(State::Vcc) if self.in_lanes() => {
                (To::Mask { register: layout.vcc, inactive: Some(false) }, value)
            }
            Target::State(State::Exec) if self.in_lanes() => {
                (To::Mask { register: layout.exec, inactive: Some(false) }, value)
            }
            Target::State(state) => {
                let to = match state {
                    State::Scc => To::Scalar(layout.scc()),
                    State::Vcc | State::VccLo => To::Scalar(layout.vcc),
                    State::Exec | State::ExecLo => To::Scalar(layout.exec),
                    State::M0 => To::Scalar(layout.m0),
                    State::Pc => To::Pc,
                    State::Mode => To::Mode,
                    State::Status => To::Scalar(layout.status()),
                    State::FlatScratch => To::Scalar(layout.flat_scratch()),
                    State::Vccz | State::Execz => To::Nothing,
                };
                (to, value)
            }
        };
        self.context.writes.push(Write { to, src: value, condition });
    }

    /// A result after the clauses of the format.
    fn result(&mut self, role: u8, value: Value) -> Value {
        let clauses = self.clauses;
        let ty = value.ty;
        let value = if self.saturates && clauses.saturates(Some(role)).is_some() {
            self.context.saturated(&value)
        } else {
            value
        };
        clauses.results(role).fold(value, |value, code| {
            let changed = fragment(self.context, self.bound, clauses, code, Some(value));
            Value { ty, ..changed }
        })
    }

    /// Where a result goes.
    fn register(&mut self, bound: Role, role: u8, value: &Value, high: bool) -> To {
        let is_mask = bound.ty.class() == Class::Mask;
        let is_half = value.ty.total_bits() <= 16 && bound.ty.total_bits() <= 16 || high;
        match bound.location {
            Location::Scalar(register) if self.context.program.layout.read_only().contains(&register) => To::Nothing,
            Location::Scalar(register) if is_mask && self.in_lanes() => {
                To::Mask { register, inactive: self.clauses.inactive(role) }
            }
            Location::Scalar(register) if high => To::ScalarHigh(register),
            Location::ScalarHigh(register) => To::ScalarHigh(register),
            Location::Scalar(register) => To::Scalar(register),
            Location::Vector(register) if is_half => To::Half { register, high },
            Location::VectorHigh(register) => To::Half { register, high: true },
            Location::Vector(register) => To::Vector(register),
            Location::Null | Location::Constant(_) | Location::Scc | Location::IsZero(_) => To::Nothing,
        }
    }
}

/// Whether an operand has a fact.
const fn has_fact(location: &Location, fact: OperandFact) -> bool {
    match fact {
        OperandFact::Inline => matches!(location, Location::Constant(constant) if constant.is_inline()),
        OperandFact::Scalar => !matches!(location, Location::Vector(_) | Location::VectorHigh(_)),
    }
}

/// Whether a builtin depends on the lane or on other lanes.
const fn is_cross(builtin: Builtin) -> bool {
    use Builtin as B;
    matches!(
        builtin,
        B::LaneId
            | B::FirstLane
            | B::Lane
            | B::Quad
            | B::Permlane16
            | B::Permlanex16
            | B::Dpp16
            | B::Dpp16Writes
            | B::Dpp8
            | B::MbcntLo
            | B::MbcntHi
            | B::Swizzle
            | B::Permute
            | B::Bpermute
            | B::PermuteWave
            | B::BpermuteWave
            | B::TransposeB16
            | B::TransposeB8
    )
}

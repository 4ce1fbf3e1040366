//! The state that a body reads and writes besides its operands, found in its bytecode.

use isa_body::{Builtin, Op, Part, Place, Run, State, Target, Type, ValueId, ops};

use crate::ast::CompiledBody;

/// The effects of a body. Sets have a bit for each value of their enum, or for each role of the row.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct Effects {
    /// The state that is read.
    pub(crate) reads: u16,
    /// The state that is written.
    pub(crate) writes: u16,
    /// The state of `writes` that is written in part, or on some paths only.
    pub(crate) partial: u16,
    /// The roles that are written in part, or on some paths only.
    pub(crate) partial_roles: u16,
    /// The accesses that read memory.
    pub(crate) loads: u16,
    /// The accesses that write memory.
    pub(crate) stores: u16,
    /// The other facts: see the constants.
    pub(crate) flags: u16,
}

impl Effects {
    /// The body does something that no body describes.
    const EXTERNAL: u16 = 1;
    /// The body ends the wave.
    const ENDS: u16 = 2;
    /// The body waits for other waves.
    const BARRIER: u16 = 4;
    /// The body reads other lanes.
    const CROSS_LANE: u16 = 8;
    /// The body continues elsewhere: it writes the program counter.
    pub(crate) const BRANCH: u16 = 16;
    /// The body keeps the program counter in a role when it branches.
    const CALL: u16 = 32;
    /// The target of the branch does not depend on the program counter.
    pub(crate) const INDIRECT: u16 = 64;
    /// The body acts on something that is neither an operand, nor state, nor memory; or it computes nothing, so that
    /// the instruction must be there for something else.
    const ACTS: u16 = 128;

    /// Returns the effects as the numbers of a table.
    pub(crate) fn numbers(self) -> [u16; 7] {
        let Effects { reads, writes, partial, partial_roles, loads, stores, flags } = self;
        [reads, writes, partial, partial_roles, loads, stores, flags]
    }
}

/// Returns the effects of a body.
pub(crate) fn of(body: &CompiledBody, run: Run) -> Effects {
    let mut effects = Effects::default();
    let all: Vec<Op> = ops(&body.code).collect();
    if run == Run::Lanes {
        effects.reads |= bit(State::Exec);
    }
    control_flow(&all, &mut effects);
    let mut is_read = vec![false; all.len()];
    for op in &all {
        op.for_each_value(|value| is_read[usize::from(value)] = true);
    }
    let is_action = |(op, is_read): (&Op, &bool)| match op {
        Op::Call { builtin: Builtin::External, .. } => !is_read,
        Op::Call { builtin, .. } => builtin.signature().ends_with('!'),
        _ => false,
    };
    let writes = |op: &Op| matches!(op, Op::Write { .. } | Op::Store { .. } | Op::RmwEnd { .. });
    if all.iter().zip(&is_read).any(is_action) || !all.iter().any(writes) {
        effects.flags |= Effects::ACTS;
    }
    for op in &all {
        match *op {
            Op::State { state, .. } => effects.reads |= bit(source(state)),
            Op::Load { place, .. } => effects.loads |= access(place),
            Op::Store { place, .. } => effects.stores |= access(place),
            Op::RmwBegin { place, .. } => {
                effects.loads |= access(place);
                effects.stores |= access(place);
            }
            Op::Call { builtin, .. } => call(builtin, &mut effects),
            Op::Write { target, value, condition } => write(&all, target, value, condition, &mut effects),
            _ => {}
        }
        if computes_floats(op, &all) {
            effects.reads |= bit(State::Mode);
        }
    }
    effects
}

/// Adds what the body does to the program counter.
fn control_flow(all: &[Op], effects: &mut Effects) {
    let targets = |place: &dyn Fn(Target) -> bool| -> Vec<ValueId> {
        let target = |op: &Op| match *op {
            Op::Write { target, value, .. } if place(target) => Some(value),
            _ => None,
        };
        all.iter().filter_map(target).collect()
    };
    let Some(target) = targets(&|target| target == Target::State(State::Pc)).pop() else { return };
    let is_pc = |op: &Op| matches!(op, Op::State { state: State::Pc, .. });
    if matches!(all.get(usize::from(target)), Some(Op::Call { builtin: Builtin::External, .. })) {
        return;
    }
    effects.flags |= Effects::BRANCH;
    if !depends_on(all, target, &is_pc) {
        effects.flags |= Effects::INDIRECT;
    }
    let mut saved = targets(&|target| matches!(target, Target::Role(_))).into_iter();
    if saved.any(|value| is_program_counter(all, value)) {
        effects.flags |= Effects::CALL;
    }
}

/// Returns whether a value is the program counter, or a part of it that narrower registers hold.
fn is_program_counter(all: &[Op], value: ValueId) -> bool {
    match all.get(usize::from(value)) {
        Some(Op::State { state: State::Pc, .. }) => true,
        Some(Op::Cast { a, .. } | Op::Slice { a, lo: 0, .. }) => is_program_counter(all, *a),
        _ => false,
    }
}

/// Returns whether a value depends on an operation.
fn depends_on(all: &[Op], value: ValueId, is_source: &dyn Fn(&Op) -> bool) -> bool {
    let Some(op) = all.get(usize::from(value)) else { return false };
    let mut depends = is_source(op);
    op.for_each_value(|operand| depends = depends || depends_on(all, operand, is_source));
    depends
}

fn bit(state: State) -> u16 {
    1 << state as u16
}

fn access(place: Place) -> u16 {
    1 << place as u16
}

/// Returns the state that a value of state depends on.
fn source(state: State) -> State {
    match state {
        State::Vccz => State::Vcc,
        State::Execz => State::Exec,
        other => other,
    }
}

/// Adds the effects of a builtin.
fn call(builtin: Builtin, effects: &mut Effects) {
    match builtin {
        // A product of matrices acts as if all lanes were active, but the guide restores EXEC after it.
        Builtin::FirstLane | Builtin::Wmma | Builtin::WmmaSigned | Builtin::WmmaSplit | Builtin::Swmmac => {
            effects.reads |= bit(State::Exec);
            effects.flags |= Effects::CROSS_LANE;
        }
        Builtin::Lane
        | Builtin::Quad
        | Builtin::Permlane16
        | Builtin::Permlanex16
        | Builtin::Swizzle
        | Builtin::Permute
        | Builtin::Bpermute
        | Builtin::TransposeB16
        | Builtin::TransposeB8
        | Builtin::PermuteWave
        | Builtin::BpermuteWave
        | Builtin::SampleQuad
        | Builtin::ImageLod => effects.flags |= Effects::CROSS_LANE,
        Builtin::LdsDirect => effects.loads |= access(Place::Lds),
        // The constant names the register, which may be any.
        Builtin::Getreg => effects.reads |= bit(State::Mode) | bit(State::Status),
        Builtin::Setreg => {
            effects.writes |= bit(State::Mode);
            effects.partial |= bit(State::Mode);
        }
        Builtin::End => effects.flags |= Effects::ENDS,
        Builtin::Barrier | Builtin::BarrierSignal | Builtin::BarrierWait => effects.flags |= Effects::BARRIER,
        // What other waves do is outside the machine.
        Builtin::External | Builtin::AllocVgprs | Builtin::BarrierState => effects.flags |= Effects::EXTERNAL,
        _ => {}
    }
}

/// Adds the effects of an assignment.
fn write(all: &[Op], target: Target, value: ValueId, condition: Option<ValueId>, effects: &mut Effects) {
    let is_partial = condition.is_some() || keeps_old(all, value, target);
    match target {
        Target::Role(role) if is_partial => effects.partial_roles |= 1 << role,
        Target::Role(_) => {}
        Target::High(role) | Target::Relative(role, _) | Target::Lane(role, _) => effects.partial_roles |= 1 << role,
        Target::State(state) => {
            effects.writes |= bit(state);
            if is_partial {
                effects.partial |= bit(state);
            }
        }
    }
}

/// Returns whether a value is the old value of its destination with a part replaced.
fn keeps_old(all: &[Op], value: ValueId, target: Target) -> bool {
    match all.get(usize::from(value)) {
        Some(Op::Insert { a, .. } | Op::InsertBit { a, .. }) => keeps_old(all, *a, target),
        Some(Op::Call { builtin: Builtin::LoadBlock, args, .. }) => {
            args.iter().last().is_some_and(|old| keeps_old(all, *old, target))
        }
        Some(Op::Role { role, part: Part::Whole, .. }) => target == Target::Role(*role),
        Some(Op::State { state, .. }) => target == Target::State(*state),
        _ => false,
    }
}

/// Returns whether an operation rounds or flushes denormals as the mode register says.
fn computes_floats(op: &Op, all: &[Op]) -> bool {
    let type_of = |id: ValueId| all.get(usize::from(id)).and_then(Op::ty);
    let is_float = |ty: Option<Type>| ty.is_some_and(Type::is_float);
    match *op {
        Op::Binary { ty, .. } => ty.is_float(),
        Op::Cast { ty, a } => {
            let keeps_bits = ty.class() == isa_body::Class::Bits
                || type_of(a).is_some_and(|from| from.class() == isa_body::Class::Bits);
            !keeps_bits && (ty.is_float() || is_float(type_of(a)))
        }
        Op::Call { ty, builtin, args, .. } => {
            let is_exact = matches!(
                builtin,
                Builtin::Abs
                    | Builtin::Class
                    | Builtin::Join
                    | Builtin::External
                    | Builtin::ImageLod
                    | Builtin::Snorm16
                    | Builtin::Unorm16
                    | Builtin::Nearest
                    | Builtin::Lane
                    | Builtin::Quad
            );
            !is_exact && (ty.is_float() || args.iter().any(|id| is_float(type_of(*id))))
        }
        _ => false,
    }
}

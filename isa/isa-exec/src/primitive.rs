//! Operations on whole rows: a function for each common operation, and one that evaluates any.

/// The function `$name` for a type of one or two numbers of 16 bits.
macro_rules! of_lanes {
    ($ty:expr, $name:ident) => {
        match $ty.lanes() {
            1 => Some($name::<R, false>),
            2 => Some($name::<R, true>),
            _ => None,
        }
    };
}

mod bits;
mod chain;
mod conversions;
mod division;
mod doubles;
mod eighths;
mod elementary;
mod extremes;
mod floats;
mod functions;
mod half_parts;
mod halves;
mod lanes;
mod narrow;
mod quick;
mod rounding;
mod saturating;
mod scalar;
mod select;
mod shorts;
mod signs;
mod sums;

use isa_runtime::body::Builtin;

use crate::eval::{Typed, evaluate};
use crate::operation::{Link, Modes, Operation, OperationKind, dwords, low_bits};
pub(crate) use crate::primitive::quick::LaneFile;
use crate::primitive::quick::Quick;
pub use crate::primitive::quick::VectorOperation;
pub use crate::primitive::scalar::ScalarOperation;
pub(crate) use crate::primitive::scalar::{Scc, WINDOW};
pub(crate) use crate::primitive::select::ignores_upper_bits;
use crate::rows::{File, Row, Wide};
use crate::units::{Numbers, Relation, Units};

/// Computes rows from others; the last argument is the first row of the result, which may be an argument's.
pub type Function<R> = fn(&mut File<R>, &Primitive<R>, &Env, u16);

/// What the functions of operations need besides rows.
#[derive(Clone, Copy, Debug)]
pub struct Env {
    /// The mode register.
    pub modes: Modes,
    /// The vector units that loops over rows use.
    pub units: Units,
    /// The lanes whose results are stored. Rows of one lane are stored whole.
    pub mask: u32,
}

/// An operation on rows with the function that computes it.
#[derive(Clone, Debug)]
pub struct Primitive<R> {
    /// The function. Compare [`operation`](Self::operation) instead: functions may share an address.
    pub run: Function<R>,
    /// The first row of the result.
    pub dst: u16,
    /// The first rows of the first three arguments; 0 for those that there are not.
    pub args: [u16; 3],
    /// What the interpreter knows of the operation.
    quick: Quick,
    /// What a comparison of dwords or f32 compares by.
    relation: Option<(Relation, Numbers)>,
    /// The operation that [`run`](Self::run) computes.
    pub operation: Operation,
}

// Not generic, so that crates which test operations do not compile the functions again.
impl Primitive<Wide> {
    /// The fastest function for an operation on lanes.
    #[must_use]
    pub fn of_lanes(operation: Operation, dst: u16) -> Self {
        Self::new(operation, dst)
    }

    /// Chooses a faster function if the counts of shifts are in rows that are the same in all lanes: processors shift many
    /// lanes by one count in one instruction, and by different counts in about ten.
    pub fn specialize(&mut self, is_uniform: &dyn Fn(u16) -> bool) {
        let shifts = |link| matches!(link, Link::Shl | Link::Shr);
        let counts = match self.operation.kind {
            OperationKind::Masked(_) => [false, true, false],
            OperationKind::Funnel | OperationKind::BytesOfTwo => [false, false, true],
            OperationKind::Chain(first, second) => [false, shifts(first), shifts(second)],
            OperationKind::Call(Builtin::Bfe) if select::function::<Wide>(&self.operation).is_some() => {
                [false, true, true]
            }
            OperationKind::Call(Builtin::BytePerm) if select::function::<Wide>(&self.operation).is_some() => {
                [false, true, false]
            }
            _ => return,
        };
        let is_uniform = self.args.iter().zip(counts).all(|(row, is_count)| !is_count || is_uniform(*row));
        if is_uniform && let Some(function) = select::uniform(&self.operation) {
            self.run = function;
            self.quick = self.quick.uniform(&self.operation);
        }
    }
}

impl<R: Row> Primitive<R> {
    /// The fastest function for an operation.
    #[must_use]
    pub(crate) fn new(operation: Operation, dst: u16) -> Self {
        let row = |n: usize| operation.args.get(n).map_or(0, |arg| arg.row);
        let args = [row(0), row(1), row(2)];
        let (run, quick) = (select::function(&operation).unwrap_or(general::<R>), Quick::of(&operation));
        Primitive { run, dst, args, quick, relation: quick::relation_of(&operation), operation }
    }

    /// The first rows of the arguments. Without `map`, whose closure would be a call.
    #[inline(always)]
    pub(crate) fn rows<'a>(&self, file: &'a File<R>) -> [&'a R; 3] {
        let [a, b, c] = self.args;
        [file.row(a), file.row(b), file.row(c)]
    }

    /// The lanes of the first rows of the arguments.
    #[inline(always)]
    pub(crate) fn lanes<'a>(&self, file: &'a File<R>) -> [&'a [u32]; 3] {
        let [a, b, c] = self.rows(file);
        [a.lanes(), b.lanes(), c.lanes()]
    }

    /// How many rows the result has.
    pub(crate) fn dwords(&self) -> u16 {
        dwords(self.operation.ty)
    }

    /// Reads arguments that are among some rows from others, of which `to` is the first.
    pub(crate) fn rename(&mut self, from: core::ops::Range<u16>, to: u16) {
        let renamed = |row: u16| if from.contains(&row) { to + (row - from.start) } else { row };
        for (row, arg) in self.args.iter_mut().zip(&mut self.operation.args) {
            *row = renamed(arg.row);
            arg.row = renamed(arg.row);
        }
        for arg in self.operation.args.iter_mut().skip(3) {
            arg.row = renamed(arg.row);
        }
    }

    /// Whether the function ignores the bits of arguments above their types, in the row that has the highest bits of the type. If it does
    /// not, they have to be 0.
    #[must_use]
    pub fn ignores_upper_bits(&self) -> bool {
        ignores_upper_bits(&self.operation)
    }
}

/// Evaluates any operation, lane by lane.
fn general<R: Row>(file: &mut File<R>, primitive: &Primitive<R>, env: &Env, dst: u16) {
    for lane in (0..R::ZERO.lanes().len()).filter(|lane| !R::IS_WIDE || env.mask >> lane & 1 != 0) {
        general_lane(file, primitive, &env.modes, dst, lane);
    }
}

/// The most arguments that an operation has.
const MAX_ARGUMENTS: usize = 16;

/// Evaluates any operation in one lane.
pub(crate) fn general_lane<R: Row>(file: &mut File<R>, primitive: &Primitive<R>, modes: &Modes, dst: u16, lane: usize) {
    // Most operations have few arguments: clearing room for all of them takes longer than most operations.
    if primitive.operation.args.len() <= 4 {
        evaluate_lane::<R, 4>(file, primitive, modes, dst, lane);
    } else {
        evaluate_lane::<R, MAX_ARGUMENTS>(file, primitive, modes, dst, lane);
    }
}

/// Evaluates an operation with up to `N` arguments in one lane.
#[inline(always)]
fn evaluate_lane<R: Row, const N: usize>(
    file: &mut File<R>,
    primitive: &Primitive<R>,
    modes: &Modes,
    dst: u16,
    lane: usize,
) {
    let Operation { kind, ty, args } = &primitive.operation;
    let mut typed = [Typed { bits: 0, ty: *ty }; N];
    for (to, arg) in typed.iter_mut().zip(args) {
        let bits = file.number(arg.row, dwords(arg.ty), lane);
        *to = Typed { bits: low_bits(bits, u32::from(arg.ty.total_bits().max(1))), ty: arg.ty };
    }
    let result = evaluate(*kind, *ty, typed.get(..args.len()).unwrap_or(&typed), modes);
    file.set_number(dst, dwords(*ty), lane, result);
}

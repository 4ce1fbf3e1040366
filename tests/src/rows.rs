//! Compares functions for rows of lanes with the definitions of their operations, on numbers that floats treat specially.

use isa_exec::eval::{Typed, evaluate};
use isa_exec::num::{self, FloatMode, Format};
use isa_exec::operation::{Argument, Half, Modes, Operation, OperationKind, dwords, format, low_bits};
use isa_exec::primitive::{Env, Primitive};
use isa_exec::rows::{File, LANES, Wide};
use isa_exec::units::Units;
use rdna3::isa::body::{BinaryOp, Builtin, Class, Type};

use crate::sample::Sample;

/// Rows of up to five arguments.
pub const ROWS: [u16; 5] = [0, 4, 8, 12, 16];

/// The first row of the result.
pub const RESULT: u16 = 20;

/// MODE of kernels, and with all denormals kept; one of the two flushed; without IEEE and DX10_CLAMP; other directions of rounding; all
/// denormals flushed; FP16_OVFL.
pub const MODES: [u32; 12] = [0x3C0, 0x3F0, 0x1F0, 0x0A0, 0x350, 0x390, 0x3E0, 0x1C0, 0x2F5, 0x00F, 0x300, 0x80_03C0];

/// An operation without rows.
#[derive(Clone, Debug)]
pub struct Case {
    /// The function that it computes.
    pub kind: OperationKind,
    /// The type of the result.
    pub ty: Type,
    /// The types of the arguments.
    pub args: Vec<Type>,
}

impl Case {
    /// An operation of types.
    #[must_use]
    pub fn new(kind: OperationKind, ty: Type, args: &[Type]) -> Self {
        Case { kind, ty, args: args.to_vec() }
    }
}

impl core::fmt::Display for Case {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self.kind {
            OperationKind::Call(builtin) => write!(f, "{}", builtin.name())?,
            OperationKind::Binary(op) => write!(f, "{op:?}")?,
            kind => write!(f, "{kind:?}")?,
        }
        write!(f, " {}", self.ty)?;
        self.args.iter().try_for_each(|arg| write!(f, " {arg}"))
    }
}

/// The operations on single floats of a width.
#[must_use]
pub fn float_cases(bits: u16) -> Vec<Case> {
    use Builtin as B;
    let one = |class, bits| Type::new(class, bits, 1);
    let (bool, integer) = (one(Class::Unsigned, 1), one(Class::Signed, 32));
    let ty = one(Class::Float, bits);
    let call = |builtin: &B, result, args: &[Type]| Case::new(OperationKind::Call(*builtin), result, args);
    let unary = [
        B::Floor,
        B::Ceil,
        B::Trunc,
        B::Rndne,
        B::Fract,
        B::FrexpMant,
        B::Clamp,
        B::Sqrt,
        B::Rcp,
        B::Rsq,
        B::Exp2,
        B::Log2,
        B::Sin,
        B::Cos,
    ];
    let ternary = [B::Fma, B::DivScale, B::DivFixup, B::Min3, B::Max3, B::Med3, B::Minmax, B::Maxmin];
    let mut cases: Vec<Case> = unary.iter().map(|builtin| call(builtin, ty, &[ty])).collect();
    cases.extend([B::Min, B::Max, B::Minimum, B::Maximum].iter().map(|builtin| call(builtin, ty, &[ty; 2])));
    cases.extend(ternary.iter().map(|builtin| call(builtin, ty, &[ty; 3])));
    cases.extend([
        call(&B::DivScaleFlag, bool, &[ty; 3]),
        call(&B::DivFmas, ty, &[ty, ty, ty, bool]),
        call(&B::FrexpExp, integer, &[ty]),
        call(&B::Nearest, integer, &[ty]),
        call(&B::Class, bool, &[ty, one(Class::Bits, 32)]),
        call(&B::Omod, ty, &[ty, one(Class::Unsigned, 2)]),
        call(&B::Ldexp, ty, &[ty, one(Class::Signed, if bits == 16 { 16 } else { 32 })]),
    ]);
    let arithmetic =
        BinaryOp::ALL.iter().filter(|op| op.compares() || matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul));
    cases.extend(
        arithmetic.map(|op| Case::new(OperationKind::Binary(*op), if op.compares() { bool } else { ty }, &[ty, ty])),
    );
    let floats = [16, 32, 64].map(|bits| one(Class::Float, bits)).into_iter().filter(|other| *other != ty);
    let integers = [8, 16, 24, 32].into_iter().flat_map(|bits| [one(Class::Signed, bits), one(Class::Unsigned, bits)]);
    cases.extend(floats.chain(integers).map(|other| Case::new(OperationKind::Cast, other, &[ty])));
    cases
}

/// The operations on numbers of 16 and fewer bits, single and packed, besides those on single floats.
#[must_use]
pub fn narrow_cases() -> Vec<Case> {
    let mut cases = Vec::new();
    sixteen_bits(&mut cases, Type::new(Class::Float, 16, 2));
    for class in [Class::BFloat, Class::Bits, Class::Unsigned, Class::Signed] {
        for lanes in [1, 2] {
            sixteen_bits(&mut cases, Type::new(class, 16, lanes));
        }
    }
    conversions(&mut cases);
    dot_products(&mut cases);
    saturating(&mut cases);
    cases
}

/// Operations on one type of 16 bits or on pairs of it.
fn sixteen_bits(cases: &mut Vec<Case>, ty: Type) {
    use Builtin as B;
    let mut add = |kind, ty, args: &[Type]| cases.push(Case::new(kind, ty, args));
    let (bool, single) = (Type::new(Class::Unsigned, 1, 1), Type::new(ty.class(), 16, 1));
    for op in BinaryOp::ALL {
        match op.compares() {
            true => add(OperationKind::Binary(*op), bool, &[single; 2]),
            false => add(OperationKind::Binary(*op), ty, &[ty; 2]),
        }
    }
    [B::Min, B::Max, B::Minimum, B::Maximum]
        .iter()
        .for_each(|builtin| add(OperationKind::Call(*builtin), ty, &[ty; 2]));
    for builtin in [B::Min3, B::Max3, B::Med3, B::Minmax, B::Maxmin] {
        add(OperationKind::Call(builtin), ty, &[ty; 3]);
    }
    if format(ty).is_some() {
        add(OperationKind::Call(B::Fma), ty, &[ty; 3]);
        return add(OperationKind::Call(B::Clamp), ty, &[ty]);
    }
    for op in [BinaryOp::Shl, BinaryOp::Shr] {
        add(OperationKind::Binary(op), ty, &[ty, Type::new(Class::Unsigned, 16, ty.lanes())]);
        add(OperationKind::Binary(op), single, &[single, Type::new(Class::Unsigned, 4, 1)]);
    }
}

/// Conversions from and to 16 and fewer bits.
fn conversions(cases: &mut Vec<Case>) {
    let mut add = |kind, ty, args: &[Type]| cases.push(Case::new(kind, ty, args));
    let one = |class, bits| Type::new(class, bits, 1);
    let (half, float) = (one(Class::Float, 16), one(Class::Float, 32));
    for from in [Class::Unsigned, Class::Signed].iter().flat_map(|class| [4, 5, 8, 16].map(|bits| one(*class, bits))) {
        add(OperationKind::Cast, half, &[from]);
        add(OperationKind::Cast, float, &[from]);
        for to in
            [Class::Unsigned, Class::Signed].iter().flat_map(|class| [4, 12, 16, 32].map(|bits| one(*class, bits)))
        {
            add(OperationKind::Cast, to, &[from]);
        }
    }
    for from in [half, float] {
        add(OperationKind::Call(Builtin::Snorm16), one(Class::Signed, 16), &[from]);
        add(OperationKind::Call(Builtin::Unorm16), one(Class::Unsigned, 16), &[from]);
    }
    add(OperationKind::Call(Builtin::RtzF16), half, &[float]);
    add(OperationKind::Call(Builtin::FmaF16), half, &[float; 3]);
    let dword = one(Class::Bits, 32);
    for bits in 0..16 {
        let half = |at: u32| Half { is_high: bits >> at & 1 != 0, is_negated: bits >> (at + 1) & 1 != 0 };
        add(OperationKind::Halves([half(0), half(2)]), Type::new(Class::Float, 16, 2), &[dword]);
    }
    for (low, high) in [(8, 8), (3, 13), (16, 4), (8, 16)] {
        let parts = [one(Class::Unsigned, low), one(Class::Unsigned, high)];
        add(OperationKind::Call(Builtin::Join), one(Class::Bits, low + high), &parts);
    }
}

/// Sums of products and of differences.
fn dot_products(cases: &mut Vec<Case>) {
    use Builtin as B;
    let mut add = |builtin: B, ty, args: &[Type]| cases.push(Case::new(OperationKind::Call(builtin), ty, args));
    let one = |class, bits| Type::new(class, bits, 1);
    for class in [Class::Float, Class::BFloat] {
        let pair = Type::new(class, 16, 2);
        [one(Class::Float, 32), one(class, 16)].iter().for_each(|to| add(B::Dot2, *to, &[pair, pair, *to]));
    }
    let bool = one(Class::Unsigned, 1);
    for (bits, lanes) in [(8, 4), (4, 8)] {
        let either = Type::new(Class::EitherSign, bits, lanes);
        for (class, width) in [(Class::Unsigned, 32), (Class::Signed, 32), (Class::Unsigned, 64), (Class::Signed, 64)] {
            let (addend, sum) = (one(class, 32), one(class, width));
            for classes in [[Class::Unsigned; 2], [Class::Signed; 2], [Class::Signed, Class::Unsigned]] {
                let [a, b] = classes.map(|class| Type::new(class, bits, lanes));
                add(B::Dot, sum, &[a, b, addend]);
            }
            add(B::DotSigned, sum, &[either, either, addend, bool, bool]);
        }
    }
    let (bytes, dword) = (Type::new(Class::Unsigned, 8, 4), one(Class::Unsigned, 32));
    [bytes, Type::new(Class::Unsigned, 16, 2), dword].iter().for_each(|ty| add(B::Sad, dword, &[*ty; 2]));
    add(B::Msad, dword, &[bytes; 2]);
    add(B::Lerp, bytes, &[bytes; 3]);
    add(B::SetByte, one(Class::Bits, 32), &[one(Class::Bits, 32), one(Class::Unsigned, 2), one(Class::Unsigned, 8)]);
}

/// Integers that are computed exactly and saturate.
fn saturating(cases: &mut Vec<Case>) {
    let mut add = |kind, ty, args: &[Type]| cases.push(Case::new(kind, ty, args));
    for from in [Class::Unsigned, Class::Signed] {
        for to in [Class::Unsigned, Class::Signed] {
            for (bits, wide) in [8, 16, 24, 32].iter().flat_map(|bits| [16, 32, 64, 128].map(|wide| (*bits, wide))) {
                add(OperationKind::Saturate, Type::new(to, bits, 1), &[Type::new(from, wide, 1)]);
            }
            add(OperationKind::Saturate, Type::new(to, 16, 2), &[Type::new(from, 32, 2)]);
            add(OperationKind::Cast, Type::new(to, 32, 2), &[Type::new(from, 16, 2)]);
        }
        let pair = Type::new(from, 32, 2);
        for op in [BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul] {
            add(OperationKind::Binary(op), pair, &[pair; 2]);
        }
        for (builtin, class, bits) in [
            (Builtin::SatU8, Class::Unsigned, 8),
            (Builtin::SatU16, Class::Unsigned, 16),
            (Builtin::SatI16, Class::Signed, 16),
        ] {
            let wide = Type::new(from, 2 * bits, 1);
            add(OperationKind::Call(builtin), Type::new(class, bits, 1), &[wide]);
        }
    }
}

/// Random arguments of an operation. `is_usual`: floats whose exponents are near that of one.
pub fn arguments(random: &mut Sample, args: &[Type], is_usual: bool) -> Vec<u128> {
    let mut numbers: Vec<u128> = Vec::with_capacity(args.len());
    for ty in args {
        let is_alike = args[..numbers.len()].iter().all(|other| other == ty);
        let number = match format(*ty).filter(|_| ty.lanes() == 1) {
            Some(format) if is_alike => {
                let related = related(random, format, &numbers);
                related.unwrap_or_else(|| float(random, format, is_usual)).into()
            }
            Some(format) => float(random, format, is_usual).into(),
            None => match format(*ty) {
                Some(format) => (0..ty.lanes())
                    .fold(0, |number, _| number << ty.bits() | u128::from(float(random, format, is_usual))),
                None => integer(random),
            },
        };
        numbers.push(low_bits(number, ty.total_bits().into()));
    }
    numbers
}

/// Operations on floats of 8 bits.
#[must_use]
pub fn small_cases() -> Vec<Case> {
    let (single, dword) = (Type::new(Class::Float, 32, 1), Type::new(Class::Bits, 32, 1));
    let of = |lanes| [Class::Float, Class::BFloat].map(|class| Type::new(class, 8, lanes));
    let mut cases = Vec::new();
    for small in of(1) {
        cases.push(Case::new(OperationKind::Cast, single, &[small]));
        cases.push(Case::new(OperationKind::Cast, small, &[single]));
        cases.push(Case::new(OperationKind::Call(Builtin::Stochastic), small, &[single, dword]));
    }
    for (a, b) in of(4).into_iter().flat_map(|a| of(4).map(|b| (a, b))) {
        cases.push(Case::new(OperationKind::Call(Builtin::Dot4), single, &[a, b, single]));
    }
    cases
}

/// A number near one that cancels with others in a sum, or one that decides a tie.
fn related(random: &mut Sample, format: Format, numbers: &[u128]) -> Option<u64> {
    let few = u64::from(random.word() % 3);
    let product = |a: u128, b: u128| num::mul(format, FloatMode::IEEE, a as u64, b as u64).wrapping_add(few);
    let magnitude = match (random.below(8), numbers) {
        (0 | 1, [.., last]) => (*last as u64).wrapping_add(few),
        // The product of 1 + x and 1 - x is nearly one.
        (2, [.., last]) => format.one().wrapping_sub((*last as u64).wrapping_sub(format.one()).wrapping_mul(2)),
        (3, [a, b]) => product(*a, *b),
        (4 | 5, [a, b]) => {
            let bits = format.fraction_bits() as usize;
            let distance = random.below(3 * bits).wrapping_sub(bits + 2) as u64;
            product(*a, *b).wrapping_sub(distance << bits)
        }
        _ => return None,
    };
    Some(magnitude ^ format.with_sign(0, random.below(2) == 0))
}

/// 128 bits: any, or a small number of either sign.
fn integer(random: &mut Sample) -> u128 {
    let small = (random.word() as i32 >> (20 + random.below(12))) as u128;
    if random.below(2) == 0 { small } else { (0..4).fold(0, |all, _| all << 32 | u128::from(random.word())) }
}

/// A random float: a corner, or one whose exponent or fraction is near that of others.
fn float(random: &mut Sample, format: Format, is_usual: bool) -> u64 {
    let (one, fraction, infinity) = (format.one(), format.fraction_mask(), format.infinity());
    let corners = [
        0,
        1,
        fraction,
        fraction + 1,
        fraction + 2,
        infinity - 1,
        infinity,
        infinity | 1,
        infinity | format.quiet_bit(),
        infinity | format.quiet_bit() | 5,
        one,
        one - format.quiet_bit(),
        one - fraction - 1,
        one - 2 * fraction - 2,
    ];
    let bits = u64::from(random.word()) << 32 | u64::from(random.word());
    let choice = random.word();
    // Also the numbers around a corner.
    let few = (bits >> 40 & 7).wrapping_sub(3).wrapping_mul(bits >> 48 & 1);
    let near_one = |range: u32| {
        let distance = i64::from((choice >> 8) % range) - i64::from(range / 2);
        one.wrapping_add((distance << format.fraction_bits()) as u64)
    };
    let magnitude = match choice % 8 {
        0..5 if is_usual => near_one(12) | bits & fraction,
        0 => corners[bits as usize % corners.len()].wrapping_add(few),
        1 => bits & fraction,
        2 | 3 => bits,
        // Products of fractions of few bits are exact, and those of a little more than half of the bits are ties.
        4 => near_one(8) | bits & fraction & !(fraction >> 4),
        5 => near_one(8) | bits & fraction & !(fraction >> (format.fraction_bits() / 2 + 1)),
        _ => near_one(32) | bits & fraction,
    };
    format.with_sign(magnitude, choice >> 31 != 0)
}

/// An operation on rows, and rows with its arguments.
pub struct Rows {
    /// The operation and its function.
    pub primitive: Primitive<Wide>,
    before: File<Wide>,
    /// The rows that the function changes: they have the arguments, unless the result is in place of one.
    after: File<Wide>,
    /// Whether rows have bits above the types of arguments: functions that ignore them must do so.
    is_dirty: bool,
}

impl Rows {
    /// An operation whose result is in a row of [`ROWS`] or in [`RESULT`].
    #[must_use]
    pub fn new(case: &Case, dst: u16) -> Self {
        let args = ROWS.iter().zip(&case.args).map(|(row, ty)| Argument { row: *row, ty: *ty }).collect();
        let operation = Operation { kind: case.kind, ty: case.ty, args };
        let primitive = Primitive::of_lanes(operation, dst);
        let [before, after] = [0, 1].map(|_| File::new(24));
        Rows { is_dirty: primitive.ignores_upper_bits(), primitive, before, after }
    }

    /// Replaces the arguments in a lane.
    pub fn set(&mut self, lane: usize, numbers: &[u128]) {
        for (arg, number) in self.primitive.operation.args.iter().zip(numbers) {
            let above = if self.is_dirty { u128::MAX.checked_shl(arg.ty.total_bits().into()).unwrap_or(0) } else { 0 };
            for file in [&mut self.before, &mut self.after] {
                file.set_number(arg.row, dwords(arg.ty), lane, *number | above);
            }
        }
    }

    /// The arguments in a lane, and their number.
    fn numbers(&self, lane: usize) -> ([Typed; ROWS.len()], usize) {
        let Operation { ty, args, .. } = &self.primitive.operation;
        let mut numbers = [Typed { bits: 0, ty: *ty }; ROWS.len()];
        for (to, arg) in numbers.iter_mut().zip(args) {
            let bits = self.before.number(arg.row, dwords(arg.ty), lane);
            *to = Typed { bits: low_bits(bits, arg.ty.total_bits().into()), ty: arg.ty };
        }
        (numbers, args.len())
    }

    /// The result in a lane by the definition.
    fn defined(&self, modes: &Modes, lane: usize) -> u128 {
        let (numbers, count) = self.numbers(lane);
        let Operation { kind, ty, .. } = &self.primitive.operation;
        evaluate(*kind, *ty, &numbers[..count], modes)
    }

    /// Describes a lane that differs from the definition, or from its value before if the mask does not have it.
    #[must_use]
    pub fn difference(&mut self, modes: &Modes, masks: &[u32]) -> Option<String> {
        let (dst, ty) = (self.primitive.dst, self.primitive.operation.ty);
        let is_in_place = self.primitive.operation.args.iter().any(|arg| arg.row == dst);
        let defined: [u128; LANES] = core::array::from_fn(|lane| self.defined(modes, lane));
        for units in Units::all() {
            for mask in masks.iter().copied() {
                if is_in_place {
                    self.after.clone_from(&self.before);
                }
                (dst..dst + dwords(ty)).for_each(|row| self.after.set_row(row, *self.before.row(row)));
                (self.primitive.run)(&mut self.after, &self.primitive, &Env { modes: *modes, units, mask }, dst);
                for (lane, defined) in defined.iter().enumerate() {
                    let before = self.before.number(dst, dwords(ty), lane);
                    let right = if mask >> lane & 1 != 0 { *defined } else { before };
                    let found = self.after.number(dst, dwords(ty), lane);
                    if found != right {
                        let (kind, (numbers, count)) = (self.primitive.operation.kind, self.numbers(lane));
                        let numbers = &numbers[..count];
                        let (units, mode) = (units.name(), modes.register.0);
                        return Some(format!(
                            "{kind:?} {ty} of {numbers:x?}, mode {mode:#x}, {units}: {found:#x}, not {right:#x}"
                        ));
                    }
                }
            }
        }
        None
    }
}

//! Functions of f16 and bf16, single and packed in pairs: arithmetic in f32, comparisons by bits.
//!
//! All ignore the bits of their arguments above the type. Lanes with a NaN or an infinity in arithmetic, and others that are rare and
//! take long, are evaluated apart.

use isa_runtime::body::{BinaryOp, Builtin, Class, Type};

use crate::num::fast16::{BF16, F16, HalfFormat, magnitude, mask};
use crate::num::{FloatMode, Format, Round};
use crate::operation::{Operation, OperationKind};
use crate::primitive::lanes::{HALVES, compute_left, map_marked, store_unmarked};
use crate::primitive::shorts::shorts;
use crate::primitive::{Env, Function, Primitive, general};
use crate::rows::{File, LANES, Row, Wide};
use crate::units::{HalfOperation, Halves, Unit};

/// The function `$name` for a type of f16 or bf16.
macro_rules! of_halves {
    ($ty:expr, $name:ident) => {
        match ($ty.class(), $ty.bits(), $ty.lanes()) {
            (Class::Float, 16, 1) => Some($name::<R, F16, false>),
            (Class::Float, 16, 2) => Some($name::<R, F16, true>),
            (Class::BFloat, 16, 1) => Some($name::<R, BF16, false>),
            (Class::BFloat, 16, 2) => Some($name::<R, BF16, true>),
            _ => None,
        }
    };
}

/// The function for an operation on f16 or bf16, if it has one.
pub(crate) fn function<R: Row>(operation: &Operation) -> Option<Function<R>> {
    let arg = |n: usize| operation.args.get(n).map(|arg| arg.ty);
    let first = arg(0)?;
    let is_alike = operation.args.iter().all(|arg| arg.ty == first);
    match operation.kind {
        OperationKind::Binary(op) if is_alike => binary(op, first),
        OperationKind::Call(Builtin::Dot2) => dot2(operation.ty, first, arg(1)?, arg(2)?),
        OperationKind::Call(Builtin::FmaF16) if is_alike && first == Type::new(Class::Float, 32, 1) => {
            Some(fma_to_f16::<R>)
        }
        OperationKind::Call(builtin) if is_alike && operation.ty == first => call(builtin, first),
        _ => None,
    }
}

/// An operator on two numbers of a type.
fn binary<R: Row>(op: BinaryOp, ty: Type) -> Option<Function<R>> {
    match op {
        BinaryOp::Add => of_halves!(ty, add),
        BinaryOp::Sub => of_halves!(ty, sub),
        BinaryOp::Mul => of_halves!(ty, mul),
        _ if ty != Type::new(Class::Float, 16, 1) => None,
        BinaryOp::Eq => Some(eq::<R>),
        BinaryOp::Ne => Some(ne::<R>),
        BinaryOp::Lt => Some(lt::<R>),
        BinaryOp::Le => Some(le::<R>),
        BinaryOp::Gt => Some(gt::<R>),
        BinaryOp::Ge => Some(ge::<R>),
        _ => None,
    }
}

/// A builtin function of numbers of a type.
fn call<R: Row>(builtin: Builtin, ty: Type) -> Option<Function<R>> {
    use Builtin as B;
    match builtin {
        B::Fma => of_halves!(ty, fma),
        _ if ty.class() != Class::Float || ty.bits() != 16 => None,
        // NaNs are evaluated apart.
        B::Min | B::Minimum => of_lanes!(ty, min),
        B::Max | B::Maximum => of_lanes!(ty, max),
        B::Min3 => of_lanes!(ty, min3),
        B::Max3 => of_lanes!(ty, max3),
        B::Minmax => of_lanes!(ty, minmax),
        B::Maxmin => of_lanes!(ty, maxmin),
        B::Med3 => of_lanes!(ty, med3),
        B::Clamp => of_lanes!(ty, clamp),
        _ => None,
    }
}

/// The sum of a number and two products of pairs of halves, by the types of the sum, the pairs and the number.
fn dot2<R: Row>(ty: Type, a: Type, b: Type, c: Type) -> Option<Function<R>> {
    if a != b || a.lanes() != 2 || a.bits() != 16 || c != ty || ty.lanes() != 1 {
        return None;
    }
    match (a.class(), ty.class(), ty.bits()) {
        (Class::Float, Class::Float, 32) => Some(dot2_to_float::<R, F16>),
        (Class::BFloat, Class::Float, 32) => Some(dot2_to_float::<R, BF16>),
        (Class::Float, Class::Float, 16) => Some(dot2_to_half::<R, F16>),
        (Class::BFloat, Class::BFloat, _) => Some(dot2_to_half::<R, BF16>),
        _ => None,
    }
}

/// Whether the mode is one that these functions have, and which: whether denormals are flushed.
#[inline(always)]
pub(super) fn fast_mode(mode: FloatMode) -> Option<bool> {
    let is_fast = mode.round == Round::NearestEven && mode.flush_inputs == mode.flush_outputs;
    is_fast.then_some(mode.flush_inputs)
}

/// The bits of the half at the low end of a dword.
const LOW_HALF: u32 = 0xFFFF;

/// Whether halves of a dword are infinities or NaNs, as marks.
#[inline(always)]
pub(super) const fn special<H: HalfFormat>(bits: u32) -> u32 {
    let infinity = H::INFINITY * 0x1_0001;
    (bits & infinity) + (HALVES - infinity)
}

/// Computes halves in f32: values and marks.
#[inline(always)]
fn compute<R: Row, H: HalfFormat, const PACKED: bool, const FLUSH: bool, const N: usize>(
    file: &mut File<R>,
    p: &Primitive<R>,
    env: &Env,
    dst: u16,
    f: impl Fn([f32; N], f32) -> (f32, u32),
) {
    let limit = H::limit(env.modes.of(H::FORMAT).saturate);
    map_marked::<R, u32, u32, N, HALVES>(
        file,
        p,
        env,
        dst,
        0,
        #[inline(always)]
        |args, _| {
            let mut marks = 0;
            for arg in args {
                marks |= special::<H>(arg);
            }
            let low = args.map(
                #[inline(always)]
                |bits| H::widen::<FLUSH>(bits << 16),
            );
            let (low, low_mark) = f(low, limit);
            let low = H::narrow::<FLUSH>(low, limit);
            if !PACKED {
                return (low, marks & LOW_HALF | low_mark);
            }
            let high = args.map(
                #[inline(always)]
                |bits| H::widen::<FLUSH>(bits),
            );
            let (high, high_mark) = f(high, limit);
            (low | H::narrow::<FLUSH>(high, limit) << 16, marks | low_mark | high_mark)
        },
        |file, env| general(file, p, env, dst),
    );
}

/// `a * b + c`, and a mark if it is not sure that narrowing it gives what rounding once does.
#[inline(always)]
fn multiply_add<H: HalfFormat>([a, b, c]: [f32; 3], limit: f32) -> (f32, u32) {
    let product = a * b;
    let sum = product + c;
    (sum, H::is_tie(sum, limit) & is_inexact_sum(sum, product, c) | H::is_inexact_product(a, b))
}

/// All ones if a sum in f32 is not the exact one.
#[inline(always)]
fn is_inexact_sum(sum: f32, a: f32, b: f32) -> u32 {
    // The difference of a sum and its larger operand is exact.
    mask(sum - a != b) | mask(sum - b != a)
}

/// Replaces a denormal f32 with a zero of its sign, if `FLUSH` is set.
#[inline(always)]
const fn flush_float<const FLUSH: bool>(bits: u32) -> u32 {
    if FLUSH { bits & (mask(bits & 0x7F80_0000 != 0) | 0x8000_0000) } else { bits }
}

/// The same for a row.
#[inline(always)]
fn flushed<const FLUSH: bool>(row: &Wide) -> Wide {
    Wide::from_fn(
        #[inline(always)]
        |lane| flush_float::<FLUSH>(row.0[lane]),
    )
}

/// Computes halves of `N` arguments by instructions of the host that convert f16, if it has them. Returns a mask of the lanes that are
/// left.
#[inline(always)]
fn by_instructions<R: Row, H: HalfFormat, const PACKED: bool, const N: usize>(
    file: &mut File<R>,
    p: &Primitive<R>,
    env: &Env,
    dst: u16,
    compute: impl FnOnce(Halves, [&Wide; 3]) -> Wide,
) -> Option<u32> {
    if !R::IS_WIDE || H::FORMAT != Format::F16 || env.modes.f16.saturate {
        return None;
    }
    env.units.run_halves(
        #[inline(always)]
        |halves| {
            let [a, b, c] = p.rows(file);
            let rows = [a.wide()?, b.wide()?, c.wide()?];
            let mut row = compute(halves, rows);
            let mut marks = Wide([0; LANES]);
            for lane in 0..LANES {
                for row in &rows[..N] {
                    marks.0[lane] |= special::<H>(row.0[lane]);
                }
                if !PACKED {
                    row.0[lane] &= LOW_HALF;
                    marks.0[lane] &= LOW_HALF;
                }
            }
            Some(store_unmarked::<R, u32, HALVES>(file, env, dst, &R::from_wide(row)?, &R::from_wide(marks)?))
        },
    )?
}

/// Defines functions of halves that are computed in f32 where the mode permits it.
macro_rules! arithmetic {
    ($($name:ident by $operation:ident of $count:literal = |$args:pat_param, $limit:ident| $result:expr;)*) => {
        $(fn $name<R: Row, H: HalfFormat, const PACKED: bool>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
            match fast_mode(env.modes.of(H::FORMAT)) {
                Some(true) => compute::<R, H, PACKED, true, _>(file, p, env, dst, #[inline(always)] |$args, $limit| $result),
                Some(false) => {
                    let left = by_instructions::<R, H, PACKED, $count>(file, p, env, dst, #[inline(always)] |halves, rows| {
                        halves.compute(HalfOperation::$operation, rows)
                    });
                    match left {
                        Some(left) => compute_left(file, env, left, |file, env| general(file, p, env, dst)),
                        None => compute::<R, H, PACKED, false, _>(file, p, env, dst, #[inline(always)] |$args, $limit| $result),
                    }
                }
                None => general(file, p, env, dst),
            }
        })*
    };
}

arithmetic! {
    add by Add of 2 = |[a, b], _limit| (a + b, 0);
    sub by Sub of 2 = |[a, b], _limit| (a - b, 0);
    mul by Mul of 2 = |[a, b], _limit| (a * b, 0);
    fma by Fma of 3 = |args, limit| multiply_add::<H>(args, limit);
}

/// The four numbers of two dwords of halves, in pairs that are multiplied.
#[inline(always)]
fn pairs<H: HalfFormat, const FLUSH: bool>(a: u32, b: u32) -> [[f32; 2]; 2] {
    [[H::widen::<FLUSH>(a << 16), H::widen::<FLUSH>(b << 16)], [H::widen::<FLUSH>(a), H::widen::<FLUSH>(b)]]
}

/// Adds products of halves to an f32, each sum rounded to f32.
fn dot2_to_float<R: Row, H: HalfFormat>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
    match (fast_mode(env.modes.of(H::FORMAT)), fast_mode(env.modes.f32)) {
        (Some(true), Some(true)) => dot2_float::<R, H, true, true>(file, p, env, dst),
        (Some(true), Some(false)) => dot2_float::<R, H, true, false>(file, p, env, dst),
        (Some(false), Some(true)) => dot2_float::<R, H, false, true>(file, p, env, dst),
        (Some(false), Some(false)) => dot2_float::<R, H, false, false>(file, p, env, dst),
        _ => general(file, p, env, dst),
    }
}

#[inline(always)]
fn dot2_float<R: Row, H: HalfFormat, const FLUSH: bool, const FLUSH_FLOAT: bool>(
    file: &mut File<R>,
    p: &Primitive<R>,
    env: &Env,
    dst: u16,
) {
    let flush = |value: f32| f32::from_bits(flush_float::<FLUSH_FLOAT>(value.to_bits()));
    map_marked::<R, u32, u32, 3, HALVES>(
        file,
        p,
        env,
        dst,
        0,
        #[inline(always)]
        |[a, b, c], _| {
            let mut sum = flush(f32::from_bits(c));
            let mut marks = special::<H>(a) | special::<H>(b);
            for [x, y] in pairs::<H, FLUSH>(a, b) {
                sum = flush(x * y + sum);
                marks |= H::is_inexact_product(x, y);
            }
            (sum.to_bits(), marks | mask(sum.is_nan()))
        },
        |file, env| general(file, p, env, dst),
    );
}

/// Adds products of halves to one, each sum rounded to its format.
fn dot2_to_half<R: Row, H: HalfFormat>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
    match fast_mode(env.modes.of(H::FORMAT)) {
        Some(true) => dot2_half::<R, H, true>(file, p, env, dst),
        Some(false) => dot2_half::<R, H, false>(file, p, env, dst),
        None => general(file, p, env, dst),
    }
}

#[inline(always)]
fn dot2_half<R: Row, H: HalfFormat, const FLUSH: bool>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
    if let Some(left) = dot2_by_instructions::<R, H, FLUSH>(file, p, env, dst) {
        return compute_left(file, env, left, |file, env| general(file, p, env, dst));
    }
    let limit = H::limit(env.modes.of(H::FORMAT).saturate);
    let infinity = H::limit(false);
    map_marked::<R, u32, u32, 3, HALVES>(
        file,
        p,
        env,
        dst,
        0,
        #[inline(always)]
        |[a, b, c], _| {
            let [[x, y], [z, w]] = pairs::<H, FLUSH>(a, b);
            let (first, mark) = multiply_add::<H>([x, y, H::widen::<FLUSH>(c << 16)], limit);
            let first = H::round::<FLUSH>(first, limit);
            let marks = special::<H>(a) | special::<H>(b) | special::<H>(c << 16) | mark;
            let (sum, mark) = multiply_add::<H>([z, w, first], limit);
            // The first sum is infinite if it is at the limit.
            (H::narrow::<FLUSH>(sum, limit), marks | mark | mask(magnitude(first) >= infinity))
        },
        |file, env| general(file, p, env, dst),
    );
}

/// The same by instructions of the host that convert f16, if it has them. Returns a mask of the lanes that are left.
#[inline(always)]
fn dot2_by_instructions<R: Row, H: HalfFormat, const FLUSH: bool>(
    file: &mut File<R>,
    p: &Primitive<R>,
    env: &Env,
    dst: u16,
) -> Option<u32> {
    if FLUSH || !R::IS_WIDE || H::FORMAT != Format::F16 || env.modes.f16.saturate {
        return None;
    }
    env.units.run_halves(
        #[inline(always)]
        |halves| {
            let [a, b, c] = p.rows(file);
            let [a, b, c] = [a.wide()?, b.wide()?, c.wide()?];
            let [first, row] = halves.add_products([a, b, c]);
            let mut marks = Wide([0; LANES]);
            for lane in 0..LANES {
                let single = special::<H>(c.0[lane]) | special::<H>(first.0[lane]);
                marks.0[lane] = special::<H>(a.0[lane]) | special::<H>(b.0[lane]) | single & LOW_HALF;
            }
            Some(store_unmarked::<R, u32, HALVES>(file, env, dst, &R::from_wide(row)?, &R::from_wide(marks)?))
        },
    )?
}

/// Multiplies and adds f32, rounded once, to f16.
fn fma_to_f16<R: Row>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
    match (fast_mode(env.modes.f16), env.modes.f32.flush_inputs) {
        (Some(true), true) => fma_to_f16_in::<R, true, true>(file, p, env, dst),
        (Some(true), false) => fma_to_f16_in::<R, true, false>(file, p, env, dst),
        (Some(false), true) => fma_to_f16_in::<R, false, true>(file, p, env, dst),
        (Some(false), false) => fma_to_f16_in::<R, false, false>(file, p, env, dst),
        (None, _) => general(file, p, env, dst),
    }
}

#[inline(always)]
fn fma_to_f16_in<R: Row, const FLUSH: bool, const FLUSH_FLOAT: bool>(
    file: &mut File<R>,
    p: &Primitive<R>,
    env: &Env,
    dst: u16,
) {
    let limit = F16::limit(env.modes.f16.saturate);
    // A sum that was rounded to f32 already. Infinities are evaluated apart, since they do not become finite numbers.
    let narrowed = |sum: f32, is_inexact: u32| {
        let mark = F16::is_tie(sum, limit) & is_inexact | mask(!sum.is_finite());
        (F16::narrow::<FLUSH>(sum, limit), mark)
    };
    let fused = env.units.run_fused(
        #[inline(always)]
        |fused| {
            let [a, b, c] = p.rows(file);
            let (Some(a), Some(b), Some(c)) = (a.wide(), b.wide(), c.wide()) else { return u32::MAX };
            let [a, b, c] = [flushed::<FLUSH_FLOAT>(a), flushed::<FLUSH_FLOAT>(b), flushed::<FLUSH_FLOAT>(c)];
            let sums = fused.fma_f32([&a, &b, &c]);
            let mut products = a;
            for (product, factor) in products.0.iter_mut().zip(&b.0) {
                *product = (-(f32::from_bits(*product) * f32::from_bits(*factor))).to_bits();
            }
            let errors = fused.fma_f32([&a, &b, &products]);
            let (mut row, mut marks) = (Wide([0; LANES]), Wide([0; LANES]));
            for lane in 0..LANES {
                let of = |row: &Wide| f32::from_bits(row.0[lane]);
                let (sum, product, addend) = (of(&sums), -of(&products), of(&c));
                // The error of a product as small as this may vanish.
                let is_tiny = mask(magnitude(product) < f32::from_bits(27 << 23));
                let is_product = mask(of(&a) != 0.0) & mask(of(&b) != 0.0);
                let is_inexact = is_tiny & is_product | mask(of(&errors) != 0.0);
                let is_inexact = is_inexact | is_inexact_sum(sum, product, addend);
                (row.0[lane], marks.0[lane]) = narrowed(sum, is_inexact);
            }
            let (Some(row), Some(marks)) = (R::from_wide(row), R::from_wide(marks)) else { return u32::MAX };
            store_unmarked::<R, u32, HALVES>(file, env, dst, &row, &marks)
        },
    );
    let apart = |file: &mut File<R>, env: &Env| general(file, p, env, dst);
    match fused {
        Some(left) => compute_left(file, env, left, apart),
        None => map_marked::<R, u32, u32, 3, HALVES>(
            file,
            p,
            env,
            dst,
            0,
            #[inline(always)]
            |args, _| {
                let [a, b, c] = args.map(
                    #[inline(always)]
                    |bits| f64::from(f32::from_bits(flush_float::<FLUSH_FLOAT>(bits))),
                );
                // Exact.
                let product = a * b;
                let sum = product + c;
                let float = sum as f32;
                let is_inexact = f64::from(float) != sum || sum - product != c || sum - c != product;
                narrowed(float, mask(is_inexact))
            },
            apart,
        ),
    }
}

/// All ones if a condition holds.
#[inline(always)]
const fn mask16(condition: bool) -> u16 {
    if condition { u16::MAX } else { 0 }
}

/// All ones if it is a NaN.
#[inline(always)]
const fn nan(bits: u16) -> u16 {
    mask16(bits & 0x7FFF > 0x7C00)
}

/// Replaces a denormal with a zero of its sign if `flushes` is all ones.
#[inline(always)]
const fn flush(bits: u16, flushes: u16) -> u16 {
    bits & (mask16(bits & 0x7C00 != 0) | 0x8000 | !flushes)
}

/// Changes a number to an integer whose order is that of the numbers, -0 below +0, and back.
#[inline(always)]
const fn key(bits: u16) -> i16 {
    (bits ^ ((bits as i16 >> 15) as u16 >> 1)) as i16
}

/// Selects by the keys of f16, denormals flushed as the mode has them. NaNs are evaluated apart.
#[inline(always)]
fn select_by_key<R: Row, const PACKED: bool, const N: usize>(
    file: &mut File<R>,
    p: &Primitive<R>,
    env: &Env,
    dst: u16,
    f: impl Fn([i16; N]) -> i16,
) {
    let flushes = mask16(env.modes.f16.flush_inputs);
    shorts::<R, PACKED, N>(
        file,
        p,
        env,
        dst,
        #[inline(always)]
        |args| {
            let mut marks = 0;
            let mut keys = [0; N];
            for (key_of, bits) in keys.iter_mut().zip(args) {
                marks |= nan(bits);
                *key_of = key(flush(bits, flushes));
            }
            (key(f(keys) as u16) as u16, marks)
        },
    );
}

/// The middle of three numbers. Zeros are equal, and one of three that equals the largest is left out.
#[inline(always)]
fn middle([a, b, c]: [i16; 3]) -> i16 {
    // The key of -0 is -1.
    let value = |key: i16| if key == -1 { 0 } else { key };
    let largest = value(a.max(b).max(c));
    let without_b = if value(b) == largest { a.max(c) } else { a.max(b) };
    if value(a) == largest { b.max(c) } else { without_b }
}

macro_rules! by_key {
    ($($name:ident = |$args:pat_param| $result:expr;)*) => {
        $(fn $name<R: Row, const PACKED: bool>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
            select_by_key::<R, PACKED, _>(file, p, env, dst, #[inline(always)] |$args| $result);
        })*
    };
}

by_key! {
    min = |[a, b]| a.min(b);
    max = |[a, b]| a.max(b);
    min3 = |[a, b, c]| a.min(b).min(c);
    max3 = |[a, b, c]| a.max(b).max(c);
    minmax = |[a, b, c]| a.min(b).max(c);
    maxmin = |[a, b, c]| a.max(b).min(c);
    med3 = |args| middle(args);
}

/// Clamps to [0, 1].
fn clamp<R: Row, const PACKED: bool>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
    let kept_nan = mask16(!env.modes.f16.dx10_clamp);
    shorts::<R, PACKED, 1>(
        file,
        p,
        env,
        dst,
        #[inline(always)]
        |[bits]| {
            let clamped = (bits as i16).clamp(0, 0x3C00) as u16;
            (clamped & !nan(bits) | bits & nan(bits) & kept_nan, 0)
        },
    );
}

/// Compares f16 rows, with denormals as the mode has them: `f` of integers whose order is that of the numbers, both zeros 0; and
/// the result where there is a NaN.
#[inline(always)]
fn compare<R: Row>(
    file: &mut File<R>,
    p: &Primitive<R>,
    env: &Env,
    dst: u16,
    of_nan: bool,
    f: impl Fn(i16, i16) -> bool,
) {
    let flushes = mask16(env.modes.f16.flush_inputs);
    let ordered = |bits: u16| {
        let bits = flush(bits, flushes);
        let sign = bits as i16 >> 15;
        ((bits & 0x7FFF) as i16 ^ sign).wrapping_sub(sign)
    };
    shorts::<R, false, 2>(
        file,
        p,
        env,
        dst,
        #[inline(always)]
        |[a, b]| {
            let either_nan = nan(a) | nan(b);
            let holds = mask16(f(ordered(a), ordered(b)));
            ((holds & !either_nan | mask16(of_nan) & either_nan) & 1, 0)
        },
    );
}

macro_rules! compares {
    ($($name:ident = $of_nan:literal |$a:ident, $b:ident| $result:expr;)*) => {
        $(fn $name<R: Row>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
            compare(file, p, env, dst, $of_nan, #[inline(always)] |$a, $b| $result);
        })*
    };
}

compares! {
    eq = false |a, b| a == b;
    ne = true |a, b| a != b;
    lt = false |a, b| a < b;
    le = false |a, b| a <= b;
    gt = false |a, b| a > b;
    ge = false |a, b| a >= b;
}

//! Arithmetic and comparisons of f64 by the host's instructions. NaNs and denormals are put right in each lane.

use crate::num::Round;
use crate::primitive::lanes::{Bits, Masks, compute_left, map, power, store_unmarked};
use crate::primitive::{Env, Primitive, general};
use crate::rows::{File, Row};
use crate::units::Unit;

/// Defines functions for the operators of f64.
macro_rules! operators {
    ($($name:ident = |$a:ident, $b:ident| $args:expr, $result:expr;)*) => {
        $(pub(crate) fn $name<R: Row>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
            if env.modes.f64.round != Round::NearestEven {
                return general(file, p, env, dst);
            }
            let masks = Masks::<u64>::new(env.modes.f64);
            map::<R, u64, u64, 2>(file, p, env, dst, #[inline(always)] |[$a, $b]| {
                let args: [u64; 2] = $args;
                let args = [masks.input(args[0]), masks.input(args[1])];
                let ($a, $b) = (args[0].host(), args[1].host());
                masks.result(args, u64::of($result))
            });
        })*
    };
}

operators! {
    add_double = |a, b| [a, b], a + b;
    // The negation of a NaN is visible.
    sub_double = |a, b| [a, b ^ u64::SIGN], a + b;
    mul_double = |a, b| [a, b], a * b;
}

/// Defines comparisons of f64.
macro_rules! compares {
    ($($name:ident = $op:tt;)*) => {
        $(pub(crate) fn $name<R: Row>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
            let masks = Masks::<u64>::new(env.modes.f64);
            map::<R, u64, u32, 2>(file, p, env, dst, #[inline(always)] |[a, b]| {
                u32::from(masks.input(a).host() $op masks.input(b).host())
            });
        })*
    };
}

compares! {
    eq_double = ==;
    ne_double = !=;
    lt_double = <;
    le_double = <=;
    gt_double = >;
    ge_double = >=;
}

pub(crate) fn fma_double<R: Row>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
    let masks = Masks::new(env.modes.f64);
    fma_and::<R>(
        file,
        p,
        env,
        dst,
        (masks, 0),
        #[inline(always)]
        |high, _, _| (high, false),
    );
}

/// Multiplies and adds, and applies a function to the upper dwords of the sum and of the addend, and to the number in a row. It says
/// which lanes need care. It computes with dwords, since vectors have twice as many lanes of them.
#[inline(always)]
pub(super) fn fma_and<R: Row>(
    file: &mut File<R>,
    p: &Primitive<R>,
    env: &Env,
    dst: u16,
    (masks, with): (Masks<u64>, u16),
    f: impl Fn(u32, u32, u32) -> (u32, bool),
) {
    if env.modes.f64.round != Round::NearestEven {
        return general(file, p, env, dst);
    }
    let Some(fused) = env.units.fused() else {
        let with_masks = |file: &mut File<R>, env: &Env| {
            fma_of_all(
                file,
                p,
                env,
                (dst, with),
                #[inline(always)]
                |[a, b, c]| {
                    let [a, b, c] = [masks.input(a), masks.input(b), masks.input(c)];
                    let (sum, is_exact) = fma(a.host(), b.host(), c.host());
                    (masks.output(sum.to_bits()), !is_exact)
                },
                &f,
            );
        };
        if masks.flushes() {
            return with_masks(file, env);
        }
        let left = fma_rows(
            file,
            p,
            env,
            (dst, with),
            #[inline(always)]
            |[a, b, c]| (u64::of(fma_of_parts(a.host(), b.host(), c.host()).0), false),
            #[inline(always)]
            |high, args, with| {
                let (result, care) = f(high, args[2], with);
                (result, care | !is_in_range(args))
            },
        );
        return compute_left(file, env, left, with_masks);
    };
    let with_masks = |file: &mut File<R>, env: &Env| {
        fma_of_all(
            file,
            p,
            env,
            (dst, with),
            #[inline(always)]
            |[a, b, c]| {
                let args = [masks.input(a), masks.input(b), masks.input(c)];
                let sum = fused.fma_f64(args[0].host(), args[1].host(), args[2].host());
                (masks.result(args, u64::of(sum)), false)
            },
            &f,
        );
    };
    if masks.flushes() {
        return with_masks(file, env);
    }
    let left = fma_rows(
        file,
        p,
        env,
        (dst, with),
        #[inline(always)]
        |[a, b, c]| (u64::of(fused.fma_f64(a.host(), b.host(), c.host())), false),
        // Infinities and NaNs are left.
        #[inline(always)]
        |high, args, with| {
            let infinity = u64::INFINITY.high();
            let (result, care) = f(high, args[2], with);
            (result, care | (high & infinity == infinity))
        },
    );
    compute_left(file, env, left, with_masks);
}

/// [`fma_rows`] with a function of the upper dwords of the sum and of the addend, and then [`general`] for lanes that need care.
#[inline(always)]
fn fma_of_all<R: Row>(
    file: &mut File<R>,
    p: &Primitive<R>,
    env: &Env,
    (dst, with): (u16, u16),
    sum: impl Fn([u64; 3]) -> (u64, bool),
    f: impl Fn(u32, u32, u32) -> (u32, bool),
) {
    let left = fma_rows(
        file,
        p,
        env,
        (dst, with),
        sum,
        #[inline(always)]
        |high, args, with| f(high, args[2], with),
    );
    compute_left(file, env, left, |file, env| general(file, p, env, dst));
}

/// Computes sums, and then the function of their upper dwords, of those of the arguments, and of the number in a row. Returns a mask of the lanes that need care, which are not stored.
#[inline(always)]
fn fma_rows<R: Row>(
    file: &mut File<R>,
    p: &Primitive<R>,
    env: &Env,
    (dst, with): (u16, u16),
    sum: impl Fn([u64; 3]) -> (u64, bool),
    f: impl Fn(u32, [u32; 3], u32) -> (u32, bool),
) -> u32 {
    env.units.run_rows::<R, _>(
        #[inline(always)]
        || {
            let [a, b, c] = [u64::source(file, p.args[0]), u64::source(file, p.args[1]), u64::source(file, p.args[2])];
            let with = file.row(with).lanes();
            let (mut rows, mut marks) = (u64::rows::<R>(), R::ZERO);
            for lane in 0..R::ZERO.lanes().len() {
                let (value, care) = sum([u64::get(a, lane), u64::get(b, lane), u64::get(c, lane)]);
                u64::set(&mut rows, lane, value);
                marks.lanes_mut()[lane] = u32::MAX.only_if(care);
            }
            for lane in 0..R::ZERO.lanes().len() {
                let (high, care) = f(rows[1].lanes()[lane], [a[1][lane], b[1][lane], c[1][lane]], with[lane]);
                rows[1].lanes_mut()[lane] = high;
                marks.lanes_mut()[lane] |= u32::MAX.only_if(care);
            }
            store_unmarked::<R, u64, { u32::MAX }>(file, env, dst, &rows, &marks)
        },
    )
}

/// `a + b` and its error, exactly (Knuth's TwoSum).
#[inline(always)]
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let shadow = sum - a;
    (sum, (a - (sum - shadow)) + (b - shadow))
}

/// `a * b` and its error, exactly if nothing over- or underflows (Dekker's product of halves).
#[inline(always)]
fn two_product(a: f64, b: f64) -> (f64, f64) {
    let halves = |x: f64| {
        let shifted = x * 134_217_729.0; // 2^27 + 1
        let high = shifted - (shifted - x);
        (high, x - high)
    };
    let product = a * b;
    let ((a, x), (b, y)) = (halves(a), halves(b));
    (product, x * y - (((product - a * b) - x * b) - a * y))
}

/// `a + b` rounded to odd: if it is inexact, the one of its two neighbours whose last bit is 1.
#[inline(always)]
fn odd_sum(a: f64, b: f64) -> f64 {
    let (sum, error) = two_sum(a, b);
    let bits = sum.to_bits();
    // The sum is away from zero if the error has the other sign.
    let step = 1u64.minus(((bits ^ error.to_bits()) >> 63) << 1);
    f64::from_bits(bits.plus(step & (bits & 1).minus(1).only_if(error != 0.0)))
}

/// `a * b + c` rounded once (Boldo and Melquiond, "Emulation of a FMA and correctly rounded sums", 2008), and the product: unless the
/// product or its error over- or underflows. Sums never underflow.
#[inline(always)]
fn fma_of_parts(a: f64, b: f64, c: f64) -> (f64, f64) {
    let (product, low) = two_product(a, b);
    let (upper, lower) = two_sum(c, low);
    let (high, middle) = two_sum(product, upper);
    (high + odd_sum(middle, lower), product)
}

/// `a * b + c` rounded once, and whether it is.
#[inline(always)]
fn fma(a: f64, b: f64, c: f64) -> (f64, bool) {
    let (sum, product) = fma_of_parts(a, b, c);
    let magnitude = |x: f64| x.to_bits().magnitude().host();
    let largest = |x: f64, y: f64| if x > y { x } else { y };
    let most = largest(largest(magnitude(a), magnitude(b)), magnitude(c));
    let of_product = magnitude(product);
    let is_safe = (most < of_power(990)) & (of_product >= of_power(-800)) & (of_product < of_power(1000));
    let is_zero = ((a == 0.0) | (b == 0.0)) & (product == 0.0) & (most < f64::INFINITY);
    // The sign of a zero is that of the product and the addend.
    (if is_zero { product + c } else { sum }, is_safe | is_zero)
}

/// Whether [`fma_of_parts`] rounds once, by the upper dwords of its arguments: it does if the factors are from 2^-400 up to 2^490, and
/// the addend is less than 2^990.
#[inline(always)]
fn is_in_range([a, b, c]: [u32; 3]) -> bool {
    let of = |by: i32| (u64::of(of_power(by)) >> 32) as i32;
    let magnitude = |high: u32| (high & !u64::SIGN.high()) as i32;
    let is_factor = |high: u32| (magnitude(high) >= of(-400)) & (magnitude(high) < of(490));
    is_factor(a) & is_factor(b) & (magnitude(c) < of(990))
}

/// Two to a power.
#[inline(always)]
const fn of_power(by: i32) -> f64 {
    f64::from_bits(power(<u64 as Bits>::FORMAT, by))
}

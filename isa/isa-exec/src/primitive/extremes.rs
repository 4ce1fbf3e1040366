//! Minima, maxima and medians of f32 and f64.

use crate::primitive::lanes::{Bits, Masks, map, map_with_care};
use crate::primitive::{Env, Primitive};
use crate::rows::{File, Row};

/// The smaller of two numbers that are not NaNs, or the larger one if `MAX` is set; -0 is below +0.
#[inline(always)]
pub(super) fn extreme<B: Bits, const MAX: bool>(a: B, b: B) -> B {
    let [first, second] = in_both_orders::<B, MAX>(a, b);
    // Equal numbers have the same bits unless they are zeros.
    if MAX { first & second } else { first | second }
}

/// The smaller of two numbers, or the larger one if `MAX` is set, as instructions of the host select it: of two zeros the second, so
/// that each zero is given once. If one is a NaN, each of the two is given once.
#[inline(always)]
pub(super) fn in_both_orders<B: Bits, const MAX: bool>(a: B, b: B) -> [B; 2] {
    let (x, y) = (a.host(), b.host());
    let [first, second] = if MAX {
        [if x > y { x } else { y }, if y > x { y } else { x }]
    } else {
        [if x < y { x } else { y }, if y < x { y } else { x }]
    };
    [B::of(first), B::of(second)]
}

/// The minimum and the maximum of two numbers.
trait Extremes<B> {
    fn min(self, a: B, b: B) -> B;
    fn max(self, a: B, b: B) -> B;

    /// The minimum and the maximum of IEEE 754-2019: a NaN if there is one.
    fn minimum(self, a: B, b: B) -> B;
    fn maximum(self, a: B, b: B) -> B;

    /// The middle of three numbers.
    fn med(self, a: B, b: B, c: B) -> B;
}

/// For numbers alone.
#[derive(Clone, Copy)]
struct OfNumbers;

impl<B: Bits> Extremes<B> for OfNumbers {
    #[inline(always)]
    fn min(self, a: B, b: B) -> B {
        extreme::<B, false>(a, b)
    }

    #[inline(always)]
    fn max(self, a: B, b: B) -> B {
        extreme::<B, true>(a, b)
    }

    #[inline(always)]
    fn minimum(self, a: B, b: B) -> B {
        self.min(a, b)
    }

    #[inline(always)]
    fn maximum(self, a: B, b: B) -> B {
        self.max(a, b)
    }

    #[inline(always)]
    fn med(self, a: B, b: B, c: B) -> B {
        // The larger of the two that are left without the largest; zeros count as equal to it.
        let of_two = self.max(a, b);
        let largest = self.max(of_two, c).host();
        let others = if b.host() == largest { self.max(a, c) } else { of_two };
        if a.host() == largest { self.max(b, c) } else { others }
    }
}

/// For numbers and NaNs. With MODE.IEEE a signaling NaN is returned, quiet; otherwise the operand that is not a NaN.
#[derive(Clone, Copy)]
struct OfAll {
    ieee: bool,
}

impl OfAll {
    #[inline(always)]
    fn either<B: Bits>(self, a: B, b: B, chosen: B) -> B {
        let signals = |bits: B| self.ieee & bits.is_nan() & (bits & B::QUIET == B::ZERO);
        let chosen = if a.is_nan() { b } else { chosen };
        let chosen = if b.is_nan() { a } else { chosen };
        let chosen = if signals(b) { b | B::QUIET } else { chosen };
        if signals(a) { a | B::QUIET } else { chosen }
    }

    /// The first signaling NaN, or else the first NaN, quiet; without one the chosen number.
    #[inline(always)]
    fn nan_or<B: Bits>(self, a: B, b: B, chosen: B) -> B {
        let signals = |bits: B| bits.is_nan() & (bits & B::QUIET == B::ZERO);
        let chosen = if b.is_nan() { b | B::QUIET } else { chosen };
        let chosen = if a.is_nan() { a | B::QUIET } else { chosen };
        if signals(b) & !signals(a) { b | B::QUIET } else { chosen }
    }
}

impl<B: Bits> Extremes<B> for OfAll {
    #[inline(always)]
    fn min(self, a: B, b: B) -> B {
        self.either(a, b, OfNumbers.min(a, b))
    }

    #[inline(always)]
    fn max(self, a: B, b: B) -> B {
        self.either(a, b, OfNumbers.max(a, b))
    }

    #[inline(always)]
    fn minimum(self, a: B, b: B) -> B {
        self.nan_or(a, b, OfNumbers.min(a, b))
    }

    #[inline(always)]
    fn maximum(self, a: B, b: B) -> B {
        self.nan_or(a, b, OfNumbers.max(a, b))
    }

    #[inline(always)]
    fn med(self, a: B, b: B, c: B) -> B {
        let has_nan = a.is_nan() | b.is_nan() | c.is_nan();
        let smallest = self.min(self.min(a, b), c);
        let middle = OfNumbers.med(a, b, c);
        if has_nan { smallest } else { middle }
    }
}

/// Defines functions of f32 and f64 rows by one expression for both kinds of lanes.
macro_rules! extremes {
    ($($name:ident = $count:literal |$of:ident, [$($arg:ident),*]| $result:expr;)*) => {
        $(pub(crate) fn $name<R: Row, B: Bits>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
            let mode = B::mode(&env.modes);
            let masks = Masks::<B>::new(mode);
            map_with_care::<R, B, B, $count>(file, p, env, dst, 0, #[inline(always)] |[$($arg),*], _| {
                $(let $arg = masks.input($arg);)*
                let $of = OfNumbers;
                ($result, false $(| $arg.is_nan())*)
            }, |file, env| map::<R, B, B, $count>(file, p, env, dst, #[inline(always)] |[$($arg),*]| {
                $(let $arg = masks.input($arg);)*
                let $of = OfAll { ieee: mode.ieee };
                $result
            }));
        })*
    };
}

extremes! {
    min_of = 2 |of, [a, b]| of.min(a, b);
    max_of = 2 |of, [a, b]| of.max(a, b);
    minimum_of = 2 |of, [a, b]| of.minimum(a, b);
    maximum_of = 2 |of, [a, b]| of.maximum(a, b);
    min3_of = 3 |of, [a, b, c]| of.min(of.min(a, b), c);
    max3_of = 3 |of, [a, b, c]| of.max(of.max(a, b), c);
    minmax_of = 3 |of, [a, b, c]| of.max(of.min(a, b), c);
    maxmin_of = 3 |of, [a, b, c]| of.min(of.max(a, b), c);
    med3_of = 3 |of, [a, b, c]| of.med(a, b, c);
}

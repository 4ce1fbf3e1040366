//! Comparisons, minima and maxima.

use core::cmp::Ordering;

use crate::num::{FloatMode, Format};

/// The sixteen relations of float compares, numbered as in the opcodes (V_CMP_F_F32 is 0, V_CMP_T_F32 is 15).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct CompareRelation(pub u8);

impl CompareRelation {
    /// Whether the relation holds for an ordering; `None`: one of the two is a NaN.
    ///
    /// Bits 0, 1 and 2 of the number select less, equal and greater; 8 to 15 negate 7 to 0, so that they hold for NaNs.
    #[must_use]
    pub const fn holds(self, ordering: Option<Ordering>) -> bool {
        let bit = match ordering {
            Some(Ordering::Less) => 0,
            Some(Ordering::Equal) => 1,
            Some(Ordering::Greater) => 2,
            None => 3,
        };
        let selected = if self.0 & 8 == 0 { self.0 & 7 } else { self.0 & 7 | 8 };
        selected >> bit & 1 != 0
    }
}

/// Orders two numbers, -0 and +0 being equal; `None` if one is a NaN.
#[must_use]
pub fn compare(format: Format, mode: FloatMode, a: u64, b: u64) -> Option<Ordering> {
    let (a, b) = (mode.input(format, a), mode.input(format, b));
    if format.is_nan(a) || format.is_nan(b) {
        return None;
    }
    if format.is_zero(a) && format.is_zero(b) {
        return Some(Ordering::Equal);
    }
    Some(total_key(format, a).cmp(&total_key(format, b)))
}

/// A number whose order as an integer is that of the floating-point numbers, -0 below +0.
fn total_key(format: Format, bits: u64) -> i64 {
    let magnitude = (bits & format.magnitude_mask()) as i64;
    if format.is_negative(bits) { !magnitude } else { magnitude }
}

/// The one of two values that `prefer` selects by their order; the NaN rules of V_MIN and V_MAX.
///
/// With MODE.IEEE a signaling NaN is returned, quiet; otherwise the operand that is not a NaN.
fn select(format: Format, mode: FloatMode, a: u64, b: u64, prefer: Ordering) -> u64 {
    let (a, b) = (mode.input(format, a), mode.input(format, b));
    if mode.ieee {
        for bits in [a, b] {
            if format.is_signaling(bits) {
                return format.quiet(bits);
            }
        }
    }
    if format.is_nan(b) {
        return a;
    }
    if format.is_nan(a) || total_key(format, a).cmp(&total_key(format, b)) != prefer { b } else { a }
}

/// The one of two values that `prefer` selects by their order; the NaN rules of V_MINIMUM and V_MAXIMUM: a NaN is returned, quiet, the
/// first signaling one or else the first.
fn select_ieee(format: Format, mode: FloatMode, a: u64, b: u64, prefer: Ordering) -> u64 {
    let (a, b) = (mode.input(format, a), mode.input(format, b));
    let signaling = [a, b].into_iter().find(|bits| format.is_signaling(*bits));
    if let Some(nan) = signaling.or([a, b].into_iter().find(|bits| format.is_nan(*bits))) {
        return format.quiet(nan);
    }
    if total_key(format, a).cmp(&total_key(format, b)) != prefer { b } else { a }
}

/// The smaller of two numbers (V_MINIMUM_F32): -0 is below +0, a NaN wins.
#[must_use]
pub fn minimum(format: Format, mode: FloatMode, a: u64, b: u64) -> u64 {
    select_ieee(format, mode, a, b, Ordering::Less)
}

/// The larger of two numbers (V_MAXIMUM_F32): -0 is below +0, a NaN wins.
#[must_use]
pub fn maximum(format: Format, mode: FloatMode, a: u64, b: u64) -> u64 {
    select_ieee(format, mode, a, b, Ordering::Greater)
}

/// The smaller of two numbers (V_MIN_F32): -0 is below +0, a quiet NaN loses.
#[must_use]
pub fn min(format: Format, mode: FloatMode, a: u64, b: u64) -> u64 {
    select(format, mode, a, b, Ordering::Less)
}

/// The larger of two numbers (V_MAX_F32): -0 is below +0, a quiet NaN loses.
#[must_use]
pub fn max(format: Format, mode: FloatMode, a: u64, b: u64) -> u64 {
    select(format, mode, a, b, Ordering::Greater)
}

/// `min(min(a, b), c)`.
#[must_use]
pub fn min3(format: Format, mode: FloatMode, a: u64, b: u64, c: u64) -> u64 {
    min(format, mode, min(format, mode, a, b), c)
}

/// `max(max(a, b), c)`.
#[must_use]
pub fn max3(format: Format, mode: FloatMode, a: u64, b: u64, c: u64) -> u64 {
    max(format, mode, max(format, mode, a, b), c)
}

/// `max(min(a, b), c)`.
#[must_use]
pub fn minmax(format: Format, mode: FloatMode, a: u64, b: u64, c: u64) -> u64 {
    max(format, mode, min(format, mode, a, b), c)
}

/// `min(max(a, b), c)`.
#[must_use]
pub fn maxmin(format: Format, mode: FloatMode, a: u64, b: u64, c: u64) -> u64 {
    min(format, mode, max(format, mode, a, b), c)
}

/// The middle of three numbers; their minimum if one is a NaN.
#[must_use]
pub fn med3(format: Format, mode: FloatMode, a: u64, b: u64, c: u64) -> u64 {
    if [a, b, c].iter().any(|bits| format.is_nan(*bits)) {
        return min3(format, mode, a, b, c);
    }
    let [a, b, c] = [a, b, c].map(|bits| mode.input(format, bits));
    let largest = max3(format, mode, a, b, c);
    let equal = |x: u64| compare(format, mode, x, largest) == Some(Ordering::Equal);
    if equal(a) {
        max(format, mode, b, c)
    } else if equal(b) {
        max(format, mode, a, c)
    } else {
        max(format, mode, a, b)
    }
}

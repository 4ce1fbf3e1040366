//! Functions of bit fields, bytes, and comparisons of 64 bits.

use crate::num;
use crate::primitive::functions::{map1, row_functions};
use crate::primitive::{Env, Primitive};
use crate::rows::{File, Row};

/// Compares numbers of 64 bits.
#[inline(always)]
fn compare_wide<R: Row>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16, f: impl Fn(u64, u64) -> bool) {
    env.units.run_rows::<R, _>(
        #[inline(always)]
        || {
            let [(a, x), (b, y)] =
                [p.args[0], p.args[1]].map(|at| (file.row(at).lanes(), file.row(at.wrapping_add(1)).lanes()));
            let wide = |low: u32, high: u32| u64::from(high) << 32 | u64::from(low);
            let row = R::from_fn(|lane| u32::from(f(wide(a[lane], x[lane]), wide(b[lane], y[lane]))));
            file.set_lanes(dst, env.mask, row);
        },
    );
}

row_functions! {
    eq_wide = compare_wide |a, b| a == b;
    ne_wide = compare_wide |a, b| a != b;
    lt_wide = compare_wide |a, b| a < b;
    le_wide = compare_wide |a, b| a <= b;
    gt_wide = compare_wide |a, b| a > b;
    ge_wide = compare_wide |a, b| a >= b;
    lt_wide_signed = compare_wide |a, b| (a as i64) < b as i64;
    le_wide_signed = compare_wide |a, b| a as i64 <= b as i64;
    gt_wide_signed = compare_wide |a, b| a as i64 > b as i64;
    ge_wide_signed = compare_wide |a, b| a as i64 >= b as i64;
    clz = map1 |a| a.leading_zeros();
}

/// Selects numbers of 64 bits.
pub(crate) fn select_wide<R: Row>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
    env.units.run_rows::<R, _>(
        #[inline(always)]
        || {
            let [condition, yes, no] = p.lanes(file);
            let [high_yes, high_no] = [p.args[1], p.args[2]].map(|at| file.row(at.wrapping_add(1)).lanes());
            let low = R::from_fn(|lane| if condition[lane] & 1 != 0 { yes[lane] } else { no[lane] });
            let high = R::from_fn(|lane| if condition[lane] & 1 != 0 { high_yes[lane] } else { high_no[lane] });
            file.set_lanes(dst, env.mask, low);
            file.set_lanes(dst.wrapping_add(1), env.mask, high);
        },
    );
}

/// Cuts fields out of dwords. Offset and width are below 32, and those of lane 0 if `U` is set. A field ends with the dword.
#[inline(always)]
fn field<R: Row, const U: bool>(
    file: &mut File<R>,
    p: &Primitive<R>,
    env: &Env,
    dst: u16,
    f: impl Fn(u32, u32, u32) -> u32,
) {
    env.units.run_rows::<R, _>(
        #[inline(always)]
        || {
            let [a, offsets, widths] = p.lanes(file);
            let (offset, width) = (offsets[0] & 31, widths[0] & 31);
            let row = R::from_fn(|lane| {
                let (offset, width) = if U { (offset, width) } else { (offsets[lane] & 31, widths[lane] & 31) };
                f(a[lane], offset, width)
            });
            file.set_lanes(dst, env.mask, row);
        },
    );
}

pub(crate) fn bfe_unsigned<R: Row, const U: bool>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
    field::<R, U>(file, p, env, dst, |a, offset, width| a >> offset & ((1 << width) - 1));
}

pub(crate) fn bfe_signed<R: Row, const U: bool>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
    if !U {
        return field::<R, U>(file, p, env, dst, |a, offset, width| num::bfe_i32(a as i32, offset, width) as u32);
    }
    field::<R, U>(file, p, env, dst, |a, offset, width| {
        // The sign of the field, or of the dword if the field does not fit.
        let kept = if offset + width < 32 { width } else { 32 - offset };
        if width == 0 { 0 } else { ((a << (32 - kept - offset)) as i32 >> (32 - kept)) as u32 }
    });
}

/// Picks bytes of two dwords by a selector, which is that of lane 0 if `U` is set.
pub(crate) fn byte_perm<R: Row, const U: bool>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
    env.units.run_rows::<R, _>(
        #[inline(always)]
        || select_bytes::<R, U>(file, p, env, dst),
    );
}

#[inline(always)]
fn select_bytes<R: Row, const U: bool>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
    let [low, selectors] = [p.args[0], p.args[1]].map(|at| file.row(at).lanes());
    let high = file.row(p.args[0].wrapping_add(1)).lanes();
    let selector = selectors[0];
    if !U || selector.to_le_bytes().iter().any(|byte| (8..12).contains(byte)) {
        let row = R::from_fn(|lane| num::byte_perm(high[lane], low[lane], selectors[lane]));
        return file.set_lanes(dst, env.mask, row);
    }
    // Each byte is a byte of one of the dwords, 0 or 0xFF: shifts by the same counts in all lanes.
    let mut row = R::ZERO;
    for (at, byte) in (0..).zip(selector.to_le_bytes()) {
        let source = if byte < 4 { low } else { high };
        let (shift, and, or) = match byte {
            0..8 => (u32::from(byte & 3) * 8, 0xFF, 0),
            12 => (0, 0, 0),
            _ => (0, 0, 0xFF),
        };
        row = R::from_fn(|lane| row.lanes()[lane] | (source[lane] >> shift & and | or) << (8 * at));
    }
    file.set_lanes(dst, env.mask, row);
}

//! Functions of bit fields, bytes, and comparisons of 64 bits.

use crate::primitive::functions::{map1, row_functions};
use crate::primitive::{Env, Primitive};
use crate::rows::{File, Row};
use crate::units::Unit;

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

/// Cuts fields out of dwords. Offset and width are the lowest five bits of rows, those of lane 0 if `U` is set. A field ends with the dword.
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
    field::<R, U>(file, p, env, dst, |a, offset, width| {
        // The sign of the field, or of the dword if the field does not fit.
        let kept = width.min(32 - offset);
        // Without a branch: a field of no bits is shifted by other counts, and left out.
        let shifted = (a.wrapping_shl(32 - kept - offset) as i32).wrapping_shr(32 - kept) as u32;
        if width == 0 { 0 } else { shifted }
    });
}

/// Picks bytes of a number of 64 bits by a selector, which is that of lane 0 if `U` is set.
pub(crate) fn byte_perm<R: Row, const U: bool>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
    pick_bytes::<R, U>(file, [p.args[0], p.args[0].wrapping_add(1), p.args[1]], env, dst);
}

/// The same of a number whose dwords are two arguments.
pub(crate) fn bytes_of_two<R: Row, const U: bool>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
    pick_bytes::<R, U>(file, p.args, env, dst);
}

/// Picks bytes of the rows of a low and of a high dword by a row of selectors.
#[inline(always)]
fn pick_bytes<R: Row, const U: bool>(file: &mut File<R>, args: [u16; 3], env: &Env, dst: u16) {
    if U || !try_select_bytes(file, args, env, dst) {
        env.units.run_rows::<R, _>(
            #[inline(always)]
            || select_bytes::<R, U>(file, args, env, dst),
        );
    }
}

/// Picks bytes by the host's instruction; false, and nothing is stored, if it has none.
#[inline(always)]
fn try_select_bytes<R: Row>(file: &mut File<R>, args: [u16; 3], env: &Env, dst: u16) -> bool {
    let done = env.units.run_fused(
        #[inline(always)]
        |unit| {
            let [Some(low), Some(high), Some(selectors)] = args.map(|at| file.row(at).wide()) else { return false };
            let Some(row) = unit.select_bytes(low, high, selectors).and_then(R::from_wide) else { return false };
            file.set_lanes(dst, env.mask, row);
            true
        },
    );
    done == Some(true)
}

#[inline(always)]
fn select_bytes<R: Row, const U: bool>(file: &mut File<R>, args: [u16; 3], env: &Env, dst: u16) {
    let [low, high, selectors] = args.map(|at| file.row(at).lanes());
    let selector = selectors[0];
    if !U || selector.to_le_bytes().iter().any(|byte| (8..12).contains(byte)) {
        let row = selected_bytes(low, high, selectors);
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

/// The bytes of two rows that selectors name, as [`num::byte_perm`] has them. Each source is compared with all selectors: in bytes, of
/// which vectors have many, and without shifts by different counts, which the baseline has not.
#[inline(always)]
fn selected_bytes<R: Row>(low: &[u32], high: &[u32], selectors: &[u32]) -> R {
    let mut row = R::ZERO;
    for number in 0..8 {
        let (source, shift) = (if number < 4 { low } else { high }, u32::from(number & 3) * 8);
        let bytes = R::from_fn(
            #[inline(always)]
            |lane| (source[lane] >> shift & 0xFF) * 0x0101_0101,
        );
        add_selected(&mut row, &bytes, selectors, number, 1);
    }
    if selectors.iter().fold(0, |all, selector| all | selector) & 0xF8F8_F8F8 != 0 {
        for number in 8..12 {
            let (source, shift) = (if number < 10 { low } else { high }, if number & 1 == 0 { 16 } else { 0 });
            let signs = R::from_fn(
                #[inline(always)]
                |lane| ((source[lane] << shift) as i32 >> 31) as u32,
            );
            add_selected(&mut row, &signs, selectors, number, 1);
        }
        add_selected(&mut row, &R::from_fn(|_| u32::MAX), selectors, 13, u8::MAX - 12);
    }
    row
}

/// Adds bytes where the selector is one of `count` numbers from `first` on.
#[inline(always)]
fn add_selected<R: Row>(row: &mut R, bytes: &R, selectors: &[u32], first: u8, count: u8) {
    let row: &mut [u8] = bytemuck::cast_slice_mut(row.lanes_mut());
    let (bytes, selectors): (&[u8], &[u8]) = (bytemuck::cast_slice(bytes.lanes()), bytemuck::cast_slice(selectors));
    for ((to, byte), selector) in row.iter_mut().zip(bytes).zip(selectors) {
        *to |= if selector.wrapping_sub(first) < count { *byte } else { 0 };
    }
}

#[cfg(test)]
mod tests {
    use std::boxed::Box;

    use isa_runtime::body::{Builtin, Class, Type};

    use super::*;
    use crate::num;
    use crate::num::Mode;
    use crate::operation::{Argument, Modes, Operation, OperationKind};
    use crate::rows::Wide;
    use crate::units::Units;

    #[test]
    fn every_selector_takes_its_byte() {
        let ty = |class, bits, lanes| Type::new(class, bits, lanes);
        let args =
            [Argument { row: 0, ty: ty(Class::Bits, 64, 1) }, Argument { row: 2, ty: ty(Class::Unsigned, 8, 4) }];
        let dword = |row| Argument { row, ty: ty(Class::Bits, 32, 1) };
        let kinds: [(OperationKind, Box<[Argument]>); 2] = [
            (OperationKind::Call(Builtin::BytePerm), Box::new(args)),
            (OperationKind::BytesOfTwo, Box::new([dword(0), dword(1), args[1]])),
        ];
        let primitives =
            kinds.map(|(kind, args)| Primitive::<Wide>::new(Operation { kind, ty: ty(Class::Bits, 32, 1), args }, 3));
        for first in (0..=u8::MAX).step_by(32) {
            for at in 0..4 {
                let mut file = File::<Wide>::new(4);
                for lane in 0..32u8 {
                    // The other selectors are below 8 in some rows, and differ in lanes.
                    let mut selectors = [lane % 8, lane / 8, lane % 4, if first == 0 { 7 } else { lane % 14 }];
                    selectors[at] = first + lane;
                    file.set(0, lane.into(), 0x8371_F205 ^ u32::from(lane) << 3);
                    file.set(1, lane.into(), 0x16E4_9B08_u32.rotate_left(lane.into()));
                    file.set(2, lane.into(), u32::from_le_bytes(selectors));
                }
                for (units, primitive) in Units::all().flat_map(|units| primitives.iter().map(move |p| (units, p))) {
                    let mut found = file.clone();
                    let env = Env { modes: Modes::new(Mode::DEFAULT), units, mask: u32::MAX };
                    (primitive.run)(&mut found, primitive, &env, 3);
                    for lane in 0..32 {
                        let right = num::byte_perm(file.get(1, lane), file.get(0, lane), file.get(2, lane));
                        assert_eq!(found.get(3, lane), right, "{:x}, {}", file.get(2, lane), units.name());
                    }
                }
            }
        }
    }
}

//! Signs of floats of 16 and 64 bits.

use crate::primitive::functions::{map1, row_functions};
use crate::primitive::{Env, Primitive};
use crate::rows::{File, Row};

/// Changes the high dwords of numbers of 64 bits.
#[inline(always)]
fn map_high<R: Row>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16, f: impl Fn(u32) -> u32) {
    env.units.run_rows::<R, _>(
        #[inline(always)]
        || {
            let (low, high) = (*file.row(p.args[0]), file.row(p.args[0].wrapping_add(1)).lanes());
            let high = R::from_fn(|lane| f(high[lane]));
            file.set_lanes(dst, env.mask, low);
            file.set_lanes(dst.wrapping_add(1), env.mask, high);
        },
    );
}

row_functions! {
    negate_half = map1 |a| a & 0xFFFF ^ 0x8000;
    abs_half = map1 |a| a & 0x7FFF;
    negate_double = map_high |a| a ^ 0x8000_0000;
    abs_double = map_high |a| a & 0x7FFF_FFFF;
}

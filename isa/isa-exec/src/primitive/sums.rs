//! Dot products of integers of 8 and 4 bits, and sums of differences of bytes.
//!
//! The functions of [`function`] use all bits of their arguments.

use isa_runtime::body::{Builtin, Class, Type};

use crate::num::fast16::mask;
use crate::operation::{Operation, OperationKind};
use crate::primitive::functions::{map2, map3, row_functions};
use crate::primitive::lanes::Bits;
use crate::primitive::shorts::{split, unite};
use crate::primitive::{Env, Function, Primitive};
use crate::rows::{File, LANES, Row, Wide};

/// The function for a sum of products or differences, if it has one.
pub(crate) fn function<R: Row>(operation: &Operation) -> Option<Function<R>> {
    let OperationKind::Call(builtin) = operation.kind else { return None };
    let arg = |n: usize| operation.args.get(n).map(|arg| arg.ty);
    let (ty, first) = (operation.ty, arg(0)?);
    let is_like = |a: Type, b: Type| (a.bits(), a.lanes()) == (b.bits(), b.lanes());
    let is = |bits, lanes| {
        arg(1) == Some(first) && ty.bits() == 32 && ty.lanes() == 1 && (first.bits(), first.lanes()) == (bits, lanes)
    };
    Some(match builtin {
        Builtin::Dot | Builtin::DotSigned if is_like(arg(1)?, first) && first.total_bits() == 32 => {
            dot(first, arg(2)?, ty, operation.args.len())?
        }
        Builtin::Sad if is(8, 4) => sad_bytes::<R>,
        Builtin::Msad if is(8, 4) => msad_bytes::<R>,
        Builtin::Sad if is(16, 2) => sad_shorts::<R>,
        Builtin::Sad if is(32, 1) => sad::<R>,
        Builtin::Lerp if first.total_bits() == 32 => lerp::<R>,
        Builtin::SetByte if ty.total_bits() == 32 => set_byte::<R>,
        _ => return None,
    })
}

/// A dot product, by the types of the elements, of the number that is added, and of the sum.
fn dot<R: Row>(elements: Type, addend: Type, ty: Type, args: usize) -> Option<Function<R>> {
    let is_number = |ty: Type| matches!(ty.class(), Class::Signed | Class::Unsigned) && ty.lanes() == 1;
    if !is_number(addend) || !is_number(ty) || addend.bits() != 32 || args != 3 && args != 5 {
        return None;
    }
    Some(match (elements.bits(), ty.bits()) {
        (8, 32) => dot_product::<R, 8, false>,
        (4, 32) => dot_product::<R, 4, false>,
        (8, 64) => dot_product::<R, 8, true>,
        (4, 64) => dot_product::<R, 4, true>,
        _ => return None,
    })
}

/// Adds the products of elements of `BITS` bits; `WIDE`: to a sum of 64 bits.
fn dot_product<R: Row, const BITS: u32, const WIDE: bool>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
    // The row of a flag for the sign, or else the sign bit that all lanes have.
    let sign = |n: usize| match (p.operation.args.get(n + 3), p.operation.args.get(n)) {
        (Some(flag), _) => (flag.row, 0),
        (None, Some(arg)) if arg.ty.class() == Class::Signed => (p.args[0], top::<BITS>()),
        _ => (p.args[0], 0),
    };
    let has_flags = p.operation.args.len() == 5;
    let is_signed = p.operation.args.get(2).is_some_and(|arg| arg.ty.class() == Class::Signed);
    env.units.run_rows::<R, _>(
        #[inline(always)]
        || {
            let [a, b, c] = p.rows(file);
            let [(flags_a, sign_a), (flags_b, sign_b)] = [sign(0), sign(1)].map(|(row, bit)| (file.row(row), bit));
            let flag = |flags: &R, lane: usize| if has_flags { (flags.lanes()[lane] & 1) << (BITS - 1) } else { 0 };
            let signs = [
                R::from_fn(
                    #[inline(always)]
                    |lane| sign_a | flag(flags_a, lane),
                ),
                R::from_fn(
                    #[inline(always)]
                    |lane| sign_b | flag(flags_b, lane),
                ),
            ];
            let products = products::<R, BITS>([a, b], [&signs[0], &signs[1]]);
            let mut sums = u64::rows::<R>();
            for (lane, &c) in c.lanes().iter().enumerate() {
                let sum = products.lanes()[lane] as i32;
                let low = c.wrapping_add(sum as u32);
                let extension = if is_signed { (c as i32 >> 31) as u32 } else { 0 };
                let carry = mask(low < c);
                let high = ((sum >> 31) as u32).wrapping_add(extension).wrapping_sub(carry);
                u64::set(&mut sums, lane, u64::from(high) << 32 | u64::from(low));
            }
            if WIDE {
                u64::store(file, dst, env.mask, &sums);
            } else {
                file.set_lanes(dst, env.mask, sums[0]);
            }
        },
    );
}

/// The highest bit of an element.
const fn top<const BITS: u32>() -> u32 {
    1 << (BITS - 1)
}

/// The sums of the products of elements with `BITS` bits, in 32 bits. The highest bit of each element is a sign if it is set in `signs`.
#[inline(always)]
fn products<R: Row, const BITS: u32>([a, b]: [&R; 2], [sign_a, sign_b]: [&R; 2]) -> R {
    if BITS == 4
        && let (Some(a), Some(b), Some(sign_a), Some(sign_b)) = (a.wide(), b.wide(), sign_a.wide(), sign_b.wide())
        && let Some(sums) = R::from_wide(products_of_nibbles([a, b], [sign_a, sign_b]))
    {
        return sums;
    }
    let ([a, b], [sign_a, sign_b]) = ([a.lanes(), b.lanes()], [sign_a.lanes(), sign_b.lanes()]);
    R::from_fn(
        #[inline(always)]
        |lane| {
            let mut sum = 0i32;
            for at in 0..32 / BITS {
                let element = |bits: u32, sign: u32| {
                    // The mask tells the compiler that elements have at most 16 bits, which are cheaper to multiply.
                    let sign = sign & top::<BITS>();
                    let element = bits >> (at * BITS) & ((1 << BITS) - 1);
                    (element ^ sign).wrapping_sub(sign) as i32
                };
                sum += element(a[lane], sign_a[lane]) * element(b[lane], sign_b[lane]);
            }
            sum as u32
        },
    )
}

/// [`products`] of 4 bits: halves of dwords hold four of them, and vectors have twice as many lanes of halves.
#[inline(always)]
fn products_of_nibbles([a, b]: [&Wide; 2], [sign_a, sign_b]: [&Wide; 2]) -> Wide {
    let of_both = |sign: &Wide| {
        let mut both = Wide([0; LANES]);
        for lane in 0..LANES {
            both.0[lane] = sign.0[lane] | sign.0[lane] << 16;
        }
        split(&both)
    };
    let (a, b, sign_a, sign_b) = (split(a), split(b), of_both(sign_a), of_both(sign_b));
    let mut sums = [0u16; 2 * LANES];
    for half in 0..2 * LANES {
        for shift in [0, 4, 8, 12] {
            let element = |bits: u16, sign: u16| ((bits >> shift & 15) ^ sign).wrapping_sub(sign);
            let product = element(a[half], sign_a[half]).wrapping_mul(element(b[half], sign_b[half]));
            sums[half] = sums[half].wrapping_add(product);
        }
    }
    let mut sums = unite(&sums);
    for lane in &mut sums.0 {
        *lane = ((*lane as i16 as i32) + (*lane as i32 >> 16)) as u32;
    }
    sums
}

/// The absolute difference of two numbers below 2^16.
#[inline(always)]
const fn difference(a: u32, b: u32) -> u32 {
    (a as i32 - b as i32).unsigned_abs()
}

/// The sum of the absolute differences of bytes; `MASKED`: without those that are 0 in the second dword.
#[inline(always)]
fn differences<const MASKED: bool>(a: u32, b: u32) -> u32 {
    let mut sum = 0;
    for shift in [0, 8, 16, 24] {
        let (x, y) = (a >> shift & 0xFF, b >> shift & 0xFF);
        sum += difference(x, y) & if MASKED { mask(y != 0) } else { u32::MAX };
    }
    sum
}

row_functions! {
    sad_bytes = map2 |a, b| differences::<false>(a, b);
    msad_bytes = map2 |a, b| differences::<true>(a, b);
    sad_shorts = map2 |a, b| difference(a & 0xFFFF, b & 0xFFFF) + difference(a >> 16, b >> 16);
    sad = map2 |a, b| a.abs_diff(b);
    // The sum of two bits is twice those that both have and those that one has.
    lerp = map3 |a, b, c| (a & b) + ((a ^ b) >> 1 & 0x7F7F_7F7F) + ((a ^ b) & c & 0x0101_0101);
    set_byte = map3 |a, b, c| {
        let shift = (b & 3) * 8;
        a & !(0xFF << shift) | (c & 0xFF) << shift
    };
}

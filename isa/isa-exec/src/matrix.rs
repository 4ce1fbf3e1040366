//! Matrix products of the registers of all lanes (guide §7.9).
//!
//! The first matrix has a row in each of lanes 0 to 15, the second a column, in consecutive elements of consecutive
//! registers. The third and the result have element (row, column) in lane `column + 16 * (row % n)` of register `row / n`,
//! where `n` is 2 in a wave of 32 lanes and 4 in one of 64.

use isa_runtime::body::{Class, Type};

use crate::num::{self, FloatMode, Format};
use crate::operation::{Argument, extended, format};
use crate::step::Matrix;
use crate::wave::Wave;

/// The order of the matrices.
const N: usize = 16;

/// The size of an element of the third matrix and the result in its register: 32 bits, or 16 in one half.
struct Accumulator {
    ty: Type,
    /// The half that holds 16-bit elements.
    high: bool,
}

/// One element of the first or the second matrix.
fn element(wave: &Wave, arg: &Argument, lane: usize, at: usize) -> u64 {
    let bits = usize::from(arg.ty.bits()).max(1);
    let dword = wave.vgpr(arg.row.saturating_add((at * bits / 32) as u16), lane);
    u64::from(dword >> (at * bits % 32)) & ((1 << bits) - 1)
}

/// Where element (row, column) of the third matrix is: the register and the lane.
fn place(wave: &Wave, row: usize, column: usize) -> (u16, usize) {
    let groups = wave.lanes() / N;
    ((row / groups) as u16, column + N * (row % groups))
}

impl Matrix {
    /// Computes the product.
    pub(crate) fn run(&self, wave: &mut Wave) {
        let accumulator = Accumulator { ty: Type::new(self.ty.class(), self.ty.bits(), 1), high: self.high };
        let mut result = [[0u32; N]; N];
        for (row, values) in result.iter_mut().enumerate() {
            for (column, value) in values.iter_mut().enumerate() {
                *value = self.product(wave, &accumulator, row, column);
            }
        }
        for (row, values) in result.iter().enumerate() {
            for (column, value) in values.iter().enumerate() {
                let (register, lane) = place(wave, row, column);
                let to = self.dst.saturating_add(register);
                let old = wave.vgpr(self.args[2].row.saturating_add(register), lane);
                let kept = self.destination.map_or(old, |first| wave.vgpr(first.saturating_add(register), lane));
                let value = match (accumulator.ty.bits(), accumulator.high) {
                    (16, false) => kept & 0xFFFF_0000 | value & 0xFFFF,
                    (16, true) => kept & 0xFFFF | value << 16,
                    _ => *value,
                };
                wave.set_vgpr(to, lane, value);
            }
        }
    }

    /// One element of the result.
    fn product(&self, wave: &Wave, accumulator: &Accumulator, row: usize, column: usize) -> u32 {
        let [a, b, c] = &self.args;
        let (register, lane) = place(wave, row, column);
        let addend = wave.vgpr(c.row.saturating_add(register), lane);
        let addend = match (accumulator.ty.bits(), accumulator.high) {
            (16, false) => addend & 0xFFFF,
            (16, true) => addend >> 16,
            _ => addend,
        };
        let terms = (0..N).map(|k| (element(wave, a, row, k), element(wave, b, column, k)));
        match (format(accumulator.ty), format(a.ty)) {
            (Some(to), Some(from)) => {
                // Sums are of f32, rounded to nearest at each step, and once more to a narrower result.
                let mode = FloatMode::IEEE;
                let wide = |bits, from| num::convert(from, mode, Format::F32, mode, bits);
                let sum = terms.fold(wide(addend.into(), to), |sum, (a, b)| {
                    num::fma(Format::F32, mode, wide(a, from), wide(b, from), sum)
                });
                num::convert(Format::F32, mode, to, mode, sum) as u32
            }
            _ => {
                let signed = |n: usize, ty: Type| match self.signed.get(n).copied().flatten() {
                    Some(true) => Type::new(Class::Signed, ty.bits(), 1),
                    Some(false) => Type::new(Class::Unsigned, ty.bits(), 1),
                    None => Type::new(ty.class(), ty.bits(), 1),
                };
                let (of_a, of_b) = (signed(0, a.ty), signed(1, b.ty));
                let sum = terms.fold(i64::from(addend as i32), |sum, (a, b)| {
                    sum + (extended(a.into(), of_a) * extended(b.into(), of_b)) as i64
                });
                if self.saturates { sum.clamp(i32::MIN.into(), i32::MAX.into()) as u32 } else { sum as u32 }
            }
        }
    }
}

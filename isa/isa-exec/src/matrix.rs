//! Matrix products of the registers of all lanes (guide §7.9).
//!
//! The first matrix has a row in each of lanes 0 to 15, the second a column, in consecutive elements of consecutive
//! registers. The third and the result have element (row, column) in lane `column + 16 * (row % n)` of register `row / n`,
//! where `n` is 2 in a wave of 32 lanes and 4 in one of 64.
//!
//! [`Matrix::definition`] defines an element of the result. [`Matrix::fast`] computes all elements in f32, row by row, and
//! gives the same bits.

#[cfg(test)]
mod tests;

use isa_runtime::body::{Class, Type};

use crate::num::fast16::{bf16_to_f32, f16_to_f32, f32_to_bf16, f32_to_f16};
use crate::num::{self, FloatMode, Format};
use crate::operation::{Argument, element_type, extended, format, low_bits};
use crate::rows::{File, Wide};
use crate::step::Matrix;
use crate::units::Units;

/// The order of the matrices.
const N: usize = 16;

/// A matrix in rows. The first factor is in columns, as the second is in rows: element `k` of either holds the factors of
/// the terms `k` of all sums.
type Square<T> = [[T; N]; N];

/// One element of the first or the second matrix.
fn element(file: &File<Wide>, arg: &Argument, lane: usize, at: usize) -> u64 {
    let bits = usize::from(arg.ty.bits()).max(1);
    let dword = file.get(arg.row.saturating_add((at * bits / 32) as u16), lane);
    low_bits((dword >> (at * bits % 32)).into(), bits as u32) as u64
}

/// Adds the product of two matrices to `sums`, one term of each sum after the other, with a function for `a * b + sum`.
///
/// A row of sums stays in vector registers.
#[inline(always)]
fn accumulate(a: &Square<f32>, b: &Square<f32>, sums: &mut Square<f32>, fma: impl Fn(f32, f32, f32) -> f32) {
    for (row, sums) in sums.iter_mut().enumerate() {
        let mut sum = *sums;
        for (a, b) in a.iter().zip(b) {
            for (sum, b) in sum.iter_mut().zip(b) {
                *sum = fma(a[row], *b, *sum);
            }
        }
        *sums = sum;
    }
}

/// The least exponent of the numbers that are not zero, and the greatest, as f32 stores them.
#[inline(always)]
fn exponents(matrix: &Square<f32>) -> [i32; 2] {
    const MASK: i32 = 0x7FFF_FFFF;
    let (mut least, mut greatest) = (MASK, 0);
    for value in matrix.as_flattened() {
        let magnitude = value.to_bits() as i32 & MASK;
        least = least.min(if magnitude == 0 { MASK } else { magnitude });
        greatest = greatest.max(magnitude);
    }
    [least >> 23, greatest >> 23]
}

/// Whether all products of elements of two matrices of bf16 are zeros or normal numbers of f32, and so exact. A denormal
/// product may be exact too, but takes the host 150 cycles.
#[inline(always)]
fn have_normal_products(a: &Square<f32>, b: &Square<f32>) -> bool {
    let ([least_a, greatest_a], [least_b, greatest_b]) = (exponents(a), exponents(b));
    // The exponent of a product is the sum of the exponents, or one more.
    least_a + least_b - 127 >= 1 && greatest_a + greatest_b - 127 <= 253
}

/// The first or the second matrix, each element converted.
#[inline(always)]
fn factor(file: &File<Wide>, arg: &Argument, convert: impl Fn(u32) -> f32) -> Square<f32> {
    let bits = usize::from(arg.ty.bits()).clamp(1, 31);
    let mut matrix = [[0.0; N]; N];
    for (k, elements) in matrix.iter_mut().enumerate() {
        let dwords = &file.row(arg.row.saturating_add((k * bits / 32) as u16)).0;
        for (element, dword) in elements.iter_mut().zip(dwords) {
            *element = convert(dword >> (k * bits % 32) & ((1 << bits) - 1));
        }
    }
    matrix
}

/// Applies a function to all elements.
#[inline(always)]
fn map<T: Copy, U: Copy + Default>(matrix: &Square<T>, f: impl Fn(T) -> U) -> Square<U> {
    let mut result = [[U::default(); N]; N];
    for (to, from) in result.as_flattened_mut().iter_mut().zip(matrix.as_flattened()) {
        *to = f(*from);
    }
    result
}

impl Matrix {
    /// Computes the product from the registers of a wave, a file for each 32 lanes.
    pub(crate) fn run(&self, files: &mut [File<Wide>], units: Units) {
        let Some(file) = files.first() else { return };
        let addends = self.addends(files);
        let fast = units.run(
            #[inline(always)]
            || self.fast(file, &addends),
        );
        let result = fast.unwrap_or_else(|| {
            let mut result = [[0; N]; N];
            for (at, value) in result.as_flattened_mut().iter_mut().enumerate() {
                *value = self.definition(file, &addends, at / N, at % N);
            }
            result
        });
        self.write(files, &result);
    }

    /// Computes which bits of the result are undefined, if the files hold undefined bits, and masks say which rows of the first matrix
    /// and which columns of the second have any.
    pub(crate) fn shadow(&self, files: &mut [File<Wide>], rows: u32, columns: u32) {
        let mut result = self.addends(files);
        for (row, elements) in result.iter_mut().enumerate() {
            for (column, element) in elements.iter_mut().enumerate() {
                let is_undefined = *element != 0 || (rows >> row | columns >> column) & 1 != 0;
                *element = if is_undefined { u32::MAX } else { 0 };
            }
        }
        self.write(files, &result);
    }

    /// The type of an element of the third matrix and the result. One of 16 bits is in a half of its register.
    fn accumulator(&self) -> Type {
        element_type(self.ty)
    }

    /// The third matrix.
    fn addends(&self, files: &[File<Wide>]) -> Square<u32> {
        let shift = if self.accumulator().bits() == 16 && self.high { 16 } else { 0 };
        let mask = if self.accumulator().bits() == 16 { 0xFFFF } else { u32::MAX };
        let mut matrix = [[0; N]; N];
        let registers = matrix.chunks_mut(2 * files.len().max(1));
        for (n, rows) in (0..).zip(registers) {
            let register = self.args[2].row.saturating_add(n);
            let halves = files.iter().flat_map(|file| file.row(register).0.as_chunks::<N>().0);
            for (row, half) in rows.iter_mut().zip(halves) {
                *row = half.map(|dword| dword >> shift & mask);
            }
        }
        matrix
    }

    /// Writes the result.
    fn write(&self, files: &mut [File<Wide>], result: &Square<u32>) {
        let (kept, shift) = match (self.accumulator().bits(), self.high) {
            (16, false) => (0xFFFF_0000, 0),
            (16, true) => (0xFFFF, 16),
            _ => (0, 0),
        };
        let others = self.destination.unwrap_or(self.args[2].row);
        let registers = result.chunks(2 * files.len().max(1));
        for (n, rows) in (0..).zip(registers) {
            for (file, rows) in files.iter_mut().zip(rows.chunks(2)) {
                let mut to = *file.row(others.saturating_add(n));
                for (dword, value) in to.0.iter_mut().zip(rows.as_flattened()) {
                    *dword = *dword & kept | (value << shift) & !kept;
                }
                file.set_row(self.dst.saturating_add(n), to);
            }
        }
    }

    /// The type of an element of the first or the second matrix, with the sign that the instruction says.
    fn element_type(&self, n: usize) -> Type {
        let ty = element_type(self.args[n].ty);
        match self.signed.get(n).copied().flatten() {
            Some(true) => Type::new(Class::Signed, ty.bits(), 1),
            Some(false) => Type::new(Class::Unsigned, ty.bits(), 1),
            None => ty,
        }
    }

    /// One element of the result.
    #[cold]
    fn definition(&self, file: &File<Wide>, addends: &Square<u32>, row: usize, column: usize) -> u32 {
        let [a, b, _] = &self.args;
        let addend = addends[row][column];
        let terms = (0..N).map(|k| (element(file, a, row, k), element(file, b, column, k)));
        match (format(self.accumulator()), format(a.ty)) {
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
                let (of_a, of_b) = (self.element_type(0), self.element_type(1));
                let sum = terms.fold(i64::from(addend as i32), |sum, (a, b)| {
                    sum + (extended(a.into(), of_a) * extended(b.into(), of_b)) as i64
                });
                if self.saturates { sum.clamp(i32::MIN.into(), i32::MAX.into()) as u32 } else { sum as u32 }
            }
        }
    }

    /// The result; `None` unless the factors are f16, bf16 or integers of up to 8 bits.
    #[inline(always)]
    fn fast(&self, file: &File<Wide>, addends: &Square<u32>) -> Option<Square<u32>> {
        match (format(self.accumulator()), format(self.args[0].ty)) {
            (Some(to), Some(from)) => {
                let (mut result, sums) = self.floats(file, addends, to, from)?;
                // The sign and the payload of a NaN that the host computes are not defined. A disjunction is vectorised.
                let is_nan = |sum: &f32| u32::from(sum.to_bits() & 0x7FFF_FFFF > 0x7F80_0000);
                if sums.as_flattened().iter().fold(0, |any, sum| any | is_nan(sum)) != 0 {
                    for (at, value) in result.as_flattened_mut().iter_mut().enumerate() {
                        if sums.as_flattened()[at].is_nan() {
                            *value = self.definition(file, addends, at / N, at % N);
                        }
                    }
                }
                Some(result)
            }
            _ => self.integers(file, addends),
        }
    }

    /// The result and the sums that it was rounded from, in which NaNs are any NaNs.
    #[inline(always)]
    fn floats(
        &self,
        file: &File<Wide>,
        addends: &Square<u32>,
        to: Format,
        from: Format,
    ) -> Option<(Square<u32>, Square<f32>)> {
        let [a, b, _] = &self.args;
        if format(b.ty) != Some(from) {
            return None;
        }
        let (a, b) = match from {
            Format::F16 => (factor(file, a, f16_to_f32), factor(file, b, f16_to_f32)),
            Format::BF16 => (factor(file, a, bf16_to_f32), factor(file, b, bf16_to_f32)),
            _ => return None,
        };
        let mut sums = match to {
            Format::F32 => map(addends, f32::from_bits),
            Format::F16 => map(addends, f16_to_f32),
            Format::BF16 => map(addends, bf16_to_f32),
            Format::F64 => return None,
        };
        // f32 holds every product of f16: 22 bits between 2^-48 and 2^32. Rounding the sum is all that is left of a fused
        // multiply-add.
        if from == Format::F16 || have_normal_products(&a, &b) {
            accumulate(&a, &b, &mut sums, |a, b, sum| a * b + sum);
        } else {
            accumulate(&a, &b, &mut sums, |a, b, sum| {
                f32::from_bits(num::fma_nearest::<false, true>(a.to_bits(), b.to_bits(), sum.to_bits()))
            });
        }
        let result = match to {
            Format::F16 => map(&sums, f32_to_f16),
            Format::BF16 => map(&sums, f32_to_bf16),
            _ => map(&sums, f32::to_bits),
        };
        Some((result, sums))
    }

    /// The result of integers; `None` if they have more than 8 bits, or the result has not 32.
    #[inline(always)]
    fn integers(&self, file: &File<Wide>, addends: &Square<u32>) -> Option<Square<u32>> {
        /// The start of sums. They differ from it by less than 2^22, so that their last bit has a weight of 1.
        const ZERO: f32 = 12_582_912.0;
        let types = [self.element_type(0), self.element_type(1)];
        if self.accumulator().bits() != 32 || types.iter().any(|ty| !matches!(ty.bits(), 1..=8)) {
            return None;
        }
        let [a, b] = [0, 1].map(|n| {
            let sign = if types[n].class() == Class::Signed { 1 << (types[n].bits() - 1) } else { 0 };
            factor(file, &self.args[n], |bits| ((bits ^ sign) as i32).wrapping_sub(sign as i32) as f32)
        });
        let mut sums = [[ZERO; N]; N];
        accumulate(&a, &b, &mut sums, |a, b, sum| a * b + sum);
        let sums = map(&sums, |sum| sum.to_bits().wrapping_sub(ZERO.to_bits()) as i32);
        let mut result = *addends;
        for (to, sum) in result.as_flattened_mut().iter_mut().zip(sums.as_flattened()) {
            let addend = *to as i32;
            *to = if self.saturates { addend.saturating_add(*sum) } else { addend.wrapping_add(*sum) } as u32;
        }
        Some(result)
    }
}

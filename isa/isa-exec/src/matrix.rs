//! Matrix products of the registers of all lanes (guide of RDNA3 §7.9, guide of RDNA4 §7.12).
//!
//! [`layout`] says where elements are. [`Matrix::definition`] defines an element of the result. [`Matrix::fast`] computes all elements in
//! f32, row by row, and gives the same bits.

mod layout;
#[cfg(test)]
mod tests;

use isa_runtime::body::{Class, Type};

use crate::num::fast16::{bf16_to_f32, f16_to_f32, f32_to_bf16, f32_to_f16};
use crate::num::{self, FloatMode, Format};
use crate::operation::{extended, format, low_bits};
use crate::rows::{File, Row, Wide};
use crate::step::{Matrix, MatrixLayout};
use crate::units::{Baseline, Unit, Units};
use layout::ElementPlace;

/// The number of rows of the first matrix and the result, and of columns of the second and the result.
const N: usize = 16;

/// A matrix in rows.
type Square<T> = [[T; N]; N];

/// The first matrix in columns or the second in rows: element `k` of either holds the factors of the terms `k` of all sums.
type Factor<const K: usize> = [[f32; N]; K];

/// Adds the product of two matrices to `sums`, one term of each sum after the other, with a function for `a * b + sum`.
///
/// Two rows of sums stay in vector registers, as a row of lanes.
#[inline(always)]
fn accumulate<const K: usize>(a: &Factor<K>, b: &Factor<K>, sums: &mut Square<f32>, fma: impl Fn([&Wide; 3]) -> Wide) {
    let of_rows = |rows: [[f32; N]; 2]| Wide(bytemuck::cast(rows));
    for (at, sums) in sums.as_chunks_mut::<2>().0.iter_mut().enumerate() {
        let mut sum = of_rows(*sums);
        for (a, b) in a.iter().zip(b) {
            let factors = of_rows([[a[2 * at]; N], [a[2 * at + 1]; N]]);
            sum = fma([&factors, &of_rows([*b; 2]), &sum]);
        }
        *sums = bytemuck::cast(sum.0);
    }
}

/// Adds the product of two matrices to `sums` by the host's instruction for fused multiply-add. A host without one multiplies and adds if
/// products `are_exact`: then only the sum is rounded.
#[inline(always)]
fn accumulate_by<U: Unit, const K: usize>(
    unit: U,
    a: &Factor<K>,
    b: &Factor<K>,
    sums: &mut Square<f32>,
    are_exact: impl FnOnce() -> bool,
) {
    if U::HAS_FMA || !are_exact() {
        return accumulate(
            a,
            b,
            sums,
            #[inline(always)]
            |abc| unit.fma_f32(abc),
        );
    }
    accumulate(
        a,
        b,
        sums,
        #[inline(always)]
        |[a, b, sum]| {
            Wide::from_fn(
                #[inline(always)]
                |n| (f32::from_bits(a.0[n]) * f32::from_bits(b.0[n]) + f32::from_bits(sum.0[n])).to_bits(),
            )
        },
    );
}

/// The least exponent of the numbers that are not zero, and the greatest, as f32 stores them.
#[inline(always)]
fn exponents(matrix: &[[f32; N]]) -> [i32; 2] {
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
fn have_normal_products(a: &[[f32; N]], b: &[[f32; N]]) -> bool {
    let ([least_a, greatest_a], [least_b, greatest_b]) = (exponents(a), exponents(b));
    // The exponent of a product is the sum of the exponents, or one more.
    least_a + least_b - 127 >= 1 && greatest_a + greatest_b - 127 <= 253
}

/// The dwords of 16 lanes that have the element `k` of a row or a column each.
#[inline(always)]
fn dwords(files: &[File<Wide>], first: u16, place: ElementPlace) -> &[u32; N] {
    let row = files
        .get(place.half)
        .map_or(const { &Wide([0; 2 * N]) }, |file| file.row(first.saturating_add(place.register)));
    let [low, high] = row.0.as_chunks::<N>().0 else { return &[0; N] };
    if place.group == 0 { low } else { high }
}

/// The factors that a sparse matrix has for the terms of all sums. Element `p` of `packed` is the element of each row that its index in
/// `indices` places among the columns from `p / 2 * 4` on: the first of two never in the last column, the second never in the first.
#[inline(always)]
fn expanded<const P: usize, const K: usize>(packed: &Factor<P>, indices: &[[u32; N]; P]) -> Factor<K> {
    let mut matrix = [[0.0; N]; K];
    let pairs = packed.as_chunks::<2>().0.iter().zip(indices.as_chunks::<2>().0);
    for (columns, (values, indices)) in matrix.chunks_mut(4).zip(pairs) {
        for (column, elements) in (0..).zip(columns) {
            for (row, element) in elements.iter_mut().enumerate() {
                let is_first = (column < 3) & (indices[0][row] == column);
                let is_second = (column > 0) & (indices[1][row] == column);
                let second = if is_second { values[1][row] } else { 0.0 };
                *element = if is_first { values[0][row] } else { second };
            }
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
        let is_done = units.run_fused(
            #[inline(always)]
            |unit| self.run_on(unit, files),
        );
        if is_done.is_none() {
            self.run_on(Baseline, files);
        }
    }

    /// Computes the product by one kind of units.
    #[inline(always)]
    fn run_on<U: Unit>(&self, unit: U, files: &mut [File<Wide>]) {
        let addends = self.addends(files);
        let result = self.fast(unit, files, &addends).unwrap_or_else(|| {
            let mut result = [[0; N]; N];
            for (at, value) in result.as_flattened_mut().iter_mut().enumerate() {
                *value = self.definition(files, &addends, at / N, at % N);
            }
            result
        });
        self.write(files, &result);
    }

    /// Computes which bits of the result are undefined, if the files hold undefined bits, and masks say which rows of the first matrix
    /// and which columns of the second have any.
    pub(crate) fn shadow(&self, files: &mut [File<Wide>], rows: u32, columns: u32) {
        let mut result = self.unsigned_addends(files);
        for (row, elements) in result.iter_mut().enumerate() {
            for (column, element) in elements.iter_mut().enumerate() {
                let is_undefined = *element != 0 || (rows >> row | columns >> column) & 1 != 0;
                *element = if is_undefined { u32::MAX } else { 0 };
            }
        }
        self.write(files, &result);
    }

    /// The type of an element of the third matrix and the result.
    fn accumulator(&self) -> Type {
        self.ty.element()
    }

    /// The third matrix, with the signs that the instruction gives it.
    #[inline(always)]
    fn addends(&self, files: &[File<Wide>]) -> Square<u32> {
        let mut matrix = self.unsigned_addends(files);
        let [negated, absolute] = self.signs.map(|signs| signs & 4 != 0);
        if negated || absolute {
            let sign = 1 << (u32::from(self.accumulator().bits()).clamp(1, 32) - 1);
            let (kept, flipped) = (if absolute { !sign } else { u32::MAX }, if negated { sign } else { 0 });
            matrix.as_flattened_mut().iter_mut().for_each(|element| *element = *element & kept ^ flipped);
        }
        matrix
    }

    /// The third matrix as the registers have it.
    #[inline(always)]
    fn unsigned_addends(&self, files: &[File<Wide>]) -> Square<u32> {
        let mut matrix = [[0; N]; N];
        let mask = if self.accumulator().bits() == 16 { 0xFFFF } else { u32::MAX };
        if self.layout == MatrixLayout::Split {
            for (row, elements) in matrix.iter_mut().enumerate() {
                let place = ElementPlace::of_result(self.ty, files.len(), row);
                for (element, dword) in elements.iter_mut().zip(dwords(files, self.args[2].row, place)) {
                    *element = dword >> place.shift & mask;
                }
            }
            return matrix;
        }
        // Element (row, column) is in lane `column + 16 * (row % n)` of register `row / n`, where `n` is 2 in a wave of 32 lanes and 4
        // in one of 64. One of 16 bits is in a half of its register.
        let shift = if self.accumulator().bits() == 16 && self.high { 16 } else { 0 };
        let registers = matrix.chunks_mut(2 * files.len().max(1));
        for (n, rows) in (0..).zip(registers) {
            let register = self.args[2].row.saturating_add(n);
            for (rows, file) in rows.as_chunks_mut::<2>().0.iter_mut().zip(files) {
                let row = file.row(register);
                let elements = Wide::from_fn(
                    #[inline(always)]
                    |lane| row.0[lane] >> shift & mask,
                );
                *rows = bytemuck::cast(elements.0);
            }
        }
        matrix
    }

    /// Writes the result.
    #[inline(always)]
    fn write(&self, files: &mut [File<Wide>], result: &Square<u32>) {
        if self.layout == MatrixLayout::Split {
            return self.write_split(files, result);
        }
        let (kept, shift) = match (self.accumulator().bits(), self.high) {
            (16, false) => (0xFFFF_0000, 0),
            (16, true) => (0xFFFF, 16),
            _ => (0, 0),
        };
        let others = self.destination.unwrap_or(self.args[2].row);
        let registers = result.chunks(2 * files.len().max(1));
        for (n, rows) in (0..).zip(registers) {
            for (file, rows) in files.iter_mut().zip(rows.as_chunks::<2>().0) {
                let (old, new): (&Wide, [u32; 2 * N]) = (file.row(others.saturating_add(n)), bytemuck::cast(*rows));
                let row = Wide::from_fn(
                    #[inline(always)]
                    |lane| old.0[lane] & kept | new[lane] << shift & !kept,
                );
                file.set_row(self.dst.saturating_add(n), row);
            }
        }
    }

    /// Writes the result, whose registers hold one element of 32 bits or two of 16 bits in each lane.
    #[inline(always)]
    fn write_split(&self, files: &mut [File<Wide>], result: &Square<u32>) {
        let halves = files.len();
        let mask = if self.accumulator().bits() == 16 { 0xFFFF } else { u32::MAX };
        let registers = ElementPlace::registers(self.ty, halves);
        let mut rows = [[Wide([0; 2 * N]); N / 2]; 2];
        for (row, elements) in result.iter().enumerate() {
            let place = ElementPlace::of_result(self.ty, halves, row);
            let Some(to) = rows.get_mut(place.half).and_then(|rows| rows.get_mut(usize::from(place.register))) else {
                continue;
            };
            for (dword, value) in to.0.iter_mut().skip(N * place.group).zip(elements) {
                *dword |= (value & mask) << place.shift;
            }
        }
        for (file, rows) in files.iter_mut().zip(rows) {
            for (n, row) in (0..registers).zip(rows) {
                file.set_row(self.dst.saturating_add(n), row);
            }
        }
    }

    /// How many columns the first matrix and rows the second have, without those that a sparse matrix leaves out.
    fn terms(&self) -> usize {
        match self.layout {
            MatrixLayout::Repeated => N,
            MatrixLayout::Split => 2 * usize::from(self.args[1].ty.lanes()),
        }
    }

    /// How many columns of the first matrix are in registers.
    fn columns(&self) -> usize {
        if self.index.is_some() { self.terms() / 2 } else { self.terms() }
    }

    /// Where the element `k` of rows of the first matrix or columns of the second is, whose type is `ty`.
    #[inline(always)]
    fn place(&self, ty: Type, halves: usize, k: usize) -> ElementPlace {
        match self.layout {
            MatrixLayout::Repeated => ElementPlace::of_repeated(ty, k),
            MatrixLayout::Split => ElementPlace::of_factor(ty, halves, k),
        }
    }

    /// How many registers an operand of a wave has.
    pub(crate) fn registers(&self, n: usize, halves: usize) -> u16 {
        let ty = self.args[n].ty;
        match self.layout {
            MatrixLayout::Repeated => crate::operation::dwords(ty),
            MatrixLayout::Split => ElementPlace::registers(ty, halves),
        }
    }

    /// The bit that an element of a factor has flipped: its sign, if the instruction negates it.
    #[inline(always)]
    fn flipped(&self, n: usize, k: usize) -> u32 {
        let negated = self.signs[k % 2] >> n & 1;
        u32::from(negated) << (self.args[n].ty.bits().clamp(1, 32) - 1)
    }

    /// The indices of the columns that the elements in registers have in the first matrix, in each group of four.
    fn indices<const P: usize>(&self, files: &[File<Wide>], row: u16, key: u8) -> [[u32; N]; P] {
        let mut indices = [[0; N]; P];
        let ty = self.args[0].ty;
        for (p, indices) in indices.iter_mut().enumerate() {
            let place = ElementPlace::of_index(ty, files.len(), p, key);
            *indices = dwords(files, row, place).map(|dword| dword >> place.shift & 3);
        }
        indices
    }

    /// Reads the first or the second matrix as it is in registers, each element of `BITS` bits, 4, 8 or 16, converted. Returning a matrix
    /// would copy it.
    #[inline(always)]
    fn read<const BITS: u16, const K: usize>(
        &self,
        files: &[File<Wide>],
        n: usize,
        convert: impl Fn(u32) -> f32,
        matrix: &mut Factor<K>,
    ) {
        let arg = &self.args[n];
        let ty = Type::new(arg.ty.class(), BITS, arg.ty.lanes());
        let flipped = [self.flipped(n, 0), self.flipped(n, 1)];
        // The elements of a dword follow each other.
        let count = usize::from(32 / BITS);
        for (at, elements) in matrix.chunks_exact_mut(count).enumerate() {
            let dwords = *dwords(files, arg.row, self.place(ty, files.len(), count * at));
            for (k, elements) in elements.iter_mut().enumerate() {
                let (shift, flipped) = (usize::from(BITS) * k, flipped[k % 2]);
                for (element, dword) in elements.iter_mut().zip(dwords) {
                    *element = convert(dword >> shift & ((1 << BITS) - 1) ^ flipped);
                }
            }
        }
    }

    /// Reads the first and the second matrix, each element converted. Elements of a sparse first one that are not in registers are zeros.
    #[inline(always)]
    fn read_both<const BITS: u16, const P: usize, const K: usize>(
        &self,
        files: &[File<Wide>],
        convert: [impl Fn(u32) -> f32; 2],
        [a, b]: [&mut Factor<K>; 2],
    ) {
        let [of_a, of_b] = convert;
        self.read::<BITS, K>(files, 1, of_b, b);
        let Some(index) = self.index else { return self.read::<BITS, K>(files, 0, of_a, a) };
        let mut packed = [[0.0; N]; P];
        self.read::<BITS, P>(files, 0, of_a, &mut packed);
        *a = expanded(&packed, &self.indices(files, index.row, index.key));
    }

    /// One element of the first (`n` = 0) or the second matrix: `k` of row or column `at`.
    fn element(&self, files: &[File<Wide>], n: usize, at: usize, k: usize) -> u64 {
        let bits = u32::from(self.args[n].ty.bits()).max(1);
        let stored = |k| {
            let place = self.place(self.args[n].ty, files.len(), k);
            let dword = dwords(files, self.args[n].row, place)[at % N];
            low_bits((dword >> place.shift).into(), bits) as u64 ^ u64::from(self.flipped(n, k))
        };
        let Some(index) = self.index.filter(|_| n == 0) else { return stored(k) };
        let column = |p| {
            let place = ElementPlace::of_index(self.args[0].ty, files.len(), p, index.key);
            dwords(files, index.row, place)[at % N] as usize >> place.shift & 3
        };
        let (first, within) = (k / 4 * 2, k % 4);
        if within < 3 && column(first) == within {
            stored(first)
        } else if within > 0 && column(first + 1) == within {
            stored(first + 1)
        } else {
            0
        }
    }

    /// The type of an element of the first or the second matrix, with the sign that the instruction says.
    fn element_type(&self, n: usize) -> Type {
        let ty = self.args[n].ty.element();
        match self.signed.get(n).copied().flatten() {
            Some(true) => ty.element().with_class(Class::Signed),
            Some(false) => ty.element().with_class(Class::Unsigned),
            None => ty,
        }
    }

    /// One element of the result.
    #[cold]
    fn definition(&self, files: &[File<Wide>], addends: &Square<u32>, row: usize, column: usize) -> u32 {
        let addend = addends[row][column];
        let terms = (0..self.terms()).map(|k| (self.element(files, 0, row, k), self.element(files, 1, column, k)));
        let [of_a, of_b] = [0, 1].map(|n| format(self.args[n].ty.element()));
        match (format(self.accumulator()), of_a.zip(of_b)) {
            (Some(to), Some((of_a, of_b))) => {
                // Sums are of f32, rounded to nearest at each step, and once more to a narrower result.
                let mode = FloatMode::IEEE;
                let wide = |bits, from| num::convert(from, mode, Format::F32, mode, bits);
                let sum = terms.fold(wide(addend.into(), to), |sum, (a, b)| {
                    num::fma(Format::F32, mode, wide(a, of_a), wide(b, of_b), sum)
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

    /// The result; `None` unless the factors are floats of up to 16 bits or integers of up to 8 bits.
    #[inline(always)]
    fn fast<U: Unit>(&self, unit: U, files: &[File<Wide>], addends: &Square<u32>) -> Option<Square<u32>> {
        match (self.columns(), self.terms()) {
            (_, 16) => self.fast_of::<U, N, 16>(unit, files, addends),
            (16, 32) => self.fast_of::<U, 16, 32>(unit, files, addends),
            (32, 32) => self.fast_of::<U, 32, 32>(unit, files, addends),
            (32, 64) => self.fast_of::<U, 32, 64>(unit, files, addends),
            _ => None,
        }
    }

    /// The result of `K` terms, of which a sparse matrix holds `P`.
    #[inline(always)]
    fn fast_of<U: Unit, const P: usize, const K: usize>(
        &self,
        unit: U,
        files: &[File<Wide>],
        addends: &Square<u32>,
    ) -> Option<Square<u32>> {
        let [a, b] = [0, 1].map(|n| format(self.args[n].ty.element()));
        match (format(self.accumulator()), a.zip(b)) {
            (Some(to), Some(from)) => {
                let sums = self.sums::<U, P, K>(unit, files, addends, to, from)?;
                let mut result = match to {
                    Format::F16 => map(&sums, f32_to_f16),
                    Format::BF16 => map(&sums, f32_to_bf16),
                    _ => map(&sums, f32::to_bits),
                };
                // The sign and the payload of a NaN that the host computes are not defined. A disjunction is vectorised.
                let is_nan = |sum: &f32| u32::from(sum.to_bits() & 0x7FFF_FFFF > 0x7F80_0000);
                if sums.as_flattened().iter().fold(0, |any, sum| any | is_nan(sum)) != 0 {
                    for (at, value) in result.as_flattened_mut().iter_mut().enumerate() {
                        if sums.as_flattened()[at].is_nan() {
                            *value = self.definition(files, addends, at / N, at % N);
                        }
                    }
                }
                Some(result)
            }
            _ => self.integers::<U, P, K>(unit, files, addends),
        }
    }

    /// The sums that a result of floats is rounded from, in which NaNs are any NaNs.
    #[inline(always)]
    fn sums<U: Unit, const P: usize, const K: usize>(
        &self,
        unit: U,
        files: &[File<Wide>],
        addends: &Square<u32>,
        to: Format,
        from: (Format, Format),
    ) -> Option<Square<f32>> {
        let of_8_bits = |format| {
            #[inline(always)]
            move |bits| f32::from_bits(num::widen(format, bits))
        };
        let (mut a, mut b) = ([[0.0; N]; K], [[0.0; N]; K]);
        match from {
            (Format::F16, Format::F16) => self.read_both::<16, P, K>(files, [f16_to_f32; 2], [&mut a, &mut b]),
            (Format::BF16, Format::BF16) => self.read_both::<16, P, K>(files, [bf16_to_f32; 2], [&mut a, &mut b]),
            (of_a @ (Format::F8 | Format::BF8), of_b @ (Format::F8 | Format::BF8)) => {
                self.read_both::<8, P, K>(files, [of_8_bits(of_a), of_8_bits(of_b)], [&mut a, &mut b]);
            }
            _ => return None,
        }
        let mut sums = match to {
            Format::F32 => map(addends, f32::from_bits),
            Format::F16 => map(addends, f16_to_f32),
            Format::BF16 => map(addends, bf16_to_f32),
            _ => return None,
        };
        // f32 holds every product of f16, 22 bits between 2^-48 and 2^32, and those of 8 bits.
        accumulate_by(unit, &a, &b, &mut sums, || from.0 != Format::BF16 || have_normal_products(&a, &b));
        Some(sums)
    }

    /// The result of integers; `None` if they have other numbers of bits than 4 and 8, or the result has not 32.
    #[inline(always)]
    fn integers<U: Unit, const P: usize, const K: usize>(
        &self,
        unit: U,
        files: &[File<Wide>],
        addends: &Square<u32>,
    ) -> Option<Square<u32>> {
        /// The start of sums. They differ from it by less than 2^22, so that their last bit has a weight of 1.
        const ZERO: f32 = 12_582_912.0;
        let types = [self.element_type(0), self.element_type(1)];
        if self.accumulator().bits() != 32 {
            return None;
        }
        let signs = types.map(|ty| if ty.class() == Class::Signed { 1 << (ty.bits() - 1) } else { 0 });
        let convert = |sign: u32| {
            #[inline(always)]
            move |bits: u32| ((bits ^ sign) as i32).wrapping_sub(sign as i32) as f32
        };
        let (mut a, mut b) = ([[0.0; N]; K], [[0.0; N]; K]);
        let convert = signs.map(convert);
        match types.map(|ty| ty.bits()) {
            [4, 4] => self.read_both::<4, P, K>(files, convert, [&mut a, &mut b]),
            [8, 8] => self.read_both::<8, P, K>(files, convert, [&mut a, &mut b]),
            _ => return None,
        }
        let mut sums = [[ZERO; N]; N];
        accumulate_by(unit, &a, &b, &mut sums, || true);
        let sums = map(&sums, |sum| sum.to_bits().wrapping_sub(ZERO.to_bits()) as i32);
        let mut result = *addends;
        for (to, sum) in result.as_flattened_mut().iter_mut().zip(sums.as_flattened()) {
            let addend = *to as i32;
            *to = if self.saturates { addend.saturating_add(*sum) } else { addend.wrapping_add(*sum) } as u32;
        }
        Some(result)
    }
}

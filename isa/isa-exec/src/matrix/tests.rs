use std::vec::Vec;

use super::*;
use crate::operation::Argument;
use crate::rows::LANES;
use crate::step::SparseIndex;

/// First rows of the operands and the result, and of the register that the instruction writes.
const A: u16 = 0;
const B: u16 = 8;
const C: u16 = 16;
const RESULT: u16 = 32;
const DESTINATION: u16 = 24;
const INDEX: u16 = 40;
const ROWS: usize = 41;

/// How operands are chosen.
#[derive(Clone, Copy, Debug)]
enum Data {
    /// Any bits.
    Any,
    /// Zeros, infinities, NaNs, the smallest and the largest numbers.
    Special,
    /// Numbers of a few bits and similar exponents, so that sums are exact, ties, or zeros.
    Near,
    /// Finite numbers of this exponent of f32, as stored, or of up to 3 above it; addends are about as large as the products.
    Exponent(u32),
}

struct Random(u64);

impl Random {
    fn next(&mut self) -> u32 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 32) as u32
    }

    /// A number; `of_product`: with the exponents of products.
    fn number(&mut self, data: Data, format: Format, of_product: bool) -> u32 {
        let bits = format.bits();
        let sign = (self.next() & 1) << (bits - 1);
        let random = self.next();
        let fraction = random & format.fraction_mask() as u32;
        let stored = |exponent: i64| {
            let least = i64::from(format.bias()) - 127 + exponent;
            (least.clamp(0, 2 * i64::from(format.bias())) as u32) << format.fraction_bits()
        };
        let magnitude = match data {
            Data::Any => random & format.magnitude_mask() as u32,
            Data::Special => {
                let infinity = format.infinity() as u32;
                let corners = [
                    0,
                    1,
                    format.fraction_mask() as u32,
                    format.fraction_mask() as u32 + 1,
                    format.one() as u32,
                    infinity - 1,
                    infinity,
                    infinity | 1,
                    infinity | format.quiet_bit() as u32 | 5,
                    infinity - 1,
                    format.one() as u32,
                    0,
                ];
                // NaNs are few, so that not every sum is one.
                if random.is_multiple_of(64) {
                    corners[self.next() as usize % 12]
                } else {
                    corners[self.next() as usize % 6]
                }
            }
            Data::Near => {
                let few = format.fraction_mask() as u32 & !(format.fraction_mask() as u32 >> 3);
                let exponent = 127 + i64::from(self.next() % 4) - if of_product { i64::from(random >> 28) } else { 0 };
                stored(exponent) | fraction & few
            }
            Data::Exponent(exponent) => {
                let exponent = i64::from(exponent) + i64::from(self.next() % 4);
                stored(if of_product { 2 * exponent - 127 } else { exponent }) | fraction
            }
        };
        sign | magnitude
    }

    /// A dword of a row of an argument.
    fn dword(&mut self, data: Data, ty: Type, is_addend: bool) -> u32 {
        match (format(ty), data) {
            (Some(Format::F32), _) => self.number(data, Format::F32, is_addend),
            (Some(Format::F8 | Format::BF8), Data::Special) => {
                [0, 1, 0x7E, 0x7F, 0x7C, 0x80].into_iter().fold(0, |all, byte| {
                    let taken = self.next().is_multiple_of(40);
                    all << 8 | if taken { byte } else { self.next() & 0xBF }
                })
            }
            (Some(Format::F8 | Format::BF8), _) => self.next() & 0xBFBF_BFBF,
            (Some(format), _) => self.number(data, format, is_addend) | self.number(data, format, is_addend) << 16,
            // Sums that saturate, and large products.
            (None, Data::Near) if is_addend => (i32::MAX as u32).wrapping_add(self.next() % 0x2_0000),
            (None, Data::Special) => [0, 0x8888_8888, 0x7777_7777, u32::MAX, 0x8080_8080][self.next() as usize % 5],
            (None, _) => self.next(),
        }
    }
}

/// Computes a product by the definition, element by element.
fn expected(matrix: &Matrix, files: &mut [File<Wide>]) {
    let before = files.to_vec();
    let groups = 2 * files.len();
    for row in 0..N {
        for column in 0..N {
            let (register, lane) = ((row / groups) as u16, column + N * (row % groups));
            let get = |first: u16| before[lane / LANES].get(first + register, lane % LANES);
            let addend = get(C);
            let (shift, mask) = match (matrix.ty.bits(), matrix.high) {
                (16, false) => (0, 0xFFFF),
                (16, true) => (16, 0xFFFF),
                _ => (0, u32::MAX),
            };
            let mut addends = [[0; N]; N];
            addends[row][column] = addend >> shift & mask;
            let value = matrix.definition(&before, &addends, row, column);
            let kept = get(matrix.destination.unwrap_or(C)) & !(mask << shift);
            files[lane / LANES].set(RESULT + register, lane % LANES, kept | (value & mask) << shift);
        }
    }
}

/// Checks a product in waves of 32 and of 64 lanes, and whether the fast path computes it.
fn check(random: &mut Random, matrix: &Matrix, data: Data, should_be_fast: bool) {
    for halves in [1, 2] {
        let mut files: Vec<File<Wide>> = (0..halves).map(|_| File::new(ROWS)).collect();
        for (first, arg) in [(A, matrix.args[0]), (B, matrix.args[1]), (C, matrix.args[2])] {
            for file in &mut files {
                for n in 0..8 {
                    file.set_row(first + n, Wide([0; LANES].map(|_: u32| random.dword(data, arg.ty, first == C))));
                }
            }
        }
        for file in &mut files {
            for n in 0..8 {
                file.set_row(DESTINATION + n, Wide([0; LANES].map(|_: u32| random.next())));
            }
        }
        let is_fast = matrix.fast(Baseline, &files, &matrix.addends(&files)).is_some();
        assert_eq!(is_fast, should_be_fast, "{matrix:?}");
        let mut slow = files.clone();
        expected(matrix, &mut slow);
        for units in Units::all() {
            let mut files = files.clone();
            matrix.run(&mut files, units);
            for (file, slow) in files.iter().zip(&slow) {
                for row in 0..ROWS as u16 {
                    let name = units.name();
                    assert_eq!(
                        file.row(row),
                        slow.row(row),
                        "{matrix:?}, {data:?}, {halves} halves, row {row}, {name}"
                    );
                }
            }
        }
    }
}

/// A product of operands of these types; the type of the third is that of the result.
fn matrix(of_factors: Type, ty: Type) -> Matrix {
    let args = [(A, of_factors), (B, of_factors), (C, ty)].map(|(row, ty)| Argument { row, ty });
    Matrix {
        ty,
        args,
        layout: MatrixLayout::Repeated,
        index: None,
        signed: [None; 2],
        signs: [0; 2],
        destination: Some(DESTINATION),
        high: false,
        saturates: false,
        dst: RESULT,
    }
}

#[test]
fn products_of_floats_are_those_of_the_definition() {
    let mut random = Random(0x1234_5678_9ABC_DEF1);
    let halves = [Type::new(Class::Float, 16, 16), Type::new(Class::BFloat, 16, 16)];
    // Exponents at which products of bf16 vanish, lose bits, are exact again, and overflow.
    let exponents = [43, 56, 62, 66, 120, 183, 188, 193].map(Data::Exponent);
    for of_factors in halves {
        for ty in [Type::new(Class::Float, 32, 8), of_factors] {
            for data in [Data::Any, Data::Special, Data::Near].into_iter().chain(exponents) {
                let matrix = matrix(of_factors, ty);
                check(&mut random, &matrix, data, true);
                if ty.bits() == 16 {
                    check(&mut random, &Matrix { high: true, ..matrix.clone() }, data, true);
                    check(&mut random, &Matrix { destination: None, ..matrix }, data, true);
                }
            }
        }
    }
}

#[test]
fn products_of_integers_are_those_of_the_definition() {
    let mut random = Random(0x1234_5678_9ABC_DEF1);
    for bits in [8, 4] {
        for class in [Class::Unsigned, Class::Signed] {
            for signed in [[None, None], [Some(true), Some(false)], [Some(false), Some(true)], [Some(true), Some(true)]]
            {
                for data in [Data::Any, Data::Special, Data::Near] {
                    let matrix = matrix(Type::new(class, bits, 16), Type::new(Class::Signed, 32, 8));
                    for saturates in [false, true] {
                        check(&mut random, &Matrix { signed, saturates, ..matrix.clone() }, data, true);
                    }
                }
            }
        }
    }
}

#[test]
fn products_of_other_types_are_those_of_the_definition() {
    let mut random = Random(0x1234_5678_9ABC_DEF1);
    let bytes = Type::new(Class::Signed, 8, 16);
    let shorts = Type::new(Class::Signed, 16, 16);
    for (of_factors, ty) in [
        (Type::new(Class::Float, 32, 8), Type::new(Class::Float, 32, 8)),
        (shorts, Type::new(Class::Signed, 32, 8)),
        (bytes, shorts),
    ] {
        for high in [false, true] {
            check(&mut random, &Matrix { high, ..matrix(of_factors, ty) }, Data::Any, false);
        }
    }
}

/// A product of the layout of RDNA4, whose types are those of a wave of 32 lanes; `sparse`: of a matrix with an index.
fn split(of_factors: [Type; 2], ty: Type, sparse: bool) -> Matrix {
    let args = [(A, of_factors[0]), (B, of_factors[1]), (C, ty)].map(|(row, ty)| Argument { row, ty });
    let index = sparse.then_some(SparseIndex { row: INDEX, key: 0 });
    Matrix { ty, args, layout: MatrixLayout::Split, index, ..matrix(of_factors[0], ty) }
}

/// Checks the fast path of a product against the definition of its elements.
fn check_split(random: &mut Random, matrix: &Matrix, data: Data) {
    for halves in [1, 2] {
        let mut files: Vec<File<Wide>> = (0..halves).map(|_| File::new(ROWS)).collect();
        for file in &mut files {
            for (first, arg) in [(A, matrix.args[0]), (B, matrix.args[1]), (C, matrix.args[2])] {
                for n in 0..8 {
                    file.set_row(first + n, Wide([0; LANES].map(|_: u32| random.dword(data, arg.ty, first == C))));
                }
            }
            file.set_row(INDEX, Wide([0; LANES].map(|_: u32| random.next())));
        }
        let addends = matrix.addends(&files);
        let fast = matrix.fast(Baseline, &files, &addends).unwrap();
        for (row, elements) in fast.iter().enumerate() {
            for (column, element) in elements.iter().enumerate() {
                let expected = matrix.definition(&files, &addends, row, column);
                assert_eq!(*element, expected, "{matrix:?}, {data:?}, {halves} halves, ({row}, {column})");
            }
        }
        let mut results = Vec::new();
        for units in Units::all() {
            let mut files = files.clone();
            matrix.run(&mut files, units);
            let written = Matrix {
                args: [matrix.args[0], matrix.args[1], Argument { row: RESULT, ..matrix.args[2] }],
                ..matrix.clone()
            };
            results.push(written.unsigned_addends(&files));
            assert_eq!(results[0], fast, "{matrix:?}, {data:?}, {halves} halves, {}", units.name());
        }
    }
}

#[test]
fn products_of_split_matrices_are_those_of_the_definition() {
    let mut random = Random(0x1234_5678_9ABC_DEF1);
    let of = Type::new;
    let single = of(Class::Float, 32, 8);
    let mut cases = Vec::new();
    for class in [Class::Float, Class::BFloat] {
        let lanes = |n| of(class, 16, n);
        for ty in [single, lanes(8)] {
            cases.push((split([lanes(8); 2], ty, false), true));
            cases.push((split([lanes(8), lanes(16)], ty, true), true));
        }
        for other in [Class::Float, Class::BFloat] {
            cases.push((split([of(class, 8, 8), of(other, 8, 8)], single, false), true));
            cases.push((split([of(class, 8, 8), of(other, 8, 16)], single, true), true));
        }
    }
    let sum = of(Class::Signed, 32, 8);
    for (bits, lanes) in [(8, 8), (4, 8), (4, 16)] {
        let of = |lanes| Type::new(Class::EitherSign, bits, lanes);
        cases.push((split([of(lanes); 2], sum, false), false));
        cases.push((split([of(lanes), of(2 * lanes)], sum, true), false));
    }
    for (matrix, has_floats) in cases {
        for data in [Data::Any, Data::Special, Data::Near] {
            if has_floats {
                check_split(&mut random, &matrix, data);
                let signs = [random.next() as u8 & 7, random.next() as u8 & 7];
                check_split(&mut random, &Matrix { signs, ..matrix.clone() }, data);
            } else {
                for saturates in [false, true] {
                    let signed = [Some(random.next() & 1 != 0), Some(random.next() & 1 != 0)];
                    check_split(&mut random, &Matrix { signed, saturates, ..matrix.clone() }, data);
                }
            }
            if let Some(index) = matrix.index {
                check_split(
                    &mut random,
                    &Matrix { index: Some(SparseIndex { key: 1, ..index }), ..matrix.clone() },
                    data,
                );
            }
        }
    }
}

#[test]
fn sparse_matrices_are_expanded_as_the_guide_has_it() {
    // Guide §7.12.3. Pairs of values and indices, and the four columns that they become.
    let cases = [
        ([0, 1], [1.0, 2.0, 0.0, 0.0]),
        ([0, 3], [1.0, 0.0, 0.0, 2.0]),
        ([1, 2], [0.0, 1.0, 2.0, 0.0]),
        ([2, 3], [0.0, 0.0, 1.0, 2.0]),
        // Indices out of order, which the guide excludes: the first wins, and the ends are for one value each.
        ([1, 1], [0.0, 1.0, 0.0, 0.0]),
        ([2, 0], [0.0, 0.0, 1.0, 0.0]),
        ([3, 1], [0.0, 2.0, 0.0, 0.0]),
    ];
    for (indices, columns) in cases {
        let found: Factor<4> = expanded(&[[1.0; N], [2.0; N]], &indices.map(|index| [index; N]));
        assert_eq!(found.map(|column| column[5]), columns, "{indices:?}");
    }
}

#[test]
fn products_that_are_normal_are_known() {
    let of = |bits: u32| {
        let mut matrix = [[0.0; N]; N];
        matrix[3][4] = bf16_to_f32(bits);
        matrix
    };
    let largest = Format::BF16.max_finite() as u32;
    let numbers = [0, 0x8000, 1, 0x7F, 0x80, 0x1FFF, 0x2000, 0x207F, 0x3F80, 0x3F81, 0x5F00, 0x5F7F, 0x5F80, largest];
    for a in numbers {
        for b in numbers.map(|b| [b, b ^ 0x8000]).into_iter().flatten() {
            let product = bf16_to_f32(a) * bf16_to_f32(b);
            let is_known = have_normal_products(&of(a), &of(b));
            assert!(!is_known || product == 0.0 || product.is_normal(), "{a:#x} * {b:#x}");
            // The exponent of a product is the sum, or one more.
            let is_known_normal = (2.0 * f32::MIN_POSITIVE..f32::MAX / 2.0).contains(&product.abs());
            assert!(is_known || !is_known_normal, "{a:#x} * {b:#x}");
        }
    }
}

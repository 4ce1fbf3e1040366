//! Functions for whole rows give what the definition of their operation gives in each lane.

use isa_exec::num::{self, FloatMode, Format, Mode};
use isa_exec::operation::{Link, Modes, OperationKind, format};
use isa_tests::rows::{Case, MODES, RESULT, ROWS, Rows, arguments, float_cases, narrow_cases, small_cases};
use isa_tests::sample::Sample;
use rdna3::isa::body::{BinaryOp, Builtin, Class, Type, UnaryOp};

fn check(random: &mut Sample, kind: OperationKind, ty: Type, args: &[Type]) {
    check_with(random, &Case::new(kind, ty, args), &MODES[..4], false);
}

/// Checks an operation in one mode; `uniform`: with arguments that are the same in all lanes, and the functions for them.
fn uniformly(random: &mut Sample, kind: OperationKind, ty: Type, args: &[Type], uniform: bool) {
    check_with(random, &Case::new(kind, ty, args), &MODES[..1], uniform);
}

/// Checks an operation in some modes; `uniform` as above.
fn check_with(random: &mut Sample, case: &Case, modes: &[u32], uniform: bool) {
    // Also with the result in place of the first argument.
    for dst in [RESULT, ROWS[0]] {
        let mut rows = Rows::new(case, dst);
        if uniform {
            rows.primitive.specialize(&|_| true);
        }
        for mode in modes {
            // Rows without a float that needs care, too.
            let is_usual = random.below(2) == 0;
            let mut first = None;
            for lane in 0..32 {
                let numbers = arguments(random, &case.args, is_usual);
                rows.set(lane, if uniform { first.get_or_insert(numbers) } else { &numbers });
            }
            let difference = rows.difference(&Modes::new(Mode(*mode)), &[u32::MAX, random.word()]);
            assert_eq!(difference, None);
        }
    }
}

/// Checks the operations that lowering puts in place of several.
fn fused_operations(random: &mut Sample) {
    let one = |class, bits| Type::new(class, bits, 1);
    let dword = one(Class::Bits, 32);
    for uniform in [false, true] {
        for first in Link::ALL {
            for second in Link::ALL {
                uniformly(random, OperationKind::Chain(first, second), dword, &[dword; 3], uniform);
            }
        }
        uniformly(random, OperationKind::Funnel, dword, &[dword; 3], uniform);
        uniformly(random, OperationKind::Blend, dword, &[dword; 3], uniform);
        uniformly(random, OperationKind::AndNot, dword, &[dword; 2], uniform);
        for class in [Class::Bits, Class::Unsigned, Class::Signed] {
            for op in [BinaryOp::Shl, BinaryOp::Shr] {
                for bits in [32, 64] {
                    uniformly(random, OperationKind::Masked(op), one(class, bits), &[one(class, bits), dword], uniform);
                }
            }
        }
    }
    let field = one(Class::Unsigned, 5);
    let bytes = Type::new(Class::Unsigned, 8, 4);
    for uniform in [false, true] {
        for class in [Class::Unsigned, Class::Signed] {
            let dword = one(class, 32);
            uniformly(random, OperationKind::Call(Builtin::Bfe), dword, &[dword, field, field], uniform);
        }
        for _ in 0..20 {
            uniformly(random, OperationKind::Call(Builtin::BytePerm), dword, &[one(Class::Bits, 64), bytes], uniform);
        }
    }
    check(random, OperationKind::Call(Builtin::Clz), one(Class::Unsigned, 32), &[one(Class::Unsigned, 32)]);
    for class in [Class::Unsigned, Class::Signed] {
        check(random, OperationKind::MulHigh, dword, &[one(class, 32); 2]);
        check(random, OperationKind::Binary(BinaryOp::Mul), one(class, 32), &[one(class, 24); 2]);
        check(random, OperationKind::MulAdd, one(class, 128), &[one(class, 32), one(class, 32), one(class, 64)]);
    }
}

#[test]
fn functions_for_rows_equal_the_definition() {
    let mut random = Sample::new();
    let types = |classes: &[Class], widths: &[u16]| -> Vec<Type> {
        classes.iter().flat_map(|class| widths.iter().map(|bits| Type::new(*class, *bits, 1))).collect()
    };
    let integers = types(&[Class::Bits, Class::Unsigned, Class::Signed], &[1, 5, 8, 16, 24, 32, 64]);
    let floats = types(&[Class::Float], &[16, 32, 64]);
    let bool = Type::new(Class::Unsigned, 1, 1);
    for ty in integers.iter().chain(&floats).copied() {
        for op in UnaryOp::ALL {
            if !(*op == UnaryOp::Not && ty.is_float()) {
                check(&mut random, OperationKind::Unary(*op), ty, &[ty]);
            }
        }
        for op in BinaryOp::ALL {
            check(&mut random, OperationKind::Binary(*op), if op.compares() { bool } else { ty }, &[ty, ty]);
        }
        check(&mut random, OperationKind::Select, ty, &[bool, ty, ty]);
        for to in integers.iter().chain(&floats) {
            check(&mut random, OperationKind::Cast, *to, &[ty]);
        }
        for builtin in [Builtin::Min, Builtin::Max] {
            check(&mut random, OperationKind::Call(builtin), ty, &[ty, ty]);
        }
        for builtin in [Builtin::Min3, Builtin::Max3, Builtin::Med3, Builtin::Minmax, Builtin::Maxmin] {
            check(&mut random, OperationKind::Call(builtin), ty, &[ty, ty, ty]);
        }
        check(&mut random, OperationKind::Call(Builtin::Abs), ty, &[ty]);
    }
    for ty in &integers {
        for builtin in [Builtin::Carry, Builtin::Borrow] {
            check(&mut random, OperationKind::Call(builtin), bool, &[*ty, *ty, bool]);
        }
        check(&mut random, OperationKind::Call(Builtin::Popcount), Type::new(Class::Unsigned, 32, 1), &[*ty]);
        for lo in [0, 3, 16, 24] {
            check(&mut random, OperationKind::Slice(lo), Type::new(Class::Unsigned, 5, 1), &[*ty]);
            check(&mut random, OperationKind::Slice(lo), Type::new(Class::Bits, 16, 1), &[*ty]);
        }
        let count = Type::new(Class::Unsigned, 6, 1);
        for op in [BinaryOp::Shl, BinaryOp::Shr] {
            check(&mut random, OperationKind::Binary(op), *ty, &[*ty, count]);
        }
    }
    fused_operations(&mut random);
    let [half, dword] = [16, 32].map(|bits| Type::new(Class::Bits, bits, 1));
    check(&mut random, OperationKind::Call(Builtin::Join), Type::new(Class::Bits, 16, 2), &[half, half]);
    check(&mut random, OperationKind::Call(Builtin::Join), Type::new(Class::Bits, 32, 2), &[dword, dword]);
    check(&mut random, OperationKind::Call(Builtin::Join), Type::new(Class::Bits, 64, 1), &[dword, dword]);
}

#[test]
fn functions_for_floats_equal_the_definition() {
    let mut random = Sample::new();
    for case in [16, 32, 64].into_iter().flat_map(float_cases) {
        for _ in 0..8 {
            check_with(&mut random, &case, &MODES, false);
        }
    }
}

#[test]
fn functions_of_sixteen_bits_equal_the_definition() {
    let mut random = Sample::new();
    for case in narrow_cases() {
        // The mode does not change integers.
        let has_floats = [case.ty].iter().chain(&case.args).any(|ty| format(*ty).is_some());
        let (times, modes) = if has_floats { (3, MODES.as_slice()) } else { (1, &MODES[..2]) };
        for _ in 0..times {
            check_with(&mut random, &case, modes, false);
        }
    }
}

#[test]
fn functions_of_eight_bits_equal_the_definition() {
    let mut random = Sample::new();
    for case in small_cases() {
        for _ in 0..20 {
            check_with(&mut random, &case, &MODES, false);
        }
    }
}

/// Functions that do not depend on the direction of rounding.
const ELEMENTARY: [Builtin; 7] =
    [Builtin::Exp2, Builtin::Log2, Builtin::Rcp, Builtin::Rsq, Builtin::Sqrt, Builtin::Sin, Builtin::Cos];

/// In MODE of kernels and with f16 denormals flushed. Elementary functions in all directions of rounding; with one of inputs and results
/// flushed, without IEEE.
#[test]
fn functions_of_one_half_equal_the_definition_on_all_inputs() {
    let half = Type::new(Class::Float, 16, 1);
    for case in float_cases(16).into_iter().chain(narrow_cases()).filter(|case| case.args == [half]) {
        let is_elementary = ELEMENTARY.iter().any(|builtin| case.kind == OperationKind::Call(*builtin));
        let modes: &[u32] = if is_elementary { &[0x3C0, 0x304, 0x1C8, 0x38C] } else { &[0x3C0, 0x300] };
        let mut rows = Rows::new(&case, RESULT);
        for first in (0..=0xFFFF).step_by(32) {
            (0..32).for_each(|lane| rows.set(lane, &[first + lane as u128]));
            for mode in modes {
                assert_eq!(rows.difference(&Modes::new(Mode(*mode)), &[u32::MAX]), None);
            }
        }
    }
}

/// Checks an operation on the numbers of each lane in the first mode.
fn check_numbers(case: &Case, numbers: &[Vec<u128>]) {
    for chunk in numbers.chunks(32) {
        let mut rows = Rows::new(case, RESULT);
        chunk.iter().enumerate().for_each(|(lane, numbers)| rows.set(lane, numbers));
        assert_eq!(rows.difference(&Modes::new(Mode(MODES[0])), &[u32::MAX]), None);
    }
}

#[test]
fn sums_are_rounded_once() {
    // The product is 1 - x^2, and the sum so near a tie of f32 that it is one in f64.
    let single = Type::new(Class::Float, 32, 1);
    let case = Case::new(OperationKind::Call(Builtin::Fma), single, &[single; 3]);
    let sums = (12..24).flat_map(|power| (0..32).map(move |n| (power, n)));
    let numbers: Vec<Vec<u128>> = sums
        .map(|(power, n)| {
            let x = f32::from_bits((127 - power) << 23);
            let c = if n & 1 == 0 { 16_777_216.0 } else { -16_777_216.0 } + (n / 2 * 2) as f32;
            [1.0 + x, 1.0 - x, c].map(|number| u128::from(number.to_bits())).to_vec()
        })
        .collect();
    check_numbers(&case, &numbers);
}

#[test]
fn sums_of_halves_are_rounded_once() {
    // Products in the middle of two numbers of the format, which the third number moves a little to either side; and one a little below
    // the middle of two denormals.
    let power = |exponent| 0.5f32.powi(exponent);
    let formats = [
        (Class::Float, power(24), [[65.0, 63.0], [-57.0, 39.0], [1025.0 * power(21), 1023.0 * power(24)]]),
        (Class::BFloat, power(100), [[17.0, 19.0], [-29.0, 9.0], [23.0, 13.0]]),
    ];
    for (class, addend, factors) in formats {
        let [single, pair] = [1, 2].map(|lanes| Type::new(class, 16, lanes));
        let format = format(single).expect("a format of floats");
        let bits =
            |number: f32| num::convert(Format::F32, FloatMode::IEEE, format, FloatMode::IEEE, number.to_bits().into());
        let addends = [-1023.0, -512.0, -3.0, -1.0, -0.0, 0.0, 1.0, 2.0, 513.0, 1000.0].map(|count| count * addend);
        let sums: Vec<[u128; 3]> = factors
            .into_iter()
            .flat_map(|[a, b]| addends.map(|c| [a, b, c].map(|number| u128::from(bits(number)))))
            .collect();
        let twice = |number: u128| number | number << 16;
        let fused: Vec<_> = sums.iter().map(|numbers| numbers.map(twice).to_vec()).collect();
        check_numbers(&Case::new(OperationKind::Call(Builtin::Fma), pair, &[pair; 3]), &fused);
        // Either product alone, and one after the other.
        let products: Vec<_> = sums
            .iter()
            .flat_map(|&[a, b, c]| [vec![a, b, c], vec![a << 16, b << 16, c], vec![twice(a), twice(b), c]])
            .collect();
        check_numbers(&Case::new(OperationKind::Call(Builtin::Dot2), single, &[pair, pair, single]), &products);
    }
}

#[test]
fn sines_near_quarter_turns_are_exact() {
    let single = Type::new(Class::Float, 32, 1);
    for builtin in [Builtin::Sin, Builtin::Cos] {
        for turns in [0.25f32, 0.5, 0.75, 1.0, -0.5, -1.5, 1000.25, 4_194_304.5] {
            let first = turns.to_bits() - 1024;
            let numbers: Vec<Vec<u128>> = (first..first + 2048).map(|bits| vec![bits.into()]).collect();
            check_numbers(&Case::new(OperationKind::Call(builtin), single, &[single]), &numbers);
        }
    }
}

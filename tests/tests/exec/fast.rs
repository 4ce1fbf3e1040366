//! Functions for whole rows give what the definition of their operation gives in each lane.

use isa_exec::eval::{Typed, evaluate};
use isa_exec::num::Mode;
use isa_exec::operation::{Argument, Link, Modes, Operation, OperationKind, dwords, low_bits};
use isa_exec::primitive::{Env, Primitive};
use isa_exec::rows::{File, Wide};
use isa_exec::units::Units;
use rdna3::isa::body::{BinaryOp, Builtin, Class, Type, UnaryOp};

use crate::machine::Random;

/// Rows of the first, second and third argument, and of the result.
const ROWS: [u16; 4] = [0, 4, 8, 12];

fn check(random: &mut Random, kind: OperationKind, ty: Type, args: &[Type]) {
    check_with(random, kind, ty, args, false);
}

/// Checks an operation; `uniform`: with arguments that are the same in all lanes, and the functions for them.
fn check_with(random: &mut Random, kind: OperationKind, ty: Type, args: &[Type], uniform: bool) {
    let args: Box<[Argument]> = ROWS.iter().zip(args).map(|(row, ty)| Argument { row: *row, ty: *ty }).collect();
    // Also with the result in place of the first argument.
    for dst in [ROWS[3], ROWS[0]] {
        let operation = Operation { kind, ty, args: args.clone() };
        let mut primitive = Primitive::<Wide>::new(operation, dst);
        if uniform {
            primitive.specialize(&|_| true);
        }
        for mode in [0x3C0, 0x3F0, 0x2F5, 0x00F] {
            let modes = Modes::new(Mode(mode));
            let mut file = File::<Wide>::new(16);
            for arg in &args {
                let mut first = None;
                for lane in 0..32 {
                    let number = (0..4).fold(0, |number, _| number << 32 | u128::from(random.dword()));
                    let number = low_bits(number, arg.ty.total_bits().into());
                    let number = if uniform { *first.get_or_insert(number) } else { number };
                    file.set_number(arg.row, dwords(arg.ty), lane, number);
                }
            }
            let before = file;
            for units in Units::all() {
                for mask in [u32::MAX, random.dword()] {
                    let mut file = before.clone();
                    (primitive.run)(&mut file, &primitive, &Env { modes, units, mask }, dst);
                    check_lanes(&primitive.operation, &before, &file, &modes, (dst, mask));
                }
            }
        }
    }
}

/// Checks the result of an operation in each lane: in rows from `dst` on, with the lanes that a mask does not have unchanged.
fn check_lanes(operation: &Operation, before: &File<Wide>, after: &File<Wide>, modes: &Modes, (dst, mask): (u16, u32)) {
    let Operation { kind, ty, args } = operation;
    for lane in 0..32 {
        let typed = |arg: &Argument| Typed { bits: before.number(arg.row, dwords(arg.ty), lane), ty: arg.ty };
        let typed: Vec<Typed> = args.iter().map(typed).collect();
        let is_stored = mask >> lane & 1 != 0;
        let right = if is_stored { evaluate(*kind, *ty, &typed, modes) } else { before.number(dst, dwords(*ty), lane) };
        let found = after.number(dst, dwords(*ty), lane);
        let mode = modes.register.0;
        assert_eq!(found, right, "{kind:?} {ty} of {typed:x?} with mode {mode:#x}: {found:#x}, not {right:#x}");
    }
}

/// Checks the operations that lowering puts in place of several.
fn fused_operations(random: &mut Random) {
    let one = |class, bits| Type::new(class, bits, 1);
    let dword = one(Class::Bits, 32);
    for uniform in [false, true] {
        for first in Link::ALL {
            for second in Link::ALL {
                check_with(random, OperationKind::Chain(first, second), dword, &[dword; 3], uniform);
            }
        }
        check_with(random, OperationKind::Funnel, dword, &[dword; 3], uniform);
        check_with(random, OperationKind::Blend, dword, &[dword; 3], uniform);
        for class in [Class::Bits, Class::Unsigned, Class::Signed] {
            for op in [BinaryOp::Shl, BinaryOp::Shr] {
                for bits in [32, 64] {
                    check_with(
                        random,
                        OperationKind::Masked(op),
                        one(class, bits),
                        &[one(class, bits), dword],
                        uniform,
                    );
                }
            }
        }
    }
    let field = one(Class::Unsigned, 5);
    let bytes = Type::new(Class::Unsigned, 8, 4);
    for uniform in [false, true] {
        for class in [Class::Unsigned, Class::Signed] {
            let dword = one(class, 32);
            check_with(random, OperationKind::Call(Builtin::Bfe), dword, &[dword, field, field], uniform);
        }
        for _ in 0..20 {
            check_with(random, OperationKind::Call(Builtin::BytePerm), dword, &[one(Class::Bits, 64), bytes], uniform);
        }
    }
    check(random, OperationKind::Call(Builtin::Clz), one(Class::Unsigned, 32), &[one(Class::Unsigned, 32)]);
    for class in [Class::Unsigned, Class::Signed] {
        check(random, OperationKind::MulHigh, dword, &[one(class, 32); 2]);
        check(random, OperationKind::MulAdd, one(class, 128), &[one(class, 32), one(class, 32), one(class, 64)]);
    }
}

#[test]
fn functions_for_rows_equal_the_definition() {
    let mut random = Random(99);
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
        for builtin in [Builtin::Min3, Builtin::Max3, Builtin::Med3] {
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
    for ty in &floats {
        use Builtin as B;
        let unary =
            [B::Floor, B::Ceil, B::Trunc, B::Rndne, B::Fract, B::Sqrt, B::Rcp, B::Rsq, B::Exp2, B::Log2, B::Clamp];
        for builtin in unary {
            check(&mut random, OperationKind::Call(builtin), *ty, &[*ty]);
        }
        for builtin in [B::Fma, B::DivFixup] {
            check(&mut random, OperationKind::Call(builtin), *ty, &[*ty, *ty, *ty]);
        }
    }
    fused_operations(&mut random);
    let [half, dword] = [16, 32].map(|bits| Type::new(Class::Bits, bits, 1));
    check(&mut random, OperationKind::Call(Builtin::Join), Type::new(Class::Bits, 16, 2), &[half, half]);
    check(&mut random, OperationKind::Call(Builtin::Join), Type::new(Class::Bits, 32, 2), &[dword, dword]);
    check(&mut random, OperationKind::Call(Builtin::Join), Type::new(Class::Bits, 64, 1), &[dword, dword]);
}

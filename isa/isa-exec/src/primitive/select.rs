//! Chooses the function of an operation by what it computes and its types.

use isa_runtime::body::{BinaryOp, Builtin, Class, Type, UnaryOp};

use crate::operation::{Operation, OperationKind};
use crate::primitive::Function;
use crate::primitive::bits::*;
use crate::primitive::chain::{chain, uniform_chain};
use crate::primitive::conversions::*;
use crate::primitive::division::*;
use crate::primitive::doubles::*;
use crate::primitive::elementary::*;
use crate::primitive::extremes::*;
use crate::primitive::floats::*;
use crate::primitive::functions::*;
use crate::primitive::lanes::Bits;
use crate::primitive::rounding::*;
use crate::primitive::signs::*;
use crate::primitive::sums;
use crate::rows::{Row, Wide};
use crate::units::Relation;

/// A function for an operation that has one.
pub(crate) fn function<R: Row>(operation: &Operation) -> Option<Function<R>> {
    narrow_function(operation).or_else(|| sums::function(operation)).or_else(|| other_function(operation))
}

/// A function that ignores the bits of its arguments above their types, for an operation that has one.
fn narrow_function<R: Row>(operation: &Operation) -> Option<Function<R>> {
    use super::{eighths, half_parts, halves, narrow, saturating, shorts};
    let functions = [
        shorts::function::<R>,
        halves::function::<R>,
        half_parts::function::<R>,
        narrow::function::<R>,
        saturating::function::<R>,
        eighths::function::<R>,
        function_of_parts::<R>,
    ];
    functions.into_iter().find_map(|function| function(operation))
}

/// The function of an operation on parts of dwords that has a dword as its result: a field whose place and width have five bits, or the
/// product of numbers of 24 bits.
fn function_of_parts<R: Row>(operation: &Operation) -> Option<Function<R>> {
    if !is_integer(operation.ty) || operation.ty.bits() != 32 {
        return None;
    }
    let signed = operation.args.first()?.ty.class() == Class::Signed;
    match (operation.kind, &*operation.args) {
        (OperationKind::Call(Builtin::Bfe), [value, offset, width]) => {
            let is_field = value.ty.bits() == 32 && offset.ty.bits() == 5 && width.ty.bits() == 5;
            is_field.then_some(if signed { bfe_signed::<R, false> } else { bfe_unsigned::<R, false> })
        }
        (OperationKind::Binary(BinaryOp::Mul), [a, b]) => {
            let is_product = a.ty == b.ty && (is(a.ty, Class::Signed, 24) || is(a.ty, Class::Unsigned, 24));
            is_product.then_some(if signed { mul_24_signed::<R> } else { mul_24_unsigned::<R> })
        }
        _ => None,
    }
}

/// Whether the function of an operation ignores the bits of its arguments above their types. Otherwise these bits have to be 0.
pub(crate) fn ignores_upper_bits(operation: &Operation) -> bool {
    let first = operation.args.first().map(|arg| arg.ty);
    match operation.kind {
        OperationKind::Slice(lo) => first.is_some_and(|ty| lo + operation.ty.total_bits() <= ty.total_bits()),
        OperationKind::Call(Builtin::Join) => operation.args.iter().all(|arg| arg.ty.total_bits() < 32),
        OperationKind::Unary(UnaryOp::Neg) | OperationKind::Call(Builtin::Abs) => {
            first == Some(Type::new(Class::Float, 16, 1))
        }
        _ => narrow_function::<Wide>(operation).is_some(),
    }
}

fn other_function<R: Row>(operation: &Operation) -> Option<Function<R>> {
    let arg = |n: usize| operation.args.get(n).map(|arg| arg.ty);
    let ty = operation.ty;
    match operation.kind {
        OperationKind::Unary(op) => unary(op, ty),
        OperationKind::Binary(op) => binary(op, arg(0)?, arg(1)?),
        OperationKind::Select if ty.total_bits() <= 32 => Some(select::<R>),
        OperationKind::Select if ty.total_bits() == 64 => Some(select_wide::<R>),
        OperationKind::Cast => cast(ty, arg(0)?),
        OperationKind::Slice(lo) if lo + ty.total_bits() <= 32 && arg(0)?.total_bits() <= 32 => Some(slice::<R>),
        OperationKind::Call(builtin) => call(builtin, operation),
        OperationKind::Masked(op) => masked(op, ty),
        OperationKind::Chain(first, second) => Some(chain(first, second)),
        OperationKind::Halves(_) if arg(0)?.total_bits() == 32 => Some(select_halves::<R>),
        OperationKind::Blend => Some(blend::<R>),
        OperationKind::AndNot => Some(and_not::<R>),
        OperationKind::Related(relation) => Some(related_floats(relation)?),
        OperationKind::Funnel => Some(funnel::<R, false>),
        OperationKind::BytesOfTwo => Some(bytes_of_two::<R, false>),
        OperationKind::MulHigh => Some(mul_high(arg(0)?, arg(1)?)),
        OperationKind::MulAdd => Some(mul_add(arg(0)?, arg(1)?, arg(2)?)),
        _ => None,
    }
}

/// The function for an operation whose shift count is the same in all lanes.
pub(crate) fn uniform<R: Row>(operation: &Operation) -> Option<Function<R>> {
    match operation.kind {
        OperationKind::Masked(BinaryOp::Shl) if operation.ty.bits() == 32 => Some(masked_shl::<R, true>),
        OperationKind::Masked(BinaryOp::Shl) if operation.ty.bits() == 64 => Some(masked_shl_wide_by::<R>),
        OperationKind::Masked(BinaryOp::Shr) if operation.ty.bits() == 32 && operation.ty.class() == Class::Signed => {
            Some(masked_sar::<R, true>)
        }
        OperationKind::Masked(BinaryOp::Shr) if operation.ty.bits() == 32 => Some(masked_shr::<R, true>),
        OperationKind::Chain(first, second) => uniform_chain(first, second),
        OperationKind::Funnel => Some(funnel::<R, true>),
        OperationKind::BytesOfTwo => Some(bytes_of_two::<R, true>),
        OperationKind::Call(Builtin::Bfe) if operation.ty.class() == Class::Signed => Some(bfe_signed::<R, true>),
        OperationKind::Call(Builtin::Bfe) => Some(bfe_unsigned::<R, true>),
        OperationKind::Call(Builtin::BytePerm) => Some(byte_perm::<R, true>),
        _ => None,
    }
}

/// A shift by a count modulo the width.
fn masked<R: Row>(op: BinaryOp, ty: Type) -> Option<Function<R>> {
    let signed = ty.class() == Class::Signed;
    Some(match (op, ty.bits()) {
        (BinaryOp::Shl, 32) => masked_shl::<R, false>,
        (BinaryOp::Shr, 32) if signed => masked_sar::<R, false>,
        (BinaryOp::Shr, 32) => masked_shr::<R, false>,
        (BinaryOp::Shl, 64) => masked_shl_wide::<R>,
        (BinaryOp::Shr, 64) if signed => masked_sar_wide::<R>,
        (BinaryOp::Shr, 64) => masked_shr_wide::<R>,
        _ => return None,
    })
}

/// The high dword of a product.
fn mul_high<R: Row>(a: Type, b: Type) -> Function<R> {
    match (a.class() == Class::Signed, b.class() == Class::Signed) {
        (true, true) => mul_high_signed::<R>,
        (false, false) => mul_high_unsigned::<R>,
        _ => super::general::<R>,
    }
}

/// A product of dwords plus 64 bits.
fn mul_add<R: Row>(a: Type, b: Type, c: Type) -> Function<R> {
    let signed = [a, b, c].map(|ty| ty.class() == Class::Signed);
    match signed {
        [false, false, false] => mul_add_rows::<R, false>,
        [true, true, true] => mul_add_rows::<R, true>,
        _ => super::general::<R>,
    }
}

/// Whether a type is one element of a class and a width.
fn is(ty: Type, class: Class, bits: u16) -> bool {
    ty == Type::new(class, bits, 1)
}

fn is_integer(ty: Type) -> bool {
    matches!(ty.class(), Class::Bits | Class::Unsigned | Class::Signed) && ty.lanes() == 1
}

fn unary<R: Row>(op: UnaryOp, ty: Type) -> Option<Function<R>> {
    Some(match op {
        UnaryOp::Not if ty.total_bits() == 1 => not_bool::<R>,
        UnaryOp::Not if is_integer(ty) && ty.bits() == 32 => not::<R>,
        UnaryOp::Neg if is_integer(ty) && ty.bits() == 32 => negate::<R>,
        UnaryOp::Neg if is(ty, Class::Float, 16) => negate_half::<R>,
        UnaryOp::Neg if is(ty, Class::Float, 64) => negate_double::<R>,
        _ => return None,
    })
}

/// A conversion.
fn cast<R: Row>(ty: Type, from: Type) -> Option<Function<R>> {
    let float = |ty| is(ty, Class::Float, 32);
    let int = |ty: Type| is(ty, Class::Signed, 32) || is(ty, Class::Unsigned, 32);
    if float(ty) && int(from) {
        return Some(int_to_float::<R>);
    }
    if let Some(function) = cast_float(ty, from) {
        return Some(function);
    }
    if !is_integer(ty) || !is_integer(from) || from.bits() > ty.bits() || ty.bits() > 64 {
        return None;
    }
    // Bits are not extended by their sign.
    let keeps_bits = from.bits() == ty.bits() || ty.class() == Class::Bits && from.class() == Class::Signed;
    match (from.bits(), ty.bits()) {
        (..=32, ..=32) if from.bits() == ty.bits() || from.class() != Class::Signed => Some(copy::<R>),
        (..=32, _) if !keeps_bits => Some(extend::<R>),
        _ => None,
    }
}

/// A conversion from or to floats of 32 and 64 bits.
fn cast_float<R: Row>(ty: Type, from: Type) -> Option<Function<R>> {
    let float = |ty: Type| ty.class() == Class::Float && ty.lanes() == 1;
    let int = |ty: Type| matches!(ty.class(), Class::Signed | Class::Unsigned) && ty.lanes() == 1 && ty.bits() <= 32;
    Some(match (from.bits(), ty.bits()) {
        (32, ..=32) if float(from) && int(ty) => float_to_integer::<R>,
        (64, ..=32) if float(from) && int(ty) => double_to_integer::<R>,
        _ if !float(ty) || !(float(from) || int(from)) => return None,
        (32, 64) if float(from) && float(ty) => float_to_double::<R>,
        (64, 32) if float(from) && float(ty) => double_to_float::<R>,
        (_, 64) if int(from) => integer_to_double::<R>,
        _ => return None,
    })
}

/// A builtin function.
fn call<R: Row>(builtin: Builtin, operation: &Operation) -> Option<Function<R>> {
    use Builtin as B;
    let ty = operation.ty;
    let all = |bits: u16| operation.args.iter().all(|arg| arg.ty.total_bits() == bits);
    let first = operation.args.first()?.ty;
    if let Some(function) = call_floats(builtin, operation) {
        return Some(function);
    }
    if is_integer(ty) {
        return Some(match builtin {
            B::Min | B::Max | B::Min3 | B::Max3 | B::Med3 | B::Minmax | B::Maxmin => return extreme(builtin, ty),
            B::Carry if first.bits() == 32 => carry::<R>,
            B::Borrow if first.bits() == 32 => borrow::<R>,
            B::Popcount if first.bits() == 32 => popcount::<R>,
            B::Clz if is_integer(first) && first.bits() == 32 && ty.bits() == 32 => clz::<R>,
            B::BytePerm if first.bits() == 64 => byte_perm::<R, false>,
            B::Join if all(32) && operation.args.len() <= 4 => join::<R>,
            B::Join if all(16) && operation.args.len() == 2 => join_halves::<R>,
            B::Join if is_small_join(operation) => join_small::<R>,
            _ => return None,
        });
    }
    if builtin == B::Join && all(32) && operation.args.len() <= 4 {
        return Some(join::<R>);
    }
    if builtin == B::Join && all(16) && operation.args.len() == 2 {
        return Some(join_halves::<R>);
    }
    if is_small_join(operation) {
        return Some(join_small::<R>);
    }
    if ty.class() != Class::Float || ty.lanes() != 1 {
        return None;
    }
    Some(match builtin {
        B::Abs if ty.bits() == 16 => abs_half::<R>,
        B::Abs if ty.bits() == 64 => abs_double::<R>,
        _ => return None,
    })
}

/// A builtin function of f32 or f64.
fn call_floats<R: Row>(builtin: Builtin, operation: &Operation) -> Option<Function<R>> {
    use Builtin as B;
    let first = operation.args.first()?.ty;
    let second_is = |class, bits| operation.args.get(1).is_some_and(|arg| is(arg.ty, class, bits));
    let is_single = is(first, Class::Float, 32);
    let is_plain = match builtin {
        B::Ldexp => second_is(Class::Signed, 32),
        B::Class => second_is(Class::Bits, 32),
        B::Omod => operation.args.get(1).is_some_and(|arg| is_integer(arg.ty) && arg.ty.bits() <= 32),
        _ => true,
    };
    if !is_plain || !is_single && !is(first, Class::Float, 64) {
        return None;
    }
    let of_either = if is_single { call_either::<R, u32>(builtin) } else { call_either::<R, u64>(builtin) };
    of_either.or_else(|| {
        Some(match builtin {
            B::Fma if is_single => fma_float::<R>,
            B::Fma => fma_double::<R>,
            B::Ldexp if is_single => ldexp_float::<R>,
            B::Ldexp => ldexp_double::<R>,
            B::Class if is_single => class_float::<R>,
            B::Class => class_double::<R>,
            B::DivFmas if is_single => div_fmas_float::<R>,
            B::DivFmas => div_fmas_double::<R>,
            B::Nearest if is_single => nearest_integer::<R>,
            B::Exp2 if is_single => exp2_float::<R>,
            B::Log2 if is_single => log2_float::<R>,
            B::Sin if is_single => sin_float::<R>,
            B::Cos if is_single => cos_float::<R>,
            _ => return None,
        })
    })
}

/// A builtin function that is written once for f32 and f64.
fn call_either<R: Row, F: Bits>(builtin: Builtin) -> Option<Function<R>> {
    use Builtin as B;
    Some(match builtin {
        B::Min => min_of::<R, F>,
        B::Minimum => minimum_of::<R, F>,
        B::Maximum => maximum_of::<R, F>,
        B::Max => max_of::<R, F>,
        B::Min3 => min3_of::<R, F>,
        B::Max3 => max3_of::<R, F>,
        B::Minmax => minmax_of::<R, F>,
        B::Maxmin => maxmin_of::<R, F>,
        B::Med3 => med3_of::<R, F>,
        B::Floor => floor_of::<R, F>,
        B::Ceil => ceil_of::<R, F>,
        B::Trunc => trunc_of::<R, F>,
        B::Rndne => rndne_of::<R, F>,
        B::Fract => fract_of::<R, F>,
        B::FrexpExp => frexp_exp_of::<R, F>,
        B::FrexpMant => frexp_mant_of::<R, F>,
        B::Clamp => clamp_of::<R, F>,
        B::Omod => omod_of::<R, F>,
        B::DivScale => div_scale_of::<R, F>,
        B::DivScaleFlag => div_scale_flag_of::<R, F>,
        B::DivFixup => div_fixup_of::<R, F>,
        B::Rcp => rcp_of::<R, F>,
        B::Sqrt => sqrt_of::<R, F>,
        B::Rsq => rsq_of::<R, F>,
        _ => return None,
    })
}

/// Whether an operation joins up to four values of less than 32 bits that fit a dword.
fn is_small_join(operation: &Operation) -> bool {
    let args = &operation.args;
    operation.kind == OperationKind::Call(Builtin::Join)
        && args.len() <= 4
        && args.iter().all(|arg| arg.ty.total_bits() < 32)
        && args.iter().map(|arg| arg.ty.total_bits()).sum::<u16>() <= operation.ty.total_bits().min(32)
}

/// One of two or three integers of 32 bits, chosen by their order.
fn extreme<R: Row>(builtin: Builtin, ty: Type) -> Option<Function<R>> {
    use Builtin as B;
    Some(match builtin {
        _ if ty.bits() != 32 || ty.class() == Class::Bits => return None,
        B::Min if ty.class() == Class::Signed => min_signed::<R>,
        B::Max if ty.class() == Class::Signed => max_signed::<R>,
        B::Min3 if ty.class() == Class::Signed => min3_signed::<R>,
        B::Max3 if ty.class() == Class::Signed => max3_signed::<R>,
        B::Med3 if ty.class() == Class::Signed => med3_signed::<R>,
        B::Minmax if ty.class() == Class::Signed => minmax_signed::<R>,
        B::Maxmin if ty.class() == Class::Signed => maxmin_signed::<R>,
        B::Min => min::<R>,
        B::Max => max::<R>,
        B::Min3 => min3::<R>,
        B::Max3 => max3::<R>,
        B::Med3 => med3::<R>,
        B::Minmax => minmax::<R>,
        B::Maxmin => maxmin::<R>,
        _ => return None,
    })
}

/// The function for a relation of f32 that no operator has.
fn related_floats<R: Row>(relation: Relation) -> Option<Function<R>> {
    Some(match relation {
        Relation::Lg => lg_float::<R>,
        Relation::Ordered => ordered_float::<R>,
        Relation::Unordered => unordered_float::<R>,
        _ => return None,
    })
}

fn binary<R: Row>(op: BinaryOp, a: Type, b: Type) -> Option<Function<R>> {
    use BinaryOp as B;
    if is(a, Class::Float, 32) {
        return Some(match op {
            B::Add => add_float::<R>,
            B::Sub => sub_float::<R>,
            B::Mul => mul_float::<R>,
            B::Eq => eq_float::<R>,
            B::Ne => ne_float::<R>,
            B::Lt => lt_float::<R>,
            B::Le => le_float::<R>,
            B::Gt => gt_float::<R>,
            B::Ge => ge_float::<R>,
            _ => return None,
        });
    }
    if is(a, Class::Float, 64) {
        return Some(match op {
            B::Add => add_double::<R>,
            B::Sub => sub_double::<R>,
            B::Mul => mul_double::<R>,
            B::Eq => eq_double::<R>,
            B::Ne => ne_double::<R>,
            B::Lt => lt_double::<R>,
            B::Le => le_double::<R>,
            B::Gt => gt_double::<R>,
            B::Ge => ge_double::<R>,
            _ => return None,
        });
    }
    let signed = a.class() == Class::Signed;
    if !is_integer(a) || !is_integer(b) {
        return None;
    }
    let narrow = a.bits() <= 32;
    Some(match op {
        B::And if narrow => and::<R>,
        B::Or if narrow => or::<R>,
        B::Xor if narrow => xor::<R>,
        B::Eq if narrow => eq::<R>,
        B::Ne if narrow => ne::<R>,
        B::Lt if narrow && !signed => lt::<R>,
        B::Le if narrow && !signed => le::<R>,
        B::Gt if narrow && !signed => gt::<R>,
        B::Ge if narrow && !signed => ge::<R>,
        B::Eq if a.bits() == 64 => eq_wide::<R>,
        B::Ne if a.bits() == 64 => ne_wide::<R>,
        B::Lt if a.bits() == 64 && signed => lt_wide_signed::<R>,
        B::Le if a.bits() == 64 && signed => le_wide_signed::<R>,
        B::Gt if a.bits() == 64 && signed => gt_wide_signed::<R>,
        B::Ge if a.bits() == 64 && signed => ge_wide_signed::<R>,
        B::Lt if a.bits() == 64 => lt_wide::<R>,
        B::Le if a.bits() == 64 => le_wide::<R>,
        B::Gt if a.bits() == 64 => gt_wide::<R>,
        B::Ge if a.bits() == 64 => ge_wide::<R>,
        B::And if a.bits() == 64 => and_wide::<R>,
        B::Or if a.bits() == 64 => or_wide::<R>,
        B::Xor if a.bits() == 64 => xor_wide::<R>,
        B::Add if a.bits() == 64 => add_wide::<R>,
        B::Sub if a.bits() == 64 => sub_wide::<R>,
        B::Mul if a.bits() == 64 => mul_wide::<R>,
        B::Shl if a.bits() == 64 && b.bits() <= 32 && b.class() != Class::Signed => shl_wide::<R>,
        B::Shr if a.bits() == 64 && b.bits() <= 32 && b.class() != Class::Signed && signed => sar_wide::<R>,
        B::Shr if a.bits() == 64 && b.bits() <= 32 && b.class() != Class::Signed => shr_wide::<R>,
        B::Add if a.bits() < 32 => add_narrow::<R>,
        B::Sub if a.bits() < 32 => sub_narrow::<R>,
        B::Mul if a.bits() < 32 => mul_narrow::<R>,
        _ if a.bits() != 32 => return None,
        B::Add => add::<R>,
        B::Sub => sub::<R>,
        B::Mul => mul::<R>,
        B::Lt => lt_signed::<R>,
        B::Le => le_signed::<R>,
        B::Gt => gt_signed::<R>,
        B::Ge => ge_signed::<R>,
        B::Shl if b.bits() <= 32 && b.class() != Class::Signed => shl::<R>,
        B::Shr if b.bits() <= 32 && b.class() != Class::Signed && signed => sar::<R>,
        B::Shr if b.bits() <= 32 && b.class() != Class::Signed => shr::<R>,
        _ => return None,
    })
}

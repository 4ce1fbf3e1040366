//! Conversions between types.

use isa_runtime::body::{Class, Type};

use crate::eval::{Typed, elementwise};
use crate::num;
use crate::operation::{Modes, extended, format};

/// Converts a value to a type: numbers keep their value, and class `b` on one side keeps the bits.
pub(crate) fn cast(ty: Type, a: Typed, modes: &Modes) -> u128 {
    let bits = |class| matches!(class, Class::Bits | Class::Mask);
    if bits(ty.class()) || bits(a.ty.class()) {
        return a.bits;
    }
    elementwise(ty, &[a], |args| number(ty, args[0], modes))
}

fn number(ty: Type, a: Typed, modes: &Modes) -> u128 {
    match (format(a.ty), format(ty)) {
        (Some(from), Some(to)) if from == to => a.bits,
        (Some(from), Some(to)) => num::convert(from, modes.of(from), to, modes.of(to), a.bits as u64).into(),
        (Some(from), None) if ty.class() == Class::Signed => {
            num::to_signed(from, a.bits as u64, ty.bits().into()) as u128
        }
        (Some(from), None) => num::to_unsigned(from, a.bits as u64, ty.bits().into()).into(),
        (None, Some(to)) if a.ty.class() == Class::Signed => {
            num::from_signed(to, modes.of(to), extended(a.bits, a.ty) as i64).into()
        }
        (None, Some(to)) => num::from_unsigned(to, modes.of(to), a.bits as u64).into(),
        (None, None) => extended(a.bits, a.ty) as u128,
    }
}

//! Types as rows and bodies write them: `f32`, `u16x2`, `b128`, `mask`.

pub use isa_body::{Class, Type};

use crate::error::Error;
use crate::spanned::SpannedStr;

/// The element widths that exist: of a register, of a part of one, or of several consecutive registers.
const WIDTHS: [u16; 19] = [1, 2, 4, 5, 8, 12, 16, 20, 21, 24, 32, 48, 64, 96, 128, 160, 192, 256, 512];

/// The type of all modifiers, for which rows write no type.
pub const MODIFIER: Type = Type::new(Class::Bits, 32, 1);

/// Splits a type into the class that its letters name, and the numbers after them: width and lanes, if they are numbers.
fn split(text: &str) -> Option<(Class, Option<u16>, Option<u8>)> {
    let (letters, size) = text.split_at(text.find(|c: char| c.is_ascii_digit()).unwrap_or(text.len()));
    let class = Class::ALL.into_iter().find(|class| *class != Class::Mask && class.letters() == letters)?;
    let (bits, lanes) = size.split_once('x').unwrap_or((size, "1"));
    Some((class, bits.parse().ok(), lanes.parse().ok().filter(|lanes| (1..=64).contains(lanes))))
}

/// Parses the type of an operand.
///
/// # Errors
/// The class or the width does not exist.
pub fn parse(name: &SpannedStr) -> Result<Type, Error> {
    let text = name.as_str();
    if text == Class::Mask.letters() {
        return Ok(Type::new(Class::Mask, 0, 1));
    }
    let Some((class, bits, lanes)) = split(text) else {
        let message = format!("unknown operand type `{text}`");
        let help = "write `b`, `u`, `i`, `iu`, `f` or `bf` and a width in bits, such as `u32`, then `xN` for several elements; or `mask`";
        return Err(Error::with_help(name.span(), message, help));
    };
    let (Some(bits), Some(lanes)) = (bits.filter(|bits| WIDTHS.contains(bits)), lanes) else {
        let message = format!("no register file has operands of the type `{text}`");
        let help = format!("the widths are {WIDTHS:?} bits, and the most elements are `x64`");
        return Err(Error::with_help(name.span(), message, help));
    };
    Ok(Type::new(class, bits, lanes))
}

/// Parses the type of a value inside a body: `bool`, or a type of any width up to 512 bits.
///
/// # Errors
/// The class or the width does not exist.
pub fn parse_value(name: &SpannedStr) -> Result<Type, Error> {
    let text = name.as_str();
    if text == "bool" {
        return Ok(Type::BOOL);
    }
    let Some((class, Some(bits), Some(lanes))) = split(text) else { return Err(no_value_type(name)) };
    let is_valid = match class {
        Class::BFloat => matches!(bits, 8 | 16),
        Class::Float => matches!(bits, 8 | 16 | 32 | 64),
        Class::EitherSign => false,
        _ => (1..=512).contains(&bits),
    };
    if is_valid { Ok(Type::new(class, bits, lanes)) } else { Err(no_value_type(name)) }
}

fn no_value_type(name: &SpannedStr) -> Error {
    let help = "write `bool`, or `b`, `u`, `i`, `f` or `bf` and a width in bits: `u32`, `f16x2`";
    Error::with_help(name.span(), format!("`{}` is not a type of values", name.as_str()), help)
}

/// Evaluates `role is NAME`. Returns `None` if `name` is neither a group of classes, nor `packed`, nor a width.
#[must_use]
pub fn is(ty: Type, name: &str) -> Option<bool> {
    Some(match name {
        "float" => ty.is_float(),
        "int" => matches!(ty.class(), Class::Unsigned | Class::Signed | Class::EitherSign),
        "bits" => ty.class() == Class::Bits,
        "mask" => ty.class() == Class::Mask,
        "packed" => ty.lanes() > 1,
        width => ty.bits() == width.parse::<u16>().ok()?,
    })
}
#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Type, String> {
        super::parse(&SpannedStr::new(text.to_string(), proc_macro2::Span::call_site())).map_err(|error| error.message)
    }

    #[test]
    fn types_have_an_element_kind_a_width_and_lanes() {
        let ty = |element, bits, lanes| Ok(Type::new(element, bits, lanes));
        assert_eq!(parse("u32"), ty(Class::Unsigned, 32, 1));
        assert_eq!(parse("f16x2"), ty(Class::Float, 16, 2));
        assert_eq!(parse("bf16"), ty(Class::BFloat, 16, 1));
        assert_eq!(parse("iu4x8"), ty(Class::EitherSign, 4, 8));
        assert_eq!(parse("b512"), ty(Class::Bits, 512, 1));
        assert_eq!(parse("i1x64"), ty(Class::Signed, 1, 64));
        assert_eq!(parse("mask"), ty(Class::Mask, 0, 1));
    }

    #[test]
    fn unknown_types_are_rejected() {
        for unknown in ["word", "ui32", "x2", "maskx2"] {
            assert!(parse(unknown).is_err_and(|e| e.contains("unknown operand type")), "{unknown}");
        }
        for width in ["u33", "u", "u0", "f16x0", "f16x65", "f16x", "b99999"] {
            assert!(parse(width).is_err_and(|e| e.contains("no register file")), "{width}");
        }
    }

    #[test]
    fn types_are_tested_by_element_kind_and_width() {
        let is = |ty: &str, name: &str| parse(ty).ok().and_then(|ty| super::is(ty, name));
        assert_eq!(is("bf16", "float"), Some(true));
        assert_eq!(is("iu8", "int"), Some(true));
        assert_eq!(is("b32", "int"), Some(false));
        assert_eq!(is("f16x2", "16"), Some(true));
        assert_eq!(is("f16x2", "32"), Some(false));
        assert_eq!(is("f16", "packed"), Some(false));
        assert_eq!(is("mask", "mask"), Some(true));
        assert_eq!(is("u32", "wide"), None);
    }
}

//! Operand types: `f32`, `u16x2`, `b128`, `mask`.

use std::fmt;

pub use isa_body::Class;
use isa_body::Type;

use crate::error::Error;
use crate::spanned::SpannedStr;

/// The type of an operand: elements of one kind and width.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Ty {
    /// The meaning of an element's bits.
    pub element: Class,
    /// The width of an element in bits, 0 for a mask.
    pub bits: u16,
    /// The number of elements.
    pub lanes: u8,
}

/// The element widths that exist: of a register, of a part of one, or of several consecutive registers.
const WIDTHS: [u16; 19] = [1, 2, 4, 5, 8, 12, 16, 20, 21, 24, 32, 48, 64, 96, 128, 160, 192, 256, 512];

impl Ty {
    /// The type of all modifiers, for which rows write no type.
    pub const MODIFIER: Ty = Ty { element: Class::Bits, bits: 32, lanes: 1 };

    /// Parses a type.
    ///
    /// # Errors
    /// The element kind or the width does not exist.
    pub fn parse(name: &SpannedStr) -> Result<Ty, Error> {
        let text = name.as_str();
        if text == "mask" {
            return Ok(Ty { element: Class::Mask, bits: 0, lanes: 1 });
        }
        let letters = text.find(|c: char| c.is_ascii_digit()).unwrap_or(text.len());
        let (element, size) = text.split_at(letters);
        let element = match element {
            "b" => Class::Bits,
            "u" => Class::Unsigned,
            "i" => Class::Signed,
            "iu" => Class::EitherSign,
            "f" => Class::Float,
            "bf" => Class::BFloat,
            _ => {
                let message = format!("unknown operand type `{text}`");
                let help = "write `b`, `u`, `i`, `iu`, `f` or `bf` and a width in bits, such as `u32`, then `xN` for several elements; or `mask`";
                return Err(Error::with_help(name.span(), message, help));
            }
        };
        let (bits, lanes) = match size.split_once('x') {
            None => (size.parse().ok(), Some(1u8)),
            Some((b, n)) => (b.parse().ok(), n.parse().ok()),
        };
        let fits = |b: &u16| WIDTHS.contains(b);
        let (Some(bits), Some(lanes)) = (bits.filter(fits), lanes.filter(|n| (1..=64).contains(n))) else {
            let message = format!("no register file has operands of the type `{text}`");
            let help = format!("the widths are {WIDTHS:?} bits, and the most elements are `x64`");
            return Err(Error::with_help(name.span(), message, help));
        };
        Ok(Ty { element, bits, lanes })
    }

    /// One bit that is a truth value.
    pub const BOOL: Ty = Ty { element: Class::Unsigned, bits: 1, lanes: 1 };

    /// Parses the type of a value inside a body: `bool`, or a type of any width up to 512 bits.
    ///
    /// # Errors
    /// The element kind or the width does not exist.
    pub fn parse_value(name: &SpannedStr) -> Result<Ty, Error> {
        let text = name.as_str();
        if text == "bool" {
            return Ok(Ty::BOOL);
        }
        let kinds = [
            ("bf", Class::BFloat),
            ("b", Class::Bits),
            ("u", Class::Unsigned),
            ("i", Class::Signed),
            ("f", Class::Float),
        ];
        let found = kinds.iter().find_map(|(prefix, element)| {
            let size = text.strip_prefix(prefix)?;
            let (bits, lanes) = size.split_once('x').unwrap_or((size, "1"));
            let (bits, lanes) = (bits.parse().ok()?, lanes.parse().ok()?);
            let is_valid = match element {
                Class::BFloat => matches!(bits, 8 | 16),
                Class::Float => matches!(bits, 8 | 16 | 32 | 64),
                _ => (1..=512).contains(&bits),
            };
            (is_valid && (1..=64).contains(&lanes)).then_some(Ty { element: *element, bits, lanes })
        });
        found.ok_or_else(|| {
            let help = "write `bool`, or `b`, `u`, `i`, `f` or `bf` and a width in bits: `u32`, `f16x2`";
            Error::with_help(name.span(), format!("`{text}` is not a type of values"), help)
        })
    }

    /// Returns the width of all elements in bits.
    #[must_use]
    pub fn total_bits(self) -> u32 {
        u32::from(self.bits) * u32::from(self.lanes)
    }

    /// Returns whether elements are integers of a known sign.
    pub(crate) fn is_integer(self) -> bool {
        matches!(self.element, Class::Unsigned | Class::Signed)
    }

    /// Returns whether elements are floating-point numbers.
    pub(crate) fn is_float(self) -> bool {
        matches!(self.element, Class::Float | Class::BFloat)
    }

    /// Returns the type as the bytecode has it.
    pub(crate) fn encoded(self) -> Type {
        Type::new(self.element, self.bits, self.lanes)
    }

    /// Returns whether elements are floating-point numbers of 8 bits, which have conversions and no arithmetic.
    pub(crate) fn is_small_float(self) -> bool {
        self.is_float() && self.bits == 8
    }

    /// Evaluates `role is NAME`. Returns `None` if `name` is neither a group of element kinds, nor `packed`, nor a width.
    pub fn is(self, name: &str) -> Option<bool> {
        Some(match name {
            "float" => matches!(self.element, Class::Float | Class::BFloat),
            "int" => matches!(self.element, Class::Unsigned | Class::Signed | Class::EitherSign),
            "bits" => self.element == Class::Bits,
            "mask" => self.element == Class::Mask,
            "packed" => self.lanes > 1,
            width => self.bits == width.parse::<u16>().ok()?,
        })
    }
}

impl fmt::Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Ty::BOOL { f.write_str("bool") } else { self.encoded().fmt(f) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Ty, String> {
        Ty::parse(&SpannedStr::new(text.to_string(), proc_macro2::Span::call_site())).map_err(|error| error.message)
    }

    #[test]
    fn types_have_an_element_kind_a_width_and_lanes() {
        let ty = |element, bits, lanes| Ok(Ty { element, bits, lanes });
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
        let is = |ty: &str, name: &str| parse(ty).ok().and_then(|ty| ty.is(name));
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

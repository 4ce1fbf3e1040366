//! Types of operands: `f32`, `u16x2`, `b128`, `mask`.

use crate::fault::Fault;
use crate::tree::Text;

/// A type as a row writes it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Ty {
    /// What its bits mean.
    pub class: Class,
    /// The bits of one element.
    pub bits: u16,
    /// How many elements.
    pub lanes: u8,
}

/// What the bits of an operand mean.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Class {
    /// `b`: bits without a meaning.
    Bits,
    /// `u`: numbers from 0.
    Unsigned,
    /// `i`: numbers of two's complement.
    Signed,
    /// `iu`: either of the two, by a modifier.
    EitherSign,
    /// `f`: floating-point numbers of IEEE 754.
    Float,
    /// `bf`: those with the exponent of 32 bits.
    BFloat,
    /// `mask`: a bit for each lane.
    Mask,
}

/// The widths of one element that a register, a part of one or a group of them can have.
const WIDTHS: [u16; 19] = [1, 2, 4, 5, 8, 12, 16, 20, 21, 24, 32, 48, 64, 96, 128, 160, 192, 256, 512];

impl Ty {
    /// What a modifier has for a type: none is written.
    pub const WORD: Ty = Ty { class: Class::Bits, bits: 32, lanes: 1 };

    /// The type of this name.
    ///
    /// # Errors
    /// That it is none, and what is one.
    pub fn parse(name: &Text) -> Result<Ty, Fault> {
        let text = name.as_str();
        if text == "mask" {
            return Ok(Ty { class: Class::Mask, bits: 0, lanes: 1 });
        }
        let letters = text.find(|c: char| c.is_ascii_digit()).unwrap_or(text.len());
        let (class, size) = text.split_at(letters);
        let class = match class {
            "b" => Class::Bits,
            "u" => Class::Unsigned,
            "i" => Class::Signed,
            "iu" => Class::EitherSign,
            "f" => Class::Float,
            "bf" => Class::BFloat,
            _ => {
                let say = format!(
                    "unknown type `{text}`: write a class (b, u, i, iu, f, bf) and a width in bits, such as `u32`, with `xN` for several, or `mask`"
                );
                return Err(Fault::new(name.span(), say));
            }
        };
        let (bits, lanes) = match size.split_once('x') {
            None => (size.parse().ok(), Some(1u8)),
            Some((b, n)) => (b.parse().ok(), n.parse().ok()),
        };
        let fits = |b: &u16| WIDTHS.contains(b);
        let (Some(bits), Some(lanes)) = (bits.filter(fits), lanes.filter(|n| (1..=64).contains(n))) else {
            let say = format!(
                "`{text}`: no register file has operands of this width; widths are {WIDTHS:?} bits and up to x64 of them"
            );
            return Err(Fault::new(name.span(), say));
        };
        Ok(Ty { class, bits, lanes })
    }

    /// Whether `ROLE is NAME` holds; `None` if the name is no class and no width.
    pub fn is(self, name: &str) -> Option<bool> {
        Some(match name {
            "float" => matches!(self.class, Class::Float | Class::BFloat),
            "int" => matches!(self.class, Class::Unsigned | Class::Signed | Class::EitherSign),
            "bits" => self.class == Class::Bits,
            "mask" => self.class == Class::Mask,
            "packed" => self.lanes > 1,
            width => self.bits == width.parse::<u16>().ok()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Ty, String> {
        Ty::parse(&Text::new(text.to_string(), proc_macro2::Span::call_site())).map_err(|fault| fault.text)
    }

    #[test]
    fn types_are_a_class_a_width_and_lanes() {
        let ty = |class, bits, lanes| Ok(Ty { class, bits, lanes });
        assert_eq!(parse("u32"), ty(Class::Unsigned, 32, 1));
        assert_eq!(parse("f16x2"), ty(Class::Float, 16, 2));
        assert_eq!(parse("bf16"), ty(Class::BFloat, 16, 1));
        assert_eq!(parse("iu4x8"), ty(Class::EitherSign, 4, 8));
        assert_eq!(parse("b512"), ty(Class::Bits, 512, 1));
        assert_eq!(parse("i1x64"), ty(Class::Signed, 1, 64));
        assert_eq!(parse("mask"), ty(Class::Mask, 0, 1));
    }

    #[test]
    fn what_is_none_is_refused() {
        for unknown in ["word", "ui32", "x2", "maskx2"] {
            assert!(parse(unknown).is_err_and(|e| e.contains("unknown type")), "{unknown}");
        }
        for width in ["u33", "u", "u0", "f16x0", "f16x65", "f16x", "b99999"] {
            assert!(parse(width).is_err_and(|e| e.contains("no register file")), "{width}");
        }
    }

    #[test]
    fn classes_and_widths_are_asked() {
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

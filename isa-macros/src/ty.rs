//! Types of operands: `f32`, `u16x2`, `b128`, `mask`.

use proc_macro2::Ident;

/// A type as a row writes it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Ty {
    pub class: Class,
    pub bits: u16,
    pub lanes: u8,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Class {
    Bits,
    Unsigned,
    Signed,
    EitherSign,
    Float,
    BFloat,
    Mask,
}

/// The widths of one element that a register, a part of one or a group of them can have.
const WIDTHS: [u16; 19] = [1, 2, 4, 5, 8, 12, 16, 20, 21, 24, 32, 48, 64, 96, 128, 160, 192, 256, 512];

impl Ty {
    /// What a modifier has for a type: none is written.
    pub const WORD: Ty = Ty { class: Class::Bits, bits: 32, lanes: 1 };

    pub fn parse(name: &Ident) -> syn::Result<Ty> {
        let text = name.to_string();
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
                return Err(syn::Error::new(name.span(), say));
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
            return Err(syn::Error::new(name.span(), say));
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

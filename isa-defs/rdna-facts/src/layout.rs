//! How a 32-bit word is laid out: one list of fields makes the typed bitfield, its text and its table.

use core::fmt;

/// A field of a register or of another word.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Field {
    /// The guide's name; empty for bits without a meaning.
    pub name: &'static str,
    /// The lowest bit.
    pub lo: u8,
    /// How many bits.
    pub width: u8,
}

impl Field {
    /// The value of the field in `word`.
    #[must_use]
    pub const fn of(&self, word: u32) -> u32 {
        word >> self.lo & (u32::MAX >> (32 - self.width as u32))
    }
}

/// Fields from bit 0 up, each with its width.
pub(crate) const fn place<const N: usize>(widths: [(&'static str, u8); N]) -> [Field; N] {
    let mut fields = [Field { name: "", lo: 0, width: 1 }; N];
    let (mut i, mut lo) = (0, 0);
    while i < N {
        let (name, width) = widths[i];
        fields[i] = Field { name, lo, width };
        lo += width;
        i += 1;
    }
    assert!(lo == 32, "the fields of a word have 32 bits together");
    fields
}

/// `SCC=1 PRIV=1`: the fields that are not zero, or `0`.
pub(crate) fn write(fields: &[Field], word: u32, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut blank = "";
    for field in fields.iter().filter(|x| !x.name.is_empty() && x.of(word) != 0) {
        write!(f, "{blank}{}={}", field.name, field.of(word))?;
        blank = " ";
    }
    if blank.is_empty() { f.write_str("0") } else { Ok(()) }
}

/// A word of 32 bits: for each field from bit 0 up its doc comment, accessor, type, width and the guide's name. Bits
/// without a meaning are `__: u32 = 3, ""`.
macro_rules! layout {
    ($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident: $ty:ident = $width:literal, $guide:literal;)* }) => {
        $(#[$doc])*
        #[bitfield_struct::bitfield(u32)]
        #[derive(PartialEq, Eq, Hash)]
        pub struct $name { $($(#[$field_doc])* #[bits($width)] pub $field: $ty,)* }

        impl $name {
            /// Its fields as a table, the lowest first.
            pub const FIELDS: &'static [$crate::layout::Field] = &$crate::layout::place([$(($guide, $width)),*]);
        }

        impl core::fmt::Display for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                $crate::layout::write(Self::FIELDS, self.into_bits(), f)
            }
        }
    };
}
pub(crate) use layout;

//! Layouts of up to 128 bits, with getters, builders and checks.

/// Declares a layout from its lowest bit up: `name: Type = width`, with `_ = width` before a field for reserved bits, and `; _ = width` after the last.
///
/// It generates a bitfield-struct layout with a getter for each field, `from_words` and `to_words`, and a struct of
/// plain values whose `build` checks each of them. Types are integers, `bool`, or types with `from_bits`, `into_bits`
/// and [`Coded`](crate::Coded).
#[macro_export]
macro_rules! descriptor {
    (
        $(#[$doc:meta])*
        pub struct $name:ident [$int:ident; $words:literal], values $values:ident {
            $( $(_ = $gap:literal,)? $(#[$field_doc:meta])* $field:ident: $ty:ident = $width:literal, )*
            $(; _ = $rest:literal)?
        }
    ) => {
        $(#[$doc])*
        #[$crate::__private::bitfield($int, debug = false, new = false, default = false)]
        #[derive(PartialEq, Eq, Hash)]
        pub struct $name {
            $(
                $( #[bits($gap)] __: $int, )?
                $(#[$field_doc])*
                #[bits($width, access = RO)]
                pub $field: $ty,
            )*
            $( #[bits($rest)] __: $int, )?
        }

        #[doc = concat!("The values of a [`", stringify!($name), "`], read from one or to build one from.")]
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
        pub struct $values {
            $( $(#[$field_doc])* pub $field: $ty, )*
        }

        impl $values {
            /// Builds the descriptor with these values, and zero in reserved bits.
            ///
            /// # Errors
            /// The first value that its field cannot hold.
            pub fn build(&self) -> $crate::__private::core::result::Result<$name, $crate::FieldError> {
                let mut bits: $int = 0;
                let mut at = 0u32;
                $(
                    $( at += $gap; )?
                    match $crate::Coded::encode(self.$field, $width) {
                        $crate::__private::core::result::Result::Ok(code) => bits |= (code as $int) << at,
                        $crate::__private::core::result::Result::Err($crate::Refused { value, allowed }) => {
                            return $crate::__private::core::result::Result::Err($crate::FieldError {
                                descriptor: stringify!($name),
                                field: stringify!($field),
                                value,
                                allowed,
                            });
                        }
                    }
                    at += $width;
                )*
                let _ = at;
                $crate::__private::core::result::Result::Ok($name::from_bits(bits))
            }
        }

        impl $name {
            /// The fields, the lowest first: name, lowest bit, width in bits.
            pub const FIELDS: &'static [(&'static str, u32, u32)] = {
                let mut at = 0u32;
                &[$({
                    $( at += $gap; )?
                    at += $width;
                    (stringify!($field), at - $width, $width)
                }),*]
            };

            /// The values of all fields.
            #[must_use]
            pub const fn values(self) -> $values {
                $values { $( $field: self.$field(), )* }
            }

            /// Reads a descriptor from its dwords, the lowest first.
            #[must_use]
            pub const fn from_words(words: [u32; $words]) -> Self {
                let mut bits: $int = 0;
                let mut i = $words;
                while i > 0 {
                    i -= 1;
                    bits |= (words[i] as $int) << (32 * i);
                }
                Self::from_bits(bits)
            }

            /// The dwords, the lowest first.
            #[must_use]
            pub const fn to_words(self) -> [u32; $words] {
                let bits = self.into_bits();
                let mut words = [0; $words];
                let mut i = 0;
                while i < $words {
                    words[i] = (bits >> (32 * i)) as u32;
                    i += 1;
                }
                words
            }

            /// The bits that are set outside all fields.
            #[must_use]
            pub const fn reserved(self) -> $int {
                let mut mask: $int = 0;
                let mut at = 0u32;
                $(
                    $( at += $gap; )?
                    mask |= ($crate::field::max($width) as $int) << at;
                    at += $width;
                )*
                let _ = at;
                self.into_bits() & !mask
            }
        }

        impl $crate::__private::core::fmt::Debug for $name {
            fn fmt(&self, f: &mut $crate::__private::core::fmt::Formatter<'_>) -> $crate::__private::core::fmt::Result {
                let mut out = f.debug_struct(stringify!($name));
                $( out.field(stringify!($field), &self.$field()); )*
                if self.reserved() != 0 {
                    out.field("reserved", &format_args!("{:#x}", self.reserved()));
                }
                out.finish()
            }
        }
    };
}

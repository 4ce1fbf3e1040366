//! Enums whose variants are the codes of a field.

/// Declares an enum of codes: `pub enum Name { /// What it means. Variant = 4 "name", … }`.
///
/// A code without a variant is `Reserved(code)`, which prints as its number and which builders refuse. A list with
/// every code of its field is declared `enum Name: full` and has no such variant. The first variant is the default.
#[macro_export]
macro_rules! codes {
    (
        $(#[$doc:meta])*
        pub enum $name:ident {
            $(#[$first_doc:meta])* $first:ident = $first_code:literal $first_text:literal,
            $( $(#[$variant_doc:meta])* $variant:ident = $code:literal $text:literal, )*
        }
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
        pub enum $name {
            $(#[$first_doc])*
            #[doc = concat!("Code ", stringify!($first_code), ": `", $first_text, "`.")]
            #[default]
            $first,
            $(
                $(#[$variant_doc])*
                #[doc = concat!("Code ", stringify!($code), ": `", $text, "`.")]
                $variant,
            )*
            /// A code without a meaning.
            Reserved(u8),
        }

        impl $name {
            /// Returns the variant of a code.
            #[must_use]
            pub const fn from_bits(code: u8) -> Self {
                match code {
                    $first_code => $name::$first,
                    $( $code => $name::$variant, )*
                    _ => $name::Reserved(code),
                }
            }

            /// The code.
            #[must_use]
            pub const fn into_bits(self) -> u8 {
                match self {
                    $name::$first => $first_code,
                    $( $name::$variant => $code, )*
                    $name::Reserved(code) => code,
                }
            }

            /// The name; `None` for a reserved code.
            #[must_use]
            pub const fn name(self) -> $crate::__private::core::option::Option<&'static str> {
                match self {
                    $name::$first => $crate::__private::core::option::Option::Some($first_text),
                    $( $name::$variant => $crate::__private::core::option::Option::Some($text), )*
                    $name::Reserved(_) => $crate::__private::core::option::Option::None,
                }
            }
        }

        $crate::codes!(@common $name { $first = $first_code $first_text, $( $variant = $code $text, )* });

        impl $crate::__private::core::fmt::Display for $name {
            fn fmt(&self, f: &mut $crate::__private::core::fmt::Formatter<'_>) -> $crate::__private::core::fmt::Result {
                match self.name() {
                    $crate::__private::core::option::Option::Some(name) => f.pad(name),
                    $crate::__private::core::option::Option::None => write!(f, "reserved ({})", self.into_bits()),
                }
            }
        }
    };
    (
        $(#[$doc:meta])*
        pub enum $name:ident: full {
            $(#[$first_doc:meta])* $first:ident = $first_code:literal $first_text:literal,
            $( $(#[$variant_doc:meta])* $variant:ident = $code:literal $text:literal, )*
        }
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
        pub enum $name {
            $(#[$first_doc])*
            #[doc = concat!("Code ", stringify!($first_code), ": `", $first_text, "`.")]
            #[default]
            $first = $first_code,
            $(
                $(#[$variant_doc])*
                #[doc = concat!("Code ", stringify!($code), ": `", $text, "`.")]
                $variant = $code,
            )*
        }

        impl $name {
            /// Returns the variant of a code; bits beyond the field are ignored.
            #[must_use]
            pub const fn from_bits(code: u8) -> Self {
                // The list has every code of the field, so its length is a power of two.
                match code & (Self::CODES.len() as u8 - 1) {
                    $( $code => $name::$variant, )*
                    _ => $name::$first,
                }
            }

            /// The code.
            #[must_use]
            pub const fn into_bits(self) -> u8 {
                self as u8
            }

            /// The name.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $name::$first => $first_text,
                    $( $name::$variant => $text, )*
                }
            }
        }

        const _: () = assert!($name::CODES.len().is_power_of_two());

        $crate::codes!(@common $name { $first = $first_code $first_text, $( $variant = $code $text, )* });

        impl $crate::__private::core::fmt::Display for $name {
            fn fmt(&self, f: &mut $crate::__private::core::fmt::Formatter<'_>) -> $crate::__private::core::fmt::Result {
                f.pad(self.name())
            }
        }
    };
    (@common $name:ident { $( $variant:ident = $code:literal $text:literal, )* }) => {
        impl $name {
            /// The codes that are not reserved, with their names.
            pub const CODES: &'static [(u8, &'static str)] = &[ $( ($code, $text), )* ];

            /// All variants that are not reserved.
            pub const ALL: &'static [$name] = &[ $( $name::$variant, )* ];

            /// Returns the variant with this name.
            #[must_use]
            pub fn from_name(name: &str) -> $crate::__private::core::option::Option<Self> {
                $crate::__private::core::iter::Iterator::find_map(
                    &mut Self::CODES.iter(),
                    |(code, text)| (*text == name).then(|| Self::from_bits(*code)),
                )
            }
        }

        impl $crate::Coded for $name {
            fn encode(self, bits: u32) -> $crate::__private::core::result::Result<u128, $crate::Refused> {
                let code = self.into_bits();
                if Self::CODES.iter().any(|(c, _)| *c == code) && (code as u128) <= $crate::field::max(bits) {
                    return $crate::__private::core::result::Result::Ok(code as u128);
                }
                let most = $crate::field::max(bits);
                let allowed = if code as u128 > most {
                    $crate::Allowed::Range(0, most as i128)
                } else {
                    $crate::Allowed::Codes(Self::CODES)
                };
                $crate::__private::core::result::Result::Err($crate::Refused { value: code as i128, allowed })
            }
        }
    };
}

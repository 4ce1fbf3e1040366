//! The schema by which LLVM verifies metadata, and the types that it converts scalars to.

use std::fmt;

use super::number::{ScalarTag, scalar};
use super::value::{Key, Value};

/// The type that a value must have.
#[derive(Debug)]
pub enum Rule {
    /// A whole number.
    Integer,
    /// A truth value.
    Bool,
    /// A text.
    Text,
    /// One of these texts.
    OneOf(&'static [&'static str]),
    /// An array of such elements, of this length if there is one.
    Array(&'static Rule, Option<usize>),
    /// A map with these entries among others.
    Map(&'static [Entry]),
    /// Anything.
    Any,
}

/// An entry of a map.
#[derive(Debug)]
pub struct Entry {
    pub key: &'static str,
    pub is_required: bool,
    pub rule: Rule,
}

/// Why a document is not metadata of code objects.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum MetadataError {
    /// A required entry is missing.
    Missing {
        /// The entry, as in `amdhsa.kernels[0].name`.
        path: String,
    },
    /// A value has the wrong type.
    Type {
        /// The entry.
        path: String,
        /// The type that it must have.
        expected: &'static str,
    },
    /// A text is none of those that are valid.
    Text {
        /// The entry.
        path: String,
        /// The text.
        text: String,
        /// The texts that are valid.
        valid: &'static [&'static str],
    },
    /// An array has the wrong length.
    Length {
        /// The entry.
        path: String,
        /// How many elements it has.
        len: usize,
        /// How many it has to have.
        expected: usize,
    },
}

impl fmt::Display for MetadataError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing { path } => write!(f, "the metadata lacks `{path}`"),
            Self::Type { path, expected } => write!(f, "`{path}` in the metadata is not {expected}"),
            Self::Text { path, text, valid } => {
                write!(f, "`{path}` in the metadata is `{text}`, which is none of `{}`", valid.join("`, `"))
            }
            Self::Length { path, len, expected } => {
                write!(f, "`{path}` in the metadata has {len} elements instead of {expected}")
            }
        }
    }
}

impl std::error::Error for MetadataError {}

/// Checks a value. As in LLVM, a text is converted to the expected type if it has the form of such a value.
pub fn verify(value: &mut Value, rule: &Rule, path: &mut String) -> Result<(), MetadataError> {
    let expected = |expected| MetadataError::Type { path: path.clone(), expected };
    match rule {
        Rule::Any => Ok(()),
        Rule::Integer => convert(value, |value| matches!(value, Value::Int(_) | Value::UInt(_)))
            .ok_or_else(|| expected("a whole number")),
        Rule::Bool => convert(value, |value| matches!(value, Value::Bool(_))).ok_or_else(|| expected("a truth value")),
        Rule::Text => match value {
            Value::Text(_) => Ok(()),
            _ => Err(expected("a text, which needs the tag `!str` if it looks like a number or is empty")),
        },
        Rule::OneOf(valid) => match value {
            Value::Text(text) if valid.contains(&text.as_str()) => Ok(()),
            Value::Text(text) => Err(MetadataError::Text { path: path.clone(), text: text.clone(), valid }),
            _ => Err(expected("a text")),
        },
        Rule::Array(rule, len) => {
            let Value::Array(elements) = value else { return Err(expected("an array")) };
            if let Some(expected) = len.filter(|len| *len != elements.len()) {
                return Err(MetadataError::Length { path: path.clone(), len: elements.len(), expected });
            }
            for (nth, element) in elements.iter_mut().enumerate() {
                within(path, &format!("[{nth}]"), |path| verify(element, rule, path))?;
            }
            Ok(())
        }
        Rule::Map(rules) => {
            let Value::Map(entries) = value else { return Err(expected("a map")) };
            for Entry { key, is_required, rule } in *rules {
                let step = if key.starts_with('.') || path.is_empty() { (*key).into() } else { format!(".{key}") };
                within(path, &step, |path| match entries.get_mut(&Key::from(*key)) {
                    Some(value) => verify(value, rule, path),
                    None if *is_required => Err(MetadataError::Missing { path: path.clone() }),
                    None => Ok(()),
                })?;
            }
            Ok(())
        }
    }
}

/// Calls `f` with the path one step longer.
fn within<T>(path: &mut String, step: &str, f: impl FnOnce(&mut String) -> T) -> T {
    let len = path.len();
    path.push_str(step);
    let result = f(path);
    path.truncate(len);
    result
}

fn convert(value: &mut Value, is_expected: impl Fn(&Value) -> bool) -> Option<()> {
    if let Value::Text(text) = value {
        *value = scalar(text, ScalarTag::None).ok()?;
    }
    is_expected(value).then_some(())
}

/// A Rust type that a value converts to.
pub trait Typed: Sized {
    const RULE: Rule;

    /// The value; `None` if the entry is left out.
    fn to_value(&self) -> Option<Value>;

    /// Converts an entry back; `None` if it is absent or too large.
    fn from_value(value: Option<&Value>) -> Option<Self>;
}

impl Typed for u64 {
    const RULE: Rule = Rule::Integer;

    fn to_value(&self) -> Option<Value> {
        Some(Value::UInt(*self))
    }

    fn from_value(value: Option<&Value>) -> Option<Self> {
        value?.as_u64()
    }
}

impl Typed for u32 {
    const RULE: Rule = Rule::Integer;

    fn to_value(&self) -> Option<Value> {
        u64::from(*self).to_value()
    }

    fn from_value(value: Option<&Value>) -> Option<Self> {
        u64::from_value(value)?.try_into().ok()
    }
}

impl Typed for bool {
    const RULE: Rule = Rule::Bool;

    fn to_value(&self) -> Option<Value> {
        Some(Value::Bool(*self))
    }

    fn from_value(value: Option<&Value>) -> Option<Self> {
        match value? {
            Value::Bool(value) => Some(*value),
            _ => None,
        }
    }
}

impl Typed for String {
    const RULE: Rule = Rule::Text;

    fn to_value(&self) -> Option<Value> {
        Some(Value::Text(self.clone()))
    }

    fn from_value(value: Option<&Value>) -> Option<Self> {
        value?.as_text().map(String::from)
    }
}

impl<T: Typed + 'static> Typed for Option<T> {
    const RULE: Rule = T::RULE;

    fn to_value(&self) -> Option<Value> {
        self.as_ref()?.to_value()
    }

    fn from_value(value: Option<&Value>) -> Option<Self> {
        match value {
            None => Some(None),
            Some(_) => T::from_value(value).map(Some),
        }
    }
}

impl<T: Typed + 'static> Typed for Vec<T> {
    const RULE: Rule = Rule::Array(&T::RULE, None);

    fn to_value(&self) -> Option<Value> {
        Some(Value::Array(self.iter().filter_map(Typed::to_value).collect()))
    }

    fn from_value(value: Option<&Value>) -> Option<Self> {
        match value {
            Some(Value::Array(elements)) => elements.iter().map(|element| T::from_value(Some(element))).collect(),
            Some(_) => None,
            None => Some(Self::new()),
        }
    }
}

impl<T: Typed + 'static, const N: usize> Typed for [T; N] {
    const RULE: Rule = Rule::Array(&T::RULE, Some(N));

    fn to_value(&self) -> Option<Value> {
        Some(Value::Array(self.iter().filter_map(Typed::to_value).collect()))
    }

    fn from_value(value: Option<&Value>) -> Option<Self> {
        Vec::from_value(value)?.try_into().ok()
    }
}

/// Defines an enum whose variants are texts in metadata.
macro_rules! texts {
    ($(#[$attribute:meta])* $name:ident { $($variant:ident $text:literal: $doc:literal,)+ }) => {
        $(#[$attribute])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $name {
            $(#[doc = concat!("`", $text, "`: ", $doc)] $variant,)+
        }

        impl $name {
            /// All values.
            pub const ALL: &[Self] = &[$(Self::$variant,)+];

            /// Returns the text in metadata.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $text,)+
                }
            }
        }

        impl $crate::metadata::rules::Typed for $name {
            const RULE: $crate::metadata::rules::Rule = $crate::metadata::rules::Rule::OneOf(&[$($text,)+]);

            fn to_value(&self) -> Option<$crate::metadata::value::Value> {
                Some($crate::metadata::value::Value::Text(self.name().into()))
            }

            fn from_value(value: Option<&$crate::metadata::value::Value>) -> Option<Self> {
                let text = value?.as_text()?;
                Self::ALL.iter().find(|value| value.name() == text).copied()
            }
        }
    };
}

/// Defines a struct that is a map in metadata. The word after a field says what LLVM verifies: a `required` entry, an
/// `optional` one, or `nothing`.
macro_rules! maps {
    (@rule nothing, $ty:ty) => { $crate::metadata::rules::Rule::Any };
    (@rule $verified:ident, $ty:ty) => { <$ty as $crate::metadata::rules::Typed>::RULE };
    (@required required) => { true };
    (@required $verified:ident) => { false };
    ($(#[$attribute:meta])* $name:ident { $($key:literal $field:ident: $ty:ty, $verified:ident; $doc:literal;)+ }) => {
        $(#[$attribute])*
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub struct $name {
            $(#[doc = concat!($doc, " (`", $key, "`)")] pub $field: $ty,)+
        }

        impl $crate::metadata::rules::Typed for $name {
            const RULE: $crate::metadata::rules::Rule = $crate::metadata::rules::Rule::Map(&[
                $($crate::metadata::rules::Entry {
                    key: $key,
                    is_required: maps!(@required $verified),
                    rule: maps!(@rule $verified, $ty),
                },)+
            ]);

            fn to_value(&self) -> Option<$crate::metadata::value::Value> {
                let entries = [$(($key, $crate::metadata::rules::Typed::to_value(&self.$field)),)+];
                let entries = entries.into_iter().filter_map(|(key, value)| Some((key.into(), value?)));
                Some($crate::metadata::value::Value::Map(entries.collect()))
            }

            fn from_value(value: Option<&$crate::metadata::value::Value>) -> Option<Self> {
                let value = value?;
                Some(Self { $($field: $crate::metadata::rules::Typed::from_value(value.get($key))?,)+ })
            }
        }
    };
}

pub(super) use {maps, texts};

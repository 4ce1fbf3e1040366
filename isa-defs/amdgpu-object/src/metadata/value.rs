//! A document of metadata, and its MessagePack encoding.

use std::collections::BTreeMap;
use std::fmt;

use rmp::Marker;
use rmp::decode::RmpRead as _;
use rmp::encode::{self, ByteBuf};

/// How deep arrays and maps may be nested in each other.
pub const MAX_DEPTH: usize = 64;

/// A value of metadata: any value of MessagePack but binary data and extensions.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// No value.
    Nil,
    /// A truth value.
    Bool(bool),
    /// A signed number, in general negative.
    Int(i64),
    /// An unsigned number.
    UInt(u64),
    /// A floating-point number.
    Float(f64),
    /// A text.
    Text(String),
    /// A sequence.
    Array(Vec<Value>),
    /// A map, in the order in which LLVM writes it.
    Map(BTreeMap<Key, Value>),
}

/// The key of a map. Keys of different types are ordered by type, in the order of the variants.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Key {
    /// A signed number.
    Int(i64),
    /// An unsigned number.
    UInt(u64),
    /// A truth value.
    Bool(bool),
    /// A text.
    Text(String),
}

impl From<&str> for Key {
    fn from(text: &str) -> Self {
        Self::Text(text.into())
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int(number) => number.fmt(f),
            Self::UInt(number) => number.fmt(f),
            Self::Bool(value) => value.fmt(f),
            Self::Text(text) => f.write_str(text),
        }
    }
}

impl Value {
    /// Returns the value at a key of a map.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Self> {
        self.as_map()?.get(&Key::from(key))
    }

    /// Returns the text, if the value is one.
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the number, if the value is a whole number that is not negative.
    #[must_use]
    pub fn as_u64(&self) -> Option<u64> {
        match self {
            Self::UInt(number) => Some(*number),
            Self::Int(number) => u64::try_from(*number).ok(),
            _ => None,
        }
    }

    /// Returns the elements, if the value is an array.
    #[must_use]
    pub fn as_array(&self) -> Option<&[Self]> {
        match self {
            Self::Array(elements) => Some(elements),
            _ => None,
        }
    }

    /// Returns the entries, if the value is a map.
    #[must_use]
    pub const fn as_map(&self) -> Option<&BTreeMap<Key, Self>> {
        match self {
            Self::Map(entries) => Some(entries),
            _ => None,
        }
    }

    /// Encodes the value as MessagePack: each number and length in the shortest form, floating-point numbers in 32 bits if their
    /// magnitude is in the range of normal numbers of 32 bits, as LLVM does.
    #[must_use]
    pub fn to_message_pack(&self) -> Vec<u8> {
        let mut bytes = ByteBuf::new();
        self.encode(&mut bytes);
        bytes.into_vec()
    }

    fn encode(&self, bytes: &mut ByteBuf) {
        // Writing to memory does not fail; a length above 32 bits would be more than 4 GiB of metadata.
        let _ = match self {
            Self::Nil => encode::write_nil(bytes).map(drop).ok(),
            Self::Bool(value) => encode::write_bool(bytes, *value).map(drop).ok(),
            Self::Int(number) => encode::write_sint(bytes, *number).map(drop).ok(),
            Self::UInt(number) => encode::write_uint(bytes, *number).map(drop).ok(),
            Self::Float(number) => encode_float(*number, bytes),
            Self::Text(text) => encode::write_str(bytes, text).ok(),
            Self::Array(elements) => {
                let len = u32::try_from(elements.len()).unwrap_or(u32::MAX);
                let written = encode::write_array_len(bytes, len).map(drop).ok();
                elements.iter().for_each(|element| element.encode(bytes));
                written
            }
            Self::Map(entries) => {
                let len = u32::try_from(entries.len()).unwrap_or(u32::MAX);
                let written = encode::write_map_len(bytes, len).map(drop).ok();
                for (key, value) in entries {
                    Self::from(key.clone()).encode(bytes);
                    value.encode(bytes);
                }
                written
            }
        };
    }

    /// Decodes a value.
    ///
    /// # Errors
    /// The bytes are not MessagePack, end early or go on after the value, hold binary data, extensions or texts that are not
    /// UTF-8, nest arrays and maps more than 64 deep, or have a map with equal keys or with a key that is not a scalar.
    pub fn from_message_pack(mut bytes: &[u8]) -> Result<Self, MessagePackError> {
        let value = decode(&mut bytes, MAX_DEPTH)?;
        if bytes.is_empty() { Ok(value) } else { Err(MessagePackError::Trailing { bytes: bytes.len() }) }
    }
}

impl From<Key> for Value {
    fn from(key: Key) -> Self {
        match key {
            Key::Int(number) => Self::Int(number),
            Key::UInt(number) => Self::UInt(number),
            Key::Bool(value) => Self::Bool(value),
            Key::Text(text) => Self::Text(text),
        }
    }
}

fn encode_float(number: f64, bytes: &mut ByteBuf) -> Option<()> {
    let normal = (f64::from(f32::MIN_POSITIVE)..=f64::from(f32::MAX)).contains(&number.abs());
    if normal { encode::write_f32(bytes, number as f32).ok() } else { encode::write_f64(bytes, number).ok() }
}

/// Why bytes are not metadata.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum MessagePackError {
    /// The bytes end within a value.
    Truncated,
    /// Bytes follow the value.
    Trailing {
        /// How many.
        bytes: usize,
    },
    /// Binary data, an extension or a reserved byte.
    Type,
    /// A text is not UTF-8.
    Utf8,
    /// Arrays and maps are nested too deep.
    Depth,
    /// A key is an array, a map, nil or a floating-point number.
    Key,
    /// A map has equal keys.
    DuplicateKey {
        /// The key.
        key: String,
    },
}

impl fmt::Display for MessagePackError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Truncated => f.write_str("the metadata ends within a value"),
            Self::Trailing { bytes } => write!(f, "{bytes} bytes follow the metadata"),
            Self::Type => f.write_str("the metadata holds binary data, an extension or a reserved type"),
            Self::Utf8 => f.write_str("a text in the metadata is not UTF-8"),
            Self::Depth => write!(f, "the metadata nests arrays and maps more than {MAX_DEPTH} deep"),
            Self::Key => {
                f.write_str("a map in the metadata has a key that is not text, a whole number or a truth value")
            }
            Self::DuplicateKey { key } => write!(f, "a map in the metadata has the key `{key}` twice"),
        }
    }
}

impl std::error::Error for MessagePackError {}

fn decode(bytes: &mut &[u8], depth: usize) -> Result<Value, MessagePackError> {
    use MessagePackError::{Truncated, Type};
    let marker = rmp::decode::read_marker(bytes).map_err(|_| Truncated)?;
    macro_rules! read {
        ($read:ident) => {
            bytes.$read().map_err(|_| Truncated)?
        };
    }
    let elements = |len: u32| depth.checked_sub(1).map(|depth| (len, depth)).ok_or(MessagePackError::Depth);
    Ok(match marker {
        Marker::Null => Value::Nil,
        Marker::True => Value::Bool(true),
        Marker::False => Value::Bool(false),
        Marker::FixPos(number) => Value::UInt(number.into()),
        Marker::U8 => Value::UInt(read!(read_data_u8).into()),
        Marker::U16 => Value::UInt(read!(read_data_u16).into()),
        Marker::U32 => Value::UInt(read!(read_data_u32).into()),
        Marker::U64 => Value::UInt(read!(read_data_u64)),
        Marker::FixNeg(number) => Value::Int(number.into()),
        Marker::I8 => Value::Int(read!(read_data_i8).into()),
        Marker::I16 => Value::Int(read!(read_data_i16).into()),
        Marker::I32 => Value::Int(read!(read_data_i32).into()),
        Marker::I64 => Value::Int(read!(read_data_i64)),
        Marker::F32 => Value::Float(read!(read_data_f32).into()),
        Marker::F64 => Value::Float(read!(read_data_f64)),
        Marker::FixStr(len) => decode_text(bytes, len.into())?,
        Marker::Str8 => {
            let len = read!(read_data_u8);
            decode_text(bytes, len.into())?
        }
        Marker::Str16 => {
            let len = read!(read_data_u16);
            decode_text(bytes, len.into())?
        }
        Marker::Str32 => {
            let len = read!(read_data_u32);
            decode_text(bytes, len)?
        }
        Marker::FixArray(len) => decode_array(bytes, elements(len.into())?)?,
        Marker::Array16 => {
            let len = read!(read_data_u16).into();
            decode_array(bytes, elements(len)?)?
        }
        Marker::Array32 => {
            let len = read!(read_data_u32);
            decode_array(bytes, elements(len)?)?
        }
        Marker::FixMap(len) => decode_map(bytes, elements(len.into())?)?,
        Marker::Map16 => {
            let len = read!(read_data_u16).into();
            decode_map(bytes, elements(len)?)?
        }
        Marker::Map32 => {
            let len = read!(read_data_u32);
            decode_map(bytes, elements(len)?)?
        }
        _ => return Err(Type),
    })
}

fn decode_text(bytes: &mut &[u8], len: u32) -> Result<Value, MessagePackError> {
    let len = usize::try_from(len).map_err(|_| MessagePackError::Truncated)?;
    let (text, rest) = bytes.split_at_checked(len).ok_or(MessagePackError::Truncated)?;
    *bytes = rest;
    std::str::from_utf8(text).map(|text| Value::Text(text.into())).map_err(|_| MessagePackError::Utf8)
}

fn decode_array(bytes: &mut &[u8], (len, depth): (u32, usize)) -> Result<Value, MessagePackError> {
    (0..len).map(|_| decode(bytes, depth)).collect::<Result<_, _>>().map(Value::Array)
}

fn decode_map(bytes: &mut &[u8], (len, depth): (u32, usize)) -> Result<Value, MessagePackError> {
    let mut entries = BTreeMap::new();
    for _ in 0..len {
        let key = match decode(bytes, depth)? {
            Value::Int(number) => Key::Int(number),
            Value::UInt(number) => Key::UInt(number),
            Value::Bool(value) => Key::Bool(value),
            Value::Text(text) => Key::Text(text),
            Value::Nil | Value::Float(_) | Value::Array(_) | Value::Map(_) => return Err(MessagePackError::Key),
        };
        let value = decode(bytes, depth)?;
        let name = key.to_string();
        if entries.insert(key, value).is_some() {
            return Err(MessagePackError::DuplicateKey { key: name });
        }
    }
    Ok(Value::Map(entries))
}

//! The metadata of PAL: pipelines, their stages and registers.

use std::collections::BTreeMap;

use crate::note::{NT_AMD_PAL_METADATA, Note};

use super::number::leading_unsigned;
use super::value::{Key, Value};
use super::yaml::YamlError;

/// The PAL metadata of a program, which its directives accumulate.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum PalMetadata {
    /// No directive.
    #[default]
    None,
    /// The document of the last `.amdgpu_pal_metadata`.
    Document(Value),
    /// The registers of `.amd_amdgpu_pal_metadata`, by number.
    Registers(BTreeMap<u32, u32>),
}

impl PalMetadata {
    /// Takes the YAML text of an `.amdgpu_pal_metadata` directive, which replaces that of earlier directives.
    ///
    /// Keys of the map `.registers` of the first pipeline become numbers: in `0x2e12 (COMPUTE_PGM_RSRC1)`, the number counts. The
    /// map is added if it is missing.
    ///
    /// # Errors
    /// The text is not the YAML that metadata takes, or a register's key does not begin with a number.
    pub fn set_yaml(&mut self, text: &str) -> Result<(), YamlError> {
        let mut document = Value::from_yaml(text)?;
        let registers = as_map(entry(first(as_array(entry(as_map(&mut document), "amdpal.pipelines"))), ".registers"));
        let mut numbered = BTreeMap::new();
        for (key, value) in std::mem::take(registers) {
            let key = match &key {
                Key::Text(text) => parse_register(text).map(Key::UInt),
                other => Some(other.clone()),
            };
            let Some(key) = key else {
                let message = "a register's key does not begin with its number";
                return Err(YamlError { line: 1, column: 1, message: message.into() });
            };
            numbered.insert(key, value);
        }
        *registers = numbered;
        *self = Self::Document(document);
        Ok(())
    }

    /// Takes a register and its value of an `.amd_amdgpu_pal_metadata` directive. Values of the same register are combined by or.
    ///
    /// Returns whether that was possible: it is not after an `.amdgpu_pal_metadata` directive, whose format differs.
    pub fn set_register(&mut self, register: u32, value: u32) -> bool {
        if *self == Self::None {
            *self = Self::Registers(BTreeMap::new());
        }
        let Self::Registers(registers) = self else { return false };
        *registers.entry(register).or_default() |= value;
        true
    }

    /// Returns the note that holds the metadata, if there is any.
    #[must_use]
    pub fn to_note(&self) -> Option<Note> {
        match self {
            Self::None => None,
            Self::Document(document) => Some(Note::metadata(document)),
            Self::Registers(registers) => {
                let words = registers.iter().flat_map(|(register, value)| [*register, *value]);
                Some(Note {
                    name: "AMD".into(),
                    kind: NT_AMD_PAL_METADATA,
                    desc: words.flat_map(u32::to_le_bytes).collect(),
                })
            }
        }
    }
}

/// Returns the number at the beginning of a register's key, in the base that its prefix says.
#[must_use]
pub fn parse_register(key: &str) -> Option<u64> {
    leading_unsigned(key).map(|(number, _)| number)
}

/// The value as a map; anything else becomes an empty one, as in LLVM.
fn as_map(value: &mut Value) -> &mut BTreeMap<Key, Value> {
    if !matches!(value, Value::Map(_)) {
        *value = Value::Map(BTreeMap::new());
    }
    match value {
        Value::Map(entries) => entries,
        _ => unreachable!("it was made a map"),
    }
}

/// The value as an array; anything else becomes an empty one, as in LLVM.
fn as_array(value: &mut Value) -> &mut Vec<Value> {
    if !matches!(value, Value::Array(_)) {
        *value = Value::Array(Vec::new());
    }
    match value {
        Value::Array(elements) => elements,
        _ => unreachable!("it was made an array"),
    }
}

fn entry<'a>(entries: &'a mut BTreeMap<Key, Value>, key: &str) -> &'a mut Value {
    entries.entry(Key::from(key)).or_insert(Value::Nil)
}

fn first(elements: &mut Vec<Value>) -> &mut BTreeMap<Key, Value> {
    if elements.is_empty() {
        elements.push(Value::Nil);
    }
    as_map(&mut elements[0])
}

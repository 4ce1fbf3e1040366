//! Wave sizes in the metadata notes of code objects: `amdhsa.kernels` of HSA, `amdpal.pipelines` of PAL.

use std::collections::HashMap;

use object::LittleEndian;
use object::elf::FileHeader64;
use object::read::elf::NoteIterator;
use rmpv::ValueRef;
use rmpv::decode::read_value_ref_with_max_depth;

use crate::arch::Wave;

/// The note type of LLVM's AMDGPU usage page, "Code Object V3 and Above Metadata".
const NT_AMDGPU_METADATA: u32 = 32;

/// Depth of nested MessagePack values: pipelines nest six deep.
const DEPTH: usize = 32;

/// PAL's register numbers and the bits that select wave32 (LLVM's `AMDGPUPALMetadata::setWave32`).
const PIPELINE_BITS: [(&str, u64, u32); 6] = [
    (".ps", 0xa1b6, 15),
    (".cs", 0x2e00, 15),
    (".hs", 0xa2d5, 21),
    (".gs", 0xa2d5, 22),
    (".es", 0xa2d5, 22),
    (".vs", 0xa2d5, 23),
];

/// Wave sizes by the name of the entry point.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct EntryPoints {
    /// Kernels of `amdhsa.kernels`.
    pub kernels: HashMap<String, Wave>,
    /// Shaders of `amdpal.pipelines`.
    pub shaders: HashMap<String, Wave>,
}

impl EntryPoints {
    /// Adds the entry points of the notes. Damaged notes add nothing.
    pub fn add_notes(&mut self, mut notes: NoteIterator<'_, FileHeader64<LittleEndian>>) {
        while let Ok(Some(note)) = notes.next() {
            if note.name() == b"AMDGPU" && note.n_type(LittleEndian).0 == NT_AMDGPU_METADATA {
                self.add_document(note.desc());
            }
        }
    }

    /// Adds the entry points of a MessagePack document.
    fn add_document(&mut self, mut bytes: &[u8]) {
        let Ok(document) = read_value_ref_with_max_depth(&mut bytes, DEPTH) else { return };
        for kernel in list(&document, "amdhsa.kernels") {
            let name = get(kernel, ".name").and_then(text);
            let wave = get(kernel, ".wavefront_size").and_then(wave_of);
            if let (Some(name), Some(wave)) = (name, wave) {
                self.kernels.insert(name.to_owned(), wave);
            }
        }
        for pipeline in list(&document, "amdpal.pipelines") {
            let registers = get(pipeline, ".registers").and_then(map);
            for (stage, fields) in get(pipeline, ".hardware_stages").and_then(map).unwrap_or_default() {
                let wave = get(fields, ".wavefront_size").and_then(wave_of).or_else(|| {
                    let (_, register, bit) = PIPELINE_BITS.iter().find(|(name, ..)| text(stage) == Some(name))?;
                    let value = registers?.iter().find(|(number, _)| number.as_u64() == Some(*register));
                    // LLVM writes the register only for wave32.
                    let wave32 = value.and_then(|(_, value)| value.as_u64()).is_some_and(|v| v >> bit & 1 == 1);
                    Some(if wave32 { Wave::W32 } else { Wave::W64 })
                });
                let Some(wave) = wave else { continue };
                for name in [".entry_point_symbol", ".entry_point"] {
                    if let Some(name) = get(fields, name).and_then(text) {
                        self.shaders.insert(name.to_owned(), wave);
                    }
                }
            }
        }
    }
}

fn map<'a, 'b>(value: &'b ValueRef<'a>) -> Option<&'b [(ValueRef<'a>, ValueRef<'a>)]> {
    match value {
        ValueRef::Map(entries) => Some(entries),
        _ => None,
    }
}

fn get<'a, 'b>(value: &'b ValueRef<'a>, key: &str) -> Option<&'b ValueRef<'a>> {
    map(value)?.iter().find(|(name, _)| text(name) == Some(key)).map(|(_, value)| value)
}

fn list<'a, 'b>(document: &'b ValueRef<'a>, key: &str) -> &'b [ValueRef<'a>] {
    match get(document, key) {
        Some(ValueRef::Array(values)) => values,
        _ => &[],
    }
}

fn text<'a>(value: &ValueRef<'a>) -> Option<&'a str> {
    match value {
        ValueRef::String(text) => text.into_str(),
        _ => None,
    }
}

fn wave_of(value: &ValueRef<'_>) -> Option<Wave> {
    match value.as_u64()? {
        32 => Some(Wave::W32),
        64 => Some(Wave::W64),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use rmpv::Value;

    use super::*;

    fn document(entries: Vec<(Value, Value)>) -> EntryPoints {
        let mut bytes = Vec::new();
        rmpv::encode::write_value(&mut bytes, &Value::Map(entries)).expect("memory can be written");
        let mut found = EntryPoints::default();
        found.add_document(&bytes);
        // Every truncation is read without a panic.
        for end in 0..bytes.len() {
            EntryPoints::default().add_document(&bytes[..end]);
        }
        found
    }

    fn entry(key: &str, value: impl Into<Value>) -> (Value, Value) {
        (key.into(), value.into())
    }

    #[test]
    fn kernels_have_a_wavefront_size() {
        let kernel = |name: &str, size: u64| Value::Map(vec![entry(".name", name), entry(".wavefront_size", size)]);
        let kernels = Value::Array(vec![kernel("a", 64), kernel("b", 32), kernel("c", 7)]);
        let found = document(vec![entry("amdhsa.kernels", kernels)]);
        assert_eq!(found.kernels, HashMap::from([("a".into(), Wave::W64), ("b".into(), Wave::W32)]));
    }

    #[test]
    fn shaders_have_a_register_or_a_wavefront_size() {
        let stage = |name: &str, fields: Vec<(Value, Value)>| {
            let fields = [vec![entry(".entry_point_symbol", name)], fields].concat();
            Value::Map(fields)
        };
        let pipeline = |stages: Vec<(Value, Value)>, registers: Vec<(Value, Value)>| {
            let pipeline = Value::Map(vec![
                entry(".hardware_stages", Value::Map(stages)),
                entry(".registers", Value::Map(registers)),
            ]);
            document(vec![entry("amdpal.pipelines", Value::Array(vec![pipeline]))]).shaders
        };
        let ps = || vec![entry(".ps", stage("p", vec![]))];
        assert_eq!(pipeline(ps(), vec![])["p"], Wave::W64);
        assert_eq!(pipeline(ps(), vec![(0xa1b6.into(), 0x8000.into())])["p"], Wave::W32);
        let gs = vec![entry(".gs", stage("g", vec![entry(".wavefront_size", 32)]))];
        assert_eq!(pipeline(gs, vec![])["g"], Wave::W32);
    }
}

//! Wave sizes in the metadata notes of code objects: `amdhsa.kernels` of HSA, `amdpal.pipelines` of PAL.

use std::collections::{BTreeMap, HashMap};

use amdgpu_arch::Wave;
use amdgpu_object::{Key, Value};
use object::LittleEndian;
use object::elf::FileHeader64;
use object::read::elf::NoteIterator;

/// The note type of LLVM's AMDGPU usage page, "Code Object V3 and Above Metadata".
const NT_AMDGPU_METADATA: u32 = 32;

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
    fn add_document(&mut self, bytes: &[u8]) {
        let Ok(document) = Value::from_message_pack(bytes) else { return };
        for kernel in list(&document, "amdhsa.kernels") {
            let name = kernel.get(".name").and_then(Value::as_text);
            let wave = kernel.get(".wavefront_size").and_then(wave_of);
            if let (Some(name), Some(wave)) = (name, wave) {
                self.kernels.insert(name.to_owned(), wave);
            }
        }
        for pipeline in list(&document, "amdpal.pipelines") {
            let registers = pipeline.get(".registers").and_then(Value::as_map);
            let no_stages = BTreeMap::new();
            for (stage, fields) in pipeline.get(".hardware_stages").and_then(Value::as_map).unwrap_or(&no_stages) {
                let wave = fields.get(".wavefront_size").and_then(wave_of).or_else(|| {
                    let (_, register, bit) = PIPELINE_BITS.iter().find(|(name, ..)| *stage == Key::from(*name))?;
                    let value = registers?.get(&Key::UInt(*register)).and_then(Value::as_u64);
                    // LLVM writes the register only for wave32.
                    let wave32 = value.is_some_and(|value| value >> bit & 1 == 1);
                    Some(if wave32 { Wave::W32 } else { Wave::W64 })
                });
                let Some(wave) = wave else { continue };
                for name in [".entry_point_symbol", ".entry_point"] {
                    if let Some(name) = fields.get(name).and_then(Value::as_text) {
                        self.shaders.insert(name.to_owned(), wave);
                    }
                }
            }
        }
    }
}

fn list<'a>(document: &'a Value, key: &str) -> &'a [Value] {
    document.get(key).and_then(Value::as_array).unwrap_or_default()
}

fn wave_of(value: &Value) -> Option<Wave> {
    match value.as_u64()? {
        32 => Some(Wave::W32),
        64 => Some(Wave::W64),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(text: &str) -> EntryPoints {
        let bytes = Value::from_yaml(text).expect("YAML").to_message_pack();
        let mut found = EntryPoints::default();
        found.add_document(&bytes);
        // Every truncation is read without a panic.
        for end in 0..bytes.len() {
            EntryPoints::default().add_document(&bytes[..end]);
        }
        found
    }

    #[test]
    fn kernels_have_a_wavefront_size() {
        let found = document(
            "amdhsa.kernels: [{.name: a, .wavefront_size: 64}, {.name: b, .wavefront_size: 32}, {.name: c, .wavefront_size: 7}]",
        );
        assert_eq!(found.kernels, HashMap::from([("a".into(), Wave::W64), ("b".into(), Wave::W32)]));
    }

    #[test]
    fn shaders_have_a_register_or_a_wavefront_size() {
        let shaders = |stage: &str, registers: &str| {
            document(&format!("amdpal.pipelines: [{{.hardware_stages: {{{stage}}}, .registers: {{{registers}}}}}]"))
                .shaders
        };
        let pixel = ".ps: {.entry_point_symbol: p}";
        assert_eq!(shaders(pixel, "")["p"], Wave::W64);
        assert_eq!(shaders(pixel, "0xa1b6: 0x8000")["p"], Wave::W32);
        assert_eq!(shaders(".gs: {.entry_point_symbol: g, .wavefront_size: 32}", "")["g"], Wave::W32);
    }
}

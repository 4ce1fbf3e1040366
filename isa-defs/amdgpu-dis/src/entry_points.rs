//! Wave sizes in the metadata notes of code objects: `amdhsa.kernels` of HSA, `amdpal.pipelines` of PAL.

use std::collections::{BTreeMap, HashMap};

use amdgpu_arch::Wave;
use amdgpu_object::{Key, Value};
use object::LittleEndian;
use object::elf::FileHeader64;
use object::read::elf::NoteIterator;

use crate::symbol::WaveSource;

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

/// The register COMPUTE_PGM_RSRC1, whose lowest six bits are the number of blocks of VGPRs less one.
const COMPUTE_PGM_RSRC1: u64 = 0x2e12;

/// Wave sizes, and where they are, by the name of the entry point.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct EntryPoints(HashMap<String, (Wave, WaveSource)>);

impl EntryPoints {
    /// Returns the wave size of an entry point, and where the file gives it.
    pub fn get(&self, name: &str) -> Option<(Wave, WaveSource)> {
        self.0.get(name).copied()
    }

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
                self.0.insert(name.to_owned(), (wave, WaveSource::KernelMetadata));
            }
        }
        for pipeline in list(&document, "amdpal.pipelines") {
            let registers = pipeline.get(".registers").and_then(Value::as_map);
            let no_stages = BTreeMap::new();
            for (stage, fields) in pipeline.get(".hardware_stages").and_then(Value::as_map).unwrap_or(&no_stages) {
                let wave = wave_of_stage(stage, fields, registers);
                let Some(wave) = wave else { continue };
                for name in [".entry_point_symbol", ".entry_point"] {
                    if let Some(name) = fields.get(name).and_then(Value::as_text) {
                        self.0.insert(name.to_owned(), wave);
                    }
                }
            }
        }
    }
}

/// Returns the wave size of a stage of a PAL pipeline with these registers.
fn wave_of_stage(stage: &Key, fields: &Value, registers: Option<&BTreeMap<Key, Value>>) -> Option<(Wave, WaveSource)> {
    let stated = |wave| Some((wave, WaveSource::PipelineMetadata));
    if let Some(wave) = fields.get(".wavefront_size").and_then(wave_of) {
        return stated(wave);
    }
    let (name, register, bit) = PIPELINE_BITS.iter().find(|(name, ..)| *stage == Key::from(*name))?;
    let value = |register: u64| registers?.get(&Key::UInt(register)).and_then(Value::as_u64);
    match value(*register) {
        Some(value) if value >> bit & 1 == 1 => stated(Wave::W32),
        // LLVM writes the register for shaders of wave32 only, and never for a kernel, whose stage is `.cs` as well.
        None if *name == ".cs" => {
            let vgprs = fields.get(".vgpr_count").and_then(Value::as_u64);
            let wave = vgprs.zip(value(COMPUTE_PGM_RSRC1)).and_then(|(count, bits)| wave_of_vgprs(count, bits));
            let inferred = wave.map(|wave| (wave, WaveSource::PipelineVgprs));
            inferred.or(Some((Wave::W64, WaveSource::PipelineDefault)))
        }
        _ => registers.and_then(|_| stated(Wave::W64)),
    }
}

/// Returns the wave size in which this number of VGPRs takes as many blocks as COMPUTE_PGM_RSRC1 says: a block has eight VGPRs in
/// wave32, four in wave64. Returns `None` if both sizes take as many, or neither does.
fn wave_of_vgprs(count: u64, register: u64) -> Option<Wave> {
    let takes = |block: u64| count.max(1).div_ceil(block) - 1 == register & 0x3f;
    match (takes(8), takes(4)) {
        (true, false) => Some(Wave::W32),
        (false, true) => Some(Wave::W64),
        _ => None,
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
        let of = |wave| (wave, WaveSource::KernelMetadata);
        assert_eq!(found.0, HashMap::from([("a".into(), of(Wave::W64)), ("b".into(), of(Wave::W32))]));
    }

    #[test]
    fn shaders_have_a_register_or_a_wavefront_size() {
        use WaveSource::{PipelineDefault, PipelineMetadata, PipelineVgprs};
        let shader = |stage: &str, registers: &str| {
            let text = format!("amdpal.pipelines: [{{.hardware_stages: {{{stage}}}, .registers: {{{registers}}}}}]");
            document(&text).get("s")
        };
        let pixel = ".ps: {.entry_point_symbol: s}";
        assert_eq!(shader(pixel, ""), Some((Wave::W64, PipelineMetadata)));
        assert_eq!(shader(pixel, "0xa1b6: 0x8000"), Some((Wave::W32, PipelineMetadata)));
        let given = ".gs: {.entry_point_symbol: s, .wavefront_size: 32}";
        assert_eq!(shader(given, ""), Some((Wave::W32, PipelineMetadata)));
        let compute = |vgprs: u32, registers: &str| {
            shader(&format!(".cs: {{.entry_point_symbol: s, .vgpr_count: {vgprs}}}"), registers)
        };
        assert_eq!(compute(2, "0x2e00: 0x8000"), Some((Wave::W32, PipelineMetadata)));
        assert_eq!(compute(2, "0x2e00: 0"), Some((Wave::W64, PipelineMetadata)));
        // 5 VGPRs are a block of wave32 and two of wave64. The other bits of the register do not matter.
        assert_eq!(compute(5, "0x2e12: 0xe00f0000"), Some((Wave::W32, PipelineVgprs)));
        assert_eq!(compute(5, "0x2e12: 0xe00f0001"), Some((Wave::W64, PipelineVgprs)));
        for (vgprs, register) in [(4, 0), (0, 0), (5, 7)] {
            let expected = Some((Wave::W64, PipelineDefault));
            assert_eq!(compute(vgprs, &format!("0x2e12: {register}")), expected, "{vgprs}");
        }
        assert_eq!(compute(9, ""), Some((Wave::W64, PipelineDefault)));
    }
}

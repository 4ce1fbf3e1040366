//! Programs in assembly. The first byte of an input selects the set, the wave size and LLVM's version.

use std::collections::HashMap;
use std::io;

use amdgpu_asm::{Assembly, Diagnostics, Limits, Llvm, Options, ReadAt, Target, assemble, assemble_in_parts};
use amdgpu_dis::open;
use amdgpu_object::{CodeObject, read_object};

use super::instructions::selected;

/// Limits that a small input reaches.
const LIMITS: Limits = Limits { diagnostics: 1000, fixups: 10_000, expanded_bytes: 1 << 18, section_bytes: 1 << 20 };

/// A source in memory.
struct Source<'a>(&'a [u8]);

impl ReadAt for Source<'_> {
    fn read_at(&self, at: u64, bytes: &mut [u8]) -> io::Result<()> {
        let start = usize::try_from(at).map_err(io::Error::other)?;
        let part = self.0.get(start..start.saturating_add(bytes.len()));
        bytes.copy_from_slice(part.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }
}

/// A program: its listing, statements, relocations and files, or its diagnostics. It can include itself and a part of itself.
pub fn program(input: &[u8]) {
    let Some((first, text)) = input.split_first() else { return };
    let Ok(source) = str::from_utf8(text) else { return };
    let (arch, wave) = selected(*first);
    let target = Target::parse(arch.name()).unwrap();
    let half = text.get(text.len() / 2..).unwrap_or_default().to_vec();
    let includes = HashMap::from([("self.s".to_owned(), text.to_vec()), ("half.s".to_owned(), half)]);
    let options = Options {
        llvm: [None, Some(Llvm::V22), Some(Llvm::V23)][usize::from(first / 64) % 3],
        symbols: vec![("COUNT".into(), 3), ("LARGE".into(), i64::MIN)],
        includes: Some(&includes),
        listing: true,
        limits: LIMITS,
        ..Options::new(target, wave)
    };
    let in_parts = assemble_in_parts(&Source(text), text.len(), &options);
    match assemble(source, &options) {
        Ok(assembly) => {
            if let Some(in_parts) = in_parts {
                assert_eq!(in_parts.text(), assembly.text());
                assert_eq!(in_parts.to_object_file().ok(), assembly.to_object_file().ok());
            }
            show(assembly.diagnostics());
            list(&assembly);
            link(&assembly);
        }
        Err(diagnostics) => {
            assert!(in_parts.is_none());
            assert!(!diagnostics.is_empty());
            show(&diagnostics);
        }
    }
}

/// Renders diagnostics: each position has a line.
fn show(diagnostics: &Diagnostics) {
    assert_eq!(diagnostics.to_string().is_empty(), diagnostics.is_empty());
    let source = diagnostics.source();
    for diagnostic in diagnostics {
        assert!(!diagnostic.message.is_empty());
        let labels = diagnostic.labels.iter().map(|label| label.span.clone());
        for span in labels.chain([diagnostic.span.clone()]) {
            let line = source.line(span.start);
            assert!(line.number > 0 && line.column(span.start) > 0);
            assert!(source.trace(span.clone()).count() < 1000);
            assert!(source.location(span.start).line > 0);
        }
    }
}

/// Lists the statements.
fn list(assembly: &Assembly) {
    assert!(assembly.listing().iter().all(|row| !row.source.is_empty()));
    let relocations = assembly.relocations().inspect(|relocation| assert!(!relocation.target.is_empty()));
    assert!(relocations.count() <= LIMITS.fixups);
    for section in assembly.statements() {
        assert!(section.data.iter().all(|range| range.start <= range.end));
        let _ = (section.position(0), section.position(usize::MAX));
    }
}

/// Writes files that the readers take.
fn link(assembly: &Assembly) {
    if let Ok(file) = assembly.to_object_file() {
        let read = read_object(&file).expect("an object that was written is read");
        let written = assembly.object().expect("it was written");
        assert_eq!(read.sections.len(), written.sections.len());
        for image in open(&file, &amdgpu_dis::Options::default()).images.expect("an object") {
            drop(image.listing(&amdgpu_dis::Options::default()));
        }
    }
    if let Ok(file) = assembly.to_code_object() {
        // Programs may state kernels that do not exist.
        drop(CodeObject::load(&file, 1 << 40));
    }
}

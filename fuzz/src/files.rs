//! Files: code objects, relocatable objects and what contains them.

use std::error::Error;

use amdgpu_bundle::visit;
use amdgpu_dis::{
    CodeCounts, Image, Limits, LintOptions, Options, Shown, SourceLines, TextStyle, open, write_text, write_tsv,
};
use amdgpu_object::{
    CodeObject, MessagePackError, Metadata, Note, PalMetadata, PrintfFormat, Value, read_object, write_code_object,
    write_object,
};
use amdgpu_report::lint_file;

/// A file that should be a code object: its listing in each form, findings, counts and source lines, or an error in one line.
pub fn elf(file: &[u8]) {
    let options = Options::default();
    for result in [list(file, &options), lint(file, &options)] {
        if let Err(error) = result {
            let error = error.to_string();
            assert_eq!(error.lines().count(), 1, "{error:?}");
        }
    }
}

/// Reads all that a listing has.
fn list(file: &[u8], options: &Options) -> Result<(), Box<dyn Error>> {
    for image in open(file, options).images? {
        kernels(&image, &options.limits)?;
        let listing = image.listing(options)?;
        drop(CodeCounts::new(&listing.sections));
        let lines = SourceLines::new(&image.bytes);
        for section in &listing.sections {
            let blocks = section.blocks();
            let rows = section.rows().inspect(|row| drop((row.to_string(), row.content.remark(true), row.target())));
            assert!(blocks.len() <= rows.count());
            if let Some(lines) = &lines {
                drop(lines.location(section.address_of(0)));
            }
        }
        let all = Shown { blocks: true, live: true, arrows: true };
        for (is_strict, shown) in [(true, Shown::default()), (false, all)] {
            let style = TextStyle { is_colored: !is_strict, is_strict, shown };
            write_text(&mut Vec::new(), "title", &listing.sections, listing.arch, style)?;
        }
        write_tsv(&mut Vec::new(), &listing.sections)?;
    }
    Ok(())
}

/// Reads the kernels.
fn kernels(image: &Image<'_>, limits: &Limits) -> Result<(), Box<dyn Error>> {
    let object = image.object_file(limits)?;
    let _ = (object.processor(), object.kernel_count(), object.has_shader_parts());
    if let Ok(kernels) = object.kernels() {
        for kernel in &kernels {
            drop(amdgpu_report::shown_name(kernel));
            drop(amdgpu_report::find_kernel(&kernels, &kernel.name));
        }
    }
    Ok(())
}

/// Lints, and reports the findings in each form.
fn lint(file: &[u8], options: &Options) -> Result<(), Box<dyn Error>> {
    let findings = lint_file(file, options, (true, true))?;
    let outcomes: Vec<_> = findings.iter().map(|finding| finding.to_sarif("file.co")).collect();
    let _ = amdgpu_report::sarif::document(("lint", "0"), &outcomes);
    for finding in &findings {
        assert_eq!(finding.line().lines().count(), 1, "{:?}", finding.line());
        assert!(!finding.to_json("file.co").is_empty());
    }
    for image in open(file, options).images? {
        for section in &image.listing(options)?.sections {
            drop(section.lint(LintOptions::default()));
        }
    }
    Ok(())
}

/// A bundle, program or archive: the reader finds images within its limits, or damage in one line.
pub fn bundle(file: &[u8]) {
    let mut limits = amdgpu_bundle::Limits::default();
    limits.stream_bytes = 1 << 20;
    limits.total_bytes = 1 << 24;
    visit(file, &limits, &mut |found| match found {
        Ok(image) => assert!(image.path.0.len() <= limits.depth && image.path.to_string().lines().count() <= 1),
        Err(damage) => assert_eq!(damage.to_string().lines().count(), 1, "{damage:?}"),
    });
    let options = Options { limits: Limits { containers: limits, ..Limits::default() }, ..Options::default() };
    if let Err(error) = open(file, &options).images {
        assert_eq!(error.to_string().lines().count(), 1, "{error:?}");
    }
}

/// A relocatable object, a code object, notes or metadata: what is read is written, read again and linked.
pub fn object(file: &[u8]) {
    if let Ok(object) = read_object(file)
        && let Ok(written) = write_object(&object)
    {
        let again = read_object(&written).expect("an object that was written is read");
        assert_eq!(again.sections.len(), object.sections.len());
        assert_eq!(write_object(&again).as_ref(), Ok(&written));
    }
    if let Ok(object) = read_object(file)
        && let Ok(linked) = write_code_object(&object)
    {
        drop(CodeObject::load(&linked, 1 << 44));
    }
    if let Ok(object) = CodeObject::load(file, 1 << 44) {
        for symbol in object.symbols.iter().take(10) {
            assert!(object.symbol_at(symbol.address).is_some());
        }
        for kernel in &object.kernels {
            let _ = (kernel.descriptor.vgpr_count(), kernel.descriptor.entry_offset());
        }
    }
    metadata(file);
}

/// Metadata as MessagePack, as YAML and in notes.
fn metadata(bytes: &[u8]) {
    let mut values = Vec::new();
    values.extend(Value::from_message_pack(bytes));
    drop(Metadata::from_message_pack(bytes));
    for note in Note::parse_all(bytes).into_iter().flatten().filter(Note::is_metadata) {
        values.extend(Value::from_message_pack(&note.desc));
    }
    if let Ok(text) = str::from_utf8(bytes) {
        values.extend(Value::from_yaml(text));
        drop(PrintfFormat::parse(text));
        let mut pal = PalMetadata::default();
        if pal.set_yaml(text).is_ok() {
            drop(pal.to_note());
        }
    }
    for mut value in values {
        // Numbers without a sign are written as such, also those that were read as signed ones: keys may be equal then.
        match Value::from_message_pack(&value.to_message_pack()) {
            Ok(again) => {
                let packed = again.to_message_pack();
                assert_eq!(Value::from_message_pack(&packed).map(|last| last.to_message_pack()), Ok(packed));
            }
            Err(error) => assert!(matches!(error, MessagePackError::DuplicateKey { .. }), "{error}"),
        }
        drop(value.verify_hsa());
    }
}

//! Loading code objects, sound and damaged ones.

use amdgpu_object::{
    CodeObject, Limits, LinkError, LoadError, Object, OsAbi, Section, write_code_object_within, write_object,
};

const BASE: u64 = 0x1000_0000_0000;

/// The example of two kernels.
fn example() -> Vec<u8> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/matmul.gfx1100.co");
    std::fs::read(path).expect("the example")
}

#[test]
fn kernels_have_their_code_and_metadata() {
    let file = example();
    let object = CodeObject::load(&file, BASE).expect("a code object");
    let names: Vec<&str> = object.kernels.iter().map(|kernel| kernel.name.as_str()).collect();
    assert_eq!(names, ["matmul", "reduce_sum"]);
    for kernel in &object.kernels {
        let symbol = object.symbol_at(kernel.entry + 4).expect("a symbol");
        assert_eq!((&symbol.name, symbol.address), (&kernel.name, kernel.entry));
        let code = object.segments.iter().find(|segment| segment.is_executable).expect("code");
        assert!((code.address..code.address + code.bytes.len() as u64).contains(&kernel.entry));
        let metadata = kernel.metadata.as_ref().expect("metadata");
        assert!(metadata.explicit_arguments().count() >= 3);
        assert_eq!(metadata.kernarg_segment_size, kernel.descriptor.kernarg_size());
    }
    assert!(object.symbol_at(BASE - 1).is_none());
}

#[test]
fn damaged_files_are_errors_or_other_code_objects() {
    let file = example();
    for at in 0..file.len() {
        for flip in [1, 0x80, 0xFF] {
            let mut damaged = file.clone();
            damaged[at] ^= flip;
            // No outcome is wrong, but a panic.
            let _ = CodeObject::load(&damaged, BASE);
        }
    }
    for end in 0..file.len() / 2 {
        assert!(CodeObject::load(&file[..end], BASE).is_err(), "{end}");
    }
    assert_eq!(
        CodeObject::load(
            &{
                let mut other = file;
                other[18] = 62;
                other
            },
            0
        ),
        Err(LoadError::Kind)
    );
}

#[test]
fn limits_bound_segments_and_linked_files() {
    let file = example();
    let large = |image_bytes| CodeObject::load_within(&file, BASE, Limits { image_bytes, ..Limits::default() });
    let size: usize = large(1 << 20).expect("it fits").segments.iter().map(|segment| segment.bytes.len()).sum();
    assert!(large(size as u64).is_ok());
    let error = large(size as u64 - 1).expect_err("a segment too many").to_string();
    assert_eq!(error, format!("a damaged ELF file: its segments are larger than {} bytes", size - 1));

    let mut object = Object::new(0x41, OsAbi::Hsa, 4);
    let mut text = Section::new(".text", 1, 6);
    text.bytes = vec![0; 5000];
    text.size = 5000;
    object.sections.push(text);
    let linked = |file_bytes| write_code_object_within(&object, Limits { file_bytes, ..Limits::default() });
    assert!(linked(1 << 16).is_ok());
    assert!(matches!(linked(4999), Err(LinkError::TooLarge { .. })));
    // A relocatable object is linked within the same limits.
    let relocatable = write_object(&object).expect("an object");
    let limits = Limits { file_bytes: 4999, ..Limits::default() };
    let loaded = CodeObject::load_within(&relocatable, BASE, limits);
    assert!(matches!(loaded, Err(LoadError::Link(LinkError::TooLarge { .. }))), "{loaded:?}");
}

//! Properties of all inputs: objects and documents that are written and read are the same, and hostile ones are errors.

use amdgpu_object::{
    Binding, Definition, Directive, Family, Group, KernelDescriptor, KernelSettings, Key, Metadata, Note, Object,
    OsAbi, PalMetadata, Relocation, RelocationKind, RelocationTarget, Section, SectionId, Symbol, SymbolId, SymbolType,
    Value, Visibility, read_object, write_code_object, write_object,
};
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use proptest::sample::select;

const PROGBITS: u32 = 1;
const NOBITS: u32 = 8;

fn name() -> impl Strategy<Value = String> {
    "[.a-z_]{1,8}"
}

fn align() -> impl Strategy<Value = u64> {
    (0u32..13).prop_map(|bits| 1 << bits)
}

fn section(index: usize, sections: usize, symbols: usize) -> impl Strategy<Value = Section> {
    let target = prop_oneof![
        (0..symbols).prop_map(|id| RelocationTarget::Symbol(SymbolId(id))),
        (0..sections).prop_map(|id| RelocationTarget::Section(SectionId(id))),
        Just(RelocationTarget::Absolute),
    ];
    let relocation = (any::<u8>(), select(RelocationKind::ALL.to_vec()), target, any::<i64>())
        .prop_map(|(offset, kind, target, addend)| Relocation { offset: offset.into(), kind, target, addend });
    let contents =
        (vec(any::<u8>(), 0..40), any::<bool>(), select(vec![0u64, 2, 3, 6, 7]), align(), vec(relocation, 0..4));
    (name(), contents).prop_map(move |(name, (bytes, has_contents, flags, align, relocations))| {
        // A separate name, since relocations are told by the name of their section only in listings.
        let mut section = Section::new(format!("{name}{index}"), if has_contents { PROGBITS } else { NOBITS }, flags);
        section.size = bytes.len() as u64;
        if has_contents {
            section.bytes = bytes;
            section.relocations = relocations;
        }
        section.align = align;
        section
    })
}

fn symbol(index: usize, sections: usize) -> impl Strategy<Value = Symbol> {
    let definition = prop_oneof![
        Just(Definition::Undefined),
        any::<u64>().prop_map(Definition::Absolute),
        (0..sections, 0u64..64).prop_map(|(id, offset)| Definition::Section(SectionId(id), offset)),
        align().prop_map(|align| Definition::Common { align }),
        align().prop_map(|align| Definition::Lds { align }),
    ];
    let kind = select(vec![SymbolType::NoType, SymbolType::Object, SymbolType::Function, SymbolType::IndirectFunction]);
    let binding = select(vec![Binding::Local, Binding::Global, Binding::Weak, Binding::Unique]);
    let visibility = select(vec![Visibility::Default, Visibility::Internal, Visibility::Hidden, Visibility::Protected]);
    (name(), definition, 0u64..1000, kind, binding, visibility).prop_map(
        move |(name, definition, size, kind, binding, visibility)| {
            let name = format!("{name}{index}");
            Symbol { name, definition, size, kind, binding, visibility }
        },
    )
}

prop_compose! {
    fn object()(sections in 1usize..6, symbols in 1usize..8)(
        content in (0..sections).map(|nth| section(nth, sections, symbols)).collect::<Vec<_>>(),
        named in (0..symbols).map(|nth| symbol(nth, sections)).collect::<Vec<_>>(),
        flags in any::<u32>(),
        abi_version in any::<u8>(),
        os_abi in select(vec![OsAbi::None, OsAbi::Hsa, OsAbi::Pal, OsAbi::Mesa3d]),
        is_grouped in any::<bool>(),
    ) -> Object {
        let mut object = Object::new(flags, os_abi, abi_version);
        (object.sections, object.symbols) = (content, named);
        // Only objects of HSA hold addends of any size and relocations outside of the contents.
        if os_abi != OsAbi::Hsa {
            object.sections.iter_mut().for_each(|section| section.relocations.clear());
        }
        // As the writer orders them.
        if is_grouped {
            object.sections[0].flags |= 0x200;
            object.groups.push(Group { signature: "signature".into(), comdat: true, sections: vec![SectionId(0)] });
        }
        object
    }
}

/// The object with its local symbols in front, as a file has them.
fn with_local_symbols_first(object: &Object) -> Object {
    let mut order: Vec<usize> = (0..object.symbols.len()).collect();
    order.sort_by_key(|nth| object.symbols[*nth].binding != Binding::Local);
    let mut sorted = object.clone();
    sorted.symbols = order.iter().map(|nth| object.symbols[*nth].clone()).collect();
    for relocation in sorted.sections.iter_mut().flat_map(|section| &mut section.relocations) {
        if let RelocationTarget::Symbol(id) = &mut relocation.target {
            id.0 = order.iter().position(|nth| *nth == id.0).unwrap();
        }
    }
    sorted
}

fn key() -> impl Strategy<Value = Key> {
    prop_oneof![
        (i64::MIN..0).prop_map(Key::Int),
        any::<u64>().prop_map(Key::UInt),
        any::<bool>().prop_map(Key::Bool),
        ".{0,40}".prop_map(Key::Text),
    ]
}

fn value() -> impl Strategy<Value = Value> {
    let scalar = prop_oneof![
        Just(Value::Nil),
        any::<bool>().prop_map(Value::Bool),
        (i64::MIN..0).prop_map(Value::Int),
        any::<u64>().prop_map(Value::UInt),
        any::<f32>().prop_map(|number| Value::Float(if number.is_nan() { 0.5 } else { number.into() })),
        ".{0,40}".prop_map(Value::Text),
    ];
    scalar.prop_recursive(4, 64, 20, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..20).prop_map(Value::Array),
            btree_map(key(), inner, 0..20).prop_map(Value::Map),
        ]
    })
}

/// Text made of what YAML and metadata are made of.
fn yaml() -> impl Strategy<Value = String> {
    let pieces = [
        "amdhsa.version",
        "amdhsa.kernels",
        "amdpal.pipelines",
        ".registers",
        ".args",
        ": ",
        ":",
        "- ",
        "-",
        "\n",
        "\n  ",
        "\n    ",
        "[",
        "]",
        "{",
        "}",
        ",",
        "'",
        "\"",
        "|",
        ">",
        "&a",
        "*a",
        "!int",
        "!str ",
        "!",
        "?",
        "#",
        "---",
        "...",
        "%YAML 1.2",
        "0x1",
        "1",
        "-5",
        "\t",
        "\0",
        "\u{feff}",
        "é",
        "\\x4",
        "@",
        "`",
        "<<",
        "~",
        "\r",
        " ",
    ];
    vec(select(pieces.to_vec()), 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(isa_tests::property::config(256))]

    #[test]
    fn objects_are_read_back(object in object()) {
        let file = write_object(&object).unwrap();
        let read = read_object(&file).unwrap();
        prop_assert_eq!(&read, &with_local_symbols_first(&object));
        prop_assert_eq!(write_object(&read).unwrap(), write_object(&read_object(&file).unwrap()).unwrap());
    }

    #[test]
    fn objects_are_linked_or_refused(object in object()) {
        if let Ok(file) = write_code_object(&object) {
            prop_assert_eq!(&file[..4], b"\x7fELF");
            prop_assert_eq!(write_code_object(&object).unwrap(), file);
        }
    }

    #[test]
    fn damaged_objects_are_read_or_refused(object in object(), at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let mut file = write_object(&object).unwrap();
        let at = at.index(file.len());
        file[at] = byte;
        if let Ok(read) = read_object(&file) {
            let _ = write_object(&read);
            let _ = write_code_object(&read);
        }
    }

    #[test]
    fn documents_are_read_back(value in value()) {
        prop_assert_eq!(Value::from_message_pack(&value.to_message_pack()).unwrap(), value);
    }

    #[test]
    fn hostile_bytes_are_errors(bytes in vec(any::<u8>(), 0..80)) {
        let _ = Value::from_message_pack(&bytes);
        let _ = Metadata::from_message_pack(&bytes);
        let _ = Note::parse_all(&bytes);
        let _ = read_object(&bytes);
    }

    #[test]
    fn hostile_text_is_an_error(text in prop_oneof![yaml(), ".{0,60}"]) {
        if let Ok(mut value) = Value::from_yaml(&text) {
            let _ = value.verify_hsa();
            let _ = value.to_message_pack();
        }
        let mut metadata = PalMetadata::default();
        let _ = metadata.set_yaml(&text);
        let _ = metadata.to_note();
    }

    #[test]
    fn notes_are_read_back(name in "[A-Z]{1,9}", kind in any::<u32>(), desc in vec(any::<u8>(), 0..30), count in 1usize..4) {
        let notes = vec![Note { name, kind, desc }; count];
        prop_assert_eq!(Note::parse_all(&Section::notes(&notes, true).bytes), Some(notes));
    }

    #[test]
    fn descriptors_hold_their_settings(values in vec(any::<u32>(), Directive::ALL.len()), wave64 in any::<bool>(), family in select(vec![Family::Gfx11, Family::Gfx12])) {
        let settings = if wave64 { KernelSettings::wave64() } else { KernelSettings::wave32() };
        let mut settings = settings.of(family);
        let directives = || Directive::ALL.iter().filter(|directive| directive.only_family().is_none_or(|only| only == family));
        for (directive, value) in directives().zip(values) {
            settings.set(*directive, (u64::from(value) % (directive.max(family) + 1)) as i64).unwrap();
        }
        settings.user_sgpr_count = None;
        settings.next_free_vgpr %= 200;
        settings.shared_vgpr_count = if settings.wavefront_size32 { 0 } else { settings.shared_vgpr_count % 6 };
        let descriptor = settings.descriptor().unwrap();
        for directive in directives() {
            if let Some(field) = directive.field(family) {
                prop_assert_eq!(descriptor.field(field), settings.get(*directive), "{}", directive);
            }
        }
        prop_assert!(descriptor.vgpr_count() >= settings.next_free_vgpr);
        prop_assert_eq!(KernelDescriptor::from_bytes(&descriptor.to_bytes()), descriptor);
    }
}

#[test]
fn deep_nesting_is_an_error() {
    let deep = "[".repeat(1_000_000);
    assert!(Value::from_yaml(&deep).is_err());
    let deep = "{a: ".repeat(100_000);
    assert!(Value::from_yaml(&deep).is_err());
    let deep = "- ".repeat(100_000);
    assert!(Value::from_yaml(&deep).is_err());
    assert!(Value::from_message_pack(&[0x91; 1_000_000]).is_err());
}

use object::elf;

use super::*;
use crate::model::{
    Binding, Definition, OsAbi, Relocation, RelocationKind, RelocationTarget, Section, SectionId, Symbol, SymbolId,
    SymbolType, Visibility,
};

fn text(relocations: &[Relocation]) -> Object {
    let mut object = Object::new(0x41, OsAbi::Hsa, 4);
    let mut section = Section::new(".text", elf::SHT_PROGBITS.0, (elf::SHF_ALLOC | elf::SHF_EXECINSTR).0);
    section.bytes = vec![0; 64];
    section.size = 64;
    section.relocations = relocations.to_vec();
    object.sections.push(section);
    object
}

fn symbol(name: &str, definition: Definition) -> Symbol {
    Symbol {
        name: name.into(),
        definition,
        size: 8,
        kind: SymbolType::Object,
        binding: Binding::Global,
        visibility: Visibility::Protected,
    }
}

fn relocation(offset: u64, kind: RelocationKind, target: RelocationTarget) -> Relocation {
    Relocation { offset, kind, target, addend: 0 }
}

#[test]
fn hostile_objects_are_errors() {
    let own = RelocationTarget::Section(SectionId(0));
    for offset in [61, 64, u64::MAX] {
        let error = write_code_object(&text(&[relocation(offset, RelocationKind::Rel32, own)])).unwrap_err();
        assert!(error.to_string().ends_with("is not within the section"), "{error}");
    }
    let mut object = text(&[]);
    object.sections[0].align = 1 << 62;
    assert!(matches!(write_code_object(&object), Err(LinkError::TooLarge { .. })));
    object.sections[0].align = 1 << 29;
    assert!(matches!(write_code_object(&object), Err(LinkError::TooLarge { .. })));

    let mut zeros = Section::new(".bss", elf::SHT_NOBITS.0, (elf::SHF_ALLOC | elf::SHF_WRITE).0);
    zeros.size = u64::MAX;
    let mut object = text(&[]);
    object.sections.push(zeros.clone());
    assert!(matches!(write_code_object(&object), Err(LinkError::TooLarge { .. })));
    // Zeros that are merged with contents would be in the file.
    zeros.name = ".text.zeros".into();
    zeros.size = 1 << 39;
    object.sections[1] = zeros;
    assert!(matches!(write_code_object(&object), Err(LinkError::TooLarge { .. })));

    let mut object = text(&[]);
    object.symbols = vec![symbol("x", Definition::Common { align: 1 << 63 })];
    object.symbols[0].size = u64::MAX;
    assert!(matches!(write_code_object(&object), Err(LinkError::TooLarge { .. })));
    object.symbols = vec![symbol("x", Definition::Absolute(1)), symbol("x", Definition::Absolute(2))];
    assert_eq!(write_code_object(&object), Err(LinkError::Duplicate { name: "x".into() }));
    object.symbols = vec![symbol("x", Definition::Section(SectionId(1), 0))];
    assert!(matches!(write_code_object(&object), Err(LinkError::Object(_))));
}

#[test]
fn unused_variables_in_lds_and_undefined_symbols_are_left_out() {
    let mut object = text(&[]);
    object.symbols = vec![symbol("lds", Definition::Lds { align: 4 }), symbol("undefined", Definition::Undefined)];
    assert!(write_code_object(&object).is_ok());
    let target = RelocationTarget::Symbol(SymbolId(0));
    object.sections[0].relocations = vec![relocation(0, RelocationKind::Abs32Lo, target)];
    let error = write_code_object(&object).unwrap_err();
    assert!(error.to_string().contains("variables in LDS"), "{error}");
}

#[test]
fn weak_symbols_of_other_code_objects_need_the_loader() {
    let mut object = text(&[]);
    object.symbols = vec![Symbol { binding: Binding::Weak, ..symbol("weak", Definition::Undefined) }];
    let target = RelocationTarget::Symbol(SymbolId(0));
    for kind in [RelocationKind::Abs32, RelocationKind::Abs64, RelocationKind::Rel32] {
        object.sections[0].relocations = vec![relocation(0, kind, target)];
        object.symbols[0].visibility = Visibility::Default;
        assert!(matches!(write_code_object(&object), Err(LinkError::Relocation { .. })), "{kind:?}");
        // No other code object defines it, so it is 0.
        object.symbols[0].visibility = Visibility::Hidden;
        assert!(write_code_object(&object).is_ok(), "{kind:?}");
    }
}

#[test]
fn sections_that_loaders_do_not_know_are_errors() {
    for (kind, flags) in [
        (elf::SHT_INIT_ARRAY, elf::SHF_ALLOC | elf::SHF_WRITE),
        (elf::SHT_PROGBITS, elf::SHF_ALLOC | elf::SHF_TLS),
        (elf::SectionType(0x7fff_ffff), elf::SHF_ALLOC),
    ] {
        let mut object = text(&[]);
        object.sections.push(Section::new("x", kind.0, flags.0));
        assert!(matches!(write_code_object(&object), Err(LinkError::Section { .. })), "{kind:?}");
    }
}

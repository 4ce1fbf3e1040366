use object::LittleEndian as Le;
use object::read::elf::{FileHeader as _, Rela as _, SectionHeader as _, Sym as _};

use super::*;
use crate::model::{Group, Relocation, RelocationKind, SectionId, SymbolId};

type Header = elf::FileHeader64<Le>;

fn section(name: &str, bytes: &[u8]) -> Section {
    let mut section = Section::new(name, elf::SHT_PROGBITS.0, elf::SHF_ALLOC.0);
    section.bytes = bytes.to_vec();
    section.size = bytes.len() as u64;
    section
}

fn symbol(name: &str, definition: Definition, binding: Binding) -> Symbol {
    Symbol {
        name: name.into(),
        definition,
        size: 4,
        kind: SymbolType::Object,
        binding,
        visibility: Visibility::Protected,
    }
}

fn example() -> Object {
    let mut object = Object::new(0x41, OsAbi::Hsa, 3);
    let mut data = section(".data.x", &[1, 2, 3, 4, 0, 0, 0, 0]);
    data.align = 16;
    let relocation = |kind, target, addend| Relocation { offset: 4, kind, target, addend };
    data.relocations = vec![
        relocation(RelocationKind::Rel32, RelocationTarget::Symbol(SymbolId(0)), -4),
        relocation(RelocationKind::Abs32, RelocationTarget::Section(SectionId(1)), 1 << 40),
        relocation(RelocationKind::Abs32Hi, RelocationTarget::Absolute, 7),
    ];
    let mut zeros = Section::new(".bss", elf::SHT_NOBITS.0, elf::SHF_ALLOC.0 | elf::SHF_WRITE.0);
    zeros.size = 100;
    zeros.link = Some(SectionId(0));
    object.sections = vec![data, zeros];
    object.symbols = vec![
        symbol("global", Definition::Undefined, Binding::Global),
        symbol("local", Definition::Section(SectionId(1), 12), Binding::Local),
        symbol("abs", Definition::Absolute(99), Binding::Weak),
        symbol("lds", Definition::Lds { align: 16 }, Binding::Global),
        symbol("common", Definition::Common { align: 256 }, Binding::Global),
    ];
    object.groups = vec![
        Group { signature: "sig".into(), comdat: true, sections: vec![SectionId(0)] },
        Group { signature: "abs".into(), comdat: false, sections: vec![SectionId(1)] },
    ];
    object
}

#[test]
fn everything_in_an_object_is_in_the_file() {
    let file = write_object(&example()).unwrap();
    let header = Header::parse(file.as_slice()).unwrap();
    assert_eq!(header.e_ident().os_abi, elf::OsAbi(64));
    assert_eq!(header.e_ident().abi_version, 3);
    assert_eq!((header.e_type(Le), header.e_machine(Le)), (elf::ET_REL, elf::EM_AMDGPU));
    assert_eq!(header.e_flags(Le).0, 0x41);
    let sections = header.sections(Le, file.as_slice()).unwrap();
    let (data_index, data) = sections.section_by_name(Le, b".data.x").unwrap();
    assert_eq!(data.data(Le, file.as_slice()).unwrap(), [1, 2, 3, 4, 0, 0, 0, 0]);
    assert_eq!((data.sh_addralign(Le), data.sh_offset(Le) % 16), (16, 0));
    assert_eq!(data.sh_flags(Le), elf::SHF_ALLOC | elf::SHF_GROUP);
    let (bss_index, bss) = sections.section_by_name(Le, b".bss").unwrap();
    assert_eq!((bss.sh_size(Le), bss.sh_link(Le)), (100, data_index.0 as u32));

    let table = sections.symbols(Le, file.as_slice(), elf::SHT_SYMTAB).unwrap();
    let symbols: Vec<_> = table
        .symbols()
        .iter()
        .map(|symbol| {
            let name = std::str::from_utf8(table.symbol_name(Le, symbol).unwrap()).unwrap();
            (name, symbol.st_shndx(Le).0, symbol.st_value(Le), symbol.st_bind())
        })
        .collect();
    let bss = bss_index.0 as u16;
    assert_eq!(
        symbols,
        [
            ("", 0, 0, elf::STB_LOCAL),
            ("local", bss, 12, elf::STB_LOCAL),
            ("", bss, 0, elf::STB_LOCAL),
            ("sig", 1, 0, elf::STB_LOCAL),
            ("global", 0, 0, elf::STB_GLOBAL),
            ("abs", 0xfff1, 99, elf::STB_WEAK),
            ("lds", 0xff00, 16, elf::STB_GLOBAL),
            ("common", 0xfff2, 256, elf::STB_GLOBAL),
        ]
    );
    let (rela_index, rela) = sections.section_by_name(Le, b".rela.data.x").unwrap();
    let (rela, _) = rela.rela(Le, file.as_slice()).unwrap().unwrap();
    let rela: Vec<_> =
        rela.iter().map(|r| (r.r_offset(Le), r.r_sym(Le, false), r.r_type(Le, false).0, r.r_addend(Le))).collect();
    assert_eq!(rela, [(4, 4, 4, -4), (4, 2, 6, 1 << 40), (4, 0, 2, 7)]);

    let groups: Vec<_> = sections
        .iter()
        .filter_map(|section| section.group(Le, file.as_slice()).unwrap().map(|group| (section.sh_info(Le), group)))
        .map(|(signature, (flag, members))| (signature, flag.0, members.iter().map(|m| m.get(Le)).collect()))
        .collect();
    let expected: [(u32, u32, Vec<u32>); 2] =
        [(3, 1, vec![data_index.0 as u32, rela_index.0 as u32]), (5, 0, vec![bss_index.0 as u32])];
    assert_eq!(groups, expected);
}

#[test]
fn more_sections_than_sixteen_bits_count() {
    let mut object = Object::new(0x41, OsAbi::Hsa, 4);
    object.sections = (0..70_000).map(|_| section(".text.f", &[0])).collect();
    object.symbols = vec![symbol("last", Definition::Section(SectionId(69_999), 0), Binding::Global)];
    let file = write_object(&object).unwrap();
    let header = Header::parse(file.as_slice()).unwrap();
    let sections = header.sections(Le, file.as_slice()).unwrap();
    let table = sections.symbols(Le, file.as_slice(), elf::SHT_SYMTAB).unwrap();
    let section = table.symbol_section(Le, &table.symbols()[1], object::SymbolIndex(1)).unwrap();
    assert_eq!(section, Some(object::SectionIndex(70_000)));
}

#[test]
fn hostile_objects_are_errors() {
    let error = |change: fn(&mut Object)| {
        let mut object = example();
        change(&mut object);
        write_object(&object).unwrap_err().to_string()
    };
    assert_eq!(
        error(|o| o.symbols[1].definition = Definition::Section(SectionId(7), 0)),
        "`local` refers to section 7, which does not exist"
    );
    assert_eq!(
        error(|o| o.sections[0].relocations[0].target = RelocationTarget::Symbol(SymbolId(usize::MAX))),
        format!("a relocation in section `.data.x` refers to symbol {}, which does not exist", usize::MAX)
    );
    assert_eq!(
        error(|o| o.sections[0].relocations[0].target = RelocationTarget::Section(SectionId(2))),
        "`.data.x` refers to section 2, which does not exist"
    );
    assert_eq!(error(|o| o.sections[1].link = Some(SectionId(3))), "`.bss` refers to section 3, which does not exist");
    assert_eq!(error(|o| o.groups[0].sections[0] = SectionId(3)), "`sig` refers to section 3, which does not exist");
    assert_eq!(error(|o| o.groups[1].sections[0] = SectionId(0)), "section `.data.x` is a member of two groups");
    assert_eq!(error(|o| o.sections[0].size = 9), "section `.data.x` declares 9 bytes and holds 8");
    assert_eq!(error(|o| o.sections[1].bytes = vec![0]), "section `.bss` declares 100 bytes and holds 1");
    assert_eq!(error(|o| o.sections[0].align = 24), "the alignment of `.data.x` is 24, which is not a power of two");
    assert_eq!(error(|o| o.symbols[0].name = "a\0b".into()), r"the name `a\0b` holds a NUL byte");
    assert_eq!(error(|o| o.symbols[2].kind = SymbolType::File), "file symbol `abs` has to be local and absolute");
}

#[test]
fn huge_alignments_do_not_pad_the_file() {
    let mut object = example();
    object.sections[0].align = 1 << 63;
    assert!(write_object(&object).unwrap().len() < 16_384);
}

#[test]
fn addends_are_in_the_fields_except_for_hsa() {
    let mut object = Object::new(0x41, OsAbi::Pal, 0);
    let mut text = Section::new(".text", elf::SHT_PROGBITS.0, elf::SHF_ALLOC.0);
    text.bytes = vec![0; 18];
    text.bytes[16..].fill(0xff);
    text.size = 18;
    let target = RelocationTarget::Section(SectionId(0));
    let kinds = [(0, RelocationKind::Abs64, -2), (8, RelocationKind::Rel32Lo, 4), (12, RelocationKind::Abs32, -4)];
    let branch = [(16, RelocationKind::Rel16, 44)];
    for (offset, kind, addend) in kinds.into_iter().chain(branch) {
        text.relocations.push(Relocation { offset, kind, target, addend });
    }
    object.sections.push(text);
    let file = write_object(&object).unwrap();
    let header = Header::parse(file.as_slice()).unwrap();
    let sections = header.sections(Le, file.as_slice()).unwrap();
    let (_, text) = sections.section_by_name(Le, b".text").unwrap();
    let fields = [0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 4, 0, 0, 0, 0xfc, 0xff, 0xff, 0xff, 10, 0];
    assert_eq!(text.data(Le, file.as_slice()).unwrap(), fields);
    let (_, rel) = sections.section_by_name(Le, b".rel.text").unwrap();
    assert_eq!(rel.sh_entsize(Le), 16);
    assert_eq!(crate::read_object(&file).unwrap(), object);
}

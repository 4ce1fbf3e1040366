//! Listings as values: what each part says of small files and of the examples.

use std::convert::Infallible;

use amdgpu_arch::{Arch, InstructionSet, TargetSelection, Wave, with_set};
use amdgpu_dis::{
    CodeCounts, CodeSection, Image, Labels, Limits, LintOptions, ObjectError, ObjectFile, OpenError, Options,
    SourceLines, SymbolKind, WaveRule, WaveSource, open,
};
use isa_tests::elf::*;

const MATMUL: &[u8] = include_bytes!("../../../examples/matmul.gfx1100.co");
const HISTOGRAM: &[u8] = include_bytes!("../../../examples/histogram.gfx1100.co");

fn image(bytes: &[u8]) -> Image<'_> {
    open(bytes, &Options::default()).images.expect("an image").remove(0)
}

/// Returns the offsets and texts of rows, from the iterator; a loop must give the same.
fn rows(section: &CodeSection<'_>) -> Vec<(usize, String)> {
    let mut visited = Vec::new();
    let Ok(()) = section.try_for_each_row(|row| {
        visited.push((row.offset, row.to_string()));
        Ok::<(), Infallible>(())
    });
    let rows: Vec<_> = section.rows().map(|row| (row.offset, row.to_string())).collect();
    assert_eq!(rows, visited);
    rows
}

#[test]
fn rows_are_the_same_one_by_one() {
    for file in [MATMUL, HISTOGRAM] {
        let image = image(file);
        let listing = image.listing(&Options::default()).unwrap();
        assert_eq!((listing.processor.as_str(), listing.arch), ("gfx1100", Arch::Rdna3));
        for section in &listing.sections {
            let rows = rows(section);
            assert!(rows.len() > 20 && rows.iter().any(|(_, text)| text == "s_endpgm"));
        }
    }
}

#[test]
fn rows_of_an_instruction_that_is_not_read_are_all_there() {
    // An image instruction of GCN 1.4, of two dwords, which no crate reads, between instructions and at the end.
    let load = [0x41, 0x00, 0x02, 0xc0, 0xff, 0xff, 0x1f, 0x00];
    let outside = [0x00, 0x01, 0x00, 0xf0, 0x00, 0x00, 0x01, 0x00];
    let code = [&load[..], &outside, &outside, &load, &outside].concat();
    let section = CodeSection::raw(&code, Arch::Gcn1_4, Wave::W64);
    let rows = rows(&section);
    assert_eq!(rows.len(), 8);
    assert_eq!(rows[1].1, ".long 0xf0000100");
    assert_eq!(rows[5].1, "s_load_dword s1, s[2:3], -0x1");
}

#[test]
fn selected_rows_only() {
    let code = ENDPGM.repeat(8);
    let mut section = CodeSection::raw(&code, Arch::Rdna3, Wave::W32);
    section.select(vec![20..24, 4..12]);
    let offsets = rows(&section).iter().map(|row| row.0).collect::<Vec<_>>();
    assert_eq!(offsets, [4, 8, 20]);
}

#[test]
fn symbols_have_wave_sizes_and_the_rules_for_them() {
    let code = [&COMPARE[..], &ENDPGM, &COMPARE, &ENDPGM].concat();
    let elf = Elf::new(DYN).code(".text", 0x1000, code).data(".rodata", 0x2000, descriptor(false, -0x1000));
    let elf = elf.symbol("k", FUNC, 1, 0x1000, 8).symbol("k.kd", OBJECT, 2, 0x2000, 64);
    let bytes = elf.symbol("f", FUNC, 1, 0x1008, 8).bytes();
    let image = image(&bytes);
    let listing = image.listing(&Options::default()).unwrap();
    let [section] = &listing.sections[..] else { panic!("one section") };
    let kinds = section.symbols.iter().map(|symbol| symbol.kind.clone()).collect::<Vec<_>>();
    let kernel = SymbolKind::Kernel(Wave::W64, WaveSource::Descriptor);
    assert_eq!(kinds, [kernel, SymbolKind::Function(Wave::W64, WaveRule::AllKernels)]);
    assert_eq!(kinds[1].to_string(), "function, wave64 (as all kernels of the file)");
    assert_eq!(section.range_of(&section.symbols[0]), 0..8);
    let given = Options { wave: Some(Wave::W32), ..Options::default() };
    let listing = image.listing(&given).unwrap();
    assert_eq!(listing.sections[0].symbols[1].kind, SymbolKind::Function(Wave::W32, WaveRule::Given));
    assert_eq!(rows(&listing.sections[0])[2].1, "v_cmp_gt_u32_e32 vcc_lo, s3, v1");
}

#[test]
fn symbols_of_dynamic_vgprs_are_not_places() {
    // The values that llc 22 gives for a function of two blocks of VGPRs: 8 bytes after its entry, inside an instruction.
    let code = [&ENDPGM[..], &[0x0b, 0x01, 0x10, 0xca, 0x0a, 0x01, 0x02, 0x03], &ENDPGM].concat();
    let elf = Elf::new(REL).code(".text", 0, code).symbol("f", FUNC, 1, 0, 16).symbol("_dvgpr$f", FUNC, 1, 8, 16);
    let bytes = elf.bytes();
    let image = image(&bytes);
    let listing = image.listing(&Options::default()).unwrap();
    let [section] = &listing.sections[..] else { panic!("one section") };
    let names = section.symbols.iter().map(|symbol| symbol.name.as_str()).collect::<Vec<_>>();
    assert_eq!(names, ["f"]);
    assert_eq!(rows(section).iter().map(|row| row.0).collect::<Vec<_>>(), [0, 4, 12]);
}

#[test]
fn descriptors_before_kernels_of_mesa_are_data() {
    const HSA_KERNEL: u8 = 10;
    let mut descriptor = vec![0xff; 256];
    descriptor[0] = 1;
    let code = [&descriptor[..], &ENDPGM, &COMPARE].concat();
    let object = |size| Elf::new(REL).code(".text", 0, code.clone()).symbol("k", HSA_KERNEL, 1, 0, size).bytes();
    let mut bytes = object(0);
    let kinds = |bytes: &[u8]| {
        let image = image(bytes);
        let listing = image.listing(&Options::default()).unwrap();
        let [section] = &listing.sections[..] else { panic!("one section") };
        (section.symbols[0].kind.clone(), section.rows().filter(|row| row.instr().is_some()).count())
    };
    assert_eq!(kinds(&bytes), (SymbolKind::Label, 2));
    bytes[7] = 66;
    assert_eq!(kinds(&bytes), (SymbolKind::Descriptor(256), 2));
    let image = image(&bytes);
    let listing = image.listing(&Options::default()).unwrap();
    assert!(listing.sections[0].rows().all(|row| !row.is_unread()));
    // A kernel that is smaller than a descriptor has none.
    for (size, is_descriptor) in [(255, false), (256, true), (264, true)] {
        let mut bytes = object(size);
        bytes[7] = 66;
        assert_eq!(matches!(kinds(&bytes).0, SymbolKind::Descriptor(_)), is_descriptor, "{size}");
    }
}

/// The number of labels and the offsets that have one.
fn labels<S: InstructionSet>(section: &CodeSection<'_>) -> Vec<usize> {
    let labels = Labels::find::<S>(section, 3);
    let found: Vec<usize> = (0..section.bytes.len()).filter(|offset| labels.at(*offset).is_some()).collect();
    assert_eq!(labels.next(), 3 + found.len());
    found
}

#[test]
fn blocks_begin_at_labels_and_after_branches() {
    // s_cbranch_scc0 1; s_branch -2; s_endpgm
    let code = [[0x01, 0x00, 0xa1, 0xbf], [0xfe, 0xff, 0xa0, 0xbf], ENDPGM].concat();
    let section = CodeSection::raw(&code, Arch::Rdna3, Wave::W32);
    assert_eq!(with_set!(section.arch, S => labels::<S>(&section)), [0, 8]);
    let blocks = section.blocks();
    assert_eq!(blocks.iter().map(|block| block.offset).collect::<Vec<_>>(), [0, 4, 8]);
    assert_eq!((&blocks[0].successors[..], &blocks[2].predecessors[..]), (&[1, 2][..], &[0][..]));
    // Branches of GCN are not known.
    assert!(CodeSection::raw(&code, Arch::Gcn1_4, Wave::W64).blocks().is_empty());
}

#[test]
fn findings_have_places_and_advice() {
    // s_load_b32 s0, s[0:1], null; s_add_u32 s0, s0, s0; s_endpgm
    let load = [0x00, 0x00, 0x00, 0xf4, 0x00, 0x00, 0x00, 0xf8];
    let code = [&load[..], &[0x00, 0x00, 0x00, 0x80], &ENDPGM].concat();
    let section = CodeSection::raw(&code, Arch::Rdna3, Wave::W32);
    let [finding] = &section.lint(LintOptions::default())[..] else { panic!("one finding") };
    assert_eq!((finding.here.offset, finding.earlier.as_ref().map(|site| site.offset)), (8, Some(0)));
    assert_eq!(finding.help, "s_waitcnt lgkmcnt(0)");
    assert_eq!(finding.insert_before.as_ref().map(|site| site.instruction.as_str()), Some("s_add_u32 s0, s0, s0"));
    let padding = LintOptions { padding: true, ..LintOptions::default() };
    assert!(section.lint(padding).len() > 1);
    assert!(CodeSection::raw(&code, Arch::Gcn1_4, Wave::W64).lint(padding).is_empty());
}

#[test]
fn instructions_are_counted_by_kernel_and_class() {
    let image = image(MATMUL);
    let listing = image.listing(&Options::default()).unwrap();
    let counts = CodeCounts::new(&listing.sections);
    let kernels = ["matmul", "reduce_sum"].map(|kernel| counts.of(kernel).expect("a kernel"));
    assert_eq!(counts.all.total(), kernels.iter().map(|counts| counts.total()).sum::<u64>());
    let classes = kernels[0].sorted();
    assert!(classes.iter().any(|(class, count)| *class == "VMEM load" && *count > 0), "{classes:?}");
    assert_eq!(classes.iter().map(|(_, count)| count).sum::<u64>(), kernels[0].total());
    assert!(counts.of("none").is_none());
}

#[test]
fn kernels_have_descriptors_and_metadata() {
    let image = image(MATMUL);
    let object = image.object_file(&Limits::default()).unwrap();
    let kernels = object.kernels().unwrap();
    assert_eq!(object.kernel_count().unwrap(), kernels.len());
    let matmul = kernels.iter().find(|kernel| kernel.name == "matmul").expect("the kernel");
    assert!(matmul.descriptor.wavefront_size32());
    assert!(matmul.metadata.as_ref().is_some_and(|metadata| metadata.explicit_arguments().count() > 0));
}

#[test]
fn files_without_line_tables_have_no_source_lines() {
    assert!(SourceLines::new(MATMUL).is_none());
    assert!(SourceLines::new(b"").is_none());
}

#[test]
fn errors_say_what_a_file_is() {
    let error = |bytes: &[u8]| ObjectFile::parse(bytes, &Limits::default()).map(|_| ()).unwrap_err();
    assert!(matches!(error(b""), ObjectError::Empty));
    assert!(matches!(error(b"text"), ObjectError::NotElf));
    assert!(matches!(error(&MATMUL[..100]), ObjectError::Truncated { size: 100, .. }));
    let mut elf = Elf::new(DYN).code(".text", 0x1000, ENDPGM.into());
    elf.flags = 0;
    let bytes = elf.bytes();
    let unknown = image(&bytes);
    assert!(matches!(unknown.listing(&Options::default()), Err(ObjectError::NoProcessor)));
    let target = TargetSelection::parse("gfx1151").ok();
    let listing = unknown.listing(&Options { target, ..Options::default() }).unwrap();
    assert_eq!(listing.arch, Arch::Rdna3_5);
}

/// A bundle of code objects.
fn bundle(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let head = 32 + entries.iter().map(|(id, _)| 24 + id.len()).sum::<usize>();
    let mut bytes = b"__CLANG_OFFLOAD_BUNDLE__".to_vec();
    bytes.extend((entries.len() as u64).to_le_bytes());
    let mut at = head;
    for (id, contents) in entries {
        for number in [at, contents.len(), id.len()] {
            bytes.extend((number as u64).to_le_bytes());
        }
        bytes.extend(id.as_bytes());
        at += contents.len();
    }
    entries.iter().for_each(|(_, contents)| bytes.extend(*contents));
    bytes
}

#[test]
fn a_target_chooses_among_images() {
    let mut other = Elf::new(DYN).code(".text", 0x1000, ENDPGM.into());
    other.flags = 0x2c;
    let (one, two) = ("hipv4-amdgcn-amd-amdhsa--gfx1100", "hipv4-amdgcn-amd-amdhsa--gfx900");
    let file = bundle(&[(one, MATMUL), (two, &other.bytes())]);
    let error = open(&file, &Options::default()).images.unwrap_err();
    assert!(matches!(&error, OpenError::Several { example, .. } if example == "gfx1100"), "{error}");
    let options = |name| Options { target: TargetSelection::parse(name).ok(), ..Options::default() };
    let images = open(&file, &options("gfx900")).images.expect("the image");
    assert_eq!(images[0].place, format!("bundle 1, {two}"));
    assert_eq!(images[0].listing(&options("gfx900")).unwrap().arch, Arch::Gcn1_4);
    assert!(matches!(open(&file, &options("gfx1151")).images, Err(OpenError::NotHeld { .. })));
    assert!(matches!(open(&bundle(&[]), &options("gfx900")).images, Err(OpenError::WithoutCode("an offload bundle"))));
}

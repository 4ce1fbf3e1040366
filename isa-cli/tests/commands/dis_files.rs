//! `isa dis` over code objects and raw bytes: what is listed, how, and with which exit status.

use crate::common::*;
use isa_tests::elf::*;

const TSV: &[&str] = &["dis", "--format", "tsv", "-"];
const TEXT: &[&str] = &["dis", "-"];

/// Address and text of each row.
fn rows(said: &Said) -> Vec<(String, String)> {
    let fields = said.out.lines().map(|l| l.split('\t').collect::<Vec<_>>());
    fields.map(|f| (f[0].to_owned(), f[2].to_owned())).collect()
}

fn texts(said: &Said) -> Vec<String> {
    rows(said).into_iter().map(|(_, text)| text).collect()
}

/// Two kernels, of wave64 and wave32, and a function that has no descriptor.
fn two_kernels(kind: u16) -> Elf {
    let (text, rodata) = if kind == DYN { (0x1600, 0x600) } else { (0, 0) };
    let code = [COMPARE, COMPARE, ENDPGM, COMPARE].concat();
    let descriptors = [descriptor(false, 0x1000), descriptor(true, 0x1000 - 0x40 + 4)].concat();
    Elf::new(kind)
        .code(".text", text, code)
        .data(".rodata", rodata, descriptors)
        .symbol("wide", FUNC, 1, text, 4)
        .symbol("narrow", FUNC, 1, text + 4, 8)
        .symbol("helper", FUNC, 1, text + 12, 4)
        .symbol("wide.kd", OBJECT, 2, rodata, 64)
        .symbol("narrow.kd", OBJECT, 2, rodata + 64, 64)
}

#[test]
fn rows_hold_address_bytes_text_and_section() {
    let said = run(TSV, &two_kernels(DYN).bytes());
    assert_eq!(said.status, Some(0), "{said:?}");
    let expected = "1600\t0302987c\tv_cmp_gt_u32_e32 vcc, s3, v1\t.text\n\
                    1604\t0302987c\tv_cmp_gt_u32_e32 vcc_lo, s3, v1\t.text\n\
                    1608\t0000b0bf\ts_endpgm\t.text\n\
                    160c\t0302987c\tv_cmp_gt_u32_e32 vcc_lo, s3, v1\t.text\n";
    assert_eq!(said.out, expected);
}

#[test]
fn relocatable_objects_are_read_by_name() {
    let said = run(TSV, &two_kernels(REL).bytes());
    assert_eq!(said.status, Some(0), "{said:?}");
    let rows = rows(&said);
    assert_eq!(rows[0], ("0".into(), "v_cmp_gt_u32_e32 vcc, s3, v1".into()));
    assert_eq!(rows[1], ("4".into(), "v_cmp_gt_u32_e32 vcc_lo, s3, v1".into()));
}

#[test]
fn a_descriptor_points_at_a_kernel_of_another_name() {
    let mut elf = two_kernels(DYN);
    elf.symbols[0].name = "entry";
    let said = run(TSV, &elf.bytes());
    assert_eq!(texts(&said)[0], "v_cmp_gt_u32_e32 vcc, s3, v1");
}

#[test]
fn wave_overrides_descriptors() {
    for (wave, text) in [("32", "vcc_lo"), ("64", "vcc")] {
        let said = run(&["dis", "--wave", wave, "--format", "tsv", "-"], &two_kernels(DYN).bytes());
        let compares = said.out.matches(&format!(" {text}, ")).count();
        assert_eq!(compares, 3, "{}", said.out);
    }
}

#[test]
fn every_executable_section_in_the_files_order() {
    let elf = Elf::new(REL).code(".text.b", 0, ENDPGM.to_vec()).data(".rodata", 0, vec![1; 8]).code(
        ".text.a",
        0,
        [ENDPGM, ENDPGM].concat(),
    );
    let said = run(TSV, &elf.bytes());
    let sections: Vec<_> = said.out.lines().filter_map(|l| l.rsplit('\t').next()).collect();
    assert_eq!(sections, [".text.b", ".text.a", ".text.a"]);
    let said = run(TEXT, &elf.bytes());
    assert!(said.out.contains("\t.section .text.b,\"ax\",@progbits\n"), "{}", said.out);
}

#[test]
fn descriptors_among_code_are_data() {
    let mut code = descriptor(false, 64);
    code.extend_from_slice(&COMPARE);
    for kind in [OBJECT, NOTYPE] {
        let elf = Elf::new(DYN)
            .code(".text", 0x1000, code.clone())
            .symbol("k.kd", kind, 1, 0x1000, 64)
            .symbol("k", NOTYPE, 1, 0x1040, 0);
        let said = run(TSV, &elf.bytes());
        assert_eq!(said.status, Some(0), "{said:?}");
        let texts = texts(&said);
        assert_eq!(texts.len(), 17);
        assert_eq!(texts[4], ".long 0x00000040");
        assert!(texts[..16].iter().all(|t| t.starts_with(".long 0x")));
        assert_eq!(texts[16], "v_cmp_gt_u32_e32 vcc, s3, v1");
        let said = run(TEXT, &elf.bytes());
        assert!(said.out.contains("kernel descriptor, 64 bytes of data"), "{}", said.out);
    }
}

#[test]
fn padding_is_listed() {
    let mut code = ENDPGM.to_vec();
    code.extend([0; 64]);
    code.extend([0x00, 0x00, 0x9f, 0xbf].repeat(64));
    let elf = Elf::new(DYN).code(".text", 0x1000, code);
    let texts = texts(&run(TSV, &elf.bytes()));
    assert_eq!(texts.iter().filter(|t| *t == "v_illegal").count(), 16);
    assert_eq!(texts.iter().filter(|t| *t == "s_code_end").count(), 64);
}

#[test]
fn branches_have_labels_in_the_listing_only() {
    // s_branch 1 over one s_endpgm; s_branch -1 to itself; s_branch -4 to the symbol; s_branch 1000 to nowhere.
    let branch = |to: i16| {
        let [low, high] = to.to_le_bytes();
        [low, high, 0xa0, 0xbf]
    };
    let code = [branch(1), ENDPGM, branch(-1), branch(-4), branch(1000)].concat();
    let elf = Elf::new(DYN).code(".text", 0x1000, code).symbol("start", FUNC, 1, 0x1000, 20);
    let said = run(TSV, &elf.bytes());
    let expected = ["s_branch 1", "s_endpgm", "s_branch 65535", "s_branch 65532", "s_branch 1000"];
    assert_eq!(texts(&said), expected);
    let out = run(TEXT, &elf.bytes()).out;
    assert!(out.contains("// 000000001000: BFA00001 <L0>\n"), "{out}");
    assert!(out.contains("\nL0:\n\ts_branch 65535"), "{out}");
    assert!(out.contains("BFA0FFFC <start>\n"), "{out}");
    assert!(out.contains("BFA003E8 <0x1fb4>\n"), "{out}");
    assert!(out.contains("\nstart:"), "{out}");
}

#[test]
fn what_is_no_instruction_is_listed_and_told() {
    let code = [&ENDPGM[..], &UNKNOWN, &ENDPGM, &[1, 2, 0xf3]].concat();
    let elf = Elf::new(DYN).code(".text", 0x1000, code);
    let said = run(TSV, &elf.bytes());
    assert_eq!(said.status, Some(1), "{said:?}");
    let expected = ["s_endpgm", ".long 0xffffffff", "s_endpgm", ".byte 0x01, 0x02, 0xf3"];
    assert_eq!(texts(&said), expected);
    let said = run(TEXT, &elf.bytes());
    assert_eq!(said.status, Some(1), "{said:?}");
    assert!(said.out.contains("// 00000000100C: F30201"), "{}", said.out);
}

#[test]
fn noncanonical_instructions_are_text_with_a_remark() {
    let elf = Elf::new(DYN).code(".text", 0, [&NONCANONICAL[..], &ENDPGM].concat());
    let said = run(TSV, &elf.bytes());
    assert_eq!(said.status, Some(0), "{said:?}");
    assert_eq!(texts(&said), ["exp invalid_target_32 v4, v3, v2, v1", "s_endpgm"]);
    let said = run(TEXT, &elf.bytes());
    assert_eq!(said.status, Some(0), "{said:?}");
    assert_eq!(said.out.matches("// non-canonical: ").count(), 1, "{}", said.out);
}

#[test]
fn raw_bytes_of_any_length() {
    let all = [&ENDPGM[..], &NONCANONICAL, &ENDPGM].concat();
    for length in 0..=all.len() {
        let args = ["dis", "--raw", "--arch", "gfx1102", "--format", "tsv", "-"];
        let said = run(&args, &all[..length]);
        let whole = [0, 4, 12, 16].contains(&length);
        assert_eq!(said.status, Some(i32::from(!whole)), "{length}: {said:?}");
        let bytes: usize = said.out.lines().map(|l| l.split('\t').nth(1).map_or(0, str::len)).sum();
        assert_eq!(bytes, 2 * length);
    }
}

#[test]
fn colours_when_asked() {
    let bytes = two_kernels(DYN).bytes();
    let colored = |args: &[&str]| run(args, &bytes).out.contains('\x1b');
    assert!(!colored(TEXT), "a pipe is not a terminal");
    assert!(colored(&["dis", "--color", "always", "-"]));
    assert!(!colored(&["dis", "--color", "never", "-"]));
    assert!(!colored(&["dis", "--color", "always", "--format", "tsv", "-"]));
}

#[test]
fn names_from_a_file_reach_the_terminal_escaped() {
    let elf = Elf::new(DYN).code(".te\txt", 0, ENDPGM.to_vec()).symbol("a\x1b[31m", FUNC, 1, 0, 4);
    let said = run(TSV, &elf.bytes());
    assert_eq!(said.out, "0\t0000b0bf\ts_endpgm\t.te\\txt\n");
    assert!(!run(TEXT, &elf.bytes()).out.contains('\x1b'));
}

#[test]
fn encodings_that_are_not_read_are_stepped_over() {
    // s_mov_b32 with a literal that looks like a load, a load, s_endpgm.
    let code = b"\xff\x00\x80\xbe\x00\x00\x50\xe0\x41\x00\x02\xc0\x24\x00\x00\x00\x00\x00\x81\xbf";
    let raw = ["dis", "--arch", "gcn1.2", "--raw", "--format", "tsv", "-"];
    let said = run(&raw, code);
    assert_eq!(said.status, Some(0), "{said:?}");
    let expected = [
        ("0", ".long 0xbe8000ff"),
        ("4", ".long 0xe0500000"),
        ("8", "s_load_dword s1, s[2:3], 0x24"),
        ("10", ".long 0xbf810000"),
    ];
    assert_eq!(rows(&said), expected.map(|(at, text)| (at.to_owned(), text.to_owned())));
    // The literal is cut off: what is there is listed.
    let said = run(&raw, &code[..6]);
    assert_eq!((said.status, texts(&said)), (Some(0), vec![".long 0xbe8000ff".into(), ".byte 0x00, 0x00".into()]));
    // No opcode 127 of MUBUF, and no encoding that begins with 0xcc.
    for unread in [*b"\x00\x00\xfc\xe1", *b"\x00\x00\x00\xcc"] {
        assert_eq!(run(&raw, &unread).status, Some(1));
    }
    let listing = run(&["dis", "--arch", "gcn1.2", "--raw", "-"], code).out;
    assert!(listing.contains(".long 0xbe8000ff") && listing.contains("// SOP1"), "{listing}");
}

#[test]
fn gcn_objects_are_read_by_their_processor() {
    let mut elf = Elf::new(REL).code(".text", 0, b"\x41\x00\x02\xc0\x24\x00\x00\x00".to_vec());
    elf.flags = 0x12c;
    let said = run(TSV, &elf.bytes());
    assert_eq!((said.status, texts(&said)), (Some(0), vec!["s_load_dword s1, s[2:3], 0x24".into()]));
}

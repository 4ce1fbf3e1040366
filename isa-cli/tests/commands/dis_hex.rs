//! `isa dis --hex`: a line in, a line out, in order, for lines of any contents.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use crate::common::*;

const HEX: &[&str] = &["dis", "--arch", "rdna3", "--hex", "-"];

fn lines(args: &[&str], input: &[u8]) -> Vec<String> {
    let said = run(args, input);
    assert_eq!((said.status, &*said.err), (Some(0), ""), "{said:?}");
    said.out.lines().map(str::to_owned).collect()
}

#[test]
fn whole_instructions() {
    let wave64 = ["dis", "--arch", "gfx1100", "--wave", "64", "--hex", "-"];
    assert_eq!(lines(HEX, b"0302987C\r\n"), ["v_cmp_gt_u32_e32 vcc_lo, s3, v1"]);
    assert_eq!(lines(&wave64, b"0302987c\n"), ["v_cmp_gt_u32_e32 vcc, s3, v1"]);
    let two = lines(HEX, b"000304f4180000f8\n00000000");
    assert_eq!(two, ["s_load_b64 s[12:13], s[0:1], 0x18", "v_illegal"]);
    assert!(lines(HEX, b"").is_empty());
}

#[test]
fn anything_else_is_one_error_line() {
    let mut input: Vec<u8> = Vec::new();
    let long = vec![b'0'; 1 << 20];
    let bad: &[&[u8]] = &[
        b"",
        b"   ",
        b"0000b0b",
        b"0000b0",
        b"0000b0bg",
        b"0x0000b0b",
        b"0000 b0bf",
        b"00 00 0000b0bf",
        b"// 000000001500:",
        b"0000b0bf0000b0bf",
        b"0000b0bf0000b0bf0000b0bf0000b0bf",
        b"000304f4",
        b"ffffffff",
        b"\xff\xfe\x00",
        "ä".as_bytes(),
        &long,
    ];
    for line in bad {
        input.extend_from_slice(line);
        input.extend_from_slice(b"\n0000b0bf\n");
    }
    let answers = lines(HEX, &input);
    assert_eq!(answers.len(), 2 * bad.len());
    for (pair, line) in answers.chunks(2).zip(bad) {
        assert!(pair[0].starts_with("error: "), "{:?}", &line[..line.len().min(40)]);
        assert!(pair[0].len() < 200, "{}", pair[0]);
        assert_eq!(pair[1], "s_endpgm");
    }
}

#[test]
fn lines_are_read_as_they_are_pasted() {
    // Left sides of issues of LLVM, the disassembler's comments and those of the assembler.
    let input = "0xff,0x00,0x36,0xd5,0x01,0x05,0x02,0x00
[0xff,0x00,0x36,0xd5,0x01,0x05,0x02,0x00]
ff 00 36 d5 01 05 02 00
d53600ff 00020501
0xd53600ff, 0x00020501
// 000000001508: D53600FF 00020501
; encoding: [0xff,0x00,0x36,0xd5,0x01,0x05,0x02,0x00]
";
    let whole = lines(HEX, b"ff0036d501050200");
    assert!(!whole[0].starts_with("error"), "{whole:?}");
    assert_eq!(lines(HEX, input.as_bytes()), vec![whole[0].clone(); 7]);
    assert_eq!(lines(HEX, b"0xbfb00000\nbfb00000")[0], "s_endpgm");
    assert!(lines(HEX, b"0000 b0bf")[0].contains("help: separate bytes of 2 digits or dwords of 8"));
}

#[test]
fn noncanonical_words_only_leniently() {
    let word = b"0f0200f804030201\n";
    assert!(lines(HEX, word)[0].starts_with("error: "));
    let lenient = ["dis", "--arch", "rdna3", "--lenient", "--hex", "-"];
    assert_eq!(lines(&lenient, word), ["exp invalid_target_32 v4, v3, v2, v1"]);
    assert!(lines(&lenient, b"0f0200f80403020100000000")[0].starts_with("error: "));
    assert!(lines(&lenient, b"ffffffff")[0].starts_with("error: "));
}

/// Words of LLVM 23 and of Mesa's compiler: the field that is not used, and the text.
const UNUSED: [(&str, &str, &str); 6] = [
    ("00003cd782040202", "SRC2 holds 128 (0x80) instead of 0", "v_lshlrev_b64 v[0:1], 2, v[2:3]"),
    ("000050e080020207", "VADDR holds 128 (0x80) instead of 0", "buffer_load_b32 v2, off, s[8:11], s7"),
    ("000075dc802c7c00", "ADDR holds 128 (0x80) instead of 0", "scratch_store_b128 off, v[44:47], off"),
    ("410900f800808080", "VSRC1 holds 128 (0x80) instead of 0", "exp prim v0, off, off, off done"),
    ("070212cc02050258", "OPSEL_HI2 holds 0 (0x0) instead of 1", "v_pk_max_f16 v7, v2, v2 neg_lo:[0,1] neg_hi:[0,1]"),
    ("8000007e", "SRC0 holds 128 (0x80) instead of 0", "v_nop"),
];

#[test]
fn fields_that_are_not_used_hold_anything() {
    let strict = ["dis", "--arch", "rdna3", "--strict", "--hex", "-"];
    for (hex, field, text) in UNUSED {
        assert_eq!(lines(HEX, hex.as_bytes()), [text]);
        let error = &lines(&strict, hex.as_bytes())[0];
        assert!(
            error.starts_with("error: non-canonical ") && error.contains(&format!("{field}, and is not used")),
            "{error}"
        );
        // The assembler writes what is usual there.
        let back = &lines(&["asm", "--arch", "rdna3", "--hex", "-"], text.as_bytes())[0];
        assert_ne!(back, hex);
        assert_eq!(lines(&strict, back.as_bytes()), [text]);
    }
    let code = [0x00, 0x00, 0x50, 0xe0, 0x80, 0x02, 0x02, 0x07];
    let raw = ["dis", "--arch", "rdna3", "--raw", "-"];
    assert!(!run(&raw, &code).out.contains("non-canonical"));
    let remarks = run(&[&raw[..], &["--strict"]].concat(), &code);
    assert_eq!(remarks.status, Some(0));
    assert!(remarks.out.contains("// non-canonical: MUBUF: VADDR holds 128 (0x80) instead of 0, and is not used"));
}

#[test]
fn a_file_of_lines() {
    let path = std::env::temp_dir().join(format!("isa-hex-{}", std::process::id()));
    std::fs::write(&path, "0000b0bf\n").unwrap();
    let file = path.to_str().unwrap();
    let said = run(&["dis", "--arch", "rdna3", "--hex", file], b"");
    std::fs::remove_file(&path).unwrap();
    assert_eq!(said.out, "s_endpgm\n");
}

#[test]
fn answers_come_before_the_next_question() {
    let mut child = isa(HEX).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut questions = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap());
    for _ in 0..3 {
        questions.write_all(b"0000b0bf\n").unwrap();
        let mut answer = String::new();
        answers.read_line(&mut answer).unwrap();
        assert_eq!(answer, "s_endpgm\n");
    }
    drop(questions);
    assert!(child.wait().unwrap().success());
}

#[test]
fn generations_of_gcn() {
    let dis = |arch: &str, input: &[u8]| lines(&["dis", "--arch", arch, "--hex", "-"], input);
    assert_eq!(dis("gcn1.0", b"100030e000010141"), dis("gfx600", b"100030e000010141"));
    assert_eq!(dis("gcn1.1", b"108030e002010101"), ["buffer_load_dword v1, v[2:3], s[4:7], s1 addr64 offset:16"]);
    assert_eq!(dis("gcn1.2", b"410002c0ffff0f00"), ["s_load_dword s1, s[2:3], 0xfffff"]);
    assert_eq!(dis("gfx900", b"410002c0ffff1f00"), ["s_load_dword s1, s[2:3], -0x1"]);
    let errors = dis("gcn1.2", b"0000b0bf\n4100c8c200000000");
    assert_eq!(errors, ["error: SOPP is an encoding that is not read", "error: gcn1_2: SMEM has no opcode 178 (OP)"]);
}

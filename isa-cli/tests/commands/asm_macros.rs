//! Macros, repetitions, conditions, included files and numbered labels, as people who write assembly by hand use them.

use crate::common::*;

/// The text of a program that is not code but says what becomes of it.
fn said(source: &str) -> String {
    let bytes = output(source, &[]);
    assert_eq!(bytes.0.status, Some(0), "{source}\n{}", bytes.0.err);
    String::from_utf8(bytes.1).expect("the bytes are text")
}

#[test]
fn a_kernel_written_by_hand() {
    // The bytes are llvm-mc's.
    let bytes = concat!(
        "000052dc02007c04100052dc02007c04000080bf004052dc04007c01104052dc04007c01050080bf08818880088007bf",
        "fdffa2bf08818880088007bffdffa2bf0003085601050a5602070c56ffffa1bf0000a0bf0000b0bf070000b0090000b0",
        "030400020501010602",
    );
    assert_eq!(text(include_str!("../../../examples/macros.s")), bytes);
}

#[test]
fn arguments_and_counts() {
    let m = ".macro P a b=7 c:vararg\n.ascii \"[\\a|\\b|\\c]\"\n.endm\n";
    assert_eq!(
        said(&format!("{m}P 1\nP 1 + 2, (3, 4), v w\nP b=4, a = 5\nP \"x y\" ,2\n")),
        "[1|7|][1+2|(3, 4)|v w][5|4|][x y|2|]"
    );
    assert_eq!(said(".macro M\n.ascii \"\\@\\+ \"\n.endm\n.macro N\n.ascii \"\\+\"\n.endm\nM\nN\nM\nN\n"), "00 021 1");
    assert_eq!(said(".rept 2\n.irpc x, ab\n.ascii \"\\x\"\n.endr\n.endr\n"), "abab");
    // A macro's text may define macros, use others and leave its end unread.
    let nested = ".macro A x\n.macro B\\x y\n.ascii \"\\x\\y\"\n.endm\n.endm\nA 1\nB1 2\n";
    assert_eq!(said(nested), "12");
    let count = ".macro T n\n.if \\n\n.byte 48+\\n\nT \\n-1\n.exitm\n.endif\n.ascii \"!\"\n.endm\nT 3\n.purgem T\n.macro T\n.ascii \"?\"\n.endm\nT\n";
    assert_eq!(said(count), "321!?");
    // A macro goes before an instruction and before a directive of its name, but not before a label.
    let shadow = "s_nop 0\n.macro s_nop n\n.byte \\n\n.endm\n.macro .foo\n.byte 7\n.endm\ns_nop 1\ns_nop: .foo\n";
    assert_eq!(text(shadow), "000080bf0107");
}

#[test]
fn conditions() {
    for (condition, holds) in [
        (".if 2 > 1", true),
        (".ifeq 1-1", true),
        (".ifne 0", false),
        (".iflt -1", true),
        (".ifge -1", false),
        (".ifgt 0", false),
        (".ifle 0", true),
        (".ifb", true),
        (".ifnb x", true),
        (".ifc a b, a b", true),
        (".ifnc \"a\", a", true),
        (".ifeqs \"a\", \"a\"", true),
        (".ifnes \"a\", \"a\"", false),
        (".ifdef label", true),
        (".ifdef later", false),
        (".ifndef label", false),
        (".ifnotdef later", true),
        (".if label - label", false),
    ] {
        let source = format!("label:\n{condition}\n.ascii \"1\"\n.else\n.ascii \"2\"\n.endif\nlater:\n");
        assert_eq!(said(&source), if holds { "1" } else { "2" }, "{condition}");
    }
    // Skipped lines are not read, with any contents.
    let over = ".if 0\n.if oops\nnonsense\n.else\n.macro\n.endif\n.elseif 1\n.ascii \"x\"\n.elseif oops\n.else\n.error\n.endif\n";
    assert_eq!(said(over), "x");
}

#[test]
fn errors_show_the_expansion_of_a_line() {
    refused(
        "s_nop 0\n.macro ADD d, s\n  v_add_f32 v\\d, \\s\n.endm\nADD 1, v2\n",
        &["another operand", "input:3:19", "3 |   v_add_f32 v1, v2", "input:5:1", "in this use", "input: 1 error"],
    );
    // Once, however often it comes.
    refused(".rept 5\ns_nip 0\n.endr\n", &["input:2:1", "repeated here", "input: 1 error"]);
    for (source, parts) in [
        (".macro P a\n.endm\nP 1, 2\n", &["3:6", "takes 1 argument"][..]),
        (".macro P a:req\n.endm\nP\n", &["needs a value for `a`"]),
        (".macro P value\n.endm\nP valu=1\n", &["no parameter `valu`", "there is `value`"]),
        (".macro P a b\n.endm\nP a=1, 2\n", &["cannot follow"]),
        (".macro P a a\n nothing is read of this\n.endm\n", &["two parameters `a`", "1 error"]),
        (".macro P\n.endm\n.macro P\n.endm\n", &["3:8", "defined twice", "1:8", "first here", ".purgem"]),
        (".macro PRINT\n.endm\nPRIMT\n", &["unknown mnemonic", "there is the macro `PRINT`"]),
        (".macro P\n s_nop 0\n", &["1:1", "no `.endm` follows"]),
        (".rept 2\n", &["no `.endr` follows"]),
        (".rept -1\n.endr\n", &["is negative", "1 error"]),
        (".if 1\n", &["no `.endif` follows"]),
        (".macro P\n.if 0\n.endm\nP\ns_nop 0\n.endif\n", &["2:1", "no `.endif` follows", "6:1", "without an `.if`"]),
        (
            ".else\n.endif\n.endm\n.endr\n.exitm\n",
            &[
                "`.else` without an `.if`",
                "`.endif` without",
                "without a `.macro`",
                "without a `.rept`",
                "outside of macros",
            ],
        ),
        (".if 1\n.else\n.else\n.endif\n", &["second `.else`"]),
        (".purgem P\n", &["no macro `P`"]),
        (".error \"too few\"\n.err\n", &["error: too few", "contains `.err` here"]),
        (".if nowhere\n.endif\n", &["`nowhere` is not known before this line", "1 error"]),
        (".macro P\nl\\@: s_branch nowhere\n s_mov_b32 s0, s1x\n.endm\nP\n", &["`nowhere` is not defined"]),
        (".macro L n\nl\\n:\n.endm\nL 1\n s_mov_b32 s0, s1x\n", &["`s1x` is neither an operand nor defined"]),
        (".include \"nowhere.inc\"\n", &["1:10", "`nowhere.inc` cannot be read: there is no such file", "`-I`"]),
        (".macro P\nP\n.endm\nP\n", &["more than 20 deep"]),
        (".macro P\nP\nP\n.endm\nP\nP\n", &["more than 20 deep", "input: 1 error"]),
        (".rept 0x7fffffffffffffff\ns_nop 0\n.endr\ns_nip 1\n", &["more than 32 MiB", "`.fill`", "input: 1 error"]),
        (".altmacro\n.macro P\n LOCAL x\n.endm\nP\n", &["`LOCAL`", "`\\@`"]),
    ] {
        refused(source, parts);
    }
}

#[test]
fn messages_of_a_program_are_no_errors() {
    let said = run(&ARGS, b".warning \"careful\"\n.print \"hello\"\ns_nop 0\n");
    assert_eq!(said.status, Some(0), "{}", said.err);
    assert!(said.err.contains("warning: careful") && said.err.contains("note: hello") && !said.err.contains("error"));
    assert!(said.out.contains("s_nop 0"));
}

#[test]
fn the_listing_shows_what_lines_stand_for() {
    let said = run(&ARGS, b".macro P a\n v_mov_b32 v\\a, 1 ; one\n.endm\n.rept 2\nP 3\n.endr\n");
    assert_eq!(
        said.out,
        "       0  8102067e                  v_mov_b32 v3, 1\n       4  8102067e                  v_mov_b32 v3, 1\n"
    );
}

#[test]
fn files_and_symbols_from_outside() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("include-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("common.inc"), ".macro P\n .byte N, M\n.endm\ndone:\n s_nop oops\n").unwrap();
    std::fs::write(folder.join("data.bin"), [1, 2, 3, 4, 5]).unwrap();
    let folder_name = folder.to_str().unwrap();
    let source = ".ifdef N\n.ifndef oops\noops=3\n.endif\n.include \"common.inc\"\nP\n.incbin \"data.bin\", 1, 2\n.incbin \"data.bin\", 4\n.endif\n";
    let (said, bytes) = output(source, &["-I", folder_name, "--defsym", "N=7", "--defsym", "M=-1"]);
    assert_eq!((said.status, bytes), (Some(0), vec![3, 0, 0x80, 0xbf, 7, 0xff, 2, 3, 5]), "{}", said.err);
    // A label of an included file can be named before.
    let (said, bytes) = output("s_branch done\noops=0\n.include \"common.inc\"\n", &["-I", folder_name]);
    assert_eq!((said.status, bytes), (Some(0), vec![0, 0, 0xa0, 0xbf, 0, 0, 0x80, 0xbf]), "{}", said.err);
    let said = run(&[&ARGS[..], &["-I", folder_name]].concat(), b".include \"common.inc\"\n");
    for part in ["common.inc:5:", "s_nop oops", "included here", "standard input:1:1"] {
        assert!(said.err.contains(part), "{part}: {}", said.err);
    }
    for wrong in ["N", "N=", "=1", "N=x", "1=1", "N=1 2"] {
        assert_eq!(run(&[&ARGS[..], &["--defsym", wrong]].concat(), b"").status, Some(2), "{wrong}");
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

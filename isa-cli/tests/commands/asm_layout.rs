//! Expressions, pieces of unknown size and subsections: where everything is, and the values of what depends on it. The expected
//! bytes are those of llvm-mc 22.

use crate::common::*;

#[test]
fn every_operator_works_on_distances_of_labels() {
    // As clang writes it for branches that are too far.
    let far = "s_getpc_b64 s[0:1]\npost:\ns_add_u32 s0, s0, (target-post)&4294967295\ns_addc_u32 s1, s1, (target-post)>>32\n\
        s_setpc_b64 s[0:1]\ntarget: s_add_u32 s0, s0, (post-target)&4294967295\ns_addc_u32 s1, s1, (post-target)>>32\n";
    assert_eq!(
        text(far),
        "004780be00ff008014000000\
         01ff01820000000000\
         4880be00ff0080ecffffff01ff0182ffffffff"
            .replace("01ff01820000000000 4880be", "")
            .replace(' ', "")
    );
    let both = "a: .long (b-a)*4, (b-a)/4, -(a-b), ~(b-a), (b-a)%5, (b-a)<<2, (b-a)^1, (b-a)|1, (b-a)==(b-a), !(a-b)\n.quad a-b\nb:\n";
    assert_eq!(
        text(both),
        "c00000000c00000030000000cfffffff03000000c00000003100000031000000ffffffff00000000d0ffffffffffffff"
    );
}

#[test]
fn sizes_may_depend_on_what_follows() {
    for (source, bytes) in [
        (".fill b-a\na: .long 1\nb:\n", "0000000001000000"),
        (".fill b-a,4,7\na: .long 1\nb:\n", "0700000007000000070000000700000001000000"),
        (".skip b-a,4\na: .long 1\nb:\n.zero b-a\n", "040404040100000000000000"),
        ("x: .org x+8, 1\n.byte 2\n", "010101010101010102"),
        (".fill b-a\n.p2align 3\na: .long 1\nb: .long b-a\n", "00000000000080bf0100000004000000"),
        (".uleb128 b-a, 5\na: .fill 20,8\nb:\n.sleb128 a-b\n", &format!("a00105{}e07e", "00".repeat(160))),
        ("a = . + 4\n.long a-.\n. = 8\n.byte 7\n", "040000000000000007"),
        (
            "s_branch x\n.fill b-a, 4, 0xbf800001\na: s_nop 0\nb:\nx: s_branch a\n",
            "0500a0bf010080bf010080bf010080bf010080bf000080bffeffa0bf",
        ),
    ] {
        assert_eq!(text(source), bytes, "{source}");
    }
    refused("a: .fill b-a\n.long 1\nb:\n", &["input:1:10", "depends on itself"]);
    refused(".org b\n.byte 1\nb:\n", &["depends on itself"]);
    refused(".fill a-b\na: .long 1\nb:\n", &["a count is not negative"]);
    refused(".fill b\na: .long 1\nb:\n", &["expected a number, not an address"]);
    refused(".fill x\na: .long 1\n", &["expected a number, not an address"]);
    refused(".org x\n.data\nx: .byte 1\n", &["an address in the same section"]);
    refused("a: .long 1\nb: .org a+2\n", &["`.org` cannot go back"]);
    refused(".fill (b-a)<<40\na: .long 1\nb:\n", &["256 MiB"]);
}

#[test]
fn the_address_in_a_list_is_that_of_its_item() {
    assert_eq!(text("tab: .long l0-., l1-.\nl0: .long 0\nl1: .byte .-tab, .-tab\n"), "0800000008000000000000000c0d");
    assert_eq!(
        text("a: .short .-a, .-a\n.quad .-a, .-a\n"),
        "000002000400000000000000".to_owned() + "0c00000000000000"
    );
    assert_eq!(text("a: .byte 7\n.uleb128 .-a, .-a\n"), "070102");
}

#[test]
fn conditions_know_what_llvm_knows() {
    let value = |between: &str| format!("a: s_nop 0\n{between}b:\n.if b-a == 4\n.byte 1\n.else\n.byte 2\n.endif\n");
    for (between, byte) in
        [("", "01"), (".fill 3\n", "02"), (".data\n.byte 1\n.text\n", "01"), (".subsection 1\n.previous\n", "01")]
    {
        assert!(text(&value(between)).ends_with(byte), "{between}");
    }
    for between in [".p2align 3\n", ".org 20\n", ".fill x\n.set x, 1\n", ".uleb128 y-x\n"] {
        refused(&(value(between) + "x: .byte 1\ny:\n"), &["not known"]);
    }
}

#[test]
fn references_keep_the_value_of_their_time() {
    assert_eq!(text(".long x\nx=1\n.long x\nx=2\n.long x\n"), "010000000100000002000000");
    assert_eq!(text("a:\nx=a\n s_nop 0\nb:\n.long x-.\nx=b\n.long x-.\n"), "000080bffcfffffffcffffff");
    assert_eq!(text(".set x, y\n.set y, 5\n.long x\n"), "05000000");
    refused("x: s_nop 0\nx = 1\n", &["input:2:1", "`x` is defined twice"]);
    refused(".equiv x, 1\n.equiv x, 2\n", &["defined twice"]);
}

#[test]
fn values_that_are_too_large() {
    refused(
        ".byte 256, -129\n.short 65536\n.long 1<<32\n",
        &["256 does", "-129 does", "65536 does", "4294967296 does", "4 errors"],
    );
    // LLVM checks what it knows early, and keeps the low bits of the rest.
    refused("a: .fill 300\nb: .byte b-a\n", &["300 does not fit 8 bits"]);
    let (said, bytes) = output(".byte b-a\na: .fill 300\nb:\n", &[]);
    assert!(said.status == Some(0) && said.err.contains("warning: the value 300 does not fit 8 bits"), "{said:?}");
    assert_eq!(bytes[0], 0x2c);
}

#[test]
fn subsections_follow_their_numbers() {
    let source = ".byte 1\n.subsection 2\n.byte 4\n.text 1\n.byte 3\n.subsection 0\n.byte 2\n.subsection 2\nx: .byte x-y, 5\n.text\ny:\n";
    assert_eq!(text(source), "010203040205");
    // An alignment after the first subsection, whose size is known at the end.
    assert_eq!(text(".subsection 1\n.p2align 2, 9\nx: .byte 5\n.text 0\n.byte 1\n.long x\n").len(), 2 * 9);
    refused(".subsection -1\n.text 1<<40\n", &["input:1:13", "input:2:7", "between 0 and 2147483647", "2 errors"]);
    assert_eq!(
        text(
            ".pushsection .text, 1\n.byte 2\n.popsection\n.byte 1\n.text 1\n.previous\n.previous\n.previous\n.byte 3\n"
        ),
        "010302"
    );
}

#[test]
fn sections_by_the_thousand_take_linear_time() {
    let many = |count: usize| {
        let source: String = (0..count).map(|n| format!(".section .s{n},\"a\"\n.long {n}\n.text\ns_nop 0\n")).collect();
        let begin = std::time::Instant::now();
        assert_eq!(text(&source).len(), 8 * count);
        begin.elapsed()
    };
    let few = many(4_000);
    let more = many(32_000);
    assert!(more < 40 * few.max(std::time::Duration::from_millis(20)), "{few:?} {more:?}");
}

#[test]
fn many_errors_are_counted() {
    let said = run(&ARGS, " s_branch nowhere\n s_nip 0\n".repeat(20_000).as_bytes());
    assert_eq!(said.status, Some(1));
    assert_eq!(said.err.matches("error: ").count(), 100);
    assert!(
        said.err.contains("standard input: 40000 errors, of which 100 are shown"),
        "{}",
        &said.err[said.err.len() - 200..]
    );
    let chain: String = (1..20_000).map(|n| format!("x{n} = x{} + 1\n.if 0\n.endif\n", n - 1)).collect();
    assert_eq!(text(&format!("x0 = later\n{chain}.long x19999-later\nlater:\n")), "1f4e0000");
}

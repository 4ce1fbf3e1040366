//! Hostile programs: errors within limits, no crash, and memory in proportion to the text.

use std::collections::HashMap;

use allocation_counter::measure;
use amdgpu_arch::Wave;
use amdgpu_asm::{Limits, Options, Severity, Target, assemble};
use isa_tests::random::numbers;

fn options() -> Options<'static> {
    Options { listing: true, ..Options::new(Target::parse("rdna3").unwrap(), Wave::W32) }
}

/// Assembles in no more memory than sections may take and a fixed sum. Returns whether the program is right.
fn assembled(source: &str) -> bool {
    let mut is_sound = false;
    let used = measure(|| match assemble(source, &options()) {
        Ok(assembly) => {
            is_sound = true;
            assert!(assembly.listing().len() <= source.len());
            assert!(assembly.relocations().count() <= source.len());
        }
        Err(diagnostics) => assert!(!diagnostics.to_string().is_empty()),
    });
    // A vector that grows may be copied once.
    assert!(used.bytes_max < (3 << 28) + (1 << 20) + 200 * source.len() as u64, "{} bytes", used.bytes_max);
    is_sound
}

#[test]
fn programs_that_ask_for_too_much() {
    for source in [
        ".fill 0x100000000",
        ".zero 0x7fffffffffffffff",
        ".fill 0x7fffffffffffffff, 8",
        ".skip -1",
        ".org 0x100000000",
        ".balign 0x80000000\ns_nop 0\n.balign 0x80000000",
        ".section a\n.fill 0xfffffff\n.section b\n.fill 0xfffffff",
        ".section a\n.fill 0xfffffff\n.previous\n.fill 0xfffffff",
        ".pushsection a\n.fill 0xfffffff\n.popsection\n.fill 0xfffffff",
    ] {
        assert!(!assembled(source), "{source}");
    }
    assert!(assembled(".section a\n.fill 0x1000\n.section b\n.fill 0x1000\n.text\ns_endpgm"));
}

#[test]
fn programs_in_circles() {
    let chain: String = (0..5_000).map(|n| format!(".set a{n}, a{}\n", n + 1)).collect();
    let doubled: String = (0..64).map(|n| format!(".set b{n}, b{}+b{}\n", n + 1, n + 1)).collect();
    for source in [
        ".set a, a\n.long a",
        ".set a, b\n.set b, a\n.long a",
        ".set a, b+1\n.set b, a*2\ns_mov_b32 s0, a",
        &format!("{doubled}.set b64, c\n.long b0"),
        &format!(".long {}1{}", "(".repeat(100_000), ")".repeat(100_000)),
        &format!(".long {}1", "-".repeat(100_000)),
        &format!(".long 1{}", "+1".repeat(100_000)),
    ] {
        assert!(!assembled(source), "{}", &source[..source.len().min(60)]);
    }
    // A long chain is not a circle: the relocation names its end.
    assert!(assembled(&format!("{chain}.long a0")));
}

#[test]
fn limits_are_errors() {
    let limited =
        |source: &str, limits: Limits| assemble(source, &Options { limits, ..options() }).unwrap_err().to_string();
    let limits = Limits { section_bytes: 1 << 20, expanded_bytes: 1000, fixups: 3, diagnostics: 2 };
    let errors = limited(".fill 0x100001", limits);
    assert_eq!(errors, "1:1: error: the sections would be larger than 1 MiB together");
    let errors = limited(".skip b-a\na:\n.skip 0x100000\nb:\n", limits);
    assert_eq!(errors, "1:7: error: the sections would be larger than 1 MiB together");
    let errors = limited(".rept 100\n.byte 1, 2, 3\n.endr\n", limits);
    assert!(errors.contains("would expand to more than 1000 bytes of text"), "{errors}");
    let errors = limited(&".long a\n".repeat(5), limits);
    assert!(errors.contains("more than 3 values depend on addresses"), "{errors}");
    let errors = limited(&"s_nip 1\n".repeat(5), limits);
    assert_eq!(errors.lines().count(), 4, "{errors}");
    assert!(errors.contains("after this many errors, the rest is not assembled"), "{errors}");
}

#[test]
fn positions_lead_through_macros_and_files() {
    let files = HashMap::from([("in.s".to_string(), b"\n  m x\n".to_vec())]);
    let source = ".macro m a\n v_mov_b32 v0, \\a\n s_nip 1\n.endm\n .include \"in.s\"\n";
    let errors = assemble(source, &Options { includes: Some(&files), ..options() }).unwrap_err();
    let error = errors.iter().find(|error| error.message.contains("mnemonic")).unwrap();
    assert_eq!(error.severity, Severity::Error);
    let trace = errors.source().trace(error.span.clone());
    let trace: Vec<_> =
        trace.map(|(span, line)| (line.file, line.number, line.column(span.start), line.text)).collect();
    assert_eq!(
        trace,
        [
            (None, 3, 2, " s_nip 1"), //
            (Some("in.s"), 2, 3, "  m x"),
            (None, 5, 2, " .include \"in.s\""),
        ]
    );
    assert_eq!(errors.source().location(error.span.start).used_at, Some(5));
    let missing = assemble(".include \"other\"", &Options { includes: Some(&files), ..options() }).unwrap_err();
    assert_eq!(missing.to_string(), "1:10: error: `other` cannot be read: there is no such file");
    let denied = assemble(".incbin \"in.s\"", &options()).unwrap_err();
    assert_eq!(denied.to_string(), "1:9: error: `in.s` cannot be read: no other files are read here");
}

/// Pieces of programs, whose combinations open and close blocks, strings and comments.
const PIECES: [&str; 40] = [
    "s_nop 0",
    "s_branch a",
    "v_add_f32 v0, v1, v2",
    "a:",
    "1:",
    "1b",
    "1f",
    "\n",
    "\n",
    "\n",
    " ",
    ", ",
    "\"",
    "'",
    "/*",
    "*/",
    ";",
    "#",
    "\\a",
    "\\@",
    "é",
    ".macro m a",
    ".endm",
    "m 1",
    ".rept 3",
    ".endr",
    ".if 1",
    ".else",
    ".endif",
    ".set a, 1",
    "a = b",
    ".long a-b",
    ".p2align 4",
    ".org 8",
    ".uleb128 a",
    ".section x,\"ax\"",
    ".amdhsa_kernel k",
    ".end_amdhsa_kernel",
    ".amdgpu_metadata",
    "@rel32@lo",
];

#[test]
fn any_combination_is_assembled_or_refused() {
    let mut random = numbers();
    let (mut sound, rounds) = (0, 3000);
    for _ in 0..rounds {
        let source: String = (0..random(24)).map(|_| PIECES[random(PIECES.len())]).collect();
        match assemble(&source, &options()) {
            Ok(assembly) => {
                sound += 1;
                let rows = assembly.listing();
                assert!(rows.iter().all(|row| !row.source.is_empty()), "{source:?}");
                // A program can lack a code object, but not an object file.
                assembly.to_object_file().unwrap_or_else(|error| panic!("{source:?}: {error}"));
                let _ = assembly.to_code_object();
            }
            Err(errors) => {
                assert!(errors.iter().any(|error| error.severity == Severity::Error), "{source:?}");
                for error in &errors {
                    assert!(errors.source().trace(error.span.clone()).count() >= 1);
                    assert!(
                        errors.source().position_in_file(error.span.start) <= source.len() + 1,
                        "{source:?}: {error:?}"
                    );
                }
            }
        }
    }
    assert!(sound > 20 && sound < rounds, "{sound}");
}

//! The errors of `isa dis` for inputs that it cannot read. None makes it panic.

use std::io::Read;
use std::process::Stdio;

use crate::common::*;
use isa_tests::elf::*;

/// One line that says `part`, nothing listed, exit status 1.
fn refused(input: &[u8], part: &str) {
    let said = run(&["dis", "-"], input);
    assert_eq!(said.status, Some(1), "{said:?}");
    assert!(said.out.is_empty(), "{said:?}");
    let line = said.err.strip_prefix("error: standard input: ");
    let line = line.unwrap_or_else(|| panic!("{said:?}"));
    assert_eq!(line.lines().count(), 1, "{said:?}");
    assert!(line.contains(part), "{said:?}, not {part:?}");
}

fn one_kernel() -> Elf {
    Elf::new(DYN).code(".text", 0x1000, ENDPGM.repeat(8))
}

#[test]
fn other_files_are_named() {
    refused(b"", "empty");
    refused(b"__kernel void f() {}\n", "not an ELF file");
    refused(b"!<arch>\n", "archive");
    refused(
        b"__CLANG_OFFLOAD_BUNDLE__\0\0",
        "an offload bundle without code for AMD GPUs; damaged: bundle 1 at byte 0: entry 1",
    );
    let mut x86 = one_kernel();
    x86.machine = 62;
    refused(&x86.bytes(), "for x86-64, not for AMD GPUs");
    let x86 = x86.code(".hip_fatbin", 0, b"CCOB\x09\0\0\0".to_vec());
    refused(&x86.bytes(), "damaged: section .hip_fatbin, bundle 1 at byte 0: version 9 of the format is unknown");
}

#[test]
fn truncated_files() {
    let bytes = one_kernel().bytes();
    refused(&bytes[..10], "truncated");
    refused(&bytes[..63], "truncated");
    refused(&bytes[..bytes.len() - 1], "truncated");
    let mut bytes = bytes;
    let header = u64::from_le_bytes(*bytes[40..].first_chunk().unwrap()) as usize + 64;
    bytes[header + 32..header + 40].copy_from_slice(&u64::MAX.to_le_bytes());
    refused(&bytes, "section .text should end");
}

#[test]
fn nothing_to_list() {
    let elf = Elf::new(DYN).data(".rodata", 0, vec![0; 64]);
    let said = run(&["dis", "-"], &elf.bytes());
    assert!(said.status == Some(0) && said.err.contains("no executable sections"), "{said:?}");
}

#[test]
fn processors_that_are_not_read() {
    let flagged = |flags| {
        let mut elf = one_kernel();
        elf.flags = flags;
        elf.bytes()
    };
    refused(&flagged(0x36), "gfx1030");
    refused(&flagged(0x36), "supported: rdna3 (gfx1100");
    refused(&flagged(0x7e), "0x7e");
    refused(&flagged(0), "--arch");
    for flags in [0x41, 0x46, 0x47, 0x44, 0x541] {
        let said = run(&["dis", "--format", "tsv", "-"], &flagged(flags));
        assert_eq!(said.status, Some(0), "{flags:x}: {said:?}");
    }
    let said = run(&["dis", "--arch", "rdna3", "-"], &flagged(0));
    assert_eq!(said.status, Some(0), "--arch overrides: {said:?}");
}

#[test]
fn files_that_cannot_be_read() {
    let said = run(&["dis", "no/such/file.co"], b"");
    assert_eq!(said.status, Some(1));
    assert!(said.err.starts_with("error: no/such/file.co: cannot be read"), "{said:?}");
    let said = run(&["dis", "."], b"");
    assert_eq!(said.status, Some(1), "{said:?}");
}

#[test]
fn wrong_usage() {
    let wrong: &[&[&str]] = &[
        &[],
        &["dis"],
        &["dis", "--raw", "-"],
        &["dis", "--hex", "-"],
        &["dis", "--arch", "rdna9", "-"],
        &["dis", "--arch", "gfx1030", "-"],
        &["dis", "--wave", "48", "-"],
        &["dis", "--format", "json", "-"],
        &["dis", "--raw", "--hex", "--arch", "rdna3", "-"],
    ];
    for args in wrong {
        assert_eq!(run(args, b"").status, Some(2), "{args:?}");
    }
    let said = run(&["dis", "--arch", "gfx1030", "-"], b"");
    assert!(said.err.contains("supported: rdna3"), "{said:?}");
}

#[test]
fn a_closed_pipe_ends_it_quietly() {
    // More than pipes hold, so that the program is still writing when its reader goes.
    let code = ENDPGM.repeat(1 << 18);
    let object = Elf::new(DYN).code(".text", 0, code).bytes();
    let hex = b"0000b0bf\n".repeat(1 << 18);
    let hex_args: &[&str] = &["dis", "--arch", "rdna3", "--hex", "-"];
    let tsv_args: &[&str] = &["dis", "--format", "tsv", "-"];
    for (args, input) in [(&["dis", "-"][..], &object), (tsv_args, &object), (hex_args, &hex)] {
        let mut child = isa(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let input = input.clone();
        let writer = std::thread::spawn(move || drop(std::io::Write::write_all(&mut stdin, &input)));
        let mut first = [0; 16];
        child.stdout.take().unwrap().read_exact(&mut first).unwrap();
        let ended = child.wait_with_output().unwrap();
        writer.join().unwrap();
        let err = String::from_utf8_lossy(&ended.stderr);
        assert_eq!((ended.status.code(), &*err), (Some(0), ""), "{args:?}");
    }
}

#[test]
fn cut_files_never_panic() {
    let bytes = one_kernel().symbol("k", FUNC, 1, 0x1000, 4).bytes();
    for length in (0..bytes.len()).step_by(7) {
        assert_eq!(run(&["dis", "-"], &bytes[..length]).status, Some(1), "{length}");
    }
}

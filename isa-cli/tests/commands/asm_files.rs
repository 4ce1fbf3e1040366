//! Programs in files. `isa asm` reads a file in parts, and the output is the same as for standard input, wherever a part ends and
//! for each kind of file.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::common::*;
use isa_tests::needs::left_out;

/// Bytes of a part.
const PART: usize = 1 << 16;

/// A path that no other test has.
fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("asm-files-{}-{name}", std::process::id()))
}

/// The result of assembling a program: the bytes of its `.text`, the exit status, and the messages without the file name.
type Outcome = (Vec<u8>, Option<i32>, String);

/// Assembles what `input` names while standard input holds `stdin`.
fn assemble(input: &str, name: &str, stdin: &[u8]) -> Outcome {
    let out = path(&format!("{name}.out"));
    let said = run(&["asm", "--arch", "gfx1100", "--relocations", input, "-o", out.to_str().unwrap()], stdin);
    let bytes = std::fs::read(&out).unwrap_or_default();
    let _ = std::fs::remove_file(&out);
    let called = if input == "-" { "standard input" } else { input };
    (bytes, said.status, said.out + &said.err.replace(called, "NAME"))
}

/// Assembles a program from standard input and from a file, which must give the same result.
fn same(name: &str, source: &[u8]) -> Outcome {
    let read = assemble("-", name, source);
    let file = path(&format!("{name}.s"));
    std::fs::write(&file, source).unwrap();
    let of_file = assemble(file.to_str().unwrap(), name, b"");
    std::fs::remove_file(&file).unwrap();
    assert!(of_file == read, "{name}: {of_file:.500?}\n{read:.500?}");
    read
}

/// Code of this number of bytes.
fn code(size: usize) -> String {
    let lines = "v_add_f32 v0, v1, v2\n".to_owned() + &" ".repeat(100) + "; that was it\n";
    let mut code = lines.repeat(size / lines.len());
    code += &" ".repeat(size - code.len());
    code
}

/// Assembles code with `text` in it, so that the first part of the file ends after the first `before` bytes of `text`.
fn at_the_edge(name: &str, text: &str, before: usize) -> Outcome {
    let name = format!("{name}-{before}");
    same(&name, (code(PART - before) + text + &code(PART)).as_bytes())
}

#[test]
fn any_text_may_stand_where_a_part_ends() {
    let texts = [
        ("line", "\ns_nop 1\ns_nop 2\r\ns_nop 3\n"),
        ("comment", "\ns_nop /* é\n\n */ 2\ns_nop 3\n"),
        ("string", "\n.ascii \"é\n;\\\"\n\", \"a\"\ns_nop 3\n"),
        ("label", "\na:\ns_branch a\ns_branch b\nb: s_nop 1\n"),
        ("symbol", "\n.set k, 4\ns_mov_b32 s0, k\ns_add_u32 s0, s0, f@rel32@lo\n"),
        (
            "metadata",
            "\n.amdgpu_metadata\n---\namdhsa.version: [1, 2]\namdhsa.kernels: []\n...\n.end_amdgpu_metadata\n",
        ),
    ];
    for (name, text) in texts {
        for before in 0..=text.len() {
            // Half a character is for the tests of text that is none.
            if text.is_char_boundary(before) {
                let (bytes, status, said) = at_the_edge(name, text, before);
                assert!(status == Some(0) && bytes.len() > PART / 40, "{name} {before}: {said}");
            }
        }
    }
    for before in 0..10 {
        let (_, status, said) = at_the_edge("error", "\ns_nip 1\n", before);
        let line = code(PART - before).lines().count() + 1;
        assert!(status == Some(1) && said.contains(&format!("NAME:{line}:1")), "{before}: {said}");
    }
    // A character that two parts have a half of each.
    let (_, status, _) = same("half", (code(PART - 5) + "\n// é\n" + &code(PART)).as_bytes());
    assert_eq!(status, Some(0));
}

#[test]
fn lines_and_blocks_may_be_longer_than_parts() {
    let long = "x".repeat(3 * PART);
    for (name, text) in [
        ("comment", format!("/* {}", "s_nop 1\n".repeat(PART)) + "*/ s_nop 2\n"),
        (
            "metadata",
            format!(
                ".amdgpu_metadata\n---\namdhsa.version: [1, 2]\namdhsa.kernels: []\nlist:\n{}.end_amdgpu_metadata\n",
                "  - s_nop 1\n".repeat(PART)
            ),
        ),
        ("string", format!(".ascii \"{long}\"\n")),
        ("remark", format!("s_nop 1 // {long}\n")),
        ("label", format!("{long}:\ns_branch {long}\n")),
        ("last", format!("s_nop 1\n// {long}")),
    ] {
        let (bytes, status, said) = same(name, (code(1000) + "\n" + &text + "s_nop 3").as_bytes());
        assert!(status == Some(0) && bytes.len() > 30, "{name}: {said}");
    }
    for (name, text) in [("open", "/* a\n"), ("kernel", ".amdhsa_kernel f\n"), ("block", ".amdgpu_metadata\n---\n")] {
        assert_eq!(same(name, (code(1000) + "\n" + text + &"\n".repeat(3 * PART)).as_bytes()).1, Some(1), "{name}");
    }
}

#[test]
fn the_end_may_be_anywhere() {
    assert_eq!(same("empty", b""), (Vec::new(), Some(0), String::new()));
    for size in [1, PART - 1, PART, PART + 1, PART + 300, 2 * PART, 2 * PART + 1] {
        for end in ["", "\n", "\r\n", "\ns_endpgm", "\ns_endpgm\n"] {
            let source = code(size - end.len().min(size)) + end;
            let (_, status, said) = same(&format!("end-{size}-{}", end.len()), source.as_bytes());
            assert_eq!(status, Some(0), "{size} {end:?}: {said}");
        }
    }
}

#[test]
fn a_line_that_is_no_text_is_named() {
    for at in [0, PART - 2, PART - 1, PART, PART + 1, 2 * PART, 3 * PART - 1] {
        let mut source = code(3 * PART).replace("; that was it", &" ".repeat(13)).into_bytes();
        source[at] = 0xff;
        let (bytes, status, said) = same(&format!("no-text-{at}"), &source);
        let line = 1 + source[..at].iter().filter(|byte| **byte == b'\n').count();
        assert_eq!((bytes.len(), status), (0, Some(1)));
        assert!(said.contains("only a comment may contain bytes that are not UTF-8"), "{at}: {said}");
        assert!(said.contains(&format!("NAME:{line}:")), "{at}: {said}");
    }
}

#[test]
fn comments_may_hold_any_bytes() {
    let source =
        b"s_nop 0 ; \xff\xfe\n// \xe9t\xe9\n/* \xff\n\xc3 */ s_nop 1\n# \x80\n.macro m\ns_nop 2 ; \xff\n.endm\nm\n\
        .if 0\n\xff\n.endif\n.end\n\xff\n";
    let (bytes, status, said) = same("comments", source);
    assert_eq!((bytes, status), ([0, 1, 2].map(|n| [n, 0, 0x80, 0xbf]).concat(), Some(0)), "{said}");
    for wrong in [
        &b".ascii \"\xff\"\n"[..],
        b"\"\xff\":\n",
        b".macro m x\n.ascii \"\\x\"\n.endm\nm \xff\n",
        // The argument makes the comment a string.
        b".macro m x\n.ascii \\x ; \xff\"\n.endm\nm \"\n",
        b".amdgpu_metadata\n---\na: \xff\n.end_amdgpu_metadata\n",
    ] {
        let (_, status, said) = same("no-comments", wrong);
        assert_eq!(status, Some(1), "{said}");
    }
}

#[test]
#[cfg(unix)]
fn what_is_no_file_of_its_own_is_read_whole() {
    let source = code(2 * PART) + "\ns_endpgm\n";
    let read = same("special", source.as_bytes());
    assert_eq!(read.1, Some(0));
    assert_eq!(assemble("/dev/stdin", "dev", source.as_bytes()), read);
    assert_eq!(assemble("/dev/null", "null", b""), (Vec::new(), Some(0), String::new()));
    assert_eq!(assemble(env!("CARGO_TARGET_TMPDIR"), "directory", b"").1, Some(1));
    // Standard input may be a file itself.
    let file = path("stdin.s");
    std::fs::write(&file, &source).unwrap();
    for input in ["-", "/dev/stdin"] {
        let out = path("stdin.out");
        let mut command = isa(&["asm", "--arch", "gfx1100", input, "-o", out.to_str().unwrap()]);
        let status = command.stdin(Stdio::from(std::fs::File::open(&file).unwrap())).status().unwrap();
        assert_eq!((status.code(), std::fs::read(&out).unwrap()), (Some(0), read.0.clone()), "{input}");
        std::fs::remove_file(&out).unwrap();
    }
    // The output may take the place of the source.
    let both = file.to_str().unwrap();
    assert_eq!(run(&["asm", "--arch", "gfx1100", both, "-o", both], b"").status, Some(0));
    assert_eq!(std::fs::read(&file).unwrap(), read.0);
    std::fs::remove_file(&file).unwrap();
}

#[test]
#[cfg(unix)]
fn a_named_pipe_is_read_whole() {
    let pipe = path("pipe");
    if !Command::new("mkfifo").arg(&pipe).status().is_ok_and(|status| status.success()) {
        return left_out(
            "a named pipe as a source",
            "mkfifo makes no pipe",
            "a file system with named pipes has it checked",
        );
    }
    let source = code(2 * PART) + "\ns_endpgm\n";
    let (to, text) = (pipe.clone(), source.clone());
    let writer = std::thread::spawn(move || std::fs::write(to, text));
    let of_pipe = assemble(pipe.to_str().unwrap(), "pipe", b"");
    writer.join().unwrap().unwrap();
    std::fs::remove_file(&pipe).unwrap();
    assert_eq!(of_pipe, same("unpiped", source.as_bytes()));
}

/// A text bundle as `clang -x hip -S` writes it, with more than a part of a file before the code of gfx1151.
fn bundle() -> String {
    let part = |id: &str, text: &str| format!("\n{}", bundle_part(id, &format!("{text}\n")));
    part("hip-amdgcn-amd-amdhsa--gfx1100", ".amdgcn_target \"amdgcn-amd-amdhsa--gfx1100\"\ns_nop 1\n")
        + &part("host-x86_64-unknown-linux-gnu-", &"\tmovl\t%edi, (%rsi)\n".repeat(PART / 10))
        + &part("hip-amdgpu11.51-amd-amdhsa-unknown-gfx1151", "s_nop 2\ns_nop x\n")
}

#[test]
fn the_part_of_a_bundle_is_assembled() {
    let (bytes, status, said) = same("bundle", bundle().as_bytes());
    assert_eq!((bytes, status, said.as_str()), (vec![1, 0, 0x80, 0xbf], Some(0), ""));
    // Messages have the lines of the file.
    let said = run(&["asm", "--arch", "gfx1151", "-"], bundle().as_bytes());
    let line = bundle().lines().position(|line| line == "s_nop x").unwrap() + 1;
    assert!(said.status == Some(1) && said.err.contains(&format!("standard input:{line}:7")), "{said:?}");
    let said = run(&["asm", "--arch", "gfx1150", "-"], bundle().as_bytes());
    assert!(said.status == Some(1) && said.err.contains("`hip-amdgpu11.51-amd-amdhsa-unknown-gfx1151`"), "{said:?}");
}

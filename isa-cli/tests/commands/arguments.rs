//! `--arch` of all subcommands.

use crate::common::*;
use isa_tests::elf::*;

#[test]
fn processors_are_named_as_in_other_programs() {
    for name in ["gfx1100", "gfx1100:xnack-", "gfx1100:sramecc+:xnack-", "gfx11-generic", "amdgcn-amd-amdhsa--gfx1100"]
    {
        for option in ["--arch", "--mcpu"] {
            let answer = |command: &str, input: &[u8]| {
                let said = run(&[command, option, name, "--hex", "-"], input);
                assert_eq!((said.status, &*said.err), (Some(0), ""), "{command} {option} {name}");
                said.out
            };
            assert_eq!(answer("asm", b"s_endpgm"), "0000b0bf\n");
            assert_eq!(answer("dis", b"0000b0bf"), "s_endpgm\n");
            assert_eq!(answer("effects", b"800080be"), "\ts0\t\n");
            let said = run(&["lint", option, name, "--raw", "-"], &ENDPGM);
            assert_eq!((said.status, &*said.out), (Some(0), "0 findings\n"), "{name}");
            assert_eq!(run(&["info", option, name, "s_endpgm"], b"").status, Some(0));
        }
    }
}

#[test]
fn code_for_a_generic_target_is_read() {
    let text = "s_load_dwordx2 flat_scratch, s[2:3], 0x0\n";
    let hex = run(&["asm", "--arch", "gfx9-generic", "--hex", "-"], text.as_bytes()).out;
    assert_eq!(hex, run(&["asm", "--arch", "gfx900", "--hex", "-"], text.as_bytes()).out);
    assert_eq!(run(&["dis", "--arch", "gfx9-generic", "--hex", "-"], hex.as_bytes()).out, text);
}

#[test]
fn unknown_processors_suggest_near_ones() {
    for (name, said) in [
        ("gfx110", "did you mean `gfx1100`?"),
        ("rdna", "did you mean `rdna3`?"),
        ("gfx11_generic", "did you mean `gfx11-generic`?"),
        ("gfx1100:xnak-", "`xnak-` is not a feature of a target ID"),
    ] {
        for command in ["asm", "dis", "effects", "lint", "info"] {
            let hex: &[&str] = if ["asm", "dis", "effects"].contains(&command) { &["--hex"] } else { &[] };
            let error = run(&[&[command, "--arch", name, "-"], hex].concat(), b"");
            assert_eq!(error.status, Some(2), "{command} {name}");
            assert!(error.err.contains(said), "{command} {}", error.err);
        }
    }
    // A known processor that is not read has no near one.
    assert!(!run(&["dis", "--arch", "gfx1030", "--hex", "-"], b"").err.contains("did you mean"));
}

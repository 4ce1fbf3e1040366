//! `isa help`, `isa completions` and `isa man`.

use crate::common::run;

#[test]
fn completions_name_the_subcommands_and_options() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let said = run(&["completions", shell], b"");
        assert_eq!((said.status, &*said.err), (Some(0), ""), "{shell}");
        assert!(said.out.contains("effects") && said.out.contains("max-instructions"), "{shell}");
    }
    assert_eq!(run(&["completions", "cmd"], b"").status, Some(2));
}

#[test]
fn pages_describe_the_program_and_its_subcommands() {
    let said = run(&["man"], b"");
    assert!(said.out.contains(".TH isa 1") && said.out.contains("lint"), "{}", said.out);
    let said = run(&["man", "run"], b"");
    assert!(said.out.contains("isa\\-run") && said.out.contains("\\-\\-global"), "{}", said.out);
    let said = run(&["man", "fly"], b"");
    assert_eq!(said.status, Some(2));
    assert!(said.err.contains("invalid value 'fly'"), "{}", said.err);
    assert!(said.err.contains("help: the subcommands are dis, asm"), "{}", said.err);
}

#[test]
fn help_is_a_subcommand_too() {
    let said = run(&["help"], b"");
    assert_eq!((said.status, &*said.err), (Some(0), ""));
    assert_eq!(said.out, run(&["--help"], b"").out);
    assert_eq!(run(&["help", "dis"], b"").out, run(&["dis", "--help"], b"").out);
    assert_eq!(run(&["help", "fly"], b"").status, Some(2));
}

#[test]
fn unknown_names_suggest_near_ones() {
    for (args, near) in [
        (&["hlep"][..], "a similar subcommand exists: 'help'"),
        (&["dis", "--arhc", "rdna3", "-"], "a similar argument exists: '--arch'"),
        (&["asm", "--arch", "rdna3", "--emti", "obj", "-"], "a similar argument exists: '--emit'"),
    ] {
        let said = run(args, b"");
        assert_eq!(said.status, Some(2), "{args:?}");
        assert!(said.err.contains(near), "{}", said.err);
    }
}

//! What `isa dis` shows beside the instructions on request.

use crate::common::run;
use isa_tests::elf::ENDPGM;

/// Two loads in a loop, as raw code.
fn raw() -> Vec<u8> {
    let source = "s_mov_b32 s4, 0\n\
                  s_add_i32 s5, s4, s6\n\
                  s_cbranch_vccz 1\n\
                  v_mov_b32 v1, s5\n\
                  s_cbranch_scc1 0xfffc\n\
                  global_store_b32 v0, v1, s[0:1]\n\
                  s_endpgm\n";
    let said = run(&["asm", "--arch", "gfx1100", "--hex", "-"], source.as_bytes());
    let lines = said.out.split_whitespace();
    lines
        .flat_map(|hex| (0..hex.len() / 2).map(|i| u8::from_str_radix(&hex[2 * i..2 * i + 2], 16).expect("hex")))
        .collect()
}

/// Lists the code with these options, without the comments of addresses.
fn list(options: &[&str]) -> Vec<String> {
    let args = [&["dis", "--raw", "--arch", "gfx1100", "-"], options].concat();
    let said = run(&args, &raw());
    assert_eq!((said.status, &*said.err), (Some(0), ""), "{options:?}");
    said.out.lines().skip(3).map(str::to_owned).collect()
}

#[test]
fn blocks_name_those_before_and_after() {
    let blocks: Vec<String> = list(&["--blocks"]).into_iter().filter(|line| line.contains("// block")).collect();
    assert_eq!(
        blocks,
        [
            "\t// block 0, entry; to 1",
            "\t// block 1, from 0, 3; to 2, 3",
            "\t// block 2, from 1; to 3",
            "\t// block 3, from 1, 2; to 1, 4",
            "\t// block 4, from 3",
        ]
    );
}

#[test]
fn live_registers_stand_after_each_instruction() {
    let lines = list(&["--live"]);
    let live: Vec<&str> = lines.iter().filter_map(|line| line.split("// live ").nth(1)).collect();
    assert_eq!(
        live,
        [
            "2 v, 3 s: s[0:1] s6 vcc_lo exec_lo v[0:1]",
            "2 v, 4 s: s[0:1] s4 s6 vcc_lo exec_lo v[0:1]",
            "2 v, 5 s: s[0:1] s[4:6] vcc_lo exec_lo v[0:1] scc",
            "1 v, 5 s: s[0:1] s[4:6] vcc_lo exec_lo v0 scc",
            "2 v, 4 s: s[0:1] s4 s6 vcc_lo exec_lo v[0:1] scc",
            "2 v, 2 s: s[0:1] exec_lo v[0:1]",
            "0 v, 0 s: ",
        ]
    );
    let most = "\t// most live: 2 vector registers at 0x0, 5 scalar registers at 0x8";
    assert_eq!(lines.last().map(String::as_str), Some(most));
}

#[test]
fn branches_are_arrows_in_the_margin() {
    let lines = list(&["--arrows"]);
    let margins = lines.iter().filter_map(|line| line.split_once('\t')).map(|(margin, _)| margin);
    let margins: Vec<&str> = margins.filter(|margin| !margin.ends_with(':')).collect();
    assert_eq!(margins, ["      ", "┌───> ", "│ ┌── ", "│ │   ", "└─┴─> ", "      ", "      "]);
}

#[test]
fn notes_belong_to_the_text_listing_of_rdna() {
    for option in ["--blocks", "--live", "--arrows"] {
        for other in [&["--json"][..], &["--format", "tsv"], &["--hex"]] {
            let said = run(&[&["dis", "--arch", "gfx1100", option, "-"], other].concat(), &raw());
            let is_conflict = said.err.contains(option) && said.err.contains("cannot be used with");
            assert_eq!((said.status, is_conflict), (Some(2), true), "{option} {other:?}: {}", said.err);
        }
    }
    let said = run(&["dis", "--raw", "--arch", "gfx900", "--blocks", "-"], &ENDPGM);
    assert!(said.err.contains("gcn1.4 is read without them"), "{}", said.err);
}

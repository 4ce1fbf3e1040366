//! `isa lint` of assembly and raw bytes, `--wave` and `--json`.

use crate::common::*;
use isa_tests::elf::*;
use serde_json::{Value, json};

/// Lints standard input and reads the JSON document.
fn json_of(args: &[&str], input: &[u8]) -> (Option<i32>, Value) {
    let said = run(&[&["lint", "--json"], args, &["-"]].concat(), input);
    let document = serde_json::from_str(&said.out).unwrap_or_else(|e| panic!("{e}: {said:?}"));
    (said.status, document)
}

/// The rule, line and column of each finding.
fn places(document: &Value) -> Vec<(&str, u64, u64)> {
    let findings = document["findings"].as_array().expect("findings are a list");
    let place = |f: &Value| (f["source"]["line"].as_u64().unwrap_or(0), f["source"]["column"].as_u64().unwrap_or(0));
    findings.iter().map(|f| (f["rule"].as_str().unwrap_or(""), place(f).0, place(f).1)).collect()
}

const EARLY: &str = "\
\t.text
k:
\ts_load_b32 s4, s[0:1], null
  l: s_mov_b32 s5, s4
\ts_endpgm
";

#[test]
fn findings_name_line_and_column() {
    let said = run(&["lint", "-"], EARLY.as_bytes());
    let expected = "standard input:4:6: a register is read before its pending result arrives (s4) [guide §5.6]\n    \
                    here:    s_mov_b32 s5, s4\n    \
                    earlier: standard input:3:2: s_load_b32 s4, s[0:1], null\n    \
                    help:    s_waitcnt lgkmcnt(0)\n\
                    1 finding\n";
    assert_eq!((said.status, said.out.as_str()), (Some(1), expected), "{said:?}");
    let sound = EARLY.replace("  l:", "\ts_waitcnt lgkmcnt(0)\n  l:");
    let said = run(&["lint", "-"], sound.as_bytes());
    assert_eq!((said.status, said.out.as_str()), (Some(0), "0 findings\n"), "{said:?}");
}

#[test]
fn lines_of_macros_name_the_use() {
    let source = ".macro USE r\n s_mov_b32 s5, \\r\n.endm\ns_load_b32 s4, s[0:1], null\nUSE s4\ns_endpgm\n";
    let (_, document) = json_of(&[], source.as_bytes());
    let place = &document["findings"][0]["source"];
    assert_eq!(place, &json!({"file": "standard input", "line": 2, "column": 2, "used_at_line": 5}));
}

#[test]
fn every_executable_section_of_a_source_is_linted() {
    let source =
        format!("{EARLY}\t.section .text.b,\"ax\",@progbits\n{EARLY}").replace("\tk:", "").replace("\t.text\nk:\n", "");
    let source = source.replace("  l: ", "");
    let (status, document) = json_of(&[], source.as_bytes());
    assert_eq!(status, Some(1));
    assert_eq!(places(&document), [("read-too-early", 2, 1), ("read-too-early", 6, 1)], "{document:#}");
    let sections: Vec<_> = (0..2).map(|i| document["findings"][i]["section"].clone()).collect();
    assert_eq!(sections, [json!(".text"), json!(".text.b")]);
}

#[test]
fn data_in_code_is_not_linted() {
    // The data would be a load of s4.
    let source = "s_branch over\n.long 0xf4000100, 0xf8000000\nover:\ns_mov_b32 s5, s4\ns_endpgm\n";
    let (status, document) = json_of(&[], source.as_bytes());
    assert_eq!((status, &document["count"]), (Some(0), &json!(0)), "{document:#}");
    // Padding is part of the code.
    let padded = EARLY.replace("  l: ", "\t.p2align 5\n");
    assert_eq!(places(&json_of(&[], padded.as_bytes()).1), [("read-too-early", 5, 1)]);
}

#[test]
fn errors_of_a_source_are_shown() {
    let said = run(&["lint", "-"], b"s_mov_b32 s5\n");
    assert!(said.status == Some(1) && said.out.is_empty(), "{said:?}");
    assert!(said.err.contains("standard input:1:"), "{said:?}");
}

#[test]
fn the_wave_size_of_a_source_is_found_or_given() {
    // Only wave64 has a pair of registers as a mask.
    let source = "v_cndmask_b32 v0, v1, v2, vcc\ns_load_b32 vcc_hi, s[0:1], null\ns_cbranch_vccz 0\ns_endpgm\n";
    let (_, document) = json_of(&[], source.as_bytes());
    assert_eq!((places(&document), &document["findings"][0]["wave"]), (vec![("read-too-early", 3, 1)], &json!(64)));
    assert_eq!(run(&["lint", "--wave", "32", "-"], source.as_bytes()).status, Some(1));
    // The upper half of VCC is a part of the mask in wave64 only.
    let bytes = {
        let high = "s_load_b32 vcc_hi, s[0:1], null\ns_cbranch_vccz 0\ns_endpgm\n";
        let instrs = high.lines().map(|line| line.parse::<rdna3::Instr>().expect("an instruction"));
        instrs.flat_map(|i| i.encode().iter().flat_map(|w| w.to_le_bytes()).collect::<Vec<_>>()).collect::<Vec<u8>>()
    };
    let count = |wave: &str| json_of(&["--raw", "--arch", "gfx1100", "--wave", wave], &bytes).1["count"].clone();
    assert_eq!((count("32"), count("64")), (json!(0), json!(1)));
}

#[test]
fn json_has_all_fields() {
    let code = [0x00, 0x01, 0x00, 0xf4, 0x00, 0x00, 0x00, 0xf8, 0x04, 0x00, 0x85, 0xbe, 0x00, 0x00, 0xb0, 0xbf];
    let (status, document) = json_of(&["--raw", "--arch", "rdna3"], &code);
    assert_eq!(status, Some(1));
    let expected = json!({
        "file": "standard input",
        "count": 1,
        "findings": [{
            "rule": "read-too-early",
            "severity": "certain",
            "message": "a register is read before its pending result arrives",
            "guide": "5.6",
            "authority": "guide §5.6",
            "section": "raw",
            "wave": 32,
            "registers": "s4",
            "wait": {"counter": "lgkmcnt", "at_most": 0},
            "help": "s_waitcnt lgkmcnt(0)",
            "insert_before": {"address": 8, "symbol": null, "instruction": "s_mov_b32 s5, s4", "source": null},
            "address": 8,
            "symbol": null,
            "instruction": "s_mov_b32 s5, s4",
            "source": null,
            "earlier": {
                "address": 0,
                "symbol": null,
                "instruction": "s_load_b32 s4, s[0:1], null",
                "source": null,
            },
        }],
    });
    assert_eq!(document, expected);
    assert_eq!(
        json_of(&["--raw", "--arch", "rdna3"], &ENDPGM),
        (Some(0), json!({"file": "standard input", "count": 0, "findings": []}))
    );
}

#[test]
fn possible_findings_are_told_apart() {
    let source = "s_load_b32 s4, s[0:1], null\ns_cbranch_scc1 a\ns_waitcnt lgkmcnt(0)\na: s_cbranch_vccz b\n\
                  s_mov_b32 s6, s4\nb: s_endpgm\n";
    assert_eq!(json_of(&[], source.as_bytes()).1["count"], json!(0));
    let (status, document) = json_of(&["--possible"], source.as_bytes());
    assert_eq!((status, &document["findings"][0]["severity"]), (Some(1), &json!("possible")), "{document:#}");
}

#[test]
fn parts_of_shaders_may_end_anywhere() {
    // Mesa and PAL link an epilog after such code; LLVM names no system in objects for the triple `amdgcn`.
    let code = vec![0x80, 0x02, 0x00, 0x7e];
    let mut file = Elf::new(REL).code(".text", 0, code).symbol("ps", FUNC, 1, 0, 4).bytes();
    assert!(run(&["lint", "-"], &file).out.contains("code runs off its end"));
    for os_abi in [0, 65, 66] {
        file[7] = os_abi;
        assert_eq!(run(&["lint", "-"], &file).out, "0 findings\n");
    }
}

#[test]
fn parts_of_shaders_do_not_go_on_with_each_other() {
    // The first part returns a value in s0, which is the second part's business only if a driver joins the two.
    let load_s0 = [0x01, 0x00, 0x00, 0xf4, 0x00, 0x00, 0x00, 0xf8];
    let read_s0 = [0x00, 0x00, 0x81, 0xbe];
    let code = [&load_s0[..], &read_s0, &ENDPGM].concat();
    let symbols = |file: Elf| file.symbol("first", FUNC, 1, 0, 8).symbol("second", FUNC, 1, 8, 8);
    let mut file = symbols(Elf::new(REL).code(".text", 0, code)).bytes();
    assert!(run(&["lint", "-"], &file).out.contains("read before its pending result arrives"));
    file[7] = 0;
    assert_eq!(run(&["lint", "-"], &file).out, "0 findings\n");
}

#[test]
fn waits_are_suggested_before_clauses() {
    let source =
        "ds_load_b32 v0, v9\ns_clause 0x1\nglobal_load_b32 v1, v0, s[2:3]\nglobal_load_b32 v2, v0, s[2:3]\ns_endpgm\n";
    let (_, document) = json_of(&[], source.as_bytes());
    let finding = &document["findings"][0];
    assert_eq!(
        (places(&document), &finding["insert_before"]["source"]["line"]),
        (vec![("read-too-early", 3, 1)], &json!(2))
    );
    let said = run(&["lint", "-"], source.as_bytes());
    assert!(said.out.contains("    before:  standard input:2:1: s_clause 0x1\n"), "{said:?}");
    let fixed = source.replace("s_clause", "s_waitcnt lgkmcnt(0)\ns_clause");
    assert_eq!(run(&["lint", "-"], fixed.as_bytes()).out, "0 findings\n");
}

#[test]
fn errors_are_those_of_the_likelier_wave_size() {
    let source = "v_cndmask_b32 v0, v1, v2, vcc\nv_cmp_eq_u32 vcc, v0, v1\nv_mov_b32 v0\n";
    let said = run(&["lint", "-"], source.as_bytes());
    assert!(said.err.contains("standard input:3:") && said.err.contains("1 error"), "{said:?}");
    assert!(!said.err.contains("lane mask"), "{said:?}");
}

#[test]
fn the_processor_of_a_source_is_the_one_that_it_names() {
    let code = "s_load_b32 s4, s[0:1], null\ns_add_f32 s4, s4, s5\ns_endpgm\n";
    for directive in [".amdgcn_target \"amdgcn-amd-amdhsa--gfx1150\"", ".amd_amdgpu_isa \"amdgcn-amd-amdpal--gfx1153\""]
    {
        let source = format!("{directive}\n{code}");
        let (status, document) = json_of(&[], source.as_bytes());
        assert_eq!((status, places(&document)), (Some(1), vec![("read-too-early", 3, 1)]), "{directive}");
        // Another one is an error, and so is one without rules.
        let said = run(&["lint", "--arch", "gfx1100", "-"], source.as_bytes());
        assert!(said.err.contains("the file is for rdna3.5, and `--arch` asks for rdna3"), "{said:?}");
    }
    let said = run(&["lint", "-"], b".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\ns_endpgm\n");
    assert!(said.status == Some(1) && said.err.contains("gcn1.4 has no rules to lint by yet"), "{said:?}");
}

#[test]
fn the_part_of_a_bundle_is_linted() {
    let host = bundle_part("host-x86_64-unknown-linux-gnu-", "\tmovl\t%edi, (%rsi)\n");
    let early = bundle_part("hip-amdgcn-amd-amdhsa--gfx1100", EARLY);
    let (status, document) = json_of(&[], format!("{host}{early}").as_bytes());
    assert_eq!((status, places(&document)), (Some(1), vec![("read-too-early", 8, 6)]));
    let two = format!("{early}{host}{}", bundle_part("hip-amdgcn-amd-amdhsa--gfx1150", "\ts_endpgm\n"));
    let said = run(&["lint", "-"], two.as_bytes());
    assert!(said.status == Some(1) && said.err.contains("the bundle has several parts"), "{said:?}");
    assert_eq!(run(&["lint", "--arch", "gfx1150", "-"], two.as_bytes()).out, "0 findings\n");
}

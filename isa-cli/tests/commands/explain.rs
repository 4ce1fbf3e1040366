//! `isa explain`.

use crate::common::{Said, run};

fn explain(args: &[&str]) -> Said {
    run(&[&["explain"], args].concat(), b"")
}

#[test]
fn an_instruction_is_drawn_with_its_meaning() {
    let said = explain(&["v_add_f32", "v0,", "v1,", "v2"]);
    let expected = "\
v_add_f32_e32 v0, v1, v2
VOP2, guide §15.3.1; rdna3, wave32; bytes 01 05 00 06

dword 0: 0x06000501
    30       25 24           17 16            9 8               0
 ┌─┬───────────┬───────────────┬───────────────┬─────────────────┐
 │·│    OP     │     VDST      │     VSRC1     │      SRC0       │
 │0│  000011   │   00000000    │   00000010    │    100000001    │
 └─┴───────────┴───────────────┴───────────────┴─────────────────┘
  · [31] ENCODING

ENCODING  [31]                    0  of VOP2
OP        [30:25]                 3  v_add_f32
VDST      [24:17]                 0  v0: written as d (f32)
VSRC1     [16:9]                  2  v2: read as s1 (f32)
SRC0      [8:0]         257 (0x101)  v1: read as s0 (f32)

reads     exec_lo v1 v2 mode
writes    v0
computes  d = s0 + s1;
or        v_add_f32_e64 v0, v1, v2
          v_add_f32_e32 v0, v2, v1
";
    assert_eq!((said.status, &*said.err, &*said.out), (Some(0), "", expected));
    // The same by its bytes.
    assert_eq!(explain(&["01050006"]).out, expected);
}

#[test]
fn dwords_after_the_instruction_and_both_components_are_drawn() {
    let said = explain(&["v_dual_mul_f32 v0, v1, v2 :: v_dual_add_f32 v3, 0x42280000, v4"]);
    for line in [
        "SRCY0     [40:32]        255 (0xff)  0x42280000: read as s0 (f32)",
        "LITERAL   [95:64]  1109917696 (0x42280000)  the constant of a source",
        "OPY       [21:17]                 4  v_dual_add_f32",
        "computes  d = s0 * s1;\n          d = s0 + s1;",
        "dword 2: 0x42280000",
    ] {
        assert!(said.out.contains(line), "{line}\n{}", said.out);
    }
    let said = explain(&["v_add_f32_dpp v0, -v1, v2 row_shr:1 row_mask:0xf bank_mask:0xf"]);
    for line in [
        "SRC0       [8:0]          250 (0xfa)  selects DPP16",
        "DPP_CTRL   [48:40]       273 (0x111)  row_shr:1: modifier dpp_ctrl",
        "SRC0_NEG   [52]                    1  neg0, which the text shows elsewhere",
        "effects   partial=v0",
    ] {
        assert!(said.out.contains(line), "{line}\n{}", said.out);
    }
}

#[test]
fn a_document_has_the_fields() {
    let said = explain(&["--json", "--arch", "gfx803", "buffer_load_dword v1, v2, s[4:7], s1 idxen offset:4"]);
    let document: serde_json::Value = serde_json::from_str(&said.out).expect("JSON");
    assert_eq!((&document["format"], &document["wave"]), (&"MUBUF".into(), &64.into()));
    let fields = document["fields"].as_array().expect("an array");
    let named = |name: &str| fields.iter().find(|field| field["name"] == name).expect("the field");
    assert_eq!(named("SRSRC")["holds"][0]["text"], "s[4:7]");
    assert_eq!(named("SRSRC")["code"], 1);
    assert_eq!(named("IDXEN")["holds"][0]["modifier"], "idxen");
    assert_eq!(named("ENCODING")["meaning"], "of MUBUF");
}

#[test]
fn what_is_no_instruction_is_an_error() {
    for (text, error) in [
        ("v_add_f31 v0, v1, v2", "error: column 1: unknown mnemonic"),
        ("s_nop", "error: column 6: expected"),
        ("ffffffff", "error: rdna3: no microcode format begins with"),
        ("0105", "error: the line holds 2 bytes"),
    ] {
        let said = explain(&[text]);
        assert_eq!((said.status, &*said.out), (Some(1), ""), "{text}");
        assert!(said.err.starts_with(error), "{text}: {}", said.err);
    }
    assert_eq!(explain(&[]).status, Some(2));
}

#[test]
fn the_examples_of_the_help_work() {
    let help = explain(&["--help"]).out;
    let examples: Vec<&str> = help.lines().filter_map(|line| line.trim().strip_prefix("isa explain ")).collect();
    assert_eq!(examples.len(), 3, "{help}");
    for example in examples {
        // What is in quotes is one argument.
        let parts = example.split('\'').enumerate();
        let args = parts.flat_map(|(i, part)| if i % 2 == 1 { vec![part] } else { part.split_whitespace().collect() });
        let said = explain(&args.collect::<Vec<_>>());
        assert_eq!((said.status, &*said.err), (Some(0), ""), "{example}");
    }
}

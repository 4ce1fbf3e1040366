//! `isa dis --json`.

use crate::common::*;
use isa_tests::elf::*;
use serde_json::{Deserializer, Value, json};

const MATMUL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/matmul.gfx1100.co");

/// The documents of an output.
fn documents(out: &str) -> Vec<Value> {
    Deserializer::from_str(out).into_iter().collect::<Result<_, _>>().expect("JSON")
}

#[test]
fn rows_are_those_of_the_listing_for_programs() {
    let said = run(&["dis", "--json", MATMUL, MATMUL, "--symbol", "reduce_sum"], b"");
    assert_eq!((said.status, &*said.err), (Some(0), ""));
    let found = documents(&said.out);
    assert!(found.len() == 2 && found[0] == found[1]);
    assert_eq!((&found[0]["file"], &found[0]["processor"]), (&json!("matmul.gfx1100.co"), &json!("gfx1100")));
    let section = &found[0]["sections"][0];
    assert_eq!(
        section["symbols"],
        json!([{"name": "reduce_sum", "address": 0x1d00, "is": "kernel", "wave": 32, "remark": "kernel, wave32"}])
    );
    let row = |row: &Value| {
        let [address, bytes, text] = ["address", "bytes", "text"].map(|key| &row[key]);
        let string = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        format!("{:x}\t{}\t{}\t.text", address.as_u64().unwrap_or_default(), string(bytes), string(text))
    };
    let rows: Vec<String> = section["rows"].as_array().expect("rows").iter().map(row).collect();
    let tsv = run(&["dis", "--format", "tsv", MATMUL, "--symbol", "reduce_sum"], b"").out;
    assert_eq!(rows, tsv.lines().collect::<Vec<_>>());
}

#[test]
fn rows_tell_what_they_are() {
    // A branch to itself, an unused field, a reserved code, no instruction.
    let code = [&[0xff, 0xff, 0xa0, 0xbf][..], &[0x80, 0, 0, 0x7e], &NONCANONICAL, &UNKNOWN].concat();
    let raw = ["dis", "--arch", "rdna3", "--raw", "--json", "-"];
    let said = run(&raw, &code);
    assert_eq!(said.status, Some(1));
    let rows = documents(&said.out)[0]["sections"][0]["rows"].clone();
    assert_eq!(
        rows[0],
        json!({"address": 0, "bytes": "ffffa0bf", "text": "s_branch 65535", "is": "instruction", "format": "SOPP", "target": 0})
    );
    assert_eq!((&rows[1]["text"], &rows[1]["remark"]), (&json!("v_nop"), &Value::Null));
    let remark = |row: &Value| row["remark"].as_str().unwrap_or_default().to_owned();
    assert!(remark(&rows[2]).starts_with("non-canonical: "), "{}", rows[2]);
    assert_eq!((&rows[3]["is"], &rows[3]["text"]), (&json!("unknown"), &json!(".long 0xffffffff")));
    assert!(!remark(&rows[3]).is_empty());
    let strict = run(&[&raw[..], &["--strict"]].concat(), &code);
    let rows = documents(&strict.out)[0]["sections"][0]["rows"].clone();
    assert!(remark(&rows[1]).contains("SRC0 holds 128"), "{}", rows[1]);
    assert_eq!(run(&["dis", "--json", "--format", "tsv", MATMUL], b"").status, Some(2));
}

#[test]
fn relocations_and_data_are_told() {
    let source = "
.text
.type f,@function
f:
  s_getpc_b64 s[4:5]
  s_add_u32 s4, s4, callee@rel32@lo+4
  s_setpc_b64 s[4:5]
.type table,@object
table:
  .long 5
.size table, 4
";
    let object = std::env::temp_dir().join(format!("isa-json-{}.o", std::process::id()));
    let path = object.to_str().expect("UTF-8");
    let said = run(&["asm", "--arch", "gfx1100", "-", "-o", path], source.as_bytes());
    assert_eq!(said.status, Some(0), "{}", said.err);
    let said = run(&["dis", "--json", path], b"");
    std::fs::remove_file(&object).expect("it is there");
    let section = documents(&said.out)[0]["sections"][0].clone();
    let kinds: Vec<&Value> = section["symbols"].as_array().expect("symbols").iter().map(|s| &s["is"]).collect();
    assert_eq!(kinds, ["function", "data"]);
    assert_eq!(section["rows"][1]["relocations"], json!(["R_AMDGPU_REL32_LO callee+0x4"]));
    assert_eq!(
        section["rows"][3],
        json!({"address": 16, "bytes": "05000000", "text": ".long 0x00000005", "is": "data"})
    );
}

//! `isa list`.

use crate::common::run;

/// The lines of a run without errors.
fn lines(args: &[&str]) -> Vec<String> {
    let said = run(&[&["list"], args].concat(), b"");
    assert_eq!((said.status, &*said.err), (Some(0), ""), "{args:?}");
    said.out.lines().map(str::to_owned).collect()
}

#[test]
fn instructions_have_formats_and_older_mnemonics() {
    let all = lines(&[]);
    assert!(all.len() > 1000 && all.is_sorted(), "{}", all.len());
    let lds = lines(&["--format", "vop3p", "--grep", "WMMA.*iu"]);
    assert_eq!(lds, ["v_wmma_i32_16x16x16_iu4  VOP3P", "v_wmma_i32_16x16x16_iu8  VOP3P"]);
    // Older mnemonics are searched, too.
    let loads = lines(&["--grep", "^buffer_load_dwordx?[24]?$"]);
    assert_eq!(loads[0], "buffer_load_b128  MUBUF  (buffer_load_dwordx4)");
    assert_eq!(lines(&["--format", "VOPD", "--grep", "^v_add_f"]), ["v_add_f32  VOP2 VOP3 VOPD  (v_dual_add_f32)"]);
    // RDNA3.5 has instructions that RDNA3 lacks, and a processor names its set.
    let newer = lines(&["--mcpu", "gfx1151", "--grep", "^s_(add|mul)_f32$"]);
    assert_eq!(newer, ["s_add_f32  SOP2", "s_mul_f32  SOP2"]);
    assert!(lines(&["--arch", "gcn1.4"]).iter().any(|line| line == "s_store_dword                 SMEM"));
    let json = lines(&["--json", "--grep", "^s_endpgm$"]).concat();
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json, serde_json::json!([{"name": "s_endpgm", "formats": ["SOPP"], "aliases": []}]));
}

#[test]
fn listed_instructions_are_known_to_info() {
    let all = lines(&["--arch", "rdna3.5"]);
    for line in all.iter().step_by(97) {
        let mnemonic = line.split(' ').next().expect("a mnemonic");
        let said = run(&["info", "--arch", "rdna3.5", mnemonic], b"");
        assert!(said.status == Some(0) && said.out.contains(mnemonic), "{line}: {}", said.err);
    }
}

#[test]
fn wrong_requests_are_errors() {
    for (args, status, error) in [
        (["--format", "VOPP"], 1, "rdna3 has no format `VOPP`; it has SOP2, SOPK"),
        (["--format", "mubuff"], 1, "did you mean `MUBUF`?"),
        (["--grep", "no such"], 1, "rdna3 has no such instruction"),
        (["--grep", "v_("], 2, "invalid value 'v_(' for '--grep <RE>'"),
        (["--arch", "gfx1030"], 2, "it is not read"),
    ] {
        let said = run(&[&["list"], &args[..]].concat(), b"");
        assert_eq!((said.status, &*said.out), (Some(status), ""), "{args:?}");
        assert!(said.err.contains(error), "{}", said.err);
    }
}

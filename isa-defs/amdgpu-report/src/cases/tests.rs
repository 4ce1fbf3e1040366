use amdgpu_arch::Arch;
use serde_json::Value;

use super::{Limits, answer};

const LIMITS: Limits = Limits { instructions: 100, memory_bytes: 4096, waves: 2 };

/// Answers a case within small limits.
fn answered(case: &str) -> Value {
    let mut out = Vec::new();
    answer(Arch::Rdna3, case.as_bytes(), &mut out, LIMITS).expect("a line");
    serde_json::from_slice(&out).expect("JSON")
}

fn error(case: &str) -> String {
    answered(case)["error"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn cases_return_what_changed() {
    let case = r#"{"name": "add", "code_hex": "010504060000b0bf",
        "init": {"v": {"1": [1073741824, 0], "2": [1065353216]}, "exec": 1}}"#;
    let answer = answered(&case.replace('\n', " "));
    assert_eq!(answer["name"], "add");
    // 2.0 + 1.0 in lane 0, the old value in the other.
    assert_eq!(answer["final"]["v"]["2"][0], 0x4040_0000);
    assert_eq!(answer["final"]["v"]["2"][1], 0);
}

#[test]
fn memory_of_several_ranges_is_bounded() {
    let case = |size: u64| {
        format!(
            r#"{{"code_hex": "0000b0bf", "init": {{"mem": [{{"addr": 65536, "hex": "01"}}, {{"addr": 131072, "size": {size}}}]}}}}"#
        )
    };
    assert_eq!(error(&case(4095)), "");
    assert_eq!(error(&case(4096)), "the memory has more than 4096 bytes");
    // Without a limit this would be copied for the comparison, 4 GiB for 100 bytes of text.
    assert_eq!(error(&case(1 << 32)), "the memory has more than 4096 bytes");
    assert_eq!(error(&case(u64::MAX)), "the memory has more than 4096 bytes");
}

#[test]
fn waves_and_instructions_are_bounded() {
    let waves = |count| {
        let states = vec!["{}"; count].join(",");
        error(&format!(r#"{{"code_hex": "0000b0bf", "init": {{"waves": [{states}]}}}}"#))
    };
    assert_eq!(waves(2), "");
    assert_eq!(waves(3), "`waves` has 3 states; at most 2 are taken");
    // A branch to itself.
    assert!(error(r#"{"code_hex": "ffffa0bf"}"#).contains("100"));
}

extern crate std;

use super::*;


fn checked(text: &str) -> Result<(), Rule> {
    let options = isa::Options { mode: Wave::W32, lenient: true };
    let instr = Instr::parse(text, options).unwrap_or_else(|e| panic!("{text}: {e}"));
    instr.check(Wave::W32).map_err(|v| v.rule)
}

#[test]
fn scalars_of_a_vector_instruction_are_counted_once_each() {
    assert_eq!(checked("v_fma_f32 v0, s1, s2, v3"), Ok(()));
    assert_eq!(checked("v_fma_f32 v0, s1, s2, s1"), Ok(()));
    assert_eq!(checked("v_fma_f32 v0, s1, 0x1234, s1"), Ok(()));
    assert_eq!(checked("v_fma_f32 v0, s1, s2, s3"), Err(Rule::ConstantBus));
    assert_eq!(checked("v_fma_f32 v0, s1, 0x1234, s3"), Err(Rule::ConstantBus));
    assert_eq!(checked("v_fma_f32 v0, s1, 1.0, s3"), Ok(()));
    assert_eq!(checked("v_lshlrev_b64 v[0:1], s1, s[2:3]"), Err(Rule::ConstantBus));
}

#[test]
fn pairs_read_from_different_banks() {
    assert_eq!(checked("v_dual_mul_f32 v0, v1, v2 :: v_dual_mul_f32 v3, v2, v3"), Ok(()));
    assert_eq!(checked("v_dual_mul_f32 v0, v1, v2 :: v_dual_mul_f32 v3, v5, v3"), Err(Rule::BankOfSource0));
    assert_eq!(checked("v_dual_mul_f32 v0, v1, v2 :: v_dual_mul_f32 v3, v2, v6"), Err(Rule::BankOfSource1));
    assert_eq!(checked("v_dual_fmac_f32 v0, v1, v2 :: v_dual_fmac_f32 v3, v2, v3"), Ok(()));
}

#[test]
fn a_violation_says_rule_mend_and_section() {
    let text = std::string::ToString::to_string(&Violation { rule: Rule::VgprRange, operand: "d" });
    assert_eq!(text, "d: vector registers end at v255; begin at a lower register (guide §3.3.2.2)");
}

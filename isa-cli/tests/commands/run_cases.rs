//! `isa run --cases`: a line in, a line out.

use crate::common::run;

const ARGS: [&str; 5] = ["run", "--arch", "gfx1100", "--cases", "-"];

#[test]
fn cases_are_answered_with_what_changed() {
    // v_mov_b32_e32 v0, 7
    let case = r#"{"name":"mov","wave":32,"code_addr":4096,"code_hex":"8702007e","init":{"exec":5,"v":{"0":[1,2]}}}"#;
    let said = run(&ARGS, case.as_bytes());
    let zeros = ",0".repeat(29);
    assert_eq!(said.out, format!("{{\"name\":\"mov\",\"final\":{{\"v\":{{\"0\":[7,2,7{zeros}]}}}}}}\n"));
    assert_eq!((said.status, &*said.err), (Some(0), ""));
}

#[test]
fn waves_of_a_group_are_answered_one_by_one() {
    // s_add_u32 s0, s0, 1
    let case =
        r#"{"name":"two","code_addr":0,"code_hex":"00810080","init":{"waves":[{"s":{"0":1}},{"s":{"0":4294967295}}]}}"#;
    let said = run(&ARGS, case.as_bytes());
    assert_eq!(said.out, "{\"name\":\"two\",\"final\":{\"waves\":[{\"s\":{\"0\":2}},{\"s\":{\"0\":0},\"scc\":1}]}}\n");
}

#[test]
fn errors_name_the_case_and_the_cause() {
    // s_load_b32 s4, s[0:1], 0x0
    let fault = r#"{"name":"load","code_addr":4096,"code_hex":"000100f4000000f8","init":{"s":{"1":1}}}"#;
    let register = r#"{"name":"register","code_hex":"","init":{"s":{"106":1}}}"#;
    let wave = r#"{"name":"wave","wave":16}"#;
    let said = run(&ARGS, format!("{fault}\n{register}\n\n{wave}\nnonsense\n").as_bytes());
    let lines: Vec<&str> = said.out.lines().collect();
    assert_eq!(
        lines[..3],
        [
            "{\"name\":\"load\",\"error\":\"`S_LOAD_B32` at 0x1000: reads 0x100000000, which is not mapped\"}",
            "{\"name\":\"register\",\"error\":\"`106` is not a scalar register; there are 106\"}",
            "{\"name\":\"wave\",\"error\":\"`wave` is 16; it can be 32 or 64\"}",
        ]
    );
    assert!(lines[3].starts_with("{\"error\":\"the line is not JSON:"), "{}", lines[3]);
    assert_eq!(said.status, Some(0));
}

#[test]
fn rdna3_5_runs_too() {
    // s_add_f32 s0, s1, s2
    let case = r#"{"name":"add","code_addr":0,"code_hex":"010200a0","init":{"s":{"1":1065353216,"2":1073741824}}}"#;
    let said = run(&["run", "--arch", "gfx1150", "--cases", "-"], case.as_bytes());
    assert_eq!(said.out, "{\"name\":\"add\",\"final\":{\"s\":{\"0\":1077936128}}}\n");
}

#[test]
fn rdna4_converts_floats_of_eight_bits_and_favors_numbers() {
    // v_cvt_f32_fp8_e64 v1, v0 byte_sel:2; v_cvt_pk_f32_bf8_e32 v[2:3], v0.h; v_min_num_f32 v4, v5, v6; v_s_sqrt_f16 s1, s0.
    // Byte 2 is -0.25 as FP8 and -0.03125 as BF8, byte 3 is 1.5 as BF8. V5 is a signalling NaN, V6 is 2.
    let code = "0108ecd50001000080df047e050d082a010089d600000000";
    let init = r#""s":{"0":17408,"1":4294967295},"exec":1,"v":{"0":[1051197569],"5":[2141192192],"6":[1073741824]}"#;
    let case = format!(r#"{{"name":"narrow","lanes":1,"code_addr":0,"code_hex":"{code}","init":{{{init}}}}}"#);
    let said = run(&["run", "--arch", "gfx1200", "--cases", "-"], case.as_bytes());
    let values = [
        format!(r#""1":[{},"#, (-0.25f32).to_bits()),
        format!(r#""2":[{},"#, (-0.03125f32).to_bits()),
        format!(r#""3":[{},"#, 1.5f32.to_bits()),
        format!(r#""4":[{},"#, 2.0f32.to_bits()),
        // Two as an f16, with zeros above.
        r#""s":{"1":16384}"#.to_string(),
    ];
    for value in values {
        assert!(said.out.contains(&value), "{value} in {}", said.out);
    }
}

#[test]
fn other_sets_are_refused() {
    let said = run(&["run", "--arch", "gcn1.2", "--cases", "-"], b"");
    assert_eq!(said.status, Some(1));
    assert!(said.err.contains("`gcn1.2` is not executed; supported: rdna3, rdna3.5"), "{}", said.err);
}

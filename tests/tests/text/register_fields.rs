//! Fields that hold register numbers take no constants, although the same codes are constants in source operands.

use gcn::{gcn1_0, gcn1_2, gcn1_4};
use rdna3::Wave;

const CONSTANTS: [&str; 8] = ["0", "64", "-1", "-16", "0.5", "1.0", "0.15915494", "0x3456"];

#[test]
fn rdna3_refuses_constants_in_register_fields() {
    let lines = [
        "buffer_load_b32 {}, off, s[8:11], s3",
        "buffer_load_b32 v0, {}, s[8:11], s3 offen",
        "global_store_b8 v255, {}, s[6:7]",
        "global_atomic_min_i32 {}, v2, vcc",
        "flat_load_b96 {}, v[1:2]",
        "scratch_load_i8 v5, {}, s2",
        "ds_load_u8_d16_hi {}, v255",
        "v_pk_fma_f16 {}, v0, v1, v2",
    ];
    for line in lines {
        for constant in CONSTANTS {
            let text = line.replace("{}", constant);
            assert!(rdna3::Instr::parse(&text, Wave::W32).is_err(), "{text}");
        }
        // With a register the line is right, so that the constant is what was refused.
        let registers = ["v5", "v[5:7]"];
        let right = registers.iter().any(|r| rdna3::Instr::parse(&line.replace("{}", r), Wave::W32).is_ok());
        assert!(right, "{line}");
    }
}

#[test]
fn gcn_refuses_constants_in_register_fields() {
    let lines = ["buffer_load_dword {}, off, s[8:11], s3", "buffer_load_dword v0, {}, s[8:11], s3 offen"];
    for line in lines {
        for constant in CONSTANTS {
            let text = line.replace("{}", constant);
            assert!(text.parse::<gcn1_0::Instr>().is_err(), "{text}");
            assert!(text.parse::<gcn1_2::Instr>().is_err(), "{text}");
            assert!(text.parse::<gcn1_4::Instr>().is_err(), "{text}");
        }
        assert!(line.replace("{}", "v5").parse::<gcn1_4::Instr>().is_ok(), "{line}");
    }
}

//! ALU instructions.

use rdna_rows::Wave::{self, W32, W64};
use rdna_rows::rdna4::Instr;
use rdna_rows::rdna4::build::*;

const GOLDEN: &[(Wave, &[u32], &str)] = &[
    (W32, &[0xcc1bc805, 0x50020501], "v_pk_min_num_f16 v5, v1, v2 op_sel:[1,0] op_sel_hi:[0,1] neg_lo:[0,1] clamp"),
    (W32, &[0xcc1e4005, 0x18000401], "v_pk_maximum_f16 v5, s1, s2"),
    (W32, &[0xcc244400, 0x9c0e0501], "v_dot4_f32_fp8_bf8 v0, v1, v2, v3 neg_lo:[0,0,1] neg_hi:[0,0,1]"),
    (W32, &[0xcc274000, 0x1c0e04e9, 0xfac68801], "v_dot4_f32_bf8_bf8_e64_dpp v0, v1, v2, v3 dpp8:[0,1,2,3,4,5,6,7]"),
    (
        W32,
        &[0xcc404408, 0x3d024110],
        "v_wmma_f32_16x16x16_f16 v[8:15], v[16:19], v[32:35], v[64:71] neg_lo:[1,0,0] neg_hi:[0,0,1]",
    ),
    (W64, &[0xcc404008, 0x1bca4110], "v_wmma_f32_16x16x16_f16 v[8:11], v[16:17], v[32:33], 1.0"),
    (W32, &[0xcc45c008, 0x5d024110], "v_wmma_i32_16x16x16_iu4 v[8:15], v16, v32, v[64:71] neg_lo:[0,1,0] clamp"),
    (W64, &[0xcc454008, 0x1d024110], "v_wmma_i32_16x16x16_iu4 v[8:11], v16, v32, v[64:67]"),
    (W32, &[0xcc434008, 0x1d024110], "v_wmma_bf16_16x16x16_bf16 v[8:11], v[16:19], v[32:35], v[64:67]"),
    (
        W32,
        &[0xcc474008, 0x9d024110],
        "v_wmma_f32_16x16x16_fp8_bf8 v[8:15], v[16:17], v[32:33], v[64:71] neg_lo:[0,0,1]",
    ),
    (W32, &[0xcc504808, 0x1d024110], "v_swmmac_f32_16x16x32_f16 v[8:15], v[16:19], v[32:39], v64 index_key:1"),
    (
        W64,
        &[0xcc505a08, 0x1d024110],
        "v_swmmac_f32_16x16x32_f16 v[8:11], v[16:17], v[32:35], v64 index_key:3 neg_hi:[0,1,0]",
    ),
    (W64, &[0xcc56c808, 0x1d024110], "v_swmmac_i32_16x16x64_iu4 v[8:11], v16, v[32:33], v64 index_key:1 clamp"),
    (W32, &[0xd5ec0801, 0x00000003], "v_cvt_f32_fp8_e64 v1, s3 byte_sel:2"),
    (W32, &[0x7e02dafa, 0xff001b02], "v_cvt_f32_bf8_dpp v1, v2 quad_perm:[3,2,1,0] row_mask:0xf bank_mask:0xf"),
    (W32, &[0x7e04dd84], "v_cvt_pk_f32_fp8_e32 v[2:3], v4.h"),
    (W32, &[0xd5ef0002, 0x000000f2], "v_cvt_pk_f32_bf8_e64 v[2:3], 1.0"),
    (W32, &[0xd7694201, 0x20020702], "v_cvt_pk_fp8_f32 v1.h, -v2, |v3| op_sel:[0,0,1]"),
    (W32, &[0xd76c6001, 0x20020702], "v_cvt_sr_bf8_f32 v1, -v2, v3 byte_sel:3"),
    (W32, &[0xd70f0801, 0x00020702], "v_permlane16_var_b32 v1, v2, v3 op_sel:[1,0]"),
    (W32, &[0xd6818105, 0x28000001], "v_s_exp_f16 s5, -|s1| clamp mul:2"),
    (W32, &[0xd686006b, 0x000000f0], "v_s_rsq_f32 vcc_hi, 0.5"),
    (W32, &[0x04000802], "v_add_f64_e32 v[0:1], s[2:3], v[4:5]"),
    (W32, &[0x3e000802], "v_lshlrev_b64_e32 v[0:1], s2, v[4:5]"),
    (W32, &[0xd50e8200, 0x20020902], "v_max_num_f64_e64 v[0:1], -v[2:3], |v[4:5]| clamp"),
    (W32, &[0xd62f2801, 0x84120702], "v_minimum3_f16 v1.l, v2.h, v3.l, -v4.h op_sel:[1,0,1,0]"),
    (W32, &[0xd6fe0600, 0x04120702], "v_mad_co_u64_u32 v[0:1], s6, v2, v3, v[4:5]"),
    (W32, &[0xca100101, 0x00020105], "v_dual_mov_b32 v0, v1 :: v_dual_mov_b32 v3, v5"),
    (W32, &[0xcaa40201, 0x00020902], "v_dual_max_num_f32 v0, s1, v1 :: v_dual_and_b32 v3, v2, v4"),
    (W32, &[0x8000ff01, 0x00012345], "s_add_co_u32 s0, s1, 0x12345"),
    (W32, &[0xbe804ec1], "s_barrier_signal -1"),
    (W32, &[0xbe804f7d], "s_barrier_signal_isfirst m0"),
    (W32, &[0xbe835082], "s_get_barrier_state s3, 2"),
    (W32, &[0xbf94ffff], "s_barrier_wait 0xffff"),
    (W32, &[0xbf940000], "s_barrier_wait 0"),
    (W32, &[0xbfbc0000], "s_icache_inv"),
    (W32, &[0xbe805305], "s_alloc_vgpr s5"),
    (W32, &[0xbe80588a], "s_sleep_var 10"),
    (W32, &[0xbfc80102], "s_wait_loadcnt_dscnt 0x102"),
    (W32, &[0xbf880f9f], "s_wait_alu depctr_va_vdst(0)"),
    (W32, &[0xb88008d2], "s_getreg_b32 s0, hwreg(HW_REG_WAVE_EXCP_FLAG_USER, 3, 2)"),
    (W32, &[0xbe824d87], "s_sendmsg_rtn_b64 s[2:3], sendmsg(MSG_RTN_GET_SE_AID_ID)"),
    (W32, &[0xbe806a01], "s_cvt_hi_f32_f16 s0, s1"),
];

#[test]
fn words_and_texts_are_those_of_llvm() {
    for (wave, words, text) in GOLDEN {
        crate::agree(*wave, words, text);
    }
}

#[test]
fn what_llvm_refuses_is_refused() {
    const REFUSED: &[(Wave, &str)] = &[
        (W32, "v_wmma_f32_16x16x16_fp8_fp8 v[8:15], v[16:17], v[32:33], v[64:71] neg_lo:[1,0,0]"),
        (W32, "v_wmma_i32_16x16x16_iu8 v[8:15], v[16:17], v[32:33], v[64:71] neg_lo:[0,0,1]"),
        (W32, "v_wmma_f16_16x16x16_f16 v[8:11], v[16:19], v[32:35], v[64:67] op_sel:[0,0,1]"),
        (W64, "v_wmma_f32_16x16x16_f16 v[8:15], v[16:19], v[32:35], v[64:71]"),
        (W32, "v_swmmac_f32_16x16x32_f16 v[8:15], v[16:19], v[32:39], v64 neg_lo:[0,0,1]"),
        (W32, "v_swmmac_f32_16x16x32_f16 v[8:15], v[16:19], v[32:39], v64 index_key:2"),
        (W32, "v_swmmac_i32_16x16x64_iu4 v[8:15], v[16:17], v[32:35], v64 index_key:1"),
        (W32, "v_dot4_f32_fp8_fp8 v0, v1, v2, 1.0 dpp8:[0,1,2,3,4,5,6,7]"),
        (W32, "v_dot4_f32_fp8_fp8 v8, v16, v17, v18 clamp"),
        (W32, "v_cvt_f32_fp8_e64 v1, v2 byte_sel:4"),
        (W32, "v_cvt_f32_fp8_e64 v1, -v2"),
        (W32, "v_cvt_pk_fp8_f32 v1, v2, v3 clamp"),
        (W32, "v_cvt_sr_fp8_f32 v1, v2, v3 op_sel:[0,0,1,1]"),
        (W32, "v_permlane16_var_b32 v1, v2, v3 op_sel:[0,0,1]"),
        (W32, "v_s_exp_f16 s1, s2 op_sel:[1,0]"),
        (W32, "v_s_exp_f32 exec_lo, s1"),
        (W32, "v_lshlrev_b64 v[5:6], v1, v[2:3] dpp8:[7,6,5,4,3,2,1,0]"),
        (W32, "v_min_num_f64 v[0:1], v[2:3], v[4:5] row_mirror"),
        (W32, "s_barrier_init 65"),
        (W32, "v_pk_min_num_f16 v5, v1, v2 neg_hi:[0,0,2]"),
    ];
    for (wave, text) in REFUSED {
        assert!(Instr::parse(text, *wave).is_err(), "{text}");
    }
    // The third bit of NEG_HI of a row with two sources, OPSEL_HI of a matrix, and DPP of 64 bits.
    for words in [[0xcc1b_4405, 0x1802_0501], [0xcc40_4008, 0x0502_4110], [0x3e0a_04e9, 0x0539_7701]] {
        assert!(Instr::decode(&words, W32).is_err(), "{words:08x?}");
    }
}

#[test]
fn functions_build_what_text_reads() -> Result<(), BuildError> {
    let check = |instr: Instr, text: &str| assert_eq!(instr.to_string(), text);
    check(v_cvt_f32_fp8(v(1), sgpr!(3)).source_byte(2).instr()?, "v_cvt_f32_fp8_e64 v1, s3 byte_sel:2");
    check(v_cvt_sr_bf8_f32(v(1), v(2), v(3)).result_byte(3).instr()?, "v_cvt_sr_bf8_f32 v1, v2, v3 byte_sel:3");
    check(v_s_exp_f16(sgpr!(5), sgpr!(1)).neg(0).clamp().instr()?, "v_s_exp_f16 s5, -s1 clamp");
    check(s_barrier_signal(-1).instr()?, "s_barrier_signal -1");
    check(s_barrier_signal_isfirst(M0).instr()?, "s_barrier_signal_isfirst m0");
    check(s_barrier_wait(-1).instr()?, "s_barrier_wait 0xffff");
    let mode = Rdna4HwRegister::named("HW_REG_WAVE_MODE").and_then(|r| r.bits(0, 4)).expect("a name of RDNA4");
    check(s_setreg_b32(mode, sgpr!(0)).instr()?, "s_setreg_b32 hwreg(HW_REG_WAVE_MODE, 0, 4), s0");
    let message = Message::named("MSG_RTN_GET_SE_AID_ID").expect("a name of RDNA4");
    check(s_sendmsg_rtn_b32(sgpr!(0), message).instr()?, "s_sendmsg_rtn_b32 s0, sendmsg(MSG_RTN_GET_SE_AID_ID)");
    let matrix = v_swmmac_f32_16x16x32_f16(vgpr!(8..=15), vgpr!(16..=19), vgpr!(32..=39), v(64)).index_key(1);
    check(matrix.instr()?, "v_swmmac_f32_16x16x32_f16 v[8:15], v[16:19], v[32:39], v64 index_key:1");
    let half = v_wmma_f32_16x16x16_f16(vgpr!(8..=11), vgpr!(16..=17), vgpr!(32..=33), 1.0).build(W64)?;
    assert_eq!(half.display(W64).to_string(), "v_wmma_f32_16x16x16_f16 v[8:11], v[16:17], v[32:33], 1.0");
    // Pseudo-scalar instructions of VGPRs, and bytes that do not exist.
    assert!(v_cvt_f32_fp8(v(1), v(2)).source_byte(4).instr().is_err());
    assert!(v_s_exp_f16(VCC_LO, sgpr!(1)).instr().is_err());
    Ok(())
}

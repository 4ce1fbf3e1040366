// Bytes of 8-bit floats, and matrices of RDNA4's sizes: half of RDNA3's.
const CODE: &[u32] = &rdna4::asm! {
    v_cvt_f32_fp8 v1, v2 byte_sel:4
    v_cvt_f32_i32 v1, v2 byte_sel:1
    v_cvt_f32_fp8 v1, v2.l
    v_swmmac_f32_16x16x32_f16 v[12:19], v[0:3], v[4:11], v20 index_key:2
    v_swmmac_f32_16x16x32_f16 v[12:19], v[0:3], v[4:7], v20
    v_swmmac_f32_16x16x32_f16 v[12:19], v[0:3], v[4:11], 0
    v_wmma_f32_16x16x16_f16 v[8:15], v[0:7], v[8:15], v[8:15]
    v_wmma_f32_16x16x16_fp8_fp8 v[8:15], v[0:3], v[4:5], v[8:15]
};

fn main() {}

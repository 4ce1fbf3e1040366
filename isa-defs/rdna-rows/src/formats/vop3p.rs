//! VOP3P: vector instructions on packed halves, dot products, mixed precision, matrices.

use isa::isa;

isa! {
    /// Packed vector ALU: two 16-bit results from halves of up to three sources; dot products and WMMA too. Guide
    /// §15.3.6.
    ///
    /// The guide prints the eight bits of ENCODING beside bits 31 to 26; they are bits 31 to 24. An instruction that has no
    /// use for a source's OPSEL_HI keeps that bit at 1. V_FMA_MIX takes NEG_HI for absolute values, OPSEL_HI for f16
    /// sources and OPSEL for their high halves, V_SWMMAC takes OPSEL for the part of the index. Accumulators of WMMA have their
    /// wave32 type, and so have all matrices of RDNA4.
    format VOP3P: 64 of (rdna3, rdna3_5), rdna4 {
        VDST      [7:0]:   out d: WholeVgpr,
        NEG_HI    [10:8]:  mod neg_hi: NegHi,
        OPSEL     [13:11]: mod op_sel: OpSelLo if selects | sparse else reserved,
        OPSEL_HI2 [14]:    mod op_sel_hi2: OpSelHi2 if s2 & selects else 1,
        CLMP      [15]:    mod clamp: Clamp if clamps else reserved,
        OP        [22:16]  = opcode,
        RESERVED  [23]     reserved,
        ENCODING  [31:24]  = 0b11001100,
        SRC0      [40:32]: s0: SrcP<0>,
        SRC1      [49:41]: s1: SrcP<1>,
        SRC2      [58:50]: s2: SrcP<2> else 0 newer 0x80,
        OPSEL_HI  [60:59]: mod op_sel_hi: OpSelHi if selects else 3,
        NEG       [63:61]: mod neg_lo: NegLo,
    }
    // `wmma`: multiplies matrices, over several cycles. `sparse`: the first has two of four elements, which an index names.
    // `dpp_vgprs`: beside DPP all sources are VGPRs.
    // `favors_numbers`: as in VOP2.
    flags dpp, dpp_vgprs, favors_numbers, mix, wmma, sparse;
    // `selects`, `clamps`: the row has OPSEL, CLMP.
    flags selects if !(s0 is 8 | s0 is 4 | wmma & (d is 32 | rdna4)), clamps if !((wmma | s0 is 8) & d is float);
    // `few_signs`: only some sources have bits in NEG and NEG_HI.
    flags few_signs if wmma & rdna4 | s0 is 8 & d is float;
    // `dot`: a dot product of halves, which has the value of an inline constant in both halves.
    flags dot if s0 is 16 & s0 is packed & s0 is float & !(d is packed);
    dword DPP16_VOP3 when SRC0 == 250 if dpp suffix "_e64_dpp";
    dword DPP8 when SRC0 == 233 | SRC0 == 234 if dpp suffix "_e64_dpp";
    dword LITERAL when SRC0 == 255 | SRC1 == 255 | SRC2 == 255;
    text "{d}, {s0}, {s1}, {s2}{op_sel}{op_sel_hi}{neg_lo}{neg_hi}{clamp}";
    run lanes;
    source s0 if favors_numbers = max(s0, s0);
    source s1 if favors_numbers = max(s1, s1);
    source s0 if dot = if s0 is inline { join(s0[0], s0[0]) } else { s0 };
    source s0 if s0 is 16 & s0 is packed & selects & !wmma = join(if op_sel[0] { s0[1] } else { s0[0] }, if op_sel_hi[0] { s0[1] } else { s0[0] });
    source s0 if s0 is float & s0 is packed & !wmma = join(if neg_lo[0] { -s0[0] } else { s0[0] }, if neg_hi[0] { -s0[1] } else { s0[1] });
    source s0 if mix = if op_sel_hi[0] { (if op_sel[0] { s0.f16x2[1] } else { s0.f16x2[0] }) as f32 } else { s0 };
    source s0 if mix = if neg_hi[0] { abs(s0) } else { s0 };
    source s0 if s0 is float & !(s0 is packed) = if neg_lo[0] { -s0 } else { s0 };
    source s1 if dot = if s1 is inline { join(s1[0], s1[0]) } else { s1 };
    source s1 if s1 is 16 & s1 is packed & selects & !wmma = join(if op_sel[1] { s1[1] } else { s1[0] }, if op_sel_hi[1] { s1[1] } else { s1[0] });
    source s1 if s1 is float & s1 is packed & !wmma = join(if neg_lo[1] { -s1[0] } else { s1[0] }, if neg_hi[1] { -s1[1] } else { s1[1] });
    source s1 if mix = if op_sel_hi[1] { (if op_sel[1] { s1.f16x2[1] } else { s1.f16x2[0] }) as f32 } else { s1 };
    source s1 if mix = if neg_hi[1] { abs(s1) } else { s1 };
    source s1 if s1 is float & !(s1 is packed) = if neg_lo[1] { -s1 } else { s1 };
    source s2 if s2 is 16 & s2 is packed & selects & !wmma = join(if op_sel[2] { s2[1] } else { s2[0] }, if op_sel_hi2 { s2[1] } else { s2[0] });
    source s2 if s2 is float & s2 is packed & !wmma = join(if neg_lo[2] { -s2[0] } else { s2[0] }, if neg_hi[2] { -s2[1] } else { s2[1] });
    source s2 if mix = if op_sel_hi2 { (if op_sel[2] { s2.f16x2[1] } else { s2.f16x2[0] }) as f32 } else { s2 };
    source s2 if mix = if neg_hi[2] { abs(s2) } else { s2 };
    source s2 if s0 is 8 & !wmma & s2 is float = if neg_hi[2] { abs(s2) } else { s2 };
    source s2 if s2 is float & !(s2 is packed) = if neg_lo[2] { -s2 } else { s2 };
    result d if d is float & clamps = if clamp { clamp(d) } else { d };
    saturate d if d is int & clamps = clamp;

    0  => V_PK_MAD_I16              (d: i16x2, s0: i16x2, s1: i16x2, s2: i16x2) { d = s0 * s1 + s2; }
    1  => V_PK_MUL_LO_U16           (d: u16x2, s0: u16x2, s1: u16x2) { d = s0 * s1; }
    2  => V_PK_ADD_I16              (d: i16x2, s0: i16x2, s1: i16x2) { d = s0 + s1; }
    3  => V_PK_SUB_I16              (d: i16x2, s0: i16x2, s1: i16x2) { d = s0 - s1; }
    4  => V_PK_LSHLREV_B16          (d: b16x2, s0: u16x2, s1: b16x2) { d = s1 << (s0 & 15); }
    5  => V_PK_LSHRREV_B16          (d: b16x2, s0: u16x2, s1: b16x2) { d = s1 >> (s0 & 15); }
    6  => V_PK_ASHRREV_I16          (d: i16x2, s0: u16x2, s1: i16x2) { d = s1 >> (s0 & 15); }
    7  => V_PK_MAX_I16              (d: i16x2, s0: i16x2, s1: i16x2) { d = max(s0, s1); }
    8  => V_PK_MIN_I16              (d: i16x2, s0: i16x2, s1: i16x2) { d = min(s0, s1); }
    9  => V_PK_MAD_U16              (d: u16x2, s0: u16x2, s1: u16x2, s2: u16x2) { d = s0 * s1 + s2; }
    10 => V_PK_ADD_U16              (d: u16x2, s0: u16x2, s1: u16x2) { d = s0 + s1; }
    11 => V_PK_SUB_U16              (d: u16x2, s0: u16x2, s1: u16x2) { d = s0 - s1; }
    12 => V_PK_MAX_U16              (d: u16x2, s0: u16x2, s1: u16x2) { d = max(s0, s1); }
    13 => V_PK_MIN_U16              (d: u16x2, s0: u16x2, s1: u16x2) { d = min(s0, s1); }
    14 => V_PK_FMA_F16              (d: f16x2, s0: f16x2, s1: f16x2, s2: f16x2) { d = fma(s0, s1, s2); }
    15 => V_PK_ADD_F16              (d: f16x2, s0: f16x2, s1: f16x2) { d = s0 + s1; }
    16 => V_PK_MUL_F16              (d: f16x2, s0: f16x2, s1: f16x2) { d = s0 * s1; }
    17 27 => V_PK_MIN_F16           (d: f16x2, s0: f16x2, s1: f16x2) named V_PK_MIN_NUM_F16 in rdna4, favors_numbers in rdna4 { d = min(s0, s1); }
    18 28 => V_PK_MAX_F16           (d: f16x2, s0: f16x2, s1: f16x2) named V_PK_MAX_NUM_F16 in rdna4, favors_numbers in rdna4 { d = max(s0, s1); }
    19 => V_DOT2_F32_F16            (d: f32, s0: f16x2, s1: f16x2, s2: f32) dpp { d = dot2(s0, s1, s2); }
    22 => V_DOT4_I32_IU8            (d: i32, s0: iu8x4, s1: iu8x4, s2: i32) also "v_dot4_i32_i8" { d = dot_signed(s0, s1, s2, neg_lo[0], neg_lo[1]); }
    23 => V_DOT4_U32_U8             (d: u32, s0: u8x4, s1: u8x4, s2: u32) { d = dot(s0, s1, s2); }
    24 => V_DOT8_I32_IU4            (d: i32, s0: iu4x8, s1: iu4x8, s2: i32) also "v_dot8_i32_i4" { d = dot_signed(s0, s1, s2, neg_lo[0], neg_lo[1]); }
    25 => V_DOT8_U32_U4             (d: u32, s0: u4x8, s1: u4x8, s2: u32) { d = dot(s0, s1, s2); }
    26 => V_DOT2_F32_BF16           (d: f32, s0: bf16x2, s1: bf16x2, s2: f32) dpp { d = dot2(s0, s1, s2); }
    32 => V_FMA_MIX_F32             (d: f32, s0: f32, s1: f32, s2: f32) dpp, mix { d = fma(s0, s1, s2); }
    33 => V_FMA_MIXLO_F16           (d: f16, s0: f32, s1: f32, s2: f32) dpp, mix { d = fma_f16(s0, s1, s2); }
    34 => V_FMA_MIXHI_F16           (d: f16, s0: f32, s1: f32, s2: f32) dpp, mix { d.hi = fma_f16(s0, s1, s2); }
    64 => V_WMMA_F32_16X16X16_F16   (d: f32x8 as WmmaDst, s0: f16x16 as VgprSrc, s1: f16x16 as VgprSrc, s2: f32x8 as WmmaAcc) in rdna3 | rdna3_5, wmma, wave { d = wmma(s0, s1, s2); }
    65 => V_WMMA_F32_16X16X16_BF16  (d: f32x8 as WmmaDst, s0: bf16x16 as VgprSrc, s1: bf16x16 as VgprSrc, s2: f32x8 as WmmaAcc) in rdna3 | rdna3_5, wmma, wave { d = wmma(s0, s1, s2); }
    66 => V_WMMA_F16_16X16X16_F16   (d: f16x16 as WmmaDst, s0: f16x16 as VgprSrc, s1: f16x16 as VgprSrc, s2: f16x16 as WmmaAcc) in rdna3 | rdna3_5, wmma, wave { d = wmma(s0, s1, s2); }
    67 => V_WMMA_BF16_16X16X16_BF16 (d: bf16x16 as WmmaDst, s0: bf16x16 as VgprSrc, s1: bf16x16 as VgprSrc, s2: bf16x16 as WmmaAcc) in rdna3 | rdna3_5, wmma, wave { d = wmma(s0, s1, s2); }
    68 => V_WMMA_I32_16X16X16_IU8   (d: i32x8 as WmmaDst, s0: iu8x16 as VgprSrc, s1: iu8x16 as VgprSrc, s2: i32x8 as WmmaAcc) in rdna3 | rdna3_5, wmma, wave { d = wmma_signed(s0, s1, s2, neg_lo[0], neg_lo[1]); }
    69 => V_WMMA_I32_16X16X16_IU4   (d: i32x8 as WmmaDst, s0: iu4x16 as VgprSrc, s1: iu4x16 as VgprSrc, s2: i32x8 as WmmaAcc) in rdna3 | rdna3_5, wmma, wave { d = wmma_signed(s0, s1, s2, neg_lo[0], neg_lo[1]); }
    29 => V_PK_MINIMUM_F16          (d: f16x2, s0: f16x2, s1: f16x2) in rdna4 { d = minimum(s0, s1); }
    30 => V_PK_MAXIMUM_F16          (d: f16x2, s0: f16x2, s1: f16x2) in rdna4 { d = maximum(s0, s1); }
    36 => V_DOT4_F32_FP8_BF8       (d: f32, s0: b8x4, s1: b8x4, s2: f32) in rdna4, dpp, dpp_vgprs, fix OPSEL_HI = 3, fix OPSEL_HI2 = 1 { d = dot4(s0 as f8x4, s1 as bf8x4, s2); }
    37 => V_DOT4_F32_BF8_FP8       (d: f32, s0: b8x4, s1: b8x4, s2: f32) in rdna4, dpp, dpp_vgprs, fix OPSEL_HI = 3, fix OPSEL_HI2 = 1 { d = dot4(s0 as bf8x4, s1 as f8x4, s2); }
    38 => V_DOT4_F32_FP8_FP8       (d: f32, s0: b8x4, s1: b8x4, s2: f32) in rdna4, dpp, dpp_vgprs, fix OPSEL_HI = 3, fix OPSEL_HI2 = 1 { d = dot4(s0 as f8x4, s1 as f8x4, s2); }
    39 => V_DOT4_F32_BF8_BF8       (d: f32, s0: b8x4, s1: b8x4, s2: f32) in rdna4, dpp, dpp_vgprs, fix OPSEL_HI = 3, fix OPSEL_HI2 = 1 { d = dot4(s0 as bf8x4, s1 as bf8x4, s2); }
    // LLVM requires the value 1 in all bits of OPSEL_HI of matrices.
    64 => V_WMMA_F32_16X16X16_F16 (d: f32x8 as WmmaDst, s0: f16x8 as WmmaSrc, s1: f16x8 as WmmaSrc, s2: f32x8 as WmmaAcc) in rdna4, wmma, wave, fix OPSEL_HI = 3, fix OPSEL_HI2 = 1 { d = wmma_split(s0, s1, s2, neg_lo, neg_hi); }
    65 => V_WMMA_F32_16X16X16_BF16 (d: f32x8 as WmmaDst, s0: bf16x8 as WmmaSrc, s1: bf16x8 as WmmaSrc, s2: f32x8 as WmmaAcc) in rdna4, wmma, wave, fix OPSEL_HI = 3, fix OPSEL_HI2 = 1 { d = wmma_split(s0, s1, s2, neg_lo, neg_hi); }
    66 => V_WMMA_F16_16X16X16_F16 (d: f16x8 as WmmaDst, s0: f16x8 as WmmaSrc, s1: f16x8 as WmmaSrc, s2: f16x8 as WmmaAcc) in rdna4, wmma, wave, fix OPSEL_HI = 3, fix OPSEL_HI2 = 1 { d = wmma_split(s0, s1, s2, neg_lo, neg_hi); }
    67 => V_WMMA_BF16_16X16X16_BF16 (d: bf16x8 as WmmaDst, s0: bf16x8 as WmmaSrc, s1: bf16x8 as WmmaSrc, s2: bf16x8 as WmmaAcc) in rdna4, wmma, wave, fix OPSEL_HI = 3, fix OPSEL_HI2 = 1 { d = wmma_split(s0, s1, s2, neg_lo, neg_hi); }
    68 => V_WMMA_I32_16X16X16_IU8 (d: i32x8 as WmmaDst, s0: iu8x8 as WmmaSrc, s1: iu8x8 as WmmaSrc, s2: i32x8 as WmmaAcc) in rdna4, wmma, wave, fix OPSEL_HI = 3, fix OPSEL_HI2 = 1, fix NEG_HI = 0 { d = wmma_split(s0, s1, s2, neg_lo, 0); }
    69 => V_WMMA_I32_16X16X16_IU4 (d: i32x8 as WmmaDst, s0: iu4x8 as VgprSrc, s1: iu4x8 as VgprSrc, s2: i32x8 as WmmaAcc) in rdna4, wmma, wave, fix OPSEL_HI = 3, fix OPSEL_HI2 = 1, fix NEG_HI = 0 { d = wmma_split(s0, s1, s2, neg_lo, 0); }
    70 => V_WMMA_F32_16X16X16_FP8_FP8 (d: f32x8 as WmmaDst, s0: b8x8 as WmmaSrc, s1: b8x8 as WmmaSrc, s2: f32x8 as WmmaAcc) in rdna4, wmma, wave, fix OPSEL_HI = 3, fix OPSEL_HI2 = 1 { d = wmma_split(s0 as f8x8, s1 as f8x8, s2, neg_lo, neg_hi); }
    71 => V_WMMA_F32_16X16X16_FP8_BF8 (d: f32x8 as WmmaDst, s0: b8x8 as WmmaSrc, s1: b8x8 as WmmaSrc, s2: f32x8 as WmmaAcc) in rdna4, wmma, wave, fix OPSEL_HI = 3, fix OPSEL_HI2 = 1 { d = wmma_split(s0 as f8x8, s1 as bf8x8, s2, neg_lo, neg_hi); }
    72 => V_WMMA_F32_16X16X16_BF8_FP8 (d: f32x8 as WmmaDst, s0: b8x8 as WmmaSrc, s1: b8x8 as WmmaSrc, s2: f32x8 as WmmaAcc) in rdna4, wmma, wave, fix OPSEL_HI = 3, fix OPSEL_HI2 = 1 { d = wmma_split(s0 as bf8x8, s1 as f8x8, s2, neg_lo, neg_hi); }
    73 => V_WMMA_F32_16X16X16_BF8_BF8 (d: f32x8 as WmmaDst, s0: b8x8 as WmmaSrc, s1: b8x8 as WmmaSrc, s2: f32x8 as WmmaAcc) in rdna4, wmma, wave, fix OPSEL_HI = 3, fix OPSEL_HI2 = 1 { d = wmma_split(s0 as bf8x8, s1 as bf8x8, s2, neg_lo, neg_hi); }
    74 => V_WMMA_I32_16X16X32_IU4 (d: i32x8 as WmmaDst, s0: iu4x16 as WmmaSrc, s1: iu4x16 as WmmaSrc, s2: i32x8 as WmmaAcc) in rdna4, wmma, wave, fix OPSEL_HI = 3, fix OPSEL_HI2 = 1, fix NEG_HI = 0 { d = wmma_split(s0, s1, s2, neg_lo, 0); }
    80 => V_SWMMAC_F32_16X16X32_F16 (d: inout f32x8 as WmmaDst, s0: f16x8 as WmmaSrc, s1: f16x16 as WmmaSrc, s2: b32 as VgprSrc) in rdna4, sparse, wmma, wave, fix OPSEL_HI = 3, fix OPSEL_HI2 = 1 { d = swmmac(s0, s1, d, s2, op_sel, neg_lo, neg_hi); }
    81 => V_SWMMAC_F32_16X16X32_BF16 (d: inout f32x8 as WmmaDst, s0: bf16x8 as WmmaSrc, s1: bf16x16 as WmmaSrc, s2: b32 as VgprSrc) in rdna4, sparse, wmma, wave, fix OPSEL_HI = 3, fix OPSEL_HI2 = 1 { d = swmmac(s0, s1, d, s2, op_sel, neg_lo, neg_hi); }
    82 => V_SWMMAC_F16_16X16X32_F16 (d: inout f16x8 as WmmaDst, s0: f16x8 as WmmaSrc, s1: f16x16 as WmmaSrc, s2: b32 as VgprSrc) in rdna4, sparse, wmma, wave, fix OPSEL_HI = 3, fix OPSEL_HI2 = 1 { d = swmmac(s0, s1, d, s2, op_sel, neg_lo, neg_hi); }
    83 => V_SWMMAC_BF16_16X16X32_BF16 (d: inout bf16x8 as WmmaDst, s0: bf16x8 as WmmaSrc, s1: bf16x16 as WmmaSrc, s2: b32 as VgprSrc) in rdna4, sparse, wmma, wave, fix OPSEL_HI = 3, fix OPSEL_HI2 = 1 { d = swmmac(s0, s1, d, s2, op_sel, neg_lo, neg_hi); }
    84 => V_SWMMAC_I32_16X16X32_IU8 (d: inout i32x8 as WmmaDst, s0: iu8x8 as WmmaSrc, s1: iu8x16 as WmmaSrc, s2: b32 as VgprSrc) in rdna4, sparse, wmma, wave, fix OPSEL_HI = 3, fix OPSEL_HI2 = 1, fix NEG_HI = 0 { d = swmmac(s0, s1, d, s2, op_sel, neg_lo, 0); }
    85 => V_SWMMAC_I32_16X16X32_IU4 (d: inout i32x8 as WmmaDst, s0: iu4x8 as VgprSrc, s1: iu4x16 as WmmaSrc, s2: b32 as VgprSrc) in rdna4, sparse, wmma, wave, fix OPSEL_HI = 3, fix OPSEL_HI2 = 1, fix NEG_HI = 0 { d = swmmac(s0, s1, d, s2, op_sel, neg_lo, 0); }
    86 => V_SWMMAC_I32_16X16X64_IU4 (d: inout i32x8 as WmmaDst, s0: iu4x16 as WmmaSrc, s1: iu4x32 as WmmaSrc, s2: b32 as VgprSrc) in rdna4, sparse, wmma, wave, fix OPSEL_HI = 3, fix OPSEL_HI2 = 1, fix NEG_HI = 0 { d = swmmac(s0, s1, d, s2, op_sel, neg_lo, 0); }
    87 => V_SWMMAC_F32_16X16X32_FP8_FP8 (d: inout f32x8 as WmmaDst, s0: b8x8 as WmmaSrc, s1: b8x16 as WmmaSrc, s2: b32 as VgprSrc) in rdna4, sparse, wmma, wave, fix OPSEL_HI = 3, fix OPSEL_HI2 = 1, fix NEG = 0, fix NEG_HI = 0 { d = swmmac(s0 as f8x8, s1 as f8x16, d, s2, op_sel, 0, 0); }
    88 => V_SWMMAC_F32_16X16X32_FP8_BF8 (d: inout f32x8 as WmmaDst, s0: b8x8 as WmmaSrc, s1: b8x16 as WmmaSrc, s2: b32 as VgprSrc) in rdna4, sparse, wmma, wave, fix OPSEL_HI = 3, fix OPSEL_HI2 = 1, fix NEG = 0, fix NEG_HI = 0 { d = swmmac(s0 as f8x8, s1 as bf8x16, d, s2, op_sel, 0, 0); }
    89 => V_SWMMAC_F32_16X16X32_BF8_FP8 (d: inout f32x8 as WmmaDst, s0: b8x8 as WmmaSrc, s1: b8x16 as WmmaSrc, s2: b32 as VgprSrc) in rdna4, sparse, wmma, wave, fix OPSEL_HI = 3, fix OPSEL_HI2 = 1, fix NEG = 0, fix NEG_HI = 0 { d = swmmac(s0 as bf8x8, s1 as f8x16, d, s2, op_sel, 0, 0); }
    90 => V_SWMMAC_F32_16X16X32_BF8_BF8 (d: inout f32x8 as WmmaDst, s0: b8x8 as WmmaSrc, s1: b8x16 as WmmaSrc, s2: b32 as VgprSrc) in rdna4, sparse, wmma, wave, fix OPSEL_HI = 3, fix OPSEL_HI2 = 1, fix NEG = 0, fix NEG_HI = 0 { d = swmmac(s0 as bf8x8, s1 as bf8x16, d, s2, op_sel, 0, 0); }
}

//! Scalar ALU, two sources.

use isa::isa;

isa! {
    /// Scalar ALU, two sources and one destination. Guide §15.1.1, instructions §16.1.
    format SOP2: 32 of (rdna3, rdna3_5), rdna4 {
        ENCODING [31:30] = 0b10,
        OP       [29:23] = opcode,
        SDST     [22:16]: out d: Sdst,
        SSRC1    [15:8]:  s1: Ssrc,
        SSRC0    [7:0]:   s0: Ssrc,
    }
    // `half_constants`: constants have the 16 bits of the operand's type, not 32.
    // `favors_numbers`: as in VOP2.
    flags half_constants, favors_numbers;
    dword LITERAL when SSRC0 == 255 | SSRC1 == 255;
    text "{d}, {s0}, {s1}";
    run wave;
    source s0 if favors_numbers = max(s0, s0);
    source s1 if favors_numbers = max(s1, s1);

    0  => S_ADD_U32         (d: u32, s0: u32, s1: u32) named S_ADD_CO_U32 in rdna4 { d, scc = s0 + s1, carry(s0, s1, false); }
    1  => S_SUB_U32         (d: u32, s0: u32, s1: u32) named S_SUB_CO_U32 in rdna4 { d, scc = s0 - s1, s0 < s1; }
    2  => S_ADD_I32         (d: i32, s0: i32, s1: i32) named S_ADD_CO_I32 in rdna4 { let r = s0 + s1; d, scc = r, ((r ^ s0) & (r ^ s1)) < 0; }
    3  => S_SUB_I32         (d: i32, s0: i32, s1: i32) named S_SUB_CO_I32 in rdna4 { let r = s0 - s1; d, scc = r, ((s0 ^ s1) & (r ^ s0)) < 0; }
    4  => S_ADDC_U32        (d: u32, s0: u32, s1: u32) named S_ADD_CO_CI_U32 in rdna4 { d, scc = s0 + s1 + scc as u32, carry(s0, s1, scc); }
    5  => S_SUBB_U32        (d: u32, s0: u32, s1: u32) named S_SUB_CO_CI_U32 in rdna4 { d, scc = s0 - s1 - scc as u32, borrow(s0, s1, scc); }
    6  => S_ABSDIFF_I32     (d: i32, s0: i32, s1: i32) { let r = abs(s0 - s1); d, scc = r, r != 0; }
    8  => S_LSHL_B32        (d: b32, s0: b32, s1: u32) { let r = s0 << s1[4:0]; d, scc = r, r != 0; }
    9  => S_LSHL_B64        (d: b64, s0: b64, s1: u32) { let r = s0 << s1[5:0]; d, scc = r, r != 0; }
    10 => S_LSHR_B32        (d: b32, s0: b32, s1: u32) { let r = s0 >> s1[4:0]; d, scc = r, r != 0; }
    11 => S_LSHR_B64        (d: b64, s0: b64, s1: u32) { let r = s0 >> s1[5:0]; d, scc = r, r != 0; }
    12 => S_ASHR_I32        (d: i32, s0: i32, s1: u32) { let r = s0 >> s1[4:0]; d, scc = r, r != 0; }
    13 => S_ASHR_I64        (d: i64, s0: i64, s1: u32) { let r = s0 >> s1[5:0]; d, scc = r, r != 0; }
    for n in [14 LSHL1 { 1 }, 15 LSHL2 { 2 }, 16 LSHL3 { 3 }, 17 LSHL4 { 4 }] {
        0 + n => S_{n}_ADD_U32 (d: u32, s0: u32, s1: u32) { let w = (s0 as u64 << n) + s1 as u64; d, scc = w as u32, w >= 0x1_0000_0000; }
    }
    18 => S_MIN_I32         (d: i32, s0: i32, s1: i32) { d, scc = min(s0, s1), s0 < s1; }
    19 => S_MIN_U32         (d: u32, s0: u32, s1: u32) { d, scc = min(s0, s1), s0 < s1; }
    20 => S_MAX_I32         (d: i32, s0: i32, s1: i32) disputed "the guide clears SCC if the sources are equal" { d, scc = max(s0, s1), s0 >= s1; }
    21 => S_MAX_U32         (d: u32, s0: u32, s1: u32) disputed "the guide clears SCC if the sources are equal" { d, scc = max(s0, s1), s0 >= s1; }
    22 => S_AND_B32         (d: b32, s0: b32, s1: b32) { let r = s0 & s1; d, scc = r, r != 0; }
    23 => S_AND_B64         (d: b64, s0: b64, s1: b64) { let r = s0 & s1; d, scc = r, r != 0; }
    24 => S_OR_B32          (d: b32, s0: b32, s1: b32) { let r = s0 | s1; d, scc = r, r != 0; }
    25 => S_OR_B64          (d: b64, s0: b64, s1: b64) { let r = s0 | s1; d, scc = r, r != 0; }
    26 => S_XOR_B32         (d: b32, s0: b32, s1: b32) { let r = s0 ^ s1; d, scc = r, r != 0; }
    27 => S_XOR_B64         (d: b64, s0: b64, s1: b64) { let r = s0 ^ s1; d, scc = r, r != 0; }
    for logic in [28 NAND { !(s0 & s1) }, 30 NOR { !(s0 | s1) }, 32 XNOR { !(s0 ^ s1) }] {
        0 + logic => S_{logic}_B32 (d: b32, s0: b32, s1: b32) { let r = logic; d, scc = r, r != 0; }
        1 + logic => S_{logic}_B64 (d: b64, s0: b64, s1: b64) { let r = logic; d, scc = r, r != 0; }
    }
    34 => S_AND_NOT1_B32    (d: b32, s0: b32, s1: b32) also "s_andn2_b32" { let r = s0 & !s1; d, scc = r, r != 0; }
    35 => S_AND_NOT1_B64    (d: b64, s0: b64, s1: b64) also "s_andn2_b64" { let r = s0 & !s1; d, scc = r, r != 0; }
    36 => S_OR_NOT1_B32     (d: b32, s0: b32, s1: b32) also "s_orn2_b32" { let r = s0 | !s1; d, scc = r, r != 0; }
    37 => S_OR_NOT1_B64     (d: b64, s0: b64, s1: b64) also "s_orn2_b64" { let r = s0 | !s1; d, scc = r, r != 0; }
    // Offset and width of the bit field are parts of one dword, also where the data is two.
    38 => S_BFE_U32         (d: u32, s0: u32, s1: u32) { let r = bfe(s0, s1[4:0], s1[22:16]); d, scc = r, r != 0; }
    39 => S_BFE_I32         (d: i32, s0: i32, s1: u32) { let r = bfe(s0, s1[4:0], s1[22:16]); d, scc = r, r != 0; }
    40 => S_BFE_U64         (d: u64, s0: u64, s1: u32) disputed "the guide's mask has 32 bits" { let r = bfe(s0, s1[5:0], s1[22:16]); d, scc = r, r != 0; }
    41 => S_BFE_I64         (d: i64, s0: i64, s1: u32) disputed "the guide's mask has 32 bits" { let r = bfe(s0, s1[5:0], s1[22:16]); d, scc = r, r != 0; }
    42 => S_BFM_B32         (d: b32, s0: u32, s1: u32) { d = (((1u32 << s0[4:0]) - 1) << s1[4:0]) as b32; }
    43 => S_BFM_B64         (d: b64, s0: u32, s1: u32) { d = (((1u64 << s0[5:0]) - 1) << s1[5:0]) as b64; }
    44 => S_MUL_I32         (d: i32, s0: i32, s1: i32) { d = s0 * s1; }
    45 => S_MUL_HI_U32      (d: u32, s0: u32, s1: u32) { d = (s0 as u64 * s1 as u64 >> 32) as u32; }
    46 => S_MUL_HI_I32      (d: i32, s0: i32, s1: i32) { d = (s0 as i64 * s1 as i64 >> 32) as i32; }
    48 => S_CSELECT_B32     (d: b32, s0: b32, s1: b32) { d = if scc { s0 } else { s1 }; }
    49 => S_CSELECT_B64     (d: b64, s0: b64, s1: b64) { d = if scc { s0 } else { s1 }; }
    50 => S_PACK_LL_B32_B16 (d: b32, s0: b32, s1: b32) { d = join(s0.lo, s1.lo) as b32; }
    51 => S_PACK_LH_B32_B16 (d: b32, s0: b32, s1: b32) { d = join(s0.lo, s1.hi) as b32; }
    52 => S_PACK_HH_B32_B16 (d: b32, s0: b32, s1: b32) { d = join(s0.hi, s1.hi) as b32; }
    53 => S_PACK_HL_B32_B16 (d: b32, s0: b32, s1: b32) { d = join(s0.hi, s1.lo) as b32; }

    // Only some generations compute with floating-point numbers here.
    for op in [0 ADD { s0 + s1 }, 1 SUB { s0 - s1 }, 4 MUL { s0 * s1 }] {
        64 + op => S_{op}_F32 (d: f32, s0: f32, s1: f32) in rdna3_5 | rdna4 { d = op; }
        73 + op => S_{op}_F16 (d: f16, s0: f16, s1: f16) in rdna3_5 | rdna4, half_constants { d = op; }
    }
    66 => S_MIN_F32              (d: f32, s0: f32, s1: f32) in rdna3_5 | rdna4, named S_MIN_NUM_F32 in rdna4, favors_numbers in rdna4 { d = min(s0, s1); }
    67 => S_MAX_F32              (d: f32, s0: f32, s1: f32) in rdna3_5 | rdna4, named S_MAX_NUM_F32 in rdna4, favors_numbers in rdna4 { d = max(s0, s1); }
    69 => S_FMAAK_F32            (d: f32, s0: f32, s1: f32, k: f32) in rdna3_5 | rdna4, always LITERAL, text "{d}, {s0}, {s1}, {k}" { d = fma(s0, s1, k); }
    70 => S_FMAMK_F32            (d: f32, s0: f32, k: f32, s1: f32) in rdna3_5 | rdna4, always LITERAL, text "{d}, {s0}, {k}, {s1}" { d = fma(s0, k, s1); }
    71 => S_FMAC_F32             (d: inout f32, s0: f32, s1: f32) in rdna3_5 | rdna4 { d = fma(s0, s1, d); }
    72 => S_CVT_PK_RTZ_F16_F32   (d: f16x2, s0: f32, s1: f32) in rdna3_5 | rdna4 { d = join(rtz_f16(s0), rtz_f16(s1)); }
    75 => S_MIN_F16              (d: f16, s0: f16, s1: f16) in rdna3_5 | rdna4, half_constants, named S_MIN_NUM_F16 in rdna4, favors_numbers in rdna4 { d = min(s0, s1); }
    76 => S_MAX_F16              (d: f16, s0: f16, s1: f16) in rdna3_5 | rdna4, half_constants, named S_MAX_NUM_F16 in rdna4, favors_numbers in rdna4 { d = max(s0, s1); }
    78 => S_FMAC_F16             (d: inout f16, s0: f16, s1: f16) in rdna3_5 | rdna4, half_constants { d = fma(s0, s1, d); }
    // A NaN of a source is the result.
    79 => S_MINIMUM_F32          (d: f32, s0: f32, s1: f32) in rdna4 { d = minimum(s0, s1); }
    80 => S_MAXIMUM_F32          (d: f32, s0: f32, s1: f32) in rdna4 { d = maximum(s0, s1); }
    81 => S_MINIMUM_F16          (d: f16, s0: f16, s1: f16) in rdna4, half_constants { d = minimum(s0, s1); }
    82 => S_MAXIMUM_F16          (d: f16, s0: f16, s1: f16) in rdna4, half_constants { d = maximum(s0, s1); }
    83 => S_ADD_NC_U64           (d: u64, s0: u64, s1: u64) in rdna4, also "s_add_u64" { d = s0 + s1; }
    84 => S_SUB_NC_U64           (d: u64, s0: u64, s1: u64) in rdna4, also "s_sub_u64" { d = s0 - s1; }
    85 => S_MUL_U64              (d: u64, s0: u64, s1: u64) in rdna4 { d = s0 * s1; }
}

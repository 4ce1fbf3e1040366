//! Scalar ALU, two sources.

use isa::isa;

isa! {
    /// Scalar ALU, two sources and one destination. Guide §15.1.1, instructions §16.1.
    format SOP2: 32 of rdna3, rdna3_5 {
        ENCODING [31:30] = 0b10,
        OP       [29:23] = opcode,
        SDST     [22:16]: out d: Sdst,
        SSRC1    [15:8]:  s1: Ssrc,
        SSRC0    [7:0]:   s0: Ssrc,
    }
    // What the result is of two masks: `mask_and`, `mask_or`, `mask_xor`, and with the second one negated `mask_and_not`.
    // `half_constants`: constants have the 16 bits of the operand's type, not 32.
    words mask_and, mask_or, mask_xor, mask_and_not, half_constants;
    tail LITERAL when SSRC0 == 255 | SSRC1 == 255;
    text "{d}, {s0}, {s1}";

    0  => S_ADD_U32         (d: u32, s0: u32, s1: u32);
    1  => S_SUB_U32         (d: u32, s0: u32, s1: u32);
    2  => S_ADD_I32         (d: i32, s0: i32, s1: i32);
    3  => S_SUB_I32         (d: i32, s0: i32, s1: i32);
    4  => S_ADDC_U32        (d: u32, s0: u32, s1: u32);
    5  => S_SUBB_U32        (d: u32, s0: u32, s1: u32);
    6  => S_ABSDIFF_I32     (d: i32, s0: i32, s1: i32);
    8  => S_LSHL_B32        (d: b32, s0: b32, s1: u32);
    9  => S_LSHL_B64        (d: b64, s0: b64, s1: u32);
    10 => S_LSHR_B32        (d: b32, s0: b32, s1: u32);
    11 => S_LSHR_B64        (d: b64, s0: b64, s1: u32);
    12 => S_ASHR_I32        (d: i32, s0: i32, s1: u32);
    13 => S_ASHR_I64        (d: i64, s0: i64, s1: u32);
    for n in [14 LSHL1, 15 LSHL2, 16 LSHL3, 17 LSHL4] {
        0 + n => S_{n}_ADD_U32 (d: u32, s0: u32, s1: u32);
    }
    18 => S_MIN_I32         (d: i32, s0: i32, s1: i32);
    19 => S_MIN_U32         (d: u32, s0: u32, s1: u32);
    20 => S_MAX_I32         (d: i32, s0: i32, s1: i32);
    21 => S_MAX_U32         (d: u32, s0: u32, s1: u32);
    22 => S_AND_B32         (d: b32, s0: b32, s1: b32) mask_and;
    23 => S_AND_B64         (d: b64, s0: b64, s1: b64) mask_and;
    24 => S_OR_B32          (d: b32, s0: b32, s1: b32) mask_or;
    25 => S_OR_B64          (d: b64, s0: b64, s1: b64) mask_or;
    26 => S_XOR_B32         (d: b32, s0: b32, s1: b32) mask_xor;
    27 => S_XOR_B64         (d: b64, s0: b64, s1: b64) mask_xor;
    for logic in [28 NAND, 30 NOR, 32 XNOR] {
        0 + logic => S_{logic}_B32 (d: b32, s0: b32, s1: b32);
        1 + logic => S_{logic}_B64 (d: b64, s0: b64, s1: b64);
    }
    34 => S_AND_NOT1_B32    (d: b32, s0: b32, s1: b32) mask_and_not, also "s_andn2_b32";
    35 => S_AND_NOT1_B64    (d: b64, s0: b64, s1: b64) mask_and_not, also "s_andn2_b64";
    36 => S_OR_NOT1_B32     (d: b32, s0: b32, s1: b32) also "s_orn2_b32";
    37 => S_OR_NOT1_B64     (d: b64, s0: b64, s1: b64) also "s_orn2_b64";
    // Offset and width of the bit field are parts of one dword, also where the data is two.
    38 => S_BFE_U32         (d: u32, s0: u32, s1: u32);
    39 => S_BFE_I32         (d: i32, s0: i32, s1: u32);
    40 => S_BFE_U64         (d: u64, s0: u64, s1: u32);
    41 => S_BFE_I64         (d: i64, s0: i64, s1: u32);
    42 => S_BFM_B32         (d: b32, s0: u32, s1: u32);
    43 => S_BFM_B64         (d: b64, s0: u32, s1: u32);
    44 => S_MUL_I32         (d: i32, s0: i32, s1: i32);
    45 => S_MUL_HI_U32      (d: u32, s0: u32, s1: u32);
    46 => S_MUL_HI_I32      (d: i32, s0: i32, s1: i32);
    48 => S_CSELECT_B32     (d: b32, s0: b32, s1: b32);
    49 => S_CSELECT_B64     (d: b64, s0: b64, s1: b64);
    50 => S_PACK_LL_B32_B16 (d: b32, s0: b32, s1: b32);
    51 => S_PACK_LH_B32_B16 (d: b32, s0: b32, s1: b32);
    52 => S_PACK_HH_B32_B16 (d: b32, s0: b32, s1: b32);
    53 => S_PACK_HL_B32_B16 (d: b32, s0: b32, s1: b32);

    // rdna3 rdna3_5
    for op in [0 ADD, 1 SUB, 2 MIN, 3 MAX, 4 MUL] {
        - 64 + op => S_{op}_F32 (d: f32, s0: f32, s1: f32);
        - 73 + op => S_{op}_F16 (d: f16, s0: f16, s1: f16) half_constants;
    }
    - 69 => S_FMAAK_F32          (d: f32, s0: f32, s1: f32, k: f32) always LITERAL, text "{d}, {s0}, {s1}, {k}";
    - 70 => S_FMAMK_F32          (d: f32, s0: f32, k: f32, s1: f32) always LITERAL, text "{d}, {s0}, {k}, {s1}";
    - 71 => S_FMAC_F32           (d: inout f32, s0: f32, s1: f32);
    - 72 => S_CVT_PK_RTZ_F16_F32 (d: f16x2, s0: f32, s1: f32);
    - 78 => S_FMAC_F16           (d: inout f16, s0: f16, s1: f16) half_constants;
}

//! VOP1: vector instructions with one source.

use isa::isa;

isa! {
    /// Vector ALU, one source and one destination. Guide §15.3.2.
    format VOP1: 32 of (rdna3, rdna3_5), rdna4 {
        ENCODING [31:25] = 0b0111111,
        VDST     [24:17]: out d: Vdst else reserved,
        OP       [16:9]  = opcode,
        SRC0     [8:0]:   s0: Src,
    }
    // `wave64`: in wave32 it does nothing.
    // `permlane`: moves values between lanes, and must not follow a write of EXEC directly. `trans`: a transcendental
    // function of up to 32 bits, which S_DELAY_ALU counts apart.
    // `index_s`, `index_d`: M0 moves the register that is read or written away from the one in the field.
    // `fp8`, `byte_source`: as in VOP3.
    flags scalar_d, vgpr_only, wave64, permlane, trans, fp8, byte_source, index_s = moves s0, index_d = moves d;
    quirks noomod, float_text;
    suffix "_e32";
    dword DPP16 when SRC0 == 250 if s0 & !(scalar_d | permlane | d is 64 | s0 is 64) suffix "_dpp";
    dword DPP8 when SRC0 == 233 | SRC0 == 234 if s0 & !(scalar_d | permlane | d is 64 | s0 is 64) suffix "_dpp";
    dword LITERAL when SRC0 == 255;
    promotes to VOP3 at 0x180;
    text "{d}, {s0}";
    run lanes;

    0   => V_NOP                 () bare, fix VDST = 0 { }
    1   => V_MOV_B32             (d: b32, s0: b32) { d = s0; }
    2   => V_READFIRSTLANE_B32   (d: b32, s0: b32) bare, scalar_d, vgpr_only, wave { d = lane(s0, first_lane()); }
    3   => V_CVT_I32_F64         (d: i32, s0: f64) { d = s0 as i32; }
    4   => V_CVT_F64_I32         (d: f64, s0: i32) { d = s0 as f64; }
    5   => V_CVT_F32_I32         (d: f32, s0: i32) { d = s0 as f32; }
    6   => V_CVT_F32_U32         (d: f32, s0: u32) { d = s0 as f32; }
    7   => V_CVT_U32_F32         (d: u32, s0: f32) { d = s0 as u32; }
    8   => V_CVT_I32_F32         (d: i32, s0: f32) { d = s0 as i32; }
    10  => V_CVT_F16_F32         (d: f16, s0: f32) { d = s0 as f16; }
    11  => V_CVT_F32_F16         (d: f32, s0: f16) { d = s0 as f32; }
    12  => V_CVT_NEAREST_I32_F32 (d: i32, s0: f32) noomod, also "v_cvt_rpi_i32_f32", disputed "the guide's sum rounds numbers near a half" { d = nearest(s0); }
    13  => V_CVT_FLOOR_I32_F32   (d: i32, s0: f32) noomod, also "v_cvt_flr_i32_f32" { d = floor(s0) as i32; }
    14  => V_CVT_OFF_F32_I4      (d: f32, s0: b32) { d = s0[3:0] as i4 as f32 * 0.0625; }
    15  => V_CVT_F32_F64         (d: f32, s0: f64) { d = s0 as f32; }
    16  => V_CVT_F64_F32         (d: f64, s0: f32) { d = s0 as f64; }
    17  => V_CVT_F32_UBYTE0      (d: f32, s0: u8x4) { d = s0[0] as f32; }
    18  => V_CVT_F32_UBYTE1      (d: f32, s0: u8x4) { d = s0[1] as f32; }
    19  => V_CVT_F32_UBYTE2      (d: f32, s0: u8x4) { d = s0[2] as f32; }
    20  => V_CVT_F32_UBYTE3      (d: f32, s0: u8x4) { d = s0[3] as f32; }
    21  => V_CVT_U32_F64         (d: u32, s0: f64) { d = s0 as u32; }
    22  => V_CVT_F64_U32         (d: f64, s0: u32) { d = s0 as f64; }
    23  => V_TRUNC_F64           (d: f64, s0: f64) { d = trunc(s0); }
    24  => V_CEIL_F64            (d: f64, s0: f64) { d = ceil(s0); }
    25  => V_RNDNE_F64           (d: f64, s0: f64) disputed "the guide's sum rounds numbers near a half" { d = rndne(s0); }
    26  => V_FLOOR_F64           (d: f64, s0: f64) { d = floor(s0); }
    27  => V_PIPEFLUSH           () bare, fix VDST = 0 { }
    28  => V_MOV_B16             (d: b16, s0: b16) { d = s0; }
    32  => V_FRACT_F32           (d: f32, s0: f32) disputed "the guide's formula gives 1 just below an integer" { d = fract(s0); }
    33  => V_TRUNC_F32           (d: f32, s0: f32) { d = trunc(s0); }
    34  => V_CEIL_F32            (d: f32, s0: f32) { d = ceil(s0); }
    35  => V_RNDNE_F32           (d: f32, s0: f32) disputed "the guide's sum rounds numbers near a half" { d = rndne(s0); }
    36  => V_FLOOR_F32           (d: f32, s0: f32) { d = floor(s0); }
    37  => V_EXP_F32             (d: f32, s0: f32) trans { d = exp2(s0); }
    39  => V_LOG_F32             (d: f32, s0: f32) trans { d = log2(s0); }
    42  => V_RCP_F32             (d: f32, s0: f32) trans { d = rcp(s0); }
    43  => V_RCP_IFLAG_F32       (d: f32, s0: f32) trans { d = rcp(s0); }
    46  => V_RSQ_F32             (d: f32, s0: f32) trans { d = rsq(s0); }
    47  => V_RCP_F64             (d: f64, s0: f64) { d = rcp(s0); }
    49  => V_RSQ_F64             (d: f64, s0: f64) { d = rsq(s0); }
    51  => V_SQRT_F32            (d: f32, s0: f32) trans { d = sqrt(s0); }
    52  => V_SQRT_F64            (d: f64, s0: f64) { d = sqrt(s0); }
    53  => V_SIN_F32             (d: f32, s0: f32) trans, disputed "the guide's formula does not reduce the argument, its examples do" { d = sin(s0); }
    54  => V_COS_F32             (d: f32, s0: f32) trans, disputed "the guide's formula does not reduce the argument, its examples do" { d = cos(s0); }
    55  => V_NOT_B32             (d: b32, s0: b32) { d = !s0; }
    56  => V_BFREV_B32           (d: b32, s0: b32) { d = bitrev(s0); }
    57  => V_CLZ_I32_U32         (d: i32, s0: u32) also "v_ffbh_u32" { d = if s0 == 0 { -1 } else { clz(s0) as i32 }; }
    58  => V_CTZ_I32_B32         (d: i32, s0: b32) also "v_ffbl_b32" { d = if s0 == 0 { -1 } else { ctz(s0) as i32 }; }
    59  => V_CLS_I32             (d: i32, s0: i32) also "v_ffbh_i32" { d = if s0 == 0 || s0 == -1 { -1 } else { cls(s0) as i32 }; }
    60  => V_FREXP_EXP_I32_F64   (d: i32, s0: f64) { d = frexp_exp(s0); }
    61  => V_FREXP_MANT_F64      (d: f64, s0: f64) { d = frexp_mant(s0); }
    62  => V_FRACT_F64           (d: f64, s0: f64) disputed "the guide's formula gives 1 just below an integer" { d = fract(s0); }
    63  => V_FREXP_EXP_I32_F32   (d: i32, s0: f32) noomod { d = frexp_exp(s0); }
    64  => V_FREXP_MANT_F32      (d: f32, s0: f32) { d = frexp_mant(s0); }
    66  => V_MOVRELD_B32         (d: inout b32, s0: b32) { rel(d, m0) = s0; }
    67  => V_MOVRELS_B32         (d: b32, s0: b32) vgpr_only { d = rel(s0, m0); }
    68  => V_MOVRELSD_B32        (d: inout b32, s0: b32) vgpr_only { rel(d, m0) = rel(s0, m0); }
    72  => V_MOVRELSD_2_B32      (d: inout b32, s0: b32) vgpr_only { rel(d, m0[25:16]) = rel(s0, m0[9:0]); }
    80  => V_CVT_F16_U16         (d: f16, s0: u16) { d = s0 as f16; }
    81  => V_CVT_F16_I16         (d: f16, s0: i16) { d = s0 as f16; }
    82  => V_CVT_U16_F16         (d: u16, s0: f16) { d = s0 as u16; }
    83  => V_CVT_I16_F16         (d: i16, s0: f16) { d = s0 as i16; }
    84  => V_RCP_F16             (d: f16, s0: f16) trans { d = rcp(s0); }
    85  => V_SQRT_F16            (d: f16, s0: f16) trans { d = sqrt(s0); }
    86  => V_RSQ_F16             (d: f16, s0: f16) trans { d = rsq(s0); }
    87  => V_LOG_F16             (d: f16, s0: f16) trans { d = log2(s0); }
    88  => V_EXP_F16             (d: f16, s0: f16) trans { d = exp2(s0); }
    89  => V_FREXP_MANT_F16      (d: f16, s0: f16) { d = frexp_mant(s0); }
    90  => V_FREXP_EXP_I16_F16   (d: i16, s0: f16) disputed "the guide writes 32 bits" { d = frexp_exp(s0) as i16; }
    91  => V_FLOOR_F16           (d: f16, s0: f16) { d = floor(s0); }
    92  => V_CEIL_F16            (d: f16, s0: f16) { d = ceil(s0); }
    93  => V_TRUNC_F16           (d: f16, s0: f16) { d = trunc(s0); }
    94  => V_RNDNE_F16           (d: f16, s0: f16) disputed "the guide's sum rounds numbers near a half" { d = rndne(s0); }
    95  => V_FRACT_F16           (d: f16, s0: f16) disputed "the guide's formula gives 1 just below an integer" { d = fract(s0); }
    96  => V_SIN_F16             (d: f16, s0: f16) trans, disputed "the guide's formula does not reduce the argument, its examples do" { d = sin(s0); }
    97  => V_COS_F16             (d: f16, s0: f16) trans, disputed "the guide's formula does not reduce the argument, its examples do" { d = cos(s0); }
    98  => V_SAT_PK_U8_I16       (d: b16, s0: b32) { d = join(sat_u8(s0.lo as i16), sat_u8(s0.hi as i16)) as b16; }
    99  => V_CVT_NORM_I16_F16    (d: i16, s0: f16) { d = snorm16(s0); }
    100 => V_CVT_NORM_U16_F16    (d: u16, s0: f16) { d = unorm16(s0); }
    101 => V_SWAP_B32            (d: inout b32, s0: inout b32) no DPP16, no DPP8, vgpr_only, no VOP3 { d, s0 = s0, d; }
    102 => V_SWAP_B16            (d: inout b16, s0: inout b16) no DPP16, no DPP8, vgpr_only, no VOP3 { d, s0 = s0, d; }
    103 => V_PERMLANE64_B32      (d: inout b32, s0: b32) vgpr_only, wave64, no VOP3, permlane { if wave64() { d = lane(s0, lane_id() ^ 32); } }
    104 => V_SWAPREL_B32         (d: inout b32, s0: inout b32) no DPP16, no DPP8, vgpr_only, no VOP3 { rel(d, m0[25:16]), rel(s0, m0[9:0]) = rel(s0, m0[9:0]), rel(d, m0[25:16]); }
    105 => V_NOT_B16             (d: b16, s0: b16) { d = !s0; }
    106 => V_CVT_I32_I16         (d: i32, s0: i16) { d = s0 as i32; }
    107 => V_CVT_U32_U16         (d: u32, s0: u16) { d = s0 as u32; }
    // The source is a byte, which OPSEL of VOP3 selects. FP8 is E4M3 with the bias 7 and without infinities, BF8 the upper half of an f16.
    108 => V_CVT_F32_FP8         (d: f32, s0: b32) in rdna4, fp8, byte_source { d = s0[7:0] as f8 as f32; }
    109 => V_CVT_F32_BF8         (d: f32, s0: b32) in rdna4, fp8, byte_source { d = s0[7:0] as bf8 as f32; }
    110 => V_CVT_PK_F32_FP8      (d: f32x2, s0: b16) in rdna4, no DPP16, no DPP8, no DPP16_VOP3, fp8, float_text { d = join(s0[7:0] as f8 as f32, s0[15:8] as f8 as f32); }
    111 => V_CVT_PK_F32_BF8      (d: f32x2, s0: b16) in rdna4, no DPP16, no DPP8, no DPP16_VOP3, fp8, float_text { d = join(s0[7:0] as bf8 as f32, s0[15:8] as bf8 as f32); }
}

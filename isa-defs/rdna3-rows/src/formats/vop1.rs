//! VOP1: vector instructions with one source.

use isa::isa;

isa! {
    /// Vector ALU, one source and one destination. Guide §15.3.2.
    format VOP1: 32 {
        ENCODING [31:25] = 0b0111111,
        VDST     [24:17]: out d: Vdst,
        OP       [16:9]  = opcode,
        SRC0     [8:0]:   s0: Src,
    }
    // `wave64`: in wave32 it does nothing.
    // `permlane`: moves values between lanes, and must not follow a write of EXEC directly. `trans`: a transcendental
    // function of up to 32 bits, which S_DELAY_ALU counts apart.
    // `index_s`, `index_d`: M0 moves the register that is read or written away from the one in the field. `reads_m0`: reads
    // M0, which its text does not name.
    words nodpp, noomod, scalar_d, vgpr_only, wave64, permlane, trans, index_s, index_d, reads_m0;
    suffix "_e32";
    tail DPP16 when SRC0 == 250 if !(nodpp | d is 64 | s0 is 64) suffix "_dpp";
    tail DPP8 when SRC0 == 233 | SRC0 == 234 if !(nodpp | d is 64 | s0 is 64) suffix "_dpp";
    tail LITERAL when SRC0 == 255;
    rides VOP3 at 0x180;
    text "{d}, {s0}";

    0   => V_NOP                 () bare, nodpp, fix VDST = 0;
    1   => V_MOV_B32             (d: b32, s0: b32);
    2   => V_READFIRSTLANE_B32   (d: b32, s0: b32) bare, nodpp, scalar_d, vgpr_only;
    3   => V_CVT_I32_F64         (d: i32, s0: f64);
    4   => V_CVT_F64_I32         (d: f64, s0: i32);
    5   => V_CVT_F32_I32         (d: f32, s0: i32);
    6   => V_CVT_F32_U32         (d: f32, s0: u32);
    7   => V_CVT_U32_F32         (d: u32, s0: f32);
    8   => V_CVT_I32_F32         (d: i32, s0: f32);
    10  => V_CVT_F16_F32         (d: f16, s0: f32);
    11  => V_CVT_F32_F16         (d: f32, s0: f16);
    12  => V_CVT_NEAREST_I32_F32 (d: i32, s0: f32) noomod, also "v_cvt_rpi_i32_f32";
    13  => V_CVT_FLOOR_I32_F32   (d: i32, s0: f32) noomod, also "v_cvt_flr_i32_f32";
    14  => V_CVT_OFF_F32_I4      (d: f32, s0: b32);
    15  => V_CVT_F32_F64         (d: f32, s0: f64);
    16  => V_CVT_F64_F32         (d: f64, s0: f32);
    17  => V_CVT_F32_UBYTE0      (d: f32, s0: u8x4);
    18  => V_CVT_F32_UBYTE1      (d: f32, s0: u8x4);
    19  => V_CVT_F32_UBYTE2      (d: f32, s0: u8x4);
    20  => V_CVT_F32_UBYTE3      (d: f32, s0: u8x4);
    21  => V_CVT_U32_F64         (d: u32, s0: f64);
    22  => V_CVT_F64_U32         (d: f64, s0: u32);
    23  => V_TRUNC_F64           (d: f64, s0: f64);
    24  => V_CEIL_F64            (d: f64, s0: f64);
    25  => V_RNDNE_F64           (d: f64, s0: f64);
    26  => V_FLOOR_F64           (d: f64, s0: f64);
    27  => V_PIPEFLUSH           () bare, nodpp, fix VDST = 0;
    28  => V_MOV_B16             (d: b16, s0: b16);
    32  => V_FRACT_F32           (d: f32, s0: f32);
    33  => V_TRUNC_F32           (d: f32, s0: f32);
    34  => V_CEIL_F32            (d: f32, s0: f32);
    35  => V_RNDNE_F32           (d: f32, s0: f32);
    36  => V_FLOOR_F32           (d: f32, s0: f32);
    37  => V_EXP_F32             (d: f32, s0: f32) trans;
    39  => V_LOG_F32             (d: f32, s0: f32) trans;
    42  => V_RCP_F32             (d: f32, s0: f32) trans;
    43  => V_RCP_IFLAG_F32       (d: f32, s0: f32) trans;
    46  => V_RSQ_F32             (d: f32, s0: f32) trans;
    47  => V_RCP_F64             (d: f64, s0: f64);
    49  => V_RSQ_F64             (d: f64, s0: f64);
    51  => V_SQRT_F32            (d: f32, s0: f32) trans;
    52  => V_SQRT_F64            (d: f64, s0: f64);
    53  => V_SIN_F32             (d: f32, s0: f32) trans;
    54  => V_COS_F32             (d: f32, s0: f32) trans;
    55  => V_NOT_B32             (d: b32, s0: b32);
    56  => V_BFREV_B32           (d: b32, s0: b32);
    57  => V_CLZ_I32_U32         (d: i32, s0: u32) also "v_ffbh_u32";
    58  => V_CTZ_I32_B32         (d: i32, s0: b32) also "v_ffbl_b32";
    59  => V_CLS_I32             (d: i32, s0: i32) also "v_ffbh_i32";
    60  => V_FREXP_EXP_I32_F64   (d: i32, s0: f64);
    61  => V_FREXP_MANT_F64      (d: f64, s0: f64);
    62  => V_FRACT_F64           (d: f64, s0: f64);
    63  => V_FREXP_EXP_I32_F32   (d: i32, s0: f32) noomod;
    64  => V_FREXP_MANT_F32      (d: f32, s0: f32);
    66  => V_MOVRELD_B32         (d: inout b32, s0: b32) index_d, reads_m0;
    67  => V_MOVRELS_B32         (d: b32, s0: b32) vgpr_only, index_s, reads_m0;
    68  => V_MOVRELSD_B32        (d: inout b32, s0: b32) vgpr_only, index_s, index_d, reads_m0;
    72  => V_MOVRELSD_2_B32      (d: inout b32, s0: b32) vgpr_only, index_s, index_d, reads_m0;
    80  => V_CVT_F16_U16         (d: f16, s0: u16);
    81  => V_CVT_F16_I16         (d: f16, s0: i16);
    82  => V_CVT_U16_F16         (d: u16, s0: f16);
    83  => V_CVT_I16_F16         (d: i16, s0: f16);
    84  => V_RCP_F16             (d: f16, s0: f16) trans;
    85  => V_SQRT_F16            (d: f16, s0: f16) trans;
    86  => V_RSQ_F16             (d: f16, s0: f16) trans;
    87  => V_LOG_F16             (d: f16, s0: f16) trans;
    88  => V_EXP_F16             (d: f16, s0: f16) trans;
    89  => V_FREXP_MANT_F16      (d: f16, s0: f16);
    90  => V_FREXP_EXP_I16_F16   (d: i16, s0: f16);
    91  => V_FLOOR_F16           (d: f16, s0: f16);
    92  => V_CEIL_F16            (d: f16, s0: f16);
    93  => V_TRUNC_F16           (d: f16, s0: f16);
    94  => V_RNDNE_F16           (d: f16, s0: f16);
    95  => V_FRACT_F16           (d: f16, s0: f16);
    96  => V_SIN_F16             (d: f16, s0: f16) trans;
    97  => V_COS_F16             (d: f16, s0: f16) trans;
    98  => V_SAT_PK_U8_I16       (d: b16, s0: b32);
    99  => V_CVT_NORM_I16_F16    (d: i16, s0: f16);
    100 => V_CVT_NORM_U16_F16    (d: u16, s0: f16);
    101 => V_SWAP_B32            (d: inout b32, s0: inout b32) nodpp, vgpr_only, no VOP3;
    102 => V_SWAP_B16            (d: inout b16, s0: inout b16) nodpp, vgpr_only, no VOP3;
    103 => V_PERMLANE64_B32      (d: b32, s0: b32) nodpp, vgpr_only, wave64, no VOP3, permlane;
    104 => V_SWAPREL_B32         (d: inout b32, s0: inout b32) nodpp, vgpr_only, index_s, index_d, reads_m0, no VOP3;
    105 => V_NOT_B16             (d: b16, s0: b16);
    106 => V_CVT_I32_I16         (d: i32, s0: i16);
    107 => V_CVT_U32_U16         (d: u32, s0: u16);
}

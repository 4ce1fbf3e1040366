//! VOP3: vector instructions with up to three sources of any kind.

use isa::isa;

isa! {
    /// Vector ALU, three sources and one destination, with the modifiers. Guide §15.3.4.
    ///
    /// It carries nearly all of VOP1, VOP2 and VOPC besides its own; a comparison names its destination here. OPSEL
    /// chooses halves of 16-bit operands; V_PERMLANE16_B32 and its like put other bits there.
    format VOP3: 64 {
        VDST     [7:0]:   out d: Vdst3 else 0x7E,
        ABS0     [8]:     mod abs0: Hidden if s0 is float | signs,
        ABS1     [9]:     mod abs1: Hidden if s1 is float | signs | signs1,
        ABS2     [10]:    mod abs2: Hidden if s2 is float,
        OPSEL    [14:11]: mod op_sel: OpSel
            if d is 16 & !(d is packed) | s0 is 16 & !(s0 is packed) | s2 is 16 & !(s2 is packed) | fetch,
        CLMP     [15]:    mod clamp: Clamp if clamp | (d is float | s0 is float) & !noclamp,
        OP       [25:16]  = opcode,
        ENCODING [31:26]  = 0b110101,
        SRC0     [40:32]: s0: Src3<0>,
        SRC1     [49:41]: s1: Src3<1>,
        SRC2     [58:50]: s2: Src3<2>,
        implied vcc: Vcc,
        OMOD     [60:59]: mod omod: Omod if d & !(d is mask) & (d is float | s0 is float) & !noomod,
        NEG0     [61]:    mod neg0: Hidden if s0 is float | signs,
        NEG1     [62]:    mod neg1: Hidden if s1 is float | signs | signs1,
        NEG2     [63]:    mod neg2: Hidden if s2 is float,
    }
    // `permlane`: moves values between lanes, and must not follow a write of EXEC directly.
    words clamp, fetch, float_text, noclamp, nodpp, noomod, one_scalar, opsel_halves, opsel_untold, scalar_d, signs, signs1, vgpr_only, permlane;
    suffix "_e64";
    tail DPP16_VOP3 when SRC0 == 250 if !(nodpp | d is 64 | s0 is 64 | s1 is 64) suffix "_e64_dpp";
    tail DPP8 when SRC0 == 233 | SRC0 == 234 if !(nodpp | d is 64 | s0 is 64 | s1 is 64) suffix "_e64_dpp";
    tail LITERAL when SRC0 == 255 | SRC1 == 255 | SRC2 == 255;
    text "{d}, {s0}, {s1}, {s2}{op_sel}{clamp}{omod}";

    521 => V_FMA_DX9_ZERO_F32    (d: f32, s0: f32, s1: f32, s2: f32) nodpp, also "v_fma_legacy_f32";
    522 => V_MAD_I32_I24         (d: i32, s0: i24, s1: i24, s2: i32) clamp;
    523 => V_MAD_U32_U24         (d: u32, s0: u24, s1: u24, s2: u32) clamp;
    524 => V_CUBEID_F32          (d: f32, s0: f32, s1: f32, s2: f32);
    525 => V_CUBESC_F32          (d: f32, s0: f32, s1: f32, s2: f32);
    526 => V_CUBETC_F32          (d: f32, s0: f32, s1: f32, s2: f32);
    527 => V_CUBEMA_F32          (d: f32, s0: f32, s1: f32, s2: f32);
    528 => V_BFE_U32             (d: u32, s0: u32, s1: u32, s2: u32);
    529 => V_BFE_I32             (d: i32, s0: i32, s1: u32, s2: u32);
    530 => V_BFI_B32             (d: b32, s0: b32, s1: b32, s2: b32);
    531 => V_FMA_F32             (d: f32, s0: f32, s1: f32, s2: f32);
    532 => V_FMA_F64             (d: f64, s0: f64, s1: f64, s2: f64);
    533 => V_LERP_U8             (d: u8x4, s0: u8x4, s1: u8x4, s2: u8x4);
    534 => V_ALIGNBIT_B32        (d: b32, s0: b32, s1: b32, s2: u16) clamp;
    535 => V_ALIGNBYTE_B32       (d: b32, s0: b32, s1: b32, s2: u16) clamp;
    536 => V_MULLIT_F32          (d: f32, s0: f32, s1: f32, s2: f32);
    537 => V_MIN3_F32            (d: f32, s0: f32, s1: f32, s2: f32);
    538 => V_MIN3_I32            (d: i32, s0: i32, s1: i32, s2: i32);
    539 => V_MIN3_U32            (d: u32, s0: u32, s1: u32, s2: u32);
    540 => V_MAX3_F32            (d: f32, s0: f32, s1: f32, s2: f32);
    541 => V_MAX3_I32            (d: i32, s0: i32, s1: i32, s2: i32);
    542 => V_MAX3_U32            (d: u32, s0: u32, s1: u32, s2: u32);
    543 => V_MED3_F32            (d: f32, s0: f32, s1: f32, s2: f32);
    544 => V_MED3_I32            (d: i32, s0: i32, s1: i32, s2: i32);
    545 => V_MED3_U32            (d: u32, s0: u32, s1: u32, s2: u32);
    546 => V_SAD_U8              (d: u32, s0: u8x4, s1: u8x4, s2: u32) clamp;
    547 => V_SAD_HI_U8           (d: u32, s0: u8x4, s1: u8x4, s2: u32) clamp;
    548 => V_SAD_U16             (d: u32, s0: u16x2, s1: u16x2, s2: u32) clamp;
    549 => V_SAD_U32             (d: u32, s0: u32, s1: u32, s2: u32) clamp;
    550 => V_CVT_PK_U8_F32       (d: b32, s0: f32, s1: u32, s2: b32) noomod;
    551 => V_DIV_FIXUP_F32       (d: f32, s0: f32, s1: f32, s2: f32) nodpp;
    552 => V_DIV_FIXUP_F64       (d: f64, s0: f64, s1: f64, s2: f64);
    567 => V_DIV_FMAS_F32        (d: f32, s0: f32, s1: f32, s2: f32, vcc: mask) nodpp;
    568 => V_DIV_FMAS_F64        (d: f64, s0: f64, s1: f64, s2: f64, vcc: mask);
    569 => V_MSAD_U8             (d: u32, s0: u8x4, s1: u8x4, s2: u32) clamp;
    570 => V_QSAD_PK_U16_U8      (d: u16x4, s0: b64, s1: u8x4, s2: u16x4) clamp;
    571 => V_MQSAD_PK_U16_U8     (d: u16x4, s0: b64, s1: u8x4, s2: u16x4) clamp;
    573 => V_MQSAD_U32_U8        (d: u32x4, s0: b64, s1: u8x4, s2: u32x4) clamp;
    576 => V_XOR3_B32            (d: b32, s0: b32, s1: b32, s2: b32);
    577 => V_MAD_U16             (d: u16, s0: u16, s1: u16, s2: u16) clamp;
    580 => V_PERM_B32            (d: b32, s0: b32, s1: b32, s2: u8x4);
    581 => V_XAD_U32             (d: u32, s0: u32, s1: u32, s2: u32) also "v_xor_add_u32";
    582 => V_LSHL_ADD_U32        (d: u32, s0: u32, s1: u32, s2: u32);
    583 => V_ADD_LSHL_U32        (d: u32, s0: u32, s1: u32, s2: u32);
    584 => V_FMA_F16             (d: f16, s0: f16, s1: f16, s2: f16);
    585 => V_MIN3_F16            (d: f16, s0: f16, s1: f16, s2: f16);
    586 => V_MIN3_I16            (d: i16, s0: i16, s1: i16, s2: i16) clamp;
    587 => V_MIN3_U16            (d: u16, s0: u16, s1: u16, s2: u16) clamp;
    588 => V_MAX3_F16            (d: f16, s0: f16, s1: f16, s2: f16);
    589 => V_MAX3_I16            (d: i16, s0: i16, s1: i16, s2: i16) clamp;
    590 => V_MAX3_U16            (d: u16, s0: u16, s1: u16, s2: u16) clamp;
    591 => V_MED3_F16            (d: f16, s0: f16, s1: f16, s2: f16);
    592 => V_MED3_I16            (d: i16, s0: i16, s1: i16, s2: i16) clamp;
    593 => V_MED3_U16            (d: u16, s0: u16, s1: u16, s2: u16) clamp;
    595 => V_MAD_I16             (d: i16, s0: i16, s1: i16, s2: i16) clamp;
    596 => V_DIV_FIXUP_F16       (d: f16, s0: f16, s1: f16, s2: f16);
    597 => V_ADD3_U32            (d: u32, s0: u32, s1: u32, s2: u32);
    598 => V_LSHL_OR_B32         (d: b32, s0: b32, s1: u32, s2: b32);
    599 => V_AND_OR_B32          (d: b32, s0: b32, s1: b32, s2: b32);
    600 => V_OR3_B32             (d: b32, s0: b32, s1: b32, s2: b32);
    601 => V_MAD_U32_U16         (d: u32, s0: u16, s1: u16, s2: u32) clamp;
    602 => V_MAD_I32_I16         (d: i32, s0: i16, s1: i16, s2: i32) clamp;
    603 => V_PERMLANE16_B32      (d: inout b32, s0: b32 as VgprSrc, s1: b32 as ScalarSrc, s2: b32 as ScalarSrc) permlane, fetch, nodpp;
    604 => V_PERMLANEX16_B32     (d: inout b32, s0: b32 as VgprSrc, s1: b32 as ScalarSrc, s2: b32 as ScalarSrc) permlane, fetch, nodpp;
    605 => V_CNDMASK_B16         (d: b16, s0: b16, s1: b16, s2: mask) signs, opsel_untold;
    606 => V_MAXMIN_F32          (d: f32, s0: f32, s1: f32, s2: f32);
    607 => V_MINMAX_F32          (d: f32, s0: f32, s1: f32, s2: f32);
    608 => V_MAXMIN_F16          (d: f16, s0: f16, s1: f16, s2: f16);
    609 => V_MINMAX_F16          (d: f16, s0: f16, s1: f16, s2: f16);
    610 => V_MAXMIN_U32          (d: u32, s0: u32, s1: u32, s2: u32);
    611 => V_MINMAX_U32          (d: u32, s0: u32, s1: u32, s2: u32);
    612 => V_MAXMIN_I32          (d: i32, s0: i32, s1: i32, s2: i32);
    613 => V_MINMAX_I32          (d: i32, s0: i32, s1: i32, s2: i32);
    614 => V_DOT2_F16_F16        (d: f16, s0: f16x2, s1: f16x2, s2: f16) noclamp, noomod;
    615 => V_DOT2_BF16_BF16      (d: bf16, s0: bf16x2, s1: bf16x2, s2: bf16) noclamp, noomod;
    771 => V_ADD_NC_U16          (d: u16, s0: u16, s1: u16) clamp;
    772 => V_SUB_NC_U16          (d: u16, s0: u16, s1: u16) clamp;
    773 => V_MUL_LO_U16          (d: u16, s0: u16, s1: u16) opsel_halves;
    774 => V_CVT_PK_I16_F32      (d: i16x2, s0: f32, s1: f32) noomod;
    775 => V_CVT_PK_U16_F32      (d: u16x2, s0: f32, s1: f32) noomod;
    777 => V_MAX_U16             (d: u16, s0: u16, s1: u16) opsel_halves;
    778 => V_MAX_I16             (d: i16, s0: i16, s1: i16) opsel_halves;
    779 => V_MIN_U16             (d: u16, s0: u16, s1: u16) opsel_halves;
    780 => V_MIN_I16             (d: i16, s0: i16, s1: i16) opsel_halves;
    781 => V_ADD_NC_I16          (d: i16, s0: i16, s1: i16) clamp;
    782 => V_SUB_NC_I16          (d: i16, s0: i16, s1: i16) clamp;
    785 => V_PACK_B32_F16        (d: f16x2, s0: f16, s1: f16) noomod;
    786 => V_CVT_PK_NORM_I16_F16 (d: i16x2, s0: f16, s1: f16) noomod, also "v_cvt_pknorm_i16_f16";
    787 => V_CVT_PK_NORM_U16_F16 (d: u16x2, s0: f16, s1: f16) noomod, also "v_cvt_pknorm_u16_f16";
    796 => V_LDEXP_F32           (d: f32, s0: f32, s1: i32);
    797 => V_BFM_B32             (d: b32, s0: u32, s1: u32);
    798 => V_BCNT_U32_B32        (d: u32, s0: b32, s1: u32);
    799 => V_MBCNT_LO_U32_B32    (d: u32, s0: b32, s1: u32);
    800 => V_MBCNT_HI_U32_B32    (d: u32, s0: b32, s1: u32);
    801 => V_CVT_PK_NORM_I16_F32 (d: i16x2, s0: f32, s1: f32) noomod, also "v_cvt_pknorm_i16_f32";
    802 => V_CVT_PK_NORM_U16_F32 (d: u16x2, s0: f32, s1: f32) noomod, also "v_cvt_pknorm_u16_f32";
    803 => V_CVT_PK_U16_U32      (d: u16x2, s0: u32, s1: u32);
    804 => V_CVT_PK_I16_I32      (d: i16x2, s0: i32, s1: i32);
    805 => V_SUB_NC_I32          (d: i32, s0: i32, s1: i32) clamp, also "v_sub_i32";
    806 => V_ADD_NC_I32          (d: i32, s0: i32, s1: i32) clamp, also "v_add_i32";
    807 => V_ADD_F64             (d: f64, s0: f64, s1: f64);
    808 => V_MUL_F64             (d: f64, s0: f64, s1: f64);
    809 => V_MIN_F64             (d: f64, s0: f64, s1: f64);
    810 => V_MAX_F64             (d: f64, s0: f64, s1: f64);
    811 => V_LDEXP_F64           (d: f64, s0: f64, s1: i32);
    812 => V_MUL_LO_U32          (d: u32, s0: u32, s1: u32) nodpp;
    813 => V_MUL_HI_U32          (d: u32, s0: u32, s1: u32) nodpp;
    814 => V_MUL_HI_I32          (d: i32, s0: i32, s1: i32) nodpp;
    815 => V_TRIG_PREOP_F64      (d: f64, s0: f64, s1: u32);
    824 => V_LSHLREV_B16         (d: b16, s0: u16, s1: b16) opsel_halves;
    825 => V_LSHRREV_B16         (d: b16, s0: u16, s1: b16) opsel_halves;
    826 => V_ASHRREV_I16         (d: i16, s0: u16, s1: i16) opsel_halves;
    828 => V_LSHLREV_B64         (d: b64, s0: u32, s1: b64) one_scalar;
    829 => V_LSHRREV_B64         (d: b64, s0: u32, s1: b64) one_scalar;
    830 => V_ASHRREV_I64         (d: i64, s0: u32, s1: i64) one_scalar;
    864 => V_READLANE_B32        (d: b32, s0: b32 as VgprSrc, s1: u32 as LaneSel) nodpp, scalar_d;
    865 => V_WRITELANE_B32       (d: inout b32, s0: b32 as ScalarSrc, s1: u32 as LaneSel) nodpp;
    866 => V_AND_B16             (d: b16, s0: b16, s1: b16) opsel_halves;
    867 => V_OR_B16              (d: b16, s0: b16, s1: b16) opsel_halves;
    868 => V_XOR_B16             (d: b16, s0: b16, s1: b16) opsel_halves;
}

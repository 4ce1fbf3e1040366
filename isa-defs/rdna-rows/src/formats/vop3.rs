//! VOP3: vector instructions with up to three sources of any kind.

use isa::isa;

isa! {
    /// Vector ALU, three sources and one destination, with the modifiers. Guide §15.3.4.
    ///
    /// The rows of VOP1, VOP2 and VOPC are promoted to it, with few exceptions; a promoted comparison names its destination. OPSEL
    /// selects halves of 16-bit operands; V_PERMLANE16_B32 and its relatives have other bits there.
    format VOP3: 64 of (rdna3, rdna3_5), rdna4 {
        VDST     [7:0]:   out d: Vdst3 else reserved = 0x7E,
        ABS0     [8]:     mod abs0: Hidden if s0 is float | signs else reserved,
        ABS1     [9]:     mod abs1: Hidden if s1 is float | signs | signs1 else reserved,
        ABS2     [10]:    mod abs2: Hidden if s2 is float else reserved,
        OPSEL    [14:11]: mod op_sel: OpSel
            if !uniform & (d is 16 & !(d is packed) | s0 is 16 & !(s0 is packed) | s2 is 16 & !(s2 is packed)) | fetch
                | byte_source | byte_result,
        CLMP     [15]:    mod clamp: Clamp if clamps else reserved,
        OP       [25:16]  = opcode,
        ENCODING [31:26]  = 0b110101,
        SRC0     [40:32]: s0: Src3<0> else 0 newer 0x80,
        SRC1     [49:41]: s1: Src3<1> else 0 newer 0x80,
        SRC2     [58:50]: s2: Src3<2> else 0 newer 0x80,
        implied vcc: Vcc,
        OMOD     [60:59]: mod omod: Omod if scales else reserved,
        NEG0     [61]:    mod neg0: Hidden if s0 is float | signs else reserved,
        NEG1     [62]:    mod neg1: Hidden if s1 is float | signs | signs1 else reserved,
        NEG2     [63]:    mod neg2: Hidden if s2 is float else reserved,
    }
    // `permlane`: moves values between lanes, and must not follow a write of EXEC directly.
    // `unclamped`: CLMP does not change the result.
    // `uniform`: scalar registers are read and written, whole ones even if they hold 16 bits.
    // `fp8`: converts floats of 8 bits, and has neither CLMP nor OMOD. `byte_source`, `byte_result`: OPSEL chooses a byte of the
    // source, of the result.
    // `favors_numbers`: as in VOP2.
    flags clamp, unclamped, favors_numbers, fetch, one_scalar, scalar_d, signs, signs1, vgpr_only, permlane, trans, uniform, fp8, byte_source,
        byte_result;
    // `dot`: a dot product with a 16-bit result, which has neither CLMP nor OMOD, and has the value of an inline constant in both
    // halves. `clamps`, `scales`: the row has CLMP, OMOD.
    flags dot if s0 is packed & d is 16,
        clamps if clamp | (d is float | s0 is float & !(s1 is bits)) & !(dot | fp8),
        scales if d & !(d is mask) & (d is float | s0 is float) & !(dot | d is packed & (d is int | s0 is 16) | noomod | fp8);
    // `opsel_halves`, `short_halves`: text may have OPSEL only beside registers that name their halves.
    quirks float_text, noomod, opsel_halves, opsel_untold, short_halves if promoted & !fp8 & (d is 16 | s0 is 16 | s1 is 16 | s2 is 16);
    suffix "_e64";
    dword DPP16_VOP3 when SRC0 == 250 if s0 & !(scalar_d | permlane | d is 64 | s0 is 64 | s1 is 64) suffix "_e64_dpp";
    dword DPP8 when SRC0 == 233 | SRC0 == 234 if s0 & !(scalar_d | permlane | d is 64 | s0 is 64 | s1 is 64) suffix "_e64_dpp";
    dword LITERAL when SRC0 == 255 | SRC1 == 255 | SRC2 == 255;
    text "{d}, {s0}, {s1}, {s2}{op_sel}{clamp}{omod}";
    run lanes;
    source s0 if s0 is 16 & !(s0 is packed | uniform) = if op_sel[0] && s0 is scalar { s0.hi } else { s0 };
    source s1 if s1 is 16 & !(s1 is packed) = if op_sel[1] && s1 is scalar { s1.hi } else { s1 };
    source s2 if s2 is 16 & !(s2 is packed) = if op_sel[2] && s2 is scalar { s2.hi } else { s2 };
    source s0 if favors_numbers = max(s0, s0);
    source s1 if favors_numbers = max(s1, s1);
    source s2 if favors_numbers = max(s2, s2);
    source s0 if byte_source = s0 >> (op_sel[0] as u32 * 16 + op_sel[1] as u32 * 8);
    source s0 if dot = if s0 is inline { join(s0[0], s0[0]) } else { s0 };
    source s1 if dot = if s1 is inline { join(s1[0], s1[0]) } else { s1 };
    source s0 if s0 is float = if abs0 { abs(s0) } else { s0 };
    source s0 if s0 is float = if neg0 { -s0 } else { s0 };
    source s1 if s1 is float = if abs1 { abs(s1) } else { s1 };
    source s1 if s1 is float = if neg1 { -s1 } else { s1 };
    source s2 if s2 is float = if abs2 { abs(s2) } else { s2 };
    source s2 if s2 is float = if neg2 { -s2 } else { s2 };
    source s0 if signs & s0 is 32 = s0 & !(abs0 as b32 << 31) ^ neg0 as b32 << 31;
    source s0 if signs & s0 is 16 = s0 & !(abs0 as b16 << 15) ^ neg0 as b16 << 15;
    source s1 if signs & s1 is 32 = s1 & !(abs1 as b32 << 31) ^ neg1 as b32 << 31;
    source s1 if signs & s1 is 16 = s1 & !(abs1 as b16 << 15) ^ neg1 as b16 << 15;
    result d if d is float & scales & !(d is packed) = omod(d, omod);
    result d if d is float & clamps & !unclamped = if clamp { clamp(d) } else { d };
    saturate d if clamp & d is int = clamp;
    inactive d if d is mask = false;

    521 => V_FMA_DX9_ZERO_F32    (d: f32, s0: f32, s1: f32, s2: f32) no DPP16_VOP3, no DPP8, also "v_fma_legacy_f32" { d = if s0 == 0.0 || s1 == 0.0 { s2 } else { fma(s0, s1, s2) }; }
    522 => V_MAD_I32_I24         (d: i32, s0: i24, s1: i24, s2: i32) clamp { d = s0 as i32 * s1 as i32 + s2; }
    523 => V_MAD_U32_U24         (d: u32, s0: u24, s1: u24, s2: u32) clamp { d = s0 as u32 * s1 as u32 + s2; }
    524 => V_CUBEID_F32          (d: f32, s0: f32, s1: f32, s2: f32) { d = cube_id(s0, s1, s2); }
    525 => V_CUBESC_F32          (d: f32, s0: f32, s1: f32, s2: f32) { d = cube_sc(s0, s1, s2); }
    526 => V_CUBETC_F32          (d: f32, s0: f32, s1: f32, s2: f32) { d = cube_tc(s0, s1, s2); }
    527 => V_CUBEMA_F32          (d: f32, s0: f32, s1: f32, s2: f32) { d = cube_ma(s0, s1, s2); }
    528 => V_BFE_U32             (d: u32, s0: u32, s1: u32, s2: u32) { d = bfe(s0, s1[4:0], s2[4:0]); }
    529 => V_BFE_I32             (d: i32, s0: i32, s1: u32, s2: u32) { d = bfe(s0, s1[4:0], s2[4:0]); }
    530 => V_BFI_B32             (d: b32, s0: b32, s1: b32, s2: b32) { d = s0 & s1 | !s0 & s2; }
    531 => V_FMA_F32             (d: f32, s0: f32, s1: f32, s2: f32) { d = fma(s0, s1, s2); }
    532 => V_FMA_F64             (d: f64, s0: f64, s1: f64, s2: f64) { d = fma(s0, s1, s2); }
    533 => V_LERP_U8             (d: u8x4, s0: u8x4, s1: u8x4, s2: u8x4) { d = lerp(s0, s1, s2); }
    534 => V_ALIGNBIT_B32        (d: b32, s0: b32, s1: b32, s2: u16) clamp { d = (join(s1, s0) as b64 >> s2[4:0]) as b32; }
    535 => V_ALIGNBYTE_B32       (d: b32, s0: b32, s1: b32, s2: u16) clamp { d = (join(s1, s0) as b64 >> s2[1:0] as u32 * 8) as b32; }
    536 => V_MULLIT_F32          (d: f32, s0: f32, s1: f32, s2: f32) { d = mullit(s0, s1, s2); }
    537 553 => V_MIN3_F32            (d: f32, s0: f32, s1: f32, s2: f32) named V_MIN3_NUM_F32 in rdna4, favors_numbers in rdna4 { d = min3(s0, s1, s2); }
    538 => V_MIN3_I32            (d: i32, s0: i32, s1: i32, s2: i32) { d = min3(s0, s1, s2); }
    539 => V_MIN3_U32            (d: u32, s0: u32, s1: u32, s2: u32) { d = min3(s0, s1, s2); }
    540 554 => V_MAX3_F32            (d: f32, s0: f32, s1: f32, s2: f32) named V_MAX3_NUM_F32 in rdna4, favors_numbers in rdna4 { d = max3(s0, s1, s2); }
    541 => V_MAX3_I32            (d: i32, s0: i32, s1: i32, s2: i32) { d = max3(s0, s1, s2); }
    542 => V_MAX3_U32            (d: u32, s0: u32, s1: u32, s2: u32) { d = max3(s0, s1, s2); }
    543 561 => V_MED3_F32            (d: f32, s0: f32, s1: f32, s2: f32) named V_MED3_NUM_F32 in rdna4, favors_numbers in rdna4 { d = med3(s0, s1, s2); }
    544 => V_MED3_I32            (d: i32, s0: i32, s1: i32, s2: i32) { d = med3(s0, s1, s2); }
    545 => V_MED3_U32            (d: u32, s0: u32, s1: u32, s2: u32) { d = med3(s0, s1, s2); }
    546 => V_SAD_U8              (d: u32, s0: u8x4, s1: u8x4, s2: u32) clamp { d = sad(s0, s1) + s2; }
    547 => V_SAD_HI_U8           (d: u32, s0: u8x4, s1: u8x4, s2: u32) clamp { d = (sad(s0, s1) << 16) + s2; }
    548 => V_SAD_U16             (d: u32, s0: u16x2, s1: u16x2, s2: u32) clamp { d = sad(s0, s1) + s2; }
    549 => V_SAD_U32             (d: u32, s0: u32, s1: u32, s2: u32) clamp { d = sad(s0, s1) + s2; }
    550 => V_CVT_PK_U8_F32       (d: b32, s0: f32, s1: u32, s2: b32) noomod, disputed "the guide does not say that the number is rounded to nearest" { d = set_byte(s2, s1[1:0], rndne(s0) as u8); }
    551 => V_DIV_FIXUP_F32       (d: f32, s0: f32, s1: f32, s2: f32) no DPP16_VOP3, no DPP8 { d = div_fixup(s0, s1, s2); }
    552 => V_DIV_FIXUP_F64       (d: f64, s0: f64, s1: f64, s2: f64) { d = div_fixup(s0, s1, s2); }
    567 => V_DIV_FMAS_F32        (d: f32, s0: f32, s1: f32, s2: f32, vcc: mask) no DPP16_VOP3, no DPP8, disputed "the guide's scales give wrong quotients" { d = div_fmas(s0, s1, s2, vcc); }
    568 => V_DIV_FMAS_F64        (d: f64, s0: f64, s1: f64, s2: f64, vcc: mask) disputed "the guide's scales give wrong quotients" { d = div_fmas(s0, s1, s2, vcc); }
    569 => V_MSAD_U8             (d: u32, s0: u8x4, s1: u8x4, s2: u32) clamp { d = msad(s0, s1) + s2; }
    570 => V_QSAD_PK_U16_U8      (d: u16x4, s0: b64, s1: u8x4, s2: u16x4) clamp { d = qsad(s0, s1, s2); }
    571 => V_MQSAD_PK_U16_U8     (d: u16x4, s0: b64, s1: u8x4, s2: u16x4) clamp { d = mqsad_u16(s0, s1, s2); }
    573 => V_MQSAD_U32_U8        (d: u32x4, s0: b64, s1: u8x4, s2: u32x4) clamp { d = mqsad_u32(s0, s1, s2); }
    576 => V_XOR3_B32            (d: b32, s0: b32, s1: b32, s2: b32) { d = s0 ^ s1 ^ s2; }
    577 => V_MAD_U16             (d: u16, s0: u16, s1: u16, s2: u16) clamp { d = s0 * s1 + s2; }
    580 => V_PERM_B32            (d: b32, s0: b32, s1: b32, s2: u8x4) { d = byte_perm(join(s1, s0) as b64, s2); }
    581 => V_XAD_U32             (d: u32, s0: u32, s1: u32, s2: u32) also "v_xor_add_u32" { d = (s0 ^ s1) + s2; }
    582 => V_LSHL_ADD_U32        (d: u32, s0: u32, s1: u32, s2: u32) { d = (s0 << s1[4:0]) + s2; }
    583 => V_ADD_LSHL_U32        (d: u32, s0: u32, s1: u32, s2: u32) { d = s0 + s1 << s2[4:0]; }
    584 => V_FMA_F16             (d: f16, s0: f16, s1: f16, s2: f16) { d = fma(s0, s1, s2); }
    585 555 => V_MIN3_F16            (d: f16, s0: f16, s1: f16, s2: f16) named V_MIN3_NUM_F16 in rdna4, favors_numbers in rdna4 { d = min3(s0, s1, s2); }
    586 => V_MIN3_I16            (d: i16, s0: i16, s1: i16, s2: i16) clamp { d = min3(s0, s1, s2); }
    587 => V_MIN3_U16            (d: u16, s0: u16, s1: u16, s2: u16) clamp { d = min3(s0, s1, s2); }
    588 556 => V_MAX3_F16            (d: f16, s0: f16, s1: f16, s2: f16) named V_MAX3_NUM_F16 in rdna4, favors_numbers in rdna4 { d = max3(s0, s1, s2); }
    589 => V_MAX3_I16            (d: i16, s0: i16, s1: i16, s2: i16) clamp { d = max3(s0, s1, s2); }
    590 => V_MAX3_U16            (d: u16, s0: u16, s1: u16, s2: u16) clamp { d = max3(s0, s1, s2); }
    591 562 => V_MED3_F16            (d: f16, s0: f16, s1: f16, s2: f16) named V_MED3_NUM_F16 in rdna4, favors_numbers in rdna4 { d = med3(s0, s1, s2); }
    592 => V_MED3_I16            (d: i16, s0: i16, s1: i16, s2: i16) clamp { d = med3(s0, s1, s2); }
    593 => V_MED3_U16            (d: u16, s0: u16, s1: u16, s2: u16) clamp { d = med3(s0, s1, s2); }
    595 => V_MAD_I16             (d: i16, s0: i16, s1: i16, s2: i16) clamp { d = s0 * s1 + s2; }
    596 => V_DIV_FIXUP_F16       (d: f16, s0: f16, s1: f16, s2: f16) { d = div_fixup(s0, s1, s2); }
    597 => V_ADD3_U32            (d: u32, s0: u32, s1: u32, s2: u32) also "v_add3_nc_u32" { d = s0 + s1 + s2; }
    598 => V_LSHL_OR_B32         (d: b32, s0: b32, s1: u32, s2: b32) { d = s0 << s1[4:0] | s2; }
    599 => V_AND_OR_B32          (d: b32, s0: b32, s1: b32, s2: b32) { d = s0 & s1 | s2; }
    600 => V_OR3_B32             (d: b32, s0: b32, s1: b32, s2: b32) { d = s0 | s1 | s2; }
    601 => V_MAD_U32_U16         (d: u32, s0: u16, s1: u16, s2: u32) clamp { d = s0 as u32 * s1 as u32 + s2; }
    602 => V_MAD_I32_I16         (d: i32, s0: i16, s1: i16, s2: i32) clamp { d = s0 as i32 * s1 as i32 + s2; }
    603 => V_PERMLANE16_B32      (d: inout b32, s0: b32 as VgprSrc, s1: b32 as ScalarSrc, s2: b32 as ScalarSrc) permlane, fetch { d = permlane16(s0, join(s1, s2) as b64, op_sel[1:0], d); }
    604 => V_PERMLANEX16_B32     (d: inout b32, s0: b32 as VgprSrc, s1: b32 as ScalarSrc, s2: b32 as ScalarSrc) permlane, fetch { d = permlanex16(s0, join(s1, s2) as b64, op_sel[1:0], d); }
    605 => V_CNDMASK_B16         (d: b16, s0: b16, s1: b16, s2: mask) signs, opsel_untold, disputed "the guide reads one bit of VCC for all lanes" { d = if s2 { s1 } else { s0 }; }
    606 617 => V_MAXMIN_F32          (d: f32, s0: f32, s1: f32, s2: f32) named V_MAXMIN_NUM_F32 in rdna4, favors_numbers in rdna4 { d = maxmin(s0, s1, s2); }
    607 616 => V_MINMAX_F32          (d: f32, s0: f32, s1: f32, s2: f32) named V_MINMAX_NUM_F32 in rdna4, favors_numbers in rdna4 { d = minmax(s0, s1, s2); }
    608 619 => V_MAXMIN_F16          (d: f16, s0: f16, s1: f16, s2: f16) named V_MAXMIN_NUM_F16 in rdna4, favors_numbers in rdna4 { d = maxmin(s0, s1, s2); }
    609 618 => V_MINMAX_F16          (d: f16, s0: f16, s1: f16, s2: f16) named V_MINMAX_NUM_F16 in rdna4, favors_numbers in rdna4 { d = minmax(s0, s1, s2); }
    610 => V_MAXMIN_U32          (d: u32, s0: u32, s1: u32, s2: u32) { d = maxmin(s0, s1, s2); }
    611 => V_MINMAX_U32          (d: u32, s0: u32, s1: u32, s2: u32) { d = minmax(s0, s1, s2); }
    612 => V_MAXMIN_I32          (d: i32, s0: i32, s1: i32, s2: i32) { d = maxmin(s0, s1, s2); }
    613 => V_MINMAX_I32          (d: i32, s0: i32, s1: i32, s2: i32) { d = minmax(s0, s1, s2); }
    614 => V_DOT2_F16_F16        (d: f16, s0: f16x2, s1: f16x2, s2: f16) disputed "the guide adds the last source last" { d = dot2(s0, s1, s2); }
    615 => V_DOT2_BF16_BF16      (d: bf16, s0: bf16x2, s1: bf16x2, s2: bf16) disputed "the guide adds the last source last" { d = dot2(s0, s1, s2); }
    771 => V_ADD_NC_U16          (d: u16, s0: u16, s1: u16) clamp { d = s0 + s1; }
    772 => V_SUB_NC_U16          (d: u16, s0: u16, s1: u16) clamp { d = s0 - s1; }
    773 => V_MUL_LO_U16          (d: u16, s0: u16, s1: u16) opsel_halves { d = s0 * s1; }
    774 => V_CVT_PK_I16_F32      (d: i16x2, s0: f32, s1: f32) { d = join(s0 as i16, s1 as i16); }
    775 => V_CVT_PK_U16_F32      (d: u16x2, s0: f32, s1: f32) { d = join(s0 as u16, s1 as u16); }
    777 => V_MAX_U16             (d: u16, s0: u16, s1: u16) opsel_halves { d = max(s0, s1); }
    778 => V_MAX_I16             (d: i16, s0: i16, s1: i16) opsel_halves { d = max(s0, s1); }
    779 => V_MIN_U16             (d: u16, s0: u16, s1: u16) opsel_halves { d = min(s0, s1); }
    780 => V_MIN_I16             (d: i16, s0: i16, s1: i16) opsel_halves { d = min(s0, s1); }
    781 => V_ADD_NC_I16          (d: i16, s0: i16, s1: i16) clamp { d = s0 + s1; }
    782 => V_SUB_NC_I16          (d: i16, s0: i16, s1: i16) clamp { d = s0 - s1; }
    785 => V_PACK_B32_F16        (d: f16x2, s0: f16, s1: f16) { d = join(s0, s1); }
    786 => V_CVT_PK_NORM_I16_F16 (d: i16x2, s0: f16, s1: f16) also "v_cvt_pknorm_i16_f16" { d = join(snorm16(s0), snorm16(s1)); }
    787 => V_CVT_PK_NORM_U16_F16 (d: u16x2, s0: f16, s1: f16) also "v_cvt_pknorm_u16_f16" { d = join(unorm16(s0), unorm16(s1)); }
    796 => V_LDEXP_F32           (d: f32, s0: f32, s1: i32) disputed "the guide's power of two overflows" { d = ldexp(s0, s1); }
    797 => V_BFM_B32             (d: b32, s0: u32, s1: u32) { d = (((1u32 << s0[4:0]) - 1) << s1[4:0]) as b32; }
    798 => V_BCNT_U32_B32        (d: u32, s0: b32, s1: u32) { d = popcount(s0) + s1; }
    799 => V_MBCNT_LO_U32_B32    (d: u32, s0: b32, s1: u32) { d = mbcnt_lo(s0) + s1; }
    800 => V_MBCNT_HI_U32_B32    (d: u32, s0: b32, s1: u32) { d = mbcnt_hi(s0) + s1; }
    801 => V_CVT_PK_NORM_I16_F32 (d: i16x2, s0: f32, s1: f32) also "v_cvt_pknorm_i16_f32" { d = join(snorm16(s0), snorm16(s1)); }
    802 => V_CVT_PK_NORM_U16_F32 (d: u16x2, s0: f32, s1: f32) also "v_cvt_pknorm_u16_f32" { d = join(unorm16(s0), unorm16(s1)); }
    803 => V_CVT_PK_U16_U32      (d: u16x2, s0: u32, s1: u32) { d = join(sat_u16(s0), sat_u16(s1)); }
    804 => V_CVT_PK_I16_I32      (d: i16x2, s0: i32, s1: i32) { d = join(sat_i16(s0), sat_i16(s1)); }
    805 => V_SUB_NC_I32          (d: i32, s0: i32, s1: i32) clamp, also "v_sub_i32" { d = s0 - s1; }
    806 => V_ADD_NC_I32          (d: i32, s0: i32, s1: i32) clamp, also "v_add_i32" { d = s0 + s1; }
    807 - => V_ADD_F64             (d: f64, s0: f64, s1: f64) { d = s0 + s1; }
    808 - => V_MUL_F64             (d: f64, s0: f64, s1: f64) { d = s0 * s1; }
    809 - => V_MIN_F64             (d: f64, s0: f64, s1: f64) { d = min(s0, s1); }
    810 - => V_MAX_F64             (d: f64, s0: f64, s1: f64) { d = max(s0, s1); }
    811 => V_LDEXP_F64           (d: f64, s0: f64, s1: i32) disputed "the guide's power of two overflows" { d = ldexp(s0, s1); }
    812 => V_MUL_LO_U32          (d: u32, s0: u32, s1: u32) no DPP16_VOP3, no DPP8 { d = s0 * s1; }
    813 => V_MUL_HI_U32          (d: u32, s0: u32, s1: u32) no DPP16_VOP3, no DPP8 { d = (s0 as u64 * s1 as u64 >> 32) as u32; }
    814 => V_MUL_HI_I32          (d: i32, s0: i32, s1: i32) no DPP16_VOP3, no DPP8 { d = (s0 as i64 * s1 as i64 >> 32) as i32; }
    815 => V_TRIG_PREOP_F64      (d: f64, s0: f64, s1: u32) { d = trig_preop(s0, s1[4:0]); }
    824 => V_LSHLREV_B16         (d: b16, s0: u16, s1: b16) opsel_halves { d = s1 << s0[3:0]; }
    825 => V_LSHRREV_B16         (d: b16, s0: u16, s1: b16) opsel_halves { d = s1 >> s0[3:0]; }
    826 => V_ASHRREV_I16         (d: i16, s0: u16, s1: i16) opsel_halves { d = s1 >> s0[3:0]; }
    828 - => V_LSHLREV_B64         (d: b64, s0: u32, s1: b64) one_scalar { d = s1 << s0[5:0]; }
    829 => V_LSHRREV_B64         (d: b64, s0: u32, s1: b64) one_scalar { d = s1 >> s0[5:0]; }
    830 => V_ASHRREV_I64         (d: i64, s0: u32, s1: i64) one_scalar { d = s1 >> s0[5:0]; }
    864 => V_READLANE_B32        (d: b32, s0: b32 as VgprSrc, s1: u32 as LaneSel) scalar_d, wave { d = lane(s0, s1); }
    865 => V_WRITELANE_B32       (d: inout b32, s0: b32 as ScalarSrc, s1: u32 as LaneSel) no DPP16_VOP3, no DPP8, wave { lane(d, s1) = s0; }
    866 => V_AND_B16             (d: b16, s0: b16, s1: b16) opsel_halves { d = s0 & s1; }
    867 => V_OR_B16              (d: b16, s0: b16, s1: b16) opsel_halves { d = s0 | s1; }
    868 => V_XOR_B16             (d: b16, s0: b16, s1: b16) opsel_halves { d = s0 ^ s1; }
    // A NaN of a source is the result.
    557 => V_MINIMUM3_F32 (d: f32, s0: f32, s1: f32, s2: f32) in rdna4 { d = minimum(minimum(s0, s1), s2); }
    558 => V_MAXIMUM3_F32 (d: f32, s0: f32, s1: f32, s2: f32) in rdna4 { d = maximum(maximum(s0, s1), s2); }
    559 => V_MINIMUM3_F16 (d: f16, s0: f16, s1: f16, s2: f16) in rdna4 { d = minimum(minimum(s0, s1), s2); }
    560 => V_MAXIMUM3_F16 (d: f16, s0: f16, s1: f16, s2: f16) in rdna4 { d = maximum(maximum(s0, s1), s2); }
    620 => V_MINIMUMMAXIMUM_F32 (d: f32, s0: f32, s1: f32, s2: f32) in rdna4 { d = maximum(minimum(s0, s1), s2); }
    621 => V_MAXIMUMMINIMUM_F32 (d: f32, s0: f32, s1: f32, s2: f32) in rdna4 { d = minimum(maximum(s0, s1), s2); }
    622 => V_MINIMUMMAXIMUM_F16 (d: f16, s0: f16, s1: f16, s2: f16) in rdna4 { d = maximum(minimum(s0, s1), s2); }
    623 => V_MAXIMUMMINIMUM_F16 (d: f16, s0: f16, s1: f16, s2: f16) in rdna4 { d = minimum(maximum(s0, s1), s2); }
    833 => V_MINIMUM_F64 (d: f64, s0: f64, s1: f64) in rdna4 { d = minimum(s0, s1); }
    834 => V_MAXIMUM_F64 (d: f64, s0: f64, s1: f64) in rdna4 { d = maximum(s0, s1); }
    869 => V_MINIMUM_F32 (d: f32, s0: f32, s1: f32) in rdna4 { d = minimum(s0, s1); }
    870 => V_MAXIMUM_F32 (d: f32, s0: f32, s1: f32) in rdna4 { d = maximum(s0, s1); }
    871 => V_MINIMUM_F16 (d: f16, s0: f16, s1: f16) in rdna4 { d = minimum(s0, s1); }
    872 => V_MAXIMUM_F16 (d: f16, s0: f16, s1: f16) in rdna4 { d = maximum(s0, s1); }
    // Scalar registers: sources and results are the same for all lanes.
    640 => V_S_EXP_F32 (d: f32 as UniformDst, s0: f32 as UniformSrc) in rdna4, scalar_d, uniform, trans, wave { d = exp2(s0); }
    641 => V_S_EXP_F16 (d: f16 as UniformDst, s0: f16 as UniformSrc) in rdna4, scalar_d, uniform, trans, wave { d = exp2(s0); }
    642 => V_S_LOG_F32 (d: f32 as UniformDst, s0: f32 as UniformSrc) in rdna4, scalar_d, uniform, trans, wave { d = log2(s0); }
    643 => V_S_LOG_F16 (d: f16 as UniformDst, s0: f16 as UniformSrc) in rdna4, scalar_d, uniform, trans, wave { d = log2(s0); }
    644 => V_S_RCP_F32 (d: f32 as UniformDst, s0: f32 as UniformSrc) in rdna4, scalar_d, uniform, trans, wave { d = rcp(s0); }
    645 => V_S_RCP_F16 (d: f16 as UniformDst, s0: f16 as UniformSrc) in rdna4, scalar_d, uniform, trans, wave { d = rcp(s0); }
    646 => V_S_RSQ_F32 (d: f32 as UniformDst, s0: f32 as UniformSrc) in rdna4, scalar_d, uniform, trans, wave { d = rsq(s0); }
    647 => V_S_RSQ_F16 (d: f16 as UniformDst, s0: f16 as UniformSrc) in rdna4, scalar_d, uniform, trans, wave { d = rsq(s0); }
    648 => V_S_SQRT_F32 (d: f32 as UniformDst, s0: f32 as UniformSrc) in rdna4, scalar_d, uniform, trans, wave { d = sqrt(s0); }
    649 => V_S_SQRT_F16 (d: f16 as UniformDst, s0: f16 as UniformSrc) in rdna4, scalar_d, uniform, trans, wave { d = sqrt(s0); }
    // OPSEL[0] fetches from inactive lanes too; a lane without a source becomes 0 with OPSEL[1], and else keeps its value.
    783 => V_PERMLANE16_VAR_B32   (d: inout b32, s0: b32 as VgprSrc, s1: b32 as VgprSrc) in rdna4, permlane, fetch { let other = lane_id() & 0xfffffff0 | s1 as u32 & 15; d = if op_sel[0] || lane(if exec { 1u32 } else { 0u32 }, other) != 0 { lane(s0, other) } else { if op_sel[1] { 0 } else { d } }; }
    784 => V_PERMLANEX16_VAR_B32  (d: inout b32, s0: b32 as VgprSrc, s1: b32 as VgprSrc) in rdna4, permlane, fetch { let other = (lane_id() & 0xfffffff0 ^ 16) | s1 as u32 & 15; d = if op_sel[0] || lane(if exec { 1u32 } else { 0u32 }, other) != 0 { lane(s0, other) } else { if op_sel[1] { 0 } else { d } }; }
    873 => V_CVT_PK_FP8_F32       (d: b16, s0: f32, s1: f32) in rdna4, fp8 { d = join(s0 as f8, s1 as f8) as b16; }
    874 => V_CVT_PK_BF8_F32       (d: b16, s0: f32, s1: f32) in rdna4, fp8 { d = join(s0 as bf8, s1 as bf8) as b16; }
    875 => V_CVT_SR_FP8_F32       (d: inout b32, s0: f32, s1: b32) in rdna4, fp8, byte_result, disputed "the guide's formula lets the fraction wrap and rounds to nearest, its text truncates" { d = set_byte(d, op_sel[3:2], stochastic(s0, s1) as f8 as b8 as u8); }
    876 => V_CVT_SR_BF8_F32       (d: inout b32, s0: f32, s1: b32) in rdna4, fp8, byte_result, disputed "the guide's formula lets the fraction wrap and rounds to nearest, its text truncates" { d = set_byte(d, op_sel[3:2], stochastic(s0, s1) as bf8 as b8 as u8); }
}

//! VOPD: two vector instructions at once.

use isa::isa;

isa! {
    /// Two vector ALU instructions, X and Y, that a wave issues together. Guide §15.3.7.
    ///
    /// Each half is a row of another format. Of the two destinations one is an even register, the other an odd one, so
    /// VDSTY goes without its lowest bit. A literal serves both halves.
    format VOPD: 64 of (rdna3, rdna3_5), rdna4 {
        SRCX0    [8:0]:   x.s0: Src,
        VSRCX1   [16:9]:  x.s1: Vgpr else reserved,
        OPY      [21:17]  = opcode y,
        OPX      [25:22]  = opcode x,
        ENCODING [31:26]  = 0b110010,
        SRCY0    [40:32]: y.s0: Src,
        VSRCY1   [48:41]: y.s1: Vgpr else reserved,
        VDSTY    [55:49]: y.out d: VdstY,
        VDSTX    [63:56]: x.out d: Vgpr,
        implied x.s2: Vcc,
        implied y.s2: Vcc,
    }
    components x " :: " y;
    only W32;
    dword LITERAL when SRCX0 == 255 | SRCY0 == 255;
    // `reads_vcc`: VCC selects between the sources.
    // `dot`: a dot product of halves, which has the value of an inline constant in both halves.
    // `copies`: copies its source.
    flags copies, one_source if !s1, reads_vcc if s2, dot if s0 is packed;
    text "{d}, {s0}, {s1}";
    run lanes;
    source s0 if favors_numbers = max(s0, s0);
    source s1 if favors_numbers = max(s1, s1);
    source s0 if dot = if s0 is inline { join(s0[0], s0[0]) } else { s0 };

    x, y 0  => V_DUAL_FMAC_F32         = V_FMAC_F32;
    x, y 1  => V_DUAL_FMAAK_F32        = V_FMAAK_F32;
    x, y 2  => V_DUAL_FMAMK_F32        = V_FMAMK_F32;
    x, y 3  => V_DUAL_MUL_F32          = V_MUL_F32;
    x, y 4  => V_DUAL_ADD_F32          = V_ADD_F32;
    x, y 5  => V_DUAL_SUB_F32          = V_SUB_F32;
    x, y 6  => V_DUAL_SUBREV_F32       = V_SUBREV_F32;
    x, y 7  => V_DUAL_MUL_DX9_ZERO_F32 = V_MUL_DX9_ZERO_F32;
    x, y 8  => V_DUAL_MOV_B32          = V_MOV_B32 copies;
    x, y 9  => V_DUAL_CNDMASK_B32      = V_CNDMASK_B32;
    x, y 10 => V_DUAL_MAX_F32          = V_MAX_F32 named V_DUAL_MAX_NUM_F32 in rdna4;
    x, y 11 => V_DUAL_MIN_F32          = V_MIN_F32 named V_DUAL_MIN_NUM_F32 in rdna4;
    x, y 12 => V_DUAL_DOT2ACC_F32_F16  = V_DOT2ACC_F32_F16 in rdna3 | rdna3_5;
    // No other format has these rows.
    x, y 12 => V_DUAL_DOT2ACC_F32_F16 (d: inout f32, s0: f16x2, s1: f16x2) in rdna4 { d = dot2(s0, s1, d); }
    x, y 13 => V_DUAL_DOT2ACC_F32_BF16 (d: inout f32, s0: bf16x2, s1: bf16x2) { d = dot2(s0, s1, d); }

    y 16    => V_DUAL_ADD_NC_U32       = V_ADD_NC_U32;
    y 17    => V_DUAL_LSHLREV_B32      = V_LSHLREV_B32;
    y 18    => V_DUAL_AND_B32          = V_AND_B32;
}

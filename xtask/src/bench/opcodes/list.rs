//! The opcodes of the table, and how fast each should be.

/// The opcodes that make up 99 % of compiled code, the most frequent first. Their share is the mean of two: of OpenCL kernels for
/// hashing, compiled by clang 22 (`../shared/corpus/bench.gfx1100.text.xz`, 1.1 million instructions), and of the kernels in
/// `../shared/frameworks` (Triton, IREE, tinygrad, bitsandbytes, JAX, onnxruntime, 0.13 million). S_ENDPGM and S_SWAPPC_B64, which
/// leave a loop, are not among them.
pub const FREQUENT: &str = "
S_DELAY_ALU S_MOV_B32 V_ALIGNBIT_B32 S_OR_B32 S_WAITCNT S_CBRANCH_EXECZ V_MOV_B32 V_AND_B32 S_XOR_B32
V_CNDMASK_B32 V_DUAL_MOV_B32 V_ADD_NC_U32 V_XOR_B32 V_ADD3_U32 S_AND_NOT1_SAVEEXEC_B32 GLOBAL_LOAD_B32
V_XOR3_B32 V_LSHRREV_B32 V_LSHLREV_B32 V_CMPX_LT_I32 V_ADD_CO_CI_U32 S_AND_SAVEEXEC_B32 V_ADD_CO_U32 S_MOV_B64
V_FMA_F32 V_CNDMASK_B16 V_MUL_F32 V_OR_B32 V_CMPX_EQ_U32 V_BFI_B32 V_CMP_LT_F32 V_ADD_F32 SCRATCH_LOAD_B32
S_ADD_I32 V_FMAC_F32 S_AND_B32 V_CMP_NE_U16 V_MOV_B16 S_CLAUSE SCRATCH_STORE_B32 V_CMP_EQ_U32 V_CMP_GT_U32
V_AND_OR_B32 V_FMA_F64 V_SUB_F32 V_ADD_F64 V_DIV_SCALE_F32 BUFFER_GL0_INV S_BARRIER S_CBRANCH_SCC1
S_AND_NOT1_B32 V_DUAL_MUL_F32 V_LSHL_ADD_U32 S_NOP V_READLANE_B32 DS_STORE_B16 V_AND_B16 S_CSELECT_B32
S_WAITCNT_DEPCTR S_ADDC_U32 S_ADD_U32 DS_BPERMUTE_B32 V_CMP_GT_F32 S_CBRANCH_VCCNZ V_OR_B16
S_OR_SAVEEXEC_B32 V_DUAL_SUB_F32 V_DUAL_ADD_F32 DS_LOAD_B32 S_LSHL_B32 V_BFE_U32 V_LSHLREV_B64 V_CMP_LT_I32
S_CBRANCH_EXECNZ V_XAD_U32 S_LSHR_B64 V_RCP_F32 V_DUAL_CNDMASK_B32 V_MUL_LO_U32 DS_STORE_B32 S_SUB_I32
V_CMPX_GT_I32 V_ASHRREV_I32 S_LSHR_B32 V_CMP_LT_U32 V_CMPX_NLT_F32 V_DIV_FMAS_F32 V_DIV_FIXUP_F32 S_LOAD_B32
GLOBAL_LOAD_B64 S_CMP_EQ_U32 V_CMP_NLT_F32 V_PERM_B32 S_CBRANCH_SCC0 V_LSHLREV_B16 GLOBAL_STORE_B32
V_DUAL_FMAC_F32 GLOBAL_LOAD_D16_B16 S_CMP_LG_U32 V_ADD_LSHL_U32 SCRATCH_STORE_B128 DS_LOAD_U16_D16 V_CMP_NE_U32
V_MUL_F64 V_CMPX_GT_U32 V_DUAL_LSHLREV_B32 V_CVT_F16_F32 V_BFE_I32 S_LOAD_B64 V_DUAL_ADD_NC_U32 V_CVT_F32_F16
V_MUL_HI_U32 BUFFER_LOAD_U16 DS_LOAD_2ADDR_B32 V_FMA_MIX_F32 V_MAX_F32 S_LSHL_B64 S_ASHR_I32 S_MUL_I32
V_WRITELANE_B32 S_BRANCH V_CMP_CLASS_F32 S_CMP_LT_I32 DS_LOAD_B128 S_WAITCNT_VSCNT V_SUB_NC_U32 V_ADD_NC_U16
S_LOAD_B128 V_LDEXP_F32 S_CMP_GT_I32 DS_LOAD_U16_D16_HI V_DUAL_AND_B32 S_CMP_GE_U32 SCRATCH_LOAD_B64
BUFFER_STORE_B16 DS_LOAD_U16 V_LSHL_OR_B32 V_CMP_GT_I32 V_CMP_NGT_F32 V_CMPX_NGT_F32 V_LDEXP_F64 V_CMP_U_F32
V_MAD_U64_U32 GLOBAL_STORE_B16 S_GETPC_B64 DS_STORE_2ADDR_B32 V_CMP_O_F32 V_SQRT_F32 V_SUBREV_NC_U32
DS_STORE_B16_D16_HI SCRATCH_LOAD_B128 V_MBCNT_LO_U32_B32 V_CMP_GE_F32 V_CMP_NEQ_F32 V_EXP_F32 GLOBAL_LOAD_B128
V_MAX_I32 DS_LOAD_U8_D16 V_OR3_B32 V_CVT_F32_I32 GLOBAL_STORE_B64 GLOBAL_STORE_B8 DS_SWIZZLE_B32 V_DUAL_MAX_F32
S_CBRANCH_VCCZ V_CVT_I32_F32 V_RNDNE_F32 V_LSHRREV_B64 V_PERMLANEX16_B32 V_MAX_F64 V_MAX3_F32 GLOBAL_LOAD_D16_U8
DS_STORE_B8 V_NOT_B32 V_FMAAK_F32 V_FMA_MIXLO_F16 S_MIN_I32 S_ASHR_I64 V_CMP_EQ_F32 S_LOAD_B256
V_WMMA_F32_16X16X16_F16 V_CMP_GT_I16 DS_STORE_B128 V_CVT_I32_F64 BUFFER_LOAD_B32 BUFFER_STORE_B32 S_MUL_HI_U32
V_LSHRREV_B16 V_FMAMK_F32 S_MOVK_I32 V_CMPX_NE_U32 V_READFIRSTLANE_B32 V_CMP_CLASS_F64 V_CMPX_LT_F32
GLOBAL_LOAD_D16_HI_B16 V_CMP_LT_U16 V_CMP_GE_I32 V_SUBREV_CO_CI_U32 V_CVT_F64_U32 V_MIN_F64 V_CMP_GE_I64
S_MIN_U32 V_MUL_U32_U24 V_FMA_MIXHI_F16 V_TRUNC_F32 V_CMP_LE_F32 V_CMP_LT_F16 GLOBAL_STORE_B128
DS_LOAD_U8_D16_HI V_CMPX_LT_I16 V_CMP_LG_F32 S_CMP_LG_U64 V_FREXP_EXP_I32_F32 V_XNOR_B32 V_MAX_F16
BUFFER_LOAD_B128 V_DIV_SCALE_F64 V_CMP_GE_U32 V_CVT_F32_UBYTE0 SCRATCH_STORE_B96
";

/// Opcodes by their purpose: a title, the beginnings of their names.
pub const FAMILIES: [(&str, &[&str]); 9] = [
    ("packed", &["V_PK_"]),
    ("dot products", &["V_DOT"]),
    ("matrices", &["V_WMMA_"]),
    ("mixed precision", &["V_FMA_MIX", "V_FMA_F16", "V_FMAC_F16", "V_MAD_", "V_MUL_F16", "V_ADD_F16"]),
    ("conversions", &["V_CVT_"]),
    ("transcendental", &["V_EXP_", "V_LOG_", "V_RCP_", "V_RSQ_", "V_SQRT_", "V_SIN_", "V_COS_"]),
    ("steps of division", &["V_DIV_", "V_LDEXP_", "V_FREXP_"]),
    (
        "memory",
        &[
            "DS_LOAD_B",
            "DS_STORE_B",
            "DS_ADD_U",
            "DS_ADD_F",
            "DS_ADD_RTN",
            "GLOBAL_LOAD_B",
            "GLOBAL_STORE_B",
            "GLOBAL_ATOMIC_ADD_",
        ],
    ),
    ("buffers and scalar memory", &["BUFFER_LOAD_B", "BUFFER_STORE_B", "S_LOAD_", "SCRATCH_LOAD_B", "SCRATCH_STORE_B"]),
];

/// Lines that are measured besides: DPP, other operands than registers.
pub const LINES: [&str; 11] = [
    "v_mov_b32_dpp v0, v1 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf",
    "v_mov_b32_dpp v0, v1 row_shr:1 row_mask:0xf bank_mask:0xf",
    "v_add_f32_dpp v0, v1, v2 row_xmask:1 row_mask:0xf bank_mask:0xf",
    "v_add_f32_dpp v0, v1, v2 row_ror:4 row_mask:0xf bank_mask:0xf",
    "v_add_nc_u32_dpp v0, v1, v2 row_share:3 row_mask:0xf bank_mask:0xf",
    "v_max_f32_dpp v0, v1, v2 dpp8:[1,0,3,2,5,4,7,6]",
    "v_add_f32_e32 v0, s0, v1",
    "v_mul_f32_e32 v0, 0x40490fdb, v1",
    "v_fma_f32 v0, -v1, v2, |v3|",
    "v_fma_f32 v0, v1, v2, v3 clamp",
    "v_pk_fma_f16 v0, v1, v2, v3 op_sel_hi:[0,0,0]",
];

/// Lines instead of random instructions of an opcode, whose operands depend on one another.
pub const CHOSEN: [(&str, &str); 2] = [
    ("V_DIV_SCALE_F32", "v_div_scale_f32 v0, vcc_lo, v1, v1, v2"),
    ("V_DIV_SCALE_F64", "v_div_scale_f64 v[0:1], vcc_lo, v[2:3], v[2:3], v[4:5]"),
];

/// What a DPP control may add to the time of the plain instruction.
const DPP: f64 = 20.0;

/// The nanoseconds for 32 lanes with AVX2 and FMA, by the beginnings of opcodes' names; the first that fits counts.
const GOALS: [(f64, &[&str]); 11] = [
    (1500.0, &["V_WMMA_I32_"]),
    (2500.0, &["V_WMMA_"]),
    (250.0, &["V_SIN_", "V_COS_"]),
    (150.0, &["V_EXP_", "V_LOG_", "V_RCP_", "V_RSQ_", "V_SQRT_"]),
    (60.0, &["V_PK_", "V_DOT", "V_DIV_", "V_LDEXP_", "V_CVT_", "V_FMA_MIX"]),
    (40.0, &["V_DUAL_FMA"]),
    (20.0, &["V_DUAL_", "V_FMA_F32", "V_FMAC_F32", "V_FMAAK_F32", "V_FMAMK_F32"]),
    (10.0, &["V_ADD_F32", "V_SUB_F32", "V_SUBREV_F32", "V_MUL_F32", "V_MAX_F32", "V_MIN_F32"]),
    (20.0, &["V_FMAC_DX9_ZERO_F32"]),
    // Two steps: numbers of two dwords, or a second operation for SCC.
    (
        2.0 * SCALAR_GOAL,
        &["S_LSHL_B64", "S_LSHR_B64", "S_ASHR_I64", "S_ADD_I32", "S_SUB_I32", "S_ADDC_U32", "S_MUL_HI_"],
    ),
    // It ends the turn of the wave.
    (30.0, &["S_BARRIER"]),
];

/// Types in names of vector opcodes that take longer than those of 32 bits.
const WIDE: [&str; 10] = ["F16", "I16", "U16", "B16", "F64", "I64", "U64", "B64", "I128", "CLASS"];
const WIDE_GOAL: f64 = 60.0;
const VECTOR_GOAL: f64 = 20.0;
/// 150 million instructions a second.
const SCALAR_GOAL: f64 = 1e3 / 150.0;

/// Returns the nanoseconds that an instruction should take, `None` if no goal is set.
pub fn goal(opcode: &str, is_dpp: bool) -> Option<f64> {
    let begins = |names: &&(f64, &[&str])| names.1.iter().any(|begin| opcode.starts_with(begin));
    let plain = match GOALS.iter().find(begins) {
        Some((goal, _)) => *goal,
        None if opcode.starts_with("V_") && WIDE.iter().any(|ty| opcode.contains(ty)) => WIDE_GOAL,
        None if opcode.starts_with("V_") => VECTOR_GOAL,
        None if opcode.starts_with("S_") && !opcode.contains("LOAD") => SCALAR_GOAL,
        None => return None,
    };
    Some(if is_dpp { plain + DPP } else { plain })
}

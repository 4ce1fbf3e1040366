//! Scalar ALU, one source.

use isa::isa;

isa! {
    /// Scalar ALU, one source and one destination; some rows lack one of them, and messages that return a value name
    /// the message in the source field. Guide §15.1.3, instructions §16.3.
    format SOP1: 32 of (rdna3, rdna3_5), rdna4 {
        ENCODING [31:23] = 0b101111101,
        SDST     [22:16]: out d: Sdst,
        OP       [15:8]  = opcode,
        SSRC0    [7:0]:   s0 | imm: Ssrc,
    }
    // `index_s`, `index_d`: M0 is added to the number of the register that is read or written.
    // `wrexec`: writes the same value to EXEC and the destination.
    // `one_dword`: saves the address four bytes after the instruction, so it can have no literal.
    // `unlisted`: LLVM knows the opcode, the guide does not list it.
    // `message`: the constant is a message, which raises a counter. `barrier`: uses a barrier by its number.
    flags barrier, message, handler, one_dword, index_s = moves s0, index_d = moves d, wrexec = duplicates exec;
    quirks unlisted;
    dword LITERAL when SSRC0 == 255 if s0;
    text "{d}, {s0}, {imm}";
    run wave;

    0  => S_MOV_B32              (d: b32, s0: b32) { d = s0; }
    1  => S_MOV_B64              (d: b64, s0: b64) { d = s0; }
    2  => S_CMOV_B32             (d: inout b32, s0: b32) { if scc { d = s0; } }
    3  => S_CMOV_B64             (d: inout b64, s0: b64) { if scc { d = s0; } }
    4  => S_BREV_B32             (d: b32, s0: b32) { d = bitrev(s0); }
    5  => S_BREV_B64             (d: b64, s0: b64) { d = bitrev(s0); }
    8  => S_CTZ_I32_B32          (d: i32, s0: b32) also "s_ff1_i32_b32" { d = if s0 == 0 { -1 } else { ctz(s0) as i32 }; }
    9  => S_CTZ_I32_B64          (d: i32, s0: b64) also "s_ff1_i32_b64" { d = if s0 == 0 { -1 } else { ctz(s0) as i32 }; }
    10 => S_CLZ_I32_U32          (d: i32, s0: u32) also "s_flbit_i32_b32" { d = if s0 == 0 { -1 } else { clz(s0) as i32 }; }
    11 => S_CLZ_I32_U64          (d: i32, s0: u64) also "s_flbit_i32_b64" { d = if s0 == 0 { -1 } else { clz(s0) as i32 }; }
    12 => S_CLS_I32              (d: i32, s0: i32) also "s_flbit_i32" { d = if s0 == 0 || s0 == -1 { -1 } else { cls(s0) as i32 }; }
    13 => S_CLS_I32_I64          (d: i32, s0: i64) also "s_flbit_i32_i64" { d = if s0 == 0 || s0 == -1 { -1 } else { cls(s0) as i32 }; }
    14 => S_SEXT_I32_I8          (d: i32, s0: i8) { d = s0 as i32; }
    15 => S_SEXT_I32_I16         (d: i32, s0: i16) { d = s0 as i32; }
    // The source of these four is the number of the bit.
    16 => S_BITSET0_B32          (d: inout b32, s0: u32) { d[s0[4:0]] = false; }
    17 => S_BITSET0_B64          (d: inout b64, s0: u32) { d[s0[5:0]] = false; }
    18 => S_BITSET1_B32          (d: inout b32, s0: u32) { d[s0[4:0]] = true; }
    19 => S_BITSET1_B64          (d: inout b64, s0: u32) { d[s0[5:0]] = true; }
    20 => S_BITREPLICATE_B64_B32 (d: b64, s0: b32) { d = replicate(s0); }
    21 => S_ABS_I32              (d: i32, s0: i32) { let r = abs(s0); d, scc = r, r != 0; }
    22 => S_BCNT0_I32_B32        (d: i32, s0: b32) { let n = popcount(!s0); d, scc = n as i32, n != 0; }
    23 => S_BCNT0_I32_B64        (d: i32, s0: b64) disputed "the guide tests 64 bits of the 32-bit result for SCC" { let n = popcount(!s0); d, scc = n as i32, n != 0; }
    24 => S_BCNT1_I32_B32        (d: i32, s0: b32) { let n = popcount(s0); d, scc = n as i32, n != 0; }
    25 => S_BCNT1_I32_B64        (d: i32, s0: b64) disputed "the guide tests 64 bits of the 32-bit result for SCC" { let n = popcount(s0); d, scc = n as i32, n != 0; }
    26 => S_QUADMASK_B32         (d: b32, s0: b32) { let r = quadmask(s0); d, scc = r, r != 0; }
    27 => S_QUADMASK_B64         (d: b64, s0: b64) disputed "the guide writes and tests 32 bits" { let r = quadmask(s0); d, scc = r, r != 0; }
    28 => S_WQM_B32              (d: b32, s0: b32) { let r = wqm(s0); d, scc = r, r != 0; }
    29 => S_WQM_B64              (d: b64, s0: b64) { let r = wqm(s0); d, scc = r, r != 0; }
    30 => S_NOT_B32              (d: b32, s0: b32) { d, scc = !s0, !s0 != 0; }
    31 => S_NOT_B64              (d: b64, s0: b64) { d, scc = !s0, !s0 != 0; }
    32 => S_AND_SAVEEXEC_B32       (d: b32, s0: b32) { let r = s0 & exec_lo; d, exec_lo, scc = exec_lo, r, r != 0; }
    33 => S_AND_SAVEEXEC_B64       (d: b64, s0: b64) { let r = s0 & exec; d, exec, scc = exec, r, r != 0; }
    34 => S_OR_SAVEEXEC_B32        (d: b32, s0: b32) { let r = s0 | exec_lo; d, exec_lo, scc = exec_lo, r, r != 0; }
    35 => S_OR_SAVEEXEC_B64        (d: b64, s0: b64) { let r = s0 | exec; d, exec, scc = exec, r, r != 0; }
    36 => S_XOR_SAVEEXEC_B32       (d: b32, s0: b32) { let r = s0 ^ exec_lo; d, exec_lo, scc = exec_lo, r, r != 0; }
    37 => S_XOR_SAVEEXEC_B64       (d: b64, s0: b64) { let r = s0 ^ exec; d, exec, scc = exec, r, r != 0; }
    for logic in [38 NAND { !(s0 & old) }, 40 NOR { !(s0 | old) }, 42 XNOR { !(s0 ^ old) }] {
        0 + logic => S_{logic}_SAVEEXEC_B32 (d: b32, s0: b32) { let old = exec_lo; let r = logic; d, exec_lo, scc = old, r, r != 0; }
        1 + logic => S_{logic}_SAVEEXEC_B64 (d: b64, s0: b64) { let old = exec; let r = logic; d, exec, scc = old, r, r != 0; }
    }
    44 => S_AND_NOT0_SAVEEXEC_B32     (d: b32, s0: b32) also "s_andn1_saveexec_b32" { let r = !s0 & exec_lo; d, exec_lo, scc = exec_lo, r, r != 0; }
    45 => S_AND_NOT0_SAVEEXEC_B64     (d: b64, s0: b64) also "s_andn1_saveexec_b64" { let r = !s0 & exec; d, exec, scc = exec, r, r != 0; }
    46 => S_OR_NOT0_SAVEEXEC_B32      (d: b32, s0: b32) also "s_orn1_saveexec_b32" { let r = !s0 | exec_lo; d, exec_lo, scc = exec_lo, r, r != 0; }
    47 => S_OR_NOT0_SAVEEXEC_B64      (d: b64, s0: b64) also "s_orn1_saveexec_b64" { let r = !s0 | exec; d, exec, scc = exec, r, r != 0; }
    48 => S_AND_NOT1_SAVEEXEC_B32     (d: b32, s0: b32) also "s_andn2_saveexec_b32" { let r = s0 & !exec_lo; d, exec_lo, scc = exec_lo, r, r != 0; }
    49 => S_AND_NOT1_SAVEEXEC_B64     (d: b64, s0: b64) also "s_andn2_saveexec_b64" { let r = s0 & !exec; d, exec, scc = exec, r, r != 0; }
    50 => S_OR_NOT1_SAVEEXEC_B32      (d: b32, s0: b32) also "s_orn2_saveexec_b32" { let r = s0 | !exec_lo; d, exec_lo, scc = exec_lo, r, r != 0; }
    51 => S_OR_NOT1_SAVEEXEC_B64      (d: b64, s0: b64) also "s_orn2_saveexec_b64" { let r = s0 | !exec; d, exec, scc = exec, r, r != 0; }
    52 => S_AND_NOT0_WREXEC_B32       (d: b32, s0: b32) also "s_andn1_wrexec_b32" { let r = !s0 & exec_lo; d, exec_lo, scc = r, r, r != 0; }
    53 => S_AND_NOT0_WREXEC_B64       (d: b64, s0: b64) also "s_andn1_wrexec_b64" { let r = !s0 & exec; d, exec, scc = r, r, r != 0; }
    54 => S_AND_NOT1_WREXEC_B32       (d: b32, s0: b32) also "s_andn2_wrexec_b32" { let r = s0 & !exec_lo; d, exec_lo, scc = r, r, r != 0; }
    55 => S_AND_NOT1_WREXEC_B64       (d: b64, s0: b64) also "s_andn2_wrexec_b64" { let r = s0 & !exec; d, exec, scc = r, r, r != 0; }
    64 => S_MOVRELS_B32          (d: b32, s0: b32 as SsrcRegister) { d = rel(s0, m0); }
    65 => S_MOVRELS_B64          (d: b64, s0: b64 as SsrcRegister) { d = rel(s0, m0); }
    66 => S_MOVRELD_B32          (d: inout b32, s0: b32) { rel(d, m0) = s0; }
    67 => S_MOVRELD_B64          (d: inout b64, s0: b64) { rel(d, m0) = s0; }
    68 => S_MOVRELSD_2_B32       (d: inout b32, s0: b32) { rel(d, m0[25:16]) = rel(s0, m0[9:0]); }
    // M0 moves the register that is read (S) or written (D) away from the one in the field.
    71 => S_GETPC_B64            (d: u64) { d = pc; }
    72 => S_SETPC_B64            (s0: u64 as SsrcRegister) { pc = s0; }
    73 => S_SWAPPC_B64           (d: u64, s0: u64) one_dword { d, pc = pc, s0; }
    74 => S_RFE_B64              (s0: u64 as SsrcRegister) handler { pc = s0; status = external(status); }
    76 => S_SENDMSG_RTN_B32      (d: b32, imm: u8 as MessageCode) in rdna3 | rdna3_5, message { external(imm); d = external(imm); }
    77 => S_SENDMSG_RTN_B64      (d: b64, imm: u8 as MessageCode) in rdna3 | rdna3_5, message { external(imm); d = external(imm); }

    // Only some generations compute with floating-point numbers here.
    for op in [0 CEIL { ceil(s0) }, 1 FLOOR { floor(s0) }, 2 TRUNC { trunc(s0) }, 3 RNDNE { rndne(s0) }] {
        96 + op  => S_{op}_F32 (d: f32, s0: f32) in rdna3_5 | rdna4 { d = op; }
        107 + op => S_{op}_F16 (d: f16, s0: f16) in rdna3_5 | rdna4 { d = op; }
    }
    100 => S_CVT_F32_I32       (d: f32, s0: i32) in rdna3_5 | rdna4 { d = s0 as f32; }
    101 => S_CVT_F32_U32       (d: f32, s0: u32) in rdna3_5 | rdna4 { d = s0 as f32; }
    102 => S_CVT_I32_F32       (d: i32, s0: f32) in rdna3_5 | rdna4 { d = s0 as i32; }
    103 => S_CVT_U32_F32       (d: u32, s0: f32) in rdna3_5 | rdna4 { d = s0 as u32; }
    104 => S_CVT_F16_F32       (d: f16, s0: f32) in rdna3_5 | rdna4 { d = s0 as f16; }
    105 => S_CVT_F32_F16       (d: f32, s0: f16) in rdna3_5 | rdna4 { d = s0 as f32; }
    // It reads the high half of its source, so that the source is a whole register.
    106 => S_CVT_HI_F32_F16    (d: f32, s0: b32) in rdna3_5 | rdna4 { d = s0.hi as f16 as f32; }
    // The constant is the number of a barrier; M0 has it in its lowest bits.
    78 => S_BARRIER_SIGNAL        (s0: b32 as BarrierNumber) in rdna4, barrier { barrier_signal(s0); }
    79 => S_BARRIER_SIGNAL_ISFIRST (s0: b32 as BarrierNumber) in rdna4, barrier { let is_first = s0 as i32 == -1 && barrier_state(s0)[22:16] == 0; barrier_signal(s0); scc = is_first; }
    80 => S_GET_BARRIER_STATE     (d: b32, s0: b32 as BarrierNumber) in rdna4, barrier { d = barrier_state(s0) as b32; }
    81 => S_BARRIER_INIT          (s0: b32 as BarrierNumber) in rdna4, barrier, unlisted { external(s0, m0); }
    82 => S_BARRIER_JOIN          (s0: b32 as BarrierNumber) in rdna4, barrier, unlisted { external(s0); }
    83 => S_ALLOC_VGPR            (s0: b32) in rdna4 { scc = alloc_vgprs(s0[8:0] as u32); }
    88 => S_SLEEP_VAR             (s0: u32) in rdna4 { sleep(s0[6:0]); }
    76 => S_SENDMSG_RTN_B32       (d: b32, imm: u8 as Rdna4MessageCode) in rdna4, message { external(imm); d = external(imm); }
    77 => S_SENDMSG_RTN_B64       (d: b64, imm: u8 as Rdna4MessageCode) in rdna4, message { external(imm); d = external(imm); }
}

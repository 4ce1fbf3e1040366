//! Scalar ALU, a 16-bit constant.

use isa::isa;

isa! {
    /// Scalar ALU, a 16-bit constant and one register, which is a source in some rows, the destination in others and
    /// both in a few. Guide §15.1.2, instructions §16.2.
    format SOPK: 32 of (rdna3, rdna3_5), rdna4 {
        ENCODING [31:28] = 0b1011,
        OP       [27:23] = opcode,
        SDST     [22:16]: out d | s0: Sdst,
        SIMM16   [15:0]:  imm: Imm16Hex,
    }
    // `unlisted`: LLVM knows the opcode, the guide does not list it.
    // `unsigned`: the constant has no sign in text either.
    // `waits`: the register beside the constant is not added by every assembler.
    // `hwreg`: the constant names bits of a hardware register.
    // `internal`: stays inside a clause without being of its type.
    // `waits_vm`, `waits_vs`, `waits_exp`, `waits_lgkm`: the counter it waits for.
    // `relative`: the constant counts dwords from the end of the instruction to its target.
    flags hwreg, unsigned, waits, internal, waits_vm, waits_vs, waits_exp, waits_lgkm, relative = branches;
    quirks unlisted;
    dword LITERAL;
    text "{d}, {s0}, {imm}";
    run wave;

    0  => S_MOVK_I32             (d: i32, imm: i16) { d = imm as i32; }
    1  => S_VERSION              (imm: u8 as CodeVersion) { }
    2  => S_CMOVK_I32            (d: inout i32, imm: i16) { if scc { d = imm as i32; } }
    for rel in [0 EQ { s0 == k }, 1 LG { s0 != k }, 2 GT { s0 > k }, 3 GE { s0 >= k }, 4 LT { s0 < k }, 5 LE { s0 <= k }] {
        3 + rel - => S_CMPK_{rel}_I32 (s0: i32, imm: i16) { let k = imm as i32; scc = rel; }
        9 + rel - => S_CMPK_{rel}_U32 (s0: u32, imm: u16) unsigned { let k = imm as u32; scc = rel; }
    }
    15 => S_ADDK_I32             (d: inout i32, imm: i16) named S_ADDK_CO_I32 in rdna4 { let k = imm as i32; let r = d + k; d, scc = r, ((r ^ d) & (r ^ k)) < 0; }
    16 => S_MULK_I32             (d: inout i32, imm: i16) { d = d * imm as i32; }
    17 - => S_GETREG_B32           (d: b32, imm: u16 as HwRegister) hwreg { d = getreg(imm) as b32; }
    - 17 => S_GETREG_B32           (d: b32, imm: u16 as Rdna4HwRegister) hwreg { d = getreg(imm) as b32; }
    18 - => S_SETREG_B32           (imm: u16 as HwRegister, s0: b32) hwreg, text "{imm}, {s0}" { setreg(imm, s0 as u32); }
    - 18 => S_SETREG_B32           (imm: u16 as Rdna4HwRegister, s0: b32) hwreg, text "{imm}, {s0}" { setreg(imm, s0 as u32); }
    19 - => S_SETREG_IMM32_B32     (imm: u16 as HwRegister, k: b32 as LiteralConstant) always LITERAL, hwreg, text "{imm}, {k}" { setreg(imm, k as u32); }
    - 19 => S_SETREG_IMM32_B32     (imm: u16 as Rdna4HwRegister, k: b32 as LiteralConstant) always LITERAL, hwreg, text "{imm}, {k}" { setreg(imm, k as u32); }
    20 => S_CALL_B64             (d: u64, imm: i16 as Branch) disputed "the guide multiplies the offset in 16 bits" { d, pc = pc, pc + (imm as i64 * 4) as u64; }
    22 - => S_SUBVECTOR_LOOP_BEGIN (d: inout b32, imm: i16 as Branch) unlisted { d, exec = external(d, exec), external(d, exec); if external(d, exec) { pc = pc + (imm as i64 * 4) as u64; } }
    23 - => S_SUBVECTOR_LOOP_END   (d: inout b32, imm: i16 as Branch) unlisted { d, exec = external(d, exec), external(d, exec); if external(d, exec) { pc = pc + (imm as i64 * 4) as u64; } }
    // The register adds to the constant; NULL, as usual, adds nothing.
    24 - => S_WAITCNT_VSCNT        (s0: u32, imm: u16) internal, waits_vs, waits { }
    25 - => S_WAITCNT_VMCNT        (s0: u32, imm: u16) internal, waits_vm, waits { }
    26 - => S_WAITCNT_EXPCNT       (s0: u32, imm: u16) internal, waits_exp, waits { }
    27 - => S_WAITCNT_LGKMCNT      (s0: u32, imm: u16) internal, waits_lgkm, waits { }
}

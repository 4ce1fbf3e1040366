//! Scalar memory.

use isa::isa;

isa! {
    /// Loads of 1 to 16 dwords through the constant cache, and invalidation of caches. The address is a base (a pointer,
    /// or a buffer resource) plus a constant plus a register. Guide §15.2.1, instructions §16.6.
    format SMEM: 64 {
        SOFFSET  [63:57]: soffset: SmemSoffset,
        RESERVED [56:53, 17:15] reserved,
        OFFSET   [52:32]: offset: SmemOffset,
        ENCODING [31:26] = 0b111101,
        OP       [25:18] = opcode,
        // As LLVM has them; the guide's table puts GLC in bit 16 and DLC in bit 14 (docs/reference/disagreements.md).
        GLC      [14]:    mod glc: Flag if d else reserved,
        DLC      [13]:    mod dlc: Flag if d else reserved,
        SDATA    [12:6]:  out d | imm: SmemData,
        SBASE    [5:0]:   base: SmemBase,
    }
    operands address = (base: u64, soffset: u32, offset: i21);
    operands buffer_address = (base: b128, soffset: u32, offset: i21);
    // `unlisted`: LLVM knows the opcode, the guide does not list it.
    // `buffer`: the base is a buffer resource.
    // `invalidates`: drops what a cache holds: that of scalar memory, or with `gl1` the cache of several compute units.
    flags buffer, invalidates, gl1, unseen;
    quirks unlisted;
    text "{d}, {imm}, {base}, {soffset}{offset}{glc}{dlc}";
    run wave;
    // The two low bits of each component are ignored, those of the sum of two offsets into a buffer once.
    address mem in scalar if !buffer = (base & !3) + (soffset & !3) as u64 + (offset as u64 & !3);
    address mem in scalar if buffer = scalar_buffer_address(base, soffset as u64 + offset as u64);

    0  => S_LOAD_B32         (d: b32, ..address) also "s_load_dword" { d = mem.b32; }
    1  => S_LOAD_B64         (d: b64, ..address) also "s_load_dwordx2" { d = mem.b64; }
    2  => S_LOAD_B128        (d: b128, ..address) also "s_load_dwordx4" { d = mem.b128; }
    3  => S_LOAD_B256        (d: b256, ..address) also "s_load_dwordx8" { d = mem.b256; }
    4  => S_LOAD_B512        (d: b512, ..address) also "s_load_dwordx16" { d = mem.b512; }
    8  => S_BUFFER_LOAD_B32  (d: b32, ..buffer_address) also "s_buffer_load_dword", buffer { d = mem.b32; }
    9  => S_BUFFER_LOAD_B64  (d: b64, ..buffer_address) also "s_buffer_load_dwordx2", buffer { d = mem.b64; }
    10 => S_BUFFER_LOAD_B128 (d: b128, ..buffer_address) also "s_buffer_load_dwordx4", buffer { d = mem.b128; }
    11 => S_BUFFER_LOAD_B256 (d: b256, ..buffer_address) also "s_buffer_load_dwordx8", buffer { d = mem.b256; }
    12 => S_BUFFER_LOAD_B512 (d: b512, ..buffer_address) also "s_buffer_load_dwordx16", buffer { d = mem.b512; }
    32 => S_GL1_INV          () invalidates, gl1 { }
    33 => S_DCACHE_INV       () invalidates { }
    34 => S_ATC_PROBE        (imm: u8 as Imm7, ..address) unseen, unlisted { external(imm, base, soffset, offset); }
    35 => S_ATC_PROBE_BUFFER (imm: u8 as Imm7, ..buffer_address) buffer, unseen, unlisted { external(imm, base, soffset, offset); }
}

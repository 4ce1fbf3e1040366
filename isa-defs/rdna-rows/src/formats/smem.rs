//! Scalar memory.

use isa::isa;

isa! {
    /// Loads of 1 to 16 dwords through the constant cache, and invalidation of caches. The address is a base (a pointer,
    /// or a buffer resource) plus a constant plus a register. Guide §15.2.1, instructions §16.6.
    format SMEM: 64 of (rdna3, rdna3_5), rdna4 {
        SOFFSET  [63:57]: soffset: SmemSoffset in rdna3 | rdna3_5,
        RESERVED [56:53, 17:15] reserved in rdna3 | rdna3_5,
        OFFSET   [52:32]: offset: SmemOffset in rdna3 | rdna3_5,
        ENCODING [31:26] = 0b111101 in rdna3 | rdna3_5,
        OP       [25:18] = opcode in rdna3 | rdna3_5,
        // As LLVM has them; the guide's table puts GLC in bit 16 and DLC in bit 14 (docs/reference/disagreements.md).
        GLC      [14]:    mod glc: Flag if d else reserved in rdna3 | rdna3_5,
        DLC      [13]:    mod dlc: Flag if d else reserved in rdna3 | rdna3_5,
        SDATA    [12:6]:  out d | imm: SmemData in rdna3 | rdna3_5,
        SBASE    [5:0]:   base: SmemBase in rdna3 | rdna3_5,
        // RDNA4.
        SOFFSET  [63:57]: soffset: SmemSoffset in rdna4,
        SCALE    [56]:    mod scale_offset: Unavailable if d in rdna4,
        OFFSET   [55:32]: offset: SmemOffset24 in rdna4,
        ENCODING [31:26] = 0b111101 in rdna4,
        RESERVED [25, 19] reserved in rdna4,
        // The lower bit of TH is the field GLC here, as in other formats.
        TH       [24]:    mod th: TemporalHint if d else reserved in rdna4,
        GLC      [23]:    mod rtn: ReturnBit if d else reserved in rdna4,
        SCOPE    [22:21]: mod scope: CacheScope if d else reserved in rdna4,
        NV       [20]:    mod nv: Unavailable if d in rdna4,
        OP       [18:13] = opcode in rdna4,
        SDATA    [12:6]:  out d | imm: SmemData in rdna4,
        SBASE    [5:0]:   base: SmemBase in rdna4,
    }
    operands address = (base: u64, soffset: u32, offset: i21);
    operands address24 = (base: u64, soffset: u32, offset: i24);
    operands buffer_address24 = (base: b128, soffset: u32, offset: i24);
    operands buffer_address = (base: b128, soffset: u32, offset: i21);
    // `unlisted`: LLVM knows the opcode, the guide does not list it.
    // `buffer`: the base is a buffer resource.
    // `narrow`: loads less than a dword: a byte, or with `halfword` two.
    // `invalidates`: drops what a cache holds: that of scalar memory, or with `gl1` the cache of several compute units.
    flags buffer, narrow, halfword, invalidates, gl1, unseen;
    quirks unlisted;
    text "{d}, {imm}, {base}, {soffset}{offset}{glc}{dlc}{scale_offset}{th}{scope}{nv}";
    run wave;
    // The two low bits of each component are ignored, those of the sum of two offsets into a buffer once. Loads of two bytes ignore
    // one bit of each component, loads of a byte none (RDNA4's §8.1.1; LLVM loads bytes from any base).
    address mem in scalar if !buffer & narrow & !halfword = base + soffset as u64 + offset as u64;
    address mem in scalar if !buffer & halfword = (base & !1) + (soffset & !1) as u64 + (offset as u64 & !1);
    address mem in scalar if !buffer & !narrow = (base & !3) + (soffset & !3) as u64 + (offset as u64 & !3);
    address mem in scalar if buffer = scalar_buffer_address(base, soffset as u64 + offset as u64);

    0 - => S_LOAD_B32         (d: b32, ..address) also "s_load_dword" { d = mem.b32; }
    1 - => S_LOAD_B64         (d: b64, ..address) also "s_load_dwordx2" { d = mem.b64; }
    2 - => S_LOAD_B128        (d: b128, ..address) also "s_load_dwordx4" { d = mem.b128; }
    3 - => S_LOAD_B256        (d: b256, ..address) also "s_load_dwordx8" { d = mem.b256; }
    4 - => S_LOAD_B512        (d: b512, ..address) also "s_load_dwordx16" { d = mem.b512; }
    8 - => S_BUFFER_LOAD_B32  (d: b32, ..buffer_address) also "s_buffer_load_dword", buffer { d = mem.b32; }
    9 - => S_BUFFER_LOAD_B64  (d: b64, ..buffer_address) also "s_buffer_load_dwordx2", buffer { d = mem.b64; }
    10 - => S_BUFFER_LOAD_B128 (d: b128, ..buffer_address) also "s_buffer_load_dwordx4", buffer { d = mem.b128; }
    11 - => S_BUFFER_LOAD_B256 (d: b256, ..buffer_address) also "s_buffer_load_dwordx8", buffer { d = mem.b256; }
    12 - => S_BUFFER_LOAD_B512 (d: b512, ..buffer_address) also "s_buffer_load_dwordx16", buffer { d = mem.b512; }
    32 - => S_GL1_INV          () invalidates, gl1 { }
    33 => S_DCACHE_INV       () invalidates { }
    34 - => S_ATC_PROBE        (imm: u8 as Imm7, ..address) unseen, unlisted { external(imm, base, soffset, offset); }
    35 - => S_ATC_PROBE_BUFFER (imm: u8 as Imm7, ..buffer_address) buffer, unseen, unlisted { external(imm, base, soffset, offset); }

    // RDNA4. The guide has no name for the prefetches beyond these: PC_REL has the address of the next instruction for a base.
    - 0 => S_LOAD_B32 (d: b32, ..address24) also "s_load_dword" { d = mem.b32; }
    - 1 => S_LOAD_B64 (d: b64, ..address24) also "s_load_dwordx2" { d = mem.b64; }
    - 2 => S_LOAD_B128 (d: b128, ..address24) also "s_load_dwordx4" { d = mem.b128; }
    - 3 => S_LOAD_B256 (d: b256, ..address24) also "s_load_dwordx8" { d = mem.b256; }
    - 4 => S_LOAD_B512 (d: b512, ..address24) also "s_load_dwordx16" { d = mem.b512; }
    - 5 => S_LOAD_B96 (d: b96, ..address24) { d = mem.b96; }
    - 8 => S_LOAD_I8 (d: i32, ..address24) narrow { d = mem.i8 as i32; }
    - 9 => S_LOAD_U8 (d: u32, ..address24) narrow { d = mem.u8 as u32; }
    - 10 => S_LOAD_I16 (d: i32, ..address24) narrow, halfword { d = mem.i16 as i32; }
    - 11 => S_LOAD_U16 (d: u32, ..address24) narrow, halfword { d = mem.u16 as u32; }
    - 16 => S_BUFFER_LOAD_B32 (d: b32, ..buffer_address24) also "s_buffer_load_dword", buffer { d = mem.b32; }
    - 17 => S_BUFFER_LOAD_B64 (d: b64, ..buffer_address24) also "s_buffer_load_dwordx2", buffer { d = mem.b64; }
    - 18 => S_BUFFER_LOAD_B128 (d: b128, ..buffer_address24) also "s_buffer_load_dwordx4", buffer { d = mem.b128; }
    - 19 => S_BUFFER_LOAD_B256 (d: b256, ..buffer_address24) also "s_buffer_load_dwordx8", buffer { d = mem.b256; }
    - 20 => S_BUFFER_LOAD_B512 (d: b512, ..buffer_address24) also "s_buffer_load_dwordx16", buffer { d = mem.b512; }
    - 21 => S_BUFFER_LOAD_B96 (d: b96, ..buffer_address24) buffer { d = mem.b96; }
    - 24 => S_BUFFER_LOAD_I8 (d: i32, ..buffer_address24) buffer, narrow { d = mem.i8 as i32; }
    - 25 => S_BUFFER_LOAD_U8 (d: u32, ..buffer_address24) buffer, narrow { d = mem.u8 as u32; }
    - 26 => S_BUFFER_LOAD_I16 (d: i32, ..buffer_address24) buffer, narrow, halfword { d = mem.i16 as i32; }
    - 27 => S_BUFFER_LOAD_U16 (d: u32, ..buffer_address24) buffer, narrow, halfword { d = mem.u16 as u32; }
    - 34 => S_ATC_PROBE (imm: u8 as PrefetchLength, ..address24) unseen, unlisted { external(imm, base, soffset, offset); }
    - 35 => S_ATC_PROBE_BUFFER (imm: u8 as PrefetchLength, ..buffer_address24) buffer, unseen, unlisted { external(imm, base, soffset, offset); }
    - 36 => S_PREFETCH_INST (imm: u8 as PrefetchLength, base: u64, soffset: u32 as SmemRegister, offset: i24 as SmemConstant) text "{base}, {offset}, {soffset}, {imm}" { external(imm, base, soffset, offset); }
    - 37 => S_PREFETCH_INST_PC_REL (imm: u8 as PrefetchLength, soffset: u32 as SmemRegister, offset: i24 as SmemConstant) text "{offset}, {soffset}, {imm}" { external(imm, soffset, offset); }
    - 38 => S_PREFETCH_DATA (imm: u8 as PrefetchLength, base: u64, soffset: u32 as SmemRegister, offset: i24 as SmemConstant) text "{base}, {offset}, {soffset}, {imm}" { external(imm, base, soffset, offset); }
    - 39 => S_BUFFER_PREFETCH_DATA (imm: u8 as PrefetchLength, base: b128, soffset: u32 as SmemRegister, offset: i24 as SmemConstant) buffer, text "{base}, {offset}, {soffset}, {imm}" { external(imm, base, soffset, offset); }
    - 40 => S_PREFETCH_DATA_PC_REL (imm: u8 as PrefetchLength, soffset: u32 as SmemRegister, offset: i24 as SmemConstant) text "{offset}, {soffset}, {imm}" { external(imm, soffset, offset); }
}

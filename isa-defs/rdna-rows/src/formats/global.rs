//! Accesses to global memory.

use isa::isa;

isa! {
    /// Loads, stores and atomics on global memory. The address is a pair of vector registers, or a pair of scalar
    /// registers plus a 32-bit offset in a vector register. Guide §15.9.2 (fields §15.9.1), instructions §16.20.3.
    format GLOBAL: 64 96 of (rdna3, rdna3_5), rdna4 {
        OFFSET   [12:0]:  mod offset: SignedOffset in rdna3 | rdna3_5,
        DLC      [13]:    mod dlc: Flag in rdna3 | rdna3_5,
        GLC      [14]:    mod glc: Flag in rdna3 | rdna3_5,
        SLC      [15]:    mod slc: Flag in rdna3 | rdna3_5,
        SEG      [17:16] = 0b10 in rdna3 | rdna3_5,
        OP       [24:18] = opcode in rdna3 | rdna3_5,
        RESERVED [25]     reserved in rdna3 | rdna3_5,
        ENCODING [31:26] = 0b110111 in rdna3 | rdna3_5,
        ADDR     [39:32]: addr: GlobalAddr in rdna3 | rdna3_5,
        DATA     [47:40]: data: DataVgpr in rdna3 | rdna3_5,
        SADDR    [54:48]: saddr: GlobalSaddr in rdna3 | rdna3_5,
        SVE      [55]     reserved in rdna3 | rdna3_5,
        VDST     [63:56]: out d: DataVgpr in rdna3 | rdna3_5,
        // RDNA4, whose guide calls the format VGLOBAL. The lowest bit of TH is the field GLC here; it
        // says of an atomic whether it returns a value.
        SADDR    [6:0]:   saddr: GlobalSaddr else reserved = 0x7C in rdna4,
        NV       [7]:     mod nv: Unavailable in rdna4,
        RESERVED [63, 47:40, 23:21, 13:8] reserved in rdna4,
        OP       [20:14] = opcode in rdna4,
        ENCODING [31:24] = 0b11101110 in rdna4,
        VDST     [39:32]: out d: DataVgpr in rdna4,
        SCALE    [48]:    mod scale_offset: Unavailable in rdna4,
        SVE      [49]     reserved in rdna4,
        SCOPE    [51:50]: mod scope: CacheScope in rdna4,
        GLC      [52]:    mod rtn: ReturnBit in rdna4,
        TH       [54:53]: mod th: TemporalHint in rdna4,
        VSRC     [62:55]: data: DataVgpr in rdna4,
        VADDR    [71:64]: addr: GlobalAddr in rdna4,
        IOFFSET  [95:72]: mod offset: Offset24 if !(invalidates | writes_back) in rdna4,
    }
    // `d16_hi`: what is moved stands in the high half of its register.
    // `llvm_lacks`: the guide lists the opcode, LLVM does not know it; it is written as its neighbours are.
    // `must_return`: GLC has to be set.
    // `invalidates`, `writes_back`: drops what caches hold, writes it to memory.
    // `atomic`, `store`: reads, changes and writes memory; writes it.
    flags must_return, invalidates, writes_back, d16_hi = high_half, atomic = updates, store = stores;
    quirks llvm_lacks;
    text "{d}, {addr}, {data}, {saddr}{offset}{glc}{slc}{dlc}{scale_offset}{th}{scope}{nv}";
    run lanes;
    address mem in global if addr & !rdna4 = global_address(addr, saddr, offset as i13 as i64);
    address mem in global if !addr & !rdna4 = saddr + offset as i13 as u64 + lane_id() as u64 * 4;
    address mem in global if addr & rdna4 = global_address(addr, saddr, offset as i24 as i64);
    address mem in global if !addr & rdna4 = saddr + offset as i24 as u64 + lane_id() as u64 * 4;

    16 => GLOBAL_LOAD_U8             (d: u32, addr: u64, saddr: u64) also "global_load_ubyte" { d = mem.u8 as u32; }
    17 => GLOBAL_LOAD_I8             (d: i32, addr: u64, saddr: u64) also "global_load_sbyte" { d = mem.i8 as i32; }
    18 => GLOBAL_LOAD_U16            (d: u32, addr: u64, saddr: u64) also "global_load_ushort" { d = mem.u16 as u32; }
    19 => GLOBAL_LOAD_I16            (d: i32, addr: u64, saddr: u64) also "global_load_sshort" { d = mem.i16 as i32; }
    20 => GLOBAL_LOAD_B32            (d: b32, addr: u64, saddr: u64) also "global_load_dword" { d = mem.b32; }
    21 => GLOBAL_LOAD_B64            (d: b64, addr: u64, saddr: u64) also "global_load_dwordx2" { d = mem.b64; }
    22 => GLOBAL_LOAD_B96            (d: b96, addr: u64, saddr: u64) also "global_load_dwordx3" { d = mem.b96; }
    23 => GLOBAL_LOAD_B128           (d: b128, addr: u64, saddr: u64) also "global_load_dwordx4" { d = mem.b128; }
    24 => GLOBAL_STORE_B8            (addr: u64, data: b8, saddr: u64) also "global_store_byte" { mem.b8 = data; }
    25 => GLOBAL_STORE_B16           (addr: u64, data: b16, saddr: u64) also "global_store_short" { mem.b16 = data; }
    26 => GLOBAL_STORE_B32           (addr: u64, data: b32, saddr: u64) also "global_store_dword" { mem.b32 = data; }
    27 => GLOBAL_STORE_B64           (addr: u64, data: b64, saddr: u64) also "global_store_dwordx2" { mem.b64 = data; }
    28 => GLOBAL_STORE_B96           (addr: u64, data: b96, saddr: u64) also "global_store_dwordx3" { mem.b96 = data; }
    29 => GLOBAL_STORE_B128          (addr: u64, data: b128, saddr: u64) also "global_store_dwordx4" { mem.b128 = data; }
    30 => GLOBAL_LOAD_D16_U8         (d: u16, addr: u64, saddr: u64) also "global_load_ubyte_d16" { d = mem.u8 as u16; }
    31 => GLOBAL_LOAD_D16_I8         (d: i16, addr: u64, saddr: u64) also "global_load_sbyte_d16" { d = mem.i8 as i16; }
    32 => GLOBAL_LOAD_D16_B16        (d: b16, addr: u64, saddr: u64) also "global_load_short_d16" { d = mem.b16; }
    33 => GLOBAL_LOAD_D16_HI_U8      (d: u16, addr: u64, saddr: u64) also "global_load_ubyte_d16_hi" { d.hi = mem.u8 as u16; }
    34 => GLOBAL_LOAD_D16_HI_I8      (d: i16, addr: u64, saddr: u64) also "global_load_sbyte_d16_hi" { d.hi = mem.i8 as i16; }
    35 => GLOBAL_LOAD_D16_HI_B16     (d: b16, addr: u64, saddr: u64) also "global_load_short_d16_hi" { d.hi = mem.b16; }
    36 => GLOBAL_STORE_D16_HI_B8     (addr: u64, data: b8, saddr: u64) also "global_store_byte_d16_hi" { mem.b8 = data.hi; }
    37 => GLOBAL_STORE_D16_HI_B16    (addr: u64, data: b16, saddr: u64) also "global_store_short_d16_hi" { mem.b16 = data.hi; }
    40 => GLOBAL_LOAD_ADDTID_B32     (d: b32, saddr: u64) also "global_load_dword_addtid" in rdna4 { d = mem.b32; }
    41 => GLOBAL_STORE_ADDTID_B32    (data: b32, saddr: u64) also "global_store_dword_addtid" in rdna4 { mem.b32 = data; }
    42 - => GLOBAL_LOAD_LDS_ADDTID_B32 (saddr: u64) llvm_lacks { lds[m0[15:0] as u32 + offset as i13 as u32 + lane_id() * 4].b32 = mem.b32; }
    for loaded in [45 U8 { mem.u8 as u32 as b32 }, 46 I8 { mem.i8 as i32 as b32 }, 47 U16 { mem.u16 as u32 as b32 }, 48 I16 { mem.i16 as i32 as b32 },
                   49 B32 { mem.b32 }] {
        0 + loaded - => GLOBAL_LOAD_LDS_{loaded} (addr: u64, saddr: u64) llvm_lacks { lds[m0[15:0] as u32 + offset as i13 as u32 + lane_id() * 4].b32 = loaded; }
    }
    51 => GLOBAL_ATOMIC_SWAP_B32     (d: b32 if GLC, addr: u64, data: b32, saddr: u64) also "global_atomic_swap" { d = rmw(mem.b32, |m| data); }
    52 => GLOBAL_ATOMIC_CMPSWAP_B32  (d: b32 if GLC, addr: u64, data: b32x2, saddr: u64) also "global_atomic_cmpswap" { d = rmw(mem.b32, |m| if m == data[1] { data[0] } else { m }); }
    53 => GLOBAL_ATOMIC_ADD_U32      (d: u32 if GLC, addr: u64, data: u32, saddr: u64) also "global_atomic_add" { d = rmw(mem.u32, |m| m + data); }
    54 => GLOBAL_ATOMIC_SUB_U32      (d: u32 if GLC, addr: u64, data: u32, saddr: u64) also "global_atomic_sub" { d = rmw(mem.u32, |m| m - data); }
    55 => GLOBAL_ATOMIC_CSUB_U32     (d: u32 if GLC, addr: u64, data: u32, saddr: u64) named GLOBAL_ATOMIC_SUB_CLAMP_U32 in rdna4, must_return, also "global_atomic_csub" { d = rmw(mem.u32, |m| if m < data { 0 } else { m - data }); }
    56 => GLOBAL_ATOMIC_MIN_I32      (d: i32 if GLC, addr: u64, data: i32, saddr: u64) also "global_atomic_smin" { d = rmw(mem.i32, |m| min(m, data)); }
    57 => GLOBAL_ATOMIC_MIN_U32      (d: u32 if GLC, addr: u64, data: u32, saddr: u64) also "global_atomic_umin" { d = rmw(mem.u32, |m| min(m, data)); }
    58 => GLOBAL_ATOMIC_MAX_I32      (d: i32 if GLC, addr: u64, data: i32, saddr: u64) also "global_atomic_smax" { d = rmw(mem.i32, |m| max(m, data)); }
    59 => GLOBAL_ATOMIC_MAX_U32      (d: u32 if GLC, addr: u64, data: u32, saddr: u64) also "global_atomic_umax" { d = rmw(mem.u32, |m| max(m, data)); }
    60 => GLOBAL_ATOMIC_AND_B32      (d: b32 if GLC, addr: u64, data: b32, saddr: u64) also "global_atomic_and" { d = rmw(mem.b32, |m| m & data); }
    61 => GLOBAL_ATOMIC_OR_B32       (d: b32 if GLC, addr: u64, data: b32, saddr: u64) also "global_atomic_or" { d = rmw(mem.b32, |m| m | data); }
    62 => GLOBAL_ATOMIC_XOR_B32      (d: b32 if GLC, addr: u64, data: b32, saddr: u64) also "global_atomic_xor" { d = rmw(mem.b32, |m| m ^ data); }
    63 => GLOBAL_ATOMIC_INC_U32      (d: u32 if GLC, addr: u64, data: u32, saddr: u64) also "global_atomic_inc" { d = rmw(mem.u32, |m| if m >= data { 0 } else { m + 1 }); }
    64 => GLOBAL_ATOMIC_DEC_U32      (d: u32 if GLC, addr: u64, data: u32, saddr: u64) also "global_atomic_dec" { d = rmw(mem.u32, |m| if m == 0 || m > data { data } else { m - 1 }); }
    65 => GLOBAL_ATOMIC_SWAP_B64     (d: b64 if GLC, addr: u64, data: b64, saddr: u64) also "global_atomic_swap_x2" { d = rmw(mem.b64, |m| data); }
    66 => GLOBAL_ATOMIC_CMPSWAP_B64  (d: b64 if GLC, addr: u64, data: b64x2, saddr: u64) also "global_atomic_cmpswap_x2" { d = rmw(mem.b64, |m| if m == data[1] { data[0] } else { m }); }
    67 => GLOBAL_ATOMIC_ADD_U64      (d: u64 if GLC, addr: u64, data: u64, saddr: u64) also "global_atomic_add_x2" { d = rmw(mem.u64, |m| m + data); }
    68 => GLOBAL_ATOMIC_SUB_U64      (d: u64 if GLC, addr: u64, data: u64, saddr: u64) also "global_atomic_sub_x2" { d = rmw(mem.u64, |m| m - data); }
    69 => GLOBAL_ATOMIC_MIN_I64      (d: i64 if GLC, addr: u64, data: i64, saddr: u64) also "global_atomic_smin_x2" { d = rmw(mem.i64, |m| min(m, data)); }
    70 => GLOBAL_ATOMIC_MIN_U64      (d: u64 if GLC, addr: u64, data: u64, saddr: u64) also "global_atomic_umin_x2" { d = rmw(mem.u64, |m| min(m, data)); }
    71 => GLOBAL_ATOMIC_MAX_I64      (d: i64 if GLC, addr: u64, data: i64, saddr: u64) also "global_atomic_smax_x2" { d = rmw(mem.i64, |m| max(m, data)); }
    72 => GLOBAL_ATOMIC_MAX_U64      (d: u64 if GLC, addr: u64, data: u64, saddr: u64) also "global_atomic_umax_x2" { d = rmw(mem.u64, |m| max(m, data)); }
    73 => GLOBAL_ATOMIC_AND_B64      (d: b64 if GLC, addr: u64, data: b64, saddr: u64) also "global_atomic_and_x2" { d = rmw(mem.b64, |m| m & data); }
    74 => GLOBAL_ATOMIC_OR_B64       (d: b64 if GLC, addr: u64, data: b64, saddr: u64) also "global_atomic_or_x2" { d = rmw(mem.b64, |m| m | data); }
    75 => GLOBAL_ATOMIC_XOR_B64      (d: b64 if GLC, addr: u64, data: b64, saddr: u64) also "global_atomic_xor_x2" { d = rmw(mem.b64, |m| m ^ data); }
    76 => GLOBAL_ATOMIC_INC_U64      (d: u64 if GLC, addr: u64, data: u64, saddr: u64) also "global_atomic_inc_x2" { d = rmw(mem.u64, |m| if m >= data { 0 } else { m + 1 }); }
    77 => GLOBAL_ATOMIC_DEC_U64      (d: u64 if GLC, addr: u64, data: u64, saddr: u64) also "global_atomic_dec_x2" { d = rmw(mem.u64, |m| if m == 0 || m > data { data } else { m - 1 }); }
    80 - => GLOBAL_ATOMIC_CMPSWAP_F32  (d: f32 if GLC, addr: u64, data: f32x2, saddr: u64) also "global_atomic_fcmpswap" { d = rmw(mem.f32, |m| if m == data[1] { data[0] } else { m }); }
    81 - => GLOBAL_ATOMIC_MIN_F32      (d: f32 if GLC, addr: u64, data: f32, saddr: u64) also "global_atomic_fmin" { d = rmw(mem.f32, |m| min(m, data)); }
    - 81 => GLOBAL_ATOMIC_MIN_NUM_F32 (d: f32 if GLC, addr: u64, data: f32, saddr: u64) also "global_atomic_min_f32", also "global_atomic_fmin" { d = rmw(mem.f32, |m| min(max(data, data), max(m, m))); }
    82 - => GLOBAL_ATOMIC_MAX_F32      (d: f32 if GLC, addr: u64, data: f32, saddr: u64) also "global_atomic_fmax" { d = rmw(mem.f32, |m| max(m, data)); }
    - 82 => GLOBAL_ATOMIC_MAX_NUM_F32 (d: f32 if GLC, addr: u64, data: f32, saddr: u64) also "global_atomic_max_f32", also "global_atomic_fmax" { d = rmw(mem.f32, |m| max(max(data, data), max(m, m))); }
    86 => GLOBAL_ATOMIC_ADD_F32      (d: f32 if GLC, addr: u64, data: f32, saddr: u64) { d = rmw(mem.f32, |m| m + data); }
    43  => GLOBAL_INV                    () in rdna4, invalidates { }
    44  => GLOBAL_WB                     () in rdna4, writes_back { }
    79  => GLOBAL_WBINV                  () in rdna4, invalidates, writes_back { }
    80  => GLOBAL_ATOMIC_COND_SUB_U32    (d: u32 if GLC, addr: u64, data: u32, saddr: u64) in rdna4 { d = rmw(mem.u32, |m| if m >= data { m - data } else { m }); }
    // M0 says which of the 32 registers are moved.
    83  => GLOBAL_LOAD_BLOCK             (d: inout b32x32, addr: u64, saddr: u64) in rdna4 { d = load_block(m0, mem.b32x32, d); }
    84  => GLOBAL_STORE_BLOCK            (addr: u64, data: b32x32, saddr: u64) in rdna4 { mem.b32x32 = store_block(m0, data); }
    // The loads transpose a matrix of 16 x 16 elements of 16 or 8 bits.
    87  => GLOBAL_LOAD_TR_B128           (d: b128 as TransposedDst, addr: u64, saddr: u64) in rdna4 { d = transpose_b16(mem.b128); }
    88  => GLOBAL_LOAD_TR_B64            (d: b64 as TransposedDst, addr: u64, saddr: u64) in rdna4 { d = transpose_b8(mem.b64); }
    89  => GLOBAL_ATOMIC_PK_ADD_F16      (d: f16x2 if GLC, addr: u64, data: f16x2, saddr: u64) in rdna4 { d = rmw(mem.f16x2, |m| m + data); }
    90  => GLOBAL_ATOMIC_PK_ADD_BF16     (d: bf16x2 if GLC, addr: u64, data: bf16x2, saddr: u64) in rdna4 { d = rmw(mem.bf16x2, |m| m + data); }
    115 => GLOBAL_ATOMIC_ORDERED_ADD_B64 (d: u64 if GLC, addr: u64, data: u64, saddr: u64) in rdna4 { d = rmw(mem.u64, |m| external(m, data)); }
}

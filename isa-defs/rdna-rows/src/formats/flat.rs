//! Memory accesses through flat addresses.

use isa::isa;

isa! {
    /// Loads, stores and atomics whose 64-bit address in registers says by itself whether it means global, scratch or
    /// LDS memory. Guide §15.9.1, instructions §16.20.1.
    format FLAT: 64 96 of (rdna3, rdna3_5), rdna4 {
        OFFSET   [12:0]:  mod offset: FlatOffset in rdna3 | rdna3_5,
        DLC      [13]:    mod dlc: Flag in rdna3 | rdna3_5,
        GLC      [14]:    mod glc: Flag in rdna3 | rdna3_5,
        SLC      [15]:    mod slc: Flag in rdna3 | rdna3_5,
        SEG      [17:16] = 0b00 in rdna3 | rdna3_5,
        OP       [24:18] = opcode in rdna3 | rdna3_5,
        RESERVED [25]     reserved in rdna3 | rdna3_5,
        ENCODING [31:26] = 0b110111 in rdna3 | rdna3_5,
        ADDR     [39:32]: addr: DataVgpr in rdna3 | rdna3_5,
        DATA     [47:40]: data: DataVgpr in rdna3 | rdna3_5,
        SADDR    [54:48]  reserved = 0x7C in rdna3 | rdna3_5,
        SVE      [55]     reserved in rdna3 | rdna3_5,
        VDST     [63:56]: out d: DataVgpr in rdna3 | rdna3_5,
        // RDNA4, whose guide calls the format VFLAT. The lowest bit of TH is the field GLC here; it
        // says of an atomic whether it returns a value.
        SADDR    [6:0]   reserved = 0x7C in rdna4,
        NV       [7]:     mod nv: Unavailable in rdna4,
        RESERVED [63, 47:40, 23:21, 13:8] reserved in rdna4,
        OP       [20:14] = opcode in rdna4,
        ENCODING [31:24] = 0b11101100 in rdna4,
        VDST     [39:32]: out d: DataVgpr in rdna4,
        SCALE    [48]:    mod scale_offset: Unavailable in rdna4,
        SVE      [49]     reserved in rdna4,
        SCOPE    [51:50]: mod scope: CacheScope in rdna4,
        GLC      [52]:    mod rtn: ReturnBit in rdna4,
        TH       [54:53]: mod th: TemporalHint in rdna4,
        VSRC     [62:55]: data: DataVgpr in rdna4,
        VADDR    [71:64]: addr: DataVgpr in rdna4,
        IOFFSET  [95:72]: mod offset: Offset24 in rdna4,
    }
    // `d16_hi`: what is moved stands in the high half of its register.
    flags d16_hi = high_half, atomic = updates, store = stores;
    text "{d}, {addr}, {data}{offset}{glc}{slc}{dlc}{scale_offset}{th}{scope}{nv}";
    run lanes;
    address mem in flat if !rdna4 = addr + offset as u64;
    address mem in flat if rdna4 = addr + offset as i24 as u64;

    16 => FLAT_LOAD_U8            (d: u32, addr: u64) also "flat_load_ubyte" { d = mem.u8 as u32; }
    17 => FLAT_LOAD_I8            (d: i32, addr: u64) also "flat_load_sbyte" { d = mem.i8 as i32; }
    18 => FLAT_LOAD_U16           (d: u32, addr: u64) also "flat_load_ushort" { d = mem.u16 as u32; }
    19 => FLAT_LOAD_I16           (d: i32, addr: u64) also "flat_load_sshort" { d = mem.i16 as i32; }
    20 => FLAT_LOAD_B32           (d: b32, addr: u64) also "flat_load_dword" { d = mem.b32; }
    21 => FLAT_LOAD_B64           (d: b64, addr: u64) also "flat_load_dwordx2" { d = mem.b64; }
    22 => FLAT_LOAD_B96           (d: b96, addr: u64) also "flat_load_dwordx3" { d = mem.b96; }
    23 => FLAT_LOAD_B128          (d: b128, addr: u64) also "flat_load_dwordx4" { d = mem.b128; }
    24 => FLAT_STORE_B8           (addr: u64, data: b8) also "flat_store_byte" { mem.b8 = data; }
    25 => FLAT_STORE_B16          (addr: u64, data: b16) also "flat_store_short" { mem.b16 = data; }
    26 => FLAT_STORE_B32          (addr: u64, data: b32) also "flat_store_dword" { mem.b32 = data; }
    27 => FLAT_STORE_B64          (addr: u64, data: b64) also "flat_store_dwordx2" { mem.b64 = data; }
    28 => FLAT_STORE_B96          (addr: u64, data: b96) also "flat_store_dwordx3" { mem.b96 = data; }
    29 => FLAT_STORE_B128         (addr: u64, data: b128) also "flat_store_dwordx4" { mem.b128 = data; }
    30 => FLAT_LOAD_D16_U8        (d: u16, addr: u64) also "flat_load_ubyte_d16" { d = mem.u8 as u16; }
    31 => FLAT_LOAD_D16_I8        (d: i16, addr: u64) also "flat_load_sbyte_d16" { d = mem.i8 as i16; }
    32 => FLAT_LOAD_D16_B16       (d: b16, addr: u64) also "flat_load_short_d16" { d = mem.b16; }
    33 => FLAT_LOAD_D16_HI_U8     (d: u16, addr: u64) also "flat_load_ubyte_d16_hi" { d.hi = mem.u8 as u16; }
    34 => FLAT_LOAD_D16_HI_I8     (d: i16, addr: u64) also "flat_load_sbyte_d16_hi" { d.hi = mem.i8 as i16; }
    35 => FLAT_LOAD_D16_HI_B16    (d: b16, addr: u64) also "flat_load_short_d16_hi" { d.hi = mem.b16; }
    36 => FLAT_STORE_D16_HI_B8    (addr: u64, data: b8) also "flat_store_byte_d16_hi" { mem.b8 = data.hi; }
    37 => FLAT_STORE_D16_HI_B16   (addr: u64, data: b16) also "flat_store_short_d16_hi" { mem.b16 = data.hi; }
    51 => FLAT_ATOMIC_SWAP_B32    (d: b32 if GLC, addr: u64, data: b32) also "flat_atomic_swap" { d = rmw(mem.b32, |m| data); }
    52 => FLAT_ATOMIC_CMPSWAP_B32 (d: b32 if GLC, addr: u64, data: b32x2) also "flat_atomic_cmpswap" { d = rmw(mem.b32, |m| if m == data[1] { data[0] } else { m }); }
    53 => FLAT_ATOMIC_ADD_U32     (d: u32 if GLC, addr: u64, data: u32) also "flat_atomic_add" { d = rmw(mem.u32, |m| m + data); }
    54 => FLAT_ATOMIC_SUB_U32     (d: u32 if GLC, addr: u64, data: u32) also "flat_atomic_sub" { d = rmw(mem.u32, |m| m - data); }
    56 => FLAT_ATOMIC_MIN_I32     (d: i32 if GLC, addr: u64, data: i32) also "flat_atomic_smin" { d = rmw(mem.i32, |m| min(m, data)); }
    57 => FLAT_ATOMIC_MIN_U32     (d: u32 if GLC, addr: u64, data: u32) also "flat_atomic_umin" { d = rmw(mem.u32, |m| min(m, data)); }
    58 => FLAT_ATOMIC_MAX_I32     (d: i32 if GLC, addr: u64, data: i32) also "flat_atomic_smax" { d = rmw(mem.i32, |m| max(m, data)); }
    59 => FLAT_ATOMIC_MAX_U32     (d: u32 if GLC, addr: u64, data: u32) also "flat_atomic_umax" { d = rmw(mem.u32, |m| max(m, data)); }
    60 => FLAT_ATOMIC_AND_B32     (d: b32 if GLC, addr: u64, data: b32) also "flat_atomic_and" { d = rmw(mem.b32, |m| m & data); }
    61 => FLAT_ATOMIC_OR_B32      (d: b32 if GLC, addr: u64, data: b32) also "flat_atomic_or" { d = rmw(mem.b32, |m| m | data); }
    62 => FLAT_ATOMIC_XOR_B32     (d: b32 if GLC, addr: u64, data: b32) also "flat_atomic_xor" { d = rmw(mem.b32, |m| m ^ data); }
    63 => FLAT_ATOMIC_INC_U32     (d: u32 if GLC, addr: u64, data: u32) also "flat_atomic_inc" { d = rmw(mem.u32, |m| if m >= data { 0 } else { m + 1 }); }
    64 => FLAT_ATOMIC_DEC_U32     (d: u32 if GLC, addr: u64, data: u32) also "flat_atomic_dec" { d = rmw(mem.u32, |m| if m == 0 || m > data { data } else { m - 1 }); }
    65 => FLAT_ATOMIC_SWAP_B64    (d: b64 if GLC, addr: u64, data: b64) also "flat_atomic_swap_x2" { d = rmw(mem.b64, |m| data); }
    66 => FLAT_ATOMIC_CMPSWAP_B64 (d: b64 if GLC, addr: u64, data: b64x2) also "flat_atomic_cmpswap_x2" { d = rmw(mem.b64, |m| if m == data[1] { data[0] } else { m }); }
    67 => FLAT_ATOMIC_ADD_U64     (d: u64 if GLC, addr: u64, data: u64) also "flat_atomic_add_x2" { d = rmw(mem.u64, |m| m + data); }
    68 => FLAT_ATOMIC_SUB_U64     (d: u64 if GLC, addr: u64, data: u64) also "flat_atomic_sub_x2" { d = rmw(mem.u64, |m| m - data); }
    69 => FLAT_ATOMIC_MIN_I64     (d: i64 if GLC, addr: u64, data: i64) also "flat_atomic_smin_x2" { d = rmw(mem.i64, |m| min(m, data)); }
    70 => FLAT_ATOMIC_MIN_U64     (d: u64 if GLC, addr: u64, data: u64) also "flat_atomic_umin_x2" { d = rmw(mem.u64, |m| min(m, data)); }
    71 => FLAT_ATOMIC_MAX_I64     (d: i64 if GLC, addr: u64, data: i64) also "flat_atomic_smax_x2" { d = rmw(mem.i64, |m| max(m, data)); }
    72 => FLAT_ATOMIC_MAX_U64     (d: u64 if GLC, addr: u64, data: u64) also "flat_atomic_umax_x2" { d = rmw(mem.u64, |m| max(m, data)); }
    73 => FLAT_ATOMIC_AND_B64     (d: b64 if GLC, addr: u64, data: b64) also "flat_atomic_and_x2" { d = rmw(mem.b64, |m| m & data); }
    74 => FLAT_ATOMIC_OR_B64      (d: b64 if GLC, addr: u64, data: b64) also "flat_atomic_or_x2" { d = rmw(mem.b64, |m| m | data); }
    75 => FLAT_ATOMIC_XOR_B64     (d: b64 if GLC, addr: u64, data: b64) also "flat_atomic_xor_x2" { d = rmw(mem.b64, |m| m ^ data); }
    76 => FLAT_ATOMIC_INC_U64     (d: u64 if GLC, addr: u64, data: u64) also "flat_atomic_inc_x2" { d = rmw(mem.u64, |m| if m >= data { 0 } else { m + 1 }); }
    77 => FLAT_ATOMIC_DEC_U64     (d: u64 if GLC, addr: u64, data: u64) also "flat_atomic_dec_x2" { d = rmw(mem.u64, |m| if m == 0 || m > data { data } else { m - 1 }); }
    80 - => FLAT_ATOMIC_CMPSWAP_F32 (d: f32 if GLC, addr: u64, data: f32x2) also "flat_atomic_fcmpswap" { d = rmw(mem.f32, |m| if m == data[1] { data[0] } else { m }); }
    81 - => FLAT_ATOMIC_MIN_F32     (d: f32 if GLC, addr: u64, data: f32) also "flat_atomic_fmin" { d = rmw(mem.f32, |m| min(m, data)); }
    - 81 => FLAT_ATOMIC_MIN_NUM_F32 (d: f32 if GLC, addr: u64, data: f32) also "flat_atomic_min_f32", also "flat_atomic_fmin" { d = rmw(mem.f32, |m| min(max(data, data), max(m, m))); }
    82 - => FLAT_ATOMIC_MAX_F32     (d: f32 if GLC, addr: u64, data: f32) also "flat_atomic_fmax" { d = rmw(mem.f32, |m| max(m, data)); }
    - 82 => FLAT_ATOMIC_MAX_NUM_F32 (d: f32 if GLC, addr: u64, data: f32) also "flat_atomic_max_f32", also "flat_atomic_fmax" { d = rmw(mem.f32, |m| max(max(data, data), max(m, m))); }
    86 => FLAT_ATOMIC_ADD_F32     (d: f32 if GLC, addr: u64, data: f32) { d = rmw(mem.f32, |m| m + data); }
    55 => FLAT_ATOMIC_SUB_CLAMP_U32 (d: u32 if GLC, addr: u64, data: u32) in rdna4, also "flat_atomic_csub_u32" { d = rmw(mem.u32, |m| if m < data { 0 } else { m - data }); }
    80 => FLAT_ATOMIC_COND_SUB_U32 (d: u32 if GLC, addr: u64, data: u32) in rdna4 { d = rmw(mem.u32, |m| if m >= data { m - data } else { m }); }
    89 => FLAT_ATOMIC_PK_ADD_F16  (d: f16x2 if GLC, addr: u64, data: f16x2) in rdna4 { d = rmw(mem.f16x2, |m| m + data); }
    90 => FLAT_ATOMIC_PK_ADD_BF16 (d: bf16x2 if GLC, addr: u64, data: bf16x2) in rdna4 { d = rmw(mem.bf16x2, |m| m + data); }
}

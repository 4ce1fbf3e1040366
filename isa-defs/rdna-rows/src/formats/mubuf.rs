//! Untyped buffer accesses.

use isa::isa;

isa! {
    /// Loads, stores and atomics on memory that a buffer resource describes: its base, stride, size and, for the
    /// `FORMAT` instructions, the format of its elements. The address adds an index and an offset from registers, a
    /// scalar offset and a constant one. Guide §15.7.2, instructions §16.16.
    format MUBUF: 64 96 of (rdna3, rdna3_5), rdna4 {
        OFFSET   [11:0]:  mod offset: BufferOffset if rsrc in rdna3 | rdna3_5,
        SLC      [12]:    mod slc: Flag if rsrc in rdna3 | rdna3_5,
        DLC      [13]:    mod dlc: Flag if rsrc else reserved in rdna3 | rdna3_5,
        GLC      [14]:    mod glc: Flag if rsrc else reserved in rdna3 | rdna3_5,
        RESERVED [17:15]  reserved in rdna3 | rdna3_5,
        OP       [25:18] = opcode in rdna3 | rdna3_5,
        ENCODING [31:26] = 0b111000 in rdna3 | rdna3_5,
        VADDR    [39:32]: addr: BufferAddr in rdna3 | rdna3_5,
        VDATA    [47:40]: data | out d: BufferData in rdna3 | rdna3_5,
        SRSRC    [52:48]: rsrc: ResourceSgprs in rdna3 | rdna3_5,
        TFE      [53]:    mod tfe: Switch if rsrc & !atomic else reserved in rdna3 | rdna3_5,
        OFFEN    [54]:    mod offen: Switch if rsrc else reserved in rdna3 | rdna3_5,
        IDXEN    [55]:    mod idxen: Switch if rsrc else reserved in rdna3 | rdna3_5,
        SOFFSET  [63:56]: soffset: BufferSoffset in rdna3 | rdna3_5,
        // RDNA4, whose guide calls both formats VBUFFER; bit 21 tells them apart. The lowest bit of TH is the field
        // GLC here; it says of an atomic whether it returns a value.
        SOFFSET  [6:0]:   soffset: BufferRegister in rdna4,
        NV       [7]:     mod nv: Unavailable in rdna4,
        RESERVED [49:48, 40, 25:23, 13:8] reserved in rdna4,
        OP       [20:14] = opcode in rdna4,
        TYPED    [21] = 0b0 in rdna4,
        TFE      [22]:    mod tfe: Switch if !atomic else reserved in rdna4,
        ENCODING [31:26] = 0b110001 in rdna4,
        VDATA    [39:32]: data | out d: BufferData in rdna4,
        RSRC     [47:41]: rsrc: ResourceRegister in rdna4,
        SCOPE    [51:50]: mod scope: CacheScope in rdna4,
        GLC      [52]:    mod rtn: ReturnBit in rdna4,
        TH       [54:53]: mod th: TemporalHint in rdna4,
        FORMAT   [61:55]  ignored = 1 in rdna4,
        OFFEN    [62]:    mod offen: Switch in rdna4,
        IDXEN    [63]:    mod idxen: Switch in rdna4,
        VADDR    [71:64]: addr: BufferAddr in rdna4,
        OFFSET   [95:72]: mod offset: BufferOffset24 in rdna4,
    }
    operands address = (addr: u32x2, rsrc: b128, soffset: u32);
    // `atomic`: reads, changes and writes memory; returns what was there if GLC is set.
    // `d16_hi`: what is moved stands in the high half of its register.
    // `llvm_lacks`: the guide lists the opcode, LLVM does not know it; it is written as its neighbours are.
    // `must_return`: GLC has to be set.
    // `invalidates`: drops what a cache holds: L0, or with `gl1` the cache of several compute units.
    flags must_return, invalidates, gl1, atomic = updates, store = stores, d16_hi = high_half;
    quirks llvm_lacks;
    text "{d}, {data}, {addr}, {rsrc}, {soffset}{idxen}{offen}{offset}{glc}{slc}{dlc}{th}{scope}{nv}{tfe}";
    run lanes;
    address mem in buffer = buffer_address(rsrc, addr, soffset, offset, idxen, offen);
    address texel in buffer = buffer_address(rsrc, addr, soffset, offset, idxen, offen);

    0  => BUFFER_LOAD_FORMAT_X         (d: b32, ..address) { d = texel.b32; }
    1  => BUFFER_LOAD_FORMAT_XY        (d: b32x2, ..address) { d = texel.b32x2; }
    2  => BUFFER_LOAD_FORMAT_XYZ       (d: b32x3, ..address) { d = texel.b32x3; }
    3  => BUFFER_LOAD_FORMAT_XYZW      (d: b32x4, ..address) { d = texel.b32x4; }
    4  => BUFFER_STORE_FORMAT_X        (data: b32, ..address) { texel.b32 = data; }
    5  => BUFFER_STORE_FORMAT_XY       (data: b32x2, ..address) { texel.b32x2 = data; }
    6  => BUFFER_STORE_FORMAT_XYZ      (data: b32x3, ..address) { texel.b32x3 = data; }
    7  => BUFFER_STORE_FORMAT_XYZW     (data: b32x4, ..address) { texel.b32x4 = data; }
    8  => BUFFER_LOAD_D16_FORMAT_X     (d: b16, ..address) also "buffer_load_format_d16_x" { d = texel.b16; }
    9  => BUFFER_LOAD_D16_FORMAT_XY    (d: b16x2, ..address) also "buffer_load_format_d16_xy" { d = texel.b16x2; }
    10 => BUFFER_LOAD_D16_FORMAT_XYZ   (d: b16x3, ..address) also "buffer_load_format_d16_xyz" { d = texel.b16x3; }
    11 => BUFFER_LOAD_D16_FORMAT_XYZW  (d: b16x4, ..address) also "buffer_load_format_d16_xyzw" { d = texel.b16x4; }
    12 => BUFFER_STORE_D16_FORMAT_X    (data: b16, ..address) also "buffer_store_format_d16_x" { texel.b16 = data; }
    13 => BUFFER_STORE_D16_FORMAT_XY   (data: b16x2, ..address) also "buffer_store_format_d16_xy" { texel.b16x2 = data; }
    14 => BUFFER_STORE_D16_FORMAT_XYZ  (data: b16x3, ..address) also "buffer_store_format_d16_xyz" { texel.b16x3 = data; }
    15 => BUFFER_STORE_D16_FORMAT_XYZW (data: b16x4, ..address) also "buffer_store_format_d16_xyzw" { texel.b16x4 = data; }
    16 => BUFFER_LOAD_U8               (d: u32, ..address) also "buffer_load_ubyte" { d = mem.u8 as u32; }
    17 => BUFFER_LOAD_I8               (d: i32, ..address) also "buffer_load_sbyte" { d = mem.i8 as i32; }
    18 => BUFFER_LOAD_U16              (d: u32, ..address) also "buffer_load_ushort" { d = mem.u16 as u32; }
    19 => BUFFER_LOAD_I16              (d: i32, ..address) also "buffer_load_sshort" { d = mem.i16 as i32; }
    20 => BUFFER_LOAD_B32              (d: b32, ..address) also "buffer_load_dword" { d = mem.b32; }
    21 => BUFFER_LOAD_B64              (d: b64, ..address) also "buffer_load_dwordx2" { d = mem.b64; }
    22 => BUFFER_LOAD_B96              (d: b96, ..address) also "buffer_load_dwordx3" { d = mem.b96; }
    23 => BUFFER_LOAD_B128             (d: b128, ..address) also "buffer_load_dwordx4" { d = mem.b128; }
    24 => BUFFER_STORE_B8              (data: b8, ..address) also "buffer_store_byte" { mem.b8 = data; }
    25 => BUFFER_STORE_B16             (data: b16, ..address) also "buffer_store_short" { mem.b16 = data; }
    26 => BUFFER_STORE_B32             (data: b32, ..address) also "buffer_store_dword" { mem.b32 = data; }
    27 => BUFFER_STORE_B64             (data: b64, ..address) also "buffer_store_dwordx2" { mem.b64 = data; }
    28 => BUFFER_STORE_B96             (data: b96, ..address) also "buffer_store_dwordx3" { mem.b96 = data; }
    29 => BUFFER_STORE_B128            (data: b128, ..address) also "buffer_store_dwordx4" { mem.b128 = data; }
    30 => BUFFER_LOAD_D16_U8           (d: u16, ..address) also "buffer_load_ubyte_d16" { d = mem.u8 as u16; }
    31 => BUFFER_LOAD_D16_I8           (d: i16, ..address) also "buffer_load_sbyte_d16" { d = mem.i8 as i16; }
    32 => BUFFER_LOAD_D16_B16          (d: b16, ..address) also "buffer_load_short_d16" { d = mem.b16; }
    33 => BUFFER_LOAD_D16_HI_U8        (d: u16, ..address) also "buffer_load_ubyte_d16_hi" { d.hi = mem.u8 as u16; }
    34 => BUFFER_LOAD_D16_HI_I8        (d: i16, ..address) also "buffer_load_sbyte_d16_hi" { d.hi = mem.i8 as i16; }
    35 => BUFFER_LOAD_D16_HI_B16       (d: b16, ..address) also "buffer_load_short_d16_hi" { d.hi = mem.b16; }
    36 => BUFFER_STORE_D16_HI_B8       (data: b8, ..address) also "buffer_store_byte_d16_hi" { mem.b8 = data.hi; }
    37 => BUFFER_STORE_D16_HI_B16      (data: b16, ..address) also "buffer_store_short_d16_hi" { mem.b16 = data.hi; }
    38 => BUFFER_LOAD_D16_HI_FORMAT_X  (d: b16, ..address) also "buffer_load_format_d16_hi_x" { d.hi = texel.b16; }
    39 => BUFFER_STORE_D16_HI_FORMAT_X (data: b16, ..address) also "buffer_store_format_d16_hi_x" { texel.b16 = data.hi; }
    43 - => BUFFER_GL0_INV               () invalidates { }
    44 - => BUFFER_GL1_INV               () invalidates, gl1 { }
    for loaded in [45 U8 { mem.u8 as u32 as b32 }, 46 I8 { mem.i8 as i32 as b32 }, 47 U16 { mem.u16 as u32 as b32 }, 48 I16 { mem.i16 as i32 as b32 },
                   49 B32 { mem.b32 }] {
        0 + loaded - => BUFFER_LOAD_LDS_{loaded} (..address) llvm_lacks { lds[m0[15:0] as u32 + offset as u32 + lane_id() * 4].b32 = loaded; }
    }
    50 - => BUFFER_LOAD_LDS_FORMAT_X     (..address) llvm_lacks { lds[m0[15:0] as u32 + offset as u32 + lane_id() * 4].b32 = texel.b32; }
    51 => BUFFER_ATOMIC_SWAP_B32       (data: b32 out if GLC, ..address) also "buffer_atomic_swap" { data = rmw(mem.b32, |m| data); }
    52 => BUFFER_ATOMIC_CMPSWAP_B32    (data: b32x2 out if GLC, ..address) also "buffer_atomic_cmpswap" { data[0] = rmw(mem.b32, |m| if m == data[1] { data[0] } else { m }); }
    53 => BUFFER_ATOMIC_ADD_U32        (data: u32 out if GLC, ..address) also "buffer_atomic_add" { data = rmw(mem.u32, |m| m + data); }
    54 => BUFFER_ATOMIC_SUB_U32        (data: u32 out if GLC, ..address) also "buffer_atomic_sub" { data = rmw(mem.u32, |m| m - data); }
    55 => BUFFER_ATOMIC_CSUB_U32       (data: u32 out if GLC, ..address) named BUFFER_ATOMIC_SUB_CLAMP_U32 in rdna4, must_return, also "buffer_atomic_csub" { data = rmw(mem.u32, |m| if m < data { 0 } else { m - data }); }
    56 => BUFFER_ATOMIC_MIN_I32        (data: i32 out if GLC, ..address) also "buffer_atomic_smin" { data = rmw(mem.i32, |m| min(m, data)); }
    57 => BUFFER_ATOMIC_MIN_U32        (data: u32 out if GLC, ..address) also "buffer_atomic_umin" { data = rmw(mem.u32, |m| min(m, data)); }
    58 => BUFFER_ATOMIC_MAX_I32        (data: i32 out if GLC, ..address) also "buffer_atomic_smax" { data = rmw(mem.i32, |m| max(m, data)); }
    59 => BUFFER_ATOMIC_MAX_U32        (data: u32 out if GLC, ..address) also "buffer_atomic_umax" { data = rmw(mem.u32, |m| max(m, data)); }
    60 => BUFFER_ATOMIC_AND_B32        (data: b32 out if GLC, ..address) also "buffer_atomic_and" { data = rmw(mem.b32, |m| m & data); }
    61 => BUFFER_ATOMIC_OR_B32         (data: b32 out if GLC, ..address) also "buffer_atomic_or" { data = rmw(mem.b32, |m| m | data); }
    62 => BUFFER_ATOMIC_XOR_B32        (data: b32 out if GLC, ..address) also "buffer_atomic_xor" { data = rmw(mem.b32, |m| m ^ data); }
    63 => BUFFER_ATOMIC_INC_U32        (data: u32 out if GLC, ..address) also "buffer_atomic_inc" { data = rmw(mem.u32, |m| if m >= data { 0 } else { m + 1 }); }
    64 => BUFFER_ATOMIC_DEC_U32        (data: u32 out if GLC, ..address) also "buffer_atomic_dec" { data = rmw(mem.u32, |m| if m == 0 || m > data { data } else { m - 1 }); }
    65 => BUFFER_ATOMIC_SWAP_B64       (data: b64 out if GLC, ..address) also "buffer_atomic_swap_x2" { data = rmw(mem.b64, |m| data); }
    66 => BUFFER_ATOMIC_CMPSWAP_B64    (data: b64x2 out if GLC, ..address) also "buffer_atomic_cmpswap_x2" { data[0] = rmw(mem.b64, |m| if m == data[1] { data[0] } else { m }); }
    67 => BUFFER_ATOMIC_ADD_U64        (data: u64 out if GLC, ..address) also "buffer_atomic_add_x2" { data = rmw(mem.u64, |m| m + data); }
    68 => BUFFER_ATOMIC_SUB_U64        (data: u64 out if GLC, ..address) also "buffer_atomic_sub_x2" { data = rmw(mem.u64, |m| m - data); }
    69 => BUFFER_ATOMIC_MIN_I64        (data: i64 out if GLC, ..address) also "buffer_atomic_smin_x2" { data = rmw(mem.i64, |m| min(m, data)); }
    70 => BUFFER_ATOMIC_MIN_U64        (data: u64 out if GLC, ..address) also "buffer_atomic_umin_x2" { data = rmw(mem.u64, |m| min(m, data)); }
    71 => BUFFER_ATOMIC_MAX_I64        (data: i64 out if GLC, ..address) also "buffer_atomic_smax_x2" { data = rmw(mem.i64, |m| max(m, data)); }
    72 => BUFFER_ATOMIC_MAX_U64        (data: u64 out if GLC, ..address) also "buffer_atomic_umax_x2" { data = rmw(mem.u64, |m| max(m, data)); }
    73 => BUFFER_ATOMIC_AND_B64        (data: b64 out if GLC, ..address) also "buffer_atomic_and_x2" { data = rmw(mem.b64, |m| m & data); }
    74 => BUFFER_ATOMIC_OR_B64         (data: b64 out if GLC, ..address) also "buffer_atomic_or_x2" { data = rmw(mem.b64, |m| m | data); }
    75 => BUFFER_ATOMIC_XOR_B64        (data: b64 out if GLC, ..address) also "buffer_atomic_xor_x2" { data = rmw(mem.b64, |m| m ^ data); }
    76 => BUFFER_ATOMIC_INC_U64        (data: u64 out if GLC, ..address) also "buffer_atomic_inc_x2" { data = rmw(mem.u64, |m| if m >= data { 0 } else { m + 1 }); }
    77 => BUFFER_ATOMIC_DEC_U64        (data: u64 out if GLC, ..address) also "buffer_atomic_dec_x2" { data = rmw(mem.u64, |m| if m == 0 || m > data { data } else { m - 1 }); }
    80 - => BUFFER_ATOMIC_CMPSWAP_F32    (data: f32x2 out if GLC, ..address) also "buffer_atomic_fcmpswap" { data[0] = rmw(mem.f32, |m| if m == data[1] { data[0] } else { m }); }
    81 - => BUFFER_ATOMIC_MIN_F32        (data: f32 out if GLC, ..address) also "buffer_atomic_fmin" { data = rmw(mem.f32, |m| min(m, data)); }
    - 81 => BUFFER_ATOMIC_MIN_NUM_F32 (data: f32 out if GLC, ..address) also "buffer_atomic_min_f32", also "buffer_atomic_fmin" { data = rmw(mem.f32, |m| min(max(data, data), max(m, m))); }
    82 - => BUFFER_ATOMIC_MAX_F32        (data: f32 out if GLC, ..address) also "buffer_atomic_fmax" { data = rmw(mem.f32, |m| max(m, data)); }
    - 82 => BUFFER_ATOMIC_MAX_NUM_F32 (data: f32 out if GLC, ..address) also "buffer_atomic_max_f32", also "buffer_atomic_fmax" { data = rmw(mem.f32, |m| max(max(data, data), max(m, m))); }
    86 => BUFFER_ATOMIC_ADD_F32        (data: f32 out if GLC, ..address) { data = rmw(mem.f32, |m| m + data); }
    80 => BUFFER_ATOMIC_COND_SUB_U32   (data: u32 out if GLC, ..address) in rdna4 { data = rmw(mem.u32, |m| if m >= data { m - data } else { m }); }
    89 => BUFFER_ATOMIC_PK_ADD_F16     (data: f16x2 out if GLC, ..address) in rdna4 { data = rmw(mem.f16x2, |m| m + data); }
    90 => BUFFER_ATOMIC_PK_ADD_BF16    (data: bf16x2 out if GLC, ..address) in rdna4 { data = rmw(mem.bf16x2, |m| m + data); }
}

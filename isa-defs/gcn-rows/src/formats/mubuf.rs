//! Untyped buffer accesses.

use isa::isa;

isa! {
    /// Loads, stores and atomics on memory that a buffer resource describes: its base, stride, size and, for the
    /// `FORMAT` instructions, the format of its elements. The address adds an index and an offset from registers (or,
    /// in the first two generations, a 64-bit address), a scalar offset and a constant one.
    format MUBUF: 64 of gcn1_0, gcn1_1, gcn1_2, gcn1_4 {
        OFFSET    [11:0]:  mod offset: BufferOffset if rsrc,
        OFFEN     [12]:    mod offen: Flag if addr else reserved,
        IDXEN     [13]:    mod idxen: Flag if addr else reserved,
        GLC       [14]:    mod glc: Flag if rsrc else reserved,
        ADDR64    [15]:    mod addr64: Addr64 if addr else reserved in gcn1_0 | gcn1_1,
        LDS       [16]:    mod lds: Flag if to_lds else reserved,
        RESERVED1 [25, 17] reserved in gcn1_0 | gcn1_1,
        RESERVED1 [25, 15] reserved in gcn1_2 | gcn1_4,
        SLC       [17]:    mod slc: Flag if rsrc in gcn1_2 | gcn1_4,
        OP        [24:18]  = opcode,
        ENCODING  [31:26]  = 0b111000,
        VADDR     [39:32]: addr: BufferAddr,
        VDATA     [47:40]: data | out d: BufferData,
        SRSRC     [52:48]: rsrc: ResourceSgprs,
        RESERVED2 [53]     reserved in gcn1_0 | gcn1_1,
        RESERVED2 [54:53]  reserved in gcn1_2 | gcn1_4,
        SLC       [54]:    mod slc: Flag if rsrc in gcn1_0 | gcn1_1,
        TFE       [55]:    mod tfe: Tfe if addr & !atomic else reserved,
        SOFFSET   [63:56]: soffset: BufferSoffset,
    }
    operands address = (addr: u32x2, rsrc: b128, soffset: u32);
    // Kind of access: `load`, `store`, `atomic` (reads, changes and writes; returns the old value if GLC is set), `cache`
    // (writes back or invalidates one).
    // `to_lds`: what is loaded can go to LDS instead of a register. `from_lds`: what is stored comes from there.
    // `d16`: elements of 16 bits; `d16_hi`: one in the high half of its register.
    // `llvm_lacks`: the guide lists the opcode, LLVM does not know it; it is written as its neighbours are.
    // `unlisted`: LLVM knows the opcode, the guide does not list it.
    flags cache, to_lds, from_lds, d16, load = loads, store = stores, atomic = updates, d16_hi = high_half;
    quirks llvm_lacks, unlisted;
    text "{d}, {data}, {addr}, {rsrc}, {soffset}{idxen}{offen}{addr64}{offset}{glc}{slc}{lds}{tfe}";
    run lanes;
    address mem in buffer if addr & !(gcn1_0 | gcn1_1) = buffer_address(rsrc, addr, soffset, offset, idxen, offen);
    address mem in buffer if addr & (gcn1_0 | gcn1_1) = if addr64 { rsrc[47:0] as u64 + addr as b64 as u64 + soffset as u64 + offset as u64 } else { buffer_address(rsrc, addr, soffset, offset, idxen, offen) };
    address texel in buffer if addr & !(gcn1_0 | gcn1_1) = buffer_address(rsrc, addr, soffset, offset, idxen, offen);
    address texel in buffer if addr & (gcn1_0 | gcn1_1) = if addr64 { rsrc[47:0] as u64 + addr as b64 as u64 + soffset as u64 + offset as u64 } else { buffer_address(rsrc, addr, soffset, offset, idxen, offen) };
    // The lane's own dword, without an address in a register.
    address mem in buffer if !addr = rsrc[47:0] as u64 + soffset as u64 + offset as u64 + lane_id() as u64 * 4;

    // 1.0 1.1 1.2 1.4
    0               => BUFFER_LOAD_FORMAT_X         (d: b32 if !LDS, ..address) to_lds { let v = texel.b32; d = v; if lds { lds[m0[15:0] as u32 + offset as u32 + lane_id() * 4].b32 = v; } }
    1               => BUFFER_LOAD_FORMAT_XY        (d: b32x2, ..address) { d = texel.b32x2; }
    2               => BUFFER_LOAD_FORMAT_XYZ       (d: b32x3, ..address) { d = texel.b32x3; }
    3               => BUFFER_LOAD_FORMAT_XYZW      (d: b32x4, ..address) { d = texel.b32x4; }
    4               => BUFFER_STORE_FORMAT_X        (data: b32, ..address) { texel.b32 = data; }
    5               => BUFFER_STORE_FORMAT_XY       (data: b32x2, ..address) { texel.b32x2 = data; }
    6               => BUFFER_STORE_FORMAT_XYZ      (data: b32x3, ..address) { texel.b32x3 = data; }
    7               => BUFFER_STORE_FORMAT_XYZW     (data: b32x4, ..address) { texel.b32x4 = data; }
    -   -   8   8   => BUFFER_LOAD_FORMAT_D16_X     (d: b16, ..address) d16 { d = texel.b16; }
    -   -   9   9   => BUFFER_LOAD_FORMAT_D16_XY    (d: b16x2, ..address) d16 { d = texel.b16x2; }
    -   -   10  10  => BUFFER_LOAD_FORMAT_D16_XYZ   (d: b16x3, ..address) d16 { d = texel.b16x3; }
    -   -   11  11  => BUFFER_LOAD_FORMAT_D16_XYZW  (d: b16x4, ..address) d16 { d = texel.b16x4; }
    -   -   12  12  => BUFFER_STORE_FORMAT_D16_X    (data: b16, ..address) d16 { texel.b16 = data; }
    -   -   13  13  => BUFFER_STORE_FORMAT_D16_XY   (data: b16x2, ..address) d16 { texel.b16x2 = data; }
    -   -   14  14  => BUFFER_STORE_FORMAT_D16_XYZ  (data: b16x3, ..address) d16 { texel.b16x3 = data; }
    -   -   15  15  => BUFFER_STORE_FORMAT_D16_XYZW (data: b16x4, ..address) d16 { texel.b16x4 = data; }
    8   8   16  16  => BUFFER_LOAD_UBYTE            (d: u32 if !LDS, ..address) to_lds { let v = mem.u8 as u32; d = v; if lds { lds[m0[15:0] as u32 + offset as u32 + lane_id() * 4].b32 = v as b32; } }
    9   9   17  17  => BUFFER_LOAD_SBYTE            (d: i32 if !LDS, ..address) to_lds { let v = mem.i8 as i32; d = v; if lds { lds[m0[15:0] as u32 + offset as u32 + lane_id() * 4].b32 = v as b32; } }
    10  10  18  18  => BUFFER_LOAD_USHORT           (d: u32 if !LDS, ..address) to_lds { let v = mem.u16 as u32; d = v; if lds { lds[m0[15:0] as u32 + offset as u32 + lane_id() * 4].b32 = v as b32; } }
    11  11  19  19  => BUFFER_LOAD_SSHORT           (d: i32 if !LDS, ..address) to_lds { let v = mem.i16 as i32; d = v; if lds { lds[m0[15:0] as u32 + offset as u32 + lane_id() * 4].b32 = v as b32; } }
    12  12  20  20  => BUFFER_LOAD_DWORD            (d: b32 if !LDS, ..address) to_lds { let v = mem.b32; d = v; if lds { lds[m0[15:0] as u32 + offset as u32 + lane_id() * 4].b32 = v; } }
    13  13  21  21  => BUFFER_LOAD_DWORDX2          (d: b64, ..address) { d = mem.b64; }
    15  15  22  22  => BUFFER_LOAD_DWORDX3          (d: b96, ..address) unlisted in gcn1_0 { d = mem.b96; }
    14  14  23  23  => BUFFER_LOAD_DWORDX4          (d: b128, ..address) { d = mem.b128; }
    24              => BUFFER_STORE_BYTE            (data: b8, ..address) { mem.b8 = data; }
    -   -   -   25  => BUFFER_STORE_BYTE_D16        (data: b8, ..address) as "buffer_store_byte_d16_hi" { mem.b8 = data.hi; }
    26              => BUFFER_STORE_SHORT           (data: b16, ..address) { mem.b16 = data; }
    -   -   -   27  => BUFFER_STORE_SHORT_D16       (data: b16, ..address) as "buffer_store_short_d16_hi" { mem.b16 = data.hi; }
    28              => BUFFER_STORE_DWORD           (data: b32, ..address) { mem.b32 = data; }
    29              => BUFFER_STORE_DWORDX2         (data: b64, ..address) { mem.b64 = data; }
    31  31  30  30  => BUFFER_STORE_DWORDX3         (data: b96, ..address) unlisted in gcn1_0 { mem.b96 = data; }
    30  30  31  31  => BUFFER_STORE_DWORDX4         (data: b128, ..address) { mem.b128 = data; }
    -   -   -   32  => BUFFER_LOAD_UBYTE_D16        (d: u16, ..address) d16 { d = mem.u8 as u16; }
    -   -   -   33  => BUFFER_LOAD_UBYTE_D16_HI     (d: u16, ..address) { d.hi = mem.u8 as u16; }
    -   -   -   34  => BUFFER_LOAD_SBYTE_D16        (d: i16, ..address) d16 { d = mem.i8 as i16; }
    -   -   -   35  => BUFFER_LOAD_SBYTE_D16_HI     (d: i16, ..address) { d.hi = mem.i8 as i16; }
    -   -   -   36  => BUFFER_LOAD_SHORT_D16        (d: b16, ..address) d16 { d = mem.b16; }
    -   -   -   37  => BUFFER_LOAD_SHORT_D16_HI     (d: b16, ..address) { d.hi = mem.b16; }
    -   -   -   38  => BUFFER_LOAD_FORMAT_D16_HI_X  (d: b16, ..address) { d.hi = texel.b16; }
    -   -   -   39  => BUFFER_STORE_FORMAT_D16_HI_X (data: b16, ..address) { texel.b16 = data.hi; }
    -   -   61  61  => BUFFER_STORE_LDS_DWORD       (rsrc: b128, soffset: u32) from_lds, fix LDS = 1, text "{rsrc}, {soffset}{offset} lds{glc}{slc}" { mem.b32 = lds[m0[15:0] as u32 + offset as u32 + lane_id() * 4].b32; }
    113 113 62  62  => BUFFER_WBINVL1               () cache { }
    -   -   63  63  => BUFFER_WBINVL1_VOL           () cache { }
    112 112 -   -   => BUFFER_WBINVL1_SC            () cache, as "buffer_wbinvl1_vol" in gcn1_1 { }
    48  48  64  64  => BUFFER_ATOMIC_SWAP           (data: b32 out if GLC, ..address) { data = rmw(mem.b32, |m| data); }
    49  49  65  65  => BUFFER_ATOMIC_CMPSWAP        (data: b32x2 out if GLC, ..address) { data[0] = rmw(mem.b32, |m| if m == data[1] { data[0] } else { m }); }
    50  50  66  66  => BUFFER_ATOMIC_ADD            (data: u32 out if GLC, ..address) { data = rmw(mem.u32, |m| m + data); }
    51  51  67  67  => BUFFER_ATOMIC_SUB            (data: u32 out if GLC, ..address) { data = rmw(mem.u32, |m| m - data); }
    52  -   -   -   => BUFFER_ATOMIC_RSUB           (data: u32 out if GLC, ..address) llvm_lacks { data = rmw(mem.u32, |m| data - m); }
    53  53  68  68  => BUFFER_ATOMIC_SMIN           (data: i32 out if GLC, ..address) { data = rmw(mem.i32, |m| min(m, data)); }
    54  54  69  69  => BUFFER_ATOMIC_UMIN           (data: u32 out if GLC, ..address) { data = rmw(mem.u32, |m| min(m, data)); }
    55  55  70  70  => BUFFER_ATOMIC_SMAX           (data: i32 out if GLC, ..address) { data = rmw(mem.i32, |m| max(m, data)); }
    56  56  71  71  => BUFFER_ATOMIC_UMAX           (data: u32 out if GLC, ..address) { data = rmw(mem.u32, |m| max(m, data)); }
    57  57  72  72  => BUFFER_ATOMIC_AND            (data: b32 out if GLC, ..address) { data = rmw(mem.b32, |m| m & data); }
    58  58  73  73  => BUFFER_ATOMIC_OR             (data: b32 out if GLC, ..address) { data = rmw(mem.b32, |m| m | data); }
    59  59  74  74  => BUFFER_ATOMIC_XOR            (data: b32 out if GLC, ..address) { data = rmw(mem.b32, |m| m ^ data); }
    60  60  75  75  => BUFFER_ATOMIC_INC            (data: u32 out if GLC, ..address) { data = rmw(mem.u32, |m| if m >= data { 0 } else { m + 1 }); }
    61  61  76  76  => BUFFER_ATOMIC_DEC            (data: u32 out if GLC, ..address) { data = rmw(mem.u32, |m| if m == 0 || m > data { data } else { m - 1 }); }
    62  62  -   -   => BUFFER_ATOMIC_FCMPSWAP       (data: f32x2 out if GLC, ..address) { data[0] = rmw(mem.f32, |m| if m == data[1] { data[0] } else { m }); }
    63  63  -   -   => BUFFER_ATOMIC_FMIN           (data: f32 out if GLC, ..address) { data = rmw(mem.f32, |m| min(m, data)); }
    64  64  -   -   => BUFFER_ATOMIC_FMAX           (data: f32 out if GLC, ..address) { data = rmw(mem.f32, |m| max(m, data)); }
    80  80  96  96  => BUFFER_ATOMIC_SWAP_X2        (data: b64 out if GLC, ..address) { data = rmw(mem.b64, |m| data); }
    81  81  97  97  => BUFFER_ATOMIC_CMPSWAP_X2     (data: b64x2 out if GLC, ..address) { data[0] = rmw(mem.b64, |m| if m == data[1] { data[0] } else { m }); }
    82  82  98  98  => BUFFER_ATOMIC_ADD_X2         (data: u64 out if GLC, ..address) { data = rmw(mem.u64, |m| m + data); }
    83  83  99  99  => BUFFER_ATOMIC_SUB_X2         (data: u64 out if GLC, ..address) { data = rmw(mem.u64, |m| m - data); }
    84  -   -   -   => BUFFER_ATOMIC_RSUB_X2        (data: u64 out if GLC, ..address) llvm_lacks { data = rmw(mem.u64, |m| data - m); }
    85  85  100 100 => BUFFER_ATOMIC_SMIN_X2        (data: i64 out if GLC, ..address) { data = rmw(mem.i64, |m| min(m, data)); }
    86  86  101 101 => BUFFER_ATOMIC_UMIN_X2        (data: u64 out if GLC, ..address) { data = rmw(mem.u64, |m| min(m, data)); }
    87  87  102 102 => BUFFER_ATOMIC_SMAX_X2        (data: i64 out if GLC, ..address) { data = rmw(mem.i64, |m| max(m, data)); }
    88  88  103 103 => BUFFER_ATOMIC_UMAX_X2        (data: u64 out if GLC, ..address) { data = rmw(mem.u64, |m| max(m, data)); }
    89  89  104 104 => BUFFER_ATOMIC_AND_X2         (data: b64 out if GLC, ..address) { data = rmw(mem.b64, |m| m & data); }
    90  90  105 105 => BUFFER_ATOMIC_OR_X2          (data: b64 out if GLC, ..address) { data = rmw(mem.b64, |m| m | data); }
    91  91  106 106 => BUFFER_ATOMIC_XOR_X2         (data: b64 out if GLC, ..address) { data = rmw(mem.b64, |m| m ^ data); }
    92  92  107 107 => BUFFER_ATOMIC_INC_X2         (data: u64 out if GLC, ..address) { data = rmw(mem.u64, |m| if m >= data { 0 } else { m + 1 }); }
    93  93  108 108 => BUFFER_ATOMIC_DEC_X2         (data: u64 out if GLC, ..address) { data = rmw(mem.u64, |m| if m == 0 || m > data { data } else { m - 1 }); }
    94  94  -   -   => BUFFER_ATOMIC_FCMPSWAP_X2    (data: f64x2 out if GLC, ..address) { data[0] = rmw(mem.f64, |m| if m == data[1] { data[0] } else { m }); }
    95  95  -   -   => BUFFER_ATOMIC_FMIN_X2        (data: f64 out if GLC, ..address) { data = rmw(mem.f64, |m| min(m, data)); }
    96  96  -   -   => BUFFER_ATOMIC_FMAX_X2        (data: f64 out if GLC, ..address) { data = rmw(mem.f64, |m| max(m, data)); }
}

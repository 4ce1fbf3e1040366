//! Local and global data share.

use isa::isa;

isa! {
    /// Loads, stores and atomics on the local data share (LDS) of a workgroup and the global data share (GDS), and lane
    /// permutations that go through the LDS hardware. Guide §15.6.1, instructions §16.15.
    format DS: 64 of (rdna3, rdna3_5), rdna4 {
        OFFSET0  [7:0]:   mod offset0: DsOffset0,
        OFFSET1  [15:8]:  mod offset1: DsOffset1,
        RESERVED [16]     reserved in rdna3 | rdna3_5,
        GDS      [17]:    mod gds: Flag in rdna3 | rdna3_5,
        RESERVED [17:16]  reserved in rdna4,
        OP       [25:18] = opcode,
        ENCODING [31:26] = 0b110110,
        ADDR     [39:32]: addr: DataVgpr else reserved,
        DATA0    [47:40]: data: DataVgpr else reserved,
        DATA1    [55:48]: data1: DataVgpr else reserved,
        VDST     [63:56]: out d: DataVgpr else reserved,
    }
    // `two_offsets`: OFFSET0 and OFFSET1 belong to two addresses; otherwise they are one number of 16 bits.
    // `stride64`: they count 64 elements each.
    // `swizzle`: that number says which lane reads which. `gds_only`: LDS has no such operation.
    // `d16_hi`: what is moved stands in the high half of its register.
    // `unlisted`: LLVM knows the opcode, the guide does not list it.
    // `appends`: the offset is that of a counter to which a wave adds its lanes. `lds_only`: GDS has no such operation.
    // `gws`: synchronizes waves of the whole device, or counts them in order.
    // `streamout`: OFFSET0 names a register of one dword or of two, and only as many are returned.
    flags appends, two_offsets, stride64, swizzle, gds_only, lds_only, gws, streamout, d16_hi = high_half;
    quirks unlisted;
    text "{d}, {addr}, {data}, {data1}{offset0}{offset1}{gds}" if two_offsets;
    text "{d}, {addr}, {data}, {data1}{offset0} gds" if gds_only;
    text "{d}, {addr}, {data}, {data1}{offset0}{gds}";
    run lanes;
    address lds in lds if !two_offsets = addr + (offset0 as u32 | offset1 as u32 << 8);
    address lds in lds if two_offsets & !stride64 = addr + offset0 as u32 * size;
    address lds in lds if stride64 = addr + offset0 as u32 * size * 64;
    address lds1 in lds if two_offsets & !stride64 = addr + offset1 as u32 * size;
    address lds1 in lds if stride64 = addr + offset1 as u32 * size * 64;
    address lds in gds if !two_offsets when gds = addr + (offset0 as u32 | offset1 as u32 << 8);
    address lds in gds if two_offsets & !stride64 when gds = addr + offset0 as u32 * size;
    address lds in gds if stride64 when gds = addr + offset0 as u32 * size * 64;
    address lds1 in gds if two_offsets & !stride64 when gds = addr + offset1 as u32 * size;
    address lds1 in gds if stride64 when gds = addr + offset1 as u32 * size * 64;

    0   => DS_ADD_U32                          (addr: u32, data: u32) { rmw(lds.u32, |m| m + data); }
    1   => DS_SUB_U32                          (addr: u32, data: u32) { rmw(lds.u32, |m| m - data); }
    2   => DS_RSUB_U32                         (addr: u32, data: u32) also "ds_subrev_u32" in rdna4 { rmw(lds.u32, |m| data - m); }
    3   => DS_INC_U32                          (addr: u32, data: u32) { rmw(lds.u32, |m| if m >= data { 0 } else { m + 1 }); }
    4   => DS_DEC_U32                          (addr: u32, data: u32) { rmw(lds.u32, |m| if m == 0 || m > data { data } else { m - 1 }); }
    5   => DS_MIN_I32                          (addr: u32, data: i32) { rmw(lds.i32, |m| min(m, data)); }
    6   => DS_MAX_I32                          (addr: u32, data: i32) { rmw(lds.i32, |m| max(m, data)); }
    7   => DS_MIN_U32                          (addr: u32, data: u32) { rmw(lds.u32, |m| min(m, data)); }
    8   => DS_MAX_U32                          (addr: u32, data: u32) { rmw(lds.u32, |m| max(m, data)); }
    9   => DS_AND_B32                          (addr: u32, data: b32) { rmw(lds.b32, |m| m & data); }
    10  => DS_OR_B32                           (addr: u32, data: b32) { rmw(lds.b32, |m| m | data); }
    11  => DS_XOR_B32                          (addr: u32, data: b32) { rmw(lds.b32, |m| m ^ data); }
    12  => DS_MSKOR_B32                        (addr: u32, data: b32, data1: b32) { rmw(lds.b32, |m| m & !data | data1); }
    13  => DS_STORE_B32                        (addr: u32, data: b32) also "ds_write_b32" { lds.b32 = data; }
    14  => DS_STORE_2ADDR_B32                  (addr: u32, data: b32, data1: b32) two_offsets, also "ds_write2_b32" { lds.b32, lds1.b32 = data, data1; }
    15  => DS_STORE_2ADDR_STRIDE64_B32         (addr: u32, data: b32, data1: b32) two_offsets, stride64, also "ds_write2st64_b32" { lds.b32, lds1.b32 = data, data1; }
    16  => DS_CMPSTORE_B32                     (addr: u32, data: b32, data1: b32) { rmw(lds.b32, |m| if m == data1 { data } else { m }); }
    17 -  => DS_CMPSTORE_F32                     (addr: u32, data: f32, data1: f32) { rmw(lds.f32, |m| if m == data1 { data } else { m }); }
    18 - => DS_MIN_F32                          (addr: u32, data: f32) { rmw(lds.f32, |m| min(m, data)); }
    - 18 => DS_MIN_NUM_F32 (addr: u32, data: f32) also "ds_min_f32" { rmw(lds.f32, |m| min(max(data, data), max(m, m))); }
    19 - => DS_MAX_F32                          (addr: u32, data: f32) { rmw(lds.f32, |m| max(m, data)); }
    - 19 => DS_MAX_NUM_F32 (addr: u32, data: f32) also "ds_max_f32" { rmw(lds.f32, |m| max(max(data, data), max(m, m))); }
    20  => DS_NOP                              () fix OFFSET0 = 0, fix OFFSET1 = 0, fix GDS = 0 { }
    21  => DS_ADD_F32                          (addr: u32, data: f32) { rmw(lds.f32, |m| m + data); }
    24 -  => DS_GWS_SEMA_RELEASE_ALL             () gws, gds_only, fix GDS = 1, unlisted { external(m0); }
    25 -  => DS_GWS_INIT                         (addr: u32) gws, gds_only, fix GDS = 1, unlisted { external(addr, m0); }
    26 -  => DS_GWS_SEMA_V                       () gws, gds_only, fix GDS = 1, unlisted { external(m0); }
    27 -  => DS_GWS_SEMA_BR                      (addr: u32) gws, gds_only, fix GDS = 1, unlisted { external(addr, m0); }
    28 -  => DS_GWS_SEMA_P                       () gws, gds_only, fix GDS = 1, unlisted { external(m0); }
    29 -  => DS_GWS_BARRIER                      (addr: u32) gws, gds_only, fix GDS = 1, unlisted { external(addr, m0); }
    30  => DS_STORE_B8                         (addr: u32, data: b8) also "ds_write_b8" { lds.b8 = data; }
    31  => DS_STORE_B16                        (addr: u32, data: b16) also "ds_write_b16" { lds.b16 = data; }
    32  => DS_ADD_RTN_U32                      (d: u32, addr: u32, data: u32) { d = rmw(lds.u32, |m| m + data); }
    33  => DS_SUB_RTN_U32                      (d: u32, addr: u32, data: u32) { d = rmw(lds.u32, |m| m - data); }
    34  => DS_RSUB_RTN_U32                     (d: u32, addr: u32, data: u32) also "ds_subrev_rtn_u32" in rdna4 { d = rmw(lds.u32, |m| data - m); }
    35  => DS_INC_RTN_U32                      (d: u32, addr: u32, data: u32) { d = rmw(lds.u32, |m| if m >= data { 0 } else { m + 1 }); }
    36  => DS_DEC_RTN_U32                      (d: u32, addr: u32, data: u32) { d = rmw(lds.u32, |m| if m == 0 || m > data { data } else { m - 1 }); }
    37  => DS_MIN_RTN_I32                      (d: i32, addr: u32, data: i32) { d = rmw(lds.i32, |m| min(m, data)); }
    38  => DS_MAX_RTN_I32                      (d: i32, addr: u32, data: i32) { d = rmw(lds.i32, |m| max(m, data)); }
    39  => DS_MIN_RTN_U32                      (d: u32, addr: u32, data: u32) { d = rmw(lds.u32, |m| min(m, data)); }
    40  => DS_MAX_RTN_U32                      (d: u32, addr: u32, data: u32) { d = rmw(lds.u32, |m| max(m, data)); }
    41  => DS_AND_RTN_B32                      (d: b32, addr: u32, data: b32) { d = rmw(lds.b32, |m| m & data); }
    42  => DS_OR_RTN_B32                       (d: b32, addr: u32, data: b32) { d = rmw(lds.b32, |m| m | data); }
    43  => DS_XOR_RTN_B32                      (d: b32, addr: u32, data: b32) { d = rmw(lds.b32, |m| m ^ data); }
    44  => DS_MSKOR_RTN_B32                    (d: b32, addr: u32, data: b32, data1: b32) { d = rmw(lds.b32, |m| m & !data | data1); }
    45  => DS_STOREXCHG_RTN_B32                (d: b32, addr: u32, data: b32) also "ds_wrxchg_rtn_b32" { d = rmw(lds.b32, |m| data); }
    46  => DS_STOREXCHG_2ADDR_RTN_B32          (d: b32x2, addr: u32, data: b32, data1: b32) two_offsets, also "ds_wrxchg2_rtn_b32" { d = join(rmw(lds.b32, |m| data), rmw(lds1.b32, |m| data1)); }
    47  => DS_STOREXCHG_2ADDR_STRIDE64_RTN_B32 (d: b32x2, addr: u32, data: b32, data1: b32) two_offsets, stride64, also "ds_wrxchg2st64_rtn_b32" { d = join(rmw(lds.b32, |m| data), rmw(lds1.b32, |m| data1)); }
    48  => DS_CMPSTORE_RTN_B32                 (d: b32, addr: u32, data: b32, data1: b32) { d = rmw(lds.b32, |m| if m == data1 { data } else { m }); }
    49 -  => DS_CMPSTORE_RTN_F32                 (d: f32, addr: u32, data: f32, data1: f32) { d = rmw(lds.f32, |m| if m == data1 { data } else { m }); }
    50 - => DS_MIN_RTN_F32                      (d: f32, addr: u32, data: f32) { d = rmw(lds.f32, |m| min(m, data)); }
    - 50 => DS_MIN_NUM_RTN_F32 (d: f32, addr: u32, data: f32) also "ds_min_rtn_f32" { d = rmw(lds.f32, |m| min(max(data, data), max(m, m))); }
    51 - => DS_MAX_RTN_F32                      (d: f32, addr: u32, data: f32) { d = rmw(lds.f32, |m| max(m, data)); }
    - 51 => DS_MAX_NUM_RTN_F32 (d: f32, addr: u32, data: f32) also "ds_max_rtn_f32" { d = rmw(lds.f32, |m| max(max(data, data), max(m, m))); }
    52 -  => DS_WRAP_RTN_B32                     (d: u32, addr: u32, data: u32, data1: u32) { d = rmw(lds.u32, |m| if m >= data { m - data } else { m + data1 }); }
    53  => DS_SWIZZLE_B32                      (d: b32, addr: b32) lds_only, swizzle { d = swizzle(addr, (offset0 as u32 | offset1 as u32 << 8)); }
    54  => DS_LOAD_B32                         (d: b32, addr: u32) also "ds_read_b32" { d = lds.b32; }
    55  => DS_LOAD_2ADDR_B32                   (d: b32x2, addr: u32) two_offsets, also "ds_read2_b32" { d = join(lds.b32, lds1.b32); }
    56  => DS_LOAD_2ADDR_STRIDE64_B32          (d: b32x2, addr: u32) two_offsets, stride64, also "ds_read2st64_b32" { d = join(lds.b32, lds1.b32); }
    57  => DS_LOAD_I8                          (d: i32, addr: u32) also "ds_read_i8" { d = lds.i8 as i32; }
    58  => DS_LOAD_U8                          (d: u32, addr: u32) also "ds_read_u8" { d = lds.u8 as u32; }
    59  => DS_LOAD_I16                         (d: i32, addr: u32) also "ds_read_i16" { d = lds.i16 as i32; }
    60  => DS_LOAD_U16                         (d: u32, addr: u32) also "ds_read_u16" { d = lds.u16 as u32; }
    61  => DS_CONSUME                          (d: u32) appends, wave { d = rmw(lds[m0[15:0] as u32 + (offset0 as u32 | offset1 as u32 << 8)].u32, |m| m - popcount(exec)); }
    62  => DS_APPEND                           (d: u32) appends, wave { d = rmw(lds[m0[15:0] as u32 + (offset0 as u32 | offset1 as u32 << 8)].u32, |m| m + popcount(exec)); }
    63 -  => DS_ORDERED_COUNT                    (d: u32, addr: u32) gds_only, fix GDS = 1, gws { external(addr, m0); d = external(addr, m0); }
    64  => DS_ADD_U64                          (addr: u32, data: u64) { rmw(lds.u64, |m| m + data); }
    65  => DS_SUB_U64                          (addr: u32, data: u64) { rmw(lds.u64, |m| m - data); }
    66  => DS_RSUB_U64                         (addr: u32, data: u64) also "ds_subrev_u64" in rdna4 { rmw(lds.u64, |m| data - m); }
    67  => DS_INC_U64                          (addr: u32, data: u64) { rmw(lds.u64, |m| if m >= data { 0 } else { m + 1 }); }
    68  => DS_DEC_U64                          (addr: u32, data: u64) { rmw(lds.u64, |m| if m == 0 || m > data { data } else { m - 1 }); }
    69  => DS_MIN_I64                          (addr: u32, data: i64) { rmw(lds.i64, |m| min(m, data)); }
    70  => DS_MAX_I64                          (addr: u32, data: i64) { rmw(lds.i64, |m| max(m, data)); }
    71  => DS_MIN_U64                          (addr: u32, data: u64) { rmw(lds.u64, |m| min(m, data)); }
    72  => DS_MAX_U64                          (addr: u32, data: u64) { rmw(lds.u64, |m| max(m, data)); }
    73  => DS_AND_B64                          (addr: u32, data: b64) { rmw(lds.b64, |m| m & data); }
    74  => DS_OR_B64                           (addr: u32, data: b64) { rmw(lds.b64, |m| m | data); }
    75  => DS_XOR_B64                          (addr: u32, data: b64) { rmw(lds.b64, |m| m ^ data); }
    76  => DS_MSKOR_B64                        (addr: u32, data: b64, data1: b64) { rmw(lds.b64, |m| m & !data | data1); }
    77  => DS_STORE_B64                        (addr: u32, data: b64) also "ds_write_b64" { lds.b64 = data; }
    78  => DS_STORE_2ADDR_B64                  (addr: u32, data: b64, data1: b64) two_offsets, also "ds_write2_b64" { lds.b64, lds1.b64 = data, data1; }
    79  => DS_STORE_2ADDR_STRIDE64_B64         (addr: u32, data: b64, data1: b64) two_offsets, stride64, also "ds_write2st64_b64" { lds.b64, lds1.b64 = data, data1; }
    80  => DS_CMPSTORE_B64                     (addr: u32, data: b64, data1: b64) { rmw(lds.b64, |m| if m == data1 { data } else { m }); }
    81 -  => DS_CMPSTORE_F64                     (addr: u32, data: f64, data1: f64) { rmw(lds.f64, |m| if m == data1 { data } else { m }); }
    82 - => DS_MIN_F64                          (addr: u32, data: f64) { rmw(lds.f64, |m| min(m, data)); }
    - 82 => DS_MIN_NUM_F64 (addr: u32, data: f64) also "ds_min_f64" { rmw(lds.f64, |m| min(max(data, data), max(m, m))); }
    83 - => DS_MAX_F64                          (addr: u32, data: f64) { rmw(lds.f64, |m| max(m, data)); }
    - 83 => DS_MAX_NUM_F64 (addr: u32, data: f64) also "ds_max_f64" { rmw(lds.f64, |m| max(max(data, data), max(m, m))); }
    96  => DS_ADD_RTN_U64                      (d: u64, addr: u32, data: u64) { d = rmw(lds.u64, |m| m + data); }
    97  => DS_SUB_RTN_U64                      (d: u64, addr: u32, data: u64) { d = rmw(lds.u64, |m| m - data); }
    98  => DS_RSUB_RTN_U64                     (d: u64, addr: u32, data: u64) also "ds_subrev_rtn_u64" in rdna4 { d = rmw(lds.u64, |m| data - m); }
    99  => DS_INC_RTN_U64                      (d: u64, addr: u32, data: u64) { d = rmw(lds.u64, |m| if m >= data { 0 } else { m + 1 }); }
    100 => DS_DEC_RTN_U64                      (d: u64, addr: u32, data: u64) { d = rmw(lds.u64, |m| if m == 0 || m > data { data } else { m - 1 }); }
    101 => DS_MIN_RTN_I64                      (d: i64, addr: u32, data: i64) { d = rmw(lds.i64, |m| min(m, data)); }
    102 => DS_MAX_RTN_I64                      (d: i64, addr: u32, data: i64) { d = rmw(lds.i64, |m| max(m, data)); }
    103 => DS_MIN_RTN_U64                      (d: u64, addr: u32, data: u64) { d = rmw(lds.u64, |m| min(m, data)); }
    104 => DS_MAX_RTN_U64                      (d: u64, addr: u32, data: u64) { d = rmw(lds.u64, |m| max(m, data)); }
    105 => DS_AND_RTN_B64                      (d: b64, addr: u32, data: b64) { d = rmw(lds.b64, |m| m & data); }
    106 => DS_OR_RTN_B64                       (d: b64, addr: u32, data: b64) { d = rmw(lds.b64, |m| m | data); }
    107 => DS_XOR_RTN_B64                      (d: b64, addr: u32, data: b64) { d = rmw(lds.b64, |m| m ^ data); }
    108 => DS_MSKOR_RTN_B64                    (d: b64, addr: u32, data: b64, data1: b64) { d = rmw(lds.b64, |m| m & !data | data1); }
    109 => DS_STOREXCHG_RTN_B64                (d: b64, addr: u32, data: b64) also "ds_wrxchg_rtn_b64" { d = rmw(lds.b64, |m| data); }
    110 => DS_STOREXCHG_2ADDR_RTN_B64          (d: b64x2, addr: u32, data: b64, data1: b64) two_offsets, also "ds_wrxchg2_rtn_b64" { d = join(rmw(lds.b64, |m| data), rmw(lds1.b64, |m| data1)); }
    111 => DS_STOREXCHG_2ADDR_STRIDE64_RTN_B64 (d: b64x2, addr: u32, data: b64, data1: b64) two_offsets, stride64, also "ds_wrxchg2st64_rtn_b64" { d = join(rmw(lds.b64, |m| data), rmw(lds1.b64, |m| data1)); }
    112 => DS_CMPSTORE_RTN_B64                 (d: b64, addr: u32, data: b64, data1: b64) { d = rmw(lds.b64, |m| if m == data1 { data } else { m }); }
    113 - => DS_CMPSTORE_RTN_F64                 (d: f64, addr: u32, data: f64, data1: f64) { d = rmw(lds.f64, |m| if m == data1 { data } else { m }); }
    114 - => DS_MIN_RTN_F64                      (d: f64, addr: u32, data: f64) { d = rmw(lds.f64, |m| min(m, data)); }
    - 114 => DS_MIN_NUM_RTN_F64 (d: f64, addr: u32, data: f64) also "ds_min_rtn_f64" { d = rmw(lds.f64, |m| min(max(data, data), max(m, m))); }
    115 - => DS_MAX_RTN_F64                      (d: f64, addr: u32, data: f64) { d = rmw(lds.f64, |m| max(m, data)); }
    - 115 => DS_MAX_NUM_RTN_F64 (d: f64, addr: u32, data: f64) also "ds_max_rtn_f64" { d = rmw(lds.f64, |m| max(max(data, data), max(m, m))); }
    118 => DS_LOAD_B64                         (d: b64, addr: u32) also "ds_read_b64" { d = lds.b64; }
    119 => DS_LOAD_2ADDR_B64                   (d: b64x2, addr: u32) two_offsets, also "ds_read2_b64" { d = join(lds.b64, lds1.b64); }
    120 => DS_LOAD_2ADDR_STRIDE64_B64          (d: b64x2, addr: u32) two_offsets, stride64, also "ds_read2st64_b64" { d = join(lds.b64, lds1.b64); }
    121 => DS_ADD_RTN_F32                      (d: f32, addr: u32, data: f32) { d = rmw(lds.f32, |m| m + data); }
    122 - => DS_ADD_GS_REG_RTN                   (d: u64, data: u32) gds_only, streamout, fix GDS = 1 { external(data, m0); d = external(data, m0); }
    123 - => DS_SUB_GS_REG_RTN                   (d: u64, data: u32) gds_only, streamout, fix GDS = 1 { external(data, m0); d = external(data, m0); }
    126 => DS_CONDXCHG32_RTN_B64               (d: b32x2, addr: u32, data: b32x2) { d = rmw(lds.b32x2, |m| join(if data[0][31] { data[0] & 0x7fff_ffff } else { m[0] }, if data[1][31] { data[1] & 0x7fff_ffff } else { m[1] })); }
    160 => DS_STORE_B8_D16_HI                  (addr: u32, data: b8) also "ds_write_b8_d16_hi" { lds.b8 = data.hi; }
    161 => DS_STORE_B16_D16_HI                 (addr: u32, data: b16) also "ds_write_b16_d16_hi" { lds.b16 = data.hi; }
    162 => DS_LOAD_U8_D16                      (d: u16, addr: u32) also "ds_read_u8_d16" { d = lds.u8 as u16; }
    163 => DS_LOAD_U8_D16_HI                   (d: u16, addr: u32) also "ds_read_u8_d16_hi" { d.hi = lds.u8 as u16; }
    164 => DS_LOAD_I8_D16                      (d: i16, addr: u32) also "ds_read_i8_d16" { d = lds.i8 as i16; }
    165 => DS_LOAD_I8_D16_HI                   (d: i16, addr: u32) also "ds_read_i8_d16_hi" { d.hi = lds.i8 as i16; }
    166 => DS_LOAD_U16_D16                     (d: u16, addr: u32) also "ds_read_u16_d16" { d = lds.u16; }
    167 => DS_LOAD_U16_D16_HI                  (d: u16, addr: u32) also "ds_read_u16_d16_hi" { d.hi = lds.u16; }
    173 - => DS_BVH_STACK_RTN_B32                (d: b32, addr: inout u32, data: b32, data1: b32x4) fix GDS = 0 { d, addr = external(addr, data, data1, lds.b32), external(addr, data, data1); lds.b32 = external(addr, data, data1); }
    176 => DS_STORE_ADDTID_B32                 (data: b32) lds_only, also "ds_write_addtid_b32" { lds[m0[15:0] as u32 + (offset0 as u32 | offset1 as u32 << 8) + lane_id() * 4].b32 = data; }
    177 => DS_LOAD_ADDTID_B32                  (d: b32) lds_only, also "ds_read_addtid_b32" { d = lds[m0[15:0] as u32 + (offset0 as u32 | offset1 as u32 << 8) + lane_id() * 4].b32; }
    178 - => DS_PERMUTE_B32                    (d: b32, addr: u32, data: b32) fix GDS = 0 { d = permute(data, addr + (offset0 as u32 | offset1 as u32 << 8)); }
    179 - => DS_BPERMUTE_B32                   (d: b32, addr: u32, data: b32) fix GDS = 0 { d = bpermute(data, addr + (offset0 as u32 | offset1 as u32 << 8)); }
    222 => DS_STORE_B96                        (addr: u32, data: b96) also "ds_write_b96" { lds.b96 = data; }
    223 => DS_STORE_B128                       (addr: u32, data: b128) also "ds_write_b128" { lds.b128 = data; }
    254 => DS_LOAD_B96                         (d: b96, addr: u32) also "ds_read_b96" { d = lds.b96; }
    255 => DS_LOAD_B128                        (d: b128, addr: u32) also "ds_read_b128" { d = lds.b128; }
    152 => DS_COND_SUB_U32 (addr: u32, data: u32) in rdna4 { rmw(lds.u32, |m| if m >= data { m - data } else { m }); }
    153 => DS_SUB_CLAMP_U32 (addr: u32, data: u32) in rdna4 { rmw(lds.u32, |m| if m < data { 0 } else { m - data }); }
    154 => DS_PK_ADD_F16 (addr: u32, data: f16x2) in rdna4 { rmw(lds.f16x2, |m| m + data); }
    155 => DS_PK_ADD_BF16 (addr: u32, data: bf16x2) in rdna4 { rmw(lds.bf16x2, |m| m + data); }
    168 => DS_COND_SUB_RTN_U32 (d: u32, addr: u32, data: u32) in rdna4 { d = rmw(lds.u32, |m| if m >= data { m - data } else { m }); }
    169 => DS_SUB_CLAMP_RTN_U32 (d: u32, addr: u32, data: u32) in rdna4 { d = rmw(lds.u32, |m| if m < data { 0 } else { m - data }); }
    170 => DS_PK_ADD_RTN_F16 (d: f16x2, addr: u32, data: f16x2) in rdna4 { d = rmw(lds.f16x2, |m| m + data); }
    171 => DS_PK_ADD_RTN_BF16 (d: bf16x2, addr: u32, data: bf16x2) in rdna4 { d = rmw(lds.bf16x2, |m| m + data); }
    // In RDNA4 they reach all lanes of a wave of 64, in RDNA3 those of the same 32.
    - 178 => DS_PERMUTE_B32 (d: b32, addr: u32, data: b32) { d = permute_wave(data, addr + (offset0 as u32 | offset1 as u32 << 8)); }
    - 179 => DS_BPERMUTE_B32 (d: b32, addr: u32, data: b32) { d = bpermute_wave(data, addr + (offset0 as u32 | offset1 as u32 << 8)); }
    205 => DS_BPERMUTE_FI_B32 (d: b32, addr: u32, data: b32) in rdna4 { d = lane(data, addr + (offset0 as u32 | offset1 as u32 << 8) >> 2); }
    224 => DS_BVH_STACK_PUSH4_POP1_RTN_B32 (d: b32, addr: inout u32, data: b32, data1: b32x4) in rdna4, also "ds_bvh_stack_rtn_b32" { d, addr = external(addr, data, data1, lds.b32), external(addr, data, data1); lds.b32 = external(addr, data, data1); }
    225 => DS_BVH_STACK_PUSH8_POP1_RTN_B32 (d: b32, addr: inout u32, data: b32, data1: b32x8) in rdna4 { d, addr = external(addr, data, data1, lds.b32), external(addr, data, data1); lds.b32 = external(addr, data, data1); }
    226 => DS_BVH_STACK_PUSH8_POP2_RTN_B64 (d: b64, addr: inout u32, data: b32, data1: b32x8) in rdna4 { d, addr = external(addr, data, data1, lds.b32), external(addr, data, data1); lds.b32 = external(addr, data, data1); }
}

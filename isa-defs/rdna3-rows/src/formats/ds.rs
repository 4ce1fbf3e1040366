//! Local and global data share.

use isa::isa;

isa! {
    /// Loads, stores and atomics on the local data share (LDS) of a workgroup and the global data share (GDS), and lane
    /// permutations that go through the LDS hardware. Guide §15.6.1, instructions §16.15.
    format DS: 64 {
        OFFSET0  [7:0]:   mod offset0: DsOffset0,
        OFFSET1  [15:8]:  mod offset1: DsOffset1,
        RESERVED [16]     reserved,
        GDS      [17]:    mod gds: Flag,
        OP       [25:18] = opcode,
        ENCODING [31:26] = 0b110110,
        ADDR     [39:32]: addr: DataVgpr,
        DATA0    [47:40]: data: DataVgpr,
        DATA1    [55:48]: data1: DataVgpr,
        VDST     [63:56]: out d: DataVgpr,
    }
    // `two_offsets`: OFFSET0 and OFFSET1 belong to two addresses; otherwise they are one number of 16 bits.
    // `swizzle`: that number says which lane reads which. `gds_only`: LDS has no such operation.
    // `d16_hi`: what is moved stands in the high half of its register.
    // `unlisted`: LLVM knows the opcode, the guide does not list it.
    // `appends`: the offset is that of a counter to which a wave adds its lanes. `lds_only`: GDS has no such operation.
    // `gws`: synchronizes waves of the whole device, or counts them in order.
    // `reads_m0`: reads M0, which its text does not name. Every operation on GDS does.
    words appends, two_offsets, swizzle, gds_only, lds_only, d16_hi, unlisted, gws, reads_m0;
    text "{d}, {addr}, {data}, {data1}{offset0}{offset1}{gds}" if two_offsets;
    text "{d}, {addr}, {data}, {data1}{offset0} gds" if gds_only;
    text "{d}, {addr}, {data}, {data1}{offset0}{gds}";

    0   => DS_ADD_U32                          (addr: u32, data: u32);
    1   => DS_SUB_U32                          (addr: u32, data: u32);
    2   => DS_RSUB_U32                         (addr: u32, data: u32);
    3   => DS_INC_U32                          (addr: u32, data: u32);
    4   => DS_DEC_U32                          (addr: u32, data: u32);
    5   => DS_MIN_I32                          (addr: u32, data: i32);
    6   => DS_MAX_I32                          (addr: u32, data: i32);
    7   => DS_MIN_U32                          (addr: u32, data: u32);
    8   => DS_MAX_U32                          (addr: u32, data: u32);
    9   => DS_AND_B32                          (addr: u32, data: b32);
    10  => DS_OR_B32                           (addr: u32, data: b32);
    11  => DS_XOR_B32                          (addr: u32, data: b32);
    12  => DS_MSKOR_B32                        (addr: u32, data: b32, data1: b32);
    13  => DS_STORE_B32                        (addr: u32, data: b32) also "ds_write_b32";
    14  => DS_STORE_2ADDR_B32                  (addr: u32, data: b32, data1: b32) two_offsets, also "ds_write2_b32";
    15  => DS_STORE_2ADDR_STRIDE64_B32         (addr: u32, data: b32, data1: b32) two_offsets, also "ds_write2st64_b32";
    16  => DS_CMPSTORE_B32                     (addr: u32, data: b32, data1: b32);
    17  => DS_CMPSTORE_F32                     (addr: u32, data: f32, data1: f32);
    18  => DS_MIN_F32                          (addr: u32, data: f32);
    19  => DS_MAX_F32                          (addr: u32, data: f32);
    20  => DS_NOP                              () fix OFFSET0 = 0, fix OFFSET1 = 0, fix GDS = 0;
    21  => DS_ADD_F32                          (addr: u32, data: f32);
    24  => DS_GWS_SEMA_RELEASE_ALL             () gws, gds_only, fix GDS = 1, unlisted;
    25  => DS_GWS_INIT                         (addr: u32) gws, gds_only, fix GDS = 1, unlisted;
    26  => DS_GWS_SEMA_V                       () gws, gds_only, fix GDS = 1, unlisted;
    27  => DS_GWS_SEMA_BR                      (addr: u32) gws, gds_only, fix GDS = 1, unlisted;
    28  => DS_GWS_SEMA_P                       () gws, gds_only, fix GDS = 1, unlisted;
    29  => DS_GWS_BARRIER                      (addr: u32) gws, gds_only, fix GDS = 1, unlisted;
    30  => DS_STORE_B8                         (addr: u32, data: b8) also "ds_write_b8";
    31  => DS_STORE_B16                        (addr: u32, data: b16) also "ds_write_b16";
    32  => DS_ADD_RTN_U32                      (d: u32, addr: u32, data: u32);
    33  => DS_SUB_RTN_U32                      (d: u32, addr: u32, data: u32);
    34  => DS_RSUB_RTN_U32                     (d: u32, addr: u32, data: u32);
    35  => DS_INC_RTN_U32                      (d: u32, addr: u32, data: u32);
    36  => DS_DEC_RTN_U32                      (d: u32, addr: u32, data: u32);
    37  => DS_MIN_RTN_I32                      (d: i32, addr: u32, data: i32);
    38  => DS_MAX_RTN_I32                      (d: i32, addr: u32, data: i32);
    39  => DS_MIN_RTN_U32                      (d: u32, addr: u32, data: u32);
    40  => DS_MAX_RTN_U32                      (d: u32, addr: u32, data: u32);
    41  => DS_AND_RTN_B32                      (d: b32, addr: u32, data: b32);
    42  => DS_OR_RTN_B32                       (d: b32, addr: u32, data: b32);
    43  => DS_XOR_RTN_B32                      (d: b32, addr: u32, data: b32);
    44  => DS_MSKOR_RTN_B32                    (d: b32, addr: u32, data: b32, data1: b32);
    45  => DS_STOREXCHG_RTN_B32                (d: b32, addr: u32, data: b32) also "ds_wrxchg_rtn_b32";
    46  => DS_STOREXCHG_2ADDR_RTN_B32          (d: b32x2, addr: u32, data: b32, data1: b32) two_offsets, also "ds_wrxchg2_rtn_b32";
    47  => DS_STOREXCHG_2ADDR_STRIDE64_RTN_B32 (d: b32x2, addr: u32, data: b32, data1: b32) two_offsets, also "ds_wrxchg2st64_rtn_b32";
    48  => DS_CMPSTORE_RTN_B32                 (d: b32, addr: u32, data: b32, data1: b32);
    49  => DS_CMPSTORE_RTN_F32                 (d: f32, addr: u32, data: f32, data1: f32);
    50  => DS_MIN_RTN_F32                      (d: f32, addr: u32, data: f32);
    51  => DS_MAX_RTN_F32                      (d: f32, addr: u32, data: f32);
    52  => DS_WRAP_RTN_B32                     (d: u32, addr: u32, data: u32, data1: u32);
    53  => DS_SWIZZLE_B32                      (d: b32, addr: b32) lds_only, swizzle;
    54  => DS_LOAD_B32                         (d: b32, addr: u32) also "ds_read_b32";
    55  => DS_LOAD_2ADDR_B32                   (d: b32x2, addr: u32) two_offsets, also "ds_read2_b32";
    56  => DS_LOAD_2ADDR_STRIDE64_B32          (d: b32x2, addr: u32) two_offsets, also "ds_read2st64_b32";
    57  => DS_LOAD_I8                          (d: i32, addr: u32) also "ds_read_i8";
    58  => DS_LOAD_U8                          (d: u32, addr: u32) also "ds_read_u8";
    59  => DS_LOAD_I16                         (d: i32, addr: u32) also "ds_read_i16";
    60  => DS_LOAD_U16                         (d: u32, addr: u32) also "ds_read_u16";
    61  => DS_CONSUME                          (d: u32) appends, reads_m0;
    62  => DS_APPEND                           (d: u32) appends, reads_m0;
    63  => DS_ORDERED_COUNT                    (d: u32, addr: u32) gds_only, fix GDS = 1, gws;
    64  => DS_ADD_U64                          (addr: u32, data: u64);
    65  => DS_SUB_U64                          (addr: u32, data: u64);
    66  => DS_RSUB_U64                         (addr: u32, data: u64);
    67  => DS_INC_U64                          (addr: u32, data: u64);
    68  => DS_DEC_U64                          (addr: u32, data: u64);
    69  => DS_MIN_I64                          (addr: u32, data: i64);
    70  => DS_MAX_I64                          (addr: u32, data: i64);
    71  => DS_MIN_U64                          (addr: u32, data: u64);
    72  => DS_MAX_U64                          (addr: u32, data: u64);
    73  => DS_AND_B64                          (addr: u32, data: b64);
    74  => DS_OR_B64                           (addr: u32, data: b64);
    75  => DS_XOR_B64                          (addr: u32, data: b64);
    76  => DS_MSKOR_B64                        (addr: u32, data: b64, data1: b64);
    77  => DS_STORE_B64                        (addr: u32, data: b64) also "ds_write_b64";
    78  => DS_STORE_2ADDR_B64                  (addr: u32, data: b64, data1: b64) two_offsets, also "ds_write2_b64";
    79  => DS_STORE_2ADDR_STRIDE64_B64         (addr: u32, data: b64, data1: b64) two_offsets, also "ds_write2st64_b64";
    80  => DS_CMPSTORE_B64                     (addr: u32, data: b64, data1: b64);
    81  => DS_CMPSTORE_F64                     (addr: u32, data: f64, data1: f64);
    82  => DS_MIN_F64                          (addr: u32, data: f64);
    83  => DS_MAX_F64                          (addr: u32, data: f64);
    96  => DS_ADD_RTN_U64                      (d: u64, addr: u32, data: u64);
    97  => DS_SUB_RTN_U64                      (d: u64, addr: u32, data: u64);
    98  => DS_RSUB_RTN_U64                     (d: u64, addr: u32, data: u64);
    99  => DS_INC_RTN_U64                      (d: u64, addr: u32, data: u64);
    100 => DS_DEC_RTN_U64                      (d: u64, addr: u32, data: u64);
    101 => DS_MIN_RTN_I64                      (d: i64, addr: u32, data: i64);
    102 => DS_MAX_RTN_I64                      (d: i64, addr: u32, data: i64);
    103 => DS_MIN_RTN_U64                      (d: u64, addr: u32, data: u64);
    104 => DS_MAX_RTN_U64                      (d: u64, addr: u32, data: u64);
    105 => DS_AND_RTN_B64                      (d: b64, addr: u32, data: b64);
    106 => DS_OR_RTN_B64                       (d: b64, addr: u32, data: b64);
    107 => DS_XOR_RTN_B64                      (d: b64, addr: u32, data: b64);
    108 => DS_MSKOR_RTN_B64                    (d: b64, addr: u32, data: b64, data1: b64);
    109 => DS_STOREXCHG_RTN_B64                (d: b64, addr: u32, data: b64) also "ds_wrxchg_rtn_b64";
    110 => DS_STOREXCHG_2ADDR_RTN_B64          (d: b64x2, addr: u32, data: b64, data1: b64) two_offsets, also "ds_wrxchg2_rtn_b64";
    111 => DS_STOREXCHG_2ADDR_STRIDE64_RTN_B64 (d: b64x2, addr: u32, data: b64, data1: b64) two_offsets, also "ds_wrxchg2st64_rtn_b64";
    112 => DS_CMPSTORE_RTN_B64                 (d: b64, addr: u32, data: b64, data1: b64);
    113 => DS_CMPSTORE_RTN_F64                 (d: f64, addr: u32, data: f64, data1: f64);
    114 => DS_MIN_RTN_F64                      (d: f64, addr: u32, data: f64);
    115 => DS_MAX_RTN_F64                      (d: f64, addr: u32, data: f64);
    118 => DS_LOAD_B64                         (d: b64, addr: u32) also "ds_read_b64";
    119 => DS_LOAD_2ADDR_B64                   (d: b64x2, addr: u32) two_offsets, also "ds_read2_b64";
    120 => DS_LOAD_2ADDR_STRIDE64_B64          (d: b64x2, addr: u32) two_offsets, also "ds_read2st64_b64";
    121 => DS_ADD_RTN_F32                      (d: f32, addr: u32, data: f32);
    122 => DS_ADD_GS_REG_RTN                   (d: u64, data: u32) gds_only, fix GDS = 1;
    123 => DS_SUB_GS_REG_RTN                   (d: u64, data: u32) gds_only, fix GDS = 1;
    126 => DS_CONDXCHG32_RTN_B64               (d: b32x2, addr: u32, data: b32x2);
    160 => DS_STORE_B8_D16_HI                  (addr: u32, data: b8) d16_hi, also "ds_write_b8_d16_hi";
    161 => DS_STORE_B16_D16_HI                 (addr: u32, data: b16) d16_hi, also "ds_write_b16_d16_hi";
    162 => DS_LOAD_U8_D16                      (d: u16, addr: u32) also "ds_read_u8_d16";
    163 => DS_LOAD_U8_D16_HI                   (d: u16, addr: u32) d16_hi, also "ds_read_u8_d16_hi";
    164 => DS_LOAD_I8_D16                      (d: i16, addr: u32) also "ds_read_i8_d16";
    165 => DS_LOAD_I8_D16_HI                   (d: i16, addr: u32) d16_hi, also "ds_read_i8_d16_hi";
    166 => DS_LOAD_U16_D16                     (d: u16, addr: u32) also "ds_read_u16_d16";
    167 => DS_LOAD_U16_D16_HI                  (d: u16, addr: u32) d16_hi, also "ds_read_u16_d16_hi";
    173 => DS_BVH_STACK_RTN_B32                (d: b32, addr: inout u32, data: b32, data1: b32x4) fix GDS = 0;
    176 => DS_STORE_ADDTID_B32                 (data: b32) lds_only, reads_m0, also "ds_write_addtid_b32";
    177 => DS_LOAD_ADDTID_B32                  (d: b32) lds_only, reads_m0, also "ds_read_addtid_b32";
    178 => DS_PERMUTE_B32                      (d: b32, addr: u32, data: b32) fix GDS = 0;
    179 => DS_BPERMUTE_B32                     (d: b32, addr: u32, data: b32) fix GDS = 0;
    222 => DS_STORE_B96                        (addr: u32, data: b96) also "ds_write_b96";
    223 => DS_STORE_B128                       (addr: u32, data: b128) also "ds_write_b128";
    254 => DS_LOAD_B96                         (d: b96, addr: u32) also "ds_read_b96";
    255 => DS_LOAD_B128                        (d: b128, addr: u32) also "ds_read_b128";
}

//! Scalar memory.

use isa::isa;

isa! {
    /// Loads, stores and atomics through the constant cache, what concerns that cache, and clocks. The address is a base
    /// (a pointer, or a buffer resource) plus a constant or a register, in GCN 1.4 also both.
    format SMEM: 64 of gcn1_2, gcn1_4 {
        SBASE     [5:0]:   base: SmemBase,
        SDATA     [12:6]:  data | out d | imm: SmemData,
        RESERVED1 [15:13]  reserved in gcn1_2,
        RESERVED1 [13]     reserved in gcn1_4,
        SOE       [14]:    mod soe: Choice if offset in gcn1_4,
        NV        [15]:    mod nv: Flag if base in gcn1_4,
        GLC       [16]:    mod glc: Flag if load | store | atomic,
        IMM       [17]:    mod imm_offset: Choice if offset,
        OP        [25:18]  = opcode,
        ENCODING  [31:26]  = 0b110000,
        OFFSET    [51:32]: offset: SmemOffset in gcn1_2,
        OFFSET    [52:32]: offset: SmemOffset in gcn1_4,
        RESERVED2 [63:52]  reserved in gcn1_2,
        RESERVED2 [56:53]  reserved in gcn1_4,
        SOFFSET   [63:57]: soffset: SmemSoffset in gcn1_4,
    }
    // `load`, `store`, `atomic`, `cache`, `llvm_lacks`: as in MUBUF.
    // `buffer`: the base is a buffer resource. `scratch`: the register of the address counts as an offset into scratch.
    // `time`: reads a clock. `probe`: asks for the translation of an address.
    words load, store, atomic, cache, buffer, scratch, time, probe, llvm_lacks;
    text "{d}, {data}, {imm}, {base}, {offset}{soffset}{glc}{nv}";

    // 1.2 1.4
    0       => S_LOAD_DWORD               (d: b32, base: u64, offset: i21, soffset: u32) load;
    1       => S_LOAD_DWORDX2             (d: b64, base: u64, offset: i21, soffset: u32) load;
    2       => S_LOAD_DWORDX4             (d: b128, base: u64, offset: i21, soffset: u32) load;
    3       => S_LOAD_DWORDX8             (d: b256, base: u64, offset: i21, soffset: u32) load;
    4       => S_LOAD_DWORDX16            (d: b512, base: u64, offset: i21, soffset: u32) load;
    -   5   => S_SCRATCH_LOAD_DWORD       (d: b32, base: u64, offset: i21, soffset: u32) load, scratch;
    -   6   => S_SCRATCH_LOAD_DWORDX2     (d: b64, base: u64, offset: i21, soffset: u32) load, scratch;
    -   7   => S_SCRATCH_LOAD_DWORDX4     (d: b128, base: u64, offset: i21, soffset: u32) load, scratch;
    8       => S_BUFFER_LOAD_DWORD        (d: b32, base: b128, offset: i21, soffset: u32) load, buffer;
    9       => S_BUFFER_LOAD_DWORDX2      (d: b64, base: b128, offset: i21, soffset: u32) load, buffer;
    10      => S_BUFFER_LOAD_DWORDX4      (d: b128, base: b128, offset: i21, soffset: u32) load, buffer;
    11      => S_BUFFER_LOAD_DWORDX8      (d: b256, base: b128, offset: i21, soffset: u32) load, buffer;
    12      => S_BUFFER_LOAD_DWORDX16     (d: b512, base: b128, offset: i21, soffset: u32) load, buffer;
    16      => S_STORE_DWORD              (data: b32, base: u64, offset: i21, soffset: u32) store;
    17      => S_STORE_DWORDX2            (data: b64, base: u64, offset: i21, soffset: u32) store;
    18      => S_STORE_DWORDX4            (data: b128, base: u64, offset: i21, soffset: u32) store;
    -   21  => S_SCRATCH_STORE_DWORD      (data: b32, base: u64, offset: i21, soffset: u32) store, scratch;
    -   22  => S_SCRATCH_STORE_DWORDX2    (data: b64, base: u64, offset: i21, soffset: u32) store, scratch;
    -   23  => S_SCRATCH_STORE_DWORDX4    (data: b128, base: u64, offset: i21, soffset: u32) store, scratch;
    24      => S_BUFFER_STORE_DWORD       (data: b32, base: b128, offset: i21, soffset: u32) store, buffer;
    25      => S_BUFFER_STORE_DWORDX2     (data: b64, base: b128, offset: i21, soffset: u32) store, buffer;
    26      => S_BUFFER_STORE_DWORDX4     (data: b128, base: b128, offset: i21, soffset: u32) store, buffer;
    32      => S_DCACHE_INV               () cache;
    33      => S_DCACHE_WB                () cache;
    34      => S_DCACHE_INV_VOL           () cache;
    35      => S_DCACHE_WB_VOL            () cache;
    36      => S_MEMTIME                  (d: u64) time;
    37      => S_MEMREALTIME              (d: u64) time;
    38      => S_ATC_PROBE                (imm: u8 as Imm7, base: u64, offset: i21, soffset: u32) probe;
    39      => S_ATC_PROBE_BUFFER         (imm: u8 as Imm7, base: b128, offset: i21, soffset: u32) probe, buffer;
    40      => S_DCACHE_DISCARD           (base: u64, offset: i21, soffset: u32) cache, llvm_lacks in gcn1_2;
    41      => S_DCACHE_DISCARD_X2        (base: u64, offset: i21, soffset: u32) cache, llvm_lacks in gcn1_2;
    -   64  => S_BUFFER_ATOMIC_SWAP       (data: b32 out if GLC, base: b128, offset: i21, soffset: u32) atomic, buffer;
    -   65  => S_BUFFER_ATOMIC_CMPSWAP    (data: b32x2 out if GLC, base: b128, offset: i21, soffset: u32) atomic, buffer;
    -   66  => S_BUFFER_ATOMIC_ADD        (data: u32 out if GLC, base: b128, offset: i21, soffset: u32) atomic, buffer;
    -   67  => S_BUFFER_ATOMIC_SUB        (data: u32 out if GLC, base: b128, offset: i21, soffset: u32) atomic, buffer;
    -   68  => S_BUFFER_ATOMIC_SMIN       (data: i32 out if GLC, base: b128, offset: i21, soffset: u32) atomic, buffer;
    -   69  => S_BUFFER_ATOMIC_UMIN       (data: u32 out if GLC, base: b128, offset: i21, soffset: u32) atomic, buffer;
    -   70  => S_BUFFER_ATOMIC_SMAX       (data: i32 out if GLC, base: b128, offset: i21, soffset: u32) atomic, buffer;
    -   71  => S_BUFFER_ATOMIC_UMAX       (data: u32 out if GLC, base: b128, offset: i21, soffset: u32) atomic, buffer;
    -   72  => S_BUFFER_ATOMIC_AND        (data: b32 out if GLC, base: b128, offset: i21, soffset: u32) atomic, buffer;
    -   73  => S_BUFFER_ATOMIC_OR         (data: b32 out if GLC, base: b128, offset: i21, soffset: u32) atomic, buffer;
    -   74  => S_BUFFER_ATOMIC_XOR        (data: b32 out if GLC, base: b128, offset: i21, soffset: u32) atomic, buffer;
    -   75  => S_BUFFER_ATOMIC_INC        (data: u32 out if GLC, base: b128, offset: i21, soffset: u32) atomic, buffer;
    -   76  => S_BUFFER_ATOMIC_DEC        (data: u32 out if GLC, base: b128, offset: i21, soffset: u32) atomic, buffer;
    -   96  => S_BUFFER_ATOMIC_SWAP_X2    (data: b64 out if GLC, base: b128, offset: i21, soffset: u32) atomic, buffer;
    -   97  => S_BUFFER_ATOMIC_CMPSWAP_X2 (data: b64x2 out if GLC, base: b128, offset: i21, soffset: u32) atomic, buffer;
    -   98  => S_BUFFER_ATOMIC_ADD_X2     (data: u64 out if GLC, base: b128, offset: i21, soffset: u32) atomic, buffer;
    -   99  => S_BUFFER_ATOMIC_SUB_X2     (data: u64 out if GLC, base: b128, offset: i21, soffset: u32) atomic, buffer;
    -   100 => S_BUFFER_ATOMIC_SMIN_X2    (data: i64 out if GLC, base: b128, offset: i21, soffset: u32) atomic, buffer;
    -   101 => S_BUFFER_ATOMIC_UMIN_X2    (data: u64 out if GLC, base: b128, offset: i21, soffset: u32) atomic, buffer;
    -   102 => S_BUFFER_ATOMIC_SMAX_X2    (data: i64 out if GLC, base: b128, offset: i21, soffset: u32) atomic, buffer;
    -   103 => S_BUFFER_ATOMIC_UMAX_X2    (data: u64 out if GLC, base: b128, offset: i21, soffset: u32) atomic, buffer;
    -   104 => S_BUFFER_ATOMIC_AND_X2     (data: b64 out if GLC, base: b128, offset: i21, soffset: u32) atomic, buffer;
    -   105 => S_BUFFER_ATOMIC_OR_X2      (data: b64 out if GLC, base: b128, offset: i21, soffset: u32) atomic, buffer;
    -   106 => S_BUFFER_ATOMIC_XOR_X2     (data: b64 out if GLC, base: b128, offset: i21, soffset: u32) atomic, buffer;
    -   107 => S_BUFFER_ATOMIC_INC_X2     (data: u64 out if GLC, base: b128, offset: i21, soffset: u32) atomic, buffer;
    -   108 => S_BUFFER_ATOMIC_DEC_X2     (data: u64 out if GLC, base: b128, offset: i21, soffset: u32) atomic, buffer;
    -   128 => S_ATOMIC_SWAP              (data: b32 out if GLC, base: u64, offset: i21, soffset: u32) atomic;
    -   129 => S_ATOMIC_CMPSWAP           (data: b32x2 out if GLC, base: u64, offset: i21, soffset: u32) atomic;
    -   130 => S_ATOMIC_ADD               (data: u32 out if GLC, base: u64, offset: i21, soffset: u32) atomic;
    -   131 => S_ATOMIC_SUB               (data: u32 out if GLC, base: u64, offset: i21, soffset: u32) atomic;
    -   132 => S_ATOMIC_SMIN              (data: i32 out if GLC, base: u64, offset: i21, soffset: u32) atomic;
    -   133 => S_ATOMIC_UMIN              (data: u32 out if GLC, base: u64, offset: i21, soffset: u32) atomic;
    -   134 => S_ATOMIC_SMAX              (data: i32 out if GLC, base: u64, offset: i21, soffset: u32) atomic;
    -   135 => S_ATOMIC_UMAX              (data: u32 out if GLC, base: u64, offset: i21, soffset: u32) atomic;
    -   136 => S_ATOMIC_AND               (data: b32 out if GLC, base: u64, offset: i21, soffset: u32) atomic;
    -   137 => S_ATOMIC_OR                (data: b32 out if GLC, base: u64, offset: i21, soffset: u32) atomic;
    -   138 => S_ATOMIC_XOR               (data: b32 out if GLC, base: u64, offset: i21, soffset: u32) atomic;
    -   139 => S_ATOMIC_INC               (data: u32 out if GLC, base: u64, offset: i21, soffset: u32) atomic;
    -   140 => S_ATOMIC_DEC               (data: u32 out if GLC, base: u64, offset: i21, soffset: u32) atomic;
    -   160 => S_ATOMIC_SWAP_X2           (data: b64 out if GLC, base: u64, offset: i21, soffset: u32) atomic;
    -   161 => S_ATOMIC_CMPSWAP_X2        (data: b64x2 out if GLC, base: u64, offset: i21, soffset: u32) atomic;
    -   162 => S_ATOMIC_ADD_X2            (data: u64 out if GLC, base: u64, offset: i21, soffset: u32) atomic;
    -   163 => S_ATOMIC_SUB_X2            (data: u64 out if GLC, base: u64, offset: i21, soffset: u32) atomic;
    -   164 => S_ATOMIC_SMIN_X2           (data: i64 out if GLC, base: u64, offset: i21, soffset: u32) atomic;
    -   165 => S_ATOMIC_UMIN_X2           (data: u64 out if GLC, base: u64, offset: i21, soffset: u32) atomic;
    -   166 => S_ATOMIC_SMAX_X2           (data: i64 out if GLC, base: u64, offset: i21, soffset: u32) atomic;
    -   167 => S_ATOMIC_UMAX_X2           (data: u64 out if GLC, base: u64, offset: i21, soffset: u32) atomic;
    -   168 => S_ATOMIC_AND_X2            (data: b64 out if GLC, base: u64, offset: i21, soffset: u32) atomic;
    -   169 => S_ATOMIC_OR_X2             (data: b64 out if GLC, base: u64, offset: i21, soffset: u32) atomic;
    -   170 => S_ATOMIC_XOR_X2            (data: b64 out if GLC, base: u64, offset: i21, soffset: u32) atomic;
    -   171 => S_ATOMIC_INC_X2            (data: u64 out if GLC, base: u64, offset: i21, soffset: u32) atomic;
    -   172 => S_ATOMIC_DEC_X2            (data: u64 out if GLC, base: u64, offset: i21, soffset: u32) atomic;
}

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
        IMM       [17]:    mod imm_offset: Choice if offset else reserved,
        OP        [25:18]  = opcode,
        ENCODING  [31:26]  = 0b110000,
        OFFSET    [51:32]: offset: SmemOffset20 in gcn1_2,
        OFFSET    [52:32]: offset: SmemOffset in gcn1_4,
        RESERVED2 [63:52]  reserved in gcn1_2,
        RESERVED2 [56:53]  reserved in gcn1_4,
        SOFFSET   [63:57]: soffset: SmemSoffset in gcn1_4,
    }
    operands address = (base: u64, offset: i21, soffset: u32);
    operands buffer_address = (base: b128, offset: i21, soffset: u32);
    // `load`, `store`, `atomic`, `cache`, `llvm_lacks`: as in MUBUF.
    // `buffer`: the base is a buffer resource. `scratch`: the register of the address counts as an offset into scratch.
    // `time`: reads a clock. `probe`: asks for the translation of an address.
    flags cache, buffer, scratch, time, probe, load = loads, store = stores, atomic = updates;
    quirks llvm_lacks;
    text "{d}, {data}, {imm}, {base}, {offset}{soffset}{glc}{nv}";
    run wave;
    address mem in scalar if !buffer & !scratch & soffset = base + offset as u64 + soffset as u64;
    address mem in scalar if !buffer & !scratch & !soffset = base + offset as u64;
    address mem in scratch if scratch & soffset = base + offset as u64 + soffset as u64;
    address mem in scratch if scratch & !soffset = base + offset as u64;
    address mem in scalar if buffer & soffset = scalar_buffer_address(base, offset as u64 + soffset as u64);
    address mem in scalar if buffer & !soffset = scalar_buffer_address(base, offset as u64);

    // 1.2 1.4
    0       => S_LOAD_DWORD               (d: b32, ..address) { d = mem.b32; }
    1       => S_LOAD_DWORDX2             (d: b64, ..address) { d = mem.b64; }
    2       => S_LOAD_DWORDX4             (d: b128, ..address) { d = mem.b128; }
    3       => S_LOAD_DWORDX8             (d: b256, ..address) { d = mem.b256; }
    4       => S_LOAD_DWORDX16            (d: b512, ..address) { d = mem.b512; }
    -   5   => S_SCRATCH_LOAD_DWORD       (d: b32, ..address) scratch { d = mem.b32; }
    -   6   => S_SCRATCH_LOAD_DWORDX2     (d: b64, ..address) scratch { d = mem.b64; }
    -   7   => S_SCRATCH_LOAD_DWORDX4     (d: b128, ..address) scratch { d = mem.b128; }
    8       => S_BUFFER_LOAD_DWORD        (d: b32, ..buffer_address) buffer { d = mem.b32; }
    9       => S_BUFFER_LOAD_DWORDX2      (d: b64, ..buffer_address) buffer { d = mem.b64; }
    10      => S_BUFFER_LOAD_DWORDX4      (d: b128, ..buffer_address) buffer { d = mem.b128; }
    11      => S_BUFFER_LOAD_DWORDX8      (d: b256, ..buffer_address) buffer { d = mem.b256; }
    12      => S_BUFFER_LOAD_DWORDX16     (d: b512, ..buffer_address) buffer { d = mem.b512; }
    16      => S_STORE_DWORD              (data: b32, ..address) { mem.b32 = data; }
    17      => S_STORE_DWORDX2            (data: b64, ..address) { mem.b64 = data; }
    18      => S_STORE_DWORDX4            (data: b128, ..address) { mem.b128 = data; }
    -   21  => S_SCRATCH_STORE_DWORD      (data: b32, ..address) scratch { mem.b32 = data; }
    -   22  => S_SCRATCH_STORE_DWORDX2    (data: b64, ..address) scratch { mem.b64 = data; }
    -   23  => S_SCRATCH_STORE_DWORDX4    (data: b128, ..address) scratch { mem.b128 = data; }
    24      => S_BUFFER_STORE_DWORD       (data: b32, ..buffer_address) buffer { mem.b32 = data; }
    25      => S_BUFFER_STORE_DWORDX2     (data: b64, ..buffer_address) buffer { mem.b64 = data; }
    26      => S_BUFFER_STORE_DWORDX4     (data: b128, ..buffer_address) buffer { mem.b128 = data; }
    32      => S_DCACHE_INV               () cache { }
    33      => S_DCACHE_WB                () cache { }
    34      => S_DCACHE_INV_VOL           () cache { }
    35      => S_DCACHE_WB_VOL            () cache { }
    36      => S_MEMTIME                  (d: u64) time { d = external(); }
    37      => S_MEMREALTIME              (d: u64) time { d = external(); }
    38      => S_ATC_PROBE                (imm: u8 as Imm7, ..address) probe { external(imm, base, offset, soffset); }
    39      => S_ATC_PROBE_BUFFER         (imm: u8 as Imm7, ..buffer_address) probe, buffer { external(imm, base, offset, soffset); }
    40      => S_DCACHE_DISCARD           (..address) cache, llvm_lacks in gcn1_2 { }
    41      => S_DCACHE_DISCARD_X2        (..address) cache, llvm_lacks in gcn1_2 { }
    -   64  => S_BUFFER_ATOMIC_SWAP       (data: b32 out if GLC, ..buffer_address) buffer { data = rmw(mem.b32, |m| data); }
    -   65  => S_BUFFER_ATOMIC_CMPSWAP    (data: b32x2 out if GLC, ..buffer_address) buffer { data[0] = rmw(mem.b32, |m| if m == data[1] { data[0] } else { m }); }
    -   66  => S_BUFFER_ATOMIC_ADD        (data: u32 out if GLC, ..buffer_address) buffer { data = rmw(mem.u32, |m| m + data); }
    -   67  => S_BUFFER_ATOMIC_SUB        (data: u32 out if GLC, ..buffer_address) buffer { data = rmw(mem.u32, |m| m - data); }
    -   68  => S_BUFFER_ATOMIC_SMIN       (data: i32 out if GLC, ..buffer_address) buffer { data = rmw(mem.i32, |m| min(m, data)); }
    -   69  => S_BUFFER_ATOMIC_UMIN       (data: u32 out if GLC, ..buffer_address) buffer { data = rmw(mem.u32, |m| min(m, data)); }
    -   70  => S_BUFFER_ATOMIC_SMAX       (data: i32 out if GLC, ..buffer_address) buffer { data = rmw(mem.i32, |m| max(m, data)); }
    -   71  => S_BUFFER_ATOMIC_UMAX       (data: u32 out if GLC, ..buffer_address) buffer { data = rmw(mem.u32, |m| max(m, data)); }
    -   72  => S_BUFFER_ATOMIC_AND        (data: b32 out if GLC, ..buffer_address) buffer { data = rmw(mem.b32, |m| m & data); }
    -   73  => S_BUFFER_ATOMIC_OR         (data: b32 out if GLC, ..buffer_address) buffer { data = rmw(mem.b32, |m| m | data); }
    -   74  => S_BUFFER_ATOMIC_XOR        (data: b32 out if GLC, ..buffer_address) buffer { data = rmw(mem.b32, |m| m ^ data); }
    -   75  => S_BUFFER_ATOMIC_INC        (data: u32 out if GLC, ..buffer_address) buffer { data = rmw(mem.u32, |m| if m >= data { 0 } else { m + 1 }); }
    -   76  => S_BUFFER_ATOMIC_DEC        (data: u32 out if GLC, ..buffer_address) buffer { data = rmw(mem.u32, |m| if m == 0 || m > data { data } else { m - 1 }); }
    -   96  => S_BUFFER_ATOMIC_SWAP_X2    (data: b64 out if GLC, ..buffer_address) buffer { data = rmw(mem.b64, |m| data); }
    -   97  => S_BUFFER_ATOMIC_CMPSWAP_X2 (data: b64x2 out if GLC, ..buffer_address) buffer { data[0] = rmw(mem.b64, |m| if m == data[1] { data[0] } else { m }); }
    -   98  => S_BUFFER_ATOMIC_ADD_X2     (data: u64 out if GLC, ..buffer_address) buffer { data = rmw(mem.u64, |m| m + data); }
    -   99  => S_BUFFER_ATOMIC_SUB_X2     (data: u64 out if GLC, ..buffer_address) buffer { data = rmw(mem.u64, |m| m - data); }
    -   100 => S_BUFFER_ATOMIC_SMIN_X2    (data: i64 out if GLC, ..buffer_address) buffer { data = rmw(mem.i64, |m| min(m, data)); }
    -   101 => S_BUFFER_ATOMIC_UMIN_X2    (data: u64 out if GLC, ..buffer_address) buffer { data = rmw(mem.u64, |m| min(m, data)); }
    -   102 => S_BUFFER_ATOMIC_SMAX_X2    (data: i64 out if GLC, ..buffer_address) buffer { data = rmw(mem.i64, |m| max(m, data)); }
    -   103 => S_BUFFER_ATOMIC_UMAX_X2    (data: u64 out if GLC, ..buffer_address) buffer { data = rmw(mem.u64, |m| max(m, data)); }
    -   104 => S_BUFFER_ATOMIC_AND_X2     (data: b64 out if GLC, ..buffer_address) buffer { data = rmw(mem.b64, |m| m & data); }
    -   105 => S_BUFFER_ATOMIC_OR_X2      (data: b64 out if GLC, ..buffer_address) buffer { data = rmw(mem.b64, |m| m | data); }
    -   106 => S_BUFFER_ATOMIC_XOR_X2     (data: b64 out if GLC, ..buffer_address) buffer { data = rmw(mem.b64, |m| m ^ data); }
    -   107 => S_BUFFER_ATOMIC_INC_X2     (data: u64 out if GLC, ..buffer_address) buffer { data = rmw(mem.u64, |m| if m >= data { 0 } else { m + 1 }); }
    -   108 => S_BUFFER_ATOMIC_DEC_X2     (data: u64 out if GLC, ..buffer_address) buffer { data = rmw(mem.u64, |m| if m == 0 || m > data { data } else { m - 1 }); }
    -   128 => S_ATOMIC_SWAP              (data: b32 out if GLC, ..address) { data = rmw(mem.b32, |m| data); }
    -   129 => S_ATOMIC_CMPSWAP           (data: b32x2 out if GLC, ..address) { data[0] = rmw(mem.b32, |m| if m == data[1] { data[0] } else { m }); }
    -   130 => S_ATOMIC_ADD               (data: u32 out if GLC, ..address) { data = rmw(mem.u32, |m| m + data); }
    -   131 => S_ATOMIC_SUB               (data: u32 out if GLC, ..address) { data = rmw(mem.u32, |m| m - data); }
    -   132 => S_ATOMIC_SMIN              (data: i32 out if GLC, ..address) { data = rmw(mem.i32, |m| min(m, data)); }
    -   133 => S_ATOMIC_UMIN              (data: u32 out if GLC, ..address) { data = rmw(mem.u32, |m| min(m, data)); }
    -   134 => S_ATOMIC_SMAX              (data: i32 out if GLC, ..address) { data = rmw(mem.i32, |m| max(m, data)); }
    -   135 => S_ATOMIC_UMAX              (data: u32 out if GLC, ..address) { data = rmw(mem.u32, |m| max(m, data)); }
    -   136 => S_ATOMIC_AND               (data: b32 out if GLC, ..address) { data = rmw(mem.b32, |m| m & data); }
    -   137 => S_ATOMIC_OR                (data: b32 out if GLC, ..address) { data = rmw(mem.b32, |m| m | data); }
    -   138 => S_ATOMIC_XOR               (data: b32 out if GLC, ..address) { data = rmw(mem.b32, |m| m ^ data); }
    -   139 => S_ATOMIC_INC               (data: u32 out if GLC, ..address) { data = rmw(mem.u32, |m| if m >= data { 0 } else { m + 1 }); }
    -   140 => S_ATOMIC_DEC               (data: u32 out if GLC, ..address) { data = rmw(mem.u32, |m| if m == 0 || m > data { data } else { m - 1 }); }
    -   160 => S_ATOMIC_SWAP_X2           (data: b64 out if GLC, ..address) { data = rmw(mem.b64, |m| data); }
    -   161 => S_ATOMIC_CMPSWAP_X2        (data: b64x2 out if GLC, ..address) { data[0] = rmw(mem.b64, |m| if m == data[1] { data[0] } else { m }); }
    -   162 => S_ATOMIC_ADD_X2            (data: u64 out if GLC, ..address) { data = rmw(mem.u64, |m| m + data); }
    -   163 => S_ATOMIC_SUB_X2            (data: u64 out if GLC, ..address) { data = rmw(mem.u64, |m| m - data); }
    -   164 => S_ATOMIC_SMIN_X2           (data: i64 out if GLC, ..address) { data = rmw(mem.i64, |m| min(m, data)); }
    -   165 => S_ATOMIC_UMIN_X2           (data: u64 out if GLC, ..address) { data = rmw(mem.u64, |m| min(m, data)); }
    -   166 => S_ATOMIC_SMAX_X2           (data: i64 out if GLC, ..address) { data = rmw(mem.i64, |m| max(m, data)); }
    -   167 => S_ATOMIC_UMAX_X2           (data: u64 out if GLC, ..address) { data = rmw(mem.u64, |m| max(m, data)); }
    -   168 => S_ATOMIC_AND_X2            (data: b64 out if GLC, ..address) { data = rmw(mem.b64, |m| m & data); }
    -   169 => S_ATOMIC_OR_X2             (data: b64 out if GLC, ..address) { data = rmw(mem.b64, |m| m | data); }
    -   170 => S_ATOMIC_XOR_X2            (data: b64 out if GLC, ..address) { data = rmw(mem.b64, |m| m ^ data); }
    -   171 => S_ATOMIC_INC_X2            (data: u64 out if GLC, ..address) { data = rmw(mem.u64, |m| if m >= data { 0 } else { m + 1 }); }
    -   172 => S_ATOMIC_DEC_X2            (data: u64 out if GLC, ..address) { data = rmw(mem.u64, |m| if m == 0 || m > data { data } else { m - 1 }); }
}

//! Image accesses of RDNA4 without a sampler.

use isa::isa;

isa! {
    /// Loads, stores and atomics on images, and ray intersection. How many registers the data and the address take follows
    /// from DMASK, DIM, A16, D16, TFE and the row's flags. Each register of the address has a field. RDNA4's guide §15.8,
    /// instructions §16.17.
    format VIMAGE: 96 of rdna4 {
        DIM       [2:0]:   mod dim: ImageDim if !ray else reserved,
        R128      [4]:     mod r128: Flag if !ray else reserved = 1,
        D16       [5]:     mod d16: Flag if !(ray | atomic) else reserved,
        A16       [6]:     mod a16: Flag if !(two_nodes | eight_boxes) else reserved,
        RESERVED  [49:48, 40, 13:8, 3] reserved,
        NV        [7]:     mod nv: Unavailable,
        OP        [21:14] = opcode,
        DMASK     [25:22]: mod dmask: Dmask if !ray else reserved = 0xF,
        ENCODING  [31:26] = 0b110100,
        VDATA     [39:32]: data | out d: ImageData,
        RSRC      [47:41]: rsrc: ImageResourceRegister,
        // The lowest bit of TH is the field GLC here; it says of an atomic whether it returns a value.
        SCOPE     [51:50]: mod scope: CacheScope if !ray else reserved,
        GLC       [52]:    mod rtn: ReturnBit if !ray else reserved,
        TH        [54:53]: mod th: TemporalHint if !ray else reserved,
        TFE       [55]:    mod tfe: Flag if !ray else reserved,
        VADDR4    [63:56]: mod addr4: RayAddr4 if ray else reserved,
        VADDR0    [71:64]: addr: ImageAddr,
        VADDR1    [79:72]: mod addr1: NsaAddr,
        VADDR2    [87:80]: mod addr2: NsaAddr,
        VADDR3    [95:88]: mod addr3: NsaAddr,
    }
    operands unsampled = (addr: u32, rsrc: b256);
    // As in MIMG. `two_nodes`: intersects a ray with two nodes of a bounding volume hierarchy. `eight_boxes`: with a node of eight boxes.
    flags bias, g16, gather4, gradient, level_zero, lod, lod_clamp, msaa, one_row, ray, two_nodes, eight_boxes, resinfo, sign_extended, texel_offset, unconverted, zcompare, atomic = updates, store = stores;
    text "{d}, {data}, {addr}, {rsrc}{dmask}{dim}{th}{scope}{nv}{r128}{a16}{tfe}{d16}";
    run lanes;
    tied data if atomic;
    address texel in image = image_address(rsrc, addr, dim);

    0   => IMAGE_LOAD                   (d: b32x4, ..unsampled) { d = texel.b32x4; }
    1   => IMAGE_LOAD_MIP               (d: b32x4, ..unsampled) lod { d = texel.b32x4; }
    2   => IMAGE_LOAD_PCK               (d: b32x4, ..unsampled) unconverted, fix D16 = 0 { d = texel.b32x4; }
    3   => IMAGE_LOAD_PCK_SGN           (d: b32x4, ..unsampled) unconverted, sign_extended, fix D16 = 0 { d = texel.b32x4; }
    4   => IMAGE_LOAD_MIP_PCK           (d: b32x4, ..unsampled) lod, unconverted, fix D16 = 0 { d = texel.b32x4; }
    5   => IMAGE_LOAD_MIP_PCK_SGN       (d: b32x4, ..unsampled) lod, unconverted, sign_extended, fix D16 = 0 { d = texel.b32x4; }
    6   => IMAGE_STORE                  (data: b32x4, ..unsampled) { texel.b32x4 = data; }
    7   => IMAGE_STORE_MIP              (data: b32x4, ..unsampled) lod { texel.b32x4 = data; }
    8   => IMAGE_STORE_PCK              (data: b32x4, ..unsampled) unconverted, fix D16 = 0 { texel.b32x4 = data; }
    9   => IMAGE_STORE_MIP_PCK          (data: b32x4, ..unsampled) lod, unconverted, fix D16 = 0 { texel.b32x4 = data; }
    10  => IMAGE_ATOMIC_SWAP            (data: b32 out if GLC, ..unsampled) { data = rmw(texel.b32, |m| data); }
    11  => IMAGE_ATOMIC_CMPSWAP         (data: b32x2 out if GLC, ..unsampled) { data[0] = rmw(texel.b32, |m| if m == data[1] { data[0] } else { m }); }
    12  => IMAGE_ATOMIC_ADD_UINT        (data: u32 out if GLC, ..unsampled) also "image_atomic_add" { data = rmw(texel.u32, |m| m + data); }
    13  => IMAGE_ATOMIC_SUB_UINT        (data: u32 out if GLC, ..unsampled) also "image_atomic_sub" { data = rmw(texel.u32, |m| m - data); }
    14  => IMAGE_ATOMIC_MIN_INT         (data: i32 out if GLC, ..unsampled) also "image_atomic_smin" { data = rmw(texel.i32, |m| min(m, data)); }
    15  => IMAGE_ATOMIC_MIN_UINT        (data: u32 out if GLC, ..unsampled) also "image_atomic_umin" { data = rmw(texel.u32, |m| min(m, data)); }
    16  => IMAGE_ATOMIC_MAX_INT         (data: i32 out if GLC, ..unsampled) also "image_atomic_smax" { data = rmw(texel.i32, |m| max(m, data)); }
    17  => IMAGE_ATOMIC_MAX_UINT        (data: u32 out if GLC, ..unsampled) also "image_atomic_umax" { data = rmw(texel.u32, |m| max(m, data)); }
    18  => IMAGE_ATOMIC_AND             (data: b32 out if GLC, ..unsampled) { data = rmw(texel.b32, |m| m & data); }
    19  => IMAGE_ATOMIC_OR              (data: b32 out if GLC, ..unsampled) { data = rmw(texel.b32, |m| m | data); }
    20  => IMAGE_ATOMIC_XOR             (data: b32 out if GLC, ..unsampled) { data = rmw(texel.b32, |m| m ^ data); }
    21  => IMAGE_ATOMIC_INC_UINT        (data: u32 out if GLC, ..unsampled) also "image_atomic_inc" { data = rmw(texel.u32, |m| if m >= data { 0 } else { m + 1 }); }
    22  => IMAGE_ATOMIC_DEC_UINT        (data: u32 out if GLC, ..unsampled) also "image_atomic_dec" { data = rmw(texel.u32, |m| if m == 0 || m > data { data } else { m - 1 }); }
    23  => IMAGE_GET_RESINFO            (d: u32x4, ..unsampled) resinfo, fix D16 = 0 { d = image_info(rsrc, addr); }
    25  => IMAGE_BVH_INTERSECT_RAY      (d: b32x4, addr: b32x11 as RayAddr, rsrc: b128) also "bvh_intersect_ray", ray { d = external(addr, rsrc, texel.b32); }
    26  => IMAGE_BVH64_INTERSECT_RAY    (d: b32x4, addr: b32x12 as RayAddr, rsrc: b128) also "bvh64_intersect_ray", ray { d = external(addr, rsrc, texel.b32); }
    128 => IMAGE_BVH_DUAL_INTERSECT_RAY (d: b32x10, addr: inout b32x12 as RayAddr, rsrc: b128) also "bvh_dual_intersect_ray", ray, two_nodes { d, addr = external(addr, rsrc, texel.b32), external(addr); }
    129 => IMAGE_BVH8_INTERSECT_RAY     (d: b32x10, addr: inout b32x11 as RayAddr, rsrc: b128) also "bvh8_intersect_ray", ray, eight_boxes { d, addr = external(addr, rsrc, texel.b32), external(addr); }
    131 => IMAGE_ATOMIC_ADD_FLT         (data: f32 out if GLC, ..unsampled) { data = rmw(texel.f32, |m| m + data); }
    132 => IMAGE_ATOMIC_MIN_FLT         (data: f32 out if GLC, ..unsampled) also "image_atomic_min_num_flt", also "image_atomic_fmin" { data = rmw(texel.f32, |m| min(max(data, data), max(m, m))); }
    133 => IMAGE_ATOMIC_MAX_FLT         (data: f32 out if GLC, ..unsampled) also "image_atomic_max_num_flt", also "image_atomic_fmax" { data = rmw(texel.f32, |m| max(max(data, data), max(m, m))); }
    134 => IMAGE_ATOMIC_PK_ADD_F16      (data: b32 out if GLC, ..unsampled) { data = rmw(texel.b32, |m| (m as f16x2 + data as f16x2) as b32); }
    135 => IMAGE_ATOMIC_PK_ADD_BF16     (data: b32 out if GLC, ..unsampled) { data = rmw(texel.b32, |m| (m as bf16x2 + data as bf16x2) as b32); }
}

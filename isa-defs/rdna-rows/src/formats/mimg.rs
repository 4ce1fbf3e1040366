//! Image accesses.

use super::sampled::with_sampled_rows;

with_sampled_rows! {
    /// Loads, stores and atomics on images, sampling through a sampler, and ray intersection. How many registers the
    /// data and the address take follows from DMASK, DIM, A16, D16, TFE and the row's flags. Addresses are
    /// consecutive registers, or, if NSA is set, a suffix dword names each of them. Guide §15.8.1, instructions §16.18.
    format MIMG: 64 of rdna3, rdna3_5 {
        // Selects the suffix dword. Its text is the brackets around the addresses.
        NSA       [0]:     mod nsa: Flag,
        RESERVED1 [1]      reserved,
        DIM       [4:2]:   mod dim: ImageDim if !ray else reserved,
        RESERVED2 [6:5]    reserved,
        UNRM      [7]:     mod unorm: Flag if !ray else reserved = 1,
        DMASK     [11:8]:  mod dmask: Dmask if !ray else reserved = 0xF,
        SLC       [12]:    mod slc: Flag if !ray else reserved,
        DLC       [13]:    mod dlc: Flag if !ray else reserved,
        GLC       [14]:    mod glc: Flag if !ray else reserved,
        R128      [15]:    mod r128: Flag if !ray else reserved = 1,
        A16       [16]:    mod a16: Flag,
        D16       [17]:    mod d16: Flag if !(ray | atomic) else reserved,
        OP        [25:18] = opcode,
        ENCODING  [31:26] = 0b111100,
        VADDR     [39:32]: addr: ImageAddr,
        VDATA     [47:40]: data | out d: ImageData,
        SRSRC     [52:48]: rsrc: ImageResource,
        TFE       [53]:    mod tfe: Flag if !ray else reserved,
        LWE       [54]:    mod lwe: Flag if !ray else reserved,
        RESERVED3 [57:55]  reserved,
        SSAMP     [62:58]: samp: ResourceSgprs else reserved,
        RESERVED4 [63]     reserved,
    }
    operands sampled = (addr: f32, rsrc: b256, samp: b128);
    operands unsampled = (addr: u32, rsrc: b256);
    // Contents of the address besides the coordinates: `zcompare` a depth to compare with, `gradient` the derivatives
    // (`g16`: of 16 bits each), `bias` and `lod` a bias of the level of detail and the level itself or its lower limit
    // (`lod_clamp`), `texel_offset` packed offsets. `resinfo`: the address is a level and nothing else. `level_zero`: the
    // level of detail is 0. A sample with none of `gradient`, `lod` without `lod_clamp`, and `level_zero` takes its level
    // from the differences of coordinates in a quad.
    // Contents of the data: `gather4` one component of four texels, which are in a row if `one_row`, `msaa` four samples,
    // `atomic` one value or a pair.
    // `unconverted`: the bits of a texel, which one of 8 or 16 bits extends by its sign (`sign_extended`) or by zeros.
    // `ray`: intersects a ray with a node of a bounding volume hierarchy; the modifiers have one value.
    flags bias, g16, gather4, gradient, level_zero, lod, lod_clamp, msaa, one_row, ray, resinfo, sign_extended, texel_offset, unconverted, zcompare, atomic = updates;
    dword NSA_ADDRS when NSA == 1;
    text "{d}, {data}, {addr}, {rsrc}, {samp}{dmask}{dim}{unorm}{glc}{slc}{dlc}{r128}{a16}{tfe}{lwe}{d16}";
    run lanes;
    tied data if atomic;
    address texel in image if !samp = image_address(rsrc, addr, dim);
    address texel in image if samp = image_address(rsrc, addr, dim, samp);

    0   => IMAGE_LOAD                (d: b32x4, ..unsampled) { d = texel.b32x4; }
    1   => IMAGE_LOAD_MIP            (d: b32x4, ..unsampled) lod { d = texel.b32x4; }
    2   => IMAGE_LOAD_PCK            (d: b32x4, ..unsampled) unconverted, fix D16 = 0 { d = texel.b32x4; }
    3   => IMAGE_LOAD_PCK_SGN        (d: b32x4, ..unsampled) unconverted, sign_extended, fix D16 = 0 { d = texel.b32x4; }
    4   => IMAGE_LOAD_MIP_PCK        (d: b32x4, ..unsampled) lod, unconverted, fix D16 = 0 { d = texel.b32x4; }
    5   => IMAGE_LOAD_MIP_PCK_SGN    (d: b32x4, ..unsampled) lod, unconverted, sign_extended, fix D16 = 0 { d = texel.b32x4; }
    6   => IMAGE_STORE               (data: b32x4, ..unsampled) { texel.b32x4 = data; }
    7   => IMAGE_STORE_MIP           (data: b32x4, ..unsampled) lod { texel.b32x4 = data; }
    8   => IMAGE_STORE_PCK           (data: b32x4, ..unsampled) unconverted, fix D16 = 0 { texel.b32x4 = data; }
    9   => IMAGE_STORE_MIP_PCK       (data: b32x4, ..unsampled) lod, unconverted, fix D16 = 0 { texel.b32x4 = data; }
    10  => IMAGE_ATOMIC_SWAP         (data: b32 out if GLC, ..unsampled) { data = rmw(texel.b32, |m| data); }
    11  => IMAGE_ATOMIC_CMPSWAP      (data: b32x2 out if GLC, ..unsampled) { data[0] = rmw(texel.b32, |m| if m == data[1] { data[0] } else { m }); }
    12  => IMAGE_ATOMIC_ADD          (data: u32 out if GLC, ..unsampled) { data = rmw(texel.u32, |m| m + data); }
    13  => IMAGE_ATOMIC_SUB          (data: u32 out if GLC, ..unsampled) { data = rmw(texel.u32, |m| m - data); }
    14  => IMAGE_ATOMIC_SMIN         (data: i32 out if GLC, ..unsampled) { data = rmw(texel.i32, |m| min(m, data)); }
    15  => IMAGE_ATOMIC_UMIN         (data: u32 out if GLC, ..unsampled) { data = rmw(texel.u32, |m| min(m, data)); }
    16  => IMAGE_ATOMIC_SMAX         (data: i32 out if GLC, ..unsampled) { data = rmw(texel.i32, |m| max(m, data)); }
    17  => IMAGE_ATOMIC_UMAX         (data: u32 out if GLC, ..unsampled) { data = rmw(texel.u32, |m| max(m, data)); }
    18  => IMAGE_ATOMIC_AND          (data: b32 out if GLC, ..unsampled) { data = rmw(texel.b32, |m| m & data); }
    19  => IMAGE_ATOMIC_OR           (data: b32 out if GLC, ..unsampled) { data = rmw(texel.b32, |m| m | data); }
    20  => IMAGE_ATOMIC_XOR          (data: b32 out if GLC, ..unsampled) { data = rmw(texel.b32, |m| m ^ data); }
    21  => IMAGE_ATOMIC_INC          (data: u32 out if GLC, ..unsampled) { data = rmw(texel.u32, |m| if m >= data { 0 } else { m + 1 }); }
    22  => IMAGE_ATOMIC_DEC          (data: u32 out if GLC, ..unsampled) { data = rmw(texel.u32, |m| if m == 0 || m > data { data } else { m - 1 }); }
    23  => IMAGE_GET_RESINFO         (d: u32x4, ..unsampled) resinfo, fix D16 = 0 { d = image_info(rsrc, addr); }
    24  => IMAGE_MSAA_LOAD           (d: b32x4, ..unsampled) msaa { d = external(addr, rsrc, texel.b32); }
    25  => IMAGE_BVH_INTERSECT_RAY   (d: b32x4, addr: b32x11 as RayAddr, rsrc: b128) ray { d = external(addr, rsrc, texel.b32); }
    26  => IMAGE_BVH64_INTERSECT_RAY (d: b32x4, addr: b32x12 as RayAddr, rsrc: b128) ray { d = external(addr, rsrc, texel.b32); }
    // 27 to 144: the rows of sampled.rs.
}

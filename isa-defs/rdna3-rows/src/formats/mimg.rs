//! Image accesses.

use isa::isa;

isa! {
    /// Loads, stores and atomics on images, sampling through a sampler, and ray intersection. How many registers the
    /// data and the address take follows from DMASK, DIM, A16, D16, TFE and the words of the row. Addresses are
    /// consecutive, or, if NSA is set, a further dword names where each is. Guide §15.8.1, instructions §16.18.
    format MIMG: 64 {
        // Announces the tail; text shows it by the brackets around the addresses.
        NSA       [0]:     mod nsa: Flag,
        RESERVED1 [1]      reserved,
        DIM       [4:2]:   mod dim: ImageDim if !ray,
        RESERVED2 [6:5]    reserved,
        UNRM      [7]:     mod unorm: Flag if !ray else 1,
        DMASK     [11:8]:  mod dmask: Dmask if !ray else 0xF,
        SLC       [12]:    mod slc: Flag if !ray,
        DLC       [13]:    mod dlc: Flag if !ray,
        GLC       [14]:    mod glc: Flag if !ray,
        R128      [15]:    mod r128: Flag if !ray else 1,
        A16       [16]:    mod a16: Flag,
        D16       [17]:    mod d16: Flag if !(ray | atomic),
        OP        [25:18] = opcode,
        ENCODING  [31:26] = 0b111100,
        VADDR     [39:32]: addr: ImageAddr,
        VDATA     [47:40]: data | out d: ImageData,
        SRSRC     [52:48]: rsrc: ImageResource,
        TFE       [53]:    mod tfe: Flag if !ray,
        LWE       [54]:    mod lwe: Flag if !ray,
        RESERVED3 [57:55]  reserved,
        SSAMP     [62:58]: samp: ResourceSgprs,
        RESERVED4 [63]     reserved,
    }
    // What the address holds besides the coordinates: `zcompare` a depth to compare with, `gradient` the derivatives
    // (`g16`: of 16 bits each), `bias` and `lod` a bias of the level of detail and the level itself or its lower limit,
    // `texel_offset` packed offsets. `resinfo`: a level is all that it holds.
    // What the data are: `gather4` one component of four texels, `msaa` four samples, `atomic` one value or a pair.
    // `ray`: intersects a ray with a node of a bounding volume hierarchy; the modifiers have one value.
    words atomic, bias, g16, gather4, gradient, lod, msaa, ray, resinfo, texel_offset, zcompare;
    tail NSA_ADDRS when NSA == 1;
    text "{d}, {data}, {addr}, {rsrc}, {samp}{dmask}{dim}{unorm}{glc}{slc}{dlc}{r128}{a16}{tfe}{lwe}{d16}";

    0   => IMAGE_LOAD                (d: b32x4, addr: u32, rsrc: b256);
    1   => IMAGE_LOAD_MIP            (d: b32x4, addr: u32, rsrc: b256) lod;
    2   => IMAGE_LOAD_PCK            (d: b32x4, addr: u32, rsrc: b256) fix D16 = 0;
    3   => IMAGE_LOAD_PCK_SGN        (d: b32x4, addr: u32, rsrc: b256) fix D16 = 0;
    4   => IMAGE_LOAD_MIP_PCK        (d: b32x4, addr: u32, rsrc: b256) lod, fix D16 = 0;
    5   => IMAGE_LOAD_MIP_PCK_SGN    (d: b32x4, addr: u32, rsrc: b256) lod, fix D16 = 0;
    6   => IMAGE_STORE               (data: b32x4, addr: u32, rsrc: b256);
    7   => IMAGE_STORE_MIP           (data: b32x4, addr: u32, rsrc: b256) lod;
    8   => IMAGE_STORE_PCK           (data: b32x4, addr: u32, rsrc: b256) fix D16 = 0;
    9   => IMAGE_STORE_MIP_PCK       (data: b32x4, addr: u32, rsrc: b256) lod, fix D16 = 0;
    10  => IMAGE_ATOMIC_SWAP         (data: b32 out if GLC, addr: u32, rsrc: b256) atomic;
    11  => IMAGE_ATOMIC_CMPSWAP      (data: b32x2 out if GLC, addr: u32, rsrc: b256) atomic;
    12  => IMAGE_ATOMIC_ADD          (data: u32 out if GLC, addr: u32, rsrc: b256) atomic;
    13  => IMAGE_ATOMIC_SUB          (data: u32 out if GLC, addr: u32, rsrc: b256) atomic;
    14  => IMAGE_ATOMIC_SMIN         (data: i32 out if GLC, addr: u32, rsrc: b256) atomic;
    15  => IMAGE_ATOMIC_UMIN         (data: u32 out if GLC, addr: u32, rsrc: b256) atomic;
    16  => IMAGE_ATOMIC_SMAX         (data: i32 out if GLC, addr: u32, rsrc: b256) atomic;
    17  => IMAGE_ATOMIC_UMAX         (data: u32 out if GLC, addr: u32, rsrc: b256) atomic;
    18  => IMAGE_ATOMIC_AND          (data: b32 out if GLC, addr: u32, rsrc: b256) atomic;
    19  => IMAGE_ATOMIC_OR           (data: b32 out if GLC, addr: u32, rsrc: b256) atomic;
    20  => IMAGE_ATOMIC_XOR          (data: b32 out if GLC, addr: u32, rsrc: b256) atomic;
    21  => IMAGE_ATOMIC_INC          (data: u32 out if GLC, addr: u32, rsrc: b256) atomic;
    22  => IMAGE_ATOMIC_DEC          (data: u32 out if GLC, addr: u32, rsrc: b256) atomic;
    23  => IMAGE_GET_RESINFO         (d: u32x4, addr: u32, rsrc: b256) resinfo, fix D16 = 0;
    24  => IMAGE_MSAA_LOAD           (d: b32x4, addr: u32, rsrc: b256) msaa;
    25  => IMAGE_BVH_INTERSECT_RAY   (d: b32x4, addr: b32x11 as RayAddr, rsrc: b128) ray;
    26  => IMAGE_BVH64_INTERSECT_RAY (d: b32x4, addr: b32x12 as RayAddr, rsrc: b128) ray;
    27  => IMAGE_SAMPLE              (d: b32x4, addr: f32, rsrc: b256, samp: b128);
    28  => IMAGE_SAMPLE_D            (d: b32x4, addr: f32, rsrc: b256, samp: b128) gradient;
    29  => IMAGE_SAMPLE_L            (d: b32x4, addr: f32, rsrc: b256, samp: b128) lod;
    30  => IMAGE_SAMPLE_B            (d: b32x4, addr: f32, rsrc: b256, samp: b128) bias;
    31  => IMAGE_SAMPLE_LZ           (d: b32x4, addr: f32, rsrc: b256, samp: b128);
    32  => IMAGE_SAMPLE_C            (d: b32x4, addr: f32, rsrc: b256, samp: b128) zcompare;
    33  => IMAGE_SAMPLE_C_D          (d: b32x4, addr: f32, rsrc: b256, samp: b128) zcompare, gradient;
    34  => IMAGE_SAMPLE_C_L          (d: b32x4, addr: f32, rsrc: b256, samp: b128) zcompare, lod;
    35  => IMAGE_SAMPLE_C_B          (d: b32x4, addr: f32, rsrc: b256, samp: b128) zcompare, bias;
    36  => IMAGE_SAMPLE_C_LZ         (d: b32x4, addr: f32, rsrc: b256, samp: b128) zcompare;
    37  => IMAGE_SAMPLE_O            (d: b32x4, addr: f32, rsrc: b256, samp: b128) texel_offset;
    38  => IMAGE_SAMPLE_D_O          (d: b32x4, addr: f32, rsrc: b256, samp: b128) gradient, texel_offset;
    39  => IMAGE_SAMPLE_L_O          (d: b32x4, addr: f32, rsrc: b256, samp: b128) lod, texel_offset;
    40  => IMAGE_SAMPLE_B_O          (d: b32x4, addr: f32, rsrc: b256, samp: b128) bias, texel_offset;
    41  => IMAGE_SAMPLE_LZ_O         (d: b32x4, addr: f32, rsrc: b256, samp: b128) texel_offset;
    42  => IMAGE_SAMPLE_C_O          (d: b32x4, addr: f32, rsrc: b256, samp: b128) zcompare, texel_offset;
    43  => IMAGE_SAMPLE_C_D_O        (d: b32x4, addr: f32, rsrc: b256, samp: b128) zcompare, gradient, texel_offset;
    44  => IMAGE_SAMPLE_C_L_O        (d: b32x4, addr: f32, rsrc: b256, samp: b128) zcompare, lod, texel_offset;
    45  => IMAGE_SAMPLE_C_B_O        (d: b32x4, addr: f32, rsrc: b256, samp: b128) zcompare, bias, texel_offset;
    46  => IMAGE_SAMPLE_C_LZ_O       (d: b32x4, addr: f32, rsrc: b256, samp: b128) zcompare, texel_offset;
    47  => IMAGE_GATHER4             (d: b32x4, addr: f32, rsrc: b256, samp: b128) gather4;
    48  => IMAGE_GATHER4_L           (d: b32x4, addr: f32, rsrc: b256, samp: b128) gather4, lod;
    49  => IMAGE_GATHER4_B           (d: b32x4, addr: f32, rsrc: b256, samp: b128) gather4, bias;
    50  => IMAGE_GATHER4_LZ          (d: b32x4, addr: f32, rsrc: b256, samp: b128) gather4;
    51  => IMAGE_GATHER4_C           (d: b32x4, addr: f32, rsrc: b256, samp: b128) gather4, zcompare;
    52  => IMAGE_GATHER4_C_LZ        (d: b32x4, addr: f32, rsrc: b256, samp: b128) gather4, zcompare;
    53  => IMAGE_GATHER4_O           (d: b32x4, addr: f32, rsrc: b256, samp: b128) gather4, texel_offset;
    54  => IMAGE_GATHER4_LZ_O        (d: b32x4, addr: f32, rsrc: b256, samp: b128) gather4, texel_offset;
    55  => IMAGE_GATHER4_C_LZ_O      (d: b32x4, addr: f32, rsrc: b256, samp: b128) gather4, zcompare, texel_offset;
    56  => IMAGE_GET_LOD             (d: f32x4, addr: f32, rsrc: b256, samp: b128) fix D16 = 0;
    57  => IMAGE_SAMPLE_D_G16        (d: b32x4, addr: f32, rsrc: b256, samp: b128) gradient, g16;
    58  => IMAGE_SAMPLE_C_D_G16      (d: b32x4, addr: f32, rsrc: b256, samp: b128) zcompare, gradient, g16;
    59  => IMAGE_SAMPLE_D_O_G16      (d: b32x4, addr: f32, rsrc: b256, samp: b128) gradient, texel_offset, g16;
    60  => IMAGE_SAMPLE_C_D_O_G16    (d: b32x4, addr: f32, rsrc: b256, samp: b128) zcompare, gradient, texel_offset, g16;
    64  => IMAGE_SAMPLE_CL           (d: b32x4, addr: f32, rsrc: b256, samp: b128) lod;
    65  => IMAGE_SAMPLE_D_CL         (d: b32x4, addr: f32, rsrc: b256, samp: b128) gradient, lod;
    66  => IMAGE_SAMPLE_B_CL         (d: b32x4, addr: f32, rsrc: b256, samp: b128) bias, lod;
    67  => IMAGE_SAMPLE_C_CL         (d: b32x4, addr: f32, rsrc: b256, samp: b128) zcompare, lod;
    68  => IMAGE_SAMPLE_C_D_CL       (d: b32x4, addr: f32, rsrc: b256, samp: b128) zcompare, gradient, lod;
    69  => IMAGE_SAMPLE_C_B_CL       (d: b32x4, addr: f32, rsrc: b256, samp: b128) zcompare, bias, lod;
    70  => IMAGE_SAMPLE_CL_O         (d: b32x4, addr: f32, rsrc: b256, samp: b128) lod, texel_offset;
    71  => IMAGE_SAMPLE_D_CL_O       (d: b32x4, addr: f32, rsrc: b256, samp: b128) gradient, lod, texel_offset;
    72  => IMAGE_SAMPLE_B_CL_O       (d: b32x4, addr: f32, rsrc: b256, samp: b128) bias, lod, texel_offset;
    73  => IMAGE_SAMPLE_C_CL_O       (d: b32x4, addr: f32, rsrc: b256, samp: b128) zcompare, lod, texel_offset;
    74  => IMAGE_SAMPLE_C_D_CL_O     (d: b32x4, addr: f32, rsrc: b256, samp: b128) zcompare, gradient, lod, texel_offset;
    75  => IMAGE_SAMPLE_C_B_CL_O     (d: b32x4, addr: f32, rsrc: b256, samp: b128) zcompare, bias, lod, texel_offset;
    84  => IMAGE_SAMPLE_C_D_CL_G16   (d: b32x4, addr: f32, rsrc: b256, samp: b128) zcompare, gradient, lod, g16;
    85  => IMAGE_SAMPLE_D_CL_O_G16   (d: b32x4, addr: f32, rsrc: b256, samp: b128) gradient, lod, texel_offset, g16;
    86  => IMAGE_SAMPLE_C_D_CL_O_G16 (d: b32x4, addr: f32, rsrc: b256, samp: b128) zcompare, gradient, lod, texel_offset, g16;
    95  => IMAGE_SAMPLE_D_CL_G16     (d: b32x4, addr: f32, rsrc: b256, samp: b128) gradient, lod, g16;
    96  => IMAGE_GATHER4_CL          (d: b32x4, addr: f32, rsrc: b256, samp: b128) gather4, lod;
    97  => IMAGE_GATHER4_B_CL        (d: b32x4, addr: f32, rsrc: b256, samp: b128) gather4, bias, lod;
    98  => IMAGE_GATHER4_C_CL        (d: b32x4, addr: f32, rsrc: b256, samp: b128) gather4, zcompare, lod;
    99  => IMAGE_GATHER4_C_L         (d: b32x4, addr: f32, rsrc: b256, samp: b128) gather4, zcompare, lod;
    100 => IMAGE_GATHER4_C_B         (d: b32x4, addr: f32, rsrc: b256, samp: b128) gather4, zcompare, bias;
    101 => IMAGE_GATHER4_C_B_CL      (d: b32x4, addr: f32, rsrc: b256, samp: b128) gather4, zcompare, bias, lod;
    144 => IMAGE_GATHER4H            (d: b32x4, addr: f32, rsrc: b256, samp: b128) gather4;
}

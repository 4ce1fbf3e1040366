//! Image accesses of RDNA4 with a sampler.

use isa::isa;

isa! {
    /// Sampling and gathering through a sampler, and loads of several samples of a texel. How many registers the data and the
    /// address take follows from DMASK, DIM, A16, D16, TFE and the row's flags. The first three registers of the address have
    /// a field each, the fourth stands for all that are left. RDNA4's guide §15.9, instructions §16.18.
    format VSAMPLE: 96 of rdna4 {
        DIM       [2:0]:   mod dim: ImageDim,
        TFE       [3]:     mod tfe: Flag,
        R128      [4]:     mod r128: Flag,
        D16       [5]:     mod d16: Flag,
        A16       [6]:     mod a16: Flag,
        RESERVED  [63:62, 49:48, 12:8] reserved,
        UNRM      [13]:    mod unorm: Flag,
        NV        [7]:     mod nv: Unavailable,
        OP        [21:14] = opcode,
        DMASK     [25:22]: mod dmask: Dmask,
        ENCODING  [31:26] = 0b111001,
        VDATA     [39:32]: out d: ImageData,
        LWE       [40]:    mod lwe: Flag,
        RSRC      [47:41]: rsrc: ImageResourceRegister,
        SCOPE     [51:50]: mod scope: CacheScope,
        GLC       [52]:    mod rtn: ReturnBit,
        TH        [54:53]: mod th: TemporalHint,
        SAMP      [61:55]: samp: ResourceRegister else reserved,
        VADDR0    [71:64]: addr: ImageAddr,
        VADDR1    [79:72]: mod addr1: NsaAddr,
        VADDR2    [87:80]: mod addr2: NsaAddr,
        VADDR3    [95:88]: mod addr3: NsaAddr if bias | gradient | lod | lod_clamp | msaa | texel_offset | zcompare else reserved,
    }
    operands sampled = (addr: f32, rsrc: b256, samp: b128);
    operands unsampled = (addr: u32, rsrc: b256);
    // As in MIMG.
    flags bias, g16, gather4, gradient, level_zero, lod, lod_clamp, msaa, one_row, ray, resinfo, sign_extended, texel_offset, unconverted, zcompare, atomic = updates, store = stores;
    text "{d}, {addr}, {rsrc}, {samp}{dmask}{dim}{unorm}{th}{scope}{nv}{r128}{a16}{tfe}{lwe}{d16}";
    run lanes;
    address texel in image if !samp = image_address(rsrc, addr, dim);
    address texel in image if samp = image_address(rsrc, addr, dim, samp);

    24  => IMAGE_MSAA_LOAD           (d: b32x4, ..unsampled) msaa { d = external(addr, rsrc, texel.b32); }
    27  => IMAGE_SAMPLE              (d: b32x4, ..sampled) { d = sample_quad(texel.b32x4); }
    28  => IMAGE_SAMPLE_D            (d: b32x4, ..sampled) gradient { d = sample(texel.b32x4); }
    29  => IMAGE_SAMPLE_L            (d: b32x4, ..sampled) lod { d = sample(texel.b32x4); }
    30  => IMAGE_SAMPLE_B            (d: b32x4, ..sampled) bias { d = sample_quad(texel.b32x4); }
    31  => IMAGE_SAMPLE_LZ           (d: b32x4, ..sampled) level_zero { d = sample(texel.b32x4); }
    32  => IMAGE_SAMPLE_C            (d: b32x4, ..sampled) zcompare { d = sample_quad(texel.b32x4); }
    33  => IMAGE_SAMPLE_C_D          (d: b32x4, ..sampled) zcompare, gradient { d = sample(texel.b32x4); }
    34  => IMAGE_SAMPLE_C_L          (d: b32x4, ..sampled) zcompare, lod { d = sample(texel.b32x4); }
    35  => IMAGE_SAMPLE_C_B          (d: b32x4, ..sampled) zcompare, bias { d = sample_quad(texel.b32x4); }
    36  => IMAGE_SAMPLE_C_LZ         (d: b32x4, ..sampled) zcompare, level_zero { d = sample(texel.b32x4); }
    37  => IMAGE_SAMPLE_O            (d: b32x4, ..sampled) texel_offset { d = sample_quad(texel.b32x4); }
    38  => IMAGE_SAMPLE_D_O          (d: b32x4, ..sampled) gradient, texel_offset { d = sample(texel.b32x4); }
    39  => IMAGE_SAMPLE_L_O          (d: b32x4, ..sampled) lod, texel_offset { d = sample(texel.b32x4); }
    40  => IMAGE_SAMPLE_B_O          (d: b32x4, ..sampled) bias, texel_offset { d = sample_quad(texel.b32x4); }
    41  => IMAGE_SAMPLE_LZ_O         (d: b32x4, ..sampled) texel_offset, level_zero { d = sample(texel.b32x4); }
    42  => IMAGE_SAMPLE_C_O          (d: b32x4, ..sampled) zcompare, texel_offset { d = sample_quad(texel.b32x4); }
    43  => IMAGE_SAMPLE_C_D_O        (d: b32x4, ..sampled) zcompare, gradient, texel_offset { d = sample(texel.b32x4); }
    44  => IMAGE_SAMPLE_C_L_O        (d: b32x4, ..sampled) zcompare, lod, texel_offset { d = sample(texel.b32x4); }
    45  => IMAGE_SAMPLE_C_B_O        (d: b32x4, ..sampled) zcompare, bias, texel_offset { d = sample_quad(texel.b32x4); }
    46  => IMAGE_SAMPLE_C_LZ_O       (d: b32x4, ..sampled) zcompare, texel_offset, level_zero { d = sample(texel.b32x4); }
    47  => IMAGE_GATHER4             (d: b32x4, ..sampled) gather4 { d = sample_quad(texel.b32x4); }
    48  => IMAGE_GATHER4_L           (d: b32x4, ..sampled) gather4, lod { d = sample(texel.b32x4); }
    49  => IMAGE_GATHER4_B           (d: b32x4, ..sampled) gather4, bias { d = sample_quad(texel.b32x4); }
    50  => IMAGE_GATHER4_LZ          (d: b32x4, ..sampled) gather4, level_zero { d = sample(texel.b32x4); }
    51  => IMAGE_GATHER4_C           (d: b32x4, ..sampled) gather4, zcompare { d = sample_quad(texel.b32x4); }
    52  => IMAGE_GATHER4_C_LZ        (d: b32x4, ..sampled) gather4, zcompare, level_zero { d = sample(texel.b32x4); }
    53  => IMAGE_GATHER4_O           (d: b32x4, ..sampled) gather4, texel_offset { d = sample_quad(texel.b32x4); }
    54  => IMAGE_GATHER4_LZ_O        (d: b32x4, ..sampled) gather4, texel_offset, level_zero { d = sample(texel.b32x4); }
    55  => IMAGE_GATHER4_C_LZ_O      (d: b32x4, ..sampled) gather4, zcompare, texel_offset, level_zero { d = sample(texel.b32x4); }
    56  => IMAGE_GET_LOD             (d: f32x4, ..sampled) fix D16 = 0 { d = image_lod(rsrc, addr, samp); }
    57  => IMAGE_SAMPLE_D_G16        (d: b32x4, ..sampled) gradient, g16 { d = sample(texel.b32x4); }
    58  => IMAGE_SAMPLE_C_D_G16      (d: b32x4, ..sampled) zcompare, gradient, g16 { d = sample(texel.b32x4); }
    59  => IMAGE_SAMPLE_D_O_G16      (d: b32x4, ..sampled) gradient, texel_offset, g16 { d = sample(texel.b32x4); }
    60  => IMAGE_SAMPLE_C_D_O_G16    (d: b32x4, ..sampled) zcompare, gradient, texel_offset, g16 { d = sample(texel.b32x4); }
    64  => IMAGE_SAMPLE_CL           (d: b32x4, ..sampled) lod, lod_clamp { d = sample_quad(texel.b32x4); }
    65  => IMAGE_SAMPLE_D_CL         (d: b32x4, ..sampled) gradient, lod, lod_clamp { d = sample(texel.b32x4); }
    66  => IMAGE_SAMPLE_B_CL         (d: b32x4, ..sampled) bias, lod, lod_clamp { d = sample_quad(texel.b32x4); }
    67  => IMAGE_SAMPLE_C_CL         (d: b32x4, ..sampled) zcompare, lod, lod_clamp { d = sample_quad(texel.b32x4); }
    68  => IMAGE_SAMPLE_C_D_CL       (d: b32x4, ..sampled) zcompare, gradient, lod, lod_clamp { d = sample(texel.b32x4); }
    69  => IMAGE_SAMPLE_C_B_CL       (d: b32x4, ..sampled) zcompare, bias, lod, lod_clamp { d = sample_quad(texel.b32x4); }
    70  => IMAGE_SAMPLE_CL_O         (d: b32x4, ..sampled) lod, lod_clamp, texel_offset { d = sample_quad(texel.b32x4); }
    71  => IMAGE_SAMPLE_D_CL_O       (d: b32x4, ..sampled) gradient, lod, lod_clamp, texel_offset { d = sample(texel.b32x4); }
    72  => IMAGE_SAMPLE_B_CL_O       (d: b32x4, ..sampled) bias, lod, lod_clamp, texel_offset { d = sample_quad(texel.b32x4); }
    73  => IMAGE_SAMPLE_C_CL_O       (d: b32x4, ..sampled) zcompare, lod, lod_clamp, texel_offset { d = sample_quad(texel.b32x4); }
    74  => IMAGE_SAMPLE_C_D_CL_O     (d: b32x4, ..sampled) zcompare, gradient, lod, lod_clamp, texel_offset { d = sample(texel.b32x4); }
    75  => IMAGE_SAMPLE_C_B_CL_O     (d: b32x4, ..sampled) zcompare, bias, lod, lod_clamp, texel_offset { d = sample_quad(texel.b32x4); }
    84  => IMAGE_SAMPLE_C_D_CL_G16   (d: b32x4, ..sampled) zcompare, gradient, lod, lod_clamp, g16 { d = sample(texel.b32x4); }
    85  => IMAGE_SAMPLE_D_CL_O_G16   (d: b32x4, ..sampled) gradient, lod, lod_clamp, texel_offset, g16 { d = sample(texel.b32x4); }
    86  => IMAGE_SAMPLE_C_D_CL_O_G16 (d: b32x4, ..sampled) zcompare, gradient, lod, lod_clamp, texel_offset, g16 { d = sample(texel.b32x4); }
    95  => IMAGE_SAMPLE_D_CL_G16     (d: b32x4, ..sampled) gradient, lod, lod_clamp, g16 { d = sample(texel.b32x4); }
    96  => IMAGE_GATHER4_CL          (d: b32x4, ..sampled) gather4, lod, lod_clamp { d = sample_quad(texel.b32x4); }
    97  => IMAGE_GATHER4_B_CL        (d: b32x4, ..sampled) gather4, bias, lod, lod_clamp { d = sample_quad(texel.b32x4); }
    98  => IMAGE_GATHER4_C_CL        (d: b32x4, ..sampled) gather4, zcompare, lod, lod_clamp { d = sample_quad(texel.b32x4); }
    99  => IMAGE_GATHER4_C_L         (d: b32x4, ..sampled) gather4, zcompare, lod { d = sample(texel.b32x4); }
    100 => IMAGE_GATHER4_C_B         (d: b32x4, ..sampled) gather4, zcompare, bias { d = sample_quad(texel.b32x4); }
    101 => IMAGE_GATHER4_C_B_CL      (d: b32x4, ..sampled) gather4, zcompare, bias, lod, lod_clamp { d = sample_quad(texel.b32x4); }
    144 => IMAGE_GATHER4H            (d: b32x4, ..sampled) gather4, one_row { d = sample_quad(texel.b32x4); }
}

//! Image accesses of RDNA4 with a sampler.

use super::sampled::with_sampled_rows;

with_sampled_rows! {
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
    // 27 to 144: the rows of sampled.rs.
}

//! Typed buffer accesses.

use isa::isa;

isa! {
    /// Loads and stores on memory that a buffer resource describes, in a format that the instruction names.
    /// Guide §15.7.1, instructions §16.17.
    format MTBUF: 64 96 of (rdna3, rdna3_5), rdna4 {
        OFFSET   [11:0]:  mod offset: BufferOffset in rdna3 | rdna3_5,
        SLC      [12]:    mod slc: Flag in rdna3 | rdna3_5,
        DLC      [13]:    mod dlc: Flag in rdna3 | rdna3_5,
        GLC      [14]:    mod glc: Flag in rdna3 | rdna3_5,
        OP       [18:15] = opcode in rdna3 | rdna3_5,
        FORMAT   [25:19]: mod format: BufferFormat in rdna3 | rdna3_5,
        ENCODING [31:26] = 0b111010 in rdna3 | rdna3_5,
        VADDR    [39:32]: addr: BufferAddr in rdna3 | rdna3_5,
        VDATA    [47:40]: data | out d: BufferData in rdna3 | rdna3_5,
        SRSRC    [52:48]: rsrc: ResourceSgprs in rdna3 | rdna3_5,
        // LLVM has no TFE here and refuses the bit.
        TFE      [53]:    mod tfe: Switch in rdna3 | rdna3_5,
        OFFEN    [54]:    mod offen: Switch in rdna3 | rdna3_5,
        IDXEN    [55]:    mod idxen: Switch in rdna3 | rdna3_5,
        SOFFSET  [63:56]: soffset: BufferSoffset in rdna3 | rdna3_5,
        // RDNA4, whose guide calls both formats VBUFFER; bit 21 tells them apart. The lowest bit of TH is the field
        // GLC here; it says of an atomic whether it returns a value.
        SOFFSET  [6:0]:   soffset: BufferRegister in rdna4,
        NV       [7]:     mod nv: Unavailable in rdna4,
        RESERVED [49:48, 40, 25:23, 13:8] reserved in rdna4,
        OP       [20:14] = opcode in rdna4,
        TYPED    [21] = 0b1 in rdna4,
        TFE      [22]:    mod tfe: Switch in rdna4,
        ENCODING [31:26] = 0b110001 in rdna4,
        VDATA    [39:32]: data | out d: BufferData in rdna4,
        RSRC     [47:41]: rsrc: ResourceRegister in rdna4,
        SCOPE    [51:50]: mod scope: CacheScope in rdna4,
        GLC      [52]:    mod rtn: ReturnBit in rdna4,
        TH       [54:53]: mod th: TemporalHint in rdna4,
        FORMAT   [61:55]:   mod format: BufferFormat in rdna4,
        OFFEN    [62]:    mod offen: Switch in rdna4,
        IDXEN    [63]:    mod idxen: Switch in rdna4,
        VADDR    [71:64]: addr: BufferAddr in rdna4,
        OFFSET   [95:72]: mod offset: BufferOffset24 in rdna4,
    }
    // `store`: writes memory.
    flags store = stores;
    operands address = (addr: u32x2, rsrc: b128, soffset: u32);
    text "{d}, {data}, {addr}, {rsrc}, {soffset}{format}{idxen}{offen}{offset}{glc}{slc}{dlc}{th}{scope}{nv}{tfe}";
    run lanes;
    address texel in buffer = buffer_address(rsrc, addr, soffset, offset, idxen, offen);

    0  => TBUFFER_LOAD_FORMAT_X         (d: b32, ..address) { d = texel.b32; }
    1  => TBUFFER_LOAD_FORMAT_XY        (d: b32x2, ..address) { d = texel.b32x2; }
    2  => TBUFFER_LOAD_FORMAT_XYZ       (d: b32x3, ..address) { d = texel.b32x3; }
    3  => TBUFFER_LOAD_FORMAT_XYZW      (d: b32x4, ..address) { d = texel.b32x4; }
    4  => TBUFFER_STORE_FORMAT_X        (data: b32, ..address) { texel.b32 = data; }
    5  => TBUFFER_STORE_FORMAT_XY       (data: b32x2, ..address) { texel.b32x2 = data; }
    6  => TBUFFER_STORE_FORMAT_XYZ      (data: b32x3, ..address) { texel.b32x3 = data; }
    7  => TBUFFER_STORE_FORMAT_XYZW     (data: b32x4, ..address) { texel.b32x4 = data; }
    8  => TBUFFER_LOAD_D16_FORMAT_X     (d: b16, ..address) also "tbuffer_load_format_d16_x" { d = texel.b16; }
    9  => TBUFFER_LOAD_D16_FORMAT_XY    (d: b16x2, ..address) also "tbuffer_load_format_d16_xy" { d = texel.b16x2; }
    10 => TBUFFER_LOAD_D16_FORMAT_XYZ   (d: b16x3, ..address) also "tbuffer_load_format_d16_xyz" { d = texel.b16x3; }
    11 => TBUFFER_LOAD_D16_FORMAT_XYZW  (d: b16x4, ..address) also "tbuffer_load_format_d16_xyzw" { d = texel.b16x4; }
    12 => TBUFFER_STORE_D16_FORMAT_X    (data: b16, ..address) also "tbuffer_store_format_d16_x" { texel.b16 = data; }
    13 => TBUFFER_STORE_D16_FORMAT_XY   (data: b16x2, ..address) also "tbuffer_store_format_d16_xy" { texel.b16x2 = data; }
    14 => TBUFFER_STORE_D16_FORMAT_XYZ  (data: b16x3, ..address) also "tbuffer_store_format_d16_xyz" { texel.b16x3 = data; }
    15 => TBUFFER_STORE_D16_FORMAT_XYZW (data: b16x4, ..address) also "tbuffer_store_format_d16_xyzw" { texel.b16x4 = data; }
}

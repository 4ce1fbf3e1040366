//! Typed buffer accesses.

use isa::isa;

isa! {
    /// Loads and stores on memory that a buffer resource describes, in a format that the instruction names.
    /// Guide §15.7.1, instructions §16.17.
    format MTBUF: 64 {
        OFFSET   [11:0]:  mod offset: BufferOffset,
        SLC      [12]:    mod slc: Flag,
        DLC      [13]:    mod dlc: Flag,
        GLC      [14]:    mod glc: Flag,
        OP       [18:15] = opcode,
        FORMAT   [25:19]: mod format: BufferFormat,
        ENCODING [31:26] = 0b111010,
        VADDR    [39:32]: addr: BufferAddr,
        VDATA    [47:40]: data | out d: BufferData,
        SRSRC    [52:48]: rsrc: ResourceSgprs,
        // LLVM has no TFE here and refuses the bit.
        TFE      [53]:    mod tfe: Switch,
        OFFEN    [54]:    mod offen: Switch,
        IDXEN    [55]:    mod idxen: Switch,
        SOFFSET  [63:56]: soffset: BufferSoffset,
    }
    operands address = (addr: u32x2, rsrc: b128, soffset: u32);
    text "{d}, {data}, {addr}, {rsrc}, {soffset}{format}{idxen}{offen}{offset}{glc}{slc}{dlc}{tfe}";
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

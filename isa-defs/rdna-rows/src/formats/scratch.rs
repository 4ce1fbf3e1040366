//! Accesses to scratch memory.

use isa::isa;

isa! {
    /// Loads and stores on the private memory of a lane. The address is a vector register if SVE is set, plus a scalar
    /// register if there is one, plus a constant. Guide §15.9.3 (fields §15.9.1), instructions §16.20.2.
    format SCRATCH: 64 96 of (rdna3, rdna3_5), rdna4 {
        OFFSET   [12:0]:  mod offset: SignedOffset in rdna3 | rdna3_5,
        DLC      [13]:    mod dlc: Flag in rdna3 | rdna3_5,
        GLC      [14]:    mod glc: Flag in rdna3 | rdna3_5,
        SLC      [15]:    mod slc: Flag in rdna3 | rdna3_5,
        SEG      [17:16] = 0b01 in rdna3 | rdna3_5,
        OP       [24:18] = opcode in rdna3 | rdna3_5,
        RESERVED [25]     reserved in rdna3 | rdna3_5,
        ENCODING [31:26] = 0b110111 in rdna3 | rdna3_5,
        ADDR     [39:32]: addr: ScratchAddr in rdna3 | rdna3_5,
        DATA     [47:40]: data: DataVgpr in rdna3 | rdna3_5,
        SADDR    [54:48]: saddr: ScratchSaddr in rdna3 | rdna3_5,
        // Whether ADDR is there; text shows it by the register that stands for ADDR, or `off`.
        SVE      [55]:    mod sve: Flag in rdna3 | rdna3_5,
        VDST     [63:56]: out d: DataVgpr in rdna3 | rdna3_5,
        // RDNA4, whose guide calls the format VSCRATCH. The lowest bit of TH is the field GLC here; it
        // says of an atomic whether it returns a value.
        SADDR    [6:0]:   saddr: ScratchSaddr in rdna4,
        NV       [7]:     mod nv: Unavailable in rdna4,
        RESERVED [63, 47:40, 23:21, 13:8] reserved in rdna4,
        OP       [20:14] = opcode in rdna4,
        ENCODING [31:24] = 0b11101101 in rdna4,
        VDST     [39:32]: out d: DataVgpr in rdna4,
        SCALE    [48]:    mod scale_offset: Unavailable in rdna4,
        SVE      [49]:    mod sve: Flag in rdna4,
        SCOPE    [51:50]: mod scope: CacheScope in rdna4,
        GLC      [52]:    mod rtn: ReturnBit in rdna4,
        TH       [54:53]: mod th: TemporalHint in rdna4,
        VSRC     [62:55]: data: DataVgpr in rdna4,
        VADDR    [71:64]: addr: ScratchAddr in rdna4,
        IOFFSET  [95:72]: mod offset: Offset24 in rdna4,
    }
    // `d16_hi`: what is moved stands in the high half of its register.
    // `llvm_lacks`: the guide lists the opcode, LLVM does not know it; it is written as its neighbours are.
    flags d16_hi = high_half, atomic = updates, store = stores;
    quirks llvm_lacks;
    text "{d}, {addr}, {data}, {saddr}{offset}{glc}{slc}{dlc}{scale_offset}{th}{scope}{nv}";
    run lanes;
    address mem in scratch if !rdna4 = scratch_address(addr, saddr, offset as i13 as i32);
    address mem in scratch if rdna4 = scratch_address(addr, saddr, offset as i24 as i32);

    16 => SCRATCH_LOAD_U8          (d: u32, addr: u32, saddr: u32) also "scratch_load_ubyte" { d = mem.u8 as u32; }
    17 => SCRATCH_LOAD_I8          (d: i32, addr: u32, saddr: u32) also "scratch_load_sbyte" { d = mem.i8 as i32; }
    18 => SCRATCH_LOAD_U16         (d: u32, addr: u32, saddr: u32) also "scratch_load_ushort" { d = mem.u16 as u32; }
    19 => SCRATCH_LOAD_I16         (d: i32, addr: u32, saddr: u32) also "scratch_load_sshort" { d = mem.i16 as i32; }
    20 => SCRATCH_LOAD_B32         (d: b32, addr: u32, saddr: u32) also "scratch_load_dword" { d = mem.b32; }
    21 => SCRATCH_LOAD_B64         (d: b64, addr: u32, saddr: u32) also "scratch_load_dwordx2" { d = mem.b64; }
    22 => SCRATCH_LOAD_B96         (d: b96, addr: u32, saddr: u32) also "scratch_load_dwordx3" { d = mem.b96; }
    23 => SCRATCH_LOAD_B128        (d: b128, addr: u32, saddr: u32) also "scratch_load_dwordx4" { d = mem.b128; }
    24 => SCRATCH_STORE_B8         (addr: u32, data: b8, saddr: u32) also "scratch_store_byte" { mem.b8 = data; }
    25 => SCRATCH_STORE_B16        (addr: u32, data: b16, saddr: u32) also "scratch_store_short" { mem.b16 = data; }
    26 => SCRATCH_STORE_B32        (addr: u32, data: b32, saddr: u32) also "scratch_store_dword" { mem.b32 = data; }
    27 => SCRATCH_STORE_B64        (addr: u32, data: b64, saddr: u32) also "scratch_store_dwordx2" { mem.b64 = data; }
    28 => SCRATCH_STORE_B96        (addr: u32, data: b96, saddr: u32) also "scratch_store_dwordx3" { mem.b96 = data; }
    29 => SCRATCH_STORE_B128       (addr: u32, data: b128, saddr: u32) also "scratch_store_dwordx4" { mem.b128 = data; }
    30 => SCRATCH_LOAD_D16_U8      (d: u16, addr: u32, saddr: u32) also "scratch_load_ubyte_d16" { d = mem.u8 as u16; }
    31 => SCRATCH_LOAD_D16_I8      (d: i16, addr: u32, saddr: u32) also "scratch_load_sbyte_d16" { d = mem.i8 as i16; }
    32 => SCRATCH_LOAD_D16_B16     (d: b16, addr: u32, saddr: u32) also "scratch_load_short_d16" { d = mem.b16; }
    33 => SCRATCH_LOAD_D16_HI_U8   (d: u16, addr: u32, saddr: u32) also "scratch_load_ubyte_d16_hi" { d.hi = mem.u8 as u16; }
    34 => SCRATCH_LOAD_D16_HI_I8   (d: i16, addr: u32, saddr: u32) also "scratch_load_sbyte_d16_hi" { d.hi = mem.i8 as i16; }
    35 => SCRATCH_LOAD_D16_HI_B16  (d: b16, addr: u32, saddr: u32) also "scratch_load_short_d16_hi" { d.hi = mem.b16; }
    36 => SCRATCH_STORE_D16_HI_B8  (addr: u32, data: b8, saddr: u32) also "scratch_store_byte_d16_hi" { mem.b8 = data.hi; }
    37 => SCRATCH_STORE_D16_HI_B16 (addr: u32, data: b16, saddr: u32) also "scratch_store_short_d16_hi" { mem.b16 = data.hi; }
    for loaded in [45 U8 { mem.u8 as u32 as b32 }, 46 I8 { mem.i8 as i32 as b32 }, 47 U16 { mem.u16 as u32 as b32 }, 48 I16 { mem.i16 as i32 as b32 },
                   49 B32 { mem.b32 }] {
        0 + loaded - => SCRATCH_LOAD_LDS_{loaded} (addr: u32, saddr: u32) llvm_lacks { lds[m0[15:0] as u32 + offset as i13 as u32 + lane_id() * 4].b32 = loaded; }
    }
    83 => SCRATCH_LOAD_BLOCK      (d: inout b32x32, addr: u32, saddr: u32) in rdna4 { d = load_block(m0, mem.b32x32, d); }
    84 => SCRATCH_STORE_BLOCK     (addr: u32, data: b32x32, saddr: u32) in rdna4 { mem.b32x32 = store_block(m0, data); }
}

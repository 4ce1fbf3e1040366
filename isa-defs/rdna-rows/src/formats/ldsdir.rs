//! Direct loads from LDS into vector registers.

use isa::isa;

isa! {
    /// Loads of pixel parameters, or of one value for all lanes, from LDS into a register. Guide §15.5.1, instructions
    /// §16.14.
    format LDSDIR: 32 of (rdna3, rdna3_5), rdna4 {
        VDST      [7:0]:   out d: DataVgpr,
        ATTR_CHAN [9:8]:   chan: AttrChannel,
        ATTR      [15:10]: attr: Attr,
        // Written `wait_vdst`: how many vector instructions may still be under way.
        WAIT_VA   [19:16]: mod wait_vdst: WaitVdst in rdna3 | rdna3_5,
        WAIT_VA   [19:16]: mod wait_va_vdst: WaitVdst in rdna4,
        WAIT_VM   [23]:    mod wait_vm_vsrc: WaitVsrc in rdna4,
        OP        [21:20] = opcode,
        RESERVED  [23:22]  reserved in rdna3 | rdna3_5,
        RESERVED  [22]     reserved in rdna4,
        ENCODING  [31:24] = 0b11001110,
    }
    text "{d}, {attr}{chan}{wait_vdst}{wait_va_vdst}{wait_vm_vsrc}";
    run lanes;

    // The guide's table of fields exchanges the two numbers; its list of instructions and LLVM agree on these.
    0 => LDS_PARAM_LOAD  (d: b32, attr: u8, chan: u2) named DS_PARAM_LOAD in rdna4 { d = external(attr, chan, m0, lds[m0].b32); }
    1 => LDS_DIRECT_LOAD (d: b32) named DS_DIRECT_LOAD in rdna4 { d = lds_direct(m0); }
}

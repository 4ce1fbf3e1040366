//! RDNA4's register files and special registers: those of RDNA3, without a global data share, with VGPRs that a wave can allocate
//! while it runs (RDNA4's guide §3.3, §3.4).

use super::{Special, special};

pub use super::{
    AddTid, DirectLoad, LDS_BLOCK, LDS_BYTES, M0Role, OutOfRange, ParamLoad, Region, SGPRS, ScalarUse, TTMPS, VGPRS,
    VectorUse, scalar_in_range, scalar_out_of_range, vector_in_range, vector_out_of_range, vgpr_block,
};

/// The most blocks of VGPRs that a wave in dynamic VGPR mode has. It begins with one. Guide §3.3.3.
pub const DYNAMIC_BLOCKS: u16 = 8;

/// The size of a block of VGPRs in dynamic VGPR mode, which the driver configures for the device. Guide §3.3.3.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DynamicBlock {
    /// 16 VGPRs; a wave has at most 128.
    B16,
    /// 32 VGPRs; a wave has at most 256.
    B32,
}

impl DynamicBlock {
    /// Returns the number of VGPRs of a block.
    #[must_use]
    pub const fn vgprs(self) -> u16 {
        match self {
            DynamicBlock::B16 => 16,
            DynamicBlock::B32 => 32,
        }
    }

    /// Returns the number of VGPRs that a wave has after S_ALLOC_VGPR asked for `count`, of which it considers nine bits. `None`
    /// if there are more than a wave may have, so that the request fails. Fewer than before are always granted, more only if
    /// enough are free.
    #[must_use]
    pub const fn allocated(self, count: u32) -> Option<u16> {
        let blocks = ((count & 0x1FF) as u16).div_ceil(self.vgprs());
        if blocks > DYNAMIC_BLOCKS { None } else { Some(blocks * self.vgprs()) }
    }
}

/// The registers with a separate role. Guide §3.1, table 4, as far as instructions name them.
pub static SPECIALS: [Special; 9] = {
    let [pc, exec, execz, mut vcc, mut vccz, mut scc, mut m0, mut null] = super::SPECIALS_OF_RDNA3;
    (vcc.section, vccz.section, scc.section, m0.section, null.section) = ("3.4.7", "3.4.7", "3.4.6", "3.4.4", "3.4.5");
    let scratch_base =
        special("scratch_base", 48, "where the wave's scratch memory begins; programs only read it", "3.4.8");
    [pc, exec, execz, vcc, vccz, scc, m0, null, scratch_base]
};

/// The roles that M0 has. Guide §3.4.4, table 8.
pub static M0_ROLES: [(&str, M0Role); 7] = [
    ("S_MOVREL, V_MOVREL", M0Role::Index),
    ("LDS ADDTID", M0Role::AddTid),
    ("DS_PARAM_LOAD", M0Role::ParamLoad),
    ("DS_DIRECT_LOAD", M0Role::DirectLoad),
    ("EXPORT of rows", M0Role::Own),
    ("S_SENDMSG, S_SENDMSG_RTN", M0Role::Own),
    ("Temporary", M0Role::Own),
];

/// The contents of TTMP0 and TTMP1 at the entry of the trap handler. Guide §3.4.10.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rdna4TrapEntry {
    /// The address of the instruction, 48 bits.
    pub pc: u64,
    /// The lowest four bits of S_TRAP's number; 0 for an exception.
    pub id: u8,
}

impl Rdna4TrapEntry {
    /// Reads TTMP0 and TTMP1.
    #[must_use]
    pub const fn from_ttmps(ttmp0: u32, ttmp1: u32) -> Self {
        Rdna4TrapEntry { pc: ttmp0 as u64 | (ttmp1 as u64 & 0xffff) << 32, id: (ttmp1 >> 28) as u8 }
    }

    /// Returns the values of TTMP0 and TTMP1. The address has 48 bits, the number four.
    #[must_use]
    pub const fn into_ttmps(self) -> (u32, u32) {
        (self.pc as u32, (self.pc >> 32) as u32 & 0xffff | (self.id as u32) << 28)
    }
}

//! DPP16 and DPP8: a further dword that gives the first source and how lanes exchange it.

use isa::isa;

isa! {
    /// Data-parallel primitives over 16 lanes, after VOP1, VOP2 and VOPC. Guide §15.3.8.
    dword DPP16 {
        SRC0      [7:0]:   s0: DppSrc,
        DPP_CTRL  [16:8]:  mod dpp_ctrl: DppCtrl,
        RESERVED  [17]     reserved,
        FI        [18]:    mod fi: FetchInactive,
        BC        [19]:    mod bound_ctrl: BoundCtrl,
        SRC0_NEG  [20]:    mod neg0: Hidden if s0 is float | signs else reserved,
        SRC0_ABS  [21]:    mod abs0: Hidden if s0 is float | signs else reserved,
        SRC1_NEG  [22]:    mod neg1: Hidden if s1 is float | signs | signs1 else reserved,
        SRC1_ABS  [23]:    mod abs1: Hidden if s1 is float | signs | signs1 else reserved,
        BANK_MASK [27:24]: mod bank_mask: BankMask,
        ROW_MASK  [31:28]: mod row_mask: RowMask,
    }
    flags signs, signs1;
    text "{dpp_ctrl}{row_mask}{bank_mask}{bound_ctrl}{fi}";
    source s0 = dpp16(s0, dpp_ctrl, bound_ctrl, fi);
    source s0 if s0 is float = if abs0 { abs(s0) } else { s0 };
    source s0 if s0 is float = if neg0 { -s0 } else { s0 };
    source s1 if s1 is float = if abs1 { abs(s1) } else { s1 };
    source s1 if s1 is float = if neg1 { -s1 } else { s1 };
    source s0 if signs & s0 is 32 = s0 & !(abs0 as b32 << 31) ^ neg0 as b32 << 31;
    source s0 if signs & s0 is 16 = s0 & !(abs0 as b16 << 15) ^ neg0 as b16 << 15;
    source s1 if signs & s1 is 32 = s1 & !(abs1 as b32 << 31) ^ neg1 as b32 << 31;
    source s1 if signs & s1 is 16 = s1 & !(abs1 as b16 << 15) ^ neg1 as b16 << 15;
    active = dpp16_writes(dpp_ctrl, row_mask, bank_mask, bound_ctrl, fi);
}

isa! {
    /// [`DPP16`] after VOP3, VOP3SD and VOP3P, which have the signs of sources in their own words. Guide §15.3.8.
    dword DPP16_VOP3 {
        SRC0      [7:0]:   s0: DppSrc,
        DPP_CTRL  [16:8]:  mod dpp_ctrl: DppCtrl,
        RESERVED  [17]     reserved,
        FI        [18]:    mod fi: FetchInactive,
        BC        [19]:    mod bound_ctrl: BoundCtrl,
        // The signs are those of VOP3 (guide §7.7.1).
        SIGNS     [23:20]  ignored,
        BANK_MASK [27:24]: mod bank_mask: BankMask,
        ROW_MASK  [31:28]: mod row_mask: RowMask,
    }
    text "{dpp_ctrl}{row_mask}{bank_mask}{bound_ctrl}{fi}";
    source s0 = dpp16(s0, dpp_ctrl, bound_ctrl, fi);
    active = dpp16_writes(dpp_ctrl, row_mask, bank_mask, bound_ctrl, fi);
}

isa! {
    /// Data-parallel primitives over 8 lanes: three bits for each of them, the first lane's lowest. Guide §15.3.9.
    ///
    /// SRC0 of the base word holds 233, or 234 to read inactive lanes too.
    dword DPP8 {
        SRC0     [7:0]:  s0: DppSrc,
        LANE_SEL [31:8]: mod dpp8: Dpp8Lanes,
    }
    text "{dpp8}";
    source s0 = dpp8(s0, dpp8, SRC0 == 234);
    // No lane is disabled, but LLVM ties the destination, so its old value counts as read.
    active = true;
}

const CODE: &[u32] = &rdna3::asm! {
    s_getreg_b32 s0, hwreg(HW_REG_MOD)
    s_sendmsg sendmsg(MSG_DEALOC_VGPRS)
    s_mov_b32 s0, vc_lo
    v_mov_b32 v0, exce_lo
    exp mrt9 v0, v1, v2, v3 done
};

fn main() {}

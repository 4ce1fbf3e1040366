//! A whole kernel assembled inside rustc: `y[i] += a * x[i]`, in steps as wide as the grid.
//!
//! Arguments: the addresses of x and y (64 bits each), a (f32), the number of elements, the threads in the grid. Groups
//! have 256 threads; s15 holds the group's number, s[0:1] the address of the arguments.
//!
//! `cargo run -p rdna3 --example saxpy` prints what became of it.

use rdna3::{Decoder, Wave, asm};

/// The code.
pub const SAXPY: &[u32] = &asm! {
    // begin
    s_load_b128 s[4:7], s[0:1], 0x0
    s_load_b128 s[8:11], s[0:1], 0x10
    v_lshl_add_u32 v0, s15, 8, v0
    s_waitcnt lgkmcnt(0)
    v_cmpx_gt_u32 s9, v0
    s_cbranch_execz done
  next:
    v_mov_b32 v1, 0
    v_lshlrev_b64 v[1:2], 2, v[0:1]
    v_add_co_u32 v3, vcc_lo, s4, v1
    v_add_co_ci_u32 v4, null, s5, v2, vcc_lo
    v_add_co_u32 v5, vcc_lo, s6, v1
    v_add_co_ci_u32 v6, null, s7, v2, vcc_lo
    global_load_b32 v7, v[3:4], off
    global_load_b32 v8, v[5:6], off
    s_waitcnt vmcnt(0)
    v_fmac_f32 v8, s8, v7
    global_store_b32 v[5:6], v8, off
    v_add_nc_u32 v0, s10, v0
    v_cmpx_gt_u32 s9, v0
    s_delay_alu instid0(VALU_DEP_1)
    s_cbranch_execnz next
  done:
    s_nop 0
    s_sendmsg sendmsg(MSG_DEALLOC_VGPRS)
    s_endpgm
    // end
};

fn main() {
    let bytes: Vec<u8> = SAXPY.iter().flat_map(|word| word.to_le_bytes()).collect();
    for decoded in Decoder::new(&bytes, Wave::W32) {
        match decoded.result {
            Ok(instr) => println!("{:4x}: {instr}", decoded.offset),
            Err(error) => println!("{:4x}: {error}", decoded.offset),
        }
    }
}

; Takes bytes of the buffer of printf, whose address is in s[4:5], for each lane: v[2:3] gets the address of the record, or EXEC is 0 in
; lanes for which there is no room. The lanes that call are in s9. Changes v1 to v9 and s[6:7].
.macro printf_alloc bytes
  s_load_b32 s6, s[4:5], 4
  s_waitcnt lgkmcnt(0)
  s_mov_b32 s9, exec_lo
  v_mov_b32 v1, 0
.Lalloc\@:
  global_load_b32 v5, v1, s[4:5] glc
  s_waitcnt vmcnt(0)
  v_add_nc_u32 v4, \bytes, v5
  v_add_nc_u32 v6, 8, v4
  v_cmp_ge_u32 vcc_lo, s6, v6
  s_and_b32 exec_lo, exec_lo, vcc_lo
  global_atomic_cmpswap_b32 v7, v1, v[4:5], s[4:5] glc
  s_waitcnt vmcnt(0)
  v_cmp_ne_u32 vcc_lo, v7, v5
  s_mov_b32 s7, exec_lo
  s_andn2_b32 exec_lo, s7, vcc_lo
  v_add_co_u32 v2, s31, s4, v5
  v_mov_b32 v3, s5
  v_add_co_ci_u32 v3, s31, 0, v3, s31
  v_add_co_u32 v2, s31, v2, 8
  v_add_co_ci_u32 v3, s31, 0, v3, s31
  s_and_b32 exec_lo, s7, vcc_lo
  s_cbranch_execnz .Lalloc\@
  s_mov_b32 exec_lo, s9
.endm

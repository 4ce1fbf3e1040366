; Calls of the host as ockl makes them, in wave32. The address of the buffer is in s[4:5], the numbers of each lane in v[10:25]; the
; first number of the answer comes in v[10:11]. Changes v1 to v9, v[26:29] and s7 to s31.

; Pushes the packet s[20:21], whose header is at s[24:25], on the stack at an offset of the buffer.
.macro push offset
.Lpush\@:
  global_load_b64 v[8:9], v26, s[4:5] offset:\offset glc
  s_waitcnt vmcnt(0)
  global_store_b64 v26, v[8:9], s[24:25]
  v_mov_b32 v6, s20
  v_mov_b32 v7, s21
  global_atomic_cmpswap_b64 v[28:29], v26, v[6:9], s[4:5] offset:\offset glc
  s_waitcnt vmcnt(0)
  v_cmp_ne_u64 vcc_lo, v[28:29], v[8:9]
  s_cbranch_vccnz .Lpush\@
.endm

; Sends a packet for a service, and waits for the answer.
.macro hostcall service
  s_load_b128 s[12:15], s[4:5], 0
  s_load_b64 s[16:17], s[4:5], 16
  s_load_b64 s[18:19], s[4:5], 40
  s_waitcnt lgkmcnt(0)
  v_mbcnt_lo_u32_b32 v1, -1, 0
  v_lshlrev_b32 v5, 6, v1
  v_mov_b32 v26, 0
  v_readfirstlane_b32 s7, v1
  v_cmp_eq_u32 vcc_lo, s7, v1
  s_and_saveexec_b32 s9, vcc_lo
.Lpop\@:
  global_load_b64 v[8:9], v26, s[4:5] offset:24 glc
  s_waitcnt vmcnt(0)
  v_and_b32 v4, s18, v8
  v_mul_u32_u24 v4, 24, v4
  global_load_b64 v[6:7], v4, s[12:13]
  s_waitcnt vmcnt(0)
  global_atomic_cmpswap_b64 v[28:29], v26, v[6:9], s[4:5] offset:24 glc
  s_waitcnt vmcnt(0)
  v_cmp_ne_u64 vcc_lo, v[28:29], v[8:9]
  s_cbranch_vccnz .Lpop\@
  v_readfirstlane_b32 s20, v8
  v_readfirstlane_b32 s21, v9
  s_mov_b32 exec_lo, s9
  s_and_b32 s22, s20, s18
  s_mul_i32 s23, s22, 24
  s_add_u32 s24, s12, s23
  s_addc_u32 s25, s13, 0
  s_lshl_b32 s23, s22, 12
  s_add_u32 s26, s14, s23
  s_addc_u32 s27, s15, 0
  global_store_b128 v5, v[10:13], s[26:27]
  global_store_b128 v5, v[14:17], s[26:27] offset:16
  global_store_b128 v5, v[18:21], s[26:27] offset:32
  global_store_b128 v5, v[22:25], s[26:27] offset:48
  v_cmp_eq_u32 vcc_lo, s7, v1
  s_and_saveexec_b32 s9, vcc_lo
  v_mov_b32 v6, s9
  v_mov_b32 v7, 0
  v_mov_b32 v8, \service
  v_mov_b32 v9, 1
  global_store_b128 v26, v[6:9], s[24:25] offset:8
  push 32
  v_mov_b32 v6, 1
  v_mov_b32 v7, 0
  s_waitcnt_vscnt null, 0
  global_atomic_add_u64 v26, v[6:7], s[16:17] offset:8
  s_load_b64 s[28:29], s[16:17], 16
  s_waitcnt lgkmcnt(0)
  s_cmp_eq_u64 s[28:29], 0
  s_cbranch_scc1 .Lwait\@
  s_sendmsg sendmsg(MSG_INTERRUPT)
.Lwait\@:
  s_sleep 1
  global_load_b32 v6, v26, s[24:25] offset:20 glc
  s_waitcnt vmcnt(0)
  v_readfirstlane_b32 s28, v6
  s_bitcmp1_b32 s28, 0
  s_cbranch_scc1 .Lwait\@
  s_mov_b32 exec_lo, s9
  global_load_b64 v[10:11], v5, s[26:27]
  s_waitcnt vmcnt(0)
  v_cmp_eq_u32 vcc_lo, s7, v1
  s_and_saveexec_b32 s9, vcc_lo
  s_add_u32 s20, s20, s18
  s_addc_u32 s21, s21, s19
  s_add_u32 s20, s20, 1
  s_addc_u32 s21, s21, 0
  push 24
  s_mov_b32 exec_lo, s9
.endm

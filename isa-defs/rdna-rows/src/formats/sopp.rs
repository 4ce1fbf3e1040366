//! Scalar program control.

use isa::isa;

isa! {
    /// Program flow, waits, messages and other control; at most a 16-bit constant. Guide §15.1.5, instructions §16.5.
    format SOPP: 32 of (rdna3, rdna3_5), rdna4 {
        ENCODING [31:23] = 0b101111111,
        OP       [22:16] = opcode,
        SIMM16   [15:0]:  imm: Imm16 else reserved,
    }
    // `unlisted`: LLVM knows the opcode, the guide does not list it.
    // `clause`, `message`, `trap`: the constant is the length of a clause, a message, the number of a trap.
    // `internal`: stays inside a clause without being of its type. `message`: raises a counter.
    // `nop`, `delay`, `code_end`, `waits_alu`: S_NOP, S_DELAY_ALU, S_CODE_END, S_WAITCNT_DEPCTR, for rules about sequences.
    // `priority`: sets the priority of the wave.
    // `stops`: halts or kills the wave, which only a debugger can continue; S_SETKILL and S_SETHALT if bit 0 of the constant is set.
    // `handler`: belongs into a trap handler. `unseen`: nothing in a kernel shows its effect while no debugger and no profiler is
    // attached.
    // `relative`: the constant counts dwords from the end of the instruction to its target.
    // `waits_vm`, `waits_vs`, `waits_exp`, `waits_lgkm`: the counters it waits for; RDNA4 has `waits_load`, `waits_store`,
    // `waits_sample`, `waits_bvh`, `waits_exp`, `waits_ds`, `waits_km`. The end of a wave waits in hardware.
    // `barrier`: uses a barrier by its number.
    flags barrier, waits_load, waits_store, waits_sample, waits_bvh, waits_ds, waits_km, clause, message, trap, internal, waits_vm, waits_vs, waits_exp, waits_lgkm, nop, delay, code_end, waits_alu, stops, handler, unseen,
        priority, relative = branches;
    quirks unlisted;
    text "{imm}";
    run wave;

    0  => S_NOP                        (imm: u16) internal, nop { }
    1  => S_SETKILL                    (imm: u16) stops { external(imm); }
    2  => S_SETHALT                    (imm: u16) stops { external(imm); }
    3  => S_SLEEP                      (imm: u16) internal in rdna3 | rdna3_5 { sleep(imm[6:0]); }
    4 -  => S_SET_INST_PREFETCH_DISTANCE (imm: u2 as Imm16Hex) also "s_inst_prefetch" { }
    5  => S_CLAUSE                     (imm: u16 as Imm16Hex) clause { }
    7  => S_DELAY_ALU                  (imm: u16 as DelayAlu) internal, delay { }
    8  => S_WAITCNT_DEPCTR             (imm: u16 as DependencyCounters) named S_WAIT_ALU in rdna4, unlisted, waits_alu { }
    9  => S_WAITCNT                    (imm: u16 as WaitCounters) internal, waits_vm, waits_exp, waits_lgkm { }
    10 => S_WAIT_IDLE                  () waits_vm, waits_vs, waits_exp, waits_lgkm { }
    11 - => S_WAIT_EVENT                 (imm: u1 as Imm16Hex) { }
    16 => S_TRAP                       (imm: u16) trap { pc, status = external(pc, status, imm), external(status, imm); }
    17 => S_ROUND_MODE                 (imm: u16 as Imm16Hex) { mode[3:0] = imm[3:0]; }
    18 => S_DENORM_MODE                (imm: u16) { mode[7:4] = imm[3:0]; }
    31 => S_CODE_END                   () code_end { }
    32 => S_BRANCH                     (imm: i16 as Branch) disputed "the guide multiplies the offset in 16 bits" { pc = pc + (imm as i64 * 4) as u64; }
    for cond in [35 VCCZ { vccz }, 36 VCCNZ { !vccz }] {
        0 + cond => S_CBRANCH_{cond}   (imm: i16 as Branch) disputed "the guide multiplies the offset in 16 bits, and tests 64 bits in wave32" { if cond { pc = pc + (imm as i64 * 4) as u64; } }
    }
    for cond in [37 EXECZ { execz }, 38 EXECNZ { !execz }] {
        0 + cond => S_CBRANCH_{cond}   (imm: i16 as Branch) disputed "the guide multiplies the offset in 16 bits, and tests 64 bits in wave32" { if cond { pc = pc + (imm as i64 * 4) as u64; } }
    }
    for cond in [33 SCC0 { !scc }, 34 SCC1 { scc }] {
        0 + cond => S_CBRANCH_{cond}   (imm: i16 as Branch) disputed "the guide multiplies the offset in 16 bits" { if cond { pc = pc + (imm as i64 * 4) as u64; } }
    }
    for cond in [39 CDBGSYS, 40 CDBGUSER, 41 CDBGSYS_OR_USER, 42 CDBGSYS_AND_USER] {
        0 + cond - => S_CBRANCH_{cond} (imm: i16 as Branch) unseen, disputed "the guide multiplies the offset in 16 bits" { if external(status) { pc = pc + (imm as i64 * 4) as u64; } }
    }
    48 => S_ENDPGM                     (imm: u16 as EndCode) waits_vm, waits_vs, waits_exp, waits_lgkm { end(); }
    49 => S_ENDPGM_SAVED               () handler, waits_vm, waits_vs, waits_exp, waits_lgkm { external(); end(); }
    50 - => S_ENDPGM_ORDERED_PS_DONE     () waits_vm, waits_vs, waits_exp, waits_lgkm { external(); end(); }
    52 => S_WAKEUP                     () { }
    53 => S_SETPRIO                    (imm: u16) priority { }
    54 - => S_SENDMSG                    (imm: u16 as MessageCode) message { external(imm, m0); }
    - 54 => S_SENDMSG                    (imm: u16 as Rdna4MessageCode) message { external(imm, m0); }
    55 - => S_SENDMSGHALT                (imm: u16 as MessageCode) message, stops { external(imm, m0); }
    - 55 => S_SENDMSGHALT                (imm: u16 as Rdna4MessageCode) message, stops { external(imm, m0); }
    56 => S_INCPERFLEVEL               (imm: u16) { }
    57 => S_DECPERFLEVEL               (imm: u16) { }
    58 => S_TTRACEDATA                 () unseen, unlisted { external(m0); }
    59 => S_TTRACEDATA_IMM             (imm: u16 as Imm16Hex) unseen, unlisted { external(imm); }
    60 => S_ICACHE_INV                 () { }
    61 - => S_BARRIER                    () { barrier(); }
    11 => S_WAIT_EVENT                 (imm: u16 as Imm16Hex) in rdna4 { }
    // A barrier by its number.
    20 => S_BARRIER_WAIT               (imm: i16 as Imm16) in rdna4, barrier { barrier_wait(imm); }
    21 => S_BARRIER_LEAVE              () in rdna4, barrier, unlisted { scc = external(); }
    64 => S_WAIT_LOADCNT               (imm: u16 as Imm16Hex) in rdna4, internal, waits_load { }
    65 => S_WAIT_STORECNT              (imm: u16 as Imm16Hex) in rdna4, internal, waits_store { }
    66 => S_WAIT_SAMPLECNT             (imm: u16 as Imm16Hex) in rdna4, internal, waits_sample { }
    67 => S_WAIT_BVHCNT                (imm: u16 as Imm16Hex) in rdna4, internal, waits_bvh { }
    68 => S_WAIT_EXPCNT                (imm: u16 as Imm16Hex) in rdna4, internal, waits_exp { }
    70 => S_WAIT_DSCNT                 (imm: u16 as Imm16Hex) in rdna4, internal, waits_ds { }
    71 => S_WAIT_KMCNT                 (imm: u16 as Imm16Hex) in rdna4, internal, waits_km { }
    72 => S_WAIT_LOADCNT_DSCNT         (imm: u16 as Imm16Hex) in rdna4, internal, waits_load, waits_ds { }
    73 => S_WAIT_STORECNT_DSCNT        (imm: u16 as Imm16Hex) in rdna4, internal, waits_store, waits_ds { }
}

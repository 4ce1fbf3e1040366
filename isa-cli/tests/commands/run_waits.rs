//! `isa run FILE.co`: work-groups and waves that wait for each other, clocks and hardware registers.

use std::path::{Path, PathBuf};

use crate::common::{Said, assemble, kernel_program, run};

/// Returns a program whose kernel has one buffer in s[4:5], the number of the work-group in s2 and of the work-item in v0.
fn program(body: &str) -> String {
    let begin = "  s_load_b64 s[4:5], s[0:1], 0x0
  v_mov_b32_e32 v1, 0
  v_mov_b32_e32 v2, 1
  s_waitcnt lgkmcnt(0)";
    let arguments =
        "      - { .name: out, .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global }\n";
    kernel_program("k", &format!("{begin}\n{body}"), 8, 16, arguments)
}

/// The code object of a kernel.
struct Kernel(PathBuf);

impl Kernel {
    fn new(name: &str, body: &str) -> Self {
        let kernel = Kernel(Path::new(env!("CARGO_TARGET_TMPDIR")).join(name));
        std::fs::create_dir_all(&kernel.0).expect("a folder");
        assemble(&program(body), &kernel.0.join("k.co"));
        kernel
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_string_lossy().into_owned()
    }

    /// Runs the kernel with a buffer of 1,024 bytes.
    fn run(&self, global: &str, local: &str, more: &[&str]) -> Said {
        let (file, dump) = (self.path("k.co"), format!("0={}", self.path("out.bin")));
        let common = ["run", &file, "--kernel", "k", "--global", global, "--local", local];
        run(&[&common[..], &["--arg", "buf:zero:1024", "--dump", &dump], more].concat(), b"")
    }

    /// The dwords of the buffer after a run that succeeded.
    fn result(&self, global: &str, local: &str, more: &[&str]) -> Vec<u32> {
        let said = self.run(global, local, more);
        assert_eq!((said.status, &*said.err), (Some(0), ""), "{more:?}");
        let bytes = std::fs::read(self.path("out.bin")).expect("the dump");
        bytes.as_chunks().0.iter().map(|dword| u32::from_le_bytes(*dword)).collect()
    }
}

/// The error of a run that fails.
fn error(said: &Said) -> &str {
    assert_eq!(said.status, Some(1), "{}", said.err);
    said.err.trim_end()
}

/// Adds 1 to a counter, and waits until it is 4.
const BARRIER: &str = "
  global_atomic_add_u32 v1, v2, s[4:5]
.Lwait:
  PAUSE
  global_load_b32 v3, v1, s[4:5] glc
  s_waitcnt vmcnt(0)
  v_readfirstlane_b32 s6, v3
  s_cmp_lt_u32 s6, 4
  s_cbranch_scc1 .Lwait";

#[test]
fn work_groups_that_wait_for_each_other_make_progress_on_one_thread() {
    for (name, pause) in [("waits-asleep", "s_sleep 1"), ("waits-awake", "s_nop 0")] {
        let kernel = Kernel::new(name, &BARRIER.replace("PAUSE", pause));
        for more in [["--threads", "1"], ["--threads", "2"], ["--threads", "8"], ["--turn", "1"]] {
            assert_eq!(kernel.result("4", "1", &more)[0], 4);
        }
        assert_eq!(kernel.result("4", "1", &["--resident", "4"])[0], 4);
    }
}

#[test]
fn a_wait_for_a_work_group_that_cannot_begin_is_an_error() {
    for (name, pause) in [("resident-asleep", "s_sleep 1"), ("resident-awake", "s_nop 0")] {
        let kernel = Kernel::new(name, &BARRIER.replace("PAUSE", pause));
        for threads in ["1", "2", "8"] {
            let said = kernel.run("4", "1", &["--resident", "3", "--threads", threads]);
            assert_eq!(
                error(&said),
                "error: k: work-group 0,0,0 (+0x20): `global_load_b32 v3, v1, s[4:5] glc` at 0x524: waits for ever: \
                 0x200000000000 does not change: byte 0 of argument 0; all 3 work-groups that have begun wait, and 1 has not \
                 begun; help: `--resident N` lets N work-groups make progress together"
                    .replace("0x524", &address(&said)),
            );
        }
    }
}

/// The address that an error names.
fn address(said: &Said) -> String {
    let at = said.err.split("` at ").nth(1).and_then(|rest| rest.split(':').next());
    at.unwrap_or_default().into()
}

#[test]
fn a_wait_for_what_nobody_stores_is_an_error() {
    let kernel = Kernel::new("waits-ever", &BARRIER.replace("PAUSE", "s_sleep 1"));
    let said = kernel.run("3", "1", &[]);
    assert!(error(&said).ends_with("byte 0 of argument 0; all 3 work-groups that have begun wait"), "{}", said.err);
    let said = kernel.run("1", "1", &[]);
    assert!(
        error(&said).ends_with("byte 0 of argument 0; no other work-group is left to end the wait"),
        "{}",
        said.err
    );
}

#[test]
fn a_lock_that_nobody_releases_is_an_error() {
    let body = "
.Lwait:
  global_atomic_swap_b32 v3, v1, v2, s[4:5] offset:16 glc
  s_waitcnt vmcnt(0)
  v_cmp_ne_u32_e32 vcc_lo, 0, v3
  s_cbranch_vccnz .Lwait";
    // One thread: the first work-group takes the lock.
    let said = Kernel::new("lock-held", body).run("2", "1", &["--threads", "1"]);
    let error = error(&said);
    assert!(error.contains("work-group 1,0,0 (+0x14)"), "{error}");
    assert!(error.contains("`global_atomic_swap_b32 v3, v1, v2, s[4:5] offset:16 glc` at 0x"), "{error}");
    assert!(error.contains("waits for ever: 0x200000000010 does not change: byte 16 of argument 0"), "{error}");
}

#[test]
fn a_barrier_that_never_fills_is_an_error() {
    // The first wave of the work-group polls LDS, the others wait at the barrier.
    let body = "
  v_readfirstlane_b32 s6, v0
  s_cmp_lg_u32 s6, 0
  s_cbranch_scc1 .Lbarrier
.Lwait:
  ds_load_b32 v3, v1
  s_waitcnt lgkmcnt(0)
  v_cmp_eq_u32_e32 vcc_lo, 0, v3
  s_cbranch_vccnz .Lwait
.Lbarrier:
  s_barrier";
    let kernel = Kernel::new("barrier-open", body);
    for (local, waves) in [("64", "1 wave waits"), ("128", "3 waves wait")] {
        let said = kernel.run(local, local, &[]);
        let error = error(&said);
        assert!(error.contains("`ds_load_b32 v3, v1` at 0x"), "{error}");
        let expected = format!("waits for ever: LDS does not change, and {waves} at a barrier for it; no other");
        assert!(error.contains(&expected), "{error}");
    }
}

#[test]
fn waves_that_have_ended_count_at_a_barrier() {
    let body = "
  v_readfirstlane_b32 s6, v0
  s_cmp_lg_u32 s6, 0
  s_cbranch_scc1 .Lend
  s_barrier
  global_store_b32 v1, v2, s[4:5]
.Lend:";
    assert_eq!(Kernel::new("barrier-ended", body).result("128", "128", &[])[0], 1);
}

#[test]
fn a_loop_that_changes_nothing_is_an_error() {
    for (name, body) in [
        ("loop-empty", ".Lloop:\n  s_branch .Lloop"),
        ("loop-asleep", ".Lloop:\n  s_sleep 10\n  s_branch .Lloop"),
        ("loop-store", ".Lloop:\n  global_store_b32 v1, v2, s[4:5]\n  s_branch .Lloop"),
        // Of three states.
        (
            "loop-three",
            "  s_mov_b32 s6, 1\n.Lloop:\n  s_mul_i32 s6, s6, 2\n  s_cmp_eq_u32 s6, 8\n  s_cselect_b32 s6, 1, s6\n  s_branch .Lloop",
        ),
    ] {
        let said = Kernel::new(name, body).run("1", "1", &[]);
        assert!(
            error(&said).contains("loops for ever: an iteration changes nothing; no other work-group is left"),
            "{}",
            said.err
        );
    }
}

#[test]
fn a_loop_that_changes_memory_is_no_error() {
    let body = "
.Lloop:
  global_store_b32 v1, v1, s[4:5]
  global_store_b32 v1, v2, s[4:5]
  s_branch .Lloop";
    let said = Kernel::new("loop-stores", body).run("1", "1", &["--max-instructions", "1400000"]);
    assert!(error(&said).contains("the limit of 1400000 instructions is reached"), "{}", said.err);
}

#[test]
fn a_fault_of_another_work_group_is_reported_instead_of_the_wait_for_it() {
    let body = "
  s_cmp_lg_u32 s2, 3
  s_cbranch_scc1 .Lbarrier
  v_mov_b32_e32 v1, 0x1000000
.Lbarrier:"
        .to_owned()
        + &BARRIER.replace("PAUSE", "s_sleep 1");
    let kernel = Kernel::new("fault-elsewhere", &body);
    for threads in ["1", "2"] {
        let said = kernel.run("4", "1", &["--threads", threads]);
        assert!(error(&said).contains("work-group 3,0,0") && said.err.contains("is not mapped"), "{}", said.err);
    }
}

#[test]
fn a_wait_for_a_work_group_that_computes_for_long_is_no_error() {
    // The first work-groups wait for the last, which counts to 200,000 before it stores.
    let body = "
  s_cmp_lg_u32 s2, 3
  s_cbranch_scc1 .Lwait
  s_mov_b32 s6, 0
.Lcount:
  s_add_u32 s6, s6, 1
  s_cmp_lg_u32 s6, 200000
  s_cbranch_scc1 .Lcount
  global_store_b32 v1, v2, s[4:5]
  s_endpgm
.Lwait:
  global_load_b32 v3, v1, s[4:5] glc
  s_waitcnt vmcnt(0)
  v_cmp_eq_u32_e32 vcc_lo, 0, v3
  s_cbranch_vccnz .Lwait";
    let kernel = Kernel::new("waits-long", body);
    for threads in ["1", "2"] {
        assert_eq!(kernel.result("4", "1", &["--threads", threads])[0], 1);
    }
}

#[test]
fn a_wait_that_counts_is_no_error() {
    // Nobody stores what it waits for, but it gives up after 50,000 polls.
    let body = "
  s_mov_b32 s6, 0
.Lwait:
  global_load_b32 v3, v1, s[4:5] glc
  s_waitcnt vmcnt(0)
  s_add_u32 s6, s6, 1
  s_cmp_lg_u32 s6, 50000
  s_cbranch_scc1 .Lwait
  v_mov_b32_e32 v3, s6
  global_store_b32 v1, v3, s[4:5]";
    assert_eq!(Kernel::new("waits-counting", body).result("2", "1", &[])[0], 50_000);
}

#[test]
fn waves_take_turns_of_the_given_length() {
    // Each wave loads a dword, and then stores its number plus 1 there: with short turns all load 0.
    let body = "
  global_load_b32 v3, v1, s[4:5]
  s_waitcnt vmcnt(0)
  v_lshlrev_b32_e32 v4, 2, v0
  v_add_nc_u32_e32 v5, 1, v0
  global_store_b32 v1, v5, s[4:5]
  global_store_b32 v4, v3, s[4:5] offset:4";
    let kernel = Kernel::new("turns", body);
    let loaded = |turn: &str| kernel.result("128", "128", &["--turn", turn])[1..129].to_vec();
    assert_eq!(loaded("1"), vec![0; 128]);
    // The first wave ends before the second begins.
    assert_eq!(loaded("4096")[32..], [32; 32].into_iter().chain([64; 32]).chain([96; 32]).collect::<Vec<u32>>());
    let said = kernel.run("128", "128", &["--turn", "0"]);
    assert_eq!(said.status, Some(2));
}

/// Stores the low halves of scalar registers from s8 on, in the buffer from the beginning of the work-group's 64 bytes.
fn store(count: usize) -> String {
    let mut text = "  s_lshl_b32 s3, s2, 6\n  v_mov_b32_e32 v1, s3\n".to_owned();
    for n in 0..count {
        text += &format!("  v_mov_b32_e32 v3, s{}\n  global_store_b32 v1, v3, s[4:5] offset:{}\n", 8 + n, 4 * n);
    }
    text
}

#[test]
fn clocks_count_instructions_and_sleep() {
    let body = "
  s_getreg_b32 s8, hwreg(HW_REG_SHADER_CYCLES, 0, 20)
  s_getreg_b32 s9, hwreg(HW_REG_SHADER_CYCLES)
  s_nop 0
  s_getreg_b32 s10, hwreg(HW_REG_SHADER_CYCLES, 0, 20)
  s_sleep 3
  s_getreg_b32 s11, hwreg(HW_REG_SHADER_CYCLES, 0, 20)
  s_sendmsg_rtn_b64 s[12:13], sendmsg(MSG_RTN_GET_REALTIME)
  s_sendmsg_rtn_b32 s14, sendmsg(MSG_RTN_GET_REALTIME)
  s_movk_i32 s15, 0
.Lloop:
  s_addk_i32 s15, 1
  s_cmpk_lg_u32 s15, 1000
  s_cbranch_scc1 .Lloop
  s_getreg_b32 s16, hwreg(HW_REG_SHADER_CYCLES, 0, 20)
"
    .to_owned()
        + &store(9);
    let kernel = Kernel::new("clocks", &body);
    let expected = kernel.result("4", "1", &["--threads", "1"]);
    let clock = &expected[..9];
    // Four instructions come before, and each takes four cycles.
    assert_eq!(clock[..4], [20, 24, 32, 40 + 3 * 64]);
    // A read of the other clock takes a tick of 25 cycles.
    assert_eq!((clock[4], clock[5], clock[6]), ((clock[3] + 4 + 25) / 25, 0, (clock[3] + 8 + 50) / 25));
    assert_eq!(clock[8], clock[3] + 12 + 50 + 4 * 3000 + 4);
    for more in [["--threads", "2"], ["--threads", "8"], ["--turn", "1"], ["--turn", "7"]] {
        assert_eq!(kernel.result("4", "1", &more), expected, "{more:?}");
    }
}

#[test]
fn a_wait_for_a_clock_ends() {
    let body = "
  s_getreg_b32 s6, hwreg(HW_REG_SHADER_CYCLES, 0, 20)
.Lwait:
  s_getreg_b32 s7, hwreg(HW_REG_SHADER_CYCLES, 0, 20)
  s_sub_u32 s7, s7, s6
  s_and_b32 s7, s7, 0xfffff
  s_cmp_lt_u32 s7, 0x80000
  s_mov_b32 s7, 0
  s_cbranch_scc1 .Lwait
  global_store_b32 v1, v2, s[4:5]";
    assert_eq!(Kernel::new("waits-clock", body).result("2", "1", &[])[0], 1);
}

#[test]
fn hardware_registers_have_what_a_wave_sees() {
    let body = "
  s_getreg_b32 s8, hwreg(HW_REG_HW_ID1)
  s_getreg_b32 s9, hwreg(HW_REG_HW_ID2)
  s_getreg_b32 s10, hwreg(HW_REG_SH_MEM_BASES)
  s_getreg_b32 s11, hwreg(HW_REG_MODE, 0, 10)
  s_getreg_b32 s12, hwreg(HW_REG_TRAPSTS, 16, 5)
  s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 2), 3
  s_getreg_b32 s13, hwreg(HW_REG_MODE, 0, 4)
  s_setreg_imm32_b32 hwreg(HW_REG_TRAPSTS, 0, 9), 0
"
    .to_owned()
        + &store(6);
    let kernel = Kernel::new("registers", &body);
    let found = kernel.result("2", "1", &[]);
    // The second work-group runs in the second shader engine.
    assert_eq!((found[0], found[16]), (2 << 29, 2 << 29 | 1 << 18));
    assert_eq!((found[1], found[17]), (8 << 24 | 1 << 8, 8 << 24 | 1 << 8));
    assert_eq!(found[2..6], [0x0001_0002, 0x3C0, 0, 3]);
}

#[test]
fn hardware_registers_without_a_value_are_errors_that_name_them() {
    for (name, line, expected) in [
        (
            "reg-gpr",
            "s_getreg_b32 s6, hwreg(HW_REG_GPR_ALLOC)",
            "reads the hardware register GPR_ALLOC, whose value is not known here",
        ),
        (
            "reg-lds",
            "s_getreg_b32 s6, hwreg(HW_REG_LDS_ALLOC)",
            "reads the hardware register LDS_ALLOC, whose value is not known here",
        ),
        (
            "reg-ib",
            "s_getreg_b32 s6, hwreg(HW_REG_IB_STS)",
            "reads the hardware register IB_STS, whose value is not known here",
        ),
        (
            "reg-trap",
            "s_getreg_b32 s6, hwreg(HW_REG_TRAPSTS)",
            "reads the hardware register TRAPSTS, whose value is not known here",
        ),
        ("reg-none", "s_getreg_b32 s6, hwreg(40)", "there is no hardware register 40"),
        (
            "reg-write",
            "s_setreg_imm32_b32 hwreg(HW_REG_HW_ID1), 0",
            "writes the hardware register HW_ID1, which a kernel cannot write",
        ),
        ("reg-tba", "s_sendmsg_rtn_b64 s[6:7], sendmsg(MSG_RTN_GET_TBA)", "MSG_RTN_GET_TBA"),
    ] {
        let said = Kernel::new(name, &format!("  {line}")).run("1", "1", &[]);
        assert!(error(&said).contains(expected), "{}", said.err);
    }
}

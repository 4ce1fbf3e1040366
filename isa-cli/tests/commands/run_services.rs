//! `isa run FILE.co`: traps, and the services of the host that kernels ask for.

use std::path::Path;

use crate::common::{Said, assemble, kernel_program, run};

/// A kernel `k` of these instructions and these lines of metadata for its arguments, each `OFFSET KIND`.
fn kernel(body: &str, arguments: &[(u32, &str)]) -> String {
    kernel_with_formats(body, arguments, &[])
}

/// The same with formats of `printf`.
fn kernel_with_formats(body: &str, arguments: &[(u32, &str)], formats: &[&str]) -> String {
    let arguments = arguments.iter().map(|(offset, kind)| {
        format!("      - {{ .offset: {offset}, .size: {}, .value_kind: {kind} }}\n", if *kind == SIZE { 2 } else { 8 })
    });
    let arguments: String = arguments.collect();
    let formats: String = formats.iter().map(|format| format!("  - {format}\n")).collect();
    let formats = if formats.is_empty() { formats } else { format!("amdhsa.printf:\n{formats}") };
    kernel_program("k", body, 264, 0, &format!("{arguments}{formats}"))
}

/// Assembles a program and runs its kernel `k` with a grid and a size of work-groups.
fn run_kernel(name: &str, source: &str, global: &str, local: &str, more: &[&str]) -> Said {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("services");
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join(format!("{name}.co"));
    assemble(source, &file);
    let file = file.to_string_lossy();
    run(&[&["run", &file, "--kernel", "k", "--global", global, "--local", local], more].concat(), b"")
}

/// A hidden argument that needs no service.
const SIZE: &str = "hidden_group_size_x";
/// The arguments of a kernel that needs no service.
const NONE: &[(u32, &str)] = &[(0, SIZE)];

/// Macros that call the host as ockl does.
const HOSTCALL: &str = include_str!("../services/hostcall.s");

#[test]
fn instructions_for_debuggers_and_profilers_do_nothing() {
    let body = "s_sethalt 0\n s_setkill 0\n s_trap 3\n s_ttracedata\n s_sendmsg sendmsg(MSG_INTERRUPT)\n \
                s_cbranch_cdbgsys 0x100\n s_cbranch_cdbguser 0x100\n s_sendmsg sendmsg(MSG_DEALLOC_VGPRS)";
    let said = run_kernel("nothing", &kernel(body, NONE), "33", "32", &[]);
    assert_eq!((said.status, &*said.err, &*said.out), (Some(0), "", ""));
}

#[test]
fn what_a_kernel_cannot_do_is_named() {
    for (name, instruction, expected) in [
        ("trap1", "s_trap 1", "a breakpoint, and no debugger is attached"),
        (
            "trap2",
            "s_trap 2",
            "the kernel ends itself: a failed device-side assertion, abort or unreachable code (llvm.trap)",
        ),
        ("trap4", "s_trap 4", "no trap handler knows this number"),
        ("halt", "s_sethalt 1", "it stops the wave for a debugger, and none is attached"),
        ("kill", "s_setkill 1", "it stops the wave for a debugger, and none is attached"),
        ("sendhalt", "s_sendmsghalt sendmsg(MSG_INTERRUPT)", "it stops the wave for a debugger"),
        (
            "message",
            "s_sendmsg sendmsg(MSG_HS_TESSFACTOR)",
            "the message `MSG_HS_TESSFACTOR` (all tessellation factors",
        ),
        ("saved", "s_endpgm_saved", "only a trap handler can execute it"),
        ("rfe", "s_rfe_b64 s[0:1]", "only a trap handler can execute it"),
        ("export", "exp mrt0 v0, v0, v0, v0 done", "it exports to the graphics pipeline"),
        ("interpolate", "lds_param_load v1, attr0.x wait_vdst:15", "it interpolates vertex attributes"),
        ("gws", "ds_gws_barrier v0 offset:4 gds", "it uses the global wave synchronization"),
        ("illegal", ".long 0", "an illegal instruction"),
    ] {
        let said = run_kernel(name, &kernel(instruction, NONE), "64", "32", &[]);
        assert_eq!((said.status, &*said.out), (Some(1), ""), "{name}");
        assert!(said.err.starts_with("error: k: work-group 0,0,0 (+0x0): `"), "{name}: {}", said.err);
        assert!(said.err.contains(&format!("at 0x1500: {expected}")), "{name}: {}", said.err);
    }
}

/// Macros that take bytes of `printf`'s buffer.
const PRINTF_ALLOC: &str = include_str!("../services/printf_alloc.s");

/// Instructions that put a text, filled up with zeros, into registers from `first` on.
fn text_in_vgprs(first: usize, text: &str) -> String {
    let dword = |chunk: &[u8]| chunk.iter().rev().fold(0, |dword, byte| dword << 8 | u32::from(*byte));
    let dwords = text.as_bytes().chunks(4).map(dword).zip(first..);
    dwords.map(|(dword, register)| format!("  v_mov_b32 v{register}, {dword:#x}\n")).collect()
}

/// Instructions that put numbers into registers from `first` on.
fn numbers_in_vgprs(first: usize, numbers: &[&str]) -> String {
    numbers.iter().zip(first..).map(|(number, register)| format!("  v_mov_b32 v{register}, {number}\n")).collect()
}

/// A kernel whose lanes print their work-group and lane by calls of the host. Later work-groups end earlier.
fn printing(at_end: &str) -> String {
    let body = format!(
        "  s_load_b64 s[4:5], s[0:1], 80\n  s_mul_i32 s3, s2, -400\n  s_add_i32 s3, s3, 4000\n.Lloop:\n  s_sub_u32 s3, s3, 1\n  \
         s_cmp_lg_u32 s3, 0\n  s_cbranch_scc1 .Lloop\n{}{}{}  hostcall 2\n{at_end}",
        // A whole message: its descriptor says BEGIN, END and 6 numbers; the first selects standard output.
        numbers_in_vgprs(10, &["0xc3", "0", "0", "0"]),
        text_in_vgprs(14, "group %d lane %2d\n\0\0\0\0\0\0\0"),
        numbers_in_vgprs(20, &["s2", "0", "v0", "0"]),
    );
    format!("{HOSTCALL}{}", kernel(&body, &[(80, "hidden_hostcall_buffer")]))
}

#[test]
fn calls_of_the_host_print_in_the_order_of_work_groups() {
    let expected: String =
        (0..8).flat_map(|group| (0..20).map(move |lane| format!("group {group} lane {lane:2}\n"))).collect();
    for threads in ["1", "2", "5"] {
        let said = run_kernel("order", &printing(""), "160", "20", &["--threads", threads]);
        assert_eq!((said.status, &*said.err), (Some(0), ""), "{threads}");
        assert_eq!(said.out, expected, "{threads}");
    }
    let said = run_kernel("order-stats", &printing(""), "160", "20", &["--stats"]);
    assert!(said.out.starts_with(&expected), "{}", said.out);
}

#[test]
fn what_was_printed_before_a_fault_appears() {
    let end = "  s_cmp_lg_u32 s2, 3\n  s_cbranch_scc1 .Lend\n  v_mov_b32 v1, 0\n  v_mov_b32 v2, 0\n  \
               global_load_b32 v3, v[1:2], off\n.Lend:";
    let expected: String =
        (0..4).flat_map(|group| (0..2).map(move |lane| format!("group {group} lane {lane:2}\n"))).collect();
    for threads in ["1", "4"] {
        let said = run_kernel("before-fault", &printing(end), "16", "2", &["--threads", threads]);
        assert_eq!((said.status, &*said.out), (Some(1), &*expected), "{threads}");
        assert!(said.err.starts_with("error: k: work-group 3,0,0 ("), "{}", said.err);
        assert!(said.err.contains("a null pointer"), "{}", said.err);
    }
}

#[test]
fn what_work_groups_have_printed_that_wait_for_ever_appears() {
    // The other work-groups wait for a store of the last one, which has returned.
    let end = "  s_cmp_eq_u32 s2, 3\n  s_cbranch_scc1 .Lend\n  s_load_b64 s[4:5], s[0:1], 0\n  v_mov_b32 v1, 0\n.Lspin:\n  s_sleep 1\n  \
               s_waitcnt lgkmcnt(0)\n  global_load_b32 v2, v1, s[4:5] glc\n  s_waitcnt vmcnt(0)\n  v_readfirstlane_b32 s3, v2\n  \
               s_cmp_eq_u32 s3, 0\n  s_cbranch_scc1 .Lspin\n.Lend:";
    let expected: String =
        (0..4).flat_map(|group| (0..2).map(move |lane| format!("group {group} lane {lane:2}\n"))).collect();
    let source = printing(end)
        .replace("    .args:\n", "    .args:\n      - { .offset: 0, .size: 8, .value_kind: global_buffer }\n");
    for threads in ["1", "3"] {
        let said = run_kernel("waiting", &source, "8", "2", &["--threads", threads, "--arg", "buf:zero:4"]);
        assert_eq!((said.status, &*said.out), (Some(1), &*expected), "{threads}");
        assert!(said.err.starts_with("error: k: work-group 0,0,0 ("), "{}", said.err);
    }
}

#[test]
fn an_assertion_names_its_text_wave_and_lane() {
    // In parts: BEGIN with one number that selects standard error, the format, and the arguments with END. The lanes from 3 on of
    // the second wave fail. Code object version 4 has the buffer behind three offsets.
    let body = format!(
        "  s_load_b64 s[4:5], s[0:1], 24\n  v_cmp_lt_u32 vcc_lo, 34, v0\n  s_and_saveexec_b32 s3, vcc_lo\n  \
         s_cbranch_execz .Lend\n{}  hostcall 2\n  v_and_b32 v10, 0xffffff00, v10\n  v_or_b32 v10, 0x80, v10\n{}  hostcall 2\n  \
         v_and_b32 v10, 0xffffff00, v10\n  v_or_b32 v10, 0x62, v10\n{}{}{}  hostcall 2\n  s_trap 2\n.Lend:",
        numbers_in_vgprs(10, &["0x21", "0", "1", "0"]),
        text_in_vgprs(12, "%s:%u: assertion `%s' failed.\n\0\0"),
        text_in_vgprs(12, "k.cl\0\0\0\0"),
        numbers_in_vgprs(14, &["7", "0"]),
        text_in_vgprs(16, "x < 3\0\0\0"),
    );
    let source = format!("{HOSTCALL}{}", kernel(&body, &[(24, "hidden_hostcall_buffer")]));
    let source = source.replace("[ 1, 2 ]", "[ 1, 1 ]");
    let said = run_kernel("assertion", &source, "64", "64", &[]);
    assert_eq!((said.status, &*said.out), (Some(1), ""));
    let text = "k.cl:7: assertion `x < 3' failed.\n";
    let errors = said.err.strip_prefix(&text.repeat(29)).unwrap_or_else(|| panic!("{}", said.err));
    assert!(errors.starts_with("error: k: work-group 0,0,0 (+0x"), "{errors}");
    let end = format!(
        "wave 1: the kernel ends itself: a failed device-side assertion, abort or unreachable code (llvm.trap); wave 1, lane 3 printed: {text}"
    );
    assert!(errors.ends_with(&end), "{errors}");
}

#[test]
fn printf_of_opencl_is_formatted() {
    let body = format!(
        "  s_load_b64 s[4:5], s[0:1], 72\n  printf_alloc 32\n{}{}{}  global_store_b128 v[2:3], v[10:13], off\n  \
         global_store_b128 v[2:3], v[14:17], off offset:16\n  v_cmp_eq_u32 vcc_lo, 1, v0\n  s_and_b32 exec_lo, exec_lo, vcc_lo\n  \
         printf_alloc 4\n  v_mov_b32 v10, 2\n  global_store_b32 v[2:3], v10, off\n  s_trap 2",
        numbers_in_vgprs(10, &["1", "v0"]),
        text_in_vgprs(12, "abc\0\0\0\0\0"),
        numbers_in_vgprs(14, &["1.0", "2.0", "0.5", "-4.0"]),
    );
    let formats = [r"'1:3:4:8:16:sum\72 %+d %5s %.1v4hlf\n'", r"'2:0:100%%\n'"];
    let arguments = [(72, "hidden_printf_buffer")];
    let source = format!("{PRINTF_ALLOC}{}", kernel_with_formats(&body, &arguments, &formats));
    let said = run_kernel("opencl", &source, "6", "3", &[]);
    let lane = |lane| format!("sum: +{lane}   abc 1.0,2.0,0.5,-4.0\n");
    assert_eq!((said.status, said.out), (Some(1), [lane(0), lane(1), lane(2), "100%\n".into()].concat()));
    assert!(said.err.ends_with("; wave 0 printed: 100%\n"), "{}", said.err);
    // What has no end is printed all the same, and without a format nothing.
    let source = source.replace("s_trap 2", "s_mov_b32 exec_lo, 1").replace("s_endpgm", "s_branch k");
    let said = run_kernel("opencl-endless", &source, "1", "1", &["--max-instructions", "10000"]);
    assert_eq!(said.status, Some(1));
    assert!(said.out.starts_with(&lane(0).repeat(10)), "{}", said.out);
    let source = source.replace("amdhsa.printf", "amdhsa.other");
    let said = run_kernel("opencl-without", &source, "1", "1", &["--max-instructions", "10000"]);
    assert_eq!((said.status, &*said.out), (Some(1), ""));
    assert!(said.err.starts_with("printf: a record has no format in the metadata\n"), "{}", said.err);
}

#[test]
fn printf_of_hip_is_formatted() {
    let record = |head: &[&str], own: &str| {
        format!(
            "  printf_alloc 20\n{}{}{}  global_store_b128 v[2:3], v[10:13], off\n  global_store_b32 v[2:3], v14, off offset:16\n",
            numbers_in_vgprs(10, head),
            text_in_vgprs(11, own),
            numbers_in_vgprs(13, &["v0", "0"]),
        )
    };
    // The size times 4; 2: a hash of the format follows; 1: to standard error.
    let body = format!(
        "  s_load_b64 s[4:5], s[0:1], 72\n{}{}",
        record(&["82", "0x1234", "0x5678"], ""),
        record(&["81"], "own %d\n\0")
    );
    let arguments = [(72, "hidden_printf_buffer")];
    let formats = [r#""0:0:567800001234,hash %03d\n""#];
    let source = format!("{PRINTF_ALLOC}{}", kernel_with_formats(&body, &arguments, &formats));
    let said = run_kernel("hip", &source, "2", "2", &[]);
    assert_eq!((said.status, &*said.out, &*said.err), (Some(0), "hash 000\nhash 001\n", "own 0\nown 1\n"));
}

#[test]
fn services_that_are_not_here_are_named() {
    let load = |from: &str, offset: u32| {
        format!(
            "  s_load_b64 s[4:5], {from}\n  s_waitcnt lgkmcnt(0)\n  v_mov_b32 v1, 0\n  global_load_b32 v2, v1, s[4:5] offset:{offset}"
        )
    };
    let mut programs: Vec<(&str, String, &str)> = [
        ("hidden_heap_v1", 0, "it uses the heap of the device (`hidden_heap_v1`: malloc in a kernel)"),
        ("hidden_default_queue", 8, "it uses the default device queue (`hidden_default_queue`: enqueue_kernel)"),
        ("hidden_completion_action", 0, "it uses the action at the end of a kernel (`hidden_completion_action`"),
        ("hidden_queue_ptr", 16, "it uses the queue of its dispatch (`hidden_queue_ptr`)"),
    ]
    .into_iter()
    .map(|(kind, offset, expected)| (kind, kernel(&load("s[0:1], 96", offset), &[(96, kind)]), expected))
    .collect();
    let packet = kernel(&load("s[0:1], 56", 8), NONE);
    let packet =
        packet.replace("  .amdhsa_user_sgpr_kern", "  .amdhsa_user_sgpr_dispatch_ptr 1\n  .amdhsa_user_sgpr_kern");
    programs.push(("signal", packet, "it uses the completion signal of its dispatch"));
    for (name, service, expected) in [
        ("function", 1, "it calls a function of the host, at 0x21; there is no host program"),
        ("malloc", 3, "it asks the host for memory (malloc in a kernel)"),
        ("sanitizer", 4, "it reports an invalid access to the address sanitizer of the host"),
        ("unknown", 7, "it asks for the service 7 of the host, which is unknown"),
        ("message-unbegun", 2, "it continues a message to the host that has not begun"),
    ] {
        let number = if service == 2 { "0x520" } else { "0x21" };
        let body =
            format!("  s_load_b64 s[4:5], s[0:1], 80\n{}  hostcall {service}", numbers_in_vgprs(10, &[number, "0"]));
        programs.push((name, format!("{HOSTCALL}{}", kernel(&body, &[(80, "hidden_hostcall_buffer")])), expected));
    }
    for (name, source, expected) in programs {
        let said = run_kernel(name, &source, "1", "1", &[]);
        assert_eq!((said.status, &*said.out), (Some(1), ""), "{name}");
        assert!(said.err.contains(expected), "{name}: {}", said.err);
    }
    // The bases of LDS and scratch memory are there.
    let bases = load("s[0:1], 96", 64);
    let said = run_kernel("bases", &kernel(&bases, &[(96, "hidden_queue_ptr")]), "1", "1", &[]);
    assert_eq!((said.status, &*said.err), (Some(0), ""));
}

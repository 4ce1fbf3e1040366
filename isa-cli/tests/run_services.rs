//! `isa run FILE.co`: traps, and the services of the host that kernels ask for.

mod common;

use std::path::Path;

use common::{Said, run};

/// A kernel `k` of these instructions and these lines of metadata for its arguments.
fn kernel(body: &str, arguments: &str) -> String {
    format!(
        r#"
.amdgcn_target "amdgcn-amd-amdhsa--gfx1100"
.text
.globl k
.p2align 8
.type k,@function
k:
{body}
  s_endpgm
.rodata
.p2align 6
.amdhsa_kernel k
  .amdhsa_kernarg_size 264
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_next_free_vgpr 32
  .amdhsa_next_free_sgpr 32
.end_amdhsa_kernel
.amdgpu_metadata
---
amdhsa.version: [ 1, 2 ]
amdhsa.kernels:
  - .name: k
    .symbol: k.kd
    .kernarg_segment_size: 264
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 32
    .sgpr_count: 34
    .vgpr_count: 32
    .max_flat_workgroup_size: 1024
    .args:
{arguments}
...
.end_amdgpu_metadata
"#
    )
}

/// Assembles a program and runs its kernel `k` with a grid and a size of work-groups.
fn run_kernel(name: &str, source: &str, global: &str, local: &str, more: &[&str]) -> Said {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("services");
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = |ending: &str| folder.join(format!("{name}.{ending}")).to_string_lossy().into_owned();
    std::fs::write(path("s"), source).expect("a file");
    let said = run(&["asm", "--arch", "gfx1100", &path("s"), "-o", &path("co")], b"");
    assert_eq!(said.status, Some(0), "{}", said.err);
    let file = path("co");
    run(&[&["run", &file, "--kernel", "k", "--global", global, "--local", local], more].concat(), b"")
}

/// The arguments of a kernel without any.
const NONE: &str = "      - { .offset: 0, .size: 2, .value_kind: hidden_group_size_x }";

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
        ("trap2", "s_trap 2", "the kernel ends itself: an assertion, abort or unreachable code (llvm.trap)"),
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
        assert!(said.err.starts_with("error: k: work-group 0,0,0 (k+0x0): `"), "{name}: {}", said.err);
        assert!(said.err.contains(&format!("at 0x1500: {expected}")), "{name}: {}", said.err);
    }
}

//! Helpers of the tests: running the program.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// The output of a run.
#[derive(Debug)]
pub struct Said {
    pub out: String,
    pub err: String,
    pub status: Option<i32>,
}

/// The program, with no settings of the terminal in its way.
pub fn isa(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_isa"));
    command.args(args).env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
    command
}

/// Runs the program over standard input.
pub fn run(args: &[&str], input: &[u8]) -> Said {
    let mut child = isa(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("its standard input is a pipe");
    let input = input.to_vec();
    // From a thread: the program answers while it still reads. It may also end before it has read all.
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let Output { status, stdout, stderr } = child.wait_with_output().expect("the program ends");
    writer.join().expect("the writer does not panic");
    let text = |bytes| String::from_utf8(bytes).expect("the program writes UTF-8");
    let said = Said { out: text(stdout), err: text(stderr), status: status.code() };
    assert!(!said.err.contains("panicked"), "{args:?}: {}", said.err);
    said
}

/// Returns a program for gfx1100 with a kernel `k` of wave32: its name in the metadata, its instructions but for S_ENDPGM, the sizes of
/// its arguments and of its LDS in bytes, and its metadata from the list of arguments on.
pub fn kernel_program(name: &str, body: &str, kernarg_bytes: usize, lds_bytes: usize, metadata: &str) -> String {
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
.Lfunc_end:
.size k, .Lfunc_end-k
.rodata
.p2align 6
.amdhsa_kernel k
  .amdhsa_kernarg_size {kernarg_bytes}
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_group_segment_fixed_size {lds_bytes}
  .amdhsa_next_free_vgpr 32
  .amdhsa_next_free_sgpr 40
.end_amdhsa_kernel
.amdgpu_metadata
---
amdhsa.version: [ 1, 2 ]
amdhsa.kernels:
  - .name: "{name}"
    .symbol: k.kd
    .kernarg_segment_size: {kernarg_bytes}
    .kernarg_segment_align: 8
    .group_segment_fixed_size: {lds_bytes}
    .private_segment_fixed_size: 0
    .wavefront_size: 32
    .sgpr_count: 42
    .vgpr_count: 32
    .max_flat_workgroup_size: 1024
    .args:
{metadata}...
.end_amdgpu_metadata
"#
    )
}

/// Returns a part of a text bundle, as `clang -x hip -S` writes it.
pub fn bundle_part(id: &str, text: &str) -> String {
    format!("# __CLANG_OFFLOAD_BUNDLE____START__ {id}\n{text}# __CLANG_OFFLOAD_BUNDLE____END__ {id}\n")
}

/// Assembles a program for gfx1100 into a code object.
pub fn assemble(program: &str, code_object: &Path) {
    let source = code_object.with_extension("s").to_string_lossy().into_owned();
    std::fs::write(&source, program).expect("a file");
    let said = run(&["asm", "--arch", "gfx1100", &source, "-o", &code_object.to_string_lossy(), "--emit", "co"], b"");
    assert_eq!(said.status, Some(0), "{}", said.err);
}

/// Assembles standard input.
pub const ARGS: [&str; 4] = ["asm", "--arch", "gfx1100", "-"];

/// Assembles a program and returns the bytes of its `.text` in hex.
pub fn text(source: &str) -> String {
    let said = output(source, &[]);
    assert_eq!(said.0.status, Some(0), "{source}\n{}", said.0.err);
    said.1.iter().map(|b| format!("{b:02x}")).collect()
}

/// Runs with `-o` and reads the file back.
pub fn output(source: &str, more: &[&str]) -> (Said, Vec<u8>) {
    use std::sync::atomic::{AtomicU32, Ordering};
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let nth = COUNT.fetch_add(1, Ordering::Relaxed);
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("asm-{}-{nth}", std::process::id()));
    let path = path.to_str().expect("the path is UTF-8");
    let said = run(&[&ARGS[..], more, &["-o", path]].concat(), source.as_bytes());
    let bytes = std::fs::read(path).unwrap_or_default();
    let _ = std::fs::remove_file(path);
    (said, bytes)
}

/// The program is refused, and each of these parts is said.
pub fn refused(source: &str, parts: &[&str]) {
    let said = run(&ARGS, source.as_bytes());
    assert_eq!(said.status, Some(1), "{source}\n{said:?}");
    assert!(said.out.is_empty(), "{said:?}");
    for part in parts {
        assert!(said.err.contains(part), "{source}: no {part:?} in\n{}", said.err);
    }
}

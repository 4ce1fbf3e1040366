//! `isa run FILE.co`: kernels, their arguments and faults.

use std::path::{Path, PathBuf};

use crate::common::{Said, run};

/// `out[i] = in[i] * factor` for the work-items below `count`.
const SCALE: &str = r#"
.amdgcn_target "amdgcn-amd-amdhsa--gfx1100"
.text
.globl scale
.p2align 8
.type scale,@function
scale:
  s_load_b128 s[4:7], s[0:1], 0x0
  s_load_b64 s[8:9], s[0:1], 0x10
  s_load_b32 s10, s[0:1], 0x24
  s_waitcnt lgkmcnt(0)
  s_and_b32 s10, s10, 0xffff
  s_mul_i32 s2, s2, s10
  v_add_nc_u32_e32 v0, s2, v0
  v_cmp_gt_u32_e32 vcc_lo, s9, v0
  s_and_saveexec_b32 s3, vcc_lo
  s_cbranch_execz .Lend
  v_lshlrev_b32_e32 v0, 2, v0
  global_load_b32 v1, v0, s[4:5]
  s_waitcnt vmcnt(0)
  v_mul_lo_u32 v1, v1, s8
  global_store_b32 v0, v1, s[6:7]
.Lend:
  s_endpgm
.Lfunc_end:
.size scale, .Lfunc_end-scale
.rodata
.p2align 6
.amdhsa_kernel scale
  .amdhsa_kernarg_size 280
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_next_free_vgpr 2
  .amdhsa_next_free_sgpr 11
.end_amdhsa_kernel
.amdgpu_metadata
---
amdhsa.version: [ 1, 2 ]
amdhsa.kernels:
  - .name: scale
    .symbol: scale.kd
    .kernarg_segment_size: 280
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 32
    .sgpr_count: 13
    .vgpr_count: 2
    .max_flat_workgroup_size: 256
    .args:
      - { .name: in, .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global }
      - { .name: out, .offset: 8, .size: 8, .value_kind: global_buffer, .address_space: global }
      - { .name: factor, .offset: 16, .size: 4, .value_kind: by_value }
      - { .name: count, .offset: 20, .size: 4, .value_kind: by_value }
      - { .offset: 36, .size: 2, .value_kind: hidden_group_size_x }
...
.end_amdgpu_metadata
"#;

/// A folder with the code object `k.co` of a program, and `in.bin`: 0, 1, 2, … as dwords.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str, source: &str) -> Self {
        Self::of("gfx1100", name, source)
    }

    /// The same for a program of another processor.
    fn of(processor: &str, name: &str, source: &str) -> Self {
        let folder = Folder(Path::new(env!("CARGO_TARGET_TMPDIR")).join(name));
        std::fs::create_dir_all(&folder.0).expect("a folder");
        std::fs::write(folder.path("k.s"), source).expect("a file");
        let said = run(&["asm", "--arch", processor, &folder.path("k.s"), "-o", &folder.path("k.co")], b"");
        assert_eq!(said.status, Some(0), "{}", said.err);
        let numbers: Vec<u8> = (0..100_u32).flat_map(u32::to_le_bytes).collect();
        std::fs::write(folder.path("in.bin"), numbers).expect("a file");
        folder
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_string_lossy().into_owned()
    }

    /// Runs the kernel `scale` with further arguments of the program.
    fn scale(&self, more: &[&str]) -> Said {
        let file = self.path("k.co");
        let common = ["run", &file, "--kernel", "scale", "--global", "100", "--local", "64"];
        run(&[&common, more].concat(), b"")
    }
}

#[test]
fn a_kernel_runs_with_a_partial_group() {
    let folder = Folder::new("run-partial", SCALE);
    let (input, dump) = (format!("buf:{}", folder.path("in.bin")), format!("1={}", folder.path("out.bin")));
    let arguments = ["--arg", &input, "--arg", "buf:zero:400", "--arg", "u32:3", "--arg", "i32:90", "--dump", &dump];
    for threads in ["1", "2"] {
        let said = folder.scale(&[&arguments[..], &["--threads", threads]].concat());
        assert_eq!((said.status, &*said.err, &*said.out), (Some(0), "", ""));
        let out = std::fs::read(folder.path("out.bin")).expect("the dump");
        let expected: Vec<u8> = (0..100_u32).flat_map(|n| if n < 90 { n * 3 } else { 0 }.to_le_bytes()).collect();
        assert_eq!(out, expected);
    }
}

#[test]
fn a_kernel_of_rdna3_5_runs_and_is_watched() {
    // The factor plus one, by scalar floating-point instructions.
    let float = "s_cvt_f32_u32 s8, s8\n s_add_f32 s8, s8, 1.0\n s_cvt_u32_f32 s8, s8\n v_mul_lo_u32";
    let source = SCALE.replace("gfx1100", "gfx1150").replace("v_mul_lo_u32", float);
    let folder = Folder::of("gfx1150", "run-rdna3-5", &source);
    let (input, dump) = (format!("buf:{}", folder.path("in.bin")), format!("1={}", folder.path("out.bin")));
    let arguments = ["--arg", &input, "--arg", "buf:zero:400", "--arg", "u32:3", "--arg", "i32:100", "--dump", &dump];
    let said = folder.scale(&arguments);
    assert_eq!((said.status, &*said.err, &*said.out), (Some(0), "", ""));
    let out = std::fs::read(folder.path("out.bin")).expect("the dump");
    let expected: Vec<u8> = (0..100_u32).flat_map(|n| (n * 4).to_le_bytes()).collect();
    assert_eq!(out, expected);
    let traced = folder.scale(&[&arguments[..], &["--trace", "--trace-wave", "0"]].concat());
    // 4.0 in s8.
    assert!(traced.out.contains("s_add_f32 s8, s8, 1.0  ; s8=0x40800000"), "{}", traced.out);
    let counted = folder.scale(&[&arguments[..], &["--stats"]].concat());
    // Four waves, and a load and a store of 4 bytes for each of 100 work-items.
    for line in
        ["             4              0  s_add_f32", "             8            200            800  vector memory"]
    {
        assert!(counted.out.contains(line), "{}", counted.out);
    }
}

#[test]
fn a_kernel_of_rdna4_finds_its_work_group_and_is_checked() {
    let source = SCALE
        .replace("gfx1100", "gfx1200")
        .replace("s_waitcnt lgkmcnt(0)", "s_wait_kmcnt 0x0")
        .replace("s_waitcnt vmcnt(0)", "s_wait_loadcnt 0x0")
        .replace("s_mul_i32 s2, s2, s10", "s_mul_i32 s2, ttmp9, s10");
    let (folder, without) = (Folder::of("gfx1200", "run-rdna4", &source), "s_wait_loadcnt 0x0");
    let (input, dump) = (format!("buf:{}", folder.path("in.bin")), format!("1={}", folder.path("out.bin")));
    let arguments = ["--arg", &input, "--arg", "buf:zero:400", "--arg", "u32:3", "--arg", "i32:100", "--dump", &dump];
    for (more, end) in [(&[][..], ""), (&["--check"], "0 findings, 0 notes\n")] {
        let said = folder.scale(&[&arguments[..], more].concat());
        assert_eq!((said.status, &*said.err, &*said.out), (Some(0), end, ""));
        let out = std::fs::read(folder.path("out.bin")).expect("the dump");
        let expected: Vec<u8> = (0..100_u32).flat_map(|n| (n * 3).to_le_bytes()).collect();
        assert_eq!(out, expected);
    }
    let folder = Folder::of("gfx1200", "run-rdna4-no-wait", &source.replace(without, ""));
    let said = folder.scale(&[&arguments[..], &["--check"]].concat());
    assert_eq!(said.status, Some(1));
    assert!(said.err.contains("insert `s_wait_loadcnt 0x0`"), "{}", said.err);
}

#[test]
fn arguments_are_checked_against_the_metadata() {
    let folder = Folder::new("run-arguments", SCALE);
    let refused = |arguments: &[&str], message: &str| {
        let mut all = Vec::new();
        for argument in arguments {
            all.extend(["--arg", argument]);
        }
        let said = folder.scale(&all);
        assert_eq!(said.status, Some(1), "{arguments:?}");
        assert!(said.err.contains(message), "{arguments:?}: {}", said.err);
    };
    refused(
        &["buf:zero:4", "buf:zero:4", "u32:1"],
        "the kernel has 4 arguments, and 3 are given; help: `isa run FILE` lists the arguments",
    );
    refused(&["buf:zero:4", "buf:zero:4", "u32:1", "u64:1"], "argument 3 has 8 bytes, and the kernel expects 4");
    refused(
        &["u32:4", "buf:zero:4", "u32:1", "u32:1"],
        "argument 0 is a value, and the kernel expects `global_buffer`",
    );
    refused(&["buf:zero:4", "buf:zero:4", "buf:zero:4", "u32:1"], "argument 2 is a buffer");
    refused(&["buf:nowhere", "buf:zero:4", "u32:1", "u32:1"], "nowhere: cannot be read");
    let usage = folder.scale(&["--arg", "u33:1"]);
    assert_eq!(usage.status, Some(2), "{}", usage.err);
    assert!(usage.err.contains("`u33:1` is not an argument"), "{}", usage.err);
}

#[test]
fn faults_name_instruction_address_lane_and_group() {
    let folder = Folder::new("run-fault", SCALE);
    let input = format!("buf:{}", folder.path("in.bin"));
    let said = folder.scale(&["--arg", &input, "--arg", "buf:zero:320", "--arg", "u32:3", "--arg", "u32:90"]);
    assert_eq!(said.status, Some(1));
    let place = "scale: work-group 1,0,0 (+0x50): `global_store_b32 v0, v1, s[6:7]` at 0x1650, lane 16: writes";
    assert!(said.err.contains(place), "{}", said.err);
    assert!(said.err.contains(": 0 bytes past the end of argument 1, which has 320 bytes"), "{}", said.err);
}

#[test]
fn traces_breakpoints_and_statistics_are_printed() {
    let folder = Folder::new("run-watch", SCALE);
    let input = format!("buf:{}", folder.path("in.bin"));
    let arguments = ["--arg", &input, "--arg", "buf:zero:400", "--arg", "u32:3", "--arg", "u32:90"];
    let with = |more: &[&str]| folder.scale(&[&arguments, more].concat());

    let said = with(&["--trace", "--trace-wave", "1", "--trace-lane", "2"]);
    assert_eq!((said.status, &*said.err), (Some(0), ""));
    assert!(said.out.contains("0,0,0 wave 1 0x1648 v_mul_lo_u32 v1, v1, s8  ; v1[2]=0x66\n"), "{}", said.out);
    assert!(!said.out.contains("wave 0"), "{}", said.out);

    let said = with(&["--break", "0x1650", "--trace-lane", "1", "--json"]);
    assert_eq!((said.status, &*said.err), (Some(1), ""));
    assert!(said.out.contains("\"event\":\"break\"") && said.out.contains("\"v1\":{\"1\":3}"), "{}", said.out);
    let said = with(&["--break", "nowhere"]);
    assert!(said.err.contains("`nowhere` is neither an address nor a symbol"), "{}", said.err);

    let said = with(&["--stats"]);
    assert_eq!((said.status, &*said.err), (Some(0), ""));
    assert!(said.out.contains("             3             90  global_store_b32\n"), "{}", said.out);
    assert!(said.out.contains("2 work-groups; 87.5 % of lanes active"), "{}", said.out);

    let said = with(&["--max-instructions", "20"]);
    assert_eq!(said.status, Some(1));
    assert!(said.err.contains("the limit of 20 instructions is reached"), "{}", said.err);
}

#[test]
fn kernels_are_listed_and_looked_for() {
    let folder = Folder::new("run-list", SCALE);
    let file = folder.path("k.co");
    let said = run(&["run", &file], b"");
    assert_eq!(said.status, Some(0), "{}", said.err);
    assert_eq!(said.out.lines().next(), Some("scale (wave32)"));
    assert!(said.out.contains("  0  in  buf:\n") && said.out.contains("  2  factor  u32: i32: f32:\n"), "{}", said.out);
    let said = run(&["run", &file, "--kernel", "scal", "--global", "1", "--local", "1"], b"");
    assert_eq!(said.status, Some(1));
    assert!(said.err.contains("no kernel is named `scal`; help: the kernels are scale"), "{}", said.err);
    assert_eq!(run(&["run", &file, "--kernel", "scale"], b"").status, Some(2));
    assert_eq!(run(&["run"], b"").status, Some(2));
}

#[test]
fn undefined_symbols_are_named() {
    let folder = Folder::new("run-undefined", SCALE);
    let source =
        SCALE.replace("  s_endpgm", "  s_getpc_b64 s[4:5]\n  s_add_u32 s4, s4, far_away@rel32@lo+4\n  s_endpgm");
    std::fs::write(folder.path("u.s"), source).expect("a file");
    let object = folder.path("u.o");
    let said = run(&["asm", "--arch", "gfx1100", &folder.path("u.s"), "-o", &object], b"");
    assert_eq!(said.status, Some(0), "{}", said.err);
    let said = run(&["run", &object, "--kernel", "scale", "--global", "1", "--local", "1"], b"");
    assert_eq!(said.status, Some(1));
    assert!(said.err.contains("the symbol `far_away` is undefined"), "{}", said.err);
}

/// A file of `examples`.
fn example(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples").join(name).to_string_lossy().into_owned()
}

#[test]
fn the_example_of_a_histogram_counts_bytes() {
    let folder = Folder::new("run-histogram", SCALE);
    let text: Vec<u8> = (0..3000_u32).map(|n| (n * n % 251) as u8).collect();
    std::fs::write(folder.path("text"), &text).expect("a file");
    let (input, dump) = (format!("buf:{}", folder.path("text")), format!("2={}", folder.path("counts")));
    let file = example("histogram.gfx1100.co");
    let common = ["run", &file, "--kernel", "histogram", "--global", "3072", "--local", "256", "--arg", &input];
    let said = run(&[&common[..], &["--arg", "u32:3000", "--arg", "buf:zero:1024", "--dump", &dump]].concat(), b"");
    assert_eq!((said.status, &*said.err), (Some(0), ""));
    let counts = std::fs::read(folder.path("counts")).expect("the dump");
    for (byte, count) in (0..=255_u8).zip(counts.chunks(4)) {
        let expected = text.iter().filter(|other| **other == byte).count() as u32;
        assert_eq!(count, expected.to_le_bytes(), "{byte}");
    }
}

#[test]
fn the_example_of_a_matrix_product_multiplies() {
    const N: usize = 32;
    let folder = Folder::new("run-matmul", SCALE);
    let number = |at: usize, by: usize| (at * by % 17) as f32 - 8.0;
    let matrix = |by| (0..N * N).map(|at| number(at, by)).collect::<Vec<f32>>();
    let (a, b) = (matrix(5), matrix(7));
    for (name, matrix) in [("a", &a), ("b", &b)] {
        let bytes: Vec<u8> = matrix.iter().flat_map(|number| number.to_le_bytes()).collect();
        std::fs::write(folder.path(name), bytes).expect("a file");
    }
    let specs = [format!("buf:{}", folder.path("a")), format!("buf:{}", folder.path("b"))];
    let dump = format!("2={}", folder.path("c"));
    let file = example("matmul.gfx1100.co");
    let common = ["run", &file, "--kernel", "matmul", "--global", "32,32", "--local", "16,16"];
    let arguments =
        ["--arg", &specs[0], "--arg", &specs[1], "--arg", "buf:zero:4096", "--arg", "u32:32", "--dump", &dump];
    let said = run(&[&common[..], &arguments].concat(), b"");
    assert_eq!((said.status, &*said.err), (Some(0), ""));
    let product = std::fs::read(folder.path("c")).expect("the dump");
    for (at, bytes) in product.chunks(4).enumerate() {
        // Small integers: no order of additions rounds.
        let expected: f32 = (0..N).map(|k| a[at / N * N + k] * b[k * N + at % N]).sum();
        assert_eq!(bytes, expected.to_le_bytes(), "{at}");
    }
    // The kernel is compiled for this size of work-groups alone.
    let wrong = ["run", &file, "--kernel", "matmul", "--global", "32,32", "--local", "8,8"];
    let said = run(&[&wrong[..], &arguments].concat(), b"");
    assert_eq!(said.status, Some(1));
    assert!(said.err.contains("the work-groups are 8,8,1, and the kernel needs 16,16,1"), "{}", said.err);
}

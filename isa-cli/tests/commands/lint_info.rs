//! `isa lint` and `isa info`: what they say, and with which exit status.

use crate::bundles::bundle;
use crate::common::*;
use isa_tests::elf::*;

/// `s_load_b32 s4, s[0:1], null`, in memory order.
const LOAD: [u8; 8] = [0x00, 0x01, 0x00, 0xf4, 0x00, 0x00, 0x00, 0xf8];
/// `s_mov_b32 s5, s4`.
const MOVE: [u8; 4] = [0x04, 0x00, 0x85, 0xbe];
/// `s_waitcnt lgkmcnt(0)`.
const WAIT: [u8; 4] = [0x07, 0xfc, 0x89, 0xbf];

fn kernel(code: &[&[u8]]) -> Vec<u8> {
    Elf::new(DYN)
        .code(".text", 0x1000, code.concat())
        .data(".rodata", 0x600, descriptor(true, 0xa00).to_vec())
        .symbol("early", FUNC, 1, 0x1000, 12)
        .symbol("early.kd", OBJECT, 2, 0x600, 64)
        .bytes()
}

#[test]
fn a_missing_wait_has_its_place_and_help() {
    let said = run(&["lint", "-"], &kernel(&[&LOAD, &MOVE, &ENDPGM]));
    assert_eq!(said.status, Some(1), "{said:?}");
    let expected = "0x1008 <early+0x8>: a register is read before its pending result arrives (s4) [guide §5.6]\n    \
                    here:    s_mov_b32 s5, s4\n    \
                    earlier: 0x1000 <early+0x0>: s_load_b32 s4, s[0:1], null\n    \
                    help:    s_waitcnt lgkmcnt(0)\n\
                    1 finding\n";
    assert_eq!(said.out, expected);
}

#[test]
fn sound_code_draws_nothing() {
    let said = run(&["lint", "-"], &kernel(&[&LOAD, &WAIT, &MOVE, &ENDPGM]));
    assert_eq!((said.status, said.out.as_str()), (Some(0), "0 findings\n"), "{said:?}");
    let said = run(&["lint", "--padding", "-"], &kernel(&[&ENDPGM]));
    assert!(said.status == Some(1) && said.out.contains("64 times"), "{said:?}");
}

#[test]
fn other_files_are_refused() {
    let said = run(&["lint", "-"], b"\x00\x01\x02");
    assert!(said.status == Some(1) && said.err.contains("not an ELF file"), "{said:?}");
    let said = run(&["lint", "--raw", "-"], &LOAD);
    assert!(said.status == Some(2) && said.err.contains("--arch"), "{said:?}");
    let said = run(&["lint", "--raw", "--arch", "gfx900", "-"], &LOAD);
    assert!(said.status == Some(1) && said.err.contains("gcn1.4 has no rules to lint by yet"), "{said:?}");
}

#[test]
fn the_generation_of_the_processor_is_linted() {
    let source = b"s_load_b32 s4, s[0:1], null\ns_add_f32 s4, s4, s5\ns_endpgm\n";
    let said = run(&["lint", "--arch", "gfx1150", "-"], source);
    assert!(said.status == Some(1) && said.out.contains("s_add_f32 s4, s4, s5"), "{said:?}");
    let said = run(&["lint", "--arch", "gfx1100", "-"], source);
    assert!(said.status == Some(1) && said.err.contains("unknown mnemonic"), "{said:?}");
}

#[test]
fn instructions_are_told_of_in_every_set() {
    let said = run(&["info", "--arch", "rdna3.5", "s_add_f32"], b"");
    for part in ["format: SOP2", "pipeline: Salu", "delay class: Scalar", "role d, type f32"] {
        assert!(said.out.contains(part), "no {part:?} in\n{}", said.out);
    }
    let said = run(&["info", "s_add_f32"], b"");
    assert!(said.status == Some(1) && said.err.contains("nothing in rdna3 is called `s_add_f32`"), "{said:?}");
    for (arch, name, format) in [
        ("gcn1.0", "buffer_load_dword", "format: MUBUF"),
        ("gfx700", "buffer_atomic_add", "format: MUBUF"),
        ("gcn1.2", "s_load_dwordx2", "format: SMEM"),
        ("gfx900", "s_atomic_add", "format: SMEM"),
    ] {
        let said = run(&["info", "--arch", arch, name], b"");
        assert!(said.status == Some(0) && said.out.contains(format), "{said:?}");
    }
    // Registers and messages are those of RDNA3's guide.
    assert_eq!(run(&["info", "--arch", "gcn1.2", "hw_reg_mode"], b"").status, Some(1));
    assert_eq!(run(&["info", "--arch", "gfx1151", "hw_reg_mode"], b"").status, Some(0));
}

#[test]
fn instructions_are_told_of() {
    let said = run(&["info", "S_LOAD_B64"], b"");
    assert_eq!(said.status, Some(0), "{said:?}");
    for part in ["format: SMEM", "opcode: 1\n", "role d, type b64", "counter lgkmcnt, by 2", "sections: 15.2.1, 16.6"] {
        assert!(said.out.contains(part), "no {part:?} in\n{}", said.out);
    }
    // A suffix and an older name lead to the same.
    assert_eq!(run(&["info", "s_load_dwordx2"], b"").out, said.out);
    let both = run(&["info", "v_add_f32_e64"], b"").out;
    assert!(both.contains("format: VOP3\n    opcode: 259") && both.contains("format: VOP2\n    opcode: 3"), "{both}");
}

#[test]
fn the_modifier_that_lets_an_atomic_return_a_value_is_named() {
    for (arch, name, modifier) in [
        ("rdna3", "global_atomic_add_u32", "glc"),
        ("rdna4", "global_atomic_add_u32", "th:TH_ATOMIC_RETURN"),
        ("gcn1.2", "buffer_atomic_add", "glc"),
    ] {
        let said = run(&["info", "--arch", arch, name], b"").out;
        let expected = format!("    with {modifier}: operands as with {modifier} set; without it nothing is written\n");
        assert!(said.contains(&expected), "{arch}: {said}");
    }
}

#[test]
fn json_is_for_programs() {
    for name in ["v_add_f32", "hw_reg_status", "MSG_INTERRUPT", "mrt0", "exec"] {
        let said = run(&["info", "--json", name], b"");
        assert_eq!(said.status, Some(0), "{said:?}");
        let read: serde_json::Value = serde_json::from_str(&said.out).expect("it is JSON");
        assert!(read[0]["name"].is_string() && read[0]["is"].is_string(), "{}", said.out);
    }
}

#[test]
fn every_opcode_is_told_of() {
    // A process for each opcode would take long, so this takes a sample.
    for opcode in rdna3::Opcode::ALL.iter().step_by(97) {
        let said = run(&["info", opcode.name()], b"");
        assert_eq!(said.status, Some(0), "{said:?}");
    }
}

#[test]
fn the_nearest_name_is_offered() {
    let said = run(&["info", "hw_reg_mod"], b"");
    assert!(said.status == Some(1) && said.err.contains("did you mean `HW_REG_MODE`?"), "{said:?}");
    assert!(!run(&["info", "nothing_like_it"], b"").err.contains("did you mean"));
}

#[test]
fn descriptors_have_their_fields() {
    let said = run(&["info", "v#"], b"");
    assert_eq!(said.status, Some(0), "{said:?}");
    for line in ["name: BufferResource", "  - name stride, bits 61:48", "  - name kind, bits 127:126"] {
        assert!(said.out.lines().any(|l| l == line), "{line}: {}", said.out);
    }
    let halves = run(&["info", "--json", "T#"], b"");
    assert_eq!(halves.out.matches("\"descriptor\"").count(), 2, "{halves:?}");
    assert!(run(&["info", "samplr"], b"").err.contains("`Sampler`"));
}

/// A code object of gfx1100 with a kernel that loads, computes, waits and stores.
fn object_with_metadata() -> Vec<u8> {
    use amdgpu_object::{Argument, Assembler, CodeObjectVersion, KernelMetadata, KernelSettings, Processor};
    let mut code = Assembler::new(Processor::Gfx1100, CodeObjectVersion::V6);
    code.begin_kernel("_Z5scalePff");
    let lines = [
        "s_load_b64 s[0:1], s[0:1], null",
        "s_waitcnt lgkmcnt(0)",
        "v_mov_b32_e32 v1, 1.0",
        "v_exp_f32_e32 v1, v1",
        "s_delay_alu instid0(VALU_DEP_1)",
        "s_nop 0",
        "ds_store_b32 v0, v1",
        "global_store_b32 v0, v1, s[0:1]",
        "s_endpgm",
    ];
    let mut push = |line: &str| code.push(&line.parse::<rdna3::Instr>().unwrap().encode());
    lines.iter().for_each(|line| push(line));
    // Padding before the next function: LLVM writes both.
    (0..6).for_each(|_| push("s_nop 0"));
    code.push(&[0]);
    let settings = KernelSettings {
        next_free_vgpr: 100,
        next_free_sgpr: 2,
        kernarg_size: 16,
        group_segment_fixed_size: 20000,
        user_sgpr_kernarg_segment_ptr: true,
        ..KernelSettings::wave32()
    };
    let mut metadata = KernelMetadata::new("_Z5scalePff", &settings);
    metadata.max_flat_workgroup_size = 64;
    metadata.vgpr_spill_count = Some(3);
    // Only compilers for MI processors write it.
    metadata.agpr_count = Some(5);
    metadata.args.push(Argument::global_buffer(0));
    code.end_kernel(&settings, metadata);
    amdgpu_object::write_code_object(&code.finish().unwrap()).unwrap()
}

#[test]
fn a_file_is_described() {
    let said = run(&["info", "-"], &object_with_metadata());
    assert_eq!((said.status, said.err.as_str()), (Some(0), ""));
    let expected = "
gfx1100, 1 kernel, 9 instructions
  delay 2, LDS 1, SMEM 1, VALU 1, VMEM store 1, control 1, transcendental 1, wait 1

  wave  VGPRs  SGPRs  spills    LDS  scratch  waves/SIMD  arguments  instructions  kernel
    32    100      4       3  20000        0           3          1             9  scale(float*, float)
";
    let (heading, rest) = said.out.split_once('\n').unwrap();
    assert!(heading.starts_with("standard input: a code object, "), "{heading}");
    assert_eq!(rest, expected);
    let said = run(&["info", "-", "--kernel", "scale"], &object_with_metadata());
    for line in [
        "  VGPRs         100 used, 104 allocated, 3 spilled\n",
        "  AGPRs         5 used\n",
        "  work-groups   64 work-items at most\n",
        "  occupancy     3 waves a SIMD, limited by LDS; 6 work-groups of 64 a WGP\n",
        "  instructions  9 in 48 bytes: delay 2, ",
        "  arguments     1 in 16 bytes\n",
        "  0       0      8  global_buffer\n",
    ] {
        assert!(said.out.contains(line), "{line:?}: {}", said.out);
    }
    let said = run(&["info", "-", "--kernel", "other"], &object_with_metadata());
    assert!(said.status == Some(1) && said.err.contains("no kernel is named `other`"), "{said:?}");
}

#[test]
fn the_images_of_a_container_are_listed() {
    let object = object_with_metadata();
    let ids = ["host-x86_64-unknown-linux-gnu-", "hip-amdgcn-amd-amdhsa--gfx1100", "hip-amdgcn-amd-amdhsa--gfx90a"];
    let bundle = bundle(&[(ids[0], b""), (ids[1], &object), (ids[2], b"BC\xc0\xde")], 256);
    let said = run(&["info", "-"], &bundle);
    assert_eq!((said.status, said.err.as_str()), (Some(0), ""));
    assert!(said.out.starts_with("standard input: an offload bundle, "), "{}", said.out);
    let rows: Vec<String> =
        said.out.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    let row = "gfx90a - 4 bundle 1, hip-amdgcn-amd-amdhsa--gfx90a (LLVM bitcode)";
    assert!(rows.iter().any(|known| known == row), "{}", said.out);
    assert!(!said.out.contains("scale"), "{}", said.out);
    let said = run(&["info", "--arch", "gfx1100", "--json", "-"], &bundle);
    let document: serde_json::Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!(document["images"].as_array().map(Vec::len), Some(2));
    let kernel = &document["images"][0]["kernels"][0];
    assert_eq!(
        (&kernel["vgprs"], &kernel["occupancy"]["waves_per_simd"], &kernel["mix"]["VMEM store"]),
        (&100.into(), &3.into(), &1.into())
    );
    assert_eq!(kernel["arguments"][0]["kind"], "global_buffer");
}

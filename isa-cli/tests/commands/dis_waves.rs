//! `isa dis` and the wave size of functions: from kernels, callers, their own code, metadata.

use crate::common::*;
use isa_tests::elf::*;

/// The bytes of assembly, a line each.
fn code(text: &str) -> Vec<u8> {
    let instrs = text.lines().map(|line| line.trim().parse::<rdna3::Instr>().unwrap_or_else(|e| panic!("{line}: {e}")));
    instrs.flat_map(|i| i.encode().iter().flat_map(|w| w.to_le_bytes()).collect::<Vec<_>>()).collect()
}

/// A call through the distance to a function, from the end of `s_getpc_b64`.
fn call(distance: i32) -> String {
    format!(
        "s_getpc_b64 s[0:1]\ns_add_u32 s0, s0, lit({distance})\ns_addc_u32 s1, s1, {}\ns_swappc_b64 s[30:31], s[0:1]\n",
        distance >> 31
    )
}

/// Returns each kernel and function of the listing with its remark.
fn remarks(file: &[u8]) -> Vec<(String, String)> {
    let said = run(&["dis", "-"], file);
    assert_eq!(said.status, Some(0), "{said:?}");
    let symbols =
        said.out.lines().filter(|l| l.contains(": function") || l.contains(": kernel") || l.contains(": shader"));
    let parts = symbols
        .filter_map(|l| Some((l.split_once(':')?.0.to_owned(), l.split_once("// ")?.1.split_once(": ")?.1.to_owned())));
    parts.collect()
}

fn pairs<const N: usize>(expected: [(&str, &str); N]) -> Vec<(String, String)> {
    expected.map(|(name, remark)| (name.to_owned(), remark.to_owned())).to_vec()
}

const TEXT: u64 = 0x1000;
const RODATA: u64 = 0x600;

/// A linked file of 32-byte functions, a row of `names` and code; those with a wave size are kernels.
fn linked(functions: &[(&'static str, Option<u8>, String)]) -> Elf {
    let mut text = Vec::new();
    let mut descriptors = Vec::new();
    let mut symbols = Vec::new();
    for (name, wave, body) in functions {
        let mut bytes = code(body);
        assert!(bytes.len() <= 32, "{body}");
        bytes.resize(32, 0);
        let at = TEXT + text.len() as u64;
        if let Some(wave) = wave {
            let descriptor_at = RODATA + descriptors.len() as u64;
            descriptors.extend(descriptor(*wave == 32, at as i64 - descriptor_at as i64));
            symbols.push((format!("{name}.kd").leak() as &'static str, OBJECT, 2, descriptor_at, 64));
        }
        symbols.push((*name, FUNC, 1, at, 32));
        text.extend(bytes);
    }
    let elf = Elf::new(DYN).code(".text", TEXT, text).data(".rodata", RODATA, descriptors);
    symbols
        .into_iter()
        .fold(elf, |elf, (name, kind, section, value, size)| elf.symbol(name, kind, section, value, size))
}

#[test]
fn functions_are_as_all_kernels_are() {
    let elf = linked(&[("k", Some(64), "s_endpgm".into()), ("f", None, "v_cmp_gt_u32_e32 vcc_lo, s3, v1".into())]);
    assert_eq!(
        remarks(&elf.bytes()),
        pairs([("k", "kernel, wave64"), ("f", "function, wave64 (as all kernels of the file)")])
    );
    let rows = run(&["dis", "--format", "tsv", "-"], &elf.bytes()).out;
    assert!(rows.contains("\tv_cmp_gt_u32_e32 vcc, s3, v1\t.text\n"), "{rows}");
}

#[test]
fn functions_follow_the_kernels_that_call_them() {
    // Distances are from the end of s_getpc_b64, four bytes into its function.
    let elf = linked(&[
        ("narrow", Some(32), call(96 - 4)),
        ("wide", Some(64), call(96 - 4)),
        ("never", None, "s_endpgm".into()),
        ("first", None, "s_setpc_b64 s[30:31]".into()),
        ("second", None, "s_setpc_b64 s[30:31]".into()),
        ("third", None, "s_call_b64 s[4:5], 0xffef".into()),
    ]);
    // `narrow` calls `first`; `wide` calls `second`; `third` calls `first`, too, and nothing calls `third`.
    let expected = pairs([
        ("narrow", "kernel, wave32"),
        ("wide", "kernel, wave64"),
        ("never", "function, wave32 (assumed: no kernel calls it)"),
        ("first", "function, wave32 (called from kernel narrow)"),
        ("second", "function, wave64 (called from kernel wide)"),
        ("third", "function, wave32 (calls first)"),
    ]);
    assert_eq!(remarks(&elf.bytes()), expected);
}

#[test]
fn callers_of_both_sizes_leave_the_function_to_its_code() {
    let masks = |text: &str| {
        let elf =
            linked(&[("narrow", Some(32), call(64 - 4)), ("wide", Some(64), call(32 - 4)), ("f", None, text.into())]);
        remarks(&elf.bytes()).pop().map(|(_, remark)| remark).unwrap_or_default()
    };
    assert_eq!(masks("s_nop 0"), "function, wave32 (assumed: called from kernels of both, narrow and wide)");
    assert_eq!(masks("s_and_saveexec_b64 s[4:5], s[6:7]"), "function, wave64 (from its own code)");
    assert_eq!(masks("s_and_saveexec_b32 s4, s6"), "function, wave32 (from its own code)");
    assert_eq!(masks("s_mov_b32 exec_hi, 0"), "function, wave64 (from its own code)");
    // EXEC is read, and an instruction exists in wave32 only, regardless of masks.
    assert_eq!(masks("s_and_b64 s[4:5], s[6:7], exec"), "function, wave64 (from its own code)");
    assert_eq!(masks("s_bcnt1_i32_b32 s4, exec_lo"), "function, wave32 (from its own code)");
    let dual = "s_and_saveexec_b64 s[4:5], s[6:7]\nv_dual_mov_b32 v13, 0 :: v_dual_mov_b32 v12, 0";
    assert_eq!(masks(dual), "function, wave32 (from its own code)");
}

/// LLVM states wave32 of shaders, and no wave size of kernels, whose stage is that of compute shaders: the number of VGPRs and the code tell.
#[test]
fn kernels_of_pal_pipelines_have_the_wave_size_of_their_code() {
    let remark = |body: &str, registers: &str| {
        let source = format!(
            "\t.amdgcn_target \"amdgcn-unknown-amdpal--gfx1100\"\n\t.text\n\t.globl k\n\t.type k,@function\nk:\n{body}\n\ts_endpgm\n\
             \t.amdgpu_pal_metadata\n---\namdpal.pipelines:\n  - .hardware_stages:\n      .cs:\n        .entry_point_symbol: k\n\
             \x20       .vgpr_count: 5\n    .registers:\n      {registers}\n...\n\t.end_amdgpu_pal_metadata\n"
        );
        let (said, object) = output(&source, &["--emit", "obj"]);
        assert_eq!(said.status, Some(0), "{said:?}");
        remarks(&object).into_iter().next().map(|(_, remark)| remark).unwrap_or_default()
    };
    let dual = "v_dual_mov_b32 v1, 15 :: v_dual_and_b32 v0, 0x3ff, v0";
    assert_eq!(remark(dual, "0x2e12: 0"), "shader, wave32 (from the code)");
    assert_eq!(remark("s_and_saveexec_b64 s[0:1], vcc", "0x2e12: 0"), "shader, wave64 (from the code)");
    // The code of a function, which is more certain than two blocks of VGPRs for five.
    let function = format!("s_endpgm\n\t.globl f\n\t.type f,@function\nf:\n{dual}");
    assert_eq!(remark("s_nop 0", "0x2e12: 1"), "shader, wave64 (from its number of VGPRs)");
    assert_eq!(remark(&function, "0x2e12: 1"), "shader, wave32 (from the code)");
    assert_eq!(remark("s_nop 0", "0x2e12: 7"), "shader, wave64 (assumed: the metadata do not state it)");
    assert_eq!(remark("s_nop 0", "0x2e00: 0x8000"), "shader, wave32 (metadata)");
}

#[test]
fn tables_of_addresses_are_followed() {
    // The slot at 0x800 holds the address of `f`, as the linker's table of relocations says.
    let slot = 0x800 - (TEXT as i32 + 32 + 4);
    let elf = linked(&[
        ("narrow", Some(32), "s_endpgm".into()),
        ("wide", Some(64), call(slot)),
        ("f", None, "s_nop 0".into()),
    ])
    .data(".got", 0x800, vec![0; 8]);
    assert_eq!(remarks(&elf.bytes())[2].1, "function, wave32 (assumed: no kernel calls it)");
    // R_AMDGPU_RELATIVE64 has the address as its addend.
    let elf = elf.relocation(3, 0x800, 13, 0, TEXT as i64 + 64);
    assert_eq!(remarks(&elf.bytes())[2].1, "function, wave64 (called from kernel wide)");
}

/// An object with a section for each function, as `-ffunction-sections` makes it.
fn separate_sections() -> Elf {
    Elf::new(REL)
        .code(".text", 0, Vec::new())
        .code(".text.wide", 0, code(&call(0)))
        .code(".text.narrow", 0, code("s_endpgm"))
        .code(".text.f", 0, code("v_cmp_gt_u32_e32 vcc_lo, s3, v1"))
        .data(".rodata", 0, [descriptor(false, 0), descriptor(true, 0)].concat())
        .symbol("wide", FUNC, 2, 0, 0)
        .symbol("narrow", FUNC, 3, 0, 0)
        .symbol("f", FUNC, 4, 0, 4)
        .symbol("wide.kd", OBJECT, 5, 0, 64)
        .symbol("narrow.kd", OBJECT, 5, 64, 64)
        .relocation(2, 8, 10, 3, 4)
        .relocation(2, 16, 11, 3, 12)
}

#[test]
fn relocations_of_objects_are_followed_and_listed() {
    let file = separate_sections().bytes();
    let expected = pairs([
        ("wide", "kernel, wave64"),
        ("narrow", "kernel, wave32"),
        ("f", "function, wave64 (called from kernel wide)"),
    ]);
    assert_eq!(remarks(&file), expected);
    let listing = run(&["dis", "-"], &file).out;
    for part in ["// R_AMDGPU_REL32_LO f+0x4\n", "// R_AMDGPU_REL32_HI f+0xc\n", ".section .text.f,"] {
        assert!(listing.contains(part), "no {part:?} in\n{listing}");
    }
    let rows = run(&["dis", "--format", "tsv", "-"], &file).out;
    assert!(rows.contains("\tv_cmp_gt_u32_e32 vcc, s3, v1\t.text.f\n"), "{rows}");
}

#[test]
fn wave_overrides_every_rule() {
    let file = separate_sections().bytes();
    let said = run(&["dis", "--wave", "32", "-"], &file);
    assert!(said.out.contains(": function, wave32 (--wave)\n"), "{}", said.out);
    assert!(said.out.contains("v_cmp_gt_u32_e32 vcc_lo, s3, v1"), "{}", said.out);
}

#[test]
fn objects_without_code_say_so() {
    for command in ["dis", "lint"] {
        let empty = Elf::new(REL).code(".text", 0, Vec::new()).data(".rodata", 0, vec![1; 8]);
        let said = run(&[command, "-"], &empty.bytes());
        let out = if command == "lint" { "0 findings\n" } else { "" };
        assert_eq!((said.status, said.out.as_str()), (Some(0), out), "{said:?}");
        assert!(
            said.err
                .contains("note: standard input: the file holds no code: its executable sections (.text) are empty"),
            "{said:?}"
        );
        let said = run(&[command, "-"], &Elf::new(REL).data(".rodata", 0, vec![1; 8]).bytes());
        assert!(said.status == Some(0) && said.err.contains("no executable sections"), "{said:?}");
        let said = run(&[command, "--json", "-"], &empty.bytes());
        let document: serde_json::Value = serde_json::from_str(&said.out).unwrap();
        let rows = document.get(if command == "lint" { "findings" } else { "sections" });
        assert_eq!((said.status, rows), (Some(0), Some(&serde_json::json!([]))), "{said:?}");
    }
}

//! Metadata against llvm-mc: what YAML becomes which note, and what is refused.

use amdgpu_object::{
    Access, AddressSpace, Argument, KernelMetadata, KernelSettings, Language, Metadata, Note, PalMetadata, Value,
    ValueKind,
};
use object::{Object as _, ObjectSection as _};

use crate::llvm;

const HSA: &str = "amdgcn-amd-amdhsa";
const PAL: &str = "amdgcn-amd-amdpal";

/// The notes that llvm-mc writes for a program; its message if it refuses it.
fn notes(name: &str, program: &str, triple: &str) -> Option<Result<Vec<Note>, String>> {
    Some(llvm::assemble(name, program, triple, &["-mcpu=gfx1100"])?.map(|file| {
        let file = object::File::parse(&*file).unwrap();
        let section = file.section_by_name(".note");
        Note::parse_all(section.map_or(&[], |section| section.data().unwrap())).unwrap()
    }))
}

fn hsa(text: &str) -> Result<Vec<Note>, String> {
    let mut value = Value::from_yaml(text).map_err(|error| error.to_string())?;
    value.verify_hsa().map_err(|error| error.to_string())?;
    Ok(vec![Note::metadata(&value)])
}

fn root(entries: &str) -> String {
    format!("---\namdhsa.version:\n  - 1\n  - 2\namdhsa.kernels: []\n{entries}\n...\n")
}

/// Holds texts against LLVM in two runs: the first says which of them it refuses, the second makes the notes of the others.
fn compare(name: &str, texts: &[String]) {
    let block = |text: &String| format!(".amdgpu_metadata\n{text}\n.end_amdgpu_metadata\n");
    let blocks: Vec<String> = texts.iter().map(block).collect();
    let Some(refused) = llvm::refused_lines(name, &blocks.concat(), HSA, &["-mcpu=gfx1100"]) else { return };
    let mut line = 0;
    let mut accepted = Vec::new();
    for (text, block) in texts.iter().zip(&blocks) {
        let lines = line + 1..=line + block.lines().count();
        line = *lines.end();
        match (hsa(text), refused.iter().any(|refused| lines.contains(refused))) {
            (Ok(notes), false) => accepted.push((text, block, notes)),
            (Ok(_), true) => panic!("LLVM refuses it:\n{text}"),
            (Err(message), false) => panic!("{message}\n{text}"),
            (Err(_), true) => {}
        }
    }
    let program: String = accepted.iter().map(|(_, block, _)| block.as_str()).collect();
    let theirs = notes(name, &program, HSA).unwrap().unwrap();
    assert_eq!(theirs.len(), accepted.len());
    for ((text, _, ours), theirs) in accepted.iter().zip(theirs) {
        assert_eq!(ours, &[theirs], "{text}");
    }
}

#[test]
fn scalars_and_collections() {
    let entries = [
        "x: 1",
        "x: \"5\"",
        "x: !str 5",
        "x: ''",
        "x: 1.5",
        "x: nan",
        "x:",
        "x: ~",
        "x: null",
        "x: !nil 4",
        "x: !bool yes",
        "x: !bool NO",
        "x: !bool oN",
        "x: !bool 5",
        "x: !int foo",
        "x: !int 0x1f",
        "x: !foo 5",
        "x: !!int 5",
        "x: !!str 5",
        "x: ! 5",
        "x: !<tag:yaml.org,2002:str> 5",
        "x: 0x10",
        "x: 010",
        "x: 0b11",
        "x: 0o7",
        "x: 0X1F",
        "x: -5",
        "x: -0x5",
        "x: -0",
        "x: 127",
        "x: 128",
        "x: 255",
        "x: 256",
        "x: 65535",
        "x: 65536",
        "x: 4294967295",
        "x: 4294967296",
        "x: -32",
        "x: -33",
        "x: -128",
        "x: -129",
        "x: -32769",
        "x: -2147483649",
        "x: 18446744073709551615",
        "x: 18446744073709551616",
        "x: -9223372036854775808",
        "x: -9223372036854775809",
        "x: +5",
        "x: true",
        "x: True",
        "x: yes",
        "x: |\n  a\n  b",
        "x: >-\n  a\n  b",
        "x: &a 5\ny: *a",
        "x: {a: 1, b: [1,2]}",
        "1: 5\n0x2: 6\nfoo: 7\ntrue: 8\n-1: 9",
        "x: 1\nx: 2",
        "? x\n: 1",
        "x: [a, ]",
        "x: \"a\\x41\\u00e9\\0b\"",
        "x: 'it''s'",
        "x: a # c",
        "x: a#b",
        "x: a: b",
        "x: @a",
        "x: %a",
        "x: `a",
        "x: [a",
        "x:\n- 1\n- 2",
        "x: a\n  b",
        "x: \"a\n  b\"",
        "- a",
        "x: \tq",
        "x: é",
        "x: \"\\q\"",
        "amdhsa.printf: [1]",
        "amdhsa.printf: [a]",
        "amdhsa.printf: ['1:0:%d\\n']",
        "amdhsa.target: 5",
        "x: 1e5",
        "x: inf",
        "x: -infinity",
        "x: .inf",
        "x: 1e-300",
        "x: 1e300",
        "x: 0.1",
        "x: 0x",
        "x: 08",
        "x: 1_000",
        "x: \" 5\"",
        "x: \"5 \"",
        "<<: {a: 1}",
        "x: &a",
        "x: !str",
        "x: !str \"\"",
        "x: !float 1",
        "x: !float a",
        "x: !map {}",
        "x: [!str 1]",
        "\"x\": 1",
        "x : 1",
        "x: {a}",
        "x: {a: }",
        "x: [a: 1]",
        "x: [? a : b]",
        "[a]: 1",
        "{a: b}: c",
        "x: *u",
        "x: !e!y 5",
        "x: a\tb",
        "\u{a0}x: 1",
        "x: {}",
        "x: []",
        "x:\n  y:\n    z: 1",
        "x: abcdefghijklmnopqrstuvwxyz0123456789",
    ];
    compare("metadata_scalars", &entries.map(root));
}

#[test]
fn documents() {
    let texts = [
        "",
        "a",
        "[1]",
        "---\n",
        "{amdhsa.version: [1,2], amdhsa.kernels: []}",
        "--- {amdhsa.version: [1,2], amdhsa.kernels: []}\n--- {x: [",
        "amdhsa.version: [1,2]",
        "amdhsa.version: [1,a]\namdhsa.kernels: []",
        "amdhsa.version: [1,2,3]\namdhsa.kernels: []",
        "amdhsa.version: [!str 1,!str -2]\namdhsa.kernels: []",
        "amdhsa.version: [1,2]\namdhsa.kernels: [a]",
        "%YAML 1.2\n---\namdhsa.version: [1,2]\namdhsa.kernels: []",
        "amdhsa.version: [1,2]\namdhsa.kernels:",
        "%TAG !e! tag:e,\n---\namdhsa.version: [1,2]\namdhsa.kernels: []\nx: !e!q 5",
        "\u{feff}---\n- amdhsa.version: [1,2]",
        "# c\n{\n\t\"amdhsa.version\": [\n\t\t1,\n\t\t2\n\t],\n\t\"amdhsa.kernels\": []\n}# d",
        "\t{\"amdhsa.version\":[1,2],\"amdhsa.kernels\":[],\n\t\"x\":\t\"a\tb\n\tc\"}",
        "%YAML 1.1\n# c\n--- {\"amdhsa.version\": [1,2], # c\n\"amdhsa.kernels\":\n[\n]\n,}\n...",
        "amdhsa.version: [\n1,\n2\n]\namdhsa.kernels:\t[]\nx: |\n  [\n\n  {\ty\nz: [\ta,\n\tb]",
        "amdhsa.version: [1,2]\namdhsa.kernels: []\nx: [1",
    ];
    compare("metadata_documents", &texts.map(String::from));
}

/// A kernel with all entries that LLVM verifies.
const KERNEL: &str = "  - .name: k
    .symbol: k.kd
    .language: OpenCL C
    .language_version: [2, 0]
    .args:
      - .name: a
        .type_name: 'int*'
        .size: 8
        .offset: 0
        .value_kind: global_buffer
        .pointee_align: 4
        .address_space: global
        .access: read_only
        .actual_access: read_write
        .is_const: true
        .is_restrict: false
        .is_volatile: false
        .is_pipe: false
    .reqd_workgroup_size: [1, 2, 3]
    .workgroup_size_hint: [1, 2, 3]
    .vec_type_hint: int
    .device_enqueue_symbol: h
    .kernarg_segment_size: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .uses_dynamic_stack: false
    .workgroup_processor_mode: 1
    .kernarg_segment_align: 8
    .wavefront_size: 32
    .sgpr_count: 8
    .vgpr_count: 8
    .max_flat_workgroup_size: 1024
    .sgpr_spill_count: 0
    .vgpr_spill_count: 0
    .uniform_work_group_size: 1
    .kind: normal
    .agpr_count: 0
";

#[test]
fn each_entry_of_a_kernel() {
    let text = |kernel: &str| format!("amdhsa.version: [1, 2]\namdhsa.kernels:\n{kernel}");
    let mut texts = vec![text(KERNEL)];
    let lines: Vec<&str> = KERNEL.lines().collect();
    for (nth, line) in lines.iter().enumerate() {
        let Some((key, value)) = line.split_once(": ") else { continue };
        for value in ["", "foo", "7", "-7", "!str 7", "true", "!str true", "[1, 2, 3]", "{}", &format!("!str {value}")]
        {
            let mut changed = lines.clone();
            let line = format!("{key}: {value}");
            changed[nth] = &line;
            texts.push(text(&changed.join("\n")));
        }
        // Without the entry; the first of a map begins the element.
        if !line.contains("- ") {
            let mut changed = lines.clone();
            changed.remove(nth);
            texts.push(text(&changed.join("\n")));
        }
    }
    for kind in ValueKind::ALL {
        texts.push(text(&KERNEL.replace("global_buffer", kind.name())));
    }
    for language in Language::ALL {
        texts.push(text(&KERNEL.replace("OpenCL C", language.name())));
    }
    for access in Access::ALL {
        texts.push(text(&KERNEL.replace("read_only", access.name())));
    }
    for space in AddressSpace::ALL {
        texts.push(text(&KERNEL.replace("space: global", &format!("space: {}", space.name()))));
    }
    assert!(texts.len() > 250);
    compare("metadata_kernel", &texts);
}

#[test]
fn typed_metadata_is_what_clang_writes() {
    const SOURCE: &str = "__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void saxpy(__global const float *x, \
        __global float *restrict y, float a, __local int *l) { size_t i = get_global_id(0); y[i] = a * x[i] + l[get_local_size(2)]; }";
    let Some(mut clang) = llvm::tool("clang") else { return };
    let (source, output) = (llvm::path("typed.cl"), llvm::path("typed.o"));
    std::fs::write(&source, SOURCE).unwrap();
    let arguments = [
        "-x",
        "cl",
        "-cl-std=CL2.0",
        "-target",
        HSA,
        "-mcpu=gfx1100",
        "-O3",
        "-nogpulib",
        "-Xclang",
        "-finclude-default-header",
    ];
    let status = clang.args(arguments).arg("-w").arg("-c").arg(&source).arg("-o").arg(&output).status().unwrap();
    assert!(status.success());
    let file = std::fs::read(&output).unwrap();
    let file = object::File::parse(&*file).unwrap();
    let notes = Note::parse_all(file.section_by_name(".note").unwrap().data().unwrap()).unwrap();
    let [note] = &notes[..] else { panic!("{notes:?}") };
    let metadata = Metadata::from_message_pack(&note.desc).unwrap();
    assert_eq!(metadata.to_note(), *note);
    let read = &metadata.kernels[0];

    let settings = KernelSettings {
        next_free_vgpr: read.vgpr_count,
        next_free_sgpr: read.sgpr_count - 2,
        group_segment_fixed_size: read.group_segment_fixed_size,
        ..KernelSettings::wave32()
    };
    let mut ours = KernelMetadata::new("saxpy", &settings);
    let named = |type_name: &str, argument: Argument| Argument { type_name: Some(type_name.into()), ..argument };
    ours.args = vec![
        named(
            "float*",
            Argument { is_const: Some(true), actual_access: Some(Access::ReadOnly), ..Argument::global_buffer(0) },
        ),
        named("float*", Argument { is_restrict: Some(true), ..Argument::global_buffer(8) }),
        named("float", Argument::by_value(16, 4)),
        named(
            "int*",
            Argument {
                address_space: Some(AddressSpace::Local),
                pointee_align: Some(4),
                ..Argument::new(ValueKind::DynamicSharedPointer, 20, 4)
            },
        ),
    ];
    let hidden: Vec<ValueKind> = read.args[4..].iter().map(|argument| argument.value_kind).collect();
    assert!(hidden.len() > 9, "{hidden:?}");
    assert_eq!(ours.add_hidden_arguments(&hidden), 24);
    ours.language = Some(Language::OpenClC);
    ours.language_version = Some([2, 0]);
    ours.reqd_workgroup_size = Some([64, 1, 1]);
    ours.max_flat_workgroup_size = 64;
    ours.sgpr_spill_count = Some(0);
    ours.vgpr_spill_count = Some(0);
    // Functions that are not in the program may use any stack.
    ours.uses_dynamic_stack = Some(true);
    ours.uniform_work_group_size = read.uniform_work_group_size;
    for (ours, theirs) in ours.args.iter_mut().zip(&read.args) {
        // The optimizer derives these properties of pointers; the source does not have them.
        ours.actual_access = theirs.actual_access;
        ours.is_const = theirs.is_const;
    }
    assert_eq!(ours, *read);
}

#[test]
fn pal_metadata() {
    for text in [
        "amdpal.pipelines:\n  - .registers:\n      0x2e12 (COMPUTE_PGM_RSRC1): 0x42\n      '0x2e13 (COMPUTE_PGM_RSRC2)': 7\n      \
         11274: 3\n      .hardware_stages:\n      .cs:\n        .entry_point: _amdgpu_cs_main\namdpal.version:\n  - 2\n  - 1\n",
        "amdpal.pipelines:\n  - .registers:\n      foo: 4\n",
        "amdpal.pipelines:\n  - .registers:\n      0x12345678901234567890 (A): 4\n",
        "amdpal.pipelines:\n  - .registers:\n      12 monkeys: !str 4\n      -5: 1\n      true: 2\n",
        "amdpal.pipelines: []\n",
        "amdpal.pipelines:\n",
        "amdpal.pipelines: 5\n",
        "x: 1\n",
        "foo\n",
        "[a]\n",
        "{}\n",
        "\n",
        "[a\n",
        "amdpal.pipelines: [{.registers: 5, .api: Vulkan}, {.registers: {0x1 (X): 2}}]\n",
    ] {
        // Duplicate registers are decided by the order of LLVM's hash table, so that they are not compared.
        let program = format!(".amdgpu_pal_metadata\n{text}.end_amdgpu_pal_metadata\n");
        let Some(theirs) = notes("metadata_pal", &program, PAL) else { return };
        let mut metadata = PalMetadata::default();
        let ours = metadata.set_yaml(text).map(|()| Vec::from_iter(metadata.to_note()));
        match (ours, theirs) {
            (Ok(ours), Ok(theirs)) => assert_eq!(ours, theirs, "{text}"),
            (Err(_), Err(_)) => {}
            (ours, theirs) => panic!("{text}\n{ours:?}\n{theirs:?}"),
        }
    }
}

#[test]
fn registers_of_pal_and_the_name_of_the_isa() {
    let program = ".amd_amdgpu_pal_metadata 0x2c0a, 0x1, 11787, 0xff, 0x10000000, 5\n.amd_amdgpu_pal_metadata 0x2c0a, 0x2\n\
                   .amd_amdgpu_isa \"amdgcn-amd-amdpal--gfx1100\"\n";
    let Some(theirs) = notes("metadata_registers", program, PAL) else { return };
    let mut metadata = PalMetadata::default();
    for (register, value) in [(0x2c0a, 1), (11787, 0xff), (0x1000_0000, 5), (0x2c0a, 2)] {
        assert!(metadata.set_register(register, value));
    }
    assert_eq!(vec![Note::isa_name("amdgcn-amd-amdpal--gfx1100"), metadata.to_note().unwrap()], theirs.unwrap());
}

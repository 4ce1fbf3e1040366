//! Bundles, programs and archives: `dis`, `lint` and `run` take the code objects that `--arch` names.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::bundles::{ZLIB, ZSTD, archive, bundle, ccob, offload_binary};
use crate::common::*;
use isa_tests::elf::*;
use isa_tests::needs::llvm;

/// `s_load_b32 s4, s[0:1], null`, and `s_mov_b32 s5, s4` without a wait before it.
const EARLY: [u8; 12] = [0x00, 0x01, 0x00, 0xf4, 0x00, 0x00, 0x00, 0xf8, 0x04, 0x00, 0x85, 0xbe];

/// A code object of a processor.
fn object(mach: u32, code: &[u8]) -> Vec<u8> {
    let mut elf = Elf::new(DYN).code(".text", 0x1000, code.to_vec()).symbol("k", FUNC, 1, 0x1000, code.len() as u64);
    elf.flags = mach;
    elf.bytes()
}

const GFX1100: u32 = 0x41;
const GFX1150: u32 = 0x43;
const GFX11_GENERIC: u32 = 0x54;
const GFX90A: u32 = 0x3f;

/// The rows of a file of this name.
fn rows(file: &[u8], args: &[&str]) -> Said {
    run(&[&["dis", "--format", "tsv"], args, &["-"]].concat(), file)
}

/// A program for x86-64 with a section.
fn program(section: &'static str, content: Vec<u8>) -> Vec<u8> {
    let mut elf = Elf::new(DYN).code(".text", 0x1000, vec![0xc3]).data(section, 0x2000, content);
    elf.machine = 62;
    elf.bytes()
}

fn two() -> Vec<u8> {
    let (a, b) = (object(GFX1100, &ENDPGM), object(GFX1150, &[ENDPGM, ENDPGM].concat()));
    let ids = ["hipv4-amdgcn-amd-amdhsa--gfx1100", "hipv4-amdgcn-amd-amdhsa--gfx1150"];
    bundle(&[("host-x86_64-unknown-linux-gnu-", b""), (ids[0], &a), (ids[1], &b)], 4096)
}

#[test]
fn code_of_a_processor_is_listed_from_any_container() {
    let (one, other) = (rows(&object(GFX1100, &ENDPGM), &[]), rows(&object(GFX1150, &[ENDPGM, ENDPGM].concat()), &[]));
    assert_eq!((one.status, other.status), (Some(0), Some(0)));
    let plain = two();
    let images: [(&str, &[u8]); 2] =
        [("gfx1100", &object(GFX1100, &ENDPGM)), ("gfx1150", &object(GFX1150, &[ENDPGM, ENDPGM].concat()))];
    let files = [
        plain.clone(),
        ccob(1, ZLIB, &plain),
        ccob(2, ZSTD, &plain),
        ccob(3, ZSTD, &plain),
        offload_binary(1, None, &images[..1]).into_iter().chain(offload_binary(1, None, &images[1..])).collect(),
        offload_binary(2, None, &images),
        offload_binary(3, Some(ZSTD), &images),
        program(".hip_fatbin", ccob(3, ZSTD, &plain)),
        program(".llvm.offloading", offload_binary(2, None, &images)),
        archive(&[("host.o", &program(".hip_fatbin", plain))]),
        archive(&[("a.co", images[0].1), ("b.co", images[1].1)]),
    ];
    for (nth, file) in files.iter().enumerate() {
        for (arch, expected) in [("gfx1100", &one), ("rdna3", &one), ("gfx1150", &other), ("rdna3.5", &other)] {
            let said = rows(file, &["--arch", arch]);
            assert_eq!((said.status, &said.out, &*said.err), (Some(0), &expected.out, ""), "{nth} {arch}");
        }
        let said = rows(file, &[]);
        assert_eq!((said.status, &*said.out), (Some(1), ""), "{nth}");
        let list = "holds code for several processors: gfx1100 (1 code object), gfx1150 (1 code object); help: choose one, as with `--arch gfx1100`";
        assert!(said.err.contains(list), "{nth}: {}", said.err);
        let said = rows(file, &["--arch", "gfx1103"]);
        assert!(
            said.status == Some(1) && said.err.contains("no code for gfx1103 is in the file, which holds gfx1100"),
            "{said:?}"
        );
    }
}

#[test]
fn the_only_code_needs_no_choice() {
    let file = archive(&[("a.co", &object(GFX1100, &ENDPGM)), ("b.co", &object(GFX1100, &ENDPGM))]);
    let said = run(&["dis", "-"], &file);
    assert_eq!(said.status, Some(0), "{said:?}");
    let headings: Vec<&str> = said.out.lines().filter(|line| line.starts_with("//")).collect();
    assert_eq!(headings, ["// standard input: member a.co: gfx1100", "// standard input: member b.co: gfx1100"]);
}

#[test]
fn all_code_objects_of_a_processor_have_headings() {
    let file = program(".hip_fatbin", [two(), ccob(3, ZSTD, &two())].concat());
    let said = run(&["dis", "--arch", "gfx1150", "-"], &file);
    let headings: Vec<&str> = said.out.lines().filter(|line| line.starts_with("//")).collect();
    let heading =
        |bundle| format!("// standard input: section .hip_fatbin, {bundle}, hipv4-amdgcn-amd-amdhsa--gfx1150: gfx1150");
    assert_eq!(headings, [heading("bundle 1"), heading("compressed bundle 2")]);
    assert_eq!(said.out.matches("s_endpgm").count(), 4);
}

#[test]
fn generic_code_and_features_fit() {
    let generic = object(GFX11_GENERIC, &ENDPGM);
    let gcn = object(GFX90A, &ENDPGM);
    let ids = ["hip-amdgcn-amd-amdhsa--gfx11-generic", "hip-amdgcn-amd-amdhsa--gfx90a:xnack-"];
    let file = bundle(&[(ids[0], &generic), (ids[1], &gcn)], 8);
    for arch in ["gfx1100", "gfx1153", "gfx11-generic"] {
        let said = run(&["dis", "--arch", arch, "-"], &file);
        assert!(said.status == Some(0) && said.out.contains(ids[0]), "{arch}: {said:?}");
    }
    // Code for the processor itself is taken before generic code.
    let both = bundle(
        &[(ids[0], &generic), ("hip-amdgcn-amd-amdhsa--gfx1100", &object(GFX1100, &[ENDPGM, ENDPGM].concat()))],
        8,
    );
    let said = run(&["dis", "--arch", "gfx1100", "-"], &both);
    assert!(said.out.contains("gfx1100: gfx1100") && !said.out.contains("generic"), "{said:?}");
    let said = run(&["dis", "-"], &file);
    assert!(said.err.contains("gfx11-generic (1 code object), gfx90a (1 code object)"), "{said:?}");
    let said = run(&["dis", "--arch", "gfx1100:sram+", "-"], &file);
    assert!(said.status == Some(2) && said.err.contains("is not a feature of a target ID"), "{said:?}");
}

#[test]
fn findings_name_the_image() {
    let sound = object(GFX1100, &ENDPGM);
    let early = object(GFX1100, &[&EARLY[..], &ENDPGM].concat());
    let file = archive(&[("a.co", &sound), ("b.co", &early)]);
    let said = run(&["lint", "-"], &file);
    assert_eq!(said.status, Some(1), "{said:?}");
    assert!(said.out.starts_with("standard input: member b.co\n0x1008 <k+0x8>: a register is read"), "{}", said.out);
    assert!(said.out.ends_with("1 finding\n"), "{}", said.out);
    let said = run(&["lint", "--json", "-"], &file);
    assert!(said.out.contains("\"image\": \"member b.co\""), "{}", said.out);
    let said = run(&["lint", "--arch", "gfx1100", "-"], &two());
    assert_eq!((said.status, &*said.out), (Some(0), "0 findings\n"));
}

/// A code object of gfx1100 with a kernel of this name that only ends.
fn kernel(name: &str) -> Vec<u8> {
    use amdgpu_object::{Assembler, CodeObjectVersion, KernelMetadata, KernelSettings, Processor, write_code_object};
    let mut code = Assembler::new(Processor::Gfx1100, CodeObjectVersion::V6);
    code.begin_kernel(name);
    code.push(&[u32::from_le_bytes(ENDPGM)]);
    let settings = KernelSettings { next_free_vgpr: 1, ..KernelSettings::wave32() };
    let metadata = KernelMetadata::new(name, &settings);
    code.end_kernel(&settings, metadata);
    write_code_object(&code.finish().unwrap()).unwrap()
}

#[test]
fn kernels_are_run_from_the_image_that_has_them() {
    let file = archive(&[("a.co", &kernel("first")), ("b.co", &kernel("second"))]);
    let said = run(&["run", "-"], &file);
    assert_eq!((said.status, said.err.as_str()), (Some(0), ""));
    assert!(
        said.out.starts_with("member a.co:\nfirst (wave32") && said.out.contains("member b.co:\nsecond (wave32"),
        "{said:?}"
    );
    let named = |name| run(&["run", "-", "--kernel", name, "--global", "64", "--local", "32"], &file);
    assert_eq!(named("second").status, Some(0), "{:?}", named("second"));
    let said = named("third");
    assert!(
        said.status == Some(1) && said.err.contains("none of 2 code objects has one kernel that is named `third`"),
        "{said:?}"
    );
    let said = run(&["run", "--arch", "gfx1150", "-"], &file);
    assert!(said.status == Some(1) && said.err.contains("no code for gfx1150"), "{said:?}");
}

#[test]
fn files_without_code_say_so() {
    for command in ["dis", "lint", "run"] {
        for (file, expected) in [
            (
                program(".data", vec![1, 2, 3]),
                "an ELF file for x86-64, not for AMD GPUs, and no code for them is in it",
            ),
            (archive(&[("x.txt", b"text")]), "an archive without code for AMD GPUs"),
            (
                bundle(&[("hip-amdgcn-amd-amdhsa--gfx1100", b"BC\xc0\xde")], 1),
                "not machine code: gfx1100 (1 bitcode image)",
            ),
            (b"BC\xc0\xde".to_vec(), "LLVM bitcode"),
            (b"\x01\x02\x03\x04".to_vec(), "not an ELF file"),
        ] {
            let said = run(&[command, "-"], &file);
            assert!(said.status == Some(1) && said.err.contains(expected), "{command}: {said:?}, not {expected:?}");
            assert_eq!(said.err.lines().count(), 1, "{command}");
        }
    }
}

#[test]
fn damaged_parts_are_named_and_others_listed() {
    let mut broken = ccob(3, ZLIB, &two());
    let middle = broken.len() / 2;
    broken[middle] ^= 0xff;
    let file = program(".hip_fatbin", [broken.clone(), two()].concat());
    let said = run(&["dis", "--arch", "gfx1100", "-"], &file);
    assert!(said.status == Some(1) && said.out.contains("s_endpgm"), "{said:?}");
    assert!(
        said.err.contains("standard input: section .hip_fatbin, bundle 1 at byte 0: the compressed bytes are damaged"),
        "{said:?}"
    );
    let said = run(&["lint", "--arch", "gfx1100", "-"], &file);
    assert!(said.status == Some(1) && said.err.contains("are damaged"), "{said:?}");
    // Nothing else is in the file.
    let said = run(&["run", "-"], &program(".hip_fatbin", broken));
    assert!(
        said.status == Some(1) && said.err.contains("no code for them is in it; damaged: section .hip_fatbin"),
        "{said:?}"
    );
}

/// A tool of LLVM, or `None` if it is not installed.
fn tool(name: &str, package: &str) -> Option<Command> {
    llvm("containers as LLVM writes them", name, package).map(Command::new)
}

fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// What clang makes of a HIP program, each with the code objects of the processors alone.
#[test]
fn files_of_clang() {
    const SOURCE: &str = "struct dim3 { unsigned x, y, z; };
        extern \"C\" int hipLaunchKernel(const void *, dim3, dim3, void **, unsigned long, struct stream *);
        extern \"C\" int __hipPushCallConfiguration(dim3, dim3, unsigned long, void *);
        extern \"C\" int __hipPopCallConfiguration(dim3 *, dim3 *, unsigned long *, void *);
        extern \"C\" __attribute__((global)) void scale(float *x, float f) { x[__builtin_amdgcn_workitem_id_x()] *= f; }";
    let source = path("containers.hip");
    fs::write(&source, SOURCE).unwrap();
    let clang = |options: &[&str], output: &str| -> Option<PathBuf> {
        let mut command = tool("clang-22", "clang-22")?;
        let output = path(output);
        command.args(["-x", "hip", "-fPIC", "-nogpuinc", "-nogpulib", "-O2"]).args(options);
        let done = command.arg(&source).arg("-o").arg(&output).output().unwrap();
        assert!(done.status.success(), "{options:?}: {}", String::from_utf8_lossy(&done.stderr));
        Some(output)
    };
    let both = ["--offload-arch=gfx1100", "--offload-arch=gfx1150"];
    let bare = |arch: &str| {
        let options = [&format!("--offload-arch={arch}"), "--no-gpu-bundle-output", "--offload-device-only"];
        clang(&options, &format!("containers.{arch}.co"))
    };
    let (Some(one), Some(other)) = (bare("gfx1100"), bare("gfx1150")) else { return };
    let made = |options: &[&str], output: &str| clang(&[&both[..], options].concat(), output);
    let files = [
        made(&["--offload-device-only"], "containers.hipfb"),
        made(&["--offload-device-only", "--offload-compress"], "containers.ccob"),
        made(&["-c"], "containers.host.o"),
        made(&["-c", "--offload-compress"], "containers.compressed.o"),
        made(&["-c", "--offload-new-driver"], "containers.new.o"),
    ];
    let listed = |file: &PathBuf, args: &[&str]| rows(&fs::read(file).unwrap(), args);
    for file in files.iter().flatten() {
        for (arch, alone) in [("gfx1100", &one), ("gfx1150", &other)] {
            let said = listed(file, &["--arch", arch]);
            // The padding after the code depends on how it is linked.
            let code = |text: &str| {
                text.lines().filter(|row| !row.contains("s_code_end")).map(str::to_owned).collect::<Vec<_>>()
            };
            assert_eq!((said.status, code(&said.out)), (Some(0), code(&listed(alone, &[]).out)), "{}", file.display());
            assert!(said.out.contains("s_endpgm"), "{}", file.display());
        }
    }
    if let Some(mut packager) = tool("llvm-offload-binary-22", "llvm-22") {
        let image = |file: &PathBuf, arch| {
            format!("--image=file={},triple=amdgcn-amd-amdhsa,arch={arch},kind=hip", file.display())
        };
        let output = path("containers.offload");
        let done = packager.arg("-o").arg(&output).args([image(&one, "gfx1100"), image(&other, "gfx1150")]).status();
        assert!(done.unwrap().success());
        assert_eq!(listed(&output, &["--arch", "gfx1150"]).out, listed(&other, &[]).out);
    }
}

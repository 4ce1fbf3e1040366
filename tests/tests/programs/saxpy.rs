//! The example that builds a code object: it is what the readers of code objects expect.

#[path = "../../../examples/saxpy.rs"]
mod example;

use std::fs;
use std::path::Path;
use std::process::Command;

use amdgpu_object::{KernelDescriptor, Metadata, Note};
use isa_tests::needs::llvm;
use object::{Object as _, ObjectSection as _, ObjectSymbol as _};
use rdna3::{Decoder, Wave};

#[test]
fn it_is_a_kernel_with_its_descriptor_and_metadata() {
    let file = example::saxpy().unwrap();
    let object = object::File::parse(&*file).unwrap();
    assert_eq!(object.kind(), object::ObjectKind::Dynamic);
    let exported = |name: &str| object.dynamic_symbols().find(|symbol| symbol.name() == Ok(name)).unwrap();
    let (entry, descriptor) = (exported("saxpy"), exported("saxpy.kd"));

    let bytes = |symbol: &object::Symbol<'_, '_>| {
        let section = object.section_by_index(symbol.section_index().unwrap()).unwrap();
        section.data_range(symbol.address(), symbol.size()).unwrap().unwrap().to_vec()
    };
    let read = KernelDescriptor::from_bytes(bytes(&descriptor).as_slice().try_into().unwrap());
    assert_eq!(descriptor.address().wrapping_add_signed(read.entry_offset()), entry.address());
    assert_eq!(entry.address() % 256, 0);
    assert_eq!((read.vgpr_count(), read.user_sgpr_count(), read.kernarg_size()), (8, 2, 24));
    assert!(read.wavefront_size32() && read.user_sgpr_kernarg_segment_ptr() && read.system_sgpr_workgroup_id_x());

    let code = bytes(&entry);
    let lines: Vec<String> =
        Decoder::new(&code, Wave::W32).map(|decoded| decoded.result.unwrap().to_string()).collect();
    let expected = [
        "s_load_b128 s[4:7], s[0:1], null",
        "s_load_b64 s[8:9], s[0:1], 0x10",
        "v_lshl_add_u32 v0, s2, 8, v0",
        "s_waitcnt lgkmcnt(0)",
        "v_cmpx_gt_u32_e32 s9, v0",
        "s_cbranch_execz 9",
        "v_lshlrev_b32_e32 v1, 2, v0",
        "global_load_b32 v2, v1, s[4:5]",
        "global_load_b32 v3, v1, s[6:7]",
        "s_waitcnt vmcnt(0)",
        "v_fmac_f32_e32 v3, s8, v2",
        "global_store_b32 v1, v3, s[6:7]",
        "s_endpgm",
    ];
    assert_eq!(lines, expected);

    let notes = Note::parse_all(object.section_by_name(".note").unwrap().data().unwrap()).unwrap();
    let metadata = Metadata::from_message_pack(&notes[0].desc).unwrap();
    let kernel = &metadata.kernels[0];
    assert_eq!((kernel.symbol.as_str(), kernel.kernarg_segment_size, kernel.args.len()), ("saxpy.kd", 24, 4));
}

#[test]
fn it_is_at_most_120_lines_long() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/saxpy.rs");
    assert!(fs::read_to_string(path).unwrap().lines().count() <= 120);
}

#[test]
fn llvm_reads_it() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("saxpy.co");
    fs::write(&path, example::saxpy().unwrap()).unwrap();
    for (name, option) in [("llvm-readelf-22", "--all"), ("llvm-objdump-22", "-d")] {
        let Some(tool) = llvm("reading the code object of the saxpy example", name, "llvm-22") else { continue };
        let output = Command::new(tool).arg(option).arg(&path).output().unwrap();
        assert!(output.status.success() && output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
        assert!(String::from_utf8_lossy(&output.stdout).contains("saxpy"));
    }
}

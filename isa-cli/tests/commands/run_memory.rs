//! `isa run FILE.co`: where memory is, what lies beyond it, and how kernels are named.

use std::path::{Path, PathBuf};

use crate::common::{Said, assemble, kernel_program, run};

/// The kernel descriptor and the metadata of a kernel `k` whose arguments are `arguments`: `buf`, `lds` or a number of
/// bytes.
fn kernel(name: &str, body: &str, arguments: &[&str]) -> String {
    let mut offset = 0;
    let mut list = String::new();
    for argument in arguments {
        let (size, kind) = match *argument {
            "buf" => (8, "global_buffer, .address_space: global"),
            "lds" => (4, "dynamic_shared_pointer, .address_space: local, .pointee_align: 4"),
            size => (size.parse().expect("a number"), "by_value"),
        };
        offset = usize::next_multiple_of(offset, size);
        list.push_str(&format!("      - {{ .offset: {offset}, .size: {size}, .value_kind: {kind} }}\n"));
        offset += size;
    }
    kernel_program(name, body, offset, 0, &list)
}

/// A folder with the code object `k.hsaco` of a kernel.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str, body: &str, arguments: &[&str]) -> Self {
        Self::named(name, "k", body, arguments)
    }

    fn named(folder: &str, name: &str, body: &str, arguments: &[&str]) -> Self {
        let folder = Folder(Path::new(env!("CARGO_TARGET_TMPDIR")).join(folder));
        let _ = std::fs::remove_dir_all(&folder.0);
        std::fs::create_dir_all(&folder.0).expect("a folder");
        assemble(&kernel(name, body, arguments), &folder.0.join("k.hsaco"));
        folder
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_string_lossy().into_owned()
    }

    fn write(&self, name: &str, bytes: &[u8]) -> String {
        std::fs::write(self.path(name), bytes).expect("a file");
        self.path(name)
    }

    fn dwords(&self, name: &str) -> Vec<u32> {
        let bytes = std::fs::read(self.path(name)).expect("a dump");
        let (dwords, rest) = bytes.as_chunks::<4>();
        assert!(rest.is_empty());
        dwords.iter().map(|dword| u32::from_le_bytes(*dword)).collect()
    }

    /// Runs the kernel with one work-group of 32.
    fn run(&self, more: &[&str]) -> Said {
        let file = self.path("k.hsaco");
        run(&[&["run", &file, "--kernel", "k", "--global", "32", "--local", "32"], more].concat(), b"")
    }

    /// Runs the kernel to its end.
    fn end(&self, more: &[&str]) {
        let said = self.run(more);
        assert_eq!((said.status, &*said.err), (Some(0), ""), "{more:?}");
    }

    /// Runs the kernel to an error that has each of these parts.
    fn fail(&self, more: &[&str], parts: &[&str]) {
        let said = self.run(more);
        assert_eq!(said.status, Some(1), "{more:?}: {}", said.err);
        for part in parts {
            assert!(said.err.contains(part), "{more:?}: no {part:?} in {}", said.err);
        }
    }
}

fn bytes(dwords: impl IntoIterator<Item = u32>) -> Vec<u8> {
    dwords.into_iter().flat_map(u32::to_le_bytes).collect()
}

/// A loop that counts an offset from -128 up to 0, as IREE's do: each lane adds 32 dwords of its row.
#[test]
fn offsets_of_buffers_wrap() {
    let body = "
  s_load_b128 s[4:7], s[0:1], 0x0
  s_mov_b32 s10, 4096
  s_mov_b32 s11, 0x31027000
  s_mov_b32 s14, 128
  s_mov_b32 s15, 0x31027000
  v_lshlrev_b32 v1, 7, v0
  v_mov_b32 v2, 0
  s_movk_i32 s3, 0xff80
  s_waitcnt lgkmcnt(0)
  s_mov_b64 s[8:9], s[4:5]
  s_mov_b64 s[12:13], s[6:7]
.Lloop:
  v_add_nc_u32 v3, s3, v1
  buffer_load_b32 v4, v3, s[8:11], 0 offen offset:128
  s_add_i32 s3, s3, 4
  s_cmp_lg_u32 s3, 0
  s_waitcnt vmcnt(0)
  v_add_nc_u32 v2, v2, v4
  s_cbranch_scc1 .Lloop
  v_lshl_add_u32 v5, v0, 2, 0xfffff000
  s_movk_i32 s3, 4
  ; -4096 + 4 * lane + 4095 + 1 in the immediate and the scalar offset, which is outside of the sum: out of range.
  buffer_store_b32 v2, v5, s[12:15], s3 offen offset:4092
  v_add_nc_u32 v5, 4, v5
  buffer_store_b32 v2, v5, s[12:15], 0 offen offset:4092";
    let folder = Folder::new("memory-wrap", body, &["buf", "buf"]);
    let input = folder.write("in", &bytes((0..1024).map(|n: u32| n * n)));
    let dump = format!("1={}", folder.path("out"));
    folder.end(&["--arg", &format!("buf:{input}"), "--arg", "buf:zero:128", "--dump", &dump]);
    let sums = (0..32_u32).map(|lane| (32 * lane..32 * lane + 32).map(|n| n * n).fold(0, u32::wrapping_add));
    assert_eq!(folder.dwords("out"), sums.collect::<Vec<_>>());
}

#[test]
fn scalar_loads_see_zeros_after_a_buffer() {
    let body = |line: &str| {
        format!(
            "
  s_load_b128 s[4:7], s[0:1], 0x0
  s_waitcnt lgkmcnt(0)
  s_mov_b32 s8, -1
  s_mov_b32 s9, -1
  s_mov_b32 s10, -1
  s_mov_b32 s11, -1
  {line}
  s_waitcnt lgkmcnt(0)
  v_mov_b32 v0, s8
  v_mov_b32 v1, s9
  v_mov_b32 v2, s10
  v_mov_b32 v3, s11
  v_mov_b32 v4, 0
  global_store_b128 v4, v[0:3], s[6:7]"
        )
    };
    let case = |line: &str, size: u32| {
        let folder = Folder::new("memory-line", &body(line), &["buf", "buf"]);
        let input = folder.write("in", &vec![0x11; size as usize]);
        let dump = format!("1={}", folder.path("out"));
        let said = folder.run(&["--arg", &format!("buf:{input}"), "--arg", "buf:zero:16", "--dump", &dump]);
        if said.status == Some(0) { Ok(folder.dwords("out")) } else { Err(said.err) }
    };
    const ONES: u32 = 0x1111_1111;
    assert_eq!(case("s_load_b128 s[8:11], s[4:5], 0x0", 12), Ok(vec![ONES, ONES, ONES, 0]));
    assert_eq!(case("s_load_b256 s[8:15], s[4:5], 0x0", 28), Ok(vec![ONES; 4]));
    assert_eq!(case("s_load_b128 s[8:11], s[4:5], 0x4", 10), Ok(vec![ONES, 0x1111, 0, 0]));
    assert_eq!(case("s_load_b128 s[8:11], s[4:5], 0x40", 70), Ok(vec![ONES, 0x1111, 0, 0]));
    assert_eq!(case("s_load_b64 s[8:9], s[4:5], 0x38", 4), Ok(vec![0, 0, u32::MAX, u32::MAX]));
    let past = |line: &str, size: u32, part: &str| {
        let error = case(line, size).expect_err(line);
        assert!(error.contains(part), "{line}: {error}");
    };
    past("s_load_b128 s[8:11], s[4:5], 0x38", 12, "52 bytes past the end of argument 0, which has 12 bytes");
    past("s_load_b32 s8, s[4:5], 0x40", 64, "0 bytes past the end of argument 0, which has 64 bytes");
    past("s_load_b32 s8, s[4:5], -0x4", 64, "4 bytes before the start of argument 0, which has 64 bytes");
    // Vector accesses stay exact.
    past("v_mov_b32 v4, 8\n  global_load_b64 v[0:1], v4, s[4:5]", 12, "reads 0x20000000000c");
    past(
        "v_mov_b32 v4, 9\n  global_store_b8 v4, v4, s[4:5]",
        9,
        "0 bytes past the end of argument 0, which has 9 bytes",
    );
}

/// Each lane stores its number, and loads that of lane 31 minus its own, at a negative address plus an offset.
const REVERSE: &str = "
  s_load_b64 s[4:5], s[0:1], 0x0
  v_lshlrev_b32 v1, 2, v0
  v_subrev_nc_u32 v2, 64, v1
  ds_store_b32 v2, v0 offset:64
  v_sub_nc_u32 v2, 60, v1
  s_waitcnt lgkmcnt(0)
  ds_load_b32 v3, v2 offset:64
  s_waitcnt lgkmcnt(0)
  global_store_b32 v1, v3, s[4:5]";

#[test]
fn dynamic_lds_is_asked_for_and_taken_from_triton() {
    let folder = Folder::new("memory-lds", REVERSE, &["buf"]);
    let dump = format!("0={}", folder.path("out"));
    let arguments = ["--arg", "buf:zero:128", "--dump", &dump];
    let with = |more: &[&'static str]| [&arguments, more].concat();
    let parts = [
        "error: k: work-group 0,0,0 (+0x",
        "`ds_store_b32 v2, v0 offset:64` at 0x",
        "lane 0: accesses 4 bytes at 0x0 of LDS, of which the work-group has 0 bytes",
        "; help: `--lds BYTES` gives it dynamic LDS, at least 4 bytes for this access",
    ];
    folder.fail(&arguments, &parts);
    folder.fail(
        &with(&["--lds", "124"]),
        &["lane 31: accesses 4 bytes at 0x7c of LDS", "124 bytes", "at least 128 bytes"],
    );
    let reversed: Vec<u32> = (0..32).rev().collect();
    folder.end(&with(&["--lds", "128"]));
    assert_eq!(folder.dwords("out"), reversed);
    // Triton's metadata beside the code object, if they are about this kernel.
    folder.write("k.json", br#"{"hash": "ab", "num_warps": 1, "shared": 128, "name": "other"}"#);
    folder.fail(&arguments, &parts);
    let json = folder.write("k.json", br#"{"hash": "ab", "num_warps": 1, "shared": 128, "name": "k"}"#);
    std::fs::remove_file(folder.path("out")).expect("the dump");
    let said = folder.run(&arguments);
    let note = format!("note: 128 bytes of dynamic LDS, as {json} states; `--lds` overrides\n");
    assert_eq!((said.status, &*said.err), (Some(0), &*note));
    assert_eq!(folder.dwords("out"), reversed);
    folder.fail(&with(&["--lds", "64"]), &["64 bytes"]);
}

#[test]
fn every_access_outside_of_lds_is_a_fault() {
    for line in [
        "ds_load_u8 v1, v0 offset:256",
        "ds_load_2addr_stride64_b32 v[2:3], v0 offset1:1",
        "ds_store_b128 v0, v[4:7] offset:256",
        "ds_add_u32 v0, v1 offset:256",
        "ds_append v1 offset:256",
        "flat_load_b32 v1, v[8:9] offset:256",
        "flat_atomic_or_b32 v[8:9], v1 offset:256",
    ] {
        let body = format!(
            "
  s_mov_b32 m0, 0
  v_mov_b32 v0, 0
  s_mov_b64 s[4:5], src_shared_base
  v_mov_b32 v8, 0
  v_mov_b32 v9, s5
  {line}
  s_waitcnt vmcnt(0) lgkmcnt(0)"
        );
        let folder = Folder::new("memory-lds-forms", &body, &[]);
        folder.fail(&["--lds", "256"], &[line, "at 0x100 of LDS, of which the work-group has 256 bytes"]);
        folder.end(&["--lds", "1024"]);
    }
    let far = "  v_mov_b32 v2, 0x12345678\n  v_mov_b32 v3, 0x7f7f\n  flat_load_b32 v1, v[2:3]";
    let folder = Folder::new("memory-far", far, &[]);
    folder.fail(
        &[],
        &["reads 0x7f7f12345678, which is not mapped; help: `--map ADDRESS=FILE` puts memory at an address"],
    );
    let argument =
        "  s_load_b32 s4, s[0:1], 0x0\n  s_waitcnt lgkmcnt(0)\n  v_mov_b32 v0, s4\n  ds_load_b64 v[0:1], v0 offset:8";
    let folder = Folder::new("memory-lds-argument", argument, &["lds"]);
    let help = "help: `--arg lds:BYTES` of argument 0 or `--lds BYTES` gives it more, 16 bytes in all for this access";
    folder.fail(&["--arg", "lds:12"], &["8 bytes at 0x8 of LDS, of which the work-group has 12 bytes", help]);
    folder.end(&["--arg", "lds:16"]);
    let wild = "v_mov_b32 v0, 0x12345678\n  ds_load_b32 v1, v0";
    let folder = Folder::new("memory-lds-wild", wild, &[]);
    folder.fail(&["--lds", "64"], &["at 0x12345678 of LDS", "but a work-group has at most 65536 bytes"]);
}

/// `out[i] = in[i] + 1` for 32 dwords.
const INCREMENT: &str = "
  s_load_b128 s[4:7], s[0:1], 0x0
  v_lshlrev_b32 v1, 2, v0
  s_waitcnt lgkmcnt(0)
  global_load_b32 v2, v1, s[4:5]
  s_waitcnt vmcnt(0)
  v_add_nc_u32 v2, 1, v2
  global_store_b32 v1, v2, s[6:7]";

#[test]
fn arguments_share_a_buffer() {
    let folder = Folder::new("memory-share", INCREMENT, &["buf", "buf"]);
    let input = format!("buf:{}", folder.write("in", &bytes(0..40)));
    let dumps = [format!("0={}", folder.path("whole")), format!("1={}", folder.path("part"))];
    let dumps = ["--dump", &dumps[0], "--dump", &dumps[1]];
    // In place.
    folder.end(&[&["--arg", &input, "--arg", "buf:@0"], &dumps[..]].concat());
    assert_eq!(folder.dwords("whole")[..33], (1..=32).chain([32]).collect::<Vec<_>>());
    assert_eq!(folder.dwords("part"), folder.dwords("whole"));
    // The first argument is a part of the second, whose dump begins at its own start.
    folder.end(&[&["--arg", "buf:@1+0x20", "--arg", &input], &dumps[..]].concat());
    assert_eq!(folder.dwords("part"), (9..=40).chain(32..40).collect::<Vec<_>>());
    assert_eq!(folder.dwords("whole"), folder.dwords("part")[8..]);
    folder.fail(&["--arg", &input, "--arg", "buf:@0+64"], &["0 bytes past the end of argument 0, which has 160 bytes"]);
    let refused = |first: &str, second: &str, part: &str| folder.fail(&["--arg", first, "--arg", second], &[part]);
    refused(&input, "buf:@0+161", "argument 1: offset 161 is outside of the buffer of argument 0, which has 160 bytes");
    refused(&input, "buf:@2", "argument 1: there is no argument 2; 2 are given");
    refused("u64:0", "buf:@0", "argument 1: argument 0 is not a buffer");
    refused("buf:@1", "buf:@0", "argument 0: its buffer is a part of itself");
    refused("buf:@0", &input, "argument 0: its buffer is a part of itself");
}

#[test]
fn parts_of_parts_are_parts() {
    let body = INCREMENT.replace("0x0", "0x8");
    let folder = Folder::new("memory-chain", &body, &["buf", "buf", "buf"]);
    let dump = format!("0={}", folder.path("out"));
    folder.end(&["--arg", "buf:zero:256", "--arg", "buf:@2+64", "--arg", "buf:@0+64", "--dump", &dump]);
    let out = folder.dwords("out");
    assert_eq!((&out[..16], &out[16..48], &out[48..]), (&[0; 16][..], &[1; 32][..], &[0; 16][..]));
}

/// As RADV's shaders: a table of descriptors at a 32-bit address whose high half is 0xffff8000.
#[test]
fn memory_is_mapped_at_addresses() {
    let body = "
  s_load_b32 s4, s[0:1], 0x0
  s_movk_i32 s5, 0x8000
  v_lshlrev_b32 v1, 2, v0
  s_waitcnt lgkmcnt(0)
  s_load_b256 s[8:15], s[4:5], 0x0
  s_waitcnt lgkmcnt(0)
  buffer_load_b32 v2, v1, s[8:11], 0 offen
  s_waitcnt vmcnt(0)
  v_add_nc_u32 v2, v2, v2
  s_load_b64 s[16:17], s[12:13], 0x8
  buffer_store_b32 v2, v1, s[8:11], 0 offen offset:128
  s_waitcnt lgkmcnt(0)
  global_store_b32 v1, v2, s[16:17]";
    let folder = Folder::new("memory-map", body, &["4"]);
    // s5 is 0xffff8000: s_movk_i32 extends the sign.
    let table = 0xFFFF_8000_0000_1000_u64;
    let data = table + 0x1000;
    let plain = 0x5000_u64;
    // A resource of 256 bytes, whose base has 48 bits; then a pointer to a structure with a pointer.
    let resource = [data as u32, (data >> 32) as u32 & 0xFFFF, 256, 0x3102_7000];
    let pointers = [plain as u32, 0, 0, 0];
    let table_file = folder.write("table", &bytes(resource.into_iter().chain(pointers)));
    let data_file = folder.write("data", &bytes(0..32));
    let structure = folder.write("structure", &bytes([0, 0, 0x6000, 0]));
    let maps = [
        format!("{table:#x}={table_file}"),
        format!("0xffff8000_00002000={data_file}"),
        // It continues the one before.
        "0xffff800000002080=zero:128".into(),
        format!("0x5000={structure}"),
        "0x6000=zero:0x80".into(),
    ];
    let dumps = [
        format!("0x6000={}", folder.path("plain")),
        format!("0xffff8000_00002080={}", folder.path("doubled")),
        format!("0xffff800000002004+8={}", folder.path("two")),
    ];
    let mut arguments = vec!["--arg", "u32:0x1000"];
    maps.iter().for_each(|map| arguments.extend(["--map", map]));
    dumps.iter().for_each(|dump| arguments.extend(["--dump", dump]));
    folder.end(&arguments);
    let doubled: Vec<u32> = (0..32).map(|n| 2 * n).collect();
    assert_eq!((folder.dwords("plain"), folder.dwords("doubled")), (doubled.clone(), doubled));
    assert_eq!(folder.dwords("two"), [1, 2]);

    let refused = |more: &[&str], part: &str| folder.fail(&[&["--arg", "u32:0x1000"], more].concat(), &[part]);
    refused(
        &["--map", &maps[0]],
        "reads 0xffff800000002000, which is not mapped: 4064 bytes past the end of the memory at",
    );
    refused(
        &["--map", "0x5000=zero:17", "--map", "0x5010=zero:1"],
        "--map 0x5010: memory at 0x5010 overlaps other memory; help:",
    );
    refused(&["--map", "0x100000000000=zero:1048576"], "overlaps other memory");
    refused(&["--map", "0x800000000000=zero:4"], "no memory can be at 0x800000000000; help: bits 63 to 47");
    refused(&["--map", "0x7ffffffffffc=zero:8"], "no memory can be at 0x800000000003");
    refused(&["--map", "0x5000=nowhere"], "nowhere: cannot be read");
    refused(
        &["--map", "0x5000=zero:8", "--dump", "0x5004+5=out"],
        "--dump 0x5004: the memory of --map ends after 4 bytes",
    );
    refused(&["--map", "0x5000=zero:8", "--dump", "0x6000=out"], "--dump 0x6000: no --map holds this address");
    assert_eq!(folder.run(&["--map", "0x5000"]).status, Some(2));
}

/// Buffers of arguments avoid memory that is mapped where they would be.
#[test]
fn buffers_are_beside_mapped_memory() {
    let folder = Folder::new("memory-beside", INCREMENT, &["buf", "buf"]);
    let input = format!("buf:{}", folder.write("in", &bytes(0..32)));
    let dump = format!("1={}", folder.path("out"));
    let maps = ["--map", "0x200000000000=zero:4", "--map", "0x200000030000=zero:0x30000"];
    folder.end(&[&["--arg", &input, "--arg", "buf:zero:128", "--dump", &dump], &maps[..]].concat());
    assert_eq!(folder.dwords("out"), (1..=32).collect::<Vec<_>>());
}

#[test]
fn kernels_are_found_by_name_and_symbol() {
    let folder = Folder::named("memory-name", "my kernel(int)", "  s_nop 0", &[]);
    let file = folder.path("k.hsaco");
    for name in ["k", "k.kd", "my kernel(int)", "my kernel", "my  kernel( int )"] {
        let said = run(&["run", &file, "--kernel", name, "--global", "1", "--local", "1"], b"");
        assert_eq!((said.status, &*said.err), (Some(0), ""), "{name}");
    }
    assert_eq!(run(&["run", &file], b"").out, "my kernel(int) (wave32)\n");
    folder.fail(&["--arg", "u32:1"], &["error: my kernel(int): the kernel has 0 arguments"]);
}

/// Three kernels of C++ in one object: two overloads in a namespace and one of templates.
#[test]
fn kernels_are_found_and_shown_demangled() {
    let names = ["_Z4fillPf", "_ZN2ns4fillEPii", "_ZN2ns5scaleIfLi4EEEvPT_"];
    let store = "  v_mov_b32 v0, 0\n  global_store_b32 v0, v0, s[0:1] offset:4000\n";
    let one = |name: &str| {
        let code = kernel("k", store, &[]);
        let start = code.find(".text").expect("the code");
        let end = code.find(".amdgpu_metadata").expect("metadata");
        let code = code[start..end].replace("k.kd", "").replace(".Lfunc_end", &format!(".Lend{name}"));
        code.replace(".globl k", &format!(".globl {name}"))
            .replace(".type k,", &format!(".type {name},"))
            .replace("\nk:", &format!("\n{name}:"))
            .replace(".size k,", &format!(".size {name},"))
            .replace(&format!(".Lend{name}-k"), &format!(".Lend{name}-{name}"))
            .replace(".amdhsa_kernel k", &format!(".amdhsa_kernel {name}"))
    };
    let folder = Folder::new("memory-mangled", "", &[]);
    let source: String = names.iter().map(|name| one(name)).collect();
    let (source, file) = (folder.write("m.s", source.as_bytes()), folder.path("m.co"));
    let said = run(&["asm", "--arch", "gfx1100", &source, "-o", &file], b"");
    assert_eq!(said.status, Some(0), "{}", said.err);
    let fault = |name: &str| run(&["run", &file, "--kernel", name, "--global", "1", "--local", "1"], b"").err;
    for (names, shown) in [
        (&["_Z4fillPf", "_Z4fillPf.kd", "fill(float*)", "fill"][..], "fill(float*)"),
        (&["_ZN2ns4fillEPii", "ns::fill(int*,int)", "ns::fill"], "ns::fill(int*, int)"),
        (&["ns::scale<float, 4>", "ns::scale<float,4>", "ns::scale", "scale"], "void ns::scale<float, 4>(float*)"),
    ] {
        for name in names {
            let error = fault(name);
            assert!(
                error.starts_with(&format!("error: {shown}: work-group 0,0,0 (+0x4): `global_store_b32")),
                "{error}"
            );
            assert_eq!(error.matches(shown).count(), 1, "{error}");
        }
    }
    let error = fault("fil");
    let list = "help: the kernels are fill(float*); ns::fill(int*, int); void ns::scale<float, 4>(float*)";
    assert!(error.contains("no kernel is named `fil`") && error.contains(list), "{error}");
    let listed = run(&["run", &file], b"").out;
    assert!(listed.starts_with("fill(float*) (wave32") && !listed.contains("_Z"), "{listed}");
    let said =
        run(&["run", &file, "--kernel", "scale", "--global", "1", "--local", "1", "--break", "fill(float*)"], b"");
    assert_eq!(said.status, Some(1));
    assert!(!said.err.contains("neither an address nor a symbol"), "{}", said.err);
}

#[test]
fn large_files_are_read_and_written_whole() {
    let folder = Folder::new("large_files", "  s_endpgm\n", &["buf", "buf"]);
    // More than the parts that files are copied in, and no multiple of them.
    let contents: Vec<u8> = (0..700_001_u32).map(|byte| (byte.wrapping_mul(0x9E37_79B9) >> 24) as u8).collect();
    let file = folder.write("in", &contents);
    let (first, second) = (format!("0={}", folder.path("first")), format!("1={}", folder.path("second")));
    let buffer = format!("buf:{file}");
    folder.end(&["--arg", &buffer, "--arg", "buf:zero:300000", "--dump", &first, "--dump", &second, "--threads", "2"]);
    assert!(std::fs::read(folder.path("first")).expect("a dump") == contents);
    assert!(std::fs::read(folder.path("second")).expect("a dump") == vec![0; 300_000]);
}

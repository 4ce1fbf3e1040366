//! `isa dis` of several files, of functions and ranges of addresses, and with demangled names.

use std::path::PathBuf;

use crate::common::*;
use isa_tests::elf::*;

/// A kernel with a label, a function that it calls, and a kernel of the other wave size.
const PROGRAM: &str = r#"
.amdgcn_target "amdgcn-amd-amdhsa--gfx1100"
.text
.globl _Z5scalePfi
.p2align 8
.type _Z5scalePfi,@function
_Z5scalePfi:
  s_getpc_b64 s[4:5]
  s_add_u32 s4, s4, _ZN2ns5twiceIfEEvPT_@rel32@lo+4
  s_addc_u32 s5, s5, _ZN2ns5twiceIfEEvPT_@rel32@hi+12
  s_swappc_b64 s[30:31], s[4:5]
inner:
  s_cbranch_scc0 inner
  s_endpgm
  s_nop 7
.type _ZN2ns5twiceIfEEvPT_,@function
_ZN2ns5twiceIfEEvPT_:
  v_add_f32 v0, v0, v0
  s_setpc_b64 s[30:31]
.globl _Z4widev
.p2align 8
.type _Z4widev,@function
_Z4widev:
  s_endpgm
.rodata
.p2align 6
.amdhsa_kernel _Z4widev
  .amdhsa_next_free_vgpr 32
  .amdhsa_next_free_sgpr 40
  .amdhsa_wavefront_size32 0
.end_amdhsa_kernel
.amdhsa_kernel _Z5scalePfi
  .amdhsa_next_free_vgpr 32
  .amdhsa_next_free_sgpr 40
.end_amdhsa_kernel
"#;

const MATMUL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/matmul.gfx1100.co");

/// A code object of [`PROGRAM`] for a test, removed afterwards.
struct Object(PathBuf);

impl Object {
    fn new(test: &str) -> Self {
        let path = std::env::temp_dir().join(format!("isa-selection-{test}-{}.co", std::process::id()));
        assemble(PROGRAM, &path);
        Self(path)
    }

    fn path(&self) -> &str {
        self.0.to_str().expect("UTF-8")
    }
}

impl Drop for Object {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
        let _ = std::fs::remove_file(self.0.with_extension("s"));
    }
}

/// The output of a run without errors.
fn listed(args: &[&str]) -> String {
    let said = run(&[&["dis"], args].concat(), b"");
    assert_eq!((said.status, &*said.err), (Some(0), ""), "{args:?}");
    said.out
}

/// The instructions of a listing.
fn instructions(listing: &str) -> Vec<&str> {
    let rows = listing.lines().filter(|line| line.starts_with('\t') && line.contains("//"));
    rows.map(|line| line.split("//").next().unwrap_or_default().trim()).collect()
}

#[test]
fn several_files_are_listed_one_after_the_other() {
    let object = Object::new("files");
    let (one, other) = (listed(&[MATMUL]), listed(&[object.path()]));
    assert_eq!(listed(&[MATMUL, object.path()]), format!("{one}\n{other}"));
    let tsv = listed(&["--format", "tsv", MATMUL]);
    assert_eq!(listed(&["--format", "tsv", MATMUL, MATMUL]), tsv.repeat(2));
    // Those that cannot be read do not keep the others from being listed.
    let said = run(&["dis", "/missing/file", object.path()], b"");
    assert_eq!((said.status, said.out), (Some(1), other));
    assert!(said.err.contains("/missing/file: cannot be read"), "{}", said.err);
    let said = run(&["dis", "--arch", "rdna3", "--hex", "-", "/missing/file"], b"0000b0bf");
    assert_eq!((said.status, &*said.out), (Some(1), "s_endpgm\n"));
}

#[test]
fn a_symbol_selects_its_code() {
    let object = Object::new("symbol");
    let function = ["v_add_f32_e32 v0, v0, v0", "s_setpc_b64 s[30:31]"];
    for name in ["_ZN2ns5twiceIfEEvPT_", "ns::twice", "ns::twice<float>", "void ns::twice<float>(float*)"] {
        let listing = listed(&["--symbol", name, object.path()]);
        assert_eq!(instructions(&listing)[..2], function, "{name}");
        assert!(listing.contains("_ZN2ns5twiceIfEEvPT_:") && !listing.contains("_Z5scalePfi:"), "{listing}");
    }
    // Labels do not end a kernel.
    let kernel = listed(&["--symbol", "scale", object.path()]);
    assert_eq!(instructions(&kernel).len(), 7, "{kernel}");
    assert!(kernel.contains("inner:"), "{kernel}");
    let label = listed(&["--symbol", "inner", object.path()]);
    assert_eq!(instructions(&label), ["s_cbranch_scc0 65535", "s_endpgm", "s_nop 7"]);
    // Code that two names select is listed once, in the order of the file.
    let both =
        listed(&["--symbol", "ns::twice", "--symbol", "inner", "--symbol", "scale", "--symbol", "wide", object.path()]);
    assert_eq!(both, listed(&[object.path()]));
    assert_eq!(instructions(&listed(&["--symbol", "matmul", "--symbol", "reduce_sum", MATMUL])).len(), {
        instructions(&listed(&[MATMUL])).len()
    });

    let said = run(&["dis", "--symbol", "scale", "--symbol", "iner", object.path()], b"");
    assert_eq!((said.status, said.out), (Some(1), kernel));
    assert!(said.err.contains("no code has the symbol `iner`; did you mean `inner`?"), "{}", said.err);
}

#[test]
fn addresses_select_code() {
    let all = listed(&["--format", "tsv", MATMUL]);
    let rows: Vec<&str> = all.lines().collect();
    let address = |row: &str| row.split('\t').next().unwrap_or_default().to_owned();
    let (start, stop) = (address(rows[10]), address(rows[40]));
    let (hex, padded) = (format!("0x{start}"), format!("{stop:0>12}"));
    let bounded = listed(&["--format", "tsv", "--start", &hex, "--stop", &padded, MATMUL]);
    assert_eq!(bounded.lines().collect::<Vec<_>>(), rows[10..40]);
    let listing = listed(&["--start", &hex, "--stop", &padded, MATMUL]);
    assert_eq!(instructions(&listing).len(), 30);
    // Together with a symbol, both must hold.
    let both = listed(&["--format", "tsv", "--symbol", "reduce_sum", "--stop", "0x1d04", MATMUL]);
    assert_eq!(both.lines().map(address).collect::<Vec<_>>(), ["1d00"]);

    // Bytes without a container begin at 0. The second dword of the first instruction is one itself.
    let code = [&[0xff, 0x02, 0x00, 0x7e][..], &ENDPGM, &ENDPGM, &ENDPGM].concat();
    let raw = |bounds: &[&str]| run(&[&["dis", "--arch", "rdna3", "--raw", "-"], bounds].concat(), &code);
    assert_eq!(instructions(&raw(&["--start", "8"]).out), ["s_endpgm"; 2]);
    assert_eq!(instructions(&raw(&["--stop", "4"]).out), ["v_mov_b32_e32 v0, 0xbfb00000"]);
    assert_eq!(instructions(&raw(&["--start", "4", "--stop", "12"]).out), ["s_endpgm"; 2]);

    for bounds in [["--start", "0x100000"], ["--stop", "0x10"]] {
        let said = run(&[&["dis", MATMUL][..], &bounds].concat(), b"");
        assert_eq!((said.status, &*said.out), (Some(1), ""));
        assert!(said.err.contains("no code is selected"), "{}", said.err);
    }
    assert_eq!(run(&["dis", "--start", "15fc", MATMUL], b"").status, Some(2));
}

#[test]
fn names_are_demangled_on_request() {
    let object = Object::new("demangle");
    let mangled = listed(&[object.path()]);
    let names = [("_Z5scalePfi", "scale(float*, int)"), ("_ZN2ns5twiceIfEEvPT_", "void ns::twice<float>(float*)")];
    let demangled = listed(&["--demangle", object.path()]);
    for (symbol, name) in names {
        assert!(mangled.contains(symbol) && !mangled.contains(name), "{mangled}");
        assert!(demangled.contains(&format!("\n{name}:")) && !demangled.contains(symbol), "{demangled}");
    }
    assert!(demangled.contains("(called from kernel scale(float*, int))"), "{demangled}");
    assert_eq!(instructions(&mangled), instructions(&demangled));
    // Relocations name symbols, too.
    let unlinked = object.0.with_extension("o");
    let unlinked = unlinked.to_str().expect("UTF-8");
    let source = object.0.with_extension("s");
    let said = run(&["asm", "--arch", "gfx1100", source.to_str().expect("UTF-8"), "-o", unlinked], b"");
    assert_eq!(said.status, Some(0), "{}", said.err);
    let listing = listed(&["--demangle", unlinked]);
    std::fs::remove_file(unlinked).expect("it is there");
    assert!(!listing.contains("_Z"), "{listing}");
}

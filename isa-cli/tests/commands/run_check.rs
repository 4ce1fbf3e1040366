//! `isa run --check`: statuses, selection, and the forms of findings.

use std::path::{Path, PathBuf};

use crate::common::{Said, assemble, kernel_program, run};
use serde_json::Value;

/// Stores v5, which nothing writes, to argument 0, where each work-item has 4 bytes.
const UNWRITTEN: &str = "
  s_load_b64 s[4:5], s[0:1], 0x0
  s_waitcnt lgkmcnt(0)
  v_lshlrev_b32_e32 v1, 2, v0
  v_lshl_add_u32 v1, s2, 7, v1
  global_store_b32 v1, v5, s[4:5]";

/// Stores the number of each work-item in its work-group to argument 0.
const CLEAN: &str = "
  s_load_b64 s[4:5], s[0:1], 0x0
  s_waitcnt lgkmcnt(0)
  v_lshlrev_b32_e32 v1, 2, v0
  v_lshl_add_u32 v1, s2, 7, v1
  global_store_b32 v1, v0, s[4:5]";

/// A folder with the code object `k.co` of a kernel `k`, whose argument is a buffer of 4 bytes for each of 64 work-items.
struct Kernel(PathBuf);

impl Kernel {
    fn new(folder: &str, body: &str) -> Self {
        let kernel = Kernel(Path::new(env!("CARGO_TARGET_TMPDIR")).join("check").join(folder));
        let _ = std::fs::remove_dir_all(&kernel.0);
        std::fs::create_dir_all(&kernel.0).expect("a folder");
        let argument =
            "      - { .name: out, .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global }\n";
        assemble(&kernel_program("k", body, 8, 0, argument), &kernel.0.join("k.co"));
        kernel
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_string_lossy().into_owned()
    }

    /// Writes a file of the folder.
    fn write(&self, name: &str, text: &str) -> String {
        std::fs::write(self.path(name), text).expect("a file");
        self.path(name)
    }

    /// Runs two work-groups of 32.
    fn run(&self, more: &[&str]) -> Said {
        self.run_groups_of("32", more)
    }

    /// Runs 64 work-items.
    fn run_groups_of(&self, local: &str, more: &[&str]) -> Said {
        let file = self.path("k.co");
        let fixed = ["run", &file, "--kernel", "k", "--global", "64", "--local", local, "--arg", "buf:zero:256"];
        run(&[&fixed, more].concat(), b"")
    }

    /// Runs with `--check --json`. Returns the findings.
    fn findings(&self, more: &[&str]) -> Vec<Value> {
        let said = self.run(&[&["--check", "--json"], more].concat());
        let findings: Vec<Value> = said.out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        let has_errors = findings.iter().any(|finding| finding["severity"] == "error");
        assert!(!findings.is_empty() && said.status == Some(has_errors.into()), "{}", said.err);
        findings
    }
}

#[test]
fn the_status_says_whether_there_are_findings() {
    let clean = Kernel::new("status-clean", CLEAN);
    let said = clean.run(&["--check"]);
    assert_eq!((said.status, &*said.out, &*said.err), (Some(0), "", "0 findings, 0 notes\n"));
    let said = clean.run(&["--check", "--json"]);
    assert_eq!((said.status, &*said.out, &*said.err), (Some(0), "", ""));

    let kernel = Kernel::new("status", UNWRITTEN);
    let said = kernel.run(&[]);
    assert_eq!((said.status, &*said.out, &*said.err), (Some(0), "", ""));
    let said = kernel.run(&["--check"]);
    assert_eq!((said.status, &*said.out), (Some(1), ""));
    assert!(said.err.ends_with("\n1 finding, 0 notes\n"), "{}", said.err);
    let said = kernel.run(&["--check", "--json"]);
    assert_eq!((said.status, &*said.err, said.out.lines().count()), (Some(1), "", 1));
}

#[test]
fn notes_do_not_count() {
    // The first of two waves ends before the barrier, which the hardware defines.
    let body = "
  v_readfirstlane_b32 s8, v0
  s_cmp_lt_u32 s8, 32
  s_cbranch_scc1 .Lend
  s_barrier
.Lend:";
    let kernel = Kernel::new("notes", body);
    let said = kernel.run_groups_of("64", &["--check"]);
    assert!(
        said.err.starts_with("note: barrier-divergence: k: work-group 0,0,0 (k+0xc): `s_barrier` at "),
        "{}",
        said.err
    );
    assert!(said.status == Some(0) && said.err.ends_with("\n0 findings, 1 note\n"), "{}", said.err);
    let path = kernel.path("out.sarif");
    let said = kernel.run_groups_of("64", &["--check", "--json", "--sarif", &path]);
    assert!(said.status == Some(0) && said.out.contains("\"severity\":\"note\""), "{}", said.out);
    assert_eq!(sarif(&path)[0]["level"], "note");
}

#[test]
fn a_load_after_a_flag_needs_invalidated_caches() {
    // Work-group 0 stores a value and sets a flag that the other one waits for.
    let body = |invalidations: &str| {
        format!(
            "
  s_load_b64 s[4:5], s[0:1], 0x0
  v_mov_b32_e32 v1, 0
  v_mov_b32_e32 v2, 7
  s_waitcnt lgkmcnt(0)
  s_cmp_lg_u32 s2, 0
  s_cbranch_scc1 .Lreader
  global_store_b32 v1, v2, s[4:5] offset:64
  s_waitcnt_vscnt null, 0x0
  global_store_b32 v1, v2, s[4:5]
  s_endpgm
.Lreader:
  global_load_b32 v3, v1, s[4:5] glc
  s_waitcnt vmcnt(0)
  v_readfirstlane_b32 s9, v3
  s_cmp_eq_u32 s9, 0
  s_cbranch_scc1 .Lreader
{invalidations}
  global_load_b32 v3, v1, s[4:5] offset:64"
        )
    };
    for (name, invalidations, missing) in [
        ("both", "buffer_gl1_inv\nbuffer_gl0_inv", None),
        ("scalar", "s_gl1_inv\nbuffer_gl0_inv", None),
        ("second", "buffer_gl1_inv", Some("insert `buffer_gl0_inv` after")),
        ("first", "buffer_gl0_inv", Some("insert `buffer_gl1_inv` and `buffer_gl0_inv` after")),
        ("none", "", Some("insert `buffer_gl1_inv` and `buffer_gl0_inv` after")),
    ] {
        let kernel = Kernel::new(&format!("invalidated-{name}"), &body(invalidations));
        let Some(missing) = missing else {
            assert_eq!(kernel.run(&["--check"]).err, "0 findings, 0 notes\n", "{name}");
            continue;
        };
        let findings = kernel.findings(&[]);
        let notes: Vec<_> = findings.iter().filter(|finding| finding["severity"] == "note").collect();
        let [finding] = notes.as_slice() else { panic!("{name}: {findings:?}") };
        let field = |name: &str| finding[name].as_str().unwrap_or_default();
        assert_eq!((field("kind"), field("access")), ("race", "read"));
        assert!(field("text").ends_with("offset:64") && field("help").contains(missing), "{name}: {finding}");
    }
}

#[test]
fn a_poll_before_its_loop_is_no_race() {
    // Wave 1 sets a flag that wave 0 polls, first before the loop, where the address is in another register.
    let body = |skipped: &str| {
        format!(
            "
  s_load_b64 s[4:5], s[0:1], 0x0
  v_readfirstlane_b32 s8, v0
  v_mov_b32_e32 v1, 0
  v_mov_b32_e32 v2, 7
  s_waitcnt lgkmcnt(0)
  s_cmp_lt_u32 s8, 32
  s_cbranch_scc1 .Lreader
  global_store_b32 v1, v2, s[4:5] offset:16
  s_endpgm
.Lreader:
  global_load_b32 v3, v1, s[4:5] offset:16
  s_waitcnt vmcnt(0)
  v_cmp_ne_u32_e32 vcc_lo, 0, v3
  s_cbranch_vccnz {skipped}
  v_mov_b32_e32 v4, 16
.Lloop:
  global_load_b32 v3, v4, s[4:5]
  s_waitcnt vmcnt(0)
  v_cmp_eq_u32_e32 vcc_lo, 0, v3
  s_cbranch_vccnz .Lloop
.Lafter:
  s_nop 0
.Lelsewhere:"
        )
    };
    let said = Kernel::new("peeled", &body(".Lafter")).run_groups_of("64", &["--check"]);
    assert_eq!((said.status, &*said.err), (Some(0), "0 findings, 0 notes\n"));
    let said = Kernel::new("not-peeled", &body(".Lelsewhere")).run_groups_of("64", &["--check"]);
    assert!(said.status == Some(1) && said.err.starts_with("race: "), "{}", said.err);
}

/// Runs a kernel that begins with 7 in argument 0, and returns the first dword that it leaves there, at once and late.
fn at_once_and_late(name: &str, body: &str) -> [u32; 2] {
    let begin = "
  s_load_b64 s[4:5], s[0:1], 0x0
  v_mov_b32_e32 v1, 0
  v_mov_b32_e32 v2, 7
  v_mov_b32_e32 v3, 0x10001
  s_waitcnt lgkmcnt(0)
  v_cmpx_eq_u32_e32 0, v0
  global_store_b32 v1, v2, s[4:5]
  s_waitcnt_vscnt null, 0x0";
    let kernel = Kernel::new(name, &format!("{begin}{body}\n  global_store_b32 v1, v3, s[4:5]"));
    // A register that is used too early may hold any address: accesses outside of the buffer must not end the run.
    let check = "--check=missing-wait,out-of-bounds";
    [&[check] as &[&str], &[check, "--late"]].map(|options| {
        let path = kernel.path("out");
        let one_group = ["--global", "32", "--dump", &format!("0={path}")];
        let file = kernel.path("k.co");
        let fixed = ["run", &file, "--kernel", "k", "--local", "32", "--arg", "buf:zero:256"];
        let said = run(&[&fixed, &one_group as &[&str], options].concat(), b"");
        let is_found = body.contains("; faulty");
        assert_eq!(said.status, Some(i32::from(is_found)), "{name}: {}", said.err);
        let bytes = std::fs::read(&path).expect("the buffer");
        bytes.first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes))
    })
}

#[test]
fn late_results_arrive_at_the_wait() {
    let cases = [
        ("waits", "global_load_b32 v3, v1, s[4:5]\n s_waitcnt vmcnt(0)\n v_add_nc_u32_e32 v3, 1, v3", [8, 8]),
        // The old value is read.
        (
            "early",
            "global_load_b32 v3, v1, s[4:5]\n v_add_nc_u32_e32 v4, 1, v3 ; faulty\n s_waitcnt vmcnt(0)\n v_mov_b32_e32 v3, v4",
            [8, 0x10002],
        ),
        // The result overwrites a later one.
        ("overwritten", "global_load_b32 v3, v1, s[4:5]\n v_mov_b32_e32 v3, 5 ; faulty\n s_waitcnt vmcnt(0)", [5, 7]),
        // Only the half that is loaded, and the lanes that were active.
        ("half", "global_load_d16_b16 v3, v1, s[4:5]\n s_waitcnt vmcnt(0)", [0x1_0007, 0x1_0007]),
        (
            "half-early",
            "global_load_d16_b16 v3, v1, s[4:5]\n v_mov_b16_e32 v3.l, 5 ; faulty\n v_mov_b16_e32 v3.h, 9\n s_waitcnt vmcnt(0)",
            [0x9_0005, 0x9_0007],
        ),
        (
            "lanes",
            "s_mov_b32 exec_lo, 2\n global_load_b32 v3, v1, s[4:5]\n s_mov_b32 exec_lo, 1\n v_mov_b32_e32 v3, 5\n s_waitcnt vmcnt(0)",
            [5, 5],
        ),
        (
            "scalar",
            "s_mov_b32 s6, 3\n s_load_b32 s6, s[4:5], 0x0\n v_mov_b32_e32 v4, s6 ; faulty\n s_waitcnt lgkmcnt(0)\n v_mov_b32_e32 v3, v4",
            [7, 3],
        ),
        // The first of two is proved; a queue that is full proves the oldest.
        (
            "first",
            "global_load_b32 v3, v1, s[4:5]\n global_load_b32 v4, v1, s[4:5]\n s_waitcnt vmcnt(1)\n v_add_nc_u32_e32 v3, v3, v3",
            [14, 14],
        ),
        (
            "two-queues",
            "ds_load_b32 v3, v1 offset:4\n global_load_b32 v3, v1, s[4:5] ; faulty\n s_waitcnt vmcnt(0) lgkmcnt(0)",
            [7, 0],
        ),
        (
            "again",
            "global_load_b32 v3, v1, s[4:5]\n global_load_b32 v3, v1, s[4:5] offset:4\n s_waitcnt vmcnt(0)",
            [0, 0],
        ),
        (
            "atomic",
            "global_atomic_add_u32 v3, v1, v2, s[4:5] glc\n v_mov_b32_e32 v4, v3 ; faulty\n s_waitcnt vmcnt(0)\n v_mov_b32_e32 v3, v4",
            [7, 0x10001],
        ),
    ];
    for (name, body, expected) in cases {
        assert_eq!(at_once_and_late(&format!("late-{name}"), &format!("\n {body}")), expected, "{name}");
    }
    let said = Kernel::new("late-alone", CLEAN).run(&["--late"]);
    assert!(said.status == Some(2) && said.err.contains("--check"), "{}", said.err);
}

#[test]
fn a_wait_that_is_left_out_is_missed_or_the_run_does_without() {
    let begin = "
  s_load_b64 s[4:5], s[0:1], 0x0
  v_lshlrev_b32_e32 v1, 2, v0
  s_waitcnt lgkmcnt(0)
  global_load_b32 v2, v1, s[4:5]";
    let used = "\n  v_add_nc_u32_e32 v2, 1, v2";
    for (name, body, expected) in [
        ("needed", format!("first: s_waitcnt vmcnt(0){used}"), None),
        (
            "later",
            format!("first: s_waitcnt vmcnt(0)\n s_waitcnt vmcnt(0){used}"),
            Some(
                "later waits prove the results before they are used; later waits prove the accesses before a barrier or a store",
            ),
        ),
        (
            "earlier",
            format!("s_waitcnt vmcnt(0)\nfirst: s_waitcnt vmcnt(0){used}"),
            Some("all that it waits for was proved done before"),
        ),
        (
            "unused",
            "first: s_waitcnt vmcnt(0)".into(),
            Some("waves end without using the results; waves end after the accesses"),
        ),
        (
            "released",
            format!("first: s_waitcnt vmcnt(0)\n s_barrier\n s_waitcnt vmcnt(0){used}"),
            Some("later waits prove the results before they are used; no other wave relies on the accesses"),
        ),
        (
            "skipped",
            format!("s_waitcnt vmcnt(0){used}\n s_branch .Lend\nfirst: s_waitcnt vmcnt(0)\n.Lend:"),
            Some("the run does not execute it"),
        ),
    ] {
        let kernel = Kernel::new(&format!("without-{name}"), &format!("{begin}\n{body}"));
        let said = kernel.run_groups_of("64", &["--check", "--without-wait", "first"]);
        match expected {
            None => assert!(said.status == Some(1) && said.err.starts_with("missing-wait: "), "{name}: {}", said.err),
            Some(reason) => {
                assert_eq!(said.status, Some(0), "{name}: {}", said.err);
                let note = said.err.lines().find(|line| line.starts_with("note: without the wait at 0x"));
                assert!(note.is_some_and(|note| note.ends_with(&format!(": {reason}"))), "{name}: {}", said.err);
            }
        }
    }
    let kernel = Kernel::new("without-nothing", CLEAN);
    assert_eq!(kernel.run(&["--check", "--without-wait", "nowhere"]).status, Some(1));
    assert_eq!(kernel.run(&["--without-wait", "0x1500"]).status, Some(2));
}

#[test]
fn kinds_are_selected() {
    let kernel = Kernel::new("kinds", UNWRITTEN);
    for (option, status) in [
        ("--check=unwritten-register", 1),
        ("--check=race,unwritten-register", 1),
        ("--check=-race", 1),
        ("--check=race", 0),
        ("--check=-unwritten-register", 0),
        ("--check=-race,-unwritten-register", 0),
    ] {
        let said = kernel.run(&[option]);
        assert_eq!(said.status, Some(status), "{option}: {}", said.err);
        assert!(said.err.ends_with(if status == 0 { "0 findings, 0 notes\n" } else { "1 finding, 0 notes\n" }));
    }
    for (option, message) in [
        ("--check=rase", "`rase` is not a kind of finding; did you mean `race`?"),
        ("--check=-rase", "did you mean `race`?"),
        ("--check=", "the kinds are out-of-bounds, "),
        ("--check=race,-race", "no kind is left to look for"),
    ] {
        let said = kernel.run(&[option]);
        assert!(said.status == Some(2) && said.err.contains(message), "{option}: {}", said.err);
    }
    // A check needs a kernel, and the other options a check.
    let file = kernel.path("k.co");
    assert_eq!(run(&["run", &file, "--check"], b"").status, Some(2));
    assert_eq!(kernel.run(&["--sarif", "x"]).status, Some(2));
    assert_eq!(kernel.run(&["--suppress", "x"]).status, Some(2));
}

#[test]
fn a_finding_in_json_has_the_fields() {
    let kernel = Kernel::new("json", UNWRITTEN);
    let findings = kernel.findings(&[]);
    let [finding] = &*findings else { panic!("{findings:?}") };
    let address = finding["address"].as_str().expect("an address");
    assert!(address.starts_with("0x"), "{address}");
    for (field, value) in [
        ("kind", "\"unwritten-register\""),
        ("severity", "\"error\""),
        ("symbol", "\"k+0x18\""),
        ("text", "\"global_store_b32 v1, v5, s[4:5]\""),
        ("source", "null"),
        ("group", "[0,0,0]"),
        ("wave", "0"),
        ("lanes", "\"0-31\""),
        ("count", "64"),
        ("registers", "[\"v5\"]"),
    ] {
        assert_eq!(finding[field].to_string(), value, "{field}");
    }
    assert_eq!(finding["origin"]["registers"].to_string(), "[\"v5\"]");
    assert!(finding["help"].as_str().is_some_and(|help| !help.is_empty()), "{finding}");
}

#[test]
fn the_text_begins_like_a_fault_and_shows_the_instruction() {
    let kernel = Kernel::new("text", UNWRITTEN);
    let said = kernel.run(&["--check"]);
    let lines: Vec<&str> = said.err.lines().map(str::trim_end).collect();
    assert!(
        lines[0]
            .starts_with("unwritten-register: k: work-group 0,0,0 (k+0x18): `global_store_b32 v1, v5, s[4:5]` at 0x")
            && lines[0].ends_with(": depends on v5, which nothing has written"),
        "{}",
        said.err
    );
    // Two instructions before it and, of two after it, the only one.
    let address = |line: &str| line.split_whitespace().nth(1).map(str::to_owned).unwrap_or_default();
    let shown = &lines[2..7];
    for (line, text) in shown.iter().zip([
        "  v_lshlrev_b32_e32 v1, 2, v0",
        "  v_lshl_add_u32 v1, s2, 7, v1",
        "  global_store_b32 v1, v5, s[4:5]",
        "^ here: work-group 0,0,0, wave 0, lanes 0-31 (64 times in all)",
        "  s_endpgm",
    ]) {
        assert!(line.ends_with(text), "{text}\n{}", said.err);
    }
    assert!(lines[0].contains(&format!("at {}:", address(shown[2]))), "{}", said.err);
    assert!(said.err.contains(" = origin: v5 was never written") && said.err.contains(" = help: "), "{}", said.err);
}

/// Returns the sections of line tables for 256 bytes of code: line 2 and column 5 of `kernel.cl`.
fn line_tables(address: u64) -> [(&'static str, Vec<u8>); 3] {
    let address = address.to_le_bytes();
    // The tag of a compile unit with a line table, a first address and a size.
    let abbreviations = vec![1, 0x11, 0, 0x10, 0x17, 0x11, 0x01, 0x12, 0x07, 0, 0, 0];
    let unit = [&[4, 0, 0, 0, 0, 0, 8, 1, 0, 0, 0, 0][..], &address, &256_u64.to_le_bytes()].concat();
    let header = [&[1, 1, 1, 0xfb, 14, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1, 0][..], b"kernel.cl\0\0\0\0\0"].concat();
    let header_bytes = (header.len() as u32).to_le_bytes();
    // Set the address, advance the line by 1, set the column, add a row; after 256 bytes, end.
    let program = [&[0, 9, 2][..], &address, &[3, 1, 5, 5, 1, 2, 0x80, 2, 0, 1, 1]].concat();
    let lines = [&[4, 0][..], &header_bytes, &header, &program].concat();
    let sized = |bytes: Vec<u8>| [&(bytes.len() as u32).to_le_bytes()[..], &bytes].concat();
    [(".debug_abbrev", abbreviations), (".debug_info", sized(unit)), (".debug_line", sized(lines))]
}

/// Adds sections that are not loaded to a file.
fn add_sections(path: &str, sections: &[(&str, Vec<u8>)]) {
    let mut file = std::fs::read(path).expect("a file");
    let number = |at: usize| u16::from_le_bytes([file[at], file[at + 1]]) as usize;
    let (count, names) = (number(0x3c), number(0x3e));
    let start = u64::from_le_bytes(file[0x28..0x30].try_into().expect("8 bytes")) as usize;
    let mut headers = file[start..start + 64 * count].to_vec();
    let field =
        |headers: &[u8], at: usize| u64::from_le_bytes(headers[at..at + 8].try_into().expect("8 bytes")) as usize;
    let of_names = 64 * names;
    let (offset, size) = (field(&headers, of_names + 0x18), field(&headers, of_names + 0x20));
    let mut table = file[offset..offset + size].to_vec();
    for (name, bytes) in sections {
        let mut header = [0; 64];
        header[..4].copy_from_slice(&(table.len() as u32).to_le_bytes());
        // PROGBITS
        header[4] = 1;
        header[0x18..0x20].copy_from_slice(&(file.len() as u64).to_le_bytes());
        header[0x20..0x28].copy_from_slice(&(bytes.len() as u64).to_le_bytes());
        headers.extend(header);
        table.extend(name.bytes().chain([0]));
        file.extend(bytes);
    }
    headers[of_names + 0x18..of_names + 0x20].copy_from_slice(&(file.len() as u64).to_le_bytes());
    headers[of_names + 0x20..of_names + 0x28].copy_from_slice(&(table.len() as u64).to_le_bytes());
    file.extend(table);
    file.resize(file.len().next_multiple_of(8), 0);
    let start = (file.len() as u64).to_le_bytes();
    file[0x28..0x30].copy_from_slice(&start);
    file[0x3c..0x3e].copy_from_slice(&((count + sections.len()) as u16).to_le_bytes());
    file.extend(headers);
    std::fs::write(path, file).expect("a file");
}

#[test]
fn the_source_line_is_shown_if_the_file_can_be_read() {
    let kernel = Kernel::new("source", UNWRITTEN);
    let findings = kernel.findings(&[]);
    assert_eq!(findings[0]["source"], Value::Null);
    // The folder of the code object has the sources.
    let address = findings[0]["address"].as_str().and_then(|address| address.strip_prefix("0x"));
    let address = u64::from_str_radix(address.expect("an address"), 16).expect("a number");
    add_sections(&kernel.path("k.co"), &line_tables(address));
    let said = kernel.run(&["--check"]);
    assert!(said.err.contains(" (k+0x18, kernel.cl:2): "), "{}", said.err);
    assert!(said.err.contains("kernel.cl:2\n") && !said.err.contains("out[i]"), "{}", said.err);
    kernel.write("kernel.cl", "kernel void k() {\n    out[i] = i;\n}\n");
    let said = kernel.run(&["--check"]);
    assert!(said.err.contains("::: kernel.cl:2:5\n"), "{}", said.err);
    assert!(said.err.contains("\n2 |     out[i] = i;\n  |     ^^^\n"), "{}", said.err);
    let findings = kernel.findings(&[]);
    assert_eq!(findings[0]["source"], "kernel.cl:2");
}

#[test]
fn a_fault_follows_the_findings() {
    let body = format!("{UNWRITTEN}\n.Lloop:\n  v_add_nc_u32_e32 v1, 1, v1\n  s_branch .Lloop");
    let kernel = Kernel::new("fault", &body);
    let limit = ["--max-instructions", "1000", "--check=unwritten-register"];
    let said = kernel.run(&limit);
    let (finding, rest) = said.err.split_once("\n1 finding, 0 notes\n").expect("a summary");
    assert!(finding.starts_with("unwritten-register: k: "), "{}", said.err);
    assert!(rest.starts_with("error: k: work-group 0,0,0") && rest.contains("the limit of 1000"), "{}", said.err);
    assert_eq!(said.status, Some(1));
    let said = kernel.run(&[&limit[..], &["--json"]].concat());
    assert_eq!((said.status, said.out.lines().count()), (Some(1), 1), "{}", said.err);
    assert!(said.err.starts_with("error: k: work-group 0,0,0"), "{}", said.err);
}

#[test]
fn other_options_work_with_findings() {
    let kernel = Kernel::new("options", UNWRITTEN);
    let (checked, plain) = (kernel.path("checked.bin"), kernel.path("plain.bin"));
    assert_eq!(kernel.run(&["--dump", &format!("0={plain}")]).status, Some(0));
    let others = ["--stack", "64", "--lds", "256", "--turn", "1", "--max-instructions", "100000"];
    let dump = format!("0={checked}");
    assert_eq!(kernel.run(&[&["--check", "--dump", &dump], &others[..]].concat()).status, Some(1));
    let read = |path| std::fs::read(path).expect("a dump");
    assert_eq!(read(&checked), read(&plain));
    // Straight-line code is checked at once, unless instructions are executed one by one.
    let clean = Kernel::new("options-clean", CLEAN);
    assert_eq!(clean.run(&["--dump", &format!("0={plain}")]).status, Some(0));
    for more in [&["--turn", "1"][..], &["--trace"], &["--stats"], &[]] {
        let said = clean.run(&[&["--check", "--dump", &dump], more].concat());
        assert_eq!((said.status, &*said.err), (Some(0), "0 findings, 0 notes\n"), "{more:?}");
        assert_eq!(read(&checked), read(&plain), "{more:?}");
    }

    // Statistics and traces go to standard output, unless findings are there.
    let said = kernel.run(&["--check", "--stats", "--trace"]);
    assert!(said.out.contains("instructions") && said.out.contains("0,0,0 wave 0 0x"), "{}", said.out);
    assert!(said.err.starts_with("unwritten-register: "), "{}", said.err);
    let said = kernel.run(&["--check", "--stats", "--trace", "--json"]);
    assert!(said.out.lines().count() == 1 && said.out.starts_with("{\"kind\":"), "{}", said.out);
    assert!(said.err.contains("{\"event\":\"instruction\"") && said.err.contains("\"opcodes\""), "{}", said.err);

    // A breakpoint ends the run with what was found up to there.
    let said = kernel.run(&["--check", "--break", "k"]);
    assert!(said.status == Some(1) && said.err == "0 findings, 0 notes\n", "{}", said.err);
}

#[test]
fn known_findings_are_suppressed() {
    let kernel = Kernel::new("suppress", UNWRITTEN);
    let hidden = kernel.write("hidden.txt", "# A known one.\n\nunwritten-register k\n");
    let other = kernel.write("other.txt", "race *\n* l*\n* k k.cl\n");
    let said = kernel.run(&["--check", "--suppress", &hidden]);
    assert_eq!((said.status, &*said.err), (Some(0), "0 findings, 0 notes, 1 suppressed\n"));
    let said = kernel.run(&["--check", "--json", "--suppress", &hidden]);
    assert_eq!((said.status, &*said.out, &*said.err), (Some(0), "", ""));
    let said = kernel.run(&["--check", "--suppress", &other]);
    assert!(said.status == Some(1) && said.err.ends_with("1 finding, 0 notes\n"), "{}", said.err);
    assert_eq!(kernel.run(&["--check", "--suppress", &other, "--suppress", &hidden]).status, Some(0));
    let wrong = kernel.write("wrong.txt", "race k\nrase k\n");
    let said = kernel.run(&["--check", "--suppress", &wrong]);
    assert!(said.status == Some(1) && said.err.contains("wrong.txt:2: `rase` is not a kind"), "{}", said.err);
}

#[test]
fn findings_are_the_same_for_any_number_of_threads() {
    // Each wave of 32 stores to what the others load.
    let race = "
  s_load_b64 s[4:5], s[0:1], 0x0
  v_lshlrev_b32_e32 v1, 2, v0
  v_sub_nc_u32_e32 v2, 0xfc, v1
  s_waitcnt lgkmcnt(0)
  global_store_b32 v1, v0, s[4:5]
  global_load_b32 v3, v2, s[4:5]
  s_waitcnt vmcnt(0)
  global_store_b32 v1, v3, s[4:5]";
    for (name, body, local) in
        [("threads", UNWRITTEN, "32"), ("threads-race", race, "64"), ("threads-groups", race, "32")]
    {
        let kernel = Kernel::new(name, body);
        for form in [&["--check"][..], &["--check", "--json"]] {
            let run = |threads| {
                let said = kernel.run_groups_of(local, &[form, &["--threads", threads]].concat());
                (said.status, said.out, said.err)
            };
            let one = run("1");
            assert_eq!(one.0, Some(1), "{name}: {}", one.2);
            for threads in ["2", "8"] {
                assert_eq!(run(threads), one, "{name}: {threads}");
            }
        }
    }
}

/// Checks that a document has what SARIF 2.1.0 requires, and returns its results.
fn sarif(path: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(path).expect("a file");
    let document: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(document["version"], "2.1.0");
    assert!(document["$schema"].as_str().is_some_and(|schema| schema.ends_with("sarif-schema-2.1.0.json")));
    let [run] = document["runs"].as_array().expect("runs").as_slice() else { panic!("{document}") };
    let driver = &run["tool"]["driver"];
    assert_eq!(driver["name"], "isa");
    let rules = driver["rules"].as_array().expect("rules");
    for rule in rules {
        assert!(rule["id"].is_string() && rule["shortDescription"]["text"].is_string(), "{rule}");
    }
    let results = run["results"].as_array().expect("results");
    for result in results {
        let rule = result["ruleIndex"].as_u64().and_then(|index| rules.get(index as usize)).expect("a rule");
        assert_eq!(rule["id"], result["ruleId"]);
        assert!(["error", "warning", "note"].iter().any(|level| result["level"] == *level), "{result}");
        assert!(result["message"]["text"].is_string(), "{result}");
        let related = result["relatedLocations"].as_array().into_iter().flatten();
        for location in result["locations"].as_array().expect("locations").iter().chain(related) {
            let physical = &location["physicalLocation"];
            assert!(physical["artifactLocation"]["uri"].as_str().is_some_and(|uri| !uri.contains(' ')), "{location}");
            let line = physical["region"]["startLine"].as_u64();
            let address = physical["address"]["absoluteAddress"].as_u64();
            assert!(line.is_some_and(|line| line > 0) || address.is_some(), "{location}");
        }
    }
    results.clone()
}

#[test]
fn findings_are_written_as_sarif() {
    let kernel = Kernel::new("sarif", UNWRITTEN);
    let path = kernel.path("out.sarif");
    assert_eq!(kernel.run(&["--check", "--sarif", &path]).status, Some(1));
    let results = sarif(&path);
    let [result] = &*results else { panic!("{results:?}") };
    assert_eq!((&result["ruleId"], &result["level"]), (&"unwritten-register".into(), &"error".into()));
    assert_eq!(result["locations"][0]["logicalLocations"][0]["fullyQualifiedName"], "k");
    assert_eq!(result.get("suppressions"), None);
    // Suppressed findings are in the file, with that mark.
    let hidden = kernel.write("hidden.txt", "* *\n");
    assert_eq!(kernel.run(&["--check", "--sarif", &path, "--suppress", &hidden]).status, Some(0));
    assert_eq!(sarif(&path)[0]["suppressions"][0]["kind"], "external");

    let clean = Kernel::new("sarif-clean", CLEAN);
    assert_eq!(clean.run(&["--check", "--sarif", &path]).status, Some(0));
    assert_eq!(sarif(&path), [] as [Value; 0]);
}

#[test]
fn the_lint_writes_sarif_too() {
    let kernel = Kernel::new("sarif-lint", CLEAN);
    let (source, path) =
        (kernel.write("early.s", "s_load_b32 s4, s[0:1], null\ns_mov_b32 s5, s4\ns_endpgm\n"), kernel.path("a.sarif"));
    let said = run(&["lint", "--arch", "gfx1100", &source, "--sarif", &path], b"");
    assert!(said.status == Some(1) && said.out.ends_with("1 finding\n"), "{}{}", said.out, said.err);
    let results = sarif(&path);
    assert_eq!(results[0]["ruleId"], "read-too-early");
    assert_eq!(results[0]["locations"][0]["physicalLocation"]["region"]["startLine"], 2);
    assert_eq!(results[0]["relatedLocations"][0]["physicalLocation"]["region"]["startLine"], 1);
    let said = run(&["lint", &kernel.path("k.co"), "--sarif", &path], b"");
    assert_eq!(said.status, Some(0), "{}", said.out);
    assert_eq!(sarif(&path), [] as [Value; 0]);
}

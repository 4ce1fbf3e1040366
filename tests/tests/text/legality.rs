//! The rules of legality: what compilers emit breaks none, what LLVM's assembler accepts breaks none that it holds
//! itself, and docs/reference/legality.md lists them all.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::io::{self, Read};

use isa_tests::needs::shared_for;
use isa_tests::paths::root;
use isa_tests::vectors::{dwords, example_code, shared_code, shared_decode};
use object::{Object, ObjectSection, SectionKind};
use rdna3::{Authority, DecodeError, Decoder, Instr, Rule, Wave};

/// Which rules are broken how often, with an example.
type Broken = BTreeMap<String, (usize, String)>;

fn note(broken: &mut Broken, instr: &Instr, wave: Wave, counts: fn(Authority) -> bool) {
    if let Err(violation) = instr.check(wave)
        && counts(violation.rule.authority())
    {
        let text = || format!("{}: {violation}", instr.display(wave));
        broken.entry(format!("{:?}", violation.rule)).or_insert_with(|| (0, text())).0 += 1;
    }
}

fn none(broken: &Broken) {
    let shown: String = broken.iter().map(|(rule, (n, example))| format!("\n{n} {rule}: {example}")).collect();
    assert!(broken.is_empty(), "rules are broken:{shown}");
}

/// How many instructions there are in code; notes those that break any rule.
fn look_through(code: &[u8], broken: &mut Broken) -> usize {
    let mut count = 0;
    for item in Decoder::new(code, Wave::W32) {
        if let Ok(instr) | Err(DecodeError::NonCanonical { instr, .. }) = item.result {
            note(broken, &instr, Wave::W32, |_| true);
            count += 1;
        }
    }
    count
}

#[test]
fn the_example_kernels_are_legal() {
    let mut broken = Broken::new();
    assert!(look_through(&example_code().unwrap(), &mut broken) > 100);
    none(&broken);
}

#[test]
fn compiled_code_is_legal() {
    let mut broken = Broken::new();
    if let Some(code) = shared_code().unwrap() {
        assert!(look_through(&code, &mut broken) > 1_000_000);
    }
    let Some(corpus) = shared_for("legality of compiled code", "corpus") else { return };
    for entry in fs::read_dir(corpus).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !name.ends_with(".gfx1100.o") && !name.ends_with(".gfx1100.co") {
            continue;
        }
        let file = fs::read(&path).unwrap();
        for section in object::File::parse(&*file).unwrap().sections().filter(|s| s.kind() == SectionKind::Text) {
            look_through(section.data().unwrap(), &mut broken);
        }
    }
    none(&broken);
}

/// The words that LLVM assembles the lines of a file to, with their wave sizes; says so if the file is not there.
fn assembled(name: &str) -> io::Result<Vec<(Wave, Vec<u32>)>> {
    let Some(path) = shared_for("legality of LLVM's lines", name) else { return Ok(Vec::new()) };
    let mut text = String::new();
    flate2::read::GzDecoder::new(fs::File::open(path)?).read_to_string(&mut text)?;
    let line = |line: &str| {
        let mut columns = line.split('\t');
        let wave = if columns.next()? == "wave64" { Wave::W64 } else { Wave::W32 };
        let hex = columns.nth(1)?;
        let byte = |at| hex.get(at..at + 2).and_then(|byte| u8::from_str_radix(byte, 16).ok());
        let bytes: Option<Vec<u8>> = (0..hex.len()).step_by(2).map(byte).collect();
        Some((wave, dwords(&bytes?)))
    };
    text.lines().map(|l| line(l).ok_or_else(|| io::Error::other(format!("not wave, text, bytes: {l}")))).collect()
}

#[test]
fn what_llvm_assembles_breaks_no_rule_of_its_own() {
    let mut broken = Broken::new();
    let mut all: Vec<(Wave, Vec<u32>)> = Vec::new();
    for line in shared_decode().unwrap().unwrap_or_default().iter().filter(|line| line.canonical) {
        all.push((line.mode(), line.words()));
    }
    for name in ["vectors/rdna3_assemble.tsv.gz", "vectors/rdna3_legality_accepted.tsv.gz"] {
        all.extend(assembled(name).unwrap());
    }
    for (wave, words) in all {
        if let Ok((instr, _)) = Instr::decode(&words, wave) {
            note(&mut broken, &instr, wave, |authority| authority != Authority::Guide);
        }
    }
    none(&broken);
}

/// Returns the table of rules as docs/reference/legality.md must have it.
fn table() -> String {
    let mut out =
        String::from("| rule | what | fix | guide | RDNA4's guide | enforced by |\n|---|---|---|---|---|---|\n");
    for rule in Rule::ALL {
        let held = match rule.authority() {
            Authority::Both => "both",
            Authority::Llvm => "LLVM",
            Authority::Guide => "the guide",
        };
        let (text, help, section, later) = (rule.text(), rule.help(), rule.section(), rule.later_section());
        // Writing to a String cannot fail.
        let _ = writeln!(out, "| `{rule:?}` | {text} | {help} | §{section} | §{later} | {held} |");
    }
    out
}

/// With `LEGALITY=overwrite` in the environment the page is brought up to date.
#[test]
fn the_page_lists_all_rules() {
    let path = root().join("docs/reference/legality.md");
    let page = fs::read_to_string(&path).unwrap();
    let begin = page.find("| rule |").unwrap();
    let end = page.get(begin..).and_then(|rest| rest.find("\n\n")).map_or(page.len(), |at| begin + at + 1);
    if std::env::var_os("LEGALITY").is_some_and(|v| v == "overwrite") {
        let before = page.get(..begin).unwrap_or_default();
        let after = page.get(end..).unwrap_or_default();
        fs::write(&path, format!("{before}{}{after}", table())).unwrap();
    } else {
        assert_eq!(page.get(begin..end), Some(&*table()), "run this test with LEGALITY=overwrite");
    }
}

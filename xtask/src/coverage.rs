//! The guide's opcode tables, ours, and LLVM's names, each against the others.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use isa::Isa;
use isa::body::Fidelity;
use isa::tables::{Component, FixedBits, Format};
use isa_tests::paths::shared;
use isa_tests::sets::Set;
use rdna3::Wave;

use crate::generate::{RowVariant, Words, space, targets};
use crate::names::{Disagreements, mnemonics};
use crate::rng::Rng;
use crate::{machine, oracle};

/// The arguments of `cargo xtask coverage`.
#[derive(clap::Args, Default)]
pub struct Args {
    /// Print how closely each row is described, first
    #[arg(long)]
    pub rows: bool,
    /// AMD's RDNA4 guide as Markdown, or a table of format, opcode and name
    #[arg(long, value_name = "FILE")]
    pub rdna4_guide: Option<PathBuf>,
}

/// A guide and the set that it describes.
struct Guide {
    /// Where its rows are, below `../shared`.
    rows: &'static str,
    /// The section of docs/reference/disagreements.md that names the differences.
    section: &'static str,
}

const RDNA3: Guide = Guide { rows: "spec/rdna3-opcode-rows.tsv", section: "Opcodes" };
const RDNA4: Guide = Guide { rows: "spec/rdna4-opcode-rows.tsv", section: "RDNA4" };

/// How many words are tried for each opcode number and wave size.
const TRIES: usize = 64;

/// A format, or one half of a dual-issue format, as the guide's tables name it.
type Table = String;

/// The names at each opcode number of each table.
type Rows = BTreeMap<(Table, u32), BTreeSet<String>>;

/// Our name of a table: the format, with -X or -Y for the halves of a pair.
fn table<S: Isa>(format: &Format<S>, component: usize) -> Table {
    match (format.components.len(), component) {
        (1, _) => format.name.into(),
        (_, 0) => format!("{}-X", format.name),
        _ => format!("{}-Y", format.name),
    }
}

/// Reads the rows of a guide's tables.
fn rows(path: &Path) -> Result<Rows> {
    let text = fs::read_to_string(path).with_context(|| format!("{} cannot be read", path.display()))?;
    let rows = if path.extension().is_some_and(|e| e == "md") { markdown(&text) } else { columns(&text) };
    rows.with_context(|| format!("{}", path.display()))
}

/// Reads lines of a table's name, a number and a mnemonic.
fn columns(text: &str) -> Result<Rows> {
    let mut rows = Rows::new();
    for line in text.lines().skip(1) {
        let mut columns = line.split('\t');
        let (Some(table), Some(number), Some(name)) = (columns.next(), columns.next(), columns.next()) else {
            bail!("not three columns: {line}");
        };
        let number = number.parse().with_context(|| line.to_string())?;
        rows.entry((table.into(), number)).or_default().insert(name.into());
    }
    Ok(rows)
}

/// Reads the tables "… Opcodes" of chapter 15 of AMD's RDNA4 guide as Markdown: cells of a number and a mnemonic in turn.
fn markdown(text: &str) -> Result<Rows> {
    let mut rows = Rows::new();
    let mut add = |named: &str, number: u32, name: &str| {
        let (table, number) = our_table(named, number, name);
        rows.entry((table, number)).or_default().insert(name.into());
    };
    let mut current = None;
    for line in text.lines() {
        // The opcodes of VDSDIR are in the table of its fields.
        if let Some((_, list)) = line.split_once("| Opcode: ").filter(|_| line.contains(" DS_PARAM_LOAD ")) {
            let words: Vec<&str> = list.split(' ').collect();
            let named = |pair: &[&str]| Some((pair[0].strip_suffix(':')?.parse().ok()?, pair[1].to_string()));
            words.chunks_exact(2).filter_map(named).for_each(|(number, name)| add("VDSDIR", number, &name));
        }
        if let Some((_, title)) = line.trim_start_matches("# ").strip_prefix("Table ").and_then(|t| t.split_once(". "))
        {
            current = title.strip_suffix("Opcodes").map(|name| name.trim_end_matches([' ', '-']));
        } else if line.starts_with('#') {
            current = None;
        }
        let (Some(named), true) = (current, line.starts_with('|')) else { continue };
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        for pair in cells.chunks_exact(2) {
            if let (Ok(number), true) = (pair[0].parse::<u32>(), pair[1] != "Reserved") {
                add(named, number, pair[1]);
            }
        }
    }
    if rows.is_empty() { bail!("no table of opcodes") } else { Ok(rows) }
}

/// Our name of a table of RDNA4's guide, and the number there: typed accesses to buffers have a separate format.
fn our_table(named: &str, number: u32, name: &str) -> (Table, u32) {
    let table = match named {
        "VDSDIR" => "LDSDIR",
        "VBUFFER" if name.starts_with("TBUFFER_") => return ("MTBUF".into(), number - 128),
        "VBUFFER" => "MUBUF",
        "VFLAT" => "FLAT",
        "VGLOBAL" => "GLOBAL",
        "VSCRATCH" => "SCRATCH",
        "VOPD X" => "VOPD-X",
        "VOPD Y" => "VOPD-Y",
        other => other,
    };
    (table.into(), number)
}

/// Returns our rows: the name that the guide should have, and the mnemonic in text. A half of a dual-issue pair refers to another
/// row, whose name is not the guide's name of the half, so it has only the text.
fn ours<S: Isa>() -> BTreeMap<(Table, u32), (String, &'static str)> {
    let mut rows = BTreeMap::new();
    for format in S::tables().formats {
        for (i, component) in format.components.iter().enumerate() {
            for slot in component.slots {
                let name = match format.components.len() {
                    1 => S::tables().mnemonics.get(usize::from(slot.opcode)).copied().unwrap_or_default().to_string(),
                    _ => component.text(slot.number).to_uppercase(),
                };
                rows.insert((table(format, i), u32::from(slot.number)), (name, component.text(slot.number)));
            }
        }
    }
    rows
}

/// Asks LLVM for the mnemonic of every number of every table, with words of the format's rows in which the number is replaced, and
/// with random words.
fn llvm<S: Set<Mode = Wave>>() -> Result<Rows> {
    let (mut asked, mut places) = (Vec::new(), Vec::new());
    let targets = targets::<S>();
    let machines = [machine::of::<S>("wave32")?, machine::of::<S>("wave64")?];
    for (at, format) in S::tables().formats.iter().enumerate() {
        let here: Vec<&RowVariant<S>> = targets.iter().filter(|t| std::ptr::eq(t.format, format)).collect();
        for (i, component) in format.components.iter().enumerate() {
            for number in 0..1 << component.opcode.width() {
                let mut rng = Rng::named(u64::from(number), [format.name, &i.to_string()]);
                let own: Vec<&&RowVariant<S>> =
                    here.iter().filter(|t| t.component == i && u32::from(t.slot.number) == number).collect();
                for nth in 0..2 * TRIES {
                    let wave = if nth % 2 == 0 { Wave::W32 } else { Wave::W64 };
                    let mut words = template(format, &here, &own, (nth / 2, wave), &mut rng);
                    component.opcode.set(&mut words, number);
                    if space::<S>(&words) != Some(canonical::<S>(at)) {
                        continue;
                    }
                    asked.push((words, machines[nth % 2]));
                    places.push((owner::<S>(at, i, &words), number, i));
                }
            }
        }
    }
    let mut rows = Rows::new();
    for (answer, (table, number, i)) in oracle::ask_of(&asked)?.iter().zip(places) {
        let name = answer.text().and_then(|text| mnemonics(text).nth(i));
        // The dword 0 is a separate instruction, whose bits other formats leave out.
        if let Some(name) = name.filter(|n| *n != "v_illegal" || table == "ILLEGAL") {
            rows.entry((table, number)).or_default().insert(name.into());
        }
    }
    Ok(rows)
}

/// Words to try a number with: of the row itself if there is one, of another row of the format, or random.
fn template<S: Set<Mode = Wave>>(
    format: &Format<S>,
    here: &[&RowVariant<S>],
    own: &[&&RowVariant<S>],
    (nth, wave): (usize, Wave),
    rng: &mut Rng,
) -> Words {
    if nth % 2 == 0 && !own.is_empty() {
        own[nth / 2 % own.len()].words(wave, rng, nth % 4 == 0)
    } else if nth % 8 != 1 && !here.is_empty() {
        here[rng.below(here.len())].words(wave, rng, nth % 4 == 0)
    } else {
        let FixedBits { mask, value } = format.fixed;
        std::array::from_fn(|i| rng.word() & !mask[i] | value[i])
    }
}

/// The first format with the same fixed bits: two formats may share an encoding and part its numbers among them.
fn canonical<S: Isa>(at: usize) -> usize {
    let formats = S::tables().formats;
    formats.iter().position(|f| f.fixed == formats[at].fixed).unwrap_or(at)
}

/// The table in which a number of a shared encoding belongs: the one that has a row there, else the first.
fn owner<S: Isa>(at: usize, component: usize, words: &Words) -> Table {
    let formats = S::tables().formats;
    let twins = || formats.iter().filter(|f| f.fixed == formats[at].fixed);
    let has = |c: &Component<S>| c.slots.iter().any(|s| u32::from(s.number) == c.opcode.get(words));
    let twin = twins().find(|f| f.components.get(component).is_some_and(has));
    table(twin.unwrap_or(&formats[canonical::<S>(at)]), component)
}

/// Counts and differences of one table.
#[derive(Default)]
struct Tally {
    guide: usize,
    ours: usize,
    llvm: usize,
}

/// Prints how closely the bodies of each table describe what instructions do, and which rows are external. Returns the number
/// of rows without a body.
fn print_bodies<S: Isa>() -> usize {
    let mut tables: BTreeMap<Table, [usize; 5]> = BTreeMap::new();
    let (mut external, mut disputed, mut without) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for format in S::tables().formats {
        for (i, component) in format.components.iter().enumerate() {
            for slot in component.slots {
                let name = S::tables().mnemonics.get(usize::from(slot.opcode)).copied().unwrap_or_default();
                let column = match S::inst_tables().bodies.fidelity(slot.opcode) {
                    Some(Fidelity::Exact) => 0,
                    Some(Fidelity::Within(_) | Fidelity::Approximate) => 1,
                    Some(Fidelity::Disputed) => {
                        disputed.insert((name, S::inst_tables().bodies.dispute(slot.opcode).unwrap_or_default()));
                        2
                    }
                    Some(Fidelity::External) => {
                        external.insert(name);
                        3
                    }
                    None => {
                        without.insert(name);
                        4
                    }
                };
                tables.entry(table(format, i)).or_default()[column] += 1;
            }
        }
    }
    println!("\n{:<10} {:>6} {:>6} {:>8} {:>8} {:>8}", "bodies", "exact", "approx", "disputed", "external", "none");
    for (name, [exact, approximate, disputed, external, none]) in tables {
        println!("{name:<10} {exact:>6} {approximate:>6} {disputed:>8} {external:>8} {none:>8}");
    }
    println!("disputed, with what the source states:");
    disputed.iter().for_each(|(name, dispute)| println!("  {name}: {dispute}"));
    println!("external, of which rows state what they read and write only:");
    external.iter().for_each(|name| println!("  {name}"));
    without.iter().for_each(|name| println!("WITHOUT A BODY: {name}"));
    without.len()
}

/// Prints for each row how closely its body describes what the instruction does.
fn print_rows<S: Isa>() {
    for format in S::tables().formats {
        for (i, component) in format.components.iter().enumerate() {
            for slot in component.slots {
                let fidelity = S::inst_tables().bodies.fidelity(slot.opcode);
                let fidelity = fidelity.map_or_else(|| "WITHOUT A BODY".into(), |f| f.to_string());
                let dispute = S::inst_tables()
                    .bodies
                    .dispute(slot.opcode)
                    .map_or_else(String::new, |dispute| format!(": {dispute}"));
                let name = component.text(slot.number);
                println!("{} {} {name} {fidelity}{dispute}", table(format, i), slot.number);
            }
        }
    }
}

/// Compares all sets that have a guide, also after one has failed.
pub fn run(args: &Args) -> Result<()> {
    if args.rows {
        print_rows::<rdna3::Rdna3>();
        print_rows::<rdna4::Rdna4>();
    }
    let rdna3 = compare::<rdna3::Rdna3>(&RDNA3, shared(RDNA3.rows));
    println!("\nRDNA4");
    let path = args.rdna4_guide.clone().or_else(|| shared(RDNA4.rows));
    rdna3.and(compare::<rdna4::Rdna4>(&RDNA4, path))
}

/// Prints the comparison; an error if a row of the guide is missing or a difference is not written down.
fn compare<S: Set<Mode = Wave>>(source: &Guide, path: Option<PathBuf>) -> Result<()> {
    let guide = path.map(|path| rows(&path)).transpose()?;
    let ours = ours::<S>();
    let llvm = llvm::<S>()?;
    let known = Disagreements::read(source.section);
    let mut tallies: BTreeMap<&str, Tally> = BTreeMap::new();
    let (mut missing, mut unnamed) = (0, 0);
    let mut report = Vec::new();
    let mut differ = |what: String, names: &[&str]| {
        let named = names.iter().any(|n| known.names(n));
        unnamed += usize::from(!named);
        report.push(format!("  {} {what}", if named { "named  " } else { "UNNAMED" }));
    };
    let mut at: BTreeSet<&(Table, u32)> = ours.keys().chain(llvm.keys()).collect();
    at.extend(guide.iter().flat_map(BTreeMap::keys));
    for key in at {
        let (table, number) = key;
        let tally = tallies.entry(table).or_default();
        let place = format!("{table} {number}");
        let ours = ours.get(key);
        tally.ours += usize::from(ours.is_some());
        if let Some(names) = guide.as_ref().and_then(|g| g.get(key)) {
            tally.guide += names.len();
            match ours {
                None => {
                    missing += 1;
                    differ(format!("{place}: the guide has {names:?}, we have no row"), &[]);
                }
                Some((name, text)) => {
                    for other in names.iter().filter(|n| *n != name) {
                        differ(format!("{place}: the guide has {other}, we have {name}"), &[other, name]);
                    }
                    for other in names.iter().filter(|n| *n == name && n.to_lowercase() != *text) {
                        differ(format!("{place}: the guide has {other}, we write {text}"), &[other, text]);
                    }
                }
            }
        } else if let (Some((name, text)), Some(_)) = (ours, &guide)
            // The guide's tables list opcodes, and this format has none.
            && table != "EXP"
        {
            differ(format!("{place}: we have {name}, the guide has nothing"), &[name, text]);
        }
        match (ours, llvm.get(key)) {
            (Some((name, text)), None) => differ(format!("{place}: we have {name}, LLVM has nothing"), &[name, text]),
            (row, Some(names)) => {
                tally.llvm += 1;
                for other in names.iter().filter(|n| row.is_none_or(|(_, text)| n.as_str() != *text)) {
                    let we = row.map_or("nothing", |(_, text)| *text);
                    differ(format!("{place}: LLVM has {other}, we have {we}"), &[other, we]);
                }
            }
            (None, None) => {}
        }
    }
    print_tables(&tallies, guide.is_some());
    println!("\ndifferences:");
    report.iter().for_each(|line| println!("{line}"));
    println!("{} differences, {unnamed} of them not named in docs/reference/disagreements.md", report.len());
    if !known.exists() {
        println!("docs/reference/disagreements.md is not there");
    }
    match guide {
        None => println!("LEFT OUT: the guide's tables, ../shared/{} is not there", source.rows),
        Some(_) => println!("{missing} rows of the guide are missing"),
    }
    let without = print_bodies::<S>();
    if missing + unnamed + without > 0 {
        bail!(
            "{missing} rows of the guide are missing, {unnamed} differences are not named, {without} rows have no body"
        );
    }
    Ok(())
}

fn print_tables(tallies: &BTreeMap<&str, Tally>, guide: bool) {
    println!("{:<10} {:>6} {:>6} {:>6}", "table", "guide", "ours", "LLVM");
    let mut total = Tally::default();
    let cell = |n: usize| if guide { n.to_string() } else { "-".into() };
    for (name, tally) in tallies {
        println!("{name:<10} {:>6} {:>6} {:>6}", cell(tally.guide), tally.ours, tally.llvm);
        total.guide += tally.guide;
        total.ours += tally.ours;
        total.llvm += tally.llvm;
    }
    println!("{:<10} {:>6} {:>6} {:>6}", "total", cell(total.guide), total.ours, total.llvm);
}

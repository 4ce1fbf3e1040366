//! The guide's opcode tables, ours, and LLVM's names, each against the others.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use anyhow::{Context, Result, bail};
use isa::Isa;
use isa::body::Fidelity;
use isa::tables::{Component, Format};
use isa_tests::paths::shared;
use rdna3::{Rdna3, Wave};

use crate::generate::{RowVariant, Words, space, targets};
use crate::names::{Disagreements, mnemonics};
use crate::oracle;
use crate::rng::Rng;

/// How many words are tried for each opcode number and wave size.
const TRIES: usize = 64;

/// A format, or one half of a dual-issue format, as the guide's tables name it.
type Table = String;

/// The names at each opcode number of each table.
type Rows = BTreeMap<(Table, u32), BTreeSet<String>>;

/// Our name of a table: the format, with -X or -Y for the halves of a pair.
fn table(format: &Format<Rdna3>, component: usize) -> Table {
    match (format.components.len(), component) {
        (1, _) => format.name.into(),
        (_, 0) => format!("{}-X", format.name),
        _ => format!("{}-Y", format.name),
    }
}

fn guide() -> Result<Option<Rows>> {
    let Some(path) = shared("spec/rdna3-opcode-rows.tsv") else {
        return Ok(None);
    };
    let mut rows = Rows::new();
    for line in fs::read_to_string(&path)?.lines().skip(1) {
        let mut columns = line.split('\t');
        let (Some(table), Some(number), Some(name)) = (columns.next(), columns.next(), columns.next()) else {
            bail!("{}: not three columns: {line}", path.display());
        };
        let number = number.parse().with_context(|| format!("{}: {line}", path.display()))?;
        rows.entry((table.into(), number)).or_default().insert(name.into());
    }
    Ok(Some(rows))
}

/// Returns our rows: the name that the guide should have, and the mnemonic in text. A half of a dual-issue pair refers to another
/// row, whose name is not the guide's name of the half, so it has only the text.
fn ours() -> BTreeMap<(Table, u32), (String, &'static str)> {
    let mut rows = BTreeMap::new();
    for format in Rdna3::formats() {
        for (i, component) in format.components.iter().enumerate() {
            for slot in component.slots {
                let name = match format.components.len() {
                    1 => Rdna3::mnemonics().get(usize::from(slot.opcode)).copied().unwrap_or_default().to_string(),
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
fn llvm() -> Result<Rows> {
    let (mut asked, mut places) = (Vec::new(), Vec::new());
    let targets = targets::<Rdna3>();
    for (at, format) in Rdna3::formats().iter().enumerate() {
        let here: Vec<&RowVariant<Rdna3>> = targets.iter().filter(|t| std::ptr::eq(t.format, format)).collect();
        for (i, component) in format.components.iter().enumerate() {
            for number in 0..1 << component.opcode.width() {
                let mut rng = Rng::named(u64::from(number), [format.name, &i.to_string()]);
                let own: Vec<&&RowVariant<Rdna3>> =
                    here.iter().filter(|t| t.component == i && u32::from(t.slot.number) == number).collect();
                for nth in 0..2 * TRIES {
                    let wave = if nth % 2 == 0 { Wave::W32 } else { Wave::W64 };
                    let mut words = template(format, &here, &own, (nth / 2, wave), &mut rng);
                    component.opcode.set(&mut words, number);
                    if space::<Rdna3>(&words) != Some(canonical(at)) {
                        continue;
                    }
                    asked.push((words, wave));
                    places.push((owner(at, i, &words), number, i));
                }
            }
        }
    }
    let mut rows = Rows::new();
    for (answer, (table, number, i)) in oracle::ask(&asked)?.iter().zip(places) {
        let name = answer.text().and_then(|text| mnemonics(text).nth(i));
        // The dword 0 is a separate instruction, whose bits other formats leave out.
        if let Some(name) = name.filter(|n| *n != "v_illegal" || table == "ILLEGAL") {
            rows.entry((table, number)).or_default().insert(name.into());
        }
    }
    Ok(rows)
}

/// Words to try a number with: of the row itself if there is one, of another row of the format, or random.
fn template(
    format: &Format<Rdna3>,
    here: &[&RowVariant<Rdna3>],
    own: &[&&RowVariant<Rdna3>],
    (nth, wave): (usize, Wave),
    rng: &mut Rng,
) -> Words {
    if nth % 2 == 0 && !own.is_empty() {
        own[nth / 2 % own.len()].words(wave, rng, nth % 4 == 0)
    } else if nth % 8 != 1 && !here.is_empty() {
        here[rng.below(here.len())].words(wave, rng, nth % 4 == 0)
    } else {
        let (mask, value) = format.fixed;
        std::array::from_fn(|i| rng.word() & !mask[i] | value[i])
    }
}

/// The first format with the same fixed bits: two formats may share an encoding and part its numbers among them.
fn canonical(at: usize) -> usize {
    let formats = Rdna3::formats();
    formats.iter().position(|f| f.fixed == formats[at].fixed).unwrap_or(at)
}

/// The table in which a number of a shared encoding belongs: the one that has a row there, else the first.
fn owner(at: usize, component: usize, words: &Words) -> Table {
    let formats = Rdna3::formats();
    let twins = || formats.iter().filter(|f| f.fixed == formats[at].fixed);
    let has = |c: &Component<Rdna3>| c.slots.iter().any(|s| u32::from(s.number) == c.opcode.get(words));
    let twin = twins().find(|f| f.components.get(component).is_some_and(has));
    table(twin.unwrap_or(&formats[canonical(at)]), component)
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
fn print_bodies() -> usize {
    let mut tables: BTreeMap<Table, [usize; 5]> = BTreeMap::new();
    let (mut external, mut disputed, mut without) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for format in Rdna3::formats() {
        for (i, component) in format.components.iter().enumerate() {
            for opcode in component.slots.iter().filter_map(|slot| Rdna3::opcode_at(slot.opcode)) {
                let column = match opcode.fidelity() {
                    Some(Fidelity::Exact) => 0,
                    Some(Fidelity::Within(_) | Fidelity::Approximate) => 1,
                    Some(Fidelity::Disputed) => {
                        disputed.insert((opcode.name(), opcode.dispute().unwrap_or_default()));
                        2
                    }
                    Some(Fidelity::External) => {
                        external.insert(opcode.name());
                        3
                    }
                    None => {
                        without.insert(opcode.name());
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
pub fn print_rows() {
    for format in Rdna3::formats() {
        for (i, component) in format.components.iter().enumerate() {
            for slot in component.slots {
                let Some(opcode) = Rdna3::opcode_at(slot.opcode) else { continue };
                let fidelity = opcode.fidelity().map_or_else(|| "WITHOUT A BODY".into(), |f| f.to_string());
                let dispute = opcode.dispute().map_or_else(String::new, |dispute| format!(": {dispute}"));
                println!("{} {} {opcode} {fidelity}{dispute}", table(format, i), slot.number);
            }
        }
    }
}

/// Prints the comparison; an error if a row of the guide is missing or a difference is not written down.
pub fn run() -> Result<()> {
    let guide = guide()?;
    let ours = ours();
    let llvm = llvm()?;
    let known = Disagreements::read();
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
        None => println!("LEFT OUT: the guide's table, ../shared/spec/rdna3-opcode-rows.tsv is not there"),
        Some(_) => println!("{missing} rows of the guide are missing"),
    }
    let without = print_bodies();
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

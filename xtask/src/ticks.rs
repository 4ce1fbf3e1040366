//! The tick tables of GCN, from the texts of `../shared/spec`, against our rows: every ticked cell has one, no other has.

use std::collections::BTreeMap;
use std::fs;

use anyhow::{Context, Result, bail};
use isa::Isa;
use isa_tests::paths::shared;
use isa_tests::sets::Set;

/// The names of the opcodes of a format in a generation.
type Cells = BTreeMap<(&'static str, u32), String>;

/// The generations in the order of the tables of MUBUF, by their names in the crate.
const GENERATIONS: [&str; 4] = ["gcn1_0", "gcn1_1", "gcn1_2", "gcn1_4"];

/// Where the texts stand.
const MUBUF: &str = "spec/gcn-mubuf.md";
const SMEM: &str = "spec/gcn-smem.txt";

/// `15 (0xf)   |       |   ✓   | BUFFER_LOAD_DWORDX3`: opcode, ticks, mnemonic.
fn mubuf_row(line: &str) -> Option<(u32, [bool; 2], &str)> {
    let mut columns = line.split('|').map(str::trim);
    let number = columns.next()?.split(' ').next()?.parse().ok()?;
    let mut tick = || columns.next().map(|c| c.contains('✓'));
    Some((number, [tick()?, tick()?], columns.next()?))
}

/// The ticked cells of the two tables of MUBUF, of 1.0 and 1.1 and of 1.2 and 1.4.
fn mubuf(text: &str, cells: &mut BTreeMap<&str, Cells>) -> Result<()> {
    let tables: Vec<&str> = text.split("instructions by opcode (GCN").skip(1).collect();
    if tables.len() != 2 {
        bail!("../shared/{MUBUF} has {} tables of opcodes instead of two", tables.len());
    }
    for (table, generations) in tables.iter().zip(GENERATIONS.chunks(2)) {
        let end = table.find("\n#").unwrap_or(table.len());
        for (number, ticks, name) in table.get(..end).unwrap_or_default().lines().filter_map(mubuf_row) {
            for (generation, _) in generations.iter().zip(ticks).filter(|(_, tick)| *tick) {
                cells.entry(generation).or_default().insert(("MUBUF", number), name.into());
            }
        }
    }
    Ok(())
}

/// The rows of SMEM. The text lost its ticks: a row is in GCN 1.2 too unless its section says that it is not. Rows 24 to
/// 26 are stores, as their sections have them.
fn smem(text: &str, cells: &mut BTreeMap<&str, Cells>) -> Result<()> {
    let (_, list) = text.split_once("instructions by opcode").context("no list of opcodes")?;
    let (list, sections) = list.split_once("Instruction set\n").context("no sections of instructions")?;
    let lines: Vec<&str> = sections.lines().filter(|l| !l.is_empty()).collect();
    let late: Vec<&str> = lines
        .windows(2)
        .filter(|w| w[1].starts_with("Opcode:") && w[1].contains("only for GCN 1.4"))
        .map(|w| w[0])
        .collect();
    for line in list.lines() {
        let mut words = line.split(' ');
        let (Some(Ok(number)), Some(_), Some(name)) = (words.next().map(str::parse::<u32>), words.next(), words.next())
        else {
            continue;
        };
        let name = if matches!(number, 24..=26) { name.replace("LOAD", "STORE") } else { name.into() };
        if !late.contains(&name.as_str()) {
            cells.entry("gcn1_2").or_default().insert(("SMEM", number), name.clone());
        }
        cells.entry("gcn1_4").or_default().insert(("SMEM", number), name);
    }
    Ok(())
}

/// Our rows and their words.
fn ours<S: Isa>() -> BTreeMap<(&'static str, u32), (&'static str, u128)> {
    let mut rows = BTreeMap::new();
    for format in S::tables().formats {
        for component in format.components {
            for slot in component.slots {
                let name = S::tables().mnemonics.get(usize::from(slot.opcode)).copied().unwrap_or_default();
                let words = component.shapes.get(usize::from(slot.shape)).map_or(0, isa::tables::Shape::flags);
                rows.insert((format.name, u32::from(slot.number)), (name, words));
            }
        }
    }
    rows
}

/// Prints the comparison; an error if a ticked cell has no row, or a row has no tick and is not marked as LLVM's.
pub fn run() -> Result<()> {
    let (Some(mubuf_text), Some(smem_text)) = (shared(MUBUF), shared(SMEM)) else {
        println!("LEFT OUT: the tables of GCN, ../shared/{MUBUF} and ../shared/{SMEM} are not both there");
        return Ok(());
    };
    let mut cells = BTreeMap::new();
    mubuf(&fs::read_to_string(mubuf_text)?, &mut cells)?;
    smem(&fs::read_to_string(smem_text)?, &mut cells)?;
    println!("\n{:<8} {:>7} {:>6} {:>9} {:>10}", "GCN", "ticked", "rows", "unlisted", "LLVM lacks");
    let mut wrong = 0;
    isa_tests::each_gcn_set!(S => {
        if let Some(generation) = <S as Isa>::generation() {
            wrong += compare::<S>(generation, cells.get(generation).context("a generation without a table")?);
        }
    });
    if wrong == 0 { Ok(()) } else { bail!("{wrong} cells of GCN's tables and our rows differ") }
}

fn compare<S: Set>(generation: &str, ticked: &Cells) -> usize {
    let ours = ours::<S>();
    let mut wrong = 0;
    let mut say = |what: String| {
        println!("  {generation} {what}");
        wrong += 1;
    };
    for ((format, number), name) in ticked {
        match ours.get(&(*format, *number)) {
            Some((ours, _)) if ours == name => {}
            Some((ours, _)) => say(format!("{format} {number}: the text has {name}, we have {ours}")),
            None => say(format!("{format} {number}: the text has {name}, we have no row")),
        }
    }
    let marked = |word: u128| ours.values().filter(|(_, words)| words & word != 0).count();
    for ((format, number), (name, words)) in &ours {
        let unlisted = words & gcn::flags::UNLISTED != 0;
        if unlisted == ticked.contains_key(&(*format, *number)) {
            let what = if unlisted { "is marked as unlisted and has a tick" } else { "has no tick" };
            say(format!("{format} {number}: {name} {what}"));
        }
    }
    let (unlisted, lacks) = (marked(gcn::flags::UNLISTED), marked(gcn::flags::LLVM_LACKS));
    println!("{generation:<8} {:>7} {:>6} {unlisted:>9} {lacks:>10}", ticked.len(), ours.len());
    wrong
}

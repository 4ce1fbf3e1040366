//! Blocks that cover several generations of a set: what each of them is in one generation, where it is a block like
//! any other.

use std::collections::HashSet;

use crate::check::listed;
use crate::fault::{Fault, Faults};
use crate::tree::{Block, Fact, Field, Row, Text, What};

/// The names of a field and of what it carries.
fn names(field: &Field) -> impl Iterator<Item = String> {
    let carried = match &field.what {
        What::Carrier(carrier) => &carrier.names[..],
        _ => &[],
    };
    std::iter::once(&field.name).chain(carried.iter().map(|(_, name)| name)).map(ToString::to_string)
}

/// A block as it is in one of its generations: its fields, the rows that have a number there, and of these the roles
/// that it carries. A row has the generation's name among its words.
pub fn of(block: &Block, generation: &Text) -> Block {
    let Some(column) = block.generations.iter().position(|g| g == generation) else { return block.clone() };
    let mut one = block.clone();
    let (here, others): (Vec<Field>, Vec<Field>) =
        one.fields.into_iter().partition(|f| f.within.is_empty() || f.within.contains(generation));
    let known: HashSet<String> = here.iter().flat_map(names).collect();
    one.fields = here;
    one.elsewhere = others.iter().flat_map(names).filter(|name| !known.contains(name)).collect();
    let absent = |name: &Text| one.elsewhere.iter().any(|other| name == other);
    one.tails.retain_mut(|tail| {
        let announced = !tail.when.is_empty();
        tail.when.retain(|(field, _)| !absent(field));
        !(announced && tail.when.is_empty())
    });
    let in_column = |mut row: Row| {
        row.number = row.columns.get(if row.columns.len() == 1 { 0 } else { column }).cloned().flatten()?;
        row.roles.retain(|role| !absent(&role.name));
        row.fix.retain(|(field, _)| !absent(field));
        row.words.push(generation.clone());
        for fact in std::mem::take(&mut row.within) {
            match fact.what {
                _ if !fact.generations.contains(generation) => {}
                Fact::Word(word) => row.words.push(word),
                Fact::Alias(alias) => row.alias = Some(alias),
            }
        }
        Some(row)
    };
    one.rows = one.rows.into_iter().filter_map(in_column).collect();
    one
}

/// The blocks of a set in one generation. What names a block that is not there goes with it.
pub fn blocks(all: &[Block], generation: &Text) -> Vec<Block> {
    let (here, others): (Vec<&Block>, Vec<&Block>) =
        all.iter().partition(|b| b.generations.is_empty() || b.generations.contains(generation));
    let absent = |name: &Text| others.iter().any(|b| b.name == *name) && !here.iter().any(|b| b.name == *name);
    let mut blocks: Vec<Block> = here.iter().map(|block| of(block, generation)).collect();
    for block in &mut blocks {
        block.tails.retain(|tail| !absent(&tail.name));
        block.rides.retain(|rides| !absent(&rides.name));
        for row in &mut block.rows {
            row.no.retain(|name| !absent(name));
        }
    }
    blocks
}

/// A block without generations has one column and no field `in` one.
pub fn none(block: &Block, faults: &mut Faults) {
    let head = if block.tail {
        format!("tail {}", block.name)
    } else {
        format!("format {}: {}", block.name, block.width.value)
    };
    let of_rows = block.rows.iter().flat_map(|r| &r.within).filter_map(|w| w.generations.first());
    for generation in block.fields.iter().filter_map(|f| f.within.first()).chain(of_rows) {
        let say = format!("{} covers no generations: name them at its head, `{head} of {generation}`", block.name);
        faults.say(generation.span(), say);
    }
    for row in &block.rows {
        if row.columns.len() != 1 || row.columns[0].is_none() {
            let say = format!(
                "{} covers no generations, so a row has one number: write one, or name them at its head, `{head} of A, B`",
                block.name
            );
            faults.say(row.number.span, say);
        }
    }
}

/// Names of generations, and a column for each of them or one for all.
pub fn columns(block: &Block, faults: &mut Faults) {
    let mut seen = HashSet::new();
    for generation in block.generations.iter().filter(|g| !seen.insert(*g)) {
        faults.say(generation.span(), format!("`{generation}` is named already: name each generation once"));
    }
    let known = listed(&block.generations);
    let of_rows = block.rows.iter().flat_map(|r| &r.within).map(|w| &w.generations);
    for within in block.fields.iter().map(|f| &f.within).chain(of_rows) {
        let mut seen = HashSet::new();
        for generation in within {
            if !block.generations.contains(generation) {
                let say = format!("`{generation}` is no generation of {}: its generations are {known}", block.name);
                faults.say(generation.span(), say);
            } else if !seen.insert(generation) {
                faults.say(generation.span(), format!("`{generation}` is named already: name each generation once"));
            }
        }
    }
    let count = block.generations.len();
    for row in &block.rows {
        let columns = row.columns.len();
        if columns != 1 && columns != count {
            let say = format!(
                "{} has {columns} columns, {} has {count} ({known}): write a number for each, `-` where the row is not there, or one for all",
                row.name.as_str(),
                block.name
            );
            faults.say(row.number.span, say);
        } else if row.columns.iter().all(Option::is_none) {
            let say = format!(
                "{} is in no generation: write its number in a column, or leave the row out",
                row.name.as_str()
            );
            faults.say(row.number.span, say);
        }
        if let Some(word) = row.words.iter().find(|w| block.generations.contains(w)) {
            let say = format!("`{word}` is a generation, which the row's columns name: leave the word out");
            faults.say(word.span(), say);
        }
    }
}

/// Adds what is wrong in single generations: said once, and of which it is true where that is not all.
pub fn merge(found: Vec<(&Text, Faults)>, faults: &mut Faults) {
    let count = found.len();
    let mut all: Vec<(Fault, Vec<&Text>)> = Vec::new();
    for (generation, found) in &found {
        for fault in found.all() {
            let key = fault.key();
            match all.iter_mut().find(|(other, _)| other.key() == key) {
                Some((_, of)) => of.push(generation),
                None => all.push((fault.clone(), vec![generation])),
            }
        }
    }
    for (fault, of) in all {
        faults.add(if of.len() == count { fault } else { said_of(&fault, &of) });
    }
}

/// A fault of some generations.
fn said_of(fault: &Fault, of: &[&Text]) -> Fault {
    let names: Vec<String> = of.iter().map(ToString::to_string).collect();
    Fault::new(fault.span, format!("in {}: {}", names.join(", "), fault.text))
}

/// What is wrong with a set of one generation.
pub fn named(found: Faults, generation: &Text) -> Faults {
    let mut faults = Faults::default();
    for fault in found.all() {
        faults.add(said_of(fault, &[generation]));
    }
    faults
}

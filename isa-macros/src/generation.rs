//! Blocks that cover several generations of a set: what each of them is in one generation, where it is a block like
//! any other.

use std::collections::HashSet;

use proc_macro2::Ident;

use crate::check::{Faults, listed};
use crate::parse::{Block, Fact, Field, Row, What};

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
pub fn of(block: &Block, generation: &Ident) -> Block {
    let Some(column) = block.generations.iter().position(|g| g == generation) else { return block.clone() };
    let mut one = block.clone();
    let (here, others): (Vec<Field>, Vec<Field>) =
        one.fields.into_iter().partition(|f| f.within.is_empty() || f.within.contains(generation));
    let known: HashSet<String> = here.iter().flat_map(names).collect();
    one.fields = here;
    one.elsewhere = others.iter().flat_map(names).filter(|name| !known.contains(name)).collect();
    let absent = |name: &Ident| one.elsewhere.iter().any(|other| name == other);
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
pub fn blocks(all: &[Block], generation: &Ident) -> Vec<Block> {
    let (here, others): (Vec<&Block>, Vec<&Block>) =
        all.iter().partition(|b| b.generations.is_empty() || b.generations.contains(generation));
    let absent = |name: &Ident| others.iter().any(|b| b.name == *name) && !here.iter().any(|b| b.name == *name);
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
                row.name.text, block.name
            );
            faults.say(row.number.span, say);
        } else if row.columns.iter().all(Option::is_none) {
            let say =
                format!("{} is in no generation: write its number in a column, or leave the row out", row.name.text);
            faults.say(row.number.span, say);
        }
        if let Some(word) = row.words.iter().find(|w| block.generations.contains(w)) {
            let say = format!("`{word}` is a generation, which the row's columns name: leave the word out");
            faults.say(word.span(), say);
        }
    }
}

/// Adds what is wrong in single generations: said once, and of which it is true where that is not all.
pub fn merge(found: Vec<(&Ident, Faults)>, faults: &mut Faults) {
    let count = found.len();
    let mut all: Vec<(syn::Error, Vec<&Ident>)> = Vec::new();
    for (generation, found) in found {
        for error in found.result().err().into_iter().flatten() {
            let same = |e: &syn::Error| {
                format!("{:?}", e.span()) == format!("{:?}", error.span()) && e.to_string() == error.to_string()
            };
            match all.iter_mut().find(|(e, _)| same(e)) {
                Some((_, of)) => of.push(generation),
                None => all.push((error, vec![generation])),
            }
        }
    }
    for (error, of) in all {
        faults.add(if of.len() == count { error } else { said_of(&error, &of) });
    }
}

/// A fault of some generations.
fn said_of(error: &syn::Error, of: &[&Ident]) -> syn::Error {
    let names: Vec<String> = of.iter().map(ToString::to_string).collect();
    syn::Error::new(error.span(), format!("in {}: {error}", names.join(", ")))
}

/// What is wrong with a set of one generation.
pub fn named(errors: syn::Error, generation: &Ident) -> syn::Error {
    let mut faults = Faults::default();
    for error in errors {
        faults.add(said_of(&error, &[generation]));
    }
    faults.result().err().unwrap_or_else(|| syn::Error::new(generation.span(), ""))
}

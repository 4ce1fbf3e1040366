//! What a block can be refused for by itself: its bits, its opcode numbers, its names.

use std::collections::{HashMap, HashSet};

use proc_macro2::Span;

use crate::fault::Faults;
use crate::generation;
use crate::names::NO_NAMES;
use crate::template;
use crate::tree::{Block, Field, Row, Run, Text, What};

/// The widest opcode field: tables are indexed by the opcode's number.
const MOST_OPCODE_BITS: u32 = 16;

/// Words that rows and conditions have already.
const OWN_WORDS: [&str; 10] = ["no", "always", "bare", "as", "also", "text", "only", "fix", "rider", "is"];

/// Methods of the generated structs that an accessor would clash with.
const OWN_METHODS: [&str; 3] = ["words", "raw", "opcode"];

/// Checks one block; of several generations each.
pub fn block(block: &Block) -> Result<(), Faults> {
    let mut faults = block.read.faults.clone();
    if block.generations.is_empty() {
        one_layout(block, &mut faults);
        generation::none(block, &mut faults);
        return faults.result();
    }
    generation::columns(block, &mut faults);
    let mut all = Vec::new();
    for name in &block.generations {
        let mut found = Faults::default();
        one_layout(&generation::of(block, name), &mut found);
        all.push((name, found));
    }
    generation::merge(all, &mut faults);
    faults.result()
}

/// Checks a block with one layout and one number for each row.
fn one_layout(block: &Block, faults: &mut Faults) {
    bits(block, faults);
    field_names(block, faults);
    components(block, faults);
    opcodes(block, faults);
    words(block, faults);
    texts(block, faults);
    tails(block, faults);
    for row in &block.rows {
        roles(block, row, faults);
    }
    if block.tail {
        tail_block(block, faults);
    }
}

/// The number of bits that a field holds.
pub fn width(field: &Field) -> u32 {
    field.bits.iter().map(|r| r.hi - r.lo + 1).sum()
}

/// The largest number that fits in `width` bits.
pub fn most(width: u32) -> u64 {
    1u64.checked_shl(width).map_or(u64::MAX, |n| n - 1)
}

/// `3 bits`, `1 bit`.
pub fn count(n: u32) -> String {
    if n == 1 { "1 bit".into() } else { format!("{n} bits") }
}

fn bits(block: &Block, faults: &mut Faults) {
    let size = block.width.value as u32;
    let mut owner: Vec<Option<&Field>> = vec![None; size as usize];
    for field in &block.fields {
        for run in &field.bits {
            run_bits(block, field, run, &mut owner, faults);
        }
        widths(field, faults);
    }
    let free: Vec<u32> = (0..size).rev().filter(|&b| owner[b as usize].is_none()).collect();
    if free.is_empty() || block.read.fields_lost {
        return;
    }
    let list = runs(&free);
    let which = if let [one] = free[..] { format!("bit {one} is") } else { format!("bits {list} are") };
    let say = format!("{which} in no field of {}: name them, or write `RESERVED [{list}] reserved,`", block.name);
    faults.say(block.name.span(), say);
}

/// Bits, the highest first, as a field lists them: `31:26, 7`.
fn runs(bits: &[u32]) -> String {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for &bit in bits {
        match runs.last_mut() {
            Some((_, lo)) if *lo == bit + 1 && *lo != 32 => *lo = bit,
            _ => runs.push((bit, bit)),
        }
    }
    let one = |&(hi, lo): &(u32, u32)| if hi == lo { hi.to_string() } else { format!("{hi}:{lo}") };
    runs.iter().map(one).collect::<Vec<_>>().join(", ")
}

fn run_bits<'a>(block: &Block, field: &'a Field, run: &Run, owner: &mut [Option<&'a Field>], faults: &mut Faults) {
    let size = owner.len() as u32;
    let Run { hi, lo, span } = *run;
    if hi >= size {
        let say = format!(
            "bit {hi} is outside the {size} bits of {}: they are numbered from {} down to 0",
            block.name,
            size - 1
        );
        faults.say(span, say);
    } else if hi / 32 != lo / 32 {
        let say =
            format!("[{hi}:{lo}] crosses a dword: list the part of each dword, the higher first: [{hi}:32, 31:{lo}]");
        faults.say(span, say);
    }
    // Bits that are counted in spite of a fault are not missed once more.
    let mut shared: Option<&Field> = None;
    let mut which = Vec::new();
    for bit in (lo..=hi.min(size - 1)).rev() {
        match owner[bit as usize] {
            Some(other) if shared.is_none_or(|s| std::ptr::eq(s, other)) => {
                shared = Some(other);
                which.push(bit);
            }
            Some(_) => {}
            None => owner[bit as usize] = Some(field),
        }
    }
    if let Some(other) = shared {
        let (bits, verb) = if which.len() == 1 { ("bit", "is") } else { ("bits", "are") };
        let say = format!(
            "{bits} {} of {} {verb} in {} already: give each bit to one field",
            runs(&which),
            field.name,
            other.name
        );
        faults.say(span, say);
    }
}

/// A field holds what it should hold, and a number that the tables can keep.
fn widths(field: &Field, faults: &mut Faults) {
    let width = width(field);
    if width == 0 {
        return;
    }
    let (value, span) = match &field.what {
        What::Fixed(n) => (n.value, n.span),
        What::Reserved(n) => (*n, field.value.unwrap_or(field.name.span())),
        What::Carrier(c) => (c.otherwise, field.value.unwrap_or(field.name.span())),
        What::Opcode(_) => (0, field.name.span()),
    };
    if value > most(width) {
        let say = format!(
            "{value:#b} does not fit the {} of {}: write at most {width} binary digits",
            count(width),
            field.name
        );
        faults.say(span, say);
    }
    match &field.what {
        What::Opcode(_) if width > MOST_OPCODE_BITS => {
            let say = format!(
                "an opcode has at most {MOST_OPCODE_BITS} bits, {} has {width}: make the others a field of their own",
                field.name
            );
            faults.say(field.name.span(), say);
        }
        What::Carrier(_) if width > 32 => {
            let say = format!("{} has {width} bits, but a code has at most 32: make it two fields", field.name);
            faults.say(field.name.span(), say);
        }
        _ => {}
    }
}

fn field_names(block: &Block, faults: &mut Faults) {
    let mut names = HashMap::new();
    for field in block.fields.iter().filter(|f| !f.bits.is_empty()) {
        let name = field.name.to_string().to_lowercase();
        // An opcode field called OPCODE has an accessor of another name.
        let accessor = match &field.what {
            What::Carrier(_) => OWN_METHODS.contains(&name.as_str()),
            What::Opcode(_) => name != "opcode" && OWN_METHODS.contains(&name.as_str()),
            _ => false,
        };
        if accessor {
            let say = format!("every instruction has a method `{name}` already: give the field another name");
            faults.say(field.name.span(), say);
        }
        if matches!(field.what, What::Carrier(_) | What::Opcode(_)) && NO_NAMES.contains(&name.as_str()) {
            let say = format!("Rust lets no method be called `{name}`: give the field another name");
            faults.say(field.name.span(), say);
        }
        if let Some(other) = names.insert(name, &field.name) {
            let say = format!(
                "{} has a field {other} already: list all its runs there, `{other} [high, low]`, or give this one another name",
                block.name
            );
            faults.say(field.name.span(), say);
        }
    }
}

/// `x, y`, or that there are none.
pub fn listed<'a>(names: impl IntoIterator<Item = &'a Text>) -> String {
    let names: Vec<String> = names.into_iter().map(|n| format!("`{n}`")).collect();
    if names.is_empty() { "none".into() } else { names.join(", ") }
}

/// Fields and rows name a component where the format has some, and only there.
fn components(block: &Block, faults: &mut Faults) {
    let mut check = |named: Option<&Text>, span: Span, what: &str, how: &str| match named {
        Some(name) if block.components.is_empty() => {
            let say = format!(
                "{} has no components: leave `{name}` out, or write `components {name} \" :: \" y;`",
                block.name
            );
            faults.say(name.span(), say);
        }
        Some(name) if !block.components.contains(name) => {
            let say =
                format!("`{name}` is no component of {}: its components are {}", block.name, listed(&block.components));
            faults.say(name.span(), say);
        }
        None if !block.components.is_empty() => {
            let say = format!("{what} of {} names its component ({}): `{how}`", block.name, listed(&block.components));
            faults.say(span, say);
        }
        _ => {}
    };
    if block.read.clauses_lost {
        return;
    }
    for field in &block.fields {
        match &field.what {
            What::Opcode(c) => {
                check(c.as_ref(), field.name.span(), "an opcode field", &format!("{} [bits] = opcode x", field.name));
            }
            What::Carrier(c) => {
                let how = c.names.first().map_or_else(String::new, |(_, role)| format!("x.{role}: Kind"));
                check(c.component.as_ref(), field.name.span(), "a field", &how);
            }
            What::Fixed(_) | What::Reserved(_) => {}
        }
    }
    for row in &block.rows {
        check(row.component.as_ref(), row.number.span, "a row", &format!("x {} => …", row.number.value));
    }
}

fn opcodes(block: &Block, faults: &mut Faults) {
    let mut fields: HashMap<Option<String>, &Field> = HashMap::new();
    for field in &block.fields {
        let What::Opcode(component) = &field.what else { continue };
        if let Some(other) = fields.insert(component.as_ref().map(ToString::to_string), field) {
            let say = format!("{} is the opcode already: list all its runs there, the highest part first", other.name);
            faults.say(field.name.span(), say);
        }
    }
    let mut numbers = HashMap::new();
    let mut names = HashSet::new();
    let mut without = HashSet::new();
    for row in &block.rows {
        let component = row.component.as_ref().map(ToString::to_string);
        if names.replace((component.clone(), row.name.to_string())).is_some() {
            let say = format!("{} has a row in this block already: one row for each mnemonic", row.name.as_str());
            faults.say(row.name.span(), say);
        }
        let known = row.component.as_ref().map_or(block.components.is_empty(), |c| block.components.contains(c));
        let Some(field) = fields.get(&component) else {
            // A format of a single instruction needs no opcode field.
            let single = block.rows.len() == 1 && row.number.value == 0;
            if !single && known && !block.read.fields_lost && without.insert(component) {
                let of = row.component.as_ref().map_or_else(String::new, |c| format!(" {c}"));
                let say = format!(
                    "{} has no opcode field for this row: write `OP [bits] = opcode{of},` in its fields",
                    block.name
                );
                faults.say(row.number.span, say);
            }
            continue;
        };
        let bits = width(field);
        if row.number.value > most(bits) {
            let say = format!(
                "opcode {} of {} does not fit the {} of {}, which end at {}",
                row.number.value,
                row.name.as_str(),
                count(bits),
                field.name,
                most(bits)
            );
            faults.say(row.number.span, say);
        }
        if let Some(other) = numbers.insert((component.clone(), row.number.value), row.name.as_str()) {
            let say =
                format!("opcode {} is already {other}: give {} its own number", row.number.value, row.name.as_str());
            faults.say(row.number.span, say);
        }
    }
}

fn words(block: &Block, faults: &mut Faults) {
    let mut declared = HashSet::new();
    for word in &block.words {
        let text = word.to_string();
        if OWN_WORDS.contains(&text.as_str()) {
            faults.say(word.span(), format!("`{text}` is a word of the language: declare another one"));
        } else if !declared.insert(text.to_lowercase()) {
            faults.say(word.span(), format!("`{text}` is declared already: declare each word once"));
        }
    }
    for word in block.rows.iter().flat_map(|r| &r.words) {
        if !block.words.contains(word) && !block.read.clauses_lost {
            faults.say(word.span(), format!("`{word}` is no word of {}: declare it with `words {word};`", block.name));
        }
    }
}

fn texts(block: &Block, faults: &mut Faults) {
    let own = block.rows.iter().filter_map(|r| r.text.as_ref());
    for text in block.texts.iter().map(|t| &t.text).chain(own) {
        if let Err(fault) = template::pieces(text) {
            faults.add(fault);
        }
    }
    let mut unconditional = false;
    for clause in &block.texts {
        if unconditional {
            let say = "no row gets this text: the one before it has no condition. Write those with `if` first";
            faults.say(clause.text.span(), say);
        }
        unconditional |= clause.cond.is_none();
    }
}

/// The codes that announce tails.
fn tails(block: &Block, faults: &mut Faults) {
    let mut codes = HashMap::new();
    let mut names = HashSet::new();
    for clause in &block.tails {
        if !names.insert(&clause.name) {
            let say =
                format!("the tail {0} has a clause already: join them, `tail {0} when F == n | G == m;`", clause.name);
            faults.say(clause.name.span(), say);
        }
        for (name, code) in &clause.when {
            let Some(field) = block.fields.iter().find(|f| f.name == *name && !f.bits.is_empty()) else {
                if !block.read.fields_lost {
                    let say = format!(
                        "{} has no field {name}: a tail follows when one of its fields holds a code",
                        block.name
                    );
                    faults.say(name.span(), say);
                }
                continue;
            };
            if field.bits.len() > 1 {
                let say = format!("{name} is in several runs: a tail is announced by a field of one run");
                faults.say(name.span(), say);
            } else if code.value > most(width(field)) {
                let say = format!(
                    "{} does not fit the {} of {name}: no word announces this tail",
                    code.value,
                    count(width(field))
                );
                faults.say(code.span, say);
            }
            if let Some(other) = codes.insert((name, code.value), &clause.name)
                && other != &clause.name
            {
                let say = format!("{name} == {} announces {other} already: give each code one tail", code.value);
                faults.say(code.span, say);
            }
        }
    }
}

/// A row lists each role once, and of the roles that share a field one.
fn roles(block: &Block, row: &Row, faults: &mut Faults) {
    for (i, role) in row.roles.iter().enumerate() {
        let before = &row.roles[..i];
        if before.iter().any(|r| r.name == role.name) {
            faults.say(
                role.name.span(),
                format!("{} lists `{}` already: give each role once", row.name.as_str(), role.name),
            );
            continue;
        }
        let carry = |f: &Field, name: &Text| match &f.what {
            What::Carrier(c) => c.names.iter().any(|(_, n)| n == name),
            _ => false,
        };
        let shared = block.fields.iter().find_map(|f| {
            let other = before.iter().find(|r| carry(f, &r.name) && carry(f, &role.name))?;
            // Another field may carry one of the two.
            let elsewhere = |name: &Text| block.fields.iter().any(|g| !std::ptr::eq(f, g) && carry(g, name));
            (!f.bits.is_empty() && !elsewhere(&other.name) && !elsewhere(&role.name)).then_some((f, other))
        });
        if let Some((field, other)) = shared {
            let say = format!(
                "{} carries `{}` or `{}`, not both: list one of them, or give each a field",
                field.name, other.name, role.name
            );
            faults.say(role.name.span(), say);
        }
    }
    for (name, value) in &row.fix {
        let Some(field) = block.fields.iter().find(|f| f.name == *name) else { continue };
        if value.value > most(width(field)) {
            let say = format!("{} does not fit the {} of {name}", value.value, count(width(field)));
            faults.say(value.span, say);
        }
    }
}

/// A tail has fields and a text; the rows are the formats'.
fn tail_block(block: &Block, faults: &mut Faults) {
    let mut refuse = |span: Span, what: &str| {
        let say = format!("{} is a tail, which has no {what}: write it in the formats that it follows", block.name);
        faults.say(span, say);
    };
    if let Some(row) = block.rows.first() {
        refuse(row.number.span, "rows");
    }
    for field in &block.fields {
        if let What::Opcode(_) = field.what {
            refuse(field.name.span(), "opcode");
        }
    }
    for (name, what) in block
        .tails
        .iter()
        .map(|t| (&t.name, "tails"))
        .chain(block.rides.iter().map(|r| (&r.name, "riders")))
        .chain(block.only.iter().map(|o| (o, "mode")))
        .chain(block.components.first().map(|c| (c, "components")))
    {
        refuse(name.span(), what);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_join_neighbours_inside_a_dword() {
        assert_eq!(runs(&[7]), "7");
        assert_eq!(runs(&[9, 8, 7, 3, 1, 0]), "9:7, 3, 1:0");
        assert_eq!(runs(&[34, 33, 32, 31, 30]), "34:32, 31:30");
    }

    #[test]
    fn the_largest_number_of_a_width() {
        assert_eq!([1, 8, 32, 63].map(most), [1, 255, 0xffff_ffff, u64::MAX >> 1]);
        assert_eq!(most(64), u64::MAX);
    }
}

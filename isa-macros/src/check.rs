//! What a block can be refused for by itself: its bits, its opcode numbers, its names.

use std::collections::HashMap;

use crate::parse::{Block, Field, What};

/// Collects faults, so that one run reports them all.
#[derive(Default)]
pub struct Faults(Option<syn::Error>);

impl Faults {
    pub fn say(&mut self, span: proc_macro2::Span, text: impl std::fmt::Display) {
        self.add(syn::Error::new(span, text));
    }

    pub fn add(&mut self, error: syn::Error) {
        match &mut self.0 {
            Some(all) => all.combine(error),
            None => self.0 = Some(error),
        }
    }

    pub fn result(self) -> syn::Result<()> {
        self.0.map_or(Ok(()), Err)
    }
}

/// Checks one block.
pub fn block(block: &Block) -> syn::Result<()> {
    let mut faults = Faults::default();
    bits(block, &mut faults);
    opcodes(block, &mut faults);
    faults.result()
}

/// The number of bits that a field holds.
pub fn width(field: &Field) -> u32 {
    field.bits.iter().map(|r| r.hi - r.lo + 1).sum()
}

/// The largest number that fits in `width` bits.
fn most(width: u32) -> u64 {
    1u64.checked_shl(width).map_or(u64::MAX, |n| n - 1)
}

fn bits(block: &Block, faults: &mut Faults) {
    let size = block.width.value as u32;
    let mut owner: Vec<Option<&Field>> = vec![None; size as usize];
    for field in &block.fields {
        for run in &field.bits {
            if run.hi >= size {
                faults.say(run.span, format!("bit {} is outside the {size} bits of {}", run.hi, block.name));
                continue;
            }
            if run.hi / 32 != run.lo / 32 {
                let say =
                    format!("[{}:{}] crosses a dword: list the part of each dword, the higher first", run.hi, run.lo);
                faults.say(run.span, say);
            }
            for bit in run.lo..=run.hi {
                if let Some(other) = owner[bit as usize] {
                    let say =
                        format!("bit {bit} of {} is already in {}: give each bit to one field", field.name, other.name);
                    faults.say(run.span, say);
                    break;
                }
                owner[bit as usize] = Some(field);
            }
        }
        let value = match &field.what {
            What::Fixed(n) => Some((n.value, n.span)),
            What::Reserved(n) => Some((*n, field.name.span())),
            What::Carrier(c) => Some((c.otherwise, field.name.span())),
            What::Opcode(_) => None,
        };
        let width = width(field);
        if let Some((value, span)) = value
            && !field.bits.is_empty()
            && value > most(width)
        {
            let say =
                format!("{value:#b} does not fit the {width} bits of {}: write {width} binary digits", field.name);
            faults.say(span, say);
        }
    }
    let free: Vec<usize> = (0..owner.len()).filter(|&b| owner[b].is_none()).collect();
    if let (Some(first), Some(last)) = (free.first(), free.last()) {
        let which = if free.len() == 1 {
            format!("bit {first} is")
        } else {
            format!("{} bits from {last} to {first} are", free.len())
        };
        let say =
            format!("{which} in no field of {}: name them, or write `RESERVED [{last}:{first}] reserved,`", block.name);
        faults.say(block.name.span(), say);
    }
}

fn opcodes(block: &Block, faults: &mut Faults) {
    let fields: Vec<(Option<String>, &Field)> = block
        .fields
        .iter()
        .filter_map(|f| match &f.what {
            What::Opcode(c) => Some((c.as_ref().map(ToString::to_string), f)),
            _ => None,
        })
        .collect();
    let mut numbers = HashMap::new();
    let mut names = HashMap::new();
    for row in &block.rows {
        let component = row.component.as_ref().map(ToString::to_string);
        let Some((_, field)) = fields.iter().find(|(c, _)| *c == component) else {
            // A format of a single instruction needs no opcode field.
            if block.rows.len() == 1 && row.number.value == 0 {
                continue;
            }
            let say =
                format!("{} has no opcode field for this row: write `OP [bits] = opcode,` in its fields", block.name);
            faults.say(row.number.span, say);
            continue;
        };
        let most = most(width(field));
        if row.number.value > most {
            let say = format!(
                "opcode {} of {} does not fit the {} bits of {}, which end at {most}",
                row.number.value,
                row.name.text,
                width(field),
                field.name
            );
            faults.say(row.number.span, say);
        }
        if let Some(other) = numbers.insert((component.clone(), row.number.value), &row.name.text) {
            let say = format!("opcode {} is already {other}: give {} its own number", row.number.value, row.name.text);
            faults.say(row.number.span, say);
        }
        if names.insert((component, row.name.text.clone()), ()).is_some() {
            let say = format!("{} has a row in this block already: one row for each mnemonic", row.name.text);
            faults.say(row.name.span, say);
        }
    }
}

//! `isa info`: the encodings and the facts of an instruction of any set.

use amdgpu_report::guide_sections;
use isa::body::State;
use isa::tables::{Access, Component, EncodingVariant, Format, MAX_DWORDS, SelectedVariant, Shape};
use isa::{BodyEffects, Entry, Isa};
use serde_json::{Map, Value, json};

use super::compiler;
use super::described::Described;

/// Returns the facts of the instruction with this mnemonic, with or without the suffix of an encoding.
pub fn instruction<I: Described>(name: &str) -> Option<Value> {
    let all = I::parser_tables().entries;
    let suffixes = ["", "_e32", "_e64", "_dpp", "_e64_dpp"];
    let bare = suffixes.iter().filter_map(|s| name.strip_suffix(s)).find(|n| all.iter().any(|e| e.name == *n))?;
    let first = all.iter().find(|e| e.name == bare)?;
    let (_, _, index, _) = row::<I>(first)?;
    let opcode = I::opcode_at(index)?;
    let mut rows: Vec<&Entry> = Vec::new();
    let mut aliases: Vec<&str> = Vec::new();
    for entry in all.iter().filter(|e| row::<I>(e).is_some_and(|(_, _, of, _)| of == index)) {
        if !aliases.contains(&entry.name) {
            aliases.push(entry.name);
        }
        let key = |e: &Entry| (e.format, e.component, e.slot);
        if !rows.iter().any(|e| key(e) == key(entry)) {
            rows.push(entry);
        }
    }
    rows.sort_by_key(|e| e.format);
    let samples: Vec<I::Instr> = rows.iter().flat_map(|e| samples::<I>(e)).collect();
    let mut out = Map::new();
    out.insert("name".into(), json!(I::tables().mnemonics.get(usize::from(index))?));
    out.insert("is".into(), json!("instruction"));
    out.insert("mnemonics".into(), json!(aliases));
    out.insert("encodings".into(), rows.iter().filter_map(|e| encoding::<I>(e)).collect());
    I::add_waits(&samples, &mut out);
    compiler::add::<I>(opcode, &mut out);
    let effects = I::inst_tables().bodies.effects(index);
    for (name, uses) in [("reads", BodyEffects::reads as fn(_, _) -> _), ("writes", BodyEffects::writes)] {
        let state: Vec<&str> = State::ALL.iter().filter(|state| uses(effects, **state)).map(|s| s.name()).collect();
        if !state.is_empty() {
            out.insert(format!("{name} besides operands"), json!(state));
        }
    }
    I::add_groups(&samples, &mut out);
    Some(Value::Object(out))
}

/// The format, the component, the opcode and the shape of an entry.
pub type EntryRow<I> = (&'static Format<I>, &'static Component<I>, u16, &'static Shape<I>);

/// Returns the format, the component, the opcode and the shape of an entry.
pub fn row<I: Isa>(entry: &Entry) -> Option<EntryRow<I>> {
    let format = I::tables().formats.get(usize::from(entry.format))?;
    let component = format.components.get(usize::from(entry.component))?;
    let slot = component.slots.get(usize::from(entry.slot))?;
    Some((format, component, slot.opcode, component.shapes.get(usize::from(slot.shape))?))
}

/// Returns the encoding variants of a row: whether the variant bit is set, the name of the suffix dword, and the variant.
fn variants<I: Isa>(
    format: &'static Format<I>,
    shape: &'static Shape<I>,
) -> Vec<(bool, Option<&'static str>, &'static EncodingVariant)> {
    let named = |SelectedVariant { variant_bit, suffix_dword, variant }| {
        let suffix_dword = suffix_dword.checked_sub(1).and_then(|index| format.suffix_dwords.get(index));
        (variant_bit == 1, suffix_dword.map(|suffix_dword| suffix_dword.name), variant)
    };
    shape.all_variants(format).map(named).collect()
}

/// Returns an instruction of each encoding variant, in which the fields of operands are zero.
fn samples<I: Isa>(entry: &Entry) -> Vec<I::Instr> {
    let Some((format, component, _, shape)) = row::<I>(entry) else { return Vec::new() };
    let Some(slot) = component.slots.get(usize::from(entry.slot)) else { return Vec::new() };
    let made = variants(format, shape).into_iter().filter_map(|(variant_bit, _, variant)| {
        let mut words: [u32; MAX_DWORDS] = variant.fixed::<I>().written.value;
        for (word, fixed) in words.iter_mut().zip(format.fixed.value) {
            *word |= fixed;
        }
        component.opcode.set(&mut words, u32::from(slot.number));
        if let Some(bit) = shape.variant_bit {
            bit.set(&mut words, u32::from(variant_bit));
        }
        let dwords = isa::length::<I>(entry.format, &words) as u8;
        I::instr(entry.format, words, dwords)
    });
    made.collect()
}

/// Describes an encoding: its number, sections, operands, modifiers and suffixes.
fn encoding<I: Described>(entry: &Entry) -> Option<Value> {
    let (format, component, _, shape) = row::<I>(entry)?;
    let slot = component.slots.get(usize::from(entry.slot))?;
    let variants = variants(format, shape);
    // The variants with the variant bit set have all operands of the others.
    let (_, _, variant) =
        variants.iter().rev().find(|(_, suffix_dword, _)| suffix_dword.is_none()).or(variants.last())?;
    let mut operands = Vec::new();
    let mut modifiers = Vec::new();
    for bound in variant.bound::<I>() {
        let Some(carrier) = component.carriers.get(usize::from(bound.carrier)) else { continue };
        if bound.access == Access::Modifier {
            modifiers.push(carrier.name);
            continue;
        }
        let field = format.fields.get(usize::from(carrier.field)).map_or("implied", |f| f.name);
        let access = match bound.access {
            Access::Read => "read",
            Access::Write => "written",
            _ => "read and written",
        };
        let [dwords, dwords_in_wave64] = I::dwords(bound.ty);
        let mut operand = json!({"role": carrier.name, "type": bound.ty.to_string(), "access": access, "field": field});
        operand["dwords"] = json!(dwords);
        if dwords_in_wave64 != dwords {
            operand["dwords in wave64"] = json!(dwords_in_wave64);
        }
        operands.push(operand);
    }
    let mut out = json!({
        "format": format.name,
        "opcode": slot.number,
        "bits": u32::from(format.dwords) * 32,
        "sections": guide_sections(I::tables().docs.get(usize::from(entry.format)).copied().unwrap_or_default()),
    });
    let text = component.text(slot.number);
    if text != entry.name {
        out["text"] = json!(text);
    }
    if component.slots.len() > 1 && format.components.len() > 1 {
        out["half"] = json!(if entry.component == 0 { "X" } else { "Y" });
    }
    out["operands"] = json!(operands);
    out["modifiers"] = json!(modifiers);
    // Only atomics have variant bits: it is set in those that return the old value.
    if let Some(modifier) = isa::variant_modifier(component, shape) {
        out[format!("with {modifier}")] =
            json!(format!("operands as with {modifier} set; without it nothing is written"));
    }
    let follows: Vec<&str> =
        variants.iter().filter_map(|(_, suffix_dword, _)| *suffix_dword).fold(Vec::new(), |mut all, suffix_dword| {
            if !all.contains(&suffix_dword) {
                all.push(suffix_dword);
            }
            all
        });
    if !follows.is_empty() {
        let key = if shape.always != 0 { "always followed by" } else { "may be followed by" };
        out[key] = json!(follows);
    }
    if let Some(mode) = shape.only.or(format.only) {
        out["only in"] = json!(I::mode_name(mode));
    }
    Some(out)
}

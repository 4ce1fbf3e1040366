//! `isa info`: the facts of one name, from the tables.
//!
//! A name may be an instruction's, a hardware register's, a message's, an export target's,
//! a special register's or a descriptor's. Each
//! makes a tree ([`Value`]), which `--json` prints as JSON and the text form prints line by line, so that both have the same contents.

mod compiler;

use std::io::{self, Write};
use std::process::ExitCode;

use rdna3::counter::{self, Counter};
use rdna3::descriptor::buffer::BufferResource;
use rdna3::descriptor::bvh::BvhResource;
use rdna3::descriptor::image::{ImageResource, ImageResourceHigh};
use rdna3::descriptor::sampler::Sampler;
use rdna3::isa::body::State;
use rdna3::isa::tables::{Access, Component, EncodingVariant, Format, MAX_DWORDS, Shape};
use rdna3::isa::{BodyEffects, Entry, Isa, nearest as nearest_of};
use rdna3::operands::{EXPORT_TARGETS, HW_REGISTERS, MESSAGES};
use rdna3::register::{Field, REGISTERS, Register};
use rdna3::{Instr, Opcode, Rdna3, Wave, export, message, wave_state};
use serde_json::{Map, Value, json};

use crate::failure::Failure;

/// The arguments of `isa info`.
#[derive(clap::Args)]
#[command(after_help = "Exit status: 0 when the name is known, 1 when it is not, 2 for wrong usage.")]
pub struct Args {
    /// A mnemonic, HW_REG_MODE or MODE, MSG_INTERRUPT, mrt0, vcc, V#, Sampler …; capitals do not matter
    name: String,
    /// As JSON: an array with an object for each thing of this name
    #[arg(long)]
    json: bool,
}

/// Runs `isa info`.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    let found = facts(&args.name);
    if found.is_empty() {
        let near = nearest(&args.name).map_or_else(String::new, |name| format!("; did you mean `{name}`?"));
        return Err(Failure::Message(format!("nothing is called `{}`{near}", args.name)));
    }
    let mut out = io::stdout().lock();
    if args.json {
        writeln!(out, "{:#}", Value::Array(found))?;
    } else {
        for (i, fact) in found.iter().enumerate() {
            if i > 0 {
                writeln!(out)?;
            }
            print(&mut out, fact, 0)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// A field: name, lowest bit, width in bits.
type Bits = (&'static str, u32, u32);
/// See [`DESCRIPTORS`].
type Descriptor = (&'static str, &'static str, &'static str, &'static [Bits]);

/// The descriptors: the guide's sign, the name of the type, the section, and the fields with their bits.
const DESCRIPTORS: [Descriptor; 5] = [
    ("V#", "BufferResource", "9.6", BufferResource::FIELDS),
    ("T#", "ImageResource", "10.5", ImageResource::FIELDS),
    ("T#", "ImageResourceHigh", "10.5", ImageResourceHigh::FIELDS),
    ("S#", "Sampler", "10.6", Sampler::FIELDS),
    ("BVH T#", "BvhResource", "10.9.3", BvhResource::FIELDS),
];

fn descriptor((sign, name, section, fields): Descriptor) -> Value {
    let field = |&(name, low, width): &Bits| {
        let bits = if width == 1 { format!("{low}") } else { format!("{}:{low}", low + width - 1) };
        json!({"name": name, "bits": bits})
    };
    let fields: Vec<Value> = fields.iter().map(field).collect();
    json!({"name": name, "is": "descriptor", "sign": sign, "section": section, "fields": fields})
}

/// Everything that has this name.
fn facts(name: &str) -> Vec<Value> {
    let lower = name.to_lowercase();
    let mut found = Vec::new();
    found.extend(instruction(&lower));
    found.extend(REGISTERS.iter().filter(|r| names(r).any(|n| n.eq_ignore_ascii_case(name))).map(register));
    let called = |d: &Descriptor| [d.0, d.1].iter().any(|n| n.eq_ignore_ascii_case(name));
    found.extend(DESCRIPTORS.into_iter().filter(called).map(descriptor));
    let messages = MESSAGES.iter().filter(|(_, n)| n.eq_ignore_ascii_case(name));
    found.extend(messages.map(|(id, text)| about_message(*id, text)));
    let targets = EXPORT_TARGETS.iter().filter(|(_, n)| n.eq_ignore_ascii_case(name));
    found.extend(targets.filter_map(|(code, text)| about_target(*code as u8, text)));
    let specials = wave_state::SPECIALS.iter().filter(|s| s.name == lower);
    found.extend(
        specials
            .map(|s| json!({"name": s.name, "is": "register", "bits": s.bits, "role": s.role, "section": s.section})),
    );
    found
}

/// The names of a hardware register.
fn names(register: &Register) -> impl Iterator<Item = &'static str> + use<> {
    [Some(register.name), register.text()].into_iter().flatten()
}

/// The known name that is most like this one.
fn nearest(name: &str) -> Option<String> {
    let all = Rdna3::entries().iter().map(|e| e.name).chain(REGISTERS.iter().flat_map(names));
    let all =
        all.chain(MESSAGES.iter().chain(&HW_REGISTERS).map(|(_, n)| *n)).chain(EXPORT_TARGETS.iter().map(|(_, n)| *n));
    let all = all.chain(wave_state::SPECIALS.iter().map(|s| s.name));
    let all: Vec<&str> = all.chain(DESCRIPTORS.iter().map(|d| d.1)).collect();
    // The guide's names are in capitals, most names in text are not.
    let found = nearest_of(all.iter().copied(), name).or_else(|| {
        let lower: Vec<String> = all.iter().map(|known| known.to_lowercase()).collect();
        let near = nearest_of(lower.iter().map(String::as_str), &name.to_lowercase())?;
        all.iter().copied().find(|known| known.to_lowercase() == near)
    });
    found.map(str::to_owned)
}

/// The instruction of this mnemonic, with or without the suffix of an encoding.
fn instruction(name: &str) -> Option<Value> {
    let all = Rdna3::entries();
    let suffixes = ["", "_e32", "_e64", "_dpp", "_e64_dpp"];
    let bare = suffixes.iter().filter_map(|s| name.strip_suffix(s)).find(|n| all.iter().any(|e| e.name == *n))?;
    let first = all.iter().find(|e| e.name == bare)?;
    let (_, _, opcode, _) = row(first)?;
    let mut rows: Vec<&Entry> = Vec::new();
    let mut aliases: Vec<&str> = Vec::new();
    for entry in all.iter().filter(|e| row(e).is_some_and(|(_, _, o, _)| o == opcode)) {
        if !aliases.contains(&entry.name) {
            aliases.push(entry.name);
        }
        let key = |e: &Entry| (e.format, e.component, e.slot);
        if !rows.iter().any(|e| key(e) == key(entry)) {
            rows.push(entry);
        }
    }
    rows.sort_by_key(|e| e.format);
    let samples: Vec<Instr> = rows.iter().flat_map(|e| samples(e)).collect();
    let mut out = Map::new();
    out.insert("name".into(), json!(Opcode::ALL.get(usize::from(opcode))?.name()));
    out.insert("is".into(), json!("instruction"));
    out.insert("mnemonics".into(), json!(aliases));
    out.insert("encodings".into(), rows.iter().filter_map(|e| encoding(e)).collect());
    let raised: Vec<Value> = samples.iter().flat_map(counter::raises).fold(Vec::new(), |mut all, r| {
        let one = json!({"counter": r.counter.name(), "by": r.by, "work": format!("{:?}", r.kind)});
        if !all.contains(&one) {
            all.push(one);
        }
        all
    });
    if !raised.is_empty() {
        out.insert("raises".into(), raised.into());
    }
    // S_WAITCNT waits for the counters in its constant: with zero in it, for all of them.
    let waits: Vec<&str> = Counter::ALL
        .into_iter()
        .filter(|c| samples.iter().any(|i| counter::waits(i).most(*c).is_some()))
        .map(Counter::name)
        .collect();
    if !waits.is_empty() {
        out.insert("waits".into(), json!(waits));
    }
    let opcode = *Opcode::ALL.get(usize::from(opcode))?;
    compiler::add(opcode, &mut out);
    let effects = opcode.effects();
    for (name, uses) in [("reads", BodyEffects::reads as fn(_, _) -> _), ("writes", BodyEffects::writes)] {
        let state: Vec<&str> = State::ALL.iter().filter(|state| uses(effects, **state)).map(|s| s.name()).collect();
        if !state.is_empty() {
            out.insert(format!("{name} besides operands"), json!(state));
        }
    }
    let first = samples.first();
    if let Some(class) = first.and_then(counter::delay_class) {
        out.insert("delay class".into(), json!(format!("{class:?}")));
    }
    if let Some(class) = first.and_then(|i| counter::clause_types(i).next()) {
        out.insert("clause type".into(), json!(format!("{class:?}")));
    }
    Some(Value::Object(out))
}

type Row = (&'static Format<Rdna3>, &'static Component<Rdna3>, u16, &'static Shape<Rdna3>);

/// Returns the format, the component, the opcode and the shape of an entry.
fn row(entry: &Entry) -> Option<Row> {
    let format = Rdna3::formats().get(usize::from(entry.format))?;
    let component = format.components.get(usize::from(entry.component))?;
    let slot = component.slots.get(usize::from(entry.slot))?;
    Some((format, component, slot.opcode, component.shapes.get(usize::from(slot.shape))?))
}

/// Returns the encoding variants of a row: the split bit, the name of the suffix, and the variant.
fn forms(
    format: &'static Format<Rdna3>,
    shape: &'static Shape<Rdna3>,
) -> Vec<(bool, Option<&'static str>, &'static EncodingVariant)> {
    let suffix_dwords = format.suffix_dwords.len() + 1;
    let known = shape.forms().iter().enumerate().filter_map(|(i, at)| {
        let form = Rdna3::forms().get(usize::from(*at).checked_sub(1)?)?;
        let suffix_dword = (i % suffix_dwords).checked_sub(1).and_then(|t| format.suffix_dwords.get(t)).map(|t| t.name);
        Some((i / suffix_dwords == 1, suffix_dword, form))
    });
    known.collect()
}

/// Returns an instruction of each encoding variant, in which the fields of operands are zero.
fn samples(entry: &Entry) -> Vec<Instr> {
    let Some((format, component, _, shape)) = row(entry) else { return Vec::new() };
    let Some(slot) = component.slots.get(usize::from(entry.slot)) else { return Vec::new() };
    let made = forms(format, shape).into_iter().filter_map(|(split, _, form)| {
        let mut words: [u32; MAX_DWORDS] = form.fixed::<Rdna3>().1;
        for (word, fixed) in words.iter_mut().zip(format.fixed.1) {
            *word |= fixed;
        }
        component.opcode.set(&mut words, u32::from(slot.number));
        if let Some(bit) = shape.split() {
            bit.set(&mut words, u32::from(split));
        }
        let dwords = rdna3::isa::length::<Rdna3>(entry.format, &words) as u8;
        Rdna3::instr(entry.format, words, dwords)
    });
    made.collect()
}

/// Describes an encoding: its number, sections, operands, modifiers and suffixes.
fn encoding(entry: &Entry) -> Option<Value> {
    let (format, component, _, shape) = row(entry)?;
    let slot = component.slots.get(usize::from(entry.slot))?;
    let forms = forms(format, shape);
    // The second half of a split row has all operands of the first.
    let (_, _, form) = forms.iter().rev().find(|(_, suffix_dword, _)| suffix_dword.is_none()).or(forms.last())?;
    let half = forms.iter().any(|(split, ..)| *split);
    let mut operands = Vec::new();
    let mut modifiers = Vec::new();
    for bound in form.bound::<Rdna3>() {
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
        let width = |wave| rdna3::operands::dwords_in(bound.ty, wave);
        let mut operand = json!({"role": carrier.name, "type": bound.ty.to_string(), "access": access, "field": field});
        operand["dwords"] = json!(width(Wave::W32));
        if width(Wave::W64) != width(Wave::W32) {
            operand["dwords in wave64"] = json!(width(Wave::W64));
        }
        operands.push(operand);
    }
    let mut out = json!({
        "format": format.name,
        "opcode": slot.number,
        "bits": u32::from(format.dwords) * 32,
        "sections": sections(Rdna3::docs().get(usize::from(entry.format)).copied().unwrap_or_default()),
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
    if half {
        out["with glc"] = json!("operands as with glc set; without it nothing is written");
    }
    let follows: Vec<&str> =
        forms.iter().filter_map(|(_, suffix_dword, _)| *suffix_dword).fold(Vec::new(), |mut all, suffix_dword| {
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
        out["only in"] = json!(crate::arch::wave_name(mode));
    }
    Some(out)
}

/// The sections that a doc comment names: `§15.3.2`.
fn sections(doc: &str) -> Vec<&str> {
    let numbers = doc.split('§').skip(1).map(|rest| {
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
        rest[..end].trim_end_matches('.')
    });
    numbers.filter(|n| !n.is_empty()).collect()
}

fn fields(fields: &[Field]) -> Value {
    let named = fields.iter().filter(|f| !f.name.is_empty());
    let bits = |f: &Field| if f.width == 1 { format!("{}", f.lo) } else { format!("{}:{}", f.lo + f.width - 1, f.lo) };
    named.map(|f| json!({"field": f.name, "bits": bits(f)})).collect()
}

fn register(register: &Register) -> Value {
    let mut out = json!({"name": register.name, "is": "hardware register", "number": register.id});
    if let Some(text) = register.text() {
        out["text"] = json!(format!("hwreg({text})"));
    }
    out["access"] = json!(format!("{:?}", register.access));
    if let Some(section) = register.section {
        out["section"] = json!(section);
    }
    if !register.fields.is_empty() {
        out["fields"] = fields(register.fields);
    }
    out
}

fn about_message(id: u8, text: &str) -> Value {
    let mut out = json!({"name": text, "is": "message", "number": id, "section": "5.3"});
    if let Some(known) = message::message(id) {
        out["meaning"] = json!(known.meaning);
        out["answer"] = json!(format!("{:?}", known.answer));
        out["sender"] = json!(format!("{:?}", known.sender));
        if !known.payload.is_empty() {
            out["m0"] = fields(known.payload);
        }
        if known.ends {
            out["next"] = json!("s_endpgm");
        }
    }
    out
}

fn about_target(code: u8, text: &str) -> Option<Value> {
    let target = export::ExportTarget::from_code(code)?;
    let mut out = json!({"name": text, "is": "export target", "number": code, "section": "14"});
    out["components"] = json!(target.components());
    out["order"] = json!(format!("{:?}", target.of_type()));
    out["takes done"] = json!(target.takes_done());
    Some(out)
}

/// Prints a tree as text: a simple value after its key, other values in the lines below.
fn print(out: &mut impl Write, value: &Value, depth: usize) -> io::Result<()> {
    let Value::Object(map) = value else { return writeln!(out, "{:1$}{2}", "", depth * 2, plain(value)) };
    for (i, (key, value)) in map.iter().enumerate() {
        let lead = if i == 0 && depth > 0 { format!("{:1$}- ", "", depth * 2 - 2) } else { " ".repeat(depth * 2) };
        match value {
            Value::Array(items) if items.iter().any(Value::is_object) => {
                writeln!(out, "{lead}{key}:")?;
                for item in items {
                    // Each row of a table is one line.
                    match item {
                        Value::Object(cells) if cells.values().all(|v| !v.is_array()) => {
                            let cells: Vec<String> = cells.iter().map(|(k, v)| format!("{k} {}", plain(v))).collect();
                            writeln!(out, "{:1$}- {2}", "", depth * 2 + 2, cells.join(", "))?;
                        }
                        _ => print(out, item, depth + 2)?,
                    }
                }
            }
            Value::Array(items) if items.is_empty() => {}
            _ => writeln!(out, "{lead}{key}: {}", plain(value))?,
        }
    }
    Ok(())
}

/// Formats a value in one line.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(plain).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}

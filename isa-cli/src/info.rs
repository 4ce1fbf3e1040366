//! `isa info`: the facts of one name, from the tables, or what is in a file.
//!
//! A name may be an instruction's, a hardware register's, a message's, an export target's, a special register's or a descriptor's.
//! Each makes a tree ([`Value`]), which `--json` prints as JSON and the text form line by line, so that both have the same contents.

mod compiler;
mod described;
mod file;
pub mod instruction;
mod kernel;
mod mix;
mod table;

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use amdgpu_arch::{Arch, TargetSelection, with_set};
use instruction::instruction;
use rdna3::descriptor::buffer::BufferResource;
use rdna3::descriptor::bvh::BvhResource;
use rdna3::descriptor::image::{ImageResource, ImageResourceHigh};
use rdna3::descriptor::sampler::Sampler;
use rdna3::isa::{Isa, nearest as nearest_of};
use rdna3::operands::{EXPORT_TARGETS, HW_REGISTERS, MESSAGES};
use rdna3::register::{Field, REGISTERS, Register};
use rdna3::{export, message, wave_state};
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::input;

/// The arguments of `isa info`.
#[derive(clap::Args)]
#[command(
    after_help = "Exit status: 0 when the name is known or the file is read, 1 when it is not or the file is damaged, 2 for \
    wrong usage."
)]
pub struct Args {
    /// A mnemonic, HW_REG_MODE or MODE, MSG_INTERRUPT, mrt0, vcc, V#, Sampler …; capitals do not matter. Or a code object, bundle,
    /// program, library or archive, whose images and kernels are listed (`-`: standard input)
    #[arg(value_name = "NAME|FILE")]
    name: PathBuf,
    /// Instruction set: rdna3, rdna3.5, rdna4, gcn1.0, gcn1.1, gcn1.2, gcn1.4 or LLVM's name of a processor; of a file, the code
    /// whose kernels are listed [default: rdna3; the only processor of a file]
    #[arg(long, visible_alias = "mcpu", value_parser = TargetSelection::parse)]
    arch: Option<TargetSelection>,
    /// All about a kernel of the file: registers, memory, occupancy, instructions and arguments
    #[arg(long, value_name = "NAME")]
    kernel: Option<String>,
    /// As JSON: an array with an object for each thing of this name, or an object for the file
    #[arg(long)]
    json: bool,
}

/// Runs `isa info`.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    let arch = args.arch.as_ref().map_or(Arch::Rdna3, |wanted| wanted.arch);
    let name = args.name.to_string_lossy();
    let found = if args.kernel.is_none() { facts(arch, &name) } else { Vec::new() };
    if found.is_empty() {
        if args.kernel.is_some() || name == "-" || args.name.exists() {
            return file(args);
        }
        let near = nearest(arch, &name).map_or_else(String::new, |name| format!("; did you mean `{name}`?"));
        let name = input::printable(name.as_bytes());
        return Err(Failure::Message(format!("nothing in {} is called `{name}`, and no file{near}", arch.name())));
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

/// Prints what is in a file.
fn file(args: &Args) -> Result<ExitCode, Failure> {
    let name = input::name(&args.name);
    let bytes = input::read(&args.name)?;
    let query =
        file::Query { file: &name, wanted: args.arch.as_ref(), kernel: args.kernel.as_deref(), is_json: args.json };
    let mut out = BufWriter::new(io::stdout().lock());
    let is_sound = file::describe(&query, &bytes, &mut out)?;
    out.flush()?;
    Ok(if is_sound { ExitCode::SUCCESS } else { ExitCode::FAILURE })
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

/// Returns everything that has this name.
fn facts(arch: Arch, name: &str) -> Vec<Value> {
    let lower = name.to_lowercase();
    let mut found: Vec<Value> = with_set!(arch, S => instruction::<S>(&lower)).into_iter().collect();
    if arch.is_rdna() {
        found.extend(guide_facts(name, &lower));
    }
    found
}

/// Returns everything of RDNA3's guide besides instructions that has this name.
fn guide_facts(name: &str, lower: &str) -> Vec<Value> {
    let mut found = Vec::new();
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

/// Returns the known name that is most like this one.
fn nearest(arch: Arch, name: &str) -> Option<String> {
    let entries = with_set!(arch, S => S::parser_tables().entries);
    let mut all: Vec<&str> = entries.iter().map(|e| e.name).collect();
    if arch.is_rdna() {
        all.extend(REGISTERS.iter().flat_map(names));
        all.extend(MESSAGES.iter().chain(&HW_REGISTERS).map(|(_, n)| *n));
        all.extend(EXPORT_TARGETS.iter().map(|(_, n)| *n));
        all.extend(wave_state::SPECIALS.iter().map(|s| s.name));
        all.extend(DESCRIPTORS.iter().map(|d| d.1));
    }
    // The guide's names are in capitals, most names in text are not.
    let found = nearest_of(all.iter().copied(), name).or_else(|| {
        let lower: Vec<String> = all.iter().map(|known| known.to_lowercase()).collect();
        let near = nearest_of(lower.iter().map(String::as_str), &name.to_lowercase())?;
        all.iter().copied().find(|known| known.to_lowercase() == near)
    });
    found.map(str::to_owned)
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

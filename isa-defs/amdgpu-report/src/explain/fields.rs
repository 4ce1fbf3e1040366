//! The fields of an instruction: where they are, what they hold, and what that means.

use std::io::{self, Write};

use isa::tables::{Access, BitRange, FieldBits};
use isa::{Isa, Text};
use serde_json::{Value, json};

use super::Words;

/// A bit range of a field.
#[derive(Debug, Clone)]
pub struct FieldRange {
    /// The index of the field in [`Layout::fields`].
    pub field: usize,
    pub range: BitRange,
}

/// A field of the format, or of the dword after it.
#[derive(Debug, Clone)]
struct Field {
    name: &'static str,
    /// Its bits in the guide's way: `[8:0]`.
    bits: String,
    code: u32,
    /// What holds it: an operand or a modifier, if the instruction uses it so.
    holds: Vec<Held>,
    /// What the code means, if it holds neither.
    meaning: Option<String>,
}

/// An operand or a modifier in a field.
#[derive(Debug, Clone)]
struct Held {
    name: &'static str,
    text: String,
    /// The type and the access of an operand.
    operand: Option<(String, &'static str)>,
}

/// All fields of an instruction.
#[derive(Debug, Clone)]
pub struct Layout {
    fields: Vec<Field>,
    pub ranges: Vec<FieldRange>,
}

impl Layout {
    pub fn of<S: Isa>(format: u8, words: &Words, len: usize, mode: S::Mode) -> Self {
        let mut layout = Layout { fields: Vec::new(), ranges: Vec::new() };
        let Some(row) = S::tables().formats.get(usize::from(format)) else { return layout };
        let suffix_dword = if len > usize::from(row.dwords) { isa::suffix_dword::<S>(format, words) } else { 0 };
        for (index, field) in row.fields.iter().enumerate() {
            // Operands that the format implies have no bits.
            let is_here = field.suffix_dword == 0 || field.suffix_dword == suffix_dword;
            if !is_here || field.bits.width() == 0 {
                continue;
            }
            let bits = field.bits.ranges().map(|range| format!("[{range}]"));
            let at = layout.fields.len();
            layout.ranges.extend(field.bits.ranges().map(|range| FieldRange { field: at, range }));
            let holds = held::<S>(format, words, mode, index);
            let opcodes = row.components.iter().filter(|component| usize::from(component.field) == index);
            let opcode = opcodes.map(|component| component.text(component.opcode.get(words) as u16)).next();
            let selects = row.selectors.iter().find(|selector| selector.bits == field.bits.first);
            let selected = selects.and_then(|selector| selector.suffix_dwords.get(field.bits.get(words) as usize));
            let selected = selected.and_then(|nth| row.suffix_dwords.get(usize::from(*nth).checked_sub(1)?));
            let of_suffix = usize::from(field.suffix_dword).checked_sub(1).and_then(|nth| row.suffix_dwords.get(nth));
            let meaning = match (opcode, selected, of_suffix) {
                (Some(opcode), ..) => opcode.to_owned(),
                _ if field.name.starts_with("RESERVED") => "reserved".to_owned(),
                (_, Some(selected), _) => format!("selects {}", selected.name),
                (.., Some(dword)) if dword.name == field.name => "the constant of a source".to_owned(),
                (.., Some(dword)) => format!("of {}", dword.name),
                _ if is_fixed(row.fixed.mask, field.bits) => format!("of {}", row.name),
                _ => "not used".to_owned(),
            };
            layout.fields.push(Field {
                name: field.name,
                bits: bits.collect(),
                code: field.bits.get(words),
                meaning: holds.is_empty().then_some(meaning),
                holds,
            });
        }
        layout
    }

    /// Returns the name of a field.
    pub fn name(&self, field: usize) -> &str {
        self.fields[field].name
    }

    /// Writes a line for each field, and one for each further operand in it.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let name = self.fields.iter().map(|f| f.name.len()).max().unwrap_or(0);
        let bits = self.fields.iter().map(|f| f.bits.len()).max().unwrap_or(0);
        for field in &self.fields {
            let code = if field.code > 9 { format!("{0} ({0:#x})", field.code) } else { field.code.to_string() };
            let held: Vec<String> = field.holds.iter().map(|held| held.describe(field.code)).collect();
            let meaning = field.meaning.as_deref().unwrap_or_default();
            let meaning = if held.is_empty() { meaning.to_owned() } else { held.join("; ") };
            writeln!(out, "{:name$}  {:bits$}  {code:>16}  {meaning}", field.name, field.bits)?;
        }
        Ok(())
    }

    pub fn json(&self) -> Value {
        let fields = self.fields.iter().map(|field| {
            let holds = field.holds.iter().map(|held| match &held.operand {
                Some((ty, access)) => json!({"role": held.name, "text": held.text, "type": ty, "access": access}),
                None => json!({"modifier": held.name, "text": held.text}),
            });
            let holds: Vec<Value> = holds.collect();
            json!({"name": field.name, "bits": field.bits, "code": field.code, "holds": holds, "meaning": field.meaning})
        });
        fields.collect()
    }
}

impl Held {
    /// Describes it; `code` is what the field holds.
    fn describe(&self, code: u32) -> String {
        match &self.operand {
            Some((ty, access)) => format!("{}: {access} as {} ({ty})", self.text, self.name),
            None if !self.text.is_empty() => format!("{}: modifier {}", self.text, self.name),
            None if code == 0 => format!("no {}", self.name),
            None => format!("{}, which the text shows elsewhere", self.name),
        }
    }
}

/// Returns whether a mask has all bits of a field.
fn is_fixed(mask: Words, bits: FieldBits) -> bool {
    bits.get(&mask) == u32::MAX >> (32 - bits.width().clamp(1, 32))
}

/// Returns the operands and modifiers of all components that a field holds.
fn held<S: Isa>(format: u8, words: &Words, mode: S::Mode, field: usize) -> Vec<Held> {
    let components = S::tables().formats.get(usize::from(format)).map_or(0, |row| row.components.len() as u8);
    let mut holds = Vec::new();
    for component in 0..components {
        let Some(cx) = isa::surroundings::<S>(format, words, mode, component) else { continue };
        let Some(row) = cx.format.components.get(usize::from(component)) else { continue };
        for bound in cx.variant.bound::<S>() {
            let Some(carrier) = row.carriers.get(usize::from(bound.carrier)) else { continue };
            if usize::from(carrier.field) != field {
                continue;
            }
            let mut text = Text::new();
            isa::write_operand::<S>(format, words, mode, component, carrier.name, &mut text);
            let access = match bound.access {
                Access::Read => Some("read"),
                Access::Write => Some("written"),
                Access::ReadWrite => Some("read and written"),
                _ => None,
            };
            let operand = access.map(|access| (bound.ty.to_string(), access));
            holds.push(Held { name: carrier.name, text: text.as_str().trim().to_owned(), operand });
        }
    }
    holds
}

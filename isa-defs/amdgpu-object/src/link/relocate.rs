//! Applies relocations once addresses are known.

use crate::model::{Object, RelocationKind, RelocationTarget};

use super::LinkError;
use super::dynamic::Tables;
use super::output::Output;
use super::plan::{Plan, error, meaning, value};
use super::symbols::{Meaning, is_preemptible};

/// Applies the relocations, now that addresses are known, and fills the tables of the dynamic linker.
pub fn apply(
    object: &Object,
    meanings: &[Meaning],
    plan: &Plan,
    outputs: &mut [Output],
    tables: &Tables,
) -> Result<(), LinkError> {
    for (nth, section) in object.sections.iter().enumerate() {
        let Some((output, begin)) = plan.places.begin(nth) else { continue };
        for relocation in &section.relocations {
            let (target, addend) = meaning(relocation, meanings, &plan.places);
            let place = outputs[output].address.wrapping_add(begin).wrapping_add(relocation.offset);
            let got = plan.got_indices.get(&relocation.target).map(|index| tables.got_address(*index, outputs));
            let is_dynamic = relocation.kind == RelocationKind::Abs64
                && outputs[output].is_loaded()
                && (matches!(target, Meaning::Place(..)) || is_symbolic(object, relocation.target, target));
            if is_dynamic || relocation.kind == RelocationKind::None {
                continue;
            }
            let addend = addend.cast_unsigned();
            let absolute = value(target, outputs).wrapping_add(addend);
            let relative = absolute.wrapping_sub(place);
            let indirect = got.unwrap_or(0).wrapping_add(addend).wrapping_sub(place);
            let field = field(relocation.kind, absolute, relative, indirect)
                .map_err(|reason| error(object, section, relocation, reason))?;
            // The plan has checked that the field is within the section, and the layout that sections fit into memory.
            let at = (begin + relocation.offset) as usize;
            let width = relocation.kind.field_size();
            outputs[output].bytes[at..at + width].copy_from_slice(&field.to_le_bytes()[..width]);
        }
    }
    tables.fill(object, meanings, plan, outputs);
    Ok(())
}

fn is_symbolic(object: &Object, target: RelocationTarget, meaning: Meaning) -> bool {
    match target {
        RelocationTarget::Symbol(id) => is_preemptible(&object.symbols[id.0], meaning),
        _ => false,
    }
}

/// The bits of a field, from the target's address, its distance from the field, and that of its entry in the global offset table.
fn field(kind: RelocationKind, absolute: u64, relative: u64, indirect: u64) -> Result<u64, &'static str> {
    let distance = relative.cast_signed();
    match kind {
        RelocationKind::None => Ok(0),
        RelocationKind::Abs64 => Ok(absolute),
        RelocationKind::Abs32 => {
            let is_signed = i32::try_from(absolute.cast_signed()).is_ok();
            if is_signed || u32::try_from(absolute).is_ok() { Ok(absolute) } else { Err("exceeds 32 bits") }
        }
        RelocationKind::Abs32Lo => Ok(absolute),
        RelocationKind::Abs32Hi => Ok(absolute >> 32),
        RelocationKind::Rel64 | RelocationKind::Rel32Lo => Ok(relative),
        RelocationKind::Rel32 => i32::try_from(distance).map(|_| relative).map_err(|_| "exceeds 32 bits"),
        RelocationKind::Rel32Hi => Ok(relative >> 32),
        RelocationKind::Rel16 => {
            let dwords = (distance - 4) / 4;
            if distance % 4 != 0 {
                return Err("is not a multiple of 4 bytes");
            }
            i16::try_from(dwords).map(|_| dwords.cast_unsigned()).map_err(|_| "is out of the range of a branch")
        }
        RelocationKind::Gotpcrel | RelocationKind::Gotpcrel32Lo => Ok(indirect),
        RelocationKind::Gotpcrel32Hi => Ok(indirect >> 32),
        RelocationKind::Relative64 => Err("is for loaders and cannot be linked"),
    }
}

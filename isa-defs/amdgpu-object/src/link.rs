//! [`Object`] to a loadable code object: the part of a linker that programs without undefined symbols need.

mod dynamic;
mod error;
mod file;
mod layout;
mod merge;
mod output;
mod plan;
mod relocate;
mod symbols;

use crate::check::check;
use crate::limits::Limits;
use crate::model::Object;

pub use error::LinkError;

/// The page size for which segments are aligned, in bytes.
const PAGE: u64 = 0x1000;

/// The end of the address space that a code object may cover, in bytes.
const LARGEST_ADDRESS: u64 = 1 << 40;

/// Links an object to a code object that ROCm's and PAL's loaders take (`ET_DYN`), as `ld.lld -shared` does.
///
/// - Sections that are loaded are merged by name, as in `.text.f` and `.text.g` to `.text`, and laid out by access rights: notes,
///   tables of the dynamic linker, read-only data, code, data that is read-only after relocation, data, zeros. Equal
///   strings and constants are merged. Sections that are not loaded follow, without `.note.GNU-stack` and `SHT_LLVM_ADDRSIG`.
/// - Hidden and internal symbols become local; the others are exported, with both kinds of hash tables. Variables that are
///   [`Common`](crate::Definition::Common) are allocated in `.bss`. Undefined weak symbols are 0.
/// - Relocations are applied. Absolute addresses in data become relocations for the loader, and symbols of default visibility are
///   reached through the global offset table, since another code object may define them, too.
///
/// # Errors
/// The object is not sound, refers to undefined symbols, or has relocations or sections that cannot be linked.
///
/// # Examples
/// ```
/// use amdgpu_object::{Object, OsAbi, Section, write_code_object};
///
/// let mut object = Object::new(0x41, OsAbi::Hsa, 4); // gfx1100, code object version 6
/// let mut text = Section::new(".text", 1, 6); // SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR
/// text.bytes = vec![0x00, 0x00, 0xb0, 0xbf]; // s_endpgm
/// text.size = 4;
/// object.sections.push(text);
/// let file = write_code_object(&object)?;
/// assert_eq!(file[16], 3); // ET_DYN
/// # Ok::<(), amdgpu_object::LinkError>(())
/// ```
pub fn write_code_object(object: &Object) -> Result<Vec<u8>, LinkError> {
    write_code_object_within(object, Limits::default())
}

/// Links an object like [`write_code_object`], within limits.
///
/// # Errors
/// As [`write_code_object`]. A file that exceeds the limits is [`LinkError::TooLarge`].
pub fn write_code_object_within(object: &Object, limits: Limits) -> Result<Vec<u8>, LinkError> {
    check(object).map_err(LinkError::Object)?;
    let mut outputs = output::merge(object, limits)?;
    let symbols = symbols::resolve(object, &mut outputs)?;
    let plan = plan::plan(object, &symbols, &outputs)?;
    let tables = dynamic::Tables::new(object, &symbols, &plan, &mut outputs)?;
    let layout = layout::assign(&mut outputs.outputs, &symbols, tables.dynamic, limits)?;
    relocate::apply(object, &symbols, &plan, &mut outputs.outputs, &tables)?;
    file::write(object, &symbols, &outputs.outputs, &layout)
}

#[cfg(test)]
mod tests;

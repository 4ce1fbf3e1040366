//! The schema of the tables that `isa_set!` writes and the runtime reads. Depend on `isa-core` instead.
//!
//! A table crosses from the generator to the runtime as a list of numbers, since rustc compiles numbers faster than nested structs: 0.2 s
//! instead of 3 s for a thousand encoding variants. A [`Row`] names the fields of such numbers. The generator fills in a row and packs
//! it ([`Row::pack`]), and const functions of the runtime read it from [`Rows`].
#![no_std]

mod bits;
mod field;
mod placing;
mod rows;

#[cfg(test)]
mod tests;

pub use bits::{BitRange, FixedBits, MAX_DWORDS};
pub use field::{Access, Bound, Index, Lookup, OptionalIndex, RowTypes, Run};
pub use placing::{CODE_EXPECTS, CODE_RULE, ConstantEncoding, alignment, last_digit, register_alignment};
pub use rows::*;

/// The number of bytes of a set of the fast decoder: one for each code of nine bits.
pub const SET_BYTES: usize = 512;
/// The number of sets that share bytes: each has two bits of a byte.
pub const SETS_OF_BYTE: usize = 4;
/// The most bytes of the sets of the fast decoder.
pub const MAX_SET_BYTES: usize = 16 * SET_BYTES;
/// The result of a lookup in the first set of a group: a code that selects the suffix dword that changes nothing else in the pattern.
pub const SUFFIX_DWORD: u8 = 1;
/// The result of a lookup in the first set of a group: a code that the tables do not decide.
pub const NEEDS_CHECK: u8 = 1 << SETS_OF_BYTE;
/// The number of lookups that are done for every instruction.
pub const LOOKUPS_OF_PATTERN: usize = 3;
/// The most patterns of the fast decoder: one for each value of a byte.
pub const MAX_PATTERNS: usize = 256;
/// The pattern of undefined opcodes, which matches nothing. Pattern 0 matches nothing either, but rows can have its opcode.
pub const UNDEFINED_OPCODE: u8 = 1;
/// The number of the first pattern that can match.
pub const FIRST_PATTERN: usize = 2;

/// A row of a table.
pub trait Row: Copy {
    /// The name of the type, which the generator writes.
    const NAME: &'static str;
    /// The numbers of a row.
    type Packed: Copy + 'static;

    /// Passes the numbers of the row to `push`, in the order of the fields.
    fn pack(&self, push: &mut dyn FnMut(u64));
}

/// A table of packed rows. `new` and `get` of each type of rows are const functions.
#[derive(Clone, Copy, Debug)]
pub struct Rows<R: Row> {
    packed: &'static [R::Packed],
}

impl<R: Row> Rows<R> {
    /// Returns the number of rows.
    #[must_use]
    #[allow(clippy::len_without_is_empty)]
    pub const fn len(self) -> usize {
        self.packed.len()
    }
}

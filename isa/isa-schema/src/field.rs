//! The types of fields. A field is packed into one number.

use core::num::NonZeroU16;

use isa_body::{Class, Type};

use crate::{BitRange, Row, Rows};

/// The index of an element in a table of at most 65,535 elements. [`OptionalIndex`] has the same size.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Index(pub(crate) NonZeroU16);

/// The index of an element, or `None`. Its number is the index plus one, or 0.
pub type OptionalIndex = Option<Index>;

impl Index {
    /// Returns an index, or `None` if it is 65,535 or more.
    #[must_use]
    pub const fn new(index: usize) -> OptionalIndex {
        if index < u16::MAX as usize { Index::from_number(index as u32 + 1) } else { None }
    }

    /// Returns the index.
    #[must_use]
    pub const fn get(self) -> usize {
        self.0.get() as usize - 1
    }

    /// Returns the index that a number stands for.
    #[must_use]
    pub const fn from_number(number: u32) -> OptionalIndex {
        match NonZeroU16::new(number as u16) {
            Some(number) => Some(Index(number)),
            None => None,
        }
    }

    /// Returns the number of an index.
    #[must_use]
    pub const fn to_number(index: OptionalIndex) -> u16 {
        match index {
            Some(Index(number)) => number.get(),
            None => 0,
        }
    }
}

/// A slice of a list, by its start and length.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Run {
    /// The index of the first element.
    pub start: u16,
    /// The number of elements.
    pub len: u8,
}

impl Run {
    /// An empty slice.
    pub const NONE: Run = Run { start: 0, len: 0 };

    /// Returns the slice.
    #[inline(always)]
    #[must_use]
    pub fn of<T>(self, all: &'static [T]) -> &'static [T] {
        let start = usize::from(self.start);
        all.get(start..start + usize::from(self.len)).unwrap_or_default()
    }

    /// Returns an element of the slice.
    #[inline(always)]
    #[must_use]
    pub fn nth<T>(self, all: &'static [T], at: u8) -> Option<&'static T> {
        if at < self.len { all.get(usize::from(self.start) + usize::from(at)) } else { None }
    }

    /// Returns the index after the last element.
    #[must_use]
    pub const fn end(self) -> usize {
        self.start as usize + self.len as usize
    }

    pub(crate) const fn from_number(number: u32) -> Self {
        Run { start: number as u16, len: (number >> 16) as u8 }
    }
}

/// How an instruction uses an operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Access {
    /// It is read.
    Read,
    /// It is written.
    Write,
    /// It is read and written.
    ReadWrite,
    /// It is a modifier, such as `clamp`, and not an operand.
    Modifier,
}

/// An operand or a modifier of an encoding variant.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Bound {
    /// The index of its carrier in the component.
    pub carrier: u8,
    /// Its type from the row.
    pub ty: Type,
    /// Whether the instruction reads or writes it, or it is a modifier.
    pub access: Access,
}

/// The types of a row's operands, as far as rules depend on them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct RowTypes(u16);

/// Declares the flags of [`RowTypes`] by their bits, and functions that return them. With bitfield-struct the generator could not be
/// compiled before that crate.
macro_rules! flags_of_types {
    ($($(#[$doc:meta])* $name:ident: $flag:ident = $bit:literal,)*) => {
        impl RowTypes {$(
            const $flag: u16 = 1 << $bit;

            $(#[$doc])*
            #[must_use]
            pub const fn $name(self) -> bool {
                self.0 & Self::$flag != 0
            }
        )*}
    };
}

flags_of_types! {
    /// Returns whether an operand is a lane mask.
    has_mask: HAS_MASK = 0,
    /// Returns whether all operands that are read and are not masks are floats.
    reads_floats: READS_FLOATS = 1,
    /// Returns whether all operands that are read have 32 bits and one lane.
    reads_dwords: READS_DWORDS = 2,
    /// Returns whether the result is one float.
    writes_float: WRITES_FLOAT = 3,
    /// Returns whether elements of an operand have fewer than 16 bits.
    has_narrow: HAS_NARROW = 4,
}

impl RowTypes {
    /// The lowest bit of [`widest`](Self::widest).
    const WIDEST: u32 = 8;

    /// Summarizes the types of a row's operands.
    pub fn of(operands: impl IntoIterator<Item = Bound>) -> Self {
        let (mut flags, mut widest) = (Self::READS_FLOATS | Self::READS_DWORDS, 0);
        for Bound { ty, access, .. } in operands {
            let is_read = access != Access::Write;
            if is_read && (ty.bits() != 32 || ty.lanes() != 1) {
                flags &= !Self::READS_DWORDS;
            }
            if ty.bits() < 16 {
                flags |= Self::HAS_NARROW;
            }
            if ty.class() == Class::Mask {
                flags |= Self::HAS_MASK;
            } else if !is_read {
                flags &= !Self::WRITES_FLOAT;
                flags |= if ty.is_float() && ty.lanes() == 1 { Self::WRITES_FLOAT } else { 0 };
            } else if !ty.is_float() {
                flags &= !Self::READS_FLOATS;
            }
            widest = widest.max(ty.dwords().into());
        }
        RowTypes(flags | widest << Self::WIDEST)
    }

    /// Returns the most 32-bit registers that the type of an operand takes.
    #[must_use]
    pub const fn widest(self) -> u8 {
        (self.0 >> Self::WIDEST) as u8
    }

    pub(crate) const fn from_number(number: u32) -> Self {
        RowTypes(number as u16)
    }
}

/// The lowest bits of the access and of the type in the number of a [`Bound`].
const ACCESS: u32 = 8;
const TYPE: u32 = 10;

impl Bound {
    pub(crate) const fn from_number(number: u32) -> Self {
        let access = match number >> ACCESS & 3 {
            0 => Access::Read,
            1 => Access::Write,
            2 => Access::ReadWrite,
            _ => Access::Modifier,
        };
        Bound { carrier: number as u8, ty: Type::from_number(number >> TYPE), access }
    }
}

/// A lookup of the fast decoder: the code from a bit up, in a set.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Lookup {
    /// The lowest bit of the code in the first two dwords.
    pub lo: u8,
    /// The bits of the set: [`SUFFIX_DWORD`](crate::SUFFIX_DWORD) and [`NEEDS_CHECK`](crate::NEEDS_CHECK), shifted by its place in the
    /// group.
    pub mask: u8,
    /// The group of sets that share bytes.
    pub group: u8,
}

impl Lookup {
    /// Every code passes.
    pub const NONE: Lookup = Lookup { lo: 0, mask: 0, group: 0 };

    pub(crate) const fn from_number(number: u32) -> Self {
        Lookup { lo: number as u8, mask: (number >> 8) as u8, group: (number >> 16) as u8 }
    }
}

impl ToNumber for Lookup {
    fn to_number(self) -> u64 {
        u64::from(self.lo) | u64::from(self.mask) << 8 | u64::from(self.group) << 16
    }
}

/// A value that becomes the number of a field.
pub(crate) trait ToNumber {
    fn to_number(self) -> u64;
}

/// Implements [`ToNumber`] for integers.
macro_rules! integers {
    ($($type:ident)*) => {$(
        impl ToNumber for $type {
            fn to_number(self) -> u64 {
                self.into()
            }
        }
    )*};
}

integers!(bool u8 u16 u32 u64);

impl ToNumber for OptionalIndex {
    fn to_number(self) -> u64 {
        Index::to_number(self).into()
    }
}

impl ToNumber for Run {
    fn to_number(self) -> u64 {
        u64::from(self.start) | u64::from(self.len) << 16
    }
}

impl ToNumber for BitRange {
    fn to_number(self) -> u64 {
        BitRange::to_number(self).into()
    }
}

impl ToNumber for Type {
    fn to_number(self) -> u64 {
        Type::to_number(self).into()
    }
}

impl ToNumber for RowTypes {
    fn to_number(self) -> u64 {
        self.0.into()
    }
}

impl ToNumber for Bound {
    fn to_number(self) -> u64 {
        u64::from(self.carrier) | (self.access as u64) << ACCESS | u64::from(self.ty.to_number()) << TYPE
    }
}

/// Declares that a field is a row by itself.
macro_rules! rows_of_fields {
    ($($type:ident)*) => {$(
        impl Row for $type {
            const NAME: &'static str = stringify!($type);
            type Packed = u32;

            fn pack(&self, push: &mut dyn FnMut(u64)) {
                push(ToNumber::to_number(*self));
            }
        }

        impl Rows<$type> {
            /// Returns the table of these numbers.
            #[must_use]
            pub const fn new(packed: &'static [u32]) -> Self {
                Rows { packed }
            }

            /// Returns all rows. `N` is their number.
            #[must_use]
            pub const fn table<const N: usize>(self) -> [$type; N] {
                let (mut out, mut i) = ([$type::from_number(0); N], 0);
                while i < N {
                    out[i] = self.get(i);
                    i += 1;
                }
                out
            }

            /// Returns a row.
            #[must_use]
            pub const fn get(self, index: usize) -> $type {
                $type::from_number(self.packed[index])
            }
        }
    )*};
}

rows_of_fields!(Run Bound);

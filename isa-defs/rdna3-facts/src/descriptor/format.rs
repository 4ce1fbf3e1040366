//! The formats of buffer elements and texels. Guide §10.7, table 52.
//!
//! The list is the one that instructions' text uses, in the crate of the rows.

pub use rdna3_rows::operands::{Components, DataFormat, NumberType, RegisterClass};

/// The texels that are stored together, and the bytes of them all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Block {
    /// How many texels across.
    pub width: u8,
    /// How many texels down.
    pub height: u8,
    /// The bytes of the block.
    pub bytes: u8,
}

/// The texels that a compressed format, or one of pairs, stores together; `None` for formats of single texels and for
/// those whose blocks the guide leaves open. The guide names the formats only (table 52); the sizes are those of the
/// compressions of these names.
#[must_use]
pub fn block(format: DataFormat) -> Option<Block> {
    let name = format.name()?;
    let compressed = |bytes| Some(Block { width: 4, height: 4, bytes });
    match name.get(..3)? {
        "BC1" | "BC4" => compressed(8),
        "BC2" | "BC3" | "BC5" | "BC6" | "BC7" => compressed(16),
        "GB_" | "BG_" => Some(Block { width: 2, height: 1, bytes: 4 }),
        _ => None,
    }
}

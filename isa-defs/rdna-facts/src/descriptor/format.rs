//! The formats of buffer elements and texels. Guide §10.7, table 52.
//!
//! The list is the one that the text of instructions uses, in the crate `rdna-rows`.

pub use rdna_rows::operands::{Components, DataFormat, NumberType, RegisterClass};

/// A block of texels that are stored together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TexelBlock {
    /// The width in texels.
    pub width: u8,
    /// The height in texels.
    pub height: u8,
    /// The size of the block in bytes.
    pub bytes: u8,
}

/// Returns the block of a compressed format or of a format of texel pairs; `None` for formats of single texels and for
/// formats whose blocks the guide leaves open. The guide only names the formats (table 52); the sizes are those of the
/// compressions of these names.
#[must_use]
pub fn block(format: DataFormat) -> Option<TexelBlock> {
    let name = format.name()?;
    let compressed = |bytes| Some(TexelBlock { width: 4, height: 4, bytes });
    match name.get(..3)? {
        "BC1" | "BC4" => compressed(8),
        "BC2" | "BC3" | "BC5" | "BC6" | "BC7" => compressed(16),
        "GB_" | "BG_" => Some(TexelBlock { width: 2, height: 1, bytes: 4 }),
        _ => None,
    }
}

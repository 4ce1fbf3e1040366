//! Methods of compression.

use std::fmt;

/// The first bytes of a zstd frame.
pub const ZSTD_MAGIC: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];

/// A method of compression, with LLVM's number of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Method {
    /// zlib.
    Zlib = 0,
    /// Zstandard.
    Zstd = 1,
}

impl Method {
    /// Returns the method by which bytes are compressed: zstd if they begin as it does, else zlib.
    pub(crate) fn of(compressed: &[u8]) -> Self {
        if compressed.starts_with(&ZSTD_MAGIC) { Self::Zstd } else { Self::Zlib }
    }

    /// Returns a bound of how many bytes a number of compressed bytes can expand to.
    pub(crate) fn most(self, compressed: u64) -> u64 {
        /// The largest block of zstd in bytes, which four bytes can state; its header takes three of them.
        const BLOCK: u64 = 128 << 10;
        match self {
            // DEFLATE states 258 bytes with two bits at least.
            Self::Zlib => compressed.saturating_mul(1032),
            Self::Zstd => (compressed / 4 + 1).saturating_mul(BLOCK),
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Zlib => "zlib",
            Self::Zstd => "zstd",
        })
    }
}

//! Limits on what hostile files and objects take.

/// Limits on the memory that reading and linking takes: a small file can ask for segments and alignments of many gigabytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The bytes of all segments of a code object together.
    pub image_bytes: u64,
    /// The bytes of a linked file. Its sections that are not loaded may have as many again.
    pub file_bytes: u64,
}

impl Default for Limits {
    /// 1 GiB for the segments, 256 MiB for a linked file.
    fn default() -> Self {
        Self { image_bytes: 1 << 30, file_bytes: 1 << 28 }
    }
}

/// Returns a number of bytes in GiB, if it is a multiple of one.
pub fn gibibytes(bytes: u64) -> String {
    if bytes > 0 && bytes.is_multiple_of(1 << 30) { format!("{} GiB", bytes >> 30) } else { format!("{bytes} bytes") }
}

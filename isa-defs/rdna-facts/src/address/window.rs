//! The window of GDS in M0, which bounds GDS accesses. Guide §12.6.

use amdgpu_memory::descriptor;

descriptor! {
    /// The contents of M0 for GDS accesses: the window of GDS that they reach. Guide §12.6.
    pub struct Window [u32; 1], values WindowValues {
        /// The size in bytes.
        size: u16 = 16,
        /// The first byte.
        base: u16 = 16,
    }
}

impl Window {
    /// The byte after the last.
    #[must_use]
    pub const fn end(self) -> u32 {
        self.base() as u32 + self.size() as u32
    }
}

//! GCN 1.0 to 1.4: the buffer resource, the addresses of MUBUF and SMEM instructions, and further facts about them.

pub mod buffer;
pub mod facts;
pub mod resource;
pub mod scalar;

pub use resource::{BufferResource, BufferValues};

/// A generation of GCN, by the names of the texts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Generation {
    /// GCN 1.0 (gfx600).
    Gcn1_0,
    /// GCN 1.1 (gfx700).
    Gcn1_1,
    /// GCN 1.2 (gfx803).
    Gcn1_2,
    /// GCN 1.4 (gfx900).
    Gcn1_4,
}

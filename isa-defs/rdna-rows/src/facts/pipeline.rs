//! The parts of the processor that execute instructions.

/// The part of the processor that executes an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Pipeline {
    /// The scalar ALU.
    Salu,
    /// The vector ALU.
    Valu,
    /// The transcendental functions of up to 32 bits of the vector ALU.
    Transcendental,
    /// The matrix products of the vector ALU.
    Wmma,
    /// Loads of buffers, images, global, scratch and flat memory; cache invalidations.
    VmemLoad,
    /// Stores to them.
    VmemStore,
    /// Atomics on them, with or without a result.
    VmemAtomic,
    /// Image samples, gathers, multisample loads and ray intersections.
    VmemSample,
    /// Scalar memory.
    Smem,
    /// LDS and GDS, also LDS direct loads.
    Lds,
    /// Exports.
    Export,
    /// Branches and calls.
    Branch,
    /// Messages.
    Message,
    /// The sequencer itself: waits, hints, barriers, the end of the program.
    Control,
}

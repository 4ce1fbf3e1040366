//! Effects outside the machine.

/// Something that a wave tells the host: the wave leaves its turn after the instruction, and goes on when the host has served the
/// request. A host that knows nothing of it ignores it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Request {
    /// A message with its number; M0 holds its payload.
    Message(u8),
}

/// The effect of an instruction whose body calls `external`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Effect {
    /// None that a program can see.
    Nothing,
    /// Writes the clock of constant rate to the operand with the role `d`.
    Realtime,
    /// A request to the host.
    Request(Request),
}

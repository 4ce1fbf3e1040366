//! The description of an assembly language, which the macro crate of an instruction set provides.

/// The assembly language of an instruction set: its modes and its parser.
#[derive(Debug, Clone, Copy)]
pub struct Language<M: 'static> {
    /// The mode of a block without a mode directive.
    pub mode: M,
    /// The mode directives, such as `.wave64`, each with the mode that it selects.
    pub modes: &'static [(&'static str, M)],
    /// Parses and encodes one instruction.
    pub parse: fn(&str, M) -> Result<EncodedLine, isa_runtime::ParseError>,
    /// Returns the number that a branch to a label has as its last operand: `dwords` is the distance of the label from the
    /// end of the branch, `len` the length of the branch in dwords. The error says that the label is out of reach.
    pub distance: fn(dwords: i64, len: usize) -> Result<i64, String>,
    /// Sample operands, at least one of each operand class. [`instrs`](crate::instrs()) parses a line with samples in
    /// place of its run-time values.
    pub samples: &'static [&'static str],
}

impl<M: Copy + 'static> Language<M> {
    /// The language of a set whose branches have the distance of the label from their own beginning in bytes.
    #[must_use]
    pub const fn new(mode: M, parse: fn(&str, M) -> Result<EncodedLine, isa_runtime::ParseError>) -> Self {
        const fn bytes(dwords: i64, len: usize) -> Result<i64, String> {
            Ok(4 * (dwords + len as i64))
        }
        Language { mode, modes: &[], parse, distance: bytes, samples: &[] }
    }
}

/// The encoding of one line of assembly.
#[derive(Debug, Clone, Copy)]
pub struct EncodedLine {
    /// The dwords of the instruction.
    pub words: isa_runtime::InstrDwords,
    /// Whether the instruction is a branch, whose last operand may be a label.
    pub is_branch: bool,
}

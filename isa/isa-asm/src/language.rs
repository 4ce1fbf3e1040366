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
    /// The help for a branch whose label is out of reach, as a clause without a full stop.
    pub far_branch_help: &'static str,
    /// Sample operands, at least one of each operand class. [`instrs`](crate::instrs()) parses a line with samples in
    /// place of its run-time values.
    pub samples: &'static [&'static str],
}

/// The encoding of one line of assembly.
#[derive(Debug, Clone, Copy)]
pub struct EncodedLine {
    /// The dwords of the instruction.
    pub words: isa_runtime::Words,
    /// Whether the instruction is a branch, whose last operand may be a label.
    pub is_branch: bool,
}

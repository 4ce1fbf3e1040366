//! The state that a statement leaves for later ones: blocks and bodies that are open, kernels, call frames, and `.reloc` directives.

use std::ops::Range;

use amdgpu_object::RelocationKind;

use crate::asm::address::Address;
use crate::asm::body::Body;
use crate::asm::expr::Expr;
use crate::asm::macros::Heading;
use crate::asm::source::Line;

/// The type of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Block {
    /// `.amdgpu_metadata`: YAML of the `amdhsa` keys.
    Hsa,
    /// `.amdgpu_pal_metadata`: YAML of the `amdpal` keys.
    Pal,
}

impl Block {
    /// The block that a directive begins.
    pub fn of(directive: &str) -> Option<Self> {
        [Self::Hsa, Self::Pal].into_iter().find(|block| block.begin() == directive)
    }

    /// The directive at its beginning.
    pub fn begin(self) -> &'static str {
        match self {
            Self::Hsa => ".amdgpu_metadata",
            Self::Pal => ".amdgpu_pal_metadata",
        }
    }

    /// The directive at its end.
    pub fn end(self) -> &'static str {
        match self {
            Self::Hsa => ".end_amdgpu_metadata",
            Self::Pal => ".end_amdgpu_pal_metadata",
        }
    }
}

/// A block whose end is not read yet.
#[derive(Debug)]
pub struct OpenBlock {
    /// Its type.
    pub block: Block,
    /// The position of the directive that begins it.
    pub begin: Range<usize>,
    /// The lines so far.
    pub body: Body,
}

impl OpenBlock {
    /// A block without lines, whose directive is at this position.
    pub fn new(block: Block, begin: Range<usize>) -> Self {
        Self { block, begin, body: Body::default() }
    }
}

/// A body whose end has not been read.
#[derive(Debug)]
pub struct OpenBody {
    /// The directive that begins it.
    pub heading: Heading,
    /// The position of the heading.
    pub span: Range<usize>,
    /// The number of open bodies of the same type within this one.
    pub inside: u32,
    /// The lines so far.
    pub body: Body,
}

/// The line that is being assembled, as written.
#[derive(Debug, Default)]
pub struct CurrentLine {
    /// Its position.
    pub start: usize,
    /// Its text.
    pub text: String,
}

impl CurrentLine {
    /// Replaces the line.
    pub fn set(&mut self, line: &Line<'_>) {
        self.start = line.start;
        self.text.clear();
        self.text.push_str(&line.raw);
    }
}

/// The call frame information of a program.
#[derive(Debug, Default)]
pub struct Frames {
    /// Whether it goes to `.debug_frame` only. Otherwise LLVM writes `.eh_frame`, which is loaded.
    pub is_debug_only: bool,
    /// The position of the `.cfi_startproc` that is open.
    pub open: Option<Range<usize>>,
}

/// A directive of a block.
#[derive(Debug)]
pub struct Setting {
    /// Its name, without `.amdhsa_`.
    pub name: &'static str,
    /// The value.
    pub value: Expr,
    /// Where the name is in the source.
    pub span: Range<usize>,
    /// Where the value is in the source.
    pub value_span: Range<usize>,
}

/// The settings of one `.amdhsa_kernel` block.
#[derive(Debug)]
pub struct Kernel {
    /// Its name.
    pub name: String,
    /// Where the name is in the source.
    pub span: Range<usize>,
    /// The directives of the block.
    pub settings: Vec<Setting>,
    /// Where the descriptor begins.
    pub address: Address,
}

/// A `.reloc` directive.
#[derive(Debug)]
pub struct RelocDirective {
    /// The section of the directive.
    pub section: u32,
    /// The offset in this section, or an address in any.
    pub offset: (Expr, Range<usize>),
    /// How the value is computed.
    pub kind: RelocationKind,
    /// The address that the relocation refers to, or 0.
    pub target: Option<(Expr, Range<usize>)>,
}

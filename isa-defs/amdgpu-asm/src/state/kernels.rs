//! The kernels of a program, and the blocks that describe them.

use std::ops::Range;

use crate::directive::amd_kernel_code_fields::KernelCode;
use crate::expression::tree::Expr;
use crate::layout::address::Address;

/// The kernels, and the block that is open.
#[derive(Debug, Default)]
pub(crate) struct Kernels {
    /// The kernels whose blocks have ended.
    list: Vec<Kernel>,
    open: Option<KernelBlock>,
    /// The first directive that programs for HSA must not have.
    not_for_hsa: Option<(Range<usize>, &'static str)>,
}

/// A block whose lines are neither labels nor instructions. At most one is open, since its lines begin no other.
#[derive(Debug)]
pub(crate) enum KernelBlock {
    /// `.amdhsa_kernel`.
    Kernel(Kernel),
    /// `.amd_kernel_code_t`.
    Code(Box<KernelCode>),
    /// `.amdgpu_info`: the position of the directive that begins it.
    Info(Range<usize>),
}

impl Kernels {
    /// Opens a block.
    pub(crate) fn begin(&mut self, block: KernelBlock) {
        self.open = Some(block);
    }

    /// Returns the block that is open.
    pub(crate) fn open(&self) -> Option<&KernelBlock> {
        self.open.as_ref()
    }

    /// Returns the block that is open, to add to it.
    pub(crate) fn open_mut(&mut self) -> Option<&mut KernelBlock> {
        self.open.as_mut()
    }

    /// Closes the block that is open, and returns it.
    pub(crate) fn close(&mut self) -> Option<KernelBlock> {
        self.open.take()
    }

    /// Returns whether a block is open.
    pub(crate) fn is_in_block(&self) -> bool {
        self.open.is_some()
    }

    /// Adds a kernel whose block has ended.
    pub(crate) fn push(&mut self, kernel: Kernel) {
        self.list.push(kernel);
    }

    /// Returns the kernels whose blocks have ended.
    pub(crate) fn list(&self) -> &[Kernel] {
        &self.list
    }

    /// Remembers a directive that programs for HSA must not have. The first one is reported.
    pub(crate) fn refuse_for_hsa(&mut self, span: Range<usize>, directive: &'static str) {
        self.not_for_hsa.get_or_insert((span, directive));
    }

    /// Returns the first directive that programs for HSA must not have.
    pub(crate) fn refused_for_hsa(&self) -> Option<(Range<usize>, &'static str)> {
        self.not_for_hsa.clone()
    }
}

/// A directive of a block.
#[derive(Debug)]
pub(crate) struct Setting {
    /// Its name, without `.amdhsa_`.
    pub(crate) name: &'static str,
    /// The value.
    pub(crate) value: Expr,
    /// Where the name is in the source.
    pub(crate) span: Range<usize>,
    /// Where the value is in the source.
    pub(crate) value_span: Range<usize>,
}

/// The settings of one `.amdhsa_kernel` block.
#[derive(Debug)]
pub(crate) struct Kernel {
    /// Its name.
    pub(crate) name: String,
    /// Where the name is in the source.
    pub(crate) span: Range<usize>,
    /// The directives of the block.
    pub(crate) settings: Vec<Setting>,
    /// Where the descriptor begins.
    pub(crate) address: Address,
}

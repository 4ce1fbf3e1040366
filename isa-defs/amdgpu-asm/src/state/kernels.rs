//! The kernels of a program, and the blocks that describe them.

use std::ops::Range;

use crate::directive::amd_kernel_code_fields::KernelCode;
use crate::expression::tree::Expr;
use crate::layout::address::Address;

/// The kernels, and the block that is open. At most one is.
#[derive(Debug, Default)]
pub(crate) struct Kernels {
    /// The kernels whose blocks have ended.
    pub(crate) list: Vec<Kernel>,
    /// The open `.amdhsa_kernel` block.
    pub(crate) open: Option<Kernel>,
    /// The open `.amd_kernel_code_t` block.
    pub(crate) code_block: Option<KernelCode>,
    /// The position of the directive that begins the open `.amdgpu_info` block.
    pub(crate) info_block: Option<Range<usize>>,
    /// The first directive that programs for HSA must not have.
    pub(crate) not_for_hsa: Option<(Range<usize>, &'static str)>,
}

impl Kernels {
    /// Returns whether a block is open, whose lines are neither labels nor instructions.
    pub(crate) fn is_in_block(&self) -> bool {
        self.open.is_some() || self.code_block.is_some() || self.info_block.is_some()
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

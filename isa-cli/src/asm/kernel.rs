//! `.amdhsa_kernel` blocks and `.amdgpu_metadata`: what the descriptor and the note of a code object are made of.

use std::ops::Range;

use crate::asm::expr::{Expr, Place};

/// Bytes of a kernel descriptor.
pub const DESCRIPTOR: usize = 64;

/// What a block says of one kernel, for whoever writes the descriptor.
#[derive(Debug)]
#[expect(dead_code, reason = "kept for the writer of object files")]
pub struct Kernel {
    /// Its name.
    pub name: String,
    /// Where the name stands.
    pub span: Range<usize>,
    /// The directives without `.amdhsa_`, their values, and where they stand.
    pub settings: Vec<(&'static str, Expr, Range<usize>)>,
    /// Where the descriptor stands.
    pub place: Place,
}

/// The directives of a block, without `.amdhsa_`.
pub const SETTINGS: &[&str] = &[
    "accum_offset",
    "dx10_clamp",
    "enable_private_segment",
    "exception_fp_denorm_src",
    "exception_fp_ieee_div_zero",
    "exception_fp_ieee_inexact",
    "exception_fp_ieee_invalid_op",
    "exception_fp_ieee_overflow",
    "exception_fp_ieee_underflow",
    "exception_int_div_zero",
    "float_denorm_mode_16_64",
    "float_denorm_mode_32",
    "float_round_mode_16_64",
    "float_round_mode_32",
    "forward_progress",
    "fp16_overflow",
    "group_segment_fixed_size",
    "ieee_mode",
    "inst_pref_size",
    "kernarg_size",
    "memory_ordered",
    "named_barrier_count",
    "next_free_sgpr",
    "next_free_vgpr",
    "private_segment_fixed_size",
    "reserve_flat_scratch",
    "reserve_vcc",
    "reserve_xnack_mask",
    "round_robin_scheduling",
    "shared_vgpr_count",
    "system_sgpr_private_segment_wavefront_offset",
    "system_sgpr_workgroup_id_x",
    "system_sgpr_workgroup_id_y",
    "system_sgpr_workgroup_id_z",
    "system_sgpr_workgroup_info",
    "system_vgpr_workitem_id",
    "tg_split",
    "user_sgpr_count",
    "user_sgpr_dispatch_id",
    "user_sgpr_dispatch_ptr",
    "user_sgpr_flat_scratch_init",
    "user_sgpr_kernarg_preload_length",
    "user_sgpr_kernarg_preload_offset",
    "user_sgpr_kernarg_segment_ptr",
    "user_sgpr_private_segment_buffer",
    "user_sgpr_private_segment_size",
    "user_sgpr_queue_ptr",
    "uses_dynamic_stack",
    "wavefront_size32",
    "workgroup_processor_mode",
];

/// The settings that every block has to have.
pub const REQUIRED: [&str; 2] = ["next_free_vgpr", "next_free_sgpr"];

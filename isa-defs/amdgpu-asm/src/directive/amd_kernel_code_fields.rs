//! The descriptors of Mesa's kernels, which precede their code. HSA had them before code objects of version 3.

use std::ops::Range;

use amdgpu_arch::Wave;

use crate::expression::tree::{Expr, Op};

/// The size of the structure in bytes.
const SIZE: usize = 256;

/// A field of the structure.
#[derive(Debug, Clone, Copy)]
pub struct Field {
    /// Its names: the one that llc writes, and an older one or the same.
    pub names: [&'static str; 2],
    /// The number that holds it: the offset and the size in bytes.
    number: (usize, usize),
    /// Its lowest bit in the number, and its width in bits.
    pub bits: (u32, u32),
    /// Whether its value may depend on symbols that are defined later.
    pub is_deferred: bool,
}

/// A field that is a separate number.
const fn number(name: &'static str, offset: usize, size: usize) -> Field {
    Field { names: [name; 2], number: (offset, size), bits: (0, size as u32 * 8), is_deferred: false }
}

/// A number that has two names.
const fn renamed(name: &'static str, old: &'static str, offset: usize, size: usize) -> Field {
    Field { names: [name, old], ..number(name, offset, size) }
}

/// A number whose value may depend on symbols that are defined later.
const fn deferred(name: &'static str, offset: usize, size: usize) -> Field {
    Field { is_deferred: true, ..number(name, offset, size) }
}

/// Bits of COMPUTE_PGM_RSRC1 (`register` 1) or COMPUTE_PGM_RSRC2.
const fn resource(name: &'static str, old: &'static str, register: usize, lo: u32, width: u32) -> Field {
    let offset = if register == 1 { RSRC1 } else { RSRC2 };
    Field { names: [name, old], number: (offset, 4), bits: (lo, width), is_deferred: true }
}

/// Bits of the code properties.
const fn property(name: &'static str, lo: u32, width: u32) -> Field {
    Field { names: [name; 2], number: (PROPERTIES, 4), bits: (lo, width), is_deferred: false }
}

/// The offset of COMPUTE_PGM_RSRC1 in bytes.
const RSRC1: usize = 48;
/// The offset of COMPUTE_PGM_RSRC2 in bytes.
const RSRC2: usize = 52;
/// The offset of the code properties in bytes.
const PROPERTIES: usize = 56;
/// Whether the code is for waves of 32 lanes.
pub const ENABLE_WAVEFRONT_SIZE32: Field = property("enable_wavefront_size32", 10, 1);
const WAVEFRONT_SIZE: Field = number("wavefront_size", 103, 1);
const MACHINE_VERSION: [Field; 3] = [
    renamed("amd_machine_version_major", "machine_version_major", 10, 2),
    renamed("amd_machine_version_minor", "machine_version_minor", 12, 2),
    renamed("amd_machine_version_stepping", "machine_version_stepping", 14, 2),
];
/// Fields that GFX10 and later have.
pub const GFX10: [Field; 3] = [
    resource("enable_wgp_mode", "compute_pgm_rsrc1_wgp_mode", 1, 29, 1),
    resource("enable_mem_ordered", "compute_pgm_rsrc1_mem_ordered", 1, 30, 1),
    resource("enable_fwd_progress", "compute_pgm_rsrc1_fwd_progress", 1, 31, 1),
];

/// The fields that a program can set.
#[rustfmt::skip]
pub const FIELDS: &[Field] = &[
    renamed("amd_code_version_major", "kernel_code_version_major", 0, 4),
    renamed("amd_code_version_minor", "kernel_code_version_minor", 4, 4),
    renamed("amd_machine_kind", "machine_kind", 8, 2),
    MACHINE_VERSION[0], MACHINE_VERSION[1], MACHINE_VERSION[2],
    number("kernel_code_entry_byte_offset", 16, 8),
    number("kernel_code_prefetch_byte_size", 32, 8),
    resource("granulated_workitem_vgpr_count", "compute_pgm_rsrc1_vgprs", 1, 0, 6),
    resource("granulated_wavefront_sgpr_count", "compute_pgm_rsrc1_sgprs", 1, 6, 4),
    resource("priority", "compute_pgm_rsrc1_priority", 1, 10, 2),
    resource("float_mode", "compute_pgm_rsrc1_float_mode", 1, 12, 8),
    resource("priv", "compute_pgm_rsrc1_priv", 1, 20, 1),
    resource("enable_dx10_clamp", "compute_pgm_rsrc1_dx10_clamp", 1, 21, 1),
    resource("debug_mode", "compute_pgm_rsrc1_debug_mode", 1, 22, 1),
    resource("enable_ieee_mode", "compute_pgm_rsrc1_ieee_mode", 1, 23, 1),
    GFX10[0], GFX10[1], GFX10[2],
    resource("enable_sgpr_private_segment_wave_byte_offset", "compute_pgm_rsrc2_scratch_en", 2, 0, 1),
    resource("user_sgpr_count", "compute_pgm_rsrc2_user_sgpr", 2, 1, 5),
    resource("enable_trap_handler", "compute_pgm_rsrc2_trap_handler", 2, 6, 1),
    resource("enable_sgpr_workgroup_id_x", "compute_pgm_rsrc2_tgid_x_en", 2, 7, 1),
    resource("enable_sgpr_workgroup_id_y", "compute_pgm_rsrc2_tgid_y_en", 2, 8, 1),
    resource("enable_sgpr_workgroup_id_z", "compute_pgm_rsrc2_tgid_z_en", 2, 9, 1),
    resource("enable_sgpr_workgroup_info", "compute_pgm_rsrc2_tg_size_en", 2, 10, 1),
    resource("enable_vgpr_workitem_id", "compute_pgm_rsrc2_tidig_comp_cnt", 2, 11, 2),
    resource("enable_exception_msb", "compute_pgm_rsrc2_excp_en_msb", 2, 13, 2),
    resource("granulated_lds_size", "compute_pgm_rsrc2_lds_size", 2, 15, 9),
    resource("enable_exception", "compute_pgm_rsrc2_excp_en", 2, 24, 7),
    property("enable_sgpr_private_segment_buffer", 0, 1),
    property("enable_sgpr_dispatch_ptr", 1, 1),
    property("enable_sgpr_queue_ptr", 2, 1),
    property("enable_sgpr_kernarg_segment_ptr", 3, 1),
    property("enable_sgpr_dispatch_id", 4, 1),
    property("enable_sgpr_flat_scratch_init", 5, 1),
    property("enable_sgpr_private_segment_size", 6, 1),
    property("enable_sgpr_grid_workgroup_count_x", 7, 1),
    property("enable_sgpr_grid_workgroup_count_y", 8, 1),
    property("enable_sgpr_grid_workgroup_count_z", 9, 1),
    ENABLE_WAVEFRONT_SIZE32,
    property("enable_ordered_append_gds", 16, 1),
    property("private_element_size", 17, 2),
    property("is_ptr64", 19, 1),
    Field { is_deferred: true, ..property("is_dynamic_callstack", 20, 1) },
    property("is_debug_enabled", 21, 1),
    property("is_xnack_enabled", 22, 1),
    deferred("workitem_private_segment_byte_size", 60, 4),
    number("workgroup_group_segment_byte_size", 64, 4),
    number("gds_segment_byte_size", 68, 4),
    number("kernarg_segment_byte_size", 72, 8),
    number("workgroup_fbarrier_count", 80, 4),
    deferred("wavefront_sgpr_count", 84, 2),
    deferred("workitem_vgpr_count", 86, 2),
    number("reserved_vgpr_first", 88, 2),
    number("reserved_vgpr_count", 90, 2),
    number("reserved_sgpr_first", 92, 2),
    number("reserved_sgpr_count", 94, 2),
    number("debug_wavefront_private_segment_offset_sgpr", 96, 2),
    number("debug_private_segment_buffer_sgpr", 98, 2),
    number("kernarg_segment_alignment", 100, 1),
    number("group_segment_alignment", 101, 1),
    number("private_segment_alignment", 102, 1),
    WAVEFRONT_SIZE,
    number("call_convention", 104, 4),
    number("runtime_loader_kernel_symbol", 120, 8),
];

/// A field of which LLVM ignores the value.
pub const IGNORED: &str = "max_scratch_backing_memory_byte_size";

/// A block that is open.
#[derive(Debug)]
pub struct KernelCode {
    /// Where the directive at its beginning is.
    pub span: Range<usize>,
    /// The structure.
    pub bytes: [u8; SIZE],
    /// The numbers that are not known yet.
    pub unknown: Vec<UnknownNumber>,
}

/// A number whose value is not known yet.
#[derive(Debug)]
pub struct UnknownNumber {
    /// The offset in bytes.
    pub offset: usize,
    /// The size in bytes.
    pub size: usize,
    /// The value.
    pub value: Expr,
    /// Where the value is in the source.
    pub span: Range<usize>,
}

impl KernelCode {
    /// The structure before the program sets fields, as LLVM has it.
    pub fn new(span: Range<usize>, wave: Wave, is_rdna: bool, version: [i64; 3]) -> Self {
        let mut new = Self { span, bytes: [0; SIZE], unknown: Vec::new() };
        for (offset, size, value) in [(0, 4, 1), (4, 4, 2), (8, 2, 1), (16, 8, 256), (104, 4, -1)] {
            new.put(offset, size, value);
        }
        for (field, number) in MACHINE_VERSION.into_iter().zip(version) {
            new.set(field, number);
        }
        [100, 101, 102].iter().for_each(|alignment| new.put(*alignment, 1, 4));
        new.set(WAVEFRONT_SIZE, if wave == Wave::W32 { 5 } else { 6 });
        if is_rdna {
            GFX10.iter().for_each(|field| new.set(*field, 1));
            // The highest bit of RSRC1 extends to RSRC2 in LLVM.
            new.put(RSRC2, 4, -1);
            new.set(ENABLE_WAVEFRONT_SIZE32, (wave == Wave::W32).into());
        }
        new
    }

    fn put(&mut self, offset: usize, size: usize, value: i64) {
        if let (Some(to), Some(from)) = (self.bytes.get_mut(offset..offset + size), value.to_le_bytes().get(..size)) {
            to.copy_from_slice(from);
        }
    }

    fn get(&self, offset: usize, size: usize) -> i64 {
        let bytes = self.bytes.get(offset..offset + size).unwrap_or_default();
        bytes.iter().rev().fold(0, |value, byte| value << 8 | i64::from(*byte))
    }

    /// Sets a field of a number that is known.
    pub fn set(&mut self, Field { number: (offset, size), bits: (lo, width), .. }: Field, value: i64) {
        let ones = if width == 64 { -1 } else { (1 << width) - 1 };
        self.put(offset, size, self.get(offset, size) & !(ones << lo) | (value & ones) << lo);
    }

    /// Sets a field to a value that is not known, or a field of a number that is not known.
    pub fn defer(
        &mut self,
        Field { number: (offset, size), bits: (lo, width), .. }: Field,
        value: Expr,
        span: Range<usize>,
    ) {
        let known = Expr::Number(self.get(offset, size));
        let at = self.unknown.iter().position(|number| number.offset == offset).unwrap_or_else(|| {
            self.unknown.push(UnknownNumber { offset, size, value: known, span });
            self.unknown.len() - 1
        });
        let Some(UnknownNumber { value: number, .. }) = self.unknown.get_mut(at) else { return };
        let binary = |op, left, right| Expr::Binary(op, Box::new(left), Box::new(Expr::Number(right)));
        *number = if width == size as u32 * 8 {
            value
        } else {
            let ones = (1 << width) - 1;
            let others = binary(Op::And, std::mem::replace(number, Expr::Number(0)), !(ones << lo));
            let field = binary(Op::Shl, binary(Op::And, value, ones), lo.into());
            Expr::Binary(Op::Or, Box::new(others), Box::new(field))
        };
    }

    /// Whether the number with a field is not known yet.
    pub fn is_unknown(&self, field: Field) -> bool {
        self.unknown.iter().any(|number| number.offset == field.number.0)
    }
}

//! The calling convention of kernels: the layout of the arguments, and the registers that hold values at the beginning.

use amdgpu_object::{Argument, FloatDenormMode, InitialSgpr, KernelSettings};
use rdna3::files;
use rdna3::isa::inst::File;
use rdna3::isa::{Op, Reg};

use crate::Result;
use crate::syntax::{Kernel, Parameter};

pub const VGPR: File = File(files::VGPR);
pub const SGPR: File = File(files::SGPR);

/// The number of work-items in a work-group.
pub const GROUP: u32 = 64;

/// The registers that hold values when a kernel begins.
pub struct Entry {
    /// The address of the arguments.
    pub arguments: Op,
    /// The number of the work-group.
    pub group: Op,
    /// The number of the work-item in its work-group.
    pub item: Op,
    /// The number of these scalar registers.
    pub sgprs: u32,
    /// The number of these vector registers.
    pub vgprs: u32,
}

impl Entry {
    /// Returns the registers for the [`SETTINGS`].
    pub fn new() -> Result<Self> {
        let descriptor = SETTINGS.descriptor()?;
        let find =
            |value| descriptor.initial_sgpr(value, SETTINGS.family).map(Op::reg).ok_or("a register is not enabled");
        Ok(Entry {
            arguments: find(InitialSgpr::KernargSegmentPtr)?,
            group: find(InitialSgpr::WorkgroupIdX)?,
            item: Op::reg(Reg::new(VGPR, 0, 1)),
            sgprs: descriptor.initial_sgpr_count(SETTINGS.family).into(),
            vgprs: 1,
        })
    }
}

/// The settings that the descriptors of all kernels share.
pub const SETTINGS: KernelSettings = KernelSettings {
    user_sgpr_kernarg_segment_ptr: true,
    float_denorm_mode_32: FloatDenormMode::FlushNone,
    reserve_vcc: false,
    ..KernelSettings::wave32()
};

/// Returns the metadata of the arguments.
pub fn arguments(kernel: &Kernel) -> Vec<Argument> {
    let mut all: Vec<Argument> = Vec::new();
    for Parameter { name, is_array, .. } in &kernel.parameters {
        let argument = if *is_array { Argument::global_buffer(0) } else { Argument::by_value(0, 4) };
        let align = argument.size;
        all.push(argument.named(name).after(&all, align));
    }
    all
}

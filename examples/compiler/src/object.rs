//! The code object: descriptor, metadata, and branches that reach their labels.

use amdgpu_object::{
    Argument, Assembler, CodeObjectVersion, Far, FloatDenormMode, InitialSgpr, KernelMetadata, KernelSettings, Label,
    Processor, write_code_object,
};
use rdna3::Wave;
use rdna3::build::Sgprs;
use rdna3::isa::{Op, Reg};

use crate::Result;
use crate::allocate::Allocated;
use crate::ir::Kernel;
use crate::select::{Line, SGPR, VGPR};
use crate::syntax::Parameter;

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
        let values = SETTINGS.descriptor()?.initial_sgprs();
        let find = |value: InitialSgpr, count| {
            let found = values.iter().find(|(known, _)| *known == value).ok_or("a register is not enabled")?;
            Ok::<Op, &str>(Op::reg(Reg::new(SGPR, found.1.into(), count)))
        };
        Ok(Entry {
            arguments: find(InitialSgpr::KernargSegmentPtr, 2)?,
            group: find(InitialSgpr::WorkgroupIdX, 1)?,
            item: Op::reg(Reg::new(VGPR, 0, 1)),
            sgprs: values.iter().map(|(value, first)| u32::from(first + value.count())).max().unwrap_or(0),
            vgprs: 1,
        })
    }
}

/// The settings that the descriptors of all kernels share.
const SETTINGS: KernelSettings = KernelSettings {
    user_sgpr_kernarg_segment_ptr: true,
    float_denorm_mode_32: FloatDenormMode::FlushNone,
    reserve_vcc: false,
    ..KernelSettings::wave32()
};

/// Returns the metadata of the arguments. Each is at a multiple of its size.
pub fn arguments(kernel: &Kernel) -> Vec<Argument> {
    let mut end = 0;
    let place = |parameter: &Parameter| {
        let argument = if parameter.is_array {
            Argument::global_buffer(u32::next_multiple_of(end, 8))
        } else {
            Argument::by_value(end, 4)
        };
        end = argument.offset + argument.size;
        Argument { name: Some(parameter.name.clone()), ..argument }
    };
    kernel.parameters.iter().map(place).collect()
}

/// Returns the bytes of a code object with a kernel.
///
/// # Errors
/// An instruction has no encoding, or the object cannot be written.
pub fn write(kernel: &Kernel, code: &Allocated) -> Result<Vec<u8>> {
    let mut assembler = Assembler::new(Processor::Gfx1100, CodeObjectVersion::V6);
    assembler.begin_kernel(&kernel.name);
    // A branch that is too far away for its offset computes the address in a pair of SGPRs behind all others.
    let pair = code.sgprs.next_multiple_of(2);
    let far = Far::ClobberScc(Sgprs::new(u8::try_from(pair)?)?);
    let labels: Vec<Label> = code.lines.iter().map(|_| assembler.new_label()).collect();
    for line in &code.lines {
        match line {
            Line::Inst(inst) => assembler.push(&inst.encode(Wave::W32)?.encode()),
            Line::Bind(label) => assembler.bind(labels[*label]),
            Line::Branch(Some(condition), label) => assembler.branch_if(*condition, labels[*label], far),
            Line::Branch(None, label) => assembler.branch(labels[*label], far),
        }
    }
    let args = arguments(kernel);
    let settings = KernelSettings {
        next_free_vgpr: code.vgprs,
        next_free_sgpr: pair + 2,
        kernarg_size: args.last().map_or(0, |last| last.offset + last.size),
        ..SETTINGS
    };
    let metadata = KernelMetadata {
        args,
        reqd_workgroup_size: Some([GROUP, 1, 1]),
        max_flat_workgroup_size: GROUP,
        ..KernelMetadata::new(&kernel.name, &settings)
    };
    assembler.end_kernel(&settings, metadata);
    Ok(write_code_object(&assembler.finish()?)?)
}

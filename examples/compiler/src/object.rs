//! The code object: descriptor, metadata, and branches that reach their labels.

use amdgpu_object::{
    Argument, Assembler, CodeObjectVersion, Far, KernelMetadata, KernelSettings, Label, Processor, write_code_object,
};
use rdna3::Wave;
use rdna3::build::Sgprs;

use crate::Result;
use crate::abi::{GROUP, SETTINGS, arguments};
use crate::allocate::Allocated;
use crate::select::Line;
use crate::syntax::Kernel;

/// Returns the bytes of a code object with a kernel.
///
/// # Errors
/// An instruction has no encoding, or the object cannot be written.
pub fn write(kernel: &Kernel, code: &Allocated) -> Result<Vec<u8>> {
    let mut assembler = Assembler::new(Processor::Gfx1100, CodeObjectVersion::V6);
    assembler.begin_kernel(&kernel.name);
    // A branch that is too far away for its offset computes the address in a pair of SGPRs after all others.
    let pair = code.used.sgprs.next_multiple_of(2);
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
        next_free_vgpr: code.used.vgprs,
        next_free_sgpr: pair + 2,
        kernarg_size: Argument::segment_size(&args),
        private_segment_fixed_size: code.scratch,
        enable_private_segment: code.scratch > 0,
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

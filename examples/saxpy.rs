//! Builds a code object with the kernel `saxpy`, y[i] = a * x[i] + y[i], without assembly text and without LLVM.
//!
//! ```sh
//! cargo run -p isa-tests --example saxpy-co -- saxpy.co
//! isa dis saxpy.co
//! ```

use std::error::Error;

use amdgpu_object::{
    Argument, Assembler, CodeObjectVersion, Condition, Far, KernelMetadata, KernelSettings, Language, Processor,
    write_code_object,
};
use rdna3::build::*;
use rdna3::{Instr, build};

/// The number of work-items in a work-group.
const GROUP: u32 = 256;

/// The registers: the arguments' address is in the first user SGPRs, the work-group's number in the SGPR after them, and the
/// work-item's number in v0.
const ARGUMENTS: Sgprs<2> = sgpr!(0..=1);
const GROUP_ID: Sgprs<1> = sgpr!(2);
const BUFFERS: Sgprs<4> = sgpr!(4..=7);
const X: Sgprs<2> = sgpr!(4..=5);
const Y: Sgprs<2> = sgpr!(6..=7);
const SCALARS: Sgprs<2> = sgpr!(8..=9);
const A: Sgprs<1> = sgpr!(8);
const COUNT: Sgprs<1> = sgpr!(9);

/// Returns the bytes of the code object.
pub fn saxpy() -> Result<Vec<u8>, Box<dyn Error>> {
    let mut code = Assembler::new(Processor::Gfx1100, CodeObjectVersion::V6);
    code.begin_kernel("saxpy");
    let done = code.new_label();
    let (index, offset, x, y) = (v(0), v(1), v(2), v(3));
    push(&mut code, s_load_b128(BUFFERS, ARGUMENTS, NULL, 0))?;
    push(&mut code, s_load_b64(SCALARS, ARGUMENTS, NULL, 16))?;
    // i = work-group * 256 + work-item
    push(&mut code, v_lshl_add_u32(index, GROUP_ID, GROUP.ilog2(), index))?;
    push(&mut code, s_waitcnt(Waits::NONE.lgkmcnt(0)))?;
    // The work-items beyond the end do nothing.
    push(&mut code, v_cmpx_gt_u32(COUNT, index))?;
    code.branch_if(Condition::Execz, done, Far::No);
    push(&mut code, v_lshlrev_b32(offset, 2, index))?;
    push(&mut code, global_load_b32(x, offset, X))?;
    push(&mut code, global_load_b32(y, offset, Y))?;
    push(&mut code, s_waitcnt(Waits::NONE.vmcnt(0)))?;
    push(&mut code, v_fmac_f32(y, A, x))?;
    push(&mut code, global_store_b32(offset, y, Y))?;
    code.bind(done);
    push(&mut code, s_endpgm(0))?;

    let settings = KernelSettings {
        next_free_vgpr: 4,
        next_free_sgpr: 10,
        kernarg_size: 24,
        user_sgpr_kernarg_segment_ptr: true,
        inst_pref_size: 1,
        ..KernelSettings::wave32()
    };
    let named = |name: &str, argument| Argument { name: Some(name.into()), ..argument };
    let mut metadata = KernelMetadata::new("saxpy", &settings);
    metadata.language = Some(Language::Assembler);
    metadata.reqd_workgroup_size = Some([GROUP, 1, 1]);
    metadata.max_flat_workgroup_size = GROUP;
    metadata.args = vec![
        named("x", Argument::global_buffer(0)),
        named("y", Argument::global_buffer(8)),
        named("a", Argument::by_value(16, 4)),
        named("n", Argument::by_value(20, 4)),
    ];
    code.end_kernel(&settings, metadata);
    Ok(write_code_object(&code.finish()?)?)
}

/// Appends an instruction, whose operands are checked when it is built.
fn push<I>(code: &mut Assembler, instr: I) -> Result<(), build::BuildError>
where
    I: TryInto<Instr, Error = build::BuildError>,
{
    code.push(&instr.try_into()?.encode());
    Ok(())
}

#[allow(dead_code, reason = "tests include this file and call `saxpy`")]
fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).unwrap_or_else(|| "saxpy.co".into());
    std::fs::write(&path, saxpy()?)?;
    println!("{path}");
    Ok(())
}

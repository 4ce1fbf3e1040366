//! Helpers of the tests: they run code objects and check their code.

pub mod interpret;

use std::error::Error;

use amdgpu_dispatch::{AddressSpace, CODE_BASE, Dispatch, Settings};
use amdgpu_object::{CodeObject, Grid};
use example_compiler::GROUP;
use interpret::Argument;
use isa_exec::check::finding::Kinds;
use isa_exec::program::Program;
use rdna3::exec::Rdna3Machine;
use rdna3::{Decoder, Instr, Wave, lint};

/// Runs the only kernel of a code object on the CPU, and checks it. Arrays have their new contents afterwards.
pub fn run(file: &[u8], items: u32, arguments: &mut [Argument]) -> Result<(), Box<dyn Error>> {
    let object = CodeObject::load(file, CODE_BASE)?;
    let kernel = object.kernels.first().ok_or("no kernel")?;
    let code = object.segments.iter().find(|segment| segment.is_executable).ok_or("no code")?;
    let vgprs = kernel.descriptor.vgpr_count() as u16;
    let program = Program::checked::<Rdna3Machine>(&*code.bytes, code.address, Wave::W32, vgprs);
    let mut space = AddressSpace::new(&object)?;
    let mut placed = Vec::new();
    for argument in arguments.iter() {
        placed.push(match argument {
            Argument::Number(bits) => amdgpu_dispatch::Argument::Value(bits.to_le_bytes().to_vec()),
            Argument::Array(numbers) => {
                let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
                amdgpu_dispatch::Argument::Buffer(space.allocate_with(&bytes)?)
            }
        });
    }
    let grid = Grid::new(&[items], &[GROUP])?;
    let settings = Settings { max_instructions: 1_000_000, ..Settings::default() };
    let checked = Dispatch::new(&program, kernel, grid, &placed, &settings, &mut space)?.check(&space, Kinds::ALL)?;
    if !checked.is_clean() {
        return Err(checked.to_string().into());
    }
    for (argument, placed) in arguments.iter_mut().zip(placed) {
        if let (Argument::Array(numbers), amdgpu_dispatch::Argument::Buffer(buffer)) = (argument, placed) {
            let bytes = space.contents(buffer).map_err(|error| format!("{error:?}"))?;
            *numbers = bytes.as_chunks::<4>().0.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect();
        }
    }
    Ok(())
}

/// Returns the instructions of a code object up to the end of the program.
pub fn instructions(file: &[u8]) -> Result<Vec<Instr>, Box<dyn Error>> {
    let object = CodeObject::load(file, 0)?;
    let code = object.segments.iter().find(|segment| segment.is_executable).ok_or("no code")?;
    let mut instrs = Vec::new();
    for decoded in Decoder::new(&code.bytes, Wave::W32) {
        instrs.push(decoded.result.map_err(|error| error.to_string())?);
        if instrs.last().is_some_and(|instr| instr.opcode() == rdna3::Opcode::S_ENDPGM) {
            break;
        }
    }
    Ok(instrs)
}

/// Returns what the lint finds in instructions, also on some paths only.
pub fn findings(instrs: &[Instr]) -> Vec<String> {
    let program = lint::Program::new(instrs, Wave::W32, &[]).whole();
    program.certain().iter().chain(&program.possible()).map(ToString::to_string).collect()
}

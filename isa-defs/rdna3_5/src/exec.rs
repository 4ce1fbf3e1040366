//! Execution on the CPU: RDNA3.5 has the registers, operands and descriptors of RDNA3.

use isa_exec::check::Facts;
use isa_exec::fault::FaultKind;
use isa_exec::layout::{Image, Layout, Location};
use isa_exec::program::Effect;
use isa_exec::program::Machine;

use crate::isa::OperandInfo;
use crate::{Instr, Rdna3_5, Wave};

/// RDNA3.5 as the executor sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rdna35Machine;

impl Machine for Rdna35Machine {
    type Isa = Rdna3_5;
    const LAYOUT: Layout = rdna3::exec::LAYOUT;

    fn is_wave64(mode: Wave) -> bool {
        mode == Wave::W64
    }

    fn location(operand: &OperandInfo<Rdna3_5>) -> Option<Location> {
        rdna3::exec::location(operand.value)
    }

    fn image(instr: &Instr) -> Option<Image> {
        // Image instructions are those of RDNA3.
        let Instr::Mimg(_) = instr else { return None };
        let (instr, _) = rdna3::Instr::decode(&instr.encode(), Wave::W32).ok()?;
        rdna3::exec::image(&instr)
    }

    fn facts(instr: &Instr, mode: Wave) -> Facts {
        rdna3::exec::facts(instr, mode)
    }

    fn outside(instr: &Instr) -> Result<Effect, FaultKind> {
        rdna3::exec::outside(instr)
    }
}

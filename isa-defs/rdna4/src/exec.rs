//! Execution on the CPU: RDNA4 has the registers and operands of RDNA3, and its own descriptors and hardware registers.

use isa_exec::check::Facts;
use isa_exec::fault::FaultKind;
use isa_exec::layout::{HardwareRegister, HardwareValue, HardwareWrite, Image, Layout, Location};
use isa_exec::program::{Effect, Machine};

use crate::isa::OperandInfo;
use crate::operands::RDNA4_HW_REGISTERS;
use crate::{Family, Instr, Rdna4, Wave};

/// The hardware registers that a kernel accesses (guide §3.4). Reading those without a value is an error.
static HARDWARE: [HardwareRegister; 11] = {
    use HardwareValue::{Cycles, CyclesHigh, Identity, Mode};
    use HardwareWrite::{Ignored, Refused};
    const fn register(id: u8, value: Option<HardwareValue>, written: HardwareWrite) -> HardwareRegister {
        let (mut name, mut at) = ("", RDNA4_HW_REGISTERS.len());
        // The first name is the one that is written.
        while at > 0 {
            at -= 1;
            if RDNA4_HW_REGISTERS[at].0 == id {
                name = RDNA4_HW_REGISTERS[at].1;
            }
        }
        HardwareRegister { id, name, value, known: u32::MAX, written }
    }
    [
        register(1, Some(Mode), HardwareWrite::Mode),
        register(2, None, Refused),
        register(4, None, Ignored),
        register(17, None, Ignored),
        register(18, None, Ignored),
        register(19, None, Ignored),
        register(23, Some(Identity(0)), Refused),
        register(24, Some(Identity(1)), Refused),
        register(26, None, Ignored),
        register(29, Some(Cycles(u32::MAX)), Refused),
        register(30, Some(CyclesHigh), Refused),
    ]
};

/// RDNA4 as the executor sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rdna4Machine;

impl Machine for Rdna4Machine {
    type Isa = Rdna4;
    const LAYOUT: Layout = Layout {
        counters: rdna3::exec::counters::<Rdna4>(),
        descriptors: rdna3::exec::descriptors(Family::Gfx12),
        hardware: &HARDWARE,
        ..rdna3::exec::LAYOUT
    };

    fn is_wave64(mode: Wave) -> bool {
        mode == Wave::W64
    }

    fn location(operand: &OperandInfo<Rdna4>) -> Option<Location> {
        rdna3::exec::location(operand.value)
    }

    fn image(instr: &Instr) -> Option<Image> {
        rdna3::exec::image(instr)
    }

    fn facts(instr: &Instr, mode: Wave) -> Facts {
        rdna3::exec::facts(instr, mode)
    }

    fn outside(instr: &Instr) -> Result<Effect, FaultKind> {
        rdna3::exec::outside(instr)
    }
}

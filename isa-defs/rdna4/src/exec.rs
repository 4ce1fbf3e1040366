//! Execution on the CPU: RDNA4 has the registers, operands and buffer descriptors of RDNA3. Image instructions are not executed.

use isa_exec::check::Facts;
use isa_exec::fault::FaultKind;
use isa_exec::layout::{HardwareRegister, HardwareValue, HardwareWrite, Image, Layout, Location};
use isa_exec::program::{Effect, Machine};

use crate::isa::OperandInfo;
use crate::{Instr, Rdna4, Wave};

/// The hardware registers that a kernel accesses (guide §3.4). What the exceptions and the status of a wave are is not known here.
const HARDWARE: [HardwareRegister; 11] = {
    use HardwareValue::{Cycles, CyclesHigh, Identity, Mode};
    use HardwareWrite::{Ignored, Refused};
    const fn register(
        id: u8,
        name: &'static str,
        value: Option<HardwareValue>,
        written: HardwareWrite,
    ) -> HardwareRegister {
        HardwareRegister { id, name, value, known: u32::MAX, written }
    }
    [
        register(1, "HW_REG_WAVE_MODE", Some(Mode), HardwareWrite::Mode),
        register(2, "HW_REG_WAVE_STATUS", None, Refused),
        register(4, "HW_REG_WAVE_STATE_PRIV", None, Ignored),
        register(17, "HW_REG_WAVE_EXCP_FLAG_PRIV", None, Ignored),
        register(18, "HW_REG_WAVE_EXCP_FLAG_USER", None, Ignored),
        register(19, "HW_REG_WAVE_TRAP_CTRL", None, Ignored),
        register(23, "HW_REG_WAVE_HW_ID1", Some(Identity(0)), Refused),
        register(24, "HW_REG_WAVE_HW_ID2", Some(Identity(1)), Refused),
        register(26, "HW_REG_WAVE_SCHED_MODE", None, Ignored),
        register(29, "HW_REG_SHADER_CYCLES_LO", Some(Cycles(u32::MAX)), Refused),
        register(30, "HW_REG_SHADER_CYCLES_HI", Some(CyclesHigh), Refused),
    ]
};

/// RDNA4 as the executor sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rdna4Machine;

impl Machine for Rdna4Machine {
    type Isa = Rdna4;
    const LAYOUT: Layout =
        Layout { counters: rdna3::exec::counters::<Rdna4>(), hardware: &HARDWARE, ..rdna3::exec::LAYOUT };

    fn is_wave64(mode: Wave) -> bool {
        mode == Wave::W64
    }

    fn location(operand: &OperandInfo<Rdna4>) -> Option<Location> {
        rdna3::exec::location(operand.value)
    }

    fn image(_: &Instr) -> Option<Image> {
        None
    }

    fn facts(instr: &Instr, mode: Wave) -> Facts {
        rdna3::exec::facts(instr, mode)
    }

    fn outside(instr: &Instr) -> Result<Effect, FaultKind> {
        rdna3::exec::outside(instr)
    }
}

//! Hardware registers and clocks as a compute wave of gfx1100 sees them (guide §3.4).

use isa_exec::layout::{ClockRates, HardwareRegister, HardwareValue, HardwareWrite, Identity, Placement};
use rdna_facts::register::{self, Access, HwId1, HwId2, REGISTERS as NAMED, ShaderCycles, Status, TrapStatus};

/// The clocks. An instruction takes four cycles, between the one that it occupies its unit and the eight after which a result of
/// the scalar unit is ready (guide §3.4.10). The clock of constant rate has 100 MHz (guide §3.4.10), and the other 2,500 MHz, as
/// the RX 7900 XTX at its boost frequency.
pub(super) const CLOCK: ClockRates =
    ClockRates { cycles_per_instruction: 4, cycles_per_sleep: 64, cycles_per_tick: 25 };

/// The registers.
pub(super) const REGISTERS: [HardwareRegister; NAMED.len()] = {
    let mut registers = [of(&NAMED[0]); NAMED.len()];
    let mut at = 1;
    while at < NAMED.len() {
        registers[at] = of(&NAMED[at]);
        at += 1;
    }
    registers
};

/// The bits of TRAPSTS that record exceptions, which the executor does not: reading them is an error.
const EXCEPTIONS: u32 = TrapStatus::new().with_exceptions(0x1FF).with_buffer_out_of_bounds(true).into_bits();

/// A register as the executor has it.
const fn of(register: &register::Register) -> HardwareRegister {
    let (value, known) = match register.id {
        1 => (Some(HardwareValue::Mode), u32::MAX),
        2 => (Some(HardwareValue::Status), u32::MAX),
        // No trap handler was called.
        3 => (Some(HardwareValue::Constant(0)), !EXCEPTIONS),
        15 => (Some(HardwareValue::Apertures), u32::MAX),
        23 => (Some(HardwareValue::Identity(0)), u32::MAX),
        24 => (Some(HardwareValue::Identity(1)), u32::MAX),
        29 => (Some(HardwareValue::Cycles(ShaderCycles::new().with_cycles(0xF_FFFF).into_bits())), u32::MAX),
        _ => (None, 0),
    };
    let written = match register.access {
        Access::ReadWrite if register.id == 1 => HardwareWrite::Mode,
        // The exceptions cannot be read; writes without privilege are dropped; instructions are not fetched ahead.
        Access::ReadWrite | Access::ReadPrivilegedWrite | Access::Write => HardwareWrite::Ignored,
        Access::Read | Access::Untold => HardwareWrite::Refused,
    };
    HardwareRegister { id: register.id, name: register.name, value, known, written }
}

/// The work-group processors of gfx1100: in each of six shader engines two arrays of four.
const ENGINES: u64 = 6;
const ARRAYS: u64 = 2;
const WGPS: u64 = 4;
/// The SIMDs of a work-group processor, and the waves of each.
const SIMDS: u64 = 4;
const WAVES: u64 = 16;

/// The registers that say where a wave runs: work-groups are dealt out to the work-group processors in turn, and waves to the
/// SIMDs of theirs.
pub(super) fn identity(placement: &Placement) -> Identity {
    let Placement { group, wave, waves, has_scratch } = *placement;
    let (unit, slot) = (group % (ENGINES * ARRAYS * WGPS), group / (ENGINES * ARRAYS * WGPS));
    let number = slot.wrapping_mul(waves.into()).wrapping_add(wave.into());
    let place = HwId1::new()
        .with_wave((number / SIMDS % WAVES) as u8)
        .with_simd((number % SIMDS) as u8)
        .with_shader_engine((unit % ENGINES) as u8)
        .with_shader_array(!(unit / ENGINES).is_multiple_of(ARRAYS))
        .with_wgp((unit / (ENGINES * ARRAYS)) as u8)
        // Two lanes compute in double precision at a time.
        .with_double_rate(2);
    // The first queue of the first engine for computations, in the first memory that Linux gives to them.
    let user = HwId2::new().with_micro_engine(1).with_workgroup((slot % 32) as u8).with_vm(8);
    let status = Status::new().with_in_workgroup(waves > 1).with_scratch_enabled(has_scratch);
    Identity { status: status.into_bits(), registers: [place.into_bits(), user.into_bits()] }
}

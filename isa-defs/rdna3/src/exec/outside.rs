//! The effects of instructions that no body describes, in a run without debugger, graphics pipeline and other hardware around the
//! compute units.

extern crate alloc;

use alloc::format;

use isa_exec::fault::FaultKind;
use isa_exec::program::Effect;
use rdna_facts::message::message_in;
use rdna_facts::{Format, Generation, Instruction, flags};

/// S_TRAP that LLVM's `llvm.trap` becomes: abort, a failed assertion, unreachable code.
const TRAP: u8 = 2;
/// S_TRAP that LLVM's `llvm.debugtrap` becomes. Without a debugger the trap handler returns at once.
const DEBUG_TRAP: u8 = 3;
/// MSG_INTERRUPT: wakes a host that waits for a signal.
const INTERRUPT: u8 = 1;
/// MSG_DEALLOC_VGPRS: gives up the registers of a wave that is about to end.
const DEALLOC_VGPRS: u8 = 3;
/// MSG_RTN_GET_REALTIME: asks for the clock of constant rate (guide §3.4.10).
const GET_REALTIME: u8 = 0x83;

/// Returns the effect of an instruction that no body describes.
///
/// # Errors
/// Why a kernel cannot continue after it, for the message of the fault.
pub fn outside<I: Instruction>(instr: &I) -> Result<Effect, FaultKind> {
    let has = |flag| instr.flags() & flag != 0;
    let constant = instr.low64() as u8;
    if has(flags::TRAP) {
        return match constant {
            DEBUG_TRAP => Ok(Effect::Nothing),
            TRAP => Err(trap(
                constant,
                "the kernel ends itself: a failed device-side assertion, abort or unreachable code (llvm.trap)",
            )),
            1 => Err(trap(constant, "a breakpoint, and no debugger is attached")),
            _ => Err(trap(constant, "no trap handler knows this number; llvm.trap is 2, llvm.debugtrap is 3")),
        };
    }
    let external = |reason: &str| Err(FaultKind::External(reason.into()));
    match instr.microcode() {
        _ if has(flags::UNSEEN) => Ok(Effect::Nothing),
        _ if has(flags::HANDLER) => external("only a trap handler can execute it"),
        Format::Sopp if has(flags::STOPS) && !has(flags::MESSAGE) && constant & 1 == 0 => Ok(Effect::Nothing),
        _ if has(flags::STOPS) => external("it stops the wave for a debugger, and none is attached"),
        format @ (Format::Sopp | Format::Sop1) if has(flags::MESSAGE) => {
            match message_in(I::Generation::FAMILY, constant) {
                _ if format == Format::Sopp && matches!(constant, INTERRUPT | DEALLOC_VGPRS) => Ok(Effect::Nothing),
                _ if format == Format::Sop1 && constant == GET_REALTIME => Ok(Effect::Realtime),
                Some(message) => Err(FaultKind::External(format!(
                    "the message `{}` ({}) goes to hardware that a run on the CPU does not have",
                    message.text().unwrap_or(message.name),
                    message.meaning
                ))),
                None => Err(FaultKind::External(format!("the guide lists no message {constant:#x}"))),
            }
        }
        // Prefetches and probes of addresses: whether a cache holds the bytes makes no difference.
        Format::Smem => Ok(Effect::Nothing),
        Format::Exp => external("it exports to the graphics pipeline, which a run on the CPU does not have"),
        Format::Ldsdir | Format::Vinterp => {
            external("it interpolates vertex attributes, which a run on the CPU does not have")
        }
        _ if has(flags::BARRIER) => external("it uses a named barrier, which this generation does not have"),
        Format::Global if has(flags::ATOMIC) => external(
            "it wraps its count at VGT_GS_MAX_WAVE_ID, a register of the graphics pipeline, which a run on the CPU does not have",
        ),
        format if format.is_image() && has(flags::RAY) => {
            external("ray intersection is not emulated: the guide does not say how nodes lie in memory")
        }
        format if format.is_image() => {
            external("images with several samples in a texel are always tiled, and tiled images are not emulated")
        }
        Format::Ds if has(flags::GWS) => {
            external("it uses the global wave synchronization of the processor, which is not emulated")
        }
        Format::Ds => external("it uses a part of the data share for graphics and rays, which is not emulated"),
        Format::Illegal => external("an illegal instruction: code ends here, or data are executed"),
        _ => external("the guide does not say what it computes"),
    }
}

/// The fault of a trap.
const fn trap(number: u8, meaning: &'static str) -> FaultKind {
    FaultKind::Trap { number, meaning }
}

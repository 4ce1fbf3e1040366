//! Instruction sets and wave sizes.

use std::ffi::c_char;

use amdgpu_arch::{Arch, TargetSelection, Wave, opcode_count, with_set};
use isa::Isa;

use crate::border::{self, Out, OutError, guard, number, out_text, write_text};
use crate::status::{Failure, isa_error, isa_status};

/// An instruction set.
#[repr(u32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum isa_arch {
    /// RDNA3: gfx1100 to gfx1103.
    Rdna3 = 1,
    /// RDNA3.5: gfx1150 to gfx1154.
    Rdna35 = 2,
    /// RDNA4: gfx1200 and gfx1201.
    Rdna4 = 3,
    /// Graphics Core Next 1.0: gfx6.
    Gcn10 = 4,
    /// Graphics Core Next 1.1: gfx7.
    Gcn11 = 5,
    /// Graphics Core Next 1.2: gfx8.
    Gcn12 = 6,
    /// Graphics Core Next 1.4: gfx900 and its like.
    Gcn14 = 7,
}

impl isa_arch {
    pub(crate) const fn of(arch: Arch) -> Self {
        match arch {
            Arch::Rdna3 => Self::Rdna3,
            Arch::Rdna3_5 => Self::Rdna35,
            Arch::Rdna4 => Self::Rdna4,
            Arch::Gcn1_0 => Self::Gcn10,
            Arch::Gcn1_1 => Self::Gcn11,
            Arch::Gcn1_2 => Self::Gcn12,
            Arch::Gcn1_4 => Self::Gcn14,
        }
    }
}

/// Returns the set with a number.
pub(crate) fn arch(number: u32) -> Result<Arch, Failure> {
    let is_it = |arch: &&Arch| isa_arch::of(**arch) as u32 == number;
    Arch::ALL.iter().find(is_it).copied().ok_or_else(|| Failure::invalid(format!("{number} is not an isa_arch")))
}

/// Returns the wave size with a number of lanes; 0 is that of code of the set without any statement: 64 for GCN, which has no other.
pub(crate) fn wave(arch: Arch, lanes: u32) -> Result<Wave, Failure> {
    let default = if arch.is_rdna() { Wave::W32 } else { Wave::W64 };
    optional_wave(lanes).map(|wave| wave.unwrap_or(default))
}

/// Returns the wave size with a number of lanes, `None` for 0.
pub(crate) fn optional_wave(lanes: u32) -> Result<Option<Wave>, Failure> {
    match lanes {
        0 => Ok(None),
        32 => Ok(Some(Wave::W32)),
        64 => Ok(Some(Wave::W64)),
        _ => Err(Failure::invalid(format!("a wave has 32 or 64 lanes, not {lanes}"))),
    }
}

/// Reads the name of a set, a processor or a target.
pub(crate) fn target(name: &str) -> Result<TargetSelection, Failure> {
    TargetSelection::parse(name)
        .map_err(|error| Failure::new(isa_status::UnknownTarget, format!("`{}`: {error}", name.escape_debug())))
}

/// Reads the name of a set or a processor, such as `rdna3` or `gfx1100`, and stores an `isa_arch`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn isa_arch_parse(name: *const c_char, arch: *mut u32, error: *mut *mut isa_error) -> isa_status {
    // SAFETY: the contract of the header.
    let (name, arch, error) = unsafe { (border::name(name, "name"), Out::new(arch, 0, "arch"), OutError::new(error)) };
    guard(error, || {
        let arch = arch?;
        arch.set(isa_arch::of(target(name?)?.arch) as u32);
        Ok(())
    })
}

/// Writes the name of a set into a buffer. Returns its length, or 0 for a number that is not an `isa_arch`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn isa_arch_name(arch: u32, buffer: *mut c_char, capacity: usize) -> usize {
    // SAFETY: the contract of the header.
    let buffer = unsafe { out_text(buffer, capacity) };
    number(|| Ok(write_text(self::arch(arch)?.name(), buffer?)))
}

/// Returns the number of opcodes of a set, or 0 for a number that is not an `isa_arch`.
#[unsafe(no_mangle)]
pub extern "C" fn isa_opcode_count(arch: u32) -> usize {
    number(|| Ok(opcode_count(self::arch(arch)?)))
}

/// Writes the guide's name of an opcode of a set, such as `V_ADD_F32`, into a buffer. Returns its length, or 0 if the set lacks the opcode.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn isa_opcode_name(arch: u32, opcode: u32, buffer: *mut c_char, capacity: usize) -> usize {
    // SAFETY: the contract of the header.
    let buffer = unsafe { out_text(buffer, capacity) };
    number(|| {
        let names = with_set!(self::arch(arch)?, S => S::tables().mnemonics);
        let name = names.get(opcode as usize);
        Ok(name.map_or(0, |name| write_text(name, buffer.unwrap_or_default())))
    })
}

//! The instruction sets that are executed.

use std::borrow::Cow;

use amdgpu_arch::{Arch, PROCESSORS, Wave};
use amdgpu_object::Processor;
use isa_exec::program::Program;

/// Returns code as a program, which a checker can follow if it `is_checked`. `None`: the set is not executed.
pub fn program(
    (arch, is_checked): (Arch, bool),
    (code, address): (&[u8], u64),
    wave: Wave,
    vectors: u16,
) -> Option<Program<'_>> {
    let new = match (arch, is_checked) {
        (Arch::Rdna3, false) => Program::new::<rdna3::exec::Rdna3Machine>,
        (Arch::Rdna3, true) => Program::checked::<rdna3::exec::Rdna3Machine>,
        (Arch::Rdna3_5, false) => Program::new::<rdna3_5::exec::Rdna35Machine>,
        (Arch::Rdna3_5, true) => Program::checked::<rdna3_5::exec::Rdna35Machine>,
        _ => return None,
    };
    Some(new(Cow::Borrowed(code), address, wave, vectors))
}

/// Returns whether a set is executed.
pub fn is_executed(arch: Arch) -> bool {
    program((arch, false), (&[], 0), Wave::W32, 0).is_some()
}

/// Returns the processors whose code is executed, for messages: `gfx1100 to gfx1103 and …`.
pub fn executed() -> String {
    let ranges = Arch::ALL.iter().filter(|arch| is_executed(**arch)).filter_map(|arch| {
        let is_processor = |name: &str| Processor::from_name(name).is_some();
        let named = PROCESSORS.iter().filter(|processor| processor.arch == Some(*arch) && is_processor(processor.name));
        let mut names = named.map(|processor| processor.name);
        let first = names.next()?;
        Some(names.next_back().map_or_else(|| first.into(), |last| format!("{first} to {last}")))
    });
    ranges.collect::<Vec<_>>().join(" and ")
}

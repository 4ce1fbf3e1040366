//! The instruction sets that are executed.

use std::borrow::Cow;

use amdgpu_arch::{Arch, PROCESSORS, Wave};
use amdgpu_object::Processor;
use isa_exec::program::Program;
use rdna3::exec::Rdna3Machine;
use rdna3_5::exec::Rdna35Machine;
use rdna4::exec::Rdna4Machine;

/// How programs of a set are made: without a checker, and for one.
type Makers<'a> = [fn(Cow<'a, [u8]>, u64, Wave, u16) -> Program<'a>; 2];

/// Returns how programs of a set are made. `None`: the set is not executed.
fn makers<'a>(arch: Arch) -> Option<Makers<'a>> {
    Some(match arch {
        Arch::Rdna3 => [Program::new::<Rdna3Machine>, Program::checked::<Rdna3Machine>],
        Arch::Rdna3_5 => [Program::new::<Rdna35Machine>, Program::checked::<Rdna35Machine>],
        Arch::Rdna4 => [Program::new::<Rdna4Machine>, Program::checked::<Rdna4Machine>],
        _ => return None,
    })
}

/// Returns code at an address as a program of waves with `vectors` vector registers, like [`Program::new`] for a set that is chosen at run
/// time; with `is_checked`, a checker can follow it. `None`: the set is not executed.
#[must_use]
pub fn program(
    arch: Arch,
    (code, address): (&[u8], u64),
    wave: Wave,
    vectors: u16,
    is_checked: bool,
) -> Option<Program<'_>> {
    program_of(arch, (Cow::Borrowed(code), address), wave, vectors, is_checked)
}

/// Returns code that may be owned as a program, like [`program`].
pub(crate) fn program_of<'a>(
    arch: Arch,
    (code, address): (Cow<'a, [u8]>, u64),
    wave: Wave,
    vectors: u16,
    is_checked: bool,
) -> Option<Program<'a>> {
    let [unchecked, checked] = makers(arch)?;
    let make = if is_checked { checked } else { unchecked };
    Some(make(code, address, wave, vectors))
}

/// Returns the sets that are executed.
pub fn executed_sets() -> impl Iterator<Item = Arch> {
    Arch::ALL.iter().copied().filter(|arch| makers(*arch).is_some())
}

/// Returns the processors whose code is executed, for messages: `gfx1100 to gfx1103, … and …`.
pub(crate) fn executed_processors() -> String {
    let ranges: Vec<String> = executed_sets()
        .filter_map(|arch| {
            let is_processor = |name: &str| Processor::from_name(name).is_some();
            let named =
                PROCESSORS.iter().filter(|processor| processor.arch == Some(arch) && is_processor(processor.name));
            let mut names = named.map(|processor| processor.name);
            let first = names.next()?;
            Some(names.next_back().map_or_else(|| first.into(), |last| format!("{first} to {last}")))
        })
        .collect();
    match ranges.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} and {last}", others.join(", ")),
        _ => ranges.concat(),
    }
}

/// Returns the processor that a dispatch of code with these `e_flags` imitates: that of the flags or, for generic code, the first one of the set.
pub(crate) fn imitated(flags: u32, arch: Arch) -> Processor {
    let first = || Processor::from_name(amdgpu_arch::Processor::first(arch)?.name);
    Processor::from_flags(flags).or_else(first).unwrap_or(Processor::Gfx1100)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn executed_sets_have_processors() {
        assert!(executed_processors().starts_with("gfx1100 to gfx1103, gfx1150 to "));
        assert!(executed_sets().all(|arch| program(arch, (&[], 0), Wave::W32, 1, true).is_some()));
        assert!(program(Arch::Gcn1_4, (&[], 0), Wave::W64, 1, false).is_none());
    }

    #[test]
    fn generic_code_runs_as_on_the_first_processor() {
        let gfx11_generic = amdgpu_arch::Processor::named("gfx11-generic").map(|processor| processor.mach);
        assert_eq!(gfx11_generic.map(|flags| imitated(flags, Arch::Rdna3)), Some(Processor::Gfx1100));
        assert_eq!(imitated(Processor::Gfx1151.flags(), Arch::Rdna3_5), Processor::Gfx1151);
    }
}

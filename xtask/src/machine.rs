//! The processors that LLVM assembles and disassembles for, with a wave size where there are several.

use anyhow::{Context, Result};
use isa_tests::sets::Set;

/// A processor in the options of LLVM.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Machine {
    /// How the first column of vectors and the lines between processes call it.
    pub name: &'static str,
    /// LLVM's name of the processor.
    pub cpu: &'static str,
    /// Features to set.
    pub features: &'static str,
    /// Whether LLVM has a disassembler for it.
    pub disassembles: bool,
}

const fn machine(name: &'static str, cpu: &'static str, features: &'static str, disassembles: bool) -> Machine {
    Machine { name, cpu, features, disassembles }
}

/// All of them.
pub static MACHINES: [Machine; 10] = [
    machine("wave32", "gfx1100", "+wavefrontsize32", true),
    machine("wave64", "gfx1100", "-wavefrontsize32,+wavefrontsize64", true),
    machine("rdna3.5-wave32", "gfx1150", "+wavefrontsize32", true),
    machine("rdna3.5-wave64", "gfx1150", "-wavefrontsize32,+wavefrontsize64", true),
    machine("rdna4-wave32", "gfx1200", "+real-true16,+wavefrontsize32", true),
    machine("rdna4-wave64", "gfx1200", "+real-true16,-wavefrontsize32,+wavefrontsize64", true),
    machine("gcn1.0", "gfx600", "", false),
    machine("gcn1.1", "gfx700", "", false),
    machine("gcn1.2", "gfx803", "", true),
    machine("gcn1.4", "gfx900", "", true),
];

/// The sets of RDNA that several commands take.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum, Debug)]
pub enum Generation {
    Rdna3,
    Rdna4,
}

/// The machine of this name.
pub fn named(name: &str) -> Option<&'static Machine> {
    MACHINES.iter().find(|m| m.name == name)
}

/// The machine that runs a set in the mode that a column of vectors names.
pub fn of<S: Set>(column: &str) -> Result<&'static Machine> {
    let name = format!("{}{column}", S::MACHINES);
    named(&name).with_context(|| format!("no machine is named {name}"))
}

/// The machine that runs RDNA3 in this wave size.
pub fn rdna3(wave: rdna3::Wave) -> &'static Machine {
    &MACHINES[usize::from(wave == rdna3::Wave::W64)]
}

//! What the user asks for with `--arch`.

use std::fmt;

use amdgpu_bundle::{TargetId, TargetIdError};

use crate::arch::{Arch, Processor, Set, processor_name};

/// What `--arch` names: an instruction set, and perhaps a processor with features.
#[derive(Debug, Clone)]
pub struct Wanted {
    /// The instruction set.
    pub arch: Arch,
    /// The processor, unless the argument is the name of a set.
    target: Option<TargetId>,
}

impl Wanted {
    /// Reads an `--arch` argument: the name of a set, a processor, a target ID or a target.
    pub fn parse(name: &str) -> Result<Self, String> {
        let (bare, features) = name.split_once(':').unwrap_or((name, ""));
        let arch = Arch::parse(bare)?;
        let processor = processor_name(bare)?;
        let target = match (Processor::named(&processor), features) {
            (Some(_), _) => TargetId::with_features(&processor, features).map(Some),
            (None, "") => Ok(None),
            (None, _) => Err(TargetIdError::Processor),
        };
        Ok(Self { arch, target: target.map_err(|error| error.to_string())? })
    }

    /// Returns the processor, unless the argument is the name of a set.
    pub fn processor(&self) -> Option<&'static Processor> {
        Processor::named(&self.target.as_ref()?.processor)
    }

    /// Whether the argument is more than the name of a set.
    pub fn names_processor(&self) -> bool {
        self.target.is_some()
    }

    /// Whether code for a target is code for the processor, or the set if there is no processor.
    pub fn is_for(&self, target: &TargetId) -> bool {
        match &self.target {
            Some(wanted) => target.is_for(wanted),
            None => Processor::named(&target.processor).is_some_and(|known| known.set == Set::Read(self.arch)),
        }
    }

    /// Whether a target is the generic one of the processor.
    pub fn is_generic_of(&self, target: &TargetId) -> bool {
        self.target.as_ref().is_some_and(|wanted| target.is_generic_of(wanted))
    }
}

impl fmt::Display for Wanted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.target {
            Some(target) => target.fmt(f),
            None => f.write_str(self.arch.name()),
        }
    }
}

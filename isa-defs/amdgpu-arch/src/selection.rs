//! Instruction sets and processors by name.

use std::borrow::Cow;
use std::error::Error;
use std::fmt;

use amdgpu_bundle::{TargetError, TargetId, TargetIdError, TargetName};

use crate::processors::{PROCESSORS, Processor};
use crate::set::Arch;

/// Why a name selects no instruction set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SelectionError {
    /// The target does not exist.
    Target(TargetError),
    /// The processor is unknown, or lacks the features.
    TargetId(TargetIdError),
    /// The name is unknown, or the processor has a set that this project does not read.
    Unsupported {
        /// A similar name.
        nearest: Option<String>,
    },
}

impl Error for SelectionError {}

impl fmt::Display for SelectionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Target(error) => error.fmt(f),
            Self::TargetId(error) => error.fmt(f),
            Self::Unsupported { nearest } => {
                write!(f, "it is not read; supported: {}", supported())?;
                nearest.as_ref().map_or(Ok(()), |near| write!(f, "; did you mean `{near}`?"))
            }
        }
    }
}

/// Returns the supported sets and their processors for messages and help: `rdna3 (gfx1100 …)`, separated by commas.
#[must_use]
pub fn supported() -> String {
    let described = Arch::ALL.iter().map(|arch| {
        let named = PROCESSORS.iter().filter(|processor| processor.arch == Some(*arch));
        let names: Vec<_> = named.map(|processor| processor.name).collect();
        format!("{} ({})", arch.name(), names.join(" "))
    });
    described.collect::<Vec<_>>().join(", ")
}

/// Returns the processor of a target, or any other name itself.
///
/// # Errors
/// The target does not exist.
pub fn processor_name(name: &str) -> Result<Cow<'_, str>, SelectionError> {
    let target = TargetName::parse(name);
    if target.is_amdgpu() { target.processor().map_err(SelectionError::Target) } else { Ok(name.into()) }
}

impl Arch {
    /// Reads the name of a set, or of a processor or a target that has one of the sets.
    ///
    /// # Errors
    /// The name is unknown, or the processor has a set that this project does not read.
    pub fn parse(name: &str) -> Result<Self, SelectionError> {
        let name = processor_name(name)?;
        let is_named =
            |processor: &&Processor| processor.name == name || processor.arch.is_some_and(|arch| arch.name() == name);
        match PROCESSORS.iter().find(is_named) {
            Some(processor) => processor.arch.ok_or(SelectionError::Unsupported { nearest: None }),
            None => {
                let processors = PROCESSORS.iter().filter(|processor| processor.arch.is_some());
                let names = processors.map(|processor| processor.name).chain(Self::ALL.iter().map(|arch| arch.name()));
                Err(SelectionError::Unsupported { nearest: isa::nearest(names, &name).map(Into::into) })
            }
        }
    }
}

/// What a user selects by name: an instruction set, and perhaps a processor with features.
#[derive(Debug, Clone)]
pub struct TargetSelection {
    /// The instruction set.
    pub arch: Arch,
    /// The processor, unless the name is that of a set.
    target: Option<TargetId>,
}

impl TargetSelection {
    /// Reads the name of a set, a processor, a target ID or a target.
    ///
    /// # Errors
    /// The name is unknown, the processor has a set that this project does not read, or it lacks the features.
    pub fn parse(name: &str) -> Result<Self, SelectionError> {
        let (bare, features) = name.split_once(':').unwrap_or((name, ""));
        let arch = Arch::parse(bare)?;
        let processor = processor_name(bare)?;
        let target = match (Processor::named(&processor), features) {
            (Some(_), _) => TargetId::with_features(&processor, features).map(Some),
            (None, "") => Ok(None),
            (None, _) => Err(TargetIdError::Processor),
        };
        Ok(Self { arch, target: target.map_err(SelectionError::TargetId)? })
    }

    /// Returns the processor, unless the name is that of a set.
    #[must_use]
    pub fn processor(&self) -> Option<&'static Processor> {
        Processor::named(&self.target.as_ref()?.processor)
    }

    /// Returns whether it is more than the name of a set.
    #[must_use]
    pub fn names_processor(&self) -> bool {
        self.target.is_some()
    }

    /// Returns whether code for a target is code for the processor, or for the set if no processor is selected.
    #[must_use]
    pub fn is_for(&self, target: &TargetId) -> bool {
        match &self.target {
            Some(wanted) => target.is_for(wanted),
            None => Processor::named(&target.processor).is_some_and(|known| known.arch == Some(self.arch)),
        }
    }

    /// Returns whether a target is the generic one of the processor.
    #[must_use]
    pub fn is_generic_of(&self, target: &TargetId) -> bool {
        self.target.as_ref().is_some_and(|wanted| target.is_generic_of(wanted))
    }
}

impl fmt::Display for TargetSelection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.target {
            Some(target) => target.fmt(f),
            None => f.write_str(self.arch.name()),
        }
    }
}

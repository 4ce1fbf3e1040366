//! The error of this crate.

use std::error::Error;
use std::fmt;

use amdgpu_object::printable;
use isa_exec::check::finding::Kind;

/// The most names that a message lists.
const SHOWN: usize = 10;

/// Why something that a user has given is not understood. `Display` says it in words for that user.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReportError {
    /// The instruction is of another set.
    OtherSet {
        /// Why the words are not an instruction of the set.
        problem: String,
    },
    /// A text is neither an address nor a symbol of the code.
    UnknownPlace {
        /// The text.
        text: String,
    },
    /// A name is not that of a kind of finding.
    UnknownKind {
        /// The name.
        name: String,
        /// The kind with a similar name.
        similar: Option<Kind>,
    },
    /// No kind of finding is left to look for.
    NoKinds,
    /// A suppression has neither two nor three fields.
    SuppressionFields {
        /// How many it has.
        count: usize,
    },
    /// A line of suppressions is not understood.
    Suppression {
        /// The name of the text.
        file: String,
        /// The number of the line, the first one being 1.
        line: usize,
        /// What is wrong with it.
        problem: Box<ReportError>,
    },
    /// The file holds no kernels.
    NoKernels,
    /// No kernel has the name.
    UnknownKernel {
        /// The name.
        name: String,
        /// The names of all kernels, those that contain the name first.
        kernels: Vec<String>,
    },
    /// Several kernels have the name.
    AmbiguousKernel {
        /// The name.
        name: String,
        /// The full names of these kernels.
        kernels: Vec<String>,
    },
}

impl fmt::Display for ReportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = |text: &str| printable(text.as_bytes()).to_string();
        match self {
            ReportError::OtherSet { problem } => f.write_str(problem),
            ReportError::UnknownPlace { text } => {
                write!(f, "`{}` is neither an address nor a symbol of the code", shown(text))
            }
            ReportError::UnknownKind { name, similar } => {
                write!(f, "`{name}` is not a kind of finding")?;
                match similar {
                    Some(kind) => write!(f, "; did you mean `{}`?", kind.name()),
                    None => write!(f, "; help: the kinds are {}", Kind::ALL.map(Kind::name).join(", ")),
                }
            }
            ReportError::NoKinds => f.write_str("no kind is left to look for"),
            ReportError::SuppressionFields { count } => write!(
                f,
                "a suppression has 2 or 3 fields, not {count}; help: write KIND SYMBOL [SOURCE], names of functions without blanks, and `*` \
                 for any"
            ),
            ReportError::Suppression { file, line, problem } => write!(f, "{file}:{line}: {problem}"),
            ReportError::NoKernels => f.write_str("the file holds no kernels"),
            ReportError::UnknownKernel { name, kernels } => {
                write!(f, "no kernel is named `{}`; help: the kernels are {}", shown(name), list(kernels))
            }
            ReportError::AmbiguousKernel { name, kernels } => {
                write!(f, "`{}` names {} kernels; help: write one of {}", shown(name), kernels.len(), list(kernels))
            }
        }
    }
}

/// The names of kernels, as many as fit a message.
fn list(names: &[String]) -> String {
    let (listed, more) = names.split_at(names.len().min(SHOWN));
    // Names have commas.
    let listed = listed.join("; ");
    if more.is_empty() { listed } else { format!("{listed}; and {} more", more.len()) }
}

impl ReportError {
    /// Returns whether the message names fewer kernels than there are: a program may say how to list the rest.
    #[must_use]
    pub fn has_more_kernels(&self) -> bool {
        match self {
            ReportError::UnknownKernel { kernels, .. } | ReportError::AmbiguousKernel { kernels, .. } => {
                kernels.len() > SHOWN
            }
            _ => false,
        }
    }
}

impl Error for ReportError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            ReportError::Suppression { problem, .. } => Some(problem),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_names_ten_kernels_and_counts_the_rest() {
        let unknown = |count: usize| ReportError::UnknownKernel {
            name: "x".to_owned(),
            kernels: (0..count).map(|n| format!("k{n}")).collect(),
        };
        assert_eq!(unknown(2).to_string(), "no kernel is named `x`; help: the kernels are k0; k1");
        assert!(!unknown(SHOWN).has_more_kernels() && unknown(SHOWN).to_string().ends_with("; k9"));
        assert!(unknown(SHOWN + 2).has_more_kernels() && unknown(SHOWN + 2).to_string().ends_with("; k9; and 2 more"));
    }
}

//! Target IDs: processors and the features that code is made for.

use std::fmt;

/// Processors and the generic targets whose code they run: LLVM's AMDGPU usage page, "Generic Processors". Names do not tell them:
/// gfx908 is of the family of sub-architectures 9, and does not run gfx9-generic.
const GENERIC: &[(&str, &[&str])] = &[
    ("gfx9-generic", &["gfx900", "gfx902", "gfx904", "gfx906", "gfx909", "gfx90c"]),
    ("gfx9-4-generic", &["gfx940", "gfx941", "gfx942", "gfx950"]),
    ("gfx10-1-generic", &["gfx1010", "gfx1011", "gfx1012", "gfx1013"]),
    ("gfx10-3-generic", &["gfx1030", "gfx1031", "gfx1032", "gfx1033", "gfx1034", "gfx1035", "gfx1036"]),
    ("gfx11-generic", &["gfx1100", "gfx1101", "gfx1102", "gfx1103", "gfx1150", "gfx1151", "gfx1152", "gfx1153"]),
    ("gfx12-generic", &["gfx1200", "gfx1201"]),
];

/// Why a text is not a target ID.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum TargetIdError {
    /// It names no processor.
    Processor,
    /// A feature is neither `xnack` nor `sramecc`, has no sign, or is there twice.
    Feature {
        /// The feature.
        feature: String,
    },
}

impl fmt::Display for TargetIdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Processor => f.write_str("a target ID begins with a processor, such as gfx1100"),
            Self::Feature { feature } => {
                write!(
                    f,
                    "`{}` is not a feature of a target ID: those are xnack and sramecc, with + or -",
                    feature.escape_debug()
                )
            }
        }
    }
}

impl std::error::Error for TargetIdError {}

/// A processor and the features that its code is made for, as in `gfx90a:sramecc+:xnack-`.
///
/// # Examples
/// ```
/// use amdgpu_bundle::TargetId;
///
/// let target = TargetId::parse("gfx90a:sramecc+:xnack-")?;
/// assert_eq!((target.processor.as_str(), target.xnack, target.sramecc), ("gfx90a", Some(false), Some(true)));
///
/// let wanted = TargetId::parse("gfx1103")?;
/// assert!(TargetId::parse("gfx11-generic")?.is_generic_of(&wanted));
/// # Ok::<(), amdgpu_bundle::TargetIdError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TargetId {
    /// LLVM's name of the processor or generic target.
    pub processor: String,
    /// Whether the code is for memory that can be replayed after page faults; `None`: for both.
    pub xnack: Option<bool>,
    /// Whether the code is for memory with error correction; `None`: for both.
    pub sramecc: Option<bool>,
}

impl TargetId {
    /// Parses a target ID.
    ///
    /// # Errors
    /// The text names no processor, or a feature that target IDs do not have.
    pub fn parse(text: &str) -> Result<Self, TargetIdError> {
        match text.split_once(':') {
            Some((_, "")) => Err(TargetIdError::Feature { feature: String::new() }),
            Some((processor, features)) => Self::with_features(processor, features),
            None => Self::with_features(text, ""),
        }
    }

    /// Parses a processor and its features, which are separated by colons and may be empty: `sramecc+:xnack-`.
    ///
    /// # Errors
    /// The processor is not a name of one, or a feature is not one of target IDs.
    pub fn with_features(processor: &str, features: &str) -> Result<Self, TargetIdError> {
        let is_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if !processor.starts_with(|c: char| c.is_ascii_lowercase()) || !processor.chars().all(is_name) {
            return Err(TargetIdError::Processor);
        }
        let mut target = Self { processor: processor.into(), xnack: None, sramecc: None };
        for part in features.split(':').filter(|_| !features.is_empty()) {
            let wrong = || TargetIdError::Feature { feature: part.into() };
            let (name, is_on) = match (part.strip_suffix('+'), part.strip_suffix('-')) {
                (Some(name), _) => (name, true),
                (_, Some(name)) => (name, false),
                _ => return Err(wrong()),
            };
            let field = match name {
                "xnack" => &mut target.xnack,
                "sramecc" => &mut target.sramecc,
                _ => return Err(wrong()),
            };
            if field.replace(is_on).is_some() {
                return Err(wrong());
            }
        }
        Ok(target)
    }

    /// Whether code for this target is code for the processor of `wanted`, with features that do not contradict it.
    #[must_use]
    pub fn is_for(&self, wanted: &Self) -> bool {
        self.processor == wanted.processor && self.agrees(wanted)
    }

    /// Whether this is the generic target of the processor of `wanted`, with features that do not contradict it.
    #[must_use]
    pub fn is_generic_of(&self, wanted: &Self) -> bool {
        let covers =
            |(name, covered): &(&str, &[&str])| *name == self.processor && covered.contains(&&*wanted.processor);
        GENERIC.iter().any(covers) && self.agrees(wanted)
    }

    fn agrees(&self, wanted: &Self) -> bool {
        let agree = |a: Option<bool>, b: Option<bool>| a.is_none() || b.is_none() || a == b;
        agree(self.xnack, wanted.xnack) && agree(self.sramecc, wanted.sramecc)
    }
}

impl fmt::Display for TargetId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.processor)?;
        for (name, feature) in [("sramecc", self.sramecc), ("xnack", self.xnack)] {
            if let Some(is_on) = feature {
                write!(f, ":{name}{}", if is_on { '+' } else { '-' })?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_have_names_and_signs() {
        for wrong in
            ["", "-", "GFX1100", "gfx1100:", "gfx1100:xnack", "gfx1100:tgsplit+", "gfx90a:xnack+:xnack+", "gfx 1"]
        {
            assert!(TargetId::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn images_run_where_they_are_made_for() {
        let is_for =
            |image: &str, wanted: &str| TargetId::parse(image).unwrap().is_for(&TargetId::parse(wanted).unwrap());
        assert!(is_for("gfx90a", "gfx90a:xnack+") && is_for("gfx90a:xnack+", "gfx90a") && is_for("gfx1100", "gfx1100"));
        assert!(!is_for("gfx90a:xnack-", "gfx90a:xnack+") && !is_for("gfx1101", "gfx1100"));
        let is_generic = |image: &str, wanted: &str| {
            TargetId::parse(image).unwrap().is_generic_of(&TargetId::parse(wanted).unwrap())
        };
        assert!(is_generic("gfx11-generic", "gfx1153") && is_generic("gfx9-4-generic:xnack+", "gfx942"));
        assert!(!is_generic("gfx11-generic", "gfx1030") && !is_generic("gfx9-4-generic:xnack+", "gfx942:xnack-"));
    }
}

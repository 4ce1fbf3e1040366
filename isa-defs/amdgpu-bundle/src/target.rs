//! Target IDs and the entry IDs of bundles.

use std::fmt;

/// Processors and the generic targets whose code they run: LLVM's AMDGPU usage page, "Generic Processors".
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
        let mut parts = text.split(':');
        let processor = parts.next().unwrap_or_default();
        let is_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if !processor.starts_with(|c: char| c.is_ascii_lowercase()) || !processor.chars().all(is_name) {
            return Err(TargetIdError::Processor);
        }
        let mut target = Self { processor: processor.into(), xnack: None, sramecc: None };
        for part in parts {
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

/// The ID of an entry of a bundle, as in `hipv4-amdgcn-amd-amdhsa--gfx1100`: offload kind, triple and target ID.
///
/// # Examples
/// ```
/// use amdgpu_bundle::EntryId;
///
/// let id = EntryId::parse("hipv4-amdgcn-amd-amdhsa--gfx90a:xnack-");
/// assert_eq!((id.kind(), id.triple()), ("hipv4", "amdgcn-amd-amdhsa-"));
/// assert_eq!(id.target().map(|target| target.to_string()).as_deref(), Some("gfx90a:xnack-"));
/// assert!(EntryId::parse("host-x86_64-unknown-linux-gnu-").is_host());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct EntryId {
    text: String,
    /// Where the text's parts after the kind begin.
    triple: usize,
    /// Where the target ID begins; the end of the text if there is none.
    target: usize,
}

impl EntryId {
    /// Splits the text of an ID. Any text is one; what it lacks is empty.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let triple = text.find('-').map_or(text.len(), |dash| dash + 1);
        // Processors such as gfx9-4-generic have dashes, and the environment before them may be empty or left out.
        let target = text.rfind("-gfx").map_or(text.len(), |dash| dash + 1).max(triple);
        Self { text: text.into(), triple, target }
    }

    /// Composes the ID of an image of an offload binary.
    pub(crate) fn compose(kind: &str, triple: &str, arch: &str) -> Self {
        let text = format!("{kind}-{triple}-{arch}");
        Self { triple: kind.len() + 1, target: kind.len() + triple.len() + 2, text }
    }

    /// Returns the offload kind: `host`, `hip`, `hipv4`, `openmp` ….
    #[must_use]
    pub fn kind(&self) -> &str {
        self.text[..self.triple].trim_end_matches('-')
    }

    /// Returns the triple.
    #[must_use]
    pub fn triple(&self) -> &str {
        let text = &self.text[self.triple..self.target];
        if self.target < self.text.len() { text.strip_suffix('-').unwrap_or(text) } else { text }
    }

    /// Returns the target ID, if there is one that is valid.
    #[must_use]
    pub fn target(&self) -> Option<TargetId> {
        TargetId::parse(&self.text[self.target..]).ok()
    }

    /// Whether the entry is for the processor that runs the program.
    #[must_use]
    pub fn is_host(&self) -> bool {
        self.kind() == "host"
    }

    /// Returns the whole text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for EntryId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.text.escape_debug(), f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_of_real_bundles() {
        for (text, kind, triple, target) in [
            ("hipv4-amdgcn-amd-amdhsa--gfx1100", "hipv4", "amdgcn-amd-amdhsa-", Some("gfx1100")),
            (
                "hip-amdgcn-amd-amdhsa-unknown-gfx9-4-generic:xnack+",
                "hip",
                "amdgcn-amd-amdhsa-unknown",
                Some("gfx9-4-generic:xnack+"),
            ),
            (
                "openmp-amdgcn-amd-amdhsa-gfx90a:sramecc-:xnack+",
                "openmp",
                "amdgcn-amd-amdhsa",
                Some("gfx90a:sramecc-:xnack+"),
            ),
            (
                "hipv4-amdgpu11.00-amd-amdhsa-unknown-gfx1100",
                "hipv4",
                "amdgpu11.00-amd-amdhsa-unknown",
                Some("gfx1100"),
            ),
            ("host-x86_64-unknown-linux-gnu-", "host", "x86_64-unknown-linux-gnu-", None),
            ("host-x86_64-unknown-linux", "host", "x86_64-unknown-linux", None),
            ("hip-spirv64-amd-amdhsa--amdgcnspirv", "hip", "spirv64-amd-amdhsa--amdgcnspirv", None),
            ("host", "host", "", None),
            ("-", "", "", None),
            ("", "", "", None),
        ] {
            let id = EntryId::parse(text);
            assert_eq!((id.kind(), id.triple()), (kind, triple), "{text}");
            assert_eq!(id.target().map(|target| target.to_string()).as_deref(), target, "{text}");
        }
        let id = EntryId::compose("hip", "amdgcn-amd-amdhsa", "gfx1100");
        assert_eq!(
            (id.kind(), id.triple(), id.as_str()),
            ("hip", "amdgcn-amd-amdhsa", "hip-amdgcn-amd-amdhsa-gfx1100")
        );
    }

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

//! Names of targets, as assembly, metadata and offload bundles write them.

use std::borrow::Cow;
use std::fmt;

use crate::target_id::TargetId;

/// The name of a target: a triple, a processor and its features, such as `amdgcn-amd-amdhsa--gfx908:sramecc+:xnack-`.
///
/// LLVM 23 names the architecture `amdgpu` with the processor as sub-architecture, as in
/// `amdgpu11.00-amd-amdhsa-unknown-gfx1100`; `amdgcn` is its older name. A part that a name does not have is empty.
///
/// ```
/// use amdgpu_bundle::TargetName;
///
/// let target = TargetName::parse("amdgpu9.0a-amd-amdhsa-unknown-gfx90a:xnack+");
/// assert_eq!(target.processor()?, "gfx90a");
/// assert_eq!((target.os, target.features), ("amdhsa", "xnack+"));
/// assert!(TargetName::parse("amdgpu11.00-amd-amdhsa-unknown-gfx90a").processor().is_err());
/// # Ok::<(), amdgpu_bundle::TargetError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TargetName<'a> {
    /// The architecture with its sub-architecture.
    pub arch: &'a str,
    /// The vendor.
    pub vendor: &'a str,
    /// The operating system.
    pub os: &'a str,
    /// The environment.
    pub environment: &'a str,
    /// The processor as written. See [`processor`](Self::processor).
    pub named_processor: &'a str,
    /// The features after the first colon: names with `+` or `-`, separated by colons.
    pub features: &'a str,
}

/// The families of sub-architectures: the name of each family, and how the sub-architectures begin that it covers.
const FAMILIES: [(&str, &[&str]); 14] = [
    ("6", &["6.0"]),
    ("7", &["7.0"]),
    ("8", &["8.0", "8.1"]),
    ("9", &["9.0"]),
    ("9.4", &["9.4", "9.5"]),
    ("10", &["10.1"]),
    ("10.1", &["10.1"]),
    ("10.3", &["10.3"]),
    ("11", &["11.0", "11.5"]),
    ("11.7", &["11.7"]),
    ("12", &["12.0"]),
    ("12.5", &["12.5"]),
    ("13", &["13.1"]),
    ("13.1", &["13.1"]),
];

impl<'a> TargetName<'a> {
    /// Splits the name of a target. Which names exist is not checked.
    #[must_use]
    pub fn parse(name: &'a str) -> Self {
        let (name, features) = name.split_once(':').unwrap_or((name, ""));
        let mut parts = name.splitn(5, '-');
        let [arch, vendor, os, environment, named_processor] =
            std::array::from_fn(|_| parts.next().unwrap_or_default());
        Self { arch, vendor, os, environment, named_processor, features }
    }

    /// Returns whether the architecture is that of AMD GPUs since GFX6: `amdgcn`, or `amdgpu` and anything after it.
    #[must_use]
    pub fn is_amdgpu(&self) -> bool {
        self.arch == "amdgcn" || self.arch.starts_with("amdgpu")
    }

    /// Returns the name of the processor. A sub-architecture names it if nothing else does.
    ///
    /// # Errors
    /// The architecture is another one, the sub-architecture is missing, unknown or that of other processors, or there is
    /// neither a processor nor a sub-architecture.
    pub fn processor(&self) -> Result<Cow<'a, str>, TargetError> {
        let error = |of: fn(String, String) -> TargetError| of(self.arch.into(), self.named_processor.into());
        let Some(sub_arch) = self.arch.strip_prefix("amdgpu") else {
            return match (self.arch, self.named_processor) {
                ("amdgcn", "") => Err(TargetError::NoProcessor),
                ("amdgcn", processor) => Ok(processor.into()),
                _ => Err(error(|arch, _| TargetError::OtherArch { arch })),
            };
        };
        let family = FAMILIES.iter().find(|(name, _)| *name == sub_arch).map(|(_, begins)| *begins);
        let is_known = |sub_arch: &str| FAMILIES.iter().any(|(_, begins)| is_of(begins, sub_arch));
        if family.is_none() && !is_known(sub_arch) {
            return Err(error(|arch, _| TargetError::UnknownSubArch { arch }));
        }
        if self.named_processor.is_empty() {
            return Ok(processor_of(sub_arch).into());
        }
        let theirs = sub_arch_of(self.named_processor);
        let is_covered = |begins| theirs.as_ref().is_some_and(|theirs| is_of(begins, theirs));
        if theirs.as_deref() == Some(sub_arch) || family.is_some_and(is_covered) {
            Ok(self.named_processor.into())
        } else {
            Err(error(|arch, processor| TargetError::OtherSubArch { arch, processor }))
        }
    }
}

impl fmt::Display for TargetName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { arch, vendor, os, environment, named_processor, features } = self;
        write!(f, "{arch}-{vendor}-{os}-{environment}-{named_processor}")?;
        if features.is_empty() { Ok(()) } else { write!(f, ":{features}") }
    }
}

/// Returns whether a sub-architecture is a family's that begins so: it has one more character.
fn is_of(begins: &[&str], sub_arch: &str) -> bool {
    let rest = begins.iter().find_map(|begin| sub_arch.strip_prefix(begin));
    rest.is_some_and(|rest| matches!(rest.as_bytes(), [b'0'..=b'9' | b'a'..=b'f']))
}

/// Returns the sub-architecture of a processor: `11.00` of `gfx1100`, `9.4` of `gfx9-4-generic`.
fn sub_arch_of(processor: &str) -> Option<String> {
    let version = processor.strip_prefix("gfx")?;
    if let Some(family) = version.strip_suffix("-generic") {
        return Some(family.replace('-', "."));
    }
    let (major, minor) = version.split_at_checked(version.len().checked_sub(2)?)?;
    Some(format!("{major}.{minor}"))
}

/// Returns the processor of a sub-architecture, the inverse of [`sub_arch_of`].
fn processor_of(sub_arch: &str) -> String {
    match sub_arch.split_once('.') {
        Some((major, minor)) if minor.len() == 2 => format!("gfx{major}{minor}"),
        _ => format!("gfx{}-generic", sub_arch.replace('.', "-")),
    }
}

/// Why the name of a target names no processor.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum TargetError {
    /// The architecture is not that of AMD GPUs.
    OtherArch {
        /// The architecture.
        arch: String,
    },
    /// `amdgcn` without a processor.
    NoProcessor,
    /// `amdgpu` without a sub-architecture, or with one that does not exist.
    UnknownSubArch {
        /// The architecture.
        arch: String,
    },
    /// The sub-architecture is that of other processors.
    OtherSubArch {
        /// The architecture.
        arch: String,
        /// The processor.
        processor: String,
    },
}

impl fmt::Display for TargetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OtherArch { arch } => write!(f, "`{arch}` is not an architecture of AMD GPUs"),
            Self::NoProcessor => f.write_str("the target names no processor"),
            Self::UnknownSubArch { arch } if arch == "amdgpu" => f.write_str("`amdgpu` has no sub-architecture here"),
            Self::UnknownSubArch { arch } => write!(f, "`{arch}` has no known sub-architecture"),
            Self::OtherSubArch { arch, processor } => write!(f, "`{processor}` is not a processor of `{arch}`"),
        }
    }
}

impl std::error::Error for TargetError {}

/// The id of an entry of an offload bundle: what the code is for, and its target, as in `hipv4-amdgcn-amd-amdhsa--gfx1100` or
/// `host-x86_64-unknown-linux-gnu-`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct BundleEntryId<'a> {
    /// The kind: `host`, `hip`, `hipv4`, `openmp` or `sycl`.
    pub kind: &'a str,
    /// The target.
    pub target: TargetName<'a>,
}

impl<'a> BundleEntryId<'a> {
    /// Splits an id. Returns `None` if nothing follows its kind.
    #[must_use]
    pub fn parse(id: &'a str) -> Option<Self> {
        let (kind, name) = id.split_once('-')?;
        let mut target = TargetName::parse(name);
        // Older compilers and offload binaries have no environment, and processors such as gfx9-4-generic have dashes.
        let (bare, _) = name.split_once(':').unwrap_or((name, ""));
        if let Some(named_processor) = bare.splitn(4, '-').nth(3).filter(|part| part.starts_with("gfx")) {
            target = TargetName { environment: "", named_processor, ..target };
        }
        Some(Self { kind, target })
    }

    /// Returns the processor and features of an entry for AMD GPUs.
    #[must_use]
    pub fn target_id(&self) -> Option<TargetId> {
        let processor = self.target.processor().ok().filter(|_| self.is_device())?;
        TargetId::with_features(&processor, self.target.features).ok()
    }

    /// Returns whether the entry is code for AMD GPUs.
    fn is_device(&self) -> bool {
        self.kind != "host" && self.target.is_amdgpu()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn processor(name: &str) -> Result<String, String> {
        TargetName::parse(name).processor().map(Cow::into_owned).map_err(|error| error.to_string())
    }

    #[test]
    fn targets_name_processors() {
        for (name, expected) in [
            ("amdgcn-amd-amdhsa--gfx1100", "gfx1100"),
            ("amdgcn-amd-amdhsa-unknown-gfx1100", "gfx1100"),
            ("amdgcn-amd-amdhsa--gfx9-4-generic:xnack+", "gfx9-4-generic"),
            ("amdgpu11.00-amd-amdhsa-unknown-gfx1100", "gfx1100"),
            ("amdgpu11.00-amd-amdhsa-unknown-", "gfx1100"),
            ("amdgpu11.51", "gfx1151"),
            ("amdgpu9.0a-amd-amdhsa-unknown-gfx90a:sramecc+:xnack-", "gfx90a"),
            ("amdgpu11-amd-amdhsa-unknown-gfx1103", "gfx1103"),
            ("amdgpu11-amd-amdhsa-unknown-gfx1152", "gfx1152"),
            ("amdgpu11-amd-amdhsa-unknown-", "gfx11-generic"),
            ("amdgpu11.7", "gfx11-7-generic"),
            ("amdgpu9.4-amd-amdhsa-unknown-gfx950", "gfx950"),
            ("amdgpu10.3-amd-amdpal-unknown-gfx10-3-generic", "gfx10-3-generic"),
        ] {
            assert_eq!(processor(name).as_deref(), Ok(expected), "{name}");
        }
    }

    #[test]
    fn other_targets_are_refused() {
        for (name, expected) in [
            ("x86_64-unknown-linux-gnu", "`x86_64` is not an architecture of AMD GPUs"),
            ("", "`` is not an architecture of AMD GPUs"),
            ("amdgcn-amd-amdhsa", "the target names no processor"),
            ("amdgcn-amd-amdhsa-gfx906", "the target names no processor"),
            ("amdgcn11.00-amd-amdhsa--gfx1100", "`amdgcn11.00` is not an architecture of AMD GPUs"),
            ("amdgpu-amd-amdhsa-unknown-gfx1100", "`amdgpu` has no sub-architecture here"),
            ("amdgpu1100-amd-amdhsa--gfx1100", "`amdgpu1100` has no known sub-architecture"),
            ("amdgpu11.9", "`amdgpu11.9` has no known sub-architecture"),
            ("amdgpu11.000", "`amdgpu11.000` has no known sub-architecture"),
            ("amdgpu11.00-amd-amdhsa-unknown-gfx1101", "`gfx1101` is not a processor of `amdgpu11.00`"),
            ("amdgpu11-amd-amdhsa-unknown-gfx1170", "`gfx1170` is not a processor of `amdgpu11`"),
            ("amdgpu11.00-amd-amdhsa-unknown-gfx11-generic", "`gfx11-generic` is not a processor of `amdgpu11.00`"),
            ("amdgpu11.00-amd-amdhsa-unknown-fiji", "`fiji` is not a processor of `amdgpu11.00`"),
            ("amdgpu11.00-amd-amdhsa-unknown-gfxé", "`gfxé` is not a processor of `amdgpu11.00`"),
        ] {
            assert_eq!(processor(name).unwrap_err(), expected, "{name}");
        }
    }

    #[test]
    fn entry_ids_have_a_kind_and_a_target() {
        for (id, kind, os, processor, features, is_device) in [
            ("host-x86_64-unknown-linux-gnu-", "host", "linux", "", "", false),
            ("host-x86_64-unknown-linux", "host", "linux", "", "", false),
            ("hip-amdgcn-amd-amdhsa--gfx1100", "hip", "amdhsa", "gfx1100", "", true),
            ("hip-amdgcn-amd-amdhsa-gfx906:xnack-", "hip", "amdhsa", "gfx906", "xnack-", true),
            ("hip-amdgcn-amd-amdhsa-gfx9-4-generic:xnack-", "hip", "amdhsa", "gfx9-4-generic", "xnack-", true),
            ("hipv4-amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-", "hipv4", "amdhsa", "gfx90a", "sramecc+:xnack-", true),
            ("openmp-amdgcn-amd-amdhsa--gfx11-generic", "openmp", "amdhsa", "gfx11-generic", "", true),
            ("hip-spirv64-amd-amdhsa--amdgcnspirv", "hip", "amdhsa", "amdgcnspirv", "", false),
        ] {
            let entry = BundleEntryId::parse(id).unwrap();
            let target = entry.target;
            assert_eq!(
                (entry.kind, target.os, target.named_processor, target.features, entry.is_device()),
                (kind, os, processor, features, is_device),
                "{id}"
            );
            let target_id = entry.target_id().map(|target| target.to_string());
            let colon = if features.is_empty() { "" } else { ":" };
            assert_eq!(target_id, is_device.then(|| format!("{processor}{colon}{features}")), "{id}");
        }
        assert_eq!(BundleEntryId::parse("host"), None);
    }

    #[test]
    fn names_print_as_they_are_written() {
        for name in ["amdgcn-amd-amdhsa--gfx1100", "amdgpu9.08-amd-amdhsa-unknown-gfx908:sramecc+:xnack-"] {
            assert_eq!(TargetName::parse(name).to_string(), name);
        }
    }
}

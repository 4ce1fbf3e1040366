//! Symbols of code objects, and where the wave size of the code after them comes from.

use std::fmt;

use amdgpu_arch::{Wave, wave_name};

/// A name for a place in a section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodeSymbol {
    /// Bytes from the section's start.
    pub offset: usize,
    /// The name, control characters escaped.
    pub name: String,
    /// The meaning of the bytes after it.
    pub kind: SymbolKind,
}

/// The meaning of the bytes after a symbol.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SymbolKind {
    /// Entry point of a kernel or a shader: the file gives its wave size.
    Kernel(Wave, WaveSource),
    /// Code called from kernels. Its wave size follows from a rule.
    Function(Wave, WaveRule),
    /// A place in the code before it.
    Label,
    /// This many bytes that are not code.
    Data(usize),
    /// A kernel's descriptor: data too.
    Descriptor(usize),
}

/// Where a file gives the wave size of an entry point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WaveSource {
    /// In the kernel's descriptor.
    Descriptor,
    /// In the metadata of HSA kernels.
    KernelMetadata,
    /// In the metadata of PAL pipelines.
    PipelineMetadata,
    /// In the code of the shader, or else of a function of the file. The metadata of the PAL pipeline do not state it.
    Code,
    /// In the metadata of PAL pipelines, indirectly: a number of VGPRs takes fewer blocks in wave32.
    PipelineVgprs,
    /// Nowhere: wave64 is assumed, since LLVM's metadata of PAL pipelines state wave32 only.
    PipelineDefault,
}

impl WaveSource {
    /// Returns whether the entry point is a shader of a PAL pipeline.
    #[must_use]
    pub fn is_shader(self) -> bool {
        matches!(self, Self::PipelineMetadata) || self.is_inferred()
    }

    /// Returns whether the entry point is a shader whose metadata do not state the wave size.
    #[must_use]
    pub fn is_inferred(self) -> bool {
        matches!(self, Self::Code | Self::PipelineVgprs | Self::PipelineDefault)
    }
}

impl CodeSymbol {
    /// Returns whether a kernel or a function begins at it.
    #[must_use]
    pub fn is_entry(&self) -> bool {
        matches!(self.kind, SymbolKind::Kernel(..) | SymbolKind::Function(..))
    }

    /// Replaces names, such as by those of the sources.
    pub fn rename(&mut self, name_of: &impl Fn(&str) -> String) {
        self.name = name_of(&self.name);
        let SymbolKind::Function(_, rule) = &mut self.kind else { return };
        let names = match rule {
            WaveRule::CalledFrom(name) | WaveRule::Calls(name) | WaveRule::CalledBy(name) => [Some(name), None],
            WaveRule::CalledFromBoth(one, other) => [Some(one), Some(other)],
            WaveRule::Given | WaveRule::OnlyOne | WaveRule::AllKernels | WaveRule::OwnCode | WaveRule::Unknown => {
                return;
            }
        };
        names.into_iter().flatten().for_each(|name| *name = name_of(name));
    }
}

impl SymbolKind {
    /// Returns the wave size of the code after the symbol, if the symbol has one.
    #[must_use]
    pub fn wave(&self) -> Option<Wave> {
        match self {
            Self::Kernel(wave, _) | Self::Function(wave, _) => Some(*wave),
            Self::Label | Self::Data(_) | Self::Descriptor(_) => None,
        }
    }
}

/// What a listing says beside the name; nothing for a label.
impl fmt::Display for SymbolKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Kernel(wave, WaveSource::Descriptor) => write!(f, "kernel, {}", wave_name(*wave)),
            Self::Kernel(wave, WaveSource::KernelMetadata) => write!(f, "kernel, {} (metadata)", wave_name(*wave)),
            Self::Kernel(wave, WaveSource::PipelineMetadata) => write!(f, "shader, {} (metadata)", wave_name(*wave)),
            Self::Kernel(wave, WaveSource::Code) => write!(f, "shader, {} (from the code)", wave_name(*wave)),
            Self::Kernel(wave, WaveSource::PipelineVgprs) => {
                write!(f, "shader, {} (from its number of VGPRs)", wave_name(*wave))
            }
            Self::Kernel(wave, WaveSource::PipelineDefault) => {
                write!(f, "shader, {} (assumed: the metadata do not state it)", wave_name(*wave))
            }
            Self::Function(wave, rule) => {
                let rule = rule.to_string();
                let (open, close) = if rule.is_empty() { ("", "") } else { (" (", ")") };
                write!(f, "function, {}{open}{rule}{close}", wave_name(*wave))
            }
            Self::Label => Ok(()),
            Self::Data(size) => write!(f, "data, {size} bytes"),
            Self::Descriptor(size) => write!(f, "kernel descriptor, {size} bytes of data"),
        }
    }
}

/// Why a function has the wave size that a listing gives it, in the order in which the rules are tried.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WaveRule {
    /// [`Options::wave`](crate::Options::wave) gives it.
    Given,
    /// The instruction set has one wave size.
    OnlyOne,
    /// All kernels of the object have it.
    AllKernels,
    /// This kernel calls the function, directly or through others, and no kernel of the other size does.
    CalledFrom(String),
    /// The function uses EXEC as a mask of that width, or has instructions that exist in wave32 only.
    OwnCode,
    /// The function calls this one, whose wave size is known.
    Calls(String),
    /// This function, whose wave size is known and which no kernel calls, calls the function.
    CalledBy(String),
    /// Kernels of both sizes call the function, these among them: wave32 is assumed.
    CalledFromBoth(String, String),
    /// Nothing tells: wave32 is assumed.
    Unknown,
}

/// The reason in words; nothing if the instruction set has one wave size.
impl fmt::Display for WaveRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Given => f.write_str("given"),
            Self::OnlyOne => Ok(()),
            Self::AllKernels => f.write_str("as all kernels of the file"),
            Self::CalledFrom(kernel) => write!(f, "called from kernel {kernel}"),
            Self::OwnCode => f.write_str("from its own code"),
            Self::Calls(function) => write!(f, "calls {function}"),
            Self::CalledBy(function) => write!(f, "called from {function}"),
            Self::CalledFromBoth(one, other) => write!(f, "assumed: called from kernels of both, {one} and {other}"),
            Self::Unknown => f.write_str("assumed: no kernel calls it"),
        }
    }
}

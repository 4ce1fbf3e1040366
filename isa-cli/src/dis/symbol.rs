//! Symbols of code objects, and where the wave size of the code after them comes from.

use amdgpu_arch::{Wave, wave_name};

use crate::demangle::readable;

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
}

impl CodeSymbol {
    /// Replaces names by those of the sources.
    pub fn demangle(&mut self) {
        self.name = readable(&self.name);
        let SymbolKind::Function(_, rule) = &mut self.kind else { return };
        let names = match rule {
            WaveRule::CalledFrom(name) | WaveRule::Calls(name) | WaveRule::CalledBy(name) => [Some(name), None],
            WaveRule::CalledFromBoth(one, other) => [Some(one), Some(other)],
            WaveRule::Given | WaveRule::OnlyOne | WaveRule::AllKernels | WaveRule::OwnCode | WaveRule::Unknown => {
                return;
            }
        };
        names.into_iter().flatten().for_each(|name| *name = readable(name));
    }
}

impl SymbolKind {
    /// Returns the remark of a listing beside the name.
    pub fn remark(&self) -> String {
        match self {
            Self::Kernel(wave, WaveSource::Descriptor) => format!("kernel, {}", wave_name(*wave)),
            Self::Kernel(wave, WaveSource::KernelMetadata) => format!("kernel, {} (metadata)", wave_name(*wave)),
            Self::Kernel(wave, WaveSource::PipelineMetadata) => format!("shader, {} (metadata)", wave_name(*wave)),
            Self::Function(wave, rule) => format!("function, {}{}", wave_name(*wave), rule.remark()),
            Self::Label => String::new(),
            Self::Data(size) => format!("data, {size} bytes"),
            Self::Descriptor(size) => format!("kernel descriptor, {size} bytes of data"),
        }
    }
}

/// Why a function has the wave size that a listing gives it, in the order in which the rules are tried.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WaveRule {
    /// The command line gives it.
    Given,
    /// The instruction set has one wave size.
    OnlyOne,
    /// All kernels of the object have it.
    AllKernels,
    /// This kernel calls the function, directly or through others, and no kernel of the other size does.
    CalledFrom(String),
    /// The function writes EXEC as a mask of that width.
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

impl WaveRule {
    /// Returns the remark of a listing after the wave size, in parentheses.
    pub fn remark(&self) -> String {
        match self {
            Self::Given => " (--wave)".into(),
            Self::OnlyOne => String::new(),
            Self::AllKernels => " (as all kernels of the file)".into(),
            Self::CalledFrom(kernel) => format!(" (called from kernel {kernel})"),
            Self::OwnCode => " (from the width of its lane masks)".into(),
            Self::Calls(function) => format!(" (calls {function})"),
            Self::CalledBy(function) => format!(" (called from {function})"),
            Self::CalledFromBoth(one, other) => format!(" (assumed: called from kernels of both, {one} and {other})"),
            Self::Unknown => " (assumed: no kernel calls it)".into(),
        }
    }
}

//! A code object of a file, and its kernels.

use std::sync::OnceLock;

use amdgpu_dis::Options;
use amdgpu_dispatch::{CODE_BASE, LoadedObject};
use amdgpu_object::{CodeObject as Loaded, Kernel as KernelInfo};

use crate::lint::{LintFinding, linted};

/// A code object of a file.
pub struct ImageObject {
    bytes: Vec<u8>,
    /// The name of the processor.
    pub processor: String,
    /// The kernels.
    pub kernels: Vec<KernelInfo>,
    /// Loaded by the first launch.
    loaded: OnceLock<Result<LoadedObject, String>>,
    /// Linted by the first request, since each launch of a test asks for it.
    linted: OnceLock<Result<Vec<LintFinding>, String>>,
}

impl ImageObject {
    /// Reads the kernels of a code object.
    pub fn new(bytes: Vec<u8>, processor: String) -> Result<Self, String> {
        let kernels = Loaded::load(&bytes, CODE_BASE).map_err(|error| error.to_string())?.kernels;
        Ok(Self { bytes, processor, kernels, loaded: OnceLock::new(), linted: OnceLock::new() })
    }

    /// Returns the object for launches.
    pub fn loaded(&self) -> Result<&LoadedObject, String> {
        let load = || LoadedObject::load(&self.bytes).map_err(|error| error.to_string());
        self.loaded.get_or_init(load).as_ref().map_err(Clone::clone)
    }

    /// Returns the findings of the lint in all code of the object.
    pub fn linted(&self) -> Result<&[LintFinding], String> {
        let lint = || linted(&self.bytes, &Options::default(), false, false);
        self.linted.get_or_init(lint).as_deref().map_err(Clone::clone)
    }

    /// Returns the file.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

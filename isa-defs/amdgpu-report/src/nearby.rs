//! The memory of a kernel near an address, in words.

use std::fmt;

use amdgpu_dispatch::{HostLaunch, Inputs, Near};
use amdgpu_object::Kernel;

/// Memory of a kernel that holds an address or is near it.
#[derive(Debug, Clone)]
pub struct NearbyMemory {
    /// Which memory it is, and where the address is.
    pub near: Near,
    /// The name of the argument in the source, if metadata state it.
    pub name: Option<String>,
    /// Whether the address is in memory that may only be read.
    pub is_read_only: bool,
}

impl NearbyMemory {
    /// Finds the memory among the inputs of a launch.
    #[must_use]
    pub fn of_inputs(inputs: &Inputs, address: u64) -> Option<Self> {
        Some(Self { near: inputs.nearest(address)?, name: None, is_read_only: false })
    }

    /// Finds the memory of the host among that of a launch of a kernel.
    #[must_use]
    pub fn of_launch(launch: &HostLaunch<'_>, kernel: &Kernel, address: u64) -> Option<Self> {
        let near = launch.nearest(address)?;
        let mut arguments = kernel.metadata.iter().flat_map(|metadata| metadata.explicit_arguments());
        let name = near.argument.and_then(|index| arguments.nth(index)?.name.clone());
        Some(Self { near, name, is_read_only: launch.is_read_only(address) })
    }
}

impl fmt::Display for NearbyMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let read_only = if self.is_read_only { ", which is read-only" } else { "" };
        write!(f, "{}{read_only}", self.near.describe(self.name.as_deref()))
    }
}

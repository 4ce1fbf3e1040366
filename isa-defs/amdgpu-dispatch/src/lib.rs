#![doc = include_str!("../README.md")]
//!
//! # Overview
//!
//! [`Kernel::load`] begins a [`Launch`], which checks arguments, maps memory and runs the kernel, with or without a check. It is built on two
//! types: [`AddressSpace`] holds a code object, buffers and what a kernel's registers point to. [`Dispatch`] is a kernel with its grid and
//! arguments; [`Dispatch::run`] executes it on the threads of rayon's current pool, [`Dispatch::check`] on one
//! thread with a check. A [`Host`] observes the work-groups.
//!
//! [`LoadedObject`] keeps a code object between launches, and runs its kernels in memory of the host.
//!
//! Kernels that print get buffers for it: `printf` of OpenCL and HIP, and the messages of assertions. [`Dispatch::with_formats`] takes the
//! formats of a code object, and [`Host::print`] gets the texts. A fault at a trap has the text of the failed assertion.

mod arguments;
mod check;
mod dispatch;
mod host;
mod inputs;
mod launch;
mod loaded;
mod machine;
mod pools;
mod queue;
mod services;
mod space;

pub use arguments::{Argument, ArgumentError, Kernarg, place_arguments};
pub use check::{Checked, Checks, NotChecked, lane_ranges, register_name};
pub use dispatch::{DYNAMIC_STACK, Dispatch, DispatchError, GroupFault, MAX_LDS, Settings, Stuck};
pub use host::{Host, Status};
pub use inputs::{InputError, Inputs, LaunchArgument, MemoryContent, MemoryRange, Near, Side, byte_count, is_null};
pub use launch::{Finished, Kernel, Launch, LaunchError, Session, Sizes, executed_arch};
pub use loaded::{HostLaunch, Interruption, LaunchReport, LoadedObject};
pub use machine::{executed_sets, program};
pub use pools::end_idle_threads;
pub use services::{Printed, Stream};
pub use space::{AddressSpace, Buffer, CODE_BASE, HostRange, ObjectImage, SharedBuffer, SpaceError};

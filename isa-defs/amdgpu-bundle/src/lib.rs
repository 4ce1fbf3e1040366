//! Finds code objects of AMD GPUs in the files that compilers and frameworks ship.
//!
//! [`visit`] calls a function with each [`Image`]: the code objects and bitcode in
//!
//! - clang's offload bundles (`__CLANG_OFFLOAD_BUNDLE__`), also compressed ones (`CCOB`, versions 1 to 3, zlib and zstd),
//! - LLVM's offload binaries (magic `10 FF 10 AD`, versions 1 to 3),
//! - sections of host programs, libraries and objects (ELF, COFF, PE) that hold any number of these, such as `.hip_fatbin`,
//! - archives of all of these,
//!
//! nested to a limit. A file that is a code object itself is its only image.
//!
//! ```
//! use amdgpu_bundle::{Limits, visit};
//!
//! # let file: &[u8] = b"__CLANG_OFFLOAD_BUNDLE__\0\0\0\0\0\0\0\0";
//! let mut images = 0;
//! visit(file, &Limits::default(), &mut |found| match found {
//!     Ok(image) => {
//!         println!("{}: {} bytes", image.path, image.bytes.len());
//!         images += 1;
//!     }
//!     Err(damage) => eprintln!("{damage}"),
//! });
//! # assert_eq!(images, 0);
//! ```
//!
//! Input is untrusted. [`Limits`] bound the memory and time that it takes; damaged parts are reported with their place, and the parts
//! beside them are still found. No input makes a function of this crate panic.

#[cfg(feature = "containers")]
mod bundle;
#[cfg(feature = "containers")]
mod bytes;
#[cfg(feature = "containers")]
mod compressed;
#[cfg(feature = "containers")]
mod damage;
#[cfg(feature = "containers")]
mod method;
mod name;
#[cfg(feature = "containers")]
mod offload;
#[cfg(feature = "containers")]
mod path;
mod target_id;
#[cfg(feature = "containers")]
mod visit;

#[cfg(feature = "containers")]
pub use damage::{Damage, Reason};
#[cfg(feature = "containers")]
pub use method::Method;
pub use name::{BundleEntryId, TargetError, TargetName};
#[cfg(feature = "containers")]
pub use path::{Compression, Container, Path};
pub use target_id::{TargetId, TargetIdError};
#[cfg(feature = "containers")]
pub use visit::{Format, Image, ImageKind, Limits, format, visit};

//! ELF files, what is in them, and LLVM's tools on them.

mod descriptors;
mod link;
mod llvm;
mod load;
mod metadata;
mod overlapping;
mod properties;

//! The directives, by what they are about.

pub(crate) mod align_and_fill;
pub(crate) mod amd_kernel_code;
pub(crate) mod amd_kernel_code_fields;
pub(crate) mod amdgpu_info;
pub(crate) mod amdhsa_kernel;
pub(crate) mod call_frames;
pub(crate) mod data;
pub(crate) mod dispatch;
pub(crate) mod floats;
pub(crate) mod metadata_block;
pub(crate) mod metadata_notes;
pub(crate) mod reloc;
pub(crate) mod section;
pub(crate) mod source_lines;
pub(crate) mod symbol_aliases;
pub(crate) mod symbol_attributes;
pub(crate) mod target;

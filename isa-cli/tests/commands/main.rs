//! The commands of `isa`, run as a process. They are one test program, which links the sets once: 30 programs take four times as long to
//! build.

mod arguments;
mod asm_errors;
mod asm_files;
mod asm_layout;
mod asm_macros;
mod asm_objects;
mod asm_program;
mod asm_syntax;
#[path = "../../../isa-defs/amdgpu-bundle/tests/build/mod.rs"]
mod bundles;
mod check_guide;
mod common;
mod containers;
mod dis_errors;
mod dis_files;
mod dis_hex;
mod dis_json;
mod dis_notes;
mod dis_selection;
mod dis_waves;
mod explain;
mod guide;
mod lint_info;
mod lint_sources;
mod list;
mod manual;
mod run_cases;
mod run_check;
mod run_images;
mod run_kernels;
mod run_memory;
mod run_services;
mod run_waits;

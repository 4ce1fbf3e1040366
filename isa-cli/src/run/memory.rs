//! The memory of a run: arguments of the program, and what messages say of addresses.

use std::path::PathBuf;

use amdgpu_dispatch::{
    Argument, InputError, Inputs, LaunchArgument, MAX_LDS, MemoryContent, MemoryRange, Side, SpaceError, byte_count,
    is_null,
};

use crate::run::spec;

/// The arguments of `isa run` that concern memory.
#[derive(clap::Args)]
pub struct MemoryArgs {
    /// The next argument of the kernel: buf:FILE, buf:zero:BYTES, buf:uninit:BYTES (zeros that
    /// --check takes for not written), buf:@K+OFFSET for a part of the buffer of argument K,
    /// lds:BYTES for local memory, a number such as u8:1, i64:-1, f16:0.5 or f64:1e3, or hex:BYTES for a structure
    #[arg(long = "arg", value_name = "SPEC", value_parser = spec::argument, requires = "kernel")]
    pub arguments: Vec<LaunchArgument>,
    /// Put the bytes of a file, or zeros, at an address, such as 0xffff800000001000=descriptors.bin
    #[arg(long = "map", value_name = "ADDRESS=FILE|zero:BYTES", value_parser = spec::map, requires = "kernel")]
    pub maps: Vec<(u64, MemoryContent)>,
    /// Write the buffer of argument K, which counts from 0, or the memory at an address that --map gives, to a file when the
    /// kernel has ended
    #[arg(long = "dump", value_name = "K=FILE|ADDRESS[+BYTES]=FILE", value_parser = spec::dump, requires = "kernel")]
    pub dumps: Vec<(MemoryRange, PathBuf)>,
}

/// Returns the message for memory that cannot be set up, with the options that it is about.
pub fn message(error: &InputError) -> String {
    match error {
        InputError::Map { address, error } => {
            let help = match error {
                SpaceError::Overlap { .. } => "; help: choose another address",
                SpaceError::NotCanonical { .. } => "; help: bits 63 to 47 of an address are all equal",
                _ => "",
            };
            format!("--map {address:#x}: {error}{help}")
        }
        InputError::NotBuffer { .. } => format!("{error}, so it cannot be dumped"),
        InputError::NoArgument { index, given } => format!("--dump names argument {index}, and {given} are given"),
        InputError::NoMap { address } => format!("--dump {address:#x}: no --map holds this address"),
        InputError::ShortMap { address, left } => {
            format!("--dump {address:#x}: the memory of --map ends after {}", byte_count(*left))
        }
        error => error.to_string(),
    }
}

/// Says which argument holds an address; empty if none does.
pub fn inside(inputs: &Inputs, address: u64) -> String {
    match inputs.nearest(address) {
        Some(near) if near.side == Side::Inside && near.argument.is_some() => format!(": {near}"),
        _ => String::new(),
    }
}

/// Says which buffer an address that is not mapped was probably meant for.
pub fn near(inputs: &Inputs, address: u64) -> String {
    match inputs.nearest(address) {
        _ if is_null(address) => ": a null pointer".into(),
        Some(near) => format!(": {near}"),
        None => "; help: `--map ADDRESS=FILE` puts memory at an address".into(),
    }
}

/// Says what to do about an access of `bytes` bytes at an address outside of the `size` bytes of a work-group's LDS, of which
/// `--lds` gives `dynamic`.
pub fn beyond_lds(inputs: &Inputs, address: u64, bytes: u32, size: u32, dynamic: u32) -> String {
    let end = address.saturating_add(bytes.into());
    if end > MAX_LDS.into() {
        return format!("; help: `--lds BYTES` gives it dynamic LDS, but a work-group has at most {MAX_LDS} bytes");
    }
    match inputs.arguments().iter().position(|argument| matches!(argument, Argument::Lds(_))) {
        Some(index) => format!(
            "; help: `--arg lds:BYTES` of argument {index} or `--lds BYTES` gives it more, {end} bytes in all for this access"
        ),
        None => {
            let needed = end.saturating_sub(size.saturating_sub(dynamic).into());
            format!("; help: `--lds BYTES` gives it dynamic LDS, at least {needed} bytes for this access")
        }
    }
}

//! LLVM's disassembler, called through the C interface of libLLVM, which is loaded when it is asked for.
//!
//! LLVM 22 itself crashes on some words (a DPP suffix dword whose operands are out of range, for one), so the library lives in
//! a separate process, which answers line by line; [`crate::oracle`] is its other end.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::io;
use std::ptr;

use anyhow::{Context, Result, bail};
use isa_tests::vectors::folded;
use libloading::{Library, Symbol};

use crate::machine::{MACHINES, Machine};

/// Where libLLVM 22 may be.
const LIBRARIES: [&str; 4] =
    ["libLLVM.so.22.1", "libLLVM-22.so", "/usr/lib/llvm-22/lib/libLLVM.so.1", "/usr/lib/llvm-22/lib/libLLVM.so"];

type Initialize = unsafe extern "C" fn();
type Create = unsafe extern "C" fn(
    *const c_char,
    *const c_char,
    *const c_char,
    *mut c_void,
    c_int,
    *const c_void,
    *const c_void,
) -> *mut c_void;
type Disassemble = unsafe extern "C" fn(*mut c_void, *mut u8, u64, u64, *mut c_char, usize) -> usize;
type Dispose = unsafe extern "C" fn(*mut c_void);

/// libLLVM with a disassembler for each machine that it has one for.
pub struct Disassembler {
    contexts: Vec<(&'static Machine, *mut c_void)>,
    disassemble: Disassemble,
    dispose: Dispose,
    // Last, so that it outlives what is called in it.
    _library: Library,
}

impl Disassembler {
    /// Loads libLLVM.
    #[allow(unsafe_code, reason = "a C library can only be called so")]
    pub fn new() -> Result<Self> {
        // SAFETY: libLLVM runs its constructors on loading, as in every program linked with it.
        let found = LIBRARIES.iter().find_map(|name| unsafe { Library::new(*name) }.ok());
        let library = found.context("libLLVM 22 was not found; Debian's package llvm-22 has it")?;
        // SAFETY: the types are those of llvm-c/Disassembler.h and llvm-c/Target.h of LLVM 22; the library stays
        // loaded as long as the pointers are used, because `Disassembler` owns it.
        unsafe {
            for part in ["TargetInfo", "TargetMC", "Disassembler"] {
                let initialize: Symbol<Initialize> = library
                    .get(format!("LLVMInitializeAMDGPU{part}\0").as_bytes())
                    .context("this libLLVM was built without AMDGPU")?;
                initialize();
            }
            let create: Create = *library.get(b"LLVMCreateDisasmCPUFeatures\0")?;
            let disassemble: Disassemble = *library.get(b"LLVMDisasmInstruction\0")?;
            let dispose: Dispose = *library.get(b"LLVMDisasmDispose\0")?;
            let mut contexts = Vec::new();
            for machine in MACHINES.iter().filter(|m| m.disassembles) {
                let (cpu, features) = (CString::new(machine.cpu)?, CString::new(machine.features)?);
                let triple = c"amdgcn-amd-amdhsa".as_ptr();
                let context =
                    create(triple, cpu.as_ptr(), features.as_ptr(), ptr::null_mut(), 0, ptr::null(), ptr::null());
                if context.is_null() {
                    bail!("libLLVM makes no disassembler for {}", machine.cpu);
                }
                contexts.push((machine, context));
            }
            Ok(Disassembler { contexts, disassemble, dispose, _library: library })
        }
    }

    /// Prints what these bytes, in wave32, begin with, and gives how many bytes that is: LLVM's work and nothing beside it.
    #[allow(unsafe_code, reason = "a C library can only be called so")]
    pub fn print(&mut self, bytes: &mut [u8], text: &mut [u8; 512]) -> usize {
        let length = bytes.len() as u64;
        let Some((_, context)) = self.contexts.first().copied() else { return 0 };
        // SAFETY: as in `disassemble`.
        unsafe {
            (self.disassemble)(context, bytes.as_mut_ptr(), length, 0, text.as_mut_ptr().cast::<c_char>(), text.len())
        }
    }

    /// How many dwords LLVM reads of these bytes and what it prints for them; `None` if it refuses them.
    #[allow(unsafe_code, reason = "a C library can only be called so")]
    fn disassemble(&mut self, bytes: &mut [u8], machine: &str) -> Option<(usize, String)> {
        let mut text: [c_char; 512] = [0; 512];
        let (_, context) = *self.contexts.iter().find(|(m, _)| m.name == machine)?;
        // SAFETY: the context is live until `drop`; both buffers are ours and as long as said; LLVM ends the text with
        // a zero byte inside the buffer.
        let (read, text) = unsafe {
            let (length, room) = (bytes.len() as u64, text.len());
            let read = (self.disassemble)(context, bytes.as_mut_ptr(), length, 0, text.as_mut_ptr(), room);
            (read, CStr::from_ptr(text.as_ptr()))
        };
        let text = text.to_string_lossy();
        // A comment after the text carries the decoder's warnings, such as those of a misaligned register.
        let line = text.split(';').next().unwrap_or_default();
        (read > 0).then(|| (read / 4, folded(line)))
    }
}

impl Drop for Disassembler {
    #[allow(unsafe_code, reason = "a C library can only be called so")]
    fn drop(&mut self) {
        for (_, context) in &self.contexts {
            // SAFETY: each context came from the library's `create` and is disposed of once.
            unsafe { (self.dispose)(*context) };
        }
    }
}

/// The first line of the process, when libLLVM is ready.
pub const READY: &str = "ready";
/// The answer to words that LLVM refuses.
pub const REFUSED: &str = "-";

/// Answers each line `W0 W1 W2 MACHINE` of standard input (dwords in hexadecimal, the machine's name) with a line: the number of
/// dwords and the text, or that LLVM refuses them. Each is written before the next line is read.
pub fn serve() -> Result<()> {
    let mut llvm = Disassembler::new()?;
    println!("{READY}");
    for line in io::stdin().lines() {
        let line = line?;
        let mut columns = line.split(' ');
        let mut bytes = Vec::with_capacity(12);
        for column in columns.by_ref().take(3) {
            bytes.extend(u32::from_str_radix(column, 16)?.to_le_bytes());
        }
        match llvm.disassemble(&mut bytes, columns.next().unwrap_or_default()) {
            Some((dwords, text)) => println!("{dwords} {text}"),
            None => println!("{REFUSED}"),
        }
    }
    Ok(())
}

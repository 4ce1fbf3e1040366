//! The functions of errors and status codes, and the version.

use std::ffi::c_char;
use std::ptr;

use crate::border::{self, OutStruct, Plain, Sized32, optional};
use crate::status::{isa_error, isa_status};

/// The members of an error.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct isa_error_info {
    /// The size of the struct.
    pub size: u32,
    /// An `isa_status`.
    pub status: u32,
    /// What is wrong.
    pub message: *const c_char,
    /// What to do instead, or NULL.
    pub help: *const c_char,
    /// The included file that the error is in, or NULL for the text that was given.
    pub file: *const c_char,
    /// The line from 1, or 0 if the error is not about text.
    pub line: u64,
    /// The column in bytes from 1, or 0.
    pub column: u64,
}

// SAFETY: all members are valid with any bits; the first is the size.
unsafe impl Plain for isa_error_info {}
impl Sized32 for isa_error_info {
    const FIRST: usize = size_of::<Self>();
}

/// Frees an error; NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn isa_error_free(error: *mut isa_error) {
    // SAFETY: the contract of the header.
    unsafe { border::free(error) };
}

/// Returns the message of an error, which lives as long as the error; an empty text for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn isa_error_message(error: *const isa_error) -> *const c_char {
    // SAFETY: the contract of the header.
    match unsafe { border::handle(error) } {
        Ok(error) => error.message.as_ptr(),
        Err(_) => c"".as_ptr(),
    }
}

/// Fills in the members of an error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn isa_error_get(error: *const isa_error, info: *mut isa_error_info) -> isa_status {
    // SAFETY: the contract of the header.
    let (error, info) = unsafe { (border::handle(error), OutStruct::new(info)) };
    border::guard(border::OutError::none(), || {
        let error = error?;
        info?.write(isa_error_info {
            size: 0,
            status: error.status as u32,
            message: error.message.as_ptr(),
            help: optional(&error.help),
            file: optional(&error.file),
            line: error.line,
            column: error.column,
        });
        Ok(())
    })
}

/// Returns the name of a status, such as `ISA_STATUS_FORMAT`, or NULL for other numbers. The text is static.
#[unsafe(no_mangle)]
pub extern "C" fn isa_status_name(status: u32) -> *const c_char {
    const NAMES: [&std::ffi::CStr; 17] = [
        c"ISA_STATUS_OK",
        c"ISA_STATUS_NULL_POINTER",
        c"ISA_STATUS_INVALID_ARGUMENT",
        c"ISA_STATUS_VERSION",
        c"ISA_STATUS_OUT_OF_RANGE",
        c"ISA_STATUS_UNKNOWN_TARGET",
        c"ISA_STATUS_DECODE",
        c"ISA_STATUS_PARSE",
        c"ISA_STATUS_ILLEGAL",
        c"ISA_STATUS_ASSEMBLY",
        c"ISA_STATUS_FORMAT",
        c"ISA_STATUS_IO",
        c"ISA_STATUS_LAUNCH",
        c"ISA_STATUS_FAULT",
        c"ISA_STATUS_TIMEOUT",
        c"ISA_STATUS_STOPPED",
        c"ISA_STATUS_INTERNAL",
    ];
    NAMES.get(status as usize).map_or(ptr::null(), |name| name.as_ptr())
}

/// Returns the version of the library: major, minor and patch in bits 31 to 16, 15 to 8 and 7 to 0.
#[unsafe(no_mangle)]
pub extern "C" fn isa_version() -> u32 {
    let part = |text: &str| text.parse::<u32>().unwrap_or(0);
    part(env!("CARGO_PKG_VERSION_MAJOR")) << 16
        | part(env!("CARGO_PKG_VERSION_MINOR")) << 8
        | part(env!("CARGO_PKG_VERSION_PATCH"))
}

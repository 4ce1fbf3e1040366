//! Memory of the caller that kernels access in place, as atomics, so that threads of a launch do not race with each other.

use std::ptr;
use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64};

use amdgpu_dispatch::{HostRange, SharedBuffer};
use isa_exec::memory::SharedCells;

use crate::status::Failure;

/// Addresses of user space on all hosts are smaller.
const END: u64 = 1 << 56;

/// Returns the range of memory that the caller states.
pub(crate) fn range(data: usize, bytes: u64, is_writable: bool, what: &str) -> Result<HostRange, Failure> {
    let start = data as u64;
    match start.checked_add(bytes) {
        _ if bytes == 0 => Ok(HostRange { start, end: start, is_writable }),
        _ if start == 0 => Err(Failure::invalid(format!("{what}: NULL with a size that is not 0"))),
        Some(end) if end <= END => Ok(HostRange { start, end, is_writable }),
        _ => Err(Failure::invalid(format!("{what} exceeds the address space"))),
    }
}

/// Returns the memory of ranges at its addresses.
///
/// # Safety
/// The ranges are mapped for the lifetime `'m`, and writable if they say so. Other threads may read and write them, as far as the caller
/// answers for the values that a kernel reads.
pub(crate) unsafe fn buffers<'m>(ranges: &[HostRange]) -> Vec<SharedBuffer<'m>> {
    let buffer = |range: HostRange| {
        // SAFETY: the caller's. The executor stores to writable ranges only.
        let parts = unsafe { cells(range.start as usize, (range.end - range.start) as usize) };
        SharedBuffer { address: range.start, parts, is_writable: range.is_writable }
    };
    HostRange::disjoint(ranges).into_iter().map(buffer).collect()
}

/// Returns memory as bytes up to the first dword, a dword up to the first qword, qwords, a dword and bytes: without those that are empty.
///
/// # Safety
/// The memory is mapped for the lifetime `'m`, and writable if a store follows.
unsafe fn cells<'m>(address: usize, bytes: usize) -> Vec<SharedCells<'m>> {
    let end = address + bytes;
    let mut parts = Vec::with_capacity(1);
    let mut at = address;
    // Each part ends where the next alignment begins; the last ones at the end.
    let first_dword = at.next_multiple_of(4).min(end);
    let first_qword = if first_dword + 4 <= end { first_dword.next_multiple_of(8) } else { first_dword };
    let last_qword = (end & !7).max(first_qword);
    let last_dword = (end & !3).max(last_qword);
    if at < first_dword {
        // SAFETY: bytes are aligned; the range is in that of the caller.
        parts.push(SharedCells::Bytes(unsafe { slice::<AtomicU8>(at, first_dword - at) }));
    }
    at = first_dword;
    if at < first_qword {
        // SAFETY: the address is a multiple of 4, and the dword ends by `end`.
        parts.push(SharedCells::Dwords(unsafe { slice::<AtomicU32>(at, (first_qword - at) / 4) }));
    }
    at = first_qword;
    if at < last_qword {
        // SAFETY: the address is a multiple of 8, and so is the end.
        parts.push(SharedCells::Qwords(unsafe { slice::<AtomicU64>(at, (last_qword - at) / 8) }));
    }
    at = last_qword;
    if at < last_dword {
        // SAFETY: the address is a multiple of 4, and so is the end.
        parts.push(SharedCells::Dwords(unsafe { slice::<AtomicU32>(at, (last_dword - at) / 4) }));
    }
    at = last_dword;
    if at < end {
        // SAFETY: bytes are aligned; the range is in that of the caller.
        parts.push(SharedCells::Bytes(unsafe { slice::<AtomicU8>(at, end - at) }));
    }
    parts
}

/// Returns memory as atomics, which have the size and the alignment of their numbers.
///
/// # Safety
/// The memory is mapped for the lifetime `'m`, and the address a multiple of the size.
unsafe fn slice<'m, T>(address: usize, count: usize) -> &'m [T] {
    // SAFETY: the caller's. The memory belongs to another language, which has initialised it as far as Rust is concerned.
    unsafe { std::slice::from_raw_parts(ptr::with_exposed_provenance::<T>(address), count) }
}

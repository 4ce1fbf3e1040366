//! Kernels for AMD GPUs in Rust.
#![no_std]
#![feature(abi_gpu_kernel, stdarch_amdgpu)]

use core::arch::amdgpu::{workgroup_id_x, workitem_id_x};
use core::slice;

/// Ends the wave of a work-item that panics.
#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    core::arch::amdgpu::endpgm()
}

/// The number of the work-item. Work-groups have 64.
fn index() -> usize {
    (workgroup_id_x() * 64 + workitem_id_x()) as usize
}

/// Adds `a` times `x` to `y`.
///
/// # Safety
///
/// Both point to `count` numbers.
#[unsafe(no_mangle)]
pub unsafe extern "gpu-kernel" fn saxpy(x: *const f32, y: *mut f32, a: f32, count: u32) {
    let i = index();
    if i < count as usize {
        unsafe { *y.add(i) += a * *x.add(i) }
    }
}

/// Sorts each row of 16 numbers.
///
/// # Safety
///
/// `rows` points to `count` rows.
#[unsafe(no_mangle)]
pub unsafe extern "gpu-kernel" fn sort_rows(rows: *mut u32, count: u32) {
    let i = index();
    if i < count as usize {
        unsafe { slice::from_raw_parts_mut(rows.add(16 * i), 16) }.sort_unstable();
    }
}

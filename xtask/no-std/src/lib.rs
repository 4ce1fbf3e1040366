//! Checks that the run-time crates need neither std nor alloc. This library uses them, and defines a panic handler but no allocator. If
//! one of them needed std, the panic handler would be defined twice; if one needed alloc, linking would fail for want of an allocator.
#![no_std]

#[cfg(feature = "control-alloc")]
extern crate alloc;
#[cfg(feature = "control-std")]
extern crate std;

// Used by the others; named, so that it counts by itself.
use amdgpu_operands as _;
use rdna3::build::{BuildError, sgpr, v};
use rdna3::isa::Text;
use rdna3::{DecodeError, Decoder, Instr, Wave};

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}

const CODE: [u32; 2] = rdna3::asm! {
    s_mov_b32 s0, 8
    s_endpgm
};

const RDNA4_CODE: [u32; 2] = rdna4::asm! {
    s_wait_loadcnt 0
    s_endpgm
};

/// Decodes, prints, lists, holds rules, encodes.
#[unsafe(no_mangle)]
pub extern "C" fn read(bytes: &[u8; 4096], have: usize, out: &mut Text) -> usize {
    let mut count = 0;
    for item in Decoder::new(bytes.get(..have).unwrap_or(bytes), Wave::W32) {
        match item.result {
            Ok(instr) => {
                instr.write(Wave::W32, out);
                count += instr.operands(Wave::W32).count() + instr.encode().len();
                count += usize::from(instr.check(Wave::W32).is_ok());
            }
            Err(DecodeError::NonCanonical { .. }) => count += 1,
            Err(_) => {}
        }
    }
    count + CODE.len()
}

/// Reads a line.
#[unsafe(no_mangle)]
pub extern "C" fn parse(line: &[u8; 256], have: usize) -> usize {
    let text = core::str::from_utf8(line.get(..have).unwrap_or(line)).unwrap_or_default();
    Instr::parse(text, Wave::W32).map_or(0, |instr| instr.len())
}

/// The same for RDNA4: decodes, prints, holds rules, reads the text and builds a load.
#[unsafe(no_mangle)]
pub extern "C" fn rdna4(words: &[u32; 3], offset: i32, out: &mut Text) -> usize {
    let wave = rdna4::Wave::W32;
    let Ok((instr, length)) = rdna4::Instr::decode(words, wave) else { return RDNA4_CODE.len() };
    instr.write(wave, out);
    let read = rdna4::Instr::parse(out.as_str(), wave).is_ok();
    let load = rdna4::build::global_load_b32(v(0), v(1), sgpr!(4..=5)).offset(offset).build(wave);
    length + usize::from(instr.check(wave).is_ok()) + usize::from(read) + load.map_or(0, |load| load.len())
}

/// Builds a load.
#[unsafe(no_mangle)]
pub extern "C" fn build(at: u8, offset: i32) -> usize {
    let load = |at: u8| -> Result<Instr, BuildError> {
        rdna3::build::global_load_b32(v(at), v(1), sgpr!(4..=5)).offset(offset).build(Wave::W32)
    };
    load(at).map_or(0, |instr| instr.len())
}

/// Where a scalar load of GCN lands.
#[unsafe(no_mangle)]
pub extern "C" fn scalar(words: &[u32; 3]) -> bool {
    let read = gcn::gcn1_4::Instr::decode(words, gcn::Wave::W64);
    read.is_ok_and(|(instr, _)| gcn::memory::scalar_access(&instr).is_some())
}

/// Numbers of a descriptor.
#[unsafe(no_mangle)]
pub extern "C" fn descriptor(words: &[u32; 4]) -> u64 {
    let resource = rdna3::descriptor::buffer::BufferResource::from_words(*words);
    u64::from(resource.num_records())
}

/// An allocation, which must not link.
#[cfg(feature = "control-alloc")]
#[unsafe(no_mangle)]
pub extern "C" fn control(at: u8) -> usize {
    alloc::boxed::Box::leak(alloc::boxed::Box::new(at)) as *mut u8 as usize
}

//! Instructions on buffers, and the state that their addresses depend on.

use rdna3::address::buffer::BufferState;
use rdna3::address::{AlignmentMode, Lane};
use rdna3::descriptor::buffer::{BufferResource, BufferValues};
use rdna3::descriptor::format::DataFormat;
use rdna3::{Instr, Wave};

pub fn instr(text: &str) -> Instr {
    Instr::parse(text, Wave::W32).unwrap_or_else(|e| panic!("{text}: {e:?}"))
}

/// Returns a resource with these values; with a format of one dword if they have none.
pub fn resource(values: BufferValues) -> BufferResource {
    let values = BufferValues {
        format: if values.format == DataFormat::INVALID { DataFormat::F32_UINT } else { values.format },
        ..values
    };
    values.build().unwrap()
}

pub fn state(resource: BufferResource, id: u8, vaddr: [u32; 2], soffset: u32) -> BufferState {
    BufferState { resource, soffset, lane: Lane { id, vaddr }, alignment: AlignmentMode::Dword }
}

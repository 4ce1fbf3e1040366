//! Addresses of MUBUF and MTBUF instructions. Guide §9.4, §9.5.

use amdgpu_memory::address::{aligned, natural};
use amdgpu_memory::buffer::{self, Lane, linear, swizzled};

use super::{Address, AlignmentMode, Fault, NO_ACCESS, Spans, is_atomic, memory_bytes, thread_id};
use crate::descriptor::buffer::{BufferResource, DstSelect, OobSelect, ResourceKind};
use crate::descriptor::format::DataFormat;
use crate::{File, Instr, Registers, Value, Wave};

/// What a buffer instruction moves at an address. Guide §9.3 (table 42), §9.4.1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Payload {
    /// So many bytes, without conversion; of several dwords each is checked by itself.
    Plain(u32),
    /// So many bytes, changed in one go: all in bounds or none.
    Atomic(u32),
    /// An element of the resource's format: all in bounds or none.
    Resource,
    /// An element of this format, which the instruction names: all in bounds or none.
    Typed(DataFormat),
}

/// Where SOFFSET comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScalarOffset {
    /// A constant.
    Constant(u32),
    /// The scalar register, M0 or special value that the instruction names.
    Register,
}

/// What an instruction says of its access. Guide §9.1 (table 37), §9.4 (table 43).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BufferAccess {
    /// OFFSET, OFFEN and IDXEN.
    pub fields: buffer::Access,
    /// SOFFSET.
    pub soffset: ScalarOffset,
    /// What is moved.
    pub payload: Payload,
}

/// What an address depends on besides the instruction. Guide §9.4 (tables 44 and 45).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BufferState {
    /// The buffer resource that SRSRC names.
    pub resource: BufferResource,
    /// The value of SOFFSET if it is a register.
    pub soffset: u32,
    /// The lane.
    pub lane: Lane,
    /// What becomes of addresses that are not aligned.
    pub alignment: AlignmentMode,
}

/// A rule of swizzled buffers. Guide §9.4.2.
pub const BEYOND_ELEMENT: &str = "an access to a swizzled buffer stays within an element";
/// A rule of swizzled buffers. Guide §9.4.2.
pub const STRIDE_OF_ELEMENTS: &str = "the stride of a swizzled buffer is a multiple of its elements";

impl Payload {
    /// What the components of an element become: what the resource says if the format is the resource's, and themselves
    /// otherwise, as far as there are any. Guide §9.3, table 42.
    #[must_use]
    pub fn dst_select(self, resource: BufferResource) -> [DstSelect; 4] {
        let components = match self {
            Payload::Resource => {
                let v = resource.values();
                return [v.dst_sel_x, v.dst_sel_y, v.dst_sel_z, v.dst_sel_w];
            }
            Payload::Typed(format) => format.components().map_or(0, |c| c.bits().len()),
            Payload::Plain(bytes) | Payload::Atomic(bytes) => bytes.div_ceil(4) as usize,
        };
        let mut out = [DstSelect::Zero; 4];
        for (to, identity) in out.iter_mut().zip(buffer::IDENTITY).take(components) {
            *to = identity;
        }
        out
    }
}

impl BufferAccess {
    /// What a MUBUF or MTBUF instruction says; `None` for others, and for the invalidation of caches.
    #[must_use]
    pub fn of(instr: &Instr) -> Option<Self> {
        let opcode = instr.opcode();
        let (fields, payload) = match instr {
            Instr::Mubuf(x) => {
                let payload = match memory_bytes(opcode) {
                    Some(bytes) if is_atomic(opcode) => Payload::Atomic(bytes),
                    Some(bytes) => Payload::Plain(bytes),
                    None => Payload::Resource,
                };
                (buffer::Access { offset: x.offset(), offen: x.offen(), idxen: x.idxen() }, payload)
            }
            Instr::Mtbuf(x) => {
                let format = DataFormat::from_bits(x.format());
                (buffer::Access { offset: x.offset(), offen: x.offen(), idxen: x.idxen() }, Payload::Typed(format))
            }
            _ => return None,
        };
        let soffset = instr.operands(Wave::W32).find(|o| o.role == "soffset")?.value;
        let soffset = match soffset {
            Value::Integer(n) => ScalarOffset::Constant(i32::from(n) as u32),
            Value::Float(bits) | Value::Literal(bits) => ScalarOffset::Constant(bits),
            Value::Registers(Registers { file: File::Null, .. }) => ScalarOffset::Constant(0),
            _ => ScalarOffset::Register,
        };
        Some(BufferAccess { fields, soffset, payload })
    }

    /// Where the access lands: a piece for each part that is checked by itself. Guide §9.4, §9.4.1, §9.4.2, §9.5.
    ///
    /// # Errors
    /// What concerns all of the access: [`Fault::Unbound`], [`Fault::WrongResource`], or a rule that is broken.
    pub fn address(&self, state: &BufferState) -> Result<Spans, Fault> {
        let resource = state.resource;
        let typed = matches!(self.payload, Payload::Typed(_));
        if resource.kind() != ResourceKind::Buffer {
            return Err(Fault::WrongResource);
        }
        if resource.is_unbound(typed) {
            return Err(Fault::Unbound);
        }
        let element = |format: DataFormat| format.bytes().ok_or(Fault::Unbound);
        let (bytes, parts) = match self.payload {
            Payload::Plain(bytes) if bytes > 4 => (4, bytes / 4),
            Payload::Plain(bytes) | Payload::Atomic(bytes) => (bytes, 1),
            Payload::Resource => (element(resource.format())?, 1),
            Payload::Typed(format) => (element(format)?, 1),
        };
        let at = Place::new(self, state);
        if let Some(cut) = resource.cut() {
            if !cut.stride.is_multiple_of(cut.element) {
                return Err(Fault::Forbidden(STRIDE_OF_ELEMENTS));
            }
            if at.offset % u64::from(cut.element) + u64::from(bytes * parts) > u64::from(cut.element) {
                return Err(Fault::Forbidden(BEYOND_ELEMENT));
            }
        }
        let mut spans = Spans::NONE;
        for part in 0..parts {
            spans.push(self.part(state, at.skip(4 * part), bytes, bytes * parts));
        }
        Ok(spans)
    }

    /// One part of `bytes` bytes of an access of `size` bytes.
    fn part(&self, state: &BufferState, at: Place, bytes: u32, size: u32) -> Result<Address, Fault> {
        let resource = state.resource;
        let into = at.into_buffer(resource);
        if out_of_bounds(resource, at, into, u64::from(bytes)) {
            return Err(Fault::OutOfRange);
        }
        let byte = resource.base().wrapping_add(u64::from(at.soffset)).wrapping_add(into);
        let address = Address::new(byte, bytes);
        match self.payload {
            // Formatted elements must be aligned to their size, at most a dword, in every mode (guide §3.3.3).
            Payload::Resource | Payload::Typed(_) => aligned(address, natural(size).min(4)),
            Payload::Plain(_) | Payload::Atomic(_) => {
                // Alignment is a property of the first dword: it decides for the others.
                let first = Address::new(byte.wrapping_sub(at.skipped), bytes);
                let atomic = matches!(self.payload, Payload::Atomic(_));
                let moved = state.alignment.apply_to(first, size, atomic)?;
                let address = Address::new(moved.byte.wrapping_add(at.skipped), bytes);
                // Swizzled buffers require DWORD alignment in every mode (guide §9.4.2).
                if resource.cut().is_some() && size >= 4 { aligned(address, 4) } else { Ok(address) }
            }
        }
    }
}

/// Index and offset of a lane.
#[derive(Clone, Copy)]
struct Place {
    index: u64,
    offset: u64,
    soffset: u32,
    /// How far into the access it is.
    skipped: u64,
}

impl Place {
    /// Guide §9.4.2: the scalar offset belongs to the base and is no part of the offset.
    fn new(access: &BufferAccess, state: &BufferState) -> Self {
        let (index, offset) = access.fields.split(state.lane.vaddr);
        let tid = if state.resource.add_tid() { thread_id(state.lane.id) } else { 0 };
        let soffset = match access.soffset {
            ScalarOffset::Constant(n) => n,
            ScalarOffset::Register => state.soffset,
        };
        Place {
            index: u64::from(index) + u64::from(tid),
            offset: u64::from(offset) + u64::from(access.fields.offset),
            soffset,
            skipped: 0,
        }
    }

    fn skip(self, bytes: u32) -> Self {
        Place { offset: self.offset + u64::from(bytes), skipped: u64::from(bytes), ..self }
    }

    /// The offset into the buffer.
    fn into_buffer(self, resource: BufferResource) -> u64 {
        match resource.cut() {
            Some(cut) => swizzled(self.index, self.offset, cut),
            None => linear(self.index, u32::from(resource.stride()), self.offset),
        }
    }
}

/// Whether `bytes` bytes are out of bounds. Guide §9.4.1, table 46.
///
/// In raw mode the guide's formula has the offset alone, as raw buffers have no index; where an instruction brings one
/// all the same, what it adds counts as part of the offset, so that nothing beyond the buffer is ever reached.
fn out_of_bounds(resource: BufferResource, at: Place, into: u64, bytes: u64) -> bool {
    let records = u64::from(resource.num_records());
    let stride = u64::from(resource.stride());
    let structured = |records| at.index >= records || at.offset + bytes > stride;
    match resource.oob_select() {
        OobSelect::Structured => structured(records),
        OobSelect::IndexOnly => at.index >= records,
        OobSelect::EmptyOnly => records == 0,
        OobSelect::Raw => {
            let records = records.saturating_sub(u64::from(at.soffset));
            if resource.cut().is_some() && stride != 0 { structured(records) } else { into + bytes > records }
        }
    }
}

/// Where the access of a MUBUF or MTBUF instruction lands. Guide §9.4.
///
/// ```
/// use rdna3::address::buffer::{BufferState, address};
/// use rdna3::address::{Address, AlignmentMode, Fault, Lane};
/// use rdna3::descriptor::buffer::{BufferValues, OobSelect};
/// use rdna3::descriptor::format::DataFormat;
/// use rdna3::{Instr, Wave};
///
/// let load = Instr::parse("buffer_load_b32 v0, v1, s[4:7], s8 offen offset:16", Wave::W32).unwrap();
/// let format = DataFormat::F32_UINT;
/// let resource = BufferValues { base: 0x1000, num_records: 64, format, oob_select: OobSelect::Raw, ..Default::default() };
/// let mut state = BufferState {
///     resource: resource.build().unwrap(),
///     soffset: 8,
///     lane: Lane { id: 0, vaddr: [32, 0] },
///     alignment: AlignmentMode::Dword,
/// };
/// // 0x1000 + 8 from s8 + 32 from v1 + 16
/// assert_eq!(address(&load, &state).unwrap().whole(), Ok(Address::new(0x1038, 4)));
/// // 37 + 16 + 4 bytes are one more than 64 - 8.
/// state.lane.vaddr[0] = 37;
/// assert_eq!(address(&load, &state).unwrap().whole(), Err(Fault::OutOfRange));
/// ```
///
/// # Errors
/// What concerns all of the access; pieces may have faults of their own.
pub fn address(instr: &Instr, state: &BufferState) -> Result<Spans, Fault> {
    BufferAccess::of(instr).ok_or(NO_ACCESS)?.address(state)
}

//! Addresses of MUBUF and MTBUF instructions. Guide §3.3.3, §9.4, §9.5.

use amdgpu_memory::address::{aligned, natural};
use amdgpu_memory::buffer::{self, Lane, linear, swizzled};

use super::{Address, AlignmentMode, Fault, NO_ACCESS, Spans, bytes_accessed, thread_id, updates_memory};
use crate::descriptor::buffer::{BufferDescriptor, BufferResource, DstSelect, OobSelect, ResourceKind};
use crate::descriptor::format::DataFormat;
use crate::{File, Format, Generation, Instruction, Registers, Value, Wave, roles};

/// The data that a buffer instruction transfers at an address. Guide §9.3 (table 42), §9.4.1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Payload {
    /// A number of bytes, without conversion. Each dword of several has its own bounds check.
    Untyped(u32),
    /// An atomic on a number of bytes, which are in bounds together or not at all.
    Atomic(u32),
    /// An element of the resource's format, whose bytes are in bounds together or not at all.
    Resource,
    /// An element of the instruction's format, whose bytes are in bounds together or not at all.
    Typed(DataFormat),
}

/// The source of SOFFSET's value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScalarOffset {
    /// An inline constant, or zero for NULL.
    Constant(u32),
    /// The SGPR or M0 that the instruction names.
    Register,
}

/// The access that an instruction encodes. Guide §9.1 (table 37), §9.4 (table 43).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BufferAccess {
    /// OFFSET, OFFEN and IDXEN.
    pub fields: buffer::Access,
    /// SOFFSET.
    pub soffset: ScalarOffset,
    /// The data.
    pub payload: Payload,
}

/// The state that an address depends on besides the instruction. Guide §9.4 (tables 44 and 45).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BufferState<R: BufferDescriptor = BufferResource> {
    /// The buffer resource that SRSRC names.
    pub resource: R,
    /// The value of SOFFSET if it is a register.
    pub soffset: u32,
    /// The lane.
    pub lane: Lane,
    /// The alignment mode.
    pub alignment: AlignmentMode,
}

/// A rule of swizzled buffers that an access breaks. Guide §9.4.2.
pub const BEYOND_ELEMENT: &str = "an access to a swizzled buffer must stay within an element";
/// A rule of swizzled buffers that an access breaks. Guide §9.4.2.
pub const STRIDE_OF_ELEMENTS: &str = "the stride of a swizzled buffer must be a multiple of its element size";

impl Payload {
    /// Returns the destination selects of an access: those of the resource if the format is the resource's, and
    /// otherwise the identity for the components that exist. Guide §9.3, table 42.
    #[must_use]
    pub fn dst_select(self, resource: impl BufferDescriptor) -> [DstSelect; 4] {
        let components = match self {
            Payload::Resource => return resource.selects(),
            Payload::Typed(format) => format.components().map_or(0, |c| c.bits().len()),
            Payload::Untyped(bytes) | Payload::Atomic(bytes) => bytes.div_ceil(4) as usize,
        };
        let mut out = [DstSelect::Zero; 4];
        for (to, identity) in out.iter_mut().zip(buffer::IDENTITY).take(components) {
            *to = identity;
        }
        out
    }
}

impl BufferAccess {
    /// Returns the access of a MUBUF or MTBUF instruction (RDNA4: VBUFFER); `None` for other instructions, and for cache invalidations.
    #[must_use]
    pub fn of<I: Instruction>(instr: &I) -> Option<Self> {
        let format = instr.microcode();
        if !matches!(format, Format::Mubuf | Format::Mtbuf) {
            return None;
        }
        let encoded = I::Generation::buffer_fields(&instr.dwords());
        let fields = buffer::Access { offset: encoded.offset, offen: encoded.offen, idxen: encoded.idxen };
        let payload = match bytes_accessed(instr) {
            _ if format == Format::Mtbuf => Payload::Typed(DataFormat::from_bits(encoded.format)),
            Some(bytes) if updates_memory(instr.body_effects()) => Payload::Atomic(bytes),
            Some(bytes) => Payload::Untyped(bytes),
            None => Payload::Resource,
        };
        let soffset = instr.operand_infos(Wave::W32).find(|o| o.role == roles::SOFFSET)?.value;
        let soffset = match soffset {
            Value::Integer(n) => ScalarOffset::Constant(i32::from(n) as u32),
            Value::Float(bits) | Value::Literal(bits) => ScalarOffset::Constant(bits),
            Value::Registers(Registers { file: File::Null, .. }) => ScalarOffset::Constant(0),
            _ => ScalarOffset::Register,
        };
        Some(BufferAccess { fields, soffset, payload })
    }

    /// Returns the bytes of the access: one piece for each part with its own bounds check. Guide §9.4, §9.4.1, §9.4.2,
    /// §9.5.
    ///
    /// # Errors
    /// The faults of the access as a whole: [`Fault::Unbound`], [`Fault::WrongResource`], [`Fault::Forbidden`]. Each
    /// piece may have its own fault.
    pub fn address<R: BufferDescriptor>(&self, state: &BufferState<R>) -> Result<Spans, Fault> {
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
            Payload::Untyped(bytes) if bytes > 4 => (4, bytes / 4),
            Payload::Untyped(bytes) | Payload::Atomic(bytes) => (bytes, 1),
            Payload::Resource => (element(resource.format())?, 1),
            Payload::Typed(format) => (element(format)?, 1),
        };
        let at = LaneOffsets::new(self, state);
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

    /// Returns a part of `bytes` bytes of an access of `size` bytes.
    fn part<R: BufferDescriptor>(
        &self,
        state: &BufferState<R>,
        at: LaneOffsets,
        bytes: u32,
        size: u32,
    ) -> Result<Address, Fault> {
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
            Payload::Untyped(_) | Payload::Atomic(_) => {
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

/// The index and the offsets of one lane.
#[derive(Clone, Copy)]
struct LaneOffsets {
    index: u64,
    offset: u64,
    soffset: u32,
    /// The distance of this part from the beginning of the access.
    skipped: u64,
}

impl LaneOffsets {
    /// Computes index and offset; the scalar offset is a part of the base instead (guide §9.4.2).
    ///
    /// Index and offset are sums of 32 bits and wrap: loops of compilers count a negative offset in a VGPR up to 0, with
    /// the immediate offset as the end of the range. Bounds apply to the wrapped sums.
    fn new<R: BufferDescriptor>(access: &BufferAccess, state: &BufferState<R>) -> Self {
        let (index, offset) = access.fields.split(state.lane.vaddr);
        let tid = if state.resource.add_tid() { thread_id(state.lane.id) } else { 0 };
        let soffset = match access.soffset {
            ScalarOffset::Constant(n) => n,
            ScalarOffset::Register => state.soffset,
        };
        LaneOffsets {
            index: index.wrapping_add(tid).into(),
            offset: offset.wrapping_add(access.fields.offset).into(),
            soffset,
            skipped: 0,
        }
    }

    fn skip(self, bytes: u32) -> Self {
        LaneOffsets { offset: self.offset + u64::from(bytes), skipped: u64::from(bytes), ..self }
    }

    /// Returns buffer_offset: the distance from the base plus the scalar offset.
    fn into_buffer(self, resource: impl BufferDescriptor) -> u64 {
        match resource.cut() {
            Some(cut) => swizzled(self.index, self.offset, cut),
            None => linear(self.index, resource.stride(), self.offset),
        }
    }
}

/// Whether `bytes` bytes at buffer offset `into` are out of bounds. Guide §9.4.1, table 46.
///
/// In raw mode the guide's formula has the offset alone, since raw buffers have no index. If an instruction has an
/// index anyway, its contribution counts as a part of the offset, so that no access reaches past the buffer.
fn out_of_bounds(resource: impl BufferDescriptor, at: LaneOffsets, into: u64, bytes: u64) -> bool {
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

/// Returns the bytes that a MUBUF or MTBUF instruction accesses. Guide §9.4.
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
/// // The sum of v1 and 16 wraps at 32 bits: -12 + 16 is 4.
/// state.lane.vaddr[0] = 0_u32.wrapping_sub(12);
/// assert_eq!(address(&load, &state).unwrap().whole(), Ok(Address::new(0x100c, 4)));
/// ```
///
/// # Errors
/// [`NO_ACCESS`] for other instructions, and the faults of [`BufferAccess::address`].
pub fn address<I: Instruction, R: BufferDescriptor>(instr: &I, state: &BufferState<R>) -> Result<Spans, Fault> {
    BufferAccess::of(instr).ok_or(NO_ACCESS)?.address(state)
}

//! Memory accesses of instructions: the access that an instruction encodes, its address, and its counters.
//!
//! The arithmetic is in [`amdgpu_memory::gcn`]; this module extracts its inputs from instructions of each generation.
//!
//! ```
//! use gcn::gcn1_4::Instr;
//! use gcn::memory::{Address, BufferState, BufferValues, Fault, Lane, buffer_address};
//!
//! let load: Instr = "buffer_load_dword v1, v0, s[0:3], s8 offen offset:16".parse()?;
//! let resource = BufferValues { base: 0x1000, num_records: 256, ..BufferValues::default() }.build()?;
//! let state = BufferState { lane: Lane { id: 0, vaddr: [32, 0] }, soffset: 4 };
//! assert_eq!(buffer_address(resource, &load, state), Some(Ok(Address::new(0x1000 + 4 + 32 + 16, 4))));
//! let beyond = BufferState { lane: Lane { id: 0, vaddr: [256, 0] }, ..state };
//! assert_eq!(buffer_address(resource, &load, beyond), Some(Err(Fault::OutOfRange)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub use amdgpu_memory::address::{Address, Fault, Spans};
use amdgpu_memory::buffer::Access;
pub use amdgpu_memory::buffer::Lane;
pub use amdgpu_memory::gcn::buffer::BufferAccess;
pub use amdgpu_memory::gcn::facts::Counts;
pub use amdgpu_memory::gcn::scalar::{OffsetParts, ScalarAccess, ScalarBase, ScalarRegisters};
pub use amdgpu_memory::gcn::{BufferResource, BufferValues, Generation as Age, buffer, facts, resource, scalar};
use gcn_rows::isa::body::{Op, Place};
use gcn_rows::isa::{Cx, semantics, surroundings};
use gcn_rows::{Generation, Wave, flags, roles};

/// An instruction of one of the generations.
pub trait Instruction {
    /// The set that it belongs to.
    type Set: Generation<Instr = Self>;

    /// The generation.
    const AGE: Age;
}

macro_rules! instruction {
    ($($module:ident $set:ident),*) => {$(
        impl Instruction for crate::$module::Instr {
            type Set = crate::$module::$set;

            const AGE: Age = Age::$set;
        }
    )*};
}

instruction!(gcn1_0 Gcn1_0, gcn1_1 Gcn1_1, gcn1_2 Gcn1_2, gcn1_4 Gcn1_4);

/// The register values that a buffer access depends on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BufferState {
    /// The lane and its address registers.
    pub lane: Lane,
    /// The value of SOFFSET.
    pub soffset: u32,
}

/// Calls `f` with the operand context of an instruction of this format; returns `None` for another format.
fn of_format<X: Instruction, T>(instr: &X, format: &str, f: impl FnOnce(&Cx<'_, X::Set>) -> T) -> Option<T> {
    use gcn_rows::isa::Isa;
    let (index, dwords) = <X::Set as Isa>::parts(instr);
    let cx = surroundings::<X::Set>(index, &dwords, Wave::W64, 0)?;
    (cx.format.name == format).then(|| f(&cx))
}

/// Returns the code of a modifier or an operand; 0 if the row has none of this name.
fn code<I: Generation>(cx: &Cx<'_, I>, name: &str) -> u32 {
    cx.sibling(name).map_or(0, |(code, _)| code)
}

/// Returns the number of bytes that an instruction accesses, as its body states; 0 if it accesses no memory.
fn element_bytes<X: Instruction>(instr: &X, resource: BufferResource) -> u32 {
    use gcn_rows::isa::Isa;
    let (index, dwords) = <X::Set as Isa>::parts(instr);
    let body = semantics::<X::Set>(index, &dwords, 0).and_then(|semantics| semantics.body());
    let access = body.into_iter().flatten().find_map(|op| match op {
        Op::Load { ty, place, .. } | Op::Store { ty, place, .. } | Op::RmwBegin { ty, place, .. } => Some((place, ty)),
        _ => None,
    });
    match access {
        Some((Place::Texel, _)) => resource.data_format().bytes(),
        // A transfer from LDS reads LDS first; both accesses have one size.
        Some((_, ty)) => u32::from(ty.total_bits()) / 8,
        None => 0,
    }
}

/// Returns the access of a MUBUF instruction: its offsets and its size, for which formatted accesses need the resource.
/// `None` for other formats, and for instructions that access no memory (`buffer_wbinvl1`).
#[must_use]
pub fn buffer_access<X: Instruction>(resource: BufferResource, instr: &X) -> Option<BufferAccess> {
    let access = of_format(instr, "MUBUF", |cx| BufferAccess {
        fields: Access { offset: code(cx, "offset"), offen: code(cx, "offen") != 0, idxen: code(cx, "idxen") != 0 },
        addr64: code(cx, "addr64") != 0,
        bytes: element_bytes(instr, resource),
    });
    access.filter(|access| access.bytes > 0)
}

/// Returns the bytes that one lane of a MUBUF instruction accesses under the rules of its generation: linear, swizzled,
/// with ADDR64 or with the lane number in the index. `None` if [`buffer_access`] returns `None`.
///
/// The inner error is [`Fault::OutOfRange`] (loads return zero, stores are dropped), [`Fault::WrongResource`] or
/// [`Fault::Forbidden`]; see [`buffer::buffer_address`].
#[must_use]
pub fn buffer_address<X: Instruction>(
    resource: BufferResource,
    instr: &X,
    state: BufferState,
) -> Option<Result<Address, Fault>> {
    let access = buffer_access(resource, instr)?;
    Some(buffer::buffer_address(resource, access, state.lane, state.soffset, X::AGE))
}

/// Returns the access of an SMEM instruction. `None` for other formats, and for instructions without an address
/// (`s_memtime`).
#[must_use]
pub fn scalar_access<X: Instruction>(instr: &X) -> Option<ScalarAccess> {
    let access = of_format(instr, "SMEM", |cx| {
        let (offset, bits) = match X::AGE {
            Age::Gcn1_4 => (code(cx, "offset"), 21),
            _ => (code(cx, "offset"), 32),
        };
        let moved = scalar_dwords(cx);
        // A compare-and-swap has two values for one location.
        let twice = cx.has(flags::ATOMIC) && cx.sibling(roles::DATA).is_some_and(|(_, ty)| ty.lanes() == 2);
        cx.sibling(roles::BASE).map(|_| ScalarAccess {
            imm: code(cx, "imm_offset") != 0,
            soe: code(cx, "soe") != 0,
            offset: ((offset << (32 - bits)) as i32) >> (32 - bits),
            dwords: if twice { moved / 2 } else { moved },
        })
    });
    access.flatten()
}

/// Returns the bytes that an SMEM instruction accesses. `None` if [`scalar_access`] returns `None`; the inner error is
/// that of [`scalar::scalar_address`].
#[must_use]
pub fn scalar_address<X: Instruction>(
    base: ScalarBase,
    instr: &X,
    registers: ScalarRegisters,
) -> Option<Result<Spans, Fault>> {
    Some(scalar::scalar_address(base, scalar_access(instr)?, registers, X::AGE))
}

/// Returns the amounts that an instruction adds to counters.
#[must_use]
pub fn counts<X: Instruction>(instr: &X) -> Counts {
    let mubuf = of_format(instr, "MUBUF", |cx| facts::mubuf_counts(cx.has(flags::STORE | flags::ATOMIC)));
    let smem = || of_format(instr, "SMEM", |cx| facts::smem_counts(scalar_dwords(cx)));
    mubuf.or_else(smem).unwrap_or_default()
}

/// Returns the number of dwords of an SMEM instruction's data, those of `s_memtime` included.
fn scalar_dwords<I: Generation>(cx: &Cx<'_, I>) -> u8 {
    cx.sibling(roles::DATA).or_else(|| cx.sibling(roles::D)).map_or(0, |(_, ty)| ty.dwords())
}

//! Execution on the CPU: what `isa-exec` has to know about RDNA3 besides the rows.

mod facts;
mod hardware;
mod image;
mod outside;
mod resources;
mod sample;

use isa_exec::check::Facts;
use isa_exec::descriptor::{
    BufferRequest, Component, Descriptors, Element, LinearBuffer, Number, Pieces, ScalarRequest, Select,
};
use isa_exec::fault::FaultKind;
use isa_exec::layout::{Constant, Image, Layout, Location};
use isa_exec::program::Effect;
use isa_exec::program::Machine;
use rdna_facts::address::buffer::{BufferAccess, BufferState, Payload, ScalarOffset};
use rdna_facts::address::scalar::buffer_dwords;
use rdna_facts::address::{AlignmentMode, BufferFields, Fault, Lane, Spans};
use rdna_facts::descriptor::buffer::{BufferDescriptor, DstSelect, OobSelect, ResourceKind};
use rdna_facts::descriptor::format::{DataFormat, NumberType};
use rdna_facts::isa::OperandInfo;
use rdna_facts::operands::{File, Half, INLINE_FLOATS, Registers, codes};
use rdna_facts::wave_state::VGPRS;
use rdna_facts::{Family, Instr, Rdna3, Value, Wave};

use resources::{Gfx11, Gfx12, Resources};

/// The registers of RDNA3 and RDNA3.5: the scalar ones have the numbers of their source codes.
pub const LAYOUT: Layout = Layout {
    scalars: *codes::EXEC.end() as u16 + 1,
    vectors: VGPRS,
    vcc: *codes::VCC.start() as u16,
    exec: *codes::EXEC.start() as u16,
    m0: codes::M0 as u16,
    read_only: (*codes::TTMP.start() as u16, *codes::TTMP.end() as u16 + 1),
    shared_aperture: 0x0001_0000,
    private_aperture: 0x0002_0000,
    descriptors: descriptors(Family::Gfx11),
    hardware: &hardware::REGISTERS,
    clock: hardware::CLOCK,
    identity: hardware::identity,
    counters: facts::counters::<Rdna3>(),
};

/// The access and the state of a request.
fn buffer_access<R: Resources>(request: &BufferRequest, payload: Payload) -> (BufferAccess, BufferState<R::Buffer>) {
    let access = BufferAccess {
        fields: BufferFields { offset: request.offset, offen: request.offen, idxen: request.idxen },
        soffset: ScalarOffset::Constant(request.soffset),
        payload,
    };
    let state = BufferState {
        resource: R::buffer(request.resource),
        soffset: request.soffset,
        lane: Lane { id: request.lane, vaddr: request.vaddr },
        alignment: AlignmentMode::Unaligned,
    };
    (access, state)
}

/// The bytes of an access through a buffer resource (guide §9.4).
fn buffer<R: Resources>(request: &BufferRequest) -> Pieces {
    let payload = if request.atomic { Payload::Atomic(request.bytes) } else { Payload::Untyped(request.bytes) };
    let (access, state) = buffer_access::<R>(request, payload);
    let bytes = if request.atomic { request.bytes } else { request.bytes.min(4) };
    match access.address(&state) {
        Ok(spans) => pieces(&spans, bytes),
        Err(fault) => Pieces { misaligned: misaligned(fault), ..Pieces::NONE },
    }
}

/// The memory of a raw buffer without an index (guide §9.4.1, §9.4.2).
fn linear<R: Resources>(request: &BufferRequest) -> Option<LinearBuffer> {
    let resource = R::buffer(request.resource);
    let is_linear = resource.kind() == ResourceKind::Buffer
        && resource.oob_select() == OobSelect::Raw
        && resource.cut().is_none()
        && !(resource.is_unbound(false) || resource.add_tid() || request.idxen);
    let bytes = u64::from(resource.num_records()).saturating_sub(request.soffset.into());
    let start = resource.base().wrapping_add(request.soffset.into());
    let is_one_range = canonical(start).wrapping_add(bytes) == canonical(start.wrapping_add(bytes));
    (is_linear && is_one_range).then_some(LinearBuffer { start: canonical(start), bytes })
}

/// The element of a typed access, in the format of the instruction or else of the resource (guide §9.3).
fn element<R: Resources>(request: &BufferRequest, format: Option<u32>) -> Element {
    let (payload, format) = match format {
        Some(code) => {
            let format = DataFormat::from_bits(code as u8);
            (Payload::Typed(format), format)
        }
        None => (Payload::Resource, R::buffer(request.resource).format()),
    };
    let (access, state) = buffer_access::<R>(request, payload);
    let address = access.address(&state).and_then(|spans| spans.iter().next().unwrap_or(Err(Fault::OutOfRange)));
    let address = match address {
        Ok(address) => address,
        Err(fault) => return Element { misaligned: misaligned(fault), ..Element::NONE },
    };
    let Some((components, number)) = layout_of(format) else { return Element::NONE };
    let selects = payload.dst_select(state.resource).map(select);
    Element {
        address: Some(canonical(address.byte)),
        bytes: address.bytes as u8,
        components,
        number,
        selects,
        misaligned: None,
    }
}

/// The source of a component.
fn select(select: DstSelect) -> Select {
    match select {
        DstSelect::One => Select::One,
        DstSelect::R => Select::Component(0),
        DstSelect::G => Select::Component(1),
        DstSelect::B => Select::Component(2),
        DstSelect::A => Select::Component(3),
        _ => Select::Zero,
    }
}

/// The components of a format, the lowest bits first, and what they mean.
fn layout_of(format: DataFormat) -> Option<([Component; 4], Number)> {
    // Its components share an exponent.
    if format == DataFormat::F5_9_9_9_FLOAT {
        return None;
    }
    let number = match format.number()? {
        NumberType::Unorm => Number::Unorm,
        NumberType::Snorm => Number::Snorm,
        NumberType::Uscaled => Number::Uscaled,
        NumberType::Sscaled => Number::Sscaled,
        NumberType::Uint => Number::Uint,
        NumberType::Sint => Number::Sint,
        NumberType::Float => Number::Float,
        NumberType::Srgb => Number::Srgb,
        NumberType::Ufloat => return None,
    };
    let mut components = [Component::default(); 4];
    let mut lo = 0;
    for (component, bits) in components.iter_mut().zip(format.components()?.bits().iter().rev()) {
        *component = Component { lo, bits: *bits };
        lo += bits;
    }
    Some((components, number))
}

/// The bytes of a scalar access through a buffer resource (guide §8.1.2).
fn scalar<R: Resources>(request: &ScalarRequest) -> Pieces {
    pieces(&buffer_dwords(R::buffer(request.resource), request.offset, request.dwords), 4)
}

/// Returns the virtual address whose low 48 bits a descriptor leads to: bits 63 to 48 repeat bit 47. Drivers place memory at
/// 0xffff8000_00000000 and after, and descriptors hold 48 bits of it.
const fn canonical(address: u64) -> u64 {
    ((address << 16) as i64 >> 16) as u64
}

/// The pieces of an access, those with a fault out of range.
fn pieces(spans: &Spans, bytes: u32) -> Pieces {
    let mut pieces = Pieces { bytes, ..Pieces::NONE };
    for (to, span) in pieces.addresses.iter_mut().zip(spans.iter()) {
        *to = span.ok().map(|address| canonical(address.byte));
    }
    pieces.misaligned = spans.iter().find_map(|span| misaligned(span.err()?));
    pieces
}

/// The address of an access that the hardware drops because of its alignment.
fn misaligned(fault: Fault) -> Option<u64> {
    match fault {
        Fault::Misaligned { byte, .. } => Some(canonical(byte)),
        _ => None,
    }
}

/// RDNA3 as the executor sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rdna3Machine;

impl Machine for Rdna3Machine {
    type Isa = Rdna3;
    const LAYOUT: Layout = LAYOUT;

    fn is_wave64(mode: Wave) -> bool {
        mode == Wave::W64
    }

    fn location(operand: &OperandInfo<Rdna3>) -> Option<Location> {
        location(operand.value)
    }

    fn image(instr: &Instr) -> Option<Image> {
        image(instr)
    }

    fn facts(instr: &Instr, mode: Wave) -> Facts {
        facts(instr, mode)
    }

    fn outside(instr: &Instr) -> Result<Effect, FaultKind> {
        outside(instr)
    }
}

pub use facts::{counters, facts};

pub use image::operands as image;
pub use outside::outside;

/// Returns how instructions of a family form addresses from descriptors.
#[must_use]
pub const fn descriptors(family: Family) -> Descriptors {
    match family {
        Family::Gfx11 => of::<Gfx11>(),
        Family::Gfx12 => of::<Gfx12>(),
    }
}

const fn of<R: Resources>() -> Descriptors {
    Descriptors {
        buffer: buffer::<R>,
        linear: linear::<R>,
        scalar: scalar::<R>,
        element: element::<R>,
        texel: image::texel::<R>,
        sample: sample::sample::<R>,
        info: image::info::<R>,
    }
}

/// Where an operand with a value is; `None` if it is outside the machine.
#[must_use]
pub fn location(value: Value) -> Option<Location> {
    let number = |number: i128| Location::Constant(Constant::Bits(number as u128));
    Some(match value {
        Value::Registers(registers) => return of_registers(registers),
        Value::Integer(number) => Location::Constant(Constant::Integer(number.into())),
        Value::Float(bits) => {
            Location::Constant(Constant::Float(INLINE_FLOATS.iter().find(|float| float.f32 == bits)?))
        }
        Value::Literal(bits) => Location::Constant(Constant::Literal(bits)),
        Value::Immediate(immediate) => number(immediate.into()),
        Value::Branch(distance) => number(distance.into()),
        Value::Off => Location::Null,
        Value::Scattered { .. } => return None,
    })
}

/// Where registers are.
fn of_registers(registers: Registers) -> Option<Location> {
    let Registers { file, first, half, .. } = registers;
    let first = u16::from(first);
    let scalar = |first| if half == Some(Half::High) { Location::ScalarHigh(first) } else { Location::Scalar(first) };
    Some(match file {
        File::Sgpr => scalar(first),
        File::Vcc => scalar(LAYOUT.vcc + first),
        File::Ttmp => scalar(108 + first),
        File::M0 => scalar(LAYOUT.m0),
        File::Exec => scalar(LAYOUT.exec + first),
        File::Vgpr if half == Some(Half::High) => Location::VectorHigh(first),
        File::Vgpr => Location::Vector(first),
        File::Null => Location::Null,
        File::Scc => Location::Scc,
        File::Special => return special(first),
    })
}

/// Returns the location of a source code for memory apertures and status bits. Returns `None` for the ID of an exiting wave (239) and
/// LDS after a parameter cache (254), which are outside the machine. A 32-bit operand gets the lower half of an aperture.
fn special(code: u16) -> Option<Location> {
    let base = |aperture: u32| u64::from(aperture) << 32;
    let limit = |aperture: u32| base(aperture) | 0xFFFF_FFFF;
    let bits = match code {
        230 => return Some(Location::Scalar(LAYOUT.flat_scratch())),
        231 => return Some(Location::Scalar(LAYOUT.flat_scratch() + 1)),
        251 => return Some(Location::IsZero(LAYOUT.vcc)),
        252 => return Some(Location::IsZero(LAYOUT.exec)),
        235 => base(LAYOUT.shared_aperture),
        236 => limit(LAYOUT.shared_aperture),
        237 => base(LAYOUT.private_aperture),
        238 => limit(LAYOUT.private_aperture),
        _ => return None,
    };
    Some(Location::Constant(Constant::Bits(bits.into())))
}

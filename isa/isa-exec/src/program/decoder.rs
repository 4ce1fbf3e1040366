//! Decodes and lowers single instructions.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::marker::PhantomData;

use isa_runtime::body::{Builtin, Clause, Op};
use isa_runtime::{Access, DecodeError, Isa, MAX_DWORDS, OperandInfo, decode, operands, semantics, surroundings};

use super::{Effect, Machine};
use crate::fault::FaultKind;
use crate::layout::{Bound, Location, Role};
use crate::lower::{Lowered, Lowering};
use crate::operation::dwords;
use crate::step::{Checked, Step};

/// An instruction that was decoded and lowered.
pub(super) struct Decoded {
    /// The length in bytes.
    pub length: u64,
    /// The mnemonic, as the guide spells it; empty where the words are not an instruction.
    pub name: &'static str,
    /// The steps, or why it cannot be executed.
    pub steps: Result<Vec<Step>, FaultKind>,
    /// What a checker looks at before the steps, in a program that is checked.
    pub checked: Option<Box<Checked>>,
}

/// Decodes and lowers instructions of a set, which its type does not name.
pub(super) trait Decoder: Send + Sync {
    /// The instruction at an address, which words begin with.
    fn decode(&self, lowering: &mut Lowering, words: &[u32], address: u64) -> Decoded;
}

/// The decoder of a machine's instruction set.
pub(super) struct MachineDecoder<M: Machine> {
    mode: <M::Isa as Isa>::Mode,
    machine: PhantomData<fn() -> M>,
}

impl<M: Machine> MachineDecoder<M> {
    pub fn new(mode: <M::Isa as Isa>::Mode) -> Self {
        MachineDecoder { mode, machine: PhantomData }
    }
}

impl<M: Machine> Decoder for MachineDecoder<M> {
    fn decode(&self, lowering: &mut Lowering, words: &[u32], address: u64) -> Decoded {
        let instr = match decode::<M::Isa>(words, self.mode) {
            Ok((instr, _)) => instr,
            Err(DecodeError::NonCanonical { instr, .. }) => instr,
            Err(error) => {
                let steps = Err(FaultKind::Undecodable(error.to_string()));
                return Decoded { length: 4, name: "", steps, checked: None };
            }
        };
        let (format, all) = M::Isa::parts(&instr);
        let length = isa_runtime::length::<M::Isa>(format, &all).max(1);
        let next = address.wrapping_add(4 * length as u64);
        let opcode = isa_runtime::opcode::<M::Isa>(format, &all, 0).unwrap_or(u16::MAX);
        let name = M::Isa::tables().mnemonics.get(usize::from(opcode)).copied().unwrap_or_default();
        let lowered = lower::<M>(lowering, &instr, length, self.mode, next);
        let mut checked = None;
        let steps = lowered.map(|lowered| {
            if lowering.is_checked() {
                let single = lowered.single.unwrap_or_else(|| lowered.steps.clone());
                checked = Some(Box::new(Checked::new(address, M::facts(&instr, self.mode), single, lowering)));
            }
            lowered.steps
        });
        Decoded { length: 4 * length as u64, name, steps, checked }
    }
}

/// Lowers the bodies of an instruction.
fn lower<M: Machine>(
    lowering: &mut Lowering,
    instr: &<M::Isa as Isa>::Instr,
    length: usize,
    mode: <M::Isa as Isa>::Mode,
    next: u64,
) -> Result<Lowered, FaultKind> {
    let (format, words) = M::Isa::parts(instr);
    let words = &words;
    let image = M::image(instr);
    let components = M::Isa::tables().formats.get(usize::from(format)).map_or(0, |format| format.components.len());
    let mut parts = Vec::new();
    for component in 0..components as u8 {
        let meaning = semantics::<M::Isa>(format, words, component).ok_or(FaultKind::NoBody)?;
        let body = meaning.body().ok_or(FaultKind::NoBody)?;
        let all = operands::<M::Isa>(format, *words, length as u8, mode);
        let all: Vec<_> = all.filter(|operand| operand.component == component).collect();
        if body.clone().any(|op| matches!(op, Op::Call { builtin: Builtin::External, .. })) {
            return external::<M>(instr, &all);
        }
        let roles: Result<Vec<Role>, FaultKind> =
            meaning.roles().iter().map(|name| role::<M>(&all, name, image.is_some())).collect();
        let clauses: Vec<Clause<'static>> = meaning.clauses().collect();
        parts.push((body, clauses, roles?, component));
    }
    let fields: Vec<_> = parts
        .iter()
        .map(|(.., component)| {
            let component = *component;
            move |name: &str| field::<M::Isa>(format, words, mode, component, name)
        })
        .collect();
    let bounds: Vec<Bound<'_>> = parts
        .iter()
        .zip(&fields)
        .map(|((body, clauses, roles, ..), field)| Bound {
            body: body.clone(),
            clauses: clauses.clone(),
            roles,
            image,
            field,
        })
        .collect();
    lowering.lower(&bounds, next).map_err(|error| FaultKind::Unsupported(error.0))
}

/// The steps of an instruction whose body calls `external`.
fn external<M: Machine>(
    instr: &<M::Isa as Isa>::Instr,
    operands: &[OperandInfo<M::Isa>],
) -> Result<Lowered, FaultKind> {
    let steps = match M::outside(instr)? {
        Effect::Nothing => Vec::new(),
        Effect::Realtime => {
            let Role { ty, location, .. } = role::<M>(operands, "d", false)?;
            match location {
                // The destination may be EXEC.
                Location::Scalar(dst) => Vec::from([Step::Realtime { dst, count: dwords(ty), index: 0 }, Step::Reload]),
                _ => Vec::new(),
            }
        }
    };
    Ok(Lowered { steps, is_wave: true, single: None })
}

/// The operand that has a role. A role without an operand is not read, and its writes are dropped. The registers of an image's
/// coordinates need no location, since `is_image` says that [`Machine::image`] names them.
fn role<M: Machine>(operands: &[OperandInfo<M::Isa>], name: &str, is_image: bool) -> Result<Role, FaultKind> {
    let Some(operand) = operands.iter().find(|operand| operand.role == name) else {
        let ty = isa_runtime::body::Type::new(isa_runtime::body::Class::Bits, 32, 1);
        return Ok(Role { ty, location: Location::Null, is_written: false });
    };
    let location = M::location(operand).or(is_image.then_some(Location::Null)).ok_or_else(|| {
        let message: String = format!("its operand `{name}` is outside the machine");
        FaultKind::Unsupported(message)
    })?;
    Ok(Role { ty: operand.ty, location, is_written: operand.access != Access::Read })
}

/// The code of a modifier, or else of a field of the format.
fn field<I: Isa>(format: u8, words: &[u32; MAX_DWORDS], mode: I::Mode, component: u8, name: &str) -> Option<u32> {
    let around = surroundings::<I>(format, words, mode, component)?;
    let of_modifier = around.sibling(name).map(|(code, _)| code);
    of_modifier.or_else(|| {
        let field = around.format.fields.iter().find(|field| field.name == name && field.suffix_dword == 0)?;
        Some(field.bits.get(words))
    })
}

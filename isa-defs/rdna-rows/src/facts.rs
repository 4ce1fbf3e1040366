//! Facts about RDNA3's opcodes for compilers, besides those of every set: the pipeline of an instruction, and the instructions that
//! are issued together.

mod pipeline;

use isa::facts::{Encoding, dual_components, encodings, may_load, may_store};
use isa::{Access, BodyEffects, Inst, Isa};

pub use self::pipeline::Pipeline;
use crate::{Format, Generation, Wave, files, flags, roles};

impl Pipeline {
    /// Returns whether the vector ALU executes the instruction.
    #[must_use]
    pub const fn is_vector_alu(self) -> bool {
        matches!(self, Pipeline::Valu | Pipeline::Transcendental | Pipeline::Wmma)
    }

    /// Returns whether the instruction accesses memory through the vector cache.
    #[must_use]
    pub const fn is_vector_memory(self) -> bool {
        use Pipeline::{VmemAtomic, VmemLoad, VmemSample, VmemStore};
        matches!(self, VmemLoad | VmemStore | VmemAtomic | VmemSample)
    }
}

/// The unit that executes the instructions of a format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FormatPipeline {
    /// The scalar ALU, or the sequencer where nothing is computed.
    Scalar,
    /// The sequencer.
    Sequencer,
    /// The vector ALU.
    Vector,
    /// Vector memory.
    VectorMemory,
    /// Always the same.
    Fixed(Pipeline),
}

impl Format {
    /// Returns what executes the instructions of the format.
    pub(crate) const fn pipeline(self) -> FormatPipeline {
        use Format::{Ds, Exp, Flat, Global, Ldsdir, Mtbuf, Mubuf, Scratch, Smem, Sop1, Sop2, Sopc, Sopk};
        match self {
            Sop1 | Sop2 | Sopc | Sopk => FormatPipeline::Scalar,
            _ if self.is_vector_alu() => FormatPipeline::Vector,
            Mubuf | Mtbuf | Flat | Global | Scratch => FormatPipeline::VectorMemory,
            _ if self.is_image() => FormatPipeline::VectorMemory,
            Smem => FormatPipeline::Fixed(Pipeline::Smem),
            Ds | Ldsdir => FormatPipeline::Fixed(Pipeline::Lds),
            Exp => FormatPipeline::Fixed(Pipeline::Export),
            _ => FormatPipeline::Sequencer,
        }
    }
}

/// Returns the pipeline of an opcode. `format` returns the format with an index.
pub(crate) fn pipeline<G: Generation>(opcode: G::Opcode, format: fn(u8) -> Option<Format>) -> Pipeline {
    let all = || encodings::<G>(opcode);
    let has = |flag: u128| all().any(|encoding| encoding.flags() & flag != 0);
    let effects: BodyEffects = G::inst_tables().bodies.effects(G::opcode_index(opcode));
    match all().next().and_then(|encoding: Encoding<G>| format(encoding.format_index())).map(Format::pipeline) {
        _ if has(flags::MESSAGE) => Pipeline::Message,
        _ if effects.jumps() => Pipeline::Branch,
        Some(FormatPipeline::Scalar) if !has(flags::INTERNAL) => Pipeline::Salu,
        Some(FormatPipeline::Vector) if has(flags::WMMA) => Pipeline::Wmma,
        Some(FormatPipeline::Vector) if has(flags::TRANS) => Pipeline::Transcendental,
        Some(FormatPipeline::Vector) => Pipeline::Valu,
        Some(FormatPipeline::VectorMemory) => vector_memory::<G>(opcode, has(flags::RAY | flags::MSAA)),
        Some(FormatPipeline::Fixed(pipeline)) => pipeline,
        Some(FormatPipeline::Scalar | FormatPipeline::Sequencer) | None => Pipeline::Control,
    }
}

fn vector_memory<G: Generation>(opcode: G::Opcode, is_sampled: bool) -> Pipeline {
    let has_sampler = isa::facts::operands::<G>(opcode).any(|operand| operand.role == roles::SAMP);
    match (may_load::<G>(opcode), may_store::<G>(opcode)) {
        _ if is_sampled || has_sampler => Pipeline::VmemSample,
        (true, true) => Pipeline::VmemAtomic,
        (false, true) => Pipeline::VmemStore,
        _ => Pipeline::VmemLoad,
    }
}

/// Returns two instructions as one dual-issue instruction, if they can be issued together: each has a component, neither
/// reads or writes what the other writes, and the rules for registers hold in one order. The registers are physical.
///
/// No pair reads two vector registers that are both even or both odd as first or as second sources, which encoding allows:
/// processors may read one of them before it is written (LLVM, pull request 220348).
///
/// The result is the pair with the first instruction as component X if that is possible, and otherwise with the second one.
#[must_use]
pub fn dual_issue<G: Generation>(first: &Inst<G>, second: &Inst<G>) -> Option<Inst<G>> {
    if first.second_opcode().is_some() || second.second_opcode().is_some() {
        return None;
    }
    // Components have no modifiers.
    let is_plain = |inst: &Inst<G>| !inst.has_stated_modifiers();
    if !is_plain(first) || !is_plain(second) || second_depends(first, second) || has_one_parity(first, second) {
        return None;
    }
    [(first, second), (second, first)].into_iter().find_map(|(x, y)| {
        let fits = dual_components::<G>(x.opcode())[0] && dual_components::<G>(y.opcode())[1];
        let pair = Inst::pair(*x, *y);
        (fits && pair.encode(Wave::W32).is_ok()).then_some(pair)
    })
}

/// Returns whether two instructions read different vector registers, both even or both odd, at the same place.
fn has_one_parity<G: Isa>(first: &Inst<G>, second: &Inst<G>) -> bool {
    [roles::S0, roles::S1].into_iter().any(|role| {
        let [first, second] = [first, second].map(|inst| {
            let mut operands = inst.operands().filter(|(_, row)| row.role == role);
            operands.find_map(|(op, _)| op.as_reg().filter(|reg| reg.file.0 == files::VGPR)).map(|reg| reg.number)
        });
        first.zip(second).is_some_and(|(x, y)| share_parity(x, y))
    })
}

/// Returns whether two numbers of registers differ and are both even or both odd: a dual-issue pair must not read such new
/// registers at one place.
#[must_use]
pub const fn share_parity(first: u32, second: u32) -> bool {
    first != second && first % 2 == second % 2
}

/// Returns whether an instruction reads or writes a register that another one before it writes.
fn second_depends<G: Isa>(first: &Inst<G>, second: &Inst<G>) -> bool {
    let mut written = first.operands().filter(|(_, row)| row.access != Access::Read).filter_map(|(op, _)| op.as_reg());
    written.any(|to| {
        second.operands().filter_map(|(op, _)| op.as_reg()).any(|reg| {
            let end = |reg: isa::Reg| reg.number + u32::from(reg.count.max(1));
            reg.file == to.file && reg.number < end(to) && to.number < end(reg)
        })
    })
}

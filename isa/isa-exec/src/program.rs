//! Programs: code that is decoded and lowered when a wave reaches it, and then executed by any number of waves.
//!
//! A program keeps what it has lowered in chunks. A chunk has the instructions that control flow reaches from an address:
//! those after it and the constant targets of branches. A branch to an address that the program computes, such as a call
//! through a pointer, makes the next chunk when a wave takes it to code that is not lowered yet. Kernels of large code objects
//! begin at once in this way: lowering takes a microsecond for each instruction.

mod chunk;
mod decoder;
mod list;

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;
use core::sync::atomic::{AtomicU32, Ordering};

use isa_runtime::{Cursor, Isa, MAX_DWORDS, OperandInfo};
use once_cell::race::OnceBox;

pub(crate) use self::chunk::Chunk;
use self::chunk::Source;
use self::decoder::{Decoder, MachineDecoder};
use self::list::List;
use crate::check::facts::Facts;
use crate::fault::FaultKind;
use crate::layout::{Image, Layout, Location};
use crate::lower::{Constants, Lowering};

/// The facts about an instruction set that its rows do not state: register layout, operand locations, wave sizes.
pub trait Machine: 'static {
    /// The instruction set.
    type Isa: Isa<Value: PartialEq + Eq, Mode: Send + Sync>;
    /// Where the registers are.
    const LAYOUT: Layout;
    /// Whether waves have 64 lanes in a mode, and not at most 32.
    fn is_wave64(_mode: <Self::Isa as Isa>::Mode) -> bool {
        false
    }
    /// Where an operand is; `None` if it is nothing that a body can name.
    fn location(operand: &OperandInfo<Self::Isa>) -> Option<Location>;
    /// The operands of an access to an image; `None` for other instructions.
    fn image(_instr: &<Self::Isa as Isa>::Instr) -> Option<Image> {
        None
    }
    /// What a checker has to know about an instruction besides its body.
    fn facts(_instr: &<Self::Isa as Isa>::Instr, _mode: <Self::Isa as Isa>::Mode) -> Facts {
        Facts::default()
    }
    /// The effect of an instruction whose body calls `external`.
    ///
    /// # Errors
    /// The program cannot continue after it.
    fn outside(_instr: &<Self::Isa as Isa>::Instr) -> Result<Effect, FaultKind> {
        Err(FaultKind::External("its effect is outside the machine".into()))
    }
}

/// The effect of an instruction whose body calls `external`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Effect {
    /// None that a program can see.
    Nothing,
    /// Writes the clock of constant rate to the operand with the role `d`.
    Realtime,
}

/// The dwords of code that share a table of what is lowered.
const PAGE: usize = 1024;

/// For each dword of a page one more than the number of the chunk with the instruction that begins there, or 0, and the index of
/// the instruction in the chunk.
type Page = [[AtomicU32; 2]; PAGE];

/// Code that can be executed. It is decoded and lowered when a wave reaches it.
pub struct Program<'a> {
    code: Code<'a>,
    /// Without constants: chunks have them.
    lowering: Lowering,
    decoder: Box<dyn Decoder>,
    chunks: List<Chunk>,
    pages: Vec<OnceBox<Page>>,
}

/// The bytes of a program.
struct Code<'a> {
    bytes: Cow<'a, [u8]>,
    start: u64,
}

impl Code<'_> {
    /// The index of the dword at an address, if it is one of the code's.
    fn dword(&self, address: u64) -> Option<usize> {
        let offset = usize::try_from(address.wrapping_sub(self.start)).ok()?;
        (offset.is_multiple_of(4) && offset < self.bytes.len() & !3).then_some(offset / 4)
    }
}

impl Source for Code<'_> {
    fn words(&self, address: u64) -> Option<([u32; MAX_DWORDS], usize)> {
        let rest = self.bytes.get(4 * self.dword(address)?..)?;
        Some(Cursor::new(rest).peek())
    }
}

impl fmt::Debug for Program<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Program").field("start", &self.code.start).field("end", &self.end()).finish_non_exhaustive()
    }
}

impl<'a> Program<'a> {
    /// A program of code whose first byte is at the address `start`, for waves with `vectors` vector registers.
    ///
    /// Words that are not an instruction are an error only where they are executed. Instructions that are not canonical are
    /// executed as what they are otherwise.
    #[must_use]
    pub fn new<M: Machine>(
        code: impl Into<Cow<'a, [u8]>>,
        start: u64,
        mode: <M::Isa as Isa>::Mode,
        vectors: u16,
    ) -> Self {
        let code = Code { bytes: code.into(), start };
        let pages = (code.bytes.len() / 4).div_ceil(PAGE);
        Program {
            code,
            lowering: Lowering::new(M::LAYOUT, vectors.min(M::LAYOUT.vectors), M::is_wave64(mode)),
            decoder: Box::new(MachineDecoder::<M>::new(mode)),
            chunks: List::new(),
            pages: (0..pages).map(|_| OnceBox::new()).collect(),
        }
    }

    /// A program like that of [`new`](Self::new) that a [`Checker`](crate::check::Checker) follows.
    #[must_use]
    pub fn checked<M: Machine>(
        code: impl Into<Cow<'a, [u8]>>,
        start: u64,
        mode: <M::Isa as Isa>::Mode,
        vectors: u16,
    ) -> Self {
        let program = Self::new::<M>(code, start, mode, vectors);
        Program { lowering: program.lowering.checked(), ..program }
    }

    /// The address after the last instruction.
    #[must_use]
    pub fn end(&self) -> u64 {
        self.code.start.wrapping_add(self.code.bytes.len() as u64)
    }

    /// The registers of the program's waves.
    #[must_use]
    pub const fn lowering(&self) -> &Lowering {
        &self.lowering
    }

    /// Lowers what control flow reaches from an address, before a wave does.
    pub fn prepare(&self, address: u64) {
        self.find(address);
    }

    /// The instructions that cannot be executed, of those that control flow reaches from an address: the address, the mnemonic,
    /// and why.
    pub fn unsupported(&self, address: u64) -> impl Iterator<Item = (u64, &'static str, &FaultKind)> + '_ {
        let found = self.find(address).into_iter();
        let failing = found.flat_map(|(chunk, _)| chunk.instructions());
        failing.filter_map(|instruction| Some((instruction.address, instruction.name, instruction.error.as_ref()?)))
    }

    /// Whether a branch computes its target, in the code that was lowered together with that at an address: code that calls
    /// functions has such branches.
    #[must_use]
    pub fn has_computed_branches(&self, address: u64) -> bool {
        self.find(address).is_some_and(|(chunk, _)| chunk.has_computed_branches())
    }

    /// The constants that chunks have added to the scalar file, and those of the wide file.
    pub(crate) fn constants(&self) -> impl Iterator<Item = [&Constants; 2]> + '_ {
        self.chunks.iter().map(Chunk::constants)
    }

    /// The chunk with the instruction at an address, and its index there. `None`: no code is at the address.
    #[inline]
    pub(crate) fn find(&self, address: u64) -> Option<(&Chunk, usize)> {
        self.lowered(address).or_else(|| self.lower(address))
    }

    /// The same, if the instruction is lowered.
    fn lowered(&self, address: u64) -> Option<(&Chunk, usize)> {
        let dword = self.code.dword(address)?;
        let [number, index] = self.pages.get(dword / PAGE)?.get()?.get(dword % PAGE)?;
        let chunk = self.chunks.get((number.load(Ordering::Acquire) as usize).checked_sub(1)?)?;
        let index = index.load(Ordering::Relaxed) as usize;
        // Two threads may have entered chunks that have the instruction at the same time.
        let is_there = chunk.get(index).is_some_and(|instruction| instruction.address == address);
        let index = if is_there { index } else { chunk.find(address)? };
        Some((chunk, index))
    }

    /// Lowers what control flow reaches from an address and is not lowered yet.
    #[cold]
    fn lower(&self, address: u64) -> Option<(&Chunk, usize)> {
        self.code.dword(address)?;
        loop {
            let mut lowering = self.lowering.clone();
            let (mut number, mut first) = (0, 0);
            for chunk in self.chunks.iter() {
                let [scalar, wide] = chunk.constants();
                lowering.scalar.dwords.extend(&scalar.dwords);
                lowering.wide.dwords.extend(&wide.dwords);
                number += 1;
                first += chunk.instructions().len();
            }
            let is_lowered = |address| self.lowered(address).is_some();
            let chunk = Chunk::new(&*self.decoder, &self.code, lowering, address, first, &is_lowered);
            // If another thread was faster, its chunk has the rows of these constants.
            if let Some(chunk) = self.chunks.push(number, chunk) {
                self.register(number, chunk);
                return chunk.find(address).map(|index| (chunk, index));
            }
            if let Some(found) = self.lowered(address) {
                return Some(found);
            }
            if number >= List::<Chunk>::CAPACITY {
                return None;
            }
        }
    }

    /// Enters the instructions of a chunk in the pages.
    fn register(&self, number: usize, chunk: &Chunk) {
        let number = u32::try_from(number + 1).unwrap_or(0);
        for (index, instruction) in (0..).zip(chunk.instructions()) {
            let Some(dword) = self.code.dword(instruction.address) else { continue };
            let Some(page) = self.pages.get(dword / PAGE) else { continue };
            let page = page.get_or_init(|| Box::new([const { [AtomicU32::new(0), AtomicU32::new(0)] }; PAGE]));
            if let Some([of_chunk, of_instruction]) = page.get(dword % PAGE) {
                of_instruction.store(index, Ordering::Relaxed);
                of_chunk.store(number, Ordering::Release);
            }
        }
    }
}

//! The steps that instructions become when they are lowered.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::Range;

use isa_runtime::body::{Builtin, Space, Type};

use crate::check::facts::{Facts, Polling, Registers, Sequenced};
use crate::layout::{HardwareValue, Image, RegisterBits};
use crate::operation::Argument;
use crate::primitive::{Primitive, ScalarOperation, VectorOperation};
use crate::registers::{RegisterSet, Rows, Written};
use crate::rows::{Single, Wide};

/// A step of an instruction. Rows are those of the wide file in steps for lanes, and those of the scalar file in others.
#[derive(Clone, Debug)]
pub enum Step {
    /// An operation on wide rows.
    Lanes(Primitive<Wide>),
    /// An operation on scalar rows.
    Wave(Primitive<Single>),
    /// An operation on scalar rows that computes one, and whether it is not 0.
    Test {
        /// The operation.
        primitive: Primitive<Single>,
        /// The row of the answer.
        scc: u16,
        /// Whether the lanes write that EXEC has from here on, as after [`Step::Reload`].
        reloads: bool,
    },
    /// Two operations on scalar rows, which both read before either writes: the second computes SCC.
    Both(Box<[Primitive<Single>; 2]>),
    /// An operation whose result is written to vector registers in active lanes, and read by nothing else.
    Assign(Primitive<Wide>, VectorOperation),
    /// A comparison whose result is a bit for each lane in scalar rows, and read by nothing else.
    Compare {
        /// The comparison.
        primitive: Primitive<Wide>,
        /// The same as the interpreter executes it, with the first scalar row of the bits.
        operation: VectorOperation,
        /// Whether the lanes write that EXEC has from here on, as after [`Step::Reload`].
        reloads: bool,
    },
    /// One of two rows in each lane that writes, by its bit of a mask.
    Choose {
        /// The first scalar row of the mask.
        mask: u16,
        /// The row where the bit is 1.
        yes: u16,
        /// The row where it is 0.
        no: u16,
        /// The vector register.
        dst: u16,
    },
    /// Copies a scalar row to all lanes of a wide row.
    Broadcast {
        /// The wide row.
        dst: u16,
        /// The scalar row.
        src: u16,
    },
    /// Gives each lane its bit of a mask in scalar rows.
    Expand {
        /// The wide row.
        dst: u16,
        /// The mask's low dword.
        src: u16,
    },
    /// Whether a mask has no bit of the wave.
    IsZero {
        /// The scalar row.
        dst: u16,
        /// The mask's low dword.
        src: u16,
    },
    /// Copies rows at a distance that a row holds.
    ReadRelative(Relative),
    /// A builtin function that depends on the lane or on other lanes.
    Cross(Box<Cross>),
    /// One lane of a wide row, to a scalar row; the lane number is in a scalar row and wraps at the wave size.
    ReadLane {
        /// The scalar row.
        dst: u16,
        /// The wide row.
        src: u16,
        /// The scalar row with the lane's number.
        lane: u16,
    },
    /// The lowest active lane, or 0.
    FirstLane {
        /// The scalar row.
        dst: u16,
    },
    /// A matrix product.
    Matrix(Box<Matrix>),
    /// Reads memory.
    Load(Box<Access>),
    /// Writes memory.
    Store(Box<Access>),
    /// Reads memory, computes, and writes, lane after lane.
    Update(Box<Update>),
    /// Lets only lanes write that DPP leaves enabled.
    Restrict(Box<Writers>),
    /// Lets only lanes write whose row is not 0.
    Active {
        /// The wide row.
        src: u16,
    },
    /// Copies rows to vector registers, in active lanes.
    Merge(Commit),
    /// Replaces a half of a vector register, in active lanes.
    MergeHalf {
        /// The half of the register and the row.
        commit: Commit,
        /// Whether the high half is replaced.
        high: bool,
    },
    /// Writes a bit for each lane to scalar rows.
    WriteMask {
        /// The registers and the row.
        commit: Commit,
        /// The bit of inactive lanes; `None`: they keep theirs.
        inactive: Option<bool>,
    },
    /// Copies scalar rows.
    Move(Commit),
    /// Replaces one half of a scalar register.
    MoveHalf {
        /// The half of the register and the row.
        commit: Commit,
        /// Whether the high half is replaced.
        high: bool,
    },
    /// Copies rows to registers at a distance that a row holds.
    WriteRelative(Relative),
    /// Writes a scalar row to one lane of a vector register.
    WriteLane {
        /// The vector register and the scalar row.
        commit: Commit,
        /// The scalar row with the lane's number.
        lane: u16,
    },
    /// Continues at an address in two scalar rows.
    Branch {
        /// The address's low dword.
        src: u16,
        /// The condition.
        condition: Option<Condition>,
        /// The index of the instruction there, if the address is a constant.
        target: Option<u32>,
        /// The index of the first step there in the code that is executed.
        entry: u32,
        /// The index of the branch in its program.
        index: u32,
    },
    /// Reads bits of a hardware register to a scalar row.
    Getreg {
        /// The scalar row.
        dst: u16,
        /// The bits.
        bits: RegisterBits,
        /// The source of the register's value.
        value: HardwareValue,
        /// The index of the instruction in its program, which clocks count from.
        index: u32,
    },
    /// Writes bits of the mode register.
    SetMode {
        /// The bits.
        bits: RegisterBits,
        /// The scalar row with their value.
        src: u16,
        /// The row of the condition.
        condition: Option<u16>,
    },
    /// Reads the clock of constant rate to scalar registers.
    Realtime {
        /// The first scalar register.
        dst: u16,
        /// How many registers, 1 or 2.
        count: u16,
        /// The index of the instruction in its program, which clocks count from.
        index: u32,
    },
    /// Ends the turn of the wave for a number of units of 64 cycles.
    Sleep {
        /// The scalar row with the number.
        units: u16,
        /// The row of the condition.
        condition: Option<u16>,
    },
    /// The mode register was written.
    ModeWritten,
    /// Ends the wave.
    End {
        /// The row of the condition.
        condition: Option<u16>,
    },
    /// Waits for the other waves.
    Barrier {
        /// The row of the condition.
        condition: Option<u16>,
    },
    /// Tells the barrier of the work-group that the wave has arrived.
    Signal {
        /// The row of the condition.
        condition: Option<u16>,
    },
    /// Waits until the waves that have not ended have signaled.
    Await {
        /// The row of the condition.
        condition: Option<u16>,
    },
    /// Writes the state of the barrier of the work-group to a scalar row.
    BarrierState {
        /// The row.
        dst: u16,
    },
    /// The instruction cannot be executed; the program says why.
    Unable,
    /// The next instruction in memory is not the next one of the code.
    Leave,
    /// The instruction of the following steps is checked.
    Check(Box<Checked>),
    /// Lets the lanes write that EXEC has from here on: after an instruction that changes EXEC or restricts writes.
    Reload,
    /// [`Step::Assign`], [`Step::Lanes`], [`Step::Compare`], [`Step::Choose`], [`Step::Broadcast`], [`Step::Expand`] and
    /// [`Step::MergeHalf`] without a condition in their order.
    Run {
        /// The operations.
        operations: Box<[VectorOperation]>,
        /// The index of the first of the steps in the code.
        first: u32,
        /// Whether the lanes write that EXEC has after them, as after [`Step::Reload`].
        reloads: bool,
    },
    /// Consecutive [`Step::Wave`], [`Step::Test`], [`Step::Both`] and [`Step::Reload`].
    Scalars {
        /// The operations.
        operations: Box<[ScalarOperation]>,
        /// Whether the lanes write that EXEC has after them, as after [`Step::Reload`].
        reloads: bool,
        /// How many of the next steps repeat the end of the run, for branches that go into it.
        skipped: usize,
    },
}

/// A step fills a cache line at most.
const _: () = assert!(size_of::<Step>() <= 64, "steps cross cache lines");

/// The condition of a branch: whether the lowest bit of a scalar row is 1, or a mask in scalar rows has a bit of the wave.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Condition {
    /// The row, or the mask's first.
    pub row: u16,
    /// Whether it is a mask.
    pub is_mask: bool,
    /// Whether the branch is taken if that is not so.
    pub negated: bool,
}

/// Rows that registers take over when the body has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Commit {
    /// The first register.
    pub dst: u16,
    /// The first row.
    pub src: u16,
    /// How many rows.
    pub count: u16,
    /// The row of the condition; `None`: always.
    pub condition: Option<u16>,
}

/// Registers at a distance from others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Relative {
    /// The rows that are copied, and their count; `condition` as in [`Commit`].
    pub commit: Commit,
    /// The row with the distance.
    pub distance: u16,
    /// Whether the registers are vector registers.
    pub vector: bool,
    /// Whether the step is for lanes.
    pub lanes: bool,
}

/// A builtin function that depends on the lane or on other lanes.
#[derive(Clone, Debug)]
pub struct Cross {
    /// The function.
    pub builtin: Builtin,
    /// The type of the result.
    pub ty: Type,
    /// The arguments, in wide rows.
    pub args: Vec<Argument>,
    /// The first row of the result.
    pub dst: u16,
    /// Whether the result is written to a vector register, in the lanes that write.
    pub commits: bool,
    /// The sources of lanes, if all arguments after the first are constants.
    pub sources: Option<Sources>,
}

/// The lanes that each of 32 lanes takes its value from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sources {
    /// The numbers of the lanes, below 32.
    pub from: Wide,
    /// The lanes that have a source.
    pub valid: u32,
    /// The lanes that take values from inactive lanes, too.
    pub reads_inactive: u32,
}

/// The lanes that DPP leaves enabled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Writers {
    /// Those that its masks select, for each 32.
    pub lanes: [u32; 2],
    /// The sources of lanes, if a lane without an active source is disabled.
    pub sources: Option<Sources>,
}

/// How the lanes of a wave have the elements of matrices.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MatrixLayout {
    /// Both halves of 32 lanes have all of the first two operands; the third has a register for two rows.
    Repeated,
    /// The halves of 32 lanes have different elements, and 16-bit results are packed. Types are those of a wave of 32.
    Split,
}

/// The register that says which elements of a sparse matrix are not zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SparseIndex {
    /// The vector register.
    pub row: u16,
    /// Which part of it.
    pub key: u8,
}

/// A matrix product of registers of all lanes.
#[derive(Clone, Debug)]
pub struct Matrix {
    /// The type of the result.
    pub ty: Type,
    /// The operands: vector registers.
    pub args: [Argument; 3],
    /// How lanes have the elements.
    pub layout: MatrixLayout,
    /// The columns of a sparse first operand.
    pub index: Option<SparseIndex>,
    /// Whether the elements of the first two are signed, where the instruction says so.
    pub signed: [Option<bool>; 2],
    /// Which floats are negated, a bit for each operand: elements with even numbers and with odd numbers of the first two. The third has
    /// all negated, or replaced by their absolute values before.
    pub signs: [u8; 2],
    /// The first register that the result is written to, whose other halves 16-bit results keep in [`MatrixLayout::Repeated`].
    pub destination: Option<u16>,
    /// Whether 16-bit elements of the third operand and the result are in high halves, in [`MatrixLayout::Repeated`].
    pub high: bool,
    /// Whether integer results saturate.
    pub saturates: bool,
    /// The first wide row of the result.
    pub dst: u16,
}

/// The address of an access.
#[derive(Clone, Debug)]
pub enum Addressing {
    /// A sum.
    Sum(Sum),
    /// Through a buffer resource.
    Buffer {
        /// Four scalar rows with the resource.
        resource: u16,
        /// Two rows with index and offset.
        vaddr: u16,
        /// The scalar row with the scalar offset.
        soffset: u16,
        /// The constant offset.
        offset: u32,
        /// Whether there is an index.
        idxen: bool,
        /// Whether there is a vector offset.
        offen: bool,
    },
    /// Through an image resource.
    Image {
        /// Four or eight rows.
        resource: u16,
        /// Four rows, if the access has a sampler.
        sampler: Option<u16>,
        /// The registers of the access. Boxed, since they are larger than all other addresses.
        image: Box<Image>,
        /// What a load reads.
        query: Query,
    },
    /// A scalar access through a buffer resource.
    ScalarBuffer {
        /// Four rows.
        resource: u16,
        /// Two rows.
        offset: u16,
    },
}

/// An address that is a sum.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sum {
    /// The rows of an unsigned number.
    pub row: Argument,
    /// The scalar rows of an unsigned number.
    pub scalar: Option<Argument>,
    /// A constant.
    pub offset: u64,
    /// Whether the sum is modulo 2 to the power of 32, and not of 64.
    pub is_short: bool,
}

/// What a load through an image resource reads.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Query {
    /// Texels.
    Texels,
    /// The size of the image.
    Info,
    /// The level of detail of a sample.
    Lod,
}

/// An access to memory.
#[derive(Clone, Debug)]
pub struct Access {
    /// The type of the value in memory.
    pub ty: Type,
    /// The address space.
    pub space: Space,
    /// The address.
    pub address: Addressing,
    /// The first row of what is read or written.
    pub data: u16,
    /// The first vector register that a load writes, in the lanes that write; `None`: the rows of `data` in all lanes.
    pub destination: Option<u16>,
    /// The row of the condition.
    pub condition: Option<u16>,
    /// Whether each lane accesses memory.
    pub lanes: bool,
    /// Whether it is an atomic.
    pub atomic: bool,
    /// How components are converted.
    pub conversion: Conversion,
}

/// The conversion of the components of an access.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Conversion {
    /// No conversion.
    None,
    /// The resource names the format.
    Resource,
    /// The instruction names the format.
    Format(u32),
}

/// An atomic.
#[derive(Clone, Debug)]
pub struct Update {
    /// The access; `data` gets the value before.
    pub access: Access,
    /// The operations that compute the new value, on wide rows.
    pub operations: Vec<Primitive<Wide>>,
    /// The same on scalar rows, where a body runs once a wave.
    pub scalar: Vec<Primitive<Single>>,
    /// The first row of the new value.
    pub value: u16,
}

/// An instruction of a checked program.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The address.
    pub address: u64,
    /// What a checker has to know besides the body.
    pub facts: Facts,
    /// The steps, one operation each.
    pub(crate) steps: Vec<Step>,
    /// How many steps of the code do the same.
    pub(crate) quick: u32,
    /// The registers that the steps read.
    pub(crate) reads: Vec<Rows>,
    /// The registers that the steps write; `None` if they depend on values, or some lanes or halves do not write.
    pub(crate) writes: Option<Vec<Written>>,
    /// The steps that load and store. If `writes` is known, those before them only compute temporaries.
    pub(crate) accesses: Range<usize>,
    /// Whether registers of other lanes are read.
    pub(crate) reads_all_lanes: bool,
    /// The straight-line code that it begins: the longest block first.
    pub(crate) blocks: Vec<Block>,
    /// The address, and what rules about sequences see.
    pub(crate) instruction: Option<(u64, Arc<dyn Sequenced>)>,
    /// Whether memory is accessed, or other work is issued.
    pub(crate) issues_work: bool,
    /// How the access to memory takes part in synchronisation.
    pub(crate) polling: Polling,
}

/// Straight-line code that only computes registers from registers, and the branch after it: if what it reads is defined, it needs
/// one check.
#[derive(Clone, Debug)]
pub struct Block {
    pub(crate) chain: Arc<ChainCode>,
    /// Its steps, of those of the chain.
    pub(crate) steps: Range<usize>,
    /// How many steps of the code follow its first check up to the next step after the block, or up to the steps of its branch; checks
    /// among them.
    pub(crate) length: u32,
    /// The registers that it reads before it writes them.
    pub(crate) reads: RegisterSet,
    /// Those of which it reads lanes that are not active.
    pub(crate) reads_all_lanes: RegisterSet,
    /// What it writes.
    pub(crate) writes: Vec<Written>,
    /// Whether other lanes may be active in a part of it than at its beginning.
    pub(crate) changes_lanes: bool,
    /// The registers that it uses by lanes after it has written EXEC: they are defined in all lanes before.
    pub(crate) settled: RegisterSet,
    /// The registers that it reads or writes.
    pub(crate) registers: RegisterSet,
    /// All registers that its instructions name.
    pub(crate) uses: Registers,
    /// Its instructions, of those of the chain.
    pub(crate) sequence: Range<usize>,
    /// The hash of its addresses in the path of a wave.
    pub(crate) hash: u64,
}

/// The code of blocks that follow each other.
#[derive(Debug)]
pub(crate) struct ChainCode {
    /// The steps, without checks.
    pub steps: Vec<Step>,
    /// The addresses of the instructions, and what rules about sequences see of them.
    pub sequence: Vec<(u64, Arc<dyn Sequenced>)>,
}

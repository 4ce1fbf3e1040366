//! Where an instruction set keeps its state, and where operands are.

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use crate::descriptor::{Descriptors, Gather};
use isa_runtime::body::{Clause, Ops, Type};
use isa_runtime::constants::bits_of_literal;
use isa_runtime::{InlineFloat, Meaning};

/// The registers of an instruction set. Scalar registers have one dword for the wave, vector registers one for each lane.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    /// How many scalar registers there are.
    pub scalars: u16,
    /// How many vector registers there are.
    pub vectors: u16,
    /// The scalar registers that hold VCC, the low dword first.
    pub vcc: u16,
    /// The scalar registers that hold EXEC, the low dword first.
    pub exec: u16,
    /// The scalar register that is M0.
    pub m0: u16,
    /// Scalar registers that instructions read and do not write: the trap handler's.
    pub read_only: (u16, u16),
    /// The upper 32 bits of flat addresses in LDS.
    pub shared_aperture: u32,
    /// The upper 32 bits of flat addresses in scratch.
    pub private_aperture: u32,
    /// How descriptors form addresses.
    pub descriptors: Descriptors,
    /// The hardware registers that instructions read and write by number.
    pub hardware: &'static [HardwareRegister],
    /// The rates of the clocks.
    pub clock: ClockRates,
    /// What a wave finds in its registers of status and identity.
    pub identity: fn(&Placement) -> Identity,
    /// The counters of outstanding work.
    pub counters: Counters,
}

/// How many counters of outstanding work a machine has at most.
pub const COUNTERS: usize = 8;

/// The counters of outstanding work, by their numbers.
#[derive(Clone, Copy, Debug)]
pub struct Counters {
    /// The largest value of each.
    pub max: [u8; COUNTERS],
    /// The text of the instruction that waits until a counter is at most a value.
    pub wait: fn(u8, u8) -> String,
    /// The texts of the instructions that invalidate the cache of a compute unit, and that of several compute units.
    pub invalidate: [&'static str; 2],
    /// Who states the rules of the counters.
    pub authority: &'static str,
}

impl Counters {
    /// No counters.
    pub const NONE: Counters =
        Counters { max: [0; COUNTERS], wait: |_, _| String::new(), invalidate: [""; 2], authority: "" };
}

/// The rates of the clocks of a wave. All count from the wave's first instruction and depend on what the wave executes alone,
/// so that they are the same on each run.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ClockRates {
    /// The cycles that an instruction takes.
    pub cycles_per_instruction: u32,
    /// The cycles of a unit of `sleep`.
    pub cycles_per_sleep: u32,
    /// The cycles of a tick of the clock of constant rate. A read of this clock takes a tick.
    pub cycles_per_tick: u32,
}

impl ClockRates {
    /// A cycle for each instruction.
    pub const INSTRUCTIONS: ClockRates =
        ClockRates { cycles_per_instruction: 1, cycles_per_sleep: 64, cycles_per_tick: 1 };
}

/// A register that instructions access by its number and a range of bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct HardwareRegister {
    /// The number.
    pub id: u8,
    /// The name, for errors.
    pub name: &'static str,
    /// The source of its value; `None`: reading it is an error.
    pub value: Option<HardwareValue>,
    /// The bits that the executor knows: reading others is an error.
    pub known: u32,
    /// The effect of writing it.
    pub written: HardwareWrite,
}

/// The source of the value of a hardware register.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum HardwareValue {
    /// The mode register.
    Mode,
    /// The status register.
    Status,
    /// The upper halves of the apertures of scratch memory and of LDS.
    Apertures,
    /// These bits of the cycles of the wave's clock.
    Cycles(u32),
    /// The upper 32 bits of the cycles of the wave's clock.
    CyclesHigh,
    /// A dword of [`Identity::registers`], by its index.
    Identity(u8),
    /// A constant.
    Constant(u32),
}

/// The effect of writing a hardware register.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum HardwareWrite {
    /// Replaces bits of the mode register.
    Mode,
    /// No effect on a program.
    Ignored,
    /// An error.
    Refused,
}

/// Bits of a hardware register.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct RegisterBits {
    /// The lowest bit.
    pub offset: u8,
    /// As many ones as there are bits.
    pub mask: u32,
}

impl RegisterBits {
    /// Returns the number of the register and the bits that the constant of S_GETREG or S_SETREG selects (guide §16.1).
    #[must_use]
    pub const fn of_selector(selector: u32) -> (u8, Self) {
        let (offset, width) = ((selector >> 6 & 31) as u8, (selector >> 11 & 31) + 1);
        (selector as u8 & 63, RegisterBits { offset, mask: u32::MAX >> (32 - width) })
    }

    /// Returns the bits of a value.
    #[must_use]
    pub const fn of(self, value: u32) -> u32 {
        value >> self.offset & self.mask
    }

    /// Returns a value with the bits replaced.
    #[must_use]
    pub const fn replace(self, old: u32, bits: u32) -> u32 {
        old & !(self.mask << self.offset) | (bits & self.mask) << self.offset
    }
}

/// The place of a wave in a dispatch.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Placement {
    /// The index of the work-group.
    pub group: u64,
    /// The number of the wave in its work-group.
    pub wave: u32,
    /// How many waves the work-group has.
    pub waves: u32,
    /// Whether waves have scratch memory.
    pub has_scratch: bool,
}

/// The initial values of registers that say where a wave runs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Identity {
    /// The status register, without what the executor computes.
    pub status: u32,
    /// The registers of the place.
    pub registers: [u32; 2],
}

impl Identity {
    /// Zeros.
    #[must_use]
    pub const fn none(_: &Placement) -> Self {
        Identity { status: 0, registers: [0; 2] }
    }
}

impl Layout {
    /// The layout of a set that has only this many scalar registers. What it lacks is after them.
    #[must_use]
    pub const fn of_scalars(count: u16) -> Layout {
        Layout {
            scalars: count + 5,
            vectors: 0,
            vcc: count,
            exec: count + 2,
            m0: count + 4,
            read_only: (0, 0),
            shared_aperture: u32::MAX,
            private_aperture: u32::MAX,
            descriptors: Descriptors::NONE,
            hardware: &[],
            clock: ClockRates::INSTRUCTIONS,
            identity: Identity::none,
            counters: Counters::NONE,
        }
    }

    /// Scalar registers that instructions read and do not write.
    #[must_use]
    pub const fn read_only(&self) -> Range<u16> {
        self.read_only.0..self.read_only.1
    }

    /// The row that holds SCC.
    #[must_use]
    pub const fn scc(&self) -> u16 {
        self.scalars
    }

    /// The row that holds the mode register.
    #[must_use]
    pub const fn mode(&self) -> u16 {
        self.scalars + 1
    }

    /// The row that holds the status register.
    #[must_use]
    pub const fn status(&self) -> u16 {
        self.scalars + 2
    }

    /// The rows that hold the address of scratch memory, the low dword first.
    #[must_use]
    pub const fn flat_scratch(&self) -> u16 {
        self.scalars + 3
    }

    /// The rows that hold [`Identity::registers`].
    #[must_use]
    pub const fn identity_registers(&self) -> u16 {
        self.scalars + 5
    }

    /// The first row of temporaries in the scalar file.
    #[must_use]
    pub const fn scalar_temporaries(&self) -> u16 {
        self.scalars + 7
    }
}

/// A constant, whose bits depend on the type that an operand reads it as.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Constant {
    /// An integer that has its own code.
    Integer(i64),
    /// A floating-point number that has its own code.
    Float(&'static InlineFloat),
    /// The constant in a suffix dword.
    Literal(u32),
    /// A number of any other kind, by its bits.
    Bits(u128),
}

impl Constant {
    /// Returns whether the constant has its own code.
    #[must_use]
    pub const fn is_inline(&self) -> bool {
        matches!(self, Constant::Integer(_) | Constant::Float(_))
    }

    /// Returns the bits of the register whose value of a type is the constant: 64 bits for types of 64, else 32, and
    /// copies of the sign above those of a signed number.
    #[must_use]
    pub fn bits(&self, ty: Type) -> u128 {
        match *self {
            Constant::Integer(number) => i128::from(number) as u128,
            Constant::Float(float) => float.bits(ty).into(),
            Constant::Literal(bits) => i128::from(bits_of_literal(bits, ty) as i64) as u128,
            Constant::Bits(bits) => bits,
        }
    }
}

/// Where an operand is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Location {
    /// Vector registers from this one on.
    Vector(u16),
    /// The high half of a vector register.
    VectorHigh(u16),
    /// The high half of a scalar register.
    ScalarHigh(u16),
    /// Scalar registers from this one on.
    Scalar(u16),
    /// A constant.
    Constant(Constant),
    /// SCC as a number.
    Scc,
    /// 1 if the mask of lanes from this scalar register on has no bit of the wave, and else 0.
    IsZero(u16),
    /// Reads as zero; writes are dropped.
    Null,
}

impl Location {
    /// Returns where an operand is whose value is an [`isa::Meaning`](Meaning). `registers` returns the place of registers, by
    /// their file and the number of the first. Inline floats have the bits of operands of 32 bits.
    pub fn of_meaning<F>(value: Meaning<F>, registers: impl FnOnce(F, u8) -> Location) -> Option<Location> {
        Some(match value {
            Meaning::Registers { file, first, .. } => registers(file, first),
            Meaning::Integer(number) => Location::Constant(Constant::Integer(number.into())),
            Meaning::Number(number) => Location::Constant(Constant::Bits(i128::from(number) as u128)),
            Meaning::Float(bits) => Location::Constant(Constant::Bits(bits.into())),
            Meaning::Literal(bits) => Location::Constant(Constant::Literal(bits)),
            Meaning::Off => return None,
        })
    }
}

/// An operand of an instruction.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Role {
    /// The type from the row.
    pub ty: Type,
    /// Where it is.
    pub location: Location,
    /// Whether the instruction writes it.
    pub is_written: bool,
}

/// A number in a vector register.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Coordinate {
    /// The register.
    pub register: u16,
    /// The half of 16 bits that holds the number, the high one if true; `None`: the whole register.
    pub high: Option<bool>,
}

/// The operands of an image access, as far as the fields of the instruction decide them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Image {
    /// The column, the row, the layer (of a volume, an array or a cube), and the sample.
    pub coordinates: [Option<Coordinate>; 4],
    /// The mip level.
    pub level: Option<Coordinate>,
    /// The dimensions, by their code.
    pub dim: u8,
    /// Whether the resource has four dwords, not eight.
    pub is_short: bool,
    /// The components that consecutive registers hold. For atomics: the dwords.
    pub mask: u8,
    /// Whether components have 16 bits, two in a register.
    pub is_half: bool,
    /// Whether texels are not converted. `Some(true)`: texels of 8 and 16 bits extend their sign.
    pub raw: Option<bool>,
    /// How many registers the data have, with the status.
    pub registers: u8,
    /// Whether the last register gets the status of the access.
    pub has_status: bool,
    /// The operands that only samples have.
    pub sampling: Option<Sampling>,
}

/// The operands of a sample besides those of other image accesses. Coordinates and other numbers are floats, of 16 bits where they have
/// a half of a register.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Sampling {
    /// The packed offsets in texels.
    pub offsets: Option<Coordinate>,
    /// The bias of the level of detail.
    pub bias: Option<Coordinate>,
    /// The number that texels are compared with.
    pub reference: Option<Coordinate>,
    /// The lower limit of the level of detail.
    pub clamp: Option<Coordinate>,
    /// The source of the level of detail.
    pub detail: DetailSource,
    /// The texels to fetch in place of those of a filter; the mask then selects one component of each.
    pub gather: Option<Gather>,
    /// Whether coordinates count texels.
    pub is_unnormalized: bool,
    /// Whether the status says that the level of detail is below the one that the resource warns of.
    pub warns: bool,
}

/// The source of the level of detail of a sample.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DetailSource {
    /// The largest level of the view.
    Largest,
    /// The register of the level: [`Image::level`].
    Level,
    /// Derivatives of the coordinates: along the horizontal, then along the vertical of the screen.
    Gradients([[Option<Coordinate>; 3]; 2]),
    /// Differences of the coordinates in the quad: of the second lane to the first, and of the third to the first. The registers
    /// of inactive lanes count.
    Quad,
}

/// An instruction's body with its operands, ready to be lowered.
#[derive(Clone)]
pub struct Bound<'a> {
    /// The body.
    pub body: Ops<'a>,
    /// The clauses of the format and of the suffix dword.
    pub clauses: Vec<Clause<'a>>,
    /// The operands, in the order of the row's roles.
    pub roles: &'a [Role],
    /// The operands of an image access.
    pub image: Option<Image>,
    /// The code of a modifier; `None` if the instruction has no modifier of this name.
    pub field: &'a dyn Fn(&str) -> Option<u32>,
}

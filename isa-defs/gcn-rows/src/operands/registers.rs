//! Registers and values of operands.

use amdgpu_operands::files;
use isa::Meaning;

/// Which set of registers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum File {
    /// Scalar general-purpose registers.
    Sgpr = files::SGPR,
    /// Vector general-purpose registers, v0 to v255.
    Vgpr = files::VGPR,
    /// Trap temporaries.
    Ttmp = files::TTMP,
    /// The vector condition code: 0 is `vcc_lo`, 1 is `vcc_hi`.
    Vcc = files::VCC,
    /// The execute mask: 0 is `exec_lo`, 1 is `exec_hi`.
    Exec = files::EXEC,
    /// The base of scratch memory for flat instructions.
    FlatScratch = files::FLAT_SCRATCH,
    /// Which lanes are to repeat an access after a page fault.
    XnackMask = files::XNACK_MASK,
    /// The address of the trap handler.
    Tba = files::TBA,
    /// The address of the trap handler's memory.
    Tma = files::TMA,
    /// M0.
    M0 = files::M0,
    /// The text that LLVM prints for a code of later architectures. No register of these generations.
    Null = files::NULL,
    /// The scalar condition code, as a source.
    Scc = files::SCC,
    /// Memory apertures and status bits that read as constants: the number is the source code.
    Special = files::SPECIAL,
}

/// Consecutive registers of one file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Registers {
    /// The file.
    pub file: File,
    /// The number of the first.
    pub first: u8,
    /// How many 32-bit registers.
    pub count: u8,
}

impl Registers {
    /// `count` registers from `first` on.
    #[must_use]
    pub const fn new(file: File, first: u8, count: u8) -> Self {
        Registers { file, first, count }
    }
}

/// The value of an operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Value {
    /// Registers.
    Registers(Registers),
    /// An inline integer, -16 to 64.
    Integer(i8),
    /// An inline floating-point constant, as the bits of an `f32`.
    Float(u32),
    /// A number in the instruction's own fields.
    Immediate(i32),
    /// The slot is switched off (`off`).
    Off,
}

impl Value {
    /// Returns the value of a meaning.
    #[must_use]
    pub const fn of(meaning: Meaning<File>) -> Value {
        match meaning {
            Meaning::Registers { file, first, count, .. } => Value::Registers(Registers::new(file, first, count)),
            Meaning::Integer(n) => Value::Integer(n as i8),
            Meaning::Float(bits) => Value::Float(bits),
            Meaning::Literal(n) => Value::Immediate(n as i32),
            Meaning::Number(n) => Value::Immediate(n),
            Meaning::Off => Value::Off,
        }
    }
}

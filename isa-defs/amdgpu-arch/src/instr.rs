//! An instruction of any set, and the trait of the sets.

use std::fmt;
use std::ops::Deref;

use amdgpu_operands::RegisterEffects;
use isa::body::Space;
use isa::{Access, Effects, Isa, MAX_DWORDS, Resource, Text, UnusedField, UnusedFields};

use crate::Wave;
use crate::operands::{OperandValue, Violation};

/// Declares [`Instr`].
#[doc(hidden)]
#[macro_export]
macro_rules! __instr {
    ({} $($(#[$doc:meta])* $set:ident $name:literal $type:ty;)*) => {
        /// An instruction of any set, in code of a wave size, on which its text can depend.
        #[derive(Debug, Clone, Copy)]
        pub enum Instr {
            $($(#[$doc])* $set(<$type as isa::Isa>::Instr, Wave),)*
        }
    };
}

crate::__sets! { __instr! {} }

/// Runs an expression with the instruction of any set, its wave size and the type of the set.
macro_rules! each {
    ($this:expr, $instr:ident, $wave:ident, $set:ident => $do:expr) => {
        $crate::__sets! { __each! { $this, $instr, $wave, $set, $do } }
    };
}

/// The rows of `each!`.
#[doc(hidden)]
#[macro_export]
macro_rules! __each {
    (
        { $this:expr, $instr:ident, $wave:ident, $alias:ident, $do:expr }
        $($(#[$doc:meta])* $set:ident $name:literal $type:ty;)*
    ) => {
        match $this {
            $(Instr::$set($instr, $wave) => {
                #[allow(dead_code, reason = "not all expressions name the set")]
                type $alias = $type;
                let _ = $wave;
                $do
            })*
        }
    };
}

/// An instruction set as a type, and its conversion to the types of this crate.
pub trait InstructionSet: Isa<Instr: Send + Sync, Mode: Send + Sync, Value: Eq> {
    /// Returns the decoding mode for a wave size.
    fn mode(wave: Wave) -> Self::Mode;

    /// Converts an instruction of the set.
    fn wrap(instr: Self::Instr, wave: Wave) -> Instr;

    /// Returns an instruction and its wave size, if it is one of the set.
    fn of_any(instr: &Instr) -> Option<(Self::Instr, Wave)>;

    /// Returns the registers that an instruction reads and writes.
    fn register_effects(instr: &Self::Instr, wave: Wave) -> RegisterEffects;

    /// Returns the numbers of registers that the operands of an instruction need.
    fn register_counts(instr: &Self::Instr, wave: Wave) -> RegisterCounts;

    /// Checks the rules between the operands of an instruction.
    ///
    /// # Errors
    /// The first rule that it breaks.
    fn check(instr: &Self::Instr, wave: Wave) -> Result<(), Violation>;

    /// Converts the value of an operand.
    fn operand_value(value: Self::Value) -> OperandValue;

    /// Returns where a branch or call goes: signed dwords from the end of the instruction. `None` for anything else.
    #[inline]
    fn branch_offset(_instr: &Self::Instr) -> Option<i16> {
        None
    }

    /// Returns the name and the number of dwords of the encoding that begins with this dword, if the rows of the set lack it.
    fn encoding(_word: u32) -> Option<(&'static str, usize)> {
        None
    }
}

/// The bytes of an instruction.
#[derive(Debug, Clone, Copy)]
pub struct Bytes {
    bytes: [u8; 4 * MAX_DWORDS],
    size: usize,
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        self.bytes.get(..self.size).unwrap_or_default()
    }
}

/// The numbers of registers that operands need: one more than the highest number of each file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RegisterCounts {
    /// Vector registers.
    pub vector: u16,
    /// Scalar registers.
    pub scalar: u16,
}

impl RegisterCounts {
    pub(crate) fn add_vector(&mut self, first: u8, count: u8) {
        self.vector = self.vector.max(u16::from(first) + u16::from(count));
    }

    pub(crate) fn add_scalar(&mut self, first: u8, count: u8) {
        self.scalar = self.scalar.max(u16::from(first) + u16::from(count));
    }
}

impl Instr {
    /// Returns its size in bytes.
    #[inline]
    #[must_use]
    pub fn size(&self) -> usize {
        each!(self, instr, wave, S => instr.len() * 4)
    }

    /// Returns its bytes in memory order.
    #[must_use]
    pub fn bytes(&self) -> Bytes {
        let words = each!(self, instr, wave, S => instr.encode());
        let mut bytes = [0; 4 * MAX_DWORDS];
        for (to, word) in bytes.as_chunks_mut::<4>().0.iter_mut().zip(words.iter()) {
            *to = word.to_le_bytes();
        }
        Bytes { bytes, size: 4 * words.len().min(MAX_DWORDS) }
    }

    /// Appends its bytes in memory order.
    #[inline]
    pub fn append(&self, out: &mut Vec<u8>) {
        let (words, dwords) = each!(self, instr, wave, S => (instr.words(), instr.len()));
        // Appends the bytes of the longest instruction and truncates: a copy of constant length needs no branch.
        let size = out.len() + 4 * dwords;
        let mut bytes = [0; 4 * MAX_DWORDS];
        for (to, word) in bytes.as_chunks_mut::<4>().0.iter_mut().zip(words) {
            *to = word.to_le_bytes();
        }
        out.extend_from_slice(&bytes);
        out.truncate(size);
    }

    /// Returns it with what LLVM 23 and later write into the fields that it does not use.
    #[must_use]
    pub fn with_newer_unused_fields(self) -> Self {
        match self {
            Self::Rdna3(instr, wave) => Self::Rdna3(instr.with_unused_fields(UnusedFields::Newer), wave),
            Self::Rdna3_5(instr, wave) => Self::Rdna3_5(instr.with_unused_fields(UnusedFields::Newer), wave),
            Self::Rdna4(instr, wave) => Self::Rdna4(instr.with_unused_fields(UnusedFields::Newer), wave),
            other => other,
        }
    }

    /// Writes its text into a buffer.
    #[inline]
    pub fn write(&self, out: &mut Text) {
        each!(self, instr, wave, S => instr.write(S::mode(*wave), out));
    }

    /// Returns the first field that it does not use and that holds something else than encoding writes.
    #[must_use]
    pub fn unused_field(&self) -> Option<UnusedField> {
        each!(self, instr, wave, S => instr.unused_field())
    }

    /// Returns the numbers of registers that its operands need.
    #[must_use]
    pub fn register_counts(&self) -> RegisterCounts {
        each!(self, instr, wave, S => S::register_counts(instr, *wave))
    }

    /// Returns the registers that it reads and writes, whether its text names them or not.
    #[must_use]
    pub fn register_effects(&self) -> RegisterEffects {
        each!(self, instr, wave, S => S::register_effects(instr, *wave))
    }

    /// Calls a function with the address space and the direction of each access to memory.
    pub fn for_each_memory_access(&self, mut each: impl FnMut(Space, Access)) {
        fn visit<S: InstructionSet>(effects: Effects<S>, each: &mut impl FnMut(Space, Access)) {
            for effect in effects {
                if let Resource::Memory(space) = effect.resource {
                    each(space, effect.access);
                }
            }
        }
        each!(self, instr, wave, S => visit::<S>(instr.effects(S::mode(*wave)), &mut each));
    }

    /// Returns the name of the format.
    #[must_use]
    pub fn format(&self) -> &'static str {
        each!(self, instr, wave, S => instr.format())
    }

    /// Returns where a branch goes, in bytes from the instruction's end.
    #[inline]
    #[must_use]
    pub fn branch(&self) -> Option<i64> {
        each!(self, instr, wave, S => S::branch_offset(instr)).map(|dwords| i64::from(dwords) * 4)
    }
}

impl fmt::Display for Instr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        each!(self, instr, wave, S => instr.display(S::mode(*wave)).fmt(f))
    }
}

//! Tables of the fast path of encoding (`lower::fast`): for each operand the registers and constants whose codes the decoder accepts
//! regardless of the other fields. An instruction that has only such codes need not be decoded again.

use isa_schema::FastStepRow;

use crate::class::placing::RegisterPlace;

/// No registers, or no code.
pub(crate) const NONE: u16 = FastStepRow::NO_CODE;

/// Registers of one file, as many as the operand has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HotRegisters {
    /// The code of register 0, in the bits of the field.
    code: u64,
    /// The file, and in the upper byte the count: the lowest bits of an [`Op`](crate::Op). No file is [`NONE`].
    key: u16,
    /// The greatest number of the first register. The least is 0.
    last: u16,
    /// The bits of the number that must be 0.
    zeros: u8,
    /// How far left the number is rotated: the lowest bit of the field, less the bits of the number that the code lacks. Those are 0,
    /// so that the rotation may be by a negative count.
    rotation: u8,
}

impl HotRegisters {
    const NONE: HotRegisters = HotRegisters { code: 0, key: NONE, last: 0, zeros: 0, rotation: 0 };

    /// Returns `count` registers of a place up to one that begins with `last`, in a field whose lowest bit is `lo`.
    const fn new(place: &RegisterPlace, count: u8, last: u16, zeros: u8, lo: u8) -> Self {
        HotRegisters {
            code: (place.code as u64) << lo,
            key: place.file as u16 | (count as u16) << 8,
            last,
            zeros,
            rotation: lo.wrapping_sub(place.shift) & 63,
        }
    }

    /// Returns the field for registers, which are given as the bits of an [`Op`](crate::Op).
    #[inline(always)]
    pub(crate) const fn place(&self, op: u64) -> Option<u64> {
        // The file and the count are above the number in the word: one comparison is enough.
        let number = op.wrapping_sub(self.key as u64).rotate_left(32);
        if number > self.last as u64 || number & self.zeros as u64 != 0 {
            return None;
        }
        Some(self.code + number.rotate_left(self.rotation as u32))
    }
}

/// An operand of a plan. It has no pointers, so that two share a cache line and loading a program relocates none.
#[derive(Clone, Copy, Debug)]
pub struct FastStep {
    /// The two largest groups of registers.
    pub(crate) hot: [HotRegisters; 2],
    /// The code of the inline integer 0.
    pub(crate) integer: u16,
    /// The number of inline integers from 0 up; 0 if there are none.
    pub(crate) integers: u16,
    /// The code of an operand that is switched off, or [`NONE`].
    pub(crate) off: u16,
    /// The register files that the operand can be in, a bit each.
    pub(crate) files: u16,
    /// The lowest bit of the field.
    pub(crate) lo: u8,
    /// The bit of the sign, or [`NO_BIT`].
    pub(crate) neg: u8,
    /// The bit of the absolute value, or [`NO_BIT`].
    pub(crate) abs: u8,
    pub(crate) flags: u8,
    /// The field holds numbers from -2^`low_bits` to -1; none if it is 0.
    pub(crate) low_bits: u8,
    /// The field holds numbers from 0 to 2^`high_bits` - 1; none if it is 0.
    pub(crate) high_bits: u8,
    /// The width of the field.
    pub(crate) width: u8,
}

impl FastStep {
    pub(super) const NONE: FastStep = FastStep {
        hot: [HotRegisters::NONE; 2],
        integer: 0,
        integers: 0,
        off: NONE,
        files: 0,
        lo: 0,
        neg: 0,
        abs: 0,
        flags: 0,
        low_bits: 0,
        high_bits: 0,
        width: 0,
    };

    /// Returns the step of an operand that can be these registers.
    pub(super) const fn new(row: &FastStepRow, registers: &[RegisterPlace]) -> Self {
        let mut step = FastStep {
            hot: [HotRegisters::NONE; 2],
            integer: row.integer,
            integers: row.integers,
            off: row.off,
            files: 0,
            lo: row.lo,
            neg: row.neg,
            abs: row.abs,
            flags: row.flags,
            low_bits: row.low_bits,
            high_bits: row.high_bits,
            width: row.width,
        };
        if row.first != u8::MAX {
            let place = &registers[row.first as usize];
            step.hot[0] = HotRegisters::new(place, row.first_count, row.first_last, row.first_zeros, row.lo);
        }
        if row.second != u8::MAX {
            let place = &registers[row.second as usize];
            step.hot[1] = HotRegisters::new(place, row.second_count, row.second_last, row.second_zeros, row.lo);
        }
        let mut i = 0;
        while i < registers.len() {
            let file = registers[i].file;
            step.files |= if file < 16 { 1 << file } else { u16::MAX };
            i += 1;
        }
        step
    }

    /// Whether it has a flag of [`FastStepRow`].
    #[inline(always)]
    pub(crate) const fn is(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    /// Whether the operand can be in a register file.
    #[inline(always)]
    pub(crate) const fn has_file(&self, file: u8) -> bool {
        file > 15 || self.files >> file & 1 == 1
    }
}

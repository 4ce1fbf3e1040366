//! Encodings of instructions whose registers are still virtual.

use super::plan::{RegisterClass, RegisterRange};
use super::{EncodeError, File, Inst, MAX_OPS, Reg};
use crate::tables::Isa;

impl RegisterClass {
    /// Returns the registers of a file that the operand can be, in the encoding that has the most.
    #[must_use]
    pub fn range(&self, file: File) -> Option<RegisterRange> {
        self.files.iter().filter(|range| range.file == file).max_by_key(|range| range.last)
    }
}

impl<I: Isa> Inst<I> {
    /// Encodes the instruction with some physical register in place of each virtual one, to find out whether an encoding has these
    /// operands and how long it is. Different virtual registers become different physical ones, as far as the file has enough.
    ///
    /// # Errors
    /// As [`encode`](Self::encode), for any choice of registers.
    pub fn encode_with_any_registers(&self, mode: I::Mode) -> Result<I::Instr, EncodeError> {
        let encode = |skipped, stride| self.with_any_registers(mode, skipped, stride).encode(mode);
        let first = encode(0, 1);
        if first.is_ok() || self.second_opcode().is_none() {
            return first;
        }
        // The rules of a pair compare the lowest bits of its registers, some of which may be physical.
        const MOST: u32 = 4;
        let mut others = (1..=MOST).flat_map(|stride| (0..MOST).map(move |skipped| (skipped, stride))).skip(1);
        others.find_map(|(skipped, stride)| encode(skipped, stride).ok()).map_or(first, Ok)
    }

    /// Returns the instruction with physical registers in place of virtual ones: each `stride`th after `skipped` others.
    fn with_any_registers(&self, mode: I::Mode, skipped: u32, stride: u32) -> Self {
        let mut seen = [None; MAX_OPS];
        let mut physical = *self;
        for (index, op) in self.ops().iter().enumerate().take(MAX_OPS) {
            let Some(reg) = op.as_reg().filter(|reg| reg.is_virtual) else { continue };
            let name = Some((reg.file, reg.number));
            let nth = seen.iter().position(|known| *known == name || known.is_none()).unwrap_or(0);
            seen[nth] = name;
            let range = self.register_class(index, mode).and_then(|class| class.range(reg.file));
            let none = RegisterRange { file: reg.file, first: 0, last: 0, align: 1 };
            let RegisterRange { first, last, align, .. } = range.unwrap_or(none);
            let step = u32::from(align.max(reg.count.max(1).into())).next_power_of_two();
            let number = u32::from(first) + step * (nth as u32 * stride + skipped);
            let number = if number <= u32::from(last) { number } else { first.into() };
            if let Some(to) = physical.ops.get_mut(index) {
                *to = op.with_reg(Reg { number, is_virtual: false, ..reg });
            }
        }
        physical
    }
}

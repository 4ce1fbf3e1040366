//! Fast path of the guide's rules: recognizes instructions that no rule of the guide can concern.
//!
//! It exploits that most rows have neither masks nor operands with rules, and most instructions no modifiers, so
//! a look at the fields and at the summary of the row replaces the values of all operands. A test compares it with the rules.
//! `cargo xtask bench --callgrind` counts 350 executed instructions for a build with all rules and 240 without them. Before there
//! were summaries the rules took 180 more.

use isa::{Isa, RowTypes};

use super::fast_assembler::{either, is_scalar};
use crate::operands::codes::{EXEC, LITERAL, NULL, VCC};
use crate::{Format, Instruction, Wave, flags, raw};

/// The rows of scalar instructions that have their own rules.
const SCALAR: u128 = flags::INDEX_S
    | flags::INDEX_D
    | flags::WREXEC
    | flags::ONE_DWORD
    | flags::MESSAGE
    | flags::HWREG
    | flags::TRAP
    | flags::CLAUSE;
/// The bits of VOP3 that hold ABS, OPSEL, OMOD and NEG.
const ABS: u64 = 7 << 8;
const OP_SEL: u64 = 15 << 11;
const OMOD: u64 = 3 << 59;
const NEG: u64 = 7 << 61;
/// The bits of VOP3P that hold NEG_HI, OPSEL and NEG.
const PACKED: u64 = 7 << 8 | 7 << 11 | NEG;
/// The codes of DPP16 and DPP8 as the first source.
const DPP: [u16; 3] = [250, 233, 234];
/// Returns whether the instruction obeys all rules that only the guide has. If `false`, the rules have to be checked.
pub(super) fn obeys<T: Instruction>(instr: &T, words: &[u32; isa::MAX_DWORDS], wave: Wave) -> bool {
    let &[first, second, _] = words;
    let whole = u64::from(first) | u64::from(second) << 32;
    let row = || Row::of(instr, words);
    let has_none = |these: u128| row().is_some_and(|row| row.flags & these == 0);
    let format = instr.microcode();
    match format {
        Format::Sop2 | Format::Sopc | Format::Flat | Format::Ldsdir | Format::Exp => true,
        Format::Sop1 => has_none(SCALAR),
        // Constants of fewer bits leave bits of their field unused.
        Format::Sopp | Format::Sopk => row().is_some_and(|row| row.flags & SCALAR == 0 && !row.types.has_narrow()),
        Format::Smem => {
            let (base, data, offset) = (first & 63, first >> 6 & 127, second >> 25);
            base != *EXEC.start() >> 1 && data != NULL && !EXEC.contains(&offset)
        }
        Format::Ds => has_none(flags::MUST_RETURN | flags::APPENDS | flags::LDS_ONLY),
        Format::Global => has_none(flags::MUST_RETURN),
        Format::Scratch => first >> 12 & 1 == 0 && has_none(flags::MUST_RETURN),
        Format::Vop1 => {
            let fields = raw::Vop1::from_bits(first);
            row().is_some_and(|row| row.is_short(fields.src0(), wave) && row.can_write(fields.vdst()))
        }
        Format::Vop2 => row().is_some_and(|row| row.is_short(raw::Vop2::from_bits(first).src0(), wave)),
        Format::Vopc => row().is_some_and(|row| row.is_short(raw::Vopc::from_bits(first).src0(), wave)),
        Format::Vop3 | Format::Vop3sd => {
            let fields = raw::Vop3::from_bits(whole);
            let sources = [fields.src0(), fields.src1(), fields.src2()];
            row().is_some_and(|row| match format {
                Format::Vop3 => {
                    let masks = [fields.vdst().into(), fields.src2()];
                    row.can_write(fields.vdst()) && row.is_long(whole, masks, &sources, wave)
                }
                // VOP3SD has a scalar destination where VOP3 has ABS and OPSEL.
                _ => {
                    let destination = (first >> 8 & 127) as u16;
                    u32::from(destination) < NULL
                        && row.is_long(whole & !(ABS | OP_SEL), [destination, fields.src2()], &sources, wave)
                }
            })
        }
        Format::Vop3p => {
            whole & PACKED == 0 && row().is_some_and(|row| !row.types.has_mask() && row.types.widest() <= 2)
        }
        Format::Vopd => !either(raw::Vopd::from_bits(whole), flags::vopd::READS_VCC),
        _ => false,
    }
}

/// The facts about a row that the rules depend on.
struct Row {
    flags: u128,
    types: RowTypes,
}

impl Row {
    /// Returns the row of an instruction.
    #[inline(always)]
    fn of<T: Instruction>(instr: &T, words: &[u32; isa::MAX_DWORDS]) -> Option<Row> {
        let (flags, types) = isa::row_summary::<T::Generation>(<T::Generation as Isa>::parts(instr).0, words)?;
        Some(Row { flags, types })
    }

    /// Returns whether a destination is vector registers or scalar ones that vector instructions can write.
    fn can_write(&self, code: u8) -> bool {
        u32::from(code) < NULL || !self.types.has_mask() && self.flags & flags::SCALAR_D == 0
    }

    /// Returns whether an instruction without modifiers is legal: one of VOP1, VOP2 or VOPC without DPP.
    fn is_short(&self, source: u16, wave: Wave) -> bool {
        let masks = !self.types.has_mask() || wave == Wave::W32 || u32::from(source) == LITERAL || !is_scalar(source);
        masks && self.flags & flags::WAVE64 == 0 && !DPP.contains(&source)
    }

    /// Returns whether one of VOP3 or VOP3SD is legal; `masks` are the codes of operands that can be masks.
    fn is_long(&self, whole: u64, masks: [u16; 2], sources: &[u16], wave: Wave) -> bool {
        let is_upper_half = |code: u16| [*VCC.end(), *EXEC.end()].contains(&code.into());
        let masks = !self.types.has_mask()
            || match wave {
                Wave::W32 => !masks.into_iter().any(is_upper_half),
                Wave::W64 => !sources.iter().any(|code| is_scalar(*code)),
            };
        masks
            && self.flags & flags::WAVE64 == 0
            && whole & OP_SEL == 0
            && (whole & (ABS | NEG) == 0 || self.types.reads_floats())
            && (whole & OMOD == 0 || self.types.writes_float())
    }
}

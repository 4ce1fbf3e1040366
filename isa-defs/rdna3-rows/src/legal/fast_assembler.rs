//! Fast path of the rules of LLVM's assembler: recognizes instructions that obey all of them by a few fields.
//!
//! It exploits that most instructions have one scalar source at most and no suffix dword. If it declines, the rules themselves
//! are checked. A test compares it with the rules.

use isa::{Isa, MAX_DWORDS, RowTypes};

use crate::operands::codes::{self, LITERAL, NULL};
use crate::{Format, Generation, Instruction, flags, raw};

/// The first source code of a VGPR, which is also the number of VGPRs.
const VGPRS: u32 = *codes::VGPR.start();

/// Returns whether the instruction obeys all rules of LLVM's assembler. If `false`, the rules have to be checked.
#[inline(always)]
pub(super) fn obeys<T: Instruction>(instr: &T, words: &[u32; MAX_DWORDS]) -> bool {
    let &[first, second, third] = words;
    let whole = u64::from(first) | u64::from(second) << 32;
    // DPP has its own rules. A literal that fits its operand counts as a scalar source and breaks no other rule.
    let bare = |dwords: usize| instr.dword_count() == dwords;
    let format = instr.microcode();
    match format {
        Format::Sop1 | Format::Sopp => true,
        // Constants of 16 bits.
        Format::Sop2 | Format::Sopc => !T::Generation::FEATURES.scalar_float || second >> 16 == 0,
        Format::Sopk => row(instr).is_some_and(|(row, _)| {
            let is_null = u32::from(raw::Sopk::from_bits(first).sdst()) == NULL;
            row & (flags::BUFFER | flags::HALF_CONSTANTS | flags::BIT_CONSTANTS) == 0
                && (row & flags::WAITS == 0 || is_null)
        }),
        Format::Smem => raw::Smem::from_bits(whole).offset() >> 20 == 0,
        // One source can be scalar, and VCC may be implied: no more than any instruction reads.
        Format::Vop1 => {
            let fields = raw::Vop1::from_bits(first);
            let fits_suffix = bare(1) || fits(instr, &[fields.src0()], second);
            fits_suffix && near::<2>(&[fields.vdst()]) && reach::<2>(&[fields.src0()])
        }
        Format::Vop2 => {
            let fields = raw::Vop2::from_bits(first);
            let fits_suffix = bare(1) || fits(instr, &[fields.src0()], second);
            fits_suffix && near::<2>(&[fields.vdst(), fields.vsrc1()]) && reach::<2>(&[fields.src0()])
        }
        Format::Vopc => {
            let fields = raw::Vopc::from_bits(first);
            let fits_suffix = bare(1) || fits(instr, &[fields.src0()], second);
            fits_suffix && near::<2>(&[fields.vsrc1()]) && reach::<2>(&[fields.src0()])
        }
        Format::Vop3 | Format::Vop3sd | Format::Vop3p => {
            // The sources of the three formats have the same fields.
            let fields = raw::Vop3::from_bits(whole);
            let (vdst, sources) = ([fields.vdst()], [fields.src0(), fields.src1(), fields.src2()]);
            let scalars = sources.iter().filter(|code| is_scalar(**code)).count();
            // One source at most is scalar, so that a literal is the only one.
            let fits_suffix = bare(2) || fits(instr, &sources, third);
            let ends = match format {
                // Matrices.
                Format::Vop3p => near::<8>(&vdst) && reach::<8>(&sources),
                _ => near::<4>(&vdst) && reach::<4>(&sources),
            };
            fits_suffix && scalars <= 1 && ends
        }
        // All their operands have one register.
        Format::Vopd => bare(2) && pair(raw::Vopd::from_bits(whole)),
        Format::Ds => {
            let registers = second.to_le_bytes();
            near::<MOST>(&registers) || near_widest(instr, &registers)
        }
        Format::Flat | Format::Global | Format::Scratch => {
            let fields = raw::Global::from_bits(whole);
            let registers = [fields.addr(), fields.data(), fields.vdst()];
            near::<MOST>(&registers) || near_widest(instr, &registers)
        }
        _ => false,
    }
}

/// Returns whether the suffix dword is a literal of one of these sources, and fits its type.
#[inline(never)]
fn fits<T: Instruction>(instr: &T, sources: &[u16], literal: u32) -> bool {
    // Rows of VOP3P may read 32 bits as 16.
    let wide = || !matches!(instr.microcode(), Format::Vop3p) && is_wide(instr);
    sources.iter().any(|code| u32::from(*code) == LITERAL) && (literal >> 16 == 0 || wide())
}

/// Returns whether all operands that the instruction reads have 32 bits and one lane.
fn is_wide<T: Instruction>(instr: &T) -> bool {
    row(instr).is_some_and(|(_, types)| types.reads_dwords())
}

/// Returns the flags and the types of an instruction's row.
fn row<T: Instruction>(instr: &T) -> Option<(u128, RowTypes)> {
    isa::row_summary::<T::Generation>(<T::Generation as Isa>::parts(instr).0, &instr.dwords())
}

/// The most registers that any operand has, and that an address has.
const MOST: u32 = 32;
const ADDRESS: u32 = 2;

/// Returns whether `COUNT` registers from each of these end at v255 or before.
fn near<const COUNT: u32>(registers: &[u8]) -> bool {
    registers.iter().all(|first| u32::from(*first) + COUNT <= VGPRS)
}

/// Returns whether as many registers as the row's widest operand has end at v255 or before, from each of these.
#[inline(never)]
fn near_widest<T: Instruction>(instr: &T, registers: &[u8]) -> bool {
    let Some((_, types)) = row(instr) else { return false };
    let most = u32::from(types.widest()).max(ADDRESS);
    registers.iter().all(|first| u32::from(*first) + most <= VGPRS)
}

/// Returns whether `COUNT` registers from each of these source codes end at v255 or before.
fn reach<const COUNT: u32>(codes: &[u16]) -> bool {
    codes.iter().all(|first| u32::from(*first) + COUNT <= 2 * VGPRS)
}

/// Returns whether the row of either instruction of a pair has a flag, by its opcode numbers in each component.
pub(super) fn either(fields: raw::Vopd, [x, y]: [u64; 2]) -> bool {
    (x >> fields.opx() | y >> fields.opy()) & 1 != 0
}

/// Returns whether a pair without a literal reads at most two scalars, and each port reads from two banks.
fn pair(fields: raw::Vopd) -> bool {
    let sources = [fields.srcx0(), fields.srcy0()];
    let reads_vcc = either(fields, flags::vopd::READS_VCC);
    let scalars = sources.into_iter().filter(|code| is_scalar(*code)).count() + usize::from(reads_vcc);
    // VGPRs of a bank agree in their two lowest bits.
    let apart = |x: u8, y: u8| (x ^ y) & 3 != 0;
    let first =
        apart(fields.srcx0() as u8, fields.srcy0() as u8) || sources.iter().any(|code| u32::from(*code) < VGPRS);
    // Accumulators take the third port: of the two destinations one is even and one is odd.
    scalars <= 2 && first && (apart(fields.vsrcx1(), fields.vsrcy1()) || either(fields, flags::vopd::ONE_SOURCE))
}

/// Returns whether a source code can be that of a scalar register or of a literal.
pub(super) fn is_scalar(code: u16) -> bool {
    let code = u32::from(code);
    !codes::INT.contains(&code) && !codes::FLOAT.contains(&code) && code < VGPRS
}

//! Fast paths of the rules: recognize instructions that no rule can concern.
//!
//! They exploit that most instructions have one scalar source at most, no modifiers and no suffix dword, and most rows neither masks nor
//! operands with rules. A look at the fields and at the summary of the row then replaces the values of all operands. If a fast path
//! declines, the rules themselves are checked; tests compare both. `cargo xtask bench --callgrind` counts 356 executed instructions for
//! a build with all rules and 253 without them.

use isa::{Isa, MAX_DWORDS, RowTypes};

use crate::operands::codes::{self, EXEC, LITERAL, NULL, VCC};
use crate::{Format, Generation, Instruction, Wave, flags, raw};

/// The first source code of a VGPR, which is also the number of VGPRs.
const VGPRS: u32 = *codes::VGPR.start();

/// The rows of scalar instructions that have their own rules of the guide.
const SCALAR: u128 = flags::INDEX_S
    | flags::INDEX_D
    | flags::WREXEC
    | flags::ONE_DWORD
    | flags::MESSAGE
    | flags::HWREG
    | flags::TRAP
    | flags::CLAUSE;

/// Returns whether the instruction obeys all rules of LLVM's assembler. If `false`, the rules have to be checked.
#[inline(always)]
pub(super) fn obeys_assembler<T: Instruction>(instr: &T, words: &[u32; MAX_DWORDS]) -> bool {
    let &[first, second, third] = words;
    let whole = instr.low64();
    // DPP has its own rules. A literal that fits its operand counts as a scalar source and breaks no other rule.
    let bare = |dwords: usize| instr.dword_count() == dwords;
    let format = instr.microcode();
    match format {
        Format::Sop1 | Format::Sopp => true,
        // Constants of 16 bits.
        Format::Sop2 | Format::Sopc => !T::Generation::FEATURES.scalar_float || is_half(second),
        Format::Sopk => Row::of(instr, words).is_some_and(|row| {
            let is_null = u32::from(raw::Sopk::from_bits(first).sdst()) == NULL;
            row.has_none(flags::BUFFER | flags::HALF_CONSTANTS | flags::BIT_CONSTANTS)
                && (row.has_none(flags::WAITS) || is_null)
        }),
        Format::Smem => T::Generation::scalar_fields(words).offset >= 0,
        // One source can be scalar, and VCC may be implied: no more than any instruction reads.
        Format::Vop1 => {
            let fields = raw::Vop1::from_bits(first);
            let fits_suffix = bare(1) || fits(instr, words, &[fields.src0()], second);
            fits_suffix && near::<2>(&[fields.vdst()]) && reach::<2>(&[fields.src0()])
        }
        Format::Vop2 => {
            let fields = raw::Vop2::from_bits(first);
            let fits_suffix = bare(1) || fits(instr, words, &[fields.src0()], second);
            fits_suffix && near::<2>(&[fields.vdst(), fields.vsrc1()]) && reach::<2>(&[fields.src0()])
        }
        Format::Vopc => {
            let fields = raw::Vopc::from_bits(first);
            let fits_suffix = bare(1) || fits(instr, words, &[fields.src0()], second);
            fits_suffix && near::<2>(&[fields.vsrc1()]) && reach::<2>(&[fields.src0()])
        }
        Format::Vop3 | Format::Vop3sd | Format::Vop3p => {
            let (fields, sources) = sources(whole);
            let scalars = sources.iter().filter(|code| is_scalar(**code)).count();
            // One source at most is scalar, so that a literal is the only one.
            let fits_suffix = bare(2) || fits(instr, words, &sources, third);
            let ends = match format {
                // Matrices.
                Format::Vop3p => near::<8>(&[fields.vdst()]) && reach::<8>(&sources),
                _ => near::<4>(&[fields.vdst()]) && reach::<4>(&sources),
            };
            fits_suffix && scalars <= 1 && ends
        }
        // All their operands have one register.
        Format::Vopd => bare(2) && is_pair::<T::Generation>(raw::Vopd::from_bits(whole)),
        Format::Ds => {
            let fields = raw::Ds::from_bits(whole);
            let registers = [fields.addr(), fields.data0(), fields.data1(), fields.vdst()];
            near::<MOST>(&registers) || near_widest(instr, words, &registers)
        }
        Format::Flat | Format::Global | Format::Scratch => {
            let fields = T::Generation::vector_fields(words);
            let registers = [fields.address, fields.data, fields.result];
            near::<MOST>(&registers) || near_widest(instr, words, &registers)
        }
        _ => false,
    }
}

/// Returns whether the instruction obeys all rules that only the guide has. If `false`, the rules have to be checked.
pub(super) fn obeys_guide<T: Instruction>(instr: &T, words: &[u32; MAX_DWORDS], wave: Wave) -> bool {
    let first = words[0];
    let whole = instr.low64();
    let row = || Row::of(instr, words);
    let has_none = |these: u128| row().is_some_and(|row| row.has_none(these));
    let is_short = |row: &Row, source: u16| {
        let has_dpp = instr.dword_count() > 1 && u32::from(source) != LITERAL;
        !has_dpp && row.is_legal_in_32_bits(source, wave)
    };
    match instr.microcode() {
        Format::Sop2 | Format::Sopc | Format::Flat | Format::Ldsdir | Format::Exp => true,
        Format::Sop1 => has_none(SCALAR),
        // Constants of fewer bits leave bits of their field unused.
        Format::Sopp | Format::Sopk => row().is_some_and(|row| row.has_none(SCALAR) && !row.types.has_narrow()),
        Format::Smem => {
            let fields = T::Generation::scalar_fields(words);
            let is_exec = |register: u8| EXEC.contains(&register.into());
            !is_exec(fields.base) && !is_exec(fields.soffset) && u32::from(fields.data) != NULL
        }
        Format::Ds => has_none(flags::MUST_RETURN | flags::APPENDS | flags::LDS_ONLY),
        Format::Global => has_none(flags::MUST_RETURN),
        Format::Scratch => T::Generation::vector_fields(words).offset >= 0 && has_none(flags::MUST_RETURN),
        Format::Vop1 => {
            let fields = raw::Vop1::from_bits(first);
            row().is_some_and(|row| is_short(&row, fields.src0()) && row.can_write(fields.vdst()))
        }
        Format::Vop2 => row().is_some_and(|row| is_short(&row, raw::Vop2::from_bits(first).src0())),
        Format::Vopc => row().is_some_and(|row| is_short(&row, raw::Vopc::from_bits(first).src0())),
        Format::Vop3 => row().is_some_and(|row| {
            let (fields, sources) = sources(whole);
            row.can_write(fields.vdst())
                && fields.opsel() == 0
                && (row.types.reads_floats() || !has_signs(fields))
                && row.is_legal_in_64_bits(fields, fields.vdst(), &sources, wave)
        }),
        Format::Vop3sd => row().is_some_and(|row| {
            let (fields, sources) = sources(whole);
            let destination = raw::Vop3sd::from_bits(whole).sdst();
            // It has SDST where VOP3 has ABS and OPSEL.
            u32::from(destination) < NULL
                && (row.types.reads_floats() || !is_negated(fields))
                && row.is_legal_in_64_bits(fields, destination, &sources, wave)
        }),
        Format::Vop3p => {
            let fields = raw::Vop3p::from_bits(whole);
            let modifiers = fields.neg_hi() | fields.opsel() | fields.neg();
            modifiers == 0 && row().is_some_and(|row| !row.types.has_mask() && row.types.widest() <= 2)
        }
        Format::Vopd => !either(raw::Vopd::from_bits(whole), flags::vopd::READS_VCC),
        _ => false,
    }
}

/// The fields of VOP3, and the sources: VOP3SD and VOP3P have theirs, and VOP3SD its NEG, in the same bits.
fn sources(whole: u64) -> (raw::Vop3, [u16; 3]) {
    let fields = raw::Vop3::from_bits(whole);
    (fields, [fields.src0(), fields.src1(), fields.src2()])
}

/// Whether a source is negated.
fn is_negated(fields: raw::Vop3) -> bool {
    fields.neg0() | fields.neg1() | fields.neg2()
}

/// Whether a source is negated or has no sign.
fn has_signs(fields: raw::Vop3) -> bool {
    is_negated(fields) | fields.abs0() | fields.abs1() | fields.abs2()
}

/// The facts about a row that the rules depend on.
struct Row {
    flags: u128,
    types: RowTypes,
}

impl Row {
    /// Returns the row of an instruction.
    #[inline(always)]
    fn of<T: Instruction>(instr: &T, words: &[u32; MAX_DWORDS]) -> Option<Row> {
        let (flags, types) = isa::row_summary::<T::Generation>(<T::Generation as Isa>::parts(instr).0, words)?;
        Some(Row { flags, types })
    }

    fn has_none(&self, flags: u128) -> bool {
        self.flags & flags == 0
    }

    /// Returns whether a destination is vector registers or scalar ones that vector instructions can write.
    fn can_write(&self, code: u8) -> bool {
        u32::from(code) < NULL || !self.types.has_mask() && self.has_none(flags::SCALAR_D)
    }

    /// Returns whether the masks and the wave of an instruction of VOP1, VOP2 or VOPC without DPP are legal.
    fn is_legal_in_32_bits(&self, source: u16, wave: Wave) -> bool {
        let masks = !self.types.has_mask() || wave == Wave::W32 || u32::from(source) == LITERAL || !is_scalar(source);
        masks && self.has_none(flags::WAVE64)
    }

    /// Returns whether the masks, the wave and OMOD of an instruction of VOP3 or VOP3SD are legal. `destination` is the operand that can be
    /// a mask.
    fn is_legal_in_64_bits(&self, fields: raw::Vop3, destination: u8, sources: &[u16; 3], wave: Wave) -> bool {
        let is_upper_half = |code: u16| [*VCC.end(), *EXEC.end()].contains(&code.into());
        let masks = !self.types.has_mask()
            || match wave {
                Wave::W32 => !is_upper_half(destination.into()) && !is_upper_half(fields.src2()),
                Wave::W64 => !sources.iter().any(|code| is_scalar(*code)),
            };
        masks && self.has_none(flags::WAVE64 | flags::UNIFORM) && (fields.omod() == 0 || self.types.writes_float())
    }
}

/// Returns whether the upper half of a literal is zero.
fn is_half(literal: u32) -> bool {
    literal >> 16 == 0
}

/// Returns whether the suffix dword is a literal of one of these sources, and fits its type.
#[inline(never)]
fn fits<T: Instruction>(instr: &T, words: &[u32; MAX_DWORDS], sources: &[u16], literal: u32) -> bool {
    // Rows of VOP3P may read 32 bits as 16. Other rows have 32 bits and one lane in all operands that they read.
    let is_wide = || {
        !matches!(instr.microcode(), Format::Vop3p) && Row::of(instr, words).is_some_and(|row| row.types.reads_dwords())
    };
    sources.iter().any(|code| u32::from(*code) == LITERAL) && (is_half(literal) || is_wide())
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
fn near_widest<T: Instruction>(instr: &T, words: &[u32; MAX_DWORDS], registers: &[u8]) -> bool {
    let Some(row) = Row::of(instr, words) else { return false };
    let most = u32::from(row.types.widest()).max(ADDRESS);
    registers.iter().all(|first| u32::from(*first) + most <= VGPRS)
}

/// Returns whether `COUNT` registers from each of these source codes end at v255 or before.
fn reach<const COUNT: u32>(codes: &[u16]) -> bool {
    codes.iter().all(|first| u32::from(*first) + COUNT <= 2 * VGPRS)
}

/// Returns whether the row of either instruction of a pair has a flag, by its opcode numbers in each component.
fn either(fields: raw::Vopd, [x, y]: [u64; 2]) -> bool {
    (x >> fields.opx() | y >> fields.opy()) & 1 != 0
}

/// Returns whether the rows of both instructions of a pair have a flag.
pub(super) fn both(fields: raw::Vopd, [x, y]: [u64; 2]) -> bool {
    x >> fields.opx() & y >> fields.opy() & 1 != 0
}

/// Returns whether a pair without a literal reads at most two scalars, and each port reads from two banks.
fn is_pair<I: Generation>(fields: raw::Vopd) -> bool {
    let sources = [fields.srcx0(), fields.srcy0()];
    let reads_vcc = either(fields, flags::vopd::READS_VCC);
    let scalars = sources.into_iter().filter(|code| is_scalar(*code)).count() + usize::from(reads_vcc);
    // VGPRs of a bank agree in their two lowest bits.
    let apart = |x: u8, y: u8| (x ^ y) & 3 != 0;
    let first =
        apart(fields.srcx0() as u8, fields.srcy0() as u8) || sources.iter().any(|code| u32::from(*code) < VGPRS);
    let first = first || I::FEATURES.copies_use_third_port && both(fields, flags::vopd::COPIES);
    // Accumulators take the third port: of the two destinations one is even and one is odd.
    scalars <= 2 && first && (apart(fields.vsrcx1(), fields.vsrcy1()) || either(fields, flags::vopd::ONE_SOURCE))
}

/// Returns whether a source code can be that of a scalar register or of a literal.
fn is_scalar(code: u16) -> bool {
    let code = u32::from(code);
    !codes::INT.contains(&code) && !codes::FLOAT.contains(&code) && code < VGPRS
}

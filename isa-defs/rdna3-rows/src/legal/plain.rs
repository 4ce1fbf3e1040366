//! Instructions that surely obey the rules of the assembler, as a look at a few fields says: nearly all do.
//!
//! The rules themselves stand elsewhere, and are asked wherever this is not sure: it says no more than that there is
//! nothing which they could find. A test holds the two against each other.

use crate::{Instr, Value, Wave, raw};

/// No operand has more than 32 registers, so that none which begins below this number goes beyond v255.
const FAR: u32 = 256 - 31;

/// The first source code that is a VGPR.
const VGPRS: u32 = 256;

/// The source code of a literal.
const LITERAL: u32 = 255;

/// Whether the rules that LLVM's assembler holds can find nothing.
#[inline(always)]
pub(super) fn surely(instr: &Instr, words: &[u32; isa::MAX_DWORDS]) -> bool {
    let &[first, second, third] = words;
    let whole = u64::from(first) | u64::from(second) << 32;
    let near = |registers: &[u8]| registers.iter().all(|r| u32::from(*r) < FAR);
    // A tail brings rules of its own, those of DPP; a literal that fits its operand breaks none but by its being there.
    let bare = |dwords: usize| instr.len() == dwords;
    let small = |source: u16, literal: u32| u32::from(source) == LITERAL && literal >> 16 == 0;
    let fits = |source: u16, literal: u32| small(source, literal) || u32::from(source) == LITERAL && is_wide(instr);
    match instr {
        Instr::Sop1(_) | Instr::Sop2(_) | Instr::Sopc(_) | Instr::Sopp(_) => true,
        Instr::Smem(_) => raw::Smem::from_bits(whole).offset() >> 20 == 0,
        // One source can be scalar, and VCC may be implied: no more than any instruction reads.
        Instr::Vop1(_) => {
            let fields = raw::Vop1::from_bits(first);
            (bare(1) || fits(fields.src0(), second)) && near(&[fields.vdst()]) && reach(fields.src0())
        }
        Instr::Vop2(_) => {
            let fields = raw::Vop2::from_bits(first);
            let tail = bare(1) || fits(fields.src0(), second);
            tail && near(&[fields.vdst(), fields.vsrc1()]) && reach(fields.src0())
        }
        Instr::Vopc(_) => {
            let fields = raw::Vopc::from_bits(first);
            (bare(1) || fits(fields.src0(), second)) && near(&[fields.vsrc1()]) && reach(fields.src0())
        }
        Instr::Vop3(_) | Instr::Vop3sd(_) | Instr::Vop3p(_) => {
            // Rows of VOP3P may read 32 bits as 16.
            let packed = matches!(instr, Instr::Vop3p(_));
            let fits = |source| if packed { small(source, third) } else { fits(source, third) };
            // Their sources stand at the same place.
            let fields = raw::Vop3::from_bits(whole);
            let sources = [fields.src0(), fields.src1(), fields.src2()];
            let scalars = sources.iter().filter(|code| is_scalar(**code)).count();
            // One source at most is scalar, so that a literal is the only one.
            let tail = bare(2) || sources.iter().any(|source| fits(*source));
            tail && scalars <= 1 && near(&[fields.vdst()]) && sources.iter().all(|code| reach(*code))
        }
        Instr::Ds(_) => near(&second.to_le_bytes()),
        Instr::Flat(_) | Instr::Global(_) | Instr::Scratch(_) => {
            let fields = raw::Global::from_bits(whole);
            near(&[fields.addr(), fields.data(), fields.vdst()])
        }
        _ => false,
    }
}

/// Whether all that an instruction reads of its literal is 32 bits as they are.
#[inline(never)]
fn is_wide(instr: &Instr) -> bool {
    instr.operands(Wave::W32).all(|operand| {
        let ty = operand.ty;
        !matches!(operand.value, Value::Literal(_)) || (ty.bits(), ty.lanes()) == (32, 1)
    })
}

/// Whether registers that begin with this source code end at v255 or before.
fn reach(code: u16) -> bool {
    u32::from(code) < VGPRS + FAR
}

/// Whether this source code may be one of a scalar register; a literal has a tail.
fn is_scalar(code: u16) -> bool {
    !matches!(u32::from(code), 128..=208 | 240..=248 | VGPRS..)
}

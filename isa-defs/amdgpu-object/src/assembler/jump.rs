//! Branches in both forms, and the computation of addresses, as RDNA3 instructions.

use rdna_rows::Instr;
use rdna_rows::build::{self, BuildError, Sgprs, s};
use rdna_rows::isa::InstrDwords;

/// When a branch is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Condition {
    /// If SCC is 0.
    Scc0,
    /// If SCC is 1.
    Scc1,
    /// If VCC is 0.
    Vccz,
    /// If VCC is not 0.
    Vccnz,
    /// If EXEC is 0.
    Execz,
    /// If EXEC is not 0.
    Execnz,
}

impl Condition {
    /// Returns the condition that holds when this one does not.
    #[must_use]
    pub const fn inverse(self) -> Self {
        match self {
            Self::Scc0 => Self::Scc1,
            Self::Scc1 => Self::Scc0,
            Self::Vccz => Self::Vccnz,
            Self::Vccnz => Self::Vccz,
            Self::Execz => Self::Execnz,
            Self::Execnz => Self::Execz,
        }
    }
}

/// The registers that a branch may overwrite to reach a label that is more than 32,767 dwords away.
///
/// The far form computes the address in a pair of SGPRs. A conditional one is a branch of the inverse condition around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Far {
    /// None: a branch out of range is an error.
    No,
    /// The pair. This takes 32 bytes: SCC is kept in the lowest bit of the address while it is computed.
    KeepScc(Sgprs<2>),
    /// The pair and SCC. This takes 24 bytes.
    ClobberScc(Sgprs<2>),
}

impl Far {
    /// The pair, if there is one.
    pub const fn pair(self) -> Option<Sgprs<2>> {
        match self {
            Self::No => None,
            Self::KeepScc(pair) | Self::ClobberScc(pair) => Some(pair),
        }
    }

    /// The number of dwords of an unconditional branch in the far form.
    pub const fn dwords(self) -> u64 {
        match self {
            Self::No => 1,
            Self::KeepScc(_) => 8,
            Self::ClobberScc(_) => 6,
        }
    }
}

/// A literal that no inline constant replaces; the real one takes its place.
const LITERAL: u32 = 0x0123_4567;

fn words(instr: Result<Instr, BuildError>) -> Option<InstrDwords> {
    instr.ok().map(|instr| instr.encode())
}

/// The instruction with another literal.
fn with_literal(words: InstrDwords, literal: u32) -> [u32; 2] {
    [words.first().copied().unwrap_or(0), literal]
}

/// Returns a branch over `dwords` dwords.
pub fn near(condition: Option<Condition>, dwords: i16) -> Option<InstrDwords> {
    words(match condition {
        None => build::s_branch(dwords).instr(),
        Some(Condition::Scc0) => build::s_cbranch_scc0(dwords).instr(),
        Some(Condition::Scc1) => build::s_cbranch_scc1(dwords).instr(),
        Some(Condition::Vccz) => build::s_cbranch_vccz(dwords).instr(),
        Some(Condition::Vccnz) => build::s_cbranch_vccnz(dwords).instr(),
        Some(Condition::Execz) => build::s_cbranch_execz(dwords).instr(),
        Some(Condition::Execnz) => build::s_cbranch_execnz(dwords).instr(),
    })
}

/// An unconditional branch in the far form to `distance` bytes after its first instruction, which has 4 bytes. `None`: the pair
/// cannot be used.
pub fn far(far: Far, distance: i64) -> Option<Vec<u32>> {
    let pair = far.pair()?;
    let (lo, hi) = halves(pair);
    let address = distance - 4;
    let mut code = words(build::s_getpc_b64(pair).instr())?.to_vec();
    let low = match far {
        // SCC is 1 or 0 and the address a multiple of 4, so that its lowest bit becomes SCC, and the carry is right.
        Far::KeepScc(_) => build::s_addc_u32(lo, lo, LITERAL).instr(),
        _ => build::s_add_u32(lo, lo, LITERAL).instr(),
    };
    code.extend(with_literal(words(low)?, address as u32));
    code.extend(with_literal(words(build::s_addc_u32(hi, hi, LITERAL).instr())?, (address >> 32) as u32));
    if let Far::KeepScc(_) = far {
        code.extend_from_slice(&words(build::s_bitcmp1_b32(lo, 0).instr())?);
        code.extend_from_slice(&words(build::s_bitset0_b32(lo, 0).instr())?);
    }
    code.extend_from_slice(&words(build::s_setpc_b64(pair).instr())?);
    Some(code)
}

/// Instructions that compute an address; the last two end in literals. `None`: the pair cannot be used.
pub fn load_address(pair: Sgprs<2>) -> Option<[InstrDwords; 3]> {
    let (lo, hi) = halves(pair);
    Some([
        words(build::s_getpc_b64(pair).instr())?,
        words(build::s_add_u32(lo, lo, LITERAL).instr())?,
        words(build::s_addc_u32(hi, hi, LITERAL).instr())?,
    ])
}

/// Returns the registers of a pair, whose first one is even.
const fn halves(pair: Sgprs<2>) -> (Sgprs<1>, Sgprs<1>) {
    (s(pair.first()), s(pair.first() | 1))
}

/// The dword that pads code.
pub fn nop() -> u32 {
    words(build::s_nop(0).instr()).and_then(|words| words.first().copied()).unwrap_or(0)
}

/// The dword after the end of code.
pub fn code_end() -> u32 {
    words(build::s_code_end().instr()).and_then(|words| words.first().copied()).unwrap_or(0)
}

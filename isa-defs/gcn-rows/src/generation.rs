//! In what the generations differ besides their rows: registers and their codes, constants, ranges of offsets.
//!
//! The facts are LLVM's for gfx600, gfx700, gfx803 and gfx900.

use amdgpu_operands::Names;
use isa::{CodeSet, Isa};

use crate::operands::File;
use crate::{Value, Violation, Wave};

/// A generation: an instruction set of this crate.
pub trait Generation: Isa<Mode = Wave, Value = Value> {
    /// What is its own.
    const FEATURES: &'static Features;

    /// Whether an instruction obeys the rules between its operands.
    ///
    /// # Errors
    /// The first rule it breaks.
    fn check(instr: &Self::Instr) -> Result<(), Violation>;
}

/// Codes of scalar operands that stand for registers of one file: the first code, the file, how many.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// The code of the first register.
    pub code: u32,
    /// The file.
    pub file: File,
    /// How many registers.
    pub count: u32,
}

/// What a generation has of its own.
#[derive(Debug)]
pub struct Features {
    /// Its place in the order of generations, from 0.
    pub nth: usize,
    /// The scalar registers by their codes below 128.
    pub places: &'static [Place],
    /// Codes that LLVM prints although the generation has no such registers.
    pub printed: &'static [Place],
    /// How text names the registers.
    pub names: Names<File>,
    /// The codes of scalar registers that operands of 1, 2, 4, 8 and 16 dwords begin with.
    pub registers: [CodeSet; 5],
    /// The same without M0 and EXEC, which scalar memory neither fills nor stores.
    pub data: [CodeSet; 5],
    /// The codes of a scalar operand that may also be a constant.
    pub sources: CodeSet,
    /// Whether elements of 16 bits have a register each instead of half of one.
    pub unpacked_d16: bool,
    /// The range of constant offsets of scalar memory.
    pub smem_offset: (i64, i64),
    /// What is said of a constant offset outside that range.
    pub smem_rule: &'static str,
}

const fn place(code: u32, file: File, count: u32) -> Place {
    Place { code, file, count }
}

const VCC: Place = place(106, File::Vcc, 2);
const TBA: Place = place(108, File::Tba, 2);
const TMA: Place = place(110, File::Tma, 2);
const M0: Place = place(124, File::M0, 1);
const EXEC: Place = place(126, File::Exec, 2);
const NULL: Place = place(125, File::Null, 1);

const PLACES_1_0: &[Place] = &[place(0, File::Sgpr, 104), VCC, TBA, TMA, place(112, File::Ttmp, 12), M0, EXEC];
const PLACES_1_1: &[Place] =
    &[place(0, File::Sgpr, 104), place(104, File::FlatScratch, 2), VCC, TBA, TMA, place(112, File::Ttmp, 12), M0, EXEC];
const PLACES_1_2: &[Place] =
    &[place(0, File::Sgpr, 102), place(102, File::FlatScratch, 2), VCC, TBA, TMA, place(112, File::Ttmp, 12), M0, EXEC];
const PLACES_1_4: &[Place] = &[
    place(0, File::Sgpr, 102),
    place(102, File::FlatScratch, 2),
    place(104, File::XnackMask, 2),
    VCC,
    place(108, File::Ttmp, 16),
    M0,
    EXEC,
];

const WIDTHS: [u32; 5] = [1, 2, 4, 8, 16];

/// The codes from which so many registers of one file follow. Pairs begin with an even one, more with a multiple of
/// four.
const fn ranges(places: &[Place], dwords: u32, data: bool) -> CodeSet {
    let step = if dwords < 4 { dwords } else { 4 };
    let mut set = CodeSet::NONE;
    let mut i = 0;
    while i < places.len() {
        let Place { code, file, count } = places[i];
        if !(data && matches!(file, File::M0 | File::Exec)) {
            let mut at = code;
            while at + dwords <= code + count {
                set = set.with(at, at);
                at += step;
            }
        }
        i += 1;
    }
    set
}

const fn by_width(places: &[Place], data: bool) -> [CodeSet; 5] {
    let mut sets = [CodeSet::NONE; 5];
    let mut i = 0;
    while i < sets.len() {
        sets[i] = ranges(places, WIDTHS[i], data);
        i += 1;
    }
    sets
}

/// What any generation takes besides registers: inline integers and floats, VCCZ, EXECZ, SCC.
const fn sources(places: &[Place]) -> CodeSet {
    ranges(places, 1, false).with(128, 208).with(240, 247).with(251, 253)
}

/// The code of 1/(2 pi), which came with GCN 1.2.
const INVERSE_TWO_PI: u32 = 248;

macro_rules! names {
    ($sgprs:literal, $ttmps:literal, $none:literal, [$($pair:ident $lo:literal $hi:literal $both:literal),*]) => {
        Names {
            named: &[
                ("vcc", File::Vcc, 0, 2),
                ("vcc_lo", File::Vcc, 0, 1),
                ("vcc_hi", File::Vcc, 1, 1),
                ("exec", File::Exec, 0, 2),
                ("exec_lo", File::Exec, 0, 1),
                ("exec_hi", File::Exec, 1, 1),
                ("m0", File::M0, 0, 1),
                $(($both, File::$pair, 0, 2), ($lo, File::$pair, 0, 1), ($hi, File::$pair, 1, 1),)*
            ],
            numbered: &[("v", File::Vgpr, 255), ("s", File::Sgpr, $sgprs), ("ttmp", File::Ttmp, $ttmps)],
            halves: None,
            none: $none,
        }
    };
}

/// GCN 1.0.
pub static GCN1_0: Features = Features {
    nth: 0,
    places: PLACES_1_0,
    printed: &[],
    names: names!(103, 11, "no such register: they end at v255, s103 and ttmp11", [
        Tba "tba_lo" "tba_hi" "tba", Tma "tma_lo" "tma_hi" "tma"
    ]),
    registers: by_width(PLACES_1_0, false),
    data: by_width(PLACES_1_0, true),
    sources: sources(PLACES_1_0),
    unpacked_d16: false,
    smem_offset: (0, 0),
    smem_rule: "",
};

/// GCN 1.1.
pub static GCN1_1: Features = Features {
    nth: 1,
    places: PLACES_1_1,
    names: names!(103, 11, "no such register: they end at v255, s103 and ttmp11", [
        Tba "tba_lo" "tba_hi" "tba", Tma "tma_lo" "tma_hi" "tma",
        FlatScratch "flat_scratch_lo" "flat_scratch_hi" "flat_scratch"
    ]),
    registers: by_width(PLACES_1_1, false),
    data: by_width(PLACES_1_1, true),
    sources: sources(PLACES_1_1),
    ..GCN1_0
};

/// GCN 1.2.
pub static GCN1_2: Features = Features {
    nth: 2,
    places: PLACES_1_2,
    printed: &[place(104, File::XnackMask, 2), NULL],
    names: names!(101, 11, "no such register: they end at v255, s101 and ttmp11", [
        Tba "tba_lo" "tba_hi" "tba", Tma "tma_lo" "tma_hi" "tma",
        FlatScratch "flat_scratch_lo" "flat_scratch_hi" "flat_scratch"
    ]),
    registers: by_width(PLACES_1_2, false),
    data: by_width(PLACES_1_2, true),
    sources: sources(PLACES_1_2).with(INVERSE_TWO_PI, INVERSE_TWO_PI),
    unpacked_d16: true,
    smem_offset: (0, 0xf_ffff),
    smem_rule: "the offset has 20 bits: it lies between 0 and 1048575",
};

/// GCN 1.4.
pub static GCN1_4: Features = Features {
    nth: 3,
    places: PLACES_1_4,
    printed: &[NULL],
    names: names!(101, 15, "no such register: they end at v255, s101 and ttmp15", [
        FlatScratch "flat_scratch_lo" "flat_scratch_hi" "flat_scratch",
        XnackMask "xnack_mask_lo" "xnack_mask_hi" "xnack_mask"
    ]),
    registers: by_width(PLACES_1_4, false),
    data: by_width(PLACES_1_4, true),
    // The memory apertures and the wave that leaves the ordered section.
    sources: sources(PLACES_1_4).with(INVERSE_TWO_PI, INVERSE_TWO_PI).with(235, 239),
    unpacked_d16: false,
    smem_offset: (-0x10_0000, 0xf_ffff),
    smem_rule: "the offset has 21 bits: it lies between -1048576 and 1048575",
};

impl Features {
    /// The index of a width among the sets by width.
    const fn width(dwords: u8) -> usize {
        match dwords {
            0 | 1 => 0,
            2 => 1,
            3 | 4 => 2,
            5..=8 => 3,
            _ => 4,
        }
    }

    /// The codes from which `dwords` registers (1, 2, 4, 8 or 16) follow.
    #[must_use]
    pub fn registers(&self, dwords: u8) -> &CodeSet {
        &self.registers[Self::width(dwords)]
    }

    /// The same of those that scalar memory fills and stores.
    #[must_use]
    pub fn data(&self, dwords: u8) -> &CodeSet {
        &self.data[Self::width(dwords)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [&Features; 4] = [&GCN1_0, &GCN1_1, &GCN1_2, &GCN1_4];

    #[test]
    fn no_code_stands_for_two_registers() {
        for features in ALL {
            let mut next = 0;
            for place in features.places {
                assert!(place.code >= next && place.code + place.count <= 128, "{place:?}");
                next = place.code + place.count;
            }
        }
    }

    #[test]
    fn ranges_stay_inside_their_file() {
        let last = |set: &CodeSet| (0..112).rev().find(|c| set.has(*c));
        assert_eq!([4, 8, 16].map(|n| last(GCN1_0.registers(n))), [Some(100), Some(96), Some(88)]);
        assert_eq!([4, 8, 16].map(|n| last(GCN1_2.registers(n))), [Some(96), Some(92), Some(84)]);
        assert!(GCN1_4.registers(16).has(108) && !GCN1_4.registers(16).has(112));
        assert!(!GCN1_2.registers(16).has(112) && GCN1_2.registers(8).has(116));
        assert!(GCN1_4.registers(2).has(126) && !GCN1_4.data(2).has(126) && !GCN1_4.data(1).has(124));
    }
}

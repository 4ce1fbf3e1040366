//! The other way: texts on which both disassemblers agree go to both assemblers. Each must take it and give the same
//! bytes, or refuse it; and of words that we call non-canonical, LLVM's assembler must not give the very words.

use std::collections::BTreeMap;

use anyhow::Result;
use isa::Options;
use isa_tests::sets::{self, WaveSet};
use isa_tests::vectors::{folded, hex};
use rdna3::Wave;

use super::difference::hexadecimal;
use crate::assembler::assemble;
use crate::machine::Machine;
use crate::names::{bare, mnemonics};

/// How assemblers differ.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum TextKind {
    /// LLVM refuses a text that we take and print again.
    OnlyWe,
    /// We refuse what LLVM takes.
    OnlyLlvm,
    /// Both take it, to different bytes; or we alone, and print another text.
    Bytes,
    /// LLVM's assembler gives words that we call non-canonical.
    Canonical,
}

impl TextKind {
    /// The kind in words, for the page.
    pub const fn text(self) -> &'static str {
        match self {
            TextKind::OnlyWe => "LLVM's assembler refuses the text",
            TextKind::OnlyLlvm => "our assembler refuses the text",
            TextKind::Bytes => "the bytes differ",
            TextKind::Canonical => "LLVM's assembler writes what we call non-canonical",
        }
    }
}

/// A text that both print, and the words it was printed from.
pub struct Text {
    pub text: String,
    /// The dwords.
    pub words: Vec<u32>,
    /// Whether an operand is an integer of 16 bits.
    pub has_short_integer: bool,
    /// Whether the words are not merely non-canonical.
    pub canonical: bool,
    pub format: &'static str,
    read: fn(&str, Wave) -> Result<Reread, String>,
}

/// What we read from a text: the bytes in hex, and their text.
pub struct Reread {
    hex: String,
    text: String,
}

impl Text {
    /// A text of an instruction.
    pub fn new<S: WaveSet>(text: String, instr: &S::Instr, wave: Wave, canonical: bool) -> Self {
        use rdna3::Instruction as _;
        let has_short_integer = instr.operand_infos(wave).any(|o| o.ty.total_bits() == 16 && !o.ty.is_float());
        let words = sets::encode::<S>(instr).to_vec();
        Text { text, words, has_short_integer, canonical, format: sets::format::<S>(instr), read: reread::<S> }
    }
}

/// Reads a text.
fn reread<S: WaveSet>(text: &str, wave: Wave) -> Result<Reread, String> {
    let instr = isa::parse::<S>(text, Options { mode: wave, lenient: false }).map_err(|e| e.to_string())?;
    Ok(Reread { hex: hex(&sets::encode::<S>(&instr)), text: folded(&sets::text::<S>(&instr, wave)) })
}

/// A text on which the assemblers differ.
pub struct TextDifference<'a> {
    pub text: &'a str,
    /// What it was printed from.
    pub from: &'a Text,
    /// Our error.
    pub why: &'a str,
    /// LLVM's bytes in hex, empty where it refuses the text.
    pub llvm: &'a str,
}

impl TextDifference<'_> {
    /// The operands that are numbers in `lit(…)`.
    fn literals(&self) -> impl Iterator<Item = u32> {
        self.text.split("lit(").skip(1).filter_map(|rest| hexadecimal(rest.split(')').next()?))
    }

    fn is_row(&self, names: &[&str]) -> bool {
        mnemonics(self.text).any(|mnemonic| names.contains(&bare(mnemonic)))
    }
}

/// A class of difference between the assemblers.
pub struct TextClass {
    pub name: &'static str,
    pub kind: TextKind,
    /// Which texts, in words, for the page.
    pub what: &'static str,
    /// Words that differ so, as hex digits in memory order.
    pub example: (Wave, &'static str),
    is: fn(&TextDifference) -> bool,
}

/// The classes.
pub static CLASSES: [TextClass; 9] = [
    TextClass {
        name: "signs of lit(…)",
        kind: TextKind::OnlyWe,
        what: "`-lit(…)` and absolute values of `lit(…)`",
        example: (Wave::W32, "768088d5ff00002008000000"),
        is: |d| d.text.contains("-lit(") || d.text.contains("|lit("),
    },
    TextClass {
        name: "signs of a literal of an f64",
        kind: TextKind::OnlyWe,
        what: "rows with an f64: `neg(0x12345678)` and absolute values of such literals",
        example: (Wave::W64, "7e03abd4fffe0100e2ffffff"),
        is: |d| {
            let double = mnemonics(d.text).any(|mnemonic| mnemonic.contains("_f64"));
            double && (d.text.contains("neg(0x") || d.text.contains("|0x"))
        },
    },
    TextClass {
        name: "literals of 16-bit integers above 0xffff",
        kind: TextKind::OnlyWe,
        what: "operands that are 16-bit integers: `lit(0xfffffff0)`",
        example: (Wave::W64, "fff8767cf6ffffff"),
        is: |d| d.from.has_short_integer && d.literals().any(|literal| literal > 0xffff),
    },
    TextClass {
        name: "lit(…) of V_DOT2ACC_F32_F16",
        kind: TextKind::OnlyWe,
        what: "V_DOT2ACC_F32_F16: `lit(…)`",
        example: (Wave::W64, "ff76390408000000"),
        is: |d| d.is_row(&["v_dot2acc_f32_f16"]) && d.literals().next().is_some(),
    },
    TextClass {
        name: "op_sel of V_FMAC_F16",
        kind: TextKind::OnlyWe,
        what: "V_FMAC_F16 in VOP3: `op_sel` beside halves",
        example: (Wave::W64, "20c836d5b9ff0358"),
        is: |d| d.is_row(&["v_fmac_f16"]) && d.text.contains(" op_sel:["),
    },
    TextClass {
        name: "1/(2 pi) of WMMA",
        kind: TextKind::OnlyWe,
        what: "WMMA whose matrix C is `0.15915494`",
        example: (Wave::W32, "370042cc7241e203"),
        is: |d| mnemonics(d.text).any(|mnemonic| mnemonic.starts_with("v_wmma_")) && d.text.contains(", 0.15915494"),
    },
    TextClass {
        name: "two different literals, one of them as lit(…)",
        kind: TextKind::OnlyLlvm,
        what: "rows with a 16-bit integer: an inline float, written as its bits, beside `lit(…)`",
        example: (Wave::W32, "610062d7f3fe01003b000000"),
        is: |d| {
            let other = d.text.split([' ', ',']).filter(|part| !part.contains("lit(")).any(|part| part.contains("0x"));
            other && d.literals().next().is_some() && d.why.contains("holds one literal")
        },
    },
    TextClass {
        name: "floats of S_SETREG_IMM32_B32",
        kind: TextKind::Bytes,
        what: "S_SETREG_IMM32_B32 with a number that both write with a point: LLVM takes the low half of the f64",
        example: (Wave::W32, "e76c80b9000000c0"),
        is: |d| {
            let number = d.text.rsplit(' ').next().filter(|n| n.contains('.')).and_then(|n| n.parse::<f64>().ok());
            let low = number.map(|n| hex(&[d.from.words[0], n.to_bits() as u32]));
            d.is_row(&["s_setreg_imm32_b32"]) && low.is_some_and(|low| low == d.llvm)
        },
    },
    TextClass {
        name: "src_lds_direct in VOPD",
        kind: TextKind::Canonical,
        what: "VOPD with 254 in a source",
        example: (Wave::W32, "ff3116c8fe3625cb"),
        is: |d| d.from.format == "VOPD" && d.text.contains("src_lds_direct"),
    },
];

/// The classes of RDNA4 alone.
pub static RDNA4: [TextClass; 4] = [
    TextClass {
        name: "inline floats of V_CNDMASK_B16 with DPP",
        kind: TextKind::OnlyLlvm,
        what: "V_CNDMASK_B16 in VOP3 with DPP: an inline float, written as its bits, which LLVM assembles to the code of a literal",
        example: (Wave::W32, "d3005dd6e9e4d5001baf137c"),
        is: |d| d.is_row(&["v_cndmask_b16"]) && d.text.contains(", 0x") && d.why.contains("none beside DPP"),
    },
    TextClass {
        name: "1/(2 pi) of V_LDEXP_F16",
        kind: TextKind::OnlyWe,
        what: "V_LDEXP_F16 in VOP3 with DPP: `0.15915494`",
        example: (Wave::W64, "20c13bd5faf00100c50000a1"),
        is: |d| d.is_row(&["v_ldexp_f16"]) && d.text.contains(", 0.15915494"),
    },
    TextClass {
        name: "TH_ATOMIC_NT_RETURN at SCOPE_SYS",
        kind: TextKind::OnlyWe,
        what: "atomics with these two, which LLVM takes for TH_BYPASS",
        example: (Wave::W32, "338016c46f10bc0000108205"),
        is: |d| d.text.contains("th:TH_ATOMIC_NT_RETURN") && d.text.contains("scope:SCOPE_SYS"),
    },
    TextClass {
        name: "lit(…) of S_CMP_*_F16",
        kind: TextKind::OnlyWe,
        what: "comparisons of f16 by scalar instructions: `lit(…)`",
        example: (Wave::W64, "ffa555bfffffffff"),
        is: |d| d.text.starts_with("s_cmp_") && d.text.contains("_f16 ") && d.literals().next().is_some(),
    },
];

/// The number of texts with the same bytes, refused by both, with an explained difference, with an unexplained one; and of
/// texts of non-canonical words with other words or refused by LLVM's assembler.
type Counts = [usize; 5];

/// The results of all texts.
#[derive(Default)]
pub struct Texts {
    waiting: [Vec<Text>; 2],
    formats: BTreeMap<&'static str, Counts>,
    explained: BTreeMap<&'static str, usize>,
    open: BTreeMap<(TextKind, String), (usize, String)>,
}

impl Texts {
    /// Keeps a text until [`ask`](Self::ask).
    pub fn push(&mut self, text: Text, wave: Wave) {
        self.waiting[usize::from(wave == Wave::W64)].push(text);
    }

    /// Asks both assemblers about the texts that were kept.
    pub fn ask(&mut self, machines: [&Machine; 2]) -> Result<()> {
        for (nth, texts) in std::mem::take(&mut self.waiting).into_iter().enumerate() {
            let wave = [Wave::W32, Wave::W64][nth];
            let theirs = assemble(texts.iter().map(|text| text.text.as_str()), machines[nth])?;
            for (text, llvm) in texts.iter().zip(theirs) {
                self.add(text, llvm.as_deref(), wave);
            }
        }
        Ok(())
    }

    fn add(&mut self, from: &Text, llvm: Option<&str>, wave: Wave) {
        let Text { text, canonical, format, .. } = from;
        let words = hex(&from.words);
        let counts = self.formats.entry(format).or_default();
        let read = if *canonical { Some((from.read)(text, wave)) } else { None };
        let why = read.as_ref().and_then(|read| read.as_ref().err().cloned()).unwrap_or_default();
        let read = read.and_then(Result::ok);
        let ours = read.as_ref().map(|read| read.hex.clone());
        // A literal that 16-bit operands alone read may have lost its upper half.
        let again = || read.as_ref().is_some_and(|read| read.text == *text);
        let kind = match (&ours, llvm) {
            _ if !canonical && llvm != Some(&*words) => return counts[4] += 1,
            _ if !canonical => TextKind::Canonical,
            (Some(ours), Some(llvm)) if ours == llvm => return counts[0] += 1,
            (None, None) => return counts[1] += 1,
            // Between bars `lit(…)` asks for nothing, as LLVM reads it: an inline constant prints without it.
            (Some(_), None) if again() || text.contains("|lit(") => TextKind::OnlyWe,
            (None, Some(_)) => TextKind::OnlyLlvm,
            _ => TextKind::Bytes,
        };
        let difference = TextDifference { text, from, why: &why, llvm: llvm.unwrap_or_default() };
        if let Some(class) = CLASSES.iter().chain(&RDNA4).find(|class| class.kind == kind && (class.is)(&difference)) {
            counts[2] += 1;
            *self.explained.entry(class.name).or_default() += 1;
            return;
        }
        counts[3] += 1;
        let mnemonic = mnemonics(text).next().unwrap_or("?");
        let open = self.open.entry((kind, mnemonic.into())).or_insert_with(|| {
            let bytes = |of: Option<&str>| of.unwrap_or("refused").to_string();
            let (ours, llvm) = (bytes(ours.as_deref()), bytes(llvm));
            (0, format!("{wave:?} {text}\n        from: {words}\n        ours: {ours} {why}\n        LLVM: {llvm}"))
        });
        open.0 += 1;
    }

    /// How many are of this class.
    pub fn count(&self, class: &TextClass) -> usize {
        self.explained.get(class.name).copied().unwrap_or(0)
    }

    /// How many differ without a class.
    pub fn unexplained(&self) -> usize {
        self.open.values().map(|(count, _)| count).sum()
    }

    /// Prints it all.
    pub fn print(&self, shown: usize) {
        println!("texts given to both assemblers, non-canonical ones to LLVM's:");
        let heads = ["same bytes", "both refuse", "explained", "not", "non-canon."];
        println!("{:<10}{}", "format", heads.map(|head| format!(" {head:>11}")).concat());
        let mut sums = Counts::default();
        for (format, counts) in &self.formats {
            println!("{format:<10}{}", counts.map(|n| format!(" {n:>11}")).concat());
            sums.iter_mut().zip(counts).for_each(|(sum, n)| *sum += n);
        }
        println!("{:<10}{}", "all", sums.map(|n| format!(" {n:>11}")).concat());
        for class in CLASSES.iter().chain(&RDNA4) {
            println!("{:>7} {} ({}): {}", self.count(class), class.name, class.kind.text(), class.what);
        }
        let mut open: Vec<_> = self.open.iter().collect();
        open.sort_by_key(|(_, (count, _))| std::cmp::Reverse(*count));
        for ((kind, name), (count, example)) in open.iter().take(shown) {
            println!("{count:>7} {}: {name}, as {example}", kind.text());
        }
    }
}

//! The other way: texts on which both disassemblers agree go to both assemblers. Each must take it and give the same
//! bytes, or refuse it.

use std::collections::BTreeMap;

use anyhow::Result;
use isa_tests::vectors::hex;
use rdna3::{Instr, Wave};

use crate::assembler::assemble;
use crate::machine;
use crate::names::mnemonics;

/// A text, what we make of it and what LLVM does: bytes, or nothing if it is refused.
pub struct Difference<'a> {
    pub text: &'a str,
    pub ours: Option<&'a str>,
    pub llvm: Option<&'a str>,
    /// Why we refuse it.
    pub why: &'a str,
}

type Class = (&'static str, fn(&Difference) -> bool);

/// The classes of disagreement: the words of docs/disagreements.md for each, and how it is told.
const CLASSES: [Class; 5] = [
    ("signs of literals that LLVM prints and does not read", |d| {
        let signs = ["|0x", "neg(0x", "-|lit(", "-lit(", "|lit("];
        let wide = d.text.contains("_f64") && signs.iter().take(2).any(|sign| d.text.contains(sign));
        only_ours(d) && (wide || signs.iter().skip(2).any(|sign| d.text.contains(sign)))
    }),
    ("literals of 16-bit integers above 0xffff", |d| {
        let wide = |part: &str| part.split(')').next().is_some_and(|digits| digits.len() > 4);
        only_ours(d) && d.text.split("lit(0x").skip(1).any(wide)
    }),
    ("lit(…) on V_DOT2ACC_F32_F16", |d| {
        only_ours(d) && d.text.contains("dot2acc_f32_f16") && d.text.contains("lit(")
    }),
    ("OPSEL of V_FMAC_F16", |d| only_ours(d) && d.text.starts_with("v_fmac_f16_e64") && d.text.contains("op_sel:")),
    ("two different literals, one of them as lit(…)", |d| {
        d.ours.is_none() && d.llvm.is_some() && d.text.contains("lit(") && d.why.contains("holds one literal")
    }),
];

fn only_ours(d: &Difference) -> bool {
    d.ours.is_some() && d.llvm.is_none()
}

/// What became of the texts.
#[derive(Default)]
pub struct Texts {
    waiting: [Vec<(String, &'static str)>; 2],
    /// By format: given the same bytes, refused by both, not alike and explained, not explained.
    formats: BTreeMap<&'static str, [usize; 4]>,
    explained: BTreeMap<&'static str, usize>,
    open: BTreeMap<String, (usize, String)>,
}

impl Texts {
    /// Keeps a text of this format until [`ask`](Self::ask).
    pub fn push(&mut self, text: String, format: &'static str, wave: Wave) {
        self.waiting[usize::from(wave == Wave::W64)].push((text, format));
    }

    /// Asks both assemblers about the texts that were kept.
    pub fn ask(&mut self) -> Result<()> {
        for (wave, texts) in [Wave::W32, Wave::W64].into_iter().zip(std::mem::take(&mut self.waiting)) {
            let theirs = assemble(texts.iter().map(|(text, _)| text.as_str()), machine::rdna3(wave))?;
            for ((text, format), llvm) in texts.iter().zip(theirs) {
                let read = Instr::parse(text, wave);
                let why = read.as_ref().err().map(ToString::to_string).unwrap_or_default();
                let ours = read.ok().map(|instr| hex(&instr.encode()));
                let difference = Difference { text, ours: ours.as_deref(), llvm: llvm.as_deref(), why: &why };
                self.add(&difference, format, wave);
            }
        }
        Ok(())
    }

    fn add(&mut self, difference: &Difference, format: &'static str, wave: Wave) {
        let Difference { text, ours, llvm, why } = difference;
        let counts = self.formats.entry(format).or_default();
        if ours == llvm {
            counts[usize::from(ours.is_none())] += 1;
            return;
        }
        if let Some((name, _)) = CLASSES.iter().find(|(_, is)| is(difference)) {
            counts[2] += 1;
            *self.explained.entry(name).or_default() += 1;
            return;
        }
        counts[3] += 1;
        let mnemonic = mnemonics(text).next().unwrap_or("?");
        let open = self.open.entry(mnemonic.into()).or_insert_with(|| {
            let bytes = |of: &Option<&str>| of.unwrap_or("refused").to_string();
            (0, format!("{wave:?} {text}\n        ours: {} {why}\n        LLVM: {}", bytes(ours), bytes(llvm)))
        });
        open.0 += 1;
    }

    /// How many differ without an explanation.
    pub fn unexplained(&self) -> usize {
        self.open.values().map(|(count, _)| count).sum()
    }

    /// Prints it all.
    pub fn print(&self, shown: usize) {
        println!("texts given to both assemblers:");
        println!("{:<10} {:>12} {:>12} {:>12} {:>12}", "format", "same bytes", "both refuse", "explained", "not");
        let mut sum = [0; 4];
        for (format, counts) in &self.formats {
            let [same, refused, explained, open] = counts;
            println!("{format:<10} {same:>12} {refused:>12} {explained:>12} {open:>12}");
            sum.iter_mut().zip(counts).for_each(|(sum, n)| *sum += n);
        }
        let [same, refused, explained, open] = sum;
        println!("{:<10} {same:>12} {refused:>12} {explained:>12} {open:>12}", "all");
        for (name, count) in &self.explained {
            println!("{count:>7} {name}");
        }
        let mut open: Vec<_> = self.open.iter().collect();
        open.sort_by_key(|(_, (count, _))| std::cmp::Reverse(*count));
        for (name, (count, example)) in open.iter().take(shown) {
            println!("{count:>7} {name}, as {example}");
        }
    }
}

//! Our disassembler against LLVM's on words made from the tables and on random ones, and both assemblers on the texts.

use std::collections::BTreeMap;

use anyhow::{Result, bail};
use isa::table::{Isa, MAX_DWORDS};
use isa_tests::vectors::{folded, hex};
use rdna3::{DecodeError, Instr, Rdna3, Wave};

use crate::generate::{Target, Words, space, targets};
use crate::names::{Disagreements, mnemonics};
use crate::oracle::{self, Answer};
use crate::rng::Rng;
use crate::slips::{Difference, class};
use crate::texts::Texts;

/// What to compare.
#[derive(clap::Args)]
pub struct Args {
    /// How many words to try
    #[arg(long, default_value_t = 2_000_000)]
    pub count: usize,
    /// Where the random numbers begin
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// How many words may differ without an explanation
    #[arg(long, default_value_t = 0)]
    pub allow: usize,
    /// Ask the assemblers about one text of so many; 0: about none
    #[arg(long, default_value_t = 1)]
    pub texts: usize,
    /// Only words made from the rows of this format, in the guide's spelling
    #[arg(long)]
    pub format: Option<String>,
}

/// How two answers differ.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    TextDiffers,
    LengthDiffers,
    WeRefuse,
    LlvmRefuses,
}

/// One class of disagreement.
struct Class {
    count: usize,
    example: String,
}

/// What we make of words: the text if there is one, and whether every field is as it should be.
struct Reading {
    text: Option<String>,
    dwords: usize,
    canonical: bool,
    legal: bool,
    format: Option<&'static str>,
    mnemonic: Option<&'static str>,
    error: Option<DecodeError>,
}

impl Reading {
    /// What was wrong, in a few words that many instructions share.
    fn reason(&self) -> String {
        let place = |e: &DecodeError| format!("{} {}", e.format().unwrap_or("-"), e.field().unwrap_or("-"));
        match &self.error {
            None => "we find nothing wrong".into(),
            Some(e @ DecodeError::UnknownForm { .. }) => format!("{}: this tail cannot follow", place(e)),
            Some(e @ DecodeError::InvalidOperand { .. }) => format!("{}: no such code", place(e)),
            Some(e @ DecodeError::NonCanonical { .. }) => format!("{}: non-canonical", place(e)),
            Some(DecodeError::UnknownFormat { .. }) => "no such format".into(),
            Some(e @ DecodeError::UnknownOpcode { .. }) => format!("{}: no such opcode", place(e)),
            Some(e) => e.to_string(),
        }
    }
}

fn read(words: &Words, wave: Wave, buffer: &mut isa::Text) -> Reading {
    let (instr, error) = match Instr::decode(words, wave) {
        Ok((instr, _)) => (Some(instr), None),
        Err(error) => (error.noncanonical(), Some(error)),
    };
    let text = instr.map(|instr| {
        buffer.clear();
        instr.write(wave, buffer);
        folded(buffer.as_str())
    });
    let mnemonic = instr.map(|i| i.opcode().name());
    Reading {
        text,
        dwords: instr.map_or(0, |i| i.len()),
        canonical: error.is_none(),
        legal: instr.is_some_and(|i| i.check(wave).is_ok()),
        format: instr.map(|i| i.format()),
        mnemonic,
        error,
    }
}

fn compare(ours: &Reading, theirs: &Answer) -> Option<Kind> {
    match (&ours.text, theirs) {
        (_, Answer::Crashed) | (None, Answer::Refused) => None,
        // LLVM prints some operands with a remark that they cannot be: that is a refusal in other words.
        (_, Answer::Text { text, .. }) if text.contains("/*") => ours.canonical.then_some(Kind::LlvmRefuses),
        (None, Answer::Text { .. }) => Some(Kind::WeRefuse),
        // What we call non-canonical LLVM may refuse or print.
        (Some(_), Answer::Refused) => ours.canonical.then_some(Kind::LlvmRefuses),
        (Some(ours), Answer::Text { text, .. }) if ours != text => Some(Kind::TextDiffers),
        (Some(_), Answer::Text { dwords, .. }) => (ours.dwords != *dwords).then_some(Kind::LengthDiffers),
    }
}

/// Whether a row is marked as one that LLVM has not.
pub fn llvm_lacks(instr: &Instr) -> bool {
    let formats = Rdna3::formats();
    let Some(format) = formats.get(usize::from(instr.format_index())) else { return false };
    let words = instr.words();
    format.components.iter().any(|c| {
        let number = c.opcode.get(&words);
        let slot = c.slots.iter().find(|s| u32::from(s.number) == number);
        let shape = slot.and_then(|s| c.shapes.get(usize::from(s.shape)));
        shape.is_some_and(|s| s.words & rdna3::words::LLVM_LACKS != 0)
    })
}

/// A word to try: from a row, sometimes with a bit turned over, or wholly random.
fn input(targets: &[Target<Rdna3>], only: bool, wave: Wave, rng: &mut Rng) -> Words {
    if targets.is_empty() || (!only && rng.once_in(4)) {
        return std::array::from_fn(|_| rng.word());
    }
    let target = &targets[rng.below(targets.len())];
    let plain = rng.once_in(4);
    let mut words = target.words(wave, rng, plain);
    for word in words.iter_mut().take(MAX_DWORDS).skip(target.len()) {
        *word = rng.word();
    }
    if rng.once_in(6) {
        let bit = rng.below(32 * target.len());
        words[bit / 32] ^= 1 << (bit % 32);
    }
    words
}

/// What the words came to.
#[derive(Default)]
struct Totals {
    printed: usize,
    odd: usize,
    refused: usize,
    crashed: usize,
    /// What is explained, by what explains it.
    explained: BTreeMap<String, usize>,
    /// What is not, by mnemonic.
    classes: BTreeMap<(Kind, String), Class>,
    /// The same by what we say of it.
    reasons: BTreeMap<(Kind, String), usize>,
    /// By format: printed alike and legal, alike and not legal, non-canonical alike, refused by both, explained, not.
    formats: BTreeMap<&'static str, [usize; 6]>,
    /// The other way.
    texts: Texts,
}

impl Totals {
    /// Adds one word; of the texts on which both agree, one of `every` is kept for the assemblers.
    fn add(
        &mut self,
        (words, wave): (&Words, Wave),
        theirs: &Answer,
        buffer: &mut isa::Text,
        known: &Disagreements,
        every: usize,
    ) {
        let ours = read(words, wave, buffer);
        let format = ours.format.or_else(|| Some(Rdna3::formats().get(space::<Rdna3>(words)?)?.name)).unwrap_or("none");
        let counts = self.formats.entry(format).or_default();
        let Some(kind) = compare(&ours, theirs) else {
            let (counter, column) = match (theirs, &ours.text) {
                (Answer::Crashed, _) => (&mut self.crashed, None),
                (_, None) => (&mut self.refused, Some(3)),
                _ if ours.canonical => (&mut self.printed, Some(usize::from(!ours.legal))),
                _ => (&mut self.odd, Some(2)),
            };
            *counter += 1;
            if let Some(count) = column.and_then(|column| counts.get_mut(column)) {
                *count += 1;
            }
            if let (Some(0 | 1), Some(text)) = (column, ours.text)
                && every != 0
                && self.printed.is_multiple_of(every)
            {
                self.texts.push(text, format, wave);
            }
            return;
        };
        let llvm = theirs.text().unwrap_or_default();
        let text = ours.text.as_deref().unwrap_or(llvm);
        let names: Vec<&str> = mnemonics(text).chain(mnemonics(llvm)).collect();
        let lacking =
            kind == Kind::LlvmRefuses && Instr::decode(words, wave).is_ok_and(|(instr, _)| llvm_lacks(&instr));
        // Besides mnemonics the page may name sources (`src_…`) that the guide and LLVM take differently.
        let sources = llvm.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|n| n.starts_with("src_"));
        let mut named = names.iter().copied().chain(sources).chain(ours.mnemonic);
        let reason = ours.reason();
        let difference = Difference { kind, ours: ours.text.as_deref().unwrap_or_default(), llvm, reason: &reason };
        let explanation = match class(&difference) {
            _ if lacking => Some("llvm_lacks"),
            Some(name) => Some(name),
            None => named.find(|n| known.names(n)),
        };
        if let Some(name) = explanation {
            *self.explained.entry(name.to_lowercase()).or_default() += 1;
            counts[4] += 1;
            return;
        }
        counts[5] += 1;
        *self.reasons.entry((kind, reason)).or_default() += 1;
        let name = names.first().copied().unwrap_or("?").to_string();
        let class = self.classes.entry((kind, name)).or_insert_with(|| Class {
            count: 0,
            example: format!(
                "{wave:?} {}\n        ours: {} {}\n        LLVM: {}",
                hex(words),
                ours.text.as_deref().unwrap_or("refused,"),
                ours.error.map(|e| format!("({e})")).unwrap_or_default(),
                theirs.text().unwrap_or("refused")
            ),
        });
        class.count += 1;
    }
}

/// How many unexplained classes are shown, the largest first.
const SHOWN: usize = 40;

impl Totals {
    fn print(&self, args: &Args) {
        println!("explained by docs/disagreements.md or by the word llvm_lacks:");
        for (name, count) in &self.explained {
            println!("{count:>7} {name}");
        }
        println!("unexplained, by reason:");
        for ((kind, reason), count) in &self.reasons {
            println!("{count:>7} {kind:?} {reason}");
        }
        let mut open: Vec<_> = self.classes.iter().collect();
        open.sort_by_key(|(_, class)| std::cmp::Reverse(class.count));
        println!("unexplained, by mnemonic, {} of {} classes:", open.len().min(SHOWN), open.len());
        for ((kind, name), class) in open.iter().take(SHOWN) {
            println!("{:>7} {kind:?} {name}, as {}", class.count, class.example);
        }
        self.texts.print(SHOWN);
        println!("words:");
        let names = ["legal", "not legal", "non-canon.", "both refuse", "explained", "not"];
        println!("{:<10}{}", "format", names.map(|name| format!(" {name:>11}")).concat());
        for (format, counts) in &self.formats {
            println!("{format:<10}{}", counts.map(|n| format!(" {n:>11}")).concat());
        }
        let Totals { printed, odd, refused, crashed, .. } = self;
        let explained: usize = self.explained.values().sum();
        println!(
            "{} words, seed {}: {printed} print alike, {odd} non-canonical alike, {refused} refused by both, \
             {crashed} crash LLVM, {explained} differ and are explained, {} differ and are not",
            args.count,
            args.seed,
            self.unexplained()
        );
    }

    fn unexplained(&self) -> usize {
        self.reasons.values().sum::<usize>() + self.texts.unexplained()
    }
}

/// How many words LLVM is asked at a time.
const BATCH: usize = 100_000;

/// Prints the classes of disagreement; an error if one of them is not explained.
pub fn run(args: &Args) -> Result<()> {
    let known = Disagreements::read();
    let mut chosen = targets::<Rdna3>();
    if let Some(name) = &args.format {
        chosen.retain(|t| t.format.name.eq_ignore_ascii_case(name));
        if chosen.is_empty() {
            bail!("there is no format {name}");
        }
    }
    let mut rng = Rng::new(args.seed);
    let mut buffer = isa::Text::new();
    let mut totals = Totals::default();
    let mut left = args.count;
    while left > 0 {
        let batch = left.min(BATCH);
        left -= batch;
        let draw = |_| {
            let wave = if rng.once_in(2) { Wave::W32 } else { Wave::W64 };
            (input(&chosen, args.format.is_some(), wave, &mut rng), wave)
        };
        let asked: Vec<(Words, Wave)> = (0..batch).map(draw).collect();
        for ((words, wave), answer) in asked.iter().zip(oracle::ask(&asked)?) {
            totals.add((words, *wave), &answer, &mut buffer, &known, args.texts);
        }
        totals.texts.ask()?;
    }
    totals.print(args);
    let unexplained = totals.unexplained();
    if unexplained > args.allow {
        bail!("{unexplained} words or texts differ from LLVM without an explanation in docs/disagreements.md");
    }
    Ok(())
}

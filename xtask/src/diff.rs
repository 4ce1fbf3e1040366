//! Our disassembler against LLVM's on words made from the tables and on random ones, and both assemblers on the texts.

pub mod built;
mod classes;
mod difference;
#[cfg(test)]
mod page;
mod texts;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use isa::DecodeError;
use isa::tables::MAX_DWORDS;
use isa_tests::sets::{self, WaveSet};
use isa_tests::vectors::{folded, hex, hex_dwords};
use rdna3::Wave;

use crate::generate::{RowVariant, Words, space, targets};
use crate::machine::{self, Generation, Machine};
use crate::names::mnemonics;
use crate::oracle::{self, Answer};
use crate::rng::Rng;
use texts::{Text, Texts};

pub use difference::llvm_lacks;
use difference::{Difference, Kind};

/// The arguments of `cargo xtask diff`.
#[derive(clap::Args)]
pub struct Args {
    /// The instruction set
    #[arg(long, value_enum, default_value_t = Generation::Rdna3)]
    pub set: Generation,
    /// How many words to try
    #[arg(long, default_value_t = 2_000_000)]
    pub count: usize,
    /// Where the random numbers begin
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// How many words may differ without an explanation
    #[arg(long, default_value_t = 0)]
    pub allow: usize,
    /// Ask the assemblers about one text in N; 0: about none
    #[arg(long, default_value_t = 1)]
    pub texts: usize,
    /// Only words made from the rows of this format, in the guide's spelling
    #[arg(long)]
    pub format: Option<String>,
    /// Write every difference to this file: class, mode, words, our text or error, LLVM's text
    #[arg(long, value_name = "FILE")]
    pub list: Option<PathBuf>,
}

impl Args {
    /// A number of words of a set, and a third of the texts.
    pub const fn of(set: Generation, count: usize) -> Self {
        Args { set, count, seed: 1, allow: 0, texts: 3, format: None, list: None }
    }
}

/// Differences without a class.
struct Open {
    count: usize,
    example: String,
}

/// Our reading of words: the text if there is one, and whether they are legal.
struct Reading<S: WaveSet> {
    instr: Option<S::Instr>,
    text: Option<String>,
    legal: bool,
    error: Option<DecodeError<S>>,
}

impl<S: WaveSet> Reading<S> {
    /// Returns the reason of an error in a form that many instructions share.
    fn reason(&self) -> String {
        let place = |e: &DecodeError<S>| format!("{} {}", e.format().unwrap_or("-"), e.field().unwrap_or("-"));
        match &self.error {
            None => "we find nothing wrong".into(),
            Some(e @ DecodeError::UnknownForm { .. }) => format!("{}: this suffix dword cannot follow", place(e)),
            Some(e @ DecodeError::InvalidOperand { .. }) => format!("{}: no such code", place(e)),
            Some(e @ DecodeError::NonCanonical { .. }) => format!("{}: non-canonical", place(e)),
            Some(DecodeError::UnknownFormat { .. }) => "no such format".into(),
            Some(e @ DecodeError::UnknownOpcode { .. }) => format!("{}: no such opcode", place(e)),
            Some(e) => e.to_string(),
        }
    }
}

fn read<S: WaveSet>(words: &Words, wave: Wave, buffer: &mut isa::Text) -> Reading<S> {
    let (instr, error) = match isa::decode::<S>(words, wave) {
        Ok((instr, _)) => (Some(instr), None),
        Err(error) => (error.noncanonical(), Some(error)),
    };
    let text = instr.map(|instr| {
        let (format, words) = S::parts(&instr);
        buffer.clear();
        isa::write_text::<S>(format, words, isa::length::<S>(format, &words) as u8, wave, buffer);
        folded(buffer.as_str())
    });
    Reading { instr, text, legal: instr.is_some_and(|i| S::legal(&i, wave).is_ok()), error }
}

fn compare<S: WaveSet>(ours: &Reading<S>, theirs: &Answer) -> Option<Kind> {
    let canonical = ours.error.is_none();
    let dwords = ours.instr.map_or(0, |i| sets::encode::<S>(&i).len());
    match (&ours.text, theirs) {
        (_, Answer::Crashed) => Some(Kind::Crash),
        (None, Answer::Refused) => None,
        // LLVM prints some operands with a remark that they cannot be: that is a refusal in other words.
        (_, Answer::Text { text, .. }) if text.contains("/*") && canonical => Some(Kind::LlvmRemarks),
        (Some(ours), Answer::Text { text, .. }) if text.contains("/*") => {
            (ours != text && *ours != without_remarks(text)).then_some(Kind::LlvmRemarks)
        }
        (None, Answer::Text { text, .. }) => (!text.contains("/*")).then_some(Kind::WeRefuse),
        // LLVM may print or refuse words that are non-canonical to us.
        (Some(_), Answer::Refused) => canonical.then_some(Kind::LlvmRefuses),
        (Some(ours), Answer::Text { text, .. }) if ours != text => Some(Kind::Text),
        (Some(_), Answer::Text { dwords: theirs, .. }) => (dwords != *theirs).then_some(Kind::Length),
    }
}

/// LLVM's text without its remarks.
fn without_remarks(text: &str) -> String {
    let mut parts = text.split("/*");
    let first = parts.next().unwrap_or_default().to_string();
    parts.fold(first, |all, part| all + part.split_once("*/").map_or("", |(_, behind)| behind))
}

/// Each class of words must still be told by its example; and those of texts.
fn examples<S: WaveSet>(of_words: &[classes::Class], of_texts: &[texts::TextClass]) -> Result<()> {
    let machines = machines::<S>()?;
    let words = |hex: &str| {
        let mut words = Words::default();
        words.iter_mut().zip(hex_dwords(hex)).for_each(|(to, from)| *to = from);
        words
    };
    let mut buffer = isa::Text::new();
    let asked: Vec<_> = of_words.iter().map(|class| (words(class.example.1), class.example.0)).collect();
    for ((class, (words, wave)), answer) in of_words.iter().zip(&asked).zip(ask(&asked, machines)?) {
        let mut totals = Totals::default();
        totals.add::<S>((words, *wave), &answer, &mut buffer, 0)?;
        if totals.explained.get(class.name) != Some(&1) {
            bail!("{} is not an example of the class \"{}\": LLVM says {answer:?}", class.example.1, class.name);
        }
    }
    for class in of_texts {
        let (wave, hex) = class.example;
        let reading = read::<S>(&words(hex), wave, &mut buffer);
        let (Some(instr), Some(text)) = (reading.instr, reading.text) else { bail!("{hex} has no text") };
        let mut texts = Texts::default();
        texts.push(Text::new::<S>(text, &instr, wave, reading.error.is_none()), wave);
        texts.ask(machines)?;
        if texts.count(class) != 1 {
            bail!("the text of {hex} is not an example of the class \"{}\"", class.name);
        }
    }
    Ok(())
}

/// A word to try: from a row, sometimes with a bit turned over, or wholly random.
fn input<S: WaveSet>(targets: &[RowVariant<S>], only: bool, wave: Wave, rng: &mut Rng) -> Words {
    if targets.is_empty() || (!only && rng.once_in(4)) {
        return std::array::from_fn(|_| rng.word());
    }
    let target = &targets[rng.below(targets.len())];
    let plain = rng.once_in(4);
    let mut words = target.words(wave, rng, plain);
    if rng.once_in(3) {
        target.fill_unused(&mut words, wave, rng);
    }
    for word in words.iter_mut().take(MAX_DWORDS).skip(target.len()) {
        *word = rng.word();
    }
    if rng.once_in(6) {
        let bit = rng.below(32 * target.len());
        words[bit / 32] ^= 1 << (bit % 32);
    }
    words
}

/// The column of a format's counts that words belong to.
#[derive(Clone, Copy)]
enum Column {
    Legal,
    NotLegal,
    NonCanonical,
    LlvmRefuses,
    BothRefuse,
    Explained,
    Open,
}

/// The columns' heads.
const COLUMNS: [&str; 7] = ["legal", "not legal", "non-canon.", "LLVM not", "both refuse", "explained", "not"];

/// The results of all words.
#[derive(Default)]
struct Totals {
    /// The number of explained differences of each class.
    explained: BTreeMap<&'static str, usize>,
    /// The unexplained differences of each mnemonic.
    open: BTreeMap<(Kind, String), Open>,
    /// The unexplained differences by our reason.
    reasons: BTreeMap<(Kind, String), usize>,
    formats: BTreeMap<&'static str, [usize; COLUMNS.len()]>,
    /// The other way.
    texts: Texts,
    /// How many texts there were that the assemblers could be asked about.
    printed: usize,
    /// Where all differences go, if they are asked for.
    list: Option<BufWriter<File>>,
}

impl Totals {
    /// Adds one word; of the texts on which both agree, one of `every` is kept for the assemblers.
    fn add<S: WaveSet>(
        &mut self,
        (words, wave): (&Words, Wave),
        theirs: &Answer,
        buffer: &mut isa::Text,
        every: usize,
    ) -> Result<()> {
        let ours = read::<S>(words, wave, buffer);
        let named = ours.instr.map(|i| sets::format::<S>(&i));
        let format = named.or_else(|| Some(S::tables().formats.get(space::<S>(words)?)?.name)).unwrap_or("none");
        let column = match compare(&ours, theirs) {
            Some(kind) => {
                let llvm = theirs.text().unwrap_or_default();
                let texts = (ours.text.as_deref().unwrap_or_default(), llvm);
                let difference = Difference::new::<S>(kind, (words, wave), ours.instr, ours.error, texts);
                self.differ(&difference, &ours.reason())?
            }
            None if ours.instr.is_none() => Column::BothRefuse,
            None if ours.error.is_none() && ours.legal => Column::Legal,
            None if ours.error.is_none() => Column::NotLegal,
            None if theirs.text().is_none_or(|text| text.contains("/*")) => Column::LlvmRefuses,
            None => Column::NonCanonical,
        };
        self.formats.entry(format).or_default()[column as usize] += 1;
        if matches!(column, Column::Legal | Column::NotLegal | Column::NonCanonical) {
            self.printed += 1;
            if let (Some(instr), Some(text)) = (ours.instr, ours.text)
                && every != 0
                && self.printed.is_multiple_of(every)
            {
                // Both assemblers write what is usual in unused fields.
                let instr = sets::usual::<S>(&instr);
                self.texts.push(Text::new::<S>(text, &instr, wave, ours.error.is_none()), wave);
            }
        }
        Ok(())
    }

    /// Adds a difference.
    fn differ(&mut self, difference: &Difference, reason: &str) -> Result<Column> {
        let Difference { kind, words, wave, ours, llvm, .. } = difference;
        let class = classes::class(difference);
        if let Some(list) = &mut self.list {
            let class = class.map_or("-", |class| class.name);
            writeln!(list, "{class}\t{}\t{reason}\t{wave:?}\t{}\t{ours}\t{llvm}", kind.text(), hex(words))?;
        }
        if let Some(class) = class {
            *self.explained.entry(class.name).or_default() += 1;
            return Ok(Column::Explained);
        }
        *self.reasons.entry((*kind, reason.into())).or_default() += 1;
        let name = mnemonics(if ours.is_empty() { llvm } else { ours }).next().unwrap_or("?").to_string();
        let example = || format!("{wave:?} {}\n        ours: {ours} ({reason})\n        LLVM: {llvm}", hex(words));
        let open = self.open.entry((*kind, name)).or_insert_with(|| Open { count: 0, example: example() });
        open.count += 1;
        Ok(Column::Open)
    }
}

/// How many unexplained differences are shown, the most frequent first.
const SHOWN: usize = 40;

impl Totals {
    fn print(&self, args: &Args) {
        println!("classes of docs/reference/disagreements.md:");
        for class in classes::CLASSES.iter().chain(&classes::RDNA4) {
            let count = self.explained.get(class.name).copied().unwrap_or(0);
            println!("{count:>7} {} ({}): {}", class.name, class.kind.text(), class.what);
        }
        println!("without a class, by reason:");
        for ((kind, reason), count) in &self.reasons {
            println!("{count:>7} {}: {reason}", kind.text());
        }
        let mut open: Vec<_> = self.open.iter().collect();
        open.sort_by_key(|(_, open)| std::cmp::Reverse(open.count));
        println!("without a class, by mnemonic, {} of {}:", open.len().min(SHOWN), open.len());
        for ((kind, name), open) in open.iter().take(SHOWN) {
            println!("{:>7} {} {name}, as {}", open.count, kind.text(), open.example);
        }
        self.texts.print(SHOWN);
        println!("words:");
        println!("{:<10}{}", "format", COLUMNS.map(|name| format!(" {name:>11}")).concat());
        let mut sums = [0; COLUMNS.len()];
        for (format, counts) in &self.formats {
            println!("{format:<10}{}", counts.map(|n| format!(" {n:>11}")).concat());
            sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
        println!("{:<10}{}", "all", sums.map(|n| format!(" {n:>11}")).concat());
        let sum = |column: Column| sums[column as usize];
        println!(
            "{} words, seed {}: {} print alike, {} non-canonical alike, {} non-canonical and refused by LLVM, {} refused \
             by both, {} differ and are of a class, {} differ and are of none",
            args.count,
            args.seed,
            sum(Column::Legal) + sum(Column::NotLegal),
            sum(Column::NonCanonical),
            sum(Column::LlvmRefuses),
            sum(Column::BothRefuse),
            sum(Column::Explained),
            sum(Column::Open),
        );
    }

    fn unexplained(&self) -> usize {
        self.reasons.values().sum::<usize>() + self.texts.unexplained()
    }
}

/// How many words LLVM is asked at a time.
const BATCH: usize = 100_000;

/// LLVM's processor for each wave size.
fn machines<S: WaveSet>() -> Result<[&'static Machine; 2]> {
    Ok([machine::of::<S>("wave32")?, machine::of::<S>("wave64")?])
}

/// Asks LLVM about words.
fn ask(words: &[(Words, Wave)], machines: [&'static Machine; 2]) -> Result<Vec<Answer>> {
    let words: Vec<_> = words.iter().map(|(w, wave)| (*w, machines[usize::from(*wave == Wave::W64)])).collect();
    oracle::ask_of(&words)
}

/// Prints how many differences each class has; an error if one is of none.
pub fn run(args: &Args) -> Result<()> {
    match args.set {
        Generation::Rdna3 => {
            examples::<rdna3::Rdna3>(&classes::CLASSES, &texts::CLASSES)?;
            run_of::<rdna3::Rdna3>(args)
        }
        Generation::Rdna4 => {
            examples::<rdna4::Rdna4>(&classes::RDNA4, &texts::RDNA4)?;
            run_of::<rdna4::Rdna4>(args)
        }
    }
}

fn run_of<S: WaveSet>(args: &Args) -> Result<()> {
    let machines = machines::<S>()?;
    let mut chosen = targets::<S>();
    if let Some(name) = &args.format {
        chosen.retain(|t| t.format.name.eq_ignore_ascii_case(name));
        if chosen.is_empty() {
            bail!("there is no format {name}");
        }
    }
    let mut rng = Rng::new(args.seed);
    let mut buffer = isa::Text::new();
    let list = args.list.as_ref().map(|path| {
        File::create(path).map(BufWriter::new).with_context(|| format!("{} cannot be written", path.display()))
    });
    let mut totals = Totals { list: list.transpose()?, ..Totals::default() };
    let mut left = args.count;
    while left > 0 {
        let batch = left.min(BATCH);
        left -= batch;
        let draw = |_| {
            let wave = if rng.once_in(2) { Wave::W32 } else { Wave::W64 };
            (input(&chosen, args.format.is_some(), wave, &mut rng), wave)
        };
        let asked: Vec<(Words, Wave)> = (0..batch).map(draw).collect();
        for ((words, wave), answer) in asked.iter().zip(ask(&asked, machines)?) {
            totals.add::<S>((words, *wave), &answer, &mut buffer, args.texts)?;
        }
        totals.texts.ask(machines)?;
    }
    totals.print(args);
    let unexplained = totals.unexplained();
    if unexplained > args.allow {
        bail!(
            "{unexplained} words or texts differ from LLVM in a way that docs/reference/disagreements.md has no class for"
        );
    }
    Ok(())
}

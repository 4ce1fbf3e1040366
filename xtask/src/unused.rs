//! `cargo xtask unused`: words with anything in the fields that an instruction does not use. Each of them has to decode to the text
//! that LLVM prints, and its canonical words are those of the instruction that it was made from. The other way, where a row says
//! that a field without an operand is reserved, LLVM refuses other values, but for signs of integers, some of which it ignores.

use std::collections::BTreeMap;

use anyhow::{Result, bail};
use isa::{DecodeError, UnusedFields};
use isa_tests::sets::{self, Set};
use isa_tests::vectors::{folded, hex};

use crate::generate::{RowVariant, Words, targets};
use crate::machine::{self, Machine};
use crate::oracle::{self, Answer};
use crate::rng::Rng;

/// The arguments of `cargo xtask unused`.
#[derive(clap::Args)]
pub struct Args {
    /// How many instructions of each encoding variant
    #[arg(long, default_value_t = 8)]
    pub count: usize,
    /// Where the random numbers begin
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

/// Words to ask LLVM about.
struct Case {
    words: Words,
    machine: &'static Machine,
    mnemonic: &'static str,
    expects: Expects,
}

/// What LLVM has to say about words.
enum Expects {
    /// The text that it prints of the instruction without its unused fields, which is this one to us.
    Text(String),
    /// The same, where the words themselves are those without unused fields.
    Itself(String),
    /// It refuses the words, since this field is reserved, or ignores the field and prints this text: the guide says that signs of
    /// integers are undefined.
    Reserved(&'static str, String),
}

/// Compares the sets that LLVM disassembles.
pub fn run(args: &Args) -> Result<()> {
    let mut failures = 0;
    failures += compare::<rdna3::Rdna3>(args)?;
    failures += compare::<rdna3_5::Rdna3_5>(args)?;
    failures += compare::<rdna4::Rdna4>(args)?;
    failures += compare::<gcn::gcn1_2::Gcn1_2>(args)?;
    failures += compare::<gcn::gcn1_4::Gcn1_4>(args)?;
    if failures > 0 {
        bail!("{failures} words differ from LLVM");
    }
    Ok(())
}

fn compare<S: Set>(args: &Args) -> Result<usize> {
    let mut rng = Rng::new(args.seed);
    let mut cases = Vec::new();
    for (column, mode) in S::MODES {
        let machine = machine::of::<S>(column)?;
        for target in targets::<S>() {
            for nth in 0..args.count {
                add_cases::<S>(&mut cases, &target, (*mode, machine), nth == 0, &mut rng)?;
            }
        }
    }
    let asked: Vec<_> = cases.iter().map(|case| (case.words, case.machine)).collect();
    let mut counts = [0; 3];
    let mut failures: BTreeMap<&str, (usize, String)> = BTreeMap::new();
    // Instructions on which we and LLVM differ anyway do not count.
    let mut is_known = false;
    let mut misread = 0;
    for (case, answer) in cases.iter().zip(oracle::ask_of(&asked)?) {
        // LLVM's disassembler of gfx12 reads an instruction of other processors in some words of VIMAGE.
        if answer.text().is_some_and(|text| text.starts_with("v_fma_mix")) && !case.mnemonic.starts_with("V_FMA_MIX") {
            misread += 1;
            is_known &= !matches!(case.expects, Expects::Itself(_));
            continue;
        }
        let is_right = match &case.expects {
            Expects::Itself(text) => {
                is_known = answer.text() == Some(text);
                counts[0] += usize::from(is_known);
                continue;
            }
            _ if !is_known => continue,
            Expects::Text(text) => {
                counts[1] += 1;
                answer.text() == Some(text)
            }
            Expects::Reserved(_, text) => {
                counts[2] += usize::from(answer == Answer::Refused);
                answer == Answer::Refused || answer.text() == Some(text)
            }
        };
        if !is_right {
            let what = match &case.expects {
                Expects::Reserved(field, _) => format!("{field} is reserved"),
                Expects::Text(text) | Expects::Itself(text) => text.clone(),
            };
            let llvm = answer.text().unwrap_or("refused");
            let example = || format!("{} {}: {what}; LLVM: {llvm}", case.machine.name, hex(&case.words));
            failures.entry(case.mnemonic).or_insert_with(|| (0, example())).0 += 1;
        }
    }
    let set = S::generation().unwrap_or(S::VECTORS);
    let [base, unused, reserved] = counts;
    println!("{set}: {base} instructions, {unused} with other unused fields print alike but {}", failures.len());
    println!("{set}: {reserved} words with a reserved field that LLVM refuses");
    if misread > 0 {
        println!("{set}: {misread} words left out, in which LLVM reads v_fma_mix (docs/reference/disagreements.md)");
    }
    for (mnemonic, (count, example)) in &failures {
        println!("{count:>7} {mnemonic}, as {example}");
    }
    Ok(failures.values().map(|(count, _)| count).sum())
}

/// Adds an instruction, the same with anything in the fields that it does not use, and the same with a bit in each reserved field
/// that belongs to an operand or a modifier of other rows.
fn add_cases<S: Set>(
    cases: &mut Vec<Case>,
    target: &RowVariant<S>,
    (mode, machine): (S::Mode, &'static Machine),
    plain: bool,
    rng: &mut Rng,
) -> Result<()> {
    let mnemonic = S::tables().mnemonics.get(usize::from(target.slot.opcode)).copied().unwrap_or_default();
    let words = target.words(mode, rng, plain);
    let Ok((instr, _)) = isa::decode::<S>(&words[..target.len()], mode) else { return Ok(()) };
    let (format, words) = S::parts(&instr);
    let text = folded(&sets::text::<S>(&instr, mode));
    let usual = isa::with_unused_fields::<S>(format, &words, UnusedFields::Usual);
    cases.push(Case { words: usual, machine, mnemonic, expects: Expects::Itself(text.clone()) });
    for random in 0..2 {
        let mut other = words;
        if random == 1 {
            target.fill_unused(&mut other, mode, rng);
        } else {
            other = isa::with_unused_fields::<S>(format, &words, UnusedFields::Newer);
        }
        let decoded = match isa::decode::<S>(&other[..target.len()], mode) {
            Ok((decoded, _)) => decoded,
            Err(error) => bail!("{} {}: {text}: {error}", machine.name, hex(&other)),
        };
        let (ours, back) = (folded(&sets::text::<S>(&decoded, mode)), S::parts(&decoded).1);
        if ours != text || back != other {
            bail!("{} {}: {ours} is not {text}", machine.name, hex(&other));
        }
        if isa::with_unused_fields::<S>(format, &other, UnusedFields::Usual) != usual {
            bail!("{} {}: {text}: the unused fields are not those of {}", machine.name, hex(&other), hex(&usual));
        }
        cases.push(Case { words: other, machine, mnemonic, expects: Expects::Text(text.clone()) });
    }
    let carriers = target.format.components.iter().flat_map(|component| component.carriers);
    for (nth, field) in target.format.fields.iter().enumerate() {
        let is_present = field.suffix_dword == 0 || usize::from(field.suffix_dword) == target.suffix_dword;
        if !is_present || !carriers.clone().any(|carrier| usize::from(carrier.field) == nth) {
            continue;
        }
        let mut other = usual;
        field.bits.set(&mut other, field.bits.get(&usual) ^ 1 << rng.below(field.bits.width() as usize));
        match isa::decode::<S>(&other[..target.len()], mode) {
            Err(DecodeError::NonCanonical { .. }) if target.requires(field) => {
                let expects = Expects::Reserved(field.name, text.clone());
                cases.push(Case { words: other, machine, mnemonic, expects });
            }
            Ok(_) if target.requires(field) => bail!("{} {}: decoded", machine.name, hex(&other)),
            _ => {}
        }
    }
    Ok(())
}

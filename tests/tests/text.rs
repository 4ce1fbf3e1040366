//! Text that is printed reads back to the same words, outside the classes that [`class`] names.

use std::collections::BTreeMap;

use isa_tests::vectors::{Line, golden, shared_decode};
use rdna3::isa::{Fault, Options, ParseError};
use rdna3::{File, Instr, Rule, Value, Wave};

/// Reads the text of an instruction again, strictly if it is legal.
fn again(instr: &Instr, wave: Wave) -> (String, Result<Instr, ParseError>) {
    let text = instr.display(wave).to_string();
    let options = Options { mode: wave, lenient: instr.check(wave).is_err() };
    let back = Instr::parse(&text, options);
    (text, back)
}

/// Whether an operand goes past the last vector register.
fn beyond(operand: rdna3::OperandInfo) -> bool {
    let past = |first: u8, count: u8| u16::from(first) + u16::from(count) > 256;
    match operand.value {
        Value::Registers(r) => r.file == File::Vgpr && past(r.first, r.count),
        Value::Scattered { first, count, .. } => first.into_iter().zip(count).any(|(first, count)| past(first, count)),
        _ => false,
    }
}

/// What the text leads to if no rule between operands is held.
fn lenient(instr: &Instr, wave: Wave) -> Option<Instr> {
    let text = instr.display(wave).to_string();
    let back = Instr::parse(&text, Options { mode: wave, lenient: true }).ok();
    back.filter(|back| back.opcodes() == instr.opcodes())
}

/// The class of instructions whose text does not lead back to them, if this is one of those.
fn class(instr: &Instr, wave: Wave, back: &Result<Instr, ParseError>) -> Option<&'static str> {
    let constants = |o: rdna3::OperandInfo| matches!(o.value, Value::Literal(_) | Value::Float(_));
    match back {
        // Text cannot name a register that is not there.
        Err(_) if instr.operands(wave).any(beyond) => Some("registers past v255"),
        Err(_) if instr.check(wave).is_err_and(|v| v.rule == Rule::DppSource) => Some("scalars beside DPP"),
        // Decoding takes any sizes, as LLVM's does; no assembler does.
        Err(e) if instr.format() == "MIMG" && matches!(e.fault, Fault::Rule(_)) => {
            Some("sizes that no image access has")
        }
        // A 16-bit operand reads half of a literal, and inline constants have the bits that a literal can hold too.
        // LLVM writes the VOP3 form of some rows as the short one.
        Ok(other) if other.opcodes() == instr.opcodes() && other.format() != instr.format() => {
            let told = instr.display(wave).to_string().contains("_e64");
            (!told).then_some("long forms without a suffix")
        }
        Ok(other) if other.opcodes() == instr.opcodes() => {
            instr.operands(wave).any(constants).then_some("constants with several encodings")
        }
        // What comes back as a literal may be one scalar too many.
        Err(_) if instr.operands(wave).any(constants) && lenient(instr, wave).is_some() => {
            Some("constants with several encodings")
        }
        Err(_) if instr.display(wave).to_string().contains("-lit(") => Some("negated literals that could be inline"),
        Err(e) if matches!(e.fault, Fault::Rule(_)) && instr.operands(wave).any(constants) => {
            Some("constants that text cannot hold")
        }
        _ => None,
    }
}

/// What goes wrong when the text of an instruction is read again, if anything does.
fn fault(instr: &Instr, wave: Wave) -> Option<String> {
    let (text, back) = again(instr, wave);
    if back == Ok(*instr) || class(instr, wave, &back).is_some() {
        return None;
    }
    Some(match back {
        Ok(other) => format!("{text}: comes back as {:08x?} from {:08x?}", &*other.encode(), &*instr.encode()),
        Err(error) => format!("{text}: {error} (at {})", error.start),
    })
}

fn all_read_back(lines: &[Line]) {
    let mut faults = Vec::new();
    for line in lines.iter().filter(|line| line.canonical) {
        let Ok((instr, _)) = Instr::decode(&line.words(), line.mode()) else { continue };
        faults.extend(fault(&instr, line.mode()));
    }
    let shown: String = faults.iter().take(20).map(|f| format!("\n{f}")).collect();
    assert!(faults.is_empty(), "{} of {} texts do not read back:{shown}", faults.len(), lines.len());
}

#[test]
fn golden_texts_read_back() {
    all_read_back(&golden().unwrap());
}

#[test]
fn shared_texts_read_back() {
    if let Some(lines) = shared_decode().unwrap() {
        all_read_back(&lines);
    }
}

/// A small generator of numbers (xorshift), so that the sample is the same in every run.
struct Sample(u64);

impl Sample {
    fn word(&mut self) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as u32
    }
}

/// How many words are made from the golden ones by turning bits over.
const SAMPLES: usize = 400_000;

#[test]
fn sampled_texts_read_back() {
    let lines = golden().unwrap();
    let mut sample = Sample(0x9e37_79b9_7f4a_7c15);
    let mut classes: BTreeMap<String, (usize, String)> = BTreeMap::new();
    let (mut tried, mut faults) = (0, 0);
    for _ in 0..SAMPLES {
        let line = &lines[sample.word() as usize % lines.len()];
        let mut words = [0, 0, sample.word()];
        for (to, from) in words.iter_mut().zip(line.words()) {
            *to = from;
        }
        for _ in 0..sample.word() % 6 {
            let bit = sample.word() as usize % 96;
            words[bit / 32] ^= 1 << (bit % 32);
        }
        let wave = line.mode();
        let Ok((instr, _)) = Instr::decode(&words, wave) else { continue };
        tried += 1;
        if let Some(fault) = fault(&instr, wave) {
            faults += 1;
            classes.entry(instr.format().to_string()).or_insert((0, fault)).0 += 1;
        }
    }
    let shown: String = classes.iter().map(|(class, (n, example))| format!("\n{n} {class}: {example}")).collect();
    assert!(faults == 0, "{faults} of {tried} texts do not read back:{shown}");
}

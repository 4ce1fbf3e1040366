//! Text that is printed reads back to the same words, strictly if the instruction is legal but for rules that only the
//! guide has. The exceptions are classes of text, which [`Class`] names; of no class is there an instruction that the
//! assembler's rules forbid and strict reading takes.

use std::collections::BTreeMap;

use isa_tests::vectors::{Line, golden, shared_decode};
use rdna3::isa::{Class as TypeClass, Options, ParseError};
use rdna3::{Authority, Instr, OperandInfo, Rule, Value, Wave};

/// Whether LLVM's assembler would refuse it, by our account.
fn forbidden(instr: &Instr, wave: Wave) -> Option<Rule> {
    instr.check(wave).err().map(|v| v.rule).filter(|rule| rule.authority() != Authority::Guide)
}

/// Reads the text of an instruction again, strictly if it is legal.
fn again(instr: &Instr, wave: Wave) -> (String, Result<Instr, ParseError>) {
    let text = instr.display(wave).to_string();
    let options = Options { mode: wave, lenient: forbidden(instr, wave).is_some() };
    let back = Instr::parse(&text, options);
    (text, back)
}

/// Why text does not lead back to the instruction that it was made of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Class {
    /// The instruction breaks a rule about registers that are not there or sizes that text has to state.
    Unwritable,
    /// A literal holds what an inline constant stands for, or the sign of a 16-bit integer, and text has the number; or
    /// text that an inline constant has in both halves of V_PK_FMAC_F16 is the literal's.
    Constant,
    /// A 16-bit integer that is an inline float is written as its bits, which would be a literal.
    InlineFloat,
    /// LLVM writes the long form of some rows as the short one.
    LongForm,
}

fn is_half_integer(o: &OperandInfo) -> bool {
    o.ty.total_bits() == 16 && !o.ty.is_float() && o.ty.class() != TypeClass::BFloat
}

/// The class of a text that does not lead back, if it is of one.
fn class(instr: &Instr, wave: Wave, back: &Result<Instr, ParseError>) -> Option<Class> {
    let inline_float = |o: OperandInfo| matches!(o.value, Value::Float(_)) && is_half_integer(&o);
    let constant = |o: OperandInfo| match o.value {
        Value::Literal(_) => true,
        Value::Float(_) => instr.format() == "VOP2" && o.ty.lanes() == 2,
        _ => false,
    };
    match (forbidden(instr, wave), back) {
        (Some(Rule::VgprRange | Rule::DppSource | Rule::HalfLiteral | Rule::GatherMask | Rule::AtomicMask), _)
        | (Some(Rule::ImageData | Rule::ImageAddress), _) => Some(Class::Unwritable),
        (_, Ok(other)) if other.opcodes() != instr.opcodes() => None,
        (_, Ok(other)) if other.format() != instr.format() => {
            let told = instr.display(wave).to_string().contains("_e64");
            (!told).then_some(Class::LongForm)
        }
        _ if instr.operands(wave).any(inline_float) => Some(Class::InlineFloat),
        (_, Ok(_)) if instr.operands(wave).any(constant) => Some(Class::Constant),
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

//! Text that is printed reads back to the same words, outside the classes that `isa_tests::read_back` names.

use std::collections::BTreeMap;

use isa_tests::read_back::read_back;
use isa_tests::vectors::{Line, golden, shared_decode};
use rdna3::isa::Text;
use rdna3::{Instr, Wave};

/// What goes wrong when the text of an instruction is read again, if anything does.
fn fault(instr: &Instr, wave: Wave) -> Option<String> {
    read_back(instr, wave, &mut Text::new()).err()
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

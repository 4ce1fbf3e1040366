//! Operand-level instructions with random operands and modifiers, and both assemblers on their text.
//!
//! An instruction that encodes, by the rules that text obeys, has a text that LLVM assembles to the same words. One that breaks such a
//! rule has none: LLVM refuses its text, or reads another instruction.

use std::collections::BTreeMap;

use anyhow::{Result, bail};
use isa::inst::{File, Inst, OpKind, Reg, RegHalf, lift};
use isa::{Isa, Op};
use isa_tests::sets::{self, WaveSet};
use isa_tests::vectors::{Line, folded, golden_of, hex};
use rdna3::Wave;

use super::texts::{Text, Texts};
use super::{SHOWN, difference::llvm_lacks, machines};
use crate::machine::Machine;
use crate::names::mnemonics;
use crate::rng::Rng;

/// The golden lines that are taken at a time.
const BATCH: usize = 1000;

/// Numbers of registers at the borders of classes.
const REGISTERS: [u32; 12] = [0, 1, 2, 3, 4, 100, 104, 105, 127, 128, 254, 255];
/// Integers at the borders of inline constants and of fields.
const INTEGERS: [i64; 14] = [-0x8000, -17, -16, -1, 0, 1, 64, 65, 0x7f, 0xff, 0x7fff, 0x8000, 0xffff, 0xffff_ffff];
/// Inline constants that are floats, and others.
const FLOATS: [f64; 8] = [0.5, -0.5, 1.0, -4.0, 0.15915494309189532, -0.0, 1.5, 65536.0];

/// Builds instructions from each golden line and asks both assemblers about them.
///
/// # Errors
/// LLVM cannot be asked, or a text differs without an explanation.
pub fn run(rounds: usize, seed: u64) -> Result<()> {
    let open = [
        run_of::<rdna3::Rdna3>("gfx1100", rounds, seed)?,
        run_of::<rdna3_5::Rdna3_5>("gfx1151", rounds, seed)?,
        run_of::<rdna4::Rdna4>("gfx1200", rounds, seed)?,
    ];
    match open.iter().sum::<usize>() {
        0 => Ok(()),
        open => bail!("{open} built instructions differ from LLVM's without a class in xtask/src/diff/texts.rs"),
    }
}

/// An instruction that was built.
struct Built<S: WaveSet> {
    instr: S::Instr,
    wave: Wave,
    /// Whether it obeys the rules that text obeys.
    is_legal: bool,
}

/// Builds instructions from a golden line. Returns those that encode, and how many do not.
fn built<S: WaveSet>(line: &Line, rounds: usize, rng: &mut Rng) -> (Vec<Built<S>>, usize) {
    let (wave, mut out) = (line.mode(), Vec::new());
    let decoded = isa::decode::<S>(&line.words(), wave).ok();
    let Some(lifted) = decoded.and_then(|(instr, len)| lift::<S>(&instr, len as u8, wave).ok()) else {
        return (out, 0);
    };
    for _ in 0..rounds {
        let inst = altered::<S>(lifted, rng);
        let checked = inst.encode(wave);
        let Ok(instr) = checked.or_else(|_| inst.encode_unchecked(wave)) else { continue };
        out.push(Built { instr, wave, is_legal: checked.is_ok() });
    }
    let refused = rounds - out.len();
    out.retain(|built| !llvm_lacks::<S>(&built.instr));
    (out, refused)
}

/// Returns lines of instructions with random operands whose text leads back to them.
///
/// # Errors
/// The golden lines cannot be read.
pub fn lines<S: WaveSet>(rounds: usize, seed: u64) -> Result<Vec<Line>> {
    let (mut rng, mut buffer, mut out) = (Rng::new(seed), isa::Text::new(), Vec::new());
    for line in golden_of::<S>()? {
        for Built { instr, wave, is_legal } in built::<S>(&line, rounds, &mut rng).0 {
            if is_legal && sets::read_back::<S>(&instr, wave, &mut buffer) == Ok(None) {
                let (hex, text) = (hex(&sets::encode::<S>(&instr)), folded(buffer.as_str()));
                out.push(Line { wave: line.wave.clone(), hex, text, canonical: true });
            }
        }
    }
    Ok(out)
}

/// Returns how many instructions differ without an explanation.
fn run_of<S: WaveSet>(cpu: &'static str, rounds: usize, seed: u64) -> Result<usize> {
    let machines = machines::<S>()?.map(|machine| Machine { cpu, ..*machine });
    let (mut rng, mut buffer) = (Rng::named(seed, [cpu]), isa::Text::new());
    let (mut texts, mut legal, mut illegal, mut refused) = (Texts::default(), 0, 0, 0);
    let mut classes: BTreeMap<&'static str, usize> = BTreeMap::new();
    let mut unread: BTreeMap<String, (usize, String)> = BTreeMap::new();
    for lines in golden_of::<S>()?.chunks(BATCH) {
        for line in lines {
            let (all, without_encoding) = built::<S>(line, rounds, &mut rng);
            refused += without_encoding;
            for Built { instr, wave, is_legal } in all {
                let back = sets::read_back::<S>(&instr, wave, &mut buffer);
                let text = folded(buffer.as_str());
                *(if is_legal { &mut legal } else { &mut illegal }) += 1;
                match back {
                    Err(error) if is_legal => {
                        let mnemonic = mnemonics(&text).next().unwrap_or("?").to_string();
                        unread.entry(mnemonic).or_insert((0, error)).0 += 1;
                    }
                    Ok(Some(class)) if is_legal => *classes.entry(class).or_default() += 1,
                    _ => {}
                }
                texts.push(Text::new::<S>(text, &instr, wave, is_legal), wave);
            }
        }
        texts.ask(machines.each_ref())?;
    }
    println!("{cpu}, seed {seed}: {legal} instructions are legal, {illegal} break a rule, {refused} have no encoding");
    for (class, count) in &classes {
        println!("{count:>7} have a text that does not lead back: {class}");
    }
    for (mnemonic, (count, example)) in unread.iter().take(SHOWN) {
        println!("{count:>7} our parser does not read back: {mnemonic}, as {example}");
    }
    texts.print(SHOWN);
    Ok(texts.unexplained() + unread.values().map(|(count, _)| count).sum::<usize>())
}

/// Returns the instruction with some other operands and modifiers, half of the time free to take any encoding.
fn altered<S: Isa>(mut inst: Inst<S>, rng: &mut Rng) -> Inst<S> {
    if rng.once_in(2) {
        inst = inst.shortest();
    }
    let rare = 1 + rng.below(4);
    for op in inst.ops_mut() {
        if rng.once_in(rare) {
            *op = operand(*op, rng);
        }
    }
    for modifier in S::inst_tables().modifiers {
        if rng.once_in(6) {
            let bits = rng.below(25);
            let value = match rng.below(3) {
                0 => u32::MAX >> (31 - bits),
                1 => 1 << bits,
                _ => rng.word() >> (31 - bits),
            };
            inst = inst.try_with(*modifier, value).unwrap_or(inst);
        }
    }
    inst
}

/// Returns an operand that resembles a given one more often than not.
fn operand(op: Op, rng: &mut Rng) -> Op {
    let number = if rng.once_in(2) { REGISTERS[rng.below(REGISTERS.len())] } else { rng.below(256) as u32 };
    match (op.kind(), rng.below(16)) {
        (_, 0) => Op::OFF,
        (_, 1) => Op::int(INTEGERS[rng.below(INTEGERS.len())]),
        (_, 2) => Op::int(i64::from(rng.word() as i32 >> rng.below(32))),
        (_, 3) => Op::float(FLOATS[rng.below(FLOATS.len())]),
        (_, 4) => Op::from(f32::from_bits(rng.word() & 0xffff_e000)),
        (_, 5) => Op::int(INTEGERS[rng.below(INTEGERS.len())]).literal(),
        (OpKind::Reg(reg), 6) => op.with_reg(Reg { count: 1 + rng.below(8) as u8, number, ..reg }),
        (OpKind::Reg(reg), 7) => {
            let file = File(rng.below(10) as u8);
            op.with_reg(Reg { file, number: if rng.once_in(2) { 0 } else { number }, half: None, ..reg })
        }
        (OpKind::Reg(reg), 8) => {
            op.with_reg(Reg { half: [None, Some(RegHalf::Low), Some(RegHalf::High)][rng.below(3)], ..reg })
        }
        (_, 9) => op.neg(),
        (_, 10) => op.abs(),
        (OpKind::Reg(reg), 11) => op.with_reg(Reg { number: number & !1, ..reg }),
        (OpKind::Reg(reg), 12) => op.with_reg(Reg { number: number & !3, ..reg }),
        (OpKind::Reg(reg), _) => op.with_reg(Reg { number, ..reg }),
        (OpKind::Constant(_), _) => Op::int(INTEGERS[rng.below(INTEGERS.len())]),
        _ => op,
    }
}

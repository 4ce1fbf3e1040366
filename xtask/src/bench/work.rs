//! The measured tasks: each is a loop over the input that the optimizer cannot remove.

use std::cell::RefCell;
use std::fmt::Write;
use std::hint::black_box;

use rdna3::{DecodeError, Decoder, Inst, Instr};

use super::WAVE;

/// The input of the tasks.
pub struct Input<'a> {
    /// Machine code.
    pub bytes: &'a [u8],
    /// The same as dwords.
    words: Vec<u32>,
    /// The instructions that it decodes to.
    pub instrs: Vec<Instr>,
    /// Words that do not.
    pub errors: usize,
    /// The same, operand-level.
    insts: Vec<Inst>,
    /// The text of the first instructions.
    pub lines: Vec<String>,
    /// Room that is used again in each round.
    room: RefCell<Vec<Instr>>,
}

/// How many lines are assembled at most: llvm-mc takes its time.
const MOST_LINES: usize = 100_000;

impl<'a> Input<'a> {
    /// Machine code, and with `lines` its text.
    pub fn new(bytes: &'a [u8], lines: bool) -> Self {
        let mut errors = 0;
        let decoded = Decoder::new(bytes, WAVE).filter_map(|item| match item.result {
            Ok(instr) | Err(DecodeError::NonCanonical { instr, .. }) => Some(instr),
            Err(_) => {
                errors += 1;
                None
            }
        });
        let instrs: Vec<Instr> = decoded.collect();
        let keep_insts = lines;
        let taken = instrs.iter().take(if lines { MOST_LINES } else { 0 });
        let lines = taken.map(ToString::to_string).collect();
        let words = bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
        let insts = if keep_insts { instrs.iter().map(|i| i.to_inst_in(WAVE)).collect() } else { Vec::new() };
        let room = RefCell::new(Vec::with_capacity(instrs.len()));
        Input { bytes, words, instrs, errors, insts, lines, room }
    }
}

/// One thing to measure.
pub struct Work {
    pub name: &'static str,
    pub what: &'static str,
    pub run: fn(&Input<'_>),
}

pub const WORKS: [Work; 12] = [
    Work { name: "decode", what: "decode a slice of dwords", run: decode_slice },
    Work { name: "decoder", what: "decode bytes with a Decoder", run: |input| decode_each(input.bytes) },
    Work { name: "vec", what: "decode into a Vec", run: decode_vec },
    Work { name: "print", what: "decode and print to a reused isa::Text", run: decode_print },
    Work { name: "write", what: "print to a reused isa::Text", run: write },
    Work { name: "display", what: "Display into a reused String", run: display },
    Work { name: "encode", what: "encode", run: encode },
    Work { name: "words", what: "encode into a Vec of dwords", run: encode_vec },
    Work { name: "operands", what: "visit all operands", run: operands },
    Work { name: "lift", what: "lift to operand-level instructions", run: lift },
    Work { name: "lower", what: "lower them unchecked", run: lower },
    Work { name: "parse", what: "assemble lines", run: parse },
];

fn lift(input: &Input<'_>) {
    for instr in &input.instrs {
        black_box(instr.to_inst_in(WAVE));
    }
}

fn lower(input: &Input<'_>) {
    for inst in &input.insts {
        let _ = black_box(inst.encode_unchecked(WAVE));
    }
}

fn decode_slice(input: &Input<'_>) {
    let mut rest = &input.words[..];
    while !rest.is_empty() {
        let length = match Instr::decode(rest, WAVE) {
            Ok((instr, length)) => {
                black_box(instr);
                length
            }
            Err(DecodeError::NonCanonical { instr, .. }) => instr.len(),
            Err(_) => 1,
        };
        // No longer than what was decoded.
        rest = &rest[length..];
    }
}

/// Decodes these bytes.
pub fn decode_each(bytes: &[u8]) {
    Decoder::new(bytes, WAVE).for_each(|item| {
        black_box(item.result.ok());
    });
}

/// Decodes RDNA4 code. Returns the number of instructions and undecodable words.
pub fn decode_rdna4(bytes: &[u8]) -> usize {
    rdna4::Decoder::new(bytes, rdna4::Wave::W32).fold(0, |count, item| {
        black_box(item.result.ok());
        count + 1
    })
}

fn decode_vec(input: &Input<'_>) {
    let mut room = input.room.borrow_mut();
    room.clear();
    room.extend(Decoder::new(input.bytes, WAVE).filter_map(|item| item.result.ok()));
    black_box(&*room);
}

fn decode_print(input: &Input<'_>) {
    let mut text = isa::Text::new();
    let mut print = |instr: Instr| {
        text.clear();
        instr.write(WAVE, &mut text);
        black_box(text.as_bytes());
    };
    Decoder::new(input.bytes, WAVE).for_each(|item| match item.result {
        Ok(instr) => print(instr),
        Err(error) => {
            if let Some(instr) = error.noncanonical() {
                print(instr);
            }
        }
    });
}

fn write(input: &Input<'_>) {
    let mut text = isa::Text::new();
    for instr in &input.instrs {
        text.clear();
        instr.write(WAVE, &mut text);
        black_box(text.as_bytes());
    }
}

fn display(input: &Input<'_>) {
    let mut string = String::new();
    for instr in &input.instrs {
        string.clear();
        // Writing to a String cannot fail.
        let _ = write!(string, "{instr}");
        black_box(&string);
    }
}

fn encode(input: &Input<'_>) {
    for instr in &input.instrs {
        black_box(black_box(instr).encode());
    }
}

fn encode_vec(input: &Input<'_>) {
    let mut words: Vec<u32> = Vec::with_capacity(input.words.len());
    input.instrs.iter().for_each(|instr| words.extend_from_slice(&instr.encode()));
    black_box(&words);
}

fn operands(input: &Input<'_>) {
    for instr in &input.instrs {
        instr.operands(WAVE).for_each(|operand| {
            black_box(&operand);
        });
    }
}

fn parse(input: &Input<'_>) {
    for line in &input.lines {
        black_box(Instr::parse(line, WAVE).ok());
    }
}

//! Instructions of any set, as words and as text. The first byte of an input selects the set and the wave size.

use amdgpu_arch::{Arch, Instr, InstructionSet, Reader, Wave, hex, with_set};
use amdgpu_report::{Explanation, write_effects};
use isa::{DecodeError, Isa, Options, Text};
use isa_tests::sets::{Set, encode, read_back, text};

/// The set and the wave size that a byte selects.
pub fn selected(byte: u8) -> (Arch, Wave) {
    let arch = Arch::ALL[usize::from(byte >> 1) % Arch::ALL.len()];
    (arch, if byte & 1 == 0 { Wave::W32 } else { Wave::W64 })
}

/// Bytes as code: each instruction encodes to its bytes, its text parses to it, and all that is said of it can be said.
pub fn decode(input: &[u8]) {
    let Some((first, code)) = input.split_first() else { return };
    let (arch, wave) = selected(*first);
    with_set!(arch, S => decode_all::<S>(code, wave));
    let line = String::from_utf8_lossy(code);
    let reader = Reader::new(arch, wave);
    for accept in [hex::Accept::Canonical, hex::Accept::Decodable, hex::Accept::ReservedCodes] {
        let read = hex::instr(line.trim_end().as_bytes(), reader, accept);
        let _ = read.map_err(|error| assert!(!error.to_string().is_empty()));
    }
}

fn decode_all<S: InstructionSet + Set>(code: &[u8], wave: Wave) {
    let mode = <S as InstructionSet>::mode(wave);
    let words: Vec<u32> = code.as_chunks().0.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect();
    let mut at = 0;
    while let Some(rest) = words.get(at..).filter(|rest| !rest.is_empty()) {
        let instr = match isa::decode::<S>(rest, mode) {
            Ok((instr, dwords)) => {
                read_back::<S>(&instr, mode, &mut Text::new()).unwrap();
                assert_eq!(encode::<S>(&instr).len(), dwords);
                instr
            }
            Err(DecodeError::NonCanonical { instr, .. }) => instr,
            Err(error) => {
                assert!(!error.to_string().is_empty());
                at += 1;
                continue;
            }
        };
        assert!(!text::<S>(&instr, mode).is_empty());
        let encoded = encode::<S>(&instr);
        assert_eq!(rest.get(..encoded.len()), Some(&*encoded));
        describe(&S::wrap(instr, wave), Reader::new(arch_of::<S>(wave, instr), wave));
        at += encoded.len();
    }
}

fn arch_of<S: InstructionSet>(wave: Wave, instr: <S as Isa>::Instr) -> Arch {
    S::wrap(instr, wave).arch()
}

/// Asks for everything that is known about an instruction.
fn describe(instr: &Instr, reader: Reader) {
    let mut operands = 0;

    instr.for_each_operand(|_| operands += 1);
    assert!(operands < 20);
    instr.for_each_memory_access(|_, _| {});
    let _ = (instr.check(), instr.branch(), instr.unused_field(), instr.register_counts(), instr.register_effects());
    let _ = (instr.opcode_facts(), instr.opcode_indices(), instr.with_newer_unused_fields(), instr.format());
    let mut effects = String::new();
    write_effects(instr, &mut effects);
    assert!(effects.contains('\t'));
    if let Ok(explanation) = Explanation::new(instr, reader) {
        let mut text = Vec::new();
        explanation.write(&mut text).unwrap();
        assert!(!text.is_empty() && explanation.to_json().is_object());
    }
}

/// A line of text: the instruction that is read from it decodes, prints, and reads back.
pub fn parse(input: &[u8]) {
    let Some((first, line)) = input.split_first() else { return };
    let (arch, wave) = selected(*first);
    let Ok(line) = str::from_utf8(line) else { return };
    with_set!(arch, S => parse_line::<S>(line, wave));
}

fn parse_line<S: InstructionSet + Set>(line: &str, wave: Wave) {
    let mode = <S as InstructionSet>::mode(wave);
    for lenient in [false, true] {
        match isa::parse::<S>(line, Options { mode, lenient }) {
            Ok(instr) => {
                let words = encode::<S>(&instr);
                match isa::decode::<S>(&words, mode) {
                    Ok(decoded) => assert_eq!(decoded, (instr, words.len()), "{line}"),
                    Err(error) => panic!("{line}: {error}"),
                }
                read_back::<S>(&instr, mode, &mut Text::new()).unwrap();
            }
            Err(error) => {
                assert!(!error.to_string().is_empty());
                assert!(error.start <= error.end && error.end <= line.len().max(1), "{error:?} of {line:?}");
            }
        }
    }
    if let Some((instr, end)) = isa::parse_line_fast::<S>(line, mode.into()) {
        assert!(end <= line.len());
        let line = line.lines().next().unwrap_or_default();
        assert_eq!(isa::parse::<S>(line, mode.into()), Ok(instr), "{line}");
    }
}

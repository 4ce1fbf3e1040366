//! Known words and LLVM's text for them: every line decodes to its text and encodes to its bytes.

use isa::DecodeError;
use isa_tests::each_set;
use isa_tests::sets::{Set, encode, text};
use isa_tests::vectors::{Line, folded, golden_of, hex, shared_decode_of};

/// Returns the first difference between the decoder and a line, if there is one.
fn fault<S: Set>(line: &Line) -> Option<String> {
    let words = line.words();
    let mode = S::mode(&line.wave)?;
    let (instr, canonical) = match isa::decode::<S>(&words, mode) {
        Ok((instr, length)) if length == words.len() => (instr, true),
        Ok((_, length)) => return Some(format!("{length} dwords are read")),
        Err(DecodeError::NonCanonical { instr, .. }) => (instr, false),
        Err(error) => return Some(error.to_string()),
    };
    let text = folded(&text::<S>(&instr, mode));
    if text != line.text {
        return Some(format!("it prints {text}"));
    }
    let encoded = encode::<S>(&instr);
    if encoded[..] != words[..] {
        return Some(format!("it encodes to {}", hex(&encoded)));
    }
    (line.canonical && !canonical).then(|| "it is said to be non-canonical".to_string())
}

fn all_agree<S: Set>(lines: &[Line]) {
    let faults: Vec<String> = lines
        .iter()
        .filter_map(|line| Some(format!("{} {} {}: {}", line.wave, line.hex, line.text, fault::<S>(line)?)))
        .collect();
    let shown = faults.iter().take(20).map(|f| format!("\n{f}")).collect::<String>();
    assert!(faults.is_empty(), "{} of {} lines disagree:{shown}", faults.len(), lines.len());
}

/// Whether random words, which the vectors of RDNA3.5 have, are no instruction although LLVM prints them: it remarks that an
/// operand cannot be, its assembler does not write them, or (the class in the list of disagreements) LDS is read directly
/// in a pair.
fn is_no_instruction<S: Set>(line: &Line) -> bool {
    let Some(mode) = S::mode(&line.wave) else { return false };
    match isa::decode::<S>(&line.words(), mode) {
        Err(DecodeError::NonCanonical { .. }) if line.canonical => {
            line.text.starts_with("v_dual_") && line.text.contains("src_lds_direct")
        }
        Ok(_) | Err(DecodeError::NonCanonical { .. }) => !line.canonical && line.text.contains("/*"),
        Err(_) => !line.canonical,
    }
}

#[test]
fn golden_vectors_read_as_llvm_prints_them() {
    each_set!(S => {
        let lines = golden_of::<S>().unwrap();
        // Several for every opcode.
        let least = 2 * <S as isa::Isa>::mnemonics().len();
        assert!(lines.len() > least, "only {} golden vectors of {:?}", lines.len(), S::MODES);
        all_agree::<S>(&lines);
    });
}

#[test]
fn shared_vectors_read_as_llvm_prints_them() {
    each_set!(S => {
        let mut lines = shared_decode_of::<S>().unwrap();
        if S::VECTORS == "rdna35" {
            lines.retain(|line| !is_no_instruction::<S>(line));
        }
        all_agree::<S>(&lines);
    });
}

#[test]
fn lines_read_as_written() {
    let line = Line { wave: "wave64".into(), hex: "0a0000d4ff000100".into(), text: String::new(), canonical: true };
    assert_eq!(line.words(), [0xd400_000a, 0x0001_00ff]);
    assert_eq!(hex(&line.words()), line.hex);
    assert_eq!(folded("\ts_nop  0 "), "s_nop 0");
}

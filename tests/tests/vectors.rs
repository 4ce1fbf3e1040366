//! Known words and LLVM's text for them: every line decodes to its text and encodes to its bytes.

use isa_tests::vectors::{Line, folded, golden, hex, shared_decode};
use rdna3::{DecodeError, Instr};

/// What is wrong with our reading of a line, if anything is.
fn fault(line: &Line) -> Option<String> {
    let words = line.words();
    let (instr, canonical) = match Instr::decode(&words, line.mode()) {
        Ok((instr, length)) if length == words.len() => (instr, true),
        Ok((_, length)) => return Some(format!("{length} dwords are read")),
        Err(DecodeError::NonCanonical { instr, .. }) => (instr, false),
        Err(error) => return Some(error.to_string()),
    };
    let text = folded(&instr.display(line.mode()).to_string());
    if text != line.text {
        return Some(format!("it prints {text}"));
    }
    if instr.encode()[..] != words[..] {
        return Some(format!("it encodes to {}", hex(&instr.encode())));
    }
    (line.canonical && !canonical).then(|| "it is said to be non-canonical".to_string())
}

fn all_agree(lines: &[Line]) {
    let faults: Vec<String> = lines
        .iter()
        .filter_map(|line| Some(format!("{} {} {}: {}", line.wave, line.hex, line.text, fault(line)?)))
        .collect();
    let shown = faults.iter().take(20).map(|f| format!("\n{f}")).collect::<String>();
    assert!(faults.is_empty(), "{} of {} lines disagree:{shown}", faults.len(), lines.len());
}

#[test]
fn golden_vectors_read_as_llvm_prints_them() {
    let lines = golden().unwrap();
    assert!(lines.len() > 10_000, "only {} golden vectors", lines.len());
    all_agree(&lines);
}

#[test]
fn shared_vectors_read_as_llvm_prints_them() {
    if let Some(lines) = shared_decode().unwrap() {
        assert!(!lines.is_empty());
        all_agree(&lines);
    }
}

#[test]
fn lines_read_as_written() {
    let line = Line { wave: "wave64".into(), hex: "0a0000d4ff000100".into(), text: String::new(), canonical: true };
    assert_eq!(line.words(), [0xd400_000a, 0x0001_00ff]);
    assert_eq!(hex(&line.words()), line.hex);
    assert_eq!(folded("\ts_nop  0 "), "s_nop 0");
}

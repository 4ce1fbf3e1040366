//! Known words and LLVM's text for them: every line decodes to its text and encodes to its bytes.

use isa::DecodeError;
use isa_tests::each_set;
use isa_tests::sets::{Set, encode, text};
use isa_tests::vectors::{Line, folded, golden_of, golden_path, hex, shared_decode_of};

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

/// Whether random words, which the vectors of RDNA3.5 have, are not an instruction although LLVM prints them: it remarks that an
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
        let least = 2 * <S as isa::Isa>::tables().mnemonics.len();
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
        lines.retain(|line| S::VECTORS != "rdna4_true16" || class_of_rdna4(line).is_none());
        all_agree::<S>(&lines);
    });
}

/// Returns the class of a line on which LLVM and RDNA4's guide differ: docs/reference/disagreements.md has a row for each.
fn class_of_rdna4(line: &Line) -> Option<&'static str> {
    // Codes that the guide reserves as sources and results: 230, 231, 239, 251, 252 and 254.
    const RESERVED: [&str; 5] =
        ["src_flat_scratch_base_", "src_pops_exiting_wave_id", "src_vccz", "src_execz", "src_lds_direct"];
    let starts = |name: &str| line.text.starts_with(name);
    let has = |part: &str| line.text.contains(part);
    let takes_mask = ["v_cndmask_b", "v_add_co_ci_u32", "v_sub_co_ci_u32", "v_subrev_co_ci_u32"];
    if has("/*") {
        return Some("codes that LLVM prints with a remark");
    }
    if RESERVED.iter().any(|name| has(name)) {
        return Some("codes that the guide reserves");
    }
    if starts("v_fma_mix") && line.words().first().is_some_and(|word| (0xd3a0..=0xd3a2).contains(&(word >> 16))) {
        return Some("V_FMA_MIX in VIMAGE");
    }
    if starts("v_cndmask_b") && (has("vcc_lo|") || has("vcc|")) {
        return Some("signs of V_CNDMASK_B32 with DPP");
    }
    if takes_mask.iter().any(|name| starts(name)) && line.words().get(1).is_some_and(|word| word >> 26 & 1 == 1) {
        return Some("a lane mask in a VGPR");
    }
    (starts("v_swaprel_b32") && has("src_private_base")).then_some("a code that is not a VGPR as the second result")
}

/// Lines of the vectors of constants that docs/reference/disagreements.md names: the bytes that we write where LLVM has others or none.
const OTHER_CONSTANTS: [(&str, &str, &str); 5] = [
    ("v_fmaak_f16", ", -", "0000"),
    ("v_wmma_", ", 0.15915494", "e21b"),
    ("v_wmma_i32", ", 0x3e22f983", "e21b"),
    ("v_wmma_i32", ", 0x3f800000", "ca1b"),
    ("v_wmma_i32", ", 0xffffffff", "061b"),
];

/// Returns what is wrong with a line of the vectors of constants.
fn fault_of_constant(line: &str) -> Option<String> {
    let [machine, text, expected] = line.split('\t').collect::<Vec<_>>()[..] else { return Some(line.into()) };
    let bytes = match machine {
        "wave32" => rdna3::Instr::parse(text, rdna3::Wave::W32).map(|instr| hex(&instr.encode())),
        _ => rdna3_5::Instr::parse(text, rdna3_5::Wave::W32).map(|instr| hex(&instr.encode())),
    };
    let found = bytes.unwrap_or_else(|_| "-".into());
    let is_other = OTHER_CONSTANTS
        .iter()
        .any(|(name, constant, end)| text.starts_with(name) && text.contains(constant) && found.ends_with(end));
    (found != expected && !is_other).then(|| format!("{text}: {found}, not {expected}"))
}

#[test]
fn constants_are_assembled_as_by_llvm() {
    let lines = std::fs::read_to_string(golden_path("constants")).unwrap();
    assert!(lines.lines().count() > 1000);
    let faults: Vec<String> = lines.lines().filter_map(fault_of_constant).collect();
    assert!(faults.is_empty(), "{} differ:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn lines_read_as_written() {
    let line = Line { wave: "wave64".into(), hex: "0a0000d4ff000100".into(), text: String::new(), canonical: true };
    assert_eq!(line.words(), [0xd400_000a, 0x0001_00ff]);
    assert_eq!(hex(&line.words()), line.hex);
    assert_eq!(folded("\ts_nop  0 "), "s_nop 0");
}

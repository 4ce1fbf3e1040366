//! Compares `operands()` with the registers in the text.

use std::collections::BTreeMap;

use isa::Access;
use isa_tests::vectors::{Line, golden, shared_decode};
use rdna3::operands::register_name;
use rdna3::{DecodeError, File, Half, Instr, Opcode, OperandInfo, Value, Wave};

/// Compares `branch_offset`, which tests a flag of the row, with the operands, for every upper half of a dword.
#[test]
fn branches_are_those_that_have_the_operand() {
    let mut branches = 0;
    for (word, low) in
        (0..=u32::from(u16::MAX)).flat_map(|high| [0, 5, 0x7fff, 0x8000].map(|low| (high << 16 | low, low)))
    {
        let Ok((instr, _)) = Instr::decode(&[word, 0, 0], Wave::W32) else { continue };
        let operand = instr.operands(Wave::W32).find_map(|operand| match operand.value {
            Value::Branch(offset) => Some(offset),
            _ => None,
        });
        assert_eq!(instr.branch_offset(), operand, "{word:#010x}");
        assert!(operand.is_none_or(|offset| offset == low as i16), "{word:#010x}");
        branches += u32::from(operand.is_some());
    }
    // S_BRANCH and ten that are conditional; S_CALL_B64 and the two of loops write a register.
    assert!(branches > 4 * 11 + 3 * 4 * 100, "{branches}");
}

/// A register or several, in a form that both sides can be brought to.
type Shown = (String, u32, u32);

/// The registers in a line of assembly.
fn in_text(text: &str) -> Vec<Shown> {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
    let mut out = Vec::new();
    let mut rest = text;
    while let Some(begin) = rest.find(word) {
        rest = &rest[begin..];
        let end = rest.find(|c| !word(c)).unwrap_or(rest.len());
        let (token, after) = rest.split_at(end);
        rest = after;
        if let Some(range) = after.strip_prefix('[')
            && matches!(token, "v" | "s" | "ttmp")
            && let Some((inside, behind)) = range.split_once(']')
        {
            let mut ends = inside.split(':').map(|n| n.parse::<u32>().unwrap());
            let first = ends.next().unwrap();
            out.push((token.into(), first, ends.next().unwrap_or(first) + 1 - first));
            rest = behind;
        } else {
            out.extend(single(token));
        }
    }
    out
}

fn single(token: &str) -> Option<Shown> {
    let fixed = |name: &str, first, count| Some((name.to_string(), first, count));
    match token {
        "vcc_lo" => return fixed("vcc", 0, 1),
        "vcc_hi" => return fixed("vcc", 1, 1),
        "vcc" => return fixed("vcc", 0, 2),
        "exec_lo" => return fixed("exec", 0, 1),
        "exec_hi" => return fixed("exec", 1, 1),
        "exec" => return fixed("exec", 0, 2),
        // The text of these does not show how wide they are taken.
        "m0" | "null" | "src_scc" => return fixed(token, 0, 0),
        _ if token.starts_with("src_") => return fixed(token, 0, 0),
        _ => {}
    }
    let (body, half) = match token.split_once('.') {
        Some((body, half @ ("l" | "h"))) => (body, half),
        _ => (token, ""),
    };
    let digits = body.find(|c: char| c.is_ascii_digit())?;
    let (file, number) = body.split_at(digits);
    matches!(file, "v" | "s" | "ttmp").then(|| Some((format!("{file}{half}"), number.parse().ok()?, 1)))?
}

/// The registers of an operand.
fn in_operand(operand: &OperandInfo) -> Vec<Shown> {
    match operand.value {
        Value::Registers(r) => {
            let half = match r.half {
                None => "",
                Some(Half::Low) => "l",
                Some(Half::High) => "h",
            };
            let (first, count) = (u32::from(r.first), u32::from(r.count));
            let special = register_name(first).unwrap_or("?");
            vec![match r.file {
                File::Vgpr => (format!("v{half}"), first, count),
                File::Sgpr => (format!("s{half}"), first, count),
                File::Ttmp => (format!("ttmp{half}"), first, count),
                File::Vcc => ("vcc".into(), first, count),
                File::Exec => ("exec".into(), first, count),
                File::M0 => ("m0".into(), 0, 0),
                File::Null => ("null".into(), 0, 0),
                File::Scc => ("src_scc".into(), 0, 0),
                File::Special => (special.into(), 0, 0),
            }]
        }
        Value::Scattered { groups, first, count } => {
            let both = first.into_iter().zip(count).take(usize::from(groups));
            both.map(|(first, count)| ("v".into(), u32::from(first), u32::from(count))).collect()
        }
        _ => Vec::new(),
    }
}

/// Formats whose text names whole registers also where half of one is meant (`buffer_load_d16_hi_b16 v0, …`).
const NO_HALVES: [&str; 6] = ["DS", "MUBUF", "MTBUF", "FLAT", "GLOBAL", "SCRATCH"];

/// Registers that an instruction reads and its text leaves out: format, role, register.
const LEFT_OUT: [(&str, &str, &str); 3] = [
    // V_DIV_FMAS reads VCC without saying so.
    ("VOP3", "vcc", "vcc"),
    // The mask of V_DUAL_CNDMASK_B32 is always VCC.
    ("VOPD", "s2", "vcc"),
    // No offset register is written as nothing, unless there is no offset either.
    ("SMEM", "soffset", "null"),
];

/// Opcodes whose row writes an operand with a source's role: what is swapped, and the pointer that a traversal moves.
const WRITTEN_SOURCES: [(Opcode, &str); 4] = [
    (Opcode::V_SWAP_B32, "s0"),
    (Opcode::V_SWAP_B16, "s0"),
    (Opcode::V_SWAPREL_B32, "s0"),
    (Opcode::DS_BVH_STACK_RTN_B32, "addr"),
];

/// Returns an operand's registers as the text shows them: some texts omit registers.
fn as_shown(instr: &Instr, text: &str, operand: &OperandInfo) -> Vec<Shown> {
    let mut registers = in_operand(operand);
    // LLVM's text leaves out the status register of LWE, where TFE does not add it already.
    let warned = instr.format() == "MIMG" && text.contains(" lwe") && !text.contains(" tfe");
    for (file, first, count) in &mut registers {
        if warned && operand.role == "d" && in_text(text).contains(&(file.clone(), *first, *count - 1)) {
            *count -= 1;
        }
        if NO_HALVES.contains(&instr.format()) && matches!(&**file, "vl" | "vh") {
            *file = "v".into();
        }
        // A register of streamout of 32 bits is written as the two registers that others have.
        if instr.flags() & rdna3::flags::STREAMOUT != 0 && operand.role == "d" {
            *count = 2;
        }
        // A resource of 128 bits is written as the eight registers that others have.
        if instr.format() == "MIMG" && operand.role == "rsrc" && text.contains(" r128") {
            *count = 8;
        }
    }
    let left_out = |file: &str| LEFT_OUT.contains(&(instr.format(), operand.role, file));
    registers.retain(|(file, ..)| !left_out(file) || (file == "null" && text.contains("null")));
    registers
}

fn instructions() -> Vec<(Line, Instr)> {
    let mut lines = golden().unwrap();
    lines.extend(shared_decode().unwrap().unwrap_or_default());
    let decoded = lines.into_iter().filter_map(|line| match Instr::decode(&line.words(), line.mode()) {
        Ok((instr, _)) | Err(DecodeError::NonCanonical { instr, .. }) => Some((line, instr)),
        // The vector tests report it.
        Err(_) => None,
    });
    decoded.collect()
}

#[test]
fn operands_are_the_registers_that_the_text_shows() {
    let mut faults: BTreeMap<&str, (usize, String)> = BTreeMap::new();
    for (line, instr) in instructions() {
        let mut shown = in_text(&line.text);
        let operands = instr.operands(line.mode());
        let mut said: Vec<Shown> = operands.flat_map(|o| as_shown(&instr, &line.text, &o)).collect();
        let name = instr.opcode().name();
        shown.sort();
        said.sort();
        if shown != said {
            let what = format!("{} {}: the text shows {shown:?}, operands() says {said:?}", line.wave, line.text);
            faults.entry(name).or_insert((0, what)).0 += 1;
        }
    }
    let shown = faults.iter().take(60).map(|(n, (k, what))| format!("\n{n}, {k} times: {what}")).collect::<String>();
    assert!(faults.is_empty(), "{} opcodes disagree:{shown}", faults.len());
}

#[test]
fn destinations_are_written_and_sources_are_read() {
    for (line, instr) in instructions() {
        for operand in instr.operands(line.mode()) {
            let right = match operand.role {
                "d" | "sd" => matches!(operand.access, Access::Write | Access::ReadWrite),
                role if WRITTEN_SOURCES.contains(&(instr.opcode(), role)) => operand.access == Access::ReadWrite,
                "s0" | "s1" | "s2" | "k" | "addr" | "saddr" | "rsrc" | "soffset" => operand.access == Access::Read,
                _ => operand.access != Access::Modifier,
            };
            assert!(right, "{}: {} is {:?}", line.text, operand.role, operand.access);
        }
    }
}

#[test]
fn registers_are_found_in_text() {
    let found = in_text("image_load v[0:3], [v4, v5.l, v[6:7]], s[8:15] dmask:0xf dim:SQ_RSRC_IMG_3D neg_lo:[0,1]");
    let files: Vec<String> = found.iter().map(|(file, first, count)| format!("{file}{first}+{count}")).collect();
    assert_eq!(files, ["v0+4", "v4+1", "vl5+1", "v6+2", "s8+8"]);
    let found = in_text("v_cndmask_b32_e64 v1, -|s2|, ttmp3, vcc_lo");
    assert_eq!(found.len(), 4);
}

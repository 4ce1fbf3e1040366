//! Whether the text of an instruction reads back to it, and the classes of those whose text does not. The tests ask it
//! of samples, `cargo xtask sweep` and `diff` of everything they try.

use rdna3::isa::{Fault, Options, ParseError, Text};
use rdna3::{File, Instr, Rule, Value, Wave};

/// Reads the text of an instruction again, strictly if it is legal.
fn again(text: &str, instr: &Instr, wave: Wave) -> Result<Instr, ParseError> {
    Instr::parse(text, Options { mode: wave, lenient: instr.check(wave).is_err() })
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
fn lenient(text: &str, instr: &Instr, wave: Wave) -> Option<Instr> {
    let back = Instr::parse(text, Options { mode: wave, lenient: true }).ok();
    back.filter(|back| back.opcodes() == instr.opcodes())
}

/// The class of instructions whose text does not lead back to them, if this is one of those.
fn class(text: &str, instr: &Instr, wave: Wave, back: &Result<Instr, ParseError>) -> Option<&'static str> {
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
            (!text.contains("_e64")).then_some("long forms without a suffix")
        }
        Ok(other) if other.opcodes() == instr.opcodes() => {
            instr.operands(wave).any(constants).then_some("constants with several encodings")
        }
        // What comes back as a literal may be one scalar too many.
        Err(_) if instr.operands(wave).any(constants) && lenient(text, instr, wave).is_some() => {
            Some("constants with several encodings")
        }
        Err(_) if text.contains("-lit(") => Some("negated literals that could be inline"),
        Err(e) if matches!(e.fault, Fault::Rule(_)) && instr.operands(wave).any(constants) => {
            Some("constants that text cannot hold")
        }
        _ => None,
    }
}

/// Reads the text of an instruction again: `Ok(None)` if it leads back to it, otherwise the class that it belongs to.
///
/// # Errors
/// What comes of the text, if that is another instruction or none and no class describes it.
pub fn read_back(instr: &Instr, wave: Wave, buffer: &mut Text) -> Result<Option<&'static str>, String> {
    buffer.clear();
    instr.write(wave, buffer);
    let text = buffer.as_str();
    let back = again(text, instr, wave);
    if back == Ok(*instr) {
        return Ok(None);
    }
    if let Some(class) = class(text, instr, wave, &back) {
        return Ok(Some(class));
    }
    Err(match back {
        Ok(other) => format!("{text}: comes back as {:08x?} from {:08x?}", &*other.encode(), &*instr.encode()),
        Err(error) => format!("{text}: {error} (at {})", error.start),
    })
}

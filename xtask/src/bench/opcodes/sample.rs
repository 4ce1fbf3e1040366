//! The instruction that represents an opcode in the table of speeds.

use anyhow::Result;
use isa::{Access, Isa};
use rdna3::operands::File;
use rdna3::{Instr, Rdna3, Value, Wave};

use crate::generate::{self, RowVariant};
use crate::rng::Rng;

/// Scalar registers from this one on belong to the loop around the instruction.
pub const RESERVED: u8 = 96;
/// The most random instructions of an opcode that are compared.
const DRAWS: usize = 2000;
/// The bit OFFEN in the second dword of MUBUF and MTBUF.
const OFFEN: u32 = 1 << 22;
/// The bits OFFSET in the second dword of SMEM.
const OFFSET: u32 = (1 << 21) - 1;

/// The bits NEG_HI, OPSEL, OPSEL_HI2 and CLMP in the first dword of VOP3P, and OPSEL_HI and NEG in the second.
const VOP3P_MODIFIERS: (u32, u32) = (0xFF << 8, 0x1F << 27);
/// OPSEL_HI2 in the first dword of VOP3P, and OPSEL_HI in the second.
const OPSEL_HI2: u32 = 1 << 14;
const OPSEL_HI: u32 = 3 << 27;

/// An instruction that is measured.
#[derive(Clone)]
pub struct Sample {
    /// The opcode's name, or the line of assembly.
    pub name: String,
    /// The opcode's name.
    pub opcode: String,
    /// The name of the instruction's format.
    pub format: &'static str,
    pub instr: Instr,
}

impl Sample {
    /// An instruction under a name.
    pub fn new(name: String, opcode: String, instr: Instr) -> Self {
        let (format, _) = Rdna3::parts(&instr);
        Sample {
            name,
            opcode,
            format: Rdna3::tables().formats.get(usize::from(format)).map_or("", |format| format.name),
            instr,
        }
    }

    /// Parses a line of assembly.
    pub fn parse(line: &str) -> Result<Self> {
        let instr = Instr::parse(line, Wave::W32).map_err(|error| anyhow::anyhow!("{line}: {error}"))?;
        Ok(Sample::new(line.into(), instr.opcode().name().into(), instr))
    }

    /// Chooses an instruction of a row: of random ones the one most like those of compilers, with registers for operands.
    pub fn draw(target: &RowVariant<Rdna3>) -> Option<Self> {
        let mut rng = Rng::named(0, target.names().iter().map(String::as_str));
        let mut best: Option<(u32, Instr)> = None;
        for _ in 0..DRAWS {
            let mut words = target.words(Wave::W32, &mut rng, true);
            match target.format.name {
                "MUBUF" | "MTBUF" => words[1] |= OFFEN,
                "SMEM" => words[1] &= !OFFSET,
                "VOP3P" => plain_halves(&mut words, target.shape.flags() & rdna3::flags::MIX == 0),
                _ => {}
            }
            let Ok((mut instr, _)) = Instr::decode(&words, Wave::W32) else { continue };
            if instr.branch_offset().is_some() {
                // The target is the next instruction.
                words[0] &= 0xFFFF_0000;
                instr = Instr::decode(&words, Wave::W32).ok()?.0;
            }
            if instr.opcode() as u16 != target.slot.opcode && target.component == 0 || instr.check(Wave::W32).is_err() {
                continue;
            }
            let penalty = penalty(&instr);
            if best.as_ref().is_none_or(|(least, _)| penalty < *least) {
                best = Some((penalty, instr));
            }
            if penalty == 0 {
                break;
            }
        }
        let (_, instr) = best?;
        Some(Sample::new(name(target), name(target), instr))
    }

    /// The dwords.
    pub fn words(&self) -> Vec<u32> {
        self.instr.words().into_iter().take(self.instr.len()).collect()
    }
}

/// Returns the samples of all rows without a suffix dword, or with one where the row requires it. Only names that `is_wanted`
/// accepts are drawn, since a draw takes time.
pub fn all(mut is_wanted: impl FnMut(&str) -> bool) -> Vec<Sample> {
    let mut samples: Vec<Sample> = Vec::new();
    for target in generate::targets::<Rdna3>() {
        let name = name(&target);
        let is_plain = target.suffix_dword == 0 || usize::from(target.shape.always) == target.suffix_dword;
        if !is_plain || !is_wanted(&name) {
            continue;
        }
        // An encoding variant with NSA or the other value of a variant bit is the same row again.
        if samples.last().is_some_and(|last| last.name == name && last.format == target.format.name) {
            continue;
        }
        samples.extend(Sample::draw(&target));
    }
    samples
}

/// The names of all rows.
#[cfg(test)]
pub fn names() -> impl Iterator<Item = String> {
    generate::targets::<Rdna3>().into_iter().map(|target| name(&target))
}

/// The name of a row. Pairs have their own names in text.
fn name(target: &RowVariant<Rdna3>) -> String {
    let name = Rdna3::tables().mnemonics.get(usize::from(target.slot.opcode)).copied().unwrap_or_default();
    match name.strip_prefix("V_").filter(|name| target.format.name == "VOPD" && !name.starts_with("DUAL_")) {
        Some(rest) => format!("V_DUAL_{rest}"),
        None => name.into(),
    }
}

/// Sets the modifiers of VOP3P to those that text does not state: one that is `packed` computes each half from the same
/// halves of its sources.
fn plain_halves(words: &mut generate::Words, packed: bool) {
    let sources = if packed { (OPSEL_HI2, OPSEL_HI) } else { (0, 0) };
    words[0] = words[0] & !VOP3P_MODIFIERS.0 | sources.0;
    words[1] = words[1] & !VOP3P_MODIFIERS.1 | sources.1;
}

/// How far an instruction is from one of registers that do not overlap.
fn penalty(instr: &Instr) -> u32 {
    let is_scalar = instr.opcode().pipeline() == rdna3::Pipeline::Salu;
    let operands: Vec<_> = instr.operands(Wave::W32).filter(|operand| operand.access != Access::Modifier).collect();
    let mut sum = 0;
    for operand in &operands {
        let is_address = matches!(operand.role, "saddr" | "soffset" | "rsrc" | "samp" | "base");
        sum += match operand.value {
            Value::Registers(registers) => match registers.file {
                File::Vgpr => 0,
                File::Sgpr if registers.first + registers.count > RESERVED => 20,
                File::Sgpr if is_scalar || is_address || operand.access != Access::Read => 0,
                File::Sgpr => 4,
                File::Vcc => 5,
                File::Null if is_address => 0,
                _ => 10,
            },
            Value::Integer(0) if is_address => 0,
            Value::Off | Value::Immediate(_) | Value::Branch(_) => 0,
            _ => 6,
        };
    }
    for (at, operand) in operands.iter().enumerate() {
        for other in operands.iter().skip(at + 1) {
            let writes = operand.access != Access::Read || other.access != Access::Read;
            if overlap(operand.value, other.value) {
                sum += if writes { 6 } else { 2 };
            }
        }
    }
    // Pairs of one opcode are measured, or with V_MOV_B32 where only one half of a pair has the opcode.
    let (first, second) = (instr.opcode().name(), instr.to_inst().second_opcode().map(rdna3::Opcode::name));
    sum + match second {
        Some(second) if first != second => 2 - u32::from(first == "V_MOV_B32"),
        _ => 0,
    }
}

/// Whether two operands share a register.
fn overlap(a: Value, b: Value) -> bool {
    let (Value::Registers(a), Value::Registers(b)) = (a, b) else { return false };
    a.file == b.file && a.first < b.first + b.count.max(1) && b.first < a.first + a.count.max(1)
}

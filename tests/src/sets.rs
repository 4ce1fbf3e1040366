//! The instruction sets of the project, as tests see them all alike.

use isa::{DecodeError, Display, InstrDwords, Isa, Options, ParseError, Text, UnusedFields};
use rdna3::Wave;

/// An instruction set with vectors.
pub trait Set: Isa<Value: PartialEq + Eq> {
    /// The file of its golden vectors below `tests/vectors`, and the beginning of the names of those in `../shared`.
    const VECTORS: &'static str;

    /// The prefix of the names of the set's machines, before the first column of vectors: see `machine.rs` of xtask.
    const MACHINES: &'static str = "";

    /// The modes, by the first column of vectors.
    const MODES: &'static [(&'static str, Self::Mode)];

    /// The class of instructions whose text does not lead back to them, if this one, which `back` came of, is of such
    /// a class.
    fn class(instr: &Self::Instr, mode: Self::Mode, back: &Result<Self::Instr, ParseError>) -> Option<&'static str>;

    /// The mode that a column of vectors names, if it is one of this set.
    #[must_use]
    fn mode(column: &str) -> Option<Self::Mode> {
        Self::MODES.iter().find(|(name, _)| *name == column).map(|(_, mode)| *mode)
    }
}

/// A set of RDNA: its modes are wave sizes.
pub trait WaveSet: Set<Mode = Wave, Instr: rdna3::Instruction<Generation = Self>> + rdna3::Generation {}

impl<S: Set<Mode = Wave, Instr: rdna3::Instruction<Generation = S>> + rdna3::Generation> WaveSet for S {}

/// Returns the length of an instruction in dwords: at most three.
fn length<S: Isa>(format: u8, words: &[u32; isa::MAX_DWORDS]) -> u8 {
    isa::length::<S>(format, words) as u8
}

/// Returns the text of an instruction.
pub fn text<S: Isa>(instr: &S::Instr, mode: S::Mode) -> String {
    let (format, words) = S::parts(instr);
    Display::<S>::new(format, words, length::<S>(format, &words), mode).to_string()
}

/// Returns the dwords of an instruction.
pub fn encode<S: Isa>(instr: &S::Instr) -> InstrDwords {
    let (format, words) = S::parts(instr);
    InstrDwords::new(words, isa::length::<S>(format, &words))
}

/// Returns the operands of an instruction.
pub fn operands<S: Isa>(instr: &S::Instr, mode: S::Mode) -> isa::Operands<S> {
    let (format, words) = S::parts(instr);
    isa::operands(format, words, length::<S>(format, &words), mode)
}

/// The guide's name of its format.
pub fn format<S: Isa>(instr: &S::Instr) -> &'static str {
    S::tables().formats.get(usize::from(S::parts(instr).0)).map_or("", |f| f.name)
}

/// The index of the opcode of each component, the second of a dual-issue pair.
pub fn opcodes<S: Isa>(instr: &S::Instr) -> [Option<u16>; 2] {
    let (format, words) = S::parts(instr);
    [0, 1].map(|component| isa::opcode::<S>(format, &words, component))
}

/// The instruction that words are, if only but for a field.
pub fn read<S: Isa>(words: &[u32], mode: S::Mode) -> Option<S::Instr> {
    match isa::decode::<S>(words, mode) {
        Ok((instr, _)) | Err(DecodeError::NonCanonical { instr, .. }) => Some(instr),
        Err(_) => None,
    }
}

/// Returns the instruction that encoders and parsers write: with the usual contents of the fields that it does not use.
pub fn usual<S: Isa>(instr: &S::Instr) -> S::Instr {
    let (format, words) = S::parts(instr);
    let usual = isa::with_unused_fields::<S>(format, &words, UnusedFields::Usual);
    S::instr(format, usual, length::<S>(format, &words)).unwrap_or(*instr)
}

/// Reads the text of an instruction again, strictly if it is legal: `Ok(None)` if it leads back to it, but for fields that it does
/// not use, otherwise the class that it belongs to. The text is left in `buffer`.
///
/// # Errors
/// Returns the result of parsing the text, if it is another instruction or an error that no class describes.
pub fn read_back<S: Set>(instr: &S::Instr, mode: S::Mode, buffer: &mut Text) -> Result<Option<&'static str>, String> {
    let (format, words) = S::parts(instr);
    buffer.clear();
    isa::write_text::<S>(format, words, length::<S>(format, &words), mode, buffer);
    let text = buffer.as_str();
    let back = isa::parse::<S>(text, Options { mode, lenient: S::legal(instr, mode).is_err() });
    if back == Ok(usual::<S>(instr)) {
        return Ok(None);
    }
    if let Some(class) = S::class(instr, mode, &back) {
        return Ok(Some(class));
    }
    Err(match back {
        Ok(other) => format!("{text}: comes back as {:08x?} from {:08x?}", &*encode::<S>(&other), &*encode::<S>(instr)),
        Err(error) => format!("{text}: {error} (at {})", error.start),
    })
}

/// The sets of RDNA3's generations, whose text has the same classes.
macro_rules! rdna_sets {
    ($($module:ident $set:ident $vectors:literal $machines:literal)*) => {$(
        impl Set for $module::$set {
            const VECTORS: &'static str = $vectors;
            const MACHINES: &'static str = $machines;
            const MODES: &'static [(&'static str, Wave)] = &[("wave32", Wave::W32), ("wave64", Wave::W64)];

            fn class(
                instr: &$module::Instr,
                wave: Wave,
                back: &Result<$module::Instr, ParseError>,
            ) -> Option<&'static str> {
                rdna_set::class(instr, wave, back, instr.check(wave).err())
            }
        }
    )*};
}

rdna_sets! {
    rdna3 Rdna3 "rdna3" ""
    rdna3_5 Rdna3_5 "rdna35" "rdna3.5-"
    rdna4 Rdna4 "rdna4_true16" "rdna4-"
}

mod rdna_set {
    use isa::{Access, Class, OperandInfo, ParseError};
    use rdna3::{Authority, Family, Format, Generation, Half, Instruction, Rule, Value, Violation, Wave};

    use super::{opcodes, text};

    fn is_half_integer<S: Generation>(o: &OperandInfo<S>) -> bool {
        o.ty.total_bits() == 16 && !o.ty.is_float() && o.ty.class() != Class::BFloat
    }

    fn sums_into_high_half<S: Generation>(o: OperandInfo<S>) -> bool {
        let high = matches!(o.value, Value::Registers(r) if r.half == Some(Half::High));
        high && o.access == Access::ReadWrite
    }

    /// Whether a literal with a sign in its upper half is an operand of 16 bits and one of 32.
    fn read_in_two_widths<T: Instruction>(instr: &T, wave: Wave) -> bool {
        let literals = || {
            instr.operand_infos(wave).filter_map(|o| match o.value {
                Value::Literal(bits) => Some((o.ty.total_bits() == 16, bits)),
                _ => None,
            })
        };
        literals().any(|(half, _)| half) && literals().any(|(half, bits)| !half && bits >> 16 != 0)
    }

    /// See [`super::Set::class`]; `violation` is the rule that the instruction breaks.
    pub fn class<T: Instruction>(
        instr: &T,
        wave: Wave,
        back: &Result<T, ParseError>,
        violation: Option<Violation>,
    ) -> Option<&'static str> {
        let inline_float = |o: OperandInfo<T::Generation>| matches!(o.value, Value::Float(_)) && is_half_integer(&o);
        let constant = |o: OperandInfo<T::Generation>| match o.value {
            Value::Literal(_) => true,
            Value::Float(_) => instr.microcode() == Format::Vop2 && o.ty.lanes() == 2,
            _ => false,
        };
        // The text of comparisons of f16 has constants as the bits of integers.
        let bits = instr.flags() & rdna3_5::flags::BIT_CONSTANTS != 0;
        let inline_bits = |o: OperandInfo<T::Generation>| matches!(o.value, Value::Float(_)) && bits;
        let forbidden = violation.map(|v| v.rule).filter(|rule| rule.authority() != Authority::Guide);
        match (forbidden, back) {
            // Registers that are not there, or sizes that text has to state.
            (Some(Rule::VgprRange | Rule::DppSource | Rule::HalfLiteral | Rule::GatherMask), _)
            | (Some(Rule::AtomicMask | Rule::ImageData | Rule::ImageAddress), _) => Some("what text cannot state"),
            // Text takes offsets of buffers from 0 on, as LLVM's does; its disassembler refuses the words of RDNA4.
            (Some(Rule::BufferOffset), Err(_)) if T::Generation::FAMILY == Family::Gfx12 => {
                Some("negative offsets into a buffer")
            }
            (_, Ok(other)) if opcodes::<T::Generation>(other) != opcodes::<T::Generation>(instr) => None,
            // LLVM writes the long form of some rows as the short one.
            (_, Ok(other)) if other.microcode() != instr.microcode() => {
                let told = text::<T::Generation>(instr, wave).contains("_e64");
                (!told).then_some("long forms without a suffix")
            }
            // They are written as their bits, which would be a literal.
            _ if instr.operand_infos(wave).any(inline_float) => Some("inline floats of 16-bit integers"),
            _ if instr.operand_infos(wave).any(inline_bits) => Some("inline floats of 16-bit integers"),
            // A literal with the value of an inline constant, or with the sign extension of a 16-bit integer, whose text is the
            // number; or a literal of V_PK_FMAC_F16 with an inline constant in both halves, which has the same text.
            (_, Ok(_)) if instr.operand_infos(wave).any(constant) => Some("constants with several encodings"),
            // A 16-bit operand shows the lower half of the literal, a 32-bit operand all of it: the text has two literals.
            (_, Err(_)) if read_in_two_widths(instr, wave) => Some("one literal in 16 and in 32 bits"),
            // LLVM prints the bit of a high half as the destination's alone beside DPP, and its assembler refuses that.
            (_, Err(_)) if instr.operand_infos(wave).any(sums_into_high_half) => Some("sums into high halves with DPP"),
            _ => None,
        }
    }
}

macro_rules! gcn_sets {
    ($($module:ident $set:ident $column:literal)*) => {$(
        impl Set for gcn::$module::$set {
            const VECTORS: &'static str = "gcn";
            const MODES: &'static [(&'static str, gcn::Wave)] = &[($column, gcn::Wave::W64)];

            fn class(
                instr: &gcn::$module::Instr,
                _: gcn::Wave,
                back: &Result<gcn::$module::Instr, ParseError>,
            ) -> Option<&'static str> {
                match back {
                    Err(_) if instr.check().is_err_and(|v| v.rule == gcn::Rule::VgprRange) => {
                        Some("registers past v255")
                    }
                    // A register by itself is written to OFFSET, whichever field it came from.
                    Ok(other) => {
                        let soffset = |i: &gcn::$module::Instr| i.operands(gcn::Wave::W64).any(|o| o.role == "soffset");
                        let alone = instr.format() == "SMEM" && soffset(instr) && !soffset(other);
                        alone.then_some("a register in SOFFSET alone")
                    }
                    Err(_) => None,
                }
            }
        }
    )*};
}

gcn_sets! {
    gcn1_0 Gcn1_0 "gcn1.0"
    gcn1_1 Gcn1_1 "gcn1.1"
    gcn1_2 Gcn1_2 "gcn1.2"
    gcn1_4 Gcn1_4 "gcn1.4"
}

/// Does the same for every set: `each_set!(S => check::<S>())`.
#[macro_export]
macro_rules! each_set {
    ($set:ident => $do:expr) => {{
        $crate::each_set!(@ $set rdna3::Rdna3 => $do);
        $crate::each_set!(@ $set rdna3_5::Rdna3_5 => $do);
        $crate::each_set!(@ $set rdna4::Rdna4 => $do);
        $crate::each_gcn_set!($set => $do);
    }};
    (@ $set:ident $ty:ty => $do:expr) => {{
        type $set = $ty;
        $do
    }};
}

/// Does the same for every generation of GCN.
#[macro_export]
macro_rules! each_gcn_set {
    ($set:ident => $do:expr) => {{
        $crate::each_set!(@ $set gcn::gcn1_0::Gcn1_0 => $do);
        $crate::each_set!(@ $set gcn::gcn1_1::Gcn1_1 => $do);
        $crate::each_set!(@ $set gcn::gcn1_2::Gcn1_2 => $do);
        $crate::each_set!(@ $set gcn::gcn1_4::Gcn1_4 => $do);
    }};
}

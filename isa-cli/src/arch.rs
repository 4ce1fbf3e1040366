//! The instruction sets and processors: the one place that knows which crate reads which.
//!
//! To add a set, add a variant to [`Arch`] and to [`Instr`]; the compiler names the matches to extend.

use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;

use amdgpu_bundle::TargetName;
pub use amdgpu_operands::{begins_register, nearest_register};
use gcn::{gcn1_0, gcn1_1, gcn1_2, gcn1_4};
pub use isa::MAX_DWORDS;
use isa::{Deferred, Isa, ParseError, Symbols, Text, UnusedField, UnusedFields};
pub use rdna3::Wave;

mod processors;
mod wanted;

pub use processors::{PROCESSORS, Processor, processor};
pub use wanted::Wanted;

/// An instruction set that this program reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arch {
    /// RDNA3: gfx1100 to gfx1103.
    Rdna3,
    /// RDNA3.5: gfx1150 to gfx1154.
    Rdna3_5,
    /// Graphics Core Next 1.0, Southern Islands: gfx6.
    Gcn1_0,
    /// Graphics Core Next 1.1, Sea Islands: gfx7.
    Gcn1_1,
    /// Graphics Core Next 1.2, Volcanic Islands: gfx8.
    Gcn1_2,
    /// Graphics Core Next 1.4, Vega: gfx9.
    Gcn1_4,
}

/// An instruction set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Set {
    /// A set we read.
    Read(Arch),
    /// Any other.
    Other,
}

impl Arch {
    const ALL: [Self; 6] = [Self::Rdna3, Self::Rdna3_5, Self::Gcn1_0, Self::Gcn1_1, Self::Gcn1_2, Self::Gcn1_4];

    /// The name that `--arch` takes.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rdna3 => "rdna3",
            Self::Rdna3_5 => "rdna3.5",
            Self::Gcn1_0 => "gcn1.0",
            Self::Gcn1_1 => "gcn1.1",
            Self::Gcn1_2 => "gcn1.2",
            Self::Gcn1_4 => "gcn1.4",
        }
    }

    /// Whether it is a generation of RDNA3, whose code has wave sizes and kernel descriptors.
    pub fn is_rdna(self) -> bool {
        matches!(self, Self::Rdna3 | Self::Rdna3_5)
    }

    /// Reads an `--arch` argument: the name of a set, or of a processor or a target that has it, if it can be read.
    pub fn parse(name: &str) -> Result<Self, String> {
        let name = processor_name(name)?;
        let processor = PROCESSORS.iter().find(|p| p.name == name || p.set.name() == Some(&name));
        match processor {
            Some(processor) => processor.set.arch(),
            None => {
                let sets = Self::ALL.map(Self::name);
                let names = PROCESSORS.iter().filter(|p| p.set != Set::Other).map(|p| p.name).chain(sets);
                let near = isa::nearest(names, &name).map(|near| format!("; did you mean `{near}`?"));
                Set::Other.arch().map_err(|why| why + &near.unwrap_or_default())
            }
        }
    }
}

/// Returns the processor of an `--arch` argument that is the name of a target, or any other argument itself.
pub fn processor_name(name: &str) -> Result<Cow<'_, str>, String> {
    let target = TargetName::parse(name);
    if target.is_amdgpu() { target.processor().map_err(|error| error.to_string()) } else { Ok(name.into()) }
}

impl Set {
    /// Returns the set, or the end of an error message if it is not supported.
    pub fn arch(self) -> Result<Arch, String> {
        match self {
            Self::Read(arch) => Ok(arch),
            Self::Other => Err(format!("it is not read; supported: {}", supported())),
        }
    }

    /// Returns its name in `--arch`.
    fn name(self) -> Option<&'static str> {
        match self {
            Self::Read(arch) => Some(arch.name()),
            Self::Other => None,
        }
    }
}

/// Returns the supported sets and their processors for messages and help: `rdna3 (gfx1100 …)`, separated by commas.
pub fn supported() -> String {
    let described = Arch::ALL.map(|arch| {
        let named = PROCESSORS.iter().filter(|p| p.set == Set::Read(arch));
        let names: Vec<_> = named.map(|p| p.name).collect();
        format!("{} ({})", arch.name(), names.join(" "))
    });
    described.join(", ")
}

/// An instruction of any set, with the wave size if its text depends on that.
#[derive(Clone, Copy)]
pub enum Instr {
    /// RDNA3, in code of this wave size.
    Rdna3(rdna3::Instr, Wave),
    /// RDNA3.5, in code of this wave size.
    Rdna3_5(rdna3_5::Instr, Wave),
    /// GCN 1.0.
    Gcn1_0(gcn1_0::Instr),
    /// GCN 1.1.
    Gcn1_1(gcn1_1::Instr),
    /// GCN 1.2.
    Gcn1_2(gcn1_2::Instr),
    /// GCN 1.4.
    Gcn1_4(gcn1_4::Instr),
}

/// The bytes of an instruction.
#[derive(Debug, Clone, Copy)]
pub struct Bytes {
    bytes: [u8; 4 * MAX_DWORDS],
    size: usize,
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes[..self.size]
    }
}

/// Does the same with the instruction of any set.
macro_rules! each {
    ($instr:expr, $x:ident => $do:expr) => {
        match $instr {
            Instr::Rdna3($x, _) => $do,
            Instr::Rdna3_5($x, _) => $do,
            Instr::Gcn1_0($x) => $do,
            Instr::Gcn1_1($x) => $do,
            Instr::Gcn1_2($x) => $do,
            Instr::Gcn1_4($x) => $do,
        }
    };
}

impl Instr {
    /// Bytes it takes.
    pub fn size(&self) -> usize {
        each!(self, instr => instr.len() * 4)
    }

    /// Its bytes, in memory order.
    pub fn bytes(&self) -> Bytes {
        let words = each!(self, instr => instr.encode());
        let mut bytes = [0; 4 * MAX_DWORDS];
        for (to, word) in bytes.as_chunks_mut::<4>().0.iter_mut().zip(words.iter()) {
            *to = word.to_le_bytes();
        }
        Bytes { bytes, size: 4 * words.len().min(MAX_DWORDS) }
    }

    /// Appends its bytes in memory order.
    #[inline]
    pub fn append(&self, out: &mut Vec<u8>) {
        let (words, dwords) = each!(self, instr => (instr.words(), instr.len()));
        // Appends the bytes of the longest instruction and truncates: a copy of constant length needs no branch.
        let size = out.len() + 4 * dwords;
        let mut bytes = [0; 4 * MAX_DWORDS];
        for (to, word) in bytes.as_chunks_mut::<4>().0.iter_mut().zip(words) {
            *to = word.to_le_bytes();
        }
        out.extend_from_slice(&bytes);
        out.truncate(size);
    }

    /// Returns it with what LLVM 23 and later write into the fields that it does not use.
    pub fn newer(self) -> Self {
        match self {
            Self::Rdna3(instr, wave) => Self::Rdna3(instr.with_unused_fields(UnusedFields::Newer), wave),
            Self::Rdna3_5(instr, wave) => Self::Rdna3_5(instr.with_unused_fields(UnusedFields::Newer), wave),
            other => other,
        }
    }

    /// Writes its text into a buffer.
    #[inline]
    pub fn write(&self, out: &mut Text) {
        match self {
            Self::Rdna3(instr, wave) => instr.write(*wave, out),
            Self::Rdna3_5(instr, wave) => instr.write(*wave, out),
            Self::Gcn1_0(instr) => instr.write(gcn::Wave::W64, out),
            Self::Gcn1_1(instr) => instr.write(gcn::Wave::W64, out),
            Self::Gcn1_2(instr) => instr.write(gcn::Wave::W64, out),
            Self::Gcn1_4(instr) => instr.write(gcn::Wave::W64, out),
        }
    }

    /// The first field that it does not use and that holds something else than encoding writes.
    pub fn unused_field(&self) -> Option<UnusedField> {
        match self {
            Self::Rdna3(instr, _) => instr.unused_field(),
            Self::Rdna3_5(instr, _) => instr.unused_field(),
            Self::Gcn1_0(instr) => instr.unused_field(),
            Self::Gcn1_1(instr) => instr.unused_field(),
            Self::Gcn1_2(instr) => instr.unused_field(),
            Self::Gcn1_4(instr) => instr.unused_field(),
        }
    }

    /// How many vector and how many scalar registers there must be for its operands: one more than the highest number.
    pub fn registers(&self) -> (i64, i64) {
        let (mut vector, mut scalar) = (0, 0);
        let count = |first: u8, count: u8, of: &mut i64| *of = (*of).max(i64::from(first) + i64::from(count));
        macro_rules! operands {
            ($operands:expr, $set:ident) => {
                for operand in $operands {
                    match operand.value {
                        $set::Value::Registers(r) if r.file == $set::File::Vgpr => count(r.first, r.count, &mut vector),
                        $set::Value::Registers(r) if r.file == $set::File::Sgpr => count(r.first, r.count, &mut scalar),
                        _ => {}
                    }
                }
            };
        }
        macro_rules! rdna {
            ($instr:expr, $wave:expr) => {{
                operands!($instr.operands($wave), rdna3);
                for operand in $instr.operands($wave) {
                    if let rdna3::Value::Scattered { groups, first, count: each } = operand.value {
                        let groups = first.into_iter().zip(each).take(usize::from(groups));
                        groups.for_each(|(first, each)| count(first, each, &mut vector));
                    }
                }
            }};
        }
        match self {
            Self::Rdna3(instr, wave) => rdna!(instr, *wave),
            Self::Rdna3_5(instr, wave) => rdna!(instr, *wave),
            Self::Gcn1_0(instr) => operands!(instr.operands(gcn::Wave::W64), gcn),
            Self::Gcn1_1(instr) => operands!(instr.operands(gcn::Wave::W64), gcn),
            Self::Gcn1_2(instr) => operands!(instr.operands(gcn::Wave::W64), gcn),
            Self::Gcn1_4(instr) => operands!(instr.operands(gcn::Wave::W64), gcn),
        }
        (vector, scalar)
    }

    /// Returns the name of the format.
    pub fn format(&self) -> &'static str {
        each!(self, instr => instr.format())
    }

    /// Where a branch goes, in bytes from the instruction's end.
    #[inline]
    pub fn branch(&self) -> Option<i64> {
        match self {
            Self::Rdna3(instr, _) => instr.branch_offset(),
            Self::Rdna3_5(instr, _) => instr.branch_offset(),
            _ => None,
        }
        .map(|dwords| i64::from(dwords) * 4)
    }
}

impl fmt::Display for Instr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rdna3(instr, wave) => write!(f, "{}", instr.display(*wave)),
            Self::Rdna3_5(instr, wave) => write!(f, "{}", instr.display(*wave)),
            other => each!(other, instr => instr.fmt(f)),
        }
    }
}

/// An instruction set of a crate, and its conversion to the types of this program.
pub trait Reads: Isa {
    /// Returns the decoding mode for a wave size.
    fn mode(wave: Wave) -> Self::Mode;
    /// Converts an instruction of the set.
    fn wrap(instr: Self::Instr, wave: Wave) -> Instr;
    /// Returns the name and the number of dwords of the encoding that begins with this dword, if the crate does not read it.
    fn encoding(_word: u32) -> Option<(&'static str, usize)> {
        None
    }
}

macro_rules! reads_rdna {
    ($($module:ident $set:ident)*) => {$(
        impl Reads for $module::$set {
            fn mode(wave: Wave) -> Wave {
                wave
            }

            fn wrap(instr: $module::Instr, wave: Wave) -> Instr {
                Instr::$set(instr, wave)
            }
        }
    )*};
}

reads_rdna!(rdna3 Rdna3 rdna3_5 Rdna3_5);

macro_rules! reads_gcn {
    ($($module:ident $set:ident)*) => {$(
        impl Reads for $module::$set {
            fn mode(_: Wave) -> gcn::Wave {
                gcn::Wave::W64
            }

            fn wrap(instr: $module::Instr, _: Wave) -> Instr {
                Instr::$set(instr)
            }

            fn encoding(word: u32) -> Option<(&'static str, usize)> {
                gcn::encoding::<Self>(word).map(|e| (e.name, e.dwords))
            }
        }
    )*};
}

reads_gcn!(gcn1_0 Gcn1_0 gcn1_1 Gcn1_1 gcn1_2 Gcn1_2 gcn1_4 Gcn1_4);

/// Does the same for the set of any architecture: chosen once, so that a loop over instructions knows which it is.
macro_rules! with_set {
    ($arch:expr, $set:ident => $do:expr) => {
        match $arch {
            $crate::arch::Arch::Rdna3 => {
                type $set = ::rdna3::Rdna3;
                $do
            }
            $crate::arch::Arch::Rdna3_5 => {
                type $set = ::rdna3_5::Rdna3_5;
                $do
            }
            $crate::arch::Arch::Gcn1_0 => {
                type $set = ::gcn::gcn1_0::Gcn1_0;
                $do
            }
            $crate::arch::Arch::Gcn1_1 => {
                type $set = ::gcn::gcn1_1::Gcn1_1;
                $do
            }
            $crate::arch::Arch::Gcn1_2 => {
                type $set = ::gcn::gcn1_2::Gcn1_2;
                $do
            }
            $crate::arch::Arch::Gcn1_4 => {
                type $set = ::gcn::gcn1_4::Gcn1_4;
                $do
            }
        }
    };
}
pub(crate) use with_set;

/// Why words are not an instruction of the set.
pub enum DecodeError {
    /// They are of the encoding with this name, which the set has and no crate reads.
    Outside(&'static str),
    /// Anything else.
    Wrong {
        /// The reason in words.
        why: Box<dyn fmt::Display>,
        /// The instruction they would be, but for a field that should be unused: LLVM prints it all the same.
        noncanonical: Option<Instr>,
    },
}

impl DecodeError {
    fn new<S: Reads>(error: isa::DecodeError<S>, word: u32, wave: Wave) -> Self {
        // A format that the crate reads speaks for itself.
        if matches!(error, isa::DecodeError::UnknownFormat { .. })
            && let Some((name, _)) = S::encoding(word)
        {
            return Self::Outside(name);
        }
        let noncanonical = error.noncanonical().map(|instr| S::wrap(instr, wave));
        Self::Wrong { why: Box::new(error), noncanonical }
    }

    /// The instruction that the words are, but for a field that should be unused.
    pub fn noncanonical(&self) -> Option<Instr> {
        match self {
            Self::Wrong { noncanonical, .. } => *noncanonical,
            Self::Outside(_) => None,
        }
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Outside(name) => write!(f, "{name} is an encoding that is not read"),
            Self::Wrong { why, .. } => why.fmt(f),
        }
    }
}

/// Reads one instruction set in one wave size.
#[derive(Debug, Clone, Copy)]
pub struct Reader {
    arch: Arch,
    wave: Wave,
}

impl Reader {
    /// Creates a reader.
    pub fn new(arch: Arch, wave: Wave) -> Self {
        Self { arch, wave }
    }

    /// Assembles a line. The error names the column.
    pub fn assemble(self, text: &str) -> Result<Instr, String> {
        self.parse(text).map_err(|error| format!("column {}: {error}", error.start + 1))
    }

    /// Parses an instruction.
    pub fn parse(self, text: &str) -> Result<Instr, ParseError> {
        with_set!(self.arch, S => parse::<S>(text, self.wave))
    }

    /// Parses an instruction whose operands may name symbols. Returns it and the field that depends on a symbol.
    pub fn parse_with_symbols(
        self,
        text: &str,
        symbols: &dyn Symbols,
    ) -> Result<(Instr, Option<Deferred>), ParseError> {
        let wave = self.wave;
        with_set!(self.arch, S => isa::parse_with_symbols::<S>(text, S::mode(wave).into(), symbols)
            .map(|(instr, deferred)| (S::wrap(instr, wave), deferred)))
    }

    /// Returns the wave size.
    pub fn wave(self) -> Wave {
        self.wave
    }

    /// Returns the instruction set.
    pub fn arch(self) -> Arch {
        self.arch
    }

    /// Decodes the first instruction of `words`. Returns it and its length in dwords.
    pub fn decode(self, words: &[u32]) -> Result<(Instr, usize), DecodeError> {
        let wave = self.wave;
        with_set!(self.arch, S => match isa::decode::<S>(words, S::mode(wave)) {
            Ok((instr, dwords)) => Ok((S::wrap(instr, wave), dwords)),
            Err(error) => Err(DecodeError::new::<S>(error, words.first().copied().unwrap_or(0), wave)),
        })
    }
}

/// Returns the first two bytes of a branch over this number of dwords, the same for all branches: see [`Instr::branch`].
pub fn branch_bytes(dwords: i16) -> [u8; 2] {
    dwords.to_le_bytes()
}

/// The instruction of the set `S` that `text` holds: see [`Reader::parse`].
#[inline(always)]
pub fn parse<S: Reads>(text: &str, wave: Wave) -> Result<Instr, ParseError> {
    isa::parse::<S>(text, S::mode(wave).into()).map(|instr| S::wrap(instr, wave))
}

/// Parses the first line of `text` with the fast parser. Returns the instruction and the offset of the next line; `None` if the
/// fast parser declines the line, which may still be valid.
#[inline(always)]
pub fn parse_line_fast<S: Reads>(text: &str, wave: Wave) -> Option<(Instr, usize)> {
    isa::parse_line_fast::<S>(text, S::mode(wave).into()).map(|(instr, end)| (S::wrap(instr, wave), end))
}

/// Decodes the first instruction of `bytes` with the fast decoder. Returns it and its size in bytes; `None` if the fast decoder
/// declines it, or if fewer bytes than the longest instruction has are left.
#[inline(always)]
pub fn decode_fast<S: Reads>(wave: Wave, bytes: &[u8]) -> Option<(Instr, usize)> {
    let bytes: &[u8; 4 * MAX_DWORDS] = bytes.first_chunk()?;
    let (low, third) = (bytes.first_chunk()?, bytes.last_chunk()?);
    let (instr, dwords) = S::decode_fast(u64::from_le_bytes(*low), u32::from_le_bytes(*third), S::mode(wave))?;
    Some((S::wrap(instr, wave), 4 * dwords))
}

/// Decodes the first instruction of `bytes`, which are not empty. Returns it or the error, and the number of bytes to skip: the
/// whole instruction if it is non-canonical or of an encoding outside the crate, else a dword, or what is left of one.
#[inline(never)]
pub fn item<S: Reads>(wave: Wave, bytes: &[u8]) -> (Result<Instr, DecodeError>, usize) {
    let (words, have) = isa::Cursor::new(bytes).peek();
    let (result, dwords) = match isa::decode::<S>(&words[..have], S::mode(wave)) {
        Ok((instr, dwords)) => (Ok(S::wrap(instr, wave)), dwords),
        Err(error) => {
            let error = DecodeError::new::<S>(error, words[0], wave);
            let dwords = match &error {
                DecodeError::Outside(_) => S::encoding(words[0]).map_or(1, |(_, dwords)| dwords),
                DecodeError::Wrong { noncanonical, .. } => noncanonical.map_or(1, |instr| instr.size() / 4),
            };
            (Err(error), dwords)
        }
    };
    (result, (dwords * 4).min(bytes.len()))
}

/// Reads the argument of `--wave`.
pub fn wave_parser() -> impl clap::builder::TypedValueParser<Value = Wave> {
    let sizes = clap::builder::PossibleValuesParser::new(["32", "64"]);
    clap::builder::TypedValueParser::map(sizes, |wave| if wave == "64" { Wave::W64 } else { Wave::W32 })
}

/// The number of lanes of a wave.
pub fn lanes(wave: Wave) -> u8 {
    match wave {
        Wave::W32 => 32,
        Wave::W64 => 64,
    }
}

/// `wave32` or `wave64`.
pub fn wave_name(wave: Wave) -> &'static str {
    match wave {
        Wave::W32 => "wave32",
        Wave::W64 => "wave64",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_processor_stands_once() {
        for (i, p) in PROCESSORS.iter().enumerate() {
            for q in &PROCESSORS[i + 1..] {
                assert!(p.mach != q.mach && p.name != q.name, "{p:?} {q:?}");
            }
        }
    }

    #[test]
    fn arch_takes_names_of_sets_processors_and_targets() {
        assert_eq!(Arch::parse("rdna3"), Ok(Arch::Rdna3));
        assert_eq!(Arch::parse("gfx1103"), Ok(Arch::Rdna3));
        assert_eq!(Arch::parse("rdna3.5"), Ok(Arch::Rdna3_5));
        assert_eq!(Arch::parse("gfx1151"), Ok(Arch::Rdna3_5));
        assert_eq!(Arch::parse("gcn1.4"), Ok(Arch::Gcn1_4));
        assert_eq!(Arch::parse("gfx803"), Ok(Arch::Gcn1_2));
        assert_eq!(Arch::parse("amdgpu11.51"), Ok(Arch::Rdna3_5));
        assert_eq!(Arch::parse("amdgcn-amd-amdhsa--gfx1100"), Ok(Arch::Rdna3));
        assert_eq!(Arch::parse("amdgpu11.00-amd-amdhsa-unknown-gfx1100"), Ok(Arch::Rdna3));
        let error = Arch::parse("amdgpu11.00-amd-amdhsa-unknown-gfx1101").unwrap_err();
        assert_eq!(error, "`gfx1101` is not a processor of `amdgpu11.00`");
        for unread in ["gfx906", "gcn1.3", "rdna4", ""] {
            let error = Arch::parse(unread).unwrap_err();
            assert!(error.contains("rdna3 (gfx1100 gfx1101"), "{error}");
        }
    }

    #[test]
    fn flags_beside_the_processor_do_not_matter() {
        assert_eq!(processor(0x12c).map(|p| p.name).ok(), Some("gfx900"));
        assert_eq!(processor(0x41).map(|p| p.set).ok(), Some(Set::Read(Arch::Rdna3)));
        assert_eq!(processor(0x7f).map(|p| p.name), Err(0x7f));
    }

    #[test]
    fn distances_stand_where_branches_begin() {
        let reader = Reader::new(Arch::Rdna3, Wave::W32);
        for before in ["s_branch ", "s_cbranch_execz ", "s_cbranch_cdbgsys_and_user ", "s_call_b64 s[2:3], "] {
            for dwords in [0, 1, -1, 300, i16::MIN, i16::MAX] {
                let instr =
                    |n: i16| reader.parse(&format!("{before}{n}")).map(|i| (i.bytes().to_vec(), i.branch())).unwrap();
                let (mut bytes, _) = instr(0);
                bytes[..2].copy_from_slice(&branch_bytes(dwords));
                assert_eq!((bytes, Some(4 * i64::from(dwords))), instr(dwords), "{before}{dwords}");
            }
        }
    }
}

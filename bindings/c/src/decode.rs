//! Instructions as plain structs, and the functions that make them: decoding and parsing.

use std::ffi::c_char;
use std::mem::{MaybeUninit, transmute};

use amdgpu_arch::{Arch, Instr, InstructionSet, MAX_DWORDS, Reader, Wave, dwords_to_skip, with_set};

use crate::arch::{arch, isa_arch, wave};
use crate::border::{self, Out, OutError, Plain, check_element, guard, out_slice};
use crate::status::{Failure, isa_error, isa_status};

/// The value of `isa_instr.opcode` if it is not filled in.
pub const ISA_NO_OPCODE: u16 = 0xFFFF;

/// What `isa_instr.flags` may hold.
#[repr(u32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum isa_instr_flag {
    /// The first word is not an instruction; `dwords` says how many to skip. Functions print it as `.long`, and refuse the rest.
    Unknown = 1,
    /// A field holds a reserved code; LLVM prints the instruction all the same.
    Reserved = 2,
    /// The words belong to an encoding that the set has and the library does not read. `ISA_INSTR_FLAG_UNKNOWN` is set as well.
    Outside = 4,
    /// The input ends inside the instruction. `ISA_INSTR_FLAG_UNKNOWN` is set as well.
    Truncated = 8,
}

/// Flags of `isa_decode_many`.
#[repr(u32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum isa_decode_flag {
    /// Fill in `isa_instr.opcode`, which takes as long again as decoding.
    Opcodes = 1,
}

/// An instruction. It has no pointers, and may be copied, stored and compared.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct isa_instr {
    /// The words; those past `dwords` are 0.
    pub words: [u32; 3],
    /// The index of the first word in the input.
    pub offset: u32,
    /// The index of the opcode in the set, of a dual-issue pair that of the first; or `ISA_NO_OPCODE`.
    pub opcode: u16,
    /// The number of words: 1 to 3.
    pub dwords: u8,
    /// The index of the microcode format in the set; 0xFF for words that are not an instruction.
    pub format: u8,
    /// An `isa_arch`.
    pub arch: u8,
    /// The lanes of a wave: 32 or 64.
    pub wave: u8,
    /// A set of `isa_instr_flag`.
    pub flags: u8,
    /// 0.
    pub reserved: u8,
}

// SAFETY: all members are numbers, without padding between them.
unsafe impl Plain for isa_instr {}

const UNKNOWN: u8 = isa_instr_flag::Unknown as u8;

/// An instruction whose last 8 bytes are stored at once: eight stores took a fifth of the time of a loop that decodes.
#[repr(C)]
struct Parts {
    words: [u32; 3],
    offset: u32,
    tail: [u8; 8],
}

/// Returns an opcode as the first two of the last 8 bytes.
#[inline(always)]
const fn opcode_bits(opcode: u16) -> u64 {
    u16::from_le_bytes(opcode.to_ne_bytes()) as u64
}

/// The members of instructions that are the same for all in a loop.
#[derive(Clone, Copy)]
struct Common {
    arch: u8,
    wave: Wave,
    /// The last 8 bytes without `dwords` and `format`, and without an opcode.
    tail: u64,
}

impl Common {
    fn new(arch: Arch, wave: Wave) -> Self {
        let arch = isa_arch::of(arch) as u8;
        let tail = opcode_bits(ISA_NO_OPCODE) | u64::from(arch) << 32 | u64::from(amdgpu_arch::lanes(wave)) << 40;
        Self { arch, wave, tail }
    }

    #[inline(always)]
    fn instr<S: InstructionSet, const OPCODES: bool>(
        self,
        instr: &S::Instr,
        dwords: usize,
        offset: usize,
    ) -> isa_instr {
        let (format, words): (u8, [u32; MAX_DWORDS]) = S::parts(instr);
        let mut tail = self.tail | (dwords as u64) << 16 | u64::from(format) << 24;
        if OPCODES {
            let opcode = isa::opcode::<S>(format, &words, 0).unwrap_or(ISA_NO_OPCODE);
            tail = tail & !0xFFFF | opcode_bits(opcode);
        }
        let parts = Parts { words, offset: offset as u32, tail: tail.to_le_bytes() };
        // SAFETY: both structs have the same layout, and any bits are valid.
        unsafe { transmute::<Parts, isa_instr>(parts) }
    }

    /// Converts what the decoder refuses.
    #[cold]
    #[inline(never)]
    fn refused<S: InstructionSet>(self, error: &isa::DecodeError<S>, words: &[u32], offset: usize) -> isa_instr {
        let first = words.first().copied().unwrap_or(0);
        let dwords = dwords_to_skip::<S>(error, first, self.wave).min(words.len()).clamp(1, MAX_DWORDS);
        if let Some(instr) = error.noncanonical() {
            let instr = self.instr::<S, true>(&instr, dwords, offset);
            return isa_instr { flags: isa_instr_flag::Reserved as u8, ..instr };
        }
        let mut flags = UNKNOWN;
        if let isa::DecodeError::Truncated { .. } = error {
            flags |= isa_instr_flag::Truncated as u8;
        } else if matches!(error, isa::DecodeError::UnknownFormat { .. }) && S::encoding(first).is_some() {
            flags |= isa_instr_flag::Outside as u8;
        }
        let mut kept = [0; MAX_DWORDS];
        kept.iter_mut().zip(words).take(dwords).for_each(|(to, word)| *to = *word);
        isa_instr {
            words: kept,
            offset: offset as u32,
            opcode: ISA_NO_OPCODE,
            dwords: dwords as u8,
            format: 0xFF,
            arch: self.arch,
            wave: amdgpu_arch::lanes(self.wave),
            flags,
            reserved: 0,
        }
    }
}

/// Decodes words until they or the places are used up. Returns the number of instructions and of words.
fn decode_all<S: InstructionSet, const OPCODES: bool>(
    words: &[u32],
    common: Common,
    out: &mut [MaybeUninit<isa_instr>],
) -> (usize, usize) {
    let mode = S::mode(common.wave);
    let (mut count, mut at) = (0, 0);
    for place in out {
        let Some(rest) = words.get(at..).filter(|rest| !rest.is_empty()) else { break };
        at += match isa::decode::<S>(rest, mode) {
            Ok((instr, dwords)) => {
                place.write(common.instr::<S, OPCODES>(&instr, dwords, at));
                dwords
            }
            Err(error) => place.write(common.refused::<S>(&error, rest, at)).dwords.into(),
        };
        count += 1;
    }
    (count, at)
}

impl isa_instr {
    /// Converts an instruction of any set.
    pub(crate) fn of(instr: &Instr, offset: usize, flags: u8) -> Self {
        let arch = instr.arch();
        let common = Common::new(arch, instr.wave());
        let converted = with_set!(arch, S => {
            S::of_any(instr).map(|(inner, _)| common.instr::<S, true>(&inner, instr.size() / 4, offset))
        });
        let empty = isa_instr {
            words: [0; 3],
            offset: 0,
            opcode: ISA_NO_OPCODE,
            dwords: 1,
            format: 0xFF,
            arch: common.arch,
            wave: 32,
            flags: UNKNOWN,
            reserved: 0,
        };
        converted.map_or(empty, |converted| isa_instr { flags, ..converted })
    }

    /// Returns the set, the wave size and the words that a struct of the caller's states.
    pub(crate) fn parts(&self) -> Result<(Arch, Wave, &[u32]), Failure> {
        let arch = arch(self.arch.into())?;
        let wave = match self.wave {
            32 | 64 => wave(arch, self.wave.into())?,
            lanes => return Err(Failure::invalid(format!("a wave has 32 or 64 lanes, not {lanes}"))),
        };
        let words = self.words.get(..usize::from(self.dwords)).filter(|words| !words.is_empty());
        Ok((arch, wave, words.ok_or_else(|| Failure::invalid("an instruction has 1 to 3 words"))?))
    }

    /// Decodes the words again, so that a struct with any contents is safe.
    pub(crate) fn instr(&self) -> Result<Instr, Failure> {
        let (arch, wave, words) = self.parts()?;
        let decoded = match Reader::new(arch, wave).decode(words) {
            Ok((instr, _)) => Ok(instr),
            Err(error) => error.noncanonical().ok_or_else(|| Failure::new(isa_status::Decode, error.to_string())),
        };
        decoded.and_then(|instr| match instr.size() == 4 * words.len() {
            true => Ok(instr),
            false => Err(Failure::invalid("`dwords` is not the length of the instruction")),
        })
    }
}

/// Decodes the first instruction of `count` words. Words that are not an instruction are `ISA_STATUS_DECODE`, but for reserved codes,
/// which set a flag. `wave` is 32, 64 or 0 for the default; `instr_size` is sizeof(isa_instr).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn isa_decode(
    arch: u32,
    wave: u32,
    words: *const u32,
    count: usize,
    instr: *mut isa_instr,
    instr_size: usize,
    error: *mut *mut isa_error,
) -> isa_status {
    // SAFETY: the contract of the header.
    let (words, instr, error) =
        unsafe { (border::slice(words, count, "words"), out_slice(instr, 1, "instr"), OutError::new(error)) };
    guard(error, || {
        check_element::<isa_instr>(instr_size, "isa_instr")?;
        let arch = self::arch(arch)?;
        let reader = Reader::new(arch, self::wave(arch, wave)?);
        let (decoded, flags) = match reader.decode(words?) {
            Ok((instr, _)) => (instr, 0),
            Err(error) => match error.noncanonical() {
                Some(instr) => (instr, isa_instr_flag::Reserved as u8),
                None => return Err(Failure::new(isa_status::Decode, error.to_string())),
            },
        };
        if let Some(place) = instr?.first_mut() {
            place.write(isa_instr::of(&decoded, 0, flags));
        }
        Ok(())
    })
}

/// Decodes up to `capacity` instructions from `count` words into an array, without allocating memory. Stores the number of instructions
/// and of words that they take. Words that are not an instruction are elements with `ISA_INSTR_FLAG_UNKNOWN`. `flags` is a set of
/// `isa_decode_flag`; `wave` is 32, 64 or 0 for the default; `instr_size` is sizeof(isa_instr); `consumed` may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn isa_decode_many(
    arch: u32,
    wave: u32,
    flags: u32,
    words: *const u32,
    count: usize,
    instrs: *mut isa_instr,
    instr_size: usize,
    capacity: usize,
    decoded: *mut usize,
    consumed: *mut usize,
    error: *mut *mut isa_error,
) -> isa_status {
    // SAFETY: the contract of the header.
    let (words, instrs, decoded, consumed, error) = unsafe {
        (
            border::slice(words, count, "words"),
            out_slice(instrs, capacity, "instrs"),
            Out::new(decoded, 0, "decoded"),
            Out::new(consumed, 0, "consumed"),
            OutError::new(error),
        )
    };
    guard(error, || {
        check_element::<isa_instr>(instr_size, "isa_instr")?;
        if flags & !(isa_decode_flag::Opcodes as u32) != 0 {
            return Err(Failure::invalid(format!("{flags:#x} is not a set of isa_decode_flag")));
        }
        let (arch, words, instrs, decoded) = (self::arch(arch)?, words?, instrs?, decoded?);
        // Offsets have 32 bits.
        let words = words.get(..u32::MAX as usize).unwrap_or(words);
        let common = Common::new(arch, self::wave(arch, wave)?);
        let (count, taken) = with_set!(arch, S => match flags {
            0 => decode_all::<S, false>(words, common, instrs),
            _ => decode_all::<S, true>(words, common, instrs),
        });
        decoded.set(count);
        if let Ok(consumed) = consumed {
            consumed.set(taken);
        }
        Ok(())
    })
}

/// Parses an instruction in LLVM's syntax. The error has the column. `wave` is 32, 64 or 0 for the default; `instr_size` is
/// sizeof(isa_instr).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn isa_parse(
    arch: u32,
    wave: u32,
    text: *const c_char,
    size: usize,
    instr: *mut isa_instr,
    instr_size: usize,
    error: *mut *mut isa_error,
) -> isa_status {
    // SAFETY: the contract of the header.
    let (text, instr, error) =
        unsafe { (border::text(text, size, "text"), out_slice(instr, 1, "instr"), OutError::new(error)) };
    guard(error, || {
        check_element::<isa_instr>(instr_size, "isa_instr")?;
        let arch = self::arch(arch)?;
        let parsed = Reader::new(arch, self::wave(arch, wave)?).parse(text?).map_err(|error| Failure {
            line: 1,
            column: error.start + 1,
            ..Failure::new(isa_status::Parse, error.to_string())
        })?;
        if let Some(place) = instr?.first_mut() {
            place.write(isa_instr::of(&parsed, 0, 0));
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use amdgpu_arch::item;

    use super::*;

    /// Decodes words of a set through an array of `capacity` places at a time.
    fn decoded(arch: Arch, words: &[u32], capacity: usize) -> Vec<isa_instr> {
        let wave = wave(arch, 0).unwrap_or(Wave::W64);
        let mut all = Vec::new();
        let mut at = 0;
        while at < words.len() {
            let mut places = vec![MaybeUninit::uninit(); capacity];
            let common = Common::new(arch, wave);
            let (count, taken) = with_set!(arch, S => decode_all::<S, true>(&words[at..], common, &mut places));
            assert!(count > 0 && taken > 0, "the loop goes on");
            // SAFETY: as many places are filled.
            all.extend(places[..count].iter().map(|place| unsafe { place.assume_init() }));
            at += taken;
        }
        all
    }

    /// Words of which many are not an instruction, and numbers in the encodings that the crates do not read.
    fn words() -> Vec<u32> {
        let mut state = 7_u32;
        let next = |_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state ^ state >> 16
        };
        (0..20_000).map(next).collect()
    }

    #[test]
    fn lengths_are_those_of_other_decoders() {
        let words = words();
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        for arch in [Arch::Rdna3, Arch::Rdna4, Arch::Gcn1_2] {
            let wave = wave(arch, 0).unwrap_or(Wave::W64);
            let mut at = 0;
            for instr in decoded(arch, &words, 256) {
                let rest = &bytes[4 * at..];
                let (result, skipped) = with_set!(arch, S => item::<S>(wave, rest));
                assert_eq!(usize::from(instr.dwords), skipped / 4, "{} at {at}", arch.name());
                assert_eq!(&instr.words[..usize::from(instr.dwords)], &words[at..at + skipped / 4]);
                let is_known = result.is_ok() || result.is_err_and(|error| error.noncanonical().is_some());
                assert_eq!(is_known, instr.flags & UNKNOWN == 0, "{} at {at}", arch.name());
                at += skipped / 4;
            }
            assert_eq!(at, words.len());
        }
    }

    #[test]
    fn the_size_of_the_array_does_not_matter() {
        let words = words();
        let offsets_aside = |instr: isa_instr| isa_instr { offset: 0, ..instr };
        let whole: Vec<_> = decoded(Arch::Rdna3, &words, words.len()).into_iter().map(offsets_aside).collect();
        let parts: Vec<_> = decoded(Arch::Rdna3, &words, 7).into_iter().map(offsets_aside).collect();
        assert_eq!(whole, parts);
    }

    #[test]
    fn structs_with_any_contents_are_safe() {
        let of = |words: [u32; 3], dwords, wave, arch| isa_instr {
            words,
            offset: 0,
            opcode: 0,
            dwords,
            format: 0,
            arch,
            wave,
            flags: 0,
            reserved: 0,
        };
        let rdna3 = isa_arch::of(Arch::Rdna3) as u8;
        assert!(of([0x0604_0501, 0, 0], 1, 32, rdna3).instr().is_ok());
        for wrong in [
            of([0x0604_0501, 0, 0], 2, 32, rdna3),
            of([0x0604_0501, 0, 0], 0, 32, rdna3),
            of([0x0604_0501, 0, 0], 4, 32, rdna3),
            of([0x0604_0501, 0, 0], 1, 33, rdna3),
            of([0x0604_0501, 0, 0], 1, 32, 255),
            of([u32::MAX; 3], 3, 32, rdna3),
        ] {
            assert!(wrong.instr().is_err(), "{wrong:?}");
        }
    }
}

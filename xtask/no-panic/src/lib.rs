//! A call that can panic would link `core::panicking` into the library, since nothing else refers to the panic handler.
//! `cargo xtask no-panic` looks for its symbols. The library also proves that `rdna3`, or with the feature `rdna4` that set, builds
//! and links without std and without an allocator.
#![no_std]

use rdna_rows::isa::{Extent, Resolution, Resolved, Symbols, Text, parse_with_symbols};
#[cfg(feature = "rdna4")]
use rdna_rows::rdna4::{DecodeError, Decoder, Instr, Rdna4 as Set};
use rdna_rows::Wave;
#[cfg(not(feature = "rdna4"))]
use rdna_rows::{DecodeError, Decoder, Instr, Rdna3 as Set};

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}

const fn mode(wave64: bool) -> Wave {
    if wave64 { Wave::W64 } else { Wave::W32 }
}

/// Decodes some words; 0 if they are not an instruction, otherwise how many dwords it takes.
#[unsafe(no_mangle)]
pub extern "C" fn decode(words: &[u32; 3], have: usize, wave64: bool, out: &mut Option<Instr>) -> usize {
    match Instr::decode(words.get(..have).unwrap_or(words), mode(wave64)) {
        Ok((instr, length)) => {
            *out = Some(instr);
            length
        }
        Err(DecodeError::NonCanonical { instr, .. }) => {
            *out = Some(instr);
            instr.len()
        }
        Err(_) => 0,
    }
}

/// Walks code.
#[unsafe(no_mangle)]
pub extern "C" fn walk(bytes: &[u8; 4096], have: usize, wave64: bool) -> usize {
    let code = bytes.get(..have).unwrap_or(bytes);
    Decoder::new(code, mode(wave64)).filter(|item| item.result.is_ok()).count()
}

/// Encodes an instruction.
#[unsafe(no_mangle)]
pub extern "C" fn encode(instr: &Instr, out: &mut [u32; 3]) -> usize {
    let words = instr.encode();
    out.iter_mut().zip(&*words).for_each(|(to, from)| *to = *from);
    words.len()
}

/// Writes its text.
#[unsafe(no_mangle)]
pub extern "C" fn write(instr: &Instr, wave64: bool, out: &mut Text) -> usize {
    instr.write(mode(wave64), out);
    out.as_str().len()
}

/// Lists its operands.
#[unsafe(no_mangle)]
pub extern "C" fn operands(instr: &Instr, wave64: bool) -> usize {
    instr.operands(mode(wave64)).map(|o| usize::from(o.ty.bits())).sum()
}

/// Holds the rules.
#[unsafe(no_mangle)]
pub extern "C" fn check(instr: &Instr, wave64: bool) -> bool {
    instr.check(mode(wave64)).is_ok()
}

/// Reads a line.
#[unsafe(no_mangle)]
pub extern "C" fn parse(line: &[u8; 256], have: usize, wave64: bool, out: &mut Option<Instr>) {
    let text = core::str::from_utf8(line.get(..have).unwrap_or(line)).unwrap_or_default();
    *out = Instr::parse(text, mode(wave64)).ok();
    if out.is_none() {
        let symbols = parse_with_symbols::<Set>(text, mode(wave64).into(), &Letters);
        *out = symbols.ok().map(|(instr, _)| instr);
    }
}

/// A panic that is reachable.
#[cfg(feature = "control")]
#[unsafe(no_mangle)]
pub extern "C" fn control(words: &[u32; 3], at: usize) -> u32 {
    words[at]
}

/// Symbols by their first letter: `k…` is a number, `l…` a label, any other word is none. All end before a comma.
struct Letters;

impl Symbols for Letters {
    fn resolve(&self, text: &str, _: Extent) -> Option<Resolved> {
        let value = match text.bytes().next()? {
            b'k' => Resolution::Known(3),
            b'l' => Resolution::Symbol,
            _ => return None,
        };
        Some(Resolved { length: text.bytes().position(|byte| byte == b',').unwrap_or(text.len()), value })
    }
}

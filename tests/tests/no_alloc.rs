//! Decoding, encoding, printing, parsing, listing operands and holding the rules allocate nothing. An allocator that
//! counts says so.

use isa_tests::vectors::golden;
use rdna3::isa::{Options, Text};
use rdna3::{DecodeError, Decoder, Instr, Wave};

/// How many allocations something makes, and what it gives.
fn allocations<T>(of: impl FnOnce() -> T) -> (u64, Option<T>) {
    let mut out = None;
    let counted = allocation_counter::measure(|| out = Some(of()));
    (counted.count_total, out)
}

fn all(words: &[u32], text: &str, wave: Wave, buffer: &mut Text) -> usize {
    let mut seen = 0;
    if let Ok((instr, _)) | Err(DecodeError::NonCanonical { instr, .. }) = Instr::decode(words, wave) {
        buffer.clear();
        instr.write(wave, buffer);
        seen += buffer.len() + instr.encode().len() + instr.operands(wave).count();
        seen += usize::from(instr.check(wave).is_ok());
        seen += instr.display(wave).words();
    }
    for lenient in [false, true] {
        seen += usize::from(Instr::parse(text, Options { mode: wave, lenient }).is_ok());
    }
    seen
}

/// Displays into something that counts.
trait Words {
    fn words(&self) -> usize;
}

impl<T: std::fmt::Display> Words for T {
    fn words(&self) -> usize {
        use std::fmt::Write;
        struct Count(usize);
        impl Write for Count {
            fn write_str(&mut self, s: &str) -> std::fmt::Result {
                self.0 += s.len();
                Ok(())
            }
        }
        let mut count = Count(0);
        let _ = write!(count, "{self}");
        count.0
    }
}

#[test]
fn nothing_is_allocated() {
    // The counter counts.
    assert_eq!(allocations(|| std::hint::black_box(Box::new(1u8))).0, 1);

    let lines = golden().unwrap();
    let mut buffer = Text::new();
    let mut seed = 1u32;
    let mut bytes = Vec::new();
    for line in lines.iter().step_by(7) {
        let mut words = line.words();
        words.resize(3, 0x1234_5678);
        bytes.extend(words.iter().flat_map(|w| w.to_le_bytes()));
        // The instruction, three that differ from it in a bit, and a text that is cut or has a letter more.
        let wrong = [&line.text[..line.text.len() - 1], &format!("{}x", line.text)].map(str::to_string);
        for text in [&line.text, &wrong[0], &wrong[1]] {
            let (count, seen) = allocations(|| all(&words, text, line.mode(), &mut buffer));
            assert_eq!(count, 0, "{text}");
            assert!(seen.is_some_and(|seen| seen > 0), "{}", line.text);
        }
        for _ in 0..3 {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let bit = (seed >> 16) as usize % 96;
            words[bit / 32] ^= 1 << (bit % 32);
            let (count, error) = allocations(|| {
                all(&words, "", line.mode(), &mut buffer);
                Instr::decode(&words, line.mode()).err().map_or(0, |e| e.words())
            });
            assert_eq!(count, 0, "{words:08x?}, an error of {error:?} letters");
        }
    }
    for wave in [Wave::W32, Wave::W64] {
        let (count, items) = allocations(|| Decoder::new(&bytes, wave).filter(|item| item.result.is_ok()).count());
        assert_eq!(count, 0);
        assert!(items.is_some_and(|items| items > lines.len() / 40));
    }
}

#[test]
fn sizes() {
    assert_eq!(size_of::<Instr>(), 16);
    assert_eq!(size_of::<Result<(Instr, usize), DecodeError>>(), 24);
    assert_eq!(size_of::<Text>(), 328);
}

//! Decodes bytes as code, in the wave size that the first one selects: every item encodes to its bytes, and every text parses to it.
#![no_main]

use isa_tests::sets::read_back;
use libfuzzer_sys::fuzz_target;
use rdna3::isa::Text;
use rdna3::{DecodeError, Decoder, Rdna3, Wave};

fuzz_target!(|data: &[u8]| {
    let Some((first, code)) = data.split_first() else { return };
    let wave = if first & 1 == 0 { Wave::W32 } else { Wave::W64 };
    let mut text = Text::new();
    let mut at = 0;
    for item in Decoder::new(code, wave) {
        assert_eq!(item.offset, at);
        let instr = match item.result {
            Ok(instr) => {
                read_back::<Rdna3>(&instr, wave, &mut text).unwrap();
                instr
            }
            Err(DecodeError::NonCanonical { instr, .. }) => {
                text.clear();
                instr.write(wave, &mut text);
                instr
            }
            Err(error) => {
                assert!(!error.to_string().is_empty());
                at = (at + 4).min(code.len());
                continue;
            }
        };
        assert!(!text.is_empty());
        let bytes: Vec<u8> = instr.encode().to_le_bytes().collect();
        assert_eq!(code.get(at..at + bytes.len()), Some(&*bytes));
        assert!(instr.operands(wave).count() < 16);
        let _ = instr.check(wave);
        at += bytes.len();
    }
    assert_eq!(at, code.len());
});

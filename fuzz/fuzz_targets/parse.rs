//! A line of text: what is read of it decodes, prints, and reads back.
#![no_main]

use isa_tests::sets::read_back;
use libfuzzer_sys::fuzz_target;
use rdna3::isa::{Options, Text};
use rdna3::{Instr, Rdna3, Wave};

fuzz_target!(|text: &str| {
    for mode in [Wave::W32, Wave::W64] {
        for lenient in [false, true] {
            match Instr::parse(text, Options { mode, lenient }) {
                Ok(instr) => {
                    assert_eq!(Instr::decode(&instr.encode(), mode), Ok((instr, instr.len())), "{text}");
                    read_back::<Rdna3>(&instr, mode, &mut Text::new()).unwrap();
                }
                Err(error) => {
                    assert!(!error.to_string().is_empty());
                    assert!(error.start <= error.end && error.end <= text.len().max(1), "{error:?} of {text:?}");
                }
            }
        }
    }
});

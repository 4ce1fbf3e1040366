//! Every row is lowered to steps, or the reason is known.

use std::collections::BTreeSet;

use isa_exec::fault::FaultKind;
use isa_exec::program::Program;
use isa_tests::property;
use rdna3::address::image::{address_layout, data_layout};
use rdna3::exec::Rdna3Machine;
use rdna3::isa::Isa;
use rdna3::isa::body::Fidelity;
use rdna3::isa::tables::{FixedBits, MAX_DWORDS};
use rdna3::{DecodeError, Instr, Rdna3};

use crate::machine::Random;

/// How many words of each row are tried, times the factor of `PROPERTY_CASES`.
const SAMPLES: usize = 15;

/// What errors say of something outside the machine: source codes of the ID of an exiting wave and of LDS after a parameter cache,
/// hardware registers without a value, and messages that a compute wave gets no answer to.
const OUTSIDE: [&str; 3] = ["is outside the machine", "hardware register ", "the message "];

/// Whether it is known which registers hold the parts of an image's address and data.
fn has_image_layout(words: &[u32], mode: rdna3::Wave) -> bool {
    match Instr::decode(words, mode) {
        Ok((instr, _)) | Err(DecodeError::NonCanonical { instr, .. }) => {
            address_layout(&instr).is_some() && data_layout(&instr).is_some()
        }
        Err(_) => false,
    }
}

#[test]
fn every_row_is_lowered() {
    let mut random = Random(7);
    let mut failed = BTreeSet::new();
    for format in Rdna3::tables().formats {
        for slot in
            format.components.iter().flat_map(|component| component.slots.iter().map(move |slot| (component, slot)))
        {
            for _ in 0..property::count(SAMPLES) {
                let mut words = [0; MAX_DWORDS].map(|_: u32| random.next() as u32);
                // Half of the time few bits, so that more words are instructions.
                if random.next() & 1 != 0 {
                    words = words.map(|word| word & random.next() as u32 & random.next() as u32);
                }
                slot.0.opcode.set(&mut words, slot.1.number.into());
                let FixedBits { mask, value } = &format.fixed;
                let words: [u32; MAX_DWORDS] = core::array::from_fn(|at| words[at] & !mask[at] | value[at]);
                let code: Vec<u8> = words.into_iter().flat_map(u32::to_le_bytes).collect();
                let mode = if random.next() & 1 == 0 { rdna3::Wave::W32 } else { rdna3::Wave::W64 };
                let program = Program::new::<Rdna3Machine>(&code, 0, mode, 256);
                let Some((0, name, error)) = program.unsupported(0).next() else { continue };
                let is_known = match error {
                    FaultKind::Undecodable(_) => true,
                    FaultKind::External(_) | FaultKind::Trap { .. } => {
                        let opcode = Rdna3::opcode_at(slot.1.opcode);
                        opcode.and_then(rdna3::Opcode::fidelity) == Some(Fidelity::External)
                    }
                    // The guide's tables lack the dimensions for the opcode, or registers are past the last one.
                    FaultKind::Unsupported(_) if format.name == "MIMG" => !has_image_layout(&words, mode),
                    FaultKind::Unsupported(error) => {
                        OUTSIDE.iter().any(|text| error.contains(text)) && !error.contains("`addr`")
                    }
                    _ => false,
                };
                if !is_known {
                    failed.insert(format!("{name}: {error:?}"));
                }
            }
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
}

//! Properties of all dwords and of all instructions.

use std::sync::LazyLock;

use isa::{DecodeError, Decoder, Isa};
use isa_tests::property;
use isa_tests::sets::{Set, encode, operands, read, text};
use isa_tests::vectors::{Line, golden, golden_of};
use proptest::prelude::*;
use rdna3::{Instr, Wave};

/// The properties of one set.
macro_rules! properties {
    ($module:ident, $set:ty) => {
        mod $module {
            use super::*;

            type S = $set;

            static GOLDEN: LazyLock<Vec<Line>> = LazyLock::new(|| golden_of::<S>().unwrap());

            /// Three dwords: anything, or a golden vector with up to three bits turned over and anything after it.
            fn words() -> impl Strategy<Value = [u32; 3]> {
                let near = (any::<prop::sample::Index>(), prop::collection::vec(0..96usize, 0..4), any::<[u32; 3]>());
                let near = near.prop_map(|(line, flips, behind)| {
                    let mut words = behind;
                    for (to, from) in words.iter_mut().zip(GOLDEN[line.index(GOLDEN.len())].words()) {
                        *to = from;
                    }
                    for bit in flips {
                        words[bit / 32] ^= 1 << (bit % 32);
                    }
                    words
                });
                prop_oneof![1 => any::<[u32; 3]>(), 3 => near]
            }

            fn mode() -> impl Strategy<Value = <S as isa::Isa>::Mode> {
                prop::sample::select(S::MODES).prop_map(|(_, mode)| mode)
            }

            proptest! {
                #![proptest_config(property::config(10_000))]

                #[test]
                fn words_decode_to_what_encodes_to_them(words in words(), mode in mode()) {
                    if let Ok((instr, length)) = isa::decode::<S>(&words, mode) {
                        prop_assert_eq!(length, encode::<S>(&instr).len());
                    }
                    if let Some(instr) = read::<S>(&words, mode) {
                        let encoded = encode::<S>(&instr);
                        prop_assert!(!encoded.is_empty());
                        prop_assert_eq!(&encoded[..], &words[..encoded.len()]);
                        // The dwords after an instruction do not change it.
                        prop_assert_eq!(isa::decode::<S>(&encoded, mode), isa::decode::<S>(&words, mode));
                    }
                }

                #[test]
                fn what_is_ready_is_what_kinds_give(words in words(), mode in mode()) {
                    if let Some(instr) = read::<S>(&words, mode) {
                        let ((format, words), len) = (S::parts(&instr), encode::<S>(&instr).len() as u8);
                        let mut by_kinds = isa::Text::new();
                        isa::__private::printer::write_text_slow::<S>(format, words, len, mode, &mut by_kinds);
                        prop_assert_eq!(text::<S>(&instr, mode), by_kinds.as_str());
                        let mut values = Vec::new();
                        isa::__private::operands::operands_slow::<S>(format, words, len, mode, |operand| values.push(operand));
                        prop_assert_eq!(operands::<S>(&instr, mode).collect::<Vec<_>>(), values);
                    }
                }

                #[test]
                fn the_quick_way_and_the_full_account_agree(words in words(), have in 1..=3usize, mode in mode()) {
                    let mut cut = words;
                    cut[have..].fill(0);
                    let full = isa::__private::decoder::decode_slow::<S>(cut, have, mode);
                    prop_assert_eq!(isa::decode::<S>(&words[..have], mode), full);
                }

                #[test]
                fn everything_that_decodes_has_text_and_operands_that_can_be_listed(words in words(), mode in mode()) {
                    match isa::decode::<S>(&words, mode) {
                        Ok((instr, _)) | Err(DecodeError::NonCanonical { instr, .. }) => {
                            let text = text::<S>(&instr, mode);
                            prop_assert!(!text.trim().is_empty());
                            prop_assert!(text.is_ascii());
                            prop_assert!(operands::<S>(&instr, mode).count() < 16);
                        }
                        Err(error) => prop_assert!(!error.to_string().is_empty()),
                    }
                }

                #[test]
                fn too_few_words_are_said_to_be_too_few(words in words(), mode in mode()) {
                    if let Some(instr) = read::<S>(&words, mode) {
                        for have in 0..encode::<S>(&instr).len() {
                            match isa::decode::<S>(&words[..have], mode) {
                                Err(DecodeError::Truncated { need, have: said }) => {
                                    prop_assert_eq!(usize::from(said), have);
                                    prop_assert!(usize::from(need) > have && usize::from(need) <= encode::<S>(&instr).len());
                                }
                                other => prop_assert!(false, "{} of {} dwords: {:?}", have, encode::<S>(&instr).len(), other),
                            }
                        }
                    }
                }
            }

            proptest! {
                #![proptest_config(property::config(1_000))]

                #[test]
                fn a_decoder_visits_every_byte_once(
                    words in prop::collection::vec(words(), 0..20),
                    end in prop::collection::vec(any::<u8>(), 0..4),
                    mode in mode(),
                ) {
                    let mut bytes: Vec<u8> = words.iter().flatten().flat_map(|w| w.to_le_bytes()).collect();
                    bytes.extend(end);
                    let mut at = 0;
                    for item in Decoder::<S>::new(&bytes, mode) {
                        prop_assert_eq!(item.offset, at);
                        let dwords = match item.result {
                            Ok(instr) | Err(DecodeError::NonCanonical { instr, .. }) => encode::<S>(&instr).len(),
                            Err(_) => 1,
                        };
                        at = (at + 4 * dwords).min(bytes.len());
                    }
                    prop_assert_eq!(at, bytes.len());
                }
            }
        }
    };
}

properties!(rdna3_words, rdna3::Rdna3);
properties!(rdna4_words, rdna4::Rdna4);
properties!(gcn1_0_words, gcn::gcn1_0::Gcn1_0);
properties!(gcn1_1_words, gcn::gcn1_1::Gcn1_1);
properties!(gcn1_2_words, gcn::gcn1_2::Gcn1_2);
properties!(gcn1_4_words, gcn::gcn1_4::Gcn1_4);

/// Asserts of every listed field that setting it to what it is changes nothing.
macro_rules! put_back {
    ($instr:expr, $line:expr, $($format:ident { $($get:ident $with:ident),* $(,)? })*) => {
        match $instr {
            $(Instr::$format(x) => {
                $(assert_eq!(x.$with(x.$get()), Ok(x), "{} {}", stringify!($with), $line.text);)*
            })*
            // It has no fields.
            Instr::Illegal(_) => {}
        }
    };
}

#[test]
fn a_field_set_to_what_it_is_changes_nothing() {
    for line in golden().unwrap() {
        // Setting a field decodes anew, first as wave32: an instruction of wave64 alone may be another one there.
        let Ok((instr, _)) = Instr::decode(&line.words(), Wave::W32) else { continue };
        put_back!(instr, line,
            Sop2 { sdst with_sdst, ssrc1 with_ssrc1, ssrc0 with_ssrc0 }
            Sopk { sdst with_sdst, simm16 with_simm16 }
            Sop1 { sdst with_sdst, ssrc0 with_ssrc0 }
            Sopc { ssrc1 with_ssrc1, ssrc0 with_ssrc0 }
            Sopp { simm16 with_simm16 }
            Smem {
                soffset with_soffset, offset with_offset, glc with_glc, dlc with_dlc, sdata with_sdata,
                sbase with_sbase,
            }
            Vop2 { vdst with_vdst, vsrc1 with_vsrc1, src0 with_src0 }
            Vop1 { vdst with_vdst, src0 with_src0 }
            Vopc { vsrc1 with_vsrc1, src0 with_src0 }
            Vop3 {
                vdst with_vdst, abs0 with_abs0, abs1 with_abs1, abs2 with_abs2, opsel with_opsel, clmp with_clmp,
                src0 with_src0, src1 with_src1, src2 with_src2, omod with_omod, neg0 with_neg0, neg1 with_neg1,
                neg2 with_neg2,
            }
            Vop3sd {
                vdst with_vdst, sdst with_sdst, clmp with_clmp, src0 with_src0, src1 with_src1, src2 with_src2,
                omod with_omod, neg0 with_neg0, neg1 with_neg1, neg2 with_neg2,
            }
            Vop3p {
                vdst with_vdst, neg_hi with_neg_hi, opsel with_opsel, opsel_hi2 with_opsel_hi2, clmp with_clmp,
                src0 with_src0, src1 with_src1, src2 with_src2, opsel_hi with_opsel_hi, neg with_neg,
            }
            Vopd {
                srcx0 with_srcx0, vsrcx1 with_vsrcx1, srcy0 with_srcy0, vsrcy1 with_vsrcy1, vdsty with_vdsty,
                vdstx with_vdstx,
            }
            Vinterp {
                vdst with_vdst, waitexp with_waitexp, opsel with_opsel, clmp with_clmp, src0 with_src0,
                src1 with_src1, src2 with_src2, neg0 with_neg0, neg1 with_neg1, neg2 with_neg2,
            }
            Ldsdir { vdst with_vdst, attr_chan with_attr_chan, attr with_attr, wait_va with_wait_va }
            Ds {
                offset0 with_offset0, offset1 with_offset1, gds with_gds, addr with_addr, data0 with_data0,
                data1 with_data1, vdst with_vdst,
            }
            Mtbuf {
                offset with_offset, slc with_slc, dlc with_dlc, glc with_glc, vaddr with_vaddr, vdata with_vdata,
                srsrc with_srsrc, tfe with_tfe, offen with_offen, idxen with_idxen, soffset with_soffset,
            }
            Mubuf {
                offset with_offset, slc with_slc, dlc with_dlc, glc with_glc, vaddr with_vaddr, vdata with_vdata,
                srsrc with_srsrc, tfe with_tfe, offen with_offen, idxen with_idxen, soffset with_soffset,
            }
            Mimg {
                dim with_dim, unrm with_unrm, dmask with_dmask, slc with_slc, dlc with_dlc, glc with_glc,
                r128 with_r128, a16 with_a16, d16 with_d16, vaddr with_vaddr, vdata with_vdata, srsrc with_srsrc,
                tfe with_tfe, lwe with_lwe, ssamp with_ssamp,
            }
            Flat {
                offset with_offset, dlc with_dlc, glc with_glc, slc with_slc, addr with_addr, data with_data,
                vdst with_vdst,
            }
            Scratch {
                offset with_offset, dlc with_dlc, glc with_glc, slc with_slc, addr with_addr, data with_data,
                saddr with_saddr, sve with_sve, vdst with_vdst,
            }
            Global {
                offset with_offset, dlc with_dlc, glc with_glc, slc with_slc, addr with_addr, data with_data,
                saddr with_saddr, vdst with_vdst,
            }
            Exp {
                en with_en, target with_target, done with_done, row with_row, vsrc0 with_vsrc0, vsrc1 with_vsrc1,
                vsrc2 with_vsrc2, vsrc3 with_vsrc3,
            }
        );
    }
}

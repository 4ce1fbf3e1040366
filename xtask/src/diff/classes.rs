//! The classes of difference from LLVM that docs/reference/disagreements.md lists: each has a predicate that says what exactly
//! differs in which rows and fields. Most of them derive LLVM's text from ours, so that a text with a further difference is not in the
//! class.

use rdna3::Wave;
use rdna3::operands::INLINE_FLOATS;

use crate::names::mnemonics;

use super::difference::{Difference, Kind, edits, hexadecimal, only_edit, unsigned};

/// A class of difference between the disassemblers.
pub struct Class {
    pub name: &'static str,
    pub kind: Kind,
    /// Where and what, in words, for the page.
    pub what: &'static str,
    /// Words that differ so, as hex digits in memory order.
    pub example: (Wave, &'static str),
    is: fn(&Difference) -> Option<bool>,
}

/// The classes of RDNA3, of which RDNA4 has some.
pub static CLASSES: [Class; 25] = [
    Class {
        name: "rows that LLVM lacks",
        kind: Kind::LlvmRefuses,
        what: "rows with the word `llvm_lacks`",
        example: (Wave::W64, "ffbfc6dc9e004000"),
        is: |d| Some(d.llvm_lacks),
    },
    Class {
        name: "V_READFIRSTLANE_B32 in VOP3",
        kind: Kind::LlvmRefuses,
        what: "VOP3 386",
        example: (Wave::W64, "010082d5fd010000"),
        is: |d| Some(d.format == "VOP3" && d.row == "V_READFIRSTLANE_B32"),
    },
    Class {
        name: "MTBUF TFE",
        kind: Kind::LlvmRefuses,
        what: "MTBUF with TFE = 1",
        example: (Wave::W64, "0000cee8008da301"),
        is: |d| Some(d.format == "MTBUF" && d.field("TFE")? == 1),
    },
    Class {
        name: "DPP control of V_FMA_MIX",
        kind: Kind::LlvmRemarks,
        what: "V_FMA_MIX* with DPP16 and a DPP_CTRL of 193 to 254: a remark instead of `quad_perm`",
        example: (Wave::W64, "ff0022ccfafe6700ffc50861"),
        is: |d| {
            let (before, rest) = d.ours.split_once("quad_perm:[")?;
            let (_, behind) = rest.split_once(']')?;
            let remark = format!("{before}/* Invalid dpp_ctrl value */{behind}");
            let control = (193..255).contains(&(d.suffix_dword()? >> 8 & 0x1ff));
            Some(d.is_row(&["V_FMA_MIX*"]) && control && d.llvm == remark)
        },
    },
    Class {
        name: "quad_perm of V_FMA_MIX",
        kind: Kind::Text,
        what: "V_FMA_MIX* with DPP16 and a DPP_CTRL of 128 to 192: another `quad_perm`",
        example: (Wave::W64, "a20822ccfaf82aaf3a9700f8"),
        is: |d| other_quad_perm(d, d.llvm),
    },
    Class {
        name: "quad_perm of V_FMA_MIX beside a remark",
        kind: Kind::LlvmRemarks,
        what: "the same with a scalar SRC1, which LLVM remarks on: another `quad_perm`",
        example: (Wave::W32, "ff0421ccfacaf005458e2c5d"),
        is: |d| {
            let (before, rest) = d.llvm.split_once("/*Invalid register")?;
            let (_, behind) = rest.split_once("*/")?;
            other_quad_perm(d, &format!("{before}{behind}"))
        },
    },
    Class {
        name: "selectors of DPP8",
        kind: Kind::Text,
        what: "VOP1, V_FMAC*, V_DOT2ACC* and V_FMA_MIX* with DPP8 whose 24 bits of selectors are 128 to 254: others",
        example: (Wave::W64, "eaaefe7fa3800000"),
        is: |d| {
            let (ours, llvm) = only_edit(d.ours, d.llvm)?;
            let small = (128..255).contains(&(d.suffix_dword()? >> 8));
            Some(reads_selectors(d) && small && ours.starts_with("dpp8:") && llvm.starts_with("dpp8:"))
        },
    },
    Class {
        name: "selectors that are 255",
        kind: Kind::Crash,
        what: "the same rows with DPP8 and 255 in its 24 bits, V_FMA_MIX* with DPP16 and a DPP_CTRL of 255",
        example: (Wave::W64, "ff8621ccfa46cb03a9ff0490"),
        is: |d| {
            let suffix_dword = d.suffix_dword()?;
            let eight = d.ours.contains(" dpp8:[") && reads_selectors(d) && suffix_dword >> 8 == 255;
            let sixteen =
                d.ours.contains(" quad_perm:[") && d.is_row(&["V_FMA_MIX*"]) && suffix_dword >> 8 & 0x1ff == 255;
            Some(eight || sixteen)
        },
    },
    Class {
        name: "selectors that are 255, and a following dword",
        kind: Kind::Text,
        what: "the same rows of two dwords with DPP8 and 255 in its 24 bits: those of the next dword",
        example: (Wave::W64, "ea44247e1bff0000dd23bdc9"),
        is: |d| {
            let (ours, llvm) = only_edit(d.ours, d.llvm)?;
            let behind = d.words.get(d.length?)?;
            let selectors: Vec<String> = (0..8).map(|n| (behind >> (3 * n) & 7).to_string()).collect();
            let same = llvm == format!("dpp8:[{}]", selectors.join(","));
            Some(reads_selectors(d) && d.suffix_dword()? >> 8 == 255 && ours.starts_with("dpp8:") && same)
        },
    },
    Class {
        name: "constants of V_FMAC with DPP",
        kind: Kind::Text,
        what: "V_FMAC_F32 and V_FMAC_F16 in VOP3 with DPP: SRC1 as its code",
        example: (Wave::W64, "05032bd5e94801009dffffff"),
        is: |d| Some(is_fmac(d) && is_code(d, only_edit(d.ours, d.llvm))?),
    },
    Class {
        name: "a literal of V_FMAC with DPP",
        kind: Kind::WeRefuse,
        what: "the same with 255 in SRC1: `0xff`",
        example: (Wave::W32, "c5002bd5e9fe010052000000"),
        is: |d| {
            let other = d.text_with(&[("SRC1", 128)])?;
            let (ours, llvm) = only_edit(&other, d.llvm)?;
            let there = d.refused_suffix_dword && d.field("SRC1")? == 255;
            Some(there && is_fmac(d) && unsigned(ours) == "0" && unsigned(llvm) == "0xff")
        },
    },
    Class {
        name: "a literal beside DPP",
        kind: Kind::Crash,
        what: "VOP3, VOP3SD and VOP3P with DPP and 255 in SRC1, in SRC2 or in VDST as a lane mask",
        example: (Wave::W32, "210023d7e9fe0100f6ffffff"),
        is: |d| {
            let dpp = matches!(d.words[1] & 0x1ff, 0xe9 | 0xea | 0xfa);
            let source = |at: u32| d.words[1] >> at & 0x1ff == 255;
            let literal = source(9) || source(18) || refused_mask(d) == Some(("VDST", 255));
            Some(matches!(d.format, "VOP3" | "VOP3SD" | "VOP3P") && dpp && literal && d.length.is_none())
        },
    },
    Class {
        name: "a literal as SOFFSET",
        kind: Kind::WeRefuse,
        what: "MUBUF and MTBUF with 255 in SOFFSET: the next dword",
        example: (Wave::W32, "a7b032e879b5dfff3684c4c1"),
        is: |d| {
            let code = d.refused_code("MUBUF", "SOFFSET").or_else(|| d.refused_code("MTBUF", "SOFFSET"))?;
            let other = d.text_with(&[("SOFFSET", 124)])?;
            let (ours, llvm) = only_edit(&other, d.llvm)?;
            Some(code == 255 && ours == "null" && is_literal(llvm, d.words[2]))
        },
    },
    Class {
        name: "a source that is not a VGPR where one is required",
        kind: Kind::WeRefuse,
        what: "SRC0 of V_MOVREL*, V_PERMLANE*, V_SWAP*, V_READLANE_B32 and V_READFIRSTLANE_B32, SRC0 and SRC1 of V_WMMA*, \
               SRC1 of V_FMA_MIX* with DPP, SRC2 of V_MQSAD_U32_U8: apertures, flags and NULL by name",
        example: (Wave::W64, "fdcc807e"),
        is: |d| {
            let one = ["V_MOVREL*", "V_PERMLANE*", "V_SWAP*", "V_READLANE_B32", "V_READFIRSTLANE_B32"];
            let fields: &[&str] = if d.is_row(&one) {
                &["SRC0"]
            } else if d.is_row(&["V_WMMA*"]) {
                &["SRC0", "SRC1"]
            } else if d.is_row(&["V_FMA_MIX*"]) && dpp(d) {
                &["SRC1"]
            } else if d.is_row(&["V_MQSAD_U32_U8"]) {
                &["SRC2"]
            } else {
                return None;
            };
            let formats = ["VOP1", "VOP3", "VOP3P"];
            let refused = |field: &&str| formats.iter().any(|format| d.refused_code(format, field).is_some());
            fields.iter().find(|field| refused(field))?;
            let named: Vec<_> =
                fields.iter().filter_map(|field| Some((*field, source_name(d.field(field)?)?))).collect();
            let as_vgprs: Vec<_> = named.iter().map(|(field, _)| (*field, 256)).collect();
            let vgpr = |part: &str| part.starts_with("v0") || part.starts_with("v[0:");
            let known = |(ours, llvm): (&str, &str)| {
                vgpr(unsigned(ours)) && named.iter().any(|(_, name)| *name == unsigned(llvm))
            };
            let explains = |text: &String| edits(text, d.llvm).is_some_and(|edits| edits.into_iter().all(known));
            Some(d.text_with(&as_vgprs).iter().chain(&with_fewer_halves(d, &as_vgprs)).any(explains))
        },
    },
    Class {
        name: "OPSEL of absent operands and constants",
        kind: Kind::WeRefuse,
        what: "VOP3 with bits in OPSEL that no half goes with: the text without them, registers as if they were whole",
        example: (Wave::W64, "2ce98bd5ff010008"),
        is: |d| {
            d.refused_code("VOP3", "OPSEL")?;
            let same =
                |text: &String| text == d.llvm || is_fmac(d) && is_code(d, only_edit(text, d.llvm)) == Some(true);
            Some(with_fewer_halves(d, &[]).iter().any(same))
        },
    },
    Class {
        name: "an odd register as a pair",
        kind: Kind::WeRefuse,
        what: "lane masks of wave64 (VDST of V_CMP_* in VOP3, SDST of VOP3SD, SRC2 of V_CNDMASK* and of sums with a carry): \
               the even register",
        example: (Wave::W64, "3f0059d480240100"),
        is: |d| {
            let (_, code) = refused_mask(d)?;
            Some(is_sgpr(code) && code & 1 == 1 && are_llvms_masks(d)?)
        },
    },
    Class {
        name: "a code that is not a register as a lane mask",
        kind: Kind::WeRefuse,
        what: "the same fields in either wave size: apertures and flags by name where they are written; VGPRs in SRC2",
        example: (Wave::W32, "ffef20d5ea561704fc8c8b38"),
        is: |d| {
            let (_, code) = refused_mask(d)?;
            Some(!is_sgpr(code) && are_llvms_masks(d)?)
        },
    },
    Class {
        name: "a code that is not a register as a scalar written",
        kind: Kind::WeRefuse,
        what: "VDST of V_READLANE_B32 and V_READFIRSTLANE_B32: apertures and flags by name",
        example: (Wave::W32, "2905d87f"),
        is: |d| {
            let code = ["VOP1", "VOP3"].iter().find_map(|format| d.refused_code(format, "VDST"))?;
            let other = d.text_with(&[("VDST", 0)])?;
            let row = d.is_row(&["V_READLANE_B32", "V_READFIRSTLANE_B32"]);
            Some(row && only_edit(&other, d.llvm)? == ("s0", source_name(code)?))
        },
    },
    Class {
        name: "a source of VINTERP that is not a VGPR",
        kind: Kind::WeRefuse,
        what: "VINTERP with a code below 256 in SRC0, SRC1 or SRC2: apertures and flags by name, of others the VGPR of that \
               number",
        example: (Wave::W64, "7c1482cdc212a7b4"),
        is: |d| {
            // Several may be so; all are taken for VGPRs.
            let fields = ["SRC0", "SRC1", "SRC2"];
            fields.iter().find_map(|field| d.refused_code("VINTERP", field))?;
            let mut words = d.words;
            words[1] |= 1 << 8 | 1 << 17 | 1 << 26;
            let named: Vec<_> =
                fields.iter().filter_map(|field| d.field(field)).filter_map(|c| Some((c, source_name(c)?))).collect();
            let known = |(ours, llvm): (&str, &str)| {
                let register = |code: u32| unsigned(ours).trim_end_matches(['.', 'l', 'h']) == format!("v{code}");
                named.iter().any(|(code, name)| register(*code) && unsigned(llvm) == *name)
            };
            Some(edits(&(d.lookup.text)(&words, d.wave)?, d.llvm)?.into_iter().all(known))
        },
    },
    Class {
        name: "V_FMA_MIX under an older ENCODING of VOP3P",
        kind: Kind::WeRefuse,
        what: "words from 0xd3a00000 to 0xd3a2ffff: V_FMA_MIX*",
        example: (Wave::W64, "50d1a1d32a2bd014"),
        is: |d| {
            let mut words = d.words;
            words[0] = words[0] & 0x3_ffff | 0xcc20_0000;
            Some(
                (0xd3a0..=0xd3a2).contains(&(d.words[0] >> 16))
                    && (d.lookup.text)(&words, d.wave).as_deref() == Some(d.llvm),
            )
        },
    },
    Class {
        name: "a literal as C of V_WMMA",
        kind: Kind::Text,
        what: "V_WMMA* with 255 in SRC2, non-canonical: `lit(…)` or a decimal number",
        example: (Wave::W64, "880043cc1bffff0312000000"),
        is: |d| {
            let (ours, llvm) = only_edit(d.ours, d.llvm)?;
            let same = hexadecimal(ours)? == d.words[2] && is_literal(llvm, d.words[2]);
            Some(d.is_row(&["V_WMMA*"]) && d.field("SRC2")? == 255 && same)
        },
    },
    Class {
        name: "1/(2 pi) as C of V_WMMA",
        kind: Kind::Text,
        what: "V_WMMA* with 248 in SRC2: written as an f64",
        example: (Wave::W32, "b64044cc2c01e21b"),
        is: |d| {
            let (ours, llvm) = only_edit(d.ours, d.llvm)?;
            let same = ours == "0.15915494" && llvm == "0.15915494309189532";
            Some(d.is_row(&["V_WMMA*"]) && d.field("SRC2")? == 248 && same)
        },
    },
    Class {
        name: "mandatory literals below 256",
        kind: Kind::Text,
        what: "V_FMAAK*, V_FMAMK*, V_DUAL_FMAAK* and V_DUAL_FMAMK* with a literal from 0x80 to 0xff: the constant of that code",
        example: (Wave::W64, "11ffcd58b8000000"),
        is: |d| {
            let row = mnemonics(d.ours).any(|name| name.contains("fmaak") || name.contains("fmamk"));
            let half = d.row.ends_with("_F16");
            let is_constant = |(ours, llvm): &(&str, &str)| {
                let literal = hexadecimal(ours)?;
                Some(literal == d.suffix_dword()? && constant_bits(literal, half)? == hexadecimal(llvm)?)
            };
            let edits = edits(d.ours, d.llvm)?;
            Some(row && edits.iter().all(|edit| is_constant(edit) == Some(true)))
        },
    },
    Class {
        name: "mandatory literals of 255",
        kind: Kind::Crash,
        what: "V_FMAAK_F16 and V_FMAMK_F16 with a literal of 0xff",
        example: (Wave::W64, "00000470ff00000023d6f6d6"),
        is: |d| Some(d.is_row(&["V_FMAAK_F16", "V_FMAMK_F16"]) && d.suffix_dword()? == 255),
    },
    Class {
        name: "the literal of V_DUAL_FMAAK as a source",
        kind: Kind::Text,
        what: "VOPD with a mandatory literal that is a source too: that source as an inline constant",
        example: (Wave::W32, "010782c8ff06000002000000"),
        is: |d| {
            let edits = edits(d.ours, d.llvm)?;
            let literal = d.suffix_dword()?;
            let written = format!("lit({literal:#x})");
            let same = edits.iter().all(|(ours, llvm)| *ours == written && is_literal(llvm, literal));
            Some(d.format == "VOPD" && same)
        },
    },
];

/// The classes of RDNA4 alone.
pub static RDNA4: [Class; 16] = [
    Class {
        name: "literals as barrier numbers",
        kind: Kind::Crash,
        what: "S_BARRIER_SIGNAL*, S_BARRIER_INIT, S_BARRIER_JOIN and S_GET_BARRIER_STATE with 255 in SSRC0",
        example: (Wave::W64, "ff4e80be9b0500001f1f52f8"),
        is: |d| Some(d.is_row(&["S_BARRIER_*", "S_GET_BARRIER_STATE"]) && d.field("SSRC0")? == 255),
    },
    Class {
        name: "src_lds_direct as a barrier number",
        kind: Kind::WeRefuse,
        what: "S_BARRIER_* and S_GET_BARRIER_STATE with 254 in SSRC0",
        example: (Wave::W64, "fe52b0beffffffff0bcc6c0d"),
        is: |d| Some(d.refused_code("SOP1", "SSRC0")? == 254 && d.llvm.ends_with("src_lds_direct")),
    },
    Class {
        name: "S_LOAD_B96 into trap registers",
        kind: Kind::LlvmRemarks,
        what: "S_LOAD_B96 and S_BUFFER_LOAD_B96 into `ttmp`: eight registers and a remark",
        example: (Wave::W64, "15bd00f44eba560441ce227f"),
        is: |d| {
            let without = super::without_remarks(d.llvm);
            let rows = d.is_row(&["S_LOAD_B96", "S_BUFFER_LOAD_B96"]);
            let (ours, _) = edits(d.ours, &without)?.into_iter().next()?;
            Some(rows && ours.starts_with("ttmp["))
        },
    },
    Class {
        name: "S_LOAD_B96 into the last trap registers",
        kind: Kind::LlvmRefuses,
        what: "the same into ttmp[12:14]",
        example: (Wave::W32, "3ebe00f4a2b79b40f23fafe5"),
        is: |d| Some(d.is_row(&["S_LOAD_B96", "S_BUFFER_LOAD_B96"]) && d.ours.contains("ttmp[12:14]")),
    },
    Class {
        name: "signs of V_CNDMASK_B32 with DPP",
        kind: Kind::Text,
        what: "V_CNDMASK_B32 and V_CNDMASK_B16 in VOP2 with DPP and a sign of the second source: `vcc` inside of it",
        example: (Wave::W64, "fafef103da228cb0fb0ccc18"),
        is: |d| {
            let mask = if d.wave == Wave::W64 { "vcc" } else { "vcc_lo" };
            let moved = d.llvm.replace(&format!(", {mask}|"), &format!("|, {mask}"));
            Some(d.is_row(&["V_CNDMASK_B32", "V_CNDMASK_B16"]) && d.format == "VOP2" && moved == d.ours)
        },
    },
    Class {
        name: "negative offsets of scalar buffers",
        kind: Kind::LlvmRefuses,
        what: "S_BUFFER_* and S_ATC_PROBE_BUFFER with a negative OFFSET",
        example: (Wave::W64, "0c4702f40eb5f246e5b5df73"),
        is: |d| Some(d.is_row(&["S_BUFFER_*", "S_ATC_PROBE_BUFFER"]) && d.field("OFFSET")? >> 23 == 1),
    },
    Class {
        name: "VGPRs of scalar transcendental instructions",
        kind: Kind::LlvmRemarks,
        what: "V_S_EXP_F32 and its kin with a VGPR as the source: a remark after it",
        example: (Wave::W64, "000080d67f01fc030000b0c1"),
        is: |d| {
            let remark = "/*Invalid register, operand has 'SReg_32' register class*/";
            Some(d.is_row(&["V_S_*"]) && d.field("SRC0")? >= 256 && d.llvm.replace(remark, "") == d.ours)
        },
    },
    Class {
        name: "resources and samplers of nine bits",
        kind: Kind::LlvmRemarks,
        what: "VIMAGE and VSAMPLE with reserved bits over RSRC or SAMP: the source of that code, with a remark",
        example: (Wave::W32, "000101d1ea389d00ff000000"),
        is: |d| {
            let without = super::without_remarks(d.llvm);
            let scalar = |(ours, _): (&str, &str)| ["s[", "ttmp[", "null"].iter().any(|start| ours.starts_with(start));
            let high = d.words[1] >> 16 & 3 != 0 || d.format == "VSAMPLE" && d.words[1] >> 30 != 0;
            let is_image = matches!(d.format, "VIMAGE" | "VSAMPLE");
            Some(is_image && high && edits(d.ours, &without)?.into_iter().all(scalar))
        },
    },
    Class {
        name: "a literal as a resource or a sampler",
        kind: Kind::Crash,
        what: "VIMAGE and VSAMPLE with 255 in the nine bits of RSRC or SAMP",
        example: (Wave::W32, "10c006e50000e27f00000000"),
        is: |d| {
            let literal = d.words[1] >> 9 & 0x1ff == 255 || d.format == "VSAMPLE" && d.words[1] >> 23 == 255;
            Some(matches!(d.format, "VIMAGE" | "VSAMPLE") && literal)
        },
    },
    Class {
        name: "V_FMA_MIX in VIMAGE",
        kind: Kind::Text,
        what: "words of VIMAGE from 0xd3a00000 to 0xd3a2ffff: V_FMA_MIX*",
        example: (Wave::W64, "40c0a0d3bbe0103a6f496df7"),
        is: |d| Some((0xd3a0..=0xd3a2).contains(&(d.words[0] >> 16)) && d.llvm.starts_with("v_fma_mix")),
    },
    Class {
        name: "VINTERP with bits over OP",
        kind: Kind::WeRefuse,
        what: "VINTERP with bit 21 or 22, which LLVM ignores, and VGPRs or other sources",
        example: (Wave::W32, "e9ef62cdbc351a9ced5c4e50"),
        is: |d| {
            let mut words = d.words;
            words[0] &= !(3 << 21);
            words[1] |= 1 << 8 | 1 << 17 | 1 << 26;
            let has_bits = d.words[0] >> 24 == 0xcd && d.words[0] >> 21 & 3 != 0;
            let known = |(ours, llvm): (&str, &str)| {
                let register = unsigned(ours).trim_end_matches(['.', 'l', 'h']).strip_prefix('v');
                let code = register.and_then(|number| number.parse().ok());
                code.and_then(source_name).is_some_and(|name| name == unsigned(llvm))
            };
            Some(has_bits && edits(&(d.lookup.text)(&words, d.wave)?, d.llvm)?.into_iter().all(known))
        },
    },
    Class {
        name: "a code that is not a register as a scalar result",
        kind: Kind::WeRefuse,
        what: "VDST of V_S_EXP_F32 and its kin: apertures and flags by name",
        example: (Wave::W32, "fb8081d63f000000b624683e"),
        is: |d| {
            let code = d.refused_code("VOP3", "VDST")?;
            let other = d.text_with(&[("VDST", 0)])?;
            Some(d.is_row(&["V_S_*"]) && only_edit(&other, d.llvm)? == ("s0", source_name(code)?))
        },
    },
    Class {
        name: "a source of V_SWMMAC that is not a VGPR",
        kind: Kind::WeRefuse,
        what: "V_SWMMAC* with apertures, flags or NULL in SRC0, SRC1 or SRC2: their names",
        example: (Wave::W64, "844851ccfdde4b1f0000a642"),
        is: |d| {
            let fields = ["SRC0", "SRC1", "SRC2"];
            fields.iter().find_map(|field| d.refused_code("VOP3P", field))?;
            let codes: Vec<_> = fields.iter().filter_map(|field| Some((*field, d.field(field)?))).collect();
            let scalar = || codes.iter().filter(|(_, code)| *code < 256);
            let as_vgprs: Vec<_> = scalar().map(|(field, _)| (*field, 256)).collect();
            let known = |(ours, llvm): (&str, &str)| {
                let vgpr = ours == "v0" || ours.starts_with("v[0:");
                vgpr && scalar().any(|(_, code)| source_name(*code) == Some(llvm))
            };
            let text = d.text_with(&as_vgprs)?;
            Some(d.is_row(&["V_SWMMAC*"]) && edits(&text, d.llvm)?.into_iter().all(known))
        },
    },
    Class {
        name: "a literal as C of V_WMMA_F16",
        kind: Kind::Text,
        what: "V_WMMA_F16* and V_WMMA_BF16* with 255 in SRC2, non-canonical: its lower half",
        example: (Wave::W32, "af4042cc5887fe1bb4acd9c9"),
        is: |d| {
            let (ours, llvm) = only_edit(d.ours, d.llvm)?;
            let half = d.words[2] & 0xffff;
            let same = hexadecimal(ours)? == d.words[2] && (is_literal(llvm, half) || hexadecimal(llvm) == Some(half));
            Some(d.is_row(&["V_WMMA_F16*", "V_WMMA_BF16*"]) && d.field("SRC2")? == 255 && same)
        },
    },
    Class {
        name: "quad_perm of V_CVT_PK_FP8_F32",
        kind: Kind::Text,
        what: "V_CVT_PK_FP8_F32 and V_CVT_PK_BF8_F32 with DPP16 and a DPP_CTRL of 128 to 192: another `quad_perm`; with DPP8 and \
               24 bits of selectors of 128 to 254: others",
        example: (Wave::W64, "e4426ad7fa440020efa208aa"),
        is: |d| {
            let (ours, llvm) = only_edit(d.ours, d.llvm)?;
            let control = (128..193).contains(&(d.suffix_dword()? >> 8 & 0x1ff)) && ours.starts_with("quad_perm:");
            let eight = (128..255).contains(&(d.suffix_dword()? >> 8)) && ours.starts_with("dpp8:");
            let alike = ours.split('[').next() == llvm.split('[').next();
            Some(d.is_row(&["V_CVT_PK_FP8_F32", "V_CVT_PK_BF8_F32"]) && (control || eight) && alike)
        },
    },
    Class {
        name: "DPP control of V_CVT_PK_FP8_F32",
        kind: Kind::LlvmRemarks,
        what: "the same with a DPP_CTRL of 193 to 254: a remark instead of `quad_perm`",
        example: (Wave::W32, "6f4a69d7fa3e014000c10000"),
        is: |d| {
            let (before, rest) = d.ours.split_once("quad_perm:[")?;
            let (_, behind) = rest.split_once(']')?;
            let remark = format!("{before}/* Invalid dpp_ctrl value */{behind}");
            let control = (193..255).contains(&(d.suffix_dword()? >> 8 & 0x1ff));
            Some(d.is_row(&["V_CVT_PK_FP8_F32", "V_CVT_PK_BF8_F32"]) && control && d.llvm == remark)
        },
    },
];

/// The class that a difference belongs to.
pub fn class(difference: &Difference) -> Option<&'static Class> {
    CLASSES.iter().chain(&RDNA4).find(|class| class.kind == difference.kind && (class.is)(difference) == Some(true))
}

/// Whether V_FMA_MIX* has a control that LLVM shows as another `quad_perm`, and its text, as given, differs in that alone.
fn other_quad_perm(d: &Difference, llvm: &str) -> Option<bool> {
    let (ours, llvm) = only_edit(d.ours, llvm)?;
    let control = (128..193).contains(&(d.suffix_dword()? >> 8 & 0x1ff));
    Some(d.is_row(&["V_FMA_MIX*"]) && control && ours.starts_with("quad_perm:") && llvm.starts_with("quad_perm:"))
}

/// V_FMAC in VOP3 with DPP.
fn is_fmac(d: &Difference) -> bool {
    d.format == "VOP3" && d.is_row(&["V_FMAC_F32", "V_FMAC_F16"]) && dpp(d)
}

/// Returns whether a DPP dword follows.
fn dpp(d: &Difference) -> bool {
    matches!(d.field("SRC0"), Some(0xe9 | 0xea | 0xfa))
}

/// Whether the one part that differs is the code of SRC1.
fn is_code(d: &Difference, edit: Option<(&str, &str)>) -> Option<bool> {
    Some(hexadecimal(unsigned(edit?.1))? == d.field("SRC1")?)
}

/// The rows whose selectors LLVM reads as the code of a source.
fn reads_selectors(d: &Difference) -> bool {
    d.format == "VOP1" || matches!(d.format, "VOP2" | "VOP3P") && d.is_row(&["V_FMAC*", "V_DOT2ACC*", "V_FMA_MIX*"])
}

/// Our texts of a VOP3 with these fields and fewer bits in OPSEL, or none and registers as if they were whole.
fn with_fewer_halves(d: &Difference, fields: &[(&'static str, u32)]) -> Vec<String> {
    let Some(code) = d.field("OPSEL").filter(|_| d.format == "VOP3") else { return Vec::new() };
    let with = |part| d.text_with(&[fields, &[("OPSEL", part)]].concat());
    let whole = with(0).map(|text| text.replace(".l", ""));
    (0..code).filter(|part| part & !code == 0).filter_map(with).chain(whole).collect()
}

/// The fields that hold lane masks, and their codes.
fn masks(d: &Difference) -> Vec<(&'static str, u32)> {
    let reads = d.is_row(&["V_CNDMASK*", "V_ADD_CO_CI*", "V_SUB_CO_CI*", "V_SUBREV_CO_CI*"]);
    let fields: &[&str] = match d.format {
        "VOP3SD" if reads => &["SDST", "SRC2"],
        "VOP3SD" => &["SDST"],
        "VOP3" if reads => &["SRC2"],
        "VOP3" if d.is_row(&["V_CMP_*"]) => &["VDST"],
        _ => &[],
    };
    fields.iter().filter_map(|field| Some((*field, d.field(field)?))).collect()
}

/// The lane mask that we refuse.
fn refused_mask(d: &Difference) -> Option<(&'static str, u32)> {
    let refused = |field| ["VOP3", "VOP3SD"].iter().any(|format| d.refused_code(format, field).is_some());
    masks(d).into_iter().find(|(field, _)| refused(field))
}

/// Whether a code is of a register that pairs have.
fn is_sgpr(code: u32) -> bool {
    code < 128 && code & !1 != 124
}

/// Whether LLVM's text is ours but for the lane masks: odd registers as even ones, and what is none by its name.
fn are_llvms_masks(d: &Difference) -> Option<bool> {
    let masks = masks(d);
    let even = |code| if is_sgpr(code) { code & if d.wave == Wave::W64 { !1 } else { !0 } } else { 0 };
    let repaired: Vec<_> = masks.iter().map(|(field, code)| (*field, even(*code))).collect();
    let name = |code: u32| match (code.checked_sub(256), d.wave) {
        (None, _) => source_name(code).map(String::from),
        (Some(n), Wave::W32) => Some(format!("v{n}")),
        (Some(n), Wave::W64) => Some(format!("v[{n}:{}]", n + 1)),
    };
    let named = |llvm: &str| masks.iter().any(|(_, code)| name(*code).as_deref() == Some(llvm));
    let known = |(ours, llvm): (&str, &str)| matches!(ours, "s0" | "s[0:1]") && named(llvm);
    let explains = |text: &String| edits(text, d.llvm).is_some_and(|edits| edits.into_iter().all(known));
    Some(d.text_with(&repaired).iter().chain(&with_fewer_halves(d, &repaired)).any(explains))
}

/// LLVM's names of the codes that are neither registers nor numbers.
fn source_name(code: u32) -> Option<&'static str> {
    Some(match code {
        124 => "null",
        230 => "src_flat_scratch_base_lo",
        231 => "src_flat_scratch_base_hi",
        235 => "src_shared_base",
        236 => "src_shared_limit",
        237 => "src_private_base",
        238 => "src_private_limit",
        239 => "src_pops_exiting_wave_id",
        251 => "src_vccz",
        252 => "src_execz",
        253 => "src_scc",
        254 => "src_lds_direct",
        _ => return None,
    })
}

/// Whether a text is this literal in one of LLVM's ways.
fn is_literal(text: &str, literal: u32) -> bool {
    let decimal = text.parse::<i32>().ok().map(|n| n as u32);
    let float = text.parse::<f32>().ok().filter(|_| text.contains('.')).map(f32::to_bits);
    [hexadecimal(text), decimal, float].contains(&Some(literal))
}

/// The bits of the inline constant of this code.
fn constant_bits(code: u32, half: bool) -> Option<u32> {
    let integer = match code {
        128..=192 => code as i32 - 128,
        193..=208 => 192 - code as i32,
        _ => {
            let float = INLINE_FLOATS.get(usize::try_from(code.checked_sub(240)?).ok()?)?;
            return Some(if half { float.f16.into() } else { float.f32 });
        }
    };
    Some(if half { u32::from(integer as u16) } else { integer as u32 })
}

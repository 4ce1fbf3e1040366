//! GCN: the generations beside each other, their errors, and the lengths of what is not read.

use gcn::{Encoding, Rule, Value, Wave, encoding, gcn1_0, gcn1_1, gcn1_2, gcn1_4};
use isa::Isa;
use isa_tests::each_gcn_set;
use isa_tests::sets::{Set, encode, read};
use isa_tests::vectors::golden_of;

const W: Wave = Wave::W64;

/// The text of words in a generation, or why they are none.
macro_rules! text {
    ($age:ident, $($word:expr),+) => {
        match $age::Instr::decode(&[$($word),+], W) {
            Ok((instr, _)) => instr.to_string(),
            Err(error) => error.to_string(),
        }
    };
}

#[test]
fn one_row_has_the_number_and_the_fields_of_each_generation() {
    // buffer_load_dword with SLC, which moved.
    assert_eq!(text!(gcn1_0, 0xe030_0010, 0x0141_0100), "buffer_load_dword v1, off, s[4:7], s1 offset:16 slc");
    assert_eq!(text!(gcn1_1, 0xe030_8010, 0x0101_0102), "buffer_load_dword v1, v[2:3], s[4:7], s1 addr64 offset:16");
    assert_eq!(text!(gcn1_2, 0xe052_0010, 0x0101_0100), "buffer_load_dword v1, off, s[4:7], s1 offset:16 slc");
    // Elements of 16 bits have a register each in GCN 1.2.
    assert_eq!(text!(gcn1_2, 0xe02c_0000, 0x0101_0100), "buffer_load_format_d16_xyzw v[1:4], off, s[4:7], s1");
    assert_eq!(text!(gcn1_4, 0xe02c_0000, 0x0101_0100), "buffer_load_format_d16_xyzw v[1:2], off, s[4:7], s1");
    // Constants of scalar memory: unsigned, then signed.
    assert_eq!(text!(gcn1_2, 0xc002_0000, 0x000f_ffff), "s_load_dword s0, s[0:1], 0xfffff");
    assert_eq!(text!(gcn1_4, 0xc002_0000, 0x001f_ffff), "s_load_dword s0, s[0:1], -0x1");
}

#[test]
fn the_address_of_scalar_memory_has_four_forms() {
    assert_eq!(text!(gcn1_4, 0xc000_0000, 5), "s_load_dword s0, s[0:1], s5");
    assert_eq!(text!(gcn1_4, 0xc000_4000, 5 << 25), "s_load_dword s0, s[0:1], s5");
    assert_eq!(text!(gcn1_4, 0xc002_0000, 5), "s_load_dword s0, s[0:1], 0x5");
    assert_eq!(text!(gcn1_4, 0xc002_4000, 5 << 25 | 4), "s_load_dword s0, s[0:1], s5 offset:0x4");
    assert_eq!(text!(gcn1_4, 0xc002_8000, 5), "s_load_dword s0, s[0:1], 0x5 nv");
    let operands = |words: [u32; 2]| {
        let (instr, _) = gcn1_4::Instr::decode(&words, W).unwrap();
        instr.operands(W).map(|o| o.role).collect::<Vec<_>>()
    };
    assert_eq!(operands([0xc000_0000, 5]), ["d", "base", "offset"]);
    assert_eq!(operands([0xc000_4000, 5 << 25]), ["d", "base", "soffset"]);
    assert_eq!(operands([0xc002_4000, 5 << 25]), ["d", "base", "offset", "soffset"]);
}

#[test]
fn an_error_names_generation_field_and_value() {
    let cases = [
        // A word of another generation, an opcode of another column, a reserved bit, a register that is not there.
        (text!(gcn1_0, 0xe052_0010, 0x0101_0100), "gcn1_0: MUBUF has no opcode 20 (OP)"),
        (text!(gcn1_1, 0xe0d0_0000, 0), "gcn1_1: MUBUF has no opcode 52 (OP)"),
        (text!(gcn1_2, 0xc208_0000, 0), "gcn1_2: SMEM has no opcode 130 (OP)"),
        (text!(gcn1_0, 0xc008_0000, 0), "gcn1_0: no microcode format begins with 0xc0080000"),
        (
            text!(gcn1_2, 0xe050_8000, 0x0101_0100),
            "gcn1_2: non-canonical MUBUF: RESERVED1 holds 1 (0x1), which is reserved",
        ),
        (
            text!(gcn1_0, 0xe032_0010, 0x0101_0100),
            "gcn1_0: non-canonical MUBUF: RESERVED1 holds 1 (0x1), which is reserved",
        ),
        (
            text!(gcn1_1, 0xe030_9000, 0x0101_0102),
            "gcn1_1: MUBUF BUFFER_LOAD_DWORD: ADDR64 holds 1 (0x1), which names nothing here",
        ),
        (
            text!(gcn1_0, 0xe030_0000, 0xf801_0100),
            "gcn1_0: MUBUF BUFFER_LOAD_DWORD: SOFFSET holds 248 (0xf8), which names nothing here",
        ),
    ];
    for (said, right) in cases {
        assert_eq!(said, right);
    }
}

#[test]
fn rules_between_operands() {
    let check = |text: &str| {
        let options = isa::Options { mode: W, lenient: true };
        let instr = gcn1_2::Instr::parse(text, options).unwrap_or_else(|e| panic!("{text}: {e}"));
        instr.check().map_err(|v| v.rule)
    };
    assert_eq!(check("buffer_load_dwordx2 v[254:255], off, s[4:7], s1"), Ok(()));
    assert_eq!(check("buffer_store_dword v[0:1], off, s[4:7], s1 tfe"), Err(Rule::StatusOfStore));
    assert_eq!(check("s_store_dword s1, s[2:3], m0"), Ok(()));
    assert_eq!(check("s_store_dword s1, s[2:3], s4"), Err(Rule::StoreOffset));
    // Only the texts forbid that, so the parser lets it pass.
    assert!(gcn1_2::Instr::parse("s_store_dword s1, s[2:3], s4", W).is_ok());
    assert!(gcn1_2::Instr::parse("buffer_store_dword v[0:1], off, s[4:7], s1 tfe", W).is_err());
    let negative = gcn1_4::Instr::parse("s_buffer_load_dword s1, s[4:7], -4", W).unwrap_err();
    assert_eq!(negative.to_string(), format!("{}; {}", Rule::BufferOffset.text(), Rule::BufferOffset.help()));
    let (beyond, _) = gcn1_4::Instr::decode(&[0xe054_0000, 0x0101_ff00], W).unwrap();
    assert_eq!(beyond.check().map_err(|v| v.rule), Err(Rule::VgprRange));
}

#[test]
fn values_are_what_the_text_shows() {
    let (load, _) = gcn1_1::Instr::decode(&[0xe030_b000 & !0x3000, 0xf001_0102], W).unwrap();
    let values: Vec<Value> = load.operands(W).map(|o| o.value).collect();
    let registers = |file, first, count| Value::Registers(gcn::Registers::new(file, first, count));
    assert_eq!(
        values,
        [
            registers(gcn::File::Vgpr, 1, 1),
            registers(gcn::File::Vgpr, 2, 2),
            registers(gcn::File::Sgpr, 4, 4),
            Value::Float(0x3f00_0000),
        ]
    );
}

#[test]
fn words_have_one_bit_in_all_generations() {
    assert_eq!(gcn1_0::flags::LOAD, gcn::flags::LOAD);
    assert_eq!(gcn1_1::flags::LLVM_LACKS, gcn::flags::LLVM_LACKS);
    assert_eq!(gcn1_2::flags::SCRATCH, gcn::flags::SCRATCH);
    // Each instruction has one of these accesses.
    const DOES: u128 = gcn::flags::LOAD
        | gcn::flags::STORE
        | gcn::flags::ATOMIC
        | gcn::flags::CACHE
        | gcn::flags::TIME
        | gcn::flags::PROBE;
    each_gcn_set!(S => {
        for shape in S::tables().formats.iter().flat_map(|f| f.components).flat_map(|c| c.shapes) {
            assert_eq!((shape.flags() & DOES).count_ones(), 1, "{shape:?}");
        }
    });
}

#[test]
fn lengths_of_encodings_that_are_not_read() {
    fn dwords<I: gcn::Generation>(word: u32) -> usize {
        encoding::<I>(word).map_or(0, |e| e.dwords)
    }
    type Old = gcn1_0::Gcn1_0;
    type New = gcn1_4::Gcn1_4;
    // s_add_u32 s0, s1, s2 and with a literal in either source; s_mov_b32; s_setreg_imm32_b32.
    assert_eq!([0x8000_0201, 0x8000_02ff, 0x8000_ff01].map(dwords::<Old>), [1, 2, 2]);
    assert_eq!([0xbe80_0301, 0xbe80_03ff, 0xbf80_00ff].map(dwords::<Old>), [1, 2, 1]);
    assert_eq!([0xba80_f807].map(dwords::<Old>), [2]);
    assert_eq!([0xba00_f807].map(dwords::<New>), [2]);
    // v_mov_b32 with a literal, with sub-dwords and with other lanes; in GCN 1.0 these codes select nothing.
    assert_eq!([0x7e00_0301, 0x7e00_02ff, 0x7e00_02f9, 0x7e00_02fa].map(dwords::<New>), [1, 2, 2, 2]);
    assert_eq!([0x7e00_02ff, 0x7e00_02f9].map(dwords::<Old>), [2, 1]);
    // v_madmk_f32, by its numbers.
    assert_eq!((dwords::<New>(23 << 25), dwords::<Old>(32 << 25)), (2, 2));
    assert_eq!((dwords::<New>(32 << 25), dwords::<Old>(23 << 25)), (1, 1));
    // Scalar loads of GCN 1.0 and 1.1, of which the latter have literals.
    assert_eq!((dwords::<Old>(0xc000_00ff), dwords::<gcn1_1::Gcn1_1>(0xc000_00ff)), (1, 2));
    assert_eq!(dwords::<gcn1_1::Gcn1_1>(0xc000_01ff), 1);
    assert_eq!(encoding::<New>(0xd38e_0000), Some(Encoding { name: "VOP3P", dwords: 2 }));
    assert_eq!(encoding::<Old>(0xf800_0000).map(|e| e.name), Some("EXP"));
    assert_eq!(encoding::<New>(0xf800_0000), None);
    assert_eq!(encoding::<New>(0xd400_0000).map(|e| (e.name, e.dwords)), Some(("VINTRP", 1)));
}

#[test]
fn golden_words_are_of_the_encoding_that_reads_them() {
    fn check<S: Set + gcn::Generation>() {
        for line in golden_of::<S>().unwrap() {
            let words = line.words();
            let found = encoding::<S>(words[0]);
            let format = read::<S>(&words, W).map(|i| isa_tests::sets::format::<S>(&i));
            assert_eq!(found.map(|e| (Some(e.name), e.dwords)), Some((format, words.len())), "{}", line.text);
        }
    }
    check::<gcn1_0::Gcn1_0>();
    check::<gcn1_1::Gcn1_1>();
    check::<gcn1_2::Gcn1_2>();
    check::<gcn1_4::Gcn1_4>();
}

/// A slice of what `cargo xtask sweep` goes through whole: first dwords of each format, decoded and encoded again.
#[test]
fn first_dwords_come_back_as_they_were() {
    // A prime, so that all bits vary.
    const STEP: usize = 1021;
    each_gcn_set!(S => {
        for format in S::tables().formats {
            let free = !format.fixed.mask[0];
            let mut decoded = 0;
            for n in (0..1u32 << free.count_ones()).step_by(STEP) {
                // The fixed bits of both formats are the highest ones.
                let first = format.fixed.value[0] | n & free;
                let second = n.wrapping_mul(0x9e37_79b9).rotate_left(n & 31);
                if let Some(instr) = read::<S>(&[first, second], S::MODES[0].1) {
                    assert_eq!(encode::<S>(&instr)[..], [first, second]);
                    decoded += 1;
                }
            }
            assert!(decoded > 1000, "{decoded} words of {}", format.name);
        }
    });
}

#[test]
fn fields_are_read_and_set() {
    for line in golden_of::<gcn1_4::Gcn1_4>().unwrap() {
        let Ok((instr, _)) = gcn1_4::Instr::decode(&line.words(), W) else { continue };
        match instr {
            gcn1_4::Instr::Mubuf(x) => {
                assert_eq!(x.with_vdata(x.vdata()), Ok(x));
                assert_eq!(x.with_vaddr(x.vaddr()), Ok(x));
                assert_eq!(x.with_srsrc(x.srsrc()), Ok(x));
                assert_eq!(x.with_soffset(x.soffset()), Ok(x));
                assert_eq!(x.with_offset(x.offset()), Ok(x));
            }
            gcn1_4::Instr::Smem(x) => {
                assert_eq!(x.with_sdata(x.sdata()), Ok(x));
                assert_eq!(x.with_sbase(x.sbase()), Ok(x));
                assert_eq!(x.with_offset(x.offset()), Ok(x));
                assert_eq!(x.with_soffset(x.soffset()), Ok(x));
            }
        }
    }
    let (load, _) = gcn1_2::Instr::decode(&[0xe050_0010, 0x0101_0100], W).unwrap();
    let gcn1_2::Instr::Mubuf(load) = load else { panic!("{load:?}") };
    assert_eq!(load.with_glc(true).map(|x| x.opcode()), Ok(gcn1_2::Opcode::BUFFER_LOAD_DWORD));
    assert!(load.with_soffset(254).is_err());
}

//! Text that is printed reads back to the same words, outside the classes that [`Set::class`] names.

use std::collections::BTreeMap;

use isa::UnusedFields;
use isa_tests::each_set;
use isa_tests::property;
use isa_tests::sets::{Set, format, read, read_back};
use isa_tests::vectors::{Line, golden_of, hex_dwords, shared_decode_of};
use rdna3::{Rdna3, Wave};

/// Returns the error if the text of an instruction does not parse to the same words.
fn fault<S: Set>(instr: &S::Instr, mode: S::Mode) -> Option<String> {
    read_back::<S>(instr, mode, &mut isa::Text::new()).err()
}

fn all_read_back<S: Set>(lines: &[Line]) {
    let mut faults = Vec::new();
    for line in lines.iter().filter(|line| line.canonical) {
        let Some(mode) = S::mode(&line.wave) else { continue };
        let Ok((instr, _)) = isa::decode::<S>(&line.words(), mode) else { continue };
        faults.extend(fault::<S>(&instr, mode));
    }
    let shown: String = faults.iter().take(20).map(|f| format!("\n{f}")).collect();
    assert!(faults.is_empty(), "{} of {} texts do not read back:{shown}", faults.len(), lines.len());
}

#[test]
fn golden_texts_read_back() {
    each_set!(S => all_read_back::<S>(&golden_of::<S>().unwrap()));
}

#[test]
fn shared_texts_read_back() {
    each_set!(S => {
        let lines = shared_decode_of::<S>().unwrap();
        let lines: Vec<Line> = lines.into_iter().step_by(property::stride(8)).collect();
        all_read_back::<S>(&lines);
    });
}

/// Words that the walk over all fields found: the class of each, or nothing where the text must lead back.
#[test]
fn literals_beside_narrower_operands() {
    let mut buffer = isa::Text::new();
    for (hex, class) in [
        ("090016d608fefd03c0ffffff", Some("one literal in 16 and in 32 bits")),
        ("2f7859d6ff40fd0340ffffff", Some("one literal in 16 and in 32 bits")),
        ("10005ad6ffbefc03c0ffffff", Some("one literal in 16 and in 32 bits")),
        // A literal that both show alike, and one between bars.
        ("380059d627fffd03c0ff0000", None),
        ("ff035dd6fffeef01feffffff", None),
    ] {
        let instr = read::<Rdna3>(&hex_dwords(hex), Wave::W32).unwrap();
        assert_eq!(read_back::<Rdna3>(&instr, Wave::W32, &mut buffer), Ok(class), "{hex}: {}", buffer.as_str());
    }
}

/// As llvm-mc reads these lines.
#[test]
fn hand_written_lines() {
    for (line, same) in [
        ("v_add_f32 v0 v1 v2", "v_add_f32 v0, v1, v2"),
        ("v_add_f32 v0, -v1 -v2", "v_add_f32 v0, -v1, -v2"),
        ("v_add_f32 v0, -0.5 -m0", "v_add_f32 v0, -0.5, -m0"),
        ("s_load_b64 s[4:5], s[0:1] 0x8", "s_load_b64 s[4:5], s[0:1], 0x8"),
        ("s_load_b64 s[4:5] s[0:1] s2 offset:0x8", "s_load_b64 s[4:5], s[0:1], s2 offset:0x8"),
        ("v_cmp_eq_f32 v1 v2", "v_cmp_eq_f32 vcc_lo, v1, v2"),
        ("v_dual_fmac_f32 v0 v1 v2, :: v_dual_mov_b32 v3 v2,", "v_dual_fmac_f32 v0, v1, v2 :: v_dual_mov_b32 v3, v2"),
        ("v_mov_b32_dpp v0 v1 quad_perm:[0,1,2,3]", "v_mov_b32_dpp v0, v1 quad_perm:[0,1,2,3]"),
        ("exp mrt0 v0 v1 off off done,", "exp mrt0 v0, v1, off, off done"),
        ("s_load_b64 s[2*2:2*2+1], s[(1-1):1], 0", "s_load_b64 s[4:5], s[0:1], 0"),
        ("v_mov_b32 v[~(-4)], s[1<<2|1]", "v_mov_b32 v3, s5"),
        ("V_ADD_F32_E64 v0, v1, v2", "v_add_f32_e64 v0, v1, v2"),
        ("s_mov_b32 s0, 1+2==3", "s_mov_b32 s0, -1"),
        ("s_mov_b32 s0, 4<<3<50&&1|2||0", "s_mov_b32 s0, 1"),
        ("s_mov_b32 s0, (1<2)+3", "s_mov_b32 s0, 2"),
        ("s_mov_b32 s0, 5!=5", "s_mov_b32 s0, 0"),
        ("v_add_f32 v0, |1|, |v2|", "v_add_f32 v0, abs(1), abs(v2)"),
        ("v_mov_b32_dpp v0, v1 row_shl:1+1", "v_mov_b32_dpp v0, v1 row_shl:2"),
        ("v_mov_b32_dpp v0, v1 quad_perm:[0,1,2,1+2]", "v_mov_b32_dpp v0, v1 quad_perm:[0,1,2,3]"),
        ("v_mov_b32 v0, lit64(1)", "v_mov_b32 v0, lit(1)"),
        ("v_fma_f32 v0, v1, v2, v3 mul:1+1", "v_fma_f32 v0, v1, v2, v3 mul:2"),
        ("s_load_b32 s0, s[2:3], glc", "s_load_b32 s0, s[2:3], 0x0 glc"),
        ("v_add_f16_e64_dpp v0.l, v1.h, v2.l op_sel:[1,0,0] row_shl:1", "v_add_f16_e64_dpp v0.l, v1.h, v2.l row_shl:1"),
        (
            "v_wmma_i32_16x16x16_iu4 v[4:11], v[0:1], v[2:3], (1.0)",
            "v_wmma_i32_16x16x16_iu4 v[4:11], v[0:1], v[2:3], 1.0",
        ),
    ] {
        let read = |line: &str| line.parse::<rdna3::Instr>().unwrap_or_else(|error| panic!("{line}: {error}"));
        assert_eq!(read(line), read(same), "{line}");
    }
    for line in [
        "v_add_f32 v0,, v1, v2",
        "v_add_f32 v0 v1 v2 v3",
        "s_add_u32 s0, 1 -2",
        "s_add_u32 s0, s1 1.0+2",
        "s_branch 4,,",
        "s_barrier ,",
        "v_mov_b32 v[0.0], 1",
        "v_add_f32 V0, v1, v2",
        "s_mov_b32 s0, 5=3",
        "v_mov_b32_dpp v0, v1 row_shl:1.0",
        "v_mov_b32_dpp v0, v1 row_shl:15+1",
        "v_mov_b32 v[255+1], 1",
        "v_mov_b32 v[1/0], 1",
        "v_mov_b32 v[1+], 1",
        "v_cmpx_gt_i16_e64_dpp v1.l, v2.l op_sel:[1,0] dpp8:[7,6,5,4,3,2,1,0]",
        "v_fmac_f16_e64_dpp v5.h, v1.l, v2.h op_sel:[0,1,0,1] row_shl:1",
        "v_cvt_f32_f16_e64_dpp v5, v1 op_sel:[1,0] row_shl:1",
        "v_cmp_o_f16_e32 lit(0.5), v2.l",
        "v_cmp_le_f32_e32 |0.5|, v2",
        "v_cmp_neq_f64 neg(1.0), v[2:3]",
        "v_fma_f32 v0, lit64(1), v1, v2",
        "v_readlane_b32_e64 s0, v1, s1",
        "v_wmma_f16_16x16x16_f16 v[16:23], v[0:7], v[8:15], 0x3c00",
        "buffer_load_b32 v5, off, s[8:11], s3 notfe",
        "exp mrt0 v0, v1, v2, v3 novm",
    ] {
        assert!(line.parse::<rdna3::Instr>().is_err(), "{line}");
    }
}

/// As llvm-mc reads the samples without data that llc prints.
#[test]
fn samples_without_data() {
    let same = |off: &str, written: &str| {
        let rdna3 = |line: &str| line.parse::<rdna3::Instr>().map_err(|error| format!("{line}: {error}"));
        let rdna4 = |line: &str| line.parse::<rdna4::Instr>().map_err(|error| format!("{line}: {error}"));
        assert_eq!(rdna3(off).unwrap(), rdna3(written).unwrap());
        assert_eq!(rdna4(off).unwrap(), rdna4(written).unwrap());
    };
    same(
        "image_sample off, v0, s[0:7], s[8:11] dmask:0xf dim:SQ_RSRC_IMG_1D",
        "image_sample v[0:3], v0, s[0:7], s[8:11] dmask:0xf dim:SQ_RSRC_IMG_1D",
    );
    same(
        "image_sample_c_lz_o off, [v0, v1, v2], s[0:7], s[8:11] dmask:0x1 dim:SQ_RSRC_IMG_1D tfe d16",
        "image_sample_c_lz_o v[0:1], [v0, v1, v2], s[0:7], s[8:11] dmask:0x1 dim:SQ_RSRC_IMG_1D tfe d16",
    );
    for line in [
        "image_gather4 off, [v0, v1], s[0:7], s[8:11] dmask:0x1 dim:SQ_RSRC_IMG_2D",
        "image_get_lod off, v0, s[0:7], s[8:11] dmask:0x1 dim:SQ_RSRC_IMG_1D",
        "image_load off, v0, s[0:7] dmask:0x1 dim:SQ_RSRC_IMG_1D",
        "image_sample off:1, v0, s[0:7], s[8:11] dmask:0xf dim:SQ_RSRC_IMG_1D",
    ] {
        assert!(line.parse::<rdna3::Instr>().is_err(), "{line}");
        assert!(line.parse::<rdna4::Instr>().is_err(), "{line}");
    }
}

/// Numbers for fields that other text packs keep all their bits, and lane masks can be constants, as llvm-mc has them.
#[test]
fn numbers_and_constants_keep_their_codes() {
    for (line, hex) in [
        ("ds_swizzle_b32 v0, v1 offset:0x3456", "5634d4d801000000"),
        // The modifiers with `no` are those of LLVM 23.
        ("exp mrt0, v0, v1, v2, v3 nodone norow_en", "0f0000f800010203"),
        ("exp mrtz v0, v1, v2, v3 nodone row_en", "8f2000f800010203"),
        ("s_waitcnt 0xffff", "ffff89bf"),
        ("s_delay_alu 13", "0d0087bf"),
        ("s_sendmsg 0x101", "0101b6bf"),
        ("v_cndmask_b16_e64_dpp v0, v1, v2, src_scc row_shl:1", "00005dd6fa04f603010101ff"),
        ("v_cndmask_b32 v0, v1, v2, scc", "000001d50105f603"),
        ("v_add_co_ci_u32_e64 v0, s1, v1, v2, src_shared_base", "000120d50105ae03"),
    ] {
        let instr = line.parse::<rdna3::Instr>().unwrap_or_else(|error| panic!("{line}: {error}"));
        let bytes = instr.encode().iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<_>>();
        assert_eq!(bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>(), hex, "{line}");
    }
}

#[test]
fn newer_values_are_not_in_unused_fields_beside_dpp() -> Result<(), isa::ParseError> {
    for (text, usual, newer) in [
        ("v_mov_b32_e64 v0, v1", 0x0000_0101, 0x0201_0101),
        ("v_mul_lo_u32 v0, v1, 0x54", 0x0001_FF01, 0x0201_FF01),
        ("v_mov_b32_e64_dpp v0, v1 quad_perm:[0,1,2,3] row_mask:0xf bank_mask:0xf", 0x0000_00FA, 0x0000_00FA),
        ("v_mov_b32_e64_dpp v0, v1 dpp8:[7,6,5,4,3,2,1,0]", 0x0000_00E9, 0x0000_00E9),
    ] {
        let instr = rdna3::Instr::parse(text, Wave::W32)?;
        let with_newer = instr.with_unused_fields(UnusedFields::Newer);
        assert_eq!([instr, with_newer].map(|instr| instr.encode()[1]), [usual, newer], "{text}");
    }
    Ok(())
}

/// How many words are made from each golden one by turning bits over, times the factor of `PROPERTY_CASES`.
const SAMPLES: usize = 3;

#[test]
fn sampled_texts_read_back() {
    each_set!(S => sampled::<S>());
}

fn sampled<S: Set>() {
    let lines = golden_of::<S>().unwrap();
    let mut sample = property::sample();
    let mut classes: BTreeMap<String, (usize, String)> = BTreeMap::new();
    let (mut tried, mut faults) = (0, 0);
    for _ in 0..property::count(SAMPLES * lines.len()) {
        let line = &lines[sample.word() as usize % lines.len()];
        let mut words = [0, 0, sample.word()];
        for (to, from) in words.iter_mut().zip(line.words()) {
            *to = from;
        }
        for _ in 0..sample.word() % 6 {
            let bit = sample.word() as usize % 96;
            words[bit / 32] ^= 1 << (bit % 32);
        }
        let Some(mode) = S::mode(&line.wave) else { continue };
        let Ok((instr, _)) = isa::decode::<S>(&words, mode) else { continue };
        tried += 1;
        if let Some(fault) = fault::<S>(&instr, mode) {
            faults += 1;
            classes.entry(format::<S>(&instr).to_string()).or_insert((0, fault)).0 += 1;
        }
    }
    let shown: String = classes.iter().map(|(class, (n, example))| format!("\n{n} {class}: {example}")).collect();
    assert!(faults == 0, "{faults} of {tried} texts do not read back:{shown}");
}

/// Errors of the parser: the line, the wave size and the message.
#[test]
fn errors_name_what_is_wrong() {
    const WIDE: &str = "the number has more than 64 bits";
    const MASK: &str = ": a lane mask is one in wave32 and a pair in wave64";
    const VECTOR: &str = "a scalar register does not fit: this operand is a vector register";
    const SCALAR: &str = "a vector register does not fit: this operand is a scalar register that holds a lane mask";
    let (single, pair) =
        (format!("this operand takes 1 register{MASK}"), format!("this operand takes 2 registers{MASK}"));
    let cases = [
        ("s_mov_b32 s0, 0x123456789abcdef0123", Wave::W32, WIDE),
        ("s_mov_b32 s0, -99999999999999999999", Wave::W32, WIDE),
        ("v_add_f32 v0, v1, 99999999999999999999", Wave::W32, WIDE),
        ("s_nop 99999999999999999999", Wave::W32, WIDE),
        ("buffer_load_b32 v0, v1, s[0:3], 0 offen offset:99999999999999999999", Wave::W32, WIDE),
        ("s_waitcnt vmcnt(99999999999999999999)", Wave::W32, WIDE),
        ("v_mov_b32 v[99999999999999999999], 0", Wave::W32, WIDE),
        ("v_cmp_lt_f32 vcc, v0, v1", Wave::W32, &single),
        ("v_cmp_lt_f32 vcc_lo, v0, v1", Wave::W64, &pair),
        ("v_cmp_lt_f32 s2, v0, v1", Wave::W64, &pair),
        ("v_permlane64_b32 v0, s1", Wave::W32, VECTOR),
        ("v_swap_b32 v0, vcc_lo", Wave::W32, VECTOR),
        ("v_permlane64_b32 v0, 1", Wave::W32, "expected a vector register"),
        ("v_add_f32_e64_dpp v0, v1, s2 quad_perm:[0,1,2,3]", Wave::W32, VECTOR),
        ("v_cndmask_b32_e64 v0, v1, v2, v3", Wave::W32, SCALAR),
        ("v_cndmask_b32_e64 v0, v1, v2, 3", Wave::W32, "expected a scalar register"),
        ("global_load_b32 v0, v1, exec", Wave::W32, "EXEC is not a base beside an address in a vector register"),
    ];
    for (line, wave, message) in cases {
        let error = rdna3::Instr::parse(line, wave).unwrap_err();
        assert_eq!(error.to_string(), message, "{line}");
    }
}

/// Returns the constant of an instruction whose operand is this expression.
fn constant(text: &str) -> Option<u16> {
    match rdna3::Instr::parse(&format!("s_getreg_b32 s0, {text}"), Wave::W32) {
        Ok(rdna3::Instr::Sopk(instr)) => Some(instr.simm16()),
        _ => None,
    }
}

#[test]
fn operators_bind_as_in_gnu_assembly() {
    for (text, value) in [
        ("1+2*3", 7),
        ("1<<2+1", 5),
        ("6&3+1", 3),
        ("4|1&1", 1),
        ("5-3-1", 1),
        ("-(3) + 10", 7),
        ("~-1", 0),
        ("--3", 3),
        ("7/2", 3),
        ("7%4", 3),
        ("-1>>60", 15),
        ("(((2)))", 2),
        ("0.0", 0),
    ] {
        assert_eq!(constant(text), Some(value), "{text}");
    }
    for text in ["", "1+", "(1", "1)", "7/0", "1 2", "x", "1+x", "70000", "-1", "1<<64"] {
        assert_eq!(constant(text), None, "{text}");
    }
    assert_eq!(constant(&"(".repeat(100_000)), None);
    assert_eq!(constant(&"-".repeat(100_000)), None);
}

//! Inline constants and literals as sources: each one gives the result of a register that holds the value which the guide
//! says the operand has.
//!
//! The value is computed here, from the mnemonic and the guide's sentences, without the types and classes of the rows.

use isa_exec::group::WorkGroup;
use isa_exec::memory::Regions;
use isa_exec::program::{Machine, Program};
use isa_exec::wave::{Status, Wave};
use isa_tests::property;
use rdna3::isa::tables::{FieldBits, Format, MAX_DWORDS};
use rdna3::isa::{Access, Isa, decode, operands};

use crate::machine::{Random, run_lines};

/// The format of an operand's constants (guide §4.1).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    F16,
    Bf16,
    F32,
    F64,
    /// An integer or bits of up to 32 bits.
    Int,
    U64,
    I64,
}

/// The halves of a dword in which an operand has an inline constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Halves {
    /// "Inline constants produce a value in only the low 16 bits" (§7.5.1).
    Low,
    /// "Duplicate lo to hi" (§7.5.1), "replicate the inline constant value into bits[31:16]" (§7.2.1).
    Both,
}

/// Sources whose type is not the last one of the mnemonic, by their number and the guide's pseudo-code.
const OTHERS: &[(&str, usize, Kind)] = &[
    ("LSHL_B64", 1, Kind::Int),
    ("LSHR_B64", 1, Kind::Int),
    ("ASHR_I64", 1, Kind::Int),
    ("BFE_U64", 1, Kind::Int),
    ("BFE_I64", 1, Kind::Int),
    ("BFM_B64", 0, Kind::Int),
    ("BFM_B64", 1, Kind::Int),
    ("BITSET0_B64", 0, Kind::Int),
    ("BITSET1_B64", 0, Kind::Int),
    ("BITCMP0_B64", 1, Kind::Int),
    ("BITCMP1_B64", 1, Kind::Int),
    ("DOT2_F32_F16", 2, Kind::F32),
    ("DOT2_F32_BF16", 2, Kind::F32),
    // Of RDNA3.5; the type is LLVM's.
    ("CVT_HI_F32_F16", 0, Kind::Int),
    ("LDEXP_F16", 1, Kind::Int),
    ("LDEXP_F32", 1, Kind::Int),
    ("LDEXP_F64", 1, Kind::Int),
    ("CVT_PK_U8_F32", 1, Kind::Int),
    ("CVT_PK_U8_F32", 2, Kind::Int),
    ("TRIG_PREOP_F64", 1, Kind::Int),
    ("QSAD_PK_U16_U8", 0, Kind::U64),
    ("QSAD_PK_U16_U8", 2, Kind::U64),
    ("MQSAD_PK_U16_U8", 0, Kind::U64),
    ("MQSAD_PK_U16_U8", 2, Kind::U64),
    ("MQSAD_U32_U8", 0, Kind::U64),
    ("MAD_U64_U32", 2, Kind::U64),
    ("MAD_I64_I32", 2, Kind::I64),
    ("LSHLREV_B64", 0, Kind::Int),
    ("LSHRREV_B64", 0, Kind::Int),
    ("ASHRREV_I64", 0, Kind::Int),
    ("CLASS_F16", 1, Kind::Int),
    ("CLASS_F32", 1, Kind::Int),
    ("CLASS_F64", 1, Kind::Int),
    ("WMMA_F32_16X16X16_F16", 2, Kind::F32),
    ("WMMA_F32_16X16X16_BF16", 2, Kind::F32),
];

/// The format of source `n`.
fn kind(mnemonic: &str, n: usize) -> Kind {
    if let Some((.., kind)) = OTHERS.iter().find(|(name, at, _)| *at == n && mnemonic.ends_with(name)) {
        return *kind;
    }
    let of_token = |token: &str| match token {
        "F16" => Some(Kind::F16),
        "BF16" => Some(Kind::Bf16),
        "F32" => Some(Kind::F32),
        "F64" => Some(Kind::F64),
        "U64" | "B64" => Some(Kind::U64),
        "I64" => Some(Kind::I64),
        _ => None,
    };
    let is_type = |token: &&str| {
        let digits = token.trim_start_matches(|c: char| !c.is_ascii_digit());
        !digits.is_empty() && matches!(token.strip_suffix(digits), Some("F" | "BF" | "U" | "I" | "B" | "IU" | "UBYTE"))
    };
    mnemonic.rsplit('_').find(is_type).and_then(of_token).unwrap_or(Kind::Int)
}

/// The halves with the constant, of source `n`.
fn halves(mnemonic: &str, n: usize) -> Halves {
    let is_dot = mnemonic.contains("DOT2") && n < 2;
    // C of WMMA: "For F16 and BF16, the inline value is replicated into both low and high halves" (§7.9).
    let is_matrix = mnemonic.contains("WMMA_F16") || mnemonic.contains("WMMA_BF16");
    // Not in the guide; measured on Navi 31 (llvm/llvm-project issue 94116), and what LLVM 22 assembles.
    let is_fmac = mnemonic == "V_PK_FMAC_F16";
    if is_dot || is_matrix || is_fmac { Halves::Both } else { Halves::Low }
}

/// The inline floats from code 240 on: bits of an f16, an f32 and an f64 (§4.1, table of source operands).
const FLOATS: [(u16, u32, u64); 9] = [
    (0x3800, 0x3F00_0000, 0x3FE0_0000_0000_0000),
    (0xB800, 0xBF00_0000, 0xBFE0_0000_0000_0000),
    (0x3C00, 0x3F80_0000, 0x3FF0_0000_0000_0000),
    (0xBC00, 0xBF80_0000, 0xBFF0_0000_0000_0000),
    (0x4000, 0x4000_0000, 0x4000_0000_0000_0000),
    (0xC000, 0xC000_0000, 0xC000_0000_0000_0000),
    (0x4400, 0x4080_0000, 0x4010_0000_0000_0000),
    (0xC400, 0xC080_0000, 0xC010_0000_0000_0000),
    (0x3118, 0x3E22_F983, 0x3FC4_5F30_6DC9_C882),
];

/// The code that selects a literal.
const LITERAL: u32 = 255;

/// The 64 bits of the registers that have the value of a constant.
fn contents(code: u32, literal: u32, kind: Kind, halves: Halves) -> u64 {
    let bits = match code {
        // "Integer constants used with 32-bit or smaller operands are treated as 32-bit signed integers. Integer
        // constants are signed extended for 64-bit sources."
        128..=192 => u64::from(code - 128),
        193..=208 => (192 - i64::from(code)) as u64,
        240..=248 => {
            let (f16, f32, f64) = FLOATS[code as usize - 240];
            match kind {
                // "The 16-bit floating point in the low bits and zeros in the high bits."
                Kind::F16 => f16.into(),
                // "BF16 uses 32-bit float constants and then … selects the upper 16 bits."
                Kind::Bf16 => u64::from(f32 >> 16),
                // "When used in non-float instructions, the data is not converted (remains a float)."
                Kind::F32 | Kind::Int => f32.into(),
                Kind::F64 | Kind::U64 | Kind::I64 => f64,
            }
        }
        LITERAL => {
            return match kind {
                Kind::F64 => u64::from(literal) << 32,
                Kind::I64 => literal as i32 as u64,
                _ => literal.into(),
            };
        }
        _ => unreachable!("{code} is not a constant"),
    };
    match halves {
        Halves::Low => bits,
        Halves::Both if matches!(kind, Kind::F16 | Kind::Bf16) => (bits & 0xFFFF) * 0x1_0001,
        Halves::Both => bits,
    }
}

/// Constants that an operand is tried with: all that are inline, and some literals.
fn constants() -> impl Iterator<Item = (u32, u32)> {
    const LITERALS: [u32; 8] =
        [0x3C00, 0x8001, 0x7C00_3C01, 0x4200_4000, 0x8000_0001, 0x3F80_0000, 0x1234_5678, 0xFFFF_FFF0];
    (128..=208).chain(240..=248).map(|code| (code, 0)).chain(LITERALS.map(|literal| (LITERAL, literal)))
}

/// An operand is tried with one constant in this number, not the same ones as the operand before it. `PROPERTY_CASES` divides the
/// number: a factor of 8 tries all constants.
const STRIDE: usize = 8;

/// The first register that stands for the constant; no other operand is in it or the seven after it.
const REGISTER: u32 = 40;
/// The registers of destinations.
const DESTINATIONS: std::ops::Range<u16> = 16..24;
/// The lanes that are active, but for matrices.
const LANES: usize = 2;

/// The names of fields that can hold constants, and the source that each holds.
const SOURCES: [(&str, usize); 7] =
    [("SRC0", 0), ("SRC1", 1), ("SRC2", 2), ("SSRC0", 0), ("SSRC1", 1), ("SRCX0", 0), ("SRCY0", 0)];

/// Registers of both files that are distinct for each operand of up to 256 bits.
fn base<I: Isa>(format: &Format<I>, component: usize, number: u16) -> [u32; MAX_DWORDS] {
    let value = &format.fixed.value;
    let mut words = *value;
    for (nth, other) in format.components.iter().enumerate() {
        // The other component of a pair is V_DUAL_MOV_B32, whose sources and destination are apart.
        let opcode = if nth == component { number } else { 8 };
        other.opcode.set(&mut words, opcode.into());
    }
    let mut set = |name: &str, code: u32| {
        if let Some(field) = field(format, name) {
            field.set(&mut words, code);
        }
    };
    let is_scalar = format.name.starts_with("SOP");
    let first = |number: u32| if is_scalar { number } else { 256 + number };
    let destination = u32::from(DESTINATIONS.start);
    for (name, code) in [
        ("SRC0", first(0)),
        ("SSRC0", first(0)),
        ("SRCX0", first(0)),
        ("SRCY0", first(1)),
        ("SRC1", first(8)),
        ("SSRC1", first(8)),
        ("SRC2", first(72)),
        ("VSRC1", 8),
        ("VSRCX1", 8),
        ("VSRCY1", 9),
        ("VDST", destination),
        ("SDST", destination),
        ("VDSTX", destination),
        ("VDSTY", (destination + 2) >> 1),
    ] {
        set(name, code);
    }
    if format.name == "VOP3SD" {
        set("SDST", 106);
    }
    if format.name == "VOP3P" {
        set("OPSEL_HI", 3);
        set("OPSEL_HI2", 1);
    }
    words
}

fn field<I: Isa>(format: &Format<I>, name: &str) -> Option<FieldBits> {
    format.fields.iter().find(|field| field.name == name && field.suffix_dword == 0).map(|field| field.bits)
}

/// The words of an instruction if they are one, with the number of its dwords.
fn instruction<M: Machine>(words: &[u32; MAX_DWORDS], mode: <M::Isa as Isa>::Mode) -> Option<usize> {
    let (instr, _) = decode::<M::Isa>(words, mode).ok()?;
    let (format, all) = M::Isa::parts(&instr);
    Some(rdna3::isa::length::<M::Isa>(format, &all))
}

/// Other codes of fields that an instruction does not use, or uses for a mask.
const REPAIRS: [(&str, u32); 9] = [
    ("SRC2", 0),
    ("SRC2", 72),
    ("SRC1", 0),
    ("VSRCX1", 0),
    ("VSRCY1", 0),
    ("VDST", 0),
    ("VDST", 126),
    ("SDST", 0),
    ("SRC0", 0),
];

/// Sets up to `most` fields to other codes, so that the words are an instruction.
fn repaired<M: Machine>(
    format: &Format<M::Isa>,
    words: [u32; MAX_DWORDS],
    mode: <M::Isa as Isa>::Mode,
    most: usize,
) -> Option<[u32; MAX_DWORDS]> {
    if instruction::<M>(&words, mode).is_some() {
        return Some(words);
    }
    REPAIRS.iter().filter(|_| most > 0).find_map(|(name, code)| {
        let mut words = words;
        field(format, name)?.set(&mut words, *code);
        repaired::<M>(format, words, mode, most - 1)
    })
}

/// A wave with few lanes and random registers, and the program that it runs.
struct Bench {
    program: Program<'static>,
    group: WorkGroup,
}

impl Bench {
    fn new<M: Machine>(code: &[u8], mode: <M::Isa as Isa>::Mode, is_matrix: bool) -> Bench {
        let program = Program::new::<M>(code.to_vec(), 0x1000, mode, 96);
        let mut wave = Wave::new(&program, 96);
        let mut random = Random(0x9E37_79B9_7F4A_7C15);
        for register in 0..108 {
            let value = random.dword();
            wave.set_sgpr(register, value);
        }
        for register in 0..96 {
            for lane in 0..if is_matrix { 32 } else { LANES } {
                let value = random.dword();
                wave.set_vgpr(register, lane, value);
            }
        }
        Bench { program, group: WorkGroup { waves: vec![wave], lds: Vec::new() } }
    }

    /// Executes the instruction at an offset, from the same state each time. Returns the destinations.
    fn step(&mut self, offset: usize, is_matrix: bool, prepare: impl FnOnce(&mut Wave)) -> Result<Vec<u32>, String> {
        let wave = &mut self.group.waves[0];
        wave.pc = 0x1000 + offset as u64;
        wave.status = Status::Running;
        let lanes = if is_matrix { 32 } else { LANES };
        wave.set_mask(126, (1 << lanes) - 1);
        wave.set_mask(106, 0x5);
        wave.set_scc(true);
        for register in DESTINATIONS {
            wave.set_sgpr(register, 0x3C01_4002 + u32::from(register));
            (0..lanes).for_each(|lane| wave.set_vgpr(register, lane, 0x3C01_4002 + u32::from(register)));
        }
        prepare(wave);
        let memory = Regions::new();
        self.group.step(&self.program, &memory).map_err(|fault| fault.to_string())?;
        let wave = &self.group.waves[0];
        let mut found = vec![wave.mask(106) as u32, wave.mask(126) as u32, wave.scc().into(), wave.pc as u32 & 3];
        for register in DESTINATIONS {
            found.push(wave.sgpr(register));
            found.extend((0..lanes).map(|lane| wave.vgpr(register, lane)));
        }
        Ok(found)
    }
}

/// The fields that choose halves: OPSEL, and in VOP3P OPSEL_HI and OPSEL_HI2.
type Choice = [(&'static str, u32); 3];

/// The settings of source `n`'s bits, the others at their default.
fn choices(format: &str, n: usize) -> Vec<Choice> {
    let bit = 1 << n;
    match format {
        "VOP3" => vec![[("OPSEL", 0); 3], [("OPSEL", bit); 3]],
        "VOP3P" => {
            let hi = |set: bool| match (n, set) {
                (2, set) => [("OPSEL_HI", 3), ("OPSEL_HI2", set.into())],
                (_, true) => [("OPSEL_HI", 3), ("OPSEL_HI2", 1)],
                (_, false) => [("OPSEL_HI", 3 & !bit), ("OPSEL_HI2", 1)],
            };
            let all = [(0, true), (0, false), (bit, true), (bit, false)];
            all.into_iter().map(|(lo, set)| [("OPSEL", lo), hi(set)[0], hi(set)[1]]).collect()
        }
        _ => vec![[("", 0); 3]],
    }
}

/// What the test has compared.
#[derive(Default)]
struct Counts {
    /// Opcodes, sources and halves.
    operands: usize,
    /// Constants in them.
    constants: usize,
    /// The first difference of each operand.
    wrong: Vec<String>,
}

/// Compares each constant in a field of an instruction with a register that has its value.
fn compare<M: Machine>(
    format: &Format<M::Isa>,
    mnemonic: &str,
    (words, name, n): ([u32; MAX_DWORDS], &str, usize),
    mode: <M::Isa as Isa>::Mode,
    counts: &mut Counts,
) {
    let Some(source) = field(format, name) else { return };
    let stride = property::stride(STRIDE);
    for choice in choices(format.name, n) {
        let mut words = words;
        for (name, bits) in choice {
            if let Some(field) = field(format, name) {
                field.set(&mut words, bits);
            }
        }
        // A vector register, or a scalar one where the instruction takes no other.
        let with = |code: u32, literal: u32| {
            let mut words = words;
            source.set(&mut words, code);
            words[usize::from(format.dwords)] = literal;
            words
        };
        let vector = with(256 + REGISTER, 0);
        let is_scalar = format.name.starts_with("SOP") || instruction::<M>(&vector, mode).is_none();
        let by_register = |literal: u32| with(if is_scalar { REGISTER } else { 256 + REGISTER }, literal);
        if instruction::<M>(&by_register(0), mode).is_none() {
            continue;
        }
        let mine = constants().skip(counts.operands % stride).step_by(stride);
        let all: Vec<(u32, u32)> =
            mine.filter(|(code, literal)| instruction::<M>(&with(*code, *literal), mode).is_some()).collect();
        if all.is_empty() {
            continue;
        }
        let bytes = |words: [u32; MAX_DWORDS]| {
            let dwords = instruction::<M>(&words, mode).unwrap_or(0);
            words.into_iter().take(dwords).flat_map(u32::to_le_bytes).collect::<Vec<u8>>()
        };
        let (mut code, mut offsets) = (Vec::new(), Vec::new());
        for (constant, literal) in &all {
            offsets.push(code.len());
            code.extend(bytes(with(*constant, *literal)));
        }
        let is_matrix = mnemonic.contains("WMMA");
        let mut by_constant = Bench::new::<M>(&code, mode, is_matrix);
        // A mandatory literal follows the register, too.
        let register = bytes(by_register(0));
        let has_literal = register.len() > 4 * usize::from(format.dwords);
        let mut registers = Bench::new::<M>(&register, mode, is_matrix);
        let is_mixed = mnemonic.starts_with("V_FMA_MIX");
        let is_half = choice.iter().any(|(name, bits)| match *name {
            "OPSEL_HI" => n < 2 && bits >> n & 1 != 0,
            "OPSEL_HI2" => n == 2 && *bits != 0,
            _ => false,
        });
        let kind = match (is_mixed, is_half) {
            // "2'b00: Src[31:0] as FP32 … 2'b10: Src[15:0] as FP16 2'b11: Src[31:16] as FP16" (§7.5).
            (true, true) => Kind::F16,
            (true, false) => Kind::F32,
            _ => kind(mnemonic, n),
        };
        counts.operands += 1;
        for ((constant, literal), offset) in all.into_iter().zip(offsets) {
            if has_literal && literal != 0 {
                continue;
            }
            let value = contents(constant, literal, kind, halves(mnemonic, n));
            let expected = registers.step(0, is_matrix, |wave| {
                let (registers, lanes) = if is_matrix { (8, 32) } else { (2, LANES) };
                for at in 0..registers {
                    let dword = if at == 1 && !is_matrix { value >> 32 } else { value } as u32;
                    let register = (REGISTER + at) as u16;
                    wave.set_sgpr(register, dword);
                    (0..lanes).for_each(|lane| wave.set_vgpr(register, lane, dword));
                }
            });
            let found = by_constant.step(offset, is_matrix, |_| {});
            // An instruction whose effect is outside the machine.
            if expected.is_err() && found.is_err() {
                return;
            }
            if expected != found {
                counts.wrong.push(format!(
                    "{} {mnemonic}, source {n}, {choice:?}: constant {constant} ({literal:#x}) is not {value:#x}, {kind:?}",
                    format.name
                ));
                break;
            }
            counts.constants += 1;
        }
    }
}

/// Compares the constants of all instructions in the formats whose names begin with one of these words.
fn compare_all<M: Machine>(mode: <M::Isa as Isa>::Mode, names: &[&str]) -> Counts {
    let mut counts = Counts::default();
    for format in M::Isa::tables().formats {
        if !names.iter().any(|name| format.name.starts_with(name)) || format.name == "SOPP" || format.name == "SOPK" {
            continue;
        }
        for (nth, component) in format.components.iter().enumerate() {
            for number in 0..component.table.len() as u16 {
                if component.table[usize::from(number)] == 0 {
                    continue;
                }
                let Some(words) = repaired::<M>(format, base(format, nth, number), mode, 3) else { continue };
                let Ok((instr, dwords)) = decode::<M::Isa>(&words, mode) else { continue };
                let (index, all) = M::Isa::parts(&instr);
                let opcode = rdna3::isa::opcode::<M::Isa>(index, &all, nth).unwrap_or(u16::MAX);
                let mnemonic = M::Isa::tables().mnemonics[usize::from(opcode)];
                // The result is the address of the next instruction, or depends on the message that the code names.
                if mnemonic == "S_SWAPPC_B64" || mnemonic.starts_with("S_SENDMSG_RTN") {
                    continue;
                }
                let fields: Vec<&str> = operands::<M::Isa>(index, all, dwords as u8, mode)
                    .filter(|operand| usize::from(operand.component) == nth && operand.access == Access::Read)
                    .filter_map(|operand| operand.row.field())
                    .collect();
                for (name, n) in SOURCES {
                    if fields.contains(&name) {
                        compare::<M>(format, mnemonic, (words, name, n), mode, &mut counts);
                    }
                }
            }
        }
    }
    assert!(counts.wrong.is_empty(), "{} differ:\n{}", counts.wrong.len(), counts.wrong.join("\n"));
    counts
}

#[test]
fn constants_of_scalar_and_short_vector_instructions_have_the_guides_value() {
    let counts = compare_all::<rdna3::exec::Rdna3Machine>(rdna3::Wave::W32, &["SOP", "VOP1", "VOP2", "VOPC", "VOPD"]);
    assert!(counts.operands > 450 && counts.constants > 5_000, "{} {}", counts.operands, counts.constants);
}

#[test]
fn constants_of_long_vector_instructions_have_the_guides_value() {
    let counts = compare_all::<rdna3::exec::Rdna3Machine>(rdna3::Wave::W32, &["VOP3"]);
    assert!(counts.operands > 900 && counts.constants > 20_000, "{} {}", counts.operands, counts.constants);
}

#[test]
fn constants_of_scalar_floats_have_the_guides_value() {
    let counts = compare_all::<rdna3_5::exec::Rdna35Machine>(rdna3_5::Wave::W32, &["SOP"]);
    assert!(counts.operands > 250 && counts.constants > 2_500, "{} {}", counts.operands, counts.constants);
}

#[test]
fn constants_of_packed_instructions_are_the_same_in_wave64() {
    let counts = compare_all::<rdna3::exec::Rdna3Machine>(rdna3::Wave::W64, &["VOP3P"]);
    assert!(counts.operands > 150 && counts.constants > 2_500, "{} {}", counts.operands, counts.constants);
}

/// Returns v0 after a line that reads v1 and v2, whose old values are v0 = 0x4000_3C00, and s1.
fn v0(line: &str, v1: u32, v2: u32) -> u32 {
    let wave = run_lines(&[line], |wave| {
        wave.set_sgpr(1, 0x4000_3C00);
        [0x4000_3C00, v1, v2].iter().enumerate().for_each(|(at, bits)| wave.set_vgpr(at as u16, 0, *bits));
    });
    wave.vgpr(0, 0)
}

#[test]
fn mixed_sources_have_an_f16_in_the_low_half_or_an_f32() {
    let three = 3_f32.to_bits();
    // 2 * 1 + 3.
    assert_eq!(v0("v_fma_mix_f32 v0, v1, 1.0, v2 op_sel_hi:[1,1,0]", 0x4000, three), 5_f32.to_bits());
    assert_eq!(v0("v_fma_mixlo_f16 v0, v1, 1.0, v2 op_sel_hi:[1,1,0]", 0x4000, three), 0x4000_4500);
    assert_eq!(v0("v_fma_mixhi_f16 v0, v1, 1.0, v2 op_sel_hi:[1,1,0]", 0x4000, three), 0x4500_3C00);
    // 2 * -3 + 1.
    assert_eq!(v0("v_fma_mix_f32 v0, v1, -v2, |1.0| op_sel_hi:[1,1,1]", 0x4000, 0x4200), (-5_f32).to_bits());
    // The high half of an f16 constant is 0.
    assert_eq!(v0("v_fma_mix_f32 v0, v1, 1.0, v2 op_sel:[0,1,0] op_sel_hi:[1,1,0]", 0x4000, three), three);
    assert_eq!(v0("v_fma_mix_f32 v0, v1, 1.0, v2 op_sel_hi:[1,0,0]", 0x4000, three), 5_f32.to_bits());
    // 1/(2 pi) of an f16 is 0x3118.
    assert_eq!(v0("v_fma_mix_f32 v0, v1, 0.15915494, v2 op_sel_hi:[1,1,0]", 0x4000, three), 0x4054_6000);
}

#[test]
fn dot_products_have_constants_in_both_halves() {
    // 3 * 1 + 2 * 1 + 0.
    let five = 5_f32.to_bits();
    assert_eq!(v0("v_dot2_f32_f16 v0, v1, 1.0, v2", 0x4000_4200, 0), five);
    assert_eq!(v0("v_dot2_f32_f16 v0, 1.0, v1, v2 op_sel_hi:[0,1,1]", 0x4000_4200, 0), five);
    assert_eq!(v0("v_dot2_f32_bf16 v0, v1, 1.0, v2", 0x4000_4040, 0), five);
    assert_eq!(v0("v_dot2_f16_f16 v0.l, v1, 1.0, v2.l", 0x4000_4200, 0) & 0xFFFF, 0x4500);
    assert_eq!(v0("v_dot2_bf16_bf16 v0.l, 1.0, v1, v2.l", 0x4000_4040, 0) & 0xFFFF, 0x40A0);
    // The accumulator is 0x4000_3C00, which is 2.0036621.
    let sum = f32::from_bits(0x4000_3C00) + 5.0;
    assert_eq!(v0("v_dot2acc_f32_f16 v0, 1.0, v1", 0x4000_4200, 0), sum.to_bits());
    assert_eq!(v0("v_dual_dot2acc_f32_f16 v0, 1.0, v1 :: v_dual_mov_b32 v3, v2", 0x4000_4200, 0), sum.to_bits());
    assert_eq!(v0("v_dual_mov_b32 v3, v2 :: v_dual_dot2acc_f32_bf16 v0, 1.0, v1", 0x4000_4040, 0), sum.to_bits());
    // A literal has its own halves: 3 * 1 + 2 * 0.
    assert_eq!(v0("v_dot2_f32_f16 v0, v1, lit(0x3c00), v2", 0x4000_4200, 0), 3_f32.to_bits());
    // (1, 2) + (3, 2) * 1.
    assert_eq!(v0("v_pk_fmac_f16 v0, 0x3c003c00, v1", 0x4000_4200, 0), 0x4400_4400);
}

#[test]
fn packed_instructions_have_constants_in_the_low_half() {
    assert_eq!(v0("v_pk_add_f16 v0, v1, 1.0", 0x4000_4200, 0), 0x4000_4400);
    assert_eq!(v0("v_pk_add_f16 v0, v1, 1.0 op_sel_hi:[1,0]", 0x4000_4200, 0), 0x4200_4400);
    // An integer has the bits of an f32.
    assert_eq!(v0("v_pk_add_u16 v0, v1, 2.0", 0x0003_0005, 0), 0x4003_0005);
    assert_eq!(v0("v_pk_add_u16 v0, v1, -1", 0x0003_0005, 0), 0x0002_0004);
    assert_eq!(v0("v_pk_add_u16 v0, v1, 1", 0x0003_0005, 0), 0x0003_0006);
}

#[test]
fn op_sel_chooses_halves_of_scalar_registers_and_constants() {
    let low = |line: &str| v0(line, 0, 0) & 0xFFFF;
    assert_eq!(low("v_add_f16_e64 v0.l, s1, v1.l"), 0x3C00);
    assert_eq!(low("v_add_f16_e64 v0.l, s1, v1.l op_sel:[1,0,0]"), 0x4000);
    assert_eq!(low("v_add_f16_e64 v0.l, v1.l, s1 op_sel:[0,1,0]"), 0x4000);
    assert_eq!(low("v_fma_f16 v0.l, v1.l, v1.l, s1 op_sel:[0,0,1,0]"), 0x4000);
    assert_eq!(low("v_add_f16_e64 v0.l, 1.0, v1.l op_sel:[1,0,0]"), 0);
    assert_eq!(low("v_add_nc_u16 v0.l, -2, v1.l op_sel:[1,0,0]"), 0xFFFF);
    assert_eq!(low("v_add_nc_u16 v0.l, 2, v1.l op_sel:[1,0,0]"), 0);
}

#[test]
fn conversions_to_two_halves_ignore_clamp_and_omod() {
    let (a, b) = (3_f32.to_bits(), (-3_f32).to_bits());
    assert_eq!(v0("v_cvt_pk_rtz_f16_f32_e64 v0, v1, v2", a, b), 0xC200_4200);
    assert_eq!(v0("v_cvt_pk_rtz_f16_f32_e64 v0, v1, v2 clamp", a, b), 0xC200_4200);
    let wave = run_lines(&["v_cvt_pk_rtz_f16_f32_e64 v0, v1, v2 mul:2"], |wave| {
        // Neither IEEE nor denormal results, which would disable OMOD.
        wave.set_mode(isa_exec::num::Mode(0));
        wave.set_vgpr(1, 0, a);
        wave.set_vgpr(2, 0, b);
    });
    assert_eq!(wave.vgpr(0, 0), 0xC200_4200);
}

#[test]
fn matrices_have_a_half_in_both_halves() {
    for (op_sel, mask) in [("", 0xFFFF), (" op_sel:[0,0,1]", 0xFFFF_0000)] {
        let line = format!("v_wmma_f16_16x16x16_f16 v[0:7], v[8:15], v[16:23], 1.0{op_sel}");
        let wave = run_lines(&[&line], |_| {});
        assert!((0..8).all(|register| wave.vgpr(register, 5) == 0x3C00_3C00 & mask), "{line}");
    }
}

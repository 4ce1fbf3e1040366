//! The made-up set: every word of the row language, decoded, encoded, written, listed and changed.

use isa::tables::Format;
use isa::{Access, Isa, MAX_DWORDS, UnusedFields};
use isa_tests::toy::{DecodeError, File, Instr, Mode, Opcode, Toy, Value, flags, raw};

fn decode(input: &[u32], mode: Mode) -> Instr {
    match Instr::decode(input, mode) {
        Ok((instr, len)) => {
            assert_eq!(len, input.len(), "{instr}");
            assert_eq!(*instr.encode(), *input, "{instr}");
            instr
        }
        Err(e) => panic!("{input:08x?} {mode:?}: {e}"),
    }
}

fn narrow(input: &[u32]) -> String {
    decode(input, Mode::Narrow).to_string()
}

/// Returns what an unused field of an instruction holds.
fn unused(input: &[u32]) -> String {
    let instr = decode(input, Mode::Narrow);
    instr.unused_field().map_or_else(|| format!("canonical: {instr}"), |unused| unused.to_string())
}

fn refused(input: &[u32]) -> String {
    match Instr::decode(input, Mode::Narrow) {
        Ok((instr, _)) => format!("accepted: {instr}"),
        Err(e) => e.to_string(),
    }
}

/// Returns the operands of an instruction: `d=w:Registers(1, 1)`.
fn operands(instr: Instr, mode: Mode) -> Vec<String> {
    let letter = |a| match a {
        Access::Read => "r",
        Access::Write => "w",
        Access::ReadWrite => "rw",
        Access::Modifier => "m",
    };
    let value = |value| match value {
        Value::Registers { file: File::Reg, first, count, .. } => format!("Registers({first}, {count})"),
        Value::Registers { file: File::Carry, .. } => "Carry".to_string(),
        Value::Number(n) | Value::Integer(n) => format!("Number({n})"),
        Value::Literal(n) => format!("Number({})", n as i32),
        Value::Float(_) | Value::Off => "none".to_string(),
    };
    instr.operands(mode).map(|o| format!("{}:{}={} {}", o.role, o.ty, letter(o.access), value(o.value))).collect()
}

/// One register.
const fn registers(file: File, first: u8) -> Value {
    Value::Registers { file, first, count: 1, half: None }
}

/// Any words of a format, field by field.
#[derive(Clone, Copy)]
struct Fields {
    format: &'static Format<Toy>,
    words: [u32; MAX_DWORDS],
}

impl Fields {
    /// Begins with these bits.
    fn new(format: &str, bits: u64) -> Self {
        let format =
            Toy::tables().formats.iter().find(|f| f.name == format).unwrap_or_else(|| panic!("no format {format}"));
        Fields { format, words: [bits as u32, (bits >> 32) as u32, 0] }
    }

    fn with(mut self, name: &str, value: impl Into<u32>) -> Self {
        let Some(field) = self.format.fields.iter().find(|f| f.name == name) else { panic!("no field {name}") };
        let value = value.into();
        field.bits.set(&mut self.words, value);
        assert_eq!(field.bits.get(&self.words), value, "{name} is too narrow for {value}");
        self
    }

    /// The word of a format that has one.
    fn one(self) -> u32 {
        self.words[0]
    }

    fn two(self) -> [u32; 2] {
        [self.words[0], self.words[1]]
    }
}

fn a2(op: u8, d: u8, s0: u8, s1: u8) -> Fields {
    let fixed = raw::A2::new().into_bits();
    Fields::new("A2", fixed.into()).with("OP", op).with("D", d).with("S0", s0).with("S1", s1)
}

fn a3(op: u16) -> Fields {
    Fields::new("A3", raw::A3::new().into_bits()).with("OP", op).with("IDX", 0xff_u8).with("S2", 0x7e_u8)
}

#[test]
fn raw_layouts_begin_with_what_is_fixed() {
    assert_eq!(raw::A2::new().into_bits(), 0x40);
    assert_eq!(raw::A3::new().into_bits(), 0x8000_0000);
    assert_eq!(raw::Mem::new().into_bits(), 0x4000_0009);
}

#[test]
fn a_raw_layout_shares_a_fixed_value_among_the_runs_of_its_field() {
    assert_eq!(raw::Trap::new().into_bits(), 0xbf00_0001);
}

#[test]
fn an_opcode_in_two_runs() {
    assert_eq!(narrow(&[a2(0x31, 0, 0, 9).one()]), "far_s r9");
    assert_eq!(narrow(&[a2(2, 1, 64 + 7, 3).one()]), "addc_s r1, cy, 7, r3");
    assert_eq!(refused(&[a2(0x32, 0, 0, 0).one()]), "A2 has no opcode 50 (OP)");
}

#[test]
fn reserved_bits_hold_what_they_should() {
    let add = a2(0, 1, 2, 3);
    assert_eq!(narrow(&[add.one()]), "add_s r1, r2, r3");
    assert_eq!(refused(&[add.with("ONE", false).one()]), "non-canonical A2: ONE holds 0 (0x0), which is reserved");
    assert_eq!(refused(&[add.with("ZERO", 1_u32).one()]), "non-canonical A2: ZERO holds 1 (0x1), which is reserved");
    let odd = Instr::decode(&[add.with("ZERO", 1_u32).one()], Mode::Narrow).err().and_then(|e| e.noncanonical());
    assert_eq!(odd.map(|i| i.to_string()).as_deref(), Some("add_s r1, r2, r3"));
}

#[test]
fn modifiers_are_there_where_their_condition_holds() {
    assert_eq!(narrow(&[a2(1, 1, 2, 3).with("ROUND", true).one()]), "fadd_s r1, r2, r3 round");
    for not_float in [0, 6] {
        let word = a2(not_float, 1, 2, 3).with("ROUND", true).one();
        assert_eq!(refused(&[word]), "non-canonical A2: ROUND holds 1 (0x1), which is reserved");
    }
}

#[test]
fn roles_that_a_row_has_not_drop_out_of_the_text() {
    assert_eq!(narrow(&[a2(5, 1, 2, 0).one()]), "acc_s r1, r2");
    assert_eq!(narrow(&[a2(8, 0, 0, 0).one()]), "nothing");
    assert_eq!(narrow(&[a2(5, 1, 2, 3).one()]), "acc_s r1, r2");
    assert_eq!(unused(&[a2(5, 1, 2, 3).one()]), "A2: S1 holds 3 (0x3) instead of 0, and is not used");
}

#[test]
fn words_choose_the_text_and_a_row_its_name() {
    assert_eq!(narrow(&[a2(9, 0, 2, 0).one()]), "say.it !r2");
    let instr = decode(&[a2(9, 0, 2, 0).one()], Mode::Narrow);
    assert_eq!(instr.opcode(), Opcode::SAY);
    assert_eq!(flags::CHATTY & flags::QUICK, 0);
}

#[test]
fn a_row_chooses_the_kind_of_an_operand_in_its_own_format() {
    assert_eq!(narrow(&[a2(3, 4, 2, 3).one()]), "widen_s r[4:5], r2, r3");
    assert_eq!(refused(&[a2(3, 5, 2, 3).one()]), "A2 WIDEN: D holds 5 (0x5), which names nothing here");
    assert_eq!(narrow(&a3(0x43).with("D", 5_u32).with("S0", 2_u32).with("S1", 3_u32).two()), "widen_l r[5:6], r2, r3");
}

#[test]
fn a_literal_follows_where_a_field_selects_it() {
    let word = a2(0, 1, 255, 3).one();
    assert_eq!(narrow(&[word, 0x1234]), "add_s r1, 0x1234, r3");
    assert_eq!(refused(&[word]), "the input ends inside an instruction: it takes 2 dwords, there are 1");
    let instr = decode(&[word, 7], Mode::Narrow);
    assert_eq!(
        operands(instr, Mode::Narrow),
        ["d:u32=w Registers(1, 1)", "s0:u32=r Number(7)", "s1:u32=r Registers(3, 1)"]
    );
    // A 64-bit source takes none.
    let long = a2(10, 2, 255, 0x1f).one();
    let long = Instr::decode(&[long, 0], Mode::Wide).map_err(|e| e.to_string());
    assert_eq!(long, Err("A2 LONG cannot be followed by LIT".into()));
}

#[test]
fn a_literal_that_always_follows_is_a_role_of_its_own() {
    assert_eq!(narrow(&[a2(4, 1, 2, 3).one(), 16]), "madk r1, r2 * 0x10, r3");
    let instr = decode(&[a2(4, 1, 2, 3).one(), 16], Mode::Narrow);
    assert_eq!(
        operands(instr, Mode::Narrow),
        ["d:f32=w Registers(1, 1)", "s0:f32=r Registers(2, 1)", "k:f32=r Number(16)", "s1:f32=r Registers(3, 1)"]
    );
    // The same literal serves a source that selects it too.
    assert_eq!(narrow(&[a2(4, 1, 255, 3).one(), 16]), "madk r1, lit(0x10) * 0x10, r3");
}

#[test]
fn a_suffix_dword_carries_a_role_instead_of_the_base_field() {
    let word = a2(0, 1, 254, 3).one();
    assert_eq!(narrow(&[word, 9]), "add_shuf r1, r9, r3");
    let instr = decode(&[word, 9], Mode::Narrow);
    assert_eq!(operands(instr, Mode::Narrow)[1], "s0:u32=r Registers(9, 1)");
    // Not quick; `no SHUF`; a modifier of the suffix dword that its condition leaves out.
    assert_eq!(refused(&[a2(2, 1, 254, 3).one(), 9]), "A2 ADDC cannot be followed by SHUF");
    assert_eq!(refused(&[a2(5, 1, 254, 0).one(), 9]), "A2 ACC cannot be followed by SHUF");
    assert!(unused(&[a2(6, 1, 254, 3).one(), 0x1_0009]).starts_with("A2: BOUND holds 1"));
    assert_eq!(narrow(&[a2(6, 1, 254, 3).one(), 9]), "pack_shuf r1, r9, r3");
}

#[test]
fn a_suffix_dword_has_its_own_kind_of_operand() {
    assert_eq!(narrow(&[a2(11, 1, 4, 0).one()]), "odd_s r1, r4");
    assert_eq!(narrow(&[a2(11, 1, 254, 0).one(), 9]), "odd_shuf r1, r9");
}

#[test]
fn a_suffix_dword_chooses_among_its_texts() {
    assert_eq!(narrow(&[a2(1, 1, 254, 3).one(), 0x1_0509]), "fadd_shuf r1, r9, r3 bound ctrl:5");
    assert_eq!(narrow(&[a2(0, 1, 254, 3).one(), 0x1_0509]), "add_shuf r1, r9, r3 ctrl:5 bound");
}

#[test]
fn rows_ride_another_format_where_conditions_let_them() {
    assert_eq!(
        narrow(&a3(0x40).with("D", 50_u32).with("S0", 64_u32).with("S1", 65_u32).with("CLAMP", true).two()),
        "add_l r50, 0, 1 clamp"
    );
    assert_eq!(narrow(&a3(0x41).with("D", 1_u32).with("NEG", 5_u32).two()), "fadd_l r1, r0, r0 neg:5");
    // `promoted & d is int`, `s0 is float`.
    assert!(refused(&a3(0x41).with("CLAMP", true).two()).starts_with("non-canonical A3: CLAMP"));
    assert!(refused(&a3(0x40).with("NEG", 1_u32).two()).starts_with("non-canonical A3: NEG"));
    // `d is mask`, `no A3`.
    for absent in [0x44, 0x47, 0x48] {
        assert_eq!(refused(&a3(absent).two()), format!("A3 has no opcode {absent} (OP)"));
    }
    assert_eq!(narrow(&a3(0x46).with("IDX", 3_u32).two()), "pack_l r0, r0, r0 idx:3");
    // All encodings share one mnemonic.
    let (short, long) = (a2(0, 1, 2, 3).one(), a3(0x40).two());
    assert_eq!(decode(&[short], Mode::Narrow).opcode(), decode(&long, Mode::Narrow).opcode());
    assert_eq!(decode(&long, Mode::Narrow).format(), "A3");
    assert_eq!(narrow(&a3(0x49).with("S0", 2_u32).two()), "say.it r2");
}

#[test]
fn an_unused_field_holds_what_else_says() {
    let add = decode(&a3(0x40).two(), Mode::Narrow);
    assert!(add.is_canonical());
    assert_eq!(add.unused_field(), None);
    for (field, usual) in [("S2", "126"), ("IDX", "255")] {
        let words = a3(0x40).with(field, 0_u32).two();
        let text = format!("A3: {field} holds 0 (0x0) instead of {usual}, and is not used");
        assert_eq!(unused(&words), text);
        let instr = decode(&words, Mode::Narrow);
        assert!(!instr.is_canonical());
        assert_eq!(instr.to_string(), add.to_string());
        assert_eq!(&instr.encode()[..], &words);
        // Parsing and lowering write what is usual, and so does the caller who asks for it.
        assert_eq!(instr.with_unused_fields(UnusedFields::Usual), add);
        assert_eq!(instr.to_inst().encode_unchecked(Mode::Narrow), Ok(add));
        assert_eq!(Instr::parse(&instr.to_string(), Mode::Narrow).as_ref(), Ok(&add));
    }
    let newer = add.with_unused_fields(UnusedFields::Newer);
    assert_eq!(&newer.encode()[..], &a3(0x40).with("S2", 0xFE_u32).two());
    assert_eq!(newer.with_unused_fields(UnusedFields::Usual), add);
    assert_eq!(narrow(&a3(0).with("S2", 70_u32).two()), "fma r0, r0, r0, 6");
    assert_eq!(
        narrow(&a3(1).with("S2", 70_u32).with("IDX", 1_u32).with("CLAMP", true).two()),
        "dot r0, r0, r0, 6 idx:1 clamp"
    );
    assert_eq!(narrow(&a3(2).with("D", 3_u32).two()), "copy r3 <- r0");
}

#[test]
fn three_dwords() {
    let [a, b] = a3(0).with("S0", 255_u32).with("S2", 255_u32).two();
    assert_eq!(narrow(&[a, b, 5]), "fma r0, lit(0x5), r0, lit(0x5)");
    assert_eq!(refused(&[a, b]), "the input ends inside an instruction: it takes 3 dwords, there are 2");
    assert_eq!(refused(&[a]), "the input ends inside an instruction: it takes 2 dwords, there are 1");
}

#[test]
fn codes_that_name_nothing() {
    assert_eq!(refused(&[a2(0, 1, 200, 3).one()]), "A2 ADD: S0 holds 200 (0xc8), which names nothing here");
    let printable = Instr::decode(&[a2(0, 1, 253, 3).one()], Mode::Narrow);
    assert_eq!(
        printable.err().and_then(|e| e.noncanonical()).map(|i| i.to_string()).as_deref(),
        Some("add_s r1, ??, r3")
    );
}

#[test]
fn modes() {
    let mask = [a2(7, 1, 2, 0).one()];
    assert_eq!(decode(&mask, Mode::Narrow).to_string(), "tomask r1, r2");
    assert_eq!(decode(&mask, Mode::Wide).display(Mode::Wide).to_string(), "tomask r[1:2], r2");
    let long = a2(10, 2, 4, 0x1f).one();
    assert_eq!(decode(&[long], Mode::Wide).to_string(), "long_s r[2:3], r[4:5]");
    assert_eq!(refused(&[long]), "A2 LONG exists in mode Wide only");
    // `fix` holds in the row's own format.
    assert!(Instr::decode(&[a2(10, 2, 4, 0).one()], Mode::Wide).is_err_and(|e| e.field() == Some("S1")));
    let all = [0xe800_0000];
    assert_eq!(decode(&all, Mode::Wide).to_string(), "sync_all");
    assert_eq!(refused(&all), "SYNC SYNC_ALL exists in mode Wide only");
}

fn mem(op: u8) -> Fields {
    Fields::new("MEM", raw::Mem::new().into_bits()).with("OP", op).with("COUNT", 1_u32)
}

#[test]
fn an_immediate_over_both_dwords() {
    let load = mem(1).with("DATA", 7_u32).with("ADDR", 8_u32);
    assert_eq!(narrow(&load.with("IMM", 0xffc_u32).two()), "load r7, -4(r[8:9])");
    assert_eq!(narrow(&load.with("IMM", 0x7ff_u32).two()), "load r7, 2047(r[8:9])");
    let instr = decode(&load.two(), Mode::Narrow);
    let Instr::Mem(x) = instr else { panic!("{instr}") };
    for offset in [-2048, -1, 0, 2047] {
        let with = x.with_imm(offset).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(with.imm(), offset);
        assert_eq!(Instr::from(with).to_string(), format!("load r7, {offset}(r[8:9])"));
    }
    assert_eq!(narrow(&mem(3).with("COUNT", 9_u32).with("NT", true).two()), "block r[0:2], 0(r[0:1]), 9 nt");
}

#[test]
fn a_bit_splits_a_row() {
    let swap = mem(0x11).with("DATA", 1_u32).with("ADDR", 2_u32);
    assert_eq!(narrow(&swap.two()), "swap_add_x2 r1, 0(r[2:3])");
    let glc = swap.with("GLC", true).with("OLD", 9_u32);
    assert_eq!(narrow(&glc.two()), "swap_add_x2 r9, r1, 0(r[2:3]) glc");
    assert!(unused(&swap.with("OLD", 9_u32).two()).starts_with("MEM: OLD holds 9"));
    assert_eq!(
        operands(decode(&glc.two(), Mode::Narrow), Mode::Narrow),
        [
            "old:u32=w Registers(9, 1)",
            "data:u32=r Registers(1, 1)",
            "addr:u64=r Registers(2, 2)",
            "offset:i12=r Number(0)"
        ]
    );
    let update = mem(0xa0).with("DATA", 1_u32);
    for (glc, data) in [(false, "data:u32=r Registers(1, 1)"), (true, "data:u32=rw Registers(1, 1)")] {
        let instr = decode(&update.with("GLC", glc).two(), Mode::Narrow);
        assert_eq!(instr.opcode(), Opcode::UPDATE_MAX_X132);
        assert_eq!(operands(instr, Mode::Narrow)[0], data);
    }
    assert!(refused(&mem(2).with("GLC", true).two()).starts_with("non-canonical MEM: GLC"));
    assert!(refused(&mem(2).with("NT", true).two()).starts_with("non-canonical MEM: NT"));
}

#[test]
fn families_and_a_format_inside_another() {
    assert_eq!(narrow(&[0xa000_0000 | 1 << 25 | 5 << 18 | 6 << 8]), "cmp_eq_u32 r5, r0, r6");
    assert_eq!(narrow(&[0xa000_0000 | 9 << 25 | 0x7e << 18 | 6 << 8]), "cmpx_eq_u32 r0, r6");
    assert!(refused(&[0xa000_0000 | 9 << 25 | 6 << 8]).starts_with("non-canonical CMP: D "));
    let trap = Fields::new("TRAP", 0xbf00_0001).with("CODE", 0x1234_u32).one();
    assert_eq!(narrow(&[trap]), "trap 4660");
    assert!(refused(&[trap ^ 1 << 24]).starts_with("non-canonical TRAP: MAGIC"));
    assert_eq!(refused(&[0xa000_0000 | 4 << 25]), "CMP has no opcode 4 (OP)");
}

#[test]
fn two_instructions_in_one() {
    let duo = Fields::new("DUO", raw::Duo::new().into_bits())
        .with("OPX", 4_u32)
        .with("DX", 1_u32)
        .with("SX", 2_u32)
        .with("S1X", 3_u32)
        .with("OPY", 4_u32)
        .with("DY", 4_u32)
        .with("SY", 5_u32)
        .with("S1Y", 6_u32);
    assert_eq!(narrow(&duo.two()), "duo_add r1, r2, r3 :: duo_add r4, r5, r6");
    let [a, b] = duo.with("SY", 255_u32).two();
    assert_eq!(narrow(&[a, b, 8]), "duo_add r1, r2, r3 :: duo_add r4, lit(0x8), r6");
    let [a, b] = duo.with("OPY", 9_u32).two();
    assert_eq!(narrow(&[a, b, 8]), "duo_add r1, r2, r3 :: duo_madk r4, r5 * 0x8, r6");
    let [a, b] = duo.with("OPX", 6_u32).two();
    assert_eq!(narrow(&[a, b, 8]), "duo_madk r1, r2 * 0x8, r3 :: duo_add r4, r5, r6");
    let instr = decode(&[a, b, 8], Mode::Narrow);
    assert_eq!(instr.opcodes(), (Opcode::MADK, Some(Opcode::ADD)));
    let components: Vec<u8> = instr.operands(Mode::Narrow).map(|o| o.component).collect();
    assert_eq!(components, [0, 0, 0, 0, 1, 1, 1]);
    assert_eq!(refused(&duo.with("OPY", 5_u32).two()), "DUO has no opcode 5 (OPY)");
}

#[test]
fn implied_operands_are_listed() {
    let instr = decode(&[a2(2, 1, 2, 3).one()], Mode::Narrow);
    let all: Vec<_> = instr.operands(Mode::Narrow).map(|o| (o.role, o.access, o.value)).collect();
    assert_eq!(
        all,
        [
            ("d", Access::Write, registers(File::Reg, 1)),
            ("carry", Access::Write, registers(File::Carry, 0)),
            ("s0", Access::Read, registers(File::Reg, 2)),
            ("s1", Access::Read, registers(File::Reg, 3)),
        ]
    );
    let acc = decode(&[a2(5, 1, 2, 0).one()], Mode::Narrow);
    assert_eq!(operands(acc, Mode::Narrow)[0], "d:i32=rw Registers(1, 1)");
}

#[test]
fn accessors_read_and_with_changes() {
    let Instr::A2(add) = decode(&[a2(1, 1, 2, 3).one()], Mode::Narrow) else { panic!() };
    assert_eq!((add.d(), add.s0(), add.s1(), add.round(), add.op()), (1, 2, 3, false, 1));
    assert_eq!((add.lit(), add.shuf().is_none()), (None, true));
    let text = |x: Result<_, DecodeError>| {
        x.map_or_else(|e| e.to_string(), |x: isa_tests::toy::A2| Instr::from(x).to_string())
    };
    assert_eq!(text(add.with_d(31)), "fadd_s r31, r2, r3");
    assert_eq!(text(add.with_round(true)), "fadd_s r1, r2, r3 round");
    assert_eq!(text(add.with_s0(255)), "fadd_s r1, lit(0x0), r3");
    assert_eq!(text(add.with_s0(254)), "fadd_shuf r1, r0, r3");
    assert_eq!(text(add.with_d(32)), "A2 FADD: D holds 32 (0x20), which names nothing here");
    assert_eq!(text(add.with_s0(200)), "A2 FADD: S0 holds 200 (0xc8), which names nothing here");
    let literal = add.with_s0(255).unwrap_or(add);
    assert_eq!(literal.lit(), Some(0));
    assert_eq!(text(literal.with_s0(2)), "fadd_s r1, r2, r3");
}

/// Words that decode encode to the same words; errors name a format, and nothing panics.
#[test]
fn any_words() {
    let mut state = 0x1234_5678_9abc_def1u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 16) as u32
    };
    let mut accepted = 0;
    for round in 0..400_000 {
        let mut input = [next(), next(), next()];
        // Half of them begin as one of the formats does.
        if round % 2 == 0 {
            let format = &Toy::tables().formats[round / 2 % Toy::tables().formats.len()];
            for (i, word) in input.iter_mut().enumerate() {
                *word = *word & !format.fixed.mask[i] | format.fixed.value[i];
            }
        }
        for mode in [Mode::Narrow, Mode::Wide] {
            match Instr::decode(&input, mode) {
                Ok((instr, len)) => {
                    accepted += 1;
                    assert_eq!(*instr.encode(), input[..len]);
                    assert_eq!(Instr::decode(&instr.encode(), mode), Ok((instr, len)));
                    assert!(!instr.display(mode).to_string().is_empty());
                    assert!(instr.operands(mode).count() <= 8);
                }
                Err(e) => {
                    assert!(!e.to_string().contains('?'), "{e}");
                    if let Some(odd) = e.noncanonical() {
                        assert_eq!(*odd.encode(), input[..odd.len()]);
                    }
                }
            }
        }
    }
    assert!(accepted > 500, "{accepted}");
}

/// Compares the instructions that builders fill with their text: operands in another order than the row's, implied ones, rows
/// that a modifier splits, halves of pairs.
#[test]
fn builders_write_the_lines_of_their_rows() {
    use isa_tests::toy::build::{self, Regs, types};
    fn r(n: u32) -> Regs<1> {
        Regs(n)
    }
    assert_eq!(build::add(r(3), 5, r(1)).text(), "add_s r3, 5, r1");
    assert_eq!(build::add(r(3), r(2), r(1)).long().text(), "add_l r3, r2, r1");
    assert_eq!(build::add(r(3), r(2), r(1)).shuffle(7).text(), "add_shuf r3, r2, r1 ctrl:7");
    let both = build::add(r(3), r(2), r(1)).shuffle(7).long().text();
    assert_eq!(both, "no encoding of this instruction has these modifiers together");
    assert_eq!(build::fadd(r(3), r(2), r(1)).round().text(), "fadd_s r3, r2, r1 round");
    // Implied operands are not parameters.
    assert_eq!(build::addc(r(3), r(2), r(1)).text(), "addc_s r3, cy, r2, r1");
    assert_eq!(build::widen(Regs::<2>(4), r(2), r(1)).text(), "widen_s r[4:5], r2, r1");
    assert_eq!(build::madk(r(3), r(2), 9, r(1)).text(), "madk r3, r2 * 0x9, r1");
    assert_eq!(build::nothing().text(), "nothing");
    assert_eq!(build::say(r(1)).text(), "say.it !r1");
    // The long encoding admits more.
    assert_eq!(build::far(7).text(), "far_l 7");
    assert_eq!(build::copy(r(1), r(2)).text(), "copy r1 <- r2");
    assert_eq!(build::load(r(1), -4, Regs::<2>(2)).text(), "load r1, -4(r[2:3])");
    assert_eq!(build::block(Regs::<3>(1), 8, Regs::<2>(4), 2).text(), "block r[1:3], 8(r[4:5]), 2");
    assert_eq!(build::swap_add_x1(r(1), 0, Regs::<2>(2)).text(), "swap_add_x1 r1, 0(r[2:3])");
    assert_eq!(build::swap_add_x1_glc(r(7), r(1), 0, Regs::<2>(2)).text(), "swap_add_x1 r7, r1, 0(r[2:3]) glc");
    assert_eq!(build::update_max_x232_glc(r(1), 0, Regs::<2>(2)).text(), "update_max_x232 r1, 0(r[2:3]) glc");
    assert_eq!(build::cmp_lt_u32(r(1), 2, 3).text(), "cmp_lt_u32 r1, 2, 3");
    assert_eq!(build::trap(9).text(), "trap 9");
    let pair = isa::Inst::pair(
        *build::duo_madk(r(1), r(2), 3, r(4)).inst.unchecked(),
        *build::duo_add(r(5), 6, r(7)).inst.unchecked(),
    );
    let pair = pair.encode(isa_tests::toy::Mode::Narrow).map(|instr| instr.to_string());
    assert_eq!(pair.as_deref(), Ok("duo_madk r1, r2 * 0x3, r4 :: duo_add r5, 6, r7"));
    let _: types::F16x2 = types::F16x2;
}

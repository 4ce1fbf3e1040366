//! The made-up set: every word of the row language, decoded, encoded, written, listed and changed.

use isa::{Access, Isa};
use isa_tests::toy::{DecodeError, Instr, Mode, Opcode, Toy, Value, raw, words};

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

fn refused(input: &[u32]) -> String {
    match Instr::decode(input, Mode::Narrow) {
        Ok((instr, _)) => format!("accepted: {instr}"),
        Err(e) => e.to_string(),
    }
}

/// What an instruction reads and writes: `d=w:Registers(1, 1)`.
fn operands(instr: Instr, mode: Mode) -> Vec<String> {
    let letter = |a| match a {
        Access::Read => "r",
        Access::Write => "w",
        Access::ReadWrite => "rw",
        Access::Modifier => "m",
    };
    instr.operands(mode).map(|o| format!("{}:{}={} {:?}", o.role, o.ty, letter(o.access), o.value)).collect()
}

/// A2 as its raw layout has it.
fn a2(op: u8, d: u8, s0: u8, s1: u8) -> raw::A2 {
    raw::A2::new().with_op_29_26(op >> 2).with_op_1_0(op & 3).with_d(d).with_s0(s0).with_s1(s1)
}

fn a3(op: u16) -> raw::A3 {
    raw::A3::new().with_op(op).with_idx(0xff).with_s2(0x7e)
}

fn two(raw: u64) -> [u32; 2] {
    [raw as u32, (raw >> 32) as u32]
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
    assert_eq!(narrow(&[a2(0x31, 0, 0, 9).into_bits()]), "far_s r9");
    assert_eq!(narrow(&[a2(2, 1, 64 + 7, 3).into_bits()]), "addc_s r1, cy, 7, r3");
    assert_eq!(refused(&[a2(0x32, 0, 0, 0).into_bits()]), "A2 has no opcode 50 (OP)");
}

#[test]
fn reserved_bits_hold_what_they_should() {
    let add = a2(0, 1, 2, 3);
    assert_eq!(narrow(&[add.into_bits()]), "add_s r1, r2, r3");
    assert_eq!(
        refused(&[add.with_one(false).into_bits()]),
        "non-canonical A2: ONE holds 0 (0x0), which no assembler writes there"
    );
    assert_eq!(
        refused(&[add.with_zero(1).into_bits()]),
        "non-canonical A2: ZERO holds 1 (0x1), which no assembler writes there"
    );
    let odd = Instr::decode(&[add.with_zero(1).into_bits()], Mode::Narrow).err().and_then(|e| e.noncanonical());
    assert_eq!(odd.map(|i| i.to_string()).as_deref(), Some("add_s r1, r2, r3"));
}

#[test]
fn modifiers_are_there_where_their_condition_holds() {
    assert_eq!(narrow(&[a2(1, 1, 2, 3).with_round(true).into_bits()]), "fadd_s r1, r2, r3 round");
    for not_float in [0, 6] {
        let word = a2(not_float, 1, 2, 3).with_round(true).into_bits();
        assert_eq!(refused(&[word]), "non-canonical A2: ROUND holds 1 (0x1), which no assembler writes there");
    }
}

#[test]
fn roles_that_a_row_has_not_drop_out_of_the_text() {
    assert_eq!(narrow(&[a2(5, 1, 2, 0).into_bits()]), "acc_s r1, r2");
    assert_eq!(narrow(&[a2(8, 0, 0, 0).into_bits()]), "nothing");
    assert_eq!(
        refused(&[a2(5, 1, 2, 3).into_bits()]),
        "non-canonical A2: S1 holds 3 (0x3), which no assembler writes there"
    );
}

#[test]
fn words_choose_the_text_and_a_row_its_name() {
    assert_eq!(narrow(&[a2(9, 0, 2, 0).into_bits()]), "say.it !r2");
    let instr = decode(&[a2(9, 0, 2, 0).into_bits()], Mode::Narrow);
    assert_eq!(instr.opcode(), Opcode::SAY);
    assert_eq!(words::CHATTY & words::QUICK, 0);
}

#[test]
fn a_row_chooses_the_kind_of_an_operand_in_its_own_format() {
    assert_eq!(narrow(&[a2(3, 4, 2, 3).into_bits()]), "widen_s pr4-5, r2, r3");
    assert_eq!(refused(&[a2(3, 5, 2, 3).into_bits()]), "A2 WIDEN: D holds 5 (0x5), which names nothing here");
    assert_eq!(narrow(&two(a3(0x43).with_d(5).with_s0(2).with_s1(3).into_bits())), "widen_l r5-6, r2, r3");
}

#[test]
fn a_literal_follows_where_a_field_announces_it() {
    let word = a2(0, 1, 255, 3).into_bits();
    assert_eq!(narrow(&[word, 0x1234]), "add_s r1, 0x1234, r3");
    assert_eq!(refused(&[word]), "the input ends inside an instruction: it takes 2 dwords, there are 1");
    let instr = decode(&[word, 7], Mode::Narrow);
    assert_eq!(
        operands(instr, Mode::Narrow),
        ["d:u32=w Registers(1, 1)", "s0:u32=r Number(7)", "s1:u32=r Registers(3, 1)"]
    );
    // A 64-bit source takes none.
    let long = a2(10, 2, 255, 0x1f).into_bits();
    let long = Instr::decode(&[long, 0], Mode::Wide).map_err(|e| e.to_string());
    assert_eq!(long, Err("A2 LONG cannot be followed by LIT".into()));
}

#[test]
fn a_literal_that_always_follows_is_a_role_of_its_own() {
    assert_eq!(narrow(&[a2(4, 1, 2, 3).into_bits(), 16]), "madk r1, r2 * 0x10, r3");
    let instr = decode(&[a2(4, 1, 2, 3).into_bits(), 16], Mode::Narrow);
    assert_eq!(
        operands(instr, Mode::Narrow),
        ["d:f32=w Registers(1, 1)", "s0:f32=r Registers(2, 1)", "k:f32=r Number(16)", "s1:f32=r Registers(3, 1)"]
    );
    // The same literal serves a source that announces it too.
    assert_eq!(narrow(&[a2(4, 1, 255, 3).into_bits(), 16]), "madk r1, 0x10 * 0x10, r3");
}

#[test]
fn a_tail_carries_a_role_instead_of_the_base_field() {
    let word = a2(0, 1, 254, 3).into_bits();
    assert_eq!(narrow(&[word, 9]), "add_shuf r1, r9, r3");
    let instr = decode(&[word, 9], Mode::Narrow);
    assert_eq!(operands(instr, Mode::Narrow)[1], "s0:u32=r Registers(9, 1)");
    // Not quick; `no SHUF`; a modifier of the tail that its condition leaves out.
    assert_eq!(refused(&[a2(2, 1, 254, 3).into_bits(), 9]), "A2 ADDC cannot be followed by SHUF");
    assert_eq!(refused(&[a2(5, 1, 254, 0).into_bits(), 9]), "A2 ACC cannot be followed by SHUF");
    assert!(refused(&[a2(6, 1, 254, 3).into_bits(), 0x1_0009]).starts_with("non-canonical A2: BOUND"));
    assert_eq!(narrow(&[a2(6, 1, 254, 3).into_bits(), 9]), "pack_shuf r1, r9, r3");
}

#[test]
fn a_tail_has_its_own_kind_of_operand() {
    assert_eq!(narrow(&[a2(11, 1, 4, 0).into_bits()]), "odd_s r1, pr4");
    assert_eq!(narrow(&[a2(11, 1, 254, 0).into_bits(), 9]), "odd_shuf r1, r9");
}

#[test]
fn a_tail_chooses_among_its_texts() {
    assert_eq!(narrow(&[a2(1, 1, 254, 3).into_bits(), 0x1_0509]), "fadd_shuf r1, r9, r3 bound ctrl:5");
    assert_eq!(narrow(&[a2(0, 1, 254, 3).into_bits(), 0x1_0509]), "add_shuf r1, r9, r3 ctrl:5 bound");
}

#[test]
fn rows_ride_another_format_where_conditions_let_them() {
    assert_eq!(
        narrow(&two(a3(0x40).with_d(100).with_s0(64).with_s1(65).with_clamp(true).into_bits())),
        "add_l r100, 0, 1 clamp"
    );
    assert_eq!(narrow(&two(a3(0x41).with_d(1).with_neg(5).into_bits())), "fadd_l r1, r0, r0 neg:5");
    // `rider & d is int`, `s0 is float`.
    assert!(refused(&two(a3(0x41).with_clamp(true).into_bits())).starts_with("non-canonical A3: CLAMP"));
    assert!(refused(&two(a3(0x40).with_neg(1).into_bits())).starts_with("non-canonical A3: NEG"));
    // `d is mask`, `no A3`.
    for absent in [0x44, 0x47, 0x48] {
        assert_eq!(refused(&two(a3(absent).into_bits())), format!("A3 has no opcode {absent} (OP)"));
    }
    assert_eq!(narrow(&two(a3(0x46).with_idx(3).into_bits())), "pack_l r0, r0, r0 idx:3");
    // The mnemonic is one, whatever carries it.
    let (short, long) = (a2(0, 1, 2, 3).into_bits(), two(a3(0x40).into_bits()));
    assert_eq!(decode(&[short], Mode::Narrow).opcode(), decode(&long, Mode::Narrow).opcode());
    assert_eq!(decode(&long, Mode::Narrow).format(), "A3");
    assert_eq!(narrow(&two(a3(0x49).with_s0(2).into_bits())), "say.it r2");
}

#[test]
fn an_unused_field_holds_what_else_says() {
    assert!(refused(&two(a3(0x40).with_s2(0).into_bits())).starts_with("non-canonical A3: S2"));
    assert!(refused(&two(a3(0x40).with_idx(0).into_bits())).starts_with("non-canonical A3: IDX"));
    assert_eq!(narrow(&two(a3(0).with_s2(70).into_bits())), "fma r0, r0, r0, 6");
    assert_eq!(
        narrow(&two(a3(1).with_s2(70).with_idx(1).with_clamp(true).into_bits())),
        "dot r0, r0, r0, 6 idx:1 clamp"
    );
    assert_eq!(narrow(&two(a3(2).with_d(3).into_bits())), "copy r3 <- r0");
}

#[test]
fn three_dwords() {
    let [a, b] = two(a3(0).with_s0(255).with_s2(255).into_bits());
    assert_eq!(narrow(&[a, b, 5]), "fma r0, 0x5, r0, 0x5");
    assert_eq!(refused(&[a, b]), "the input ends inside an instruction: it takes 3 dwords, there are 2");
    assert_eq!(refused(&[a]), "the input ends inside an instruction: it takes 2 dwords, there are 1");
}

#[test]
fn codes_that_name_nothing() {
    assert_eq!(refused(&[a2(0, 1, 200, 3).into_bits()]), "A2 ADD: S0 holds 200 (0xc8), which names nothing here");
    let printable = Instr::decode(&[a2(0, 1, 253, 3).into_bits()], Mode::Narrow);
    assert_eq!(
        printable.err().and_then(|e| e.noncanonical()).map(|i| i.to_string()).as_deref(),
        Some("add_s r1, ??, r3")
    );
}

#[test]
fn modes() {
    let mask = [a2(7, 1, 2, 0).into_bits()];
    assert_eq!(decode(&mask, Mode::Narrow).to_string(), "tomask r1, r2");
    assert_eq!(decode(&mask, Mode::Wide).display(Mode::Wide).to_string(), "tomask r1-2, r2");
    let long = a2(10, 2, 4, 0x1f).into_bits();
    assert_eq!(decode(&[long], Mode::Wide).to_string(), "long_s r2-3, r4-5");
    assert_eq!(refused(&[long]), "LONG exists in mode Wide only");
    // `fix` holds in the row's own format.
    assert!(Instr::decode(&[a2(10, 2, 4, 0).into_bits()], Mode::Wide).is_err_and(|e| e.field() == Some("S1")));
    let all = [0xe800_0000];
    assert_eq!(decode(&all, Mode::Wide).to_string(), "sync_all");
    assert_eq!(refused(&all), "SYNC_ALL exists in mode Wide only");
}

fn mem(op: u8) -> raw::Mem {
    raw::Mem::new().with_op(op).with_count(1)
}

#[test]
fn an_immediate_over_both_dwords() {
    let load = mem(1).with_data(7).with_addr(8);
    assert_eq!(narrow(&two(load.with_imm_63_56(0xff).with_imm_7_4(0xc).into_bits())), "load r7, -4(r8-9)");
    assert_eq!(narrow(&two(load.with_imm_63_56(0x7f).with_imm_7_4(0xf).into_bits())), "load r7, 2047(r8-9)");
    let instr = decode(&two(load.into_bits()), Mode::Narrow);
    let Instr::Mem(x) = instr else { panic!("{instr}") };
    for offset in [-2048, -1, 0, 2047] {
        let with = x.with_imm(offset).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(with.imm(), offset);
        assert_eq!(Instr::from(with).to_string(), format!("load r7, {offset}(r8-9)"));
    }
    assert_eq!(narrow(&two(mem(3).with_count(9).with_nt(true).into_bits())), "block r0-2, 0(r0-1), 9 nt");
}

#[test]
fn a_bit_splits_a_row() {
    let swap = mem(0x11).with_data(1).with_addr(2);
    assert_eq!(narrow(&two(swap.into_bits())), "swap_add_x2 r1, 0(r2-3)");
    let glc = swap.with_glc(true).with_old(9);
    assert_eq!(narrow(&two(glc.into_bits())), "swap_add_x2 r9, r1, 0(r2-3) glc");
    assert!(refused(&two(swap.with_old(9).into_bits())).starts_with("non-canonical MEM: OLD"));
    assert_eq!(
        operands(decode(&two(glc.into_bits()), Mode::Narrow), Mode::Narrow),
        [
            "old:u32=w Registers(9, 1)",
            "data:u32=r Registers(1, 1)",
            "addr:u64=r Registers(2, 2)",
            "offset:i12=r Number(0)"
        ]
    );
    let update = mem(0xa0).with_data(1);
    for (glc, data) in [(false, "data:u32=r Registers(1, 1)"), (true, "data:u32=rw Registers(1, 1)")] {
        let instr = decode(&two(update.with_glc(glc).into_bits()), Mode::Narrow);
        assert_eq!(instr.opcode(), Opcode::UPDATE_MAX_X132);
        assert_eq!(operands(instr, Mode::Narrow)[0], data);
    }
    assert!(refused(&two(mem(2).with_glc(true).into_bits())).starts_with("non-canonical MEM: GLC"));
    assert!(refused(&two(mem(2).with_nt(true).into_bits())).starts_with("non-canonical MEM: NT"));
}

#[test]
fn families_and_a_format_inside_another() {
    assert_eq!(narrow(&[0xa000_0000 | 1 << 25 | 5 << 18 | 6 << 8]), "cmp_eq_u32 r5, r0, r6");
    assert_eq!(narrow(&[0xa000_0000 | 9 << 25 | 0x7e << 18 | 6 << 8]), "cmpx_eq_u32 r0, r6");
    assert!(refused(&[0xa000_0000 | 9 << 25 | 6 << 8]).starts_with("non-canonical CMP: D "));
    let trap = raw::Trap::from_bits(0xbf00_0001).with_code(0x1234).into_bits();
    assert_eq!(narrow(&[trap]), "trap 4660");
    assert!(refused(&[trap ^ 1 << 24]).starts_with("non-canonical TRAP: MAGIC"));
    assert_eq!(refused(&[0xa000_0000 | 4 << 25]), "CMP has no opcode 4 (OP)");
}

#[test]
fn two_instructions_in_one() {
    let duo =
        raw::Duo::new().with_opx(4).with_dx(1).with_sx(2).with_s1x(3).with_opy(4).with_dy(4).with_sy(5).with_s1y(6);
    assert_eq!(narrow(&two(duo.into_bits())), "duo_add r1, r2, r3 :: duo_add r4, r5, r6");
    let [a, b] = two(duo.with_sy(255).into_bits());
    assert_eq!(narrow(&[a, b, 8]), "duo_add r1, r2, r3 :: duo_add r4, 0x8, r6");
    let [a, b] = two(duo.with_opy(9).into_bits());
    assert_eq!(narrow(&[a, b, 8]), "duo_add r1, r2, r3 :: duo_madk r4, r5 * 0x8, r6");
    let [a, b] = two(duo.with_opx(6).into_bits());
    assert_eq!(narrow(&[a, b, 8]), "duo_madk r1, r2 * 0x8, r3 :: duo_add r4, r5, r6");
    let instr = decode(&[a, b, 8], Mode::Narrow);
    assert_eq!(instr.opcodes(), (Opcode::MADK, Some(Opcode::ADD)));
    let components: Vec<u8> = instr.operands(Mode::Narrow).map(|o| o.component).collect();
    assert_eq!(components, [0, 0, 0, 0, 1, 1, 1]);
    assert_eq!(refused(&two(duo.with_opy(5).into_bits())), "DUO has no opcode 5 (OPY)");
}

#[test]
fn implied_operands_are_listed() {
    let instr = decode(&[a2(2, 1, 2, 3).into_bits()], Mode::Narrow);
    let all: Vec<_> = instr.operands(Mode::Narrow).map(|o| (o.role, o.access, o.value)).collect();
    assert_eq!(
        all,
        [
            ("d", Access::Write, Value::Registers(1, 1)),
            ("carry", Access::Write, Value::Carry),
            ("s0", Access::Read, Value::Registers(2, 1)),
            ("s1", Access::Read, Value::Registers(3, 1)),
        ]
    );
    let acc = decode(&[a2(5, 1, 2, 0).into_bits()], Mode::Narrow);
    assert_eq!(operands(acc, Mode::Narrow)[0], "d:i32=rw Registers(1, 1)");
}

#[test]
fn accessors_read_and_with_changes() {
    let Instr::A2(add) = decode(&[a2(1, 1, 2, 3).into_bits()], Mode::Narrow) else { panic!() };
    assert_eq!((add.d(), add.s0(), add.s1(), add.round(), add.op()), (1, 2, 3, false, 1));
    assert_eq!((add.lit(), add.shuf().is_none()), (None, true));
    let text = |x: Result<_, DecodeError>| {
        x.map_or_else(|e| e.to_string(), |x: isa_tests::toy::A2| Instr::from(x).to_string())
    };
    assert_eq!(text(add.with_d(31)), "fadd_s r31, r2, r3");
    assert_eq!(text(add.with_round(true)), "fadd_s r1, r2, r3 round");
    assert_eq!(text(add.with_s0(255)), "fadd_s r1, 0x0, r3");
    assert_eq!(text(add.with_s0(254)), "fadd_shuf r1, r0, r3");
    assert_eq!(text(add.with_d(32)), "A2 FADD: D holds 32 (0x20), which names nothing here");
    assert_eq!(text(add.with_s0(200)), "A2 FADD: S0 holds 200 (0xc8), which names nothing here");
    let literal = add.with_s0(255).unwrap_or(add);
    assert_eq!(literal.lit(), Some(0));
    assert_eq!(text(literal.with_s0(2)), "fadd_s r1, r2, r3");
}

/// Whatever decodes gives its words back, and what is refused names a format, never panics.
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
            let format = &Toy::formats()[round / 2 % Toy::formats().len()];
            for (i, word) in input.iter_mut().enumerate() {
                *word = *word & !format.fixed.0[i] | format.fixed.1[i];
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
    assert!(accepted > 1000, "{accepted}");
}

/// Holds text of builders: templates with odd text, what text leaves out, rows that a modifier splits, halves of pairs.
#[test]
fn builders_write_the_lines_of_their_rows() {
    use isa_tests::toy::build::{self, Regs, types};
    fn r(n: u32) -> Regs<1> {
        Regs(n)
    }
    assert_eq!(build::add(r(3), 5, r(1)).text(), "add r3, 5, r1");
    assert_eq!(build::add(r(3), r(2), r(1)).shuffle(7).long().text(), "add_l r3, r2, r1 ctrl:7");
    assert_eq!(build::fadd(r(3), r(2), r(1)).round().text(), "fadd r3, r2, r1 round");
    // What the encoding implies is no parameter.
    assert_eq!(build::addc(r(3), r(2), r(1)).text(), "addc r3, r2, r1");
    assert_eq!(build::widen(Regs::<2>(4), r(2), r(1)).text(), "widen r4-5, r2, r1");
    assert_eq!(build::madk(r(3), r(2), 9, r(1)).text(), "madk r3, r2 * 9, r1");
    assert_eq!(build::nothing().text(), "nothing");
    assert_eq!(build::say(r(1)).text(), "say.it r1");
    // The long encoding admits more.
    assert_eq!(build::far(7).text(), "far 7");
    assert_eq!(build::copy(r(1), r(2)).text(), "copy r1 <- r2");
    assert_eq!(build::load(r(1), -4, Regs::<2>(2)).text(), "load r1, -4(r2-3)");
    assert_eq!(build::block(Regs::<3>(1), 8, Regs::<2>(4), 2).text(), "block r1-3, 8(r4-5), 2");
    assert_eq!(build::swap_add_x1(r(1), 0, Regs::<2>(2)).text(), "swap_add_x1 r1, 0(r2-3)");
    assert_eq!(build::swap_add_x1_glc(r(7), r(1), 0, Regs::<2>(2)).text(), "swap_add_x1 r7, r1, 0(r2-3) glc");
    assert_eq!(build::update_max_x232_glc(r(1), 0, Regs::<2>(2)).text(), "update_max_x232 r1, 0(r2-3) glc");
    assert_eq!(build::cmp_lt_u32(r(1), 2, 3).text(), "cmp_lt_u32 r1, 2, 3");
    assert_eq!(build::trap(9).text(), "trap 9");
    assert_eq!(build::duo_madk(r(1), r(2), 3, r(4)).text(), "duo_madk r1, r2 * 3, r4");
    let _: types::F16x2 = types::F16x2;
}

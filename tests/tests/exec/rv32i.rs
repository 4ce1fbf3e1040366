//! Another instruction set on the same executor: RV32I, which has scalar registers alone.

use isa::OperandInfo;
use isa_exec::group::WorkGroup;
use isa_exec::layout::{Layout, Location};
use isa_exec::memory::{Memory, Regions};
use isa_exec::program::{Machine, Program};
use isa_exec::wave::Wave;
use isa_tests::rv32i::{Mode, Rv32i};

/// The registers of RV32I.
struct Rv32;

impl Machine for Rv32 {
    type Isa = Rv32i;
    const LAYOUT: Layout = Layout::of_scalars(32);

    fn location(operand: &OperandInfo<Rv32i>) -> Option<Location> {
        Location::of_meaning(operand.value, |_, number| match number {
            0 => Location::Null,
            number => Location::Scalar(number.into()),
        })
    }
}

/// LLVM's words of the program below.
const WORDS: [u32; 19] = [
    0x00a0_0513,
    0x0000_0593,
    0x00a5_85b3,
    0xfff5_0513,
    0xfe05_1ce3,
    0x0050_0013,
    0x0000_2137,
    0x00b1_2623,
    0xffe0_0613,
    0x00c1_06a3,
    0x00c1_1683,
    0x00d1_4703,
    0x4016_5793,
    0x00c0_3833,
    0x00c0_28b3,
    0x0080_00ef,
    0x0630_0593,
    0x0000_0297,
    0x4050_8333,
];

#[test]
fn rv32i_runs_on_the_same_executor() {
    // addi a0, zero, 10; addi a1, zero, 0; add a1, a1, a0; addi a0, a0, -1; bne a0, zero, -8; addi zero, zero, 5;
    // lui sp, 2; sw a1, 12(sp); addi a2, zero, -2; sb a2, 13(sp); lh a3, 12(sp); lbu a4, 13(sp); srai a5, a2, 1;
    // sltu a6, zero, a2; slt a7, zero, a2; jal ra, 8; addi a1, zero, 99; auipc t0, 0; sub t1, ra, t0
    let code: Vec<u8> = WORDS.into_iter().flat_map(u32::to_le_bytes).collect();
    let program = Program::new::<Rv32>(&code, 0x100, Mode::Rv32, 0);
    let mut memory = Regions::new();
    memory.map(0x2000, 64).expect("a region");
    let mut wave = Wave::new(&program, 0);
    wave.pc = 0x100;
    let mut group = WorkGroup { waves: vec![wave], lds: Vec::new() };
    group.run(&program, &memory, 1000).expect("no fault");
    let wave = &group.waves[0];
    let register = |number| wave.sgpr(number);
    assert_eq!((register(10), register(11)), (0, 55), "a0 and a1");
    assert_eq!((register(13), register(14)), (0xFFFF_FE37, 0xFE), "a3 and a4");
    assert_eq!((register(15), register(16), register(17)), (u32::MAX, 1, 0), "a5, a6 and a7");
    assert_eq!((register(0), register(1)), (0, 0x140), "zero and ra");
    assert_eq!(register(6), 0xFFFF_FFFC, "t1");
    let mut bytes = [0; 4];
    memory.read(0x200C, &mut bytes).expect("mapped memory");
    assert_eq!(bytes, [55, 0xFE, 0, 0]);
}

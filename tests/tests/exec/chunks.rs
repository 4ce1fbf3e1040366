//! Code is lowered when waves reach it: how it is divided into chunks does not matter.

use isa_exec::fault::{Fault, FaultKind};
use isa_exec::group::{Execution, Pause, Schedule, WorkGroup};
use isa_exec::memory::Regions;
use isa_exec::program::Program;
use isa_exec::wave::Wave;
use rdna3::Wave as WaveSize;
use rdna3::exec::Rdna3Machine;

use crate::machine::{Random, assembled, program, run, wave};

/// The address of the programs.
const START: u64 = 0x1000;

/// Sets the address in a pair of scalar registers.
fn set_address(wave: &mut Wave, register: u16, address: u64) {
    wave.set_sgpr(register, address as u32);
    wave.set_sgpr(register + 1, (address >> 32) as u32);
}

#[test]
fn functions_are_lowered_when_they_are_called() {
    let lines = [
        "s_swappc_b64 s[10:11], s[0:1]", // 0x1000
        "v_add_nc_u32 v0, 0x11111, v1",  // 0x1004, reached by the return
        "s_endpgm",                      // 0x100c
        "s_endpgm",                      // 0x1010
        "v_add_nc_u32 v1, 0x22222, v1",  // 0x1014
        "s_add_u32 s5, s5, 0x33333",     // 0x101c
        "s_setpc_b64 s[10:11]",
    ];
    for size in [WaveSize::W32, WaveSize::W64] {
        let program = program(&lines, size);
        assert!(program.has_computed_branches(START));
        assert!(!self::program(&lines, size).has_computed_branches(START + 0x0c));
        let of = run(&program, &Regions::new(), |wave| set_address(wave, 0, START + 0x14)).expect("it ends");
        assert_eq!((of.sgpr(5), of.vgpr(0, 31), of.vgpr(1, 31)), (0x33333, 0x33333, 0x22222));
        assert_eq!(of.executed(), 6);
    }
}

#[test]
fn only_what_control_flow_reaches_is_decoded() {
    let mut code = assembled(&["s_branch 3", "s_endpgm"], WaveSize::W32);
    // The second word of an instruction that the branch jumps over would be decoded with the first one.
    let skipped = assembled(&["s_mov_b32 s0, 0x1234"], WaveSize::W32);
    code.extend(&skipped[..4]);
    code.extend([0xff; 4]);
    code.extend(assembled(&["s_cbranch_scc1 -4", "s_movk_i32 s1, 7", "s_cbranch_scc0 -4"], WaveSize::W32));
    let program = Program::new::<Rdna3Machine>(&code, START, WaveSize::W32, 256);
    let addresses = |from| program.unsupported(from).map(|(address, ..)| address).collect::<Vec<_>>();
    assert_eq!(addresses(START), [START + 0xc]);
    let fault = run(&program, &Regions::new(), |_| ()).expect_err("undecodable words");
    assert_eq!((fault.pc, matches!(fault.kind, FaultKind::Undecodable(_))), (START + 0xc, true));
    let ended = run(&program, &Regions::new(), |wave| wave.set_scc(true)).expect("it ends");
    assert_eq!(ended.executed(), 3);
}

#[test]
fn a_branch_leads_into_an_instruction() {
    let inner = u32::from_le_bytes(*assembled(&["s_movk_i32 s1, 7"], WaveSize::W32).first_chunk().expect("4 bytes"));
    let lines = ["s_cbranch_scc1 1", &format!("s_mov_b32 s0, {inner:#x}"), "s_endpgm"];
    let program = program(&lines, WaveSize::W32);
    let registers = |scc| {
        let wave = run(&program, &Regions::new(), |wave| wave.set_scc(scc)).expect("it ends");
        (wave.sgpr(0), wave.sgpr(1), wave.executed())
    };
    assert_eq!(registers(false), (inner, 0, 3));
    assert_eq!(registers(true), (0, 7, 3));
}

#[test]
fn branches_lead_into_scalar_operations_that_are_joined() {
    let lines = [
        "s_cbranch_scc1 3",  // to the third operation
        "s_cbranch_vccnz 3", // to the fourth
        "s_xor_b32 s0, s0, 1",
        "s_xor_b32 s1, s1, 1",
        "s_xor_b32 s2, s2, 1",
        "s_xor_b32 s3, s3, 1",
        "v_mov_b32_e32 v0, s3",
        "s_endpgm",
    ];
    let program = program(&lines, WaveSize::W32);
    let vcc = program.lowering().layout().vcc;
    let registers = |scc, lanes| {
        let set = |wave: &mut Wave| {
            wave.set_scc(scc);
            wave.set_mask(vcc, lanes);
        };
        let wave = run(&program, &Regions::new(), set).expect("it ends");
        ([0, 1, 2, 3].map(|register| wave.sgpr(register)), wave.vgpr(0, 31), wave.executed())
    };
    assert_eq!(registers(false, 0), ([1, 1, 1, 1], 1, 8));
    assert_eq!(registers(true, 0), ([0, 0, 1, 1], 1, 5));
    assert_eq!(registers(false, 1), ([0, 0, 0, 1], 1, 5));
}

/// A program of random branches, calls and arithmetic.
fn random_program(random: &mut Random) -> Vec<u8> {
    let mut lines = Vec::new();
    for _ in 0..10 + random.next() % 30 {
        let (literal, distance) = (random.next() as u32, random.next() as i64 % 16);
        let pair = 2 * (random.next() % 8);
        lines.push(match random.next() % 12 {
            0 => format!("s_cbranch_scc0 {distance}"),
            1 => format!("s_cbranch_scc1 {distance}"),
            2 => format!("s_branch {distance}"),
            3 => format!("s_setpc_b64 s[{pair}:{}]", pair + 1),
            4 => format!("s_swappc_b64 s[{pair}:{}], s[{}:{}]", pair + 1, pair ^ 2, (pair ^ 2) + 1),
            5 => format!("s_call_b64 s[{pair}:{}], {distance}", pair + 1),
            6 => format!("v_add_nc_u32 v1, {literal:#x}, v1"),
            7 => format!("s_add_u32 s20, s20, {literal:#x}"),
            8 => format!("s_cmp_gt_u32 s20, {literal:#x}"),
            9 => "s_getreg_b32 s21, hwreg(HW_REG_SHADER_CYCLES)".into(),
            10 => "s_nop 0".into(),
            _ => "v_xor_b32 v1, s21, v1".into(),
        });
    }
    lines.push("s_endpgm".into());
    assembled(&lines.iter().map(String::as_str).collect::<Vec<_>>(), WaveSize::W32)
}

/// What a program has done after at most 200 instructions in turns of some length.
fn outcome(program: &Program<'_>, start: &Wave, turn: u64) -> (Result<Pause, Fault>, u64, Vec<u32>) {
    let mut group = WorkGroup { waves: vec![start.clone()], lds: Vec::new() };
    let mut execution = Execution::new(Schedule { turn, limit: 200, ..Schedule::default() });
    let outcome = loop {
        match group.resume(&mut execution, u64::MAX, program, &Regions::new(), &mut ()) {
            Ok(Pause::Ended) => break Ok(Pause::Ended),
            Ok(_) => {}
            Err(fault) => break Err(fault),
        }
    };
    let wave = &group.waves[0];
    let mut state: Vec<u32> = (0..24).map(|register| wave.sgpr(register)).collect();
    state.extend([wave.vgpr(1, 3), wave.scc().into(), wave.pc as u32]);
    assert_eq!(wave.executed(), execution.executed());
    (outcome, execution.executed(), state)
}

#[test]
fn the_division_into_chunks_does_not_matter() {
    let mut random = Random(11);
    let (mut ended, mut faults) = (0, 0);
    for _ in 0..300 {
        let code = random_program(&mut random);
        let new = || Program::new::<Rdna3Machine>(&code, START, WaveSize::W32, 256);
        let address = |random: &mut Random| START + 4 * (random.next() % (code.len() as u64 / 4));
        let whole = new();
        let mut start = wave(&whole);
        (0..16).step_by(2).for_each(|register| set_address(&mut start, register, address(&mut random)));
        let expected = outcome(&whole, &start, 1);
        assert_eq!(outcome(&whole, &start, Schedule::DEFAULT_TURN), expected);
        assert_eq!(outcome(&new(), &start, Schedule::DEFAULT_TURN), expected);
        let divided = new();
        (0..4).for_each(|_| divided.prepare(address(&mut random)));
        assert_eq!(outcome(&divided, &start, Schedule::DEFAULT_TURN), expected);
        // Threads reach code at the same time.
        let shared = new();
        std::thread::scope(|scope| {
            let other = scope.spawn(|| outcome(&shared, &start, Schedule::DEFAULT_TURN));
            assert_eq!(outcome(&shared, &start, Schedule::DEFAULT_TURN), expected);
            assert_eq!(other.join().expect("no panic"), expected);
        });
        ended += usize::from(expected.0.is_ok());
        faults += usize::from(expected.0.is_err());
    }
    assert!(ended > 20 && faults > 20, "{ended} programs end, {faults} do not");
}

/// Each wave adds the constants of chunks that other threads lower at the same time: to all lanes the same.
#[test]
fn threads_lower_chunks_with_constants_at_the_same_time() {
    // To the next chunk, which begins 16 bytes after this one.
    const NEXT: &str = "s_add_u32 s0, s0, 16";
    let literals: Vec<u32> = (0..100).map(|chunk| 0x0101_0101 * (chunk + 1)).collect();
    let chunk =
        |literal: &u32| [format!("v_add_nc_u32 v1, {literal:#x}, v1"), NEXT.into(), "s_setpc_b64 s[0:1]".into()];
    let lines: Vec<String> = literals.iter().flat_map(chunk).chain(["s_endpgm".into()]).collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let expected = literals.iter().fold(0, |sum: u32, literal| sum.wrapping_add(*literal));
    for _ in 0..20 {
        let shared = program(&lines, WaveSize::W64);
        let sums = || {
            let of = run(&shared, &Regions::new(), |wave| set_address(wave, 0, START)).expect("it ends");
            [0, 31, 32, 63].map(|lane| of.vgpr(1, lane))
        };
        std::thread::scope(|scope| {
            let others = [(); 3].map(|()| scope.spawn(sums));
            assert_eq!(sums(), [expected; 4]);
            for other in others {
                assert_eq!(other.join().expect("no panic"), [expected; 4]);
            }
        });
    }
}

//! Waves: memory, faults, barriers, wave sizes.

use isa_exec::fault::FaultKind;
use isa_exec::group::WorkGroup;
use isa_exec::memory::{Memory, Regions};
use isa_exec::wave::{Status, Wave};

use crate::machine::{LIMIT, program, run, run_lines, wave};

fn dword(memory: &Regions, address: u64) -> u32 {
    let mut bytes = [0; 4];
    memory.read(address, &mut bytes).expect("mapped memory");
    u32::from_le_bytes(bytes)
}

#[test]
fn inactive_lanes_keep_their_registers() {
    let wave = run_lines(&["v_mov_b32_e32 v0, 7", "v_cmp_eq_u32_e32 vcc_lo, 7, v0"], |wave| {
        wave.set_mask(126, 0x0000_0F0F);
        wave.set_sgpr(106, u32::MAX);
        (0..32).for_each(|lane| wave.set_vgpr(0, lane, 1000 + lane as u32));
    });
    assert_eq!((wave.vgpr(0, 3), wave.vgpr(0, 4), wave.vgpr(0, 31)), (7, 1004, 1031));
    // A comparison writes zeros for inactive lanes.
    assert_eq!(wave.sgpr(106), 0x0F0F);
}

#[test]
fn results_are_written_after_all_operands_are_read() {
    let wave = run_lines(&["v_swap_b32 v0, v1", "s_and_saveexec_b32 s0, s0"], |wave| {
        wave.set_vgpr(0, 5, 1);
        wave.set_vgpr(1, 5, 2);
        wave.set_sgpr(0, 0xFF);
        wave.set_mask(126, 0xFFFF_00FF);
    });
    assert_eq!((wave.vgpr(0, 5), wave.vgpr(1, 5)), (2, 1));
    assert_eq!((wave.sgpr(0), wave.exec()), (0xFFFF_00FF, 0xFF));
}

#[test]
fn faults_name_instruction_lane_and_address() {
    let program = program(&["s_nop 0", "global_load_b32 v2, v0, s[0:1]"], rdna3::Wave::W32);
    let mut memory = Regions::new();
    memory.map(0x1_0000, 64).expect("a region");
    let fault = run(&program, &memory, |wave| {
        wave.set_sgpr(0, 0x1_0000);
        (0..32).for_each(|lane| wave.set_vgpr(0, lane, 4 * lane as u32));
    });
    let fault = fault.expect_err("lane 16 reads past the region");
    assert_eq!((fault.pc, fault.lane), (0x1004, Some(16)));
    assert_eq!(fault.kind, FaultKind::Unmapped { address: 0x1_0040, store: false });
    assert_eq!(fault.to_string(), "`GLOBAL_LOAD_B32` at 0x1004, lane 16: reads 0x10040, which is not mapped");
}

#[test]
fn lanes_of_an_atomic_take_turns() {
    let lines = ["v_mov_b32_e32 v1, 1", "v_mov_b32_e32 v0, 0", "global_atomic_add_u32 v2, v0, v1, s[0:1] glc"];
    let program = program(&lines, rdna3::Wave::W64);
    let mut memory = Regions::new();
    memory.map(0x1_0000, 64).expect("a region");
    let wave = run(&program, &memory, |wave| wave.set_sgpr(0, 0x1_0000)).expect("no fault");
    assert_eq!(dword(&memory, 0x1_0000), 64);
    assert!((0..64).all(|lane| wave.vgpr(2, lane) == lane as u32), "each lane gets the number before it");
}

#[test]
fn waves_wait_at_barriers() {
    // Each wave stores its number, waits, and reads the other's.
    let lines = [
        "v_mov_b32_e32 v0, s0",
        "v_mov_b32_e32 v1, s1",
        "ds_store_b32 v1, v0",
        "s_barrier",
        "v_xor_b32_e32 v1, 4, v1",
        "ds_load_b32 v2, v1",
        "s_endpgm",
    ];
    let program = program(&lines, rdna3::Wave::W32);
    let waves = (0..2).map(|number| {
        let mut wave = wave(&program);
        wave.set_sgpr(0, 100 + number);
        wave.set_sgpr(1, 4 * number);
        wave
    });
    let mut group = WorkGroup { waves: waves.collect(), lds: vec![0; 64] };
    group.run(&program, &Regions::new(), LIMIT).expect("no fault");
    assert_eq!(group.waves.iter().map(|wave| wave.vgpr(2, 9)).collect::<Vec<_>>(), [101, 100]);
}

#[test]
fn accesses_outside_lds_are_faults_only_if_reported() {
    let lines = [
        "ds_load_b32 v1, v0 offset:64",
        "ds_load_u16 v1, v0 offset:63",
        "ds_store_b64 v0, v[2:3] offset:60",
        "ds_load_2addr_b32 v[2:3], v0 offset1:16",
        "ds_store_2addr_stride64_b32 v0, v1, v2 offset1:1",
        "ds_add_rtn_u32 v1, v0, v2 offset:64",
        "ds_max_f64 v0, v[2:3] offset:64",
        "ds_storexchg_2addr_rtn_b32 v[2:3], v0, v4, v5 offset1:16",
        "ds_load_addtid_b32 v1 offset:64",
        "ds_append v1 offset:64",
        "lds_direct_load v1",
        "flat_load_b32 v1, v[4:5] offset:64",
        "flat_store_b128 v[4:5], v[8:11] offset:52",
        "flat_atomic_add_u32 v1, v[4:5], v2 offset:64 glc",
    ];
    for line in lines {
        let program = program(&[line], rdna3::Wave::W32);
        let load = |is_reported: bool, size: usize| {
            let mut wave = wave(&program);
            wave.reports_lds_range = is_reported;
            wave.set_mask(126, 1 << 3);
            // LDS_DIRECT_LOAD: a dword at 64.
            wave.set_sgpr(125, if line.starts_with("lds") { 2 << 16 | 64 } else { 0 });
            wave.set_vgpr(5, 3, 0x0001_0000);
            let mut group = WorkGroup { waves: vec![wave], lds: vec![0; size] };
            group.run(&program, &Regions::new(), LIMIT)
        };
        let fault = load(true, 64).expect_err(line);
        let FaultKind::Lds { address, bytes, size: 64 } = fault.kind else { panic!("{line}: {fault}") };
        assert!(address < 320 && address + u64::from(bytes) > 64, "{line}: {fault}");
        assert_eq!(load(false, 64), Ok(()), "{line}");
        assert_eq!(load(true, 512), Ok(()), "{line}");
    }
    let program = program(&["ds_load_b64 v[2:3], v0 offset:8"], rdna3::Wave::W32);
    let mut only = wave(&program);
    only.reports_lds_range = true;
    let mut group = WorkGroup { waves: vec![only], lds: Vec::new() };
    let fault = group.run(&program, &Regions::new(), LIMIT).expect_err("no LDS");
    let text = "`DS_LOAD_B64` at 0x1000, lane 0: accesses 8 bytes at 0x8 of LDS, of which the work-group has 0 bytes";
    assert_eq!(fault.to_string(), text);
}

/// The guide's examples of DS_SWIZZLE_B32, for the inputs 1 to 32.
#[test]
fn swizzles_follow_the_guide() {
    let swizzled = |offset: u32| {
        let line = format!("ds_swizzle_b32 v1, v0 offset:{offset}");
        let wave = run_lines(&[&line], |wave| (0..32).for_each(|lane| wave.set_vgpr(0, lane, lane as u32 + 1)));
        (0..32).map(|lane| wave.vgpr(1, lane)).collect::<Vec<u32>>()
    };
    let same: Vec<u32> = (1..=32).collect();
    assert_eq!(swizzled(0xE000)[..8], [0x1, 0x11, 0x9, 0x19, 0x5, 0x15, 0xD, 0x1D]);
    assert_eq!(swizzled(0xE010)[14..20], [0x8, 0x10, 0x11, 0x19, 0x15, 0x1D]);
    assert_eq!(swizzled(0xE01F), same);
    assert_eq!(swizzled(0xC020)[..31], same[1..]);
    assert_eq!(swizzled(0xC420)[1..], same[..31]);
    // Reverses quads.
    assert_eq!(swizzled(0x801B)[..8], [4, 3, 2, 1, 8, 7, 6, 5]);
    // SWAPX16: an exclusive disjunction with 16.
    assert_eq!(swizzled(0x401F)[..2], [17, 18]);
}

#[test]
fn lds_direct_loads_extend_what_m0_says() {
    let program = program(&["lds_direct_load v1"], rdna3::Wave::W32);
    let load = |m0: u32| {
        let mut wave = wave(&program);
        wave.set_sgpr(125, m0);
        let mut group = WorkGroup { waves: vec![wave], lds: vec![0; 64] };
        group.lds[8..12].copy_from_slice(&[0x80, 0x90, 0xA0, 0xB0]);
        group.run(&program, &Regions::new(), LIMIT).expect("no fault");
        group.waves[0].vgpr(1, 17)
    };
    let all = [0, 1, 2, 4, 5].map(|kind| load(kind << 16 | 8));
    assert_eq!(all, [0x80, 0x9080, 0xB0A0_9080, 0xFFFF_FF80, 0xFFFF_9080]);
}

/// A matrix product against a loop: A has a row in each lane, B a column, and the result two rows in each register.
#[test]
fn matrix_products_have_the_layout_of_the_guide() {
    let a = |row: usize, k: usize| (row * 3 + k) as i32 % 11 - 5;
    let b = |k: usize, column: usize| (k * 5 + column) as i32 % 7 - 3;
    let half = |number: i32| {
        u32::from(isa_exec::num::from_signed(isa_exec::num::Format::F16, isa_exec::num::FloatMode::IEEE, number.into())
            as u16)
    };
    let wave = run_lines(&["v_wmma_f32_16x16x16_f16 v[16:23], v[0:7], v[8:15], v[16:23]"], |wave| {
        for lane in 0..32 {
            for register in 0..8u16 {
                let k = 2 * usize::from(register);
                wave.set_vgpr(register, lane, half(a(lane % 16, k)) | half(a(lane % 16, k + 1)) << 16);
                wave.set_vgpr(8 + register, lane, half(b(k, lane % 16)) | half(b(k + 1, lane % 16)) << 16);
                wave.set_vgpr(16 + register, lane, 0x4000_0000);
            }
        }
    });
    for row in 0..16 {
        for column in 0..16 {
            let sum: i32 = (0..16).map(|k| a(row, k) * b(k, column)).sum();
            let found = f32::from_bits(wave.vgpr(16 + (row / 2) as u16, column + 16 * (row % 2)));
            assert_eq!(found, sum as f32 + 2.0, "row {row}, column {column}");
        }
    }
}

#[test]
fn endless_loops_end_with_an_error() {
    let program = program(&["s_branch -1"], rdna3::Wave::W32);
    let fault = run(&program, &Regions::new(), |_| {}).expect_err("it never ends");
    assert_eq!(fault.kind, FaultKind::TooManyInstructions(LIMIT));
}

#[test]
fn modes_apply_from_the_next_instruction_on() {
    // 1 + 2^-25 is 1 to nearest and above 1 toward plus infinity.
    let lines = ["v_add_f32_e32 v2, v0, v1", "s_round_mode 0x1", "v_add_f32_e32 v3, v0, v1"];
    let wave = run_lines(&lines, |wave| {
        wave.set_vgpr(0, 0, 0x3F80_0000);
        wave.set_vgpr(1, 0, 0x3300_0000);
    });
    assert_eq!((wave.vgpr(2, 0), wave.vgpr(3, 0)), (0x3F80_0000, 0x3F80_0001));
}

#[test]
fn integers_saturate_with_clamp() {
    let lines =
        ["v_add_nc_u32_e64 v2, v0, v1 clamp", "v_sub_nc_u32_e64 v3, v1, v0 clamp", "v_add_nc_i32 v4, v5, v5 clamp"];
    let wave = run_lines(&lines, |wave| {
        wave.set_vgpr(0, 0, 0xFFFF_FFF0);
        wave.set_vgpr(1, 0, 0x20);
        wave.set_vgpr(5, 0, 0x8000_0001);
    });
    assert_eq!((wave.vgpr(2, 0), wave.vgpr(3, 0), wave.vgpr(4, 0)), (u32::MAX, 0, 0x8000_0000));
}

#[test]
fn wide_products_take_constants() {
    let lines = [
        "v_mad_u64_u32 v[2:3], s4, v0, s5, 0x3c6ef35f",
        "v_mad_u64_u32 v[4:5], s6, v0, -1, 7",
        "v_mad_i64_i32 v[6:7], s7, v0, -3, -5",
        "v_mad_i64_i32 v[8:9], s8, 0x80000000, v0, 1",
        "v_mad_u64_u32 v[10:11], s9, v0, 2, -1",
    ];
    let wave = run_lines(&lines, |wave| {
        wave.set_vgpr(0, 3, 0xFFFF_FFFE);
        wave.set_sgpr(5, 0x19_660D);
    });
    let number = |register| u64::from(wave.vgpr(register + 1, 3)) << 32 | u64::from(wave.vgpr(register, 3));
    // 64-bit inline constants extend their sign, and literals of unsigned operands do not.
    let a = 0xFFFF_FFFE_u64;
    assert_eq!(number(2), a * 0x19_660D + 0x3C6E_F35F);
    assert_eq!(number(4), a * 0xFFFF_FFFF + 7);
    assert_eq!(number(6) as i64, -2 * -3 - 5);
    assert_eq!(number(8) as i64, i64::from(i32::MIN) * -2 + 1);
    assert_eq!(number(10), (2 * a).wrapping_sub(1));
    // The carry of lane 3, whose addend is the greatest number; in other lanes 0 is multiplied.
    assert_eq!([4, 6, 9].map(|register| wave.sgpr(register)), [0, 0, 1 << 3]);
}

#[test]
fn a_renewed_wave_is_a_new_one() {
    let lines = [
        "v_add_nc_u32 v5, 0x12345, v5",
        "s_add_u32 s7, s7, 0x54321",
        "scratch_store_b32 off, v5, off offset:8",
        "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 4), 5",
        "s_setpc_b64 s[0:1]",
        "v_mul_f32 v6, 0x40400000, v5",
        "s_endpgm",
    ];
    for size in [rdna3::Wave::W32, rdna3::Wave::W64] {
        let program = program(&lines, size);
        let first = run(&program, &Regions::new(), |wave| {
            wave.set_sgpr(0, 0x1024);
            wave.reports_lds_range = true;
        });
        let first = first.expect("it ends");
        assert_eq!((first.status, first.vgpr(5, 31), first.sgpr(7)), (Status::Ended, 0x12345, 0x54321));
        let registers = |wave: &Wave| {
            let scalars = (0..130).map(|register| wave.sgpr(register)).collect::<Vec<u32>>();
            let vectors = (0..256).flat_map(|register| (0..wave.lanes()).map(move |lane| (register, lane)));
            let vectors = vectors.map(|(register, lane)| wave.vgpr(register, lane)).collect::<Vec<u32>>();
            let scratch = (0..wave.lanes()).map(|lane| wave.scratch(lane).to_vec()).collect::<Vec<_>>();
            let state = (wave.pc, wave.status, wave.mode(), wave.executed(), wave.scc(), wave.reports_lds_range);
            (scalars, vectors, scratch, state)
        };
        let (renewed, new) = (first.renewed(&program), Wave::new(&program, 256));
        assert_eq!(registers(&renewed), registers(&new));
        // It has the constants of all code.
        let run_again = |mut wave: Wave| {
            (wave.pc, wave.status) = (0x1000, Status::Running);
            wave.set_mask(126, 3);
            wave.set_sgpr(0, 0x1024);
            let mut group = WorkGroup { waves: vec![wave], lds: Vec::new() };
            group.run(&program, &Regions::new(), LIMIT).expect("it ends");
            registers(&group.waves[0])
        };
        assert_eq!(run_again(renewed), run_again(new));
    }
}

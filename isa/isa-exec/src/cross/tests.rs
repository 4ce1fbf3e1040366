//! Exchanges against their definition, lane by lane.

use std::vec;
use std::vec::Vec;

use isa_runtime::body::{Class, Type};

use super::*;
use crate::layout::Layout;
use crate::lower::Lowering;
use crate::memory::tests::random;
use crate::operation::Argument;
use crate::units::Units;

const DWORD: Type = Type::new(Class::Bits, 32, 1);

/// The rows of the arguments and the result. The last argument of PERMLANE, the old value, is in the row of the result.
const RESULT: u16 = 8;
const ROWS: [u16; 5] = [0, 1, 3, 4, 5];

/// The source of the value that a lane gets.
enum Source {
    Lane(usize),
    Zero,
    Old,
}

/// The definition of an exchange: where the value of a lane comes from.
fn source(builtin: Builtin, arg: impl Fn(usize) -> u64, exec: u64, lane: usize, lanes: usize) -> Source {
    let is_active = |lane: usize| exec >> lane & 1 != 0;
    let taken = |other: usize, reads_inactive: bool| {
        if is_active(other) || reads_inactive { Source::Lane(other) } else { Source::Zero }
    };
    let half = lane & !31;
    match builtin {
        Builtin::Lane => Source::Lane(arg(1) as u32 as usize % lanes),
        Builtin::Quad => Source::Lane(lane & !3 | arg(1) as usize & 3),
        Builtin::Permlane16 | Builtin::Permlanex16 => {
            let row = if builtin == Builtin::Permlane16 { lane & !15 } else { lane & !15 ^ 16 };
            let other = row | (arg(1) >> (4 * (lane & 15)) & 15) as usize;
            match taken(other, arg(2) & 1 != 0) {
                Source::Zero if arg(2) & 2 == 0 => Source::Old,
                source => source,
            }
        }
        Builtin::Dpp16 => match dpp16(arg(1) as u32, lane) {
            NONE => Source::Zero,
            other => taken(other as usize, arg(3) & 1 != 0),
        },
        Builtin::Dpp8 => taken(lane & !7 | (arg(1) >> (3 * (lane & 7)) & 7) as usize, arg(2) & 1 != 0),
        Builtin::Swizzle => taken(half | swizzle(arg(1) as u32, lane) as usize, false),
        Builtin::Bpermute => taken(half | (arg(1) >> 2) as usize & 31, false),
        Builtin::BpermuteWave => taken((arg(1) >> 2) as usize % lanes, false),
        _ => unreachable!("not an exchange"),
    }
}

/// A wave with random registers, and EXEC full, empty or random.
fn wave(state: &mut u64, wave64: bool, units: Units) -> Wave {
    let mut wave = Wave::without_constants(&Lowering::new(Layout::of_scalars(4), 16, wave64), 0);
    wave.set_units(units);
    let exec = match random(state) % 4 {
        0 => u64::MAX,
        1 => 0,
        _ => random(state),
    };
    wave.set_mask(wave.layout.exec, exec);
    wave.writing = [random(state) as u32, random(state) as u32];
    for register in 0..16 {
        for lane in 0..wave.lanes() {
            wave.set_vgpr(register, lane, random(state) as u32);
        }
    }
    wave
}

/// Computes a function.
struct Run<'a> {
    cross: &'a Cross,
    wave: &'a mut Wave,
}

impl Task for Run<'_> {
    type Output = ();

    fn run<U: Unit>(self, unit: U) {
        self.cross.run(unit, self.wave);
    }
}

/// Computes the lanes that DPP leaves enabled.
struct Enabled<'a>(&'a Writers, u64);

impl Task for Enabled<'_> {
    type Output = u64;

    fn run<U: Unit>(self, unit: U) -> u64 {
        let of = |half| u64::from(self.0.of(unit, half, self.1));
        of(1) << 32 | of(0)
    }
}

/// The result of each lane.
fn run(cross: &Cross, wave: &Wave) -> Vec<u32> {
    let mut wave = wave.clone();
    wave.env.units.run_task(Run { cross, wave: &mut wave });
    (0..wave.lanes()).map(|lane| wave.vgpr(cross.dst, lane)).collect()
}

/// Checks an exchange on random waves, with constants as the arguments after the first or with random ones.
fn check(builtin: Builtin, types: &[u16], constants: Option<&[u64]>, state: &mut u64) {
    let args = types.iter().zip(ROWS).map(|(bits, row)| Argument { row, ty: Type::new(Class::Bits, *bits, 1) });
    let args: Vec<_> = args.collect();
    let known = |n: usize| Some(u128::from(*constants?.get(n.checked_sub(1)?)?));
    let known: Vec<_> = (0..args.len()).map(known).collect();
    for (units, wave64) in Units::all().flat_map(|units| [(units, false), (units, true)]) {
        let mut wave = wave(state, wave64, units);
        for (arg, value) in args.iter().skip(1).zip(constants.into_iter().flatten()) {
            for lane in 0..wave.lanes() {
                wave.set_vgpr(arg.row, lane, *value as u32);
                if arg.ty.total_bits() > 32 {
                    wave.set_vgpr(arg.row + 1, lane, (value >> 32) as u32);
                }
            }
        }
        let expected: Vec<u32> = (0..wave.lanes())
            .map(|lane| {
                let dword = |row| u64::from(wave.vgpr(row, lane));
                let arg = |n: usize| match args[n].ty.total_bits() {
                    64 => dword(args[n].row + 1) << 32 | dword(args[n].row),
                    _ => dword(args[n].row),
                };
                match source(builtin, arg, wave.exec(), lane, wave.lanes()) {
                    Source::Lane(other) => wave.vgpr(ROWS[0], other),
                    Source::Zero => 0,
                    Source::Old => wave.vgpr(ROWS[3], lane),
                }
            })
            .collect();
        let mut cross = Cross { builtin, ty: DWORD, args: args.clone(), dst: RESULT, commits: false, sources: None };
        assert_eq!(run(&cross, &wave), expected, "{builtin:?} {constants:x?}, arguments in rows");
        if constants.is_some() {
            cross.sources = Sources::of_constants(builtin, &known);
            assert_eq!(cross.sources.is_some(), !matches!(builtin, Builtin::Lane | Builtin::BpermuteWave));
            assert_eq!(run(&cross, &wave), expected, "{builtin:?} {constants:x?}");
        }
        // In the registers of the lanes that write.
        cross.commits = true;
        let written: Vec<u32> = (0..wave.lanes())
            .map(|lane| match wave.writing[lane / LANES] >> (lane % LANES) & 1 {
                0 => wave.vgpr(RESULT, lane),
                _ => expected[lane],
            })
            .collect();
        assert_eq!(run(&cross, &wave), written, "{builtin:?} {constants:x?}, {:x?}", wave.writing);
    }
}

#[test]
fn every_control_of_dpp16_exchanges_as_defined() {
    let mut state = 1;
    for control in 0..512 {
        for flags in [0, 2] {
            check(Builtin::Dpp16, &[32; 4], Some(&[control, flags & 1, flags >> 1]), &mut state);
        }
    }
    for _ in 0..100 {
        check(Builtin::Dpp16, &[32; 4], None, &mut state);
    }
}

#[test]
fn dpp16_leaves_lanes_enabled_as_defined() {
    let mut state = 2;
    for round in 0..4000 {
        let control = round % 512;
        let mask = |state: &mut u64| if random(state).is_multiple_of(3) { 15 } else { random(state) & 15 };
        let [rows, banks, bound, inactive] =
            [mask(&mut state), mask(&mut state), random(&mut state) & 1, random(&mut state) & 1];
        let args: [u64; 5] = [control, rows, banks, bound, inactive];
        let known = args.map(|arg| Some(u128::from(arg)));
        let writers = Writers::of_constants(&known).expect("constants");
        for (units, wave64) in Units::all().flat_map(|units| [(units, false), (units, true)]) {
            let mut wave = wave(&mut state, wave64, units);
            let exec = wave.exec();
            let is_enabled = |lane: usize| {
                let source = dpp16(control as u32, lane);
                let is_valid = source != NONE && (exec >> source & 1 != 0 || inactive != 0);
                rows >> (lane / 16) & 1 != 0 && banks >> (lane % 16 / 4) & 1 != 0 && (is_valid || bound != 0)
            };
            let expected = (0..wave.lanes()).filter(|lane| is_enabled(*lane)).fold(0, |mask, lane| mask | 1 << lane);
            let found = units.run_task(Enabled(&writers, exec));
            assert_eq!(found, expected & exec, "{args:?}, EXEC {exec:#x}");
            assert!(!writers.are_all() || expected == u64::MAX >> (64 - wave.lanes()));
            // With the arguments in rows.
            for (row, value) in ROWS.into_iter().zip(args) {
                (0..wave.lanes()).for_each(|lane| wave.set_vgpr(row, lane, value as u32));
            }
            let args = ROWS.map(|row| Argument { row, ty: DWORD }).to_vec();
            let builtin = Builtin::Dpp16Writes;
            let cross = Cross { builtin, ty: DWORD, args, dst: RESULT, commits: false, sources: None };
            let found =
                run(&cross, &wave).into_iter().enumerate().fold(0, |mask, (lane, bit)| mask | u64::from(bit) << lane);
            assert_eq!(found, expected);
        }
    }
}

#[test]
fn other_exchanges_are_as_defined() {
    let mut state = 3;
    for round in 0..300 {
        let (selector, flags) = (random(&mut state), random(&mut state) & 3);
        let short = selector & 0xFFFF_FFFF;
        for builtin in [Builtin::Permlane16, Builtin::Permlanex16] {
            check(builtin, &[32, 64, 32, 32], Some(&[selector, flags]), &mut state);
            check(builtin, &[32, 64, 32, 32], None, &mut state);
        }
        check(Builtin::Dpp8, &[32; 3], Some(&[short, flags]), &mut state);
        check(Builtin::Dpp8, &[32; 3], None, &mut state);
        check(Builtin::Swizzle, &[32; 2], Some(&[(round * 219) & 0xFFFF]), &mut state);
        for builtin in [Builtin::Swizzle, Builtin::Bpermute, Builtin::BpermuteWave, Builtin::Quad, Builtin::Lane] {
            check(builtin, &[32; 2], Some(&[short]), &mut state);
            check(builtin, &[32; 2], None, &mut state);
        }
    }
}

#[test]
fn permute_lets_the_highest_sender_win() {
    let mut state = 4;
    for _ in 0..300 {
        for (units, wave64) in Units::all().flat_map(|units| [(units, false), (units, true)]) {
            let wave = wave(&mut state, wave64, units);
            for (builtin, lanes) in [(Builtin::Permute, LANES), (Builtin::PermuteWave, wave.lanes())] {
                let mut expected = vec![0; wave.lanes()];
                for lane in (0..wave.lanes()).filter(|lane| wave.exec() >> lane & 1 != 0) {
                    expected[lane / lanes * lanes + (wave.vgpr(1, lane) as usize >> 2) % lanes] = wave.vgpr(0, lane);
                }
                let args = [0, 1].map(|row| Argument { row, ty: DWORD }).to_vec();
                let cross = Cross { builtin, ty: DWORD, args, dst: RESULT, commits: false, sources: None };
                assert_eq!(run(&cross, &wave), expected);
            }
        }
    }
}

#[test]
fn loads_transpose_matrices_as_the_hardware_does() {
    // The bytes that a lane of a wave of 32 gets, of 16 bytes or 8 bytes of each lane, as measured on gfx1201.
    let of_b16 = |lane: usize, byte: usize| 16 * (lane / 8 * 8 + byte / 2) + lane % 8 * 2 + byte % 2;
    let of_b8 = |lane: usize, n: usize| {
        (lane & 7) + (lane >> 3 & 1) * 32 + (lane >> 4 & 1) * 128 + (n & 3) * 8 + (n >> 2 & 1) * 64
    };
    for (units, wave64) in Units::all().flat_map(|units| [(units, false), (units, true)]) {
        for (builtin, bytes) in [(Builtin::TransposeB16, 16), (Builtin::TransposeB8, 8)] {
            let mut wave = wave(&mut 1, wave64, units);
            let stored = |byte: usize| (byte * 7 + byte / 256) as u8;
            for lane in 0..32 {
                for row in 0..bytes / 4 {
                    let dword = [0, 1, 2, 3].map(|n| stored(lane * bytes + 4 * row + n));
                    wave.set_vgpr(row as u16, lane, u32::from_le_bytes(dword));
                }
            }
            let ty = Type::new(Class::Bits, 8 * bytes as u16 / if wave64 { 2 } else { 1 }, 1);
            let args = [Argument { row: 0, ty: Type::new(Class::Bits, 8 * bytes as u16, 1) }].to_vec();
            let cross = Cross { builtin, ty, args, dst: RESULT, commits: false, sources: None };
            units.run_task(Run { cross: &cross, wave: &mut wave });
            for lane in 0..wave.lanes() {
                for n in 0..usize::from(ty.bits()) / 8 {
                    let found = wave.vgpr(RESULT + n as u16 / 4, lane).to_le_bytes()[n % 4];
                    let byte = n + lane / 32 * usize::from(ty.bits()) / 8;
                    let of = if bytes == 16 { of_b16(lane % 32, byte) } else { of_b8(lane % 32, byte) };
                    assert_eq!(found, stored(of), "{builtin:?}, lane {lane}, byte {n}");
                }
            }
        }
    }
}

#[test]
fn mbcnt_counts_ones_before_the_lane() {
    let mut state = 5;
    for _ in 0..100 {
        for (units, wave64) in Units::all().flat_map(|units| [(units, false), (units, true)]) {
            let wave = wave(&mut state, wave64, units);
            for (builtin, shift) in [(Builtin::MbcntLo, 0), (Builtin::MbcntHi, 32)] {
                let before = |lane: usize| ((1_u64 << lane) - 1) >> shift;
                let counted = |lane| (u64::from(wave.vgpr(0, lane)) & before(lane)).count_ones();
                let expected: Vec<u32> = (0..wave.lanes()).map(counted).collect();
                let args = [Argument { row: 0, ty: DWORD }].to_vec();
                let cross = Cross { builtin, ty: DWORD, args, dst: RESULT, commits: false, sources: None };
                assert_eq!(run(&cross, &wave), expected);
            }
        }
    }
}

//! Memory of regions against an array of bytes.

use std::vec;
use std::vec::Vec;

use super::*;

#[test]
fn accesses_of_any_alignment_agree() {
    let mut memory = Regions::new();
    memory.map(0x1001, 30).expect("a region");
    assert_eq!(memory.map(0x1010, 4), Err(MapError::Overlap));
    assert_eq!(memory.map(0x0FF0, 0x12), Err(MapError::Overlap));
    memory.write(0x1003, &[1, 2, 3, 4, 5]).expect("mapped");
    let mut four = [0; 4];
    memory.read(0x1004, &mut four).expect("mapped");
    assert_eq!(four, [2, 3, 4, 5]);
    memory.read(0x1000, &mut four).expect("the first dword is mapped in part");
    assert_eq!(four, [0, 0, 0, 1]);
    assert_eq!(memory.read(0x0FFF, &mut four), Err(Unmapped { address: 0x0FFF }));
    assert_eq!(memory.read(0x101D, &mut four), Err(Unmapped { address: 0x101F }));
    assert_eq!((memory.map(0x5000, 0), memory.write(0x5000, &[])), (Ok(()), Ok(())));
    assert_eq!(memory.update(0x1004, 4, &mut |old| old + 1), Ok(0x0504_0302));
    memory.read(0x1004, &mut four).expect("mapped");
    assert_eq!(four, [3, 3, 4, 5]);
}

#[test]
fn scalar_loads_see_zeros_up_to_the_end_of_a_line() {
    let mut memory = Regions::new();
    memory.map(0x1004, 13).expect("a region");
    memory.write(0x1004, &[0xFF; 13]).expect("mapped");
    // Up to 0x1040: the last bytes of the region, then zeros.
    let mut sixteen = [1; 16];
    memory.read_line(0x1008, &mut sixteen).expect("mapped");
    assert_eq!(sixteen, [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0, 0, 0]);
    memory.read_line(0x1030, &mut sixteen).expect("the rest of the line");
    assert_eq!(sixteen, [0; 16]);
    assert_eq!(memory.read_line(0x1034, &mut sixteen), Err(Unmapped { address: 0x1040 }));
    assert_eq!(memory.read_line(0x1040, &mut sixteen), Err(Unmapped { address: 0x1040 }));
    // Not before a region.
    assert_eq!(memory.read_line(0x1000, &mut sixteen), Err(Unmapped { address: 0x1000 }));
    // Other accesses are exact, but for atomics of dwords.
    assert_eq!(memory.read(0x1008, &mut sixteen), Err(Unmapped { address: 0x1011 }));
    assert_eq!(memory.write(0x1011, &[0]), Err(Unmapped { address: 0x1011 }));
    assert_eq!(memory.update(0x1010, 4, &mut |old| old), Ok(0xFF));
    assert_eq!(memory.update(0x1010, 8, &mut |old| old), Err(Unmapped { address: 0x1011 }));
    let mut row = [Wide([0; LANES])];
    assert_eq!(memory.gather(&[0x100E; LANES], 1, 4, &mut row), Err((0, Unmapped { address: 0x1011 })));
    // A region that ends with a line has nothing after it.
    memory.map(0x2000, 64).expect("a region");
    assert_eq!(memory.read_line(0x2038, &mut sixteen), Err(Unmapped { address: 0x2040 }));
    // What another region holds of the line is read.
    memory.map(0x1014, 4).expect("a region");
    memory.write(0x1014, &[7; 4]).expect("mapped");
    memory.read_line(0x1010, &mut sixteen).expect("mapped");
    assert_eq!(sixteen, [0xFF, 0, 0, 0, 7, 7, 7, 7, 0, 0, 0, 0, 0, 0, 0, 0]);
}

#[test]
fn loads_of_dwords_see_zeros_up_to_the_end_of_a_dword() {
    let mut memory = Regions::new();
    memory.map(0x1000, 6).expect("a region");
    memory.write(0x1000, &[0xFF; 6]).expect("mapped");
    let mut eight = [1; 8];
    memory.read(0x1000, &mut eight).expect("the last dword is mapped in part");
    assert_eq!(eight, [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0]);
    let mut rows = [Wide([1; LANES]); 2];
    memory.gather(&[0x1000; LANES], 0b11, 8, &mut rows).expect("the same");
    assert_eq!((rows[0].0[1], rows[1].0[1]), (u32::MAX, 0xFFFF));
    // Shorter, unaligned and longer loads and atomics are exact, and stores.
    assert_eq!(memory.read(0x1005, &mut [0; 2]), Err(Unmapped { address: 0x1006 }));
    assert_eq!(memory.read(0x1006, &mut [0; 1]), Err(Unmapped { address: 0x1006 }));
    assert_eq!(memory.read(0x1003, &mut [0; 4]), Err(Unmapped { address: 0x1006 }));
    assert_eq!(memory.read(0x1004, &mut eight), Err(Unmapped { address: 0x1006 }));
    assert_eq!(memory.write(0x1004, &[0; 4]), Err(Unmapped { address: 0x1006 }));
    assert_eq!(memory.update(0x1004, 4, &mut |old| old), Ok(0xFFFF));
    assert_eq!(memory.update(0x1003, 4, &mut |old| old), Err(Unmapped { address: 0x1006 }));
}

#[test]
fn accesses_continue_in_the_next_region() {
    let mut memory = Regions::new();
    for start in [0x1000, 0x1006, 0x1010] {
        memory.map(start, if start == 0x1000 { 6 } else { 10 }).expect("a region");
    }
    let bytes: Vec<u8> = (1..=16).collect();
    memory.write(0x1004, &bytes).expect("mapped");
    let mut found = [0; 16];
    memory.read(0x1004, &mut found).expect("mapped");
    assert_eq!(found, *bytes);
    let addresses = core::array::from_fn(|lane| 0x1004 + 2 * (lane as u64 % 4));
    let mut rows = [Wide([0; LANES]); 2];
    memory.gather(&addresses, 0xF, 8, &mut rows).expect("mapped");
    assert_eq!((rows[0].0[0], rows[1].0[0]), (0x0403_0201, 0x0807_0605));
    assert_eq!((rows[0].0[3], rows[1].0[3]), (0x0A09_0807, 0x0E0D_0C0B));
    memory.scatter(&[0x100D; LANES], 1, 4, &[Wide([0x4433_2211; LANES])]).expect("mapped");
    memory.read(0x1004, &mut found).expect("mapped");
    assert_eq!(found[8..14], [9, 0x11, 0x22, 0x33, 0x44, 14]);
    // A store that ends outside writes nothing.
    assert_eq!(memory.write(0x1018, &[0xFF; 3]), Err(Unmapped { address: 0x101A }));
    memory.read(0x100A, &mut found).expect("mapped");
    assert_eq!(found[14..], [0, 0]);
}

/// Random numbers (xorshift), the same ones each time.
pub(crate) fn random(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}

#[test]
fn accesses_of_rows_equal_those_of_lanes() {
    const START: u64 = 0x2003;
    const BYTES: u64 = 301;
    let mut state = 1;
    let mut memory = Regions::new();
    memory.map(START, BYTES).expect("a region");
    let mut expected = vec![0u8; BYTES as usize];
    for round in 0..2000 {
        let bytes: usize = [1, 2, 4, 8, 12, 16][random(&mut state) as usize % 6];
        let lanes = random(&mut state) as u32;
        let step = [0, 4, 8, bytes as u64, 7][random(&mut state) as usize % 5];
        let start = START + random(&mut state) % 40;
        let mut addresses = [0; LANES];
        for (lane, address) in addresses.iter_mut().enumerate() {
            *address = start + (lane as u64 * step) % (BYTES - 40 - 16);
        }
        let count = bytes.div_ceil(4);
        let rows: Vec<Wide> = (0..count).map(|_| Wide([0; LANES].map(|_: u32| random(&mut state) as u32))).collect();
        memory.scatter(&addresses, lanes, bytes, &rows).expect("mapped");
        for lane in lanes_of(lanes) {
            for n in 0..bytes {
                let byte = rows[n / 4].0[lane].to_le_bytes()[n % 4];
                expected[(addresses[lane] - START) as usize + n] = byte;
            }
        }
        let mut all = vec![0; BYTES as usize];
        memory.read(START, &mut all).expect("mapped");
        assert_eq!(all, expected, "round {round}");
        let mut found = vec![Wide([0; LANES]); count];
        memory.gather(&addresses, lanes, bytes, &mut found).expect("mapped");
        for lane in lanes_of(lanes) {
            for n in 0..4 * count {
                let byte = if n < bytes { expected[(addresses[lane] - START) as usize + n] } else { 0 };
                assert_eq!(found[n / 4].0[lane].to_le_bytes()[n % 4], byte, "round {round}, lane {lane}");
            }
        }
    }
    let addresses = [START + BYTES - 2; LANES];
    let unmapped = Unmapped { address: START + BYTES };
    assert_eq!(memory.gather(&addresses, 0x30, 4, &mut [Wide([0; LANES])]), Err((4, unmapped)));
    assert_eq!(memory.scatter(&addresses, 0x30, 4, &[Wide([0; LANES])]), Err((4, unmapped)));
}

#[test]
#[cfg(target_has_atomic = "64")]
fn atomics_of_all_sizes_are_one_step() {
    let mut memory = Regions::new();
    memory.map(0x1000, 64).expect("a region");
    let memory = &memory;
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                for _ in 0..10_000 {
                    // Carries go from the low dword to the high one.
                    memory.update(0x1008, 8, &mut |old| old + 0x4000_0001).expect("mapped");
                    memory.update(0x1010, 4, &mut |old| old + 1).expect("mapped");
                    memory.update(0x1014, 4, &mut |old| old + 1).expect("mapped");
                }
            });
        }
    });
    let number = |address| memory.update(address, 8, &mut |old| old).expect("mapped");
    assert_eq!(number(0x1008), 20_000 * 0x4000_0001);
    assert_eq!(number(0x1010), 20_000 << 32 | 20_000);
}

#[test]
fn whole_numbers_are_seen_in_all_of_their_bytes_or_in_none() {
    let mut memory = Regions::new();
    memory.map(0x1000, 64).expect("a region");
    let memory = &memory;
    std::thread::scope(|scope| {
        let writer = scope.spawn(|| {
            for n in 0..200_000_u32 {
                memory.write(0x1008, &(u64::from(n) << 32 | u64::from(n)).to_le_bytes()).expect("mapped");
            }
        });
        while !writer.is_finished() {
            let mut bytes = [0; 12];
            memory.read(0x1004, &mut bytes).expect("mapped");
            assert_eq!(bytes[4..8], bytes[8..]);
            let mut rows = [Wide([0; LANES]); 2];
            memory.gather(&[0x1008; LANES], 1 << 5, 8, &mut rows).expect("mapped");
            assert_eq!(rows[0].0[5], rows[1].0[5]);
        }
    });
}

#[cfg(target_has_atomic = "64")]
mod shared {
    use core::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, Ordering};

    use super::*;

    #[test]
    fn accesses_of_shared_memory_equal_those_of_owned_memory() {
        // Bytes, a dword, qwords, a dword and bytes that touch: what a buffer of any alignment consists of.
        let bytes: [Vec<AtomicU8>; 2] = [0; 2].map(|_| (0..3).map(AtomicU8::new).collect());
        let dwords: [Vec<AtomicU32>; 2] = [0; 2].map(|_| vec![AtomicU32::new(7)]);
        let qwords: Vec<AtomicU64> = (0..36).map(AtomicU64::new).collect();
        let mut shared = RegionMap::new();
        let start = 0x1001;
        shared.map_shared(0x1001, 3, SharedCells::Bytes(&bytes[0]), true).expect("bytes");
        shared.map_shared(0x1004, 4, SharedCells::Dwords(&dwords[0]), true).expect("a dword");
        shared.map_shared(0x1008, 288, SharedCells::Qwords(&qwords), true).expect("qwords");
        shared.map_shared(0x1128, 4, SharedCells::Dwords(&dwords[1]), true).expect("a dword");
        shared.map_shared(0x112C, 3, SharedCells::Bytes(&bytes[1]), true).expect("bytes");
        assert_eq!(shared.map(0x1004, 1), Err(MapError::Overlap));
        let size = 0x112F - start;
        let mut owned = Regions::new();
        owned.map(start, size).expect("a region");
        let mut all = vec![0; size as usize];
        shared.read(start, &mut all).expect("mapped");
        owned.write(start, &all).expect("mapped");
        let mut state = 3;
        for round in 0..3000 {
            let bytes: usize = [1, 2, 4, 8, 12, 16][random(&mut state) as usize % 6];
            let address = start - 8 + random(&mut state) % (size + 16);
            let lanes = random(&mut state) as u32;
            let step = [4, bytes as u64][random(&mut state) as usize % 2];
            let addresses = core::array::from_fn(|lane| address + lane as u64 * step);
            let count = bytes.div_ceil(4);
            let rows: Vec<Wide> =
                (0..count).map(|_| Wide([0; LANES].map(|_: u32| random(&mut state) as u32))).collect();
            match round % 4 {
                0 => {
                    let results = [&owned as &dyn Memory, &shared].map(|m| m.scatter(&addresses, lanes, bytes, &rows));
                    assert_eq!(results[0], results[1], "round {round}");
                }
                1 => {
                    let mut found = [vec![Wide([0; LANES]); count], vec![Wide([0; LANES]); count]];
                    let [a, b] = &mut found;
                    let results =
                        [owned.gather(&addresses, lanes, bytes, a), shared.gather(&addresses, lanes, bytes, b)];
                    assert_eq!(results[0], results[1], "round {round}");
                    if results[0].is_ok() {
                        let lane = |rows: &[Wide], n| rows.iter().map(|row| row.0[n]).collect::<Vec<_>>();
                        assert!(lanes_of(lanes).all(|n| lane(a, n) == lane(b, n)), "round {round}");
                    }
                }
                2 => {
                    let address = address & !3;
                    let [a, b] =
                        [&owned as &dyn Memory, &shared].map(|m| m.update(address, 4, &mut |old| old.wrapping_mul(3)));
                    assert_eq!(a.is_ok(), b.is_ok(), "round {round}");
                    assert_eq!(a.ok(), b.ok(), "round {round}");
                }
                _ => {
                    let [mut a, mut b] = [[1; 16]; 2];
                    let results = [owned.read_line(address, &mut a), shared.read_line(address, &mut b)];
                    assert_eq!((results[0], a), (results[1], b), "round {round}");
                }
            }
        }
        let [mut a, mut b] = [vec![0; size as usize], vec![0; size as usize]];
        owned.read(start, &mut a).expect("mapped");
        shared.read(start, &mut b).expect("mapped");
        assert_eq!(a, b);
        assert_ne!(qwords[20].load(Ordering::Relaxed), 20, "stores reach the memory of the host");
    }

    #[test]
    fn atomics_of_dwords_change_the_bytes_that_are_mapped() {
        let halves: Vec<AtomicU8> = (1..=4).map(AtomicU8::new).collect();
        let (first, last) = halves.split_at(2);
        let mut memory = RegionMap::new();
        // A number of 16 bits in the low half of a dword, and one in the high half of another.
        memory.map_shared(0x1000, 2, SharedCells::Bytes(first), true).expect("bytes");
        memory.map_shared(0x2002, 2, SharedCells::Bytes(last), true).expect("bytes");
        let load = |address| {
            let mut bytes = [0xFF; 4];
            memory.read(address, &mut bytes).map(|()| u32::from_le_bytes(bytes))
        };
        assert_eq!([0x1000, 0x2000].map(load), [Ok(0x0201), Ok(0x0403_0000)]);
        assert_eq!(load(0x1004), Err(Unmapped { address: 0x1004 }));
        assert_eq!(load(0x1FFC), Err(Unmapped { address: 0x1FFC }));
        assert_eq!(memory.update(0x1000, 4, &mut |old| old | 0xFFFF_0000), Ok(0x0201));
        assert_eq!(memory.update(0x2000, 4, &mut |old| old | 0xFFFF), Ok(0x0403_0000));
        assert_eq!([0x1000, 0x2000].map(load), [Ok(0x0201), Ok(0x0403_0000)]);
        for address in [0x0FFC, 0x1004, 0x1FFC, 0x2004] {
            assert!(memory.update(address, 4, &mut |old| old).is_err(), "{address:#x}");
        }
        for (address, bytes) in [(0x1000, 8), (0x1001, 4), (0x2001, 4)] {
            assert!(memory.update(address, bytes, &mut |old| old).is_err(), "{address:#x}, {bytes}");
        }
        let count = |shift: u32| {
            std::thread::scope(|scope| {
                for _ in 0..2 {
                    scope.spawn(|| {
                        for _ in 0..10_000 {
                            memory.update(0x2000, 4, &mut |old| old + (1 << shift)).expect("mapped");
                        }
                    });
                }
            });
        };
        count(16);
        assert_eq!(load(0x2000), Ok((0x0403 + 20_000) << 16));
    }

    #[test]
    fn stores_to_read_only_memory_fail() {
        let qwords = [const { AtomicU64::new(5) }; 4];
        let bytes = [const { AtomicU8::new(6) }; 2];
        let mut memory = RegionMap::new();
        memory.map_shared(0x1000, 32, SharedCells::Qwords(&qwords), false).expect("qwords");
        memory.map_shared(0x1020, 2, SharedCells::Bytes(&bytes), false).expect("bytes");
        assert_eq!(memory.map_shared(0x2004, 32, SharedCells::Qwords(&qwords), false), Err(MapError::Short));
        let mut four = [0; 4];
        memory.read(0x101E, &mut four).expect("mapped");
        assert_eq!(four, [0, 0, 6, 6]);
        assert_eq!(memory.write(0x1010, &[1]), Err(Unmapped { address: 0x1010 }));
        assert_eq!(memory.write(0x1020, &[1]), Err(Unmapped { address: 0x1020 }));
        assert!(!memory.write_block(0x1000, &[1; 8]));
        assert_eq!(memory.update(0x1008, 4, &mut |old| old + 1), Err(Unmapped { address: 0x1008 }));
        assert_eq!(memory.update(0x1020, 4, &mut |old| old + 1), Err(Unmapped { address: 0x1020 }));
        let stored = memory.scatter(&[0x1000; LANES], 6, 4, &[Wide([1; LANES])]);
        assert_eq!(stored, Err((1, Unmapped { address: 0x1000 })));
        assert!(qwords.iter().all(|cell| cell.load(Ordering::Relaxed) == 5));
    }
}

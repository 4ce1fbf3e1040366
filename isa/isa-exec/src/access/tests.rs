//! Accesses of rows against accesses of one lane after the other.

use std::boxed::Box;
use std::vec;
use std::vec::Vec;

use isa_runtime::body::{BinaryOp, Class, Type};

use super::*;
use crate::descriptor::{Descriptors, LinearBuffer};
use crate::layout::Layout;
use crate::lower::Lowering;
use crate::memory::Regions;
use crate::memory::tests::random;
use crate::operation::{Argument, Operation, OperationKind};
use crate::primitive::Primitive;
use crate::rows::LANES;
use crate::step::{Sum, Update};
use crate::units::Units;

/// The rows of the address and of the data, with as many bytes as a lane accesses at most.
const ADDRESS: u16 = 0;
const CONDITION: u16 = 2;
const REGISTER: u16 = 12;
const DATA: u16 = 4;
const ROWS: u16 = 4;

/// Mapped memory: two regions that touch, and one with high address bits.
const MAPPED: [(u64, u64); 3] = [(0x1_0003, 0x400), (0x1_0403, 0x300), (0xFFFF_FF00, 0x200)];

/// LDS and the scratch memory of a lane.
const LOCAL: usize = 0x181;

/// The bytes of a buffer: raw, so that each dword of an access is in range or not.
const BUFFER: LinearBuffer = LinearBuffer { start: 0x1_0010, bytes: 0x150 };

fn buffer(request: &BufferRequest) -> Pieces {
    let offset = u64::from(request.vaddr[0].wrapping_add(request.offset));
    let bytes = request.bytes.min(4);
    let mut pieces = Pieces { bytes, ..Pieces::NONE };
    for (n, address) in pieces.addresses.iter_mut().enumerate().take(request.bytes.div_ceil(bytes) as usize) {
        let at = offset + 4 * n as u64;
        *address = (at + u64::from(bytes) <= BUFFER.bytes).then_some(BUFFER.start + at);
    }
    pieces
}

const LAYOUT: Layout = {
    let descriptors = Descriptors { buffer, linear: |_| Some(BUFFER), ..Descriptors::NONE };
    Layout { descriptors, shared_aperture: 0x10, private_aperture: 0x20, ..Layout::of_scalars(8) }
};

/// What accesses change.
#[derive(Clone)]
struct Machine {
    wave: Wave,
    lds: Vec<u8>,
}

/// The bytes of all mapped memory.
fn bytes_of(memory: &Regions) -> Vec<u8> {
    let mut all = Vec::new();
    for (start, bytes) in MAPPED {
        let mut region = vec![0; bytes as usize];
        memory.read(start, &mut region).expect("mapped");
        all.extend(region);
    }
    all
}

/// Memory with random bytes.
fn memory(state: &mut u64) -> Regions {
    let mut memory = Regions::new();
    for (start, bytes) in MAPPED {
        memory.map(start, bytes).expect("a region");
        let random: Vec<u8> = (0..bytes).map(|_| random(state) as u8).collect();
        memory.write(start, &random).expect("mapped");
    }
    memory
}

/// Random addresses: consecutive, also by rows of 16 lanes, with a distance, equal, or anything near the start; some lanes are elsewhere at
/// times.
fn addresses(state: &mut u64, start: u64, bytes: u64) -> [u64; 2 * LANES] {
    let step = match random(state) % 6 {
        0 | 1 => bytes,
        2 => 0,
        3 => bytes + 4,
        4 => bytes.wrapping_neg(),
        _ => random(state) % 16,
    };
    let mut addresses = [0; 2 * LANES];
    for (lane, address) in addresses.iter_mut().enumerate() {
        *address = start.wrapping_add(step.wrapping_mul(lane as u64));
    }
    if random(state).is_multiple_of(6) {
        // Each 16 lanes access consecutive memory, as those of WMMA's operands.
        let distance = [0, random(state) % 0x100][random(state) as usize % 2];
        for (row, addresses) in (0..).zip(addresses.chunks_mut(16)) {
            for (lane, address) in (0..).zip(addresses) {
                *address = start.wrapping_add(distance * row).wrapping_add(bytes * lane);
            }
        }
    }
    if random(state).is_multiple_of(3) {
        let lane = random(state) as usize % addresses.len();
        addresses[lane] = start.wrapping_add(random(state) % 0x200);
    }
    if random(state).is_multiple_of(4) {
        // The upper lanes access other memory.
        let at = random(state) as usize % LANES;
        let start = start.wrapping_add(random(state) % 64);
        for (lane, address) in addresses.iter_mut().enumerate().skip(at) {
            *address = start.wrapping_add(bytes * lane as u64);
        }
    }
    addresses
}

/// An access of a random kind and the address that it begins near.
fn access(state: &mut u64) -> (Access, u64) {
    let bytes = [1, 2, 4, 8, 12, 16][random(state) as usize % 6];
    let ty = Type::new(Class::Bits, 8 * bytes.min(8), bytes.div_ceil(8) as u8);
    let ty = if bytes == 12 { Type::new(Class::Bits, 32, 3) } else { ty };
    let number = |bits| Type::new(Class::Unsigned, bits, 1);
    let spaces = [Space::Global, Space::Flat, Space::Lds, Space::Scratch, Space::Buffer];
    let space = spaces[random(state) as usize % spaces.len()];
    let near = |state: &mut u64, start: u64, bytes: u64| match random(state) % 8 {
        // The ends of what is mapped.
        0 => start.wrapping_sub(random(state) % 8),
        1 => start + bytes - random(state) % 80,
        _ => start + random(state) % bytes,
    };
    let (address, start) = match space {
        Space::Buffer => {
            let offset = random(state) as u32 % 64;
            let address =
                Addressing::Buffer { resource: 0, vaddr: ADDRESS, soffset: 0, offset, idxen: false, offen: true };
            (address, near(state, 0, BUFFER.bytes + 16).wrapping_sub(offset.into()))
        }
        Space::Lds | Space::Scratch => {
            let scalar = (random(state).is_multiple_of(2)).then_some(Argument { row: 0, ty: number(32) });
            let offset = random(state) % 64;
            let sum = Sum { row: Argument { row: ADDRESS, ty: number(32) }, scalar, offset, is_short: true };
            (Addressing::Sum(sum), near(state, 0, LOCAL as u64).wrapping_sub(offset))
        }
        _ => {
            let scalar = (random(state).is_multiple_of(2)).then_some(Argument { row: 0, ty: number(64) });
            let offset = random(state) % 64;
            let ty = number([32, 64][random(state) as usize % 2]);
            let (start, bytes) = MAPPED[random(state) as usize % MAPPED.len()];
            let start = match (space, random(state) % 8) {
                (Space::Flat, 0) => (0x10 << 32) + random(state) % 0x100,
                (Space::Flat, 1) => (0x20 << 32) + random(state) % 0x100,
                // The first and the last bytes of an aperture.
                (Space::Flat, 2) => ([0x10, 0x11][random(state) as usize % 2] << 32) - random(state) % 128,
                _ => near(state, start, bytes),
            };
            let sum = Sum { row: Argument { row: ADDRESS, ty }, scalar, offset, is_short: false };
            (Addressing::Sum(sum), start.wrapping_sub(offset))
        }
    };
    let condition = (random(state).is_multiple_of(4)).then_some(CONDITION);
    let conversion = Conversion::None;
    (
        Access { ty, space, address, data: DATA, destination: None, condition, lanes: true, atomic: false, conversion },
        start,
    )
}

/// A wave, LDS and rows for an access that begins near an address.
fn machine(state: &mut u64, access: &Access, start: u64, units: Units) -> Machine {
    let wave64 = random(state).is_multiple_of(4);
    let mut wave = Wave::without_constants(&Lowering::new(LAYOUT, 16, wave64), LOCAL);
    wave.set_units(units);
    wave.reports_lds_range = random(state).is_multiple_of(2);
    let exec = match random(state) % 4 {
        0 | 1 => u64::MAX,
        2 => u64::MAX << (random(state) % 64) >> (random(state) % 64),
        _ => random(state),
    };
    wave.set_mask(LAYOUT.exec, exec);
    wave.writing = [exec as u32, (exec >> 32) as u32];
    let has_scalar = matches!(access.address, Addressing::Sum(Sum { scalar: Some(_), .. }));
    let base = if has_scalar { random(state) % 0x100 } else { 0 };
    wave.set_sgpr(0, base as u32);
    let addresses = addresses(state, start.wrapping_sub(base), access.bytes() as u64);
    for (lane, address) in addresses.into_iter().enumerate() {
        wave.set_vgpr(ADDRESS, lane, address as u32);
        wave.set_vgpr(ADDRESS + 1, lane, (address >> 32) as u32);
        wave.set_vgpr(CONDITION, lane, u32::from(!random(state).is_multiple_of(8)));
        (DATA..REGISTER + ROWS).for_each(|row| wave.set_vgpr(row, lane, random(state) as u32));
        wave.scratch_mut(lane).iter_mut().for_each(|byte| *byte = random(state) as u8);
    }
    let lds = (0..LOCAL).map(|_| random(state) as u8).collect();
    Machine { wave, lds }
}

/// What an access has done: its outcome, the machine, memory, and whether the latter counts as changed.
#[derive(PartialEq, Debug)]
struct Effect {
    outcome: Faulting,
    lds: Vec<u8>,
    scratch: Vec<u8>,
    memory: Vec<u8>,
    has_changed: bool,
    /// The rows of the data in active lanes, unless a destination takes them.
    rows: Vec<u32>,
    /// Registers.
    registers: Vec<u32>,
}

/// Runs an access on a machine and memory with random bytes.
fn effect(
    access: &Access,
    machine: &Machine,
    seed: u64,
    compares: bool,
    run: impl FnOnce(&mut Wave, &mut Spaces<'_>) -> Faulting,
) -> Effect {
    let Machine { mut wave, mut lds } = machine.clone();
    let memory = memory(&mut { seed });
    let mut spaces = Spaces { memory: &memory, lds: &mut lds, changes: 0, compares, checker: None };
    let outcome = run(&mut wave, &mut spaces);
    let has_changed = spaces.changes > 0;
    let lanes: Vec<usize> = lanes_of(access.active(&wave)).collect();
    let rows = DATA..DATA + access.bytes().div_ceil(4) as u16;
    let rows = rows.flat_map(|row| lanes.iter().map(move |lane| (row, *lane)));
    let has_rows = outcome.is_ok() && access.destination.is_none();
    let rows = if has_rows { rows.map(|(row, lane)| wave.vgpr(row, lane)).collect() } else { Vec::new() };
    let lanes = wave.lanes();
    let registers =
        (ADDRESS..DATA).chain(REGISTER..REGISTER + ROWS).flat_map(|row| (0..lanes).map(move |lane| (row, lane)));
    let registers = registers.map(|(row, lane)| wave.vgpr(row, lane)).collect();
    let scratch = wave.all_scratch().0.to_vec();
    Effect { outcome, lds, scratch, memory: bytes_of(&memory), has_changed, rows, registers }
}

/// Runs random accesses of rows, and as accesses of one lane after the other. Most must be accesses of rows.
fn check(stores: bool, rounds: usize) {
    let mut state = if stores { 1 } else { 2 };
    let mut together = 0;
    let units: Vec<Units> = Units::all().collect();
    for round in 0..rounds {
        let (mut access, start) = access(&mut state);
        // A load writes registers itself, which may be those of the address, or rows.
        access.destination = [None, Some(REGISTER), Some(ADDRESS)][random(&mut state) as usize % 3].filter(|_| !stores);
        if access.destination.is_some() {
            access.condition = None;
        }
        let machine = machine(&mut state, &access, start, units[round % units.len()]);
        let seed = random(&mut state) | 1;
        let compares = random(&mut state).is_multiple_of(2);
        let each = |wave: &mut Wave, spaces: &mut Spaces<'_>| {
            lanes_of(access.active(wave)).try_for_each(|lane| match stores {
                true => access.store_lane(wave, spaces, DATA, lane),
                false => access.load_lane(wave, spaces, lane),
            })?;
            access.merge(wave);
            Ok(())
        };
        let found = effect(&access, &machine, seed, compares, |wave, spaces| {
            // The first file tells whether it is an access of rows; it is executed again then.
            let active = access.active(wave) as u32;
            if active != 0 {
                let (mut wave, mut lds) = (wave.clone(), spaces.lds.to_vec());
                let memory = Regions::new();
                let mut spaces = Spaces { memory: &memory, lds: &mut lds, changes: 0, compares, checker: None };
                together += usize::from(match stores {
                    true => access.store_rows(&mut wave, &mut spaces, 0, active).is_some(),
                    false => access.load_rows(&mut wave, &mut spaces, 0, active).is_some(),
                });
            }
            if stores { access.store(wave, spaces) } else { access.load(wave, spaces) }
        });
        let expected = effect(&access, &machine, seed, compares, each);
        assert_eq!(found, expected, "round {round}: {access:x?}");
    }
    assert!(together > rounds / 2, "{together} of {rounds} accesses were done together");
}

#[test]
fn loads_of_rows_equal_those_of_lanes() {
    check(false, 2_000);
}

#[test]
fn stores_of_rows_equal_those_of_lanes() {
    check(true, 2_000);
}

/// An atomic with a random address that adds a number, or computes more.
fn update(state: &mut u64) -> (Update, u64) {
    let (mut access, start) = loop {
        let (access, start) = access(state);
        if matches!(access.bytes(), 4 | 8) {
            break (access, start);
        }
    };
    access.ty = Type::new(Class::Unsigned, 8 * access.bytes() as u16, 1);
    access.atomic = true;
    let [old, number, sum, new] = [DATA, 8, 10, 18].map(|row| Argument { row, ty: access.ty });
    let operation = |op, args: [Argument; 2], to: Argument| {
        let kind = OperationKind::Binary(op);
        Primitive::new(Operation { kind, ty: access.ty, args: Box::new(args) }, to.row)
    };
    let (operations, value) = match random(state) % 3 {
        0 => (vec![operation(BinaryOp::Add, [old, number], sum)], sum.row),
        1 => {
            let second = operation(BinaryOp::Xor, [sum, old], new);
            (vec![operation(BinaryOp::Mul, [old, number], sum), second], new.row)
        }
        // An exchange.
        _ => (Vec::new(), number.row),
    };
    // Most of them are aligned.
    if !random(state).is_multiple_of(8) {
        match &mut access.address {
            Addressing::Sum(sum) => sum.offset &= !7,
            Addressing::Buffer { offset, .. } => *offset &= !7,
            _ => {}
        }
    }
    (Update { access, operations, scalar: Vec::new(), value }, start)
}

#[test]
fn atomics_of_rows_equal_those_of_lanes() {
    let mut state = 3;
    let mut done = 0;
    let units: Vec<Units> = Units::all().collect();
    const ROUNDS: usize = 2_000;
    for round in 0..ROUNDS {
        let (update, start) = update(&mut state);
        let access = &update.access;
        let mut machine = machine(&mut state, access, start, units[round % units.len()]);
        for lane in 0..machine.wave.lanes() {
            // Aligned, and few in every other round, so that lanes meet.
            let address = match round % 4 {
                0 => machine.wave.vgpr(ADDRESS, lane),
                1 => machine.wave.vgpr(ADDRESS, lane) & !7,
                _ => machine.wave.vgpr(ADDRESS, lane) & !0x3F | random(&mut state) as u32 & 0x38,
            };
            machine.wave.set_vgpr(ADDRESS, lane, address);
            (8..10).for_each(|row| machine.wave.set_vgpr(row, lane, random(&mut state) as u32));
        }
        machine.wave.set_sgpr(0, machine.wave.sgpr(0) & !7);
        let seed = random(&mut state) | 1;
        let found = effect(access, &machine, seed, false, |wave, spaces| {
            let active = access.active(wave);
            let lanes = update.run_rows(wave, spaces);
            done += usize::from(lanes != 0);
            update.run_each(wave, spaces, active & !lanes)
        });
        let each = |wave: &mut Wave, spaces: &mut Spaces<'_>| update.run_each(wave, spaces, access.active(wave));
        let expected = effect(access, &machine, seed, false, each);
        assert_eq!(found, expected, "round {round}: {update:x?}");
    }
    assert!(done > ROUNDS / 4, "lanes of {done} of {ROUNDS} atomics were done together");
}

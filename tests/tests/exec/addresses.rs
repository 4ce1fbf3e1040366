//! Addresses of execution against those of `rdna3::address`, on random registers and offsets.

use std::collections::BTreeSet;
use std::sync::Mutex;

use isa_exec::fault::FaultKind;
use isa_exec::group::WorkGroup;
use isa_exec::memory::{Memory, Unmapped};
use isa_exec::wave::Wave;
use rdna3::address::buffer::{self, BufferState};
use rdna3::address::flat::{self, Apertures, FlatState, Landing};
use rdna3::address::lds::{self, LdsState};
use rdna3::address::scalar::{self, ScalarBase, ScalarState};
use rdna3::address::{AlignmentMode, Fault, Lane, NO_ACCESS, Spans};
use rdna3::descriptor::buffer::BufferResource;
use rdna3::{Instr, Wave as WaveSize};

use crate::machine::{LIMIT, Random, program, wave};

/// Memory that has all bytes and remembers those that are accessed.
#[derive(Default)]
struct Log(Mutex<BTreeSet<u64>>);

impl Log {
    fn note(&self, address: u64, bytes: usize) {
        let mut log = self.0.lock().expect("no thread panics");
        log.extend((0..bytes as u64).map(|n| address.wrapping_add(n)));
    }
}

impl Memory for Log {
    fn read(&self, address: u64, bytes: &mut [u8]) -> Result<(), Unmapped> {
        self.note(address, bytes.len());
        Ok(())
    }

    fn write(&self, address: u64, bytes: &[u8]) -> Result<(), Unmapped> {
        self.note(address, bytes.len());
        Ok(())
    }

    fn update(&self, address: u64, bytes: usize, f: &mut dyn FnMut(u64) -> u64) -> Result<u64, Unmapped> {
        self.note(address, bytes);
        Ok(f(0))
    }
}

/// The bytes that an instruction accesses.
#[derive(Debug, PartialEq, Eq)]
enum Accessed {
    Memory(BTreeSet<u64>),
    /// The first byte of LDS or scratch.
    First(u64),
}

const LANE: u8 = 5;
const SHARED: u64 = 0x0001_0000_0000_0000;
const PRIVATE: u64 = 0x0002_0000_0000_0000;

/// The values of v[2:3], s[2:3], s[4:7], s8 and M0.
#[derive(Debug, Clone, Copy)]
struct State {
    vaddr: [u32; 2],
    saddr: [u32; 2],
    resource: [u32; 4],
    soffset: u32,
    m0: u32,
}

/// A number whose sums are near a power of two.
fn edge(random: &mut Random) -> u32 {
    let small = random.next() as u32 % 9000;
    match random.next() % 4 {
        0 => small,
        1 => small.wrapping_neg(),
        2 => 0x8000_0000_u32.wrapping_add(small),
        _ => random.next() as u32,
    }
}

fn state(random: &mut Random) -> State {
    let base = u64::from(edge(random)) | u64::from(random.next() as u16) << 32;
    let stride = [0, 4, 16, 16383][random.next() as usize % 4];
    // A format, no swizzle but rarely, each way of checking bounds.
    let swizzle = if random.next().is_multiple_of(4) { 1 << 30 } else { 0 };
    let flags = 20 << 12 | (random.next() as u32 & 3) << 28 | (random.next() as u32 & 3) << 21;
    State {
        vaddr: [edge(random), edge(random) % 0x1000],
        saddr: [edge(random), edge(random) % 0x8000],
        resource: [base as u32, (base >> 32) as u32 | stride << 16 | swizzle, edge(random), flags],
        soffset: edge(random),
        m0: edge(random) & 0xFFFF,
    }
}

/// The bytes that the executor accesses in one lane.
fn executed(line: &str, state: &State) -> Accessed {
    let program = program(&[line], WaveSize::W32);
    let mut one = Wave::new(&program, 0);
    one.pc = wave(&program).pc;
    one.reports_lds_range = true;
    one.set_mask(126, 1 << LANE);
    one.set_sgpr(125, state.m0);
    one.set_sgpr(8, state.soffset);
    for (register, value) in (2..).zip(state.saddr.into_iter().chain(state.resource)) {
        one.set_sgpr(register, value);
    }
    for (register, value) in (2..).zip(state.vaddr) {
        one.set_vgpr(register, LANE.into(), value);
    }
    let memory = Log::default();
    let mut group = WorkGroup { waves: vec![one], lds: Vec::new() };
    match group.run(&program, &memory, LIMIT).map_err(|fault| fault.kind) {
        Ok(()) => Accessed::Memory(memory.0.into_inner().expect("no thread panics")),
        Err(FaultKind::Lds { address, .. } | FaultKind::Scratch { address }) => Accessed::First(address),
        Err(other) => panic!("{line}: {other:?}"),
    }
}

/// The bytes of memory of pieces, as virtual addresses.
fn bytes(spans: &Spans, sign: bool) -> Accessed {
    let canonical = |address: u64| if sign { ((address << 16) as i64 >> 16) as u64 } else { address };
    Accessed::Memory(spans.bytes().map(canonical).collect())
}

/// The bytes that `rdna3::address` returns for one lane; `None` if the guide forbids the access.
fn expected(line: &str, state: &State) -> Option<Accessed> {
    let instr = Instr::parse(line, WaveSize::W32).unwrap_or_else(|error| panic!("{line}: {error}"));
    let resource = BufferResource::from_words(state.resource);
    let pair = |[low, high]: [u32; 2]| u64::from(high) << 32 | u64::from(low);
    let lane = Lane { id: LANE, vaddr: state.vaddr };
    let alignment = AlignmentMode::Unaligned;
    let found = buffer::address(&instr, &BufferState { resource, soffset: state.soffset, lane, alignment });
    if found != Err(NO_ACCESS) {
        let spans = found.ok()?;
        let misaligned = |piece: Result<_, Fault>| matches!(piece, Err(Fault::Misaligned { .. }));
        return (!spans.iter().any(misaligned)).then(|| bytes(&spans, true));
    }
    for base in [ScalarBase::Pointer(pair(state.saddr)), ScalarBase::Buffer(resource)] {
        match scalar::address(&instr, &ScalarState { base, soffset: state.soffset }) {
            Ok(spans) => return Some(bytes(&spans, matches!(base, ScalarBase::Buffer(_)))),
            Err(Fault::Forbidden(text)) if text == scalar::OTHER_BASE => {}
            Err(fault) if fault == NO_ACCESS => {}
            Err(_) => return None,
        }
    }
    let lds = LdsState { addr: state.vaddr[0], m0: state.m0, lane: LANE, base: 0, size: u32::MAX, alignment };
    match lds::address(&instr, &lds) {
        Ok(spans) => return Some(Accessed::First(spans.iter().next()?.ok()?.byte)),
        Err(fault) if fault == NO_ACCESS => {}
        Err(_) => return None,
    }
    let size = u64::from(u32::MAX);
    let flat = FlatState {
        vaddr: pair(state.vaddr),
        saddr: pair(state.saddr),
        lane: LANE,
        wave: WaveSize::W32,
        scratch_base: 0,
        apertures: Apertures { shared: (SHARED, SHARED + size), private: (PRIVATE, PRIVATE + size) },
        lds_size: u32::MAX,
        alignment,
    };
    Some(match flat::address(&instr, &flat).ok()? {
        Landing::Global(address) => bytes(&Spans::one(Ok(address)), false),
        Landing::Lds(address) => Accessed::First(address.byte),
        // Rows of 32 dwords, one of each lane.
        Landing::Scratch(spans) => {
            let byte = spans.whole().ok()?.byte - 4 * u64::from(LANE);
            Accessed::First(byte / 128 * 4 + byte % 4)
        }
    })
}

/// Instructions of each sum; `OFFSET` stands for a random offset.
const LINES: &[(&str, i32, i32)] = &[
    ("buffer_load_b32 v4, v2, s[4:7], s8 offen offset:OFFSET", 0, 4095),
    ("buffer_load_b32 v4, v2, s[4:7], null idxen offset:OFFSET", 0, 4095),
    ("buffer_load_b128 v[4:7], v[2:3], s[4:7], 0 idxen offen offset:OFFSET", 0, 4095),
    ("buffer_load_u8 v4, v[2:3], s[4:7], s8 idxen offen offset:OFFSET", 0, 4095),
    ("buffer_load_b64 v[4:5], off, s[4:7], s8 offset:OFFSET", 0, 4095),
    ("buffer_store_b96 v[4:6], v2, s[4:7], s8 offen offset:OFFSET", 0, 4095),
    ("buffer_atomic_add_u64 v[4:5], v2, s[4:7], 0 offen offset:OFFSET", 0, 4095),
    ("tbuffer_load_format_xy v[4:5], v2, s[4:7], s8 format:[BUF_FMT_8_8_UINT] offen offset:OFFSET", 0, 4095),
    ("tbuffer_store_format_x v4, v[2:3], s[4:7], 0 format:[BUF_FMT_8_UINT] idxen offen offset:OFFSET", 0, 4095),
    ("s_load_b32 s10, s[2:3], s8 offset:OFFSET", -1_048_576, 1_048_575),
    ("s_load_b512 s[12:27], s[2:3], OFFSET", 0, 1_048_575),
    ("s_buffer_load_b256 s[12:19], s[4:7], s8 offset:OFFSET", 0, 1_048_575),
    ("ds_load_b32 v4, v2 offset:OFFSET", 0, 65535),
    ("ds_store_b128 v2, v[4:7] offset:OFFSET", 0, 65535),
    ("ds_load_2addr_b32 v[4:5], v2 offset0:OFFSET", 0, 255),
    ("ds_store_2addr_b64 v2, v[4:5], v[6:7] offset0:OFFSET", 0, 255),
    ("ds_load_2addr_stride64_b64 v[4:7], v2 offset0:OFFSET", 0, 255),
    ("ds_add_rtn_u32 v4, v2, v5 offset:OFFSET", 0, 65535),
    ("ds_cmpstore_b64 v2, v[4:5], v[6:7] offset:OFFSET", 0, 65535),
    ("ds_append v4 offset:OFFSET", 0, 65535),
    ("ds_load_addtid_b32 v4 offset:OFFSET", 0, 65535),
    ("global_load_b64 v[4:5], v[2:3], off offset:OFFSET", -4096, 4095),
    ("global_store_b32 v2, v4, s[2:3] offset:OFFSET", -4096, 4095),
    ("global_atomic_add_u32 v2, v4, s[2:3] offset:OFFSET", -4096, 4095),
    ("global_load_addtid_b32 v4, s[2:3] offset:OFFSET", -4096, 4095),
    ("flat_load_b32 v4, v[2:3] offset:OFFSET", 0, 4095),
    ("scratch_load_b32 v4, v2, off offset:OFFSET", -4096, 4095),
    ("scratch_store_b64 v2, v[4:5], s2 offset:OFFSET", -4096, 4095),
    ("scratch_load_u8 v4, off, s2 offset:OFFSET", -4096, 4095),
];

#[test]
fn execution_and_facts_have_the_same_addresses() {
    let mut random = Random(7);
    for (line, least, most) in LINES {
        let (mut compared, mut distinct) = (0, BTreeSet::new());
        for _ in 0..400 {
            let offset = least + (random.next() % (most - least + 1) as u64) as i32;
            let offset = [offset, offset & !15, *least, *most][random.next() as usize % 4];
            let line = line.replace("OFFSET", &offset.to_string());
            let state = state(&mut random);
            let Some(expected) = expected(&line, &state) else { continue };
            assert_eq!(executed(&line, &state), expected, "{line}, {state:x?}");
            compared += 1;
            distinct.insert(format!("{expected:?}"));
        }
        assert!(compared >= 40 && distinct.len() >= 20, "{line}: {compared} cases, {} addresses", distinct.len());
    }
}

#[test]
fn flat_addresses_in_apertures() {
    let state = |high: u64, low: u32| State {
        vaddr: [low, (high >> 32) as u32],
        saddr: [0; 2],
        resource: [0; 4],
        soffset: 0,
        m0: 0,
    };
    for line in [
        "flat_load_b32 v4, v[2:3] offset:16",
        "flat_store_b64 v[2:3], v[4:5] offset:16",
        "flat_atomic_add_u32 v[2:3], v4",
    ] {
        for high in [SHARED, PRIVATE] {
            let state = state(high, 0x100);
            assert_eq!(Some(executed(line, &state)), expected(line, &state), "{line}");
        }
    }
}

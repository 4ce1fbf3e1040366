//! Properties of all addresses of RDNA3: accesses stay in bounds, swizzling permutes, nothing overflows.

use std::collections::BTreeSet;

use isa_tests::property;
use proptest::prelude::*;
use rdna3::address::buffer::{self, BufferState};
use rdna3::address::flat::{self, FlatState, Landing};
use rdna3::address::lds::{self, LdsAlignment, LdsState};
use rdna3::address::scalar::{self, ScalarBase, ScalarState};
use rdna3::address::{Address, AlignmentMode, Fault, Lane, gds, memory_bytes};
use rdna3::descriptor::buffer::{BufferResource, BufferValues, IndexStride, OobSelect, SwizzleEnable};
use rdna3::{Instr, Wave};

use crate::buffers::{instr, resource, state};

fn any_buffer() -> impl Strategy<Value = BufferResource> {
    any::<[u32; 4]>().prop_map(|mut words| {
        words[3] &= 0x3fff_ffff;
        words[3] |= 20 << 12;
        BufferResource::from_words(words)
    })
}

fn memory_instr() -> impl Strategy<Value = Instr> {
    static MEMORY: std::sync::LazyLock<Vec<Instr>> = std::sync::LazyLock::new(|| {
        let lines = isa_tests::vectors::golden().unwrap();
        let read = |line: &isa_tests::vectors::Line| {
            let words: Vec<u32> = line.words();
            Instr::decode(&words, Wave::W32).ok().map(|(instr, _)| instr)
        };
        let memory =
            |i: &Instr| ["MUBUF", "MTBUF", "SMEM", "DS", "FLAT", "GLOBAL", "SCRATCH", "MIMG"].contains(&i.format());
        lines.iter().filter_map(read).filter(memory).collect()
    });
    any::<prop::sample::Index>().prop_map(|i| MEMORY[i.index(MEMORY.len())])
}

/// Numbers at the ends of their ranges more often than elsewhere.
fn edge() -> impl Strategy<Value = u32> {
    prop_oneof![Just(0), Just(u32::MAX), Just(i32::MAX as u32), 0u32..200, any::<u32>(), (u32::MAX - 200)..=u32::MAX]
}

proptest! {
    #![proptest_config(property::config(5_000))]

    /// No sum overflows for any registers, and the pieces have at most as many bytes as the access moves.
    #[test]
    fn nothing_overflows(
        instr in memory_instr(), resource in any_buffer(), a in edge(), b in edge(), c in edge(), lane: u8, mode in 0u8..4,
    ) {
        let alignment = AlignmentMode::from_bits(mode);
        let lane_state = Lane { id: lane, vaddr: [a, b] };
        let _ = buffer::address(&instr, &BufferState { resource, soffset: c, lane: lane_state, alignment });
        for base in [ScalarBase::Buffer(resource), ScalarBase::Pointer(u64::from(a) << 32 | u64::from(b))] {
            let _ = scalar::address(&instr, &ScalarState { base, soffset: c });
        }
        let (vaddr, saddr) = (u64::from(a) << 32 | u64::from(b), u64::from(c) << 32 | u64::from(a));
        let wave = if mode & 1 == 0 { Wave::W32 } else { Wave::W64 };
        let flat = FlatState { vaddr, saddr, lane, wave, scratch_base: saddr, lds_size: c, alignment, ..Default::default() };
        if let Ok(landing) = flat::address(&instr, &flat) {
            let bytes = memory_bytes(instr.opcode()).unwrap();
            match landing {
                Landing::Global(address) | Landing::Lds(address) => prop_assert_eq!(address.bytes, bytes),
                Landing::Scratch(spans) => prop_assert_eq!(spans.bytes().count() as u32, bytes),
            }
        }
        let state = LdsState { addr: a, m0: b, lane, base: c, size: a, alignment: LdsAlignment::from_bits(mode) };
        if let Ok(spans) = lds::address(&instr, &state) {
            for piece in spans.iter().flatten() {
                prop_assert!(piece.byte >= u64::from(c));
                prop_assert!(piece.byte + u64::from(piece.bytes) <= u64::from(c) + u64::from(a));
            }
        }
        let _ = gds::address(&instr, &gds::GdsState { addr: a, m0: b, alignment: LdsAlignment::from_bits(mode) });
        let _ = (rdna3::address::image::address_layout(&instr), rdna3::address::image::data_layout(&instr));
    }

    /// In raw mode, linear, every byte that is reached is inside the buffer; and exactly those are.
    #[test]
    fn raw_buffers_keep_their_bounds(
        base in 0u64..1 << 44, records in 0u32..600, offset in 0u32..700, soffset in 0u32..100, index in 0u32..4,
        stride in prop_oneof![Just(0u16), 1..64u16],
    ) {
        let base = base << 2;
        let load = instr("buffer_load_b96 v[0:2], v[1:2], s[4:7], s3 idxen offen");
        let values = BufferValues { base, stride, num_records: records, oob_select: OobSelect::Raw, ..Default::default() };
        let state = BufferState { alignment: AlignmentMode::Unaligned, ..state(resource(values), 0, [index, offset], soffset) };
        let spans = buffer::address(&load, &state).unwrap();
        for (i, piece) in spans.iter().enumerate() {
            let start = u64::from(soffset) + u64::from(stride) * u64::from(index) + u64::from(offset) + 4 * i as u64;
            if start + 4 <= u64::from(records) {
                prop_assert_eq!(piece, Ok(Address::new(base + start, 4)));
            } else {
                prop_assert_eq!(piece, Err(Fault::OutOfRange));
            }
        }
    }

}

proptest! {
    #![proptest_config(property::config(40))]

    /// A structured buffer: linear and swizzled, all records together touch the same bytes, each once.
    #[test]
    fn swizzling_permutes_the_bytes(groups in 1u32..4, elements in 1u16..8, wide: bool, stride_code in 0u8..4) {
        let index_stride = IndexStride::from_bits(stride_code);
        let (element, swizzle) = if wide { (16, SwizzleEnable::Elements16) } else { (4, SwizzleEnable::Elements4) };
        let stride = elements * element;
        let records = groups * index_stride.records();
        let load = instr("buffer_load_b32 v0, v[1:2], s[4:7], null idxen offen");
        let touched = |swizzle| {
            let values = BufferValues { base: 0x1000, stride, num_records: records, swizzle, index_stride, ..Default::default() };
            let resource = resource(values);
            let mut bytes = BTreeSet::new();
            for index in 0..records {
                for offset in (0..u32::from(stride)).step_by(4) {
                    for byte in buffer::address(&load, &state(resource, 0, [index, offset], 0)).unwrap().bytes() {
                        assert!(bytes.insert(byte), "{byte:#x} twice");
                    }
                }
            }
            bytes
        };
        let linear = touched(SwizzleEnable::Linear);
        prop_assert_eq!(linear.len() as u32, records * u32::from(stride));
        prop_assert_eq!(linear.first(), Some(&0x1000));
        prop_assert_eq!(linear, touched(swizzle));
    }

    /// The scratch of a wave: all lanes' bytes together are one run without a gap, each once.
    #[test]
    fn scratch_is_a_permutation(dwords in 1u32..12, wide: bool) {
        let (wave, lanes) = if wide { (Wave::W64, 64u8) } else { (Wave::W32, 32) };
        let load = instr("scratch_load_u8 v0, v1, off");
        let mut bytes = BTreeSet::new();
        for lane in 0..lanes {
            for offset in 0..4 * dwords {
                let state = FlatState { vaddr: u64::from(offset), lane, wave, scratch_base: 0x100, ..Default::default() };
                let Ok(Landing::Scratch(spans)) = flat::address(&load, &state) else { panic!("no scratch") };
                for byte in spans.bytes() {
                    prop_assert!(bytes.insert(byte));
                }
            }
        }
        let all: BTreeSet<u64> = (0x100..0x100 + u64::from(4 * dwords) * u64::from(lanes)).collect();
        prop_assert_eq!(bytes, all);
    }

}

proptest! {
    #![proptest_config(property::config(2_000))]

    /// Pieces of a scalar load beyond the buffer have no address; those before it all have one.
    #[test]
    fn scalar_bounds(stride in 0u16..64, records in 0u32..64, offset in 0u32..4096) {
        let load = instr("s_buffer_load_b512 s[0:15], s[20:23], s30");
        let resource = resource(BufferValues { base: 0x8000, stride, num_records: records, ..Default::default() });
        let state = ScalarState { base: ScalarBase::Buffer(resource), soffset: offset };
        let spans = scalar::address(&load, &state).unwrap();
        prop_assert_eq!(spans.as_slice().len(), 16);
        let size = u64::from(stride.max(1)) * u64::from(records);
        for (i, piece) in spans.iter().enumerate() {
            let at = u64::from(offset) + 4 * i as u64;
            prop_assert_eq!(piece.is_ok(), at < size);
        }
    }
}

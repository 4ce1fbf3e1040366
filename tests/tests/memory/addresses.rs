//! Addresses of RDNA3: worked cases of the guide's formulas, with the numbers by hand.

use std::collections::BTreeSet;

use rdna3::address::buffer::{self, BufferAccess, BufferState, Payload};
use rdna3::address::flat::{self, Apertures, FlatAccess, FlatState, Landing, Mode};
use rdna3::address::lds::{self, DsAccess, DsForm, LdsAlignment, LdsState};
use rdna3::address::scalar::{self, ScalarBase, ScalarState};
use rdna3::address::{Address, AlignmentMode, Fault, Spans, atomic, gds, is_atomic, memory_bytes};
use rdna3::descriptor::buffer::{BufferResource, BufferValues, IndexStride, OobSelect, SwizzleEnable};
use rdna3::descriptor::format::DataFormat;
use rdna3::{Instr, Opcode, Wave};

use crate::buffers::{instr, resource, state};

fn pieces(spans: &Spans) -> Vec<Result<(u64, u32), Fault>> {
    spans.iter().map(|p| p.map(|a| (a.byte, a.bytes))).collect()
}

#[test]
fn linear_buffers() {
    // Guide §9.4.1.1: base + sgpr + stride * index + inst + vgpr
    // = 0x10000 + 0x200 + 24 * 5 + 4 + 8 = 0x10000 + 512 + 132
    let load = instr("buffer_load_b32 v0, v[1:2], s[4:7], s3 idxen offen offset:4");
    let structured = BufferValues { base: 0x10000, stride: 24, num_records: 6, ..Default::default() };
    let at = |records: u32, offset: u32| {
        let resource = resource(BufferValues { num_records: records, ..structured });
        buffer::address(&load, &state(resource, 0, [5, offset], 0x200)).unwrap().whole()
    };
    assert_eq!(at(6, 8), Ok(Address::new(0x10000 + 512 + 132, 4)));
    // Index 5 of 5 records; offset 4 + 17 + 4 bytes of a stride of 24.
    assert_eq!(at(5, 8), Err(Fault::OutOfRange));
    assert_eq!(at(6, 16), Ok(Address::new(0x10000 + 512 + 140, 4)));
    assert_eq!(at(6, 17), Err(Fault::OutOfRange));
    // SOFFSET as a constant, and none at all.
    let load = instr("buffer_load_b32 v0, off, s[4:7], 12 offset:4");
    let raw = BufferValues { base: 0x4000, num_records: 64, oob_select: OobSelect::Raw, ..Default::default() };
    let resource = resource(raw);
    assert_eq!(buffer::address(&load, &state(resource, 0, [9, 9], 999)).unwrap().whole(), Ok(Address::new(0x4010, 4)));
    let load = instr("buffer_load_b32 v0, off, s[4:7], null");
    assert_eq!(buffer::address(&load, &state(resource, 0, [9, 9], 999)).unwrap().whole(), Ok(Address::new(0x4000, 4)));
}

#[test]
fn swizzled_buffers() {
    // Guide §9.4.2 with stride 16, elements of 4 bytes, index stride 8. Index 10, offset 8 + 1 (a byte):
    // index_msb 1, index_lsb 2, offset_msb 2, offset_lsb 1
    // (1 * 16 + 2 * 4) * 8 + 2 * 4 + 1 = 24 * 8 + 9 = 201
    let load = instr("buffer_load_u8 v0, v[1:2], s[4:7], s3 idxen offen offset:8");
    let resource = resource(BufferValues {
        base: 0x1000,
        stride: 16,
        swizzle: SwizzleEnable::Elements4,
        index_stride: IndexStride::By8,
        num_records: 64,
        ..Default::default()
    });
    let spans = buffer::address(&load, &state(resource, 0, [10, 1], 0x100)).unwrap();
    assert_eq!(spans.whole(), Ok(Address::new(0x1000 + 0x100 + 201, 1)));
    // A fetch must not be wider than an element.
    let wide = instr("buffer_load_b64 v[0:1], v[1:2], s[4:7], s3 idxen offen");
    let wide = buffer::address(&wide, &state(resource, 0, [10, 0], 0));
    assert_eq!(wide, Err(Fault::Forbidden(buffer::BEYOND_ELEMENT)));
    // The lane's number is added to the index: 7 + 3 is the same index.
    let with_tid = BufferResource::from_bits(resource.into_bits() | 1 << 119);
    assert!(with_tid.add_tid());
    let spans = buffer::address(&load, &state(with_tid, 3, [7, 1], 0x100)).unwrap();
    assert_eq!(spans.whole(), Ok(Address::new(0x1000 + 0x100 + 201, 1)));
}

#[test]
fn bounds_of_buffers() {
    use OobSelect::{EmptyOnly, IndexOnly, Raw, Structured};
    // Guide §9.4.1, table 46: a load of four dwords at offset 8 of record 2; stride 20.
    let load = instr("buffer_load_b128 v[0:3], v[1:2], s[4:7], s3 idxen offen");
    let at = |oob_select, num_records, soffset| {
        let values = BufferValues { base: 0x1000, stride: 20, num_records, oob_select, ..Default::default() };
        pieces(&buffer::address(&load, &state(resource(values), 0, [2, 8], soffset)).unwrap())
    };
    let (ok, out) = (|n: u64| Ok((0x1000 + 40 + 8 + 4 * n, 4)), Err(Fault::OutOfRange));
    // The stride ends after the third dword: 8 + 12 = 20.
    assert_eq!(at(Structured, 3, 0), [ok(0), ok(1), ok(2), out]);
    assert_eq!(at(Structured, 2, 0), [out; 4]);
    assert_eq!(at(IndexOnly, 3, 0), [ok(0), ok(1), ok(2), ok(3)]);
    assert_eq!(at(IndexOnly, 2, 0), [out; 4]);
    assert_eq!(at(EmptyOnly, 1, 0), [ok(0), ok(1), ok(2), ok(3)]);
    assert_eq!(at(EmptyOnly, 0, 0), [out; 4]);
    // Raw: bytes 48 to 63; 60 bytes hold three of the dwords, 64 with 4 for the scalar offset the same three.
    assert_eq!(at(Raw, 60, 0), [ok(0), ok(1), ok(2), out]);
    assert_eq!(at(Raw, 64, 4).last(), Some(&out));
    assert_eq!(at(Raw, 64, 0), [ok(0), ok(1), ok(2), ok(3)]);
    assert_eq!(at(Raw, 64, 65), [out; 4]);
    // Formats and atomics are in or out as a whole.
    let format = instr("buffer_load_format_xyzw v[0:3], v[1:2], s[4:7], s3 idxen offen");
    let values =
        BufferValues { stride: 20, num_records: 3, format: DataFormat::F32_32_32_32_FLOAT, ..Default::default() };
    let formatted = buffer::address(&format, &state(resource(values), 0, [2, 8], 0)).unwrap();
    assert_eq!(pieces(&formatted), [out]);
    let add = instr("buffer_atomic_add_u64 v[0:1], v[1:2], s[4:7], s3 idxen offen");
    assert_eq!(pieces(&buffer::address(&add, &state(resource(values), 0, [2, 16], 0)).unwrap()), [out]);
    // Unbound: no format; another kind.
    let none = BufferValues { num_records: 64, ..Default::default() }.build().unwrap();
    assert_eq!(buffer::address(&load, &state(none, 0, [0, 0], 0)), Err(Fault::Unbound));
    let other = BufferResource::from_bits(resource(values).into_bits() | 1 << 127);
    assert_eq!(buffer::address(&load, &state(other, 0, [0, 0], 0)), Err(Fault::WrongResource));
}

#[test]
fn typed_buffers_have_the_format_of_the_instruction() {
    let load = instr("tbuffer_load_format_x v0, v1, s[4:7], s3 format:[BUF_FMT_16_16_FLOAT] idxen");
    assert_eq!(BufferAccess::of(&load).unwrap().payload, Payload::Typed(DataFormat::F16_16_FLOAT));
    let values = BufferValues { base: 0x1000, stride: 8, num_records: 2, ..Default::default() };
    let at = |soffset| buffer::address(&load, &state(resource(values), 0, [1, 0], soffset)).unwrap().whole();
    assert_eq!(at(0), Ok(Address::new(0x1008, 4)));
    // Guide §3.3.3: "min(DWORD, ElementSize)", in every mode.
    assert_eq!(at(2), Err(Fault::Misaligned { byte: 0x100a, to: 4 }));
    let small = instr("tbuffer_load_format_x v0, v1, s[4:7], s3 format:[BUF_FMT_8_8_UNORM] idxen");
    let wide = instr("tbuffer_load_format_x v0, v1, s[4:7], s3 format:[BUF_FMT_32_32_FLOAT] idxen");
    for alignment in [AlignmentMode::Dword, AlignmentMode::Strict, AlignmentMode::Unaligned] {
        let at = |instr: &Instr, soffset| {
            let values = BufferValues { base: 0x1000, stride: 8, num_records: 2, ..Default::default() };
            let state = BufferState { alignment, ..state(resource(values), 0, [0, 0], soffset) };
            buffer::address(instr, &state).unwrap().whole()
        };
        assert_eq!(at(&small, 2), Ok(Address::new(0x1002, 2)));
        assert_eq!(at(&small, 1), Err(Fault::Misaligned { byte: 0x1001, to: 2 }));
        assert_eq!(at(&wide, 4), Ok(Address::new(0x1004, 8)));
        assert_eq!(at(&wide, 2), Err(Fault::Misaligned { byte: 0x1002, to: 4 }));
    }
}

const MODES: [AlignmentMode; 4] =
    [AlignmentMode::Dword, AlignmentMode::DwordStrict, AlignmentMode::Strict, AlignmentMode::Unaligned];

/// Guide §3.3.3: atomics of vector memory "must be aligned to the data size" in every mode, or MEMVIOL is raised.
#[test]
fn atomics_are_aligned_to_their_size() {
    fn misaligned<T>(byte: u64, to: u32) -> Result<T, Fault> {
        Err(Fault::Misaligned { byte, to })
    }
    let apertures = Apertures::default();
    for alignment in MODES {
        let flat =
            |text: &str, vaddr| global(text, &FlatState { vaddr, alignment, lds_size: 64, ..Default::default() });
        let at = |byte, bytes| Ok(Landing::Global(Address::new(byte, bytes)));
        assert_eq!(flat("global_atomic_add_u64 v[0:1], v[2:3], off", 0x1004), misaligned(0x1004, 8));
        assert_eq!(flat("global_atomic_add_u64 v[0:1], v[2:3], off", 0x1008), at(0x1008, 8));
        assert_eq!(flat("global_atomic_add_u32 v[0:1], v2, off", 0x1002), misaligned(0x1002, 4));
        assert_eq!(flat("global_atomic_cmpswap_b32 v[0:1], v[2:3], off", 0x1004), at(0x1004, 4));
        assert_eq!(flat("flat_atomic_add_u64 v[0:1], v[2:3]", 0x1004), misaligned(0x1004, 8));
        let add = "flat_atomic_add_u32 v[0:1], v2";
        assert_eq!(flat(add, apertures.private.0 + 2), misaligned(2, 4));
        assert!(matches!(flat(add, apertures.private.0 + 4), Ok(Landing::Scratch(_))));
        assert_eq!(flat(add, apertures.shared.0 + 2), misaligned(2, 4));
        assert_eq!(flat(add, apertures.shared.0 + 4), Ok(Landing::Lds(Address::new(4, 4))));
        // Loads of scratch may be misaligned, guide §11.3.
        assert!(matches!(flat("flat_load_b32 v0, v[0:1]", apertures.private.0 + 2), Ok(Landing::Scratch(_))));

        let raw = BufferValues { base: 0x1000, num_records: 64, oob_select: OobSelect::Raw, ..Default::default() };
        let buffer = |text: &str, offset| {
            let state = BufferState { alignment, ..state(resource(raw), 0, [offset, 0], 0) };
            buffer::address(&instr(text), &state).unwrap().whole()
        };
        let wide = "buffer_atomic_add_u64 v[0:1], v2, s[4:7], null offen";
        assert_eq!(buffer(wide, 4), misaligned(0x1004, 8));
        assert_eq!(buffer(wide, 8), Ok(Address::new(0x1008, 8)));
        assert_eq!(buffer("buffer_atomic_add_u32 v0, v2, s[4:7], null offen", 2), misaligned(0x1002, 4));
    }
}

/// Guide §3.3.4.1: "B128 and B96: 16 byte aligned" (align is 0xfff0), and strict modes report misaligned accesses.
#[test]
fn alignment_of_lds() {
    let load = instr("ds_load_b96 v[0:2], v3");
    let state = |addr, alignment| LdsState { addr, size: 0x400, alignment, ..Default::default() };
    let at = |instr: &Instr, addr, alignment| lds::address(instr, &state(addr, alignment)).unwrap().whole();
    assert_eq!(at(&load, 4, LdsAlignment::Dword), Ok(Address::new(0, 12)));
    assert_eq!(at(&load, 0x1c, LdsAlignment::Dword), Ok(Address::new(0x10, 12)));
    assert_eq!(at(&load, 4, LdsAlignment::Unaligned), Ok(Address::new(4, 12)));
    for strict in [LdsAlignment::DwordStrict, LdsAlignment::Strict] {
        assert_eq!(at(&load, 4, strict), Err(Fault::Misaligned { byte: 4, to: 16 }));
        assert_eq!(at(&load, 16, strict), Ok(Address::new(16, 12)));
        assert_eq!(at(&instr("ds_store_b64 v0, v[2:3]"), 4, strict), Err(Fault::Misaligned { byte: 4, to: 8 }));
        assert_eq!(at(&instr("ds_load_u8 v0, v2"), 3, strict), Ok(Address::new(3, 1)));
        assert!(lds::is_reported(at(&load, 4, strict).unwrap_err(), false));
        // FLAT accesses of LDS and GDS are bound by the same rule.
        let vaddr = Apertures::default().shared.0 + 4;
        let flat = FlatState { vaddr, lds_size: 64, alignment: strict, ..Default::default() };
        assert_eq!(global("flat_load_b64 v[0:1], v[2:3]", &flat), Err(Fault::Misaligned { byte: 4, to: 8 }));
        let gds = gds::GdsState { addr: 2, m0: 64, alignment: strict };
        let gds = gds::address(&instr("ds_load_b32 v0, v1 gds"), &gds).unwrap().whole();
        assert_eq!(gds, Err(Fault::Misaligned { byte: 2, to: 4 }));
    }
    // The bounds hold for the aligned address.
    assert_eq!(at(&instr("ds_load_b32 v0, v1"), 0x3fe, LdsAlignment::Dword), Ok(Address::new(0x3fc, 4)));
    assert_eq!(at(&instr("ds_load_b32 v0, v1"), 0x3fe, LdsAlignment::Unaligned), Err(Fault::OutOfRange));
}

/// Guide §3.3.4.1: a read of which a part is out of range returns zero as a whole; writes out of range are discarded.
#[test]
fn two_addresses_of_lds() {
    let state = LdsState { addr: 0x3f8, size: 0x400, ..Default::default() };
    let out = Err(Fault::OutOfRange);
    assert_eq!(ds("ds_load_2addr_b32 v[0:1], v2 offset0:0 offset1:2", &state), [out, out]);
    assert_eq!(ds("ds_storexchg_2addr_rtn_b32 v[0:1], v2, v3, v4 offset0:2 offset1:0", &state), [out, out]);
    assert_eq!(ds("ds_store_2addr_b32 v2, v3, v4 offset0:0 offset1:2", &state), [Ok((0x3f8, 4)), out]);
    let gds = gds::GdsState { addr: 0x38, m0: 0x40, ..Default::default() };
    let gds = gds::address(&instr("ds_load_2addr_b32 v[0:1], v2 offset0:0 offset1:2 gds"), &gds).unwrap();
    assert_eq!(pieces(&gds), [out, out]);
}

/// Guide §11.2: in mode SS, SADDR + INST_OFFSET "must be at least DWORD-aligned", for bytes and shorts, too.
#[test]
fn scalar_offsets_of_scratch_are_aligned() {
    let at = |text: &str, saddr| global(text, &FlatState { saddr, ..Default::default() });
    for text in ["scratch_load_u8 v0, off, s2 offset:1", "scratch_store_b8 off, v0, s2 offset:1"] {
        assert_eq!(at(text, 0), Err(Fault::Misaligned { byte: 1, to: 4 }));
        assert!(matches!(at(text, 3), Ok(Landing::Scratch(_))));
    }
    assert_eq!(at("scratch_load_u16 v0, off, s2 offset:2", 4), Err(Fault::Misaligned { byte: 6, to: 4 }));
    assert_eq!(at("scratch_load_b32 v0, off, s2 offset:4", 2), Err(Fault::Misaligned { byte: 6, to: 4 }));
}

#[test]
fn alignment_of_buffers() {
    let load = instr("buffer_load_b64 v[0:1], v1, s[4:7], null offen");
    let raw =
        resource(BufferValues { base: 0x1000, num_records: 64, oob_select: OobSelect::Raw, ..Default::default() });
    let at = |alignment, offset| {
        let state = BufferState { alignment, ..state(raw, 0, [offset, 0], 0) };
        pieces(&buffer::address(&load, &state).unwrap())
    };
    // Guide §9.5. DWORD: the two low bits are ignored.
    assert_eq!(at(AlignmentMode::Dword, 7), [Ok((0x1004, 4)), Ok((0x1008, 4))]);
    assert_eq!(at(AlignmentMode::DwordStrict, 4), [Ok((0x1004, 4)), Ok((0x1008, 4))]);
    assert_eq!(at(AlignmentMode::DwordStrict, 6)[0], Err(Fault::Misaligned { byte: 0x1006, to: 4 }));
    assert_eq!(at(AlignmentMode::Strict, 4)[0], Err(Fault::Misaligned { byte: 0x1004, to: 8 }));
    assert_eq!(at(AlignmentMode::Strict, 8), [Ok((0x1008, 4)), Ok((0x100c, 4))]);
    assert_eq!(at(AlignmentMode::Unaligned, 7), [Ok((0x1007, 4)), Ok((0x100b, 4))]);
}

#[test]
fn scalar_loads() {
    // Guide §8.1.1: base + offset + register, two low bits of each ignored.
    let load = instr("s_load_b64 s[0:1], s[2:3], s5 offset:0x16");
    let pointer = |base, soffset| ScalarState::<BufferResource> { base: ScalarBase::Pointer(base), soffset };
    let spans = scalar::address(&load, &pointer(0x1_0000_0003, 0x21)).unwrap();
    assert_eq!(pieces(&spans), [Ok((0x1_0000_0034, 4)), Ok((0x1_0000_0038, 4))]);
    let load = instr("s_load_b32 s0, s[2:3], s5 offset:-8");
    assert_eq!(scalar::address(&load, &pointer(0x1000, 8)).unwrap().whole(), Ok(Address::new(0x1000, 4)));
    assert_eq!(scalar::address(&load, &pointer(0x1000, 7)), Err(Fault::Forbidden(scalar::NEGATIVE_OFFSET)));
    let load = instr("s_load_b32 s0, s[2:3], null");
    assert_eq!(scalar::address(&load, &pointer(0x1000, 8)).unwrap().whole(), Ok(Address::new(0x1000, 4)));

    // Guide §8.1.2, §8.4.1: m_size = 8 * 3 = 24 bytes; offset 16 + 4: two dwords of four are in.
    let load = instr("s_buffer_load_b128 s[0:3], s[4:7], s5 offset:0x10");
    let at = |stride, num_records, soffset| {
        let resource = resource(BufferValues { base: 0x2002, stride, num_records, ..Default::default() });
        pieces(&scalar::address(&load, &ScalarState { base: ScalarBase::Buffer(resource), soffset }).unwrap())
    };
    let out = Err(Fault::OutOfRange);
    assert_eq!(at(8, 3, 0), [Ok((0x2010, 4)), Ok((0x2014, 4)), out, out]);
    assert_eq!(at(0, 24, 4), [Ok((0x2014, 4)), out, out, out]);
    assert_eq!(at(0, 0, 0), [out; 4]);
    let negative = ScalarState { base: ScalarBase::Buffer(BufferResource::from_bits(0)), soffset: 0 };
    let mut words = load.words();
    words[1] |= 0x1f_ffff;
    let (load, _) = Instr::decode(&words, Wave::W32).unwrap();
    assert_eq!(scalar::address(&load, &negative), Err(Fault::Forbidden(scalar::NEGATIVE_BUFFER_OFFSET)));
}

fn global(text: &str, state: &FlatState) -> Result<Landing, Fault> {
    flat::address(&instr(text), state)
}

#[test]
fn global_addresses() {
    let state = FlatState {
        vaddr: 0x7f12_0000_1000,
        saddr: 0x1234_5678_0000,
        lane: 5,
        alignment: AlignmentMode::Unaligned,
        ..Default::default()
    };
    let at = |byte, bytes| Ok(Landing::Global(Address::new(byte, bytes)));
    // Guide §11.2: GV, GVS (the offset is the low half of ADDR), GT (lane 5: 20 bytes).
    assert_eq!(global("global_load_b32 v0, v[2:3], off offset:-16", &state), at(0x7f12_0000_0ff0, 4));
    assert_eq!(global("global_load_b128 v[0:3], v2, s[4:5] offset:8", &state), at(0x1234_5678_1008, 16));
    assert_eq!(global("global_load_addtid_b32 v0, s[4:5] offset:4", &state), at(0x1234_5678_0018, 4));
    // Without SADDR its value counts as zero.
    assert_eq!(global("global_load_addtid_b32 v0, off offset:4", &state), at(0x18, 4));
    // Guide §11.1.2: LDS is out of reach.
    let lds = FlatState { vaddr: Apertures::default().shared.0 + 4, ..state };
    assert_eq!(global("global_load_b32 v0, v[2:3], off", &lds), Err(Fault::Forbidden(flat::GLOBAL_TO_LDS)));
    let hole = FlatState { vaddr: 3 << 47, ..state };
    assert_eq!(global("global_load_b32 v0, v[2:3], off", &hole), Err(Fault::Forbidden(flat::INVALID_ADDRESS)));
    let end = FlatState { vaddr: 4, ..state };
    assert_eq!(global("global_load_b32 v0, v[2:3], off offset:-8", &end), at(u64::MAX - 3, 4));
    let strict = FlatState { alignment: AlignmentMode::Strict, ..state };
    assert_eq!(
        global("global_load_b64 v[0:1], v[2:3], off offset:4", &strict),
        Err(Fault::Misaligned { byte: 0x7f12_0000_1004, to: 8 })
    );
}

#[test]
fn scratch_addresses() {
    let state = FlatState { vaddr: 100, saddr: 32, lane: 3, scratch_base: 0x10_0000, ..Default::default() };
    let at = |text: &str, state: &FlatState| match global(text, state) {
        Ok(Landing::Scratch(spans)) => pieces(&spans),
        other => panic!("{text}: {other:?}"),
    };
    // Guide §11.2: offset 100 + 4: (104 / 4) * 4 * 32 + 0 + 3 * 4 = 3328 + 12
    assert_eq!(at("scratch_load_b32 v0, v1, off offset:4", &state), [Ok((0x10_0000 + 3340, 4))]);
    // 32 - 4 = 28: 7 * 128 + 12; the next dword is 128 bytes on.
    assert_eq!(
        at("scratch_load_b64 v[0:1], off, s2 offset:-8", &state),
        [Ok((0x10_0000 + 6 * 128 + 12, 4)), Ok((0x10_0000 + 7 * 128 + 12, 4))]
    );
    // 100 + 32 + 0 = 132: 33 * 128 + 12
    assert_eq!(at("scratch_load_b32 v0, v1, s2", &state), [Ok((0x10_0000 + 33 * 128 + 12, 4))]);
    assert_eq!(at("scratch_load_b32 v0, off, off offset:8", &state), [Ok((0x10_0000 + 2 * 128 + 12, 4))]);
    // A wave of 64 has rows of 256 bytes.
    let wide = FlatState { wave: Wave::W64, lane: 63, ..state };
    assert_eq!(at("scratch_load_b32 v0, off, off offset:8", &wide), [Ok((0x10_0000 + 2 * 256 + 252, 4))]);
    // Two bytes across a dword: the last byte of one row, the first of the next.
    let odd = FlatState { vaddr: 3, ..state };
    assert_eq!(at("scratch_load_u16 v0, v1, off", &odd), [Ok((0x10_0000 + 12 + 3, 1)), Ok((0x10_0000 + 128 + 12, 1))]);
    let low = FlatState { vaddr: 3, saddr: 0, ..state };
    assert_eq!(global("scratch_load_b32 v0, v1, off offset:-4", &low), Err(Fault::Forbidden(flat::NEGATIVE_SCRATCH)));
    assert_eq!(global("scratch_load_b32 v0, off, off offset:-4", &low), Err(Fault::Forbidden(flat::NEGATIVE_ST)));
    assert_eq!(global("scratch_load_b128 v[0:3], off, s2 offset:4", &low), Err(Fault::Forbidden(flat::SS_OFFSET)));
    let odd = FlatState { saddr: 2, ..state };
    assert_eq!(global("scratch_load_b32 v0, off, s2", &odd), Err(Fault::Misaligned { byte: 2, to: 4 }));
}

#[test]
fn flat_addresses() {
    let apertures = Apertures::default();
    let state = FlatState { lane: 1, scratch_base: 0x9000, lds_size: 256, apertures, ..Default::default() };
    let load = instr("flat_load_b32 v0, v[2:3] offset:16");
    let at = |vaddr| flat::address(&load, &FlatState { vaddr, ..state });
    assert_eq!(at(0x1000), Ok(Landing::Global(Address::new(0x1010, 4))));
    assert_eq!(at(apertures.shared.0 + 8), Ok(Landing::Lds(Address::new(24, 4))));
    assert_eq!(at(apertures.shared.0 + 236), Ok(Landing::Lds(Address::new(252, 4))));
    assert_eq!(at(apertures.shared.0 + 240), Err(Fault::OutOfRange));
    // (8 + 16) / 4 * 128 + 4
    let Ok(Landing::Scratch(spans)) = at(apertures.private.0 + 8) else { panic!("not scratch") };
    assert_eq!(pieces(&spans), [Ok((0x9000 + 6 * 128 + 4, 4))]);
    assert_eq!(at(0x1_8000_0000_0000), Err(Fault::Forbidden(flat::INVALID_ADDRESS)));
    let swap = instr("flat_atomic_swap_b64 v[2:3], v[4:5]");
    let scratch = FlatState { vaddr: apertures.private.0, ..state };
    assert_eq!(flat::address(&swap, &scratch), Err(Fault::Forbidden(flat::WIDE_SCRATCH_ATOMIC)));
    use flat::Hole::{Invalid, Normal, PotentialPrivate, PotentialShared};
    for (bits, hole) in
        [Normal, Normal, Normal, Normal, PotentialPrivate, PotentialShared, Invalid, Invalid].into_iter().enumerate()
    {
        assert_eq!(flat::hole((bits as u64) << 46), hole);
    }
}

/// The sum of the offsets in a VGPR and the instruction has 32 bits; the scalar offset is not a part of it.
#[test]
fn offsets_of_buffers_wrap() {
    let values = BufferValues { base: 0x1000, num_records: 64, oob_select: OobSelect::Raw, ..Default::default() };
    let at = |text: &str, values: BufferValues, vaddr: [u32; 2], soffset| {
        pieces(&buffer::address(&instr(text), &state(resource(values), 0, vaddr, soffset)).unwrap())
    };
    let minus = |n: u32| n.wrapping_neg();
    let out = Err(Fault::OutOfRange);
    let load = "buffer_load_b32 v0, v1, s[4:7], s3 offen offset:484";
    // -480 + 484 = 4; -484 + 484 = 0; -488 + 484 = -4, which is far outside; 0 + 484 too.
    assert_eq!(at(load, values, [minus(480), 0], 0), [Ok((0x1004, 4))]);
    assert_eq!(at(load, values, [minus(484), 0], 0), [Ok((0x1000, 4))]);
    assert_eq!(at(load, values, [minus(488), 0], 0), [out]);
    assert_eq!(at(load, values, [0, 0], 0), [out]);
    // -424 + 484 + 4 bytes are all of 64, one more is not.
    assert_eq!(at(load, values, [minus(424), 0], 0), [Ok((0x103c, 4))]);
    assert_eq!(at(load, values, [minus(423), 0], 0), [out]);
    // The scalar offset is added to the base, and shrinks the buffer: no wrap with it.
    assert_eq!(at(load, values, [minus(480), 0], 8), [Ok((0x100c, 4))]);
    let plain = "buffer_load_b32 v0, v1, s[4:7], s3 offen";
    assert_eq!(at(plain, values, [minus(4), 0], 8), [out]);
    assert_eq!(at(plain, values, [8, 0], minus(4)), [out]);
    let unchecked = BufferValues { oob_select: OobSelect::EmptyOnly, ..values };
    assert_eq!(at(plain, unchecked, [8, 0], minus(4)), [Ok((0x1_0000_1004, 4))]);
    assert_eq!(at(plain, unchecked, [minus(4), 0], 8), [Ok((0x1_0000_1004, 4))]);
    // Several dwords, atomics and formats: each begins at the wrapped sum.
    let wide = "buffer_load_b128 v[0:3], v1, s[4:7], null offen offset:4095";
    let dword = |n: u64| Ok((0x1000 + 48 + 4 * n, 4));
    assert_eq!(at(wide, values, [minus(4047), 0], 0), [dword(0), dword(1), dword(2), dword(3)]);
    assert_eq!(at(wide, values, [minus(4043), 0], 0), [dword(1), dword(2), dword(3), out]);
    // The bytes of an access do not wrap: the dword after the last offset is outside.
    assert_eq!(at(wide, values, [minus(4099), 0], 0), [out; 4]);
    let store = "buffer_store_b8 v0, v1, s[4:7], null offen offset:1";
    assert_eq!(at(store, values, [u32::MAX, 0], 0), [Ok((0x1000, 1))]);
    let add = "buffer_atomic_add_u64 v[0:1], v2, s[4:7], null offen offset:16";
    assert_eq!(at(add, values, [minus(8), 0], 0), [Ok((0x1008, 8))]);
    let typed = "tbuffer_load_format_x v0, v1, s[4:7], null format:[BUF_FMT_16_16_FLOAT] offen offset:16";
    assert_eq!(at(typed, values, [minus(12), 0], 0), [Ok((0x1004, 4))]);
    let format = "buffer_load_format_x v0, v1, s[4:7], null offen offset:16";
    assert_eq!(at(format, values, [minus(16), 0], 0), [Ok((0x1000, 4))]);
    // Structured: the wrapped offset is held against the stride; 24 * 2 + (-4 + 12).
    let structured = BufferValues { stride: 24, num_records: 4, oob_select: OobSelect::Structured, ..values };
    let record = "buffer_load_b32 v0, v[1:2], s[4:7], null idxen offen offset:12";
    assert_eq!(at(record, structured, [2, minus(4)], 0), [Ok((0x1000 + 48 + 8, 4))]);
    assert_eq!(at(record, structured, [2, minus(16)], 0), [out]);
    // Swizzled: offset 8 of index 1 of a group of 8, elements of 4: 2 * 4 * 8 + 1 * 4.
    let swizzled = BufferValues { swizzle: SwizzleEnable::Elements4, ..structured };
    assert_eq!(at(record, swizzled, [1, minus(4)], 0), [Ok((0x1000 + 64 + 4, 4))]);
    // The product of index and stride has more than 32 bits.
    let large = BufferValues { stride: 16383, num_records: u32::MAX, oob_select: OobSelect::IndexOnly, ..values };
    let far = "buffer_load_u8 v0, v1, s[4:7], null idxen";
    assert_eq!(at(far, large, [0x10_0000, 0], 0), [Ok((0x1000 + 0x3_FFF0_0000, 1))]);
}

/// Scalar and global addresses have 64 bits: no sum of theirs wraps at 32.
#[test]
fn scalar_and_global_sums_have_64_bits() {
    let far = "s_load_b64 s[0:1], s[2:3], s4 offset:0xffff8";
    let at = |base, soffset| {
        let state = ScalarState::<BufferResource> { base: ScalarBase::Pointer(base), soffset };
        scalar::address(&instr(far), &state).unwrap().whole()
    };
    assert_eq!(at(0xffff_fff0, 0xffff_fff0), Ok(Address::new(0xffff_fff0 + 0xffff_fff0 + 0xffff8, 4)));
    assert_eq!(at(0xffff_8000_ffff_fffc, 8), Ok(Address::new(0xffff_8001_0010_0000 - 4, 4)));
    // Through a resource the sum of offsets has more than 32 bits, too: it is out of range, not small.
    let load = instr("s_buffer_load_b32 s0, s[4:7], s8 offset:16");
    let buffer = |stride, soffset| {
        let values = BufferValues { base: 0x1000, num_records: 64, stride, ..Default::default() };
        let state = ScalarState { base: ScalarBase::Buffer(resource(values)), soffset };
        scalar::address(&load, &state).unwrap().whole()
    };
    assert_eq!(buffer(0, 16), Ok(Address::new(0x1020, 4)));
    assert_eq!(buffer(0, 12_u32.wrapping_neg()), Err(Fault::OutOfRange));
    let landing = |text: &str, vaddr, saddr| global(text, &FlatState { vaddr, saddr, ..Default::default() });
    let address = |byte| Ok(Landing::Global(Address::new(byte, 4)));
    // The offset in a VGPR has 32 bits and no sign; that in the instruction has one.
    let gvs = "global_load_b32 v0, v1, s[2:3] offset:-4";
    assert_eq!(landing(gvs, 0xffff_fff0, 0x1000), address(0x1_0000_0fec));
    assert_eq!(landing("global_load_b32 v0, v[1:2], off offset:16", 0xffff_fff8, 0), address(0x1_0000_0008));
    assert_eq!(landing("flat_load_b32 v0, v[1:2] offset:16", 0xffff_fff8, 0), address(0x1_0000_0008));
    assert_eq!(landing("global_load_addtid_b32 v0, s[2:3] offset:4", 0, 0xffff_fffc), address(0x1_0000_0000));
    // Scratch: 32 bits.
    let scratch = |text: &str, vaddr, saddr| {
        let Ok(Landing::Scratch(spans)) = landing(text, vaddr, saddr) else { panic!("{text}") };
        spans.whole().unwrap().byte
    };
    assert_eq!(scratch("scratch_load_b32 v0, v1, off offset:16", 0xffff_fff8, 0), 8 / 4 * 128);
    assert_eq!(scratch("scratch_load_b32 v0, v1, s2 offset:16", 0xffff_fff8, 8), 16 / 4 * 128);
    assert_eq!(scratch("scratch_load_b32 v0, off, s2 offset:16", 0, 0xffff_fff8), 8 / 4 * 128);
}

fn ds(text: &str, state: &LdsState) -> Vec<Result<(u64, u32), Fault>> {
    pieces(&lds::address(&instr(text), state).unwrap())
}

#[test]
fn lds_addresses() {
    let state = LdsState { addr: 64, m0: 0x20, lane: 5, base: 0x1000, size: 0x8000, ..Default::default() };
    // Guide §12.5: one offset of 16 bits.
    assert_eq!(ds("ds_load_b32 v0, v1 offset:260", &state), [Ok((0x1000 + 324, 4))]);
    // Two offsets: times 4; times 8 for 64 bits; times 64 more with STRIDE64.
    assert_eq!(
        ds("ds_load_2addr_b32 v[0:1], v2 offset0:1 offset1:3", &state),
        [Ok((0x1000 + 68, 4)), Ok((0x1000 + 76, 4))]
    );
    assert_eq!(
        ds("ds_store_2addr_b64 v2, v[4:5], v[6:7] offset0:1 offset1:3", &state),
        [Ok((0x1000 + 72, 8)), Ok((0x1000 + 88, 8))]
    );
    assert_eq!(
        ds("ds_load_2addr_stride64_b32 v[0:1], v2 offset0:1 offset1:3", &state),
        [Ok((0x1000 + 64 + 256, 4)), Ok((0x1000 + 64 + 768, 4))]
    );
    assert_eq!(
        ds("ds_storexchg_2addr_stride64_rtn_b64 v[0:3], v4, v[6:7], v[8:9] offset0:1 offset1:2", &state),
        [Ok((0x1000 + 64 + 512, 8)), Ok((0x1000 + 64 + 1024, 8))]
    );
    // ADDTID: offset + lane * 4 + M0 = 8 + 20 + 32
    assert_eq!(ds("ds_load_addtid_b32 v0 offset:8", &state), [Ok((0x1000 + 60, 4))]);
    // The last bytes, and one beyond.
    let last = LdsState { addr: 0x7ffc, ..state };
    assert_eq!(ds("ds_load_b32 v0, v1", &last), [Ok((0x1000 + 0x7ffc, 4))]);
    // The bounds hold for the aligned address, guide §3.3.4.1: LDSaddr is (addr + offset) & align.
    assert_eq!(ds("ds_load_b32 v0, v1 offset:1", &last), [Ok((0x1000 + 0x7ffc, 4))]);
    assert_eq!(ds("ds_load_b32 v0, v1 offset:4", &last), [Err(Fault::OutOfRange)]);
    // Sums wrap at 32 bits, and bounds apply to them: -16 + 20 = 4, -1 + 65535 = 65534.
    let negative = LdsState { addr: 16_u32.wrapping_neg(), ..state };
    assert_eq!(ds("ds_load_b32 v0, v1 offset:20", &negative), [Ok((0x1000 + 4, 4))]);
    assert_eq!(ds("ds_load_b32 v0, v1 offset:12", &negative), [Err(Fault::OutOfRange)]);
    assert_eq!(ds("ds_add_u64 v0, v[2:3] offset:32", &negative), [Ok((0x1000 + 16, 8))]);
    assert_eq!(
        ds("ds_load_2addr_b32 v[0:1], v2 offset0:4 offset1:9", &negative),
        [Ok((0x1000, 4)), Ok((0x1000 + 20, 4))]
    );
    assert_eq!(
        ds("ds_store_2addr_stride64_b64 v2, v[4:5], v[6:7] offset0:0 offset1:1", &negative),
        [Err(Fault::OutOfRange), Ok((0x1000 + 496, 8))]
    );
    let last = LdsState { addr: u32::MAX, ..state };
    assert_eq!(ds("ds_load_b32 v0, v1 offset:65535", &last), [Err(Fault::OutOfRange)]);
    // Guide §12.7: aligned by force, or not; atomics must be.
    let odd = LdsState { addr: 65, ..state };
    assert_eq!(ds("ds_load_b64 v[0:1], v2", &odd), [Ok((0x1040, 8))]);
    let free = LdsState { alignment: LdsAlignment::Unaligned, ..odd };
    assert_eq!(ds("ds_load_b64 v[0:1], v2", &free), [Ok((0x1041, 8))]);
    assert_eq!(ds("ds_add_u32 v0, v2", &free), [Err(Fault::Misaligned { byte: 65, to: 4 })]);
    // A counter: the address is in the low half of M0, as compilers place it.
    let counter = LdsState { m0: 0x7ff0, ..state };
    assert_eq!(ds("ds_append v0 offset:8", &counter), [Ok((0x1000 + 0x7ff8, 4))]);
    assert_eq!(ds("ds_consume v0 offset:16", &counter), [Err(Fault::OutOfRange)]);
    assert!(lds::address(&instr("ds_permute_b32 v0, v1, v2"), &state).is_err());
}

#[test]
fn gds_addresses() {
    let state = gds::GdsState { addr: 32, m0: 0x100 << 16 | 64, ..Default::default() };
    let at = |text| pieces(&gds::address(&instr(text), &state).unwrap());
    // Guide §12.6: base 0x100 and size 64 from M0.
    assert_eq!(at("ds_add_u32 v0, v2 offset:28 gds"), [Ok((0x100 + 60, 4))]);
    assert_eq!(at("ds_add_u32 v0, v2 offset:32 gds"), [Err(Fault::OutOfRange)]);
    assert!(lds::address(&instr("ds_add_u32 v0, v2 gds"), &LdsState::default()).is_err());
    assert!(gds::address(&instr("ds_add_u32 v0, v2"), &state).is_err());
    // Table 61: bits 5 to 2 of the offset.
    let add = instr("ds_add_gs_reg_rtn v[0:1], v2 offset:36 gds");
    let register = gds::StreamoutRegister::of(&add).unwrap();
    assert_eq!((register.name(), register.dwords()), ("GDS_STRMOUT_PRIMS_WRITTEN_0", 2));
}

#[test]
fn lanes_and_parameters_of_lds() {
    // Guide §12.5.2: bits 6 to 2 of the index.
    assert_eq!(lds::permuted_lane(4 * 7, 0, 0, Wave::W32), 7);
    assert_eq!(lds::permuted_lane(4 * 31 + 3, 4, 0, Wave::W32), 0);
    assert_eq!(lds::permuted_lane(4 * 7, 0, 40, Wave::W64), 39);
    assert_eq!(lds::permuted_lane(u32::MAX, u16::MAX, 0, Wave::W32), 31);
    // Guide §12.2.1: quads 2 and 3 begin primitives (bits 2 and 1 of the mask of quads from 1 on are bits 1 and 0 + 1).
    let m0 = lds::ParamM0Values { param_offset: 128, new_prim_mask: 0b110 }.build().unwrap();
    assert_eq!(m0.primitives(), 3);
    assert_eq!([0, 1, 2, 3].map(|quad| m0.primitive(quad)), [0, 0, 1, 2]);
    // Attribute 1 of the last primitive, P1.Y: 128 + 4 * ((1 * 3 + 2) * 12 + 5)
    assert_eq!(m0.location(1, 1, 1, 3), Address::new(128 + 4 * 65, 4));
    let direct = lds::DirectM0Values { address: 8, data_type: lds::DirectType::SignedByte }.build().unwrap();
    assert_eq!(direct.location(9), Ok(Address::new(8, 1)));
    assert_eq!(direct.location(8), Err(Fault::OutOfRange));
    // Guide §12.5.3: base 0x40 bytes, 16 dwords, index 12.
    let stack = lds::StackAddress::from_words([0x10 << 18 | 1 << 16 | 12]);
    assert_eq!((stack.base(), stack.size().dwords(), stack.next()), (0x40, 16, Address::new(0x4c, 4)));
}

#[test]
fn names_say_what_is_moved() {
    for opcode in Opcode::ALL {
        let name = opcode.name();
        let memory =
            ["BUFFER_LOAD", "BUFFER_STORE", "BUFFER_ATOMIC", "FLAT_", "GLOBAL_LOAD", "GLOBAL_STORE", "SCRATCH_"];
        if memory.iter().any(|m| name.starts_with(m)) {
            assert_eq!(memory_bytes(opcode).is_none(), name.contains("FORMAT"), "{name}");
        }
    }
    assert_eq!(memory_bytes(Opcode::BUFFER_LOAD_D16_HI_U8), Some(1));
    assert_eq!(memory_bytes(Opcode::DS_LOAD_U16_D16_HI), Some(2));
    assert_eq!(memory_bytes(Opcode::BUFFER_ATOMIC_CMPSWAP_B64), Some(8));
    assert_eq!(memory_bytes(Opcode::S_LOAD_B512), Some(64));
    assert_eq!(memory_bytes(Opcode::DS_STORE_2ADDR_STRIDE64_B32), Some(4));
    assert!(is_atomic(Opcode::FLAT_ATOMIC_ADD_F32) && !is_atomic(Opcode::FLAT_LOAD_B32));
    use atomic::{AtomicDenormals, AtomicUnit};
    assert_eq!(atomic::denormals(Opcode::GLOBAL_ATOMIC_ADD_F32), Some((AtomicUnit::Cache, AtomicDenormals::Flush)));
    assert_eq!(atomic::denormals(Opcode::BUFFER_ATOMIC_MIN_F32), Some((AtomicUnit::Cache, AtomicDenormals::Mode)));
    assert_eq!(atomic::denormals(Opcode::DS_ADD_F32), Some((AtomicUnit::Lds, AtomicDenormals::Mode)));
    assert_eq!(atomic::denormals(Opcode::DS_MAX_RTN_F64), Some((AtomicUnit::Lds, AtomicDenormals::Mode)));
    assert_eq!(atomic::denormals(Opcode::V_ADD_F32), None);
}

#[test]
fn registers_and_memory() {
    use rdna3::address::data::register_data;
    // Guide §9.2, table 41: memory, the register before, the register after.
    for (opcode, memory, after) in [
        (Opcode::BUFFER_LOAD_U8, 0xf0, 0x0000_00f0),
        (Opcode::BUFFER_LOAD_I8, 0xf0, 0xffff_fff0),
        (Opcode::BUFFER_LOAD_D16_U8, 0xf0, 0x1234_00f0),
        (Opcode::BUFFER_LOAD_D16_I8, 0xf0, 0x1234_fff0),
        (Opcode::BUFFER_LOAD_D16_HI_U8, 0xf0, 0x00f0_5678),
        (Opcode::BUFFER_LOAD_D16_HI_I8, 0xf0, 0xfff0_5678),
        (Opcode::BUFFER_LOAD_U16, 0xf000, 0x0000_f000),
        (Opcode::BUFFER_LOAD_I16, 0xf000, 0xffff_f000),
        (Opcode::BUFFER_LOAD_D16_B16, 0xf000, 0x1234_f000),
        (Opcode::BUFFER_LOAD_D16_HI_B16, 0xf000, 0xf000_5678),
        (Opcode::DS_LOAD_I8_D16_HI, 0xf0, 0xfff0_5678),
        (Opcode::FLAT_LOAD_B32, 0xf0f0_f0f0, 0xf0f0_f0f0),
    ] {
        assert_eq!(register_data(opcode).unwrap().loaded(memory, 0x1234_5678), after, "{opcode}");
    }
    for (opcode, stored) in [
        (Opcode::BUFFER_STORE_B8, 0x78),
        (Opcode::BUFFER_STORE_D16_HI_B8, 0x34),
        (Opcode::BUFFER_STORE_B16, 0x5678),
        (Opcode::BUFFER_STORE_D16_HI_B16, 0x1234),
        (Opcode::GLOBAL_STORE_B32, 0x1234_5678),
    ] {
        assert_eq!(register_data(opcode).unwrap().stored(0x1234_5678), stored, "{opcode}");
    }
    assert_eq!(register_data(Opcode::BUFFER_LOAD_FORMAT_X), None);
    assert_eq!(register_data(Opcode::BUFFER_ATOMIC_ADD_U32), None);
    use rdna3::descriptor::buffer::DstSelect::{A, B, G, One, R, Zero};
    // Guide §9.3, table 42.
    let swapped = BufferValues { dst_sel_x: B, dst_sel_y: G, dst_sel_z: R, dst_sel_w: One, ..Default::default() };
    let resource = resource(swapped);
    assert_eq!(Payload::Resource.dst_select(resource), [B, G, R, One]);
    assert_eq!(Payload::Typed(DataFormat::F16_16_FLOAT).dst_select(resource), [R, G, Zero, Zero]);
    assert_eq!(Payload::Untyped(16).dst_select(resource), [R, G, B, A]);
    assert_eq!(Payload::Untyped(1).dst_select(resource), [R, Zero, Zero, Zero]);
}

/// The bytes of the rows that say a width in registers are those that the mnemonics say, where no half is moved.
#[test]
fn moved_bytes_are_those_of_the_operands() {
    let lines = isa_tests::vectors::golden().unwrap();
    let mut seen = BTreeSet::new();
    for line in &lines {
        let words: Vec<u32> = line.words();
        let wave = if Instr::decode(&words, Wave::W32).is_ok() { Wave::W32 } else { Wave::W64 };
        let Ok((instr, _)) = Instr::decode(&words, wave) else { continue };
        let opcode = instr.opcode();
        let Some(bytes) = memory_bytes(opcode) else { continue };
        let known = FlatAccess::of(&instr).is_some() || BufferAccess::of(&instr).is_some();
        let ds = DsAccess::of(&instr);
        if !known && ds.is_none() {
            continue;
        }
        let times = if ds.is_some_and(|d| matches!(d.form, DsForm::Two(_))) { 2 } else { 1 };
        for operand in instr.operands(wave).filter(|o| o.role == "d" || o.role == "data") {
            let twice = opcode.name().contains("CMPSWAP") && operand.role == "data";
            let expected = bytes * if twice { 2 } else { 1 } * if operand.role == "d" { times } else { 1 };
            let moved = u32::from(operand.ty.total_bits()) / 8;
            assert!(moved == expected || expected < 4 && moved <= 4, "{opcode}: {} and {bytes} bytes", operand.ty);
            seen.insert(opcode);
        }
    }
    assert!(seen.len() > 250, "{}", seen.len());
}

#[test]
fn modes_of_flat_instructions() {
    let mode = |text| FlatAccess::of(&instr(text)).unwrap().mode;
    assert_eq!(mode("flat_load_b32 v0, v[2:3]"), Mode::Flat);
    assert_eq!(mode("global_load_b32 v0, v[2:3], off"), Mode::Gv);
    assert_eq!(mode("global_load_b32 v0, v2, s[2:3]"), Mode::Gvs);
    assert_eq!(mode("global_store_addtid_b32 v0, s[2:3]"), Mode::Gt);
    assert_eq!(mode("scratch_load_b32 v0, v2, off"), Mode::Sv);
    assert_eq!(mode("scratch_load_b32 v0, off, s2"), Mode::Ss);
    assert_eq!(mode("scratch_load_b32 v0, v2, s2"), Mode::Svs);
    assert_eq!(mode("scratch_load_b32 v0, off, off"), Mode::St);
}

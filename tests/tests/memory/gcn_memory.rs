//! Addresses of GCN: worked cases of the text's formulas by hand, and what holds of all of them.

use std::collections::BTreeSet;

use amdgpu_memory::buffer::{Access, IndexStride, Lane};
use amdgpu_memory::gcn::buffer::{ADDR64_ALONE, ADDR64_GENERATIONS, BufferAccess, buffer_address};
use amdgpu_memory::gcn::resource::{DataFormat, ElementSize};
use amdgpu_memory::gcn::scalar::{NEGATIVE, NO_SUCH_FORM, ScalarAccess, ScalarBase, ScalarRegisters, scalar_address};
use amdgpu_memory::gcn::{BufferResource, BufferValues, Generation, facts, scalar};
use amdgpu_memory::{Address, Fault};
use isa_tests::property;
use proptest::prelude::*;

const ALL: [Generation; 4] = [Generation::Gcn1_0, Generation::Gcn1_1, Generation::Gcn1_2, Generation::Gcn1_4];

fn access(offset: u32, idxen: bool, offen: bool) -> BufferAccess {
    BufferAccess { fields: Access { offset, offen, idxen }, addr64: false, bytes: 4 }
}

fn at(
    values: BufferValues,
    access: BufferAccess,
    lane: Lane,
    soffset: u32,
    generation: Generation,
) -> Result<Address, Fault> {
    buffer_address(values.build().unwrap(), access, lane, soffset, generation)
}

#[test]
fn linear() {
    // Stride 0: base + scalar + (offset + vgpr) = 0x1000 + 8 + (16 + 20)
    let raw = BufferValues { base: 0x1000, num_records: 64, ..Default::default() };
    for generation in ALL {
        let at = |records, vgpr| {
            let raw = BufferValues { num_records: records, ..raw };
            at(raw, access(16, false, true), Lane { id: 9, vaddr: [vgpr, 77] }, 8, generation)
        };
        assert_eq!(at(64, 20), Ok(Address::new(0x1000 + 44, 4)));
        // 16 + 39 < 64 - 8, 16 + 40 is not; addresses are aligned to four bytes.
        assert_eq!(at(64, 39), Ok(Address::new(0x1000 + 60, 4)));
        assert_eq!(at(64, 40), Err(Fault::OutOfRange));
        // The scalar offset alone is beyond the buffer.
        assert_eq!(at(7, 0), Err(Fault::OutOfRange));
        // 16 + (2^32 - 16) wraps to 0.
        assert_eq!(at(64, u32::MAX - 15), Ok(Address::new(0x1008, 4)));
    }
    // Records: 0x1000 + 24 * 3 + (4 + 8)
    let records = BufferValues { base: 0x1000, stride: 24, num_records: 4, ..Default::default() };
    for generation in ALL {
        let at =
            |index, offset| at(records, access(4, true, true), Lane { id: 9, vaddr: [index, offset] }, 0, generation);
        assert_eq!(at(3, 8), Ok(Address::new(0x1000 + 84, 4)));
        assert_eq!(at(4, 8), Err(Fault::OutOfRange));
        assert_eq!(at(3, 19), Ok(Address::new((0x1000 + 72 + 23) & !3, 4)));
        assert_eq!(at(3, 20), Err(Fault::OutOfRange));
    }
    // Without an index the offset is not held against the stride.
    let far = at(records, access(4, false, true), Lane { id: 0, vaddr: [96, 0] }, 0, Generation::Gcn1_2);
    assert_eq!(far, Ok(Address::new(0x1000 + 100, 4)));
}

#[test]
fn lanes_number_the_records() {
    // TID_ENABLE: index 2 + 5: 0x1000 + 7 * 8 + 4
    let values = BufferValues { base: 0x1000, stride: 8, num_records: 8, tid_enable: true, ..Default::default() };
    for generation in ALL {
        let at = |id, index| at(values, access(4, true, false), Lane { id, vaddr: [index, 0] }, 0, generation);
        assert_eq!(at(5, 2), Ok(Address::new(0x1000 + 60, 4)));
        assert_eq!(at(6, 2), Err(Fault::OutOfRange));
    }
    let alone = at(values, access(4, false, false), Lane { id: 7, vaddr: [9, 9] }, 0, Generation::Gcn1_0);
    assert_eq!(alone, Ok(Address::new(0x1000 + 60, 4)));
    // The offset counts against the stride although there is no index register.
    let beyond = at(values, access(8, false, false), Lane { id: 0, vaddr: [0, 0] }, 0, Generation::Gcn1_0);
    assert_eq!(beyond, Err(Fault::OutOfRange));
}

#[test]
fn swizzled() {
    // Index 19 of 16 side by side: msb 1, lsb 3. Offset 13 in elements of 8: msb 1, lsb 5.
    // 5 + 8 * 3 + 16 * (1 * 32 + 1 * 8) = 29 + 640
    let values = BufferValues {
        base: 0x1_0000,
        stride: 32,
        swizzle_enable: true,
        num_records: 64,
        element_size: ElementSize::B8,
        index_stride: IndexStride::By16,
        ..Default::default()
    };
    for generation in ALL {
        let byte = BufferAccess { bytes: 1, ..access(5, true, true) };
        let found = at(values, byte, Lane { id: 0, vaddr: [19, 8] }, 0x100, generation);
        assert_eq!(found, Ok(Address::new(0x1_0000 + 0x100 + 669, 1)));
    }
}

#[test]
fn addresses_of_64_bits() {
    let values = BufferValues { base: 0x1000, num_records: 1, ..Default::default() };
    let access = BufferAccess { addr64: true, ..access(0x10, false, false) };
    let lane = Lane { id: 3, vaddr: [0x2000, 0x7f] };
    for generation in [Generation::Gcn1_0, Generation::Gcn1_1] {
        // Base + address + offset + scalar; the range is not looked at.
        assert_eq!(at(values, access, lane, 4, generation), Ok(Address::new(0x7f_0000_3014, 4)));
        let both = BufferAccess { fields: Access { offen: true, ..access.fields }, ..access };
        assert_eq!(at(values, both, lane, 4, generation), Err(Fault::Forbidden(ADDR64_ALONE)));
    }
    for generation in [Generation::Gcn1_2, Generation::Gcn1_4] {
        assert_eq!(at(values, access, lane, 4, generation), Err(Fault::Forbidden(ADDR64_GENERATIONS)));
    }
}

#[test]
fn scalar_addresses() {
    let registers = ScalarRegisters { offset: 0x101, soffset: 0x42 };
    let at = |imm, soe, offset, generation| {
        let access = ScalarAccess { imm, soe, offset, dwords: 1 };
        scalar_address(ScalarBase::Pointer(0x1_0000), access, registers, generation).map(|s| s.whole().unwrap().byte)
    };
    // The table of IMM and SOE; the two low bits of the offset are dropped.
    assert_eq!(at(false, false, 0x21, Generation::Gcn1_4), Ok(0x1_0100));
    assert_eq!(at(false, true, 0x21, Generation::Gcn1_4), Ok(0x1_0040));
    assert_eq!(at(true, false, 0x21, Generation::Gcn1_4), Ok(0x1_0020));
    // 0x21 + 0x42 = 0x63
    assert_eq!(at(true, true, 0x21, Generation::Gcn1_4), Ok(0x1_0060));
    assert_eq!(at(true, false, -5, Generation::Gcn1_4), Ok(0xfff8));
    assert_eq!(at(false, false, 0x21, Generation::Gcn1_2), Ok(0x1_0100));
    assert_eq!(at(true, false, 0xf_ffff, Generation::Gcn1_2), Ok(0x10_fffc));
    for (soe, generation) in [(true, Generation::Gcn1_2), (false, Generation::Gcn1_0), (false, Generation::Gcn1_1)] {
        assert_eq!(at(true, soe, 0, generation), Err(Fault::Forbidden(NO_SUCH_FORM)));
    }

    // A buffer of 3 records of 8 bytes: offset 16 leaves two dwords of four.
    let resource = BufferValues { base: 0x2000, stride: 8, num_records: 3, ..Default::default() }.build().unwrap();
    let load = |offset| {
        let access = ScalarAccess { imm: true, soe: false, offset, dwords: 4 };
        scalar_address(ScalarBase::Buffer(resource), access, registers, Generation::Gcn1_4)
    };
    let pieces = load(16).unwrap();
    let out = Err(Fault::OutOfRange);
    assert_eq!(pieces.as_slice(), [Ok(Address::new(0x2010, 4)), Ok(Address::new(0x2014, 4)), out, out]);
    assert_eq!(load(24).unwrap().as_slice(), [out; 4]);
    assert_eq!(load(-4), Err(Fault::Forbidden(NEGATIVE)));

    // Scratch: the register counts in units of 64 bytes: 0x10000 + 8 + 0x40 * 64
    let access = ScalarAccess { imm: true, soe: true, offset: 9, dwords: 1 };
    let spans = scalar_address(ScalarBase::Scratch(0x1_0000), access, registers, Generation::Gcn1_4).unwrap();
    assert_eq!(spans.whole(), Ok(Address::new(0x1_0000 + 8 + 0x40 * 64, 4)));
    assert_eq!(scalar::discarded_line(0x10_00ff), 0x10_00c0);
}

#[test]
fn what_the_texts_say_besides() {
    let raw = BufferResource::from_bits(0);
    assert_eq!(facts::coalescing(raw, 4), facts::Coalescing::Offsets);
    let swizzled = BufferValues {
        stride: 16,
        swizzle_enable: true,
        element_size: ElementSize::B4,
        index_stride: IndexStride::By32,
        ..Default::default()
    };
    let swizzled = swizzled.build().unwrap();
    assert_eq!(facts::coalescing(swizzled, 4), facts::Coalescing::IndicesWithin(32));
    assert_eq!(facts::coalescing(swizzled, 8), facts::Coalescing::None);
    assert_eq!(facts::mubuf_counts(true), facts::Counts { vm: 1, exp: 1, lgkm: 0 });
    assert_eq!(facts::smem_counts(0).lgkm, 1);
    assert_eq!(facts::smem_counts(1).lgkm, 1);
    assert_eq!(facts::smem_counts(2).lgkm, 2);
    assert!(facts::store_offset_register(124, Generation::Gcn1_2));
    assert!(!facts::store_offset_register(5, Generation::Gcn1_2));
    assert!(facts::store_offset_register(5, Generation::Gcn1_4));
    assert_eq!(DataFormat::D10_11_11.bytes(), 4);
    assert_eq!(DataFormat::D32x3.bytes(), 12);
    for format in DataFormat::ALL {
        let name = format.components().iter().map(u8::to_string).collect::<Vec<_>>().join("_");
        assert_eq!(if name.is_empty() { "INVALID" } else { &name }, format.name().unwrap());
    }
}

fn edge() -> impl Strategy<Value = u32> {
    prop_oneof![Just(0), Just(u32::MAX), 0u32..200, any::<u32>(), (u32::MAX - 200)..=u32::MAX]
}

proptest! {
    #![proptest_config(property::config(10_000))]

    #[test]
    fn nothing_overflows(words: [u32; 4], a in edge(), b in edge(), c in edge(), bits: [bool; 5], id: u8, offset: u16) {
        let resource = BufferResource::from_words([words[0], words[1], words[2], words[3] & 0x3fff_ffff]);
        let fields = Access { offset: u32::from(offset) & 0xfff, offen: bits[0], idxen: bits[1] };
        let access = BufferAccess { fields, addr64: bits[2], bytes: 1 << (id & 3) };
        for generation in ALL {
            if let Ok(found) = buffer_address(resource, access, Lane { id, vaddr: [a, b] }, c, generation) {
                let to = u64::from(access.bytes.min(4));
                prop_assert_eq!(found.byte % to, 0);
                if !access.addr64 && resource.stride() == 0 {
                    // Inside: from the base plus the scalar offset to the base plus the records, but for alignment.
                    let start = resource.base() + u64::from(c);
                    prop_assert!(found.byte + to > start && (resource.swizzle().is_some() || found.byte < resource.base() + u64::from(resource.num_records())));
                }
            }
            let scalar = ScalarAccess { imm: bits[3], soe: bits[4], offset: b as i32, dwords: 16 };
            let base = u64::from(a) << 32 | u64::from(b);
            for base in [ScalarBase::Pointer(base), ScalarBase::Scratch(base), ScalarBase::Buffer(resource)] {
                let registers = ScalarRegisters { offset: a, soffset: c };
                if let Ok(spans) = scalar_address(base, scalar, registers, generation) {
                    prop_assert!(spans.iter().flatten().all(|piece| piece.byte % 4 == 0));
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(property::config(60))]

    /// All lanes of waves that cover the records touch the same bytes, linear or swizzled, each once.
    #[test]
    fn swizzling_permutes_the_bytes(groups in 1u32..4, elements in 1u16..6, element in 0u8..4, stride_code in 0u8..4) {
        let (element_size, index_stride) = (ElementSize::from_bits(element), IndexStride::from_bits(stride_code));
        let stride = elements * element_size.bytes() as u16;
        let num_records = groups * index_stride.records();
        let touched = |swizzle_enable| {
            let values = BufferValues {
                base: 0x1000, stride, swizzle_enable, num_records, element_size, index_stride, tid_enable: true,
                ..Default::default()
            };
            let resource = values.build().unwrap();
            let byte = BufferAccess { bytes: 1, ..access(0, true, true) };
            let mut bytes = BTreeSet::new();
            for record in 0..num_records {
                let (wave, id) = (record / 64 * 64, (record % 64) as u8);
                for offset in 0..u32::from(stride) {
                    let lane = Lane { id, vaddr: [wave, offset] };
                    let found = buffer_address(resource, byte, lane, 0, Generation::Gcn1_1).unwrap();
                    assert!(found.iter().all(|b| bytes.insert(b)));
                }
            }
            bytes
        };
        let linear = touched(false);
        prop_assert_eq!(linear.len() as u32, num_records * u32::from(stride));
        prop_assert_eq!(linear, touched(true));
    }

    /// An index or an offset beyond the records never gives an address, linear or swizzled.
    #[test]
    fn out_of_range_is_never_an_address(
        stride in 1u16..100, records in 0u32..50, index in 0u32..100, offset in 0u32..200, swizzle_enable: bool,
    ) {
        let values = BufferValues { base: 0x1000, stride, swizzle_enable, num_records: records, ..Default::default() };
        let found = at(values, access(0, true, true), Lane { id: 0, vaddr: [index, offset] }, 0, Generation::Gcn1_2);
        prop_assert_eq!(found.is_err(), index >= records || offset >= u32::from(stride));
    }
}

#[test]
fn instructions_say_what_they_access() {
    use gcn::memory::{
        BufferState, ScalarBase, ScalarRegisters, buffer_access, buffer_address, counts, scalar_address,
    };
    use gcn::{gcn1_0, gcn1_2, gcn1_4};

    let resource = gcn::memory::BufferValues { base: 0x4000, num_records: 1024, ..Default::default() }.build().unwrap();
    let bytes = |text: &str| {
        let instr: gcn1_4::Instr = text.parse().unwrap();
        buffer_access(resource, &instr).map(|access| access.bytes)
    };
    for (text, moved) in [
        ("buffer_load_ubyte v1, off, s[4:7], 0", Some(1)),
        ("buffer_load_ubyte v1, off, s[4:7], 0 lds", Some(1)),
        ("buffer_load_dword off, s[4:7], 0 lds", Some(4)),
        ("buffer_load_short_d16_hi v1, off, s[4:7], 0", Some(2)),
        ("buffer_store_dwordx3 v[1:3], off, s[4:7], 0", Some(12)),
        ("buffer_atomic_cmpswap_x2 v[1:4], off, s[4:7], 0 glc", Some(8)),
        ("buffer_store_lds_dword s[4:7], 0 lds", Some(4)),
        ("buffer_wbinvl1", None),
        ("s_load_dword s1, s[2:3], 0x10", None),
    ] {
        // Loads to LDS have no register in text.
        let text = if text.ends_with("lds") { text.replace("ubyte v1, ", "ubyte ") } else { text.to_string() };
        assert_eq!(bytes(&text), moved, "{text}");
    }
    // A 64-bit address of GCN 1.0 goes on from the base, unchecked.
    let far: gcn1_0::Instr = "buffer_load_dword v1, v[2:3], s[4:7], 0 addr64 offset:8".parse().unwrap();
    let lane = gcn::memory::Lane { id: 0, vaddr: [0, 1] };
    let found = buffer_address(resource, &far, BufferState { lane, soffset: 0 });
    assert_eq!(found.map(|a| a.map(|a| a.byte)), Some(Ok(0x1_0000_4008)));
    // GCN 1.4 has signed offsets, GCN 1.2 has none below zero.
    let first = |found: Option<Result<gcn::memory::Spans, gcn::memory::Fault>>| {
        found.and_then(Result::ok).and_then(|spans| spans.iter().next()).and_then(Result::ok).map(|a| a.byte)
    };
    let back: gcn1_4::Instr = "s_load_dwordx2 s[0:1], s[2:3], -8".parse().unwrap();
    let at = scalar_address(ScalarBase::Pointer(0x1000), &back, ScalarRegisters::default());
    assert_eq!(first(at), Some(0xff8));
    let by_register: gcn1_2::Instr = "s_load_dwordx2 s[0:1], s[2:3], s6".parse().unwrap();
    let registers = ScalarRegisters { offset: 0x23, soffset: 0x1000 };
    assert_eq!(first(scalar_address(ScalarBase::Pointer(0x1000), &by_register, registers)), Some(0x1020));
    let clock: gcn1_2::Instr = "s_memtime s[0:1]".parse().unwrap();
    assert_eq!(scalar_address(ScalarBase::Pointer(0), &clock, registers), None);
    let raised = |text: &str| {
        let instr: gcn1_4::Instr = text.parse().unwrap();
        let c = counts(&instr);
        (c.vm, c.exp, c.lgkm)
    };
    assert_eq!(raised("buffer_load_dword v1, off, s[4:7], 0"), (1, 0, 0));
    assert_eq!(raised("buffer_store_dword v1, off, s[4:7], 0"), (1, 1, 0));
    assert_eq!(raised("s_load_dword s1, s[2:3], 0"), (0, 0, 1));
    assert_eq!(raised("s_load_dwordx4 s[4:7], s[2:3], 0"), (0, 0, 2));
    assert_eq!(raised("s_memtime s[0:1]"), (0, 0, 2));
}

//! What RDNA4's guide says besides the instructions: descriptors, addresses, registers, messages, caches. Positions of fields are
//! those of the guide's tables.

use isa::Isa;
use rdna4::address::buffer::{BufferAccess, BufferState};
use rdna4::address::flat::{self, Apertures, FlatState, Landing};
use rdna4::address::image::{AddressPart, Axis, DataPart, address_layout, data_layout};
use rdna4::address::scalar::{self, ScalarBase, ScalarState};
use rdna4::address::{Address, AlignmentMode, Fault, Lane};
use rdna4::cache::{self, Coherence, Reuse};
use rdna4::descriptor::buffer::{BufferDescriptor, BufferResource, BufferValues, OobSelect, StrideScale};
use rdna4::descriptor::bvh::BvhResource;
use rdna4::descriptor::format::DataFormat;
use rdna4::descriptor::image::{ImageResource, ImageResourceHigh, ImageType, Rdna4Image};
use rdna4::descriptor::sampler::{BorderColor, Sampler};
use rdna4::operands::Rdna4HwRegister;
use rdna4::{Family, Half, Instr, Rdna4, Wave, initial, message, register, wave_state};

fn instr(text: &str) -> Instr {
    Instr::parse(text, Wave::W32).unwrap_or_else(|error| panic!("`{text}`: {error}"))
}

/// Four dwords with ones in bits `high` to `low`.
fn ones(high: u32, low: u32) -> [u32; 4] {
    let bits = (u128::MAX >> (127 - (high - low))) << low;
    core::array::from_fn(|n| (bits >> (32 * n)) as u32)
}

#[test]
fn buffers_have_the_bits_of_table_57() {
    let of = |high, low| BufferResource::from_words(ones(high, low)).values();
    let none = BufferResource::from_words([0; 4]).values();
    let expected = [
        (47, 0, BufferValues { base: (1 << 48) - 1, ..none }),
        (61, 48, BufferValues { stride: 0x3FFF, ..none }),
        (95, 64, BufferValues { num_records: u32::MAX, ..none }),
        (113, 108, BufferValues { format: DataFormat::from_bits(63), ..none }),
        (115, 114, BufferValues { stride_scale: StrideScale::X32, ..none }),
        (119, 119, BufferValues { add_tid: true, ..none }),
        (120, 120, BufferValues { write_compression: true, ..none }),
        (121, 121, BufferValues { compression: true, ..none }),
        (125, 124, BufferValues { oob_select: OobSelect::Raw, ..none }),
    ];
    for (high, low, values) in expected {
        assert_eq!(of(high, low), values, "bits {high} to {low}");
    }
    assert_ne!(of(118, 117).index_stride, none.index_stride);
    assert_ne!(of(123, 122).compression_access, none.compression_access);
    // The bit without a name.
    assert_eq!(of(116, 116), none);
    let scaled = BufferValues { stride: 12, stride_scale: StrideScale::X8, ..none }.build().unwrap();
    assert_eq!((BufferDescriptor::stride(&scaled), scaled.scalar_stride()), (96, 12));
}

#[test]
fn images_have_the_bits_of_table_60() {
    let low = |high, low| ImageResource::from_words(ones(high, low)).values();
    assert_eq!(low(48, 44).max_mip, 31);
    assert_eq!(low(56, 49).format.into_bits(), 0xFF);
    assert_eq!(low(61, 57).base_level, 31);
    assert_eq!(low(77, 62).width.get(), 1 << 16);
    assert_eq!(low(93, 78).height.get(), 1 << 16);
    assert_eq!(low(115, 111).last_level, 31);
    assert_eq!(low(123, 121).bc_swizzle.into_bits(), 7);
    assert_eq!(low(127, 124).image_type, ImageType::D2MsaaArray);
    for (high, low_bit) in [(43, 40), (95, 94), (110, 108), (120, 116)] {
        assert_eq!(low(high, low_bit), ImageResource::from_words([0; 4]).values(), "bits {high} to {low_bit}");
    }
    // Bits of the second half count from 128.
    let high = |high: u32, low: u32| ImageResourceHigh::from_words(ones(high - 128, low - 128)).values();
    assert_eq!(high(141, 128).depth, 0x3FFF);
    assert_eq!((high(143, 142).pitch_msb, high(143, 128).pitch()), (3, 1 << 16));
    assert_eq!(high(156, 144).base_array, 0x1FFF);
    assert!(high(164, 164).uav_3d && !high(163, 160).uav_3d);
    assert_eq!(high(177, 165).min_lod_warn.to_f32(), 31.0 + 255.0 / 256.0);
    assert!(high(183, 183).corner_samples);
    assert_eq!(high(198, 186).min_lod.to_f32(), 31.0 + 255.0 / 256.0);
    let image = Rdna4Image::from_words8([1, 2, 3, 4, 5, 6, 7, 8]);
    assert_eq!(image.to_words(), [1, 2, 3, 4, 5, 6, 7, 8]);
    assert!(Rdna4Image::from_words8([0; 8]).is_unbound() && !image.is_unbound());
}

#[test]
fn samplers_have_the_bits_of_table_61() {
    let of = |high, low| Sampler::from_words(ones(high, low)).values();
    assert_eq!(of(44, 32).min_lod.to_f32(), 31.0 + 255.0 / 256.0);
    assert_eq!(of(57, 45).max_lod.to_f32(), 31.0 + 255.0 / 256.0);
    assert_eq!(of(77, 64).lod_bias.to_f32(), -1.0 / 256.0);
    assert_eq!(of(83, 78).lod_bias_sec.to_f32(), -1.0 / 16.0);
    assert_eq!(of(125, 114).border_color_ptr, 0xFFF);
    assert_eq!(of(127, 126).border_color, BorderColor::Register);
    assert!(of(31, 31).skip_degamma && of(28, 28).disable_cube_wrap && of(15, 15).force_unnormalized);
    assert_eq!(of(63, 58), Sampler::from_words([0; 4]).values());
    assert_eq!(of(113, 92), Sampler::from_words([0; 4]).values());
}

#[test]
fn hierarchies_have_the_bits_of_table_65() {
    let of = |high, low| BvhResource::from_words(ones(high, low)).values();
    assert!(of(52, 52).triangles_first && of(63, 63).box_sorting && of(116, 116).box_node_64);
    assert!(of(117, 117).wide_sorting && of(118, 118).instances && of(119, 119).pointer_flags);
    assert_eq!(of(54, 53).sorting_heuristic.into_bits(), 3);
    assert_eq!(of(62, 55).box_growing, 0xFF);
    assert_eq!(of(105, 64).nodes.get(), 1 << 42);
    assert_eq!(of(120, 120).triangle_return.into_bits(), 1);
    assert_eq!(of(115, 106), BvhResource::from_words([0; 4]).values());
}

#[test]
fn buffer_addresses_scale_the_stride() {
    // 0x4321 is more than RDNA3's 12 bits.
    let load = instr("buffer_load_b32 v0, v[1:2], s[4:7], s8 idxen offen offset:0x54321");
    let access = BufferAccess::of(&load).unwrap();
    assert_eq!((access.fields.offset, access.fields.idxen, access.fields.offen), (0x54321, true, true));
    let none = BufferResource::from_words([0; 4]).values();
    let values = BufferValues {
        base: 0x1_0000_0000,
        stride: 100,
        stride_scale: StrideScale::X4,
        num_records: 10,
        format: DataFormat::F32_UINT,
        oob_select: OobSelect::IndexOnly,
        ..none
    };
    let state = |index| BufferState {
        resource: values.build().unwrap(),
        soffset: 0x1000,
        lane: Lane { id: 0, vaddr: [index, 0x10] },
        alignment: AlignmentMode::Unaligned,
    };
    let whole = |index| access.address(&state(index)).unwrap().whole();
    assert_eq!(whole(3), Ok(Address::new(0x1_0000_0000 + 3 * 400 + 0x1000 + 0x10 + 0x54321, 4)));
    assert_eq!(whole(10), Err(Fault::OutOfRange));
    let typed = BufferAccess::of(&instr("tbuffer_load_format_x v0, off, s[4:7], null format:[BUF_FMT_16_FLOAT]"));
    assert_eq!(typed.unwrap().payload, rdna4::address::buffer::Payload::Typed(DataFormat::F16_FLOAT));
    // Scalar loads ignore the scale in the check of bounds.
    let load = instr("s_buffer_load_b32 s0, s[4:7], s8 offset:0x3e4");
    let scalar = |soffset| {
        let state = ScalarState { base: ScalarBase::Buffer(values.build().unwrap()), soffset };
        scalar::address(&load, &state).unwrap().whole()
    };
    assert_eq!(scalar(0), Ok(Address::new(0x1_0000_0000 + 0x3e4, 4)));
    assert_eq!(scalar(4), Err(Fault::OutOfRange));
}

#[test]
fn offsets_have_24_bits_and_a_sign() {
    let state = FlatState { vaddr: 0x7f00_0000_0000, ..FlatState::default() };
    let global = |text: &str| match flat::address(&instr(text), &state) {
        Ok(Landing::Global(address)) => address,
        other => panic!("`{text}`: {other:?}"),
    };
    assert_eq!(global("global_load_b64 v[0:1], v[2:3], off offset:-8388608").byte, 0x7eff_ff80_0000);
    assert_eq!(global("flat_load_b32 v0, v[2:3] offset:8388604").byte, 0x7f00_007f_fffc);
    assert_eq!(global("flat_load_b32 v0, v[2:3] offset:-4").byte, 0x7eff_ffff_fffc);
    // All of the upper half is global memory, and what is between the halves is a hole.
    let at = |vaddr| flat::address(&instr("flat_load_b32 v0, v[2:3]"), &FlatState { vaddr, ..state });
    assert!(matches!(at(0xffff_8000_0000_0000), Ok(Landing::Global(_))));
    assert_eq!(at(0x8000_0000_0000), Err(Fault::Forbidden(flat::INVALID_ADDRESS)));
    let apertures = Apertures::default();
    assert_eq!(apertures.space(apertures.shared.0, Family::Gfx12), Some(flat::Space::Lds));
    // Registers hold signed offsets into scratch.
    let scratch = |text: &str, vaddr: u64, saddr: u64| {
        let state = FlatState { vaddr, saddr, ..FlatState::default() };
        flat::address(&instr(text), &state)
    };
    let minus = u64::from(-16i32 as u32);
    let Ok(Landing::Scratch(found)) = scratch("scratch_load_b32 v0, v1, s2 offset:8", 20, minus) else {
        panic!("an address in scratch")
    };
    assert_eq!(found.whole(), Ok(Address::new(3 * 128, 4)));
    let negative = scratch("scratch_load_b32 v0, v1, off offset:8", minus, 0);
    assert_eq!(negative, Err(Fault::Forbidden(flat::NEGATIVE_SCRATCH)));
    let misaligned = scratch("scratch_load_b128 v[0:3], off, off offset:8", 0, 0);
    assert_eq!(misaligned, Err(Fault::Forbidden(flat::ST_OFFSET)));
    // Blocks of registers have no bytes without M0.
    assert!(flat::FlatAccess::of(&instr("global_load_block v[0:31], v[32:33], off")).is_none());
}

#[test]
fn scalar_loads_of_bytes_are_where_they_are() {
    let state = ScalarState::<BufferResource> { base: ScalarBase::Pointer(0x1003), soffset: 3 };
    let at = |text: &str| scalar::address(&instr(text), &state).unwrap().whole();
    assert_eq!(at("s_load_u8 s0, s[2:3], s4 offset:0x2"), Ok(Address::new(0x1008, 1)));
    assert_eq!(at("s_load_u16 s0, s[2:3], s4 offset:0x3"), Ok(Address::new(0x1006, 2)));
    assert_eq!(at("s_load_b32 s0, s[2:3], s4 offset:0x7"), Ok(Address::new(0x1004, 4)));
}

#[test]
fn each_register_of_an_address_has_a_field() {
    let parts = |text: &str| -> Vec<(u8, Option<Half>, AddressPart)> {
        let layout = address_layout(&instr(text)).unwrap_or_else(|| panic!("{text}"));
        layout.iter().map(|held| (held.register, held.half, held.part)).collect()
    };
    use AddressPart::{MipId, R, S, Slice, T};
    let load = "image_load_mip v0, [v9, v3, v7, v1], s[0:7] dmask:0x1 dim:SQ_RSRC_IMG_3D";
    assert_eq!(parts(load), [(9, None, S), (3, None, T), (7, None, R), (1, None, MipId)]);
    let short = "image_load v0, [v9, v3], s[0:7] dmask:0x1 dim:SQ_RSRC_IMG_2D_ARRAY a16";
    assert_eq!(parts(short), [(9, Some(Half::Low), S), (9, Some(Half::High), T), (3, Some(Half::Low), Slice)]);
    // The fourth field of a sample is all registers that are left.
    let sample = "image_sample_d v[0:3], [v9, v3, v7, v[20:22]], s[0:7], s[8:11] dmask:0xf dim:SQ_RSRC_IMG_2D";
    let registers: Vec<u8> = parts(sample).into_iter().map(|(register, ..)| register).collect();
    assert_eq!(registers, [9, 3, 7, 20, 21, 22]);
    let ray = "image_bvh_dual_intersect_ray v[0:9], [v[10:11], v[12:13], v[14:16], v[17:19], v[20:21]], s[0:3]";
    let found = parts(ray);
    assert_eq!(found.len(), 12);
    assert_eq!(found[0].2, AddressPart::BvhBase);
    assert_eq!(found[3], (13, None, AddressPart::InstanceMask));
    assert_eq!(found[9], (19, None, AddressPart::RayDir(Axis::Z)));
    assert_eq!(found[11], (21, None, AddressPart::NodeOffset(1)));
    let data = data_layout(&instr(ray)).unwrap();
    assert_eq!((data.registers(), data.iter().last().map(|held| held.part)), (10, Some(DataPart::Ray(9))));
    let wide = "image_bvh64_intersect_ray v[0:3], [v[10:11], v12, v[14:16], v[17:19]], s[0:3] a16";
    assert_eq!(parts(wide)[1], (11, None, AddressPart::NodePointerHigh));
    let status = "image_sample v[0:4], [v9, v3], s[0:7], s[8:11] dmask:0xf dim:SQ_RSRC_IMG_2D tfe";
    assert_eq!(data_layout(&instr(status)).unwrap().iter().last().map(|held| held.part), Some(DataPart::Status));
}

#[test]
fn registers_have_the_bits_of_their_tables() {
    let named = |id, name: &str| {
        let fields = register::register(id).unwrap().fields;
        let field = fields.iter().find(|field| field.name == name).unwrap_or_else(|| panic!("{id} {name}"));
        (field.lo + field.width - 1, field.lo)
    };
    for (id, name, bits) in [
        (1, "FP16_OVFL", (23, 23)),
        (1, "SCALAR_PREFETCH_EN", (24, 24)),
        (1, "DISABLE_PERF", (27, 27)),
        (2, "TRAP", (14, 14)),
        (2, "SKIP_EXPORT", (18, 18)),
        (2, "FATAL_HALT", (23, 23)),
        (2, "DYN_VGPR_EN", (30, 30)),
        (4, "SCC", (9, 9)),
        (4, "SYS_PRIO", (11, 10)),
        (4, "HALT", (14, 14)),
        (4, "SCRATCH_EN", (18, 18)),
        (10, "WAVE_ID", (13, 9)),
        (15, "STALLED", (20, 14)),
        (16, "SAMPLECNT", (20, 15)),
        (16, "KMCNT", (31, 27)),
        (17, "TRAP_AFTER_INST", (11, 11)),
        (17, "FIRST_MEMVIOL_SOURCE", (31, 30)),
        (18, "BUFFER_OOB", (30, 30)),
        (19, "TRAP_AFTER_INST", (9, 9)),
        (23, "SA_ID", (16, 16)),
        (24, "VM_ID", (27, 24)),
    ] {
        assert_eq!(named(id, name), bits, "{name} of register {id}");
    }
    // Each has a name in text, but for the one that LLVM lacks.
    for register in &register::REGISTERS {
        assert_eq!(register::text(register.id).is_some(), register.id != 28, "{}", register.name);
    }
    let parts: Vec<_> = register::parts(Rdna4HwRegister { id: 17, offset: 3, size: 2 }).collect();
    assert_eq!(parts.iter().map(|part| part.field.name).collect::<Vec<_>>(), ["ADDR_WATCH", "MEMVIOL"]);
    assert!(!parts[0].whole() && parts[1].whole());
}

#[test]
fn messages_and_initial_values_are_those_of_the_generation() {
    assert!(message::message_in(Family::Gfx11, 0x87).is_none());
    assert_eq!(message::message_in(Family::Gfx12, 0x87).unwrap().text(), Some("MSG_RTN_GET_SE_AID_ID"));
    assert!(message::messages(Family::Gfx12).map(|message| message.id).is_sorted());
    let loads = |family| initial::sgprs_in(family, initial::Stage::Compute).len();
    // RDNA4 has the number of the work-group in trap temporaries.
    assert_eq!((loads(Family::Gfx11), loads(Family::Gfx12), initial::COMPUTE_TTMPS.len()), (5, 2, 3));
}

#[test]
fn hints_of_caches_are_those_of_tables_13_to_16() {
    let of = |hint: Option<cache::CacheHints>| hint.map(|hint| (hint.near, hint.far));
    assert_eq!(of(cache::load(3)), Some((Reuse::Last, Reuse::Last)));
    assert_eq!(of(cache::load(4)), Some((Reuse::None, Reuse::Regular)));
    assert_eq!(of(cache::load(7)), None);
    assert_eq!(of(cache::store(3)), Some((Reuse::High, Reuse::WriteBack)));
    assert_eq!(of(cache::store(7)), Some((Reuse::None, Reuse::WriteBack)));
    let atomic = cache::atomic(0b110);
    assert!(!atomic.returns && atomic.is_cascading && atomic.reuse == Reuse::None);
    assert!(!cache::atomic(0b101).is_cascading);
    let caches = [0, 1, 2, 3].map(|code| cache::caches(Coherence::from_code(code)));
    assert_eq!(caches.map(|caches| caches.compute_unit), [false, true, true, true]);
    assert_eq!(caches.map(|caches| caches.l2), [false, false, false, true]);
}

#[test]
fn the_fast_decoder_serves_bits_of_the_third_dword() {
    for text in ["buffer_load_b32 v5, off, s[8:11], s3 offset:8388607", "tbuffer_load_format_x v4, off, s[8:11], s3"] {
        let instr = instr(text);
        let [first, second, third] = *instr.encode() else { panic!("`{text}` has three dwords") };
        let low = u64::from(first) | u64::from(second) << 32;
        assert_eq!(Rdna4::decode_fast(low, third, Wave::W32), Some((instr, 3)), "{text}");
        // The highest bit of the offset is 0.
        assert_eq!(Rdna4::decode_fast(low, third | 1 << 31, Wave::W32), None, "{text}");
    }
}

#[test]
fn special_registers_are_those_of_chapter_3() {
    let section = |name| wave_state::SPECIALS.iter().find(|s| s.name == name).map(|s| (s.bits, s.section));
    assert_eq!(section("exec"), Some((64, "3.2.2")));
    assert_eq!(section("vcc"), Some((64, "3.4.7")));
    assert_eq!(section("null"), Some((32, "3.4.5")));
    assert_eq!(section("scratch_base"), Some((48, "3.4.8")));
    let trap = wave_state::Rdna4TrapEntry { pc: 0x1234_5678_9ABC, id: 5 };
    assert_eq!(trap.into_ttmps(), (0x5678_9ABC, 0x5000_1234));
    assert_eq!(wave_state::Rdna4TrapEntry::from_ttmps(0x5678_9ABC, 0x5000_1234), trap);
    let [small, large] = [wave_state::DynamicBlock::B16, wave_state::DynamicBlock::B32];
    assert_eq!([0, 1, 128, 129].map(|n| small.allocated(n)), [Some(0), Some(16), Some(128), None]);
    // Nine bits count.
    assert_eq!([33, 256, 257, 512].map(|n| large.allocated(n)), [Some(64), Some(256), None, Some(0)]);
}

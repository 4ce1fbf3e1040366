//! Descriptors: what is built reads back, from values and from words, and what cannot be is refused by name.

use amdgpu_memory::field::{Address256, Count, Fixed};
use amdgpu_memory::gcn;
use isa_tests::property;
use proptest::prelude::*;
use rdna3::descriptor::{Allowed, buffer, bvh, format::DataFormat, image, sampler};

fn one<T: Copy + std::fmt::Debug + 'static>(all: &'static [T]) -> impl Strategy<Value = T> {
    (0..all.len()).prop_map(|i| all[i])
}

/// Words read and written again are the same, reserved bits and reserved codes included; values that can be built, built
/// again, are the same but for reserved bits; nothing panics on the way.
macro_rules! round_trip {
    ($words:expr, $ty:ty) => {{
        let read = <$ty>::from_words($words);
        prop_assert_eq!(read.to_words(), $words);
        let _ = (format!("{read:?}"), read.reserved());
        if let Ok(built) = read.values().build() {
            prop_assert_eq!(built.into_bits(), read.into_bits() & !read.reserved());
            prop_assert_eq!(built.values(), read.values());
            prop_assert_eq!(built.reserved(), 0);
        }
        read
    }};
}

/// Checks that a change of a field changes its own bits and no others: `(field, first bit, bits)`.
macro_rules! bits {
    ($ty:ty, $($field:ident $high:literal : $low:literal),* $(,)?) => {$(
        let mask = (u128::MAX >> (127 - $high + $low)) << $low;
        let bits = [0u128, u128::MAX, 0x5555 << $low & mask, 1 << $low, 1 << $high];
        for with in bits {
            for noise in [0u128, u128::MAX] {
                let bits = noise & !mask | with & mask;
                let alone = with & mask;
                let (all, own) = (<$ty>::from_bits(bits as _).$field(), <$ty>::from_bits(alone as _).$field());
                assert_eq!(all, own, "{} with {bits:#x}", stringify!($field));
            }
        }
        let (none, low) = (<$ty>::from_bits(0).$field(), <$ty>::from_bits((1u128 << $low) as _).$field());
        assert_ne!(none, low, "{} bit {}", stringify!($field), $low);
        let high = <$ty>::from_bits((1u128 << $high) as _).$field();
        assert_ne!(none, high, "{} bit {}", stringify!($field), $high);
    )*};
}

#[test]
fn fields_are_where_the_guide_has_them() {
    // Guide §9.6, table 47.
    bits!(buffer::BufferResource, base 47:0, stride 61:48, swizzle 63:62, num_records 95:64, dst_sel_x 98:96,
        dst_sel_y 101:99, dst_sel_z 104:102, dst_sel_w 107:105, format 113:108, index_stride 118:117, add_tid 119:119,
        llc_no_alloc 123:122, oob_select 125:124, kind 127:126);
    // Guide §10.5, table 50.
    bits!(image::ImageResource, base 39:0, big_page 47:47, max_mip 51:48, format 59:52, width 75:62, height 91:78,
        dst_sel_x 98:96, dst_sel_y 101:99, dst_sel_z 104:102, dst_sel_w 107:105, base_level 111:108,
        last_level 115:112, bc_swizzle 123:121, image_type 127:124);
    // The same, 128 lower.
    bits!(image::ImageResourceHigh, depth 12:0, pitch_13 13:13, base_array 28:16, array_pitch 35:32,
        min_lod_warn 51:40, corner_samples 55:55, min_lod 70:59, iterate_256 74:74, meta_pipe_aligned 83:83,
        compression 85:85, alpha_is_on_msb 86:86, no_color_transform 87:87, meta_data 127:88);
    // Guide §10.6, table 51.
    bits!(sampler::Sampler, clamp_x 2:0, clamp_y 5:3, clamp_z 8:6, max_aniso_ratio 11:9, depth_compare 14:12,
        force_unnormalized 15:15, aniso_threshold 18:16, mc_coord_trunc 19:19, force_degamma 20:20, aniso_bias 26:21,
        trunc_coord 27:27, disable_cube_wrap 28:28, filter_mode 30:29, skip_degamma 31:31, min_lod 43:32,
        max_lod 55:44, lod_bias 77:64, lod_bias_sec 83:78, xy_mag_filter 85:84, xy_min_filter 87:86, z_filter 89:88,
        mip_filter 91:90, blend_prt 94:94, border_color_ptr 107:96, border_color 127:126);
    // Guide §10.9.3, table 54.
    bits!(bvh::BvhResource, base 39:0, box_growing 62:55, box_sorting 63:63, nodes 105:64, pointer_flags 119:119,
        triangle_return 120:120, llc_stream 122:121, big_page 123:123, kind 127:124);
    // The GCN text on MUBUF, first edition.
    bits!(gcn::BufferResource, base 47:0, stride 61:48, cache_swizzle 62:62, swizzle_enable 63:63, num_records 95:64,
        dst_sel_x 98:96, dst_sel_y 101:99, dst_sel_z 104:102, dst_sel_w 107:105, number_format 110:108,
        data_format 114:111, element_size 116:115, index_stride 118:117, tid_enable 119:119, hash_enable 121:121,
        heap 122:122, resource_type 127:126);
}

/// Resources that LLVM 22 makes (llc-22).
#[test]
fn layouts_are_llvms() {
    // llvm.amdgcn.make.buffer.rsrc of stride 24, 100 records and the flags that LLVM itself has for gfx1100 becomes
    // s1 |= 0x180000, s2 = 0x64, s3 = 0x31016000.
    let resource = buffer::BufferResource::from_words([0x1000, 0x18_0000 | 0x7f, 0x64, 0x3101_6000]);
    let values = buffer::BufferValues {
        base: 0x7f_0000_1000,
        stride: 24,
        num_records: 100,
        format: DataFormat::F32_FLOAT,
        oob_select: buffer::OobSelect::Raw,
        ..Default::default()
    };
    assert_eq!(resource.values(), values);
    // Bit 120, which the guide leaves reserved, is RESOURCE_LEVEL of the generation before.
    assert_eq!(resource.reserved(), 1 << 120);
    // Stores to global memory for tahiti: s6 = -1, s7 = 0xf000.
    let resource = gcn::BufferResource::from_words([0x1000, 0x7f, u32::MAX, 0xf000]);
    let values = gcn::BufferValues {
        base: 0x7f_0000_1000,
        num_records: u32::MAX,
        number_format: gcn::resource::NumberFormat::Float,
        data_format: gcn::resource::DataFormat::D8,
        ..Default::default()
    };
    assert_eq!((resource.values(), resource.reserved()), (values, 0));
}

fn buffer_values() -> impl Strategy<Value = buffer::BufferValues> {
    let dst = || one(buffer::DstSelect::ALL);
    let place = (0u64..1 << 48, 0u16..1 << 14, one(buffer::SwizzleEnable::ALL), any::<u32>());
    let what = (dst(), dst(), dst(), dst(), 0u8..64, one(buffer::IndexStride::ALL), any::<bool>());
    let rest = (one(buffer::LlcNoAlloc::ALL), one(buffer::OobSelect::ALL));
    (place, what, rest).prop_map(|(place, what, rest)| buffer::BufferValues {
        base: place.0,
        stride: place.1,
        swizzle: place.2,
        num_records: place.3,
        dst_sel_x: what.0,
        dst_sel_y: what.1,
        dst_sel_z: what.2,
        dst_sel_w: what.3,
        format: DataFormat::from_bits(what.4),
        index_stride: what.5,
        add_tid: what.6,
        llc_no_alloc: rest.0,
        oob_select: rest.1,
        kind: buffer::ResourceKind::Buffer,
    })
}

fn gcn_values() -> impl Strategy<Value = gcn::BufferValues> {
    use gcn::resource::{DataFormat, ElementSize, NumberFormat};
    let dst = || one(buffer::DstSelect::ALL);
    let place = (0u64..1 << 48, 0u16..1 << 14, any::<[bool; 5]>(), any::<u32>());
    let what = (dst(), dst(), dst(), dst(), one(NumberFormat::ALL), one(DataFormat::ALL));
    let cut = (one(ElementSize::ALL), one(buffer::IndexStride::ALL));
    (place, what, cut).prop_map(|(place, what, cut)| gcn::BufferValues {
        base: place.0,
        stride: place.1,
        cache_swizzle: place.2[0],
        swizzle_enable: place.2[1],
        num_records: place.3,
        dst_sel_x: what.0,
        dst_sel_y: what.1,
        dst_sel_z: what.2,
        dst_sel_w: what.3,
        number_format: what.4,
        data_format: what.5,
        element_size: cut.0,
        index_stride: cut.1,
        tid_enable: place.2[2],
        hash_enable: place.2[3],
        heap: place.2[4],
        resource_type: gcn::resource::ResourceType::Buffer,
    })
}

fn bvh_values() -> impl Strategy<Value = bvh::BvhValues> {
    let what = (0u64..1 << 40, any::<u8>(), 1u64..=1 << 42, any::<[bool; 3]>());
    (what, one(bvh::TriangleReturn::ALL), one(bvh::LlcStream::ALL)).prop_map(|(what, ret, llc)| bvh::BvhValues {
        base: Address256::new(what.0 << 8),
        box_growing: what.1,
        box_sorting: what.3[0],
        nodes: Count::new(what.2),
        pointer_flags: what.3[1],
        triangle_return: ret,
        llc_stream: llc,
        big_page: what.3[2],
        kind: bvh::BvhType::Bvh,
    })
}

fn image_values() -> impl Strategy<Value = image::ImageValues> {
    let dst = || one(image::DstSelect::ALL);
    let place = (0u64..1 << 40, any::<bool>(), [0u8..16, 0u8..16, 0u8..16], [1u64..=1 << 14, 1u64..=1 << 14]);
    let what = (dst(), dst(), dst(), dst(), one(DataFormat::ALL), one(image::BcSwizzle::ALL));
    (place, what, one(image::ImageType::ALL)).prop_map(|(place, what, ty)| image::ImageValues {
        base: Address256::new(place.0 << 8),
        big_page: place.1,
        max_mip: place.2[0],
        format: what.4,
        width: Count::new(place.3[0]),
        height: Count::new(place.3[1]),
        dst_sel_x: what.0,
        dst_sel_y: what.1,
        dst_sel_z: what.2,
        dst_sel_w: what.3,
        base_level: place.2[1],
        last_level: place.2[2],
        bc_swizzle: what.5,
        image_type: ty,
    })
}

proptest! {
    #![proptest_config(property::config(5_000))]

    #[test]
    fn words_read_back(words: [u32; 4]) {
        round_trip!(words, buffer::BufferResource).to_string();
        round_trip!(words, image::ImageResource).to_string();
        round_trip!(words, image::ImageResourceHigh).to_string();
        round_trip!(words, sampler::Sampler).to_string();
        round_trip!(words, bvh::BvhResource).to_string();
        round_trip!(words, gcn::BufferResource).to_string();
        round_trip!([words[0]], rdna3::address::lds::DirectM0);
        round_trip!([words[0]], rdna3::address::lds::ParamM0);
        round_trip!([words[0]], rdna3::address::lds::StackAddress);
        round_trip!([words[0]], rdna3::address::gds::Window);
        round_trip!([words[0]], rdna3::address::image::TexelOffsets);
        round_trip!([words[0]], rdna3::address::image::FetchStatus);
    }

    #[test]
    fn what_is_built_reads_back(b in buffer_values(), g in gcn_values(), v in bvh_values(), i in image_values()) {
        prop_assert_eq!(b.build().unwrap().values(), b);
        prop_assert_eq!(g.build().unwrap().values(), g);
        prop_assert_eq!(v.build().unwrap().values(), v);
        prop_assert_eq!(i.build().unwrap().values(), i);
        let words = b.build().unwrap().to_words();
        prop_assert_eq!(buffer::BufferResource::from_words(words).values(), b);
    }

    #[test]
    fn images_of_eight_dwords_read_back(words: [u32; 8]) {
        let image = image::Image::from_words8(words);
        prop_assert_eq!(image.to_words(), words);
        prop_assert!(!image.to_string().contains('\n'));
    }

    #[test]
    fn fixed_point_numbers_read_back(units in -8192i32..8192) {
        let bias = sampler::S6_8::new(units);
        prop_assert_eq!(sampler::S6_8::from_f32(bias.to_f32()), bias);
        let built = sampler::SamplerValues { lod_bias: bias, ..Default::default() }.build().unwrap();
        prop_assert_eq!(built.lod_bias(), bias);
    }
}

#[test]
fn what_cannot_be_is_refused_by_name() {
    let wrong = |error: rdna3::descriptor::FieldError| (error.field, error.value, error.allowed);
    let b = buffer::BufferValues::default();
    assert_eq!(
        wrong(buffer::BufferValues { base: 1 << 48, ..b }.build().unwrap_err()),
        ("base", 1 << 48, Allowed::Range(0, (1 << 48) - 1))
    );
    assert_eq!(
        buffer::BufferValues { swizzle: buffer::SwizzleEnable::Reserved(2), ..b }.build().unwrap_err().to_string(),
        "swizzle of BufferResource cannot be 2: it is one of 0 (linear), 1 (elements of 4 bytes), \
         3 (elements of 16 bytes)"
    );
    // A format that only images have.
    assert_eq!(
        wrong(buffer::BufferValues { format: DataFormat::BC1_UNORM, ..b }.build().unwrap_err()),
        ("format", 109, Allowed::Range(0, 63))
    );
    let i = image::ImageValues::default();
    assert_eq!(
        image::ImageValues { base: Address256::new(0x1080), ..i }.build().unwrap_err().to_string(),
        "base of ImageResource cannot be 4224: it is a multiple of 256 up to 0xffffffffff00"
    );
    assert_eq!(
        wrong(image::ImageValues { width: Count::new(0), ..i }.build().unwrap_err()),
        ("width", 0, Allowed::Range(1, 1 << 14))
    );
    let s = sampler::SamplerValues::default();
    assert_eq!(
        wrong(sampler::SamplerValues { lod_bias: Fixed::from_f32(32.0), ..s }.build().unwrap_err()),
        ("lod_bias", 8192, Allowed::Range(-8192, 8191))
    );
    let v = bvh::BvhValues { kind: bvh::BvhType::Reserved(9), ..Default::default() };
    assert_eq!(wrong(v.build().unwrap_err()).0, "kind");
    let g = gcn::BufferValues { data_format: gcn::resource::DataFormat::Reserved(15), ..Default::default() };
    assert_eq!(wrong(g.build().unwrap_err()).0, "data_format");
}

#[test]
fn codes_have_names_both_ways() {
    assert_eq!(DataFormat::ALL.len(), 64 + 26 + 14 + 2 + 2);
    for format in DataFormat::ALL {
        assert_eq!(DataFormat::from_name(format.name().unwrap()), Some(*format));
    }
    assert_eq!(DataFormat::from_bits(100), DataFormat::Reserved(100));
    assert_eq!(buffer::DstSelect::from_bits(2), buffer::DstSelect::Reserved(2));
    assert_eq!(buffer::DstSelect::Reserved(2).to_string(), "reserved (2)");
    assert_eq!(sampler::Clamp::from_name("ClampBorder"), Some(sampler::Clamp::ClampBorder));
}

#[test]
fn formats_say_their_components() {
    use rdna3::descriptor::format::{NumberType, RegisterClass, block};
    let bits = |format: DataFormat| format.components().map(|c| c.bits().to_vec());
    assert_eq!(bits(DataFormat::F8_UNORM), Some(vec![8]));
    assert_eq!(bits(DataFormat::F10_11_11_FLOAT), Some(vec![10, 11, 11]));
    assert_eq!(bits(DataFormat::F16_16_16_16_SSCALED), Some(vec![16; 4]));
    assert_eq!(bits(DataFormat::F5_9_9_9_FLOAT), Some(vec![5, 9, 9, 9]));
    assert_eq!(bits(DataFormat::BC1_UNORM), None);
    assert_eq!(bits(DataFormat::INVALID), None);
    let d32s8 = DataFormat::X24_8_32_FLOAT.components().unwrap();
    assert_eq!((d32s8.bits(), d32s8.unused(), d32s8.total()), (&[8, 32][..], 24, 64));
    for format in DataFormat::ALL.iter().filter(|f| f.is_buffer() && **f != DataFormat::INVALID) {
        // Guide §9.4: an element of a buffer has one of these sizes.
        assert!(matches!(format.bytes(), Some(1 | 2 | 4 | 8 | 12 | 16)), "{format}");
        assert!(format.number().is_some(), "{format}");
    }
    assert_eq!(DataFormat::F32_FLOAT_CLAMP.number(), Some(NumberType::Float));
    assert_eq!(DataFormat::BC6_UFLOAT.number(), Some(NumberType::Ufloat));
    assert_eq!(DataFormat::F8_8_SNORM.register(), RegisterClass::Float);
    assert_eq!(DataFormat::F32_32_SINT.register(), RegisterClass::Signed);
    assert_eq!(block(DataFormat::BC1_SRGB).map(|b| b.bytes), Some(8));
    assert_eq!(block(DataFormat::BC7_UNORM).map(|b| (b.width, b.bytes)), Some((4, 16)));
    assert_eq!(block(DataFormat::F8_UNORM), None);
}

#[test]
fn descriptors_read_well() {
    let sampler = sampler::SamplerValues {
        xy_mag_filter: sampler::XyFilter::Bilinear,
        max_lod: sampler::U4_8::from_f32(15.5),
        lod_bias: sampler::S6_8::from_f32(-0.25),
        ..Default::default()
    };
    assert_eq!(
        sampler.build().unwrap().to_string(),
        "sampler bilinear mag point min, z none, mip none, Blend, clamp Wrap Wrap Wrap, lod 0 to 15.5, bias -0.25 + 0, \
         border transparent black"
    );
    let image = image::ImageValues {
        base: Address256::new(0x12_3400),
        width: Count::new(640),
        height: Count::new(480),
        format: DataFormat::F8_8_8_8_UNORM,
        image_type: image::ImageType::D2,
        max_mip: 3,
        last_level: 3,
        ..Default::default()
    };
    assert_eq!(
        image.build().unwrap().to_string(),
        "2D image at 0x123400, 640 x 480, 8_8_8_8_UNORM, select 0000, levels 0 to 3 of 4"
    );
    let bvh = bvh::BvhValues { nodes: Count::new(10), box_sorting: true, ..Default::default() }.build().unwrap();
    assert_eq!(bvh.to_string(), "BVH at 0x0, 10 nodes, returns triangle and hit status, sorted");
    assert!(
        format!("{:?}", buffer::BufferResource::from_bits(0))
            .starts_with("BufferResource { base: 0, stride: 0, swizzle: Linear")
    );
}

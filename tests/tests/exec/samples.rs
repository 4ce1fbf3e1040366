//! Sizes and samples of images. The oracle is a second sampler in f64, written from the equations of the Vulkan specification
//! ("Image Operations", 16.5 to 16.8), without the 8 fractional bits of the hardware: results are compared within what these
//! bits lose.

use isa_exec::fault::FaultKind;
use isa_exec::memory::{Memory, Regions};
use isa_exec::program::Program;
use isa_exec::wave::Wave;
use rdna3::descriptor::format::DataFormat;
use rdna3::descriptor::image::{DstSelect, ImageType};
use rdna3::descriptor::sampler::{BorderColor, Clamp, Compare, FilterMode, LinearFilter, XyFilter};

use crate::images::{BASE, RDNA4_LEVELS, Resource, assert_same, rdna4_line, rdna4_resource, rdna4_sampler};
use crate::machine::{Random, program, rdna4_program, run};

/// The bytes of memory after [`BASE`].
const BYTES: usize = 1 << 18;

/// A sampler, put together from the positions of table 51.
#[derive(Clone, Copy)]
struct Sampler {
    clamps: [Clamp; 3],
    compare: Compare,
    unnormalized: bool,
    trunc: bool,
    /// Whether sRGB is forced, and whether its conversion is skipped.
    degamma: [bool; 2],
    disable_cube_wrap: bool,
    mode: FilterMode,
    min_lod: f32,
    max_lod: f32,
    bias: f32,
    second_bias: f32,
    mag: XyFilter,
    min: XyFilter,
    z: LinearFilter,
    mip: LinearFilter,
    border: BorderColor,
    max_aniso: u32,
}

impl Sampler {
    fn new(filter: XyFilter, clamp: Clamp) -> Self {
        Sampler {
            clamps: [clamp; 3],
            compare: Compare::Never,
            unnormalized: false,
            trunc: false,
            degamma: [false; 2],
            disable_cube_wrap: false,
            mode: FilterMode::Blend,
            min_lod: 0.0,
            max_lod: 15.0,
            bias: 0.0,
            second_bias: 0.0,
            mag: filter,
            min: filter,
            z: LinearFilter::None,
            mip: LinearFilter::None,
            border: BorderColor::TransparentBlack,
            max_aniso: 0,
        }
    }

    fn words(&self) -> [u32; 4] {
        let [x, y, z] = self.clamps.map(|clamp| u32::from(clamp.into_bits()));
        let fixed = |value: f32| (value * 256.0) as i32 as u32;
        let filter = |filter: XyFilter| u32::from(filter.into_bits());
        [
            x | y << 3
                | z << 6
                | self.max_aniso << 9
                | u32::from(self.compare.into_bits()) << 12
                | u32::from(self.unnormalized) << 15
                | u32::from(self.degamma[0]) << 20
                | u32::from(self.trunc) << 27
                | u32::from(self.disable_cube_wrap) << 28
                | u32::from(self.mode.into_bits()) << 29
                | u32::from(self.degamma[1]) << 31,
            fixed(self.min_lod) | fixed(self.max_lod) << 12,
            (fixed(self.bias) & 0x3FFF)
                | ((self.second_bias * 16.0) as i32 as u32 & 0x3F) << 14
                | filter(self.mag) << 20
                | filter(self.min) << 22
                | u32::from(self.z.into_bits()) << 24
                | u32::from(self.mip.into_bits()) << 26,
            u32::from(self.border.into_bits()) << 30,
        ]
    }
}

/// Runs a line of each generation with the image in s[8:15] and the sampler in s[16:19]; `registers` are those of each lane from v0 on.
/// Returns the wave of RDNA3.
fn access(
    line: &str,
    image: [u32; 8],
    sampler: Sampler,
    memory: &Regions,
    registers: &[Vec<u32>],
) -> Result<Wave, FaultKind> {
    let run = |program: &Program<'_>, image: [u32; 8], sampler: [u32; 4]| {
        let wave = run(program, memory, |wave| {
            wave.set_mask(126, (1 << registers.len()) - 1);
            for (register, word) in (8..).zip(image.into_iter().chain(sampler)) {
                wave.set_sgpr(register, word);
            }
            for (lane, values) in registers.iter().enumerate() {
                for (register, value) in (0..).zip(values) {
                    wave.set_vgpr(register, lane, *value);
                }
            }
        });
        wave.map_err(|fault| fault.kind)
    };
    let rdna3 = run(&program(&[line], rdna3::Wave::W32), image, sampler.words());
    let rdna4 = rdna4_program(&rdna4_line(line));
    let rdna4 = run(&rdna4, rdna4_resource(image), rdna4_sampler(sampler.words()));
    assert_same(line, &rdna3, &rdna4);
    rdna3
}

fn memory(bytes: &[u8]) -> Regions {
    let mut memory = Regions::new();
    for base in [BASE, RDNA4_LEVELS] {
        memory.map(base, BYTES as u64).expect("a region");
        memory.write(base, bytes).expect("mapped memory");
    }
    memory
}

/// Registers of a lane from v16 on, as floats.
fn floats<const N: usize>(wave: &Wave, lane: usize) -> [f32; N] {
    core::array::from_fn(|n| f32::from_bits(wave.vgpr(16 + n as u16, lane)))
}

/// Registers of a lane from v16 on.
fn dwords<const N: usize>(wave: &Wave, lane: usize) -> [u32; N] {
    core::array::from_fn(|n| wave.vgpr(16 + n as u16, lane))
}

fn bits(values: &[f32]) -> Vec<u32> {
    values.iter().map(|value| value.to_bits()).collect()
}

/// An image of floats that a function of level, column, row and layer gives, in the layout of linear images: within a layer the
/// smallest level first, rows padded to 256 bytes if there are several levels. RDNA4 pads rows to 128 bytes, and levels as if
/// rows had 256.
fn image(resource: &Resource, layers: u32, mut texel: impl FnMut([u32; 4]) -> Vec<u8>) -> Regions {
    let (mut bytes, mut of_rdna4) = (Vec::new(), Vec::new());
    for layer in 0..layers {
        for level in (0..resource.levels).rev() {
            let size = |size: u32| (size >> level).max(1);
            for row in 0..size(resource.height) {
                let texels: Vec<u8> =
                    (0..size(resource.width)).flat_map(|column| texel([level, column, row, layer])).collect();
                bytes.extend(&texels);
                of_rdna4.extend(&texels);
                if resource.levels > 1 {
                    bytes.resize(bytes.len().next_multiple_of(256), 0xAA);
                    of_rdna4.resize(of_rdna4.len().next_multiple_of(128), 0xAA);
                }
            }
            if resource.levels > 1 {
                of_rdna4.resize(bytes.len(), 0xAA);
            }
        }
    }
    assert!(bytes.len() <= BYTES, "{} bytes", bytes.len());
    let memory = memory(&bytes);
    memory.write(RDNA4_LEVELS, &of_rdna4).expect("mapped memory");
    memory
}

/// A row of texels of f32.
fn row(texels: &[f32]) -> (Resource, Regions) {
    let resource = Resource::new(ImageType::D1, DataFormat::F32_FLOAT, texels.len() as u32, 1);
    let memory = image(&resource, 1, |[_, column, ..]| texels[column as usize].to_le_bytes().to_vec());
    (resource, memory)
}

/// Samples a row of texels at coordinates in texels.
fn sample_row(texels: &[f32], sampler: Sampler, coordinates: &[f32]) -> Vec<f32> {
    let (resource, memory) = row(texels);
    let line = "image_sample_lz v16, v0, s[8:15], s[16:19] dmask:0x1 dim:SQ_RSRC_IMG_1D unorm";
    let registers: Vec<Vec<u32>> = coordinates.iter().map(|at| vec![at.to_bits()]).collect();
    let wave = access(line, resource.words(), sampler, &memory, &registers).unwrap();
    (0..coordinates.len()).map(|lane| floats::<1>(&wave, lane)[0]).collect()
}

#[test]
fn sizes_are_those_of_the_view() {
    let memory = memory(&[]);
    let sampler = Sampler::new(XyFilter::Point, Clamp::Wrap);
    let line = "image_get_resinfo v[16:19], v0, s[8:15] dmask:0xf dim:SQ_RSRC_IMG_2D";
    let info = |resource: Resource, level: u32| {
        let wave = access(line, resource.words(), sampler, &memory, &[vec![level]]).unwrap();
        dwords::<4>(&wave, 0)
    };
    let plane = Resource::new(ImageType::D2, DataFormat::F8_8_8_8_UNORM, 100, 30);
    assert_eq!(info(plane, 0), [100, 30, 1, 1]);
    let mips = Resource { levels: 7, base_level: 1, last_level: 6, ..plane };
    assert_eq!(info(mips, 0), [50, 15, 1, 6]);
    assert_eq!(info(mips, 5), [1, 1, 1, 6]);
    // The view has no such level.
    assert_eq!(info(mips, 6), [0, 0, 0, 6]);
    let of = |ty, depth, first_layer| Resource { ty, depth, first_layer, ..mips };
    assert_eq!(info(of(ImageType::D3, 9, 0), 1), [25, 7, 2, 6]);
    assert_eq!(info(of(ImageType::D2Array, 9, 2), 1), [25, 7, 8, 6]);
    assert_eq!(info(of(ImageType::D1Array, 9, 0), 1), [25, 1, 10, 6]);
    // Faces, not cubes.
    assert_eq!(info(of(ImageType::Cube, 11, 0), 0), [50, 15, 12, 6]);
    assert_eq!(info(Resource { last_level: 2, ..of(ImageType::D2Msaa, 0, 0) }, 0), [100, 30, 1, 1]);
    // The size of a tiled image and of a compressed one, and some components only.
    let mut words = Resource { format: DataFormat::BC1_UNORM, ..plane }.words();
    words[3] |= 1 << 20;
    let line = "image_get_resinfo v[16:17], v0, s[8:15] dmask:0xa dim:SQ_RSRC_IMG_2D";
    let wave = access(line, words, sampler, &memory, &[vec![0, 0]]).unwrap();
    assert_eq!(dwords::<3>(&wave, 0), [30, 1, 0]);
}

#[test]
fn filters_weigh_texels_in_units_of_a_256th() {
    let texels = [0.0, 1.0, 0.0, 4.0];
    let linear = Sampler::new(XyFilter::Bilinear, Clamp::ClampLastTexel);
    // Between the centres of the first two texels, 0.5 and 1.5; a 1024th is less than half a unit, a 400th is more.
    let at = [0.5, 0.75, 1.25, 1.5, 0.5 + 1.0 / 1024.0, 0.5 + 1.0 / 400.0, 3.5, 9.0, -2.0];
    let expected = [0.0, 0.25, 0.75, 1.0, 0.0, 1.0 / 256.0, 4.0, 4.0, 0.0];
    assert_eq!(sample_row(&texels, linear, &at), expected);
    let point = Sampler::new(XyFilter::Point, Clamp::ClampLastTexel);
    assert_eq!(sample_row(&texels, point, &[0.0, 0.99, 1.0, 3.0, 4.0]), [0.0, 0.0, 1.0, 4.0, 4.0]);
    // Rounded to a 256th, or truncated.
    let just_below = [1.0 - 1.0 / 1024.0];
    assert_eq!(sample_row(&texels, point, &just_below), [1.0]);
    assert_eq!(sample_row(&texels, Sampler { trunc: true, ..point }, &just_below), [0.0]);
    let (least, most) = (Sampler { mode: FilterMode::Min, ..linear }, Sampler { mode: FilterMode::Max, ..linear });
    assert_eq!(sample_row(&texels, least, &[3.25, 3.5]), [0.0, 4.0]);
    assert_eq!(sample_row(&texels, most, &[3.25, 2.5]), [4.0, 0.0]);
    // A texel without a share does not matter.
    assert_eq!(sample_row(&[1.0, f32::INFINITY], linear, &[0.5]), [1.0]);
    // Denormals are zero, and NaN keeps its bits.
    let nan = f32::from_bits(0x7F80_1234);
    let found = sample_row(&[f32::from_bits(1), nan], point, &[0.5, 1.5]);
    assert_eq!([found[0].to_bits(), found[1].to_bits()], [0, 0x7F80_1234]);
}

#[test]
fn coordinates_outside_wrap_mirror_and_clamp() {
    let texels = [1.0, 2.0, 3.0, 4.0];
    let at = [-5.5, -4.5, -2.5, -1.5, -0.5, 0.5, 3.5, 4.5, 5.5, 8.5];
    let of = |clamp, border| {
        let sampler = Sampler { border, ..Sampler::new(XyFilter::Point, clamp) };
        sample_row(&texels, sampler, &at)
    };
    let black = BorderColor::TransparentBlack;
    let white = BorderColor::OpaqueWhite;
    assert_eq!(of(Clamp::Wrap, black), [3.0, 4.0, 2.0, 3.0, 4.0, 1.0, 4.0, 1.0, 2.0, 1.0]);
    assert_eq!(of(Clamp::Mirror, black), [3.0, 4.0, 3.0, 2.0, 1.0, 1.0, 4.0, 4.0, 3.0, 1.0]);
    assert_eq!(of(Clamp::ClampLastTexel, black), [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 4.0, 4.0, 4.0, 4.0]);
    assert_eq!(of(Clamp::MirrorOnceLastTexel, black), [4.0, 4.0, 3.0, 2.0, 1.0, 1.0, 4.0, 4.0, 4.0, 4.0]);
    assert_eq!(of(Clamp::ClampBorder, black), [0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 4.0, 0.0, 0.0, 0.0]);
    assert_eq!(of(Clamp::MirrorOnceBorder, white), [1.0, 1.0, 3.0, 2.0, 1.0, 1.0, 4.0, 1.0, 1.0, 1.0]);
    assert_eq!(of(Clamp::ClampHalfBorder, white), of(Clamp::ClampLastTexel, black));
    assert_eq!(of(Clamp::MirrorOnceHalfBorder, white), of(Clamp::MirrorOnceLastTexel, black));
    // A linear filter reaches half of the border.
    let half = Sampler::new(XyFilter::Bilinear, Clamp::ClampHalfBorder);
    assert_eq!(sample_row(&texels, half, &[-7.0, 0.0, 0.25, 4.0, 100.0]), [0.5, 0.5, 0.75, 2.0, 2.0]);
    let mirrored = Sampler::new(XyFilter::Bilinear, Clamp::MirrorOnceHalfBorder);
    assert_eq!(sample_row(&texels, mirrored, &[-7.0, 0.0, -1.0, 4.0]), [2.0, 1.0, 1.5, 2.0]);
    let border = Sampler::new(XyFilter::Bilinear, Clamp::ClampBorder);
    assert_eq!(sample_row(&texels, border, &[-0.5, 0.0, 4.0, 4.5]), [0.0, 0.5, 2.0, 0.0]);
    let wrapped = Sampler::new(XyFilter::Bilinear, Clamp::Wrap);
    assert_eq!(sample_row(&texels, wrapped, &[0.0, 4.0, -4.0, 400.25]), [2.5, 2.5, 2.5, 1.75]);
}

#[test]
fn numbers_that_are_no_coordinates_select_a_texel() {
    let texels = [1.0, 2.0, 3.0, 4.0];
    let at = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e30, -1e30, f32::MAX];
    for filter in [XyFilter::Point, XyFilter::Bilinear] {
        let clamped = Sampler::new(filter, Clamp::ClampLastTexel);
        assert_eq!(sample_row(&texels, clamped, &at), [1.0, 4.0, 1.0, 4.0, 1.0, 4.0]);
        let border = Sampler { border: BorderColor::OpaqueWhite, ..Sampler::new(filter, Clamp::ClampBorder) };
        assert_eq!(sample_row(&texels, border, &at)[1..], [1.0; 5]);
        for code in 0..8 {
            let found = sample_row(&texels, Sampler::new(filter, Clamp::from_bits(code)), &at);
            assert!(found.iter().all(|texel| (0.0..=4.0).contains(texel)), "{code}: {found:?}");
        }
    }
    // Powers of two are multiples of four texels, however large.
    let point = Sampler::new(XyFilter::Point, Clamp::Wrap);
    assert_eq!(sample_row(&texels, point, &[1e30, 16_777_218.0, -16_777_215.0]), [1.0, 3.0, 2.0]);
}

#[test]
fn borders_have_the_components_of_the_format() {
    let memory = memory(&[]);
    let selects = [DstSelect::G, DstSelect::A, DstSelect::One, DstSelect::Zero];
    let of = |format, border, line: &str| {
        let resource = Resource { selects, ..Resource::new(ImageType::D2, format, 4, 4) };
        let sampler = Sampler { border, ..Sampler::new(XyFilter::Point, Clamp::ClampBorder) };
        let wave = access(line, resource.words(), sampler, &memory, &[bits(&[-1.0, 0.5])]).unwrap();
        dwords::<4>(&wave, 0)
    };
    let line = "image_sample_lz v[16:19], v[0:1], s[8:15], s[16:19] dmask:0xf dim:SQ_RSRC_IMG_2D";
    let one = 1.0f32.to_bits();
    assert_eq!(of(DataFormat::F8_8_8_8_UNORM, BorderColor::OpaqueBlack, line), [0, one, one, 0]);
    assert_eq!(of(DataFormat::F8_8_8_8_UNORM, BorderColor::OpaqueWhite, line), [one, one, one, 0]);
    assert_eq!(of(DataFormat::F8_8_8_8_UINT, BorderColor::OpaqueWhite, line), [1, 1, 1, 0]);
    let line = "image_sample_lz v[16:17], v[0:1], s[8:15], s[16:19] dmask:0xf dim:SQ_RSRC_IMG_2D d16";
    assert_eq!(of(DataFormat::F8_8_8_8_SNORM, BorderColor::OpaqueWhite, line)[..2], [0x3C00_3C00, 0x3C00]);
    // Orders of the border's components, in bits 123:121: where alpha of opaque black goes.
    let line = "image_sample_lz v[16:19], v[0:1], s[8:15], s[16:19] dmask:0xf dim:SQ_RSRC_IMG_2D";
    for (swizzle, alpha) in [3, 1, 0, 0, 3, 2].into_iter().enumerate() {
        let mut words = Resource::new(ImageType::D2, DataFormat::F8_8_8_8_UNORM, 4, 4).words();
        words[3] |= (swizzle as u32) << 25;
        let sampler = Sampler { border: BorderColor::OpaqueBlack, ..Sampler::new(XyFilter::Point, Clamp::ClampBorder) };
        let wave = access(line, words, sampler, &memory, &[bits(&[-1.0, 0.5])]).unwrap();
        let expected: [u32; 4] = core::array::from_fn(|n| if n == alpha { one } else { 0 });
        assert_eq!(dwords::<4>(&wave, 0), expected, "{swizzle}");
    }
}

#[test]
fn srgb_is_linear_before_it_is_filtered() {
    let memory = memory(&[0, 255, 188, 128, 188, 10, 188, 255]);
    let [plane, flat] = [DataFormat::F8_8_8_8_SRGB, DataFormat::F8_8_8_8_UNORM]
        .map(|format| Resource::new(ImageType::D1, format, 2, 1));
    let of = |resource: Resource, at: f32, degamma| {
        let sampler = Sampler { degamma, ..Sampler::new(XyFilter::Bilinear, Clamp::ClampLastTexel) };
        let line = "image_sample_lz v[16:19], v0, s[8:15], s[16:19] dmask:0xf dim:SQ_RSRC_IMG_1D unorm";
        let wave = access(line, resource.words(), sampler, &memory, &[bits(&[at])]).unwrap();
        floats::<4>(&wave, 0)
    };
    let near = |found: [f32; 4], expected: [f64; 4]| {
        let all = found.into_iter().zip(expected);
        assert!(
            all.clone().all(|(found, expected)| (f64::from(found) - expected).abs() < 1e-6),
            "{found:?}, {expected:?}"
        );
    };
    // Tabulated values of the curve: 188 is 0.502886, 10 is 10/255/12.92. Alpha is not along it.
    let (half, dark) = (0.502_886_458, 10.0 / 255.0 / 12.92);
    near(of(plane, 0.5, [false; 2]), [0.0, 1.0, half, 128.0 / 255.0]);
    near(of(plane, 1.0, [false; 2]), [half / 2.0, (1.0 + dark) / 2.0, half, 383.0 / 510.0]);
    near(of(flat, 1.0, [true, false]), [half / 2.0, (1.0 + dark) / 2.0, half, 383.0 / 510.0]);
    near(of(plane, 0.5, [false, true]), [0.0, 1.0, 188.0 / 255.0, 128.0 / 255.0]);
    // Loads convert, and stores refuse.
    let point = Sampler::new(XyFilter::Point, Clamp::Wrap);
    let line = "image_load v[16:19], v0, s[8:15] dmask:0xf dim:SQ_RSRC_IMG_1D unorm";
    let wave = access(line, plane.words(), point, &memory, &[vec![1]]).unwrap();
    near(floats::<4>(&wave, 0), [half, dark, half, 1.0]);
    let line = "image_store v[16:19], v0, s[8:15] dmask:0xf dim:SQ_RSRC_IMG_1D unorm";
    let fault = access(line, plane.words(), point, &memory, &[vec![1]]).map(|_| ()).unwrap_err();
    assert!(matches!(&fault, FaultKind::Unsupported(error) if error.contains("sRGB")), "{fault:?}");
}

#[test]
fn gathers_return_four_texels_from_the_lower_left_on() {
    let resource = Resource::new(ImageType::D2, DataFormat::F8_8_UINT, 4, 4);
    let memory = image(&resource, 1, |[_, x, y, _]| vec![(16 * y + x) as u8, (100 + 16 * y + x) as u8]);
    // Filters do not matter, and integers may be gathered.
    let sampler = Sampler::new(XyFilter::Bilinear, Clamp::ClampLastTexel);
    let gather = |name: &str, mask: u32, registers: Vec<u32>| {
        let address = if registers.len() == 2 { "v[0:1]" } else { "v[0:2]" };
        let line = format!("image_{name} v[16:19], {address}, s[8:15], s[16:19] dmask:{mask:#x} dim:SQ_RSRC_IMG_2D");
        dwords::<4>(&access(&line, resource.words(), sampler, &memory, &[registers]).unwrap(), 0)
    };
    // The corner of the texels (1, 1), (2, 1), (1, 2), (2, 2).
    let corner = bits(&[0.5, 0.5]);
    assert_eq!(gather("gather4_lz", 1, corner.clone()), [33, 34, 18, 17]);
    assert_eq!(gather("gather4_lz", 2, corner.clone()), [133, 134, 118, 117]);
    // Selected: the format has no third component.
    assert_eq!(gather("gather4_lz", 4, corner.clone()), [0; 4]);
    assert_eq!(gather("gather4", 1, corner.clone()), [33, 34, 18, 17]);
    // One to the right, two up.
    let mut offset = vec![1 | (62 << 8)];
    offset.extend(&corner);
    assert_eq!(gather("gather4_lz_o", 1, offset), [2, 3, 3, 2]);
    // Four in a row, from the first texel of the square on.
    assert_eq!(gather("gather4h", 1, bits(&[0.25, 0.375])), [16, 17, 18, 19]);
    let line = "image_gather4_lz v[16:17], v[0:1], s[8:15], s[16:19] dmask:0x1 dim:SQ_RSRC_IMG_2D d16";
    let wave = access(line, resource.words(), sampler, &memory, &[corner]).unwrap();
    assert_eq!(dwords::<2>(&wave, 0), [34 << 16 | 33, 17 << 16 | 18]);
}

#[test]
fn comparisons_come_before_the_filter() {
    let (resource, memory) = row(&[0.25, 0.5, 0.75, 1.0]);
    let line = "image_sample_c_lz v16, v[0:1], s[8:15], s[16:19] dmask:0x1 dim:SQ_RSRC_IMG_1D unorm";
    let of = |compare, filter, reference: f32, at: f32| {
        let sampler = Sampler { compare, ..Sampler::new(filter, Clamp::ClampLastTexel) };
        let wave = access(line, resource.words(), sampler, &memory, &[bits(&[reference, at])]).unwrap();
        floats::<1>(&wave, 0)[0]
    };
    // The reference is on the left.
    let results =
        |reference| [0, 1, 2, 3, 4, 5, 6, 7].map(|code| of(Compare::from_bits(code), XyFilter::Point, reference, 1.5));
    assert_eq!(results(0.25), [0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0]);
    assert_eq!(results(0.5), [0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 1.0]);
    assert_eq!(results(0.75), [0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0]);
    assert_eq!(results(f32::NAN), [0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0]);
    // Three quarters of the second texel, for which it holds, and a quarter of the first one.
    assert_eq!(of(Compare::Less, XyFilter::Bilinear, 0.3, 1.25), 0.75);
    // The border takes part.
    let border = Sampler {
        compare: Compare::Less,
        border: BorderColor::OpaqueWhite,
        ..Sampler::new(XyFilter::Bilinear, Clamp::ClampBorder)
    };
    let wave = access(line, resource.words(), border, &memory, &[bits(&[0.6, 0.0])]).unwrap();
    assert_eq!(floats::<1>(&wave, 0), [0.5]);
    // Four results; the reference is no more than the format's largest number.
    let plane = Resource::new(ImageType::D2, DataFormat::F16_UNORM, 2, 2);
    let texels =
        image(&plane, 1, |[_, x, y, _]| [0u16, 0x8000, 0xFFFF, 0xFFFF][(2 * y + x) as usize].to_le_bytes().to_vec());
    let line = "image_gather4_c_lz v[16:19], v[0:2], s[8:15], s[16:19] dmask:0x1 dim:SQ_RSRC_IMG_2D";
    let sampler = Sampler { compare: Compare::Equal, ..Sampler::new(XyFilter::Point, Clamp::ClampLastTexel) };
    let wave = access(line, plane.words(), sampler, &texels, &[bits(&[1.5, 0.5, 0.5])]).unwrap();
    assert_eq!(floats::<4>(&wave, 0), [1.0, 1.0, 0.0, 0.0]);
}

/// A pyramid of four levels whose texels have the number of their level.
fn pyramid(ty: ImageType) -> (Resource, Regions) {
    let resource = Resource { levels: 4, last_level: 3, ..Resource::new(ty, DataFormat::F32_FLOAT, 8, 8) };
    let memory = image(&resource, 1, |[level, ..]| (level as f32).to_le_bytes().to_vec());
    (resource, memory)
}

#[test]
fn levels_of_detail_select_mip_levels() {
    let (resource, memory) = pyramid(ImageType::D2);
    let line = "image_sample_l v16, v[0:2], s[8:15], s[16:19] dmask:0x1 dim:SQ_RSRC_IMG_2D";
    let of = |resource: Resource, sampler, lod: f32| {
        let wave = access(line, resource.words(), sampler, &memory, &[bits(&[0.3, 0.4, lod])]).unwrap();
        floats::<1>(&wave, 0)[0]
    };
    let none = Sampler::new(XyFilter::Point, Clamp::Wrap);
    let point = Sampler { mip: LinearFilter::Point, ..none };
    let linear = Sampler { mip: LinearFilter::Linear, ..none };
    assert_eq!([-1.0, 0.4, 2.0, 9.0].map(|lod| of(resource, none, lod)), [0.0; 4]);
    assert_eq!([-1.0, 0.4, 0.6, 1.4, 2.0, 9.0].map(|lod| of(resource, point, lod)), [0.0, 0.0, 1.0, 1.0, 2.0, 3.0]);
    let blends = [-1.0, 0.0, 0.25, 1.0 + 1.0 / 256.0, 1.001, 2.5, 3.0, 7.7];
    let expected = [0.0, 0.0, 0.25, 1.0 + 1.0 / 256.0, 1.0, 2.5, 3.0, 3.0];
    assert_eq!(blends.map(|lod| of(resource, linear, lod)), expected);
    // The limits and the bias of the sampler, and those of the view.
    let limited = Sampler { min_lod: 0.5, max_lod: 1.75, ..linear };
    assert_eq!([0.0, 1.0, 3.0].map(|lod| of(resource, limited, lod)), [0.5, 1.0, 1.75]);
    assert_eq!([0.0, 1.0].map(|lod| of(resource, Sampler { bias: 0.5, ..linear }, lod)), [0.5, 1.5]);
    assert_eq!(of(resource, Sampler { bias: -1.0, ..linear }, 1.5), 0.5);
    assert_eq!(of(resource, Sampler { second_bias: -0.25, ..linear }, 1.5), 1.25);
    let view = Resource { base_level: 1, last_level: 2, ..resource };
    assert_eq!([0.0, 0.5, 5.0].map(|lod| of(view, linear, lod)), [1.0, 1.5, 2.0]);
    // The lower limit of the resource, 2.5 in bits 198:187, counts from its first level.
    for (resource, expected) in [(resource, [2.5, 3.0]), (Resource { base_level: 1, ..resource }, [2.5, 3.0])] {
        let mut words = resource.words();
        words[6] |= 0x280 >> 5;
        let found = [0.0, 3.0].map(|lod| {
            let wave = access(line, words, linear, &memory, &[bits(&[0.3, 0.4, lod])]).unwrap();
            floats::<1>(&wave, 0)[0]
        });
        assert_eq!(found, expected);
    }
    // Loads of levels.
    let line = "image_load_mip v16, v[0:2], s[8:15] dmask:0x1 dim:SQ_RSRC_IMG_2D unorm";
    let load = |x: u32, level: u32| {
        let wave = access(line, view.words(), none, &memory, &[vec![x, 0, level]]).unwrap();
        floats::<1>(&wave, 0)[0]
    };
    assert_eq!([load(3, 0), load(4, 0), load(1, 1), load(2, 1), load(0, 2)], [1.0, 0.0, 2.0, 0.0, 0.0]);
    // The largest level, regardless of the limits.
    let line = "image_sample_lz v16, v[0:1], s[8:15], s[16:19] dmask:0x1 dim:SQ_RSRC_IMG_2D";
    let wave = access(line, resource.words(), limited, &memory, &[bits(&[0.3, 0.4])]).unwrap();
    assert_eq!(floats::<1>(&wave, 0), [0.0]);
}

#[test]
fn the_level_of_detail_magnifies_or_minifies() {
    let (resource, memory) = row(&[0.0, 1.0, 0.0, 1.0]);
    let sampler = Sampler { mag: XyFilter::Bilinear, ..Sampler::new(XyFilter::Point, Clamp::Wrap) };
    let line = "image_sample_l v16, v[0:1], s[8:15], s[16:19] dmask:0x1 dim:SQ_RSRC_IMG_1D unorm";
    let of = |lod: f32| {
        let wave = access(line, resource.words(), sampler, &memory, &[bits(&[1.25, lod])]).unwrap();
        floats::<1>(&wave, 0)[0]
    };
    assert_eq!([of(-1.0), of(0.0), of(0.01), of(4.0)], [0.75, 0.75, 1.0, 1.0]);
}

#[test]
fn derivatives_give_the_level_of_detail() {
    let (resource, memory) = pyramid(ImageType::D2);
    let linear = Sampler { mip: LinearFilter::Linear, ..Sampler::new(XyFilter::Point, Clamp::Wrap) };
    let sample = |line: &str, registers: &[Vec<u32>]| {
        let wave = access(line, resource.words(), linear, &memory, registers).unwrap();
        (0..registers.len()).map(|lane| floats::<1>(&wave, lane)[0]).collect::<Vec<_>>()
    };
    // Two texels along the horizontal and one along the vertical; three and four texels make five.
    let line = "image_sample_d v16, v[0:5], s[8:15], s[16:19] dmask:0x1 dim:SQ_RSRC_IMG_2D";
    let straight = bits(&[0.25, 0.0, 0.0, 0.125, 0.5, 0.5]);
    let skewed = bits(&[0.375, -0.5, 0.0, 0.125, 0.5, 0.5]);
    let found = sample(line, &[straight.clone(), skewed]);
    assert_eq!(found[0], 1.0);
    assert!((found[1] - 5f32.log2()).abs() <= 1.0 / 512.0, "{found:?}");
    // In texels, as the coordinates are.
    let line = "image_sample_d v16, v[0:5], s[8:15], s[16:19] dmask:0x1 dim:SQ_RSRC_IMG_2D unorm";
    assert_eq!(sample(line, &[bits(&[2.0, 0.0, 0.0, 1.0, 4.0, 4.0])]), [1.0]);
    // A lower limit.
    let line = "image_sample_d_cl v16, v[0:6], s[8:15], s[16:19] dmask:0x1 dim:SQ_RSRC_IMG_2D";
    let clamped = |clamp: f32| [straight.clone(), bits(&[clamp])].concat();
    assert_eq!(sample(line, &[clamped(0.5), clamped(2.0)]), [1.0, 2.0]);
    // Halves, two in a register.
    let line = "image_sample_d_g16 v16, v[0:3], s[8:15], s[16:19] dmask:0x1 dim:SQ_RSRC_IMG_2D";
    let halves = vec![0x3400, 0x3000_0000, 0.5f32.to_bits(), 0.5f32.to_bits()];
    assert_eq!(sample(line, &[halves]), [1.0]);
    // The differences in a quad: the second lane is a quarter to the right, the third an eighth below. All four lanes have the level.
    let quad: Vec<Vec<u32>> =
        [[0.125, 0.125], [0.375, 0.125], [0.125, 0.25], [0.9, 0.9]].iter().map(|at| bits(at)).collect();
    let line = "image_sample v16, v[0:1], s[8:15], s[16:19] dmask:0x1 dim:SQ_RSRC_IMG_2D";
    assert_eq!(sample(line, &quad), [1.0; 4]);
    let biased: Vec<Vec<u32>> = quad.iter().map(|at| [bits(&[0.5]), at.clone()].concat()).collect();
    let line = "image_sample_b v16, v[0:2], s[8:15], s[16:19] dmask:0x1 dim:SQ_RSRC_IMG_2D";
    assert_eq!(sample(line, &biased), [1.5; 4]);
    let limited: Vec<Vec<u32>> = quad.iter().map(|at| [at.clone(), bits(&[1.25])].concat()).collect();
    let line = "image_sample_cl v16, v[0:2], s[8:15], s[16:19] dmask:0x1 dim:SQ_RSRC_IMG_2D";
    assert_eq!(sample(line, &limited), [1.25; 4]);
    // The level itself, within limits and without.
    let line = "image_get_lod v[16:17], v[0:1], s[8:15], s[16:19] dmask:0x3 dim:SQ_RSRC_IMG_2D";
    let sampler = Sampler { min_lod: 1.5, ..linear };
    let wave = access(line, resource.words(), sampler, &memory, &quad).unwrap();
    assert_eq!(floats::<2>(&wave, 2), [1.5, 1.0]);
    // Nothing changes in a quad: the logarithm of zero.
    let wave = access(line, resource.words(), linear, &memory, &vec![bits(&[0.5, 0.5]); 4]).unwrap();
    assert_eq!(floats::<2>(&wave, 0), [0.0, f32::NEG_INFINITY]);
}

#[test]
fn offsets_and_layers_move_a_sample() {
    let resource = Resource { depth: 3, ..Resource::new(ImageType::D2Array, DataFormat::F32_FLOAT, 4, 4) };
    let memory = image(&resource, 4, |[_, x, y, layer]| ((100 * layer + 10 * y + x) as f32).to_le_bytes().to_vec());
    let point = Sampler::new(XyFilter::Point, Clamp::ClampLastTexel);
    let line = "image_sample_lz_o v16, v[0:3], s[8:15], s[16:19] dmask:0x1 dim:SQ_RSRC_IMG_2D_ARRAY";
    let of = |resource: Resource, x: i32, y: i32, layer: f32| {
        let offsets = (x as u32 & 63) | (y as u32 & 63) << 8;
        let registers = [vec![offsets], bits(&[0.375, 0.375, layer])].concat();
        let wave = access(line, resource.words(), point, &memory, &[registers]).unwrap();
        floats::<1>(&wave, 0)[0]
    };
    // The texel (1, 1). Layers are rounded to the even one of two, and clamped.
    assert_eq!(of(resource, 0, 0, 0.0), 11.0);
    assert_eq!(of(resource, 1, -1, 1.0), 102.0);
    assert_eq!(of(resource, -32, 31, 3.0), 330.0);
    assert_eq!(
        [0.5, 1.5, 2.4, -3.0, 9.0, f32::NAN].map(|layer| of(resource, 0, 0, layer)),
        [11.0, 211.0, 211.0, 11.0, 311.0, 11.0]
    );
    let view = Resource { first_layer: 2, ..resource };
    assert_eq!([0.0, 1.0, 2.0].map(|layer| of(view, 0, 0, layer)), [211.0, 311.0, 311.0]);
    // Coordinates of 16 bits: 0.375 twice, then the layer.
    let line = "image_sample_lz v16, v[0:1], s[8:15], s[16:19] dmask:0x1 dim:SQ_RSRC_IMG_2D_ARRAY a16";
    let wave = access(line, resource.words(), point, &memory, &[vec![0x3600_3600, 0x4000]]).unwrap();
    assert_eq!(floats::<1>(&wave, 0), [211.0]);
}

#[test]
fn volumes_have_a_filter_of_their_own() {
    let resource = Resource { depth: 3, ..Resource::new(ImageType::D3, DataFormat::F32_FLOAT, 4, 4) };
    let memory = image(&resource, 4, |[_, x, y, z]| ((100 * z + 10 * y + x) as f32).to_le_bytes().to_vec());
    let line = "image_sample_lz v16, v[0:2], s[8:15], s[16:19] dmask:0x1 dim:SQ_RSRC_IMG_3D unorm";
    let of = |xy, z| {
        let sampler = Sampler { z, ..Sampler::new(xy, Clamp::ClampLastTexel) };
        let wave = access(line, resource.words(), sampler, &memory, &[bits(&[1.75, 2.25, 2.75])]).unwrap();
        floats::<1>(&wave, 0)[0]
    };
    assert_eq!(of(XyFilter::Point, LinearFilter::None), 221.0);
    assert_eq!(of(XyFilter::Bilinear, LinearFilter::None), 225.0 + 17.5 + 1.25);
    assert_eq!(of(XyFilter::Point, LinearFilter::Linear), 246.0);
    assert_eq!(of(XyFilter::Bilinear, LinearFilter::Point), 200.0 + 17.5 + 1.25);
}

#[test]
fn cubes_filter_across_their_edges() {
    // Each face has its number, times ten, and each texel of a face its column plus four times its row, over 100.
    let resource = Resource { depth: 11, ..Resource::new(ImageType::Cube, DataFormat::F32_FLOAT, 4, 4) };
    let value = |face: u32, x: u32, y: u32| (10 * face) as f32 + (x + 4 * y) as f32 / 100.0;
    let memory = image(&resource, 12, |[_, x, y, face]| value(face, x, y).to_le_bytes().to_vec());
    let line = "image_sample_lz v16, v[0:2], s[8:15], s[16:19] dmask:0x1 dim:SQ_RSRC_IMG_CUBE";
    let of = |sampler, s: f32, t: f32, face: f32| {
        // Coordinates of a face are in [1, 2].
        let registers = bits(&[1.0 + s, 1.0 + t, face]);
        let wave = access(line, resource.words(), sampler, &memory, &[registers]).unwrap();
        floats::<1>(&wave, 0)[0]
    };
    let point = Sampler::new(XyFilter::Point, Clamp::ClampLastTexel);
    let linear = Sampler::new(XyFilter::Bilinear, Clamp::ClampLastTexel);
    assert_eq!(of(point, 0.4, 0.9, 2.0), value(2, 1, 3));
    // The second cube: eight numbers further, six faces.
    assert_eq!(of(point, 0.4, 0.9, 11.0), value(9, 1, 3));
    let mean = |texels: &[(u32, u32, u32)]| {
        texels.iter().map(|(face, x, y)| value(*face, *x, *y)).sum::<f32>() / texels.len() as f32
    };
    let near = |found: f32, expected: f32| assert!((found - expected).abs() < 1e-5, "{found} is not {expected}");
    // The edges between faces, at the middle of two rows or columns: the texels of either side.
    // The right edge of +Z is the left one of +X.
    near(of(linear, 1.0, 0.5, 4.0), mean(&[(4, 3, 1), (4, 3, 2), (0, 0, 1), (0, 0, 2)]));
    near(of(linear, 0.0, 0.5, 0.0), mean(&[(4, 3, 1), (4, 3, 2), (0, 0, 1), (0, 0, 2)]));
    // The upper edge of +Z is the lower one of +Y, the lower one the upper one of -Y.
    near(of(linear, 0.5, 0.0, 4.0), mean(&[(4, 1, 0), (4, 2, 0), (2, 1, 3), (2, 2, 3)]));
    near(of(linear, 0.5, 1.0, 4.0), mean(&[(4, 1, 3), (4, 2, 3), (3, 1, 0), (3, 2, 0)]));
    // The right edge of +Y is the upper one of +X, which runs from front to back.
    near(of(linear, 1.0, 0.375, 2.0), mean(&[(2, 3, 1), (0, 2, 0)]));
    // The left edge of -Z is the right one of +X, its right one the left one of -X.
    near(of(linear, 0.0, 0.5, 5.0), mean(&[(5, 0, 1), (5, 0, 2), (0, 3, 1), (0, 3, 2)]));
    near(of(linear, 1.0, 0.5, 5.0), mean(&[(5, 3, 1), (5, 3, 2), (1, 0, 1), (1, 0, 2)]));
    // Three faces meet in a corner: the fourth texel is the mean of the others.
    near(of(linear, 1.0, 0.0, 4.0), mean(&[(4, 3, 0), (0, 0, 0), (2, 3, 3)]));
    // Without seams, faces clamp.
    let separate = Sampler { disable_cube_wrap: true, ..linear };
    near(of(separate, 1.0, 0.5, 4.0), mean(&[(4, 3, 1), (4, 3, 2)]));
}

#[test]
fn the_status_follows_the_data() {
    let resource = Resource::new(ImageType::D1, DataFormat::F32_FLOAT, 1 << 17 >> 3, 1);
    let memory = {
        let mut memory = Regions::new();
        memory.map(BASE, 256).expect("a region");
        memory.write(BASE, &7.0f32.to_le_bytes()).expect("mapped memory");
        memory
    };
    let point = Sampler::new(XyFilter::Point, Clamp::ClampLastTexel);
    let line = "image_sample_lz v[16:17], v0, s[8:15], s[16:19] dmask:0x1 dim:SQ_RSRC_IMG_1D unorm tfe";
    let wave = access(line, resource.words(), point, &memory, &[bits(&[0.5]), bits(&[64.5])]).unwrap();
    assert_eq!((dwords::<2>(&wave, 0), dwords::<2>(&wave, 1)), ([7.0f32.to_bits(), 0], [0, 1]));
    let line = "image_sample_lz v16, v0, s[8:15], s[16:19] dmask:0x1 dim:SQ_RSRC_IMG_1D unorm";
    let fault = access(line, resource.words(), point, &memory, &[bits(&[64.5])]).map(|_| ()).unwrap_err();
    assert_eq!(fault, FaultKind::Unmapped { address: BASE + 256, store: false });
    // The level is below the one to warn of, 1.5 in bits 179:168 of the resource; the requested level is 0.
    let mut words = resource.words();
    words[5] |= 0x180 << 8;
    let line = "image_sample_lz v[16:17], v0, s[8:15], s[16:19] dmask:0x1 dim:SQ_RSRC_IMG_1D unorm lwe";
    let wave = access(line, words, point, &memory, &[bits(&[0.5])]).unwrap();
    assert_eq!(dwords::<2>(&wave, 0), [7.0f32.to_bits(), 2]);
    // An unbound resource reads as zero.
    let wave = access(line, [0; 8], point, &memory, &[vec![0; 20]]).unwrap();
    assert_eq!(dwords::<2>(&wave, 0), [0, 0]);
}

#[test]
fn samples_that_are_not_executed_are_errors() {
    let memory = memory(&[]);
    let plane = Resource::new(ImageType::D2, DataFormat::F8_8_8_8_UNORM, 4, 4);
    let error = |line: &str, words, sampler| match access(line, words, sampler, &memory, &[bits(&[-1.0, 0.5])]) {
        Err(FaultKind::Unsupported(error)) => error,
        other => panic!("{:?}", other.map(|_| ())),
    };
    let line = "image_sample v16, v[0:1], s[8:15], s[16:19] dmask:0x1 dim:SQ_RSRC_IMG_2D";
    let linear = Sampler::new(XyFilter::Bilinear, Clamp::ClampBorder);
    let aniso = Sampler { max_aniso: 2, ..Sampler::new(XyFilter::AnisoLinear, Clamp::Wrap) };
    assert!(error(line, plane.words(), aniso).contains("anisotropic"));
    assert!(error(line, plane.words(), Sampler { border: BorderColor::Register, ..linear }).contains("border"));
    let integers = Resource { format: DataFormat::F8_UINT, ..plane };
    assert!(error(line, integers.words(), linear).contains("integers"));
    let levels = Resource { levels: 2, last_level: 1, ..integers };
    let blending = Sampler { mip: LinearFilter::Linear, ..Sampler::new(XyFilter::Point, Clamp::Wrap) };
    assert!(error(line, levels.words(), blending).contains("integers"));
    let mut tiled = plane.words();
    tiled[3] |= 1 << 20;
    assert!(error(line, tiled, linear).contains("tiled"));
    assert!(error(line, Resource { format: DataFormat::BC1_UNORM, ..plane }.words(), linear).contains("format"));
    // A shared exponent, and texels that share a byte.
    for format in [DataFormat::F5_9_9_9_FLOAT, DataFormat::F1_UNORM] {
        assert!(error(line, Resource { format, ..plane }.words(), linear).contains("format"));
    }
    assert!(error(line, Resource { ty: ImageType::D3, ..plane }.words(), linear).contains("dimensions"));
    // What remains outside the machine says what it is.
    let outside = |line: &str| match access(line, plane.words(), linear, &memory, &[vec![]]) {
        Err(FaultKind::External(reason)) => reason,
        other => panic!("{:?}", other.map(|_| ())),
    };
    assert!(outside("image_bvh_intersect_ray v[16:19], v[0:10], s[8:11]").contains("ray"));
    let line = "image_msaa_load v[16:19], v[0:2], s[8:15] dmask:0x1 dim:SQ_RSRC_IMG_2D_MSAA";
    assert!(outside(line).contains("several samples"));
}

#[test]
fn any_descriptors_and_coordinates_end_in_texels_or_errors() {
    let mut random = Random(11);
    let memory = memory(&[0x55; 4096]);
    let lines = [
        "image_sample_l_o v[16:19], v[0:3], s[8:15], s[16:19] dmask:0xf dim:SQ_RSRC_IMG_2D",
        "image_sample v[16:20], v[0:2], s[8:15], s[16:19] dmask:0xf dim:SQ_RSRC_IMG_3D tfe",
        "image_sample_c_d_cl_o v[16:17], v[0:8], s[8:15], s[16:19] dmask:0xf dim:SQ_RSRC_IMG_2D d16",
        "image_sample_b v[16:20], v[0:3], s[8:15], s[16:19] dmask:0xf dim:SQ_RSRC_IMG_CUBE tfe",
        "image_gather4 v[16:20], v[0:2], s[8:15], s[16:19] dmask:0x4 dim:SQ_RSRC_IMG_CUBE tfe",
        "image_gather4h v[16:20], v[0:2], s[8:15], s[16:19] dmask:0x1 dim:SQ_RSRC_IMG_2D_ARRAY tfe",
        "image_sample_lz v[16:20], v[0:1], s[8:15], s[16:19] dmask:0xf dim:SQ_RSRC_IMG_1D_ARRAY unorm tfe",
        "image_get_lod v[16:17], v0, s[8:15], s[16:19] dmask:0x3 dim:SQ_RSRC_IMG_1D",
        "image_get_resinfo v[16:19], v0, s[8:15] dmask:0xf dim:SQ_RSRC_IMG_2D",
        "image_load_mip v[16:20], v[0:3], s[8:15] dmask:0xf dim:SQ_RSRC_IMG_3D unorm tfe",
    ];
    let types = [9, 10, 9, 11, 11, 13, 12, 8, 13, 10];
    let mut executed = 0;
    for (line, ty) in lines.into_iter().zip(types) {
        // Formats that are converted, where each generation has them.
        for (program, format_at) in [(program(&[line], rdna3::Wave::W32), 20), (rdna4_program(&rdna4_line(line)), 17)] {
            for _ in 0..300 {
                let descriptors = [0; 12].map(|_: u32| random.dword());
                let wave = run(&program, &memory, |wave| {
                    for (register, word) in (8..).zip(descriptors) {
                        wave.set_sgpr(register, word);
                    }
                    // The type that the instruction states, and no tiles.
                    let format = [22, 42, 43, 63, 13, 46][random.next() as usize % 6];
                    let others = !(0xFF << format_at) & !0xFF;
                    wave.set_sgpr(8, (BASE >> 8) as u32);
                    wave.set_sgpr(9, descriptors[1] & others & 0xF00F_F000 | format << format_at);
                    wave.set_sgpr(11, descriptors[3] & 0x0E0F_FFFF | ty << 28);
                    for register in 0..12 {
                        for lane in 0..32 {
                            wave.set_vgpr(register, lane, random.dword());
                        }
                    }
                });
                executed += u32::from(wave.is_ok());
            }
        }
    }
    assert!(executed > 2000, "{executed} samples");
}

/// A texel with its weight: column, row and layer, `None` in the border.
type Weighted = (Option<[u32; 3]>, f64);

/// The texels along an axis, by Vulkan's equations: `i = wrap(floor(u - 1/2))` with the fraction as the weight, or `floor(u)`.
fn along(clamp: Clamp, linear: bool, u: f64, size: u32, offset: i32) -> Vec<(Option<u32>, f64)> {
    let n = f64::from(size);
    let u = u + f64::from(offset);
    let u = match clamp {
        // Clamped to the image before the border's half.
        Clamp::ClampHalfBorder => u.max(0.0).min(n),
        Clamp::MirrorOnceHalfBorder => u.abs().min(n),
        _ => u,
    };
    let mirror = |i: f64| if i >= 0.0 { i } else { -(1.0 + i) };
    let wrap = |i: f64| -> Option<u32> {
        let inside = |i: f64| ((0.0..n).contains(&i)).then_some(i as u32);
        let edge = |i: f64| Some(i.max(0.0).min(n - 1.0) as u32);
        match clamp {
            Clamp::Wrap => Some(i.rem_euclid(n) as u32),
            Clamp::Mirror => Some(((n - 1.0) - mirror(i.rem_euclid(2.0 * n) - n)) as u32),
            Clamp::ClampLastTexel => edge(i),
            Clamp::MirrorOnceLastTexel => edge(mirror(i)),
            Clamp::ClampHalfBorder if !linear => edge(i),
            Clamp::MirrorOnceHalfBorder if !linear => edge(mirror(i)),
            Clamp::ClampHalfBorder | Clamp::ClampBorder => inside(i),
            Clamp::MirrorOnceHalfBorder | Clamp::MirrorOnceBorder => inside(mirror(i)),
        }
    };
    if !linear {
        return vec![(wrap(u.floor()), 1.0)];
    }
    let first = (u - 0.5).floor();
    let weight = u - 0.5 - first;
    vec![(wrap(first), 1.0 - weight), (wrap(first + 1.0), weight)]
}

/// A random image and sampler.
struct Case {
    resource: Resource,
    layers: u32,
    sampler: Sampler,
    /// The components of all texels, by level, layer, row and column.
    texels: Vec<Vec<[f64; 4]>>,
    memory: Regions,
}

const TYPES: [(ImageType, &str, usize); 5] = [
    (ImageType::D1, "1D", 1),
    (ImageType::D2, "2D", 2),
    (ImageType::D3, "3D", 3),
    (ImageType::D1Array, "1D_ARRAY", 2),
    (ImageType::D2Array, "2D_ARRAY", 3),
];

impl Case {
    fn random(random: &mut Random, kind: usize) -> Self {
        let mut below = |n: u64| (random.next() >> 20) % n;
        let (ty, ..) = TYPES[kind];
        let formats = [DataFormat::F8_8_8_8_UNORM, DataFormat::F16_16_SNORM, DataFormat::F32_32_32_32_FLOAT];
        let format = formats[below(3) as usize];
        let is_row = matches!(ty, ImageType::D1 | ImageType::D1Array);
        let (width, height) = (1 + below(9) as u32, if is_row { 1 } else { 1 + below(7) as u32 });
        let layers = if matches!(ty, ImageType::D1 | ImageType::D2) { 1 } else { 1 + below(5) as u32 };
        let levels = 1 + below(4) as u32;
        let base_level = below(levels.into()) as u32;
        let last_level = base_level + below(u64::from(levels - base_level)) as u32;
        // The field is the pitch of images without layers.
        let depth = layers - 1;
        let resource = Resource { depth, levels, base_level, last_level, ..Resource::new(ty, format, width, height) };
        let clamp = |code: u64| Clamp::from_bits(code as u8);
        let filter = |code: u64| if code == 0 { XyFilter::Point } else { XyFilter::Bilinear };
        let level_filter = |code: u64| LinearFilter::from_bits(code as u8);
        let border = [BorderColor::TransparentBlack, BorderColor::OpaqueBlack, BorderColor::OpaqueWhite];
        let sampler = Sampler {
            clamps: [0; 3].map(|_| clamp(below(8))),
            min: filter(below(2)),
            z: level_filter(below(3)),
            mip: level_filter(below(3)),
            border: border[below(3) as usize],
            min_lod: below(3) as f32 / 4.0,
            max_lod: 1.0 + below(12) as f32 / 4.0,
            bias: below(9) as f32 / 4.0 - 1.0,
            ..Sampler::new(filter(below(2)), Clamp::Wrap)
        };
        let mut texels = vec![Vec::new(); levels as usize];
        let memory = image(&resource, layers, |[level, ..]| {
            let (bytes, texel) = match format {
                DataFormat::F8_8_8_8_UNORM => {
                    let bytes = [0; 4].map(|_| below(256) as u8);
                    (bytes.to_vec(), bytes.map(|byte| f64::from(byte) / 255.0))
                }
                DataFormat::F16_16_SNORM => {
                    let numbers = [0; 2].map(|_| below(1 << 16) as u16 as i16);
                    let [r, g] = numbers.map(|number| (f64::from(number) / 32767.0).max(-1.0));
                    (numbers.iter().flat_map(|number| number.to_le_bytes()).collect(), [r, g, 0.0, 0.0])
                }
                _ => {
                    let numbers = [0; 4].map(|_| below(2048) as f32 / 1024.0 - 1.0);
                    (numbers.iter().flat_map(|number| number.to_le_bytes()).collect(), numbers.map(f64::from))
                }
            };
            texels[level as usize].push(texel);
            bytes
        });
        Case { resource, layers, sampler, texels, memory }
    }

    fn size(&self, level: u32) -> [u32; 3] {
        let size = |size: u32| (size >> level).max(1);
        let layers = if self.resource.ty == ImageType::D3 { size(self.layers) } else { self.layers };
        [size(self.resource.width), size(self.resource.height), layers]
    }

    /// The components that a load of a texel returns.
    fn texel(&self, level: u32, at: Option<[u32; 3]>) -> [f64; 4] {
        let Some([x, y, layer]) = at else {
            let border = match self.sampler.border {
                BorderColor::OpaqueBlack => [0.0, 0.0, 0.0, 1.0],
                BorderColor::OpaqueWhite => [1.0; 4],
                _ => [0.0; 4],
            };
            return border;
        };
        let [width, height, _] = self.size(level);
        self.texels[level as usize][((layer * height + y) * width + x) as usize]
    }

    /// The result of a sample at a level of detail before limits, and the most that 8 fractional bits change in it.
    fn sample(&self, at: [f64; 3], offsets: [i32; 3], lod: f64) -> ([f64; 4], f64) {
        let sampler = &self.sampler;
        let lod = (lod + f64::from(sampler.bias)).clamp(sampler.min_lod.into(), sampler.max_lod.into());
        let last = self.resource.last_level - self.resource.base_level;
        let levels: Vec<(u32, f64)> = match sampler.mip {
            LinearFilter::Linear => {
                let level = lod.floor();
                vec![(level as u32, 1.0 - (lod - level)), (level as u32 + 1, lod - level)]
            }
            LinearFilter::Point => vec![((lod + 0.5).floor() as u32, 1.0)],
            _ => vec![(0, 1.0)],
        };
        let filter = if lod <= 0.0 { sampler.mag } else { sampler.min };
        let linear = filter == XyFilter::Bilinear;
        let linear_z = if sampler.z == LinearFilter::None { linear } else { sampler.z == LinearFilter::Linear };
        let mut sum = [0.0; 4];
        for (level, weight) in levels {
            let level = level.min(last) + self.resource.base_level;
            let [width, height, depth] = self.size(level);
            let axis = |n: usize, size: u32, linear| {
                along(sampler.clamps[n], linear, at[n] * f64::from(size), size, offsets[n])
            };
            let columns = axis(0, width, linear);
            let (mut rows, mut layers) = (vec![(Some(0), 1.0)], vec![(Some(0), 1.0)]);
            let slice = at[2].round_ties_even().clamp(0.0, f64::from(depth - 1)) as u32;
            match self.resource.ty {
                ImageType::D1 => {}
                ImageType::D1Array => layers = vec![(Some(slice), 1.0)],
                ImageType::D2 => rows = axis(1, height, linear),
                ImageType::D2Array => (rows, layers) = (axis(1, height, linear), vec![(Some(slice), 1.0)]),
                _ => (rows, layers) = (axis(1, height, linear), axis(2, depth, linear_z)),
            }
            let mut all: Vec<Weighted> = Vec::new();
            for (x, in_x) in &columns {
                for (y, in_y) in &rows {
                    for (z, in_z) in &layers {
                        let at = x.zip(*y).zip(*z).map(|((x, y), z)| [x, y, z]);
                        all.push((at, weight * in_x * in_y * in_z));
                    }
                }
            }
            for (at, weight) in all {
                let texel = self.texel(level, at);
                sum.iter_mut().zip(texel).for_each(|(sum, component)| *sum += weight * component);
            }
        }
        // Weights are off by half a unit in each of up to four directions, and components differ by two at most.
        (sum, 4.0 * 2.0 / 512.0)
    }

    /// Whether rounding to 8 bits may select another texel or level: then the results are not near each other.
    fn is_at_an_edge(&self, at: [f64; 3], lod: f64) -> bool {
        let near = |x: f64| (x - x.round()).abs() < 1.0 / 200.0;
        let lod = lod + f64::from(self.sampler.bias);
        let levels = near(lod) || near(lod + 0.5);
        let points = (0..self.resource.levels)
            .any(|level| at.iter().zip(self.size(level)).any(|(at, size)| near(at * f64::from(size))));
        levels || points || near(at[2] + 0.5)
    }
}

#[test]
fn random_samples_are_those_of_the_specification() {
    let mut random = Random(0x5EED);
    let mut compared = 0;
    for round in 0..400 {
        let kind = round % TYPES.len();
        let case = Case::random(&mut random, kind);
        let (_, dim, coordinates) = TYPES[kind];
        let is_array = dim.ends_with("ARRAY");
        let count = coordinates + 2;
        let line =
            format!("image_sample_l_o v[16:19], v[0:{}], s[8:15], s[16:19] dmask:0xf dim:SQ_RSRC_IMG_{dim}", count - 1);
        let mut lanes = Vec::new();
        for _ in 0..16 {
            let mut number = |low: f32, high: f32| low + (random.next() >> 40) as f32 / (1 << 24) as f32 * (high - low);
            let mut at = [number(-2.5, 3.0), number(-2.5, 3.0), number(-2.5, 3.0)];
            if is_array {
                at[coordinates - 1] = number(-1.0, 6.0);
            }
            let lod = number(-1.5, 4.0);
            let offsets = [0; 3].map(|_| (random.next() >> 30) as u8 as i32 % 64 - 32);
            lanes.push((at, offsets, lod));
        }
        let registers: Vec<Vec<u32>> = lanes
            .iter()
            .map(|(at, offsets, lod)| {
                let packed = offsets.iter().rev().fold(0, |packed, offset| packed << 8 | (*offset as u32 & 63));
                let mut words = vec![packed];
                words.extend(bits(&at[..coordinates]));
                words.push(lod.to_bits());
                words
            })
            .collect();
        let wave = access(&line, case.resource.words(), case.sampler, &case.memory, &registers).unwrap();
        for (lane, (at, offsets, lod)) in lanes.into_iter().enumerate() {
            let [s, t, r] = at.map(f64::from);
            let at = match dim {
                "1D" => [s, 0.25, 0.25],
                "2D" => [s, t, 0.25],
                "1D_ARRAY" => [s, 0.25, t],
                _ => [s, t, r],
            };
            if case.is_at_an_edge(at, lod.into()) {
                continue;
            }
            let (expected, bound) = case.sample(at, offsets, lod.into());
            let found = floats::<4>(&wave, lane);
            let has = if case.resource.format == DataFormat::F16_16_SNORM { 2 } else { 4 };
            for (found, expected) in found.into_iter().zip(expected).take(has) {
                let difference = (f64::from(found) - expected).abs();
                assert!(
                    difference <= bound,
                    "{round}, {dim}, {at:?}, {:?} {:?} {offsets:?} lod {lod}: {found}, not {expected}",
                    case.resource.words(),
                    case.sampler.clamps
                );
            }
            compared += 1;
        }
    }
    assert!(compared > 3000, "{compared} samples");
}

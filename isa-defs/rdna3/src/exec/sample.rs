//! Samples: the level of detail, and the texels that a sampler selects with their weights. Guide §10.3, §10.4, §10.6.
//!
//! The guide lists the modes of the sampler and does not define them: they are those of Vulkan and Direct3D. Coordinates, weights and
//! levels of detail have 8 fractional bits, as the hardware's have; docs/reference/disagreements.md lists what else is assumed.

use isa_exec::descriptor::{Comparison, Detail, Gather, Number, Reduction, Sample, SampleRequest, Tap};
use isa_exec::num::{self, FloatMode, Format};
use rdna_facts::address::image::TexelOffsets;
use rdna_facts::descriptor::sampler::{
    BorderColor, Clamp, Compare, FilterMode, LinearFilter, MaxAniso, SamplerValues, XyFilter,
};
use rdna_facts::operands::{IMAGE_DIMS, ImageDim};

use super::image::{Extent, Linear};
use super::resources::Resources;

/// The fractional bits of coordinates and levels of detail, as a factor.
const UNITS: i64 = 256;

/// Coordinates in units beyond this are as far outside of any image: 2^14 texels and an offset.
const FAR: f64 = (1_i64 << 40) as f64;

/// The faces of a cube.
const FACES: u64 = 6;

/// A coordinate or level as the nearest number of units; 0 for NaN.
fn units(value: f64) -> i64 {
    floor(value * UNITS as f64 + 0.5)
}

/// The greatest integer that is not above a number, within [`FAR`]; 0 for NaN.
fn floor(value: f64) -> i64 {
    let value = value.clamp(-FAR, FAR);
    let near = value as i64;
    if (near as f64) > value { near - 1 } else { near }
}

/// The nearest integer, the even one of two; 0 for what is negative or NaN.
fn layer(value: f64) -> u64 {
    f64::from_bits(num::rndne(Format::F64, FloatMode::IEEE, value.to_bits())) as u64
}

fn log2(value: f64) -> f64 {
    f64::from_bits(num::log2(Format::F64, FloatMode::IEEE, value.to_bits()))
}

/// A texel along an axis: its number, or `None` in the border; and its weight in units.
type AxisTap = (Option<u64>, i64);

/// The texels along an axis: one or two of a filter, or four of a gather in a row.
type AxisTaps = [AxisTap; 4];

/// How texels along an axis are found.
#[derive(Clone, Copy)]
struct Axis {
    /// The coordinate in texels of the level, with the offset.
    at: f64,
    /// The texels of the level.
    size: u64,
    mode: Clamp,
    filter: Filter,
}

/// How the texels of an axis are chosen.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Filter {
    /// The texel that has the coordinate. If true, coordinates are not rounded before.
    Point(bool),
    /// The two texels whose centres are next to the coordinate.
    Linear,
    /// The first of these two and the three after it.
    Row,
}

impl Axis {
    /// An axis that the image lacks.
    const NONE: Axis = Axis { at: 0.0, size: 1, mode: Clamp::ClampLastTexel, filter: Filter::Point(true) };

    /// The number of the first texel, which may be outside of the image, and the weight of the second one in units.
    fn first(&self) -> (i64, i64) {
        let size = self.size as f64;
        // Repeated images are reduced to one while coordinates are exact; infinities have no place in them.
        let at = match self.mode {
            Clamp::Wrap => self.at % size,
            Clamp::Mirror => self.at % (2.0 * size),
            Clamp::ClampHalfBorder => self.at.clamp(0.0, size),
            Clamp::MirrorOnceHalfBorder => self.at.abs().clamp(0.0, size),
            _ => self.at,
        };
        match self.filter {
            Filter::Point(true) => (floor(at), 0),
            Filter::Point(false) => (units(at).div_euclid(UNITS), 0),
            Filter::Linear | Filter::Row => {
                let corner = units(at) - UNITS / 2;
                (corner.div_euclid(UNITS), corner.rem_euclid(UNITS))
            }
        }
    }

    /// A texel of the image, or the border.
    fn texel(&self, index: i64) -> Option<u64> {
        let size = self.size as i64;
        let once = if index < 0 { -1 - index } else { index };
        let inside = |index: i64| (0..size).contains(&index).then_some(index as u64);
        let last = |index: i64| Some(index.clamp(0, size - 1) as u64);
        let is_point = matches!(self.filter, Filter::Point(_));
        match self.mode {
            Clamp::Wrap => Some(index.rem_euclid(size) as u64),
            Clamp::Mirror => {
                let index = index.rem_euclid(2 * size);
                Some(index.min(2 * size - 1 - index) as u64)
            }
            Clamp::ClampLastTexel => last(index),
            Clamp::MirrorOnceLastTexel => last(once),
            // Half of the border and half of the last texel: a point is in the texel.
            Clamp::ClampHalfBorder if is_point => last(index),
            Clamp::MirrorOnceHalfBorder if is_point => last(once),
            Clamp::ClampHalfBorder | Clamp::ClampBorder => inside(index),
            Clamp::MirrorOnceHalfBorder | Clamp::MirrorOnceBorder => inside(once),
        }
    }

    /// The texels of the axis with `of` to place them, and how many there are.
    fn taps(&self, of: impl Fn(i64) -> Option<u64>) -> (AxisTaps, usize) {
        let (first, fraction) = self.first();
        let at = |nth: i64, weight| (of(first + nth), weight);
        match self.filter {
            Filter::Point(_) => ([at(0, UNITS), (None, 0), (None, 0), (None, 0)], 1),
            Filter::Linear => ([at(0, UNITS - fraction), at(1, fraction), (None, 0), (None, 0)], 2),
            Filter::Row => ([at(0, UNITS), at(1, UNITS), at(2, UNITS), at(3, UNITS)], 4),
        }
    }
}

/// The texels of a sample (guide §10.3).
pub(super) fn sample<R: Resources>(request: &SampleRequest) -> Result<Sample, &'static str> {
    let Some(mut image) = Linear::new::<R>(request.resource, request.dim)? else { return Ok(Sample::NONE) };
    let Some(dim) = IMAGE_DIMS.get(usize::from(request.dim)).map(|facts| facts.dim) else { return Ok(Sample::NONE) };
    // The view ends before its first layer.
    if image.view.extent(0).depth == 0 {
        return Ok(Sample::NONE);
    }
    let (sampler, limits) = R::sampler(request.sampler);
    image.number = match image.number {
        Number::Srgb if sampler.skip_degamma => Number::Unorm,
        Number::Unorm if sampler.force_degamma && image.components.iter().all(|all| matches!(all.bits, 0 | 8)) => {
            Number::Srgb
        }
        number => number,
    };
    let is_anisotropic = |filter| matches!(filter, XyFilter::AnisoPoint | XyFilter::AnisoLinear);
    if matches!(request.detail, Detail::Gradients(_))
        && request.gather.is_none()
        && sampler.max_aniso_ratio != MaxAniso::R1
        && [sampler.xy_mag_filter, sampler.xy_min_filter].into_iter().any(is_anisotropic)
    {
        return Err("the sampler filters anisotropically; point and bilinear filters are supported");
    }
    let sampling = Sampling { request, sampler, limits, dim, image };
    let lods = sampling.lods();
    let mut sample = Sample {
        element: sampling.image.element(None),
        comparison: request.reference.map(|reference| (comparison(sampling.sampler.depth_compare), reference)),
        reduction: match sampling.sampler.filter_mode {
            FilterMode::Blend | FilterMode::Reserved(_) => Reduction::Blend,
            FilterMode::Min => Reduction::Min,
            FilterMode::Max => Reduction::Max,
        },
        clamped_lod: lods.clamped,
        lod: lods.lod,
        is_below_warning: lods.clamped + (sampling.image.base_level() as f64) < sampling.image.limits[1],
        ..Sample::NONE
    };
    // A reference has the range of the format.
    if let (Number::Unorm | Number::Srgb, Some((_, reference))) = (sampling.image.number, &mut sample.comparison) {
        *reference = reference.clamp(0.0, 1.0);
    }
    let order = sampling.image.border_order;
    let border = match sampling.sampler.border_color {
        BorderColor::OpaqueBlack => [false, false, false, true],
        BorderColor::OpaqueWhite => [true; 4],
        BorderColor::TransparentBlack | BorderColor::Register => [false; 4],
    };
    sample.border = order.map(|component| border.get(usize::from(component)).copied().unwrap_or(false));
    for (level, weight) in sampling.levels(lods.clamped) {
        if weight > 0.0 {
            sampling.add_level(level, weight, lods.is_magnified, &mut sample)?;
        }
    }
    if sampling.sampler.border_color == BorderColor::Register && sample.taps().iter().any(|tap| tap.address.is_none()) {
        return Err("the border colour is in a table that the driver places; black and white borders are supported");
    }
    Ok(sample)
}

/// The outcomes of a comparison for which it holds.
const fn comparison(compare: Compare) -> Comparison {
    let (less, equal, greater) = match compare {
        Compare::Never => (false, false, false),
        Compare::Less => (true, false, false),
        Compare::Equal => (false, true, false),
        Compare::LessEqual => (true, true, false),
        Compare::Greater => (false, false, true),
        Compare::NotEqual => (true, false, true),
        Compare::GreaterEqual => (false, true, true),
        Compare::Always => (true, true, true),
    };
    Comparison { less, equal, greater, unordered: matches!(compare, Compare::NotEqual | Compare::Always) }
}

/// The level of detail of a sample.
struct Lods {
    /// Without limits.
    lod: f64,
    /// Within the limits of the sampler, the resource and its levels, in units.
    clamped: f64,
    is_magnified: bool,
}

/// A sample of an image.
struct Sampling<'a> {
    request: &'a SampleRequest,
    sampler: SamplerValues,
    /// The least and the greatest level of detail of the sampler.
    limits: [f64; 2],
    dim: ImageDim,
    image: Linear,
}

impl Sampling<'_> {
    fn is_unnormalized(&self) -> bool {
        self.request.is_unnormalized || self.sampler.force_unnormalized
    }

    /// The level of detail, as Vulkan defines it.
    fn lods(&self) -> Lods {
        let SampleRequest { detail, bias, clamp, .. } = *self.request;
        let sampler = &self.sampler;
        let bias = bias + f64::from(sampler.lod_bias.to_f32()) + f64::from(sampler.lod_bias_sec.to_f32());
        let lod = match detail {
            Detail::Largest => return Lods { lod: 0.0, clamped: 0.0, is_magnified: true },
            Detail::Level(level) => level + bias,
            Detail::Gradients(all) => self.lod_of_gradients(all) + bias,
        };
        // `max` and `min` drop NaN.
        let clamped = lod.max(clamp.unwrap_or(0.0)).max(self.limits[0]).min(self.limits[1]);
        let clamped = clamped.max(self.image.limits[0] - self.image.base_level() as f64);
        let is_magnified = clamped <= 0.0;
        let clamped = (units(clamped) as f64 / UNITS as f64).clamp(0.0, (self.image.view.levels - 1) as f64);
        Lods { lod, clamped, is_magnified }
    }

    /// The binary logarithm of the longer one of the two directions on the screen, in texels.
    fn lod_of_gradients(&self, gradients: [[f64; 3]; 2]) -> f64 {
        let Extent { width, height, depth } = self.image.view.extent(0);
        let sizes = if self.is_unnormalized() { [1; 3] } else { [width, height, depth] };
        let axes = usize::from(self.dim.facts().derivatives);
        let square = gradients.map(|along| {
            let texels = along.into_iter().zip(sizes).take(axes).map(|(change, size)| change * size as f64);
            texels.map(|change| change * change).sum::<f64>()
        });
        0.5 * log2(square[0].max(square[1]))
    }

    /// The levels of the view that the sample reads, with their weights.
    fn levels(&self, lod: f64) -> [(u64, f64); 2] {
        let level = floor(lod);
        let fraction = lod - level as f64;
        let last = self.image.view.levels - 1;
        let level = level as u64;
        match self.sampler.mip_filter {
            LinearFilter::Linear if self.request.gather.is_none() => {
                [(level.min(last), 1.0 - fraction), ((level + 1).min(last), fraction)]
            }
            LinearFilter::Linear | LinearFilter::Point => {
                [((level + u64::from(fraction >= 0.5)).min(last), 1.0), (0, 0.0)]
            }
            LinearFilter::None | LinearFilter::Reserved(_) => [(0, 1.0), (0, 0.0)],
        }
    }

    /// The filters along X and Y, and along Z.
    fn filters(&self, is_magnified: bool) -> Result<[Filter; 2], &'static str> {
        let point = Filter::Point(self.sampler.trunc_coord);
        let filter = if is_magnified { self.sampler.xy_mag_filter } else { self.sampler.xy_min_filter };
        let xy = match filter {
            XyFilter::Point | XyFilter::AnisoPoint => point,
            XyFilter::Bilinear | XyFilter::AnisoLinear => Filter::Linear,
        };
        let z = match self.sampler.z_filter {
            LinearFilter::None | LinearFilter::Reserved(_) => xy,
            LinearFilter::Point => point,
            LinearFilter::Linear => Filter::Linear,
        };
        if self.request.gather.is_some() {
            return Ok([Filter::Linear, point]);
        }
        let z = if self.dim == ImageDim::D3 { z } else { xy };
        let blends_levels = self.sampler.mip_filter == LinearFilter::Linear && self.image.view.levels > 1;
        let is_linear = [xy, z].contains(&Filter::Linear) || blends_levels;
        if is_linear && self.sampler.filter_mode == FilterMode::Blend && self.image.is_integer() {
            return Err("the sampler blends texels, and those of the image are integers");
        }
        Ok([xy, z])
    }

    /// Adds the texels of a level of the view.
    fn add_level(&self, level: u64, weight: f64, is_magnified: bool, sample: &mut Sample) -> Result<(), &'static str> {
        let extent = self.image.view.extent(level);
        let [xy, z] = self.filters(is_magnified)?;
        let offsets = TexelOffsets::from_words([self.request.offsets]).values();
        let [s, t, r, _] = self.request.coordinates;
        let axis = |at: f64, size: fn(Extent) -> u64, mode, offset: i32, filter| {
            let largest = self.image.view.extent(0);
            let scale = if self.is_unnormalized() { size(largest) } else { 1 };
            let size = size(extent);
            Axis { at: at * size as f64 / scale as f64 + f64::from(offset), size, mode, filter }
        };
        let width = |extent: Extent| extent.width;
        let height = |extent: Extent| extent.height;
        let depth = |extent: Extent| extent.depth;
        let mut x = axis(s, width, self.sampler.clamp_x, offsets.x.units(), xy);
        let mut y = axis(t, height, self.sampler.clamp_y, offsets.y.units(), xy);
        let is_row = self.request.gather == Some(Gather::Row);
        if is_row {
            x.filter = Filter::Row;
        }
        let last = extent.depth - 1;
        match self.dim {
            ImageDim::D1 | ImageDim::D1Array => y = Axis::NONE,
            // The faces of a cube span [1, 2]: compilers add 1.5 to the quotient by twice the major axis.
            ImageDim::Cube if !self.is_unnormalized() => {
                x.at -= x.size as f64;
                y.at -= y.size as f64;
            }
            _ => {}
        }
        match self.dim {
            ImageDim::D3 => {
                let z = axis(r, depth, self.sampler.clamp_z, offsets.z.units(), z);
                let (taps, count) = z.taps(|index| z.texel(index));
                for (layer, share) in taps.into_iter().take(count) {
                    self.add_plane(level, [x, y], layer, weight * share as f64 / UNITS as f64, sample);
                }
            }
            ImageDim::Cube if !self.sampler.disable_cube_wrap => {
                self.add_cube(level, [x, y], face_layer(r, extent.depth), weight, sample);
            }
            ImageDim::Cube => self.add_plane(level, [x, y], Some(face_layer(r, extent.depth)), weight, sample),
            ImageDim::D1Array | ImageDim::D2Array => {
                self.add_plane(level, [x, y], Some(layer(r).min(last)), weight, sample);
            }
            _ => self.add_plane(level, [x, y], Some(0), weight, sample),
        }
        Ok(())
    }

    /// Adds the texels of a layer; `None`: the border.
    fn add_plane(&self, level: u64, [x, y]: [Axis; 2], layer: Option<u64>, weight: f64, sample: &mut Sample) {
        let (columns, rows) = (x.taps(|index| x.texel(index)), y.taps(|index| y.texel(index)));
        self.each(columns, rows, weight, |(column, row), weight, output| {
            let address = match (column, row, layer) {
                (Some(column), Some(row), Some(layer)) => Some(self.image.address(level, column, row, layer)),
                _ => None,
            };
            sample.add(Tap { address, weight, output });
        });
    }

    /// Adds the texels of a cube's face, or of the faces next to it.
    fn add_cube(&self, level: u64, [x, y]: [Axis; 2], layer: u64, weight: f64, sample: &mut Sample) {
        let size = x.size as i64;
        // A filter reaches the texel next to a face, and no further.
        let limited = |axis: Axis| Axis { at: axis.at.clamp(0.0, axis.size as f64), mode: Clamp::ClampBorder, ..axis };
        let (x, y) = (limited(x), limited(y));
        // One more than the number, so that -1 is among them.
        let of = |index: i64| Some((index.clamp(-1, size) + 1) as u64);
        let (cube, face) = (layer / FACES, layer % FACES);
        let is_row = self.request.gather == Some(Gather::Row);
        // Four in a row end at the face's border.
        let column = |index: i64| if is_row { of(index.clamp(0, size - 1)) } else { of(index) };
        let is_point = |axis: &Axis| matches!(axis.filter, Filter::Point(_));
        let within = |axis: Axis| move |index: i64| of(if is_point(&axis) { index.clamp(0, size - 1) } else { index });
        let columns = if is_row { x.taps(column) } else { x.taps(within(x)) };
        let rows = y.taps(within(y));
        self.each(columns, rows, weight, |(column, row), weight, output| {
            let [column, row] = [column, row].map(|number| number.unwrap_or(0) as i64 - 1);
            let mut add = |column: i64, row: i64, weight| {
                let (face, column, row) = beside(face, column, row, size);
                let address = self.image.address(level, column, row, cube * FACES + face);
                sample.add(Tap { address: Some(address), weight, output });
            };
            let is_beyond = |number: i64| number < 0 || number >= size;
            if is_beyond(column) && is_beyond(row) {
                // Three faces meet in a corner: the mean of their texels there.
                let (inner_column, inner_row) = (column.clamp(0, size - 1), row.clamp(0, size - 1));
                add(inner_column, inner_row, weight / 3.0);
                add(column, inner_row, weight / 3.0);
                add(inner_column, row, weight / 3.0);
            } else {
                add(column, row, weight);
            }
        });
    }

    /// Calls a function for each texel of a layer, with its weight and the result that it belongs to.
    fn each<T: Copy>(
        &self,
        (columns, column_count): ([(T, i64); 4], usize),
        (rows, row_count): ([(T, i64); 4], usize),
        weight: f64,
        mut f: impl FnMut((T, T), f64, u8),
    ) {
        let whole = (UNITS * UNITS) as f64;
        let output = |column: usize, row: usize| match self.request.gather {
            None => 0,
            // Against the clock from the lower left: rows count downwards.
            Some(Gather::Square) => [[3, 2], [0, 1]].get(row).and_then(|row| row.get(column)).copied().unwrap_or(0),
            Some(Gather::Row) => column as u8,
        };
        // The four texels in a row are those of the first one of two rows.
        let row_count = if self.request.gather == Some(Gather::Row) { 1 } else { row_count };
        for (nth_row, (row, in_row)) in rows.into_iter().enumerate().take(row_count) {
            for (nth, (column, in_column)) in columns.into_iter().enumerate().take(column_count) {
                let share = match self.request.gather {
                    None => weight * (in_row * in_column) as f64 / whole,
                    Some(_) => weight,
                };
                f((column, row), share, output(nth, nth_row));
            }
        }
    }
}

impl Linear {
    /// Whether components are integers in registers.
    const fn is_integer(&self) -> bool {
        matches!(self.number, Number::Uint | Number::Sint)
    }
}

/// The layer of the number of a face: eight times the cube plus the face (guide §10.3).
fn face_layer(number: f64, layers: u64) -> u64 {
    let number = layer(number);
    let cubes = (layers / FACES).max(1);
    let (cube, face) = ((number / 8).min(cubes - 1), (number % 8).min(FACES - 1));
    cube * FACES + face
}

/// The face, the column and the row of a texel that is at most one texel beyond one edge of a face of a cube.
fn beside(face: u64, column: i64, row: i64, size: i64) -> (u64, u64, u64) {
    let inside = |number: i64| number.clamp(0, size - 1) as u64;
    let is_beyond = |number: i64| number < 0 || number >= size;
    if !is_beyond(column) && !is_beyond(row) {
        return (face, inside(column), inside(row));
    }
    // Twice the distance from the centre of the face, at most the size; what is beyond is the major axis of the other face.
    let centred = |number: i64| (2 * number + 1 - size).clamp(-size, size);
    let (sc, tc) = (centred(column), centred(row));
    // The texel next to the edge is as far from it as the one on the other side.
    let ma = size - 1;
    let (x, y, z) = match face {
        0 => (ma, -tc, -sc),
        1 => (-ma, -tc, sc),
        2 => (sc, ma, tc),
        3 => (sc, -ma, -tc),
        4 => (sc, -tc, ma),
        _ => (-sc, -tc, -ma),
    };
    let (face, sc, tc) = match size {
        _ if z == size => (4, x, -y),
        _ if z == -size => (5, -x, -y),
        _ if y == size => (2, x, z),
        _ if y == -size => (3, x, -z),
        _ if x == size => (0, -z, -y),
        _ => (1, z, -y),
    };
    let number = |centred: i64| inside((centred + size - 1) / 2);
    (face, number(sc), number(tc))
}

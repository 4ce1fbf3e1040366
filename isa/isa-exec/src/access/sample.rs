//! Samples of images: the texels that the instruction set selects, read, converted, compared and joined.

use core::cmp::Ordering;

use isa_runtime::body::Space;

use crate::access::image::{COMPONENTS, TEXEL_FAIL, coordinate, unsupported};
use crate::access::{Access, Faulting, Spaces, Target, lanes_of};
use crate::descriptor::{Detail, Element, Number, Reduction, Sample, SampleRequest, TAPS, Tap};
use crate::fault::FaultKind;
use crate::layout::{Coordinate, DetailSource, Image, Sampling};
use crate::num::Format;
use crate::step::Query;
use crate::texel::from_register;
use crate::wave::Wave;

/// The status of an access whose level of detail is below the one that the resource warns of: LOD_WARNING (guide §10.1.1).
const LOD_WARNING: u32 = 2;

/// A float of a lane: of 16 bits in a half of a register, and else of 32; 0 without a register.
fn float(wave: &Wave, lane: usize, of: Option<Coordinate>) -> f64 {
    let is_half = of.is_some_and(|of| of.high.is_some());
    from_register(coordinate(wave, lane, of), is_half)
}

/// The differences of the coordinates in the quad of a lane.
fn differences(wave: &Wave, lane: usize, image: &Image) -> [[f64; 3]; 2] {
    let first = lane & !3;
    let [s, t, r, _] = image.coordinates;
    let of = |lane| [s, t, r].map(|of| float(wave, lane, of));
    let origin = of(first);
    [first + 1, first + 2].map(|other| {
        let mut difference = of(other);
        difference.iter_mut().zip(origin).for_each(|(to, from)| *to -= from);
        difference
    })
}

/// The texels of a lane, as far as memory has them.
struct Texels {
    /// The components in memory of each texel; zero where memory is not mapped.
    bits: [u128; TAPS],
    /// Whether memory is mapped where a texel is.
    is_mapped: bool,
}

impl Access {
    /// The sample of a lane.
    fn sample(
        &self,
        wave: &Wave,
        lane: usize,
        [resource, sampler]: [u16; 2],
        image: &Image,
        sampling: &Sampling,
    ) -> Result<Sample, FaultKind> {
        let detail = match sampling.detail {
            DetailSource::Largest => Detail::Largest,
            DetailSource::Level => Detail::Level(float(wave, lane, image.level)),
            DetailSource::Gradients(all) => Detail::Gradients(all.map(|axes| axes.map(|of| float(wave, lane, of)))),
            DetailSource::Quad => Detail::Gradients(differences(wave, lane, image)),
        };
        let request = SampleRequest {
            resource: self.resource(wave, lane, resource, image),
            sampler: self.dwords(wave, sampler, lane),
            coordinates: image.coordinates.map(|of| float(wave, lane, of)),
            offsets: coordinate(wave, lane, sampling.offsets),
            detail,
            bias: float(wave, lane, sampling.bias),
            clamp: sampling.clamp.map(|of| float(wave, lane, Some(of))),
            reference: sampling.reference.map(|of| float(wave, lane, Some(of))),
            gather: sampling.gather,
            dim: image.dim,
            is_unnormalized: sampling.is_unnormalized,
        };
        (wave.layout.descriptors.sample)(&request).map_err(unsupported)
    }

    /// Loads samples: components as those of texels, or one component of each texel of a gather, and the status after them.
    pub(super) fn load_samples(
        &self,
        wave: &mut Wave,
        spaces: &mut Spaces<'_>,
        descriptors: [u16; 2],
        image: &Image,
        query: Query,
    ) -> Faulting {
        let fault = |lane, kind| (self.named(lane), kind);
        let Some(sampling) = &image.sampling else {
            return Err((None, unsupported("images of this generation are not emulated")));
        };
        for lane in lanes_of(self.active(wave)) {
            let sample = self.sample(wave, lane, descriptors, image, sampling).map_err(|kind| fault(lane, kind))?;
            if query == Query::Lod {
                let bits = |lod: f64| (lod as f32).to_bits();
                self.set_components(wave, lane, image, [bits(sample.clamped_lod), bits(sample.lod), 0, 0], 0);
                continue;
            }
            if image.mask == 0 {
                self.set_components(wave, lane, image, [0; COMPONENTS], 0);
                continue;
            }
            let texels = read(wave, spaces, lane, &sample, image.has_status).map_err(|kind| fault(lane, kind))?;
            let status = match texels.is_mapped {
                false => TEXEL_FAIL | (sample.clamped_lod as u32) << 16,
                true if sampling.warns && sample.is_below_warning => LOD_WARNING | (sample.clamped_lod as u32) << 16,
                true => 0,
            };
            if sampling.gather.is_none() {
                let values = join(&sample, &texels, 0, image.is_half);
                self.set_components(wave, lane, image, values, status);
                continue;
            }
            // The mask names one component, and there are values for all four texels.
            let component = image.mask.trailing_zeros() as usize;
            let values = [0, 1, 2, 3].map(|output| {
                let values = join(&sample, &texels, output, image.is_half);
                values.get(component).copied().unwrap_or(0)
            });
            self.set_components(wave, lane, &Image { mask: 0xF, ..*image }, values, status);
        }
        Ok(())
    }
}

/// Reads the texels of a sample. Memory that is not mapped is an error unless the instruction asks for a status.
fn read(
    wave: &Wave,
    spaces: &mut Spaces<'_>,
    lane: usize,
    sample: &Sample,
    has_status: bool,
) -> Result<Texels, FaultKind> {
    let mut texels = Texels { bits: [0; TAPS], is_mapped: true };
    for (tap, to) in sample.taps().iter().zip(&mut texels.bits) {
        let mut buffer = [0; 16];
        let bytes = buffer.get_mut(..usize::from(sample.element.bytes)).unwrap_or_default();
        let target = Target { space: Space::Image, address: tap.address, lane };
        match spaces.read(wave, &target, bytes) {
            Ok(()) => *to = u128::from_le_bytes(buffer),
            Err(_) if has_status => texels.is_mapped = false,
            Err(kind) => return Err(kind),
        }
    }
    Ok(texels)
}

/// The components in registers of one result of a sample.
fn join(sample: &Sample, texels: &Texels, output: u8, half: bool) -> [u32; 4] {
    let mut taps = sample.taps().iter().zip(texels.bits).filter(|(tap, _)| tap.output == output);
    let element = &sample.element;
    let Some((first, bits)) = taps.next() else { return [0; 4] };
    let next = taps.next();
    if next.is_none() && first.address.is_some() && sample.comparison.is_none() {
        return flush(element, element.decoded(bits, half), half);
    }
    let share = |tap: &Tap, bits| {
        let weight = if sample.reduction == Reduction::Blend { tap.weight } else { 1.0 };
        numbers(sample, tap, bits).map(|number| number * weight)
    };
    let mut joined = share(first, bits);
    for (tap, bits) in next.into_iter().chain(taps) {
        for (to, number) in joined.iter_mut().zip(share(tap, bits)) {
            *to = match sample.reduction {
                Reduction::Blend => *to + number,
                Reduction::Min => to.min(number),
                Reduction::Max => to.max(number),
            };
        }
    }
    element.selected(joined, half)
}

/// The components in memory of a texel or of the border, or the result of the comparison with the first of them.
fn numbers(sample: &Sample, tap: &Tap, bits: u128) -> [f64; 4] {
    let numbers = match tap.address {
        Some(_) => sample.element.numbers(bits),
        None => sample.border.map(|one| f64::from(u8::from(one))),
    };
    let Some((comparison, reference)) = sample.comparison else { return numbers };
    let holds = match reference.partial_cmp(&numbers[0]) {
        Some(Ordering::Less) => comparison.less,
        Some(Ordering::Equal) => comparison.equal,
        Some(Ordering::Greater) => comparison.greater,
        None => comparison.unordered,
    };
    [f64::from(u8::from(holds)), 0.0, 0.0, 1.0]
}

/// Components of 32 bits without denormals, which samples flush (guide §10.4).
fn flush(element: &Element, values: [u32; 4], half: bool) -> [u32; 4] {
    match element.number {
        Number::Float if !half => values.map(|value| Format::F32.flush(value.into()) as u32),
        _ => values,
    }
}

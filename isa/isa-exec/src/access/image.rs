//! Loads, stores and atomics of texels of images, without a sampler.

use alloc::string::ToString;

use isa_runtime::body::Space;

use crate::access::{Faulting, Spaces, Target, dword_of, lanes_of};
use crate::descriptor::{Element, ImageRequest, Number};
use crate::fault::FaultKind;
use crate::layout::{Coordinate, Image};
use crate::step::Access;
use crate::wave::Wave;

/// The status of an access that reads memory that is not mapped: TEXEL_FAIL (guide §10.1.1).
pub(super) const TEXEL_FAIL: u32 = 1;

/// The components of a texel.
pub(super) const COMPONENTS: usize = 4;

/// A coordinate of a lane.
pub(super) fn coordinate(wave: &Wave, lane: usize, of: Option<Coordinate>) -> u32 {
    let Some(Coordinate { register, high }) = of else { return 0 };
    let dword = wave.vgpr(register, lane);
    match high {
        None => dword,
        Some(false) => dword & 0xFFFF,
        Some(true) => dword >> 16,
    }
}

/// The components that a mask enables, from the lowest on, with their place among the data.
fn enabled(mask: u8) -> impl Iterator<Item = (usize, usize)> {
    (0..COMPONENTS).filter(move |component| mask >> component & 1 != 0).enumerate()
}

/// The fault of an access that the instruction set cannot describe.
pub(super) fn unsupported(error: &str) -> FaultKind {
    FaultKind::Unsupported(error.to_string())
}

impl Access {
    /// The resource of an image in a lane, without a second half if the instruction names none.
    pub(super) fn resource(&self, wave: &Wave, lane: usize, resource: u16, image: &Image) -> [u32; 8] {
        let words: [u32; 8] = self.dwords(wave, resource, lane);
        match (words, image.is_short) {
            ([a, b, c, d, ..], true) => [a, b, c, d, 0, 0, 0, 0],
            (words, false) => words,
        }
    }

    /// The request for a texel of a lane.
    fn image_request(&self, wave: &Wave, lane: usize, resource: u16, image: &Image) -> ImageRequest {
        ImageRequest {
            resource: self.resource(wave, lane, resource, image),
            coordinates: image.coordinates.map(|of| coordinate(wave, lane, of)),
            level: coordinate(wave, lane, image.level),
            dim: image.dim,
        }
    }

    /// The texel of a lane.
    fn texel(&self, wave: &Wave, lane: usize, resource: u16, image: &Image) -> Result<Element, FaultKind> {
        (wave.layout.descriptors.texel)(&self.image_request(wave, lane, resource, image)).map_err(unsupported)
    }

    /// Loads the size of an image, as [`load_texels`](Self::load_texels) loads texels.
    pub(super) fn load_info(&self, wave: &mut Wave, resource: u16, image: &Image) -> Faulting {
        for lane in lanes_of(self.active(wave)) {
            let info = (wave.layout.descriptors.info)(&self.image_request(wave, lane, resource, image));
            let info = info.map_err(|error| (self.named(lane), unsupported(error)))?;
            self.set_components(wave, lane, image, info, 0);
        }
        Ok(())
    }

    /// Writes the components that the mask enables to consecutive rows, and the status after them.
    pub(super) fn set_components(
        &self,
        wave: &mut Wave,
        lane: usize,
        image: &Image,
        values: [u32; COMPONENTS],
        status: u32,
    ) {
        let mut rows = [0; COMPONENTS + 1];
        for (at, component) in enabled(image.mask) {
            let value = values.get(component).copied().unwrap_or(0);
            let (row, shift) = if image.is_half { (at / 2, 16 * (at % 2)) } else { (at, 0) };
            if let Some(to) = rows.get_mut(row) {
                *to |= value << shift;
            }
        }
        let last = usize::from(image.registers).saturating_sub(1);
        if image.has_status
            && let Some(to) = rows.get_mut(last)
        {
            *to = status;
        }
        for (row, value) in (self.data..).zip(rows).take(usize::from(image.registers)) {
            self.set_dword(wave, row, lane, value);
        }
    }

    /// The texel that an atomic changes, which has to have as many bytes as the atomic.
    pub(super) fn atomic_texel(
        &self,
        wave: &Wave,
        lane: usize,
        resource: u16,
        image: &Image,
    ) -> Result<Option<Target>, (Option<usize>, FaultKind)> {
        let fault = |kind| (self.named(lane), kind);
        let texel = self.texel(wave, lane, resource, image).map_err(fault)?;
        if texel.address.is_some() && usize::from(texel.bytes) != self.bytes() {
            let error = "DMASK does not select as many dwords as a texel of the image has";
            return Err(fault(FaultKind::Unsupported(error.to_string())));
        }
        Ok(Some(Target { space: Space::Image, address: texel.address, lane }))
    }

    /// Loads texels: components of 32 bits, or two of 16 bits, in consecutive rows, and the status after them.
    pub(super) fn load_texels(
        &self,
        wave: &mut Wave,
        spaces: &mut Spaces<'_>,
        resource: u16,
        image: &Image,
    ) -> Faulting {
        for lane in lanes_of(self.active(wave)) {
            let fault = |kind| (self.named(lane), kind);
            let texel = self.texel(wave, lane, resource, image).map_err(fault)?;
            let mut buffer = [0; 16];
            let bytes = buffer.get_mut(..usize::from(texel.bytes)).unwrap_or_default();
            let target = Target { space: Space::Image, address: texel.address, lane };
            let (mut status, mut is_read) = (0, texel.address.is_some() && image.mask != 0);
            if is_read && let Err(kind) = spaces.read(wave, &target, bytes) {
                if !image.has_status {
                    return Err(fault(kind));
                }
                let level = coordinate(wave, lane, image.level);
                (status, is_read) = (TEXEL_FAIL | level << 16, false);
            }
            let values = match (is_read, image.raw) {
                (false, _) => [0; COMPONENTS],
                (true, None) => texel.decoded(u128::from_le_bytes(buffer), image.is_half),
                (true, Some(is_signed)) => raw(&buffer, texel.bytes, is_signed),
            };
            self.set_components(wave, lane, image, values, status);
        }
        Ok(())
    }

    /// Stores texels, whose components that the instruction does not name become zero.
    pub(super) fn store_texels(
        &self,
        wave: &mut Wave,
        spaces: &mut Spaces<'_>,
        resource: u16,
        image: &Image,
    ) -> Faulting {
        // DMASK 0 is taken as 1.
        let mask = if image.mask == 0 { 1 } else { image.mask };
        for lane in lanes_of(self.active(wave)) {
            let fault = |kind| (self.named(lane), kind);
            let texel = self.texel(wave, lane, resource, image).map_err(fault)?;
            if texel.number == Number::Srgb && image.raw.is_none() {
                return Err(fault(unsupported("stores do not convert to sRGB")));
            }
            let mut values = [0; COMPONENTS];
            for (at, component) in enabled(mask) {
                let (row, shift) = if image.is_half { (at / 2, 16 * (at % 2)) } else { (at, 0) };
                let dword = self.dword(wave, self.data.saturating_add(row as u16), lane) >> shift;
                if let Some(to) = values.get_mut(component) {
                    *to = if image.is_half { dword & 0xFFFF } else { dword };
                }
            }
            let buffer = match image.raw {
                None => texel.encoded(values, image.is_half),
                Some(_) => values.iter().rev().fold(0, |bits, dword| bits << 32 | u128::from(*dword)),
            };
            let buffer = buffer.to_le_bytes();
            let bytes = buffer.get(..usize::from(texel.bytes)).unwrap_or_default();
            let target = Target { space: Space::Image, address: texel.address, lane };
            spaces.write(wave, &target, bytes).map_err(fault)?;
        }
        Ok(())
    }
}

/// The dwords of a texel that is not converted. A texel of 8 or 16 bits is extended.
fn raw(buffer: &[u8; 16], bytes: u8, is_signed: bool) -> [u32; COMPONENTS] {
    let (chunks, _) = buffer.as_chunks::<4>();
    let mut values = [0; COMPONENTS];
    for (to, chunk) in values.iter_mut().zip(chunks) {
        *to = dword_of(chunk);
    }
    if is_signed && bytes < 4 {
        let unused = 32 - 8 * u32::from(bytes);
        values[0] = ((values[0] << unused) as i32 >> unused) as u32;
    }
    values
}

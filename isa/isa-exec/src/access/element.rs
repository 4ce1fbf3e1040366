//! Loads and stores that convert the components of elements.

use isa_runtime::body::Space;

use crate::access::{Faulting, Spaces, Target, lanes_of};
use crate::descriptor::Element;
use crate::step::{Access, Conversion};
use crate::wave::Wave;

impl Access {
    /// The element of an access in a lane.
    pub(crate) fn element(&self, wave: &Wave, lane: usize) -> Element {
        let format = match self.conversion {
            Conversion::Format(format) => Some(format),
            _ => None,
        };
        let request = self.buffer_request(wave, Some(lane));
        request.map_or(Element::NONE, |request| (wave.layout.descriptors.element)(&request, format))
    }

    /// Whether components in registers have 16 bits.
    fn is_half(&self) -> bool {
        self.ty.bits() == 16
    }

    /// The components of an access.
    fn components(&self) -> usize {
        usize::from(self.ty.lanes()).clamp(1, 4)
    }

    /// Loads elements.
    pub(super) fn load_elements(&self, wave: &mut Wave, spaces: &mut Spaces<'_>) -> Faulting {
        for lane in lanes_of(self.active(wave)) {
            let element = self.element(wave, lane);
            let mut values = [0; 4];
            if element.address.is_some() {
                let mut buffer = [0; 16];
                let bytes = buffer.get_mut(..usize::from(element.bytes)).unwrap_or_default();
                let target = Target { space: Space::Global, address: element.address, lane };
                spaces.read(wave, &target, bytes).map_err(|kind| (self.named(lane), kind))?;
                values = element.decoded(u128::from_le_bytes(buffer), self.is_half());
            }
            let values = values.get(..self.components()).unwrap_or_default();
            if self.is_half() {
                for (row, pair) in (self.data..).zip(values.chunks(2)) {
                    let high = pair.get(1).copied().unwrap_or(0);
                    self.set_dword(wave, row, lane, high << 16 | pair.first().copied().unwrap_or(0));
                }
            } else {
                for (row, value) in (self.data..).zip(values) {
                    self.set_dword(wave, row, lane, *value);
                }
            }
        }
        Ok(())
    }

    /// Stores elements.
    pub(super) fn store_elements(&self, wave: &mut Wave, spaces: &mut Spaces<'_>) -> Faulting {
        for lane in lanes_of(self.active(wave)) {
            let element = self.element(wave, lane);
            if element.address.is_none() {
                continue;
            }
            let mut values = [0; 4];
            for (n, value) in values.iter_mut().enumerate().take(self.components()) {
                *value = if self.is_half() {
                    self.dword(wave, self.data.saturating_add(n as u16 / 2), lane) >> (16 * (n % 2)) & 0xFFFF
                } else {
                    self.dword(wave, self.data.saturating_add(n as u16), lane)
                };
            }
            let buffer = element.encoded(values, self.is_half()).to_le_bytes();
            let bytes = buffer.get(..usize::from(element.bytes)).unwrap_or_default();
            let target = Target { space: Space::Global, address: element.address, lane };
            spaces.write(wave, &target, bytes).map_err(|kind| (self.named(lane), kind))?;
        }
        Ok(())
    }
}

//! Accesses to linear images without a sampler.

use isa_exec::descriptor::{Element, ImageRequest};
use isa_exec::layout::{Coordinate, Image};
use rdna3_facts::address::image::{AddressPart, DataPart, Held, address_layout, data_layout};
use rdna3_facts::descriptor::format::block;
use rdna3_facts::descriptor::image::{ImageType, ImageValues};
use rdna3_facts::operands::{Half, IMAGE_DIMS, ImageDim};
use rdna3_facts::{Instr, descriptor, flags};

use super::{layout_of, select};

/// The bits of the resource's fourth dword that select an order of texels in tiles; 0 is linear. The guide's table leaves them
/// without a name.
const TILING: u32 = 0x1F << 20;

/// The operands of an access to an image; `None` for other instructions, and for those that sample.
#[must_use]
pub fn operands(instr: &Instr) -> Option<Image> {
    let Instr::Mimg(fields) = instr else { return None };
    let (address, data) = (address_layout(instr)?, data_layout(instr)?);
    let row = instr.flags();
    let mut image = Image {
        coordinates: [None; 4],
        level: None,
        dim: IMAGE_DIMS.iter().position(|facts| facts.dim == fields.dim())? as u8,
        is_short: fields.r128(),
        mask: fields.dmask(),
        is_half: fields.d16(),
        raw: (row & flags::UNCONVERTED != 0).then_some(row & flags::SIGN_EXTENDED != 0),
        registers: data.registers(),
        has_status: data.iter().any(|held| held.part == DataPart::Status),
    };
    for held in address.iter() {
        let to = match held.part {
            AddressPart::S => image.coordinates.get_mut(0)?,
            AddressPart::T => image.coordinates.get_mut(1)?,
            AddressPart::R | AddressPart::Face | AddressPart::Slice => image.coordinates.get_mut(2)?,
            AddressPart::FragmentId => image.coordinates.get_mut(3)?,
            AddressPart::MipId => &mut image.level,
            _ => return None,
        };
        *to = Some(coordinate(&held));
    }
    Some(image)
}

/// The register of a coordinate.
fn coordinate(held: &Held<AddressPart>) -> Coordinate {
    Coordinate { register: held.register.into(), high: held.half.map(|half| half == Half::High) }
}

/// The extent of an image in texels and layers.
struct Extent {
    width: u64,
    height: u64,
    /// The texels from the start of a row to the next.
    pitch: u64,
    /// The layers before the view.
    first_layer: u64,
    /// The last layer of the view, counted from the first one of the image.
    last_layer: u64,
}

/// The texel of a linear image with one mip level (guide §10.5).
pub(super) fn texel(request: &ImageRequest) -> Result<Element, &'static str> {
    let [a, b, c, d, ..] = request.resource;
    let image = match request.resource {
        [.., 0, 0, 0, 0] => descriptor::image::Image::from_words4([a, b, c, d]),
        words => descriptor::image::Image::from_words8(words),
    };
    if image.is_unbound() {
        return Ok(Element::NONE);
    }
    let values = image.low.values();
    let dim = IMAGE_DIMS.get(usize::from(request.dim)).map(|facts| facts.dim);
    if values.image_type.dim() != dim {
        return Err("the resource is not an image of the instruction's dimensions");
    }
    if values.image_type.is_msaa() {
        return Err("the image has several samples in a texel; linear images with one are supported");
    }
    if d & TILING != 0 {
        return Err("the image is tiled; linear images are supported");
    }
    if values.max_mip != 0 {
        return Err("the image has several mip levels; images with one are supported");
    }
    let format = values.format;
    let layout = layout_of(format).filter(|_| block(format).is_none());
    let (Some((components, number)), Some(bits)) = (layout, format.components().map(|all| all.total())) else {
        return Err("the image has a format that is not converted");
    };
    let extent = extent(&image, &values);
    let [column, row, layer, _] = request.coordinates.map(u64::from);
    let layer = layer + extent.first_layer;
    if request.level != 0 || column >= extent.width || row >= extent.height || layer > extent.last_layer {
        return Ok(Element::NONE);
    }
    let bytes = u64::from(bits / 8);
    let at = (layer * extent.height + row) * extent.pitch + column;
    let selects = [values.dst_sel_x, values.dst_sel_y, values.dst_sel_z, values.dst_sel_w].map(select);
    let address = values.base.byte().wrapping_add(at * bytes);
    Ok(Element { address: Some(super::canonical(address)), bytes: bytes as u8, components, number, selects })
}

/// The extent of an image. Only rows and planes can have a pitch that is greater than the width.
fn extent(image: &descriptor::image::Image, values: &ImageValues) -> Extent {
    let high = image.high.map(|high| high.values());
    let depth = high.as_ref().map_or(0, |high| u64::from(high.depth));
    let first = high.as_ref().map_or(0, |high| u64::from(high.base_array));
    let width = values.width.get();
    let height = match values.image_type.dim() {
        Some(ImageDim::D1 | ImageDim::D1Array) => 1,
        _ => values.height.get(),
    };
    let (pitch, first_layer, last_layer) = match values.image_type {
        ImageType::D1 | ImageType::D2 => (high.map_or(0, |high| u64::from(high.pitch())), 0, 0),
        // A view of the whole volume has no first layer.
        ImageType::D3 if high.is_none_or(|high| high.array_pitch & 1 == 0) => (0, 0, depth),
        _ => (0, first, depth),
    };
    Extent { width, height, pitch: pitch.max(width), first_layer, last_layer }
}

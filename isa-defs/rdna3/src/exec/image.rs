//! Linear images: which registers an instruction names, and where texels are.

use isa_exec::descriptor::{Component, Element, Gather, ImageRequest, Number, Select};
use isa_exec::layout::{Coordinate, DetailSource, Image, Sampling};
use rdna_facts::address::image::{AddressPart, Along, Axis, DataPart, Held, address_layout, data_layout};
use rdna_facts::descriptor::format::block;
use rdna_facts::descriptor::image::{BcSwizzle, ImageType};
use rdna_facts::operands::{Half, IMAGE_DIMS, ImageDim};
use rdna_facts::{Generation, Instruction, Wave, flags, roles};

use super::resources::{ImageView, Resources};
use super::{layout_of, select};

/// The bits of the resource's fourth dword that select an order of texels in tiles; 0 is linear. The guides' tables leave them
/// without a name.
const TILING: u32 = 0x1F << 20;

/// In images with several mip levels, a level takes as much memory as if its rows were multiples of this.
const LEVEL_ROW_ALIGN: u64 = 256;

/// The operands of an instruction that loads, stores, samples or queries an image; `None` for other instructions, ray intersections
/// among them.
#[must_use]
pub fn operands<I: Instruction>(instr: &I) -> Option<Image> {
    if !instr.microcode().is_image() {
        return None;
    }
    let fields = I::Generation::image_fields(&instr.dwords());
    let (address, data) = (address_layout(instr)?, data_layout(instr)?);
    let row = instr.flags();
    let has = |flag: u128| row & flag != 0;
    let gather = match (has(flags::GATHER4), has(flags::ONE_ROW)) {
        (false, _) => None,
        (true, false) => Some(Gather::Square),
        (true, true) => Some(Gather::Row),
    };
    let mut image = Image {
        coordinates: [None; 4],
        level: None,
        dim: fields.dim,
        is_short: fields.r128,
        mask: fields.dmask,
        is_half: fields.d16,
        raw: has(flags::UNCONVERTED).then_some(has(flags::SIGN_EXTENDED)),
        registers: data.registers(),
        has_status: data.iter().any(|held| held.part == DataPart::Status),
        sampling: None,
    };
    let mut sampling = Sampling {
        offsets: None,
        bias: None,
        reference: None,
        clamp: None,
        detail: DetailSource::Level,
        gather,
        is_unnormalized: fields.unrm,
        warns: fields.lwe,
    };
    let mut gradients = [[None; 3]; 2];
    for held in address.iter() {
        let to = match held.part {
            AddressPart::S => image.coordinates.get_mut(0)?,
            AddressPart::T => image.coordinates.get_mut(1)?,
            AddressPart::R | AddressPart::Face | AddressPart::Slice => image.coordinates.get_mut(2)?,
            AddressPart::FragmentId => image.coordinates.get_mut(3)?,
            AddressPart::MipId | AddressPart::Lod => &mut image.level,
            AddressPart::Offsets => &mut sampling.offsets,
            AddressPart::Bias => &mut sampling.bias,
            AddressPart::ZCompare => &mut sampling.reference,
            AddressPart::Clamp => &mut sampling.clamp,
            AddressPart::Derivative(axis, along) => {
                let along = if along == Along::H { 0 } else { 1 };
                let axis = match axis {
                    Axis::X => 0,
                    Axis::Y => 1,
                    Axis::Z => 2,
                };
                gradients.get_mut(along)?.get_mut(axis)?
            }
            _ => return None,
        };
        *to = Some(coordinate(&held));
    }
    if has(flags::LEVEL_ZERO) {
        sampling.detail = DetailSource::Largest;
    } else if has(flags::GRADIENT) {
        sampling.detail = DetailSource::Gradients(gradients);
    } else if instr.body_effects().crosses_lanes() {
        sampling.detail = DetailSource::Quad;
    }
    let has_sampler = instr.operand_infos(Wave::W32).any(|operand| operand.role == roles::SAMP);
    image.sampling = has_sampler.then_some(sampling);
    Some(image)
}

/// The register of a coordinate.
fn coordinate(held: &Held<AddressPart>) -> Coordinate {
    Coordinate { register: held.register.into(), high: held.half.map(|half| half == Half::High) }
}

/// The order of a border colour's components: the one in memory for each of red, green, blue and alpha (guide §10.5, table 50).
const fn border_order(swizzle: BcSwizzle) -> [u8; 4] {
    match swizzle {
        BcSwizzle::Xwyz => [0, 3, 1, 2],
        BcSwizzle::Wzyx => [3, 2, 1, 0],
        BcSwizzle::Wxyz => [3, 0, 1, 2],
        BcSwizzle::Zyxw => [2, 1, 0, 3],
        BcSwizzle::Yxwz => [1, 0, 3, 2],
        BcSwizzle::Xyzw | BcSwizzle::Reserved(_) => [0, 1, 2, 3],
    }
}

/// The size of a mip level in texels and layers.
#[derive(Clone, Copy)]
pub(super) struct Extent {
    pub(super) width: u64,
    pub(super) height: u64,
    /// The layers of a volume, an array or a cube.
    pub(super) depth: u64,
}

/// The extent of the view of an image.
pub(super) struct View {
    /// The size of level 0 of the image, not of the view.
    largest: Extent,
    is_volume: bool,
    /// The layers before the view.
    first_layer: u64,
    /// The first mip level of the view.
    base_level: u64,
    /// The mip levels of the view.
    pub(super) levels: u64,
}

impl View {
    fn new(image: &ImageView) -> Self {
        let height = match image.image_type.dim() {
            Some(ImageDim::D1 | ImageDim::D1Array) => 1,
            _ => image.height,
        };
        // The field holds the pitch of a row or a plane. A view of the whole volume has no first layer.
        let (first_layer, last_layer, is_volume) = match image.image_type {
            ImageType::D1 | ImageType::D2 | ImageType::D2Msaa => (0, 0, false),
            ImageType::D3 if !image.is_of_layers => (0, image.depth, true),
            _ => (image.base_array, image.depth, false),
        };
        let depth = (last_layer + 1).saturating_sub(first_layer);
        let levels = match image.image_type.is_msaa() {
            true => 1,
            false => image.last_level.min(image.max_mip).saturating_sub(image.base_level) + 1,
        };
        let base_level = if image.image_type.is_msaa() { 0 } else { image.base_level };
        let largest = Extent { width: image.width, height, depth };
        View { largest, is_volume, first_layer, base_level, levels }
    }

    /// The size of a level of the view.
    pub(super) fn extent(&self, level: u64) -> Extent {
        self.absolute(level + self.base_level)
    }

    /// The size of a level of the image.
    fn absolute(&self, level: u64) -> Extent {
        let size = |size: u64| (size >> level.min(63)).max(1);
        let Extent { width, height, depth } = self.largest;
        let depth = if self.is_volume { size(depth) } else { depth };
        // The height of rows is 1 at all levels.
        Extent { width: size(width), height: size(height), depth }
    }
}

/// A linear image whose texels are converted.
pub(super) struct Linear {
    pub(super) view: View,
    base: u64,
    /// The bytes of a texel.
    pub(super) bytes: u64,
    /// The texels from the start of a row to the next in images with one level, if there are more than the width.
    pitch: u64,
    /// The bytes that rows of images with several levels are multiples of.
    row_align: u64,
    /// The mip levels of the image, the view or not.
    all_levels: u64,
    pub(super) components: [Component; 4],
    pub(super) number: Number,
    pub(super) selects: [Select; 4],
    /// The order of a border colour's components.
    pub(super) border_order: [u8; 4],
    /// The lowest level of detail, counted from that of the image, and the one below which an access warns.
    pub(super) limits: [f64; 2],
}

impl Linear {
    /// The image of a resource for an instruction that states dimensions by their code; `None` if it is unbound.
    pub(super) fn new<R: Resources>(resource: [u32; 8], dim: u8) -> Result<Option<Self>, &'static str> {
        let Some(image) = R::image(resource) else { return Ok(None) };
        let dim = IMAGE_DIMS.get(usize::from(dim)).map(|facts| facts.dim);
        if image.image_type.dim() != dim {
            return Err("the resource is not an image of the instruction's dimensions");
        }
        if image.image_type.is_msaa() {
            return Err("the image has several samples in a texel; linear images with one are supported");
        }
        if resource[3] & TILING != 0 {
            return Err("the image is tiled; linear images are supported");
        }
        let layout = layout_of(image.format).filter(|_| block(image.format).is_none());
        let (Some((components, number)), Some(bytes)) = (layout, image.format.bytes()) else {
            return Err("the image has a format that is not converted");
        };
        let has_pitch = matches!(image.image_type, ImageType::D1 | ImageType::D2);
        let view = View::new(&image);
        Ok(Some(Linear {
            pitch: if has_pitch { image.pitch.max(view.largest.width) } else { view.largest.width },
            view,
            base: image.base,
            bytes: bytes.into(),
            row_align: R::ROW_ALIGN,
            all_levels: image.max_mip + 1,
            components,
            number,
            selects: image.selects.map(select),
            border_order: border_order(image.bc_swizzle),
            limits: image.limits,
        }))
    }

    /// The level of the view's first one.
    pub(super) const fn base_level(&self) -> u64 {
        self.view.base_level
    }

    /// The address of a texel of the view. Levels are in the order of AMD's address library: within each layer the smallest one first.
    pub(super) fn address(&self, level: u64, column: u64, row: u64, layer: u64) -> u64 {
        let layer = layer + self.view.first_layer;
        if self.all_levels == 1 {
            let at = (layer * self.view.largest.height + row) * self.pitch + column;
            return super::canonical(self.base.wrapping_add(at * self.bytes));
        }
        let row_bytes = |level: u64| {
            let pitch = if level == 0 { self.pitch } else { 0 };
            (self.view.absolute(level).width.max(pitch) * self.bytes).next_multiple_of(self.row_align)
        };
        let size = |level: u64| row_bytes(level).next_multiple_of(LEVEL_ROW_ALIGN) * self.view.absolute(level).height;
        let level = level + self.view.base_level;
        let before: u64 = (level + 1..self.all_levels).map(size).sum();
        let layer_bytes: u64 = (0..self.all_levels).map(size).sum();
        let at = layer * layer_bytes + before + row * row_bytes(level) + column * self.bytes;
        super::canonical(self.base.wrapping_add(at))
    }

    /// A texel of the image without its address.
    pub(super) const fn element(&self, address: Option<u64>) -> Element {
        let Linear { bytes, components, number, selects, .. } = *self;
        Element { address, bytes: bytes as u8, components, number, selects, misaligned: None }
    }
}

/// The texel of a linear image (guide §10.5).
pub(super) fn texel<R: Resources>(request: &ImageRequest) -> Result<Element, &'static str> {
    let Some(image) = Linear::new::<R>(request.resource, request.dim)? else { return Ok(Element::NONE) };
    let [column, row, layer, _] = request.coordinates.map(u64::from);
    let level = u64::from(request.level);
    if level >= image.view.levels {
        return Ok(Element::NONE);
    }
    let Extent { width, height, depth } = image.view.extent(level);
    if column >= width || row >= height || layer >= depth {
        return Ok(Element::NONE);
    }
    Ok(image.element(Some(image.address(level, column, row, layer))))
}

/// The size of a level of an image, and the number of levels (guide §10.1). A level that the view lacks has no size.
pub(super) fn info<R: Resources>(request: &ImageRequest) -> Result<[u32; 4], &'static str> {
    let Some(image) = R::image(request.resource) else { return Ok([0; 4]) };
    if image.image_type.dim().is_none() {
        return Err("the resource is a buffer, not an image");
    }
    let view = View::new(&image);
    let levels = view.levels as u32;
    if request.level >= levels {
        return Ok([0, 0, 0, levels]);
    }
    let Extent { width, height, depth } = view.extent(request.level.into());
    Ok([width as u32, height as u32, depth as u32, levels])
}

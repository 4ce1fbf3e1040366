//! The VGPRs that hold the parts of an image's address and data. Guide §10.2 to §10.4, §10.9, §10.10.

use amdgpu_memory::descriptor;

use super::updates_memory;
use crate::isa::Code;
use crate::isa::body::{Builtin, Op};
use crate::operands::ImageDim;
use crate::{File, Generation, Half, ImageFields, Instruction, Registers, Value, Wave, flags, roles};

/// An axis of an image or of space.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Axis {
    /// X.
    X,
    /// Y.
    Y,
    /// Z.
    Z,
}

/// The direction on the screen along which a derivative is taken.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Along {
    /// Horizontally.
    H,
    /// Vertically.
    V,
}

/// A part of an image's address. Guide §10.2, §10.3, §10.4, §10.9.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AddressPart {
    /// Packed texel offsets: see [`TexelOffsets`].
    Offsets,
    /// The LOD bias.
    Bias,
    /// The reference depth of a comparison (PCF).
    ZCompare,
    /// The derivative of a coordinate.
    Derivative(Axis, Along),
    /// The first coordinate.
    S,
    /// The second coordinate.
    T,
    /// The third coordinate of a volume.
    R,
    /// The face and the cube of a cube map: see [`face_id`].
    Face,
    /// The slice of an array.
    Slice,
    /// The fragment ID: the number of a sample of a texel.
    FragmentId,
    /// The LOD of a sampling instruction.
    Lod,
    /// The LOD clamp.
    Clamp,
    /// The mip level of a load, a store or a query.
    MipId,
    /// The pointer to the BVH node, or its low dword.
    NodePointer,
    /// The high dword of the pointer to the BVH node.
    NodePointerHigh,
    /// The extent of a ray.
    RayExtent,
    /// The origin of a ray.
    RayOrigin(Axis),
    /// The direction of a ray.
    RayDir(Axis),
    /// The inverse of the direction of a ray.
    RayInvDir(Axis),
    /// The base of the BVH, or its low dword. RDNA4's guide §10.9.1, table 64.
    BvhBase,
    /// The high dword of the base of the BVH.
    BvhBaseHigh,
    /// The instances that a ray hits, one bit for each.
    InstanceMask,
    /// The offset of a node to test.
    NodeOffset(u8),
}

/// A part of an image's data. Guide §10.1, §10.4, §10.9.3.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DataPart {
    /// A component of a texel: 0 is red, 3 is alpha.
    Component(u8),
    /// One component of one of the four texels of a gather.
    Texel(u8),
    /// One component of one of the four samples of IMAGE_MSAA_LOAD.
    Sample(u8),
    /// A dword of an atomic's source or result.
    Atomic(u8),
    /// A component of IMAGE_GET_RESINFO: width, height, depth, number of mip levels.
    Info(u8),
    /// A component of IMAGE_GET_LOD: 0 is the clamped LOD, 1 the raw LOD.
    Lod(u8),
    /// A dword of a ray intersection's result.
    Ray(u8),
    /// The status of TFE and LWE: see [`FetchStatus`].
    Status,
}

/// A VGPR, or half of one, and the part that it holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Held<P> {
    /// The number of the VGPR.
    pub register: u8,
    /// The half that holds the part; `None` for the whole register.
    pub half: Option<Half>,
    /// The part.
    pub part: P,
}

/// The capacity of a layout: at most 3 extras, 6 derivatives and 5 coordinates, or 13 parts of a ray.
const PARTS: usize = 16;

/// The parts of an address or of data with their registers, in register order.
#[derive(Clone, Copy)]
pub struct Layout<P> {
    parts: [Option<Held<P>>; PARTS],
    len: usize,
    /// The number of registers used, and so the index of the next one in the operand.
    dwords: u8,
    /// Whether the next packed part goes to the high half of the last register.
    half: bool,
}

impl<P: Copy> Layout<P> {
    const NONE: Self = Layout { parts: [None; PARTS], len: 0, dwords: 0, half: false };

    fn put(&mut self, half: Option<Half>, part: P) {
        // Registers are numbers in the list until `name` gives them their own.
        let register = if half == Some(Half::High) { self.dwords.saturating_sub(1) } else { self.dwords };
        if half != Some(Half::High) {
            self.dwords += 1;
        }
        self.half = half == Some(Half::Low);
        if let Some(to) = self.parts.get_mut(self.len) {
            *to = Some(Held { register, half, part });
            self.len += 1;
        }
    }

    /// Puts a part into the whole of the next register.
    fn whole(&mut self, part: P) {
        self.put(None, part);
    }

    /// Puts a part into the low half of the next register and leaves the high half unused.
    fn low(&mut self, part: P) {
        self.put(Some(Half::Low), part);
        self.half = false;
    }

    /// Puts a part into the next half if `packed`, and into the whole of the next register otherwise.
    fn next(&mut self, packed: bool, part: P) {
        match (packed, self.half) {
            (false, _) => self.whole(part),
            (true, false) => self.put(Some(Half::Low), part),
            (true, true) => self.put(Some(Half::High), part),
        }
    }

    /// Makes the next part begin a new register.
    fn close(&mut self) {
        self.half = false;
    }

    /// Leaves a register of the operand without a part.
    fn skip(&mut self) {
        self.dwords += 1;
        self.half = false;
    }

    /// Replaces register indices by the registers of an operand; `None` if the operand has another number of registers.
    fn name(mut self, value: Value) -> Option<Self> {
        let names = Names::of(value)?;
        if names.len != usize::from(self.dwords) {
            return None;
        }
        for held in self.parts.iter_mut().flatten() {
            held.register = *names.names.get(usize::from(held.register))?;
        }
        Some(self)
    }

    /// The number of registers.
    #[must_use]
    pub const fn registers(&self) -> u8 {
        self.dwords
    }

    /// The parts.
    pub fn iter(&self) -> impl Iterator<Item = Held<P>> {
        self.parts.into_iter().flatten()
    }
}

impl<P: core::fmt::Debug> core::fmt::Debug for Layout<P> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_list().entries(self.parts.iter().flatten()).finish()
    }
}

/// The VGPRs of an operand as a list.
struct Names {
    names: [u8; PARTS],
    len: usize,
}

impl Names {
    fn of(value: Value) -> Option<Self> {
        let mut out = Names { names: [0; PARTS], len: 0 };
        match value {
            Value::Registers(Registers { file: File::Vgpr, first, count, .. }) => out.add(first, count)?,
            Value::Scattered { groups, first, count } => {
                for (first, count) in first.into_iter().zip(count).take(usize::from(groups)) {
                    out.add(first, count)?;
                }
            }
            _ => return None,
        }
        Some(out)
    }

    fn add(&mut self, first: u8, count: u8) -> Option<()> {
        for i in 0..count {
            *self.names.get_mut(self.len)? = first.checked_add(i)?;
            self.len += 1;
        }
        Some(())
    }
}

const AXES: [Axis; 3] = [Axis::X, Axis::Y, Axis::Z];

/// The coordinates of a texel, in the order of the address. Guide §10.2, §10.3.
#[must_use]
pub const fn coordinates(dim: ImageDim) -> &'static [AddressPart] {
    use AddressPart::{Face, FragmentId, R, S, Slice, T};
    match dim {
        ImageDim::D1 => &[S],
        ImageDim::D2 => &[S, T],
        ImageDim::D3 => &[S, T, R],
        ImageDim::Cube => &[S, T, Face],
        ImageDim::D1Array => &[S, Slice],
        ImageDim::D2Array => &[S, T, Slice],
        ImageDim::D2Msaa => &[S, T, FragmentId],
        ImageDim::D2MsaaArray => &[S, T, Slice, FragmentId],
    }
}

/// The part that follows the coordinates of an opcode with flag `lod`. Guide §10.2, §10.3, table 49.
fn level(row: u128, sampled: bool) -> AddressPart {
    match sampled {
        false => AddressPart::MipId,
        true if row & flags::LOD_CLAMP != 0 => AddressPart::Clamp,
        true => AddressPart::Lod,
    }
}

fn operand<I: Instruction>(instr: &I, role: &str) -> Option<Value> {
    instr.operand_infos(Wave::W32).find(|o| o.role == role).map(|o| o.value)
}

/// Returns the fields of an image instruction.
fn fields<I: Instruction>(instr: &I) -> Option<ImageFields> {
    instr.microcode().is_image().then(|| I::Generation::image_fields(&instr.dwords()))
}

/// Returns the VGPRs that hold the parts of the address of an image instruction. Guide §10.2 to §10.4, §10.9 (table 53); RDNA4's
/// §10.2 to §10.4, §10.9.
///
/// `None` for other instructions, for a dimension that the guide's tables lack for the opcode (a sample of a
/// multisampled surface, a gather of a volume), and where the fields ask for more registers than the instruction has.
///
/// ```
/// use rdna3::address::image::{AddressPart, address_layout};
/// use rdna3::{Half, Instr, Wave};
///
/// let text = "image_sample_l v[0:3], v[4:5], s[0:7], s[8:11] dmask:0xf dim:SQ_RSRC_IMG_2D a16";
/// let sample = Instr::parse(text, Wave::W32).unwrap();
/// let layout = address_layout(&sample).unwrap();
/// let parts: Vec<_> = layout.iter().map(|held| (held.register, held.half, held.part)).collect();
/// assert_eq!(parts, [
///     (4, Some(Half::Low), AddressPart::S),
///     (4, Some(Half::High), AddressPart::T),
///     (5, Some(Half::Low), AddressPart::Lod),
/// ]);
/// ```
#[must_use]
pub fn address_layout<I: Instruction>(instr: &I) -> Option<Layout<AddressPart>> {
    let ImageFields { a16, dim, .. } = fields(instr)?;
    let row = instr.flags();
    let has = |word: u128| row & word != 0;
    let mut layout = Layout::NONE;
    if has(flags::TWO_NODES | flags::EIGHT_BOXES) {
        ray_from_base(&mut layout, if has(flags::TWO_NODES) { 2 } else { 1 });
        return layout.name(operand(instr, roles::ADDR)?);
    }
    if has(flags::RAY) {
        let address = instr.operand_infos(Wave::W32).find(|o| o.role == roles::ADDR)?;
        ray(&mut layout, address.ty.lanes() > RAY_LANES, a16);
        return layout.name(address.value);
    }
    if has(flags::RESINFO) {
        layout.whole(AddressPart::MipId);
        return layout.name(operand(instr, roles::ADDR)?);
    }
    let (dim, sampler) = (ImageDim::from_code(dim.into()), operand(instr, roles::SAMP).is_some());
    if !dim.has_address(row, sampler) {
        return None;
    }
    if has(flags::TEXEL_OFFSET) {
        layout.whole(AddressPart::Offsets);
    }
    if has(flags::BIAS) {
        // A16 applies to all of the address but offsets and depths (guide §10.1); the bias has its own register.
        if a16 { layout.low(AddressPart::Bias) } else { layout.whole(AddressPart::Bias) }
    }
    if has(flags::ZCOMPARE) {
        layout.whole(AddressPart::ZCompare);
    }
    if has(flags::GRADIENT) {
        for along in [Along::H, Along::V] {
            for axis in AXES.into_iter().take(usize::from(dim.facts().derivatives)) {
                layout.next(has(flags::G16), AddressPart::Derivative(axis, along));
            }
            layout.close();
        }
    }
    for part in coordinates(dim) {
        layout.next(a16, *part);
    }
    if has(flags::LOD) {
        layout.next(a16, level(row, sampler));
    }
    layout.name(operand(instr, roles::ADDR)?)
}

/// The dwords of the result of a ray intersection with two nodes or eight boxes. RDNA4's guide §10.9.1.
const RAY_RESULTS: u8 = 10;

/// The dwords of the address of a ray with a node pointer of 32 bits.
const RAY_LANES: u8 = 11;

/// Puts the address of a ray intersection with nodes that are offsets. RDNA4's guide §10.9.1, table 64.
fn ray_from_base(layout: &mut Layout<AddressPart>, nodes: u8) {
    layout.whole(AddressPart::BvhBase);
    layout.whole(AddressPart::BvhBaseHigh);
    layout.whole(AddressPart::RayExtent);
    layout.whole(AddressPart::InstanceMask);
    for axis in AXES {
        layout.whole(AddressPart::RayOrigin(axis));
    }
    for axis in AXES {
        layout.whole(AddressPart::RayDir(axis));
    }
    for node in 0..nodes {
        layout.whole(AddressPart::NodeOffset(node));
    }
}

/// Puts the address of a ray intersection. Guide §10.9.1, table 53.
fn ray(layout: &mut Layout<AddressPart>, wide: bool, a16: bool) {
    layout.whole(AddressPart::NodePointer);
    if wide {
        layout.whole(AddressPart::NodePointerHigh);
    }
    layout.whole(AddressPart::RayExtent);
    for axis in AXES {
        layout.whole(AddressPart::RayOrigin(axis));
    }
    if a16 {
        for axis in AXES {
            layout.next(true, AddressPart::RayDir(axis));
            layout.next(true, AddressPart::RayInvDir(axis));
        }
    } else {
        for axis in AXES {
            layout.whole(AddressPart::RayDir(axis));
        }
        for axis in AXES {
            layout.whole(AddressPart::RayInvDir(axis));
        }
    }
}

/// Returns the VGPRs that hold the parts of the data of an image instruction. Guide §10.1, §10.1.1, §10.1.2, §10.4, §10.9; RDNA4's
/// §10.1, §10.1.1, §10.1.2, §10.4.2, §10.9.
///
/// TFE and LWE add one status register between them; LWE does so for instructions with a sampler only. With DMASK 0 the
/// register after TFE's data stays unwritten: it belongs to the operand, but the layout has no part for it.
///
/// `None` for other instructions, and where the fields ask for more registers than the instruction has.
#[must_use]
pub fn data_layout<I: Instruction>(instr: &I) -> Option<Layout<DataPart>> {
    let ImageFields { dmask, d16, tfe, lwe, .. } = fields(instr)?;
    let row = instr.flags();
    let has = |word: u128| row & word != 0;
    let mut layout = Layout::NONE;
    let value = operand(instr, roles::D).or_else(|| operand(instr, roles::DATA))?;
    // Four of one component, regardless of DMASK.
    let four: Option<fn(u8) -> DataPart> = if has(flags::RAY) {
        Some(DataPart::Ray)
    } else if has(flags::GATHER4) {
        Some(DataPart::Texel)
    } else if has(flags::MSAA) {
        Some(DataPart::Sample)
    } else {
        None
    };
    // DMASK 0 is taken as 1 (guide §10.1, table 48).
    let mask = if dmask == 0 { 1 } else { dmask };
    if let Some(part) = four {
        let parts = if has(flags::TWO_NODES | flags::EIGHT_BOXES) { RAY_RESULTS } else { 4 };
        (0..parts).for_each(|i| layout.next(d16, part(i)));
    } else if updates_memory(instr.body_effects()) {
        // The mask is a number of dwords.
        (0..mask.count_ones() as u8).for_each(|i| layout.next(false, DataPart::Atomic(i)));
    } else {
        let part = part_of_component(instr);
        (0..4).filter(|i| mask >> i & 1 == 1).for_each(|i| layout.next(d16, part(i)));
    }
    layout.close();
    if !has(flags::RAY) {
        let warns = lwe && operand(instr, roles::SAMP).is_some();
        // Guide §10.1, table 48: no TFE status is generated for DMASK 0, since the fetch is dropped; LWE's is.
        if warns || tfe && dmask != 0 {
            layout.whole(DataPart::Status);
        } else if tfe {
            layout.skip();
        }
    }
    layout.name(value)
}

/// Returns the part of an image's data that a bit of DMASK selects.
fn part_of_component<I: Instruction>(instr: &I) -> fn(u8) -> DataPart {
    let body = instr.semantics_in(0).and_then(|semantics| semantics.body());
    let query = body.into_iter().flatten().find_map(|op| match op {
        Op::Call { builtin: Builtin::ImageInfo, .. } => Some(DataPart::Info as fn(u8) -> DataPart),
        Op::Call { builtin: Builtin::ImageLod, .. } => Some(DataPart::Lod),
        _ => None,
    });
    query.unwrap_or(DataPart::Component)
}

/// Returns face_id, the number of a cube's face in an address. Guide §10.2 (loads and stores), §10.3 (samples).
#[must_use]
pub const fn face_id(slice: u32, face: u32, sampled: bool) -> u32 {
    let faces = if sampled { 8 } else { 6 };
    slice.wrapping_mul(faces).wrapping_add(face)
}

/// Whether DMASK is legal for an image atomic: 32 or 64 bits, and twice as many for a comparison. Guide §10.4.
#[must_use]
pub const fn atomic_dmask(dmask: u8, compares: bool) -> bool {
    match compares {
        false => matches!(dmask, 0x1 | 0x3),
        true => matches!(dmask, 0x3 | 0xf),
    }
}

/// A signed integer of six bits.
pub type I6 = amdgpu_memory::field::Fixed<true, 6, 0>;

descriptor! {
    /// Packed texel offsets. Guide §10.4.
    pub struct TexelOffsets [u32; 1], values TexelOffsetsValues {
        /// The offset along X.
        x: I6 = 6,
        _ = 2,
        /// The offset along Y.
        y: I6 = 6,
        _ = 2,
        /// The offset along Z.
        z: I6 = 6,
        ; _ = 10
    }
}

descriptor! {
    /// The status that TFE and LWE return after the data. Guide §10.1.1, §10.10.
    pub struct FetchStatus [u32; 1], values FetchStatusValues {
        /// TEXEL_FAIL: a texel is on an unmapped page.
        texel_fail: bool = 1,
        /// LOD_WARNING: the LOD is below the resource's min_lod_warning. Not set beside `texel_fail`.
        lod_warning: bool = 1,
        _ = 14,
        /// The requested LOD, rounded down.
        lod: u16 = 16,
    }
}

//! Operands of MIMG instructions: how many registers data and addresses take, and where they are.

use amdgpu_operands::files;
use isa::class::OpList;
#[cfg(feature = "parse")]
use isa::{Asm, ParseError};
use isa::{Code, Cx, ErrorKind, File, Op, Operand, Reg, Text};

use super::ImageResource;
use super::regs::{Registers, Value, vgpr_operands, vgpr_value, write_vgpr};
use super::tables0::SPACE;
#[cfg(feature = "parse")]
use super::vector::vectors;
#[cfg(any(feature = "parse", feature = "inst"))]
use crate::Rule;
use crate::{Generation, ImageFields, flags, roles};

/// The dimensions of an image, in the order of their codes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ImageDim {
    /// A row of texels.
    D1,
    /// A plane.
    D2,
    /// A volume.
    D3,
    /// Six planes, the faces of a cube; or several cubes.
    Cube,
    /// Several rows.
    D1Array,
    /// Several planes.
    D2Array,
    /// A plane with several samples in each texel.
    D2Msaa,
    /// Several such planes.
    D2MsaaArray,
}

/// A dimension with the coordinates of a texel, and the derivatives along one direction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DimFacts {
    /// The dimension.
    pub dim: ImageDim,
    /// The number of coordinates, a slice or sample number included.
    pub coordinates: u8,
    /// The number of derivatives.
    pub derivatives: u8,
}

const fn facts(dim: ImageDim, coordinates: u8, derivatives: u8) -> DimFacts {
    DimFacts { dim, coordinates, derivatives }
}

/// The dimensions by their codes.
pub static IMAGE_DIMS: [DimFacts; 8] = [
    facts(ImageDim::D1, 1, 1),
    facts(ImageDim::D2, 2, 2),
    facts(ImageDim::D3, 3, 3),
    facts(ImageDim::Cube, 3, 2),
    facts(ImageDim::D1Array, 2, 1),
    facts(ImageDim::D2Array, 3, 2),
    facts(ImageDim::D2Msaa, 3, 2),
    facts(ImageDim::D2MsaaArray, 4, 2),
];

impl ImageDim {
    /// How many coordinates and derivatives it has.
    #[must_use]
    pub const fn facts(self) -> &'static DimFacts {
        &IMAGE_DIMS[self as usize]
    }

    /// Whether texels have several samples.
    #[must_use]
    pub const fn is_multisampled(self) -> bool {
        matches!(self, ImageDim::D2Msaa | ImageDim::D2MsaaArray)
    }

    /// Whether the tables of guide §10.2 and §10.3 have an address of this dimension for a row with the flags `row`,
    /// with a sampler or without one. Every dimension has one for rays and queries of the resource.
    #[must_use]
    pub const fn has_address(self, row: u128, sampler: bool) -> bool {
        if row & (flags::RAY | flags::RESINFO) != 0 {
            true
        } else if row & flags::MSAA != 0 {
            self.is_multisampled()
        } else if row & flags::GATHER4 != 0 {
            matches!(self, ImageDim::D2 | ImageDim::Cube | ImageDim::D2Array)
        } else if row & flags::ATOMIC != 0 {
            !matches!(self, ImageDim::Cube)
        } else {
            // §10.2: no loads and stores of mip levels of multisampled surfaces; §10.3: no samples of them.
            !self.is_multisampled() || !sampler && row & flags::LOD == 0
        }
    }
}

impl Code for ImageDim {
    fn from_code(code: u32) -> Self {
        IMAGE_DIMS[(code & 7) as usize].dim
    }

    fn into_code(self) -> u32 {
        self as u32
    }
}

fn fields<I: Generation>(cx: &Cx<'_, I>) -> ImageFields {
    I::image_fields(cx.words)
}

/// Returns the dimension of an image instruction.
#[cfg(any(feature = "parse", feature = "inst"))]
pub(crate) fn dimension<I: Generation>(cx: &Cx<'_, I>) -> ImageDim {
    ImageDim::from_code(fields(cx).dim.into())
}

/// How many registers an image instruction takes for its data and for its address.
///
/// Where the fields ask for a number that the instruction cannot have (an atomic on three components, a sample of a
/// multi-sampled array), the hardware's behaviour is nowhere written and LLVM shows the smallest form of the
/// instruction, data and address alike; so do we.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Sizes {
    data: u8,
    address: u8,
}

fn has<I: Generation>(cx: &Cx<'_, I>, word: u128) -> u8 {
    u8::from(cx.has(word))
}

/// Returns the number of registers of an address before the coordinates: offset, bias and depth have one each.
fn extras<I: Generation>(cx: &Cx<'_, I>) -> u8 {
    has(cx, flags::TEXEL_OFFSET) + has(cx, flags::BIAS) + has(cx, flags::ZCOMPARE)
}

/// How many registers an address takes by its parts.
fn address_dwords<I: Generation>(cx: &Cx<'_, I>, dim: ImageDim, a16: bool) -> u8 {
    let DimFacts { coordinates, derivatives, .. } = *dim.facts();
    let coordinates = if cx.has(flags::RESINFO) { 1 } else { coordinates + has(cx, flags::LOD) };
    let mut dwords = extras(cx) + if a16 { coordinates.div_ceil(2) } else { coordinates };
    if cx.has(flags::GRADIENT) {
        dwords += 2 * if cx.has(flags::G16) { derivatives.div_ceil(2) } else { derivatives };
    }
    dwords
}

/// The least and the most registers that the address of a row takes.
fn address_limits<I: Generation>(cx: &Cx<'_, I>, nsa: bool) -> (u8, u8) {
    let least = if cx.has(flags::RESINFO) {
        1
    } else {
        // A row of texels, 16 bits for each number.
        extras(cx) + (1 + has(cx, flags::LOD) + 2 * has(cx, flags::GRADIENT)).div_ceil(2)
    };
    let most = match cx.sibling(roles::SAMP) {
        Some(_) => address_dwords(cx, ImageDim::D3, false),
        None if cx.has(flags::RESINFO) && !nsa => 1,
        None => 4,
    };
    (least, most)
}

/// The least number of registers for the data of a row, and whether a number is possible.
fn data_limits<I: Generation>(cx: &Cx<'_, I>, dwords: u8) -> (u8, bool) {
    let pair = cx.sibling(roles::DATA).is_some_and(|(_, ty)| ty.lanes() == 2);
    if cx.has(flags::GATHER4) {
        (2, matches!(dwords, 2 | 4 | 5))
    } else if cx.has(flags::MSAA) {
        (4, true)
    } else if pair {
        (2, dwords >= 2)
    } else {
        (1, dwords <= 3 || !cx.has(flags::ATOMIC))
    }
}

/// How many registers there are between `first` and the end of the file.
fn room(first: u8) -> u16 {
    256 - u16::from(first)
}

/// Returns the number of registers that the fields require, even if the instruction cannot have that number.
fn asked<I: Generation>(cx: &Cx<'_, I>) -> Sizes {
    let fields = fields(cx);
    let dim = ImageDim::from_code(u32::from(fields.dim));
    let components = match cx.has(flags::GATHER4 | flags::MSAA) {
        true => 4,
        false => fields.dmask.count_ones().max(1) as u8,
    };
    let data = if fields.d16 { components.div_ceil(2) } else { components } + u8::from(fields.tfe);
    Sizes { data, address: address_dwords(cx, dim, fields.a16) }
}

fn sizes<I: Generation>(cx: &Cx<'_, I>) -> Sizes {
    let fields = fields(cx);
    let Sizes { data, address } = asked(cx);
    let (least_data, possible) = data_limits(cx, data);
    let data_fits = data == least_data || (possible && u16::from(data) <= room(fields.data));
    let has_groups = fields.groups > 1;
    let (least, most) = address_limits(cx, has_groups);
    let (otherwise, address_fits) = if has_groups {
        let single = fields.groups - 1;
        let [.., last] = fields.addresses[..usize::from(fields.groups)] else { return Sizes { data, address } };
        let fits = address <= single || u16::from(address - single) <= room(last);
        let least = if cx.has(flags::RDNA4) { 1 } else { 2 };
        (most.min(fields.groups), address >= least && address <= most && fits)
    } else {
        let possible = address <= most || address == most.next_power_of_two();
        (least, address == least || (possible && u16::from(address) <= room(fields.addresses[0])))
    };
    if data_fits && address_fits { Sizes { data, address } } else { Sizes { data: least_data, address: otherwise } }
}

/// Whether LWE adds a status register to the data, as it does for instructions with a sampler (guide §10.1.1). TFE and
/// LWE share one register, so LWE adds none beside TFE.
///
/// The text of LLVM's disassembler leaves this register out, and its assembler refuses it, but its code generator prints
/// and allocates it (`v[0:4] … dmask:0xf lwe`). Text here has LLVM's registers, values have all of them, and both
/// numbers of registers are read.
fn lwe_adds_status<I: Generation>(cx: &Cx<'_, I>) -> bool {
    let fields = fields(cx);
    fields.lwe && !fields.tfe && cx.sibling(roles::SAMP).is_some()
}

/// Returns how many registers the data have in text.
pub(super) fn data_dwords<I: Generation>(cx: &Cx<'_, I>) -> u8 {
    if cx.has(flags::RAY) { cx.ty.dwords() } else { sizes(cx).data }
}

/// Returns the registers of the data, with the status of LWE if it is not past the last VGPR.
pub(super) fn data_value<I: Generation>(cx: &Cx<'_, I>, first: u32) -> Value {
    vgpr_value(first, data_count(cx, first))
}

fn data_count<I: Generation>(cx: &Cx<'_, I>, first: u32) -> u8 {
    let dwords = data_dwords(cx);
    let fits = first + u32::from(dwords) < 256;
    dwords + u8::from(fits && lwe_adds_status(cx))
}

/// The rule that an instruction breaks whose data are `written` registers, if it breaks one.
#[cfg(any(feature = "parse", feature = "inst"))]
fn data_fault<I: Generation>(cx: &Cx<'_, I>, written: u8) -> Option<Rule> {
    if cx.has(flags::RAY) {
        return (written != cx.ty.dwords()).then_some(Rule::RayData);
    }
    let dmask = fields(cx).dmask;
    let data = asked(cx).data;
    let (least, possible) = data_limits(cx, data);
    if cx.has(flags::GATHER4 | flags::MSAA) && dmask.count_ones() != 1 {
        Some(Rule::GatherMask)
    } else if cx.has(flags::ATOMIC) && !matches!(dmask, 0x1 | 0x3 | 0xf) {
        Some(Rule::AtomicMask)
    } else if data != written || !possible && data != least {
        Some(Rule::ImageData)
    } else {
        None
    }
}

/// Returns the rule of sizes that a complete instruction breaks, if it breaks one, and the operand.
#[cfg(any(feature = "parse", feature = "inst"))]
pub(crate) fn image_fault<I: Generation>(cx: &Cx<'_, I>) -> Option<(Rule, &'static str)> {
    if cx.has(flags::RAY) {
        // A16 alone determines both sizes, and the operand classes compute them from it.
        return None;
    }
    let data = if cx.sibling(roles::DATA).is_some() { roles::DATA } else { roles::D };
    let data = data_fault(cx, sizes(cx).data).map(|rule| (rule, data));
    data.or_else(|| address_fault(cx, &address(cx)).map(|rule| (rule, "addr")))
        .or_else(|| dim_fault(cx, dimension(cx)).map(|rule| (rule, "dim")))
}

/// The rule that a dimension breaks, if it breaks one.
#[cfg(any(feature = "parse", feature = "inst"))]
fn dim_fault<I: Generation>(cx: &Cx<'_, I>, dim: ImageDim) -> Option<Rule> {
    (cx.has(flags::MSAA) && !dim.is_multisampled()).then_some(Rule::SampledImage)
}

/// Returns the data as an operand, with the status of LWE as [`data_value`] has it.
#[cfg(feature = "inst")]
pub(super) fn data_operands<I: Generation>(cx: &Cx<'_, I>, code: u32) -> OpList {
    vgpr_operands(code, data_count(cx, code))
}

/// Judges the operand of the data by a comparison with the expected one. It may lack the status of LWE, as in text.
#[cfg(feature = "inst")]
pub(super) fn judge_data<I: Generation>(
    cx: &Cx<'_, I>,
    given: &[Op],
    same: Result<(), ErrorKind>,
) -> Result<(), ErrorKind> {
    let count = given.first().and_then(|op| op.as_reg()).map_or(0, |reg| reg.count);
    if same.is_ok() || count == data_dwords(cx) {
        return Ok(());
    }
    written_fault(cx, count).map_or(Ok(()), |rule| Err(ErrorKind::Rule(rule.text())))
}

/// The rule that an instruction breaks whose text or operands have this many registers of data, if it breaks one. The status
/// of LWE may be among them.
#[cfg(any(feature = "parse", feature = "inst"))]
fn written_fault<I: Generation>(cx: &Cx<'_, I>, count: u8) -> Option<Rule> {
    let status = lwe_adds_status(cx) && count == asked(cx).data + 1;
    data_fault(cx, count - u8::from(status))
}

/// Whether LLVM has a variant of the sample without data, whose text is `off`. Its words are those with v0, so the printer never writes
/// `off`. Gathers and IMAGE_GET_LOD, which alone returns floats, have no such variant.
#[cfg(feature = "parse")]
fn may_return_nothing<I: Generation>(cx: &Cx<'_, I>) -> bool {
    cx.sibling(roles::SAMP).is_some() && !cx.has(flags::GATHER4) && !cx.ty.is_float()
}

/// Reads the data.
#[cfg(feature = "parse")]
pub(super) fn read_data<I: Generation>(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
    let start = asm.input.at();
    if may_return_nothing(&asm.cx()) && asm.input.eat_word("off") {
        return Ok(Some(0));
    }
    let (first, count) = vectors(asm)?;
    if asm.is_second_pass
        && let Some(rule) = written_fault(&asm.cx(), count)
    {
        return Err(asm.rule_at(start, rule.text()));
    }
    Ok(Some(u32::from(first)))
}

/// How many groups of address registers a base word and its NSA suffix dword can name.
const NSA_GROUPS: u8 = 5;

/// How many registers each group of an address has.
type Counts = [u8; NSA_GROUPS as usize];

/// Returns how many registers the groups of an address have, and how many groups there are.
fn counts(address: &OpList) -> (Counts, u8) {
    (address.ops.map(|op| op.as_reg().map_or(0, |reg| reg.count)), address.len)
}

/// Returns the address of an instruction: one group of registers, or one for each place that the NSA suffix dword names.
/// A ray has a node pointer, a length, and three numbers each for its origin, its direction and the inverse of that; with
/// 16-bit numbers the last two share three registers.
fn address<I: Generation>(cx: &Cx<'_, I>) -> OpList {
    if !cx.has(flags::RAY) {
        return spread(cx, sizes(cx).address);
    }
    if cx.has(flags::TWO_NODES | flags::EIGHT_BOXES) {
        // The base of the hierarchy, two numbers, origin, direction, and the offsets of the nodes.
        return groups(cx, cx.ty.lanes(), [2, 2, 3, 3, if cx.has(flags::TWO_NODES) { 2 } else { 1 }]);
    }
    let node = if cx.ty.lanes() > 11 { 2 } else { 1 };
    let inverse = if fields(cx).a16 { 0 } else { 3 };
    groups(cx, node + 7 + inverse, [node, 1, 3, 3, inverse])
}

/// Returns an address of `dwords` registers: each is a group, but the last group is all that are left.
fn spread<I: Generation>(cx: &Cx<'_, I>, dwords: u8) -> OpList {
    let last = fields(cx).groups - 1;
    let mut counts = [0; NSA_GROUPS as usize];
    for (nth, count) in (0..=last).zip(&mut counts) {
        *count = if nth == last { dwords.saturating_sub(last) } else { u8::from(nth < dwords) };
    }
    groups(cx, dwords, counts)
}

/// Returns `dwords` registers, or groups of the sizes `scattered` if the instruction has a suffix dword.
fn groups<I: Generation>(cx: &Cx<'_, I>, dwords: u8, scattered: Counts) -> OpList {
    let fields = fields(cx);
    if fields.groups == 1 {
        return vgpr_operands(fields.addresses[0].into(), dwords);
    }
    list(fields.addresses.into_iter().zip(scattered).filter(|(_, count)| *count > 0))
}

/// Returns groups of vector registers: the first register of each, and how many it has.
fn list(groups: impl Iterator<Item = (u8, u8)>) -> OpList {
    let mut all = OpList { ops: [Op::NONE; OpList::MOST], len: 0 };
    for (op, (first, count)) in all.ops.iter_mut().zip(groups) {
        *op = Op::reg(Reg::new(File(files::VGPR), first.into(), count));
        all.len += 1;
    }
    all
}

/// Reads registers, or a list in brackets of registers that need not follow each other.
#[cfg(feature = "parse")]
fn read_groups<I: Generation>(asm: &mut Asm<'_, '_, I>) -> Result<OpList, ParseError> {
    let is_list = asm.input.eat("[");
    let mut groups = [(0, 0); NSA_GROUPS as usize];
    for nth in 0..groups.len() {
        if let Some(group) = groups.get_mut(nth) {
            *group = vectors(asm)?;
        }
        if !is_list || asm.input.eat("]") {
            return Ok(list(groups.into_iter().take(nth + 1)));
        }
        asm.expect(",", "`,` or `]`")?;
    }
    Err(asm.rule("an address is at most five groups of registers"))
}

/// Puts the registers of an address into the instruction and returns the code of the first.
#[cfg(feature = "parse")]
fn put<I: Generation>(asm: &mut Asm<'_, '_, I>, address: &OpList) -> Result<Option<u32>, ParseError> {
    let [first, rest @ ..] = address.ops.map(|op| op.as_reg().map_or(0, |reg| reg.number as u8));
    if asm.has(flags::RDNA4) {
        for (name, register) in ["VADDR1", "VADDR2", "VADDR3", "VADDR4"].into_iter().zip(rest) {
            asm.set_field(name, register.into());
        }
        return Ok(Some(first.into()));
    }
    asm.set_field("NSA", u32::from(address.len > 1));
    if address.len > 1 {
        let bits = u32::from_le_bytes(rest);
        asm.set_suffix_dword(bits, "an address of separate registers follows the instruction")?;
    }
    Ok(Some(first.into()))
}

/// The rule that an instruction breaks whose address is written so, if it breaks one.
#[cfg(any(feature = "parse", feature = "inst"))]
fn address_fault<I: Generation>(cx: &Cx<'_, I>, written: &OpList) -> Option<Rule> {
    let address = asked(cx).address;
    let (written, groups) = counts(written);
    let scattered = groups > 1 || fields(cx).groups > 1;
    let (_, most) = address_limits(cx, scattered);
    // Registers in a row come in certain numbers, so that there may be room for one more than any image needs.
    let fits = address <= most || !scattered && address == most.next_power_of_two();
    // Older assembly has eight registers for anything above four, and the first of them are read.
    let eight = written == [8, 0, 0, 0, 0] && (5..8).contains(&address);
    let is_right = fits && (eight || counts(&spread(cx, address)).0 == written);
    (!is_right).then_some(Rule::ImageAddress)
}

/// Returns the registers of an address as operands.
#[cfg(feature = "inst")]
pub(super) fn address_operands<I: Generation>(cx: &Cx<'_, I>, _code: u32) -> OpList {
    address(cx)
}

/// Judges the operands of an address by a comparison with the expected ones.
#[cfg(feature = "inst")]
pub(super) fn judge_address<I: Generation>(
    cx: &Cx<'_, I>,
    given: &[Op],
    same: Result<(), ErrorKind>,
) -> Result<(), ErrorKind> {
    // One range and a list of ranges have different encodings.
    if (given.len() == 1) != (address(cx).len == 1) {
        return Err(ErrorKind::Encoding(None));
    }
    let registers = given.iter().map(|op| op.as_reg().map_or((0, 0), |reg| (reg.number as u8, reg.count)));
    let rule = if cx.has(flags::RAY) { Some(Rule::RayAddress) } else { address_fault(cx, &list(registers)) };
    same.or_else(|_| rule.map_or(Ok(()), |rule| Err(ErrorKind::Rule(rule.text()))))
}

/// Writes an address.
pub(super) fn write_address<I: Generation>(cx: &Cx<'_, I>, _code: u32, out: &mut Text) {
    let address = address(cx);
    let (before, after) = if address.len > 1 { ("[", "]") } else { ("", "") };
    out.push(before);
    for (nth, reg) in address.as_slice().iter().filter_map(|op| op.as_reg()).enumerate() {
        out.push(if nth == 0 { "" } else { ", " });
        write_vgpr(reg.number, reg.count, out);
    }
    out.push(after);
}

/// Returns the registers of an address.
pub(super) fn address_value<I: Generation>(cx: &Cx<'_, I>, _code: u32) -> Value {
    let address = address(cx);
    let (count, groups) = counts(&address);
    let first = address.ops.map(|op| op.as_reg().map_or(0, |reg| reg.number as u8));
    match (groups, first, count) {
        (1, [first, ..], [count, ..]) => vgpr_value(first.into(), count),
        _ => Value::Scattered { groups, first, count },
    }
}

/// Reads the address of an image.
#[cfg(feature = "parse")]
pub(super) fn read_address<I: Generation>(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
    let start = asm.input.at();
    let written = read_groups(asm)?;
    if asm.is_second_pass {
        if !asm.is_written("dim") {
            return Err(asm.rule("the instruction has to say what image it is for: `dim:2D`, say"));
        }
        if let Some(rule) = address_fault(&asm.cx(), &written) {
            return Err(asm.rule_at(start, rule.text()));
        }
    }
    put(asm, &written)
}

/// Reads the address of a ray intersection.
#[cfg(feature = "parse")]
pub(super) fn read_ray<I: Generation>(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
    let start = asm.input.at();
    let written = read_groups(asm)?;
    if asm.is_second_pass && counts(&address(&asm.cx())).0 != counts(&written).0 {
        return Err(asm.rule_at(start, Rule::RayAddress.text()));
    }
    put(asm, &written)
}

/// Returns whether the address has the group of a register of an NSA suffix dword, `addr1` to `addr4`.
pub(super) fn is_group<I: Generation>(cx: &Cx<'_, I>) -> bool {
    cx.name.bytes().last().unwrap_or(b'0').wrapping_sub(b'0') < address(cx).len
}

/// Returns whether the group of [`is_group`] may have a code.
pub(super) fn has_group<I: Generation>(cx: &Cx<'_, I>, _code: u32) -> bool {
    is_group(cx)
}

/// Returns the value of an image resource: eight registers, or four if R128 is set, as it has to be for rays.
pub(super) fn resource<I: Generation>(cx: &Cx<'_, I>, code: u32) -> Option<Value> {
    // RDNA4's field has the lowest bits of the number, and the processor ignores them.
    let first = if cx.has(flags::RDNA4) { code & !3 } else { code << 2 };
    let has_four = fields(cx).r128 || cx.has(flags::RAY);
    SPACE.meaning(first, if has_four { 4 } else { 8 }).map(Value::of)
}

/// Returns an image resource as an operand.
#[cfg(feature = "inst")]
pub(super) fn resource_operands<I: Generation>(cx: &Cx<'_, I>, code: u32) -> OpList {
    match resource(cx, code) {
        Some(Value::Registers(Registers { file, first, count, .. })) => {
            OpList::one(Op::reg(Reg::new(File(file as u8), first.into(), count)))
        }
        _ => OpList::one(Op::NONE),
    }
}

/// Judges the operand of an image resource: eight registers are right if R128 is set, too, as in text. The field lacks the lowest
/// bits of the register's number, so another number is a misaligned one.
#[cfg(feature = "inst")]
pub(super) fn judge_resource<I: Generation>(
    _: &Cx<'_, I>,
    given: &[Op],
    same: Result<(), ErrorKind>,
) -> Result<(), ErrorKind> {
    let count = given.first().and_then(|op| op.as_reg()).map_or(0, |reg| reg.count);
    match same {
        Err(ErrorKind::Registers(..)) if count == 8 => Ok(()),
        Err(ErrorKind::Encoding(_)) => Err(ErrorKind::Expected(<ImageResource as Operand<I>>::PLACING.expects)),
        _ => same,
    }
}

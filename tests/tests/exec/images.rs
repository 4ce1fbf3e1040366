//! Loads, stores and atomics of linear images. The bytes of texels are written out by hand from the guide's layout: rows of
//! texels follow one another, a pitch apart, and layers of rows.
//!
//! Each line also runs as RDNA4's instruction, with the resource in RDNA4's layout, and must have the same results.

use isa_exec::fault::FaultKind;
use isa_exec::memory::{Memory, Regions};
use isa_exec::program::Program;
use isa_exec::wave::Wave;
use rdna3::descriptor::format::DataFormat;
use rdna3::descriptor::image::{DstSelect, ImageType};

use crate::machine::{program, rdna4_program, run};

pub const BASE: u64 = 0x1_0000;
/// The bytes of memory after [`BASE`].
const BYTES: usize = 512;

/// An image resource as its eight dwords, put together from the positions of table 50.
#[derive(Clone, Copy)]
pub struct Resource {
    pub ty: ImageType,
    pub format: DataFormat,
    pub width: u32,
    pub height: u32,
    /// Bits 140:128.
    pub depth: u32,
    pub first_layer: u32,
    pub selects: [DstSelect; 4],
    /// The mip levels of the image, and the first and the last one of the view.
    pub levels: u32,
    pub base_level: u32,
    pub last_level: u32,
}

impl Resource {
    pub fn new(ty: ImageType, format: DataFormat, width: u32, height: u32) -> Self {
        let selects = [DstSelect::R, DstSelect::G, DstSelect::B, DstSelect::A];
        let (depth, first_layer, levels, base_level, last_level) = (0, 0, 1, 0, 0);
        Self { ty, format, width, height, depth, first_layer, selects, levels, base_level, last_level }
    }

    pub fn words(&self) -> [u32; 8] {
        let format = u32::from(self.format.into_bits());
        let (width, height) = (self.width - 1, self.height - 1);
        let selects = self.selects.into_iter().rev().fold(0, |bits, select| bits << 3 | u32::from(select.into_bits()));
        [
            (BASE >> 8) as u32,
            (self.levels - 1) << 16 | format << 20 | (width & 3) << 30,
            width >> 2 | height << 14,
            selects | self.base_level << 12 | self.last_level << 16 | u32::from(self.ty.into_bits()) << 28,
            self.depth | self.first_layer << 16,
            0,
            0,
            0,
        ]
    }
}

/// Where images with several levels are again, as RDNA4 places them.
pub const RDNA4_LEVELS: u64 = 0x10_0000;

/// Returns bits `high` to `low` of dwords.
fn field(words: &[u32], (high, low): (u32, u32)) -> u128 {
    let bits = words.iter().rev().fold(0, |bits, word| bits << 32 | u128::from(*word));
    bits >> low & ((1 << (high - low + 1)) - 1)
}

/// Moves fields of four dwords, from the positions of one table to those of another one.
fn moved(words: [u32; 4], fields: &[((u32, u32), u32)]) -> [u32; 4] {
    let bits = fields.iter().fold(0, |bits, (from, low)| bits | field(&words, *from) << low);
    core::array::from_fn(|n| (bits >> (32 * n)) as u32)
}

/// An image resource of RDNA3 (table 50) as one of RDNA4 (table 60 of its guide).
pub fn rdna4_resource(words: [u32; 8]) -> [u32; 8] {
    let [a, b, c, d, e, f, g, h] = words;
    // Base, levels, format, width, height, selects, the view's levels, tiles to the type.
    let low = [
        ((39, 0), 0),
        ((51, 48), 44),
        ((59, 52), 49),
        ((111, 108), 57),
        ((75, 62), 62),
        ((91, 78), 78),
        ((107, 96), 96),
        ((115, 112), 111),
        ((127, 116), 116),
    ];
    // Depth or pitch, the first layer, the view of layers, levels to warn of, corners, the least level.
    let high = [((13, 0), 0), ((28, 16), 16), ((32, 32), 36), ((51, 40), 37), ((55, 55), 55), ((70, 59), 58)];
    let [mut a, b, c, d] = moved([a, b, c, d], &low);
    if field(&words, (51, 48)) > 0 {
        a = a - (BASE >> 8) as u32 + (RDNA4_LEVELS >> 8) as u32;
    }
    let [e, f, g, h] = moved([e, f, g, h], &high);
    [a, b, c, d, e, f, g, h]
}

/// A sampler of RDNA3 (table 51) as one of RDNA4 (table 61 of its guide).
pub fn rdna4_sampler(words: [u32; 4]) -> [u32; 4] {
    // All before the levels of detail, these, biases and filters, the border.
    let fields = [((31, 0), 0), ((43, 32), 32), ((55, 44), 45), ((91, 64), 64), ((107, 96), 114), ((127, 126), 126)];
    moved(words, &fields)
}

/// A line as RDNA4's assembler reads it. Image instructions without a sampler have no `unorm` there, and each register of an address
/// has a field, those of samples from the fourth on one field together.
pub fn rdna4_line(line: &str) -> String {
    let has_sampler = ["sample", "gather", "get_lod"].iter().any(|name| line.contains(name));
    let line = if has_sampler { line.to_owned() } else { line.replace(" unorm", "") };
    let line = line.replace(" glc", " th:TH_ATOMIC_RETURN");
    let Some((name_and_data, rest)) = line.split_once(", v[") else { return line };
    let (range, after) = rest.split_once(']').expect("a range");
    let (first, last) = range.split_once(':').expect("a range");
    let [first, last]: [u8; 2] = [first, last].map(|number| number.parse().expect("a number"));
    let groups: Vec<String> = match (first, last) {
        _ if line.starts_with("image_bvh") => ["v0", "v1", "v[2:4]", "v[5:7]", "v[8:10]"].map(String::from).into(),
        (first, last) if has_sampler && last - first > 3 => {
            (first..first + 3).map(|n| format!("v{n}")).chain([format!("v[{}:{last}]", first + 3)]).collect()
        }
        (first, last) => (first..=last).map(|n| format!("v{n}")).collect(),
    };
    format!("{name_and_data}, [{}]{after}", groups.join(", "))
}

/// Asserts that two runs end in the same vector registers or the same fault.
pub fn assert_same(line: &str, rdna3: &Result<Wave, FaultKind>, rdna4: &Result<Wave, FaultKind>) {
    match (rdna3, rdna4) {
        (Ok(one), Ok(other)) => {
            for (register, lane) in (0..32).flat_map(|register| (0..32).map(move |lane| (register, lane))) {
                let values = [one, other].map(|wave| wave.vgpr(register, lane));
                assert_eq!(values[0], values[1], "v{register} of lane {lane} after `{line}` in RDNA3 and RDNA4");
            }
        }
        (Err(one), Err(other)) => assert_eq!(one, other, "`{line}` in RDNA3 and RDNA4"),
        (one, other) => panic!("`{line}` in RDNA3: {:?}, in RDNA4: {:?}", one.as_ref().err(), other.as_ref().err()),
    }
}

/// A copy of memory.
fn copied(memory: &Regions) -> Regions {
    let mut copy = Regions::new();
    for (start, size) in memory.mapped() {
        let mut bytes = vec![0; size as usize];
        memory.read(start, &mut bytes).expect("mapped memory");
        copy.map(start, size).expect("a region");
        copy.write(start, &bytes).expect("mapped memory");
    }
    copy
}

/// Runs a line of each generation on an image with the resource in s[8:15]; `registers` are those of each lane from v0 on. Returns
/// the wave of RDNA3.
fn access(line: &str, words: [u32; 8], memory: &Regions, registers: &[&[u32]]) -> Result<Wave, FaultKind> {
    let run = |program: &Program<'_>, memory: &Regions, words: [u32; 8]| {
        let wave = run(program, memory, |wave| {
            wave.set_mask(126, (1 << registers.len()) - 1);
            for (register, word) in (8..).zip(words) {
                wave.set_sgpr(register, word);
            }
            for (lane, values) in registers.iter().enumerate() {
                for (register, value) in (0..).zip(*values) {
                    wave.set_vgpr(register, lane, *value);
                }
            }
        });
        wave.map_err(|fault| fault.kind)
    };
    let copy = copied(memory);
    let rdna4 = run(&rdna4_program(&rdna4_line(line)), &copy, rdna4_resource(words));
    let rdna3 = run(&program(&[line], rdna3::Wave::W32), memory, words);
    assert_same(line, &rdna3, &rdna4);
    for (start, size) in memory.mapped() {
        let all = [memory, &copy].map(|memory| bytes(memory, start - BASE, size as usize));
        assert_eq!(all[0], all[1], "memory after `{line}` in RDNA3 and RDNA4");
    }
    rdna3
}

fn memory(bytes: &[u8]) -> Regions {
    let mut memory = Regions::new();
    memory.map(BASE, BYTES as u64).expect("a region");
    memory.write(BASE, bytes).expect("mapped memory");
    memory
}

fn bytes(memory: &Regions, at: u64, count: usize) -> Vec<u8> {
    let mut bytes = vec![0; count];
    memory.read(BASE + at, &mut bytes).expect("mapped memory");
    bytes
}

fn dwords(memory: &Regions, at: u64, count: usize) -> Vec<u32> {
    bytes(memory, at, 4 * count).chunks(4).map(|dword| u32::from_le_bytes(dword.try_into().unwrap())).collect()
}

/// Registers of a lane from v4 on.
fn data(wave: &Wave, lane: usize, count: u16) -> Vec<u32> {
    (4..4 + count).map(|register| wave.vgpr(register, lane)).collect()
}

#[test]
fn loads_convert_and_select_components() {
    let image = Resource::new(ImageType::D2, DataFormat::F8_8_8_8_UNORM, 4, 2).words();
    // Texel (1, 1) is the sixth: 4 * (1 * 4 + 1) = 20.
    let mut texels = [0; 32];
    texels[20..24].copy_from_slice(&[255, 0, 51, 128]);
    let memory = memory(&texels);
    let line = "image_load v[4:7], v[0:1], s[8:15] dmask:0xf dim:SQ_RSRC_IMG_2D unorm";
    let wave = access(line, image, &memory, &[&[1, 1, 0, 0, 9, 9, 9, 9], &[4, 1, 0, 0, 9, 9, 9, 9]]).unwrap();
    let [r, g, b, a] = [1.0, 0.0, 51.0 / 255.0, 128.0 / 255.0].map(f32::to_bits);
    assert_eq!(data(&wave, 0, 4), [r, g, b, a]);
    // Outside of the image.
    assert_eq!(data(&wave, 1, 4), [0; 4]);
    // Red and alpha, in consecutive registers; what is after them is kept.
    let line = "image_load v[4:5], v[0:1], s[8:15] dmask:0x9 dim:SQ_RSRC_IMG_2D unorm";
    let wave = access(line, image, &memory, &[&[1, 1, 0, 0, 9, 9, 9, 9]]).unwrap();
    assert_eq!(data(&wave, 0, 4), [r, a, 9, 9]);
    // Halves: r is 1.0, b 51/255 = 0x3266, a 128/255 = 0x3804.
    let line = "image_load v[4:5], v[0:1], s[8:15] dmask:0xd dim:SQ_RSRC_IMG_2D unorm d16";
    let wave = access(line, image, &memory, &[&[1, 1, 0, 0, 9, 9, 9, 9]]).unwrap();
    assert_eq!(data(&wave, 0, 3), [0x3266_3C00, 0x3804, 9]);
    // Coordinates of 16 bits share a register.
    let line = "image_load v4, v0, s[8:15] dmask:0x1 dim:SQ_RSRC_IMG_2D unorm a16";
    let wave = access(line, image, &memory, &[&[1 << 16 | 1, 0, 0, 0, 9]]).unwrap();
    assert_eq!(data(&wave, 0, 1), [r]);
    // A format with two components: the resource says what the others are.
    let selects = [DstSelect::G, DstSelect::R, DstSelect::Zero, DstSelect::One];
    let two = Resource { selects, ..Resource::new(ImageType::D2, DataFormat::F8_8_UINT, 8, 2) }.words();
    let line = "image_load v[4:7], v[0:1], s[8:15] dmask:0xf dim:SQ_RSRC_IMG_2D unorm";
    // Texel (2, 1): 2 * (8 + 2) = 20.
    let wave = access(line, two, &memory, &[&[2, 1, 0, 0, 9, 9, 9, 9]]).unwrap();
    assert_eq!(data(&wave, 0, 4), [0, 255, 0, 1]);
}

#[test]
fn coordinates_may_be_scattered_and_rows_have_a_pitch() {
    let texels: Vec<u8> = (0..64u32).flat_map(u32::to_le_bytes).collect();
    let memory = memory(&texels);
    // Five texels in a row that begins eight texels after the one above: the field holds 7.
    let image = Resource { depth: 7, ..Resource::new(ImageType::D2, DataFormat::F32_UINT, 5, 4) }.words();
    let line = "image_load v4, [v2, v0], s[8:15] dmask:0x1 dim:SQ_RSRC_IMG_2D unorm";
    let wave = access(line, image, &memory, &[&[3, 99, 2, 0], &[0, 99, 4, 0], &[0, 99, 5, 0]]).unwrap();
    assert_eq!([0, 1, 2].map(|lane| wave.vgpr(4, lane)), [3 * 8 + 2, 4, 0]);
    // The half of a resource has no pitch.
    let line = "image_load v4, v[0:1], s[8:15] dmask:0x1 dim:SQ_RSRC_IMG_2D unorm r128";
    let wave = access(line, image, &memory, &[&[2, 3, 0, 0]]).unwrap();
    assert_eq!(wave.vgpr(4, 0), 3 * 5 + 2);
}

#[test]
fn layers_follow_one_another() {
    let texels: Vec<u8> = (0..128u32).flat_map(u32::to_le_bytes).collect();
    let memory = memory(&texels);
    let of = |ty, depth, first_layer| {
        Resource { depth, first_layer, ..Resource::new(ty, DataFormat::F32_UINT, 4, 3) }.words()
    };
    let load = |dim: &str, registers: &str, words, coordinates: &[&[u32]]| {
        let line = format!("image_load v4, {registers}, s[8:15] dmask:0x1 dim:SQ_RSRC_IMG_{dim} unorm");
        let wave = access(&line, words, &memory, coordinates).unwrap();
        (0..coordinates.len()).map(|lane| wave.vgpr(4, lane)).collect::<Vec<_>>()
    };
    // A volume of three layers of 12 texels; the first layer of an array does not concern it.
    let volume = of(ImageType::D3, 2, 1);
    assert_eq!(load("3D", "v[0:2]", volume, &[&[1, 2, 1], &[3, 2, 2], &[0, 0, 3]]), [12 + 9, 24 + 11, 0]);
    // The view of an array begins at its second plane, and ends at the third.
    let array = of(ImageType::D2Array, 2, 1);
    assert_eq!(load("2D_ARRAY", "v[0:2]", array, &[&[1, 0, 0], &[0, 1, 1], &[0, 0, 2]]), [13, 28, 0]);
    // Rows of four texels, regardless of the height.
    let rows = of(ImageType::D1Array, 5, 0);
    assert_eq!(load("1D_ARRAY", "v[0:1]", rows, &[&[1, 3], &[2, 5], &[0, 6]]), [13, 22, 0]);
    // The second face of the second cube is layer 7.
    let cubes = of(ImageType::Cube, 11, 0);
    assert_eq!(load("CUBE", "v[0:2]", cubes, &[&[3, 1, 7]]), [7 * 12 + 7]);
    let row = of(ImageType::D1, 0, 0);
    assert_eq!(load("1D", "v0", row, &[&[3], &[4]]), [3, 0]);
}

#[test]
fn stores_write_whole_texels() {
    let image = Resource::new(ImageType::D2, DataFormat::F16_16_16_16_SINT, 4, 4).words();
    let memory = memory(&[0xFF; 512]);
    // Red and blue; green and alpha become zero. Texel (2, 1) is at 8 * 6 = 48. Beyond the range is the nearest number.
    let line = "image_store v[4:5], v[0:1], s[8:15] dmask:0x5 dim:SQ_RSRC_IMG_2D unorm";
    access(line, image, &memory, &[&[2, 1, 0, 0, -3i32 as u32, 70_000], &[0, 4, 0, 0, 1, 1]]).unwrap();
    assert_eq!(bytes(&memory, 48, 8), [0xFD, 0xFF, 0, 0, 0xFF, 0x7F, 0, 0]);
    // The texel of lane 1 is outside.
    assert_eq!(bytes(&memory, 40, 8), [0xFF; 8]);
    assert!(bytes(&memory, 56, 456).iter().all(|byte| *byte == 0xFF));
    // Four halves in two registers.
    let line = "image_store v[4:5], v[0:1], s[8:15] dmask:0xf dim:SQ_RSRC_IMG_2D unorm d16";
    access(line, image, &memory, &[&[0, 0, 0, 0, 2 << 16 | 1, 4 << 16 | 3]]).unwrap();
    assert_eq!(bytes(&memory, 0, 8), [1, 0, 2, 0, 3, 0, 4, 0]);
    // The resource decides which register is which component: blue first.
    let selects = [DstSelect::B, DstSelect::G, DstSelect::R, DstSelect::A];
    let swapped = Resource { selects, ..Resource::new(ImageType::D1, DataFormat::F8_8_8_8_UINT, 4, 1) }.words();
    let line = "image_store v[4:7], v0, s[8:15] dmask:0xf dim:SQ_RSRC_IMG_1D unorm";
    access(line, swapped, &memory, &[&[1, 0, 0, 0, 1, 2, 3, 4]]).unwrap();
    assert_eq!(bytes(&memory, 4, 4), [3, 2, 1, 4]);
}

#[test]
fn unconverted_texels_keep_their_bits() {
    let memory = memory(&[0x80, 0x7F, 0xFE, 0xFF, 0x78, 0x56, 0x34, 0x12]);
    let load = |line: &str, format, x: u32| {
        let image = Resource::new(ImageType::D1, format, 4, 1).words();
        let wave = access(line, image, &memory, &[&[x, 0, 0, 0, 9, 9]]).unwrap();
        data(&wave, 0, 2)
    };
    let line = "image_load_pck v4, v0, s[8:15] dmask:0x1 dim:SQ_RSRC_IMG_1D unorm";
    assert_eq!(load(line, DataFormat::F8_UNORM, 0), [0x80, 9]);
    assert_eq!(load(line, DataFormat::F16_FLOAT, 1), [0xFFFE, 9]);
    let line = "image_load_pck_sgn v4, v0, s[8:15] dmask:0x1 dim:SQ_RSRC_IMG_1D unorm";
    assert_eq!(load(line, DataFormat::F8_UNORM, 0), [0xFFFF_FF80, 9]);
    assert_eq!(load(line, DataFormat::F8_UNORM, 1), [0x7F, 9]);
    assert_eq!(load(line, DataFormat::F16_FLOAT, 1), [0xFFFF_FFFE, 9]);
    let line = "image_load_mip_pck v[4:5], v[0:1], s[8:15] dmask:0x3 dim:SQ_RSRC_IMG_1D unorm";
    assert_eq!(load(line, DataFormat::F16_16_16_16_SNORM, 0), [0xFFFE_7F80, 0x1234_5678]);
    let line = "image_store_pck v[4:5], v0, s[8:15] dmask:0x3 dim:SQ_RSRC_IMG_1D unorm";
    let image = Resource::new(ImageType::D1, DataFormat::F32_32_FLOAT, 4, 1).words();
    access(line, image, &memory, &[&[2, 0, 0, 0, 0xAABB_CCDD, 0x1122_3344]]).unwrap();
    assert_eq!(dwords(&memory, 16, 2), [0xAABB_CCDD, 0x1122_3344]);
}

#[test]
fn atomics_change_texels_and_return_the_old_ones() {
    let texels: Vec<u8> = [10u32, 20, 30, 40].into_iter().flat_map(u32::to_le_bytes).collect();
    let memory = memory(&texels);
    let image = Resource::new(ImageType::D1, DataFormat::F32_UINT, 4, 1).words();
    let add = |flag: &str| format!("image_atomic_add v4, v0, s[8:15] dmask:0x1 dim:SQ_RSRC_IMG_1D unorm{flag}");
    // Two lanes add to one texel, the lower one first; the third one is outside.
    let wave = access(&add(" glc"), image, &memory, &[&[1, 0, 0, 0, 5], &[1, 0, 0, 0, 7], &[4, 0, 0, 0, 9]]).unwrap();
    assert_eq!([0, 1, 2].map(|lane| wave.vgpr(4, lane)), [20, 25, 0]);
    assert_eq!(dwords(&memory, 0, 4), [10, 32, 30, 40]);
    // Without GLC the register keeps the operand.
    let wave = access(&add(""), image, &memory, &[&[0, 0, 0, 0, 5]]).unwrap();
    assert_eq!((wave.vgpr(4, 0), dwords(&memory, 0, 1)), (5, vec![15]));
    // The new value is in the first register, and the one to compare with in the second.
    let swap = "image_atomic_cmpswap v[4:5], v0, s[8:15] dmask:0x3 dim:SQ_RSRC_IMG_1D unorm glc";
    let wave = access(swap, image, &memory, &[&[2, 0, 0, 0, 77, 30], &[3, 0, 0, 0, 88, 41]]).unwrap();
    assert_eq!((data(&wave, 0, 2), data(&wave, 1, 2)), (vec![30, 30], vec![40, 41]));
    assert_eq!(dwords(&memory, 0, 4), [15, 32, 77, 40]);
    for (name, operand, expected) in [
        ("sub", 2, 38),
        ("smin", -1i32 as u32, u32::MAX),
        ("umin", 7, 7),
        ("smax", -1i32 as u32, 7),
        ("umax", 9, 9),
        ("and", 8, 8),
        ("or", 3, 11),
        ("xor", 1, 10),
        ("inc", 10, 0),
        ("dec", 5, 5),
        ("swap", 99, 99),
    ] {
        let line = format!("image_atomic_{name} v4, v0, s[8:15] dmask:0x1 dim:SQ_RSRC_IMG_1D unorm");
        access(&line, image, &memory, &[&[3, 0, 0, 0, operand]]).unwrap();
        assert_eq!(dwords(&memory, 12, 1), [expected], "{name}");
    }
}

#[test]
fn atomics_of_64_bits_have_twice_the_mask() {
    let texels: Vec<u8> = [u64::from(u32::MAX), 5].into_iter().flat_map(u64::to_le_bytes).collect();
    let memory = memory(&texels);
    let image = Resource::new(ImageType::D1, DataFormat::F32_32_UINT, 2, 1).words();
    let line = "image_atomic_add v[4:5], v0, s[8:15] dmask:0x3 dim:SQ_RSRC_IMG_1D unorm glc";
    let wave = access(line, image, &memory, &[&[0, 0, 0, 0, 1, 2]]).unwrap();
    assert_eq!(data(&wave, 0, 2), [u32::MAX, 0]);
    assert_eq!(dwords(&memory, 0, 2), [0, 3]);
    let line = "image_atomic_cmpswap v[4:7], v0, s[8:15] dmask:0xf dim:SQ_RSRC_IMG_1D unorm glc";
    let wave = access(line, image, &memory, &[&[1, 0, 0, 0, 6, 7, 5, 0], &[0, 0, 0, 0, 1, 1, 0, 2]]).unwrap();
    assert_eq!((data(&wave, 0, 2), data(&wave, 1, 2)), (vec![5, 0], vec![0, 3]));
    assert_eq!(dwords(&memory, 0, 4), [0, 3, 6, 7]);
    // A texel of another size.
    let narrow = Resource::new(ImageType::D1, DataFormat::F32_UINT, 2, 1).words();
    let fault = access(line, narrow, &memory, &[&[1, 0, 0, 0, 6, 7, 5, 0]]).map(|_| ()).unwrap_err();
    assert!(matches!(&fault, FaultKind::Unsupported(error) if error.contains("DMASK")), "{fault:?}");
}

#[test]
fn the_status_says_whether_memory_is_mapped() {
    let memory = memory(&7u32.to_le_bytes());
    // 512 bytes are mapped: texel 128 is past them.
    let image = Resource::new(ImageType::D1, DataFormat::F32_UINT, 256, 1).words();
    let line = "image_load v[4:5], v0, s[8:15] dmask:0x1 dim:SQ_RSRC_IMG_1D unorm tfe";
    let wave = access(line, image, &memory, &[&[0, 0, 0, 0, 9, 9], &[128, 0, 0, 0, 9, 9]]).unwrap();
    assert_eq!((data(&wave, 0, 2), data(&wave, 1, 2)), (vec![7, 0], vec![0, 1]));
    let line = "image_load v4, v0, s[8:15] dmask:0x1 dim:SQ_RSRC_IMG_1D unorm";
    let fault = access(line, image, &memory, &[&[128, 0, 0, 0]]).map(|_| ()).unwrap_err();
    assert_eq!(fault, FaultKind::Unmapped { address: BASE + 512, store: false });
    // An unbound resource reads as zero.
    let wave = access(line, [0; 8], &memory, &[&[0, 0, 0, 0, 9]]).unwrap();
    assert_eq!(wave.vgpr(4, 0), 0);
}

#[test]
fn what_is_not_linear_is_an_error() {
    let memory = memory(&[]);
    let line = "image_load v4, v[0:1], s[8:15] dmask:0x1 dim:SQ_RSRC_IMG_2D unorm";
    let plain = Resource::new(ImageType::D2, DataFormat::F32_UINT, 4, 4).words();
    let error = |words: [u32; 8]| match access(line, words, &memory, &[&[0, 0]]) {
        Err(FaultKind::Unsupported(error)) => error,
        other => panic!("{:?}", other.map(|_| ())),
    };
    let changed = |at: usize, bits: u32| {
        let mut words = plain;
        words[at] |= bits;
        words
    };
    assert!(error(changed(3, 1 << 20)).contains("tiled"));
    assert!(error(Resource::new(ImageType::D3, DataFormat::F32_UINT, 4, 4).words()).contains("dimensions"));
    assert!(error(Resource::new(ImageType::D2, DataFormat::BC1_UNORM, 4, 4).words()).contains("format"));
}

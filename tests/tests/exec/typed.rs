//! Buffer accesses that convert elements.

use isa_exec::memory::{Memory, Regions};
use isa_exec::wave::Wave;
use rdna3::descriptor::buffer::{BufferValues, DstSelect, OobSelect};
use rdna3::descriptor::format::DataFormat;

use crate::machine::{program, run};

const BASE: u64 = 0x1_0000;

/// Runs a line on a buffer of 16 elements of 16 bytes with some bytes at its start, with lane numbers as indices in v0 and
/// values in v1 and the registers after it; returns the wave and the first bytes of the buffer.
fn access(line: &str, resource: BufferValues, bytes: &[u8], values: &[u32]) -> (Wave, [u8; 32]) {
    let program = program(&[line], rdna3::Wave::W32);
    let mut memory = Regions::new();
    memory.map(BASE, 256).expect("a region");
    memory.write(BASE, bytes).expect("mapped memory");
    let words = resource.build().expect("a resource").to_words();
    let wave = run(&program, &memory, |wave| {
        wave.set_mask(126, 0xFF);
        for (register, word) in (4..).zip(words) {
            wave.set_sgpr(register, word);
        }
        for lane in 0..8 {
            wave.set_vgpr(0, lane, lane as u32);
            for (register, value) in (1..).zip(values) {
                wave.set_vgpr(register, lane, *value);
            }
        }
    });
    let mut first = [0; 32];
    memory.read(BASE, &mut first).expect("mapped memory");
    (wave.expect("no fault"), first)
}

fn resource(stride: u16, format: DataFormat) -> BufferValues {
    BufferValues {
        base: BASE,
        stride,
        num_records: 4,
        format,
        oob_select: OobSelect::Structured,
        ..BufferValues::default()
    }
}

fn registers(wave: &Wave, lane: usize) -> [u32; 4] {
    core::array::from_fn(|n| wave.vgpr(1 + n as u16, lane))
}

#[test]
fn typed_loads_convert_to_the_format_of_the_instruction() {
    let bytes = [0xFF, 0x00, 0x80, 0x33, 1, 2, 3, 4];
    let line = "tbuffer_load_format_xyzw v[1:4], v0, s[4:7], 0 format:[BUF_FMT_8_8_8_8_UNORM] idxen";
    let (wave, _) = access(line, resource(4, DataFormat::F32_UINT), &bytes, &[9; 4]);
    assert_eq!(registers(&wave, 0).map(f32::from_bits), [1.0, 0.0, 128.0 / 255.0, 0.2]);
    assert_eq!(f32::from_bits(wave.vgpr(1, 1)), 1.0 / 255.0);
    // After the four records.
    assert_eq!(registers(&wave, 4), [0; 4]);
    // Inactive lanes keep theirs.
    assert_eq!(wave.vgpr(1, 9), 0);

    // Components that the format lacks are zero.
    let line = "tbuffer_load_format_xyzw v[1:4], v0, s[4:7], 0 format:[BUF_FMT_16_16_SINT] idxen";
    let (wave, _) = access(line, resource(4, DataFormat::F32_UINT), &[0xFE, 0xFF, 5, 0], &[9; 4]);
    assert_eq!(registers(&wave, 0), [0xFFFF_FFFE, 5, 0, 0]);
}

#[test]
fn packed_loads_hold_two_components_in_a_register() {
    let bytes: Vec<u8> = [1.0f32, -2.0, 0.5, 3.0].into_iter().flat_map(f32::to_le_bytes).collect();
    let line = "tbuffer_load_d16_format_xyz v[1:2], v0, s[4:7], 0 format:[BUF_FMT_32_32_32_32_FLOAT] idxen";
    let (wave, _) = access(line, resource(16, DataFormat::F32_UINT), &bytes, &[0; 2]);
    assert_eq!((wave.vgpr(1, 0), wave.vgpr(2, 0) & 0xFFFF), (0xC000_3C00, 0x3800));
    let line = "buffer_load_d16_hi_format_x v1, v0, s[4:7], 0 idxen";
    let x = BufferValues { dst_sel_x: DstSelect::R, ..resource(16, DataFormat::F32_FLOAT) };
    let (wave, _) = access(line, x, &bytes, &[0x1234_5678]);
    assert_eq!(wave.vgpr(1, 0), 0x3C00_5678);
}

#[test]
fn formats_of_resources_select_components() {
    let swapped = BufferValues {
        dst_sel_x: DstSelect::B,
        dst_sel_y: DstSelect::G,
        dst_sel_z: DstSelect::R,
        dst_sel_w: DstSelect::One,
        ..resource(4, DataFormat::F8_8_8_8_UINT)
    };
    let line = "buffer_load_format_xyzw v[1:4], v0, s[4:7], 0 idxen";
    let (wave, _) = access(line, swapped, &[1, 2, 3, 4], &[0; 4]);
    assert_eq!(registers(&wave, 0), [3, 2, 1, 1]);
    let line = "buffer_store_format_xyzw v[1:4], v0, s[4:7], 0 idxen";
    let (_, bytes) = access(line, swapped, &[], &[7, 8, 9, 10]);
    assert_eq!(bytes[..8], [9, 8, 7, 0, 9, 8, 7, 0]);
}

#[test]
fn typed_stores_convert_and_stay_in_range() {
    let line = "tbuffer_store_format_xyzw v[1:4], v0, s[4:7], 0 format:[BUF_FMT_2_10_10_10_UNORM] idxen";
    let values = [1.0f32, 0.5, 0.0, 2.0].map(f32::to_bits);
    let (_, bytes) = access(line, resource(4, DataFormat::F32_UINT), &[], &values);
    let word = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    assert_eq!(word, 3 << 30 | 512 << 10 | 1023);
    // The fifth record is out of range.
    assert_eq!(bytes[12..20], [bytes[0], bytes[1], bytes[2], bytes[3], 0, 0, 0, 0]);
}

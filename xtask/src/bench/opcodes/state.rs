//! Registers and memory in which an instruction is measured: normal numbers of the operands' formats, and addresses of
//! consecutive elements.

use anyhow::{Result, anyhow};
use isa::Access;
use isa::body::{Class, Type};
use isa_exec::layout::Location;
use isa_exec::memory::Regions;
use isa_exec::wave::Wave as State;
use rdna3::descriptor::buffer::{BufferValues, OobSelect};
use rdna3::descriptor::format::DataFormat;
use rdna3::descriptor::image::{DstSelect, ImageType, ImageValues};
use rdna3::descriptor::{Address256, Count};
use rdna3::exec::location;
use rdna3::isa::OperandInfo;
use rdna3::{Rdna3, Value, Wave};

use super::sample::Sample;
use crate::rng::Rng;

/// The address of the data.
const DATA: u64 = 0x100_0000;
/// The bytes of the data.
const BYTES: u64 = 0x1_0000;
/// The bytes of the local data share.
pub const LDS: usize = 0x1_0000;
/// The bytes of scratch memory of a lane.
pub const SCRATCH: usize = 256;

/// The texels of the image.
const TEXELS: u16 = 256;

const LANES: usize = 32;

/// Maps the data.
pub fn memory() -> Result<Regions> {
    let mut memory = Regions::new();
    memory.map(DATA, BYTES).map_err(|error| anyhow!("{error:?}"))?;
    Ok(memory)
}

/// Sets the registers that an instruction reads.
pub fn fill(wave: &mut State, sample: &Sample) -> Result<()> {
    let mut rng = Rng::named(1, [sample.name.as_str()]);
    let operands: Vec<OperandInfo<Rdna3>> = sample.instr.operands(Wave::W32).collect();
    for operand in operands.iter().filter(|operand| operand.access != Access::Write) {
        let Value::Registers(registers) = operand.value else { continue };
        let Some(at) = location(operand.value) else { continue };
        let stride = stride(&operands);
        for lane in 0..LANES {
            let dwords = dwords(sample, operand, registers.count, lane as u64 * stride, &mut rng)?;
            for (number, dword) in (0..).zip(dwords).take(registers.count.into()) {
                match at {
                    Location::Vector(first) | Location::VectorHigh(first) => wave.set_vgpr(first + number, lane, dword),
                    // The first lane's.
                    Location::Scalar(first) | Location::ScalarHigh(first) if lane == 0 => {
                        wave.set_sgpr(first + number, dword);
                    }
                    _ => {}
                }
            }
        }
    }
    Ok(())
}

/// The bytes from the element of one lane to that of the next: the size of the data, as compilers lay out elements.
fn stride(operands: &[OperandInfo<Rdna3>]) -> u64 {
    let is_data = |operand: &&OperandInfo<Rdna3>| matches!(operand.role, "d" | "data" | "data0");
    let bits = operands.iter().find(is_data).map_or(32, |operand| operand.ty.total_bits());
    u64::from(bits.div_ceil(32) * 4)
}

/// The dwords of an operand in a lane; `offset` is that of the lane's element in memory.
fn dwords(sample: &Sample, operand: &OperandInfo<Rdna3>, count: u8, offset: u64, rng: &mut Rng) -> Result<Vec<u32>> {
    let halves = |number: u64| vec![number as u32, (number >> 32) as u32];
    Ok(match (sample.format, operand.role) {
        ("DS" | "MUBUF" | "MTBUF", "addr") => halves(offset),
        ("GLOBAL" | "FLAT", "addr") if count == 2 => halves(DATA + offset),
        ("GLOBAL", "addr") => halves(offset),
        ("GLOBAL", "saddr") => halves(DATA),
        ("SMEM", "base") if count == 2 => halves(DATA),
        ("SMEM", "base") | ("MUBUF" | "MTBUF", "rsrc") => buffer()?.into(),
        ("MIMG", "rsrc") => image()?.into(),
        ("MIMG", "addr") if operand.ty.class() != Class::Float => vec![rng.below(TEXELS.into()) as u32],
        ("SCRATCH", "addr" | "saddr") | (_, "soffset" | "samp") => vec![0],
        // Exponents that leave the result a normal number.
        (_, "s1") if sample.name.to_uppercase().starts_with("V_LDEXP") => vec![(rng.below(7) as u32).wrapping_sub(3)],
        _ => (0..count.max(1)).flat_map(|_| halves(element(operand.ty, rng))).collect(),
    })
}

/// A buffer of the data, whose offsets count bytes.
fn buffer() -> Result<[u32; 4]> {
    let values = BufferValues {
        base: DATA,
        num_records: BYTES as u32,
        dst_sel_x: DstSelect::R,
        dst_sel_y: DstSelect::G,
        dst_sel_z: DstSelect::B,
        dst_sel_w: DstSelect::A,
        format: DataFormat::F32_FLOAT,
        oob_select: OobSelect::Raw,
        ..BufferValues::default()
    };
    Ok(values.build()?.to_words())
}

/// A row of texels at the beginning of the data.
fn image() -> Result<[u32; 8]> {
    let values = ImageValues {
        base: Address256::new(DATA),
        format: DataFormat::F32_FLOAT,
        width: Count::new(TEXELS.into()),
        dst_sel_x: DstSelect::R,
        image_type: ImageType::D1,
        ..ImageValues::default()
    };
    let mut words = [0; 8];
    for (word, of_image) in words.iter_mut().zip(values.build()?.to_words()) {
        *word = of_image;
    }
    Ok(words)
}

/// 64 bits of elements of a type: floats between 0.5 and 2 in magnitude, and any integers.
fn element(ty: Type, rng: &mut Rng) -> u64 {
    let random = rng.next();
    // The bits of a float below its sign that are the upper part of the exponent, and their value for 1 to 2.
    let (bits, exponent_bits, bias) = match (ty.class(), ty.bits()) {
        (Class::Float, 16) => (16, 5, 15),
        (Class::BFloat, 16) => (16, 8, 127),
        (Class::Float, 32) => (32, 8, 127),
        (Class::Float, 64) => (64, 11, 1023),
        _ => return random,
    };
    let mantissa_bits = bits - 1 - exponent_bits;
    let mut number = 0;
    for at in (0..64).step_by(bits) {
        let part = random >> at;
        let exponent = bias - (part >> mantissa_bits & 1);
        let mantissa = part & ((1 << mantissa_bits) - 1);
        let sign = part >> (bits - 1) & 1;
        number |= (sign << (bits - 1) | exponent << mantissa_bits | mantissa) << at;
    }
    number
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_are_normal_and_near_one() {
        let mut rng = Rng::new(1);
        for _ in 0..1000 {
            let pair = element(Type::new(Class::Float, 32, 1), &mut rng);
            for bits in [pair as u32, (pair >> 32) as u32] {
                assert!((0.5..2.0).contains(&f32::from_bits(bits).abs()));
            }
            let double = f64::from_bits(element(Type::new(Class::Float, 64, 1), &mut rng));
            assert!((0.5..2.0).contains(&double.abs()));
            let halves = element(Type::new(Class::Float, 16, 2), &mut rng);
            for exponent in (0..4).map(|at| halves >> (16 * at + 10) & 31) {
                assert!(matches!(exponent, 14 | 15));
            }
        }
    }
}

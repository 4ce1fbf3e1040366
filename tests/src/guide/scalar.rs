//! Scalar loads (chapter 8).

use super::{Outcome, Transfer, Why, bits, transfer};

/// The base address operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Base {
    /// A 64-bit address.
    Pointer(u64),
    /// The four dwords of a V#.
    Buffer([u32; 4]),
}

/// The code of NULL (§3.3.1.4).
const NULL: u32 = 124;

/// The dwords that a scalar load reads.
pub fn access(name: &str, words: &[u32], base: Base, register: u32) -> Outcome {
    let Some(Transfer::Unformatted(bytes)) = transfer(name) else { return Err(vec![Why::NoAccess]) };
    let field = i64::from(bits(words, 52, 32));
    let inst_offset = if field >= 1 << 20 { field - (1 << 21) } else { field };
    let register = if bits(words, 63, 57) == NULL { 0 } else { i64::from(register) };
    match (base, name.starts_with("S_BUFFER_")) {
        (Base::Pointer(base), false) => {
            // §8.1.1: the sum of the offsets must not be negative if the immediate is; the two low bits of each
            // component are ignored.
            if inst_offset < 0 && inst_offset + register < 0 {
                return Err(vec![Why::Rule]);
            }
            let start =
                i128::from(base / 4 * 4) + i128::from(inst_offset.div_euclid(4) * 4) + i128::from(register / 4 * 4);
            Ok((0..i128::from(bytes / 4)).map(|i| Ok(((start + 4 * i).rem_euclid(1 << 64) as u64, 4))).collect())
        }
        (Base::Buffer(v), true) => {
            if inst_offset < 0 {
                return Err(vec![Why::Rule]);
            }
            // §8.1.2, §8.4.1.
            let offset = (inst_offset + register) as u64;
            let base = u64::from(v[0]) + (u64::from(v[1] & 0xffff) << 32);
            let stride = u64::from(v[1] >> 16 & 0x3fff);
            let size = if stride == 0 { 1 } else { stride } * u64::from(v[2]);
            let dword = |i: u64| {
                let offset = offset + 4 * i;
                if offset >= size { Err(vec![Why::Range]) } else { Ok((base / 4 * 4 + offset / 4 * 4, 4)) }
            };
            Ok((0..u64::from(bytes / 4)).map(dword).collect())
        }
        _ => Err(vec![Why::Rule]),
    }
}

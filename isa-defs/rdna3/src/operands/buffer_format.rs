//! The formats of buffer elements. Guide §10.7, table 52.

use isa::{Cx, Operand, Text};

use super::ds::write_unless_zero;
use crate::Rdna3;

/// The names of the formats that buffers can have, in the order of their codes. Codes from 64 on are formats of images.
#[rustfmt::skip]
pub static BUFFER_FORMATS: [&str; 64] = [
    "INVALID", "8_UNORM", "8_SNORM", "8_USCALED", "8_SSCALED", "8_UINT", "8_SINT", "16_UNORM", "16_SNORM",
    "16_USCALED", "16_SSCALED", "16_UINT", "16_SINT", "16_FLOAT", "8_8_UNORM", "8_8_SNORM", "8_8_USCALED",
    "8_8_SSCALED", "8_8_UINT", "8_8_SINT", "32_UINT", "32_SINT", "32_FLOAT", "16_16_UNORM", "16_16_SNORM",
    "16_16_USCALED", "16_16_SSCALED", "16_16_UINT", "16_16_SINT", "16_16_FLOAT", "10_11_11_FLOAT",
    "11_11_10_FLOAT", "10_10_10_2_UNORM", "10_10_10_2_SNORM", "10_10_10_2_UINT", "10_10_10_2_SINT",
    "2_10_10_10_UNORM", "2_10_10_10_SNORM", "2_10_10_10_USCALED", "2_10_10_10_SSCALED", "2_10_10_10_UINT",
    "2_10_10_10_SINT", "8_8_8_8_UNORM", "8_8_8_8_SNORM", "8_8_8_8_USCALED", "8_8_8_8_SSCALED", "8_8_8_8_UINT",
    "8_8_8_8_SINT", "32_32_UINT", "32_32_SINT", "32_32_FLOAT", "16_16_16_16_UNORM", "16_16_16_16_SNORM",
    "16_16_16_16_USCALED", "16_16_16_16_SSCALED", "16_16_16_16_UINT", "16_16_16_16_SINT", "16_16_16_16_FLOAT",
    "32_32_32_UINT", "32_32_32_SINT", "32_32_32_FLOAT", "32_32_32_32_UINT", "32_32_32_32_SINT",
    "32_32_32_32_FLOAT",
];

/// The format that is meant where text names none: `8_UNORM`.
const DEFAULT: u32 = 1;

/// The format in which a typed buffer instruction reads or writes memory, by its code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BufferFormat;

impl Operand<Rdna3> for BufferFormat {
    type Get = u8;

    const CHECKED: bool = false;

    fn get(code: u32) -> u8 {
        code as u8
    }

    fn code(value: u8) -> u32 {
        u32::from(value)
    }

    fn write(_cx: &Cx<'_, Rdna3>, code: u32, out: &mut Text) {
        match BUFFER_FORMATS.get(code as usize) {
            _ if code == DEFAULT => {}
            Some(name) => {
                out.push(" format:[BUF_FMT_");
                out.push(name);
                out.push_ascii(b']');
            }
            None => write_unless_zero(" format:", code, out),
        }
    }
}

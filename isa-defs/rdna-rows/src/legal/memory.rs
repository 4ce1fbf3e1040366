//! Rules of instructions on memory: LDS and GDS, buffers, images, scratch.

use super::{Facts, Finding, Violation, forbid, is_in};
use crate::operands::{BUFFER_FORMATS, dimension, image_fault};
use crate::{File, Format, Generation, Instruction, Rule, Value, flags, modifiers, roles};

/// The files whose registers can be the scalar offset of a buffer.
const OFFSETS: &[File] = &[File::Sgpr, File::Vcc, File::Ttmp, File::M0, File::Null];

impl<I: Generation> Facts<'_, I> {
    pub(super) fn memory(&self) -> Finding {
        match self.instr.microcode() {
            format if format.is_image() => match image_fault(&self.cx) {
                Some((rule, operand)) => Err(Violation::new(rule, operand)),
                None => Ok(()),
            },
            _ => forbid(
                self.modifier(modifiers::TFE) != 0 && self.operand(roles::DATA).is_some(),
                Rule::StoreStatus,
                modifiers::TFE.name,
            ),
        }
    }

    pub(super) fn memory_guide(&self) -> Finding {
        if self.has(flags::MUST_RETURN) {
            // RDNA4 has the bit in its temporal hint.
            let (modifier, bit) = match self.cx.sibling("glc") {
                Some(glc) => ("glc", Some(glc)),
                None => ("th", self.cx.sibling("rtn")),
            };
            forbid(bit.is_none_or(|(code, _)| code == 0), Rule::MustReturn, modifier)?;
        }
        match self.instr.microcode() {
            Format::Ds => self.data_share(),
            format if format.is_image() => {
                let dim = dimension(&self.cx);
                let addressed = dim.has_address(self.instr.flags(), self.operand(roles::SAMP).is_some());
                forbid(!addressed, Rule::ImageDimension, modifiers::DIM.name)?;
                let stores = self.operand(roles::DATA).is_some();
                let is_normalized = self.cx.sibling(modifiers::UNORM.name).is_some_and(|(code, _)| code == 0);
                forbid(stores && is_normalized, Rule::Unnormalized, modifiers::UNORM.name)
            }
            Format::Scratch => {
                let off = |role| self.operand(role).is_some_and(|o| o.value == Value::Off);
                let negative = self.cx.sibling(modifiers::OFFSET.name).is_some_and(|(code, _)| code >> 12 != 0);
                forbid(negative && off(roles::ADDR) && off(roles::SADDR), Rule::ScratchOffset, modifiers::OFFSET.name)
            }
            Format::Mubuf | Format::Mtbuf => {
                Self::forbid(self.operands(), Rule::BufferRegister, |o| {
                    let register = matches!(o.value, Value::Registers(_));
                    o.role == roles::SOFFSET && register && !is_in(o, OFFSETS)
                })?;
                match self.cx.sibling(modifiers::FORMAT.name) {
                    Some((code, _)) => {
                        let named = (code as usize) < BUFFER_FORMATS.len();
                        forbid(!named, Rule::ElementFormat, modifiers::FORMAT.name)
                    }
                    None => Ok(()),
                }
            }
            _ => Ok(()),
        }
    }

    fn data_share(&self) -> Finding {
        let gds = self.cx.sibling("gds").is_some_and(|(code, _)| code != 0);
        forbid(gds && self.has(flags::LDS_ONLY), Rule::LocalOnly, "gds")?;
        if !self.has(flags::APPENDS) {
            return Ok(());
        }
        let offset = self.modifier(modifiers::OFFSET1) << 8 | self.modifier(modifiers::OFFSET0);
        forbid(!offset.is_multiple_of(4) || gds && offset != 0, Rule::AppendOffset, modifiers::OFFSET0.name)
    }
}

//! The processors that LLVM knows, and their instruction sets.

use amdgpu_object::Processor as ObjectProcessor;

use crate::set::Arch;

const GCN10: Option<Arch> = Some(Arch::Gcn1_0);
const GCN11: Option<Arch> = Some(Arch::Gcn1_1);
const GCN12: Option<Arch> = Some(Arch::Gcn1_2);
const GCN14: Option<Arch> = Some(Arch::Gcn1_4);
const RDNA3: Option<Arch> = Some(Arch::Rdna3);
const RDNA3_5: Option<Arch> = Some(Arch::Rdna3_5);
const RDNA4: Option<Arch> = Some(Arch::Rdna4);

/// A processor as LLVM names it.
#[derive(Debug)]
pub struct Processor {
    /// LLVM's name.
    pub name: &'static str,
    /// Its number in the low byte of an ELF file's `e_flags`.
    pub mach: u32,
    /// Its instruction set, if this project reads it.
    pub arch: Option<Arch>,
}

impl Processor {
    /// Returns the processor of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        PROCESSORS.iter().find(|processor| processor.name == name)
    }

    /// Returns the first processor with an instruction set, which the name of the set selects.
    #[must_use]
    pub fn first(arch: Arch) -> Option<&'static Self> {
        PROCESSORS.iter().find(|processor| processor.arch == Some(arch))
    }
}

/// Returns the processor that the `e_flags` of an ELF file name.
///
/// # Errors
/// The processor is unknown: its number.
pub fn processor(e_flags: u32) -> Result<&'static Processor, u32> {
    const MACH: u32 = 0xff;
    let mach = e_flags & MACH;
    PROCESSORS.iter().find(|p| p.mach == mach).ok_or(mach)
}

const fn known(name: &'static str, mach: u32) -> Processor {
    runs(name, mach, None)
}

const fn runs(name: &'static str, mach: u32, arch: Option<Arch>) -> Processor {
    Processor { name, mach, arch }
}

/// A processor that objects can be written for.
const fn gfx11(processor: ObjectProcessor, arch: Option<Arch>) -> Processor {
    runs(processor.name(), processor.flags(), arch)
}

/// LLVM's processors, those of versions after 22 included, and their numbers (its AMDGPU usage page, "ELF header"). A processor of a
/// family that adds instructions to the family's set (gfx906, gfx908, gfx90a …) is only known, not read.
pub const PROCESSORS: &[Processor] = &[
    gfx11(ObjectProcessor::Gfx1100, RDNA3),
    gfx11(ObjectProcessor::Gfx1101, RDNA3),
    gfx11(ObjectProcessor::Gfx1102, RDNA3),
    gfx11(ObjectProcessor::Gfx1103, RDNA3),
    runs("gfx600", 0x20, GCN10),
    runs("gfx601", 0x21, GCN10),
    runs("gfx602", 0x3a, GCN10),
    runs("gfx700", 0x22, GCN11),
    runs("gfx701", 0x23, GCN11),
    runs("gfx702", 0x24, GCN11),
    runs("gfx703", 0x25, GCN11),
    runs("gfx704", 0x26, GCN11),
    runs("gfx705", 0x3b, GCN11),
    runs("gfx801", 0x28, GCN12),
    runs("gfx802", 0x29, GCN12),
    runs("gfx803", 0x2a, GCN12),
    runs("gfx805", 0x3c, GCN12),
    runs("gfx810", 0x2b, GCN12),
    runs("gfx900", 0x2c, GCN14),
    runs("gfx902", 0x2d, GCN14),
    runs("gfx904", 0x2e, GCN14),
    runs("gfx909", 0x31, GCN14),
    runs("gfx90c", 0x32, GCN14),
    known("gfx906", 0x2f),
    known("gfx908", 0x30),
    known("gfx90a", 0x3f),
    known("gfx940", 0x40),
    known("gfx941", 0x4b),
    known("gfx942", 0x4c),
    known("gfx950", 0x4f),
    known("gfx1010", 0x33),
    known("gfx1011", 0x34),
    known("gfx1012", 0x35),
    known("gfx1013", 0x42),
    known("gfx1030", 0x36),
    known("gfx1031", 0x37),
    known("gfx1032", 0x38),
    known("gfx1033", 0x39),
    known("gfx1034", 0x3e),
    known("gfx1035", 0x3d),
    known("gfx1036", 0x45),
    gfx11(ObjectProcessor::Gfx1150, RDNA3_5),
    gfx11(ObjectProcessor::Gfx1151, RDNA3_5),
    gfx11(ObjectProcessor::Gfx1152, RDNA3_5),
    gfx11(ObjectProcessor::Gfx1153, RDNA3_5),
    gfx11(ObjectProcessor::Gfx1154, RDNA3_5),
    known("gfx1170", 0x5d),
    known("gfx1171", 0x5e),
    known("gfx1172", 0x5c),
    runs("gfx1200", 0x48, RDNA4),
    runs("gfx1201", 0x4e, RDNA4),
    known("gfx1250", 0x49),
    known("gfx1251", 0x5a),
    known("gfx1310", 0x50),
    runs("gfx9-generic", 0x51, GCN14),
    known("gfx10-1-generic", 0x52),
    known("gfx10-3-generic", 0x53),
    runs("gfx11-generic", 0x54, RDNA3),
    known("gfx11-7-generic", 0x62),
    runs("gfx12-generic", 0x59, RDNA4),
    known("gfx12-5-generic", 0x5b),
    known("gfx9-4-generic", 0x5f),
];

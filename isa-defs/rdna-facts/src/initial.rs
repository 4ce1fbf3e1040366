//! The initial values of SGPRs and VGPRs by shader stage, and the settings that enable them (guide §3.5; RDNA4's §3.5).

use crate::Family;

/// A hardware shader stage.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Stage {
    /// Pixel shaders.
    Pixel,
    /// Geometry shaders, with the export shader before them.
    Geometry,
    /// Geometry shaders that are launched like compute shaders: FAST_LAUNCH is 2 (mesh shaders).
    FastGeometry,
    /// Hull shaders, with the local shader before them.
    Hull,
    /// Compute shaders.
    Compute,
}

/// The position of a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Place {
    /// In this SGPR, whether or not other values are enabled.
    At(u8),
    /// After the enabled values before it.
    Next,
}

/// A value that SGPRs may hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Load {
    /// Its position.
    pub place: Place,
    /// The largest number of registers; the setting that enables the value may select fewer.
    pub most: u8,
    /// The guide's words for the bits, the highest first.
    pub value: &'static str,
    /// The field of a state register that enables it; none: it is always there.
    pub enable: Option<&'static str>,
}

const fn next(most: u8, value: &'static str, enable: Option<&'static str>) -> Load {
    Load { place: Place::Next, most, value, enable }
}

const fn at(register: u8, value: &'static str, enable: Option<&'static str>) -> Load {
    Load { place: Place::At(register), most: 1, value, enable }
}

/// Table 8.
static PIXEL: [Load; 4] = [
    next(32, "user data", Some("SPI_SHADER_PGM_RSRC2_PS.user_sgpr")),
    next(1, "bc_optimize, prim_mask[14:0], lds_offset[15:0]", None),
    next(1, "ps_wave_id[9:0], ps_wave_index[5:0]", Some("SPI_SHADER_PGM_RSRC2_PS.wave_cnt_en")),
    next(1, "provoking vertices: prim15[1:0] to prim0[1:0]", Some("SPI_SHADER_PGM_RSRC1_PS.LOAD_PROVOKING_VTX")),
];

const GS_LOW: Load = at(0, "address of the geometry program [31:0]", None);
const GS_HIGH: Load = at(1, "address of the geometry program [63:32]", None);
const GS_USER: Load =
    Load { place: Place::At(8), most: 32, value: "user data", enable: Some("SPI_SHADER_PGM_RSRC2_GS.user_sgpr") };

/// Table 9, FAST_LAUNCH other than 2.
static GEOMETRY: [Load; 7] = [
    GS_LOW,
    GS_HIGH,
    at(2, "0, gsAmpPrimPerGrp[8:0], 0, esAmpVertPerGrp[8:0], ordered_wave_id[11:0]", None),
    at(3, "TGsize[3:0], WaveInGroup[3:0], 0 (8 bits), gsInputPrimCnt[7:0], esInputVertCnt[7:0]", None),
    at(4, "base of LDS outside of the chip", Some("SPI_SHADER_PGM_RSRC2_GS.oc_lds_en")),
    at(5, "0 (17 bits), attrSgBase[14:0]", None),
    GS_USER,
];

/// Table 9, FAST_LAUNCH of 2.
static FAST_GEOMETRY: [Load; 7] = [
    GS_LOW,
    GS_HIGH,
    at(2, "0", None),
    at(3, "TGsize[3:0], WaveInGroup[3:0], 0 (24 bits)", None),
    at(4, "TGID_Y[15:0], TGID_X[15:0]", None),
    at(5, "TGID_Z[15:0], 0, attrSgBase[14:0]", None),
    GS_USER,
];

/// Table 10.
const HULL: [Load; 7] = [
    at(0, "address of the hull program [31:0] (SPI_SHADER_USER_DATA_LO_HS)", None),
    at(1, "address of the hull program [63:32] (SPI_SHADER_USER_DATA_HI_HS)", None),
    at(2, "base of LDS outside of the chip", None),
    at(3, "first_wave, lshs_TGsize[6:0], lshs_PatchCount[7:0], HS_vertCount[7:0], LS_vertCount[7:0]", None),
    at(4, "base of the tessellation factors [15:0]", None),
    at(5, "0 (27 bits), wave_id_in_group[4:0]", Some("SPI_SHADER_PGM_RSRC2_HS.scratch_en")),
    Load { place: Place::At(8), most: 32, value: "user data", enable: Some("SPI_SHADER_PGM_RSRC2_HS.user_sgpr") },
];

/// Table 11.
static COMPUTE: [Load; 5] = [
    next(16, "user data", Some("COMPUTE_PGM_RSRC2.user_sgpr")),
    next(1, "work_group_id0", Some("COMPUTE_PGM_RSRC2.tgid_x_en")),
    next(1, "work_group_id1", Some("COMPUTE_PGM_RSRC2.tgid_y_en")),
    next(1, "work_group_id2", Some("COMPUTE_PGM_RSRC2.tgid_z_en")),
    next(
        1,
        "first_wave, 0 (6 bits), wave_id_in_group[4:0], 0 (2 bits), ordered_append_term[11:0], workgroup_size_in_waves[5:0]",
        Some("COMPUTE_PGM_RSRC2.tg_size_en"),
    ),
];

/// RDNA4's guide, table 11: as in RDNA3, but for the bits of the base of tessellation factors.
static RDNA4_HULL: [Load; 7] = {
    let mut loads = HULL;
    loads[4] = at(4, "base of the tessellation factors [17:0]", None);
    loads
};

/// RDNA4's guide, table 12. The number of the work-group is in trap temporaries: see [`COMPUTE_TTMPS`].
static RDNA4_COMPUTE: [Load; 2] = [
    next(16, "user data", Some("COMPUTE_PGM_RSRC2.user_sgpr")),
    next(
        1,
        "0 (14 bits), ordered_append_term[11:0], work_group_size_in_waves[5:0]",
        Some("COMPUTE_PGM_RSRC2.tg_size_en"),
    ),
];

/// The trap temporaries that hold values at the start of a compute wave of RDNA4, and these values. RDNA4's guide §3.5.3.4, table 12.
pub static COMPUTE_TTMPS: [(u8, &str); 3] = [
    (7, "work-group number: Z[15:0], Y[15:0]; if GridYZvalid is set"),
    (8, "DebugMark, GridYZvalid, waveIDinGroup[4:0], dispatchIndex[24:0]"),
    (9, "work-group number X[31:0]"),
];

/// Returns the values that SGPRs of a stage may hold in a family, in the order of loading.
#[must_use]
pub fn sgprs_in(family: Family, stage: Stage) -> &'static [Load] {
    match (family, stage) {
        (Family::Gfx12, Stage::Hull) => &RDNA4_HULL,
        (Family::Gfx12, Stage::Compute) => &RDNA4_COMPUTE,
        _ => sgprs(stage),
    }
}

/// Returns the values that SGPRs of a stage of RDNA3 may hold, in the order of loading.
#[must_use]
pub fn sgprs(stage: Stage) -> &'static [Load] {
    match stage {
        Stage::Pixel => &PIXEL,
        Stage::Geometry => &GEOMETRY,
        Stage::FastGeometry => &FAST_GEOMETRY,
        Stage::Hull => const { &HULL },
        Stage::Compute => &COMPUTE,
    }
}

/// Returns the first SGPR of the load with index `nth`. `registers` returns the number of registers of a load, 0 if it is disabled.
#[must_use]
pub fn sgpr_of(stage: Stage, nth: usize, registers: impl Fn(usize) -> u8) -> Option<u8> {
    let loads = sgprs(stage);
    match loads.get(nth)?.place {
        Place::At(register) => Some(register),
        Place::Next => (0..nth).try_fold(0u8, |sum, i| sum.checked_add(registers(i))),
    }
}

/// A term of a pixel shader's VGPRs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PixelTerm {
    /// The field of SPI_PS_INPUT_ENA and SPI_PS_INPUT_ADDR without `_ENA`.
    pub name: &'static str,
    /// The value of each of its VGPRs.
    pub registers: &'static [&'static str],
}

const fn term(name: &'static str, registers: &'static [&'static str]) -> PixelTerm {
    PixelTerm { name, registers }
}

/// The terms of a pixel shader, in the order of loading. Guide §3.5.4.1.
pub static PIXEL_TERMS: [PixelTerm; 16] = [
    term("PERSP_SAMPLE", &["I", "J"]),
    term("PERSP_CENTER", &["I", "J"]),
    term("PERSP_CENTROID", &["I", "J"]),
    term("PERSP_PULL_MODEL", &["I/W", "J/W", "1/W"]),
    term("LINEAR_SAMPLE", &["I", "J"]),
    term("LINEAR_CENTER", &["I", "J"]),
    term("LINEAR_CENTROID", &["I", "J"]),
    term("LINE_STIPPLE_TEX", &["line stipple"]),
    term("POS_X_FLOAT", &["x"]),
    term("POS_Y_FLOAT", &["y"]),
    term("POS_Z_FLOAT", &["z"]),
    term("POS_W_FLOAT", &["w"]),
    term("FRONT_FACE", &["facedness"]),
    term("ANCILLARY", &["RTA_Index[28:16], Sample_Num[11:8], Eye_id[7], VRSrateY[5:4], VRSrateX[3:2], Prim_Typ[1:0]"]),
    term("SAMPLE_COVERAGE", &["sample mask"]),
    term("POS_FIXED_PT", &["Y[31:16], X[15:0]"]),
];

/// The first VGPR of a term whose index in [`PIXEL_TERMS`] is `nth`. `addr` has a bit for each term, in that order, that
/// SPI_PS_INPUT_ADDR gives room to: the terms that are loaded are among them.
#[must_use]
pub fn pixel_vgpr(nth: usize, addr: u16) -> Option<u8> {
    if nth >= PIXEL_TERMS.len() || addr >> nth & 1 == 0 {
        return None;
    }
    let before = PIXEL_TERMS.iter().enumerate().take(nth).filter(|(i, _)| addr >> i & 1 == 1);
    Some(before.map(|(_, t)| t.registers.len() as u8).sum())
}

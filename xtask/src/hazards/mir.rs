//! Random functions in LLVM's machine representation.

use std::fmt::Write as _;

use rdna3::Wave;

use crate::rng::Rng;

/// How many instructions a function has at most, and how many blocks.
const INSTRUCTIONS: usize = 20;
const BLOCKS: usize = 4;

/// Instructions, with how often each is chosen. `{v}`, `{w}` are vector registers, `{W}` a pair, `{s}`, `{t}` scalar
/// registers, `{m}`, `{n}` lane masks, `{A}` to `{E}` matrices, `{i}` a register of one.
type Templates = &'static [(usize, &'static str)];

const ANY: Templates = &[
    (6, "$vgpr{v} = V_MOV_B32_e32 $vgpr{w}, implicit $exec"),
    (6, "$vgpr{v} = V_ADD_F32_e32 $vgpr{w}, $vgpr{x}, implicit $mode, implicit $exec"),
    (3, "$vgpr{v} = V_FMA_F32_e64 0, $vgpr{w}, 0, $vgpr{x}, 0, $vgpr{y}, 0, 0, implicit $mode, implicit $exec"),
    (6, "$vgpr{v} = V_EXP_F32_e32 $vgpr{w}, implicit $mode, implicit $exec"),
    (2, "$vgpr{v} = V_RCP_F32_e32 $vgpr{w}, implicit $mode, implicit $exec"),
    (2, "V_NOP_e32 implicit $exec"),
    (2, "$vgpr{v} = V_ADD_U32_e64 $sgpr{s}, $vgpr{w}, 0, implicit $exec"),
    (2, "$sgpr{s} = V_READFIRSTLANE_B32 $vgpr{v}, implicit $exec"),
    (2, "$vgpr{v} = V_PERMLANE16_B32_e64 0, $vgpr{w}, 0, $sgpr{s}, 0, $sgpr{t}, $vgpr{v}, 0, implicit $exec"),
    (3, "V_CMPX_EQ_U32_nosdst_e32 $vgpr{v}, $vgpr{w}, implicit-def $exec, implicit $exec"),
    (4, "$sgpr{s} = S_MOV_B32 $sgpr{t}"),
    (2, "$sgpr{s} = S_MOVK_I32 5"),
    (2, "$sgpr{s} = S_ADD_U32 $sgpr{t}, 7, implicit-def $scc"),
    (2, "$sgpr{s} = S_LOAD_DWORD_IMM $sgpr30_sgpr31, 0, 0"),
    (2, "$vgpr{v} = GLOBAL_LOAD_DWORD_SADDR $sgpr30_sgpr31, $vgpr{w}, 0, 0, implicit $exec"),
    (2, "GLOBAL_STORE_DWORD_SADDR $vgpr{v}, $vgpr{w}, $sgpr30_sgpr31, 0, 0, implicit $exec"),
    (2, "$vgpr{v} = DS_READ_B32_gfx9 $vgpr{w}, 0, 0, implicit $exec"),
    (2, "DS_WRITE_B32_gfx9 $vgpr{v}, $vgpr{w}, 0, 0, implicit $exec"),
    (1, "EXP 0, $vgpr{v}, $vgpr{w}, $vgpr{v}, $vgpr{w}, 0, 0, 15, implicit $exec"),
    (1, "S_NOP 0"),
];

const GFX11: Templates = &[
    (3, "$vgpr{v} = LDS_PARAM_LOAD 0, 0, 15, implicit $m0, implicit $exec"),
    (2, "$vgpr{v} = LDS_DIRECT_LOAD 15, implicit $m0, implicit $exec"),
    (1, "S_WAITCNT 0"),
    (1, "S_WAITCNT_DEPCTR 4095"),
    (1, "S_WAITCNT_DEPCTR 65507"),
];

const GFX12: Templates = &[
    (3, "$vgpr{v} = DS_PARAM_LOAD 0, 0, 15, 1, implicit $m0, implicit $exec"),
    (2, "$vgpr{v} = DS_DIRECT_LOAD 15, 1, implicit $m0, implicit $exec"),
    (1, "S_WAIT_LOADCNT 0"),
    (1, "S_WAIT_DSCNT 0"),
    (2, "$vgpr{v} = BUFFER_LOAD_DWORD_VBUFFER_OFFSET $sgpr8_sgpr9_sgpr10_sgpr11, $sgpr_null, 0, 0, 0, implicit $exec"),
    (2, "$sgpr{s} = S_ADD_F32 $sgpr{t}, $sgpr{s}, implicit $mode"),
];

const GFX11_W32: Templates = &[
    (3, "early-clobber {A} = V_WMMA_F32_16X16X16_F16_twoaddr_w32 8, {B}, 8, {C}, 8, {A}, 0, 0, implicit $exec"),
    (3, "early-clobber {B} = V_WMMA_F32_16X16X16_F16_twoaddr_w32 8, {A}, 8, {C}, 8, {B}, 0, 0, implicit $exec"),
];

const GFX12_W32: Templates = &[
    (3, "early-clobber {A} = V_WMMA_F32_16X16X16_F16_w32_twoaddr 8, {D}, 8, {E}, 8, {A}, 0, 0, implicit $exec"),
    (3, "early-clobber {B} = V_WMMA_F32_16X16X16_F16_w32_twoaddr 8, {E}, 8, {D}, 8, {B}, 0, 0, implicit $exec"),
    (
        3,
        "early-clobber {A} = V_SWMMAC_F32_16X16X32_F16_w32_twoaddr 8, {D}, 8, {B}, {A}, $vgpr{i}, 0, 0, 0, implicit $exec",
    ),
];

const W32: Templates = &[(2, "$vgpr{v} = V_CNDMASK_B32_e64 0, $vgpr{w}, 0, $vgpr{x}, $sgpr{s}, implicit $exec")];

const W64: Templates = &[
    (7, "$vgpr{v} = V_CNDMASK_B32_e64 0, $vgpr{w}, 0, $vgpr{x}, {m}, implicit $exec"),
    (5, "$vgpr{v} = V_CNDMASK_B32_e32 $vgpr{w}, $vgpr{x}, implicit $vcc, implicit $exec"),
    (2, "$vgpr{v}, {n} = V_ADDC_U32_e64 $vgpr{w}, $vgpr{x}, {m}, 0, implicit $exec"),
    (4, "{m} = V_CMP_EQ_U32_e64 $vgpr{v}, $vgpr{w}, implicit $exec"),
    (3, "V_CMP_EQ_U32_e32 $vgpr{v}, $vgpr{w}, implicit-def $vcc, implicit $exec"),
    (6, "{m} = S_MOV_B64 {n}"),
    (3, "{m} = S_AND_B64 {n}, {m}, implicit-def $scc"),
    (6, "$exec = S_MOV_B64 {m}"),
    (2, "$exec = S_AND_B64 $exec, {m}, implicit-def $scc"),
];

/// Returns a module with functions `f0000`, `f0001`, ….
pub fn module(rng: &mut Rng, count: usize, processor: &str, wave: Wave) -> String {
    let is_gfx12 = processor.starts_with("gfx12");
    let of_generation = if is_gfx12 { GFX12 } else { GFX11 };
    let (of_wave, of_both) = match wave {
        Wave::W64 => (W64, [].as_slice()),
        Wave::W32 => (W32, if is_gfx12 { GFX12_W32 } else { GFX11_W32 }),
    };
    let templates: Vec<&str> =
        [ANY, of_generation, of_wave, of_both].into_iter().flatten().flat_map(|(n, t)| vec![*t; *n]).collect();
    let mut out = String::from("--- |\n");
    for i in 0..count {
        // Writing to a String does not fail.
        let _ = writeln!(out, "  define amdgpu_kernel void @f{i:04}() {{ ret void }}");
    }
    out.push_str("...\n");
    for i in 0..count {
        let _ = write!(out, "---\nname: f{i:04}\nmachineFunctionInfo:\n  isEntryFunction: true\nbody: |\n");
        let blocks = 1 + rng.below(BLOCKS);
        let mut left = 1 + rng.below(INSTRUCTIONS);
        for block in 0..blocks {
            let is_last = block + 1 == blocks;
            // Nothing may lead to the entry.
            let target = 1 + rng.below(blocks - 1);
            let branches = !is_last && rng.below(3) > 0;
            let _ = writeln!(out, "  bb.{block}:");
            if branches && target != block + 1 {
                let _ = writeln!(out, "    successors: %bb.{}, %bb.{target}", block + 1);
            } else if !is_last {
                let _ = writeln!(out, "    successors: %bb.{}", block + 1);
            }
            let here = if is_last { left } else { rng.below(left + 1) };
            left -= here;
            for _ in 0..here {
                let template = templates[rng.below(templates.len())];
                let _ = writeln!(out, "    {}", fill(rng, template));
            }
            if branches {
                let _ = writeln!(out, "    S_CBRANCH_SCC1 %bb.{target}, implicit $scc");
            } else if is_last {
                let _ = writeln!(out, "    S_ENDPGM 0");
            }
        }
        out.push_str("...\n");
    }
    out
}

/// Replaces the places of a template by registers, the same for the same letter.
fn fill(rng: &mut Rng, template: &str) -> String {
    let (pairs, numbers) = ([rng.below(4), rng.below(4)], [(); 6].map(|()| rng.below(6)));
    let number = |place: &str| numbers["vwxyst".find(place).unwrap_or(0)].to_string();
    let mask = |index: usize| match pairs[index] {
        0 => "$vcc".to_owned(),
        pair => format!("$sgpr{}_sgpr{}", 2 * pair - 2, 2 * pair - 1),
    };
    let matrix = |first: usize, count: usize| {
        let names: Vec<String> = (first..first + count).map(|n| format!("vgpr{n}")).collect();
        format!("${}", names.join("_"))
    };
    let mut out = String::new();
    let mut rest = template;
    while let Some((before, (place, after))) = rest.split_once('{').and_then(|(b, a)| Some((b, a.split_once('}')?))) {
        out.push_str(before);
        out.push_str(&match place {
            "m" => mask(0),
            "n" => mask(1),
            "A" => matrix(8, 8),
            "B" => matrix(16, 8),
            "C" => matrix(24, 8),
            "D" => matrix(8, 4),
            "E" => matrix(20, 4),
            "i" => (8 + numbers[0]).to_string(),
            _ => number(place),
        });
        rest = after;
    }
    out + rest
}

//! The instruction sequences with which compilers divide give correctly rounded quotients, denormals included.

use isa_exec::num::Mode;

use crate::machine::{Random, program, run};

/// Denormals of all formats are kept, rounding to nearest.
const MODE: Mode = Mode(0x3F0);

/// v0 / v1.
const F32: [&str; 11] = [
    "v_div_scale_f32 v2, null, v1, v1, v0",
    "v_div_scale_f32 v3, vcc_lo, v0, v1, v0",
    "v_rcp_f32 v4, v2",
    "v_fma_f32 v5, -v2, v4, 1.0",
    "v_fma_f32 v4, v5, v4, v4",
    "v_mul_f32 v5, v3, v4",
    "v_fma_f32 v6, -v2, v5, v3",
    "v_fma_f32 v5, v6, v4, v5",
    "v_fma_f32 v3, -v2, v5, v3",
    "v_div_fmas_f32 v3, v3, v4, v5",
    "v_div_fixup_f32 v7, v3, v1, v0",
];

/// v[0:1] / v[2:3].
const F64: [&str; 11] = [
    "v_div_scale_f64 v[4:5], null, v[2:3], v[2:3], v[0:1]",
    "v_div_scale_f64 v[12:13], vcc_lo, v[0:1], v[2:3], v[0:1]",
    "v_rcp_f64 v[6:7], v[4:5]",
    "v_fma_f64 v[8:9], -v[4:5], v[6:7], 1.0",
    "v_fma_f64 v[6:7], v[6:7], v[8:9], v[6:7]",
    "v_fma_f64 v[8:9], -v[4:5], v[6:7], 1.0",
    "v_fma_f64 v[6:7], v[6:7], v[8:9], v[6:7]",
    "v_mul_f64 v[8:9], v[12:13], v[6:7]",
    "v_fma_f64 v[4:5], -v[4:5], v[8:9], v[12:13]",
    "v_div_fmas_f64 v[4:5], v[4:5], v[6:7], v[8:9]",
    "v_div_fixup_f64 v[14:15], v[4:5], v[2:3], v[0:1]",
];

#[test]
fn f32_quotients_are_correctly_rounded() {
    let program = program(&F32, rdna3::Wave::W32);
    let mut random = Random(5);
    for turn in 0..400 {
        let mut inputs: Vec<(u32, u32)> = (0..32).map(|_| (random.dword(), random.dword())).collect();
        if turn % 2 == 1 {
            // Quotients at both ends of the exponents from which V_DIV_SCALE takes them to be denormal.
            for (a, b) in &mut inputs {
                let exponent = (*b >> 23 & 0xff).saturating_sub(124 + random.dword() % 5);
                *a = *a & 0x807f_ffff | exponent << 23;
            }
        }
        let memory = isa_exec::memory::Regions::new();
        let wave = run(&program, &memory, |wave| {
            wave.set_mode(MODE);
            for (lane, (a, b)) in inputs.iter().enumerate() {
                wave.set_vgpr(0, lane, *a);
                wave.set_vgpr(1, lane, *b);
            }
        })
        .expect("no fault");
        for (lane, (a, b)) in inputs.into_iter().enumerate() {
            let right = f32::from_bits(a) / f32::from_bits(b);
            let found = f32::from_bits(wave.vgpr(7, lane));
            let same = found.to_bits() == right.to_bits() || found.is_nan() && right.is_nan();
            assert!(same, "{a:#x} / {b:#x}: {:#x}, not {:#x}", found.to_bits(), right.to_bits());
        }
    }
}

/// As tinygrad's tests on RDNA3 have it: 2^-126 / 1 is taken to be denormal, so that only the numerator is scaled, and the quotient is
/// scaled back.
#[test]
fn scales_depend_on_exponents_alone() {
    let program = program(&F32[..2], rdna3::Wave::W32);
    let memory = isa_exec::memory::Regions::new();
    let numerators = [0x0080_0000, 0x0080_0001, 0x00ff_ffff, 0x0100_0000];
    let wave = run(&program, &memory, |wave| {
        for (lane, numerator) in numerators.into_iter().enumerate() {
            wave.set_vgpr(0, lane, numerator);
            wave.set_vgpr(1, lane, 0x3f80_0000);
        }
    })
    .expect("no fault");
    let scaled = |bits: u32| (f32::from_bits(bits) * 2f32.powi(64)).to_bits();
    for (lane, numerator) in numerators.into_iter().enumerate() {
        let is_denormal = lane < 3;
        assert_eq!(wave.vgpr(3, lane), scaled(numerator), "{numerator:#x}");
        assert_eq!(wave.sgpr(106) >> lane & 1 == 1, is_denormal, "{numerator:#x}");
        assert_eq!(wave.vgpr(2, lane), if is_denormal { 0x3f80_0000 } else { scaled(0x3f80_0000) }, "{numerator:#x}");
    }
}

#[test]
fn f64_quotients_are_correctly_rounded() {
    let program = program(&F64, rdna3::Wave::W32);
    let mut random = Random(6);
    let mut number = || u64::from(random.dword()) << 32 | u64::from(random.dword());
    for _ in 0..200 {
        let inputs: Vec<(u64, u64)> = (0..32).map(|_| (number(), number())).collect();
        let memory = isa_exec::memory::Regions::new();
        let wave = run(&program, &memory, |wave| {
            wave.set_mode(MODE);
            for (lane, (a, b)) in inputs.iter().enumerate() {
                for (register, dword) in [(0, *a as u32), (1, (a >> 32) as u32), (2, *b as u32), (3, (b >> 32) as u32)]
                {
                    wave.set_vgpr(register, lane, dword);
                }
            }
        })
        .expect("no fault");
        for (lane, (a, b)) in inputs.into_iter().enumerate() {
            let right = f64::from_bits(a) / f64::from_bits(b);
            let found = f64::from_bits(u64::from(wave.vgpr(15, lane)) << 32 | u64::from(wave.vgpr(14, lane)));
            let same = found.to_bits() == right.to_bits() || found.is_nan() && right.is_nan();
            assert!(same, "{a:#x} / {b:#x}: {:#x}, not {:#x}", found.to_bits(), right.to_bits());
        }
    }
}

//! The rows of instructions with a sampler, which RDNA3 has in MIMG and RDNA4 in VSAMPLE.

/// Declares the block of a format that has these rows behind its own.
macro_rules! with_sampled_rows {
    ($($block:tt)*) => {
        isa::isa! {
            $($block)*

            27  => IMAGE_SAMPLE              (d: b32x4, ..sampled) { d = sample_quad(texel.b32x4); }
            28  => IMAGE_SAMPLE_D            (d: b32x4, ..sampled) gradient { d = sample(texel.b32x4); }
            29  => IMAGE_SAMPLE_L            (d: b32x4, ..sampled) lod { d = sample(texel.b32x4); }
            30  => IMAGE_SAMPLE_B            (d: b32x4, ..sampled) bias { d = sample_quad(texel.b32x4); }
            31  => IMAGE_SAMPLE_LZ           (d: b32x4, ..sampled) level_zero { d = sample(texel.b32x4); }
            32  => IMAGE_SAMPLE_C            (d: b32x4, ..sampled) zcompare { d = sample_quad(texel.b32x4); }
            33  => IMAGE_SAMPLE_C_D          (d: b32x4, ..sampled) zcompare, gradient { d = sample(texel.b32x4); }
            34  => IMAGE_SAMPLE_C_L          (d: b32x4, ..sampled) zcompare, lod { d = sample(texel.b32x4); }
            35  => IMAGE_SAMPLE_C_B          (d: b32x4, ..sampled) zcompare, bias { d = sample_quad(texel.b32x4); }
            36  => IMAGE_SAMPLE_C_LZ         (d: b32x4, ..sampled) zcompare, level_zero { d = sample(texel.b32x4); }
            37  => IMAGE_SAMPLE_O            (d: b32x4, ..sampled) texel_offset { d = sample_quad(texel.b32x4); }
            38  => IMAGE_SAMPLE_D_O          (d: b32x4, ..sampled) gradient, texel_offset { d = sample(texel.b32x4); }
            39  => IMAGE_SAMPLE_L_O          (d: b32x4, ..sampled) lod, texel_offset { d = sample(texel.b32x4); }
            40  => IMAGE_SAMPLE_B_O          (d: b32x4, ..sampled) bias, texel_offset { d = sample_quad(texel.b32x4); }
            41  => IMAGE_SAMPLE_LZ_O         (d: b32x4, ..sampled) texel_offset, level_zero { d = sample(texel.b32x4); }
            42  => IMAGE_SAMPLE_C_O          (d: b32x4, ..sampled) zcompare, texel_offset { d = sample_quad(texel.b32x4); }
            43  => IMAGE_SAMPLE_C_D_O        (d: b32x4, ..sampled) zcompare, gradient, texel_offset { d = sample(texel.b32x4); }
            44  => IMAGE_SAMPLE_C_L_O        (d: b32x4, ..sampled) zcompare, lod, texel_offset { d = sample(texel.b32x4); }
            45  => IMAGE_SAMPLE_C_B_O        (d: b32x4, ..sampled) zcompare, bias, texel_offset { d = sample_quad(texel.b32x4); }
            46  => IMAGE_SAMPLE_C_LZ_O       (d: b32x4, ..sampled) zcompare, texel_offset, level_zero { d = sample(texel.b32x4); }
            47  => IMAGE_GATHER4             (d: b32x4, ..sampled) gather4 { d = sample_quad(texel.b32x4); }
            48  => IMAGE_GATHER4_L           (d: b32x4, ..sampled) gather4, lod { d = sample(texel.b32x4); }
            49  => IMAGE_GATHER4_B           (d: b32x4, ..sampled) gather4, bias { d = sample_quad(texel.b32x4); }
            50  => IMAGE_GATHER4_LZ          (d: b32x4, ..sampled) gather4, level_zero { d = sample(texel.b32x4); }
            51  => IMAGE_GATHER4_C           (d: b32x4, ..sampled) gather4, zcompare { d = sample_quad(texel.b32x4); }
            52  => IMAGE_GATHER4_C_LZ        (d: b32x4, ..sampled) gather4, zcompare, level_zero { d = sample(texel.b32x4); }
            53  => IMAGE_GATHER4_O           (d: b32x4, ..sampled) gather4, texel_offset { d = sample_quad(texel.b32x4); }
            54  => IMAGE_GATHER4_LZ_O        (d: b32x4, ..sampled) gather4, texel_offset, level_zero { d = sample(texel.b32x4); }
            55  => IMAGE_GATHER4_C_LZ_O      (d: b32x4, ..sampled) gather4, zcompare, texel_offset, level_zero { d = sample(texel.b32x4); }
            56  => IMAGE_GET_LOD             (d: f32x4, ..sampled) fix D16 = 0 { d = image_lod(rsrc, addr, samp); }
            57  => IMAGE_SAMPLE_D_G16        (d: b32x4, ..sampled) gradient, g16 { d = sample(texel.b32x4); }
            58  => IMAGE_SAMPLE_C_D_G16      (d: b32x4, ..sampled) zcompare, gradient, g16 { d = sample(texel.b32x4); }
            59  => IMAGE_SAMPLE_D_O_G16      (d: b32x4, ..sampled) gradient, texel_offset, g16 { d = sample(texel.b32x4); }
            60  => IMAGE_SAMPLE_C_D_O_G16    (d: b32x4, ..sampled) zcompare, gradient, texel_offset, g16 { d = sample(texel.b32x4); }
            64  => IMAGE_SAMPLE_CL           (d: b32x4, ..sampled) lod, lod_clamp { d = sample_quad(texel.b32x4); }
            65  => IMAGE_SAMPLE_D_CL         (d: b32x4, ..sampled) gradient, lod, lod_clamp { d = sample(texel.b32x4); }
            66  => IMAGE_SAMPLE_B_CL         (d: b32x4, ..sampled) bias, lod, lod_clamp { d = sample_quad(texel.b32x4); }
            67  => IMAGE_SAMPLE_C_CL         (d: b32x4, ..sampled) zcompare, lod, lod_clamp { d = sample_quad(texel.b32x4); }
            68  => IMAGE_SAMPLE_C_D_CL       (d: b32x4, ..sampled) zcompare, gradient, lod, lod_clamp { d = sample(texel.b32x4); }
            69  => IMAGE_SAMPLE_C_B_CL       (d: b32x4, ..sampled) zcompare, bias, lod, lod_clamp { d = sample_quad(texel.b32x4); }
            70  => IMAGE_SAMPLE_CL_O         (d: b32x4, ..sampled) lod, lod_clamp, texel_offset { d = sample_quad(texel.b32x4); }
            71  => IMAGE_SAMPLE_D_CL_O       (d: b32x4, ..sampled) gradient, lod, lod_clamp, texel_offset { d = sample(texel.b32x4); }
            72  => IMAGE_SAMPLE_B_CL_O       (d: b32x4, ..sampled) bias, lod, lod_clamp, texel_offset { d = sample_quad(texel.b32x4); }
            73  => IMAGE_SAMPLE_C_CL_O       (d: b32x4, ..sampled) zcompare, lod, lod_clamp, texel_offset { d = sample_quad(texel.b32x4); }
            74  => IMAGE_SAMPLE_C_D_CL_O     (d: b32x4, ..sampled) zcompare, gradient, lod, lod_clamp, texel_offset { d = sample(texel.b32x4); }
            75  => IMAGE_SAMPLE_C_B_CL_O     (d: b32x4, ..sampled) zcompare, bias, lod, lod_clamp, texel_offset { d = sample_quad(texel.b32x4); }
            84  => IMAGE_SAMPLE_C_D_CL_G16   (d: b32x4, ..sampled) zcompare, gradient, lod, lod_clamp, g16 { d = sample(texel.b32x4); }
            85  => IMAGE_SAMPLE_D_CL_O_G16   (d: b32x4, ..sampled) gradient, lod, lod_clamp, texel_offset, g16 { d = sample(texel.b32x4); }
            86  => IMAGE_SAMPLE_C_D_CL_O_G16 (d: b32x4, ..sampled) zcompare, gradient, lod, lod_clamp, texel_offset, g16 { d = sample(texel.b32x4); }
            95  => IMAGE_SAMPLE_D_CL_G16     (d: b32x4, ..sampled) gradient, lod, lod_clamp, g16 { d = sample(texel.b32x4); }
            96  => IMAGE_GATHER4_CL          (d: b32x4, ..sampled) gather4, lod, lod_clamp { d = sample_quad(texel.b32x4); }
            97  => IMAGE_GATHER4_B_CL        (d: b32x4, ..sampled) gather4, bias, lod, lod_clamp { d = sample_quad(texel.b32x4); }
            98  => IMAGE_GATHER4_C_CL        (d: b32x4, ..sampled) gather4, zcompare, lod, lod_clamp { d = sample_quad(texel.b32x4); }
            99  => IMAGE_GATHER4_C_L         (d: b32x4, ..sampled) gather4, zcompare, lod { d = sample(texel.b32x4); }
            100 => IMAGE_GATHER4_C_B         (d: b32x4, ..sampled) gather4, zcompare, bias { d = sample_quad(texel.b32x4); }
            101 => IMAGE_GATHER4_C_B_CL      (d: b32x4, ..sampled) gather4, zcompare, bias, lod, lod_clamp { d = sample_quad(texel.b32x4); }
            144 => IMAGE_GATHER4H            (d: b32x4, ..sampled) gather4, one_row { d = sample_quad(texel.b32x4); }
        }
    };
}
pub(crate) use with_sampled_rows;

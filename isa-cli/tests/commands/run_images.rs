//! `isa run FILE.co`: kernels with arguments of the kinds `image` and `sampler`.

use std::path::Path;

use crate::common::{assemble, kernel_program, run};

/// Samples a plane at the middle between its texels, as `read_imagef` of OpenCL does, and returns its size. The resource lacks the
/// address of the texels, which another argument is.
const SAMPLES: &str = r"
  s_load_b256 s[4:11], s[0:1], 0x0
  s_waitcnt lgkmcnt(0)
  s_load_b256 s[12:19], s[6:7], 0x0
  s_load_b128 s[20:23], s[8:9], 0x0
  s_lshr_b64 s[4:5], s[4:5], 8
  s_waitcnt lgkmcnt(0)
  s_mov_b32 s12, s4
  s_or_b32 s13, s13, s5
  v_mov_b32_e32 v8, v0
  v_cvt_f32_u32_e32 v0, v8
  v_add_f32_e32 v0, 0.5, v0
  v_mov_b32_e32 v1, 1.0
  image_sample_lz v[4:7], v[0:1], s[12:19], s[20:23] dmask:0xf dim:SQ_RSRC_IMG_2D unorm
  v_mov_b32_e32 v2, 0
  image_get_resinfo v[0:3], v2, s[12:19] dmask:0xf dim:SQ_RSRC_IMG_2D
  s_waitcnt vmcnt(0)
  v_lshlrev_b32_e32 v8, 5, v8
  global_store_b128 v8, v[4:7], s[10:11]
  global_store_b128 v8, v[0:3], s[10:11] offset:16
";

/// Its arguments in the metadata.
const ARGUMENTS: &str = r"
      - { .name: texels, .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global }
      - { .name: plane, .offset: 8, .size: 8, .value_kind: image, .type_name: image2d_t }
      - { .name: filter, .offset: 16, .size: 8, .value_kind: sampler, .type_name: sampler_t }
      - { .name: out, .offset: 24, .size: 8, .value_kind: global_buffer, .address_space: global }
";

#[test]
fn an_image_and_a_sampler_are_buffers_with_their_descriptors() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("run-images");
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = |name: &str| folder.join(name).to_string_lossy().into_owned();
    let write = |name: &str, words: &[u32]| {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        std::fs::write(path(name), bytes).expect("a file");
    };
    let file = path("k.co");
    let assemble = |body: &str| assemble(&kernel_program("samples", body, 32, 0, ARGUMENTS), Path::new(&file));
    assemble(SAMPLES);
    // Four columns and two rows of bytes: red is a multiple of 51, green is 255 in the second row.
    write("texels", &[0, 51, 102, 153, 0xFF00, 0xFF33, 0xFF66, 0xFF99]);
    // 8_8_8_8_UNORM, R G B A, a plane; linear filters, and clamping to the last texel.
    write("image", &[0, 42 << 20 | 3 << 30, 1 << 14, 9 << 28 | 0xFAC, 0, 0, 0, 0]);
    write("sampler", &[0b010_010_010, 15 << 20, 1 << 20 | 1 << 22, 0]);
    let listed = run(&["run", &file], b"");
    assert!(listed.out.contains("image2d_t plane  buf: with the image descriptor"), "{}", listed.out);
    let [texels, image, sampler] = ["texels", "image", "sampler"].map(|name| format!("buf:{}", path(name)));
    let dump = format!("3={}", path("out"));
    let arguments = ["--arg", &texels, "--arg", &image, "--arg", &sampler, "--arg", "buf:zero:128", "--dump", &dump];
    let common = ["run", &file, "--kernel", "samples", "--global", "4", "--local", "4"];
    let said = run(&[&common, &arguments[..]].concat(), b"");
    assert_eq!((said.status, &*said.err, &*said.out), (Some(0), "", ""));
    let out = std::fs::read(path("out")).expect("the dump");
    let (words, _) = out.as_chunks::<4>();
    for (column, words) in words.chunks(8).enumerate() {
        let floats = words[..4].iter().map(|word| f32::from_le_bytes(*word)).collect::<Vec<_>>();
        // 51 of 255 is a fifth, and both rows have half a share.
        let red = ((column as f64 / 5.0) as f32).to_bits();
        assert_eq!(floats.iter().map(|float| float.to_bits()).collect::<Vec<_>>(), [red, 0.5f32.to_bits(), 0, 0]);
        assert_eq!(words[4..].iter().map(|word| u32::from_le_bytes(*word)).collect::<Vec<_>>(), [4, 2, 1, 1]);
    }
    // With the whole resource in memory, and texels at the address that it holds.
    let overrides = "  s_mov_b32 s12, s4\n  s_or_b32 s13, s13, s5\n";
    assert!(SAMPLES.contains(overrides));
    assemble(&SAMPLES.replace(overrides, ""));
    write("image", &[0x12_3456, 0x10 | 42 << 20 | 3 << 30, 1 << 14, 9 << 28 | 0xFAC, 0, 0, 0, 0]);
    let map = format!("0x100012345600={}", path("texels"));
    let arguments = [&["--map", &map, "--arg", "u64:0"], &arguments[2..]].concat();
    let said = run(&[&common, &arguments[..]].concat(), b"");
    assert_eq!((said.status, &*said.err, &*said.out), (Some(0), "", ""));
    assert_eq!(std::fs::read(path("out")).expect("the dump"), out);
    let said = run(&[&common[..], &["--arg", &texels, "--arg", "lds:16"], &arguments[6..]].concat(), b"");
    assert_eq!(said.status, Some(1), "{}", said.err);
    assert!(said.err.contains("expects `image`"), "{}", said.err);
}

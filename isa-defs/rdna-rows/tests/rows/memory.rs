//! Instructions on memory.

use rdna_rows::Wave;
use rdna_rows::rdna4::Instr;
use rdna_rows::rdna4::build::*;

/// A text of each combination of fields that occur in a format, as far as there are many; a few otherwise.
const GOLDEN: &[(&[u32], &str)] = &[
    (&[0xf5e17f28, 0x0a000000], "s_load_u16 null, s[80:81], s5 offset:0x0 th:TH_LOAD_BYPASS scope:SCOPE_SYS"),
    (&[0xf5c3009a, 0x000000fa], "s_buffer_load_i8 s2, s[52:55], s0 offset:0xfa th:TH_LOAD_LU scope:SCOPE_DEV"),
    (&[0xf5235ac2, 0x00000000], "s_buffer_load_i16 vcc_hi, s[4:7], s0 offset:0x0 th:TH_LOAD_HT scope:SCOPE_SE"),
    (&[0xf5a07701, 0x00000000], "s_load_b256 s[92:99], s[2:3], s0 offset:0x0 th:TH_LOAD_LU scope:SCOPE_SE"),
    (&[0xf4402281, 0xfa000000], "s_load_b64 s[10:11], s[2:3], m0 offset:0x0 scope:SCOPE_DEV"),
    (&[0xf4022202, 0xf8000001], "s_buffer_load_b64 s[8:9], s[4:7], 0x1"),
    (&[0xf4001f01, 0x00000000], "s_load_b32 null, s[2:3], s0 offset:0x0"),
    (&[0xda98155b, 0x000000dd], "ds_load_u16_d16 v0, v221 offset:5467"),
    (&[0xda8c0000, 0x29000044], "ds_load_u8_d16_hi v41, v68"),
    (&[0xd83c407b, 0x00fdfeff], "ds_store_2addr_stride64_b32 v255, v254, v253 offset0:123 offset1:64"),
    (&[0xdac40000, 0x00000000], "ds_load_addtid_b32 v0"),
    (
        &[0xee08407c, 0x0034001a, 0x1fbbefc3],
        "global_load_d16_hi_u8 v26, v[195:196], off offset:2079727 th:TH_LOAD_LU scope:SCOPE_SE",
    ),
    (
        &[0xee10007c, 0x7fb80000, 0xffffff00],
        "global_atomic_dec_u32 v0, v[0:1], v255, off offset:-1 th:TH_ATOMIC_NT_RETURN scope:SCOPE_DEV",
    ),
    (
        &[0xee0dc07c, 0x79980000, 0x9577ce58],
        "global_atomic_sub_clamp_u32 v0, v[88:89], v243, off offset:-6981682 th:TH_ATOMIC_RETURN scope:SCOPE_DEV",
    ),
    (
        &[0xee07007c, 0x406c0000, 0x750e6b10],
        "global_store_b96 v[16:17], v[128:130], off offset:7671403 th:TH_STORE_NT_HT scope:SCOPE_SYS",
    ),
    (&[0xee14c07c, 0x00240009, 0x00000005], "global_load_block v[9:40], v[5:6], off th:TH_LOAD_HT scope:SCOPE_SE"),
    (&[0xee08007a, 0x0008005f, 0x01bdeb05], "global_load_d16_b16 v95, v5, ttmp[14:15] offset:114155 scope:SCOPE_DEV"),
    (&[0xee15007c, 0x01a40000, 0x00000001], "global_store_block v[1:2], v[3:34], off th:TH_STORE_HT scope:SCOPE_SE"),
    (
        &[0xec13007c, 0x2018000b, 0xffffff04],
        "flat_atomic_inc_u64 v[11:12], v[4:5], v[64:65] offset:-1 th:TH_ATOMIC_RETURN scope:SCOPE_DEV",
    ),
    (&[0xec08007c, 0x00200000, 0x2c0aebcf], "flat_load_d16_b16 v0, v[207:208] offset:2886379 th:TH_LOAD_HT"),
    (&[0xec08c07c, 0x00000005, 0x000ffffe], "flat_load_d16_hi_b16 v5, v[254:255] offset:4095"),
    (&[0xec12407c, 0x01100002, 0x00004000], "flat_atomic_and_b64 v[2:3], v[0:1], v[2:3] offset:64 th:TH_ATOMIC_RETURN"),
    (&[0xec0d007c, 0x01000000, 0x000fff01], "flat_atomic_cmpswap_b32 v[1:2], v[2:3] offset:4095"),
    (&[0xec0d007c, 0x02100000, 0x00000002], "flat_atomic_cmpswap_b32 v0, v[2:3], v[4:5] th:TH_ATOMIC_RETURN"),
    (&[0xec08c07c, 0x00000001, 0x00000004], "flat_load_d16_hi_b16 v1, v[4:5]"),
    (
        &[0xed09007c, 0x006e0000, 0xc12605aa],
        "scratch_store_d16_hi_b8 v170, v0, off offset:-4119035 th:TH_STORE_NT_HT scope:SCOPE_SYS",
    ),
    (
        &[0xed08807c, 0x004600ea, 0x000010b6],
        "scratch_load_d16_hi_i8 v234, v182, off offset:16 th:TH_LOAD_NT_RT scope:SCOPE_SE",
    ),
    (&[0xed080024, 0x00080055, 0x29406500], "scratch_load_d16_b16 v85, off, s36 offset:2703461 scope:SCOPE_DEV"),
    (
        &[0xed06806b, 0x585c0000, 0xe039a700],
        "scratch_store_b32 off, v176, vcc_hi offset:-2082393 th:TH_STORE_RT_NT scope:SCOPE_SYS",
    ),
    (
        &[0xed05407c, 0x00440000, 0xe6beb900],
        "scratch_load_b64 v[0:1], off, off offset:-1655111 th:TH_LOAD_NT_RT scope:SCOPE_SE",
    ),
    (&[0xed14c05b, 0x001a009f, 0x000000ff], "scratch_load_block v[159:190], v255, s91 th:TH_LOAD_NT scope:SCOPE_DEV"),
    (&[0xed04c00c, 0x000a00c2, 0x0000207f], "scratch_load_i16 v194, v127, s12 offset:32 scope:SCOPE_DEV"),
    (
        &[0xc442c047, 0x40a4b8f3, 0x00000400],
        "buffer_load_d16_format_xyzw v[243:245], v0, s[92:95], s71 offen offset:4 th:TH_LOAD_HT scope:SCOPE_SE tfe",
    ),
    (
        &[0xc4038004, 0x00e81801, 0x7fffff00],
        "buffer_store_d16_format_xyz v[1:2], off, s[12:15], s4 offset:8388607 th:TH_STORE_NT_HT scope:SCOPE_DEV",
    ),
    (
        &[0xc4498001, 0x80c81084, 0x00000059],
        "buffer_load_d16_hi_format_x v[132:133], v89, s[8:11], s1 idxen th:TH_LOAD_NT_RT scope:SCOPE_DEV tfe",
    ),
    (
        &[0xc4020003, 0x00e81005, 0x7fffff00],
        "buffer_load_d16_format_x v5, off, s[8:11], s3 offset:8388607 th:TH_LOAD_NT_HT scope:SCOPE_DEV",
    ),
    (&[0xc407c003, 0x40801005, 0x000fff00], "buffer_load_d16_i8 v5, v0, s[8:11], s3 offen offset:4095"),
    (
        &[0xc410c00f, 0xc0840000, 0x000000ee],
        "buffer_atomic_add_u64 v[0:1], v[238:239], s[0:3], s15 idxen offen scope:SCOPE_SE",
    ),
    (
        &[0xc40cc003, 0x00e81005, 0x7fffff00],
        "buffer_atomic_swap_b32 v5, off, s[8:11], s3 offset:8388607 th:TH_ATOMIC_CASCADE_NT scope:SCOPE_DEV",
    ),
    (
        &[0xc4238003, 0x1bbce004, 0x7fffff00],
        "tbuffer_store_d16_format_xyz v[4:5], off, ttmp[4:7], s3 format:[BUF_FMT_16_16_16_16_UINT] offset:8388607 th:TH_STORE_BYPASS scope:SCOPE_SYS",
    ),
    (
        &[0xc4224042, 0x3564388c, 0x47862e00],
        "tbuffer_load_d16_format_xy v140, off, s[28:31], s66 format:106 offset:4687406 th:TH_LOAD_NT_HT scope:SCOPE_SE",
    ),
    (
        &[0xc422007c, 0x98200017, 0x470c8710],
        "tbuffer_load_d16_format_x v23, v16, s[0:3], null format:[BUF_FMT_32_32_UINT] idxen offset:4656263 th:TH_LOAD_HT",
    ),
    (
        &[0xc4228050, 0x40480033, 0x4c37650a],
        "tbuffer_load_d16_format_xyz v[51:52], v10, s[0:3], s80 format:[BUF_FMT_INVALID] offen offset:4994917 th:TH_LOAD_NT_RT scope:SCOPE_DEV",
    ),
    (
        &[0xc422c078, 0xd08c0000, 0x00000052],
        "tbuffer_load_d16_format_xyzw v[0:1], v[82:83], s[0:3], ttmp12 format:[BUF_FMT_10_10_10_2_SNORM] idxen offen scope:SCOPE_SYS",
    ),
    (
        &[0xc4200016, 0x76840080, 0x06e47711],
        "tbuffer_load_format_x v128, v17, s[0:3], s22 format:109 offen offset:451703 scope:SCOPE_SE",
    ),
    (
        &[0xc422003e, 0xc004009c, 0x2917bc00],
        "tbuffer_load_d16_format_x v156, v[0:1], s[0:3], s62 format:[BUF_FMT_INVALID] idxen offen offset:2693052 scope:SCOPE_SE",
    ),
    (
        &[0xd3c00075, 0x00a41000, 0x00000504],
        "image_load v[0:2], [v4, v5], s[8:15] dmask:0xf dim:SQ_RSRC_IMG_2D_ARRAY th:TH_LOAD_HT scope:SCOPE_SE r128 a16 tfe d16",
    ),
    (
        &[0xd0c28046, 0x00001003, 0x00000504],
        "image_atomic_swap v[3:4], [v4, v5], s[8:15] dmask:0x3 dim:SQ_RSRC_IMG_2D_MSAA a16",
    ),
    (
        &[0xd0418000, 0x003c0000, 0x00000000],
        "image_store v0, v0, s[0:7] dmask:0x1 dim:SQ_RSRC_IMG_1D th:TH_STORE_BYPASS scope:SCOPE_SYS",
    ),
    (
        &[0xd0c28047, 0x0000c0fe, 0x00000504],
        "image_atomic_swap v[254:255], [v4, v5], s[96:103] dmask:0x3 dim:SQ_RSRC_IMG_2D_MSAA_ARRAY a16",
    ),
    (
        &[0xd2814003, 0x00001005, 0x03020100],
        "image_load_mip_pck_sgn v[5:6], [v0, v1, v2, v3], s[8:15] dmask:0xa dim:SQ_RSRC_IMG_CUBE",
    ),
    (
        &[0xd061c003, 0x000010ff, 0x00060504],
        "image_atomic_pk_add_bf16 v255, [v4, v5, v6], s[8:15] dmask:0x1 dim:SQ_RSRC_IMG_CUBE",
    ),
    (&[0xd0400000, 0x00100000, 0x00000000], "image_load v0, v0, s[0:7] dmask:0x1 dim:SQ_RSRC_IMG_1D th:TH_LOAD_NT"),
    (
        &[0xe606202f, 0x00001000, 0x370b0705],
        "image_msaa_load v[0:2], [v5, v7, v11, v55], s[8:15] dmask:0x8 dim:SQ_RSRC_IMG_2D_MSAA_ARRAY unorm tfe d16",
    ),
    (
        &[0xe50bc001, 0x2c3c3012, 0x00001716],
        "image_gather4 v[18:21], [v22, v23], s[24:31], s[88:91] dmask:0x4 dim:SQ_RSRC_IMG_2D th:TH_LOAD_BYPASS scope:SCOPE_SYS",
    ),
    (
        &[0xe5062027, 0x0000c001, 0x130e0bcc],
        "image_msaa_load v[1:2], [v204, v11, v14, v19], s[96:103] dmask:0x4 dim:SQ_RSRC_IMG_2D_MSAA_ARRAY unorm d16",
    ),
    (
        &[0xe4462026, 0x00002001, 0x00030201],
        "image_msaa_load v[1:2], [v1, v2, v3], s[16:23] dmask:0x1 dim:SQ_RSRC_IMG_2D_MSAA unorm d16",
    ),
    (
        &[0xe50bc001, 0x2c603012, 0x00001716],
        "image_gather4 v[18:21], [v22, v23], s[24:31], s[88:91] dmask:0x4 dim:SQ_RSRC_IMG_2D th:TH_LOAD_NT_HT",
    ),
    (
        &[0xe5240041, 0x06001005, 0x000000ff],
        "image_gather4h v[5:8], v255, s[8:15], s[12:15] dmask:0x4 dim:SQ_RSRC_IMG_2D a16",
    ),
    (
        &[0xe4c7c000, 0x06001005, 0x000000ff],
        "image_sample_lz v[5:6], v255, s[8:15], s[12:15] dmask:0x3 dim:SQ_RSRC_IMG_1D",
    ),
];

#[test]
fn words_and_texts_are_those_of_llvm() {
    for (words, text) in GOLDEN {
        crate::agree(Wave::W32, words, text);
    }
}

#[test]
fn what_llvm_refuses_is_refused() {
    const REFUSED: &[&str] = &[
        "global_load_b32 v1, v[2:3], off offset:8388608",
        "global_load_b32 v1, v[2:3], off offset:-8388609",
        "global_load_b32 v1, v[2:3], off glc",
        "global_load_b32 v1, v[2:3], off th:TH_STORE_NT",
        "global_store_b32 v[2:3], v1, off th:TH_LOAD_NT",
        "global_load_b32 v1, v[2:3], off scope:SCOPE_X",
        "buffer_load_b32 v1, off, s[0:3], 16",
        "buffer_load_b32 v1, off, s[0:3], s4 offset:8388608",
        "s_load_b32 s0, s[2:3], 0x800000",
        "ds_add_u32 v1, v2 gds",
        "image_load v[0:3], [v4, v5], s[8:15] dmask:0xf dim:SQ_RSRC_IMG_2D glc",
    ];
    for text in REFUSED {
        assert!(Instr::parse(text, Wave::W32).is_err(), "{text}");
    }
}

#[test]
fn functions_build_what_text_reads() -> Result<(), BuildError> {
    let check = |instr: Instr, text: &str| assert_eq!(instr.to_string(), text);
    let load = global_load_b32(v(1), vgpr!(2..=3), OFF).offset(-8).th(Hint::HighTemporal).scope(MemoryScope::Device);
    check(load.instr()?, "global_load_b32 v1, v[2:3], off offset:-8 th:TH_LOAD_HT scope:SCOPE_DEV");
    let add = global_atomic_add_u32(vgpr!(2..=3), v(1), OFF).instr()?;
    check(add, "global_atomic_add_u32 v[2:3], v1, off");
    let add = global_atomic_add_u32_rtn(v(0), vgpr!(2..=3), v(1), OFF).atomic_hint(AtomicHint::NonTemporal).instr()?;
    check(add, "global_atomic_add_u32 v0, v[2:3], v1, off th:TH_ATOMIC_NT_RETURN");
    check(s_load_b64(sgpr!(0..=1), sgpr!(2..=3), NULL, 16).instr()?, "s_load_b64 s[0:1], s[2:3], 0x10");
    Ok(())
}

#[test]
#[cfg(feature = "inst")]
fn registers_read_and_written_end_with_the_file() {
    // The guide says that the stack of rays does not use M0 (§12.5.3).
    let push = effects("ds_bvh_stack_push8_pop1_rtn_b32 v1, v2, v3, v[4:11]");
    assert_eq!(push, ["exec_lo v2 v3 v4 v5 v6 v7 v8 v9 v10 v11", "v1 v2"]);
    assert_eq!(effects("ds_load_addtid_b32 v1"), ["m0 exec_lo", "v1"]);
    // LLVM prints a register behind the last one, which does not exist. The number behind v255 is that of SCC.
    let words = [0xd9a0_4000, 0xff00_404b];
    let max = Instr::decode(&words, Wave::W32).map(|(instr, _)| lists(&instr));
    assert_eq!(max, Ok(["exec_lo v64 v65 v75".to_owned(), "v255".to_owned()]));
}

#[cfg(feature = "inst")]
fn effects(text: &str) -> [String; 2] {
    lists(&Instr::parse(text, Wave::W32).unwrap_or_else(|error| panic!("{text}: {error}")))
}

/// The registers that an instruction reads and those that it writes.
#[cfg(feature = "inst")]
fn lists(instr: &Instr) -> [String; 2] {
    let effects = instr.register_effects(Wave::W32);
    [effects.read, effects.written].map(|set| set.iter().map(|unit| unit.to_string()).collect::<Vec<_>>().join(" "))
}

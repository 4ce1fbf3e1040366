//! Typed builders of RDNA4 against golden words.

use isa_tests::builders::{Tally, error};
use rdna4::Instr;
use rdna4::Wave::{W32, W64};
use rdna4::build::*;

// A call for each list of operand types in each format. `cargo xtask builders --check` generates and tests the calls for every
// mnemonic in each of its encodings.
#[cfg(not(feature = "all-builders"))]
include!("../vectors/rdna4_builders.rs");
#[cfg(feature = "all-builders")]
include!("../../target/builders/rdna4_builders.rs");

#[test]
fn builders_give_the_golden_words() {
    let least = if cfg!(feature = "all-builders") { 2500 } else { 200 };
    Tally::check(&PARTS, least);
}

#[test]
fn barriers_have_the_numbers_that_inline_constants_hold() {
    let text = |built: Result<Instr, BuildError>| built.unwrap_or_else(|e| panic!("{e}")).to_string();
    assert_eq!(text(s_barrier_init(0.5).build(W32)), "s_barrier_init 0.5");
    assert_eq!(text(s_barrier_signal((-4.0f32).to_bits()).build(W32)), "s_barrier_signal -4.0");
    assert_eq!(text(s_get_barrier_state(sgpr!(1), 1.0f32).build(W64)), "s_get_barrier_state s1, 1.0");
    assert_eq!(text(s_barrier_join(M0).build(W32)), "s_barrier_join m0");
    assert!(s_barrier_join(0.75).build(W32).is_err());
}

#[test]
fn errors_name_the_rule() {
    let cases = [
        (
            s_load_b32(sgpr!(0), sgpr!(2..=3), NULL, 0x80_0000).build(W32),
            "offset: the offset has 24 bits: it lies between -8388608 and 8388607",
        ),
        (
            s_load_b32(sgpr!(0), sgpr!(2..=3), NULL, -0x80_0001).build(W32),
            "offset: the offset has 24 bits: it lies between -8388608 and 8388607",
        ),
        (
            s_buffer_load_b32(sgpr!(0), sgpr!(4..=7), NULL, -4).build(W32),
            "offset: the offset of a buffer load must not be negative",
        ),
        (
            s_load_b32(sgpr!(0), sgpr!(2..=3), NULL, 0).th(Hint::NonTemporalFar).build(W32),
            "th: the field of this instruction has fewer bits than the value",
        ),
        (
            global_load_b32(v(0), vgpr!(2..=3), OFF).th(Hint::WriteBackFar).build(W32),
            "th: the value is reserved in this instruction with its other modifiers",
        ),
        (
            global_atomic_add_u32(vgpr!(2..=3), v(1), OFF).atomic_hint(AtomicHint::Cascade).build(W32),
            "th: the value is reserved in this instruction with its other modifiers",
        ),
        (
            global_atomic_add_u32_rtn(v(0), vgpr!(2..=3), v(1), OFF)
                .atomic_hint(AtomicHint::CascadeNonTemporal)
                .scope(MemoryScope::Device)
                .build(W32),
            "th: the value is reserved in this instruction with its other modifiers",
        ),
        (
            global_load_b32(v(0), vgpr!(2..=3), OFF).offset(0x80_0000).build(W32),
            "the offset is a number from -8388608 to 8388607",
        ),
        (
            buffer_load_b32(v(0), OFF, sgpr!(4..=7), NULL).offset(0x80_0000).build(W32),
            "the offset is a number from 0 to 8388607",
        ),
        (buffer_load_b64(v(0), OFF, sgpr!(4..=7), NULL).build(W32), "d: this operand takes 2 registers"),
        (
            image_load(vgpr!(0..=2), [v(4), v(5)], sgpr!(8..=15)).dmask(15).dim(ImageDim::D2).build(W32),
            "d: the data are as many registers as `dmask`, `d16` and `tfe` ask for, and the instruction can have",
        ),
        (
            image_sample(vgpr!(0..=3), v(4), sgpr!(8..=15), sgpr!(16..=19)).dmask(15).dim(ImageDim::D2).build(W32),
            "addr: no encoding of this instruction holds these operands",
        ),
        (v_cvt_f32_fp8(v(0), v(1)).source_byte(4).build(W32), "a register has the bytes 0 to 3"),
        (v_cvt_sr_fp8_f32(v(0), v(1), v(2)).result_byte(4).build(W32), "a register has the bytes 0 to 3"),
        (
            v_swmmac_f32_16x16x32_f16(vgpr!(0..=7), vgpr!(8..=11), vgpr!(12..=19), v(20)).index_key(2).build(W32),
            "op_sel: the value is reserved in this instruction with its other modifiers",
        ),
        (
            v_swmmac_f32_16x16x32_f16(vgpr!(0..=7), vgpr!(8..=11), vgpr!(12..=15), v(20)).build(W32),
            "s1: this operand takes 8 registers",
        ),
        (
            v_swmmac_f32_16x16x32_f16(vgpr!(0..=7), vgpr!(8..=11), vgpr!(12..=19), v(20)).build(W64),
            "d: this operand takes 4 registers",
        ),
        (
            v_wmma_f32_16x16x16_f16(vgpr!(0..=7), vgpr!(8..=15), vgpr!(16..=23), 0).build(W32),
            "s0: this operand takes 4 registers",
        ),
        (global_load_tr_b128(vgpr!(0..=3), v(4), sgpr!(0..=1)).build(W64), "d: this operand takes 2 registers"),
        (s_prefetch_data(sgpr!(0..=1), 0, NULL, 32).build(W32), "imm: the number lies between 0 and 31"),
        (
            v_add_f16(v(200).lo(), v(1).lo(), v(2).hi()).e32().build(W32),
            "d: this encoding reaches halves of v0 to v127 only",
        ),
        (
            v_add_f32(v(0), sgpr!(1), v(2)).dpp16(DppCtrl::row_mirror()).e32().build(W32),
            "with DPP the short encoding comes by itself: leave `.e32()` out",
        ),
        (
            v_s_exp_f32(VCC_LO, sgpr!(1)).build(W32),
            "d: this instruction reads scalar registers or constants, and does not write VCC",
        ),
    ];
    for (built, rule) in cases {
        let error = error(built);
        assert!(error.starts_with(rule), "{error}");
    }
}

//! Typed builders against golden words.

use isa_tests::builders::{Tally, error};
use rdna3::Instr;
use rdna3::Wave::{W32, W64};
use rdna3::build::*;

// A call for each list of operand types in each format. `cargo xtask builders --check` generates and tests the calls for every
// mnemonic in each of its encodings.
#[cfg(not(feature = "all-builders"))]
include!("../vectors/builders.rs");
#[cfg(feature = "all-builders")]
include!("../../target/builders/builders.rs");

#[test]
fn builders_give_the_golden_words() {
    let least = if cfg!(feature = "all-builders") { 3000 } else { 200 };
    Tally::check(&PARTS, least);
}

#[test]
fn errors_name_the_rule_and_the_operand() {
    // Rules between operands come from `Instr::check`, with the operand, the help and the guide's section.
    let bus = error(v_fma_f32(v(0), sgpr!(1), sgpr!(2), sgpr!(3)).build(W32));
    assert!(bus.starts_with("s2: an instruction reads at most two different scalar values"), "{bus}");
    assert!(bus.contains("move one of them to a VGPR first (guide §7.2.2.3)"), "{bus}");
    let bank = error(dual(v_dual_add_f32(v(0), v(1), v(2)), v_dual_mul_f32(v(3), v(5), v(3))).build());
    assert!(bank.starts_with("s0: the first sources of a pair must be in different VGPR banks"), "{bank}");
    // The parser reports rules that concern one operand.
    let wide = error(v_add_f64(vgpr!(0..=1), vgpr!(2..=3), 0x1_2345_6789i64).build(W32));
    assert_eq!(wide, "s1: the constant does not fit this operand");
    let two = error(v_fma_f32(v(0), 0x1234, 0x5678, v(1)).build(W32));
    assert_eq!(two, "s1: an instruction holds one literal constant, and none beside DPP");
    let dpp = error(v_add_f32(v(0), v(1), 0x1234).dpp16(DppCtrl::row_shr(1)).build(W32));
    assert_eq!(dpp, "s1: an instruction holds one literal constant, and none beside DPP");
    let lanes = error(v_mov_b32(v(0), v(1)).dpp16(DppCtrl::row_shr(16)).build(W32));
    assert_eq!(lanes, "a row has 16 lanes");
    let offset = error(global_load_b32(v(0), vgpr!(2..=3), OFF).offset(5000).build(W32));
    assert_eq!(offset, "the offset is a number from -4096 to 4095");
    let address = error(global_load_b32(v(0), v(2), OFF).build(W32));
    assert!(address.starts_with("addr: "), "{address}");
    let buffer = error(buffer_load_b32(v(0), OFF, sgpr!(4..=7), 0).offen().build(W32));
    assert!(buffer.starts_with("addr: "), "{buffer}");
    let data = error(buffer_load_b64(v(0), v(1), sgpr!(4..=7), 0).offen().build(W32));
    assert!(data.starts_with("d: "), "{data}");
    let image = error(image_load(v(0), vgpr!(1..=2), sgpr!(8..=15)).dmask(3).dim(ImageDim::D2).build(W32));
    assert!(image.starts_with("d: "), "{image}");
    let mask = error(v_cmp_eq_u32(VCC, v(0), v(1)).build(W32));
    assert!(mask.starts_with("d: "), "{mask}");
    assert!(v_cmp_eq_u32(VCC, v(0), v(1)).build(W64).is_ok());
    let narrow = error(v_cmp_eq_u32(VCC_LO, v(0), v(1)).build(W64));
    assert!(narrow.starts_with("d: "), "{narrow}");
    // Errors of the builder itself.
    assert_eq!(error(v_add_f32(v(0), v(1), v(2)).clamp().clamp().build(W32)), "a modifier is given twice");
    assert!(error(v_add_f32(v(0), v(1), v(2)).neg(2).build(W32)).contains("no source of this number"));
    assert!(error(v_add_f32(v(0), v(1), v(2)).neg(255).build(W32)).contains("no source of this number"));
    assert_eq!(error(s_waitcnt(Waits::NONE.expcnt(8)).build(W32)), "imm: the part has fewer bits than this number");
    assert_eq!(error(s_nop(70_000).build(W32)), "imm: the constant has 16 bits: it lies between -32768 and 65535");
    assert!(error(v_add_f32(v(0), v(1), v(2)).e32().clamp().build(W32)).contains("modifier"));
    assert_eq!(s_mov_b32(s(105), s(0)).build(W32).map(|instr| instr.to_string()), Ok("s_mov_b32 s105, s0".into()));
    let beyond = error(s_mov_b32(s(106), s(0)).build(W32));
    assert_eq!(beyond, "d: no such register: its file ends before this number");
}

#[test]
fn the_shortest_encoding_is_taken_unless_another_is_asked_for() {
    let add = v_add_f32(v(0), v(1), v(2));
    let text = |built: Result<Instr, BuildError>| built.unwrap_or_else(|e| panic!("{e}")).to_string();
    assert_eq!(text(add.instr()), "v_add_f32_e32 v0, v1, v2");
    assert_eq!(text(add.e64().instr()), "v_add_f32_e64 v0, v1, v2");
    assert_eq!(text(add.neg(1).abs(1).instr()), "v_add_f32_e64 v0, v1, -|v2|");
    assert_eq!(text(add.omod_div2().clamp().instr()), "v_add_f32_e64 v0, v1, v2 clamp div:2");
    let dpp = add.dpp16(DppCtrl::row_shr(1)).bound_ctrl();
    assert_eq!(text(dpp.instr()), "v_add_f32_dpp v0, v1, v2 row_shr:1 row_mask:0xf bank_mask:0xf bound_ctrl:1");
    assert!(text(dpp.e64().instr()).starts_with("v_add_f32_e64_dpp "));
    // Halves above v127 and scalar second sources need the long encoding.
    assert_eq!(
        text(v_add_f16(v(0).lo(), v(200).hi(), v(1).lo()).instr()),
        "v_add_f16_e64 v0.l, v200.h, v1.l op_sel:[1,0,0]"
    );
    assert_eq!(text(v_add_f32(v(0), v(1), sgpr!(2)).instr()), "v_add_f32_e64 v0, v1, s2");
    assert_eq!(text(Instr::try_from(add)), text(add.instr()));
}

#[test]
fn constants_are_inline_where_they_can_be_and_keep_their_bits() {
    let text = |built: Result<Instr, BuildError>| built.unwrap_or_else(|e| panic!("{e}")).to_string();
    for (float, shown) in
        [(1.0f32, "1.0"), (-4.0, "-4.0"), (0.159_154_94, "0.15915494"), (0.0, "0"), (-0.0, "0x80000000")]
    {
        assert_eq!(text(v_mov_b32(v(0), float).instr()), format!("v_mov_b32_e32 v0, {shown}"));
    }
    let mut bits = 1u32;
    for _ in 0..50_000 {
        bits = bits.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let by_value = v_add_f32(v(0), f32::from_bits(bits), v(1)).instr();
        assert_eq!(by_value, v_add_f32(v(0), bits, v(1)).instr(), "{bits:#x}");
    }
    assert_eq!(text(v_add_f64(vgpr!(0..=1), 2.0, vgpr!(2..=3)).instr()), "v_add_f64 v[0:1], 2.0, v[2:3]");
    assert_eq!(text(s_mov_b64(sgpr!(0..=1), u64::MAX).instr()), "s_mov_b64 s[0:1], -1");
}

#[test]
fn lane_masks_are_read_from_what_one_scalar_source_is() {
    let text = |built: Result<Instr, BuildError>| built.unwrap_or_else(|e| panic!("{e}")).to_string();
    let chosen = |scalar: &str| format!("v_cndmask_b32_e64 v0, v1, v2, {scalar}");
    for wave in [W32, W64] {
        assert_eq!(text(v_cndmask_b32(v(0), v(1), v(2), SCC).build(wave)), chosen("src_scc"));
        assert_eq!(text(v_cndmask_b32(v(0), v(1), v(2), PRIVATE_BASE).build(wave)), chosen("src_private_base"));
    }
    let sum = v_add_co_ci_u32(v(0), sgpr!(2), v(1), v(2), SCC).build(W32);
    assert_eq!(text(sum), "v_add_co_ci_u32_e64 v0, s2, v1, v2, src_scc");
}

#[test]
fn exec_is_a_base_without_an_address_in_vector_registers() {
    let store = global_store_addtid_b32(v(91), EXEC).instr().unwrap();
    assert_eq!(store.to_string(), "global_store_addtid_b32 v91, exec");
    let beside_address = error(global_load_b32(v(0), v(1), EXEC).instr());
    assert!(beside_address.starts_with("saddr: "), "{beside_address}");
}

#[test]
fn operands_that_are_no_registers() {
    let text = |built: Result<Instr, BuildError>| built.unwrap_or_else(|e| panic!("{e}")).to_string();
    let mode = HwRegister::named("HW_REG_MODE").and_then(|r| r.bits(0, 4)).unwrap();
    assert_eq!(text(s_setreg_b32(mode, sgpr!(0)).instr()), "s_setreg_b32 hwreg(HW_REG_MODE, 0, 4), s0");
    assert_eq!(
        text(s_sendmsg(Message::named("MSG_DEALLOC_VGPRS").unwrap()).instr()),
        "s_sendmsg sendmsg(MSG_DEALLOC_VGPRS)"
    );
    assert!(Message::named("MSG_NONE_SUCH").is_err() && HwRegister::named("MODE").is_err());
    assert_eq!(text(s_waitcnt(Waits::NONE.vmcnt(0)).instr()), "s_waitcnt vmcnt(0)");
    assert_eq!(text(s_waitcnt_vmcnt(NULL, 3).instr()), "s_waitcnt_vmcnt null, 0x3");
    let delay = DelayAlu::next("VALU_DEP_1").and_then(|d| d.then("SKIP_1", "SALU_CYCLE_1")).unwrap();
    assert_eq!(
        text(s_delay_alu(delay).instr()),
        "s_delay_alu instid0(VALU_DEP_1) | instskip(SKIP_1) | instid1(SALU_CYCLE_1)"
    );
    let version = MicrocodeVersion::named("UC_VERSION_GFX11").unwrap();
    assert_eq!(text(s_version(version).instr()), "s_version UC_VERSION_GFX11");
    // LLVM knows further bits, which the guide reserves.
    let wave32 = version.with("UC_VERSION_W32_BIT").unwrap();
    assert!(error(s_version(wave32).instr()).contains("reserved"));
    assert_eq!(text(s_endpgm(0).instr()), "s_endpgm");
    assert_eq!(text(s_branch(-3).instr()), "s_branch 65533");
    let target = ExportTo::named("mrt0").unwrap();
    assert_eq!(text(export(target, v(0), OFF, OFF, OFF).done().instr()), "exp mrt0 v0, off, off, off done");
    let swizzle = ds_swizzle_b32(v(0), v(1)).swizzle(Swizzle::Swap(4));
    assert_eq!(text(swizzle.instr()), "ds_swizzle_b32 v0, v1 offset:swizzle(SWAP,4)");
    assert!(ds_swizzle_b32(v(0), v(1)).swizzle(Swizzle::QuadPerm([0, 1, 2, 9])).instr().is_err());
    // Rows that the guide lists and LLVM lacks.
    assert_eq!(
        text(buffer_load_lds_b32(v(1), sgpr!(4..=7), 0).offen().instr()),
        "buffer_load_lds_b32 v1, s[4:7], 0 offen"
    );
    let gather = image_sample(vgpr!(0..=3), [v(9), v(4)], sgpr!(8..=15), sgpr!(4..=7)).dmask(15).dim(ImageDim::D2);
    assert_eq!(text(gather.instr()), "image_sample v[0:3], [v9, v4], s[8:15], s[4:7] dmask:0xf dim:SQ_RSRC_IMG_2D");
}

#[test]
fn registers_are_where_they_can_be() {
    assert_eq!(
        format!("{} {} {} {} {}", vgpr!(4..=7), sgpr!(4), ttmp!(2..=3), VCC, v(1).hi()),
        "v[4:7] s4 ttmp[2:3] vcc v1.h"
    );
    for first in 0..=u8::MAX {
        assert_eq!(Sgprs::<1>::new(first).is_ok(), first <= 105);
        assert_eq!(Sgprs::<2>::new(first).is_ok(), first <= 104 && first % 2 == 0);
        assert_eq!(Sgprs::<4>::new(first).is_ok(), first <= 102 && first % 4 == 0);
        assert_eq!(Ttmps::<16>::new(first).is_ok(), first == 0);
        assert_eq!(Vgprs::<3>::new(first).is_ok(), first <= 253);
    }
    assert!(Vgprs::<0>::new(0).is_err() && Vgprs::<33>::new(0).is_err());
    const PAIR: Sgprs<2> = sgpr!(4..=5);
    assert_eq!(PAIR.first(), 4);
}

#[test]
fn operands_of_run_time_and_virtual_registers() {
    let text = |built: Result<Instr, BuildError>| built.unwrap_or_else(|e| panic!("{e}")).to_string();
    // The file is known only at run time; a wrong one is an error of the operand.
    let mov = |source: Op| v_mov_b32(v(0), source).instr();
    let sources = [v(1).op(), sgpr!(2).op(), VCC_LO.op(), Op::int(3), Op::float(0.5)];
    let texts = sources.map(|source| text(mov(source)));
    assert_eq!(
        texts.map(|text| text.trim_start_matches("v_mov_b32_e32 v0, ").to_string()),
        ["v1", "s2", "vcc_lo", "3", "0.5"]
    );
    assert_eq!(error(mov(vgpr!(0..=1).op())), "s0: this operand takes 1 register");
    assert!(error(v_add_f32(sgpr!(0).op(), v(1), v(2)).instr()).starts_with("d: expected a vector register"));

    // Virtual registers fit the slots; they are refused until they have been replaced.
    let add = v_add_f64(VirtualVgprs::<2>::new(700), VirtualVgprs::<2>::new(701), VirtualSgprs::<2>::new(5));
    assert_eq!(error(add.instr()), "d: the register is still virtual: a register allocator has to choose one");
    let inst = add.inst().unwrap_or_else(|e| panic!("{e}"));
    let allocated = inst.map_registers(|reg, _| isa::Reg { number: reg.number % 100 * 2, is_virtual: false, ..reg });
    assert_eq!(allocated.encode(W32).map(|i| i.to_string()).as_deref(), Ok("v_add_f64 v[0:1], v[2:3], s[10:11]"));
}

#[test]
fn unchecked_instructions_lack_only_the_rules_between_operands() {
    let bus = v_fma_f32(v(0), sgpr!(1), sgpr!(2), sgpr!(3));
    assert!(matches!(bus.build(W32), Err(BuildError::Illegal(_))));
    assert_eq!(bus.build_unchecked(W32).map(|i| i.to_string()).as_deref(), Ok("v_fma_f32 v0, s1, s2, s3"));
    assert!(v_mov_b32(v(0), v(1)).dpp16(DppCtrl::row_shr(16)).build_unchecked(W32).is_err());
    let image = image_load(v(0), v(1), sgpr!(8..=15)).dmask(1);
    assert!(error(image.build(W32)).contains("`.dim(ImageDim::D2)`"), "{image}");
    assert!(image.build_unchecked(W32).is_err() && image.dim(ImageDim::D1).build(W32).is_ok());
    let halves = v_add_f16(v(0).lo(), v(1).hi(), v(2).lo()).op_sel([0, 1, 0]);
    assert_eq!(error(halves.build(W32)), "op_sel does not agree with the halves of the registers");
}

//! Facts around the instructions: names and numbers as LLVM has them, layouts, initial state, counters, caches.

use std::io::Write as _;
use std::process::{Command, Stdio};

use isa_tests::needs::llvm_mc;
use rdna3::cache::{self, Bits, Policy, Scope};
use rdna3::counter::{Clause, Counter, DelayClass, delay_class, raises};
use rdna3::export::ExportTarget;
use rdna3::initial::{PIXEL_TERMS, Stage, pixel_vgpr, sgpr_of};
use rdna3::operands::{EXPORT_TARGETS, HW_REGISTERS, HwRegister, MESSAGES};
use rdna3::register::{self, Denormals, Mode, REGISTERS, Round, Status};
use rdna3::wave_state::TrapEntry;
use rdna3::{Instr, message};

fn instr(text: &str) -> Instr {
    text.parse().unwrap_or_else(|e| panic!("{text}: {e}"))
}

/// Assembles lines with llvm-mc: the encoding of each, or nothing if it refuses the line. Returns `None` without llvm-mc.
fn assembled(lines: &[String]) -> Option<Vec<Option<String>>> {
    let name = llvm_mc("names of hardware registers, messages and export targets against LLVM")?;
    let mut out = Vec::new();
    // A line at a time where it is refused: errors name lines, encodings do not.
    for line in lines {
        let mut child = Command::new(&name)
            .args(["--triple=amdgcn-amd-amdhsa", "-mcpu=gfx1100", "--show-encoding"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        child.stdin.take()?.write_all(line.as_bytes()).ok()?;
        let said = String::from_utf8(child.wait_with_output().ok()?.stdout).ok()?;
        let encoding = said.split_once("encoding: [").and_then(|(_, rest)| rest.split_once(']'));
        out.push(encoding.map(|(bytes, _)| bytes.replace("0x", "").replace(',', "")));
    }
    Some(out)
}

#[test]
fn names_and_numbers_are_llvms() {
    let registers = HW_REGISTERS.iter().map(|(id, name)| (format!("s_getreg_b32 s0, hwreg({name})"), u32::from(*id)));
    let messages = MESSAGES.iter().map(|(id, name)| {
        let form = if *id >= 0x80 { "s_sendmsg_rtn_b32 s0, sendmsg" } else { "s_sendmsg sendmsg" };
        (format!("{form}({name})"), u32::from(*id))
    });
    let exports = EXPORT_TARGETS.iter().map(|(code, name)| (format!("exp {name} v0, off, off, off"), *code));
    let cases: Vec<(String, u32)> = registers.chain(messages).chain(exports).collect();
    let lines: Vec<String> = cases.iter().map(|(line, _)| line.clone()).collect();
    let Some(theirs) = assembled(&lines) else { return };
    for ((line, number), theirs) in cases.iter().zip(theirs) {
        let ours = instr(line);
        let bytes: String = ours.encode().to_le_bytes().map(|b| format!("{b:02x}")).collect();
        assert_eq!(Some(&bytes), theirs.as_ref(), "{line}");
        let code = match ours {
            Instr::Sopk(x) => u32::from(x.raw().simm16()) & 63,
            Instr::Sop1(x) => u32::from(x.raw().ssrc0()),
            Instr::Sopp(x) => u32::from(x.raw().simm16()),
            Instr::Exp(x) => u32::from(x.raw().target()),
            _ => u32::MAX,
        };
        assert_eq!(code, *number, "{line}");
    }
}

#[test]
fn tables_agree_with_the_names_of_text() {
    for (id, name) in &HW_REGISTERS {
        let known = register::register(*id).unwrap_or_else(|| panic!("{name} has no entry"));
        assert_eq!(known.text(), Some(*name));
    }
    // LLVM names these two; the guide does not.
    let untold = [0x05, 0x06];
    for (id, name) in MESSAGES.iter().filter(|(id, _)| !untold.contains(id)) {
        assert_eq!(message::message(*id).and_then(message::Message::text), Some(*name));
    }
    for (code, name) in &EXPORT_TARGETS {
        let target = ExportTarget::from_code(*code as u8).unwrap_or_else(|| panic!("{name}"));
        assert_eq!((target.code(), target.text()), (Some(*code as u8), Some(*name)));
    }
    assert_eq!((0..64).filter(|c| ExportTarget::from_code(*c).is_some()).count(), EXPORT_TARGETS.len());
    assert!(REGISTERS.is_sorted_by_key(|r| r.id));
}

#[test]
fn parts_of_registers() {
    let names = |id, offset, size| {
        let parts = register::parts(HwRegister { id, offset, size });
        parts.map(|p| (p.field.name, p.lo, p.width)).collect::<Vec<_>>()
    };
    assert_eq!(names(1, 4, 4), [("FP_DENORM.SINGLE", 0, 2), ("FP_DENORM.DOUBLE", 0, 2)]);
    assert_eq!(names(1, 23, 1), [("FP16_OVFL", 0, 1)]);
    assert_eq!(names(2, 7, 1), []);
    assert_eq!(names(3, 7, 2), [("EXCP", 7, 2)]);
    assert_eq!(names(23, 0, 32).len(), 6);
    assert_eq!(names(63, 0, 32), []);
    // Each field of every register begins at the bit in the guide's tables.
    let at = |id: u8, name: &str| register::register(id)?.fields.iter().find(|f| f.name == name).map(|f| f.lo);
    let told = [
        (2, "SCRATCH_EN", 29),
        (2, "SKIP_EXPORT", 18),
        (2, "NO_VGPRS", 24),
        (1, "EXCP_EN", 12),
        (1, "DISABLE_PERF", 27),
    ];
    for (id, name, lo) in told.into_iter().chain([(3, "TRAP_AFTER_INST", 20), (23, "DP_RATE", 29), (24, "VM_ID", 24)]) {
        assert_eq!(at(id, name), Some(lo), "{name}");
    }
}

#[test]
fn layouts_read_and_write() {
    let mode = Mode::from_bits(0x2f3);
    assert_eq!((mode.single_round(), mode.double_round()), (Round::TowardZero, Round::NearestEven));
    assert_eq!((mode.single_denormals(), mode.double_denormals()), (Denormals::Keep, Denormals::Keep));
    assert!(mode.ieee() && !mode.dx10_clamp());
    assert_eq!(mode.to_string(), "FP_ROUND.SINGLE=3 FP_DENORM.SINGLE=3 FP_DENORM.DOUBLE=3 IEEE=1");
    assert_eq!(Mode::new().with_single_round(Round::TowardZero).into_bits(), 3);
    assert_eq!(Status::new().to_string(), "0");
    let trap = TrapEntry { pc: 0x1234_5678_9abc, id: 7, host: true };
    let (low, high) = trap.into_ttmps();
    assert_eq!((low, high), (0x5678_9abc, 0x0107_1234));
    assert_eq!(TrapEntry::from_ttmps(low, high), trap);
}

#[test]
fn pixel_shaders_pack_their_vgprs() {
    let index = |name: &str| PIXEL_TERMS.iter().position(|t| t.name == name).unwrap();
    assert_eq!(pixel_vgpr(index("POS_FIXED_PT"), 0xffff), Some(23));
    let bits = |names: &[&str]| names.iter().fold(0, |mask, n| mask | 1 << index(n));
    // The guide's two examples.
    let packed = bits(&["PERSP_SAMPLE", "PERSP_CENTER", "POS_X_FLOAT", "POS_Y_FLOAT"]);
    assert_eq!(pixel_vgpr(index("POS_X_FLOAT"), packed), Some(4));
    assert_eq!(pixel_vgpr(index("POS_Z_FLOAT"), packed), None);
    let gaps = packed | bits(&["PERSP_CENTROID", "PERSP_PULL_MODEL", "LINEAR_CENTROID", "LINE_STIPPLE_TEX"]);
    assert_eq!(pixel_vgpr(index("POS_Y_FLOAT"), gaps), Some(13));
    // Two user registers, and the x of the workgroup's place is not loaded.
    assert_eq!(sgpr_of(Stage::Compute, 2, |i| [2, 0, 1, 1, 1][i]), Some(2));
    assert_eq!(sgpr_of(Stage::Hull, 6, |_| 0), Some(8));
}

#[test]
fn counters_by_instruction() {
    let of = |text: &str| raises(&instr(text)).map(|r| (r.counter, r.by)).collect::<Vec<_>>();
    let cases: [(&str, &[(Counter, u8)]); 15] = [
        ("s_load_b32 s0, s[2:3], null", &[(Counter::Lgkm, 1)]),
        ("s_load_b64 s[0:1], s[2:3], null", &[(Counter::Lgkm, 2)]),
        ("s_dcache_inv", &[(Counter::Lgkm, 1)]),
        ("ds_add_u32 v0, v1", &[(Counter::Lgkm, 1)]),
        ("buffer_load_b32 v0, off, s[0:3], 0", &[(Counter::Vm, 1)]),
        ("buffer_atomic_add_u32 v0, off, s[0:3], 0 glc", &[(Counter::Vm, 1)]),
        ("buffer_atomic_add_u32 v0, off, s[0:3], 0", &[(Counter::Vs, 1)]),
        ("global_atomic_add_u32 v0, v1, v2, s[0:1] glc", &[(Counter::Vm, 1)]),
        ("global_atomic_add_u32 v1, v2, s[0:1]", &[(Counter::Vs, 1)]),
        ("flat_store_b32 v[0:1], v2", &[(Counter::Vs, 1), (Counter::Lgkm, 1)]),
        ("image_sample v[0:3], v[4:5], s[0:7], s[8:11] dmask:0xf dim:SQ_RSRC_IMG_2D", &[(Counter::Vm, 1)]),
        ("exp mrt0 v0, v1, v2, v3 done", &[(Counter::Exp, 1)]),
        ("lds_param_load v0, attr0.x", &[(Counter::Exp, 1)]),
        ("s_sendmsg_rtn_b32 s0, sendmsg(MSG_RTN_GET_DOORBELL)", &[(Counter::Lgkm, 2)]),
        ("v_mov_b32 v0, v1", &[]),
    ];
    for (text, expected) in cases {
        assert_eq!(of(text), expected, "{text}");
    }
    assert_eq!(delay_class(&instr("v_exp_f32 v0, v1")), Some(DelayClass::Transcendental));
    assert_eq!(delay_class(&instr("v_exp_f32_e64 v0, |v1|")), Some(DelayClass::Transcendental));
    assert_eq!(delay_class(&instr("v_mov_b32 v0, v1")), Some(DelayClass::Vector));
    assert_eq!(delay_class(&instr("s_mov_b32 s0, s1")), Some(DelayClass::Scalar));
    assert_eq!(delay_class(&instr("s_endpgm")), None);
    assert_eq!(Clause::from_code(0x203).map(|c| (c.length, c.span, c.code())), Some((4, 2, 0x203)));
    assert_eq!((Clause::from_code(0), Clause::from_code(63)), (None, None));
}

#[test]
fn caches_by_the_bits() {
    let plain = cache::load(Bits::default(), 0);
    assert_eq!((plain.scope, plain.gl2, plain.gl1), (Scope::Cu, Policy::Lru, Some(Policy::HitLru)));
    let acquire = cache::load(Bits { glc: true, ..Bits::default() }, 0);
    assert_eq!((acquire.scope, acquire.l0), (Scope::Device, Some(Policy::MissEvict)));
    let stream = cache::load(Bits { slc: true, ..Bits::default() }, 2);
    assert_eq!(
        (stream.llc_no_alloc, stream.gl2, stream.gl1, stream.l0),
        (true, Policy::Stream, Some(Policy::HitEvict), Some(Policy::HitLru))
    );
    let store = cache::store(Bits { dlc: true, ..Bits::default() }, 1);
    assert_eq!((store.llc_no_alloc, store.non_temporal[0]), (true, Some(false)));
    assert_eq!(cache::store(Bits { dlc: true, ..Bits::default() }, 2).non_temporal[0], Some(true));
}

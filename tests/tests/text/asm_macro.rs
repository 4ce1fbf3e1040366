//! `asm!` against llvm-mc, and what only a block shows: labels, modes, data.

use std::io::Write;
use std::process::{Command, Stdio};

use isa_tests::needs::llvm_mc;
use rdna3::{Instr, Wave, asm, instrs};

#[allow(dead_code)]
#[path = "../../../isa-defs/rdna3/examples/saxpy.rs"]
mod saxpy;

/// The lines of the kernel, as the source file has them.
fn source() -> String {
    let file = include_str!("../../../isa-defs/rdna3/examples/saxpy.rs");
    let (_, rest) = file.split_once("// begin\n").unwrap();
    rest.split_once("// end").unwrap().0.to_string()
}

#[test]
fn a_kernel_is_what_llvm_mc_makes_of_it() {
    let arguments = ["-triple=amdgcn", "-mcpu=gfx1100", "-filetype=asm", "-show-encoding"];
    let Some(llvm_mc) = llvm_mc("the kernel of `asm!` against LLVM") else { return };
    let mut child = Command::new(llvm_mc)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("llvm-mc starts");
    child.stdin.take().unwrap().write_all(source().as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let listing = String::from_utf8_lossy(&output.stdout);
    let mut at = 0;
    for line in listing.lines() {
        let Some((text, rest)) = line.split_once("encoding: [") else { continue };
        // A branch to a label has letters where its distance goes: those bytes are checked below.
        let bytes: Vec<Option<u8>> = rest
            .trim_end_matches(']')
            .split(',')
            .map(|byte| byte.strip_prefix("0x").and_then(|b| u8::from_str_radix(b, 16).ok()))
            .collect();
        for word in bytes.chunks(4) {
            let ours = saxpy::SAXPY[at].to_le_bytes();
            for (llvm, ours) in word.iter().zip(ours) {
                assert!(llvm.is_none_or(|b| b == ours), "{text}: word {at} is {:#010x}", saxpy::SAXPY[at]);
            }
            at += 1;
        }
    }
    assert_eq!(at, saxpy::SAXPY.len(), "{listing}");
}

#[test]
fn a_kernel_is_what_its_lines_are_one_by_one() {
    let lines = source();
    let mut places = std::collections::HashMap::new();
    let mut branches = Vec::new();
    let mut at = 0;
    for line in lines.lines().map(str::trim).filter(|l| !l.is_empty()) {
        if let Some(label) = line.strip_suffix(':') {
            places.insert(label, at);
            continue;
        }
        let (read, label) = match line.split_once(" ").filter(|(name, _)| name.starts_with("s_cbranch")) {
            Some((name, label)) => (format!("{name} 0"), Some(label)),
            None => (line.to_string(), None),
        };
        let words = Instr::parse(&read, Wave::W32).unwrap().encode();
        match label {
            Some(label) => branches.push((at, label)),
            None => assert_eq!(saxpy::SAXPY[at..at + words.len()], words[..], "{line}"),
        }
        at += words.len();
    }
    assert_eq!(at, saxpy::SAXPY.len());
    for (at, label) in branches {
        let (instr, _) = Instr::decode(&saxpy::SAXPY[at..], Wave::W32).unwrap();
        assert_eq!(instr.branch_offset().map(i64::from), Some(places[label] as i64 - at as i64 - 1), "{label}");
    }
}

#[test]
fn semicolons_lines_data_and_modes() {
    const BY_SEMICOLONS: &[u32] = &asm! { r#loop: s_nop 0; buffer_load_b32 v1, v0, s[8:11], 0
    offen offset:12 glc; .long 0xbf9f0000, -1; s_branch loop };
    const BY_LINES: [u32; 6] = asm! {
        loop:
        s_nop 0
        buffer_load_b32 v1, v0, s[8:11],
            0 offen offset:12 glc
        .long 0xbf9f0000, -1
        s_branch loop
    };
    assert_eq!(BY_SEMICOLONS, BY_LINES);
    assert_eq!(BY_LINES[5], 0xbfa0_fffa);
    static WAVE64: &[u32] = &asm! { .wave64; v_cmp_eq_u32 s[2:3], v0, v1; s_and_b64 exec, exec, s[2:3] };
    assert_eq!(
        Instr::decode(WAVE64, Wave::W64).unwrap().0.display(Wave::W64).to_string(),
        "v_cmp_eq_u32_e64 s[2:3], v0, v1"
    );
    let nothing: [u32; 0] = asm! {};
    assert!(nothing.is_empty());
    // Everything that Rust's tokens could tear apart.
    let forms = asm! {
        v_add_f16 v0.l, -v1.h, |v2.l|
        v_mul_f32 v0, -|v1|, neg(abs(v2)) mul:2 clamp
        v_mov_b32 v0, lit(0x1)
        v_mov_b32 v0, 0.15915494
        v_mov_b32 v0, -1.0
        v_mov_b32 v0, 1e3
        v_mov_b32 v0, v1 quad_perm:[0, 1, 2, 3] row_mask:0xf bank_mask:0xf bound_ctrl:1
        v_dual_mul_f32 v0, v1, v2 :: v_dual_mul_f32 v3, v2, v3
        s_waitcnt vmcnt(0) & lgkmcnt(0)
        s_waitcnt vmcnt(0) lgkmcnt(0)
        exp mrt0 v0, v1, off, off done
        ds_swizzle_b32 v8, v2 offset:swizzle(BITMASK_PERM, "01pip")
        image_sample v[64:66], [v32, v33, v34], s[4:11], s[100:103] dmask:0x7 dim:SQ_RSRC_IMG_3D
        s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(SALU_CYCLE_1)
        lds_param_load v1, attr0.x wait_vdst:15
        s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 4), 0b11
    };
    assert_eq!(forms.len(), 27);
}

#[test]
fn values_of_run_time() {
    let (offset, half) = (16, 0.5f32);
    let code = instrs! {
        .wave64
        v_fma_f32 v1, {half}, v2, {-1}
        buffer_load_b32 v1, v0, s[8:11], 0 offen offset:{offset}
        s_branch 3
    };
    let text: Vec<String> = code.unwrap().iter().map(|i| i.display(Wave::W64).to_string()).collect();
    assert_eq!(text, ["v_fma_f32 v1, 0.5, v2, -1", "buffer_load_b32 v1, v0, s[8:11], 0 offen offset:16", "s_branch 3"]);
    let refused = instrs! { s_nop 0; v_mov_b32 {"s0"}, 1 }.unwrap_err();
    assert_eq!(refused.line, 1);
    assert_eq!(refused.to_string(), "instruction 1: this register does not fit: this operand is a vector register");
}

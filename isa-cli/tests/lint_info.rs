//! `isa lint` and `isa info`: what they say, and with which exit status.

mod common;

use common::*;

/// `s_load_b32 s4, s[0:1], null`, in memory order.
const LOAD: [u8; 8] = [0x00, 0x01, 0x00, 0xf4, 0x00, 0x00, 0x00, 0xf8];
/// `s_mov_b32 s5, s4`.
const MOVE: [u8; 4] = [0x04, 0x00, 0x85, 0xbe];
/// `s_waitcnt lgkmcnt(0)`.
const WAIT: [u8; 4] = [0x07, 0xfc, 0x89, 0xbf];

fn kernel(code: &[&[u8]]) -> Vec<u8> {
    Elf::new(DYN)
        .code(".text", 0x1000, code.concat())
        .data(".rodata", 0x600, descriptor(true, 0xa00).to_vec())
        .symbol("early", FUNC, 1, 0x1000, 12)
        .symbol("early.kd", OBJECT, 2, 0x600, 64)
        .bytes()
}

#[test]
fn a_missing_wait_has_its_place_and_help() {
    let said = run(&["lint", "-"], &kernel(&[&LOAD, &MOVE, &ENDPGM]));
    assert_eq!(said.status, Some(1), "{said:?}");
    let expected = "0x1008 <early+0x8>: a register is read before its pending result arrives (s4) [guide §5.6]\n    \
                    here:    s_mov_b32 s5, s4\n    \
                    earlier: 0x1000 <early+0x0>: s_load_b32 s4, s[0:1], null\n    \
                    help:    s_waitcnt lgkmcnt(0)\n\
                    1 finding\n";
    assert_eq!(said.out, expected);
}

#[test]
fn sound_code_draws_nothing() {
    let said = run(&["lint", "-"], &kernel(&[&LOAD, &WAIT, &MOVE, &ENDPGM]));
    assert_eq!((said.status, said.out.as_str()), (Some(0), "0 findings\n"), "{said:?}");
    let said = run(&["lint", "--padding", "-"], &kernel(&[&ENDPGM]));
    assert!(said.status == Some(1) && said.out.contains("64 times"), "{said:?}");
}

#[test]
fn other_files_are_refused() {
    let said = run(&["lint", "-"], b"\x00\x01\x02");
    assert!(said.status == Some(1) && said.err.contains("not an ELF file"), "{said:?}");
    let said = run(&["lint", "--raw", "-"], &LOAD);
    assert!(said.status == Some(2) && said.err.contains("--arch"), "{said:?}");
    let said = run(&["lint", "--raw", "--arch", "gfx900", "-"], &LOAD);
    assert!(said.status == Some(1) && said.err.contains("gcn1.4 has no rules to lint by yet"), "{said:?}");
}

#[test]
fn the_generation_of_the_processor_is_linted() {
    let source = b"s_load_b32 s4, s[0:1], null\ns_add_f32 s4, s4, s5\ns_endpgm\n";
    let said = run(&["lint", "--arch", "gfx1150", "-"], source);
    assert!(said.status == Some(1) && said.out.contains("s_add_f32 s4, s4, s5"), "{said:?}");
    let said = run(&["lint", "--arch", "gfx1100", "-"], source);
    assert!(said.status == Some(1) && said.err.contains("unknown mnemonic"), "{said:?}");
}

#[test]
fn instructions_are_told_of_in_every_set() {
    let said = run(&["info", "--arch", "rdna3.5", "s_add_f32"], b"");
    for part in ["format: SOP2", "pipeline: Salu", "delay class: Scalar", "role d, type f32"] {
        assert!(said.out.contains(part), "no {part:?} in\n{}", said.out);
    }
    let said = run(&["info", "s_add_f32"], b"");
    assert!(said.status == Some(1) && said.err.contains("nothing in rdna3 is called `s_add_f32`"), "{said:?}");
    for (arch, name, format) in [
        ("gcn1.0", "buffer_load_dword", "format: MUBUF"),
        ("gfx700", "buffer_atomic_add", "format: MUBUF"),
        ("gcn1.2", "s_load_dwordx2", "format: SMEM"),
        ("gfx900", "s_atomic_add", "format: SMEM"),
    ] {
        let said = run(&["info", "--arch", arch, name], b"");
        assert!(said.status == Some(0) && said.out.contains(format), "{said:?}");
    }
    // Registers and messages are those of RDNA3's guide.
    assert_eq!(run(&["info", "--arch", "gcn1.2", "hw_reg_mode"], b"").status, Some(1));
    assert_eq!(run(&["info", "--arch", "gfx1151", "hw_reg_mode"], b"").status, Some(0));
}

#[test]
fn instructions_are_told_of() {
    let said = run(&["info", "S_LOAD_B64"], b"");
    assert_eq!(said.status, Some(0), "{said:?}");
    for part in ["format: SMEM", "opcode: 1\n", "role d, type b64", "counter lgkmcnt, by 2", "sections: 15.2.1, 16.6"] {
        assert!(said.out.contains(part), "no {part:?} in\n{}", said.out);
    }
    // A suffix and an older name lead to the same.
    assert_eq!(run(&["info", "s_load_dwordx2"], b"").out, said.out);
    let both = run(&["info", "v_add_f32_e64"], b"").out;
    assert!(both.contains("format: VOP3\n    opcode: 259") && both.contains("format: VOP2\n    opcode: 3"), "{both}");
}

#[test]
fn json_is_for_programs() {
    for name in ["v_add_f32", "hw_reg_status", "MSG_INTERRUPT", "mrt0", "exec"] {
        let said = run(&["info", "--json", name], b"");
        assert_eq!(said.status, Some(0), "{said:?}");
        let read: serde_json::Value = serde_json::from_str(&said.out).expect("it is JSON");
        assert!(read[0]["name"].is_string() && read[0]["is"].is_string(), "{}", said.out);
    }
}

#[test]
fn every_opcode_is_told_of() {
    // A process for each opcode would take long, so this takes a sample.
    for opcode in rdna3::Opcode::ALL.iter().step_by(97) {
        let said = run(&["info", opcode.name()], b"");
        assert_eq!(said.status, Some(0), "{said:?}");
    }
}

#[test]
fn the_nearest_name_is_offered() {
    let said = run(&["info", "hw_reg_mod"], b"");
    assert!(said.status == Some(1) && said.err.contains("did you mean `HW_REG_MODE`?"), "{said:?}");
    assert!(!run(&["info", "nothing_like_it"], b"").err.contains("did you mean"));
}

#[test]
fn descriptors_have_their_fields() {
    let said = run(&["info", "v#"], b"");
    assert_eq!(said.status, Some(0), "{said:?}");
    for line in ["name: BufferResource", "  - name stride, bits 61:48", "  - name kind, bits 127:126"] {
        assert!(said.out.lines().any(|l| l == line), "{line}: {}", said.out);
    }
    let halves = run(&["info", "--json", "T#"], b"");
    assert_eq!(halves.out.matches("\"descriptor\"").count(), 2, "{halves:?}");
    assert!(run(&["info", "samplr"], b"").err.contains("`Sampler`"));
}

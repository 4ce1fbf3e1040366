//! Tests of names, processors and branches.

use crate::*;

#[test]
fn every_processor_is_listed_once() {
    for (i, p) in PROCESSORS.iter().enumerate() {
        for q in &PROCESSORS[i + 1..] {
            assert!(p.mach != q.mach && p.name != q.name, "{p:?} {q:?}");
        }
    }
}

#[test]
fn arch_takes_names_of_sets_processors_and_targets() {
    assert_eq!(Arch::parse("rdna3"), Ok(Arch::Rdna3));
    assert_eq!(Arch::parse("gfx1103"), Ok(Arch::Rdna3));
    assert_eq!(Arch::parse("rdna3.5"), Ok(Arch::Rdna3_5));
    assert_eq!(Arch::parse("gfx1151"), Ok(Arch::Rdna3_5));
    assert_eq!(Arch::parse("gcn1.4"), Ok(Arch::Gcn1_4));
    assert_eq!(Arch::parse("gfx803"), Ok(Arch::Gcn1_2));
    assert_eq!(Arch::parse("amdgpu11.51"), Ok(Arch::Rdna3_5));
    assert_eq!(Arch::parse("amdgcn-amd-amdhsa--gfx1100"), Ok(Arch::Rdna3));
    assert_eq!(Arch::parse("amdgpu11.00-amd-amdhsa-unknown-gfx1100"), Ok(Arch::Rdna3));
    let error = Arch::parse("amdgpu11.00-amd-amdhsa-unknown-gfx1101").unwrap_err().to_string();
    assert_eq!(error, "`gfx1101` is not a processor of `amdgpu11.00`");
    for unread in ["gfx906", "gcn1.3", "rdna5", ""] {
        let error = Arch::parse(unread).unwrap_err().to_string();
        assert!(error.contains("rdna3 (gfx1100 gfx1101"), "{error}");
    }
}

#[test]
fn flags_beside_the_processor_do_not_matter() {
    assert_eq!(processor(0x12c).map(|p| p.name).ok(), Some("gfx900"));
    assert_eq!(processor(0x41).map(|p| p.arch).ok(), Some(Some(Arch::Rdna3)));
    assert_eq!(processor(0x7f).map(|p| p.name), Err(0x7f));
}

#[test]
fn branches_begin_with_the_distance() {
    let reader = Reader::new(Arch::Rdna3, Wave::W32);
    for before in ["s_branch ", "s_cbranch_execz ", "s_cbranch_cdbgsys_and_user ", "s_call_b64 s[2:3], "] {
        for dwords in [0, 1, -1, 300, i16::MIN, i16::MAX] {
            let instr =
                |n: i16| reader.parse(&format!("{before}{n}")).map(|i| (i.bytes().to_vec(), i.branch())).unwrap();
            let (mut bytes, _) = instr(0);
            bytes[..2].copy_from_slice(&branch_bytes(dwords));
            assert_eq!((bytes, Some(4 * i64::from(dwords))), instr(dwords), "{before}{dwords}");
        }
    }
}

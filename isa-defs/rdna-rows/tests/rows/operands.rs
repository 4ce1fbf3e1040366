//! Operand classes that tables cannot express.

use rdna_rows::Wave;
use rdna_rows::operands::Swizzle;
use rdna_rows::rdna3::Instr;

#[test]
fn two_names_make_a_format() {
    let read = |format: &str| {
        Instr::parse(&format!("tbuffer_load_format_x v0, off, s[0:3], 0 format:{format}"), Wave::W32).ok()
    };
    for (names, code) in [
        ("BUF_DATA_FORMAT_32, BUF_NUM_FORMAT_FLOAT", Some(22)),
        ("BUF_NUM_FORMAT_FLOAT, BUF_DATA_FORMAT_32", Some(22)),
        ("BUF_DATA_FORMAT_8_8", Some(14)),
        ("BUF_NUM_FORMAT_SNORM", Some(2)),
        ("BUF_DATA_FORMAT_INVALID", Some(0)),
        ("BUF_FMT_8_UNORM", Some(1)),
        ("BUF_DATA_FORMAT_INVALID, BUF_NUM_FORMAT_UINT", None),
        ("BUF_DATA_FORMAT_32", None),
        ("BUF_DATA_FORMAT_8, BUF_DATA_FORMAT_8", None),
        ("BUF_DATA_FORMAT_8, BUF_NUM_FORMAT_8_UNORM", None),
        ("BUF_DATA_FORMAT_8, BUF_FMT_8_UNORM", None),
        ("", None),
    ] {
        let expected = code.map(|code: u32| read(&code.to_string()).unwrap_or_else(|| panic!("{code} is a format")));
        assert_eq!(read(&format!("[{names}]")), expected, "{names}");
    }
}

#[test]
fn what_an_assembler_writes_is_canonical() {
    for offset in 0..=u16::MAX {
        let written = Swizzle::from_offset(offset).offset();
        assert_eq!(Swizzle::from_offset(written).offset(), written, "{offset:#06x}");
    }
}

#[test]
fn every_swizzle_reads_back() {
    for offset in 0..=u32::from(u16::MAX) {
        let Ok((instr, _)) = Instr::decode(&[0xd8d4_0000 | offset, 0x0800_0002], Wave::W32) else { continue };
        let text = instr.display(Wave::W32).to_string();
        assert_eq!(Instr::parse(&text, Wave::W32), Ok(instr), "{instr}");
    }
}

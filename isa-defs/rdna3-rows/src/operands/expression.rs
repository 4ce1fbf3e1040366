//! Tests of expressions of numbers in operands.

extern crate std;

use crate::{Rdna3, Wave};

fn constant(text: &str) -> Option<u32> {
    let line = std::format!("s_getreg_b32 s0, {text}");
    let Ok(crate::Instr::Sopk(x)) = isa::parse::<Rdna3>(&line, Wave::W32.into()) else { return None };
    Some(u32::from(x.simm16()))
}

#[test]
fn operators_bind_as_in_gnu_assembly() {
    for (text, value) in [
        ("1+2*3", 7),
        ("1<<2+1", 5),
        ("6&3+1", 3),
        ("4|1&1", 1),
        ("5-3-1", 1),
        ("-(3) + 10", 7),
        ("~-1", 0),
        ("--3", 3),
        ("7/2", 3),
        ("7%4", 3),
        ("-1>>60", 15),
        ("(((2)))", 2),
        ("0.0", 0),
    ] {
        assert_eq!(constant(text), Some(value), "{text}");
    }
    for text in ["", "1+", "(1", "1)", "7/0", "1 2", "x", "1+x", "70000", "-1", "1<<64"] {
        assert_eq!(constant(text), None, "{text}");
    }
    let deep = "(".repeat(100_000);
    assert_eq!(constant(&deep), None);
    assert_eq!(constant(&"-".repeat(100_000)), None);
}

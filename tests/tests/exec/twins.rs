//! Rows that are stated once and encoded twice give the same results: VOP1, VOP2 and VOPC promoted to VOP3, and with an
//! identity DPP8.

use isa_exec::memory::Regions;
use isa_exec::wave::Wave;
use rdna3::Rdna3;
use rdna3::isa::Isa;

use crate::machine::{self, Random};

/// How often each instruction is tried.
const ROUNDS: usize = 2;

/// Registers that a run changes, as text.
fn difference(a: &Wave, b: &Wave) -> Option<String> {
    for register in 0..129 {
        if a.sgpr(register) != b.sgpr(register) {
            return Some(format!("s{register}: {:#x} and {:#x}", a.sgpr(register), b.sgpr(register)));
        }
    }
    for register in 0..8 {
        for lane in 0..32 {
            let (x, y) = (a.vgpr(register, lane), b.vgpr(register, lane));
            if x != y {
                return Some(format!("v{register}[{lane}]: {x:#x} and {y:#x}"));
            }
        }
    }
    None
}

#[test]
fn encodings_of_a_row_agree() {
    let mut random = Random(0x0123_4567_89AB_CDEF);
    let mut compared = 0;
    for name in Rdna3::tables().mnemonics {
        let name = name.to_lowercase();
        if !name.starts_with("v_") {
            continue;
        }
        for shape in
            ["v4, v0", "v4, v0, v1", "v[4:5], v[0:1]", "v[4:5], v[0:1], v[2:3]", "v4.l, v0.l", "v4.l, v0.l, v1.l"]
        {
            let short = format!("{name}_e32 {shape}");
            for long in [format!("{name}_e64 {shape}"), format!("{name}_dpp {shape} dpp8:[0,1,2,3,4,5,6,7]")] {
                compared += usize::from(compare(&mut random, &short, &long));
            }
        }
        for shape in ["v0, v1", "v[0:1], v[2:3]", "v0.l, v1.l"] {
            let short = format!("{name}_e32 vcc_lo, {shape}");
            for long in
                [format!("{name}_e64 vcc_lo, {shape}"), format!("{name}_dpp vcc_lo, {shape} dpp8:[0,1,2,3,4,5,6,7]")]
            {
                compared += usize::from(compare(&mut random, &short, &long));
            }
        }
    }
    assert!(compared > 400, "{compared} pairs were compared");
}

/// Compares two encodings of an instruction; `false` if one of them does not exist.
fn compare(random: &mut Random, short: &str, long: &str) -> bool {
    let parse = |line: &str| rdna3::Instr::parse(line, rdna3::Wave::W32).is_ok();
    if !parse(short) || !parse(long) {
        return false;
    }
    let programs = [short, long].map(|line| machine::program(&[line], rdna3::Wave::W32));
    for _ in 0..ROUNDS {
        let mut start = machine::wave(&programs[0]);
        random.fill(&mut start);
        // Lanes that DPP disables read as zero; they do not take part.
        start.set_mask(126, u64::MAX);
        let [a, b] = programs.each_ref().map(|program| {
            machine::run(program, &Regions::new(), |wave| copy_registers(&start, wave))
                .map_err(|fault| fault.to_string())
        });
        match (a, b) {
            (Ok(a), Ok(b)) => {
                let found = difference(&a, &b);
                assert!(found.is_none(), "`{short}` and `{long}`: {}", found.unwrap_or_default());
            }
            (Err(_), Err(_)) => return false,
            (a, b) => panic!("`{short}` {:?} and `{long}` {:?}", a.err(), b.err()),
        }
    }
    true
}

/// Copies the registers of a wave to another, whose program has other constants.
fn copy_registers(from: &Wave, to: &mut Wave) {
    (0..129).for_each(|register| to.set_sgpr(register, from.sgpr(register)));
    for register in 0..256 {
        (0..32).for_each(|lane| to.set_vgpr(register, lane, from.vgpr(register, lane)));
    }
}

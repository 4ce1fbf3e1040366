//! Measurements of building instructions: typed builders, checked and unchecked, and those of iced-x86.

use std::hint::black_box;

use anyhow::Result;
use rdna3::build::*;
use rdna3::{Instr, Wave};

use super::{Times, x86};

/// How many instructions a round builds.
pub const COUNT: usize = 60_000;

/// A way to build instructions: the name for `--work`, the description, and the function that builds this number of them.
type Building = (&'static str, &'static str, fn(usize) -> Result<()>);

/// The measurements of our builders.
pub const OURS: [Building; 2] =
    [("build", "build with typed builders", checked), ("build-unchecked", "build unchecked", unchecked)];

/// The times of the builders.
pub struct Builders {
    ours: [Times; 2],
    /// Those of [`x86`].
    others: Vec<Times>,
}

/// Six instructions, by a function that ends each: VOP2, VOP3 with modifiers, SOP2, SMEM, GLOBAL and DS.
macro_rules! mix {
    ($n:ident, $b:ident => $end:expr) => {{
        let (a, b) = (v($n), v($n ^ 1));
        let scalars = s($n % 100);
        let each = |built: Result<Instr, BuildError>| -> Result<()> {
            black_box(built?);
            Ok(())
        };
        {
            let $b = v_add_f32(a, b, v(7));
            each($end)?;
        }
        {
            let $b = v_fma_f32(a, b, v(7), v(8)).neg(1).clamp();
            each($end)?;
        }
        {
            let $b = s_add_u32(scalars, scalars, 64u32);
            each($end)?;
        }
        {
            let $b = s_load_b64(sgpr!(4..=5), sgpr!(0..=1), NULL, 16);
            each($end)?;
        }
        {
            let $b = global_load_b32(a, b, sgpr!(4..=5)).offset(16);
            each($end)?;
        }
        {
            let $b = ds_load_b32(a, b).offset(16);
            each($end)?;
        }
    }};
}

fn checked(count: usize) -> Result<()> {
    for n in 0..count / 6 {
        let n = black_box(n as u8);
        mix!(n, b => b.build(Wave::W32));
    }
    Ok(())
}

fn unchecked(count: usize) -> Result<()> {
    for n in 0..count / 6 {
        let n = black_box(n as u8);
        mix!(n, b => b.build_unchecked(Wave::W32));
    }
    Ok(())
}

impl Builders {
    pub fn new() -> Self {
        let times = |what: &str| Times::new(what, COUNT as f64 / 1e6, "M/s");
        Builders {
            ours: OURS.map(|(_, what, _)| times(what)),
            others: x86::BUILDERS.iter().map(|(what, _)| times(what)).collect(),
        }
    }

    pub fn round(&mut self) -> Result<()> {
        let works = || OURS.iter().map(|(_, _, work)| *work).chain(x86::BUILDERS.iter().map(|(_, work)| *work));
        // An error shows at once: each is run before it is measured.
        works().try_for_each(|work| work(COUNT))?;
        for (times, work) in self.ours.iter_mut().chain(&mut self.others).zip(works()) {
            times.take(|| {
                let _ = black_box(work(COUNT));
            });
        }
        Ok(())
    }

    pub fn print(&self) {
        self.ours.iter().for_each(Times::print);
        for ((ours, other), goal) in
            self.ours.iter().zip(&self.others).zip(["goal: 20 M/s, ahead", "goal: 50 M/s, ahead"])
        {
            other.print();
            ours.against(other, goal);
        }
        println!();
    }
}

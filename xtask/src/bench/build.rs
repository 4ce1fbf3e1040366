//! Measurements of building instructions: typed builders, checked and unchecked, and those of iced-x86.

use std::hint::black_box;

use anyhow::Result;
use iced_x86::code_asm::{CodeAssembler, dword_ptr, eax, ecx, edx, rdi, rsi};
use iced_x86::{Code, Encoder, Instruction, Register};
use rdna3::build::*;
use rdna3::{Instr, Wave};

use super::Times;

/// How many instructions a round builds.
pub const COUNT: usize = 60_000;

/// A way to build the instructions: the name for `--work`, the description, and the work.
type Building = (&'static str, &'static str, fn() -> Result<()>);

/// The measurements of our builders.
pub const OURS: [Building; 2] =
    [("build", "build with typed builders", checked), ("build-unchecked", "build unchecked", unchecked)];

/// The times of the builders.
pub struct Builders {
    ours: [Times; 2],
    iced: [Times; 2],
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

fn checked() -> Result<()> {
    for n in 0..COUNT / 6 {
        let n = black_box(n as u8);
        mix!(n, b => b.build(Wave::W32));
    }
    Ok(())
}

fn unchecked() -> Result<()> {
    for n in 0..COUNT / 6 {
        let n = black_box(n as u8);
        mix!(n, b => b.build_unchecked(Wave::W32));
    }
    Ok(())
}

/// Builds as many x86 instructions with the assembler of iced-x86, which checks operands by their types.
fn code_assembler() -> Result<()> {
    let mut code = CodeAssembler::new(64)?;
    for n in 0..COUNT / 6 {
        let n = black_box(n as i32);
        code.add(eax, ecx)?;
        code.imul_3(edx, eax, n)?;
        code.sub(ecx, n)?;
        code.mov(eax, dword_ptr(rdi + 16))?;
        code.mov(dword_ptr(rsi + 16), edx)?;
        code.xor(edx, edx)?;
    }
    black_box(code.assemble(0)?);
    Ok(())
}

/// Builds and encodes as many x86 instructions from codes and operands.
fn with2() -> Result<()> {
    let mut encoder = Encoder::new(64);
    for n in 0..COUNT / 2 {
        let n = black_box(n as i32);
        encoder.encode(&Instruction::with2(Code::Add_r32_rm32, Register::EAX, Register::ECX)?, 0)?;
        encoder.encode(&Instruction::with2(Code::Sub_rm32_imm32, Register::ECX, n)?, 0)?;
    }
    black_box(encoder.take_buffer());
    Ok(())
}

impl Builders {
    pub fn new() -> Self {
        let times = |what: &str| Times::new(what, COUNT as f64 / 1e6, "M/s");
        Builders {
            ours: OURS.map(|(_, what, _)| times(what)),
            iced: ["iced-x86's CodeAssembler", "iced-x86's with2 and Encoder"].map(times),
        }
    }

    pub fn round(&mut self) -> Result<()> {
        let [checked, unchecked] = OURS.map(|(_, _, work)| work);
        let works: [fn() -> Result<()>; 4] = [checked, unchecked, code_assembler, with2];
        // An error shows at once: each is run before it is measured.
        works.into_iter().try_for_each(|work| work())?;
        for (times, work) in self.ours.iter_mut().chain(&mut self.iced).zip(works) {
            times.take(|| {
                let _ = black_box(work());
            });
        }
        Ok(())
    }

    pub fn print(&self) {
        for ((ours, iced), goal) in self.ours.iter().zip(&self.iced).zip(["goal: 20 M/s, ahead", "goal: 50 M/s, ahead"])
        {
            ours.print();
            ours.against(iced, goal);
            iced.print();
        }
        println!();
    }
}

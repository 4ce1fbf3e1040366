//! What crates for x86 do at the like: they decode this very program, and build as many instructions as we do. They take a minute of
//! processor time to compile: `cargo xtask` enables them with the feature `x86`, and builds of the workspace leave them out.

use std::hint::black_box;

use anyhow::Result;
use iced_x86::code_asm::{CodeAssembler, dword_ptr, eax, ecx, edx, rdi, rsi};
use iced_x86::{Code, Encoder, Instruction, Register};
use yaxpeax_arch::{Decoder as _, LengthedInstruction, U8Reader};

use super::{OtherBuilder, OtherDecoder};

/// The decoders.
pub const DECODERS: [OtherDecoder; 2] = [("iced-x86 on x86 code", iced), ("yaxpeax-x86 on x86 code", yaxpeax)];

/// The ways to build instructions.
pub const BUILDERS: [OtherBuilder; 2] =
    [("iced-x86's CodeAssembler", code_assembler), ("iced-x86's with2 and Encoder", with2)];

fn iced(code: &[u8]) {
    let mut decoder = iced_x86::Decoder::new(64, code, iced_x86::DecoderOptions::NONE);
    let mut instr = iced_x86::Instruction::default();
    while decoder.can_decode() {
        decoder.decode_out(&mut instr);
        black_box(&instr);
    }
}

fn yaxpeax(code: &[u8]) {
    let decoder = yaxpeax_x86::amd64::InstDecoder::default();
    let mut instr = yaxpeax_x86::amd64::Instruction::default();
    let mut at = 0;
    while let Some(rest) = code.get(at..).filter(|rest| !rest.is_empty()) {
        at += match decoder.decode_into(&mut instr, &mut U8Reader::new(rest)) {
            Ok(()) => {
                black_box(&instr);
                instr.len().to_const() as usize
            }
            Err(_) => 1,
        };
    }
}

/// Builds x86 instructions with the assembler of iced-x86, which checks operands by their types.
fn code_assembler(count: usize) -> Result<()> {
    let mut code = CodeAssembler::new(64)?;
    for n in 0..count / 6 {
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

/// Builds and encodes x86 instructions from codes and operands.
fn with2(count: usize) -> Result<()> {
    let mut encoder = Encoder::new(64);
    for n in 0..count / 2 {
        let n = black_box(n as i32);
        encoder.encode(&Instruction::with2(Code::Add_r32_rm32, Register::EAX, Register::ECX)?, 0)?;
        encoder.encode(&Instruction::with2(Code::Sub_rm32_imm32, Register::ECX, n)?, 0)?;
    }
    black_box(encoder.take_buffer());
    Ok(())
}

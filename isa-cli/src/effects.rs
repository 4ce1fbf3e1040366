//! `isa effects`: the registers that instructions read and write.

use std::fmt::Write as _;
use std::io::{self, BufWriter};
use std::path::PathBuf;
use std::process::ExitCode;

use amdgpu_arch::hex::Accept;
use amdgpu_arch::{Reader, TargetSelection};
use amdgpu_report::write_effects;
use rdna3::Wave;

use crate::arguments::wave_parser;
use crate::dis::decode_line;
use crate::failure::Failure;
use crate::{input, lines};

/// The arguments of `isa effects`.
#[derive(clap::Args)]
#[command(after_help = "A line of hex in, a line out: the registers read, the registers written and further facts, \
    separated by tabs; or `error: …`. `partial=` names the registers that are written in part or not in every case, \
    whose old value is therefore read; `load=` and `store=` name address spaces. `src_scc` is SCC read as an operand, `scc` SCC that the \
    instruction reads by itself.\n\
    Exit status: 0 for lines of any contents, 1 for a file that cannot be read, 2 for wrong usage.")]
pub struct Args {
    /// File with a line of hex for each instruction, in the forms of `isa dis --hex`; `-` is standard input
    file: PathBuf,
    /// Instruction set: rdna3, rdna3.5, rdna4, gcn1.0, gcn1.1, gcn1.2, gcn1.4, or LLVM's name of a processor that has one of them
    #[arg(long, visible_alias = "mcpu", value_parser = TargetSelection::parse)]
    arch: TargetSelection,
    /// Work-items of a wave
    #[arg(long, value_name = "32|64", value_parser = wave_parser(), default_value = "32")]
    wave: Wave,
    /// FILE holds a line of hex for each instruction: a line in, a line out
    #[arg(long, required = true)]
    hex: bool,
    /// Accept also instructions with a reserved code
    #[arg(long)]
    lenient: bool,
}

/// Runs `isa effects`.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    let reader = Reader::new(args.arch.arch, args.wave);
    let mut out = BufWriter::new(io::stdout());
    let file = input::open(&args.file)?;
    lines::answer(&input::name(&args.file), file, &mut out, |line, said| {
        let accept = if args.lenient { Accept::ReservedCodes } else { Accept::Decodable };
        match decode_line(line, reader, accept) {
            Ok(instr) => write_effects(&instr, said),
            // Writing to a String does not fail.
            Err(why) => drop(write!(said, "error: {why}")),
        }
    })?;
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use amdgpu_arch::Arch;

    /// Returns the three columns of a line of hex.
    fn effects(line: &str, wave: Wave) -> String {
        effects_of(line, Reader::new(Arch::Rdna3, wave))
    }

    fn effects_of(line: &str, reader: Reader) -> String {
        let mut out = String::new();
        let instr = decode_line(Ok(line.as_bytes()), reader, Accept::Decodable);
        match instr {
            Ok(instr) => write_effects(&instr, &mut out),
            Err(why) => out = why,
        }
        out
    }

    #[test]
    fn registers_that_the_text_does_not_name_are_listed() {
        // s_cmov_b32 vcc_lo, s1
        assert_eq!(effects("0102eabe", Wave::W32), "s1 vcc_lo scc\tvcc_lo\tpartial=vcc_lo");
        // s_and_saveexec_b64 s[104:105], s[2:3]
        assert_eq!(effects("0221e8be", Wave::W64), "s2 s3 exec_lo exec_hi\ts104 s105 exec_lo exec_hi scc\t");
        // v_add_co_ci_u32_e32 v5, vcc_lo, s1, v2, vcc_lo
        assert_eq!(effects("01040a40", Wave::W32), "s1 vcc_lo exec_lo v2\tvcc_lo v5\t");
        // global_load_short_d16_hi v5, v[1:2], off: the low half of v5 is kept.
        let facts = "exec_lo v1 v2 v5\tv5\tpartial=v5 load=global";
        assert_eq!(effects("00008edc01007c05", Wave::W32), facts);
        // s_add_u32 s0, src_scc, s1; s_cselect_b32 s0, src_scc, s1
        assert_eq!(effects("fd010080", Wave::W32), "s1 src_scc\ts0 scc\t");
        assert_eq!(effects("fd010098", Wave::W32), "s1 scc\ts0\t");
        // s_cbranch_vccnz 0
        assert_eq!(effects("0000a4bf", Wave::W64), "vcc_lo vcc_hi pc\tpc\tpartial=pc");
    }

    #[test]
    fn gcn_is_answered_too() {
        let line = |text: &str, arch: Arch| {
            let instr = gcn::gcn1_4::Instr::parse(text, gcn::Wave::W64).unwrap_or_else(|error| panic!("{error}"));
            let bytes: String =
                instr.encode().iter().flat_map(|w| w.to_le_bytes()).map(|b| format!("{b:02x}")).collect();
            effects_of(&bytes, Reader::new(arch, Wave::W64))
        };
        let load = "s4 s5 s6 s7 s9 exec_lo exec_hi v2\tv3 v4\tload=buffer";
        assert_eq!(line("buffer_load_dwordx2 v[3:4], v2, s[4:7], s9 offen", Arch::Gcn1_4), load);
        let atomic = "s4 s5 s6 s7 exec_lo exec_hi v3\tv3\tload=buffer store=buffer";
        assert_eq!(line("buffer_atomic_add v3, off, s[4:7], 0 glc", Arch::Gcn1_4), atomic);
        assert_eq!(
            line("s_load_dwordx2 flat_scratch, s[2:3], 0x0", Arch::Gcn1_4),
            "s2 s3\tflat_scratch_lo flat_scratch_hi\tload=scalar"
        );
    }
}

//! The effects of an instruction as text.

use std::fmt::{self, Write as _};

use amdgpu_arch::Instr;
use isa::Access;
use rdna_rows::{RegisterSet, Unit};

/// Appends registers with a separator between them, SCC by the name given.
fn push_registers(registers: &RegisterSet, separator: char, scc: &str, out: &mut String) -> fmt::Result {
    for (index, register) in registers.iter().enumerate() {
        if index > 0 {
            out.push(separator);
        }
        match register {
            Unit::SCC => out.push_str(scc),
            _ => write!(out, "{register}")?,
        }
    }
    Ok(())
}

/// Appends three columns with tabs between them: the registers that an instruction reads, those that it writes, and further facts.
///
/// `partial=` names the registers that are written in part or not in every case, whose old value is therefore read; `load=` and `store=`
/// name address spaces. `src_scc` is SCC read as an operand, `scc` SCC that the instruction reads by itself.
pub fn write_effects(instr: &Instr, out: &mut String) {
    // Writing to a String does not fail.
    let _ = write_columns(instr, out);
}

fn write_columns(instr: &Instr, out: &mut String) -> fmt::Result {
    let registers = instr.register_effects();
    let scc = if registers.scc_is_operand { "src_scc" } else { "scc" };
    push_registers(&registers.read, ' ', scc, out)?;
    out.push('\t');
    push_registers(&registers.written, ' ', "scc", out)?;
    out.push('\t');
    let mut facts = Vec::new();
    if !registers.partial.is_empty() {
        let mut names = String::new();
        push_registers(&registers.partial, ',', "scc", &mut names)?;
        facts.push(format!("partial={names}"));
    }
    for (name, wanted) in [("load", Access::Read), ("store", Access::Write)] {
        let mut spaces: Vec<&str> = Vec::new();
        instr.for_each_memory_access(|space, access| {
            if (access == wanted || access == Access::ReadWrite) && !spaces.contains(&space.name()) {
                spaces.push(space.name());
            }
        });
        if !spaces.is_empty() {
            facts.push(format!("{name}={}", spaces.join(",")));
        }
    }
    out.push_str(&facts.join(" "));
    Ok(())
}

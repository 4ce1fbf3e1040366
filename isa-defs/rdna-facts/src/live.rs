//! Live registers: those that hold values which later instructions read.
//!
//! ```
//! use rdna3::{Instr, Wave, flow::Graph, live::Liveness};
//!
//! let code: Vec<Instr> = ["v_mov_b32 v0, s4", "v_add_f32 v1, v0, v0", "global_store_b32 v2, v1, s[0:1]", "s_endpgm"]
//!     .into_iter().map(str::parse).collect::<Result<_, _>>()?;
//! let live = Liveness::new(&Graph::new(&code, &[], &[]), &code, Wave::W32);
//! let names: Vec<String> = live.before(1).iter().map(|register| register.to_string()).collect();
//! assert_eq!(names, ["s0", "s1", "exec_lo", "v0", "v2"]);
//! assert_eq!(live.before(1).pressure().vector, 2);
//! # Ok::<(), rdna3::isa::ParseError>(())
//! ```

use alloc::vec;
use alloc::vec::Vec;

use rdna_rows::{Instruction, RegisterEffects, RegisterSet, Unit, Wave};

use crate::flow::Graph;

/// The live registers at each instruction of a program.
///
/// A write ends the life of a register, also where EXEC lets only some lanes write, as compilers count. Writes of a part of a register
/// do not. The program counter, MODE and STATUS do not count. What a called function reads, or the caller after a return, is not known and does not count.
#[derive(Debug)]
pub struct Liveness(Vec<RegisterSet>);

impl Liveness {
    /// Finds the live registers of a program from the effects of its instructions.
    #[must_use]
    pub fn new<I: Instruction>(graph: &Graph, instrs: &[I], wave: Wave) -> Self {
        let effects: Vec<RegisterEffects> = instrs.iter().map(|instr| instr.register_effects_in(wave)).collect();
        let mut others = RegisterSet::EMPTY;
        [Unit::PC, Unit::MODE, Unit::STATUS].into_iter().for_each(|unit| others.insert(unit));
        let mut before = vec![RegisterSet::EMPTY; instrs.len()];
        // From the last block, since most edges go forward.
        let mut work: Vec<usize> = (0..graph.blocks.len()).collect();
        let mut waits = vec![true; graph.blocks.len()];
        while let Some(index) = work.pop() {
            waits[index] = false;
            let block = &graph.blocks[index];
            let mut live = RegisterSet::EMPTY;
            for &next in &block.successors {
                if let Some(of_next) = before.get(graph.blocks[next].range.start) {
                    live.extend(of_next);
                }
            }
            for at in block.range.clone().rev() {
                let (Some(effects), Some(before)) = (effects.get(at), before.get_mut(at)) else { continue };
                let mut ended = effects.written;
                ended.remove(&effects.partial);
                live.remove(&ended);
                live.extend(&effects.read);
                live.remove(&others);
                if at == block.range.start && *before != live {
                    for &previous in &block.predecessors {
                        if !core::mem::replace(&mut waits[previous], true) {
                            work.push(previous);
                        }
                    }
                }
                *before = live;
            }
        }
        Liveness(before)
    }

    /// Returns the registers that are live before an instruction. None are at an index that the program does not have.
    #[must_use]
    pub fn before(&self, at: usize) -> &RegisterSet {
        self.0.get(at).unwrap_or(&RegisterSet::EMPTY)
    }
}

#[cfg(test)]
mod tests {
    use std::string::{String, ToString};

    use rdna_rows::Instr;

    use super::*;

    fn live(text: &str) -> Vec<String> {
        let code: Vec<Instr> =
            text.lines().map(|line| line.parse().unwrap_or_else(|e| panic!("{line}: {e}"))).collect();
        let live = Liveness::new(&Graph::new(&code, &[], &[]), &code, Wave::W32);
        let names = |at| live.before(at).iter().map(|r| r.to_string()).filter(|r| r != "exec_lo");
        (0..code.len()).map(|at| names(at).collect::<Vec<_>>().join(" ")).collect()
    }

    #[test]
    fn a_value_lives_from_its_write_to_its_last_read() {
        assert_eq!(
            live("v_mov_b32 v0, s4\nv_add_f32 v1, v0, v0\nds_store_b32 v2, v1\ns_endpgm"),
            ["s4 v2", "v0 v2", "v1 v2", ""]
        );
    }

    #[test]
    fn loops_keep_what_the_next_turn_reads() {
        // s4 is read at the head of the loop, and written before it.
        let code = "s_mov_b32 s4, 0\ns_add_i32 s5, s4, s6\ns_cbranch_scc1 0xfffe\ns_endpgm";
        assert_eq!(live(code), ["s6", "s4 s6", "s4 s6 scc", ""]);
    }

    #[test]
    fn a_write_of_a_part_keeps_the_rest() {
        assert_eq!(live("ds_load_u16_d16 v1, v0\nds_store_b32 v2, v1\ns_endpgm"), ["v0 v1 v2", "v1 v2", ""]);
        assert_eq!(live("s_cmov_b32 s1, s2\ns_mov_b32 s3, s1\ns_endpgm")[0], "s1 s2 scc");
    }
}

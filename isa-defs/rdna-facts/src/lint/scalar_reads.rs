//! The scalar registers that vector instructions have read, at each block of a program.

use alloc::vec;
use alloc::vec::Vec;

use rdna_rows::isa::body::State;
use rdna_rows::{Instruction, ScalarRereads};

use super::facts::Fact;
use super::span::Span;
use super::{Certainty, Program};
use crate::flow::Block;

/// Sets of pairs of scalar registers, a bit for each pair, in the order of their codes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Read {
    /// Vector instructions have read a register of these pairs on all paths.
    certain: u64,
    /// They may have, on some path or in a callee.
    possible: u64,
}

impl Read {
    const NOTHING: Read = Read { certain: 0, possible: 0 };
    /// What a function has read, when it begins: what its caller has.
    const FUNCTION: Read = Read { certain: 0, possible: !0 };
    /// What a block has read before any path to it is known.
    const UNREACHED: Read = Read { certain: !0, possible: 0 };

    /// Executes an instruction.
    fn step(&mut self, fact: &Fact) {
        if fact.is_call {
            self.possible = !0;
        }
        if !fact.unit.is_vector() {
            return;
        }
        for read in fact.uses.iter().filter(|u| u.reads && !u.span.is_vector()) {
            let pairs = pairs(read.span);
            self.certain |= pairs;
            self.possible |= pairs;
        }
    }
}

/// The bits of the pairs that a span has a part of.
fn pairs(span: Span) -> u64 {
    (span.first() / 2..span.end().div_ceil(2)).filter(|pair| *pair < 64).fold(0, |bits, pair| bits | 1 << pair)
}

/// Returns for each block whether a jump to an address in registers can follow. Functions return by one; kernels end the wave.
fn returning<I: Instruction>(program: &Program<I>) -> Vec<bool> {
    let blocks = &program.graph.blocks;
    let jumps = |instr: &I| instr.branch_offset().is_none() && instr.body_effects().writes(State::Pc);
    let last = |block: &Block| block.range.end.checked_sub(1).and_then(|at| program.instrs.get(at));
    let mut returns: Vec<bool> = blocks.iter().map(|block| block.leaves && last(block).is_some_and(jumps)).collect();
    let mut left: Vec<usize> = (0..blocks.len()).filter(|&block| returns[block]).collect();
    while let Some(block) = left.pop() {
        for &before in &blocks[block].predecessors {
            if !core::mem::replace(&mut returns[before], true) {
                left.push(before);
            }
        }
    }
    returns
}

/// What vector instructions have read where each block begins.
pub(super) struct ScalarReads(Vec<Read>);

impl ScalarReads {
    /// Follows the paths of a program. Without blocks for generations whose hazards do not depend on it.
    pub fn new<I: Instruction>(program: &Program<I>, rereads: ScalarRereads) -> Self {
        let blocks = &program.graph.blocks;
        if rereads != ScalarRereads::Pair {
            return ScalarReads(Vec::new());
        }
        let returns = returning(program);
        let mut starts = vec![Read::UNREACHED; blocks.len()];
        let mut ends = starts.clone();
        loop {
            let mut has_changed = false;
            for (index, block) in blocks.iter().enumerate() {
                let begins = block.is_entry || block.predecessors.is_empty();
                let first = match (begins, returns[index]) {
                    (false, _) => Read::UNREACHED,
                    (true, true) => Read::FUNCTION,
                    (true, false) => Read::NOTHING,
                };
                let start = block.predecessors.iter().fold(first, |all, &before| Read {
                    certain: all.certain & ends[before].certain,
                    possible: all.possible | ends[before].possible,
                });
                let mut end = start;
                block.range.clone().filter_map(|at| program.facts.get(at)).for_each(|fact| end.step(fact));
                has_changed |= (starts[index], ends[index]) != (start, end);
                (starts[index], ends[index]) = (start, end);
            }
            if !has_changed {
                return ScalarReads(starts);
            }
        }
    }

    /// Returns how certain it is that a vector instruction before the instruction `at` of a block has read one of the pairs.
    pub fn before<I: Instruction>(&self, program: &Program<I>, block: usize, at: usize, of: Span) -> Option<Certainty> {
        let mut read = *self.0.get(block)?;
        let start = program.graph.blocks.get(block)?.range.start;
        (start..at).filter_map(|at| program.facts.get(at)).for_each(|fact| read.step(fact));
        match pairs(of) {
            wanted if read.certain & wanted != 0 => Some(Certainty::Certain),
            wanted if read.possible & wanted != 0 => Some(Certainty::Possible),
            _ => None,
        }
    }
}

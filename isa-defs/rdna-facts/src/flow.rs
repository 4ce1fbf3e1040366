//! Control flow: basic blocks, their edges and their post-dominators (guide §5.1, §16.5).
//!
//! ```
//! use rdna3::{Instr, flow::Graph};
//!
//! let code: Vec<Instr> = ["s_cbranch_scc1 1", "s_nop 0", "s_endpgm"].into_iter().map(str::parse).collect::<Result<_, _>>()?;
//! let graph = Graph::new(&code, &[], &[]);
//! assert_eq!(graph.blocks.iter().map(|block| block.range.start).collect::<Vec<_>>(), [0, 1, 2]);
//! assert_eq!(graph.blocks[2].predecessors, [0, 1]);
//! # Ok::<(), rdna3::isa::ParseError>(())
//! ```

use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use rdna_rows::{Format, Instruction, flags, isa};

/// A basic block: instructions that are entered at the first and left at the last.
#[derive(Debug)]
#[non_exhaustive]
pub struct Block {
    /// The indices of its instructions.
    pub range: Range<usize>,
    /// The indices of the blocks that may follow.
    pub successors: Vec<usize>,
    /// The indices of the blocks that it may follow.
    pub predecessors: Vec<usize>,
    /// Whether execution may begin here: kernels and functions.
    pub is_entry: bool,
    /// Whether control may go from the end of the block to a place outside the program, or to none.
    pub leaves: bool,
    /// The immediate post-dominator: the nearest block that every path from here to an end goes through. `None` if the
    /// paths meet at the end only.
    pub post_dominator: Option<usize>,
}

/// The basic blocks of a program, in its order.
#[derive(Debug)]
#[non_exhaustive]
pub struct Graph {
    /// The blocks.
    pub blocks: Vec<Block>,
}

/// Where control goes after an instruction.
#[derive(Clone, Copy)]
struct Exit {
    /// The next instruction.
    falls: bool,
    /// The target of a branch.
    target: Option<usize>,
    /// A place that is not known, or none.
    leaves: bool,
}

const FALLS: Exit = Exit { falls: true, target: None, leaves: false };
const LEAVES: Exit = Exit { falls: false, target: None, leaves: true };

impl Graph {
    /// Finds the blocks. `entries` are the indices, besides 0, at which execution may begin: kernels and functions. `unresolved` are
    /// indices of branches whose targets are not known, in order. A branch out of the instructions leaves the program.
    #[must_use]
    pub fn new<I: Instruction>(instrs: &[I], entries: &[usize], unresolved: &[usize]) -> Self {
        let mut offsets = Vec::with_capacity(instrs.len() + 1);
        let mut at = 0i64;
        for instr in instrs {
            offsets.push(at);
            at += instr.dword_count() as i64;
        }
        offsets.push(at);
        let exit_of = |(i, instr)| exit(i, instr, &offsets, unresolved.binary_search(&i).is_ok());
        let exits: Vec<Exit> = instrs.iter().enumerate().map(exit_of).collect();
        let mut starts = vec![false; instrs.len() + 1];
        let mut is_entry = vec![false; instrs.len() + 1];
        for &at in entries.iter().chain(&[0]).filter(|&&at| at < instrs.len()) {
            (starts[at], is_entry[at]) = (true, true);
        }
        for (i, exit) in exits.iter().enumerate() {
            if let Some(target) = exit.target {
                starts[target] = true;
            }
            starts[i + 1] |= !exit.falls || exit.target.is_some() || exit.leaves;
        }
        let mut blocks: Vec<Block> = Vec::new();
        // The block of each instruction.
        let mut of = vec![0; instrs.len()];
        for i in 0..instrs.len() {
            if starts[i] {
                blocks.push(Block {
                    range: i..i,
                    successors: Vec::new(),
                    predecessors: Vec::new(),
                    is_entry: is_entry[i],
                    leaves: false,
                    post_dominator: None,
                });
            }
            of[i] = blocks.len() - 1;
            if let Some(block) = blocks.last_mut() {
                block.range.end = i + 1;
            }
        }
        for b in 0..blocks.len() {
            let last = blocks[b].range.end - 1;
            let exit = exits[last];
            let next = of.get(last + 1).copied().filter(|_| exit.falls);
            let successors: Vec<usize> = exit.target.map(|t| of[t]).into_iter().chain(next).collect();
            for &to in &successors {
                blocks[to].predecessors.push(b);
            }
            blocks[b].leaves = exit.leaves || exit.falls && next.is_none();
            blocks[b].successors = successors;
        }
        let mut graph = Graph { blocks };
        graph.find_post_dominators();
        graph
    }

    /// Finds the immediate post-dominators with the algorithm of Cooper, Harvey and Kennedy. Blocks that reach no end have
    /// none.
    fn find_post_dominators(&mut self) {
        let n = self.blocks.len();
        // The number of a virtual block that all ends go to.
        let end = n;
        let mut order = Vec::with_capacity(n + 1);
        let mut number = vec![usize::MAX; n + 1];
        // Depth first along the edges backwards, from the end.
        let exits: Vec<usize> = (0..n).filter(|&b| self.blocks[b].leaves).collect();
        let mut seen = vec![false; n + 1];
        seen[end] = true;
        let mut stack = vec![(end, 0)];
        while let Some((b, i)) = stack.pop() {
            let before = if b == end { &exits } else { &self.blocks[b].predecessors };
            match before.get(i) {
                Some(&p) => {
                    stack.push((b, i + 1));
                    if !seen[p] {
                        seen[p] = true;
                        stack.push((p, 0));
                    }
                }
                None => {
                    number[b] = order.len();
                    order.push(b);
                }
            }
        }
        let mut to = vec![usize::MAX; n + 1];
        to[end] = end;
        let mut changed = true;
        while changed {
            changed = false;
            for &b in order.iter().rev().filter(|&&b| b != end) {
                let block = &self.blocks[b];
                let leaves = block.leaves.then_some(&end);
                let mut new = usize::MAX;
                for &s in block.successors.iter().chain(leaves).filter(|&&s| to[s] != usize::MAX) {
                    new = if new == usize::MAX { s } else { nearest_common(&to, &number, new, s) };
                }
                if new != to[b] {
                    to[b] = new;
                    changed = true;
                }
            }
        }
        for (b, block) in self.blocks.iter_mut().enumerate() {
            block.post_dominator = Some(to[b]).filter(|&t| t < end);
        }
    }
}

/// The nearest common ancestor in the tree of post-dominators.
fn nearest_common(to: &[usize], number: &[usize], mut a: usize, mut b: usize) -> usize {
    while a != b {
        while number[a] < number[b] {
            a = to[a];
        }
        while number[b] < number[a] {
            b = to[b];
        }
    }
    a
}

fn exit<I: Instruction>(at: usize, instr: &I, offsets: &[i64], is_unresolved: bool) -> Exit {
    let opcode = instr.opcode();
    if instr.body_effects().saves_pc() {
        return FALLS;
    }
    if let Some(offset) = instr.branch_offset() {
        let to = offsets.get(at + 1).map(|end| end + i64::from(offset)).filter(|_| !is_unresolved);
        let target = to.and_then(|to| offsets.binary_search(&to).ok()).filter(|&t| t + 1 < offsets.len());
        return Exit {
            falls: isa::facts::is_conditional_branch::<I::Generation>(opcode),
            target,
            leaves: target.is_none(),
        };
    }
    let stops = instr.microcode() == Format::Illegal || instr.flags() & flags::CODE_END != 0;
    if stops || isa::facts::is_terminator::<I::Generation>(opcode) { LEAVES } else { FALLS }
}

//! Control flow: runs of instructions and the ways between them.

use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use rdna3_rows::{Instr, Opcode, words};

/// Instructions that are executed one behind the other, entered at the first and left at the last.
#[derive(Debug)]
pub(super) struct Block {
    pub range: Range<usize>,
    /// The blocks that may come next.
    pub next: Vec<usize>,
    /// The blocks that may come before.
    pub before: Vec<usize>,
    /// Execution may come here from outside.
    pub entry: bool,
    /// The nearest block that every way from here to an end goes through; none where there is no such block.
    after_all: Option<usize>,
}

/// The blocks of a program, in its order.
#[derive(Debug)]
pub(super) struct Graph {
    pub blocks: Vec<Block>,
}

/// What comes behind an instruction.
enum Exit {
    /// The next one.
    Falls,
    /// The target, and the next one if `falls`.
    Branches { target: Option<usize>, falls: bool },
    /// Nothing, or something that is not known.
    Leaves,
}

impl Graph {
    pub fn new(instrs: &[Instr], entries: &[usize]) -> Self {
        let mut offsets = Vec::with_capacity(instrs.len() + 1);
        let mut at = 0i64;
        for instr in instrs {
            offsets.push(at);
            at += instr.len() as i64;
        }
        offsets.push(at);
        let exits: Vec<Exit> = instrs.iter().enumerate().map(|(i, instr)| exit(i, instr, &offsets)).collect();
        let mut starts = vec![false; instrs.len() + 1];
        for &at in entries.iter().chain(&[0]) {
            if let Some(start) = starts.get_mut(at) {
                *start = true;
            }
        }
        for (i, exit) in exits.iter().enumerate() {
            if let Exit::Branches { target: Some(target), .. } = exit {
                starts[*target] = true;
            }
            starts[i + 1] |= !matches!(exit, Exit::Falls);
        }
        let mut blocks: Vec<Block> = Vec::new();
        // The block that each instruction is in.
        let mut of = vec![0; instrs.len()];
        for i in 0..instrs.len() {
            if starts[i] {
                let entry = i == 0 || entries.contains(&i);
                blocks.push(Block { range: i..i, next: Vec::new(), before: Vec::new(), entry, after_all: None });
            }
            of[i] = blocks.len() - 1;
            if let Some(block) = blocks.last_mut() {
                block.range.end = i + 1;
            }
        }
        for b in 0..blocks.len() {
            let last = blocks[b].range.end - 1;
            let fall = |falls: bool| if falls { of.get(last + 1).copied() } else { None };
            let next: Vec<usize> = match exits[last] {
                Exit::Falls => fall(true).into_iter().collect(),
                Exit::Branches { target, falls } => target.map(|t| of[t]).into_iter().chain(fall(falls)).collect(),
                Exit::Leaves => Vec::new(),
            };
            for &to in &next {
                blocks[to].before.push(b);
            }
            blocks[b].next = next;
        }
        let mut graph = Graph { blocks };
        graph.find_after_all();
        graph
    }

    /// Whether every way from `from` to an end goes through `to`.
    pub fn always_reaches(&self, from: usize, to: usize) -> bool {
        let mut at = Some(from);
        while let Some(block) = at {
            if block == to {
                return true;
            }
            at = self.blocks[block].after_all;
        }
        false
    }

    /// The immediate post-dominators, by Cooper, Harvey and Kennedy's way. Blocks from which no end can be reached have
    /// none.
    fn find_after_all(&mut self) {
        let n = self.blocks.len();
        // The last number stands for the end itself.
        let end = n;
        let mut order = Vec::with_capacity(n + 1);
        let mut number = vec![usize::MAX; n + 1];
        // Depth first along the edges backwards, from the end.
        let exits: Vec<usize> = (0..n).filter(|&b| self.blocks[b].next.is_empty()).collect();
        let mut seen = vec![false; n + 1];
        seen[end] = true;
        let mut stack = vec![(end, 0)];
        while let Some((b, i)) = stack.pop() {
            let before = if b == end { &exits } else { &self.blocks[b].before };
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
                let next = &self.blocks[b].next;
                let nexts = if next.is_empty() { &[end][..] } else { next };
                let mut new = usize::MAX;
                for &s in nexts.iter().filter(|&&s| to[s] != usize::MAX) {
                    new = if new == usize::MAX { s } else { meet(&to, &number, new, s) };
                }
                if new != to[b] {
                    to[b] = new;
                    changed = true;
                }
            }
        }
        for (b, block) in self.blocks.iter_mut().enumerate() {
            block.after_all = Some(to[b]).filter(|&t| t < end);
        }
    }
}

fn meet(to: &[usize], number: &[usize], mut a: usize, mut b: usize) -> usize {
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

fn exit(at: usize, instr: &Instr, offsets: &[i64]) -> Exit {
    let row = instr.row_words();
    if let Some(offset) = instr.branch_offset() {
        if row & words::CALL != 0 {
            return Exit::Falls;
        }
        let to = offsets.get(at + 1).map(|behind| behind + i64::from(offset));
        let target = to.and_then(|to| offsets.binary_search(&to).ok()).filter(|&t| t + 1 < offsets.len());
        return Exit::Branches { target, falls: row & words::CONDITIONAL != 0 };
    }
    let stops = matches!(instr, Instr::Illegal(_)) || instr.opcode() == Opcode::S_CODE_END;
    if stops || row & (words::ENDS | words::JUMP) != 0 { Exit::Leaves } else { Exit::Falls }
}

//! The search for hazards along the paths of a program.

use alloc::collections::BTreeSet;
use alloc::vec;
use alloc::vec::Vec;

use rdna_rows::{Generation, Instruction};

use super::hazards::{MissingWaits, Search, Verdict};
use super::scalar_reads::ScalarReads;
use super::{Certainty, Finding, Program};
use crate::counter::Kind;
use crate::flow::Block;

/// How many instructions one search may go over. A path that is longer has no finding.
const SEARCH_BUDGET: usize = 20_000;
/// How many instructions all searches of a program may go over. It bounds the time for programs with very many paths.
const BUDGET: usize = 200_000_000;

/// A place that a search has reached: all before `end` in a block.
struct Place {
    block: usize,
    end: usize,
    search: Search,
    path: Path,
}

/// What the path from a place to the instruction where the search began says about certainty.
///
/// A finding is certain if it happens whenever some edge of the path is taken, or some block of it is executed: all that
/// leads there comes from the place, and all that leaves it leads to the instruction.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Path {
    /// Every path from the block of the place leads to the instruction.
    leads: bool,
    /// The path is certain.
    is_certain: bool,
}

impl Path {
    /// Returns the path that begins in a predecessor of the block.
    fn before(self, block: &Block, predecessor: &Block) -> Self {
        let has_one_entrance = block.predecessors.len() == 1 && !block.is_entry;
        Path {
            leads: self.leads && predecessor.successors.len() == 1 && !predecessor.leaves,
            is_certain: self.leads || has_one_entrance && self.is_certain,
        }
    }
}

/// Reports hazards that are at least as certain as `least`.
pub(super) fn check<I: Instruction>(program: &Program<I>, least: Certainty, out: &mut Vec<Finding<I>>) {
    let features = I::Generation::FEATURES;
    let is_gds = |fact: &super::facts::Fact| fact.raises.iter().flatten().any(|raise| raise.kind == Kind::Gds);
    let uses_gds = program.facts.0.iter().any(is_gds);
    let reads = ScalarReads::new(program, features.hazards.scalar_rereads);
    let mut budget = BUDGET;
    let mut missing = MissingWaits::default();
    for (index, block) in program.graph.blocks.iter().enumerate() {
        for at in block.range.clone() {
            let (Some(instr), Some(fact)) = (program.instrs.get(at), program.facts.get(at)) else { return };
            Search::begin(instr, fact, features, program.wave, uses_gds, |search| {
                if search.rule.certainty() <= least {
                    let walk = Walk { program, reads: &reads, missing: &missing, budget: &mut budget };
                    let found = walk.from(index, at, search);
                    // With possible findings each use is one, too.
                    if least == Certainty::Certain {
                        found.iter().for_each(|finding| missing.add(finding));
                    }
                    out.extend(found);
                }
            });
        }
    }
}

struct Walk<'a, I> {
    program: &'a Program<I>,
    reads: &'a ScalarReads,
    /// The waits that the findings so far ask for.
    missing: &'a MissingWaits,
    budget: &'a mut usize,
}

impl<I: Instruction> Walk<'_, I> {
    /// Follows all paths backwards from an instruction and returns what they find: the most certain, and the nearest of
    /// these in the program.
    fn from(self, block: usize, at: usize, search: Search) -> Option<Finding<I>> {
        let blocks = &self.program.graph.blocks;
        let mut best: Option<Finding<I>> = None;
        let mut seen = BTreeSet::new();
        let path = Path { leads: true, is_certain: true };
        let mut places = vec![Place { block, end: at, search, path }];
        let mut left = SEARCH_BUDGET.min(*self.budget);
        'places: while let Some(Place { block, end, mut search, path }) = places.pop() {
            let range = &blocks[block].range;
            for i in (range.start..end).rev() {
                let fact = self.program.facts.get(i)?;
                let Some(rest) = left.checked_sub(1) else { break 'places };
                left = rest;
                match search.step(fact, i, self.missing) {
                    Verdict::Continue => {
                        // What has been read before is known for whole blocks.
                        if let Some((pair, certainty)) = search.first_read() {
                            if let Some(is_read) = self.reads.before(self.program, block, i, pair) {
                                self.add(at, Some(i), &search, path.limit(certainty.max(is_read)), &mut best);
                            }
                            continue 'places;
                        }
                    }
                    Verdict::Expired => continue 'places,
                    Verdict::Found(certainty) => {
                        self.add(at, Some(i), &search, path.limit(certainty), &mut best);
                        if best.is_some_and(|finding| finding.certainty == Certainty::Certain) {
                            break 'places;
                        }
                        continue 'places;
                    }
                }
            }
            let begins = blocks[block].is_entry || blocks[block].predecessors.is_empty();
            if let (true, Verdict::Found(certainty)) = (begins, search.at_start()) {
                self.add(at, None, &search, path.limit(certainty), &mut best);
            }
            for &before in &blocks[block].predecessors {
                let path = path.before(&blocks[block], &blocks[before]);
                if seen.insert((before, path, search.clone())) {
                    places.push(Place { block: before, end: blocks[before].range.end, search: search.clone(), path });
                }
            }
        }
        *self.budget -= SEARCH_BUDGET.min(*self.budget) - left;
        best
    }

    fn add(
        &self,
        at: usize,
        found: Option<usize>,
        search: &Search,
        certainty: Certainty,
        best: &mut Option<Finding<I>>,
    ) {
        let earlier = search.earlier.or(found);
        if best.is_some_and(|best| (best.certainty, best.earlier.map(|e| e.0)) <= (certainty, earlier)) {
            return;
        }
        let finding = self.program.finding(search.rule, at, earlier);
        let (dependency, registers) = (search.dependency, search.registers);
        *best = finding.map(|finding| Finding { certainty, dependency, registers, ..finding });
    }
}

impl Path {
    /// Returns how certain a finding is at most on this path.
    const fn limit(self, certainty: Certainty) -> Certainty {
        if self.is_certain { certainty } else { Certainty::Possible }
    }
}

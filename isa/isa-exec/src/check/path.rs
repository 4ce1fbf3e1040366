//! Hazards: rules about the instructions that a wave executes after each other.
//!
//! The rules look at the last instructions of a wave. Their results are kept by a hash of the addresses of these instructions,
//! which a shift for each instruction lets forget those that are too far back. In loops only the first iterations are checked.

use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;

use crate::check::Checker;
use crate::check::facts::{Broken, LONGEST_SEQUENCE, MULTIPLIER, Sequenced, next_hash};
use crate::check::finding::{Finding, Kind, Other, Place};
use crate::step::{Block, Checked};
use crate::wave::Wave;

/// The least and the most slots for results: a power of two, of which at most half are used.
const SLOTS: [usize; 2] = [1 << 10, 1 << 16];

/// Instructions that a wave has executed together: one, or those of a block.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
struct Part {
    /// The address of the first one.
    pc: u64,
    count: u32,
}

/// The last instructions of a wave.
#[derive(Debug)]
pub(super) struct Path {
    hash: u64,
    /// The last parts, in a ring.
    recent: [Part; LONGEST_SEQUENCE],
    /// How many parts there were.
    parts: u64,
}

impl Default for Path {
    fn default() -> Self {
        Path { hash: MULTIPLIER, recent: [Part::default(); LONGEST_SEQUENCE], parts: 0 }
    }
}

impl Path {
    /// Adds a part, whose own hash is that of its instructions after a hash of zero. Returns the hash of the part and of what is
    /// before it.
    #[inline]
    fn push(&mut self, part: Part, hash: u64) -> u64 {
        let key = (self.hash.rotate_left(32) ^ u64::from(part.count)).wrapping_mul(MULTIPLIER) ^ hash;
        self.hash = self.hash.checked_shl(part.count).unwrap_or(0) ^ hash;
        self.recent[self.parts as usize % LONGEST_SEQUENCE] = part;
        self.parts = self.parts.saturating_add(1);
        key
    }

    /// Forgets the last part. `before` is the hash without it.
    fn pop(&mut self, before: u64) {
        self.hash = before;
        self.parts = self.parts.saturating_sub(1);
    }

    /// The last parts, the latest first, and whether there were no others.
    fn latest(&self) -> (impl Iterator<Item = Part>, bool) {
        let first = self.parts.saturating_sub(LONGEST_SEQUENCE as u64);
        let parts = (first..self.parts).rev().map(|n| self.recent[n as usize % LONGEST_SEQUENCE]);
        (parts, first == 0)
    }
}

/// An instruction and its address.
type Instruction = (u64, Arc<dyn Sequenced>);

/// What is known of sequences of instructions.
#[derive(Debug)]
pub(super) struct Hazards {
    /// Results: that of a hash is in the slot of its number or in one of those after it, before the first that is not used.
    slots: Vec<Slot>,
    /// How many slots are used.
    used: usize,
    /// The instructions that were executed.
    instructions: BTreeMap<Part, Vec<Instruction>>,
    /// The end of the path that the rules have looked at last: straight-line code goes on from there.
    window: Window,
    /// The rules that were broken, for each sequence.
    broken: Vec<Vec<Hazard>>,
}

/// The last instructions of a path.
#[derive(Debug, Default)]
struct Window {
    /// The hash of the path.
    hash: u64,
    instructions: Vec<Instruction>,
    /// Whether the wave has executed no others.
    is_whole: bool,
}

/// A result of the rules.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    /// The hash of the sequence; 0: the slot is not used.
    hash: u64,
    /// One more than the index of the rules that were broken; 0: none.
    broken: u32,
}

/// A rule that was broken, and the addresses of the instructions.
#[derive(Clone, Debug)]
struct Hazard {
    pc: u64,
    earlier: Option<u64>,
    broken: Broken,
}

impl Default for Hazards {
    fn default() -> Self {
        Hazards {
            slots: vec![Slot::default(); SLOTS[0]],
            used: 0,
            instructions: BTreeMap::new(),
            window: Window::default(),
            broken: Vec::new(),
        }
    }
}

impl Hazards {
    /// The instructions of a path without its last part.
    fn window_of(&self, path: &Path) -> Window {
        let (parts, mut is_whole) = path.latest();
        let mut instructions: Vec<Instruction> = Vec::new();
        for part in parts.skip(1) {
            // Instructions before those that are not known, or that are too far back, are left out.
            let known = self.instructions.get(&part).filter(|_| instructions.len() < LONGEST_SEQUENCE);
            is_whole &= known.is_some();
            let Some(known) = known else { break };
            instructions.extend(known.iter().rev().cloned());
        }
        instructions.reverse();
        Window { hash: 0, instructions, is_whole }
    }

    /// The index of the rules that the last part of a path breaks, plus one; 0: none. `before` is the hash of the path without it.
    #[cold]
    fn judge(&mut self, path: &Path, before: u64, part: Part, sequence: &[Instruction]) -> u32 {
        self.instructions.entry(part).or_insert_with(|| sequence.to_vec());
        if self.window.hash != before {
            self.window = self.window_of(path);
        }
        let Window { hash, instructions, is_whole } = &mut self.window;
        *hash = path.hash;
        let too_many = instructions.len().saturating_sub(LONGEST_SEQUENCE - 1);
        *is_whole &= too_many == 0;
        instructions.drain(..too_many);
        let first = instructions.len();
        instructions.extend_from_slice(sequence);
        let all: Vec<&dyn Sequenced> = instructions.iter().map(|(_, sequenced)| &**sequenced).collect();
        let address = |at: usize| instructions.get(at).map_or(part.pc, |(pc, _)| *pc);
        let broken = all.last().map(|last| last.check(&all, first, *is_whole)).unwrap_or_default();
        let hazards = broken.into_iter().map(|broken| Hazard {
            pc: address(broken.at),
            earlier: broken.earlier.map(address),
            broken,
        });
        let hazards: Vec<Hazard> = hazards.collect();
        if hazards.is_empty() {
            return 0;
        }
        self.broken.push(hazards);
        u32::try_from(self.broken.len()).unwrap_or(0)
    }

    /// The same, looked up if it is known.
    #[inline]
    fn find(&mut self, path: &mut Path, part: Part, hash: u64, sequence: &[Instruction]) -> u32 {
        let before = path.hash;
        let key = path.push(part, hash);
        match self.slots.get(self.slot(key)) {
            Some(slot) if slot.hash == key => slot.broken,
            _ => {
                let broken = self.judge(path, before, part, sequence);
                self.keep(Slot { hash: key, broken });
                broken
            }
        }
    }

    /// The index of the slot of a hash, or of the one for it.
    #[inline]
    fn slot(&self, hash: u64) -> usize {
        let mask = self.slots.len().wrapping_sub(1);
        let mut at = (hash.wrapping_mul(MULTIPLIER) >> 32) as usize & mask;
        while self.slots.get(at).is_some_and(|slot| slot.hash != hash && slot.hash != 0) {
            at = (at + 1) & mask;
        }
        at
    }

    /// Keeps a result. Where all slots that there may be are used, the others are forgotten.
    fn keep(&mut self, slot: Slot) {
        if 2 * self.used >= self.slots.len() {
            let count = (2 * self.slots.len()).min(SLOTS[1]);
            let is_larger = count > self.slots.len();
            let old = core::mem::replace(&mut self.slots, vec![Slot::default(); count]);
            self.used = 0;
            if is_larger {
                old.into_iter().filter(|slot| slot.hash != 0).for_each(|slot| self.keep(slot));
            }
        }
        let at = self.slot(slot.hash);
        if let Some(to) = self.slots.get_mut(at) {
            *to = slot;
            self.used += 1;
        }
    }
}

impl Checker {
    /// Learns of an instruction before it is executed, and checks it together with those before it.
    #[inline]
    pub(super) fn follow(&mut self, checked: &Checked, wave: &Wave) {
        let Some(instruction) = &checked.instruction else { return };
        let pc = checked.address;
        let part = Part { pc, count: 1 };
        let Some((broken, _)) = self.find_broken(part, next_hash(0, pc), core::slice::from_ref(instruction)) else {
            return;
        };
        if broken != 0 {
            self.report_broken(broken, wave);
        }
    }

    /// Learns of the instructions of a block before they are executed; `false`, without an effect, if they break a rule in lanes that are
    /// not known yet.
    #[inline]
    pub(super) fn follow_block(&mut self, block: &Block, wave: &Wave) -> bool {
        let sequence = block.sequence();
        let Some((pc, _)) = sequence.first() else { return true };
        let count = u32::try_from(sequence.len()).unwrap_or(u32::MAX);
        let Some((broken, before)) = self.find_broken(Part { pc: *pc, count }, block.hash, sequence) else {
            return true;
        };
        if broken != 0 && block.changes_lanes {
            if let Some(state) = self.state() {
                state.path.pop(before);
            }
            return false;
        }
        if broken != 0 {
            self.report_broken(broken, wave);
        }
        true
    }

    /// Adds a part to the path of the wave, and returns the rules that it breaks, and the hash of the path before.
    #[inline]
    fn find_broken(&mut self, part: Part, hash: u64, sequence: &[Instruction]) -> Option<(u32, u64)> {
        let Checker { current, wave: number, hazards, .. } = self;
        let state = current.waves.get_mut(*number)?;
        let before = state.path.hash;
        Some((hazards.find(&mut state.path, part, hash, sequence), before))
    }

    #[cold]
    fn report_broken(&mut self, broken: u32, wave: &Wave) {
        let lanes = wave.exec();
        let Some(hazards) = self.hazards.broken.get((broken - 1) as usize).cloned() else { return };
        for Hazard { pc, earlier, broken } in hazards {
            let place = Place { pc, ..self.place(lanes) };
            self.report(Finding {
                authority: broken.authority,
                count: u64::from(lanes.count_ones()).max(1),
                registers: broken.registers.list(),
                other: earlier.map(|pc| Other { place: Place { pc, ..place }, access: None }),
                ..Finding::new(Kind::Hazard, place, broken.help)
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::facts::Registers;

    /// An instruction with a number that must not follow its successor within three instructions.
    #[derive(Debug)]
    struct Numbered(u64);

    impl Sequenced for Numbered {
        fn check(&self, sequence: &[&dyn Sequenced], first: usize, begins: bool) -> Vec<Broken> {
            let number = |sequenced: &&dyn Sequenced| {
                let any: &dyn core::any::Any = *sequenced;
                any.downcast_ref::<Numbered>().map_or(0, |numbered| numbered.0)
            };
            let numbers: Vec<u64> = sequence.iter().map(number).collect();
            assert!(first < LONGEST_SEQUENCE);
            let broken_at = |at: usize| {
                let earlier = numbers[..at].iter().rposition(|number| *number == numbers[at] + 1);
                let is_broken =
                    earlier.is_some_and(|earlier| at - earlier <= 3) || begins && at == 0 && numbers[0] == 100;
                let broken = Broken { at, earlier, registers: Registers::default(), authority: None, help: "".into() };
                is_broken.then_some(broken)
            };
            (first..numbers.len()).filter_map(broken_at).collect()
        }
    }

    struct Run {
        hazards: Hazards,
        path: Path,
    }

    impl Run {
        fn new() -> Self {
            Run { hazards: Hazards::default(), path: Path::default() }
        }

        /// The pairs of addresses that break the rule.
        fn execute(&mut self, numbers: &[u64]) -> Vec<(u64, Option<u64>)> {
            let sequence: Vec<Instruction> =
                numbers.iter().map(|number| (*number, Arc::new(Numbered(*number)) as Arc<dyn Sequenced>)).collect();
            let hash = numbers.iter().fold(0, |hash, number| next_hash(hash, *number));
            let part = Part { pc: numbers[0], count: numbers.len() as u32 };
            match self.hazards.find(&mut self.path, part, hash, &sequence) {
                0 => Vec::new(),
                broken => {
                    let of = &self.hazards.broken[broken as usize - 1];
                    of.iter().map(|hazard| (hazard.pc, hazard.earlier)).collect()
                }
            }
        }
    }

    #[test]
    fn a_sequence_is_judged_by_what_was_executed_before() {
        let mut run = Run::new();
        assert_eq!(run.execute(&[5]), []);
        assert_eq!(run.execute(&[7]), []);
        assert_eq!(run.execute(&[4]), [(4, Some(5))]);
        assert_eq!(run.execute(&[9]), []);
        assert_eq!(run.execute(&[4]), [], "too far back");
    }

    #[test]
    fn what_is_known_is_found_again() {
        let mut run = Run::new();
        for _ in 0..100 {
            assert_eq!(run.execute(&[5, 8]), []);
            assert_eq!(run.execute(&[7]), [(7, Some(8))]);
        }
        let results = run.hazards.broken.len();
        // The path is the same in all iterations once it has forgotten how it began.
        assert!(results <= LONGEST_SEQUENCE, "{results}");
        for _ in 0..100 {
            run.execute(&[5, 8]);
            run.execute(&[7]);
        }
        assert_eq!(run.hazards.broken.len(), results);
    }

    #[test]
    fn results_are_kept_up_to_a_number() {
        let mut hazards = Hazards::default();
        for hash in 1..=300_000 {
            hazards.keep(Slot { hash, broken: hash as u32 });
            let found = hazards.slots[hazards.slot(hash)];
            assert_eq!((found.hash, found.broken), (hash, hash as u32));
        }
        assert_eq!(hazards.slots.len(), SLOTS[1]);
        assert!(hazards.used <= SLOTS[1] / 2);
    }

    #[test]
    fn a_part_that_is_forgotten_has_no_effect() {
        let mut run = Run::new();
        run.execute(&[6, 1]);
        let before = run.path.hash;
        assert_eq!(run.execute(&[5, 9]), [(5, Some(6))]);
        run.path.pop(before);
        assert_eq!(run.execute(&[5]), [(5, Some(6))]);
        assert_eq!(run.execute(&[8]), [], "9 was not executed");
    }

    #[test]
    fn instructions_of_a_block_follow_each_other() {
        let mut run = Run::new();
        assert_eq!(run.execute(&[6, 1, 5, 9]), [(5, Some(6))]);
        assert_eq!(run.execute(&[8, 4, 3]), [(8, Some(9)), (4, Some(5)), (3, Some(4))]);
        let long: Vec<u64> = (0..200).map(|number| 1000 + 2 * number).collect();
        assert_eq!(run.execute(&long), []);
    }

    #[test]
    fn the_first_instruction_is_known_to_be_it() {
        assert_eq!(Run::new().execute(&[100]), [(100, None)]);
        let mut run = Run::new();
        run.execute(&[1]);
        assert_eq!(run.execute(&[100]), []);
    }
}

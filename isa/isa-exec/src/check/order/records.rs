//! Accesses that later ones are compared with.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::num::NonZeroU32;

use crate::check::facts::Polling;
use crate::check::finding::AccessKind;
use crate::check::order::bytes::{Cell, TAG};
use crate::check::order::clock::{CLASSES, Clock, Known, OBSERVED, Times, join_all, raise};

/// An access of an instruction that a wave executed.
#[derive(Debug)]
pub(super) struct Record {
    /// The address of the instruction.
    pub pc: u64,
    pub lanes: u64,
    /// The number of what the wave knew, if the access can release it.
    pub knowledge: Option<NonZeroU32>,
    /// The wave's time.
    pub time: u32,
    pub group: u32,
    pub wave: u8,
    /// The class of work.
    pub class: u8,
    pub kind: AccessKind,
    pub polling: Polling,
    /// Whether all lanes' addresses are aligned to their size.
    pub is_aligned: bool,
    pub is_lds: bool,
}

impl Record {
    /// Whether a wave can observe the value, and what its wave has released then.
    pub fn is_flag(&self) -> bool {
        self.kind == AccessKind::Atomic || self.is_aligned
    }
}

/// What a wave knew before an access.
#[derive(Debug)]
struct Knowledge {
    /// Of the accesses of others.
    known: Arc<Known>,
    /// Which accesses of the wave itself were complete.
    complete: Times,
}

/// Concurrent accesses: no order between any two of them is known.
#[derive(Clone, Debug, Default)]
pub(super) struct Set {
    /// The numbers of the records, the oldest first.
    pub members: Vec<u32>,
    /// What waves of other work-groups acquire that observe the value: what members and former members have released. For atomics.
    pub released: Option<Arc<Clock>>,
}

/// The most members of a set. Of more accesses in no order, the last ones and stores are kept.
const MOST: usize = 64;

/// Marks the number of a set; other numbers are those of records.
const SET: u32 = 1 << 31;

const _: () = assert!(SET & TAG == 0);

/// A number that leaves the bits of [`SET`] and [`TAG`] free; `None` if it needs them.
fn checked_number(number: usize) -> Option<u32> {
    u32::try_from(number).ok().filter(|number| number & (SET | TAG) == 0)
}

/// The records and sets of them that cells refer to by a number; 0 is none.
#[derive(Debug)]
pub(super) struct Records {
    records: Vec<Record>,
    /// What waves knew before accesses, in the order of the records. Its numbers count from 1.
    knowledge: Vec<Knowledge>,
    sets: Vec<Set>,
    /// How many members sets have.
    members: usize,
    /// The size at which those that no cell refers to are removed.
    limit: usize,
}

/// The size, in records, below which none are removed.
const LEAST_LIMIT: usize = 1 << 12;

/// The cells beside which a record may be kept without a look at all of them: records take about half as much memory then.
const CELLS_PER_RECORD: usize = 16;

/// The members of a set that take as much memory as a record.
const MEMBERS_PER_RECORD: usize = 16;

impl Default for Records {
    fn default() -> Self {
        Records { records: Vec::new(), knowledge: Vec::new(), sets: Vec::new(), members: 0, limit: LEAST_LIMIT }
    }
}

impl Records {
    /// A record.
    pub fn get(&self, number: u32) -> Option<&Record> {
        self.records.get((number as usize).checked_sub(1)?)
    }

    /// A record, to be changed.
    pub fn get_mut(&mut self, number: u32) -> Option<&mut Record> {
        self.records.get_mut((number as usize).checked_sub(1)?)
    }

    /// Adds a record; 0 if there are too many.
    pub fn add(&mut self, record: Record) -> u32 {
        let number = checked_number(self.records.len() + 1);
        if number.is_some() {
            self.records.push(record);
        }
        number.unwrap_or(0)
    }

    /// Returns the number of what a wave knows: accesses of others, and which of the wave itself are complete.
    pub fn add_knowledge(&mut self, known: &Arc<Known>, complete: &Times) -> Option<NonZeroU32> {
        let is_same = |last: &Knowledge| Arc::ptr_eq(&last.known, known) && last.complete == *complete;
        if !self.knowledge.last().is_some_and(is_same) {
            self.knowledge.push(Knowledge { known: known.clone(), complete: *complete });
        }
        u32::try_from(self.knowledge.len()).ok().and_then(NonZeroU32::new)
    }

    /// What the wave knew before an access. `None` for a read.
    fn knowledge(&self, record: &Record) -> Option<&Knowledge> {
        self.knowledge.get(record.knowledge?.get() as usize - 1)
    }

    /// What the wave knew of others before an access. `None` for a read.
    pub fn known(&self, record: &Record) -> Option<&Known> {
        self.knowledge(record).map(|knowledge| &*knowledge.known)
    }

    /// What a wave acquires that observes the value of an access: what was complete before it, all that was issued before it of the
    /// classes that the wave sees in order, and the access itself. `None` for a read.
    pub fn release(&self, record: &Record, in_order: &[bool; CLASSES]) -> Option<Arc<Clock>> {
        let Knowledge { known, complete } = self.knowledge(record)?;
        let mut times: Vec<Times> = known.group.to_vec();
        if let Some(own) = times.get_mut(usize::from(record.wave)) {
            raise(own, complete);
            own[OBSERVED] = record.time;
            for (class, time) in own.iter_mut().enumerate() {
                // The local data share executes the accesses of a wave in their order.
                let is_seen = record.is_lds && class == usize::from(record.class);
                if is_seen || in_order.get(class) == Some(&true) {
                    *time = record.time;
                }
            }
        }
        let own = Arc::new(Clock::Group { group: record.group, times: times.into() });
        join_all(known.others.as_ref(), Some(&own))
    }

    /// The set of a number.
    fn set(&self, number: u32) -> Option<&Set> {
        if number & SET == 0 { None } else { self.sets.get((number & !SET) as usize) }
    }

    /// The numbers of the records that a number of a cell stands for.
    pub fn members(&self, number: u32) -> impl Iterator<Item = u32> + '_ {
        let of_set = self.set(number).map(|set| set.members.as_slice());
        let single = (number != 0 && number & SET == 0).then_some(number);
        of_set.unwrap_or_default().iter().copied().chain(single)
    }

    /// Returns what a wave of another work-group acquires that observes the value of atomics and stores.
    pub fn released(&self, number: u32) -> Option<Arc<Clock>> {
        match self.set(number) {
            Some(set) => set.released.clone(),
            None => {
                let record = self.get(number).filter(|record| record.is_flag())?;
                self.release(record, &[false; CLASSES])
            }
        }
    }

    /// Returns the number for some records. Of more than [`MOST`], the oldest that are not stores are forgotten.
    pub fn number(&mut self, mut set: Set) -> u32 {
        if let [member] = set.members[..] {
            // It releases what those released that it is after.
            let own = self.released(member);
            let is_all = set
                .released
                .as_ref()
                .is_none_or(|all| own.is_some_and(|own| Arc::ptr_eq(&own, &Clock::join(&own, all))));
            if is_all {
                return member;
            }
        }
        while set.members.len() > MOST {
            let is_store = |number: &u32| self.get(*number).is_some_and(|record| record.kind == AccessKind::Write);
            set.members.remove(set.members.iter().position(|number| !is_store(number)).unwrap_or(0));
        }
        self.members += set.members.len() + MEMBERS_PER_RECORD;
        self.sets.push(set);
        checked_number(self.sets.len() - 1).map_or(0, |index| index | SET)
    }

    /// The memory that they take, but for that of clocks.
    #[cfg(test)]
    pub fn bytes(&self) -> usize {
        size_of::<Record>() * self.records.len()
            + size_of::<Knowledge>() * self.knowledge.len()
            + size_of::<Set>() * self.sets.len()
            + size_of::<u32>() * self.sets.iter().map(|set| set.members.len()).sum::<usize>()
    }

    /// How many records there are.
    #[cfg(test)]
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether those that no cell refers to should be removed.
    #[inline]
    pub fn is_large(&self) -> bool {
        self.records.len() + self.members / MEMBERS_PER_RECORD >= self.limit
    }

    /// Whether those that no cell refers to should be removed although there are `cells` cells to look at.
    pub fn is_larger_than(&mut self, cells: usize) -> bool {
        self.limit = self.limit.max(cells / CELLS_PER_RECORD);
        self.is_large()
    }

    /// Removes the records and sets that none of the cells refers to that a function visits.
    pub fn shrink(&mut self, mut each: impl FnMut(&mut dyn FnMut(&mut Cell))) {
        let mut is_used = alloc::vec![false; self.records.len() + 1];
        let mut is_set_used = alloc::vec![false; self.sets.len()];
        let mut mark = |number: u32, records: &Self| {
            if number & SET == 0 {
                if let Some(used) = is_used.get_mut(number as usize) {
                    *used = true;
                }
            } else if let Some(used) = is_set_used.get_mut((number & !SET) as usize)
                && !core::mem::replace(used, true)
            {
                for member in records.members(number) {
                    if let Some(used) = is_used.get_mut(member as usize) {
                        *used = true;
                    }
                }
            }
        };
        each(&mut |cell| [cell.write, cell.read].into_iter().for_each(|number| mark(number, self)));
        let renumbered = |is_used: &[bool], first: u32| -> Vec<u32> {
            let mut next = first;
            let mut number = |used: &bool| {
                let number = next;
                next += u32::from(*used);
                number
            };
            is_used.iter().map(&mut number).collect()
        };
        // Number 0 stays 0.
        let records = renumbered(is_used.get(1..).unwrap_or_default(), 1);
        let sets = renumbered(&is_set_used, 0);
        let of_record =
            |number: u32| (number as usize).checked_sub(1).and_then(|at| records.get(at)).copied().unwrap_or(0);
        each(&mut |cell| {
            for number in [&mut cell.write, &mut cell.read] {
                *number = if *number & SET == 0 {
                    of_record(*number)
                } else {
                    sets.get((*number & !SET) as usize).map_or(0, |index| index | SET)
                };
            }
        });
        let mut used = is_used.iter().skip(1);
        self.records.retain(|_| used.next().copied().unwrap_or(false));
        let mut is_known = alloc::vec![false; self.knowledge.len()];
        for record in &self.records {
            if let Some(known) = record.knowledge.and_then(|number| is_known.get_mut(number.get() as usize - 1)) {
                *known = true;
            }
        }
        let numbers = renumbered(&is_known, 1);
        for record in &mut self.records {
            let number = record.knowledge.and_then(|number| numbers.get(number.get() as usize - 1));
            record.knowledge = number.copied().and_then(NonZeroU32::new);
        }
        let mut known = is_known.iter();
        self.knowledge.retain(|_| known.next().copied().unwrap_or(false));
        let mut used = is_set_used.iter();
        self.sets.retain(|_| used.next().copied().unwrap_or(false));
        self.members = 0;
        for set in &mut self.sets {
            set.members.iter_mut().for_each(|member| *member = of_record(*member));
            self.members += set.members.len() + MEMBERS_PER_RECORD;
        }
        let size = self.records.len() + self.members / MEMBERS_PER_RECORD;
        self.limit = size.saturating_mul(2).max(LEAST_LIMIT);
    }
}

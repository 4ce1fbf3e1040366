//! Accesses that later ones are compared with.

use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::num::NonZeroU32;

use crate::check::facts::Polling;
use crate::check::finding::AccessKind;
use crate::check::order::bytes::{Cell, TAG};
use crate::check::order::clock::{CLASSES, Clock, Known, OBSERVED, Times, join_all, raise};

/// An access of an instruction that a wave executed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Record {
    pub site: AccessSite,
    pub lanes: u64,
    /// The number of what the wave knew, if the access can release it.
    pub knowledge: Option<NonZeroU32>,
    /// The wave's time.
    pub time: u32,
    pub group: u32,
    pub wave: u8,
    /// Whether all lanes' addresses are aligned to their size.
    pub is_aligned: bool,
}

/// What the records of accesses of one instruction have in common.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct AccessSite {
    /// The address of the instruction.
    pub pc: u64,
    /// The class of work.
    pub class: u8,
    pub kind: AccessKind,
    pub polling: Polling,
    pub is_lds: bool,
}

/// A [`Record`] as it is kept. An access to single bytes has one for each 32 bytes, so that its size decides about the memory of a check.
#[derive(Debug)]
struct StoredRecord {
    /// The halves of the lanes, the low one first: no field needs to be aligned to 8 bytes.
    lanes: [u32; 2],
    /// The index of the site.
    site: u32,
    knowledge: Option<NonZeroU32>,
    time: u32,
    group: u32,
    wave: u8,
    is_aligned: bool,
}

const _: () = assert!(size_of::<StoredRecord>() == 28);

impl Record {
    /// Whether a wave can observe the value, and what its wave has released then.
    pub fn is_flag(&self) -> bool {
        self.site.kind == AccessKind::Atomic || self.is_aligned
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
    records: Vec<StoredRecord>,
    sites: Vec<AccessSite>,
    /// The index of each site.
    site_indices: BTreeMap<AccessSite, u32>,
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
        Records {
            records: Vec::new(),
            sites: Vec::new(),
            site_indices: BTreeMap::new(),
            knowledge: Vec::new(),
            sets: Vec::new(),
            members: 0,
            limit: LEAST_LIMIT,
        }
    }
}

impl Records {
    /// A record.
    pub fn get(&self, number: u32) -> Option<Record> {
        let stored = self.records.get((number as usize).checked_sub(1)?)?;
        let &StoredRecord { lanes: [low, high], site, knowledge, time, group, wave, is_aligned } = stored;
        let site = *self.sites.get(site as usize)?;
        let lanes = u64::from(high) << 32 | u64::from(low);
        Some(Record { site, lanes, knowledge, time, group, wave, is_aligned })
    }

    /// Adds lanes to a record. Returns whether there is one of that number.
    pub fn add_lanes(&mut self, number: u32, lanes: u64, is_aligned: bool) -> bool {
        let Some(stored) = (number as usize).checked_sub(1).and_then(|at| self.records.get_mut(at)) else {
            return false;
        };
        stored.lanes[0] |= lanes as u32;
        stored.lanes[1] |= (lanes >> 32) as u32;
        stored.is_aligned &= is_aligned;
        true
    }

    /// Adds a record; 0 if there are too many.
    pub fn add(&mut self, record: Record) -> u32 {
        let Some(number) = checked_number(self.records.len() + 1) else { return 0 };
        let Record { site, lanes, knowledge, time, group, wave, is_aligned } = record;
        let Some(site) = self.site_index(site) else { return 0 };
        let lanes = [lanes as u32, (lanes >> 32) as u32];
        self.records.push(StoredRecord { lanes, site, knowledge, time, group, wave, is_aligned });
        number
    }

    /// The index of a site, which is added to the sites if it is not one of them; `None` if there are too many.
    fn site_index(&mut self, site: AccessSite) -> Option<u32> {
        if let Some(index) = self.site_indices.get(&site) {
            return Some(*index);
        }
        let index = u32::try_from(self.sites.len()).ok()?;
        self.sites.push(site);
        self.site_indices.insert(site, index);
        Some(index)
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
                let is_seen = record.site.is_lds && class == usize::from(record.site.class);
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
                self.release(&record, &[false; CLASSES])
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
            let is_store = |number: &u32| self.get(*number).is_some_and(|record| record.site.kind == AccessKind::Write);
            set.members.remove(set.members.iter().position(|number| !is_store(number)).unwrap_or(0));
        }
        self.members += set.members.len() + MEMBERS_PER_RECORD;
        self.sets.push(set);
        checked_number(self.sets.len() - 1).map_or(0, |index| index | SET)
    }

    /// The memory that they take, but for that of clocks.
    #[cfg(test)]
    pub fn bytes(&self) -> usize {
        size_of::<StoredRecord>() * self.records.len()
            + size_of::<AccessSite>() * self.sites.len()
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
        let mut used = Marks::new(self.records.len());
        let mut used_sets = Marks::new(self.sets.len());
        let mut mark = |number: u32, records: &Self| {
            if number & SET == 0 {
                used.mark_number(number);
            } else if used_sets.mark((number & !SET) as usize) {
                records.members(number).for_each(|member| used.mark_number(member));
            }
        };
        each(&mut |cell| [cell.write, cell.read].into_iter().for_each(|number| mark(number, self)));
        let (used, used_sets) = (used.ranks(), used_sets.ranks());
        each(&mut |cell| {
            for number in [&mut cell.write, &mut cell.read] {
                *number = if *number & SET == 0 {
                    used.new_number(*number)
                } else {
                    used_sets.new_index((*number & !SET) as usize).map_or(0, |index| index | SET)
                };
            }
        });
        used.retain(&mut self.records);
        used_sets.retain(&mut self.sets);
        let mut known = Marks::new(self.knowledge.len());
        self.records.iter().filter_map(|record| record.knowledge).for_each(|number| known.mark_number(number.get()));
        let known = known.ranks();
        for record in &mut self.records {
            record.knowledge = record.knowledge.and_then(|number| NonZeroU32::new(known.new_number(number.get())));
        }
        known.retain(&mut self.knowledge);
        self.members = 0;
        for set in &mut self.sets {
            set.members.iter_mut().for_each(|member| *member = used.new_number(*member));
            self.members += set.members.len() + MEMBERS_PER_RECORD;
        }
        let size = self.records.len() + self.members / MEMBERS_PER_RECORD;
        self.limit = size.saturating_mul(2).max(LEAST_LIMIT);
    }
}

/// The elements of a vector that are kept. It takes two bits for each element, since it adds to the memory of a check at its peak.
#[derive(Debug)]
struct Marks {
    words: Vec<u64>,
}

impl Marks {
    fn new(len: usize) -> Self {
        Marks { words: alloc::vec![0; len.div_ceil(64)] }
    }

    /// Marks an element. Returns whether it is there and was not marked before.
    fn mark(&mut self, index: usize) -> bool {
        let Some(word) = self.words.get_mut(index / 64) else { return false };
        let before = *word;
        *word |= 1 << (index % 64);
        *word != before
    }

    /// Marks an element by a number that counts from 1.
    fn mark_number(&mut self, number: u32) {
        if let Some(index) = (number as usize).checked_sub(1) {
            self.mark(index);
        }
    }

    fn ranks(self) -> Ranks {
        let mut all = 0;
        let mut count = |word: &u64| {
            let before = all;
            all += word.count_ones();
            before
        };
        let before = self.words.iter().map(&mut count).collect();
        Ranks { words: self.words, before }
    }
}

/// [`Marks`], and how many elements are kept before each word of them.
#[derive(Debug)]
struct Ranks {
    words: Vec<u64>,
    before: Vec<u32>,
}

impl Ranks {
    /// The index that an element has when the others are removed; `None` if it is removed.
    fn new_index(&self, index: usize) -> Option<u32> {
        let (word, before) = (*self.words.get(index / 64)?, *self.before.get(index / 64)?);
        let bit = 1u64 << (index % 64);
        (word & bit != 0).then(|| before + (word & (bit - 1)).count_ones())
    }

    /// The same for numbers that count from 1. 0 is none.
    fn new_number(&self, number: u32) -> u32 {
        let index = (number as usize).checked_sub(1).and_then(|index| self.new_index(index));
        index.map_or(0, |index| index + 1)
    }

    /// Removes the elements that are not kept.
    fn retain<T>(&self, all: &mut Vec<T>) {
        let mut indices = 0..;
        all.retain(|_| indices.next().is_some_and(|index| self.new_index(index).is_some()));
    }
}

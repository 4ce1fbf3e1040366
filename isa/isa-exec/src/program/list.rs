//! A list that threads append to and read at the same time.

use alloc::boxed::Box;
use alloc::vec::Vec;

use once_cell::race::OnceBox;

/// Items that stay where they are: each bucket has room for twice as many as the one before.
pub(super) struct List<T> {
    buckets: [OnceBox<Vec<OnceBox<T>>>; BUCKETS],
}

const BUCKETS: usize = 24;

impl<T> List<T> {
    /// The most items.
    pub const CAPACITY: usize = (1 << BUCKETS) - 1;

    pub const fn new() -> Self {
        List { buckets: [const { OnceBox::new() }; BUCKETS] }
    }

    /// The bucket of an item, and the index of the item there.
    const fn place(number: usize) -> (usize, usize) {
        let bucket = (number + 1).ilog2() as usize;
        (bucket, number + 1 - (1 << bucket))
    }

    /// Appends an item with the number of items so far. `None`: another thread has appended one in the meantime, or the list is
    /// full.
    pub fn push(&self, number: usize, item: T) -> Option<&T> {
        let (bucket, index) = Self::place(number);
        let items =
            self.buckets.get(bucket)?.get_or_init(|| Box::new((0..1 << bucket).map(|_| OnceBox::new()).collect()));
        let place = items.get(index)?;
        place.set(Box::new(item)).ok()?;
        place.get()
    }

    #[inline]
    pub fn get(&self, number: usize) -> Option<&T> {
        let (bucket, index) = Self::place(number);
        self.buckets.get(bucket)?.get()?.get(index)?.get()
    }

    pub fn iter(&self) -> impl Iterator<Item = &T> + '_ {
        (0..).map_while(|number| self.get(number))
    }
}

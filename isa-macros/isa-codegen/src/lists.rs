//! Lists: as sets and maps, sorted by a number, and collected from iterators.
//!
//! rustc compiles 60 functions for each type of `BTreeMap`, 30 for each closure of `sort_by_key`, and 18 for each type of iterator
//! that is collected: they were a third of the generator's machine code. The lists here are short.

/// Iterators whose items are collected in a list.
pub(crate) trait IntoList: Iterator + Sized {
    /// Collects the items, as `collect` does with a third of its functions.
    fn into_list(self) -> Vec<Self::Item> {
        let mut list = Vec::new();
        for item in self {
            list.push(item);
        }
        list
    }
}

impl<I: Iterator> IntoList for I {}

/// Adds an item to a sorted list without duplicates. Returns whether it is new.
pub(crate) fn insert<T: Ord>(list: &mut Vec<T>, item: T) -> bool {
    match list.binary_search(&item) {
        Ok(_) => false,
        Err(at) => {
            list.insert(at, item);
            true
        }
    }
}

/// Sets the value of a key in a list sorted by keys. Returns the old value.
pub(crate) fn replace<K: Ord, V>(list: &mut Vec<(K, V)>, key: K, value: V) -> Option<V> {
    match list.binary_search_by(|(other, _)| other.cmp(&key)) {
        Ok(at) => Some(std::mem::replace(&mut list[at].1, value)),
        Err(at) => {
            list.insert(at, (key, value));
            None
        }
    }
}

/// Returns the value of a key in a list sorted by keys.
pub(crate) fn get<'a, K: Ord, V>(list: &'a [(K, V)], key: &K) -> Option<&'a V> {
    list.binary_search_by(|(other, _)| other.cmp(key)).ok().map(|at| &list[at].1)
}

/// Returns the value of a key in a list sorted by keys. A missing one is added.
pub(crate) fn entry<K: Ord, V>(list: &mut Vec<(K, V)>, key: K, value: impl FnOnce() -> V) -> &mut V {
    let at = match list.binary_search_by(|(other, _)| other.cmp(&key)) {
        Ok(at) => at,
        Err(at) => {
            list.insert(at, (key, value()));
            at
        }
    };
    &mut list[at].1
}

/// Sorts items by a number. Items with equal numbers keep their order.
pub(crate) fn sort_by_number<T>(items: &mut [T], number: impl Fn(&T) -> u64) {
    let mut order = Vec::new();
    for (at, item) in items.iter().enumerate() {
        order.push((number(item), at));
    }
    order.sort_unstable();
    for at in 0..items.len() {
        // Items before `at` are where they belong, so follow the exchanges that moved the wanted one.
        let mut from = order[at].1;
        while from < at {
            from = order[from].1;
        }
        items.swap(at, from);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_stay_sorted() {
        let mut set = Vec::new();
        assert_eq!([3, 1, 3, 2, 1].map(|n| insert(&mut set, n)), [true, true, false, true, false]);
        assert_eq!(set, [1, 2, 3]);
        let mut map = Vec::new();
        for (at, key) in ["c", "a", "b", "a"].into_iter().enumerate() {
            entry(&mut map, key, Vec::new).push(at);
        }
        assert_eq!(map, [("a", vec![1, 3]), ("b", vec![2]), ("c", vec![0])]);
        assert_eq!(replace(&mut map, "b", Vec::new()), Some(vec![2]));
        assert_eq!((replace(&mut map, "d", Vec::new()), get(&map, &"b"), get(&map, &"e")), (None, Some(&vec![]), None));
    }

    #[test]
    fn equal_numbers_keep_their_order() {
        let mut items: Vec<(u64, usize)> = (0..50).map(|at| (at * 7 % 11, at as usize)).collect();
        let mut sorted = items.clone();
        sorted.sort_by_key(|(number, _)| *number);
        sort_by_number(&mut items, |(number, _)| *number);
        assert_eq!(items, sorted);
    }
}

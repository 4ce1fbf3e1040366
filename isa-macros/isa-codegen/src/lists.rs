//! Sorted lists as sets and maps.
//!
//! rustc compiles 60 functions for each type of `BTreeMap`: they were a fifth of the generator's machine code. The lists here are
//! short.

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
}

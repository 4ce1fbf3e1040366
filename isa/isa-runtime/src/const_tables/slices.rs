//! Slices of lists in const evaluation.

use crate::tables::Run;

/// Slices of a list, most of them consecutive.
pub(super) struct Slices<T: 'static> {
    all: &'static [T],
    /// The list after the last slice.
    rest: &'static [T],
    /// The start of `rest`.
    end: u16,
}

impl<T> Slices<T> {
    pub(super) const fn new(all: &'static [T]) -> Self {
        Slices { all, rest: all, end: 0 }
    }

    /// Returns the slice of `len` elements from `start` on.
    pub(super) const fn slice(&mut self, Run { start, len }: Run) -> &'static [T] {
        if start != self.end {
            self.rest = self.all.split_at(start as usize).1;
        }
        self.end = start + len as u16;
        let all = self.rest;
        // Const evaluation of `split_at` takes three times as long.
        macro_rules! first {
            ($len:literal, $rest:expr) => {{
                self.rest = $rest;
                match all.first_chunk::<$len>() {
                    Some(first) => first,
                    None => &[],
                }
            }};
        }
        match (len, all) {
            (0, _) => &[],
            (1, [_, rest @ ..]) => first!(1, rest),
            (2, [_, _, rest @ ..]) => first!(2, rest),
            (3, [_, _, _, rest @ ..]) => first!(3, rest),
            (4, [_, _, _, _, rest @ ..]) => first!(4, rest),
            (5, [_, _, _, _, _, rest @ ..]) => first!(5, rest),
            _ => {
                let list;
                (list, self.rest) = all.split_at(len as usize);
                list
            }
        }
    }
}

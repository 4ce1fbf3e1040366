//! The order of output: that of work-groups.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::Printed;

/// Passes on what work-groups have printed, in the order of their indices, which need not be the order in which they end.
pub(crate) struct Order<F> {
    state: Mutex<State<F>>,
}

struct State<F> {
    /// The index of the work-group whose output is next.
    next: u64,
    /// The output of work-groups after it that have ended, and whether by a fault.
    waiting: BTreeMap<u64, (Vec<Printed>, bool)>,
    print: F,
}

impl<F: FnMut(u64, &[Printed])> Order<F> {
    /// `print` gets the index of each work-group that has printed something, and what it has printed.
    pub const fn new(print: F) -> Self {
        Self { state: Mutex::new(State { next: 0, waiting: BTreeMap::new(), print }) }
    }

    /// The state. A thread that panics does so outside of the lock, or in `print`.
    fn lock(&self) -> MutexGuard<'_, State<F>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the output of a work-group that has ended, and whether by a fault: then nothing is passed on that follows.
    pub fn end(&self, index: u64, printed: Vec<Printed>, is_fault: bool) {
        let mut state = self.lock();
        let State { next, waiting, print } = &mut *state;
        waiting.insert(index, (printed, is_fault));
        while let Some((printed, is_fault)) = waiting.remove(next) {
            if !printed.is_empty() {
                print(*next, &printed);
            }
            *next = if is_fault { u64::MAX } else { *next + 1 };
        }
    }

    /// Passes on output of a work-group that goes on, if all before it have ended.
    pub fn go_on(&self, index: u64, printed: impl FnOnce() -> Vec<Printed>) {
        let mut state = self.lock();
        if state.next == index {
            let printed = printed();
            if !printed.is_empty() {
                (state.print)(index, &printed);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::services::Stream;

    #[test]
    fn output_comes_in_the_order_of_work_groups() {
        let mut seen = Vec::new();
        let of = |text: &str| vec![Printed { wave: 0, lane: None, stream: Stream::Stdout, text: text.into() }];
        let order = Order::new(|index, printed: &[Printed]| seen.push((index, printed[0].text.clone())));
        order.end(2, of("c"), false);
        order.end(1, Vec::new(), false);
        order.go_on(3, || of("early"));
        order.go_on(0, || of("a"));
        order.go_on(0, Vec::new);
        order.end(0, of("z"), false);
        order.go_on(3, || of("d"));
        // Nothing follows a fault.
        order.end(5, of("f"), true);
        order.end(4, of("e"), true);
        order.end(3, Vec::new(), false);
        drop(order);
        let expected = [(0, "a"), (0, "z"), (2, "c"), (3, "d"), (4, "e")];
        assert_eq!(seen, expected.map(|(index, text)| (index, text.into())));
    }
}

//! Sets of registers and rows, and how instructions write them.

/// Consecutive rows of one of the two files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Rows {
    pub wide: bool,
    pub first: u16,
    pub count: u16,
}

impl Rows {
    pub fn overlaps(self, other: Rows) -> bool {
        let end = |rows: Rows| rows.first.saturating_add(rows.count);
        self.wide == other.wide && self.first < end(other) && other.first < end(self)
    }
}

/// A set of vector registers and of scalar registers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct RegisterSet([u64; 8]);

impl RegisterSet {
    /// The word and the bit of a register; `None` if it is a temporary or a constant.
    const fn place(wide: bool, row: u16) -> Option<(usize, u64)> {
        if row >= 256 {
            return None;
        }
        let first = if wide { 0 } else { 4 };
        Some((first + row as usize / 64, 1 << (row % 64)))
    }

    /// Adds or removes a register.
    #[inline]
    pub fn set(&mut self, wide: bool, row: u16, is_member: bool) {
        if let Some((word, bit)) = Self::place(wide, row)
            && let Some(word) = self.0.get_mut(word)
        {
            *word = if is_member { *word | bit } else { *word & !bit };
        }
    }

    /// Adds registers.
    pub fn add(&mut self, rows: Rows) {
        (rows.first..rows.first.saturating_add(rows.count)).for_each(|row| self.set(rows.wide, row, true));
    }

    /// Whether a register is in the set.
    pub fn contains(&self, wide: bool, row: u16) -> bool {
        Self::place(wide, row).is_some_and(|(word, bit)| self.0.get(word).is_some_and(|word| word & bit != 0))
    }

    /// The registers that are in both sets.
    #[inline]
    pub fn and(&self, other: &RegisterSet) -> RegisterSet {
        let mut both = *self;
        both.0.iter_mut().zip(&other.0).for_each(|(word, other)| *word &= other);
        both
    }

    /// Whether the set is empty.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }

    /// The registers: whether each is a vector register, and its row.
    pub fn iter(&self) -> impl Iterator<Item = (bool, u16)> + '_ {
        self.0.iter().enumerate().flat_map(|(at, word)| {
            let mut word = *word;
            core::iter::from_fn(move || {
                let bit = word.trailing_zeros();
                (bit < 64).then(|| {
                    word &= word - 1;
                    (at < 4, (64 * (at % 4)) as u16 + bit as u16)
                })
            })
        })
    }
}

/// A write of registers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Written {
    /// Vector registers, in active lanes.
    Lanes(Rows),
    /// A half of a vector register, in active lanes.
    Half { register: u16, high: bool },
    /// Scalar registers.
    Scalars(Rows),
    /// A bit for each lane of the wave; inactive lanes keep theirs or not.
    Mask { rows: Rows, keeps_inactive: bool },
}

impl Written {
    /// The registers.
    pub fn rows(self) -> Rows {
        match self {
            Written::Lanes(rows) | Written::Scalars(rows) | Written::Mask { rows, .. } => rows,
            Written::Half { register, .. } => Rows { wide: true, first: register, count: 1 },
        }
    }
}

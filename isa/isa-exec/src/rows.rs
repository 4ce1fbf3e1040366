//! The register file that primitives compute on: rows of one dword for each lane.

use alloc::vec;
use alloc::vec::Vec;
use core::hint::cold_path;

/// How many lanes a wide row has. A wave of 64 lanes has two files of wide rows.
pub const LANES: usize = 32;

/// Half the lanes of a wide row.
pub(crate) const HALF: usize = LANES / 2;

/// A register: one dword for each lane, or one dword for the wave.
pub trait Row: Copy + 'static {
    /// All lanes zero.
    const ZERO: Self;
    /// A reference to [`ZERO`](Self::ZERO), what reads beyond the end of a file give.
    fn zero() -> &'static Self;
    /// The lanes; the length is the same for all rows of a type.
    fn lanes(&self) -> &[u32];
    /// The lanes, to be changed.
    fn lanes_mut(&mut self) -> &mut [u32];
    /// A row with a value for each lane.
    fn from_fn(f: impl FnMut(usize) -> u32) -> Self;
    /// Whether rows have [`LANES`] lanes, and not one.
    const IS_WIDE: bool;
    /// The row, if it is wide.
    fn wide(&self) -> Option<&Wide>;
    /// A wide row as one of this type, if that is wide.
    fn from_wide(row: Wide) -> Option<Self>;
    /// A row with all ones in the lanes of a mask, and zero in others. A row of one lane has all ones.
    fn expand(mask: u32) -> Self;
    /// Takes the lanes that have all ones in `lanes` from this row, and those that have zero there from another.
    #[inline(always)]
    fn select(self, lanes: &Self, others: &Self) -> Self {
        let (new, lanes, old) = (self.lanes(), lanes.lanes(), others.lanes());
        Self::from_fn(
            #[inline(always)]
            |lane| new[lane] & lanes[lane] | old[lane] & !lanes[lane],
        )
    }
}

/// A row of 32 lanes, aligned to a cache line so that vector loads and stores never cross one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(64))]
pub struct Wide(pub [u32; LANES]);

impl Wide {
    /// A row with 1 in the lanes of a mask, and 0 in others.
    #[inline(always)]
    pub(crate) fn of_bits(mask: u32) -> Wide {
        Wide::from_fn(
            #[inline(always)]
            |lane| u32::from(mask & BITS.0[lane] != 0),
        )
    }

    /// Replaces the dword of a lane.
    #[inline(always)]
    pub(crate) fn set(&mut self, lane: usize, value: u32) {
        if let Some(to) = self.0.get_mut(lane) {
            *to = value;
        }
    }

    /// Takes the lanes of a mask from one row, and the others from another.
    #[inline(always)]
    pub(crate) fn blend(mask: u32, yes: &Wide, no: &Wide) -> Wide {
        let taken = Wide::expand(mask);
        // By bits, since the compiler selects addresses otherwise, lane by lane.
        Wide::from_fn(
            #[inline(always)]
            |lane| yes.0[lane] & taken.0[lane] | no.0[lane] & !taken.0[lane],
        )
    }
}

/// A row of one lane: a scalar register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Single(pub [u32; 1]);

impl Row for Wide {
    const ZERO: Self = Wide([0; LANES]);

    #[inline(always)]
    fn zero() -> &'static Self {
        &Wide([0; LANES])
    }

    #[inline(always)]
    fn lanes(&self) -> &[u32] {
        &self.0
    }

    #[inline(always)]
    fn lanes_mut(&mut self) -> &mut [u32] {
        &mut self.0
    }

    #[inline(always)]
    fn from_fn(mut f: impl FnMut(usize) -> u32) -> Self {
        // A loop, since `array::from_fn` is not vectorised.
        let mut row = Self::ZERO;
        for (lane, value) in row.0.iter_mut().enumerate() {
            *value = f(lane);
        }
        row
    }

    const IS_WIDE: bool = true;

    #[inline(always)]
    fn wide(&self) -> Option<&Wide> {
        Some(self)
    }

    #[inline(always)]
    fn from_wide(row: Wide) -> Option<Self> {
        Some(row)
    }

    #[inline(always)]
    fn expand(mask: u32) -> Self {
        Self::from_fn(
            #[inline(always)]
            |lane| if mask & BITS.0[lane] != 0 { u32::MAX } else { 0 },
        )
    }
}

impl Row for Single {
    const ZERO: Self = Single([0]);

    #[inline(always)]
    fn zero() -> &'static Self {
        &Single([0])
    }

    #[inline(always)]
    fn lanes(&self) -> &[u32] {
        &self.0
    }

    #[inline(always)]
    fn lanes_mut(&mut self) -> &mut [u32] {
        &mut self.0
    }

    #[inline(always)]
    fn from_fn(mut f: impl FnMut(usize) -> u32) -> Self {
        Single([f(0)])
    }

    const IS_WIDE: bool = false;

    #[inline(always)]
    fn wide(&self) -> Option<&Wide> {
        None
    }

    #[inline(always)]
    fn from_wide(_: Wide) -> Option<Self> {
        None
    }

    #[inline(always)]
    fn expand(_: u32) -> Self {
        Single([u32::MAX])
    }
}

/// The bit of each lane in a mask.
pub(crate) const BITS: Wide = {
    let mut bits = [0; LANES];
    let mut lane = 0;
    while lane < LANES {
        bits[lane] = 1 << lane;
        lane += 1;
    }
    Wide(bits)
};

/// Registers, temporaries and constants in one array, so that each operand of a step is an index.
///
/// Reads beyond the end give zeros and writes there do nothing: lowering gives out valid indices, and register numbers that
/// an instruction computes may be anything.
#[derive(Clone, Debug)]
pub struct File<R> {
    rows: Vec<R>,
    /// A mask of lanes, and the row with all ones in them: storing in these lanes does not expand the mask again.
    mask: u32,
    lanes: R,
}

impl File<Single> {
    /// Replaces the bits of 32 lanes of a mask: those that write get new ones, and others those of inactive lanes; `None`: they keep theirs.
    #[inline(always)]
    pub(crate) fn set_bits(&mut self, at: u16, bits: u32, written: u32, inactive: Option<bool>) {
        let others = match inactive {
            Some(true) => u32::MAX,
            Some(false) => 0,
            None => self.row(at).0[0],
        };
        self.set_row(at, Single([bits & written | others & !written]));
    }
}

impl<R: Row> File<R> {
    /// A file of zeros.
    #[must_use]
    pub fn new(rows: usize) -> Self {
        File { rows: vec![R::ZERO; rows], mask: 0, lanes: R::ZERO }
    }

    /// The number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// A file of zeros, to which as many rows can be appended without another allocation.
    pub(crate) fn with_room(rows: usize, more: usize) -> Self {
        let mut all = Vec::with_capacity(rows + more);
        all.resize(rows, R::ZERO);
        File { rows: all, ..File::new(0) }
    }

    /// Sets the first rows to zero.
    pub(crate) fn clear(&mut self, count: u16) {
        self.rows.iter_mut().take(count.into()).for_each(|row| *row = R::ZERO);
    }

    /// Appends rows.
    pub(crate) fn extend(&mut self, rows: impl Iterator<Item = R>) {
        self.rows.extend(rows);
    }

    /// A row.
    #[inline(always)]
    #[must_use]
    pub fn row(&self, at: u16) -> &R {
        match self.rows.get(usize::from(at)) {
            Some(row) => row,
            None => {
                // A branch that is predicted, where a selection of addresses would delay the load.
                cold_path();
                R::zero()
            }
        }
    }

    /// Some rows; `None` if one is beyond the end.
    #[inline(always)]
    pub(crate) fn get_rows<const N: usize>(&self, at: [u16; N]) -> Option<[&R; N]> {
        let mut rows = [R::zero(); N];
        for (row, at) in rows.iter_mut().zip(at) {
            *row = self.rows.get(usize::from(at))?;
        }
        Some(rows)
    }

    /// All rows, to be changed.
    #[inline(always)]
    pub(crate) const fn rows_mut(&mut self) -> &mut [R] {
        self.rows.as_mut_slice()
    }

    /// Replaces a row.
    #[inline(always)]
    pub fn set_row(&mut self, at: u16, row: R) {
        if let Some(to) = self.rows.get_mut(usize::from(at)) {
            *to = row;
        }
    }

    /// Replaces the lanes of a mask in a row; a row of one lane is replaced whole.
    #[inline(always)]
    pub(crate) fn set_lanes(&mut self, at: u16, mask: u32, row: R) {
        if let Some(to) = self.rows.get_mut(usize::from(at)) {
            *to = if !R::IS_WIDE || mask == u32::MAX {
                row
            } else if mask == self.mask {
                row.select(&self.lanes, to)
            } else {
                row.select(&R::expand(mask), to)
            };
        }
    }

    /// Prepares stores in the lanes of a mask.
    #[inline(always)]
    pub(crate) fn prepare(&mut self, mask: u32) {
        if self.mask != mask {
            self.mask = mask;
            self.lanes = R::expand(mask);
        }
    }

    /// The first `count` rows that differ from those of another file.
    pub(crate) fn differences<'a>(&'a self, other: &'a Self, count: usize) -> impl Iterator<Item = usize> + 'a {
        let pairs = self.rows.iter().zip(&other.rows).take(count).enumerate();
        pairs.filter(|(_, (a, b))| a.lanes() != b.lanes()).map(|(row, _)| row)
    }

    /// One lane of a row.
    #[inline(always)]
    #[must_use]
    pub fn get(&self, at: u16, lane: usize) -> u32 {
        self.row(at).lanes().get(lane).copied().unwrap_or(0)
    }

    /// Replaces one lane of a row.
    #[inline(always)]
    pub fn set(&mut self, at: u16, lane: usize, value: u32) {
        let row = self.rows.get_mut(usize::from(at));
        if let Some(to) = row.and_then(|row| row.lanes_mut().get_mut(lane)) {
            *to = value;
        }
    }

    /// Up to four rows of a lane as one number, the first lowest.
    #[inline]
    #[must_use]
    pub fn number(&self, at: u16, dwords: u16, lane: usize) -> u128 {
        (0..dwords.min(4)).fold(0, |number, n| number | u128::from(self.get(at.saturating_add(n), lane)) << (32 * n))
    }

    /// Replaces up to four rows of a lane with the dwords of a number.
    #[inline]
    pub fn set_number(&mut self, at: u16, dwords: u16, lane: usize, number: u128) {
        for n in 0..dwords.min(4) {
            self.set(at.saturating_add(n), lane, (number >> (32 * n)) as u32);
        }
    }
}

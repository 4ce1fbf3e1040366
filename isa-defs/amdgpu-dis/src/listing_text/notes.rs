//! What a listing shows beside the instructions on request: basic blocks, live registers, branches as arrows.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use amdgpu_arch::with_rdna_set;
use rdna_facts::live::Liveness;
use rdna_rows::{Instruction, RegisterSet};

use crate::code_range::{CodeRange, ListedBlock, code_ranges};
use crate::section::CodeSection;

/// What a listing of RDNA code shows beside the instructions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Shown {
    /// Where each basic block starts, with its predecessors and successors.
    pub blocks: bool,
    /// The registers that are live before each instruction, and where the most are live. Registers that only a caller or a callee reads
    /// are not among them.
    pub live: bool,
    /// Branches as arrows in a margin. Such a listing is not assembly.
    pub arrows: bool,
}

impl Shown {
    /// Returns whether there is anything to show.
    #[must_use]
    pub fn any(self) -> bool {
        self != Self::default()
    }
}

/// The most arrows beside each other. Further ones are left out.
const MOST_LANES: usize = 10;

/// Notes on the rows of a section, by offset.
#[derive(Default)]
pub struct Notes {
    /// Comments before rows.
    before: BTreeMap<usize, String>,
    /// Comments after rows.
    after: BTreeMap<usize, String>,
    /// The margin of each row.
    margins: BTreeMap<usize, String>,
    /// How many columns the margin has.
    columns: usize,
    /// Comments after the section.
    pub summary: Vec<String>,
}

impl Notes {
    /// Makes the notes of a section of RDNA code; there are none for other sets, which have no branches here.
    pub fn of(section: &CodeSection<'_>, shown: Shown) -> Self {
        let mut notes = Notes::default();
        if shown.blocks {
            notes.add_blocks(&section.blocks());
        }
        if shown.live || shown.arrows {
            with_rdna_set!(section.arch, S => for range in code_ranges::<S>(section) {
                if shown.live {
                    notes.add_live(section, &range);
                }
                if shown.arrows {
                    notes.add_arrows(&range);
                }
            });
        }
        notes
    }

    fn add_blocks(&mut self, blocks: &[ListedBlock]) {
        let list = |blocks: &[usize]| blocks.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
        for (index, block) in blocks.iter().enumerate() {
            let mut text = format!("block {index}");
            // Writing to a String does not fail.
            let _ = match (&block.predecessors[..], block.is_entry) {
                ([], true) => write!(text, ", entry"),
                ([], false) => write!(text, ", reached by no known branch"),
                (from, true) => write!(text, ", entry and from {}", list(from)),
                (from, false) => write!(text, ", from {}", list(from)),
            };
            if !block.successors.is_empty() {
                let _ = write!(text, "; to {}", list(&block.successors));
            }
            self.before.insert(block.offset, text);
        }
    }

    fn add_live<I: Instruction>(&mut self, section: &CodeSection<'_>, range: &CodeRange<I>) {
        let live = Liveness::new(&range.graph(section), &range.instrs, range.wave);
        let (mut vector, mut scalar) = ((0, 0), (0, 0));
        for (at, &offset) in range.offsets.iter().enumerate() {
            let registers = live.before(at);
            let pressure = registers.pressure();
            vector = vector.max((pressure.vector, usize::MAX - offset));
            scalar = scalar.max((pressure.scalar, usize::MAX - offset));
            let text = format!("live {} v, {} s: {}", pressure.vector, pressure.scalar, names(registers));
            self.after.insert(offset, text);
        }
        let place = |(_, offset): (u32, usize)| section.address_of(usize::MAX - offset);
        if !range.offsets.is_empty() {
            self.summary.push(format!(
                "most live: {} vector registers at {:#x}, {} scalar registers at {:#x}",
                vector.0,
                place(vector),
                scalar.0,
                place(scalar)
            ));
        }
    }

    fn add_arrows<I: Instruction>(&mut self, range: &CodeRange<I>) {
        let ends = |i: usize| range.offsets.get(i).map(|offset| offset + range.instrs[i].dword_count() * 4);
        let branches = range.instrs.iter().enumerate().filter_map(|(i, instr)| {
            let target = ends(i)?.checked_add_signed(isize::from(instr.branch_offset()?) * 4)?;
            let target = range.offsets.binary_search(&target).ok()?;
            (range.unresolved.binary_search(&i).is_err()).then_some((i, target))
        });
        let mut branches: Vec<(usize, usize)> = branches.collect();
        // Short arrows are next to the code.
        branches.sort_by_key(|(from, to)| (from.abs_diff(*to), *from));
        // For each lane the spans that it has.
        let mut lanes: Vec<Vec<(usize, usize)>> = Vec::new();
        let mut placed = Vec::new();
        for (from, to) in branches {
            let (low, high) = (from.min(to), from.max(to));
            let is_free = |lane: &Vec<(usize, usize)>| lane.iter().all(|(a, b)| *b < low || *a > high);
            let lane = lanes.iter().position(is_free).unwrap_or(lanes.len());
            if lane >= MOST_LANES {
                continue;
            }
            if lane == lanes.len() {
                lanes.push(Vec::new());
            }
            lanes[lane].push((low, high));
            placed.push((lane, from, to));
        }
        let columns = lanes.len();
        self.columns = self.columns.max(2 * columns + 2);
        let mut rows = vec![vec![' '; 2 * columns + 1]; range.instrs.len()];
        for &(lane, from, to) in &placed {
            let column = 2 * (columns - 1 - lane);
            let (low, high) = (from.min(to), from.max(to));
            for (i, row) in rows.iter_mut().enumerate().take(high + 1).skip(low) {
                let cell = &mut row[column];
                *cell = match *cell {
                    _ if low == high => '─',
                    ' ' if i == low => '┌',
                    ' ' if i == high => '└',
                    ' ' => '│',
                    '─' => '┼',
                    other => other,
                };
            }
            for (row, last) in [(from, '─'), (to, '>')] {
                for cell in &mut rows[row][column + 1..] {
                    *cell = match *cell {
                        ' ' | '─' => '─',
                        '│' => '┼',
                        '┌' => '┬',
                        '└' => '┴',
                        other => other,
                    };
                }
                if let Some(cell) = rows[row].last_mut()
                    && *cell != '>'
                {
                    *cell = last;
                }
            }
        }
        for (row, offset) in rows.into_iter().zip(&range.offsets) {
            self.margins.insert(*offset, row.into_iter().collect());
        }
    }

    /// Returns the comment before the row at an offset.
    pub fn before(&self, offset: usize) -> Option<&str> {
        self.before.get(&offset).map(String::as_str)
    }

    /// Returns the comment after the row at an offset.
    pub fn after(&self, offset: usize) -> Option<&str> {
        self.after.get(&offset).map(String::as_str)
    }

    /// Returns the margin of the row at an offset, padded; `None` without `--arrows`.
    pub fn margin(&self, offset: usize) -> Option<String> {
        (self.columns > 0).then(|| {
            let margin = self.margins.get(&offset).map_or("", String::as_str);
            format!("{margin:>width$} ", width = self.columns - 1)
        })
    }
}

/// Returns the names of registers, consecutive ones as a range.
fn names(registers: &RegisterSet) -> String {
    let mut runs: Vec<(String, u32, u32)> = Vec::new();
    for register in registers.iter() {
        let name = register.to_string();
        let digits = name.trim_start_matches(|c: char| !c.is_ascii_digit());
        let file = name.strip_suffix(digits).unwrap_or_default();
        match (digits.parse(), runs.last_mut()) {
            (Ok(number), Some((last, _, end))) if last == file && *end + 1 == number => *end = number,
            (Ok(number), _) => runs.push((file.to_owned(), number, number)),
            (Err(_), _) => runs.push((name, 1, 0)),
        }
    }
    let text = runs.iter().map(|(file, first, last)| match first.cmp(last) {
        std::cmp::Ordering::Less => format!("{file}[{first}:{last}]"),
        std::cmp::Ordering::Equal => format!("{file}{first}"),
        std::cmp::Ordering::Greater => file.clone(),
    });
    text.collect::<Vec<_>>().join(" ")
}

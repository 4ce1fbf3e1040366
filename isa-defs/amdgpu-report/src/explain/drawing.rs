//! A dword drawn with its fields to scale.

use std::io::{self, Write};

use super::fields::{FieldRange, Layout};

/// How many columns a bit has, with the border to the next field.
const COLUMNS: usize = 2;

/// A field's cell, or bits without a field.
struct Cell {
    /// The name; empty for bits without one.
    name: String,
    lo: u32,
    width: u32,
}

impl Cell {
    /// How many characters there are between its borders.
    const fn inside(&self) -> usize {
        COLUMNS * self.width as usize - 1
    }
}

/// Draws a dword: the numbers of bits, the names of fields and their values in binary. A name that does not fit is below, with a line to it.
pub fn draw(layout: &Layout, index: usize, word: u32, out: &mut impl Write) -> io::Result<()> {
    let cells = cells(layout, index);
    let line = |[left, middle, right]: [&str; 3]| {
        let pieces: Vec<String> = cells.iter().map(|cell| "─".repeat(cell.inside())).collect();
        format!("{left}{}{right}", pieces.join(middle))
    };
    let row = |content: &dyn Fn(&Cell) -> String| {
        let pieces: Vec<String> =
            cells.iter().map(|cell| format!("{:^width$}", content(cell), width = cell.inside())).collect();
        format!("│{}│", pieces.join("│"))
    };
    let numbers = cells.iter().map(|cell| {
        let (hi, lo, room) = ((cell.lo + cell.width - 1).to_string(), cell.lo.to_string(), cell.inside() + 1);
        // Between two numbers there is a blank, and narrow cells have no room for it.
        match room.checked_sub(hi.len() + 1) {
            Some(rest) if rest > lo.len() => format!("{hi}{lo:>rest$} "),
            Some(_) if cell.width > 1 => format!("{hi:<room$}"),
            _ => " ".repeat(room),
        }
    });
    let numbers: String = numbers.collect();
    writeln!(out, "  {}", numbers.trim_end())?;
    writeln!(out, " {}", line(["┌", "┬", "┐"]))?;
    let fits = |cell: &Cell| cell.name.len() <= cell.inside();
    writeln!(out, " {}", row(&|cell| if fits(cell) { cell.name.clone() } else { "·".into() }))?;
    writeln!(
        out,
        " {}",
        row(&|cell| {
            let value = word >> cell.lo & (u32::MAX >> (32 - cell.width));
            format!("{value:0width$b}", width = cell.width as usize)
        })
    )?;
    writeln!(out, " {}", line(["└", "┴", "┘"]))?;
    let narrow = cells.iter().filter(|cell| !fits(cell)).map(|cell| {
        let hi = cell.lo + cell.width - 1;
        if cell.width == 1 { format!("[{hi}] {}", cell.name) } else { format!("[{hi}:{}] {}", cell.lo, cell.name) }
    });
    let narrow: Vec<String> = narrow.collect();
    if !narrow.is_empty() {
        writeln!(out, "  · {}", narrow.join("  "))?;
    }
    Ok(())
}

/// Returns the cells of a dword from the highest bit down.
fn cells(layout: &Layout, index: usize) -> Vec<Cell> {
    let mut ranges: Vec<_> = layout.ranges.iter().filter(|field| field.range.dword() == index).collect();
    ranges.sort_by_key(|field| std::cmp::Reverse(field.range.lo));
    let mut cells = Vec::new();
    let mut end = 32;
    for FieldRange { field, range } in ranges {
        let (lo, width) = (u32::from(range.lo_in_dword()), u32::from(range.width));
        // Components may have fields at the same bits.
        if lo + width > end {
            continue;
        }
        if lo + width < end {
            cells.push(Cell { name: String::new(), lo: lo + width, width: end - lo - width });
        }
        cells.push(Cell { name: layout.name(*field).to_owned(), lo, width });
        end = lo;
    }
    if end > 0 {
        cells.push(Cell { name: String::new(), lo: 0, width: end });
    }
    cells
}

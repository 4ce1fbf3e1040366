//! Tables in text.

use std::io::{self, Write};

/// Rows in columns.
pub struct Table {
    /// The first row is the heads of the columns.
    rows: Vec<Vec<String>>,
    /// Whether each column is aligned to the left.
    is_left: Vec<bool>,
}

impl Table {
    /// A table of columns with these heads, which begin with `<` for columns that are aligned to the left.
    pub fn new(heads: &[&str]) -> Self {
        let texts = heads.iter().map(|head| head.trim_start_matches('<').to_owned());
        Self { rows: vec![texts.collect()], is_left: heads.iter().map(|head| head.starts_with('<')).collect() }
    }

    pub fn row<const N: usize>(&mut self, cells: [String; N]) {
        self.rows.push(cells.into());
    }

    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let width = |column: usize| {
            self.rows
                .iter()
                .filter_map(|row| row.get(column))
                .map(|cell| cell.chars().count())
                .max()
                .unwrap_or_default()
        };
        let widths: Vec<usize> = (0..self.is_left.len()).map(width).collect();
        for row in &self.rows {
            let mut line = String::new();
            for ((cell, width), is_left) in row.iter().zip(&widths).zip(&self.is_left) {
                let blanks = " ".repeat(width.saturating_sub(cell.chars().count()));
                let (before, after) = if *is_left { ("", &*blanks) } else { (&*blanks, "") };
                line.push_str(&format!("  {before}{cell}{after}"));
            }
            writeln!(out, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

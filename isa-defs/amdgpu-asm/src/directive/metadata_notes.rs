//! The notes that the metadata of a program become.

use std::ops::Range;

use amdgpu_object::{Note, PalMetadata, Value, YamlError};

use crate::diagnostic::Diagnostic;
use crate::expand::body::Body;
use crate::program::Program;

impl Program<'_> {
    /// Makes the notes of `.amdgpu_metadata` and `.amdgpu_pal_metadata`.
    pub(crate) fn add_metadata(&mut self) {
        let notes = [
            self.metadata.hsa().map(hsa_note), //
            self.metadata.pal().map(pal_note),
        ];
        for note in notes.into_iter().flatten() {
            match note {
                Ok(note) => self.metadata.add_notes(note),
                Err(error) => self.report.push(error),
            }
        }
    }
}

fn hsa_note(body: &Body) -> Result<Option<Note>, Diagnostic> {
    let mut value = Value::from_yaml(&body.text).map_err(|error| yaml_error(body, error))?;
    value.verify_hsa().map_err(|error| Diagnostic::new(line(body, 0), error.to_string()))?;
    Ok(Some(Note::metadata(&value)))
}

fn pal_note(body: &Body) -> Result<Option<Note>, Diagnostic> {
    let mut metadata = PalMetadata::default();
    metadata.set_yaml(&body.text).map_err(|error| yaml_error(body, error))?;
    Ok(metadata.to_note())
}

/// An error in the text of a block, from the column on that it names.
fn yaml_error(body: &Body, error: YamlError) -> Diagnostic {
    let nth = error.line.saturating_sub(1);
    let text = body.text.lines().nth(nth).unwrap_or_default();
    let column = text.char_indices().nth(error.column.saturating_sub(1)).map_or(0, |(at, _)| at);
    let line = line(body, nth);
    Diagnostic::new((line.start + column).min(line.end)..line.end, error.message)
}

/// Where a line of a block is in the source.
fn line(body: &Body, nth: usize) -> Range<usize> {
    let start = body.starts.get(nth).or(body.starts.last()).copied().unwrap_or(0);
    start..start + body.text.lines().nth(nth).map_or(0, str::len)
}

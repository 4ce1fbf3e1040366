//! Assembly files of the user's choice.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Result;

use crate::programs::assemblers::Target;
use crate::programs::{in_parallel, kernels};

/// Compares the objects and code objects of assembly files; an error if one differs.
pub fn compare(files: &[PathBuf], target: Target<'_>, program: &Path, scratch: &Path) -> Result<()> {
    let begin = Instant::now();
    let has_linker = kernels::has_linker();
    let outcomes = in_parallel(files, |at, file| {
        kernels::assembled(file, target, program, has_linker, &scratch.join(format!("{at}.s")))
    })?;
    let labels: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
    kernels::report(&labels, &outcomes, "files", begin.elapsed())
}

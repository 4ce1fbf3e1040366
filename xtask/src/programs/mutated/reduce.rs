//! Short programs with the same difference.

use anyhow::Result;

use crate::programs::mutated::{Assemblers, class};

/// The most comparisons for one program.
const MOST: usize = 160;

/// Takes lines out of a program as long as its difference stays in the class `wanted`.
pub fn shortest(source: &str, wanted: &str, run: &Assemblers<'_>) -> Result<String> {
    let mut left = MOST;
    let blocks = reduced(blocks(source), wanted, run, &mut left)?;
    let text = blocks.concat();
    // Blocks that are needed get shorter line by line.
    let lines = text.split_inclusive('\n').map(str::to_string).collect();
    Ok(reduced(lines, wanted, run, &mut left)?.concat())
}

/// Removes ever smaller groups of parts.
fn reduced(mut parts: Vec<String>, wanted: &str, run: &Assemblers<'_>, left: &mut usize) -> Result<Vec<String>> {
    let mut size = parts.len().div_ceil(2);
    while size > 0 && parts.len() > 1 {
        let mut from = 0;
        while from < parts.len() && *left > 0 {
            let to = (from + size).min(parts.len());
            let mut fewer = parts.clone();
            fewer.drain(from..to);
            *left -= 1;
            if class(&run.compare(&fewer.concat())?).0 == wanted {
                parts = fewer;
            } else {
                from = to;
            }
        }
        size /= 2;
    }
    Ok(parts)
}

/// The lines of a program; a directive with the lines up to its end is one part.
fn blocks(source: &str) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    let mut inside = false;
    for line in source.split_inclusive('\n') {
        let directive = line.split_whitespace().next().unwrap_or_default();
        let begins = [".amdhsa_kernel", ".macro", ".amdgpu_metadata"].contains(&directive);
        match parts.last_mut() {
            Some(part) if inside => part.push_str(line),
            _ => parts.push(line.to_string()),
        }
        inside = (inside || begins) && ![".end_amdhsa_kernel", ".endm", ".end_amdgpu_metadata"].contains(&directive);
    }
    parts
}

//! Opens and reads the file of an argument; `-` is standard input.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

pub use amdgpu_object::printable;

use crate::failure::Failure;

/// Large enough that a million lines cost a few hundred reads.
const BUFFER: usize = 1 << 16;

/// Returns the name of a file for messages, without terminal escapes.
pub fn name(path: &Path) -> String {
    if is_stdin(path) { "standard input".into() } else { printable(path.as_os_str().as_encoded_bytes()) }
}

/// A buffered reader over the file or standard input.
pub fn open(path: &Path) -> Result<BufReader<Box<dyn Read>>, Failure> {
    let source: Box<dyn Read> = match file(path)? {
        None => Box::new(io::stdin().lock()),
        Some(file) => Box::new(file),
    };
    Ok(BufReader::with_capacity(BUFFER, source))
}

/// The file; none for standard input.
pub fn file(path: &Path) -> Result<Option<File>, Failure> {
    if is_stdin(path) { Ok(None) } else { File::open(path).map(Some).map_err(|e| cannot_read(path, &e)) }
}

/// All bytes that are left in the file, which the path names, or in standard input.
pub fn rest(path: &Path, file: Option<File>) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let read = match file {
        None => io::stdin().lock().read_to_end(&mut bytes),
        Some(mut file) => file.read_to_end(&mut bytes),
    };
    read.map(|_| bytes).map_err(|e| cannot_read(path, &e))
}

/// All bytes of the file or standard input.
pub fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    rest(path, file(path)?)
}

fn cannot_read(path: &Path, error: &io::Error) -> Failure {
    Failure::about(&name(path), format_args!("cannot be read: {error}"))
}

fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

//! Where `.include` and `.incbin` find files.

use std::collections::HashMap;
use std::error::Error;
use std::fmt;
use std::fs::File;
use std::hash::BuildHasher;
use std::io::{self, Read as _};
use std::path::PathBuf;

use amdgpu_object::printable;

/// A file that a program includes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IncludedFile {
    /// The path that diagnostics show.
    pub path: String,
    /// The contents, or as much of them as was asked for.
    pub bytes: Vec<u8>,
}

/// Why a file cannot be included.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IncludeError {
    /// The file does not exist.
    NotFound,
    /// Another reason, in words.
    Other(String),
}

impl fmt::Display for IncludeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFound => f.write_str("there is no such file"),
            Self::Other(why) => f.write_str(why),
        }
    }
}

impl Error for IncludeError {}

/// Finds and reads included files.
pub trait IncludeResolver: fmt::Debug + Sync {
    /// Reads the file that a directive names. Of a file with more than `limit` bytes it reads one more, which tells the assembler
    /// that the file is too large.
    ///
    /// # Errors
    /// The file does not exist or cannot be read.
    fn read(&self, name: &str, limit: usize) -> Result<IncludedFile, IncludeError>;
}

/// Files of the file system: relative to the working directory, then to each of these directories.
#[derive(Debug, Clone, Default)]
pub struct Directories(pub Vec<PathBuf>);

impl IncludeResolver for Directories {
    fn read(&self, name: &str, limit: usize) -> Result<IncludedFile, IncludeError> {
        let paths = std::iter::once(PathBuf::from(name)).chain(self.0.iter().map(|directory| directory.join(name)));
        let mut why = IncludeError::NotFound;
        for path in paths {
            match File::open(&path) {
                Ok(file) => {
                    let mut bytes = Vec::new();
                    let read = file.take((limit as u64).saturating_add(1)).read_to_end(&mut bytes);
                    read.map_err(|error| IncludeError::Other(error.to_string()))?;
                    return Ok(IncludedFile { path: printable(path.as_os_str().as_encoded_bytes()), bytes });
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) if why == IncludeError::NotFound => why = IncludeError::Other(error.to_string()),
                Err(_) => {}
            }
        }
        Err(why)
    }
}

/// Files in memory by their names, as directives write them.
impl<S: BuildHasher + Sync> IncludeResolver for HashMap<String, Vec<u8>, S> {
    fn read(&self, name: &str, limit: usize) -> Result<IncludedFile, IncludeError> {
        let bytes = self.get(name).ok_or(IncludeError::NotFound)?;
        let bytes = bytes.get(..limit.saturating_add(1)).unwrap_or(bytes);
        Ok(IncludedFile { path: printable(name.as_bytes()), bytes: bytes.to_vec() })
    }
}

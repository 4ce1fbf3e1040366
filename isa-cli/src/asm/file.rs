//! Output files: which format to write, and how a failed write leaves no partial file.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;

use amdgpu_asm::{Assembly, ObjectError};

/// The format of the output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Emit {
    /// The bytes of .text
    Raw,
    /// A relocatable object file, as llvm-mc -filetype=obj writes it
    Obj,
    /// A loadable code object, for programs without undefined symbols
    Co,
}

impl Emit {
    /// The format that the name of an output file implies.
    pub fn of(output: &Path) -> Self {
        match output.extension().and_then(|extension| extension.to_str()) {
            Some("o") => Self::Obj,
            Some("co" | "hsaco") => Self::Co,
            _ => Self::Raw,
        }
    }

    /// Writes a program without errors in this format.
    ///
    /// # Errors
    /// The program has no such file: the instruction set has none, or a code object refers to undefined symbols.
    pub fn write(self, assembly: &Assembly, output: &Path) -> Result<(), String> {
        let explained = |error: ObjectError| match error {
            ObjectError::Unsupported(_) => format!("{error}; `--emit raw` writes the bytes of .text"),
            _ => error.to_string(),
        };
        let written = match self {
            Self::Raw => write(output, assembly.text()),
            Self::Obj => write(output, &assembly.to_object_file().map_err(explained)?),
            Self::Co => write(output, &assembly.to_code_object().map_err(explained)?),
        };
        written.map_err(|error| format!("cannot be written: {error}"))
    }
}

/// Whether this names standard output.
pub fn is_stdout(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Replaces the contents of a file, or writes to standard output.
fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if is_stdout(path) {
        let mut out = io::stdout().lock();
        let written = out.write_all(bytes).and_then(|()| out.flush());
        return written.or_else(|error| if error.kind() == io::ErrorKind::BrokenPipe { Ok(()) } else { Err(error) });
    }
    // The new bytes go over the old ones: some file systems write a file that is truncated or replaced to the disk at once.
    let mut file = File::options().write(true).create(true).truncate(false).open(path)?;
    if let Err(error) = file.write_all(bytes) {
        if file.metadata().is_ok_and(|metadata| metadata.is_file()) {
            // Neither is of any use if it fails.
            let _ = file.set_len(0);
            let _ = fs::remove_file(path);
        }
        return Err(error);
    }
    let size = bytes.len() as u64;
    // A device or a pipe has no size.
    if file.metadata()?.len() > size { file.set_len(size) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_imply_formats() {
        for (name, emit) in [
            ("a.o", Emit::Obj),
            ("a.co", Emit::Co),
            ("b/a.hsaco", Emit::Co),
            ("a.bin", Emit::Raw),
            ("o", Emit::Raw),
            ("-", Emit::Raw),
            ("/dev/null", Emit::Raw),
        ] {
            assert_eq!(Emit::of(Path::new(name)), emit, "{name}");
        }
    }
}

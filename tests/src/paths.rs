//! Where the workspace and the inputs outside of it are.

use std::path::{Path, PathBuf};

/// The root of the workspace.
#[must_use]
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_path_buf()
}

/// A file or folder of `../shared`, if it is there.
#[must_use]
pub fn shared(path: &str) -> Option<PathBuf> {
    let path = root().join("../shared").join(path);
    path.exists().then_some(path)
}

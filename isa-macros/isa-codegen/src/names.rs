//! The flags of a set, and the names that Rust reserves.

use crate::ast::Block;
use crate::error::Errors;

/// The most flags that the blocks of a set may declare together: a shape stores its flags in a `u128`.
const MAX_FLAGS: usize = 128;

/// Names that are not valid identifiers, not even as raw identifiers (`r#self`).
pub const INVALID_IDENTS: [&str; 5] = ["Self", "_", "crate", "self", "super"];

/// Returns the flags that blocks declare, each once.
pub fn declared_flags(blocks: &[Block]) -> Result<Vec<String>, Errors> {
    let mut flags: Vec<String> = Vec::new();
    let mut errors = Errors::default();
    for flag in blocks.iter().flat_map(|b| &b.flags) {
        let name = flag.to_string();
        if !flags.contains(&name) {
            flags.push(name);
            if flags.len() == MAX_FLAGS + 1 {
                let message = format!("the blocks of a set declare more than {MAX_FLAGS} flags");
                errors.report(flag.span(), message, "remove a flag that no condition and no operand class tests");
            }
        }
    }
    errors.into_result().map(|()| flags)
}

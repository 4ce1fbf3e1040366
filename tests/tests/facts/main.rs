//! Facts about opcodes, and the lint that uses them.

mod facts;
mod lint;
mod lint_paths;
mod lint_waits;
mod rdna3_5;
mod rdna4_facts;
mod rdna4_hazards;

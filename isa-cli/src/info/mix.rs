//! Numbers of instructions by class, as text and JSON.

use amdgpu_dis::InstructionCounts;
use serde_json::{Map, Value};

/// Returns the counts in one line.
pub fn text(counts: &InstructionCounts) -> String {
    counts.sorted().iter().map(|(class, count)| format!("{class} {count}")).collect::<Vec<_>>().join(", ")
}

/// Returns an object with the counts.
pub fn json(counts: &InstructionCounts) -> Value {
    counts.sorted().into_iter().map(|(class, count)| (class.to_owned(), count.into())).collect::<Map<_, _>>().into()
}

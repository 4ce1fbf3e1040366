//! Short texts: cases in JSON, names, options.

use amdgpu_arch::{TargetSelection, hex};
use amdgpu_bundle::{BundleEntryId, TargetId, TargetName};
use amdgpu_object::{parse_register, printable};
use amdgpu_report::cases::{Limits, answer};
use amdgpu_report::{Suppressions, demangle, parse_kinds};

use super::instructions::selected;

/// Lines of cases: an answer in a line for each. The first byte selects the set.
pub fn cases(input: &[u8]) {
    let Some((first, lines)) = input.split_first() else { return };
    let Ok(text) = str::from_utf8(lines) else { return };
    let (arch, _) = selected(*first);
    let mut answers = Vec::new();
    let limits = Limits { instructions: 10_000, memory_bytes: 1 << 20, waves: 4 };
    answer(arch, lines, &mut answers, limits).expect("the lines are text");
    let answers = String::from_utf8(answers).expect("answers are text");
    assert_eq!(answers.lines().count(), text.lines().filter(|line| !line.trim().is_empty()).count());
}

/// A name of a symbol, of kinds of findings, of a target.
pub fn names(input: &[u8]) {
    let text = printable(input);
    assert!(!text.contains(char::is_control), "{text:?}");
    let mut room = [0; 64];
    let _ = (hex::parse(input, &mut room), hex::parse_instruction(input, &mut room));
    let Ok(text) = str::from_utf8(input) else { return };
    let _ = (
        demangle::demangled(text),
        demangle::readable(text),
        demangle::function_names(text),
        demangle::unqualified(text),
    );
    let _ = (parse_register(text), amdgpu_asm::parse_definition(text));
    let kinds = parse_kinds(text).map_err(|error| error.to_string());
    let selection = TargetSelection::parse(text).map_err(|error| error.to_string());
    let mut suppressions = Suppressions::default();
    let added = suppressions.add("file", text).map_err(|error| error.to_string());
    for error in [kinds.err(), selection.err(), added.err()].into_iter().flatten() {
        assert!(!error.is_empty());
    }
    if let Some(kind) = isa_exec::check::finding::Kind::ALL.first() {
        let _ = suppressions.matches(*kind, Some(text), None);
    }
    if let Some(id) = BundleEntryId::parse(text) {
        drop(id.target_id());
    }
    drop((TargetName::parse(text), TargetId::parse(text)));
}

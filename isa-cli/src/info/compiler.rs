//! `isa info`: the body of an opcode and its facts for compilers.

use rdna3::Opcode;
use serde_json::{Map, Value, json};

/// Adds the body and the facts of an opcode.
pub fn add(opcode: Opcode, out: &mut Map<String, Value>) {
    let mut body = String::new();
    // Writing to a String does not fail.
    let _ = opcode.write_body(&mut body);
    out.insert("computes".into(), json!(if body.is_empty() { "nothing".into() } else { body }));
    if let Some(fidelity) = opcode.fidelity() {
        out.insert("fidelity".into(), json!(fidelity.to_string()));
    }
    out.insert("pipeline".into(), json!(format!("{:?}", opcode.pipeline())));
    let facts = [
        ("conditional branch", opcode.is_conditional_branch()),
        ("branch", opcode.is_branch() && !opcode.is_conditional_branch()),
        ("call", opcode.is_call()),
        ("terminator", opcode.is_terminator()),
        ("may load", opcode.may_load()),
        ("may store", opcode.may_store()),
        ("side effects", opcode.has_side_effects()),
        ("convergent", opcode.is_convergent()),
        ("rematerializable", opcode.is_rematerializable()),
        ("commutative", opcode.is_commutative()),
    ];
    let facts: Vec<&str> = facts.into_iter().filter(|(_, holds)| *holds).map(|(name, _)| name).collect();
    if !facts.is_empty() {
        out.insert("facts".into(), json!(facts));
    }
    let related = [
        ("commuted", opcode.commuted().filter(|other| *other != opcode)),
        ("inverse", opcode.inverse()),
        ("two-address form", opcode.two_address()),
        ("three-address form", opcode.three_address()),
        ("without a literal", opcode.without_literal()),
        ("without a constant", opcode.without_constant()),
    ];
    for (name, other) in related {
        if let Some(other) = other {
            out.insert(name.into(), json!(other.name()));
        }
    }
    let with = |of: fn(Opcode, usize) -> Option<Opcode>| -> Vec<&str> {
        (0..opcode.operands().count()).filter_map(|operand| of(opcode, operand)).map(Opcode::name).collect()
    };
    for (name, others) in
        [("with a literal", with(Opcode::with_literal)), ("with a constant", with(Opcode::with_constant))]
    {
        if !others.is_empty() {
            out.insert(name.into(), json!(others));
        }
    }
}

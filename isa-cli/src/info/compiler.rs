//! `isa info`: the body of an opcode and its facts for compilers.

use isa::body::{Relation, write_body};
use isa::facts;
use serde_json::{Map, Value, json};

use super::described::Described;

/// Adds the body and the facts of an opcode.
pub fn add<I: Described>(opcode: I::Opcode, out: &mut Map<String, Value>) {
    let (index, bodies) = (I::opcode_index(opcode), I::inst_tables().bodies);
    let mut text = String::new();
    if let Some(body) = bodies.body(index) {
        // Writing to a String does not fail.
        let _ = write_body(body, bodies.roles(index), &mut text);
    }
    out.insert("computes".into(), json!(if text.is_empty() { "nothing".into() } else { text }));
    if let Some(fidelity) = bodies.fidelity(index) {
        out.insert("fidelity".into(), json!(fidelity.to_string()));
    }
    if let Some(pipeline) = I::pipeline(opcode) {
        out.insert("pipeline".into(), json!(format!("{pipeline:?}")));
    }
    let related = |relation| facts::related::<I>(opcode, relation);
    let is_conditional = facts::is_conditional_branch::<I>(opcode);
    let properties = [
        ("conditional branch", is_conditional),
        ("branch", facts::is_branch::<I>(opcode) && !is_conditional),
        ("call", bodies.effects(index).saves_pc()),
        ("terminator", facts::is_terminator::<I>(opcode)),
        ("may load", facts::may_load::<I>(opcode)),
        ("may store", facts::may_store::<I>(opcode)),
        ("side effects", facts::has_side_effects::<I>(opcode)),
        ("convergent", facts::is_convergent::<I>(opcode)),
        ("rematerializable", facts::is_rematerializable::<I>(opcode)),
        ("commutative", related(Relation::Commuted) == Some(opcode)),
    ];
    let properties: Vec<&str> = properties.into_iter().filter(|(_, holds)| *holds).map(|(name, _)| name).collect();
    if !properties.is_empty() {
        out.insert("facts".into(), json!(properties));
    }
    let name = |other| I::tables().mnemonics.get(usize::from(I::opcode_index(other))).copied();
    let others = [
        ("commuted", related(Relation::Commuted).filter(|other| *other != opcode)),
        ("inverse", related(Relation::Inverse)),
        ("two-address form", related(Relation::TwoAddress)),
        ("three-address form", related(Relation::ThreeAddress)),
        ("without a literal", related(Relation::WithoutLiteral)),
        ("without a constant", related(Relation::WithoutConstant)),
    ];
    for (key, other) in others {
        if let Some(other) = other.and_then(name) {
            out.insert(key.into(), json!(other));
        }
    }
    for (key, relation) in [("with a literal", Relation::WithLiteral), ("with a constant", Relation::WithConstant)] {
        let operands = 0..facts::operands::<I>(opcode).count();
        let others = operands.filter_map(|operand| facts::related_at::<I>(opcode, relation, operand));
        let others: Vec<&str> = others.filter_map(name).collect();
        if !others.is_empty() {
            out.insert(key.into(), json!(others));
        }
    }
}

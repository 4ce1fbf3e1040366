//! The documentation of bodies.

use isa_body::{Fidelity, ops, write_body};

use crate::ast::CompiledBody;

/// Returns the documentation of a body.
pub(super) fn body_doc(body: &CompiledBody, dispute: Option<&str>) -> String {
    let roles: Vec<&str> = body.roles.iter().map(String::as_str).collect();
    let mut text = String::new();
    // Writing to a String does not fail.
    let _ = write_body(ops(&body.code), &roles, &mut text);
    if text.is_empty() {
        return "\n\nComputes nothing.".into();
    }
    let fidelity = match Fidelity::of(ops(&body.code)) {
        Fidelity::Exact | Fidelity::Disputed => "Exactly".into(),
        Fidelity::Within(ulps) => format!("Within {ulps}"),
        Fidelity::Approximate => "Approximately".into(),
        Fidelity::External => "In part (`external` stands for what is not described)".into(),
    };
    let fidelity = match dispute {
        Some(dispute) => format!("{fidelity}, but disputed ({dispute})"),
        None => fidelity,
    };
    format!("\n\n{fidelity}: `{text}`")
}

//! Reports of `isa run --check`.

use std::io::{self, Write};

use amdgpu_dispatch::CODE_BASE;
use amdgpu_object::Grid;
use isa_exec::check::finding::{Finding, Place, Register, Severity};
use serde_json::{Value, json};

use crate::run::place::Places;

/// Writes the findings, and returns whether one is an error.
pub fn write(
    findings: &[Finding],
    places: &Places<'_>,
    grid: &Grid,
    is_json: bool,
    out: &mut dyn Write,
) -> io::Result<bool> {
    for finding in findings {
        let line = to_json(finding, places, grid);
        if is_json {
            writeln!(out, "{line}")?;
        } else {
            writeln!(io::stderr(), "{line:#}")?;
        }
    }
    Ok(findings.iter().any(|finding| finding.severity == Severity::Error))
}

fn to_json(finding: &Finding, places: &Places<'_>, grid: &Grid) -> Value {
    let mut line = place_to_json(&finding.place, places, grid);
    line["kind"] = finding.kind.name().into();
    line["severity"] = if finding.severity == Severity::Error { "error" } else { "note" }.into();
    line["count"] = finding.count.into();
    line["registers"] = finding.registers.iter().map(|register| name(*register)).collect();
    line["help"] = finding.help.as_ref().into();
    if let Some(memory) = finding.memory {
        line["space"] = memory.space.name().into();
        line["at"] = format!("{:#x}", memory.at).into();
        line["bytes"] = memory.bytes.into();
    }
    if let Some(access) = finding.access {
        line["access"] = access.name().into();
    }
    if let Some(other) = &finding.other {
        line["other"] = place_to_json(&other.place, places, grid);
        if let Some(access) = other.access {
            line["other"]["access"] = access.name().into();
        }
    }
    line
}

fn place_to_json(place: &Place, places: &Places<'_>, grid: &Grid) -> Value {
    let [x, y, _] = grid.groups().map(u64::from);
    let group = [place.group % x, place.group / x % y, place.group / x / y];
    json!({
        "address": format!("{:#x}", place.pc.wrapping_sub(CODE_BASE)),
        "symbol": places.symbol(place.pc),
        "text": places.text(place.pc),
        "source": places.line(place.pc),
        "group": group,
        "wave": place.wave,
        "lanes": lanes(place.lanes),
    })
}

/// Lanes as ranges.
fn lanes(mask: u64) -> String {
    let mut parts = Vec::new();
    let mut at = 0;
    while at < 64 {
        if mask >> at & 1 == 0 {
            at += 1;
            continue;
        }
        let count = (mask >> at).trailing_ones();
        parts.push(if count == 1 { at.to_string() } else { format!("{at}-{}", at + count - 1) });
        at += count;
    }
    parts.join(",")
}

/// The name of a register.
fn name(register: Register) -> String {
    match register {
        Register::Vector(number) => format!("v{number}"),
        Register::Scalar(number @ 0..=105) => format!("s{number}"),
        Register::Scalar(106) => "vcc_lo".into(),
        Register::Scalar(107) => "vcc_hi".into(),
        Register::Scalar(125) => "m0".into(),
        Register::Scalar(126) => "exec_lo".into(),
        Register::Scalar(127) => "exec_hi".into(),
        Register::Scalar(number) => format!("scalar row {number}"),
    }
}

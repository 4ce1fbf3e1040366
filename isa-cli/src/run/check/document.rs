//! Findings as JSON.

use amdgpu_dispatch::{Side, lane_ranges, register_name};
use isa_exec::check::finding::{Bytes, Severity, Unwritten};
use serde_json::{Map, Value, json};

use crate::run::check::record::{Execution, Origin, Record, Site};

/// Returns a finding as a JSON object.
pub fn of_record(record: &Record) -> Value {
    let mut object = Map::new();
    let mut set = |key: &str, value: Value| object.insert(key.into(), value);
    set("kind", record.kind.name().into());
    set("severity", severity(record.severity).into());
    if let Some(authority) = record.authority {
        set("authority", authority.into());
    }
    of_site(&record.here.site).into_iter().chain(of_execution(&record.here)).for_each(|(key, value)| {
        set(&key, value);
    });
    set("count", record.count.into());
    set("registers", json!(record.registers));
    if let Some(memory) = record.memory {
        of_memory(memory).into_iter().for_each(|(key, value)| {
            set(&key, value);
        });
    }
    if let Some((near, argument)) = record.near.and_then(|near| Some((near, near.argument?))) {
        set("argument", argument.into());
        let side = match near.side {
            Side::Before => "before_start",
            Side::Inside => "offset",
            Side::After => "past_end",
        };
        set(side, near.distance.into());
    }
    if let Some(access) = record.here.access {
        set("access", access.name().into());
    }
    if let Some(other) = &record.other {
        let mut object = of_site(&other.site);
        object.extend(of_execution(other));
        if let Some(access) = other.access {
            object.insert("access".into(), access.name().into());
        }
        set("other", object.into());
    }
    if let Some(origin) = &record.origin {
        set("origin", of_origin(origin, &record.here.site));
    }
    set("help", record.help.as_str().into());
    object.into()
}

fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Note => "note",
    }
}

fn of_site(site: &Site) -> Map<String, Value> {
    let source = site.source.as_ref().map(ToString::to_string);
    let fields = [
        ("address", format!("{:#x}", site.address).into()),
        ("symbol", json!(site.symbol)),
        ("text", json!(site.text)),
        ("source", json!(source)),
    ];
    fields.into_iter().map(|(key, value)| (key.into(), value)).collect()
}

fn of_execution(execution: &Execution) -> [(String, Value); 3] {
    [
        ("group".into(), json!(execution.group)),
        ("wave".into(), execution.wave.into()),
        ("lanes".into(), lane_ranges(execution.lanes).into()),
    ]
}

fn of_memory(memory: Bytes) -> [(String, Value); 3] {
    [
        ("space".into(), memory.space.name().into()),
        ("at".into(), format!("{:#x}", memory.at).into()),
        ("bytes".into(), memory.bytes.into()),
    ]
}

fn of_origin(origin: &Origin, here: &Site) -> Value {
    let mut object = of_site(origin.site.as_ref().unwrap_or(here));
    match origin.source {
        Unwritten::Register(register) => {
            object.insert("registers".into(), json!([register_name(register)]));
        }
        Unwritten::Memory(memory) => object.extend(of_memory(memory)),
    }
    object.into()
}

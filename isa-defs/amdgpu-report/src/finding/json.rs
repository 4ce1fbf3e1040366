//! Findings as JSON.

use amdgpu_dispatch::{Side, lane_ranges, register_name};
use isa_exec::check::finding::{Bytes, Severity, Unwritten};
use serde_json::{Map, Value, json};

use super::{Execution, ResolvedFinding, ResolvedOrigin, ResolvedSite};

impl ResolvedFinding {
    /// Returns the finding as a JSON object.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let mut object = Map::new();
        let mut set = |key: &str, value: Value| object.insert(key.into(), value);
        set("kind", self.kind.name().into());
        set("severity", severity(self.severity).into());
        if let Some(authority) = self.authority {
            set("authority", authority.into());
        }
        of_site(&self.here.site).into_iter().chain(of_execution(&self.here)).for_each(|(key, value)| {
            set(&key, value);
        });
        set("count", self.count.into());
        set("registers", json!(self.registers));
        if let Some(memory) = self.memory {
            of_memory(memory).into_iter().for_each(|(key, value)| {
                set(&key, value);
            });
        }
        if let Some((near, argument)) = self.near.as_ref().and_then(|memory| Some((memory.near, memory.near.argument?)))
        {
            set("argument", argument.into());
            let side = match near.side {
                Side::Before => "before_start",
                Side::Inside => "offset",
                Side::After => "past_end",
            };
            set(side, near.distance.into());
        }
        if let Some(access) = self.here.access {
            set("access", access.name().into());
        }
        if let Some(other) = &self.other {
            let mut object = of_site(&other.site);
            object.extend(of_execution(other));
            if let Some(access) = other.access {
                object.insert("access".into(), access.name().into());
            }
            set("other", object.into());
        }
        if let Some(origin) = &self.origin {
            set("origin", of_origin(origin, &self.here.site));
        }
        set("help", self.help.as_str().into());
        object.into()
    }
}

fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Note => "note",
    }
}

fn of_site(site: &ResolvedSite) -> Map<String, Value> {
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

fn of_origin(origin: &ResolvedOrigin, here: &ResolvedSite) -> Value {
    let mut object = of_site(origin.site.as_ref().unwrap_or(here));
    match origin.source {
        Unwritten::Register(register) => {
            object.insert("registers".into(), json!([register_name(register)]));
        }
        Unwritten::Memory(memory) => object.extend(of_memory(memory)),
    }
    object.into()
}

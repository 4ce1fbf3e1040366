//! The registers of a wave, to show them and what changed.

use std::fmt::Write as _;

use isa_exec::wave::Wave;
use serde_json::{Map, Value, json};

use crate::cases::NAMED;

/// The numbered scalar registers.
const SGPRS: u16 = 106;

/// The registers of a wave at one time.
#[derive(Clone, Default)]
pub struct Snapshot {
    scalars: Vec<u32>,
    scc: bool,
    /// The lanes of each vector register, one register after the other.
    vectors: Vec<u32>,
    lanes: usize,
}

/// A register and its value, in a lane if it is a vector register.
pub struct Value32 {
    name: String,
    lane: Option<usize>,
    value: u32,
}

impl Snapshot {
    /// The registers of a wave with this many vector registers.
    pub fn new(wave: &Wave, vectors: u16) -> Self {
        let lanes = wave.lanes();
        let all = (0..vectors).flat_map(|register| (0..lanes).map(move |lane| (register, lane)));
        Self {
            scalars: (0..128).map(|register| wave.sgpr(register)).collect(),
            scc: wave.scc(),
            vectors: all.map(|(register, lane)| wave.vgpr(register, lane)).collect(),
            lanes,
        }
    }

    /// The registers that differ from an earlier time; of vector registers those of one lane, if it is given.
    pub fn changes(&self, before: &Self, lane: Option<usize>) -> Vec<Value32> {
        let mut changed = Vec::new();
        let named = NAMED.into_iter().map(|(name, register)| (name.to_owned(), register));
        let numbered = (0..SGPRS).map(|register| (format!("s{register}"), register));
        for (name, register) in numbered.chain(named) {
            let at = |snapshot: &Self| snapshot.scalars.get(usize::from(register)).copied().unwrap_or_default();
            if at(self) != at(before) {
                changed.push(Value32 { name, lane: None, value: at(self) });
            }
        }
        if self.scc != before.scc {
            changed.push(Value32 { name: "scc".into(), lane: None, value: self.scc.into() });
        }
        for (at, value) in self.vectors.iter().enumerate() {
            let of = at % self.lanes.max(1);
            if before.vectors.get(at).copied().unwrap_or_default() != *value && lane.is_none_or(|lane| lane == of) {
                changed.push(Value32 { name: format!("v{}", at / self.lanes.max(1)), lane: Some(of), value: *value });
            }
        }
        changed
    }
}

/// Registers as text: `s4=0x1 v0[3]=0x7`, a vector register with one value in all of its lanes as `v0[0..31]=0x7`.
pub fn text(values: &[Value32]) -> String {
    let mut text = String::new();
    let mut rest = values;
    while let Some(first) = rest.first() {
        let same = |value: &&Value32| value.name == first.name && value.value == first.value;
        let mut run = 1;
        if let Some(lane) = first.lane {
            let next = |(at, value): (usize, &Value32)| same(&value) && value.lane == Some(lane + at);
            run = rest.iter().enumerate().take_while(|(at, value)| next((*at, value))).count();
        }
        let blank = if text.is_empty() { "" } else { " " };
        // Writing to a string does not fail.
        let _ = match first.lane {
            None => write!(text, "{blank}{}={:#x}", first.name, first.value),
            Some(lane) if run == 1 => write!(text, "{blank}{}[{lane}]={:#x}", first.name, first.value),
            Some(lane) => {
                write!(text, "{blank}{}[{lane}..{}]={:#x}", first.name, lane + run - 1, first.value)
            }
        };
        rest = rest.get(run.max(1)..).unwrap_or_default();
    }
    text
}

/// Registers as JSON: numbers by name, those of vector registers by name and lane.
pub fn to_json(values: &[Value32]) -> Value {
    let mut object = Map::new();
    for Value32 { name, lane, value } in values {
        match lane {
            None => {
                object.insert(name.clone(), json!(value));
            }
            Some(lane) => {
                let lanes = object.entry(name.clone()).or_insert_with(|| Value::Object(Map::new()));
                if let Value::Object(lanes) = lanes {
                    lanes.insert(lane.to_string(), json!(value));
                }
            }
        }
    }
    Value::Object(object)
}

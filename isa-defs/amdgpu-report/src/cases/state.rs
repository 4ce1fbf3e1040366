//! The state of a wave in JSON.

use amdgpu_arch::hex;
use isa_exec::wave::Wave;
use serde_json::{Map, Value, json};

/// The scalar registers that have their own names.
pub const NAMED: [(&str, u16); 5] = [("vcc", 106), ("vcc_hi", 107), ("m0", 125), ("exec", 126), ("exec_hi", 127)];

/// The scalar registers that are numbered: s0 to s105.
const SGPRS: u16 = 106;

/// The vector registers.
const VGPRS: u16 = 256;

/// The fields of a JSON object, and what it is called in errors.
pub struct StateFields<'a> {
    object: &'a Map<String, Value>,
    name: &'a str,
}

/// Bytes at an address.
pub struct StateBytes {
    pub address: u64,
    pub size: Option<u64>,
    pub bytes: Vec<u8>,
}

impl<'a> StateFields<'a> {
    /// The fields of a value, which must be an object.
    pub fn new(value: &'a Value, name: &'a str) -> Result<Self, String> {
        let object = value.as_object().ok_or_else(|| format!("`{name}` is not an object"))?;
        Ok(StateFields { object, name })
    }

    pub fn get(&self, key: &str) -> Option<&'a Value> {
        self.object.get(key)
    }

    /// A number, if the field is there.
    pub fn number(&self, key: &str) -> Result<Option<u64>, String> {
        let Some(value) = self.get(key) else { return Ok(None) };
        let number = value.as_u64().ok_or_else(|| format!("`{key}` in `{}` is not an unsigned number", self.name))?;
        Ok(Some(number))
    }

    /// Bytes in hex; none if the field is not there.
    pub fn bytes(&self, key: &str) -> Result<Vec<u8>, String> {
        let Some(value) = self.get(key) else { return Ok(Vec::new()) };
        let text = value.as_str().ok_or_else(|| format!("`{key}` in `{}` is not text", self.name))?;
        if text.is_empty() {
            return Ok(Vec::new());
        }
        let mut bytes = vec![0; text.len() / 2 + 1];
        let count = hex::parse(text.as_bytes(), &mut bytes).map_err(|error| format!("`{key}`: {error}"))?;
        bytes.truncate(count);
        Ok(bytes)
    }

    /// Byte ranges: objects with `addr`, `hex` and perhaps `size`.
    pub fn ranges(&self, key: &str) -> Result<Vec<StateBytes>, String> {
        let Some(value) = self.get(key) else { return Ok(Vec::new()) };
        of_ranges(value, key)
    }
}

fn of_ranges(value: &Value, key: &str) -> Result<Vec<StateBytes>, String> {
    let all = value.as_array().ok_or_else(|| format!("`{key}` is not an array"))?;
    let range = |value: &Value| {
        let fields = StateFields::new(value, key)?;
        let address = fields.number("addr")?.ok_or_else(|| format!("an item of `{key}` has no `addr`"))?;
        Ok(StateBytes { address, size: fields.number("size")?, bytes: fields.bytes("hex")? })
    };
    all.iter().map(range).collect()
}

/// Copies bytes to their address in a memory that begins at 0.
pub fn place(memory: &mut [u8], range: &StateBytes) -> Result<(), String> {
    let start = usize::try_from(range.address).unwrap_or(usize::MAX);
    let to = memory.get_mut(start..start.saturating_add(range.bytes.len()));
    to.ok_or_else(|| format!("{:#x} is outside the memory", range.address))?.copy_from_slice(&range.bytes);
    Ok(())
}

/// The number of a register, lane or value below a limit.
fn below(text: &str, limit: usize, what: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| *number < limit);
    number.ok_or_else(|| format!("`{text}` is not a {what}; there are {limit}"))
}

fn dword(value: &Value, what: &str) -> Result<u32, String> {
    let number = value.as_u64().and_then(|number| u32::try_from(number).ok());
    number.ok_or_else(|| format!("{what} is not an unsigned number of 32 bits"))
}

/// Fills a wave's registers and private memory.
pub fn fill(wave: &mut Wave, state: &StateFields<'_>) -> Result<(), String> {
    for (name, register) in NAMED {
        if let Some(value) = state.get(name) {
            wave.set_sgpr(register, dword(value, name)?);
        }
    }
    if let Some(scc) = state.number("scc")? {
        wave.set_scc(scc != 0);
    }
    if let Some(registers) = state.get("s") {
        for (number, value) in StateFields::new(registers, "s")?.object {
            let register = below(number, SGPRS.into(), "scalar register")?;
            wave.set_sgpr(register as u16, dword(value, "a scalar register")?);
        }
    }
    if let Some(registers) = state.get("v") {
        for (number, lanes) in StateFields::new(registers, "v")?.object {
            let register = below(number, VGPRS.into(), "vector register")?;
            let lanes = lanes.as_array().ok_or("a vector register is not an array")?;
            for (lane, value) in lanes.iter().enumerate() {
                wave.set_vgpr(register as u16, lane, dword(value, "a lane of a vector register")?);
            }
        }
    }
    if let Some(lanes) = state.get("scratch") {
        for (number, ranges) in StateFields::new(lanes, "scratch")?.object {
            let lane = below(number, wave.lanes(), "lane")?;
            for range in of_ranges(ranges, "scratch")? {
                place(wave.scratch_mut(lane), &range)?;
            }
        }
    }
    Ok(())
}

/// The registers and private memory that differ.
pub fn changes(before: &Wave, after: &Wave) -> Value {
    let mut state = Map::new();
    let mut scalars = Map::new();
    for register in (0..SGPRS).filter(|register| before.sgpr(*register) != after.sgpr(*register)) {
        scalars.insert(register.to_string(), json!(after.sgpr(register)));
    }
    if !scalars.is_empty() {
        state.insert("s".into(), Value::Object(scalars));
    }
    for (name, register) in NAMED {
        if before.sgpr(register) != after.sgpr(register) {
            state.insert(name.into(), json!(after.sgpr(register)));
        }
    }
    if before.scc() != after.scc() {
        state.insert("scc".into(), json!(u32::from(after.scc())));
    }
    let row = |wave: &Wave, register| (0..wave.lanes()).map(|lane| wave.vgpr(register, lane)).collect::<Vec<u32>>();
    let mut vectors = Map::new();
    for register in 0..VGPRS {
        let last = row(after, register);
        if row(before, register) != last {
            vectors.insert(register.to_string(), json!(last));
        }
    }
    if !vectors.is_empty() {
        state.insert("v".into(), Value::Object(vectors));
    }
    let mut scratch = Map::new();
    for lane in 0..after.lanes() {
        let changed = changed_bytes(0, before.scratch(lane), after.scratch(lane));
        if !changed.is_empty() {
            scratch.insert(lane.to_string(), Value::Array(changed));
        }
    }
    if !scratch.is_empty() {
        state.insert("scratch".into(), Value::Object(scratch));
    }
    Value::Object(state)
}

/// The runs of bytes that differ, with their addresses.
pub fn changed_bytes(start: u64, before: &[u8], after: &[u8]) -> Vec<Value> {
    let mut runs: Vec<Value> = Vec::new();
    let mut at = 0;
    while let Some(skip) = before.iter().zip(after).skip(at).position(|(old, new)| old != new) {
        let first = at + skip;
        let length = before.iter().zip(after).skip(first).take_while(|(old, new)| old != new).count();
        let mut text = Vec::new();
        hex::push(&mut text, after.get(first..first + length).unwrap_or_default());
        runs.push(json!({ "addr": start + first as u64, "hex": String::from_utf8_lossy(&text) }));
        at = first + length;
    }
    runs
}

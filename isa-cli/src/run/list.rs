//! The kernels of code objects and their arguments.

use std::io::{self, Write};

use amdgpu_object::{Argument, CodeObject, Kernel, ValueKind};
use amdgpu_report::shown_name;
use serde_json::{Value, json};

use crate::input::printable;

/// Writes each kernel of code objects at places in a file, with its arguments, as text or as one line of JSON.
pub fn write(objects: &[(&str, CodeObject<'_>)], is_json: bool, out: &mut impl Write) -> io::Result<()> {
    if is_json {
        let mut kernels: Vec<Value> = Vec::new();
        for (place, object) in objects {
            for kernel in &object.kernels {
                let mut kernel = to_json(kernel);
                if !place.is_empty() {
                    kernel["image"] = json!(place);
                }
                kernels.push(kernel);
            }
        }
        return writeln!(out, "{}", json!({ "kernels": kernels }));
    }
    for (place, object) in objects {
        if !place.is_empty() {
            writeln!(out, "{place}:")?;
        }
        for kernel in &object.kernels {
            one(kernel, out)?;
        }
    }
    Ok(())
}

fn to_json(kernel: &Kernel) -> Value {
    let metadata = kernel.metadata.as_ref();
    let mut out = facts(kernel);
    out["arguments"] = metadata.map(|kernel| kernel.explicit_arguments().map(argument).collect::<Vec<_>>()).into();
    out
}

/// Returns an argument as JSON.
pub fn argument(argument: &Argument) -> Value {
    json!({
        "name": argument.name,
        "type": argument.type_name,
        "kind": argument.value_kind.name(),
        "offset": argument.offset,
        "size": argument.size,
    })
}

/// Returns a kernel without its arguments as JSON.
pub fn facts(kernel: &Kernel) -> Value {
    let descriptor = &kernel.descriptor;
    json!({
        "name": kernel.name,
        "demangled": shown_name(kernel),
        "wave": if descriptor.wavefront_size32() { 32 } else { 64 },
        "lds_bytes": descriptor.group_segment_fixed_size(),
        "scratch_bytes": descriptor.private_segment_fixed_size(),
        "dynamic_stack": descriptor.uses_dynamic_stack(),
        "work_group": kernel.metadata.as_ref().and_then(|kernel| kernel.reqd_workgroup_size),
    })
}

fn one(kernel: &Kernel, out: &mut impl Write) -> io::Result<()> {
    let descriptor = &kernel.descriptor;
    let wave = if descriptor.wavefront_size32() { 32 } else { 64 };
    write!(out, "{} (wave{wave}", shown_name(kernel))?;
    if descriptor.group_segment_fixed_size() > 0 {
        write!(out, ", {} bytes of LDS", descriptor.group_segment_fixed_size())?;
    }
    if descriptor.uses_dynamic_stack() {
        write!(out, ", dynamic stack")?;
    } else if descriptor.private_segment_fixed_size() > 0 {
        write!(out, ", {} bytes of scratch", descriptor.private_segment_fixed_size())?;
    }
    let Some(metadata) = &kernel.metadata else {
        return writeln!(out, ", no metadata of arguments: {} bytes)", descriptor.kernarg_size());
    };
    if let Some([x, y, z]) = metadata.reqd_workgroup_size {
        write!(out, ", work-groups of {x},{y},{z}")?;
    }
    writeln!(out, ")")?;
    for (index, argument) in metadata.explicit_arguments().enumerate() {
        let name = argument.name.as_deref().unwrap_or("");
        let ty = argument.type_name.as_deref().unwrap_or("");
        let spec = match (argument.value_kind, argument.size) {
            (ValueKind::GlobalBuffer, _) => "buf:".into(),
            (kind @ (ValueKind::Image | ValueKind::Sampler), _) => format!("buf: with the {} descriptor", kind.name()),
            (ValueKind::DynamicSharedPointer, _) => "lds:".into(),
            (ValueKind::ByValue, 1) => "u8: i8:".into(),
            (ValueKind::ByValue, 2) => "u16: i16: f16:".into(),
            (ValueKind::ByValue, 4) => "u32: i32: f32:".into(),
            (ValueKind::ByValue, 8) => "u64: i64: f64:".into(),
            (ValueKind::ByValue, size) => format!("hex: of {size} bytes"),
            (kind, _) => format!("{}, not supported", kind.name()),
        };
        let described = printable(format!("{ty} {name}").trim().as_bytes());
        let blank = if described.is_empty() { "" } else { "  " };
        writeln!(out, "  {index}{blank}{described}  {spec}")?;
    }
    Ok(())
}

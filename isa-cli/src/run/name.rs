//! Names of kernels: those that `--kernel` takes, and the one that messages show.

use amdgpu_object::{CodeObject, Kernel};

use crate::demangle;
use crate::input::printable;

/// The most names that a message lists.
const SHOWN: usize = 10;

/// Returns the name of a kernel for messages: that of the metadata if it is not the symbol's, and else the symbol's; demangled,
/// without terminal escapes.
pub fn shown(kernel: &Kernel) -> String {
    demangle::readable(stated(kernel).unwrap_or(&kernel.name))
}

/// The name in a kernel's metadata, if it is not the symbol's.
fn stated(kernel: &Kernel) -> Option<&str> {
    kernel.metadata.as_ref().map(|metadata| metadata.name.as_str()).filter(|name| *name != kernel.name)
}

/// Returns the kernel of a name.
///
/// The name is that of the descriptor's symbol with or without `.kd`, or the one of the metadata, or either of them demangled:
/// with its parameters, or only the function's name, with or without template arguments and namespaces. The first of these
/// that names a kernel counts.
///
/// # Errors
/// The message if no kernel, or several, have the name.
pub fn find<'a>(object: &'a CodeObject, name: &str) -> Result<&'a Kernel, String> {
    let bare = name.strip_suffix(".kd").unwrap_or(name);
    let spaceless = |text: &str| text.split_whitespace().collect::<String>();
    let wanted = spaceless(name);
    let names = |kernel: &'a Kernel| [Some(kernel.name.as_str()), stated(kernel)].into_iter().flatten();
    let is_demangled = |name: &str| demangle::demangled(name).is_some_and(|name| spaceless(&name) == wanted);
    // A name of the metadata may be demangled already.
    let bare_function = |name: &str| name.split_once('(').is_some_and(|(function, _)| spaceless(function) == wanted);
    let is_function =
        |name: &str| demangle::function_names(name).iter().any(|name| spaceless(name) == wanted) || bare_function(name);
    let is_last = |name: &str| {
        let functions = demangle::function_names(name);
        functions.iter().any(|name| spaceless(demangle::unqualified(name)) == wanted)
    };
    let ways: [&dyn Fn(&'a Kernel) -> bool; 5] = [
        &|kernel| kernel.name == bare,
        &|kernel| stated(kernel) == Some(name),
        &|kernel| names(kernel).any(|name| is_demangled(name) || spaceless(name) == wanted),
        &|kernel| names(kernel).any(is_function),
        &|kernel| names(kernel).any(is_last),
    ];
    for way in ways {
        let found: Vec<&Kernel> = object.kernels.iter().filter(|kernel| way(kernel)).collect();
        match found.as_slice() {
            [] => {}
            [kernel] => return Ok(kernel),
            several => {
                let (name, list) = (printable(name.as_bytes()), list(several.iter().copied()));
                return Err(format!("`{name}` names {} kernels; help: write one of {list}", several.len()));
            }
        }
    }
    if object.kernels.is_empty() {
        return Err("the file holds no kernels".into());
    }
    // Those that contain the name are the likeliest.
    let is_near = |kernel: &&Kernel| shown(kernel).contains(name) || kernel.name.contains(name);
    let mut near: Vec<&Kernel> = object.kernels.iter().filter(is_near).collect();
    near.extend(object.kernels.iter().filter(|kernel| !is_near(kernel)));
    Err(format!(
        "no kernel is named `{}`; help: the kernels are {}",
        printable(name.as_bytes()),
        list(near.into_iter())
    ))
}

/// The names of kernels, as many as fit a message.
fn list<'a>(kernels: impl ExactSizeIterator<Item = &'a Kernel>) -> String {
    let more = kernels.len().saturating_sub(SHOWN);
    let names: Vec<String> = kernels.take(SHOWN).map(shown).collect();
    // Names have commas.
    let names = names.join("; ");
    if more == 0 { names } else { format!("{names}; and {more} more, which `isa run FILE` lists") }
}

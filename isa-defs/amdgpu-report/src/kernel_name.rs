//! Names of kernels: those that users write, and the one that messages show.

use amdgpu_object::Kernel;

use crate::demangle;
use crate::error::ReportError;

/// Returns the name of a kernel for messages: that of the metadata if it is not the symbol's, and else the symbol's; demangled,
/// without terminal escapes.
#[must_use]
pub fn shown_name(kernel: &Kernel) -> String {
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
/// No kernel, or several, have the name.
pub fn find_kernel<'a>(kernels: &'a [Kernel], name: &str) -> Result<&'a Kernel, ReportError> {
    let bare = name.strip_suffix(".kd").unwrap_or(name);
    let exact = kernels.iter().find(|kernel| kernel.name == bare);
    let exact = exact.or_else(|| kernels.iter().find(|kernel| stated(kernel) == Some(name)));
    if let Some(kernel) = exact {
        return Ok(kernel);
    }
    let named: Vec<Names<'_>> = kernels.iter().map(Names::new).collect();
    let wanted = spaceless(name);
    let criteria: [fn(&Names<'_>, &str) -> bool; 3] = [
        |names, wanted| names.full.iter().any(|name| name == wanted),
        |names, wanted| names.functions.iter().any(|name| name == wanted),
        |names, wanted| names.functions.iter().any(|name| demangle::unqualified(name) == wanted),
    ];
    for is_named in criteria {
        let found = named.iter().filter(|names| is_named(names, &wanted)).map(|names| names.kernel);
        let found: Vec<&Kernel> = found.collect();
        match found.as_slice() {
            [] => {}
            [kernel] => return Ok(kernel),
            several => {
                let kernels = several.iter().map(|kernel| shown_name(kernel)).collect();
                return Err(ReportError::AmbiguousKernel { name: name.to_owned(), kernels });
            }
        }
    }
    if kernels.is_empty() {
        return Err(ReportError::NoKernels);
    }
    // Those that contain the name are the likeliest.
    let is_near = |names: &&Names<'_>| names.full.iter().any(|name| name.contains(&wanted));
    let (near, others): (Vec<_>, Vec<_>) = named.iter().partition(is_near);
    let kernels = near.iter().chain(&others).map(|names| shown_name(names.kernel)).collect();
    Err(ReportError::UnknownKernel { name: name.to_owned(), kernels })
}

/// The names of a kernel besides its symbol, without blanks.
struct Names<'a> {
    kernel: &'a Kernel,
    /// The symbol and the name of the metadata, each mangled and demangled.
    full: Vec<String>,
    /// Those without parameters and result, and without template arguments as well.
    functions: Vec<String>,
}

impl<'a> Names<'a> {
    fn new(kernel: &'a Kernel) -> Self {
        let mut names = Names { kernel, full: Vec::new(), functions: Vec::new() };
        for name in [Some(kernel.name.as_str()), stated(kernel)].into_iter().flatten() {
            names.full.push(spaceless(name));
            names.full.extend(demangle::demangled(name).map(|name| spaceless(&name)));
            names.functions.extend(demangle::function_names(name).iter().map(|name| spaceless(name)));
            // A name of the metadata may be demangled already.
            names.functions.extend(name.split_once('(').map(|(function, _)| spaceless(function)));
        }
        names
    }
}

fn spaceless(text: &str) -> String {
    text.split_whitespace().collect()
}

//! Opens the code objects of a file, and words the errors of it for the command line.

use amdgpu_arch::{TargetSelection, supported};
use amdgpu_bundle::{Damage, Image as Found};
use amdgpu_dis::{Image, ObjectError, OpenError, Options};
use amdgpu_report::ReportError;

use crate::failure::Failure;

/// The images of a file.
pub struct Opened<'a> {
    /// Those that were asked for, in the order of the file.
    pub images: Vec<Image<'a>>,
    /// What could not be read.
    pub damages: Vec<Damage>,
}

/// Opens a file: takes the images for what `--arch` names or, without it, all if they are for one processor.
///
/// # Errors
/// The file holds no image, none that was asked for, or images for several processors without a choice.
pub fn open<'a>(file: &str, bytes: &'a [u8], wanted: Option<&TargetSelection>) -> Result<Opened<'a>, Failure> {
    let (images, damages) = open_each(file, bytes, wanted, &mut |_| {});
    Ok(Opened { images: images?, damages })
}

/// Opens a file like [`open`], and calls a function with each image in it. Returns the images that were asked for, and what could not
/// be read.
pub fn open_each<'a>(
    file: &str,
    bytes: &'a [u8],
    wanted: Option<&TargetSelection>,
    each: &mut dyn FnMut(&Found<'_>),
) -> (Result<Vec<Image<'a>>, Failure>, Vec<Damage>) {
    let options = Options { target: wanted.cloned(), ..Options::default() };
    let amdgpu_dis::Opened { images, damages } = amdgpu_dis::open_each(bytes, &options, each);
    let images = images.map_err(|error| {
        let help = match &error {
            OpenError::Several { example, .. } => format!("; help: choose one, as with `--arch {example}`"),
            _ => String::new(),
        };
        let damaged = damages.first().map_or_else(String::new, |damage| {
            let more = if damages.len() > 1 { format!(" (and {} more)", damages.len() - 1) } else { String::new() };
            format!("; damaged: {damage}{more}")
        });
        Failure::about(file, format_args!("{error}{help}{damaged}"))
    });
    (images, damages)
}

/// Returns the message for a name of a kernel that is not understood, with the command that lists all kernels if it names some of them.
pub fn kernel_message(error: &ReportError) -> String {
    if error.has_more_kernels() { format!("{error}, which `isa run FILE` lists") } else { error.to_string() }
}

/// Returns the message for a code object that cannot be read, with the option that helps.
pub fn message(error: &ObjectError) -> String {
    match error {
        ObjectError::NotElf => format!("{error}; for code without a container give --raw and --arch"),
        ObjectError::NoProcessor => format!("{error}; say with --arch which it is for: {}", supported()),
        error => error.to_string(),
    }
}

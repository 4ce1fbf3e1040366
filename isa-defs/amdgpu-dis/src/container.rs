//! Opens the code objects of a file: the file itself, or images in bundles, programs and archives.

use std::borrow::Cow;
use std::collections::BTreeMap;

use std::error::Error;
use std::fmt;

use amdgpu_arch::{Arch, TargetSelection};
use amdgpu_bundle::{BundleEntryId, Damage, Format, Image as Found, ImageKind, TargetId, format, visit};

use crate::error::ObjectError;
use crate::object_file::{ObjectFile, check_format};
use crate::options::{Limits, Options};
use crate::section::CodeSection;

/// A code object in a file.
#[derive(Debug)]
pub struct Image<'a> {
    /// Its place in the file; empty if it is the file.
    pub place: String,
    /// Its bytes.
    pub bytes: Cow<'a, [u8]>,
}

impl Image<'_> {
    /// Returns the name of the file with the place.
    #[must_use]
    pub fn name(&self, file: &str) -> String {
        if self.place.is_empty() { file.into() } else { format!("{file}: {}", self.place) }
    }

    /// Returns whether the image is the file.
    #[must_use]
    pub fn is_file(&self) -> bool {
        self.place.is_empty()
    }

    /// Returns the image as an ELF file.
    ///
    /// # Errors
    /// It is something else, or damaged.
    pub fn object_file(&self, limits: &Limits) -> Result<ObjectFile<'_>, ObjectError> {
        ObjectFile::parse(&self.bytes, limits)
    }

    /// Returns the code with its symbols and wave sizes. Instructions are decoded when their rows are asked for.
    ///
    /// # Errors
    /// The image is not an ELF file for AMD GPUs, is damaged or empty, or has a set that this project does not read.
    pub fn listing(&self, options: &Options) -> Result<Listing<'_>, ObjectError> {
        let object = self.object_file(&options.limits)?;
        let arch = object.arch_or(options.target.as_ref().map(|target| target.arch), self.is_file())?;
        let sections = object.sections(arch, options.wave)?;
        Ok(Listing { processor: object.processor(), arch, has_shader_parts: object.has_shader_parts(), sections })
    }
}

/// The code of a code object.
#[derive(Debug)]
pub struct Listing<'a> {
    /// The name of the processor in the header, or its number if it is unknown.
    pub processor: String,
    /// The instruction set that the code is read in.
    pub arch: Arch,
    /// See [`ObjectFile::has_shader_parts`].
    pub has_shader_parts: bool,
    /// The executable sections, in the file's order.
    pub sections: Vec<CodeSection<'a>>,
}

/// Why no image of a file is taken.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum OpenError {
    /// The file is not a container, nor a code object.
    Object(ObjectError),
    /// A container without images; its kind.
    WithoutCode(&'static str),
    /// The code is not machine code; what the file holds.
    NotMachineCode(String),
    /// No code for the wanted target is in the file.
    NotHeld {
        /// The target.
        wanted: String,
        /// What the file holds.
        held: String,
    },
    /// There is code for several processors and no choice.
    Several {
        /// What the file holds.
        held: String,
        /// A target that can be chosen.
        example: String,
    },
}

impl Error for OpenError {}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Object(error) => error.fmt(f),
            Self::WithoutCode(kind) => write!(f, "{kind} without code for AMD GPUs"),
            Self::NotMachineCode(held) => write!(f, "the code is not machine code: {held}; help: compile it first"),
            Self::NotHeld { wanted, held } => write!(f, "no code for {wanted} is in the file, which holds {held}"),
            Self::Several { held, .. } => write!(f, "the file holds code for several processors: {held}"),
        }
    }
}

/// The images of a file.
#[derive(Debug)]
pub struct Opened<'a> {
    /// Those that were asked for, in the order of the file.
    ///
    /// # Errors
    /// The file holds no image, none that was asked for, or images for several processors without a choice.
    pub images: Result<Vec<Image<'a>>, OpenError>,
    /// What could not be read.
    pub damages: Vec<Damage>,
}

/// Opens a file: takes the images for the [`target`](Options::target) or, without one, all if they are for one processor.
///
/// A file that is not a container is its only image, in any format.
#[must_use]
pub fn open<'a>(bytes: &'a [u8], options: &Options) -> Opened<'a> {
    open_each(bytes, options, &mut |_| {})
}

/// Opens a file like [`open`], and calls a function with each image in it.
pub fn open_each<'a>(bytes: &'a [u8], options: &Options, each: &mut dyn FnMut(&Found<'_>)) -> Opened<'a> {
    let is_container = is_container(bytes);
    let mut choice = Choice { wanted: options.target.as_ref(), ..Choice::default() };
    let mut damages = Vec::new();
    visit(bytes, &options.limits.containers, &mut |found| match found {
        Ok(image) => {
            each(&image);
            if is_container {
                choice.add(&image);
            }
        }
        Err(damage) => damages.push(damage),
    });
    let images = if !is_container {
        Ok(vec![Image { place: String::new(), bytes: Cow::Borrowed(bytes) }])
    } else if choice.counts.is_empty() {
        Err(without_code(bytes))
    } else {
        choice.images()
    };
    Opened { images, damages }
}

/// Says what a container without images is.
fn without_code(bytes: &[u8]) -> OpenError {
    match check_format(bytes) {
        Err(what) if bytes.starts_with(b"\x7fELF") => OpenError::Object(what),
        _ => OpenError::WithoutCode(format_name(bytes)),
    }
}

/// Returns what a file is.
#[must_use]
pub fn format_name(bytes: &[u8]) -> &'static str {
    match format(bytes) {
        Format::CodeObject => "a code object",
        Format::Archive => "an archive",
        Format::Bundle => "an offload bundle",
        Format::CompressedBundle => "a compressed offload bundle",
        Format::OffloadBinary => "an offload binary",
        Format::Bitcode => "LLVM bitcode",
        _ => "a program, library or object for another machine",
    }
}

/// Returns whether a file is something else than text.
#[must_use]
pub fn is_binary(bytes: &[u8]) -> bool {
    format(bytes) != Format::Other
}

/// Returns whether a file holds images instead of being one.
#[must_use]
pub fn is_container(bytes: &[u8]) -> bool {
    !matches!(format(bytes), Format::CodeObject | Format::Bitcode | Format::Other)
}

/// Returns the place of an image as headings and messages show it: its containers and the ID of its entry.
#[must_use]
pub fn place(image: &Found<'_>) -> String {
    let comma = if image.path.0.is_empty() { "" } else { ", " };
    let id = image.id.map(|id| format!("{comma}{}", id.escape_debug())).unwrap_or_default();
    format!("{}{id}", image.path)
}

/// Returns what an image is for, as its header says, else as its container says.
#[must_use]
pub fn target(image: &Found<'_>) -> Option<TargetId> {
    let stated = image.id.and_then(|id| BundleEntryId::parse(id)?.target_id());
    let ImageKind::CodeObject { flags } = image.kind else { return stated };
    let Ok(processor) = amdgpu_arch::processor(flags) else { return stated };
    let feature = |shift: u32| match flags >> shift & 3 {
        2 => Some(false),
        3 => Some(true),
        _ => None,
    };
    Some(TargetId { processor: processor.name.into(), xnack: feature(8), sramecc: feature(10) })
}

/// The images that have been found so far, and which of them to take.
#[derive(Default)]
struct Choice<'w> {
    wanted: Option<&'w TargetSelection>,
    /// The number of code objects, of bitcode images and of others for each target.
    counts: BTreeMap<String, [usize; 3]>,
    /// Code objects of the wanted processor or set; without a wish, of the only processor.
    taken: Vec<(Option<TargetId>, Image<'static>)>,
    /// Code objects of the generic target of the wanted processor.
    generic: Vec<Image<'static>>,
    /// Whether there are other images of the wanted processor.
    has_others: bool,
}

impl Choice<'_> {
    fn add(&mut self, image: &Found<'_>) {
        let target = target(image);
        let is_code = matches!(image.kind, ImageKind::CodeObject { .. });
        let name = target.as_ref().map_or_else(|| "an unknown target".into(), TargetId::to_string);
        self.counts.entry(name).or_default()[match image.kind {
            ImageKind::CodeObject { .. } => 0,
            ImageKind::Bitcode => 1,
            _ => 2,
        }] += 1;
        let (is_wanted, is_generic) = match (self.wanted, &target) {
            (Some(wanted), Some(target)) => (wanted.is_for(target), wanted.is_generic_of(target)),
            (Some(_), None) => (false, false),
            // Images of a second processor make a choice necessary, so that none is taken.
            (None, _) => (self.counts.len() == 1, false),
        };
        if self.wanted.is_none() && !is_wanted {
            self.taken.clear();
        }
        if !is_code {
            self.has_others |= is_wanted || is_generic;
            return;
        }
        let owned = || Image { place: place(image), bytes: Cow::Owned(image.bytes.to_vec()) };
        if is_wanted {
            self.taken.push((target, owned()));
        } else if is_generic && self.taken.is_empty() {
            self.generic.push(owned());
        }
    }

    /// Returns the images to take.
    fn images(self) -> Result<Vec<Image<'static>>, OpenError> {
        let is_one = self.taken.iter().all(|(target, _)| Some(target) == self.taken.first().map(|(first, _)| first));
        let names_processor = self.wanted.is_some_and(TargetSelection::names_processor);
        if !self.taken.is_empty() && (is_one || names_processor) {
            return Ok(self.taken.into_iter().map(|(_, image)| image).collect());
        }
        if !self.generic.is_empty() {
            return Ok(self.generic);
        }
        let held = self.held();
        let has_code = self.counts.values().any(|[code, ..]| *code > 0);
        if !has_code || self.has_others && self.taken.is_empty() {
            return Err(OpenError::NotMachineCode(held));
        }
        Err(match self.wanted {
            Some(wanted) if self.taken.is_empty() => OpenError::NotHeld { wanted: wanted.to_string(), held },
            _ => OpenError::Several { held, example: self.example().into() },
        })
    }

    /// Lists what the file holds.
    fn held(&self) -> String {
        const KINDS: [&str; 3] = ["code object", "bitcode image", "other image"];
        let images = |(name, counts): (&String, &[usize; 3])| {
            let counts = KINDS.iter().zip(counts).filter(|(_, count)| **count > 0);
            let counts = counts.map(|(kind, count)| format!("{count} {kind}{}", if *count == 1 { "" } else { "s" }));
            format!("{name} ({})", counts.collect::<Vec<_>>().join(", "))
        };
        self.counts.iter().map(images).collect::<Vec<_>>().join(", ")
    }

    /// Returns a target that can be chosen and read.
    fn example(&self) -> &str {
        let is_read = |name: &&String| {
            self.wanted.is_none_or(|wanted| Arch::parse(name) == Ok(wanted.arch))
                && TargetSelection::parse(name).is_ok()
        };
        self.counts.keys().find(is_read).or(self.counts.keys().next()).map_or("gfx1100", String::as_str)
    }
}

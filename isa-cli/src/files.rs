//! Opens the code objects of a file: the file itself, or images in bundles, programs and archives.

use std::borrow::Cow;
use std::collections::BTreeMap;

use amdgpu_arch::{Arch, TargetSelection};
use amdgpu_bundle::{BundleEntryId, Damage, Format, Image as Found, ImageKind, Limits, TargetId, format, visit};

use crate::dis::elf::what_else;
use crate::failure::Failure;

/// A code object.
pub struct Image<'a> {
    /// Its place in the file; empty if it is the file.
    pub place: String,
    /// Its bytes.
    pub bytes: Cow<'a, [u8]>,
}

impl Image<'_> {
    /// Returns the name of the file with the place.
    pub fn name(&self, file: &str) -> String {
        if self.place.is_empty() { file.into() } else { format!("{file}: {}", self.place) }
    }

    /// Whether the image is the file.
    pub fn is_file(&self) -> bool {
        self.place.is_empty()
    }
}

/// The images of a file.
pub struct Opened<'a> {
    /// Those that were asked for, in the order of the file.
    pub images: Vec<Image<'a>>,
    /// What could not be read.
    pub damages: Vec<Damage>,
}

/// Opens a file: takes the images for what `--arch` names or, without it, all if they are for one processor.
///
/// A file that is not a container is its only image, in any format.
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
    let is_container = is_container(bytes);
    let mut choice = Choice { wanted, ..Choice::default() };
    let mut damages = Vec::new();
    visit(bytes, &Limits::default(), &mut |found| match found {
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
    let images = images.map_err(|why| {
        let damaged = damages.first().map_or_else(String::new, |damage| {
            let more = if damages.len() > 1 { format!(" (and {} more)", damages.len() - 1) } else { String::new() };
            format!("; damaged: {damage}{more}")
        });
        Failure::about(file, format_args!("{why}{damaged}"))
    });
    (images, damages)
}

/// Says what a container without images is.
fn without_code(bytes: &[u8]) -> String {
    match what_else(bytes) {
        Err(what) if bytes.starts_with(b"\x7fELF") => what,
        _ => format!("{} without code for AMD GPUs", format_name(bytes)),
    }
}

/// Returns what a file is.
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

/// Whether a file is something else than text.
pub fn is_binary(bytes: &[u8]) -> bool {
    format(bytes) != Format::Other
}

/// Whether a file holds images instead of being one.
pub fn is_container(bytes: &[u8]) -> bool {
    !matches!(format(bytes), Format::CodeObject | Format::Bitcode | Format::Other)
}

/// Returns the place of an image as headings and messages show it: its containers and the ID of its entry.
pub fn place(image: &Found<'_>) -> String {
    let comma = if image.path.0.is_empty() { "" } else { ", " };
    let id = image.id.map(|id| format!("{comma}{}", id.escape_debug())).unwrap_or_default();
    format!("{}{id}", image.path)
}

/// Returns what an image is for, as its header says, else as its container says.
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
    fn images(self) -> Result<Vec<Image<'static>>, String> {
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
            return Err(format!("the code is not machine code: {held}; help: compile it first"));
        }
        Err(match self.wanted {
            Some(wanted) if self.taken.is_empty() => {
                format!("no code for {wanted} is in the file, which holds {held}")
            }
            _ => format!(
                "the file holds code for several processors: {held}; help: choose one, as with `--arch {}`",
                self.example()
            ),
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

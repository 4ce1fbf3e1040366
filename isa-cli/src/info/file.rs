//! `isa info FILE`: the images of a file and their kernels.

use std::collections::BTreeMap;
use std::io::{self, Write};

use amdgpu_arch::TargetSelection;
use amdgpu_bundle::{Image as Found, ImageKind, TargetId};
use amdgpu_dis::{
    CodeCounts, Image, InstructionCounts, Limits, ObjectError, ObjectFile, check_format, format_name, is_container,
};
use amdgpu_object::Kernel;
use amdgpu_report::{find_kernel, shown_name};
use serde_json::{Value, json};

use super::kernel::{self, Detail};
use super::mix;
use super::table::Table;
use crate::failure::{self, Failure};
use crate::files;

/// What to print of a file.
pub struct Query<'a> {
    /// The name of the file.
    pub file: &'a str,
    /// The code whose kernels are described. Without it, that of all images if they are for one processor.
    pub wanted: Option<&'a TargetSelection>,
    /// The kernel to describe in full.
    pub kernel: Option<&'a str>,
    /// Whether to print JSON.
    pub is_json: bool,
}

/// An image without the contents of its code.
struct Summary {
    place: String,
    target: Option<TargetId>,
    what: &'static str,
    bytes: usize,
    /// The number of kernels, or why it is unknown.
    kernels: Result<usize, String>,
}

/// An image with its kernels.
struct Described<'a> {
    image: &'a Image<'a>,
    processor: String,
    kernels: Vec<Detail>,
    /// The instructions of all functions and kernels.
    counts: InstructionCounts,
    /// Why instructions are not counted.
    remark: Option<String>,
}

/// Prints what is in a file. Returns whether nothing is damaged.
pub fn describe(query: &Query<'_>, bytes: &[u8], out: &mut impl Write) -> Result<bool, Failure> {
    let about = |why: String| Failure::about(query.file, why);
    let is_container = is_container(bytes);
    if !is_container {
        check_format(bytes).map_err(|error| about(files::message(&error)))?;
    }
    let mut summaries = Vec::new();
    let (images, damages) =
        files::open_each(query.file, bytes, query.wanted, &mut |found| summaries.push(Summary::new(found)));
    let targets: Vec<&Option<TargetId>> = summaries.iter().map(|summary| &summary.target).collect();
    let is_one = targets.windows(2).all(|pair| pair[0] == pair[1]);
    let has_code = summaries.iter().any(|summary| summary.what == CODE_OBJECT);
    let is_detailed = query.wanted.is_some() || query.kernel.is_some() || is_one && has_code;
    let images = if is_detailed || summaries.is_empty() { images? } else { Vec::new() };
    let described = describe_images(&images, query)?;
    let format = format_name(bytes);
    if query.is_json {
        let images: Vec<Value> = summaries.iter().map(|summary| summary.json(&described)).collect();
        let damaged: Vec<String> = damages.iter().map(ToString::to_string).collect();
        let document =
            json!({"file": query.file, "is": format, "bytes": bytes.len(), "images": images, "damaged": damaged});
        writeln!(out, "{document:#}")?;
    } else {
        if query.kernel.is_none() {
            writeln!(out, "{}: {format}, {} bytes", query.file, bytes.len())?;
            if is_container {
                write_summaries(&summaries, out)?;
            }
        }
        for described in &described {
            match query.kernel {
                Some(_) => described.write_in_full(out)?,
                None => described.write(out)?,
            }
        }
    }
    for damage in &damages {
        failure::show(&format!("{}: {damage}", query.file));
    }
    Ok(damages.is_empty())
}

const CODE_OBJECT: &str = "code object";

/// Describes images; of a single kernel, those that have it. Shows an error for each of several that cannot be read.
fn describe_images<'a>(images: &'a [Image<'a>], query: &Query<'_>) -> Result<Vec<Described<'a>>, Failure> {
    let (mut described, mut without_kernel) = (Vec::new(), None);
    for image in images {
        let about = |why: String| Failure::about(&image.name(query.file), why);
        match describe_image(image, query).map_err(about) {
            Err(Failure::Message(message)) if images.len() > 1 => failure::show(&message),
            Err(failure) => return Err(failure),
            Ok(Ok(image)) => described.push(image),
            Ok(Err(why)) => without_kernel = without_kernel.or(Some(why)),
        }
    }
    if query.kernel.is_some() && described.is_empty() {
        let why = without_kernel.unwrap_or_else(|| "the file holds no kernels".into());
        return Err(Failure::about(query.file, why));
    }
    Ok(described)
}

/// Reads the kernels of an image, or the one that is asked for, and counts their instructions. The inner error says that the image does
/// not have that one.
fn describe_image<'a>(image: &'a Image<'a>, query: &Query<'_>) -> Result<Result<Described<'a>, String>, String> {
    let object = image.object_file(&Limits::default()).map_err(|error| files::message(&error))?;
    let processor = object.processor();
    let mut loaded = object.kernels();
    if let (Some(name), Ok(kernels)) = (query.kernel, &mut loaded) {
        match find_kernel(kernels, name).cloned() {
            Ok(kernel) => *kernels = vec![kernel],
            Err(error) => return Ok(Err(files::kernel_message(&error))),
        }
    }
    let arch = object.arch_or(query.wanted.map(|wanted| wanted.arch), image.is_file());
    let arch = arch.map_err(|_| format!("the instructions of {processor} are not read"));
    let counted = arch.and_then(|arch| {
        let sections = object.sections(arch, None).map_err(|error| files::message(&error))?;
        Ok(CodeCounts::new(&sections))
    });
    let (code, mut remark) = match counted {
        Ok(code) => (Some(code), None),
        Err(why) => (None, Some(why)),
    };
    let kernels = match loaded {
        Ok(kernels) => kernels,
        Err(why) => {
            remark.get_or_insert(format!("kernels are not read: {why}"));
            Vec::new()
        }
    };
    let vgprs = kernel::vgprs_per_simd(&processor);
    let detail = |kernel: Kernel| {
        let counts = code.as_ref().and_then(|code| code.of(&kernel.name).cloned());
        Detail::new(kernel, vgprs, counts)
    };
    let kernels = kernels.into_iter().map(detail).collect();
    Ok(Ok(Described { image, processor, kernels, counts: code.map(|code| code.all).unwrap_or_default(), remark }))
}

/// Returns the number of kernels of a code object.
fn kernel_count(bytes: &[u8]) -> Result<usize, ObjectError> {
    ObjectFile::parse(bytes, &Limits::default())?.kernel_count()
}

impl Summary {
    fn new(image: &Found<'_>) -> Self {
        let (what, kernels) = match image.kind {
            ImageKind::CodeObject { .. } => {
                (CODE_OBJECT, kernel_count(image.bytes).map_err(|error| files::message(&error)))
            }
            ImageKind::Bitcode => ("LLVM bitcode", Ok(0)),
            _ => ("other", Ok(0)),
        };
        Self {
            place: amdgpu_dis::place(image),
            target: amdgpu_dis::target(image),
            what,
            bytes: image.bytes.len(),
            kernels,
        }
    }

    fn processor(&self) -> String {
        self.target.as_ref().map_or_else(|| "unknown".into(), TargetId::to_string)
    }

    fn json(&self, described: &[Described<'_>]) -> Value {
        let mut out = json!({
            "place": self.place,
            "is": self.what,
            "processor": self.target.as_ref().map(TargetId::to_string),
            "bytes": self.bytes,
            "kernel_count": self.kernels.as_ref().ok(),
        });
        if let Some(described) = described.iter().find(|described| described.image.place == self.place) {
            out["instructions"] = described.counts.total().into();
            out["mix"] = mix::json(&described.counts);
            out["kernels"] = described.kernels.iter().map(Detail::json).collect();
            if let Some(remark) = &described.remark {
                out["remark"] = json!(remark);
            }
        }
        out
    }
}

/// Prints the images by processor, and one by one.
fn write_summaries(summaries: &[Summary], out: &mut impl Write) -> io::Result<()> {
    let mut by_processor: BTreeMap<String, (usize, usize, usize)> = BTreeMap::new();
    for summary in summaries {
        let (images, kernels, bytes) = by_processor.entry(summary.processor()).or_default();
        *images += 1;
        *kernels += summary.kernels.as_ref().copied().unwrap_or_default();
        *bytes += summary.bytes;
    }
    let mut table = Table::new(&["<processor", "images", "kernels", "bytes"]);
    for (processor, (images, kernels, bytes)) in by_processor {
        table.row([processor, images.to_string(), kernels.to_string(), bytes.to_string()]);
    }
    writeln!(out)?;
    table.write(out)?;
    let mut table = Table::new(&["<processor", "kernels", "bytes", "<image"]);
    for summary in summaries {
        let kernels = match &summary.kernels {
            Ok(kernels) if summary.what == CODE_OBJECT => kernels.to_string(),
            _ => "-".into(),
        };
        let remark = match &summary.kernels {
            Err(why) => format!(" ({why})"),
            Ok(_) if summary.what != CODE_OBJECT => format!(" ({})", summary.what),
            Ok(_) => String::new(),
        };
        table.row([summary.processor(), kernels, summary.bytes.to_string(), format!("{}{remark}", summary.place)]);
    }
    writeln!(out)?;
    table.write(out)
}

impl Described<'_> {
    /// The heading of an image: its place, processor and size.
    fn heading(&self) -> String {
        let place = if self.image.is_file() { String::new() } else { format!("{}: ", self.image.place) };
        format!("{place}{}", self.processor)
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let count = self.kernels.len();
        let s = if count == 1 { "" } else { "s" };
        writeln!(out, "\n{}, {count} kernel{s}, {} instructions", self.heading(), self.counts.total())?;
        if self.counts.total() > 0 {
            writeln!(out, "  {}", mix::text(&self.counts))?;
        }
        if let Some(remark) = &self.remark {
            writeln!(out, "  {remark}")?;
        }
        if self.kernels.is_empty() {
            return Ok(());
        }
        let columns = [
            "wave",
            "VGPRs",
            "SGPRs",
            "spills",
            "LDS",
            "scratch",
            "waves/SIMD",
            "arguments",
            "instructions",
            "<kernel",
        ];
        let mut table = Table::new(&columns);
        for detail in &self.kernels {
            table.row(detail.cells());
        }
        writeln!(out)?;
        table.write(out)
    }

    fn write_in_full(&self, out: &mut impl Write) -> io::Result<()> {
        for (nth, detail) in self.kernels.iter().enumerate() {
            if nth > 0 {
                writeln!(out)?;
            }
            writeln!(out, "{}", shown_name(&detail.kernel))?;
            detail.write(&self.heading(), out)?;
        }
        Ok(())
    }
}

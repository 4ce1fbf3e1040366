//! `isa info FILE`: the images of a file, their kernels, and what each kernel needs of the hardware.

use std::collections::{BTreeMap, HashMap};
use std::io::{self, Write};

use amdgpu_bundle::{Image as Found, ImageKind, TargetId};
use amdgpu_object::{Argument, CodeObject, Kernel, Occupancy, OccupancyLimit, Processor};
use serde_json::{Value, json};

use super::mix::Mix;
use crate::arch::{Arch, Wanted};
use crate::dis::code::{Content, Section};
use crate::dis::elf::{Object, what_else};
use crate::dis::symbol::SymbolKind;
use crate::failure::{self, Failure};
use crate::files::{self, Image};
use crate::input::printable;
use crate::run::{list, name};

/// What to print of a file.
pub struct Query<'a> {
    /// The name of the file.
    pub file: &'a str,
    /// The code whose kernels are described. Without it, that of all images if they are for one processor.
    pub wanted: Option<&'a Wanted>,
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
    mix: Mix,
    /// Why instructions are not counted.
    remark: Option<String>,
}

/// A kernel, and what its code consists of.
struct Detail {
    kernel: Kernel,
    group_items: u32,
    occupancy: Option<Occupancy>,
    mix: Option<Mix>,
}

/// Prints what is in a file. Returns whether nothing is damaged.
pub fn describe(query: &Query<'_>, bytes: &[u8], out: &mut impl Write) -> Result<bool, Failure> {
    let about = |why: String| Failure::about(query.file, why);
    let is_container = files::is_container(bytes);
    if !is_container {
        what_else(bytes).map_err(about)?;
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
    let format = files::format_name(bytes);
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
    let object = Object::parse(&image.bytes)?;
    let processor = object.title();
    let mut loaded = CodeObject::load(&image.bytes, 0).map(|object| object.kernels);
    if let (Some(name), Ok(kernels)) = (query.kernel, &mut loaded) {
        match name::find(kernels, name).cloned() {
            Ok(kernel) => *kernels = vec![kernel],
            Err(error) => return Ok(Err(error)),
        }
    }
    let arch = object.arch_or(query.wanted.map(|wanted| wanted.arch), image.is_file());
    let arch = arch.map_err(|_| format!("the instructions of {processor} are not read"));
    let counted = arch.and_then(|arch| Code::count(&object, arch));
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
    let vgprs = vgprs_per_simd(&processor);
    let kernels = kernels.into_iter().map(|kernel| {
        let metadata = kernel.metadata.as_ref();
        let required = metadata.and_then(|metadata| metadata.reqd_workgroup_size);
        let required = required.map(|sizes| sizes.iter().fold(1u32, |items, size| items.saturating_mul(*size)));
        let most = metadata.map_or(1024, |metadata| metadata.max_flat_workgroup_size);
        let group_items = required.unwrap_or(most).clamp(1, 1024);
        let occupancy = vgprs.map(|vgprs| Occupancy::new(&kernel.descriptor, vgprs, group_items, 0));
        let mix = code.as_ref().and_then(|code| code.of(&kernel.name).cloned());
        Detail { kernel, group_items, occupancy, mix }
    });
    let kernels = kernels.collect();
    Ok(Ok(Described { image, processor, kernels, mix: code.map(|code| code.all).unwrap_or_default(), remark }))
}

/// The VGPRs of a SIMD of a processor with RDNA3 instructions. Generic code has to fit the smallest.
fn vgprs_per_simd(processor: &str) -> Option<u32> {
    let generic = || Processor::ALL.iter().map(|known| known.vgprs_per_simd()).min();
    match Processor::from_name(processor) {
        Some(processor) => Some(processor.vgprs_per_simd()),
        None if processor == "gfx11-generic" => generic(),
        None => None,
    }
}

/// The instructions of a code object by function.
struct Code {
    /// By the section and offset at which kernels and functions begin.
    by_place: HashMap<(usize, usize), Mix>,
    /// Where kernels begin.
    kernels: HashMap<String, (usize, usize)>,
    all: Mix,
}

impl Code {
    fn count(object: &Object<'_>, arch: Arch) -> Result<Self, String> {
        let mut code = Self { by_place: HashMap::new(), kernels: HashMap::new(), all: Mix::default() };
        for (index, section) in object.sections(arch, None)?.iter().enumerate() {
            code.add(index, section, arch);
        }
        for mix in code.by_place.values() {
            code.all.merge(mix);
        }
        Ok(code)
    }

    fn add(&mut self, index: usize, section: &Section<'_>, arch: Arch) {
        let is_function = |kind: &SymbolKind| matches!(kind, SymbolKind::Kernel(..) | SymbolKind::Function(..));
        let mut symbols = section.symbols.iter().filter(|symbol| is_function(&symbol.kind)).peekable();
        let mut current = 0;
        let mut mix = Mix::default();
        let Ok(()) = section.rows(arch, |row| -> Result<(), std::convert::Infallible> {
            while let Some(symbol) = symbols.next_if(|symbol| symbol.offset <= row.offset) {
                if symbol.offset > current {
                    self.by_place.entry((index, current)).or_default().merge(&std::mem::take(&mut mix));
                    current = symbol.offset;
                }
                if matches!(symbol.kind, SymbolKind::Kernel(..)) {
                    self.kernels.insert(symbol.name.clone(), (index, symbol.offset));
                }
            }
            match &row.content {
                Content::Outside(name) => mix.add_class(name, row.bytes.len()),
                _ => row.instr().into_iter().for_each(|instr| mix.add(instr, row.bytes.len())),
            }
            Ok(())
        });
        self.by_place.entry((index, current)).or_default().merge(&mix);
    }

    /// The instructions of a kernel, without the functions that it calls.
    fn of(&self, kernel: &str) -> Option<&Mix> {
        self.by_place.get(self.kernels.get(&printable(kernel.as_bytes()))?)
    }
}

impl Summary {
    fn new(image: &Found<'_>) -> Self {
        let (what, kernels) = match image.kind {
            ImageKind::CodeObject { .. } => {
                (CODE_OBJECT, Object::parse(image.bytes).and_then(|object| object.kernel_count()))
            }
            ImageKind::Bitcode => ("LLVM bitcode", Ok(0)),
            _ => ("other", Ok(0)),
        };
        Self { place: files::place(image), target: files::target(image), what, bytes: image.bytes.len(), kernels }
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
            out["instructions"] = described.mix.total().into();
            out["mix"] = described.mix.json();
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
        writeln!(out, "\n{}, {count} kernel{s}, {} instructions", self.heading(), self.mix.total())?;
        if self.mix.total() > 0 {
            writeln!(out, "  {}", self.mix.text())?;
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
            writeln!(out, "{}", name::shown(&detail.kernel))?;
            detail.write(&self.heading(), out)?;
        }
        Ok(())
    }
}

impl Detail {
    fn wave(&self) -> u32 {
        if self.kernel.descriptor.wavefront_size32() { 32 } else { 64 }
    }

    /// The numbers of used VGPRs and SGPRs, and of spilled ones, as the metadata state them.
    fn registers(&self) -> Option<[u32; 4]> {
        let metadata = self.kernel.metadata.as_ref()?;
        let spills = [metadata.vgpr_spill_count, metadata.sgpr_spill_count].map(Option::unwrap_or_default);
        Some([metadata.vgpr_count, metadata.sgpr_count, spills[0], spills[1]])
    }

    fn scratch(&self) -> String {
        let bytes = self.kernel.descriptor.private_segment_fixed_size();
        if self.kernel.descriptor.uses_dynamic_stack() { format!("{bytes}+") } else { bytes.to_string() }
    }

    fn cells(&self) -> [String; 10] {
        let dash = || "-".to_owned();
        let allocated = self.kernel.descriptor.vgpr_count();
        let [vgprs, sgprs, spills] = match self.registers() {
            Some([vgprs, sgprs, v, s]) => [vgprs.to_string(), sgprs.to_string(), v.saturating_add(s).to_string()],
            None => [allocated.to_string(), dash(), dash()],
        };
        let arguments = self.kernel.metadata.as_ref();
        [
            self.wave().to_string(),
            vgprs,
            sgprs,
            spills,
            self.kernel.descriptor.group_segment_fixed_size().to_string(),
            self.scratch(),
            self.occupancy.map_or_else(dash, |occupancy| occupancy.waves_per_simd().to_string()),
            arguments.map_or_else(dash, |kernel| kernel.explicit_arguments().count().to_string()),
            self.mix.as_ref().map_or_else(dash, |mix| mix.total().to_string()),
            name::shown(&self.kernel),
        ]
    }

    fn json(&self) -> Value {
        let (kernel, descriptor) = (&self.kernel, &self.kernel.descriptor);
        let metadata = kernel.metadata.as_ref();
        let registers = self.registers();
        let argument = |argument: &Argument| {
            let mut out = list::argument(argument);
            out["hidden"] = argument.value_kind.is_hidden().into();
            out
        };
        let occupancy = self.occupancy.map(|occupancy| {
            json!({
                "waves_per_simd": occupancy.waves_per_simd(),
                "groups_per_wgp": occupancy.groups_per_wgp(),
                "group_items": self.group_items,
                "limit": limit(occupancy.limit()),
            })
        });
        let more = json!({
            "vgprs": registers.map(|[vgprs, ..]| vgprs),
            "allocated_vgprs": descriptor.vgpr_count(),
            "sgprs": registers.map(|[_, sgprs, ..]| sgprs),
            "vgpr_spills": registers.map(|[.., vgprs, _]| vgprs),
            "sgpr_spills": registers.map(|[.., sgprs]| sgprs),
            "agprs": metadata.and_then(|metadata| metadata.agpr_count),
            "kernarg_bytes": descriptor.kernarg_size(),
            "max_group_items": metadata.map(|metadata| metadata.max_flat_workgroup_size),
            "occupancy": occupancy,
            "arguments": metadata.map(|metadata| metadata.args.iter().map(argument).collect::<Vec<_>>()),
            "instructions": self.mix.as_ref().map(Mix::total),
            "code_bytes": self.mix.as_ref().map(|mix| mix.bytes),
            "mix": self.mix.as_ref().map(Mix::json),
        });
        let mut out = list::facts(kernel);
        if let (Value::Object(out), Value::Object(more)) = (&mut out, more) {
            out.extend(more);
        }
        out
    }

    fn write(&self, heading: &str, out: &mut impl Write) -> io::Result<()> {
        let descriptor = &self.kernel.descriptor;
        writeln!(out, "  image         {heading}")?;
        writeln!(out, "  symbol        {}", printable(self.kernel.name.as_bytes()))?;
        writeln!(out, "  wave size     {}", self.wave())?;
        let allocated = descriptor.vgpr_count();
        match self.registers() {
            Some([vgprs, sgprs, vgpr_spills, sgpr_spills]) => {
                writeln!(out, "  VGPRs         {vgprs} used, {allocated} allocated, {vgpr_spills} spilled")?;
                writeln!(out, "  SGPRs         {sgprs} used, {sgpr_spills} spilled")?;
            }
            None => writeln!(out, "  VGPRs         {allocated} allocated")?,
        }
        writeln!(out, "  LDS           {} bytes", descriptor.group_segment_fixed_size())?;
        let dynamic = if descriptor.uses_dynamic_stack() { " and a dynamic stack" } else { "" };
        writeln!(out, "  scratch       {} bytes{dynamic}", descriptor.private_segment_fixed_size())?;
        if let Some(occupancy) = self.occupancy {
            let (waves, groups, items) = (occupancy.waves_per_simd(), occupancy.groups_per_wgp(), self.group_items);
            let by = limit(occupancy.limit());
            writeln!(
                out,
                "  occupancy     {waves} waves a SIMD, limited by {by}; {groups} work-groups of {items} a WGP"
            )?;
        }
        if let Some(mix) = &self.mix {
            writeln!(out, "  instructions  {} in {} bytes: {}", mix.total(), mix.bytes, mix.text())?;
        }
        let Some(metadata) = &self.kernel.metadata else {
            return writeln!(out, "  arguments     {} bytes, no metadata", descriptor.kernarg_size());
        };
        let explicit = metadata.explicit_arguments().count();
        let hidden = metadata.args.iter().filter(|argument| argument.value_kind.is_hidden());
        let (first, last) = hidden.clone().fold((u32::MAX, 0), |(first, last), argument| {
            (first.min(argument.offset), last.max(argument.offset.saturating_add(argument.size)))
        });
        let hidden = match hidden.count() {
            0 => String::new(),
            count => format!(", and {count} hidden ones in bytes {first} to {}", last.saturating_sub(1)),
        };
        writeln!(out, "  arguments     {explicit} in {} bytes{hidden}", descriptor.kernarg_size())?;
        if explicit == 0 {
            return Ok(());
        }
        let mut table = Table::new(&["#", "offset", "bytes", "<kind", "<name"]);
        for (index, argument) in metadata.explicit_arguments().enumerate() {
            let name = argument.name.as_deref().unwrap_or_default();
            let described = match &argument.type_name {
                Some(ty) => printable(format!("{ty} {name}").trim().as_bytes()),
                None => printable(name.as_bytes()),
            };
            let numbers = [index.to_string(), argument.offset.to_string(), argument.size.to_string()];
            let [index, offset, size] = numbers;
            table.row([index, offset, size, argument.value_kind.name().to_owned(), described]);
        }
        table.write(out)
    }
}

fn limit(limit: OccupancyLimit) -> &'static str {
    match limit {
        OccupancyLimit::Waves => "the number of waves",
        OccupancyLimit::Vgprs => "VGPRs",
        OccupancyLimit::Lds => "LDS",
    }
}

/// Rows in columns.
struct Table {
    /// The first row is the heads of the columns.
    rows: Vec<Vec<String>>,
    /// Whether each column is aligned to the left.
    is_left: Vec<bool>,
}

impl Table {
    /// A table of columns with these heads, which begin with `<` for columns that are aligned to the left.
    fn new(heads: &[&str]) -> Self {
        let texts = heads.iter().map(|head| head.trim_start_matches('<').to_owned());
        Self { rows: vec![texts.collect()], is_left: heads.iter().map(|head| head.starts_with('<')).collect() }
    }

    fn row<const N: usize>(&mut self, cells: [String; N]) {
        self.rows.push(cells.into());
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let width = |column: usize| {
            self.rows
                .iter()
                .filter_map(|row| row.get(column))
                .map(|cell| cell.chars().count())
                .max()
                .unwrap_or_default()
        };
        let widths: Vec<usize> = (0..self.is_left.len()).map(width).collect();
        for row in &self.rows {
            let mut line = String::new();
            for ((cell, width), is_left) in row.iter().zip(&widths).zip(&self.is_left) {
                let blanks = " ".repeat(width.saturating_sub(cell.chars().count()));
                let (before, after) = if *is_left { ("", &*blanks) } else { (&*blanks, "") };
                line.push_str(&format!("  {before}{cell}{after}"));
            }
            writeln!(out, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

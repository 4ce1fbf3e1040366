//! What a kernel needs of the hardware.

use std::io::{self, Write};

use amdgpu_dis::InstructionCounts;
use amdgpu_object::{Argument, Family, Kernel, Occupancy, OccupancyLimit, Processor};
use amdgpu_report::shown_name;
use serde_json::{Value, json};

use super::mix;
use super::table::Table;
use crate::input::printable;
use crate::run::list;

/// A kernel, and what its code consists of.
pub struct Detail {
    pub kernel: Kernel,
    group_items: u32,
    occupancy: Option<Occupancy>,
    counts: Option<InstructionCounts>,
}

impl Detail {
    /// Describes a kernel on a processor with this number of VGPRs in a SIMD, if it is known, and with these instructions.
    pub fn new(kernel: Kernel, vgprs_per_simd: Option<u32>, counts: Option<InstructionCounts>) -> Self {
        let metadata = kernel.metadata.as_ref();
        let required = metadata.and_then(|metadata| metadata.reqd_workgroup_size);
        let required = required.map(|sizes| sizes.iter().fold(1u32, |items, size| items.saturating_mul(*size)));
        let most = metadata.map_or(1024, |metadata| metadata.max_flat_workgroup_size);
        let group_items = required.unwrap_or(most).clamp(1, 1024);
        let occupancy = vgprs_per_simd.map(|vgprs| Occupancy::new(&kernel.descriptor, vgprs, group_items, 0));
        Self { kernel, group_items, occupancy, counts }
    }

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

    /// The cells of its row in the table of kernels.
    pub fn cells(&self) -> [String; 10] {
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
            self.counts.as_ref().map_or_else(dash, |counts| counts.total().to_string()),
            shown_name(&self.kernel),
        ]
    }

    /// Returns all about it as JSON.
    pub fn json(&self) -> Value {
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
            "instructions": self.counts.as_ref().map(InstructionCounts::total),
            "code_bytes": self.counts.as_ref().map(|counts| counts.bytes),
            "mix": self.counts.as_ref().map(mix::json),
        });
        let mut out = list::facts(kernel);
        if let (Value::Object(out), Value::Object(more)) = (&mut out, more) {
            out.extend(more);
        }
        out
    }

    /// Writes all about it below its name.
    pub fn write(&self, heading: &str, out: &mut impl Write) -> io::Result<()> {
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
        let metadata = self.kernel.metadata.as_ref();
        if let Some(agprs) = metadata.and_then(|metadata| metadata.agpr_count) {
            writeln!(out, "  AGPRs         {agprs} used")?;
        }
        writeln!(out, "  LDS           {} bytes", descriptor.group_segment_fixed_size())?;
        let dynamic = if descriptor.uses_dynamic_stack() { " and a dynamic stack" } else { "" };
        writeln!(out, "  scratch       {} bytes{dynamic}", descriptor.private_segment_fixed_size())?;
        if let Some(metadata) = metadata {
            match metadata.reqd_workgroup_size {
                Some([x, y, z]) => writeln!(out, "  work-groups   {x},{y},{z} work-items")?,
                None => writeln!(out, "  work-groups   {} work-items at most", metadata.max_flat_workgroup_size)?,
            }
        }
        if let Some(occupancy) = self.occupancy {
            let (waves, groups, items) = (occupancy.waves_per_simd(), occupancy.groups_per_wgp(), self.group_items);
            let by = limit(occupancy.limit());
            writeln!(
                out,
                "  occupancy     {waves} waves a SIMD, limited by {by}; {groups} work-groups of {items} a WGP"
            )?;
        }
        if let Some(counts) = &self.counts {
            let (total, bytes, classes) = (counts.total(), counts.bytes, mix::text(counts));
            writeln!(out, "  instructions  {total} in {bytes} bytes: {classes}")?;
        }
        let Some(metadata) = metadata else {
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

/// The VGPRs of a SIMD of a processor. Generic code has to fit the smallest.
pub fn vgprs_per_simd(processor: &str) -> Option<u32> {
    if let Some(processor) = Processor::from_name(processor) {
        return Some(processor.vgprs_per_simd());
    }
    let family = match processor {
        "gfx11-generic" => Family::Gfx11,
        "gfx12-generic" => Family::Gfx12,
        _ => return None,
    };
    Processor::ALL.iter().filter(|known| known.family() == family).map(|known| known.vgprs_per_simd()).min()
}

//! `cargo xtask hazards`: the lint against LLVM's passes that insert waits and put instructions apart.
//!
//! Random code in LLVM's machine representation goes through `si-insert-waitcnts`, `post-RA-hazard-rec` and,
//! for gfx1200, `amdgpu-wait-sgpr-hazards`. Each
//! instruction that they insert is taken out again, the others staying: the lint must then have a finding. What the passes
//! made must have none that is certain.

mod mir;
mod shaders;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use object::{Object, ObjectSection, ObjectSymbol};
use rdna3::counter::{raises, waits};
use rdna3::flow::Graph;
use rdna3::isa::Access;
use rdna3::lint::{Certainty, Rule};
use rdna3::{File, Format, Instruction, Value, Wave, flags};

use crate::programs::in_scratch;
use crate::rng::Rng;
use crate::{process, programs};

/// How long LLVM may take for one file.
const LIMIT: Duration = Duration::from_secs(60);
/// How many functions a file has.
const FUNCTIONS: usize = 250;

/// The arguments of `cargo xtask hazards`.
#[derive(clap::Args)]
pub struct Args {
    /// How many random functions
    #[arg(long, default_value_t = 10_000)]
    count: usize,
    /// Seed of the random functions
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Only random functions for this processor: gfx1100, gfx1150 or gfx1200; no shaders
    #[arg(long, value_name = "NAME")]
    processor: Option<String>,
    /// Print the first differences of each class
    #[arg(long, default_value_t = 2)]
    show: usize,
}

impl Args {
    /// A number of functions, and the default of each other argument.
    pub const fn sample(count: usize) -> Self {
        Args { count, seed: 1, processor: None, show: 2 }
    }
}

/// A processor and a wave size.
#[derive(Clone, Copy)]
struct Target {
    processor: &'static str,
    wave: Wave,
}

impl Target {
    /// Returns the last of the passes that put instructions apart.
    fn last_pass(&self) -> &'static str {
        if self.processor == "gfx1200" { "amdgpu-wait-sgpr-hazards" } else { "post-RA-hazard-rec" }
    }
}

const TARGETS: [Target; 6] = [
    Target { processor: "gfx1100", wave: Wave::W32 },
    Target { processor: "gfx1100", wave: Wave::W64 },
    Target { processor: "gfx1150", wave: Wave::W32 },
    Target { processor: "gfx1150", wave: Wave::W64 },
    Target { processor: "gfx1200", wave: Wave::W32 },
    Target { processor: "gfx1200", wave: Wave::W64 },
];

/// Runs `cargo xtask hazards`.
pub fn run(args: &Args) -> Result<()> {
    let mut tally = Tally { show: args.show, ..Tally::default() };
    let is_asked = |target: &&Target| args.processor.as_ref().is_none_or(|name| name == target.processor);
    let targets: Vec<&Target> = TARGETS.iter().filter(is_asked).collect();
    if targets.is_empty() {
        bail!("the random functions are for gfx1100, gfx1150 and gfx1200");
    }
    if args.processor.is_none() {
        shaders::run(&mut tally)?;
    }
    if let Some(why) = programs::lacking() {
        println!("LEFT OUT: random code, {why}");
        return tally.finish();
    }
    let mut rng = Rng::named(args.seed, ["hazards"]);
    let mut left = args.count;
    for target in targets.into_iter().cycle() {
        let count = left.min(FUNCTIONS);
        if count == 0 {
            break;
        }
        left -= count;
        let text = mir::module(&mut rng, count, target.processor, target.wave);
        let [before, after] = in_scratch(|scratch| {
            let of = |passes| compile(scratch, &text, target, passes);
            Ok([of(&format!("--start-after={}", target.last_pass()))?, of("--start-before=si-insert-waitcnts")?])
        })?;
        for ((name, before), (_, after)) in before.iter().zip(&after) {
            let name = format!("{} {name}", target.processor);
            match target.processor {
                "gfx1200" => tally.compare::<rdna4::Instr>(&name, target.wave, before, after)?,
                "gfx1150" => tally.compare::<rdna3_5::Instr>(&name, target.wave, before, after)?,
                _ => tally.compare::<rdna3::Instr>(&name, target.wave, before, after)?,
            }
        }
    }
    tally.finish()
}

/// Compiles a module with some of LLVM's passes and returns the words of its functions, by name.
fn compile(scratch: &Path, text: &str, target: &Target, passes: &str) -> Result<Vec<(String, Vec<u32>)>> {
    let (source, object) = (scratch.join("a.mir"), scratch.join("a.o"));
    std::fs::write(&source, text)?;
    let mut llc = Command::new("llc-22");
    llc.args(["-mtriple=amdgcn-amd-amdhsa", "-filetype=obj", "-amdgpu-enable-delay-alu=0", passes, "-o"]);
    llc.arg(&object).arg(format!("-mcpu={}", target.processor)).arg(source);
    if target.wave == Wave::W64 {
        llc.arg("-mattr=+wavefrontsize64,-wavefrontsize32");
    }
    let output = process::output(&mut llc, LIMIT)?.context("llc-22 took too long")?;
    if !output.success {
        bail!("llc-22: {}", output.stderr);
    }
    let bytes = std::fs::read(&object)?;
    let file = object::File::parse(&*bytes)?;
    let code = file.section_by_name(".text").context("no code")?.data()?;
    let mut functions = Vec::new();
    for symbol in file.symbols().filter(|s| s.kind() == object::SymbolKind::Text) {
        let bytes = code.get(symbol.address() as usize..).and_then(|rest| rest.get(..symbol.size() as usize));
        let words = bytes.context("a function outside of the code")?.as_chunks::<4>().0;
        functions.push((symbol.name()?.to_owned(), words.iter().map(|word| u32::from_le_bytes(*word)).collect()));
    }
    functions.sort();
    Ok(functions)
}

/// An instruction of a set that the lint knows.
trait Linted: Instruction + PartialEq + std::str::FromStr<Err: std::fmt::Debug> {
    /// Decodes words.
    fn read(words: &[u32], wave: Wave) -> Result<Vec<Self>>;
}

macro_rules! linted {
    ($set:ident) => {
        impl Linted for $set::Instr {
            fn read(words: &[u32], wave: Wave) -> Result<Vec<Self>> {
                let mut rest = words;
                let mut instrs = Vec::new();
                while !rest.is_empty() {
                    let (instr, count) = Self::decode(rest, wave).map_err(|e| anyhow::anyhow!("{e}"))?;
                    instrs.push(instr);
                    rest = rest.get(count..).unwrap_or_default();
                }
                Ok(instrs)
            }
        }
    };
}

linted!(rdna3);
linted!(rdna3_5);
linted!(rdna4);

type Program<I> = rdna3::lint::Program<I>;
type Finding<I> = rdna3::lint::Finding<I>;

/// The findings of one kind of insertion.
#[derive(Default)]
struct Class {
    /// How many instructions were taken out.
    inserted: usize,
    certain: usize,
    possible: usize,
    /// No finding, and the reason why none is needed; by reason.
    explained: BTreeMap<&'static str, usize>,
    missed: usize,
}

/// All findings.
#[derive(Default)]
struct Tally {
    show: usize,
    classes: BTreeMap<String, Class>,
    /// Findings about code before the passes, and how many of them the passes have removed, by rule.
    before: BTreeMap<&'static str, [usize; 2]>,
    functions: usize,
    shown: BTreeMap<String, usize>,
}

impl Tally {
    /// Compares a function before and after the passes.
    fn compare<I: Linted>(&mut self, name: &str, wave: Wave, before: &[u32], after: &[u32]) -> Result<()> {
        self.functions += 1;
        let (before, after) = (I::read(before, wave)?, I::read(after, wave)?);
        let changes = changes(&before, &after).with_context(|| format!("{name} cannot be compared"))?;
        let mut program = Program::new(&after, wave, &[]);
        for finding in program.certain() {
            self.before.entry(finding.rule.id()).or_default()[0] += 1;
            self.show(&format!("a certain finding: {}", finding.rule.id()), name, &program, finding.at, "");
        }
        for finding in Program::new(&before, wave, &[]).certain() {
            let counts = self.before.entry(finding.rule.id()).or_default();
            (counts[0], counts[1]) = (counts[0] + 1, counts[1] + 1);
        }
        // From the last inserted one to the first: each has been inserted where those before it were there, and waits for
        // counters come first.
        let (waits, others): (Vec<_>, Vec<_>) = changes.into_iter().partition(|change| is_wait(&after[change.at]));
        for change in others.iter().rev().chain(waits.iter().rev()) {
            self.take_out("", name, &mut program, (&after, wave), change);
        }
        Ok(())
    }

    /// Takes out what a pass has inserted, and says what the lint makes of it. `after` is the whole code that the pass made.
    fn take_out<I: Linted>(
        &mut self,
        origin: &str,
        name: &str,
        program: &mut Program<I>,
        after: (&[I], Wave),
        change: &Change<I>,
    ) {
        let inserted = program.instrs()[change.at];
        let kind = format!("{origin}{}", kind(&inserted, change.original.is_some()));
        let mut found = without(program, change);
        if kind == "s_clause" {
            return;
        }
        let mut why = None;
        if found.is_none() {
            // Other findings, of what was taken out before, may hide one: the lint assumes the waits that it asks for.
            let mut alone = Program::new(after.0, after.1, &[]);
            found = without(&mut alone, change);
            if found.is_none() {
                why = reason(program, change, &inserted).or_else(|| reason(&mut alone, change, &inserted));
            }
        }
        let (is_certain, is_possible) = (found == Some(Certainty::Certain), found.is_some());
        let class = self.classes.entry(kind.clone()).or_default();
        class.inserted += 1;
        class.certain += usize::from(is_certain);
        class.possible += usize::from(is_possible && !is_certain);
        match why {
            Some(why) => *class.explained.entry(why).or_default() += 1,
            None if !is_possible => {
                class.missed += 1;
                let text = inserted.display_in(Wave::W64).to_string();
                self.show(&format!("no finding for {kind}"), name, program, change.at, &format!(" without {text}"));
            }
            None => {}
        }
    }

    fn show<I: Linted>(&mut self, class: &str, name: &str, program: &Program<I>, at: usize, note: &str) {
        let shown = self.shown.entry(class.to_owned()).or_default();
        *shown += 1;
        if *shown > self.show {
            return;
        }
        println!("{name}: {class} at {at}{note}");
        for (i, instr) in program.instrs().iter().enumerate().take(at + 10).skip(at.saturating_sub(30)) {
            let mark = if i == at { ">" } else { " " };
            println!("  {mark} {i:3} {}", instr.display_in(Wave::W64));
        }
    }

    fn finish(&self) -> Result<()> {
        println!("{} functions", self.functions);
        let (mut needed, mut found, mut excess) = (0, 0, 0);
        for (name, class) in &self.classes {
            let mut reasons = String::new();
            for (reason, count) in &class.explained {
                write!(reasons, "; {count} {reason}")?;
            }
            println!(
                "{name}: {} inserted, {} certain without it, {} possible, {} missed{reasons}",
                class.inserted, class.certain, class.possible, class.missed
            );
            found += class.certain + class.possible;
            needed += class.certain + class.possible + class.missed;
        }
        for (rule, [all, gone]) in &self.before {
            println!("{rule}: {gone} certain before the passes, {} after", all - gone);
            excess += all - gone;
        }
        let explained: usize = self.classes.values().flat_map(|class| class.explained.values()).sum();
        let certain: usize = self.before.values().map(|[all, _]| all).sum();
        let before = certain - excess;
        println!(
            "all: {explained} insertions are not needed; {before} certain findings before the passes, {excess} after"
        );
        let share = 100.0 * found as f64 / needed.max(1) as f64;
        println!("all: {found} of {needed} insertions that are needed have a finding without them, {share:.2} %");
        // LLVM visits each block once. A hazard on a second path through the block is missed.
        if share < 99.0 || excess * 1000 > certain {
            bail!("{excess} certain findings where LLVM sees none, {} insertions without a finding", needed - found);
        }
        Ok(())
    }
}

/// Takes out what a pass has inserted. Returns how certain the new findings are, if there are any.
fn without<I: Linted>(program: &mut Program<I>, change: &Change<I>) -> Option<Certainty> {
    let places = |findings: Vec<Finding<I>>| findings.iter().map(|f| (f.at, f.rule)).collect::<Vec<_>>();
    let kept = places(program.possible());
    program.replace(change.at, change.original.unwrap_or(parse("s_nop 0")));
    let is_new = |findings: Vec<Finding<I>>| places(findings).iter().any(|place| !kept.contains(place));
    if is_new(program.certain()) {
        return Some(Certainty::Certain);
    }
    is_new(program.possible()).then_some(Certainty::Possible)
}

fn parse<I: Linted>(text: &str) -> I {
    text.parse().unwrap_or_else(|e| panic!("{text}: {e:?}"))
}

/// An instruction that a pass has inserted or changed.
struct Change<I> {
    at: usize,
    /// What it was, for a direct load from LDS whose field was lowered.
    original: Option<I>,
}

/// Finds what was inserted or changed; `None` if something is missing.
fn changes<I: Linted>(before: &[I], after: &[I]) -> Option<Vec<Change<I>>> {
    let mut changes = Vec::new();
    let mut rest = before.iter().peekable();
    for (at, instr) in after.iter().enumerate() {
        let is_same = |old: &I| old.opcode() == instr.opcode() && (old == instr || old.branch_offset().is_some());
        let is_direct = |old: &I| old.opcode() == instr.opcode() && old.microcode() == rdna3::Format::Ldsdir;
        if rest.next_if(|old| is_same(old)).is_some() {
            continue;
        }
        // A pass may drop a wait that it finds, or change it.
        let mut later = rest.clone();
        while later.next_if(|old| is_wait(*old)).is_some() {}
        if later.next_if(|old| is_same(old)).is_some() {
            rest = later;
            continue;
        }
        let original = later.next_if(|old| is_direct(old)).copied();
        if original.is_some() {
            rest = later;
        }
        changes.push(Change { at, original });
    }
    rest.all(is_wait).then_some(changes)
}

/// Returns whether an instruction does nothing but wait for counters.
fn is_wait<I: Linted>(instr: &I) -> bool {
    !waits(instr).is_empty()
        && matches!(instr.microcode(), rdna3::Format::Sopp | rdna3::Format::Sopk)
        && !instr.body_effects().ends()
}

/// Returns the class of an inserted instruction.
fn kind<I: Linted>(instr: &I, is_changed: bool) -> String {
    let text = instr.display_in(Wave::W64).to_string();
    match text.split_once(' ') {
        _ if is_changed => "wait_vdst".into(),
        Some(("s_waitcnt_depctr", _)) => text,
        Some((name, _)) if name.starts_with("s_waitcnt") => "s_waitcnt".into(),
        Some((name, _)) => name.into(),
        None => text,
    }
}

/// Returns the vector registers of the operands with some accesses.
fn vector_registers<I: Linted>(instr: &I, is_meant: impl Fn(Access) -> bool) -> Vec<std::ops::Range<u8>> {
    let of_vectors = |value| match value {
        Value::Registers(r) if r.file == File::Vgpr => Some(r.first..r.first + r.count),
        _ => None,
    };
    let operands = instr.operand_infos(Wave::W64).filter(|operand| is_meant(operand.access));
    operands.filter_map(|operand| of_vectors(operand.value)).collect()
}

/// Returns whether LLVM's `fixLdsDirectVALUHazard` lowers the field of a direct load from LDS to 0 only because there is a
/// transcendental instruction before it: none that LLVM looks at uses the register of the load. LLVM goes back along each path, through
/// each block once, until a use, an instruction that waits for vector instructions, or the 15th vector instruction.
fn is_lowered_without_use<I: Linted>(instrs: &[I], at: usize) -> bool {
    const GAP: usize = 15;
    let vectors = |instr: &I| vector_registers(instr, |_| true);
    let Some(written) = vectors(&instrs[at]).first().map(|registers| registers.start) else { return false };
    let blocks = Graph::new(instrs, &[], &[]).blocks;
    let mut is_visited = vec![false; blocks.len()];
    let mut paths: Vec<(usize, usize, usize)> = Vec::new();
    paths.extend(blocks.iter().position(|block| block.range.contains(&at)).map(|block| (block, at, 0)));
    let mut has_transcendental = false;
    'paths: while let Some((block, end, mut between)) = paths.pop() {
        for instr in instrs[blocks[block].range.start..end].iter().rev() {
            let format = instr.microcode();
            if format.is_vector_alu() {
                has_transcendental |= instr.flags() & flags::TRANS != 0;
                if vectors(instr).iter().any(|registers| registers.contains(&written)) {
                    return false;
                }
                between += 1;
            }
            let is_memory = matches!(format, Format::Flat | Format::Global | Format::Scratch)
                || matches!(format, Format::Ds | Format::Mubuf | Format::Mtbuf | Format::Mimg);
            if is_memory || format == Format::Exp || between >= GAP {
                continue 'paths;
            }
        }
        for &earlier in &blocks[block].predecessors {
            if !std::mem::replace(&mut is_visited[earlier], true) {
                paths.push((earlier, blocks[earlier].range.end, between));
            }
        }
    }
    has_transcendental
}

/// Returns why an inserted instruction is not needed; the program is without it.
fn reason<I: Linted>(program: &mut Program<I>, change: &Change<I>, inserted: &I) -> Option<&'static str> {
    let text = inserted.display_in(Wave::W64).to_string();
    let instrs = program.instrs().to_vec();
    // Where else the rule is broken once some instructions are another one.
    let mut finds_with = |places: &[usize], other: I, rule| {
        let find = |program: &Program<I>| -> Vec<usize> {
            program.possible().iter().filter(|f| f.rule == rule).map(|f| f.at).collect()
        };
        let before = find(program);
        places.iter().for_each(|&at| program.replace(at, other));
        let after = find(program);
        places.iter().for_each(|&at| program.replace(at, instrs[at]));
        after.into_iter().filter(|at| !before.contains(at)).collect::<Vec<_>>()
    };
    let nop = || parse::<I>("s_nop 0");
    let all = |is: &dyn Fn(&I) -> bool| (0..instrs.len()).filter(|&i| is(&instrs[i])).collect::<Vec<_>>();
    if ["sa_sdst", "va_sdst", "va_vcc"].iter().any(|counter| text.contains(counter)) {
        // LLVM waits after the write of a scalar register that was a lane mask, whether the register is read or not.
        let writer = instrs.get(change.at.checked_sub(1)?)?;
        let written = writer.operand_infos(Wave::W64).find_map(|operand| match operand.value {
            Value::Registers(r) if operand.access != Access::Read && r.file != File::Vgpr => Some(r),
            _ => None,
        });
        let reader = match written.map(|r| (r.file, r.first)) {
            Some((File::Sgpr, first)) => format!("s_cmp_eq_u32 s{first}, 0"),
            _ => "s_cmp_eq_u32 vcc_lo, 0".into(),
        };
        if !finds_with(&[change.at], parse(&reader), Rule::MaskRewritten).is_empty() {
            return Some("for a register that nothing reads");
        }
    }
    if text == "s_waitcnt_depctr depctr_va_vdst(0)" {
        let direct = all(&|i| i.microcode() == Format::Ldsdir);
        let rules = [Rule::TranscendentalUse, Rule::PartialForwarding];
        if rules.into_iter().any(|rule| !finds_with(&direct, nop(), rule).is_empty()) {
            return Some("after a direct load from LDS that waits");
        }
    }
    // A field of a direct load from LDS says the same on gfx12.
    if text == "s_waitcnt_depctr depctr_vm_vsrc(0)" || change.original.is_some() {
        let waits = all(&is_wait);
        if !finds_with(&waits, nop(), Rule::LdsDirectOverMemory).is_empty() {
            return Some("after a wait for the memory instruction");
        }
        // The memory instruction only writes the register, and a wait for its result is there.
        if !finds_with(&waits, nop(), Rule::WriteTooEarly).is_empty() {
            return Some("after a wait for the result of the memory instruction");
        }
    }
    if text.starts_with("v_mov_b32") {
        let nops = all(&|i| i.display_in(Wave::W64).to_string() == "v_nop");
        if !finds_with(&nops, nop(), Rule::PermlaneAfterCmpx).is_empty() {
            return Some("after v_nop");
        }
    }
    if change.original.is_some() {
        if is_lowered_without_use(&instrs, change.at) {
            return Some("after a transcendental instruction, but no use of the register");
        }
        let waits = all(&|i| i.flags() & flags::WAITS_ALU != 0 || i.microcode() == Format::Ldsdir);
        let waits: Vec<usize> = waits.into_iter().filter(|&at| at != change.at).collect();
        if !finds_with(&waits, nop(), Rule::LdsDirectOverVector).is_empty() {
            return Some("after another wait for vector instructions");
        }
    }
    // The instruction that a wait was inserted for.
    let is_nop = |i: &I| i.display_in(Wave::W64).to_string() == "s_nop 0";
    let after_nops = instrs.get(change.at + 1..)?.iter().position(|i| !is_nop(i));
    if let Some(next) = after_nops.map(|nops| change.at + 1 + nops)
        && is_wait(inserted)
    {
        // LLVM goes through a loop again when it knows what is pending at its end, and keeps the waits of the first time.
        let waits = all(&is_wait);
        let rules = [Rule::ReadTooEarly, Rule::WriteTooEarly, Rule::ExportOverwritten];
        if rules.into_iter().any(|rule| finds_with(&waits, nop(), rule).contains(&next)) {
            return Some("after another wait, inserted for the next iteration of a loop");
        }
        let reads = |i: &I| vector_registers(i, |access| access != Access::Write);
        let read = reads(&instrs[next]);
        let writes: Vec<I> = read.into_iter().flatten().map(|v| parse(&format!("v_mov_b32 v{v}, 0"))).collect();
        let has_direct = !all(&|i| i.microcode() == Format::Ldsdir).is_empty();
        if has_direct
            && writes.into_iter().any(|write| finds_with(&[next], write, Rule::ExportOverwritten).contains(&next))
        {
            return Some("for registers that exports only read, while a direct load from LDS is pending");
        }
        if raises(&instrs[next]).next().is_some() {
            return Some("for registers that arrive in order");
        }
    }
    // ACO of Mesa 25.0 puts waits of gfx11.0 into code for gfx11.5, too.
    let words: Vec<u32> = instrs.iter().flat_map(|i| i.dwords().into_iter().take(i.dword_count())).collect();
    let older = [Wave::W32, Wave::W64].into_iter().find_map(|wave| {
        let older = rdna3::Instr::read(&words, wave).ok()?;
        Some(rdna3::lint::Program::new(&older, wave, &[]))
    })?;
    let is_older = |f: &Finding<rdna3::Instr>| f.rule == Rule::TranscendentalUse && f.at > change.at;
    let is_first = text == "s_waitcnt_depctr 0xfff" && older.possible().iter().any(is_older);
    is_first.then_some("for a hazard of gfx11.0 only")
}

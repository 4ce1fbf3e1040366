//! How well the lint of `rdna3` finds waits that are missing: real code has all of them, so it must draw no finding; with
//! one taken out it must draw the right one, or the wait was not needed for registers at all.

use std::fmt;
use std::io;

use object::{Object, ObjectSection};
use rdna3::counter::{Counter, raises, waits};
use rdna3::isa::Access;
use rdna3::lint::{Finding, Program};
use rdna3::{Decoder, Format, Instr, Instruction, Opcode, Registers, Value, Wave, flags};

use crate::paths::root;

/// The outcomes of removing waits, one at a time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// How many waits were taken out.
    pub removed: usize,
    /// It drew a finding that is certain, after the place, and names one of the counters.
    pub found: usize,
    /// It is missed on some path: the finding is not certain, and names one of the counters.
    pub on_some_path: usize,
    /// No register needs it, and only stores raise its counter: it orders memory.
    pub stores: usize,
    /// No register needs it, and a barrier, a message or the wave's end follows: it orders memory.
    pub orders: usize,
    /// No register needs it: what was waited for is replaced by work of the same queue, which arrives later anyhow
    /// (halves of a register: compilers wait all the same).
    pub in_order: usize,
    /// No register needs it: nothing before the next branch touches what was waited for.
    pub unused: usize,
    /// None of these: a finding that does not fit.
    pub wrong: usize,
}

impl Tally {
    /// Adds another.
    pub fn add(&mut self, other: Tally) {
        self.removed += other.removed;
        self.found += other.found;
        self.on_some_path += other.on_some_path;
        self.stores += other.stores;
        self.orders += other.orders;
        self.in_order += other.in_order;
        self.unused += other.unused;
        self.wrong += other.wrong;
    }

    /// Those that registers need.
    #[must_use]
    pub fn needed(&self) -> usize {
        self.found + self.on_some_path + self.wrong
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tally { removed, found, on_some_path, stores, orders, in_order, unused, wrong } = self;
        let share = 100.0 * *found as f64 / self.needed().max(1) as f64;
        write!(
            f,
            "{removed} waits taken out: {found} found ({share:.1} % of the {} that registers need), {on_some_path} \
             missed on some paths only; not needed by registers: {stores} for stores, {orders} before a call, a barrier or \
             the end, {in_order} for work that arrives in order anyhow, {unused} for results that nothing touches; \
             {wrong} wrong",
            self.needed(),
        )
    }
}

/// A piece of code without padding inside.
pub struct Kernel {
    /// Its instructions.
    pub instrs: Vec<Instr>,
    /// Where it begins, in bytes.
    pub offset: usize,
}

/// Code parted at its padding.
///
/// # Panics
/// Some word of the code is not an instruction.
#[must_use]
pub fn kernels(code: &[u8]) -> Vec<Kernel> {
    let mut out: Vec<Kernel> = Vec::new();
    let mut open = false;
    for item in Decoder::new(code, Wave::W32) {
        let instr = item.result.unwrap_or_else(|e| panic!("at {:#x}: {e}", item.offset));
        if instr.opcode() == Opcode::S_CODE_END {
            open = false;
            continue;
        }
        if !open {
            out.push(Kernel { instrs: Vec::new(), offset: item.offset });
            open = true;
        }
        if let Some(kernel) = out.last_mut() {
            kernel.instrs.push(instr);
        }
    }
    out
}

/// The code of an object file.
///
/// # Errors
/// It cannot be read or is not an ELF file with a `.text` section.
pub fn text_of(path: &std::path::Path) -> io::Result<Vec<u8>> {
    let file = std::fs::read(path)?;
    let object = object::File::parse(&*file).map_err(io::Error::other)?;
    let text = object.section_by_name(".text").ok_or_else(|| io::Error::other("no .text"))?;
    text.data().map(<[u8]>::to_vec).map_err(io::Error::other)
}

/// The object files for gfx1100 in `../shared/corpus`, in order.
///
/// # Errors
/// The folder cannot be read.
pub fn objects() -> io::Result<Vec<std::path::PathBuf>> {
    let Ok(folder) = std::fs::read_dir(root().join("../shared/corpus")) else { return Ok(Vec::new()) };
    let mut out = Vec::new();
    for entry in folder {
        let path = entry?.path();
        let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        if name.ends_with(".gfx1100.o") || name.ends_with(".gfx1100.co") {
            out.push(path);
        }
    }
    out.sort();
    Ok(out)
}

/// Takes out each `every`th wait of a program, the others staying, and says what the lint made of it.
pub fn measure(program: &mut Program, every: usize, mut wrong: impl FnMut(usize, &[Finding])) -> Tally {
    let nop: Instr = "s_nop 0".parse().unwrap_or_else(|e| panic!("s_nop: {e}"));
    let mut tally = Tally::default();
    let places: Vec<usize> = (0..program.instrs().len()).filter(|&i| is_wait(&program.instrs()[i])).collect();
    for &at in places.iter().step_by(every.max(1)) {
        let wait = program.instrs()[at];
        let waited = waits(&wait);
        let counters: Vec<Counter> = Counter::ALL.into_iter().filter(|c| waited.most(*c).is_some()).collect();
        program.replace(at, nop);
        let fits = |f: &Finding| f.wait.is_some_and(|(c, _)| counters.contains(&c));
        let certain = program.certain_waits();
        let possible = if certain.is_empty() { program.possible_waits() } else { Vec::new() };
        tally.removed += 1;
        if !certain.iter().all(fits) || !possible.iter().all(fits) {
            tally.wrong += 1;
            wrong(at, &certain);
        } else if !certain.is_empty() {
            tally.found += 1;
        } else if !possible.is_empty() {
            tally.on_some_path += 1;
        } else {
            match reason(program.instrs(), at) {
                Reason::Stores => tally.stores += 1,
                Reason::Orders => tally.orders += 1,
                Reason::InOrder => tally.in_order += 1,
                Reason::Unused => tally.unused += 1,
            }
        }
        program.replace(at, wait);
    }
    tally
}

/// Returns whether an instruction does nothing but wait for a counter.
#[must_use]
pub fn is_wait<I: Instruction>(instr: &I) -> bool {
    let is_scalar = matches!(instr.microcode(), Format::Sopp | Format::Sopk);
    !waits(instr).is_empty() && !instr.body_effects().ends() && is_scalar
}

/// Why registers do not need a wait.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Reason {
    /// Only stores raise its counter: it orders memory.
    Stores,
    /// A barrier, a message or the wave's end follows: it orders memory.
    Orders,
    /// What was waited for is replaced by work of the same queue, which arrives later anyhow.
    InOrder,
    /// Nothing before the next branch touches what was waited for, or another wait comes first.
    Unused,
}

/// Returns why registers do not need a wait: what comes first after it on the straight line.
fn reason(instrs: &[Instr], at: usize) -> Reason {
    let waited = instrs.get(at).map(waits).unwrap_or_default();
    let counters: Vec<Counter> = Counter::ALL.into_iter().filter(|c| waited.most(*c).is_some()).collect();
    if counters == [Counter::Vs] {
        return Reason::Stores;
    }
    let written =
        |i: &Instr| i.operands(Wave::W32).filter(|o| o.access != Access::Read).map(|o| o.value).collect::<Vec<_>>();
    let counted = |i: &&Instr| raises(*i).any(|r| counters.contains(&r.counter));
    let before = instrs.get(..at).unwrap_or_default();
    let begun: Vec<_> = before.iter().rev().take(200).filter(counted).flat_map(written).collect();
    for instr in instrs.get(at + 1..).unwrap_or_default() {
        let opcode = instr.opcode();
        let leaves = opcode.effects().ends() || opcode.is_indirect_branch() || opcode.is_call();
        let is_ordering = instr.flags() & (flags::MESSAGE | flags::INVALIDATES) != 0 || opcode.is_barrier();
        if leaves || is_ordering {
            return Reason::Orders;
        }
        if counted(&instr) && written(instr).iter().any(|v| begun.iter().any(|w| meet(v, w))) {
            return Reason::InOrder;
        }
        if instr.branch_offset().is_some() {
            break;
        }
    }
    Reason::Unused
}

fn meet(a: &Value, b: &Value) -> bool {
    let (Value::Registers(a), Value::Registers(b)) = (a, b) else { return false };
    let end = |r: &Registers| u16::from(r.first) + u16::from(r.count);
    a.file == b.file && u16::from(a.first) < end(b) && u16::from(b.first) < end(a)
}

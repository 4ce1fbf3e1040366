//! Golden lines as calls of typed builders, which tests/tests/builders.rs, rdna4_builders.rs and gcn_builders.rs compare with the
//! golden words.
//!
//! The repository has a call for each list of operand types in each format. All calls are generated when they are checked.

mod gcn;

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write;
use std::fs;
use std::process::Command;

use crate::diff::built;
use anyhow::{Context, Result};
use isa_exec::num;
use isa_tests::paths::root;
use isa_tests::sets::{WaveSet, opcodes};
use isa_tests::vectors::{Line, golden_of};
use rdna3::isa::{self, Access, Class, OperandInfo, Options, Type};
use rdna3::operands::{DIM_NAMES, IMAGE_DIMS, is_register_name};
use rdna3::{Family, Format, Instruction, Rdna3, Value, Wave};
use rdna4::Rdna4;

/// How many lines are taken of each mnemonic in each encoding.
const LINES: usize = 2;
/// The number of calls in one function.
const CHUNK: usize = 100;

/// The arguments of `cargo xtask builders`.
#[derive(clap::Args)]
pub struct Args {
    /// Compare with the committed files, leave them unchanged, and check all calls against the golden words
    #[arg(long)]
    pub check: bool,
    /// Build instructions with random operands instead, this number from each golden line: compare what LLVM's assembler makes of
    /// their text with operand-level instructions, and these with calls of typed builders
    #[arg(long, conflicts_with = "check")]
    pub random: Option<usize>,
    /// Where the random numbers begin
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

/// A call for a golden line.
struct Call {
    /// The format and the types of the operands.
    signature: String,
    /// The statement that makes the call.
    code: String,
}

/// The calls of which the repository has a sample.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Selection {
    All,
    /// One for each signature.
    Sample,
}

impl Selection {
    /// Returns the statements of the calls, in their order.
    fn of(self, calls: &[Call]) -> Vec<&str> {
        let mut known = BTreeSet::new();
        let taken = calls.iter().filter(|call| self == Selection::All || known.insert(&call.signature));
        taken.map(|call| call.code.as_str()).collect()
    }
}

/// Writes the sample of the calls. With `--check`, compares it with the committed one and tests all calls.
pub fn run(args: &Args) -> Result<()> {
    if let Some(rounds) = args.random {
        return random(rounds, args.seed);
    }
    rdna::<Rdna3>(args, "builders.rs", |instr, wave| instr.check(wave).is_ok())?;
    rdna::<Rdna4>(args, "rdna4_builders.rs", |instr, wave| instr.check(wave).is_ok())?;
    gcn::run(args)?;
    if args.check { test(&["builders", "rdna4_builders", "gcn_builders"]) } else { Ok(()) }
}

/// Compares operand-level instructions with LLVM, and calls of typed builders for the same instructions with them.
fn random(rounds: usize, seed: u64) -> Result<()> {
    built::run(rounds, seed)?;
    random_calls::<Rdna3>("builders.rs", rounds, seed, |instr, wave| instr.check(wave).is_ok())?;
    random_calls::<Rdna4>("rdna4_builders.rs", rounds, seed, |instr, wave| instr.check(wave).is_ok())?;
    test(&["builders", "rdna4_builders"])
}

/// Writes calls for instructions with random operands to `target`.
fn random_calls<S: WaveSet>(name: &str, rounds: usize, seed: u64, is_legal: fn(&S::Instr, Wave) -> bool) -> Result<()> {
    let (calls, left) = calls::<S>(built::lines::<S>(rounds, seed)?, is_legal)?;
    println!("{name}: {} calls with random operands; {} lines are not calls", calls.len(), left.len());
    write_calls(name, &format!("{MADE}{}", functions(&Selection::All.of(&calls), "", "")?))
}

/// Writes a file of calls to `target`, where the tests of all calls include it.
fn write_calls(name: &str, file: &str) -> Result<()> {
    let folder = root().join("target/builders");
    fs::create_dir_all(&folder).with_context(|| format!("{} cannot be created", folder.display()))?;
    let path = folder.join(name);
    fs::write(&path, file).with_context(|| format!("{} cannot be written", path.display()))
}

/// Runs tests with the calls in `target`.
fn test(names: &[&str]) -> Result<()> {
    let mut test = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    // Of the workspace, so that the sets have the features with which `cargo test --workspace` has compiled them.
    test.args(["test", "--workspace", "--features", "isa-tests/all-builders"]);
    test.args(names.iter().flat_map(|name| ["--test", name]));
    let status = test.current_dir(root()).status().context("cargo cannot be started")?;
    anyhow::ensure!(status.success(), "a builder does not give the words of its line");
    Ok(())
}

/// Makes the file of a set of RDNA.
fn rdna<S: WaveSet>(args: &Args, name: &str, is_legal: fn(&S::Instr, Wave) -> bool) -> Result<()> {
    let (calls, left) = calls::<S>(golden_of::<S>()?, is_legal)?;
    let file = |selection: Selection| Ok(format!("{MADE}{}", functions(&selection.of(&calls), "", "")?));
    report(args, name, &file, calls.len(), &left)
}

/// An instruction of a golden line.
struct Golden<'a, S: WaveSet> {
    line: &'a Line,
    instr: S::Instr,
    /// The name of the opcode, of a dual-issue pair that of the first instruction.
    opcode: &'static str,
    operands: Vec<OperandInfo<S>>,
}

impl<S: WaveSet> Golden<'_, S> {
    /// Whether a text is the same instruction.
    fn is(&self, text: &str) -> bool {
        parse::<S>(text, self.line.mode()).is_some_and(|instr| S::parts(&instr) == S::parts(&self.instr))
    }
}

fn parse<S: WaveSet>(text: &str, wave: Wave) -> Option<S::Instr> {
    isa::parse::<S>(text, Options::from(wave)).ok()
}

/// Returns the calls for lines of a set, and the lines for which there is none.
fn calls<S: WaveSet>(lines: Vec<Line>, is_legal: fn(&S::Instr, Wave) -> bool) -> Result<(Vec<Call>, Vec<String>)> {
    let mut taken: HashMap<(&str, Format, bool), usize> = HashMap::new();
    let mut calls = Vec::new();
    let mut left: Vec<String> = Vec::new();
    for line in lines {
        let wave = line.mode();
        let Some(instr) = parse::<S>(&line.text, wave).filter(|instr| line.canonical && is_legal(instr, wave)) else {
            continue;
        };
        let [index, _] = opcodes::<S>(&instr);
        let Some(opcode) = index.and_then(|index| S::tables().mnemonics.get(usize::from(index))) else { continue };
        let format = instr.microcode();
        let has_suffix_dword = isa::suffix_dword::<S>(S::parts(&instr).0, &instr.dwords()) != 0;
        let count = taken.entry((opcode, format, has_suffix_dword)).or_default();
        if *count >= LINES {
            continue;
        }
        let operands: Vec<_> = instr.operand_infos(wave).collect();
        let types = types(operands.iter().map(|operand| (operand.access, operand.ty)));
        match call(&Golden::<S> { line: &line, instr, opcode, operands }) {
            Some(call) => {
                *count += 1;
                let wave = if wave == Wave::W64 { "W64" } else { "W32" };
                let signature = format!("{wave} {format:?} {types}");
                let code = format!("    t.case({wave}, {:?}, &{}, {call});\n", line.text, words(&line));
                calls.push(Call { signature, code });
            }
            None => left.push(line.text),
        }
    }
    Ok((calls, left))
}

/// Returns the golden words of a line as an array.
fn words(line: &Line) -> String {
    let words: Vec<String> = line.words().iter().map(|word| format!("{word:#x}")).collect();
    format!("[{}]", words.join(", "))
}

/// Returns accesses and types as text.
fn types(operands: impl Iterator<Item = (Access, Type)>) -> String {
    operands.map(|operand| format!("{operand:?} ")).collect()
}

/// The first line of what is made.
const MADE: &str = "// Generated by `cargo xtask builders` from the golden vectors.\n";

/// Generates functions that make the calls, and a constant that lists them. `indent` precedes each line, `of` the type of each
/// function's parameter.
fn functions(calls: &[&str], indent: &str, of: &str) -> Result<String> {
    let mut out = String::new();
    for (n, chunk) in calls.chunks(CHUNK).enumerate() {
        writeln!(out, "{indent}fn part{n}(t: &mut {of}Tally) {{")?;
        chunk.iter().try_for_each(|call| write!(out, "{indent}{call}"))?;
        writeln!(out, "{indent}}}")?;
    }
    let parts: Vec<String> = (0..calls.len().div_ceil(CHUNK)).map(|n| format!("part{n}")).collect();
    let public = if indent.is_empty() { "" } else { "pub " };
    writeln!(out, "{indent}{public}const PARTS: [fn(&mut {of}Tally); {}] = [{}];", parts.len(), parts.join(", "))?;
    Ok(out)
}

/// Says how many calls there are. Writes the sample, or compares it with the committed one and writes all calls to `target`.
fn report(
    args: &Args,
    name: &str,
    file: &dyn Fn(Selection) -> Result<String>,
    calls: usize,
    left: &[String],
) -> Result<()> {
    let path = root().join("tests/vectors").join(name);
    println!("{name}: {calls} calls; {} lines are not calls, such as:", left.len());
    left.iter().step_by(left.len() / 12 + 1).for_each(|line| println!("  {line}"));
    let sample = file(Selection::Sample)?;
    if !args.check {
        return fs::write(&path, sample).with_context(|| format!("{} cannot be written", path.display()));
    }
    let committed = fs::read_to_string(&path).with_context(|| format!("{} cannot be read", path.display()))?;
    anyhow::ensure!(committed == sample, "{} differs from what `cargo xtask builders` writes", path.display());
    write_calls(name, &file(Selection::All)?)
}

/// Splits at `separator` outside of brackets.
fn split(text: &str, separator: char) -> Vec<&str> {
    let (mut depth, mut start, mut out) = (0, 0, Vec::new());
    for (at, c) in text.char_indices() {
        match c {
            '[' | '(' => depth += 1,
            ']' | ')' => depth -= 1,
            _ if c == separator && depth == 0 => {
                out.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    out.push(text[start..].trim());
    out.retain(|part| !part.is_empty());
    out
}

fn number(text: &str) -> Option<i64> {
    let (sign, digits) = text.strip_prefix('-').map_or((1, text), |rest| (-1, rest));
    let value = match digits.strip_prefix("0x") {
        Some(hex) => i64::from_str_radix(hex, 16).ok()?,
        None => digits.parse().ok()?,
    };
    Some(sign * value)
}

/// A register or a constant of this type as an expression.
fn value(text: &str, ty: Option<Type>) -> Option<String> {
    for (prefix, name) in [("v", "vgpr"), ("s", "sgpr"), ("ttmp", "ttmp")] {
        let Some(rest) = text.strip_prefix(prefix) else { continue };
        if let Some((first, last)) = rest.strip_prefix('[').and_then(|r| r.strip_suffix(']')?.split_once(':')) {
            return Some(format!("{name}!({first}..={last})"));
        }
        let (digits, half) = match rest.split_once('.') {
            Some((digits, "l")) => (digits, ".lo()"),
            Some((digits, "h")) => (digits, ".hi()"),
            _ => (rest, ""),
        };
        if let Ok(n) = digits.parse::<u8>() {
            return Some(if name == "vgpr" { format!("v({n}){half}") } else { format!("{name}!({n})") });
        }
    }
    if let Some((_, rest)) = text.split_once("src_") {
        return matches!(rest, "scc" | "shared_base" | "shared_limit" | "private_base" | "private_limit")
            .then(|| rest.to_uppercase());
    }
    if text == "off" || is_register_name(text) {
        return Some(text.to_uppercase());
    }
    let integer = ty.is_some_and(|ty| !ty.is_float() && ty.class() != Class::Bits);
    if let Some(n) = number(text) {
        let wide = i32::try_from(n).is_err();
        return Some(if wide && n > 0 { format!("{n:#x}u32") } else { text.to_string() });
    }
    let float = text.parse::<f64>().ok()?;
    if integer && ty.is_some_and(|ty| ty.total_bits() == 16) {
        let [double, half] = [num::Format::F64, num::Format::F16];
        let [of_double, of_half] = [double, half].map(|format| num::Mode::DEFAULT.of(format));
        return Some(format!("{:#x}", num::convert(double, of_double, half, of_half, float.to_bits())));
    }
    let of = if ty.is_some_and(|ty| ty.total_bits() == 64) { "f64" } else { "f32" };
    Some(if integer { format!("({text}{of}).to_bits()") } else { text.to_string() })
}

/// Addresses that need not follow each other.
fn groups(text: &str, ray: bool) -> Option<String> {
    let inside = text.strip_prefix('[')?.strip_suffix(']')?;
    let parts: Vec<String> = split(inside, ',').into_iter().map(|part| value(part, None)).collect::<Option<_>>()?;
    if ray {
        return Some(format!("({})", parts.join(", ")));
    }
    match parts.as_slice() {
        [first @ .., rest] if rest.starts_with("vgpr") => Some(format!("([{}], {rest})", first.join(", "))),
        _ => Some(format!("[{}]", parts.join(", "))),
    }
}

/// `vmcnt(1) expcnt(2)` as methods.
fn counters(of: &str, text: &str) -> Option<String> {
    let mut out = format!("{of}::NONE");
    for counter in split(text, ' ') {
        let (name, count) = counter.strip_suffix(')')?.split_once('(')?;
        write!(out, ".{}({count})", name.trim_start_matches("depctr_")).ok()?;
    }
    Some(out)
}

/// The constant of a scalar instruction, by the way it is written.
fn immediate(family: Family, opcode: &str, text: &str) -> Option<String> {
    let inside = |name: &str| text.strip_prefix(name).and_then(|rest| rest.strip_prefix('(')?.strip_suffix(')'));
    if let Some(inside) = inside("hwreg") {
        let parts = split(inside, ',');
        let ty = if family == Family::Gfx12 { "Rdna4HwRegister" } else { "HwRegister" };
        let mut out = match number(parts.first()?) {
            Some(id) => format!("{ty} {{ id: {id}, offset: 0, size: 32 }}"),
            None => format!("{ty}::named({:?}).unwrap()", parts.first()?),
        };
        if let [_, offset, size] = parts.as_slice() {
            // Bits that go beyond the register are none that `bits` takes.
            if number(offset)? + number(size)? > 32 {
                return None;
            }
            write!(out, ".bits({offset}, {size}).unwrap()").ok()?;
        }
        return Some(out);
    }
    if let Some(inside) = inside("sendmsg") {
        let first = *split(inside, ',').first()?;
        return Some(match number(first) {
            Some(n) => format!("Message::new({n})"),
            None => format!("Message::named({first:?}).unwrap()"),
        });
    }
    match opcode {
        "S_WAITCNT" => counters("Waits", text),
        "S_WAITCNT_DEPCTR" | "S_WAIT_ALU" => counters("DependencyWaits", text),
        "S_DELAY_ALU" => {
            let part = |name: &str| {
                let (_, rest) = text.split_once(name)?;
                rest.strip_prefix('(')?.split_once(')').map(|(inside, _)| inside)
            };
            let first = part("instid0").unwrap_or("NO_DEP");
            let mut out = format!("DelayAlu::next({first:?}).unwrap()");
            if text.contains("instskip") || text.contains("instid1") {
                let (skip, id) = (part("instskip").unwrap_or("SAME"), part("instid1").unwrap_or("NO_DEP"));
                write!(out, ".then({skip:?}, {id:?}).unwrap()").ok()?;
            }
            Some(out)
        }
        "S_VERSION" => {
            let mut names = text.split(['(', ')', '|']).filter(|name| !name.is_empty());
            let mut out =
                format!("MicrocodeVersion::named({:?}).unwrap()", names.next().filter(|n| n.starts_with('U'))?);
            names.try_for_each(|flag| write!(out, ".with({flag:?}).unwrap()")).ok()?;
            Some(out)
        }
        "S_SENDMSG" | "S_SENDMSGHALT" | "S_SENDMSG_RTN_B32" | "S_SENDMSG_RTN_B64" => None,
        _ => number(text).map(|_| text.to_string()),
    }
}

/// A temporal hint of RDNA4 as a method.
fn hint(text: &str) -> Option<String> {
    let (_, rest) = text.strip_prefix("TH_")?.split_once('_')?;
    if text.starts_with("TH_ATOMIC") {
        // The function of an atomic says whether it returns the old value.
        let hint = match rest {
            "RETURN" => return Some(String::new()),
            "NT" | "NT_RETURN" => "NonTemporal",
            "CASCADE_RT" | "CASCADE_RETURN" => "Cascade",
            "CASCADE_NT" | "CASCADE_NT_RETURN" => "CascadeNonTemporal",
            _ => return None,
        };
        return Some(format!(".atomic_hint(AtomicHint::{hint})"));
    }
    let hint = match rest {
        "NT" => "NonTemporal",
        "HT" => "HighTemporal",
        "LU" | "WB" | "BYPASS" => "LastUse",
        "NT_RT" => "NonTemporalNear",
        "RT_NT" => "NonTemporalFar",
        "NT_HT" => "HighTemporalFar",
        "NT_WB" => "WriteBackFar",
        _ => return None,
    };
    Some(format!(".th(Hint::{hint})"))
}

/// A modifier as a method; empty where the builder has it otherwise.
fn modifier<S: WaveSet>(text: &str, golden: &Golden<S>) -> Option<String> {
    let opcode = golden.opcode;
    let (name, value) = text.split_once(':').unwrap_or((text, ""));
    Some(match (name, value) {
        ("th", th) => hint(th)?,
        ("scope", scope) => {
            let (_, scope) = [("SCOPE_SE", "Se"), ("SCOPE_DEV", "Device"), ("SCOPE_SYS", "System")]
                .into_iter()
                .find(|(name, _)| *name == scope)?;
            format!(".scope(MemoryScope::{scope})")
        }
        ("byte_sel", byte) if opcode.starts_with("V_CVT_SR_") => format!(".result_byte({byte})"),
        ("byte_sel", byte) => format!(".source_byte({byte})"),
        ("index_key", part) => format!(".index_key({part})"),
        ("wait_va_vdst" | "wait_vm_vsrc", n) => format!(".{name}({n})"),
        (
            "clamp" | "glc" | "slc" | "dlc" | "gds" | "tfe" | "offen" | "idxen" | "unorm" | "r128" | "a16" | "d16",
            "",
        )
        | ("lwe" | "done" | "row_en", "") => format!(".{name}()"),
        ("mul" | "div", n) => format!(".omod_{name}{n}()"),
        ("offset", _) if opcode == "DS_SWIZZLE_B32" => {
            format!(".swizzle(Swizzle::from_offset({:#x}))", golden.instr.low64() & 0xffff)
        }
        ("offset" | "offset0" | "offset1" | "dmask" | "row_mask" | "bank_mask" | "wait_exp" | "wait_vdst", n) => {
            format!(".{name}({n})")
        }
        ("dim", dim) => {
            let (code, _) = DIM_NAMES.iter().find(|(_, name)| *name == dim)?;
            format!(".dim(ImageDim::{:?})", IMAGE_DIMS.get(*code as usize)?.dim)
        }
        ("format", format) => {
            let name = format.strip_prefix("[BUF_FMT_")?.strip_suffix(']')?;
            format!(".format(ElementFormat::named({name:?}).unwrap())")
        }
        ("op_sel" | "op_sel_hi" | "neg_lo" | "neg_hi" | "dpp8", list) => format!(".{name}({list})"),
        ("quad_perm", list) => format!(".dpp16(DppCtrl::quad_perm({list}))"),
        ("row_mirror" | "row_half_mirror", "") => format!(".dpp16(DppCtrl::{name}())"),
        ("row_shl" | "row_shr" | "row_ror" | "row_share" | "row_xmask", n) => format!(".dpp16(DppCtrl::{name}({n}))"),
        ("bound_ctrl", "1") => ".bound_ctrl()".into(),
        ("fi", "1") => ".fetch_inactive()".into(),
        _ => return None,
    })
}

/// A golden line as an expression of type `Result<Instr, BuildError>`; `None` where builders have no such call.
fn call<S: WaveSet>(golden: &Golden<S>) -> Option<String> {
    let Golden { line, instr, opcode, operands } = golden;
    let wave = line.mode();
    if let Some((x, y)) = line.text.split_once(" :: ") {
        let half = |text: &str, component| {
            let (name, rest) = text.split_once(' ')?;
            let operands: Vec<_> = operands.iter().filter(|o| o.component == component).collect();
            let value = |(i, part)| value(part, operands.get::<usize>(i).map(|o| o.ty));
            let args: Vec<String> = split(rest, ',').into_iter().enumerate().map(value).collect::<Option<_>>()?;
            Some(format!("{name}({})", args.join(", ")))
        };
        return Some(format!("dual({}, {}).build()", half(x, 0)?, half(y, 1)?));
    }
    let (mnemonic, rest) = line.text.split_once(' ').unwrap_or((&line.text, ""));
    let mut parts = split(rest, ',');
    // Modifiers follow the last operand.
    let last = parts.pop().unwrap_or_default();
    let mut words = split(last, ' ').into_iter();
    let mut modifiers: Vec<&str> = Vec::new();
    let whole = matches!(*opcode, "S_WAITCNT" | "S_WAITCNT_DEPCTR" | "S_WAIT_ALU" | "S_DELAY_ALU");
    match words.next() {
        _ if whole => parts.push(last),
        Some(first) if modifier(first, golden).is_none_or(|m| m.is_empty()) => {
            parts.push(first);
            modifiers.extend(words);
        }
        first => modifiers.extend(first.into_iter().chain(words)),
    }
    let mut args: Vec<String> = Vec::new();
    let mut methods = String::new();
    let dests = operands.iter().filter(|o| matches!(o.role, "d" | "sd") && o.access != Access::Read).count();
    match instr.microcode() {
        Format::Exp => {
            let (target, first) = parts.first()?.split_once(' ')?;
            args.push(format!("ExportTo::named({target:?}).unwrap()"));
            args.push(value(first, None)?);
            args.extend(parts.iter().skip(1).map(|p| value(p, None)).collect::<Option<Vec<_>>>()?);
        }
        Format::Sopp => args.extend(parts.iter().map(|p| immediate(S::FAMILY, opcode, p)).collect::<Option<Vec<_>>>()?),
        Format::Smem => {
            let probe = opcode.starts_with("S_ATC");
            let is_prefetch = opcode.contains("PREFETCH");
            for (i, part) in parts.iter().enumerate() {
                args.push(if probe && i == 0 { (*part).to_string() } else { value(part, None)? });
            }
            if is_prefetch {
                // The offset and the length are operands.
            } else if let Some(offset) = args.get(2).filter(|a| number(a).is_some()).cloned() {
                args.truncate(2);
                args.extend(["NULL".into(), offset]);
            } else if args.len() == 3 {
                let offset = modifiers.iter().find_map(|m| m.strip_prefix("offset:")).unwrap_or("0");
                args.push(offset.into());
                modifiers.retain(|m| !m.starts_with("offset:"));
            }
        }
        Format::Ldsdir => {
            args.push(value(parts.first()?, None)?);
            if let Some((attr, channel)) = parts.get(1).and_then(|p| p.strip_prefix("attr")?.split_once('.')) {
                args.push(format!("Attribute::new({attr}).unwrap()"));
                args.push(format!("Channel::{}", channel.to_uppercase()));
            }
        }
        _ => {
            for (i, part) in parts.iter().enumerate() {
                let ty = operands.get(i).map(|o| o.ty);
                let mut inner = *part;
                if let Some(rest) = inner.strip_prefix("neg(").and_then(|r| r.strip_suffix(')')) {
                    write!(methods, ".neg({})", i.checked_sub(dests)?).ok()?;
                    inner = rest;
                } else if let Some(rest) =
                    inner.strip_prefix('-').filter(|r| r.starts_with(['v', 's', '|', 't', 'e', 'm', 'n']))
                {
                    write!(methods, ".neg({})", i.checked_sub(dests)?).ok()?;
                    inner = rest;
                }
                if let Some(rest) = inner.strip_prefix('|').and_then(|r| r.strip_suffix('|')) {
                    write!(methods, ".abs({})", i.checked_sub(dests)?).ok()?;
                    inner = rest;
                }
                let is_immediate =
                    matches!(operands.get(i).map(|o| o.value), Some(Value::Immediate(_) | Value::Branch(_)));
                let named = inner.contains('(') || inner.starts_with("UC_");
                args.push(match groups(inner, opcode.contains("RAY")) {
                    Some(groups) => groups,
                    None if named || is_immediate && number(inner).is_some() => immediate(S::FAMILY, opcode, inner)?,
                    None => value(inner, ty)?,
                });
            }
        }
    }
    let mut name = opcode.to_lowercase();
    if opcode.contains("ATOMIC") && modifiers.contains(&"glc") {
        name.push_str("_glc");
        modifiers.retain(|m| *m != "glc");
    }
    if modifiers.iter().any(|m| m.starts_with("th:TH_ATOMIC_") && m.ends_with("RETURN")) {
        name.push_str("_rtn");
    }
    if ["_GWS_", "_GS_REG", "_ORDERED_"].iter().any(|part| opcode.contains(part)) {
        modifiers.retain(|m| *m != "gds");
    }
    let mut told = rest.to_string();
    // Vector registers have their halves as suffixes, so the list adds information about scalar registers only.
    if let Some(list) =
        modifiers.iter().find(|m| m.starts_with("op_sel:")).filter(|_| instr.microcode() != Format::Vop3p)
        && golden.is(&line.text.replace(&format!(" {list}"), ""))
    {
        told = told.replace(&format!(" {list}"), "");
        modifiers.retain(|m| !m.starts_with("op_sel:"));
    }
    for text in modifiers {
        methods.push_str(&modifier(text, golden)?);
    }
    // Where the shortest encoding is another one, the line asks for this one.
    let bare = mnemonic.trim_end_matches("_dpp").trim_end_matches("_e32").trim_end_matches("_e64");
    if mnemonic.contains("_e64") && !golden.is(&format!("{bare} {told}")) {
        methods.push_str(".e64()");
    }
    if *opcode == "S_ENDPGM" && args.is_empty() {
        args.push("0".into());
    }
    let wave = if wave == Wave::W64 { "W64" } else { "W32" };
    Some(format!("{name}({}){methods}.build({wave})", args.join(", ")))
}

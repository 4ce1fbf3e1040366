//! Golden lines as calls of typed builders: what tests/tests/builders.rs and gcn_builders.rs hold against the parser.

mod gcn;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;

use anyhow::{Context, Result};
use isa_tests::paths::root;
use isa_tests::vectors::{Line, golden};
use rdna3::isa::{Access, Class, Type};
use rdna3::operands::{DIM_NAMES, IMAGE_DIMS, is_register_name};
use rdna3::{Instr, Value, Wave};

/// How many lines are taken of each mnemonic in each encoding.
const LINES: usize = 2;
/// The number of calls in one function.
const CHUNK: usize = 100;

/// The arguments of `cargo xtask builders`.
#[derive(clap::Args)]
pub struct Args {
    /// Compare with the committed file and leave it unchanged
    #[arg(long)]
    pub check: bool,
}

/// Writes the calls, or compares them with the committed ones.
pub fn run(args: &Args) -> Result<()> {
    let mut taken: BTreeMap<(String, &str, bool), usize> = BTreeMap::new();
    let mut calls = Vec::new();
    let mut left: Vec<String> = Vec::new();
    for line in golden()? {
        let Ok(instr) = Instr::parse(&line.text, line.mode()) else { continue };
        if instr.check(line.mode()).is_err() {
            continue;
        }
        let key = (instr.opcode().name().to_string(), instr.format(), instr.suffix_dword().is_some());
        let count = taken.entry(key).or_default();
        if *count >= LINES {
            continue;
        }
        match call(&line, &instr) {
            Some(call) => {
                *count += 1;
                let wave = if line.mode() == Wave::W64 { "W64" } else { "W32" };
                calls.push(format!("    t.case({wave}, {:?}, {call});\n", line.text));
            }
            None => left.push(line.text),
        }
    }
    let out = format!("{MADE}{}", functions(&calls, "", "")?);
    report(args, "builders.rs", &out, calls.len(), &left)?;
    gcn::run(args)
}

/// The first line of what is made.
const MADE: &str = "// Made by `cargo xtask builders` from the golden vectors.\n";

/// Generates functions that make the calls, and a constant that lists them. `indent` precedes each line, `of` the type of each
/// function's parameter.
fn functions(calls: &[String], indent: &str, of: &str) -> Result<String> {
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

/// Says what was made, and writes it or compares it.
fn report(args: &Args, file: &str, out: &str, calls: usize, left: &[String]) -> Result<()> {
    let path = root().join("tests/vectors").join(file);
    println!("{file}: {calls} calls; {} lines are no calls, such as:", left.len());
    left.iter().step_by(left.len() / 12 + 1).for_each(|line| println!("  {line}"));
    if args.check {
        let committed = fs::read_to_string(&path).with_context(|| format!("{} cannot be read", path.display()))?;
        anyhow::ensure!(committed == out, "{} is not as `cargo xtask builders` makes it", path.display());
        return Ok(());
    }
    fs::write(&path, out).with_context(|| format!("{} cannot be written", path.display()))
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
    text.parse::<f64>().ok()?;
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
        [a, b, c, d, rest] if rest.starts_with("vgpr") => Some(format!("([{a}, {b}, {c}, {d}], {rest})")),
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
fn immediate(opcode: &str, text: &str) -> Option<String> {
    let inside = |name: &str| text.strip_prefix(name).and_then(|rest| rest.strip_prefix('(')?.strip_suffix(')'));
    if let Some(inside) = inside("hwreg") {
        let parts = split(inside, ',');
        let mut out = match number(parts.first()?) {
            Some(id) => format!("HwRegister {{ id: {id}, offset: 0, size: 32 }}"),
            None => format!("HwRegister::named({:?}).unwrap()", parts.first()?),
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
        "S_WAITCNT_DEPCTR" => counters("DependencyWaits", text),
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

/// A modifier as a method; empty where the builder has it otherwise.
fn modifier(text: &str, instr: &Instr) -> Option<String> {
    let (name, value) = text.split_once(':').unwrap_or((text, ""));
    Some(match (name, value) {
        (
            "clamp" | "glc" | "slc" | "dlc" | "gds" | "tfe" | "offen" | "idxen" | "unorm" | "r128" | "a16" | "d16",
            "",
        )
        | ("lwe" | "done" | "row_en", "") => format!(".{name}()"),
        ("mul" | "div", n) => format!(".omod_{name}{n}()"),
        ("offset", _) if instr.opcode().name() == "DS_SWIZZLE_B32" => {
            format!(".swizzle(Swizzle::from_offset({:#x}))", instr.words()[0] & 0xffff)
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
fn call(line: &Line, instr: &Instr) -> Option<String> {
    let wave = line.mode();
    if let Some((x, y)) = line.text.split_once(" :: ") {
        let half = |text: &str, component| {
            let (name, rest) = text.split_once(' ')?;
            let operands: Vec<_> = instr.operands(wave).filter(|o| o.component == component).collect();
            let value = |(i, part)| value(part, operands.get::<usize>(i).map(|o| o.ty));
            let args: Vec<String> = split(rest, ',').into_iter().enumerate().map(value).collect::<Option<_>>()?;
            Some(format!("{name}({})", args.join(", ")))
        };
        return Some(format!("dual({}, {}).build()", half(x, 0)?, half(y, 1)?));
    }
    let opcode = instr.opcode().name();
    let (mnemonic, rest) = line.text.split_once(' ').unwrap_or((&line.text, ""));
    let mut parts = split(rest, ',');
    // Modifiers follow the last operand.
    let last = parts.pop().unwrap_or_default();
    let mut words = split(last, ' ').into_iter();
    let mut modifiers: Vec<&str> = Vec::new();
    let whole = matches!(opcode, "S_WAITCNT" | "S_WAITCNT_DEPCTR" | "S_DELAY_ALU");
    match words.next() {
        _ if whole => parts.push(last),
        Some(first) if modifier(first, instr).is_none_or(|m| m.is_empty()) => {
            parts.push(first);
            modifiers.extend(words);
        }
        first => modifiers.extend(first.into_iter().chain(words)),
    }
    let mut args: Vec<String> = Vec::new();
    let mut methods = String::new();
    let operands: Vec<_> = instr.operands(wave).collect();
    let dests = operands.iter().filter(|o| matches!(o.role, "d" | "sd") && o.access != Access::Read).count();
    match instr {
        Instr::Exp(_) => {
            let (target, first) = parts.first()?.split_once(' ')?;
            args.push(format!("ExportTo::named({target:?}).unwrap()"));
            args.push(value(first, None)?);
            args.extend(parts.iter().skip(1).map(|p| value(p, None)).collect::<Option<Vec<_>>>()?);
        }
        Instr::Sopp(_) => args.extend(parts.iter().map(|p| immediate(opcode, p)).collect::<Option<Vec<_>>>()?),
        Instr::Smem(_) => {
            let probe = opcode.starts_with("S_ATC");
            for (i, part) in parts.iter().enumerate() {
                args.push(if probe && i == 0 { (*part).to_string() } else { value(part, None)? });
            }
            if let Some(offset) = args.get(2).filter(|a| number(a).is_some()).cloned() {
                args.truncate(2);
                args.extend(["NULL".into(), offset]);
            } else if args.len() == 3 {
                let offset = modifiers.iter().find_map(|m| m.strip_prefix("offset:")).unwrap_or("0");
                args.push(offset.into());
                modifiers.retain(|m| !m.starts_with("offset:"));
            }
        }
        Instr::Ldsdir(_) => {
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
                    None if named || is_immediate && number(inner).is_some() => immediate(opcode, inner)?,
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
    if ["_GWS_", "_GS_REG", "_ORDERED_"].iter().any(|part| opcode.contains(part)) {
        modifiers.retain(|m| *m != "gds");
    }
    let mut told = rest.to_string();
    // Vector registers have their halves as suffixes, so the list adds information about scalar registers only.
    if let Some(list) =
        modifiers.iter().find(|m| m.starts_with("op_sel:")).filter(|_| !matches!(instr, Instr::Vop3p(_)))
        && Instr::parse(&line.text.replace(&format!(" {list}"), ""), wave) == Ok(*instr)
    {
        told = told.replace(&format!(" {list}"), "");
        modifiers.retain(|m| !m.starts_with("op_sel:"));
    }
    for text in modifiers {
        methods.push_str(&modifier(text, instr)?);
    }
    // Where the shortest encoding is another one, the line asks for this one.
    let bare = mnemonic.trim_end_matches("_dpp").trim_end_matches("_e32").trim_end_matches("_e64");
    let short = Instr::parse(&format!("{bare} {told}"), wave);
    if mnemonic.contains("_e64") && short != Ok(*instr) {
        methods.push_str(".e64()");
    }
    let wave = if wave == Wave::W64 { "W64" } else { "W32" };
    Some(format!("{name}({}){methods}.build({wave})", args.join(", ")))
}

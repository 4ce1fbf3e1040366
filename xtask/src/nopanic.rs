//! That nothing in decode, encode, text, operands and rules can panic, and nothing of ours in reading text: `xtask/no-panic`
//! links just that as a library, optimised as a whole, of RDNA3 and then of RDNA4, and no function of ours in it calls
//! `core::panicking`.
//!
//! Calls through the tables go to methods of operand classes, so besides the exported functions all of those count as
//! reachable, but for `parse`, which reading text alone calls. Only reading text may lead to functions that do
//! panic, and these must be the core library's: it reads decimal floats with checked indices.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use isa_tests::paths::root;

/// The program that lists the library's instructions.
const OBJDUMP: &str = "llvm-objdump-22";
/// The exported functions that must not reach a panic. The library also exports `parse`.
const EXPORTS: [&str; 6] = ["decode", "walk", "encode", "write", "operands", "check"];

/// The sets, and the features of the library that select them.
const SETS: [(&str, &[&str]); 2] = [("RDNA3", &[]), ("RDNA4", &["--features", "rdna4"])];

/// Builds the library of each set and looks at it; then again with a panic in it, which must be found.
pub fn run() -> Result<()> {
    for (set, features) in SETS {
        check(set, &Graph::of(&build(features)?)?)?;
    }
    let control = Graph::of(&build(&["--features", "control"])?)?;
    if !control.reaching(|name| name.contains("core::panicking")).contains("control") {
        bail!("a panic that was put in is not found: this check is worth nothing");
    }
    println!("a panic put in on purpose is found");
    Ok(())
}

/// Looks for panics in the library of a set.
fn check(set: &str, graph: &Graph) -> Result<()> {
    if let Some(missing) = EXPORTS.iter().find(|name| !graph.calls.contains_key(**name)) {
        bail!("the library of {set} has no function {missing}");
    }
    let roots: Vec<_> = graph.calls.keys().filter(|name| is_root(name)).collect();
    for (what, is) in
        [("methods of operand classes", is_of_class as fn(&str) -> bool), ("answers to what is valid", is_valid)]
    {
        if !roots.iter().any(|name| is(name)) {
            bail!("the library of {set} has no {what}, or has them under other names: see is_root");
        }
    }
    let panics = graph.reaching(|name| name.contains("core::panicking"));
    let ours: Vec<_> = graph.callers(|name| name.contains("core::panicking")).filter(|name| !is_core(name)).collect();
    let reached: Vec<_> = panics.iter().copied().filter(|name| is_root(name)).collect();
    println!(
        "{set}: {} functions, {} of them called by more than reading text; {} lead to a panic, none of them ours but by way of \
         the core library",
        graph.calls.len(),
        roots.len(),
        panics.len()
    );
    if !ours.is_empty() || !reached.is_empty() {
        bail!(
            "panics of {set} can be reached: {} of ours call one, {}; from {}",
            ours.len(),
            ours.join(", "),
            reached.join(", ")
        );
    }
    Ok(())
}

/// Whether a function is the core library's.
fn is_core(name: &str) -> bool {
    name.starts_with("core::") || name.starts_with("<core::") || name.starts_with("<f64 as core::")
}

/// Whether something other than reading text calls a function.
fn is_root(name: &str) -> bool {
    EXPORTS.contains(&name) || is_of_class(name) || is_valid(name)
}

/// Whether a function is a method of an operand class other than `parse`.
fn is_of_class(name: &str) -> bool {
    let method = name
        .contains(" as isa_runtime::operands::class::Operand<")
        .then(|| name.rsplit("::").find(|part| !is_hash(part)));
    method.flatten().is_some_and(|method| method != "parse")
}

/// Whether a function asks an operand class whether a code is valid.
fn is_valid(name: &str) -> bool {
    name.starts_with("isa_runtime::operands::class::valid")
}

/// Whether a part of a name is what the compiler adds to tell functions apart.
fn is_hash(part: &str) -> bool {
    part.len() == 17 && part.starts_with('h') && part.bytes().skip(1).all(|b| b.is_ascii_hexdigit())
}

/// Demangles the signs in a name of Rust that the listing program has demangled as a C++ name.
fn in_rust(name: &str) -> String {
    let name = name.strip_prefix('_').filter(|rest| rest.starts_with("$LT$")).unwrap_or(name);
    let signs = [("$LT$", "<"), ("$GT$", ">"), ("$u20$", " "), ("$RF$", "&"), ("..", "::")];
    signs.iter().fold(name.to_string(), |name, (from, to)| name.replace(from, to))
}

fn build(more: &[&str]) -> Result<PathBuf> {
    let crate_of_it = root().join("xtask/no-panic");
    let program = env::current_exe()?;
    let target = program.parent().and_then(Path::parent).context("this program stands nowhere")?.join("no-panic");
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(["build", "--release", "-q", "--manifest-path"]).arg(crate_of_it.join("Cargo.toml"));
    command.arg("--target-dir").arg(&target).args(more);
    if !command.status().context("cargo cannot be started")?.success() {
        bail!("xtask/no-panic does not build");
    }
    Ok(target.join("release/libno_panic.so"))
}

/// Which function names which.
struct Graph {
    calls: BTreeMap<String, BTreeSet<String>>,
}

impl Graph {
    fn of(library: &Path) -> Result<Self> {
        let listed = Command::new(OBJDUMP).args(["-d", "-C", "--no-show-raw-insn"]).arg(library).output();
        let listed = listed.with_context(|| format!("{OBJDUMP} cannot be started"))?;
        let mut calls: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let mut current = String::new();
        for line in String::from_utf8_lossy(&listed.stdout).lines() {
            let Some((before, name)) = line.split_once(" <").or_else(|| line.split_once("\t<")) else { continue };
            if let Some(name) = name.strip_suffix(">:").filter(|_| !before.contains(' ')) {
                current = in_rust(name);
                calls.entry(current.clone()).or_default();
            } else if let Some(name) = name.strip_suffix('>') {
                let name = in_rust(name.rsplit_once("+0x").map_or(name, |(name, _)| name));
                if name != current {
                    calls.entry(current.clone()).or_default().insert(name);
                }
            }
        }
        if calls.len() < 100 {
            bail!("{OBJDUMP} lists {} functions: not the library", calls.len());
        }
        Ok(Graph { calls })
    }

    fn callers(&self, of: impl Fn(&str) -> bool) -> impl Iterator<Item = &str> {
        self.calls.iter().filter(move |(name, to)| !of(name) && to.iter().any(|n| of(n))).map(|(name, _)| name.as_str())
    }

    /// The functions that lead to one of these, through any number of others.
    fn reaching(&self, of: impl Fn(&str) -> bool) -> BTreeSet<&str> {
        let mut found: BTreeSet<&str> = self.calls.keys().map(String::as_str).filter(|name| of(name)).collect();
        loop {
            let more: Vec<&str> = self.callers(|name| found.contains(name)).filter(|n| !found.contains(n)).collect();
            if more.is_empty() {
                return found;
            }
            found.extend(more);
        }
    }
}

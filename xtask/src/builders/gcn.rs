//! The same for the generations of GCN, a module each.

use std::collections::BTreeMap;
use std::fmt::Write;

use anyhow::Result;
use gcn::isa::{Class, Type};
use isa_tests::vectors::{Line, golden_of};

use super::{Args, Call, LINES, MADE, Selection, functions, number, report, split, types, value, words};

/// Registers that have names, as builders and text have them but for the case.
const NAMED: [&str; 22] = [
    "off",
    "m0",
    "vcc",
    "vcc_lo",
    "vcc_hi",
    "exec",
    "exec_lo",
    "exec_hi",
    "flat_scratch",
    "flat_scratch_lo",
    "flat_scratch_hi",
    "xnack_mask",
    "xnack_mask_lo",
    "xnack_mask_hi",
    "tba",
    "tba_lo",
    "tba_hi",
    "tma",
    "tma_lo",
    "tma_hi",
    "src_vccz",
    "src_execz",
];

/// The type of a constant.
const DWORD: Type = Type::new(Class::Unsigned, 32, 1);

pub fn run(args: &Args) -> Result<()> {
    let (mut generations, mut left) = (Vec::new(), Vec::new());
    macro_rules! generation {
        ($($module:ident $set:ident)*) => {$(
            let mut taken: BTreeMap<String, usize> = BTreeMap::new();
            let mut calls = Vec::new();
            for line in golden_of::<gcn::$module::$set>()? {
                let Ok(instr) = gcn::$module::Instr::parse(&line.text, gcn::Wave::W64) else { continue };
                if !line.canonical || instr.check().is_err() {
                    continue;
                }
                let Some((name, call)) = call(&line, instr.opcode().name()) else {
                    left.push(line.text);
                    continue;
                };
                let taken = taken.entry(name).or_default();
                if *taken < LINES {
                    *taken += 1;
                    let types = types(instr.operands(gcn::Wave::W64).map(|operand| (operand.access, operand.ty)));
                    let signature = format!("{} {types}", instr.format());
                    let code = format!("    t.case::<Set>({:?}, &{}, {call});\n", line.text, words(&line));
                    calls.push(Call { signature, code });
                }
            }
            generations.push((stringify!($module), stringify!($set), calls));
        )*};
    }
    generation!(gcn1_0 Gcn1_0 gcn1_1 Gcn1_1 gcn1_2 Gcn1_2 gcn1_4 Gcn1_4);
    let file = |selection: Selection| {
        let mut out = String::from(MADE);
        for (module, set, calls) in &generations {
            writeln!(out, "mod {module} {{\n    use gcn::{module}::{set} as Set;\n    use gcn::{module}::build::*;\n")?;
            writeln!(out, "{}}}", functions(&selection.of(calls), "    ", "super::")?)?;
        }
        Ok(out)
    };
    let count = generations.iter().map(|(.., calls)| calls.len()).sum();
    report(args, "gcn_builders.rs", &file, count, &left)
}

/// A modifier as a method.
fn modifier(text: &str) -> Option<String> {
    Some(match text.split_once(':') {
        Some(("offset", n)) => format!(".offset({n})"),
        None if matches!(text, "offen" | "idxen" | "addr64" | "glc" | "slc" | "lds" | "tfe" | "nv") => {
            format!(".{text}()")
        }
        _ => return None,
    })
}

/// A golden line as the name of a function and an expression of type `Result<Instr, BuildError>`.
fn call(line: &Line, opcode: &str) -> Option<(String, String)> {
    let (_, rest) = line.text.split_once(' ').unwrap_or((&line.text, ""));
    let mut operands = split(rest, ',');
    let last = operands.pop().unwrap_or_default();
    let (mut modifiers, mut first): (Vec<&str>, Vec<&str>) =
        split(last, ' ').into_iter().partition(|word| modifier(word).is_some());
    operands.append(&mut first);
    let mut name = opcode.to_lowercase();
    let mut implied = |word: &str| {
        let at = modifiers.iter().position(|m| *m == word);
        at.map(|at| modifiers.remove(at)).is_some()
    };
    if opcode.contains("ATOMIC") && implied("glc") {
        name.push_str("_glc");
    }
    if implied("lds") && opcode != "BUFFER_STORE_LDS_DWORD" {
        name.push_str("_lds");
    }
    let argument = |text: &str| match text {
        _ if NAMED.contains(&text) => Some(text.trim_start_matches("src_").to_uppercase()),
        _ if number(text).is_some() => Some(text.to_string()),
        _ => value(text, Some(DWORD)),
    };
    let arguments: Vec<String> = operands.into_iter().map(argument).collect::<Option<_>>()?;
    let methods: String = modifiers.into_iter().map(modifier).collect::<Option<_>>()?;
    let call = format!("{name}({}){methods}.build()", arguments.join(", "));
    Some((name, call))
}

//! Documentation of operand classes: the table of their codes.

use std::fmt::Write as _;

use super::codes::Space;
use crate::ast::{Arm, ArmCond, ClassContent, ClassDecl, Clause, CodeRun, ListDecl, NumberedCodes, RunKind};

/// Returns the documentation of a class below its own: a table of its codes.
pub fn table(class: &ClassDecl, space: &Space) -> String {
    let mut out = String::new();
    match &class.content {
        ClassContent::Codes(arms) => {
            out.push_str("| codes | operand |\n|---|---|\n");
            for arm in arms {
                codes(&mut out, arm, space);
            }
        }
        ClassContent::Number(low, high, _) => {
            let _ = write!(out, "A number from {low} to {high}.");
        }
        ClassContent::Flag(None) => out.push_str("Written as the modifier's own name if it is set."),
        ClassContent::Flag(Some(text)) => {
            let _ = write!(out, "Written as `{text}` if it is set.");
        }
        ClassContent::Names { pattern, names, .. } => {
            out.push_str("| code | text |\n|---|---|\n");
            for (code, name, _) in names {
                let _ = writeln!(out, "| {code} | `{}` |", pattern.as_str().trim().replace("{}", name));
            }
        }
        ClassContent::Parts(parts, _) => {
            out.push_str("| bits | part |\n|---|---|\n");
            for part in parts {
                let values = part.values.as_ref().map_or(String::new(), |(list, _)| format!(": [`{list}`]"));
                let _ = writeln!(out, "| {}:{} | `{}`{values} |", part.bits.0, part.bits.1, part.name);
            }
        }
        ClassContent::Hidden => out.push_str("The text of other operands shows it."),
        ClassContent::List(list) => out.push_str(&of_list(list)),
        ClassContent::Cases { list, codes, .. } => {
            out.push_str("| codes | text |\n|---|---|\n");
            if let Some((count, list)) = list {
                let _ = writeln!(out, "| 0 to {} | {} |", count - 1, of_list(list));
            }
            for NumberedCodes { first, last, name, number, .. } in codes {
                let _ = match number {
                    None => writeln!(out, "| {first} | `{name}` |"),
                    Some(n) => writeln!(out, "| {first} to {last} | `{name}{n}` to `{name}{}` |", n + last - first),
                };
            }
        }
        ClassContent::Call(name, arguments) => {
            out.push_str("| bits | argument |\n|---|---|\n");
            for argument in arguments {
                let names = argument.names.as_ref().map_or(String::new(), |list| format!(": [`{list}`] or a number"));
                let _ = writeln!(out, "| {}:{} | `{}`{names} |", argument.bits.0, argument.bits.1, argument.name);
            }
            let all: Vec<&str> = arguments.iter().map(|argument| argument.name.as_str()).collect();
            let _ = write!(out, "\nIn text: `{name}({})`.", all.join(", "));
        }
    }
    for clause in &class.clauses {
        match clause {
            Clause::Text(text, _) => {
                let _ = write!(out, " In text: `{}`.", text.as_str().trim());
            }
            Clause::Half(bit) if *bit != u8::MAX => {
                let _ = write!(out, "\n\nBit {bit} chooses the half of a 16-bit register.");
            }
            Clause::HalfBy(bit, _) => {
                let _ = write!(out, "\n\n`{}` chooses the half of a 16-bit register.", bit.name);
            }
            _ => {}
        }
    }
    out
}

/// Returns the text of a list.
fn of_list(list: &ListDecl) -> String {
    let (before, count, width) = (list.before.trim(), list.count, list.width);
    let roles: String = list.roles.iter().map(|role| format!(", and one if the row has `{role}`")).collect();
    format!("`{before}[…]`: {count} numbers of {width} bits{roles}; the first has the lowest bits")
}

/// Appends the rows of a case.
fn codes(out: &mut String, arm: &Arm, space: &Space) {
    let (base, shift) = space.map(arm);
    let cond = match &arm.cond {
        None => String::new(),
        Some(ArmCond::Mask) => ", if it is a lane mask".into(),
        Some(ArmCond::UpTo(bits)) => format!(", if it has up to {bits} bits"),
        Some(ArmCond::Above(bits)) => format!(", if it has more than {bits} bits"),
        Some(ArmCond::Flag(flag)) => format!(", in rows with `{flag}`"),
        Some(ArmCond::Mode(mode)) => format!(", in {mode}"),
    };
    for run in space.resolve(&arm.set).into_iter().map(|at| space.runs[at]) {
        let (first, last) = ((run.first - base) >> shift, (run.last - base) >> shift);
        let range = if first == last { first.to_string() } else { format!("{first} to {last}") };
        let _ = writeln!(out, "| {range} | {}{cond} |", text(run));
    }
    for name in &arm.except {
        let code = space.code_of_name(name).map_or(0, |code| code.wrapping_sub(base) >> shift);
        let _ = writeln!(out, "| except {code} | `{name}`{cond} |");
    }
}

/// Returns the texts of a run.
fn text(run: &CodeRun) -> String {
    let last = run.last - run.first;
    match &run.what {
        RunKind::Numbered(prefix) => format!("`{prefix}0` to `{prefix}{last}`"),
        RunKind::Names(names) => names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "),
        RunKind::Integers(first, last) => format!("{first} to {last}"),
        RunKind::Floats(all) => all.iter().map(|(text, _)| text.as_str()).collect::<Vec<_>>().join(", "),
        RunKind::Literal(suffix_dword) => format!("the constant in {suffix_dword}"),
    }
}

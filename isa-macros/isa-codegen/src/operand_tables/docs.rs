//! Documentation of operand classes: the table of their codes, and what their clauses say.

use std::fmt::Write as _;

use super::codes::Space;
use super::context::has;
use super::facts::{Facts, is_literal};
use super::numbers::{is_signed, shift};
use crate::ast::{
    Arm, ArmCond, ClassContent, ClassDecl, Clause, CodeRun, DwordsBase, DwordsSum, FloatReading, ListDecl, NamedCode,
    NumberedCodes, OperandTables, RunFit, RunKind, ThereField,
};
use crate::spanned::SpannedStr;

/// Returns the documentation of a class below its own: a table of its codes, and sentences on its clauses.
pub fn table(tables: &OperandTables, class: &ClassDecl) -> String {
    let mut out = String::new();
    match &class.content {
        ClassContent::Codes(arms) => {
            out.push_str("| codes | operand |\n|---|---|\n");
            for arm in arms {
                push_codes(&mut out, tables, arm, arms.len() > 1);
            }
            out.push_str(&registers_doc(tables, class, arms));
        }
        ClassContent::Number(..) if is_literal(class) => out.push_str("The constant in the suffix dword."),
        ClassContent::Number(low, high, _) => out.push_str(&number_doc(class, *low, *high)),
        ClassContent::Flag(None) => {
            out.push_str("Written as the modifier's own name if it is 1");
            let is_without_no = has(class, |c| matches!(c, Clause::Without(what) if what.as_str() == "no"));
            out.push_str(if is_without_no { "." } else { "; with `no` before the name it is 0." });
        }
        ClassContent::Flag(Some(text)) => {
            let _ = write!(out, "Written as `{text}` if it is 1.");
        }
        ClassContent::Names { pattern, names, other, .. } => {
            out.push_str("| code | text |\n|---|---|\n");
            for NamedCode { code, name, .. } in names {
                let _ = writeln!(out, "| {code} | `{}` |", pattern.as_str().trim().replace("{}", name));
            }
            if let Some(other) = other {
                let _ = write!(out, "\nOther codes are written as `{}`.", other.as_str().trim().replace("{}", "N"));
            }
        }
        ClassContent::Parts(parts, _) => {
            out.push_str("| bits | part |\n|---|---|\n");
            for part in parts {
                let values = part.values.as_ref().map_or(String::new(), |(list, _)| format!(": [`{list}`]"));
                let _ = writeln!(out, "| {} | `{}`{values} |", bits(part.bits), part.name);
            }
        }
        ClassContent::Hidden => out.push_str("The text of other operands shows it."),
        ClassContent::List(list) => out.push_str(&list_doc(list)),
        ClassContent::Cases { list, codes, .. } => {
            out.push_str("| codes | text |\n|---|---|\n");
            if let Some((count, list)) = list {
                let _ = writeln!(out, "| 0 to {} | {} |", count - 1, list_doc(list));
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
                let _ = writeln!(out, "| {} | `{}`{names} |", bits(argument.bits), argument.name);
            }
            let all: Vec<&str> = arguments.iter().map(|argument| argument.name.as_str()).collect();
            let _ = write!(out, "\nIn text: `{name}({})`.", all.join(", "));
        }
    }
    for sentence in class.clauses.iter().filter_map(|clause| clause_doc(class, clause)) {
        let _ = write!(out, "\n\n{sentence}");
    }
    out
}

/// Returns the sentence about a clause, if it has one.
fn clause_doc(class: &ClassDecl, clause: &Clause) -> Option<String> {
    Some(match clause {
        Clause::Half(bit) => format!("Bit {bit} chooses the half of a 16-bit register."),
        Clause::HalfBy(bit, _) => {
            let at = bit.bit.map_or("N".to_string(), |bit| bit.to_string());
            format!("Bit {at} of the modifier `{}` chooses the half of a 16-bit register.", bit.name)
        }
        Clause::Sign { is_absolute, cases } => {
            let what = if *is_absolute { "takes the absolute value" } else { "negates" };
            let all = cases.iter().map(|(flag, bit)| {
                let rows = flag.as_ref().map_or(String::new(), |flag| format!(" in rows with `{flag}`"));
                format!("`{}`{rows}", bit.name)
            });
            format!("The modifier {} {what}.", all.collect::<Vec<_>>().join(", otherwise "))
        }
        Clause::Dwords(n) => format!("An operand has {}, regardless of its type.", count_of(*n)),
        Clause::DwordsSum(sum) => format!("The number of registers is {}.", sum_doc(sum)),
        Clause::DwordsPart(divisor, mode) => {
            format!("An operand has as many registers as its type takes, in {mode} divided by {divisor}.")
        }
        Clause::There(ThereField { field, is_by_digit: false, .. }) => {
            format!("The operand is a register if `{field}` is 1.")
        }
        Clause::There(ThereField { field, .. }) => {
            format!(
                "The operand is a register if the bit of `{field}` is 1 whose number is the last digit of its name."
            )
        }
        Clause::Off(Some(name)) => format!("The code of `{name}` is written as `off`."),
        Clause::Off(None) => "An operand without registers is written as `off`.".to_string(),
        Clause::RegistersIn(modifiers) => {
            format!("In a list of registers, {} hold the second and further registers.", list_of(modifiers))
        }
        Clause::Absent(code) if class.is_modifier => format!("Where text omits it, the code is {code}."),
        Clause::OrRegister(_, modifier) => format!("Unless `{modifier}` is 1, the field has the code of a register."),
        Clause::Required(_) => "Text must state it.".to_string(),
        Clause::Prefix(prefix) => format!("Text may leave out `{prefix}`."),
        Clause::Then(text) => format!("`{text}` may follow it in text."),
        Clause::Floats(FloatReading::LowBits) => {
            "Of a floating-point number in text, the lowest bits of the `f64` count.".to_string()
        }
        Clause::Floats(FloatReading::Single) => "A floating-point number in text is an `f32`.".to_string(),
        Clause::Floats(FloatReading::InRange) => "A floating-point number in text is an `f64`.".to_string(),
        Clause::UnsignedIf(flag, _) => format!("Rows with `{flag}` take no negative numbers."),
        Clause::ZeroBeside(modifiers) => format!("It is 0 where one of {} is 1.", list_of(modifiers)),
        Clause::Without(what) if *what == *"no" => "Text cannot say that it is 0.".to_string(),
        Clause::StatedBy(text) => format!("Text states it by `{text}`."),
        Clause::HiddenIf(flag) => format!("Rows with `{flag}` do not write it."),
        Clause::Check(..) => "Other fields decide which of these codes are valid.".to_string(),
        _ => return None,
    })
}

/// Returns the range and the text of a number in words.
fn number_doc(class: &ClassDecl, low: i64, high: i64) -> String {
    let hexadecimal = if high > 0xffff { format!(" ({high:#x})") } else { String::new() };
    let mut out = format!("A number from {low} to {high}{hexadecimal}");
    if shift(class) > 0 {
        let _ = write!(out, " in steps of {}; the field leaves out its lowest bits", 1 << shift(class));
    }
    if is_signed(class) {
        out.push_str(". The highest bit of the field is the sign");
    } else if low < 0 {
        out.push_str(". A negative number is a bit pattern");
    }
    out.push('.');
    for clause in &class.clauses {
        if let Clause::Text(text, above) = clause {
            let shown = |text: &SpannedStr| {
                text.as_str().trim().replace("{x}", "0xN").replace("{}", "N").replace("{name}", "NAME")
            };
            let _ = write!(out, " In text: `{}`", shown(text));
            if let Some((last, above)) = above {
                let _ = write!(out, ", above {last} `{}`", shown(above));
            }
            out.push('.');
        }
    }
    out
}

/// Returns the sentences on the text of several registers, on lane masks, and on codes that are printed but not valid.
fn registers_doc(tables: &OperandTables, class: &ClassDecl, arms: &[Arm]) -> String {
    let facts = Facts::new(class);
    let mut out = String::new();
    let runs = || arms.iter().flat_map(|arm| runs_of(tables, arm)).map(|(run, ..)| run);
    if let Some((run, prefix)) = runs().find_map(|run| match &run.kind {
        RunKind::Numbered(prefix) if facts.dwords != Some(1) => Some((run, prefix)),
        _ => None,
    }) {
        let _ = write!(out, "\nSeveral registers are written `{prefix}[4:5]`");
        out.push_str(if run.is_aligned {
            ": a pair begins with an even one, more with a multiple of four."
        } else {
            ", and can begin with any."
        });
    }
    if let Some((counts, _)) = tables.masks.as_ref().filter(|_| facts.of_mode) {
        let all = counts.iter().zip(tables.modes()).map(|(n, mode)| format!("{} in {mode}", count_of(*n)));
        let _ = write!(out, " A lane mask has {}.", all.collect::<Vec<_>>().join(", "));
    }
    if let Some(set) = facts.prints {
        let names: Vec<String> = set.iter().map(|(_, name)| format!("`{name}`")).collect();
        let _ = write!(out, "\n\nPrinted, but not valid: {}.", names.join(", "));
    }
    out
}

/// Returns a number of registers in words.
fn count_of(n: u8) -> String {
    if n == 1 { "1 register".into() } else { format!("{n} registers") }
}

/// Returns names as a phrase: "`a`, `b` and `c`".
fn list_of(names: &[SpannedStr]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match &names[..] {
        [one] => one.clone(),
        [rest @ .., end] => format!("{} and {end}", rest.join(", ")),
        [] => String::new(),
    }
}

/// Returns a sum of fields in words.
fn sum_doc(sum: &DwordsSum) -> String {
    let base = sum.base.iter().map(|(flag, base)| {
        let base = match base {
            DwordsBase::Fixed(n) => n.to_string(),
            DwordsBase::Type => "that of the type".to_string(),
            DwordsBase::Lanes => "that of the type's elements".to_string(),
        };
        flag.as_ref().map_or(base.clone(), |flag| format!("{base} in rows with `{flag}`"))
    });
    let base = Some(base.collect::<Vec<_>>().join(", otherwise ")).filter(|base| !base.is_empty());
    let terms = sum.terms.iter().map(|term| match term.code {
        Some(code) => format!("{} if `{}` is {code}", term.adds, term.field),
        None => format!("{} if `{}` is 1", term.adds, term.field),
    });
    base.into_iter().chain(terms).collect::<Vec<_>>().join(", and ")
}

/// Returns a bit range as the guide writes it.
fn bits((high, low): (u8, u8)) -> String {
    if high == low { high.to_string() } else { format!("{high}:{low}") }
}

/// Returns the syntax of a list in words.
fn list_doc(list: &ListDecl) -> String {
    let (before, count, width) = (list.before.trim(), list.count, list.width);
    let roles: String = list.roles.iter().map(|role| format!(", and one if the row has `{role}`")).collect();
    let bits = if width == 1 { "1 bit".to_string() } else { format!("{width} bits") };
    format!("`{before}[…]`: {count} numbers of {bits}{roles}; the first has the lowest bits")
}

/// Returns the runs of a case. Each has the code that the field maps to 0, the number of bits that the field leaves out, and the
/// generations that have the run, if others lack it.
fn runs_of<'a>(tables: &'a OperandTables, arm: &Arm) -> Vec<(&'a CodeRun, u32, u8, Vec<String>)> {
    let mut all: Vec<(&CodeRun, u32, u8, Vec<String>)> = Vec::new();
    for generation in tables.each_generation() {
        let space = Space::new(tables, generation);
        let (base, shift) = space.map(arm);
        for run in space.list(space.valid(&arm.set)) {
            let name = generation.map(ToString::to_string);
            match all.iter_mut().find(|(other, ..)| std::ptr::eq(*other, run)) {
                Some((.., names)) => names.extend(name),
                None => all.push((run, base, shift, name.into_iter().collect())),
            }
        }
    }
    all.sort_by_key(|(run, ..)| run.first);
    for (.., names) in &mut all {
        if names.len() == tables.generations.len() {
            names.clear();
        }
    }
    all
}

/// Appends the table rows of a case. `has_others` says whether the class has other cases.
fn push_codes(out: &mut String, tables: &OperandTables, arm: &Arm, has_others: bool) {
    let cond = match &arm.cond {
        None if has_others => ", otherwise".into(),
        None => String::new(),
        Some(ArmCond::Mask) => ", if it is a lane mask".into(),
        Some(ArmCond::UpTo(bits)) => format!(", if it has up to {bits} bits"),
        Some(ArmCond::Above(bits)) => format!(", if it has more than {bits} bits"),
        Some(ArmCond::Flag(flag)) => format!(", in rows with `{flag}`"),
        Some(ArmCond::Mode(mode)) => format!(", in {mode}"),
    };
    for (run, base, shift, generations) in runs_of(tables, arm) {
        let (first, last) = ((run.first - base) >> shift, (run.last - base) >> shift);
        let range = if first == last { first.to_string() } else { format!("{first} to {last}") };
        // The field leaves out the lowest bits of a code.
        if first << shift < run.first - base && run.first == run.last {
            continue;
        }
        let only = if generations.is_empty() { String::new() } else { format!(" ({})", generations.join(", ")) };
        let _ = writeln!(out, "| {range} | {}{cond}{only} |", text(run, 1 << shift));
    }
    let space = Space::new(tables, tables.generations.last());
    for name in &arm.except {
        let (base, shift) = space.map(arm);
        let code = space.code_of_name(name).map_or(0, |code| code.wrapping_sub(base) >> shift);
        let _ = writeln!(out, "| except {code} | `{name}`{cond} |");
    }
}

/// Returns the texts of a run of which every `step`th code counts.
fn text(run: &CodeRun, step: u32) -> String {
    let last = run.last - run.first;
    let quoted = |names: &[SpannedStr]| names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    let mut out = match &run.kind {
        RunKind::Numbered(prefix) if step > 1 => {
            format!("`{prefix}0` to `{prefix}{}` in steps of {step}", last / step * step)
        }
        RunKind::Numbered(prefix) => format!("`{prefix}0` to `{prefix}{last}`"),
        RunKind::Names(names) => match names.split_at_checked(last as usize + 1) {
            Some((each, [all])) if each.contains(all) => quoted(each),
            Some((_, [all])) if step > 1 => format!("`{all}`"),
            Some((each, [all])) => format!("{}; together `{all}`", quoted(each)),
            _ => quoted(names),
        },
        RunKind::Integers(first, last) => format!("{first} to {last}"),
        RunKind::Floats(all) => all.iter().map(|(text, _)| text.as_str()).collect::<Vec<_>>().join(", "),
        RunKind::Literal(suffix_dword) => format!("the constant in the suffix dword `{suffix_dword}`"),
    };
    if !run.also.is_empty() {
        let _ = write!(out, " (also read: {})", quoted(&run.also));
    }
    if run.fit != RunFit::Run {
        out.push_str(" for an operand of any width");
    }
    out
}

//! Checks of operand tables.

use super::codes::{CODES, MAX_RUNS, Space};
use super::facts::{CONSTANT_MEANINGS, LITERAL_ITSELF};
use super::parts::count_of_parts;
use crate::ast::{
    ArgumentDecl, Arm, ArmCond, ArmMap, Asked, ClassContent, ClassDecl, Clause, CodeRun, GetType, ListDecl, NamedCode,
    NumberedCodes, OperandTables, PartDecl, RunKind, SetExpr,
};
use crate::error::{Errors, name_list};
use crate::lists::insert;
use crate::spanned::SpannedStr;

/// Checks all declarations.
pub fn check(tables: &OperandTables) -> Result<(), Errors> {
    let mut errors = tables.errors.clone();
    for run in &tables.runs {
        check_run(tables, run, &mut errors);
    }
    check_generations(tables, &mut errors);
    for space in Space::each(tables) {
        check_overlaps(&space, &mut errors);
        if let Some(run) = space.runs.get(MAX_RUNS) {
            errors.report(
                run.span,
                format!("a generation has more than {MAX_RUNS} runs"),
                "join runs of adjacent codes",
            );
        }
    }
    check_sets(tables, &mut errors);
    let mut names = Vec::new();
    for class in &tables.classes {
        if !insert(&mut names, class.name.to_string()) {
            errors.report(
                class.name.span(),
                format!("the class `{}` is declared twice", class.name),
                "rename one of them",
            );
        }
        check_class(tables, class, &mut errors);
    }
    errors.into_result()
}

/// Checks that a run has a meaning for each code, and that no set has its name.
fn check_run(tables: &OperandTables, run: &CodeRun, errors: &mut Errors) {
    if run.last < run.first {
        let help = format!("write the lower code first: {}..={}", run.last, run.first);
        return errors.report(run.span, "the run ends before it begins", help);
    }
    if run.last as usize >= CODES {
        let message = format!("the code {} is too large", run.last);
        errors.report(run.span, message, format!("a code space has codes from 0 to {}", CODES - 1));
    }
    let count = u64::from(run.last - run.first) + 1;
    let codes = if count == 1 { "1 code".into() } else { format!("{count} codes") };
    match &run.kind {
        RunKind::Names(names) if names.len() as u64 != count && names.len() as u64 != count + 1 => {
            let message = format!("`{}` has {codes} and {} names", run.name, names.len());
            errors.report(
                run.name.span(),
                message,
                "write a name for each code, and perhaps one for all registers together",
            );
        }
        RunKind::Integers(first, last) if first.abs_diff(*last) + 1 != count => {
            let message = format!("`{}` has {codes} and {} integers", run.name, first.abs_diff(*last) + 1);
            errors.report(run.name.span(), message, "write an integer for each code");
        }
        RunKind::Floats(floats) if floats.len() as u64 != count => {
            let message = format!("`{}` has {codes} and {} numbers", run.name, floats.len());
            errors.report(run.name.span(), message, "write a number for each code");
        }
        RunKind::Literal(_) if count != 1 => {
            let message = format!("`{}` has {codes}, but one of them selects the suffix dword", run.name);
            errors.report(run.name.span(), message, "write a single code");
        }
        RunKind::Numbered(_) if count > 256 => {
            let message = format!("`{}` has {codes}, but registers have numbers up to 255", run.name);
            errors.report(run.name.span(), message, "write at most 256 codes");
        }
        _ => {}
    }
    if tables.sets.iter().any(|set| set.name == run.name) {
        let message = format!("`{}` is a run of codes and a set", run.name);
        errors.report(run.name.span(), message, "rename one of them");
    }
}

/// Checks that the generations of runs are declared.
fn check_generations(tables: &OperandTables, errors: &mut Errors) {
    for run in &tables.runs {
        for name in run.generations.iter().chain(run.printed.iter().flatten()) {
            if !tables.generations.contains(name) {
                let message = format!("the values do not cover the generation `{name}`");
                errors.report(name.span(), message, format!("the generations are {}", name_list(&tables.generations)));
            }
        }
    }
}

/// Checks that no code and no name has two meanings.
fn check_overlaps(space: &Space, errors: &mut Errors) {
    for pair in space.runs.windows(2) {
        let (one, two) = (pair[0], pair[1]);
        if two.first <= one.last {
            let message = format!("the code {} belongs to `{}` and to `{}`", two.first, one.name, two.name);
            errors.report(two.span, message, "assign each code to one run; `in GENERATION` limits a run");
        }
    }
    // The names of earlier runs, each with the run.
    let mut names: Vec<(&SpannedStr, &SpannedStr)> = Vec::new();
    for (at, run) in space.runs.iter().enumerate() {
        if let RunKind::Numbered(prefix) = &run.kind {
            let has_prefix = |other: &&&CodeRun| matches!(&other.kind, RunKind::Numbered(other) if other == prefix);
            if let Some(other) = space.runs[..at].iter().rfind(has_prefix) {
                let message =
                    format!("registers of `{}` and of `{}` are both written `{prefix}0`", other.name, run.name);
                errors.report(run.name.span(), message, "text must tell them apart: change one of the prefixes");
            }
        }
        let RunKind::Names(all) = &run.kind else { continue };
        for name in all.iter().chain(&run.also) {
            let is_numbered = space.runs.iter().find(|other| match &other.kind {
                RunKind::Numbered(prefix) => name
                    .as_str()
                    .strip_prefix(prefix.as_str())
                    .is_some_and(|rest| rest.parse::<u32>().is_ok_and(|n| n <= other.last - other.first)),
                _ => false,
            });
            if let Some(other) = is_numbered {
                let message = format!("`{name}` is a register of `{}` too", other.name);
                errors.report(name.span(), message, "give it another name");
            }
            if let Some((_, other)) = names.iter().rfind(|(known, _)| *known == name)
                && (**other != run.name || !all.contains(name))
            {
                let message = format!("the name `{name}` belongs to `{other}` and to `{}`", run.name);
                errors.report(name.span(), message, "text must tell them apart: rename one of them");
            }
            names.push((name, &run.name));
        }
    }
}

/// Checks that sets have different names, and refer to runs and to earlier sets.
fn check_sets(tables: &OperandTables, errors: &mut Errors) {
    for (at, set) in tables.sets.iter().enumerate() {
        if tables.sets[..at].iter().any(|other| other.name == set.name) {
            errors.report(set.name.span(), format!("the set `{}` is declared twice", set.name), "rename one of them");
        }
        for (_, name) in &set.set {
            // A set refers to earlier ones only, so that none contains itself.
            let is_later = tables.sets[at..].iter().any(|other| other.name == *name);
            if is_later {
                let message = format!("the set `{name}` is declared later");
                errors.report(name.span(), message, "declare it before the sets that use it");
            } else {
                check_name(tables, name, errors);
            }
        }
    }
}

/// Checks the names of a sum of sets.
fn check_expr(tables: &OperandTables, set: &SetExpr, errors: &mut Errors) {
    for (_, name) in set {
        check_name(tables, name, errors);
    }
}

/// Checks that a name is that of a run or a set.
fn check_name(tables: &OperandTables, name: &SpannedStr, errors: &mut Errors) {
    let known = |other: &SpannedStr| other == name;
    if tables.runs.iter().any(|run| known(&run.name)) || tables.sets.iter().any(|set| known(&set.name)) {
        return;
    }
    let mut all: Vec<&SpannedStr> = Vec::new();
    for name in tables.sets.iter().map(|set| &set.name).chain(tables.runs.iter().map(|run| &run.name)) {
        if !all.contains(&name) {
            all.push(name);
        }
    }
    if !tables.errors.as_slice().is_empty() {
        // The parser skipped a declaration, perhaps that of the name.
        return;
    }
    let message = format!("`{name}` is neither a run of `values` nor a set");
    errors.report(name.span(), message, format!("there are {}", name_list(all)));
}

/// Checks the content and the clauses of a class.
fn check_class(tables: &OperandTables, class: &ClassDecl, errors: &mut Errors) {
    match &class.content {
        ClassContent::Codes(arms) => {
            for arm in arms {
                check_arm(tables, class, arm, errors);
            }
        }
        ClassContent::Number(low, high, span) if low > high => {
            errors.report(*span, "the range ends before it begins", format!("write {high}..={low}"));
        }
        ClassContent::Number(low, high, span) => {
            let is_off = |clause: &Clause| matches!(clause, Clause::Off(_));
            let has_registers = class.clauses.iter().any(|clause| matches!(clause, Clause::OrRegister(..)));
            if class.clauses.iter().any(is_off) && !has_registers {
                let message = format!("`{}` has no registers that can be off", class.name);
                errors.report(class.name.span(), message, "write `or SET unless MODIFIER`, or leave out `off`");
            }
            let bits = class.clauses.iter().find_map(|c| if let Clause::Bits(bits) = c { Some(*bits) } else { None });
            if let Some(bits) = bits.filter(|bits| *bits == 0 || *bits > 32 || needed_bits(*low, *high) > *bits) {
                let message = format!("the range {low}..={high} does not fit {bits} bits");
                errors.report(*span, message, format!("it needs {}", needed_bits(*low, *high)));
            }
        }
        ClassContent::Names { pattern, names, other, .. } => {
            if pattern.as_str().matches("{}").count() != 1 {
                errors.report(
                    pattern.span(),
                    "the text has no place for the name",
                    "write `{}` where it belongs: `\" dim:{}\"`",
                );
            }
            for (at, NamedCode { code, name, span }) in names.iter().enumerate() {
                if names[..at].iter().any(|other| other.code == *code) {
                    errors.report(*span, format!("the code {code} has two names"), "write one of them");
                }
                if names[..at].iter().any(|other| other.name == *name) {
                    errors.report(*span, format!("the name `{name}` has two codes"), "text must tell them apart");
                }
            }
            if let Some(other) = other.as_ref().filter(|other| !other.as_str().ends_with("{}")) {
                errors.report(other.span(), "the text has no place for the number", "end it with `{}`");
            }
        }
        ClassContent::Parts(parts, _) => check_parts(tables, parts, errors),
        ClassContent::List(list) => check_list(list, errors),
        ClassContent::Cases { list, codes, .. } => check_cases(list.as_ref(), codes, errors),
        ClassContent::Call(_, arguments) => check_call(tables, arguments, errors),
        ClassContent::Flag(_) | ClassContent::Hidden => {}
    }
    check_fields(class, errors);
    for clause in &class.clauses {
        match clause {
            Clause::Prints { set, .. } | Clause::OrRegister(set, _) => check_expr(tables, set, errors),
            Clause::Default(cases) => {
                for (flag, _) in cases {
                    check_flags(tables, flag.as_slice(), errors);
                }
                check_has_default(class, errors);
            }
            Clause::SecondBy(flag) if !class.is_modifier => {
                let message = format!("`{}` is not a modifier", class.name);
                errors.report(
                    flag.span(),
                    message,
                    "only a modifier of a suffix dword has a second code that selects it",
                );
            }
            Clause::Off(Some(name)) => check_name(tables, name, errors),
            Clause::Check(_, Asked::Of(set)) => check_expr(tables, set, errors),
            Clause::HiddenIf(flag) | Clause::Check(_, Asked::InRows(flag)) => {
                check_flags(tables, std::slice::from_ref(flag), errors);
            }
            Clause::Constants(cases) => {
                for (flag, meaning) in cases {
                    check_flags(tables, flag.as_slice(), errors);
                    if matches!(class.content, ClassContent::Number(..)) {
                        check_number_meaning(meaning, errors);
                    } else if !CONSTANT_MEANINGS.iter().any(|(known, _)| *meaning == **known) {
                        let known = CONSTANT_MEANINGS.map(|(known, _)| known).join("`, `");
                        errors.report(
                            meaning.span(),
                            format!("constants do not mean `{meaning}`"),
                            format!("write one of `{known}`"),
                        );
                    }
                }
            }
            Clause::Sign { cases, .. } => {
                for (flag, bit) in cases {
                    check_flags(tables, flag.as_slice(), errors);
                    check_parameter(class, bit.bit, errors);
                }
            }
            Clause::HalfBy(bit, _) => check_parameter(class, bit.bit, errors),
            Clause::Half(bit) if *bit > 8 => {
                let message = format!("the code has no bit {bit}");
                errors.report(class.name.span(), message, "the half of a register is one of the bits 0 to 8");
            }
            Clause::DwordsPart(_, mode) => check_mode(tables, mode, errors),
            Clause::DwordsSum(sum) => {
                for (flag, _) in &sum.base {
                    check_flags(tables, flag.as_slice(), errors);
                }
                if let Some(term) = sum.terms.get(MOST_TERMS) {
                    let message = format!("`{}` is one field too many", term.field);
                    errors.report(term.field.span(), message, format!("a sum has at most {MOST_TERMS} fields"));
                }
            }
            Clause::DwordsOfMode if tables.masks.is_none() => {
                let message = "the number of registers of a lane mask is not declared";
                errors.report(class.name.span(), message, "write `masks 1 2 \"…\";`, a number for each mode");
            }
            Clause::Unless(flags) => check_flags(tables, flags, errors),
            Clause::UnsignedIf(flag, _) => check_flags(tables, std::slice::from_ref(flag), errors),
            Clause::Without(what) if *what == *"no" && !matches!(class.content, ClassContent::Flag(_)) => {
                let message = format!("`{}` is not a flag", class.name);
                errors.report(what.span(), message, "only a `modifier … = flag` has the text `no…`");
            }
            _ => {}
        }
    }
}

/// Checks that a class with a default is a modifier that text and instructions may omit.
fn check_has_default(class: &ClassDecl, errors: &mut Errors) {
    let name = &class.name;
    if !class.is_modifier {
        let message = format!("`{name}` is not a modifier");
        errors.report(name.span(), message, "an operand has no default: instructions state it");
    } else if class.clauses.iter().any(|clause| matches!(clause, Clause::Required(_))) {
        let message = format!("`{name}` is required and has a default");
        errors.report(name.span(), message, "leave out `required` or `default`");
    }
}

/// Checks that a type with fields has one for each part of its number.
fn check_fields(class: &ClassDecl, errors: &mut Errors) {
    let GetType::Fields(fields) = &class.get else { return };
    let (count, parts) = (fields.len(), count_of_parts(&class.content));
    if count != parts {
        let message = format!("`{}` has {parts} parts, but its type has {count} fields", class.name);
        let help = "write a field for each part, in their order: `parts X(a: u8, b: u8) = { … }`";
        errors.report(class.name.span(), message, help);
    }
}

/// Checks what the constants of a number mean.
fn check_number_meaning(meaning: &SpannedStr, errors: &mut Errors) {
    if *meaning != *LITERAL_ITSELF {
        let message = format!("a number has no constants that mean `{meaning}`");
        errors.report(meaning.span(), message, "write `constants literal` if it is the constant in a suffix dword");
    }
}

/// Checks that parts have their own bits, and values with names that are listed.
fn check_parts(tables: &OperandTables, parts: &[PartDecl], errors: &mut Errors) {
    let mut taken: u32 = 0;
    for part in parts {
        let (high, low) = part.bits;
        if high < low || high > 31 {
            let message = format!("`{}` has no bits", part.name);
            errors.report(part.name.span(), message, "write the highest bit first, below 32: `[6:4]`");
            continue;
        }
        let bits = (u32::MAX >> (31 - (high - low))) << low;
        if taken & bits != 0 {
            let message = format!("bits of `{}` belong to another part, too", part.name);
            errors.report(part.name.span(), message, "assign each bit to one part");
        }
        taken |= bits;
        let Some((list, first)) = &part.values else { continue };
        let Some(known) = tables.lists.iter().find(|known| known.name == list.as_str()) else {
            let message = format!("no list of names is called `{list}`");
            errors.report(list.span(), message, "declare it: `names LIST { 0 \"NONE\", 1 \"ALL\" }`");
            continue;
        };
        let count = known.names.len() as u64;
        if count > 1 << (high - low + 1) || u64::from(*first) >= count {
            let message = format!("`{list}` has {count} names, which do not fit `{}`", part.name);
            errors.report(list.span(), message, "a part needs a value for each name");
        }
        if let Some((at, named)) = known.names.iter().enumerate().find(|(at, named)| *at as u32 != named.code) {
            errors.report(
                named.span,
                format!("expected the name of {at}"),
                "a list has the names of all numbers from 0 up",
            );
        }
    }
}

/// Checks that the numbers of a list have 32 bits at most.
fn check_list(list: &ListDecl, errors: &mut Errors) {
    let bits = (u32::from(list.count) + list.roles.len() as u32) * u32::from(list.width);
    if list.count == 0 || list.width == 0 || bits > 32 {
        errors.report(list.span, "a list has 1 to 32 bits", "write how many numbers, and the bits of each: `of 8 x 3`");
    }
}

/// Checks that no code has two texts.
fn check_cases(list: Option<&(u32, ListDecl)>, codes: &[NumberedCodes], errors: &mut Errors) {
    let mut taken = list.map_or(0, |(count, list)| {
        check_list(list, errors);
        *count
    });
    for run in codes {
        if run.first < taken || run.last < run.first || run.last as usize >= CODES {
            let help = format!("write each code once, in ascending order, up to {}", CODES - 1);
            errors.report(run.span, "these codes belong to another case, or are too large", help);
        } else if run.number.is_none() && run.last != run.first {
            let help = "write `{}` where the number belongs: `\"row_shl:{}\"`";
            errors.report(run.span, format!("several codes have the text `{}`", run.name), help);
        }
        taken = run.last.saturating_add(1);
    }
}

/// Checks the bits and the names of arguments.
fn check_call(tables: &OperandTables, arguments: &[ArgumentDecl], errors: &mut Errors) {
    for argument in arguments {
        let (high, low) = argument.bits;
        if high < low || high > 31 || high - low == 31 {
            let message = format!("`{}` has no bits", argument.name);
            errors.report(argument.name.span(), message, "write the highest bit first, below 32: `[6:4]`");
        }
        let Some(list) = &argument.names else { continue };
        let known = tables.lists.iter().find(|known| known.name == list.as_str());
        if known.is_none_or(|known| known.codes.is_none()) {
            let message = format!("no list of names with codes is called `{list}`");
            errors.report(list.span(), message, "declare it: `names LIST: u8 { 1 \"MODE\" }`");
        }
    }
}

/// Checks that a class has the const parameter that a clause names.
fn check_parameter(class: &ClassDecl, number: Option<u8>, errors: &mut Errors) {
    if number.is_none() && class.param.is_none() {
        let message = format!("`{}` has no const parameter", class.name);
        errors.report(class.name.span(), message, "write a number, or declare the class with `<N in 0..=2>`");
    }
}

/// Checks that the tables state where flags are, if there are any.
fn check_flags(tables: &OperandTables, flags: &[SpannedStr], errors: &mut Errors) {
    if let (None, Some(flag)) = (&tables.flags, flags.first()) {
        let message = format!("`{flag}` is a flag, and the tables do not say where flags are");
        errors.report(flag.span(), message, "write `flags crate::flags;`, the module of the set");
    }
}

/// The most fields of a sum: `isa::class::CountSum::MOST`.
const MOST_TERMS: usize = 3;

/// Checks that a mode is declared.
fn check_mode(tables: &OperandTables, mode: &SpannedStr, errors: &mut Errors) {
    if !tables.modes().contains(mode) {
        let help = format!("the modes are {}", name_list(tables.modes()));
        errors.report(mode.span(), format!("`{mode}` is not a mode"), help);
    }
}

/// Checks a case of a class.
fn check_arm(tables: &OperandTables, class: &ClassDecl, arm: &Arm, errors: &mut Errors) {
    let before = errors.as_slice().len();
    check_expr(tables, &arm.set, errors);
    for name in &arm.except {
        if !Space::each(tables).iter().any(|space| space.code_of_name(name).is_some()) {
            let message = format!("no register has the name `{name}`");
            errors.report(name.span(), message, "write the name of one register of `values`");
        }
    }
    match &arm.cond {
        Some(ArmCond::Mode(mode)) => check_mode(tables, mode, errors),
        Some(ArmCond::Flag(flag)) => check_flags(tables, std::slice::from_ref(flag), errors),
        _ => {}
    }
    if errors.as_slice().len() > before {
        return;
    }
    let mut is_empty = true;
    for space in Space::each(tables) {
        let runs = space.list(space.resolve(&arm.set));
        is_empty &= runs.is_empty();
        if matches!(arm.map, ArmMap::Number(_)) && runs.len() > 1 {
            let message = format!("`by number` needs one run of registers, and `{}` has {}", class.name, runs.len());
            errors.report(arm.set[0].1.span(), message, "leave out `by number`: the field has the code");
            return;
        }
        if let ArmMap::By(shift) = arm.map
            && let Some(run) = runs.iter().find(|run| {
                !matches!(run.kind, RunKind::Numbered(_) | RunKind::Names(_)) && run.last - run.first >= 1 << shift
            })
        {
            let message =
                format!("the field leaves out bits of the code, so that it cannot have all of `{}`", run.name);
            errors.report(arm.set[0].1.span(), message, "a class with `by` has registers only");
            return;
        }
    }
    if is_empty && tables.errors.as_slice().is_empty() {
        let message = format!("this case of `{}` has no codes", class.name);
        errors.report(arm.set[0].1.span(), message, "remove the case, or what is subtracted from it");
    }
}

/// Returns how many bits hold all numbers of a range, negative ones in two's complement.
pub fn needed_bits(low: i64, high: i64) -> u8 {
    (1..=32).find(|bits| low >= -(1i64 << (bits - 1)) && high < 1i64 << bits).unwrap_or(33)
}

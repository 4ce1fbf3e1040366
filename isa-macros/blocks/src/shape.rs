//! Everything about a row in one format but its name and number: which bits are fixed, which operands there are, how
//! they are written. Rows that agree in all of it share one shape.

use crate::cond::Facts;
use crate::fault::Faults;
use crate::model::{Carrier, Entry, Field, Fixed, Format, Part, require};
use crate::template::{self, Named, Piece, Step};
use crate::tree::{Access, Role, Text, What};
use crate::ty::Ty;

/// An operand or modifier that a form has: the carrier's index, its type, what is done with it.
pub type Bound = (usize, Ty, Access);

/// A shape with one tail, or none.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Form {
    pub fixed: Fixed,
    pub suffix: String,
    pub bound: Vec<Bound>,
    pub text: Vec<Step>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shape {
    pub words: u128,
    pub always: usize,
    /// A bit for each of [`announcing`] that holds an operand of the row.
    pub announcers: u8,
    pub only: Option<String>,
    pub split: Option<Part>,
    pub forms: Vec<Option<Form>>,
}

/// The shape of a row in a component of a format; `None` after a fault.
pub fn of(
    format: &mut Format,
    component: usize,
    entry: &Entry,
    words: &[String],
    faults: &mut Faults,
) -> Option<Shape> {
    override_kinds(format, component, entry);
    let format = &*format;
    let facts = entry.facts();
    let block = format.block;
    for cond in block.require.iter().filter(|c| !entry.rider && !c.holds(&facts)) {
        let mut names = Vec::new();
        cond.names(&mut names);
        let names: Vec<String> = names.iter().map(|n| format!("`{n}`")).collect();
        let say = format!(
            "{} lacks a word that {} requires: one of {}",
            entry.row.name.as_str(),
            block.name,
            names.join(", ")
        );
        faults.say(entry.row.name.span(), say);
    }
    let mut always = 0;
    if let Some(name) = entry.row.always.as_ref().or(entry.base.always.as_ref()) {
        match format.tails.iter().position(|(clause, _)| clause.name == *name) {
            Some(i) => always = i + 1,
            None => {
                let say = format!("{} has no tail {name}: write `tail {name} when …;` in the format", block.name);
                faults.say(name.span(), say);
                return None;
            }
        }
    }
    let split = split_of(format, entry, faults)?;
    let template = template_of(format, entry, faults)?;
    let mut shape = Shape {
        words: bits_of(&facts, words),
        always,
        announcers: announcers(format, component, entry),
        only: entry.row.only.as_ref().or(entry.base.only.as_ref()).map(ToString::to_string),
        split: split.map(|f| f.parts[0]),
        forms: Vec::new(),
    };
    for half in 0..=usize::from(split.is_some()) {
        for tail in 0..=format.tails.len() {
            let allowed = match tail.checked_sub(1) {
                None => always == 0,
                Some(i) => {
                    let clause = format.tails[i].0;
                    (always == tail || (always == 0 && !clause.when.is_empty()))
                        && !entry.row.no.contains(&clause.name)
                        && !entry.base.no.contains(&clause.name)
                        && (always == tail || clause.cond.as_ref().is_none_or(|c| c.holds(&facts)))
                }
            };
            let form =
                if allowed { Some(form(format, component, entry, (tail, half), &template, faults)?) } else { None };
            shape.forms.push(form);
        }
    }
    Some(shape)
}

/// The fields of a format whose codes announce tails, in the order of the table.
pub fn announcing<'f, 'a>(format: &'f Format<'a>) -> impl Iterator<Item = (usize, &'f Field<'a>)> {
    let asked = |f: &Field| format.tails.iter().any(|(clause, _)| clause.when.iter().any(|(n, _)| *n == f.decl.name));
    format.fields.iter().enumerate().filter(move |(_, f)| f.tail.is_none() && asked(f))
}

/// Which of [`announcing`] can announce for this row: those that hold an operand of it, and those that hold none of
/// any row.
fn announcers(format: &Format, component: usize, entry: &Entry) -> u8 {
    let c = &format.components[component];
    let holds = |at: usize, field: &Field| {
        let mut carriers = c.carriers.iter().filter(|x| x.field == Some(at));
        let lists = |x: &Carrier| x.access == Access::Modifier || entry.base.roles.iter().any(|r| r.name == x.name);
        match field.decl.what {
            What::Carrier(_) => carriers.any(lists),
            _ => true,
        }
    };
    announcing(format).enumerate().filter(|(_, (at, f))| holds(*at, f)).fold(0, |bits, (i, _)| bits | 1 << i)
}

/// Gives each `role: type as Kind` of the row a carrier of that kind.
fn override_kinds(format: &mut Format, component: usize, entry: &Entry) {
    let carriers = &mut format.components[component].carriers;
    for role in entry.base.roles.iter().filter(|_| !entry.rider) {
        let Some(kind) = &role.kind else { continue };
        if carriers.iter().any(|c| role.name == c.name && c.kind.text == kind.text) {
            continue;
        }
        let Some(from) = carriers.iter().find(|c| role.name == c.name) else {
            continue;
        };
        let carrier = Carrier {
            name: from.name.clone(),
            access: from.access,
            field: from.field,
            decl: from.decl,
            kind: kind.clone(),
            field_parts: from.field_parts.clone(),
            tail: from.tail,
        };
        carriers.push(carrier);
    }
}

fn bits_of(facts: &Facts, words: &[String]) -> u128 {
    words.iter().enumerate().filter(|(_, word)| facts.word(word)).fold(0, |bits, (i, _)| bits | 1 << i)
}

/// The one-bit field that splits the row in two forms.
fn split_of<'f, 'a>(format: &'f Format<'a>, entry: &Entry, faults: &mut Faults) -> Option<Option<&'f Field<'a>>> {
    let mut found: Option<&Field> = None;
    for name in entry.base.roles.iter().filter_map(|r| r.if_field.as_ref().or(r.out_if.as_ref())) {
        let field = format.fields.iter().find(|f| f.decl.name == *name && f.tail.is_none());
        let Some(field) = field.filter(|f| f.parts.len() == 1 && f.parts[0].width == 1) else {
            let say =
                format!("{} has no one-bit field {name}: a row is split by a modifier of one bit", format.block.name);
            faults.say(name.span(), say);
            return None;
        };
        if found.is_some_and(|f| f.decl.name != *name) {
            faults.say(name.span(), "a row can be split by one field only");
            return None;
        }
        found = Some(field);
    }
    Some(found)
}

fn form(
    format: &Format,
    component: usize,
    entry: &Entry,
    (tail, half): (usize, usize),
    template: &[Piece],
    faults: &mut Faults,
) -> Option<Form> {
    let c = &format.components[component];
    let facts = entry.facts();
    let here = |carrier: &Carrier| carrier.tail.is_none_or(|t| t + 1 == tail);
    let holds = |carrier: &Carrier| carrier.decl.cond.as_ref().is_none_or(|cond| cond.holds(&facts));
    let fix = |field: &Field| entry.row.fix.iter().find(|(name, _)| field.decl.name == *name);

    let mut bound: Vec<Bound> = Vec::new();
    for role in &entry.base.roles {
        if role.if_field.is_some() && (half == 0) != role.unless {
            continue;
        }
        let at = carrier_of(c.carriers.as_slice(), role, entry, |x| here(x) && holds(x));
        let Some(at) = at else {
            role_fault(format, component, entry, role, faults);
            return None;
        };
        bound.push((at, role.ty, access(&c.carriers[at], role, half)));
    }
    for (at, carrier) in c.carriers.iter().enumerate() {
        let fixed = carrier.field.is_some_and(|f| fix(&format.fields[f]).is_some());
        if carrier.access == Access::Modifier && here(carrier) && holds(carrier) && !fixed {
            bound.push((at, Ty::WORD, Access::Modifier));
        }
    }

    // The opcode's bits led here and are not checked again, so that rows can share a form.
    let mut fixed = format.fixed;
    for (at, field) in format.fields.iter().enumerate() {
        if field.tail.is_some_and(|t| t + 1 != tail) {
            continue;
        }
        // A field that announces the tail holds that code in place of the operand that the row has there.
        let lists = |c: &Carrier| c.field == Some(at) && entry.base.roles.iter().any(|r| r.name == c.name);
        let announces = tail.checked_sub(1).is_some_and(|t| {
            field.tail.is_none()
                && format.tails[t].0.when.iter().any(|(name, _)| *name == field.decl.name)
                && (!matches!(field.decl.what, What::Carrier(_)) || c.carriers.iter().any(lists))
        });
        if let Some((_, value)) = fix(field) {
            require(&mut fixed, &field.parts, value.value);
            continue;
        }
        match &field.decl.what {
            What::Fixed(n) => require(&mut fixed, &field.parts, n.value),
            What::Reserved(n) => require(&mut fixed, &field.parts, *n),
            What::Opcode(_) => {}
            What::Carrier(decl) => {
                let mine = field.tail.is_some() || decl.component.as_ref().map(ToString::to_string) == c.name;
                let used = bound.iter().any(|(i, ..)| c.carriers[*i].field == Some(at));
                // A role in a tail that the row does not list serves the operand whose code announced the tail.
                let serves = field.tail.is_some() && decl.names.iter().all(|(access, _)| *access != Access::Modifier);
                if mine && !used && !announces && !serves && !field.parts.is_empty() {
                    require(&mut fixed, &field.parts, decl.otherwise);
                }
            }
        }
    }
    Some(Form {
        fixed,
        suffix: suffix(format, entry, tail),
        text: text(format, component, entry, tail, (&bound, template), faults)?,
        bound,
    })
}

/// The carrier of a role: the tail's before the base's, and the kind that the row asks for before the field's.
fn carrier_of(carriers: &[Carrier], role: &Role, entry: &Entry, fits: impl Fn(&Carrier) -> bool) -> Option<usize> {
    let wanted = role.kind.as_ref().filter(|_| !entry.rider);
    let is = |c: &&Carrier| role.name == c.name && c.access != Access::Modifier && fits(c);
    let kind = |c: &&Carrier| match &wanted {
        Some(kind) => c.kind.text == kind.text,
        None => true,
    };
    let of_tail = |c: &&Carrier| is(c) && c.tail.is_some();
    let find = |fits: &dyn Fn(&&Carrier) -> bool| carriers.iter().position(|c| fits(&c));
    // The kind that the row asks for is the base field's: a tail has its own.
    find(&|c| of_tail(c) && kind(c)).or_else(|| find(&of_tail)).or_else(|| find(&|c| is(c) && kind(c)))
}

fn access(carrier: &Carrier, role: &Role, half: usize) -> Access {
    if role.inout || (role.out_if.is_some() && half == 1) { Access::ReadWrite } else { carrier.access }
}

fn role_fault(format: &Format, component: usize, entry: &Entry, role: &Role, faults: &mut Faults) {
    let block = format.block;
    let carriers = &format.components[component].carriers;
    let in_tail = carriers.iter().find(|c| role.name == c.name).and_then(|c| c.tail);
    let say = match in_tail {
        Some(t) => {
            let tail = &format.tails[t].0.name;
            format!("`{}` is carried by {tail} only: add the word `always {tail}` to this row", role.name)
        }
        None if entry.rider => format!(
            "{} rides {}, where no field carries `{}`: write `no {}` on the row, or a condition on `rides`",
            entry.row.name.as_str(),
            block.name,
            role.name,
            block.name
        ),
        None if carriers.iter().any(|c| role.name == c.name && c.access != Access::Modifier) => format!(
            "the condition of the field of {} that carries `{}` does not hold for {}: give the row what it asks for, or leave the role out",
            block.name,
            role.name,
            entry.row.name.as_str()
        ),
        None => {
            let mut names: Vec<&str> =
                carriers.iter().filter(|c| c.access != Access::Modifier).map(|c| c.name.as_str()).collect();
            names.sort_unstable();
            names.dedup();
            format!("no field of {} carries `{}`: its roles are {}", block.name, role.name, names.join(", "))
        }
    };
    faults.say(role.name.span(), say);
}

fn suffix(format: &Format, entry: &Entry, tail: usize) -> String {
    let of_tail = tail.checked_sub(1).and_then(|t| format.tails[t].0.suffix.as_ref());
    let of_format = format.block.suffix.as_ref().filter(|_| entry.shared && !entry.row.bare);
    Text::or_empty(of_tail.or(of_format)).to_string()
}

/// The text of a row behind its mnemonic, before what a tail adds.
fn template_of(format: &Format, entry: &Entry, faults: &mut Faults) -> Option<Vec<Piece>> {
    let facts = entry.facts();
    let own = if entry.rider { None } else { entry.row.text.as_ref().or(entry.base.text.as_ref()) };
    let chosen = own.or_else(|| {
        let clause = format.block.texts.iter().find(|t| t.cond.as_ref().is_none_or(|c| c.holds(&facts)));
        clause.map(|t| &t.text)
    });
    match chosen.map(template::pieces) {
        None => Some(Vec::new()),
        Some(Ok(pieces)) => Some(pieces),
        Some(Err(e)) => {
            faults.add(e);
            None
        }
    }
}

fn text(
    format: &Format,
    component: usize,
    entry: &Entry,
    tail: usize,
    (bound, template): (&[Bound], &[Piece]),
    faults: &mut Faults,
) -> Option<Vec<Step>> {
    let facts = entry.facts();
    let mut pieces = template.to_vec();
    let of_tail = tail
        .checked_sub(1)
        .and_then(|t| format.tails[t].1.texts.iter().find(|t| t.cond.as_ref().is_none_or(|c| c.holds(&facts))));
    // Only one component of a pair may write what follows both.
    if let Some(clause) = of_tail.filter(|_| component == 0) {
        match template::pieces(&clause.text) {
            Ok(more) => pieces.extend(more),
            Err(e) => {
                faults.add(e);
                return None;
            }
        }
    }
    let carriers = &format.components[component].carriers;
    Some(template::steps(&pieces, |name| match bound.iter().position(|(i, ..)| carriers[*i].name == name) {
        None => Named::Absent,
        Some(at) if bound[at].2 == Access::Modifier => Named::Modifier(at as u8),
        Some(at) => Named::Operand(at as u8),
    }))
}

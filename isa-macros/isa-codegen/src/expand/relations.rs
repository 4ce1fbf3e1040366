//! Related opcodes, found by comparing the normal forms of bodies.

use isa_body::{Op, Relation, Relations, Target, ops};
use proc_macro2::{Literal, TokenStream};
use quote::quote;

use crate::ast::{Access, Block, CompiledBody, FieldContent};
use crate::body::normal_form::{FormId, Naming, NormalForms};
use crate::lists::{entry, get, insert};
use crate::model::{Mnemonic, Set};

/// A row whose body can be compared.
struct Candidate<'a> {
    /// The index of the mnemonic.
    opcode: u16,
    mnemonic: &'a Mnemonic<'a>,
    body: &'a CompiledBody,
    /// The block that has the row.
    home: &'a Block,
    /// The normal form with the row's own names.
    form: FormId,
    /// The roles that the body reads and does not write.
    sources: Vec<u8>,
    /// The roles that the body writes.
    destinations: Vec<u8>,
}

impl Candidate<'_> {
    /// Returns the index of the source in a suffix dword that always follows.
    fn literal(&self) -> Option<u8> {
        self.mnemonic.row.always.as_ref()?;
        self.sources.iter().copied().find(|role| self.field_width(*role).is_none())
    }

    /// Returns the index of the source in a field of the width of the source, which holds a constant.
    fn constant(&self) -> Option<u8> {
        let is_constant = |role: &u8| {
            let ty = self.mnemonic.row.roles.get(usize::from(*role)).map(|role| role.ty);
            self.field_width(*role)
                .is_some_and(|width| ty.is_some_and(|ty| ty.lanes() == 1 && width == u32::from(ty.bits())))
        };
        self.sources.iter().copied().find(is_constant)
    }

    /// Returns whether the row can be the form of a row with a constant in a field that has any source in its place.
    fn is_long_form_of(&self, short: &Candidate) -> bool {
        self.constant().is_none() && self.mnemonic.run == short.mnemonic.run
    }

    /// Returns the number of bits of the field that holds a role in the row's own format.
    fn field_width(&self, role: u8) -> Option<u32> {
        let name = self.body.roles.get(usize::from(role))?;
        let holds = |content: &FieldContent| match content {
            FieldContent::Operand(o) => o.roles.iter().any(|(access, r)| *access != Access::Modifier && r == name),
            _ => false,
        };
        self.home.fields.iter().find(|field| holds(&field.content)).map(|field| field.width())
    }

    /// Returns whether a format encodes both rows.
    fn shares_format(&self, other: &Candidate) -> bool {
        let formats = &other.mnemonic.encoded_in;
        self.mnemonic.encoded_in.iter().any(|(name, _)| formats.iter().any(|(other, _)| other == name))
    }

    /// Returns the normal form with other names.
    fn named(&self, forms: &mut NormalForms, name: &dyn Fn(u8) -> String) -> Option<FormId> {
        forms.of(self.body, &Naming { name, converted: None })
    }

    /// Returns the normal form whose roles are named by their position.
    fn positional(&self, forms: &mut NormalForms, converted: Option<u8>) -> Option<FormId> {
        forms.of(self.body, &Naming { name: &|role| role.to_string(), converted })
    }
}

/// Generates the static `RELATIONS`.
pub(super) fn table(set: &Set) -> TokenStream {
    let bytes = Literal::byte_string(records(set).as_flattened());
    quote!(pub static RELATIONS: ::isa::body::Relations = ::isa::body::Relations::new(#bytes);)
}

fn records(set: &Set) -> Vec<[u8; 6]> {
    let mut forms = NormalForms::default();
    let all = candidates(set, &mut forms);
    let mut records = Vec::new();
    add_twins(&all, &mut forms, &mut records);
    let pairs = add_accumulators(set, &all, &mut forms, &mut records);
    add_constants(&all, &pairs, &mut forms, &mut records);
    records
}

/// Returns the rows whose bodies can be compared.
fn candidates<'a>(set: &'a Set<'a>, forms: &mut NormalForms) -> Vec<Candidate<'a>> {
    let candidate = |(index, mnemonic): (usize, &'a Mnemonic<'a>)| {
        let body = mnemonic.row.compiled.as_ref()?;
        let form = forms.of(body, &Naming { name: &|role| own_name(body, role), converted: None })?;
        let (sources, destinations) = roles(body);
        Some(Candidate { opcode: index as u16, mnemonic, body, home: mnemonic.block, form, sources, destinations })
    };
    set.mnemonics.iter().enumerate().filter_map(candidate).collect()
}

fn own_name(body: &CompiledBody, role: u8) -> String {
    body.roles.get(usize::from(role)).cloned().unwrap_or_default()
}

/// Returns the roles that a body only reads, and those that it writes.
fn roles(body: &CompiledBody) -> (Vec<u8>, Vec<u8>) {
    let (mut read, mut written) = (Vec::new(), Vec::new());
    for op in ops(&body.code) {
        match op {
            Op::Role { role, .. } | Op::Relative { role, .. } => _ = insert(&mut read, role),
            Op::Write { target, .. } => match target {
                Target::Role(role) | Target::High(role) | Target::Relative(role, _) | Target::Lane(role, _) => {
                    insert(&mut written, role);
                }
                Target::State(_) => {}
            },
            _ => {}
        }
    }
    read.retain(|role| !written.contains(role));
    (read, written)
}

/// Adds rows with exchanged sources, and rows with the opposite condition. Both are in the same block.
fn add_twins(all: &[Candidate], forms: &mut NormalForms, records: &mut Vec<[u8; 6]>) {
    let mut by_form: Vec<((*const Block, FormId), u16)> = Vec::new();
    for row in all {
        entry(&mut by_form, (std::ptr::from_ref(row.home), row.form), || row.opcode);
    }
    for row in all {
        let home = std::ptr::from_ref(row.home);
        let mut in_fields = row.sources.iter().copied().filter(|role| row.field_width(*role).is_some());
        if let (Some(a), Some(b)) = (in_fields.next(), in_fields.next()) {
            let exchange = |role: u8| {
                if role == a {
                    b
                } else if role == b {
                    a
                } else {
                    role
                }
            };
            let exchanged = row.named(forms, &|role| own_name(row.body, exchange(role)));
            let twin = match exchanged {
                Some(form) if form == row.form => Some(row.opcode),
                Some(form) => get(&by_form, &(home, form)).copied(),
                None => None,
            };
            if let Some(twin) = twin {
                insert(records, Relations::encode(row.opcode, Relation::Commuted, a << 4 | b & 15, twin));
            }
        }
        // Conditions without sources, such as V_CMP_F_F16, do not tell the types of their rows apart.
        let inverse = if row.sources.is_empty() { None } else { forms.inverse(row.form) };
        if let Some(twin) = inverse.and_then(|form| get(&by_form, &(home, form))) {
            insert(records, Relations::encode(row.opcode, Relation::Inverse, 0, *twin));
        }
    }
}

/// Adds pairs of rows of which one reads its destination in place of the last source. Returns the pairs of candidates:
/// the one with three sources first.
fn add_accumulators<'a>(
    set: &Set,
    all: &'a [Candidate<'a>],
    forms: &mut NormalForms,
    records: &mut Vec<[u8; 6]>,
) -> Vec<(&'a Candidate<'a>, &'a Candidate<'a>)> {
    let mut by_form: Vec<(FormId, Vec<&Candidate>)> = Vec::new();
    for row in all.iter().filter(|row| row.sources.len() > 2 && row.literal().is_none()) {
        let (Some(last), Some(destination)) = (row.sources.last(), row.destinations.first()) else { continue };
        let name = |role: u8| own_name(row.body, if role == *last { *destination } else { role });
        if let Some(form) = row.named(forms, &name) {
            entry(&mut by_form, form, Vec::new).push(row);
        }
    }
    let mut pairs = Vec::new();
    // An instruction that exists in dual-issue pairs only replaces none.
    let is_dual = |row: &Candidate| {
        set.formats.iter().any(|format| std::ptr::eq(format.block, row.home) && format.components.len() > 1)
    };
    for row in all.iter().filter(|row| !is_dual(row)) {
        let Some(found) = get(&by_form, &row.form) else { continue };
        // Scalar and vector instructions can have one body.
        let found: Vec<&Candidate> =
            found.iter().copied().filter(|other| other.mnemonic.run == row.mnemonic.run).collect();
        // Rows of several formats can have one body and differ in their modifiers.
        let mut sharing = found.iter().filter(|other| other.shares_format(row));
        let Some(&other) = sharing.next().or(found.first().filter(|_| found.len() == 1)) else { continue };
        insert(records, Relations::encode(row.opcode, Relation::ThreeAddress, 0, other.opcode));
        insert(records, Relations::encode(other.opcode, Relation::TwoAddress, 0, row.opcode));
        pairs.push((other, row));
    }
    pairs
}

/// Adds pairs of rows of which one has a constant in place of a source: in a suffix dword, or in a field.
fn add_constants(
    all: &[Candidate],
    pairs: &[(&Candidate, &Candidate)],
    forms: &mut NormalForms,
    records: &mut Vec<[u8; 6]>,
) {
    let kinds =
        [(Relation::WithLiteral, Relation::WithoutLiteral), (Relation::WithConstant, Relation::WithoutConstant)];
    let mut by_form: Vec<(FormId, Vec<&Candidate>)> = Vec::new();
    for row in all.iter().filter(|row| !row.sources.is_empty() && row.literal().is_none()) {
        if let Some(form) = row.positional(forms, None) {
            entry(&mut by_form, form, Vec::new).push(row);
        }
    }
    add_tied_constants(all, forms, records);
    for (with, without) in kinds {
        let in_field = with == Relation::WithConstant;
        for row in all {
            let Some(position) = (if in_field { row.constant() } else { row.literal() }) else { continue };
            let converted = in_field.then_some(position);
            let form = row.positional(forms, converted);
            let Some(found) = form.and_then(|form| get(&by_form, &form)) else { continue };
            let is_alike = |other: &&Candidate| {
                if in_field { other.is_long_form_of(row) } else { other.mnemonic.run == row.mnemonic.run }
            };
            let found: Vec<&Candidate> = found.iter().copied().filter(is_alike).collect();
            // Of several rows with one body the one whose accumulating form is in the same block.
            let has_pair = |other: &&&Candidate| {
                pairs.iter().any(|(long, short)| long.opcode == other.opcode && std::ptr::eq(short.home, row.home))
            };
            let Some(other) = found.iter().find(has_pair).or(found.first().filter(|_| found.len() == 1)) else {
                continue;
            };
            insert(records, Relations::encode(other.opcode, with, position, row.opcode));
            insert(records, Relations::encode(row.opcode, without, position, other.opcode));
        }
    }
}

/// Adds pairs of rows of which one has a constant in a field, and reads its destination in place of the first source of the
/// other: S_ADDK_I32 and S_ADD_I32.
fn add_tied_constants(all: &[Candidate], forms: &mut NormalForms, records: &mut Vec<[u8; 6]>) {
    let mut by_form: Vec<(FormId, Vec<&Candidate>)> = Vec::new();
    let shorts: Vec<&Candidate> = all.iter().filter(|row| row.sources.len() == 1 && row.constant().is_some()).collect();
    let is_run_alike = |row: &Candidate| shorts.iter().any(|short| row.is_long_form_of(short));
    for row in all.iter().filter(|row| row.sources == [1, 2] && row.destinations == [0] && is_run_alike(row)) {
        // The destination stands for the first source, and the second one comes next.
        let name = |role: u8| role.saturating_sub(1).to_string();
        if let Some(form) = row.named(forms, &name) {
            entry(&mut by_form, form, Vec::new).push(row);
        }
    }
    for row in shorts {
        let form = row.positional(forms, row.constant());
        let Some([other]) = form.and_then(|form| get(&by_form, &form)).map(Vec::as_slice) else { continue };
        if other.is_long_form_of(row) {
            insert(records, Relations::encode(other.opcode, Relation::WithConstant, 2, row.opcode));
            insert(records, Relations::encode(row.opcode, Relation::WithoutConstant, 1, other.opcode));
        }
    }
}

//! Blocks resolved against each other: which format carries which row, and what carries each role there.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use proc_macro2::Ident;
use quote::ToTokens;

use crate::check::Faults;
use crate::cond::Facts;
use crate::parse::{Access, Block, Field as FieldDecl, Row, TailClause, What};
use crate::shape::{self, Shape};
use crate::template::{self, Piece};
use crate::ty::Ty;

/// The most words that all blocks of a set may declare together: a shape keeps one bit for each.
const MOST_WORDS: usize = 64;

/// A run of bits inside one dword.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Part {
    pub word: u8,
    pub lo: u8,
    pub width: u8,
}

impl Part {
    pub fn mask(self) -> u32 {
        (u32::MAX >> (32 - u32::from(self.width))) << self.lo
    }
}

/// Mask and value of bits over the dwords of an instruction.
pub type Fixed = ([u32; 3], [u32; 3]);

/// Requires that `parts` hold `value`.
pub fn require(fixed: &mut Fixed, parts: &[Part], value: u64) {
    let mut rest = value;
    for p in parts.iter().rev() {
        let word = p.word as usize;
        fixed.0[word] |= p.mask();
        fixed.1[word] = fixed.1[word] & !p.mask() | (rest as u32) << p.lo & p.mask();
        rest = rest.checked_shr(u32::from(p.width)).unwrap_or(0);
    }
}

/// A field of a format or of one of its tails.
pub struct Field<'a> {
    pub decl: &'a FieldDecl,
    pub parts: Vec<Part>,
    /// The index of the tail it belongs to.
    pub tail: Option<usize>,
}

/// What carries a role or a modifier.
pub struct Carrier<'a> {
    pub name: String,
    pub access: Access,
    /// The index of its field; none for an implied operand.
    pub field: Option<usize>,
    pub decl: &'a crate::parse::Carrier,
    /// The kind as tokens, and as text to tell kinds apart.
    pub kind: String,
    pub kind_tokens: proc_macro2::TokenStream,
    pub field_parts: Vec<Part>,
    pub tail: Option<usize>,
}

/// A row as one component carries it.
pub struct Slot {
    pub number: u64,
    /// The index in [`Set::mnemonics`].
    pub opcode: usize,
    pub shape: usize,
    pub text: String,
}

pub struct Component<'a> {
    pub name: Option<String>,
    pub opcode: Vec<Part>,
    pub carriers: Vec<Carrier<'a>>,
    pub slots: Vec<Slot>,
    pub shapes: Vec<Shape>,
}

pub struct Format<'a> {
    pub block: &'a Block,
    pub dwords: u8,
    pub fields: Vec<Field<'a>>,
    pub tails: Vec<(&'a TailClause, &'a Block)>,
    pub components: Vec<Component<'a>>,
    pub fixed: Fixed,
}

/// A mnemonic and where it is carried.
pub struct Mnemonic<'a> {
    pub name: String,
    pub row: &'a Row,
    /// Format names and opcode numbers.
    pub carried: Vec<(String, u64)>,
}

pub struct Set<'a> {
    pub formats: Vec<Format<'a>>,
    pub tails: Vec<&'a Block>,
    pub words: Vec<String>,
    pub mnemonics: Vec<Mnemonic<'a>>,
}

/// A row on its way into a format.
pub struct Entry<'a> {
    pub row: &'a Row,
    /// The row whose operands it has: itself, or the one it names.
    pub base: &'a Row,
    pub number: u64,
    pub rider: bool,
    /// Whether its mnemonic exists in more than one format.
    pub shared: bool,
    pub opcode: usize,
}

impl Entry<'_> {
    pub fn facts<'b>(&self, words: &'b BTreeSet<String>, roles: &'b BTreeMap<String, Ty>) -> Facts<'b> {
        Facts { words, roles, rider: self.rider }
    }
}

/// The words and the roles of a row, as conditions ask for them.
pub fn facts_of(row: &Row, base: &Row) -> (BTreeSet<String>, BTreeMap<String, Ty>) {
    let words = row.words.iter().chain(&base.words).map(ToString::to_string).collect();
    let roles = base.roles.iter().map(|r| (r.name.to_string(), r.ty)).collect();
    (words, roles)
}

fn parts(decl: &FieldDecl, base: u8) -> Vec<Part> {
    let part = |r: &crate::parse::Run| Part {
        word: base + (r.lo / 32) as u8,
        lo: (r.lo % 32) as u8,
        width: (r.hi - r.lo + 1) as u8,
    };
    decl.bits.iter().map(part).collect()
}

impl<'a> Set<'a> {
    pub fn new(blocks: &'a [Block]) -> syn::Result<Set<'a>> {
        let mut faults = Faults::default();
        let tails: Vec<&Block> = blocks.iter().filter(|b| b.tail).collect();
        let words = declared_words(blocks, &mut faults);
        let mut formats = Vec::new();
        for block in blocks.iter().filter(|b| !b.tail) {
            formats.push(layout(block, &tails, &mut faults));
        }
        let (mnemonics, by_name) = mnemonics(blocks, &mut faults);
        let mut set = Set { formats, tails, words, mnemonics };
        set.names(&mut faults);
        faults.result()?;
        let mut faults = Faults::default();
        for at in 0..set.formats.len() {
            let entries = set.entries(at, blocks, &by_name, &mut faults);
            for (component, list) in entries {
                for entry in list {
                    let name = set.formats[at].block.name.to_string();
                    set.mnemonics[entry.opcode].carried.push((name, entry.number));
                    set.add(at, component, &entry, &mut faults);
                }
            }
        }
        faults.result()?;
        set.collisions()?;
        Ok(set)
    }

    /// Every name that a block asks for or writes must be something.
    fn names(&self, faults: &mut Faults) {
        for format in &self.formats {
            let block = format.block;
            let known = |name: &str| format.components.iter().flat_map(|c| &c.carriers).any(|c| c.name == name);
            let mut asked = Vec::new();
            let carriers = block.fields.iter().filter_map(|f| match &f.what {
                What::Carrier(c) => c.cond.as_ref(),
                _ => None,
            });
            let conds = carriers
                .chain(block.texts.iter().filter_map(|t| t.cond.as_ref()))
                .chain(block.tails.iter().filter_map(|t| t.cond.as_ref()))
                .chain(block.rides.iter().filter_map(|r| r.cond.as_ref()))
                .chain(&block.require);
            for cond in conds {
                cond.names(&mut asked);
            }
            for name in asked {
                let text = name.to_string();
                let role = self.mnemonics.iter().any(|m| m.row.roles.iter().any(|r| r.name == *name));
                if text != "rider" && !self.words.contains(&text) && !role && !known(&text) {
                    let say =
                        format!("`{text}` is neither a declared word nor a role: declare it with `words {text};`");
                    faults.say(name.span(), say);
                }
            }
            let texts = block.texts.iter().map(|t| &t.text).chain(block.rows.iter().filter_map(|r| r.text.as_ref()));
            for text in texts {
                match template::pieces(text) {
                    Err(e) => faults.add(e),
                    Ok(pieces) => {
                        for piece in pieces {
                            if let Piece::Name(name) = piece
                                && !known(&name)
                            {
                                let say = format!(
                                    "the text names `{{{name}}}`, which no field of {} carries: use a role or modifier of its fields",
                                    block.name
                                );
                                faults.say(text.span(), say);
                            }
                        }
                    }
                }
            }
        }
    }

    /// The rows that a format carries, by component: its own and those that ride it.
    fn entries(
        &self,
        at: usize,
        blocks: &'a [Block],
        by_name: &HashMap<String, usize>,
        faults: &mut Faults,
    ) -> Vec<(usize, Vec<Entry<'a>>)> {
        let block = self.formats[at].block;
        let mut all: Vec<(usize, Vec<Entry<'a>>)> =
            (0..self.formats[at].components.len()).map(|c| (c, Vec::new())).collect();
        for row in &block.rows {
            let component = row.component.as_ref().map(ToString::to_string);
            let Some(c) = self.formats[at].components.iter().position(|c| c.name == component) else {
                continue;
            };
            let base = match &row.like {
                None => row,
                Some(like) => match by_name.get(&like.to_string()) {
                    Some(&i) => self.mnemonics[i].row,
                    None => {
                        faults.say(like.span(), format!("no row is named {like}: write a mnemonic of this set"));
                        continue;
                    }
                },
            };
            let opcode = by_name.get(&base.name.text).copied().unwrap_or(0);
            let shared = !carriers_of(row, block, blocks).is_empty();
            all[c].1.push(Entry { row, base, number: row.number.value, rider: false, shared, opcode });
        }
        for from in blocks {
            for rides in from.rides.iter().filter(|r| r.name == block.name) {
                for row in &from.rows {
                    let (words, roles) = facts_of(row, row);
                    let facts = Facts { words: &words, roles: &roles, rider: false };
                    if row.no.contains(&rides.name) || rides.cond.as_ref().is_some_and(|c| !c.holds(&facts)) {
                        continue;
                    }
                    let opcode = by_name.get(&row.name.text).copied().unwrap_or(0);
                    let number = rides.at.value + row.number.value;
                    all[0].1.push(Entry { row, base: row, number, rider: true, shared: true, opcode });
                }
            }
        }
        for (component, list) in &mut all {
            list.sort_by_key(|e| e.number);
            for pair in list.windows(2) {
                if let [a, b] = pair
                    && a.number == b.number
                {
                    let say = format!(
                        "{} takes opcode {} of {}, which {} has already: check where it rides",
                        b.row.name.text, b.number, block.name, a.row.name.text
                    );
                    faults.say(b.row.name.span, say);
                }
            }
            let width: u32 = self.formats[at].components[*component].opcode.iter().map(|p| u32::from(p.width)).sum();
            for e in list.iter().filter(|e| e.rider && e.number >> width != 0) {
                let say = format!(
                    "{} rides {} at opcode {}, which does not fit its {width} bits",
                    e.row.name.text, block.name, e.number
                );
                faults.say(e.row.name.span, say);
            }
        }
        for name in block.rides.iter().map(|r| &r.name) {
            if !self.formats.iter().any(|f| f.block.name == *name) {
                faults.say(
                    name.span(),
                    format!("no format is named {name} in this set: check the name, or list it in `formats`"),
                );
            }
        }
        all
    }

    fn add(&mut self, at: usize, component: usize, entry: &Entry<'a>, faults: &mut Faults) {
        let Some(shape) = shape::of(&mut self.formats[at], component, entry, &self.words, faults) else {
            return;
        };
        let c = &mut self.formats[at].components[component];
        let shape = match c.shapes.iter().position(|s| *s == shape) {
            Some(i) => i,
            None => {
                c.shapes.push(shape);
                c.shapes.len() - 1
            }
        };
        let text = match &entry.row.alias {
            Some(alias) => alias.value(),
            None => entry.row.name.text.to_lowercase(),
        };
        c.slots.push(Slot { number: entry.number, opcode: entry.opcode, shape, text });
    }

    /// Two rows of different formats must not claim the same first dwords, unless one format is the more specific.
    fn collisions(&self) -> syn::Result<()> {
        let mut faults = Faults::default();
        for (i, a) in self.formats.iter().enumerate() {
            for b in &self.formats[i + 1..] {
                let common = |x: &Fixed, y: &Fixed| (0..3).all(|w| (x.1[w] ^ y.1[w]) & x.0[w] & y.0[w] == 0);
                let covers = |x: &Fixed, y: &Fixed| x.0 != y.0 && (0..3).all(|w| x.0[w] & !y.0[w] == 0);
                if !common(&a.fixed, &b.fixed) || covers(&a.fixed, &b.fixed) || covers(&b.fixed, &a.fixed) {
                    continue;
                }
                let bits = |f: &Format, c: &Component, s: &Slot| {
                    let mut fixed = f.fixed;
                    require(&mut fixed, &c.opcode, s.number);
                    fixed
                };
                let (ca, cb) = (&a.components[0], &b.components[0]);
                let of_a: Vec<Fixed> = ca.slots.iter().map(|s| bits(a, ca, s)).collect();
                for slot in &cb.slots {
                    let fixed = bits(b, cb, slot);
                    if let Some(at) = of_a.iter().position(|other| common(other, &fixed)) {
                        let other = &self.mnemonics[ca.slots[at].opcode];
                        let mine = &self.mnemonics[slot.opcode];
                        let say = format!(
                            "{} of {} and {} of {} claim the same words, and neither format is the more specific: check ENCODING and the opcode numbers",
                            mine.name, b.block.name, other.name, a.block.name
                        );
                        faults.say(mine.row.name.span, say);
                    }
                }
            }
        }
        faults.result()
    }
}

/// The formats besides its own that carry a row.
fn carriers_of<'a>(row: &Row, block: &'a Block, blocks: &'a [Block]) -> Vec<&'a Ident> {
    if row.like.is_some() {
        return Vec::new();
    }
    let (words, roles) = facts_of(row, row);
    let facts = Facts { words: &words, roles: &roles, rider: false };
    let rides = block.rides.iter().filter(|r| {
        !row.no.contains(&r.name)
            && r.cond.as_ref().is_none_or(|c| c.holds(&facts))
            && blocks.iter().any(|b| b.name == r.name)
    });
    rides.map(|r| &r.name).collect()
}

fn declared_words(blocks: &[Block], faults: &mut Faults) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for word in blocks.iter().flat_map(|b| &b.words) {
        let text = word.to_string();
        if !words.contains(&text) {
            words.push(text);
        }
        if words.len() > MOST_WORDS {
            faults.say(word.span(), format!("a set can declare {MOST_WORDS} words"));
        }
    }
    for block in blocks {
        for word in block.rows.iter().flat_map(|r| &r.words) {
            if !block.words.contains(word) {
                faults.say(word.span(), format!("`{word}` is no word of this format: declare it with `words {word};`"));
            }
        }
    }
    words
}

fn mnemonics<'a>(blocks: &'a [Block], faults: &mut Faults) -> (Vec<Mnemonic<'a>>, HashMap<String, usize>) {
    let mut all: Vec<Mnemonic> = Vec::new();
    let mut by_name = HashMap::new();
    for block in blocks {
        for row in block.rows.iter().filter(|r| r.like.is_none()) {
            let name = row.name.text.clone();
            if by_name.insert(name.clone(), all.len()).is_some() {
                let say = format!(
                    "the mnemonic {name} has a row already in another format: one row for each mnemonic, and `rides` where another format carries it"
                );
                faults.say(row.name.span, say);
            }
            all.push(Mnemonic { name, row, carried: Vec::new() });
        }
    }
    (all, by_name)
}

fn layout<'a>(block: &'a Block, all_tails: &[&'a Block], faults: &mut Faults) -> Format<'a> {
    let dwords = (block.width.value / 32) as u8;
    let mut fields: Vec<Field> =
        block.fields.iter().map(|decl| Field { decl, parts: parts(decl, 0), tail: None }).collect();
    let mut tails = Vec::new();
    for clause in &block.tails {
        let Some(tail) = all_tails.iter().find(|t| t.name == clause.name) else {
            let say = format!("no tail is named {} in this set: check the name, or list it in `formats`", clause.name);
            faults.say(clause.name.span(), say);
            continue;
        };
        let at = Some(tails.len());
        fields.extend(tail.fields.iter().map(|decl| Field { decl, parts: parts(decl, dwords), tail: at }));
        tails.push((clause, *tail));
    }
    let mut fixed = ([0; 3], [0; 3]);
    for f in fields.iter().filter(|f| f.tail.is_none()) {
        if let What::Fixed(n) = &f.decl.what {
            require(&mut fixed, &f.parts, n.value);
        }
    }
    let names: Vec<Option<String>> = if block.components.is_empty() {
        vec![None]
    } else {
        block.components.iter().map(|c| Some(c.to_string())).collect()
    };
    let mut components = Vec::new();
    for name in names {
        let opcode = fields
            .iter()
            .position(|f| matches!(&f.decl.what, What::Opcode(c) if c.as_ref().map(ToString::to_string) == name));
        let mut carriers = Vec::new();
        for (at, field) in fields.iter().enumerate() {
            let What::Carrier(decl) = &field.decl.what else {
                continue;
            };
            if field.tail.is_none() && decl.component.as_ref().map(ToString::to_string) != name {
                continue;
            }
            for (access, role) in &decl.names {
                let kind_tokens = decl.kind.to_token_stream();
                carriers.push(Carrier {
                    name: role.to_string(),
                    access: *access,
                    field: (!field.decl.bits.is_empty()).then_some(at),
                    decl,
                    kind: kind_tokens.to_string(),
                    kind_tokens,
                    field_parts: field.parts.clone(),
                    tail: field.tail,
                });
            }
        }
        // A format without an opcode field holds one row, number 0 (checked with the block).
        let opcode = opcode.map(|f| fields[f].parts.clone()).unwrap_or_default();
        components.push(Component { name, opcode, carriers, slots: Vec::new(), shapes: Vec::new() });
    }
    Format { block, dwords, fields, tails, components, fixed }
}

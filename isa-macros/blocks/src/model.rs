//! Blocks resolved against each other: which format carries which row, and what carries each role there.

use std::collections::{HashMap, HashSet};

use crate::check;
use crate::cond::Facts;
use crate::fault::Faults;
use crate::names::{block_names, mnemonics};
use crate::shape::{self, Shape};
use crate::template::{self, Piece};
use crate::tree::{self, Access, Block, Field as FieldDecl, Kind, Rides, Row, TailClause, What};

/// The most characters of a mnemonic: as `isa::Label::MOST` says.
pub const MOST_TEXT: usize = 39;

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
    pub decl: &'a tree::Carrier,
    pub kind: Kind,
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
    /// Other names under which text may have it.
    pub also: Vec<String>,
}

pub struct Component<'a> {
    pub name: Option<String>,
    pub opcode: Vec<Part>,
    pub carriers: Vec<Carrier<'a>>,
    pub slots: Vec<Slot>,
    /// By the opcode's number: the index of its slot plus one, or 0.
    pub table: Vec<u16>,
    pub shapes: Vec<Shape>,
}

impl Component<'_> {
    /// The row of this number.
    pub fn slot(&self, number: u64) -> Option<&Slot> {
        let at = self.table.get(usize::try_from(number).ok()?)?;
        self.slots.get(usize::from(at.checked_sub(1)?))
    }
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
    /// The clause by which it rides.
    pub rides: Option<&'a Rides>,
    /// Whether its mnemonic exists in more than one format.
    pub shared: bool,
    pub opcode: usize,
}

impl Entry<'_> {
    pub fn facts(&self) -> Facts<'_> {
        Facts::new(self.row, self.base, self.rider)
    }
}

fn parts(decl: &FieldDecl, base: u8) -> Vec<Part> {
    let part =
        |r: &tree::Run| Part { word: base + (r.lo / 32) as u8, lo: (r.lo % 32) as u8, width: (r.hi - r.lo + 1) as u8 };
    decl.bits.iter().map(part).collect()
}

impl<'a> Set<'a> {
    /// The set of these blocks, whose rows carry these words.
    pub fn new(blocks: &'a [Block], words: Vec<String>) -> Result<Set<'a>, Faults> {
        let mut faults = Faults::default();
        let tails: Vec<&Block> = blocks.iter().filter(|b| b.tail).collect();
        let mut formats = Vec::new();
        for block in blocks.iter().filter(|b| !b.tail) {
            formats.push(layout(block, &tails, &mut faults));
        }
        let (mnemonics, by_name) = mnemonics(blocks, &mut faults);
        block_names(blocks, &mut faults);
        let mut set = Set { formats, tails, words, mnemonics };
        let roles: HashSet<&str> =
            set.mnemonics.iter().flat_map(|m| &m.row.roles).map(|role| role.name.as_str()).collect();
        for at in 0..set.formats.len() {
            set.names(at, &roles, &mut faults);
        }
        faults.result()?;
        let mut faults = Faults::default();
        let mut all = Vec::new();
        for at in 0..set.formats.len() {
            let entries = set.entries(at, blocks, &by_name, &mut faults);
            all.extend(entries.into_iter().map(|(component, entry)| (at, component, entry)));
        }
        // A row that its own format cannot carry is not reported for those that it rides as well.
        let mut faulty: HashSet<*const Row> = HashSet::new();
        all.sort_by_key(|(.., entry)| entry.rider);
        for (at, component, entry) in &all {
            if faulty.contains(&std::ptr::from_ref(entry.base)) {
                continue;
            }
            let name = set.formats[*at].block.name.to_string();
            set.mnemonics[entry.opcode].carried.push((name, entry.number));
            if !set.add(*at, *component, entry, &mut faults) {
                faulty.insert(std::ptr::from_ref(entry.row));
            }
        }
        faults.result()?;
        set.collisions()?;
        Ok(set)
    }

    /// Every name that a format asks for or writes must be something.
    fn names(&self, at: usize, roles: &HashSet<&str>, faults: &mut Faults) {
        let format = &self.formats[at];
        let block = format.block;
        let carriers = || format.components.iter().flat_map(|c| &c.carriers);
        let fields = |b: &'a Block| {
            b.fields.iter().filter_map(|f| match &f.what {
                What::Carrier(c) => c.cond.as_ref(),
                _ => None,
            })
        };
        let conds = fields(block)
            .chain(format.tails.iter().flat_map(|(_, tail)| fields(tail)))
            .chain(block.texts.iter().filter_map(|t| t.cond.as_ref()))
            .chain(format.tails.iter().flat_map(|(_, tail)| tail.texts.iter().filter_map(|t| t.cond.as_ref())))
            .chain(block.tails.iter().filter_map(|t| t.cond.as_ref()))
            .chain(block.rides.iter().filter_map(|r| r.cond.as_ref()))
            .chain(&block.require);
        let (mut asked, mut typed) = (Vec::new(), Vec::new());
        for cond in conds {
            cond.names(&mut asked);
            cond.roles(&mut typed);
        }
        for name in asked {
            let text = name.to_string();
            let listed = roles.contains(name.as_str());
            let carried = carriers().any(|c| c.name == text && c.access != Access::Modifier);
            if listed || carried || block.elsewhere.contains(&text) {
                continue;
            }
            if typed.contains(&name) {
                faults
                    .say(name.span(), format!("`{text}` is no role of any row: `is` asks the type that a role holds"));
            } else if text != "rider" && !self.words.contains(&text) {
                let say = format!("`{text}` is neither a declared word nor a role: declare it with `words {text};`");
                faults.say(name.span(), say);
            }
        }
        let of_tails = format.tails.iter().flat_map(|(_, tail)| &tail.texts);
        let texts = block.texts.iter().chain(of_tails).map(|t| &t.text);
        for text in texts.chain(block.rows.iter().filter_map(|r| r.text.as_ref())) {
            for piece in template::pieces(text).unwrap_or_default() {
                if let Piece::Name(name) = piece
                    && !carriers().any(|c| c.name == name)
                    && !block.elsewhere.contains(&name)
                {
                    let mut known: Vec<&str> = carriers().map(|c| c.name.as_str()).collect();
                    known.sort_unstable();
                    known.dedup();
                    let say = format!(
                        "the text names `{{{name}}}`, which no field of {} carries: its roles and modifiers are {}",
                        block.name,
                        known.join(", ")
                    );
                    faults.say(text.span(), say);
                }
            }
        }
        for row in &block.rows {
            for name in &row.no {
                let rides = block.rides.iter().any(|r| r.name == *name);
                if !rides && !self.tails.iter().any(|t| t.name == *name) {
                    let say = format!(
                        "{} does not ride {name}, and no tail has this name: `no` takes a format of a `rides` clause, or a tail",
                        block.name
                    );
                    faults.say(name.span(), say);
                }
            }
            for (name, value) in &row.fix {
                match format.fields.iter().find(|f| f.decl.name == *name && !f.parts.is_empty()) {
                    None => faults.say(name.span(), format!("{} has no field {name}", block.name)),
                    Some(f) if value.value > check::most(check::width(f.decl)) => {
                        let say = format!(
                            "{} does not fit the {} of {name}",
                            value.value,
                            check::count(check::width(f.decl))
                        );
                        faults.say(value.span, say);
                    }
                    Some(_) => {}
                }
            }
        }
        for rides in &block.rides {
            let name = &rides.name;
            match self.formats.iter().find(|f| f.block.name == *name) {
                None => {
                    let say = if self.tails.iter().any(|t| t.name == *name) {
                        format!("{name} is a tail, which rows cannot ride: write `tail {name} when FIELD == code;`")
                    } else {
                        format!("no format is named {name} in this set: check the name, or list it in `formats`")
                    };
                    faults.say(name.span(), say);
                }
                Some(f) if f.components.len() > 1 => {
                    let say =
                        format!("{name} holds two instructions: its rows name those they carry, `x 4 => NAME = ROW;`");
                    faults.say(name.span(), say);
                }
                Some(f) if f.components[0].opcode.is_empty() => {
                    let say = format!("{name} has no opcode field, so no row can ride it");
                    faults.say(name.span(), say);
                }
                Some(_) => {}
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
    ) -> Vec<(usize, Entry<'a>)> {
        let block = self.formats[at].block;
        let mut all: Vec<(usize, Entry<'a>)> = Vec::new();
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
            let opcode = by_name.get(base.name.as_str()).copied().unwrap_or(0);
            let shared = has_riders(row, block, blocks);
            all.push((c, Entry { row, base, number: row.number.value, rider: false, rides: None, shared, opcode }));
        }
        for from in blocks {
            for rides in from.rides.iter().filter(|r| r.name == block.name) {
                for row in &from.rows {
                    let facts = Facts::new(row, row, false);
                    if row.no.contains(&rides.name) || rides.cond.as_ref().is_some_and(|c| !c.holds(&facts)) {
                        continue;
                    }
                    let opcode = by_name.get(row.name.as_str()).copied().unwrap_or(0);
                    let number = rides.at.value.saturating_add(row.number.value);
                    let entry = Entry { row, base: row, number, rider: true, rides: Some(rides), shared: true, opcode };
                    all.push((0, entry));
                }
            }
        }
        self.ridden(at, &mut all, faults);
        all
    }

    /// Opcodes that riders get must fit and be free. What one clause does wrong is said once.
    fn ridden(&self, at: usize, all: &mut Vec<(usize, Entry<'a>)>, faults: &mut Faults) {
        let block = self.formats[at].block;
        let width: u32 = self.formats[at].components[0].opcode.iter().map(|p| u32::from(p.width)).sum();
        let mut taken: HashMap<(usize, u64), &Row> = HashMap::new();
        let mut wrong: Vec<(&Rides, usize, String)> = Vec::new();
        all.sort_by_key(|(component, e)| (*component, e.rider, e.number));
        all.retain(|(component, e)| {
            let say = if e.rider && e.number > check::most(width) {
                format!(
                    "{} rides {} at opcode {}, which does not fit the {} of its opcode",
                    e.row.name.as_str(),
                    block.name,
                    e.number,
                    check::count(width)
                )
            } else if let Some(other) = taken.insert((*component, e.number), e.row) {
                format!(
                    "{} rides {} at opcode {}, which {} has already",
                    e.row.name.as_str(),
                    block.name,
                    e.number,
                    other.name.as_str()
                )
            } else {
                return true;
            };
            if let Some(rides) = e.rides {
                match wrong.iter_mut().find(|(r, ..)| std::ptr::eq(*r, rides)) {
                    Some((_, more, _)) => *more += 1,
                    None => wrong.push((rides, 0, say)),
                }
            }
            false
        });
        for (rides, more, say) in wrong {
            let more = match more {
                0 => String::new(),
                1 => " (and 1 more row)".into(),
                n => format!(" (and {n} more rows)"),
            };
            let say = format!("{say}{more}: correct `at`, or write `no {}` on the row", block.name);
            faults.say(rides.at.span, say);
        }
    }

    /// Gives a row its place in a format; `false` after a fault.
    fn add(&mut self, at: usize, component: usize, entry: &Entry<'a>, faults: &mut Faults) -> bool {
        let Some(shape) = shape::of(&mut self.formats[at], component, entry, &self.words, faults) else {
            return false;
        };
        let c = &mut self.formats[at].components[component];
        // An operand that the text leaves out could not be read back.
        let unwritten = shape.forms.iter().flatten().find_map(|form| {
            form.bound.iter().enumerate().find_map(|(i, (carrier, _, access))| {
                let carrier = &c.carriers[*carrier];
                let written = form.text.contains(&template::Step::Operand(i as u8));
                (*access != Access::Modifier && carrier.field.is_some() && !written).then(|| carrier.name.clone())
            })
        });
        if let Some(role) = unwritten.and_then(|name| entry.base.roles.iter().find(|r| r.name == name)) {
            let say = format!(
                "the text of {} in {} leaves `{}` out: name it in a `text`, or give the row its own",
                entry.row.name.as_str(),
                self.formats[at].block.name,
                role.name
            );
            faults.say(role.name.span(), say);
            return false;
        }
        let shape = match c.shapes.iter().position(|s| *s == shape) {
            Some(i) => i,
            None => {
                c.shapes.push(shape);
                c.shapes.len() - 1
            }
        };
        let text = match &entry.row.alias {
            Some(alias) => alias.to_string(),
            None => entry.row.name.as_str().to_lowercase(),
        };
        let also: Vec<String> = entry.row.also.iter().map(|name| name.to_string()).collect();
        let known = entry.row.alias.iter().chain(&entry.row.also).map(|name| (name.to_string(), name.span()));
        let own = entry.row.alias.is_none().then(|| (text.clone(), entry.row.name.span()));
        for (name, span) in known.chain(own) {
            if name.len() > MOST_TEXT || !name.is_ascii() {
                let say = format!("`{name}` cannot be a mnemonic: it has at most {MOST_TEXT} characters, all of ASCII");
                faults.say(span, say);
                return false;
            }
        }
        // Numbers fit the bits of an opcode, of which a field has at most sixteen.
        let number = entry.number as usize;
        if c.table.len() <= number {
            c.table.resize(number + 1, 0);
        }
        c.table[number] = c.slots.len() as u16 + 1;
        c.slots.push(Slot { number: entry.number, opcode: entry.opcode, shape, text, also });
        true
    }

    /// Two rows of different formats must not claim the same words. A format may lie inside another's space where that
    /// one has no rows.
    fn collisions(&self) -> Result<(), Faults> {
        let mut faults = Faults::default();
        // Decoding picks the format by the fixed bits of the first dword and by the opcode.
        let bits = |f: &Format, s: &Slot| {
            let mut fixed = ([f.fixed.0[0], 0, 0], [f.fixed.1[0], 0, 0]);
            require(&mut fixed, &f.components[0].opcode, s.number);
            fixed
        };
        let meet = |x: &Fixed, y: &Fixed| (0..3).all(|w| (x.1[w] ^ y.1[w]) & x.0[w] & y.0[w] == 0);
        for (i, a) in self.formats.iter().enumerate() {
            let of_a: Vec<(Fixed, &Slot)> = a.components[0].slots.iter().map(|s| (bits(a, s), s)).collect();
            for b in self.formats[i + 1..].iter().filter(|b| meet(&a.fixed, &b.fixed)) {
                let slots = b.components[0].slots.iter();
                let mut pairs = slots.filter_map(|s| {
                    let fixed = bits(b, s);
                    Some((s, of_a.iter().find(|(other, _)| meet(other, &fixed))?.1))
                });
                let Some((of_b, of_a)) = pairs.next() else { continue };
                let more = pairs.count();
                // The broader format's row is the one that should not be there.
                let covers = |x: &Format, y: &Format| x.fixed.0[0] != y.fixed.0[0] && x.fixed.0[0] & !y.fixed.0[0] == 0;
                let (format, slot, other, taken) = if covers(a, b) { (a, of_a, b, of_b) } else { (b, of_b, a, of_a) };
                let (mine, taken) = (&self.mnemonics[slot.opcode], &self.mnemonics[taken.opcode]);
                let why = if covers(format, other) {
                    format!("{} lies inside {}'s space", other.block.name, format.block.name)
                } else {
                    "neither format is the more specific".into()
                };
                let more = match more {
                    0 => String::new(),
                    1 => ", and 1 more row does,".into(),
                    n => format!(", and {n} more rows do,"),
                };
                let say = format!(
                    "{} of {} claims words that {} of {} has{more} and {why}: check the fixed bits and the opcode numbers",
                    mine.name, format.block.name, taken.name, other.block.name
                );
                faults.say(mine.row.name.span(), say);
            }
        }
        faults.result()
    }
}

/// Whether formats besides its own carry a row.
fn has_riders(row: &Row, block: &Block, blocks: &[Block]) -> bool {
    let facts = Facts::new(row, row, false);
    row.like.is_none()
        && block.rides.iter().any(|r| {
            !row.no.contains(&r.name)
                && r.cond.as_ref().is_none_or(|c| c.holds(&facts))
                && blocks.iter().any(|b| r.name == b.name)
        })
}

fn layout<'a>(block: &'a Block, all_tails: &[&'a Block], faults: &mut Faults) -> Format<'a> {
    let dwords = (block.width.value / 32) as u8;
    let mut fields: Vec<Field> =
        block.fields.iter().map(|decl| Field { decl, parts: parts(decl, 0), tail: None }).collect();
    let mut tails: Vec<(&TailClause, &Block)> = Vec::new();
    for clause in &block.tails {
        let Some(tail) = all_tails.iter().find(|t| t.name == clause.name) else {
            let say = format!("no tail is named {} in this set: check the name, or list it in `formats`", clause.name);
            faults.say(clause.name.span(), say);
            continue;
        };
        let accessor = |f: &&FieldDecl| matches!(f.what, What::Carrier(_) | What::Opcode(_)) && !f.bits.is_empty();
        let same = |f: &&FieldDecl| f.name.to_string().to_lowercase() == tail.name.to_string().to_lowercase();
        if let Some(field) = block.fields.iter().filter(accessor).find(same) {
            let say = format!("{} has a tail {} already: give the field another name", block.name, tail.name);
            faults.say(field.name.span(), say);
        }
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
                carriers.push(Carrier {
                    name: role.to_string(),
                    access: *access,
                    field: (!field.decl.bits.is_empty()).then_some(at),
                    decl,
                    kind: decl.kind.clone(),
                    field_parts: field.parts.clone(),
                    tail: field.tail,
                });
            }
        }
        // A format without an opcode field holds one row, number 0 (checked with the block).
        let opcode = opcode.map(|f| fields[f].parts.clone()).unwrap_or_default();
        components.push(Component { name, opcode, carriers, slots: Vec::new(), table: Vec::new(), shapes: Vec::new() });
    }
    Format { block, dwords, fields, tails, components, fixed }
}

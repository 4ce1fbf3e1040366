//! Statements to words: labels get places, branches get distances.

use std::collections::HashMap;

use isa::Words;
use proc_macro2::{Literal, TokenStream};
use quote::quote;

use crate::Language;
use crate::statement::{Fault, Item, Statement, items};

/// A block cut into statements.
pub struct Program<M> {
    pub mode: M,
    /// Its index in [`Language::modes`].
    pub mode_index: usize,
    pub statements: Vec<Statement>,
    /// Labels, and before which statement each stands.
    pub labels: HashMap<String, usize>,
    pub faults: Vec<Fault>,
}

/// What one statement comes to.
pub enum Piece {
    Words(Words),
    /// Dwords that stand behind `.long`.
    Data(Vec<u32>),
    Branch(Branch),
    /// It is reported.
    Faulty,
}

/// A branch to a label.
pub struct Branch {
    pub words: Words,
    /// Where in the text the label's name stands.
    pub at: usize,
    /// Before which statement the label stands.
    pub target: usize,
}

impl Piece {
    pub fn dwords(&self) -> usize {
        match self {
            Piece::Words(words) | Piece::Branch(Branch { words, .. }) => words.len(),
            Piece::Data(data) => data.len(),
            Piece::Faulty => 0,
        }
    }
}

impl<M: Copy> Program<M> {
    /// Reads a block, and the mode that it may begin with.
    pub fn new(input: TokenStream, language: &Language<M>) -> Self {
        let mut program = Program {
            mode: language.mode,
            mode_index: 0,
            statements: Vec::new(),
            labels: HashMap::new(),
            faults: Vec::new(),
        };
        for item in items(input) {
            match item {
                Item::Label(name, span) if program.labels.contains_key(&name) => {
                    let say = format!("the label `{name}` is defined twice: give one of the two another name");
                    program.faults.push(Fault::at(span, say));
                }
                Item::Label(name, _) => {
                    program.labels.insert(name, program.statements.len());
                }
                Item::Statement(s) => match language.modes.iter().enumerate().find(|(_, (name, _))| s.text == *name) {
                    Some((at, (_, mode))) if program.statements.is_empty() => {
                        (program.mode, program.mode_index) = (*mode, at);
                    }
                    Some((_, (name, _))) => {
                        let say = format!("`{name}` stands before the first instruction: move it there");
                        program.faults.push(s.fault(0..s.text.len(), say));
                    }
                    None => program.statements.push(s),
                },
            }
        }
        program
    }

    /// What a statement comes to, with distances still zero; a fault is kept.
    pub fn piece(&mut self, at: usize, language: &Language<M>) -> Piece {
        let Some(statement) = self.statements.get(at) else { return Piece::Faulty };
        match self.read(statement, language) {
            Ok(piece) => piece,
            Err(fault) => {
                self.faults.push(fault);
                Piece::Faulty
            }
        }
    }

    /// What a statement without values of run time comes to.
    pub fn read(&self, statement: &Statement, language: &Language<M>) -> Result<Piece, Fault> {
        let text = statement.text.as_str();
        if let Some(values) = text.strip_prefix(".long").filter(|rest| !rest.starts_with(char::is_alphanumeric)) {
            return data(statement, values, text.len() - values.len());
        }
        if text.starts_with('.') {
            let known: Vec<&str> = language.modes.iter().map(|(name, _)| *name).collect();
            let say = format!("unknown directive: there are `.long` and, before all else, {}", known.join(", "));
            return Err(statement.fault(0..text.len(), say));
        }
        let refused = match (language.parse)(text, self.mode) {
            Ok(line) => return Ok(Piece::Words(line.words)),
            Err(refused) => refused,
        };
        match self.branch(statement, language) {
            Some(branch) => branch.map(Piece::Branch),
            None => Err(statement.fault(refused.start..refused.end, refused.to_string())),
        }
    }

    /// The statement as a branch whose last operand is a label, if it is one.
    fn branch(&self, statement: &Statement, language: &Language<M>) -> Option<Result<Branch, Fault>> {
        let (at, name) = statement.last_name()?;
        let line = (language.parse)(&format!("{}0", statement.text.get(..at)?), self.mode).ok().filter(|l| l.branch)?;
        Some(match self.labels.get(name) {
            Some(target) => Ok(Branch { words: line.words, at, target: *target }),
            None => {
                let near = isa::nearest(self.labels.keys().map(String::as_str), name);
                let near = near.map_or_else(
                    || format!("write `{name}:` before the instruction that it goes to"),
                    |near| format!("there is `{near}`"),
                );
                let say = format!("the label `{name}` is not defined; {near}");
                Err(statement.fault(at..statement.text.len(), say))
            }
        })
    }
}

/// The dwords behind `.long`.
fn data(statement: &Statement, values: &str, base: usize) -> Result<Piece, Fault> {
    let mut all = Vec::new();
    let mut at = base;
    for value in values.split(',') {
        let number = isa::Scanner::new(value).signed().filter(|n| (-(1 << 31)..1 << 32).contains(n));
        let number = number.ok_or_else(|| {
            statement.fault(at..at + value.len(), "expected a number of 32 bits: `.long 0xbf9f0000, -1`")
        })?;
        all.push(number as u32);
        at += value.len() + 1;
    }
    Ok(Piece::Data(all))
}

/// `asm! { … }`.
pub fn asm<M: Copy>(input: TokenStream, language: &Language<M>) -> TokenStream {
    let mut program = Program::new(input, language);
    let say = "a value of run time cannot stand in `asm!`, which makes constants: `instrs!` takes it";
    let holes = program.statements.iter().flat_map(|s| &s.holes).map(|hole| Fault::at(hole.span, say));
    let holes: Vec<Fault> = holes.collect();
    if holes.is_empty() {
        return words(program, language);
    }
    program.faults.extend(holes);
    errors(program.faults, &quote!([0u32; 0]))
}

fn words<M: Copy>(mut program: Program<M>, language: &Language<M>) -> TokenStream {
    let pieces: Vec<Piece> = (0..program.statements.len()).map(|at| program.piece(at, language)).collect();
    let mut places = vec![0];
    for piece in &pieces {
        places.push(places.last().unwrap_or(&0) + piece.dwords());
    }
    let mut words = Vec::new();
    for (at, piece) in pieces.into_iter().enumerate() {
        match piece {
            Piece::Words(w) => words.extend_from_slice(&w),
            Piece::Data(data) => words.extend(data),
            Piece::Faulty => {}
            Piece::Branch(branch) => {
                let place = |at: usize| places.get(at).map_or(0, |p| *p as i64);
                let statement = &program.statements[at];
                match distance(statement, &branch, place(branch.target) - place(at + 1), program.mode, language) {
                    Ok(w) => words.extend_from_slice(&w),
                    Err(fault) => program.faults.push(fault),
                }
            }
        }
    }
    if !program.faults.is_empty() {
        return errors(program.faults, &quote!([0u32; 0]));
    }
    let words = words.into_iter().map(Literal::u32_suffixed);
    quote!([#(#words),*])
}

/// The branch with its distance.
fn distance<M: Copy>(
    statement: &Statement,
    branch: &Branch,
    dwords: i64,
    mode: M,
    language: &Language<M>,
) -> Result<Words, Fault> {
    let name = branch.at..statement.text.len();
    let reach = isa::reach(dwords).map_err(|far| statement.fault(name.clone(), format!("{far}; {}", language.far)))?;
    let text = format!("{}{reach}", statement.text.get(..branch.at).unwrap_or_default());
    match (language.parse)(&text, mode) {
        Ok(line) => Ok(line.words),
        Err(refused) => Err(statement.fault(name, refused.to_string())),
    }
}

/// All faults, in an expression that has the value `nothing`.
pub fn errors(faults: Vec<Fault>, nothing: &TokenStream) -> TokenStream {
    let faults = faults.into_iter().map(Fault::into_error);
    quote!({ #(#faults;)* #nothing })
}

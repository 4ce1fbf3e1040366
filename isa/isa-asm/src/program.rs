//! Assembling a block: labels get positions, branches get distances, and `asm!` expands to the dwords.

use std::collections::HashMap;

use isa_runtime::InstrDwords;
use proc_macro2::{Literal, TokenStream};
use quote::quote;

use crate::language::Language;
use crate::statement::{Error, Item, Statement, items};

/// A block of assembly, split into statements.
pub struct Program<M> {
    pub mode: M,
    /// The index of `mode` in [`Language::modes`].
    pub mode_index: usize,
    pub statements: Vec<Statement>,
    /// Maps a label to the index of the statement after it.
    pub labels: HashMap<String, usize>,
    /// The errors found so far.
    pub errors: Vec<Error>,
}

/// An assembled statement.
pub enum Assembled {
    /// An instruction without a label.
    Words(InstrDwords),
    /// The dwords of a `.long` directive.
    Data(Vec<u32>),
    /// A branch to a label, whose distance is not known yet.
    Branch(Branch),
    /// A statement with an error, which is reported.
    Invalid,
}

/// A branch to a label.
pub struct Branch {
    /// The encoding of the branch with distance 0.
    pub words: InstrDwords,
    /// The byte offset of the label's name in the statement's text.
    pub label_start: usize,
    /// The index of the statement after the label.
    pub target: usize,
}

impl Assembled {
    /// Returns the number of dwords that the statement occupies.
    pub fn dwords(&self) -> usize {
        match self {
            Assembled::Words(words) | Assembled::Branch(Branch { words, .. }) => words.len(),
            Assembled::Data(data) => data.len(),
            Assembled::Invalid => 0,
        }
    }
}

impl<M: Copy> Program<M> {
    /// Splits a block into statements, and interprets its labels and its mode directive.
    pub fn new(input: TokenStream, language: &Language<M>) -> Self {
        let mut program = Program {
            mode: language.mode,
            mode_index: 0,
            statements: Vec::new(),
            labels: HashMap::new(),
            errors: Vec::new(),
        };
        for item in items(input) {
            match item {
                Item::Label(name, span) if program.labels.contains_key(&name) => {
                    let message = format!("the label `{name}` is defined twice\nhelp: rename one of the two");
                    program.errors.push(Error::new(span, message));
                }
                Item::Label(name, _) => {
                    program.labels.insert(name, program.statements.len());
                }
                Item::Statement(s) => match language.modes.iter().enumerate().find(|(_, (name, _))| s.text == *name) {
                    Some((index, (_, mode))) if program.statements.is_empty() => {
                        (program.mode, program.mode_index) = (*mode, index);
                    }
                    Some((_, (name, _))) => {
                        let message = format!(
                            "the directive `{name}` is not allowed after an instruction\nhelp: move it to the start of the block"
                        );
                        program.errors.push(s.error(0..s.text.len(), message));
                    }
                    None => program.statements.push(s),
                },
            }
        }
        program
    }

    /// Assembles a statement and records its error, if it has one. Branches to labels get distance 0.
    fn assemble_or_record(&mut self, index: usize, language: &Language<M>) -> Assembled {
        let Some(statement) = self.statements.get(index) else { return Assembled::Invalid };
        match self.assemble(statement, language) {
            Ok(assembled) => assembled,
            Err(error) => {
                self.errors.push(error);
                Assembled::Invalid
            }
        }
    }

    /// Assembles a statement without run-time values. Branches to labels get distance 0.
    pub fn assemble(&self, statement: &Statement, language: &Language<M>) -> Result<Assembled, Error> {
        let text = statement.text.as_str();
        if text.starts_with('"') {
            // The compiler has no spans inside a literal, so that an error could not point at the operand.
            let line = text.trim_matches('"').trim();
            let line = if line.is_empty() || line.contains(['\\', '"', '\n']) { "s_nop 0" } else { line };
            let message = "expected an instruction, not a string literal\nhelp: write the lines without quotes";
            return Err(statement.error(0..text.len(), format!("{message}: `{{ {line} }}`")));
        }
        if let Some(values) = text.strip_prefix(".long").filter(|rest| !rest.starts_with(char::is_alphanumeric)) {
            return data(statement, values, text.len() - values.len());
        }
        if text.starts_with('.') {
            let known: Vec<String> = language.modes.iter().map(|(name, _)| format!("`{name}`")).collect();
            let name = text.split(' ').next().unwrap_or_default();
            let message = format!(
                "unknown directive `{name}`\nhelp: the directives are `.long` and, before the first instruction, {}",
                known.join(", ")
            );
            return Err(statement.error(0..text.len(), message));
        }
        let parse_error = match (language.parse)(text, self.mode) {
            Ok(line) => return Ok(Assembled::Words(line.words)),
            Err(error) => error,
        };
        match self.branch(statement, language) {
            Some(branch) => branch.map(Assembled::Branch),
            None => {
                let mut message = parse_error.to_string();
                if text.get(parse_error.start..parse_error.end).is_some_and(|name| self.labels.contains_key(name)) {
                    message.push_str("\nhelp: only the last operand of a branch can be a label");
                } else if statement.spans_lines() {
                    message.push_str(
                        "\nhelp: in a block with `;`, only `;` ends an instruction: write `;` after each one, and comments as `//`",
                    );
                }
                Err(statement.error(parse_error.start..parse_error.end, message))
            }
        }
    }

    /// Assembles a branch whose last operand is a label. Returns `None` if the statement is not such a branch.
    fn branch(&self, statement: &Statement, language: &Language<M>) -> Option<Result<Branch, Error>> {
        let (label_start, name) = statement.last_name()?;
        let text = format!("{}0", statement.text.get(..label_start)?);
        let line = (language.parse)(&text, self.mode).ok().filter(|line| line.is_branch)?;
        Some(match self.labels.get(name) {
            Some(target) => Ok(Branch { words: line.words, label_start, target: *target }),
            None => {
                let nearest = isa_runtime::nearest(self.labels.keys().map(String::as_str), name);
                let help = nearest.map_or_else(
                    || format!("write `{name}:` before the target instruction"),
                    |nearest| format!("did you mean `{nearest}`?"),
                );
                let message = format!("the label `{name}` is not defined\nhelp: {help}");
                Err(statement.error(label_start..statement.text.len(), message))
            }
        })
    }
}

/// Assembles the values of a `.long` directive. `start` is the byte offset of `values` in the statement's text.
fn data(statement: &Statement, values: &str, start: usize) -> Result<Assembled, Error> {
    let mut dwords = Vec::new();
    let mut offset = start;
    for value in values.split(',') {
        let number = isa_runtime::Scanner::new(value).signed().filter(|n| (-(1 << 31)..1 << 32).contains(n));
        let number = number.ok_or_else(|| {
            let message = "expected a number of 32 bits\nhelp: write `.long 0xbf9f0000, -1`";
            statement.error(offset..offset + value.len(), message)
        })?;
        dwords.push(number as u32);
        offset += value.len() + 1;
    }
    Ok(Assembled::Data(dwords))
}

/// Expands `asm! { … }`.
pub fn expand<M: Copy>(input: TokenStream, language: &Language<M>) -> TokenStream {
    let mut program = Program::new(input, language);
    let message =
        "`asm!` takes no run-time value: its result is a constant\nhelp: write `instrs!`, or a constant operand";
    let errors = program.statements.iter().flat_map(|statement| match statement.braces_for_instruction() {
        Some(error) => vec![error],
        None => statement.placeholders.iter().map(|placeholder| Error::new(placeholder.span, message)).collect(),
    });
    let errors: Vec<Error> = errors.collect();
    if errors.is_empty() {
        return expand_words(program, language);
    }
    program.errors.extend(errors);
    compile_errors(program.errors, &quote!([0u32; 0]))
}

/// Assembles all statements, sets the distances of branches and returns the array of dwords.
fn expand_words<M: Copy>(mut program: Program<M>, language: &Language<M>) -> TokenStream {
    let count = program.statements.len();
    let assembled: Vec<Assembled> = (0..count).map(|index| program.assemble_or_record(index, language)).collect();
    // The position of each statement in dwords, and after them the length of the program.
    let mut positions = vec![0];
    for statement in &assembled {
        positions.push(positions.last().unwrap_or(&0) + statement.dwords());
    }
    let mut words = Vec::new();
    for (index, statement) in assembled.into_iter().enumerate() {
        match statement {
            Assembled::Words(w) => words.extend_from_slice(&w),
            Assembled::Data(data) => words.extend(data),
            Assembled::Invalid => {}
            Assembled::Branch(branch) => {
                let position = |index: usize| positions.get(index).map_or(0, |p| *p as i64);
                let distance = position(branch.target) - position(index + 1);
                match encode_branch(&program.statements[index], &branch, distance, program.mode, language) {
                    Ok(w) => words.extend_from_slice(&w),
                    Err(error) => program.errors.push(error),
                }
            }
        }
    }
    if !program.errors.is_empty() {
        return compile_errors(program.errors, &quote!([0u32; 0]));
    }
    let words = words.into_iter().map(Literal::u32_suffixed);
    quote!([#(#words),*])
}

/// Encodes a branch with its distance in dwords from the instruction after it.
fn encode_branch<M: Copy>(
    statement: &Statement,
    branch: &Branch,
    distance: i64,
    mode: M,
    language: &Language<M>,
) -> Result<InstrDwords, Error> {
    let label = branch.label_start..statement.text.len();
    let distance =
        (language.distance)(distance, branch.words.len()).map_err(|far| statement.error(label.clone(), far))?;
    let text = format!("{}{distance}", statement.text.get(..branch.label_start).unwrap_or_default());
    match (language.parse)(&text, mode) {
        Ok(line) => Ok(line.words),
        Err(error) => Err(statement.error(label, error.to_string())),
    }
}

/// Returns an expression that reports all errors and evaluates to `fallback`.
pub fn compile_errors(errors: Vec<Error>, fallback: &TokenStream) -> TokenStream {
    let errors = errors.into_iter().map(Error::into_compile_error);
    quote!({ #(#errors;)* #fallback })
}

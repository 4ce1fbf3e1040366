//! Lines that stand for others, as those of macros, repetitions and files that are included do, and lines that conditions pass
//! over.

use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use isa::Fault;

use crate::asm::ahead;
use crate::asm::conditions::Word;
use crate::asm::cursor::Cursor;
use crate::asm::expansions::{DEEPEST, Origin};
use crate::asm::macros::{Body, Heading, TooLong, repeated, too_long};
use crate::asm::program::Program;
use crate::asm::report::{Diagnostic, Severity};
use crate::asm::source::{Line, Lines};
use crate::input::printable;

/// How much may be said of a program before what its lines stand for is read no more: macros that use themselves can be wrong
/// millions of times.
const MOST_FAULTS: usize = 1000;

type Done = Result<(), Diagnostic>;

/// Where files are looked for that a program includes: by their names as they stand, then in these directories.
#[derive(Debug)]
pub struct Includes(pub Vec<PathBuf>);

/// A body whose end has not come.
#[derive(Debug)]
pub struct OpenBody {
    heading: Heading,
    /// The heading.
    span: Range<usize>,
    /// How many bodies of its kind are open inside of it.
    inside: u32,
    body: Body,
}

impl Includes {
    /// The file of this name: what it is called, and its bytes, of which there may be so many.
    fn read(&self, name: &str, most: usize) -> Result<(String, Vec<u8>), String> {
        let places = std::iter::once(PathBuf::from(name)).chain(self.0.iter().map(|directory| directory.join(name)));
        let mut why = None;
        for path in places {
            match File::open(&path) {
                Ok(file) => {
                    let mut bytes = Vec::new();
                    let read = file.take(most as u64 + 1).read_to_end(&mut bytes);
                    return read
                        .map(|_| (printable(path.as_os_str().as_encoded_bytes()), bytes))
                        .map_err(|e| e.to_string());
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => drop(why.get_or_insert(error)),
            }
        }
        Err(why.map_or_else(|| "there is no such file; `-I` names directories to look in".into(), |e| e.to_string()))
    }
}

impl Program<'_> {
    /// Whether the lines that come are not read as what they say, but kept or passed over.
    pub(super) fn is_passing(&self) -> bool {
        self.open_body.is_some() || self.conditions.skip()
    }

    /// A line of a body that is open, or one that a condition passes over.
    pub(super) fn pass(&mut self, line: &Line<'_>) -> Done {
        let mut input = Cursor::new(&line.clean, line.start);
        let start = input.place();
        let word = input.word();
        let Some(open) = &mut self.open_body else {
            return match Word::of(word) {
                Some(kind) => self.condition(kind, word, start..input.end(), &mut input),
                None => Ok(()),
            };
        };
        match open.heading.nests(word) {
            Some(true) => open.inside += 1,
            Some(false) if open.inside > 0 => open.inside -= 1,
            Some(false) => {
                let Some(OpenBody { heading, span, body, .. }) = self.open_body.take() else { return Ok(()) };
                input.finish()?;
                return self.end_body(heading, span, body);
            }
            None => {}
        }
        open.body.push(&line.clean, line.start);
        Ok(())
    }

    fn end_body(&mut self, heading: Heading, span: Range<usize>, body: Body) -> Done {
        let Heading::Macro(new) = heading else {
            let text = repeated(&heading, &body, self.macros.used(), self.expansions.room());
            let text = text.map_err(|TooLong| too_long(span.clone()))?;
            return self.unfold(text, Origin::Repeat(Arc::new(body)), span);
        };
        // Lines that are read ahead are instructions, whatever macros there are.
        let parsed = self.reader.parse(&new.name);
        self.shadows |= parsed.err().is_none_or(|error| !matches!(error.fault, Fault::Mnemonic(_)));
        self.macros.define(new, body)
    }

    /// Goes on behind `.if` and its kin.
    pub(super) fn condition(&mut self, kind: Word, word: &str, span: Range<usize>, input: &mut Cursor<'_>) -> Done {
        let mut conditions = std::mem::take(&mut self.conditions);
        let done = conditions.go_on(kind, word, span, input, |input| self.holds(word, input));
        self.conditions = conditions;
        done
    }

    /// Whether what stands behind this directive holds.
    fn holds(&mut self, word: &str, input: &mut Cursor<'_>) -> Result<bool, Diagnostic> {
        let rest = |input: &mut Cursor<'_>| {
            let rest = input.rest();
            input.take(rest.len()).trim_end().to_string()
        };
        let holds = match word {
            ".ifb" | ".ifnb" => rest(input).is_empty() == (word == ".ifb"),
            ".ifc" | ".ifnc" => {
                let first = input.field().to_string();
                if !input.eat(",") {
                    return Err(input.expected("`,` and another text"));
                }
                (first == rest(input)) == (word == ".ifc")
            }
            ".ifeqs" | ".ifnes" => {
                let first = input.string()?;
                if !input.eat(",") {
                    return Err(input.expected("`,` and another string"));
                }
                (first == input.string()?) == (word == ".ifeqs")
            }
            ".ifdef" | ".ifndef" | ".ifnotdef" => {
                let (name, _) = input.name()?;
                self.symbols.get(&name).is_some() == (word == ".ifdef")
            }
            _ => {
                let number = self.number(input)?;
                match word {
                    ".ifeq" => number == 0,
                    ".iflt" => number < 0,
                    ".ifle" => number <= 0,
                    ".ifgt" => number > 0,
                    ".ifge" => number >= 0,
                    _ => number != 0,
                }
            }
        };
        input.finish()?;
        Ok(holds)
    }

    /// A use of a macro, if this is the name of one; `span` is the whole statement.
    pub(super) fn use_macro(&mut self, name: &str, span: Range<usize>, input: &mut Cursor<'_>) -> Option<Done> {
        let text = self.macros.text(name, input, self.expansions.room())?;
        Some(text.and_then(|(text, body)| self.unfold(text, Origin::Macro(body), span)))
    }

    /// Directives about lines that stand for others and about what is said to whoever assembles; `None` for all others.
    pub(super) fn unfolding(&mut self, word: &str, span: Range<usize>, input: &mut Cursor<'_>) -> Option<Done> {
        match Heading::parse(word, input, |input| self.number(input)) {
            Ok(None) => {}
            Ok(Some(heading)) => {
                let span = span.start..input.end();
                self.open_body = Some(OpenBody { heading, span, inside: 0, body: Body::default() });
                return Some(Ok(()));
            }
            Err(fault) => {
                // Its lines mean nothing without it.
                let heading = Heading::Refused(if word == ".macro" { ".macro" } else { ".rept" });
                self.open_body = Some(OpenBody { heading, span, inside: 0, body: Body::default() });
                return Some(Err(fault));
            }
        }
        Some(match word {
            ".endm" | ".endmacro" => Err(Diagnostic::new(span, "no `.macro` stands before this")),
            ".endr" => Err(Diagnostic::new(span, "no `.rept`, `.irp` or `.irpc` stands before this")),
            ".exitm" if self.depth == 0 => Err(Diagnostic::new(span, "this is no part of a macro")),
            ".exitm" => {
                self.exits = true;
                input.finish()
            }
            ".purgem" => self.forget(input),
            ".include" => self.include(span, input),
            ".incbin" => self.put_file(span, input),
            ".err" => Err(Diagnostic::new(span, "`.err` stands here")),
            ".error" | ".warning" | ".print" => self.say(word, span, input),
            _ => return None,
        })
    }

    fn forget(&mut self, input: &mut Cursor<'_>) -> Done {
        let (name, span) = input.name()?;
        if !self.macros.forget(&name) {
            let near = self.macros.nearest(&name).map(|near| format!("there is `{near}`"));
            return Err(Diagnostic::new(span, format!("there is no macro `{name}`")).help(near));
        }
        input.finish()
    }

    fn say(&mut self, word: &str, span: Range<usize>, input: &mut Cursor<'_>) -> Done {
        let severity = match word {
            ".error" => Severity::Error,
            ".warning" => Severity::Warning,
            _ => Severity::Note,
        };
        let said = if input.done() { format!("`{word}` stands here") } else { printable(&input.string()?) };
        input.finish()?;
        self.faults.push(Diagnostic { severity, ..Diagnostic::new(span, said) });
        Ok(())
    }

    /// The file that a directive names: what it is called, its bytes, and where its name stands.
    fn file(&mut self, most: usize, input: &mut Cursor<'_>) -> Result<(String, Vec<u8>, Range<usize>), Diagnostic> {
        let start = input.place();
        let name = input.string()?;
        let span = start..input.end();
        let name = String::from_utf8(name).map_err(|_| Diagnostic::new(span.clone(), "the name is not UTF-8"))?;
        let includes = self.includes.as_ref().ok_or("no other files are read here".to_string());
        match includes.and_then(|includes| includes.read(&name, most)) {
            Ok((path, bytes)) => Ok((path, bytes, span)),
            Err(why) => Err(Diagnostic::new(span, format!("`{}` cannot be read: {why}", printable(name.as_bytes())))),
        }
    }

    fn include(&mut self, span: Range<usize>, input: &mut Cursor<'_>) -> Done {
        let room = self.expansions.room();
        let (path, bytes, at) = self.file(room, input)?;
        input.finish()?;
        if bytes.len() > room {
            return Err(too_long(at));
        }
        let text = String::from_utf8(bytes).map_err(|_| Diagnostic::new(at, format!("`{path}` is not UTF-8")))?;
        self.unfold(text, Origin::File(path), span.start..input.end())
    }

    /// `"file" [, skip [, count]]`: the bytes of a file.
    fn put_file(&mut self, span: Range<usize>, input: &mut Cursor<'_>) -> Done {
        let room = self.section().limit.saturating_sub(self.section().len());
        let (_, bytes, _) = self.file(usize::try_from(room).unwrap_or(usize::MAX - 1), input)?;
        let mut bytes = &bytes[..];
        let start = input.place();
        if input.eat(",") {
            let skip = if input.rest().starts_with(',') { 0 } else { self.number(input)? };
            let skip = usize::try_from(skip).ok().and_then(|skip| bytes.get(skip..));
            bytes = skip.ok_or_else(|| Diagnostic::new(start..input.end(), "the file has fewer bytes"))?;
            if input.eat(",") {
                let count = usize::try_from(self.number(input)?).unwrap_or(0);
                bytes = bytes.get(..count).unwrap_or(bytes);
            }
        }
        input.finish()?;
        self.put(bytes, span)
    }

    /// Reads what other lines stand for.
    fn unfold(&mut self, text: String, origin: Origin, called: Range<usize>) -> Done {
        if self.depth == DEEPEST {
            let why = format!("macros, repetitions and included files stand in each other more than {DEEPEST} deep");
            return Err(Diagnostic::new(called, why));
        }
        if text.is_empty() || self.gave_up {
            return Ok(());
        }
        if self.faults.len() >= MOST_FAULTS {
            self.gave_up = true;
            return Err(Diagnostic::new(
                called,
                "after so many errors, no more macros, repetitions and files are read",
            ));
        }
        let text: Arc<str> = text.into();
        let start = self.expansions.push(text.clone(), origin, called);
        let open = self.conditions.open();
        let comment = self.open_comment.take();
        self.depth += 1;
        let lines = || Lines::new(&text, start, 0);
        let mut bytes = Vec::new();
        let runs = ahead::runs(lines(), self.reader, self.keeps_rows, &mut bytes);
        self.part(lines(), runs, &bytes);
        self.depth -= 1;
        self.end_of_text();
        self.open_comment = comment;
        if std::mem::take(&mut self.exits) {
            self.conditions.close_to(open);
        } else if self.conditions.skip() && self.conditions.open() > open {
            let begin = self.conditions.close_to(open);
            self.faults.extend(begin.map(|begin| Diagnostic::new(begin, "no `.endif` follows in this text")));
        }
        Ok(())
    }

    /// Closes what is open where a text ends.
    pub(super) fn end_of_text(&mut self) {
        if let Some(start) = self.open_comment.take() {
            self.faults.push(Diagnostic::new(start..start + 2, "the comment has no end"));
        }
        if let Some(open) = self.open_body.take() {
            self.faults.push(Diagnostic::new(open.span, format!("no `{}` follows", open.heading.end())));
        }
    }
}

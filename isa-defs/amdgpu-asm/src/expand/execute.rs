//! Directives and macros that replace lines by others or skip them: uses of macros, repetitions, included files, conditions.

use std::ops::Range;
use std::sync::Arc;

use isa::ErrorKind;

use crate::diagnostic::{Diagnostic, Done, Severity};
use crate::expand::arguments::Evaluate;
use crate::expand::body::{Body, BodyText};
use crate::expand::conditions::Word;
use crate::expand::macros::{ExpansionTooLong, Heading, Macros, repeated, too_long};
use crate::expand::state::{CurrentLine, OpenBody};
use crate::expression::evaluate::{Evaluator, Phase};
use crate::include::IncludeError;
use crate::instruction::pre_parser;
use crate::lex::cursor::Cursor;
use crate::lex::lines::{Line, Lines, without_comments};
use crate::lex::parts::decode;
use crate::lex::tokens::{Kind, Tokens};
use crate::program::Program;
use crate::source_map::{ExpansionSource, MAX_DEPTH, MAX_MACRO_DEPTH};
use amdgpu_object::printable;

/// The number of diagnostics after which expansion stops: a recursive macro repeats an error until a limit ends it.
const MAX_ERRORS: usize = 1000;

/// The current line and the program, which the arguments of macros depend on.
struct ArgumentContext<'p, 'a> {
    line: &'p CurrentLine,
    program: &'p mut Program<'a>,
}

impl Evaluate for ArgumentContext<'_, '_> {
    fn is_alternate(&self) -> bool {
        self.program.expansion.alternate_macros
    }

    fn evaluate(&mut self, at: usize) -> Result<(i64, usize), Diagnostic> {
        let clean = without_comments(&self.line.text);
        let mut input = Cursor::new(clean.get(at..).unwrap_or_default(), self.line.start + at);
        let value = self.program.number(&mut input)?;
        Ok((value, input.end() - self.line.start))
    }

    fn span(&self, part: Range<usize>) -> Range<usize> {
        self.line.start + part.start..self.line.start + part.end
    }
}

impl Program<'_> {
    /// Returns whether the next lines belong to an open body or are skipped by a condition.
    pub(crate) fn is_passing(&self) -> bool {
        self.expansion.open_body.is_some() || self.expansion.conditions.skip()
    }

    /// Adds a line to the open body, or looks for the directive that ends the skipped lines.
    pub(crate) fn pass(&mut self, line: &Line<'_>) -> Done {
        let mut input = Cursor::new(&line.clean, line.start);
        let start = input.place();
        let word = input.word();
        let Some(open) = &mut self.expansion.open_body else {
            self.expansion.begin_line(line);
            return match Word::of(word) {
                Some((kind, word)) => self.condition(kind, word, start..start + word.len(), &mut input),
                None => Ok(()),
            };
        };
        // As in LLVM, a directive after a block comment neither begins nor ends a nested body.
        let first = line.raw.trim_start().starts_with(word);
        match open.heading.nests(word).filter(|_| first) {
            Some(true) => open.inside += 1,
            Some(false) if open.inside > 0 => open.inside -= 1,
            Some(false) => {
                let Some(OpenBody { heading, span, body, .. }) = self.expansion.open_body.take() else { return Ok(()) };
                // LLVM accepts a line comment after the directive, but no block comment.
                let after = line.raw.get(input.end() - line.start..).unwrap_or_default().trim_start();
                if !(after.is_empty() || after.starts_with(';') || after.starts_with("//")) {
                    let end = input.end();
                    return Err(Diagnostic::new(end..end + 1, format!("expected the end of the line after `{word}`")));
                }
                return self.end_body(heading, span, body);
            }
            None => {}
        }
        open.body.push(&line.raw, line.start);
        Ok(())
    }

    fn end_body(&mut self, heading: Heading, span: Range<usize>, body: Body) -> Done {
        let Heading::Macro(new) = heading else {
            let body = Arc::new(body);
            let room = self.expansions.room();
            return match repeated(&heading, &body, self.expansion.alternate_macros, self.expansion.macros.used(), room)
            {
                Ok(text) => self.expand(text, ExpansionSource::Repeat(body), span),
                Err(ExpansionTooLong) => self.give_up(self.expansion_too_long(span)),
            };
        };
        // The pre-parser would assemble a use of a macro that has the name of an instruction as the instruction.
        let parsed = self.reader.parse(&new.name);
        self.expansion.shadows |= parsed.err().is_none_or(|error| !matches!(error.kind, ErrorKind::Mnemonic(_)));
        self.expansion.macros.define(new, body)
    }

    /// Calls `read` with the tokens of the current line from the position of `input` on.
    fn with_tokens<R>(
        &mut self,
        input: &Cursor<'_>,
        read: impl FnOnce(&mut Macros, &mut Tokens<'_>, &mut ArgumentContext<'_, '_>) -> R,
    ) -> R {
        let line = std::mem::take(&mut self.expansion.current_line);
        let mut macros = std::mem::take(&mut self.expansion.macros);
        let mut tokens = Tokens::new(&line.text, input.end().saturating_sub(line.start));
        let read = read(&mut macros, &mut tokens, &mut ArgumentContext { line: &line, program: self });
        self.expansion.macros = macros;
        self.expansion.current_line = line;
        read
    }

    /// Handles `.if` and related directives.
    pub(crate) fn condition(&mut self, kind: Word, word: &str, span: Range<usize>, input: &mut Cursor<'_>) -> Done {
        let mut conditions = std::mem::take(&mut self.expansion.conditions);
        let done = conditions.go_on(kind, word, span, input, |input| self.holds(word, input));
        self.expansion.conditions = conditions;
        done
    }

    /// Evaluates the condition after the directive `word`.
    fn holds(&mut self, word: &str, input: &mut Cursor<'_>) -> Result<bool, Diagnostic> {
        let is_text = matches!(word, ".ifb" | ".ifnb" | ".ifc" | ".ifnc" | ".ifeqs" | ".ifnes");
        if is_text {
            return self.with_tokens(input, |_, tokens, context| text_condition(word, tokens, context));
        }
        if matches!(word, ".ifdef" | ".ifndef" | ".ifnotdef") {
            let (name, _) = input.name()?;
            input.finish()?;
            let mut evaluator = Evaluator::new(&self.symbols, Phase::Parse);
            let is_undefined = self.symbols.id(&name).is_none_or(|id| evaluator.is_undefined(id));
            return Ok(is_undefined != (word == ".ifdef"));
        }
        let number = self.number(input)?;
        input.finish()?;
        Ok(match word {
            ".ifeq" => number == 0,
            ".iflt" => number < 0,
            ".ifle" => number <= 0,
            ".ifgt" => number > 0,
            ".ifge" => number >= 0,
            _ => number != 0,
        })
    }

    /// Expands a use of the macro `name`; `None` if the macro is not defined. `span` is the whole statement.
    pub(crate) fn use_macro(&mut self, name: &str, span: Range<usize>, input: &mut Cursor<'_>) -> Option<Done> {
        if !self.expansion.takes_macros || !self.expansion.macros.contains(name) {
            return None;
        }
        if self.expansion.depth >= MAX_MACRO_DEPTH {
            let why = format!("macros are nested more than {MAX_MACRO_DEPTH} deep");
            return Some(self.give_up(Diagnostic::new(span, why)));
        }
        let room = self.expansions.room();
        let text = self.with_tokens(input, |macros, tokens, context| macros.expand(name, tokens, context, room))?;
        Some(match text {
            Ok((Ok(text), body)) => self.expand(text, ExpansionSource::Macro(body), span),
            Ok((Err(ExpansionTooLong), _)) => self.give_up(self.expansion_too_long(span)),
            Err(error) => Err(error),
        })
    }

    /// Executes a directive for macros, repetitions, included files or messages; `None` for other directives.
    pub(crate) fn expansion_directive(
        &mut self,
        word: &str,
        span: Range<usize>,
        input: &mut Cursor<'_>,
    ) -> Option<Done> {
        let heading = match word {
            ".rept" | ".rep" => Some(self.repetition(input)),
            ".macro" | ".irp" | ".irpc" => {
                self.with_tokens(input, |_, tokens, context| Heading::parse(word, tokens, context)).transpose()
            }
            _ => None,
        };
        if let Some(heading) = heading {
            // After a wrong heading the lines of the body are skipped.
            let refused = Heading::Refused(if word == ".macro" { ".macro" } else { ".rept" });
            let (heading, done) = heading.map_or_else(|error| (refused, Err(error)), |heading| (heading, Ok(())));
            self.expansion.open_body = Some(OpenBody { heading, span, inside: 0, body: Body::default() });
            return Some(done);
        }
        Some(match word {
            ".endm" | ".endmacro" => Err(Diagnostic::new(span, format!("`{word}` without a `.macro` before it"))),
            ".endr" => Err(Diagnostic::new(span, "`.endr` without a `.rept`, `.irp` or `.irpc` before it")),
            ".exitm" if !self.expansion.in_macro => {
                Err(Diagnostic::new(span, "`.exitm` outside of macros and repetitions"))
            }
            ".exitm" => {
                self.expansion.exits = true;
                input.finish()
            }
            ".purgem" => self.purge(input),
            ".altmacro" | ".noaltmacro" => {
                self.expansion.alternate_macros = word == ".altmacro";
                input.finish()
            }
            ".include" => self.include(span, input),
            ".incbin" => self.put_file(span, input),
            ".end" => input.finish().map(|()| self.report.end()),
            ".err" => Err(Diagnostic::new(span, "the program contains `.err` here")),
            ".error" | ".warning" | ".print" => self.say(word, span, input),
            _ => return None,
        })
    }

    /// Parses the operand of `.rept`.
    fn repetition(&mut self, input: &mut Cursor<'_>) -> Result<Heading, Diagnostic> {
        let start = input.place();
        let times = self.number(input)?;
        let span = start..input.end();
        input.finish()?;
        let times = u64::try_from(times);
        times.map(Heading::Repeat).map_err(|_| Diagnostic::new(span, "the number of repetitions is negative"))
    }

    fn purge(&mut self, input: &mut Cursor<'_>) -> Done {
        let (name, span) = input.name()?;
        if !self.expansion.macros.remove(&name) {
            let near = self.expansion.macros.nearest(&name).map(|near| format!("there is `{near}`"));
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
        let said =
            if input.done() { format!("the program contains `{word}` here") } else { printable(&input.string()?) };
        input.finish()?;
        self.report.push(Diagnostic { severity, ..Diagnostic::new(span, said) });
        Ok(())
    }

    /// Reads the file that a directive names. Returns its path, its bytes, and the position of the name.
    fn file(&mut self, most: usize, input: &mut Cursor<'_>) -> Result<(String, Vec<u8>, Range<usize>), Diagnostic> {
        let start = input.place();
        let name = input.string()?;
        let span = start..input.end();
        let name = String::from_utf8(name).map_err(|_| Diagnostic::new(span.clone(), "the name is not UTF-8"))?;
        let denied = || IncludeError::Other("no other files are read here".into());
        match self.expansion.includes.ok_or_else(denied).and_then(|includes| includes.read(&name, most)) {
            Ok(file) => Ok((file.path, file.bytes, span)),
            Err(why) => Err(Diagnostic::new(span, format!("`{}` cannot be read: {why}", printable(name.as_bytes())))),
        }
    }

    fn include(&mut self, span: Range<usize>, input: &mut Cursor<'_>) -> Done {
        let room = self.expansions.room();
        let (path, bytes, at) = self.file(room, input)?;
        input.finish()?;
        if bytes.len() > room {
            return self.give_up(self.expansion_too_long(at));
        }
        self.expand(BodyText::Own(decode(bytes).into()), ExpansionSource::File(path), span.start..input.end())
    }

    /// Executes `.incbin "file" [, skip [, count]]`.
    fn put_file(&mut self, span: Range<usize>, input: &mut Cursor<'_>) -> Done {
        let room = self.sections.room();
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

    /// Returns the error for expansions that are too long in total.
    fn expansion_too_long(&self, span: Range<usize>) -> Diagnostic {
        too_long(span, self.limits.expanded_bytes)
    }

    /// Ends the assembly with an error, because later lines depend on text that is not expanded.
    fn give_up(&mut self, error: Diagnostic) -> Done {
        self.report.give_up();
        Err(error)
    }

    /// Assembles the text that replaces the statement at `used`.
    fn expand(&mut self, text: BodyText, origin: ExpansionSource, used: Range<usize>) -> Done {
        if self.expansion.depth == MAX_DEPTH {
            let why = format!("macros, repetitions and included files are nested more than {MAX_DEPTH} deep");
            return self.give_up(Diagnostic::new(used, why));
        }
        if self.report.has_ended() {
            return Ok(());
        }
        if self.expansions.room() == 0 {
            return self.give_up(self.expansion_too_long(used));
        }
        if text.is_empty() {
            self.expansions.count_empty();
            return Ok(());
        }
        if self.report.len() >= MAX_ERRORS {
            return self.give_up(Diagnostic::new(used, "too many errors to expand more macros, repetitions and files"));
        }
        let in_macro = std::mem::replace(&mut self.expansion.in_macro, !matches!(origin, ExpansionSource::File(_)));
        let start = self.expansions.push(text.clone(), origin, used);
        let open = self.expansion.conditions.open();
        let unfinished = self.expansion.unfinished.take();
        self.expansion.depth += 1;
        let lines = || Lines::new(&text, start, 0);
        let mut bytes = Vec::new();
        let runs = pre_parser::runs(lines(), self.reader, self.keeps_rows, &mut bytes, &mut self.expansion.memo);
        self.part(lines(), runs, &bytes);
        self.expansion.depth -= 1;
        if self.report.has_given_up() {
            return Ok(());
        }
        self.end_of_text();
        self.expansion.unfinished = unfinished;
        self.expansion.in_macro = in_macro;
        if std::mem::take(&mut self.expansion.exits) {
            self.expansion.conditions.close_to(open);
        } else if self.expansion.conditions.skip() && self.expansion.conditions.open() > open {
            let begin = self.expansion.conditions.close_to(open);
            self.report.extend(begin.map(|begin| Diagnostic::new(begin, "no `.endif` follows in this text")));
        }
        Ok(())
    }

    /// Reports comments, strings, bodies and blocks that are open at the end of a text.
    pub(crate) fn end_of_text(&mut self) {
        if let Some(unfinished) = self.expansion.unfinished.take() {
            let (span, what) = unfinished.open();
            self.report.push(Diagnostic::new(span, format!("the {what} has no end")));
        }
        if let Some(open) = self.expansion.open_body.take() {
            self.report.push(Diagnostic::new(open.span, format!("no `{}` follows", open.heading.end())));
        }
        self.end_of_block();
    }
}

/// Evaluates a condition that compares texts character by character.
fn text_condition(word: &str, tokens: &mut Tokens<'_>, with: &impl Evaluate) -> Result<bool, Diagnostic> {
    let expected = |what: &str, tokens: &Tokens<'_>| {
        let at = tokens.token.at;
        Diagnostic::new(with.span(at..tokens.end().max(at + 1)), format!("expected {what}"))
    };
    if matches!(word, ".ifb" | ".ifnb") {
        return Ok((tokens.token.kind == Kind::End) == (word == ".ifb"));
    }
    if matches!(word, ".ifc" | ".ifnc") {
        let first = tokens.field().trim();
        if !tokens.eat(Kind::Comma) {
            return Err(expected("`,` and another text", tokens));
        }
        return Ok((first == tokens.rest().trim()) == (word == ".ifc"));
    }
    let first = tokens.token;
    if !tokens.eat(Kind::Text) {
        return Err(expected("a string in quotes", tokens));
    }
    if !tokens.eat(Kind::Comma) {
        return Err(expected("`,` and another string", tokens));
    }
    let second = tokens.token;
    if !tokens.eat(Kind::Text) {
        return Err(expected("another string in quotes", tokens));
    }
    if tokens.token.kind != Kind::End {
        return Err(expected("the end of the line", tokens));
    }
    Ok((first.text == second.text) == (word == ".ifeqs"))
}

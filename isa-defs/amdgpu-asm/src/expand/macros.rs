//! Macros and repetitions: their headings, and the text that they expand to.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use crate::diagnostic::Diagnostic;
use crate::expand::arguments::{Argument, Evaluate, Parameter, arguments, plain};
use crate::expand::body::{Body, BodyText};
use crate::lex::tokens::{Kind, Tokens};
use crate::options::mebibytes;

/// The directive that begins a body, and its operands.
#[derive(Debug)]
pub enum Heading {
    /// The definition of a macro.
    Macro(Macro),
    /// `.rept`: this number of copies.
    Repeat(u64),
    /// `.irp` and `.irpc`: a copy for each value of a parameter.
    Each(String, Vec<String>),
    /// A wrong heading, which begins with this directive. Its body is skipped.
    Refused(&'static str),
}

/// A macro.
#[derive(Debug)]
pub struct Macro {
    /// Its name.
    pub name: String,
    /// The position of the name.
    pub span: Range<usize>,
    parameters: Vec<Parameter>,
    /// The lines that replace a use.
    pub body: Arc<Body>,
    /// The number of uses so far.
    used: u64,
}

/// The macros that are defined.
#[derive(Debug, Default)]
pub struct Macros {
    map: HashMap<String, Macro>,
    /// The number of uses of all macros so far.
    used: u64,
}

/// The text of a use of a macro, and the macro's body.
pub type Expanded = (Result<BodyText, ExpansionTooLong>, Arc<Body>);

/// The error of an expansion that exceeds the total size of all expansions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExpansionTooLong;

impl Heading {
    /// Parses the operands of the directive `word`. Returns `None` unless it is `.macro`, `.irp` or `.irpc`.
    pub fn parse(word: &str, tokens: &mut Tokens<'_>, with: &mut impl Evaluate) -> Result<Option<Self>, Diagnostic> {
        if word == ".macro" {
            return Macro::parse(tokens, with).map(|new| Some(Self::Macro(new)));
        }
        if !matches!(word, ".irp" | ".irpc") {
            return Ok(None);
        }
        let (name, _) = name(tokens, with, "the name of a parameter")?;
        if !tokens.eat(Kind::Comma) {
            return Err(expected("`,` and values", tokens, with));
        }
        let first = tokens.token;
        let start = first.at;
        if word == ".irpc" && with.is_alternate() && matches!(first.kind, Kind::Percent | Kind::Less) {
            // LLVM iterates over the text of the expression, and keeps `!` in angle brackets.
            let span = with.span(start..tokens.end());
            let error = Diagnostic::new(span, "`.irpc` takes no `%` or `<…>`");
            return Err(error.help(Some("put the characters into quotes".into())));
        }
        let values = arguments(word, &[], tokens, with)?;
        let values = values.into_iter().map(Option::unwrap_or_default);
        if word == ".irp" {
            return Ok(Some(Self::Each(name, values.map(|value| value.text).collect())));
        }
        let mut values = values;
        match (values.next(), values.next()) {
            (Some(Argument { text, tokens: 1 }), None) => {
                Ok(Some(Self::Each(name, text.chars().map(String::from).collect())))
            }
            _ => {
                let error = Diagnostic::new(with.span(start..tokens.token.at.max(start + 1)), "expected one value");
                Err(error.help(Some("put several tokens into quotes".into())))
            }
        }
    }

    /// Returns whether the directive `word` begins (`true`) or ends (`false`) a body of this type; `None` if it does neither.
    pub fn nests(&self, word: &str) -> Option<bool> {
        match (self, word) {
            (Self::Macro(_) | Self::Refused(".macro"), ".macro") => Some(true),
            (Self::Macro(_) | Self::Refused(".macro"), ".endm" | ".endmacro") => Some(false),
            (Self::Macro(_) | Self::Refused(".macro"), _) => None,
            (_, ".rept" | ".rep" | ".irp" | ".irpc") => Some(true),
            (_, ".endr") => Some(false),
            _ => None,
        }
    }

    /// Returns the directive that ends the body.
    pub fn end(&self) -> &'static str {
        if matches!(self, Self::Macro(_) | Self::Refused(".macro")) { ".endm" } else { ".endr" }
    }
}

/// Expands a repetition to at most `most` bytes. `used` is the number of uses of macros so far, and `alternate` says whether
/// `.altmacro` is in effect.
pub fn repeated(
    heading: &Heading,
    body: &Arc<Body>,
    alternate: bool,
    used: u64,
    most: usize,
) -> Result<BodyText, ExpansionTooLong> {
    let mut text = String::new();
    match heading {
        Heading::Macro(_) | Heading::Refused(_) | Heading::Repeat(0) => {}
        Heading::Repeat(_) if body.is_inert() => return Ok(BodyText::Body(body.clone())),
        // Nothing in it is replaced.
        Heading::Repeat(times) if !body.text.contains('\\') => {
            let times = usize::try_from(*times).ok().filter(|times| body.text.len().saturating_mul(*times) <= most);
            text = body.text.repeat(times.ok_or(ExpansionTooLong)?);
        }
        Heading::Repeat(times) => {
            for nth in 0..*times {
                let counts = Counts { all: None, own: nth };
                substitute(&body.text, false, |_| None, counts, &mut text, most)?;
            }
        }
        Heading::Each(name, values) => {
            for (nth, value) in (0..).zip(values) {
                let value = |found: &str| (found == name).then_some(value.as_str());
                let counts = Counts { all: Some(used), own: nth };
                substitute(&body.text, alternate, value, counts, &mut text, most)?;
            }
        }
    }
    Ok(BodyText::Own(text.into()))
}

impl Macros {
    /// Defines a macro.
    pub fn define(&mut self, new: Macro, body: Body) -> Result<(), Diagnostic> {
        if let Some(old) = self.map.get(&new.name) {
            let error = Diagnostic::new(new.span, format!("the macro `{}` is defined twice", new.name));
            let help = "remove the first definition with `.purgem`, or choose another name";
            return Err(error.label(old.span.clone(), "first here").help(Some(help.into())));
        }
        self.map.insert(new.name.clone(), Macro { body: Arc::new(body), ..new });
        Ok(())
    }

    /// Removes a macro. Returns whether it was defined.
    pub fn remove(&mut self, name: &str) -> bool {
        self.map.remove(name).is_some()
    }

    /// Returns whether a macro is defined.
    pub fn contains(&self, name: &str) -> bool {
        self.map.contains_key(name)
    }

    /// Returns the number of uses of all macros so far.
    pub fn used(&self) -> u64 {
        self.used
    }

    /// Returns the name of a macro that is similar to this one.
    pub fn nearest(&self, name: &str) -> Option<&str> {
        isa::nearest(self.map.keys().map(String::as_str), name)
    }

    /// Expands a use of the macro `name` to at most `most` bytes. Returns the text and the macro's body, or `None` if the macro is
    /// not defined.
    pub fn expand(
        &mut self,
        name: &str,
        tokens: &mut Tokens<'_>,
        with: &mut impl Evaluate,
        most: usize,
    ) -> Option<Result<Expanded, Diagnostic>> {
        let found = self.map.get_mut(name)?;
        let start = tokens.token.at;
        let values = match arguments(name, &found.parameters, tokens, with) {
            Ok(values) if values.len() > found.parameters.len() => {
                let why = format!("`{name}` takes no arguments");
                return Some(Err(Diagnostic::new(with.span(start..tokens.token.at), why)));
            }
            Ok(values) => values,
            Err(error) => return Some(Err(error)),
        };
        let value = |name: &str| {
            let at = found.parameters.iter().position(|parameter| parameter.name == name)?;
            values.get(at).map(|value| value.as_ref().map_or("", |value| value.text.as_str()))
        };
        let counts = Counts { all: Some(self.used), own: found.used };
        self.used += 1;
        found.used += 1;
        let alternate = with.is_alternate() && !found.parameters.is_empty();
        if !alternate && !found.body.text.contains('\\') {
            return Some(Ok((Ok(BodyText::Body(found.body.clone())), found.body.clone())));
        }
        let mut text = String::with_capacity(found.body.text.len());
        let outcome = substitute(&found.body.text, alternate, value, counts, &mut text, most);
        Some(Ok((outcome.map(|()| BodyText::Own(text.into())), found.body.clone())))
    }
}

/// Returns the error for expansions that are too long in total.
pub fn too_long(span: Range<usize>, limit: usize) -> Diagnostic {
    let limit = mebibytes(limit as u64);
    let why = format!("macros, repetitions and included files would expand to more than {limit} of text");
    Diagnostic::new(span, why).help(Some("`.fill` repeats data without expanding text".into()))
}

impl Macro {
    /// Parses the operands of `.macro`.
    fn parse(tokens: &mut Tokens<'_>, with: &mut impl Evaluate) -> Result<Self, Diagnostic> {
        let (name, span) = name(tokens, with, "the name of the macro")?;
        tokens.eat(Kind::Comma);
        let mut parameters: Vec<Parameter> = Vec::new();
        while tokens.token.kind != Kind::End {
            if let Some(last) = parameters.last().filter(|last| last.rest) {
                let why = format!("`{}` takes the rest of the line and has to be the last parameter", last.name);
                return Err(Diagnostic::new(with.span(tokens.token.at..tokens.end()), why));
            }
            let (name, span) = self::name(tokens, with, "the name of a parameter")?;
            if parameters.iter().any(|known| known.name == name) {
                return Err(Diagnostic::new(span, format!("the macro has two parameters `{name}`")));
            }
            let mut new = Parameter { name, ..Parameter::default() };
            if tokens.eat(Kind::Colon) {
                match tokens.token.text {
                    "req" => new.required = true,
                    "vararg" => new.rest = true,
                    _ => return Err(expected("`req` or `vararg`", tokens, with)),
                }
                tokens.next();
            }
            if tokens.eat(Kind::Equal) {
                new.default = plain(new.rest, tokens, with)?;
            }
            parameters.push(new);
            tokens.eat(Kind::Comma);
        }
        Ok(Self { name, span, parameters, body: Arc::default(), used: 0 })
    }
}

/// Takes a name, which may be quoted or begin with a dollar sign. Returns it and its position.
fn name(tokens: &mut Tokens<'_>, with: &impl Evaluate, what: &str) -> Result<(String, Range<usize>), Diagnostic> {
    let token = tokens.token;
    let name = match token.kind {
        Kind::Name | Kind::Text => token.contents().to_string(),
        Kind::Other if token.text == "$" => {
            let next = tokens.peek();
            if next.kind != Kind::Name || next.at != token.at + 1 {
                return Err(expected(what, tokens, with));
            }
            tokens.next();
            format!("${}", next.text)
        }
        _ => return Err(expected(what, tokens, with)),
    };
    let span = with.span(token.at..tokens.end());
    tokens.next();
    Ok((name, span))
}

/// Returns the error for an unexpected token.
fn expected(what: &str, tokens: &Tokens<'_>, with: &impl Evaluate) -> Diagnostic {
    let at = tokens.token.at;
    Diagnostic::new(with.span(at..tokens.end().max(at + 1)), format!("expected {what}"))
}

/// The values of `\@` and `\+`.
#[derive(Clone, Copy)]
struct Counts {
    /// `\@`: the number of uses of all macros before this one. `None` in `.rept`, where LLVM does not replace it.
    all: Option<u64>,
    /// `\+`: the number of uses of this macro, or of copies, before this one.
    own: u64,
}

/// Appends a body to `out` and replaces parameters by their values: names after a backslash and, if `alternate`, bare names. Names
/// without a value are copied.
fn substitute<'v>(
    body: &str,
    alternate: bool,
    value: impl Fn(&str) -> Option<&'v str>,
    counts: Counts,
    out: &mut String,
    most: usize,
) -> Result<(), ExpansionTooLong> {
    let mut rest = body;
    while let Some((before, behind)) = rest.split_once('\\') {
        if alternate {
            bare_names(before, &value, out)
        } else {
            out.push_str(before)
        };
        let name = behind.bytes().position(|byte| !in_macro_name(byte)).unwrap_or(behind.len());
        let taken = match (behind.as_bytes().first(), counts.all) {
            (Some(b'@'), Some(all)) => {
                out.push_str(&all.to_string());
                1
            }
            (Some(b'+'), _) => {
                out.push_str(&counts.own.to_string());
                1
            }
            (Some(b'('), _) if behind.starts_with("()") => 2,
            _ => {
                let (name, after) = behind.split_at_checked(name).unwrap_or_default();
                match value(name) {
                    Some(value) => out.push_str(value),
                    None => {
                        out.push('\\');
                        out.push_str(name);
                    }
                }
                name.len() + usize::from(alternate && after.starts_with('&'))
            }
        };
        if out.len() > most {
            return Err(ExpansionTooLong);
        }
        rest = behind.get(taken..).unwrap_or_default();
    }
    if alternate {
        bare_names(rest, &value, out)
    } else {
        out.push_str(rest)
    };
    if out.len() > most { Err(ExpansionTooLong) } else { Ok(()) }
}

/// Appends a text to `out` and replaces bare names of parameters by their values. An ampersand after such a name is dropped.
fn bare_names<'v>(text: &str, value: &impl Fn(&str) -> Option<&'v str>, out: &mut String) {
    let mut rest = text;
    while let Some(start) = rest.bytes().position(in_macro_name) {
        let (before, behind) = rest.split_at(start);
        out.push_str(before);
        let end = behind.bytes().position(|byte| !in_macro_name(byte)).unwrap_or(behind.len());
        let (name, after) = behind.split_at(end);
        rest = match value(name) {
            Some(value) => {
                out.push_str(value);
                after.strip_prefix('&').unwrap_or(after)
            }
            None => {
                out.push_str(name);
                after
            }
        };
    }
    out.push_str(rest);
}

/// Returns whether the name of a parameter may contain this byte.
fn in_macro_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The state for a single line, in which only numbers are evaluated.
    struct SingleLine<'a>(&'a str, bool);

    impl Evaluate for SingleLine<'_> {
        fn is_alternate(&self) -> bool {
            self.1
        }

        fn evaluate(&mut self, at: usize) -> Result<(i64, usize), Diagnostic> {
            let end = self.0[at..].find([',', ' ']).map_or(self.0.len(), |end| at + end);
            Ok((self.0[at..end].parse().unwrap(), end))
        }

        fn span(&self, part: Range<usize>) -> Range<usize> {
            part
        }
    }

    fn heading(line: &str, alternate: bool) -> Result<Heading, String> {
        let mut tokens = Tokens::new(line, 0);
        let word = tokens.token.text;
        tokens.next();
        let heading = Heading::parse(word, &mut tokens, &mut SingleLine(line, alternate));
        heading.map_err(|error| error.message).map(Option::unwrap)
    }

    fn defined(line: &str, body: &str) -> Macros {
        let mut macros = Macros::default();
        let mut lines = Body::default();
        body.lines().for_each(|line| lines.push(line, 0));
        let Ok(Heading::Macro(new)) = heading(&format!(".macro {line}"), false) else { panic!("{line}") };
        macros.define(new, lines).unwrap();
        macros
    }

    fn used(macros: &mut Macros, name: &str, arguments: &str, alternate: bool) -> Result<String, String> {
        let mut tokens = Tokens::new(arguments, 0);
        let text = macros.expand(name, &mut tokens, &mut SingleLine(arguments, alternate), 1000).unwrap();
        text.map(|(text, _)| text.unwrap().trim_end().to_string()).map_err(|error| error.message)
    }

    /// The expected values are those of llvm-mc 22.
    #[test]
    fn arguments_are_split_as_in_llvm() {
        let mut macros = defined("P a b=7 c:vararg", r"[\a|\b|\c]");
        for (arguments, text) in [
            ("1", "[1|7|]"),
            ("1, 2, 3, 4", "[1|2|3, 4]"),
            ("1, 2, 3, 4  ; 5", "[1|2|3, 4  ]"),
            ("1 2 3 4", "[1|2|3 4]"),
            ("a=3", "[3|7|]"),
            ("a = 3", "[3|7|]"),
            ("b=4, a=5", "[5|4|]"),
            ("b=1, c=3", "[|1|3]"),
            ("c=\"3\", b=1", "[|1|\"3\"]"),
            ("1 + 2, (3, 4), v w z", "[1+2|(3, 4)|v w z]"),
            ("v[0:1], s[2 : 3]", "[v[0:1]|s[2|: 3]]"),
            (", 2", "[|2|]"),
            ("1 -2", "[1-2|7|]"),
            ("1, -2", "[1|-2|]"),
            ("1 ,2", "[1|2|]"),
            ("\"x y\", \"z\"", "[x y|z|]"),
            ("\"\", \"\"", "[||]"),
            ("(1 + 2) * 3, 5", "[(1 + 2)*3|5|]"),
            ("~1 !2 $3", "[~1!2|$3|]"),
            ("1 % 2 3", "[1|%|2 3]"),
            ("x.y .z", "[x.y|.z|]"),
            ("-v0 |v1| abs(v2)", "[-v0|v1|abs(v2)|7|]"),
            ("1 2 /*x*/ 3", "[1|2| 3]"),
            ("1/*c*/2 3", "[1/*c*/2|3|]"),
            ("1 /*x*/ , 2", "[1|7|2]"),
            ("/*a*/ 1, /*b*/ 2", "[1|2|]"),
        ] {
            assert_eq!(used(&mut macros, "P", arguments, false).as_deref(), Ok(text), "{arguments}");
        }
        let mut macros = defined("R x:req y", "");
        for arguments in ["", "1 2 3", "y=1", "x=1, 2", "z=1", "(1", "\"a", "1=2", "1.5-2", "0x"] {
            assert!(used(&mut macros, "R", arguments, false).is_err(), "{arguments}");
        }
        let mut macros = defined("N", "");
        assert!(used(&mut macros, "N", "1", false).is_err());
        assert_eq!(used(&mut macros, "N", ",", false).as_deref(), Ok(""));
    }

    #[test]
    fn backslashes_precede_parameters_and_counts() {
        let mut macros = defined("M x, xy", r"\x\xy\z \x.a \x\().a \@ \+ \\ \é x");
        assert_eq!(used(&mut macros, "M", "1, 2", false).as_deref(), Ok(r"12\z \x.a 1.a 0 0 \\ \é x"));
        assert_eq!(used(&mut macros, "M", "1, 2", false).as_deref(), Ok(r"12\z \x.a 1.a 1 1 \\ \é x"));
    }

    /// The expected texts are those of llvm-mc 22.
    #[test]
    fn alternate_macros() {
        let mut macros = defined("M a, b=2", r"[a|b&c|\a&x|a&&|xa|b]");
        for (arguments, text) in [
            ("%-1", "[-1|2c|-1x|-1&|xa|2]"),
            ("<x y!>!!>, <4>", "[x y>!|4c|x y>!x|x y>!&|xa|4]"),
            ("<x", "[<x|2c|<xx|<x&|xa|2]"),
            ("<>", "[<>|2c|<>x|<>&|xa|2]"),
            ("b=%5, a=<6>", "[6|5c|6x|6&|xa|5]"),
        ] {
            assert_eq!(used(&mut macros, "M", arguments, true).as_deref(), Ok(text), "{arguments}");
        }
        assert_eq!(used(&mut macros, "M", "<4>", false).as_deref(), Ok("[a|b&c|<4>&x|a&&|xa|b]"));
    }

    #[test]
    fn repetitions() {
        let repeated = |heading: &Heading, body: &str| {
            let mut lines = Body::default();
            lines.push(body, 0);
            repeated(heading, &Arc::new(lines), false, 4, 100).map(|text| text.lines().collect::<Vec<_>>().join("|"))
        };
        let each = |line: &str| heading(line, false).unwrap();
        assert_eq!(repeated(&Heading::Repeat(3), r"a\+\@").as_deref(), Ok(r"a0\@|a1\@|a2\@"));
        assert_eq!(repeated(&each(".irp x, 1 2, c+d e,, f,"), r"\x\+").as_deref(), Ok("10|21|c+d2|e3|4|f5"));
        assert_eq!(repeated(&each(".irpc x, a.b"), r"<\x\@>").as_deref(), Ok("<a4>|<.4>|<b4>"));
        assert_eq!(repeated(&each(".irp x,"), "a").as_deref(), Ok(""));
        assert_eq!(repeated(&Heading::Repeat(u64::MAX), "a"), Err(ExpansionTooLong));
        assert_eq!(repeated(&Heading::Repeat(u64::MAX), " .rept 5\n ; c\n.endr").as_deref(), Ok(" .rept 5| ; c|.endr"));
    }

    #[test]
    fn invalid_headings() {
        for line in [
            ".macro",
            ".macro 1",
            ".macro a b b",
            ".macro a b:what",
            ".macro a b:vararg c",
            ".irp",
            ".irp x",
            ".irpc x, 1a",
            ".irpc x, 1 2",
            ".irpc x,",
        ] {
            assert!(heading(line, false).is_err(), "{line}");
        }
    }
}

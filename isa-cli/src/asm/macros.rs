//! Macros and repetitions: their headings, the arguments that a use gives, and the text that comes of them. Which blanks part
//! arguments and what a backslash announces is as in LLVM.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use crate::asm::cursor::{Cursor, in_name, is_blank};
use crate::asm::report::Diagnostic;

/// Lines between a heading and its end.
#[derive(Debug, Default)]
pub struct Body {
    /// The lines without comments, each with its end.
    pub text: String,
    /// Where each begins in the source.
    pub starts: Vec<usize>,
}

impl Body {
    /// Appends a line that begins here in the source.
    pub fn push(&mut self, line: &str, start: usize) {
        self.text.push_str(line);
        self.text.push('\n');
        self.starts.push(start);
    }
}

/// What lines between a heading and its end are kept for.
#[derive(Debug)]
pub enum Heading {
    /// To be used later, under a name.
    Macro(Macro),
    /// To stand here so many times.
    Repeat(u64),
    /// To stand here once for each value of a name.
    Each(String, Vec<String>),
    /// For nothing: the heading, which this directive began, is wrong.
    Refused(&'static str),
}

/// A name in a body, and what it stands for where a use does not say.
#[derive(Debug)]
pub struct Parameter {
    name: String,
    required: bool,
    /// As the last argument, it takes all that is left of the line.
    rest: bool,
    default: String,
}

/// A macro.
#[derive(Debug)]
pub struct Macro {
    /// Its name.
    pub name: String,
    /// Where that stands.
    pub span: Range<usize>,
    parameters: Vec<Parameter>,
    /// What it stands for, and where its lines begin.
    pub body: Arc<Body>,
    /// How often it was used.
    used: u64,
}

/// All macros.
#[derive(Debug, Default)]
pub struct Macros {
    map: HashMap<String, Macro>,
    /// How often any was used.
    used: u64,
}

/// The text of one would be longer than what may come of all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooLong;

impl Heading {
    /// Takes the heading that a directive begins, which is the last thing taken; `None` for other directives. `number` reads
    /// the number of times.
    pub fn parse(
        word: &str,
        input: &mut Cursor<'_>,
        number: impl FnOnce(&mut Cursor<'_>) -> Result<i64, Diagnostic>,
    ) -> Result<Option<Self>, Diagnostic> {
        Ok(Some(match word {
            ".macro" => Self::Macro(Macro::parse(input)?),
            ".rept" | ".rep" => {
                let start = input.place();
                let times = number(input)?;
                let span = start..input.end();
                input.finish()?;
                Self::Repeat(u64::try_from(times).map_err(|_| Diagnostic::new(span, "a count is not negative"))?)
            }
            ".irp" | ".irpc" => {
                let (name, _) = parameter_name(input)?;
                if !input.eat(",") {
                    return Err(input.expected("`,` and values"));
                }
                if word == ".irp" {
                    let mut values = Vec::new();
                    while !input.done() {
                        values.push(argument(input)?);
                        input.eat(",");
                    }
                    Self::Each(name, values)
                } else {
                    let all = argument(input)?;
                    input.finish()?;
                    Self::Each(name, all.chars().map(String::from).collect())
                }
            }
            _ => return Ok(None),
        }))
    }

    /// Whether a line that begins with this word begins another body inside of this one, or ends one.
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

    /// The directive that ends it.
    pub fn end(&self) -> &'static str {
        if matches!(self, Self::Macro(_) | Self::Refused(".macro")) { ".endm" } else { ".endr" }
    }
}

/// What comes of a body that stands so many times, or once for each value, after so many uses of macros; at most so many bytes.
pub fn repeated(heading: &Heading, body: &Body, used: u64, most: usize) -> Result<String, TooLong> {
    let mut text = String::new();
    match heading {
        Heading::Macro(_) | Heading::Refused(_) => {}
        Heading::Repeat(times) if body.text.is_empty() || *times == 0 => {}
        // Nothing in it is replaced.
        Heading::Repeat(times) if !body.text.contains('\\') => {
            let times = usize::try_from(*times).ok().filter(|times| body.text.len().saturating_mul(*times) <= most);
            text = body.text.repeat(times.ok_or(TooLong)?);
        }
        Heading::Repeat(times) => {
            for nth in 0..*times {
                substitute(&body.text, |_| None, Counts { all: None, own: nth }, &mut text, most)?;
            }
        }
        Heading::Each(name, values) => {
            for (nth, value) in (0..).zip(values) {
                let value = |found: &str| (found == name).then_some(value.as_str());
                substitute(&body.text, value, Counts { all: Some(used), own: nth }, &mut text, most)?;
            }
        }
    }
    Ok(text)
}

impl Macros {
    /// Defines one.
    pub fn define(&mut self, new: Macro, body: Body) -> Result<(), Diagnostic> {
        if let Some(old) = self.map.get(&new.name) {
            let fault = Diagnostic::new(new.span, format!("the macro `{}` is defined twice", new.name));
            return Err(fault.other(old.span.clone(), "first here").help(Some("`.purgem` forgets a macro".into())));
        }
        self.map.insert(new.name.clone(), Macro { body: Arc::new(body), ..new });
        Ok(())
    }

    /// Forgets one; whether there was one.
    pub fn forget(&mut self, name: &str) -> bool {
        self.map.remove(name).is_some()
    }

    /// How often any was used.
    pub fn used(&self) -> u64 {
        self.used
    }

    /// The name that is most like this one, if any is like it.
    pub fn nearest(&self, name: &str) -> Option<&str> {
        rdna3::isa::nearest(self.map.keys().map(String::as_str), name)
    }

    /// The text that a use of this macro comes to, of at most so many bytes, and where it comes from; `None` if it is not defined.
    pub fn text(
        &mut self,
        name: &str,
        input: &mut Cursor<'_>,
        most: usize,
    ) -> Option<Result<(String, Arc<Body>), Diagnostic>> {
        let found = self.map.get_mut(name)?;
        let start = input.place();
        let arguments = match found.arguments(input) {
            Ok(arguments) => arguments,
            Err(fault) => return Some(Err(fault)),
        };
        let value = |name: &str| {
            let at = found.parameters.iter().position(|parameter| parameter.name == name)?;
            arguments.get(at).map(String::as_str)
        };
        let mut text = String::new();
        let counts = Counts { all: Some(self.used), own: found.used };
        let outcome = substitute(&found.body.text, value, counts, &mut text, most);
        self.used += 1;
        found.used += 1;
        Some(outcome.map(|()| (text, found.body.clone())).map_err(|TooLong| too_long(start..input.end())))
    }
}

/// The fault of what comes to too much text.
pub fn too_long(span: Range<usize>) -> Diagnostic {
    Diagnostic::new(span, "macros, repetitions and included files would come to more than 32 MiB")
}

impl Macro {
    /// Takes what stands behind `.macro`.
    fn parse(input: &mut Cursor<'_>) -> Result<Self, Diagnostic> {
        let (name, span) = input.name()?;
        input.eat(",");
        let mut parameters: Vec<Parameter> = Vec::new();
        while !input.done() {
            let (name, span) = parameter_name(input)?;
            if parameters.iter().any(|known| known.name == name) {
                return Err(Diagnostic::new(span, format!("the parameter `{name}` is there twice")));
            }
            if let Some(last) = parameters.last().filter(|last| last.rest) {
                let why = format!("`{}` takes all that is left: it is the last parameter", last.name);
                return Err(Diagnostic::new(span, why));
            }
            let (mut required, mut rest) = (false, false);
            if input.eat(":") {
                let at = input.place();
                match input.word() {
                    "req" => required = true,
                    "vararg" => rest = true,
                    _ => {
                        let span = at..input.end().max(at + 1);
                        return Err(Diagnostic::new(span, "a parameter is marked with `:req` or `:vararg`"));
                    }
                }
            }
            let default = if input.eat("=") { argument(input)? } else { String::new() };
            parameters.push(Parameter { name, required, rest, default });
            input.eat(",");
        }
        Ok(Self { name, span, parameters, body: Arc::default(), used: 0 })
    }

    /// Takes the arguments of a use: what each parameter stands for.
    fn arguments(&self, input: &mut Cursor<'_>) -> Result<Vec<String>, Diagnostic> {
        let start = input.place();
        let mut values = vec![String::new(); self.parameters.len()];
        let (mut given, mut named) = (0, false);
        // Behind a comma, an argument may be empty.
        let mut comma = false;
        while comma || !input.done() {
            let begin = input.place();
            let at = match self.named(input)? {
                Some(at) => {
                    named = true;
                    at
                }
                None if named => {
                    let why = "an argument without a name cannot follow one with a name";
                    return Err(Diagnostic::new(begin..begin + argument(input)?.len().max(1), why));
                }
                None => given,
            };
            let length = input.rest().trim_end().len();
            let value = values.get_mut(at).filter(|_| given < self.parameters.len());
            let value = value.ok_or_else(|| Diagnostic::new(begin..begin + length, self.too_many()))?;
            given += 1;
            // The last one there is room for is what is left of the line, also if it has the name of another.
            if given == self.parameters.len() && self.parameters.last().is_some_and(|last| last.rest) {
                *value = input.take(length).into();
                input.rest();
                break;
            }
            *value = argument(input)?;
            comma = input.eat(",");
        }
        for (parameter, value) in self.parameters.iter().zip(&mut values).filter(|(_, value)| value.is_empty()) {
            if parameter.required {
                let why = format!("the macro `{}` needs a value for `{}`", self.name, parameter.name);
                return Err(Diagnostic::new(start..input.end().max(start), why));
            }
            value.clone_from(&parameter.default);
        }
        Ok(values)
    }

    /// Takes the name before an argument and its `=`, if there are any: which parameter it names.
    fn named(&self, input: &mut Cursor<'_>) -> Result<Option<usize>, Diagnostic> {
        let mut ahead = *input;
        let begin = ahead.place();
        let word = ahead.word();
        if word.is_empty() || ahead.rest().starts_with("==") || !ahead.eat("=") {
            return Ok(None);
        }
        *input = ahead;
        let at = self.parameters.iter().position(|known| known.name == word);
        at.map(Some).ok_or_else(|| {
            let why = format!("the macro `{}` has no parameter `{word}`", self.name);
            let names = self.parameters.iter().map(|known| known.name.as_str());
            let near = rdna3::isa::nearest(names, word).map(|near| format!("there is `{near}`"));
            Diagnostic::new(begin..begin + word.len(), why).help(near)
        })
    }

    /// Why there can be no more arguments.
    fn too_many(&self) -> String {
        match self.parameters.len() {
            0 => format!("the macro `{}` takes no arguments", self.name),
            1 => format!("the macro `{}` takes 1 argument", self.name),
            most => format!("the macro `{}` takes {most} arguments", self.name),
        }
    }
}

/// Takes the name of a parameter.
fn parameter_name(input: &mut Cursor<'_>) -> Result<(String, Range<usize>), Diagnostic> {
    let start = input.place();
    match input.word() {
        "" => Err(input.expected("the name of a parameter")),
        word => Ok((word.to_string(), start..input.end())),
    }
}

/// Takes an argument: up to a comma, or to a blank that no operator stands beside. Parentheses hold both together, and quotes
/// are taken off.
fn argument(input: &mut Cursor<'_>) -> Result<String, Diagnostic> {
    let start = input.place();
    let text = input.rest();
    let bytes = text.as_bytes();
    let past_blanks = |at: usize| at + bytes.iter().skip(at).take_while(|byte| is_blank(**byte)).count();
    let mut out = String::new();
    let (mut at, mut open) = (0, 0u32);
    while let Some(&byte) = bytes.get(at) {
        let from = at;
        match byte {
            b'"' => {
                let mut string = Cursor::new(text.get(at..).unwrap_or_default(), start + at);
                string.string()?;
                let end = at + string.end() - (start + at);
                out.push_str(text.get(at + 1..end - 1).unwrap_or_default());
                at = end;
                continue;
            }
            b',' if open == 0 => break,
            _ if open == 0 && is_blank(byte) => {
                at = past_blanks(at);
                if !operator(bytes, at) {
                    break;
                }
                continue;
            }
            b'(' => open += 1,
            b')' => open = open.saturating_sub(1),
            _ => {}
        }
        at += text.get(at..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8);
        out.push_str(text.get(from..at).unwrap_or_default());
        if open == 0 && operator(bytes, from) {
            at = past_blanks(at);
        }
    }
    if open > 0 {
        return Err(Diagnostic::new(start..start + at, "a parenthesis of this argument is not closed"));
    }
    input.take(at);
    Ok(out)
}

/// Whether an operator stands here, which holds together what blanks would part.
fn operator(bytes: &[u8], at: usize) -> bool {
    match bytes.get(at) {
        Some(b'.') => !bytes.get(at + 1).is_some_and(|byte| in_name(*byte)) && (at == 0 || !in_name(bytes[at - 1])),
        Some(byte) => b"+-~/*=|^&!<>".contains(byte),
        None => false,
    }
}

/// What `\@` and `\+` stand for: how many macros were used, and how often this one was, before.
#[derive(Clone, Copy)]
struct Counts {
    all: Option<u64>,
    own: u64,
}

/// Appends the lines of a body, with values in the place of names behind a backslash. A name that has no value stays.
fn substitute<'v>(
    body: &str,
    value: impl Fn(&str) -> Option<&'v str>,
    counts: Counts,
    out: &mut String,
    most: usize,
) -> Result<(), TooLong> {
    let mut rest = body;
    while let Some((before, behind)) = rest.split_once('\\') {
        out.push_str(before);
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
                let name = behind.get(..name).unwrap_or_default();
                match value(name) {
                    Some(value) => out.push_str(value),
                    None => {
                        out.push('\\');
                        out.push_str(name);
                    }
                }
                name.len()
            }
        };
        if out.len() > most {
            return Err(TooLong);
        }
        rest = behind.get(taken..).unwrap_or_default();
    }
    out.push_str(rest);
    if out.len() > most { Err(TooLong) } else { Ok(()) }
}

/// Whether the name of a parameter goes on with this byte.
fn in_macro_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn defined(heading: &str, body: &str) -> Macros {
        let mut macros = Macros::default();
        let mut lines = Body::default();
        body.lines().for_each(|line| lines.push(line, 0));
        macros.define(Macro::parse(&mut Cursor::new(heading, 0)).unwrap(), lines).unwrap();
        macros
    }

    fn used(macros: &mut Macros, name: &str, arguments: &str) -> Result<String, String> {
        let text = macros.text(name, &mut Cursor::new(arguments, 0), 1000).expect("the macro is defined");
        text.map(|(text, _)| text.trim_end().to_string()).map_err(|fault| fault.message)
    }

    /// As llvm-mc 22 has them.
    #[test]
    fn arguments_are_parted_as_in_llvm() {
        let mut macros = defined("P a b=7 c:vararg", r"[\a|\b|\c]");
        for (arguments, text) in [
            ("1", "[1|7|]"),
            ("1, 2, 3, 4", "[1|2|3, 4]"),
            ("1 2 3 4", "[1|2|3 4]"),
            ("a=3", "[3|7|]"),
            ("a = 3", "[3|7|]"),
            ("b=4, a=5", "[5|4|]"),
            ("b=1, c=3", "[|1|3]"),
            ("1 + 2, (3, 4), v w z", "[1+2|(3, 4)|v w z]"),
            ("v[0:1], s[2 : 3]", "[v[0:1]|s[2|: 3]]"),
            (", 2", "[|2|]"),
            ("1 -2", "[1-2|7|]"),
            ("1, -2", "[1|-2|]"),
            ("1 ,2", "[1|2|]"),
            ("\"x y\", \"z\"", "[x y|z|]"),
            ("(1 + 2) * 3, 5", "[(1 + 2)*3|5|]"),
            ("~1 !2 $3", "[~1!2|$3|]"),
            ("1 % 2 3", "[1|%|2 3]"),
            ("x.y .z", "[x.y|.z|]"),
            ("-v0 |v1| abs(v2)", "[-v0|v1|abs(v2)|7|]"),
        ] {
            assert_eq!(used(&mut macros, "P", arguments).as_deref(), Ok(text), "{arguments}");
        }
        let mut macros = defined("R x:req y", "");
        for arguments in ["", "1 2 3", "y=1", "x=1, 2", "z=1", "(1", "\"a"] {
            assert!(used(&mut macros, "R", arguments).is_err(), "{arguments}");
        }
    }

    #[test]
    fn backslashes_announce_parameters_and_counts() {
        let mut macros = defined("M x, xy", r"\x\xy\z \x.a \x\().a \@ \+ \\ \é");
        assert_eq!(used(&mut macros, "M", "1, 2").as_deref(), Ok(r"12\z \x.a 1.a 0 0 \\ \é"));
        assert_eq!(used(&mut macros, "M", "1, 2").as_deref(), Ok(r"12\z \x.a 1.a 1 1 \\ \é"));
    }

    #[test]
    fn repetitions() {
        let repeated = |heading: &str, body: &str| {
            let mut input = Cursor::new(heading, 0);
            let word = input.word();
            let heading = Heading::parse(word, &mut input, |input| input.number().unwrap()).unwrap().unwrap();
            let mut lines = Body::default();
            lines.push(body, 0);
            repeated(&heading, &lines, 4, 100).map(|text| text.lines().collect::<Vec<_>>().join("|"))
        };
        assert_eq!(repeated(".rept 3", r"a\+\@").as_deref(), Ok(r"a0\@|a1\@|a2\@"));
        assert_eq!(repeated(".irp x, 1 2, c+d e", r"\x\+").as_deref(), Ok("10|21|c+d2|e3"));
        assert_eq!(repeated(".irpc x, a.b", r"<\x\@>").as_deref(), Ok("<a4>|<.4>|<b4>"));
        assert_eq!(repeated(".irp x,", "a").as_deref(), Ok(""));
        assert_eq!(repeated(".rept 0x7fffffffffffffff", "a"), Err(TooLong));
    }

    #[test]
    fn what_is_no_heading() {
        for heading in
            [".macro", ".macro 1", ".macro a b b", ".macro a b:what", ".macro a b:vararg c", ".irp", ".irp x"]
        {
            let mut input = Cursor::new(heading, 0);
            let word = input.word();
            assert!(Heading::parse(word, &mut input, |_| Ok(1)).is_err(), "{heading}");
        }
    }
}

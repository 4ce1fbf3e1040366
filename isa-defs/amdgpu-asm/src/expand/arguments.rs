//! The arguments of macros and `.irp`: how LLVM splits them, which parameters they belong to, and the `.altmacro` forms
//! `%expression` and `<text>`.

use std::ops::Range;

use crate::diagnostic::Diagnostic;
use crate::lex::tokens::{Kind, Tokens};

/// A parameter of a macro.
#[derive(Debug, Default)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Whether every use has to give a value (`:req`).
    pub required: bool,
    /// Whether it takes the rest of the line (`:vararg`). Only the last parameter can.
    pub rest: bool,
    /// The value where a use gives none.
    pub default: Option<Argument>,
}

/// The value of a parameter.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Argument {
    /// The text to substitute.
    pub text: String,
    /// How many tokens it consists of.
    pub tokens: usize,
}

/// The state of the program that arguments depend on.
pub trait Evaluate {
    /// Whether `.altmacro` is in effect.
    fn is_alternate(&self) -> bool;

    /// Evaluates the expression at an offset of the current line; its value, and the offset after it.
    fn evaluate(&mut self, at: usize) -> Result<(i64, usize), Diagnostic>;

    /// A part of the current line as a range of source positions.
    fn span(&self, part: Range<usize>) -> Range<usize>;
}

/// Takes the arguments that a line gives. Without parameters there can be any number of them.
pub fn arguments(
    of: &str,
    parameters: &[Parameter],
    tokens: &mut Tokens<'_>,
    with: &mut impl Evaluate,
) -> Result<Vec<Option<Argument>>, Diagnostic> {
    let mut values = vec![None; parameters.len()];
    let mut named = false;
    let mut nth = 0;
    while parameters.is_empty() || nth < parameters.len() {
        let begin = tokens.token;
        let mut at = nth;
        if begin.kind == Kind::Name && tokens.peek().kind == Kind::Equal {
            at = parameters.iter().position(|known| known.name == begin.text).ok_or_else(|| {
                let why = format!("`{of}` has no parameter `{}`", begin.text);
                let names = parameters.iter().map(|known| known.name.as_str());
                let near = isa::nearest(names, begin.text).map(|near| format!("there is `{near}`"));
                Diagnostic::new(with.span(begin.at..begin.at + begin.text.len()), why).help(near)
            })?;
            named = true;
            tokens.next();
            tokens.next();
        } else if named {
            let span = with.span(begin.at..tokens.end().max(begin.at + 1));
            return Err(Diagnostic::new(span, "an argument without a name cannot follow one with a name"));
        }
        let rest = nth + 1 == parameters.len() && parameters.last().is_some_and(|last| last.rest);
        if rest && at != nth {
            let span = with.span(begin.at..begin.at + begin.text.len());
            let why = format!("the last argument of `{of}` cannot be a value for `{}`", begin.text);
            return Err(Diagnostic::new(span, why).help(Some("give this value before others".into())));
        }
        let keeps_quotes = parameters.get(at).is_some_and(|parameter| parameter.rest);
        if let Some(value) = argument(rest, keeps_quotes, tokens, with)? {
            if values.len() <= at {
                values.resize(at + 1, None);
            }
            values[at] = Some(value);
        }
        if tokens.token.kind == Kind::End {
            for (parameter, value) in parameters.iter().zip(&mut values).filter(|(_, value)| value.is_none()) {
                if parameter.required {
                    let end = tokens.token.at;
                    let why = format!("`{of}` needs a value for `{}`", parameter.name);
                    return Err(Diagnostic::new(with.span(end..end + 1), why));
                }
                value.clone_from(&parameter.default);
            }
            return Ok(values);
        }
        tokens.eat(Kind::Comma);
        nth += 1;
    }
    let most = parameters.len();
    let why = format!("`{of}` takes {most} argument{}", if most == 1 { "" } else { "s" });
    let start = tokens.token.at;
    Err(Diagnostic::new(with.span(start..start + tokens.rest().trim_end().len().max(1)), why))
}

/// Takes the argument that comes next, or the rest of the line; `None` if it is empty.
fn argument(
    rest: bool,
    keeps_quotes: bool,
    tokens: &mut Tokens<'_>,
    with: &mut impl Evaluate,
) -> Result<Option<Argument>, Diagnostic> {
    let start = tokens.token.at;
    if with.is_alternate() && tokens.token.kind == Kind::Percent {
        let (value, end) = with.evaluate(start + 1)?;
        tokens.go_on(end);
        return Ok(Some(Argument { text: value.to_string(), tokens: 1 }));
    }
    if with.is_alternate()
        && tokens.token.kind == Kind::Less
        && let Some((text, length)) = tokens.line().get(start..).and_then(in_brackets)
    {
        tokens.go_on(start + length);
        return Ok(Some(Argument { text, tokens: 1 }));
    }
    if rest {
        let text = tokens.rest();
        return Ok((!text.is_empty()).then(|| Argument { text: text.into(), tokens: 1 }));
    }
    plain(keeps_quotes, tokens, with)
}

/// Takes an argument up to a comma, or to blanks without an operator beside them. Parentheses hold both together.
pub fn plain(
    keeps_quotes: bool,
    tokens: &mut Tokens<'_>,
    with: &impl Evaluate,
) -> Result<Option<Argument>, Diagnostic> {
    let start = tokens.token.at;
    tokens.skips_blanks = false;
    let mut value = Argument::default();
    let mut take = |tokens: &mut Tokens<'_>| {
        let token = tokens.token;
        if token.kind == Kind::Malformed {
            let span = with.span(token.at..token.at + token.text.len().max(1));
            return Err(Diagnostic::new(span, format!("`{}` is not a number or string", token.text)));
        }
        value.text.push_str(if keeps_quotes { token.text } else { token.contents() });
        // LLVM divides characters outside of ASCII into bytes.
        value.tokens += if token.text.starts_with(|c: char| !c.is_ascii()) { token.text.len() } else { 1 };
        tokens.next_with_comments();
        Ok(())
    };
    let mut open = 0u32;
    loop {
        if tokens.token.kind == Kind::Equal {
            let span = with.span(tokens.token.at..tokens.end());
            return Err(Diagnostic::new(span, "an argument cannot have `=` here")
                .help(Some("put the argument into quotes or parentheses".into())));
        }
        if open == 0 {
            if tokens.token.kind == Kind::Comma {
                break;
            }
            let blank = tokens.eat(Kind::Space);
            if tokens.token.kind.is_operator() {
                take(tokens)?;
                tokens.eat(Kind::Space);
                continue;
            }
            if blank {
                break;
            }
        }
        match tokens.token.kind {
            Kind::End => break,
            Kind::Open => open += 1,
            Kind::Close => open = open.saturating_sub(1),
            _ => {}
        }
        take(tokens)?;
    }
    tokens.skips_blanks = true;
    if open > 0 {
        let span = with.span(start..tokens.token.at);
        return Err(Diagnostic::new(span, "a parenthesis of this argument is not closed"));
    }
    Ok((value.tokens > 0).then_some(value))
}

/// The text in the angle brackets that `line` begins with, and the length with the brackets; `!` takes the next character
/// literally.
fn in_brackets(line: &str) -> Option<(String, usize)> {
    let mut text = String::new();
    let mut chars = line.char_indices().skip(1);
    loop {
        match chars.next()? {
            (at, '>') => return Some((text, at + 1)),
            (_, '\n' | '\r') => return None,
            (_, '!') => text.push(chars.next()?.1),
            (_, c) => text.push(c),
        }
    }
}

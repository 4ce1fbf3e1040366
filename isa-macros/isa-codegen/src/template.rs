//! Text templates: `"{d}, {s0}, {s1}{clamp}"`.

use crate::error::Error;
use crate::spanned::SpannedStr;

/// A literal or a `{name}` of a template.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Piece {
    Literal(String),
    Name(String),
}

/// Parses a template.
pub fn parse(text: &SpannedStr) -> Result<Vec<Piece>, Error> {
    let mut rest = text.as_str();
    let mut out = Vec::new();
    while let Some(open) = rest.find('{') {
        if open > 0 {
            out.push(Piece::Literal(rest[..open].to_string()));
        }
        let Some(close) = rest[open..].find('}') else {
            return Err(Error::with_help(text.span(), "the template has a `{` without a `}`", "write `{role}`"));
        };
        let name = &rest[open + 1..open + close];
        if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
            let message = format!("`{name}` is not a name");
            return Err(Error::with_help(text.span(), message, "write a role or a modifier between the braces"));
        }
        out.push(Piece::Name(name.to_string()));
        rest = &rest[open + close + 1..];
    }
    if rest.contains('}') {
        return Err(Error::with_help(text.span(), "the template has a `}` without a `{`", "write `{role}`"));
    }
    if !rest.is_empty() {
        out.push(Piece::Literal(rest.to_string()));
    }
    Ok(out)
}

/// The meaning of a template's `{name}` in one row. Operands and modifiers have an index.
pub enum Resolved {
    Operand(u8),
    Modifier(u8),
    Absent,
}

/// A step of printing a row: writes a literal, or the operand or modifier with an index.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Step {
    Literal(String),
    Operand(u8),
}

/// Converts a template to the print steps of one row.
///
/// Names that are absent from the row are removed together with the separator before them. A blank separates the first
/// operand from the mnemonic.
pub fn steps(pieces: &[Piece], resolve: impl Fn(&str) -> Resolved) -> Vec<Step> {
    let mut out: Vec<Step> = Vec::new();
    let push_literal = |out: &mut Vec<Step>, text: &str| match out.last_mut() {
        Some(Step::Literal(last)) => last.push_str(text),
        _ => out.push(Step::Literal(text.to_string())),
    };
    // The separator before the next name.
    let mut pending = "";
    let mut has_operand = false;
    for piece in pieces {
        match piece {
            Piece::Literal(text) => {
                let (text, separator) = text.split_at(text.trim_end_matches([',', ' ']).len());
                if !text.is_empty() {
                    if has_operand {
                        push_literal(&mut out, text);
                    } else {
                        push_literal(&mut out, " ");
                        push_literal(&mut out, text.trim_start_matches([',', ' ']));
                    }
                    has_operand = true;
                }
                pending = separator;
            }
            Piece::Name(name) => {
                match resolve(name) {
                    Resolved::Absent => {}
                    Resolved::Modifier(at) => {
                        if has_operand {
                            push_literal(&mut out, pending);
                        }
                        out.push(Step::Operand(at));
                    }
                    Resolved::Operand(at) => {
                        push_literal(&mut out, if has_operand { pending } else { " " });
                        out.push(Step::Operand(at));
                        has_operand = true;
                    }
                }
                pending = "";
            }
        }
    }
    out.retain(|s| !matches!(s, Step::Literal(t) if t.is_empty()));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spanned(text: &str) -> SpannedStr {
        SpannedStr::new(text.to_string(), proc_macro2::Span::call_site())
    }

    /// Formats the steps of a template, an operand as `<index>`. `d`, `s` and `t` are operands 0 to 2, `m` is modifier 3.
    /// `absent` lists the names that are absent from the row.
    fn text(template: &str, absent: &str) -> String {
        let pieces = parse(&spanned(template)).unwrap_or_else(|e| panic!("{e:?}"));
        let resolve = |name: &str| match "dstm".find(name) {
            _ if absent.contains(name) => Resolved::Absent,
            Some(3) => Resolved::Modifier(3),
            at => Resolved::Operand(at.unwrap_or(9) as u8),
        };
        let step = |s: Step| match s {
            Step::Literal(text) => text,
            Step::Operand(at) => format!("<{at}>"),
        };
        steps(&pieces, resolve).into_iter().map(step).collect()
    }

    #[test]
    fn a_blank_precedes_the_first_operand() {
        assert_eq!(text("{d}, {s}", ""), " <0>, <1>");
        assert_eq!(text("", ""), "");
        assert_eq!(text("{m}", ""), "<3>");
        assert_eq!(text("off, {d}", ""), " off, <0>");
        assert_eq!(text("{m}, {d}", ""), "<3> <0>");
    }

    #[test]
    fn absent_names_are_removed_with_their_separators() {
        assert_eq!(text("{d}, {s}, {t}", "d"), " <1>, <2>");
        assert_eq!(text("{d}, {s}, {t}", "s"), " <0>, <2>");
        assert_eq!(text("{d}, {s}, {t}", "t"), " <0>, <1>");
        assert_eq!(text("{d}, {s}, {t}", "ds"), " <2>");
        assert_eq!(text("{d}, {s}, {t}", "dst"), "");
        assert_eq!(text("{d}, {s} {t}{m}", "s"), " <0> <2><3>");
        assert_eq!(text("{d}{m}, {s}", "m"), " <0>, <1>");
    }

    #[test]
    fn other_literals_are_unchanged() {
        assert_eq!(text("{d}, {s}({t})", ""), " <0>, <1>(<2>)");
        assert_eq!(text("{d}, {s}({t})", "s"), " <0>(<2>)");
        assert_eq!(text("{d}({s}), {t}", ""), " <0>(<1>), <2>");
        assert_eq!(text("{d}({s}), {t}", "t"), " <0>(<1>)");
        assert_eq!(text(", off {d}", ""), " off <0>");
    }

    #[test]
    fn braces_enclose_one_name() {
        let is_error = |t: &str| parse(&spanned(t)).is_err();
        assert!(is_error("{d") && is_error("d}") && is_error("{}") && is_error("{a b}") && is_error("{d}}"));
        assert!(!is_error("{d}{_x1}") && !is_error("plain"));
    }
}

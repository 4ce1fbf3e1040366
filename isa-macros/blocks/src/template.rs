//! Text templates: `"{d}, {s0}, {s1}{clamp}"`.

use crate::fault::Fault;
use crate::tree::Text;

/// A piece of a template.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Piece {
    Literal(String),
    Name(String),
}

/// Splits a template at its `{name}`s.
pub fn pieces(text: &Text) -> Result<Vec<Piece>, Fault> {
    let mut rest = text.as_str();
    let mut out = Vec::new();
    while let Some(open) = rest.find('{') {
        if open > 0 {
            out.push(Piece::Literal(rest[..open].to_string()));
        }
        let Some(close) = rest[open..].find('}') else {
            return Err(Fault::new(text.span(), "a `{` without its `}`: write `{role}`"));
        };
        let name = &rest[open + 1..open + close];
        if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
            let say = format!("`{{{name}}}` is no name: write the name of a role or modifier between the braces");
            return Err(Fault::new(text.span(), say));
        }
        out.push(Piece::Name(name.to_string()));
        rest = &rest[open + close + 1..];
    }
    if rest.contains('}') {
        return Err(Fault::new(text.span(), "a `}` without its `{`: write `{role}`"));
    }
    if !rest.is_empty() {
        out.push(Piece::Literal(rest.to_string()));
    }
    Ok(out)
}

/// What a name in a template is for a row.
pub enum Named {
    Operand(u8),
    Modifier(u8),
    Absent,
}

/// A step of the finished text.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Step {
    Literal(String),
    Operand(u8),
}

/// The steps of a template for one row: what the row has not falls out together with the separator before it, and the
/// first operand is set off from the mnemonic by a blank.
pub fn steps(pieces: &[Piece], named: impl Fn(&str) -> Named) -> Vec<Step> {
    let mut out: Vec<Step> = Vec::new();
    let literal = |out: &mut Vec<Step>, text: &str| match out.last_mut() {
        Some(Step::Literal(last)) => last.push_str(text),
        _ => out.push(Step::Literal(text.to_string())),
    };
    let mut pending = "";
    let mut begun = false;
    for piece in pieces {
        match piece {
            Piece::Literal(text) => {
                // The separator at its end belongs to what follows.
                let (kept, separator) = text.split_at(text.trim_end_matches([',', ' ']).len());
                if !kept.is_empty() {
                    if begun {
                        literal(&mut out, kept);
                    } else {
                        literal(&mut out, " ");
                        literal(&mut out, kept.trim_start_matches([',', ' ']));
                    }
                    begun = true;
                }
                pending = separator;
            }
            Piece::Name(name) => {
                match named(name) {
                    Named::Absent => {}
                    Named::Modifier(at) => {
                        if begun {
                            literal(&mut out, pending);
                        }
                        out.push(Step::Operand(at));
                    }
                    Named::Operand(at) => {
                        literal(&mut out, if begun { pending } else { " " });
                        out.push(Step::Operand(at));
                        begun = true;
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

    fn given(text: &str) -> Text {
        Text::new(text.to_string(), proc_macro2::Span::call_site())
    }

    /// The steps of a template where `d`, `s` and `t` are operands 0 to 2 and `m` is a modifier, as text: `<n>` is an
    /// operand. `absent` lists what the row has not.
    fn text(template: &str, absent: &str) -> String {
        let pieces = pieces(&given(template)).unwrap_or_else(|e| panic!("{e:?}"));
        let named = |name: &str| match "dstm".find(name) {
            _ if absent.contains(name) => Named::Absent,
            Some(3) => Named::Modifier(3),
            at => Named::Operand(at.unwrap_or(9) as u8),
        };
        let step = |s: Step| match s {
            Step::Literal(text) => text,
            Step::Operand(at) => format!("<{at}>"),
        };
        steps(&pieces, named).into_iter().map(step).collect()
    }

    #[test]
    fn a_blank_sets_off_the_first_operand() {
        assert_eq!(text("{d}, {s}", ""), " <0>, <1>");
        assert_eq!(text("", ""), "");
        assert_eq!(text("{m}", ""), "<3>");
        assert_eq!(text("off, {d}", ""), " off, <0>");
        assert_eq!(text("{m}, {d}", ""), "<3> <0>");
    }

    #[test]
    fn what_is_absent_goes_with_the_separator_before_it() {
        assert_eq!(text("{d}, {s}, {t}", "d"), " <1>, <2>");
        assert_eq!(text("{d}, {s}, {t}", "s"), " <0>, <2>");
        assert_eq!(text("{d}, {s}, {t}", "t"), " <0>, <1>");
        assert_eq!(text("{d}, {s}, {t}", "ds"), " <2>");
        assert_eq!(text("{d}, {s}, {t}", "dst"), "");
        assert_eq!(text("{d}, {s} {t}{m}", "s"), " <0> <2><3>");
        assert_eq!(text("{d}{m}, {s}", "m"), " <0>, <1>");
    }

    #[test]
    fn other_characters_stay() {
        assert_eq!(text("{d}, {s}({t})", ""), " <0>, <1>(<2>)");
        assert_eq!(text("{d}, {s}({t})", "s"), " <0>(<2>)");
        assert_eq!(text("{d}({s}), {t}", ""), " <0>(<1>), <2>");
        assert_eq!(text("{d}({s}), {t}", "t"), " <0>(<1>)");
        assert_eq!(text(", off {d}", ""), " off <0>");
    }

    #[test]
    fn braces_come_in_pairs_around_a_name() {
        let fault = |t: &str| pieces(&given(t)).is_err();
        assert!(fault("{d") && fault("d}") && fault("{}") && fault("{a b}") && fault("{d}}"));
        assert!(!fault("{d}{_x1}") && !fault("plain"));
    }
}

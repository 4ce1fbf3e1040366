//! Text templates: `"{d}, {s0}, {s1}{clamp}"`.

use syn::LitStr;

/// A piece of a template.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Piece {
    Literal(String),
    Name(String),
}

/// Splits a template at its `{name}`s.
pub fn pieces(text: &LitStr) -> syn::Result<Vec<Piece>> {
    let all = text.value();
    let mut rest = all.as_str();
    let mut out = Vec::new();
    while let Some(open) = rest.find('{') {
        if open > 0 {
            out.push(Piece::Literal(rest[..open].to_string()));
        }
        let Some(close) = rest[open..].find('}') else {
            return Err(syn::Error::new(text.span(), "a `{` without its `}`: write `{role}`"));
        };
        let name = &rest[open + 1..open + close];
        if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
            let say = format!("`{{{name}}}` is no name: write the name of a role or modifier between the braces");
            return Err(syn::Error::new(text.span(), say));
        }
        out.push(Piece::Name(name.to_string()));
        rest = &rest[open + close + 1..];
    }
    if rest.contains('}') {
        return Err(syn::Error::new(text.span(), "a `}` without its `{`: write `{role}`"));
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
    let separator = |text: &str| text.chars().all(|c| c == ',' || c == ' ');
    let mut pending = "";
    let mut begun = false;
    for piece in pieces {
        match piece {
            Piece::Literal(text) if separator(text) => pending = text,
            Piece::Literal(text) => {
                let text = if begun { text.as_str() } else { text.trim_start_matches([',', ' ']) };
                if !begun {
                    literal(&mut out, " ");
                }
                literal(&mut out, text);
                begun = true;
                pending = "";
            }
            Piece::Name(name) => match named(name) {
                Named::Absent => pending = "",
                Named::Modifier(at) => {
                    if begun {
                        literal(&mut out, pending);
                    }
                    out.push(Step::Operand(at));
                    pending = "";
                }
                Named::Operand(at) => {
                    literal(&mut out, if begun { pending } else { " " });
                    out.push(Step::Operand(at));
                    begun = true;
                    pending = "";
                }
            },
        }
    }
    out.retain(|s| !matches!(s, Step::Literal(t) if t.is_empty()));
    out
}

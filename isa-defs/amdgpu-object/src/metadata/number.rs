//! Scalars of YAML as LLVM reads them, quoted or not: numbers, truth values and texts.

use super::value::Value;

/// The type that a tag gives a scalar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScalarTag {
    /// No tag: the text decides.
    None,
    /// `!int`.
    Int,
    /// `!nil`.
    Nil,
    /// `!bool`.
    Bool,
    /// `!float`.
    Float,
    /// `!str`, and tags that LLVM does not know.
    Text,
}

/// Reads a scalar. The error is a message.
pub fn scalar(text: &str, tag: ScalarTag) -> Result<Value, &'static str> {
    match tag {
        ScalarTag::None => {
            if let Some(number) = integer(text) {
                return Ok(number);
            }
            match text {
                "true" => Ok(Value::Bool(true)),
                "false" => Ok(Value::Bool(false)),
                _ => Ok(float(text)?.map_or_else(|| Value::Text(text.into()), Value::Float)),
            }
        }
        ScalarTag::Int => integer(text).ok_or("a tag `!int` needs a whole number"),
        ScalarTag::Nil => Ok(Value::Nil),
        ScalarTag::Bool => boolean(text).map(Value::Bool).ok_or("a tag `!bool` needs `true` or `false`"),
        ScalarTag::Float => float(text)?.map(Value::Float).ok_or("a tag `!float` needs a number"),
        ScalarTag::Text => Ok(Value::Text(text.into())),
    }
}

fn integer(text: &str) -> Option<Value> {
    if let Some((number, "")) = leading_unsigned(text) {
        return Some(Value::UInt(number));
    }
    let (magnitude, rest) = leading_unsigned(text.strip_prefix('-')?)?;
    if !rest.is_empty() {
        return None;
    }
    0i64.checked_sub_unsigned(magnitude).map(Value::Int)
}

/// Reads the unsigned number at the beginning of a text, in the base that its prefix says, and returns what follows it. `None` if
/// there is no digit or the number has more than 64 bits.
pub fn leading_unsigned(text: &str) -> Option<(u64, &str)> {
    let prefix = text.get(..2).unwrap_or_default();
    let (base, digits) = match prefix {
        "0x" | "0X" => (16, &text[2..]),
        "0b" | "0B" => (2, &text[2..]),
        "0o" => (8, &text[2..]),
        _ if prefix.starts_with('0') && prefix.ends_with(|c: char| c.is_ascii_digit()) => (8, &text[1..]),
        _ => (10, text),
    };
    let len = digits.find(|c: char| !c.is_digit(base)).unwrap_or(digits.len());
    let number = u64::from_str_radix(&digits[..len], base).ok()?;
    Some((number, &digits[len..]))
}

/// Reads a number as C's `strtod` does, which takes the empty text for zero. Hexadecimal ones are refused: compilers write none.
fn float(text: &str) -> Result<Option<f64>, &'static str> {
    if text.is_empty() {
        return Ok(Some(0.0));
    }
    let bare = text.trim_start_matches([' ', '\t', '\n', '\x0b', '\x0c', '\r']);
    let bare = bare.split_once('\0').map_or(bare, |(before, _)| before);
    let unsigned = bare.strip_prefix(['+', '-']).unwrap_or(bare);
    if let Some(hex) = unsigned.strip_prefix("0x").or_else(|| unsigned.strip_prefix("0X")) {
        let is_number = hex.starts_with(|c: char| c == '.' || c.is_ascii_hexdigit())
            && hex.chars().all(|c| c.is_ascii_hexdigit() || matches!(c, '.' | 'p' | 'P' | '+' | '-'));
        return if is_number {
            Err("a hexadecimal number has a fraction, an exponent or more than 64 bits")
        } else {
            Ok(None)
        };
    }
    if unsigned.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("nan(")) && unsigned.ends_with(')') {
        return Err("a number is written `nan(…)`");
    }
    Ok(bare.parse().ok())
}

/// Reads a truth value in the forms of YAML 1.1, in small letters, in capital letters or with one capital letter in front.
fn boolean(text: &str) -> Option<bool> {
    let small = text.to_ascii_lowercase();
    let value = match small.as_str() {
        "y" | "yes" | "on" | "true" => true,
        "n" | "no" | "off" | "false" => false,
        _ => return None,
    };
    let rest = text.get(1..)?;
    let is_uniform = rest == &small[1..] || *text == text.to_ascii_uppercase();
    is_uniform.then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scalars_are_what_llvm_takes_them_for() {
        let text = |text: &str| Value::Text(text.into());
        for (source, expected) in [
            ("1", Value::UInt(1)),
            ("0x10", Value::UInt(16)),
            ("010", Value::UInt(8)),
            ("0b11", Value::UInt(3)),
            ("0o7", Value::UInt(7)),
            ("-5", Value::Int(-5)),
            ("-0x5", Value::Int(-5)),
            ("18446744073709551615", Value::UInt(u64::MAX)),
            ("18446744073709551616", Value::Float(18_446_744_073_709_551_616.0)),
            ("-9223372036854775808", Value::Int(i64::MIN)),
            ("-9223372036854775809", Value::Float(-9_223_372_036_854_775_808.0)),
            ("+5", Value::Float(5.0)),
            ("08", Value::Float(8.0)),
            (" 5", Value::Float(5.0)),
            ("", Value::Float(0.0)),
            ("1e5", Value::Float(1e5)),
            ("inf", Value::Float(f64::INFINITY)),
            ("true", Value::Bool(true)),
            ("True", text("True")),
            ("yes", text("yes")),
            ("5 ", text("5 ")),
            ("1_000", text("1_000")),
            ("0x", text("0x")),
            ("null", text("null")),
            ("-", text("-")),
            (".inf", text(".inf")),
            ("é", text("é")),
        ] {
            assert_eq!(scalar(source, ScalarTag::None), Ok(expected), "{source:?}");
        }
        assert!(scalar("0x1p4", ScalarTag::None).is_err());
        assert_eq!(scalar("5", ScalarTag::Text), Ok(text("5")));
        assert_eq!(scalar("Yes", ScalarTag::Bool), Ok(Value::Bool(true)));
        assert!(scalar("yES", ScalarTag::Bool).is_err());
        assert!(scalar("foo", ScalarTag::Int).is_err());
    }
}

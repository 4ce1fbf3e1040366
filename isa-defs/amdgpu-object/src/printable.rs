//! Text for terminals.

/// Converts bytes to text for a terminal: replaces invalid UTF-8 and escapes control characters.
#[must_use]
pub fn printable(bytes: &[u8]) -> String {
    let mut text = String::new();
    for c in String::from_utf8_lossy(bytes).chars() {
        if c.is_control() {
            text.extend(c.escape_default());
        } else {
            text.push(c);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped() {
        assert_eq!(printable(b"kernel"), "kernel");
        assert_eq!(printable(b"a\x1b[31m\tb"), "a\\u{1b}[31m\\tb");
        assert_eq!(printable(b"\xff"), "\u{fffd}");
    }
}

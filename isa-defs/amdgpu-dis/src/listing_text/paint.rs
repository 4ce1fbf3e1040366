//! Colours for a listing. The first characters of a word of LLVM's text determine its colour.

use std::io::Write;

use anstyle::{AnsiColor, Style};

const MNEMONIC: Style = AnsiColor::Blue.on_default().bold();
const REGISTER: Style = AnsiColor::Green.on_default();
const NUMBER: Style = AnsiColor::Magenta.on_default();
const COMMENT: Style = Style::new().dimmed();
const LABEL: Style = AnsiColor::Yellow.on_default().bold();
const REMARK: Style = AnsiColor::Red.on_default();

/// Names of registers that have no number, as LLVM writes them.
const NAMED: &[&str] = &[
    "vcc",
    "vcc_lo",
    "vcc_hi",
    "exec",
    "exec_lo",
    "exec_hi",
    "scc",
    "m0",
    "null",
    "tma",
    "tba",
    "flat_scratch",
    "flat_scratch_lo",
    "flat_scratch_hi",
    "xnack_mask",
    "xnack_mask_lo",
    "xnack_mask_hi",
    "off",
];

/// Writes text with colours or without.
#[derive(Debug, Clone, Copy)]
pub struct Paint {
    on: bool,
}

impl Paint {
    /// A painter with colours or without.
    pub fn new(on: bool) -> Self {
        Self { on }
    }

    /// Returns whether there are colours.
    #[inline]
    pub fn is_on(self) -> bool {
        self.on
    }

    /// Appends a comment: addresses, words and remarks on symbols.
    pub fn comment(self, out: &mut Vec<u8>, text: &[u8]) {
        self.styled(out, COMMENT, text);
    }

    /// Appends the same with a function.
    pub fn comment_with(self, out: &mut Vec<u8>, write: impl FnOnce(&mut Vec<u8>)) {
        self.around(out, COMMENT, write);
    }

    /// Appends a warning.
    pub fn remark(self, out: &mut Vec<u8>, text: &[u8]) {
        self.styled(out, REMARK, text);
    }

    /// Appends a label or symbol.
    pub fn label(self, out: &mut Vec<u8>, text: &[u8]) {
        self.styled(out, LABEL, text);
    }

    /// Appends the same with a function.
    pub fn label_with(self, out: &mut Vec<u8>, write: impl FnOnce(&mut Vec<u8>)) {
        self.around(out, LABEL, write);
    }

    /// Appends the text of an instruction or directive: mnemonics, registers and numbers.
    #[inline]
    pub fn instruction(self, out: &mut Vec<u8>, text: &[u8]) {
        if self.on
            && let Ok(text) = std::str::from_utf8(text)
        {
            self.colored(out, text);
        } else {
            out.extend_from_slice(text);
        }
    }

    fn colored(self, out: &mut Vec<u8>, text: &str) {
        let mut rest = text;
        // The first word is a mnemonic, and so is the one after the `::` of two instructions in one.
        let mut mnemonic = true;
        while !rest.is_empty() {
            let end = rest.find(|c| !in_word(c)).unwrap_or(rest.len());
            let (word, after) = rest.split_at(end);
            if word.is_empty() {
                let end = rest.find(in_word).unwrap_or(rest.len());
                let (between, after) = rest.split_at(end);
                mnemonic |= between.contains("::");
                out.extend_from_slice(between.as_bytes());
                rest = after;
                continue;
            }
            // `s[0:1]` is one register, `offset:16` a name and a number.
            let range = register_range(word, after);
            let (word, after) = rest.split_at(end + range);
            match style(word, mnemonic) {
                Some(style) => self.styled(out, style, word.as_bytes()),
                None => out.extend_from_slice(word.as_bytes()),
            }
            mnemonic = false;
            rest = after;
        }
    }

    fn styled(self, out: &mut Vec<u8>, style: Style, text: &[u8]) {
        if text.is_empty() {
            return;
        }
        self.around(out, style, |out| out.extend_from_slice(text));
    }

    #[inline]
    fn around(self, out: &mut Vec<u8>, style: Style, write: impl FnOnce(&mut Vec<u8>)) {
        // Writing to memory does not fail.
        if self.on {
            let _ = write!(out, "{style}");
        }
        write(out);
        if self.on {
            let _ = write!(out, "{style:#}");
        }
    }
}

fn in_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '.')
}

/// The bytes of `[…]` that follow the name of a register file.
fn register_range(word: &str, after: &str) -> usize {
    if matches!(word, "v" | "s" | "ttmp" | "a") && after.starts_with('[') {
        after.find(']').map_or(0, |at| at + 1)
    } else {
        0
    }
}

fn style(word: &str, mnemonic: bool) -> Option<Style> {
    if mnemonic {
        return Some(MNEMONIC);
    }
    let digits = |rest: &str| rest.starts_with(|c: char| c.is_ascii_digit() || c == '[');
    let file = ["ttmp", "attr", "v", "s", "a"].iter().any(|file| word.strip_prefix(file).is_some_and(digits));
    if file || NAMED.contains(&word) || word.starts_with("src_") {
        Some(REGISTER)
    } else if digits(word) {
        Some(NUMBER)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn painted(text: &str) -> String {
        let mut out = Vec::new();
        Paint::new(true).instruction(&mut out, text.as_bytes());
        String::from_utf8(out).unwrap()
    }

    /// The words that got this style.
    fn styled(text: &str, style: Style) -> Vec<String> {
        let (open, close) = (style.to_string(), format!("{style:#}"));
        let painted = painted(text);
        let parts = painted.split(&open).skip(1);
        parts.map(|p| p.split(&close).next().unwrap_or("").to_owned()).collect()
    }

    #[test]
    fn words_are_told_apart() {
        let text = "s_load_b64 s[0:1], s[4:5], 0x10 offset:16";
        assert_eq!(styled(text, MNEMONIC), ["s_load_b64"]);
        assert_eq!(styled(text, REGISTER), ["s[0:1]", "s[4:5]"]);
        assert_eq!(styled(text, NUMBER), ["0x10", "16"]);
        let text = "v_dual_mov_b32 v6, 0 :: v_dual_mov_b32 v7, vcc_lo";
        assert_eq!(styled(text, MNEMONIC), ["v_dual_mov_b32", "v_dual_mov_b32"]);
        assert_eq!(styled(text, REGISTER), ["v6", "v7", "vcc_lo"]);
    }

    #[test]
    fn colours_change_no_text() {
        for text in [
            "v_cmp_class_f16_e64 s[0:1], -|v1.l|, 0.15915494",
            "s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(SALU_CYCLE_1)",
            "exp mrt0 v0, off, off, off done",
            "s[",
            "",
            "ä v[é",
        ] {
            let stripped = anstream::adapter::strip_str(&painted(text)).to_string();
            assert_eq!(stripped, text);
            let mut plain = Vec::new();
            Paint::new(false).instruction(&mut plain, text.as_bytes());
            assert_eq!(plain, text.as_bytes());
        }
    }
}

//! White space and comments of YAML that LLVM skips and the YAML parser refuses, such as the tabs of indented JSON.

/// Replaces tabs, line breaks and comments between the tokens of flow collections by blanks, and tabs before a flow collection and after
/// a colon. One blank replaces each character, so that positions stay the same.
pub(super) fn with_blanks(text: &str) -> String {
    let mut scanner =
        Scanner { chars: text.chars().collect(), at: 0, column: 0, replaced: Vec::new(), is_broken: false };
    while scanner.at < scanner.chars.len() {
        scanner.line();
    }
    scanner.chars.into_iter().collect()
}

struct Scanner {
    chars: Vec<char>,
    at: usize,
    /// The column of the key or of the last `-` in the current line, which the lines of a block scalar exceed.
    column: usize,
    /// What was replaced since the last flow collection began: positions and characters.
    replaced: Vec<(usize, char)>,
    /// Whether a flow collection has no end, so that the rest of the text is left alone.
    is_broken: bool,
}

/// White space that is searched for the token after a line break: the search starts anew at each line.
const MAX_SPACE: usize = 1 << 10;

impl Scanner {
    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn blank(&mut self, at: usize) {
        if let Some(c) = self.chars.get_mut(at) {
            self.replaced.push((at, std::mem::replace(c, ' ')));
        }
    }

    /// Skips blanks and tabs. Returns the number of them.
    fn skip_blanks(&mut self) -> usize {
        let start = self.at;
        while matches!(self.peek(), Some(' ' | '\t')) {
            self.at += 1;
        }
        self.at - start
    }

    fn skip_line(&mut self) {
        while self.peek().is_some_and(|c| c != '\n') {
            self.at += 1;
        }
        self.at += 1;
    }

    /// Scans a line that begins outside of flow collections.
    fn line(&mut self) {
        let start = self.at;
        self.skip_blanks();
        if !self.is_broken && matches!(self.peek(), Some('{' | '[')) {
            (start..self.at).for_each(|at| self.blank(at));
        }
        self.column = self.at - start;
        let mut is_start = true;
        while let Some(c) = self.peek() {
            let ends = self.chars.get(self.at + 1).is_none_or(|next| next.is_ascii_whitespace());
            match c {
                '\n' => break,
                '{' | '[' if is_start && !self.is_broken => {
                    self.flow();
                    is_start = false;
                }
                '"' | '\'' if is_start => {
                    self.quoted(c);
                    is_start = false;
                }
                '|' | '>' if is_start => return self.block_scalar(),
                '#' if is_start || self.at.checked_sub(1).is_some_and(|at| self.chars[at].is_ascii_whitespace()) => {
                    break;
                }
                '-' | '?' if is_start && ends => {
                    let dash = self.at - start;
                    self.at += 1;
                    self.skip_blanks();
                    let is_scalar = matches!(self.peek(), Some('|' | '>'));
                    self.column = if is_scalar { dash } else { self.at - start };
                }
                '&' | '!' if is_start => {
                    while self.peek().is_some_and(|c| !c.is_ascii_whitespace()) {
                        self.at += 1;
                    }
                    self.skip_blanks();
                }
                ':' if ends => {
                    self.at += 1;
                    let blanks = self.skip_blanks();
                    (self.at - blanks..self.at).for_each(|at| self.blank(at));
                    is_start = true;
                }
                '-' if is_start && self.at == start && self.chars[self.at..].starts_with(&['-', '-', '-']) => {
                    self.at += 3;
                    self.skip_blanks();
                }
                _ => {
                    self.at += 1;
                    is_start = false;
                }
            }
        }
        self.skip_line();
    }

    /// Skips a block scalar: the rest of its line, and the lines that are empty or indented more than its key.
    fn block_scalar(&mut self) {
        self.skip_line();
        loop {
            let start = self.at;
            let indentation = self.chars.get(start..).map_or(0, |rest| rest.iter().take_while(|c| **c == ' ').count());
            match self.chars.get(start + indentation) {
                Some('\n' | '\r') => {}
                Some(_) if indentation > self.column => {}
                _ => return,
            }
            self.skip_line();
        }
    }

    /// Skips a quoted scalar. Tabs at the beginnings of its lines become blanks: folding removes them.
    fn quoted(&mut self, quote: char) {
        self.at += 1;
        while let Some(c) = self.peek() {
            self.at += 1;
            match c {
                '\\' if quote == '"' => self.at += 1,
                '\n' => {
                    let blanks = self.skip_blanks();
                    (self.at - blanks..self.at).for_each(|at| self.blank(at));
                }
                // Two single quotes are one in the text.
                '\'' if c == quote && self.peek() == Some('\'') => self.at += 1,
                _ if c == quote => return,
                _ => {}
            }
        }
    }

    /// Scans a flow collection, which is left alone if it has no end.
    fn flow(&mut self) {
        let start = self.at;
        self.replaced.clear();
        let mut depth = 0_usize;
        let mut is_start = true;
        let mut last = ' ';
        while let Some(c) = self.peek() {
            match c {
                '"' | '\'' if is_start => {
                    self.quoted(c);
                    (is_start, last) = (false, c);
                    continue;
                }
                '#' if is_start || self.chars[self.at - 1].is_ascii_whitespace() => {
                    while self.peek().is_some_and(|c| c != '\n') {
                        self.blank(self.at);
                        self.at += 1;
                    }
                    continue;
                }
                '\t' => self.blank(self.at),
                '\n' => {
                    let next = self.chars[self.at..].iter().take(MAX_SPACE).find(|c| !c.is_ascii_whitespace());
                    if matches!(last, ',' | '[' | '{' | ':') || matches!(next, Some(',' | ']' | '}')) {
                        self.blank(self.at);
                        if self.chars[self.at - 1] == '\r' {
                            self.blank(self.at - 1);
                        }
                    }
                }
                ' ' | '\r' => {}
                '[' | '{' => (depth, is_start, last) = (depth + 1, true, c),
                ']' | '}' => {
                    (depth, is_start, last) = (depth - 1, false, c);
                    if depth == 0 {
                        self.at += 1;
                        if self.peek() == Some('#') {
                            while self.peek().is_some_and(|c| c != '\n') {
                                self.blank(self.at);
                                self.at += 1;
                            }
                        }
                        return;
                    }
                }
                ',' | ':' => (is_start, last) = (true, c),
                _ => (is_start, last) = (false, c),
            }
            self.at += 1;
        }
        for (at, c) in self.replaced.drain(..) {
            self.chars[at] = c;
        }
        (self.at, self.is_broken) = (start + 1, true);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_between_tokens_becomes_blanks() {
        for (text, expected) in [
            ("{\n\t\"a\": 1,\n\t\"b\": [\n\t\t2\n\t]\n}\n", "{  \"a\": 1,  \"b\": [   2  ] }\n"),
            ("x: [\n1,\r\n2 # c\n]\ny: 1", "x: [ 1,  2     ]\ny: 1"),
            ("x:\t1\n\t- y\n", "x: 1\n\t- y\n"),
            ("\t{a:\tb}# c\n", " {a: b}   \n"),
            ("x: \"a\t,\n\tb\"\n", "x: \"a\t,\n b\"\n"),
            ("x: [\"a\\\"\t,\n\tb\", 'c''\t']\n", "x: [\"a\\\"\t,\n b\", 'c''\t']\n"),
            ("x: |\n  [\n  \ty\n  {\tz\n\nk: {\ta}\n", "x: |\n  [\n  \ty\n  {\tz\n\nk: { a}\n"),
            ("- a: |\n    [\t\n  b: [\t1]\n- >\n [\t\n- [\t]\n", "- a: |\n    [\t\n  b: [ 1]\n- >\n [\t\n- [ ]\n"),
            ("x: a[\tb\ny: [it's,\tb]\n", "x: a[\tb\ny: [it's, b]\n"),
            ("x: [a\n  b]\n", "x: [a\n  b]\n"),
            ("x: &a !t [\t1]\n--- {\ta: 1}\n", "x: &a !t [ 1]\n--- { a: 1}\n"),
            ("x: [\t1\ny: 2\n", "x: [\t1\ny: 2\n"),
            ("# [\t\nx: a # [\t\n", "# [\t\nx: a # [\t\n"),
        ] {
            assert_eq!(with_blanks(text), expected, "{text:?}");
        }
    }

    #[test]
    fn any_text_keeps_its_length() {
        let parts = [
            "{", "[", "]", "}", "\"", "'", "\\", "\n", "\t", " ", "#", "a", ":", "-", "|", ">", "é", ",", "---", "&",
            "\r",
        ];
        let mut state = 1_u64;
        for _ in 0..20_000 {
            let mut text = String::new();
            for _ in 0..12 {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                text += parts[(state >> 33) as usize % parts.len()];
            }
            assert_eq!(with_blanks(&text).chars().count(), text.chars().count(), "{text:?}");
        }
    }
}

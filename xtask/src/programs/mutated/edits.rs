//! Random changes to the lines of a program.

use std::ops::Range;

use crate::rng::Rng;

/// Names that are registers, modifiers or keywords elsewhere.
const NAMES: [&str; 12] = ["s1", "v0", "k", "glc", "offset", "m0", "exec_lo", "off", "gds", "dmask", "done", "v"];
/// Numbers at the ends of ranges of fields.
const NUMBERS: [&str; 22] = [
    "0",
    "1",
    "2",
    "3",
    "-1",
    "7",
    "8",
    "15",
    "16",
    "63",
    "64",
    "65",
    "-16",
    "-17",
    "127",
    "255",
    "256",
    "4095",
    "65535",
    "65536",
    "0x7fffffff",
    "0x80000000",
];

/// Lines without the YAML of `.amdgpu_metadata` and `.amdgpu_pal_metadata`, most changes of which are errors, and without lines that are comments.
pub fn without_metadata(lines: Vec<String>) -> Vec<String> {
    let mut inside = false;
    let is_kept = |line: &String| {
        let directive = line.trim_start();
        inside |= directive.starts_with(".amdgpu_metadata") || directive.starts_with(".amdgpu_pal_metadata");
        let kept = !inside && !directive.starts_with(';') && !directive.is_empty();
        inside &= !directive.starts_with(".end_amdgpu_");
        kept
    };
    lines.into_iter().filter(is_kept).collect()
}

/// A program with one to three changes.
pub fn changed(original: &[String], rng: &mut Rng) -> String {
    let mut edit = Edit { lines: original.to_vec(), rng, names: 0 };
    for _ in 0..=edit.rng.below(3) {
        edit.once();
    }
    let mut text = edit.lines.join("\n");
    text.push('\n');
    text
}

struct Edit<'a> {
    lines: Vec<String>,
    rng: &'a mut Rng,
    /// Names given so far.
    names: u32,
}

impl Edit<'_> {
    fn once(&mut self) {
        let at = self.anywhere();
        match self.rng.below(24) {
            0 => {
                self.lines.remove(at);
            }
            1 => {
                let line = self.lines[at].clone();
                self.lines.insert(at, line);
            }
            2 => {
                let other = self.anywhere();
                self.lines.swap(at, other);
            }
            3 => {
                let line = self.lines.remove(at);
                let to = self.anywhere();
                self.lines.insert(to, line);
            }
            4 | 5 => self.number(),
            6 => self.in_macro(),
            7 => {
                let count = self.rng.below(4);
                self.around(&format!(".rept {count}"), ".endr");
            }
            8 => {
                let condition = self.condition();
                self.around(&condition, ".endif");
            }
            9 => {
                let (begin, end) = self.section();
                self.around(&begin, &end);
            }
            10 | 11 => {
                let line = self.data();
                self.lines.insert(at, line);
            }
            12 => {
                let line = self.alignment();
                self.lines.insert(at, line);
            }
            13 | 14 => self.expression(),
            15 => {
                let line = self.definition();
                self.lines.insert(at, line);
            }
            16 => {
                let label = self.label();
                let branch = self.pick(&["s_branch", "s_cbranch_scc1", "s_cbranch_vccz", "s_cbranch_execnz"]);
                let instruction = self.instruction();
                self.lines.insert(instruction, format!("\t{branch} {label}"));
            }
            17 | 18 => {
                let line = self.attribute();
                self.lines.insert(at, line);
            }
            19 => self.comment(),
            20 => self.token(),
            21 => {
                let name = self.fresh("local");
                self.lines.insert(at, format!("{name}:"));
            }
            22 => self.numbered(),
            _ => {
                let (a, b) = (self.instruction(), self.instruction());
                self.lines.swap(a, b);
            }
        }
    }

    fn pick<'t>(&mut self, of: &[&'t str]) -> &'t str {
        of.get(self.rng.below(of.len())).copied().unwrap_or_default()
    }

    fn fresh(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}_{}", self.names)
    }

    /// A line's index; there always is one.
    fn anywhere(&mut self) -> usize {
        if self.lines.is_empty() {
            self.lines.push(String::new());
        }
        self.rng.below(self.lines.len())
    }

    /// The index of an instruction, or of any line where none is found.
    fn instruction(&mut self) -> usize {
        for _ in 0..20 {
            let at = self.anywhere();
            let line = self.lines[at].trim_start();
            if line.starts_with(|c: char| c.is_ascii_lowercase()) && !line.contains(':') && line.contains('_') {
                return at;
            }
        }
        self.anywhere()
    }

    /// A few lines from an instruction on.
    fn range(&mut self) -> Range<usize> {
        let from = self.instruction();
        from..self.lines.len().min(from + 1 + self.rng.below(6))
    }

    fn around(&mut self, begin: &str, end: &str) {
        let range = self.range();
        self.lines.insert(range.end, end.to_string());
        self.lines.insert(range.start, begin.to_string());
    }

    /// The name of a label or symbol of the program.
    fn label(&mut self) -> String {
        for _ in 0..60 {
            let at = self.anywhere();
            let line = self.lines[at].trim_start();
            if let Some((name, rest)) = line.split_once(':')
                && !name.is_empty()
                && name.chars().all(|c| c.is_ascii_alphanumeric() || "._$".contains(c))
                && (rest.is_empty() || rest.starts_with(' '))
            {
                return if name.starts_with(|c: char| c.is_ascii_digit()) {
                    format!("{name}b")
                } else {
                    name.to_string()
                };
            }
        }
        self.pick(&["nowhere", "elsewhere", "1f"]).to_string()
    }

    /// An expression over labels, symbols and the place of the expression.
    fn place(&mut self) -> String {
        let (a, b) = (self.label(), self.label());
        let number = self.pick(&NUMBERS);
        match self.rng.below(16) {
            0 => format!("{a}-."),
            1 => format!(".-{a}"),
            2 | 3 => format!("{a}-{b}"),
            4 => format!("({a}-{b})/4"),
            5 => format!("({a}-{b})&{number}"),
            6 => format!("({a}-{b})>>32"),
            7 => format!("({a}-{b})*2+{number}"),
            8 => a,
            9 => format!("{a}+{number}"),
            10 => ".".into(),
            11 => format!("-({a}-{b})"),
            12 => format!("{a}-{b}-{number}"),
            13 => format!("({a}-{b})<<2|1"),
            14 => format!("{a}@rel32@lo+4"),
            _ => number.into(),
        }
    }

    fn data(&mut self) -> String {
        let directive = self.pick(&[
            ".long", ".long", ".byte", ".short", ".quad", ".int", ".hword", ".word", ".2byte", ".4byte", ".8byte",
            ".uleb128", ".sleb128",
        ]);
        let items: Vec<String> = (0..=self.rng.below(3)).map(|_| self.place()).collect();
        format!("\t{directive} {}", items.join(self.pick(&[", ", ",", " , "])))
    }

    fn alignment(&mut self) -> String {
        let small = self.rng.below(7);
        match self.rng.below(11) {
            0 => format!("\t.p2align {small}"),
            1 => format!("\t.p2align {small}, 0"),
            2 => format!("\t.p2align {small}, , {}", self.rng.below(9)),
            3 => format!("\t.balign {}", 1 << small),
            4 => format!("\t.fill {small}, {}, {}", 1 << self.rng.below(4), self.pick(&NUMBERS)),
            5 => format!("\t.skip {}", 4 * small),
            6 => format!("\t.zero {}", 4 * small),
            7 => format!("\t.org .+{}", 4 * small),
            8 => format!("\t.fill ({}-{})/4, 4, 0", self.label(), self.label()),
            9 => format!("\t.org {}+{}", self.label(), 64 * small),
            _ => format!("\t.space {}, {}", 4 * small, self.pick(&NUMBERS)),
        }
    }

    fn section(&mut self) -> (String, String) {
        let begin = self.pick(&[
            ".section .data,\"aw\",@progbits",
            ".section .rodata,\"a\",@progbits",
            ".section .rodata.str1.1,\"aMS\",@progbits,1",
            ".section .text.apart,\"ax\",@progbits",
            ".section \".quoted name\",\"a\"",
            ".section .bss,\"aw\",@nobits",
            ".section .note.mine,\"\",@note",
            ".section .mine",
            ".data",
            ".text 1",
            ".text 2",
        ]);
        match self.rng.below(4) {
            0 => (format!("\t.pushsection {}", begin.trim_start_matches(".section ")), "\t.popsection".into()),
            1 => (format!("\t{begin}"), "\t.previous".into()),
            2 => (format!("\t.subsection {}", self.rng.below(3)), "\t.subsection 0".into()),
            _ => (format!("\t{begin}"), "\t.text".into()),
        }
    }

    fn condition(&mut self) -> String {
        let label = self.label();
        match self.rng.below(8) {
            0 => ".if 1".into(),
            1 => ".if 0".into(),
            2 => format!(".ifdef {label}"),
            3 => format!(".ifndef {label}"),
            4 => format!(".if {}", self.place()),
            5 => format!(".if {} > {}", self.place(), self.pick(&NUMBERS)),
            6 => format!(".ifeq {}", self.place()),
            _ => ".if .amdgcn.gfx_generation_number == 11".into(),
        }
    }

    fn definition(&mut self) -> String {
        let name = if self.rng.once_in(2) { self.pick(&NAMES).to_string() } else { self.fresh("value") };
        let value = self.place();
        match self.rng.below(4) {
            0 => format!("\t.set {name}, {value}"),
            1 => format!("{name} = {value}"),
            2 => format!("\t.equ {name}, {value}"),
            _ => format!("\t.set {name}, {}", self.pick(&NUMBERS)),
        }
    }

    fn attribute(&mut self) -> String {
        let label = self.label();
        match self.rng.below(14) {
            0 => format!("\t.globl {label}"),
            1 => format!("\t.weak {label}"),
            2 => format!("\t.hidden {label}"),
            3 => format!("\t.protected {label}"),
            4 => format!("\t.local {label}"),
            5 => format!("\t.size {label}, {}", self.place()),
            6 => format!("\t.size {label}, .-{label}"),
            7 => format!("\t.type {label},@{}", self.pick(&["function", "object", "notype", "common"])),
            8 => format!("\t.comm {label}_common, {}, 8", self.pick(&NUMBERS)),
            9 => format!("\t.amdgpu_lds {label}_lds, {}, 16", self.pick(&NUMBERS)),
            10 => format!("\t.ident \"{label}\""),
            11 => format!("\t.internal {label}"),
            12 => format!("\t.amdhsa_next_free_vgpr {}", self.pick(&NUMBERS)),
            _ => format!("\t.asciz \"{label}\\n\\101\""),
        }
    }

    fn in_macro(&mut self) {
        let range = self.range();
        let name = self.fresh("m");
        let mut body: Vec<String> = self.lines.drain(range.clone()).collect();
        let mut parameter = String::new();
        let mut argument = String::new();
        // One number of the body becomes an argument.
        if self.rng.once_in(2)
            && let Some((at, number)) =
                body.iter().enumerate().find_map(|(at, line)| Some((at, numbers(line).into_iter().next()?)))
        {
            argument = body[at][number.clone()].to_string();
            body[at].replace_range(number, "\\p");
            parameter = " p".into();
        }
        let uses = 1 + self.rng.below(2);
        let mut lines = vec![format!(".macro {name}{parameter}")];
        lines.append(&mut body);
        lines.push(".endm".into());
        lines.extend((0..uses).map(|_| format!("\t{name} {argument}")));
        self.lines.splice(range.start..range.start, lines);
    }

    fn number(&mut self) {
        for _ in 0..20 {
            let at = self.anywhere();
            let found = numbers(&self.lines[at]);
            if let Some(range) = found.get(self.rng.below(found.len())).cloned() {
                let new = self.pick(&NUMBERS);
                self.lines[at].replace_range(range, new);
                return;
            }
        }
    }

    /// A number becomes an expression.
    fn expression(&mut self) {
        for _ in 0..20 {
            let at = if self.rng.once_in(2) { self.instruction() } else { self.anywhere() };
            let found = numbers(&self.lines[at]);
            if let Some(range) = found.get(self.rng.below(found.len())).cloned() {
                let new = match self.rng.below(4) {
                    0 => self.pick(&NAMES).to_string(),
                    1 => format!("{}+{}", self.pick(&NAMES), self.pick(&NUMBERS)),
                    _ => self.place(),
                };
                self.lines[at].replace_range(range, &new);
                return;
            }
        }
    }

    fn comment(&mut self) {
        let at = self.instruction();
        let blanks: Vec<usize> = self.lines[at].match_indices([' ', ',', '\t']).map(|(at, _)| at).collect();
        let comment = self.pick(&["/* c */", " /* c, d */ ", "/**/", " ; c", " // c", "/* a\nb */"]);
        if let Some(to) = blanks.get(self.rng.below(blanks.len())) {
            self.lines[at].insert_str(*to, comment);
        }
    }

    /// A token becomes one of another line.
    fn token(&mut self) {
        let (at, from) = (self.instruction(), self.instruction());
        let (here, there) = (tokens(&self.lines[at]), tokens(&self.lines[from]));
        if here.is_empty() || there.is_empty() {
            return;
        }
        let new = self.lines[from][there[self.rng.below(there.len())].clone()].to_string();
        let old = here[self.rng.below(here.len())].clone();
        self.lines[at].replace_range(old, &new);
    }

    /// A numbered label, and branches and data that name it.
    fn numbered(&mut self) {
        let (a, b) = (self.instruction(), self.instruction());
        let (first, last) = (a.min(b), a.max(b));
        let (before, after) = match self.rng.below(3) {
            0 => ("7:", "\ts_branch 7b"),
            1 => ("\ts_cbranch_scc0 7f", "7: s_nop 0"),
            _ => ("\t.long 7f-., .-7f", "7:"),
        };
        self.lines.insert(last, after.into());
        self.lines.insert(first, before.into());
    }
}

/// Returns the ranges of the numbers in a line, except digits within names.
fn numbers(line: &str) -> Vec<Range<usize>> {
    tokens(line).into_iter().filter(|range| line[range.clone()].starts_with(|c: char| c.is_ascii_digit())).collect()
}

/// Where the words of a line are, before its comment.
fn tokens(line: &str) -> Vec<Range<usize>> {
    let end = line.find([';', '"']).or(line.find("//")).unwrap_or(line.len());
    let is_word = |c: char| c.is_ascii_alphanumeric() || "._$".contains(c);
    let mut found = Vec::new();
    let mut from = None;
    for (at, c) in line[..end].char_indices().chain([(end, ' ')]) {
        match (from, is_word(c)) {
            (None, true) => from = Some(at),
            (Some(begin), false) => {
                found.push(begin..at);
                from = None;
            }
            _ => {}
        }
    }
    found
}

//! Random programs with macros, repetitions, conditions and numbered labels.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Result, bail};

use crate::assembler::PROGRAM;
use crate::programs::assemblers::{self, Emit, Outcome, Target};
use crate::rng::Rng;

/// Draws programs and compares both answers on each; an error with the first program on which they differ.
pub fn compare(count: u64, seed: u64, target: Target<'_>, program: &Path, scratch: &Path) -> Result<()> {
    let path = scratch.join("program.s");
    let (mut lines, mut bytes, mut refused) = (0, 0, 0);
    for nth in 0..count {
        let source = Maker::new(Rng::named(seed, [nth.to_string().as_str()])).program();
        std::fs::write(&path, &source)?;
        let ours = assemblers::ours(program, &path, target, Emit::Object, &scratch.join("program.isa"))?;
        let llvm = assemblers::llvm(&path, target, &scratch.join("program.llvm"))?;
        let difference = match assemblers::outcome(ours, llvm)? {
            Outcome::Equal(size) => {
                bytes += size;
                None
            }
            Outcome::BothRefuse | Outcome::NoAnswer => {
                refused += 1;
                None
            }
            Outcome::Refused(messages) => Some(format!("isa asm refuses it: {}", beginning(&messages))),
            Outcome::Accepted(messages) => Some(format!("{PROGRAM} refuses it: {}", beginning(&messages))),
            Outcome::Differ(differences) => Some(differences.join("\n")),
        };
        if let Some(difference) = difference {
            bail!("program {nth} of seed {seed}:\n{source}\n{difference}");
        }
        lines += source.lines().count();
    }
    println!("{count} random programs of {lines} lines: the same {bytes} bytes; both refuse {refused} of them");
    // Refused programs compare no bytes.
    if refused > count / 4 { bail!("too many programs are refused") } else { Ok(()) }
}

/// The first lines of messages.
fn beginning(messages: &str) -> String {
    messages.lines().take(12).collect::<Vec<_>>().join("\n")
}

/// A name that bodies may name after a backslash.
#[derive(Clone)]
struct Parameter {
    name: String,
    /// Whether its values are numbers; otherwise they are text without quotes.
    number: bool,
    /// Whether it takes the rest of the arguments.
    rest: bool,
    default: bool,
    required: bool,
}

struct Macro {
    name: String,
    parameters: Vec<Parameter>,
}

/// Writes a program.
struct Maker {
    rng: Rng,
    out: String,
    macros: Vec<Macro>,
    /// Names given so far.
    names: u32,
    /// The nesting depth of the next lines.
    depth: u32,
    /// The number of bodies that enclose them.
    bodies: u32,
    /// Whether they belong to a macro.
    in_macro: bool,
}

/// Macro arguments whose blanks, commas and operators test where LLVM divides arguments.
const TEXTS: [&str; 18] = [
    "a",
    "x.y",
    "(3, 4)",
    "v[0:1]",
    "-v0",
    "|v1|",
    "a + b",
    "a+ b",
    "a +b",
    "!a",
    "(a b) * c",
    "a:b",
    "$3",
    "a % b",
    "",
    "~q",
    "a==b",
    "[p, q",
];

const LETTERS: &str = "abcnpqxyz";

impl Maker {
    fn new(rng: Rng) -> Self {
        Self { rng, out: String::new(), macros: Vec::new(), names: 0, depth: 0, bodies: 0, in_macro: false }
    }

    fn program(mut self) -> String {
        self.out.push_str("x = 5\n.set y, 2\nknown:\n1: s_nop 0\n2: s_nop 1\n");
        self.items(12, &[]);
        self.out.push_str(".p2align 2, 0\n1: s_nop 0\n2: s_endpgm\n");
        self.out
    }

    fn pick<'t>(&mut self, of: &[&'t str]) -> &'t str {
        of.get(self.rng.below(of.len())).copied().unwrap_or_default()
    }

    fn name(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    fn line(&mut self, text: &str) {
        let indent = self.pick(&["", " ", "\t", "    "]);
        // LLVM does not see the end of a macro that a comment between two signs follows, and compares it with the rest of a text.
        // Where an argument takes what is left of a line, LLVM takes the blanks before a comment, too.
        let block = if text.starts_with(".end") || text.starts_with(".if") { "" } else { " /* e */" };
        let use_of_macro = ["M", ".m", "s_m"].iter().any(|begin| text.starts_with(begin));
        let comment = if use_of_macro { "" } else { self.pick(&["", "", "", "", " ; c", " // d", block]) };
        let _ = writeln!(self.out, "{indent}{text}{comment}");
    }

    fn items(&mut self, most: usize, scope: &[Parameter]) {
        for _ in 0..=self.rng.below(most) {
            self.item(scope);
        }
    }

    fn item(&mut self, scope: &[Parameter]) {
        let deep = self.depth >= 4;
        match self.rng.below(16) {
            0..=4 => self.data(scope),
            5 | 6 => self.code(scope),
            7 => self.assignment(scope),
            8 | 9 if !deep => self.repetition(scope),
            10 | 11 if !deep => self.condition(scope),
            12 | 13 if self.bodies == 0 && self.depth <= 1 => self.definition(),
            14 if self.depth == 0 && self.rng.once_in(6) && !self.macros.is_empty() => {
                let at = self.rng.below(self.macros.len());
                let gone = self.macros.swap_remove(at);
                self.line(&format!(".purgem {}", gone.name));
            }
            _ if !self.in_macro => self.usage(scope),
            _ => self.data(scope),
        }
    }

    /// A number, as an expression.
    fn number(&mut self, scope: &[Parameter]) -> String {
        let numbers: Vec<&Parameter> = scope.iter().filter(|p| p.number).collect();
        if !numbers.is_empty() && self.rng.once_in(2) {
            let name = &numbers[self.rng.below(numbers.len())].name;
            return format!("(\\{name})");
        }
        let small = self.rng.below(9);
        match self.rng.below(8) {
            0 => "x".into(),
            1 => "y".into(),
            2 => format!("(x+{small})"),
            3 => format!("{small}*y"),
            4 => format!("0x{small:x}"),
            5 => format!("({small} - 2)"),
            6 => format!("{small}<<1|1"),
            _ => small.to_string(),
        }
    }

    fn text(&mut self, scope: &[Parameter]) -> String {
        let mut text = String::new();
        for _ in 0..=self.rng.below(3) {
            match self.rng.below(6) {
                0 if self.bodies > 0 => text.push_str("\\+"),
                1 if self.in_macro => text.push_str("\\@"),
                2 | 3 if !scope.is_empty() => {
                    let name = &scope[self.rng.below(scope.len())].name;
                    let _ = write!(text, "\\{name}{}", if self.rng.once_in(2) { "\\()" } else { "|" });
                }
                _ => text.push_str(self.pick(if self.bodies > 0 {
                    &["-", "b,c", "\\()", ";"]
                } else {
                    &["-", "b,c", ";"]
                })),
            }
        }
        text
    }

    fn data(&mut self, scope: &[Parameter]) {
        let line = match self.rng.below(3) {
            0 => format!(".ascii \"{}\"", self.text(scope)),
            1 => format!(".byte ({})&127", self.number(scope)),
            _ => format!(".long {}, {}", self.number(scope), self.number(scope)),
        };
        self.line(&line);
    }

    fn code(&mut self, scope: &[Parameter]) {
        let number = self.number(scope);
        let line = match self.rng.below(9) {
            0 => format!("s_nop {number}&7"),
            1 => format!("v_mov_b32 v[{number}&63], s[({number})&31]"),
            2 => format!("v_mov_b32 v[2*2+1] {}", self.rng.below(64)),
            3 => ".long .amdgcn.next_free_vgpr".into(),
            4 => ".long .amdgcn.next_free_sgpr".into(),
            5 if self.in_macro && self.depth == 1 => {
                let label = self.name("l");
                format!("{label}_\\@: s_cbranch_scc1 {label}_\\@")
            }
            6 => format!("global_load_b64 v[{number}&31:({number}&31)+1], v[2:3], off offset:{}", self.rng.below(99)),
            // Code is at addresses that branches can reach.
            _ => {
                // With a value: without one, LLVM 22 does not terminate if the padding is shorter than an instruction.
                self.line(".p2align 2, 0");
                self.pick(&[
                    "s_branch 1b",
                    "s_branch 1f",
                    "s_cbranch_vccz 2f",
                    "1: s_branch 2b",
                    "2: s_nop 3",
                    "s_branch known",
                ])
                .into()
            }
        };
        self.line(&line);
    }

    fn assignment(&mut self, scope: &[Parameter]) {
        let number = self.number(scope);
        let line = match self.rng.below(4) {
            0 => "x = x + 1".into(),
            1 => format!(".set y, ({number})&7"),
            2 => format!("x = ({number})&15"),
            _ => ".set .amdgcn.next_free_vgpr, 0".into(),
        };
        self.line(&line);
    }

    fn repetition(&mut self, scope: &[Parameter]) {
        let mut scope = scope.to_vec();
        let name = self.name("i");
        let mut parameter =
            Parameter { name: name.clone(), number: true, rest: false, default: false, required: false };
        let heading = match self.rng.below(3) {
            0 => format!(".rept {}", self.rng.below(4)),
            1 => {
                let values: Vec<String> = (0..self.rng.below(4)).map(|_| self.rng.below(30).to_string()).collect();
                scope.push(parameter);
                format!(".irp {name}, {}", values.join(self.pick(&[", ", " ", ","])))
            }
            _ => {
                parameter.number = false;
                scope.push(parameter);
                let from = self.rng.below(LETTERS.len());
                let letters = LETTERS.get(from..from + 1 + self.rng.below(LETTERS.len() - from)).unwrap_or_default();
                format!(".irpc {name}, {letters}")
            }
        };
        self.line(&heading);
        self.depth += 1;
        self.bodies += 1;
        self.items(3, &scope);
        if self.in_macro && self.rng.once_in(8) {
            self.line(".exitm");
        }
        self.bodies -= 1;
        self.depth -= 1;
        self.line(".endr");
    }

    fn condition(&mut self, scope: &[Parameter]) {
        let heading = match self.rng.below(6) {
            0 | 1 => {
                let (a, b) = (self.number(scope), self.number(scope));
                format!(".if {a} {} {b}", self.pick(&["==", "!=", "<", ">=", "&&", "-"]))
            }
            2 => {
                format!("{} {}", self.pick(&[".ifeq", ".ifne", ".iflt", ".ifle", ".ifgt", ".ifge"]), self.number(scope))
            }
            3 => {
                format!("{} {}", self.pick(&[".ifdef", ".ifndef", ".ifnotdef"]), self.pick(&["x", "known", "unknown"]))
            }
            4 if !scope.is_empty() => {
                let name = &scope[self.rng.below(scope.len())].name;
                let rest = match self.rng.below(2) {
                    0 => String::new(),
                    _ => format!(", {}", self.pick(&["a", "3", "x.y", ""])),
                };
                let kinds = if rest.is_empty() { [".ifb", ".ifnb"] } else { [".ifc", ".ifnc"] };
                format!("{} \\{name}{rest}", self.pick(&kinds))
            }
            _ => format!("{} \"a\", \"{}\"", self.pick(&[".ifeqs", ".ifnes"]), self.pick(&["a", "b"])),
        };
        self.line(&heading);
        self.depth += 1;
        self.items(2, scope);
        if self.in_macro && self.rng.once_in(6) {
            self.line(".exitm");
        }
        for _ in 0..self.rng.below(2) {
            let number = self.number(scope);
            self.line(&format!(".elseif {number} > 4"));
            self.items(2, scope);
        }
        if self.rng.once_in(2) {
            self.line(".else");
            self.items(2, scope);
        }
        self.depth -= 1;
        self.line(".endif");
    }

    fn definition(&mut self) {
        let prefix = self.pick(&["M", ".m", "s_m"]);
        let name = self.name(prefix);
        let mut parameters: Vec<Parameter> = Vec::new();
        let mut heading = format!(".macro {name}");
        let count = self.rng.below(4);
        for nth in 0..count {
            let number = self.rng.once_in(2);
            let parameter = Parameter {
                name: self.name("p"),
                number,
                rest: !number && nth + 1 == count && self.rng.once_in(2),
                default: self.rng.once_in(3),
                required: self.rng.once_in(4),
            };
            let _ = write!(heading, "{}{}", if self.rng.once_in(2) && nth > 0 { ", " } else { " " }, parameter.name);
            if parameter.rest {
                heading.push_str(":vararg");
            } else if parameter.required {
                heading.push_str(":req");
            }
            if parameter.default && !parameter.rest {
                let _ = write!(heading, "={}", if number { "6" } else { "dflt" });
            }
            parameters.push(parameter);
        }
        self.line(&heading);
        // A number may not be given: its body says so before it needs it.
        let scope: Vec<Parameter> =
            parameters.iter().filter(|p| !p.number || p.default || p.required).cloned().collect();
        self.in_macro = true;
        self.bodies += 1;
        self.depth += 1;
        self.items(4, &scope);
        if self.rng.once_in(8) {
            self.line(".exitm");
            self.items(1, &scope);
        }
        self.depth -= 1;
        self.bodies -= 1;
        self.in_macro = false;
        let end = self.pick(&[".endm", ".endmacro"]);
        self.line(end);
        self.macros.push(Macro { name, parameters });
    }

    fn usage(&mut self, scope: &[Parameter]) {
        if self.macros.is_empty() {
            return self.data(scope);
        }
        let at = self.rng.below(self.macros.len());
        let (name, parameters) = (self.macros[at].name.clone(), self.macros[at].parameters.clone());
        let named = self.rng.once_in(4);
        let mut line = name;
        for (nth, parameter) in parameters.iter().enumerate() {
            let must = parameter.required && !parameter.rest;
            if named && !must && self.rng.once_in(3) {
                continue;
            }
            let value = if parameter.number {
                self.number(scope)
            } else if must {
                "a".into()
            } else {
                self.pick(&TEXTS).to_string()
            };
            let value = if parameter.default && !must && self.rng.once_in(3) { String::new() } else { value };
            let separator = if nth == 0 { " " } else { self.pick(&[", ", ",", " , "]) };
            line.push_str(separator);
            if named {
                let _ = write!(line, "{}=", parameter.name);
            }
            line.push_str(&value);
        }
        self.line(&line);
    }
}

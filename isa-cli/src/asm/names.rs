//! The names that a program defines somewhere, found without reading it: they tell labels that are still to come from registers
//! that are mistyped.

use std::collections::HashSet;

use crate::asm::cursor::{in_name, is_blank};
use crate::asm::source::Lines;
use crate::asm::text::{PART, Room, Text, Unread};
use crate::turns;

/// The names of all labels and variables; quoted ones are left to be seen when they are defined.
#[derive(Debug, Default)]
pub struct Names {
    found: HashSet<String>,
    /// Whether there may be others, which macros or files that are included define.
    pub others: bool,
}

impl Names {
    /// Looks through all of a text.
    pub fn of(text: Text<'_>) -> Result<Self, Unread> {
        let mut all = Self::default();
        turns::in_turn(
            &text.parts(PART),
            Room::default,
            |part, room| text.read(part, room).map(names_of),
            |of_part, _| {
                let (names, others) = of_part.ok_or(Unread)?;
                all.found.extend(names);
                all.others |= others;
                Ok(())
            },
        )?;
        Ok(all)
    }

    /// Whether this name is among them.
    pub fn contains(&self, name: &str) -> bool {
        self.found.contains(name)
    }
}

/// The names that some lines define, and whether others are to be made of them.
fn names_of<'a>(mut lines: Lines<'a>) -> (Vec<String>, bool) {
    let past_blanks = |text: &'a str| {
        let blanks = text.bytes().position(|byte| !is_blank(byte)).unwrap_or(text.len());
        text.get(blanks..).unwrap_or_default()
    };
    let mut names = Vec::new();
    let mut others = false;
    while let Some((_, line)) = lines.next_raw() {
        let line = past_blanks(line);
        let end = line.bytes().position(|b| !in_name(b)).unwrap_or(line.len());
        let (word, rest) = line.split_at_checked(end).unwrap_or((line, ""));
        let next = past_blanks(rest);
        if matches!(word, ".set" | ".equ" | ".equiv") {
            let name = next.split(|c: char| c == ',' || c.is_whitespace()).next().unwrap_or_default();
            others |= name.contains('\\');
            names.push(name.trim_matches('"').into());
        } else if next.starts_with(':') || next.starts_with('=') {
            names.push(word.into());
        } else if rest.starts_with('\\') {
            // What stands for other text is a part of a name here, if a name is defined.
            let in_pattern = |byte: u8| in_name(byte) || b"\\@+()".contains(&byte);
            let end = rest.bytes().position(|byte| !in_pattern(byte)).unwrap_or(rest.len());
            others |= past_blanks(rest.get(end..).unwrap_or_default()).starts_with([':', '=']);
        } else if matches!(word, ".include" | ".altmacro") {
            others = true;
        } else if let Some((name, after)) = line.strip_prefix('"').and_then(|line| line.split_once('"'))
            && after.trim_start().starts_with(':')
        {
            names.push(name.into());
        }
    }
    (names, others)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_what_makes_others() {
        let source = "a: s_nop 0\n b = 1\n.set c, 2\n\"d e\": s_branch f\n s_mov_b32 s0, g\n";
        let names = Names::of(Text::Whole(source)).unwrap();
        for (name, known) in [("a", true), ("b", true), ("c", true), ("d e", true), ("f", false), ("g", false)] {
            assert_eq!(names.contains(name), known, "{name}");
        }
        assert!(!names.others);
        for other in ["l\\@: s_nop 0", " \\x\\()_end :", "\\x = 1", ".set \\x, 1", ".include \"x\""] {
            assert!(Names::of(Text::Whole(other)).unwrap().others, "{other}");
        }
        for none in [" s_nop \\x", "\\x s0", ".long \\x", "s_\\x s0"] {
            assert!(!Names::of(Text::Whole(none)).unwrap().others, "{none}");
        }
    }
}

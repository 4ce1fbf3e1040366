//! Directives that say which section statements go to.

use std::ops::Range;

use object::elf;

use crate::diagnostic::{Diagnostic, Done};
use crate::expression::tree::Expr;
use crate::layout::section::SectionKey;
use crate::lex::cursor::Cursor;
use crate::program::Program;
use crate::symbol_table::Definition;

const A: u64 = elf::SHF_ALLOC.0;
const W: u64 = elf::SHF_WRITE.0;
const X: u64 = elf::SHF_EXECINSTR.0;
const M: u64 = elf::SHF_MERGE.0;
const O: u64 = elf::SHF_LINK_ORDER.0;
const G: u64 = elf::SHF_GROUP.0;
const T: u64 = elf::SHF_TLS.0;

/// The letters of a string of flags.
const FLAGS: [(u8, u64); 10] = [
    (b'a', A),
    (b'w', W),
    (b'x', X),
    (b'M', M),
    (b'S', elf::SHF_STRINGS.0),
    (b'o', O),
    (b'G', G),
    (b'T', T),
    (b'e', elf::SHF_EXCLUDE.0),
    (b'R', elf::SHF_GNU_RETAIN.0),
];

/// The flags in the syntax of Solaris.
const SOLARIS_FLAGS: [(&str, u64); 5] =
    [("alloc", A), ("execinstr", X), ("write", W), ("tls", T), ("exclude", elf::SHF_EXCLUDE.0)];

/// The names of types.
const TYPES: [(&str, u32); 16] = [
    ("progbits", elf::SHT_PROGBITS.0),
    ("nobits", elf::SHT_NOBITS.0),
    ("note", elf::SHT_NOTE.0),
    ("init_array", elf::SHT_INIT_ARRAY.0),
    ("fini_array", elf::SHT_FINI_ARRAY.0),
    ("preinit_array", elf::SHT_PREINIT_ARRAY.0),
    ("unwind", 0x7000_0001),
    ("llvm_odrtab", 0x6fff_4c00),
    ("llvm_linker_options", 0x6fff_4c01),
    ("llvm_dependent_libraries", 0x6fff_4c04),
    ("llvm_sympart", 0x6fff_4c05),
    ("llvm_call_graph_profile", 0x6fff_4c09),
    ("llvm_bb_addr_map", 0x6fff_4c0a),
    ("llvm_offloading", 0x6fff_4c0b),
    ("llvm_lto", 0x6fff_4c0c),
    ("llvm_jt_sizes", 0x6fff_4c0d),
];

/// The number of types that messages name: the others are for linkers.
const COMMON_TYPES: usize = 6;

/// The directives that are the names of sections.
const NAMED: [&str; 6] = [".text", ".data", ".bss", ".rodata", ".tdata", ".tbss"];

/// The operands of a `.section` directive after the name.
#[derive(Debug, Default)]
struct Given {
    /// The flags, if it has any.
    flags: Option<u64>,
    /// Whether the section joins the group of the one before (`?`).
    in_last_group: bool,
    kind: Option<u32>,
    entry_size: u64,
    group: Option<(String, bool)>,
    /// The symbol that the section is linked to, and where its name is.
    linked_to: Option<(String, Range<usize>)>,
    unique: Option<u32>,
}

impl Program<'_> {
    /// `.text`, `.data` and others, with the number of a subsection after it or not; `None` for other directives.
    pub(crate) fn section_by_name(&mut self, word: &str, input: &mut Cursor<'_>) -> Option<Done> {
        if !NAMED.contains(&word) {
            return None;
        }
        let number = if input.done() { Ok(0) } else { self.subsection_number(input) };
        Some(number.and_then(|number| {
            input.finish()?;
            self.switch_to(word, number);
            Ok(())
        }))
    }

    /// Continues in a section with a well-known name.
    pub(crate) fn switch_to(&mut self, name: &str, number: u32) {
        let key = SectionKey { name: name.into(), ..SectionKey::default() };
        let section = self.sections.find_or_add(key, || defaults(name));
        self.sections.switch(section, number);
    }

    /// Takes the number of a subsection.
    pub(crate) fn subsection_number(&mut self, input: &mut Cursor<'_>) -> Result<u32, Diagnostic> {
        let start = input.place();
        let number = self.number(input)?;
        let why = "the number of a subsection is between 0 and 2147483647";
        let valid = u32::try_from(number).ok().filter(|number| i32::try_from(*number).is_ok());
        valid.ok_or_else(|| Diagnostic::new(start..input.end(), why))
    }

    /// `.section` or `.pushsection`: `NAME [, subsection] [, "flags" [, @type [, size, linked-to, group …]]]`.
    pub(crate) fn named_section(&mut self, input: &mut Cursor<'_>, is_push: bool) -> Done {
        let is_quoted = input.rest().starts_with('"');
        let (name, span) = if is_quoted {
            input.raw_name()?
        } else {
            let start = input.place();
            (input.field(), start..input.end())
        };
        if name.is_empty() || !is_quoted && name.contains(char::is_whitespace) {
            return Err(Diagnostic::new(span.start..span.end.max(span.start + 1), "expected the name of a section"));
        }
        let mut number = 0;
        let mut given = Given::default();
        if input.eat(",") {
            let is_number = is_push && !input.rest().starts_with(['"', '#']);
            if is_number {
                number = self.subsection_number(input)?;
            }
            if !is_number || input.eat(",") {
                given = section_arguments(input)?;
            }
        }
        input.finish()?;
        self.enter_section(name.to_string(), span, number, given, is_push)
    }

    /// Checks that a section can be linked to a symbol: one that is defined in a section, or a section.
    fn check_link(&self, name: &str, at: &Range<usize>) -> Done {
        let is_in_section = match self.symbols.get(name).and_then(|symbol| symbol.definition.as_ref()) {
            Some(Definition::Label(_)) => true,
            Some(Definition::Variable(value)) => !matches!(value, Expr::Number(_)),
            Some(Definition::Common { .. } | Definition::Lds { .. }) => false,
            None => self.sections.start_of(name).is_some(),
        };
        if is_in_section {
            return Ok(());
        }
        Err(Diagnostic::new(at.clone(), format!("`{name}` is not defined in a section before this line")))
    }

    fn enter_section(
        &mut self,
        name: String,
        span: Range<usize>,
        number: u32,
        mut given: Given,
        is_push: bool,
    ) -> Done {
        let (default_kind, mut flags) = defaults(&name);
        flags |= given.flags.unwrap_or(0);
        if given.in_last_group {
            let current = self.sections.current_section();
            let current = self.sections.list().get(current as usize);
            given.group = current.and_then(|section| Some((section.key.group.clone()?, section.is_comdat)));
            flags |= if given.group.is_some() { G } else { 0 };
        }
        let kind = given.kind.unwrap_or(default_kind);
        let (group, is_comdat) = given.group.map_or((None, false), |(group, is_comdat)| (Some(group), is_comdat));
        if let Some((name, at)) = &given.linked_to {
            self.check_link(name, at)?;
        }
        let linked_to = given.linked_to.map(|(name, _)| name);
        let key = SectionKey { name, group, linked_to, unique: given.unique };
        let count = self.sections.list().len();
        let at = self.sections.find_or_add(key, || (kind, flags));
        let is_new = self.sections.list().len() > count;
        let Some(section) = self.sections.get_mut(at) else { return Ok(()) };
        if is_new {
            section.entry_size = given.entry_size;
            section.is_comdat = is_comdat;
        } else {
            // After the first time, a directive may leave everything out.
            let says = given.flags.is_some_and(|flags| flags != 0) || given.entry_size != 0 || given.kind.is_some();
            let differs = if given.kind.is_some() && section.kind != kind {
                Some("type")
            } else if says && section.flags != flags {
                Some("flags")
            } else if says && section.entry_size != given.entry_size {
                Some("size of an entry")
            } else {
                None
            };
            if let Some(what) = differs {
                let why = format!("the section `{}` had another {what} before", section.key.name);
                return Err(Diagnostic::new(span, why));
            }
        }
        if is_push {
            self.sections.push();
        }
        self.sections.switch(at, number);
        Ok(())
    }
}

/// Returns the default type and flags of a section of this name.
fn defaults(name: &str) -> (u32, u64) {
    let of = |prefix: &str| name.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
    let flags = if of(".rodata") || matches!(name, ".rodata1" | ".eh_frame") {
        A
    } else if of(".text") || matches!(name, ".fini" | ".init") {
        A | X
    } else if name == ".data1" || [".data", ".bss", ".init_array", ".fini_array", ".preinit_array"].into_iter().any(of)
    {
        A | W
    } else if of(".tdata") || of(".tbss") {
        A | W | T
    } else {
        0
    };
    let kind = if name.starts_with(".note") {
        elf::SHT_NOTE
    } else if of(".init_array") {
        elf::SHT_INIT_ARRAY
    } else if of(".fini_array") {
        elf::SHT_FINI_ARRAY
    } else if of(".preinit_array") {
        elf::SHT_PREINIT_ARRAY
    } else if of(".bss") || of(".tbss") {
        elf::SHT_NOBITS
    } else {
        elf::SHT_PROGBITS
    };
    (kind.0, flags)
}

/// Takes the operands after the name of a section and its comma: `"flags" [, @type [, …]]`.
fn section_arguments(input: &mut Cursor<'_>) -> Result<Given, Diagnostic> {
    let mut given = Given::default();
    if input.rest().starts_with('#') {
        given.flags = Some(solaris_flags(input)?);
    } else {
        if !input.rest().starts_with('"') {
            return Err(input.expected("a string of flags"));
        }
        let start = input.place();
        let letters = input.string()?;
        // A number has the flags' own values.
        let text = String::from_utf8_lossy(&letters);
        let mut number = Cursor::new(&text, start);
        let number = number.number().and_then(Result::ok).filter(|_| number.done());
        let mut flags = number.map_or(0, i64::cast_unsigned);
        for letter in letters.iter().copied().filter(|_| number.is_none()) {
            match FLAGS.iter().find(|(known, _)| *known == letter) {
                Some((_, flag)) => flags |= flag,
                None if letter == b'?' => given.in_last_group = true,
                None => {
                    let why = format!("unknown flag `{}`", char::from(letter).escape_default());
                    return Err(Diagnostic::new(start..input.end(), why).help(Some("there are `awxMSoGTeR?`".into())));
                }
            }
        }
        if given.in_last_group && flags & G != 0 {
            return Err(Diagnostic::new(start..input.end(), "a section with `G` cannot be in the last group too"));
        }
        given.flags = Some(flags);
    }
    let flags = given.flags.unwrap_or(0);
    if input.eat(",") {
        given.kind = Some(section_type(input)?);
    } else if flags & (M | G) != 0 {
        return Err(input.expected("`,` and the type of the section"));
    }
    if flags & M != 0 {
        comma(input, "the size of an entry")?;
        let start = input.place();
        let size = input.number().transpose()?.and_then(|size| u64::try_from(size).ok()).filter(|size| *size > 0);
        let why = "expected the size of an entry, a positive number";
        given.entry_size = size.ok_or_else(|| Diagnostic::new(start..input.end().max(start + 1), why))?;
    }
    if flags & O != 0 {
        comma(input, "the symbol that the section is linked to")?;
        // 0 is not a symbol.
        let mut ahead = *input;
        if matches!(ahead.number(), Some(Ok(0))) {
            *input = ahead;
        } else {
            let (symbol, at) = input.raw_name()?;
            given.linked_to = Some((symbol.to_string(), at));
        }
    }
    if flags & G != 0 {
        comma(input, "the name of the group")?;
        let (group, _) = input.raw_name()?;
        let mut ahead = *input;
        let is_comdat = ahead.eat(",") && ahead.word() == "comdat";
        if is_comdat {
            *input = ahead;
        }
        given.group = Some((group.to_string(), is_comdat));
    }
    if input.eat(",") {
        let start = input.place();
        if input.word() != "unique" {
            let span = start..input.end().max(start + 1);
            return Err(Diagnostic::new(span, "expected `unique` or the end of the line"));
        }
        comma(input, "a number")?;
        let start = input.place();
        let number = input.number().transpose()?.and_then(|number| u32::try_from(number).ok());
        let number = number.filter(|number| *number != u32::MAX);
        given.unique = Some(number.ok_or_else(|| Diagnostic::new(start..input.end(), "expected a number of 32 bits"))?);
    }
    Ok(given)
}

fn comma(input: &mut Cursor<'_>, what: &str) -> Done {
    if input.eat(",") { Ok(()) } else { Err(input.expected(&format!("`,` and {what}"))) }
}

/// Takes `@progbits`, `%progbits`, `"progbits"` or a number after one of these signs.
fn section_type(input: &mut Cursor<'_>) -> Result<u32, Diagnostic> {
    let start = input.place();
    let name = if input.rest().starts_with('"') {
        input.raw_name()?.0.to_string()
    } else if input.eat("@") || input.eat("%") {
        match input.number() {
            Some(number) => number?.to_string(),
            None => input.word().to_string(),
        }
    } else {
        return Err(input.expected("the type of the section, such as `@progbits`"));
    };
    let known = TYPES.iter().find(|(known, _)| *known == name).map(|(_, kind)| *kind);
    known.or_else(|| name.parse().ok()).ok_or_else(|| {
        let names: Vec<String> = TYPES.iter().take(COMMON_TYPES).map(|(name, _)| format!("`@{name}`")).collect();
        let names = names.join(", ");
        Diagnostic::new(start..input.end(), "unknown type of section").help(Some(format!("there are {names}")))
    })
}

/// Takes `#alloc,#execinstr`.
fn solaris_flags(input: &mut Cursor<'_>) -> Result<u64, Diagnostic> {
    let mut flags = 0;
    loop {
        input.eat("#");
        let word = input.word();
        let Some((_, flag)) = SOLARIS_FLAGS.iter().find(|(known, _)| *known == word) else {
            return Err(input.expected("`#alloc`, `#write`, `#execinstr`, `#tls` or `#exclude`"));
        };
        flags |= flag;
        let mut ahead = *input;
        if !(ahead.eat(",") && ahead.rest().starts_with('#')) {
            return Ok(flags);
        }
        *input = ahead;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As llvm-mc 22 has them.
    #[test]
    fn names_imply_types_and_flags() {
        for (name, kind, flags) in [
            ("foo", elf::SHT_PROGBITS, 0),
            (".bss.x", elf::SHT_NOBITS, A | W),
            (".note.x", elf::SHT_NOTE, 0),
            (".init_array.0", elf::SHT_INIT_ARRAY, A | W),
            (".fini_array", elf::SHT_FINI_ARRAY, A | W),
            (".preinit_array", elf::SHT_PREINIT_ARRAY, A | W),
            (".tbss", elf::SHT_NOBITS, A | W | T),
            (".tdata", elf::SHT_PROGBITS, A | W | T),
            (".data.rel.ro", elf::SHT_PROGBITS, A | W),
            (".rodata1", elf::SHT_PROGBITS, A),
            (".text.foo", elf::SHT_PROGBITS, A | X),
            (".textual", elf::SHT_PROGBITS, 0),
            (".eh_frame", elf::SHT_PROGBITS, A),
            (".debug_info", elf::SHT_PROGBITS, 0),
            (".text", elf::SHT_PROGBITS, A | X),
            (".rodata", elf::SHT_PROGBITS, A),
            (".note", elf::SHT_NOTE, 0),
        ] {
            assert_eq!(defaults(name), (kind.0, flags), "{name}");
        }
    }
}

//! Directives. One that is not known is an error: what it would have meant is not known either.

use std::ops::Range;

use crate::arch::Arch;
use crate::asm::blocks::{Block, OpenBlock};
use crate::asm::cursor::Cursor;
use crate::asm::kernel::{DESCRIPTOR, Kernel, REQUIRED};
use crate::asm::program::{Program, too_large};
use crate::asm::report::Diagnostic;
use crate::asm::section::{Gap, Section, TooLarge};
use crate::asm::symbols::Meaning;

type Done = Result<(), Diagnostic>;

/// Names of all directives, for advice.
const KNOWN: &[&str] = &[
    ".text",
    ".data",
    ".bss",
    ".rodata",
    ".section",
    ".pushsection",
    ".popsection",
    ".previous",
    ".p2align",
    ".p2alignw",
    ".p2alignl",
    ".balign",
    ".balignw",
    ".balignl",
    ".align",
    ".org",
    ".fill",
    ".zero",
    ".skip",
    ".space",
    ".byte",
    ".2byte",
    ".short",
    ".value",
    ".4byte",
    ".long",
    ".int",
    ".8byte",
    ".quad",
    ".ascii",
    ".asciz",
    ".string",
    ".uleb128",
    ".sleb128",
    ".set",
    ".equ",
    ".equiv",
    ".type",
    ".size",
    ".globl",
    ".global",
    ".protected",
    ".hidden",
    ".internal",
    ".weak",
    ".local",
    ".ident",
    ".file",
    ".loc",
    ".addrsig",
    ".addrsig_sym",
    ".amdgcn_target",
    ".amdhsa_code_object_version",
    ".amdhsa_kernel",
    ".amdgpu_metadata",
    ".amdgpu_lds",
    ".macro",
    ".endm",
    ".purgem",
    ".exitm",
    ".rept",
    ".irp",
    ".irpc",
    ".endr",
    ".if",
    ".ifeq",
    ".ifne",
    ".iflt",
    ".ifle",
    ".ifgt",
    ".ifge",
    ".ifb",
    ".ifnb",
    ".ifc",
    ".ifnc",
    ".ifeqs",
    ".ifnes",
    ".ifdef",
    ".ifndef",
    ".elseif",
    ".else",
    ".endif",
    ".include",
    ".incbin",
    ".err",
    ".error",
    ".warning",
    ".print",
];

/// The directives of LLVM's target-independent parser, whose names may have capital letters, and that are no conditions.
const GENERIC: &[&str] = &[
    ".set",
    ".equ",
    ".equiv",
    ".ascii",
    ".asciz",
    ".string",
    ".byte",
    ".short",
    ".value",
    ".2byte",
    ".long",
    ".int",
    ".4byte",
    ".quad",
    ".8byte",
    ".octa",
    ".single",
    ".float",
    ".double",
    ".align",
    ".align32",
    ".balign",
    ".balignw",
    ".balignl",
    ".p2align",
    ".p2alignw",
    ".p2alignl",
    ".org",
    ".fill",
    ".zero",
    ".extern",
    ".globl",
    ".global",
    ".comm",
    ".common",
    ".lcomm",
    ".abort",
    ".include",
    ".incbin",
    ".rept",
    ".rep",
    ".irp",
    ".irpc",
    ".endr",
    ".skip",
    ".space",
    ".file",
    ".line",
    ".loc",
    ".sleb128",
    ".uleb128",
    ".macros_on",
    ".macros_off",
    ".macro",
    ".exitm",
    ".endm",
    ".endmacro",
    ".purgem",
    ".err",
    ".error",
    ".warning",
    ".altmacro",
    ".noaltmacro",
    ".reloc",
    ".dc",
    ".dc.a",
    ".dc.b",
    ".dc.d",
    ".dc.l",
    ".dc.s",
    ".dc.w",
    ".dcb",
    ".dcb.b",
    ".dcb.d",
    ".dcb.l",
    ".dcb.s",
    ".dcb.w",
    ".ds",
    ".ds.b",
    ".ds.d",
    ".ds.l",
    ".ds.p",
    ".ds.s",
    ".ds.w",
    ".ds.x",
    ".print",
    ".addrsig",
    ".addrsig_sym",
    ".end",
];

/// A directive's name as LLVM compares it: without regard to case if it is one of [`GENERIC`].
fn generic(word: &str) -> &str {
    if !word.bytes().any(|byte| byte.is_ascii_uppercase()) {
        return word;
    }
    GENERIC.iter().find(|known| known.eq_ignore_ascii_case(word)).copied().unwrap_or(word)
}

impl Program<'_> {
    /// A statement that begins with a directive.
    pub(super) fn directive(&mut self, input: &mut Cursor<'_>) -> Done {
        let start = input.place();
        let word = generic(input.word());
        let span = start..input.end();
        match word {
            ".text" => self.switch(".text", true, false),
            ".data" | ".bss" | ".rodata" => self.switch(word, false, false),
            ".section" => return self.named_section(input, false),
            ".pushsection" => return self.named_section(input, true),
            ".popsection" => {
                let (current, previous) =
                    self.stack.pop().ok_or_else(|| Diagnostic::new(span, "no `.pushsection` stands before this"))?;
                self.previous = previous;
                self.enter(current);
            }
            ".previous" => {
                let back = self.previous;
                self.previous = self.current;
                self.enter(back);
            }
            ".p2align" | ".p2alignw" | ".p2alignl" | ".balign" | ".balignw" | ".balignl" | ".align" => {
                return self.align(word, span, input);
            }
            ".org" => {
                let to = self.number(input)?;
                let missing = u64::try_from(to).ok().and_then(|to| to.checked_sub(self.section().len()));
                let missing = missing.ok_or_else(|| Diagnostic::new(span.clone(), "`.org` cannot go back"))?;
                let value = if input.eat(",") { self.number(input)? } else { 0 };
                self.section_mut().fill(missing, 1, value).map_err(|TooLarge| too_large(span))?;
            }
            ".fill" | ".zero" | ".skip" | ".space" => return self.fill(word == ".fill", span, input),
            ".byte" => return self.data(1, input),
            ".2byte" | ".short" | ".value" => return self.data(2, input),
            ".4byte" | ".long" | ".int" => return self.data(4, input),
            ".8byte" | ".quad" => return self.data(8, input),
            ".ascii" | ".asciz" | ".string" => return self.strings(word != ".ascii", input),
            ".uleb128" | ".sleb128" => return self.leb128(word == ".sleb128", input),
            ".set" | ".equ" | ".equiv" => {
                let (name, at) = input.name()?;
                if !input.eat(",") {
                    return Err(input.expected("`,` and a value"));
                }
                if word == ".equiv"
                    && let Some(old) = self.symbols.get(&name)
                {
                    let fault = Diagnostic::new(at, format!("the symbol `{name}` is defined twice"));
                    return Err(fault.other(old.span.clone(), "first here"));
                }
                return self.assign(input, name, at);
            }
            ".amdgcn_target" => return self.target(input),
            ".amdhsa_code_object_version" => {
                let start = input.place();
                let version = self.number(input)?;
                if !(3..=6).contains(&version) {
                    let fault = Diagnostic::new(start..input.end(), "no version of code objects that is known");
                    return Err(fault.help(Some("there are 3 to 6".into())));
                }
            }
            ".amdhsa_kernel" => {
                let (name, span) = input.name()?;
                self.section_mut().align(DESCRIPTOR as u64, Gap::Idle, None).map_err(|_| too_large(span.clone()))?;
                let place = self.here();
                self.define(format!("{name}.kd"), span.clone(), Meaning::Label(place))?;
                self.kernel = Some(Kernel { name, span, settings: Vec::new(), place });
            }
            ".end_amdhsa_kernel" => return Err(Diagnostic::new(span, "no `.amdhsa_kernel` stands before this")),
            ".amdgpu_metadata" | ".amdgpu_pal_metadata" => {
                self.open_block = Block::of(word).map(|block| OpenBlock::new(block, span));
            }
            ".end_amdgpu_metadata" => return Err(Diagnostic::new(span, "no `.amdgpu_metadata` stands before this")),
            _ => {
                if let Some(done) = self.expansion_directive(word, span.clone(), input) {
                    return done;
                }
                return self.without_bytes(word, span, input);
            }
        }
        input.finish()
    }

    /// Directives that tell about symbols, files and places, and put no bytes anywhere.
    fn without_bytes(&mut self, word: &str, span: Range<usize>, input: &mut Cursor<'_>) -> Done {
        match word {
            ".globl" | ".global" | ".protected" | ".hidden" | ".internal" | ".weak" | ".local" | ".addrsig_sym" => {
                loop {
                    let (name, _) = input.name()?;
                    if matches!(word, ".globl" | ".global" | ".weak") {
                        self.symbols.make_global(name);
                    }
                    if !input.eat(",") {
                        break;
                    }
                }
            }
            ".type" => {
                input.name()?;
                input.eat(",");
                let kinds = ["function", "object", "notype", "common", "tls_object", "gnu_indirect_function"];
                let start = input.place();
                let marked = input.eat("@") || input.eat("%") || input.eat("#");
                let kind = if !marked && input.rest().starts_with('"') { input.name()?.0 } else { input.word().into() };
                let stt = kind.strip_prefix("STT_").map(str::to_ascii_lowercase);
                let known = kinds.contains(&kind.as_str()) || stt.is_some_and(|k| k == "func" || kinds.contains(&&*k));
                if !known {
                    let span = start..input.end().max(start + 1);
                    return Err(Diagnostic::new(span, "expected a kind of symbol, such as `@function`"));
                }
            }
            ".size" => {
                input.name()?;
                if !input.eat(",") {
                    return Err(input.expected("`,` and a size"));
                }
                let start = input.place();
                let expr = self.expression(input)?;
                self.symbols.evaluate(&expr).map_err(|why| Diagnostic::new(start..input.end(), why))?;
            }
            ".amdgpu_lds" => {
                let (name, at) = input.name()?;
                let mut parts = Vec::new();
                while input.eat(",") {
                    parts.push(self.number(input)?);
                }
                if !matches!(parts[..], [_] | [_, _]) {
                    return Err(Diagnostic::new(at, format!("`{name}` needs a size, and may have an alignment")));
                }
            }
            ".addrsig" => {}
            ".ident" => drop(input.string()?),
            // Where code comes from: for debuggers, and nothing else depends on it.
            ".file" | ".loc" => return Ok(()),
            _ if word.starts_with(".cfi_") => return Ok(()),
            _ => {
                let near =
                    KNOWN.iter().copied().find(|known| similar(known, word)).or_else(|| self.macros.nearest(word));
                let help = near.map(|near| format!("there is `{near}`"));
                return Err(Diagnostic::new(span, "unknown directive").help(help));
            }
        }
        input.finish()
    }

    fn switch(&mut self, name: &str, code: bool, push: bool) {
        let found = self.sections.iter().position(|section| section.name == name);
        let at = found.unwrap_or(self.sections.len());
        if found.is_none() {
            self.sections.push(Section::new(name, code));
        }
        if push {
            self.stack.push((self.current, self.previous));
        }
        self.previous = self.current;
        self.enter(at);
    }

    /// `NAME [, "flags" [, @type [, size or group …]]]`.
    fn named_section(&mut self, input: &mut Cursor<'_>, push: bool) -> Done {
        let (mut name, span) = if input.rest().starts_with('"') {
            input.name()?
        } else {
            let start = input.place();
            (input.field().to_string(), start..input.end())
        };
        if name.is_empty() || name.contains(char::is_whitespace) {
            name.clear();
            return Err(Diagnostic::new(span.start..span.end.max(span.start + 1), "expected the name of a section"));
        }
        let mut code = name == ".text" || name.starts_with(".text.");
        if input.eat(",") {
            if input.rest().starts_with('"') {
                let flags = input.string()?;
                code |= flags.contains(&b'x');
            } else if input.rest().starts_with('#') {
                code |= solaris_flags(input)?;
            } else {
                // A subsection's number.
                self.number(input)?;
            }
            while input.eat(",") {
                if input.field().is_empty() {
                    return Err(input.expected("a section's type, or what belongs to it"));
                }
            }
        }
        input.finish()?;
        self.switch(&name, code, push);
        Ok(())
    }

    /// `N [, value [, most]]`, where N is the alignment, or its power of two.
    fn align(&mut self, word: &str, span: Range<usize>, input: &mut Cursor<'_>) -> Done {
        let start = input.place();
        let number = self.number(input)?;
        let given = start..input.end();
        let align = if word.starts_with(".p2") {
            u32::try_from(number).ok().filter(|n| *n < 32).map(|n| 1u64 << n)
        } else {
            // Alignment to 0 is none.
            u64::try_from(number.max(i64::from(number == 0))).ok().filter(|n| n.is_power_of_two() && *n < 1 << 32)
        };
        let Some(align) = align else {
            return Err(Diagnostic::new(given, "an alignment is a power of two below 2^32"));
        };
        let size = match word.as_bytes().last() {
            Some(b'w') => 2,
            Some(b'l') => 4,
            _ => 1,
        };
        let mut gap = Gap::Idle;
        let mut most = None;
        if input.eat(",") {
            if !input.done() && !input.rest().starts_with(',') {
                gap = Gap::Value(self.number(input)?, size);
            }
            if input.eat(",") {
                most = u64::try_from(self.number(input)?).ok();
            }
        }
        input.finish()?;
        if let Gap::Value(_, size) = gap
            && !self.section().len().is_multiple_of(size as u64)
        {
            return Err(Diagnostic::new(span, format!("the gap is no multiple of {size} bytes")));
        }
        self.section_mut().align(align, gap, most).map_err(|TooLarge| too_large(span))
    }

    /// `.fill count [, size [, value]]`, or `.skip count [, value]`.
    fn fill(&mut self, sized: bool, span: Range<usize>, input: &mut Cursor<'_>) -> Done {
        let start = input.place();
        let count = self.number(input)?;
        let counted = start..input.end();
        let (mut size, mut value) = (1, 0);
        if sized && input.eat(",") {
            let start = input.place();
            // More than eight bytes are eight, as in LLVM and GNU's assembler.
            size = usize::try_from(self.number(input)?.min(8))
                .map_err(|_| Diagnostic::new(start..input.end(), "expected a size"))?;
        }
        if input.eat(",") {
            value = self.number(input)?;
        }
        input.finish()?;
        let count = u64::try_from(count).map_err(|_| Diagnostic::new(counted, "a count is not negative"))?;
        // Of a value in a larger unit, four bytes count.
        let value = if size > 4 { value & 0xffff_ffff } else { value };
        self.section_mut().fill(count, size, value).map_err(|TooLarge| too_large(span))
    }

    /// `"amdgcn-amd-amdhsa--gfx1100:xnack-"`.
    fn target(&mut self, input: &mut Cursor<'_>) -> Done {
        let start = input.place();
        let name = String::from_utf8_lossy(&input.string()?).into_owned();
        let span = start..input.end();
        input.finish()?;
        let processor = name.rsplit('-').next().and_then(|last| last.split(':').next()).unwrap_or_default();
        if !name.starts_with("amdgcn") {
            return Err(
                Diagnostic::new(span, "no AMD GPU").help(Some("a target is `amdgcn-amd-amdhsa--PROCESSOR`".into()))
            );
        }
        match Arch::parse(processor) {
            Ok(arch) if arch == self.reader.arch() => Ok(()),
            Ok(arch) => {
                let (theirs, ours) = (arch.name(), self.reader.arch().name());
                Err(Diagnostic::new(span, format!("the file is for {theirs}, and `--arch` asks for {ours}")))
            }
            // `gfx11-generic` has a dash of its own.
            Err(_) if Arch::parse(name.rsplit("--").next().unwrap_or_default()) == Ok(self.reader.arch()) => Ok(()),
            Err(why) => Err(Diagnostic::new(span, format!("the file is for {processor}: {why}"))),
        }
    }

    /// The end of an `.amdhsa_kernel` block: the descriptor, whose place is kept.
    pub(super) fn end_kernel(&mut self, span: Range<usize>) -> Done {
        let Some(kernel) = self.kernel.take() else { return Ok(()) };
        let missing = REQUIRED.iter().find(|name| !kernel.settings.iter().any(|(known, ..)| known == *name));
        if let Some(missing) = missing {
            let fault = Diagnostic::new(kernel.span.clone(), format!("the block needs `.amdhsa_{missing}`"));
            self.faults.push(fault);
        }
        self.kernels.push(kernel);
        self.put(&[0; DESCRIPTOR], span)
    }

    /// Reports the names in the blocks of kernels that nothing defines. Other values that only LLVM knows are let pass.
    pub(super) fn check_kernels(&mut self) {
        for (_, expr, _) in self.kernels.iter().flat_map(|kernel| &kernel.settings) {
            if let Some((name, at)) = self.symbols.evaluate(expr).ok().as_ref().and_then(|value| value.undefined()) {
                self.faults.push(self.symbols.fault(name, at, |name| format!("{name} is not defined")));
            }
        }
    }
}

/// Takes `#alloc,#execinstr`: whether there is code in the section.
fn solaris_flags(input: &mut Cursor<'_>) -> Result<bool, Diagnostic> {
    let mut code = false;
    while input.eat("#") {
        match input.word() {
            "alloc" | "write" | "tls" => {}
            "execinstr" => code = true,
            _ => return Err(input.expected("`#alloc`, `#write`, `#execinstr` or `#tls`")),
        }
        if !input.eat(",") {
            break;
        }
    }
    Ok(code)
}

/// Whether a name is another with one letter more, less or different.
fn similar(known: &str, word: &str) -> bool {
    let same = known.bytes().zip(word.bytes()).take_while(|(a, b)| a == b).count();
    let tail = known.bytes().rev().zip(word.bytes().rev()).take_while(|(a, b)| a == b).count();
    known.len().abs_diff(word.len()) <= 1 && same + tail + 1 >= known.len().max(word.len())
}

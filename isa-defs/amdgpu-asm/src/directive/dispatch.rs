//! Directives. An unknown directive is an error.

use std::ops::Range;

use crate::diagnostic::{Diagnostic, Done};
use crate::expand::conditions;
use crate::instruction::statement::defined_twice;
use crate::lex::cursor::Cursor;
use crate::program::Program;
use crate::state::metadata::Block;

/// Names of all directives but those of conditions, for advice.
const KNOWN: &[&str] = &[
    ".text",
    ".data",
    ".bss",
    ".rodata",
    ".tdata",
    ".tbss",
    ".section",
    ".pushsection",
    ".popsection",
    ".previous",
    ".subsection",
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
    ".octa",
    ".float",
    ".single",
    ".double",
    ".ascii",
    ".asciz",
    ".string",
    ".base64",
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
    ".no_dead_strip",
    ".ident",
    ".file",
    ".loc",
    ".addrsig",
    ".addrsig_sym",
    ".amdgcn_target",
    ".amd_amdgpu_isa",
    ".amdhsa_code_object_version",
    ".amdhsa_kernel",
    ".amdgpu_hsa_kernel",
    ".amd_kernel_code_t",
    ".amdgpu_metadata",
    ".amdgpu_lds",
    ".amdgpu_info",
    ".comm",
    ".lcomm",
    ".extern",
    ".reloc",
    ".symver",
    ".weakref",
    ".cg_profile",
    ".altmacro",
    ".noaltmacro",
    ".amdgpu_pal_metadata",
    ".end",
    ".macro",
    ".endm",
    ".purgem",
    ".exitm",
    ".rept",
    ".irp",
    ".irpc",
    ".endr",
    ".include",
    ".incbin",
    ".err",
    ".error",
    ".warning",
    ".print",
];

/// The directives of LLVM's target-independent parser, whose names may have capital letters, and that are not conditions.
const GENERIC: &[&str] = &[
    ".set",
    ".equ",
    ".equiv",
    ".ascii",
    ".asciz",
    ".string",
    ".base64",
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
    pub(crate) fn directive(&mut self, input: &mut Cursor<'_>) -> Done {
        let start = input.place();
        let word = generic(input.word());
        let span = start..input.end();
        if let Some(done) = self.section_by_name(word, input) {
            return done;
        }
        match word {
            ".section" => return self.named_section(input, false),
            ".pushsection" => return self.named_section(input, true),
            ".popsection" => {
                if !self.sections.pop() {
                    return Err(Diagnostic::new(span, "no `.pushsection` precedes this"));
                }
            }
            ".previous" => {
                if !self.sections.swap() {
                    return Err(Diagnostic::new(span, "no section precedes this one"));
                }
            }
            ".subsection" => {
                let number = if input.done() { 0 } else { self.subsection_number(input)? };
                input.finish()?;
                self.sections.switch_subsection(number);
            }
            ".p2align" | ".p2alignw" | ".p2alignl" | ".balign" | ".balignw" | ".balignl" | ".align" => {
                return self.align(word, span, input);
            }
            ".org" => return self.org(span, input),
            ".fill" | ".zero" | ".skip" | ".space" => return self.fill(word == ".fill", span, input),
            ".byte" => return self.data(1, input),
            ".2byte" | ".short" | ".value" => return self.data(2, input),
            ".4byte" | ".long" | ".int" => return self.data(4, input),
            ".8byte" | ".quad" => return self.data(8, input),
            ".ascii" | ".asciz" | ".string" => return self.strings(word != ".ascii", input),
            ".base64" => return self.base64(input),
            ".uleb128" | ".sleb128" => return self.leb128(word == ".sleb128", input),
            ".set" | ".equ" | ".equiv" => {
                let (name, at) = input.name_or_dot()?;
                if !input.eat(",") {
                    return Err(input.expected("`,` and a value"));
                }
                if name == "." {
                    return Err(Diagnostic::new(at, "expected a name").help(Some("`.org` sets the address".into())));
                }
                if word == ".equiv"
                    && let Some(old) = self.symbols.get(&name)
                {
                    return Err(defined_twice(&name, at, old.span.clone()));
                }
                self.assign(input, &name, at)?;
                if word == ".equiv" {
                    self.symbols.make_final(&name);
                }
                return Ok(());
            }
            ".amdgcn_target" => return self.amdgcn_target(input),
            ".amd_amdgpu_isa" => return self.amd_amdgpu_isa(input),
            ".amdhsa_code_object_version" => return self.code_object_version(input),
            ".amdhsa_kernel" => return self.begin_kernel(input),
            ".end_amdhsa_kernel" => return Err(Diagnostic::new(span, "no `.amdhsa_kernel` precedes this")),
            ".amdgpu_hsa_kernel" => return self.hsa_kernel(span, input),
            ".amdgpu_info" => return self.begin_resource_info(span, input),
            ".end_amdgpu_info" => return Err(Diagnostic::new(span, "no `.amdgpu_info` precedes this")),
            ".amd_kernel_code_t" => return self.begin_kernel_code(span, input),
            ".end_amd_kernel_code_t" => return Err(Diagnostic::new(span, "no `.amd_kernel_code_t` precedes this")),
            ".amdgpu_metadata" | ".amdgpu_pal_metadata" => {
                if let Some(block) = Block::of(word) {
                    self.metadata.begin(block, span);
                }
            }
            ".end_amdgpu_metadata" => return Err(Diagnostic::new(span, "no `.amdgpu_metadata` precedes this")),
            _ => {
                if let Some(done) = self.expansion_directive(word, span.clone(), input) {
                    return done;
                }
                if let Some(done) = self.wide_data(word, span.clone(), input) {
                    return done;
                }
                return self.without_bytes(word, span, input);
            }
        }
        input.finish()
    }

    /// Directives that put no bytes anywhere.
    fn without_bytes(&mut self, word: &str, span: Range<usize>, input: &mut Cursor<'_>) -> Done {
        if let Some(done) = self.attribute(word, input).or_else(|| self.debug_directive(word, span.clone(), input)) {
            return done;
        }
        match word {
            ".addrsig" => {}
            // LLVM ignores the rest of the line.
            ".extern" => return Ok(()),
            ".reloc" => return self.reloc(input),
            ".symver" => return self.symbol_version(input),
            ".weakref" => return self.weak_reference(input),
            _ => {
                let mut known = KNOWN.iter().chain(&conditions::NAMES).copied();
                let near = known.find(|known| similar(known, word)).or_else(|| self.expansion.nearest_macro(word));
                let help = near.map(|near| format!("there is `{near}`"));
                return Err(Diagnostic::new(span, "unknown directive").help(help));
            }
        }
        input.finish()
    }
}

/// Whether a name is another with one letter more, less or different.
fn similar(known: &str, word: &str) -> bool {
    let same = known.bytes().zip(word.bytes()).take_while(|(a, b)| a == b).count();
    let tail = known.bytes().rev().zip(word.bytes().rev()).take_while(|(a, b)| a == b).count();
    known.len().abs_diff(word.len()) <= 1 && same + tail + 1 >= known.len().max(word.len())
}

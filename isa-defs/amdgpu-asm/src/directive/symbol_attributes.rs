//! Directives that set attributes of symbols: binding, visibility, type and size; and variables that a linker allocates.

use std::ops::Range;

use amdgpu_object::{Binding, SymbolType, Visibility};

use crate::diagnostic::{Diagnostic, Done};
use crate::expression::tree::Expr;
use crate::layout::padding::Padding;
use crate::lex::cursor::Cursor;
use crate::program::Program;
use crate::symbol_table::{Definition, is_temporary};

/// The names of types after the sign, and LLVM's other names.
const TYPES: [(&str, &str, SymbolType); 6] = [
    ("function", "STT_FUNC", SymbolType::Function),
    ("object", "STT_OBJECT", SymbolType::Object),
    ("notype", "STT_NOTYPE", SymbolType::NoType),
    // LLVM leaves common symbols to `.comm`.
    ("common", "STT_COMMON", SymbolType::Object),
    ("tls_object", "STT_TLS", SymbolType::Tls),
    ("gnu_indirect_function", "STT_GNU_IFUNC", SymbolType::IndirectFunction),
];

/// The type of a symbol with two `.type` directives: the more special one, as in LLVM.
fn combined(old: SymbolType, new: SymbolType) -> SymbolType {
    let rank = |kind| match kind {
        SymbolType::NoType => 0,
        SymbolType::Object => 1,
        SymbolType::Function => 2,
        SymbolType::IndirectFunction => 3,
        SymbolType::Tls => 4,
        // No directive gives these.
        SymbolType::Common | SymbolType::File => 5,
    };
    if rank(old) > rank(new) { old } else { new }
}

impl Program<'_> {
    /// Executes a directive for attributes of symbols; `None` for other directives.
    pub(crate) fn attribute(&mut self, word: &str, input: &mut Cursor<'_>) -> Option<Done> {
        Some(match word {
            ".globl" | ".global" | ".weak" | ".local" | ".protected" | ".hidden" | ".internal" | ".no_dead_strip"
            | ".addrsig_sym" => self.symbol_list(word, input),
            ".cg_profile" => self.call_graph_edge(input),
            ".type" => self.symbol_type(input),
            ".size" => self.symbol_size(input),
            ".amdgpu_lds" => self.lds(input),
            ".comm" | ".common" | ".lcomm" => self.common(word == ".lcomm", input),
            _ => return None,
        })
    }

    fn symbol_list(&mut self, word: &str, input: &mut Cursor<'_>) -> Done {
        if input.done() && word != ".addrsig_sym" {
            return Ok(());
        }
        loop {
            let (name, span) = input.name()?;
            let binding = match word {
                ".globl" | ".global" => Some(Binding::Global),
                ".weak" => Some(Binding::Weak),
                ".local" => Some(Binding::Local),
                _ => None,
            };
            if matches!(word, ".globl" | ".global" | ".no_dead_strip") && is_temporary(&name) {
                return Err(Diagnostic::new(span, format!("`{name}` is temporary: no other file can name it")));
            }
            if word != ".addrsig_sym" {
                let attributes = self.symbols.attributes_mut(&name);
                // As in LLVM, a binding is final, but for a global symbol that becomes weak.
                match (attributes.binding, binding) {
                    (None, _) | (Some(Binding::Global), Some(Binding::Weak)) => {
                        attributes.binding = binding.or(attributes.binding);
                    }
                    (old, Some(new)) if old != Some(new) => {
                        return Err(Diagnostic::new(span, format!("the symbol `{name}` had another binding before")));
                    }
                    _ => {}
                }
                attributes.is_declared = true;
                attributes.visibility = match word {
                    ".protected" => Visibility::Protected,
                    ".hidden" => Visibility::Hidden,
                    ".internal" => Visibility::Internal,
                    _ => attributes.visibility,
                };
            }
            if !input.eat(",") {
                return input.finish();
            }
        }
    }

    /// `.cg_profile FROM, TO, COUNT`: how often a function calls another. The section for these numbers is not written, but the
    /// symbol table has the symbols.
    fn call_graph_edge(&mut self, input: &mut Cursor<'_>) -> Done {
        for _ in 0..2 {
            let (name, span) = input.name()?;
            if !input.eat(",") {
                return Err(input.expected("`,`"));
            }
            self.aliases.push_profiled(self.symbols.intern(&name), span);
        }
        match input.number() {
            Some(number) => number.and_then(|_| input.finish()),
            None => Err(input.expected("a number")),
        }
    }

    fn symbol_type(&mut self, input: &mut Cursor<'_>) -> Done {
        let (name, _) = input.name()?;
        input.eat(",");
        let start = input.place();
        let is_marked = input.eat("@") || input.eat("%") || input.eat("#");
        let kind = if !is_marked && input.rest().starts_with('"') { input.name()?.0 } else { input.word().to_string() };
        let Some((.., kind)) = TYPES.iter().find(|(short, long, _)| kind == *short || kind == *long) else {
            let span = start..input.end().max(start + 1);
            return Err(Diagnostic::new(span, "expected the type of a symbol, such as `@function`"));
        };
        let attributes = self.symbols.attributes_mut(&name);
        attributes.kind = combined(attributes.kind, *kind);
        attributes.is_declared = true;
        input.finish()
    }

    fn symbol_size(&mut self, input: &mut Cursor<'_>) -> Done {
        let (name, _) = input.name()?;
        if !input.eat(",") {
            return Err(input.expected("`,` and a size"));
        }
        let start = input.place();
        let expr = self.expression(input)?;
        let span = start..input.end();
        self.symbols.attributes_mut(&name).size = Some((expr, span));
        input.finish()
    }

    /// `.comm NAME, SIZE [, LOG2_ALIGN]`, or `.lcomm NAME, SIZE`: a variable that holds zeros. One that is local is in `.bss`, any other
    /// is merged with those of its name in other files.
    fn common(&mut self, is_local: bool, input: &mut Cursor<'_>) -> Done {
        let (name, span) = input.name()?;
        if !input.eat(",") {
            return Err(input.expected("`,` and a size"));
        }
        let (size, at) = self.spanned_number(input)?;
        let size = u64::try_from(size).map_err(|_| Diagnostic::new(at, "the size is negative"))?;
        let mut align = 1;
        if !is_local && input.eat(",") {
            let (number, at) = self.spanned_number(input)?;
            let power = u32::try_from(number).ok().filter(|power| *power < 32);
            let why = "the alignment is given as a power of two, which is between 0 and 31";
            align = 1 << power.ok_or_else(|| Diagnostic::new(at, why))?;
        }
        input.finish()?;
        let attributes = self.symbols.attributes_mut(&name);
        attributes.kind = SymbolType::Object;
        if is_local {
            attributes.binding = Some(Binding::Local);
        }
        if *attributes.binding.get_or_insert(Binding::Global) != Binding::Local {
            return self.define(&name, span, Definition::Common { size, align });
        }
        attributes.size = Some((Expr::Number(size.cast_signed()), span.clone()));
        self.sections.push();
        self.switch_to(".bss", 0);
        let mut done = self.sections.align(align, Padding::Default, None, span.clone());
        let defined = self.define(&name, span.clone(), Definition::Label(self.here()));
        done = done.and_then(|()| self.sections.fill(size, 1, 0));
        self.sections.pop();
        defined.and_then(|()| done.map_err(|why| self.cannot_append(why, span)))
    }

    /// `.amdgpu_lds NAME, SIZE [, ALIGN]`.
    fn lds(&mut self, input: &mut Cursor<'_>) -> Done {
        let (name, span) = input.raw_name()?;
        if !input.eat(",") {
            return Err(input.expected("`,` and a size"));
        }
        let (size, at) = self.spanned_number(input)?;
        let size = u64::try_from(size).map_err(|_| Diagnostic::new(at.clone(), "the size is negative"))?;
        if size > MAX_LDS_SIZE {
            return Err(Diagnostic::new(at, "the size is larger than LDS, which has 131072 bytes"));
        }
        let mut align = 4;
        if input.eat(",") {
            let (number, at) = self.spanned_number(input)?;
            align = u64::try_from(number)
                .ok()
                .filter(|n| n.is_power_of_two())
                .ok_or_else(|| Diagnostic::new(at.clone(), "the alignment is not a power of two"))?;
            if align >= 1 << 31 {
                return Err(Diagnostic::new(at, "the alignment is too large"));
            }
        }
        input.finish()?;
        self.define(name, span, Definition::Lds { size, align })?;
        let attributes = self.symbols.attributes_mut(name);
        attributes.kind = SymbolType::Object;
        attributes.binding.get_or_insert(Binding::Global);
        Ok(())
    }

    /// A number and where it is in the source.
    fn spanned_number(&mut self, input: &mut Cursor<'_>) -> Result<(i64, Range<usize>), Diagnostic> {
        let start = input.place();
        let number = self.number(input)?;
        Ok((number, start..input.end()))
    }
}

/// The bytes of LDS that two compute units share.
const MAX_LDS_SIZE: u64 = 1 << 17;

//! The precomputed texts and values of operand classes: `isa::Names` and `isa::Values`.

use proc_macro2::TokenStream;
use quote::quote;

use super::facts::Facts;
use super::runs::{file_alias, value_alias};
use super::statics::Statics;
use super::tokens::{constant, unless};
use crate::ast::{Arm, ArmCond, ArmMap, ClassDecl, Clause, CodeRun, RunKind};

impl<'a> Statics<'a> {
    /// Returns the precomputed texts of a class.
    pub(super) fn names(&mut self, class: &'a ClassDecl, arms: &'a [Arm], facts: &Facts) -> TokenStream {
        // A function writes something else.
        if class.clauses.iter().any(|c| matches!(c, Clause::Hook(name, _) if *name == *"write")) {
            return quote!(::isa::Names::NONE);
        }
        if let Some(field) = facts.there {
            let field = field.field.as_str();
            return quote! {
                ::isa::Names {
                    altered_by: &[#field],
                    ..::isa::Names::of_any_type(&[::isa::Name::EMPTY.with("off")])
                }
            };
        }
        let Some(ready) = self.ready(class, arms, facts) else { return quote!(::isa::Names::NONE) };
        if let Some(code) = ready.off {
            return self.names_of_address(class, facts.dwords.unwrap_or(1), code);
        }
        let Ready { base, unless, .. } = ready;
        let [one, two, four] = [1, 2, 4].map(|dwords| {
            let all = self.width("NAMES", dwords);
            if base == 0 { quote!(&#all) } else { quote!(#all.split_at(#base).1) }
        });
        let narrow = match self.narrow_end(arms, facts, "NAMES") {
            None => one.clone(),
            Some(_) if base > 0 => quote!(&[]),
            Some(end) => {
                let all = self.width("NAMES", 1);
                quote!(#all.split_at(#end).0)
            }
        };
        let of_mask = arms.iter().find(|arm| matches!(arm.cond, Some(ArmCond::Mask))).or(arms.last());
        let base_of_mask = of_mask.map_or(0, |arm| self.space.map(arm).0 as usize);
        let count = self.registers();
        let masks = if facts.of_mode && base_of_mask < count {
            let all = self.width("NAMES", 1);
            quote!(#all.split_at(#count).0.split_at(#base_of_mask).1)
        } else {
            quote!(&[])
        };
        let of_constants = facts.flags_of_constants(|meaning| matches!(meaning, "half_bits" | "any_half_float"));
        let of_signs = facts.flags_of_signs();
        quote! {
            ::isa::Names {
                unless: #unless | #of_constants | #of_signs,
                by_width: [#narrow, #one, #two, &[], #four],
                masks: #masks,
                ..::isa::Names::NONE
            }
        }
    }

    /// Returns the texts of an address: those of its registers, with `off` for one code.
    fn names_of_address(&mut self, class: &ClassDecl, dwords: u8, off: u32) -> TokenStream {
        let name = constant("ADDRESS", class);
        let all = self.width("NAMES", u32::from(dwords));
        let count = self.registers();
        self.items.extend(quote! {
            static #name: [::isa::Name; #count] = {
                let mut all = [::isa::Name::NONE; #count];
                let mut code = 0;
                while code < all.len() {
                    all[code] = #all[code];
                    code += 1;
                }
                all[#off as usize] = ::isa::Name::EMPTY.with("off");
                all
            };
        });
        quote!(::isa::Names::of_any_type(&#name))
    }

    /// Returns how many codes come before the first constant.
    fn registers(&self) -> usize {
        let constant = self.space.runs.iter().find(|run| !matches!(run.kind, RunKind::Numbered(_) | RunKind::Names(_)));
        constant.map_or_else(|| self.space.runs.last().map_or(0, |run| run.last as usize + 1), |run| run.first as usize)
    }

    /// Returns how many codes operands of 16 bits share with whole registers, or `None` if all: halves of registers may have
    /// other texts and values.
    fn narrow_end(&self, arms: &[Arm], facts: &Facts, what: &str) -> Option<usize> {
        let is_dword = facts.constants.iter().any(|(flag, meaning)| flag.is_none() && *meaning == *"dword");
        if !facts.has_halves() && (is_dword || !self.has_floats(arms) || what == "VALUES") {
            return None;
        }
        let runs = self.space.list(self.space.resolve(&arms[arms.len() - 1].set));
        let ends = |run: &CodeRun| {
            run.has_halves && facts.has_halves()
                || what == "NAMES" && matches!(run.kind, RunKind::Floats(_))
                || matches!(run.kind, RunKind::Literal(_))
        };
        let end = runs.into_iter().find(|run| ends(run)).map(|run| run.first as usize);
        Some(end.unwrap_or_else(|| self.codes_count()))
    }

    fn has_floats(&self, arms: &[Arm]) -> bool {
        let runs = self.space.list(self.space.resolve(&arms[arms.len() - 1].set));
        runs.iter().any(|run| matches!(run.kind, RunKind::Floats(_)))
    }

    /// Returns the precomputed values of a class.
    pub(super) fn values(&mut self, class: &'a ClassDecl, arms: &'a [Arm], facts: &Facts) -> TokenStream {
        let Some(ready) = self.ready(class, arms, facts) else { return quote!(::isa::Values::NONE) };
        let (file, value) = (file_alias(), value_alias());
        if ready.off.is_some() {
            let table = constant("CLASS", class);
            return quote! {
                ::isa::Values::context_free(|code| match #table.meaning_alone(code) {
                    ::core::option::Option::Some(meaning) => <#value>::of(meaning),
                    ::core::option::Option::None => <#value>::of(::isa::Meaning::<#file>::Off),
                })
            };
        }
        let Ready { base, unless, .. } = ready;
        let base = base as u16;
        let count = self.codes_count() as u16;
        let range = |list: u8, end: u16| quote!(::isa::ValueRange::new(#list, #base, #end));
        let [one, two, four] = [(0, 1), (1, 2), (2, 4)].map(|(list, dwords)| {
            self.width("VALUES", dwords);
            range(list, count)
        });
        let is_hooked = class.clauses.iter().any(|c| matches!(c, Clause::Hook(name, _) if *name == *"value"));
        let none = quote!(::isa::ValueRange::NONE);
        let narrow = match self.narrow_end(arms, facts, "VALUES") {
            _ if is_hooked => none.clone(),
            None => one.clone(),
            Some(_) if base > 0 => none.clone(),
            Some(end) => range(0, end as u16),
        };
        quote!(::isa::Values { unless: #unless, by_width: [#narrow, #one, #two, #none, #four], ..::isa::Values::NONE })
    }

    /// Returns what precomputed texts and values a class has, if it has any.
    fn ready(&self, class: &ClassDecl, arms: &[Arm], facts: &Facts) -> Option<Ready> {
        let last = arms.last()?;
        let without = class.clauses.iter().any(|c| matches!(c, Clause::Without(what) if *what == *"names"));
        let hooked = facts.is_counted || without;
        let off = match facts.off {
            Some(Some(name)) => Some(self.code_of(name)),
            Some(None) => return None,
            None => None,
        };
        if hooked || matches!(last.map, ArmMap::By(_)) || facts.dwords.is_some() && off.is_none() {
            return None;
        }
        let base = self.space.map(last).0 as usize;
        // A case with fewer codes of the same text has the texts of the last one.
        let is_part = |arm: &&Arm| {
            self.space.map(arm) != self.space.map(last)
                || self.space.resolve(&arm.set) & !self.space.resolve(&last.set) != 0
        };
        Some(Ready { base, unless: unless(class, arms.iter().filter(is_part)), off })
    }
}

/// The precomputed texts and values of a class.
struct Ready {
    base: usize,
    unless: TokenStream,
    off: Option<u32>,
}

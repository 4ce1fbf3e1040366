//! The static tables of a generation: its code space, and for each class its valid codes, precomputed texts and values,
//! and fast syntax.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};

use super::class_codes::ClassCodes;
use super::codes::{Bits, CODES, Space};
use super::facts::{Facts, Half};
use super::placing::constant_cases;
use super::runs::{file_alias, float_tables, run_table, value_alias};
use super::tokens::{constant, option};
use super::valid_codes::{Case, ValidCodes};
use crate::ast::{Arm, ArmCond, ClassContent, ClassDecl, OperandTables, RunKind};
use crate::spanned::SpannedStr;

/// Generates the aliases of what the head of the tables names.
pub fn aliases(tables: &OperandTables) -> TokenStream {
    let (value, file) = (&tables.value, &tables.file);
    let flags = tables.flags.as_ref().map(|flags| quote!(use #flags as __operand_flags;));
    quote! {
        #[allow(dead_code)]
        type __OperandValue = #value;
        #[allow(unused_imports)]
        use #file as __OperandFile;
        #flags
    }
}

/// The tables of one generation under construction.
pub struct Statics<'a> {
    pub tables: &'a OperandTables,
    pub space: Space<'a>,
    pub(super) items: TokenStream,
    sets: Vec<Bits>,
    widths: Vec<(&'static str, u32)>,
}

impl<'a> Statics<'a> {
    /// Returns the contents of the module of a generation.
    pub fn module(tables: &'a OperandTables, generation: Option<&SpannedStr>) -> TokenStream {
        let space = Space::new(tables, generation);
        let mut all = Statics { tables, space, items: TokenStream::new(), sets: Vec::new(), widths: Vec::new() };
        if !tables.runs.is_empty() {
            all.push_space();
        }
        for class in &tables.classes {
            if let ClassContent::Codes(arms) = &class.content {
                all.push_class(class, arms);
            }
        }
        let sets = all.sets.iter().enumerate().map(|(at, bits)| {
            let name = format_ident!("SET{at}");
            quote!(static #name: ::isa::CodeSet = ::isa::CodeSet::of_words([#(#bits),*]);)
        });
        let (items, values) = (&all.items, all.value_lists());
        quote!(#(#sets)* #items #values)
    }

    /// Adds the code space and its constants.
    fn push_space(&mut self) {
        let mut index = [0u8; CODES];
        let mut unknown: Vec<(u32, String)> = Vec::new();
        for (at, run) in self.space.runs.iter().enumerate() {
            for code in run.first..=run.last {
                if let Some(entry) = index.get_mut(code as usize) {
                    *entry = at as u8 + 1;
                }
            }
            if let RunKind::Numbered(prefix) = &run.kind {
                unknown.push((run.last - run.first, format!("{prefix}{}", run.last - run.first)));
            }
        }
        let index = proc_macro2::Literal::byte_string(&index);
        unknown.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
        let names: Vec<&str> = unknown.iter().map(|(_, name)| name.as_str()).collect();
        let unknown = match &names[..] {
            [] => "no such register".to_string(),
            [one] => format!("no such register: the last one is {one}"),
            [rest @ .., last] => format!("no such register: they end at {} and {last}", rest.join(", ")),
        };
        let mask = self.tables.masks.as_ref().map_or(String::new(), |(_, text)| format!(": {text}"));
        let runs = self.space.runs.iter().map(|run| run_table(run));
        let file = file_alias();
        let constants = self.constants();
        let module = quote! {
            /// The code space.
            pub(crate) static SPACE: ::isa::class::Space<#file> = ::isa::class::Space {
                constants: &CONSTANTS,
                runs: &[#(#runs),*],
                index: #index,
                unknown: #unknown,
                mask: #mask,
            };
            #constants
        };
        self.items.extend(module);
    }

    /// Returns the constants that have their own codes.
    fn constants(&self) -> TokenStream {
        let (mut integers, mut floats, mut literal) = (Vec::new(), Vec::new(), quote!(::core::option::Option::None));
        for run in &self.space.runs {
            let code = run.first as u16;
            match &run.kind {
                RunKind::Integers(first, last) => {
                    integers.push(quote!(::isa::InlineIntegers { code: #code, first: #first, last: #last }));
                }
                RunKind::Floats(all) => floats.extend(float_tables(run.first, all)),
                RunKind::Literal(_) => literal = quote!(::core::option::Option::Some(#code)),
                _ => {}
            }
        }
        quote! {
            /// The constants that have their own codes.
            #[allow(dead_code)]
            pub(crate) static CONSTANTS: ::isa::Constants =
                ::isa::Constants { integers: &[#(#integers),*], floats: &[#(#floats),*], literal: #literal };
        }
    }

    /// Returns a static with a set of codes.
    fn set(&mut self, bits: Bits) -> Ident {
        let at = self.sets.iter().position(|other| *other == bits).unwrap_or_else(|| {
            self.sets.push(bits);
            self.sets.len() - 1
        });
        format_ident!("SET{at}")
    }

    /// Returns the static table `NAMES` or `VALUES` for operands of this many registers.
    pub(super) fn width(&mut self, what: &'static str, dwords: u32) -> Ident {
        let name = format_ident!("{what}{dwords}");
        if self.widths.contains(&(what, dwords)) {
            return name;
        }
        self.widths.push((what, dwords));
        let count = self.codes_count();
        let (file, value, width) = (file_alias(), value_alias(), dwords as u8);
        let item = if what == "NAMES" {
            quote!(static #name: [::isa::Name; #count] = SPACE.names(#dwords);)
        } else {
            quote! {
                static #name: [#value; #count] = {
                    let meanings = SPACE.meanings::<#count>(#width);
                    let mut all = [<#value>::of(::isa::Meaning::<#file>::Off); #count];
                    let mut code = 0;
                    while code < all.len() {
                        if let ::core::option::Option::Some(meaning) = meanings[code] {
                            all[code] = <#value>::of(meaning);
                        }
                        code += 1;
                    }
                    all
                };
            }
        };
        self.items.extend(item);
        name
    }

    /// Returns the number of codes up to the last one that has a meaning.
    pub(super) fn codes_count(&self) -> usize {
        self.space.runs.last().map_or(0, |run| run.last as usize + 1)
    }

    /// Generates the lists of precomputed values.
    fn value_lists(&self) -> TokenStream {
        let value = value_alias();
        let lists = [1, 2, 4].map(|dwords| {
            let name = format_ident!("VALUES{dwords}");
            if self.widths.contains(&("VALUES", dwords)) { quote!(&#name) } else { quote!(&[]) }
        });
        quote!(pub(super) static VALUE_LISTS: ::isa::ValueLists<#value> = [#(#lists),*];)
    }

    /// Adds the tables of a class of registers and constants.
    fn push_class(&mut self, class: &'a ClassDecl, arms: &'a [Arm]) {
        let facts = Facts::new(class);
        let class_codes = ClassCodes { tables: self.tables, space: &self.space, class };
        let (codes, valid) = (class_codes.of_space(arms, None), facts.check.map(|_| class_codes.valid()));
        let codes = self.tokens(&codes);
        let statically_valid = valid.map(|codes| {
            let (name, codes) = (constant("STATIC", class), self.tokens(&codes));
            quote!(pub(super) const #name: ::isa::ValidCodes = #codes;)
        });
        let table = self.table(arms, &facts);
        let names = self.names(class, arms, &facts);
        let values = self.values(class, arms, &facts);
        let prints = self.prints(arms, &facts);
        let (file, value) = (file_alias(), value_alias());
        let ident = |prefix| constant(prefix, class);
        let (c, s, n, v, r) = (ident("CLASS"), ident("CODES"), ident("NAMES"), ident("VALUES"), ident("PRINTS"));
        #[cfg(feature = "parse")]
        self.items.extend({
            let name = ident("FAST_SYNTAX");
            let syntax = super::fast_syntax::of_class(self.tables, &self.space, class, arms, &facts);
            self.tables.parse.item(&quote!(pub(super) static #name: ::isa::FastSyntax = #syntax;))
        });
        self.items.extend(quote! {
            pub(super) static #c: ::isa::class::Class<#file> = #table;
            pub(super) const #s: ::isa::ValidCodes = #codes;
            #statically_valid
            // Each use of a constant would check the texts of all codes again.
            pub(super) static #n: ::isa::Names = #names;
            pub(super) const #v: ::isa::Values<#value> = #values;
            pub(super) const #r: ::isa::ValidCodes = #prints;
        });
    }

    /// Returns codes as an `isa::ValidCodes`, which refers to the static sets.
    fn tokens(&mut self, codes: &ValidCodes) -> TokenStream {
        codes.tokens(&mut |bits| self.set(*bits).to_token_stream())
    }

    /// Returns the codes that are printed, though they are not valid: in rows that have the last case.
    fn prints(&mut self, arms: &[Arm], facts: &Facts) -> TokenStream {
        let (Some(set), Some(last)) = (facts.prints, arms.last()) else { return ValidCodes::NONE.into_token_stream() };
        let ((base, shift), runs) = (self.space.map(last), self.space.resolve(set));
        let of_dwords = |dwords| ValidCodes::Only(self.space.bits(runs, dwords, base, shift));
        let is_other = |arm: &&Arm| matches!(arm.cond, Some(ArmCond::Flag(_) | ArmCond::Mask | ArmCond::Above(_)));
        let others = arms.iter().filter(is_other).map(|arm| (Case::of_arm(self.tables, arm), ValidCodes::NONE));
        let of_types = [(Case::Dwords(1), of_dwords(1)), (Case::Else, of_dwords(2))];
        let codes = ValidCodes::Cases(others.chain(of_types).collect());
        self.tokens(&codes)
    }

    /// Returns a class as an `isa::class::Class`.
    fn table(&self, arms: &[Arm], facts: &Facts) -> TokenStream {
        let maps = arms.iter().map(|arm| {
            let (base, shift) = self.space.map(arm);
            let base = base as u16;
            let case = Case::of_arm(self.tables, arm);
            let align = facts.misaligned;
            quote!((#case, ::isa::class::Map { base: #base, shift: #shift, align: #align }))
        });
        let mask = option(facts.mask_counts(self.tables).map(|[one, two]| quote!([#one, #two])));
        let dwords = option(facts.dwords.map(|n| quote!(#n)));
        let off = match facts.off {
            None => None,
            Some(None) => Some(option(None)),
            Some(Some(name)) => {
                let code = self.code_of(name);
                Some(option(Some(quote!(#code))))
            }
        };
        let off = option(off.map(|code| quote!(("off", #code))));
        let half = match facts.half {
            Half::Bit(bit) => quote!(::isa::class::Half::Bit(#bit)),
            Half::By(..) => quote!(::isa::class::Half::Elsewhere),
            Half::None => quote!(::isa::class::Half::None),
        };
        let (expects, other, kin) = self.nouns(arms);
        let expects = facts.expects.map_or(expects, ToString::to_string);
        let rule = facts.says.map_or_else(|| self.rule_of_registers(arms, &expects), ToString::to_string);
        let constants = constant_cases(&facts.constant_cases());
        quote! {
            ::isa::class::Class {
                space: &SPACE,
                maps: &[#(#maps),*],
                mask: #mask,
                dwords: #dwords,
                off: #off,
                half: #half,
                constants: #constants,
                kin: #kin,
                expects: #expects,
                other: #other,
                rule: #rule,
            }
        }
    }

    /// Returns the code of a run with one code.
    pub fn code_of(&self, name: &SpannedStr) -> u32 {
        self.space.runs.iter().find(|run| run.name == *name).map_or(0, |run| run.first)
    }

    /// Returns the error for registers that a class does not have: a list of its registers if they are few.
    fn rule_of_registers(&self, arms: &[Arm], expects: &str) -> String {
        const FEW: usize = 3;
        let mut names = Vec::new();
        for run in self.space.list(self.space.resolve_all(arms)) {
            match &run.kind {
                RunKind::Numbered(prefix) => names.push(format!("{prefix}0 to {prefix}{}", run.last - run.first)),
                RunKind::Names(all) => names.push(all.iter().map(SpannedStr::as_str).collect::<Vec<_>>().join(", ")),
                _ => {}
            }
        }
        match names.len() {
            0 => "this operand cannot be a register".into(),
            1..=FEW => format!("the registers of this operand are {}", names.join(", ")),
            _ => format!("this register does not fit: this operand is {expects}"),
        }
    }

    /// Returns what errors call a register of a class, the error for other registers, and the runs that are called so.
    fn nouns(&self, arms: &[Arm]) -> (String, String, u64) {
        let Some((all, noun)) = self.space.called(arms) else {
            return ("a register".into(), "this register does not fit".into(), u64::MAX);
        };
        let other = match self.space.nouns().into_iter().find(|(other, _)| other & all == 0) {
            Some((_, other)) => format!("{other} does not fit: this operand is {noun}"),
            None => format!("this register does not fit: this operand is {noun}"),
        };
        (noun.to_string(), other, all)
    }
}

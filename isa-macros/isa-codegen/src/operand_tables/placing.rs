//! How operands of a class are placed in an instruction: `isa::class::Placing`.

use proc_macro2::TokenStream;
use quote::quote;

use super::codes::Space;
use super::context::{Context, has};
use super::facts::{Facts, Half, SignCases, is_literal};
use super::numbers::{is_signed, shift};
use super::runs::{file_alias, variant};
use super::tokens::option;
use super::valid_codes::Case;
use crate::ast::{Arm, ClassContent, ClassDecl, Clause, CodeRun, RunFit, RunKind, ThereField};
use crate::spanned::SpannedStr;

impl Context<'_> {
    /// Returns the placing of a class, `None` if its code is a number.
    pub(super) fn placing(&self, class: &ClassDecl) -> Option<TokenStream> {
        match &class.content {
            ClassContent::Codes(arms) => self.placing_of_codes(class, arms),
            ClassContent::Number(low, high, _) => {
                let shift = shift(class);
                let signed = option(is_signed(class).then(|| quote!(true)));
                let rule = Facts::new(class).number_rule(*low, *high);
                let unsigned = class.clauses.iter().filter_map(|clause| match clause {
                    Clause::UnsignedIf(flag, rule) => Some((Case::of_flag(Some(flag)), rule.as_str())),
                    _ => None,
                });
                let unsigned = unsigned.map(|(case, rule)| quote!((#case, #rule)));
                let number = quote! {
                    ::isa::class::Placing::of_number(::isa::class::NumberPlace {
                        shift: #shift,
                        signed: #signed,
                        unsigned: &[#(#unsigned),*],
                        ..::isa::class::NumberPlace::new(#low, #high, #rule)
                    })
                };
                if is_literal(class) {
                    let constants = self.of_generation(|module| quote!(&#module::CONSTANTS));
                    return Some(quote! {
                        ::isa::class::Placing {
                            number: ::core::option::Option::None,
                            constants: ::core::option::Option::Some(::isa::class::ConstantPlace {
                                constants: #constants,
                                meaning: &[(::isa::Case::Else, ::isa::class::ConstantEncoding::Literal)],
                            }),
                            expects: "a constant",
                            ..::isa::class::Placing::CODE
                        }
                    });
                }
                Some(with_default(class, &number).unwrap_or(number))
            }
            ClassContent::Parts(..) => {
                let facts = Facts::new(class);
                // With `range any` text may have numbers of more bits than the field.
                let Some((low, high)) = facts.range.filter(|(low, _)| *low > i64::MIN) else {
                    return with_default(class, &quote!(::isa::class::Placing::CODE));
                };
                let rule = facts.number_rule(low, high);
                let number = quote! {
                    ::isa::class::Placing::of_number(::isa::class::NumberPlace {
                        signed: ::core::option::Option::Some(false),
                        ..::isa::class::NumberPlace::new(#low, #high, #rule)
                    })
                };
                Some(with_default(class, &number).unwrap_or(number))
            }
            _ => with_default(class, &quote!(::isa::class::Placing::CODE)),
        }
    }

    /// Returns the placing of a class of registers and constants. Returns `None` if only a function knows the number of registers.
    fn placing_of_codes(&self, class: &ClassDecl, arms: &[Arm]) -> Option<TokenStream> {
        let facts = Facts::new(class);
        let is_known_to_a_function = has(class, |c| matches!(c, Clause::DwordsFn(_)));
        if is_known_to_a_function && !has(class, |c| matches!(c, Clause::Depends(..))) {
            return None;
        }
        let registers = self.of_generation_space(|space| {
            let cases = arms.iter().map(|arm| {
                let (case, places) = (Case::of_arm(self.tables, arm), places(space, arm));
                quote!((#case, &[#(#places),*]))
            });
            quote!({
                const PLACES: &[(::isa::Case, &[::isa::class::RegisterPlace])] = &[#(#cases),*];
                PLACES
            })
        });
        let count = self.count(class, &facts);
        let is_constant = |run: &&CodeRun| !matches!(run.kind, RunKind::Numbered(_) | RunKind::Names(_));
        let space = Space::new(self.tables, self.tables.generations.last());
        let mut noun = space.called(arms).map_or("a register".to_string(), |(_, noun)| noun.to_string());
        let valid = arms.iter().fold(0, |all, arm| all | space.valid(&arm.set));
        let has_constants = space.list(valid).iter().any(is_constant);
        let off = match facts.off {
            Some(Some(name)) => space.runs.iter().find(|run| run.name == *name).map(|run| run.first as u16),
            Some(None) => Some(0),
            None => None,
        };
        if let Some(text) = facts.expects {
            noun = text.to_string();
        } else if has_constants {
            noun.push_str(" or a constant");
        }
        let off = option(off.map(|code| quote!(#code)));
        let half = match facts.half {
            Half::None => quote!(::isa::class::HalfPlace::None),
            Half::Bit(_) => quote!(::isa::class::HalfPlace::Number),
            Half::By(bit, _) => of_parameter(class, |nth| {
                let bit = bit.bit_of(class, nth);
                quote!(::isa::class::HalfPlace::Modifier(#bit))
            }),
        };
        let (neg, abs) = (sign_places(class, facts.neg), sign_places(class, facts.abs));
        let meaning = facts.constant_cases();
        let constants = option(has_constants.then(|| {
            let constants = self.of_generation(|module| quote!(&#module::CONSTANTS));
            quote!(::isa::class::ConstantPlace { constants: #constants, meaning: #meaning })
        }));
        let present = option(facts.there.map(|ThereField { field, is_by_digit, .. }| {
            let name = field.as_str();
            let bit = if *is_by_digit { quote!(::isa::class::BitOf::LAST_DIGIT) } else { quote!(0) };
            quote!(::isa::class::BitOf::new(#name, #bit))
        }));
        let list = class.clauses.iter().find_map(|c| match c {
            Clause::RegistersIn(modifiers) => Some(modifiers.iter().map(SpannedStr::as_str)),
            _ => None,
        });
        let list = list.into_iter().flatten();
        Some(quote! {
            ::isa::class::Placing {
                count: ::isa::class::Count::#count,
                present: #present,
                list: &[#(#list),*],
                constants: #constants,
                off: #off,
                half: #half,
                neg: #neg,
                abs: #abs,
                ..::isa::class::Placing::of_registers(#registers, #noun)
            }
        })
    }
}

/// Returns the tokens of `of` for the const parameter of a class: an element of an array if the class has one.
fn of_parameter(class: &ClassDecl, of: impl Fn(u8) -> TokenStream) -> TokenStream {
    match &class.param {
        Some((param, last)) => {
            let all = (0..=*last).map(of);
            quote!([#(#all),*][#param])
        }
        None => of(0),
    }
}

/// Returns the bits of signs as `(isa::Case, isa::class::BitOf)`.
fn sign_places(class: &ClassDecl, cases: &SignCases) -> TokenStream {
    of_parameter(class, |nth| {
        let all = cases.iter().map(|(flag, bit)| {
            let (case, bit) = (Case::of_flag(flag.as_ref()), bit.bit_of(class, nth));
            quote!((#case, #bit))
        });
        quote!(&[#(#all),*] as &[(::isa::Case, ::isa::class::BitOf)])
    })
}

/// Returns the registers of a case as `isa::class::RegisterPlace`s.
fn places(space: &Space, arm: &Arm) -> Vec<TokenStream> {
    let (base, shift) = space.map(arm);
    let file = file_alias();
    let place = |run: &CodeRun| {
        // Registers that the case lacks are the last ones of their run.
        let is_lacking = |code: &u32| arm.except.iter().any(|name| space.code_of_name(name) == Some(*code));
        let end = (run.first..=run.last).rev().find(|code| !is_lacking(code))?;
        if !matches!(run.kind, RunKind::Numbered(_) | RunKind::Names(_)) {
            return None;
        }
        let (name, number) = run.file.as_ref().map_or((&run.name, 0), |(name, number)| (name, u16::from(*number)));
        let variant = variant(name);
        // The first register whose code the field can hold: a field without the lowest bit cannot hold M0 behind NULL.
        let first = (run.first..=end).find(|code| (code - base) & ((1 << shift) - 1) == 0)?;
        let (last, code) = (number + (end - run.first) as u16, ((first - base) >> shift) as u16);
        let number = number + (first - run.first) as u16;
        let by = (shift > 0).then(|| quote!(.by(#shift)));
        let any = (run.fit != RunFit::Run).then(|| quote!(.of_any_count()));
        let halves = run.has_halves.then(|| quote!(.with_halves()));
        let aligned = run.is_aligned.then(|| quote!(.aligned()));
        Some(
            quote!(::isa::class::RegisterPlace::new(#file::#variant as u8, #number, #last, #code) #by #any #halves #aligned),
        )
    };
    // The largest runs first: their registers are the most frequent.
    let mut runs = space.list(space.valid(&arm.set));
    runs.sort_by_key(|run| std::cmp::Reverse(run.last - run.first));
    runs.into_iter().filter_map(place).collect()
}

/// Returns the placing of a modifier with its default, if the declaration has one.
fn with_default(class: &ClassDecl, placing: &TokenStream) -> Option<TokenStream> {
    if has(class, |c| matches!(c, Clause::Required(_))) {
        return Some(quote!(::isa::class::Placing { required: true, ..#placing }));
    }
    let code = Facts::new(class).absent?;
    Some(quote!(::isa::class::Placing { default: &[(::isa::Case::Else, #code)], ..#placing }))
}

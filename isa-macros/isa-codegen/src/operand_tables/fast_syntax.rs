//! The syntax of an operand class that the fast parser reads: `isa::FastSyntax`.

use proc_macro2::TokenStream;
use quote::quote;

use super::codes::Space;
use super::facts::Facts;
use super::tokens::{flags, option, unless};
use crate::ast::{Arm, ArmCond, ArmMap, ClassDecl, Clause, CodeRun, OperandTables, RunFit, RunKind};
use crate::spanned::SpannedStr;

/// The most bytes of a name that the fast parser reads.
const MAX_NAME: usize = 8;

/// Returns the fast syntax of a class of registers and constants: that of its last case.
pub fn of_class(tables: &OperandTables, space: &Space, class: &ClassDecl, arms: &[Arm], facts: &Facts) -> TokenStream {
    let without = class.clauses.iter().any(|c| matches!(c, Clause::Without(what) if *what == *"plain"));
    // The fast parser does not count registers by a function.
    let is_late = class.clauses.iter().any(|c| matches!(c, Clause::Late | Clause::DwordsSum(..)));
    let uncounted = facts.is_counted && facts.there.is_none() && !is_late;
    let (Some(last), false) = (arms.last(), without || uncounted) else { return quote!(::isa::FastSyntax::NONE) };
    let off = match facts.off {
        None => None,
        Some(None) => Some(0),
        Some(Some(name)) => space.runs.iter().find(|run| run.name == *name).map(|run| run.first),
    };
    // Registers set another field, too.
    let own = if facts.there.is_some() { Syntax::default() } else { Syntax::new(space, last, facts) };
    let mask = arms.iter().find(|arm| matches!(arm.cond, Some(ArmCond::Mask))).unwrap_or(last);
    let mask = facts.mask_counts(tables).map(|[one, two]| {
        let Syntax { files, names, .. } = Syntax::new(space, mask, facts);
        quote!((&::isa::FastSyntax { files: &[#(#files),*], names: &[#(#names),*], ..::isa::FastSyntax::NONE }, [#one, #two]))
    });
    let mask = option(mask);
    let of_clause = class.clauses.iter().filter_map(|c| match c {
        Clause::Unless(names) => Some(flags(names)),
        _ => None,
    });
    let unless = unless(class, arms.iter());
    let of_constants = facts.flags_of_constants(|meaning| meaning != "half_float");
    let (any, whole) = (facts.is_counted && facts.there.is_none(), !facts.has_halves());
    let shift = match last.map {
        ArmMap::By(shift) | ArmMap::Number(shift) => shift,
        ArmMap::Same => 0,
    };
    let Syntax { files, mut names, integers, negative, literal } = own;
    if let Some(code) = off {
        names.retain(|name| !name.to_string().contains("\"null\""));
        names.push(quote!(::isa::Word::new("off", 0, #code)));
    }
    let (integers, negative, literal) = (option(integers), option(negative), option(literal));
    quote! {
        ::isa::FastSyntax {
            unless: #unless | #of_constants #(| #of_clause)*,
            files: &[#(#files),*],
            aligned: #shift,
            any: #any,
            whole: #whole,
            mask: #mask,
            integers: #integers,
            negative: #negative,
            names: &[#(#names),*],
            literal: #literal,
            ..::isa::FastSyntax::NONE
        }
    }
}

/// The parts of a fast syntax.
#[derive(Default)]
struct Syntax {
    files: Vec<TokenStream>,
    names: Vec<TokenStream>,
    integers: Option<TokenStream>,
    negative: Option<TokenStream>,
    literal: Option<TokenStream>,
}

impl Syntax {
    fn new(space: &Space, arm: &Arm, facts: &Facts) -> Syntax {
        let base = space.map(arm).0;
        let by_power = matches!(arm.map, ArmMap::By(_));
        let runs = space.list(space.valid(&arm.set));
        let mut all = Syntax::default();
        let mut bits = Vec::new();
        for run in runs.iter().rev() {
            let (code, last) = (run.first - base, (run.last - run.first) as u8);
            match &run.kind {
                RunKind::Numbered(prefix) if prefix.len() == 1 => {
                    let letter = proc_macro2::Literal::byte_character(prefix.as_bytes()[0]);
                    all.files.push(quote!(::isa::NumberedFile { letter: #letter, base: #code, last: #last }));
                }
                RunKind::Integers(0, _) => all.integers = Some(quote!((#code, #last))),
                RunKind::Integers(-1, least) => {
                    let (before, count) = (code - 1, least.unsigned_abs() as u8);
                    all.negative = Some(quote!((#before, #count)));
                }
                RunKind::Floats(floats) => bits = floats.iter().map(|(_, value)| (*value as f32).to_bits()).collect(),
                RunKind::Literal(_) => all.literal = Some(quote!(#code)),
                _ => {}
            }
        }
        all.files.truncate(2);
        all.literal = all.literal.map(|code| quote!((#code, &[#(#bits),*])));
        if !by_power {
            all.names = names(&runs, base, facts.dwords, &arm.except);
        }
        all
    }
}

/// Returns the names of registers and constants, the most frequent first.
fn names(runs: &[&CodeRun], base: u32, dwords: Option<u8>, except: &[SpannedStr]) -> Vec<TokenStream> {
    let mut all: Vec<(u32, String, u8, u32)> = Vec::new();
    for run in runs {
        let code = run.first - base;
        match &run.kind {
            RunKind::Names(names) => {
                let count = run.last - run.first + 1;
                for (nth, name) in names.iter().map(SpannedStr::as_str).enumerate() {
                    let nth = nth as u32;
                    let (rank, dwords, code) = match nth {
                        _ if run.fit != RunFit::Run => (2, 0, code + nth),
                        n if n == count => (1, count as u8, code),
                        0 if count > 1 => (0, 1, code),
                        0 => (2, 1, code),
                        n => (3, 1, code + n),
                    };
                    all.push((rank, name.to_string(), dwords, code));
                }
            }
            RunKind::Floats(floats) => {
                for (nth, (text, _)) in floats.iter().enumerate() {
                    all.push((4, text.clone(), 0, code + nth as u32));
                }
            }
            _ => {}
        }
    }
    all.sort_by_key(|(rank, ..)| *rank);
    let fits = |(_, name, width, _): &(u32, String, u8, u32)| {
        name.len() <= MAX_NAME
            && except.iter().all(|other| other.as_str() != name)
            && dwords.is_none_or(|dwords| *width == 0 || *width == dwords)
    };
    all.retain(fits);
    all.into_iter().map(|(_, name, dwords, code)| quote!(::isa::Word::new(#name, #dwords, #code))).collect()
}

//! How operands of a class are placed in an instruction, as data: `isa!` writes it as `isa::class::Placing`, and `isa_set!` computes the
//! tables of operand-level instructions from it.

use isa_schema::{CODE_EXPECTS, CODE_RULE, ConstantEncoding, alignment};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

use super::class_codes::ClassCodes;
use super::codes::Space;
use super::context::has;
use super::counts::Count;
use super::facts::{BitOf, Facts, Half, SignCases, is_literal};
use super::numbers::{is_signed, shift};
use super::runs::{file_alias, variant};
use super::tokens::{constant_encoding, option};
use super::valid_codes::{Case, ValidCodes};
use crate::ast::{Arm, ArmMap, ClassContent, Clause, CodeRun, RunFit, RunKind, ThereField};
use crate::spanned::SpannedStr;

/// How operands of a class are placed in an instruction, as `isa::class::Placing`.
pub struct Placing<'a> {
    /// The registers that an operand can be: those of the first case that holds.
    pub registers: Vec<(Case, Vec<RegisterPlace<'a>>)>,
    /// How many registers it has.
    pub count: Count<'a>,
    /// The constants that it can be.
    pub constants: Option<ConstantPlace>,
    /// The integers that its own bits can hold.
    pub number: Option<NumberPlace>,
    /// A bit that is set if its own bits hold an integer.
    pub number_bit: Option<BitOf>,
    /// The code of an operand that is switched off.
    pub off: Option<u16>,
    /// A bit that is set unless it is switched off.
    pub present: Option<BitOf>,
    /// Where the half of a register is.
    pub half: HalfPlace,
    /// The bit of the sign: that of the first case that holds.
    pub neg: Vec<(Case, BitOf)>,
    /// The bit of the absolute value.
    pub abs: Vec<(Case, BitOf)>,
    /// The modifiers that hold the second and further registers of a list.
    pub list: Vec<&'a str>,
    /// Of a modifier: its value where it is not stated. That of the first case that holds; otherwise 0.
    pub default: Vec<(Case, u32)>,
    /// Of a modifier: whether it has no default.
    pub is_required: bool,
    /// Of a modifier: the flag by which the second code that selects its suffix dword replaces the first.
    pub selector_flag: Option<&'a str>,
    /// The noun phrase for errors.
    pub expects: String,
}

/// Registers of a file that an operand can be, and their codes.
pub struct RegisterPlace<'a> {
    /// The name of the file.
    pub file: &'a SpannedStr,
    /// The number of the first register.
    pub first: u16,
    /// The number of the last one.
    pub last: u16,
    /// The code of the first one.
    pub code: u16,
    /// How many of the number's lowest bits the code lacks.
    pub shift: u8,
    /// Whether a register stands for an operand of any number of registers.
    pub any_count: bool,
    /// Whether the registers have halves.
    pub has_halves: bool,
    /// Whether a pair begins with an even register, and more registers with a multiple of four.
    pub is_aligned: bool,
}

/// Which constants an operand can be.
pub struct ConstantPlace {
    /// The types of constants, where they differ from the operand's type.
    pub meaning: Vec<(Case, ConstantEncoding)>,
    /// The ranges of inline integers.
    pub integers: Vec<IntegerRange>,
    /// A code of each range of inline integers, and the codes of the other constants.
    pub codes: Vec<u32>,
}

impl ConstantPlace {
    /// Returns whether the code of a constant is among the valid codes of a class. A class takes all integers of a range, or none. Valid
    /// codes that need a check may have one.
    pub fn are_in(&self, valid: Option<&ValidCodes>) -> bool {
        match valid {
            Some(ValidCodes::Only(_)) => {
                self.codes.iter().any(|code| valid.is_some_and(|valid| valid.covers(*code, *code)))
            }
            _ => true,
        }
    }
}

/// A range of inline integers.
pub struct IntegerRange {
    /// The code of the first integer.
    pub code: u16,
    /// The first integer.
    pub first: i64,
    /// The last integer.
    pub last: i64,
}

/// A range of integers in an operand's own bits.
pub struct NumberPlace {
    /// The least.
    pub low: i64,
    /// The greatest.
    pub high: i64,
    /// How many of the number's lowest bits the code lacks.
    pub shift: u8,
    /// Whether the number is signed when it is read back; `None`: as its type is.
    pub signed: Option<bool>,
    /// The error for other integers.
    pub rule: String,
    /// The rows that take no negative numbers, with the error for them.
    pub unsigned: Vec<(Case, String)>,
}

/// Where an operand of 16 bits has the half of its register.
pub enum HalfPlace {
    /// Nowhere.
    None,
    /// In the highest bit of the register's number.
    Number,
    /// In a bit of a modifier, or in the number if the variant lacks it.
    Modifier(BitOf),
}

impl Placing<'_> {
    /// A code without a meaning: `isa::class::Placing::CODE`.
    pub fn code() -> Self {
        Placing {
            registers: Vec::new(),
            count: Count::Type(Vec::new()),
            constants: None,
            number: Some(NumberPlace {
                low: 0,
                high: u32::MAX.into(),
                shift: 0,
                signed: Some(false),
                rule: CODE_RULE.to_string(),
                unsigned: Vec::new(),
            }),
            number_bit: None,
            off: None,
            present: None,
            half: HalfPlace::None,
            neg: Vec::new(),
            abs: Vec::new(),
            list: Vec::new(),
            default: Vec::new(),
            is_required: false,
            selector_flag: None,
            expects: CODE_EXPECTS.to_string(),
        }
    }
}

impl RegisterPlace<'_> {
    /// Returns the alignment of the first of `count` registers.
    pub fn alignment(&self, count: u8) -> u16 {
        alignment(self.shift, self.is_aligned, count)
    }
}

impl<'a> ClassCodes<'a> {
    /// Returns the placing of the class for a value of its const parameter.
    pub fn placing(&self, nth: u8) -> Placing<'a> {
        let class = self.class;
        let mut placing = match &class.content {
            ClassContent::Codes(arms) => return self.placing_of_codes(arms, nth),
            ClassContent::Number(low, high, _) => self.placing_of_number(*low, *high),
            ClassContent::Parts(..) => {
                let facts = Facts::new(class);
                let mut placing = Placing::code();
                // With `range any` text may have numbers of more bits than the field.
                if let Some((low, high)) = facts.range.filter(|(low, _)| *low > i64::MIN) {
                    let (rule, unsigned) = (facts.number_rule(low, high), Vec::new());
                    placing.number = Some(NumberPlace { low, high, shift: 0, signed: Some(false), rule, unsigned });
                }
                placing
            }
            _ => Placing::code(),
        };
        for clause in &class.clauses {
            match clause {
                Clause::Default(cases) => {
                    let cases = cases.iter().map(|(flag, code)| (Case::of_flag(flag.as_ref()), *code as u32));
                    placing.default = cases.collect();
                }
                Clause::Absent(code) if placing.default.is_empty() => {
                    placing.default = vec![(Case::Else, *code as u32)]
                }
                Clause::Required(_) => placing.is_required = true,
                Clause::SecondBy(flag) => placing.selector_flag = Some(flag.as_str()),
                _ => {}
            }
        }
        if placing.is_required {
            placing.default = Vec::new();
        }
        placing
    }

    /// Returns the placing of a number.
    fn placing_of_number(&self, low: i64, high: i64) -> Placing<'a> {
        let (class, facts) = (self.class, Facts::new(self.class));
        if is_literal(class) {
            let constants = self.constants(vec![(Case::Else, ConstantEncoding::Literal)]);
            let expects = "a constant".to_string();
            return Placing { number: None, constants: Some(constants), expects, ..Placing::code() };
        }
        let unsigned = class.clauses.iter().filter_map(|clause| match clause {
            Clause::UnsignedIf(flag, rule) => Some((Case::of_flag(Some(flag)), rule.to_string())),
            _ => None,
        });
        let number = NumberPlace {
            low,
            high,
            shift: shift(class),
            signed: is_signed(class).then_some(true),
            rule: facts.number_rule(low, high),
            unsigned: unsigned.collect(),
        };
        let mut placing = Placing { number: Some(number), ..Placing::code() };
        let registers = class.clauses.iter().find_map(|clause| match clause {
            Clause::OrRegister(set, modifier) => Some((set, modifier)),
            _ => None,
        });
        if let Some((set, modifier)) = registers {
            let arm = Arm { set: set.clone(), except: Vec::new(), map: ArmMap::Same, cond: None };
            placing.registers = vec![(Case::Else, places(self.space, &arm))];
            placing.number_bit = Some(BitOf { modifier: modifier.to_string(), bit: Some(0) });
            placing.count = Count::Fixed(1);
            placing.off = facts.off.map(|_| 0);
        }
        if let Some(text) = facts.expects {
            placing.expects = text.to_string();
        }
        placing
    }

    /// Returns the placing of a class of registers and constants. Where only a function knows the number of registers, the operand is a
    /// code.
    fn placing_of_codes(&self, arms: &'a [Arm], nth: u8) -> Placing<'a> {
        let (class, space, facts) = (self.class, self.space, Facts::new(self.class));
        let is_known_to_a_function = has(class, |c| matches!(c, Clause::DwordsFn(_)));
        if is_known_to_a_function && !has(class, |c| matches!(c, Clause::Depends(..))) {
            return Placing::code();
        }
        let registers = arms.iter().map(|arm| (Case::of_arm(self.tables, arm), places(space, arm)));
        // The last generation has the names of all.
        let last = Space::new(self.tables, self.tables.generations.last());
        let mut expects = last.called(arms).map_or("a register".to_string(), |(_, noun)| noun.to_string());
        let valid = arms.iter().fold(0, |all, arm| all | last.valid(&arm.set));
        let has_constants =
            last.list(valid).iter().any(|run| !matches!(run.kind, RunKind::Numbered(_) | RunKind::Names(_)));
        if let Some(text) = facts.expects {
            expects = text.to_string();
        } else if has_constants {
            expects.push_str(" or a constant");
        }
        let off = match facts.off {
            Some(Some(name)) => last.runs.iter().find(|run| run.name == *name).map(|run| run.first as u16),
            Some(None) => Some(0),
            None => None,
        };
        let list = class.clauses.iter().find_map(|c| match c {
            Clause::RegistersIn(modifiers) => Some(modifiers.iter().map(SpannedStr::as_str).collect()),
            _ => None,
        });
        let signs = |cases: &SignCases| {
            cases.iter().map(|(flag, bit)| (Case::of_flag(flag.as_ref()), bit.bit_of(class, nth))).collect()
        };
        Placing {
            registers: registers.collect(),
            count: Count::new(self.tables, class, &facts),
            constants: has_constants.then(|| self.constants(facts.constant_cases())),
            number: None,
            off,
            present: facts.there.map(|ThereField { field, is_by_digit, .. }| BitOf {
                modifier: field.to_string(),
                bit: (!is_by_digit).then_some(0),
            }),
            half: match facts.half {
                Half::None => HalfPlace::None,
                Half::Bit(_) => HalfPlace::Number,
                Half::By(bit, _) => HalfPlace::Modifier(bit.bit_of(class, nth)),
            },
            neg: signs(facts.neg),
            abs: signs(facts.abs),
            list: list.unwrap_or_default(),
            expects,
            ..Placing::code()
        }
    }

    /// Returns the constants of the code space, which have these types.
    fn constants(&self, meaning: Vec<(Case, ConstantEncoding)>) -> ConstantPlace {
        let mut constants = ConstantPlace { meaning, integers: Vec::new(), codes: Vec::new() };
        for run in &self.space.runs {
            match &run.kind {
                RunKind::Integers(first, last) => {
                    constants.codes.push(run.first);
                    constants.integers.push(IntegerRange { code: run.first as u16, first: *first, last: *last });
                }
                RunKind::Floats(_) => constants.codes.extend(run.first..=run.last),
                RunKind::Literal(_) => constants.codes.push(run.first),
                RunKind::Numbered(_) | RunKind::Names(_) => {}
            }
        }
        constants
    }
}

/// Returns the registers of a case of a class.
fn places<'a>(space: &Space<'a>, arm: &Arm) -> Vec<RegisterPlace<'a>> {
    let (base, shift) = space.map(arm);
    let place = |run: &'a CodeRun| {
        // Registers that the case lacks are the last ones of their run.
        let is_lacking = |code: &u32| arm.except.iter().any(|name| space.code_of_name(name) == Some(*code));
        let end = (run.first..=run.last).rev().find(|code| !is_lacking(code))?;
        if !matches!(run.kind, RunKind::Numbered(_) | RunKind::Names(_)) {
            return None;
        }
        let (file, number) = run.file.as_ref().map_or((&run.name, 0), |(name, number)| (name, u16::from(*number)));
        // The first register whose code the field can hold: a field without the lowest bit cannot hold M0 behind NULL.
        let first = (run.first..=end).find(|code| (code - base) & ((1 << shift) - 1) == 0)?;
        Some(RegisterPlace {
            file,
            first: number + (first - run.first) as u16,
            last: number + (end - run.first) as u16,
            code: ((first - base) >> shift) as u16,
            shift,
            any_count: run.fit != RunFit::Run,
            has_halves: run.has_halves,
            is_aligned: run.is_aligned,
        })
    };
    // The largest runs first: their registers are the most frequent.
    let mut runs = space.list(space.valid(&arm.set));
    runs.sort_by_key(|run| std::cmp::Reverse(run.last - run.first));
    runs.into_iter().filter_map(place).collect()
}

impl Placing<'_> {
    /// Returns the placing as an `isa::class::Placing`. `constants` are the constants of the set.
    pub fn tokens(&self, constants: &TokenStream) -> TokenStream {
        let Placing { registers, count, number, off, half, neg, abs, list, default, is_required, expects, .. } = self;
        let registers = registers.iter().map(|(case, places)| quote!((#case, &[#(#places),*])));
        let constants = option(self.constants.as_ref().map(|ConstantPlace { meaning, .. }| {
            let meaning = constant_cases(meaning);
            quote!(::isa::class::ConstantPlace { constants: #constants, meaning: #meaning })
        }));
        let [number_bit, present] =
            [&self.number_bit, &self.present].map(|bit| option(bit.as_ref().map(|b| quote!(#b))));
        let (number, off) = (option(number.as_ref().map(|n| quote!(#n))), option(off.map(|code| quote!(#code))));
        let [neg, abs] = [neg, abs].map(|cases| {
            let cases = cases.iter().map(|(case, bit)| quote!((#case, #bit)));
            quote!(&[#(#cases),*])
        });
        let default = default.iter().map(|(case, code)| quote!((#case, #code)));
        let selector_flag = option(self.selector_flag.map(|name| quote!(#name)));
        quote! {
            ::isa::class::Placing {
                registers: &[#(#registers),*],
                count: #count,
                constants: #constants,
                number: #number,
                number_bit: #number_bit,
                off: #off,
                present: #present,
                half: #half,
                neg: #neg,
                abs: #abs,
                list: &[#(#list),*],
                default: &[#(#default),*],
                required: #is_required,
                selector_flag: #selector_flag,
                expects: #expects,
            }
        }
    }
}

impl ToTokens for RegisterPlace<'_> {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let RegisterPlace { first, last, code, shift, any_count, has_halves, is_aligned, .. } = self;
        let (file, variant) = (file_alias(), variant(self.file));
        tokens.extend(quote! {
            ::isa::class::RegisterPlace {
                file: #file::#variant as u8,
                first: #first,
                last: #last,
                code: #code,
                shift: #shift,
                any_count: #any_count,
                has_halves: #has_halves,
                is_aligned: #is_aligned,
            }
        });
    }
}

impl ToTokens for NumberPlace {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let NumberPlace { low, high, shift, signed, rule, unsigned } = self;
        let signed = option(signed.map(|signed| quote!(#signed)));
        let unsigned = unsigned.iter().map(|(case, rule)| quote!((#case, #rule)));
        tokens.extend(quote! {
            ::isa::class::NumberPlace {
                low: #low,
                high: #high,
                shift: #shift,
                signed: #signed,
                rule: #rule,
                unsigned: &[#(#unsigned),*],
            }
        });
    }
}

impl ToTokens for HalfPlace {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let half = match self {
            HalfPlace::None => quote!(None),
            HalfPlace::Number => quote!(Number),
            HalfPlace::Modifier(bit) => quote!(Modifier(#bit)),
        };
        tokens.extend(quote!(::isa::class::HalfPlace::#half));
    }
}

/// Returns the types of constants as a slice of `(isa::Case, isa::class::ConstantEncoding)`.
pub fn constant_cases(cases: &[(Case, ConstantEncoding)]) -> TokenStream {
    let cases = cases.iter().map(|(case, encoding)| {
        let encoding = constant_encoding(*encoding);
        quote!((#case, #encoding))
    });
    quote!(&[#(#cases),*])
}

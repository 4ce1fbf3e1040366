//! The facts that the clauses of a class state.

use isa_schema::ConstantEncoding;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

use super::tokens::{constant_encoding, flag};
use super::valid_codes::Case;
use crate::ast::{Asked, ClassDecl, Clause, ModifierBit, OperandTables, SetExpr, ThereField};
use crate::spanned::SpannedStr;

/// Where the half of a 16-bit register is.
#[derive(Clone, Copy, Default)]
pub enum Half<'a> {
    /// Operands of 16 bits are whole registers.
    #[default]
    None,
    /// In a bit of the code.
    Bit(u8),
    /// In a bit of a modifier. The function returns it.
    By(&'a ModifierBit, &'a TokenStream),
}

/// A bit of a modifier that belongs to an operand.
#[derive(Clone)]
pub struct BitOf {
    /// The name of the modifier.
    pub modifier: String,
    /// The number of the bit; `None`: the last digit of the role's name.
    pub bit: Option<u8>,
}

/// The modifiers with a sign, by flags of the row.
pub type SignCases = [(Option<SpannedStr>, ModifierBit)];

/// The facts of a class's clauses.
#[derive(Default)]
pub struct Facts<'a> {
    pub half: Half<'a>,
    /// The meanings of constants, by flags of the row.
    pub constants: &'a [(Option<SpannedStr>, SpannedStr)],
    /// Whether a lane mask has as many registers as the mode says.
    pub of_mode: bool,
    /// The number of registers, if it is fixed.
    pub dwords: Option<u8>,
    /// Whether a function or fields say how many registers the operand has.
    pub is_counted: bool,
    /// The register whose code is written as `off`; `Some(None)` for operands of no registers.
    pub off: Option<Option<&'a SpannedStr>>,
    /// The error for registers or numbers that the class does not take.
    pub says: Option<&'a SpannedStr>,
    /// The name of the operand in errors.
    pub expects: Option<&'a SpannedStr>,
    /// Whether misaligned registers are printed.
    pub misaligned: bool,
    /// The codes that are printed, though they are not valid.
    pub prints: Option<&'a SetExpr>,
    /// Whether all codes are printed.
    pub prints_all: bool,
    /// The modifiers with the sign.
    pub neg: &'a SignCases,
    /// The modifiers with the absolute value.
    pub abs: &'a SignCases,
    /// The field that says whether the operand exists.
    pub there: Option<&'a ThereField>,
    /// The function that refuses codes, and the codes for which it is asked.
    pub check: Option<(&'a TokenStream, &'a Asked)>,
    /// The text of a number, and that of larger numbers with the last number of the first text.
    pub text: Option<(&'a SpannedStr, Option<&'a (u32, SpannedStr)>)>,
    /// The code where text has none.
    pub absent: Option<u32>,
    /// The least and the highest number that text may have in place of parts.
    pub range: Option<(i64, i64)>,
    /// The text of another modifier that sets a hidden one.
    pub stated_by: Option<&'a SpannedStr>,
    /// The beginning of names that text may leave out.
    pub prefix: Option<&'a SpannedStr>,
}

impl<'a> Facts<'a> {
    /// Collects the clauses of a class.
    pub fn new(class: &'a ClassDecl) -> Facts<'a> {
        let mut facts = Facts::default();
        for clause in &class.clauses {
            match clause {
                Clause::Half(bit) => facts.half = Half::Bit(*bit),
                Clause::HalfBy(bit, path) => facts.half = Half::By(bit, path),
                Clause::Constants(cases) => facts.constants = cases,
                Clause::DwordsOfMode => facts.of_mode = true,
                Clause::Dwords(n) => facts.dwords = Some(*n),
                Clause::DwordsFn(_) | Clause::DwordsSum(_) | Clause::DwordsPart(..) => facts.is_counted = true,
                Clause::There(field) => {
                    facts.is_counted = true;
                    facts.there = Some(field);
                }
                Clause::Off(name) => facts.off = Some(name.as_ref()),
                Clause::Says(text) => facts.says = Some(text),
                Clause::Expects(text) => facts.expects = Some(text),
                Clause::Prints { misaligned, all, set } => {
                    facts.misaligned |= *misaligned;
                    facts.prints_all |= *all;
                    facts.prints = Some(set).filter(|set| !set.is_empty());
                }
                Clause::Sign { is_absolute: false, cases } => facts.neg = cases,
                Clause::Sign { is_absolute: true, cases } => facts.abs = cases,
                Clause::Check(path, asked) => facts.check = Some((path, asked)),
                Clause::Text(text, above) => facts.text = Some((text, above.as_ref())),
                Clause::Absent(code) => facts.absent = Some(*code as u32),
                Clause::Range(low, high) => facts.range = Some((*low, *high)),
                Clause::StatedBy(text) => facts.stated_by = Some(text),
                Clause::Prefix(prefix) => facts.prefix = Some(prefix),
                _ => {}
            }
        }
        facts
    }

    /// Returns the error for numbers outside a range.
    pub fn number_rule(&self, low: i64, high: i64) -> String {
        self.says.map_or_else(|| format!("the number must be between {low} and {high}"), ToString::to_string)
    }

    /// Returns whether bits of modifiers hold the operand's sign, or that its absolute value is taken.
    pub fn has_signs(&self) -> bool {
        !self.neg.is_empty() || !self.abs.is_empty()
    }

    /// Returns whether operands of 16 bits can be halves of registers.
    pub fn has_halves(&self) -> bool {
        !matches!(self.half, Half::None)
    }

    /// Returns the types of constants.
    pub fn constant_cases(&self) -> Vec<(Case, ConstantEncoding)> {
        self.constants.iter().map(|(name, word)| (Case::of_flag(name.as_ref()), meaning_of_constants(word))).collect()
    }

    /// Returns what constants mean in rows without a flag that says otherwise.
    pub fn usual_constants(&self) -> TokenStream {
        let usual = self.constants.iter().find(|(flag, _)| flag.is_none());
        constant_encoding(usual.map_or(ConstantEncoding::Type, |(_, word)| meaning_of_constants(word)))
    }

    /// Returns the flags of rows in which constants mean one of these.
    pub fn flags_of_constants(&self, is_one: impl Fn(&str) -> bool) -> TokenStream {
        let cases = self.constants.iter().filter(|(_, meaning)| is_one(meaning.as_str()));
        let all = cases.filter_map(|(name, _)| name.as_ref()).map(flag);
        quote!(0 #(| #all)*)
    }

    /// Returns the flags of rows in which other modifiers than the usual ones have the signs.
    pub fn flags_of_signs(&self) -> TokenStream {
        let all = self.neg.iter().chain(self.abs).filter_map(|(name, _)| name.as_ref()).map(flag);
        quote!(0 #(| #all)*)
    }

    /// Returns the names of the modifiers that usually have the signs, for a value of the const parameter.
    pub fn sign_names(&self, class: &ClassDecl, nth: u8) -> Vec<String> {
        let usual = self.neg.iter().chain(self.abs).filter(|(flag, _)| flag.is_none());
        usual.map(|(_, bit)| bit.name_for(class, nth)).collect()
    }

    /// Returns the numbers of registers that a lane mask of the class has in the first two modes, if the mode decides it.
    pub fn mask_counts(&self, tables: &OperandTables) -> Option<[u8; 2]> {
        let (counts, _) = tables.masks.as_ref().filter(|_| self.of_mode)?;
        let first = *counts.first()?;
        Some([first, counts.get(1).copied().unwrap_or(first)])
    }
}

impl ModifierBit {
    /// Returns the name for a value of the const parameter.
    pub fn name_for(&self, class: &ClassDecl, nth: u8) -> String {
        match &class.param {
            Some((param, _)) => self.name.replace(&format!("{{{param}}}"), &nth.to_string()),
            None => self.name.clone(),
        }
    }

    /// Returns the bit for a value of the const parameter.
    pub fn bit_of(&self, class: &ClassDecl, nth: u8) -> BitOf {
        BitOf { modifier: self.name_for(class, nth), bit: Some(self.bit.unwrap_or(nth)) }
    }
}

impl ToTokens for BitOf {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let modifier = &self.modifier;
        let bit = self.bit.map_or(quote!(::isa::class::BitOf::LAST_DIGIT), |bit| quote!(#bit));
        tokens.extend(quote!(::isa::class::BitOf::new(#modifier, #bit)));
    }
}

impl Asked {
    /// Returns an expression that is true for codes that are valid without a call of the function of a `check` clause.
    pub fn is_exempt(&self) -> TokenStream {
        match self {
            Asked::Always | Asked::Of(_) => quote!(false),
            Asked::BesideDword => quote!(cx.suffix_dword == 0),
            Asked::NotZero => quote!(code == 0),
            Asked::InRows(name) => {
                let flag = flag(name);
                quote!(!cx.has(#flag))
            }
        }
    }
}

/// Returns the expression that says whether any code is valid, if a class has a `check` clause.
pub fn check_condition(class: &ClassDecl) -> Option<TokenStream> {
    let (path, asked) = Facts::new(class).check?;
    let exempt = asked.is_exempt();
    Some(quote!((#exempt || #path(cx, code))))
}

/// The word of a `constants` clause by which a number is the constant in a suffix dword.
pub const LITERAL_ITSELF: &str = "literal";

/// Returns whether a number is the constant in a suffix dword.
pub fn is_literal(class: &ClassDecl) -> bool {
    Facts::new(class).constants.iter().any(|(_, meaning)| *meaning == *LITERAL_ITSELF)
}

/// The words of a `constants` clause, and what they mean.
pub const CONSTANT_MEANINGS: [(&str, ConstantEncoding); 7] = [
    ("typed", ConstantEncoding::Type),
    ("dword", ConstantEncoding::Dword),
    ("half_float", ConstantEncoding::HalfFloat),
    ("any_half_float", ConstantEncoding::AnyHalfFloat),
    ("half_bits", ConstantEncoding::HalfBits),
    ("both_halves", ConstantEncoding::BothHalves),
    ("element", ConstantEncoding::Element),
];

/// Returns what a word of a `constants` clause means.
fn meaning_of_constants(word: &SpannedStr) -> ConstantEncoding {
    let known = CONSTANT_MEANINGS.iter().find(|(known, _)| *word == **known);
    known.map_or(ConstantEncoding::Type, |(_, meaning)| *meaning)
}

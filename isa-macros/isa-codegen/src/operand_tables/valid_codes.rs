//! The codes of operand classes that are valid, as data: `isa!` writes them as `isa::ValidCodes`, and `isa_set!` computes the tables
//! of the fast decoder from them.

use isa_body::{Class, Type};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

use super::codes::{Bits, CODES, insert};
use super::tokens::flag;
use crate::ast::{Arm, ArmCond, OperandTables};
use crate::spanned::SpannedStr;

/// The codes of an operand class that are valid regardless of the other fields of the instruction, as `isa::ValidCodes`.
#[derive(Clone)]
pub enum ValidCodes {
    /// All codes that fit the field.
    All,
    /// These codes. Others are invalid.
    Only(Bits),
    /// These codes. Others need a check at run time.
    With(Bits),
    /// Codes that have no bits other than these. Others need a check at run time.
    Within(u32),
    /// Codes each of whose parts is valid.
    Parts(Vec<PartCodes>),
    /// The codes of the first case that holds, or none if no case holds.
    Cases(Vec<(Case, ValidCodes)>),
}

/// The valid codes of a part of a code.
#[derive(Clone)]
pub struct PartCodes {
    /// The lowest bit of the part.
    pub lo: u8,
    /// The number of bits.
    pub width: u8,
    /// The values of the part that are valid.
    pub codes: ValidCodes,
}

/// A condition on which the valid codes of a class depend, as `isa::Case`.
#[derive(Clone)]
pub enum Case {
    /// A lane mask.
    Mask,
    /// A type of at most this number of dwords.
    Dwords(u8),
    /// A type of more than this number of dwords.
    MoreDwords(u8),
    /// A row with this flag.
    Flag(SpannedStr),
    /// The mode with this index.
    Mode(u8),
    /// Anything else.
    Else,
}

/// An operand of a row in a mode, on which cases depend.
#[derive(Clone, Copy)]
pub struct OperandContext<'a> {
    /// The type.
    pub ty: Type,
    /// Returns whether the row has a flag.
    pub has_flag: &'a dyn Fn(&str) -> bool,
    /// The index of the mode; `None` for what holds in all modes.
    pub mode: Option<u8>,
}

impl Case {
    /// Returns the condition of a case of a class.
    pub fn of_arm(tables: &OperandTables, arm: &Arm) -> Case {
        match &arm.cond {
            None => Case::Else,
            Some(ArmCond::Mask) => Case::Mask,
            Some(ArmCond::UpTo(bits)) => Case::Dwords(bits.div_ceil(32) as u8),
            Some(ArmCond::Above(bits)) => Case::MoreDwords(bits.div_ceil(32) as u8),
            Some(ArmCond::Flag(name)) => Case::Flag(name.clone()),
            Some(ArmCond::Mode(name)) => Case::Mode(tables.mode_index(name) as u8),
        }
    }

    /// Returns the case of rows with a flag; `None`: of all other rows.
    pub fn of_flag(name: Option<&SpannedStr>) -> Case {
        name.map_or(Case::Else, |name| Case::Flag(name.clone()))
    }

    /// Returns whether it holds for an operand.
    pub fn holds(&self, operand: &OperandContext) -> bool {
        match self {
            Case::Mask => operand.ty.class() == Class::Mask,
            Case::Dwords(most) => operand.ty.dwords() <= *most,
            Case::MoreDwords(less) => operand.ty.dwords() > *less,
            Case::Flag(name) => (operand.has_flag)(name.as_str()),
            Case::Mode(mode) => operand.mode == Some(*mode),
            Case::Else => true,
        }
    }
}

impl ToTokens for Case {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let case = match self {
            Case::Mask => quote!(Mask),
            Case::Dwords(most) => quote!(Dwords(#most)),
            Case::MoreDwords(less) => quote!(MoreDwords(#less)),
            Case::Flag(name) => {
                let flag = flag(name);
                quote!(Flag(#flag))
            }
            Case::Mode(mode) => quote!(Mode(#mode)),
            Case::Else => quote!(Else),
        };
        tokens.extend(quote!(::isa::Case::#case));
    }
}

impl ValidCodes {
    /// No code is valid without a check.
    pub const NONE: ValidCodes = ValidCodes::Cases(Vec::new());

    /// Returns the codes of ranges, and no others.
    pub fn only(ranges: impl IntoIterator<Item = (u32, u32)>) -> ValidCodes {
        let mut bits = [0; CODES / 64];
        for (first, last) in ranges {
            (first..=last.min(CODES as u32 - 1)).for_each(|code| insert(&mut bits, code));
        }
        ValidCodes::Only(bits)
    }

    /// Returns all codes of this number of bits.
    pub fn within_bits(bits: u8) -> ValidCodes {
        ValidCodes::Within(highest_code(bits))
    }

    /// Returns the codes of the case that holds for an operand; `None` if no case holds, or if the mode decides and is not known.
    pub fn of(&self, operand: &OperandContext) -> Option<&ValidCodes> {
        let mut codes = self;
        while let ValidCodes::Cases(cases) = codes {
            let depends_on_mode = |case: &Case| operand.mode.is_none() && matches!(case, Case::Mode(_));
            let (case, then) = cases.iter().find(|(case, _)| depends_on_mode(case) || case.holds(operand))?;
            if depends_on_mode(case) {
                return None;
            }
            codes = then;
        }
        Some(codes)
    }

    /// Returns whether all codes from `first` to `last` are valid without a check. The cases have been resolved.
    pub fn covers(&self, first: u32, last: u32) -> bool {
        match self {
            ValidCodes::All => true,
            ValidCodes::Only(bits) | ValidCodes::With(bits) => {
                let has_all = |(nth, word): (u32, u64)| {
                    let (from, to) = (first.max(64 * nth) - 64 * nth, last.min(64 * nth + 63) - 64 * nth);
                    let codes = u64::MAX >> (63 - (to - from)) << from;
                    word & codes == codes
                };
                (last as usize) < CODES && (first / 64..=last / 64).map(|nth| (nth, bits[nth as usize])).all(has_all)
            }
            ValidCodes::Within(bits) => last <= *bits && bits & bits.wrapping_add(1) == 0 || last == 0,
            ValidCodes::Parts(_) | ValidCodes::Cases(_) => false,
        }
    }

    /// Returns the codes as an `isa::ValidCodes`. `set` returns an expression for a set of codes.
    pub fn tokens(&self, set: &mut dyn FnMut(&Bits) -> TokenStream) -> TokenStream {
        let codes = match self {
            ValidCodes::All => quote!(All),
            ValidCodes::Only(bits) => {
                let set = set(bits);
                quote!(Only(&#set))
            }
            ValidCodes::With(bits) => {
                let set = set(bits);
                quote!(With(&#set))
            }
            ValidCodes::Within(bits) => quote!(Within(#bits)),
            ValidCodes::Parts(parts) => {
                let parts = parts.iter().map(|PartCodes { lo, width, codes }| {
                    let codes = codes.tokens(set);
                    quote!(::isa::PartCodes { lo: #lo, width: #width, codes: #codes })
                });
                quote!(Parts(&[#(#parts),*]))
            }
            ValidCodes::Cases(cases) => {
                let cases = cases.iter().map(|(case, codes)| {
                    let codes = codes.tokens(set);
                    quote!((#case, #codes))
                });
                quote!(Cases(&[#(#cases),*]))
            }
        };
        quote!(::isa::ValidCodes::#codes)
    }
}

impl ToTokens for ValidCodes {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend(self.tokens(&mut |bits| quote!(const { ::isa::CodeSet::of_words([#(#bits),*]) })));
    }
}

/// Returns the highest code of this number of bits.
pub fn highest_code(bits: u8) -> u32 {
    u32::MAX.checked_shr(32 - u32::from(bits)).unwrap_or(0)
}

/// Returns all codes of this number of bits, at most nine.
pub fn all_codes(bits: u8) -> Bits {
    let mut all = [0; CODES / 64];
    for code in 0..1u32 << bits.min(9) {
        insert(&mut all, code);
    }
    all
}

#[cfg(test)]
mod tests {
    use proc_macro2::Span;

    use super::*;

    #[test]
    fn codes_are_those_of_the_first_case_that_holds() {
        let wide = SpannedStr::new("wide".to_string(), Span::call_site());
        let of_flag =
            ValidCodes::Cases(vec![(Case::Mode(1), ValidCodes::Within(3)), (Case::Dwords(1), ValidCodes::All)]);
        let codes = ValidCodes::Cases(vec![
            (Case::Mask, ValidCodes::Within(1)),
            (Case::Flag(wide), of_flag),
            (Case::Else, ValidCodes::only([(0, 1), (64, 64)])),
        ]);
        let of = |ty, is_wide: bool, mode| {
            let has_flag = |name: &str| is_wide && name == "wide";
            codes.of(&OperandContext { ty, has_flag: &has_flag, mode: Some(mode) }).cloned()
        };
        let (dword, pair) = (Type::new(Class::Bits, 32, 1), Type::new(Class::Bits, 64, 1));
        assert!(matches!(of(Type::new(Class::Mask, 0, 1), true, 1), Some(ValidCodes::Within(1))));
        assert!(matches!(of(pair, true, 1), Some(ValidCodes::Within(3))));
        assert!(matches!(of(dword, true, 0), Some(ValidCodes::All)));
        assert!(of(pair, true, 0).is_none(), "no case holds");
        assert!(matches!(of(pair, false, 0), Some(ValidCodes::Only([3, 1, 0, 0, 0, 0, 0, 0]))));
    }

    #[test]
    fn sets_cover_ranges_of_their_codes() {
        let codes = ValidCodes::only([(3, 130), (200, 511)]);
        for (first, last) in [(3, 130), (64, 127), (63, 64), (130, 130), (200, 511), (448, 511)] {
            assert!(codes.covers(first, last), "{first}..={last}");
        }
        for (first, last) in [(2, 130), (3, 131), (131, 131), (100, 210), (199, 200), (511, 512), (600, 600)] {
            assert!(!codes.covers(first, last), "{first}..={last}");
        }
        assert!(ValidCodes::Within(7).covers(0, 7) && !ValidCodes::Within(7).covers(0, 8));
        assert!(ValidCodes::Within(6).covers(0, 0) && !ValidCodes::Within(6).covers(0, 2));
    }

    #[test]
    fn fields_have_all_codes_of_their_width() {
        assert_eq!(all_codes(0), [1, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(all_codes(7), [u64::MAX, u64::MAX, 0, 0, 0, 0, 0, 0]);
        assert_eq!(all_codes(9), [u64::MAX; 8]);
        for (bits, highest) in [(0, 0), (1, 1), (31, 0x7FFF_FFFF), (32, u32::MAX)] {
            assert!(matches!(ValidCodes::within_bits(bits), ValidCodes::Within(mask) if mask == highest));
        }
    }
}

//! The clauses of operand classes: `dwords mode, prints misaligned`.
//!
//! [`CLAUSES`] has all of them, with the classes that may have them, their parsers and their documentation, from which the tables of
//! docs/reference/row-language.md are made.

use isa_codegen::ast::{
    Asked, ClassContent, Clause, DwordsBase, DwordsSum, DwordsTerm, FloatReading, ModifierBit, SetExpr, ThereField,
};
use isa_codegen::error::near_names;
use isa_codegen::spanned::SpannedStr;
use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use syn::parse::ParseStream;
use syn::{ExprPath, Lit, LitInt, Token, bracketed};

use super::set::path;
use super::tokens::{any_identifier, error, expect_keyword, identifier, peek_keyword, string, take_keyword};

/// The content of a class, a bit each.
mod content {
    /// `operand NAME = sgpr | vgpr`.
    pub const CODES: u8 = 1;
    /// `0..=255`.
    pub const RANGE: u8 = 1 << 1;
    /// `flag`.
    pub const FLAG: u8 = 1 << 2;
    /// `names "…" { … }`.
    pub const NAMES: u8 = 1 << 3;
    /// `list "…" of 2 x 1`, `cases { … }`.
    pub const LISTS: u8 = 1 << 4;
    /// `{ vmcnt [15:10], … }`.
    pub const PARTS: u8 = 1 << 5;
    /// `call "hwreg" { … }`.
    pub const CALL: u8 = 1 << 6;
    /// `hidden`.
    pub const HIDDEN: u8 = 1 << 7;
    /// Those of operands that can be registers.
    pub const WITH_REGISTERS: u8 = CODES | RANGE;
    /// Each of them.
    pub const ANY: u8 = u8::MAX;
}

/// What each content is called in errors.
const CONTENTS: [(u8, &str); 8] = [
    (content::CODES, "a set of codes"),
    (content::RANGE, "a range of numbers"),
    (content::FLAG, "a flag"),
    (content::NAMES, "names"),
    (content::LISTS, "a list or cases"),
    (content::PARTS, "parts"),
    (content::CALL, "a call"),
    (content::HIDDEN, "hidden"),
];

/// The parser of a clause after its keyword.
type Parser = fn(ParseStream) -> syn::Result<Clause>;

/// A clause of operand classes.
struct ClauseSyntax {
    keyword: &'static str,
    /// The contents of the classes that may have the clause.
    of: u8,
    parse: Parser,
    /// The table of the reference that lists the clause.
    #[cfg(test)]
    section: &'static str,
    /// The forms of the clause, each with its meaning.
    #[cfg(test)]
    docs: &'static [(&'static str, &'static str)],
}

/// Declares the table: the keyword, the contents, the parser, and the forms with their meanings.
macro_rules! clauses {
    ($($section:literal { $($keyword:literal $of:tt $parse:expr, { $($form:literal $doc:literal)* })* })*) => {
        /// All clauses.
        const CLAUSES: &[ClauseSyntax] = &[$($(ClauseSyntax {
            keyword: $keyword,
            of: { use content::*; $of },
            parse: $parse,
            #[cfg(test)]
            section: $section,
            #[cfg(test)]
            docs: &[$(($form, $doc)),*],
        },)*)*];
    };
}

clauses! {
    "registers" {
        "half" CODES half, {
            "half [7]" "this bit of the code chooses the half of a 16-bit register"
            "half op_sel[N] by path" "this bit of a modifier chooses the half. The function `fn(&Cx<Set>, u32) -> (u32, bool)` returns the register's code, and whether it is the upper half"
        }
        "dwords" ANY dwords, {
            "dwords 2" "the number of registers of the operand, regardless of its type"
            "dwords mode" "a lane mask has as many registers as `masks` says"
            "dwords idxen + offen in raw::Mubuf" "as many as these fields add up to, at most three. A field adds 1 if it is 1, `2 * field` adds 2, `field == 124` adds 1 if the field has this code. `in` names the type with the format's accessors; without it fields are looked up by name, and those that the row lacks add nothing. Text is read twice, the second time with all fields known. `says` is the error for another number"
            "dwords type + tfe`, `dwords 1 + saddr == 124" "the sum begins with a base: a number, `type` (as many as the type takes) or `lanes` (as many as it has elements), or one by flags of the row: `lanes if d16 else type`"
            "dwords type / 2 in W64" "half as many in this mode"
            "dwords path" "as many as a function returns: `fn(&Cx<Set>) -> u8`. `late`: text is read twice"
        }
        "late" ANY (|_| Ok(Clause::Late)), { "late" "text is read twice, the second time with all fields known" }
        "there" CODES there, {
            "there sve in raw::Scratch" "the operand exists if this one-bit field is 1; `en[digit]`: if the bit is 1 whose number is the last digit of the role's name"
        }
        "registers" CODES registers_in, {
            "registers in addr1 | addr2" "the operand may be a list of registers: these modifiers hold the second and the further ones"
        }
        "or" RANGE or_register, {
            "or scalar unless imm_offset" "the field has the code of a register of this set, unless this modifier is 1: then it has the number"
        }
        "off" WITH_REGISTERS (|input| Ok(Clause::Off(if input.peek(syn::Ident) { Some(identifier(input)?) } else { None }))), {
            "off null`, `off" "`off` is written for this register, or for an operand of no registers"
        }
        "constants" ANY (|input| by_flags(input, any_identifier).map(Clause::Constants)), {
            "constants dword`, `constants half_bits if flag else typed" "what constants mean: a value of the operand's type (`typed`, the default), of 32 bits for types of up to 32 (`dword`), an `f16` for types of 16 bits or for all (`half_float`, `any_half_float`), 16 bits (`half_bits`), each of two halves (`both_halves`), one `element` of the type"
        }
        "gives" CODES gives, { "gives register" "accessors return the code of the space: of a class with `by 4`, the first register" }
        "prints" ANY prints, {
            "prints misaligned`, `prints set`, `prints all" "codes that are printed, though they are not valid: a register whose low bits have to be cleared, these codes, all codes"
        }
        "neg" CODES (|input| sign(input, false)), {
            "neg \"neg_lo\"[N] if flag else \"neg{N}\"" "the modifier that holds the sign, and the bit in it. `{N}` is the const parameter. Text has it as `-v0` or `neg(1)`"
        }
        "abs" CODES (|input| sign(input, true)), {
            "abs \"abs{N}\"" "the modifier that holds the absolute value, as `neg`. Text has it as `|v0|`, `-|v0|` or `abs(v0)`"
        }
        "says" ANY (|input| string(input).map(Clause::Says)), { "says \"…\"" "the error for registers or numbers that the class does not take" }
        "expects" ANY (|input| string(input).map(Clause::Expects)), { "expects \"…\"" "what errors call the operand" }
        "unless" ANY (|input| flags(input).map(Clause::Unless)), {
            "unless flag | flag" "rows with these flags have no precomputed text and values, and no fast syntax"
        }
        "without" ANY without, {
            "without plain`, `without names" "without the fast syntax; without precomputed text and values"
            "without no" "without the text `no…` of a flag"
        }
    }
    "numbers" {
        "bits" RANGE (|input| number(input).map(Clause::Bits)), { "bits 16" "the width of the field, if the numbers of text need fewer bits" }
        "signed" RANGE (|_| Ok(Clause::Signed)), { "signed" "the highest bit is a sign. Otherwise negative numbers of text are bit patterns" }
        "by" RANGE (|input| power_of_two(input).map(Clause::By)), { "by 2" "the field leaves out the lowest bit, which is 0" }
        "floats" RANGE floats, {
            "floats bits" "text can also be a floating-point number, whose lowest bits as an `f64` count; `floats f32`: its bits as an `f32`; `floats in range`: its bits as an `f64`, which have to be in the range. With this clause an integer can be in `lit(…)`"
        }
        "unsigned" RANGE unsigned_if, { "unsigned if flag says \"…\"" "rows with this flag take no negative numbers; the error for them" }
        "any" ANY any_width, {
            "any width" "fields may have fewer bits than the numbers need: the parser refuses numbers that do not fit. Without it such a field is an error at the class"
        }
        "text" ANY text, {
            "text \"attr{}\"`, `text \" offset:{x}\"`, `text \" {name}:{}\"" "what is written: the number in decimal, in hexadecimal; `{name}` is the modifier's own name"
            "text \"{}\" to 64 \"{x}\"" "decimal up to 64, hexadecimal above"
        }
        "absent" ANY (|input| number(input).map(Clause::Absent)), { "absent 15" "the code where the text has none; it is not written" }
        "default" ANY (|input| by_flags(input, number).map(Clause::Default)), {
            "default 3`, `default 0 if mix else 3" "the code of a modifier that an operand-level instruction does not state, by flags of the row, where `absent` does not say it for text as well"
        }
        "second" ANY second_by, {
            "second by fi" "two codes select the suffix dword of the modifier: the second one does so where this flag is 1"
        }
        "always" ANY (|_| Ok(Clause::Always)), { "always" "written even if text may omit it" }
        "zero" FLAG zero_beside, { "zero beside offen | idxen" "the flag is 0 where one of these modifiers is 1" }
        "hidden" ANY hidden_if, { "hidden if flag" "rows with this flag have no text for the modifier" }
        "stated" HIDDEN stated_by, {
            "stated by \"th:TH_ATOMIC_RETURN\"" "of a hidden modifier: the text of another one that sets it, which errors name"
        }
        "prefix" NAMES (|input| string(input).map(Clause::Prefix)), { "prefix \"SQ_RSRC_IMG_\"" "the beginning of names that text may leave out" }
        "then" NAMES (|input| string(input).map(Clause::Then)), { "then \",\"" "what may follow a name in text, and is not written" }
        "required" ANY required, {
            "required 0x1ff`, `required" "text must have the modifier: without it the field would hold this invalid code, or what `missing` returns"
        }
    }
    "parts" {
        "between" PARTS between, { "between \" \" | \"&\"" "what is written between parts, and what else is read. A blank can be left out" }
        "idle" PARTS idle_all, {
            "idle all" "the idle number has all bits of the parts, and is written with all parts. By default it is 0 and written as `0`"
        }
        "repeating" PARTS (|_| Ok(Clause::Repeating)), { "repeating" "parts may be written again" }
        "saturating" PARTS (|input| string(input).map(Clause::Saturating)), {
            "saturating \"_sat\"" "a part whose name ends so takes larger values, which become its highest"
        }
        "range" PARTS range, { "range -1..=255`, `range any" "the numbers that text may have in place of parts" }
        "others" PARTS others_hex, { "others hex" "numbers with bits that no part has are valid, and written in hexadecimal" }
    }
    "calls" {
        "braces" CALL (|_| Ok(Clause::Braces)), { "braces" "text may have the arguments in braces, in any order: `{id: 1, size: 4}`" }
        "name" CALL name_alone, {
            "name alone" "a value with a name has no further arguments; after a number they are written, and can be left out one by one. Other arguments may have bits of the first"
        }
    }
    "functions" {
        "read" ANY (|input| hook(input, "read")), {
            "read path" "`fn(&mut Asm<Set>) -> Result<Option<u32>, ParseError>` reads the text. A class of registers has two functions that it can call: `Class::read` reads what the table says, `Class::registers` only registers"
        }
        "write" ANY (|input| hook(input, "write")), { "write path" "`fn(&Cx<Set>, u32, &mut Text)` writes the code" }
        "value" ANY (|input| hook(input, "value")), { "value path" "`fn(&Cx<Set>, u32) -> Value` returns the value" }
        "code_value" ANY (|input| hook(input, "code_value")), {
            "code_value path" "`const fn(u32) -> Value` returns the value, where the code alone decides it"
        }
        "check" ANY check, {
            "check path" "`fn(&Cx<Set>, u32) -> bool`: whether a code of the class is valid here. `of set`: called for these codes only; `beside dword`: called where a suffix dword follows only; `nonzero`: of a modifier, for codes other than 0 only; `if flag`: of a modifier, in rows with this flag only"
        }
        "printable" ANY (|input| hook(input, "printable")), { "printable path" "as `check`: whether an invalid code is printed" }
        "used" ANY (|input| hook(input, "used")), {
            "used path" "`fn(&Cx<Set>) -> bool`: whether the instruction uses the operand, if other fields decide that. If it does not, every code decodes, and encoders write 0. A class with `off` whose count other fields decide has this function already"
        }
        "missing" ANY (|input| hook(input, "missing")), { "missing path" "`fn(&mut Asm<Set>) -> Option<u32>` returns the code where the text has none" }
        "depends" ANY depends, {
            "depends path" "`fn(&Cx<Set>, u32) -> isa::inst::OpList`, for operands that other fields change: returns the operands of a code. Operands of an `Inst` have to be the same; `with path` names a function that judges that, `fn(&Cx<Set>, &[Op], Result<(), ErrorKind>) -> Result<(), ErrorKind>`: it gets the given operands, and how they differ"
        }
    }
}

/// Parses a clause of a class with this content.
pub(super) fn clause(input: ParseStream, content: &ClassContent) -> syn::Result<Clause> {
    let keyword = any_identifier(input)?;
    let bit = bit_of(content);
    let Some(syntax) = CLAUSES.iter().find(|syntax| keyword == *syntax.keyword) else {
        let fitting = CLAUSES.iter().filter(|syntax| syntax.of & bit != 0).map(|syntax| syntax.keyword);
        let help = match near_names(keyword.as_str(), fitting.clone()).next() {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the clauses of this class are `{}`", fitting.collect::<Vec<_>>().join("`, `")),
        };
        return Err(error(keyword.span(), format!("unknown clause `{keyword}`"), help));
    };
    if syntax.of & bit == 0 {
        let called = |of: u8| CONTENTS.iter().filter(move |(bit, _)| of & bit != 0).map(|(_, name)| *name);
        let message = format!("a class that is {} has no clause `{keyword}`", called(bit).next().unwrap_or_default());
        let help = format!("`{keyword}` is for {}", called(syntax.of).collect::<Vec<_>>().join(", "));
        return Err(error(keyword.span(), message, help));
    }
    (syntax.parse)(input)
}

/// Returns the bit of the content of a class.
fn bit_of(content: &ClassContent) -> u8 {
    match content {
        ClassContent::Codes(_) => content::CODES,
        ClassContent::Number(..) => content::RANGE,
        ClassContent::Flag(_) => content::FLAG,
        ClassContent::Names { .. } => content::NAMES,
        ClassContent::List(_) | ClassContent::Cases { .. } => content::LISTS,
        ClassContent::Parts(..) => content::PARTS,
        ClassContent::Call(..) => content::CALL,
        ClassContent::Hidden => content::HIDDEN,
    }
}

/// Parses an integer literal.
fn number<N: std::str::FromStr<Err: std::fmt::Display>>(input: ParseStream) -> syn::Result<N> {
    input.parse::<LitInt>()?.base10_parse()
}

/// Parses the path of a function or a constant.
fn function(input: ParseStream) -> syn::Result<TokenStream> {
    Ok(input.parse::<ExprPath>()?.into_token_stream())
}

fn half(input: ParseStream) -> syn::Result<Clause> {
    if input.peek(syn::token::Bracket) {
        let inner;
        bracketed!(inner in input);
        return number(&inner).map(Clause::Half);
    }
    let name = identifier(input)?.to_string();
    let bit = modifier_bit(input)?;
    expect_keyword(input, "by")?;
    Ok(Clause::HalfBy(ModifierBit { name, bit }, function(input)?))
}

fn sign(input: ParseStream, is_absolute: bool) -> syn::Result<Clause> {
    let cases = by_flags(input, |input| {
        let name = string(input)?.to_string();
        Ok(ModifierBit { name, bit: modifier_bit(input)? })
    })?;
    Ok(Clause::Sign { is_absolute, cases })
}

fn check(input: ParseStream) -> syn::Result<Clause> {
    let path = function(input)?;
    let asked = if take_keyword(input, "of")? {
        Asked::Of(set_expr(input)?)
    } else if take_keyword(input, "beside")? {
        expect_keyword(input, "dword")?;
        Asked::BesideDword
    } else if take_keyword(input, "nonzero")? {
        Asked::NotZero
    } else if take_keyword(input, "if")? {
        Asked::InRows(identifier(input)?)
    } else {
        Asked::Always
    };
    Ok(Clause::Check(path, asked))
}

fn there(input: ParseStream) -> syn::Result<Clause> {
    let field = identifier(input)?;
    let is_by_digit = input.peek(syn::token::Bracket);
    if is_by_digit {
        let inner;
        bracketed!(inner in input);
        expect_keyword(&inner, "digit")?;
    }
    Ok(Clause::There(ThereField { field, is_by_digit, raw: raw_type(input)? }))
}

fn registers_in(input: ParseStream) -> syn::Result<Clause> {
    expect_keyword(input, "in")?;
    flags(input).map(Clause::RegistersIn)
}

fn depends(input: ParseStream) -> syn::Result<Clause> {
    let operands = function(input)?;
    let check = if take_keyword(input, "with")? { Some(function(input)?) } else { None };
    Ok(Clause::Depends(operands, check))
}

fn gives(input: ParseStream) -> syn::Result<Clause> {
    expect_keyword(input, "register")?;
    Ok(Clause::GivesRegister)
}

fn text(input: ParseStream) -> syn::Result<Clause> {
    let pattern = string(input)?;
    let above = if take_keyword(input, "to")? { Some((number(input)?, string(input)?)) } else { None };
    Ok(Clause::Text(pattern, above))
}

fn unsigned_if(input: ParseStream) -> syn::Result<Clause> {
    expect_keyword(input, "if")?;
    let flag = identifier(input)?;
    expect_keyword(input, "says")?;
    Ok(Clause::UnsignedIf(flag, string(input)?))
}

fn zero_beside(input: ParseStream) -> syn::Result<Clause> {
    expect_keyword(input, "beside")?;
    flags(input).map(Clause::ZeroBeside)
}

fn any_width(input: ParseStream) -> syn::Result<Clause> {
    expect_keyword(input, "width")?;
    Ok(Clause::AnyWidth)
}

fn idle_all(input: ParseStream) -> syn::Result<Clause> {
    expect_keyword(input, "all")?;
    Ok(Clause::IdleAll)
}

fn between(input: ParseStream) -> syn::Result<Clause> {
    let mut separators = vec![string(input)?];
    while input.parse::<Option<Token![|]>>()?.is_some() {
        separators.push(string(input)?);
    }
    Ok(Clause::Between(separators))
}

fn range(input: ParseStream) -> syn::Result<Clause> {
    if take_keyword(input, "any")? {
        return Ok(Clause::Range(i64::MIN, i64::MAX));
    }
    let low = signed(input)?;
    input.parse::<Token![..=]>()?;
    Ok(Clause::Range(low, signed(input)?))
}

fn others_hex(input: ParseStream) -> syn::Result<Clause> {
    expect_keyword(input, "hex")?;
    Ok(Clause::OthersHex)
}

fn hidden_if(input: ParseStream) -> syn::Result<Clause> {
    expect_keyword(input, "if")?;
    identifier(input).map(Clause::HiddenIf)
}

fn stated_by(input: ParseStream) -> syn::Result<Clause> {
    expect_keyword(input, "by")?;
    string(input).map(Clause::StatedBy)
}

fn required(input: ParseStream) -> syn::Result<Clause> {
    Ok(Clause::Required(if input.peek(LitInt) { Some(number(input)?) } else { None }))
}

fn name_alone(input: ParseStream) -> syn::Result<Clause> {
    expect_keyword(input, "alone")?;
    Ok(Clause::NameAlone)
}

fn without(input: ParseStream) -> syn::Result<Clause> {
    let what = identifier(input)?;
    if !["plain", "names", "no"].contains(&what.as_str()) {
        let help = "write `without plain`, `without names` or `without no`";
        return Err(error(what.span(), format!("a class cannot be `without {what}`"), help));
    }
    Ok(Clause::Without(what))
}

fn hook(input: ParseStream, keyword: &str) -> syn::Result<Clause> {
    let span = input.span();
    Ok(Clause::Hook(SpannedStr::new(keyword.into(), span), function(input)?))
}

fn second_by(input: ParseStream) -> syn::Result<Clause> {
    expect_keyword(input, "by")?;
    identifier(input).map(Clause::SecondBy)
}

fn or_register(input: ParseStream) -> syn::Result<Clause> {
    let set = set_expr(input)?;
    expect_keyword(input, "unless")?;
    Ok(Clause::OrRegister(set, identifier(input)?))
}

/// Parses `bits`, `f32` or `in range` after `floats`.
fn floats(input: ParseStream) -> syn::Result<Clause> {
    let start = input.span();
    Ok(Clause::Floats(match any_identifier(input)?.as_str() {
        "bits" => FloatReading::LowBits,
        "f32" => FloatReading::Single,
        "in" => {
            expect_keyword(input, "range")?;
            FloatReading::InRange
        }
        other => {
            let help = "write `floats bits` (the lowest bits of the `f64`), `floats f32` or `floats in range`";
            return Err(error(start, format!("`{other}` does not say which bits count"), help));
        }
    }))
}

/// Parses `[3]` or `[N]` after the name of a modifier, or nothing for the bit 0.
fn modifier_bit(input: ParseStream) -> syn::Result<Option<u8>> {
    if !input.peek(syn::token::Bracket) {
        return Ok(Some(0));
    }
    let inner;
    bracketed!(inner in input);
    number_or_parameter(&inner)
}

/// Parses a number, or the const parameter of a class.
fn number_or_parameter(input: ParseStream) -> syn::Result<Option<u8>> {
    if input.peek(LitInt) {
        return Ok(Some(input.parse::<LitInt>()?.base10_parse()?));
    }
    input.parse::<Ident>().map(|_| None)
}

/// Parses `a if flag else b`, or `a if flag`.
fn by_flags<T>(
    input: ParseStream,
    mut parse: impl FnMut(ParseStream) -> syn::Result<T>,
) -> syn::Result<Vec<(Option<SpannedStr>, T)>> {
    let mut cases = Vec::new();
    loop {
        let value = parse(input)?;
        let flag = if take_keyword(input, "if")? { Some(identifier(input)?) } else { None };
        let is_last = flag.is_none() || !take_keyword(input, "else")?;
        cases.push((flag, value));
        if is_last {
            return Ok(cases);
        }
    }
}

fn flags(input: ParseStream) -> syn::Result<Vec<SpannedStr>> {
    let mut flags = vec![identifier(input)?];
    while input.parse::<Option<Token![|]>>()?.is_some() {
        flags.push(identifier(input)?);
    }
    Ok(flags)
}

fn prints(input: ParseStream) -> syn::Result<Clause> {
    let (mut misaligned, mut all, mut set) = (false, false, Vec::new());
    loop {
        let name = set_name(input)?;
        match name.as_str() {
            "misaligned" => misaligned = true,
            "all" => all = true,
            _ => set.push((true, name)),
        }
        if input.parse::<Option<Token![|]>>()?.is_none() {
            return Ok(Clause::Prints { misaligned, all, set });
        }
    }
}

fn dwords(input: ParseStream) -> syn::Result<Clause> {
    let is_alone = |input: ParseStream| input.peek2(Token![,]) || input.peek2(Token![;]);
    if input.peek(Lit) && is_alone(input) {
        return Ok(Clause::Dwords(input.parse::<LitInt>()?.base10_parse()?));
    }
    if is_alone(input) && take_keyword(input, "mode")? {
        return Ok(Clause::DwordsOfMode);
    }
    if input.peek2(Token![::]) || is_alone(input) {
        return Ok(Clause::DwordsFn(input.parse::<ExprPath>()?.into_token_stream()));
    }
    let mut base = Vec::new();
    let begins_base =
        input.peek(Token![type]) || peek_keyword(input, "lanes") || input.peek(Lit) && !input.peek2(Token![*]);
    if begins_base {
        base = by_flags(input, dwords_base)?;
        if matches!(base[..], [(None, DwordsBase::Type)]) && input.parse::<Option<Token![/]>>()?.is_some() {
            let divisor: LitInt = input.parse()?;
            let number: u8 = divisor.base10_parse()?;
            if number == 0 {
                return Err(error(divisor.span(), "a number of registers is not divided by 0", "write `type / 2`"));
            }
            expect_keyword(input, "in")?;
            return Ok(Clause::DwordsPart(number, identifier(input)?));
        }
    }
    let mut terms = Vec::new();
    while base.is_empty() && terms.is_empty() || input.parse::<Option<Token![+]>>()?.is_some() {
        terms.push(dwords_term(input)?);
    }
    Ok(Clause::DwordsSum(DwordsSum { base, terms, raw: raw_type(input)? }))
}

/// Parses `1`, `type` or `lanes`.
fn dwords_base(input: ParseStream) -> syn::Result<DwordsBase> {
    if input.peek(Lit) {
        return Ok(DwordsBase::Fixed(input.parse::<LitInt>()?.base10_parse()?));
    }
    if input.parse::<Option<Token![type]>>()?.is_some() {
        return Ok(DwordsBase::Type);
    }
    expect_keyword(input, "lanes")?;
    Ok(DwordsBase::Lanes)
}

/// Parses `tfe`, `2 * addr64` or `saddr == 124`.
fn dwords_term(input: ParseStream) -> syn::Result<DwordsTerm> {
    let mut adds = 1;
    if input.peek(Lit) {
        adds = input.parse::<LitInt>()?.base10_parse()?;
        input.parse::<Token![*]>()?;
    }
    let field = identifier(input)?;
    let mut code = None;
    if input.parse::<Option<Token![==]>>()?.is_some() {
        code = Some(input.parse::<LitInt>()?.base10_parse()?);
    }
    Ok(DwordsTerm { adds, field, code })
}

/// Parses `in raw::Format`, or nothing.
fn raw_type(input: ParseStream) -> syn::Result<Option<TokenStream>> {
    if take_keyword(input, "in")? { path(input).map(Some) } else { Ok(None) }
}

/// Parses an integer with a sign.
pub(super) fn signed(input: ParseStream) -> syn::Result<i64> {
    let is_negative = input.parse::<Option<Token![-]>>()?.is_some();
    let n: i64 = input.parse::<LitInt>()?.base10_parse()?;
    Ok(if is_negative { -n } else { n })
}

/// Parses a sum of sets: `sreg | vcc - m0`.
pub(super) fn set_expr(input: ParseStream) -> syn::Result<SetExpr> {
    let mut set = vec![(true, set_name(input)?)];
    loop {
        if input.parse::<Option<Token![|]>>()?.is_some() {
            set.push((true, set_name(input)?));
        } else if input.parse::<Option<Token![-]>>()?.is_some() {
            set.push((false, set_name(input)?));
        } else {
            return Ok(set);
        }
    }
}

/// Parses the name of a set of codes.
pub(super) fn set_name(input: ParseStream) -> syn::Result<SpannedStr> {
    if !input.peek(syn::Ident) {
        return Err(error(
            input.span(),
            "expected a set of codes",
            "write the name of a run of `values`, or of a set `name = …;`",
        ));
    }
    identifier(input)
}

/// Parses a power of two, and returns its exponent.
pub(super) fn power_of_two(input: ParseStream) -> syn::Result<u8> {
    let lit: LitInt = input.parse()?;
    let n: u32 = lit.base10_parse()?;
    if n.is_power_of_two() {
        return Ok(n.trailing_zeros() as u8);
    }
    Err(error(lit.span(), format!("{n} is not a power of two"), "a field leaves out whole bits: write 2, 4 or 8"))
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::{env, fs};

    use super::*;

    /// Returns a text as a cell of a table.
    fn cell(text: &str) -> String {
        text.replace('|', "\\|")
    }

    /// The tables of the reference between `<!-- clauses: SECTION -->` and `<!-- end -->` are those of [`CLAUSES`].
    /// `ROW_LANGUAGE=overwrite` writes them.
    #[test]
    fn the_reference_has_the_clauses() {
        let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/reference/row-language.md");
        let text = fs::read_to_string(&page).expect("the page is in the repository");
        let mut made = String::new();
        let mut rest = text.as_str();
        let mut sections = Vec::new();
        while let Some((before, after)) = rest.split_once("<!-- clauses: ") {
            let (section, after) = after.split_once(" -->").expect("a section");
            let (_, after) = after.split_once("<!-- end -->").expect("an end");
            sections.push(section);
            made.push_str(&format!("{before}<!-- clauses: {section} -->\n| clause | meaning |\n|---|---|\n"));
            for syntax in CLAUSES.iter().filter(|syntax| syntax.section == section) {
                for (form, meaning) in syntax.docs {
                    made.push_str(&format!("| `{}` | {} |\n", cell(form), cell(meaning)));
                }
            }
            made.push_str("<!-- end -->");
            rest = after;
        }
        made.push_str(rest);
        let missing = CLAUSES.iter().find(|syntax| !sections.contains(&syntax.section));
        assert!(missing.is_none_or(|syntax| panic!("no table has the section `{}`", syntax.section)));
        if env::var("ROW_LANGUAGE").is_ok_and(|value| value == "overwrite") {
            fs::write(&page, &made).expect("the page can be written");
        } else {
            assert_eq!(text, made, "ROW_LANGUAGE=overwrite cargo test -p isa-macros writes the tables");
        }
    }

    #[test]
    fn a_keyword_has_one_clause_and_forms_begin_with_it() {
        for (at, syntax) in CLAUSES.iter().enumerate() {
            assert!(CLAUSES[..at].iter().all(|other| other.keyword != syntax.keyword), "{}", syntax.keyword);
            assert!(!syntax.docs.is_empty() && syntax.docs.iter().all(|(form, _)| form.starts_with(syntax.keyword)));
        }
    }
}

//! The syntax tree of a block of operand tables: `operands NAME for SET; values { … } operand …`.

use proc_macro2::{Ident, Span, TokenStream};

use super::{Attr, Condition};
use crate::error::Errors;
use crate::spanned::SpannedStr;

/// A block of operand tables.
pub struct OperandTables {
    /// The name by which `isa_set!` lists the block (`operands CLASSES for …`).
    pub name: Option<Ident>,
    /// The sets that the classes belong to.
    pub target: Target,
    /// The path of the type of operand values, and of the enum of register files (`value crate::Value of File`).
    pub value: TokenStream,
    /// The enum of register files.
    pub file: TokenStream,
    /// The module with the flags of rows (`flags crate::flags`).
    pub flags: Option<TokenStream>,
    /// The type of modes and its variants (`mode crate::Wave { W32, W64 }`).
    pub mode: Option<(TokenStream, Vec<SpannedStr>)>,
    /// The type that implements `isa::class::Syntax` (`syntax path`).
    pub syntax: Option<TokenStream>,
    /// How many registers a lane mask has in each mode, and the end of the error for another number.
    pub masks: Option<(Vec<u8>, SpannedStr)>,
    /// The condition under which the classes are parsed.
    pub parse: Condition,
    /// The condition under which the classes are operands of operand-level instructions.
    pub inst: Condition,
    /// The generations that the code space covers.
    pub generations: Vec<SpannedStr>,
    /// The runs of the code space.
    pub runs: Vec<CodeRun>,
    /// The named sets of codes.
    pub sets: Vec<NamedSet>,
    /// The operand classes.
    pub classes: Vec<ClassDecl>,
    /// The lists of names.
    pub lists: Vec<NameList>,
    /// The errors of the parser.
    pub errors: Errors,
}

impl OperandTables {
    /// Returns the modes; none if the tables name no type of modes.
    pub fn modes(&self) -> &[SpannedStr] {
        self.mode.as_ref().map(|(_, modes)| modes.as_slice()).unwrap_or_default()
    }

    /// Returns the index of a mode.
    pub fn mode_index(&self, mode: &SpannedStr) -> usize {
        self.modes().iter().position(|other| other == mode).unwrap_or(0)
    }

    /// Returns each generation, or one `None` if the tables have none.
    pub fn each_generation(&self) -> Vec<Option<&SpannedStr>> {
        if self.generations.is_empty() { vec![None] } else { self.generations.iter().map(Some).collect() }
    }
}

/// The sets that operand classes belong to.
pub enum Target {
    /// One set: `operands for Rv32i;`.
    Set(TokenStream),
    /// All sets that implement a trait: `operands for I: Generation;`. The name and the bounds.
    Generic(Ident, TokenStream),
}

/// A run of the code space: `0..=105 sgpr "s{}" aligned;`.
pub struct CodeRun {
    /// The first code.
    pub first: u32,
    /// The last code.
    pub last: u32,
    /// The span of the codes.
    pub span: Span,
    /// The name that sets use.
    pub name: SpannedStr,
    /// The register file, if it is not the name (`as file`), and the number of its first register there (`from 235`).
    pub file: Option<(SpannedStr, u8)>,
    /// The meaning of the codes.
    pub kind: RunKind,
    /// Whether several registers must begin with a multiple of two or four.
    pub is_aligned: bool,
    /// Whether registers of 16-bit operands are written with a half.
    pub has_halves: bool,
    /// How many registers an operand may have: `any` number, or any number with the value of `one`.
    pub fit: RunFit,
    /// Other names that are read.
    pub also: Vec<SpannedStr>,
    /// The error where the register is written for an operand that does not take it.
    pub rule: Option<SpannedStr>,
    /// The generations that have the codes. Empty if all of them do.
    pub generations: Vec<SpannedStr>,
    /// Whether the codes are printed, though no operand may have them: in all generations, or in these.
    pub printed: Option<Vec<SpannedStr>>,
}

/// The codes of a run.
pub enum RunKind {
    /// Registers with numbers: the text before the number.
    Numbered(String),
    /// Registers with names: one for each code, and perhaps one for all together.
    Names(Vec<SpannedStr>),
    /// Integers: the first and the last.
    Integers(i64, i64),
    /// Floating-point numbers, with their text.
    Floats(Vec<(String, f64)>),
    /// The constant in a suffix dword of this name.
    Literal(SpannedStr),
}

/// How many registers an operand may have that begins in a run.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum RunFit {
    /// At most the rest of the run.
    Run,
    /// Any number.
    Any,
    /// Any number, with the value of one.
    One,
}

/// A named set of codes: `sreg = sgpr | vcc;`.
pub struct NamedSet {
    /// The name.
    pub name: SpannedStr,
    /// The codes.
    pub set: SetExpr,
    /// The noun for a register of the set in errors (`called "a scalar register"`).
    pub called: Option<SpannedStr>,
}

/// A sum and difference of sets: `sgpr | vcc - m0`. The sign of a term is whether it is added.
pub type SetExpr = Vec<(bool, SpannedStr)>;

/// An operand class.
pub struct ClassDecl {
    /// The documentation.
    pub docs: Vec<Attr>,
    /// The name.
    pub name: Ident,
    /// The const parameter and the last of its values from 0 up: `<N in 0..=2>`.
    pub param: Option<(Ident, u8)>,
    /// The return type of a field's accessor.
    pub get: GetType,
    /// The meaning of the codes.
    pub content: ClassContent,
    /// The clauses.
    pub clauses: Vec<Clause>,
    /// Whether the class is a modifier.
    pub is_modifier: bool,
}

/// The return type of a field's accessor.
pub enum GetType {
    /// The declaration has no type: a number, a flag or the class itself, depending on the content.
    Default,
    /// A newtype with this method and this content: `(code: u8)`.
    Newtype(Ident, TokenStream),
    /// A type with a field for each part: `(id: u8, offset: u8)`.
    Fields(Vec<(Ident, TokenStream)>),
    /// Another type that implements `isa::Code`: `-> u8`.
    Type(TokenStream),
    /// The class is a type that is declared elsewhere: `-> Self`.
    Existing,
}

/// The codes of a class.
pub enum ClassContent {
    /// Codes of the code space.
    Codes(Vec<Arm>),
    /// A number: the least and the highest, with their span.
    Number(i64, i64, Span),
    /// A flag, with its text if it is not the name of the modifier.
    Flag(Option<SpannedStr>),
    /// Codes with names, between these texts, and the text before a code without a name.
    Names {
        /// The pattern, `" dim:{}"`.
        pattern: SpannedStr,
        /// The codes with their names.
        names: Vec<NamedCode>,
        /// The text before a code without a name; without it, such a code is invalid.
        other: Option<SpannedStr>,
        /// The static that lists them (`as NAMES`).
        list: Option<Ident>,
    },
    /// A number in parts: `{ vmcnt [15:10], expcnt [2:0] } as COUNTERS`, and the static that lists them.
    Parts(Vec<PartDecl>, Option<Ident>),
    /// A modifier without text.
    Hidden,
    /// A list of numbers: `list " op_sel:[{}]" of 2 x 1 + s2`.
    List(ListDecl),
    /// Codes that are a list, or names with numbers: `cases { 0..=0xff list …, 0x101..=0x10f "row_shl:{1}" } as CODES`.
    Cases {
        /// How many of the lowest codes are a list, and the list.
        list: Option<(u32, ListDecl)>,
        /// The others.
        codes: Vec<NumberedCodes>,
        /// The static that lists them.
        statics: Option<Ident>,
    },
    /// A number that text has as a call: `call "hwreg" { id [5:0] NAMES, offset [10:6] }`.
    Call(SpannedStr, Vec<ArgumentDecl>),
}

/// A list of numbers of the same width.
pub struct ListDecl {
    /// The text before the bracket.
    pub before: String,
    /// How many numbers there are in all rows.
    pub count: u8,
    /// Their width in bits.
    pub width: u8,
    /// The roles each of which adds a number.
    pub roles: Vec<SpannedStr>,
    /// The span of the text.
    pub span: Span,
}

/// Codes that are a name with a number that counts them: `0x101..=0x10f "row_shl:{1}"`.
pub struct NumberedCodes {
    /// The first code.
    pub first: u32,
    /// The last code.
    pub last: u32,
    /// The text before the number.
    pub name: String,
    /// The number of the first code, or `None` if the name stands alone.
    pub number: Option<u32>,
    /// The span of the codes.
    pub span: Span,
}

/// An argument of a call: `size [15:11] + 1 absent 32 says "…"`.
pub struct ArgumentDecl {
    /// The name.
    pub name: SpannedStr,
    /// The highest and the lowest bit.
    pub bits: (u8, u8),
    /// The list of the names of its values.
    pub names: Option<SpannedStr>,
    /// The argument that the bits 0 stand for.
    pub least: u32,
    /// The argument that text leaves out.
    pub absent: u32,
    /// The error for others than the bits hold.
    pub rule: Option<SpannedStr>,
}

/// A part of a number: `instskip [6:4] DELAY_SKIPS from 1`.
pub struct PartDecl {
    /// The name.
    pub name: SpannedStr,
    /// The highest and the lowest bit.
    pub bits: (u8, u8),
    /// The list of the names of its values, and the most frequent one.
    pub values: Option<(SpannedStr, u32)>,
    /// The text of a value without a name.
    pub unknown: Option<SpannedStr>,
}

/// A code with a name.
pub struct NamedCode {
    /// The code.
    pub code: u32,
    /// The name.
    pub name: String,
    /// Where the code stands.
    pub span: Span,
}

/// A list of names of numbers from 0 up: `names DELAY_SKIPS { 0 "SAME", 1 "NEXT" }`.
pub struct NameList {
    /// The documentation.
    pub docs: Vec<Attr>,
    /// The name of the static.
    pub name: Ident,
    /// The type of the codes, if the list has them beside the names (`names MESSAGES: u8 { … }`).
    pub codes: Option<TokenStream>,
    /// The macro that defines an enum of the names (`names DataFormat by path { … }`).
    pub by: Option<TokenStream>,
    /// The names.
    pub names: Vec<NamedCode>,
}

/// A case of a class: `sreg - m0 if scalar_d`.
pub struct Arm {
    /// The codes.
    pub set: SetExpr,
    /// The registers that the case lacks, by their names.
    pub except: Vec<SpannedStr>,
    /// How codes map into the field.
    pub map: ArmMap,
    /// The condition, `None` for the last case.
    pub cond: Option<ArmCond>,
}

/// How codes of the space map to codes of a field.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum ArmMap {
    /// They are the same.
    Same,
    /// The field has the register's number divided by a power of two: this is its exponent.
    Number(u8),
    /// The field has the code divided by a power of two: this is its exponent.
    By(u8),
}

/// A condition of a case.
pub enum ArmCond {
    /// The operand is a lane mask: `it is mask`.
    Mask,
    /// The operand has at most this many bits: `it is up to 64`.
    UpTo(u32),
    /// The operand has more than this many bits: `it is above 64`.
    Above(u32),
    /// The row has a flag.
    Flag(SpannedStr),
    /// The mode is this one.
    Mode(SpannedStr),
}

/// A bit of a modifier.
pub struct ModifierBit {
    /// The name of the modifier, in which `{N}` stands for the const parameter of the class.
    pub name: String,
    /// The number of the bit; `None` if it is the const parameter.
    pub bit: Option<u8>,
}

/// When the function of a `check` clause is asked.
pub enum Asked {
    /// For all codes.
    Always,
    /// For the codes of a set only (`check path of set`).
    Of(SetExpr),
    /// Where a suffix dword follows only (`check path beside dword`).
    BesideDword,
    /// For codes other than 0 only (`check path nonzero`).
    NotZero,
    /// In rows with a flag only (`check path if flag`).
    InRows(SpannedStr),
}

/// A number of registers that fields decide: `1 + saddr == 124 in raw::Global`.
pub struct DwordsSum {
    /// The base: that of the first case that holds, otherwise 0.
    pub base: Vec<(Option<SpannedStr>, DwordsBase)>,
    /// The terms that fields add.
    pub terms: Vec<DwordsTerm>,
    /// The type with the format's accessors. Without it fields are looked up, and those that a row lacks add nothing.
    pub raw: Option<TokenStream>,
}

/// The base of a number of registers.
#[derive(Clone, Copy)]
pub enum DwordsBase {
    /// A fixed number.
    Fixed(u8),
    /// The number of registers that the type takes.
    Type,
    /// The number of elements of the type.
    Lanes,
}

/// A term that a field adds to a number of registers: `2 * addr64`, `saddr == 124`.
pub struct DwordsTerm {
    /// The number of registers that the term adds.
    pub adds: u8,
    /// The name of the operand or modifier.
    pub field: SpannedStr,
    /// The code by which it adds them; `None`: a one-bit field that is 1.
    pub code: Option<u16>,
}

/// The bit that says whether an operand exists: `en[digit] in raw::Exp`.
pub struct ThereField {
    /// The modifier.
    pub field: SpannedStr,
    /// Whether the last digit of the role's name is the number of the bit; otherwise the field has one bit.
    pub is_by_digit: bool,
    /// The type with the format's accessors. Without it the field is looked up, and 0 in rows that lack it.
    pub raw: Option<TokenStream>,
}

/// The bits of a number whose text is a floating-point number.
#[derive(Clone, Copy)]
pub enum FloatReading {
    /// `bits`: the lowest bits of the `f64`.
    LowBits,
    /// `f32`: the bits of the `f32`.
    Single,
    /// `in range`: the bits of the `f64`, which have to be in the range of the number.
    InRange,
}

/// A clause of a class.
pub enum Clause {
    /// `prints misaligned | set`: codes that are printed, though they are not valid.
    Prints {
        /// Registers that are not aligned.
        misaligned: bool,
        /// All codes.
        all: bool,
        /// These codes.
        set: SetExpr,
    },
    /// `half [7]`: the bit that chooses the half of a 16-bit register.
    Half(u8),
    /// `half op_sel[3] by path`: the bit of a modifier that chooses the half, and a function that returns the code without
    /// the half, and whether it is the upper one.
    HalfBy(ModifierBit, TokenStream),
    /// `constants half_float if flag else dword`: what constants mean, by flags of the row.
    Constants(Vec<(Option<SpannedStr>, SpannedStr)>),
    /// `neg "neg_lo"[0] if flag else "neg0"`, `abs …`: the modifier with the sign or the absolute value, by flags of the row.
    Sign {
        /// Whether it is the absolute value.
        is_absolute: bool,
        /// The modifiers.
        cases: Vec<(Option<SpannedStr>, ModifierBit)>,
    },
    /// `check path`: a function that refuses codes of the class.
    Check(TokenStream, Asked),
    /// `dwords mode`.
    DwordsOfMode,
    /// `dwords 2`.
    Dwords(u8),
    /// `dwords path`: a function.
    DwordsFn(TokenStream),
    /// `dwords a + b in raw::Format`, `dwords type + tfe`: what fields add up to.
    DwordsSum(DwordsSum),
    /// `dwords type / 2 in W64`: the registers of the type are divided by this number in this mode.
    DwordsPart(u8, SpannedStr),
    /// `there field in raw::Format`: the one-bit field that says whether the operand exists.
    There(ThereField),
    /// `registers in addr1 | addr2`: the modifiers that hold the second and further registers of a list.
    RegistersIn(Vec<SpannedStr>),
    /// `depends path with path`: a function that returns the operands of a code, and one that judges given operands.
    Depends(TokenStream, Option<TokenStream>),
    /// `off`, `off name`: an operand that is switched off, and the register whose code says so.
    Off(Option<SpannedStr>),
    /// `says "…"`: the error for codes outside the class.
    Says(SpannedStr),
    /// `expects "…"`: what errors call the operand.
    Expects(SpannedStr),
    /// `gives register`: accessors return the code of the space.
    GivesRegister,
    /// `text "…{}…"` of a number, with the text of larger numbers (`to 64 "{x}"`).
    Text(SpannedStr, Option<(u32, SpannedStr)>),
    /// `signed`.
    Signed,
    /// `floats bits`: text can be a floating-point number, or an integer in `lit(…)`.
    Floats(FloatReading),
    /// `unsigned if flag says "…"`: rows with this flag take no negative numbers; the error for them.
    UnsignedIf(SpannedStr, SpannedStr),
    /// `zero beside offen | idxen`: the code is 0 where one of these modifiers is 1.
    ZeroBeside(Vec<SpannedStr>),
    /// `by 2` of a number: the exponent.
    By(u8),
    /// `bits 16`.
    Bits(u8),
    /// `any width`: fields may have fewer bits than the numbers of the class.
    AnyWidth,
    /// `idle all`: the number where no part is written has all bits of the parts.
    IdleAll,
    /// `between " " | "&" | ","`: what is written between parts, and what else is read.
    Between(Vec<SpannedStr>),
    /// `saturating "_sat"`: what a part's name ends in where a larger value is the highest.
    Saturating(SpannedStr),
    /// `repeating`: parts may be written again.
    Repeating,
    /// `range -0x8000..=0xffff`, `range any`: the numbers that text may have in place of parts.
    Range(i64, i64),
    /// `others hex`: numbers with other bits are written as numbers, and valid.
    OthersHex,
    /// `always`: a modifier that is written regardless of its code.
    Always,
    /// `absent 15`: the code where the text has none.
    Absent(u64),
    /// `default 0 if mix else 3`: the code of a modifier that an operand-level instruction does not state, by flags of the row.
    Default(Vec<(Option<SpannedStr>, u64)>),
    /// `second by fi`: the flag by which the second code that selects the suffix dword of a modifier replaces the first.
    SecondBy(SpannedStr),
    /// `or scalar unless imm_offset`: the registers whose code the field of a number may have, and the flag that says that it has a
    /// number.
    OrRegister(SetExpr, SpannedStr),
    /// `late`: the operand is read twice.
    Late,
    /// `unless flag | flag`: rows with these flags have no fast syntax, precomputed text or values.
    Unless(Vec<SpannedStr>),
    /// `without plain`, `without names`, `without no`: without the fast syntax, without precomputed text and values, without
    /// the text `no…` of a flag.
    Without(SpannedStr),
    /// `hidden if flag`: the modifier has no text in rows with this flag.
    HiddenIf(SpannedStr),
    /// `stated by "th:TH_ATOMIC_RETURN"`: the text of another modifier that sets a hidden one.
    StatedBy(SpannedStr),
    /// `required 0x1ff`: text has to have the modifier. Without it the field would hold this code, which is not valid.
    Required(Option<u64>),
    /// `prefix "IMG_"`: the beginning of names that text may leave out.
    Prefix(SpannedStr),
    /// `then ","`: what may follow a name in text, and is not written.
    Then(SpannedStr),
    /// `name alone`: a call whose first argument has a name has no others.
    NameAlone,
    /// `braces`: the arguments of a call may be in braces with their names.
    Braces,
    /// `read path`, `write path`, `value path`, `printable path`, `missing path`, `used path`: a function.
    Hook(SpannedStr, TokenStream),
}

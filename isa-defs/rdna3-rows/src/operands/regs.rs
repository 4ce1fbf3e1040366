//! Registers and constants: their codes (guide §15.1.1, table 65), their names in text, and what they come to.
//!
//! A *source code* is the 9-bit code of SRC0: scalar registers and constants below 256, VGPRs from 256 on. The 7-bit
//! and 8-bit fields of scalar formats hold the lower part of the same code space.

use amdgpu_operands::write_range;
pub use amdgpu_operands::{Half, INLINE_FLOATS, InlineFloat, is_inline, write_literal};
use isa::{Case, Class, CodeSet, Literal, Meaning, Name, Names, Plain, Sure, Text, Type, Values, Word};

/// Which set of registers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum File {
    /// Scalar general-purpose registers, s0 to s105.
    Sgpr,
    /// Vector general-purpose registers, v0 to v255.
    Vgpr,
    /// Trap temporaries, ttmp0 to ttmp15.
    Ttmp,
    /// The vector condition code: 0 is `vcc_lo`, 1 is `vcc_hi`.
    Vcc,
    /// The execute mask: 0 is `exec_lo`, 1 is `exec_hi`.
    Exec,
    /// M0.
    M0,
    /// NULL: reads as zero, writes are dropped.
    Null,
    /// The scalar condition code.
    Scc,
    /// Memory apertures and status bits that read as constants: the number is the source code.
    Special,
}

/// Consecutive registers of one file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Registers {
    /// The file.
    pub file: File,
    /// The number of the first.
    pub first: u8,
    /// How many 32-bit registers.
    pub count: u8,
    /// The half that is meant, of a 16-bit operand.
    pub half: Option<Half>,
}

impl Registers {
    /// `count` whole registers from `first` on.
    #[must_use]
    pub const fn new(file: File, first: u8, count: u8) -> Self {
        Registers { file, first, count, half: None }
    }
}

/// What an operand comes to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Value {
    /// Registers.
    Registers(Registers),
    /// Up to five separate groups of VGPRs (an image address): how many groups, the first register of each, and how
    /// many registers the last group has; all others have one, but in ray-tracing instructions, whose groups of
    /// three `long` marks with a bit each.
    Scattered {
        /// How many groups.
        groups: u8,
        /// The first register of each group.
        first: [u8; 5],
        /// How many registers each group has.
        count: [u8; 5],
    },
    /// An inline integer, -16 to 64.
    Integer(i8),
    /// An inline floating-point constant, as the bits of an `f32`.
    Float(u32),
    /// A literal constant.
    Literal(u32),
    /// A number in the instruction's own fields.
    Immediate(i32),
    /// A branch target: signed dwords from the end of the instruction.
    Branch(i16),
    /// The slot is switched off (`off`).
    Off,
}

impl Value {
    /// Returns the value of a meaning.
    #[must_use]
    pub const fn of(meaning: Meaning<File>) -> Value {
        match meaning {
            Meaning::Registers { file, first, count, half } => {
                let half = match half {
                    None => None,
                    Some(true) => Some(Half::High),
                    Some(false) => Some(Half::Low),
                };
                Value::Registers(Registers { file, first, count, half })
            }
            Meaning::Integer(n) => Value::Integer(n as i8),
            Meaning::Float(bits) => Value::Float(bits),
            Meaning::Literal(bits) => Value::Literal(bits),
            Meaning::Number(n) => Value::Immediate(n),
            Meaning::Off => Value::Off,
        }
    }
}

const VCC: u32 = 106;
const TTMP: u32 = 108;
const NULL: u32 = 124;
const M0: u32 = 125;
const EXEC: u32 = 126;
const INTEGERS: u32 = 128;
const FLOATS: u32 = 240;
/// The source code that announces a literal.
pub const LITERAL: u32 = 255;
const VGPRS: u32 = 256;

/// Constants and status bits among the source codes that have a name of their own.
pub static SPECIALS: [(u32, &str); 11] = [
    (230, "src_flat_scratch_base_lo"),
    (231, "src_flat_scratch_base_hi"),
    (235, "src_shared_base"),
    (236, "src_shared_limit"),
    (237, "src_private_base"),
    (238, "src_private_limit"),
    (239, "src_pops_exiting_wave_id"),
    (251, "src_vccz"),
    (252, "src_execz"),
    (253, "src_scc"),
    (254, "src_lds_direct"),
];

const fn scalar(step: usize, width: u32) -> CodeSet {
    let mut set = CodeSet::NONE;
    let mut at = 0;
    while at + width <= VCC {
        set = set.with(at, at);
        at += step as u32;
    }
    let mut at = TTMP;
    while at + width <= NULL {
        set = set.with(at, at);
        at += step as u32;
    }
    match width {
        1 => set.with(VCC, VCC + 1).with(NULL, EXEC + 1),
        2 => set.with(VCC, VCC).with(NULL, NULL).with(EXEC, EXEC),
        _ => set,
    }
}

static SCALAR1: CodeSet = scalar(1, 1);
static SCALAR2: CodeSet = scalar(2, 2);
static SCALAR4: CodeSet = scalar(4, 4);
static SCALAR8: CodeSet = scalar(4, 8);
static SCALAR16: CodeSet = scalar(4, 16);

/// The codes that name `dwords` scalar registers (1, 2, 4, 8 or 16), NULL included where one or two are meant.
#[must_use]
pub const fn sgpr_dest_codes(dwords: u8) -> &'static CodeSet {
    match dwords {
        1 => &SCALAR1,
        2 => &SCALAR2,
        3 | 4 => &SCALAR4,
        5..=8 => &SCALAR8,
        _ => &SCALAR16,
    }
}

/// The same by the operand's type.
pub const SGPR_DESTS: Sure = Sure::Cases(&[
    (Case::Dwords(1), Sure::Only(&SCALAR1)),
    (Case::Dwords(2), Sure::Only(&SCALAR2)),
    (Case::Dwords(4), Sure::Only(&SCALAR4)),
    (Case::Dwords(8), Sure::Only(&SCALAR8)),
    (Case::Else, Sure::Only(&SCALAR16)),
]);

/// The scalar registers that can hold a lane mask, which is as wide as the wave.
pub const LANE_MASKS: Sure =
    Sure::Cases(&[(Case::Mode(crate::Wave::W64 as u8), Sure::With(&SCALAR2)), (Case::Else, Sure::With(&SCALAR1))]);

const fn with_constants(set: CodeSet) -> CodeSet {
    set.with(INTEGERS, 208).with(235, 238).with(FLOATS, 248).with(253, 253).with(LITERAL, LITERAL).with(VGPRS, 511)
}

static SOURCE1: CodeSet = with_constants(SCALAR1);
static SOURCE2: CodeSet = with_constants(SCALAR2);

/// The same by the operand's type, where a literal may follow.
pub const SURE_SOURCES: Sure =
    Sure::Cases(&[(Case::Dwords(1), Sure::With(&SOURCE1)), (Case::Else, Sure::With(&SOURCE2))]);

/// The codes that name a source of this type.
#[must_use]
pub fn source_codes(ty: Type) -> &'static CodeSet {
    if ty.dwords() == 1 { &SOURCE1 } else { &SOURCE2 }
}

/// The texts of source codes as [`write_source`] has them, but for literals, what is not aligned, and long names.
const fn source_names(dwords: u32) -> [Name; 512] {
    const fn registers(prefix: &str, first: u32, dwords: u32) -> Name {
        let name = Name::EMPTY.with(prefix);
        if dwords == 1 {
            return name.with_dec(first);
        }
        name.with("[").with_dec(first).with(":").with_dec(first + dwords - 1).with("]")
    }
    let mut all = [Name::NONE; 512];
    let mut code = 0;
    while code < 512 {
        let whole = dwords == 1 || code % (if dwords == 2 { 2 } else { 4 }) == 0;
        all[code as usize] = match code {
            VGPRS.. => registers("v", code - VGPRS, dwords),
            0..VCC if whole => registers("s", code, dwords),
            TTMP..NULL if whole => registers("ttmp", code - TTMP, dwords),
            NULL if dwords <= 2 => Name::EMPTY.with("null"),
            VCC if dwords == 1 => Name::EMPTY.with("vcc_lo"),
            107 if dwords == 1 => Name::EMPTY.with("vcc_hi"),
            VCC if dwords == 2 => Name::EMPTY.with("vcc"),
            M0 if dwords == 1 => Name::EMPTY.with("m0"),
            EXEC if dwords == 1 => Name::EMPTY.with("exec_lo"),
            127 if dwords == 1 => Name::EMPTY.with("exec_hi"),
            EXEC if dwords == 2 => Name::EMPTY.with("exec"),
            INTEGERS..=192 if dwords <= 2 => Name::EMPTY.with_dec(code - INTEGERS),
            193..=208 if dwords <= 2 => Name::EMPTY.with("-").with_dec(code - 192),
            FLOATS..248 if dwords <= 2 => Name::EMPTY.with(INLINE_FLOATS[(code - FLOATS) as usize].name),
            248 if dwords == 1 => Name::EMPTY.with(INLINE_FLOATS[8].name),
            _ => Name::NONE,
        };
        code += 1;
    }
    all
}

static NAMES1: [Name; 512] = source_names(1);
static NAMES2: [Name; 512] = source_names(2);
static NAMES4: [Name; 512] = source_names(4);

/// The texts of the scalar registers that are lane masks in wave32.
pub const MASK_NAMES: &[Name] = NAMES1.split_at(INTEGERS as usize).0;

/// The texts of sources. Of 16 bits, scalar registers and integers: vector registers are halves, floats as the type has
/// them.
pub const SOURCE_NAMES: Names = Names {
    by_width: [NAMES1.split_at(FLOATS as usize).0, &NAMES1, &NAMES2, &[], &[]],
    literal: Some(Literal {
        code: LITERAL as u16,
        // These rows write them in another form.
        unless: crate::flags::SPLAT | crate::flags::MIX | crate::flags::FLOAT_TEXT,
        make: write_literal,
    }),
    masks: MASK_NAMES,
    ..Names::NONE
};
/// The texts of scalar registers; anything up to 32 bits takes a whole one.
pub const SCALAR_NAMES: Names = Names { by_width: [&NAMES1, &NAMES1, &NAMES2, &[], &NAMES4], ..Names::NONE };
/// The texts of whole vector registers by their numbers.
pub const VGPR_NAMES: Names = Names {
    by_width: [&[], NAMES1.split_at(256).1, NAMES2.split_at(256).1, &[], NAMES4.split_at(256).1],
    ..Names::NONE
};

/// The texts of scalar registers that are part of an address, with NULL for none.
const fn address_names(registers: &[Name; 512], dwords: u32) -> [Name; 127] {
    let mut all = [Name::NONE; 127];
    let mut code = 0;
    while code < all.len() {
        all[code] = match code as u32 {
            NULL => Name::EMPTY.with("off"),
            part if !part.is_multiple_of(dwords) => Name::NONE,
            _ => registers[code],
        };
        code += 1;
    }
    all
}

/// The texts of one scalar register of an address, and of two.
pub const ADDRESS_NAMES: [Names; 2] = {
    static ONE: [Name; 127] = address_names(&NAMES1, 1);
    static TWO: [Name; 127] = address_names(&NAMES2, 2);
    [Names::of_any_type(&ONE), Names::of_any_type(&TWO)]
};

/// The last SGPR.
const LAST_SGPR: u8 = VCC as u8 - 1;

/// Scalar registers that have names, and the inline constants that are written with a point: names of one and of two
/// registers, and what has any width.
const WORDS: [Word; 17] = [
    Word::new("vcc_lo", 1, VCC),
    Word::new("exec_lo", 1, EXEC),
    Word::new("vcc", 2, VCC),
    Word::new("exec", 2, EXEC),
    Word::new("null", 0, NULL),
    Word::new("m0", 1, M0),
    Word::new("vcc_hi", 1, VCC + 1),
    Word::new("exec_hi", 1, EXEC + 1),
    Word::new("off", 0, NULL),
    Word::new("0.5", 0, FLOATS),
    Word::new("-0.5", 0, FLOATS + 1),
    Word::new("1.0", 0, FLOATS + 2),
    Word::new("-1.0", 0, FLOATS + 3),
    Word::new("2.0", 0, FLOATS + 4),
    Word::new("-2.0", 0, FLOATS + 5),
    Word::new("4.0", 0, FLOATS + 6),
    Word::new("-4.0", 0, FLOATS + 7),
];
/// What of them is registers.
const REGISTERS: &[Word] = WORDS.split_at(8).0;
/// The same with `off`.
pub(super) const REGISTERS_OR_OFF: &[Word] = WORDS.split_at(9).0;

/// The bits of the inline floats, which no literal holds that is written as a number.
static INLINE_BITS: [u32; 9] = {
    let mut out = [0; 9];
    let mut i = 0;
    while i < out.len() {
        out[i] = INLINE_FLOATS[i].f32;
        i += 1;
    }
    out
};

/// The plain texts of vector sources: those of scalar ones, and vector registers.
pub const PLAIN_SOURCES: Plain =
    Plain { files: &[(b'v', VGPRS, 255), (b's', 0, LAST_SGPR)], whole: false, ..PLAIN_SCALARS };
/// The plain texts of scalar sources.
pub const PLAIN_SCALARS: Plain = Plain {
    integers: Some((INTEGERS, 64)),
    negative: Some((INTEGERS + 64, 16)),
    names: &WORDS_WITHOUT_OFF,
    literal: Some((LITERAL, &INLINE_BITS)),
    ..PLAIN_SGPRS
};
static WORDS_WITHOUT_OFF: [Word; 16] = {
    let mut out = [WORDS[0]; 16];
    let mut i = 0;
    while i < out.len() {
        out[i] = WORDS[if i < REGISTERS.len() { i } else { i + 1 }];
        i += 1;
    }
    out
};
/// The plain texts of scalar registers.
pub const PLAIN_SGPRS: Plain = Plain {
    files: &[(b's', 0, LAST_SGPR)],
    whole: true,
    mask: Some((&PLAIN_MASKS, [1, 2])),
    names: REGISTERS,
    ..Plain::NONE
};
/// The same of a lane mask, which is as wide as the wave.
pub(super) static PLAIN_MASKS: Plain = Plain { files: &[(b's', 0, LAST_SGPR)], names: REGISTERS, ..Plain::NONE };
/// The plain texts of vector registers by their numbers.
pub const PLAIN_VGPRS: Plain = Plain { files: &[(b'v', 0, 255)], mask: PLAIN_SGPRS.mask, ..Plain::NONE };
/// The plain texts of a number of 16 bits.
pub(super) const PLAIN_NUMBERS: Plain = Plain { numbers: Some(0xffff), ..Plain::NONE };

/// Writes `dwords` scalar registers from code `code` (0 to 127) on.
pub fn write_sgpr(code: u32, dwords: u8, out: &mut Text) {
    match (code, dwords) {
        (0..VCC, _) => write_range("s", code, dwords, out),
        (VCC, 1) => out.push("vcc_lo"),
        (VCC, _) => out.push("vcc"),
        (107, _) => out.push("vcc_hi"),
        (TTMP..NULL, _) => write_range("ttmp", code - TTMP, dwords, out),
        (NULL, _) => out.push("null"),
        (M0, _) => out.push("m0"),
        (EXEC, 1) => out.push("exec_lo"),
        (EXEC, _) => out.push("exec"),
        _ => out.push("exec_hi"),
    }
}

/// Writes `dwords` vector registers from number `first` on.
pub fn write_vgpr(first: u32, dwords: u8, out: &mut Text) {
    write_range("v", first, dwords, out);
}

/// Writes half of a vector register.
pub fn write_vgpr_half(number: u32, high: bool, out: &mut Text) {
    out.push_ascii(b'v');
    out.dec(number);
    out.push(if high { ".h" } else { ".l" });
}

/// The register that LLVM takes for scalar registers from `code` on: it clears the low bits of one that is not aligned.
pub(super) const fn aligned(code: u32, dwords: u8) -> u32 {
    match dwords {
        1 => code,
        2 => code & !1,
        _ => code & !3,
    }
}

/// Whether `code` is inside the SGPRs or the trap temporaries and names a range of `set` once it is aligned.
pub(super) fn aligns_into(set: &CodeSet, code: u32, dwords: u8) -> bool {
    (code < VCC || (TTMP..NULL).contains(&code)) && set.has(aligned(code, dwords))
}

/// Whether a source code that is not among [`source_codes`] is one that LLVM prints although the guide names none:
/// status bits it reserves, and pairs that are not aligned.
#[must_use]
pub fn source_printable(code: u32, dwords: u8) -> bool {
    match code {
        0..INTEGERS => aligns_into(sgpr_dest_codes(dwords), code, dwords),
        // The upper half has no pair to begin.
        231 => dwords == 1,
        230 | 239 | 251 | 252 => true,
        _ => false,
    }
}

/// The same for vector instructions, where LLVM names the code of older generations' reads from LDS too.
#[must_use]
pub fn vector_source_printable(code: u32, dwords: u8) -> bool {
    code == 254 && dwords == 1 || source_printable(code, dwords)
}

/// Writes a source by its 9-bit code: a register, an inline constant as its type has it, or the literal.
pub fn write_source(code: u32, ty: Type, literal: Option<u32>, out: &mut Text) {
    match code {
        0..INTEGERS => write_sgpr(aligned(code, ty.dwords()), ty.dwords(), out),
        INTEGERS..=192 => out.dec(code - INTEGERS),
        193..=208 => {
            out.push_ascii(b'-');
            out.dec(code - 192);
        }
        248 if ty.total_bits() == 64 => out.push("0.15915494309189532"),
        FLOATS..=248 => {
            if let Some(float) = INLINE_FLOATS.get((code - FLOATS) as usize) {
                if ty.total_bits() == 16 && !ty.is_float() { out.hex(float.f16.into()) } else { out.push(float.name) }
            }
        }
        LITERAL => write_literal(literal.unwrap_or(0), ty, out),
        VGPRS.. => write_vgpr(code - VGPRS, ty.dwords(), out),
        _ => {
            if let Some((_, name)) = SPECIALS.iter().find(|(c, _)| *c == code) {
                out.push(name);
            }
        }
    }
}

/// What scalar registers from code `code` (0 to 127) on come to.
#[must_use]
pub const fn sgpr_value(code: u32, dwords: u8) -> Value {
    let (file, base) = match code {
        0..VCC => (File::Sgpr, 0),
        VCC | 107 => (File::Vcc, VCC),
        TTMP..NULL => (File::Ttmp, TTMP),
        NULL => (File::Null, NULL),
        M0 => (File::M0, M0),
        _ => (File::Exec, EXEC),
    };
    Value::Registers(Registers::new(file, (code - base) as u8, dwords))
}

/// What vector registers come to.
#[must_use]
pub const fn vgpr_value(first: u32, dwords: u8) -> Value {
    Value::Registers(Registers::new(File::Vgpr, first as u8, dwords))
}

/// What half of a vector register comes to.
#[must_use]
pub fn vgpr_half_value(number: u32, high: bool) -> Value {
    let half = if high { Half::High } else { Half::Low };
    Value::Registers(Registers { half: Some(half), ..Registers::new(File::Vgpr, number as u8, 1) })
}

/// What a source comes to.
#[must_use]
pub const fn source_value(code: u32, ty: Type, literal: Option<u32>) -> Value {
    match code {
        0..INTEGERS => sgpr_value(aligned(code, ty.dwords()), ty.dwords()),
        INTEGERS..=192 => Value::Integer((code - INTEGERS) as i8),
        193..=208 => Value::Integer(-((code - 192) as i8)),
        FLOATS..=248 => Value::Float(INLINE_FLOATS[(code - FLOATS) as usize].f32),
        253 => Value::Registers(Registers::new(File::Scc, 0, 1)),
        LITERAL => Value::Literal(match literal {
            Some(value) => value,
            None => 0,
        }),
        VGPRS.. => vgpr_value(code - VGPRS, ty.dwords()),
        _ => Value::Registers(Registers::new(File::Special, code as u8, ty.dwords())),
    }
}

/// What source codes come to, whatever the literal.
const fn source_values(ty: Type) -> [Value; 512] {
    let mut all = [Value::Off; 512];
    let mut code = 0;
    while code < 512 {
        all[code as usize] = source_value(code, ty, None);
        code += 1;
    }
    all
}

static VALUES1: [Value; 512] = source_values(Type::new(Class::Bits, 32, 1));
static VALUES2: [Value; 512] = source_values(Type::new(Class::Bits, 64, 1));
static VALUES4: [Value; 512] = source_values(Type::new(Class::Bits, 128, 1));

/// What sources come to; of 16 bits, all but vector registers, which are halves.
pub const SOURCE_VALUES: Values<Value> = Values {
    by_width: [VALUES1.split_at(LITERAL as usize).0, &VALUES1, &VALUES2, &[], &VALUES4],
    literal: Some(Literal {
        code: LITERAL as u16,
        unless: 0,
        make: |value, ty| source_value(LITERAL, ty, Some(value)),
    }),
    ..Values::NONE
};
/// The same for scalar instructions, where anything up to 32 bits is a whole register.
pub const SCALAR_VALUES: Values<Value> =
    Values { by_width: [&VALUES1, &VALUES1, &VALUES2, &[], &VALUES4], ..SOURCE_VALUES };
/// What whole vector registers come to by their numbers.
pub const VGPR_VALUES: Values<Value> = Values {
    by_width: [&[], VALUES1.split_at(256).1, VALUES2.split_at(256).1, &[], VALUES4.split_at(256).1],
    ..Values::NONE
};

/// The number of 32-bit registers of a lane mask or of any other type in this wave size.
#[must_use]
pub const fn dwords_in(ty: Type, wave: crate::Wave) -> u8 {
    match (ty.class(), wave) {
        (Class::Mask, crate::Wave::W64) => 2,
        (Class::Mask, crate::Wave::W32) => 1,
        _ => ty.dwords(),
    }
}

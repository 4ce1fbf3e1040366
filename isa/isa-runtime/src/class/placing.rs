//! How an operand class places an operand in the bits of an instruction: constant data that lowering and lifting
//! interpret.

pub use isa_schema::last_digit;
use isa_schema::{CODE_EXPECTS, CODE_RULE, ConstantEncoding, alignment};

use crate::tables::Cx;
use crate::{Case, Constants, ErrorKind, Isa, Op};

/// Registers of a file that an operand can be, and their codes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RegisterPlace {
    /// The file.
    pub file: u8,
    /// The number of the first register.
    pub first: u16,
    /// The number of the last one.
    pub last: u16,
    /// The code of the first one.
    pub code: u16,
    /// How many of the number's lowest bits the code lacks: they are zero.
    pub shift: u8,
    /// Whether a register stands for an operand of any number of registers, regardless of the number of its registers.
    pub any_count: bool,
    /// Whether the registers have halves.
    pub has_halves: bool,
    /// Whether a pair begins with an even register, and more registers with a multiple of four.
    pub is_aligned: bool,
}

impl RegisterPlace {
    /// The alignment of the first of `count` registers.
    pub(crate) const fn alignment(&self, count: u8) -> u16 {
        alignment(self.shift, self.is_aligned, count)
    }
}

/// How many registers an operand has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Count {
    /// The number that the type takes. For a lane mask, these numbers by the index of the mode.
    Type(&'static [u8]),
    /// The number that the type takes, divided by these numbers by the index of the mode.
    Part(&'static [u8]),
    /// A fixed number.
    Fixed(u8),
    /// The number that [`Operand::DEPENDENT`](crate::Operand::DEPENDENT) returns.
    Dependent,
    /// The sum of other fields of the instruction. With 0 the operand is absent.
    Sum(&'static CountSum),
}

/// A number of registers that other fields decide: a base, and a number for each field that holds a code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CountSum {
    /// The base: that of the first case that holds; otherwise 0. Cases of the mode never hold.
    pub base: &'static [(Case, CountBase)],
    /// The terms that other operands and modifiers add, at most [`MOST`](Self::MOST). One that the row lacks adds nothing.
    pub terms: &'static [CountTerm],
    /// The error for another number of registers. `None`: the error names the right number.
    pub rule: Option<&'static str>,
}

impl CountSum {
    /// The most terms.
    pub const MOST: usize = 3;
}

/// The base of a [`CountSum`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CountBase {
    /// A fixed number.
    Fixed(u8),
    /// The number of registers that the operand's type takes.
    Type,
    /// The number of lanes of the operand's type.
    Lanes,
}

/// A term of a [`CountSum`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CountTerm {
    /// The name of an operand or a modifier.
    pub name: &'static str,
    /// The code by which it adds to the sum.
    pub code: u16,
    /// How many registers it adds.
    pub adds: u8,
}

/// Which constants an operand can be.
#[derive(Clone, Copy, Debug)]
pub struct ConstantPlace {
    /// The set's constants.
    pub constants: &'static Constants,
    /// The types of constants, where they differ from the operand's type.
    pub meaning: &'static [(Case, ConstantEncoding)],
}

/// A range of integers in an operand's own bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NumberPlace {
    /// The least.
    pub low: i64,
    /// The greatest. A negative number has the same code as some number above the range of a signed one.
    pub high: i64,
    /// How many of the number's lowest bits the code lacks: they are zero.
    pub shift: u8,
    /// Whether the number is signed when it is read back; `None`: as its type is.
    pub signed: Option<bool>,
    /// The error for other integers.
    pub rule: &'static str,
    /// The rows that take no negative numbers, with the error for them.
    pub unsigned: &'static [(Case, &'static str)],
}

/// A bit of a modifier that belongs to an operand, such as its sign.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BitOf {
    /// The modifier's name.
    pub modifier: &'static str,
    /// The number of the bit; [`LAST_DIGIT`](Self::LAST_DIGIT): the last digit of the role's name.
    pub bit: u8,
}

impl BitOf {
    /// Stands for the last digit of the role's name.
    pub const LAST_DIGIT: u8 = u8::MAX;

    /// The bit of a modifier.
    #[must_use]
    pub const fn new(modifier: &'static str, bit: u8) -> Self {
        BitOf { modifier, bit }
    }
}

/// Where an operand of 16 bits has the half of its register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HalfPlace {
    /// Nowhere: the operand is whole registers.
    None,
    /// In the highest bit of the register's number.
    Number,
    /// In a bit of a modifier, or in the number if the variant has no modifier of that name.
    Modifier(BitOf),
}

/// How an operand class places an operand.
#[derive(Clone, Copy, Debug)]
pub struct Placing {
    /// The registers that it can be: those of the first case that holds.
    pub registers: &'static [(Case, &'static [RegisterPlace])],
    /// How many registers it has.
    pub count: Count,
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
    pub neg: &'static [(Case, BitOf)],
    /// The bit of the absolute value.
    pub abs: &'static [(Case, BitOf)],
    /// The modifiers that hold the second and further registers of a list.
    pub list: &'static [&'static str],
    /// Of a modifier: its value where it is not stated. That of the first case that holds; otherwise 0.
    pub default: &'static [(Case, u32)],
    /// Of a modifier: whether it has no default.
    pub required: bool,
    /// Of a modifier: the flag by which the second code that selects its suffix dword replaces the first.
    pub selector_flag: Option<&'static str>,
    /// The noun phrase for errors: `a vector register`.
    pub expects: &'static str,
}

impl Placing {
    /// A code without a meaning.
    pub const CODE: Placing = Placing {
        registers: &[],
        count: Count::Type(&[]),
        constants: None,
        number: Some(NumberPlace {
            low: 0,
            high: u32::MAX as i64,
            shift: 0,
            signed: Some(false),
            rule: CODE_RULE,
            unsigned: &[],
        }),
        number_bit: None,
        off: None,
        present: None,
        half: HalfPlace::None,
        neg: &[],
        abs: &[],
        list: &[],
        default: &[],
        required: false,
        selector_flag: None,
        expects: CODE_EXPECTS,
    };
}

/// The operands that a role has in an instruction: one, or the registers of a list.
#[derive(Clone, Copy, Debug)]
pub struct OpList {
    /// The operands; those beyond the length are [`Op::NONE`].
    pub ops: [Op; OpList::MOST],
    /// How many.
    pub len: u8,
}

impl OpList {
    /// The most operands of a role.
    pub const MOST: usize = 5;

    /// One operand.
    #[must_use]
    pub const fn one(op: Op) -> Self {
        OpList { ops: [op, Op::NONE, Op::NONE, Op::NONE, Op::NONE], len: 1 }
    }

    /// The operands.
    #[must_use]
    pub fn as_slice(&self) -> &[Op] {
        self.ops.get(..usize::from(self.len)).unwrap_or(&self.ops)
    }
}

/// Checks the operands of an instruction: see [`Dependent::check`].
pub type CheckFn<I> = fn(&Cx<'_, I>, u32, &[Op]) -> Result<(), ErrorKind>;

/// The operands of a class that depend on other fields, such as the number of registers.
#[derive(Clone, Copy)]
pub struct Dependent<I: Isa> {
    /// Returns the operands that a code stands for.
    pub operands: fn(&Cx<'_, I>, u32) -> OpList,
    /// Checks operands of an instruction against the fields that they have been placed in.
    pub check: CheckFn<I>,
}

/// Compares the registers of an operand with those that the other fields of the instruction mean: the usual
/// [`Dependent::check`].
///
/// # Errors
/// The number of registers that the operand takes.
pub fn same_registers(expected: &OpList, given: &[Op]) -> Result<(), ErrorKind> {
    let wrong_count = |count: u8| ErrorKind::Registers(count, "");
    let expected = expected.as_slice();
    if expected.len() != given.len() {
        return Err(wrong_count(expected.first().and_then(|op| op.as_reg()).map_or(0, |reg| reg.count)));
    }
    for (expected, given) in expected.iter().zip(given) {
        match (expected.as_reg(), given.as_reg()) {
            (Some(wanted), Some(reg)) => {
                if wanted.number != reg.number || wanted.file != reg.file || wanted.half.is_some() != reg.half.is_some()
                {
                    return Err(ErrorKind::Encoding(None));
                }
                if reg.count != wanted.count && reg.count != 0 {
                    return Err(wrong_count(wanted.count));
                }
            }
            (None, None) => {}
            (Some(wanted), None) => return Err(wrong_count(wanted.count)),
            (None, Some(_)) => return Err(ErrorKind::Expected("`off`")),
        }
    }
    Ok(())
}

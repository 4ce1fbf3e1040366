//! The rows of all tables, stage by stage.

use core::num::NonZeroU16;

use isa_body::Type;

use crate::field::{Bound, Index, Lookup, OptionalIndex, RowTypes, Run, ToNumber};
use crate::{BitRange, Row, Rows};

/// Returns the value of a field from its number, with as few calls as possible: const evaluation of one takes microseconds.
macro_rules! from_number {
    (bool, $number:expr) => {
        $number != 0
    };
    (u8, $number:expr) => {
        $number as u8
    };
    (u16, $number:expr) => {
        $number as u16
    };
    (u32, $number:expr) => {
        $number as u32
    };
    (u64, $number:expr) => {
        $number as u64
    };
    (OptionalIndex, $number:expr) => {
        match NonZeroU16::new($number as u16) {
            Some(number) => Some(Index(number)),
            None => None,
        }
    };
    // As `BitRange::from_number`, without a call: rows are read in const evaluation, where calls cost time.
    (BitRange, $number:expr) => {
        BitRange { lo: ($number >> 8) as u8, width: $number as u8 }
    };
    (Run, $number:expr) => {
        Run { start: $number as u16, len: ($number >> 16) as u8 }
    };
    ($type:ident, $number:expr) => {
        $type::from_number($number as u32)
    };
}

/// Returns a row from its numbers.
macro_rules! row {
    ($name:ident { $($field:ident: $type:ident,)* } from $numbers:expr) => {{
        let [$($field),*] = $numbers;
        $name { $($field: from_number!($type, $field)),* }
    }};
}

/// Declares rows: their fields, and the type of the numbers.
macro_rules! rows {
    ($(
        $(#[$doc:meta])*
        $name:ident: $number:ident { $($(#[$field_doc:meta])* $field:ident: $type:ident,)* }
    )*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub struct $name {
            $($(#[$field_doc])* pub $field: $type,)*
        }

        impl Row for $name {
            const NAME: &'static str = stringify!($name);
            type Packed = [$number; [$(stringify!($field)),*].len()];

            fn pack(&self, push: &mut dyn FnMut(u64)) {
                $(push(ToNumber::to_number(self.$field));)*
            }
        }

        impl $name {
            /// The row of zeros, to fill an array that [`Rows::unpack`] overwrites.
            pub const ZERO: $name = $name { $($field: from_number!($type, 0)),* };
        }

        impl Rows<$name> {
            /// Writes the first rows to `out`. Const evaluation of this takes less time than that of a call of [`get`](Self::get) for
            /// each row.
            pub const fn unpack(self, out: &mut [$name]) {
                let (packed, mut i, count) = (self.packed, 0, out.len());
                while i < count {
                    out[i] = row!($name { $($field: $type,)* } from packed[i]);
                    i += 1;
                }
            }

            /// Returns all rows. `N` is their number.
            #[must_use]
            pub const fn table<const N: usize>(self) -> [$name; N] {
                let mut out = [$name::ZERO; N];
                self.unpack(&mut out);
                out
            }

            /// Returns the table of these numbers.
            #[must_use]
            pub const fn new(numbers: &'static [$number]) -> Self {
                let (packed, rest) = numbers.as_chunks();
                assert!(rest.is_empty(), "the last row of a table is not complete");
                Rows { packed }
            }

            /// Returns a row.
            #[must_use]
            pub const fn get(self, index: usize) -> $name {
                row!($name { $($field: $type,)* } from self.packed[index])
            }
        }
    )*};
}

// Rows of all stages.
rows! {
    /// A row as a format encodes it.
    Slot: u16 {
        /// The number in the format's opcode field.
        number: u16,
        /// The index of the opcode.
        opcode: u16,
        /// The index of its shape.
        shape: u16,
    }

    /// Everything about a row in a format but its name, its number and its only mode.
    ShapeRow: u32 {
        /// The index of the flags.
        flags: u16,
        /// The variants, in the list of variants of all shapes.
        variants: Run,
        /// The variant bit, counted from the lowest of the first dword.
        variant_bit: OptionalIndex,
        /// The suffix dword that always follows.
        always: OptionalIndex,
        /// A bit for each selector of the format: whether the field holds an operand of the row.
        selector_mask: u8,
    }

    /// A summary of a row in a format. Rules between operands read it first, since most rows cannot break a rule.
    RowSummary: u16 {
        /// The index of its flags in those of all shapes; [`UNKNOWN`](Self::UNKNOWN) for an opcode without a row.
        flags: u16,
        /// The types of its operands.
        types: RowTypes,
    }

    /// The suffix dword of a format that follows unless a code selects another one.
    DefaultSuffixDword: u16 {
        /// The suffix dword.
        suffix_dword: OptionalIndex,
        /// The selector that can select another one.
        selector: OptionalIndex,
    }

    /// An encoding variant.
    VariantRow: u32 {
        /// The index of the fixed bits.
        fixed: u16,
        /// The operands.
        operands: Run,
        /// The index of the modifiers, a [`ModifierList`].
        modifiers: u16,
    }

    /// The modifiers of encoding variants of a component.
    ModifierList: u32 {
        /// The component, counted through all formats.
        component: u8,
        /// The modifiers, in the list of all operands.
        modifiers: Run,
    }
}

// The printer and the lists of operands.
rows! {
    /// An operand of a component.
    PlacedOperand: u32 {
        /// The component, counted through all formats.
        component: u8,
        /// The operand.
        operand: Bound,
    }

    /// What the printer writes for an encoding variant.
    PrintPlanRow: u32 {
        /// The print steps up to the last one that is not a [`TrailingModifiers`].
        steps: Run,
        /// The index of the trailing modifiers.
        trailing: u16,
    }

    /// The modifiers at the end of a text.
    TrailingModifiers: u32 {
        /// The print steps.
        steps: Run,
        /// The index of all modifiers of the variant, a [`ModifierList`].
        modifiers: u16,
    }

    /// A print step: a text, and the operand after it.
    PrintStepRow: u16 {
        /// The index of the text.
        prefix: u16,
        /// The index of the operand in its variant; with [`MODIFIER`](Self::MODIFIER), that of a modifier among the modifiers; or
        /// [`NO_OPERAND`](Self::NO_OPERAND).
        bound: u8,
        /// The index of the [`PlacedOperand`].
        operand: u16,
    }

    /// A step that lists an operand of an encoding variant.
    OperandStepRow: u16 {
        /// The index of the operand in its variant.
        bound: u8,
        /// The index of the [`PlacedOperand`].
        operand: u16,
    }
}

// The fast decoder.
rows! {
    /// The opcodes of a value of the window: of the bits of the first dword that distinguish formats.
    WindowRow: u16 {
        /// The position of the first opcode.
        base: u16,
        /// The lowest bit of the first dword that indexes the opcodes.
        shift: u16,
        /// The ones of the index.
        mask: u16,
    }

    /// The checks of instructions, which rows of equal checks share.
    PatternRow: u64 {
        /// The mask of the fixed bits of the first two dwords.
        mask: u64,
        /// Their value.
        value: u64,
        /// The first lookup that is done for every instruction.
        first: Lookup,
        /// The second one.
        second: Lookup,
        /// The third one.
        third: Lookup,
        /// The index of the format.
        format: u8,
        /// The length in dwords without a selected suffix dword.
        len: u8,
        /// The length with one.
        len_with_suffix_dword: u8,
        /// The index of the [`FurtherLookups`], or 0.
        further: u8,
    }

    /// The lookups that a pattern has beyond those that are done for every instruction.
    FurtherLookups: u32 {
        /// The fourth lookup.
        first: Lookup,
        /// The fifth one.
        second: Lookup,
        /// The sixth one.
        third: Lookup,
    }
}

// The parser.
rows! {
    /// A row under one of its mnemonics.
    EntryRow: u16 {
        /// The index of the format.
        format: u8,
        /// The index of the component in the format.
        component: u8,
        /// The index of the slot.
        slot: u16,
    }

    /// An entry of a mnemonic: a row in one format and encoding variant.
    MnemonicEntry: u64 {
        /// The fixed bits of the row in the first two dwords. For a second component: the bits to add.
        low: u64,
        /// The mask of the variant bit. If a modifier sets it, the entry [`next`](Self::next) applies.
        variant_bit: u64,
        /// The mnemonic, as in [`PackedName`]; zeros if the entry is found by `next` only.
        first: u64,
        /// The second part of the mnemonic.
        second: u64,
        /// The third part of the mnemonic.
        third: u64,
        /// The suffix dword that always follows, counted from 1, or 0.
        suffix_dword: u8,
        /// The number of dwords without a suffix dword.
        dwords: u8,
        /// The index of the format.
        format: u8,
        /// Whether the row belongs to the second component of a dual-issue format.
        is_second: bool,
        /// The index of the match plan.
        plan: u16,
        /// The index of the row among the rows under their mnemonics.
        row: u16,
        /// The entry for a set variant bit or, in a dual-issue format, of the second component's row with this mnemonic.
        next: OptionalIndex,
        /// Whether the format is a dual-issue format.
        is_pair: bool,
    }

    /// The operands and modifiers of an encoding variant in the order of the text.
    MatchPlanRow: u32 {
        /// The index of the variant.
        variant: u16,
        /// The steps of the operands.
        operands: Run,
        /// The steps of the modifiers.
        modifiers: Run,
        /// The component, counted through all formats.
        component: u8,
        /// The index of the row's flags.
        flags: u16,
        /// The modes, a bit each, in which the fixed bits are those of an instruction.
        complete_modes: u8,
    }

    /// An operand or modifier of a match plan.
    MatchStepRow: u16 {
        /// The index in the variant.
        index: u8,
        /// The separator before it: 0 for none, 1 for a blank, 2 for a comma.
        separator: u8,
        /// The index of its [`StepCheckRow`].
        check: u16,
    }

    /// A carrier and the flags of a row, on which the fast syntax of an operand depends.
    StepCheckRow: u16 {
        /// The component, counted through all formats.
        component: u8,
        /// The index of the carrier.
        carrier: u8,
        /// The index of the row's flags.
        flags: u16,
    }

    /// What consecutive checks of steps share.
    StepCheckGroup: u32 {
        /// The type of the operand.
        ty: Type,
        /// The index of the codes that select suffix dwords in the field.
        selector: u16,
        /// The index of the class.
        class: u16,
        /// The index after the last check.
        end: u16,
    }
}

// Operand-level instructions.
rows! {
    /// The rows of an opcode, and its modifiers.
    OpcodeRows: u16 {
        /// The index of the first row.
        start: u16,
        /// The number of rows.
        len: u8,
        /// The bit of the opcode's group, and [`ALL_REFUSE`]: the opcode refuses an instruction with one of these bits.
        modifier_groups: u8,
    }

    /// A row in one format.
    RowPlan: u64 {
        /// The index of the format.
        format: u8,
        /// The index of the component in its format.
        component: u8,
        /// The component, counted through all formats.
        component_number: u8,
        /// The bits of the opcode in the first two dwords.
        opcode: u64,
        /// The plans by the variant bit and the suffix dword: one more than an index, or 0.
        plans: Run,
        /// The number of plans for each value of the variant bit.
        n_suffix_dwords: u8,
        /// The modifier that is the variant bit, or 255.
        variant_modifier: u8,
        /// Whether it exists in one mode only.
        is_modal: bool,
        /// The index among the component's shapes.
        shape: u16,
    }

    /// A row in one format with one suffix dword, or none.
    Plan: u64 {
        /// The fixed bits and the defaults of modifiers in the first two dwords.
        low: u64,
        /// Those in the third dword.
        third: u32,
        /// All modifiers that it has: the bits of `Inst` that hold them.
        modifiers: u64,
        /// The modifiers that must be stated.
        required: u64,
        /// The steps of its operands.
        steps: Run,
        /// The steps of its modifiers.
        modifier_steps: Run,
        /// The index of the variant.
        variant: u16,
        /// The number of operands without those that the encoding implies.
        explicit: u8,
        /// The length in dwords without a selected literal.
        len: u8,
        /// The dword of a literal that an operand selects; 0 if there can be none.
        literal: u8,
        /// The suffix dword that is this literal, counted from 1.
        literal_suffix_dword: u8,
        /// Whether an operand is a list.
        has_list: bool,
        /// Whether an operand depends on other fields.
        is_dependent: bool,
        /// The modifier that chooses the second of two codes which select the suffix dword, or 255.
        selector: u8,
        /// The lowest bit of the field with that code.
        selector_lo: u8,
        /// The bits in which the two codes differ.
        selector_difference: u16,
    }

    /// The first plan of a row in a format, as the fast path needs it.
    FastPlan: u64 {
        /// The fixed bits, the opcode, and the defaults of modifiers.
        words: u64,
        /// All modifiers that it has.
        modifiers: u64,
        /// The modifiers that the row's other plans require.
        others: u64,
        /// The steps of its operands.
        steps: Run,
        /// The steps of its modifiers.
        modifier_steps: Run,
        /// The format as `Pin` has it.
        format: u8,
        /// The suffix dword as `Pin` has it.
        suffix_dword: u8,
        /// The length in dwords without a selected literal.
        len: u8,
        /// The dword of a literal that an operand selects; 0 if there can be none.
        literal: u8,
        /// The number of operands without those that the encoding implies.
        explicit: u8,
        /// The component, counted through all formats.
        component: u8,
        /// The flags: [`IS_SECOND`](Self::IS_SECOND) and so on.
        flags: u8,
        /// The operands whose number of registers is a sum of other fields, a bit each.
        sums: u8,
    }

    /// What operands of one class in the same bits share, in one case of their registers.
    OpPlaceRow: u16 {
        /// The component of the first carrier with this class and these bits, counted through all formats.
        component: u8,
        /// The index of this carrier.
        carrier: u8,
        /// The case of the registers; their number if no case holds.
        case: u8,
    }

    /// The place of an operand.
    OpStepRow: u32 {
        /// The index of the [`OpPlaceRow`].
        place: u16,
        /// The type.
        ty: Type,
        /// The type by which constants are read.
        constant_type: Type,
        /// The most significant range of the bits.
        first: BitRange,
        /// The number of registers, unless the mode or other fields decide it.
        dwords: u8,
        /// The bit that is set if the operand's own bits hold an integer, or [`NO_BIT`].
        number_bit: u8,
        /// The bit that is set unless the operand is switched off, or [`NO_BIT`].
        present: u8,
        /// The bit that selects the half of a register, [`HALF_IN_NUMBER`](Self::HALF_IN_NUMBER) or [`NO_BIT`].
        half: u8,
        /// The bit of the sign, or [`NO_BIT`].
        neg: u8,
        /// The bit of the absolute value, or [`NO_BIT`].
        abs: u8,
        /// The index of the operand in its variant.
        bound: u8,
        /// The index among the component's carriers.
        carrier: u8,
        /// The flags: [`IS_IMPLIED`](Self::IS_IMPLIED) and so on.
        flags: u8,
    }

    /// The place of an operand on the fast path: the codes that the decoder accepts regardless of the other fields.
    FastStepRow: u16 {
        /// The index of the [`OpPlaceRow`].
        place: u16,
        /// The first group of registers, by its index in the place, or 255.
        first: u8,
        /// How many registers of it the operand has.
        first_count: u8,
        /// The greatest number of the first of them.
        first_last: u16,
        /// The bits of this number that must be 0.
        first_zeros: u8,
        /// The second group of registers, or 255.
        second: u8,
        /// How many registers of it the operand has.
        second_count: u8,
        /// The greatest number of the first of them.
        second_last: u16,
        /// The bits of this number that must be 0.
        second_zeros: u8,
        /// The code of the inline integer 0.
        integer: u16,
        /// The number of inline integers from 0 up; 0 if there are none.
        integers: u16,
        /// The code of an operand that is switched off, or [`NO_CODE`](Self::NO_CODE).
        off: u16,
        /// The lowest bit of the field.
        lo: u8,
        /// The width of the field.
        width: u8,
        /// The bit of the sign, or [`NO_BIT`].
        neg: u8,
        /// The bit of the absolute value, or [`NO_BIT`].
        abs: u8,
        /// The flags: [`IMPLIED`](Self::IMPLIED) and so on.
        flags: u8,
        /// The field holds numbers from -2^`low_bits` to -1; none if it is 0.
        low_bits: u8,
        /// The field holds numbers from 0 to 2^`high_bits` - 1; none if it is 0.
        high_bits: u8,
    }

    /// The place of a modifier.
    ModifierStepRow: u32 {
        /// The component of a carrier with its bits, counted through all formats.
        component: u8,
        /// The index of this carrier.
        carrier: u8,
        /// The index of the modifier; 255 if operands set it.
        modifier: u8,
        /// Whether it must be stated.
        is_required: bool,
        /// Whether the decoder accepts the default.
        is_default_valid: bool,
        /// Whether the decoder accepts every code.
        is_open: bool,
        /// Whether its field holds negative numbers.
        is_signed: bool,
        /// Its value where it is not stated.
        default: u32,
        /// The bits that select the halves of registers, which operands have.
        half_bits: u32,
    }

    /// How the bits of a modifier move from `Inst` to the instruction.
    FastModifier: u64 {
        /// The bits of `Inst` that hold it, or 0 if operands tell it.
        mask: u64,
        /// The bits of `mask` that are not the value's. The fast path places the modifier if they equal `presence`.
        guard: u64,
        /// The bit that says that the modifier is stated, if it has one.
        presence: u64,
        /// The difference between its default and the value 0 of `Inst`, in the bits of the field.
        flip: u64,
        /// How far left the value is rotated.
        rotation: u8,
        /// Whether the decoder accepts every code.
        is_open: bool,
    }
}

/// A mnemonic with its suffix: eight characters in each number, the first in the lowest byte, filled up with zeros.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PackedName {
    /// The first characters.
    pub first: u64,
    /// The next ones.
    pub second: u64,
    /// The last ones.
    pub third: u64,
}

impl PackedName {
    /// Hashes the mnemonic: the highest bits of three products, which the processor computes in parallel.
    #[inline(always)]
    #[must_use]
    pub const fn hash(self) -> usize {
        let a = self.first.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let b = self.second.wrapping_mul(0xC2B2_AE3D_27D4_EB4F);
        let c = self.third.wrapping_mul(0x1656_67B1_9E37_79F9);
        ((a ^ b ^ c) >> 48) as usize
    }
}

impl MnemonicEntry {
    /// Returns the mnemonic.
    #[inline(always)]
    #[must_use]
    pub const fn name(&self) -> PackedName {
        PackedName { first: self.first, second: self.second, third: self.third }
    }
}

impl OpcodeRows {
    /// No rows.
    pub const NONE: OpcodeRows = OpcodeRows { start: u16::MAX, len: 0, modifier_groups: ALL_REFUSE };

    /// Returns the rows, or what is parallel to them.
    #[inline(always)]
    #[must_use]
    pub fn of<T>(self, all: &'static [T]) -> &'static [T] {
        Run { start: self.start, len: self.len }.of(all)
    }
}

/// Declares flags of a row, a bit each.
macro_rules! flags {
    ($($row:ident { $($(#[$doc:meta])* $flag:ident,)* })*) => {$(
        impl $row {
            flags!(bits 0, $($(#[$doc])* $flag,)*);

            /// Whether it has a flag.
            #[inline(always)]
            #[must_use]
            pub const fn is(&self, flag: u8) -> bool {
                self.flags & flag != 0
            }
        }
    )*};
    (bits $bit:expr, $(#[$doc:meta])* $flag:ident, $($rest:tt)*) => {
        $(#[$doc])*
        pub const $flag: u8 = 1 << ($bit);
        flags!(bits $bit + 1, $($rest)*);
    };
    (bits $bit:expr,) => {};
}

flags! {
    FastPlan {
        /// The plan belongs to the second instruction of dual-issue pairs.
        IS_SECOND,
        /// The fast path can encode by the plan.
        IS_FAST,
        /// The decoder accepts the defaults of all modifiers.
        IS_VALID,
        /// Each of the row's other plans requires a modifier.
        OTHERS_REQUIRE_MODIFIERS,
    }
    OpStepRow {
        /// Both halves of a register receive a constant.
        BOTH_HALVES,
        /// The operand is the literal itself.
        IS_LITERAL,
        /// The operand has no bits.
        IS_IMPLIED,
        /// The operand depends on other fields.
        IS_DEPENDENT,
        /// The mode decides the number of registers.
        BY_MODE,
        /// The row takes no negative numbers.
        IS_UNSIGNED,
        /// The operand can be an inline constant or a literal.
        TAKES_CONSTANTS,
    }
    FastStepRow {
        /// The operand has no bits, and may be left out.
        IMPLIED,
        /// The decoder accepts every register that the operand can be.
        ALL_REGISTERS,
        /// The decoder accepts every code.
        OPEN,
    }
}

/// The number of no bit.
pub const NO_BIT: u8 = u8::MAX;

impl OpStepRow {
    /// The half of a register is in the highest bit of its number.
    pub const HALF_IN_NUMBER: u8 = 254;
}

impl FastPlan {
    /// Returns the index of the format.
    #[inline(always)]
    #[must_use]
    pub const fn format_index(&self) -> u8 {
        self.format.wrapping_sub(1)
    }
}

impl FastStepRow {
    /// No code.
    pub const NO_CODE: u16 = u16::MAX;
}

impl RowSummary {
    /// The flags of an opcode without a row.
    pub const UNKNOWN: u16 = u16::MAX;
}

impl PrintStepRow {
    /// The bit that distinguishes the index of a modifier from that of an operand.
    pub const MODIFIER: u8 = 0x80;
    /// The index of no operand.
    pub const NO_OPERAND: u8 = 0xFF;
}

/// The bit of `Inst::refusing_groups` that is not a group: every opcode refuses the instruction.
pub const ALL_REFUSE: u8 = 1 << 7;

/// The bit that distinguishes the index of a literal text from that of an operand, in the steps of texts.
pub const LITERAL_STEP: u16 = 0x8000;

/// The most characters of a mnemonic without a suffix.
pub const MAX_MNEMONIC_LEN: usize = 39;

/// The most characters that a print step writes before its operand.
pub const MAX_PREFIX_LEN: usize = 8;

//! The rows of all tables, stage by stage.

use core::num::NonZeroU16;

use isa_body::Type;

use crate::field::{Bound, Index, Lookup, OptionalIndex, RowTypes, Run, ToNumber};
use crate::{Row, Rows};

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
    PlanRow: u16 {
        /// The index of the [`PlaceList`].
        list: u16,
        /// The suffix dword.
        suffix_dword: OptionalIndex,
        /// Whether the suffix dword always follows.
        is_always: bool,
    }

    /// The operands and modifiers of a plan.
    PlaceList: u16 {
        /// The component, counted through all formats.
        component: u8,
        /// The index of the encoding variant.
        variant: u16,
        /// The index of the row's flags.
        flags: u16,
    }

    /// A place: the bits of an operand or a modifier, with its class.
    PlaceRow: u16 {
        /// The component of the first carrier with the place.
        component: u8,
        /// The index of this carrier.
        carrier: u8,
        /// Whether codes of the field select suffix dwords.
        is_selector: bool,
    }

    /// The place and the modifier of a carrier.
    CarrierPlace: u16 {
        /// The index of the place.
        place: u16,
        /// The modifier, or 255.
        modifier: u8,
    }

    /// The code of a field that selects a suffix dword.
    SelectingCode: u16 {
        /// The lowest bit of the field, counted from the lowest of the first dword; 255 if no field selects the suffix dword.
        lo: u8,
        /// The code.
        code: u16,
        /// The second code that selects it, or again the first.
        other: u16,
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

//! Code that all sets have, as macros that the expansion of `isa_set!` calls.
//!
//! The generator quotes only code that differs between sets: `quote!` compiles to a function call for each token.
//!
//! The macros name items that the expansion defines beside them: `__Mode` is the type of modes, `__tables` has the static tables,
//! `raw` the bitfields of formats, and `MNEMONICS` the names of opcodes.

/// Defines the enum `Instr`, its methods, and the aliases of generic types for a set. The arguments are the set, the type of modes,
/// the first mode, all modes, and the types of formats with their documentation.
#[doc(hidden)]
#[macro_export]
macro_rules! __define_instr {
    (
        $isa:ident, $mode:path, first $first:ident, [$($name:ident),*],
        { $($(#[$attr:meta])* $format:ident,)* }
    ) => {
        /// The error of dwords that are not an instruction of this set.
        pub type DecodeError = $crate::DecodeError<$isa>;
        /// An iterator that decodes bytes.
        pub type Decoder<'a> = $crate::Decoder<'a, $isa>;
        /// An item of [`Decoder`].
        pub type Decoded = $crate::Decoded<$isa>;
        /// An operand of an instruction.
        pub type OperandInfo = $crate::OperandInfo<$isa>;

        /// An instruction, with a variant for each microcode format.
        // All variants have the same layout, so that methods of all formats do not branch on the variant.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[repr(align(4))]
        pub enum Instr {
            $($(#[$attr])* $format($format),)*
        }

        /// Replaces the code of a field and decodes the result, in the first mode in which it exists.
        fn with_code(
            format: u8,
            words: [u32; $crate::MAX_DWORDS],
            field: usize,
            code: u32,
        ) -> ::core::result::Result<Instr, DecodeError> {
            let mut result = $crate::with_code::<$isa>(format, words, field, code, __Mode::$first);
            for mode in [$(__Mode::$name),*] {
                if let ::core::result::Result::Err(DecodeError::WrongMode { .. }) = result {
                    result = $crate::with_code::<$isa>(format, words, field, code, mode);
                }
            }
            result
        }

        impl Instr {
            /// Decodes the instruction at the start of `words`, and returns it with its length in dwords.
            ///
            /// # Errors
            /// The dwords are not an instruction of this set: see [`isa::DecodeError`].
            #[inline(always)]
            pub fn decode(words: &[u32], mode: $mode) -> ::core::result::Result<(Instr, usize), DecodeError> {
                $crate::decode::<$isa>(words, mode)
            }

            /// Returns the dwords. Those beyond the length are 0.
            #[inline]
            #[must_use]
            pub const fn words(&self) -> [u32; $crate::MAX_DWORDS] {
                match self { $(Instr::$format(x) => x.words(),)* }
            }

            /// Returns the index of the microcode format in [`isa::tables::Tables::formats`].
            #[inline]
            #[must_use]
            pub const fn format_index(&self) -> u8 {
                match self { $(Instr::$format(_) => $format::FORMAT,)* }
            }

            /// Returns the guide's name of the microcode format.
            #[must_use]
            pub fn format(&self) -> &'static str {
                __tables::FORMATS[self.format_index() as usize].name
            }

            /// Returns the name of the suffix dword, such as `LITERAL`, if the instruction has one.
            #[must_use]
            pub fn suffix_dword(&self) -> ::core::option::Option<&'static str> {
                let number = $crate::suffix_dword::<$isa>(self.format_index(), &self.words());
                let format = &__tables::FORMATS[self.format_index() as usize];
                format.suffix_dword(number).map(|dword| dword.name)
            }

            /// Returns the dwords of the instruction.
            #[inline]
            #[must_use]
            pub fn encode(&self) -> $crate::InstrDwords {
                $crate::InstrDwords::new(self.words(), self.len())
            }

            /// Returns the length in dwords.
            #[inline]
            #[must_use]
            #[allow(clippy::len_without_is_empty)]
            pub fn len(&self) -> usize {
                match self { $(Instr::$format(x) => x.0.len() as usize,)* }
            }

            /// Returns the flags of the instruction's row, a bit each as in [`flags`]. For a dual-issue pair, returns those
            /// of the first instruction.
            #[must_use]
            pub fn flags(&self) -> u128 {
                $crate::flags::<$isa>(self.format_index(), &self.words())
            }

            /// Returns the opcode. For a dual-issue pair, returns that of the first instruction.
            #[must_use]
            pub fn opcode(&self) -> Opcode {
                self.opcodes().0
            }

            /// Returns the opcode, and the second opcode of a dual-issue pair.
            #[must_use]
            pub fn opcodes(&self) -> (Opcode, ::core::option::Option<Opcode>) {
                let words = self.words();
                let at = |i| {
                    let index = $crate::opcode::<$isa>(self.format_index(), &words, i)?;
                    Opcode::ALL.get(usize::from(index)).copied()
                };
                (at(0).unwrap_or(Opcode::ALL[0]), at(1))
            }

            /// Returns the assembly text in a mode, for formatting.
            #[must_use]
            pub fn display(&self, mode: $mode) -> $crate::Display<$isa> {
                $crate::Display::new(self.format_index(), self.words(), self.len() as u8, mode)
            }

            /// Appends the assembly text to a buffer. This is the fastest way to print many instructions.
            #[inline]
            pub fn write(&self, mode: $mode, out: &mut $crate::Text) {
                // Numbers are passed in registers; an instruction that has just been decoded is not stored and reloaded.
                let [a, b, third] = self.words();
                let rest = $crate::__private::InstrRest::new(self.format_index(), third, self.len() as u8);
                written(a as u64 | (b as u64) << 32, rest, mode, out);
            }

            /// Returns whether the words are those that encoding and parsing write: they hold no reserved codes, and the fields
            /// that the instruction does not use hold what is usual in them.
            #[must_use]
            pub fn is_canonical(&self) -> bool {
                $crate::is_canonical::<$isa>(self.format_index(), &self.words())
            }

            /// Returns the first field that the instruction does not use and that holds something else than encoding and
            /// parsing write. `None`: they write what all such fields hold.
            #[must_use]
            pub fn unused_field(&self) -> ::core::option::Option<$crate::UnusedField> {
                $crate::unused_field::<$isa>(self.format_index(), &self.words())
            }

            /// Returns the instruction with these contents of the fields that it does not use.
            #[must_use]
            pub fn with_unused_fields(&self, fields: $crate::UnusedFields) -> Instr {
                let words = $crate::with_unused_fields::<$isa>(self.format_index(), &self.words(), fields);
                <$isa as $crate::Isa>::instr(self.format_index(), words, self.len() as u8).unwrap_or(*self)
            }

            /// Returns the operands in the order of the instruction's row, without what the text does not name, such as
            /// VCC or memory: `Instr::effects` returns all that the instruction reads and writes.
            #[inline]
            #[must_use]
            pub fn operands(&self, mode: $mode) -> $crate::Operands<$isa> {
                $crate::operands(self.format_index(), self.words(), self.len() as u8, mode)
            }
        }

        /// The printer, instantiated once instead of in every caller's crate.
        #[inline(never)]
        fn written(low: u64, rest: $crate::__private::InstrRest, mode: $mode, out: &mut $crate::Text) {
            $crate::__private::printer::write_packed::<$isa>(low, rest, mode, out);
        }

        impl ::core::fmt::Display for Instr {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                ::core::fmt::Display::fmt(&self.display(__Mode::$first), f)
            }
        }
    };
}

/// Defines the parser of a set. The arguments are the type of modes, the first mode and the set.
#[cfg(feature = "parse")]
#[doc(hidden)]
#[macro_export]
macro_rules! __define_parser {
    ($isa:ident, $mode:path, $first:ident) => {
        impl Instr {
            /// Parses one line of assembly. A mode alone selects the strict options.
            ///
            /// # Errors
            /// The text is not an instruction of this set: see [`isa::ParseError`].
            pub fn parse(
                text: &str,
                options: impl ::core::convert::Into<$crate::Options<$mode>>,
            ) -> ::core::result::Result<Instr, $crate::ParseError> {
                parsed(text, options.into())
            }
        }

        /// The parser, instantiated once in the crate of its tables instead of in every caller's crate.
        #[inline(never)]
        fn parsed(text: &str, options: $crate::Options<$mode>) -> ::core::result::Result<Instr, $crate::ParseError> {
            $crate::parse::<$isa>(text, options)
        }

        impl ::core::str::FromStr for Instr {
            type Err = $crate::ParseError;

            fn from_str(text: &str) -> ::core::result::Result<Instr, $crate::ParseError> {
                Instr::parse(text, __Mode::$first)
            }
        }
    };
}

/// Defines the conversions of a set's instructions to operand-level instructions, and what they read, write and compute. The
/// arguments are those of [`__define_parser`].
#[cfg(feature = "inst")]
#[doc(hidden)]
#[macro_export]
macro_rules! __define_inst {
    ($isa:ident, $mode:path, $first:ident) => {
        /// The operand-level form of an instruction.
        pub type Inst = $crate::Inst<$isa>;

        impl Instr {
            /// Lifts the instruction to its operand-level form, which keeps the encoding: `shortest()` frees it.
            ///
            /// Registers whose number is a matter of the mode, such as lane masks, have the count 0:
            /// [`to_inst_in`](Self::to_inst_in) tells it.
            #[must_use]
            pub fn to_inst(&self) -> Inst {
                lifted(self, __Mode::$first, true)
            }

            /// Lifts the instruction to its operand-level form as [`to_inst`](Self::to_inst) does, for one mode.
            #[must_use]
            pub fn to_inst_in(&self, mode: $mode) -> Inst {
                lifted(self, mode, false)
            }

            /// Returns what the instruction reads and writes: its operands, state of the wave, and memory.
            #[must_use]
            pub fn effects(&self, mode: $mode) -> $crate::Effects<$isa> {
                $crate::effects(self.format_index(), self.words(), self.len() as u8, mode)
            }

            /// Returns what a component of the instruction computes: 0, or 1 for the second instruction of a dual-issue
            /// pair.
            #[must_use]
            pub fn semantics(&self, component: u8) -> ::core::option::Option<$crate::Semantics> {
                $crate::semantics::<$isa>(self.format_index(), &self.words(), component)
            }
        }

        /// The inverse of encoding, instantiated once in the crate of its tables.
        #[inline(never)]
        fn lifted(instr: &Instr, mode: $mode, is_open: bool) -> Inst {
            let len = instr.len() as u8;
            let inst = if is_open {
                $crate::inst::lift_open::<$isa>(instr, len, mode)
            } else {
                $crate::inst::lift::<$isa>(instr, len, mode)
            };
            inst.unwrap_or_else(|_| Inst::unencodable(instr.opcode()))
        }
    };
}

/// Defines the struct of a format. `$bits` is the method of `PackedDwords` that returns its dwords without a suffix dword: `low32`
/// or `low64`.
#[doc(hidden)]
#[macro_export]
macro_rules! __define_format {
    ($(#[$attr:meta])* $name:ident, $id:literal, $text:literal, $bits:ident) => {
        $(#[$attr])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash)]
        pub struct $name($crate::__private::PackedDwords);

        impl $name {
            #[doc = concat!("The index of ", $text, " in [`isa::tables::Tables::formats`].")]
            pub const FORMAT: u8 = $id;

            /// Returns the dwords. Those beyond the length are 0.
            #[inline]
            #[must_use]
            pub const fn words(self) -> [u32; $crate::MAX_DWORDS] {
                self.0.dwords()
            }

            #[doc = concat!("Returns the dwords without a suffix dword as a bitfield of ", $text, ".")]
            #[inline]
            #[must_use]
            pub const fn raw(self) -> raw::$name {
                raw::$name::from_bits(self.0.$bits())
            }

            /// Returns the opcode.
            #[must_use]
            pub fn opcode(self) -> Opcode {
                Instr::$name(self).opcode()
            }
        }

        impl ::core::fmt::Debug for $name {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                ::core::write!(f, "{}({})", $text, Instr::$name(*self))
            }
        }

        impl ::core::convert::From<$name> for Instr {
            fn from(x: $name) -> Instr {
                Instr::$name(x)
            }
        }
    };
}

/// Defines the methods of the enum `Opcode` that all sets have.
#[doc(hidden)]
#[macro_export]
macro_rules! __define_opcode_methods {
    () => {
        // If it were derived, it would be a match on every name, whose borrow checking takes a quarter of a second.
        impl ::core::fmt::Debug for Opcode {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.write_str(self.name())
            }
        }

        impl Opcode {
            /// Returns the mnemonic in the guide's spelling.
            #[must_use]
            pub fn name(self) -> &'static str {
                MNEMONICS[self as usize]
            }
        }

        impl ::core::fmt::Display for Opcode {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.pad(self.name())
            }
        }
    };
}

/// Defines the methods of the enum `Opcode` that return facts about its rows.
#[cfg(feature = "inst")]
#[doc(hidden)]
#[macro_export]
macro_rules! __define_opcode_facts {
    ($isa:ident, $mode:path) => {
        impl Opcode {
            /// Returns what the body of the row reads and writes besides the operands.
            #[must_use]
            pub fn effects(self) -> $crate::BodyEffects {
                __tables::inst::BODIES.effects(self as u16)
            }

            /// Returns how closely the body describes what the instruction does, `None` if it has none.
            #[must_use]
            pub fn fidelity(self) -> ::core::option::Option<$crate::body::Fidelity> {
                __tables::inst::BODIES.fidelity(self as u16)
            }

            /// Returns what a source states that contradicts the body, `None` if none does.
            #[must_use]
            pub fn dispute(self) -> ::core::option::Option<&'static str> {
                __tables::inst::BODIES.dispute(self as u16)
            }

            /// Writes the body in the row language.
            ///
            /// # Errors
            /// Those of `out`.
            pub fn write_body(self, out: &mut dyn ::core::fmt::Write) -> ::core::fmt::Result {
                match self.body() {
                    ::core::option::Option::Some(body) => {
                        $crate::body::write_body(body, __tables::inst::BODIES.roles(self as u16), out)
                    }
                    ::core::option::Option::None => ::core::result::Result::Ok(()),
                }
            }

            /// Returns the operations of the row's body, `None` if it has none.
            #[must_use]
            pub fn body(self) -> ::core::option::Option<$crate::body::Ops<'static>> {
                __tables::inst::BODIES.body(self as u16)
            }

            /// Returns whether the instruction is a branch whose target does not depend on the program counter.
            #[doc(alias = "isIndirectBranch")]
            #[must_use]
            pub fn is_indirect_branch(self) -> bool {
                self.is_branch() && self.effects().jumps_indirectly()
            }

            /// Returns whether the instruction branches and keeps the address of the next one.
            #[doc(alias = "isCall")]
            #[must_use]
            pub fn is_call(self) -> bool {
                self.effects().saves_pc()
            }

            /// Returns whether the instruction waits for the other waves of the work-group.
            #[must_use]
            pub fn is_barrier(self) -> bool {
                self.effects().is_barrier()
            }

            /// Returns whether the first two sources can be exchanged.
            #[doc(alias = "isCommutable")]
            #[must_use]
            pub fn is_commutative(self) -> bool {
                self.commuted() == ::core::option::Option::Some(self)
            }

            /// Returns the opcode that always has a literal in place of a source, which is given by its index among the
            /// operands.
            #[must_use]
            pub fn with_literal(self, operand: usize) -> ::core::option::Option<Opcode> {
                $crate::facts::related_at::<$isa>(self, $crate::body::Relation::WithLiteral, operand)
            }

            /// Returns the opcode that has a field for a constant in place of a source, which is given by its index among
            /// the operands.
            #[must_use]
            pub fn with_constant(self, operand: usize) -> ::core::option::Option<Opcode> {
                $crate::facts::related_at::<$isa>(self, $crate::body::Relation::WithConstant, operand)
            }

            /// Returns the operands in the order of the row: their roles, types and accesses.
            pub fn operands(self) -> impl ::core::iter::Iterator<Item = &'static $crate::RowOperand> {
                $crate::facts::operands::<$isa>(self)
            }

            /// Returns what the instruction computes, if it is one operator on two operands: an addition, a comparison, a
            /// shift. [`ALL`](Self::ALL) searched for an operation yields the opcodes that compute it.
            #[must_use]
            pub fn operation(self) -> ::core::option::Option<$crate::facts::Operation> {
                $crate::facts::operation::<$isa>(self)
            }

            /// Returns the registers that an operand can be, by its index among the operands. `None` if there is no such
            /// operand.
            #[must_use]
            pub fn register_class(self, operand: usize, mode: $mode) -> ::core::option::Option<$crate::inst::plan::RegisterClass> {
                $crate::facts::register_class::<$isa>(self, operand, mode)
            }

            /// Returns the encodings, in the order in which the parser tries them.
            pub fn encodings(self) -> impl ::core::iter::Iterator<Item = $crate::facts::Encoding<$isa>> {
                $crate::facts::encodings::<$isa>(self)
            }

            /// Returns whether the instruction can be the first and the second one of a dual-issue pair.
            #[must_use]
            pub fn dual_components(self) -> [bool; 2] {
                $crate::facts::dual_components::<$isa>(self)
            }
        }

        $crate::__define_opcode_facts! {
            @predicates $isa
            is_branch "isBranch" "may continue elsewhere than at the next one and does not come back"
            is_conditional_branch "isConditionalBranch" "is a branch that may also continue at the next one"
            is_terminator "isTerminator" "can only be the last one of a basic block: it branches, or ends the program"
            falls_through "canFallThrough" "may be followed by the next one, also after a call"
            may_load "mayLoad" "may read memory"
            may_store "mayStore" "may write memory"
            has_side_effects "hasUnmodeledSideEffects" "does something besides writing operands and memory and branching"
            is_convergent "isConvergent" "depends on other lanes or waves. DPP controls make any instruction convergent"
            is_rematerializable "isReMaterializable" "writes one operand that depends on the sources alone"
        }

        $crate::__define_opcode_facts! {
            @relations $isa
            commuted Commuted "that computes the same with the first two sources exchanged, perhaps the opcode itself. \
                Which of two NaNs a result is does not count"
            inverse Inverse "with the opposite condition: of a comparison or a conditional branch"
            two_address TwoAddress "that computes the same with the destination as its last source"
            three_address ThreeAddress "that has its own source where this one reads the destination"
            without_literal WithoutLiteral "that has any source where this one always has a literal"
            without_constant WithoutConstant "that has any source where this one has a field for a constant"
        }
    };
    (@predicates $isa:ident $($name:ident $alias:literal $text:literal)*) => {
        impl Opcode {
            $(
                #[doc = concat!("Returns whether the instruction ", $text, ".")]
                #[doc(alias = $alias)]
                #[must_use]
                pub fn $name(self) -> bool {
                    $crate::facts::$name::<$isa>(self)
                }
            )*
        }
    };
    (@relations $isa:ident $($name:ident $relation:ident $text:literal)*) => {
        impl Opcode {
            $(
                #[doc = concat!("Returns the opcode ", $text, ".")]
                #[must_use]
                pub fn $name(self) -> ::core::option::Option<Opcode> {
                    $crate::facts::related::<$isa>(self, $crate::body::Relation::$relation)
                }
            )*
        }
    };
}

/// Defines the methods of [`Isa`](crate::Isa) that return tables and nothing else.
#[doc(hidden)]
#[macro_export]
macro_rules! __define_table_methods {
    ($isa:ident) => {
        #[inline(always)]
        fn opcode_index(opcode: Opcode) -> u16 {
            opcode as u16
        }

        #[inline]
        fn opcode_at(index: u16) -> ::core::option::Option<Opcode> {
            Opcode::ALL.get(usize::from(index)).copied()
        }

        #[inline(always)]
        fn tables() -> &'static $crate::tables::Tables<Self> {
            static TABLES: $crate::tables::Tables<$isa> = $crate::tables::Tables {
                formats: &__tables::FORMATS,
                window: __tables::WINDOW,
                candidates: &__tables::CANDIDATES,
                candidate_lists: __tables::LISTS,
                variants: &__tables::ENCODING_VARIANTS,
                bounds: &__tables::BOUNDS,
                distinct_bounds: &__tables::DISTINCT_BOUNDS,
                variants_of_shapes: &__tables::VARIANTS_OF_SHAPES,
                flags_of_shapes: &__tables::FLAGS_OF_SHAPES,
                fixed: &__tables::FIXED,
                usages: __tables::USAGES,
                printing: &__tables::PRINTING,
                operand_tables: &__tables::OPERAND_TABLES,
                labels: &__tables::LABELS,
                mnemonics: &MNEMONICS,
                docs: &__tables::DOCS,
            };
            &TABLES
        }
    };
}

/// Defines the summaries of rows in [`Isa`](crate::Isa), which legality rules read.
#[doc(hidden)]
#[macro_export]
macro_rules! __define_summary_methods {
    () => {
        #[inline(always)]
        fn summaries() -> &'static [$crate::__private::summaries::FormatSummary] {
            &__tables::rules::SUMMARIES
        }
    };
}

/// Defines the tables of the parser in [`Isa`](crate::Isa).
#[cfg(feature = "parse")]
#[doc(hidden)]
#[macro_export]
macro_rules! __define_parser_methods {
    ($isa:ident) => {
        #[inline(always)]
        fn parser_tables() -> &'static $crate::tables::ParserTables<Self> {
            static PARSER: $crate::tables::ParserTables<$isa> = $crate::tables::ParserTables {
                reading: &__tables::parser::READING,
                entries: &__tables::parser::ENTRIES,
            };
            &PARSER
        }
    };
}

/// Defines the tables and the methods of [`Isa`](crate::Isa) for operand-level instructions.
#[cfg(feature = "inst")]
#[doc(hidden)]
#[macro_export]
macro_rules! __define_inst_methods {
    ($isa:ident) => {
        #[inline(always)]
        fn inst_tables() -> &'static $crate::tables::InstTables<Self> {
            static INST: $crate::tables::InstTables<$isa> = $crate::tables::InstTables {
                modifiers: __tables::inst::ALL_MODIFIERS_OF_SET,
                lowering: &__tables::inst::LOWERING,
                bodies: &__tables::inst::BODIES,
                relations: __tables::inst::RELATIONS,
            };
            &INST
        }

        #[inline(never)]
        fn encode_inst(
            inst: &$crate::Inst<Self>,
            mode: Self::Mode,
            checked: bool,
        ) -> ::core::result::Result<Instr, $crate::EncodeError> {
            $crate::__private::lowering::encode_by_plans(inst, mode, checked)
        }

        #[inline(never)]
        fn encode_inst_fast(inst: &$crate::Inst<Self>, mode: Self::Mode) -> $crate::__private::EncodedInstr {
            $crate::__private::lowering::encode_by_fast_plans(inst, mode)
        }
    };
}

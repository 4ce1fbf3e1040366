//! The parser as operand classes see it.

use crate::parse::error::error_here;
use crate::tables::{Carrier, Cx, EncodingVariant, FieldBits, Format, Isa, MAX_DWORDS, Shape, Step};
use crate::{Deferred, DeferredField, ErrorKind, Extent, ParseError, Scanner, Symbolic, Symbols, Type};

const WIDE_INTEGER: &str = "the number has more than 64 bits";

/// The parser as operand classes see it: the text, and the instruction so far.
pub struct Asm<'a, 's, I: Isa> {
    /// The text.
    pub input: &'a mut Scanner<'s>,
    /// The dwords so far.
    pub words: &'a mut [u32; MAX_DWORDS],
    /// The mode in which it is read.
    pub mode: I::Mode,
    /// The operand's type from the row.
    pub ty: Type,
    /// The role or modifier name.
    pub name: &'static str,
    /// The suffix dword of the encoding variant, as an index plus one, or 0.
    pub suffix_dword: u8,
    /// The format.
    pub format: &'static Format<I>,
    /// The shape of the row.
    pub shape: &'static Shape<I>,
    /// The encoding variant.
    pub variant: &'static EncodingVariant,
    /// Whether this is the second call for a [deferred](crate::Operand::DEFERRED) operand: all fields hold their codes.
    pub is_second_pass: bool,
    /// The component of the format, as [`Cx`] has it.
    pub(crate) component: u8,
    /// The operands and modifiers seen, a bit each.
    pub(crate) seen: u32,
    /// The suffix dword, once an operand has set it.
    pub(crate) suffix_dword_value: &'a mut Option<u32>,
    /// The symbols that operands may name.
    pub(crate) symbols: Option<&'a dyn Symbols>,
    /// The value that the caller has to fill in, once an operand has left one open.
    pub(crate) deferred: &'a mut Option<Deferred>,
    /// Whether the text omits the implied operands.
    pub leaves_out_implied: bool,
    /// Whether an operand states the bits of its field as a number, so that they need not be canonical.
    pub(crate) states_bits: &'a mut bool,
    /// The position of the operand.
    pub(crate) start: usize,
    /// The steps of the template.
    pub(crate) text: &'static [Step],
}

impl<I: Isa> Asm<'_, '_, I> {
    /// Returns whether the row has one of these flags.
    #[must_use]
    pub fn has(&self, flags: u128) -> bool {
        self.shape.flags() & flags != 0
    }

    /// Returns the value of a field by the guide's name, or 0 if the format has no such field.
    #[must_use]
    pub fn field(&self, name: &str) -> u32 {
        self.format.fields.iter().find(|f| f.name == name).map_or(0, |f| f.bits.get(self.words))
    }

    /// Replaces the value of a field by the guide's name, if the format has such a field.
    pub fn set_field(&mut self, name: &str, value: u32) {
        let here =
            |f: &&crate::tables::Field| f.name == name && (f.suffix_dword == 0 || f.suffix_dword == self.suffix_dword);
        if let Some(field) = self.format.fields.iter().find(here) {
            field.bits.set(self.words, value);
        }
    }

    /// Returns the carriers of the operands and modifiers of the variant.
    fn carriers(&self) -> impl Iterator<Item = &'static Carrier<I>> + use<I> {
        let variant = self.variant;
        let component = self.format.component(self.component).into_iter();
        component.flat_map(|component| variant.carriers(component)).map(|(_, carrier)| carrier)
    }

    /// Returns the bits of an operand or a modifier of the variant.
    fn bits_of(&self, name: &str) -> Option<&'static FieldBits> {
        self.carriers().find(|carrier| carrier.name == name).map(|carrier| &carrier.bits)
    }

    /// Returns whether the variant has a modifier of this name.
    #[must_use]
    pub fn has_modifier(&self, name: &str) -> bool {
        self.bits_of(name).is_some()
    }

    /// Sets a bit of a modifier. Returns `false` if the variant has none of this name.
    pub fn set_modifier_bit(&mut self, name: &str, bit: u8) -> bool {
        let found = self.bits_of(name);
        if let Some(bits) = found {
            bits.set(self.words, bits.get(self.words) | 1 << bit);
        }
        found.is_some()
    }

    /// Returns the highest code that the operand's field holds.
    #[must_use]
    pub fn highest_code(&self) -> u32 {
        let width = self.bits_of(self.name).map_or(32, FieldBits::width);
        u32::MAX.checked_shr(32 - width.min(32)).unwrap_or(0)
    }

    /// Returns the name of the variant's suffix dword.
    #[must_use]
    pub fn suffix_dword_name(&self) -> Option<&'static str> {
        self.format.suffix_dword(self.suffix_dword).map(|dword| dword.name)
    }

    /// Sets the suffix dword.
    ///
    /// # Errors
    /// `conflict`, at the operand, if another operand has set a different one or the variant has another suffix dword.
    pub fn set_suffix_dword(&mut self, value: u32, conflict: &'static str) -> Result<(), ParseError> {
        let taken = self.deferred.is_some() || self.suffix_dword_value.is_some_and(|w| w != value);
        if self.in_suffix_dword() || taken {
            return Err(self.rule_at(self.start, conflict));
        }
        *self.suffix_dword_value = Some(value);
        if let Some(word) = self.words.get_mut(usize::from(self.format.dwords)) {
            *word = value;
        }
        Ok(())
    }

    /// Returns whether the suffix dword has its own fields, such as the DPP controls.
    fn in_suffix_dword(&self) -> bool {
        let own = |c: &Carrier<I>| self.format.fields.get(usize::from(c.field)).is_some_and(|f| f.suffix_dword != 0);
        self.suffix_dword != 0 && self.shape.always != self.suffix_dword && self.carriers().any(own)
    }

    /// Accepts bits that no other text of the operand has: the operand states them as a number. Without it, an instruction
    /// that is not canonical is refused.
    pub const fn state_bits(&mut self) {
        *self.states_bits = true;
    }

    /// Returns whether the text has this modifier. All modifiers are known if [`is_second_pass`](Self::is_second_pass) is set.
    #[must_use]
    pub fn is_written(&self, name: &str) -> bool {
        self.carriers().position(|carrier| carrier.name == name).is_some_and(|at| self.seen >> at & 1 == 1)
    }

    /// Returns the instruction so far.
    #[must_use]
    pub const fn cx(&self) -> Cx<'_, I> {
        Cx {
            words: self.words,
            mode: self.mode,
            ty: self.ty,
            name: self.name,
            suffix_dword: self.suffix_dword,
            format: self.format,
            component: self.component,
            shape: self.shape,
            variant: self.variant,
        }
    }

    /// Returns an error at the next word or character. A number of more than 64 bits is a separate error.
    pub fn expected(&mut self, what: &'static str) -> ParseError {
        if self.input.is_wide_integer() {
            self.rule(WIDE_INTEGER)
        } else {
            error_here(self.input, ErrorKind::Expected(what))
        }
    }

    /// Returns an error at the next word, which is none of `names`, with a similar name. A number is as in
    /// [`expected`](Self::expected).
    pub fn unknown_name(&mut self, what: &'static str, names: impl IntoIterator<Item = &'static str>) -> ParseError {
        if self.input.is_wide_integer() {
            return self.rule(WIDE_INTEGER);
        }
        let near = crate::nearest(names, self.input.peek_word());
        error_here(self.input, ErrorKind::Name(what, near))
    }

    /// Returns an error for a wrong number of registers. `why` ends the sentence.
    pub fn registers(&mut self, count: u8, why: &'static str) -> ParseError {
        error_here(self.input, ErrorKind::Registers(count, why))
    }

    /// Consumes a text; `what` is the error if something else comes next.
    ///
    /// # Errors
    /// The text does not come next.
    pub fn expect(&mut self, text: &str, what: &'static str) -> Result<(), ParseError> {
        if self.input.eat(text) { Ok(()) } else { Err(self.expected(what)) }
    }

    /// Returns the error for a broken rule at a position.
    pub fn rule_at(&mut self, start: usize, rule: &'static str) -> ParseError {
        self.input.go(start);
        self.rule(rule)
    }

    /// Returns the error for a broken rule at the next word or character.
    pub fn rule(&mut self, rule: &'static str) -> ParseError {
        error_here(self.input, ErrorKind::Rule(rule))
    }

    /// Parses the next expression if it names symbols. Otherwise returns `None` and consumes nothing.
    pub fn symbolic(&mut self, extent: Extent) -> Option<Symbolic> {
        let symbols = self.symbols?;
        let start = self.input.at();
        let resolved = symbols.resolve(self.input.rest(), extent)?;
        let end = start + resolved.length;
        self.input.go(end);
        Some(Symbolic { start, end, value: resolved.value })
    }

    /// Returns whether the line may name symbols.
    #[must_use]
    pub const fn has_symbols(&self) -> bool {
        self.symbols.is_some()
    }

    /// Defers the suffix dword to the value of an expression.
    ///
    /// # Errors
    /// `conflict`, at the operand, if another operand needs that dword.
    pub fn defer_literal(&mut self, symbolic: Symbolic, conflict: &'static str) -> Result<(), ParseError> {
        let deferred = Self::deferring(symbolic, DeferredField::Literal);
        if *self.deferred == Some(deferred) {
            return Ok(());
        }
        if self.suffix_dword_value.is_some() {
            return Err(self.rule_at(self.start, conflict));
        }
        self.set_suffix_dword(0, conflict)?;
        *self.deferred = Some(deferred);
        Ok(())
    }

    /// Defers the distance of a branch to the value of an expression.
    pub fn defer_branch(&mut self, symbolic: Symbolic) {
        *self.deferred = Some(Self::deferring(symbolic, DeferredField::Branch));
    }

    const fn deferring(symbolic: Symbolic, field: DeferredField) -> Deferred {
        Deferred { start: symbolic.start, end: symbolic.end, field }
    }
}

/// See [`Operand::parse`](crate::Operand::parse).
pub type ParseFn<I> = fn(&mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError>;
/// See [`Operand::DEFAULT_CODE`](crate::Operand::DEFAULT_CODE).
pub type DefaultCodeFn<I> = fn(&mut Asm<'_, '_, I>) -> Option<u32>;

/// The parser of an operand class.
#[derive(Clone, Copy, Debug)]
pub struct Reader<I: Isa> {
    /// Parses the operand.
    pub parse: ParseFn<I>,
    /// Whether the operand is parsed again when the line has been read.
    pub is_deferred: bool,
    /// Returns the code of an operand that text omits.
    pub default: Option<DefaultCodeFn<I>>,
    /// The text that sets a modifier without text, for errors; see [`Operand::STATED_BY`](crate::Operand::STATED_BY).
    pub stated_by: &'static str,
}

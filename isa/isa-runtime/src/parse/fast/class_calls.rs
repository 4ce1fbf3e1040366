//! Calls of operand classes, for text that the fast syntax does not cover.

use isa_schema::MnemonicEntry;

use crate::dwords::Bits96;
use crate::parse::match_plan::MatchPlan;
use crate::parse::{Row, bound};
use crate::tables::Isa;
use crate::{Asm, Scanner};

use super::LineParser;
use super::state::{NEEDS_DECODE, ParseState};

/// A call of an operand class.
pub(super) enum ClassCall {
    /// Parses the text.
    Parse,
    /// Parses the text of a deferred operand again.
    ParseAgain,
    /// Returns the default of an omitted modifier.
    Default,
}

impl<I: Isa, const MORE: bool> LineParser<'_, I, MORE> {
    /// Lets the class of an operand parse it. Returns `None` if the text is something else.
    #[inline(never)]
    pub(super) fn parse_by_class(
        &mut self,
        entry: &MnemonicEntry,
        plan: &MatchPlan,
        index: u8,
        state: ParseState,
    ) -> Option<ParseState> {
        let (is_found, state) = self.call_class(entry, plan, index, ClassCall::Parse, state)?;
        is_found.then_some(state)
    }

    /// Parses the deferred operands again, and gives omitted modifiers their defaults. `which` has a bit for each.
    #[inline(never)]
    pub(super) fn finish(
        &mut self,
        entry: &MnemonicEntry,
        plan: &MatchPlan,
        which: u32,
        begin: ParseState,
    ) -> Option<ParseState> {
        let marks = begin.marks() | plan.ordered;
        let (mut rest, mut state) = (which, ParseState::new(begin.at(), begin.low, marks));
        while rest != 0 {
            let index = rest.trailing_zeros() as u8;
            rest &= rest - 1;
            if state.seen() >> index & 1 == 1 {
                let begin = *self.deferred.get(usize::from(index))? as usize;
                state = self.call_class(entry, plan, index, ClassCall::ParseAgain, state.moved_to(begin))?.1;
            } else {
                state = self.call_class(entry, plan, index, ClassCall::Default, state)?.1;
            }
        }
        Some(state.moved_to(begin.at()))
    }

    /// Calls the class of an operand or a modifier. Returns whether it found a code, and `None` for an error.
    pub(super) fn call_class(
        &mut self,
        entry: &MnemonicEntry,
        plan: &MatchPlan,
        index: u8,
        call: ClassCall,
        state: ParseState,
    ) -> Option<(bool, ParseState)> {
        let named = I::parser_tables().entries.get(usize::from(entry.row))?;
        let row = Row::<I>::new(named)?;
        let variant = I::tables().variants.get(usize::from(plan.variant))?;
        let (bound, carrier, reader) = bound(&row, variant, index)?;
        let mut input = Scanner::new(self.line_at(state.at()));
        input.go(state.at());
        let mut words = Bits96 { low: state.low, third: self.third }.dwords();
        let (mut deferred, mut states_bits) = (None, false);
        let mut asm = Asm {
            input: &mut input,
            words: &mut words,
            mode: self.mode,
            ty: bound.ty,
            name: carrier.name,
            suffix_dword: entry.suffix_dword,
            format: row.format,
            shape: row.shape,
            variant,
            is_second_pass: !matches!(call, ClassCall::Parse),
            component: named.component,
            seen: state.seen(),
            suffix_dword_value: &mut self.literal,
            // The slow path parses lines with symbols, lines without implied operands, and non-canonical instructions.
            symbols: None,
            deferred: &mut deferred,
            leaves_out_implied: false,
            states_bits: &mut states_bits,
            start: state.at(),
            text: I::parser_tables().reading.text(usize::from(plan.variant)),
        };
        let code = match call {
            ClassCall::Default => reader.default.and_then(|default| default(&mut asm)),
            ClassCall::Parse | ClassCall::ParseAgain => (reader.parse)(&mut asm).ok()?,
        };
        if let Some(code) = code {
            carrier.bits.set(&mut words, code);
        }
        let Bits96 { low, third } = Bits96::new(words);
        self.third = third;
        let marks = state.marks() | NEEDS_DECODE | u32::from(code.is_some()) << (index & 31);
        Some((code.is_some(), ParseState::new(input.at(), low, marks)))
    }
}

//! Reading operands that belong to a class.

use super::expression::in_range;
use super::signs::{SignPlace, Signs};
use super::{Class, ConstantEncoding, Fit, Half, RunKind, Space, Syntax};
use crate::class::placing::{BitOf, HalfPlace, last_digit};
use crate::constants::literal_bits;
use crate::error::{HALF_OUT_OF_REACH, MISALIGNED, NO_HALF};
use crate::parse::scan::is_in_word;
use crate::parse::swar::numbered;
use crate::tables::{Cx, Isa};
use crate::{Asm, Constant, ParseError, Reg, Type, ValidCodes};

/// Consecutive registers in text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Span {
    /// The code of the first in the code space.
    pub code: u32,
    /// The index of their run in the space.
    pub run: u8,
    /// How many registers; 0 if their name says nothing about it.
    pub count: u8,
    /// Which half is meant, if one is: whether it is the upper one.
    pub half: Option<bool>,
}

/// The error for a register without a half beside registers with halves.
const HALVES: &str = "write all registers of 16-bit operands with a half (`.l`, `.h`), or none";

/// The bit of a register's number that chooses the half, of a class that has none itself.
const NUMBER_BIT: u8 = 7;

/// Returns whether the registers of 16-bit operands are written with their halves in this line. Nothing else has a point
/// before these letters.
#[must_use]
pub fn names_halves<I: Isa>(asm: &Asm<'_, '_, I>) -> bool {
    let text = asm.input.text();
    text.contains(".l") || text.contains(".h")
}

/// No signs, of an operand that takes none.
const UNSIGNED: Signs = Signs::none(SignPlace::None);

/// Returns the literal for a constant of a type. If the text asks for a literal, an integer can state all 32 bits of that of a
/// narrower operand.
fn bits_of_literal(constant: Constant, is_forced: bool, ty: Type) -> Option<u32> {
    let all_bits = || match constant {
        Constant::Integer(n) if is_forced => u32::try_from(n).ok(),
        _ => None,
    };
    literal_bits(constant, ty).map(|(bits, _)| bits).or_else(all_bits)
}

impl<F: Copy> Space<F> {
    /// Reads registers: `v5`, `v[5:6]`, `v5.l`, `vcc_lo`, `[s4,s5]`. Returns `None`, and takes nothing, if something else
    /// comes next.
    ///
    /// # Errors
    /// A number that no register of the file has, a range that goes down, a list with gaps.
    pub fn registers<I: Isa, S: Syntax>(&self, asm: &mut Asm<'_, '_, I>) -> Result<Option<Span>, ParseError> {
        let start = asm.input.at();
        if let Some((span, length)) = self.plain(asm.input.bytes()) {
            asm.input.go(start + length);
            return Ok(Some(span));
        }
        if asm.input.eat("[") {
            let list = self.list::<I, S>(asm)?;
            if list.is_none() {
                asm.input.go(start);
            }
            return Ok(list);
        }
        self.span::<I, S>(asm)
    }

    /// Returns registers with numbers in their usual form, `v5` or `s[4:5]`, and how many bytes they take. Returns
    /// `None` for everything else and everything wrong, which [`registers`](Self::registers) looks at.
    fn plain(&self, text: &[u8]) -> Option<(Span, usize)> {
        let letter = text.first();
        for (nth, run) in self.runs.iter().enumerate() {
            let RunKind::Numbered { prefix, .. } = run.kind else { continue };
            if prefix.as_bytes().first() == letter && (prefix.len() == 1 || text.starts_with(prefix.as_bytes())) {
                let (first, count, length) = numbered(text.get(prefix.len()..)?, (run.count - 1) as u8)?;
                let code = u32::from(run.first) + u32::from(first);
                return Some((Span { code, run: nth as u8, count, half: None }, prefix.len() + length));
            }
        }
        None
    }

    /// Returns whether a code is that of a register.
    #[must_use]
    pub fn is_register(&self, code: u32) -> bool {
        self.run(code).is_some_and(|run| matches!(run.kind, RunKind::Numbered { .. } | RunKind::Names { .. }))
    }

    /// Returns whether text begins with a register, a list of registers or a register that no file has, such as `v256`.
    #[must_use]
    pub fn begins_register(&self, text: &str) -> bool {
        let length = text.bytes().position(|b| !is_in_word(b)).unwrap_or(text.len());
        let Some((name, rest)) = text.split_at_checked(length) else { return false };
        let is_range = || rest.trim_start_matches([' ', '\t']).starts_with('[');
        let begins = |run: &super::CodeRun<F>| match run.kind {
            RunKind::Names { each, all, also, .. } => {
                !name.is_empty() && (each.contains(&name) || name == all || also.contains(&name))
            }
            RunKind::Numbered { prefix, .. } => name.strip_prefix(prefix).is_some_and(|number| {
                let digits = number.trim_end_matches(".l").trim_end_matches(".h");
                if digits.is_empty() { is_range() } else { digits.bytes().all(|b| b.is_ascii_digit()) }
            }),
            RunKind::Integers(..) | RunKind::Floats(_) | RunKind::Literal => false,
        };
        text.starts_with('[') || self.runs.iter().any(begins)
    }

    /// Reads registers, but no list of them.
    fn span<I: Isa, S: Syntax>(&self, asm: &mut Asm<'_, '_, I>) -> Result<Option<Span>, ParseError> {
        let start = asm.input.at();
        let word = asm.input.peek_word();
        if word.is_empty() {
            return Ok(None);
        }
        for (nth, run) in self.runs.iter().enumerate() {
            let (nth, base) = (nth as u8, u32::from(run.first));
            match run.kind {
                RunKind::Names { each, all, also, .. } => {
                    let found = match each.iter().position(|name| *name == word) {
                        Some(at) => Some((at as u32, if run.fit == Fit::Run { 1 } else { 0 })),
                        None if !all.is_empty() && all == word => Some((0, each.len() as u8)),
                        None => also.iter().position(|name| *name == word).map(|at| {
                            let at = if also.len() == each.len() { at } else { 0 };
                            (at as u32, if run.fit == Fit::Run { 1 } else { 0 })
                        }),
                    };
                    if let Some((at, count)) = found {
                        asm.input.take(word);
                        return Ok(Some(Span { code: base + at, run: nth, count, half: None }));
                    }
                }
                RunKind::Numbered { prefix, halves, .. } => {
                    let Some(number) = word.strip_prefix(prefix) else { continue };
                    if number.is_empty() {
                        asm.input.word();
                        if !asm.input.eat("[") {
                            asm.input.go(start);
                            continue;
                        }
                        let (first, count) = self.range::<I, S>(asm, run.count - 1)?;
                        return Ok(Some(Span { code: base + first, run: nth, count, half: None }));
                    }
                    let (digits, half) = match number.strip_suffix(".l") {
                        _ if !self.has_halves() => (number, None),
                        Some(digits) => (digits, Some(false)),
                        None => number.strip_suffix(".h").map_or((number, None), |digits| (digits, Some(true))),
                    };
                    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
                        continue;
                    }
                    let Some(first) = digits.parse().ok().filter(|n: &u32| *n < u32::from(run.count)) else {
                        return Err(asm.rule(self.unknown));
                    };
                    if half.is_some() && !halves {
                        return Err(asm.rule("only vector registers have halves"));
                    }
                    asm.input.word();
                    return Ok(Some(Span { code: base + first, run: nth, count: 1, half }));
                }
                _ => {}
            }
        }
        Ok(None)
    }

    fn has_halves(&self) -> bool {
        self.runs.iter().any(super::CodeRun::has_halves)
    }

    /// Reads the rest of `v[5:6]` or `v[5]` after the bracket: the first and how many.
    fn range<I: Isa, S: Syntax>(&self, asm: &mut Asm<'_, '_, I>, last: u16) -> Result<(u32, u8), ParseError> {
        let index = |asm: &mut Asm<'_, '_, I>| {
            let start = asm.input.at();
            let n = S::integer(asm, "a register number")?;
            in_range(asm, start, n, 0, last.into(), self.unknown)
        };
        let first = index(asm)?;
        let end = if asm.input.eat(":") { index(asm)? } else { first };
        if end < first {
            return Err(asm.rule("the first register of a range must have the lower number"));
        }
        asm.expect("]", "`]`")?;
        if end - first >= u32::from(Reg::MAX_COUNT) {
            return Err(asm.rule("no operand has more than 32 registers"));
        }
        Ok((first, (end - first + 1) as u8))
    }

    /// Reads the rest of `[v4,v5]` after the bracket: consecutive registers one by one. Returns `None` if no register
    /// follows.
    fn list<I: Isa, S: Syntax>(&self, asm: &mut Asm<'_, '_, I>) -> Result<Option<Span>, ParseError> {
        let Some(mut all) = self.span::<I, S>(asm)? else { return Ok(None) };
        while asm.input.eat(",") {
            let Some(next) = self.span::<I, S>(asm)? else { return Err(asm.expected("a register")) };
            let follows = next.run == all.run && next.code == all.code + u32::from(all.count);
            if !follows || next.count != 1 || all.count >= Reg::MAX_COUNT {
                return Err(asm.rule("the registers of a list follow each other"));
            }
            all.count += 1;
        }
        if asm.input.eat("]") { Ok(Some(all)) } else { Err(asm.expected("`]`")) }
    }

    /// Returns the names of registers and constants, to suggest one that is like an unknown name.
    fn known(&self) -> impl Iterator<Item = &'static str> {
        let names = self.runs.iter().filter_map(|run| match run.kind {
            RunKind::Names { each, all, .. } => {
                Some(each.iter().copied().chain(Some(all).filter(|all| !all.is_empty())))
            }
            _ => None,
        });
        names.flatten()
    }

    /// Returns whether a register, or several together, have this name.
    #[must_use]
    pub fn is_register_name(&self, name: &str) -> bool {
        self.known().any(|known| known == name)
    }

    /// The error where a register should be.
    pub fn expected<I: Isa>(&self, asm: &mut Asm<'_, '_, I>, what: &'static str) -> ParseError {
        asm.unknown_name(what, self.known())
    }

    /// Returns whether an operand of `dwords` registers cannot begin with this code.
    const fn is_misaligned(&self, code: u32, dwords: u8) -> bool {
        self.aligned(code, dwords) != code
    }

    /// Returns whether registers are as many as an operand of `dwords` takes.
    #[must_use]
    pub fn fits(&self, span: Span, dwords: u8) -> bool {
        span.count == dwords || self.runs.get(usize::from(span.run)).is_some_and(|run| run.fit != Fit::Run)
    }
}

impl<F: Copy> Class<F> {
    /// Reads registers whose number the operand's type says, and returns their code in the field.
    ///
    /// # Errors
    /// Something else comes next, or registers that the class does not take.
    pub fn read<I: Isa, S: Syntax>(
        &self,
        asm: &mut Asm<'_, '_, I>,
        codes: ValidCodes,
        half: HalfPlace,
    ) -> Result<u32, ParseError> {
        if let Some((text, Some(code))) = self.off
            && asm.input.eat_word(text)
        {
            return Ok(code);
        }
        let dwords = self.dwords::<I>(asm.ty, asm.mode);
        self.read_signed::<I, S>(asm, dwords, codes, half, UNSIGNED)
    }

    /// Reads `dwords` registers or a constant after these signs, and returns the code in the field.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn read_signed<I: Isa, S: Syntax>(
        &self,
        asm: &mut Asm<'_, '_, I>,
        dwords: u8,
        codes: ValidCodes,
        half: HalfPlace,
        signs: Signs,
    ) -> Result<u32, ParseError> {
        let codes = codes.in_context(&asm.cx());
        self.read_dwords::<I, S>(asm, Some(dwords), codes, half, signs)
    }

    /// Reads registers or a constant, as many registers as `dwords` says or any number, and returns the code in the field.
    fn read_dwords<I: Isa, S: Syntax>(
        &self,
        asm: &mut Asm<'_, '_, I>,
        dwords: Option<u8>,
        codes: ValidCodes,
        half: HalfPlace,
        signs: Signs,
    ) -> Result<u32, ParseError> {
        if let Some(code) = self.read_span::<I, S>(asm, dwords, codes, half)? {
            return Ok(code);
        }
        let map = self.map(&asm.cx());
        match self.constant::<I, S>(asm, codes, map, signs)? {
            Some(code) => Ok(code),
            None => Err(self.space.expected(asm, self.expects)),
        }
    }

    /// Reads `dwords` registers and returns their code in the field. Returns `None`, and takes nothing, if something else comes
    /// next.
    ///
    /// # Errors
    /// Registers that the class does not take.
    pub fn read_registers<I: Isa, S: Syntax>(
        &self,
        asm: &mut Asm<'_, '_, I>,
        dwords: u8,
        codes: ValidCodes,
        half: HalfPlace,
    ) -> Result<Option<u32>, ParseError> {
        let codes = codes.in_context(&asm.cx());
        self.read_span::<I, S>(asm, Some(dwords), codes, half)
    }

    /// Reads registers, as many as `dwords` says or any number.
    fn read_span<I: Isa, S: Syntax>(
        &self,
        asm: &mut Asm<'_, '_, I>,
        dwords: Option<u8>,
        codes: ValidCodes,
        half: HalfPlace,
    ) -> Result<Option<u32>, ParseError> {
        let start = asm.input.at();
        let map = self.map(&asm.cx());
        let Some(span) = self.space.registers::<I, S>(asm)? else {
            asm.input.go(start);
            return Ok(None);
        };
        let (code, off_grid) = match span.code.checked_sub(u32::from(map.base)) {
            Some(code) => (Some(code >> map.shift), code & ((1 << map.shift) - 1) != 0),
            None => (None, false),
        };
        let code = code.filter(|_| map.base == 0 || self.is_base_run(span, map.base));
        let Some(code) = code.filter(|_| self.has_run(span, codes, map)) else {
            asm.input.go(start);
            let own = self.space.runs.get(usize::from(span.run)).map_or("", |run| run.rule);
            let is_kin = self.kin >> span.run & 1 == 1;
            let rule = if is_kin { self.rule } else { self.other };
            return Err(match dwords.filter(|dwords| is_kin && !self.space.fits(span, *dwords)) {
                Some(dwords) => asm.registers(dwords, ""),
                None => asm.rule(if own.is_empty() { rule } else { own }),
            });
        };
        let half = if asm.ty.total_bits() == 16 { half } else { HalfPlace::None };
        if span.half.is_some() && half == HalfPlace::None {
            return Err(asm.rule_at(start, NO_HALF));
        }
        if dwords.is_some_and(|dwords| !self.space.fits(span, dwords)) {
            asm.input.go(start);
            let is_mask = self.mask.is_some() && matches!(asm.ty.class(), crate::Class::Mask);
            return Err(asm.registers(dwords.unwrap_or(0), if is_mask { self.space.mask } else { "" }));
        }
        if off_grid || !codes.has(code) {
            asm.input.go(start);
            let is_misaligned = dwords.is_some_and(|dwords| self.space.is_misaligned(span.code, dwords));
            return Err(asm.rule(if is_misaligned { MISALIGNED } else { self.rule }));
        }
        let has_halves = self.space.runs.get(usize::from(span.run)).is_some_and(super::CodeRun::has_halves);
        let code = if has_halves { self.with_half(asm, code, span, half, start)? } else { code };
        if code > asm.highest_code() {
            return Err(asm.rule_at(start, "the field of this operand has too few bits for this register"));
        }
        Ok(Some(code))
    }

    /// Puts the half of a register of 16 bits where it belongs, and returns the code.
    fn with_half<I: Isa>(
        &self,
        asm: &mut Asm<'_, '_, I>,
        code: u32,
        span: Span,
        half: HalfPlace,
        start: usize,
    ) -> Result<u32, ParseError> {
        if half == HalfPlace::None {
            return Ok(code);
        }
        if span.half.is_none() && names_halves(asm) {
            return Err(asm.rule_at(start, HALVES));
        }
        let is_high = span.half == Some(true);
        if let HalfPlace::Modifier(BitOf { modifier, bit }) = half
            && asm.has_modifier(modifier)
        {
            if is_high {
                asm.set_modifier_bit(modifier, bit);
            }
            return Ok(code);
        }
        let bit = if let Half::Bit(bit) = self.half { bit } else { NUMBER_BIT };
        if code >> bit & 1 == 1 {
            return Err(asm.rule_at(start, HALF_OUT_OF_REACH));
        }
        Ok(code | u32::from(is_high) << bit)
    }

    /// Reads a constant after its signs: one with a separate code, or a literal, which goes to the suffix dword. Returns
    /// `None`, and takes nothing, if something else comes next, or if the field holds no constants.
    fn constant<I: Isa, S: Syntax>(
        &self,
        asm: &mut Asm<'_, '_, I>,
        codes: ValidCodes,
        map: super::Map,
        signs: Signs,
    ) -> Result<Option<u32>, ParseError> {
        // A field that holds numbers of registers has valid codes that are constants elsewhere in the space.
        if map.base != 0 || map.shift != 0 {
            return Ok(None);
        }
        let is_register =
            |run: &super::CodeRun<F>| matches!(run.kind, RunKind::Numbered { .. } | RunKind::Names { .. });
        if !self.space.runs.iter().any(|run| !is_register(run) && codes.has(run.first.into())) {
            return Ok(None);
        }
        let constants = self.space.constants;
        let literal = constants.literal.map(u32::from).filter(|code| codes.has(*code));
        let meaning = self.constants_of(&asm.cx());
        let ty = meaning.of_type(asm.ty);
        // A value that is known only later is a literal of 32 bits, and no sign is put before it.
        if literal.is_some()
            && ty.dwords() == 1
            && ty.bits() != 16
            && !signs.any()
            && signs.place != SignPlace::Modifiers
            && let Some(symbolic) = S::deferred(asm)
        {
            asm.defer_literal(symbolic, S::CONFLICT)?;
            return Ok(literal);
        }
        let start = asm.input.at();
        let Some((stated, is_forced)) = S::constant(asm, signs)? else { return Ok(None) };
        let bits = bits_of_literal(stated, is_forced, ty);
        let (constant, bits) = if signs.any() && signs.place == SignPlace::Constant {
            let folded = bits.and_then(|_| signs.fold(stated, ty));
            (folded, folded.and_then(|constant| bits_of_literal(constant, false, ty)))
        } else {
            (Some(stated), bits)
        };
        let inline = constant.and_then(|constant| match meaning {
            ConstantEncoding::BothHalves => constants.inline_in_both_halves(constant, ty),
            _ => constants.inline(constant, ty),
        });
        let is_literal = is_forced && (S::FORCES_LITERALS_BETWEEN_BARS || !signs.has_bars);
        if let Some(code) = inline.map(u32::from).filter(|code| !is_literal && codes.has(*code)) {
            return Ok(Some(code));
        }
        let (Some(literal), Some(bits)) = (literal, bits) else {
            asm.input.go(start);
            let is_wide = literal.is_some();
            let rule =
                if is_wide { "the constant does not fit this operand" } else { "this operand cannot be this constant" };
            return Err(asm.rule(rule));
        };
        asm.set_suffix_dword(bits, S::CONFLICT)?;
        Ok(Some(literal))
    }

    /// Whether registers belong to the run that a class numbers from 0.
    fn is_base_run(&self, span: Span, base: u16) -> bool {
        self.space.runs.get(usize::from(span.run)).is_some_and(|run| run.first == base)
    }

    /// Whether a class has any code of the run of these registers.
    fn has_run(&self, span: Span, codes: ValidCodes, map: super::Map) -> bool {
        let Some(run) = self.space.runs.get(usize::from(span.run)) else { return false };
        let first = u32::from(run.first.saturating_sub(map.base));
        (first..first + u32::from(run.count)).any(|code| codes.has(code >> map.shift))
    }

    /// Reads registers whose number `dwords` returns.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn read_counted<I: Isa, S: Syntax>(
        &self,
        asm: &mut Asm<'_, '_, I>,
        dwords: impl Fn(&Cx<'_, I>) -> u8,
        codes: ValidCodes,
    ) -> Result<u32, ParseError> {
        let (dwords, codes) = (dwords(&asm.cx()), codes.in_context(&asm.cx()));
        self.read_dwords::<I, S>(asm, Some(dwords), codes, HalfPlace::None, UNSIGNED)
    }

    /// Reads a register that exists if a field is 1, or that it is switched off, and sets the field. `is_by_digit`: the last
    /// digit of the operand's name is the number of the bit in the field.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn read_there<I: Isa, S: Syntax>(
        &self,
        asm: &mut Asm<'_, '_, I>,
        field: &'static str,
        is_by_digit: bool,
    ) -> Result<u32, ParseError> {
        let off = self.off.is_some_and(|(text, _)| asm.input.eat_word(text));
        let bit = if is_by_digit { last_digit(asm.name) } else { 0 };
        let others = asm.field(field) & !(1 << bit);
        asm.set_field(field, others | u32::from(!off) << bit);
        if off { Ok(0) } else { self.read_dwords::<I, S>(asm, Some(1), ValidCodes::All, HalfPlace::None, UNSIGNED) }
    }

    /// Reads registers whose number depends on the rest of the line: any number at first, and then as many as `dwords`
    /// returns. An operand without registers is switched off.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn read_late<I: Isa, S: Syntax>(
        &self,
        asm: &mut Asm<'_, '_, I>,
        dwords: impl Fn(&Cx<'_, I>) -> u8,
        codes: ValidCodes,
    ) -> Result<u32, ParseError> {
        let start = asm.input.at();
        let count = dwords(&asm.cx());
        if let Some((text, None)) = self.off {
            let off = asm.input.eat_word(text);
            if asm.is_second_pass && off != (count == 0) {
                return Err(asm.rule_at(start, self.rule));
            }
            if off {
                return Ok(0);
            }
        }
        let codes = codes.in_context(&asm.cx());
        self.read_dwords::<I, S>(asm, asm.is_second_pass.then_some(count), codes, HalfPlace::None, UNSIGNED)
    }
}

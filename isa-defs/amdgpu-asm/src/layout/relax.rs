//! Layout: computes the sizes of fragments that depend on addresses, and the address of everything.

use amdgpu_object::fragments::VariableFragment;

use crate::diagnostic::Diagnostic;
use crate::expression::evaluate::{EvalError, Evaluator, Phase};
use crate::layout::fragment::{FragmentContents, FragmentKind};
use crate::layout::padding::{fill, pad};
use crate::layout::section::Sections;
use crate::program::Program;

/// A fragment is larger than the sections together may be.
const TOO_LARGE: EvalError = "the sections would be too large";

/// The number of rounds of layout. At least one size changes in each.
const MAX_ROUNDS: usize = 1_000;

/// The number of sizes that are computed: the more fragments there are, the fewer rounds.
const MAX_SIZES: usize = 20_000_000;

impl Program<'_> {
    /// Decides where everything is, and assembles the bytes of all sections.
    pub(crate) fn lay_out(&mut self) {
        let count: usize = self.sections.subsections().iter().map(|part| part.fragments.len()).sum();
        let rounds = (MAX_SIZES / count.max(1)).clamp(20, MAX_ROUNDS);
        if !(0..rounds).any(|_| !self.lay_out_once()) {
            let fragments = self.sections.subsections().iter().flat_map(|part| part.fragments.iter());
            let span = fragments.map(|fragment| fragment.kind.span.clone()).next().unwrap_or(0..0);
            self.report.push(Diagnostic::new(span, "the size of this depends on itself"));
            return;
        }
        self.check_fragments();
        if !self.report.is_sound() {
            return;
        }
        self.sections.assemble(|fragment, is_code, bytes| match &fragment.kind.kind {
            FragmentKind::Align { padding, .. } => pad(bytes, fragment.size(), *padding, is_code),
            FragmentKind::Fill { size, value, .. } => {
                fill(bytes, fragment.size() / (*size).max(1) as u64, *size, *value)
            }
            FragmentKind::Org { value, .. } => fill(bytes, fragment.size(), 1, *value),
            FragmentKind::Leb128 { is_signed, .. } => leb128(fragment.kind.value, *is_signed, fragment.size(), bytes),
        });
    }

    /// Computes where subsections begin and how large their fragments are, from where everything was before; whether anything has
    /// changed.
    fn lay_out_once(&mut self) -> bool {
        let mut evaluator = Evaluator::new(&self.symbols, Phase::Layout(&self.sections));
        let mut sizes: Vec<(u64, i64)> = Vec::new();
        for (part, subsection) in (0..).zip(self.sections.subsections()) {
            let mut before = 0;
            for fragment in subsection.fragments.iter() {
                let known = measure(&mut evaluator, &self.sections, part, fragment, before).unwrap_or_default();
                before += known.0;
                sizes.push(known);
            }
        }
        let mut has_changed = false;
        let mut known = &sizes[..];
        for subsection in self.sections.subsections_mut() {
            let (own, rest) = known.split_at_checked(subsection.fragments.len()).unwrap_or_default();
            known = rest;
            has_changed |= subsection.fragments.resize(own.iter().map(|(size, _)| *size));
            for (contents, (_, value)) in subsection.fragments.kinds_mut().zip(own) {
                contents.value = *value;
            }
        }
        has_changed | self.sections.place_subsections()
    }

    /// Reports errors of fragments whose sizes are final.
    fn check_fragments(&mut self) {
        let mut evaluator = Evaluator::new(&self.symbols, Phase::Layout(&self.sections));
        let mut total: u64 = 0;
        for (part, subsection) in (0..).zip(self.sections.subsections()) {
            total = total.saturating_add(subsection.bytes.len() as u64);
            for fragment in subsection.fragments.iter() {
                total = total.saturating_add(fragment.size());
                if let Err(why) = measure(&mut evaluator, &self.sections, part, fragment, fragment.before()) {
                    let span = fragment.kind.span.clone();
                    self.report.push(if why == TOO_LARGE { self.too_large(span) } else { Diagnostic::new(span, why) });
                }
                if total > self.sections.limit() {
                    self.report.push(self.too_large(fragment.kind.span.clone()));
                    return;
                }
            }
        }
    }
}

/// The size of a fragment of a subsection, after such fragments of `before` bytes, and the value of its expression.
fn measure(
    evaluator: &mut Evaluator<'_>,
    sections: &Sections,
    part: u32,
    fragment: &VariableFragment<FragmentContents>,
    before: u64,
) -> Result<(u64, i64), EvalError> {
    let Some(subsection) = sections.subsections().get(part as usize) else { return Ok((0, 0)) };
    let place = subsection.start + fragment.offset() + before;
    let (size, value) = match &fragment.kind.kind {
        FragmentKind::Align { align, padding, most } => {
            let missing = place.next_multiple_of((*align).max(1)) - place;
            let missing = if most.is_some_and(|most| missing > most) { 0 } else { missing };
            padding.check(missing)?;
            (missing, 0)
        }
        FragmentKind::Fill { count, size, .. } => {
            let count = evaluator.evaluate_in_full(count)?.absolute().ok_or("expected a number, not an address")?;
            let bytes = u64::try_from(count).map_err(|_| "a count is not negative")?.saturating_mul(*size as u64);
            (bytes, count)
        }
        FragmentKind::Org { target, .. } => {
            let value = evaluator.evaluate_in_full(target)?;
            let base = match (value.add, value.sub, value.specifier) {
                (None, None, None) => 0,
                (Some(add), None, None) => {
                    let outside = "`.org` goes to an address in the same section";
                    let (address, more) = evaluator.address(add).ok_or(outside)?;
                    if sections.section_of(address.subsection) != subsection.section {
                        return Err(outside);
                    }
                    sections.offset(address).cast_signed().wrapping_add(more)
                }
                _ => return Err("`.org` goes to an address in the same section"),
            };
            let target = u64::try_from(base.wrapping_add(value.number)).ok();
            let missing = target.and_then(|target| target.checked_sub(place)).ok_or("`.org` cannot go back")?;
            (missing, 0)
        }
        FragmentKind::Leb128 { value, is_signed } => {
            let value = evaluator.evaluate_in_full(value)?.absolute().ok_or("expected a number, not an address")?;
            let mut bytes = Vec::new();
            // A number that needs fewer bytes than before is padded: sizes would not settle otherwise.
            leb128(value, *is_signed, fragment.size(), &mut bytes);
            (bytes.len() as u64, value)
        }
    };
    if size > sections.limit() { Err(TOO_LARGE) } else { Ok((size, value)) }
}

/// Appends a number in groups of seven bits, the low ones first, in at least this number of bytes.
pub fn leb128(value: i64, is_signed: bool, least: u64, bytes: &mut Vec<u8>) {
    let mut value = value;
    for count in 1.. {
        let low = (value & 0x7f) as u8;
        value = if is_signed { value >> 7 } else { (value as u64 >> 7).cast_signed() };
        let is_negative = is_signed && low & 0x40 != 0;
        let is_complete = value == if is_negative { -1 } else { 0 };
        if is_complete && count >= least {
            bytes.push(low);
            break;
        }
        bytes.push(low | 0x80);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_groups_of_seven_bits() {
        let encoded = |value, is_signed, least| {
            let mut bytes = Vec::new();
            leb128(value, is_signed, least, &mut bytes);
            bytes
        };
        // As llvm-mc pads them.
        for (value, is_signed, least, expected) in [
            (0, false, 0, &[0][..]),
            (300, false, 0, &[0xac, 2]),
            (-2, true, 0, &[0x7e]),
            (64, true, 0, &[0xc0, 0]),
            (1, false, 3, &[0x81, 0x80, 0]),
            (-1, true, 3, &[0xff, 0xff, 0x7f]),
            (1, true, 2, &[0x81, 0]),
            (-1, false, 0, &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1]),
        ] {
            assert_eq!(encoded(value, is_signed, least), expected, "{value} {least}");
        }
    }
}

//! Rules about single instructions and those directly after them, and rules about a whole program.

use alloc::vec::Vec;

use rdna_rows::{Format, Generation, Instruction, flags, isa, raw};

use super::facts::{Fact, RegisterUse};
use super::span::Span;
use super::{Certainty, Finding, Program, Rule};
use crate::counter::{Clause, ClauseType, Counter, clause_internal, clause_types, sends};

/// Instructions that are executed after each other, with their facts: those of a program, or those that a wave has executed.
pub(super) trait Sequence<I> {
    fn instr(&self, at: usize) -> Option<&I>;
    fn fact(&self, at: usize) -> Option<&Fact>;
    fn len(&self) -> usize;
}

impl<I> Sequence<I> for Program<I> {
    fn instr(&self, at: usize) -> Option<&I> {
        self.instrs.get(at)
    }

    fn fact(&self, at: usize) -> Option<&Fact> {
        self.facts.get(at)
    }

    fn len(&self) -> usize {
        self.instrs.len()
    }
}

/// Reports instructions that break a rule.
pub(super) fn check<I: Instruction>(program: &Program<I>, out: &mut Vec<Finding<I>>) {
    for at in 0..program.instrs.len() {
        of_instruction(program, at, &mut |rule, at, earlier, certainty| {
            out.extend(program.finding(rule, at, earlier).map(|finding| Finding { certainty, ..finding }));
        });
    }
    let mut report = |rule, at, earlier| out.extend(program.finding(rule, at, earlier));
    if program.whole {
        all_exports(program, &mut report);
    }
    end(program, out);
}

type Report<'a> = dyn FnMut(Rule, usize, Option<usize>) + 'a;

/// Reports the rules that an instruction breaks, alone or together with those after it.
pub(super) fn of_instruction<I: Instruction>(
    sequence: &(impl Sequence<I> + ?Sized),
    at: usize,
    report: &mut dyn FnMut(Rule, usize, Option<usize>, Certainty),
) {
    let (Some(instr), Some(fact)) = (sequence.instr(at), sequence.fact(at)) else { return };
    let mut with_certainty = |rule: Rule, at, earlier| report(rule, at, earlier, rule.certainty());
    if fact.has(flags::CLAUSE) {
        clause(sequence, at, &mut with_certainty);
    }
    if fact.has(flags::GWS) {
        gws(sequence, at, &mut with_certainty);
    }
    if sends(instr).is_some_and(|m| m.ends) && sequence.instr(at + 1).is_some_and(|next| !next.body_effects().ends()) {
        with_certainty(Rule::DeallocThenEnd, at + 1, Some(at));
    }
    if I::Generation::FEATURES.hazards.late_sources
        && fact.has(flags::LATE_SOURCES)
        && let Some(certainty) = overwrites_source(fact)
    {
        report(Rule::LateSources, at, None, certainty);
    }
}

/// Returns how many instructions a clause has, by the S_CLAUSE before them.
pub(super) fn clause_length<I: Instruction>(head: &I) -> Option<usize> {
    clause_of(head).map(|clause| usize::from(clause.length))
}

fn clause_of<I: Instruction>(head: &I) -> Option<Clause> {
    Clause::from_code(raw::Sopp::from_bits(head.dwords()[0]).simm16())
}

/// Returns whether an instruction is legal inside any clause and ends it: S_TRAP, by RDNA4's §5.3.
fn ends_clause<I: Instruction>(instr: &I) -> bool {
    I::Generation::FEATURES.clauses.end_at_trap && instr.flags() & flags::TRAP != 0
}

fn clause<I: Instruction>(sequence: &(impl Sequence<I> + ?Sized), at: usize, report: &mut Report<'_>) {
    let Some(head) = sequence.instr(at) else { return };
    let Some(clause) = clause_of(head) else { return report(Rule::ClauseLength, at, None) };
    let body = at + 1..(at + 1 + usize::from(clause.length)).min(sequence.len());
    let Some(first) = sequence.instr(body.start) else { return };
    // The types that all members so far have: IMAGE_MSAA_LOAD has two.
    let mut types: Vec<ClauseType> = clause_types(first).collect();
    if types.is_empty() && !ends_clause(first) {
        return report(Rule::ClauseStart, body.start, Some(at));
    }
    for i in body.clone() {
        let Some(instr) = sequence.instr(i) else { return };
        if ends_clause(instr) {
            return;
        }
        let is_common = |of: &ClauseType| clause_types(instr).any(|t| t == *of);
        if instr.flags() & flags::DELAY != 0 && types.contains(&ClauseType::Vector) {
            report(Rule::ClauseDelay, i, Some(at));
        } else if types.iter().any(is_common) {
            types.retain(is_common);
        } else if !clause_internal(instr) {
            // The clause ends here: later instructions may be outside of it.
            return report(Rule::ClauseMember, i, Some(at));
        }
    }
    let is_member = |i: usize| sequence.instr(i).is_some_and(|x| clause_types(x).any(|t| types.contains(&t)));
    let span = usize::from(clause.span);
    if span == 0 || body.len() < usize::from(clause.length) {
        return;
    }
    for first in body.clone().step_by(span) {
        let group = first..(first + span).min(body.end);
        let members = group.clone().filter(|&i| is_member(i)).count();
        // The last group may be short.
        if !is_member(first) || members < 2 && group.len() == span {
            report(Rule::ClauseSpan, first, Some(at));
        }
    }
}

/// Returns how certain it is that the vector result of a 64-bit multiply-add overwrites a source, if it overlaps one.
///
/// Compilers let the result overlap the upper half of the addend where that half is undefined.
fn overwrites_source(fact: &Fact) -> Option<Certainty> {
    let result = fact.uses.iter().find(|u: &&RegisterUse| u.writes && u.span.is_vector())?.span;
    let mut overlapping = fact.vector_sources().filter(|source| source.overlaps(result)).peekable();
    overlapping.peek()?;
    let is_upper_half = |source: Span| source.len() == 2 && source.first() + 1 == result.first();
    Some(if overlapping.all(is_upper_half) { Certainty::Possible } else { Certainty::Certain })
}

/// Checks that a wait directly follows global wave synchronization.
fn gws<I: Instruction>(sequence: &(impl Sequence<I> + ?Sized), at: usize, report: &mut Report<'_>) {
    let Some(next) = sequence.fact(at + 1) else { return };
    if next.waits.open || next.waits.most(Counter::Lgkm) != Some(0) {
        // §13.4.1 names DS_ORDERED_COUNT, too, but ACO puts other instructions between it and the wait.
        let counts = sequence.fact(at).is_some_and(|fact| fact.uses.iter().any(|u| u.writes));
        report(if counts { Rule::OrderedCountAfter } else { Rule::GwsAfter }, at + 1, Some(at));
    }
}

/// Reports kinds of export without DONE.
fn all_exports<I: Instruction>(program: &Program<I>, report: &mut Report<'_>) {
    let instrs = &program.instrs;
    let leaves = |i: &I| {
        let effects = i.body_effects();
        effects.saves_pc() || effects.jumps_indirectly()
    };
    let exports = program.facts.0.iter().enumerate().filter_map(|(i, fact)| Some((i, fact.export?)));
    let exports: Vec<_> = exports.collect();
    // Code that is called or jumped to may export too.
    if !instrs.iter().any(leaves) {
        for class in [false, true] {
            let mut mine = exports.iter().filter(|(_, export)| export.of_position == class).peekable();
            if mine.peek().is_some() && !mine.clone().any(|(_, export)| export.is_done) {
                mine.next_back().into_iter().for_each(|(i, _)| report(Rule::ExportWithoutDone, *i, None));
            }
        }
    }
}

/// Checks the end of the code.
fn end<I: Instruction>(program: &Program<I>, out: &mut Vec<Finding<I>>) {
    let instrs = &program.instrs;
    let padding = |i: &I| i.flags() & (flags::CODE_END | flags::NOP) != 0 || i.microcode() == Format::Illegal;
    let Some(last) = instrs.iter().rposition(|i| !padding(i)) else { return };
    let stops = |i: &I| !isa::facts::falls_through::<I::Generation>(i.opcode());
    let behind: usize = instrs.iter().skip(last + 1).map(I::dword_count).sum();
    let stops = instrs.get(last).is_some_and(stops);
    if program.whole && !stops && last + 1 == instrs.len() {
        // The trap handler may end the wave: LLVM puts nothing after the S_TRAP of a failed assertion.
        let is_trap = instrs.get(last).is_some_and(|i| i.flags() & flags::TRAP != 0);
        let certainty = if is_trap { Certainty::Possible } else { Rule::RunsOff.certainty() };
        out.extend(program.finding(Rule::RunsOff, last, None).map(|finding| Finding { certainty, ..finding }));
    } else if program.padded && stops && behind < 64 {
        out.extend(program.finding(Rule::Padding, last, None));
    }
}

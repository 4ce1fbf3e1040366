//! Rules about instructions of one basic block, and rules about a whole program.

use alloc::vec::Vec;
use core::ops::Range;

use rdna3_rows::isa::body::State;
use rdna3_rows::operands::DEPENDENCY_COUNTERS;
use rdna3_rows::{Format, Instruction, flags, isa, raw, roles};

use super::facts::RegisterUse;
use super::{Finding, Program, Rule};
use crate::counter::{Clause, ClauseType, Counter, Kind, clause_internal, clause_types, is_vector, raises, sends};
use crate::export;

/// Reports instructions that break a rule.
pub(super) fn check<I: Instruction>(program: &Program<I>, out: &mut Vec<Finding<I>>) {
    let mut report = |rule, at, earlier| out.extend(program.finding(rule, at, earlier));
    for block in &program.graph.blocks {
        for at in block.range.clone() {
            let Some(instr) = program.instrs.get(at) else { return };
            let has = |flag| instr.flags() & flag != 0;
            if has(flags::CLAUSE) {
                clause(program, at, &mut report);
            }
            let vector = is_vector(instr);
            if vector && has(flags::PERMLANE) {
                let before = vector_before(program, &block.range, at).filter(|&i| writes_exec(program, i));
                before.into_iter().for_each(|i| report(Rule::PermlaneAfterCmpx, at, Some(i)));
            }
            if vector && has(flags::WMMA) {
                let before = vector_before(program, &block.range, at).filter(|&i| has_flag(program, i, flags::WMMA));
                let before = before.filter(|&i| {
                    uses_overlap(program, i, |u| u.writes, at, |u| u.role == roles::S0 || u.role == roles::S1)
                });
                before.into_iter().for_each(|i| report(Rule::MatrixBackToBack, at, Some(i)));
            }
            if instr.microcode() == Format::Ldsdir {
                lds_direct(program, &block.range, at, &mut report);
            }
            if has(flags::GWS) {
                gws(program, &block.range, at, &mut report);
            }
            if sends(instr).is_some_and(|m| m.ends) {
                let ends = program.instrs.get(at + 1).is_some_and(|i| i.body_effects().ends());
                if !ends && at + 1 < program.instrs.len() {
                    report(Rule::DeallocThenEnd, at + 1, Some(at));
                }
            }
            if instr.microcode() == Format::Smem {
                let mixed = |i: &usize| {
                    let other = program.instrs.get(*i);
                    other.is_some_and(|o| {
                        o.microcode() == Format::Smem
                            && o.flags() & flags::INVALIDATES != instr.flags() & flags::INVALIDATES
                    })
                };
                let before = at.checked_sub(1).filter(|i| block.range.contains(i)).filter(mixed);
                before.into_iter().for_each(|i| report(Rule::InvalidateApart, at, Some(i)));
            }
        }
        exports(program, &block.range, &mut report);
    }
    if program.whole {
        all_exports(program, &mut report);
    }
    end(program, &mut report);
}

type Report<'a> = dyn FnMut(Rule, usize, Option<usize>) + 'a;

fn has_flag<I: Instruction>(program: &Program<I>, at: usize, flag: u128) -> bool {
    program.instrs.get(at).is_some_and(|i| i.flags() & flag != 0)
}

/// Returns whether an instruction writes EXEC, which its text does not name.
fn writes_exec<I: Instruction>(program: &Program<I>, at: usize) -> bool {
    program.instrs.get(at).is_some_and(|i| i.body_effects().writes(State::Exec))
}

/// Returns the nearest vector instruction before `at` in the same block.
fn vector_before<I: Instruction>(program: &Program<I>, range: &Range<usize>, at: usize) -> Option<usize> {
    (range.start..at).rev().find(|&i| program.instrs.get(i).is_some_and(is_vector))
}

/// Returns whether the register uses of one instruction that `of` selects overlap those of another that `with` selects.
fn uses_overlap<I>(
    program: &Program<I>,
    one: usize,
    of: impl Fn(&RegisterUse) -> bool,
    other: usize,
    with: impl Fn(&RegisterUse) -> bool,
) -> bool {
    let (Some(a), Some(b)) = (program.facts.get(one), program.facts.get(other)) else { return false };
    a.uses.iter().filter(|u| of(u)).any(|u| b.uses.iter().any(|v| with(v) && v.span.overlaps(u.span)))
}

fn clause<I: Instruction>(program: &Program<I>, at: usize, report: &mut Report<'_>) {
    let Some(head) = program.instrs.get(at) else { return };
    let code = raw::Sopp::from_bits(head.dwords()[0]).simm16();
    let Some(clause) = Clause::from_code(code) else { return report(Rule::ClauseLength, at, None) };
    let body = at + 1..(at + 1 + usize::from(clause.length)).min(program.instrs.len());
    let Some(first) = program.instrs.get(body.start) else { return };
    // The types that all members so far have: IMAGE_MSAA_LOAD has two.
    let mut types: Vec<ClauseType> = clause_types(first).collect();
    if types.is_empty() {
        return report(Rule::ClauseStart, body.start, Some(at));
    }
    for i in body.clone() {
        let Some(instr) = program.instrs.get(i) else { return };
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
    let is_member = |i: usize| program.instrs.get(i).is_some_and(|x| clause_types(x).any(|t| types.contains(&t)));
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

/// Returns the limit that S_WAITCNT_DEPCTR sets for this counter.
fn depctr<I: Instruction>(instr: &I, name: &str) -> Option<u32> {
    let counter = DEPENDENCY_COUNTERS.iter().find(|c| c.name == name)?;
    let code = raw::Sopp::from_bits(instr.dwords()[0]).simm16();
    (instr.flags() & flags::WAITS_ALU != 0).then(|| counter.of(u32::from(code)))
}

/// Checks a direct load from LDS: a field of it waits for vector instructions, and nothing for memory instructions.
///
/// Exports and memory instructions are issued after the vector instructions before them have finished, as LLVM assumes, too.
fn lds_direct<I: Instruction>(program: &Program<I>, range: &Range<usize>, at: usize, report: &mut Report<'_>) {
    let Some(load) = program.instrs.get(at) else { return };
    let limit = |load: &I| u32::from(raw::Ldsdir::from_bits(load.dwords()[0]).wait_va());
    // A vector instruction is done if as many vector instructions follow it.
    let mut most = limit(load);
    let mut behind = 0;
    let (mut vectors, mut memories) = (true, true);
    for i in (range.start..at).rev() {
        let Some(instr) = program.instrs.get(i) else { return };
        let written = |u: &RegisterUse| u.writes;
        if is_vector(instr) {
            if vectors && behind < most && uses_overlap(program, at, written, i, |u| u.reads && u.span.is_vector()) {
                return report(Rule::LdsDirectOverVector, at, Some(i));
            }
            behind += 1;
            memories = false;
        } else if instr.microcode() == Format::Exp {
            (vectors, memories) = (false, false);
        } else if instr.microcode() == Format::Ldsdir {
            most = most.min(limit(instr) + behind);
        } else if depctr(instr, "depctr_va_vdst") == Some(0) {
            vectors = false;
        } else if depctr(instr, "depctr_vm_vsrc") == Some(0) {
            memories = false;
        } else if raises(instr).any(|r| matches!(r.counter, Counter::Vm | Counter::Vs) || r.kind == Kind::Lds) {
            vectors = false;
            // A wait for the memory instruction proves that it has read its registers.
            let waited = || program.facts.0.get(i + 1..at).unwrap_or_default().iter().any(|f| !f.waits.is_empty());
            let is_overwritten = || uses_overlap(program, at, written, i, |u| u.reads && u.span.is_vector());
            if memories && is_overwritten() && !waited() {
                return report(Rule::LdsDirectOverMemory, at, Some(i));
            }
        }
        if !memories && (!vectors || behind >= most) {
            return;
        }
    }
}

fn gws<I: Instruction>(program: &Program<I>, range: &Range<usize>, at: usize, report: &mut Report<'_>) {
    let waits =
        |i: usize| program.facts.get(i).is_some_and(|f| !f.waits.open && f.waits.most(Counter::Lgkm) == Some(0));
    for i in (range.start..at).rev() {
        if waits(i) {
            break;
        }
        let gds = |f: &super::facts::Fact| f.raises.iter().flatten().any(|r| r.kind == Kind::Gds);
        if program.facts.get(i).is_some_and(gds) {
            report(Rule::GwsBefore, at, Some(i));
            break;
        }
    }
    if at + 1 < range.end && !waits(at + 1) {
        report(Rule::GwsAfter, at + 1, Some(at));
    }
}

/// Returns whether an export is of positions; colours and depth share DONE.
fn is_position(target: export::ExportTarget) -> Option<bool> {
    match target.of_type() {
        export::ExportType::Color | export::ExportType::Depth => Some(false),
        export::ExportType::Position => Some(true),
        export::ExportType::Primitive => None,
    }
}

/// Returns whether an export is of positions, and whether it has DONE.
fn export_of<I: Instruction>(instr: &I) -> Option<(bool, bool)> {
    let export = (instr.microcode() == Format::Exp).then(|| raw::Exp::from_bits(instr.low64()))?;
    Some((export::ExportTarget::from_code(export.target()).and_then(is_position)?, export.done()))
}

fn exports<I: Instruction>(program: &Program<I>, range: &Range<usize>, report: &mut Report<'_>) {
    let mut done = [None; 2];
    for at in range.clone() {
        let Some((class, last)) = program.instrs.get(at).and_then(export_of) else { continue };
        if let Some(earlier) = done[usize::from(class)] {
            report(Rule::ExportAfterDone, at, Some(earlier));
        }
        if last {
            done[usize::from(class)] = Some(at);
        }
    }
}

/// Reports kinds of export without DONE.
fn all_exports<I: Instruction>(program: &Program<I>, report: &mut Report<'_>) {
    let instrs = &program.instrs;
    let leaves = |i: &I| {
        let effects = i.body_effects();
        effects.saves_pc() || effects.jumps_indirectly()
    };
    let exports: Vec<_> = instrs.iter().enumerate().filter_map(|(i, x)| Some((i, export_of(x)?))).collect();
    // Code that is called or jumped to may export too.
    if !instrs.iter().any(leaves) {
        for class in [false, true] {
            let mut mine = exports.iter().filter(|(_, (c, _))| *c == class).peekable();
            if mine.peek().is_some() && !mine.clone().any(|(_, (_, done))| *done) {
                mine.next_back().into_iter().for_each(|(i, _)| report(Rule::ExportWithoutDone, *i, None));
            }
        }
    }
}

/// Checks the end of the code.
fn end<I: Instruction>(program: &Program<I>, report: &mut Report<'_>) {
    let instrs = &program.instrs;
    let padding = |i: &I| i.flags() & (flags::CODE_END | flags::NOP) != 0 || i.microcode() == Format::Illegal;
    let Some(last) = instrs.iter().rposition(|i| !padding(i)) else { return };
    let stops = |i: &I| !isa::facts::falls_through::<I::Generation>(i.opcode());
    let behind: usize = instrs.iter().skip(last + 1).map(I::dword_count).sum();
    let stops = instrs.get(last).is_some_and(stops);
    if program.whole && !stops && last + 1 == instrs.len() {
        report(Rule::RunsOff, last, None);
    } else if program.padded && stops && behind < 64 {
        report(Rule::Padding, last, None);
    }
}

//! The rules about hazards on the instructions that a wave has executed.

use alloc::vec::Vec;

use rdna_rows::{Generation, Instruction, Wave, flags};

use super::facts::{Fact, RegisterUse};
use super::hazards::{MissingWaits, Search, Verdict};
use super::local::{self, Sequence};
use super::span::{FIRST_VGPR, Span};
use super::{Certainty, Finding, Rule};

/// An instruction that a wave has executed, with the facts that the rules need.
#[derive(Clone, Debug)]
pub struct Executed<I> {
    instr: I,
    fact: Fact,
    wave: Wave,
}

/// A use of a register by an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Use {
    /// Whether it is a vector register.
    pub is_vector: bool,
    /// The number of the vector register, or the code of the scalar one.
    pub register: u16,
    /// Whether the low and the high half are used. Only loads and stores use halves.
    pub halves: [bool; 2],
    /// Whether the instruction reads it.
    pub reads: bool,
    /// Whether the instruction writes it.
    pub writes: bool,
}

impl<I: Instruction> Executed<I> {
    /// Computes the facts about an instruction.
    #[must_use]
    pub fn new(instr: &I, wave: Wave) -> Self {
        // What a callee executes is known: it follows the call.
        let fact = Fact { is_call: false, ..Fact::new(instr, wave) };
        Executed { instr: *instr, fact, wave }
    }

    /// Returns the registers that it uses, without those that M0 selects.
    pub fn uses(&self) -> impl Iterator<Item = Use> {
        let named = self.fact.uses.iter().filter(|register_use| !register_use.is_indexed);
        named.flat_map(|&RegisterUse { span, reads, writes, .. }| {
            span.uses().map(move |one| Use { reads, writes, ..one })
        })
    }

    fn finding(sequence: &[&Self], rule: Rule, at: usize, earlier: Option<usize>) -> Option<Finding<I>> {
        let of = sequence.get(at)?;
        Some(Finding {
            rule,
            at,
            instr: of.instr,
            earlier: earlier.and_then(|at| Some((at, sequence.get(at)?.instr))),
            wait: rule.wait(),
            dependency: None,
            certainty: Certainty::Certain,
            insert_at: at,
            registers: None,
            wave: of.wave,
        })
    }
}

impl Span {
    /// Returns its registers, one by one, neither read nor written.
    pub fn uses(self) -> impl Iterator<Item = Use> {
        let is_vector = self.is_vector();
        let base = if is_vector { FIRST_VGPR } else { 0 };
        (self.first()..self.end()).map(move |n| Use {
            is_vector,
            register: n - base,
            halves: self.halves(n),
            reads: false,
            writes: false,
        })
    }
}

impl<I> Sequence<I> for [&Executed<I>] {
    fn instr(&self, at: usize) -> Option<&I> {
        self.get(at).map(|executed| &executed.instr)
    }

    fn fact(&self, at: usize) -> Option<&Fact> {
        self.get(at).map(|executed| &executed.fact)
    }

    fn len(&self) -> usize {
        self.len()
    }
}

/// Returns the hazards of the last of the instructions that a wave has executed, as far as they are certain. `begins`: the wave
/// has executed nothing before them.
///
/// The span of a clause is reported when the last instruction of the clause is executed.
///
/// ```
/// use rdna3::{Instr, Wave, lint::{Executed, Rule, check_executed}};
///
/// let code: Vec<Instr> = ["v_rcp_f32_e32 v3, v2", "s_branch 8", "v_mul_f32_e32 v3, 4.0, v3"]
///     .into_iter().map(str::parse).collect::<Result<_, _>>()?;
/// let executed: Vec<_> = code.iter().map(|instr| Executed::new(instr, Wave::W32)).collect();
/// let findings = check_executed(&executed.iter().collect::<Vec<_>>(), true);
/// assert_eq!((findings[0].rule, findings[0].at), (Rule::TranscendentalUse, 2));
/// # Ok::<(), rdna3::isa::ParseError>(())
/// ```
#[must_use]
pub fn check_executed<I: Instruction>(executed: &[&Executed<I>], begins: bool) -> Vec<Finding<I>> {
    let Some(last) = executed.len().checked_sub(1) else { return Vec::new() };
    let mut out = hazards(executed, begins, &MissingWaits::default());
    if out.iter().any(|finding| finding.dependency.is_some()) {
        // A wait that an earlier finding asks for may serve this instruction, too.
        let mut missing = MissingWaits::default();
        for end in 1..=last {
            let before = hazards(executed.get(..end).unwrap_or_default(), begins, &missing);
            before.iter().for_each(|finding| missing.add(finding));
        }
        out = hazards(executed, begins, &missing);
    }
    // Rules about a clause look further than at the next instruction.
    let reaches_last = |at: &usize| {
        let is_clause = || executed.get(*at).is_some_and(|executed| executed.fact.has(flags::CLAUSE));
        at + 1 >= last || is_clause()
    };
    for at in (0..=last).filter(reaches_last) {
        local::of_instruction(executed, at, &mut |rule, at, earlier, certainty| {
            let is_new = at == last || rule == Rule::ClauseSpan && is_complete(executed, earlier);
            if is_new && certainty == Certainty::Certain {
                out.extend(Executed::finding(executed, rule, at, earlier));
            }
        });
    }
    out
}

/// Returns the hazards of the last instruction that depend on those before it.
fn hazards<I: Instruction>(executed: &[&Executed<I>], begins: bool, missing: &MissingWaits) -> Vec<Finding<I>> {
    let mut out = Vec::new();
    let Some((Executed { instr, fact, wave }, before)) = executed.split_last() else { return out };
    Search::begin(instr, fact, I::Generation::FEATURES, *wave, false, |mut search| {
        if search.rule.certainty() != Certainty::Certain {
            return;
        }
        let mut verdict = Verdict::Continue;
        let mut found = None;
        for (at, earlier) in before.iter().enumerate().rev() {
            verdict = search.step(&earlier.fact, at, missing);
            if verdict != Verdict::Continue {
                found = Some(at);
                break;
            }
        }
        if verdict == Verdict::Continue && begins {
            verdict = search.at_start();
        }
        if verdict == Verdict::Found(Certainty::Certain) {
            let finding = Executed::finding(executed, search.rule, before.len(), search.earlier.or(found));
            let (dependency, registers) = (search.dependency, search.registers);
            out.extend(finding.map(|finding| Finding { dependency, registers, ..finding }));
        }
    });
    out
}

/// Returns whether the last instruction is the last one of a clause.
fn is_complete<I: Instruction>(executed: &[&Executed<I>], head: Option<usize>) -> bool {
    let length = |at: usize| Some((at, local::clause_length(&executed.get(at)?.instr)?));
    head.and_then(length).is_some_and(|(at, length)| at + length + 1 == executed.len())
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use rdna_rows::isa::{Options, parse};
    use rdna_rows::{Rdna3, Wave};

    use super::super::{Instr, Rule, lint};
    use super::{Executed, check_executed};

    fn code_of(text: &str, wave: Wave) -> Vec<Instr> {
        let one = |line| parse::<Rdna3>(line, Options::from(wave)).unwrap_or_else(|error| panic!("{line}: {error}"));
        text.split("; ").map(one).collect()
    }

    /// The hazards of straight-line code, checked after each instruction.
    fn hazards(text: &str, wave: Wave) -> Vec<(Rule, usize)> {
        let code: Vec<Instr> = code_of(text, wave);
        let executed: Vec<_> = code.iter().map(|instr| Executed::new(instr, wave)).collect();
        let executed: Vec<_> = executed.iter().collect();
        let mut found: Vec<(Rule, usize)> = (1..=executed.len())
            .flat_map(|end| check_executed(&executed[..end], true))
            .map(|finding| (finding.rule, finding.at))
            .collect();
        found.sort_by_key(|(rule, at)| (*at, *rule));
        let of_lint: Vec<(Rule, usize)> = lint(&code, wave).iter().map(|finding| (finding.rule, finding.at)).collect();
        assert_eq!(found, of_lint, "{text}");
        found
    }

    #[test]
    fn straight_line_code_has_the_hazards_of_the_lint() {
        let in_wave32 = [
            ("v_rcp_f32_e32 v3, v2; v_mul_f32_e32 v3, 4.0, v3", Rule::TranscendentalUse, 1),
            ("v_cmpx_gt_u32_e32 32, v0; s_nop 0; v_permlanex16_b32 v3, v2, s8, s9", Rule::PermlaneAfterCmpx, 2),
            (
                "v_wmma_f32_16x16x16_f16 v[0:7], v[8:15], v[16:23], v[0:7]; v_wmma_f32_16x16x16_f16 v[24:31], v[0:7], v[16:23], v[24:31]",
                Rule::MatrixBackToBack,
                1,
            ),
            ("s_nop 0; s_sendmsg sendmsg(MSG_DEALLOC_VGPRS); s_nop 0", Rule::DeallocThenEnd, 2),
            ("s_sendmsg sendmsg(MSG_DEALLOC_VGPRS); s_endpgm", Rule::NopBeforeDealloc, 0),
            ("s_clause 0x1; s_load_b32 s4, s[0:1], null; v_mov_b32_e32 v0, v1", Rule::ClauseMember, 2),
            ("s_clause 0x0; s_load_b32 s4, s[0:1], null", Rule::ClauseLength, 0),
            ("s_clause 0x2; v_nop; s_nop 0; s_mov_b32 s0, s1", Rule::ClauseMember, 3),
        ];
        for (text, rule, at) in in_wave32 {
            assert!(hazards(text, Wave::W32).contains(&(rule, at)), "{text}");
        }
        let in_wave64 = [
            (
                "v_mov_b32_e32 v0, v5; s_mov_b64 exec, s[2:3]; v_mov_b32_e32 v1, v5; v_add_f32_e32 v2, v0, v1",
                Rule::PartialForwarding,
                3,
            ),
            (
                "v_cndmask_b32_e64 v0, v1, v2, s[4:5]; s_mov_b64 s[4:5], s[8:9]; s_and_b64 s[6:7], s[4:5], s[2:3]",
                Rule::MaskRewritten,
                2,
            ),
        ];
        for (text, rule, at) in in_wave64 {
            assert!(hazards(text, Wave::W64).contains(&(rule, at)), "{text}");
        }
    }

    #[test]
    fn one_wait_is_one_finding() {
        let cases: [(&str, &[usize]); 4] = [
            // The results of both are there when the first use has waited.
            ("v_rcp_f32_e32 v1, v0; v_rcp_f32_e32 v2, v0; v_add_f32_e32 v3, v1, v1; v_mul_f32_e32 v4, v1, v2", &[2]),
            // A result after the wait needs another.
            ("v_rcp_f32_e32 v1, v0; v_add_f32_e32 v3, v1, v1; v_rcp_f32_e32 v2, v0; v_mul_f32_e32 v4, v1, v2", &[1, 3]),
            // The scalar result is written when the first reader has waited.
            (
                "v_cndmask_b32_e64 v0, v1, v2, s[4:5]; s_mov_b64 s[4:5], s[8:9]; s_and_b64 s[6:7], s[4:5], s[2:3]; \
                 s_or_b64 s[6:7], s[4:5], s[2:3]",
                &[2],
            ),
            // A wait for a vector instruction's result does not wait for a scalar one's.
            (
                "v_cndmask_b32_e64 v0, v1, v2, vcc; v_cmp_eq_u32_e32 vcc, v0, v1; v_cndmask_b32_e64 v3, v1, v2, vcc; \
                 s_mov_b64 vcc, s[8:9]; s_and_b64 s[6:7], vcc, s[2:3]",
                &[2, 4],
            ),
        ];
        for (text, at) in cases {
            let found: Vec<usize> = hazards(text, Wave::W64).iter().map(|finding| finding.1).collect();
            assert_eq!(found, at, "{text}");
        }
    }

    #[test]
    fn code_of_compilers_has_none() {
        let right = [
            "v_rcp_f32_e32 v3, v2; s_waitcnt_depctr 0xfff; v_mul_f32_e32 v3, 4.0, v3",
            "v_cmpx_gt_u32_e32 32, v0; v_mov_b32_e32 v4, v0; v_permlanex16_b32 v3, v2, s8, s9",
            "s_nop 0; s_sendmsg sendmsg(MSG_DEALLOC_VGPRS); s_endpgm",
            "s_clause 0x1; s_load_b32 s4, s[0:1], null; s_load_b32 s5, s[0:1], 0x4; v_mov_b32_e32 v0, v1",
        ];
        for text in right {
            assert_eq!(hazards(text, Wave::W32), [], "{text}");
        }
    }

    #[test]
    fn a_span_of_a_clause_is_reported_once_at_its_end() {
        let load = |n: usize| std::format!("s_load_b32 s{n}, s[0:1], null");
        // A span of two instructions whose second one is internal.
        let text = std::format!("s_clause 0x103; {}; s_nop 0; {}; {}", load(4), load(5), load(6));
        let code: Vec<Instr> = code_of(&text, Wave::W32);
        let executed: Vec<_> = code.iter().map(|instr| Executed::new(instr, Wave::W32)).collect();
        let executed: Vec<_> = executed.iter().collect();
        let found = |end: usize| check_executed(&executed[..end], true).len();
        assert_eq!((1..5).map(found).sum::<usize>(), 0);
        let of_lint = lint(&code, Wave::W32).iter().filter(|finding| finding.rule == Rule::ClauseSpan).count();
        assert_eq!(found(5), of_lint);
    }

    #[test]
    fn calls_and_returns_take_longer_than_hazards_of_instructions() {
        let rules = |text: &str| -> Vec<Rule> {
            let code: Vec<Instr> = code_of(text, Wave::W32);
            let executed: Vec<_> = code.iter().map(|instr| Executed::new(instr, Wave::W32)).collect();
            let executed: Vec<_> = executed.iter().collect();
            check_executed(&executed, true).iter().map(|finding| finding.rule).collect()
        };
        for jump in ["s_swappc_b64 s[30:31], s[4:5]", "s_call_b64 s[30:31], 100", "s_setpc_b64 s[30:31]"] {
            assert_eq!(rules(&std::format!("v_rcp_f32_e32 v3, v2; {jump}; v_mul_f32_e32 v3, 4.0, v3")), []);
            let freed =
                std::format!("scratch_store_b32 off, v9, off; {jump}; s_nop 0; s_sendmsg sendmsg(MSG_DEALLOC_VGPRS)");
            assert_eq!(rules(&freed), [Rule::ScratchBeforeDealloc]);
        }
    }
}

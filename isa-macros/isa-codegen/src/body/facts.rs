//! Flags that follow from bodies: `flags atomic = updates, index_s = moves s0;`.

use isa_body::{Op, Part, Place, Run, State, Target, ops};

use super::effects::{self, Effects};
use crate::ast::{Block, BodyFact, CompiledBody};

/// Gives each row of a block the flags whose facts hold for its body.
pub fn derive_flags(block: &mut Block) {
    for row in &mut block.rows {
        let Some(body) = &row.compiled else { continue };
        let derived = block.derived_flags.iter().filter(|(_, fact)| holds(fact, body));
        row.flags.extend(derived.map(|(flag, _)| flag.clone()));
    }
}

/// Returns whether a fact holds for a body.
fn holds(fact: &BodyFact, body: &CompiledBody) -> bool {
    // How often the body runs matters to EXEC only, which no fact asks for.
    let effects = effects::of(body, Run::Wave);
    let is_accessed = |set: u16| [Place::Mem, Place::Texel].into_iter().any(|place| set >> place as u16 & 1 != 0);
    let (loads, stores) = (is_accessed(effects.loads), is_accessed(effects.stores));
    match fact {
        BodyFact::Loads => loads && !stores,
        BodyFact::Stores => stores && !loads,
        BodyFact::Updates => loads && stores,
        BodyFact::Branches => effects.flags & (Effects::BRANCH | Effects::INDIRECT) == Effects::BRANCH,
        BodyFact::HighHalf => ops(&body.code)
            .any(|op| matches!(op, Op::Role { part: Part::High, .. } | Op::Write { target: Target::High(_), .. })),
        BodyFact::Moves(role) => {
            let role = body.roles.iter().position(|name| role.as_str() == name).map(|index| index as u8);
            ops(&body.code).any(|op| match op {
                Op::Relative { role: moved, .. } | Op::Write { target: Target::Relative(moved, _), .. } => {
                    Some(moved) == role
                }
                _ => false,
            })
        }
        BodyFact::Duplicates(state) => duplicates(body, *state),
    }
}

/// Returns whether a body writes one value to state and to an operand.
fn duplicates(body: &CompiledBody, state: State) -> bool {
    let is_state = |written: State| written == state || (state == State::Exec && written == State::ExecLo);
    let writes = || {
        ops(&body.code).filter_map(|op| match op {
            Op::Write { target, value, .. } => Some((target, value)),
            _ => None,
        })
    };
    writes().any(|(target, value)| {
        matches!(target, Target::State(written) if is_state(written))
            && writes().any(|(other, same)| matches!(other, Target::Role(_)) && same == value)
    })
}

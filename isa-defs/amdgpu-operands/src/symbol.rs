//! Expressions over symbols, where LLVM's assembler takes them.

use isa_runtime::{Asm, ErrorKind, Extent, Isa, ParseError, Resolution, Symbolic};

/// The special registers of all generations. A processor that lacks one refuses the name, and does not take it for a
/// symbol.
static SPECIAL_REGISTERS: [&str; 41] = [
    "exec",
    "exec_hi",
    "exec_lo",
    "execz",
    "flat_scratch",
    "flat_scratch_hi",
    "flat_scratch_lo",
    "lds_direct",
    "m0",
    "null",
    "pc",
    "pops_exiting_wave_id",
    "private_base",
    "private_limit",
    "scc",
    "shared_base",
    "shared_limit",
    "src_execz",
    "src_flat_scratch_base_hi",
    "src_flat_scratch_base_lo",
    "src_lds_direct",
    "src_pops_exiting_wave_id",
    "src_private_base",
    "src_private_limit",
    "src_scc",
    "src_shared_base",
    "src_shared_limit",
    "src_vccz",
    "tba",
    "tba_hi",
    "tba_lo",
    "tma",
    "tma_hi",
    "tma_lo",
    "vcc",
    "vcc_hi",
    "vcc_lo",
    "vccz",
    "xnack_mask",
    "xnack_mask_hi",
    "xnack_mask_lo",
];

/// The register files of all generations, by the letters before a register's number.
const FILES: [&str; 5] = ["v", "s", "ttmp", "acc", "a"];

/// Whether `text` begins with a register or a list of registers, in LLVM's syntax for all generations. Numbers that are
/// too high count: `v256` is a register that does not exist, never a symbol.
#[must_use]
pub fn begins_register(text: &str) -> bool {
    if text.starts_with('[') {
        return true;
    }
    let (name, rest) = split_name(text);
    if SPECIAL_REGISTERS.contains(&name) {
        return true;
    }
    FILES.iter().filter_map(|file| name.strip_prefix(file)).any(|number| {
        let number = number.strip_suffix(".l").or_else(|| number.strip_suffix(".h")).unwrap_or(number);
        if number.is_empty() { follows(rest, b'[') } else { number.bytes().all(|b| b.is_ascii_digit()) }
    })
}

/// The special register whose name is most like this one, if any is like it.
#[must_use]
pub fn nearest_register(name: &str) -> Option<&'static str> {
    isa_runtime::nearest(SPECIAL_REGISTERS, name)
}

/// Whether `text` begins with a modifier of operands or one that has a value: `|…|`, `abs(…)`, `offset:…`.
fn begins_modifier(text: &str) -> bool {
    let (name, rest) = split_name(text);
    text.starts_with('|')
        || !name.is_empty() && follows(rest, b':')
        || matches!(name, "abs" | "neg" | "sext") && follows(rest, b'(')
}

/// Splits `text` behind the name that it begins with.
fn split_name(text: &str) -> (&str, &str) {
    let in_name = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'$') || b >= 0x80;
    let end = text.bytes().position(|b| !in_name(b)).unwrap_or(text.len());
    text.split_at_checked(end).unwrap_or((text, ""))
}

/// Whether this byte comes next, past any blanks.
fn follows(text: &str, byte: u8) -> bool {
    text.trim_start_matches([' ', '\t']).as_bytes().first() == Some(&byte)
}

/// Whether an expression can come next, and no register or modifier does: what looks like one of these is no symbol.
fn can_begin<I: Isa>(asm: &mut Asm<'_, '_, I>) -> bool {
    let rest = asm.input.rest();
    let behind_sign = rest.strip_prefix('-').map(|rest| rest.trim_start_matches([' ', '\t']));
    let taken = |text: &str| begins_register(text) || begins_modifier(text);
    !taken(rest) && !behind_sign.is_some_and(taken)
}

/// Reads an expression over symbols where the operand can only be an expression; `None`, and nothing taken, if none
/// comes next.
///
/// # Errors
/// An expression whose value is known only later.
pub fn known<I: Isa>(asm: &mut Asm<'_, '_, I>) -> Result<Option<i64>, ParseError> {
    let found = asm.symbolic(Extent::Full);
    value(found)
}

/// Reads an expression over symbols where the operand can also be a register; `None`, and nothing taken, if a register,
/// a modifier or a number comes next.
///
/// # Errors
/// An expression whose value is known only later.
pub fn known_operand<I: Isa>(asm: &mut Asm<'_, '_, I>, extent: Extent) -> Result<Option<i64>, ParseError> {
    value(operand(asm, extent))
}

/// The value of an expression, which has to be known.
fn value(found: Option<Symbolic>) -> Result<Option<i64>, ParseError> {
    match found {
        None => Ok(None),
        Some(Symbolic { value: Resolution::Known(value), .. }) => Ok(Some(value)),
        Some(Symbolic { start, end, .. }) => Err(ParseError { start, end, kind: ErrorKind::Later }),
    }
}

/// Reads an expression over symbols whose value is known only later, for an operand that can also be a register; `None`,
/// and nothing taken, if anything else comes next.
pub fn unknown_operand<I: Isa>(asm: &mut Asm<'_, '_, I>) -> Option<Symbolic> {
    let start = asm.input.at();
    let found = operand(asm, Extent::Full).filter(|symbolic| !matches!(symbolic.value, Resolution::Known(_)));
    if found.is_none() {
        asm.input.go(start);
    }
    found
}

fn operand<I: Isa>(asm: &mut Asm<'_, '_, I>, extent: Extent) -> Option<Symbolic> {
    if asm.has_symbols() && can_begin(asm) { asm.symbolic(extent) } else { None }
}

#[cfg(test)]
mod tests {
    use super::{begins_modifier, begins_register};

    #[test]
    fn registers_are_told_from_symbols() {
        for text in ["v0", "s106", "v256", "a0", "acc1", "ttmp99", "v [0:1]", "[s0,s1]", "v1.l", "vcc", "tba", "s[k]"] {
            assert!(begins_register(text), "{text}");
        }
        for text in ["v", "s", "v0x", "a", "vx", "s1_", "vccx", "k", "", "1", "(v0)", "-v0", "S0"] {
            assert!(!begins_register(text), "{text}");
        }
    }

    #[test]
    fn modifiers_are_told_from_symbols() {
        for text in ["|k|", "abs(k)", "neg (k)", "offset:k", "k :: v_dual_mov_b32"] {
            assert!(begins_modifier(text), "{text}");
        }
        for text in ["abs", "neg", "offset", "glc", "lit(k)", ""] {
            assert!(!begins_modifier(text), "{text}");
        }
    }
}

//! Names that LLVM's assembler takes for registers or modifiers, and never for symbols.

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
pub(crate) fn begins_modifier(text: &str) -> bool {
    let (name, rest) = split_name(text);
    text.starts_with('|')
        || !name.is_empty() && follows(rest, b':')
        || matches!(name, "abs" | "neg" | "sext") && follows(rest, b'(')
}

/// Splits `text` after the name that it begins with. A relocation specifier belongs to the name.
fn split_name(text: &str) -> (&str, &str) {
    let in_name = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'$' | b'@') || b >= 0x80;
    let end = text.bytes().position(|b| !in_name(b)).unwrap_or(text.len());
    text.split_at_checked(end).unwrap_or((text, ""))
}

/// Whether this byte comes next, past any blanks.
fn follows(text: &str, byte: u8) -> bool {
    text.trim_start_matches([' ', '\t']).as_bytes().first() == Some(&byte)
}

#[cfg(test)]
mod tests {
    use super::{begins_modifier, begins_register};

    #[test]
    fn registers_are_told_from_symbols() {
        for text in ["v0", "s106", "v256", "a0", "acc1", "ttmp99", "v [0:1]", "[s0,s1]", "v1.l", "vcc", "tba", "s[k]"] {
            assert!(begins_register(text), "{text}");
        }
        for text in [
            "v",
            "s",
            "v0x",
            "a",
            "vx",
            "s1_",
            "vccx",
            "k",
            "",
            "1",
            "(v0)",
            "-v0",
            "S0",
            "v4@rel32@lo",
            "vcc@abs32@lo",
        ] {
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

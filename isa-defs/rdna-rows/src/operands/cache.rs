//! The cache policy of RDNA4: how long data stays in caches (`th:`), and how far an access reaches (`scope:`).

#[cfg(feature = "parse")]
use isa::class::expression::expression_in;
#[cfg(feature = "parse")]
use isa::{Asm, ParseError};
use isa::{Cx, Text};

#[cfg(feature = "parse")]
use super::SCOPE_NAMES;
use crate::{Generation, flags, roles};

/// What a temporal hint is about, which decides its names.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Load,
    Store,
    Atomic,
}

impl Kind {
    fn of<I: Generation>(cx: &Cx<'_, I>) -> Self {
        if cx.has(flags::ATOMIC) {
            Kind::Atomic
        } else if cx.has(flags::STORE) {
            Kind::Store
        } else {
            Kind::Load
        }
    }

    /// What all names of the kind begin with.
    const fn prefix(self) -> &'static str {
        match self {
            Kind::Load => "TH_LOAD_",
            Kind::Store => "TH_STORE_",
            Kind::Atomic => "TH_ATOMIC_",
        }
    }

    /// The hints that have a name, the one that is written first.
    const fn names(self) -> &'static [(u32, &'static str)] {
        match self {
            Kind::Load => &[(0, "RT"), (1, "NT"), (2, "HT"), (3, "LU"), (4, "NT_RT"), (5, "RT_NT"), (6, "NT_HT")],
            Kind::Store => {
                &[(0, "RT"), (1, "NT"), (2, "HT"), (3, "WB"), (4, "NT_RT"), (5, "RT_NT"), (6, "NT_HT"), (7, "NT_WB")]
            }
            Kind::Atomic => &[
                (0, "RT"),
                (RETURN, "RETURN"),
                (2, "NT"),
                (3, "NT_RETURN"),
                (CASCADE, "CASCADE_RT"),
                (6, "CASCADE_NT"),
                (RETURN, "RT_RETURN"),
            ],
        }
    }
}

/// The bit of an atomic that returns what was in memory.
const RETURN: u32 = 1;
/// The bit of an atomic that is computed in several caches. LLVM prints the same name with and without [`RETURN`], and reads it
/// as the hint without: an atomic that cascades returns nothing.
const CASCADE: u32 = 4;
/// The hint of loads and stores that has another name for an access that reaches the whole system.
const BYPASS: u32 = 3;

/// The code of RDNA4's SCOPE_DEV: accesses with this scope or a wider one reach the whole device.
pub const DEVICE_SCOPE: u32 = 2;
/// The code of SCOPE_SYS.
const SYSTEM: u32 = 3;

/// Returns all bits of a hint. Its lowest bit is a separate field.
fn whole<I: Generation>(cx: &Cx<'_, I>, code: u32) -> u32 {
    code << 1 | cx.sibling("rtn").map_or(0, |(low, _)| low)
}

/// Returns whether a temporal hint has a name that text can state. The others are reserved: 7 of loads, and cascades that return a
/// value or reach less than the device.
pub(super) fn is_named<I: Generation>(cx: &Cx<'_, I>, code: u32) -> bool {
    let (hint, kind) = (whole(cx, code), Kind::of(cx));
    let is_cascade = kind == Kind::Atomic && hint & CASCADE != 0;
    let reaches_device = cx.sibling("scope").is_some_and(|(scope, _)| scope >= DEVICE_SCOPE);
    (!is_cascade || reaches_device) && kind.names().iter().any(|(named, _)| *named == hint)
}

/// Writes a temporal hint.
pub(super) fn write_hint<I: Generation>(cx: &Cx<'_, I>, code: u32, out: &mut Text) {
    let hint = whole(cx, code);
    if hint == 0 {
        return;
    }
    let kind = Kind::of(cx);
    let scope = cx.sibling("scope").map_or(0, |(scope, _)| scope);
    let name = match kind {
        // LLVM ignores the bits that a cascade has no name for.
        Kind::Atomic if hint & CASCADE != 0 => (scope >= DEVICE_SCOPE).then_some(hint & !RETURN),
        _ => Some(hint),
    };
    let name = name.and_then(|hint| kind.names().iter().find(|(code, _)| *code == hint));
    out.push(" th:");
    match name {
        Some(_) if hint == BYPASS && scope == SYSTEM && kind != Kind::Atomic => {
            out.push(kind.prefix());
            out.push("BYPASS");
        }
        Some((_, name)) => {
            out.push(kind.prefix());
            out.push(name);
        }
        None => {
            if kind == Kind::Atomic {
                out.push(kind.prefix());
            }
            out.hex(hint);
        }
    }
}

/// Reads a temporal hint and a scope, in any order, one after the other.
#[cfg(feature = "parse")]
pub(super) fn read_hint<I: Generation>(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
    const COMBINATION: &str =
        "an access that bypasses caches has th:TH_LOAD_BYPASS or th:TH_STORE_BYPASS, and scope:SCOPE_SYS";
    const CASCADE_SCOPE: &str = "an atomic that cascades has scope:SCOPE_DEV or scope:SCOPE_SYS";
    let start = asm.input.at();
    let (mut hint, mut scope, mut bypass) = (None, None, false);
    loop {
        if hint.is_none() && asm.input.eat_key("th") {
            let code = hint_code(asm)?;
            (hint, bypass) = (Some(code.0), code.1);
        } else if scope.is_none() && asm.input.eat_key("scope") {
            scope = Some(scope_code(asm)?);
        } else {
            break;
        }
    }
    if hint.is_none() && scope.is_none() {
        return Ok(None);
    }
    let (hint, scope) = (hint.unwrap_or(0), scope.unwrap_or(0));
    let can_bypass = Kind::of(&asm.cx()) != Kind::Atomic;
    if can_bypass && hint == BYPASS && (scope == SYSTEM) != bypass {
        return Err(asm.rule_at(start, COMBINATION));
    }
    if !can_bypass && hint & CASCADE != 0 && scope < DEVICE_SCOPE {
        return Err(asm.rule_at(start, CASCADE_SCOPE));
    }
    asm.set_field("SCOPE", scope);
    asm.set_field("GLC", hint & 1);
    Ok(Some(hint >> 1))
}

/// Reads the name of a hint. Returns its code, and whether it is the name of an access that bypasses caches.
#[cfg(feature = "parse")]
fn hint_code<I: Generation>(asm: &mut Asm<'_, '_, I>) -> Result<(u32, bool), ParseError> {
    let kind = Kind::of(&asm.cx());
    let word = asm.input.peek_word();
    let name = word.strip_prefix(kind.prefix());
    let code = match (word, name) {
        ("TH_DEFAULT", _) => Some((0, false)),
        (_, Some("BYPASS")) if kind != Kind::Atomic => Some((BYPASS, true)),
        (_, Some(name)) => kind.names().iter().find(|(_, known)| *known == name).map(|(code, _)| (*code, false)),
        _ => None,
    };
    // SMEM has two bits.
    let fits = |code: &(u32, bool)| code.0 < 4 || asm.cx().sibling(roles::BASE).is_none();
    let Some(code) = code.filter(fits) else {
        return Err(asm.expected(match kind {
            Kind::Load if asm.cx().sibling(roles::BASE).is_some() => {
                "a hint of scalar loads: TH_LOAD_RT, TH_LOAD_NT, TH_LOAD_HT, TH_LOAD_LU or, with scope:SCOPE_SYS, TH_LOAD_BYPASS"
            }
            Kind::Load => {
                "a hint of loads: TH_LOAD_RT, TH_LOAD_NT, TH_LOAD_HT, TH_LOAD_LU, TH_LOAD_NT_RT, TH_LOAD_RT_NT, TH_LOAD_NT_HT or, with \
                 scope:SCOPE_SYS, TH_LOAD_BYPASS"
            }
            Kind::Store => {
                "a hint of stores: TH_STORE_RT, TH_STORE_NT, TH_STORE_HT, TH_STORE_WB, TH_STORE_NT_RT, TH_STORE_RT_NT, TH_STORE_NT_HT, \
                 TH_STORE_NT_WB or, with scope:SCOPE_SYS, TH_STORE_BYPASS"
            }
            Kind::Atomic => {
                "a hint of atomics: TH_ATOMIC_RETURN, TH_ATOMIC_NT, TH_ATOMIC_NT_RETURN, TH_ATOMIC_CASCADE_RT, TH_ATOMIC_CASCADE_NT"
            }
        }));
    };
    asm.input.word();
    Ok(code)
}

/// Reads a scope by its name or its number.
#[cfg(feature = "parse")]
fn scope_code<I: Generation>(asm: &mut Asm<'_, '_, I>) -> Result<u32, ParseError> {
    let word = asm.input.peek_word();
    if let Some((code, _)) = SCOPE_NAMES.iter().find(|(_, name)| *name == word) {
        asm.input.word();
        return Ok(*code);
    }
    if word.starts_with("SCOPE_") {
        return Err(asm.expected("a scope: SCOPE_CU, SCOPE_SE, SCOPE_DEV, SCOPE_SYS or a number from 0 to 3"));
    }
    expression_in(asm, 0, 3, "the scope is SCOPE_CU, SCOPE_SE, SCOPE_DEV, SCOPE_SYS or a number from 0 to 3")
}

/// Reads nothing: [`read_hint`] reads the scope, and text never has what processors lack.
#[cfg(feature = "parse")]
pub(super) fn read_nothing<I: Generation>(_: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
    Ok(None)
}

/// Writes the name of a modifier.
pub(super) fn write_name<I: Generation>(cx: &Cx<'_, I>, code: u32, out: &mut Text) {
    if code != 0 {
        out.push(" ");
        out.push(cx.name);
    }
}

/// Returns whether the bit of a modifier that processors lack is valid.
pub(super) fn is_available<I: Generation>(_: &Cx<'_, I>, _: u32) -> bool {
    false
}

/// Returns whether LLVM prints a modifier that processors lack, or a reserved hint: it always does.
pub(super) fn prints_invalid<I: Generation>(_: &Cx<'_, I>, _: u32) -> bool {
    true
}

//! Names of C++ and Rust symbols as their sources have them.

use std::fmt;

use cpp_demangle::{BorrowedSymbol, DemangleNodeType, DemangleOptions, DemangleWrite};

use amdgpu_object::printable;

/// The most bytes of a demangled name: substitutions let short symbols stand for names of any length.
const LONGEST: usize = 1 << 14;

/// Returns the demangled name of a symbol; `None` if the symbol is not mangled.
#[must_use]
pub fn demangled(symbol: &str) -> Option<String> {
    rust(symbol).or_else(|| cpp(symbol, DemangleOptions::new(), true))
}

/// Returns the name of a symbol for a terminal: demangled if it is mangled, without terminal escapes.
#[must_use]
pub fn readable(symbol: &str) -> String {
    printable(demangled(symbol).as_deref().unwrap_or(symbol).as_bytes())
}

/// Returns the name of a mangled function without parameters and result, and without template arguments as well. Empty if the
/// symbol is not mangled.
#[must_use]
pub fn function_names(symbol: &str) -> Vec<String> {
    let short = DemangleOptions::new().no_params().no_return_type();
    match rust(symbol) {
        Some(name) => vec![name],
        None => [true, false].into_iter().filter_map(|templates| cpp(symbol, short, templates)).collect(),
    }
}

fn rust(symbol: &str) -> Option<String> {
    let name = rustc_demangle::try_demangle(symbol).ok()?;
    // `#` leaves the hash out. The library bounds the length, to more than fits a message.
    Some(format!("{name:#}")).filter(|name| name.len() <= LONGEST)
}

fn cpp(symbol: &str, options: DemangleOptions, templates: bool) -> Option<String> {
    // Other names may be types, such as `f`.
    if !symbol.starts_with("_Z") {
        return None;
    }
    let mut out = Bounded::new(templates);
    BorrowedSymbol::new(symbol.as_bytes()).ok()?.structured_demangle(&mut out, &options).ok()?;
    // The brackets are outside of the arguments' node.
    Some(if templates { out.text } else { out.text.replace("<>", "") })
}

/// Returns the part of a name after its last `::` that is outside of brackets.
#[must_use]
pub fn unqualified(name: &str) -> &str {
    let (mut depth, mut start) = (0_usize, 0);
    for (at, c) in name.char_indices() {
        match c {
            '<' | '(' | '{' => depth += 1,
            '>' | ')' | '}' => depth = depth.saturating_sub(1),
            ':' if depth == 0 => start = at + 1,
            _ => {}
        }
    }
    name.get(start..).unwrap_or(name)
}

/// Text of a bounded length, with or without template arguments.
struct Bounded {
    text: String,
    templates: bool,
    /// How many nodes are open from the outermost list of template arguments on.
    depth: usize,
}

impl Bounded {
    fn new(templates: bool) -> Self {
        Self { text: String::new(), templates, depth: 0 }
    }
}

impl DemangleWrite for Bounded {
    fn push_demangle_node(&mut self, node: DemangleNodeType) {
        self.depth += usize::from(self.depth > 0 || node == DemangleNodeType::TemplateArgs);
    }

    fn pop_demangle_node(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    fn write_string(&mut self, text: &str) -> fmt::Result {
        if self.templates || self.depth == 0 {
            if self.text.len() + text.len() > LONGEST {
                return Err(fmt::Error);
            }
            self.text.push_str(text);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_sources_are_found() {
        let cases: [(&str, &str, &[&str], &str); 4] = [
            ("_Z3addPKfS0_Pfi", "add(float const*, float const*, float*, int)", &["add", "add"], "add"),
            (
                "_ZN2ns5scaleIfLi4EEEvPT_",
                "void ns::scale<float, 4>(float*)",
                &["ns::scale<float, 4>", "ns::scale"],
                "scale<float, 4>",
            ),
            ("_ZN4core3fmt5write17h0123456789abcdefE", "core::fmt::write", &["core::fmt::write"], "write"),
            ("_RNvC6_123foo3bar", "123foo::bar", &["123foo::bar"], "bar"),
        ];
        for (symbol, full, functions, last) in cases {
            assert_eq!(demangled(symbol).as_deref(), Some(full));
            assert_eq!(function_names(symbol), functions);
            assert_eq!(unqualified(functions[0]), last);
        }
        for symbol in ["saxpy", "f", "_Z", "_ZN", "", "matmul_kernel", "_Z4"] {
            assert_eq!((demangled(symbol), function_names(symbol)), (None, Vec::new()), "{symbol}");
        }
        assert_eq!(readable("a\x1b"), "a\\u{1b}");
    }

    #[test]
    fn long_names_are_bounded() {
        // Each parameter is a pair of the one before it, twice.
        let pairs = |count: u32| {
            let digits = (0..count).filter_map(|n| char::from_digit(n, 36)).map(|digit| digit.to_ascii_uppercase());
            digits.fold(String::from("_Z1fSt4pairIiiE"), |symbol, last| format!("{symbol}S_IS{last}_S{last}_E"))
        };
        assert!(demangled(&pairs(4)).is_some_and(|name| name.len() > 100));
        assert_eq!(demangled(&pairs(30)), None);
        assert!(demangled(&format!("_Z1f{}i", "P".repeat(10))).is_some());
        assert_eq!(demangled(&format!("_Z1f{}i", "P".repeat(100_000))), None);
    }
}

//! What is wrong with blocks, and where.

use std::collections::HashSet;

use proc_macro2::{Literal, Span, TokenStream};
use quote::quote_spanned;

/// Something wrong at a token.
#[derive(Clone, Debug)]
pub struct Fault {
    /// The token.
    pub span: Span,
    /// What is wrong, and how to mend it.
    pub text: String,
}

impl Fault {
    /// A fault at this place.
    pub fn new(span: Span, text: impl Into<String>) -> Fault {
        Fault { span, text: text.into() }
    }

    /// The error that the compiler reports.
    #[must_use]
    pub fn to_compile_error(&self) -> TokenStream {
        let span = self.span;
        let mut text = Literal::string(&self.text);
        text.set_span(span);
        quote_spanned!(span=> ::core::compile_error! { #text })
    }

    /// Tells it from others.
    pub(crate) fn key(&self) -> String {
        format!("{:?} {}", self.span, self.text)
    }
}

/// Collects faults, so that one run reports them all, each once: the rows of a family share their tokens.
#[derive(Clone, Debug, Default)]
pub struct Faults {
    all: Vec<Fault>,
    seen: HashSet<String>,
}

impl Faults {
    /// Adds a fault.
    pub fn say(&mut self, span: Span, text: impl Into<String>) {
        self.add(Fault::new(span, text));
    }

    /// Adds a fault.
    pub fn add(&mut self, fault: Fault) {
        if self.seen.insert(fault.key()) {
            self.all.push(fault);
        }
    }

    /// Adds those that were found elsewhere.
    pub fn join(&mut self, found: Faults) {
        for fault in found.all {
            self.add(fault);
        }
    }

    /// All of them, in the order in which they were found.
    #[must_use]
    pub fn all(&self) -> &[Fault] {
        &self.all
    }

    /// Whether there are none.
    ///
    /// # Errors
    /// Themselves, if there are some.
    pub fn result(self) -> Result<(), Faults> {
        if self.all.is_empty() { Ok(()) } else { Err(self) }
    }

    /// The errors that the compiler reports.
    #[must_use]
    pub fn to_compile_error(&self) -> TokenStream {
        self.all.iter().map(Fault::to_compile_error).collect()
    }
}

impl From<Fault> for Faults {
    fn from(fault: Fault) -> Faults {
        let mut faults = Faults::default();
        faults.add(fault);
        faults
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_is_said_once() {
        let mut faults = Faults::default();
        for text in ["a", "b", "a"] {
            faults.say(Span::call_site(), text);
        }
        assert_eq!(faults.result().err().map(|e| e.all().len()), Some(2));
    }
}

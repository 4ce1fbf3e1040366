//! Compile errors with spans, and the phrases that several messages share.

use std::fmt;

use proc_macro2::{Literal, Span, TokenStream};
use quote::{quote, quote_spanned};

use crate::lists::insert;
use crate::spanned::SpannedStr;

/// A compile error at a token.
#[derive(Clone, Debug)]
pub struct Error {
    /// The token.
    pub span: Span,
    /// A sentence on what is wrong and, on a line that begins with `help: `, one on how to fix it.
    pub message: String,
    /// What errors with one cause share: a list keeps the first of them only.
    pub cause: Option<String>,
}

impl Error {
    /// Creates an error whose message has no help yet, or includes it.
    pub fn new(span: Span, message: impl Into<String>) -> Error {
        Error { span, message: message.into(), cause: None }
    }

    /// Creates an error with a line of help.
    pub fn with_help(span: Span, message: impl fmt::Display, help: impl fmt::Display) -> Error {
        Error::new(span, format!("{message}\nhelp: {help}"))
    }

    /// Names the cause of the error, which other rows of the block may share.
    #[must_use]
    pub fn with_cause(self, cause: impl Into<String>) -> Error {
        Error { cause: Some(cause.into()), ..self }
    }

    /// Returns the `compile_error!` invocation that makes rustc report the error at its token.
    #[must_use]
    pub fn to_compile_error(&self) -> TokenStream {
        let span = self.span;
        let mut message = Literal::string(&self.message);
        message.set_span(span);
        quote_spanned!(span=> ::core::compile_error! { #message })
    }

    /// Returns a key that is equal for two errors if both have the same cause, or the same message at the same token.
    pub(crate) fn key(&self) -> String {
        self.cause.clone().unwrap_or_else(|| format!("{:?} {}", self.span, self.message))
    }
}

/// Returns the names that a misspelt one may mean: those that differ in one character, contain it, or are contained in it.
pub fn near_names<'a>(misspelt: &str, names: impl Iterator<Item = &'a str>) -> impl Iterator<Item = &'a str> {
    let is_near = move |name: &&str| {
        let differences = name.chars().zip(misspelt.chars()).filter(|(x, y)| x != y).count();
        (name.len() == misspelt.len() && differences <= 1)
            || (misspelt.len() > 2 && (name.contains(misspelt) || misspelt.contains(*name) && name.len() > 2))
    };
    names.filter(is_near)
}

/// A list of errors without duplicates.
///
/// One expansion reports all errors that it finds. Duplicates arise because all rows of a family share their tokens, and all rows
/// of a block its clauses.
#[derive(Clone, Debug, Default)]
pub struct Errors {
    list: Vec<Error>,
    /// Their keys, sorted.
    keys: Vec<String>,
}

impl Errors {
    /// Adds an error with a line of help.
    pub fn report(&mut self, span: Span, message: impl fmt::Display, help: impl fmt::Display) {
        self.push(Error::with_help(span, message, help));
    }

    /// Adds an error.
    pub fn push(&mut self, error: Error) {
        if insert(&mut self.keys, error.key()) {
            self.list.push(error);
        }
    }

    /// Adds all errors of another list.
    pub fn append(&mut self, other: Errors) {
        for error in other.list {
            self.push(error);
        }
    }

    /// Returns the errors in the order in which they were found.
    #[must_use]
    pub fn as_slice(&self) -> &[Error] {
        &self.list
    }

    /// Converts the list to a result, which is `Ok` if there are no errors.
    ///
    /// # Errors
    /// The list, unless it is empty.
    pub fn into_result(self) -> Result<(), Errors> {
        if self.list.is_empty() { Ok(()) } else { Err(self) }
    }

    /// Returns the `compile_error!` invocations of all errors.
    #[must_use]
    pub fn to_compile_error(&self) -> TokenStream {
        let all = self.list.iter().map(Error::to_compile_error);
        quote!(#(#all)*)
    }
}

impl From<Error> for Errors {
    fn from(error: Error) -> Errors {
        let mut errors = Errors::default();
        errors.push(error);
        errors
    }
}

/// Formats names as `` `x`, `y` ``, and an empty list as `none`.
pub fn name_list<'a>(names: impl IntoIterator<Item = &'a SpannedStr>) -> String {
    let names: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
    if names.is_empty() { "none".into() } else { names.join(", ") }
}

/// Formats a number of bits: `1 bit`, `3 bits`.
pub fn bit_count(n: u32) -> String {
    if n == 1 { "1 bit".into() } else { format!("{n} bits") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn duplicates_are_dropped() {
        let mut errors = Errors::default();
        for message in ["a", "b", "a"] {
            errors.push(Error::new(Span::call_site(), message));
        }
        assert_eq!(errors.into_result().err().map(|e| e.as_slice().len()), Some(2));
    }

    #[test]
    fn errors_with_one_cause_are_one_error() {
        let mut errors = Errors::default();
        for (message, cause) in [("a", "x"), ("b", "x"), ("c", "y")] {
            errors.push(Error::new(Span::call_site(), message).with_cause(cause));
        }
        let messages: Vec<&str> = errors.as_slice().iter().map(|error| error.message.as_str()).collect();
        assert_eq!(messages, ["a", "c"]);
    }
}

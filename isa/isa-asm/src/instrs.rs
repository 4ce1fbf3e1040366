//! Expansion of `instrs!`, whose statements may hold run-time values.

use proc_macro2::{Literal, TokenStream, TokenTree};
use quote::{quote, quote_spanned};

use crate::language::Language;
use crate::program::{Assembled, Program, compile_errors};
use crate::statement::{Error, Statement};

/// The most run-time values of a statement that [`check_with_samples`] tries: the number of attempts is exponential
/// in the number of values. Statements with more values are checked at run time only.
const MAX_SAMPLED_VALUES: usize = 4;

/// Expands `instrs! { {path of the crate} … }`.
pub fn expand<M: Copy>(input: TokenStream, language: &Language<M>) -> TokenStream {
    let mut input = input.into_iter();
    let krate = match input.next() {
        Some(TokenTree::Group(group)) => group.stream(),
        _ => TokenStream::new(),
    };
    let mut program = Program::new(input.collect(), language);
    let mut lines = Vec::new();
    for index in 0..program.statements.len() {
        match line(&program, index, language, &krate) {
            Ok(parts) => lines.push(parts),
            Err(error) => program.errors.push(error),
        }
    }
    // The fallback has the type of a correct expansion, so that rustc reports no type error beside ours.
    let fallback = quote!(::core::result::Result::<[#krate::Instr; 0], #krate::isa::LineError>::Ok([]));
    if !program.errors.is_empty() {
        return compile_errors(program.errors, &fallback);
    }
    let (count, mode) = (lines.len(), Literal::usize_unsuffixed(program.mode_index));
    if count == 0 {
        return fallback;
    }
    quote!(#krate::__private::instructions::<#count>(#mode, &[#(&[#lines]),*]))
}

/// Returns the parts of one line, separated by commas: `isa::LinePart::{Text, Value, Label}`.
fn line<M: Copy>(
    program: &Program<M>,
    index: usize,
    language: &Language<M>,
    krate: &TokenStream,
) -> Result<TokenStream, Error> {
    let Some(statement) = program.statements.get(index) else { return Ok(TokenStream::new()) };
    if let Some(error) = statement.braces_for_instruction() {
        return Err(error);
    }
    let label = if statement.placeholders.is_empty() {
        match program.assemble(statement, language)? {
            Assembled::Branch(branch) => Some((branch.label_start, branch.target)),
            Assembled::Data(_) => {
                let message = "`.long` is not an instruction\nhelp: write `asm!`, which yields dwords";
                return Err(statement.error(0..statement.text.len(), message));
            }
            Assembled::Words(_) | Assembled::Invalid => None,
        }
    } else {
        check_with_samples(program, statement, language)?
    };
    let mut parts = Vec::new();
    let mut from = 0;
    let mut push_text = |to: usize, parts: &mut Vec<TokenStream>| {
        let text = statement.text.get(from..to).unwrap_or_default();
        from = to;
        if !text.is_empty() {
            parts.push(quote!(#krate::isa::LinePart::Text(#text)));
        }
    };
    for placeholder in &statement.placeholders {
        push_text(placeholder.offset, &mut parts);
        // With the span of the braces, so that rustc reports a value of a wrong type there.
        let value = &placeholder.value;
        let value = quote_spanned!(placeholder.span=> &(#value));
        parts.push(quote!(#krate::isa::LinePart::Value(#value)));
    }
    match label {
        Some((label_start, target)) => {
            push_text(label_start, &mut parts);
            parts.push(quote!(#krate::isa::LinePart::Label(#target)));
        }
        None => push_text(statement.text.len(), &mut parts),
    }
    Ok(quote!(#(#parts),*))
}

/// Parses a statement with every combination of sample operands in place of its run-time values, until the parser
/// accepts one. If it accepts none, returns the error of the attempt that the parser could follow furthest.
///
/// On success, returns the byte offset and the target of the label at the end of the statement, if there is one.
fn check_with_samples<M: Copy>(
    program: &Program<M>,
    statement: &Statement,
    language: &Language<M>,
) -> Result<Option<(usize, usize)>, Error> {
    let label = statement.last_name().and_then(|(start, name)| Some((start, *program.labels.get(name)?)));
    let count = statement.placeholders.len();
    if count > MAX_SAMPLED_VALUES {
        return Ok(label);
    }
    let end = label.map_or(statement.text.len(), |(start, _)| start);
    let mut furthest: Option<(usize, usize, String)> = None;
    let samples = language.samples.len();
    for attempt in 0..samples.pow(count as u32) {
        // The digits of `attempt` in base `samples` choose the sample of each value.
        let mut digits = attempt;
        let (mut text, mut from, mut inserted) = (String::new(), 0, Vec::new());
        for placeholder in &statement.placeholders {
            text.push_str(statement.text.get(from..placeholder.offset).unwrap_or_default());
            let sample = language.samples.get(digits % samples).copied().unwrap_or_default();
            inserted.push((text.len(), sample.len(), placeholder.offset));
            text.push_str(sample);
            (from, digits) = (placeholder.offset, digits / samples);
        }
        text.push_str(statement.text.get(from..end).unwrap_or_default());
        if label.is_some() {
            text.push('0');
        }
        let error = match (language.parse)(&text, program.mode) {
            Ok(_) => return Ok(label),
            Err(error) => error,
        };
        // Maps an offset in `text` to an offset in the statement's text.
        let to_statement = |offset: usize| {
            let (mut original, mut in_text) = (0, 0);
            for (start, length, placeholder) in &inserted {
                if offset < *start {
                    break;
                }
                if offset < start + length {
                    return *placeholder;
                }
                (original, in_text) = (*placeholder, start + length);
            }
            offset - in_text + original
        };
        let (start, stop) = (to_statement(error.start), to_statement(error.end));
        if furthest.as_ref().is_none_or(|(best, ..)| start > *best) {
            furthest = Some((start, stop, error.to_string()));
        }
    }
    let (start, stop, message) = furthest.unwrap_or_default();
    Err(statement.error(start..stop.max(start), message))
}

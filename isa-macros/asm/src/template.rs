//! `instrs!`: lines with values of run time in them.

use proc_macro2::{Literal, TokenStream, TokenTree};
use quote::quote;

use crate::Language;
use crate::program::{Piece, Program, errors};
use crate::statement::{Fault, Statement};

/// With more values in one line than this, whether some operands fit is left to run time: the attempts multiply.
const MOST_VALUES: usize = 4;

/// `instrs! { {path of the crate} … }`.
pub fn instrs<M: Copy>(input: TokenStream, language: &Language<M>) -> TokenStream {
    let mut input = input.into_iter();
    let home = match input.next() {
        Some(TokenTree::Group(group)) => group.stream(),
        _ => TokenStream::new(),
    };
    let mut program = Program::new(input.collect(), language);
    let mut lines = Vec::new();
    for at in 0..program.statements.len() {
        match line(&program, at, language, &home) {
            Ok(parts) => lines.push(parts),
            Err(fault) => program.faults.push(fault),
        }
    }
    // What stands for an expansion with faults has a type like the right one, so that rustc finds no fault in that.
    let nothing = quote!(::core::result::Result::<[#home::Instr; 0], #home::isa::LineError>::Ok([]));
    if !program.faults.is_empty() {
        return errors(program.faults, &nothing);
    }
    let (count, mode) = (lines.len(), Literal::usize_unsuffixed(program.mode_index));
    if count == 0 {
        return nothing;
    }
    quote!(#home::__private::instructions::<#count>(#mode, &[#(&[#lines]),*]))
}

/// The parts of one line.
fn line<M: Copy>(
    program: &Program<M>,
    at: usize,
    language: &Language<M>,
    home: &TokenStream,
) -> Result<TokenStream, Fault> {
    let Some(statement) = program.statements.get(at) else { return Ok(TokenStream::new()) };
    let label = if statement.holes.is_empty() {
        match program.read(statement, language)? {
            Piece::Branch(branch) => Some((branch.at, branch.target)),
            Piece::Data(_) => {
                let say = "`.long` is no instruction: `asm!` takes it, which yields words";
                return Err(statement.fault(0..statement.text.len(), say));
            }
            Piece::Words(_) | Piece::Faulty => None,
        }
    } else {
        some_values_fit(program, statement, language)?
    };
    let mut parts = Vec::new();
    let mut from = 0;
    let mut text = |to: usize, parts: &mut Vec<TokenStream>| {
        let text = statement.text.get(from..to).unwrap_or_default();
        from = to;
        if !text.is_empty() {
            parts.push(quote!(#home::isa::Part::Text(#text)));
        }
    };
    for hole in &statement.holes {
        text(hole.at, &mut parts);
        let value = &hole.value;
        parts.push(quote!(#home::isa::Part::Value(&(#value))));
    }
    match label {
        Some((at, target)) => {
            text(at, &mut parts);
            parts.push(quote!(#home::isa::Part::Label(#target)));
        }
        None => text(statement.text.len(), &mut parts),
    }
    Ok(quote!(#(#parts),*))
}

/// Tries operands in the places of the values until the parser takes a line: what is wrong besides them is a fault now.
/// Gives the place and the target of the label that stands at the end, if one does.
fn some_values_fit<M: Copy>(
    program: &Program<M>,
    statement: &Statement,
    language: &Language<M>,
) -> Result<Option<(usize, usize)>, Fault> {
    let label = statement.last_name().and_then(|(at, name)| Some((at, *program.labels.get(name)?)));
    let count = statement.holes.len();
    if count > MOST_VALUES {
        return Ok(label);
    }
    let end = label.map_or(statement.text.len(), |(at, _)| at);
    let mut worst: Option<(usize, usize, String)> = None;
    let samples = language.samples.len();
    for attempt in 0..samples.pow(count as u32) {
        // The digits of the attempt's number choose the samples.
        let mut rest = attempt;
        let (mut text, mut from, mut places) = (String::new(), 0, Vec::new());
        for hole in &statement.holes {
            text.push_str(statement.text.get(from..hole.at).unwrap_or_default());
            let sample = language.samples.get(rest % samples).copied().unwrap_or_default();
            places.push((text.len(), sample.len(), hole.at));
            text.push_str(sample);
            (from, rest) = (hole.at, rest / samples);
        }
        text.push_str(statement.text.get(from..end).unwrap_or_default());
        if label.is_some() {
            text.push('0');
        }
        let refused = match (language.parse)(&text, program.mode) {
            Ok(_) => return Ok(label),
            Err(refused) => refused,
        };
        // Places in the attempt's text to places in the statement's.
        let back = |at: usize| {
            let (mut old, mut new) = (0, 0);
            for (place, length, hole) in &places {
                if at < *place {
                    break;
                }
                if at < place + length {
                    return *hole;
                }
                (old, new) = (*hole, place + length);
            }
            at - new + old
        };
        let (start, stop) = (back(refused.start), back(refused.end));
        if worst.as_ref().is_none_or(|(furthest, ..)| start > *furthest) {
            worst = Some((start, stop, refused.to_string()));
        }
    }
    let (start, stop, message) = worst.unwrap_or_default();
    Err(statement.fault(start..stop.max(start), message))
}

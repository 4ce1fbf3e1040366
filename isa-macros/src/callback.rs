//! The callback chain that joins blocks of many files into one set.
//!
//! Every `isa!` defines a `macro_rules!` macro, its callback, with the tokens of the block. `isa_set!` calls the callback
//! of its first block with the paths of the others. Each callback appends its tokens and calls the next; the last one
//! calls `__isa_finish!`. Tokens keep their spans, so errors point at the file of the row.

use isa_codegen::ast::{Block, SetHeader};
use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, TokenStream, TokenTree};
use quote::{format_ident, quote};
use syn::braced;
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};

use crate::parse::{self, error};

/// Expands `isa! { … }`: reports the errors of the block, and defines its callback.
pub fn block(input: TokenStream) -> syn::Result<TokenStream> {
    if parse::begins_operands(&input) {
        let tables = parse::operand_tables.parse2(input)?;
        return Ok(isa_codegen::operands(&tables));
    }
    let block = parse::block.parse2(input.clone())?;
    let (tokens, errors) = match isa_codegen::check(&block) {
        Ok(bodies) => (hand_on(input, &bodies), None),
        // The set reports no further errors if one of its blocks is `invalid`. It still has the flags of the block, which operand
        // classes name.
        Err(errors) => {
            let flags = flag_names(&block);
            (quote!(invalid #(#flags)*), Some(errors.to_compile_error()))
        }
    };
    let name = &block.name;
    let callback = format_ident!("__isa_block_{name}");
    Ok(quote! {
        #errors
        #[doc(hidden)]
        #[allow(unused_macros)]
        macro_rules! #callback {
            ({$($head:tt)*} [$($done:tt)*] []) => {
                ::isa::__private::__isa_finish! { {$($head)*} $($done)* { #tokens } }
            };
            ({$($head:tt)*} [$($done:tt)*] [$next:path, $($rest:path,)*]) => {
                $next! { {$($head)*} [$($done)* { #tokens }] [$($rest,)*] }
            };
        }
        #[doc(hidden)]
        #[allow(unused_imports)]
        pub(crate) use #callback as #name;
    })
}

/// Returns the flags that a block declares.
fn flag_names(block: &Block) -> Vec<Ident> {
    block.flags.iter().map(|flag| Ident::new(flag.as_str(), flag.span())).collect()
}

/// Returns the tokens of a block with its bodies as one literal at the end, since rustc copies each token once for each
/// later block of the set.
fn hand_on(input: TokenStream, bodies: &[u8]) -> TokenStream {
    if bodies.is_empty() {
        return input;
    }
    let literal = Literal::byte_string(bodies);
    let rest = without_bodies(input);
    quote!(#rest bodies #literal;)
}

/// Removes the bodies of rows: replaces the braces after the operands of a row by `;`, and deletes the braces in the
/// list of a family.
fn without_bodies(input: TokenStream) -> TokenStream {
    // After `=>` come the name, the operands in parentheses, and the properties.
    enum State {
        Outside,
        Name,
        Properties,
    }
    let mut state = State::Outside;
    let mut tokens: Vec<TokenTree> = Vec::new();
    for token in input {
        let after_arrow = matches!(tokens.last(), Some(TokenTree::Punct(p)) if p.as_char() == '=');
        let after_in = matches!(tokens.last(), Some(TokenTree::Ident(i)) if i == "in");
        let token = match token {
            TokenTree::Punct(p) if p.as_char() == '>' && after_arrow => {
                state = State::Name;
                TokenTree::Punct(p)
            }
            TokenTree::Punct(p) if p.as_char() == ';' => {
                state = State::Outside;
                TokenTree::Punct(p)
            }
            TokenTree::Group(group) => match (group.delimiter(), &state) {
                (Delimiter::Parenthesis, State::Name) => {
                    state = State::Properties;
                    TokenTree::Group(group)
                }
                (Delimiter::Brace, State::Properties) => {
                    state = State::Outside;
                    TokenTree::Punct(Punct::new(';', Spacing::Alone))
                }
                // The rows of a family lose their bodies; the fields of a block have no rows and are unchanged.
                (Delimiter::Brace, State::Outside) => regroup(&group, without_bodies(group.stream())),
                (Delimiter::Bracket, State::Outside) if after_in => {
                    let is_brace =
                        |t: &TokenTree| matches!(t, TokenTree::Group(g) if g.delimiter() == Delimiter::Brace);
                    regroup(&group, group.stream().into_iter().filter(|t| !is_brace(t)).collect())
                }
                _ => TokenTree::Group(group),
            },
            other => other,
        };
        tokens.push(token);
    }
    tokens.into_iter().collect()
}

/// Returns a group with other tokens.
fn regroup(group: &Group, tokens: TokenStream) -> TokenTree {
    let mut result = Group::new(group.delimiter(), tokens);
    result.set_span(group.span());
    TokenTree::Group(result)
}

/// Expands `isa_set! { … }` to a call of the first block's callback.
pub fn set(input: TokenStream) -> syn::Result<TokenStream> {
    let (header, paths) = parse::set_clauses.parse2(input.clone())?;
    let Some(paths) = paths else {
        return Err(parse::missing(header.name.span(), "formats", "{ path::BLOCK, … }"));
    };
    let Some((first, rest)) = paths.split_first() else {
        return Err(error(header.name.span(), "the set has no blocks", "write `formats { path::BLOCK }`"));
    };
    Ok(quote!(#first! { { #input } [] [#(#rest,)*] }))
}

/// Expands `__isa_finish! { {header} {block} {block} … }` to the code of the set.
pub fn finish(input: TokenStream) -> syn::Result<TokenStream> {
    let parse_chain = |input: ParseStream| {
        let inner;
        braced!(inner in input);
        let (header, _) = parse::set_clauses(&inner)?;
        let mut blocks = Vec::new();
        let mut invalid_flags = None;
        while !input.is_empty() {
            let inner;
            braced!(inner in input);
            if parse::peek_keyword(&inner, "invalid") {
                inner.parse::<Ident>()?;
                let flags: &mut Vec<Ident> = invalid_flags.get_or_insert_default();
                while !inner.is_empty() {
                    flags.push(inner.call(Ident::parse_any)?);
                }
            } else {
                blocks.push(parse::block(&inner)?);
            }
        }
        Ok((header, blocks, invalid_flags))
    };
    let (header, blocks, invalid_flags) = parse_chain.parse2(input)?;
    let valid_flags = blocks.iter().flat_map(flag_names);
    if let Some(flags) = invalid_flags {
        return placeholder(header, flags.into_iter().chain(valid_flags));
    }
    isa_codegen::set(&header, &blocks).or_else(|errors| {
        let errors = errors.to_compile_error();
        let placeholder = placeholder(header, valid_flags)?;
        Ok(quote!(#errors #placeholder))
    })
}

/// Returns a set with one row, in place of a set with errors: operand tables and other code name the type of the set and its
/// flags, and would report that they are missing.
fn placeholder(mut header: SetHeader, flags: impl Iterator<Item = Ident>) -> syn::Result<TokenStream> {
    let mut names: Vec<Ident> = Vec::new();
    for flag in flags {
        // Constants of flags are in capitals.
        let is_same = |other: &Ident| other.to_string().eq_ignore_ascii_case(&flag.to_string());
        if !names.iter().any(is_same) {
            names.push(flag);
        }
    }
    let flags = (!names.is_empty()).then(|| quote!(flags #(#names),*;));
    header.generation = None;
    header.legal = None;
    header.build = None;
    let block = parse::block.parse2(quote! {
        /// A placeholder.
        format PLACEHOLDER: 32 { ENCODING [31:0] = 0b0, }
        #flags
        0 => PLACEHOLDER ();
    })?;
    Ok(isa_codegen::set(&header, &[block]).unwrap_or_else(|errors| errors.to_compile_error()))
}

//! The callback chain that joins blocks of many files into one set.
//!
//! Every `isa!` defines a `macro_rules!` macro, its callback, with the tokens of the block. `isa_set!` calls the callback
//! of its first block with the paths of the others. Each callback appends its tokens and calls the next; the last one
//! calls `__isa_finish!`. Tokens keep their spans, so errors point at the file of the row.

use std::collections::HashSet;

use isa_codegen::ast::{Block, OperandTables, SetHeader};
use isa_codegen::error::Errors;
use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::spanned::Spanned;
use syn::{Path, braced, bracketed};

use crate::parse::{self, error};

/// Expands `isa! { … }`: reports the errors of the block, and defines its callback.
pub fn block(input: TokenStream) -> syn::Result<TokenStream> {
    if parse::begins_operands(&input) {
        let tables = parse::operand_tables.parse2(input.clone())?;
        let (code, tokens) = match isa_codegen::operands(&tables) {
            Ok(code) => (code, Some(input)),
            Err(errors) => (errors, None),
        };
        let callback = tables.name.map(|name| callback(&name, tokens));
        return Ok(quote!(#code #callback));
    }
    let block = parse::block.parse2(input.clone())?;
    let (tokens, errors) = match isa_codegen::check(&block) {
        Ok(bodies) => (hand_on(input, &bodies), None),
        // The set reports no further errors if one of its blocks is `invalid`. It still has the flags and the mnemonics of the block,
        // which operand classes and users name.
        Err(errors) => {
            let Names { flags, mnemonics } = Names::default().with_blocks([&block]);
            (quote!(invalid [#(#flags)*] #(#mnemonics)*), Some(errors.to_compile_error()))
        }
    };
    let callback = callback(&block.name, Some(tokens));
    Ok(quote!(#errors #callback))
}

/// Defines the callback of a block, which passes on these tokens, or none for operand tables with errors.
fn callback(name: &Ident, tokens: Option<TokenStream>) -> TokenStream {
    let callback = format_ident!("__isa_block_{name}");
    let tokens = tokens.map(|tokens| quote!({ #tokens }));
    quote! {
        #[doc(hidden)]
        #[allow(unused_macros)]
        macro_rules! #callback {
            ({$($head:tt)*} [$($done:tt)*] []) => {
                ::isa::__private::__isa_finish! { {$($head)*} $($done)* #tokens }
            };
            ({$($head:tt)*} [$($done:tt)*] [$next:path, $($rest:path,)*]) => {
                $next! { {$($head)*} [$($done)* #tokens] [$($rest,)*] }
            };
        }
        #[doc(hidden)]
        #[allow(unused_imports)]
        pub(crate) use #callback as #name;
    }
}

/// The names in blocks that a set defines as constants and as variants of `Opcode`.
#[derive(Default)]
struct Names {
    flags: Vec<Ident>,
    mnemonics: Vec<Ident>,
}

impl Names {
    /// Adds the names of blocks.
    fn with_blocks<'a>(mut self, blocks: impl IntoIterator<Item = &'a Block>) -> Self {
        for block in blocks {
            self.flags.extend(block.flags.iter().map(|flag| Ident::new(flag.as_str(), flag.span())));
            self.mnemonics.extend(block.rows.iter().filter_map(|row| syn::parse_str(row.name.as_str()).ok()));
        }
        self
    }

    /// Parses the names of an invalid block.
    fn parse_invalid(&mut self, input: ParseStream) -> syn::Result<()> {
        let flags;
        bracketed!(flags in input);
        while !flags.is_empty() {
            self.flags.push(flags.call(Ident::parse_any)?);
        }
        while !input.is_empty() {
            self.mnemonics.push(input.parse()?);
        }
        Ok(())
    }
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
        let (header, paths) = parse::set_clauses(&inner)?;
        let paths = paths.unwrap_or_default();
        let (mut blocks, mut tables) = (Vec::new(), None);
        let mut invalid: Option<Names> = None;
        while !input.is_empty() {
            let inner;
            braced!(inner in input);
            if parse::peek_keyword(&inner, "invalid") {
                inner.parse::<Ident>()?;
                invalid.get_or_insert_default().parse_invalid(&inner)?;
            } else if parse::peek_keyword(&inner, "operands") {
                let listed = parse::operand_tables(&inner)?;
                check_module(&header, &paths, &listed)?;
                if tables.is_some() {
                    let help = "list one block `operands` in the clause `formats`";
                    return Err(error(header.name.span(), "the set has several blocks of operand classes", help));
                }
                tables = Some(listed);
            } else {
                blocks.push(parse::block(&inner)?);
            }
        }
        Ok((header, blocks, tables, invalid))
    };
    let (header, blocks, tables, invalid) = parse_chain.parse2(input)?;
    if let Some(names) = invalid {
        return placeholder(header, names.with_blocks(&blocks));
    }
    isa_codegen::set(&header, &blocks, tables.as_ref()).or_else(|errors| {
        let errors = errors.to_compile_error();
        let placeholder = placeholder(header, Names::default().with_blocks(&blocks))?;
        Ok(quote!(#errors #placeholder))
    })
}

/// Checks that a block of operand classes is in the module of the clause `operands`: fields name the classes of this module.
fn check_module(header: &SetHeader, paths: &[Path], tables: &OperandTables) -> syn::Result<()> {
    let is_listed = |path: &&Path| path.segments.last().is_some_and(|last| Some(&last.ident) == tables.name.as_ref());
    let Some(path) = paths.iter().find(is_listed) else { return Ok(()) };
    let mut module = path.clone();
    module.segments.pop();
    module.segments.pop_punct();
    if module.to_token_stream().to_string() == header.operands.to_string() {
        return Ok(());
    }
    let name = &path.segments[path.segments.len() - 1].ident;
    let message = format!("the classes of `{name}` are not in the module of the clause `operands`");
    let help = format!("write `operands {};`", module.to_token_stream().to_string().replace(' ', ""));
    Err(error(path.span(), message, help))
}

/// Returns the names without repetitions. Case is ignored, since constants of flags have capital letters, and text has small ones.
fn distinct(names: Vec<Ident>) -> Vec<Ident> {
    let mut seen = HashSet::new();
    names.into_iter().filter(|name| seen.insert(name.to_string().to_ascii_uppercase())).collect()
}

/// Returns a set with rows that have no operands, in place of a set with errors: operand tables and other code name the type of the
/// set, its flags and its mnemonics, and would report that they are missing.
fn placeholder(mut header: SetHeader, names: Names) -> syn::Result<TokenStream> {
    let flags = distinct(names.flags);
    let flags = (!flags.is_empty()).then(|| quote!(flags #(#flags),*;));
    header.generation = None;
    header.legal = None;
    header.build = None;
    let set_of = |mnemonics: &[Ident]| -> syn::Result<Result<TokenStream, Errors>> {
        let numbers = (0..mnemonics.len()).map(Literal::usize_unsuffixed);
        let block = parse::block.parse2(quote! {
            /// A placeholder.
            format PLACEHOLDER: 32 { ENCODING [31:16] = 0b0, OP [15:0] = opcode, }
            #flags
            #(#numbers => #mnemonics ();)*
        })?;
        Ok(isa_codegen::set(&header, &[block], None))
    };
    // The mnemonics may be what is wrong: one may be too long.
    let mnemonics = distinct(names.mnemonics);
    if !mnemonics.is_empty()
        && let Ok(set) = set_of(&mnemonics)?
    {
        return Ok(set);
    }
    Ok(set_of(&[format_ident!("PLACEHOLDER")])?.unwrap_or_else(|errors| errors.to_compile_error()))
}

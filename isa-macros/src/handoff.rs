//! How blocks in many files become one set: each `isa!` leaves a `macro_rules!` macro that hands its tokens on.
//!
//! `isa_set!` calls the first block's macro with the list of the others; each adds its tokens and calls the next; the
//! last one calls `__isa_finish!`. Tokens travel with their spans, so a fault is reported in the file of its row.

use isa_blocks::head::{Build, Head, Map};
use isa_blocks::tree::Attr;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::parse::{Parse, ParseStream, Parser};
use syn::{Path, Token, braced};

use crate::{cond, parse};

/// `isa! { … }`.
pub fn block(input: TokenStream) -> syn::Result<TokenStream> {
    let block = parse::block.parse2(input.clone())?;
    let fault = isa_blocks::check(&block).err().map(|faults| faults.to_compile_error());
    // A faulty block hands on its name alone, so that the set reports no second fault for it.
    let rows = if fault.is_some() { quote!(invalid) } else { input };
    let name = &block.name;
    let handoff = format_ident!("__isa_block_{name}");
    Ok(quote! {
        #fault
        #[doc(hidden)]
        #[allow(unused_macros)]
        macro_rules! #handoff {
            ({$($head:tt)*} [$($done:tt)*] []) => {
                ::isa::__private::__isa_finish! { {$($head)*} $($done)* { #rows } }
            };
            ({$($head:tt)*} [$($done:tt)*] [$next:path, $($rest:path,)*]) => {
                $next! { {$($head)*} [$($done)* { #rows }] [$($rest,)*] }
            };
        }
        #[doc(hidden)]
        #[allow(unused_imports)]
        pub(crate) use #handoff as #name;
    })
}

fn path(input: ParseStream) -> syn::Result<TokenStream> {
    Ok(input.call(Path::parse_mod_style)?.into_token_stream())
}

fn head(input: ParseStream) -> syn::Result<Head> {
    let docs = parse::attrs(input)?;
    let word = |what: &str| -> syn::Result<()> {
        let found: Ident = input.parse()?;
        if found == what { Ok(()) } else { Err(syn::Error::new(found.span(), format!("expected `{what}`"))) }
    };
    word("set")?;
    let name = input.parse()?;
    let mut of = None;
    if parse::peek_word(input, "of") {
        input.parse::<Ident>()?;
        of = Some(parse::word(input)?);
    }
    input.parse::<Token![;]>()?;
    word("mode")?;
    let mode = path(input)?;
    let inner;
    braced!(inner in input);
    let modes = inner.parse_terminated(Ident::parse, Token![,])?.into_iter().collect();
    input.parse::<Token![;]>()?;
    word("value")?;
    let value = path(input)?;
    input.parse::<Token![;]>()?;
    word("operands")?;
    let operands = path(input)?;
    input.parse::<Token![;]>()?;
    let mut legal = None;
    if parse::peek_word(input, "legal") {
        input.parse::<Ident>()?;
        legal = Some(path(input)?);
        input.parse::<Token![;]>()?;
    }
    let attrs = parse::attrs(input)?;
    let mut build = None;
    if !attrs.is_empty() || parse::peek_word(input, "build") {
        build = Some(self::build(attrs, input)?);
    }
    Ok(Head { docs, name, of, mode, modes, value, operands, legal, build })
}

/// Reads `build path::module { … }` after its attributes, up to the semicolon that stands in place of the list.
fn build(attrs: Vec<Attr>, input: ParseStream) -> syn::Result<Build> {
    let word: Ident = input.parse()?;
    if word != "build" {
        return Err(syn::Error::new(word.span(), "expected `build` after its attributes"));
    }
    let span = input.span();
    let module = path(input)?;
    let mut maps = Vec::new();
    if input.peek(Token![;]) {
        input.parse::<Token![;]>()?;
        return Ok(Build { attrs, module, span, maps });
    }
    let inner;
    braced!(inner in input);
    while !inner.is_empty() {
        let modifier = inner.parse::<Option<Token![mod]>>()?.is_some();
        let mut names = vec![parse::any_word(&inner)?];
        while inner.parse::<Option<Token![|]>>()?.is_some() {
            names.push(parse::any_word(&inner)?);
        }
        let cond = if inner.parse::<Option<Token![if]>>()?.is_some() { Some(cond::parse(&inner)?) } else { None };
        inner.parse::<Token![=>]>()?;
        let hidden = inner.parse::<Option<Token![_]>>()?.is_some();
        let to = if hidden { None } else { Some(inner.parse::<Ident>()?) };
        maps.push(Map { modifier, names, cond, to });
        if !inner.is_empty() {
            inner.parse::<Token![,]>()?;
        }
    }
    Ok(Build { attrs, module, span, maps })
}

/// `isa_set! { … }`.
pub fn set(input: TokenStream) -> syn::Result<TokenStream> {
    let read = |input: ParseStream| {
        let begin = input.fork();
        head(input)?;
        let mut tokens: Vec<proc_macro2::TokenTree> = begin.parse::<TokenStream>()?.into_iter().collect();
        let word: Ident = input.parse()?;
        if word != "formats" {
            return Err(syn::Error::new(word.span(), "expected `formats { path::BLOCK, … }`"));
        }
        let inner;
        braced!(inner in input);
        // What is left of the head are its tokens but for `formats` and its braces.
        tokens.truncate(tokens.len().saturating_sub(2));
        let paths = inner.parse_terminated(Path::parse_mod_style, Token![,])?;
        Ok((tokens, paths.into_iter().collect::<Vec<_>>()))
    };
    let (head, paths) = read.parse2(input)?;
    let Some((first, rest)) = paths.split_first() else {
        return Err(syn::Error::new(
            proc_macro2::Span::call_site(),
            "a set joins at least one block: `formats { path::BLOCK }`",
        ));
    };
    let head = head.into_iter().collect::<TokenStream>();
    Ok(quote!(#first! { { #head } [] [#(#rest,)*] }))
}

/// `__isa_finish! { {head} {block} {block} … }`.
pub fn finish(input: TokenStream) -> syn::Result<TokenStream> {
    let read = |input: ParseStream| {
        let inner;
        braced!(inner in input);
        let head = head(&inner)?;
        let mut blocks = Vec::new();
        let mut whole = true;
        while !input.is_empty() {
            let inner;
            braced!(inner in input);
            if parse::peek_word(&inner, "invalid") {
                inner.parse::<Ident>()?;
                whole = false;
            } else {
                blocks.push(parse::block(&inner)?);
            }
        }
        Ok((head, blocks, whole))
    };
    let (head, blocks, whole) = read.parse2(input)?;
    if !whole {
        return Ok(TokenStream::new());
    }
    Ok(isa_blocks::set(&head, &blocks).unwrap_or_else(|faults| faults.to_compile_error()))
}

//! How blocks in many files become one set: each `isa!` leaves a `macro_rules!` macro that hands its tokens on.
//!
//! `isa_set!` calls the first block's macro with the list of the others; each adds its tokens and calls the next; the
//! last one calls `__isa_finish!`. Tokens travel with their spans, so a fault is reported in the file of its row.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::parse::{Parse, ParseStream, Parser};
use syn::{Attribute, Path, Token, braced};

use crate::model::{self, Set};
use crate::parse::Block;
use crate::{check, expand, generation};

/// `isa! { … }`.
pub fn block(input: TokenStream) -> syn::Result<TokenStream> {
    let block: Block = syn::parse2(input.clone())?;
    let fault = check::block(&block).err().map(|e| e.into_compile_error());
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

/// The words of `isa_set!` before its list of blocks.
pub struct Head {
    pub docs: Vec<Attribute>,
    pub name: Ident,
    /// The generation that it is, where its blocks cover several.
    pub of: Option<Ident>,
    pub mode: Path,
    pub modes: Vec<Ident>,
    pub value: Path,
    pub operands: Path,
    /// The function that knows the rules between operands.
    pub legal: Option<Path>,
    /// The module of what typed builders admit.
    pub build: Option<expand::build::Build>,
}

fn head(input: ParseStream) -> syn::Result<Head> {
    let docs = input.call(Attribute::parse_outer)?;
    let word = |what: &str| -> syn::Result<()> {
        let found: Ident = input.parse()?;
        if found == what { Ok(()) } else { Err(syn::Error::new(found.span(), format!("expected `{what}`"))) }
    };
    word("set")?;
    let name = input.parse()?;
    let mut of = None;
    if crate::parse::peek_word(input, "of") {
        input.parse::<Ident>()?;
        of = Some(input.parse()?);
    }
    input.parse::<Token![;]>()?;
    word("mode")?;
    let mode = input.call(Path::parse_mod_style)?;
    let inner;
    braced!(inner in input);
    let modes = inner.parse_terminated(Ident::parse, Token![,])?.into_iter().collect();
    input.parse::<Token![;]>()?;
    word("value")?;
    let value = input.call(Path::parse_mod_style)?;
    input.parse::<Token![;]>()?;
    word("operands")?;
    let operands = input.call(Path::parse_mod_style)?;
    input.parse::<Token![;]>()?;
    let mut legal = None;
    if crate::parse::peek_word(input, "legal") {
        input.parse::<Ident>()?;
        legal = Some(input.call(Path::parse_mod_style)?);
        input.parse::<Token![;]>()?;
    }
    let attrs = input.call(Attribute::parse_outer)?;
    let mut build = None;
    if !attrs.is_empty() || crate::parse::peek_word(input, "build") {
        build = Some(expand::build::Build::parse(attrs, input)?);
    }
    Ok(Head { docs, name, of, mode, modes, value, operands, legal, build })
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
            if crate::parse::peek_word(&inner, "invalid") {
                inner.parse::<Ident>()?;
                whole = false;
            } else {
                blocks.push(inner.parse::<Block>()?);
            }
        }
        Ok((head, blocks, whole))
    };
    let (head, blocks, whole) = read.parse2(input)?;
    if !whole {
        return Ok(TokenStream::new());
    }
    let Some(of) = &head.of else {
        if let Some(block) = blocks.iter().find(|b| !b.generations.is_empty()) {
            let known = check::listed(&block.generations);
            let say = format!(
                "{} covers several generations ({known}): say which this set is, `set {} of {};`",
                block.name, head.name, block.generations[0]
            );
            return Err(syn::Error::new(head.name.span(), say));
        }
        let words = model::declared_words(&blocks)?;
        return Ok(expand::set(&head, &Set::new(&blocks, words)?));
    };
    if !blocks.iter().any(|b| b.generations.contains(of)) {
        let mut known: Vec<&Ident> = Vec::new();
        for generation in blocks.iter().flat_map(|b| &b.generations) {
            if !known.contains(&generation) {
                known.push(generation);
            }
        }
        let say = format!(
            "no block covers the generation `{of}`: those that blocks of this set name are {}",
            check::listed(known)
        );
        return Err(syn::Error::new(of.span(), say));
    }
    // A word has the same bit in all generations, so blocks that are not in this one count too.
    let words = model::declared_words(&blocks)?;
    let blocks = generation::blocks(&blocks, of);
    let set = Set::new(&blocks, words).map_err(|e| generation::named(e, of))?;
    Ok(expand::set(&head, &set))
}

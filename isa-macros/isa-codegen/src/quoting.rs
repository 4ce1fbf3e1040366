//! Building of quoted tokens: the functions that the macros of `isa-quote` call.

use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};

/// Formats an identifier.
macro_rules! format_ident {
    ($($arguments:tt)*) => {
        ::proc_macro2::Ident::new(&::std::format!($($arguments)*), ::proc_macro2::Span::call_site())
    };
}
pub(crate) use format_ident;

/// The tokens of a value.
#[derive(Clone)]
pub(crate) enum Tokens {
    One(TokenTree),
    All(TokenStream),
}

/// A type whose values quoted code can insert.
pub(crate) trait ToTokens {
    fn to_tokens(&self) -> Tokens;

    /// Converts a value that is not needed any more. A copy of a stream is two calls of the compiler.
    fn into_tokens(self) -> Tokens
    where
        Self: Sized,
    {
        self.to_tokens()
    }
}

impl ToTokens for TokenStream {
    fn to_tokens(&self) -> Tokens {
        Tokens::All(self.clone())
    }

    fn into_tokens(self) -> Tokens {
        Tokens::All(self)
    }
}

impl<T: ToTokens + ?Sized> ToTokens for &T {
    fn to_tokens(&self) -> Tokens {
        (**self).to_tokens()
    }
}

impl<T: ToTokens> ToTokens for Option<T> {
    fn to_tokens(&self) -> Tokens {
        self.as_ref().map_or(Tokens::All(TokenStream::new()), ToTokens::to_tokens)
    }
}

/// Implements `ToTokens` with an expression for the tokens of a value.
macro_rules! to_tokens {
    ($($ty:ty, $value:ident => $tokens:expr;)*) => {
        $(impl ToTokens for $ty {
            fn to_tokens(&self) -> Tokens {
                let $value = self;
                $tokens
            }
        })*
    };
}

to_tokens! {
    Ident, ident => Tokens::One(ident.clone().into());
    Literal, literal => Tokens::One(literal.clone().into());
    bool, bit => Tokens::One(Ident::new(if *bit { "true" } else { "false" }, Span::call_site()).into());
    str, text => Tokens::One(Literal::string(text).into());
    String, text => Tokens::One(Literal::string(text).into());
    u8, n => Tokens::One(Literal::u8_suffixed(*n).into());
    u16, n => Tokens::One(Literal::u16_suffixed(*n).into());
    u32, n => Tokens::One(Literal::u32_suffixed(*n).into());
    u64, n => Tokens::One(Literal::u64_suffixed(*n).into());
    u128, n => Tokens::One(Literal::u128_suffixed(*n).into());
    usize, n => Tokens::One(Literal::usize_suffixed(*n).into());
    i8, n => Tokens::One(Literal::i8_suffixed(*n).into());
    i16, n => Tokens::One(Literal::i16_suffixed(*n).into());
    i32, n => Tokens::One(Literal::i32_suffixed(*n).into());
    i64, n => Tokens::One(Literal::i64_suffixed(*n).into());
    f32, n => Tokens::One(Literal::f32_suffixed(*n).into());
    f64, n => Tokens::One(Literal::f64_suffixed(*n).into());
}

/// The value of a variable.
pub(crate) enum Value<'a> {
    One(&'a dyn ToTokens),
    /// The tokens for each round of a repetition; `None` once they are inserted for the last time.
    Many(Vec<Option<Tokens>>),
}

/// The conversion of variables in repetitions: iterators, slices, and single values, which each round repeats. The compiler tries
/// the three traits in this order, because a method that takes `self` precedes one that takes `&self`.
pub(crate) mod each {
    use super::{ToTokens, Value};

    pub(crate) trait EachOfIterator {
        fn each(self) -> Value<'static>;
    }

    impl<I: Iterator<Item: ToTokens>> EachOfIterator for I {
        fn each(self) -> Value<'static> {
            let mut all = Vec::new();
            for item in self {
                all.push(Some(item.into_tokens()));
            }
            Value::Many(all)
        }
    }

    pub(crate) trait EachOfSlice {
        fn each(&self) -> Value<'static>;
    }

    impl<T: ToTokens> EachOfSlice for [T] {
        fn each(&self) -> Value<'static> {
            self.iter().each()
        }
    }

    pub(crate) trait SameForEach {
        fn each(&self) -> Value<'_>;
    }

    impl<T: ToTokens> SameForEach for T {
        fn each(&self) -> Value<'_> {
            Value::One(self)
        }
    }
}

/// Builds tokens from a template of `isa-quote` and the values of its variables. Without a span, tokens have the span of the
/// macro's call.
pub(crate) fn fill(template: &str, span: Option<Span>, values: &mut [Value]) -> TokenStream {
    let mut builder = Builder { template, at: 0, span: span.unwrap_or_else(Span::call_site), values };
    let mut out = Stream::default();
    builder.push_all(0, &mut out);
    out.finish()
}

/// Tokens under construction.
///
/// Each change of a `TokenStream` is a call of the compiler, so they are joined once, at the end.
#[derive(Default)]
struct Stream {
    streams: Vec<TokenStream>,
    /// The tokens after `streams`.
    pending: Vec<TokenTree>,
}

impl Stream {
    fn push(&mut self, tokens: Tokens) {
        match tokens {
            Tokens::One(token) => self.pending.push(token),
            Tokens::All(stream) => {
                self.join_pending();
                self.streams.push(stream);
            }
        }
    }

    /// Moves `pending` to `streams`.
    fn join_pending(&mut self) {
        if !self.pending.is_empty() {
            self.streams.push(self.pending.drain(..).collect());
        }
    }

    /// Returns the tokens.
    fn finish(mut self) -> TokenStream {
        self.join_pending();
        match self.streams.len() {
            1 => self.streams.remove(0),
            _ => self.streams.into_iter().collect(),
        }
    }
}

/// Builds the tokens of a template.
struct Builder<'a, 'v> {
    template: &'a str,
    /// Where the next word begins.
    at: usize,
    span: Span,
    values: &'a mut [Value<'v>],
}

impl<'a> Builder<'a, '_> {
    /// Takes a word: its first character, and its text.
    fn word(&mut self) -> Option<(u8, &'a str)> {
        let [kind, high, low] = *self.template.as_bytes()[self.at..].first_chunk()?;
        let start = self.at + 3;
        self.at = start + usize::from(high - b' ') * 96 + usize::from(low - b' ');
        Some((kind, &self.template[start..self.at]))
    }

    /// Adds the tokens of words up to the end of the group or repetition.
    fn push_all(&mut self, round: usize, out: &mut Stream) {
        while let Some((kind, text)) = self.word() {
            let token = match kind {
                b')' => return,
                b'v' | b'V' => {
                    let tokens = match self.values.get_mut(index(text)) {
                        Some(Value::One(value)) => Some(value.to_tokens()),
                        Some(Value::Many(all)) if kind == b'V' => all.get_mut(round).and_then(Option::take),
                        Some(Value::Many(all)) => all.get(round).cloned().flatten(),
                        None => None,
                    };
                    tokens.into_iter().for_each(|tokens| out.push(tokens));
                    continue;
                }
                b'*' => {
                    self.repeat(text, out);
                    continue;
                }
                b'p' => {
                    self.push_operator(text, out);
                    continue;
                }
                b'\'' => {
                    out.pending.push(Punct::new('\'', Spacing::Joint).into());
                    Ident::new(text, self.span).into()
                }
                b'i' => Ident::new(text, self.span).into(),
                b'r' => Ident::new_raw(text, self.span).into(),
                b'l' => self.spanned(text.parse::<Literal>().unwrap_or_else(|_| Literal::string(text)).into()),
                _ => {
                    let mut content = Stream::default();
                    self.push_all(round, &mut content);
                    let delimiter = match kind {
                        b'{' => Delimiter::Brace,
                        b'[' => Delimiter::Bracket,
                        _ => Delimiter::Parenthesis,
                    };
                    self.spanned(Group::new(delimiter, content.finish()).into())
                }
            };
            out.pending.push(token);
        }
    }

    /// Returns a token with the span of the template.
    fn spanned(&self, mut token: TokenTree) -> TokenTree {
        token.set_span(self.span);
        token
    }

    /// Adds the characters of an operator.
    fn push_operator(&self, operator: &str, out: &mut Stream) {
        for (at, character) in operator.bytes().enumerate() {
            let spacing = if at + 1 < operator.len() { Spacing::Joint } else { Spacing::Alone };
            let mut punct = Punct::new(character.into(), spacing);
            punct.set_span(self.span);
            out.pending.push(punct.into());
        }
    }

    /// Adds the words of a repetition as often as its shortest variable has values.
    fn repeat(&mut self, separator: &str, out: &mut Stream) {
        let (start, mut depth, mut rounds) = (self.at, 1, None);
        while depth > 0
            && let Some((kind, text)) = self.word()
        {
            match kind {
                b'(' | b'[' | b'{' => depth += 1,
                b')' => depth -= 1,
                b'v' | b'V' => {
                    if let Some(Value::Many(all)) = self.values.get(index(text)) {
                        rounds = Some(rounds.map_or(all.len(), |rounds: usize| rounds.min(all.len())));
                    }
                }
                _ => {}
            }
        }
        let end = self.at;
        for round in 0..rounds.unwrap_or(0) {
            if round > 0 {
                self.push_operator(separator, out);
            }
            self.at = start;
            self.push_all(round, out);
        }
        self.at = end;
    }
}

/// Returns the index that a word has.
fn index(text: &str) -> usize {
    text.parse().unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use isa_quote::{quote, quote_spanned};

    /// Checks that tokens are those of a source.
    fn check(tokens: &TokenStream, source: &str) {
        let lexed = source.parse::<TokenStream>().map_or_else(|e| e.to_string(), |tokens| tokens.to_string());
        assert_eq!(tokens.to_string().replace(' ', ""), lexed.replace(' ', ""));
    }

    #[test]
    fn tokens_are_those_of_the_source() {
        let quoted = quote! {
            #[doc = "a\n"] pub fn r#type<'a>(x: &'static mut [u8; 0x10]) -> ::core::option::Option<u8> { x <<= 1.5f32; y..=z && 'c' }
        };
        let source = r#"#[doc = "a\n"] pub fn r#type<'a>(x: &'static mut [u8; 0x10]) -> ::core::option::Option<u8> { x <<= 1.5f32; y..=z && 'c' }"#;
        check(&quoted, source);
        assert!(quote!().is_empty());
    }

    #[test]
    fn variables_are_inserted() {
        let (n, name, text, none) = (5u8, Ident::new("name", Span::call_site()), "a", None::<u8>);
        let tokens = quote!(-#n, [#name; 2]);
        let all = quote_spanned!(Span::call_site()=> #tokens #text #none #n.#name::<true>());
        check(&all, r#"-5u8, [name; 2] "a" 5u8.name::<true>()"#);
    }

    #[test]
    fn repetitions_end_with_the_shortest_list() {
        let (list, names, same) =
            (vec![1u8, 2, 3], ["a", "b"].iter().map(|name| Ident::new(name, Span::call_site())), true);
        let all = quote!(#(#names(#list, #same)),* ; #(#list)||*; #(|| #list)*);
        check(&all, "a(1u8, true), b(2u8, true); 1u8 || 2u8 || 3u8; || 1u8 || 2u8 || 3u8");
        let streams = [quote!(a), quote!(b)];
        check(&quote!(#(#streams #streams)*; #(#streams)*), "a a b b; a b");
        let empty: &[u8] = &[];
        check(&quote!([#(#empty,)*]), "[]");
    }
}

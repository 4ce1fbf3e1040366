//! Building of quoted tokens: the functions that the macros of `isa-quote` call.

use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};

/// Formats an identifier.
macro_rules! format_ident {
    ($($arguments:tt)*) => {
        ::proc_macro2::Ident::new(&::std::format!($($arguments)*), ::proc_macro2::Span::call_site())
    };
}
pub(crate) use format_ident;

/// A token or several ones.
#[derive(Clone)]
pub(crate) enum Tokens {
    One(TokenTree),
    All(TokenStream),
}

/// A type whose values quoted code can insert.
pub(crate) trait ToTokens {
    fn to_tokens(&self) -> Tokens;
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
    TokenStream, stream => Tokens::All(stream.clone());
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
    /// The tokens for each round of a repetition.
    Many(Vec<Tokens>),
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
                all.push(item.to_tokens());
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
pub(crate) fn fill(template: &str, span: Option<Span>, values: &[Value]) -> TokenStream {
    let words = template.split_terminator('\0').collect();
    let mut builder = Builder { words, at: 0, span: span.unwrap_or_else(Span::call_site), values };
    let mut out = Stream::default();
    builder.push_all(0, &mut out);
    out.finish()
}

/// Tokens under construction.
#[derive(Default)]
struct Stream {
    stream: TokenStream,
    /// The tokens after `stream`. To add many to a stream at once is faster.
    pending: Vec<TokenTree>,
}

impl Stream {
    fn push(&mut self, tokens: Tokens) {
        match tokens {
            Tokens::One(token) => self.pending.push(token),
            Tokens::All(stream) => {
                self.stream.extend(self.pending.drain(..));
                self.stream.extend([stream]);
            }
        }
    }

    fn finish(mut self) -> TokenStream {
        self.stream.extend(self.pending);
        self.stream
    }
}

/// Builds the tokens of a template.
struct Builder<'a> {
    words: Vec<&'a str>,
    /// The index of the next word.
    at: usize,
    span: Span,
    values: &'a [Value<'a>],
}

impl Builder<'_> {
    /// Adds the tokens of words up to the end of the group or repetition.
    fn push_all(&mut self, round: usize, out: &mut Stream) {
        while let Some(word) = self.words.get(self.at) {
            self.at += 1;
            let (kind, text) = word.split_at(1);
            let token = match kind {
                ")" => return,
                "v" => {
                    match self.value(text) {
                        Some(Value::One(value)) => out.push(value.to_tokens()),
                        Some(Value::Many(all)) => {
                            all.get(round).into_iter().for_each(|tokens| out.push(tokens.clone()))
                        }
                        None => {}
                    }
                    continue;
                }
                "*" => {
                    self.repeat(text, out);
                    continue;
                }
                "p" => {
                    self.push_operator(text, out);
                    continue;
                }
                "'" => {
                    out.push(Tokens::One(Punct::new('\'', Spacing::Joint).into()));
                    Ident::new(text, self.span).into()
                }
                "i" => Ident::new(text, self.span).into(),
                "r" => Ident::new_raw(text, self.span).into(),
                "l" => text.parse::<Literal>().unwrap_or_else(|_| Literal::string(text)).into(),
                _ => {
                    let mut content = Stream::default();
                    self.push_all(round, &mut content);
                    let delimiter = match kind {
                        "{" => Delimiter::Brace,
                        "[" => Delimiter::Bracket,
                        _ => Delimiter::Parenthesis,
                    };
                    Group::new(delimiter, content.finish()).into()
                }
            };
            out.push(Tokens::One(self.spanned(token)));
        }
    }

    /// Returns the value of a variable by its index.
    fn value(&self, index: &str) -> Option<&Value<'_>> {
        self.values.get(index.parse::<usize>().ok()?)
    }

    fn spanned(&self, mut token: TokenTree) -> TokenTree {
        token.set_span(self.span);
        token
    }

    /// Adds the characters of an operator.
    fn push_operator(&self, operator: &str, out: &mut Stream) {
        for (at, character) in operator.char_indices() {
            let spacing = if at + 1 < operator.len() { Spacing::Joint } else { Spacing::Alone };
            out.push(Tokens::One(self.spanned(Punct::new(character, spacing).into())));
        }
    }

    /// Adds the words of a repetition as often as its shortest variable has values.
    fn repeat(&mut self, separator: &str, out: &mut Stream) {
        let (start, mut depth, mut rounds) = (self.at, 1, None);
        while let (Some(word), 1..) = (self.words.get(self.at), depth) {
            self.at += 1;
            match word.split_at(1) {
                ("(" | "[" | "{", _) => depth += 1,
                (")", _) => depth -= 1,
                ("v", index) => {
                    if let Some(Value::Many(all)) = self.value(index) {
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
        let empty: &[u8] = &[];
        check(&quote!([#(#empty,)*]), "[]");
    }
}

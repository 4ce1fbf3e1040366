//! `quote!` and `quote_spanned!` with the syntax of the crate `quote`, for `isa-codegen` alone.
//!
//! Those of `quote` expand to a function call for each token, which rustc compiles for 1.5 s in a generator that quotes
//! 10,000 tokens. These expand to one call of `crate::quoting::fill`, which builds the tokens from a string: the *template*.
//!
//! A template is a list of words. The first character says what a word is, the second and third are its length to the base 96,
//! as characters from the blank on:
//!
//! | character | word |
//! |---|---|
//! | `i` | an identifier |
//! | `r` | a raw identifier, without `r#` |
//! | `'` | a lifetime |
//! | `l` | a literal |
//! | `p` | punctuation characters without blanks between them |
//! | `(`, `[`, `{` | the beginning of a group |
//! | `*` | the beginning of a repetition, with its separator |
//! | `)` | the end of a group or a repetition |
//! | `v` | a variable, by the index of its value; `V` if it occurs once |

extern crate proc_macro;

use proc_macro::{Delimiter, Spacing, TokenStream, TokenTree};

/// Quotes tokens. `#name` inserts the value of a variable, `#( … #name … )*` repeats for each value of an iterator, and
/// `#( … ),*` with commas between.
#[proc_macro]
pub fn quote(input: TokenStream) -> TokenStream {
    Template::default().expand("None", &input.into_iter().collect::<Vec<_>>())
}

/// Quotes tokens with a span: `quote_spanned!(span=> …)`.
#[proc_macro]
pub fn quote_spanned(input: TokenStream) -> TokenStream {
    let tokens: Vec<TokenTree> = input.into_iter().collect();
    let Some(arrow) = tokens.windows(2).position(|pair| is_punct(pair.first(), '=') && is_punct(pair.last(), '>'))
    else {
        return error("no `=>` after the span");
    };
    let span = tokens[..arrow].iter().cloned().collect::<TokenStream>();
    Template::default().expand(&format!("Some({span})"), &tokens[arrow + 2..])
}

/// Returns a compile error.
fn error(message: &str) -> TokenStream {
    format!("::core::compile_error!({message:?})").parse().unwrap_or_default()
}

fn is_punct(token: Option<&TokenTree>, character: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == character)
}

/// A template under construction.
#[derive(Default)]
struct Template {
    /// The first character of each word, and its text.
    words: Vec<(char, String)>,
    variables: Vec<Variable>,
}

/// A variable of a template.
struct Variable {
    name: String,
    /// The index of its value.
    index: String,
    /// Whether a repetition has it.
    is_repeated: bool,
    /// How often it occurs.
    count: usize,
}

impl Template {
    /// Returns the call that builds tokens.
    fn expand(mut self, span: &str, tokens: &[TokenTree]) -> TokenStream {
        if let Err(message) = self.push_all(tokens, false) {
            return error(message);
        }
        if self.words.iter().any(|(_, word)| word.len() >= 96 * 96) {
            return error("a literal is too long to be quoted");
        }
        let value = |Variable { name, is_repeated, .. }: &Variable| {
            if *is_repeated { format!("{name}.each(),") } else { format!("crate::quoting::Value::One(&{name}),") }
        };
        let values: String = self.variables.iter().map(value).collect();
        let traits = if values.contains(".each()") { "use crate::quoting::each::*;" } else { "" };
        let call = format!("{{ {traits} crate::quoting::fill({:?}, {span}, &mut [{values}]) }}", self.text());
        call.parse().unwrap_or_else(|_| error("the tokens cannot be quoted"))
    }

    fn push(&mut self, kind: char, text: &str) {
        self.words.push((kind, text.to_string()));
    }

    /// Adds tokens. `is_repeated` says whether they are in a repetition, which has no further one inside.
    ///
    /// # Errors
    /// A message about tokens that cannot be quoted.
    fn push_all(&mut self, tokens: &[TokenTree], is_repeated: bool) -> Result<(), &'static str> {
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            at += 1;
            match (token, tokens.get(at)) {
                (TokenTree::Punct(punct), Some(TokenTree::Ident(name))) if punct.as_char() == '#' => {
                    at += 1;
                    self.push_variable(name.to_string(), is_repeated);
                }
                (TokenTree::Punct(punct), Some(TokenTree::Group(group)))
                    if punct.as_char() == '#' && group.delimiter() == Delimiter::Parenthesis && !is_repeated =>
                {
                    let after = &tokens[at + 1..];
                    let Some(n_separator) = after.iter().position(|token| is_punct(Some(token), '*')) else {
                        return Err("a repetition has no `*`");
                    };
                    at += n_separator + 2;
                    let separator: String = after[..n_separator].iter().map(ToString::to_string).collect();
                    self.push('*', &separator);
                    self.push_all(&group.stream().into_iter().collect::<Vec<_>>(), true)?;
                    self.push(')', "");
                }
                (TokenTree::Punct(punct), Some(TokenTree::Ident(name))) if punct.as_char() == '\'' => {
                    at += 1;
                    self.push('\'', &name.to_string());
                }
                (TokenTree::Punct(punct), _) => {
                    let (mut last, mut operator) = (punct, String::from(punct.as_char()));
                    while let (Spacing::Joint, Some(TokenTree::Punct(next))) = (last.spacing(), tokens.get(at))
                        && !matches!(next.as_char(), '#' | '\'')
                    {
                        operator.push(next.as_char());
                        last = next;
                        at += 1;
                    }
                    self.push('p', &operator);
                }
                (TokenTree::Ident(name), _) => match name.to_string().strip_prefix("r#") {
                    Some(raw) => self.push('r', raw),
                    None => self.push('i', &name.to_string()),
                },
                (TokenTree::Literal(literal), _) => self.push('l', &literal.to_string()),
                (TokenTree::Group(group), _) => {
                    let delimiter = match group.delimiter() {
                        Delimiter::Brace => '{',
                        Delimiter::Bracket => '[',
                        Delimiter::Parenthesis => '(',
                        Delimiter::None => return Err("a macro has substituted tokens"),
                    };
                    self.push(delimiter, "");
                    self.push_all(&group.stream().into_iter().collect::<Vec<_>>(), is_repeated)?;
                    self.push(')', "");
                }
            }
        }
        Ok(())
    }

    /// Adds a variable.
    fn push_variable(&mut self, name: String, is_repeated: bool) {
        let index = self.variables.len().to_string();
        let known = self.variables.iter_mut().find(|known| known.name == name);
        let index = match known {
            Some(known) => {
                known.is_repeated |= is_repeated;
                known.count += 1;
                known.index.clone()
            }
            None => {
                self.variables.push(Variable { name, index: index.clone(), is_repeated, count: 1 });
                index
            }
        };
        self.push('v', &index);
    }

    /// Returns the text of the template.
    fn text(&self) -> String {
        let digit = |n: usize| char::from(b' ' + n as u8);
        let mut text = String::new();
        for (kind, word) in &self.words {
            let is_last = *kind == 'v' && self.variables.iter().any(|v| v.index == *word && v.count == 1);
            text.extend([if is_last { 'V' } else { *kind }, digit(word.len() / 96), digit(word.len() % 96)]);
            text.push_str(word);
        }
        text
    }
}

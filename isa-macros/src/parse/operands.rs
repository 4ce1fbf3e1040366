//! The parser of operand tables: `operands NAME for SET; values { … } operand NAME = …;`.

use isa_codegen::ast::{
    Arm, ArmCond, ArmMap, Attr, ClassContent, ClassDecl, CodeRun, Condition, GetType, NameList, NamedSet,
    OperandTables, RunFit, RunKind, Target,
};
use isa_codegen::error::Errors;
use isa_codegen::spanned::SpannedStr;
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::parse::ParseStream;
use syn::{LitFloat, LitInt, LitStr, Path, Token, TypeParamBound, braced, parenthesized};

use super::operand_clauses::{clause, power_of_two, set_expr, signed};
use super::operand_contents::{code_range, names_in_braces, number_or_names, parts};
use super::set::{condition, path};
use super::tokens::{
    any_identifier, attrs, error, expect_keyword, generations, identifier, peek_keyword, push_errors, skip_until,
    string, take_keyword,
};

/// The keywords that begin the declaration of an operand class.
const CLASS_KEYWORDS: [&str; 4] = ["operand", "number", "parts", "modifier"];
/// The keywords of other declarations.
const OTHER_KEYWORDS: [&str; 8] = ["values", "names", "flags", "syntax", "mode", "masks", "parse", "inst"];

/// The help for an unknown declaration.
const DECLARATIONS: &str = "write `values`, `operand`, `number`, `parts`, `modifier` or `names`, a clause such as `mode`, or a set of codes `name = a | b;`";

/// Returns whether a word is the keyword of a declaration.
fn is_declaration(word: &str) -> bool {
    CLASS_KEYWORDS.contains(&word) || OTHER_KEYWORDS.contains(&word)
}

/// Parses a keyword of the first two clauses of a block.
fn expect_head(input: ParseStream, keyword: &str) -> syn::Result<()> {
    if take_keyword(input, keyword)? {
        return Ok(());
    }
    let help = "a block of operand classes begins with `operands NAME for SET;` and `value VALUE of FILE;`";
    Err(error(input.span(), format!("expected `{keyword}`"), help))
}

/// Parses a block of operand tables.
pub fn operand_tables(input: ParseStream) -> syn::Result<OperandTables> {
    let mut errors = Errors::default();
    let mut name = None;
    let target = match head(input, &mut name) {
        Ok(target) => target,
        Err(error) => {
            push_errors(&mut errors, error);
            skip_head(input)?;
            // The classes belong to any set, so that those who name them report no further errors.
            Target::Generic(Ident::new("__Set", Span::call_site()), quote!(::isa::Isa))
        }
    };
    let (mut value, mut file) = (TokenStream::new(), TokenStream::new());
    if errors.as_slice().is_empty() || !begins_declaration(input) {
        match value_clause(input) {
            Ok(paths) => (value, file) = paths,
            Err(error) => {
                push_errors(&mut errors, error);
                skip_head(input)?;
            }
        }
    }
    let mut tables = OperandTables {
        name,
        target,
        value,
        file,
        flags: None,
        mode: None,
        syntax: None,
        masks: None,
        parse: Condition::default(),
        inst: Condition::default(),
        generations: Vec::new(),
        runs: Vec::new(),
        sets: Vec::new(),
        classes: Vec::new(),
        lists: Vec::new(),
        errors,
    };
    while !input.is_empty() {
        if let Err(error) = declaration(&mut tables, input) {
            push_errors(&mut tables.errors, error);
            skip_declaration(input)?;
        }
    }
    Ok(tables)
}

/// Parses the first clause: the name of the block, and the set or sets that have the classes.
fn head(input: ParseStream, name: &mut Option<Ident>) -> syn::Result<Target> {
    expect_head(input, "operands")?;
    if !input.peek(Token![for]) {
        *name = Some(input.parse()?);
    }
    expect_head(input, "for")?;
    let target = if input.peek2(Token![:]) && !input.peek2(Token![::]) {
        let name: Ident = input.parse()?;
        input.parse::<Token![:]>()?;
        let bounds = syn::punctuated::Punctuated::<TypeParamBound, Token![+]>::parse_separated_nonempty(input)?;
        Target::Generic(name, bounds.into_token_stream())
    } else {
        Target::Set(input.parse::<Path>()?.into_token_stream())
    };
    input.parse::<Token![;]>()?;
    Ok(target)
}

/// Skips the rest of one of the first two clauses with an error, unless the clause is missing and another one comes next.
fn skip_head(input: ParseStream) -> syn::Result<()> {
    if peek_keyword(input, "value") || begins_declaration(input) { Ok(()) } else { skip_declaration(input) }
}

/// Returns whether the input begins with a declaration.
fn begins_declaration(input: ParseStream) -> bool {
    begins_class(input) || OTHER_KEYWORDS.iter().any(|word| peek_keyword(input, word))
}

/// Returns whether the input begins with an operand class: its attributes, or its keyword and its name.
fn begins_class(input: ParseStream) -> bool {
    let has_keyword = || CLASS_KEYWORDS.iter().any(|word| peek_keyword(input, word));
    input.peek(Token![#]) && input.peek2(syn::token::Bracket) || input.peek2(syn::Ident) && has_keyword()
}

/// Parses the `value` clause: the type of operand values, and the enum of register files.
fn value_clause(input: ParseStream) -> syn::Result<(TokenStream, TokenStream)> {
    expect_head(input, "value")?;
    let value = path(input)?;
    expect_head(input, "of")?;
    let file = path(input)?;
    input.parse::<Token![;]>()?;
    Ok((value, file))
}

/// Skips the rest of a declaration with an error: up to its `;`, or up to the next declaration if it has none.
fn skip_declaration(input: ParseStream) -> syn::Result<()> {
    skip_until(input, |input| input.peek(Token![;]) || begins_class(input))?;
    input.parse::<Option<Token![;]>>()?;
    Ok(())
}

fn declaration(tables: &mut OperandTables, input: ParseStream) -> syn::Result<()> {
    let docs = attrs(input)?;
    let start = input.span();
    let Ok(keyword) = any_identifier(input) else {
        return Err(error(input.span(), "expected a declaration", DECLARATIONS));
    };
    match keyword.as_str() {
        "flags" => tables.flags = Some(path(input)?),
        "syntax" => tables.syntax = Some(path(input)?),
        "parse" => tables.parse = condition(&docs, start)?,
        "inst" => tables.inst = condition(&docs, start)?,
        "mode" => {
            let mode = path(input)?;
            let inner;
            braced!(inner in input);
            let mut modes = vec![identifier(&inner)?];
            while inner.parse::<Option<Token![,]>>()?.is_some() && !inner.is_empty() {
                modes.push(identifier(&inner)?);
            }
            tables.mode = Some((mode, modes));
        }
        "masks" => {
            let mut counts = Vec::new();
            while input.peek(LitInt) {
                counts.push(input.parse::<LitInt>()?.base10_parse()?);
            }
            tables.masks = Some((counts, string(input)?));
        }
        "values" => return values(tables, input),
        "operand" => class(tables, docs, false, input, codes)?,
        "number" => class(tables, docs, false, input, number_or_names)?,
        "parts" => class(tables, docs, false, input, parts)?,
        "names" => {
            let name = input.parse()?;
            let has_codes = input.parse::<Option<Token![:]>>()?.is_some();
            let codes = if has_codes { Some(input.parse::<syn::Type>()?.into_token_stream()) } else { None };
            let by = if take_keyword(input, "by")? { Some(path(input)?) } else { None };
            tables.lists.push(NameList { docs, name, codes, by, names: names_in_braces(input)? });
        }
        "modifier" => class(tables, docs, true, input, number_or_names)?,
        _ if input.peek(Token![=]) => {
            input.parse::<Token![=]>()?;
            let set = set_expr(input)?;
            let called = if input.parse::<Option<Token![,]>>()?.is_some() {
                expect_keyword(input, "called")?;
                Some(string(input)?)
            } else {
                None
            };
            tables.sets.push(NamedSet { name: keyword, set, called });
        }
        _ => {
            // It may be a misspelt keyword: blocks name the class.
            if input.peek(syn::Ident) {
                tables.classes.push(class_without_codes(docs, input.parse()?));
            }
            return Err(error(start, format!("unknown declaration `{keyword}`"), DECLARATIONS));
        }
    }
    end_of_statement(input)
}

fn end_of_statement(input: ParseStream) -> syn::Result<()> {
    if input.parse::<Option<Token![;]>>()?.is_some() {
        return Ok(());
    }
    Err(error(
        input.span(),
        "expected `;` or another clause",
        "clauses are separated by `,`, declarations end with `;`",
    ))
}

/// Parses `values of a, b { … }` after its keyword.
fn values(tables: &mut OperandTables, input: ParseStream) -> syn::Result<()> {
    if take_keyword(input, "of")? {
        tables.generations.push(identifier(input)?);
        while input.parse::<Option<Token![,]>>()?.is_some() {
            tables.generations.push(identifier(input)?);
        }
    }
    let inner;
    braced!(inner in input);
    while !inner.is_empty() {
        let parsed = code_run(&inner).and_then(|run| {
            tables.runs.push(run);
            inner.parse::<Token![;]>().map_err(|_| error(inner.span(), "expected `;`", "a run of codes ends with `;`"))
        });
        if let Err(error) = parsed {
            push_errors(&mut tables.errors, error);
            while !inner.is_empty() && inner.parse::<Option<Token![;]>>()?.is_none() {
                inner.parse::<TokenTree>()?;
            }
        }
    }
    Ok(())
}

/// Parses a run of codes, without its `;`.
fn code_run(input: ParseStream) -> syn::Result<CodeRun> {
    let (first, last, span) = code_range(input)?;
    let name = identifier(input)?;
    let mut file = None;
    if take_keyword(input, "as")? {
        let other = identifier(input)?;
        let from = if take_keyword(input, "from")? { input.parse::<LitInt>()?.base10_parse()? } else { 0 };
        file = Some((other, from));
    }
    let mut run = CodeRun {
        first,
        last,
        span,
        kind: run_kind(input, &name)?,
        name,
        file,
        is_aligned: false,
        has_halves: false,
        fit: RunFit::Run,
        also: Vec::new(),
        rule: None,
        generations: Vec::new(),
        printed: None,
    };
    while !input.peek(Token![;]) && !input.is_empty() {
        let start = input.span();
        let missing_end = |_| error(start, "expected `;` or a property of the run", "a run of codes ends with `;`");
        let keyword = any_identifier(input).map_err(missing_end)?;
        match keyword.as_str() {
            "aligned" => run.is_aligned = true,
            "halves" => run.has_halves = true,
            "any" => run.fit = RunFit::Any,
            "one" => run.fit = RunFit::One,
            "also" => run.also.push(string(input)?),
            "else" => run.rule = Some(string(input)?),
            "printed" => run.printed = Some(generations(input)?),
            "in" => {
                run.generations.push(identifier(input)?);
                while input.parse::<Option<Token![|]>>()?.is_some() {
                    run.generations.push(identifier(input)?);
                }
            }
            _ => {
                let help =
                    "write `aligned`, `halves`, `any`, `one`, `also \"…\"`, `else \"…\"`, `printed` or `in GENERATION`";
                return Err(error(start, format!("unknown property `{keyword}` of a run"), help));
            }
        }
    }
    Ok(run)
}

/// Parses what the codes of a run are.
fn run_kind(input: ParseStream, name: &SpannedStr) -> syn::Result<RunKind> {
    if input.peek(LitStr) {
        let mut names = vec![string(input)?];
        while input.peek(LitStr) {
            names.push(string(input)?);
        }
        return match &names[..] {
            [one] if one.as_str().ends_with("{}") => Ok(RunKind::Numbered(one.as_str().replace("{}", ""))),
            _ => Ok(RunKind::Names(names)),
        };
    }
    if input.peek(syn::Ident) && !peek_keyword(input, "in") {
        return Ok(RunKind::Literal(identifier(input)?));
    }
    let fork = input.fork();
    let is_integer = fork.parse::<Option<Token![-]>>().is_ok() && fork.parse::<LitInt>().is_ok();
    if is_integer {
        let first = signed(input)?;
        input.parse::<Token![..=]>()?;
        return Ok(RunKind::Integers(first, signed(input)?));
    }
    let mut floats = Vec::new();
    while input.peek(LitFloat) || input.peek(Token![-]) {
        let sign = if input.parse::<Option<Token![-]>>()?.is_some() { "-" } else { "" };
        let lit: LitFloat = input.parse()?;
        let text = format!("{sign}{}", lit.base10_digits());
        let value = text.parse().map_err(|_| error(lit.span(), "this is not a number", "write `0.5`"))?;
        floats.push((text, value));
    }
    if floats.is_empty() {
        let help = "write names `\"vcc_lo\" \"vcc_hi\" \"vcc\"`, numbered registers `\"s{}\"`, integers `0..=64`, floats `0.5 -0.5`, \
                    or the name of the suffix dword that holds a literal";
        return Err(error(input.span(), format!("expected what the codes of `{name}` are"), help));
    }
    Ok(RunKind::Floats(floats))
}

/// Parses a class after its keyword; `content` parses what its codes are. After an error the class has no codes: it is declared, so
/// that the blocks that name it report no further errors.
fn class(
    tables: &mut OperandTables,
    docs: Vec<Attr>,
    is_modifier: bool,
    input: ParseStream,
    content: impl Fn(ParseStream) -> syn::Result<ClassContent>,
) -> syn::Result<()> {
    let mut class = class_without_codes(docs, input.parse()?);
    class.is_modifier = is_modifier;
    let result = class_after_name(&mut class, input, content);
    tables.classes.push(class);
    result
}

/// Returns a class that has no codes yet.
fn class_without_codes(docs: Vec<Attr>, name: Ident) -> ClassDecl {
    let (content, clauses) = (ClassContent::Hidden, Vec::new());
    ClassDecl { docs, name, param: None, get: GetType::Default, content, clauses, is_modifier: false }
}

/// Parses a class after its name.
fn class_after_name(
    class: &mut ClassDecl,
    input: ParseStream,
    content: impl Fn(ParseStream) -> syn::Result<ClassContent>,
) -> syn::Result<()> {
    if input.parse::<Option<Token![<]>>()?.is_some() {
        let variable = input.parse()?;
        input.parse::<Token![in]>()?;
        let first = input.parse::<LitInt>()?;
        if first.base10_digits() != "0" {
            return Err(error(first.span(), "a class is numbered from 0", "write `<N in 0..=2>`"));
        }
        input.parse::<Token![..=]>()?;
        class.param = Some((variable, input.parse::<LitInt>()?.base10_parse()?));
        input.parse::<Token![>]>()?;
    }
    if input.peek(syn::token::Paren) {
        let inner;
        parenthesized!(inner in input);
        let mut fields = Vec::new();
        while !inner.is_empty() {
            let field: Ident = inner.parse()?;
            inner.parse::<Token![:]>()?;
            fields.push((field, inner.parse::<syn::Type>()?.into_token_stream()));
            if !inner.is_empty() {
                inner.parse::<Token![,]>()?;
            }
        }
        class.get = match <[_; 1]>::try_from(fields) {
            Ok([(method, content)]) => GetType::Newtype(method, content),
            Err(fields) => GetType::Fields(fields),
        };
    } else if input.parse::<Option<Token![->]>>()?.is_some() {
        let ty = input.parse::<syn::Type>()?.into_token_stream();
        class.get = if ty.to_string() == "Self" { GetType::Existing } else { GetType::Type(ty) };
    }
    if input.parse::<Option<Token![=]>>()?.is_none() {
        return Err(error(input.span(), "expected `=` and what the codes are", "write `operand NAME = sgpr | vcc;`"));
    }
    let content = content(input)?;
    let mut clauses = Vec::new();
    while input.parse::<Option<Token![,]>>()?.is_some() {
        clauses.push(clause(input, &content)?);
    }
    (class.content, class.clauses) = (content, clauses);
    Ok(())
}

/// Parses `set if COND else set`.
fn codes(input: ParseStream) -> syn::Result<ClassContent> {
    let mut arms = Vec::new();
    loop {
        let set = set_expr(input)?;
        let mut except = Vec::new();
        if take_keyword(input, "except")? {
            except.push(string(input)?);
            while input.peek(LitStr) {
                except.push(string(input)?);
            }
        }
        let map = if take_keyword(input, "by")? {
            if take_keyword(input, "number")? {
                ArmMap::Number(if take_keyword(input, "by")? { power_of_two(input)? } else { 0 })
            } else {
                ArmMap::By(power_of_two(input)?)
            }
        } else {
            ArmMap::Same
        };
        if !take_keyword(input, "if")? {
            arms.push(Arm { set, except, map, cond: None });
            return Ok(ClassContent::Codes(arms));
        }
        let cond = Some(arm_cond(input)?);
        arms.push(Arm { set, except, map, cond });
        if !take_keyword(input, "else")? {
            return Err(error(
                input.span(),
                "expected `else`",
                "the last case of a class has no condition: `a if flag else b`",
            ));
        }
    }
}

fn arm_cond(input: ParseStream) -> syn::Result<ArmCond> {
    let name = identifier(input)?;
    if name != *"it" {
        let is_mode = name.as_str().starts_with(|c: char| c.is_ascii_uppercase());
        return Ok(if is_mode { ArmCond::Mode(name) } else { ArmCond::Flag(name) });
    }
    expect_keyword(input, "is")?;
    if take_keyword(input, "mask")? {
        return Ok(ArmCond::Mask);
    }
    if take_keyword(input, "above")? {
        return Ok(ArmCond::Above(input.parse::<LitInt>()?.base10_parse()?));
    }
    if !take_keyword(input, "up")? {
        let help = "write `it is mask`, `it is up to 32` or `it is above 32`; the numbers are bits";
        return Err(error(input.span(), "expected a group of operand types", help));
    }
    expect_keyword(input, "to")?;
    Ok(ArmCond::UpTo(input.parse::<LitInt>()?.base10_parse()?))
}

/// Returns whether a block is one of operand tables: attributes may precede its first word.
pub fn begins(input: &TokenStream) -> bool {
    let mut words = input.clone().into_iter().filter_map(|token| match token {
        TokenTree::Ident(ident) => Some(ident.to_string()),
        _ => None,
    });
    let (first, second) = (words.next(), words.next());
    // The keyword may be misspelt or missing.
    let is_keyword = |word: String| word == "operands" || word == "value" || is_declaration(&word);
    first.is_some_and(is_keyword) || second.is_some_and(|word| word == "for")
}

//! The parser of the row language, which produces the syntax tree of `isa-codegen`.
//!
//! The parser continues after an error at the next field, clause or row, so that one expansion reports all errors.

use isa_codegen::ast::{Block, ParseOutcome, Promotion, SuffixDwordClause, TextClause};
use isa_codegen::spanned::Number;
use proc_macro2::{Ident, TokenStream};
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{Attribute, LitInt, Token, braced, parenthesized};

mod body;
mod clauses;
mod cond;
mod fields;
mod operand_clauses;
mod operand_contents;
mod operands;
mod rows;
mod set;
mod tokens;

use fields::field;
pub use operands::{begins as begins_operands, operand_tables};
use rows::{Scope, rows};
pub use set::{missing, set_clauses};
use tokens::{
    any_identifier, attrs, begins_row, expect_keyword, identifier, list, number, push_errors, set_once, skip_statement,
    string, take_keyword,
};
pub use tokens::{error, peek_keyword};

/// Parses a block. Fails only if the block has no name; [`Block::parsed`] holds any later error.
pub fn block(input: ParseStream) -> syn::Result<Block> {
    let docs = attrs(input)?;
    let mut parsed = ParseOutcome::default();
    let keyword = input.call(Ident::parse_any)?;
    let is_misspelt = keyword != "dword" && keyword != "format";
    // Only a suffix dword has no width between its name and the brace.
    let is_suffix_dword = keyword == "dword" || is_misspelt && input.peek2(syn::token::Brace);
    if is_misspelt {
        let message = "expected `format`, `dword` or `operands` at the start of a block";
        let help = "write `format NAME: 32 {`, `dword NAME {` or `operands NAME for SET;`";
        if !input.peek(syn::Ident) {
            return Err(error(keyword.span(), message, help));
        }
        parsed.errors.report(keyword.span(), message, help);
    }
    let name: Ident = input.parse()?;
    let mut block = Block {
        docs,
        is_suffix_dword,
        width: Number { value: 32, span: name.span() },
        widths: Vec::new(),
        generations: Vec::new(),
        columns: Vec::new(),
        other_generations: Vec::new(),
        name,
        fields: Vec::new(),
        flags: Vec::new(),
        derived_flags: Vec::new(),
        conditional_flags: Vec::new(),
        quirks: Vec::new(),
        operand_lists: Vec::new(),
        requirements: Vec::new(),
        texts: Vec::new(),
        suffix: None,
        suffix_dwords: Vec::new(),
        promotions: Vec::new(),
        only_mode: None,
        components: Vec::new(),
        separator: None,
        run: None,
        operand_clauses: Vec::new(),
        rows: Vec::new(),
        parsed,
    };
    if let Err(error) = block_body(&mut block, input) {
        push_errors(&mut block.parsed.errors, error);
        block.parsed.fields_incomplete = true;
        input.parse::<TokenStream>()?;
    }
    Ok(block)
}

/// Parses a block after its name.
fn block_body(block: &mut Block, input: ParseStream) -> syn::Result<()> {
    if !block.is_suffix_dword {
        if input.parse::<Option<Token![:]>>()?.is_none() {
            let help = "write `format NAME: 32 {`, `format NAME: 64 {` or `format NAME: 96 {`";
            return Err(error(input.span(), "expected the width of the format in bits", help));
        }
        while block.widths.is_empty() || input.peek(LitInt) {
            let width = number(input)?;
            if !matches!(width.value, 32 | 64 | 96) {
                let message = format!("a format cannot have {} bits", width.value);
                let help = "write 32, 64 or 96; describe a dword that may follow in a separate block, `dword NAME {`";
                return Err(error(width.span, message, help));
            }
            block.widths.push(width);
        }
        block.width = block.widths[0].clone();
    }
    if take_keyword(input, "of")? {
        loop {
            let before = block.generations.len();
            if input.peek(syn::token::Paren) {
                let group;
                parenthesized!(group in input);
                block.generations.extend(group.parse_terminated(identifier, Token![,])?);
            } else {
                block.generations.push(identifier(input)?);
            }
            block.columns.push(block.generations.len() - before);
            if input.parse::<Option<Token![,]>>()?.is_none() {
                break;
            }
        }
        // Generations are flags too, so that conditions can test them.
        for generation in &block.generations {
            if !block.flags.contains(generation) {
                block.flags.push(generation.clone());
            }
        }
    }
    if !input.peek(syn::token::Brace) {
        return Err(error(input.span(), "expected the fields of the block", "write `{ NAME [bits] …, … }`"));
    }
    let inner;
    braced!(inner in input);
    let begins_field = |input: ParseStream| {
        let has_docs = input.call(Attribute::parse_outer).is_ok();
        let has_name = input.peek(syn::Ident) && (input.peek2(syn::token::Bracket) || input.peek2(Token![:]));
        has_docs && (has_name || peek_keyword(input, "implied"))
    };
    let errors = &mut block.parsed.errors;
    block.parsed.fields_incomplete |= !list(&inner, errors, begins_field, field, &mut block.fields)?;
    while !input.is_empty() {
        let is_row = begins_row(input);
        if let Err(error) = clause_or_row(block, input) {
            push_errors(&mut block.parsed.errors, error);
            block.parsed.clauses_incomplete |= !is_row;
            skip_statement(input)?;
        }
    }
    Ok(())
}

/// Parses a clause, or the rows of a family.
fn clause_or_row(block: &mut Block, input: ParseStream) -> syn::Result<()> {
    if begins_row(input) {
        let Block { operand_lists, rows: out, parsed, .. } = block;
        return rows(input, Scope { bindings: &[], operand_lists }, out, &mut parsed.errors);
    }
    let Ok(keyword) = any_identifier(input) else {
        let help = "write a clause, such as `text \"…\";`, or a row `NUMBER => NAME (…);`";
        return Err(error(input.span(), "expected a clause or a row", help));
    };
    match keyword.as_str() {
        "flags" | "quirks" => clauses::flags(input, block, keyword.as_str() == "quirks")?,
        "operands" => {
            let list = rows::operand_list(input, block)?;
            block.operand_lists.push(list);
        }
        "require" => block.requirements.push(cond::parse(input)?),
        "text" => {
            let template = string(input)?;
            let cond = cond::optional(input)?;
            block.texts.push(TextClause { template, cond });
        }
        "suffix" => set_once(&mut block.suffix, string(input)?, &keyword)?,
        "dword" => block.suffix_dwords.push(suffix_dword_clause(input)?),
        "promotes" => {
            expect_keyword(input, "to")?;
            let format = identifier(input)?;
            expect_keyword(input, "at")?;
            let offset = number(input)?;
            block.promotions.push(Promotion { format, offset, cond: cond::optional(input)? });
        }
        "only" => set_once(&mut block.only_mode, identifier(input)?, &keyword)?,
        "run" => set_once(&mut block.run, clauses::run(input)?, &keyword)?,
        "source" | "result" | "saturate" | "inactive" | "active" | "tied" | "address" | "reads" => {
            block.operand_clauses.push(clauses::operand(input, &keyword)?);
        }
        "bodies" => clauses::compiled_bodies(input, block)?,
        "components" => {
            block.components.clear();
            block.components.push(identifier(input)?);
            set_once(&mut block.separator, string(input)?, &keyword)?;
            block.components.push(identifier(input)?);
        }
        other => {
            let help = "the clauses are `flags`, `quirks`, `operands`, `require`, `text`, `suffix`, `dword`, `promotes to`, `only`, `components`, `run`, `source`, `result`, `saturate`, `inactive`, `active`, `tied`, `address` and `reads`; a row is `NUMBER => NAME (…);`";
            return Err(error(keyword.span(), format!("unknown clause `{other}`"), help));
        }
    }
    if input.parse::<Option<Token![;]>>()?.is_some() {
        Ok(())
    } else if input.is_empty() || begins_row(input) {
        let message = format!("the clause `{keyword}` has no `;` at its end");
        Err(error(keyword.span(), message, "write `;` after the clause"))
    } else {
        Err(input.error(format!("expected `;` at the end of the clause `{keyword}`")))
    }
}

/// Parses `NAME when FIELD == code | … if COND suffix "…"`.
fn suffix_dword_clause(input: ParseStream) -> syn::Result<SuffixDwordClause> {
    let name = identifier(input)?;
    let mut when = Vec::new();
    if take_keyword(input, "when")? {
        loop {
            let field = identifier(input)?;
            input.parse::<Token![==]>()?;
            when.push((field, number(input)?));
            if input.parse::<Option<Token![|]>>()?.is_none() {
                break;
            }
        }
    }
    let cond = cond::optional(input)?;
    let suffix = if take_keyword(input, "suffix")? { Some(string(input)?) } else { None };
    Ok(SuffixDwordClause { name, when, cond, suffix })
}

#[cfg(test)]
mod tests {
    use syn::parse::Parser;

    /// Parses rows. Returns their numbers and names, or the first error.
    fn family(rows_text: &str) -> Result<Vec<(u64, String)>, String> {
        let text = format!("format F: 32 {{ OP [31:0] = opcode }} {rows_text}");
        let block = super::block.parse_str(&text).map_err(|e| e.to_string())?;
        block.parsed.errors.into_result().map_err(|e| e.as_slice()[0].message.clone())?;
        Ok(block.rows.into_iter().map(|r| (r.number.value, r.name.to_string())).collect())
    }

    fn names(rows_text: &str) -> Vec<String> {
        family(rows_text).unwrap_or_default().into_iter().map(|(n, name)| format!("{n} {name}")).collect()
    }

    #[test]
    fn families_are_expanded_value_by_value() {
        assert_eq!(
            names("for rel in [0 LT, 1 EQ] { 0x10 + rel => CMP_{rel}_F32 (); 0x90 + rel => CMPX_{rel} (); }"),
            ["16 CMP_LT_F32", "144 CMPX_LT", "17 CMP_EQ_F32", "145 CMPX_EQ"]
        );
        assert_eq!(
            names("for op in [0 ADD, 8 SUB] { for size in [0 B, 1 H] { 1 + op + size => {op}_{size} (); } }"),
            ["1 ADD_B", "2 ADD_H", "9 SUB_B", "10 SUB_H"]
        );
        assert_eq!(names("for n in [] { 0 + n => X_{n} (); } 3 => Y ();"), ["3 Y"]);
    }

    #[test]
    fn inner_variables_shadow_outer_ones() {
        assert_eq!(names("for n in [0 A] { for n in [1 B] { 4 + n => X_{n} (); } }"), ["5 X_B"]);
    }

    #[test]
    fn names_are_pasted_from_identifiers_digits_and_braces() {
        assert_eq!(
            names("for t in [0 F] { for n in [0 B] { 0 => {t}{n} (); 1 => {t}_{n}_X (); 2 => CVT_{t}32_{n}16 (); } }"),
            ["0 FB", "1 F_B_X", "2 CVT_F32_B16"]
        );
        assert!(family("0 => A B ();").is_err_and(|e| e.contains("expected the operands")));
        assert!(family("0 => A_{x} ();").is_err_and(|e| e.contains("binds `x`")));
    }

    /// Parses clauses and rows. Returns the component, the number, the reference and the operands of each row.
    fn rows(text: &str) -> Vec<String> {
        let text = format!("format F: 32 {{ OP [31:0] = opcode }} {text}");
        let block = super::block.parse_str(&text).unwrap_or_else(|e| panic!("{e}"));
        assert!(block.parsed.errors.as_slice().is_empty(), "{:?}", block.parsed.errors);
        let row = |row: isa_codegen::ast::Row| {
            let roles: Vec<&str> = row.roles.iter().map(|role| role.name.as_str()).collect();
            let component = row.component.map_or(String::new(), |name| format!("{name} "));
            let base = row.base.map_or(String::new(), |name| format!(" = {name}"));
            format!("{component}{} {}{base} ({})", row.number.value, row.name, roles.join(" "))
        };
        block.rows.into_iter().map(row).collect()
    }

    #[test]
    fn rows_of_several_components_are_one_row_each() {
        assert_eq!(rows("x, y 8 => A = B; y 9 => C = D;"), ["x 8 A = B ()", "y 8 A = B ()", "y 9 C = D ()"]);
        assert_eq!(rows("x, y 8 => A (d: u32) { d = 0; }"), ["x 8 A (d)", "y 8 A = A ()"]);
    }

    #[test]
    fn lists_of_operands_replace_their_names() {
        let lists = "operands base = (a: u32, b: u32); operands all = (..base, c: u32);";
        assert_eq!(
            rows(&format!("{lists} 0 => A (d: u32, ..base); 1 => B (..all, e: u8);")),
            ["0 A (d a b)", "1 B (a b c e)"]
        );
    }

    #[test]
    fn parsing_continues_after_an_error() {
        let text = "format F: 32 { A [31:30] = , B [0:7]: s: Reg<1, 2>, C D, E [1] reserved }
            nonsense 1; 0 => X (a: u33, b: what); 1 => Y () 2 => Z (); for a in [1] { 0 => Q (); }";
        let block = super::block.parse_str(text).unwrap_or_else(|e| panic!("{e}"));
        let errors: Vec<String> = block.parsed.errors.as_slice().iter().map(|error| error.message.clone()).collect();
        assert_eq!(errors.len(), 8, "{errors:#?}");
        assert!(block.parsed.fields_incomplete && block.parsed.clauses_incomplete);
        assert_eq!(block.rows.iter().map(|r| r.name.as_str()).collect::<Vec<_>>(), ["X", "Z"]);
    }
}

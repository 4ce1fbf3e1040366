//! Statements: labels, assignments, instructions, and everything that they put into a section.

use std::ops::Range;

use isa::DeferredField;

use crate::diagnostic::Diagnostic;
use crate::expand::conditions::Word;
use crate::expression::evaluate::Term;
use crate::expression::parse::Scope;
use crate::expression::tree::{Expr, Op};
use crate::instruction::symbolic::{self, Pending};
use crate::layout::address::Address;
use crate::layout::fixup::{Fixup, FixupField};
use crate::layout::section::AppendError;
use crate::lex::cursor::{Cursor, behind_name, label, trim_end};
use crate::lex::parts::NOT_UTF8;
use crate::program::{Program, StatementBytes};
use crate::state::kernels::KernelBlock;
use crate::symbol_table::{Definition, Symbol};
use crate::target::asks_for_registers;

impl Program<'_> {
    /// Reads a line: labels, then a statement or nothing.
    pub(crate) fn line(&mut self, text: &str, start: usize) -> Result<(), Diagnostic> {
        check_utf8(text, start)?;
        let mut input = Cursor::new(text, start);
        // The character after the first name identifies labels and assignments before any name is copied.
        let mut sign = behind_name(input);
        // A kernel's block has no labels.
        while !self.kernels.is_in_block() {
            if sign == Some(b':')
                && let Some((name, span)) = label(&mut input)
            {
                self.define(&name, span, Definition::Label(self.here()))?;
            } else if let Some((number, span)) = input.numbered_label() {
                let name = self.symbols.number(number);
                self.define(&name, span, Definition::Label(self.here()))?;
            } else {
                break;
            }
            sign = behind_name(input);
            // A number sign after a label begins a comment.
            if input.rest().starts_with('#') {
                return Ok(());
            }
        }
        if input.done() {
            return Ok(());
        }
        let begin = input.place();
        let statement = trim_end(input.rest());
        let span = begin..begin + statement.len();
        if asks_for_registers(statement) {
            self.count_registers();
        }
        let address = self.here();
        let texts = self.expansions.count();
        let done = self.statement(statement, begin, sign == Some(b'='));
        let part = self.sections.subsections().get(address.subsection as usize);
        let end = part.map_or(address, |part| part.end(address.subsection));
        // Lines of an expansion have their own rows.
        if end != address && self.expansions.count() == texts {
            if statement.starts_with('.')
                && let Some(part) = self.sections.subsections_mut().get_mut(address.subsection as usize)
            {
                part.data.push(address.offset as usize..end.offset as usize);
            }
            if self.keeps_rows {
                self.rows.push(StatementBytes { start: address, end, span });
            }
        }
        done
    }

    fn statement(&mut self, text: &str, start: usize, may_assign: bool) -> Result<(), Diagnostic> {
        let mut input = Cursor::new(text, start);
        match self.kernels.open() {
            None => {}
            Some(KernelBlock::Kernel(_)) => return self.setting(&mut input),
            Some(KernelBlock::Info(_)) => return self.line_of_resource_info(&mut input),
            Some(KernelBlock::Code(_)) => return self.line_of_kernel_code(&mut input),
        }
        let span = start..start + text.len();
        let mut after = input;
        let word = after.identifier();
        let quoted = if text.starts_with('"') { after.name().ok().map(|(name, _)| name) } else { None };
        let word = quoted.as_deref().unwrap_or(word);
        if let Some((kind, word)) = Word::of(word).filter(|_| quoted.is_none()) {
            return self.condition(kind, word, start..start + word.len(), &mut after);
        }
        let assigns = may_assign && after.rest().starts_with('=') && !after.rest().starts_with("==");
        if !assigns && let Some(done) = self.use_macro(word, span.clone(), &mut after) {
            return done;
        }
        let mut after = input;
        if may_assign
            && let Ok((name, span)) = after.name_or_dot()
            && after.rest().starts_with('=')
            && !after.rest().starts_with("==")
        {
            after.eat("=");
            return self.assign(&mut after, &name, span);
        }
        if text.starts_with('.') {
            return self.directive(&mut input);
        }
        let here = self.here();
        let scope = Scope { here, symbols: &self.symbols };
        let assembled = symbolic::assemble(self.reader, scope, text, start).map_err(|error| {
            if word == "LOCAL" && self.expansion.uses_alternate_macros() && error.span.start == start {
                let error = Diagnostic::new(error.span, "LLVM has no `LOCAL`");
                return error.help(Some("`\\@` in a macro is the number of its use, as in `name\\@`".into()));
            }
            let near = self.expansion.nearest_macro(word).filter(|_| error.span.start == start && error.help.is_none());
            if near.is_none() { error } else { error.help(near.map(|near| format!("there is the macro `{near}`"))) }
        })?;
        if let Some(pending) = assembled.pending {
            self.wait(pending, here, assembled.bytes.len() as u64);
        }
        self.put(&assembled.bytes, span)
    }

    /// Leaves a field of an instruction at `start`, of `size` bytes, to be filled in after layout.
    pub(crate) fn wait(&mut self, pending: Pending, start: Address, size: u64) {
        let (offset, field) = match pending.field {
            DeferredField::Branch => (0, FixupField::Branch),
            DeferredField::Literal => (size.saturating_sub(4), FixupField::Literal),
        };
        let address = Address { offset: start.offset + offset, ..start };
        self.fixups.push(Fixup { address, field, expr: pending.expr, span: pending.span });
    }

    /// Where the next byte goes.
    pub(crate) fn here(&self) -> Address {
        self.sections.here()
    }

    /// Takes an expression.
    pub(crate) fn expression(&self, input: &mut Cursor<'_>) -> Result<Expr, Diagnostic> {
        Expr::parse(input, Scope { here: self.here(), symbols: &self.symbols })
    }

    /// Appends bytes to the current section.
    pub(crate) fn put(&mut self, bytes: &[u8], span: Range<usize>) -> Result<(), Diagnostic> {
        self.sections.append(bytes).map_err(|why| self.cannot_append(why, span))
    }

    /// The error of a statement whose bytes cannot be appended.
    pub(crate) fn cannot_append(&self, why: AppendError, span: Range<usize>) -> Diagnostic {
        match why {
            AppendError::TooLarge => self.too_large(span),
            AppendError::Padding(why) => Diagnostic::new(span, why),
            AppendError::NoContents => {
                let section = self.sections.list().get(self.sections.current_section() as usize);
                let name = section.map_or("", |section| section.name());
                Diagnostic::new(span, format!("the section `{name}` has no contents, so that only zeros can be in it"))
            }
        }
    }

    /// Defines a symbol other than a variable, which it cannot have been before.
    pub(crate) fn define(&mut self, name: &str, span: Range<usize>, definition: Definition) -> Result<(), Diagnostic> {
        if let Some(old) = self.symbols.get(name).filter(|old| !old.is_predefined) {
            return Err(defined_twice(name, span, old.span.clone()));
        }
        self.symbols.define(name, definition, span);
        Ok(())
    }

    /// `NAME = EXPRESSION`, and `.set`.
    pub(crate) fn assign(&mut self, input: &mut Cursor<'_>, name: &str, span: Range<usize>) -> Result<(), Diagnostic> {
        if name == "." {
            return self.org(span, input);
        }
        let was_used = self.symbols.is_used(name);
        let expr = self.expression(input)?;
        input.finish()?;
        let is_final = |old: &&Symbol| old.variable().is_none() || old.is_final || self.symbols.is_weak_reference(name);
        if let Some(old) = self.symbols.get(name).filter(is_final) {
            return Err(defined_twice(name, span, old.span.clone()));
        }
        if self.symbols.is_named_by(name, &expr) {
            return Err(Diagnostic::new(span, format!("the symbol `{name}` is defined by itself")));
        }
        // A number is final, even if its symbols change later.
        let expr = match self.symbols.constant(&expr) {
            Some(number) => {
                self.symbols.set_used(name, was_used);
                Expr::Number(number)
            }
            None => {
                self.declare_undefined(&expr);
                self.simplified(expr)
            }
        };
        self.symbols.assign(name, expr, span);
        Ok(())
    }

    /// Adds the symbols that a variable's value names to the symbol table, for the case that nothing defines them. As in LLVM, they are
    /// there even if nothing uses the variable.
    fn declare_undefined(&mut self, expr: &Expr) {
        let mut undefined = Vec::new();
        expr.symbols(&mut |id, _| {
            if self.symbols.definition(id).is_none() {
                undefined.push(self.symbols.name(id));
            }
        });
        for name in undefined {
            self.symbols.attributes_mut(&name).is_declared = true;
        }
    }

    /// An expression whose value is known but for one symbol, as the sum of both: chains of variables stay short.
    fn simplified(&self, expr: Expr) -> Expr {
        let value = match (&expr, self.symbols.evaluate(&expr)) {
            // The size and the type of such a variable are those of the symbol that it names.
            (Expr::Symbol { .. }, _) | (_, Err(_)) => return expr,
            (_, Ok(value)) if value.sub.is_some() || value.specifier.is_some() => return expr,
            (_, Ok(value)) => value,
        };
        let here = || Box::new(Expr::Here(self.here()));
        let base = match value.add {
            // Instructions tell a distance from a constant.
            None => Expr::Binary(Op::Sub, here(), here()),
            Some(Term::Address(address)) => Expr::Here(address),
            Some(Term::Symbol(id)) => {
                let span = expr.find(id).unwrap_or_default();
                Expr::Symbol { id, specifier: None, span }
            }
        };
        Expr::Binary(Op::Add, Box::new(base), Box::new(Expr::Number(value.number)))
    }

    /// Takes an expression and returns its number. It must be known at this line.
    pub(crate) fn number(&mut self, input: &mut Cursor<'_>) -> Result<i64, Diagnostic> {
        let start = input.place();
        let expr = self.expression(input)?;
        let span = start..input.end();
        match self.symbols.evaluate(&expr).map(|value| value.absolute()) {
            Ok(Some(number)) => return Ok(number),
            Err(why) if !self.symbols.is_open(&expr) => return Err(Diagnostic::new(span, why)),
            Ok(None) | Err(_) => {}
        }
        let mut undefined = None;
        expr.symbols(&mut |id, at| {
            if self.symbols.definition(id).is_none() {
                undefined.get_or_insert_with(|| (id, at.clone()));
            }
        });
        Err(match undefined {
            Some((id, at)) => self.symbols.undefined(id, at, |name| format!("{name} is not known before this line")),
            None => Diagnostic::new(span, "expected a number, and this depends on addresses that are not known yet"),
        })
    }
}

/// Checks that a text of the source, which begins at `start`, is UTF-8.
pub(crate) fn check_utf8(text: &str, start: usize) -> Result<(), Diagnostic> {
    let Some(at) = text.find(NOT_UTF8).map(|at| start + at) else { return Ok(()) };
    Err(Diagnostic::new(at..at + NOT_UTF8.len_utf8(), "only a comment may contain bytes that are not UTF-8"))
}

/// The error of a symbol that has another definition.
pub(crate) fn defined_twice(name: &str, span: Range<usize>, first: Range<usize>) -> Diagnostic {
    Diagnostic::new(span, format!("the symbol `{name}` is defined twice")).label(first, "first here")
}

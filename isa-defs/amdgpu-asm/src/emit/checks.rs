//! Checks of the whole program after layout.

use std::ops::Range;

use crate::diagnostic::Diagnostic;
use crate::expression::evaluate::{Evaluator, Phase, Term};
use crate::expression::tree::Expr;
use crate::program::Program;
use crate::symbol_table::{Definition, is_temporary};

impl Program<'_> {
    /// Reports sizes of symbols that are not numbers.
    pub(crate) fn check_sizes(&mut self) {
        let mut evaluator = Evaluator::new(&self.symbols, Phase::Layout(&self.sections));
        let mut errors: Vec<(Range<usize>, &'static str)> = Vec::new();
        let mut check = |expr: &Expr, span: Range<usize>| match evaluator.evaluate_in_full(expr) {
            Err(why) => errors.push((span, why)),
            Ok(value) if value.absolute().is_none() => errors.push((span, "the size of a symbol is a number")),
            Ok(_) => {}
        };
        for (.., symbol, _) in self.symbols.iter() {
            if let Some((expr, span)) = symbol.and_then(|symbol| symbol.size()) {
                check(expr, span.clone());
            }
        }
        self.report.extend(errors.into_iter().map(|(span, why)| Diagnostic::new(span, why)));
    }

    /// Reports symbols with the names of sections: the section defines the symbol.
    pub(crate) fn check_sections(&mut self) {
        for section in self.sections.list() {
            let name = section.name();
            if self.sections.start_of(name).is_some()
                && let Some(symbol) = self.symbols.get(name).filter(|symbol| !symbol.is_predefined)
            {
                self.report.push(Diagnostic::new(symbol.span.clone(), format!("`{name}` is a section")));
            }
        }
    }

    /// Reports variables that have no value in a symbol table, also if nothing uses them. Temporary ones are not in it.
    pub(crate) fn check_variables(&mut self) {
        let mut evaluator = Evaluator::new(&self.symbols, Phase::Layout(&self.sections));
        let mut errors = Vec::new();
        for (id, name, symbol, is_current) in self.symbols.iter() {
            let Some(symbol) = symbol.filter(|symbol| is_current && !symbol.is_predefined) else { continue };
            let Some(expr) = symbol.variable().filter(|expr| !matches!(expr, Expr::Number(_))) else { continue };
            if is_temporary(&name) && !self.symbols.is_used(&name) {
                continue;
            }
            let why = match evaluator.variable_value(id) {
                Ok(value) if self.is_allocated_by_linker(value.add) => "a linker allocates this symbol later",
                _ if is_temporary(&name) => continue,
                Ok(_) if matches!(expr, Expr::Symbol { specifier: Some(_), .. }) => "a symbol is not a relocation",
                Ok(value) if value.sub.is_some() => {
                    "the value is a distance between two sections, or to a symbol that is not defined"
                }
                Ok(_) => continue,
                Err(why) => why,
            };
            errors.push(Diagnostic::new(symbol.span.clone(), format!("`{name}` has no value: {why}")));
        }
        self.report.extend(errors);
    }

    fn is_allocated_by_linker(&self, term: Option<Term>) -> bool {
        let Some(Term::Symbol(id)) = term else { return false };
        matches!(self.symbols.definition(id), Some(Definition::Common { .. } | Definition::Lds { .. }))
    }
}

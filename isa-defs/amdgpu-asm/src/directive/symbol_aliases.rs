//! `.symver` and `.weakref`: other names of symbols in relocations and in the symbol table.

use amdgpu_object::Binding;

use crate::diagnostic::{Diagnostic, Done};
use crate::expression::tree::Expr;
use crate::instruction::statement::defined_twice;
use crate::lex::cursor::Cursor;
use crate::program::Program;
use crate::state::aliases::Version;
use crate::symbol_table::{Definition, Symbol, is_temporary};

impl Program<'_> {
    /// `.symver NAME, NAME@VERSION [, remove]`.
    pub(crate) fn symbol_version(&mut self, input: &mut Cursor<'_>) -> Done {
        let (symbol, _) = input.name()?;
        if !input.eat(",") {
            return Err(input.expected("`,` and the name with a version, such as `f@V1`"));
        }
        let (name, span) = input.raw_name()?;
        if !name.contains('@') {
            let span = span.start..span.end.max(span.start + 1);
            return Err(Diagnostic::new(span, "expected a name with `@` and a version, such as `f@V1`"));
        }
        let mut is_kept = !name.contains("@@@");
        if input.eat(",") {
            let start = input.place();
            if input.word() != "remove" {
                return Err(Diagnostic::new(start..input.end().max(start + 1), "expected `remove`"));
            }
            is_kept = false;
        }
        input.finish()?;
        let symbol = self.symbols.intern(&symbol);
        self.aliases.push_version(Version { symbol, name: name.to_string(), is_kept, span });
        Ok(())
    }

    /// `.weakref NAME, SYMBOL`: references by this name do not make an undefined symbol an error of the linker.
    pub(crate) fn weak_reference(&mut self, input: &mut Cursor<'_>) -> Done {
        let (name, span) = input.name()?;
        if !input.eat(",") {
            return Err(input.expected("`,` and a symbol"));
        }
        let (target, _) = input.name()?;
        input.finish()?;
        if let Some(old) = self.symbols.get(&name).filter(|_| !self.symbols.is_weak_reference(&name)) {
            return Err(defined_twice(&name, span, old.span.clone()));
        }
        self.symbols.define_weak_reference(&name, &target, span);
        Ok(())
    }

    /// Defines the names with versions, which have the binding and the visibility of the symbol at the end of the program.
    pub(crate) fn bind_versions(&mut self) {
        for version in self.aliases.take_versions() {
            let bound = self.bind_version(&version);
            self.report.extend(bound.err());
            self.aliases.push_version(version);
        }
    }

    fn bind_version(&mut self, version: &Version) -> Done {
        let Version { symbol, name, is_kept, span } = version;
        let error = |why: String| Diagnostic::new(span.clone(), why);
        let own = self.symbols.name(*symbol);
        let attributes = self.symbols.symbol(*symbol).map(Symbol::attributes).unwrap_or_default();
        let is_defined = self.symbols.definition(*symbol).is_some();
        let alias = match name.split_once("@@@") {
            Some((prefix, version)) => format!("{prefix}{}{version}", if is_defined { "@@" } else { "@" }),
            None => name.clone(),
        };
        if !is_defined && alias.contains("@@") {
            return Err(error(format!("`{own}` is not defined, so it has no default version")));
        }
        if self.symbols.weak_target(*symbol).is_some() {
            return Err(error(format!("the weak reference `{own}` has no versions")));
        }
        let is_other = |old: &&Symbol| !matches!(old.variable(), Some(Expr::Symbol { id, .. }) if id == symbol);
        if let Some(old) = self.symbols.get(&alias).filter(is_other) {
            return Err(defined_twice(&alias, span.clone(), old.span.clone()));
        }
        let value = Expr::Symbol { id: *symbol, specifier: None, span: span.clone() };
        let id = self.symbols.define(&alias, Definition::Variable(value), span.clone());
        let known = self.symbols.attributes_mut(&alias);
        known.binding = attributes.binding.or(Some(if is_defined { Binding::Local } else { Binding::Global }));
        known.visibility = attributes.visibility;
        if is_defined && *is_kept || self.aliases.rename(*symbol, id) {
            return Ok(());
        }
        Err(error(format!("`{own}` has another version, which replaces its name")))
    }

    /// Reports weak references to weak references, and temporary symbols of `.cg_profile` that are not defined.
    pub(crate) fn check_aliases(&mut self) {
        let mut errors = Vec::new();
        for (id, _, symbol, _) in self.symbols.iter() {
            let Some(target) = self.symbols.weak_target(id) else { continue };
            let why = match self.symbols.definition(target) {
                Some(Definition::Lds { .. }) => "is in LDS and has no weak references",
                _ if self.symbols.weak_target(target).is_some() => "is a weak reference itself",
                _ => continue,
            };
            let span = symbol.map(|symbol| symbol.span.clone()).unwrap_or_default();
            errors.push(Diagnostic::new(span, format!("`{}` {why}", self.symbols.name(target))));
        }
        for (id, span) in self.aliases.profiled() {
            if self.symbols.definition(*id).is_none() && is_temporary(&self.symbols.name(*id)) {
                errors.push(self.symbols.undefined(*id, span.clone(), |name| format!("{name} is not defined")));
            }
        }
        self.report.extend(errors);
    }
}

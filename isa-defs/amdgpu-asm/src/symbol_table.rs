//! The symbol table.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use amdgpu_object::{Binding, Family, SymbolType, Visibility};

use crate::diagnostic::Diagnostic;
use crate::expression::tree::{Expr, SymbolId};
use crate::layout::address::Address;

/// How a symbol is defined.
#[derive(Debug, Clone)]
pub enum Definition {
    /// By a label.
    Label(Address),
    /// By an assignment, `.set` for example.
    Variable(Expr),
    /// By `.comm`: the linker allocates this many bytes with this alignment.
    Common { size: u64, align: u64 },
    /// By `.amdgpu_lds`: the linker allocates this many bytes of LDS with this alignment.
    Lds { size: u64, align: u64 },
}

/// The attributes of a symbol that directives set.
#[derive(Debug, Clone, Default)]
pub struct Attributes {
    /// `.globl`, `.weak` or `.local`.
    pub binding: Option<Binding>,
    /// `.hidden`, `.protected` or `.internal`.
    pub visibility: Visibility,
    /// `.type`.
    pub kind: SymbolType,
    /// `.size`, and where the expression is.
    pub size: Option<(Expr, Range<usize>)>,
    /// Whether a directive makes it known that adds it to the symbol table: all of these but `.size`, and `.set` for the symbols of
    /// its expression.
    pub is_declared: bool,
}

/// A symbol.
#[derive(Debug, Clone, Default)]
pub struct Symbol {
    /// Its definition, if there is one.
    pub definition: Option<Definition>,
    /// Where its name is defined in the source.
    pub span: Range<usize>,
    /// Whether the assembler defines it, and not the program.
    pub is_predefined: bool,
    /// Whether it is another name of the symbol that is its value, by `.weakref`.
    is_weak_reference: bool,
    /// Whether it is a variable that keeps its value, by `.equiv`.
    pub is_final: bool,
    /// The attributes that directives set.
    attributes: Option<Box<Attributes>>,
}

impl Symbol {
    /// Returns the attributes that directives set.
    pub fn attributes(&self) -> Attributes {
        self.attributes.as_deref().cloned().unwrap_or_default()
    }

    /// Whether a directive adds it to the symbol table.
    pub fn is_declared(&self) -> bool {
        self.attributes.as_ref().is_some_and(|attributes| attributes.is_declared)
    }

    /// Its size as `.size` has it, and where the expression is.
    pub fn size(&self) -> Option<&(Expr, Range<usize>)> {
        self.attributes.as_ref()?.size.as_ref()
    }

    /// The value of a variable.
    pub fn variable(&self) -> Option<&Expr> {
        match &self.definition {
            Some(Definition::Variable(expr)) => Some(expr),
            _ => None,
        }
    }

    /// Whether other sections, and branches, refer to it without its name: its binding is local.
    pub fn is_local(&self) -> bool {
        let binding = self.attributes.as_ref().and_then(|attributes| attributes.binding);
        binding.is_none_or(|binding| binding == Binding::Local)
    }

    /// Its type.
    pub fn kind(&self) -> SymbolType {
        self.attributes.as_ref().map_or(SymbolType::NoType, |attributes| attributes.kind)
    }
}

/// The names of symbols. Expressions add names while they borrow the table.
#[derive(Debug, Default)]
struct Names {
    /// The current symbol of each name.
    ids: HashMap<Arc<str>, SymbolId>,
    list: Vec<Arc<str>>,
    /// Which symbols an expression names, so that another assignment makes a new symbol.
    used: Vec<bool>,
}

impl Names {
    fn add(&mut self, name: Arc<str>) -> SymbolId {
        let id = SymbolId(u32::try_from(self.list.len()).unwrap_or(u32::MAX));
        self.list.push(name.clone());
        self.used.push(false);
        self.ids.insert(name, id);
        id
    }

    fn find_or_add(&mut self, name: &str) -> SymbolId {
        match self.ids.get(name) {
            Some(id) => *id,
            None => self.add(name.into()),
        }
    }
}

/// All symbols.
#[derive(Debug, Default)]
pub struct Symbols {
    names: RefCell<Names>,
    /// The symbols that are defined or have attributes, among others.
    list: Vec<Symbol>,
    /// How many labels there are so far of each number.
    numbered: HashMap<u64, u64>,
    /// The index of each numbered label in the order in which the program first names them, by its number and its position among the
    /// labels of that number.
    numbered_indices: RefCell<HashMap<(u64, u64), usize>>,
    /// How often a similar name was looked for.
    searches: Cell<usize>,
    /// The family of the processor, on which functions of expressions depend.
    pub family: Family,
}

/// Most errors for which a similar name is looked for: each search compares all names.
const MAX_SEARCHES: usize = 100;

/// The number of variables that are searched for a symbol that is defined by itself.
const MAX_SEARCHED_VARIABLES: usize = 100;

impl Symbols {
    /// The symbol of this name, for an expression: whether it is defined does not matter.
    pub fn intern(&self, name: &str) -> SymbolId {
        let mut names = self.names.borrow_mut();
        let id = names.find_or_add(name);
        if let Some(used) = names.used.get_mut(id.0 as usize) {
            *used = true;
        }
        id
    }

    /// The symbol of this name, if the name is known.
    pub fn id(&self, name: &str) -> Option<SymbolId> {
        self.names.borrow().ids.get(name).copied()
    }

    /// The name of a symbol.
    pub fn name(&self, id: SymbolId) -> Arc<str> {
        self.names.borrow().list.get(id.0 as usize).cloned().unwrap_or_default()
    }

    /// A symbol, which may lack a definition; `None` if nothing is known of it.
    pub fn symbol(&self, id: SymbolId) -> Option<&Symbol> {
        self.list.get(id.0 as usize)
    }

    /// The definition of a symbol.
    pub fn definition(&self, id: SymbolId) -> Option<&Definition> {
        self.symbol(id)?.definition.as_ref()
    }

    /// The symbol of this name, if it is defined.
    pub fn get(&self, name: &str) -> Option<&Symbol> {
        self.symbol(self.id(name)?).filter(|symbol| symbol.definition.is_some())
    }

    /// All symbols, and whether each is the current one of its name.
    pub fn iter(&self) -> impl Iterator<Item = (SymbolId, Arc<str>, Option<&Symbol>, bool)> {
        let count = self.names.borrow().list.len();
        (0..count as u32).map(|id| {
            let id = SymbolId(id);
            let name = self.name(id);
            let is_current = self.id(&name) == Some(id);
            (id, name, self.symbol(id), is_current)
        })
    }

    fn symbol_mut(&mut self, id: SymbolId) -> &mut Symbol {
        let at = id.0 as usize;
        if self.list.len() <= at {
            self.list.resize_with(at + 1, Symbol::default);
        }
        &mut self.list[at]
    }

    /// Returns the attributes of a symbol for a directive to set.
    pub fn attributes_mut(&mut self, name: &str) -> &mut Attributes {
        let id = self.names.get_mut().find_or_add(name);
        self.symbol_mut(id).attributes.get_or_insert_default()
    }

    /// Defines a symbol and replaces an earlier definition.
    pub fn define(&mut self, name: &str, definition: Definition, span: Range<usize>) -> SymbolId {
        let names = self.names.get_mut();
        let id = names.find_or_add(name);
        let symbol = self.symbol_mut(id);
        symbol.definition = Some(definition);
        symbol.span = span;
        symbol.is_predefined = false;
        symbol.is_weak_reference = false;
        id
    }

    /// Lets a variable keep its value.
    pub fn make_final(&mut self, name: &str) {
        let id = self.names.get_mut().find_or_add(name);
        self.symbol_mut(id).is_final = true;
    }

    /// Makes a symbol a weak reference to another, at this position of the source.
    pub fn define_weak_reference(&mut self, name: &str, target: &str, span: Range<usize>) {
        let target = Expr::Symbol { id: self.intern(target), specifier: None, span: span.clone() };
        let id = self.define(name, Definition::Variable(target), span);
        self.symbol_mut(id).is_weak_reference = true;
    }

    /// Whether the symbol of this name is a weak reference.
    pub fn is_weak_reference(&self, name: &str) -> bool {
        self.id(name).is_some_and(|id| self.weak_target(id).is_some())
    }

    /// The symbol that a weak reference refers to; `None` for other symbols.
    pub fn weak_target(&self, id: SymbolId) -> Option<SymbolId> {
        match self.symbol(id).filter(|symbol| symbol.is_weak_reference)?.variable()? {
            Expr::Symbol { id: target, .. } => Some(*target),
            _ => None,
        }
    }

    /// Defines a symbol that belongs to the assembler.
    pub fn predefine(&mut self, name: &str, value: i64) {
        let id = self.assign(name, Expr::Number(value), 0..0);
        self.symbol_mut(id).is_predefined = true;
    }

    /// Defines a variable. Expressions that name it keep the definition that it has, if it has one.
    pub fn assign(&mut self, name: &str, value: Expr, span: Range<usize>) -> SymbolId {
        let old = self.names.get_mut().find_or_add(name);
        let is_used = self.names.get_mut().used.get(old.0 as usize) == Some(&true);
        if is_used && self.definition(old).is_some() {
            let attributes = self.symbol(old).and_then(|symbol| symbol.attributes.clone());
            let name = self.name(old);
            let new = self.names.get_mut().add(name);
            self.symbol_mut(new).attributes = attributes;
        }
        self.define(name, Definition::Variable(value), span)
    }

    /// Whether an expression names the current symbol of this name.
    pub fn is_used(&self, name: &str) -> bool {
        let names = self.names.borrow();
        names.ids.get(name).is_some_and(|id| names.used.get(id.0 as usize) == Some(&true))
    }

    /// Whether an expression names the symbol that the next definition of this name defines, itself or through variables. Of
    /// long chains of variables, the end is not searched.
    pub fn is_named_by(&self, name: &str, expr: &Expr) -> bool {
        // An expression that names a defined symbol keeps that definition.
        let Some(own) = self.id(name).filter(|id| self.definition(*id).is_none()) else { return false };
        let mut found = false;
        let mut seen = Vec::new();
        let mut search = |expr: &Expr, seen: &mut Vec<SymbolId>| {
            expr.symbols(&mut |id, _| {
                found |= id == own;
                if seen.len() < MAX_SEARCHED_VARIABLES && !seen.contains(&id) {
                    seen.push(id);
                }
            });
            found
        };
        if search(expr, &mut seen) {
            return true;
        }
        let mut next = 0;
        while let Some(id) = seen.get(next).copied() {
            next += 1;
            if self.symbol(id).and_then(Symbol::variable).is_some_and(|expr| search(expr, &mut seen)) {
                return true;
            }
        }
        false
    }

    /// Says whether an expression names the current symbol of this name: one that was read may not be kept.
    pub fn set_used(&mut self, name: &str, is_used: bool) {
        let names = self.names.get_mut();
        if let Some(id) = names.ids.get(name)
            && let Some(used) = names.used.get_mut(id.0 as usize)
        {
            *used = is_used;
        }
    }

    /// The defined name that is most like this one, if any is like it.
    pub fn nearest(&self, name: &str) -> Option<String> {
        self.searches.set(self.searches.get() + 1);
        if self.searches.get() > MAX_SEARCHES {
            return None;
        }
        let names = self.names.borrow();
        let defined = |id: &SymbolId| self.symbol(*id).is_some_and(|symbol| symbol.definition.is_some());
        let candidates = names.ids.iter().filter(|(_, id)| defined(id)).map(|(name, _)| &**name);
        isa::nearest(candidates, name).map(str::to_string)
    }

    /// The name of the next label of this number, which is defined here.
    pub fn number(&mut self, number: u64) -> String {
        let nth = self.numbered.entry(number).or_default();
        *nth += 1;
        let nth = *nth;
        self.numbered_name(number, nth)
    }

    /// The name of the `nth` label of a number: the name in object files, which is LLVM's, then [`NUMBERED`] and the number.
    fn numbered_name(&self, number: u64, nth: u64) -> String {
        let mut indices = self.numbered_indices.borrow_mut();
        let next = indices.len();
        let index = indices.entry((number, nth)).or_insert(next);
        format!(".Ltmp{index}{NUMBERED}{number}")
    }

    /// The nearest label of this number, after what was read so far or in it.
    pub fn numbered(&self, number: u64, behind: bool) -> Option<SymbolId> {
        let nth = self.numbered.get(&number).copied().unwrap_or(0) + u64::from(behind);
        (nth > 0).then(|| self.intern(&self.numbered_name(number, nth)))
    }

    /// The error of a symbol that is not defined; `why` says so of its name in quotes.
    pub fn undefined(&self, id: SymbolId, span: Range<usize>, why: impl FnOnce(&str) -> String) -> Diagnostic {
        let name = self.name(id);
        if let Some((_, number)) = name.split_once(NUMBERED) {
            return Diagnostic::new(span, format!("no label `{number}` follows this"));
        }
        let near = self.nearest(&name).map(|near| format!("there is `{near}`"));
        Diagnostic::new(span, why(&format!("`{name}`"))).help(near)
    }
}

/// A character in the names of numbered labels and in no other name.
const NUMBERED: char = '\u{fdd0}';

/// Whether object files leave the symbol of this name out unless a relocation needs it.
pub fn is_temporary(name: &str) -> bool {
    name.starts_with(".L")
}

/// The name of a symbol as object files have it.
pub fn in_object_file(name: &str) -> &str {
    if is_temporary(name) { name.split_once(NUMBERED).map_or(name, |(name, _)| name) } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn similar_names_are_found() {
        let mut symbols = Symbols::default();
        symbols.assign("seven", Expr::Number(7), 0..0);
        symbols.intern("sevne");
        assert_eq!(symbols.nearest("sevn").as_deref(), Some("seven"));
        assert_eq!(symbols.nearest("nothing"), None);
        assert_eq!(symbols.nearest("s"), None);
    }

    #[test]
    fn expressions_keep_the_value_they_saw() {
        let mut symbols = Symbols::default();
        let early = symbols.intern("x");
        let first = symbols.assign("x", Expr::Number(1), 0..0);
        let seen = symbols.intern("x");
        let second = symbols.assign("x", Expr::Number(2), 0..0);
        assert!(early == first && seen == first && second != first);
        assert!(matches!(symbols.definition(first), Some(Definition::Variable(Expr::Number(1)))));
        // Nothing names the second one.
        assert_eq!(symbols.assign("x", Expr::Number(3), 0..0), second);
        assert!(matches!(symbols.get("x").unwrap().variable(), Some(Expr::Number(3))));
    }
}

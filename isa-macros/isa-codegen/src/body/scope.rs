//! The names in a body or a clause: roles, modifiers, fields and local values.

use isa_body::{Run, ValueId};

use crate::ast::{Access, FieldContent, FieldDecl};
use crate::ty::{Class, Type};

/// A role of the row.
pub struct ScopedRole<'a> {
    pub name: &'a str,
    /// The type of its value: one bit for a mask in lanes.
    pub ty: Type,
    /// The type that the row writes.
    pub declared: Type,
    pub readable: bool,
    pub writable: bool,
    /// Whether it is written only if a modifier says so, such as GLC.
    pub optional: bool,
    /// Whether an `address` clause of the format names it.
    pub in_address: bool,
}

/// A local variable.
pub struct Local {
    pub name: String,
    pub value: ValueId,
    pub ty: Type,
}

/// The names of a body.
pub struct Scope<'a> {
    pub run: Run,
    pub roles: Vec<ScopedRole<'a>>,
    /// The modifiers by name, and the fields by their name in capitals, each with its width.
    fields: Vec<(&'a str, u32)>,
    pub locals: Vec<Local>,
    /// In a clause: the role whose value it changes.
    pub input: Option<usize>,
    /// In an `address` clause: the size of the access in bytes.
    pub size: Option<u32>,
}

impl<'a> Scope<'a> {
    /// Creates a scope without names.
    pub fn new(run: Run) -> Scope<'a> {
        Scope { run, roles: Vec::new(), fields: Vec::new(), locals: Vec::new(), input: None, size: None }
    }

    /// Adds fields and the modifiers in them.
    pub fn add_fields(&mut self, fields: &'a [FieldDecl]) {
        for field in fields.iter().filter(|f| !f.bits.is_empty()) {
            self.fields.push((field.name.as_str(), field.width()));
            if let FieldContent::Operand(operand) = &field.content {
                for (_, name) in operand.roles.iter().filter(|(access, _)| *access == Access::Modifier) {
                    self.fields.push((name.as_str(), field.width()));
                }
            }
        }
    }

    /// Returns the index of a role.
    pub fn role(&self, name: &str) -> Option<usize> {
        self.roles.iter().position(|role| role.name == name)
    }

    /// Returns the type of a modifier or a field.
    pub fn field(&self, name: &str) -> Option<Type> {
        let (_, width) = self.fields.iter().find(|(field, _)| *field == name)?;
        Some(Type::new(Class::Unsigned, *width as u16, 1))
    }

    /// Returns a local value.
    pub fn local(&self, name: &str) -> Option<(ValueId, Type)> {
        self.locals.iter().rev().find(|local| local.name == *name).map(|local| (local.value, local.ty))
    }

    /// Lists roles and local values for a message.
    pub fn known(&self) -> String {
        let mut names = Vec::new();
        for role in &self.roles {
            names.push(format!("`{}`", role.name));
        }
        for Local { name, .. } in &self.locals {
            names.push(format!("`{name}`"));
        }
        if names.is_empty() { "none".into() } else { names.join(", ") }
    }
}

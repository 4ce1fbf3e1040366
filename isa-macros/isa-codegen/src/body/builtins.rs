//! Calls of builtins, whose signatures the bytecode's list states.

use isa_body::{Builtin, Op, ValueId};

use super::expressions::{Compiler, Value};
use super::operators::is_untyped;
use crate::ast::Expr;
use crate::error::{Error, near_names};
use crate::lists::{entry, get};
use crate::spanned::SpannedStr;
use crate::ty::{self, Class, Type};

/// The type of a number without a type for a `#`.
const COUNT: Type = Type::new(Class::Unsigned, 32, 1);

/// The types of the variables of a signature.
type Bound<'a> = Vec<(&'a str, Type)>;

/// Returns whether a type can be that of a variable, and what it should be.
fn allows(variable: &str, ty: Type) -> Result<(), &'static str> {
    match variable {
        "n" if !ty.is_integer() => Err("an integer"),
        "f" | "x" if ty.is_small_float() => Err("a number of 16 bits or more"),
        "f" if !ty.is_float() => Err("a floating-point number"),
        "x" if !(ty.is_integer() || ty.is_float()) => Err("a number"),
        "#" if ty.class() != Class::Unsigned => Err("an unsigned number"),
        _ => Ok(()),
    }
}

fn is_variable(parameter: &str) -> bool {
    matches!(parameter, "n" | "f" | "x" | "w" | "v" | "a")
}

/// Returns the type that a signature names.
fn fixed_type(parameter: &str) -> Option<Type> {
    ty::parse_value(&SpannedStr::new(parameter.into(), proc_macro2::Span::call_site())).ok()
}

impl Compiler<'_> {
    /// Returns the builtin with a name.
    pub(super) fn builtin(&self, name: &SpannedStr) -> Result<Builtin, Error> {
        Builtin::from_name(name.as_str()).ok_or_else(|| {
            let near = near_names(name.as_str(), Builtin::ALL.iter().map(|b| b.name()));
            let near: Vec<String> = near.take(3).map(|name| format!("`{name}`")).collect();
            let help = if near.is_empty() {
                "the builtins are listed at `isa::body::Builtin`".into()
            } else {
                format!("did you mean {}? The builtins are listed at `isa::body::Builtin`", near.join(" or "))
            };
            Error::with_help(name.span(), format!("unknown builtin `{name}`"), help)
        })
    }

    /// Compiles a call. `under` is the condition of an action.
    pub(super) fn call(
        &mut self,
        builtin: Builtin,
        name: &SpannedStr,
        args: &[Expr],
        expected: Option<Type>,
        under: Option<ValueId>,
    ) -> Result<Value, Error> {
        let signature = builtin.signature();
        let (parameters, result) = signature.split_once("->").unwrap_or((signature, "?"));
        let parameters: Vec<&str> = parameters.split_whitespace().collect();
        let result = result.trim();
        let rest = parameters.last() == Some(&"...");
        let fixed = parameters.len() - usize::from(rest);
        if args.len() < fixed || (!rest && args.len() > fixed) {
            let message = format!("`{name}` takes {fixed} arguments, but this call has {}", args.len());
            return Err(Error::with_help(name.span(), message, format!("its types are `{signature}`")));
        }
        let mut bound = Bound::new();
        // The type of a result that only a variable states helps literals.
        if let Some(ty) = expected.filter(|ty| is_variable(result) && allows(result, *ty).is_ok())
            && args.iter().all(is_untyped)
        {
            bound.push((result, ty));
        }
        let mut ids: Vec<Option<Value>> = vec![None; args.len()];
        for untyped in [false, true] {
            for (index, arg) in args.iter().enumerate().filter(|(_, arg)| is_untyped(arg) == untyped) {
                let parameter = parameters.get(index).copied().filter(|p| *p != "...").unwrap_or("...");
                ids[index] = Some(self.argument(name, parameter, arg, (builtin, &mut bound))?);
            }
        }
        let values: Vec<Value> = ids.into_iter().flatten().collect();
        let ty = match result {
            "?" if builtin == Builtin::Join => self.joined(name, args, &values)?,
            "?" => expected.ok_or_else(|| {
                let help = format!("assign it, or write `{name}(…) as u32`");
                Error::with_help(name.span(), format!("the type of `{name}` is unknown"), help)
            })?,
            "!" if expected == Some(Type::BOOL) => Type::BOOL,
            "!" => {
                let help = format!("write `{name}(…);` as a statement");
                return Err(Error::with_help(name.span(), format!("`{name}` has no value"), help));
            }
            result => get(&bound, &result).copied().or_else(|| fixed_type(result)).unwrap_or(Type::BOOL),
        };
        let args: Vec<ValueId> = values.iter().map(|value| value.id).collect();
        let op = Op::Call { ty, builtin, args: &args, condition: under };
        let is_action = result == "!" || builtin == Builtin::External;
        let id = if is_action { self.code.effect(&op, name.span())? } else { self.code.pure(&op, name.span())? };
        Ok(Value { id, ty })
    }

    /// Compiles an argument, and binds the variable of its parameter.
    fn argument<'s>(
        &mut self,
        name: &SpannedStr,
        parameter: &'s str,
        arg: &Expr,
        (builtin, bound): (Builtin, &mut Bound<'s>),
    ) -> Result<Value, Error> {
        let wanted = match parameter {
            "#" => Some(COUNT),
            _ if is_variable(parameter) => get(bound, &parameter).copied(),
            _ => fixed_type(parameter),
        };
        let value = self.expr(arg, wanted)?;
        let fail = |what: String| {
            let help = format!("convert it with `as`; the types of `{name}` are `{}`", builtin.signature());
            Err(Error::with_help(arg.span, format!("`{name}` takes {what} here, but this is {:#}", value.ty), help))
        };
        if is_variable(parameter) || parameter == "#" {
            if let Err(what) = allows(parameter, value.ty) {
                return fail(what.into());
            }
            if parameter != "#" {
                let ty = *entry(bound, parameter, || value.ty);
                if ty != value.ty {
                    return fail(ty.to_string());
                }
            }
        } else if let Some(ty) = fixed_type(parameter)
            && ty != value.ty
        {
            return fail(ty.to_string());
        }
        Ok(value)
    }

    /// Returns the type of a call of `join`.
    fn joined(&self, name: &SpannedStr, args: &[Expr], values: &[Value]) -> Result<Type, Error> {
        let first = values[0].ty;
        for (arg, value) in args.iter().zip(values) {
            self.expect(*value, first, arg.span)?;
        }
        if first.lanes() != 1 || values.len() > 16 {
            let help = "give it single values";
            return Err(Error::with_help(name.span(), format!("`join` makes no vector of {first}"), help));
        }
        Ok(first.with_lanes(values.len() as u8))
    }
}

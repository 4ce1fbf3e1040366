//! The intermediate representation: operations with one result each, in blocks of structured control flow. It is made of
//! the syntax tree, whose names are resolved and whose types are checked on the way.

use crate::Error;
use crate::syntax::{self, Expression, Operator, Parameter, Type};

/// The result of an operation, or a variable: an index in [`Kernel::types`].
pub type Value = usize;

/// How a value is computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operation {
    /// A number, by its bits.
    Constant(u32),
    /// A parameter that is a number, by its index.
    Parameter(usize),
    /// The number of the work-item in the grid.
    WorkItem,
    /// An element of an array: the parameter's index, and the element's.
    Load(usize, Value),
    Convert(Value),
    Not(Value),
    Binary(Operator, Value, Value),
    Copy(Value),
}

#[derive(Clone, PartialEq, Debug)]
pub enum Statement {
    /// Computes a value.
    Set(Value, Operation),
    /// Stores an element of an array: the parameter's index, the element's, and the number.
    Store(usize, Value, Value),
    If(Value, Vec<Statement>, Vec<Statement>),
    /// Executes the second block as long as a condition holds, which the first block computes.
    While(Vec<Statement>, Value, Vec<Statement>),
}

/// A kernel.
#[derive(Clone, PartialEq, Debug)]
pub struct Kernel {
    pub name: String,
    pub parameters: Vec<Parameter>,
    /// The type of each value.
    pub types: Vec<Type>,
    pub body: Vec<Statement>,
}

/// Makes the intermediate representation of a kernel.
///
/// # Errors
/// A name is unknown, or an operand has another type than its operation takes.
pub fn lower(source: &syntax::Kernel) -> Result<Kernel, Error> {
    let parameters = source.parameters.clone();
    let mut lowering = Lowering { parameters, types: Vec::new(), variables: Vec::new(), block: Vec::new() };
    let body = lowering.block(&source.body)?;
    Ok(Kernel { name: source.name.clone(), parameters: lowering.parameters, types: lowering.types, body })
}

/// The state of [`lower`].
struct Lowering {
    parameters: Vec<Parameter>,
    types: Vec<Type>,
    /// The variables in scope, the innermost last.
    variables: Vec<(String, Value)>,
    /// The block that statements are appended to.
    block: Vec<Statement>,
}

impl Lowering {
    /// Lowers the statements of a block, whose variables end with it.
    fn block(&mut self, statements: &[syntax::Statement]) -> Result<Vec<Statement>, Error> {
        let outer = std::mem::take(&mut self.block);
        let variables = self.variables.len();
        statements.iter().try_for_each(|statement| self.statement(statement))?;
        self.variables.truncate(variables);
        Ok(std::mem::replace(&mut self.block, outer))
    }

    fn statement(&mut self, statement: &syntax::Statement) -> Result<(), Error> {
        let lowered = match statement {
            syntax::Statement::Let(name, value) => {
                let value = self.expression(value)?;
                let ty = self.types[value];
                expect(ty != Type::Bool, "a variable holds a number")?;
                let variable = self.new_value(ty);
                let assignment = self.assignment(variable, value);
                self.variables.push((name.clone(), variable));
                assignment
            }
            syntax::Statement::Assign(name, value) => {
                let variable = self.variable(name).ok_or_else(|| Error(format!("`{name}` is no variable")))?;
                let value = self.typed(value, self.types[variable])?;
                self.assignment(variable, value)
            }
            syntax::Statement::Store(array, index, value) => {
                let (array, ty) = self.parameter(array, true)?;
                Statement::Store(array, self.typed(index, Type::U32)?, self.typed(value, ty)?)
            }
            syntax::Statement::If(condition, yes, no) => {
                Statement::If(self.typed(condition, Type::Bool)?, self.block(yes)?, self.block(no)?)
            }
            syntax::Statement::While(condition, body) => {
                let outer = std::mem::take(&mut self.block);
                let condition = self.typed(condition, Type::Bool)?;
                let test = std::mem::replace(&mut self.block, outer);
                Statement::While(test, condition, self.block(body)?)
            }
            syntax::Statement::Block(body) => {
                let body = self.block(body)?;
                self.block.extend(body);
                return Ok(());
            }
        };
        self.block.push(lowered);
        Ok(())
    }

    /// Returns the statement that sets a variable to a value: with the operation that has just computed it, or by a copy.
    fn assignment(&mut self, variable: Value, value: Value) -> Statement {
        use Operation::{Binary, Convert, Copy, Load, WorkItem};
        let is_variable = self.variables.iter().any(|(_, known)| *known == value);
        match self.block.last() {
            Some(Statement::Set(result, operation @ (Binary(..) | Convert(_) | Load(..) | WorkItem)))
                if *result == value && !is_variable =>
            {
                let operation = *operation;
                self.block.pop();
                Statement::Set(variable, operation)
            }
            _ => Statement::Set(variable, Copy(value)),
        }
    }

    /// Lowers an expression: appends its operations to the block.
    fn expression(&mut self, expression: &Expression) -> Result<Value, Error> {
        let (ty, operation) = match expression {
            Expression::Number(ty, bits) => (*ty, Operation::Constant(*bits)),
            Expression::WorkItem => (Type::U32, Operation::WorkItem),
            Expression::Name(name) => match self.variable(name) {
                Some(variable) => return Ok(variable),
                None => self.parameter(name, false).map(|(index, ty)| (ty, Operation::Parameter(index)))?,
            },
            Expression::Load(array, index) => {
                let (array, ty) = self.parameter(array, true)?;
                (ty, Operation::Load(array, self.typed(index, Type::U32)?))
            }
            Expression::Convert(to, from) => {
                let from = self.expression(from)?;
                expect(self.types[from] != Type::Bool, "only numbers are converted")?;
                if self.types[from] == *to {
                    return Ok(from);
                }
                (*to, Operation::Convert(from))
            }
            Expression::Not(condition) => (Type::Bool, Operation::Not(self.typed(condition, Type::Bool)?)),
            Expression::Binary(operator, a, b) => {
                let a = self.expression(a)?;
                let b = self.typed(b, self.types[a])?;
                (result_type(*operator, self.types[a])?, Operation::Binary(*operator, a, b))
            }
        };
        let value = self.new_value(ty);
        self.block.push(Statement::Set(value, operation));
        Ok(value)
    }

    /// Lowers an expression that has to be of a type.
    fn typed(&mut self, expression: &Expression, ty: Type) -> Result<Value, Error> {
        let value = self.expression(expression)?;
        let found = self.types[value];
        expect(found == ty, &format!("expected a `{}`, found a `{}`", ty.name(), found.name())).map(|()| value)
    }

    fn variable(&self, name: &str) -> Option<Value> {
        self.variables.iter().rev().find(|(known, _)| known == name).map(|(_, variable)| *variable)
    }

    fn parameter(&self, name: &str, is_array: bool) -> Result<(usize, Type), Error> {
        let found = self.parameters.iter().position(|known| known.name == name && known.is_array == is_array);
        let kind = if is_array { "array" } else { "number" };
        found.map(|at| (at, self.parameters[at].ty)).ok_or_else(|| Error(format!("there is no {kind} `{name}`")))
    }

    fn new_value(&mut self, ty: Type) -> Value {
        self.types.push(ty);
        self.types.len() - 1
    }
}

fn expect(holds: bool, message: &str) -> Result<(), Error> {
    if holds { Ok(()) } else { Err(Error(message.to_owned())) }
}

/// Returns the type of an operator's result, by the type of its sources.
fn result_type(operator: Operator, ty: Type) -> Result<Type, Error> {
    use Operator::{Add, And, Eq, Le, Lt, Mul, Ne, Or, Shl, Shr, Sub, Xor};
    match (operator, ty) {
        (Add | Sub | Mul, Type::F32 | Type::U32) | (Shl | Shr, Type::U32) => Ok(ty),
        (And | Or | Xor, Type::U32 | Type::Bool) => Ok(ty),
        (Lt | Le | Eq | Ne, Type::F32 | Type::U32) => Ok(Type::Bool),
        _ => Err(Error(format!("`{operator:?}` does not take a `{}`", ty.name()))),
    }
}

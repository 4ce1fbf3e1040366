//! An interpreter of the syntax tree, to test the compiler against.

use std::collections::HashMap;

use example_compiler::Result;
use example_compiler::syntax::{Expression, Kernel, Operator, Statement, Type, parse};

/// An argument of a kernel. Numbers are bits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Argument {
    Number(u32),
    /// An array, which the kernel may change.
    Array(Vec<u32>),
}

/// Runs the work-items of a grid one after the other. The source is a kernel that the compiler accepts.
///
/// # Errors
/// The source is not a kernel, an index is out of range, or an argument is not what the parameter is.
pub fn interpret(source: &str, items: u32, arguments: &mut [Argument]) -> Result<()> {
    let kernel = parse(source)?;
    for id in 0..items {
        Item { kernel: &kernel, id, scopes: vec![HashMap::new()], arguments }.block(&kernel.body)?;
    }
    Ok(())
}

/// A work-item.
struct Item<'a> {
    kernel: &'a Kernel,
    id: u32,
    /// The variables of each block that is being executed, with their types and bits.
    scopes: Vec<HashMap<&'a str, (Type, u32)>>,
    arguments: &'a mut [Argument],
}

impl<'a> Item<'a> {
    fn block(&mut self, block: &'a [Statement]) -> Result<()> {
        self.scopes.push(HashMap::new());
        block.iter().try_for_each(|statement| self.statement(statement))?;
        self.scopes.pop();
        Ok(())
    }

    fn statement(&mut self, statement: &'a Statement) -> Result<()> {
        match statement {
            Statement::Let(name, value) => {
                let value = self.expression(value)?;
                self.scopes.last_mut().ok_or("no scope")?.insert(name, value);
            }
            Statement::Assign(name, value) => {
                let value = self.expression(value)?;
                let mut scopes = self.scopes.iter_mut().rev();
                *scopes.find_map(|scope| scope.get_mut(name.as_str())).ok_or("no variable")? = value;
            }
            Statement::Store(array, index, value) => {
                let (index, value) = (self.expression(index)?, self.expression(value)?);
                *self.element(array, index.1)?.1 = value.1;
            }
            Statement::If(condition, yes, no) => {
                let is_true = self.expression(condition)?.1 != 0;
                self.block(if is_true { yes } else { no })?;
            }
            Statement::While(condition, body) => {
                while self.expression(condition)?.1 != 0 {
                    self.block(body)?;
                }
            }
            Statement::Block(body) => self.block(body)?,
        }
        Ok(())
    }

    /// Returns the index and the type of a parameter.
    fn parameter(&self, name: &str) -> Result<(usize, Type)> {
        let index = self.kernel.parameters.iter().position(|known| known.name == name).ok_or("no parameter")?;
        Ok((index, self.kernel.parameters[index].ty))
    }

    fn element(&mut self, array: &str, index: u32) -> Result<(Type, &mut u32)> {
        let (array, ty) = self.parameter(array)?;
        let element = match self.arguments.get_mut(array) {
            Some(Argument::Array(array)) => array.get_mut(index as usize),
            _ => None,
        };
        Ok((ty, element.ok_or_else(|| format!("no array has the index {index}"))?))
    }

    /// Returns the type and the bits of an expression.
    fn expression(&mut self, expression: &Expression) -> Result<(Type, u32)> {
        Ok(match expression {
            Expression::Number(ty, bits) => (*ty, *bits),
            Expression::WorkItem => (Type::U32, self.id),
            Expression::Name(name) => match self.scopes.iter().rev().find_map(|scope| scope.get(name.as_str())) {
                Some(value) => *value,
                None => match self.parameter(name).map(|(index, ty)| (ty, self.arguments.get(index)))? {
                    (ty, Some(Argument::Number(bits))) => (ty, *bits),
                    _ => return Err("an argument is not a number".into()),
                },
            },
            Expression::Load(array, index) => {
                let index = self.expression(index)?.1;
                self.element(array, index).map(|(ty, element)| (ty, *element))?
            }
            Expression::Convert(to, from) => match (to, self.expression(from)?) {
                (Type::U32, (Type::F32, bits)) => (*to, f32::from_bits(bits) as u32),
                (Type::F32, (Type::U32, number)) => (*to, (number as f32).to_bits()),
                (_, same) => same,
            },
            Expression::Not(condition) => (Type::Bool, 1 - self.expression(condition)?.1),
            Expression::Binary(operator, a, b) => {
                let (ty, a) = self.expression(a)?;
                let (_, b) = self.expression(b)?;
                let bits = match ty {
                    Type::F32 => floats(*operator, f32::from_bits(a), f32::from_bits(b)),
                    _ => integers(*operator, a, b),
                };
                (if operator.compares() { Type::Bool } else { ty }, bits)
            }
        })
    }
}

fn floats(operator: Operator, a: f32, b: f32) -> u32 {
    match operator {
        Operator::Add => (a + b).to_bits(),
        Operator::Sub => (a - b).to_bits(),
        Operator::Mul => (a * b).to_bits(),
        _ => compare(operator, a, b),
    }
}

fn integers(operator: Operator, a: u32, b: u32) -> u32 {
    match operator {
        Operator::Add => a.wrapping_add(b),
        Operator::Sub => a.wrapping_sub(b),
        Operator::Mul => a.wrapping_mul(b),
        Operator::And => a & b,
        Operator::Or => a | b,
        Operator::Xor => a ^ b,
        Operator::Shl => a.wrapping_shl(b),
        Operator::Shr => a.wrapping_shr(b),
        _ => compare(operator, a, b),
    }
}

fn compare<T: PartialOrd>(operator: Operator, a: T, b: T) -> u32 {
    u32::from(match operator {
        Operator::Lt => a < b,
        Operator::Le => a <= b,
        Operator::Gt => a > b,
        Operator::Ge => a >= b,
        Operator::Eq => a == b,
        _ => a != b,
    })
}

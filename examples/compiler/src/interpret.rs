//! An interpreter of the intermediate representation, to test the compiler against.

use crate::ir::{Kernel, Operation, Statement, Value};
use crate::syntax::{Operator, Type};
use crate::{Error, ir, syntax};

/// An argument of a kernel. Numbers are bits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Argument {
    /// A number.
    Number(u32),
    /// An array, which the kernel may change.
    Array(Vec<u32>),
}

/// Runs the work-items of a grid one after the other.
///
/// # Errors
/// The source is no valid kernel, an index is out of range, or an argument is not what the parameter is.
pub fn interpret(source: &str, items: u32, arguments: &mut [Argument]) -> Result<(), Error> {
    let kernel = ir::lower(&syntax::parse(source)?)?;
    for id in 0..items {
        let values = vec![0; kernel.types.len()];
        Item { kernel: &kernel, id, values, arguments }.block(&kernel.body)?;
    }
    Ok(())
}

/// A work-item.
struct Item<'a> {
    kernel: &'a Kernel,
    id: u32,
    /// The bits of each value.
    values: Vec<u32>,
    arguments: &'a mut [Argument],
}

impl Item<'_> {
    fn block(&mut self, block: &[Statement]) -> Result<(), Error> {
        for statement in block {
            match statement {
                Statement::Set(to, operation) => self.values[*to] = self.operation(*operation)?,
                Statement::Store(array, index, value) => *self.element(*array, *index)? = self.values[*value],
                Statement::If(condition, yes, no) => self.block(if self.values[*condition] != 0 { yes } else { no })?,
                Statement::While(test, condition, body) => loop {
                    self.block(test)?;
                    if self.values[*condition] == 0 {
                        break;
                    }
                    self.block(body)?;
                },
            }
        }
        Ok(())
    }

    fn element(&mut self, array: usize, index: Value) -> Result<&mut u32, Error> {
        let index = self.values[index] as usize;
        let array = match self.arguments.get_mut(array) {
            Some(Argument::Array(array)) => array.get_mut(index),
            _ => None,
        };
        array.ok_or_else(|| Error(format!("no array has the index {index}")))
    }

    fn operation(&mut self, operation: Operation) -> Result<u32, Error> {
        Ok(match operation {
            Operation::Constant(bits) => bits,
            Operation::WorkItem => self.id,
            Operation::Copy(value) => self.values[value],
            Operation::Not(value) => 1 - self.values[value],
            Operation::Load(array, index) => *self.element(array, index)?,
            Operation::Parameter(index) => match self.arguments.get(index) {
                Some(Argument::Number(bits)) => *bits,
                _ => return Err(Error("an argument is no number".into())),
            },
            Operation::Convert(value) => match self.kernel.types[value] {
                Type::F32 => f32::from_bits(self.values[value]) as u32,
                _ => (self.values[value] as f32).to_bits(),
            },
            Operation::Binary(operator, a, b) => match (self.kernel.types[a], self.values[a], self.values[b]) {
                (Type::F32, a, b) => floats(operator, f32::from_bits(a), f32::from_bits(b)),
                (_, a, b) => integers(operator, a, b),
            },
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
        Operator::Eq => a == b,
        _ => a != b,
    })
}

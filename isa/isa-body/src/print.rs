//! Bodies as text in the row language.

use core::fmt::{self, Write};

use crate::builtin::Builtin;
use crate::decode::Ops;
use crate::op::{Op, Part, Target, UnaryOp, ValueId};
use crate::place::Place;
use crate::ty::{Class, Type};

/// The most operations of a body.
const MOST: usize = 256;

/// Writes the statements of a body, separated by blanks. Values that several operations read have a name: `let a = …;`.
///
/// ```
/// use isa_body::{BinaryOp, Class, Op, Part, Sink, Target, Type, ops, write_body};
///
/// struct Bytes(Vec<u8>);
/// impl Sink for Bytes {
///     fn push(&mut self, byte: u8) {
///         self.0.push(byte);
///     }
/// }
/// let ty = Type::new(Class::Unsigned, 32, 1);
/// let mut code = Bytes(Vec::new());
/// Op::Role { ty, role: 1, part: Part::Whole }.encode(&mut code);
/// Op::Binary { op: BinaryOp::Add, ty, a: 0, b: 0 }.encode(&mut code);
/// Op::Write { target: Target::Role(0), value: 1, condition: None }.encode(&mut code);
/// let mut text = String::new();
/// write_body(ops(&code.0), &["d", "s0"], &mut text)?;
/// assert_eq!(text, "d = s0 + s0;");
/// # Ok::<(), core::fmt::Error>(())
/// ```
///
/// # Errors
/// Those of `out`.
pub fn write_body(body: Ops<'_>, roles: &[&str], out: &mut dyn Write) -> fmt::Result {
    let mut all = [None; MOST];
    let mut uses = [0u16; MOST];
    let mut in_rmw = [false; MOST];
    let mut is_open = false;
    for (index, op) in body.take(MOST).enumerate() {
        is_open = is_open && !matches!(op, Op::RmwEnd { .. });
        in_rmw[index] = is_open;
        is_open = is_open || matches!(op, Op::RmwBegin { .. });
        op.for_each_value(|value| uses[usize::from(value)] += 1);
        all[index] = Some(op);
    }
    let mut printer = Printer { all, roles, out, named: [false; MOST], separator: "" };
    for index in 0..MOST {
        let Some(op) = printer.all[index] else { break };
        let value = index as ValueId;
        match op {
            Op::Write { .. } | Op::Store { .. } => printer.statement(&op)?,
            Op::RmwEnd { .. } if uses[index] == 0 => printer.action(value)?,
            Op::Call { builtin, condition, .. }
                if uses[index] == 0 && (builtin == Builtin::External || builtin.signature().ends_with('!')) =>
            {
                printer.begin(condition)?;
                printer.value(value, false)?;
                printer.end(condition)?;
            }
            _ if uses[index] > 1 && !in_rmw[index] && !is_short(&op) => printer.name(value)?,
            _ => {}
        }
    }
    Ok(())
}

/// Returns whether a value needs no name.
fn is_short(op: &Op) -> bool {
    matches!(op, Op::Const { .. } | Op::Role { .. } | Op::Field { .. } | Op::State { .. } | Op::RmwBegin { .. })
}

struct Printer<'a> {
    all: [Option<Op<'a>>; MOST],
    roles: &'a [&'a str],
    out: &'a mut dyn Write,
    /// The values that have a name.
    named: [bool; MOST],
    /// The text before the next statement.
    separator: &'static str,
}

impl Printer<'_> {
    fn op(&self, value: ValueId) -> Option<Op<'_>> {
        self.all[usize::from(value)]
    }

    fn ty(&self, value: ValueId) -> Option<Type> {
        self.op(value).and_then(|op| op.ty())
    }

    /// Writes what precedes a statement.
    fn begin(&mut self, condition: Option<ValueId>) -> fmt::Result {
        self.out.write_str(self.separator)?;
        self.separator = " ";
        let Some(condition) = condition else { return Ok(()) };
        self.out.write_str("if ")?;
        self.value(condition, false)?;
        self.out.write_str(" { ")
    }

    fn end(&mut self, condition: Option<ValueId>) -> fmt::Result {
        self.out.write_str(if condition.is_some() { "; }" } else { ";" })
    }

    /// Writes an atomic whose value nobody reads.
    fn action(&mut self, value: ValueId) -> fmt::Result {
        self.begin(None)?;
        self.value(value, false)?;
        self.end(None)
    }

    /// Writes a `let` statement.
    fn name(&mut self, value: ValueId) -> fmt::Result {
        self.begin(None)?;
        write!(self.out, "let t{value} = ")?;
        self.value(value, false)?;
        self.named[usize::from(value)] = true;
        self.end(None)
    }

    /// Writes an assignment or a store.
    fn statement(&mut self, op: &Op) -> fmt::Result {
        match *op {
            Op::Store { ty, place, address, value, condition } => {
                self.begin(condition)?;
                self.memory(place, ty, address)?;
                self.out.write_str(" = ")?;
                self.value(value, false)?;
                self.end(condition)
            }
            Op::Write { target, value, condition } => {
                self.begin(condition)?;
                let value = self.target(target, value)?;
                self.out.write_str(" = ")?;
                self.value(value, false)?;
                self.end(condition)
            }
            _ => Ok(()),
        }
    }

    /// Writes the destination of an assignment, and returns the value: of bits that are replaced, the new ones.
    fn target(&mut self, target: Target, value: ValueId) -> Result<ValueId, fmt::Error> {
        let role = |printer: &mut Self, role: u8, suffix: &str| {
            write!(printer.out, "{}{suffix}", role_name(printer.roles, role))
        };
        match target {
            Target::Role(index) => role(self, index, "")?,
            Target::High(index) => role(self, index, ".hi")?,
            Target::State(state) => self.out.write_str(state.name())?,
            Target::Relative(index, other) | Target::Lane(index, other) => {
                self.out.write_str(if matches!(target, Target::Lane(..)) { "lane(" } else { "rel(" })?;
                role(self, index, ", ")?;
                self.value(other, false)?;
                self.out.write_str(")")?;
            }
        }
        let is_old = |a: ValueId| match (target, self.op(a)) {
            (Target::Role(to), Some(Op::Role { role, part: Part::Whole, .. })) => to == role,
            (Target::State(to), Some(Op::State { state, .. })) => to == state,
            _ => false,
        };
        match self.all[usize::from(value)] {
            Some(Op::Insert { a, lo, bits, ty }) if is_old(a) => {
                let width = self.ty(bits).map_or(1, Type::total_bits);
                self.bits(ty, lo, width)?;
                Ok(bits)
            }
            Some(Op::InsertBit { a, index, bit, .. }) if is_old(a) => {
                self.index(index)?;
                Ok(bit)
            }
            _ => Ok(value),
        }
    }

    /// Writes which bits of a value of type `ty` are meant: an element, or a range.
    fn bits(&mut self, ty: Type, lo: u16, width: u16) -> fmt::Result {
        if ty.lanes() > 1 && width == ty.bits() {
            write!(self.out, "[{}]", lo / ty.bits().max(1))
        } else {
            write!(self.out, "[{}:{lo}]", lo + width.max(1) - 1)
        }
    }

    fn index(&mut self, index: ValueId) -> fmt::Result {
        self.out.write_str("[")?;
        self.value(index, false)?;
        self.out.write_str("]")
    }

    fn memory(&mut self, place: Place, ty: Type, address: Option<ValueId>) -> fmt::Result {
        self.out.write_str(place.name())?;
        if let Some(address) = address {
            self.index(address)?;
        }
        write!(self.out, ".{ty}")
    }

    fn list(&mut self, values: &[ValueId]) -> fmt::Result {
        for (index, value) in values.iter().enumerate() {
            self.out.write_str(if index == 0 { "(" } else { ", " })?;
            self.value(*value, false)?;
        }
        self.out.write_str(if values.is_empty() { "()" } else { ")" })
    }

    /// Writes a value; in parentheses if it is part of another one and has an operator.
    fn value(&mut self, value: ValueId, is_part: bool) -> fmt::Result {
        if self.named[usize::from(value)] {
            return write!(self.out, "t{value}");
        }
        let Some(op) = self.all[usize::from(value)] else { return Ok(()) };
        let has_operator =
            matches!(op, Op::Binary { .. } | Op::Cast { .. } | Op::Is { .. } | Op::Select { .. } | Op::Unary { .. });
        if has_operator && is_part {
            self.out.write_str("(")?;
        }
        self.expression(&op)?;
        if has_operator && is_part { self.out.write_str(")") } else { Ok(()) }
    }

    fn expression(&mut self, op: &Op) -> fmt::Result {
        match *op {
            Op::Const { ty, bits } => write_constant(ty, bits, self.out),
            Op::Role { role, part, .. } => {
                let half = if part == Part::High { ".hi" } else { "" };
                write!(self.out, "{}{half}", role_name(self.roles, role))
            }
            Op::Relative { role, distance, .. } => {
                write!(self.out, "rel({}, ", role_name(self.roles, role))?;
                self.value(distance, false)?;
                self.out.write_str(")")
            }
            Op::Field { name, .. } => self.out.write_str(name),
            Op::State { state, .. } => self.out.write_str(state.name()),
            Op::Input { .. } => self.out.write_str("input"),
            Op::Is { role, fact } => write!(self.out, "{} is {}", role_name(self.roles, role), fact.name()),
            Op::Unary { op, a, .. } => {
                self.out.write_str(if op == UnaryOp::Neg { "-" } else { "!" })?;
                self.value(a, true)
            }
            Op::Binary { op, a, b, .. } => {
                self.value(a, true)?;
                write!(self.out, " {} ", op.name())?;
                self.value(b, true)
            }
            Op::Cast { ty, a } => {
                self.value(a, true)?;
                write!(self.out, " as {ty}")
            }
            Op::Slice { ty, a, lo } => {
                self.value(a, true)?;
                let from = self.ty(a).unwrap_or(ty);
                self.bits(from, lo, ty.total_bits())
            }
            Op::Bit { a, index } => {
                self.value(a, true)?;
                self.index(index)
            }
            Op::Select { condition, yes, no, .. } => {
                self.out.write_str("if ")?;
                self.value(condition, false)?;
                self.out.write_str(" { ")?;
                self.value(yes, false)?;
                self.out.write_str(" } else { ")?;
                self.value(no, false)?;
                self.out.write_str(" }")
            }
            Op::Insert { ty, a, lo, bits } => {
                self.value(a, true)?;
                self.out.write_str(" with ")?;
                let width = self.ty(bits).map_or(1, Type::total_bits);
                self.bits(ty, lo, width)?;
                self.out.write_str(" = ")?;
                self.value(bits, true)
            }
            Op::InsertBit { a, index, bit, .. } => {
                self.value(a, true)?;
                self.out.write_str(" with ")?;
                self.index(index)?;
                self.out.write_str(" = ")?;
                self.value(bit, true)
            }
            Op::Call { builtin, args, .. } => {
                self.out.write_str(builtin.name())?;
                self.list(args)
            }
            Op::Load { ty, place, address } => self.memory(place, ty, address),
            Op::RmwBegin { .. } => self.out.write_str("m"),
            Op::RmwEnd { begin, value, .. } => {
                self.out.write_str("rmw(")?;
                if let Some(Op::RmwBegin { ty, place, address }) = self.all[usize::from(begin)] {
                    self.memory(place, ty, address)?;
                }
                self.out.write_str(", |m| ")?;
                self.value(value, false)?;
                self.out.write_str(")")
            }
            Op::Return { value } => self.value(value, false),
            Op::Store { .. } | Op::Write { .. } => Ok(()),
        }
    }
}

/// Returns the name of a role by its index.
fn role_name<'a>(roles: &[&'a str], role: u8) -> &'a str {
    roles.get(usize::from(role)).copied().unwrap_or("?")
}

fn write_constant(ty: Type, bits: u128, out: &mut dyn Write) -> fmt::Result {
    let width = u32::from(ty.bits()).clamp(1, 128);
    match (ty.class(), width) {
        (Class::Unsigned, 1) => write!(out, "{}", bits != 0),
        (Class::Float, 32) => write!(out, "{:?}", f32::from_bits(bits as u32)),
        (Class::Float, 64) => write!(out, "{:?}", f64::from_bits(bits as u64)),
        (Class::Signed, _) => write!(out, "{}", (bits << (128 - width)) as i128 >> (128 - width)),
        _ if bits > 0xffff || ty.is_float() => write!(out, "{bits:#x}"),
        _ => write!(out, "{bits}"),
    }
}

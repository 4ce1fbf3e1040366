//! Normal forms of bodies. Bodies with equal normal forms compute the same.
//!
//! A normal form orders the operands of commutative operators, replaces `>` by `<`, and moves negations to the
//! comparisons, so that `!(a < b)` and `a >= b` of integers are equal.

use isa_body::{BinaryOp, Builtin, Op, Part, Target, Type, UnaryOp, ValueId, ops};

use crate::ast::CompiledBody;
use crate::interner::Interner;

/// A value: the index of its node.
type NodeId = u32;

/// An operation on values in normal form.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Node {
    /// A constant.
    Const(Type, u128),
    /// An operator with one operand.
    Unary(UnaryOp, Type, NodeId),
    /// An operator with two operands.
    Binary(BinaryOp, Type, NodeId, NodeId),
    /// Any other operation, by its name and its type.
    Other(String, Vec<NodeId>),
}

/// An effect of a body in normal form.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Effect {
    /// An assignment: the destination, the value, whether it is a `bool`, and the condition.
    Write(String, NodeId, bool, Option<NodeId>),
    /// A store, an atomic or an action.
    Action(NodeId),
}

/// A body in normal form: the index of its effects in their order. Equal normal forms have one.
pub(crate) type FormId = usize;

/// How a normal form names the roles of a row.
pub(crate) struct Naming<'a> {
    /// Returns the name of a role, by its index.
    pub(crate) name: &'a dyn Fn(u8) -> String,
    /// A role of which only conversions are read; they count as the role in the type of the conversion.
    pub(crate) converted: Option<u8>,
}

/// The nodes of all normal forms. Equal values have one node.
#[derive(Default)]
pub(crate) struct NormalForms {
    nodes: Interner<Node>,
    forms: Interner<Vec<Effect>>,
}

impl NormalForms {
    /// Returns the normal form of a body. `None` if the body does something that no body describes, or has no effects.
    pub(crate) fn of(&mut self, body: &CompiledBody, naming: &Naming) -> Option<FormId> {
        let all: Vec<Op> = ops(&body.code).collect();
        let mut ids: Vec<NodeId> = Vec::new();
        let mut form = Vec::new();
        for op in &all {
            let id = |value: ValueId| ids.get(usize::from(value)).copied().unwrap_or_default();
            let node = match *op {
                Op::Call { builtin: Builtin::External, .. } => return None,
                Op::Write { target, value, condition } => {
                    let is_bool = all.get(usize::from(value)).and_then(Op::ty) == Some(Type::BOOL);
                    let written = self.copied(value, &all, naming).unwrap_or_else(|| id(value));
                    form.push(Effect::Write(place(target, &ids, naming), written, is_bool, condition.map(id)));
                    0
                }
                _ => self.value(op, &all, &ids, naming),
            };
            ids.push(node);
            let is_action = match op {
                Op::Store { .. } | Op::RmwEnd { .. } => true,
                Op::Call { builtin, .. } => builtin.signature().ends_with('!'),
                _ => false,
            };
            if is_action {
                form.push(Effect::Action(node));
            }
        }
        (!form.is_empty()).then(|| self.forms.intern(&form))
    }

    /// Returns the node of a value that is written unchanged. Of its type only the width matters.
    fn copied(&mut self, value: ValueId, all: &[Op], naming: &Naming) -> Option<NodeId> {
        let (ty, role) = match *all.get(usize::from(value))? {
            Op::Role { ty, role, part: Part::Whole } => (ty, role),
            Op::Cast { ty, a } => match *all.get(usize::from(a))? {
                Op::Role { role, part: Part::Whole, .. } if naming.converted == Some(role) => (ty, role),
                _ => return None,
            },
            _ => return None,
        };
        let node = format!("{} bits of {}", ty.total_bits(), (naming.name)(role));
        Some(self.intern(Node::Other(node, Vec::new())))
    }

    /// Returns the normal form of the opposite condition: of a comparison the opposite result, of a branch the opposite
    /// condition. `None` for a body that does anything else.
    pub(crate) fn inverse(&mut self, form: FormId) -> Option<FormId> {
        let [Effect::Write(target, value, is_bool, condition)] = self.forms.items[form].as_slice() else { return None };
        let (target, value, is_bool) = (target.clone(), *value, *is_bool);
        let effect = match *condition {
            None if is_bool => Effect::Write(target, self.not(Type::BOOL, value), true, None),
            Some(condition) if target == PC => {
                let not = self.not(Type::BOOL, condition);
                Effect::Write(target, value, is_bool, Some(not))
            }
            _ => return None,
        };
        Some(self.forms.intern(&vec![effect]))
    }

    /// Adds a node, unless there is an equal one.
    fn intern(&mut self, node: Node) -> NodeId {
        self.nodes.intern(&node) as NodeId
    }

    /// Returns the node of an operation other than an assignment.
    fn value(&mut self, op: &Op, all: &[Op], ids: &[NodeId], naming: &Naming) -> NodeId {
        let id = |value: ValueId| ids.get(usize::from(value)).copied().unwrap_or_default();
        let name = match *op {
            Op::Const { ty, bits } => return self.intern(Node::Const(ty, bits)),
            Op::Unary { op: UnaryOp::Not, ty, a } => return self.not(ty, id(a)),
            Op::Unary { op, ty, a } => return self.intern(Node::Unary(op, ty, id(a))),
            Op::Binary { op, ty, a, b } => return self.binary(op, ty, id(a), id(b)),
            Op::Role { ty, role, part } => format!("{ty} {} {part:?}", (naming.name)(role)),
            Op::Cast { ty, a } => match all.get(usize::from(a)) {
                Some(Op::Role { role, part, .. }) if naming.converted == Some(*role) => {
                    let node = format!("{ty} {} {part:?}", (naming.name)(*role));
                    return self.intern(Node::Other(node, Vec::new()));
                }
                _ => format!("{ty} as"),
            },
            Op::Relative { ty, role, .. } => format!("{ty} rel {}", (naming.name)(role)),
            Op::Field { ty, name } => format!("{ty} field {name}"),
            Op::State { ty, state } => format!("{ty} {}", state.name()),
            Op::Slice { ty, lo, .. } => format!("{ty} from {lo}"),
            Op::Insert { ty, lo, .. } => format!("{ty} insert {lo}"),
            Op::Call { ty, builtin, condition, .. } => format!("{ty} {} {}", builtin.name(), condition.is_some()),
            Op::Load { ty, place, .. } => format!("{ty} load {}", place.name()),
            Op::RmwBegin { ty, place, .. } => format!("{ty} rmw {}", place.name()),
            Op::Store { ty, place, address, condition, .. } => {
                format!("{ty} store {} {} {}", place.name(), address.is_some(), condition.is_some())
            }
            Op::Input { ty } => format!("{ty} input"),
            Op::Is { role, fact } => format!("{} is {}", (naming.name)(role), fact.name()),
            Op::Bit { .. } => "bit".into(),
            Op::Select { ty, .. } => format!("{ty} if"),
            Op::InsertBit { ty, .. } => format!("{ty} insert bit"),
            Op::RmwEnd { ty, .. } => format!("{ty} rmw end"),
            Op::Write { .. } | Op::Return { .. } => "end".into(),
        };
        let mut operands = Vec::new();
        op.for_each_value(|value| operands.push(id(value)));
        if let (Op::Call { builtin, .. }, [a, b, ..]) = (op, &mut operands[..])
            && builtin.is_commutative()
            && *a > *b
        {
            std::mem::swap(a, b);
        }
        self.intern(Node::Other(name, operands))
    }

    fn binary(&mut self, op: BinaryOp, ty: Type, a: NodeId, b: NodeId) -> NodeId {
        let node = match op {
            BinaryOp::Gt => Node::Binary(BinaryOp::Lt, ty, b, a),
            BinaryOp::Ge => Node::Binary(BinaryOp::Le, ty, b, a),
            _ if op.is_commutative() => Node::Binary(op, ty, a.min(b), a.max(b)),
            _ => Node::Binary(op, ty, a, b),
        };
        self.intern(node)
    }

    /// Returns the complement of a value.
    fn not(&mut self, ty: Type, a: NodeId) -> NodeId {
        let is_bool = ty == Type::BOOL;
        let node = self.nodes.items.get(a as usize).cloned();
        match node {
            Some(Node::Unary(UnaryOp::Not, _, inner)) => inner,
            Some(Node::Const(ty, bits)) if is_bool => self.intern(Node::Const(ty, bits ^ 1)),
            Some(Node::Binary(op @ (BinaryOp::And | BinaryOp::Or), of, x, y)) if is_bool && of == ty => {
                let (x, y) = (self.not(ty, x), self.not(ty, y));
                self.binary(if op == BinaryOp::And { BinaryOp::Or } else { BinaryOp::And }, of, x, y)
            }
            Some(Node::Binary(BinaryOp::Eq, of, x, y)) => self.intern(Node::Binary(BinaryOp::Ne, of, x, y)),
            Some(Node::Binary(BinaryOp::Ne, of, x, y)) => self.intern(Node::Binary(BinaryOp::Eq, of, x, y)),
            // With NaN neither holds.
            Some(Node::Binary(BinaryOp::Lt, of, x, y)) if !of.is_float() => self.binary(BinaryOp::Le, of, y, x),
            Some(Node::Binary(BinaryOp::Le, of, x, y)) if !of.is_float() => self.binary(BinaryOp::Lt, of, y, x),
            _ => self.intern(Node::Unary(UnaryOp::Not, ty, a)),
        }
    }
}

/// The program counter as the destination of an assignment.
const PC: &str = "pc";

/// Returns the destination of an assignment.
fn place(target: Target, ids: &[NodeId], naming: &Naming) -> String {
    let id = |value: ValueId| ids.get(usize::from(value)).copied().unwrap_or_default();
    match target {
        Target::Role(role) => format!("role {}", (naming.name)(role)),
        Target::High(role) => format!("high {}", (naming.name)(role)),
        Target::Relative(role, distance) => format!("rel {} {}", (naming.name)(role), id(distance)),
        Target::Lane(role, lane) => format!("lane {} {}", (naming.name)(role), id(lane)),
        Target::State(state) => state.name().to_string(),
    }
}

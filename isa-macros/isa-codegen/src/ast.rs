//! The syntax tree of `isa!` blocks and of `isa_set!`. Every node that an error may name keeps its span.

mod block;
mod body;
mod cond;
mod operands;
mod set;

pub(crate) use block::attrs;
pub use block::{
    Attr, Block, FieldContent, FieldDecl, GenerationProperty, OperandClass, OperandDecl, OperandList, ParseOutcome,
    Promotion, Role, Row, RowProperty, SpannedBitRange, SuffixDwordClause, TextClause, Unused, max_value,
};
pub use body::{Body, BodyFact, CompiledBody, Expr, ExprKind, OperandClause, OperandClauseKind, Statement};
pub use cond::Cond;
pub use isa_schema::Access;
pub use operands::{
    ArgumentDecl, Arm, ArmCond, ArmMap, Asked, ClassContent, ClassDecl, Clause, CodeRun, DwordsBase, DwordsSum,
    DwordsTerm, FloatReading, GetType, ListDecl, ModifierBit, NameList, NamedCode, NamedSet, NumberedCodes,
    OperandTables, PartDecl, RunFit, RunKind, SetExpr, Target, ThereField,
};
pub use set::{BuildClause, BuildMapping, Condition, SetHeader};

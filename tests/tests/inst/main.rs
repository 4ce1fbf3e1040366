//! The operand-level form of instructions, their operands and effects.

mod bodies;
mod inst;
mod inst_effects;
mod inst_operands;
mod modifier_values;
mod operands;

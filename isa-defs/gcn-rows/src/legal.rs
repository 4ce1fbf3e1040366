//! Legality rules between the operands of an instruction, which decoding does not check.
//!
//! Each rule is checked once, for all generations; flags of rows select the instructions that it applies to.

use isa::{MAX_DWORDS, Operands};

use crate::{File, Generation, Rule, Value, Violation, flags, gcn1_0, roles};

/// Checks an instruction with these operands, flags of its row and dwords. What LLVM forbids comes
/// first, since the parser asks for that.
pub(crate) fn check<I: Generation>(
    operands: Operands<I>,
    row: u128,
    dwords: &[u32; MAX_DWORDS],
) -> Result<(), Violation> {
    let at_fault = |rule, operand| Err(Violation::new(rule, operand));
    let beyond = |value| matches!(value, Value::Registers(r) if r.file == File::Vgpr && u16::from(r.first) + u16::from(r.count) > 256);
    let vector = |o: &isa::OperandInfo<I>| matches!(o.value, Value::Registers(r) if r.file == File::Vgpr);
    if let Some(o) = operands.clone().find(|o| beyond(o.value)) {
        return at_fault(Rule::VgprRange, o.role);
    }
    let negative = |o: &isa::OperandInfo<I>| matches!(o.value, Value::Immediate(n) if n < 0);
    if row & flags::BUFFER != 0
        && let Some(o) = operands.clone().find(negative)
    {
        return at_fault(Rule::BufferOffset, o.role);
    }
    if row & flags::STORE == 0 {
        return Ok(());
    }
    // TFE has the same place in all generations.
    let low = u64::from(dwords[0]) | u64::from(dwords[1]) << 32;
    if operands.clone().any(|o| vector(&o)) && gcn1_0::raw::Mubuf::from_bits(low).tfe() {
        return at_fault(Rule::StatusOfStore, roles::DATA);
    }
    let register = |o: &isa::OperandInfo<I>| {
        o.role == roles::OFFSET && matches!(o.value, Value::Registers(r) if r.file != File::M0)
    };
    match operands.clone().find(register) {
        Some(o) if row & flags::GCN1_2 != 0 => at_fault(Rule::StoreOffset, o.role),
        _ => Ok(()),
    }
}

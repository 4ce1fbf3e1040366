//! Replaces slices of dwords by operations on dwords, which the interpreter has in line and joins to runs.

use alloc::boxed::Box;

use isa_runtime::body::BinaryOp;

use crate::lower::values::DWORD;
use crate::operation::{Argument, Operation, OperationKind, dwords, low_bits};
use crate::primitive::Primitive;
use crate::rows::Wide;
use crate::step::Step;

/// Replaces slices at either end of a dword. `constant` returns the row of a constant dword.
pub(crate) fn on_dwords(steps: &mut [Step], constant: &mut dyn FnMut(u32) -> u16) {
    for step in steps {
        if let Step::Lanes(primitive) = step
            && let Some(in_line) = slice(primitive, constant)
        {
            *primitive = in_line;
        }
    }
}

/// A slice of the lowest or the highest bits of a dword as a mask or a shift.
fn slice(primitive: &Primitive<Wide>, constant: &mut dyn FnMut(u32) -> u16) -> Option<Primitive<Wide>> {
    let (OperationKind::Slice(lo), [dword]) = (primitive.operation.kind, &*primitive.operation.args) else {
        return None;
    };
    let (bits, of) = (primitive.operation.ty.total_bits(), dword.ty.total_bits());
    if dwords(dword.ty) != 1 || bits >= 32 {
        return None;
    }
    if lo == 0 && bits <= of {
        let mask = constant(low_bits(u128::from(u32::MAX), u32::from(bits)) as u32);
        return Some(operation(OperationKind::Binary(BinaryOp::And), [dword.row, mask], primitive.dst));
    }
    (lo + bits == 32 && of == 32).then(|| shift(BinaryOp::Shr, dword.row, constant(lo.into()), primitive.dst))
}

/// A shift by the number in a row that is the same in all lanes.
fn shift(op: BinaryOp, src: u16, count: u16, dst: u16) -> Primitive<Wide> {
    let mut primitive = operation(OperationKind::Masked(op), [src, count], dst);
    primitive.specialize(&|_| true);
    primitive
}

/// An operation on dwords.
fn operation<const N: usize>(kind: OperationKind, rows: [u16; N], dst: u16) -> Primitive<Wide> {
    let args = Box::new(rows.map(|row| Argument { row, ty: DWORD }));
    Primitive::new(Operation { kind, ty: DWORD, args }, dst)
}

#[cfg(test)]
mod tests {
    use std::vec;
    use std::vec::Vec;

    use isa_runtime::body::{Class, Type};

    use super::*;
    use crate::access::Spaces;
    use crate::layout::Layout;
    use crate::lower::Lowering;
    use crate::memory::Regions;
    use crate::memory::tests::random;
    use crate::units::Units;
    use crate::wave::Wave;

    /// The registers that constants are in.
    const CONSTANTS: u16 = 8;

    /// Slices of dwords and of halves whose upper bits are not 0.
    fn steps() -> Vec<Step> {
        let mut steps = vec![];
        for (of, lo, bits) in [(32, 0, 1), (32, 0, 16), (32, 16, 16), (32, 31, 1), (32, 4, 8), (16, 0, 4), (16, 0, 16)]
        {
            let [of, ty] = [of, bits].map(|bits| Type::new(Class::Bits, bits, 1));
            let args = Box::new([Argument { row: 1, ty: of }]);
            steps.push(Step::Lanes(Primitive::new(Operation { kind: OperationKind::Slice(lo), ty, args }, 2)));
        }
        steps
    }

    fn execute(wave: &mut Wave, steps: &[Step]) {
        let (memory, mut lds) = (Regions::new(), vec![]);
        let mut spaces = Spaces { memory: &memory, lds: &mut lds, changes: 0, compares: false, checker: None };
        assert!(wave.execute(steps, None, &mut spaces).1.is_ok());
    }

    #[test]
    fn operations_on_dwords_do_what_the_steps_did() {
        let (mut state, mut unchanged) = (1, 0);
        for (units, wave64) in Units::all().flat_map(|units| [(units, false), (units, true)]) {
            for step in steps() {
                let mut constants: Vec<u32> = Vec::new();
                let mut constant = |dword| {
                    constants.push(dword);
                    CONSTANTS + constants.len() as u16 - 1
                };
                let mut replaced = vec![step.clone()];
                on_dwords(&mut replaced, &mut constant);
                let kept = |step: &Step| match step {
                    Step::Lanes(primitive) => matches!(primitive.operation.kind, OperationKind::Slice(_)),
                    _ => false,
                };
                unchanged += usize::from(replaced.iter().any(kept));
                let mut wave = Wave::without_constants(&Lowering::new(Layout::of_scalars(4), 16, wave64), 0);
                wave.set_units(units);
                wave.set_mask(wave.layout.exec, random(&mut state));
                for lane in 0..wave.lanes() {
                    (0..16).for_each(|register| wave.set_vgpr(register, lane, random(&mut state) as u32));
                    (CONSTANTS..).zip(&constants).for_each(|(row, dword)| wave.set_vgpr(row, lane, *dword));
                }
                let mut expected = wave.clone();
                execute(&mut expected, core::slice::from_ref(&step));
                execute(&mut wave, &replaced);
                for (register, lane) in
                    (0..CONSTANTS).flat_map(|register| (0..wave.lanes()).map(move |lane| (register, lane)))
                {
                    assert_eq!(
                        wave.vgpr(register, lane),
                        expected.vgpr(register, lane),
                        "v{register}, {lane}: {step:?}"
                    );
                }
            }
        }
        // A slice from the middle of a dword would need two operations.
        assert_eq!(unchanged, 2 * Units::all().count());
    }
}

//! Where registers of a wave have the elements of matrices.
//!
//! In [`MatrixLayout::Repeated`](crate::step::MatrixLayout::Repeated) each of lanes 0 to 15 has a row of the first matrix and a column of
//! the second, in consecutive elements of consecutive registers.
//!
//! In [`MatrixLayout::Split`](crate::step::MatrixLayout::Split), whose types are those of a wave of 32 lanes, lanes `n` and `n + 16` have
//! one half each: the first half of the row in the lower lane, the second in the upper one. Of elements of 16 bits both halves of the
//! registers hold such a pair of halves, of one half of the row each. The result has rows 0 to 7 in the lower lanes and 8 to 15 in the
//! upper ones. A wave of 64 lanes has the upper half of the registers in its lanes 32 to 63; what fits one register stays in the
//! lower lanes.

use isa_runtime::body::Type;

use super::N;

/// Where 16 rows or columns have an element: the place of row or column 0, which is followed by the others in consecutive lanes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ElementPlace {
    /// Which 32 lanes of the wave.
    pub half: usize,
    /// Which 16 of these lanes.
    pub group: usize,
    /// The register, from the operand's first on.
    pub register: u16,
    /// The lowest bit.
    pub shift: u32,
    /// The number of the element among those of its lane in a wave of 32.
    element: usize,
}

impl ElementPlace {
    /// The element `k` in [`MatrixLayout::Repeated`](crate::step::MatrixLayout::Repeated).
    #[inline(always)]
    pub(super) fn of_repeated(ty: Type, k: usize) -> ElementPlace {
        let bits = usize::from(ty.bits()).max(1);
        ElementPlace { half: 0, group: 0, register: (k * bits / 32) as u16, shift: (k * bits % 32) as u32, element: k }
    }

    /// The element `k` of a row of the first or a column of the second matrix, as it is in registers.
    #[inline(always)]
    pub(super) fn of_factor(ty: Type, halves: usize, k: usize) -> ElementPlace {
        let elements = usize::from(ty.lanes()).max(1);
        let (group, element) = if ty.bits() == 16 {
            let run = (elements / 2).max(1);
            (k / run % 2, k / (2 * run) * run + k % run)
        } else {
            (k / elements, k % elements)
        };
        ElementPlace::new(ty, halves, group, element)
    }

    /// The elements of a row of the third matrix or the result.
    #[inline(always)]
    pub(super) fn of_result(ty: Type, halves: usize, row: usize) -> ElementPlace {
        ElementPlace::new(ty, halves, row / (N / 2), row % (N / 2))
    }

    #[inline(always)]
    fn new(ty: Type, halves: usize, group: usize, element: usize) -> ElementPlace {
        let bits = usize::from(ty.bits()).max(1);
        let registers = usize::from(ElementPlace::registers(ty, halves)).max(1);
        let register = element * bits / 32;
        ElementPlace {
            half: register / registers,
            group,
            register: (register % registers) as u16,
            shift: (element * bits % 32) as u32,
            element,
        }
    }

    /// How many registers an operand has in a wave, whose type is that of a wave of 32 lanes.
    #[inline(always)]
    pub(super) fn registers(ty: Type, halves: usize) -> u16 {
        let registers = u16::from(ty.dwords());
        if halves > 1 && registers > 1 { registers / 2 } else { registers }
    }

    /// The two bits that a sparse matrix has for the element `p` of a row in part `key` of the index register, as many elements apart as
    /// the lane has.
    #[inline(always)]
    pub(super) fn of_index(ty: Type, halves: usize, p: usize, key: u8) -> ElementPlace {
        let place = ElementPlace::of_factor(ty, halves, p);
        let elements = (ElementPlace::registers(ty, halves) * 32 / ty.bits().max(1)).min(ty.lanes().into());
        let elements = usize::from(elements).max(1);
        let shift = 2 * (usize::from(key) * elements + place.element % elements) % 32;
        ElementPlace { register: 0, shift: shift as u32, ..place }
    }
}

#[cfg(test)]
mod tests {
    use isa_runtime::body::Class;

    use super::*;

    /// The operand of an instruction.
    #[derive(Clone, Copy, PartialEq, Debug)]
    enum Operand {
        /// Either factor of a dense product.
        Dense,
        /// The first factor of a sparse product.
        Sparse,
        /// The second factor of a sparse product.
        Other,
    }

    /// The lane, the register and the lowest bit of an element as AMD's matrix instruction calculator has them, by the column `k` of the
    /// first matrix or the row of the second, of row or column 0. `terms` is the number of `k` of the instruction. An element of a
    /// sparse matrix is where the calculator has the group of four that it is in.
    fn calculated(operand: Operand, bits: usize, terms: usize, wave64: bool, k: usize) -> (usize, usize, usize) {
        let lane = match (operand, wave64, bits) {
            (Operand::Dense, false, 16) => 16 * (k / 4 % 2),
            (Operand::Dense, true, 16) => 32 * (k / 8 % 2) + 16 * (k / 4 % 2),
            (Operand::Dense, false, 8) => 16 * (k / 8),
            (Operand::Dense, true, 8) => 32 * (k / 4 % 2) + 16 * (k / 8 % 2),
            (Operand::Dense, _, _) if terms == 16 => 16 * (k / 8),
            (Operand::Dense, false, _) => 16 * (k / 16),
            (Operand::Dense, true, _) => 32 * (k / 8 % 2) + 16 * (k / 16 % 2),
            (_, false, 16) => 16 * (k / 8 % 2),
            (_, true, 16) => 16 * (k / 8),
            (Operand::Sparse, true, 4) if terms == 32 => 16 * (k / 16),
            (_, false, _) if terms == 32 => 16 * (k / 16),
            (_, true, _) if terms == 32 => 32 * (k / 8 % 2) + 16 * (k / 16),
            (_, false, _) => 16 * (k / 32),
            (_, true, _) => 32 * (k / 16 % 2) + 16 * (k / 32),
        };
        let register = match (operand, wave64, bits) {
            (Operand::Dense, false, 16) => 2 * (k / 8) + k / 2 % 2,
            (Operand::Dense, true, 16) => k / 2 % 2,
            (Operand::Dense, false, 8) => k / 4 % 2,
            (Operand::Dense, false, 4) if terms == 32 => k / 8 % 2,
            (Operand::Dense, ..) => 0,
            (Operand::Sparse, false, 16) => 2 * (k / 16) + k / 4 % 2,
            (Operand::Sparse, true, 16) => k / 4 % 2,
            (Operand::Sparse, false, 8) => k / 8 % 2,
            (Operand::Sparse, false, 4) if terms == 64 => k / 16 % 2,
            (Operand::Sparse, ..) => 0,
            (Operand::Other, false, 16) => 4 * (k / 16) + k / 2 % 4,
            (Operand::Other, true, 16) => k / 2 % 4,
            (Operand::Other, false, 8) => k / 4 % 4,
            (Operand::Other, true, 8) => k / 4 % 2,
            (Operand::Other, false, _) => k / 8 % (terms / 16),
            (Operand::Other, true, _) => k / 8 % (terms / 32),
        };
        let shift = match operand {
            Operand::Sparse => 2 * bits * (k / 4 % (16 / bits)),
            _ => bits * (k % (32 / bits)),
        };
        (lane, register, shift)
    }

    #[test]
    fn factors_are_where_the_calculator_has_them() {
        for (bits, terms, is_sparse) in [
            (16, 16, false),
            (8, 16, false),
            (4, 16, false),
            (4, 32, false),
            (16, 32, true),
            (8, 32, true),
            (4, 32, true),
            (4, 64, true),
        ] {
            for halves in [1, 2] {
                let operands = if is_sparse { [Operand::Sparse, Operand::Other] } else { [Operand::Dense; 2] };
                for operand in operands {
                    let is_packed = operand == Operand::Sparse;
                    let elements = if is_packed { terms / 2 } else { terms };
                    let ty = Type::new(Class::Bits, bits as u16, (elements / 2) as u8);
                    for k in 0..elements {
                        let found = ElementPlace::of_factor(ty, halves, k);
                        let column = if is_packed { 4 * (k / 2) } else { k };
                        let (lane, register, shift) = calculated(operand, bits, terms, halves == 2, column);
                        let shift = shift + if is_packed { bits * (k % 2) } else { 0 };
                        let lane_found = 32 * found.half + 16 * found.group;
                        let expected = (lane, register, shift as u32);
                        let place = (lane_found, usize::from(found.register), found.shift);
                        assert_eq!(place, expected, "{operand:?} of {bits} bits, {terms} terms, {halves} halves, {k}");
                    }
                }
            }
        }
    }

    #[test]
    fn indices_are_where_the_calculator_has_them() {
        for (bits, terms) in [(16, 32), (8, 32), (4, 32), (4, 64)] {
            for halves in [1, 2] {
                let ty = Type::new(Class::Bits, bits as u16, (terms / 4) as u8);
                let sets = match (halves, bits) {
                    (1, 4) if terms == 64 => 1,
                    (1, _) | (2, 4) => 2,
                    _ => 4,
                };
                for (key, p) in (0..sets).flat_map(|key| (0..terms / 2).map(move |p| (key, p))) {
                    let k = 4 * (p / 2);
                    let first = match (halves, bits) {
                        (1, 16) => 8 * (k / 16) + 4 * (k / 4 % 2),
                        (1, 4) if terms == 64 => 4 * (k / 4 % 8),
                        (1, _) | (2, 4) => 4 * (k / 4 % 4),
                        _ => 4 * (k / 4 % 2),
                    };
                    let (lane, ..) = calculated(Operand::Sparse, bits, terms, halves == 2, k);
                    let found = ElementPlace::of_index(ty, halves, p, key as u8);
                    let expected = (lane, 0, (first + 2 * (p % 2) + key * 32 / sets) as u32);
                    let place = (32 * found.half + 16 * found.group, found.register, found.shift);
                    assert_eq!(place, expected, "{bits} bits, {terms} terms, {halves} halves, {p}, {key}");
                }
            }
        }
    }

    #[test]
    fn results_are_where_the_guide_has_them() {
        // Guide §7.12.2: matrix[row][col] is in these lanes, registers and bits.
        for row in 0..N {
            for (bits, per_register) in [(32, 1), (16, 2)] {
                let ty = Type::new(Class::Bits, bits, 8);
                let of = |halves| {
                    let place = ElementPlace::of_result(ty, halves, row);
                    (32 * place.half + 16 * place.group, usize::from(place.register), place.shift as usize)
                };
                let shift = 16 * (row % per_register);
                assert_eq!(of(1), (row / 8 * 16, row % 8 / per_register, shift));
                assert_eq!(of(2), (row / 4 % 2 * 32 + row / 8 * 16, row % 4 / per_register, shift));
            }
        }
    }
}

extern crate std;

use std::vec::Vec;

use isa_body::{Class, Type};

use super::*;

fn packed<R: Row>(row: &R) -> Vec<u64> {
    let mut numbers = Vec::new();
    row.pack(&mut |number| numbers.push(number));
    numbers
}

#[test]
fn rows_are_read_as_they_were_packed() {
    let row = MatchPlanRow {
        variant: 65_535,
        operands: Run { start: 65_535, len: 255 },
        modifiers: Run::NONE,
        component: 255,
        flags: 3,
        complete_modes: 2,
    };
    let numbers: Vec<u32> = packed(&row).into_iter().map(|number| number as u32).collect();
    let rows = Rows::<MatchPlanRow>::new(numbers.leak());
    assert_eq!(rows.get(0), row);
    assert_eq!(rows.table(), [row]);
}

#[test]
fn bounds_are_read_as_they_were_packed() {
    let accesses = [Access::Read, Access::Write, Access::ReadWrite, Access::Modifier];
    for (class, access) in Class::ALL.into_iter().zip(accesses.into_iter().cycle()) {
        let bound = Bound { carrier: 255, ty: Type::new(class, 512, 64), access };
        let number = packed(&bound)[0] as u32;
        assert_eq!(Rows::<Bound>::new(std::vec![number].leak()).get(0), bound);
    }
}

#[test]
fn indices_end_before_the_number_of_none() {
    assert_eq!(Index::new(65_534).map(Index::get), Some(65_534));
    assert_eq!(Index::new(65_535), None);
    assert_eq!(Index::to_number(None), 0);
    assert_eq!(Index::from_number(1).map(Index::get), Some(0));
}

#[test]
fn types_of_operands_are_summarized() {
    let bound = |class, bits, access| Bound { carrier: 0, ty: Type::new(class, bits, 1), access };
    let of = |operands: &[Bound]| {
        let types = RowTypes::of(operands.iter().copied());
        let flags =
            [types.reads_floats(), types.reads_dwords(), types.writes_float(), types.has_mask(), types.has_narrow()];
        (flags, types.widest())
    };
    let [read, write] = [Access::Read, Access::Write];
    let float = |access| bound(Class::Float, 32, access);
    assert_eq!(of(&[]), ([true, true, false, false, false], 0));
    assert_eq!(of(&[float(write), float(read)]), ([true, true, true, false, false], 1));
    // The destination is read, too; a mask is neither a float nor a dword.
    assert_eq!(of(&[float(Access::ReadWrite)]), ([true, true, false, false, false], 1));
    assert_eq!(of(&[float(write), bound(Class::Mask, 1, read)]), ([true, false, true, true, true], 1));
    assert_eq!(
        of(&[bound(Class::Unsigned, 64, write), bound(Class::Signed, 16, read)]),
        ([false, false, false, false, false], 2)
    );
    // The last result counts.
    assert_eq!(of(&[float(write), bound(Class::Unsigned, 32, write)]), ([true, true, false, false, false], 1));
}

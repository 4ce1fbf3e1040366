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

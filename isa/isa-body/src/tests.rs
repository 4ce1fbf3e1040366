use super::*;
extern crate std;
use std::vec::Vec;

struct Bytes(Vec<u8>);

impl Sink for Bytes {
    fn push(&mut self, byte: u8) {
        self.0.push(byte);
    }
}

/// Every operation, with the largest values that its encoding has.
fn samples() -> Vec<Op<'static>> {
    let ty = Type::new(Class::Float, 512, 16);
    let u32 = Type::new(Class::Unsigned, 32, 1);
    let mut all = std::vec![
        Op::Const { ty, bits: u128::MAX },
        Op::Const { ty: u32, bits: 0 },
        Op::Role { ty, role: 7, part: Part::Whole },
        Op::Role { ty: u32, role: 0, part: Part::High },
        Op::Relative { ty, role: 3, distance: 254 },
        Op::Field { ty: u32, name: "offset0" },
        Op::Input { ty },
        Op::Cast { ty, a: 9 },
        Op::Slice { ty, a: 9, lo: 511 },
        Op::Bit { a: 1, index: 2 },
        Op::Select { ty, condition: 1, yes: 2, no: 3 },
        Op::Insert { ty, a: 1, lo: 300, bits: 2 },
        Op::InsertBit { ty, a: 1, index: 2, bit: 3 },
        Op::Load { ty, place: Place::Mem, address: None },
        Op::Store { ty, place: Place::Lds1, address: Some(1), value: 2, condition: Some(3) },
        Op::RmwBegin { ty, place: Place::Lds, address: None },
        Op::RmwEnd { ty, begin: 1, value: 2 },
        Op::Return { value: 5 },
    ];
    all.extend(Builtin::ALL.iter().map(|b| Op::Call { ty, builtin: *b, args: &[1, 2, 3], condition: None }));
    all.extend(State::ALL.iter().map(|s| Op::State { ty, state: *s }));
    all.extend(OperandFact::ALL.iter().map(|fact| Op::Is { role: 6, fact: *fact }));
    all.extend(UnaryOp::ALL.iter().map(|op| Op::Unary { op: *op, ty, a: 1 }));
    all.extend(BinaryOp::ALL.iter().map(|op| Op::Binary { op: *op, ty, a: 1, b: 2 }));
    let targets =
        [Target::Role(1), Target::High(2), Target::Relative(3, 4), Target::Lane(5, 6), Target::State(State::Pc)];
    all.extend(targets.map(|target| Op::Write { target, value: 1, condition: Some(0) }));
    all
}

#[test]
fn operations_are_decoded_as_encoded() {
    let all = samples();
    let mut bytes = Bytes(Vec::new());
    all.iter().for_each(|op| op.encode(&mut bytes));
    assert_eq!(ops(&bytes.0).collect::<Vec<_>>(), all);
}

#[test]
fn clauses_are_decoded_as_encoded() {
    let mut fragment = Bytes(Vec::new());
    Op::Return { value: 3 }.encode(&mut fragment);
    let none = || ops(&[]);
    let all = [
        Clause::Run(Run::Wave),
        Clause::Source(2, none()),
        Clause::Result(1, none()),
        Clause::Saturate(1, none()),
        Clause::Inactive(0, true),
        Clause::Tied(5),
        Clause::Active(none()),
        Clause::Address(Place::Lds, Space::Gds, Some("gds"), none()),
        Clause::Address(Place::Mem, Space::Flat, None, none()),
        Clause::Reads(State::M0, "row_en"),
    ];
    let mut bytes = Bytes(Vec::new());
    all.iter().for_each(|clause| clause.encode(&fragment.0, &mut bytes));
    let shown = |clause: &Clause| match clause {
        Clause::Run(run) => std::format!("{run:?}"),
        Clause::Source(role, code) => std::format!("source {role} {:?}", code.clone().last()),
        Clause::Result(role, code) => std::format!("result {role} {:?}", code.clone().last()),
        Clause::Saturate(role, code) => std::format!("saturate {role} {:?}", code.clone().last()),
        Clause::Inactive(role, bit) => std::format!("inactive {role} {bit}"),
        Clause::Tied(role) => std::format!("tied {role}"),
        Clause::Reads(state, field) => std::format!("reads {state:?} {field}"),
        Clause::Active(code) => std::format!("active {:?}", code.clone().last()),
        Clause::Address(place, space, field, code) => {
            std::format!("{place:?} {space:?} {field:?} {:?}", code.clone().last())
        }
    };
    let found: Vec<_> = clauses(&bytes.0).map(|clause| shown(&clause)).collect();
    assert_eq!(
        found,
        [
            "Wave",
            "source 2 Some(Return { value: 3 })",
            "result 1 Some(Return { value: 3 })",
            "saturate 1 Some(Return { value: 3 })",
            "inactive 0 true",
            "tied 5",
            "active Some(Return { value: 3 })",
            "Lds Gds Some(\"gds\") Some(Return { value: 3 })",
            "Mem Flat None Some(Return { value: 3 })",
            "reads M0 row_en",
        ]
    );
}

#[test]
fn damaged_code_ends_the_iterators() {
    let mut state = 1u32;
    for _ in 0..20_000 {
        let bytes: Vec<u8> = (0..40)
            .map(|_| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (state >> 24) as u8 & if state & 1 == 0 { 0x1F } else { 0xFF }
            })
            .collect();
        assert!(ops(&bytes).count() <= bytes.len());
        assert!(clauses(&bytes).count() <= bytes.len());
    }
}

#[test]
fn names_are_unique() {
    for builtin in Builtin::ALL {
        assert_eq!(Builtin::from_name(builtin.name()), Some(*builtin));
        assert_eq!(State::from_name(builtin.name()), None);
    }
    assert!(Builtin::ALL.len() <= 255);
}

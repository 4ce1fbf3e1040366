//! Random programs: the compiled kernel computes on the CPU what the interpreter computes.

mod common;

use common::interpret::{Argument, interpret};
use example_compiler::{Limits, compile};
use isa_tests::property;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

/// The number of work-items: not a multiple of the work-group's, or of a wave's.
const ITEMS: u32 = 100;

/// Returns float and integer expressions.
fn numbers(depth: u32) -> (BoxedStrategy<String>, BoxedStrategy<String>) {
    let floats = select(vec!["a", "b", "c", "scale", "1.0", "0.3", "65536.0", "float_out[i]"]).prop_map(String::from);
    let integers = select(vec!["p", "q", "r", "shift", "id()", "1", "7", "4294967295", "integer_out[i]"]);
    let integers = integers.prop_map(String::from);
    if depth == 0 {
        return (floats.boxed(), integers.boxed());
    }
    let (f, u) = numbers(depth - 1);
    let arithmetic = |a, operators, b| (a, select(operators), b).prop_map(|(a, op, b)| format!("({a} {op} {b})"));
    let more_floats = prop_oneof![
        2 => floats,
        4 => arithmetic(f.clone(), vec!["+", "-", "*"], f.clone()),
        1 => u.clone().prop_map(|index| format!("floats[{index} & 63]")),
        1 => u.clone().prop_map(|number| format!("f32({number})")),
    ];
    let more_integers = prop_oneof![
        2 => integers,
        4 => arithmetic(u.clone(), vec!["+", "-", "*", "&", "|", "^", "<<", ">>"], u.clone()),
        1 => u.prop_map(|index| format!("integers[{index} & 63]")),
        1 => f.prop_map(|number| format!("u32({number})")),
    ];
    (more_floats.boxed(), more_integers.boxed())
}

/// Returns conditions.
fn conditions(depth: u32) -> BoxedStrategy<String> {
    let (f, u) = numbers(1);
    let operator = || select(vec!["<", "<=", ">", ">=", "==", "!="]);
    let compared = prop_oneof![(f.clone(), operator(), f), (u.clone(), operator(), u)];
    let compared = compared.prop_map(|(a, op, b)| format!("({a} {op} {b})"));
    if depth == 0 {
        return compared.boxed();
    }
    let inner = conditions(depth - 1);
    let joined = (inner.clone(), select(vec!["&", "|", "^"]), inner.clone());
    prop_oneof![
        3 => compared,
        1 => inner.prop_map(|condition| format!("!{condition}")),
        1 => joined.prop_map(|(a, op, b)| format!("({a} {op} {b})")),
    ]
    .boxed()
}

/// Returns blocks of statements.
fn blocks(depth: u32) -> BoxedStrategy<String> {
    let (f, u) = numbers(2);
    let assignments = prop_oneof![
        (select(vec!["a", "b", "c", "float_out[i]"]), f.clone()),
        (select(vec!["p", "q", "r", "integer_out[i]"]), u.clone()),
    ];
    let assignments = assignments.prop_map(|(to, value)| format!("{to} = {value};\n"));
    if depth == 0 {
        return vec(assignments, 1..4).prop_map(|lines| lines.concat()).boxed();
    }
    let (inner, condition) = (blocks(depth - 1), conditions(2));
    let statement = prop_oneof![
        4 => assignments,
        1 => f.prop_map(|value| format!("let a = {value};\n")),
        1 => (condition.clone(), inner.clone()).prop_map(|(c, yes)| format!("if {c} {{\n{yes}}}\n")),
        1 => (condition.clone(), inner.clone(), inner.clone())
            .prop_map(|(c, yes, no)| format!("if {c} {{\n{yes}}} else {{\n{no}}}\n")),
        1 => (u, inner.clone()).prop_map(|(end, body)| format!("for k in 0..{end} & 3 {{\n{body}}}\n")),
        1 => (condition, inner).prop_map(|(c, body)| {
            format!("let k = 0;\nwhile (k < 3) & {c} {{\nk = k + 1;\n{body}}}\n")
        }),
    ];
    vec(statement, 1..5).prop_map(|statements| statements.concat()).boxed()
}

fn kernels() -> impl Strategy<Value = String> {
    blocks(2).prop_map(|body| {
        format!(
            "kernel random(floats: [f32], integers: [u32], scale: f32, shift: u32, float_out: [f32], integer_out: [u32]) {{\n\
             let i = id();\n\
             let a = floats[i & 63];\nlet b = scale;\nlet c = 0.0;\n\
             let p = integers[i & 63];\nlet q = i;\nlet r = 3;\n\
             {body}\
             float_out[i] = a + b + c;\ninteger_out[i] = p ^ q ^ r;\n}}\n"
        )
    })
}

/// Returns floats of many magnitudes, also infinite and denormal ones, by their bits.
fn float() -> impl Strategy<Value = u32> {
    prop_oneof![any::<f32>(), -8.0f32..8.0].prop_map(f32::to_bits)
}

fn arguments() -> impl Strategy<Value = Vec<Argument>> {
    let inputs = (vec(float(), 64), vec(prop_oneof![any::<u32>(), 0..9u32], 64), float(), 0..40u32);
    inputs.prop_map(|(floats, integers, scale, shift)| {
        let out = || Argument::Array(vec![0; ITEMS as usize]);
        let (floats, integers) = (Argument::Array(floats), Argument::Array(integers));
        vec![floats, integers, Argument::Number(scale), Argument::Number(shift), out(), out()]
    })
}

/// Returns numbers of registers: all that there are, or so few that most values are spilled.
fn limits() -> impl Strategy<Value = Limits> {
    let few = (8..24u32, 12..30u32).prop_map(|(vgprs, sgprs)| Limits { vgprs, sgprs });
    prop_oneof![Just(Limits::default()), few]
}

/// Replaces NaNs by one: which one an operation yields is not defined.
fn without_payloads(argument: &Argument) -> Vec<u32> {
    let Argument::Array(numbers) = argument else { return Vec::new() };
    let canonical = |bits: &u32| if f32::from_bits(*bits).is_nan() { f32::NAN.to_bits() } else { *bits };
    numbers.iter().map(canonical).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 60, ..property::config(16) })]

    #[test]
    fn compiled_kernels_compute_what_the_interpreter_does(
        source in kernels(),
        arguments in arguments(),
        limits in limits(),
    ) {
        let file = compile(&source, limits);
        let file = file.map_err(|error| TestCaseError::fail(format!("{error}\n{source}")))?;
        let instrs = common::instructions(&file).expect("decodable code");
        prop_assert_eq!(common::findings(&instrs), Vec::<String>::new(), "{}", &source);
        let (mut expected, mut found) = (arguments.clone(), arguments);
        interpret(&source, ITEMS, &mut expected).expect("indices in range");
        common::run(&file, ITEMS, &mut found).expect("a kernel without faults");
        prop_assert_eq!(without_payloads(&found[4]), without_payloads(&expected[4]), "{}", &source);
        prop_assert_eq!(&found[5], &expected[5], "{}", &source);
    }
}

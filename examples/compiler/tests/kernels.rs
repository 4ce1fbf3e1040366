//! The kernel of the guide page, and code that is too long for short branches.

mod common;

use std::error::Error;
use std::process::Command;

use amdgpu_object::CodeObject;
use common::interpret::{Argument, interpret};
use example_compiler::{Limits, compile};
use isa_tests::needs;
use rdna3::{Opcode, Wave};

const POWER: &str = include_str!("../kernels/power.k");

#[test]
fn a_kernel_with_loops_and_branches_runs() -> Result<(), Box<dyn Error>> {
    let items = 70;
    let base = (0..items).map(|item| (1.0 + item as f32 / 8.0).to_bits()).collect();
    let exponents = (0..items).map(|item| item % 11).collect();
    let out = Argument::Array(vec![0; 70]);
    let (limit, count) = (Argument::Number(1e6f32.to_bits()), Argument::Number(65));
    let mut arguments = vec![Argument::Array(base), Argument::Array(exponents), out, limit, count];
    let mut expected = arguments.clone();
    interpret(POWER, items, &mut expected)?;
    common::run(&compile(POWER, Limits::default())?, items, &mut arguments)?;
    assert_eq!(arguments, expected);
    let Some(Argument::Array(out)) = arguments.get(2) else { return Err("no array".into()) };
    // 1.25 to the power of 2, 5 to the power of 10, and a work-item beyond the count.
    assert_eq!([out[2], out[32], out[66]].map(f32::from_bits), [1.5625, 1e6, 0.0]);
    Ok(())
}

#[test]
fn branches_reach_over_long_blocks() -> Result<(), Box<dyn Error>> {
    let body = "x = x * 1.0001;\n".repeat(17_000);
    let source = format!(
        "kernel long(out: [f32]) {{ let x = 1.0; for k in 0..2 {{ if id() < 3 {{ {body} }} }} out[id()] = x; }}"
    );
    let mut arguments = vec![Argument::Array(vec![0; 40])];
    let mut expected = arguments.clone();
    interpret(&source, 40, &mut expected)?;
    let file = compile(&source, Limits::default())?;
    assert!(common::instructions(&file)?.iter().any(|instr| instr.opcode() == Opcode::S_SETPC_B64));
    common::run(&file, 40, &mut arguments)?;
    assert_eq!(arguments, expected);
    Ok(())
}

#[test]
fn values_without_registers_are_in_scratch_memory() -> Result<(), Box<dyn Error>> {
    // All values are live at once, and more of them are spilled than the offset of a scratch instruction reaches.
    let count = 1_300;
    let declare: String = (0..count).map(|n| format!("let x{n} = a[id()] + {n};\n")).collect();
    let change: String = (0..count).step_by(7).map(|n| format!("x{n} = x{n} * x{};\n", count - 1 - n)).collect();
    let sum: String = (0..count).map(|n| format!("sum = sum ^ x{n};\n")).collect();
    let source = format!(
        "kernel many(a: [u32], out: [u32]) {{ {declare} if (a[id()] & 1) == 0 {{ {change} }} let sum = 0; {sum} out[id()] = sum; }}"
    );
    let mut arguments = vec![Argument::Array((0..70).map(|n| n * n + 3).collect()), Argument::Array(vec![0; 70])];
    let mut expected = arguments.clone();
    interpret(&source, 70, &mut expected)?;
    let file = compile(&source, Limits::default())?;
    let scratch = CodeObject::load(&file, 0)?.kernels[0].descriptor.private_segment_fixed_size();
    assert!(scratch > 4096, "{scratch}");
    common::run(&file, 70, &mut arguments)?;
    assert_eq!(arguments, expected);
    Ok(())
}

#[test]
fn conditions_and_arguments_are_spilled() -> Result<(), Box<dyn Error>> {
    // Each `if` saves EXEC in a scalar register, and the arguments are needed in the innermost one.
    let (arrays, depth) = (20, 60);
    let parameters: Vec<String> = (0..arrays).map(|n| format!("a{n}: [u32]")).collect();
    let open: String = (0..depth).map(|n| format!("if a{}[id()] != {n} {{ ", n % arrays)).collect();
    let add: String = (0..arrays).map(|n| format!("a{n}[id()] = a{n}[id()] + n * {n};")).collect();
    let close = "} else { a0[id()] = a0[id()] + 1; }".repeat(depth);
    let source = format!("kernel deep({}, n: u32) {{ {open} {add} {close} }}", parameters.join(", "));
    let array = |n: u32| Argument::Array((0..66).map(|item| item + 40 * n).collect());
    let arguments: Vec<Argument> = (0..arrays as u32).map(array).chain([Argument::Number(5)]).collect();
    let mut expected = arguments.clone();
    interpret(&source, 66, &mut expected)?;
    for sgprs in [104, 16] {
        let file = compile(&source, Limits { sgprs, ..Limits::default() })?;
        let instrs = common::instructions(&file)?;
        let has = |opcode| instrs.iter().any(|instr| instr.opcode() == opcode);
        assert!(has(Opcode::V_READLANE_B32), "{sgprs}");
        assert_eq!(common::findings(&instrs), Vec::<String>::new());
        let mut found = arguments.clone();
        common::run(&file, 66, &mut found)?;
        assert_eq!(found, expected);
    }
    let error = compile(&source, Limits { vgprs: 4, sgprs: 104 }).unwrap_err();
    assert_eq!(error.to_string(), "an instruction needs more registers than there are");
    Ok(())
}

#[test]
fn llvm_disassembles_the_same_instructions() -> Result<(), Box<dyn Error>> {
    let file = compile(POWER, Limits::default())?;
    let instrs = common::instructions(&file)?;
    assert_eq!(common::findings(&instrs), Vec::<String>::new());
    let Some(objdump) = needs::llvm("a compiled kernel", "llvm-objdump-22", "llvm-22") else { return Ok(()) };
    let path = std::env::temp_dir().join(format!("example-compiler-{}.co", std::process::id()));
    std::fs::write(&path, &file)?;
    let output = Command::new(objdump).arg("-d").arg(&path).output()?;
    std::fs::remove_file(&path)?;
    let listing = String::from_utf8(output.stdout)?;
    let lines = listing.lines().filter_map(|line| Some(line.split_once("//")?.0.trim().to_owned()));
    let expected: Vec<String> = instrs.iter().map(|instr| instr.display(Wave::W32).to_string()).collect();
    assert_eq!(lines.take(instrs.len()).collect::<Vec<_>>(), expected);
    Ok(())
}

#[test]
fn errors_name_what_is_wrong() {
    let error = |body: &str| {
        let source = format!("kernel k(a: [f32], n: u32) {{ {body} }}");
        compile(&source, Limits::default()).unwrap_err().to_string()
    };
    assert_eq!(error("x = 1;"), "`x` is not a variable");
    assert_eq!(error("n = 1;"), "`n` is not a variable");
    assert_eq!(error("a[n] = b[n];"), "there is no array `b`");
    assert_eq!(error("a[n] = 1;"), "expected a `f32`, found a `u32`");
    assert_eq!(error("let x = n < 2;"), "a variable holds a number");
    assert_eq!(error("a[0] = a[0] & a[1];"), "`&` does not take a `f32`");
    assert!(error("let x = ;").starts_with("error at 1:"));
}

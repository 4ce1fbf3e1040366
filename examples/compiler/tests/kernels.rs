//! The kernel of the guide page, and code that is too long for short branches.

mod common;

use std::error::Error;
use std::process::Command;

use example_compiler::{Argument, compile, interpret};
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
    common::run(&compile(POWER)?, items, &mut arguments)?;
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
    let file = compile(&source)?;
    assert!(common::instructions(&file)?.iter().any(|instr| instr.opcode() == Opcode::S_SETPC_B64));
    common::run(&file, 40, &mut arguments)?;
    assert_eq!(arguments, expected);
    Ok(())
}

#[test]
fn llvm_disassembles_the_same_instructions() -> Result<(), Box<dyn Error>> {
    let file = compile(POWER)?;
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
    let error = |body: &str| compile(&format!("kernel k(a: [f32], n: u32) {{ {body} }}")).unwrap_err().to_string();
    assert_eq!(error("x = 1;"), "`x` is no variable");
    assert_eq!(error("n = 1;"), "`n` is no variable");
    assert_eq!(error("a[n] = b[n];"), "there is no array `b`");
    assert_eq!(error("a[n] = 1;"), "expected a `f32`, found a `u32`");
    assert_eq!(error("let x = n < 2;"), "a variable holds a number");
    assert_eq!(error("a[0] = a[0] & a[1];"), "`And` does not take a `f32`");
    assert!(error("let x = ;").starts_with("error at 1:"));
}

//! The program `isa`; everything is in the library beside it.

use std::process::ExitCode;

fn main() -> ExitCode {
    isa_cli::main()
}

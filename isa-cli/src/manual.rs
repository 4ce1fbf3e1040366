//! `isa completions` and `isa man`: what shells and manuals need to know of the program.

use std::io;
use std::process::ExitCode;

use clap::CommandFactory;
use clap_complete::Shell;

use crate::Cli;
use crate::failure::Failure;

/// The arguments of `isa completions`.
#[derive(clap::Args)]
pub struct CompletionArgs {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

/// The arguments of `isa man`.
#[derive(clap::Args)]
pub struct ManArgs {
    /// The subcommand whose page to print; without it, the page of the program
    #[arg(value_parser = subcommand)]
    subcommand: Option<String>,
}

/// Reads the name of a subcommand.
fn subcommand(name: &str) -> Result<String, String> {
    let mut program = Cli::command();
    // Adds `help`.
    program.build();
    if program.find_subcommand(name).is_some() {
        return Ok(name.to_owned());
    }
    let names: Vec<_> = program.get_subcommands().map(|command| command.get_name().to_owned()).collect();
    Err(format!("help: the subcommands are {}", names.join(", ")))
}

/// Runs `isa completions`.
pub fn completions(args: &CompletionArgs) -> Result<ExitCode, Failure> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "isa", &mut text);
    io::Write::write_all(&mut io::stdout().lock(), &text)?;
    Ok(ExitCode::SUCCESS)
}

/// Runs `isa man`.
pub fn man(args: &ManArgs) -> Result<ExitCode, Failure> {
    let mut program = Cli::command();
    program.build();
    let found = args.subcommand.as_ref().and_then(|name| Some((name, program.find_subcommand(name)?.clone())));
    let command = found.map_or(program, |(name, found)| found.display_name(format!("isa-{name}")));
    let mut text = Vec::new();
    clap_mangen::Man::new(command).render(&mut text)?;
    io::Write::write_all(&mut io::stdout().lock(), &text)?;
    Ok(ExitCode::SUCCESS)
}

//! Arguments that several subcommands have.

use amdgpu_arch::Wave;
use clap::builder::{PossibleValuesParser, TypedValueParser};

/// Reads the argument of `--wave`.
pub fn wave_parser() -> impl TypedValueParser<Value = Wave> {
    PossibleValuesParser::new(["32", "64"]).map(|wave| if wave == "64" { Wave::W64 } else { Wave::W32 })
}

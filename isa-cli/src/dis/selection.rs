//! The parts of the code that `--symbol`, `--start` and `--stop` select.

use std::ops::Range;

use amdgpu_dis::{CodeSection, CodeSymbol};
use amdgpu_report::demangle;

use crate::input::printable;

/// Digits of an address in a listing.
const LISTED_DIGITS: usize = 12;

/// The arguments that select code.
#[derive(clap::Args)]
pub struct Selection {
    /// List only the kernel or function of this name, or the code between this label and the next symbol; the name may be demangled,
    /// with or without parameters. Can be given several times
    #[arg(long = "symbol", value_name = "NAME", conflicts_with_all = ["raw", "hex"])]
    symbols: Vec<String>,
    /// List from this address on: 0x1508, or 000000001508 as listings have it
    #[arg(long, value_name = "ADDRESS", value_parser = address, conflicts_with = "hex")]
    start: Option<u64>,
    /// List up to the instruction before this address
    #[arg(long, value_name = "ADDRESS", value_parser = address, conflicts_with = "hex")]
    stop: Option<u64>,
}

/// Reads an address.
fn address(text: &str) -> Result<u64, String> {
    let hex = text.strip_prefix("0x").or(text.strip_prefix("0X"));
    let listed = (text.len() >= LISTED_DIGITS).then_some(text);
    let number = match hex.or(listed) {
        // `from_str_radix` takes a sign.
        Some(digits) if digits.bytes().all(|byte| byte.is_ascii_hexdigit()) => u64::from_str_radix(digits, 16).ok(),
        Some(_) => None,
        None => text.parse().ok(),
    };
    number.ok_or_else(|| "an address is hexadecimal, as 0x1508 or 000000001508, or decimal".into())
}

/// The names that have been looked for in some sections.
#[derive(Default)]
pub struct Search {
    /// Whether each symbol of the selection was found.
    found: Vec<bool>,
    /// Whether any code was selected.
    is_any: bool,
    /// The names of the sections' symbols.
    names: Vec<String>,
}

impl Selection {
    /// Whether all code is selected.
    pub fn is_all(&self) -> bool {
        self.symbols.is_empty() && self.start.is_none() && self.stop.is_none()
    }

    /// Selects code of sections, and removes sections without selected code.
    pub fn select(&self, sections: &mut Vec<CodeSection<'_>>, search: &mut Search) {
        if self.is_all() {
            return;
        }
        search.found.resize(self.symbols.len(), false);
        sections.retain_mut(|section| {
            let addresses = self.addresses(section);
            let mut ranges = Vec::new();
            if self.symbols.is_empty() {
                ranges.push(addresses);
            } else {
                for symbol in &section.symbols {
                    search.names.push(symbol.name.clone());
                    for (name, found) in self.symbols.iter().zip(&mut search.found) {
                        if is_named(symbol, name) {
                            *found = true;
                            let code = section.range_of(symbol);
                            ranges.push(code.start.max(addresses.start)..code.end.min(addresses.end));
                        }
                    }
                }
            }
            ranges.retain(|range| !range.is_empty());
            let is_any = !ranges.is_empty();
            search.is_any |= is_any;
            section.select(ranges);
            is_any
        });
    }

    /// The offsets of a section between the addresses.
    fn addresses(&self, section: &CodeSection<'_>) -> Range<usize> {
        let size = section.bytes.len();
        let offset = |address: u64| {
            let offset = address.saturating_sub(section.address);
            usize::try_from(offset).unwrap_or(usize::MAX).min(size)
        };
        self.start.map_or(0, offset)..self.stop.map_or(size, offset)
    }

    /// Returns the errors of a search through all sections of a file: symbols that it does not have, and addresses without code.
    pub fn errors(&self, search: &Search) -> Vec<String> {
        let missing = self.symbols.iter().zip(&search.found).filter(|(_, found)| !**found);
        let missing = missing.map(|(name, _)| {
            let names = || search.names.iter().map(String::as_str);
            // Mangled names contain those of the sources.
            let near = isa::nearest(names(), name).or_else(|| names().find(|known| known.contains(&**name)));
            let near = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
            format!("no code has the symbol `{}`{near}", printable(name.as_bytes()))
        });
        let mut errors: Vec<String> = missing.collect();
        if errors.is_empty() && !self.is_all() && !search.is_any {
            let bound = |name, address: Option<u64>| address.map(|address| format!(" {name} {address:#x}"));
            let bounds = [bound("from", self.start), bound("up to", self.stop)].into_iter().flatten();
            errors.push(format!("no code is selected{}", bounds.collect::<String>()));
        }
        errors
    }
}

/// Whether a symbol has a name, mangled or not.
fn is_named(symbol: &CodeSymbol, name: &str) -> bool {
    symbol.name == name
        || demangle::demangled(&symbol.name).is_some_and(|full| full == name)
        || demangle::function_names(&symbol.name).iter().any(|function| function == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_as_listings_have_them() {
        assert_eq!(address("0x1508"), Ok(0x1508));
        assert_eq!(address("000000001508"), Ok(0x1508));
        assert_eq!(address("0000000015FC"), Ok(0x15fc));
        assert_eq!(address("5384"), Ok(5384));
        assert_eq!(address("0xffffffffffffffff"), Ok(u64::MAX));
        for wrong in ["", "0x", "15fc", "-1", "0x+1", "0x10000000000000000", "k+4"] {
            assert!(address(wrong).is_err(), "{wrong}");
        }
    }
}

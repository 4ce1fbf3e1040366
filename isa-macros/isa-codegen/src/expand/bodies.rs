//! The tables of bodies: their bytecode, the clauses that apply to them, and their effects.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::tokens::{arrays, numbers};
use crate::body::effects;
use crate::interner::Interner;
use crate::model::{Component, Set};

/// Byte strings after one another, each stored once, with two bytes of length in front.
///
/// The number of a string is where it begins. 0 is not a string.
struct Strings {
    bytes: Vec<u8>,
    starts: Vec<u32>,
    interner: Interner<Vec<u8>>,
}

impl Strings {
    fn new() -> Strings {
        Strings { bytes: vec![0], starts: Vec::new(), interner: Interner::default() }
    }

    /// Returns the number of a string.
    fn intern(&mut self, string: &Vec<u8>) -> u32 {
        let index = self.interner.intern(string);
        if index == self.starts.len() {
            self.starts.push(self.bytes.len() as u32);
            self.bytes.extend((string.len() as u16).to_le_bytes());
            self.bytes.extend(string);
        }
        self.starts[index]
    }
}

/// Generates the static `BODIES`.
pub(super) fn tables(set: &Set) -> TokenStream {
    let (mut code, mut clauses) = (Strings::new(), Strings::new());
    let mut roles: Interner<Vec<String>> = Interner::default();
    let mut all_effects: Interner<[u16; 7]> = Interner::default();
    let (mut starts, mut roles_of, mut effects_of) = (Vec::new(), Vec::new(), Vec::new());
    for mnemonic in &set.mnemonics {
        let body = mnemonic.row.compiled.as_ref();
        starts.push(body.map_or(0, |body| code.intern(&body.code)));
        roles_of.push(roles.intern(&body.map_or_else(Vec::new, |body| body.roles.clone())) as u16);
        let effects = body.map(|body| effects::of(body, mnemonic.run)).unwrap_or_default();
        effects_of.push(all_effects.intern(&effects.numbers()) as u16);
    }
    let disputed = set.mnemonics.iter().zip(0u16..).filter_map(|(m, opcode)| {
        let dispute = m.row.dispute()?;
        Some(quote!((#opcode, #dispute)))
    });
    let components = set.formats.iter().flat_map(|f| &f.components);
    let clauses_of: Vec<TokenStream> = components.map(|c| clauses_of(c, &mut clauses)).collect();
    let roles = roles.items.iter().map(|names| quote!(&[#(#names),*]));
    let (code, clauses) = (Literal::byte_string(&code.bytes), Literal::byte_string(&clauses.bytes));
    let (starts, roles_of, effects_of) = (numbers(&starts), numbers(&roles_of), numbers(&effects_of));
    let effects = arrays(&all_effects.items);
    quote! {
        pub static BODIES: ::isa::tables::Bodies = ::isa::tables::Bodies {
            code: #code,
            starts: &[#starts],
            roles: &[#(#roles),*],
            roles_of: &[#roles_of],
            effects: &[#effects],
            effects_of: &[#effects_of],
            disputed: &[#(#disputed),*],
            clauses: #clauses,
            clauses_of: &[#(&[#clauses_of]),*],
        };
    }
}

/// Returns the numbers of the clauses of a component: for each of its rows those without a suffix dword, then with each suffix dword.
fn clauses_of(component: &Component, clauses: &mut Strings) -> TokenStream {
    let all: Vec<u32> = component.encodings.iter().flat_map(|e| &e.clauses).map(|code| clauses.intern(code)).collect();
    numbers(&all)
}

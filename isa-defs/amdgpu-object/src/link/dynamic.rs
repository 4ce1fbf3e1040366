//! The tables that loaders read: dynamic symbols, their hash tables and names, relocations, the global offset table.

use std::collections::HashMap;

use object::Endianness;
use object::elf;
use object::write::StringTable;
use object::write::elf::{Encoder, GnuHashTable, Rel, Sym};

use crate::model::{Object, RelocationTarget};

use super::LinkError;
use super::output::{Output, Outputs, Rank};
use super::plan::{Plan, QwordField, value};
use super::symbols::{Meaning, attributes, is_exported, is_preemptible};

/// `R_AMDGPU_ABS64` and `R_AMDGPU_RELATIVE64`.
const ABS64: elf::RelocationType = elf::RelocationType(3);
const RELATIVE64: elf::RelocationType = elf::RelocationType(13);

/// The size of an entry of the global offset table in bytes.
const GOT_ENTRY: u64 = 8;

/// The outputs that hold the tables, by index.
#[derive(Debug)]
pub struct Tables {
    dynsym: usize,
    gnu_hash: usize,
    hash: usize,
    dynstr: usize,
    rela: Option<usize>,
    pub dynamic: usize,
    got: Option<usize>,
    /// The exported symbols, in the order of the dynamic symbol table after its null symbol.
    exported: Vec<Exported>,
    gnu: GnuHashTable,
    /// The number of relocations that add the address at which the code object is loaded.
    relative: u64,
}

#[derive(Debug)]
struct Exported {
    symbol: usize,
    name: u32,
    gnu_hash: u32,
}

fn encoder() -> Encoder<Endianness> {
    Encoder::new(Endianness::Little, true, elf::EM_AMDGPU)
}

impl Tables {
    /// Adds the tables to the outputs, with their sizes. Only the names are filled in.
    pub fn new(object: &Object, meanings: &[Meaning], plan: &Plan, merged: &mut Outputs) -> Result<Self, LinkError> {
        let (exported, names, gnu) = exports(object, meanings)?;
        let symbols = exported.len() as u64 + 1;
        let encoder = encoder();
        let mut add = |name: &str, kind, flags: elf::SectionFlags, rank, align, size| {
            let mut output = Output::new(name, kind, flags, rank);
            (output.align, output.size) = (align, size);
            merged.push(output)
        };
        let read = elf::SHF_ALLOC;
        let write = elf::SHF_ALLOC | elf::SHF_WRITE;
        let dynsym = add(".dynsym", elf::SHT_DYNSYM, read, Rank::Table, 8, symbols * encoder.sym_size());
        let size = encoder.gnu_hash_size(gnu.bloom_count, gnu.bucket_count, gnu.symbol_count);
        let gnu_hash = add(".gnu.hash", elf::SHT_GNU_HASH, read, Rank::Table, 8, size);
        let size = encoder.hash_size(gnu.symbol_count + 1, gnu.symbol_count + 1);
        let hash = add(".hash", elf::SHT_HASH, read, Rank::Table, 4, size);
        let dynstr = add(".dynstr", elf::SHT_STRTAB, read, Rank::Table, 1, names.len() as u64);
        let size = plan.dynamic.len() as u64 * encoder.rel_size(true);
        let rela = (size != 0).then(|| add(".rela.dyn", elf::SHT_RELA, read, Rank::Table, 8, size));
        let relative = plan.dynamic.iter().filter(|relocation| relocation.symbol.is_none()).count() as u64;
        let entries = 7 + if size != 0 { 3 } else { 0 } + if relative != 0 { 1 } else { 0 };
        let dynamic = add(".dynamic", elf::SHT_DYNAMIC, write, Rank::Relro, 8, entries * encoder.dyn_size());
        let size = plan.got.len() as u64 * GOT_ENTRY;
        let got = (size != 0).then(|| add(".got", elf::SHT_PROGBITS, write, Rank::Relro, 8, size));
        add(".relro_padding", elf::SHT_NOBITS, write, Rank::RelroPadding, 1, 0);

        for (index, link, entry_size) in [
            (dynsym, dynstr, encoder.sym_size()),
            (gnu_hash, dynsym, 0),
            (hash, dynsym, 4),
            (dynamic, dynstr, encoder.dyn_size()),
        ] {
            merged.outputs[index].link = Some(link);
            merged.outputs[index].entry_size = entry_size;
        }
        merged.outputs[dynsym].info = 1;
        merged.outputs[dynstr].bytes = names;
        if let Some(rela) = rela {
            merged.outputs[rela].link = Some(dynsym);
            merged.outputs[rela].entry_size = encoder.rel_size(true);
        }
        Ok(Self { dynsym, gnu_hash, hash, dynstr, rela, dynamic, got, exported, gnu, relative })
    }

    /// The address of an entry of the global offset table.
    pub fn got_address(&self, index: usize, outputs: &[Output]) -> u64 {
        self.got.map_or(0, |got| outputs[got].address + index as u64 * GOT_ENTRY)
    }

    /// Fills the tables, now that addresses are known.
    pub fn fill(&self, object: &Object, meanings: &[Meaning], plan: &Plan, outputs: &mut [Output]) {
        outputs[self.dynsym].bytes = self.symbols(object, meanings, outputs);
        let encoder = encoder();
        let (gnu, exported) = (&self.gnu, &self.exported);
        let table = &mut outputs[self.gnu_hash].bytes;
        encoder.gnu_hash_table(table, gnu, |nth| exported[nth as usize].gnu_hash);
        let name = |nth: u32| exported.get(nth as usize).map(|exported| &object.symbols[exported.symbol].name);
        let count = gnu.symbol_count + 1;
        let table = &mut outputs[self.hash].bytes;
        encoder.hash_table(table, count, count, |nth| Some(elf::hash(name(nth.checked_sub(1)?)?.as_bytes())));
        if let Some(got) = self.got {
            let entries = plan.got.iter().map(|target| match target {
                RelocationTarget::Symbol(id) => match meanings[id.0] {
                    Meaning::Absolute(value) if !is_preemptible(&object.symbols[id.0], meanings[id.0]) => value,
                    _ => 0,
                },
                RelocationTarget::Section(_) | RelocationTarget::Absolute => 0,
            });
            outputs[got].bytes = entries.flat_map(u64::to_le_bytes).collect();
        }
        if let Some(rela) = self.rela {
            outputs[rela].bytes = self.relocations(plan, outputs);
        }
        outputs[self.dynamic].bytes = self.dynamic_entries(outputs);
    }

    fn symbols(&self, object: &Object, meanings: &[Meaning], outputs: &[Output]) -> Vec<u8> {
        let mut bytes = Vec::new();
        encoder().null_symbol(&mut bytes);
        for Exported { symbol: nth, name, .. } in &self.exported {
            let symbol = &object.symbols[*nth];
            let (section, st_shndx) = match meanings[*nth] {
                Meaning::Place(output, _) => (Some(outputs[output].index), elf::SHN_UNDEF),
                _ => (None, elf::SHN_ABS),
            };
            let st_value = value(meanings[*nth], outputs);
            let symbol = Sym {
                section,
                st_name: *name,
                st_shndx,
                st_value,
                st_size: symbol.size,
                ..attributes(symbol, meanings[*nth])
            };
            encoder().symbol(&mut bytes, &symbol);
        }
        bytes
    }

    /// The relocations for the loader: those without symbols first, then by symbol, as lld sorts them.
    fn relocations(&self, plan: &Plan, outputs: &[Output]) -> Vec<u8> {
        let numbers = (1u32..).zip(&self.exported).map(|(number, exported)| (exported.symbol, number));
        let numbers: HashMap<usize, u32> = numbers.collect();
        let mut relocations: Vec<Rel> = plan
            .dynamic
            .iter()
            .map(|relocation| {
                let r_offset = match relocation.at {
                    QwordField::Section(nth, offset) => {
                        plan.places.begin(nth).map_or(0, |(output, begin)| outputs[output].address + begin + offset)
                    }
                    QwordField::Got(index) => self.got_address(index, outputs),
                };
                let address = value(relocation.value, outputs).wrapping_add_signed(relocation.addend).cast_signed();
                match relocation.symbol {
                    Some(id) => {
                        let r_sym = numbers.get(&id.0).copied().unwrap_or(0);
                        Rel { r_offset, r_sym, r_type: ABS64, r_addend: relocation.addend }
                    }
                    None => Rel { r_offset, r_sym: 0, r_type: RELATIVE64, r_addend: address },
                }
            })
            .collect();
        relocations.sort_by_key(|relocation| (relocation.r_sym, relocation.r_offset));
        let mut bytes = Vec::new();
        for relocation in &relocations {
            encoder().relocation(&mut bytes, true, relocation);
        }
        bytes
    }

    fn dynamic_entries(&self, outputs: &[Output]) -> Vec<u8> {
        let encoder = encoder();
        let address = |index: usize| outputs[index].address;
        let mut entries = Vec::new();
        if let Some(rela) = self.rela {
            entries.push((elf::DT_RELA, address(rela)));
            entries.push((elf::DT_RELASZ, outputs[rela].size));
            entries.push((elf::DT_RELAENT, encoder.rel_size(true)));
            if self.relative != 0 {
                entries.push((elf::DT_RELACOUNT, self.relative));
            }
        }
        entries.extend([
            (elf::DT_SYMTAB, address(self.dynsym)),
            (elf::DT_SYMENT, encoder.sym_size()),
            (elf::DT_STRTAB, address(self.dynstr)),
            (elf::DT_STRSZ, outputs[self.dynstr].size),
            (elf::DT_GNU_HASH, address(self.gnu_hash)),
            (elf::DT_HASH, address(self.hash)),
            (elf::DT_NULL, 0),
        ]);
        let mut bytes = Vec::new();
        for (tag, value) in entries {
            // Only values of 32-bit files can be too large.
            let _ = encoder.dynamic(&mut bytes, tag, value);
        }
        bytes
    }
}

/// The exported symbols in the order of their buckets, their names, and the shape of their hash table.
fn exports(object: &Object, meanings: &[Meaning]) -> Result<(Vec<Exported>, Vec<u8>, GnuHashTable), LinkError> {
    let is_export = |nth: &usize| is_exported(&object.symbols[*nth], meanings[*nth]);
    let symbols: Vec<usize> = (0..object.symbols.len()).filter(is_export).collect();
    let count = symbols.len() as u32;
    // The load that lld chooses: four symbols a bucket, and twelve bits of the filter a symbol.
    let bucket_count = (count / 4).max(1);
    let bloom_count = if count == 0 { 1 } else { (count.saturating_mul(12) / 64 + 1).next_power_of_two() };
    let gnu = GnuHashTable { bucket_count, bloom_count, bloom_shift: 26, symbol_base: 1, symbol_count: count };

    // In this order, as lld writes them: names are not merged with the ends of others.
    let mut names = StringTable::new_in_order(1);
    let ids: Vec<_> = symbols.iter().map(|nth| names.add(object.symbols[*nth].name.as_bytes())).collect();
    let mut bytes = Vec::new();
    let too_large = |error: object::write::Error| LinkError::TooLarge { reason: error.to_string() };
    encoder().strtab(&mut bytes, &mut names).map_err(too_large)?;
    let mut exported: Vec<Exported> = symbols
        .iter()
        .zip(ids)
        .map(|(nth, id)| {
            let gnu_hash = elf::gnu_hash(object.symbols[*nth].name.as_bytes());
            Exported { symbol: *nth, name: names.get_offset(id), gnu_hash }
        })
        .collect();
    exported.sort_by_key(|exported| exported.gnu_hash % bucket_count);
    Ok((exported, bytes, gnu))
}

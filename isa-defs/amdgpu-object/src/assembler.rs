//! An assembler for compilers: instructions, labels, data and kernels to an [`Object`].

mod error;
mod fragment;
mod jump;
mod kernel;
mod layout;

use std::collections::{HashMap, HashSet};

use object::elf;
use rdna_rows::build::Sgprs;

use crate::metadata::Metadata;
use crate::model::{
    Binding, Definition, Object, OsAbi, RelocationKind, Section, SectionId, Symbol, SymbolId, SymbolType, Visibility,
};
use crate::processor::{CodeObjectVersion, Processor};

pub use error::AssembleError;
use fragment::{Fixup, Position, Stream, Variable};
pub use jump::{Condition, Far};

/// A place in the code or data. [`Assembler::new_label`] creates it, [`Assembler::bind`] says where it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Label(usize);

/// A section that an assembler writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SectionKind {
    /// `.text`: code.
    Text,
    /// `.rodata`: constants without addresses.
    ReadOnly,
    /// `.data.rel.ro`: constants with addresses, which the loader fills in.
    ReadOnlyAfterRelocation,
    /// `.data`: variables.
    Data,
}

impl SectionKind {
    const ALL: [Self; 4] = [Self::Text, Self::ReadOnly, Self::ReadOnlyAfterRelocation, Self::Data];

    const fn attributes(self) -> (&'static str, elf::SectionFlags) {
        match self {
            Self::Text => (".text", elf::SectionFlags(elf::SHF_ALLOC.0 | elf::SHF_EXECINSTR.0)),
            Self::ReadOnly => (".rodata", elf::SHF_ALLOC),
            Self::ReadOnlyAfterRelocation => (".data.rel.ro", elf::SectionFlags(elf::SHF_ALLOC.0 | elf::SHF_WRITE.0)),
            Self::Data => (".data", elf::SectionFlags(elf::SHF_ALLOC.0 | elf::SHF_WRITE.0)),
        }
    }
}

/// Who can name a symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scope {
    /// The object.
    Local,
    /// The objects that are linked with it.
    Hidden,
    /// Everyone, such as a run-time system that looks up kernels and variables.
    Exported,
}

impl Scope {
    const fn attributes(self) -> (Binding, Visibility) {
        match self {
            Self::Local => (Binding::Local, Visibility::Default),
            Self::Hidden => (Binding::Global, Visibility::Hidden),
            Self::Exported => (Binding::Global, Visibility::Protected),
        }
    }
}

/// A symbol that is defined at labels: its first byte, and the end of its contents.
#[derive(Debug)]
struct SymbolRange {
    symbol: SymbolId,
    begin: Label,
    end: Label,
}

/// An assembler: it collects code, data, symbols and kernels, chooses the forms of branches, and makes an [`Object`].
///
/// Code is appended as dwords, so that it takes the instructions of any set (`rdna3::Instr::encode`) and blocks of `rdna3::asm!`.
/// Branches and address computations that the assembler makes itself are those of RDNA3. Errors of single calls, such as a label
/// that is bound twice, are returned by [`finish`](Self::finish).
///
/// # Examples
/// ```
/// use amdgpu_object::{
///     Assembler, CodeObjectVersion, Condition, Far, KernelMetadata, KernelSettings, Processor, write_code_object,
/// };
/// use rdna3::build::*;
///
/// let mut code = Assembler::new(Processor::Gfx1100, CodeObjectVersion::V6);
/// code.begin_kernel("count");
/// let again = code.new_label();
/// code.push(&s_mov_b32(sgpr!(0), 8).instr()?.encode());
/// code.bind(again);
/// code.push(&s_sub_u32(sgpr!(0), sgpr!(0), 1).instr()?.encode());
/// code.push(&s_cmp_lg_u32(sgpr!(0), 0).instr()?.encode());
/// code.branch_if(Condition::Scc1, again, Far::No);
/// code.push(&s_endpgm(0).instr()?.encode());
/// let settings = KernelSettings { next_free_sgpr: 1, ..KernelSettings::wave32() };
/// code.end_kernel(&settings, KernelMetadata::new("count", &settings));
/// let file = write_code_object(&code.finish()?)?;
/// assert_eq!(file[..4], *b"\x7fELF");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Assembler {
    object: Object,
    metadata: Metadata,
    streams: [Stream; 4],
    current: SectionKind,
    labels: Vec<Option<Position>>,
    definitions: Vec<SymbolRange>,
    names: HashMap<String, SymbolId>,
    defined: HashSet<SymbolId>,
    /// The function or kernel that is not finished yet, and its symbol.
    open: Option<(SymbolId, Label)>,
    error: Option<AssembleError>,
}

impl Assembler {
    /// Creates an assembler for code objects of HSA, which appends to [`SectionKind::Text`].
    #[must_use]
    pub fn new(processor: Processor, version: CodeObjectVersion) -> Self {
        Self {
            object: Object::new(processor.flags(), OsAbi::Hsa, version.abi_version()),
            metadata: Metadata::new(&processor.hsa_target()),
            streams: SectionKind::ALL.map(|_| Stream::default()),
            current: SectionKind::Text,
            labels: Vec::new(),
            definitions: Vec::new(),
            names: HashMap::new(),
            defined: HashSet::new(),
            open: None,
            error: None,
        }
    }

    /// Appends to another section from here on, and returns the one that was appended to before.
    pub fn switch_to(&mut self, section: SectionKind) -> SectionKind {
        std::mem::replace(&mut self.current, section)
    }

    fn stream(&mut self) -> &mut Stream {
        &mut self.streams[self.current as usize]
    }

    /// Keeps the first error.
    fn fail(&mut self, error: AssembleError) {
        self.error.get_or_insert(error);
    }

    /// Appends an instruction, or several: their dwords.
    pub fn push(&mut self, dwords: &[u32]) {
        let bytes = self.stream().bytes();
        bytes.extend(dwords.iter().flat_map(|dword| dword.to_le_bytes()));
    }

    /// Appends an instruction whose last dword is a literal that is computed from the address of a symbol.
    ///
    /// The literal becomes the symbol's address plus `addend`, minus its own address for the relative kinds; the dword itself is 0
    /// in the object. Relocations of another size than four bytes are errors.
    pub fn push_with_fixup(&mut self, dwords: &[u32], kind: RelocationKind, symbol: SymbolId, addend: i64) {
        match dwords.split_last() {
            Some((_, instr)) if kind.field_size() == 4 => {
                self.push(instr);
                self.push_field(kind, symbol, addend);
            }
            _ => self.fail(AssembleError::Literal { kind }),
        }
    }

    /// Appends a field that a linker fills in.
    fn push_field(&mut self, kind: RelocationKind, symbol: SymbolId, addend: i64) {
        if symbol.0 >= self.object.symbols.len() {
            self.fail(AssembleError::NoSymbol { index: symbol.0 });
        }
        self.stream().fixups_at_end(Fixup::Symbol { kind, symbol, addend });
        self.push_bytes(&[0; 8][..kind.field_size()]);
    }

    /// Appends bytes of data.
    pub fn push_bytes(&mut self, bytes: &[u8]) {
        self.stream().bytes().extend(bytes);
    }

    /// Appends the address of a symbol plus `addend`, in 64 bits, which the loader fills in: the section has to be
    /// [`SectionKind::ReadOnlyAfterRelocation`] or [`SectionKind::Data`].
    pub fn push_address(&mut self, symbol: SymbolId, addend: i64) {
        self.push_field(RelocationKind::Abs64, symbol, addend);
    }

    /// Appends the distance of a label from the beginning of the appended field, in bytes and 32 bits: an entry of a jump table.
    pub fn push_distance(&mut self, label: Label) {
        self.stream().fixups_at_end(Fixup::Distance { label });
        self.push(&[0]);
    }

    /// Appends padding up to a multiple of `align` bytes: `s_nop` in code, zeros in data.
    pub fn align(&mut self, align: u64) {
        if align.is_power_of_two() {
            self.stream().push_variable(Variable::Align(align));
        } else {
            self.fail(AssembleError::Alignment { align });
        }
    }

    /// Creates a label, which can be referred to before it is bound.
    pub fn new_label(&mut self) -> Label {
        self.labels.push(None);
        Label(self.labels.len() - 1)
    }

    /// Binds a label to the end of the current section.
    pub fn bind(&mut self, label: Label) {
        let position = self.streams[self.current as usize].position(self.current as usize);
        match self.labels.get_mut(label.0) {
            Some(place @ None) => *place = Some(position),
            Some(Some(_)) => self.fail(AssembleError::BoundTwice { label }),
            None => self.fail(AssembleError::Unbound { label }),
        }
    }

    fn bind_new(&mut self) -> Label {
        let label = self.new_label();
        self.bind(label);
        label
    }

    /// Appends a branch to a label of the same section, in the far form if it is out of range.
    pub fn branch(&mut self, to: Label, far: Far) {
        self.stream().push_variable(Variable::Branch { condition: None, to, far, is_far: false });
    }

    /// Appends a conditional branch to a label of the same section, in the far form if it is out of range.
    pub fn branch_if(&mut self, condition: Condition, to: Label, far: Far) {
        self.stream().push_variable(Variable::Branch { condition: Some(condition), to, far, is_far: false });
    }

    /// Appends instructions that compute the address of a symbol of this or a linked object. They overwrite the pair and SCC.
    pub fn load_address(&mut self, pair: Sgprs<2>, symbol: SymbolId) {
        self.load_relative(pair, symbol, RelocationKind::Rel32Lo, RelocationKind::Rel32Hi);
    }

    /// Appends instructions that compute the address of the entry of the global offset table that holds the address of a symbol,
    /// which another code object may define. `s_load_b64` loads it from there. They overwrite the pair and SCC.
    pub fn load_got_entry(&mut self, pair: Sgprs<2>, symbol: SymbolId) {
        self.load_relative(pair, symbol, RelocationKind::Gotpcrel32Lo, RelocationKind::Gotpcrel32Hi);
    }

    fn load_relative(&mut self, pair: Sgprs<2>, symbol: SymbolId, lo: RelocationKind, hi: RelocationKind) {
        match jump::load_address(pair) {
            Some([get, add, add_high]) => {
                self.push(&get);
                // The literals are 4 and 12 bytes after the address that the first instruction yields.
                self.push_with_fixup(&add, lo, symbol, 4);
                self.push_with_fixup(&add_high, hi, symbol, 12);
            }
            None => self.fail(AssembleError::Pair { first: pair.first() }),
        }
    }

    /// Refers to a symbol that another object defines, or that is defined later by the same name.
    pub fn declare(&mut self, name: &str) -> SymbolId {
        match self.names.get(name) {
            Some(id) => *id,
            None => self.add_symbol(name, Scope::Exported, SymbolType::NoType),
        }
    }

    fn add_symbol(&mut self, name: &str, scope: Scope, kind: SymbolType) -> SymbolId {
        let definition = Definition::Undefined;
        let (binding, visibility) = scope.attributes();
        self.object.symbols.push(Symbol { name: name.into(), definition, size: 0, kind, binding, visibility });
        let id = SymbolId(self.object.symbols.len() - 1);
        self.names.insert(name.into(), id);
        id
    }

    /// Defines a symbol at the end of the current section and returns it and its label.
    fn define(&mut self, name: &str, scope: Scope, kind: SymbolType) -> (SymbolId, Label) {
        let id = self.declare(name);
        if !self.defined.insert(id) {
            self.fail(AssembleError::DefinedTwice { name: name.into() });
        }
        let symbol = &mut self.object.symbols[id.0];
        (symbol.binding, symbol.visibility) = scope.attributes();
        symbol.kind = kind;
        (id, self.bind_new())
    }

    /// Defines a variable or constant with these contents at the end of the current section, aligned to `align` bytes.
    pub fn define_data(&mut self, name: &str, scope: Scope, align: u64, bytes: &[u8]) -> SymbolId {
        self.align(align);
        let (id, begin) = self.define(name, scope, SymbolType::Object);
        self.push_bytes(bytes);
        let end = self.bind_new();
        self.definitions.push(SymbolRange { symbol: id, begin, end });
        id
    }

    /// Makes the object: chooses the forms of branches, fills in distances, and adds the sections of the kernels.
    ///
    /// Code ends in padding with `s_code_end`, since processors fetch instructions ahead.
    ///
    /// # Errors
    /// The first mistake in the calls so far: a label that is bound twice or never, a branch out of range without a far form or to
    /// another section, a symbol that is defined twice, a kernel whose descriptor cannot be made or whose metadata names another
    /// descriptor, or a function that is not finished or ends in another section.
    pub fn finish(mut self) -> Result<Object, AssembleError> {
        if let Some((symbol, _)) = self.open {
            let name = self.object.symbols[symbol.0].name.clone();
            self.fail(AssembleError::Unfinished { name });
        }
        if let Some(error) = self.error {
            return Err(error);
        }
        let used: Vec<SectionKind> =
            SectionKind::ALL.into_iter().filter(|kind| self.streams[*kind as usize].is_used).collect();
        let ids = SectionKind::ALL.map(|kind| used.iter().position(|other| *other == kind).map(SectionId));
        layout::relax(&mut self.streams, &self.labels)?;
        for kind in used {
            let (name, flags) = kind.attributes();
            let mut section = Section::new(name, elf::SHT_PROGBITS.0, flags.0);
            layout::emit(kind, &self.streams, &self.labels, &ids, &mut section)?;
            self.object.sections.push(section);
        }
        for SymbolRange { symbol, begin, end } in &self.definitions {
            let (section, offset) = layout::place(*begin, &self.labels, &self.streams)?;
            let (end_section, end) = layout::place(*end, &self.labels, &self.streams)?;
            let Some(id) = ids[section] else { continue };
            let symbol = &mut self.object.symbols[symbol.0];
            if end_section != section {
                return Err(AssembleError::EndsElsewhere { name: symbol.name.clone() });
            }
            symbol.definition = Definition::Section(id, offset);
            symbol.size = end.saturating_sub(offset);
        }
        if !self.metadata.kernels.is_empty() {
            self.object.sections.push(Section::notes(&[self.metadata.to_note()], true));
        }
        Ok(self.object)
    }
}

#[cfg(test)]
mod tests;

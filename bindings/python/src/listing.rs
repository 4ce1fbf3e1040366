//! Disassembly: rows of code as a sequence of Python objects, and as text.

use std::convert::Infallible;
use std::sync::{Arc, OnceLock};

use amdgpu_arch::{Arch, Instr, InstructionSet, Reader, Wave, with_set};
use amdgpu_dis::{CodeSection, CodeSymbol, Labels, Options, Row, RowContent, RowVisitor, open};
use isa::{Access, Text};
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PySlice, PyString};

use crate::data::Data;
use crate::errors::format_error;
use crate::lint::{LintFinding, linted};
use crate::object::CodeObject;
use crate::target::{default_wave, selection, wave};

/// A row of a listing: an instruction, or up to four bytes of data.
#[derive(Debug, Clone)]
struct StoredRow {
    address: u64,
    item: Item,
}

#[derive(Debug, Clone)]
enum Item {
    Instr(Instr),
    /// An instruction with a reserved code, and why it is not canonical.
    Reserved(Instr, Arc<str>),
    /// Data: the bytes, their number, and why they are not an instruction, if they are in code.
    Data([u8; 4], u8, Option<Arc<str>>),
}

impl StoredRow {
    fn new(address: u64, row: &Row<'_>) -> Self {
        let item = match &row.content {
            RowContent::Instr(instr) => Item::Instr(*instr),
            RowContent::NonCanonical(instr, error) => Item::Reserved(*instr, error.to_string().into()),
            RowContent::Data => Self::data(row.bytes, None),
            RowContent::Outside(name) => Self::data(row.bytes, Some((*name).into())),
            RowContent::Unknown(error) => Self::data(row.bytes, Some(error.to_string().into())),
        };
        Self { address, item }
    }

    fn data(bytes: &[u8], error: Option<Arc<str>>) -> Item {
        let mut data = [0; 4];
        let count = bytes.len().min(4);
        data[..count].copy_from_slice(&bytes[..count]);
        Item::Data(data, count as u8, error)
    }

    fn instr(&self) -> Option<&Instr> {
        match &self.item {
            Item::Instr(instr) | Item::Reserved(instr, _) => Some(instr),
            Item::Data(..) => None,
        }
    }

    fn size(&self) -> usize {
        match &self.item {
            Item::Instr(instr) | Item::Reserved(instr, _) => instr.size(),
            Item::Data(_, count, _) => (*count).into(),
        }
    }

    /// Writes the text in place of the old contents of the buffer.
    fn write(&self, text: &mut Text) {
        match &self.item {
            Item::Instr(instr) | Item::Reserved(instr, _) => {
                text.clear();
                instr.write(text);
            }
            Item::Data(bytes, count, _) => {
                let row = Row { offset: 0, bytes: &bytes[..usize::from(*count)], content: RowContent::Data };
                row.text(text);
            }
        }
    }

    fn text(&self) -> String {
        let mut text = Text::new();
        self.write(&mut text);
        text.as_str().into()
    }
}

/// The rows of a listing.
#[derive(Debug, Default)]
struct Contents {
    rows: Vec<StoredRow>,
    /// Address, name and kind.
    symbols: Vec<(u64, String, String)>,
}

impl Contents {
    fn add(&mut self, section: &CodeSection<'_>) {
        self.rows.reserve(section.bytes.len() / 6);
        let symbol =
            |symbol: &CodeSymbol| (section.address_of(symbol.offset), symbol.name.clone(), symbol.kind.to_string());
        self.symbols.extend(section.symbols.iter().map(symbol));
        let Ok(()) = section.try_for_each_row::<Infallible>(|row| {
            self.rows.push(StoredRow::new(section.address_of(row.offset), &row));
            Ok(())
        });
    }
}

/// What a disassembly reads.
#[derive(Debug)]
enum Source {
    /// A file with code objects.
    File(Vec<u8>, Options),
    /// Code of a wave size at an address.
    Code(Vec<u8>, Arch, Wave, u64),
}

impl Source {
    /// Calls a function with each executable section. Returns the name of the processor, if a file states one.
    fn for_each_section(&self, mut each: impl FnMut(&CodeSection<'_>)) -> Result<Option<String>, String> {
        match self {
            Source::File(bytes, options) => {
                let mut processor = None;
                for image in open(bytes, options).images.map_err(|error| error.to_string())? {
                    let listing = image.listing(options).map_err(|error| error.to_string())?;
                    listing.sections.iter().for_each(&mut each);
                    processor = Some(listing.processor);
                }
                Ok(processor)
            }
            Source::Code(bytes, arch, wave, address) => {
                let mut section = CodeSection::raw(bytes, *arch, *wave);
                section.address = *address;
                each(&section);
                Ok(None)
            }
        }
    }

    /// Returns the text of all rows.
    fn text(&self) -> Vec<u8> {
        let mut all = Vec::new();
        let mut count = 0;
        // The file was read before.
        let _ = self.for_each_section(|section| {
            count += 1;
            if count > 1 {
                all.extend_from_slice(format!("\t.section {},\"ax\",@progbits\n", section.name).as_bytes());
            }
            with_set!(section.arch, S => write_section::<S>(section, &mut all));
        });
        all
    }
}

/// Appends the text of a section, which threads write in parts.
fn write_section<S: InstructionSet>(section: &CodeSection<'_>, all: &mut Vec<u8>) {
    all.reserve(5 * section.bytes.len());
    let parts = Labels::find::<S>(section, 0).parts;
    let Ok(()) = isa_parallel::ordered_map(
        &parts,
        Vec::new,
        |part, out: &mut Vec<u8>| {
            let symbols = section.symbols.get(section.symbols.partition_point(|s| s.offset < part.start)..);
            let mut writer = Writer { symbols: symbols.unwrap_or_default(), text: Text::new(), out };
            let Ok(()) = section.visit_rows::<S, Infallible>(part.clone(), &mut writer);
        },
        |(), out| {
            all.extend_from_slice(out);
            out.clear();
            Ok::<(), Infallible>(())
        },
    );
}

/// Writes the text of rows, with the symbols that begin there.
struct Writer<'a> {
    /// Those at or after the next row.
    symbols: &'a [CodeSymbol],
    text: Text,
    out: &'a mut Vec<u8>,
}

impl RowVisitor<'_, Infallible> for Writer<'_> {
    #[inline(always)]
    fn row(&mut self, row: Row<'_>) -> Result<(), Infallible> {
        let end = row.offset + row.bytes.len();
        while let Some((symbol, rest)) = self.symbols.split_first().filter(|(symbol, _)| symbol.offset < end) {
            self.out.extend_from_slice(symbol.name.as_bytes());
            self.out.extend_from_slice(b":\n");
            self.symbols = rest;
        }
        row.text(&mut self.text);
        self.out.push(b'\t');
        self.out.extend_from_slice(self.text.as_bytes());
        self.out.push(b'\n');
        Ok(())
    }
}

/// The rows of code, in the order of their addresses. They are decoded when they are asked for first.
#[pyclass(frozen, sequence, module = "amdgpu_isa")]
pub struct Disassembly {
    source: Source,
    arch: String,
    contents: OnceLock<Arc<Contents>>,
}

impl Disassembly {
    fn new(source: Source, arch: String) -> Self {
        Self { source, arch, contents: OnceLock::new() }
    }

    fn contents(&self, py: Python<'_>) -> &Arc<Contents> {
        if let Some(contents) = self.contents.get() {
            return contents;
        }
        let decoded = py.detach(|| {
            let mut contents = Contents::default();
            // The file was read before.
            let _ = self.source.for_each_section(|section| contents.add(section));
            Arc::new(contents)
        });
        // Another thread may have been faster.
        self.contents.get_or_init(|| decoded)
    }
}

#[pymethods]
impl Disassembly {
    fn __len__(&self, py: Python<'_>) -> usize {
        self.contents(py).rows.len()
    }

    fn __iter__(&self, py: Python<'_>) -> Rows {
        Rows { contents: self.contents(py).clone(), next: 0 }
    }

    fn __getitem__<'py>(&self, py: Python<'py>, index: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let rows = &self.contents(py).rows;
        if let Ok(slice) = index.cast::<PySlice>() {
            let indices = slice.indices(isize::try_from(rows.len())?)?;
            let at = (0..indices.slicelength as isize).map(|n| (indices.start + n * indices.step) as usize);
            let picked: Vec<Instruction> = at.filter_map(|at| rows.get(at).cloned().map(Instruction)).collect();
            return Ok(PyList::new(py, picked)?.into_any());
        }
        let at: isize = index.extract().map_err(|_| PyTypeError::new_err("an index is an integer or a slice"))?;
        let at = if at < 0 { at.checked_add_unsigned(rows.len()) } else { Some(at) };
        let row = at.and_then(|at| rows.get(usize::try_from(at).ok()?));
        let row = row.ok_or_else(|| PyIndexError::new_err("the index is outside of the disassembly"))?;
        Ok(Bound::new(py, Instruction(row.clone()))?.into_any())
    }

    /// The name of the processor in the file, or of the instruction set.
    #[getter]
    fn arch(&self) -> &str {
        &self.arch
    }

    /// The symbols: address, name and kind.
    #[getter]
    fn symbols(&self, py: Python<'_>) -> Vec<(u64, String, String)> {
        self.contents(py).symbols.clone()
    }

    /// The text of all rows: assembly that gives the same bytes again.
    fn text<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        let text = py.detach(|| self.source.text());
        // Names of symbols are the only text that is not ASCII.
        PyString::from_bytes(py, &text).or_else(|_| Ok(PyString::new(py, &String::from_utf8_lossy(&text))))
    }

    fn __str__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        self.text(py)
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        format!("<Disassembly for {}: {} rows>", self.arch, self.contents(py).rows.len())
    }
}

/// The iterator of a disassembly.
#[pyclass(module = "amdgpu_isa")]
pub struct Rows {
    contents: Arc<Contents>,
    next: usize,
}

#[pymethods]
impl Rows {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&mut self) -> Option<Instruction> {
        let row = self.contents.rows.get(self.next)?;
        self.next += 1;
        Some(Instruction(row.clone()))
    }

    fn __length_hint__(&self) -> usize {
        self.contents.rows.len() - self.next
    }
}

/// An instruction at an address, or data between instructions.
#[pyclass(frozen, module = "amdgpu_isa")]
pub struct Instruction(StoredRow);

impl Instruction {
    pub fn new(address: u64, instr: Instr) -> Self {
        Self(StoredRow { address, item: Item::Instr(instr) })
    }

    fn memory(&self, wanted: Access) -> Vec<&'static str> {
        let mut spaces = Vec::new();
        if let Some(instr) = self.0.instr() {
            instr.for_each_memory_access(|space, access| {
                if (access == wanted || access == Access::ReadWrite) && !spaces.contains(&space.name()) {
                    spaces.push(space.name());
                }
            });
        }
        spaces
    }
}

#[pymethods]
impl Instruction {
    /// The address of the first byte.
    #[getter]
    fn address(&self) -> u64 {
        self.0.address
    }

    /// The size in bytes.
    #[getter]
    fn size(&self) -> usize {
        self.0.size()
    }

    /// The bytes.
    #[getter]
    fn bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        match (self.0.instr(), &self.0.item) {
            (Some(instr), _) => PyBytes::new(py, &instr.bytes()),
            (None, Item::Data(bytes, count, _)) => PyBytes::new(py, &bytes[..usize::from(*count)]),
            (None, _) => PyBytes::new(py, &[]),
        }
    }

    /// Whether it is an instruction, and not data.
    #[getter]
    fn is_instruction(&self) -> bool {
        self.0.instr().is_some()
    }

    /// Why bytes in code are not an instruction, or not a canonical one.
    #[getter]
    fn error(&self) -> Option<&str> {
        match &self.0.item {
            Item::Instr(_) => None,
            Item::Reserved(_, error) => Some(error),
            Item::Data(_, _, error) => error.as_deref(),
        }
    }

    /// The mnemonic with the suffix of the encoding, such as `v_add_f32_e32`; for data the directive.
    #[getter]
    fn mnemonic(&self) -> String {
        let text = self.0.text();
        text.split_once(' ').map_or_else(|| text.clone(), |(mnemonic, _)| mnemonic.to_owned())
    }

    /// AMD's name of the opcode in lower case, such as `v_add_f32`; of a dual-issue pair that of the first instruction.
    #[getter]
    fn opcode(&self) -> Option<String> {
        self.opcodes().into_iter().next()
    }

    /// The names of the opcodes: one, or two of a dual-issue pair.
    #[getter]
    fn opcodes(&self) -> Vec<String> {
        self.0
            .instr()
            .map_or_else(Vec::new, |instr| instr.guide_names().into_iter().map(str::to_ascii_lowercase).collect())
    }

    /// The name of the microcode format.
    #[getter]
    fn format(&self) -> Option<&'static str> {
        self.0.instr().map(Instr::format)
    }

    /// The registers that it reads.
    #[getter]
    fn reads(&self) -> Vec<String> {
        let read = self.0.instr().map(|instr| instr.register_effects().read);
        read.map_or_else(Vec::new, |set| set.iter().map(|register| register.to_string()).collect())
    }

    /// The registers that it writes.
    #[getter]
    fn writes(&self) -> Vec<String> {
        let written = self.0.instr().map(|instr| instr.register_effects().written);
        written.map_or_else(Vec::new, |set| set.iter().map(|register| register.to_string()).collect())
    }

    /// The address spaces that it loads from.
    #[getter]
    fn loads(&self) -> Vec<&'static str> {
        self.memory(Access::Read)
    }

    /// The address spaces that it stores to.
    #[getter]
    fn stores(&self) -> Vec<&'static str> {
        self.memory(Access::Write)
    }

    /// The address that a branch or call goes to.
    #[getter]
    fn target(&self) -> Option<u64> {
        let offset = self.0.instr()?.branch()?;
        Some(self.0.address.wrapping_add(self.0.size() as u64).wrapping_add_signed(offset))
    }

    /// What it computes, in the row language: a text for each opcode.
    #[getter]
    fn computes(&self) -> Vec<String> {
        self.0.instr().map(Instr::computes).unwrap_or_default()
    }

    fn __str__(&self) -> String {
        self.0.text()
    }

    fn __repr__(&self) -> String {
        format!("<Instruction {:#x}: {}>", self.0.address, self.0.text())
    }
}

/// Returns the contents of a file, which may be loaded already.
fn contents(data: &Bound<'_, PyAny>) -> PyResult<Data> {
    match data.cast::<CodeObject>() {
        Ok(object) => Ok(Data::copied(object.get().file())),
        Err(_) => Data::read(data),
    }
}

/// Disassembles a file: code objects, also those in bundles, programs and archives.
#[pyfunction]
#[pyo3(signature = (data, arch=None, wave=None))]
pub fn disassemble(
    py: Python<'_>,
    data: &Bound<'_, PyAny>,
    arch: Option<&str>,
    wave: Option<u32>,
) -> PyResult<Disassembly> {
    let data = contents(data)?;
    let target = arch.map(selection).transpose()?;
    let options = Options { target, wave: self::wave(wave)?, ..Options::default() };
    let source = Source::File(data.into_vec(), options);
    match py.detach(|| source.for_each_section(|_| {})) {
        Ok(arch) => Ok(Disassembly::new(source, arch.unwrap_or_default())),
        Err(error) => Err(format_error(py, error)),
    }
}

/// Decodes bytes of code without a file around them.
#[pyfunction]
#[pyo3(signature = (code, arch="gfx1100", wave=None, address=0))]
pub fn decode(code: &Bound<'_, PyAny>, arch: &str, wave: Option<u32>, address: u64) -> PyResult<Disassembly> {
    let (code, target) = (Data::of_bytes(code)?, selection(arch)?);
    let wave = self::wave(wave)?.unwrap_or_else(|| default_wave(&target));
    Ok(Disassembly::new(Source::Code(code.into_vec(), target.arch, wave, address), arch.into()))
}

/// Parses an instruction, or decodes it from bytes, at address 0.
#[pyfunction]
#[pyo3(signature = (instruction, arch="gfx1100", wave=None))]
pub fn explain(instruction: &Bound<'_, PyAny>, arch: &str, wave: Option<u32>) -> PyResult<Instruction> {
    let target = selection(arch)?;
    let wave = self::wave(wave)?.unwrap_or_else(|| default_wave(&target));
    let reader = Reader::new(target.arch, wave);
    if let Ok(text) = instruction.extract::<String>() {
        let parsed = reader.parse(&text);
        let parsed = parsed.map_err(|error| PyValueError::new_err(format!("column {}: {error}", error.start + 1)))?;
        return Ok(Instruction::new(0, parsed));
    }
    let code = Data::of_bytes(instruction)?;
    let words: Vec<u32> = code.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
    let (instr, _) = reader.decode(&words).map_err(|error| PyValueError::new_err(error.to_string()))?;
    Ok(Instruction::new(0, instr))
}

/// Lints the code of a file: missing waits and hazards.
#[pyfunction]
#[pyo3(signature = (code, arch=None, wave=None, possible=false, padding=false))]
pub fn lint(
    py: Python<'_>,
    code: &Bound<'_, PyAny>,
    arch: Option<&str>,
    wave: Option<u32>,
    possible: bool,
    padding: bool,
) -> PyResult<Vec<LintFinding>> {
    let data = contents(code)?;
    let target = arch.map(selection).transpose()?;
    let options = Options { target, wave: self::wave(wave)?, ..Options::default() };
    py.detach(|| linted(&data, &options, possible, padding)).map_err(|error| format_error(py, error))
}

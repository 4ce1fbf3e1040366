//! Disassembly of files and of code without a file.

use std::convert::Infallible;
use std::ffi::{CString, c_char, c_void};
use std::sync::OnceLock;

use amdgpu_dis::{CodeSection, Options, Row, RowContent, SymbolKind, open};
use isa::Text;

use crate::arch::{arch, optional_wave, target, wave};
use crate::border::{
    self, Out, OutError, OutHandle, OutStruct, Plain, Sized32, check_element, element, guard, number, out_slice,
    out_text, write_text,
};
use crate::decode::{isa_instr, isa_instr_flag};
use crate::status::{Failure, c_string, isa_error, isa_status};

/// The kind of a row.
#[repr(u32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum isa_row_kind {
    /// An instruction.
    Instr = 1,
    /// Up to four bytes of data.
    Data = 2,
    /// Up to four bytes in code that are not an instruction.
    Unknown = 3,
}

/// A row of a listing: an instruction, or data between instructions.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct isa_row {
    /// The address of the first byte.
    pub address: u64,
    /// The instruction; its words are 0 for other rows.
    pub instr: isa_instr,
    /// The bytes of other rows.
    pub bytes: [u8; 4],
    /// The index of the section.
    pub section: u32,
    /// The number of bytes.
    pub byte_count: u8,
    /// An `isa_row_kind`.
    pub kind: u8,
    /// 0.
    pub reserved: [u8; 6],
}

// SAFETY: all members are numbers, without padding between them.
unsafe impl Plain for isa_row {}
const _: () = assert!(size_of::<isa_row>() == 48);

/// The kind of a symbol.
#[repr(u32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum isa_symbol_kind {
    /// The entry point of a kernel or a shader.
    Kernel = 1,
    /// Code that kernels call.
    Function = 2,
    /// A place in code.
    Label = 3,
    /// Data, also descriptors of kernels.
    Data = 4,
}

#[derive(Debug)]
struct Symbol {
    name: CString,
    address: u64,
    section: u32,
    kind: isa_symbol_kind,
}

/// The rows of code, section by section in the order of their addresses. Free it with `isa_listing_free`.
#[derive(Debug, Default)]
pub struct isa_listing {
    rows: Vec<isa_row>,
    /// In the order of sections and addresses.
    symbols: Vec<Symbol>,
    sections: Vec<CString>,
    processor: CString,
    text: OnceLock<CString>,
}

impl isa_listing {
    fn add(&mut self, section: &CodeSection<'_>) {
        let index = self.sections.len() as u32;
        self.sections.push(c_string(section.name.clone()));
        self.rows.reserve(section.bytes.len() / 6);
        self.symbols.extend(section.symbols.iter().map(|symbol| Symbol {
            name: c_string(symbol.name.clone()),
            address: section.address_of(symbol.offset),
            section: index,
            kind: match symbol.kind {
                SymbolKind::Kernel(..) => isa_symbol_kind::Kernel,
                SymbolKind::Function(..) => isa_symbol_kind::Function,
                SymbolKind::Label => isa_symbol_kind::Label,
                SymbolKind::Data(_) | SymbolKind::Descriptor(_) => isa_symbol_kind::Data,
            },
        }));
        let Ok(()) = section.try_for_each_row::<Infallible>(|row| {
            self.rows.push(isa_row::new(section.address_of(row.offset), index, &row));
            Ok(())
        });
    }

    fn of_file(bytes: &[u8], options: &Options) -> Result<Self, Failure> {
        let mut all = Self::default();
        for image in open(bytes, options).images.map_err(Failure::format)? {
            let listing = image.listing(options).map_err(Failure::format)?;
            listing.sections.iter().for_each(|section| all.add(section));
            all.processor = c_string(listing.processor);
        }
        Ok(all)
    }

    /// Returns the text of all rows.
    fn text(&self) -> CString {
        let mut all = Vec::with_capacity(40 * self.rows.len());
        let mut text = Text::new();
        let mut symbols = self.symbols.iter().peekable();
        let mut section = 0;
        for row in &self.rows {
            if row.section != section {
                section = row.section;
                let name = self.sections.get(section as usize).map_or(&b""[..], |name| name.to_bytes());
                all.extend_from_slice(b"\t.section ");
                all.extend_from_slice(name);
                all.extend_from_slice(b",\"ax\",@progbits\n");
            }
            let end = (row.section, row.address.wrapping_add(row.byte_count.into()));
            while let Some(symbol) = symbols.next_if(|symbol| (symbol.section, symbol.address) < end) {
                all.extend_from_slice(symbol.name.to_bytes());
                all.extend_from_slice(b":\n");
            }
            row.write(&mut text);
            all.push(b'\t');
            all.extend_from_slice(text.as_bytes());
            all.push(b'\n');
        }
        c_string(all)
    }
}

impl isa_row {
    fn new(address: u64, section: u32, row: &Row<'_>) -> Self {
        let no_instr = isa_instr {
            words: [0; 3],
            offset: 0,
            opcode: crate::ISA_NO_OPCODE,
            dwords: 0,
            format: 0xFF,
            arch: 0,
            wave: 0,
            flags: isa_instr_flag::Unknown as u8,
            reserved: 0,
        };
        let (kind, instr) = match &row.content {
            RowContent::Instr(instr) => (isa_row_kind::Instr, isa_instr::of(instr, 0, 0)),
            RowContent::NonCanonical(instr, _) => {
                (isa_row_kind::Instr, isa_instr::of(instr, 0, isa_instr_flag::Reserved as u8))
            }
            RowContent::Data => (isa_row_kind::Data, no_instr),
            RowContent::Outside(_) | RowContent::Unknown(_) => (isa_row_kind::Unknown, no_instr),
        };
        let mut bytes = [0; 4];
        bytes.iter_mut().zip(row.bytes).for_each(|(to, byte)| *to = *byte);
        let byte_count = row.bytes.len().min(12) as u8;
        Self { address, instr, bytes, section, byte_count, kind: kind as u8, reserved: [0; 6] }
    }

    /// Writes the text in place of the old contents of a buffer. The row may have any contents.
    fn write(&self, text: &mut Text) {
        if let Ok(instr) = self.instr.instr() {
            text.clear();
            return instr.write(text);
        }
        let bytes = self.bytes.get(..usize::from(self.byte_count).min(4)).unwrap_or_default();
        Row { offset: 0, bytes, content: RowContent::Data }.text(text);
    }
}

/// Disassembles the contents of a file: code objects and object files, also those in bundles, programs and archives. `target` and `wave`
/// override what the file states, or are NULL and 0. A file with code objects for several processors needs a target.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn isa_disassemble(
    bytes: *const c_void,
    size: usize,
    target: *const c_char,
    wave: u32,
    listing: *mut *mut isa_listing,
    error: *mut *mut isa_error,
) -> isa_status {
    // SAFETY: the contract of the header.
    let (bytes, target, listing, error) = unsafe {
        (
            border::slice(bytes.cast::<u8>(), size, "bytes"),
            border::optional_name(target, "target"),
            OutHandle::new(listing),
            OutError::new(error),
        )
    };
    guard(error, || {
        let (listing, target) = (listing?, target?.map(self::target).transpose()?);
        let options = Options { target, wave: optional_wave(wave)?, ..Options::default() };
        listing.set(isa_listing::of_file(bytes?, &options)?);
        Ok(())
    })
}

/// Disassembles code without a file around it, which begins at `address`. `wave` is 32, 64 or 0 for the default.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn isa_disassemble_code(
    arch: u32,
    wave: u32,
    address: u64,
    bytes: *const c_void,
    size: usize,
    listing: *mut *mut isa_listing,
    error: *mut *mut isa_error,
) -> isa_status {
    // SAFETY: the contract of the header.
    let (bytes, listing, error) =
        unsafe { (border::slice(bytes.cast::<u8>(), size, "bytes"), OutHandle::new(listing), OutError::new(error)) };
    guard(error, || {
        let (listing, arch) = (listing?, self::arch(arch)?);
        let mut section = CodeSection::raw(bytes?, arch, self::wave(arch, wave)?);
        section.address = address;
        let mut all = isa_listing { processor: c_string(arch.name()), ..isa_listing::default() };
        all.add(&section);
        listing.set(all);
        Ok(())
    })
}

/// Frees a listing; NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn isa_listing_free(listing: *mut isa_listing) {
    // SAFETY: the contract of the header.
    unsafe { border::free(listing) };
}

/// Returns the name of the processor in the file, or of the set, which lives as long as the listing; an empty text for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn isa_listing_processor(listing: *const isa_listing) -> *const c_char {
    // SAFETY: the contract of the header.
    let listing = unsafe { border::handle(listing) };
    listing.map_or(c"".as_ptr(), |listing| listing.processor.as_ptr())
}

/// Returns the number of rows; 0 for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn isa_listing_row_count(listing: *const isa_listing) -> usize {
    // SAFETY: the contract of the header.
    let listing = unsafe { border::handle(listing) };
    listing.map_or(0, |listing| listing.rows.len())
}

/// Copies up to `capacity` rows from the index `first` on, and stores their number. `row_size` is sizeof(isa_row).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn isa_listing_rows(
    listing: *const isa_listing,
    first: usize,
    rows: *mut isa_row,
    row_size: usize,
    capacity: usize,
    count: *mut usize,
    error: *mut *mut isa_error,
) -> isa_status {
    // SAFETY: the contract of the header.
    let (listing, rows, count, error) = unsafe {
        (border::handle(listing), out_slice(rows, capacity, "rows"), Out::new(count, 0, "count"), OutError::new(error))
    };
    guard(error, || {
        check_element::<isa_row>(row_size, "isa_row")?;
        let (listing, rows, count) = (listing?, rows?, count?);
        let found = listing.rows.get(first..).unwrap_or_default();
        rows.iter_mut().zip(found).for_each(|(to, row)| {
            to.write(*row);
        });
        count.set(rows.len().min(found.len()));
        Ok(())
    })
}

/// Writes the text of a row into a buffer. Returns its length.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn isa_row_print(row: *const isa_row, buffer: *mut c_char, capacity: usize) -> usize {
    // SAFETY: the contract of the header.
    let (row, buffer) = unsafe { (border::handle(row), out_text(buffer, capacity)) };
    number(|| {
        let mut text = Text::new();
        row?.write(&mut text);
        Ok(write_text(text.as_str(), buffer?))
    })
}

/// Returns the text of all rows with the symbols: assembly that gives the same bytes again. It lives as long as the listing. NULL for
/// NULL. `size` may be NULL; otherwise it gets the length.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn isa_listing_text(listing: *const isa_listing, size: *mut usize) -> *const c_char {
    // SAFETY: the contract of the header.
    let (listing, size) = unsafe { (border::handle(listing), Out::new(size, 0, "size")) };
    let mut result = std::ptr::null();
    guard(OutError::none(), || {
        let listing = listing?;
        let text = listing.text.get_or_init(|| listing.text());
        if let Ok(size) = size {
            size.set(text.as_bytes().len());
        }
        result = text.as_ptr();
        Ok(())
    });
    result
}

/// A symbol of a listing. Its name lives as long as the listing.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct isa_symbol {
    /// The size of the struct.
    pub size: u32,
    /// An `isa_symbol_kind`.
    pub kind: u32,
    /// The address.
    pub address: u64,
    /// The name.
    pub name: *const c_char,
    /// The index of the section.
    pub section: u32,
    /// 0.
    pub reserved: u32,
}

// SAFETY: all members are valid with any bits; the first is the size.
unsafe impl Plain for isa_symbol {}
impl Sized32 for isa_symbol {
    const FIRST: usize = size_of::<Self>();
}

/// Returns the number of symbols; 0 for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn isa_listing_symbol_count(listing: *const isa_listing) -> usize {
    // SAFETY: the contract of the header.
    let listing = unsafe { border::handle(listing) };
    listing.map_or(0, |listing| listing.symbols.len())
}

/// Fills in a symbol.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn isa_listing_symbol(
    listing: *const isa_listing,
    index: usize,
    symbol: *mut isa_symbol,
) -> isa_status {
    // SAFETY: the contract of the header.
    let (listing, out) = unsafe { (border::handle(listing), OutStruct::new(symbol)) };
    guard(OutError::none(), || {
        let found = element(&listing?.symbols, index)?;
        out?.write(isa_symbol {
            size: 0,
            kind: found.kind as u32,
            address: found.address,
            name: found.name.as_ptr(),
            section: found.section,
            reserved: 0,
        });
        Ok(())
    })
}

/// Returns the name of a section, which lives as long as the listing; NULL if the index is out of range.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn isa_listing_section(listing: *const isa_listing, index: usize) -> *const c_char {
    // SAFETY: the contract of the header.
    let listing = unsafe { border::handle(listing) };
    let name = listing.ok().and_then(|listing| listing.sections.get(index));
    name.map_or(std::ptr::null(), |name| name.as_ptr())
}

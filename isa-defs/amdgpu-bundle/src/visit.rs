//! The walk through containers.

use memchr::memmem;
use object::read::archive::ArchiveFile;
use object::read::{FileKind, Object as _, ObjectSection as _};

use crate::bundle::{self, Bundle};
use crate::bytes::range;
use crate::compressed::{self, decompress};
use crate::damage::{Damage, Reason};
use crate::method::Method;
use crate::name::BundleEntryId;
use crate::offload;
use crate::path::{Compression, Container, Path};

/// Bounds of what [`visit`] does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// The most bytes that a compressed container may expand to. One is in memory at a time for each level of nesting.
    pub stream_bytes: u64,
    /// The most bytes that all compressed containers of a file may expand to together.
    pub total_bytes: u64,
    /// The most containers around an image; a section or an archive is one.
    pub depth: usize,
}

impl Default for Limits {
    /// 2 GiB for a container, 64 GiB for a file, six levels.
    fn default() -> Self {
        Self { stream_bytes: 2 << 30, total_bytes: 64 << 30, depth: 6 }
    }
}

/// What an image is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ImageKind {
    /// An ELF file for AMD GPUs with these `e_flags`: a code object, or a relocatable object.
    CodeObject {
        /// The processor and features.
        flags: u32,
    },
    /// LLVM bitcode.
    Bitcode,
    /// Anything else: SPIR-V, assembly, an object of another vendor.
    Other,
}

/// An image for a GPU.
#[derive(Debug, Clone, Copy)]
pub struct Image<'a> {
    /// The containers around it.
    pub path: &'a Path,
    /// The ID of the entry of the innermost container, for [`BundleEntryId::parse`]. Sections, archives and files have none.
    pub id: Option<&'a str>,
    /// What it is.
    pub kind: ImageKind,
    /// Where it begins in the innermost container: in bytes from the start of the decompressed bundle or of the member.
    pub offset: u64,
    /// Its bytes.
    pub bytes: &'a [u8],
}

/// What a file is, by its first bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// An ELF file for AMD GPUs.
    CodeObject,
    /// An ELF, COFF or PE file for another machine.
    Host,
    /// A static library.
    Archive,
    /// An offload bundle of clang.
    Bundle,
    /// A compressed offload bundle.
    CompressedBundle,
    /// An offload binary of LLVM.
    OffloadBinary,
    /// LLVM bitcode.
    Bitcode,
    /// Anything else.
    Other,
}

/// Returns what a file is, by its first bytes.
#[must_use]
pub fn format(file: &[u8]) -> Format {
    const ARCHIVE: [&[u8]; 2] = [b"!<arch>\n", b"!<thin>\n"];
    const BITCODE: [&[u8]; 2] = [b"BC\xC0\xDE", b"\xDE\xC0\x17\x0B"];
    if let Some(format) = magic_at(file) {
        return format;
    }
    match FileKind::parse(file) {
        Ok(FileKind::Elf32 | FileKind::Elf64) if is_amd(file) => Format::CodeObject,
        Ok(
            FileKind::Elf32 | FileKind::Elf64 | FileKind::Coff | FileKind::CoffBig | FileKind::Pe32 | FileKind::Pe64,
        ) => Format::Host,
        _ if ARCHIVE.iter().any(|magic| file.starts_with(magic)) => Format::Archive,
        _ if BITCODE.iter().any(|magic| file.starts_with(magic)) => Format::Bitcode,
        _ => Format::Other,
    }
}

/// Whether the entry of an ID is for the processor that runs the program.
fn is_host(id: &str) -> bool {
    BundleEntryId::parse(id).is_some_and(|id| id.kind == "host")
}

/// The machine of an ELF file for AMD GPUs, at byte 18.
const EM_AMDGPU: [u8; 2] = [224, 0];

fn is_amd(elf: &[u8]) -> bool {
    elf.get(18..20) == Some(&EM_AMDGPU)
}

/// The formats that may follow each other in a section, and their magic numbers.
const SEQUENCES: [(&[u8], Format); 3] = [
    (bundle::MAGIC, Format::Bundle),
    (compressed::MAGIC, Format::CompressedBundle),
    (offload::MAGIC, Format::OffloadBinary),
];

fn magic_at(bytes: &[u8]) -> Option<Format> {
    SEQUENCES.iter().find(|(magic, _)| bytes.starts_with(magic)).map(|(_, format)| *format)
}

/// The beginnings of names of sections that hold bundles or offload binaries; PE files cut names off after eight bytes. Other
/// sections hold them if they begin with their magic number.
const SECTIONS: [&str; 3] = [".hip_fat", ".llvm.offloading", ".llvm.of"];

/// The beginning of the names of sections that hold an image without a container: relocatable host objects of `-fgpu-rdc`. The
/// rest of the name is the ID of the entry.
const ENTRY_SECTION: &str = "__CLANG_OFFLOAD_BUNDLE__";

/// What [`visit`] calls.
pub type Visitor<'v> = dyn FnMut(Result<Image<'_>, Damage>) + 'v;

/// Calls a function with each image in a file, in the order of the file, and with each part that is damaged.
pub fn visit(file: &[u8], limits: &Limits, visitor: &mut Visitor<'_>) {
    let room = room(file.len() as u64, limits);
    let mut walk =
        Walk { limits, visitor, path: Path::default(), room, decompressed: limits.total_bytes, is_over: false };
    walk.content(file, 0, None);
}

/// The bytes that may be visited in as many bytes: all of them in each level, and once more for the tables.
fn room(bytes: u64, limits: &Limits) -> u64 {
    bytes.saturating_mul(limits.depth as u64 + 2)
}

struct Walk<'v, 'f> {
    limits: &'v Limits,
    visitor: &'v mut Visitor<'f>,
    path: Path,
    /// How many more bytes may be visited: parts of a damaged file may overlap.
    room: u64,
    /// How many more bytes may be decompressed.
    decompressed: u64,
    /// Whether parts overlap, which ends the walk.
    is_over: bool,
}

impl Walk<'_, '_> {
    fn damaged(&mut self, offset: u64, reason: Reason) {
        (self.visitor)(Err(Damage { path: self.path.clone(), offset, reason }));
    }

    /// Takes bytes that are visited from the room. Returns `false` if there is too little, and ends the walk.
    fn take(&mut self, bytes: usize, offset: u64) -> bool {
        if self.is_over {
            return false;
        }
        match self.room.checked_sub(bytes as u64) {
            Some(room) => {
                self.room = room;
                true
            }
            None => {
                self.is_over = true;
                self.damaged(offset, Reason::Overlap);
                false
            }
        }
    }

    /// Does something within a container.
    fn within(&mut self, container: Container, offset: u64, inner: impl FnOnce(&mut Self)) {
        if self.path.0.len() >= self.limits.depth {
            self.damaged(offset, Reason::Depth { limit: self.limits.depth });
            return;
        }
        self.path.0.push(container);
        inner(self);
        self.path.0.pop();
    }

    /// Visits what a file, a member or an entry holds, which begins at `offset` in its container.
    fn content(&mut self, bytes: &[u8], offset: u64, id: Option<&str>) {
        if !self.take(bytes.len(), offset) {
            return;
        }
        match format(bytes) {
            Format::CodeObject => {
                // `e_flags` of a 64-bit ELF file.
                let flags = bytes.get(48..52).and_then(|flags| flags.first_chunk()).copied().unwrap_or_default();
                self.image(bytes, offset, id, ImageKind::CodeObject { flags: u32::from_le_bytes(flags) });
            }
            Format::Bitcode => self.image(bytes, offset, id, ImageKind::Bitcode),
            Format::Bundle | Format::CompressedBundle | Format::OffloadBinary => {
                self.nested(id, offset, |walk| walk.sequence(bytes));
            }
            Format::Archive => self.nested(id, offset, |walk| walk.archive(bytes)),
            Format::Host => self.nested(id, offset, |walk| walk.host(bytes)),
            Format::Other => match id {
                Some(id) if !is_host(id) && !bytes.is_empty() => {
                    self.image(bytes, offset, Some(id), ImageKind::Other);
                }
                _ => {}
            },
        }
    }

    /// Visits a container that is an entry, a file or a member.
    fn nested(&mut self, id: Option<&str>, offset: u64, inner: impl FnOnce(&mut Self)) {
        match id {
            Some(id) => self.within(Container::Entry { id: id.into() }, offset, inner),
            None => inner(self),
        }
    }

    fn image(&mut self, bytes: &[u8], offset: u64, id: Option<&str>, kind: ImageKind) {
        if !id.is_some_and(is_host) {
            (self.visitor)(Ok(Image { path: &self.path, id, kind, offset, bytes }));
        }
    }

    /// Visits bundles and offload binaries that follow each other, with padding between them.
    fn sequence(&mut self, bytes: &[u8]) {
        let mut magics = Magics::new(bytes);
        let (mut at, mut number) = (0, 1);
        while let Some((start, format)) = magics.next(at) {
            let (Some(rest), false) = (bytes.get(start..), self.is_over) else { return };
            let offset = start as u64;
            let read = match format {
                Format::CompressedBundle => self.compressed_bundle(rest, offset, number),
                Format::OffloadBinary => self.offload_binary(rest, offset, number),
                _ => self.bundle(rest, offset, number, None),
            };
            // After damage the next magic number is where the walk goes on.
            at = start.saturating_add(read.max(1));
            number += 1;
        }
    }

    /// Visits the bundle at the start of `bytes`. Returns its size.
    fn bundle(&mut self, bytes: &[u8], offset: u64, number: usize, compression: Option<Compression>) -> usize {
        let container = Container::Bundle { number, compression };
        let (entries, read) = match Bundle::parse(bytes) {
            Ok(table) => (Ok(table.entries), table.header),
            Err((reason, read)) => (Err(reason), read),
        };
        if !self.take(read, offset) {
            return bytes.len();
        }
        let entries = match entries {
            Ok(entries) => entries,
            Err(reason) => {
                self.within(container, offset, |walk| walk.damaged(0, reason));
                return bundle::MAGIC.len();
            }
        };
        let mut end = read;
        for entry in &entries {
            if range(bytes, entry.offset, entry.size).is_some() {
                let entry_end = usize::try_from(entry.offset.saturating_add(entry.size));
                end = end.max(entry_end.unwrap_or(bytes.len()));
            }
        }
        self.within(container, offset, |walk| {
            for entry in entries {
                let id = String::from_utf8_lossy(entry.id);
                if let Some(content) = range(bytes, entry.offset, entry.size) {
                    walk.content(content, entry.offset, Some(&id));
                } else {
                    let (part, have) = (format!("entry {id}"), bytes.len() as u64);
                    let end = entry.offset.checked_add(entry.size);
                    walk.damaged(entry.offset, Reason::Truncated { part, end, have });
                }
            }
        });
        end
    }

    /// Visits the compressed bundle at the start of `bytes`. Returns its size.
    fn compressed_bundle(&mut self, bytes: &[u8], offset: u64, number: usize) -> usize {
        let failed = |walk: &mut Self, reason: Reason, read: usize| {
            let path = Container::Bundle { number, compression: None };
            walk.within(path, offset, |walk| walk.damaged(0, reason));
            read
        };
        let header = match compressed::CompressedHeader::parse(bytes) {
            Ok(header) => header,
            Err(reason) => return failed(self, reason, compressed::MAGIC.len()),
        };
        let total = header.total.unwrap_or(bytes.len() as u64);
        let Some(whole) = range(bytes, 0, total) else {
            let reason =
                Reason::Truncated { part: "the compressed bundle".into(), end: Some(total), have: bytes.len() as u64 };
            return failed(self, reason, compressed::MAGIC.len());
        };
        let compressed = usize::try_from(header.header).ok().and_then(|start| whole.get(start..)).unwrap_or_default();
        match self.decompress(header.method, compressed, header.size) {
            Ok((decompressed, consumed)) => {
                let compression = Compression {
                    method: header.method,
                    version: header.version,
                    compressed: consumed as u64,
                    size: header.size,
                };
                self.room = self.room.saturating_add(room(decompressed.len() as u64, self.limits));
                if decompressed.starts_with(bundle::MAGIC) {
                    self.bundle(&decompressed, offset, number, Some(compression));
                } else {
                    let container = Container::Bundle { number, compression: Some(compression) };
                    self.within(container, offset, |walk| walk.content(&decompressed, 0, None));
                }
                let read = header.total.unwrap_or(header.header.saturating_add(consumed as u64));
                usize::try_from(read).unwrap_or(bytes.len())
            }
            // A sound size tells where the next one is.
            Err(reason) => {
                let next = header.total.filter(|total| *total > header.header);
                failed(
                    self,
                    reason,
                    next.and_then(|next| usize::try_from(next).ok()).unwrap_or(compressed::MAGIC.len()),
                )
            }
        }
    }

    /// Visits the offload binary at the start of `bytes`. Returns its size.
    fn offload_binary(&mut self, bytes: &[u8], offset: u64, number: usize) -> usize {
        let failed = |walk: &mut Self, version: u32, reason: Reason| {
            let container = Container::OffloadBinary { number, version, compression: None };
            walk.within(container, offset, |walk| walk.damaged(0, reason));
            offload::MAGIC.len()
        };
        let header = match offload::OffloadHeader::parse(bytes) {
            Ok(header) => header,
            Err(reason) => return failed(self, 0, reason),
        };
        let Some(whole) = range(bytes, 0, header.size) else {
            let (part, have) = ("the offload binary".into(), bytes.len() as u64);
            return failed(self, header.version, Reason::Truncated { part, end: Some(header.size), have });
        };
        let Some(inflated) = header.inflated else {
            self.offload_entries(whole, &header, offset, number, None);
            return whole.len().max(offload::MAGIC.len());
        };
        let start = usize::try_from(header.entries).unwrap_or(usize::MAX);
        let (Some((head, compressed)), Some(size)) =
            (whole.split_at_checked(start), inflated.checked_sub(header.entries))
        else {
            let part = "the compressed part".into();
            return failed(
                self,
                header.version,
                Reason::Truncated { part, end: Some(header.entries), have: header.size },
            );
        };
        let method = Method::of(compressed);
        match self.decompress(method, compressed, size) {
            Ok((body, consumed)) => {
                let compression = Compression { method, version: 0, compressed: consumed as u64, size: inflated };
                // Offsets count from the start of the binary, whose header is not compressed.
                let binary = [head, &body].concat();
                self.room = self.room.saturating_add(room(binary.len() as u64, self.limits));
                self.offload_entries(&binary, &header, offset, number, Some(compression));
            }
            Err(reason) => {
                failed(self, header.version, reason);
            }
        }
        whole.len().max(offload::MAGIC.len())
    }

    fn offload_entries(
        &mut self,
        bytes: &[u8],
        header: &offload::OffloadHeader,
        offset: u64,
        number: usize,
        compression: Option<Compression>,
    ) {
        let container = Container::OffloadBinary { number, version: header.version, compression };
        self.within(container, offset, |walk| {
            for index in 0..header.count {
                if !walk.take(1, 0) {
                    return;
                }
                match header.entry(bytes, index) {
                    Ok(entry) => {
                        let id = format!("{}-{}-{}", entry.kind, entry.triple, entry.arch);
                        walk.content(entry.image, entry.offset, Some(&id));
                    }
                    // Later entries are outside of the binary, too.
                    Err(reason) => return walk.damaged(0, reason),
                }
            }
        });
    }

    /// Decompresses within the limits.
    fn decompress(&mut self, method: Method, compressed: &[u8], claimed: u64) -> Result<(Vec<u8>, usize), Reason> {
        let limit = self.limits.stream_bytes.min(self.decompressed);
        let outcome = decompress(method, compressed, claimed, limit);
        // What damaged bytes expand to before the damage counts, too.
        if !matches!(outcome, Err(Reason::Claim { .. } | Reason::TooLarge { .. })) {
            self.decompressed -= claimed.min(self.decompressed);
        }
        outcome
    }

    fn archive(&mut self, bytes: &[u8]) {
        let archive = match ArchiveFile::parse(bytes) {
            Ok(archive) if archive.is_thin() => return self.damaged(0, Reason::ThinArchive),
            Ok(archive) => archive,
            Err(error) => return self.damaged(0, Reason::Host { message: format!("a damaged archive: {error}") }),
        };
        for member in archive.members() {
            let member = match member {
                Ok(member) => member,
                Err(error) => {
                    return self.damaged(0, Reason::Host { message: format!("a damaged archive: {error}") });
                }
            };
            let name = String::from_utf8_lossy(member.name()).into_owned();
            if self.is_over || !self.take(name.len(), member.file_range().0) {
                return;
            }
            let content = member.data(bytes);
            let offset = member.file_range().0;
            self.within(Container::Member { name }, offset, |walk| match content {
                Ok(content) => walk.content(content, 0, None),
                Err(error) => walk.damaged(0, Reason::Host { message: format!("a damaged member: {error}") }),
            });
        }
    }

    /// Visits the sections of a host program, library or object.
    fn host(&mut self, bytes: &[u8]) {
        let file = match object::File::parse(bytes) {
            Ok(file) => file,
            Err(error) => return self.damaged(0, Reason::Host { message: format!("a damaged file: {error}") }),
        };
        for section in file.sections() {
            if self.is_over {
                return;
            }
            let name = section.name_bytes().map(String::from_utf8_lossy).unwrap_or_default();
            if !self.take(name.len(), 0) {
                return;
            }
            let entry = name.strip_prefix(ENTRY_SECTION);
            let is_named = entry.is_some() || SECTIONS.iter().any(|known| name.starts_with(known));
            let content = match section.data() {
                Ok(content) => content,
                Err(error) if is_named => {
                    self.damaged(0, Reason::Host { message: format!("section {}: {error}", name.escape_debug()) });
                    continue;
                }
                Err(_) => continue,
            };
            if !is_named && magic_at(content).is_none() {
                continue;
            }
            let offset = section.file_range().map_or(0, |(offset, _)| offset);
            if !self.take(content.len(), offset) {
                return;
            }
            let container = Container::Section { name: name.clone().into_owned() };
            self.within(container, offset, |walk| match entry {
                Some(id) => walk.content(content, 0, Some(id)),
                None => walk.sequence(content),
            });
        }
    }
}

/// Finds the magic numbers in a section, each byte of which is looked at once for each of them.
struct Magics<'a> {
    bytes: &'a [u8],
    /// The next place of each magic number of [`SEQUENCES`], if it has been looked for.
    next: [Option<Option<usize>>; SEQUENCES.len()],
}

impl<'a> Magics<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, next: [None; SEQUENCES.len()] }
    }

    /// Returns the first magic number at or after `at`: after zeros if it follows them, else wherever it is.
    fn next(&mut self, at: usize) -> Option<(usize, Format)> {
        let rest = self.bytes.get(at..)?;
        let start = at + rest.iter().position(|byte| *byte != 0)?;
        if let Some(format) = magic_at(self.bytes.get(start..)?) {
            return Some((start, format));
        }
        let mut first: Option<(usize, Format)> = None;
        for (known, (magic, format)) in self.next.iter_mut().zip(SEQUENCES) {
            let is_known = known.is_some_and(|next| next.is_none_or(|next| next >= start));
            if !is_known {
                *known = Some(memmem::find(self.bytes.get(start..)?, magic).map(|found| start + found));
            }
            if let Some(Some(next)) = *known
                && first.is_none_or(|(first, _)| next < first)
            {
                first = Some((next, format));
            }
        }
        first
    }
}

//! The state of a program that is being assembled.

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::{self, Read as _};
use std::ops::Range;
use std::path::PathBuf;

use amdgpu_arch::{Processor, Reader};
use amdgpu_object::Note;

use crate::asm::address::Address;
use crate::asm::body::Body;
use crate::asm::conditions::Conditions;
use crate::asm::diagnostic::{Diagnostic, Severity};
use crate::asm::expansions::Expansions;
use crate::asm::expr::SymbolId;
use crate::asm::fixup::{Fixup, Relocation};
use crate::asm::kernel_code::KernelCode;
use crate::asm::macros::Macros;
use crate::asm::open::{CurrentLine, Frames, Kernel, OpenBlock, OpenBody, RelocDirective};
use crate::asm::preparse::Memo;
use crate::asm::section::Sections;
use crate::asm::source::Unfinished;
use crate::asm::symbols::{Symbols, Version};
use crate::asm::target::{Llvm, ObjectTarget};
use crate::asm::text::Text;
use crate::input::printable;

/// The number of diagnostics after which assembly stops: each takes memory.
const MAX_ERRORS: usize = 100_000;

/// The number of fields that may wait for layout, limited for the same reason.
const MAX_FIXUPS: usize = 3_000_000;

/// A statement that put bytes into a section.
#[derive(Debug)]
pub struct StatementBytes {
    /// Where the bytes begin.
    pub start: Address,
    /// Where they end.
    pub end: Address,
    /// The statement, in the file.
    pub span: Range<usize>,
}

/// The directories that are searched for included files after the working directory.
#[derive(Debug)]
pub struct Includes(pub Vec<PathBuf>);

impl Includes {
    /// Reads at most one byte more than `most` of the file `name`. Returns its path and contents.
    pub(super) fn read(&self, name: &str, most: usize) -> Result<(String, Vec<u8>), String> {
        let places = std::iter::once(PathBuf::from(name)).chain(self.0.iter().map(|directory| directory.join(name)));
        let mut why = None;
        for path in places {
            match File::open(&path) {
                Ok(file) => {
                    let mut bytes = Vec::new();
                    let read = file.take(most as u64 + 1).read_to_end(&mut bytes);
                    return read
                        .map(|_| (printable(path.as_os_str().as_encoded_bytes()), bytes))
                        .map_err(|e| e.to_string());
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => drop(why.get_or_insert(error)),
            }
        }
        Err(why.map_or_else(|| "there is no such file; `-I` names directories to look in".into(), |e| e.to_string()))
    }
}

/// A program that is being assembled.
pub struct Program<'a> {
    pub(super) reader: Reader,
    /// All sections.
    pub sections: Sections,
    pub(super) symbols: Symbols,
    /// Whether a part of the text could not be read.
    pub(super) unread: bool,
    pub(super) fixups: Vec<Fixup>,
    /// The processor and the operating system, as far as the program names them.
    pub(super) target: ObjectTarget,
    /// The notes of the object file.
    pub(super) notes: Vec<Note>,
    /// The relocations, which a linker resolves.
    pub relocations: Vec<Relocation>,
    /// The `.symver` directives.
    pub(super) versions: Vec<Version>,
    /// The symbols that relocations and the symbol table have in place of others, by `.symver`.
    pub(super) renamed: HashMap<SymbolId, SymbolId>,
    /// The symbols that `.cg_profile` names, and where.
    pub(super) profiled: Vec<(SymbolId, Range<usize>)>,
    /// The `.reloc` directives.
    pub(super) reloc_directives: Vec<RelocDirective>,
    /// The numbers that `.file` directives give to source files, with the positions of the directives.
    pub(super) source_files: BTreeMap<u64, Range<usize>>,
    /// The call frame information.
    pub(super) frames: Frames,
    /// Errors, warnings and notes.
    pub diagnostics: Vec<Diagnostic>,
    pub(super) macros: Macros,
    /// Whether a macro has the name of an instruction.
    pub(super) shadows: bool,
    pub(super) conditions: Conditions,
    /// The body that is open.
    pub(super) open_body: Option<OpenBody>,
    /// Text that is not a part of the file.
    pub expansions: Expansions,
    /// The nesting depth of the current expansion.
    pub(super) depth: usize,
    /// Whether `.exitm` skips the rest of the current expansion.
    pub(super) exits: bool,
    /// Whether the innermost expansion is a macro or repetition.
    pub(super) in_macro: bool,
    /// Whether assembly has ended: at `.end`, or at an error that makes the rest meaningless.
    pub(super) ended: bool,
    /// Whether assembly has ended at such an error.
    pub(super) gave_up: bool,
    /// Whether `.altmacro` is in effect.
    pub(super) alternate_macros: bool,
    /// Whether names of macros are replaced: `.macros_off` turns it off.
    pub(super) takes_macros: bool,
    /// The directories of included files; `None` if a program may include none.
    pub(super) includes: Option<&'a Includes>,
    /// Whether `rows` is filled.
    pub(super) keeps_rows: bool,
    /// The statements and their addresses, for a listing.
    pub rows: Vec<StatementBytes>,
    /// The block that is open.
    pub(super) kernel: Option<Kernel>,
    /// The `.amd_kernel_code_t` block that is open.
    pub(super) kernel_code: Option<KernelCode>,
    /// The position of the directive that begins the open `.amdgpu_info` block.
    pub(super) resource_info: Option<Range<usize>>,
    /// The first directive that programs for HSA must not have.
    pub(super) not_for_hsa: Option<(Range<usize>, &'static str)>,
    /// The kernels.
    pub kernels: Vec<Kernel>,
    /// The text of `.amdgpu_metadata`.
    pub metadata: Option<Body>,
    /// The text of `.amdgpu_pal_metadata`.
    pub pal_metadata: Option<Body>,
    /// The block of metadata that is open.
    pub(super) open_block: Option<OpenBlock>,
    /// The line that is cut between two parts, in a comment or string.
    pub(super) unfinished: Option<Unfinished>,
    /// The line that is being assembled, as written.
    pub(super) current_line: CurrentLine,
    /// The cache of the pre-parser for expansions.
    pub(super) memo: Memo,
}

/// The inputs of a program besides its text.
#[derive(Debug, Default)]
pub struct Surroundings {
    /// Symbols with numbers for values.
    pub symbols: Vec<(String, i64)>,
    /// The directories of included files; `None` if a program may include none.
    pub includes: Option<Includes>,
    /// The processor that the program has to be for, if one is required.
    pub processor: Option<&'static Processor>,
    /// The version of LLVM whose words the program gets, if one is required.
    pub llvm: Option<Llvm>,
}

impl<'a> Program<'a> {
    /// Returns a program without any line.
    pub(super) fn new(text: Text<'a>, reader: Reader, around: &'a Surroundings, keeps_rows: bool) -> Self {
        let mut symbols = Symbols::default();
        for (name, value) in &around.symbols {
            symbols.predefine(name, *value);
        }
        Self {
            reader,
            sections: Sections::new(text.size() / 4),
            symbols,
            unread: false,
            fixups: Vec::new(),
            target: ObjectTarget::new(reader.arch(), around.processor, around.llvm),
            notes: Vec::new(),
            relocations: Vec::new(),
            versions: Vec::new(),
            renamed: HashMap::new(),
            profiled: Vec::new(),
            reloc_directives: Vec::new(),
            source_files: BTreeMap::new(),
            frames: Frames::default(),
            diagnostics: Vec::new(),
            macros: Macros::default(),
            shadows: false,
            conditions: Conditions::default(),
            open_body: None,
            expansions: Expansions::new(text.size()),
            depth: 0,
            exits: false,
            in_macro: false,
            ended: false,
            gave_up: false,
            alternate_macros: false,
            takes_macros: true,
            includes: around.includes.as_ref(),
            keeps_rows,
            rows: Vec::new(),
            kernel: None,
            kernel_code: None,
            resource_info: None,
            not_for_hsa: None,
            kernels: Vec::new(),
            metadata: None,
            pal_metadata: None,
            open_block: None,
            unfinished: None,
            current_line: CurrentLine::default(),
            memo: Memo::default(),
        }
    }

    /// Returns whether all of the text could be read. Otherwise the program is meaningless. Text in memory can always be read.
    pub fn is_whole(&self) -> bool {
        !self.unread
    }

    /// Returns whether the program has no errors.
    pub fn is_sound(&self) -> bool {
        self.diagnostics.iter().all(|error| error.severity != Severity::Error)
    }

    /// Ends the assembly if errors or fields that wait for layout would fill the memory.
    pub(super) fn check_limits(&mut self, at: usize) {
        if let Some(why) = self.limit() {
            self.ended = true;
            self.diagnostics.push(Diagnostic::new(at..at, why));
        }
    }

    /// Returns the limit that the program exceeds.
    pub(super) fn limit(&self) -> Option<&'static str> {
        if self.diagnostics.len() >= MAX_ERRORS {
            Some("after this many errors, the rest is not assembled")
        } else if self.fixups.len() >= MAX_FIXUPS {
            Some("more than 3000000 values depend on addresses that are not known yet")
        } else {
            None
        }
    }
}

/// Returns the error for sections that are too large.
pub(super) fn too_large(span: Range<usize>) -> Diagnostic {
    Diagnostic::new(span, "the sections would be larger than 256 MiB together")
}

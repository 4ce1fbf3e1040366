//! The contents of a relocatable object, independent of the ELF encoding.

/// The contents of a relocatable ELF object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Object {
    /// The `e_flags` field of the ELF header: processor (`EF_AMDGPU_MACH`) and target features.
    pub flags: u32,
    /// The operating system interface that the code is written for.
    pub os_abi: OsAbi,
    /// The `EI_ABIVERSION` byte of the ELF header.
    pub abi_version: u8,
    /// The sections, without those that the ELF writer adds (symbol table, string tables, relocations).
    pub sections: Vec<Section>,
    /// The named symbols. Section symbols are added by the ELF writer where a relocation needs one.
    pub symbols: Vec<Symbol>,
    /// The groups of sections that a linker keeps or drops together.
    pub groups: Vec<Group>,
}

impl Object {
    /// Creates an object without sections and symbols.
    #[must_use]
    pub fn new(flags: u32, os_abi: OsAbi, abi_version: u8) -> Self {
        Self { flags, os_abi, abi_version, sections: Vec::new(), symbols: Vec::new(), groups: Vec::new() }
    }
}

/// The operating system interface of a code object (`EI_OSABI`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OsAbi {
    /// No particular one: `ELFOSABI_NONE`.
    None,
    /// HSA, as ROCm uses it: `ELFOSABI_AMDGPU_HSA`.
    Hsa,
    /// PAL, as AMD's Vulkan and Direct3D drivers use it: `ELFOSABI_AMDGPU_PAL`.
    Pal,
    /// Mesa: `ELFOSABI_AMDGPU_MESA3D`.
    Mesa3d,
}

impl OsAbi {
    /// Returns the number in the header of a file.
    #[must_use]
    pub const fn number(self) -> u8 {
        match self {
            OsAbi::None => 0,
            OsAbi::Hsa => 64,
            OsAbi::Pal => 65,
            OsAbi::Mesa3d => 66,
        }
    }

    /// Returns the interface with a number, if AMD GPUs have it.
    #[must_use]
    pub fn from_number(number: u8) -> Option<Self> {
        [OsAbi::None, OsAbi::Hsa, OsAbi::Pal, OsAbi::Mesa3d].into_iter().find(|abi| abi.number() == number)
    }
}

/// Index of a section in [`Object::sections`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SectionId(pub usize);

/// Index of a symbol in [`Object::symbols`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SymbolId(pub usize);

/// A section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// Its name.
    pub name: String,
    /// `sh_type`, such as `SHT_PROGBITS`.
    pub kind: u32,
    /// `sh_flags`, such as `SHF_ALLOC | SHF_EXECINSTR`.
    pub flags: u64,
    /// `sh_addralign` in bytes: a power of two, or 0.
    pub align: u64,
    /// `sh_entsize` in bytes: the size of an entry in a section with `SHF_MERGE`; 0 elsewhere.
    pub entry_size: u64,
    /// The contents; empty for `SHT_NOBITS`.
    pub bytes: Vec<u8>,
    /// `sh_size` in bytes: the length of `bytes`, or the size of a section of type `SHT_NOBITS`.
    pub size: u64,
    /// Values in it that a linker computes. The field that each one covers holds zeros.
    pub relocations: Vec<Relocation>,
    /// The section that a section with `SHF_LINK_ORDER` belongs to: `sh_link`.
    pub link: Option<SectionId>,
}

impl Section {
    /// Creates an empty section of `sh_type` `kind`, with `sh_flags` `flags` and an alignment of one byte.
    #[must_use]
    pub fn new(name: impl Into<String>, kind: u32, flags: u64) -> Self {
        Self {
            name: name.into(),
            kind,
            flags,
            align: 1,
            entry_size: 0,
            bytes: Vec::new(),
            size: 0,
            relocations: Vec::new(),
            link: None,
        }
    }
}

/// A section group: sections that a linker keeps or drops together (`SHT_GROUP`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// The name that identifies the group. The writer adds a local symbol of this name if the object has none.
    pub signature: String,
    /// Whether a linker keeps one group of each signature (`GRP_COMDAT`).
    pub comdat: bool,
    /// Its members. The writer sets `SHF_GROUP` on them and adds the sections of their relocations.
    pub sections: Vec<SectionId>,
}

/// A named symbol.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Symbol {
    /// Its name.
    pub name: String,
    /// Where it is defined.
    pub definition: Definition,
    /// `st_size` in bytes.
    pub size: u64,
    /// `STT_*`.
    pub kind: SymbolType,
    /// `STB_*`.
    pub binding: Binding,
    /// `STV_*`.
    pub visibility: Visibility,
}

/// Where a symbol is defined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Definition {
    /// In another object: `SHN_UNDEF`.
    Undefined,
    /// A number: `SHN_ABS`.
    Absolute(u64),
    /// An offset in bytes from the beginning of a section.
    Section(SectionId, u64),
    /// A variable that the linker allocates, of [`Symbol::size`] bytes: `SHN_COMMON`.
    Common {
        /// Its alignment in bytes.
        align: u64,
    },
    /// A variable in LDS that the linker allocates, of [`Symbol::size`] bytes: `SHN_AMDGPU_LDS`.
    Lds {
        /// Its alignment in bytes.
        align: u64,
    },
}

/// `STT_*`: the type of a symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum SymbolType {
    /// `STT_NOTYPE`.
    #[default]
    NoType,
    /// `STT_OBJECT`.
    Object,
    /// `STT_FUNC`.
    Function,
    /// `STT_TLS`.
    Tls,
    /// `STT_COMMON`.
    Common,
    /// `STT_GNU_IFUNC`, which has the number of `STT_AMDGPU_HSA_KERNEL`: a kernel of code objects before version 3.
    IndirectFunction,
    /// `STT_FILE`: the name of a source file. Such a symbol is local and [`Definition::Absolute`].
    File,
}

/// `STB_*`: in which files a symbol can be named.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Binding {
    /// In its own file.
    #[default]
    Local,
    /// In all files.
    Global,
    /// In all files; another definition takes precedence.
    Weak,
    /// `STB_GNU_UNIQUE`: in all files, and one definition in a process.
    Unique,
}

/// `STV_*`: whether a symbol can be named outside of the linked code object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Visibility {
    /// As the binding says.
    #[default]
    Default,
    /// `STV_INTERNAL`.
    Internal,
    /// Not outside.
    Hidden,
    /// Outside, but not replaced by a definition there.
    Protected,
}

/// A value that a linker computes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Relocation {
    /// Where the field begins, in bytes from the beginning of the section.
    pub offset: u64,
    /// How the value is computed and which field it fills.
    pub kind: RelocationKind,
    /// From which address it is computed.
    pub target: RelocationTarget,
    /// The number that is added to that address.
    pub addend: i64,
}

/// The address that a relocation refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RelocationTarget {
    /// A symbol.
    Symbol(SymbolId),
    /// The beginning of a section.
    Section(SectionId),
    /// Address 0: the addend is the value.
    Absolute,
}

/// The relocation types of AMD GPUs (`R_AMDGPU_*`), with their numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u32)]
#[allow(missing_docs, reason = "each is LLVM's relocation of the same name")]
pub enum RelocationKind {
    None = 0,
    Abs32Lo = 1,
    Abs32Hi = 2,
    Abs64 = 3,
    Rel32 = 4,
    Rel64 = 5,
    Abs32 = 6,
    Gotpcrel = 7,
    Gotpcrel32Lo = 8,
    Gotpcrel32Hi = 9,
    Rel32Lo = 10,
    Rel32Hi = 11,
    Relative64 = 13,
    Rel16 = 14,
}

impl RelocationKind {
    /// All relocation types.
    pub const ALL: [RelocationKind; 14] = [
        RelocationKind::None,
        RelocationKind::Abs32Lo,
        RelocationKind::Abs32Hi,
        RelocationKind::Abs64,
        RelocationKind::Rel32,
        RelocationKind::Rel64,
        RelocationKind::Abs32,
        RelocationKind::Gotpcrel,
        RelocationKind::Gotpcrel32Lo,
        RelocationKind::Gotpcrel32Hi,
        RelocationKind::Rel32Lo,
        RelocationKind::Rel32Hi,
        RelocationKind::Relative64,
        RelocationKind::Rel16,
    ];

    /// Returns the relocation type with this number, if there is one.
    #[must_use]
    pub fn from_number(number: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| *kind as u32 == number)
    }

    /// Returns the number of bytes that the relocation fills.
    #[must_use]
    pub const fn field_size(self) -> usize {
        match self {
            Self::None => 0,
            Self::Rel16 => 2,
            Self::Abs64 | Self::Rel64 | Self::Relative64 => 8,
            Self::Abs32
            | Self::Abs32Lo
            | Self::Abs32Hi
            | Self::Rel32
            | Self::Rel32Lo
            | Self::Rel32Hi
            | Self::Gotpcrel
            | Self::Gotpcrel32Lo
            | Self::Gotpcrel32Hi => 4,
        }
    }

    /// Returns LLVM's name of the relocation type.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            RelocationKind::None => "R_AMDGPU_NONE",
            RelocationKind::Abs32Lo => "R_AMDGPU_ABS32_LO",
            RelocationKind::Abs32Hi => "R_AMDGPU_ABS32_HI",
            RelocationKind::Abs64 => "R_AMDGPU_ABS64",
            RelocationKind::Rel32 => "R_AMDGPU_REL32",
            RelocationKind::Rel64 => "R_AMDGPU_REL64",
            RelocationKind::Abs32 => "R_AMDGPU_ABS32",
            RelocationKind::Gotpcrel => "R_AMDGPU_GOTPCREL",
            RelocationKind::Gotpcrel32Lo => "R_AMDGPU_GOTPCREL32_LO",
            RelocationKind::Gotpcrel32Hi => "R_AMDGPU_GOTPCREL32_HI",
            RelocationKind::Rel32Lo => "R_AMDGPU_REL32_LO",
            RelocationKind::Rel32Hi => "R_AMDGPU_REL32_HI",
            RelocationKind::Relative64 => "R_AMDGPU_RELATIVE64",
            RelocationKind::Rel16 => "R_AMDGPU_REL16",
        }
    }
}

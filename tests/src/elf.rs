//! Small ELF files, written without the library that readers read them with.

/// `s_endpgm`, in memory order.
pub const ENDPGM: [u8; 4] = [0x00, 0x00, 0xb0, 0xbf];
/// `v_cmp_gt_u32_e32 vcc_lo, s3, v1`, or `vcc` in wave64.
pub const COMPARE: [u8; 4] = [0x03, 0x02, 0x98, 0x7c];
/// `exp invalid_target_32 v4, v3, v2, v1`: LLVM prints it, and nobody names that target.
pub const NONCANONICAL: [u8; 8] = [0x0f, 0x02, 0x00, 0xf8, 0x04, 0x03, 0x02, 0x01];
/// Not an instruction.
pub const UNKNOWN: [u8; 4] = [0xff; 4];

/// A section of an [`Elf`].
pub struct Section {
    /// The name.
    pub name: &'static str,
    /// The type.
    pub kind: u32,
    /// The flags.
    pub flags: u64,
    /// The address of the first byte.
    pub address: u64,
    /// The contents.
    pub bytes: Vec<u8>,
}

/// A symbol of an [`Elf`].
pub struct Symbol {
    /// The name.
    pub name: &'static str,
    /// The type.
    pub kind: u8,
    /// The position in the list of sections, from 1.
    pub section: u16,
    /// The value.
    pub value: u64,
    /// The size in bytes.
    pub size: u64,
}

/// The type of a relocatable object.
pub const REL: u16 = 1;
/// The type of a linked code object.
pub const DYN: u16 = 3;
/// The type of a symbol of unknown type.
pub const NOTYPE: u8 = 0;
/// The type of a symbol of data.
pub const OBJECT: u8 = 1;
/// The type of a symbol of a function.
pub const FUNC: u8 = 2;

/// A file to be.
pub struct Elf {
    /// The type of the file.
    pub kind: u16,
    /// The machine.
    pub machine: u16,
    /// The processor and its features.
    pub flags: u32,
    /// The sections without the tables of symbols and names.
    pub sections: Vec<Section>,
    /// The symbols.
    pub symbols: Vec<Symbol>,
    /// The relocations.
    pub relocations: Vec<Relocation>,
}

/// A relocation of an [`Elf`].
pub struct Relocation {
    /// Counted from 1.
    pub section: u16,
    /// From the section's start, or an address in a linked file.
    pub offset: u64,
    /// The number of the relocation type.
    pub kind: u32,
    /// The position in the list of symbols, from 1; 0 for none.
    pub symbol: u32,
    /// The addend.
    pub addend: i64,
}

impl Elf {
    /// A code object for gfx1100 without anything in it.
    pub fn new(kind: u16) -> Self {
        Self { kind, machine: 224, flags: 0x41, sections: Vec::new(), symbols: Vec::new(), relocations: Vec::new() }
    }

    /// Adds an executable section.
    pub fn code(self, name: &'static str, address: u64, bytes: Vec<u8>) -> Self {
        self.section(name, 6, address, bytes)
    }

    /// Adds a section that is read only.
    pub fn data(self, name: &'static str, address: u64, bytes: Vec<u8>) -> Self {
        self.section(name, 2, address, bytes)
    }

    fn section(mut self, name: &'static str, flags: u64, address: u64, bytes: Vec<u8>) -> Self {
        self.sections.push(Section { name, kind: 1, flags, address, bytes });
        self
    }

    /// Adds a symbol; `section` counts from 1.
    pub fn symbol(mut self, name: &'static str, kind: u8, section: u16, value: u64, size: u64) -> Self {
        self.symbols.push(Symbol { name, kind, section, value, size });
        self
    }

    /// Adds a relocation; `section` and `symbol` count from 1.
    pub fn relocation(mut self, section: u16, offset: u64, kind: u32, symbol: u32, addend: i64) -> Self {
        self.relocations.push(Relocation { section, offset, kind, symbol, addend });
        self
    }

    /// The sections that have relocations, in order.
    fn relocated(&self) -> Vec<u16> {
        let mut sections: Vec<u16> = self.relocations.iter().map(|r| r.section).collect();
        sections.sort_unstable();
        sections.dedup();
        sections
    }

    /// The file: header, sections' bytes, symbols, their names, sections' names, section headers.
    pub fn bytes(&self) -> Vec<u8> {
        let mut out = vec![0; 64];
        let mut headers = vec![0; 64];
        let mut names = vec![0];
        let mut header = |out: &mut Vec<u8>, s: &Section, name: &str, link: u32, info: u32, entry: u64| {
            let mut field = |bytes: &[u8]| headers.extend_from_slice(bytes);
            field(&(names.len() as u32).to_le_bytes());
            field(&s.kind.to_le_bytes());
            for value in [s.flags, s.address, out.len() as u64, s.bytes.len() as u64] {
                field(&value.to_le_bytes());
            }
            field(&link.to_le_bytes());
            field(&info.to_le_bytes());
            field(&4u64.to_le_bytes());
            field(&entry.to_le_bytes());
            names.extend_from_slice(name.as_bytes());
            names.push(0);
            out.extend_from_slice(&s.bytes);
        };
        for section in &self.sections {
            header(&mut out, section, section.name, 0, 0, 0);
        }
        let (mut symbols, mut strings) = (vec![0; 24], vec![0]);
        for s in &self.symbols {
            symbols.extend_from_slice(&(strings.len() as u32).to_le_bytes());
            symbols.extend_from_slice(&[0x10 | s.kind, 0]);
            symbols.extend_from_slice(&s.section.to_le_bytes());
            symbols.extend_from_slice(&s.value.to_le_bytes());
            symbols.extend_from_slice(&s.size.to_le_bytes());
            strings.extend_from_slice(s.name.as_bytes());
            strings.push(0);
        }
        let table = |kind, bytes| Section { name: "", kind, flags: 0, address: 0, bytes };
        let relocated = self.relocated();
        let count = self.sections.len() as u32 + relocated.len() as u32;
        for &section in &relocated {
            let mut bytes = Vec::new();
            for r in self.relocations.iter().filter(|r| r.section == section) {
                bytes.extend_from_slice(&r.offset.to_le_bytes());
                bytes.extend_from_slice(&(u64::from(r.symbol) << 32 | u64::from(r.kind)).to_le_bytes());
                bytes.extend_from_slice(&r.addend.to_le_bytes());
            }
            header(&mut out, &table(4, bytes), ".rela", count + 1, section.into(), 24);
        }
        header(&mut out, &table(2, symbols), ".symtab", count + 2, 0, 24);
        header(&mut out, &table(3, strings), ".strtab", 0, 0, 0);
        // Names of the tables themselves: this section's own name must be among them before its size is known.
        let all = names.len() + ".shstrtab\0".len();
        headers.extend_from_slice(&(names.len() as u32).to_le_bytes());
        headers.extend_from_slice(&3u32.to_le_bytes());
        for value in [0, 0, out.len() as u64, all as u64, 0, 1, 0] {
            headers.extend_from_slice(&value.to_le_bytes());
        }
        names.extend_from_slice(b".shstrtab\0");
        out.extend_from_slice(&names);
        let start = out.len() as u64;
        out.extend_from_slice(&headers);
        out[..8].copy_from_slice(b"\x7fELF\x02\x01\x01\x40");
        out[16..18].copy_from_slice(&self.kind.to_le_bytes());
        out[18..20].copy_from_slice(&self.machine.to_le_bytes());
        out[20..24].copy_from_slice(&1u32.to_le_bytes());
        out[40..48].copy_from_slice(&start.to_le_bytes());
        out[48..52].copy_from_slice(&self.flags.to_le_bytes());
        let small = [64u16, 56, 0, 64, count as u16 + 4, count as u16 + 3];
        for (i, value) in small.into_iter().enumerate() {
            out[52 + 2 * i..54 + 2 * i].copy_from_slice(&value.to_le_bytes());
        }
        out
    }
}

/// A kernel descriptor whose code is `entry` bytes from it.
pub fn descriptor(wave32: bool, entry: i64) -> Vec<u8> {
    let mut bytes = vec![0; 64];
    bytes[16..24].copy_from_slice(&entry.to_le_bytes());
    bytes[57] = u8::from(wave32) << 2;
    bytes
}

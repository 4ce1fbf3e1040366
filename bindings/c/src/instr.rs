//! What is known about an instruction: text, operands, registers, facts and rules.

use std::ffi::c_char;

use amdgpu_arch::{Access, Authority, Half, OpcodeFacts, Operand, OperandValue, RegisterSet, Unit, files};
use isa::Text;
use isa::body::Space;

use crate::border::{
    self, Out, OutError, OutStruct, Plain, Sized32, check_element, guard, number, out_slice, out_text, write_text,
};
use crate::decode::isa_instr;
use crate::status::{Failure, isa_error, isa_status};

/// Writes the text of an instruction into a buffer, as LLVM prints it; `.long` and a number for words that are not an instruction.
/// Returns the length of the text, or 0 if `instr` is not valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn isa_instr_print(instr: *const isa_instr, buffer: *mut c_char, capacity: usize) -> usize {
    // SAFETY: the contract of the header.
    let (instr, buffer) = unsafe { (border::handle(instr), out_text(buffer, capacity)) };
    number(|| {
        let (instr, buffer) = (instr?, buffer?);
        Ok(match instr.instr() {
            Ok(instr) => {
                let mut text = Text::new();
                instr.write(&mut text);
                write_text(text.as_str(), buffer)
            }
            Err(failure) if failure.status == isa_status::Decode => {
                let (_, _, words) = instr.parts()?;
                let words: Vec<String> = words.iter().map(|word| format!("{word:#x}")).collect();
                write_text(&format!(".long {}", words.join(", ")), buffer)
            }
            Err(failure) => return Err(failure),
        })
    })
}

/// Writes the name of the microcode format into a buffer. Returns its length, or 0 for words that are not an instruction.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn isa_instr_format_name(instr: *const isa_instr, buffer: *mut c_char, capacity: usize) -> usize {
    // SAFETY: the contract of the header.
    let (instr, buffer) = unsafe { (border::handle(instr), out_text(buffer, capacity)) };
    number(|| Ok(write_text(instr?.instr()?.format(), buffer?)))
}

/// Writes the guide's name of the opcode, such as `V_ADD_F32`, into a buffer. `component` is 0, or 1 for the second opcode of a dual-issue
/// pair. Returns its length, or 0 if the set lacks the opcode.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn isa_instr_opcode_name(
    instr: *const isa_instr,
    component: u32,
    buffer: *mut c_char,
    capacity: usize,
) -> usize {
    // SAFETY: the contract of the header.
    let (instr, buffer) = unsafe { (border::handle(instr), out_text(buffer, capacity)) };
    number(|| {
        let (names, buffer) = (instr?.instr()?.guide_names(), buffer?);
        Ok(names.get(component as usize).map_or(0, |name| write_text(name, buffer)))
    })
}

/// What an operand is.
#[repr(u32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum isa_operand_kind {
    /// `count` consecutive registers of `file` from `first` on.
    Registers = 1,
    /// `groups` groups of vector registers, `group_first` and `group_count`: the address of an image instruction.
    Scattered = 2,
    /// An inline integer in `value`.
    Integer = 3,
    /// An inline floating-point constant: `value` has the bits of a float.
    Float = 4,
    /// A literal constant: `value` has its 32 bits.
    Literal = 5,
    /// A number in the fields of the instruction, in `value`.
    Immediate = 6,
    /// A branch target: `value` is the distance from the end of the instruction in bytes.
    Branch = 7,
    /// The operand is disabled.
    Off = 8,
}

/// How an instruction uses an operand.
#[repr(u32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum isa_access {
    /// Neither: the operand is a modifier.
    None = 0,
    /// It is read.
    Read = 1,
    /// It is written.
    Write = 2,
    /// It is read and written.
    ReadWrite = 3,
}

/// A register file.
#[repr(u32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum isa_register_file {
    /// Scalar registers.
    Sgpr = 0,
    /// Vector registers.
    Vgpr = 1,
    /// Trap temporaries.
    Ttmp = 2,
    /// 0 is `vcc_lo`, 1 is `vcc_hi`.
    Vcc = 3,
    /// 0 is `exec_lo`, 1 is `exec_hi`.
    Exec = 4,
    /// M0.
    M0 = 5,
    /// NULL: reads as 0, writes are dropped.
    Null = 6,
    /// The scalar condition code.
    Scc = 7,
    /// Memory apertures and status bits that read as constants: the number is the source code.
    Special = 8,
    /// The base of scratch memory for flat instructions.
    FlatScratch = 9,
    /// The lanes that repeat an access after a page fault.
    XnackMask = 10,
    /// The address of the trap handler.
    Tba = 11,
    /// The address of the trap handler's memory.
    Tma = 12,
}

// The numbers are literals because cbindgen does not evaluate paths.
const _: () = {
    assert!(isa_register_file::Sgpr as u8 == files::SGPR);
    assert!(isa_register_file::Vgpr as u8 == files::VGPR);
    assert!(isa_register_file::Ttmp as u8 == files::TTMP);
    assert!(isa_register_file::Vcc as u8 == files::VCC);
    assert!(isa_register_file::Exec as u8 == files::EXEC);
    assert!(isa_register_file::M0 as u8 == files::M0);
    assert!(isa_register_file::Null as u8 == files::NULL);
    assert!(isa_register_file::Scc as u8 == files::SCC);
    assert!(isa_register_file::Special as u8 == files::SPECIAL);
    assert!(isa_register_file::FlatScratch as u8 == files::FLAT_SCRATCH);
    assert!(isa_register_file::XnackMask as u8 == files::XNACK_MASK);
    assert!(isa_register_file::Tba as u8 == files::TBA);
    assert!(isa_register_file::Tma as u8 == files::TMA);
};

/// The half of a register that a 16-bit operand means.
#[repr(u32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum isa_half {
    /// The whole register, or the one half that the instruction can use.
    None = 0,
    /// Bits 15 to 0.
    Low = 1,
    /// Bits 31 to 16.
    High = 2,
}

/// An operand of an instruction.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct isa_operand {
    /// The value of a constant, as `kind` says.
    pub value: i64,
    /// The role in the row, such as `d` or `s0`, with a terminating 0.
    pub role: [c_char; 16],
    /// An `isa_operand_kind`.
    pub kind: u8,
    /// An `isa_access`.
    pub access: u8,
    /// The instruction of a dual-issue pair that it belongs to: 0 or 1.
    pub component: u8,
    /// An `isa_register_file`.
    pub file: u8,
    /// The number of the first register.
    pub first: u8,
    /// The number of 32-bit registers.
    pub count: u8,
    /// An `isa_half`.
    pub half: u8,
    /// The number of groups.
    pub groups: u8,
    /// The first register of each group.
    pub group_first: [u8; 5],
    /// The number of registers of each group.
    pub group_count: [u8; 5],
    /// The width of the type in bits; 0 for a lane mask, whose width is that of the wave.
    pub bits: u16,
    /// 0.
    pub reserved: u32,
}

// SAFETY: all members are numbers, without padding between them.
unsafe impl Plain for isa_operand {}
const _: () = assert!(size_of::<isa_operand>() == 48);

impl isa_operand {
    fn new(operand: &Operand) -> Self {
        let mut role = [0; 16];
        // The last byte stays 0.
        role.iter_mut().take(15).zip(operand.role.bytes()).for_each(|(to, byte)| *to = byte as c_char);
        let access = match operand.access {
            Access::Read => isa_access::Read,
            Access::Write => isa_access::Write,
            Access::ReadWrite => isa_access::ReadWrite,
            Access::Modifier => isa_access::None,
        };
        let mut all = Self {
            value: 0,
            role,
            kind: isa_operand_kind::Off as u8,
            access: access as u8,
            component: operand.component,
            file: 0,
            first: 0,
            count: 0,
            half: isa_half::None as u8,
            groups: 0,
            group_first: [0; 5],
            group_count: [0; 5],
            bits: operand.bits,
            reserved: 0,
        };
        let (kind, value) = match operand.value {
            OperandValue::Registers { file, first, count, half } => {
                (all.file, all.first, all.count) = (file, first, count);
                all.half = match half {
                    None => isa_half::None,
                    Some(Half::Low) => isa_half::Low,
                    Some(Half::High) => isa_half::High,
                } as u8;
                (isa_operand_kind::Registers, 0)
            }
            OperandValue::Scattered { groups, first, count } => {
                (all.file, all.groups) = (files::VGPR, groups);
                (all.group_first, all.group_count) = (first, count);
                (isa_operand_kind::Scattered, 0)
            }
            OperandValue::Integer(number) => (isa_operand_kind::Integer, number.into()),
            OperandValue::Float(bits) => (isa_operand_kind::Float, bits.into()),
            OperandValue::Literal(bits) => (isa_operand_kind::Literal, bits.into()),
            OperandValue::Immediate(number) => (isa_operand_kind::Immediate, number.into()),
            OperandValue::Branch(dwords) => (isa_operand_kind::Branch, 4 * i64::from(dwords)),
            OperandValue::Off => (isa_operand_kind::Off, 0),
        };
        Self { kind: kind as u8, value, ..all }
    }
}

/// Writes the operands that the text names into an array, in the order of the instruction's row, and stores their number, which may be
/// larger than `capacity`. An instruction has at most 8. `operand_size` is sizeof(isa_operand).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn isa_instr_operands(
    instr: *const isa_instr,
    operands: *mut isa_operand,
    operand_size: usize,
    capacity: usize,
    count: *mut usize,
    error: *mut *mut isa_error,
) -> isa_status {
    // SAFETY: the contract of the header.
    let (instr, operands, count, error) = unsafe {
        (
            border::handle(instr),
            out_slice(operands, capacity, "operands"),
            Out::new(count, 0, "count"),
            OutError::new(error),
        )
    };
    guard(error, || {
        check_element::<isa_operand>(operand_size, "isa_operand")?;
        let (instr, operands, count) = (instr?.instr()?, operands?, count?);
        let mut found = 0;
        instr.for_each_operand(|operand| {
            if let Some(place) = operands.get_mut(found) {
                place.write(isa_operand::new(&operand));
            }
            found += 1;
        });
        count.set(found);
        Ok(())
    })
}

/// Numbers of registers in `isa_effects`, from which others count on: `ISA_REGISTER_VGPR + 5` is v5.
#[repr(u32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum isa_register {
    /// s0, up to s105.
    Sgpr = 0,
    /// `vcc_lo`; `vcc_hi` is the next.
    Vcc = 106,
    /// `ttmp0`, up to `ttmp15`.
    Ttmp = 108,
    /// M0.
    M0 = 125,
    /// `exec_lo`; `exec_hi` is the next.
    Exec = 126,
    /// v0, up to v255.
    Vgpr = 256,
    /// The scalar condition code.
    Scc = 512,
    /// The mode register.
    Mode = 513,
    /// The status register.
    Status = 514,
    /// The program counter.
    Pc = 515,
    /// The low dword of FLAT_SCRATCH; the high one is the next.
    FlatScratch = 516,
}

/// The number of `uint64_t`s in a set of registers.
pub const ISA_REGISTER_SET_WORDS: usize = 9;

/// The 32-bit registers that an instruction reads and writes, whether its text names them or not. Register N is bit N % 64 of element
/// N / 64; `isa_register` has the numbers.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct isa_effects {
    /// The size of the struct.
    pub size: u32,
    /// A set of `isa_space` that it loads from.
    pub loads: u16,
    /// A set of `isa_space` that it stores to.
    pub stores: u16,
    /// The registers that are read.
    pub read: [u64; ISA_REGISTER_SET_WORDS],
    /// The registers that are written.
    pub written: [u64; ISA_REGISTER_SET_WORDS],
    /// The written registers that keep a part of their old value, or keep it on some paths; `read` has them, too.
    pub partial: [u64; ISA_REGISTER_SET_WORDS],
}

// SAFETY: all members are numbers; the first is the size.
unsafe impl Plain for isa_effects {}
impl Sized32 for isa_effects {
    const FIRST: usize = size_of::<Self>();
}

/// Address spaces, as bits.
#[repr(u32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum isa_space {
    /// Global memory through a 64-bit address.
    Global = 1,
    /// The private memory of a lane.
    Scratch = 2,
    /// A flat address.
    Flat = 4,
    /// The local data share.
    Lds = 8,
    /// The global data share.
    Gds = 16,
    /// Memory through the scalar cache.
    Scalar = 32,
    /// Memory through a buffer resource.
    Buffer = 64,
    /// An image.
    Image = 128,
}

fn space(space: Space) -> u16 {
    let space = match space {
        Space::Global => isa_space::Global,
        Space::Scratch => isa_space::Scratch,
        Space::Flat => isa_space::Flat,
        Space::Lds => isa_space::Lds,
        Space::Gds => isa_space::Gds,
        Space::Scalar => isa_space::Scalar,
        Space::Buffer => isa_space::Buffer,
        Space::Image => isa_space::Image,
    };
    space as u16
}

fn bits(set: &RegisterSet) -> [u64; ISA_REGISTER_SET_WORDS] {
    let mut words = [0; ISA_REGISTER_SET_WORDS];
    for unit in set.iter() {
        let number = usize::from(unit.number());
        if let Some(word) = words.get_mut(number / 64) {
            *word |= 1 << (number % 64);
        }
    }
    words
}

/// Fills in what an instruction reads and writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn isa_instr_effects(
    instr: *const isa_instr,
    effects: *mut isa_effects,
    error: *mut *mut isa_error,
) -> isa_status {
    // SAFETY: the contract of the header.
    let (instr, out, error) = unsafe { (border::handle(instr), OutStruct::new(effects), OutError::new(error)) };
    guard(error, || {
        let (instr, out) = (instr?.instr()?, out?);
        let registers = instr.register_effects();
        let (mut loads, mut stores) = (0, 0);
        instr.for_each_memory_access(|accessed, access| {
            if access != Access::Write {
                loads |= space(accessed);
            }
            if access != Access::Read {
                stores |= space(accessed);
            }
        });
        out.write(isa_effects {
            size: 0,
            loads,
            stores,
            read: bits(&registers.read),
            written: bits(&registers.written),
            partial: bits(&registers.partial),
        });
        Ok(())
    })
}

/// Writes the name of a register of `isa_effects`, such as `v5` or `scc`, into a buffer. Returns its length, or 0 if no register has the
/// number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn isa_register_name(number: u32, buffer: *mut c_char, capacity: usize) -> usize {
    // SAFETY: the contract of the header.
    let buffer = unsafe { out_text(buffer, capacity) };
    self::number(|| {
        let buffer = buffer?;
        let unit = u16::try_from(number).ok().and_then(Unit::from_number);
        Ok(unit.map_or(0, |unit| write_text(&unit.to_string(), buffer)))
    })
}

/// Facts about an instruction, as bits.
#[repr(u32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum isa_fact {
    /// It may continue elsewhere than at the next instruction, and does not come back.
    Branch = 1,
    /// It is a branch that may also continue at the next instruction.
    ConditionalBranch = 2,
    /// It branches to an address that does not depend on the program counter.
    IndirectBranch = 4,
    /// It branches and keeps the address of the next instruction.
    Call = 8,
    /// It can only be the last instruction of a basic block: it branches, or ends the program.
    Terminator = 16,
    /// The next instruction may follow, also after a call.
    FallsThrough = 32,
    /// It may read memory.
    MayLoad = 64,
    /// It may write memory.
    MayStore = 128,
    /// It does something besides writing operands and memory and branching.
    SideEffects = 256,
    /// It waits for the other waves of the work-group.
    Barrier = 512,
    /// It depends on other lanes or waves.
    Convergent = 1024,
    /// It writes one operand that depends on the sources alone.
    Rematerializable = 2048,
    /// Its words are those that encoding writes.
    Canonical = 4096,
    /// `target` is set.
    HasTarget = 8192,
}

/// Facts about an instruction.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct isa_facts {
    /// The size of the struct.
    pub size: u32,
    /// A set of `isa_fact`.
    pub facts: u32,
    /// The distance of the target of a direct branch or call from the end of the instruction, in bytes.
    pub target: i64,
    /// One more than the highest vector register that operands name.
    pub vector_registers: u16,
    /// One more than the highest scalar register that operands name.
    pub scalar_registers: u16,
    /// The second opcode of a dual-issue pair, or `ISA_NO_OPCODE`.
    pub second_opcode: u16,
    /// The opcode, or `ISA_NO_OPCODE`.
    pub opcode: u16,
}

// SAFETY: all members are numbers; the first is the size.
unsafe impl Plain for isa_facts {}
impl Sized32 for isa_facts {
    const FIRST: usize = size_of::<Self>();
}

fn fact_bits(facts: OpcodeFacts) -> u32 {
    let all = [
        (facts.is_branch, isa_fact::Branch),
        (facts.is_conditional_branch, isa_fact::ConditionalBranch),
        (facts.is_indirect_branch, isa_fact::IndirectBranch),
        (facts.is_call, isa_fact::Call),
        (facts.is_terminator, isa_fact::Terminator),
        (facts.falls_through, isa_fact::FallsThrough),
        (facts.may_load, isa_fact::MayLoad),
        (facts.may_store, isa_fact::MayStore),
        (facts.has_side_effects, isa_fact::SideEffects),
        (facts.is_barrier, isa_fact::Barrier),
        (facts.is_convergent, isa_fact::Convergent),
        (facts.is_rematerializable, isa_fact::Rematerializable),
    ];
    all.iter().filter(|(holds, _)| *holds).fold(0, |bits, (_, fact)| bits | *fact as u32)
}

/// Fills in facts about an instruction.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn isa_instr_facts(
    instr: *const isa_instr,
    facts: *mut isa_facts,
    error: *mut *mut isa_error,
) -> isa_status {
    // SAFETY: the contract of the header.
    let (instr, out, error) = unsafe { (border::handle(instr), OutStruct::new(facts), OutError::new(error)) };
    guard(error, || {
        let (instr, out) = (instr?.instr()?, out?);
        let (opcode, second) = instr.opcode_indices();
        let (counts, branch) = (instr.register_counts(), instr.branch());
        let mut facts = fact_bits(instr.opcode_facts());
        if instr.is_canonical() {
            facts |= isa_fact::Canonical as u32;
        }
        if branch.is_some() {
            facts |= isa_fact::HasTarget as u32;
        }
        out.write(isa_facts {
            size: 0,
            facts,
            target: branch.unwrap_or(0),
            vector_registers: counts.vector,
            scalar_registers: counts.scalar,
            second_opcode: second.unwrap_or(crate::ISA_NO_OPCODE),
            opcode: opcode.unwrap_or(crate::ISA_NO_OPCODE),
        });
        Ok(())
    })
}

/// The authority for a rule.
#[repr(u32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum isa_authority {
    /// The guide and LLVM's assembler.
    Both = 1,
    /// LLVM's assembler.
    Llvm = 2,
    /// The guide; LLVM's assembler accepts violations.
    Guide = 3,
}

/// Checks the rules between the operands of an instruction. The first violation is `ISA_STATUS_ILLEGAL`; the error says which operand
/// breaks which rule. `authority` may be NULL; otherwise it gets an `isa_authority` for the rule, or 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn isa_instr_check(
    instr: *const isa_instr,
    authority: *mut u32,
    error: *mut *mut isa_error,
) -> isa_status {
    // SAFETY: the contract of the header.
    let (instr, authority, error) =
        unsafe { (border::handle(instr), Out::new(authority, 0, "authority"), OutError::new(error)) };
    guard(error, || {
        let Err(violation) = instr?.instr()?.check() else { return Ok(()) };
        if let Ok(authority) = authority {
            authority.set(match violation.rule.authority {
                Authority::Both => isa_authority::Both,
                Authority::Llvm => isa_authority::Llvm,
                Authority::Guide => isa_authority::Guide,
            } as u32);
        }
        let help = Some(violation.rule.help).filter(|help| !help.is_empty()).map(str::to_owned);
        Err(Failure { help, ..Failure::new(isa_status::Illegal, violation.to_string()) })
    })
}

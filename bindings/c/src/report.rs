//! The results of launches: statistics, faults and findings.

use std::ffi::{CString, c_char};

use amdgpu_dispatch::LaunchReport;
use amdgpu_report::{HostContext, NearbyMemory, ResolvedFault, ResolvedFinding, ResolvedSite};

use crate::border::{self, OutError, OutStruct, Plain, Sized32, element, guard, optional};
use crate::status::{Failure, c_string, isa_status};

/// The result of a launch. Free it with `isa_launch_result_free`.
#[derive(Debug)]
pub struct isa_launch_result {
    groups: u64,
    instructions: u64,
    nanoseconds: u64,
    fault: Option<Fault>,
    findings: Vec<Finding>,
}

#[derive(Debug)]
struct Fault {
    message: CString,
    kind: CString,
    instruction: Option<CString>,
    source_line: Option<CString>,
    near: Option<CString>,
    text: Option<CString>,
    group: [u32; 3],
    wave: u32,
    lane: i32,
    argument: i32,
    pc: u64,
    address: Option<u64>,
}

#[derive(Debug)]
struct Finding {
    kind: CString,
    message: CString,
    help: CString,
    instruction: Option<CString>,
    source_line: Option<CString>,
    registers: Option<CString>,
    space: Option<CString>,
    access: Option<CString>,
    near: Option<CString>,
    other_instruction: Option<CString>,
    other_source_line: Option<CString>,
    group: [u32; 3],
    wave: u32,
    lanes: u64,
    pc: u64,
    address: Option<u64>,
    other_pc: Option<u64>,
    count: u64,
    argument: i32,
    is_error: bool,
}

/// Returns the number of the argument for C, -1 without one, and a text.
fn described(near: Option<&NearbyMemory>) -> (i32, Option<CString>) {
    let argument = near.and_then(|memory| i32::try_from(memory.near.argument?).ok()).unwrap_or(-1);
    (argument, near.map(|memory| c_string(memory.to_string())))
}

fn source_line(site: &ResolvedSite) -> Option<CString> {
    site.source.as_ref().map(|source| c_string(source.to_string()))
}

impl Fault {
    fn new(fault: ResolvedFault) -> Self {
        let (argument, near) = described(fault.near.as_ref());
        Self {
            message: c_string(fault.message()),
            kind: c_string(fault.kind),
            source_line: source_line(&fault.site),
            instruction: fault.site.text.map(c_string),
            near,
            text: fault.printed.map(c_string),
            group: fault.group,
            wave: fault.wave as u32,
            lane: fault.lane.and_then(|lane| i32::try_from(lane).ok()).unwrap_or(-1),
            argument,
            pc: fault.site.address,
            address: fault.address,
        }
    }
}

impl Finding {
    fn new(found: ResolvedFinding) -> Self {
        let (argument, near) = described(found.near.as_ref());
        let other = found.other.as_ref().map(|other| &other.site);
        Self {
            kind: c_string(found.kind.name()),
            message: c_string(found.message()),
            is_error: found.is_error(),
            source_line: source_line(&found.here.site),
            instruction: found.here.site.text.map(c_string),
            registers: (!found.registers.is_empty()).then(|| c_string(found.registers.join(", "))),
            space: found.memory.map(|memory| c_string(memory.space.name())),
            access: found.here.access.map(|access| c_string(access.name())),
            near,
            other_instruction: other.and_then(|site| site.text.clone()).map(c_string),
            other_source_line: other.and_then(source_line),
            group: found.here.group,
            wave: found.here.wave,
            lanes: found.here.lanes,
            pc: found.here.site.address,
            address: found.memory.map(|memory| memory.at),
            other_pc: other.map(|site| site.address),
            count: found.count,
            argument,
            help: c_string(found.help),
        }
    }
}

impl isa_launch_result {
    pub(crate) fn new(context: &HostContext<'_>, report: &LaunchReport) -> Self {
        let findings = report.checked.iter().flat_map(|checked| context.findings(checked));
        let fault = report.fault.as_ref().map(|fault| context.fault(fault, report.interruption));
        Self {
            groups: report.groups,
            instructions: report.instructions,
            nanoseconds: u64::try_from(report.duration.as_nanos()).unwrap_or(u64::MAX),
            fault: fault.map(Fault::new),
            findings: findings.map(Finding::new).collect(),
        }
    }

    /// Returns the message of the fault, if there is one.
    pub(crate) fn fault_message(&self) -> Option<String> {
        self.fault.as_ref().map(|fault| fault.message.to_string_lossy().into_owned())
    }
}

/// Frees the result of a launch; NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn isa_launch_result_free(result: *mut isa_launch_result) {
    // SAFETY: the contract of the header.
    unsafe { border::free(result) };
}

/// Statistics of a launch.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct isa_launch_statistics {
    /// The size of the struct.
    pub size: u32,
    /// Whether the launch has ended with a fault: 0 or 1.
    pub has_fault: u32,
    /// The number of work-groups.
    pub groups: u64,
    /// How many instructions all waves have executed.
    pub instructions: u64,
    /// The time of the run in nanoseconds.
    pub nanoseconds: u64,
    /// The number of findings of a check.
    pub finding_count: usize,
}

// SAFETY: all members are valid with any bits; the first is the size.
unsafe impl Plain for isa_launch_statistics {}
impl Sized32 for isa_launch_statistics {
    const FIRST: usize = size_of::<Self>();
}

/// Fills in the statistics of a launch.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn isa_launch_result_statistics(
    result: *const isa_launch_result,
    statistics: *mut isa_launch_statistics,
) -> isa_status {
    // SAFETY: the contract of the header.
    let (result, out) = unsafe { (border::handle(result), OutStruct::new(statistics)) };
    guard(OutError::none(), || {
        let result = result?;
        out?.write(isa_launch_statistics {
            size: 0,
            has_fault: result.fault.is_some().into(),
            groups: result.groups,
            instructions: result.instructions,
            nanoseconds: result.nanoseconds,
            finding_count: result.findings.len(),
        });
        Ok(())
    })
}

/// The fault that has ended a launch. Its text lives as long as the result.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct isa_fault {
    /// The size of the struct.
    pub size: u32,
    /// Whether `address` is set: 0 or 1.
    pub has_address: u32,
    /// The fault in words.
    pub message: *const c_char,
    /// The kind, such as `unmapped`, `trap` or `stopped`.
    pub kind: *const c_char,
    /// The text of the instruction, or NULL.
    pub instruction: *const c_char,
    /// The source line, or NULL.
    pub source_line: *const c_char,
    /// The memory that holds the address or is nearest, or NULL.
    pub near: *const c_char,
    /// What the wave has printed last, if it has ended itself, or NULL.
    pub text: *const c_char,
    /// The work-group in x, y and z.
    pub group: [u32; 3],
    /// The wave in its work-group.
    pub wave: u32,
    /// The lane, or -1.
    pub lane: i32,
    /// The argument whose memory holds the address or is nearest, or -1.
    pub argument: i32,
    /// The address of the instruction in the code object.
    pub pc: u64,
    /// The address in memory.
    pub address: u64,
}

// SAFETY: all members are valid with any bits; the first is the size.
unsafe impl Plain for isa_fault {}
impl Sized32 for isa_fault {
    const FIRST: usize = size_of::<Self>();
}

/// Fills in the fault of a launch; `ISA_STATUS_OUT_OF_RANGE` without a fault.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn isa_launch_result_fault(
    result: *const isa_launch_result,
    fault: *mut isa_fault,
) -> isa_status {
    // SAFETY: the contract of the header.
    let (result, out) = unsafe { (border::handle(result), OutStruct::new(fault)) };
    guard(OutError::none(), || {
        let none = || Failure::new(isa_status::OutOfRange, "the launch has no fault");
        let fault = result?.fault.as_ref().ok_or_else(none)?;
        out?.write(isa_fault {
            size: 0,
            has_address: fault.address.is_some().into(),
            message: fault.message.as_ptr(),
            kind: fault.kind.as_ptr(),
            instruction: optional(&fault.instruction),
            source_line: optional(&fault.source_line),
            near: optional(&fault.near),
            text: optional(&fault.text),
            group: fault.group,
            wave: fault.wave,
            lane: fault.lane,
            argument: fault.argument,
            pc: fault.pc,
            address: fault.address.unwrap_or(0),
        });
        Ok(())
    })
}

/// A finding of a check. Its text lives as long as the result.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct isa_finding {
    /// The size of the struct.
    pub size: u32,
    /// Whether it is an error, and not a warning: 0 or 1.
    pub is_error: u32,
    /// The kind, such as `race` or `missing-wait`.
    pub kind: *const c_char,
    /// What is wrong, in a sentence.
    pub message: *const c_char,
    /// What to do.
    pub help: *const c_char,
    /// The text of the instruction, or NULL.
    pub instruction: *const c_char,
    /// The source line, or NULL.
    pub source_line: *const c_char,
    /// The registers in question, or NULL.
    pub registers: *const c_char,
    /// The address space, or NULL.
    pub space: *const c_char,
    /// What the access does, or NULL.
    pub access: *const c_char,
    /// The memory that holds the address or is nearest, or NULL.
    pub near: *const c_char,
    /// The text of the other instruction, or NULL.
    pub other_instruction: *const c_char,
    /// The source line of the other instruction, or NULL.
    pub other_source_line: *const c_char,
    /// The work-group in x, y and z.
    pub group: [u32; 3],
    /// The wave in its work-group.
    pub wave: u32,
    /// The lanes, as a mask.
    pub lanes: u64,
    /// The address of the instruction in the code object.
    pub pc: u64,
    /// The address in memory, if `space` is set.
    pub address: u64,
    /// The address of the other instruction, if `has_other`.
    pub other_pc: u64,
    /// How many accesses of lanes were found.
    pub count: u64,
    /// The argument whose memory holds the address or is nearest, or -1.
    pub argument: i32,
    /// Whether there is another instruction: 0 or 1.
    pub has_other: u32,
}

// SAFETY: all members are valid with any bits; the first is the size.
unsafe impl Plain for isa_finding {}
impl Sized32 for isa_finding {
    const FIRST: usize = size_of::<Self>();
}

/// Fills in a finding of a check.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn isa_launch_result_finding(
    result: *const isa_launch_result,
    index: usize,
    finding: *mut isa_finding,
) -> isa_status {
    // SAFETY: the contract of the header.
    let (result, out) = unsafe { (border::handle(result), OutStruct::new(finding)) };
    guard(OutError::none(), || {
        let found = element(&result?.findings, index)?;
        out?.write(isa_finding {
            size: 0,
            is_error: found.is_error.into(),
            kind: found.kind.as_ptr(),
            message: found.message.as_ptr(),
            help: found.help.as_ptr(),
            instruction: optional(&found.instruction),
            source_line: optional(&found.source_line),
            registers: optional(&found.registers),
            space: optional(&found.space),
            access: optional(&found.access),
            near: optional(&found.near),
            other_instruction: optional(&found.other_instruction),
            other_source_line: optional(&found.other_source_line),
            group: found.group,
            wave: found.wave,
            lanes: found.lanes,
            pc: found.pc,
            address: found.address.unwrap_or(0),
            other_pc: found.other_pc.unwrap_or(0),
            count: found.count,
            argument: found.argument,
            has_other: found.other_pc.is_some().into(),
        });
        Ok(())
    })
}

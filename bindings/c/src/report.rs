//! The results of launches: statistics, faults and findings.

use std::ffi::{CString, c_char};

use amdgpu_dispatch::{CODE_BASE, Checked, GroupFault, HostLaunch, LaunchReport, register_name};
use isa_exec::check::finding::{Finding as Found, Severity};

use crate::border::{self, OutError, OutStruct, Plain, Sized32, element, guard, optional};
use crate::object::LaunchedKernel;
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

/// Describes an address: the argument that holds it or is nearest, else -1, and a text.
fn near(launch: &HostLaunch<'_>, address: u64) -> (i32, Option<CString>) {
    let Some(near) = launch.nearest(address) else { return (-1, None) };
    let read_only = if launch.is_read_only(address) { ", which is read-only" } else { "" };
    let argument = near.argument.and_then(|index| i32::try_from(index).ok()).unwrap_or(-1);
    (argument, Some(c_string(format!("{near}{read_only}"))))
}

fn listed(pc: u64) -> u64 {
    pc.wrapping_sub(CODE_BASE)
}

impl Fault {
    fn new(kernel: &LaunchedKernel<'_>, launch: &HostLaunch<'_>, fault: &GroupFault) -> Self {
        let at = &fault.fault;
        let address = at.kind.address();
        let (argument, near) = address.map_or((-1, None), |address| self::near(launch, address));
        let source_line = kernel.source_line(at.pc);
        let instruction = kernel.instruction(at.pc);
        let [x, y, z] = fault.group;
        let lane = at.lane.map(|lane| format!(", lane {lane}")).unwrap_or_default();
        let line = source_line.as_ref().map(|line| format!(", {line}")).unwrap_or_default();
        let pc = listed(at.pc);
        let mut message =
            format!("{}: work-group {x},{y},{z}, wave {}{lane} ({pc:#x}{line}): ", kernel.info.name, at.wave);
        if let Some(instruction) = &instruction {
            message += &format!("`{instruction}` ");
        }
        // The text of a fault begins with its place, which is said above.
        let reason = at.to_string();
        message += reason.split_once(": ").map_or(reason.as_str(), |(_, reason)| reason);
        if let Some(stuck) = &fault.stuck {
            message += &format!("; {stuck}");
        }
        if let Some(near) = near.as_ref().and_then(|near| near.to_str().ok()) {
            message += &format!("; the address is {near}");
        }
        Self {
            message: c_string(message),
            kind: c_string(at.kind.name()),
            instruction: instruction.map(c_string),
            source_line: source_line.map(c_string),
            near,
            text: fault.message.as_ref().map(|printed| c_string(printed.text.trim_ascii())),
            group: fault.group,
            wave: at.wave as u32,
            lane: at.lane.and_then(|lane| i32::try_from(lane).ok()).unwrap_or(-1),
            argument,
            pc: listed(at.pc),
            address,
        }
    }
}

impl Finding {
    fn new(kernel: &LaunchedKernel<'_>, launch: &HostLaunch<'_>, checked: &Checked, found: &Found) -> Self {
        let (place, other) = (&found.place, found.other.map(|other| other.place.pc));
        let memory = found.memory.as_ref();
        let global = memory.filter(|memory| !matches!(memory.space.name(), "lds" | "scratch"));
        let (argument, near) = global.map_or((-1, None), |memory| self::near(launch, memory.at));
        let registers: Vec<_> = found.registers.iter().map(|register| register_name(*register)).collect();
        let (x, y, z) = checked.group_number(place.group).into();
        Self {
            kind: c_string(found.kind.name()),
            help: c_string(found.help.clone().into_owned()),
            instruction: kernel.instruction(place.pc).map(c_string),
            source_line: kernel.source_line(place.pc).map(c_string),
            registers: (!registers.is_empty()).then(|| c_string(registers.join(", "))),
            space: memory.map(|memory| c_string(memory.space.name())),
            access: found.access.map(|access| c_string(access.name())),
            near,
            other_instruction: other.and_then(|pc| kernel.instruction(pc)).map(c_string),
            other_source_line: other.and_then(|pc| kernel.source_line(pc)).map(c_string),
            group: [x, y, z],
            wave: place.wave,
            lanes: place.lanes,
            pc: listed(place.pc),
            address: memory.map(|memory| memory.at),
            other_pc: other.map(listed),
            count: found.count,
            argument,
            is_error: found.severity == Severity::Error,
        }
    }
}

impl isa_launch_result {
    pub(crate) fn new(kernel: &LaunchedKernel<'_>, launch: &HostLaunch<'_>, report: &LaunchReport) -> Self {
        let findings = report
            .checked
            .iter()
            .flat_map(|checked| checked.findings.iter().map(|found| Finding::new(kernel, launch, checked, found)));
        Self {
            groups: report.groups,
            instructions: report.instructions,
            nanoseconds: u64::try_from(report.duration.as_nanos()).unwrap_or(u64::MAX),
            fault: report.fault.as_ref().map(|fault| Fault::new(kernel, launch, fault)),
            findings: findings.collect(),
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

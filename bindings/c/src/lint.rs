//! The lint: missing waits and hazards.

use std::ffi::{CString, c_char, c_void};

use amdgpu_dis::Options;
use amdgpu_report::{ResolvedLint, lint_file};

use crate::arch::{optional_wave, target};
use crate::border::{self, OutError, OutHandle, OutStruct, Plain, Sized32, element, guard, optional};
use crate::status::{Failure, c_string, isa_error, isa_status};

/// Flags of `isa_lint`.
#[repr(u32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum isa_lint_flag {
    /// Also report what may be wrong, depending on values.
    Possible = 1,
    /// Also report missing padding after the code.
    Padding = 2,
}

/// The findings of a lint. Free it with `isa_lint_result_free`.
#[derive(Debug)]
pub struct isa_lint_result {
    findings: Vec<Finding>,
}

#[derive(Debug)]
struct Finding {
    rule: CString,
    message: CString,
    help: CString,
    registers: Option<CString>,
    symbol: Option<CString>,
    instruction: CString,
    earlier: Option<(u64, CString)>,
    address: u64,
    insert_before: Option<u64>,
    is_certain: bool,
}

impl From<ResolvedLint> for Finding {
    fn from(found: ResolvedLint) -> Self {
        Self {
            is_certain: found.is_certain(),
            rule: c_string(found.finding.rule.id()),
            message: c_string(found.finding.rule.text()),
            help: c_string(found.finding.help),
            registers: found.finding.registers.map(c_string),
            symbol: found.here.symbol.map(|(name, _)| c_string(name)),
            address: found.here.address,
            instruction: c_string(found.here.instruction),
            earlier: found.earlier.map(|earlier| (earlier.address, c_string(earlier.instruction))),
            insert_before: found.insert_before.map(|site| site.address),
        }
    }
}

/// Lints the code in the contents of a file. `target` and `wave` override what the file states, or are NULL and 0; `flags` is a set of
/// `isa_lint_flag`. Findings are not a failure.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn isa_lint(
    bytes: *const c_void,
    size: usize,
    target: *const c_char,
    wave: u32,
    flags: u32,
    result: *mut *mut isa_lint_result,
    error: *mut *mut isa_error,
) -> isa_status {
    // SAFETY: the contract of the header.
    let (bytes, target, result, error) = unsafe {
        (
            border::slice(bytes.cast::<u8>(), size, "bytes"),
            border::optional_name(target, "target"),
            OutHandle::new(result),
            OutError::new(error),
        )
    };
    guard(error, || {
        if flags > 3 {
            return Err(Failure::invalid(format!("{flags:#x} is not a set of isa_lint_flag")));
        }
        let (result, bytes, target) = (result?, bytes?, target?.map(self::target).transpose()?);
        let options = Options { target, wave: optional_wave(wave)?, ..Options::default() };
        let is_set = |flag| flags & flag as u32 != 0;
        let also = (is_set(isa_lint_flag::Possible), is_set(isa_lint_flag::Padding));
        let findings = lint_file(bytes, &options, also).map_err(Failure::format)?;
        result.set(isa_lint_result { findings: findings.into_iter().map(Finding::from).collect() });
        Ok(())
    })
}

/// Frees the result of a lint; NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn isa_lint_result_free(result: *mut isa_lint_result) {
    // SAFETY: the contract of the header.
    unsafe { border::free(result) };
}

/// Returns the number of findings; 0 for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn isa_lint_result_count(result: *const isa_lint_result) -> usize {
    // SAFETY: the contract of the header.
    let result = unsafe { border::handle(result) };
    result.map_or(0, |result| result.findings.len())
}

/// A missing wait or a hazard. Its text lives as long as the result.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct isa_lint_finding {
    /// The size of the struct.
    pub size: u32,
    /// Whether it does not depend on values: 0 or 1.
    pub is_certain: u32,
    /// The name of the rule.
    pub rule: *const c_char,
    /// The rule in a sentence.
    pub message: *const c_char,
    /// What to do.
    pub help: *const c_char,
    /// The registers in question, or NULL.
    pub registers: *const c_char,
    /// The symbol before the instruction, or NULL.
    pub symbol: *const c_char,
    /// The text of the instruction that breaks the rule.
    pub instruction: *const c_char,
    /// The text of the earlier instruction that it conflicts with, or NULL.
    pub earlier_instruction: *const c_char,
    /// The address of the instruction.
    pub address: u64,
    /// The address of the earlier instruction.
    pub earlier_address: u64,
    /// The address of the instruction before which a missing wait has to be inserted, if `has_insert_before`.
    pub insert_before: u64,
    /// Whether `insert_before` is set: 0 or 1.
    pub has_insert_before: u32,
    /// 0.
    pub reserved: u32,
}

// SAFETY: all members are valid with any bits; the first is the size.
unsafe impl Plain for isa_lint_finding {}
impl Sized32 for isa_lint_finding {
    const FIRST: usize = size_of::<Self>();
}

/// Fills in a finding.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn isa_lint_result_finding(
    result: *const isa_lint_result,
    index: usize,
    finding: *mut isa_lint_finding,
) -> isa_status {
    // SAFETY: the contract of the header.
    let (result, out) = unsafe { (border::handle(result), OutStruct::new(finding)) };
    guard(OutError::none(), || {
        let found = element(&result?.findings, index)?;
        let earlier = found.earlier.as_ref();
        out?.write(isa_lint_finding {
            size: 0,
            is_certain: found.is_certain.into(),
            rule: found.rule.as_ptr(),
            message: found.message.as_ptr(),
            help: found.help.as_ptr(),
            registers: optional(&found.registers),
            symbol: optional(&found.symbol),
            instruction: found.instruction.as_ptr(),
            earlier_instruction: earlier.map_or(std::ptr::null(), |(_, text)| text.as_ptr()),
            address: found.address,
            earlier_address: earlier.map_or(0, |(address, _)| *address),
            insert_before: found.insert_before.unwrap_or(0),
            has_insert_before: found.insert_before.is_some().into(),
            reserved: 0,
        });
        Ok(())
    })
}

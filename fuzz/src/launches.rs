//! Launches of kernels, whose code and files are inputs.

use std::io;

use amdgpu_dispatch::{CODE_BASE, Checked, Checks, Kernel, Launch, LaunchArgument, LaunchError, Session, Settings};
use amdgpu_object::{
    Argument, Assembler, CodeObject, CodeObjectVersion, KernelMetadata, KernelSettings, Processor, ValueKind,
    write_code_object,
};
use amdgpu_report::{
    NearbyMemory, Places, ResolvedFinding, RunContext, RunStatistics, Suppressions, Trace, TraceOptions,
};
use isa_exec::check::finding::Kinds;

/// How long a work-group of an input runs.
const INSTRUCTIONS: u64 = 2000;

/// The bytes of each buffer.
const BUFFER: u64 = 256;

/// How an input is executed: from a byte.
fn settings(byte: u8) -> Settings {
    Settings {
        max_instructions: INSTRUCTIONS,
        turn: [4096, 1, 7, 64][usize::from(byte & 3)],
        seed: (byte & 4 != 0).then_some(9),
        resident: (byte & 8 != 0).then_some(1),
        dynamic_lds_bytes: if byte & 16 == 0 { 0 } else { 1000 },
        ..Settings::default()
    }
}

/// A file: its kernels, with arguments as their metadata have them. The first byte selects how they are executed.
pub fn launch(input: &[u8]) {
    let Some((first, file)) = input.split_first() else { return };
    let object = match CodeObject::load(file, CODE_BASE) {
        Ok(object) => object,
        Err(error) => return assert_eq!(error.to_string().lines().count(), 1, "{error:?}"),
    };
    for info in object.kernels.iter().take(2) {
        let Ok(kernel) = Kernel::of(object.clone(), info.clone()) else { return };
        let explicit = info.metadata.iter().flat_map(|metadata| metadata.explicit_arguments());
        let arguments: Vec<LaunchArgument> = explicit.take(100).map(argument).collect();
        match kernel.arguments(arguments) {
            Ok(launch) => run(launch, file, *first),
            Err(error) => drop(error.to_string()),
        }
    }
}

/// The argument that metadata ask for.
fn argument(argument: &Argument) -> LaunchArgument {
    match argument.value_kind {
        ValueKind::ByValue => LaunchArgument::Value(vec![1; argument.size.min(4096) as usize]),
        ValueKind::DynamicSharedPointer => LaunchArgument::Lds(64),
        _ => LaunchArgument::zeros(BUFFER),
    }
}

/// Bytes as the code of a kernel with two buffers and a number. The first byte selects how it is executed, the second the processor and the
/// wave size, the third the number of registers.
pub fn execute(input: &[u8]) {
    let [first, second, third, code @ ..] = input else { return };
    let processor = [Processor::Gfx1100, Processor::Gfx1151, Processor::Gfx1200][usize::from(second >> 1) % 3];
    let wave = if second & 1 == 0 { KernelSettings::wave32() } else { KernelSettings::wave64() };
    let mut assembler = Assembler::new(processor, CodeObjectVersion::V6);
    assembler.begin_kernel("k");
    let dwords: Vec<u32> = code.as_chunks().0.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect();
    assembler.push(&dwords);
    let kernel = KernelSettings {
        next_free_vgpr: u32::from(*third) + 1,
        next_free_sgpr: 100,
        kernarg_size: 24,
        group_segment_fixed_size: if third & 1 == 0 { 0 } else { 512 },
        private_segment_fixed_size: if third & 2 == 0 { 0 } else { 64 },
        user_sgpr_kernarg_segment_ptr: true,
        ..wave
    };
    let mut metadata = KernelMetadata::new("k", &kernel);
    metadata.args = vec![Argument::global_buffer(0), Argument::global_buffer(8), Argument::by_value(16, 4)];
    assembler.end_kernel(&kernel, metadata);
    let Ok(object) = assembler.finish() else { return };
    let file = write_code_object(&object).expect("a kernel without symbols is linked");
    let arguments = [LaunchArgument::zeros(BUFFER), LaunchArgument::bytes([0x3f; 256]), 64_u32.into()];
    let launch = Kernel::load(&file).and_then(|kernel| kernel.arguments(arguments)).expect("the arguments fit");
    run(launch, &file, *first);
}

/// Runs a launch, checks it and traces it. A check changes no results of a run that ends.
fn run(launch: Launch<'_>, file: &[u8], byte: u8) {
    let mut launch = launch.global(if byte & 32 == 0 { 64 } else { 80 }).local(64).threads(1);
    launch.settings = Settings { processor: launch.settings.processor, ..settings(byte) };
    let plain = launch.clone().run();
    if let Err(error) = &plain {
        assert!(!error.to_string().is_empty());
    }
    let checks = Checks { is_late: byte & 64 != 0, ..Checks::from(Kinds::ALL) };
    let checked = launch.clone().with_session(true, |session| {
        let checked = session.check(checks, &()).expect("a session for a check");
        report(&session, &checked, file);
    });
    assert_eq!(checked.is_err(), plain.as_ref().is_err_and(|error| !matches!(error, LaunchError::Fault(_))));
    if byte & 128 != 0 {
        drop(launch.with_session(false, |session| trace(&session, file)));
    }
}

/// Reports findings in each form.
fn report(session: &Session<'_>, checked: &Checked, file: &[u8]) {
    let places = Places::of(session, file);
    let context = RunContext {
        places: &places,
        nearest: &|address| NearbyMemory::of_inputs(&session.inputs, address),
        group_number: &|index| checked.group_number(index),
        kernel: "k",
    };
    let _ = (checked.to_string(), checked.is_clean());
    for finding in checked.findings.iter().take(20) {
        let finding = ResolvedFinding::new(finding.clone(), &context, &Suppressions::default());
        assert!(!finding.message().is_empty() && !finding.line("k").is_empty());
        let _ = (finding.to_json(), finding.here_label(), finding.to_sarif(&context, "k.co"));
    }
}

/// Traces and counts instructions.
fn trace(session: &Session<'_>, file: &[u8]) {
    let places = Places::of(session, file);
    let options = TraceOptions { is_traced: true, is_counted: true, ..TraceOptions::default() };
    let trace = Trace::new(&places, options, session.kernel.vectors(), io::sink());
    let _ = session.run(&&trace);
    let tally = trace.finish().expect("a sink takes all text");
    let lanes = amdgpu_arch::lanes(session.kernel.wave()).into();
    let statistics = RunStatistics::new(&tally, lanes, session.dispatch.groups(), |pc| places.instr(pc));
    statistics.write(&mut io::sink()).expect("a sink takes all text");
    assert!(statistics.to_json().is_object());
}

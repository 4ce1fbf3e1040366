//! Runs a kernel of a code object.

use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::process::ExitCode;

use amdgpu_arch::{TargetSelection, lanes};
use amdgpu_dis::{Image, check_format};
use amdgpu_dispatch::{
    CODE_BASE, DispatchError, GroupFault, Host, Inputs, Launch, LaunchError, Printed, Session, Settings, Status,
    executed_arch, is_null,
};
use amdgpu_object::{CodeObject, Kernel, ValueKind};
use amdgpu_report::{
    InstructionTally, NearbyMemory, Places, RunContext, RunStatistics, Trace, TraceObserver, TraceOptions, find_kernel,
    shown_name,
};
use isa_exec::fault::{FaultKind, Polled};
use isa_exec::group::Schedule;

use crate::failure::{self, Failure};
use crate::files;
use crate::input::{self, printable};
use crate::run::check::{self, CheckArgs};
use crate::run::launcher::DynamicLds;
use crate::run::memory::{self, MemoryArgs};
use crate::run::print::Printer;
use crate::run::progress::Progress;
use crate::run::spec;
use crate::run::{launcher, list};

/// The arguments of `isa run` that concern kernels.
#[derive(clap::Args)]
pub struct KernelArgs {
    /// The kernel to run; without it, the kernels and their arguments are listed
    #[arg(long, value_name = "NAME", requires = "file", requires = "global", requires = "local")]
    kernel: Option<String>,
    /// The number of work-items in up to three dimensions; it need not be a multiple of --local
    #[arg(long, value_name = "X[,Y[,Z]]", value_parser = spec::sizes, requires = "kernel")]
    global: Option<Sizes>,
    /// The number of work-items of a work-group in as many dimensions
    #[arg(long, value_name = "X[,Y[,Z]]", value_parser = spec::sizes, requires = "kernel")]
    local: Option<Sizes>,
    #[command(flatten)]
    memory: MemoryArgs,
    /// Dynamic LDS in bytes, which a work-group has besides that of the kernel and of arguments; without it, what Triton's
    /// NAME.json beside the code object states, or none
    #[arg(long, value_name = "BYTES", requires = "kernel")]
    lds: Option<u32>,
    /// The least scratch memory of a work-item in bytes; without it, 16384 for kernels that do not know the size of their stack or call functions
    #[arg(long, value_name = "BYTES", requires = "kernel")]
    stack: Option<u32>,
    /// The most instructions that the waves of a work-group execute together
    #[arg(long, value_name = "N", requires = "kernel")]
    max_instructions: Option<u64>,
    /// The number of threads; without it, one for each processor
    #[arg(long, value_name = "N", requires = "kernel", conflicts_with = "trace")]
    threads: Option<usize>,
    /// The number of work-groups that make progress together; without it, as many as the processor holds at once, by the VGPRs,
    /// the waves and the LDS of the kernel
    #[arg(long, value_name = "N", requires = "kernel", value_parser = clap::value_parser!(u64).range(1..))]
    resident: Option<u64>,
    /// The number of instructions after which another wave of a work-group goes on: results of kernels without races do not
    /// depend on it
    #[arg(long, value_name = "N", requires = "kernel", value_parser = clap::value_parser!(u64).range(1..), default_value_t = Schedule::DEFAULT_TURN)]
    turn: u64,
    /// Draws a random order of the waves and random turns of up to --turn instructions from a generator with this seed: shows races that
    /// hide in the usual order
    #[arg(long, value_name = "N", requires = "kernel")]
    seed: Option<u64>,
    #[command(flatten)]
    watch: WatchArgs,
    #[command(flatten)]
    check: CheckArgs,
}

impl KernelArgs {
    /// Whether standard output has findings as lines of JSON and nothing else.
    fn is_stdout_reserved(&self) -> bool {
        self.check.is_active() && self.watch.json
    }

    /// Returns the stream of traces and statistics.
    fn stream(&self) -> Box<dyn Write + Send> {
        if self.is_stdout_reserved() { Box::new(io::stderr()) } else { Box::new(io::stdout()) }
    }
}

/// The arguments that concern observation.
#[derive(clap::Args)]
pub struct WatchArgs {
    /// Print each instruction and the registers that it changes, one work-group after the other
    #[arg(long, requires = "kernel")]
    trace: bool,
    /// Trace, or stop in, only this wave of each work-group
    #[arg(long, value_name = "N", requires = "kernel")]
    trace_wave: Option<usize>,
    /// Show only this lane of vector registers
    #[arg(long, value_name = "N", requires = "kernel")]
    trace_lane: Option<usize>,
    /// Stop before the instruction at an address, as `isa dis` lists it, or at a symbol, and print the registers that are not
    /// zero; exit status 1
    #[arg(long = "break", value_name = "ADDRESS|SYMBOL", requires = "kernel")]
    breakpoints: Vec<String>,
    /// Print instructions and lane-operations by opcode and unit, bytes of memory and the share of active lanes
    #[arg(long, requires = "kernel")]
    stats: bool,
    /// Print traces, statistics, findings and lists of kernels as JSON
    #[arg(long, requires = "file")]
    json: bool,
}

impl WatchArgs {
    /// Whether a run has to be observed.
    fn is_active(&self) -> bool {
        self.trace || self.stats || !self.breakpoints.is_empty()
    }
}

/// Sizes in up to three dimensions.
type Sizes = Vec<u32>;

/// Lists the kernels of a file, or runs one of them.
pub fn run(file: &Path, wanted: Option<&TargetSelection>, args: &KernelArgs) -> Result<ExitCode, Failure> {
    let file_name = input::name(file);
    let contents = input::read(file)?;
    let opened = files::open(&file_name, &contents, wanted)?;
    for damage in &opened.damages {
        failure::note(format_args!("{file_name}: left out: {damage}"));
    }
    let Some(kernel_name) = &args.kernel else {
        return list(&file_name, &opened.images, args.watch.json);
    };
    let Chosen { image, kernel } = choose(kernel_name, &file_name, &opened.images)?;
    let name = image.name(&file_name);
    let (arch, shown) = (kernel.arch(), shown_name(kernel.info()));
    if let Some(wanted) = wanted.filter(|wanted| wanted.arch != arch) {
        return Err(Failure::about(&name, format!("the code is for {}, not for {}", arch.name(), wanted.arch.name())));
    }
    let stated = match args.lds {
        None => launcher::dynamic_lds(file, &kernel.info().name).filter(|stated| stated.bytes > 0),
        Some(_) => None,
    };
    let mut launch = Launch::new(kernel)
        .global(args.global.as_deref().unwrap_or_default())
        .local(args.local.as_deref().unwrap_or_default())
        .threads(if args.watch.trace { 1 } else { args.threads.unwrap_or(0) });
    launch.arguments.clone_from(&args.memory.arguments);
    launch.maps.clone_from(&args.memory.maps);
    launch.dumps.clone_from(&args.memory.dumps);
    launch.settings = Settings {
        dynamic_lds_bytes: args.lds.or(stated.as_ref().map(|stated| stated.bytes)).unwrap_or(0),
        stack_bytes: args.stack,
        max_instructions: args.max_instructions.unwrap_or(u64::MAX),
        turn: args.turn,
        seed: args.seed,
        resident: args.resident,
        ..launch.settings
    };
    let dynamic_lds_bytes = launch.settings.dynamic_lds_bytes;
    let outcome = launch.with_session(args.check.is_active(), |session| {
        note_stated_lds(stated.as_ref());
        execute(&session, args, file, (&image.bytes, dynamic_lds_bytes))
    });
    outcome.unwrap_or_else(|error| {
        Err(match &error {
            LaunchError::Grid(_) | LaunchError::Threads(_) => Failure::Message(error.to_string()),
            LaunchError::Input(error) => Failure::Message(memory::message(error)),
            LaunchError::Dispatch(_) => {
                note_stated_lds(stated.as_ref());
                let is_about_arguments = matches!(error, LaunchError::Dispatch(DispatchError::Arguments(_)));
                let help = if is_about_arguments { "; help: `isa run FILE` lists the arguments" } else { "" };
                Failure::about(&shown, format_args!("{error}{help}"))
            }
            error => Failure::about(&name, error),
        })
    })
}

/// Runs the kernel of a session, and reports what is asked for. `bytes` is the code object, which is in `file`.
fn execute(
    session: &Session<'_>,
    args: &KernelArgs,
    file: &Path,
    (bytes, dynamic_lds_bytes): (&[u8], u32),
) -> Result<ExitCode, Failure> {
    let Session { kernel: launched, dispatch, inputs, .. } = session;
    let kernel = launched.info();
    let kernel_name = shown_name(kernel);
    let in_kernel = |error: String| Failure::about(&kernel_name, error);
    let places = Places::of(session, bytes);
    let check = args.check.check(&places)?;
    let printer = Printer::new(args.is_stdout_reserved());
    let progress = Progress::new(dispatch.groups(), args.watch.trace, printer, |status| place(&places, kernel, status));
    let (findings, outcome) = if args.watch.is_active() {
        let trace = trace(args, &places, launched.vectors())?;
        let host = Watched { trace: &trace, progress: &progress };
        let end = check::execute(check.as_ref(), session, &host);
        progress.finish()?;
        conclude(&trace.finish()?, args, session, &places)?;
        end
    } else {
        let end = check::execute(check.as_ref(), session, &progress);
        progress.finish()?;
        end
    }
    .map_err(in_kernel)?;
    let is_stopped = matches!(&outcome, Err(fault) if fault.fault.kind == FaultKind::Stopped);
    if outcome.is_ok() || is_stopped {
        session.write_dumps().map_err(|error| Failure::Message(memory::message(&error)))?;
    }
    let mut is_wrong = is_stopped;
    if let Some(check) = &check {
        let nearest = |address| NearbyMemory::of_inputs(inputs, address);
        let group_number = |index| dispatch.group_number(index);
        let context =
            RunContext { places: &places, nearest: &nearest, group_number: &group_number, kernel: &kernel_name };
        is_wrong |= check.report(findings, &context, file, args.watch.json)?;
    }
    if let Err(fault) = outcome
        && !is_stopped
    {
        return Err(in_kernel(described(&places, kernel, &fault, inputs, dynamic_lds_bytes)));
    }
    Ok(if is_wrong { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// A host that observes the waves.
struct Watched<'p, 'a> {
    trace: &'a Trace<'p, 'a>,
    progress: &'a Progress<'a>,
}

impl<'p, 'a> Host for Watched<'p, 'a> {
    type Observer = TraceObserver<'p, 'a>;

    fn observer(&self, group: [u32; 3]) -> Self::Observer {
        self.trace.observer(group)
    }

    fn print(&self, group: [u32; 3], printed: &[Printed]) {
        self.progress.print(group, printed);
    }

    fn suspended(&self, status: &Status) {
        self.progress.suspended(status);
    }

    fn ended(&self, group: [u32; 3], observer: Self::Observer) {
        observer.finish();
        self.progress.ended(group, ());
    }
}

/// The place of the instruction that a wave executes next: as `isa dis` lists it, with its symbol and its line.
fn place(places: &Places<'_>, kernel: &Kernel, status: &Status) -> String {
    let text = places.text(status.pc).map(|text| format!("`{text}` ")).unwrap_or_default();
    format!("{text}at {:#x}{}", status.pc.wrapping_sub(CODE_BASE), source(places, kernel, status.pc))
}

/// The symbol and the line of an address in parentheses, as far as they are known.
fn source(places: &Places<'_>, kernel: &Kernel, pc: u64) -> String {
    let place: Vec<String> = [places.distance(pc, kernel), places.line(pc)].into_iter().flatten().collect();
    if place.is_empty() { String::new() } else { format!(" ({})", place.join(", ")) }
}

/// Returns the trace that the arguments ask for.
fn trace<'p, 'a>(args: &KernelArgs, places: &'a Places<'p>, vectors: u16) -> Result<Trace<'p, 'a>, Failure> {
    let out = BufWriter::new(args.stream());
    let args = &args.watch;
    let breakpoints: Result<_, _> = args.breakpoints.iter().map(|text| places.resolve(text)).collect();
    let options = TraceOptions {
        is_traced: args.trace,
        wave: args.trace_wave,
        lane: args.trace_lane,
        breakpoints: breakpoints.map_err(|error| Failure::Message(error.to_string()))?,
        is_counted: args.stats,
        is_json: args.json,
    };
    Ok(Trace::new(places, options, vectors, out))
}

/// Writes the statistics, if they are asked for.
fn conclude(
    tally: &InstructionTally,
    args: &KernelArgs,
    session: &Session<'_>,
    places: &Places<'_>,
) -> Result<(), Failure> {
    if args.watch.stats {
        let lanes = lanes(session.kernel.wave()).into();
        let report = RunStatistics::new(tally, lanes, session.dispatch.groups(), |pc| places.instr(pc));
        let mut out = BufWriter::new(args.stream());
        if args.watch.json {
            writeln!(out, "{}", report.to_json())?;
        } else {
            report.write(&mut out)?;
        }
        out.flush()?;
    }
    Ok(())
}

/// Loads a code object whose code is executed; an error says what the file is instead.
fn load<'a>(image: &'a Image<'_>) -> Result<CodeObject<'a>, String> {
    check_format(&image.bytes).map_err(|error| files::message(&error))?;
    let object = CodeObject::load(&image.bytes, CODE_BASE).map_err(|error| error.to_string())?;
    executed_arch(object.flags).map_err(|error| error.to_string())?;
    Ok(object)
}

/// Lists the kernels of all images.
fn list(file: &str, images: &[Image<'_>], is_json: bool) -> Result<ExitCode, Failure> {
    let mut objects = Vec::new();
    for image in images {
        let object = load(image).map_err(|error| Failure::about(&image.name(file), error))?;
        if !object.kernels.is_empty() {
            objects.push((&*image.place, object));
        }
    }
    if objects.is_empty() {
        return Err(Failure::about(file, "the file holds no kernels"));
    }
    list::write(&objects, is_json, &mut io::stdout().lock())?;
    Ok(ExitCode::SUCCESS)
}

/// A kernel to run, and the image that holds it.
struct Chosen<'a, 'b> {
    image: &'a Image<'b>,
    kernel: amdgpu_dispatch::Kernel<'a>,
}

/// The first image with a kernel of this name.
fn choose<'a, 'b>(name: &str, file: &str, images: &'a [Image<'b>]) -> Result<Chosen<'a, 'b>, Failure> {
    let mut failure = None;
    for image in images {
        let chosen = load(image).and_then(|object| {
            let kernel = find_kernel(&object.kernels, name).map_err(|error| files::kernel_message(&error))?.clone();
            let kernel = amdgpu_dispatch::Kernel::of(object, kernel).map_err(|error| error.to_string())?;
            Ok(Chosen { image, kernel })
        });
        match chosen {
            Ok(chosen) => return Ok(chosen),
            Err(error) => failure = Some(Failure::about(&image.name(file), error)),
        }
    }
    Err(match failure {
        Some(failure) if images.len() == 1 => failure,
        _ => Failure::about(
            file,
            format_args!(
                "none of {} code objects has one kernel that is named `{}`; help: without --kernel, their kernels are listed",
                images.len(),
                printable(name.as_bytes())
            ),
        ),
    })
}

/// Notes the dynamic LDS that the metadata of a framework state for a kernel.
fn note_stated_lds(stated: Option<&DynamicLds>) {
    if let Some(DynamicLds { bytes, file }) = stated {
        let file = input::name(file);
        failure::note(format_args!("{bytes} bytes of dynamic LDS, as {file} states; `--lds` overrides"));
    }
}

/// A fault with its place: as `isa dis` lists it, and in the source.
fn described(
    places: &Places<'_>,
    kernel: &Kernel,
    group_fault: &GroupFault,
    inputs: &Inputs,
    dynamic_lds: u32,
) -> String {
    let GroupFault { group: [x, y, z], fault, stuck, message } = group_fault;
    let mut shown = fault.clone();
    if let Some(text) = places.text(fault.pc) {
        shown.instruction = text;
    }
    shown.pc = fault.pc.wrapping_sub(CODE_BASE);
    let place = source(places, kernel, fault.pc);
    let near = match fault.kind {
        FaultKind::Unmapped { address, .. } if is_null(address) && is_cooperative(kernel) => {
            ": a null pointer; `hidden_multigrid_sync_arg` is one, since a run is not a cooperative launch".into()
        }
        FaultKind::Unmapped { address, .. } => memory::near(inputs, address),
        FaultKind::Lds { address, bytes, size } => memory::beyond_lds(inputs, address, bytes, size, dynamic_lds),
        FaultKind::Endless { polled: Polled::Memory(address), .. } => memory::inside(inputs, address),
        FaultKind::Scratch { .. } => "; help: `--stack BYTES` gives each work-item more".into(),
        _ => String::new(),
    };
    let stuck = stuck.as_ref().map_or(String::new(), |stuck| match stuck.not_begun {
        0 => format!("; {stuck}"),
        _ => format!("; {stuck}; help: `--resident N` lets N work-groups make progress together"),
    });
    let message = message.as_ref().map(|message| format!("; {}", printable(message.to_string().as_bytes())));
    format!("work-group {x},{y},{z}{place}: {shown}{near}{stuck}{}", message.unwrap_or_default())
}

/// Whether a kernel may synchronize the work-groups of a cooperative launch.
fn is_cooperative(kernel: &Kernel) -> bool {
    let mut arguments = kernel.metadata.iter().flat_map(|metadata| &metadata.args);
    arguments.any(|argument| argument.value_kind == ValueKind::HiddenMultigridSyncArg)
}

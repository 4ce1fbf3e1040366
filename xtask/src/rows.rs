//! `cargo xtask rows`: functions for rows of floats and of small integers give what the definitions of their operations give, with every
//! vector unit of the host: on random numbers in each mode, on all inputs of elementary functions of f32, and on all pairs of f16.

use std::num::NonZero;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

use anyhow::{Result, bail};
use isa::body::{BinaryOp, Builtin, Class, Type};
use isa_exec::num::{Mode, Round};
use isa_exec::operation::{Modes, OperationKind};
use isa_exec::rows::LANES;
use isa_tests::rows::{Case, MODES, RESULT, Rows, arguments, float_cases, narrow_cases};
use isa_tests::sample::Sample;

/// The arguments of `cargo xtask rows`.
#[derive(clap::Args)]
pub struct Args {
    /// Only lines of the output that contain this, such as `mul f16 f16 f16, all`
    #[arg(long, default_value = "")]
    pub only: String,
    /// How many random inputs of each operation of f32 in each mode; a tenth of it for other types
    #[arg(long, default_value_t = 100_000_000)]
    pub count: u64,
    /// How many threads [default: one for each core]
    #[arg(long)]
    pub threads: Option<usize>,
}

/// The functions of f32 that are compared on all inputs.
const ELEMENTARY: [Builtin; 7] =
    [Builtin::Exp2, Builtin::Log2, Builtin::Rcp, Builtin::Rsq, Builtin::Sqrt, Builtin::Sin, Builtin::Cos];

/// The operators and functions of two f16 that are compared on all inputs.
const PAIRS: [OperationKind; 5] = [
    OperationKind::Binary(BinaryOp::Add),
    OperationKind::Binary(BinaryOp::Sub),
    OperationKind::Binary(BinaryOp::Mul),
    OperationKind::Call(Builtin::Min),
    OperationKind::Call(Builtin::Max),
];

/// The f16 that are added to the products of all pairs: zero, the largest negative denormal, the number above one, and the least.
const ADDENDS: [u128; 4] = [0, 0x83FF, 0x3C01, 0xFBFF];

/// MODE of kernels, and with f32 denormals kept.
const SINGLE_MODES: [Mode; 2] = [Mode(0x3C0), Mode(0x3F0)];

/// MODE with f16 denormals kept, and with them flushed.
const HALF_MODES: [Mode; 2] = [Mode(0x3C0), Mode(0x300)];

/// How many parts the inputs of a function have, which are 2^32.
const PARTS: u32 = 256;

/// A part of the comparison.
enum Job<'a> {
    /// This many random inputs.
    Random(&'a Case, Modes, u64),
    /// The inputs with these upper bits, of [`PARTS`]: one f32, or two f16 and a third if it is given.
    All(&'a Case, Modes, u32, u128),
}

impl Job<'_> {
    /// The number of inputs, and a description of one that differs.
    fn run(&self) -> (u64, Option<String>) {
        match self {
            Job::Random(case, modes, count) => random(case, modes, *count),
            Job::All(case, modes, part, third) => all(case, modes, *part, *third),
        }
    }

    /// The line for jobs of an operation.
    fn label(&self) -> String {
        match self {
            Job::Random(case, ..) => format!("{case}, random"),
            Job::All(case, modes, _, third) if case.args.len() == 3 => {
                format!("{case}, all with mode {:#x} and {third:#x}", modes.register.0)
            }
            Job::All(case, modes, ..) => format!("{case}, all with mode {:#x}", modes.register.0),
        }
    }
}

/// The comparisons of an operation on all inputs.
fn exhaustive<'a>(jobs: &mut Vec<Job<'a>>, case: &'a Case) {
    let mut add = |modes: [Mode; 2], third: u128| {
        let parts = modes.into_iter().flat_map(|mode| (0..PARTS).map(move |part| (mode, part)));
        jobs.extend(parts.map(|(mode, part)| Job::All(case, Modes::new(mode), part, third)));
    };
    let has = |args: &[Type]| case.args == args;
    let (half, single) = (Type::new(Class::Float, 16, 1), Type::new(Class::Float, 32, 1));
    match case.kind {
        // The sine and the cosine of denormals depend on the mode.
        OperationKind::Call(builtin) if has(&[single]) && ELEMENTARY.contains(&builtin) => add(SINGLE_MODES, 0),
        OperationKind::Call(Builtin::Fma) if has(&[half; 3]) => {
            ADDENDS.iter().for_each(|third| add(HALF_MODES, *third))
        }
        kind if has(&[half; 2]) && PAIRS.contains(&kind) => add(HALF_MODES, 0),
        _ => {}
    }
}

fn random(case: &Case, modes: &Modes, count: u64) -> (u64, Option<String>) {
    let mut random = Sample::seeded(modes.register.0.into());
    let mut rows = Rows::new(case, RESULT);
    let mut tried = 0;
    while tried < count {
        let is_usual = random.below(2) == 0;
        for lane in 0..LANES {
            rows.set(lane, &arguments(&mut random, &case.args, is_usual));
        }
        tried += LANES as u64;
        if let Some(difference) = rows.difference(modes, &[u32::MAX]) {
            return (tried, Some(difference));
        }
    }
    (tried, None)
}

fn all(case: &Case, modes: &Modes, part: u32, third: u128) -> (u64, Option<String>) {
    let mut rows = Rows::new(case, RESULT);
    let size = u32::MAX / PARTS + 1;
    for first in (part * size..).step_by(LANES).take(size as usize / LANES) {
        for (lane, bits) in (first..=first + (LANES as u32 - 1)).enumerate() {
            match case.args.len() {
                1 => rows.set(lane, &[bits.into()]),
                _ => rows.set(lane, &[(bits & 0xFFFF).into(), (bits >> 16).into(), third]),
            }
        }
        if let Some(difference) = rows.difference(modes, &[u32::MAX]) {
            return (size.into(), Some(difference));
        }
    }
    (size.into(), None)
}

/// Prints the number of inputs of each operation. Returns an error if a function differs from the definition.
pub fn run(args: &Args) -> Result<()> {
    let begin = Instant::now();
    let tenth = args.count / 10;
    let cases: Vec<(Case, u64)> =
        [(float_cases(32), args.count), (float_cases(64), tenth), (float_cases(16), tenth), (narrow_cases(), tenth)]
            .into_iter()
            .flat_map(|(cases, count)| cases.into_iter().map(move |case| (case, count)))
            .collect();
    let modes = MODES.map(|mode| Modes::new(Mode(mode)));
    // Other directions of rounding have no separate functions.
    let nearest: Vec<Modes> = modes.into_iter().filter(|modes| modes.f32.round == Round::NearestEven).collect();
    let mut jobs = Vec::new();
    for (case, count) in &cases {
        jobs.extend(nearest.iter().map(|modes| Job::Random(case, *modes, *count)));
        exhaustive(&mut jobs, case);
    }
    let only = args.only.to_lowercase();
    jobs.retain(|job| job.label().to_lowercase().contains(&only));
    if jobs.is_empty() {
        bail!("no line contains `{}`", args.only);
    }
    let threads = args.threads.or_else(|| thread::available_parallelism().ok().map(NonZero::get)).unwrap_or(1);
    let (next, results) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
            let (tried, difference) = job.run();
            let Ok(mut results) = results.lock() else { return };
            results.push((job.label(), tried, difference));
        }
    };
    thread::scope(|scope| (0..threads.max(1)).for_each(|_| drop(scope.spawn(work))));
    let mut results = results.into_inner().unwrap_or_default();
    results.sort();
    let mut differences = 0;
    for group in results.chunk_by(|a, b| a.0 == b.0) {
        let tried: u64 = group.iter().map(|(_, tried, _)| tried).sum();
        println!("{tried:>14} {}", group[0].0);
        for difference in group.iter().filter_map(|(.., difference)| difference.as_ref()) {
            println!("    {difference}");
            differences += 1;
        }
    }
    let tried: u64 = results.iter().map(|(_, tried, _)| tried).sum();
    println!("{tried} inputs, {differences} differences, {:.0} s", begin.elapsed().as_secs_f64());
    if differences > 0 {
        bail!("functions for rows differ from the definition");
    }
    Ok(())
}

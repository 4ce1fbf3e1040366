//! Cold builds of crates that depend on ours, as their users have them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Result, bail};

/// How often each crate is built.
const ROUNDS: usize = 3;

/// A crate without dependencies but those given, whose code is empty at first.
struct Dependent {
    directory: PathBuf,
}

const EMPTY: &str = "pub fn code() -> &'static [u32] { &[] }";

impl Dependent {
    /// Writes the crate, and downloads what it depends on: a download is not part of a build.
    fn new(parent: &Path, name: &str, dependencies: &[String]) -> Result<Self> {
        let new = Self { directory: parent.join(name) };
        fs::create_dir_all(new.directory.join("src"))?;
        let dependencies = dependencies.join("\n");
        let manifest = format!(
            "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[dependencies]\n{dependencies}\n[workspace]\n"
        );
        fs::write(new.directory.join("Cargo.toml"), manifest)?;
        new.write(EMPTY)?;
        new.cargo(&["fetch"])?;
        Ok(new)
    }

    fn write(&self, code: &str) -> Result<()> {
        Ok(fs::write(self.directory.join("src/lib.rs"), code)?)
    }

    /// Runs cargo, and returns the seconds that it takes.
    fn cargo(&self, arguments: &[&str]) -> Result<f64> {
        let begin = Instant::now();
        let mut command = Command::new("cargo");
        command.args(arguments).arg("-q").current_dir(&self.directory);
        command.env("CARGO_TARGET_DIR", self.directory.join("target")).env("CARGO_PROFILE_DEV_DEBUG", "0");
        // Cargo compiles path dependencies incrementally and those of a registry not: compare like with like.
        if arguments.first() == Some(&"build") {
            command.env("CARGO_INCREMENTAL", "0");
        }
        if !command.status()?.success() {
            bail!("cargo {} in {} failed", arguments.join(" "), self.directory.display());
        }
        Ok(begin.elapsed().as_secs_f64())
    }

    /// Builds all from nothing, and returns the seconds that it takes.
    fn build(&self, arguments: &[&str]) -> Result<f64> {
        let target = self.directory.join("target");
        if target.exists() {
            fs::remove_dir_all(&target)?;
        }
        self.cargo(&[&["build"], arguments].concat())
    }
}

/// The median times of builds of each crate, which are built in turns.
fn medians<const N: usize>(crates: [&Dependent; N], arguments: &[&str]) -> Result<[f64; N]> {
    let mut seconds = [const { Vec::new() }; N];
    for _ in 0..ROUNDS {
        for (of_crate, seconds) in crates.iter().zip(&mut seconds) {
            seconds.push(of_crate.build(arguments)?);
        }
    }
    Ok(seconds.map(|seconds| super::spread(seconds).1))
}

/// Prints how long cold builds take, and what `asm!` adds to a check.
pub fn run() -> Result<()> {
    let parent = std::env::temp_dir().join(format!("isa-builds-{}", std::process::id()));
    println!("\ncold builds of crates without code (medians of {ROUNDS} in turns, no debug information)");
    let outcome = sets(&parent).and_then(|()| assembler(&parent)).and_then(|()| macro_lines(&parent));
    if parent.exists() {
        fs::remove_dir_all(&parent)?;
    }
    outcome
}

/// A dependency on a crate in a folder of the workspace, with further settings.
fn on(name: &str, folder: &str, settings: &str) -> String {
    format!("{name} = {{ path = {:?}{settings} }}", isa_tests::paths::root().join(folder).join(name))
}

/// The set of RDNA3 against iced-x86, and that of RDNA4 against it.
fn sets(parent: &Path) -> Result<()> {
    let all = Dependent::new(parent, "of-rdna3", &[on("rdna3", "isa-defs", "")])?;
    let decode_only = [on("rdna3", "isa-defs", ", default-features = false")];
    let decode_only = Dependent::new(parent, "of-rdna3-decode-only", &decode_only)?;
    let iced = Dependent::new(parent, "of-iced", &["iced-x86 = \"1.22\"".to_owned()])?;
    let rdna4 = Dependent::new(parent, "of-rdna4", &[on("rdna4", "isa-defs", "")])?;
    let crates = [&iced, &all, &decode_only, &rdna4];
    let (debug, release) = (medians(crates, &[])?, medians(crates, &["--release"])?);
    println!("iced-x86: {:.1} s, release {:.1} s", debug[0], release[0]);
    let ours = [("rdna3", [2.9, 2.2]), ("rdna3 without default features", [2.0, 1.5])];
    for ((what, goals), (debug_time, release_time)) in ours.into_iter().zip(debug.into_iter().zip(release).skip(1)) {
        println!(
            "{what}: {debug_time:.1} s, {:.1} times iced-x86 (goal {:.1}), release {release_time:.1} s, {:.1} times (goal {:.1})",
            debug_time / debug[0],
            goals[0],
            release_time / release[0],
            goals[1]
        );
    }
    let [_, of_rdna3, _, of_rdna4] = debug;
    let [_, release_of_rdna3, _, release_of_rdna4] = release;
    println!(
        "rdna4: {of_rdna4:.1} s, {:.2} times rdna3, release {release_of_rdna4:.1} s, {:.2} times",
        of_rdna4 / of_rdna3,
        release_of_rdna4 / release_of_rdna3
    );
    Ok(())
}

/// The assembler of programs against the sets that it serves.
fn assembler(parent: &Path) -> Result<()> {
    let with_asm = |sets: &[String]| [&[on("isa-asm", "isa", "")], sets].concat();
    let program = Dependent::new(parent, "of-amdgpu-asm", &[on("amdgpu-asm", "isa-defs", "")])?;
    let sets = ["rdna3", "rdna3_5", "rdna4", "gcn"].map(|name| on(name, "isa-defs", ""));
    let sets = Dependent::new(parent, "of-sets", &with_asm(&sets))?;
    const FEATURES: &str =
        ", default-features = false, features = [\"inst\", \"parse\", \"rdna3\", \"rdna3_5\", \"rdna4\"]";
    let rows = [on("gcn-rows", "isa-defs", ""), on("rdna-rows", "isa-defs", FEATURES)];
    let rows = Dependent::new(parent, "of-rows", &with_asm(&rows))?;
    let [program, sets, rows] = medians([&program, &sets, &rows], &[])?;
    println!("amdgpu-asm: {program:.1} s");
    println!("the crates of the sets that it serves: {sets:.1} s, {:.1} s less (goal: at most 4)", program - sets);
    println!("the rows of these sets alone: {rows:.1} s, {:.1} s less", program - rows);
    Ok(())
}

/// What lines of `asm!` add to a check.
fn macro_lines(parent: &Path) -> Result<()> {
    let user = Dependent::new(parent, "of-rdna3", &[on("rdna3", "isa-defs", "")])?;
    let lines = "    v_add_f32 v0, v0, v1;\n".repeat(2000);
    let with_lines = format!("pub fn code() -> &'static [u32] {{ const C: &[u32] = &rdna3::asm! {{\n{lines}}}; C }}");
    user.cargo(&["check"])?;
    let mut seconds = [f64::MAX; 2];
    for round in 0..2 * ROUNDS {
        user.write(if round % 2 == 0 { &with_lines } else { EMPTY })?;
        seconds[round % 2] = seconds[round % 2].min(user.cargo(&["check"])?);
    }
    let [with, without] = seconds;
    println!("check with asm! of 2,000 lines: {with:.2} s, without {without:.2} s (goal: 0.2 s more)");
    Ok(())
}
